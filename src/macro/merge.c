/* Several evaluations make the same definition: of other facts, at other times. One that is newer
 * never takes the place of one that still stands, so nobody shortens what somebody else (or the
 * same caller, with another question) relies on. */
#include "base/buf.h"
#include "macro/macro_int.h"

/* Room for one more of its sort among `count`; the same evaluation again needs none. */
static bool has_room(const struct evidence *items, size_t count, const struct evidence *one)
{
    size_t sort = 0;
    for (size_t i = 0; i < count; i++) {
        if (str_eq(items[i].told, one->told) && items[i].not_before_ns == one->not_before_ns &&
            items[i].expires_ns == one->expires_ns)
            return false;
        sort += items[i].live == one->live;
    }
    return sort < (one->live ? EVIDENCE_LIVE_MAX : EVIDENCE_WHAT_IF_MAX);
}

/* `m` gets the evidence of both that still counts, the newest first. `items` has room for all. */
static void merge_evidence(const struct macro *old, struct macro *m, struct evidence *items)
{
    size_t count = 0;
    int64_t now_ns = m->evidence_count > 0 ? m->evidence[0].made_ns : INT64_MIN;
    for (size_t i = 0; i < m->evidence_count; i++)
        if (has_room(items, count, &m->evidence[i]))
            items[count++] = m->evidence[i];
    for (size_t i = 0; i < old->evidence_count; i++)
        if (old->evidence[i].expires_ns > now_ns && has_room(items, count, &old->evidence[i]))
            items[count++] = old->evidence[i];
    m->evidence = items;
    m->evidence_count = count;
}

static bool next_is_key(struct json_reader *r, const char *name)
{
    return mgi_json_reader_next(r) == JSON_EV_KEY && r->token.len == strlen(name) + 2 &&
           memcmp(r->token.ptr + 1, name, r->token.len - 2) == 0;
}

static bool next_is_int(struct json_reader *r, const char *name, int64_t *out)
{
    double number;
    return next_is_key(r, name) && mgi_json_reader_next(r) == JSON_EV_NUMBER &&
           mgi_json_reader_number(r, out, &number) == JSON_INT;
}

/* The elements of an array that has begun; *count of them, EVIDENCE_MAX at most. Texts are
 * borrowed. */
static bool next_is_evidence(struct json_reader *r, struct evidence *items, size_t *count)
{
    enum json_event event;
    for (*count = 0; (event = mgi_json_reader_next(r)) == JSON_EV_OBJECT_BEGIN; ++*count) {
        struct evidence *e = &items[*count];
        const char *begin = r->text.ptr + r->at - 1;
        if (*count == EVIDENCE_MAX || !next_is_key(r, "told") ||
            mgi_json_reader_next(r) != JSON_EV_STRING || r->escaped)
            return false;
        e->told = (struct str){ r->token.ptr + 1, r->token.len - 2 };
        if (!next_is_int(r, "made", &e->made_ns) ||
            !next_is_int(r, "not_before", &e->not_before_ns) ||
            !next_is_int(r, "expires", &e->expires_ns) || !next_is_key(r, "live") ||
            mgi_json_reader_next(r) != JSON_EV_BOOL)
            return false;
        e->live = r->token.ptr[0] == 't';
        if (mgi_json_reader_next(r) != JSON_EV_OBJECT_END)
            return false;
        e->text = (struct str){ begin, (size_t)(r->text.ptr + r->at - begin) };
    }
    return event == JSON_EV_ARRAY_END;
}

/* What mgi_macro_begin() wrote, into evidence (`items`) and window of `out`; *rest is what follows.
 * False: it begins otherwise. */
static bool split(struct str text, struct macro *out, struct evidence *items, struct str *rest)
{
    struct json_reader r;
    mgi_json_reader_init(&r, text, 0);
    if (mgi_json_reader_next(&r) != JSON_EV_OBJECT_BEGIN || !next_is_key(&r, "evidence") ||
        mgi_json_reader_next(&r) != JSON_EV_ARRAY_BEGIN ||
        !next_is_evidence(&r, items, &out->evidence_count) ||
        !next_is_int(&r, "not_before", &out->not_before_ns) ||
        !next_is_int(&r, "expires", &out->expires_ns))
        return false;
    out->evidence = items;
    *rest = (struct str){ text.ptr + r.at, text.len - r.at };
    return true;
}

/* Of the same tool, made of the same: only how it begins is looked into. False: that is not known.
 */
static bool merge_begins(struct str older, struct str newer, struct buf *out)
{
    struct macro old = { 0 }, m = { 0 };
    struct evidence of_old[EVIDENCE_MAX], of_m[EVIDENCE_MAX], items[EVIDENCE_MAX];
    struct str old_rest, rest;
    struct json_writer w;
    if (!split(newer, &m, of_m, &rest) || older.len < rest.len ||
        memcmp(older.ptr + older.len - rest.len, rest.ptr, rest.len) != 0 ||
        !split(older, &old, of_old, &old_rest) || old_rest.len != rest.len)
        return false;
    merge_evidence(&old, &m, items);
    mgi_buf_reserve(out, older.len + newer.len);
    mgi_json_writer_init(&w, out, 0);
    mgi_macro_begin(&w, &m);
    mgi_buf_str(out, rest);
    return true;
}

/* Whatever they look like. *differ: they are not of the same, and nothing was written. */
static bool merge_whole(struct arena *arena, struct str older, struct str newer, struct buf *out,
                        bool *differ)
{
    struct macro old, m;
    struct evidence items[EVIDENCE_MAX];
    *differ = !mgi_macro_read(arena, older, &old) || !mgi_macro_read(arena, newer, &m) ||
              !str_eq(old.digest, m.digest);
    if (*differ)
        return !arena->oom;
    merge_evidence(&old, &m, items);
    mgi_macro_write(out, &m);
    return true;
}

bool mgi_macro_merge(struct arena *arena, struct str older, struct str *definition)
{
    struct buf text = { 0 };
    bool differ = false;
    if (!merge_begins(older, *definition, &text) &&
        !merge_whole(arena, older, *definition, &text, &differ))
        return false;
    if (differ)
        return true;
    struct str kept = text.oom ? (struct str){ 0 } : mgi_arena_str(arena, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    if (kept.ptr)
        *definition = kept;
    return kept.ptr != NULL;
}
