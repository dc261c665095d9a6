/* The base: what the server knows before anybody asks. The catalogue (tools, steps, actions,
 * skills, settings, intents) and the tables of facts/ are added, and everything is derived that no
 * request can change. */
#include <stdlib.h>

#include "base/utf8.h"
#include "domain/domain_int.h"
#include "formats/facts.h"

/* ---- the catalogue ----------------------------------------------------------------------- */

struct catalogue {
    mangle_base *base;
    mangle_values *values;
    enum mangle_status status; /* the first failure */
    struct mangle_error error;
};

static mangle_value text(struct catalogue *c, struct str s)
{
    return mangle_string(c->values, s.ptr ? s.ptr : "", s.len);
}

static void tell(struct catalogue *c, mangle_pred pred, uint32_t count, const mangle_value *args)
{
    for (uint32_t i = 0; i < count; i++)
        if (args[i] == MANGLE_NONE && c->status == MANGLE_OK)
            c->status = MANGLE_ERR_NOMEM;
    if (c->status == MANGLE_OK && pred != MANGLE_NO_PRED)
        c->status = mangle_base_add(c->base, pred, args, count, NULL, &c->error);
}

static void tell1(struct catalogue *c, mangle_pred pred, mangle_value a)
{
    tell(c, pred, 1, &a);
}

static void tell2(struct catalogue *c, mangle_pred pred, mangle_value a, mangle_value b)
{
    tell(c, pred, 2, (mangle_value[]){ a, b });
}

static void tell3(struct catalogue *c, mangle_pred pred, mangle_value a, mangle_value b,
                  mangle_value d)
{
    tell(c, pred, 3, (mangle_value[]){ a, b, d });
}

static void tell_actions(struct catalogue *c, const struct snapshot *s)
{
    for (size_t i = 0; i < s->action_count; i++) {
        const struct action *a = &s->actions[i];
        mangle_value aid = text(c, a->aid);
        tell2(c, s->pred.action_tier, aid, mangle_number(c->values, a->tier));
        for (size_t k = 0; k < a->effect_count; k++)
            tell2(c, s->pred.action_side_effect, aid, text(c, a->effects[k]));
        if (a->effect_count == 0)
            tell2(c, s->pred.action_side_effect, aid, text(c, STR_LIT("none")));
        for (size_t k = 0; k < a->tag_count; k++)
            tell2(c, s->pred.action_tag, aid, text(c, a->tags[k]));
        if (a->reversible)
            tell1(c, s->pred.action_reversible, aid);
        if (a->idempotent)
            tell1(c, s->pred.action_idempotent, aid);
    }
}

/* Which earlier steps `v` cannot do without. A reference with a fallback, or an optional one, can.
 */
static void tell_reads(struct catalogue *c, const struct snapshot *s, const struct tool *tool,
                       mangle_value reader, const struct value_source *v)
{
    if (v->kind == SOURCE_STEP && !v->optional && !v->fallback && v->step < tool->step_count)
        tell3(c, s->pred.step_reads, text(c, tool->name), reader, text(c, tool->steps[v->step].id));
    for (size_t i = 0; i < v->member_count; i++) /* depth is bounded by the YAML reader */
        tell_reads(c, s, tool, reader, &v->members[i].source);
}

/* What it may run, and what undoes that. */
static void tell_step_actions(struct catalogue *c, const struct snapshot *s, const struct tool *t,
                              const struct step *step, mangle_value id)
{
    if (step->menu)
        tell2(c, s->pred.menu_step, t->value, id);
    for (size_t i = 0; i < mgi_step_actions(step); i++) {
        const struct compensation *undo = mgi_step_undo(step, i);
        tell3(c, s->pred.tool_step, t->value, id, text(c, mgi_step_action(step, i)->aid));
        if (!undo->action)
            continue;
        tell3(c, s->pred.step_undo, t->value, id, text(c, undo->action->aid));
        tell_reads(c, s, t, id, &undo->inputs);
    }
}

static void tell_tools(struct catalogue *c, struct snapshot *s)
{
    for (size_t i = 0; i < s->tool_count; i++) {
        struct tool *t = &s->tools[i];
        mangle_value name = text(c, t->name);
        t->value = name;
        tell1(c, s->pred.tool, name);
        tell2(c, s->pred.tool_rank, name, mangle_number(c->values, t->rank));
        tell2(c, s->pred.line_tokens, name, mangle_number(c->values, (int64_t)t->line_tokens));
        for (size_t k = 0; k < t->tag_count; k++)
            tell2(c, s->pred.tool_tag, name, text(c, t->tags[k]));
        for (size_t k = 0; k < t->step_count; k++) {
            const struct step *step = &t->steps[k];
            mangle_value id = text(c, step->id);
            tell_step_actions(c, s, t, step, id);
            if (step->optional)
                tell2(c, s->pred.optional_step, name, id);
            tell_reads(c, s, t, id, &step->inputs);
            if (step->has_condition)
                tell_reads(c, s, t, id, &step->condition);
            if (step->has_foreach)
                tell_reads(c, s, t, id, &step->items);
        }
        tell_reads(c, s, t, text(c, STR_LIT("")), &t->result);
    }
}

static void tell_settings(struct catalogue *c, const struct snapshot *s)
{
    const struct domain_settings *d = &s->settings;
    for (size_t i = 0; i < d->setting_count; i++) {
        const struct json *v = &d->settings[i].value;
        mangle_value value = v->type == JSON_BOOL    ? mangle_bool(c->values, v->boolean)
                             : v->type == JSON_INT   ? mangle_number(c->values, v->integer)
                             : v->type == JSON_FLOAT ? mangle_float(c->values, v->number)
                                                     : text(c, v->string);
        tell2(c, s->pred.setting, text(c, d->settings[i].key), value);
    }
    for (size_t i = 0; i < d->intent_count; i++) {
        tell1(c, s->pred.listed_intent, text(c, d->intents[i].name));
        if (d->intents[i].open)
            tell1(c, s->pred.open_intent, text(c, d->intents[i].name));
    }
    for (size_t i = 0; i < s->skill_count; i++)
        tell1(c, s->pred.skill, text(c, s->skills[i].id));
}

static int compare_values(const void *x, const void *y)
{
    const struct tool *const *a = x, *const *b = y;
    return ((*a)->value > (*b)->value) - ((*a)->value < (*b)->value);
}

/* So that an answer of the rules leads to its tool without comparing texts. */
static bool index_tools(struct snapshot *s)
{
    s->tools_by_value = mgi_arena_calloc(&s->arena, s->tool_count + 1, sizeof(struct tool *));
    if (!s->tools_by_value)
        return false;
    for (size_t i = 0; i < s->tool_count; i++)
        s->tools_by_value[i] = &s->tools[i];
    if (s->tool_count > 1)
        qsort(s->tools_by_value, s->tool_count, sizeof(struct tool *), compare_values);
    return true;
}

/* ---- tables of facts/ -------------------------------------------------------------------- */

struct table {
    struct loading *l;
    const char *file;
    uint32_t line;
};

static void table_error(const struct table *t, const char *code, const char *hint, const char *what)
{
    mgi_findings_add(t->l->yaml.findings, MANGLE_ERROR, code, t->file, t->line, 1, hint, "%s",
                     what);
}

/* The predicate `name`/`arity` if facts/ may define it; else a finding. */
static mangle_pred table_pred(const struct table *t, const char *name, uint32_t arity)
{
    struct arena *a = t->l->yaml.arena;
    const mangle_program *p = t->l->s->program;
    mangle_pred pred = mangle_pred_find(p, name, arity);
    if (pred == MANGLE_NO_PRED) {
        table_error(
            t, "UNKNOWN_PRED", "Declare it in rules/schema.",
            mgi_arena_printf(a, "no rule knows a predicate %s with %u arguments", name, arity));
        return pred;
    }
    enum layer owner = t->l->s->pred_layers[pred];
    t->l->s->speaks_of_outcomes |= mgi_says_outcome(&t->l->s->pred, pred);
    t->l->s->rules_answer |= pred == t->l->s->pred.result_member;
    if (mgi_layer_may_define(p, pred, owner, LAYER_FACTS))
        return pred;
    table_error(t, "LAYER", NULL,
                mgi_arena_printf(a, "%s belongs to the %s layer; facts may not define it", name,
                                 mgi_layer_name(owner)));
    return MANGLE_NO_PRED;
}

static mangle_pred find_pred(void *context, uint32_t line, const char *name, uint32_t count)
{
    struct table *t = context;
    t->line = line;
    return table_pred(t, name, count);
}

static void tell_fault(void *context, uint32_t line, enum fact_fault fault, const char *message)
{
    static const char *const codes[] = { "JSON", "FACT", "FACT", "CSV", "CSV", "FACT" };
    struct table *t = context;
    t->line = line;
    if (fault == FACT_NO_OBJECT)
        table_error(t, "FACT", "Write {\"pred\":\"name\",\"args\":[...]}.", "this is not a fact");
    else if (fault == FACT_RAGGED)
        table_error(t, "CSV", NULL, "this row has another number of fields than the first");
    else
        table_error(t, codes[fault], NULL, message);
}

/* As clients see the column in the manifest. */
static bool is_title(void *context, mangle_pred pred, uint32_t column, struct str field)
{
    const struct table *t = context;
    struct mangle_pred_view v = mangle_program_pred(t->l->s->program, pred);
    struct snapshot *s = t->l->s;
    const struct pred_schema *schema = mgi_profile_find(&s->profile, str_of(v.name));
    if (!schema)
        schema = mgi_profile_find(&s->evidence, str_of(v.name));
    return schema && schema->arg_names && column < schema->arity &&
           str_eq(field, schema->arg_names[column]);
}

static bool add_table(struct loading *l, const struct file *file)
{
    if (!mgi_arena_grow(l->yaml.arena, &l->tables.items, &l->tables.cap, l->tables.count + 1,
                        sizeof *l->tables.items))
        return false;
    l->tables.items[l->tables.count++] = *file;
    return true;
}

static bool read_tables(struct loading *l, struct catalogue *c)
{
    for (size_t i = 0; i < l->facts.count; i++)
        if (!mgi_str_ends(str_of(l->facts.items[i].path), STR_LIT(".mg")) &&
            !add_table(l, &l->facts.items[i]))
            return false;
    /* Without memory the base takes nothing more, which is no fault of the next table. */
    for (size_t i = 0; i < l->tables.count && c->status != MANGLE_ERR_NOMEM; i++) {
        struct str path = str_of(l->tables.items[i].path), text = l->tables.items[i].text;
        struct table t = { l, l->tables.items[i].path, 0 };
        struct fact_taker taker = { .base = c->base,
                                    .names = true,
                                    .find = find_pred,
                                    .is_title = is_title,
                                    .fault = tell_fault,
                                    .context = &t };
        enum fact_form form;
        enum mangle_status st = MANGLE_OK;
        if (!mgi_utf8_valid(text, NULL))
            table_error(&t, "UTF8", NULL, "this file is not UTF-8");
        else if (mgi_fact_form_named(path, &form))
            st = mgi_fact_rows(form, text, mgi_fact_stem(path), &taker);
        if (st && c->status == MANGLE_OK)
            c->status = st;
    }
    return true;
}

/* Rows of an external predicate: its table is named in domain.yaml. */
static mangle_pred find_external(void *context, uint32_t line, const char *name, uint32_t count)
{
    struct table *t = context;
    const struct domain_external *e = mgi_external(t->l->s, str_of(name));
    t->line = line;
    if (e && e->arity == count)
        return e->pred;
    table_error(t, "FACT", NULL,
                mgi_arena_printf(t->l->yaml.arena, "%s has %u arguments, not %u", name,
                                 e ? e->arity : 0, count));
    return MANGLE_NO_PRED;
}

static bool add_external_file(struct loading *l, const struct domain_external *e, bool *found)
{
    struct file file;
    if (!mgi_file_read(&l->yaml, l->folder, e->table.ptr, &file, found))
        return false;
    if (!*found) {
        mgi_findings_add(l->yaml.findings, MANGLE_ERROR, "NO_FILE", e->origin, e->line, e->column,
                         "Paths count from the domain folder.", "there is no file \"%s\"",
                         e->table.ptr);
        return true;
    }
    return add_table(l, &file);
}

static bool read_external_tables(struct loading *l, struct catalogue *c)
{
    for (size_t i = 0; i < l->s->external_count && c->status != MANGLE_ERR_NOMEM; i++) {
        const struct domain_external *e = &l->s->externals[i];
        bool found = false;
        if (e->table.len == 0 || e->pred == MANGLE_NO_PRED)
            continue;
        if (!add_external_file(l, e, &found))
            return false;
        if (!found)
            continue;
        const struct file *file = &l->tables.items[l->tables.count - 1];
        struct table t = { l, file->path, 0 };
        struct fact_taker taker = {
            .base = c->base, .find = find_external, .fault = tell_fault, .context = &t
        };
        enum mangle_status st = MANGLE_OK;
        if (!mgi_utf8_valid(file->text, NULL))
            table_error(&t, "UTF8", NULL, "this file is not UTF-8");
        else
            st = mgi_fact_rows(FACTS_CSV, file->text, e->name, &taker);
        if (st && c->status == MANGLE_OK)
            c->status = st;
    }
    return true;
}

/* ---- the whole --------------------------------------------------------------------------- */

/* The rule that a message of the evaluation names, as in "rules/domain/a.mg:3: ..."; *rest is what
 * follows. NULL: it names none. */
static const char *blamed_file(const struct loading *l, const char *message, uint32_t *line,
                               const char **rest)
{
    for (size_t i = 0; i < l->rules.count; i++) {
        const char *path = l->rules.items[i].path;
        size_t len = strlen(path);
        if (strncmp(message, path, len) != 0 || message[len] != ':')
            continue;
        char *end;
        unsigned long number = strtoul(message + len + 1, &end, 10);
        if (end == message + len + 1 || strncmp(end, ": ", 2) != 0)
            continue;
        *line = (uint32_t)number;
        *rest = end + 2;
        return path;
    }
    return NULL;
}

static bool report(struct loading *l, enum mangle_status st, const struct mangle_error *error)
{
    if (st == MANGLE_OK || st == MANGLE_ERR_NOMEM)
        return st == MANGLE_OK;
    uint32_t line;
    const char *why, *file = blamed_file(l, error->message, &line, &why);
    if (file) {
        mgi_findings_add(l->yaml.findings, MANGLE_ERROR, "BASE", file, line, 1, NULL, "%s: %s",
                         mangle_status_text(st), why);
        return true;
    }
    mgi_findings_add(l->yaml.findings, MANGLE_ERROR, "BASE", "facts", 0, 0,
                     st == MANGLE_ERR_LIMIT ? "The rules derive this much before any request."
                                            : NULL,
                     "%s: %s", mangle_status_text(st), error->message);
    return true;
}

bool mgi_load_base(struct loading *l)
{
    struct snapshot *s = l->s;
    /* Templates with unknown actions, or a program that did not compile, make no base. */
    bool good = s->program != NULL;
    for (size_t i = 0; i < s->tool_count; i++)
        for (size_t k = 0; k < s->tools[i].step_count; k++)
            good = good && (s->tools[i].steps[k].action || s->tools[i].steps[k].menu);
    if (!good)
        return true;
    struct catalogue c = { 0 };
    c.status = mangle_base_new(s->program, &s->base);
    if (c.status)
        return false;
    c.base = s->base;
    c.values = mangle_base_values(s->base);
    tell_actions(&c, s);
    tell_tools(&c, s);
    tell_settings(&c, s);
    if (!index_tools(s) || !read_tables(l, &c) || !read_external_tables(l, &c))
        return false;
    if (c.status || mgi_findings_errors(l->yaml.findings) > 0)
        return report(l, c.status, &c.error);

    struct mangle_limits limits = { 0 };
    struct mangle_error error = { 0 };
    return report(l, mangle_base_close(s->base, &limits, NULL, &error), &error);
}
