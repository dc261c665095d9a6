/* A dry run: what an invocation would be, told instead of it. Every gate has judged it already;
 * what is told follows from the definition, the arguments and the template, and asks no action
 * anything.
 *
 * What a step reads from an earlier one is not known before. So a step runs *always*, *never*, or
 * it *depends*; and inputs that read no earlier step are composed and checked here as they would
 * be. */
#include "base/time.h"
#include "invoke/chain_int.h"
#include "protocol/schema.h"

enum runs { RUNS_ALWAYS, RUNS_NEVER, RUNS_DEPENDS };

struct rehearsal {
    struct invocation *inv;
    enum runs *runs; /* per step of the chain */
    bool *reads;     /* scratch: per step of the chain */
    struct source_view view;
};

/* ---- what depends on what ------------------------------------------------------------------- */

/* The place of a template's step in the chain, or SIZE_MAX. */
static size_t place_in_chain(const struct invocation *inv, uint32_t step)
{
    for (size_t i = 0; i < inv->run_count; i++)
        if (inv->runs[i].step == &inv->tool->steps[step])
            return i;
    return SIZE_MAX;
}

/* Mark the steps that `src` reads and that may run. The template's nesting is bounded by its
 * reader.
 */
static bool mark_reads(const struct rehearsal *r, const struct value_source *src)
{
    bool any = false;
    if (src->kind == SOURCE_STEP) {
        size_t at = place_in_chain(r->inv, src->step);
        any = at != SIZE_MAX && r->runs[at] != RUNS_NEVER;
        if (any)
            r->reads[at] = true;
    }
    for (size_t i = 0; i < src->member_count; i++)
        any |= mark_reads(r, &src->members[i].source);
    return any;
}

/* Does it read a value that rules filled in and that the caller may not see? Then neither its truth
 * nor how it fits is told: both can be asked for bit by bit. */
static bool reads_hidden(const struct rehearsal *r, const struct value_source *src)
{
    const struct invocation *inv = r->inv;
    bool named = src->kind == SOURCE_ARG || src->kind == SOURCE_BOUND;
    bool bound = src->name.len > 0 ? mgi_args_is_bound(inv, src->name) : inv->macro.bound_count > 0;
    bool hidden = named && bound && !mgi_principal_may_ask_why(inv->call.who);
    for (size_t i = 0; i < src->member_count && !hidden; i++)
        hidden = reads_hidden(r, &src->members[i].source);
    return hidden;
}

static enum runs judge_condition(const struct rehearsal *r, const struct step *step)
{
    if (!step->has_condition)
        return RUNS_ALWAYS;
    bool list = step->condition.kind == SOURCE_OBJECT || step->condition.kind == SOURCE_ARRAY;
    if (!list && (mark_reads(r, &step->condition) || reads_hidden(r, &step->condition)))
        return RUNS_DEPENDS;
    return mgi_source_truth(&r->view, &step->condition) ? RUNS_ALWAYS : RUNS_NEVER;
}

/* ---- what is wrong with a step already ------------------------------------------------------- */

/* The first origin that is not there, of those that are known. NULL: none is missing. */
static const char *missing(const struct rehearsal *r, const struct value_source *src)
{
    const char *what = NULL;
    if (src->kind == SOURCE_STEP || src->kind == SOURCE_ITEM || src->kind == SOURCE_INDEX)
        return NULL;
    for (size_t i = 0; i < src->member_count && !what; i++)
        what = missing(r, &src->members[i].source);
    if (what || src->kind == SOURCE_OBJECT || src->kind == SOURCE_ARRAY)
        return what;
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    bool gone = mgi_source_write(&r->view, &w, src, &what) == SOURCE_MISSING;
    mgi_buf_fini(&text);
    return gone ? what : NULL;
}

/* Inputs that are known whole, held against the action's schema. NULL: they fit, or nobody knows.
 */
static const char *misfit_inputs(const struct rehearsal *r, const struct step *step)
{
    struct invocation *inv = r->inv;
    const struct schema *schema = step->action ? step->action->input_schema : NULL;
    struct buf text = { 0 };
    struct json_writer w;
    struct json value;
    struct schema_issues issues;
    const char *what = NULL;
    mgi_json_writer_init(&w, &text, 0);
    if (!schema || mgi_source_write(&r->view, &w, &step->inputs, &what) != SOURCE_WRITTEN) {
        mgi_buf_fini(&text);
        return NULL;
    }
    mgi_schema_issues_init(&issues, inv->arena, 1);
    if (!mgi_json_take(inv->arena, &text, &value) || mgi_schema_validate(schema, &value, &issues) ||
        issues.count == 0)
        return NULL;
    return mgi_arena_printf(inv->arena, "its input does not fit its schema at \"%s\": %s",
                            issues.items[0].path, issues.items[0].message);
}

static const char *find_problem(const struct rehearsal *r, const struct step *step)
{
    if (reads_hidden(r, &step->inputs))
        return NULL;
    const char *what = step->has_foreach ? missing(r, &step->items) : NULL;
    if (!what)
        what = missing(r, &step->inputs);
    if (what)
        return mgi_arena_printf(r->inv->arena, "there is no %s", what);
    bool reads = mark_reads(r, &step->inputs); /* the inputs of an item are not known either */
    return reads || step->has_foreach ? NULL : misfit_inputs(r, step);
}

/* ---- telling --------------------------------------------------------------------------------- */

/* What chain.c gives it if all the time of the invocation is left. */
static int64_t planned_timeout_ms(const struct invocation *inv, const struct step *step)
{
    const struct domain_settings *settings = &inv->snapshot->settings;
    int64_t own = step->timeout_ms, ms = 0;
    for (size_t i = 0; own == 0 && i < mgi_step_actions(step); i++) { /* of a menu, the longest */
        int64_t one = mgi_step_action(step, i)->timeout_ms;
        one = one > 0 ? one : settings->action_timeout_ms;
        ms = one > ms ? one : ms;
    }
    if (own > 0)
        ms = own;
    return ms > 0 && ms < settings->invocation_timeout_ms ? ms : settings->invocation_timeout_ms;
}

static void write_depends_on(const struct rehearsal *r, struct json_writer *w)
{
    mgi_jw_key(w, "depends_on");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < r->inv->run_count; i++)
        if (r->reads[i])
            mgi_jw_string(w, r->inv->runs[i].step->id);
    mgi_jw_end_array(w);
}

/* The steps that it needs itself, and those that may run at the same time. */
static void write_place(const struct rehearsal *r, struct json_writer *w, size_t at)
{
    const struct invocation *inv = r->inv;
    const struct step_run *run = &inv->runs[at];
    mgi_jw_key(w, "needs");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < at; i++) {
        bool direct = mgi_run_needs(run, i);
        for (size_t k = i + 1; k < at && direct; k++)
            direct = !(mgi_run_needs(run, k) && mgi_run_needs(&inv->runs[k], i));
        if (direct)
            mgi_jw_string(w, inv->runs[i].step->id);
    }
    mgi_jw_end_array(w);
    mgi_jw_key(w, "beside");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < inv->run_count && inv->chain->limit > 1; i++)
        if (i != at && !mgi_run_needs(run, i) && !mgi_run_needs(&inv->runs[i], at))
            mgi_jw_string(w, inv->runs[i].step->id);
    mgi_jw_end_array(w);
}

static int64_t most_items(const struct step *step)
{
    return step->menu           ? step->menu->run.max_steps
           : !step->has_foreach ? 1
           : step->max_items    ? step->max_items
                                : FOREACH_ITEMS;
}

static void write_foreach(const struct rehearsal *r, struct json_writer *w, const struct step *step)
{
    if (!step->has_foreach)
        return;
    const struct json *list = mark_reads(r, &step->items) || reads_hidden(r, &step->items)
                                  ? NULL
                                  : mgi_source_find(&r->view, &step->items);
    mgi_jw_key(w, "foreach");
    mgi_jw_begin_object(w);
    if (list && list->type == JSON_ARRAY)
        mgi_jw_member_int(w, "items", list->count);
    mgi_jw_member_int(w, "max", most_items(step));
    mgi_jw_member_int(w, "parallel", step->parallel ? step->parallel : 1);
    mgi_jw_end_object(w);
}

static void write_retry(struct json_writer *w, const struct step *step)
{
    if (step->retry.times == 0)
        return;
    mgi_jw_key(w, "retry");
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "times", step->retry.times);
    mgi_jw_member_int(w, "wait_ms", step->retry.wait_ms);
    mgi_jw_member_int(w, "max_wait_ms", step->retry.max_wait_ms);
    mgi_jw_end_object(w);
}

static void write_compensation(struct json_writer *w, const struct action *action)
{
    if (!action)
        return;
    mgi_jw_key(w, "compensation");
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "action", action->name);
    mgi_jw_member_strs(w, "side_effects", action->effects, action->effect_count);
    mgi_jw_end_object(w);
}

/* Its category, the first time that an action of the step has it. */
static bool is_first(const struct step *step, size_t at, size_t k)
{
    struct str effect = mgi_step_action(step, at)->effects[k];
    for (size_t i = 0; i <= at; i++) {
        const struct action *a = mgi_step_action(step, i);
        for (size_t m = 0; m < a->effect_count && (i < at || m < k); m++)
            if (str_eq(a->effects[m], effect))
                return false;
    }
    return true;
}

/* Of all that it may run. */
static void write_dry_effects(struct json_writer *w, const struct step *step)
{
    bool reversible = true, idempotent = true;
    mgi_jw_key(w, "side_effects");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < mgi_step_actions(step); i++) {
        const struct action *a = mgi_step_action(step, i);
        bool none = a->effect_count == 1 && str_is(a->effects[0], "none");
        for (size_t k = 0; k < a->effect_count; k++)
            if (is_first(step, i, k) && !(none && mgi_step_actions(step) > 1))
                mgi_jw_string(w, a->effects[k]);
        reversible &= a->tier == 0 || a->reversible;
        idempotent &= a->idempotent;
    }
    mgi_jw_end_array(w);
    mgi_jw_member_bool(w, "reversible", reversible);
    mgi_jw_member_bool(w, "idempotent", idempotent);
}

/* What is picked nobody knows before; what there is to pick from, and who picks, is told. */
static void write_menu(struct json_writer *w, const struct step_menu *menu)
{
    if (!menu)
        return;
    mgi_jw_key(w, "menu");
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "actions");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < menu->menu.count; i++) {
        const struct menu_option *o = &menu->options[i];
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "action", o->action->name);
        mgi_jw_member_strs(w, "side_effects", o->action->effects, o->action->effect_count);
        write_compensation(w, o->undo.action);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
    mgi_jw_member_cstr(w, "select",
                       menu->policy     ? "policy"
                       : menu->by_rules ? "rules"
                                        : "heuristic");
    if (menu->policy)
        mgi_jw_member_cstr(w, "mode", mgi_control_mode_name(menu->mode));
    mgi_jw_member_int(w, "steps", menu->run.max_steps);
    mgi_jw_end_object(w);
}

static void write_planned_step(const struct rehearsal *r, struct json_writer *w, size_t at)
{
    static const char *const words[] = { "always", "never", "depends" };
    static const char *const failures[] = { "stop", "skip", "continue", "compensate" };
    const struct step *step = r->inv->runs[at].step;
    memset(r->reads, 0, r->inv->run_count * sizeof *r->reads);
    r->runs[at] = judge_condition(r, step);
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "id", step->id);
    mgi_jw_member_str(w, "action", mgi_run_name(&r->inv->runs[at]));
    mgi_jw_member_cstr(w, "runs", words[r->runs[at]]);
    if (r->runs[at] == RUNS_DEPENDS)
        write_depends_on(r, w);
    write_place(r, w, at);
    write_foreach(r, w, step);
    write_menu(w, step->menu);
    write_dry_effects(w, step);
    mgi_jw_member_cstr(w, "on_failure", failures[step->on_failure]);
    mgi_jw_member_int(w, "timeout_ms", planned_timeout_ms(r->inv, step));
    write_retry(w, step);
    write_compensation(w, step->undo.action);
    const char *problem = r->runs[at] == RUNS_NEVER ? NULL : find_problem(r, step);
    if (problem)
        mgi_jw_member_cstr(w, "problem", problem);
    mgi_jw_end_object(w);
}

static void write_confirmation(const struct invocation *inv, struct json_writer *w)
{
    const struct macro *m = &inv->macro;
    mgi_jw_key(w, "confirmation");
    mgi_jw_begin_object(w);
    mgi_jw_member_bool(w, "required", m->requires_confirmation);
    if (m->requires_confirmation) {
        mgi_jw_member_bool(w, "given", mgi_confirm_is_given(inv)); /* and accepted, or we would
                                                                      not be here */
        mgi_jw_key(w, "show");
        mgi_confirm_write_show(inv, w);
    }
    mgi_jw_end_object(w);
}

/* At most: what the steps that may run are given, and not longer than the whole may take. */
static void write_estimate(const struct rehearsal *r, struct json_writer *w)
{
    const struct invocation *inv = r->inv;
    int64_t most_ms = 0;
    for (size_t i = 0; i < inv->run_count; i++)
        if (r->runs[i] != RUNS_NEVER)
            most_ms += planned_timeout_ms(inv, inv->runs[i].step) * most_items(inv->runs[i].step) *
                       (1 + inv->runs[i].step->retry.times);
    if (most_ms > inv->snapshot->settings.invocation_timeout_ms)
        most_ms = inv->snapshot->settings.invocation_timeout_ms;
    mgi_jw_key(w, "estimate");
    mgi_jw_begin_object(w);
    if (inv->tool->estimate_ms > 0)
        mgi_jw_member_int(w, "time_ms", inv->tool->estimate_ms);
    mgi_jw_member_int(w, "at_most_ms", most_ms);
    if (inv->tool->estimate_tokens > 0)
        mgi_jw_member_int(w, "tokens", inv->tool->estimate_tokens);
    mgi_jw_end_object(w);
}

static void write_plan(const struct rehearsal *r, struct buf *out)
{
    const struct invocation *inv = r->inv;
    const struct macro *m = &inv->macro;
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "macro_id", m->macro_id);
    mgi_jw_member_str(&w, "tool", inv->tool->name);
    mgi_args_write(inv, &w);
    mgi_args_write_bound(inv, &w, mgi_principal_may_ask_why(inv->call.who));
    mgi_jw_member_int(&w, "parallel", (int64_t)inv->chain->limit);
    mgi_jw_member_bool(&w, "transaction", inv->tool->transaction);
    mgi_jw_key(&w, "steps");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < inv->run_count; i++)
        write_planned_step(r, &w, i);
    mgi_jw_end_array(&w);
    mgi_jw_member_strs(&w, "side_effects", m->effects, m->effect_count);
    mgi_jw_member_bool(&w, "reversible", m->reversible);
    mgi_jw_member_bool(&w, "idempotent", m->idempotent);
    write_confirmation(inv, &w);
    write_estimate(r, &w);
    mgi_jw_end_object(&w);
}

static void write_payload(const struct invocation *inv, struct buf *out)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    char *summary =
        mgi_arena_printf(inv->arena, "Dry run of %.*s: nothing was run.", STR_ARG(inv->tool->name));
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "result");
    mgi_jw_begin_object(&w);
    mgi_jw_end_object(&w);
    mgi_jw_key(&w, "observability");
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "summary", summary ? summary : "Dry run: nothing was run.");
    mgi_jw_end_object(&w);
    mgi_jw_end_object(&w);
}

bool mgi_invocation_rehearse(struct invocation *inv, struct buf *out, struct buf *plan,
                             struct wire_error *e)
{
    size_t before = out->len, plan_before = plan->len;
    struct rehearsal r = { .inv = inv, .view = { .inv = inv, .arena = inv->arena } };
    r.runs = mgi_arena_calloc(inv->arena, inv->run_count + 1, sizeof *r.runs);
    r.reads = mgi_arena_calloc(inv->arena, inv->run_count + 1, sizeof *r.reads);
    if (r.runs && r.reads) {
        write_plan(&r, plan);
        write_payload(inv, out);
    }
    if (!inv->arena->oom && !out->oom && !plan->oom)
        return true;
    out->len = before;
    plan->len = plan_before;
    out->oom = plan->oom = false;
    return mgi_invocation_nomem(inv, e);
}
