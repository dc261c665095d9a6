/* The note as bytes: numbers of four bytes, texts behind their length, with a NUL of their own. */
#include "cli/mangle_note.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/sealed.h"

#define MAGIC "\x89MGSEAL\n" /* of sealed files */

/* How a regular file begins: bytes in `start`, the length of all in *len. Nothing of any other:
 * what is read from a pipe is gone. */
static struct str start_of(const char *path, char start[SEALED_HEAD_BYTES], uint64_t *len)
{
    struct stat st;
    struct str got = { start, 0 };
    *len = 0;
    if (strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return got;
    FILE *f = fopen(path, "rb");
    if (!f)
        return got;
    got.len = fread(start, 1, SEALED_HEAD_BYTES, f);
    *len = fstat(fileno(f), &st) == 0 ? (uint64_t)st.st_size : 0;
    (void)fclose(f);
    return got;
}

bool mgi_is_compiled(const char *path)
{
    char bytes[SEALED_HEAD_BYTES];
    uint64_t len;
    return mgi_str_starts(start_of(path, bytes, &len), STR_LIT(MAGIC));
}

const char *mgi_compiled_fault(const char *path)
{
    char bytes[SEALED_HEAD_BYTES];
    uint64_t len;
    struct str start = start_of(path, bytes, &len);
    return mgi_sealed_look(start, len);
}

/* ---- writing ----------------------------------------------------------------------------- */

static void put_count(struct buf *out, uint32_t n)
{
    mgi_buf_append(out, &n, sizeof n);
}

static void put_string(struct buf *out, struct str s)
{
    put_count(out, (uint32_t)s.len);
    mgi_buf_str(out, s);
    mgi_buf_append(out, "", 1);
}

void mgi_note_write(struct buf *out, const struct compile_note *note)
{
    put_count(out, note->allow_dangerous);
    put_count(out, note->check_bounds);
    put_count(out, note->standard_count);
    put_count(out, note->source_count);
    for (uint32_t i = 0; i < note->source_count; i++) {
        put_string(out, str_of(note->sources[i].name));
        put_string(out, (struct str){ note->sources[i].text, note->sources[i].len });
    }
    put_count(out, note->pred_count);
    for (uint32_t i = 0; i < note->pred_count; i++) {
        put_string(out, str_of(note->preds[i].name));
        put_count(out, note->preds[i].arity);
        put_count(out, note->preds[i].temporal);
    }
    put_count(out, note->fact_count);
    for (uint32_t i = 0; i < note->fact_count; i++) {
        put_string(out, note->facts[i].argument);
        mgi_buf_append(out, note->facts[i].digest, SHA256_BYTES);
    }
}

/* ---- reading ----------------------------------------------------------------------------- */

struct note_reader {
    struct str rest;
    bool bad;
};

static const char *take_bytes(struct note_reader *r, size_t len)
{
    const char *at = r->rest.ptr;
    if (r->bad || len > r->rest.len) {
        r->bad = true;
        return NULL;
    }
    r->rest.ptr += len;
    r->rest.len -= len;
    return at;
}

static uint32_t take_count(struct note_reader *r)
{
    uint32_t n = 0;
    const char *at = take_bytes(r, sizeof n);
    if (at)
        memcpy(&n, at, sizeof n);
    return n;
}

/* So many things, each of which takes at least four bytes. */
static uint32_t take_many(struct note_reader *r)
{
    uint32_t count = take_count(r);
    r->bad = r->bad || count > r->rest.len / sizeof count;
    return r->bad ? 0 : count;
}

/* With the NUL that is behind it, and, of a name, none in it. */
static struct str take_string(struct note_reader *r, bool name)
{
    uint32_t len = take_count(r);
    const char *at = take_bytes(r, (size_t)len + 1);
    if (!at || at[len] != '\0' || (name && strlen(at) != len)) {
        r->bad = true;
        return STR_LIT("");
    }
    return (struct str){ at, len };
}

bool mgi_note_read(struct str bytes, struct arena *arena, struct compile_note *out)
{
    struct note_reader r = { .rest = bytes };
    *out = (struct compile_note){ 0 };
    out->allow_dangerous = take_count(&r);
    out->check_bounds = take_count(&r);
    out->standard_count = take_count(&r);
    uint32_t count = take_many(&r);
    out->sources = mgi_arena_calloc(arena, (size_t)count + 1, sizeof *out->sources);
    for (; out->sources && out->source_count < count && !r.bad; out->source_count++) {
        struct str name = take_string(&r, true), text = take_string(&r, false);
        out->sources[out->source_count] = (struct mangle_source){ name.ptr, text.ptr, text.len };
    }
    count = take_many(&r);
    out->preds = mgi_arena_calloc(arena, (size_t)count + 1, sizeof *out->preds);
    for (; out->preds && out->pred_count < count && !r.bad; out->pred_count++) {
        struct mangle_host_pred *pred = &out->preds[out->pred_count];
        pred->name = take_string(&r, true).ptr;
        pred->arity = take_count(&r);
        pred->temporal = take_count(&r);
    }
    count = take_many(&r);
    out->facts = mgi_arena_calloc(arena, (size_t)count + 1, sizeof *out->facts);
    for (; out->facts && out->fact_count < count && !r.bad; out->fact_count++) {
        struct noted_facts *facts = &out->facts[out->fact_count];
        facts->argument = take_string(&r, true);
        const char *digest = take_bytes(&r, SHA256_BYTES);
        if (digest)
            memcpy(facts->digest, digest, SHA256_BYTES);
    }
    return !r.bad && !arena->oom && r.rest.len == 0 && out->standard_count <= out->source_count;
}
