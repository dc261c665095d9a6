/* What loads but cannot be meant: names that lead nowhere, templates and skills that nothing
 * selects, steps that never run, predicates nobody fills or reads. For `manglecp check`.
 *
 * Names are constants in rules and facts. Where a rule computes a name, as in
 *     tool_relevant_to_intent(T, "observe", 50) :- tool_tag(T, "reader").
 * nothing can be said of what is not named, so the checks for unused things stay silent. */
#include "domain/lint_int.h"

static struct place argument_place(const struct lint *l, const struct head *head, uint32_t column)
{
    return mgi_lint_place(head, mangle_program_argument(l->p, head->clause, column));
}

/* ---- heads --------------------------------------------------------------------------------- */

/* includes_step for a step that is not optional says nothing. */
static void check_optional(struct lint *l, const struct head *head, const struct tool *tool)
{
    struct str id = mgi_lint_constant(l, head, 1);
    const struct step *step = tool && id.ptr ? mgi_lint_step(tool, id) : NULL;
    if (step && !step->optional)
        mgi_lint_at(l, MANGLE_WARNING, "STEP_NOT_OPTIONAL", argument_place(l, head, 1),
                    "Say optional: true in the template, or drop the rule.",
                    mgi_arena_printf(&l->arena, "step %.*s of %.*s is always in the chain",
                                     STR_ARG(id), STR_ARG(tool->name)));
}

static void check_level(struct lint *l, const struct head *head)
{
    struct str level = mgi_lint_constant(l, head, 1);
    if (level.ptr && !str_is(level, "full") && !str_is(level, "condensed") &&
        !str_is(level, "minimal"))
        mgi_lint_at(l, MANGLE_ERROR, "BAD_LEVEL", argument_place(l, head, 1), NULL,
                    "a level is \"full\", \"condensed\" or \"minimal\"");
}

static void check_head(struct lint *l, const struct head *head)
{
    const struct reference *r = head->reference;
    struct str name = mgi_lint_constant(l, head, 0);
    const struct tool *tool =
        r->to[0] == TO_TOOL && name.ptr ? mgi_snapshot_tool(l->s, name) : NULL;
    bool known = tool || r->to[0] != TO_TOOL; /* what belongs to no tool is not looked at */
    for (uint32_t k = 0; k < r->arity && k < 4; k++) {
        bool of_tool = r->to[k] == TO_STEP || r->to[k] == TO_PARAM || r->to[k] == TO_BOUND;
        struct str text = mgi_lint_constant(l, head, k);
        if (text.ptr && (known || !of_tool))
            mgi_lint_name(l, r->to[k], text, tool, false, argument_place(l, head, k));
    }
    if (strcmp(r->name, "macro_tool") == 0)
        check_level(l, head);
    if (strcmp(r->name, "includes_step") == 0)
        check_optional(l, head, tool);
}

static void check_names(struct lint *l)
{
    for (size_t i = 0; i < l->head_count; i++)
        if (l->heads[i].reference)
            check_head(l, &l->heads[i]);
}

/* ---- what is never named ------------------------------------------------------------------- */

static bool is_used(struct lint *l, struct str name, enum refers to, bool selecting)
{
    bool computed = false;
    return mgi_lint_is_named(l, name, to, selecting, &computed) || computed ||
           mgi_lint_in_base(l, name, to, selecting);
}

/* Any string constant of the domain's clauses: an intent may be named in a body. */
static bool is_mentioned(struct lint *l, struct str name)
{
    struct buf quoted = { 0 };
    mgi_buf_printf(&quoted, "\"%.*s\"", STR_ARG(name));
    bool found = quoted.oom;
    for (size_t i = 0; i < mangle_program_source_count(l->p) && !found; i++) {
        struct mangle_source s = mangle_program_source(l->p, i);
        found = s.name[0] != '<' &&
                mgi_str_find((struct str){ s.text, s.len }, mgi_buf_view(&quoted)) != SIZE_MAX;
    }
    mgi_buf_fini(&quoted);
    return found;
}

static void check_steps(struct lint *l, const struct tool *tool)
{
    for (size_t i = 0; i < tool->step_count; i++) {
        const struct step *step = &tool->steps[i];
        const struct json *when = &step->condition.constant;
        bool never = step->has_condition && step->condition.kind == SOURCE_CONST &&
                     (when->type == JSON_NULL || (when->type == JSON_BOOL && !when->boolean));
        bool left_out = step->optional && !is_used(l, step->id, TO_STEP, false);
        if (never || left_out)
            mgi_findings_add(
                l->findings, MANGLE_WARNING, "UNREACHABLE_STEP", tool->file, tool->line, 1,
                left_out ? "Derive includes_step for it, or drop optional: true." : NULL,
                "step %.*s of %.*s never runs", STR_ARG(step->id), STR_ARG(tool->name));
    }
}

static void check_unused(struct lint *l)
{
    const struct snapshot *s = l->s;
    for (size_t i = 0; i < s->tool_count; i++) {
        if (!is_used(l, s->tools[i].name, TO_TOOL, true))
            mgi_findings_add(
                l->findings, MANGLE_WARNING, "UNUSED_TOOL", s->tools[i].file, s->tools[i].line, 1,
                "Derive tool_relevant_to_intent, macro_tool or mandatory_for_intent for it.",
                "no rule selects tool %.*s", STR_ARG(s->tools[i].name));
        check_steps(l, &s->tools[i]);
    }
    for (size_t i = 0; i < s->skill_count; i++)
        if (!is_used(l, s->skills[i].id, TO_SKILL, false)) {
            char *file =
                mgi_arena_printf(&l->arena, "skills/%.*s/SKILL.md", STR_ARG(s->skills[i].id));
            mgi_findings_add(l->findings, MANGLE_WARNING, "UNUSED_SKILL", file ? file : "skills", 0,
                             0, "Derive needs_skill for a tool that needs it.",
                             "no rule injects this skill");
        }
    for (size_t i = 0; i < s->settings.intent_count; i++)
        if (!is_mentioned(l, s->settings.intents[i].name) &&
            !is_used(l, s->settings.intents[i].name, TO_INTENT, true) &&
            !mgi_lint_in_base(l, s->settings.intents[i].name, TO_INTENT, false))
            mgi_findings_add(l->findings, MANGLE_WARNING, "UNSERVED_INTENT", "domain.yaml", 0, 0,
                             NULL, "no rule serves intent %.*s",
                             STR_ARG(s->settings.intents[i].name));
}

/* ---- predicates ---------------------------------------------------------------------------- */

static bool has_base_facts(struct lint *l, mangle_pred pred)
{
    const struct mangle_fact *facts;
    size_t count = 0;
    return mangle_overlay_facts(l->overlay, pred, &facts, &count) == MANGLE_OK && count > 0;
}

static void note_read(const struct lint *l, struct str name, bool *read)
{
    for (mangle_pred i = 0; i < mangle_program_pred_count(l->p); i++)
        read[i] |= str_is(name, mangle_program_pred(l->p, i).name);
}

/* Sets read[pred] of what rules, searches and merges read, in one walk over them for all. */
static void find_read(const struct lint *l, bool *read)
{
    for (size_t i = 0; i < mangle_program_rule_count(l->p); i++) {
        struct mangle_rule_view r = mangle_program_rule(l->p, i);
        for (size_t k = 0; k < r.body_count; k++)
            read[r.body[k]] = true;
    }
    for (size_t i = 0; i < l->s->external_count; i++)
        if (l->s->externals[i].search.over.ptr)
            note_read(l, l->s->externals[i].search.over, read);
    for (mangle_pred i = 0; i < mangle_program_pred_count(l->p); i++) {
        const char *by =
            mgi_descriptor_text(l->p, i, "merge", 1); /* merge([C], "least") reads least */
        if (by)
            note_read(l, str_of(by), read);
    }
}

/* What is known of a predicate of the domain, and what it lacks. */
struct pred_use {
    bool own; /* not the server's */
    bool lacks_facts, lacks_readers;
};

static struct pred_use use_of(struct lint *l, mangle_pred pred, bool read)
{
    struct mangle_pred_view v = mangle_program_pred(l->p, pred);
    if (l->s->pred_layers[pred] == LAYER_PIPELINE || !v.file)
        return (struct pred_use){ 0 };
    const struct pred_schema *schema = mgi_profile_find(&l->s->profile, str_of(v.name));
    bool sent = schema && schema->direction != DIRECTION_OUTPUT; /* clients fill it */
    bool shown = schema && schema->direction != DIRECTION_INPUT; /* clients read it */
    sent |= mgi_external(l->s, str_of(v.name)) != NULL;          /* it is answered from elsewhere */
    /* A vocabulary, of which rules read what they need. */
    bool evidence = mgi_profile_find(&l->s->evidence, str_of(v.name)) != NULL;
    sent |= evidence;
    shown |= evidence;
    /* Others may fill it, and need not. */
    bool offered = mgi_descriptor_text(l->p, pred, "open_to", 0) != NULL;
    return (struct pred_use){ .own = true,
                              .lacks_facts = read && !sent && !offered && !v.derived &&
                                             !has_base_facts(l, pred),
                              .lacks_readers = !read && !shown };
}

/* Does a domain answer this predicate? */
static bool is_answer(const struct lint *l, mangle_pred pred)
{
    return l->s->pred_layers[pred] == LAYER_PIPELINE &&
           mgi_descriptor_text(l->p, pred, "open_to", 0) != NULL;
}

/* Of what nobody reads: the predicate that the server reads, or that rules read and nothing fills,
 * which may be meant. */
static const char *meant_head(struct lint *l, const char *name, const struct pred_use *uses)
{
    struct near near = mgi_near(str_of(name));
    for (mangle_pred i = 0; i < mangle_program_pred_count(l->p); i++) {
        struct mangle_pred_view v = mangle_program_pred(l->p, i);
        if (is_answer(l, i) || uses[i].lacks_facts)
            mgi_near_try(&near, str_of(v.name));
    }
    return mgi_lint_near(l, &near, NULL);
}

/* Of what nothing fills: what is filled, and nobody reads. */
static const char *meant_premise(struct lint *l, const char *name, const struct pred_use *uses)
{
    struct near near = mgi_near(str_of(name));
    for (mangle_pred i = 0; i < mangle_program_pred_count(l->p); i++)
        if (uses[i].lacks_readers)
            mgi_near_try(&near, str_of(mangle_program_pred(l->p, i).name));
    return mgi_lint_near(l, &near, "Add facts or rules for it, or give its Decl a direction.");
}

static void check_predicates(struct lint *l)
{
    size_t count = mangle_program_pred_count(l->p);
    struct pred_use *uses = mgi_arena_calloc(&l->arena, count + 1, sizeof *uses);
    bool *read = mgi_arena_calloc(&l->arena, count + 1, sizeof *read);
    if (!uses || !read) {
        mgi_findings_lack_memory(l->findings, "rules");
        return;
    }
    find_read(l, read);
    for (mangle_pred i = 0; i < count; i++)
        uses[i] = use_of(l, i, read[i]);
    for (mangle_pred i = 0; i < count; i++) {
        struct mangle_pred_view v = mangle_program_pred(l->p, i);
        if (uses[i].lacks_facts)
            mgi_findings_add(l->findings, MANGLE_WARNING, "NEVER_FILLED", v.file, v.line, 1,
                             meant_premise(l, v.name, uses), "rules read %s, and nothing fills it",
                             v.name);
        if (uses[i].lacks_readers)
            mgi_findings_add(l->findings, MANGLE_WARNING, "NEVER_READ", v.file, v.line, 1,
                             meant_head(l, v.name, uses), "no rule reads %s", v.name);
    }
}

/* Does some clause say serves_intent for the tool? */
static bool is_served(const struct lint *l, struct str tool)
{
    for (size_t i = 0; i < l->head_count; i++)
        if (l->heads[i].reference && strcmp(l->heads[i].reference->name, "serves_intent") == 0 &&
            str_eq(mgi_lint_constant(l, &l->heads[i], 0), tool))
            return true;
    return false;
}

static bool reads_any(const struct lint *l, size_t rule, const bool *preds)
{
    if (rule == SIZE_MAX)
        return false;
    struct mangle_rule_view r = mangle_program_rule(l->p, rule);
    for (size_t k = 0; k < r.body_count; k++)
        if (preds[r.body[k]])
            return true;
    return false;
}

/* A macro_tool rule that never looks at the intent shows its tool whatever is asked. */
static void check_unscoped(struct lint *l)
{
    mangle_pred macro = l->s->pred.macro_tool;
    size_t preds = mangle_program_pred_count(l->p), rules = mangle_program_rule_count(l->p);
    bool *scoped = mgi_arena_calloc(&l->arena, preds + 1, sizeof *scoped);
    if (!scoped || macro == MANGLE_NO_PRED || l->s->pred.intent_type == MANGLE_NO_PRED)
        return;
    scoped[l->s->pred.intent_type] = true;
    for (bool grew = true; grew;) { /* who reads it, directly or not */
        grew = false;
        for (size_t i = 0; i < rules; i++) {
            struct mangle_rule_view r = mangle_program_rule(l->p, i);
            for (size_t k = 0; !scoped[r.head] && r.head != macro && k < r.body_count; k++)
                if (scoped[r.body[k]])
                    scoped[r.head] = grew = true;
        }
    }
    for (size_t i = 0; i < l->head_count; i++) {
        const struct head *head = &l->heads[i];
        if (head->pred != macro)
            continue;
        struct str tool = mgi_lint_constant(l, head, 0);
        if (tool.ptr && !is_served(l, tool) && !reads_any(l, head->rule, scoped))
            mgi_lint_at(
                l, MANGLE_WARNING, "UNSCOPED", head->place,
                "Add intent_type(_, \"...\") to the body, or say serves_intent for the tool.",
                mgi_arena_printf(&l->arena, "tool %.*s is offered whatever the intent is",
                                 STR_ARG(tool)));
    }
}

/* ---- the whole ----------------------------------------------------------------------------- */

void mgi_domain_lint(const struct snapshot *s, struct findings *findings)
{
    struct lint l = { .s = s, .p = s->program, .findings = findings };
    struct mangle_limits limits = { 0 };
    mgi_arena_init(&l.arena, 0);
    mgi_strmap_init(&l.named);
    enum mangle_status st = mangle_overlay_new(s->base, &l.overlay);
    if (!st)
        st = mangle_overlay_eval(l.overlay, 0, &limits, NULL, NULL);
    if (!st && !(mgi_lint_heads(&l) && mgi_lint_named(&l)))
        st = MANGLE_ERR_NOMEM;
    if (st) {
        mgi_findings_add(findings, MANGLE_ERROR, "LINT", "rules", 0, 0, NULL,
                         "the base could not be evaluated: %s", mangle_status_text(st));
    } else {
        mgi_lint_types(&l);
        check_names(&l);
        mgi_lint_reads(&l);
        mgi_lint_bound(&l);
        mgi_lint_delta(&l);
        mgi_lint_menus(&l);
        mgi_lint_trust(&l);
        check_unused(&l);
        check_predicates(&l);
        check_unscoped(&l);
        mgi_lint_masking(&l);
    }
    if (l.overlay)
        mangle_overlay_free(l.overlay);
    mgi_strmap_fini(&l.named);
    mgi_buf_fini(&l.key);
    mgi_arena_fini(&l.arena);
}
