/* What domain.yaml says of a predicate that is searched, and its index, once the facts are there:
 *
 *     external:
 *       article_about:
 *         search: {over: article_text, limit: 20, stem: true, weights: [4, 1], ignore: [the, of]}
 */
#include "domain/domain_int.h"

#define DEFAULT_LIMIT 50
#define MOST_LIMIT    1000
#define MOST_WEIGHT   100

/* ---- domain.yaml ------------------------------------------------------------------------- */

static const struct yaml_node *short_list(const struct yaml_context *c, const struct yaml_node *map,
                                          const char *key, size_t most)
{
    const struct yaml_node *n = mgi_yaml_get(map, key);
    if (n && n->kind != YAML_LIST)
        mgi_yaml_error(c, n, "BAD_VALUE", NULL, "%s must be a list", key);
    else if (n && n->count > most)
        mgi_yaml_error(c, n, "OUT_OF_RANGE", NULL, "%s has %zu entries; %zu is the most", key,
                       n->count, most);
    return n && n->kind == YAML_LIST && n->count <= most ? n : NULL;
}

static void read_weights(const struct yaml_context *c, const struct yaml_node *map,
                         struct search_settings *out)
{
    const struct yaml_node *n = short_list(c, map, "weights", SEARCH_COLUMNS);
    int64_t *weights = mgi_arena_calloc(c->arena, SEARCH_COLUMNS, sizeof *weights);
    for (size_t i = 0; n && weights && i < n->count; i++)
        if (!mgi_yaml_int(n->entries[i].value, &weights[i]) || weights[i] < 0 ||
            weights[i] > MOST_WEIGHT)
            mgi_yaml_error(c, n->entries[i].value, "OUT_OF_RANGE", NULL,
                           "a weight is a whole number from 0 to %d", MOST_WEIGHT);
    out->weights = weights;
    out->weight_count = n && weights ? n->count : 0;
}

static void read_ignored(const struct yaml_context *c, const struct yaml_node *map,
                         struct search_settings *out)
{
    const struct yaml_node *n = short_list(c, map, "ignore", SEARCH_IGNORED);
    struct str *words = n ? mgi_arena_calloc(c->arena, n->count + 1, sizeof *words) : NULL;
    for (size_t i = 0; words && i < n->count; i++)
        if (n->entries[i].value->kind != YAML_SCALAR || n->entries[i].value->text.len == 0)
            mgi_yaml_error(c, n->entries[i].value, "BAD_VALUE", NULL, "ignore is a list of words");
        else
            words[out->ignored_count++] = n->entries[i].value->text;
    out->ignored = words;
}

bool mgi_read_search(const struct yaml_context *c, const struct yaml_node *map,
                     struct search_settings *out)
{
    static const char *const keys[] = { "over", "limit", "stem", "weights", "ignore", NULL };
    const struct yaml_node *n = mgi_yaml_get(map, "search"), *limit, *stem;
    *out = (struct search_settings){ .limit = DEFAULT_LIMIT, .stem = true };
    if (!n)
        return false;
    if (n->kind != YAML_MAP) {
        mgi_yaml_error(c, n, "BAD_VALUE", "Write search: {over: PREDICATE}.",
                       "search must be a map");
        return true;
    }
    mgi_yaml_known_keys(c, n, "a search", keys);
    out->over = mgi_yaml_text(c, n, "over", true);
    limit = mgi_yaml_get(n, "limit");
    if (limit && (!mgi_yaml_int(limit, &out->limit) || out->limit < 1 || out->limit > MOST_LIMIT))
        mgi_yaml_error(c, limit, "OUT_OF_RANGE", NULL, "limit must be from 1 to %d", MOST_LIMIT);
    stem = mgi_yaml_get(n, "stem");
    if (stem && !mgi_yaml_bool(stem, &out->stem))
        mgi_yaml_error(c, stem, "BAD_VALUE", NULL, "stem must be true or false");
    read_weights(c, n, out);
    read_ignored(c, n, out);
    return true;
}

/* ---- its Decl ---------------------------------------------------------------------------- */

static void search_error(struct loading *l, const struct domain_external *e, const char *hint,
                         const char *what)
{
    mgi_findings_add(l->yaml.findings, MANGLE_ERROR, "EXTERNAL", e->origin, e->line, e->column,
                     hint, "%s", what ? what : "out of memory");
}

void mgi_check_search(struct loading *l, const mangle_program *p, const struct domain_external *e)
{
    bool good = e->arity == 3 || e->arity == 4;
    for (uint32_t i = 0; i < e->arity; i++) {
        const char *bound = mangle_pred_bound(p, e->pred, i);
        good = good && e->columns[i].input == (i == 0) &&
               (i < 2 || strcmp(bound, "/number") == 0 || strcmp(bound, "/any") == 0);
    }
    if (!good)
        search_error(l, e,
                     "Declare it so: Decl NAME(Text, Key, Rank) descr [external(), mode('+', '-', "
                     "'-')] bound [/any, /string, /number]; a fourth argument, '-', is the score.",
                     mgi_arena_printf(l->yaml.arena,
                                      "%.*s is searched, so its arguments are what is asked, and "
                                      "then key, rank and perhaps score",
                                      STR_ARG(e->name)));
}

/* ---- the index --------------------------------------------------------------------------- */

/* The predicate that is searched; MANGLE_NO_PRED after a finding. */
static mangle_pred searched(struct loading *l, const struct domain_external *e)
{
    const mangle_program *p = l->s->program;
    struct arena *a = l->yaml.arena;
    mangle_pred found = 0;
    while (found < mangle_program_pred_count(p) &&
           !str_is(e->search.over, mangle_program_pred(p, found).name))
        found++; /* a name has one number of arguments */
    if (found == mangle_program_pred_count(p)) {
        search_error(l, e, "Name a predicate of facts/: a key, and texts.",
                     mgi_arena_printf(a, "%.*s searches %.*s, which no rule or fact knows",
                                      STR_ARG(e->name), STR_ARG(e->search.over)));
        return MANGLE_NO_PRED;
    }
    struct mangle_pred_view v = mangle_program_pred(p, found);
    const char *why = v.arity < 2 || v.arity > SEARCH_COLUMNS + 1
                          ? "has not a key and 1 to 16 texts"
                      : v.changeable ? "can change with a request, and an index is made once"
                                     : NULL;
    if (!why)
        return found;
    search_error(l, e, "Search facts that are known when the domain is loaded.",
                 mgi_arena_printf(a, "%.*s searches %.*s, which %s", STR_ARG(e->name),
                                  STR_ARG(e->search.over), why));
    return MANGLE_NO_PRED;
}

/* An overlay to which nothing is added and in which no rule is evaluated shows what is in the base.
 */
static bool make_index(struct loading *l, struct domain_external *e, mangle_pred over)
{
    mangle_overlay *o = NULL;
    const struct mangle_fact *facts;
    const char *why = "out of memory";
    size_t count;
    size_t preds = mangle_program_pred_count(l->s->program);
    bool *none = mgi_arena_calloc(l->yaml.arena, preds + 1, sizeof *none);
    struct mangle_limits limits = { 0 };
    if (none && mangle_overlay_new(l->s->base, &o) == MANGLE_OK) {
        mangle_overlay_focus(o, none);
        if (mangle_overlay_eval(o, 0, &limits, NULL, NULL) == MANGLE_OK &&
            mangle_overlay_facts(o, over, &facts, &count) == MANGLE_OK)
            e->index = mgi_search_index_new(&e->search, mangle_overlay_values(o), facts, count,
                                            mangle_program_pred(l->s->program, over).arity,
                                            l->yaml.arena, &why);
    }
    if (o)
        mangle_overlay_free(o);
    if (!e->index && strcmp(why, "out of memory") != 0)
        search_error(l, e, NULL,
                     mgi_arena_printf(l->yaml.arena, "%.*s: %s", STR_ARG(e->name), why));
    return e->index || strcmp(why, "out of memory") != 0;
}

bool mgi_load_searches(struct loading *l)
{
    if (!l->s->base || mgi_findings_errors(l->yaml.findings) > 0)
        return true;
    for (size_t i = 0; i < l->s->external_count; i++) {
        struct domain_external *e = &l->s->externals[i];
        if (e->search.over.len == 0 || e->pred == MANGLE_NO_PRED)
            continue;
        mangle_pred over = searched(l, e);
        if (over != MANGLE_NO_PRED && !make_index(l, e, over))
            return false;
    }
    return true;
}
