/* A step of a macro-tool that is a menu: which actions run, and with which inputs, is picked while
 * it runs, by rules, by the heuristic, or by an external policy process.
 *
 *     menu: {tags: [tag.fs], selector: policy, goal: goal.REVIEW.v1, max_steps: 8, max_invalid: 2}
 *
 * The chain owns actions, state and deadlines, and asks this what to do:
 *
 *     new ─> next ──CALL──> (run step->call) ─> outcome ─> next …
 *              ├──WAIT──> options.ready() on the loop ─> next …
 *              └──OVER──> result ─> free
 *
 * Who decides: `pick` (rules) or else the heuristic is the fallback selector; `mode` says whether
 * the policy is called and whether it counts. So `selector: rules` is a pick with FALLBACK_ONLY,
 * `heuristic` is no pick with FALLBACK_ONLY, `policy` is a policy with POLICY_ONLY (or what the
 * domain says), and either fallback.
 *
 * ASK_SUP and consent. ASK_SUP means: a person has to say. No action runs; the step is over with
 * the reason ask_sup, and its result has the question. If the fallback would have picked something,
 * the step also has `ask`: that very call, and a digest that binds it to goal, question, menu,
 * state and inputs. The chain can then answer confirmation_required: its `show` is the question
 * with AID and inputs of the call; its challenge binds, beside what it always binds, ask.digest.
 * When the invocation comes again with a token for that challenge, the steps that have run are not
 * run again, and this one is begun with options.consent = that digest: the first time that ASK_SUP
 * comes up with the same digest, the call runs as if it had been picked. Anything else (another
 * state, menu or input) is another digest, and is asked for anew. Without `ask` there is nothing to
 * consent to: the step ends in order, and the question is for the client to pass on.
 *
 * Everything on one thread, that of the policy's loop. */
#ifndef MGI_SELECT_MENU_STEP_H
#define MGI_SELECT_MENU_STEP_H

#include "select/policy.h"
#include "select/run.h"

struct menu_step;

/* What rules are asked. The server tells them menu, state and inputs as facts, for example
 * menu_entry(Sid, Aid), menu_tag(Aid, Tag), menu_input(Name, Value), menu_state(Digest), beside all
 * that the invocation was told; it makes a selection of what they derive, for example
 * menu_pick(Aid) and menu_set(Name, Value): mgi_menu_find_aid(), then mgi_selection_make() with the
 * patch. Nothing derived is NOOP (entry NULL). Two picks are a fault of the rules:
 * mgi_selection_invalid(), and never the first of them. */
struct menu_question {
    const struct select_view *view;
    const struct menu *menu;
    const struct json *inputs;
    struct arena *arena; /* for what *out points to; as long as the step */
};

enum menu_picking {
    MENU_PICKED,  /* *out is it */
    MENU_PICKING, /* mgi_menu_step_picked() will be called, on this thread; then `ready` is not */
    MENU_PICKING_NOMEM /* it cannot be known */
};

struct menu_step_options {
    struct select_run_options run; /* goal, budgets, what a patch may touch, records */
    const struct menu_action *actions;
    size_t action_count;
    struct menu_wish wish;
    enum control_mode mode;
    struct policy *policy; /* NULL: none; then `mode` counts as FALLBACK_ONLY */
    /* Rules; NULL: the heuristic. */
    enum menu_picking (*pick)(void *context, const struct menu_question *question,
                              struct selection *out);
    void (*ready)(void *context); /* after WAIT, on the loop: call next again */
    void *context;                /* of both */
    struct str consent;           /* ask.digest that a person agreed to; empty: none */
};

enum menu_step_next {
    MENU_STEP_CALL, /* run mgi_menu_step_call(), tell its outcome */
    MENU_STEP_WAIT, /* somebody thinks: `ready` will be called */
    MENU_STEP_OVER,
    MENU_STEP_NOMEM /* memory is short: only _free is left */
};

/*
 * Begin a menu.
 *
 *   arena    of the invocation: outlives the step; outcomes' outputs live there, too, or as long
 *   options  borrowed until _free, with all that it points to
 *   inputs   the step's inputs; copied
 *   why      static: why there is no menu: too long, or memory
 */
struct menu_step *mgi_menu_step_new(struct arena *arena, const struct menu_step_options *options,
                                    const struct json *inputs, const char **why);

/* What comes next? `state` is what it is now, borrowed until the next outcome; not read while a
 * selector thinks. Invalid picks are dealt with here: each uses up a step of the budget. */
enum menu_step_next mgi_menu_step_next(struct menu_step *step, const struct select_state *state);

/* After CALL: AID and inputs; until its outcome is told. */
const struct select_call *mgi_menu_step_call(const struct menu_step *step);

/* What became of the call; outcome->output is borrowed until _free. False: memory; as NOMEM. */
bool mgi_menu_step_outcome(struct menu_step *step, const struct select_outcome *outcome);

/* What rules picked, that were still thinking. Then ask for what is next. */
void mgi_menu_step_picked(struct menu_step *step, const struct selection *selection);

/* Cancelled, or out of time, while it waits or between two calls: it is over. */
void mgi_menu_step_stop(struct menu_step *step, enum select_end why);

/* Whoever thinks is told to stop; `ready` will not be called. NULL is fine. */
void mgi_menu_step_free(struct menu_step *step);

/* ---- when it is over ------------------------------------------------------------------------ */

struct menu_step_ask { /* what a person may consent to */
    struct str question, aid, name;
    const struct json *inputs;
    char digest[65];
};

enum select_end mgi_menu_step_end(const struct menu_step *step);
/* NULL: nothing to consent to. */
const struct menu_step_ask *mgi_menu_step_ask(const struct menu_step *step);

/* The step's output: {"reason","status","steps","invalid_picks","calls":[{"aid","status"}…],
 * "output"?,"question"?}; "output" is that of the last call that succeeded. The step has succeeded
 * if mgi_select_end_exit() of its end is 0. */
void mgi_menu_step_write_result(const struct menu_step *step, struct json_writer *w);

#endif
