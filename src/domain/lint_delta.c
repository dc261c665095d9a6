/* What rules say of an outcome: delta_assert("vent", [Zone, 40], "server") and its like. A fact
 * that a client could not send back is left out of every delta (P-DELTA-10), so a name, a number of
 * arguments or a direction that cannot be right is found here. */
#include "domain/lint_int.h"

static const struct told {
    const char *name;
    uint32_t arity;
    bool asserts;  /* the client is to have it, and to send it */
    bool category; /* the third argument */
    bool during;
} told[] = {
    { "delta_assert", 3, true, true, false },
    { "delta_assert_during", 5, true, true, true },
    { "delta_retract", 2, false, false, false },
    { "continuation_fact", 2, true, false, false },
};

static const struct told *told_by(const struct lint *l, const struct head *head)
{
    struct mangle_pred_view v = mangle_program_pred(l->p, head->pred);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (told[i].arity == v.arity && strcmp(told[i].name, v.name) == 0)
            return &told[i];
    return NULL;
}

/* The schema of the predicate with so many arguments, else the first of its name. */
static const struct pred_schema *schema_of(const struct lint *l, struct str name, uint32_t count)
{
    const struct fact_profile *profile = &l->s->profile;
    for (size_t i = 0; i < profile->count; i++)
        if (profile->schemas[i].arity == count && str_eq(profile->schemas[i].predicate, name))
            return &profile->schemas[i];
    return mgi_profile_find(profile, name);
}

static bool is_internal(const struct lint *l, struct str name)
{
    for (mangle_pred i = 0; i < mangle_program_pred_count(l->p); i++)
        if (str_is(name, mangle_program_pred(l->p, i).name))
            return true;
    return false;
}

/* What actions tell the rules, the rules cannot tell a client. */
static bool tells_evidence(struct lint *l, struct str name, struct place at)
{
    if (!mgi_profile_find(&l->s->evidence, name))
        return false;
    mgi_lint_at(
        l, MANGLE_ERROR, "OUTPUT_ONLY", at,
        "Tell a predicate of another name, with direction(\"both\").",
        mgi_arena_printf(&l->arena,
                         "%.*s has direction evidence: no delta brings what clients neither "
                         "see nor send",
                         STR_ARG(name)));
    return true;
}

static void unknown_predicate(struct lint *l, struct str name, struct place at)
{
    struct near near = mgi_near(name);
    for (size_t i = 0; i < l->s->profile.count; i++)
        mgi_near_try(&near, l->s->profile.schemas[i].predicate);
    const char *hint = "Declare it in rules/schema with direction(\"both\").";
    mgi_lint_at(
        l, MANGLE_ERROR, "UNKNOWN_PRED", at,
        is_internal(l, name) ? hint : mgi_lint_near(l, &near, hint),
        mgi_arena_printf(&l->arena,
                         is_internal(l, name)
                             ? "%.*s has no direction, so clients can neither keep nor send it"
                             : "no Decl with a direction names a predicate \"%.*s\"",
                         STR_ARG(name)));
}

static void check_told(struct lint *l, const struct head *head, const struct told *t,
                       struct str name)
{
    struct mangle_argument_view pred = mangle_program_argument(l->p, head->clause, 0);
    struct mangle_argument_view args = mangle_program_argument(l->p, head->clause, 1);
    const struct pred_schema *schema = schema_of(l, name, args.items);
    struct place at = mgi_lint_place(head, pred);
    if (!schema) {
        if (!tells_evidence(l, name, at))
            unknown_predicate(l, name, at);
        return;
    }
    if (args.items != UINT32_MAX && args.items != schema->arity)
        mgi_lint_at(l, MANGLE_ERROR, "ARITY", mgi_lint_place(head, args), NULL,
                    mgi_arena_printf(&l->arena, "%.*s has %u argument%s, not %u", STR_ARG(name),
                                     schema->arity, schema->arity == 1 ? "" : "s", args.items));
    if (t->asserts && schema->direction == DIRECTION_OUTPUT)
        mgi_lint_at(l, MANGLE_ERROR, "OUTPUT_ONLY", at, "Give it direction(\"both\").",
                    mgi_arena_printf(&l->arena,
                                     "%.*s has direction output: no delta brings what a client may "
                                     "not send back",
                                     STR_ARG(name)));
    if (t->during && !schema->temporal)
        mgi_lint_at(l, MANGLE_ERROR, "NOT_TEMPORAL", at,
                    "Say temporal in its Decl, or use delta_assert.",
                    mgi_arena_printf(&l->arena, "%.*s is not temporal: it takes no interval",
                                     STR_ARG(name)));
}

/* What was signed holds until its signature is too old, whatever is said later. */
static void check_retracted(struct lint *l, const struct head *head, const struct told *t,
                            struct str name)
{
    struct mangle_argument_view args = mangle_program_argument(l->p, head->clause, 1);
    const struct pred_schema *schema = schema_of(l, name, args.items);
    if (!t->asserts && schema && schema->vouched)
        mgi_lint_at(l, MANGLE_WARNING, "RETRACT_SIGNED",
                    mgi_lint_place(head, mangle_program_argument(l->p, head->clause, 0)),
                    "Let what was signed hold for a time only, or keep what counts on the server.",
                    mgi_arena_printf(&l->arena,
                                     "a client may go on sending %.*s with its signature: what is "
                                     "privileged is not taken back by a retraction",
                                     STR_ARG(name)));
}

static void check_category(struct lint *l, const struct head *head)
{
    struct mangle_argument_view a = mangle_program_argument(l->p, head->clause, 2);
    struct str category = mgi_lint_text(l, a);
    if (category.ptr && !str_is(category, "server") && !str_is(category, "session") &&
        !str_is(category, "derived"))
        mgi_lint_at(l, MANGLE_ERROR, "BAD_CATEGORY", mgi_lint_place(head, a), NULL,
                    "a category is \"server\", \"session\" or \"derived\"");
}

void mgi_lint_delta(struct lint *l)
{
    for (size_t i = 0; i < l->head_count; i++) {
        const struct head *head = &l->heads[i];
        const struct told *t = told_by(l, head);
        if (!t)
            continue;
        struct str name = mgi_lint_text(l, mangle_program_argument(l->p, head->clause, 0));
        if (name.ptr) {
            check_told(l, head, t, name);
            check_retracted(l, head, t, name);
        }
        if (t->category)
            check_category(l, head);
    }
}
