/* A menu as a step: see menu_step.h.
 *
 *     BEGIN ─> FALLBACK ─> POLICY ─> CHOOSE ──> (CALL, ASK, BEGIN again, or over)
 *
 * mgi_menu_step_next() walks through these until it has something to say; a selector that thinks
 * leaves it where it is, and the answer moves it on.
 *
 * Two lives beside the step's own: a *turn*, from one question to the next, has what selectors see
 * and say, and is emptied when the next one begins; the run's own (run.h). */
#include "select/menu_step.h"

#include "base/encode.h"
#include "sys/digest.h"

#define META_NAME "_meta" /* protected: no patch touches it (T-SEL-7) */

enum stage {
    STAGE_BEGIN,
    STAGE_FALLBACK,
    STAGE_POLICY,
    STAGE_CHOOSE,
    STAGE_ASK,
    STAGE_CALL,
    STAGE_OVER
};

struct told_call {
    struct str aid;
    enum select_status status;
    struct str output, error; /* empty: none */
};

struct menu_step {
    struct arena *arena, turn;
    const struct menu_step_options *options;
    struct select_run run;
    enum stage stage;
    bool thinking; /* a selector is */
    bool nomem;
    struct json seen; /* what selectors see as inputs, of this turn */
    struct menu_said fallback;
    struct selection policy;
    enum menu_by policy_by;
    struct policy_call *asked; /* the policy thinks */
    struct menu_step_ask ask;
    struct selection agreed; /* what runs if a person agrees; lives in the turn */
    struct str question;
    struct told_call *calls;
    size_t call_count, call_cap;
    struct str output; /* of the last call that succeeded */
};

/* ---- life ----------------------------------------------------------------------------------- */

struct menu_step *mgi_menu_step_new(struct arena *arena, const struct menu_step_options *options,
                                    const struct json *inputs)
{
    struct menu_step *step = mgi_arena_calloc(arena, 1, sizeof *step);
    if (!step)
        return NULL;
    step->arena = arena;
    step->options = options;
    mgi_arena_init(&step->turn, 0);
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
    mgi_arena_fini(&step->turn);
}

/* ---- what selectors see --------------------------------------------------------------------- */

/* The inputs, with what the chain tells beside them. */
static bool make_seen(struct menu_step *step, struct str meta)
{
    const struct json *inputs = mgi_select_run_inputs(&step->run);
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    for (uint32_t i = 0; i < inputs->count; i++) {
        if (meta.len > 0 && str_is(inputs->members[i].name, META_NAME))
            continue;
        mgi_jw_key_str(&w, inputs->members[i].name);
        mgi_jw_value(&w, &inputs->members[i].value);
    }
    if (meta.len > 0) {
        mgi_jw_key(&w, META_NAME);
        mgi_jw_raw(&w, meta);
    }
    mgi_jw_end_object(&w);
    return mgi_json_take(&step->turn, &text, &step->seen);
}

static struct menu_question question_of(struct menu_step *step)
{
    return (struct menu_question){ .view = &step->run.view,
                                   .menu = step->options->menu,
                                   .inputs = &step->seen,
                                   .arena = &step->turn };
}

/* ---- selectors ------------------------------------------------------------------------------ */

static void take_fallback(struct menu_step *step, const struct menu_said *said)
{
    step->fallback = *said;
    step->stage = STAGE_POLICY;
    step->nomem |= !mgi_select_run_told(&step->run, false, &said->selection, NULL);
}

static void ask_fallback(struct menu_step *step)
{
    const struct menu_step_options *o = step->options;
    const struct menu_question question = question_of(step);
    struct menu_said said = { 0 };
    enum menu_picking picked = MENU_PICKED;
    if (o->pick)
        picked = o->pick(o->context, &question, &said);
    else if (!mgi_selection_make(&step->turn, mgi_heuristic_choose(question.view, o->menu),
                                 (struct str){ 0 }, &said.selection))
        picked = MENU_PICKING_NOMEM;
    if (picked == MENU_PICKED)
        take_fallback(step, &said);
    step->thinking = picked == MENU_PICKING;
    step->nomem |= picked == MENU_PICKING_NOMEM;
}

void mgi_menu_step_picked(struct menu_step *step, const struct menu_said *said)
{
    if (step->stage != STAGE_FALLBACK || !step->thinking)
        return; /* stopped meanwhile */
    step->thinking = false;
    take_fallback(step, said);
}

void mgi_menu_step_lost(struct menu_step *step)
{
    step->thinking = false;
    step->nomem = true;
}

/* What the policy said, or why it does not count; `instead` is what counts then. */
static void take_policy(struct menu_step *step, const struct selection *said, const char *failure,
                        const struct selection *instead)
{
    step->policy = *instead;
    step->policy_by =
        failure && instead->kind != SELECTION_INVALID ? MENU_BY_FALLBACK : MENU_BY_POLICY;
    step->stage = STAGE_CHOOSE;
    step->nomem |= !mgi_select_run_told(&step->run, true, said, failure);
}

/* The fallback answers in the place of a policy that failed (T-POL-6). */
static void take_answer(struct menu_step *step, const struct selection *said, const char *failure)
{
    struct selection instead = *said;
    if (failure && !mgi_policy_replace(&step->turn, failure, &step->fallback.selection, &instead))
        step->nomem = true;
    else
        take_policy(step, said, failure, &instead);
}

static void policy_done(void *context, const struct selection *said, const char *failure,
                        bool nomem)
{
    struct menu_step *step = context;
    step->asked = NULL;
    step->thinking = false;
    if (nomem)
        step->nomem = true;
    else
        take_answer(step, said, failure);
    step->options->ready(step->options->context);
}

static void play_policy(struct menu_step *step)
{
    const struct menu_question question = question_of(step);
    struct policy_answer answer = { 0 };
    struct selection said;
    const char *failure = NULL;
    if (!step->options->say(step->options->context, &question, &answer) ||
        !mgi_policy_judge(&step->turn, question.menu, &answer, &said, &failure))
        step->nomem = true;
    else
        take_answer(step, &said, failure);
}

static void start_policy(struct menu_step *step, int64_t most_ms)
{
    const struct menu_step_options *o = step->options;
    struct selection nothing;
    const char *why = NULL;
    const struct policy_question question = { .view = &step->run.view,
                                              .menu = o->menu,
                                              .inputs = &step->seen,
                                              .mode = o->mode,
                                              .most_ms = most_ms,
                                              .arena = &step->turn,
                                              .done = policy_done,
                                              .context = step };
    switch (mgi_policy_ask(o->policy, &question, &step->asked, &why)) {
    case POLICY_ASKED:
        step->thinking = true;
        break;
    case POLICY_OPEN:
        nothing = mgi_selection_invalid("");
        take_answer(step, &nothing, "switched off for now");
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

static void ask_policy(struct menu_step *step, int64_t most_ms)
{
    const struct menu_step_options *o = step->options;
    if (mgi_control_calls_policy(o->mode) && o->say) {
        play_policy(step);
    } else if (mgi_control_calls_policy(o->mode) && o->policy) {
        start_policy(step, most_ms);
    } else {
        step->policy = step->fallback.selection;
        step->stage = STAGE_CHOOSE;
    }
}

/* ---- asking a person ------------------------------------------------------------------------ */

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
    mgi_jw_member_cstr(&w, "menu_digest", step->options->menu->digest);
    mgi_jw_member_str(&w, "question", ask->question);
    mgi_jw_member_str(&w, "state_digest", step->run.view.state_digest);
    mgi_jw_end_object(&w);
    mgi_json_canonical(&text, ask->inputs);
    bool done = !text.oom && mgi_sha256(text.ptr, text.len, sum);
    mgi_buf_fini(&text);
    if (done)
        mgi_hex(sum, sizeof sum, ask->digest);
    return done;
}

/* What is asked: by the rule that wants it, else by the options, else a sentence with the goal. */
static struct str question_text(struct menu_step *step, struct str own)
{
    const struct select_run_options *o = &step->options->run;
    if (own.len > 0 || o->question.len > 0)
        return mgi_arena_str(step->arena, own.len > 0 ? own : o->question);
    const char *made = mgi_arena_printf(step->arena, "What should be done for the goal %.*s?",
                                        STR_ARG(o->goal.id));
    return made ? str_of(made) : (struct str){ NULL, 0 };
}

/* `s`, a pick, as something that a person may agree to. False: nothing is proposed. */
static bool propose(struct menu_step *step, const struct selection *s, struct str question)
{
    const struct json nothing = { .type = JSON_NULL };
    const struct menu_entry *e =
        s->kind == SELECTION_PICK ? mgi_menu_find(step->options->menu, s->sid) : NULL;
    if (!e || str_is(e->aid, AID_NOOP))
        return false;
    struct patched *merged = mgi_arena_alloc(step->arena, sizeof *merged);
    enum patch_status status =
        merged ? mgi_inputs_patch(step->arena, mgi_select_run_inputs(&step->run),
                                  s->has_patch ? &s->patch : &nothing, &step->options->run.patch,
                                  merged)
               : PATCH_NOMEM;
    step->nomem |= status == PATCH_NOMEM || !question.ptr;
    if (status != PATCH_OK || step->nomem)
        return false;
    step->ask = (struct menu_step_ask){
        .question = question, .aid = e->aid, .name = e->name, .inputs = &merged->inputs
    };
    step->agreed = *s;
    step->nomem |= !digest_ask(step, &step->ask);
    return !step->nomem;
}

/* Do rules ask before this is run? NULL: they do not. */
static const struct menu_must_ask *must_ask(const struct menu_step *step, const struct selection *s)
{
    for (size_t i = 0; s->kind == SELECTION_PICK && i < step->fallback.ask_count; i++)
        if (step->fallback.asks[i].sid == s->sid)
            return &step->fallback.asks[i];
    return NULL;
}

/* ASK_SUP with nothing to agree to: nobody runs anything, so its outcome is that it was asked. */
static enum select_next end_asking(struct menu_step *step)
{
    const struct select_outcome asked = { .status = SELECT_STATUS_OK };
    step->question = mgi_arena_str(step->arena, mgi_select_run_question(&step->run));
    step->nomem |= !step->question.ptr;
    return mgi_select_run_outcome(&step->run, &asked);
}

/* ---- walking -------------------------------------------------------------------------------- */

static void tell_chosen(const struct menu_step *step, const struct selection *s)
{
    const struct menu_step_options *o = step->options;
    bool policy = mgi_control_calls_policy(o->mode) && s == &step->policy;
    const struct menu_chosen chosen = {
        .turn = step->run.steps,
        .by = policy    ? step->policy_by
              : o->pick ? MENU_BY_RULES
                        : MENU_BY_HEURISTIC,
        .selection = s,
        .entry = s->kind == SELECTION_PICK ? mgi_menu_find(o->menu, s->sid) : NULL,
    };
    if (o->chosen)
        o->chosen(o->context, &chosen);
}

/* The selection counts. */
static void act_on(struct menu_step *step, const struct selection *s)
{
    enum select_next next = mgi_select_run_choose(&step->run, s);
    if (next == SELECT_CALL && step->run.call.asks)
        next = end_asking(step);
    step->nomem |= next == SELECT_NOMEM;
    step->stage = next == SELECT_CALL ? STAGE_CALL : next == SELECT_STEP ? STAGE_BEGIN : STAGE_OVER;
}

static void choose(struct menu_step *step)
{
    const struct selection *s =
        mgi_control_choose(step->options->mode, &step->fallback.selection, &step->policy);
    bool asks_itself = s->kind == SELECTION_ASK_SUP;
    const struct selection *wanted = asks_itself ? &step->fallback.selection : s;
    const struct menu_must_ask *asks = must_ask(step, wanted);
    tell_chosen(step, s);
    bool proposed =
        (asks || asks_itself) &&
        propose(step, wanted, question_text(step, asks ? asks->question : (struct str){ 0 }));
    if (step->nomem)
        return;
    if (proposed)
        step->stage = STAGE_ASK;
    else
        act_on(step, s); /* a pick that cannot be proposed is none that could run */
}

void mgi_menu_step_agreed(struct menu_step *step)
{
    if (step->stage == STAGE_ASK)
        act_on(step, &step->agreed);
}

static void begin(struct menu_step *step, const struct select_state *state)
{
    mgi_arena_reset(&step->turn);
    enum select_next next = mgi_select_run_step(&step->run, step->options->menu, state);
    step->stage = next == SELECT_CHOOSE ? STAGE_FALLBACK : STAGE_OVER;
    step->nomem |= next == SELECT_NOMEM || (next == SELECT_CHOOSE && !make_seen(step, state->meta));
}

enum menu_step_next mgi_menu_step_next(struct menu_step *step, const struct select_state *state,
                                       int64_t most_ms)
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
            ask_policy(step, most_ms);
            break;
        case STAGE_CHOOSE:
            choose(step);
            break;
        case STAGE_ASK:
            return MENU_STEP_ASK;
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
    bool ok = outcome->status == SELECT_STATUS_OK;
    if (!mgi_arena_grow(step->arena, &step->calls, &step->call_cap, step->call_count + 1,
                        sizeof *step->calls))
        step->nomem = true;
    else
        step->calls[step->call_count++] =
            (struct told_call){ .aid = step->run.call.aid,
                                .status = outcome->status,
                                .output = outcome->output,
                                .error = ok ? (struct str){ 0 } : outcome->error };
    if (ok)
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

const struct select_run *mgi_menu_step_run(const struct menu_step *step)
{
    return &step->run;
}

struct str mgi_menu_step_question(const struct menu_step *step)
{
    return step->question;
}

const struct menu_step_ask *mgi_menu_step_ask(const struct menu_step *step)
{
    return &step->ask;
}

static void write_calls(const struct menu_step *step, struct json_writer *w, size_t most,
                        bool errors)
{
    size_t from = step->call_count; /* the first whose output is written */
    for (size_t bytes = 0; from > 0; from--) {
        bytes += step->calls[from - 1].output.len;
        if (bytes > most)
            break;
    }
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < step->call_count; i++) {
        const struct told_call *c = &step->calls[i];
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "aid", c->aid);
        mgi_jw_member_cstr(w, "status", mgi_select_status_name(c->status));
        if (c->output.len > 0 && i >= from) {
            mgi_jw_key(w, "output");
            mgi_jw_raw(w, c->output);
        } else if (c->output.len > 0) {
            mgi_jw_member_int(w, "output_bytes", (int64_t)c->output.len);
        }
        if (errors && c->error.len > 0)
            mgi_jw_member_str(w, "error", c->error);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

void mgi_menu_step_write_calls(const struct menu_step *step, struct json_writer *w, size_t most)
{
    write_calls(step, w, most, true);
}

void mgi_menu_step_write_result(const struct menu_step *step, struct json_writer *w, bool errors)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "reason", mgi_select_end_name(step->run.end));
    mgi_jw_member_cstr(w, "status", mgi_select_status_name(step->run.status));
    mgi_jw_member_int(w, "steps", step->run.steps);
    mgi_jw_member_int(w, "invalid_picks", step->run.invalid_picks);
    mgi_jw_key(w, "calls");
    write_calls(step, w, SIZE_MAX, errors);
    if (step->output.len > 0) {
        mgi_jw_key(w, "output");
        mgi_jw_raw(w, step->output);
    }
    if (step->question.len > 0)
        mgi_jw_member_str(w, "question", step->question);
    mgi_jw_end_object(w);
}
