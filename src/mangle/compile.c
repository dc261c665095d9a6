/* Sources to a program. mangle_compile() is the list of stages; each is a file. */
#include "base/alloc.h"
#include "mangle/check/check.h"
#include "mangle/check/least.h"
#include "mangle/compile.h"
#include "mangle/text/parse.h"
#include "mangle/plan/plan.h"

enum stage { STAGE_NONE, STAGE_PARSE, STAGE_CHECK, STAGE_PLAN };

/* What passed since *at was `stage`, if somebody wants to know. */
static void lap(const struct mangle_compile_options *options, enum stage stage, int64_t *at)
{
    if (!options || !options->times || !options->clock)
        return;
    struct mangle_compile_times *t = options->times;
    int64_t now = options->clock(options->clock_context), before = 0;
    int64_t *const spent[] = { &before, &t->parse_ns, &t->check_ns, &t->plan_ns };
    *spent[stage] += now - *at;
    *at = now;
}

enum mangle_status mgi_analyse(mangle_program *p, const struct mangle_source *sources, size_t count,
                               const struct mangle_compile_options *options, mangle_diags *diags)
{
    p->allow_dangerous = options && options->allow_dangerous;
    p->check_bounds = options && options->check_bounds;
    p->doubt_warns = options && options->doubt_warns;
    p->host_source_count = options ? options->host_source_count : 0;
    if (options && options->zones)
        p->zones = *options->zones;
    mgi_diags_begin(diags);
    if (options && options->warnings_are_errors)
        mgi_diags_strict(diags);
    int64_t at = 0;
    lap(options, STAGE_NONE, &at);
    enum mangle_status st = mgi_parse(p, sources, count, diags); /* text to clauses */
    lap(options, STAGE_PARSE, &at);
    /* clang-format off */
    if (!st) st = mgi_packages(p, diags);                        /* full names */
    if (!st) st = mgi_declare(p, options, diags);                /* predicates, arity, Decl */
    if (!st) mgi_resolve(p);                                     /* names to what they mean */
    if (!st) st = mgi_order_premises(p);                         /* tests behind what binds */
    if (!st) st = mgi_check_safety(p, diags);                    /* every variable is bound */
    if (!st) st = mgi_collect(p, diags);                         /* clauses to facts and rules */
    if (!st) st = mgi_check_prefixes(p, diags);                  /* names that only look alike */
    if (!st) st = mgi_check_eternal(p, diags);                   /* @[_] is not "any time" */
    if (!st) st = mgi_stratify(p, diags);                        /* negation reads closed strata */
    if (!st) st = mgi_check_time(p, diags);                      /* rules that can run away */
    if (!st && p->check_bounds) st = mgi_check_bounds(p, diags); /* values fit their types */
    if (!st) st = mgi_separate_trust(p, options, diags);         /* hearsay grants nothing */
    /* clang-format on */
    lap(options, STAGE_CHECK, &at);
    return st;
}

enum mangle_status mangle_compile(const struct mangle_source *sources, size_t count,
                                  const struct mangle_compile_options *options,
                                  mangle_program **out, mangle_diags *diags)
{
    *out = NULL;
    bool runs = !options || !options->check_only;
    mangle_diags *own = diags ? NULL : mangle_diags_new();
    mangle_program *p = mgi_program_new();
    enum mangle_status st = MANGLE_ERR_NOMEM;
    if (p && (diags || own)) {
        mangle_diags *to = diags ? diags : own;
        st = mgi_analyse(p, sources, count, options, to);
        if (!st)
            st = mgi_diags_status(to); /* all is reported: now stop */
        int64_t at = 0;
        lap(options, STAGE_NONE, &at);
        if (!st && runs)
            st = mgi_keep_least(p); /* of what is only asked for its best values */
        if (!st && runs)
            st = mgi_plan(p); /* join order, indexes, filters */
        lap(options, STAGE_PLAN, &at);
        mgi_diags_sort(to);
    }
    if (st || !runs) {
        mgi_program_free(p);
    } else {
        mgi_values_freeze(p->values);
        *out = p;
    }
    mangle_diags_free(own);
    return st;
}
