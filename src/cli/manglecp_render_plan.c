/* A dry run, for people: the chain that would run, a line a step, and what belongs to the whole. */
#include <inttypes.h>
#include <string.h>

#include "cli/manglecp_render.h"
#include "cli/manglecp_view.h"

/* Where it stands in the graph, if that is not a list; and what undoes it. */
static void print_place(struct view *v, const struct json *step)
{
    const struct json *beside = mgi_json_get(step, "beside");
    const struct json *foreach = mgi_json_get(step, "foreach");
    const struct json *undo = mgi_json_get(step, "compensation");
    if (mgi_view_count(beside))
        fprintf(v->to, "           beside %s\n", mgi_view_joined(v, beside));
    if (foreach)
        fprintf(v->to, "           for each of %s%" PRId64 " items, %" PRId64 " at once\n",
                mgi_json_get(foreach, "items") ? "" : "at most ",
                mgi_view_number(foreach, "items", mgi_view_number(foreach, "max", 0)),
                mgi_view_number(foreach, "parallel", 1));
    if (undo)
        fprintf(v->to, "           undone by %s\n", mgi_view_text(v, undo, "action"));
}

static void print_step(struct view *v, const struct json *step)
{
    const struct cli_style *s = v->style;
    const char *runs = mgi_view_text(v, step, "runs");
    const char *problem = mgi_view_text(v, step, "problem");
    const char *colour = strcmp(runs, "always") == 0  ? s->green
                         : strcmp(runs, "never") == 0 ? s->dim
                                                      : s->yellow;
    fprintf(v->to, "  %s%-8s%s %s%s%s  %s", colour, runs, s->reset, s->bold,
            mgi_view_text(v, step, "id"), s->reset, mgi_view_text(v, step, "action"));
    if (mgi_view_count(mgi_json_get(step, "side_effects")))
        fprintf(v->to, "  (%s%s)", mgi_view_joined(v, mgi_json_get(step, "side_effects")),
                mgi_view_true(step, "reversible") ? "" : ", cannot be undone");
    fputc('\n', v->to);
    print_place(v, step);
    if (mgi_view_count(mgi_json_get(step, "depends_on")))
        fprintf(v->to, "           if what comes out of %s says so\n",
                mgi_view_joined(v, mgi_json_get(step, "depends_on")));
    if (problem[0])
        fprintf(v->to, "           %swould fail%s: %s\n", s->red, s->reset, problem);
}

static void print_arguments(struct view *v, const struct json *plan)
{
    const struct json *args = mgi_json_get(plan, "args");
    for (uint32_t i = 0; args && args->type == JSON_OBJECT && i < args->count; i++)
        fprintf(v->to, "  with     %s=%s\n", mgi_view_name(v, args->members[i].name),
                mgi_view_value(v, &args->members[i].value));
    mgi_view_bound(v, mgi_json_get(plan, "bound"));
}

static void print_estimate(struct view *v, const struct json *estimate)
{
    int64_t time_ms = mgi_view_number(estimate, "time_ms", 0);
    int64_t tokens = mgi_view_number(estimate, "tokens", 0);
    fprintf(v->to, "  time     ");
    if (time_ms)
        fprintf(v->to, "about %" PRId64 " ms, ", time_ms);
    fprintf(v->to, "at most %" PRId64 " ms\n", mgi_view_number(estimate, "at_most_ms", 0));
    if (tokens)
        fprintf(v->to, "  tokens   about %" PRId64 " of result\n", tokens);
}

void mgi_render_plan(FILE *to, const struct json *plan)
{
    struct view v;
    mgi_view_open(&v, to);
    const struct json *steps = mgi_json_get(plan, "steps");
    const struct json *confirmation = mgi_json_get(plan, "confirmation");
    fprintf(to, "  %sdry run of %s%s: nothing was run\n", v.style->bold,
            mgi_view_text(&v, plan, "tool"), v.style->reset);
    print_arguments(&v, plan);
    for (uint32_t i = 0; i < mgi_view_count(steps); i++)
        print_step(&v, &steps->items[i]);
    fprintf(to, "  effects  %s; it %s\n", mgi_view_joined(&v, mgi_json_get(plan, "side_effects")),
            mgi_view_true(plan, "reversible") ? "can be undone" : "cannot be undone");
    if (mgi_view_true(plan, "transaction"))
        fprintf(to, "           if it ends early, what was done is undone\n");
    if (mgi_view_true(confirmation, "required"))
        fprintf(to, "  consent  %s\n",
                mgi_view_true(confirmation, "given") ? "is given" : "the user is asked first");
    print_estimate(&v, mgi_json_get(plan, "estimate"));
    mgi_view_close(&v);
}
