/* External predicates: what domain.yaml says of them, and whether the rules declare them so.
 *
 *     external:
 *       price: {table: tables/price.csv}
 *       stock: {action: AID.SHOP.STOCK.v1, deterministic: false, timeout: 2s}
 *       about: {search: {over: article_text, limit: 20}}
 *       near: {action: AID.NEAR.NEAR.v1, keep: true, otherwise: [{t: $why, rank: 0}]}
 */
#include "base/time.h"
#include "domain/domain_int.h"

#define DEFAULT_TIMEOUT_MS 2000
#define MOST_TIMEOUT_MS    30000
#define MODES_MAX          64

const struct domain_external *mgi_external(const struct snapshot *s, struct str name)
{
    for (size_t i = 0; i < s->external_count; i++)
        if (str_eq(s->externals[i].name, name))
            return &s->externals[i];
    return NULL;
}

/* ---- domain.yaml ------------------------------------------------------------------------- */

static void read_patience(const struct yaml_context *c, const struct yaml_node *map,
                          struct domain_external *out)
{
    const struct yaml_node *n = mgi_yaml_get(map, "timeout");
    int64_t ns = DEFAULT_TIMEOUT_MS * NS_PER_MS;
    if (n && (n->kind != YAML_SCALAR || !mgi_duration_parse(n->text, true, &ns)))
        mgi_yaml_error(c, n, "BAD_VALUE", NULL, "timeout must be a duration such as 2s, not %s",
                       mgi_yaml_kind_name(n));
    else if (ns < NS_PER_MS || ns > MOST_TIMEOUT_MS * NS_PER_MS)
        mgi_yaml_error(c, n, "OUT_OF_RANGE", NULL, "timeout must be from 1ms to 30s");
    out->timeout_ms = ns / NS_PER_MS;
}

/* What only an action does. */
static void read_host_keys(const struct yaml_context *c, const struct yaml_node *map,
                           struct domain_external *out)
{
    const struct yaml_node *keep = mgi_yaml_get(map, "keep");
    const struct yaml_node *otherwise = mgi_yaml_get(map, "otherwise");
    if (keep && !mgi_yaml_bool(keep, &out->keep))
        mgi_yaml_error(c, keep, "BAD_VALUE", NULL, "keep must be true or false");
    if (otherwise && otherwise->kind != YAML_LIST)
        mgi_yaml_error(c, otherwise, "BAD_VALUE", "Write otherwise: [{NAME: VALUE, ...}, ...].",
                       "otherwise must be a list of rows, as the action would answer them");
    else if (otherwise)
        out->may_fail = mgi_yaml_to_json(c->arena, otherwise, &out->otherwise);
    if ((keep || otherwise) && out->aid.len == 0)
        mgi_yaml_error(c, keep ? keep : otherwise, "BAD_VALUE", "Take it away.",
                       "only of an action there is something to keep, or to say otherwise");
}

static void read_answerer(const struct yaml_context *c, const struct yaml_entry *e,
                          struct domain_external *out)
{
    static const char *const keys[] = { "table",         "action",    "search",
                                        "deterministic", "timeout",   "description",
                                        "keep",          "otherwise", NULL };
    bool searches = mgi_read_search(c, e->value, &out->search);
    mgi_yaml_known_keys(c, e->value, "an external predicate", keys);
    out->table = mgi_yaml_text(c, e->value, "table", false);
    out->aid = mgi_yaml_text(c, e->value, "action", false);
    out->description = mgi_yaml_text(c, e->value, "description", false);
    const struct yaml_node *n = mgi_yaml_get(e->value, "deterministic");
    out->deterministic = true;
    if (n && !mgi_yaml_bool(n, &out->deterministic))
        mgi_yaml_error(c, n, "BAD_VALUE", NULL, "deterministic must be true or false");
    if ((out->table.len > 0) + (out->aid.len > 0) + searches != 1)
        mgi_yaml_error(
            c, e->value, "BAD_VALUE",
            "Write {table: tables/NAME.csv}, {action: AID...} or {search: {over: PREDICATE}}.",
            "a table, an action or a search answers a predicate: one of them");
    if (out->table.len > 0 && (!mgi_str_starts(out->table, STR_LIT("tables/")) ||
                               mgi_str_find(out->table, STR_LIT("..")) != SIZE_MAX ||
                               !mgi_str_ends(out->table, STR_LIT(".csv"))))
        mgi_yaml_error(c, mgi_yaml_get(e->value, "table"), "BAD_VALUE", NULL,
                       "a table is a file tables/NAME.csv of the folder");
    if (out->table.len > 0 && !out->deterministic)
        mgi_yaml_error(c, n, "BAD_VALUE", "Take it away; reload reads the table again.",
                       "a table always gives the same answer");
    if (searches && !out->deterministic)
        mgi_yaml_error(c, n, "BAD_VALUE", "Take it away; reload makes the index again.",
                       "a search always gives the same answer");
    read_patience(c, e->value, out);
    read_host_keys(c, e->value, out);
}

static bool read_external(struct loading *l, const struct yaml_entry *e,
                          struct domain_external *out)
{
    const struct yaml_context *c = &l->yaml;
    const struct action_source *source = l->options->actions;
    out->name = mgi_arena_str(c->arena, e->key);
    out->pred = MANGLE_NO_PRED;
    out->origin = e->value->origin;
    out->line = e->line;
    out->column = e->column;
    if (e->value->kind != YAML_MAP) {
        mgi_yaml_error(c, e->value, "BAD_VALUE", NULL,
                       "an external predicate is a map with table, action or search");
        return true;
    }
    read_answerer(c, e, out);
    if (out->table.len > 0) /* with a NUL behind it */
        out->table = mgi_arena_str(c->arena, out->table);
    out->ask = source ? source->ask : NULL;
    if (out->keep && source && source->keep) {
        out->kept = source->keep(source);
        out->let_go = source->let_go;
        if (!out->kept)
            return false;
    }
    out->program = source && source->program ? mgi_arena_strdup(c->arena, source->program) : "";
    return out->program && out->name.ptr;
}

bool mgi_load_externals(struct loading *l)
{
    struct snapshot *s = l->s;
    const struct yaml_node *map = l->domain_yaml ? mgi_yaml_get(l->domain_yaml, "external") : NULL;
    if (!map)
        return true;
    if (map->kind != YAML_MAP) {
        mgi_yaml_error(&l->yaml, map, "BAD_VALUE", NULL,
                       "external must be a map from predicates to who answers them");
        return true;
    }
    s->externals = mgi_arena_calloc(&s->arena, map->count + 1, sizeof *s->externals);
    if (!s->externals)
        return false;
    for (size_t i = 0; i < map->count; i++)
        if (!read_external(l, &map->entries[i], &s->externals[s->external_count++]))
            return false;
    return true;
}

/* ---- declarations ------------------------------------------------------------------------ */

/* From `from` on: a name may have several arities. */
static mangle_pred declared(const mangle_program *p, struct str name, mangle_pred from)
{
    for (mangle_pred i = from; i < mangle_program_pred_count(p); i++)
        if (str_is(name, mangle_program_pred(p, i).name) &&
            mangle_pred_descriptor(p, i, "external", NULL, 0) != SIZE_MAX)
            return i;
    return MANGLE_NO_PRED;
}

static bool is_input_mode(const mangle_program *p, mangle_pred pred, uint32_t column)
{
    const char *sign = mgi_descriptor_text(p, pred, "mode", column);
    return sign && strcmp(sign, "+") == 0;
}

static bool fill_columns(struct loading *l, const mangle_program *p, struct domain_external *e)
{
    struct mangle_pred_view v = mangle_program_pred(p, e->pred);
    struct arena *a = &l->s->arena;
    e->arity = v.arity;
    e->columns = mgi_arena_calloc(a, v.arity + 1, sizeof *e->columns);
    if (e->description.len == 0)
        e->description = v.doc && v.doc[0] ? str_of(mgi_arena_strdup(a, v.doc)) : e->name;
    for (uint32_t i = 0; e->columns && i < v.arity; i++) {
        struct external_column *c = &e->columns[i];
        c->name = v.arg_names ? mgi_snake_case(a, v.arg_names[i]) : (struct str){ 0 };
        c->input = is_input_mode(p, e->pred, i);
        c->is_name = mgi_bound_is_name(mangle_pred_bound(p, e->pred, i));
        c->is_number = strcmp(mangle_pred_bound(p, e->pred, i), "/number") == 0;
        if (!c->name.ptr)
            return false;
    }
    return e->columns && e->description.ptr;
}

static bool is_row(const struct domain_external *e, const struct json *row)
{
    size_t outputs = 0;
    for (uint32_t i = 0; i < e->arity; i++)
        if (!e->columns[i].input) {
            outputs++;
            if (row->type != JSON_OBJECT || !mgi_json_get_str(row, e->columns[i].name))
                return false;
        }
    return row->count == outputs;
}

static void check_otherwise(struct loading *l, const struct domain_external *e)
{
    for (uint32_t i = 0; e->may_fail && i < e->otherwise.count; i++)
        if (!is_row(e, &e->otherwise.items[i]))
            mgi_findings_add(l->yaml.findings, MANGLE_ERROR, "EXTERNAL", e->origin, e->line,
                             e->column, "A row has each argument at '-', by its name on the wire.",
                             "row %u of otherwise is not what %.*s answers", i + 1,
                             STR_ARG(e->name));
}

bool mgi_declare_externals(struct loading *l, const mangle_program *p)
{
    for (size_t i = 0; i < l->s->external_count; i++) {
        struct domain_external *e = &l->s->externals[i];
        e->pred = declared(p, e->name, 0);
        bool none = e->pred == MANGLE_NO_PRED;
        if (none || declared(p, e->name, e->pred + 1) != MANGLE_NO_PRED)
            mgi_findings_add(
                l->yaml.findings, MANGLE_ERROR, "EXTERNAL", e->origin, e->line, e->column,
                none ? "Declare it: Decl NAME(A, B) descr [external(), mode('+', '-')]."
                     : "Give one of them another name.",
                none ? "no rule declares %.*s with external()"
                     : "%.*s is declared with external() for two numbers of arguments",
                STR_ARG(e->name));
        if (!none && !fill_columns(l, p, e))
            return false;
        if (!none && e->search.over.len > 0)
            mgi_check_search(l, p, e);
        if (!none)
            check_otherwise(l, e);
    }
    return true;
}

bool mgi_find_external_actions(struct loading *l)
{
    for (size_t i = 0; i < l->s->external_count; i++) {
        struct domain_external *e = &l->s->externals[i];
        if (e->aid.len == 0 || l->actions_unknown)
            continue;
        e->action = mgi_snapshot_action(l->s, e->aid);
        if (!e->action)
            mgi_findings_add(l->yaml.findings, MANGLE_ERROR, "UNKNOWN_ACTION", e->origin, e->line,
                             e->column,
                             "Name the plugin that has it in actions.plugins of domain.yaml.",
                             "no plugin has the action \"%.*s\"", STR_ARG(e->aid));
        else if (e->action->tier > 0)
            mgi_findings_add(l->yaml.findings, MANGLE_ERROR, "EXTERNAL", e->origin, e->line,
                             e->column, "Rules are evaluated whenever somebody asks.",
                             "%.*s changes the world, so rules may not ask it", STR_ARG(e->aid));
    }
    return true;
}
