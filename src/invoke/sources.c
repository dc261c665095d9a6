/* Where inputs, conditions and results come from (T-MCP-3, T-MCP-4): the template's references
 * against the invocation. Text that a tool returned is data and is never looked at for references.
 * The template's nesting is bounded by the YAML reader, so recursion here is, too. */
#include "invoke/invoke_int.h"

static const struct json *find_bound(const struct invocation *inv, struct str name)
{
    for (size_t i = 0; i < inv->macro.bound_count; i++)
        if (str_eq(inv->macro.bound[i].name, name))
            return &inv->macro.bound[i].value;
    return NULL;
}

static const struct json *find_setting(const struct invocation *inv, struct str key)
{
    const struct domain_settings *s = &inv->snapshot->settings;
    for (size_t i = 0; i < s->setting_count; i++)
        if (str_eq(s->settings[i].key, key))
            return &s->settings[i].value;
    return NULL;
}

static const struct json *find_argument(const struct invocation *inv, struct str name)
{
    return name.len == 0 ? &inv->args : mgi_json_get_str(&inv->args, name);
}

static const struct json *find_output(const struct source_view *view,
                                      const struct value_source *src)
{
    const struct invocation *inv = view->inv;
    const struct step *wanted = &inv->tool->steps[src->step];
    if (view->own && view->own->step == wanted)
        return view->own_output;
    for (size_t i = 0; i < inv->run_count; i++)
        if (inv->runs[i].step == wanted)
            return inv->runs[i].has_output ? &inv->runs[i].output : NULL;
    return NULL; /* not in the chain as composed */
}

const struct json *mgi_source_find(const struct source_view *view, const struct value_source *src)
{
    const struct invocation *inv = view->inv;
    const struct json *root = NULL;
    switch (src->kind) {
    case SOURCE_CONST:
        return &src->constant;
    case SOURCE_ARG:
        root = find_argument(inv, src->name);
        break;
    case SOURCE_BOUND:
        root = find_bound(inv, src->name);
        break;
    case SOURCE_SETTING:
        root = find_setting(inv, src->name);
        break;
    case SOURCE_STEP:
        root = find_output(view, src);
        break;
    case SOURCE_ITEM:
        root = view->item;
        break;
    case SOURCE_INDEX:
        root = view->index;
        break;
    case SOURCE_OBJECT:
    case SOURCE_ARRAY:
        return NULL;
    }
    if (root && src->pointer.len > 0)
        root = mgi_json_pointer_get(root, src->pointer);
    return root ? root : src->fallback;
}

static const char *describe(const struct source_view *view, const struct value_source *src)
{
    const struct invocation *inv = view->inv;
    const char *text = NULL;
    switch (src->kind) {
    case SOURCE_ARG:
        text = mgi_arena_printf(view->arena, "argument \"%.*s%.*s\"", STR_ARG(src->name),
                                STR_ARG(src->pointer));
        break;
    case SOURCE_STEP:
        text = mgi_arena_printf(view->arena, "output \"%.*s\" of step \"%.*s\"",
                                STR_ARG(src->pointer), STR_ARG(inv->tool->steps[src->step].id));
        break;
    case SOURCE_SETTING:
        text = mgi_arena_printf(view->arena, "setting \"%.*s\"", STR_ARG(src->name));
        break;
    case SOURCE_BOUND:
        text = mgi_arena_printf(view->arena, "bound parameter \"%.*s\"", STR_ARG(src->name));
        break;
    case SOURCE_ITEM:
        text = mgi_arena_printf(view->arena, "item%s%.*s", src->pointer.len ? " at " : "",
                                STR_ARG(src->pointer));
        break;
    case SOURCE_INDEX:
    case SOURCE_CONST:
    case SOURCE_OBJECT:
    case SOURCE_ARRAY:
        break;
    }
    return text ? text : "value";
}

/* A member is written only once it is known to be there. */
static enum source_found write_member(const struct source_view *view, struct json_writer *w,
                                      const struct source_member *m, const char **what)
{
    bool leaf = m->source.kind != SOURCE_OBJECT && m->source.kind != SOURCE_ARRAY;
    if (leaf && !mgi_source_find(view, &m->source)) {
        if (m->source.optional)
            return SOURCE_ABSENT;
        *what = describe(view, &m->source);
        return SOURCE_MISSING;
    }
    if (m->name.ptr)
        mgi_jw_key_str(w, m->name);
    return mgi_source_write(view, w, &m->source, what);
}

static enum source_found write_members(const struct source_view *view, struct json_writer *w,
                                       const struct value_source *src, const char **what)
{
    bool object = src->kind == SOURCE_OBJECT;
    enum source_found found = SOURCE_WRITTEN;
    if (object)
        mgi_jw_begin_object(w);
    else
        mgi_jw_begin_array(w);
    for (size_t i = 0; i < src->member_count && found != SOURCE_MISSING; i++) {
        struct source_member member = src->members[i];
        if (!object)
            member.name = (struct str){ NULL, 0 };
        found = write_member(view, w, &member, what);
    }
    if (found == SOURCE_MISSING)
        return found; /* the caller drops what was written */
    if (object)
        mgi_jw_end_object(w);
    else
        mgi_jw_end_array(w);
    return SOURCE_WRITTEN;
}

enum source_found mgi_source_write(const struct source_view *view, struct json_writer *w,
                                   const struct value_source *src, const char **what)
{
    if (src->kind == SOURCE_OBJECT || src->kind == SOURCE_ARRAY)
        return write_members(view, w, src, what);
    const struct json *v = mgi_source_find(view, src);
    if (v) {
        mgi_jw_value(w, v);
        return SOURCE_WRITTEN;
    }
    if (src->optional)
        return SOURCE_ABSENT;
    *what = describe(view, src);
    return SOURCE_MISSING;
}

bool mgi_source_truth(const struct source_view *view, const struct value_source *src)
{
    if (src->kind == SOURCE_OBJECT || src->kind == SOURCE_ARRAY)
        return src->member_count > 0;
    const struct json *v = mgi_source_find(view, src);
    if (!v)
        return false;
    switch (v->type) {
    case JSON_NULL:
        return false;
    case JSON_BOOL:
        return v->boolean;
    case JSON_INT:
        return v->integer != 0;
    case JSON_FLOAT:
        return v->number < 0 || v->number > 0;
    case JSON_STRING:
        return v->string.len > 0;
    case JSON_HUGE:
    case JSON_ARRAY:
    case JSON_OBJECT:
        return true;
    }
    return false;
}

size_t mgi_source_bytes(const struct source_view *view, const struct value_source *src,
                        size_t enough)
{
    if (src->kind != SOURCE_OBJECT && src->kind != SOURCE_ARRAY) {
        const struct json *v = mgi_source_find(view, src);
        size_t bytes = v ? v->text.len : 0;
        bool joined = v && v->type == JSON_ARRAY && bytes == 0;
        for (uint32_t i = 0; joined && bytes <= enough && i < v->count; i++)
            bytes += v->items[i].text.len; /* of a foreach: it was never one text */
        return bytes;
    }
    size_t bytes = 2;
    for (size_t i = 0; i < src->member_count && bytes <= enough; i++)
        bytes +=
            src->members[i].name.len + 4 + mgi_source_bytes(view, &src->members[i].source, enough);
    return bytes;
}
