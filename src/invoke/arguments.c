/* The arguments as they will be used: what was sent, defaults, and what rules filled in at
 * evaluation. Steps and effects rules read them, and who consents or rehearses is told them. */
#include "invoke/invoke_int.h"
#include "protocol/schema.h"

bool mgi_args_is_bound(const struct invocation *inv, struct str name)
{
    for (size_t i = 0; i < inv->macro.bound_count; i++)
        if (str_eq(inv->macro.bound[i].name, name))
            return true;
    return false;
}

bool mgi_args_settle(struct invocation *inv)
{
    const struct macro *m = &inv->macro;
    struct json sent;
    struct buf text = { 0 };
    struct json_writer w;
    if (!mgi_schema_defaults(inv->arena, &m->input_schema, inv->sent_args, &sent))
        return false;
    inv->args = sent;
    if (m->bound_count == 0)
        return true;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    for (uint32_t i = 0; i < sent.count; i++)
        if (!mgi_args_is_bound(inv, sent.members[i].name)) {
            mgi_jw_key_str(&w, sent.members[i].name);
            mgi_jw_value(&w, &sent.members[i].value);
        }
    for (size_t i = 0; i < m->bound_count; i++) {
        mgi_jw_key_str(&w, m->bound[i].name);
        mgi_jw_raw(&w, m->bound[i].value.text);
    }
    mgi_jw_end_object(&w);
    return mgi_json_take(inv->arena, &text, &inv->args);
}

void mgi_args_write(const struct invocation *inv, struct json_writer *w)
{
    mgi_jw_key(w, "args");
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; i < inv->args.count; i++) {
        if (mgi_args_is_bound(inv, inv->args.members[i].name))
            continue;
        mgi_jw_key_str(w, inv->args.members[i].name);
        mgi_jw_value(w, &inv->args.members[i].value);
    }
    mgi_jw_end_object(w);
}

void mgi_args_write_bound(const struct invocation *inv, struct json_writer *w, bool values)
{
    mgi_jw_key(w, "bound");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < inv->macro.bound_count; i++) {
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "name", inv->macro.bound[i].name);
        if (values) {
            mgi_jw_key(w, "value");
            mgi_jw_value(w, &inv->macro.bound[i].value);
        }
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}
