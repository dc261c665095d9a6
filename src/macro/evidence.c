/* Why a tool may run, as JSON: the newest evaluations that offered it. */
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

static bool read_one(const struct json *v, struct evidence *out)
{
    const struct json *told = mgi_macro_member(v, "told", JSON_STRING);
    const struct json *made = mgi_macro_member(v, "made", JSON_INT);
    const struct json *from = mgi_macro_member(v, "not_before", JSON_INT);
    const struct json *until = mgi_macro_member(v, "expires", JSON_INT);
    const struct json *live = mgi_macro_member(v, "live", JSON_BOOL);
    if (!told || !made || !from || !until || !live)
        return false;
    *out = (struct evidence){ told->string, made->integer, from->integer, until->integer,
                              live->boolean };
    return true;
}

bool mgi_evidence_read(struct arena *arena, const struct json *root, struct macro *out)
{
    const struct json *v = mgi_macro_member(root, "evidence", JSON_ARRAY);
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
