/* Facts in the words of a model: the shortest form that says all, and the protocol's own. */
#include "base/time.h"
#include "bridge/surface.h"

#define MAX_NAMED 120 /* bytes of a name in a message */

struct making {
    struct json_writer w;
    const struct json *predicates; /* that the manifest declares, or NULL */
    int64_t now_ns;
    struct buf *faults;
};

static bool is_temporal(const struct making *m, struct str pred)
{
    for (uint32_t i = 0; m->predicates && i < m->predicates->count; i++) {
        const struct json *name = mgi_json_get(&m->predicates->items[i], "predicate");
        const struct json *temporal = mgi_json_get(&m->predicates->items[i], "temporal");
        if (name && name->type == JSON_STRING && str_eq(name->string, pred))
            return temporal && temporal->type == JSON_BOOL && temporal->boolean;
    }
    return false;
}

static void write_time(struct making *m)
{
    struct buf text = { 0 };
    mgi_time_print(&text, m->now_ns);
    mgi_jw_key(&m->w, "t");
    mgi_jw_begin_object(&m->w);
    mgi_jw_member_str(&m->w, "at", mgi_buf_view(&text));
    mgi_jw_end_object(&m->w);
    if (text.oom)
        m->w.out->oom = true;
    mgi_buf_fini(&text);
}

/* `args` is a list, or one value that stands for a list of one. */
static void write_fact(struct making *m, struct str pred, const struct json *args)
{
    mgi_jw_begin_object(&m->w);
    mgi_jw_member_str(&m->w, "pred", pred);
    mgi_jw_key(&m->w, "args");
    if (args->type != JSON_ARRAY)
        mgi_jw_begin_array(&m->w);
    mgi_jw_value(&m->w, args);
    if (args->type != JSON_ARRAY)
        mgi_jw_end_array(&m->w);
    if (is_temporal(m, pred))
        write_time(m);
    mgi_jw_end_object(&m->w);
}

/* A list of lists is a list of facts. */
static bool is_several(const struct json *v)
{
    if (v->type != JSON_ARRAY || v->count == 0)
        return false;
    for (uint32_t i = 0; i < v->count; i++)
        if (v->items[i].type != JSON_ARRAY)
            return false;
    return true;
}

static void from_map(struct making *m, const struct json *facts)
{
    size_t before = m->faults->len;
    for (uint32_t i = 0; i < facts->count && m->faults->len - before < ASK_FAULT_BYTES; i++) {
        const struct json *v = &facts->members[i].value;
        struct str pred = facts->members[i].name;
        if (v->type == JSON_OBJECT || v->type == JSON_NULL)
            mgi_buf_printf(m->faults, "facts: \"%.*s\" has to be [args] or [[args], ...]\n",
                           (int)(pred.len < MAX_NAMED ? pred.len : MAX_NAMED), pred.ptr);
        else if (is_several(v))
            for (uint32_t k = 0; k < v->count; k++)
                write_fact(m, pred, &v->items[k]);
        else
            write_fact(m, pred, v);
    }
}

static void from_list(struct making *m, const struct json *facts)
{
    size_t before = m->faults->len;
    for (uint32_t i = 0; i < facts->count && m->faults->len - before < ASK_FAULT_BYTES; i++) {
        const struct json *v = &facts->items[i], *pred = mgi_json_get(v, "pred");
        const struct json *args = mgi_json_get(v, "args");
        if (!pred || pred->type != JSON_STRING)
            mgi_buf_printf(m->faults, "facts: entry %u is no {\"pred\": name, \"args\": [...]}\n",
                           i + 1);
        else if (args && args->type == JSON_ARRAY && !mgi_json_get(v, "t") && v->count == 2)
            write_fact(m, pred->string, args);
        else
            mgi_jw_value(&m->w, v);
    }
}

bool mgi_facts_from(struct buf *out, const struct json *facts, const struct json *manifest,
                    int64_t now_ns, struct buf *faults)
{
    struct making m = { .now_ns = now_ns, .faults = faults };
    const struct json *list = mgi_json_get(mgi_json_get(manifest, "facts_profile"), "predicates");
    size_t before = faults->len;
    if (list && list->type == JSON_ARRAY)
        m.predicates = list;
    mgi_json_writer_init(&m.w, out, 0);
    mgi_jw_begin_array(&m.w);
    if (facts->type == JSON_OBJECT)
        from_map(&m, facts);
    else
        from_list(&m, facts);
    mgi_jw_end_array(&m.w);
    return faults->len == before && !out->oom && !faults->oom;
}
