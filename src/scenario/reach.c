/* How far the scenarios reach: which rules of the domain fired in some of them, which tools were
 * shown and invoked. The engine counts by rule (mangle_overlay_firings), for the evaluation and for
 * the effects rules of each invocation. */
#include <stdlib.h>

#include "scenario/scenario_int.h"

/* The standard rules are not the author's. */
static bool is_own(const struct mangle_rule_view *v)
{
    return mgi_str_starts(str_of(v->file), STR_LIT("rules/"));
}

static bool begin_rules(struct run *r)
{
    size_t count = mangle_program_rule_count(r->s->program);
    struct scenario_report *report = r->report;
    r->fired = mgi_arena_calloc(r->yaml.arena, count + 1, sizeof *r->fired);
    report->rules = mgi_arena_calloc(r->yaml.arena, count + 1, sizeof *report->rules);
    if (!r->fired || !report->rules)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct mangle_rule_view v = mangle_program_rule(r->s->program, i);
        if (is_own(&v))
            report->rules[report->rule_count++] =
                (struct rule_reach){ .file = v.file, .text = v.text, .line = v.line };
    }
    return true;
}

bool mgi_reach_begin(struct run *r)
{
    struct scenario_report *report = r->report;
    if (!r->options || !r->options->coverage)
        return true;
    report->tools = mgi_arena_calloc(r->yaml.arena, r->s->tool_count + 1, sizeof *report->tools);
    if (!report->tools || !begin_rules(r))
        return false;
    for (size_t i = 0; i < r->s->tool_count; i++)
        report->tools[report->tool_count++].name = r->s->tools[i].name;
    return true;
}

void mgi_reach_scenario(struct run *r)
{
    struct scenario_report *report = r->report;
    size_t own = 0;
    if (!r->fired)
        return;
    for (size_t i = 0; i < mangle_program_rule_count(r->s->program); i++) {
        struct mangle_rule_view v = mangle_program_rule(r->s->program, i);
        if (is_own(&v))
            report->rules[own++].scenarios += r->fired[i] > 0;
        r->fired[i] = 0;
    }
    for (size_t i = 0; i < report->tool_count; i++)
        report->tools[i].shown += mgi_scenario_tool(r, report->tools[i].name) != NULL;
}

void mgi_reach_invoked(struct run *r, const struct tool *tool)
{
    for (size_t i = 0; i < r->report->tool_count; i++)
        r->report->tools[i].invoked += str_eq(r->report->tools[i].name, tool->name);
}

static int compare_rules(const void *left, const void *right)
{
    const struct rule_reach *a = left, *b = right;
    int by_file = strcmp(a->file, b->file);
    return by_file ? by_file : a->line < b->line ? -1 : a->line > b->line;
}

void mgi_reach_end(struct run *r)
{
    if (r->report->rule_count > 0)
        qsort(r->report->rules, r->report->rule_count, sizeof *r->report->rules, compare_rules);
}
