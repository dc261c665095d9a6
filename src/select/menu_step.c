/* A menu as a step: see menu_step.h.
 *
 *     BEGIN ─> FALLBACK ─> POLICY ─> CHOOSE ──> (CALL, BEGIN again, or over)
 *
 * mgi_menu_step_next() walks through these until it has something to say; a selector that thinks
 * leaves it where it is, and the answer moves it on. */
#include "select/menu_step.h"

#include "base/encode.h"
#include "sys/digest.h"

enum stage { STAGE_BEGIN, STAGE_FALLBACK, STAGE_POLICY, STAGE_CHOOSE, STAGE_CALL, STAGE_OVER };

struct told_call {
    struct str aid;
    enum select_status status;
};

struct menu_step {
    struct arena *arena;
    const struct menu_step_options *options;
    struct select_run run;
    struct menu menu;
    enum stage stage;
    bool thinking; /* a selector is */
    bool nomem;
    struct selection fallback, policy;
    struct policy_call *asked; /* the policy thinks */
    bool consent_used;
    struct menu_step_ask ask;
    bool has_ask;
    struct str question;
    struct told_call *calls;
    size_t call_count, call_cap;
    struct str output; /* of the last call that succeeded */
};

/* ---- life ----------------------------------------------------------------------------------- */

struct menu_step *mgi_menu_step_new(struct arena *arena, const struct menu_step_options *options,
                                    const struct json *inputs, const char **why)
{
    struct menu_step *step = mgi_arena_calloc(arena, 1, sizeof *step);
    *why = "short of memory";
    if (!step)
        return NULL;
    step->arena = arena;
    step->options = options;
    switch (mgi_menu_build(arena, options->actions, options->action_count, &options->wish,
                           &step->menu)) {
    case MENU_TOO_LONG:
        *why = "more than 9999 actions fit the menu";
        return NULL;
    case MENU_NOMEM:
        return NULL;
    case MENU_OK:
        break;
    }
    return mgi_select_run_init(&step->run, &options->run, inputs) ? step : NULL;
}

static void stop_thinking(struct menu_step *step)
{
    if (step->asked)
        mgi_policy_cancel(step->asked);
    step->asked = NULL;
    step->thinking = false;
}

void mgi_menu_step_stop(struct menu_step *step, enum select_end why)
{
    stop_thinking(step);
    mgi_select_run_stop(&step->run, why);
    step->stage = STAGE_OVER;
}

void mgi_menu_step_free(struct menu_step *step)
{
    if (!step)
        return;
    stop_thinking(step);
    mgi_select_run_fini(&step->run);
}

/* ---- selectors ------------------------------------------------------------------------------ */

static void take_fallback(struct menu_step *step, const struct selection *s)
{
    step->fallback = *s;
    step->stage = STAGE_POLICY;
    step->nomem |= !mgi_select_run_told(&step->run, false, s, NULL);
}

static void ask_fallback(struct menu_step *step)
{
    const struct menu_step_options *o = step->options;
    const struct menu_question question = { .view = &step->run.view,
                                            .menu = &step->menu,
                                            .inputs = mgi_select_run_inputs(&step->run),
                                            .arena = step->arena };
    struct selection s;
    enum menu_picking picked = MENU_PICKED;
    if (o->pick)
        picked = o->pick(o->context, &question, &s);
    else if (!mgi_selection_make(step->arena, mgi_heuristic_choose(question.view, &step->menu),
                                 (struct str){ 0 }, &s))
        picked = MENU_PICKING_NOMEM;
    if (picked == MENU_PICKED)
        take_fallback(step, &s);
    step->thinking = picked == MENU_PICKING;
    step->nomem |= picked == MENU_PICKING_NOMEM;
}

void mgi_menu_step_picked(struct menu_step *step, const struct selection *selection)
{
    if (step->stage != STAGE_FALLBACK || !step->thinking)
        return; /* stopped meanwhile */
    step->thinking = false;
    take_fallback(step, selection);
}

/* What the policy said, or why it does not count; `instead` is what counts then. */
static void take_policy(struct menu_step *step, const struct selection *said, const char *failure,
                        const struct selection *instead)
{
    step->policy = *instead;
    step->stage = STAGE_CHOOSE;
    step->nomem |= !mgi_select_run_told(&step->run, true, said, failure);
}

static void policy_done(void *context, const struct selection *said, const char *failure,
                        bool nomem)
{
    struct menu_step *step = context;
    struct selection instead = *said;
    step->asked = NULL;
    step->thinking = false;
    if (nomem || (failure && !mgi_policy_replace(step->arena, failure, &step->fallback, &instead)))
        step->nomem = true;
    else
        take_policy(step, said, failure, &instead);
    step->options->ready(step->options->context);
}

static void ask_policy(struct menu_step *step)
{
    const struct menu_step_options *o = step->options;
    struct selection nothing;
    const char *why = NULL;
    if (!o->policy || !mgi_control_calls_policy(o->mode)) {
        step->policy = step->fallback;
        step->stage = STAGE_CHOOSE;
        return;
    }
    const struct policy_question question = { .view = &step->run.view,
                                              .menu = &step->menu,
                                              .inputs = mgi_select_run_inputs(&step->run),
                                              .mode = o->mode,
                                              .arena = step->arena,
                                              .done = policy_done,
                                              .context = step };
    switch (mgi_policy_ask(o->policy, &question, &step->asked, &why)) {
    case POLICY_ASKED:
        step->thinking = true;
        break;
    case POLICY_OPEN:
        nothing = mgi_selection_invalid("");
        take_policy(step, &nothing, "switched off for now", &step->fallback);
        break;
    case POLICY_FORBIDDEN:
        nothing = mgi_selection_invalid(why);
        take_policy(step, &nothing, why, &nothing);
        break;
    case POLICY_NOMEM:
        step->nomem = true;
        break;
    }
}

/* ---- consent -------------------------------------------------------------------------------- */

/* What binds consent: the call, and all that it was proposed from. */
static bool digest_ask(const struct menu_step *step, struct menu_step_ask *ask)
{
    struct buf text = { 0 };
    struct json_writer w;
    uint8_t sum[SHA256_BYTES];
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "aid", ask->aid);
    mgi_jw_member_str(&w, "goal", step->run.view.goal);
    mgi_jw_member_cstr(&w, "menu_digest", step->menu.digest);
    mgi_jw_member_str(&w, "question", step->options->run.question);
    mgi_jw_member_str(&w, "state_digest", step->run.view.state_digest);
    mgi_jw_end_object(&w);
    mgi_json_canonical(&text, ask->inputs);
    bool done = !text.oom && mgi_sha256(text.ptr, text.len, sum);
    mgi_buf_fini(&text);
    if (done)
        mgi_hex(sum, sizeof sum, ask->digest);
    return done;
}

/* The fallback's pick, as something that a person may agree to. False: it picked nothing. */
static bool propose(struct menu_step *step)
{
    const struct selection *s = &step->fallback;
    const struct menu_entry *e =
        s->kind == SELECTION_PICK ? mgi_menu_find(&step->menu, s->sid) : NULL;
    const struct json nothing = { .type = JSON_NULL };
    struct patched *merged = mgi_arena_alloc(step->arena, sizeof *merged);
    if (!e || str_is(e->aid, AID_NOOP) || !merged) {
        step->nomem |= !merged;
        return false;
    }
    enum patch_status status =
        mgi_inputs_patch(step->arena, mgi_select_run_inputs(&step->run),
                         s->has_patch ? &s->patch : &nothing, &step->options->run.patch, merged);
    step->ask = (struct menu_step_ask){ .aid = e->aid, .name = e->name, .inputs = &merged->inputs };
    step->nomem |= status == PATCH_NOMEM || (status == PATCH_OK && !digest_ask(step, &step->ask));
    return status == PATCH_OK && !step->nomem;
}

/* Has a person agreed to just this? */
static bool is_agreed(struct menu_step *step)
{
    struct str consent = step->options->consent;
    if (step->consent_used || !str_is(consent, step->ask.digest))
        return false;
    step->consent_used = true;
    return true;
}

/* ASK_SUP without consent: nobody runs anything, so its outcome is that it was asked. */
static enum select_next end_asking(struct menu_step *step)
{
    const struct select_outcome asked = { .status = SELECT_STATUS_OK };
    step->question = mgi_arena_str(step->arena, mgi_select_run_question(&step->run));
    step->ask.question = step->question;
    step->nomem |= !step->question.ptr;
    return mgi_select_run_outcome(&step->run, &asked);
}

/* ---- walking -------------------------------------------------------------------------------- */

static void choose(struct menu_step *step)
{
    const struct selection *s =
        mgi_control_choose(step->options->mode, &step->fallback, &step->policy);
    if (s->kind == SELECTION_ASK_SUP) {
        step->has_ask = propose(step);
        if (step->has_ask && is_agreed(step)) {
            step->has_ask = false;
            s = &step->fallback;
        }
    }
    if (step->nomem)
        return;
    enum select_next next = mgi_select_run_choose(&step->run, s);
    if (next == SELECT_CALL && step->run.call.asks)
        next = end_asking(step);
    step->nomem |= next == SELECT_NOMEM;
    step->stage = next == SELECT_CALL ? STAGE_CALL : next == SELECT_STEP ? STAGE_BEGIN : STAGE_OVER;
}

static void begin(struct menu_step *step, const struct select_state *state)
{
    enum select_next next = mgi_select_run_step(&step->run, &step->menu, state);
    step->nomem |= next == SELECT_NOMEM;
    step->stage = next == SELECT_CHOOSE ? STAGE_FALLBACK : STAGE_OVER;
}

enum menu_step_next mgi_menu_step_next(struct menu_step *step, const struct select_state *state)
{
    while (!step->nomem && !step->thinking) { /* each round moves on, and steps are counted */
        switch (step->stage) {
        case STAGE_BEGIN:
            begin(step, state);
            break;
        case STAGE_FALLBACK:
            ask_fallback(step);
            break;
        case STAGE_POLICY:
            ask_policy(step);
            break;
        case STAGE_CHOOSE:
            choose(step);
            break;
        case STAGE_CALL:
            return MENU_STEP_CALL;
        case STAGE_OVER:
            return MENU_STEP_OVER;
        }
    }
    return step->nomem ? MENU_STEP_NOMEM : MENU_STEP_WAIT;
}

const struct select_call *mgi_menu_step_call(const struct menu_step *step)
{
    return &step->run.call;
}

bool mgi_menu_step_outcome(struct menu_step *step, const struct select_outcome *outcome)
{
    if (!mgi_arena_grow(step->arena, &step->calls, &step->call_cap, step->call_count + 1,
                        sizeof *step->calls))
        step->nomem = true;
    else
        step->calls[step->call_count++] = (struct told_call){ step->run.call.aid, outcome->status };
    if (outcome->status == SELECT_STATUS_OK)
        step->output = outcome->output;
    enum select_next next = mgi_select_run_outcome(&step->run, outcome);
    step->nomem |= next == SELECT_NOMEM;
    step->stage = next == SELECT_STEP ? STAGE_BEGIN : STAGE_OVER;
    return !step->nomem;
}

/* ---- what came of it ------------------------------------------------------------------------ */

enum select_end mgi_menu_step_end(const struct menu_step *step)
{
    return step->run.end;
}

const struct menu_step_ask *mgi_menu_step_ask(const struct menu_step *step)
{
    return step->run.end == SELECT_END_ASK_SUP && step->has_ask ? &step->ask : NULL;
}

void mgi_menu_step_write_result(const struct menu_step *step, struct json_writer *w)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "reason", mgi_select_end_name(step->run.end));
    mgi_jw_member_cstr(w, "status", mgi_select_status_name(step->run.status));
    mgi_jw_member_int(w, "steps", step->run.steps);
    mgi_jw_member_int(w, "invalid_picks", step->run.invalid_picks);
    mgi_jw_key(w, "calls");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < step->call_count; i++) {
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "aid", step->calls[i].aid);
        mgi_jw_member_cstr(w, "status", mgi_select_status_name(step->calls[i].status));
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
    if (step->output.len > 0) {
        mgi_jw_key(w, "output");
        mgi_jw_raw(w, step->output);
    }
    if (step->question.len > 0)
        mgi_jw_member_str(w, "question", step->question);
    mgi_jw_end_object(w);
}
