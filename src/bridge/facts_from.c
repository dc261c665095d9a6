/* Facts in the words of a model: the shortest form that says all, and the protocol's own. */
#include "base/near.h"
#include "base/time.h"
#include "bridge/surface.h"

#define MAX_NAMED 120                  /* bytes of a name in a message */
#define UPGRADE   "disclosure_upgrade" /* of the protocol: every server takes it */

struct making {
    struct json_writer w;
    const struct json *predicates; /* that the manifest declares, or NULL */
    const struct json *intents;    /* of the manifest, or NULL */
    int64_t now_ns;
    struct buf *faults;
};

/* What the manifest declares of it, or NULL. */
static const struct json *find_declared(const struct making *m, struct str pred)
{
    for (uint32_t i = 0; m->predicates && i < m->predicates->count; i++) {
        const struct json *name = mgi_json_get(&m->predicates->items[i], "predicate");
        if (name && name->type == JSON_STRING && str_eq(name->string, pred))
            return &m->predicates->items[i];
    }
    return NULL;
}

static bool lists(const struct json *names, struct str pred)
{
    for (uint32_t i = 0; names && names->type == JSON_ARRAY && i < names->count; i++)
        if (names->items[i].type == JSON_STRING && str_eq(names->items[i].string, pred))
            return true;
    return false;
}

/* What an intent lists may be said, whether it is declared or not (D-16). */
static bool is_listed_by_intent(const struct making *m, struct str pred)
{
    for (uint32_t i = 0; m->intents && i < m->intents->count; i++)
        if (lists(mgi_json_get(&m->intents->items[i], "required_facts"), pred) ||
            lists(mgi_json_get(&m->intents->items[i], "optional_facts"), pred))
            return true;
    return false;
}

/* A fact that no rule can look at would be left out on its way, and nobody would say so. */
static void say_undeclared(const struct making *m, struct str pred)
{
    struct near near = mgi_near(pred);
    for (uint32_t i = 0; i < m->predicates->count; i++) {
        const struct json *name = mgi_json_get(&m->predicates->items[i], "predicate");
        if (name && name->type == JSON_STRING)
            (void)mgi_near_try(&near, name->string);
    }
    mgi_buf_printf(m->faults, "facts: nothing here takes \"%.*s\"",
                   (int)(pred.len < MAX_NAMED ? pred.len : MAX_NAMED), pred.ptr);
    if (near.best.len > 0)
        mgi_buf_printf(m->faults, "; did you mean \"%.*s\"?", STR_ARG(near.best));
    else
        mgi_buf_puts(m->faults, ": intent without arguments lists what can be said");
    mgi_buf_putc(m->faults, '\n');
}

/* False: that was told. Without a list in the manifest anything may be said. */
static bool may_be_said(const struct making *m, struct str pred)
{
    if (!m->predicates || find_declared(m, pred) || is_listed_by_intent(m, pred) ||
        str_is(pred, UPGRADE))
        return true;
    say_undeclared(m, pred);
    return false;
}

static bool is_temporal(const struct making *m, struct str pred)
{
    const struct json *declared = find_declared(m, pred);
    const struct json *temporal = declared ? mgi_json_get(declared, "temporal") : NULL;
    return temporal && temporal->type == JSON_BOOL && temporal->boolean;
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
        if (!may_be_said(m, pred))
            continue;
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
        else if (!may_be_said(m, pred->string))
            continue;
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
    const struct json *intents = mgi_json_get(manifest, "intents");
    size_t before = faults->len;
    if (list && list->type == JSON_ARRAY)
        m.predicates = list;
    if (intents && intents->type == JSON_ARRAY)
        m.intents = intents;
    mgi_json_writer_init(&m.w, out, 0);
    mgi_jw_begin_array(&m.w);
    if (facts->type == JSON_OBJECT)
        from_map(&m, facts);
    else
        from_list(&m, facts);
    mgi_jw_end_array(&m.w);
    return faults->len == before && !out->oom && !faults->oom;
}

void mgi_say_unknown_intent(struct str name, const struct json *manifest, struct buf *faults)
{
    const struct json *intents = mgi_json_get(manifest, "intents");
    struct near near = mgi_near(name);
    if (!intents || intents->type != JSON_ARRAY)
        return;
    for (uint32_t i = 0; i < intents->count; i++) {
        const struct json *known = mgi_json_get(&intents->items[i], "name");
        if (known && known->type == JSON_STRING && str_eq(known->string, name))
            return;
        if (known && known->type == JSON_STRING)
            (void)mgi_near_try(&near, known->string);
    }
    mgi_buf_printf(faults, "there is no intent \"%.*s\"",
                   (int)(name.len < MAX_NAMED ? name.len : MAX_NAMED), name.ptr);
    if (near.best.len > 0)
        mgi_buf_printf(faults, "; did you mean \"%.*s\"?", STR_ARG(near.best));
    mgi_buf_putc(faults, '\n');
}
