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

/* ---- the beginning of a definition, as mgi_macro_begin() writes it --------------------------- */

struct cursor {
    const char *p, *end;
};

static bool take(struct cursor *c, struct str what)
{
    if ((size_t)(c->end - c->p) < what.len || memcmp(c->p, what.ptr, what.len) != 0)
        return false;
    c->p += what.len;
    return true;
}

/* Up to the quote. What is told has a name of letters, digits and a colon; a byte that JSON would
 * not take as it is makes all that follows suspect. */
static bool take_text(struct cursor *c, struct str *out)
{
    const char *p = c->p;
    while (p < c->end && *p >= ' ' && *p <= '~' && *p != '"' && *p != '\\')
        p++;
    if (p == c->end || *p != '"')
        return false;
    *out = (struct str){ c->p, (size_t)(p - c->p) };
    c->p = p + 1;
    return true;
}

static bool take_int(struct cursor *c, int64_t *out)
{
    uint64_t n = 0;
    bool negative = c->p < c->end && *c->p == '-';
    const char *digits = c->p + negative, *p = digits;
    for (; p < c->end && *p >= '0' && *p <= '9' && p - digits < 19; p++)
        n = n * 10 + (uint64_t)(*p - '0');
    if (p == digits || (*digits == '0' && p - digits > 1) || n > (uint64_t)INT64_MAX + negative)
        return false;
    *out = negative ? (int64_t)(0 - n) : (int64_t)n;
    c->p = p;
    return true;
}

static bool take_bool(struct cursor *c, bool *out)
{
    *out = take(c, STR_LIT("true"));
    return *out || take(c, STR_LIT("false"));
}

static bool take_evidence(struct cursor *c, struct evidence *out)
{
    const char *begin = c->p;
    if (!take(c, STR_LIT("{\"told\":\"")) || !take_text(c, &out->told) ||
        !take(c, STR_LIT(",\"made\":")) || !take_int(c, &out->made_ns) ||
        !take(c, STR_LIT(",\"not_before\":")) || !take_int(c, &out->not_before_ns) ||
        !take(c, STR_LIT(",\"expires\":")) || !take_int(c, &out->expires_ns) ||
        !take(c, STR_LIT(",\"live\":")) || !take_bool(c, &out->live) || !take(c, STR_LIT("}")))
        return false;
    out->text = (struct str){ begin, (size_t)(c->p - begin) };
    return true;
}

/* Into evidence (`items`, EVIDENCE_MAX of them) and window of `out`, whose texts are borrowed;
 * *rest is what follows. False: it begins otherwise. */
static bool split(struct str text, struct macro *out, struct evidence *items, struct str *rest)
{
    struct cursor c = { text.ptr, text.ptr + text.len };
    if (!take(&c, STR_LIT("{\"evidence\":[")))
        return false;
    while (out->evidence_count < EVIDENCE_MAX && take_evidence(&c, &items[out->evidence_count]))
        if (++out->evidence_count < EVIDENCE_MAX && !take(&c, STR_LIT(",")))
            break;
    if (!take(&c, STR_LIT("],\"not_before\":")) || !take_int(&c, &out->not_before_ns) ||
        !take(&c, STR_LIT(",\"expires\":")) || !take_int(&c, &out->expires_ns))
        return false;
    out->evidence = items;
    *rest = (struct str){ c.p, (size_t)(c.end - c.p) };
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

/* ---- merging --------------------------------------------------------------------------------- */

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
