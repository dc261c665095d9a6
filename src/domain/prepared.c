/* What was worked out before: keys, and the file as the header says. */
#include "domain/prepared.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "domain/yaml_tree.h"
#include "sys/digest.h"

#define KIND "domain"
/* Count on when a parser, what plugins say, a check, or what is noted changes between versions. */
#define MAKER          "manglecp " MANGLE_VERSION ", form 1"
#define FILE_MAX_BYTES ((off_t)256 << 20)

struct prepared_notes {
    struct arena arena;
    struct sealed_entry *items;
    size_t count, cap;
    bool oom;
};

/* ---- keys ------------------------------------------------------------------------------------ */

/* `parts` with their lengths, so that none runs into the next. False: no digest. */
static bool prepared_key(const struct str *parts, size_t count, uint8_t key[SEALED_KEY_BYTES])
{
    struct sha256 *h = mgi_sha256_new();
    for (size_t i = 0; h && i < count; i++) {
        uint64_t len = parts[i].len;
        mgi_sha256_add(h, &len, sizeof len);
        mgi_sha256_add(h, parts[i].len ? parts[i].ptr : "", parts[i].len);
    }
    return h && mgi_sha256_end(h, key);
}

static bool tree_key(struct str text, uint32_t line_offset, uint8_t key[SEALED_KEY_BYTES])
{
    const struct str parts[] = { STR_LIT("tree"), { (const char *)&line_offset, 4 }, text };
    return prepared_key(parts, 3, key);
}

static bool digest_file(const char *path, uint8_t out[SHA256_BYTES])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct sha256 *h = fd >= 0 ? mgi_sha256_new() : NULL;
    char chunk[16384];
    ssize_t n = 1;
    while (h && n > 0) {
        n = read(fd, chunk, sizeof chunk);
        if (n > 0)
            mgi_sha256_add(h, chunk, (size_t)n);
    }
    if (fd >= 0)
        close(fd);
    return h && mgi_sha256_end(h, out) && n == 0;
}

/* The shared object by its content, the host by its place and age: that it answers as this version
 * of the program wants is what versions are for. What stands for programs, commands or servers
 * elsewhere says what they say, which no file tells. */
static bool list_key(const char *toolhost, const struct action_provider *p,
                     uint8_t key[SEALED_KEY_BYTES])
{
    uint8_t plugin[SHA256_BYTES];
    struct stat st;
    if (strcmp(p->kind, "plugins") != 0 || p->files || !toolhost || stat(toolhost, &st) != 0 ||
        !digest_file(p->plugin.ptr, plugin))
        return false;
    const int64_t age[] = { st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec };
    const struct str parts[] = {
        STR_LIT("list"), str_of(toolhost), { (const char *)age, sizeof age },
        p->name,         p->document,      { (const char *)plugin, sizeof plugin },
    };
    return prepared_key(parts, sizeof parts / sizeof *parts, key);
}

static bool linted_key(const struct snapshot *s, uint8_t key[SEALED_KEY_BYTES])
{
    const struct str parts[] = { STR_LIT("linted"), s->digest };
    return s->digest.len > 0 && prepared_key(parts, 2, key);
}

/* ---- looking up ------------------------------------------------------------------------------ */

static bool find(struct prepared *p, const uint8_t key[SEALED_KEY_BYTES], struct str *bytes)
{
    bool found = mgi_sealed_find(&p->from, key, bytes);
    p->asked++;
    p->missed += !found;
    return found;
}

struct yaml_node *mgi_prepared_tree(const struct yaml_context *c, const char *file, struct str text,
                                    uint32_t line_offset)
{
    uint8_t key[SEALED_KEY_BYTES];
    struct str bytes;
    if (c->prepared->from.count == 0 || !tree_key(text, line_offset, key) ||
        !find(c->prepared, key, &bytes))
        return NULL;
    return mgi_yaml_tree_read(c, file, bytes);
}

struct str mgi_prepared_list(struct prepared *p, const char *toolhost,
                             const struct action_provider *provider)
{
    uint8_t key[SEALED_KEY_BYTES];
    struct str said;
    bool found = p->from.count > 0 && list_key(toolhost, provider, key) && find(p, key, &said);
    return found ? said : (struct str){ NULL, 0 };
}

bool mgi_prepared_linted(struct prepared *p, const struct snapshot *s)
{
    uint8_t key[SEALED_KEY_BYTES];
    struct str nothing;
    return p->from.count > 0 && linted_key(s, key) && find(p, key, &nothing);
}

/* ---- noting ---------------------------------------------------------------------------------- */

struct prepared_notes *mgi_prepared_notes_new(void)
{
    struct prepared_notes *notes = mgi_calloc(1, sizeof *notes);
    if (notes)
        mgi_arena_init(&notes->arena, 0);
    return notes;
}

void mgi_prepared_notes_free(struct prepared_notes *notes)
{
    if (!notes)
        return;
    mgi_free(notes->items);
    mgi_arena_fini(&notes->arena);
    mgi_free(notes);
}

static void add_note(struct prepared_notes *notes, const uint8_t key[SEALED_KEY_BYTES],
                     struct str bytes)
{
    struct str kept = mgi_arena_str(&notes->arena, bytes);
    if (!kept.ptr ||
        !mgi_grow(&notes->items, &notes->cap, notes->count + 1, sizeof *notes->items)) {
        notes->oom = true;
        return;
    }
    struct sealed_entry *e = &notes->items[notes->count++];
    memcpy(e->key, key, sizeof e->key);
    e->bytes = kept;
}

void mgi_prepared_note_tree(struct prepared *p, struct str text, uint32_t line_offset,
                            const struct yaml_node *root)
{
    uint8_t key[SEALED_KEY_BYTES];
    struct buf bytes = { 0 };
    if (!p->notes)
        return;
    p->notes->oom |= !tree_key(text, line_offset, key);
    mgi_yaml_tree_write(&bytes, root);
    add_note(p->notes, key, mgi_buf_view(&bytes));
    p->notes->oom |= bytes.oom;
    mgi_buf_fini(&bytes);
}

void mgi_prepared_note_list(struct prepared *p, const char *toolhost,
                            const struct action_provider *provider, struct str said)
{
    uint8_t key[SEALED_KEY_BYTES];
    if (p->notes && said.ptr && list_key(toolhost, provider, key))
        add_note(p->notes, key, said);
}

void mgi_prepared_note_linted(struct prepared *p, const struct snapshot *s)
{
    uint8_t key[SEALED_KEY_BYTES];
    if (p->notes && linted_key(s, key))
        add_note(p->notes, key, STR_LIT(""));
}

bool mgi_prepared_write(struct prepared_notes *notes, struct buf *out)
{
    mgi_sealed_write(out, KIND, MAKER, notes->items, notes->count);
    return !notes->oom && !notes->arena.oom && !out->oom;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* May its bytes be believed to be what this user's program wrote? */
static const char *distrust(const struct stat *st)
{
    if (!S_ISREG(st->st_mode))
        return "it is not a regular file";
    if (st->st_uid != geteuid() && st->st_uid != 0)
        return "it belongs to another user";
    if (st->st_mode & (S_IWGRP | S_IWOTH))
        return "others than its owner may write it";
    return st->st_size > FILE_MAX_BYTES ? "it is larger than 256 MiB" : NULL;
}

static const char *read_whole(int fd, size_t size, struct arena *arena, struct str *out)
{
    char *text = mgi_arena_alloc(arena, size + 1);
    size_t len = 0;
    ssize_t n = 1;
    while (text && len < size && n > 0) {
        n = read(fd, text + len, size - len);
        len += n > 0 ? (size_t)n : 0;
    }
    *out = (struct str){ text, len };
    return !text ? "out of memory" : n < 0 ? strerror(errno) : NULL;
}

const char *mgi_prepared_open(const char *path, struct arena *arena, struct prepared *out)
{
    *out = (struct prepared){ 0 };
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return strerror(errno);
    struct stat st;
    struct str file;
    const char *why = fstat(fd, &st) == 0 ? distrust(&st) : strerror(errno);
    if (!why)
        why = read_whole(fd, (size_t)st.st_size, arena, &file);
    close(fd);
    return why ? why : mgi_sealed_open(file, KIND, MAKER, &out->from);
}
