/* Why a tool may run and when, as JSON: the newest evaluations that offered it. */
#include "macro/macro_int.h"

static void write_one(struct json_writer *w, const struct evidence *one)
{
    if (one->text.ptr) {
        mgi_jw_raw(w, one->text);
        return;
    }
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "told", one->told);
    mgi_jw_member_int(w, "made", one->made_ns);
    mgi_jw_member_int(w, "not_before", one->not_before_ns);
    mgi_jw_member_int(w, "expires", one->expires_ns);
    mgi_jw_member_bool(w, "live", one->live);
    mgi_jw_end_object(w);
}

void mgi_macro_begin(struct json_writer *w, const struct macro *m)
{
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "evidence");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < m->evidence_count; i++)
        write_one(w, &m->evidence[i]);
    mgi_jw_end_array(w);
    mgi_jw_member_int(w, "not_before", m->not_before_ns);
    mgi_jw_member_int(w, "expires", m->expires_ns);
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
    *out = (struct evidence){ told->string,   made->integer, from->integer,
                              until->integer, live->boolean, v->text };
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
