/* What can be said of all tools together, before it is known which one will run: what may happen at
 * worst. Worked out once, of every action that a chain may have (of a menu each, and what undoes
 * them). A rule of the domain that says effects of its own may say anything, so then nothing less
 * than the worst holds. */
#include "domain/domain_int.h"

/* What is known of the world that an effect touches; any other effect touches all of it. */
static const struct effect_kind {
    const char *effect;
    bool reads; /* no more than that */
} closed_effects[] = {
    { "none", true },        { "x-filesystem-read", true }, { "x-database-read", true },
    { "filesystem", false }, { "database", false },         { "destructive", false },
};
static const char *const grave_effects[] = { "destructive", "payments", "authentication" };

static bool has_effect(const struct action *a, const char *effect)
{
    for (size_t i = 0; i < a->effect_count; i++)
        if (str_is(a->effects[i], effect))
            return true;
    return false;
}

static const struct effect_kind *kind_of(struct str effect)
{
    for (size_t i = 0; i < sizeof closed_effects / sizeof *closed_effects; i++)
        if (str_is(effect, closed_effects[i].effect))
            return &closed_effects[i];
    return NULL;
}

/* Files and databases are one category each; the mark beside it says that they are read alone. */
static bool only_reads(const struct action *a, struct str effect)
{
    const struct effect_kind *kind = kind_of(effect);
    return (kind && kind->reads) ||
           (str_is(effect, "filesystem") && has_effect(a, "x-filesystem-read")) ||
           (str_is(effect, "database") && has_effect(a, "x-database-read"));
}

static void take_action_in(struct run_hints *hints, const struct action *a)
{
    bool reads = a->effect_count > 0, grave = a->effect_count == 0;
    for (size_t i = 0; i < a->effect_count; i++) {
        reads = reads && only_reads(a, a->effects[i]);
        hints->open_world |= !kind_of(a->effects[i]);
    }
    for (size_t i = 0; i < sizeof grave_effects / sizeof *grave_effects; i++)
        grave = grave || has_effect(a, grave_effects[i]);
    hints->open_world |= a->effect_count == 0;
    hints->read_only &= reads;
    hints->destructive |= !reads && (grave || !a->reversible);
    hints->idempotent &= a->idempotent;
}

static void take_step_in(struct run_hints *hints, const struct step *step)
{
    for (size_t i = 0; i < mgi_step_actions(step); i++) {
        const struct compensation *undo = mgi_step_undo(step, i);
        take_action_in(hints, mgi_step_action(step, i));
        if (undo->action)
            take_action_in(hints, undo->action);
    }
}

static bool rules_say_effects(const struct snapshot *s)
{
    size_t count = s->program ? mangle_program_clause_count(s->program) : 0;
    for (size_t i = 0; i < count; i++) {
        struct mangle_clause_view c = mangle_program_clause(s->program, i);
        if (!c.declaration && c.head == s->pred.macro_has_side_effect &&
            mangle_program_source(s->program, c.source).name[0] != '<')
            return true;
    }
    return false;
}

struct run_hints mgi_load_hints(const struct snapshot *s)
{
    struct run_hints hints = { .read_only = true, .idempotent = true };
    for (size_t i = 0; i < s->tool_count; i++)
        for (size_t k = 0; k < s->tools[i].step_count; k++)
            take_step_in(&hints, &s->tools[i].steps[k]);
    return rules_say_effects(s) ? RUN_HINTS_WORST : hints;
}
