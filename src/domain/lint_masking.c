/* Masking that masks nothing: a predicate, an argument, a tool or a property that is not there. Who
 * wrote it believes that something is hidden which may stand in a log. */
#include "domain/lint_int.h"

static void warn_of(struct lint *l, const struct mask_rule *rule, const char *hint,
                    const char *message)
{
    mgi_findings_add(l->findings, MANGLE_WARNING, "MASKS_NOTHING", rule->origin, rule->line,
                     rule->column, hint, "%s", message ? message : "out of memory");
}

/* ---- facts --------------------------------------------------------------------------------- */

static bool has_predicate(const struct lint *l, struct str name)
{
    for (mangle_pred i = 0; i < mangle_program_pred_count(l->p); i++)
        if (str_is(name, mangle_program_pred(l->p, i).name))
            return true;
    return false;
}

static void check_masked_fact(struct lint *l, const struct mask_rule *rule)
{
    if (!has_predicate(l, rule->subject)) {
        struct near near = mgi_near(rule->subject);
        for (mangle_pred i = 0; i < mangle_program_pred_count(l->p); i++)
            mgi_near_try(&near, str_of(mangle_program_pred(l->p, i).name));
        warn_of(l, rule, mgi_lint_near(l, &near, NULL),
                mgi_arena_printf(&l->arena, "there is no predicate %.*s to mask",
                                 STR_ARG(rule->subject)));
    } else if (rule->written.len > 0 && rule->argument == MASK_EVERY_ARGUMENT) {
        warn_of(l, rule, "Arguments have the names of the Decl, or numbers from 1.",
                mgi_arena_printf(&l->arena,
                                 "%.*s has no argument %.*s: every argument of it is masked",
                                 STR_ARG(rule->subject), STR_ARG(rule->written)));
    }
}

/* ---- tools --------------------------------------------------------------------------------- */

/* The first token of a pointer, if it is a plain name. */
static struct str first_token(struct str path)
{
    struct str rest = { path.ptr + 1, path.len > 0 ? path.len - 1 : 0 };
    const char *slash = rest.len > 0 ? memchr(rest.ptr, '/', rest.len) : NULL;
    if (slash)
        rest.len = (size_t)(slash - rest.ptr);
    bool plain = rest.len > 0 && !str_is(rest, "*") && !memchr(rest.ptr, '~', rest.len);
    return plain ? rest : (struct str){ NULL, 0 };
}

static void check_masked_member(struct lint *l, const struct mask_rule *rule,
                                const struct json *schema, const char *what)
{
    const struct json *properties = schema ? mgi_json_get(schema, "properties") : NULL;
    struct str name = first_token(rule->path);
    if (!properties || properties->type != JSON_OBJECT || !name.ptr ||
        mgi_json_get_str(properties, name))
        return;
    struct near near = mgi_near(name);
    for (uint32_t i = 0; i < properties->count; i++)
        mgi_near_try(&near, properties->members[i].name);
    warn_of(l, rule, mgi_lint_near(l, &near, NULL),
            mgi_arena_printf(&l->arena, "tool %.*s has no %s %.*s to mask", STR_ARG(rule->subject),
                             what, STR_ARG(name)));
}

static void check_masked_tool(struct lint *l, const struct mask_rule *rule)
{
    const struct tool *tool = mgi_snapshot_tool(l->s, rule->subject);
    bool of_results = rule->place == MASK_RESULTS;
    if (!tool) {
        struct near near = mgi_near(rule->subject);
        for (size_t i = 0; i < l->s->tool_count; i++)
            mgi_near_try(&near, l->s->tools[i].name);
        warn_of(
            l, rule, mgi_lint_near(l, &near, NULL),
            mgi_arena_printf(&l->arena, "there is no tool %.*s to mask", STR_ARG(rule->subject)));
    } else if (of_results) {
        check_masked_member(l, rule, tool->has_output_schema ? &tool->output_schema : NULL,
                            "member of its result");
    } else {
        check_masked_member(l, rule, &tool->input_schema, "argument");
    }
}

void mgi_lint_masking(struct lint *l)
{
    const struct masking *m = &l->s->masking;
    for (size_t i = 0; i < m->count; i++) {
        const struct mask_rule *rule = &m->rules[i];
        if (rule->place == MASK_FACTS)
            check_masked_fact(l, rule);
        else if (rule->place != MASK_PARAMS) /* nothing declares parameters */
            check_masked_tool(l, rule);
    }
}
