/* The base: what the server knows before anybody asks. The catalogue (tools, steps, actions,
 * skills, settings, intents) and the tables of facts/ are added, and everything is derived that no
 * request can change. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "domain/domain_int.h"
#include "protocol/wire_time.h"

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

static void tell_tools(struct catalogue *c, struct snapshot *s)
{
    for (size_t i = 0; i < s->tool_count; i++) {
        struct tool *t = &s->tools[i];
        mangle_value name = text(c, t->name);
        t->value = name;
        tell1(c, s->pred.tool, name);
        tell2(c, s->pred.tool_rank, name, mangle_number(c->values, t->rank));
        for (size_t k = 0; k < t->tag_count; k++)
            tell2(c, s->pred.tool_tag, name, text(c, t->tags[k]));
        for (size_t k = 0; k < t->step_count; k++) {
            const struct step *step = &t->steps[k];
            mangle_value id = text(c, step->id);
            tell3(c, s->pred.tool_step, name, id, text(c, step->action->aid));
            if (step->optional)
                tell2(c, s->pred.optional_step, name, id);
            tell_reads(c, s, t, id, &step->inputs);
            if (step->has_condition)
                tell_reads(c, s, t, id, &step->condition);
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
    struct catalogue *c;
    const char *file;
    uint32_t line;
};

static void table_error(const struct table *t, const char *code, const char *hint, const char *what)
{
    mgi_findings_add(t->l->yaml.findings, MANGLE_ERROR, code, t->file, t->line, 1, hint, "%s",
                     what);
}

/* The predicate `name`/`arity` if facts/ may define it; else a finding. */
static mangle_pred table_pred(const struct table *t, struct str name, uint32_t arity)
{
    struct arena *a = t->l->yaml.arena;
    const mangle_program *p = t->l->s->program;
    const char *z = mgi_arena_str(a, name).ptr;
    mangle_pred pred = z ? mangle_pred_find(p, z, arity) : MANGLE_NO_PRED;
    if (pred == MANGLE_NO_PRED) {
        table_error(t, "UNKNOWN_PRED", "Declare it in rules/schema.",
                    mgi_arena_printf(a, "no rule knows a predicate %.*s with %u arguments",
                                     STR_ARG(name), arity));
        return pred;
    }
    enum layer owner = t->l->s->pred_layers[pred];
    if (mgi_layer_may_define(p, pred, owner, LAYER_FACTS))
        return pred;
    table_error(t, "LAYER", NULL,
                mgi_arena_printf(a, "%s belongs to the %s layer; facts may not define it", z,
                                 mgi_layer_name(owner)));
    return MANGLE_NO_PRED;
}

static void add_row(const struct table *t, mangle_pred pred, const mangle_value *args,
                    uint32_t count, const struct mangle_interval *at)
{
    struct mangle_error error = { 0 };
    enum mangle_status st = mangle_base_add(t->c->base, pred, args, count, at, &error);
    if (st == MANGLE_ERR_INPUT)
        table_error(t, "FACT", NULL, error.message);
    else if (st && t->c->status == MANGLE_OK)
        t->c->status = st;
}

static bool is_name_column(const struct table *t, mangle_pred pred, uint32_t column)
{
    const char *bound = mangle_pred_bound(t->l->s->program, pred, column);
    static const char *const others[] = { "/any",    "/bot",   "/number", "/float64",
                                          "/string", "/bytes", "/time",   "/duration" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(bound, others[i]) == 0)
            return false;
    return bound[0] == '/' && !strchr(bound, '|');
}

/* One fact object of the protocol. */
static void add_json_fact(const struct table *t, const struct json *fact, struct arena *scratch)
{
    const struct json *name = mgi_json_get(fact, "pred"), *args = mgi_json_get(fact, "args");
    if (!name || name->type != JSON_STRING || !args || args->type != JSON_ARRAY) {
        table_error(t, "FACT", "Write {\"pred\":\"name\",\"args\":[...]}.", "this is not a fact");
        return;
    }
    mangle_pred pred = table_pred(t, name->string, args->count);
    mangle_value *values = mgi_arena_calloc(scratch, args->count + 1, sizeof *values);
    if (pred == MANGLE_NO_PRED || !values)
        return;
    const char *issue = NULL, *why = NULL;
    for (uint32_t i = 0; i < args->count && !issue; i++)
        values[i] = mgi_value_from_json(t->c->values, &args->items[i], is_name_column(t, pred, i),
                                        false, scratch, &issue, &why);
    struct mangle_interval at = MANGLE_ALWAYS;
    const struct json *when = mgi_json_get(fact, "t");
    bool annotated = when && when->type != JSON_NULL;
    if (!issue && annotated)
        mgi_wire_interval(when, WIRE_TIME_RFC3339 | WIRE_TIME_EPOCH_MS | WIRE_TIME_EPOCH_NS, 0, &at,
                          &issue, &why);
    if (issue)
        table_error(t, "FACT", NULL, why ? why : issue);
    else
        add_row(t, pred, values, args->count, annotated ? &at : NULL);
}

/* The next row begins with empty scratch; that the last one ran out of it is not forgotten. */
static void next_row(const struct table *t, struct arena *scratch)
{
    if (scratch->oom && t->c->status == MANGLE_OK)
        t->c->status = MANGLE_ERR_NOMEM;
    mgi_arena_reset(scratch);
}

static void read_jsonl(struct table *t, struct str rest)
{
    struct arena scratch;
    mgi_arena_init(&scratch, 0);
    for (t->line = 1; rest.len > 0; t->line++) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        struct str line = { rest.ptr, end ? (size_t)(end - rest.ptr) : rest.len };
        size_t skip = line.len + (end ? 1 : 0);
        rest.ptr += skip;
        rest.len -= skip;
        while (line.len > 0 && strchr(" \t\r", line.ptr[line.len - 1]))
            line.len--;
        if (line.len == 0)
            continue;
        struct json fact;
        struct json_error error;
        enum json_fault fault = mgi_json_parse(&scratch, line, NULL, &fact, &error);
        if (fault == JSON_OK)
            add_json_fact(t, &fact, &scratch);
        else if (fault != JSON_NOMEM)
            table_error(t, "JSON", NULL, error.message);
        scratch.oom |= fault == JSON_NOMEM;
        next_row(t, &scratch);
    }
    mgi_arena_fini(&scratch);
}

/* ---- CSV (RFC 4180) ---------------------------------------------------------------------- */

/* Cut one record off `rest` into `fields`; its number of fields, or SIZE_MAX if a quote is left
 * open. */
static size_t csv_record(struct arena *a, struct str *rest, struct str **fields, size_t *cap,
                         uint32_t *lines)
{
    size_t count = 0, at = 0;
    bool more = true;
    *lines = 0;
    while (more) {
        struct buf field = { 0 };
        bool quoted = at < rest->len && rest->ptr[at] == '"', closed = !quoted;
        for (at += quoted; at < rest->len; at++) {
            char ch = rest->ptr[at];
            *lines += ch == '\n' && !closed;
            if (!closed && ch == '"' && at + 1 < rest->len && rest->ptr[at + 1] == '"')
                at++;
            else if (!closed && ch == '"') {
                closed = true;
                continue;
            } else if (closed && (ch == ',' || ch == '\n')) {
                break;
            } else if (closed && ch == '\r') {
                continue;
            }
            mgi_buf_putc(&field, ch);
        }
        bool ok = mgi_arena_grow(a, fields, cap, count + 1, sizeof **fields);
        if (ok)
            (*fields)[count++] = mgi_arena_str(a, mgi_buf_view(&field));
        ok = ok && !field.oom && (*fields)[count - 1].ptr;
        a->oom |= !ok;
        mgi_buf_fini(&field);
        if (!closed || !ok)
            return SIZE_MAX;
        more = at < rest->len && rest->ptr[at] == ',';
        at += at < rest->len;
    }
    *lines += 1;
    rest->ptr += at;
    rest->len -= at;
    return count;
}

static bool is_heading(const struct table *t, mangle_pred pred, const struct str *fields)
{
    struct mangle_pred_view v = mangle_program_pred(t->l->s->program, pred);
    const struct pred_schema *schema = mgi_profile_find(&t->l->s->profile, str_of(v.name));
    for (uint32_t i = 0; i < v.arity; i++)
        if (!(v.arg_names && str_is(fields[i], v.arg_names[i])) &&
            !(schema && schema->arg_names && str_eq(fields[i], schema->arg_names[i])))
            return false;
    return v.arity > 0;
}

static mangle_value csv_value(const struct table *t, mangle_pred pred, uint32_t column,
                              struct str s)
{
    const char *bound = mangle_pred_bound(t->l->s->program, pred, column);
    mangle_values *values = t->c->values;
    char *end;
    errno = 0;
    long long n = s.len > 0 ? strtoll(s.ptr, &end, 10) : 0;
    bool integer = s.len > 0 && end == s.ptr + s.len && errno == 0 && !strchr(" \t+", s.ptr[0]);
    if (strcmp(bound, "/string") == 0)
        return mangle_string(values, s.ptr, s.len);
    if (is_name_column(t, pred, column))
        return mangle_name(values, s.ptr, s.len);
    if (strcmp(bound, "/float64") == 0) {
        double d = strtod(s.ptr, &end);
        bool whole = s.len > 0 && end == s.ptr + s.len;
        return whole && isfinite(d) ? mangle_float(values, d) : MANGLE_NONE;
    }
    if (integer)
        return mangle_number(values, n);
    return strcmp(bound, "/number") == 0 ? MANGLE_NONE : mangle_string(values, s.ptr, s.len);
}

/* Any text fits such a column. */
static bool is_plain_text(const struct table *t, mangle_pred pred, uint32_t column)
{
    const char *bound = mangle_pred_bound(t->l->s->program, pred, column);
    return strcmp(bound, "/string") == 0 || strcmp(bound, "/any") == 0;
}

static void add_csv_row(const struct table *t, mangle_pred pred, const struct str *fields,
                        uint32_t count, struct arena *scratch)
{
    mangle_value *args = mgi_arena_calloc(scratch, count + 1, sizeof *args);
    for (uint32_t i = 0; args && i < count; i++) {
        args[i] = csv_value(t, pred, i, fields[i]);
        if (args[i] == MANGLE_NONE && is_plain_text(t, pred, i)) { /* only memory can be short */
            scratch->oom = true;
            return;
        }
        if (args[i] == MANGLE_NONE) {
            table_error(t, "FACT", NULL,
                        mgi_arena_printf(t->l->yaml.arena, "column %u: \"%.*s\" is not a %s", i + 1,
                                         STR_ARG(fields[i]),
                                         mangle_pred_bound(t->l->s->program, pred, i) + 1));
            return;
        }
    }
    if (args)
        add_row(t, pred, args, count, NULL);
}

static void read_csv(struct table *t, struct str rest)
{
    const char *slash = strrchr(t->file, '/');
    struct str name = str_of(slash ? slash + 1 : t->file);
    name.len -= strlen(".csv");
    struct arena scratch;
    mgi_arena_init(&scratch, 0);
    mangle_pred pred = MANGLE_NO_PRED;
    size_t width = 0;
    bool first = true;
    uint32_t lines;
    for (t->line = 1; rest.len > 0; t->line += lines) {
        struct str *fields = NULL;
        size_t cap = 0, count = csv_record(&scratch, &rest, &fields, &cap, &lines);
        if (count == SIZE_MAX) {
            if (!scratch.oom)
                table_error(t, "CSV", NULL, "a quote is not closed");
            break;
        }
        if (count == 1 && fields[0].len == 0)
            continue;
        if (first) {
            width = count;
            pred = table_pred(t, name, (uint32_t)count);
            if (pred == MANGLE_NO_PRED)
                break;
        }
        if (count != width)
            table_error(t, "CSV", NULL, "this row has another number of fields than the first");
        else if (!first || !is_heading(t, pred, fields))
            add_csv_row(t, pred, fields, (uint32_t)count, &scratch);
        first = false;
        next_row(t, &scratch);
    }
    next_row(t, &scratch);
    mgi_arena_fini(&scratch);
}

static bool read_tables(struct loading *l, struct catalogue *c)
{
    static const char *const suffixes[] = { ".jsonl", ".csv", NULL };
    if (!mgi_files_read(&l->yaml, l->folder, "facts", suffixes, &l->tables))
        return false;
    for (size_t i = 0; i < l->tables.count; i++) {
        struct table t = { l, c, l->tables.items[i].path, 0 };
        size_t bad;
        if (!mgi_utf8_valid(l->tables.items[i].text, &bad))
            table_error(&t, "UTF8", NULL, "this file is not UTF-8");
        else if (mgi_str_ends(str_of(t.file), STR_LIT(".csv")))
            read_csv(&t, l->tables.items[i].text);
        else
            read_jsonl(&t, l->tables.items[i].text);
    }
    return true;
}

/* ---- the whole --------------------------------------------------------------------------- */

static bool report(struct loading *l, enum mangle_status st, const struct mangle_error *error)
{
    if (st == MANGLE_OK || st == MANGLE_ERR_NOMEM)
        return st == MANGLE_OK;
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
            good = good && s->tools[i].steps[k].action;
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
    if (!index_tools(s) || !read_tables(l, &c))
        return false;
    if (c.status || mgi_findings_errors(l->yaml.findings) > 0)
        return report(l, c.status, &c.error);

    struct mangle_limits limits = { 0 };
    struct mangle_error error = { 0 };
    return report(l, mangle_base_close(s->base, &limits, NULL, &error), &error);
}
