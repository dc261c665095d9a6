/* A bump allocator over a list of chunks that double in size. See arena.h for the invariants.
 *
 * Blocks are multiples of ALIGN. Under AddressSanitizer each is followed by a red zone, and all
 * that is not handed out is poisoned, so an overrun or a use after reset is found like one of the
 * heap. Cost: a block is a compare and an add; a chunk is one mgi_alloc. */
#include "base/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif

#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
#define RED_ZONE           16
#define POISON(ptr, len)   ASAN_POISON_MEMORY_REGION(ptr, len)
#define UNPOISON(ptr, len) ASAN_UNPOISON_MEMORY_REGION(ptr, len)
#else
#define RED_ZONE           0
#define POISON(ptr, len)   ((void)(ptr), (void)(len))
#define UNPOISON(ptr, len) ((void)(ptr), (void)(len))
#endif

#define ALIGN       alignof(max_align_t)
#define FIRST_CHUNK ((size_t)16 * 1024)   /* holds a usual request, little for an idle connection */
#define MAX_CHUNK   ((size_t)1024 * 1024) /* beyond this a doubling only wastes */

struct arena_chunk {
    struct arena_chunk *next; /* older */
    size_t size;              /* of bytes[] */
    size_t used;              /* red zones included */
    alignas(max_align_t) char bytes[];
};

struct arena_release {
    struct arena_release *next; /* registered earlier */
    void (*release)(void *thing);
    void *thing;
};

/* What a block of `size` takes in its chunk, or 0 when that overflows. */
static size_t block_size(size_t size)
{
    if (size > SIZE_MAX - ALIGN - RED_ZONE)
        return 0;
    size_t rounded = (size + ALIGN - 1) / ALIGN * ALIGN;
    return (rounded ? rounded : ALIGN) + RED_ZONE;
}

static bool within_limit(const struct arena *a, size_t more)
{
    return more <= SIZE_MAX - a->used && (a->limit == 0 || a->used + more <= a->limit);
}

static void count_used(struct arena *a, size_t more)
{
    a->used += more;
    if (a->used > a->high_water)
        a->high_water = a->used;
}

static void *exhausted(struct arena *a)
{
    a->oom = true;
    return NULL;
}

static bool add_chunk(struct arena *a, size_t need)
{
    size_t size = a->chunk_size > need ? a->chunk_size : need;
    if (size > SIZE_MAX - sizeof(struct arena_chunk))
        return false;
    struct arena_chunk *c = mgi_alloc(sizeof *c + size);
    if (!c)
        return false;
    *c = (struct arena_chunk){ .next = a->chunks, .size = size };
    POISON(c->bytes, size);
    a->chunks = c;
    if (a->chunk_size < MAX_CHUNK)
        a->chunk_size *= 2;
    return true;
}

static void drop_chunk(struct arena *a)
{
    struct arena_chunk *c = a->chunks;
    a->chunks = c->next;
    UNPOISON(c->bytes, c->size);
    mgi_free(c);
}

static void run_releases(struct arena *a, const struct arena_release *until)
{
    while (a->releases != until) {
        struct arena_release *r = a->releases;
        a->releases = r->next;
        r->release(r->thing);
    }
}

void mgi_arena_init(struct arena *a, size_t limit_bytes)
{
    *a = (struct arena){ .limit = limit_bytes, .chunk_size = FIRST_CHUNK };
}

void mgi_arena_fini(struct arena *a)
{
    run_releases(a, NULL);
    while (a->chunks)
        drop_chunk(a);
    mgi_arena_init(a, a->limit);
}

void mgi_arena_reset(struct arena *a)
{
    mgi_arena_rewind(a, (struct arena_mark){ 0 });
    a->oom = false;
    a->chunk_size = a->chunks ? FIRST_CHUNK * 2 : FIRST_CHUNK;
}

void *mgi_arena_alloc(struct arena *a, size_t size)
{
    size_t block = block_size(size);
    if (block == 0 || !within_limit(a, block))
        return exhausted(a);
    struct arena_chunk *c = a->chunks;
    if (!c || c->size - c->used < block) {
        if (!add_chunk(a, block))
            return exhausted(a);
        c = a->chunks;
    }
    char *p = c->bytes + c->used;
    c->used += block;
    count_used(a, block);
    UNPOISON(p, size);
    return p;
}

void *mgi_arena_calloc(struct arena *a, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return exhausted(a);
    void *p = mgi_arena_alloc(a, count * size);
    if (p)
        memset(p, 0, count * size);
    return p;
}

struct str mgi_arena_str(struct arena *a, struct str s)
{
    char *p = s.len < SIZE_MAX ? mgi_arena_alloc(a, s.len + 1) : exhausted(a);
    if (!p)
        return (struct str){ NULL, 0 };
    if (s.len)
        memcpy(p, s.ptr, s.len);
    p[s.len] = '\0';
    return (struct str){ p, s.len };
}

char *mgi_arena_strdup(struct arena *a, const char *s)
{
    size_t len = strlen(s);
    char *p = mgi_arena_alloc(a, len + 1);
    if (p)
        memcpy(p, s, len + 1);
    return p;
}

char *mgi_arena_printf(struct arena *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(len >= 0 && "a format that cannot be printed");
    if (len < 0)
        return exhausted(a);

    char *p = mgi_arena_alloc(a, (size_t)len + 1);
    if (!p)
        return NULL;
    va_start(args, format);
    (void)vsnprintf(p, (size_t)len + 1, format, args);
    va_end(args);
    return p;
}

/* The last block handed out can be extended where it lies. */
static bool grow_in_place(struct arena *a, const char *block, size_t old_size, size_t new_size)
{
    struct arena_chunk *c = a->chunks;
    size_t old_block = block_size(old_size);
    size_t new_block = block_size(new_size);
    if (!block || !c || old_block == 0 || new_block == 0 || old_block > c->used ||
        block != c->bytes + c->used - old_block)
        return false;
    size_t more = new_block - old_block;
    if (c->size - c->used < more || !within_limit(a, more))
        return false;
    c->used += more;
    count_used(a, more);
    UNPOISON(c->bytes + (block - c->bytes), new_size);
    return true;
}

bool mgi_arena_grow(struct arena *a, void *items, size_t *cap, size_t need, size_t elem)
{
    if (need <= *cap)
        return true;
    size_t more = *cap > SIZE_MAX - *cap / 2 ? SIZE_MAX : *cap + *cap / 2;
    if (more < 8)
        more = 8;
    if (more < need)
        more = need;
    if (elem && more > SIZE_MAX / elem) {
        a->oom = true;
        return false;
    }

    void *old; /* copied bytewise, as in mgi_grow() */
    memcpy(&old, items, sizeof old);
    if (*cap == 0 || !grow_in_place(a, old, *cap * elem, more * elem)) {
        void *grown = mgi_arena_alloc(a, more * elem);
        if (!grown)
            return false;
        if (*cap)
            memcpy(grown, old, *cap * elem);
        memcpy(items, &grown, sizeof grown);
    }
    *cap = more;
    return true;
}

bool mgi_arena_defer(struct arena *a, void (*release)(void *thing), void *thing)
{
    struct arena_release *r = mgi_arena_alloc(a, sizeof *r);
    if (!r) {
        release(thing);
        return false;
    }
    *r = (struct arena_release){ .next = a->releases, .release = release, .thing = thing };
    a->releases = r;
    return true;
}

struct arena_mark mgi_arena_mark(const struct arena *a)
{
    return (struct arena_mark){
        .chunk = a->chunks,
        .chunk_used = a->chunks ? a->chunks->used : 0,
        .used = a->used,
        .releases = a->releases,
    };
}

void mgi_arena_rewind(struct arena *a, struct arena_mark mark)
{
    run_releases(a, mark.releases);
    /* A mark set before the first chunk existed keeps that chunk, as reset does. */
    while (a->chunks && a->chunks != mark.chunk && a->chunks->next)
        drop_chunk(a);
    if (a->chunks) {
        struct arena_chunk *c = a->chunks;
        c->used = mark.chunk_used;
        POISON(c->bytes + c->used, c->size - c->used);
    }
    a->used = mark.used;
}
