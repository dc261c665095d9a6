/* Do values fit the bounds of their Decls? The rules are looked at as they are written (section 5.5
 * of docs/reference/mangle.md), the facts that hold without a request by their values: those of
 * tables are in no rule. Loading asks neither, so a server starts without paying for it. */
#include "domain/lint_int.h"
#include "domain/standard_rules.h"

/* ---- rules ------------------------------------------------------------------------------- */

/* What a client sends or an action returns is rarely known for sure: only what cannot fit is an
 * error. The program compiled before, so whatever else is said of it is known already. */
static enum mangle_status compile_again(const struct lint *l, mangle_diags *diags)
{
    struct arena arena;
    size_t count = mangle_program_source_count(l->p);
    mgi_arena_init(&arena, 0);
    struct mangle_source *sources = mgi_arena_calloc(&arena, count + 1, sizeof *sources);
    for (size_t i = 0; sources && i < count; i++)
        sources[i] = mangle_program_source(l->p, i);
    struct mangle_zone_source zones = mangle_zone_folder_source(l->s->zones);
    struct mangle_compile_options options = { .zones = &zones,
                                              .allow_dangerous = true,
                                              .check_bounds = true,
                                              .doubt_warns = true,
                                              .check_only = true,
                                              .host_source_count = mgi_standard_rules_count };
    mangle_program *p = NULL;
    enum mangle_status st =
        sources ? mangle_compile(sources, count, &options, &p, diags) : MANGLE_ERR_NOMEM;
    mgi_arena_fini(&arena);
    return st;
}

/* False: a rule or a fact of the sources cannot fit. */
static bool check_rules(struct lint *l)
{
    mangle_diags *diags = mangle_diags_new();
    enum mangle_status st = diags ? compile_again(l, diags) : MANGLE_ERR_NOMEM;
    if (st == MANGLE_ERR_NOMEM) {
        mgi_findings_lack_memory(l->findings, "rules");
    } else {
        mgi_findings_take(l->findings, diags, "BOUNDS_");
        mgi_findings_take(l->findings, diags, "HEADTIME_");
    }
    mangle_diags_free(diags);
    return st == MANGLE_OK;
}

/* ---- facts ------------------------------------------------------------------------------- */

#define FACTS_TOLD 10 /* of one predicate: a column that is wrong is wrong in every row */

static bool is_bounded(const struct lint *l, mangle_pred pred)
{
    struct mangle_pred_view v = mangle_program_pred(l->p, pred);
    bool bounded = false;
    for (uint32_t i = 0; v.declared && i < v.arity; i++)
        bounded |= strcmp(mangle_pred_bound(l->p, pred, i), "/any") != 0;
    return bounded;
}

static void tell_fact(struct lint *l, const struct mangle_fact *fact, const char *why)
{
    const char *name = mangle_program_pred(l->p, fact->pred).name;
    char *text =
        mangle_fact_print(l->p, mangle_overlay_values(l->overlay), fact, MANGLE_FILE, NULL);
    mgi_findings_add(l->findings, MANGLE_ERROR, "BOUNDS_FACT", "facts", 0, 0,
                     "Correct the table or the rule that it comes from, or the bound in the Decl.",
                     "%s holds, but %s", text ? text : name, why);
    mangle_free(text);
}

static void check_facts_of(struct lint *l, mangle_pred pred)
{
    const struct mangle_fact *facts;
    size_t count, told = 0;
    if (!is_bounded(l, pred) || mangle_overlay_facts(l->overlay, pred, &facts, &count))
        return;
    for (size_t i = 0; i < count && told < FACTS_TOLD; i++) {
        struct mangle_error error = { 0 };
        enum mangle_status st = mangle_overlay_check_fact(l->overlay, &facts[i], &error);
        if (st == MANGLE_ERR_NOMEM) {
            mgi_findings_lack_memory(l->findings, "facts");
            return;
        }
        if (error.argument > 0) { /* the other promises of a Decl are about facts of requests */
            tell_fact(l, &facts[i], error.message);
            told++;
        }
    }
}

void mgi_lint_types(struct lint *l)
{
    if (check_rules(l))
        for (mangle_pred i = 0; i < mangle_program_pred_count(l->p); i++)
            check_facts_of(l, i);
}
