/* A bump allocator with one lifetime: everything in it dies together.
 *
 * An arena is named after the life it gives (process, connection, request, step). It also closes
 * what is not memory: mgi_arena_defer() registers a release function, run in reverse order by reset
 * and fini. Running out of memory returns NULL and is remembered in `oom`, so a long sequence of
 * small allocations may be checked once at its end.
 *
 * Invariants: 1. chunks form a list, newest first; `used` is the sum of what was handed out.
 * 2. reset keeps the first chunk, so a request of the usual size costs no malloc.
 * 3. under AddressSanitizer free space is poisoned and blocks are red-zoned.
 *
 * Not thread-safe: an arena belongs to one thread at a time. */
#ifndef MGI_BASE_ARENA_H
#define MGI_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct arena_chunk;
struct arena_release;

struct arena {
    struct arena_chunk *chunks;     /* newest first */
    struct arena_release *releases; /* newest first */
    size_t used;                    /* bytes handed out since init or reset */
    size_t high_water;              /* the largest `used` ever */
    size_t limit;                   /* bytes `used` may reach; 0 means no limit */
    size_t chunk_size;              /* of the next chunk */
    bool oom;                       /* an allocation failed since init or reset */
};

struct arena_mark {
    struct arena_chunk *chunk;
    size_t chunk_used;
    size_t used;
    struct arena_release *releases;
};

/* Nothing is allocated yet. limit_bytes 0 means no limit. */
void mgi_arena_init(struct arena *a, size_t limit_bytes);

/* Runs the releases and gives everything back. The arena may be initialised again. */
void mgi_arena_fini(struct arena *a);

/* Runs the releases; keeps the first chunk; `high_water` stays. */
void mgi_arena_reset(struct arena *a);

/* Memory aligned for any type, uninitialised; NULL when memory or the limit is exhausted. */
void *mgi_arena_alloc(struct arena *a, size_t size);
void *mgi_arena_calloc(struct arena *a, size_t count, size_t size); /* zeroed */

/* Copies; a NUL follows the copy, which `len` does not count. ptr NULL on failure. */
struct str mgi_arena_str(struct arena *a, struct str s);
char *mgi_arena_strdup(struct arena *a, const char *s);
char *mgi_arena_printf(struct arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* As mgi_grow(), in an arena: the old block stays behind, unless it was the last one handed out. */
bool mgi_arena_grow(struct arena *a, void *items, size_t *cap, size_t need, size_t elem);

/* Call release(thing) when the arena is reset or finished. False when memory is short; the thing is
 * then released at once, so the caller need not. */
bool mgi_arena_defer(struct arena *a, void (*release)(void *thing), void *thing);

/* Scratch use: everything allocated (and deferred) after the mark is undone by the rewind. */
struct arena_mark mgi_arena_mark(const struct arena *a);
void mgi_arena_rewind(struct arena *a, struct arena_mark mark);

#endif
