/* The run loop: see run.h. */
#include "select/run.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/encode.h"
#include "select/run_int.h"
#include "sys/digest.h"

/* ---- life ----------------------------------------------------------------------------------- */

static uint32_t steps_allowed(const struct select_run *r)
{
    uint32_t max = r->options->max_steps ? r->options->max_steps : RUN_STEPS;
    return max < RUN_STEPS_LIMIT ? max : RUN_STEPS_LIMIT;
}

static uint32_t invalid_allowed(const struct select_run *r)
{
    int32_t max = r->options->max_invalid;
    return max == 0 ? RUN_INVALID_PICKS : max < 0 ? 0 : (uint32_t)max;
}

bool mgi_select_run_init(struct select_run *r, const struct select_run_options *options,
                         const struct json *inputs)
{
    struct patched copy;
    const struct json nothing = { .type = JSON_OBJECT };
    const struct patch_rules all = { 0 };
    *r = (struct select_run){ .options = options, .expects = SELECT_STEP };
    mgi_arena_init(&r->step_life, 0);
    mgi_arena_init(&r->inputs_life[0], 0);
    mgi_arena_init(&r->inputs_life[1], 0);
    r->met = mgi_calloc(steps_allowed(r), sizeof *r->met);
    /* An empty patch makes a copy of its own. */
    if (r->met && mgi_inputs_patch(&r->inputs_life[0], inputs, &nothing, &all, &copy) == PATCH_OK) {
        r->inputs[0] = copy.inputs;
        return true;
    }
    mgi_select_run_fini(r);
    return false;
}

void mgi_select_run_fini(struct select_run *r)
{
    mgi_arena_fini(&r->step_life);
    mgi_arena_fini(&r->inputs_life[0]);
    mgi_arena_fini(&r->inputs_life[1]);
    mgi_free(r->met);
    *r = (struct select_run){ .end = r->end, .expects = SELECT_OVER };
}

static enum select_next expect_next(struct select_run *r, enum select_next next)
{
    r->expects = next;
    return next;
}

static enum select_next end_run(struct select_run *r, enum select_end why, bool told)
{
    r->end = why;
    return expect_next(r, told ? SELECT_OVER : SELECT_NOMEM);
}

/* A budget: the last step's status says so (T-BUD-5). */
static enum select_next trip(struct select_run *r, enum select_end why)
{
    r->status = SELECT_STATUS_BREAKER_TRIP;
    return end_run(
        r, why, why == SELECT_END_LOOP_GUARD ? mgi_event_loop_guard(r) : mgi_event_breaker(r, why));
}

void mgi_select_run_stop(struct select_run *r, enum select_end why)
{
    if (r->end != SELECT_END_NONE)
        return;
    end_run(r, why, mgi_event_breaker(r, why));
    r->expects = SELECT_OVER;
}

const struct json *mgi_select_run_inputs(const struct select_run *r)
{
    return &r->inputs[r->current];
}

/* ---- a step begins -------------------------------------------------------------------------- */

static bool goal_is_reached(const struct select_run *r)
{
    const struct select_goal *goal = &r->options->goal;
    uint8_t wanted = goal->slots, used = wanted & r->view.slots_used;
    return (wanted != 0 && (goal->any ? used != 0 : used == wanted)) ||
           (goal->calls != 0 && r->good_calls >= goal->calls);
}

/* How often this pair of menu and state was met, now included; 0: memory. */
static uint32_t meet(struct select_run *r)
{
    uint8_t pair[SHA256_BYTES];
    uint32_t times = 1;
    struct sha256 *h = mgi_sha256_new();
    if (!h)
        return 0;
    mgi_sha256_add(h, r->menu->digest, MENU_DIGEST_TEXT);
    mgi_sha256_add(h, r->view.state_digest.ptr, r->view.state_digest.len);
    if (!mgi_sha256_end(h, pair))
        return 0;
    for (uint32_t i = 0; i < r->met_count; i++)
        times += memcmp(r->met[i], pair, sizeof pair) == 0;
    memcpy(r->met[r->met_count++], pair, sizeof pair); /* one a step: there is room */
    return times;
}

static void begin_step(struct select_run *r, const struct menu *menu,
                       const struct select_state *state)
{
    const struct select_goal *goal = &r->options->goal;
    mgi_arena_reset(&r->step_life);
    r->patched = false;
    r->call = (struct select_call){ 0 };
    r->question = (struct str){ 0 };
    r->menu = menu;
    r->view = (struct select_view){ .goal = goal->id,
                                    .goal_tags = goal->tags,
                                    .goal_tag_count = goal->tag_count,
                                    .slots_used = state->slots_used,
                                    .stage = state->stage,
                                    .state_digest = state->digest };
}

enum select_next mgi_select_run_step(struct select_run *r, const struct menu *menu,
                                     const struct select_state *state)
{
    assert(r->expects == SELECT_STEP);
    bool repeats = r->status == SELECT_STATUS_INVALID_PICK;
    begin_step(r, menu, state);
    if (goal_is_reached(r))
        return end_run(r, SELECT_END_GOAL_DONE, mgi_event_goal_done(r));
    if (r->steps >= steps_allowed(r))
        return trip(r, SELECT_END_MAX_STEPS);
    r->steps++;
    if (!mgi_event_menu_built(r))
        return expect_next(r, SELECT_NOMEM);
    uint32_t times = repeats ? 1 : meet(r);
    if (times == 0)
        return expect_next(r, SELECT_NOMEM);
    if (times >= RUN_MEETINGS)
        return trip(r, SELECT_END_LOOP_GUARD);
    return expect_next(r, SELECT_CHOOSE);
}

bool mgi_select_run_told(struct select_run *r, bool policy, const struct selection *s,
                         const char *failure)
{
    return mgi_event_selector(r, policy, s, failure);
}

/* ---- what was chosen ------------------------------------------------------------------------ */

static enum select_next invalid_pick(struct select_run *r, struct str why)
{
    r->invalid_picks++;
    r->status = SELECT_STATUS_INVALID_PICK;
    if (!mgi_event_invalid_pick(r, why))
        return expect_next(r, SELECT_NOMEM);
    if (r->invalid_picks > invalid_allowed(r))
        return trip(r, SELECT_END_MAX_INVALID_PICKS);
    return expect_next(r, SELECT_STEP);
}

static bool digest_inputs(struct select_run *r, const struct json *inputs)
{
    uint8_t sum[SHA256_BYTES];
    struct buf canonical = { 0 };
    mgi_json_canonical(&canonical, inputs);
    bool done = !canonical.oom && mgi_sha256(canonical.ptr, canonical.len, sum);
    mgi_buf_fini(&canonical);
    if (done)
        mgi_hex(sum, sizeof sum, r->input_digest);
    return done;
}

static enum select_next call(struct select_run *r, struct select_call c)
{
    r->call = c;
    return expect_next(r, digest_inputs(r, c.inputs) ? SELECT_CALL : SELECT_NOMEM);
}

/* Into the pair that does not count; then it does. */
static enum patch_status patch_inputs(struct select_run *r, const struct json *patch)
{
    struct patched made;
    unsigned other = 1 - r->current;
    mgi_arena_reset(&r->inputs_life[other]);
    enum patch_status status = mgi_inputs_patch(&r->inputs_life[other], &r->inputs[r->current],
                                                patch, &r->options->patch, &made);
    if (status == PATCH_OK && !mgi_event_patched(r, &made))
        status = PATCH_NOMEM;
    if (status != PATCH_OK)
        return status;
    r->inputs[other] = made.inputs;
    r->current = other;
    r->patched = true;
    return PATCH_OK;
}

static enum select_next end_with_nothing(struct select_run *r)
{
    r->status = SELECT_STATUS_OK;
    return end_run(r, SELECT_END_NOOP, mgi_event_noop(r));
}

static enum select_next pick(struct select_run *r, const struct selection *s)
{
    const struct menu_entry *entry = mgi_menu_find(r->menu, s->sid);
    if (!entry)
        return invalid_pick(r, STR_LIT("the SID is not in the menu"));
    if (str_is(entry->aid, AID_NOOP))
        return end_with_nothing(r);
    enum patch_status patched = s->has_patch ? patch_inputs(r, &s->patch) : PATCH_OK;
    if (patched == PATCH_TOO_LARGE)
        return invalid_pick(r, STR_LIT("the patched inputs would be longer than 1048576 bytes"));
    if (patched == PATCH_NOMEM)
        return expect_next(r, SELECT_NOMEM);
    return call(r, (struct select_call){
                       .aid = entry->aid, .entry = entry, .inputs = &r->inputs[r->current] });
}

/* T-BUD-3: the question is asked by an action of its own, whoever carries it out. */
static enum select_next ask(struct select_run *r)
{
    struct str question = r->question.len > 0 ? r->question : r->options->question;
    struct buf text = { 0 };
    struct json_writer w;
    struct json *inputs = mgi_arena_alloc(&r->step_life, sizeof *inputs);
    if (question.len == 0) {
        const char *made = mgi_arena_printf(&r->step_life, "What should be done for the goal %.*s?",
                                            STR_ARG(r->options->goal.id));
        question = str_of(made);
    }
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "question", question);
    mgi_jw_end_object(&w);
    if (!inputs || !question.ptr || !mgi_json_take(&r->step_life, &text, inputs) ||
        !mgi_event_ask_sup(r, question)) {
        mgi_buf_fini(&text);
        return expect_next(r, SELECT_NOMEM);
    }
    return call(
        r, (struct select_call){ .aid = STR_LIT(AID_ASK_SUP), .inputs = inputs, .asks = true });
}

enum select_next mgi_select_run_choose(struct select_run *r, const struct selection *s)
{
    assert(r->expects == SELECT_CHOOSE);
    if (!mgi_event_chosen(r, s))
        return expect_next(r, SELECT_NOMEM);
    switch (s->kind) {
    case SELECTION_PICK:
        return pick(r, s);
    case SELECTION_ASK_SUP:
        return ask(r);
    case SELECTION_NOOP:
        return end_with_nothing(r);
    case SELECTION_INVALID:
        break;
    }
    return invalid_pick(r, str_of(s->fault ? s->fault : "the selection is INVALID"));
}

struct str mgi_select_run_question(const struct select_run *r)
{
    const struct json *q = r->call.asks ? mgi_json_get(r->call.inputs, "question") : NULL;
    return q ? q->string : (struct str){ "", 0 };
}

void mgi_select_run_write_question(const struct select_run *r, struct json_writer *w)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_bool(w, "delta", true);
    mgi_jw_key(w, "slots");
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "1");
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "type", "question");
    mgi_jw_member_cstr(w, "provenance", AID_ASK_SUP);
    mgi_jw_member_str(w, "content_json", r->call.inputs->text);
    mgi_jw_end_object(w);
    mgi_jw_end_object(w);
    mgi_jw_key(w, "removed_slots");
    mgi_jw_begin_array(w);
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
}

/* ---- what became of it ---------------------------------------------------------------------- */

static bool may_go_on(const struct select_run *r)
{
    for (size_t i = 0; i < r->options->go_on_count; i++)
        if (str_eq(r->options->go_on_after[i], r->call.aid))
            return true;
    return false;
}

enum select_next mgi_select_run_outcome(struct select_run *r, const struct select_outcome *o)
{
    assert(r->expects == SELECT_CALL);
    bool ok = o->status == SELECT_STATUS_OK;
    r->status = o->status;
    if (o->status != SELECT_STATUS_INVALID_PICK && !mgi_event_outcome(r, o))
        return expect_next(r, SELECT_NOMEM);
    if (!ok && r->patched) { /* the step is rolled back, and so is what it did to the inputs */
        r->current = 1 - r->current;
        r->patched = false;
    }
    if (o->status == SELECT_STATUS_INVALID_PICK)
        return invalid_pick(r, o->error);
    r->good_calls += ok;
    if (ok && r->call.asks)
        return end_run(r, SELECT_END_ASK_SUP, true);
    if (!ok && (r->call.asks || !may_go_on(r)))
        return end_run(r, SELECT_END_TOOL_ERROR, true);
    return expect_next(r, SELECT_STEP);
}
