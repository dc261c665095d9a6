/* Why a tool may run: the newest evaluations that offered it, each once.
 *
 * Several evaluations make the same definition: of other facts, at other times. One that is newer
 * never takes the place of one that still stands, so nobody shortens what somebody else (or the
 * same caller, with another question) relies on. */
#include "base/buf.h"
#include "macro/macro_int.h"

void mgi_evidence_write(struct json_writer *w, const struct evidence *items, size_t count)
{
    mgi_jw_key(w, "evidence");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < count; i++) {
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "told", items[i].told);
        mgi_jw_member_int(w, "made", items[i].made_ns);
        mgi_jw_member_int(w, "not_before", items[i].not_before_ns);
        mgi_jw_member_int(w, "expires", items[i].expires_ns);
        mgi_jw_member_bool(w, "live", items[i].live);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

static const struct json *member(const struct json *v, const char *name, enum json_type type)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type == type ? m : NULL;
}

static bool read_one(const struct json *v, struct evidence *out)
{
    const struct json *told = member(v, "told", JSON_STRING);
    const struct json *made = member(v, "made", JSON_INT);
    const struct json *from = member(v, "not_before", JSON_INT);
    const struct json *until = member(v, "expires", JSON_INT);
    const struct json *live = member(v, "live", JSON_BOOL);
    if (!told || !made || !from || !until || !live)
        return false;
    *out = (struct evidence){ told->string, made->integer, from->integer, until->integer,
                              live->boolean };
    return true;
}

bool mgi_evidence_read(struct arena *arena, const struct json *root, struct macro *out)
{
    const struct json *v = member(root, "evidence", JSON_ARRAY);
    if (!v || v->count > EVIDENCE_MAX)
        return false;
    struct evidence *items = mgi_arena_calloc(arena, (size_t)v->count + 1, sizeof *items);
    if (!items)
        return false;
    for (uint32_t i = 0; i < v->count; i++)
        if (!read_one(&v->items[i], &items[i]))
            return false;
    out->evidence = items;
    out->evidence_count = v->count;
    return true;
}

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

bool mgi_macro_merge(struct arena *arena, struct str older, struct str *definition)
{
    struct macro old, m;
    struct evidence items[EVIDENCE_MAX];
    size_t count = 0;
    struct buf text = { 0 };
    if (!mgi_macro_read(arena, older, &old) || !mgi_macro_read(arena, *definition, &m))
        return !arena->oom;
    int64_t now_ns = m.evidence_count > 0 ? m.evidence[0].made_ns : INT64_MIN;
    for (size_t i = 0; i < m.evidence_count; i++)
        if (has_room(items, count, &m.evidence[i]))
            items[count++] = m.evidence[i];
    for (size_t i = 0; i < old.evidence_count; i++)
        if (old.evidence[i].expires_ns > now_ns && has_room(items, count, &old.evidence[i]))
            items[count++] = old.evidence[i];
    m.evidence = items;
    m.evidence_count = count;
    mgi_macro_write(&text, &m);
    struct str kept = text.oom ? (struct str){ 0 } : mgi_arena_str(arena, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    if (kept.ptr)
        *definition = kept;
    return kept.ptr != NULL;
}
