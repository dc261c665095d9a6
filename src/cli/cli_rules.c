/* What rules cost, for people and programs. */
#include "cli/cli_rules.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/time.h"
#include "cli/cli_options.h"

/* ---- the dearest ------------------------------------------------------------------------- */

struct ranked {
    size_t rule;
    struct mangle_rule_cost cost;
    size_t sharing; /* so many others are found by its search */
};

/* By time; without a clock, or where it is too coarse, by rows. */
static int compare_ranked(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->cost.ns != b->cost.ns)
        return a->cost.ns > b->cost.ns ? -1 : 1;
    if (a->cost.tried != b->cost.tried)
        return a->cost.tried > b->cost.tried ? -1 : 1;
    return a->rule < b->rule ? -1 : a->rule > b->rule;
}

/* Those that cost anything, the dearest first; the caller's. NULL: memory, said. */
static struct ranked *rank_rules(const mangle_profile *profile, size_t *count, int64_t *sum_ns)
{
    size_t total = mangle_program_rule_count(mangle_profile_program(profile));
    struct ranked *rules = mgi_calloc(total + 1, sizeof *rules);
    *count = 0;
    *sum_ns = 0;
    if (!rules) {
        mgi_cli_error("out of memory");
        return NULL;
    }
    for (size_t r = 0; r < total; r++)
        rules[r] = (struct ranked){ .rule = r, .cost = mangle_profile_rule(profile, r) };
    for (size_t r = 0; r < total; r++)
        rules[rules[r].cost.shared_with].sharing += rules[r].cost.shared_with != r;
    for (size_t r = 0; r < total; r++) {
        *sum_ns += rules[r].cost.ns;
        if (rules[r].cost.runs || rules[r].cost.heads)
            rules[(*count)++] = rules[r];
    }
    if (*count)
        qsort(rules, *count, sizeof *rules, compare_ranked);
    return rules;
}

/* What took most of the rule's time. */
static const char *dearest_order(const mangle_profile *profile, const struct ranked *r)
{
    const char *order = "";
    int64_t most = -1;
    for (size_t i = 0; i < r->cost.plan_count; i++) {
        struct mangle_plan_cost plan = mangle_profile_plan(profile, r->rule, i);
        if (plan.ns > most) {
            most = plan.ns;
            order = plan.order;
        }
    }
    return order;
}

static void print_rule(FILE *to, const mangle_profile *profile, const struct ranked *r,
                       int64_t sum_ns)
{
    const struct cli_style *s = mgi_cli_style(to);
    struct mangle_rule_view view = mangle_program_rule(mangle_profile_program(profile), r->rule);
    const char *order = dearest_order(profile, r);
    fprintf(to,
            "%9.3f ms %5.1f%% %8" PRId64 " %12" PRId64 " %11" PRId64 " %11" PRId64 "  %s%s:%" PRIu32
            "%s  %s\n",
            (double)r->cost.ns / 1e6, sum_ns ? 100.0 * (double)r->cost.ns / (double)sum_ns : 0.0,
            r->cost.rounds, r->cost.tried, r->cost.derived, r->cost.duplicates, s->bold, view.file,
            view.line, s->reset, view.text);
    if (order[0] || r->sharing)
        fprintf(to, "%67s%s%s", "", s->dim, order);
    if (r->sharing)
        fprintf(to, "%sand for %zu more rule%s", order[0] ? "; " : "", r->sharing,
                r->sharing == 1 ? "" : "s");
    if (order[0] || r->sharing)
        fprintf(to, "%s\n", s->reset);
}

void mgi_rules_table(FILE *to, const mangle_profile *profile, size_t most)
{
    const struct cli_style *s = mgi_cli_style(to);
    size_t count;
    int64_t sum_ns;
    struct ranked *rules = rank_rules(profile, &count, &sum_ns);
    if (rules && count)
        fprintf(to, "%s%12s %6s %8s %12s %11s %11s  rule%s\n", s->bold, "time", "share", "rounds",
                "rows tried", "derived", "duplicates", s->reset);
    for (size_t i = 0; rules && i < count && i < most; i++)
        print_rule(to, profile, &rules[i], sum_ns);
    if (rules && count > most)
        fprintf(to, "%12s %zu more rules ran\n", "", count - most);
    mgi_free(rules);
}

/* ---- JSON -------------------------------------------------------------------------------- */

static void write_plans(struct json_writer *w, const mangle_profile *profile, size_t rule,
                        size_t count)
{
    mgi_jw_key(w, "plans");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < count; i++) {
        struct mangle_plan_cost plan = mangle_profile_plan(profile, rule, i);
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "order", plan.order);
        mgi_jw_member_int(w, "ns", plan.ns);
        mgi_jw_member_int(w, "runs", plan.runs);
        mgi_jw_member_int(w, "tried", plan.tried);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

static void write_premises(struct json_writer *w, const mangle_profile *profile, size_t rule,
                           size_t count)
{
    mgi_jw_key(w, "premises");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < count; i++) {
        struct mangle_premise_cost cost = mangle_profile_premise(profile, rule, i);
        if (i + 1 == count && cost.tried == 0)
            break; /* nothing was asked for */
        char *text = mangle_profile_premise_text(profile, rule, i);
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "premise", text ? text : "");
        mgi_jw_member_int(w, "tried", cost.tried);
        mgi_jw_member_int(w, "found", cost.found);
        mgi_jw_end_object(w);
        mangle_free(text);
    }
    mgi_jw_end_array(w);
}

void mgi_rules_members(struct json_writer *w, const mangle_profile *profile, size_t rule)
{
    struct mangle_rule_cost cost = mangle_profile_rule(profile, rule);
    mgi_jw_member_int(w, "ns", cost.ns);
    mgi_jw_member_int(w, "runs", cost.runs);
    mgi_jw_member_int(w, "rounds", cost.rounds);
    mgi_jw_member_int(w, "tried", cost.tried);
    mgi_jw_member_int(w, "heads", cost.heads);
    mgi_jw_member_int(w, "derived", cost.derived);
    mgi_jw_member_int(w, "duplicates", cost.duplicates);
    if (cost.shared_with != rule)
        mgi_jw_member_int(w, "shared_with", (int64_t)cost.shared_with);
    write_plans(w, profile, rule, cost.plan_count);
    write_premises(w, profile, rule, cost.premise_count);
}

/* ---- flame graphs ------------------------------------------------------------------------ */

/* What separates frames, and stacks, cannot be part of one. */
static void put_frame(struct buf *out, const char *text)
{
    for (; *text; text++)
        mgi_buf_putc(out, *text == ';' ? ',' : *text == '\n' ? ' ' : *text);
}

static int64_t print_stack(FILE *to, const struct buf *stack, const char *frame, int64_t ns)
{
    struct buf line = { 0 };
    put_frame(&line, frame);
    if (ns > 0)
        fprintf(to, "%s;%s %" PRId64 "\n", mgi_buf_view(stack).ptr, mgi_buf_view(&line).ptr, ns);
    mgi_buf_fini(&line);
    return ns > 0 ? ns : 0;
}

/* The premises, then the head, which gets what rounding left. */
static void print_shares(FILE *to, const mangle_profile *profile, size_t rule,
                         const struct mangle_rule_cost *cost, const struct buf *stack)
{
    double parts = (double)cost->tried + (double)cost->heads, spent = (double)cost->ns;
    int64_t left = cost->ns;
    for (size_t i = 0; i < cost->premise_count && parts > 0.0; i++) {
        struct mangle_premise_cost premise = mangle_profile_premise(profile, rule, i);
        int64_t share = (int64_t)(spent * ((double)premise.tried / parts));
        char *text = mangle_profile_premise_text(profile, rule, i);
        left -= print_stack(to, stack, text ? text : "", share);
        mangle_free(text);
    }
    print_stack(to, stack, "head", left);
}

int64_t mgi_rules_folded(FILE *to, const mangle_profile *profile, const char *root,
                         uint32_t stratum)
{
    const mangle_program *p = mangle_profile_program(profile);
    int64_t sum = 0;
    for (size_t r = 0; r < mangle_program_rule_count(p); r++) {
        struct mangle_rule_view view = mangle_program_rule(p, r);
        struct mangle_rule_cost cost = mangle_profile_rule(profile, r);
        struct buf stack = { 0 };
        if (cost.ns <= 0 || mangle_program_pred(p, view.head).stratum != stratum)
            continue;
        mgi_buf_printf(&stack, "%s;stratum %" PRIu32 ";", root, stratum);
        put_frame(&stack, view.file);
        mgi_buf_printf(&stack, ":%" PRIu32 " ", view.line);
        put_frame(&stack, view.text);
        if (!stack.oom)
            print_shares(to, profile, r, &cost, &stack);
        mgi_buf_fini(&stack);
        sum += cost.ns;
    }
    return sum;
}
