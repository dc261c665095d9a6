/* What actions answer when rules ask them, in a scenario: `external` says it as tables, of which a
 * question gets the rows that fit.
 *
 *     external:
 *       stock: [[tea, 4, aisle 7], [tea, 0, cellar]]      # all arguments, in order
 *       tide: {fails: The sea is away}
 */
#include "scenario/scenario_int.h"

static const char *const failure_keys[] = { "fails", NULL };

/* ---- what is said --------------------------------------------------------------------------- */

static const struct domain_external *asked_of_action(struct run *r, const struct yaml_entry *entry)
{
    const struct domain_external *e = mgi_external(r->s, entry->key);
    if (e && e->aid.len > 0)
        return e;
    struct near near = mgi_near(entry->key);
    for (size_t i = 0; i < r->s->external_count; i++)
        if (r->s->externals[i].aid.len > 0)
            mgi_near_try(&near, r->s->externals[i].name);
    mgi_findings_add(r->yaml.findings, MANGLE_ERROR, "EXTERNAL", entry->value->origin, entry->line,
                     entry->column, mgi_scenario_hint(r, &near),
                     e ? "a table answers %.*s, and does so here" : "no action answers %.*s",
                     STR_ARG(entry->key));
    return NULL;
}

static void check_rows(struct run *r, const struct domain_external *e, const struct yaml_node *n)
{
    for (size_t i = 0; i < n->count; i++) {
        const struct yaml_node *row = n->entries[i].value;
        if (row->kind != YAML_LIST || row->count != e->arity)
            mgi_yaml_error(&r->yaml, row, "BAD_VALUE", NULL,
                           "a row of %.*s is a list of its %u arguments", STR_ARG(e->name),
                           e->arity);
    }
}

static void check_answer(struct run *r, const struct yaml_entry *entry)
{
    const struct domain_external *e = asked_of_action(r, entry);
    const struct yaml_node *n = entry->value, *fails = mgi_yaml_get(n, "fails");
    if (e && n->kind == YAML_LIST)
        check_rows(r, e, n);
    else if (n->kind == YAML_MAP)
        mgi_yaml_known_keys(&r->yaml, n, "an answer for an external predicate", failure_keys);
    if (n->kind != YAML_LIST && (!fails || fails->kind != YAML_SCALAR))
        mgi_yaml_error(&r->yaml, n, "BAD_VALUE", NULL,
                       "an external predicate is answered by a list of rows, or {fails: TEXT}");
}

const struct yaml_node *mgi_answered_check(struct run *r, const struct yaml_node *external)
{
    if (external && external->kind != YAML_MAP) {
        mgi_yaml_error(&r->yaml, external, "BAD_VALUE", NULL,
                       "external is a map from predicate to rows");
        return NULL;
    }
    for (size_t i = 0; external && i < external->count; i++)
        check_answer(r, &external->entries[i]);
    return external;
}

/* ---- answering ------------------------------------------------------------------------------ */

/* The scenario's own, else the file's, else NULL. */
static const struct yaml_node *find_answer(const struct run *r, const char *name)
{
    const struct yaml_node *own = r->own_external ? mgi_yaml_get(r->own_external, name) : NULL;
    return own || !r->file_external ? own : mgi_yaml_get(r->file_external, name);
}

static bool fits(const struct domain_external *e, const struct json *inputs, const struct json *row)
{
    for (uint32_t i = 0; i < e->arity; i++) {
        const struct json *input =
            e->columns[i].input ? mgi_json_get(inputs, e->columns[i].name.ptr) : NULL;
        if (e->columns[i].input && !(input && mgi_json_equal(input, &row->items[i], true)))
            return false;
    }
    return true;
}

static void write_row(struct json_writer *w, const struct domain_external *e,
                      const struct json *row)
{
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; i < e->arity; i++)
        if (!e->columns[i].input) {
            mgi_jw_key_str(w, e->columns[i].name);
            mgi_jw_value(w, &row->items[i]);
        }
    mgi_jw_end_object(w);
}

/* {"rows": [...]}, as the action would. False: memory. */
static bool answer_one(const struct domain_external *e, const struct json *rows, struct str inputs,
                       struct arena *arena, struct json *out)
{
    struct buf text = { 0 };
    struct json_writer w;
    struct json asked;
    if (mgi_json_parse(arena, inputs, NULL, &asked, NULL) != JSON_OK)
        return false;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "rows");
    mgi_jw_begin_array(&w);
    for (uint32_t i = 0; i < rows->count; i++)
        if (fits(e, &asked, &rows->items[i]))
            write_row(&w, e, &rows->items[i]);
    mgi_jw_end_array(&w);
    mgi_jw_end_object(&w);
    return mgi_json_take(arena, &text, out);
}

/* The player's. */
static bool answer(void *context, const struct domain_external *e,
                   const struct action_question *question, struct arena *arena,
                   struct json *outputs, const char **why)
{
    struct run *r = context;
    const struct yaml_node *n = find_answer(r, e->name.ptr);
    const struct yaml_node *fails = n ? mgi_yaml_get(n, "fails") : NULL;
    struct json rows;
    *why = "the scenario does not play it";
    if (!n && e->may_fail)
        return false; /* what domain.yaml says otherwise */
    if (!n) {
        mgi_scenario_fail(r, "%.*s was asked, and external does not say what it answers",
                          STR_ARG(e->name));
        return false;
    }
    if (fails) {
        *why = mgi_arena_str(arena, fails->text).ptr;
        return false;
    }
    *why = "out of memory";
    if (!mgi_yaml_to_json(arena, n, &rows))
        return false;
    for (size_t i = 0; i < question->count; i++)
        if (!answer_one(e, &rows, question->inputs[i], arena, &outputs[i]))
            return false;
    return true;
}

void mgi_answered_begin(struct run *r)
{
    r->external = (struct external_player){ answer, r };
    mgi_intent_worker_play(r->worker, &r->external);
}
