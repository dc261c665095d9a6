/* Several evaluations make the same definition: of other facts, at other times. One that is newer
 * never takes the place of one that still stands, so nobody shortens what somebody else (or the
 * same caller, with another question) relies on. */
#include "base/buf.h"
#include "macro/macro.h"

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
    if (!str_eq(old.digest, m.digest))
        return true;
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
