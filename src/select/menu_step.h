/* A step of a macro-tool that is a menu: which actions run, and with which inputs, is picked while
 * it runs, by rules, by the heuristic, or by an external policy process.
 *
 * The chain owns actions, state and deadlines, and asks this what to do:
 *
 *     new ─> next ──CALL──> (run step->call) ─> outcome ─> next …
 *              ├──WAIT──> options.ready() on the loop ─> next …
 *              ├──ASK───> (a person agrees) ─> agreed ─> next …      or free
 *              └──OVER──> result ─> free
 *
 * Who decides: `pick` (rules) or else the heuristic is the fallback selector; `mode` says whether
 * the policy is called and whether it counts.
 *
 * What selectors see as inputs is what the picked action gets, and `_meta` beside it
 * (select_state.meta): what the chain tells of the step so far. Actions never get that.
 *
 * ASK_SUP and consent. A person has to say: a selector answered ASK_SUP, or rules ask before what
 * was picked (menu_said.asks). Nothing runs. What is asked for is one call with its inputs: what
 * was picked, or, where ASK_SUP alone was said, what the fallback would pick. If there is such a
 * call, `next` says ASK: the chain keeps what it has, and goes on with mgi_menu_step_agreed() if a
 * person agrees to that very call, which then runs as if it had been picked. Without one there is
 * nothing to consent to: the step ends in order with the reason ask_sup, and its result has the
 * question (T-BUD-3).
 *
 * Everything on one thread, that of the policy's loop. */
#ifndef MGI_SELECT_MENU_STEP_H
#define MGI_SELECT_MENU_STEP_H

#include "select/policy.h"
#include "select/run.h"

struct menu_step;

/* A person is asked before this is run. */
struct menu_must_ask {
    uint16_t sid;
    struct str question; /* empty: that of the options. Also what ASK_SUP asks that proposes it */
};

/* What rules say: a pick (see mgi_selection_make; nothing derived is NOOP, and two picks are
 * mgi_selection_invalid(), never the first of them), and before what a person is asked, whoever
 * picks it. */
struct menu_said {
    struct selection selection;
    const struct menu_must_ask *asks;
    size_t ask_count;
};

struct menu_question {
    const struct select_view *view;
    const struct menu *menu;
    const struct json *inputs; /* as selectors see them */
    struct arena *arena;       /* for what *out points to; until the next question */
};

enum menu_picking {
    MENU_PICKED,  /* *out is it */
    MENU_PICKING, /* mgi_menu_step_picked() will be called, on this thread; then `ready` is not */
    MENU_PICKING_NOMEM /* it cannot be known */
};

/* Whose selection counts. */
enum menu_by { MENU_BY_RULES, MENU_BY_HEURISTIC, MENU_BY_POLICY, MENU_BY_FALLBACK };

/* A selection that counts, before anybody acts on it. Borrowed during the call. */
struct menu_chosen {
    uint32_t turn;   /* from 1: a step of the budget */
    enum menu_by by; /* FALLBACK: the policy failed, and the other one counts instead */
    const struct selection *selection;
    const struct menu_entry *entry; /* NULL: it is no pick of the menu */
};

struct menu_step_options {
    struct select_run_options run; /* goal, budgets, what a patch may touch, records */
    const struct menu *menu;
    enum control_mode mode;
    struct policy *policy; /* NULL: none; then `mode` counts as FALLBACK_ONLY */
    /* Rules; NULL: the heuristic. */
    enum menu_picking (*pick)(void *context, const struct menu_question *question,
                              struct menu_said *out);
    /* Who answers in the place of a policy process, at once, with texts that stay as long as the
     * question's arena; NULL: nobody. False: memory. */
    bool (*say)(void *context, const struct menu_question *question, struct policy_answer *out);
    void (*chosen)(void *context, const struct menu_chosen *chosen); /* or NULL */
    void (*ready)(void *context); /* after WAIT, on the loop: call next again */
    void *context;                /* of all of them */
};

enum menu_step_next {
    MENU_STEP_CALL, /* run mgi_menu_step_call(), tell its outcome */
    MENU_STEP_WAIT, /* somebody thinks: `ready` will be called */
    MENU_STEP_ASK,  /* a person has to say: mgi_menu_step_ask() */
    MENU_STEP_OVER,
    MENU_STEP_NOMEM /* memory is short: only _free is left */
};

/*
 * Begin a menu.
 *
 *   arena    of the invocation: outlives the step; outcomes' texts live there, too, or as long
 *   options  borrowed until _free, with all that it points to
 *   inputs   the step's inputs; copied
 *
 * NULL: memory.
 */
struct menu_step *mgi_menu_step_new(struct arena *arena, const struct menu_step_options *options,
                                    const struct json *inputs);

/* What comes next? `state` is what it is now, borrowed until the next outcome; `most_ms` (0: as
 * much as it likes) what a policy process may take. Neither is read while a selector thinks.
 * Invalid picks are dealt with here: each uses up a step of the budget. */
enum menu_step_next mgi_menu_step_next(struct menu_step *step, const struct select_state *state,
                                       int64_t most_ms);

/* After CALL: AID and inputs; until its outcome is told. */
const struct select_call *mgi_menu_step_call(const struct menu_step *step);

/* What became of the call; output and error are borrowed until _free. False: memory; as NOMEM. */
bool mgi_menu_step_outcome(struct menu_step *step, const struct select_outcome *outcome);

/* What rules said, that were still thinking. Then ask for what is next. */
void mgi_menu_step_picked(struct menu_step *step, const struct menu_said *said);
/* The same, where it cannot be known what they say: memory. */
void mgi_menu_step_lost(struct menu_step *step);

/* Cancelled, or out of time, while it waits, asks, or between two calls: it is over. */
void mgi_menu_step_stop(struct menu_step *step, enum select_end why);

/* Whoever thinks is told to stop; `ready` will not be called. NULL is fine. */
void mgi_menu_step_free(struct menu_step *step);

/* ---- asking a person ------------------------------------------------------------------------ */

struct menu_step_ask { /* what a person may agree to; as long as the step */
    struct str question, aid, name;
    const struct json *inputs;
    /* Hex digest of the call, the goal, the question, menu and state: what consent binds. */
    char digest[65];
};

/* After ASK. */
const struct menu_step_ask *mgi_menu_step_ask(const struct menu_step *step);
/* A person agreed to it: `next` is CALL. */
void mgi_menu_step_agreed(struct menu_step *step);

/* ---- when it is over ------------------------------------------------------------------------ */

enum select_end mgi_menu_step_end(const struct menu_step *step);
/* Of the run so far. */
const struct select_run *mgi_menu_step_run(const struct menu_step *step);
/* What ASK_SUP asked, where the step ended with it; empty: it did not. */
struct str mgi_menu_step_question(const struct menu_step *step);

/* The step's output: {"reason","status","steps","invalid_picks","calls":[{"aid","status","output"?,
 * "error"?}…],"output"?,"question"?}; "output" is that of the last call that succeeded, "error"
 * are an action's own words, with `errors` alone. The step has succeeded if mgi_select_end_exit()
 * of its end is 0. */
void mgi_menu_step_write_result(const struct menu_step *step, struct json_writer *w, bool errors);

/* The member "calls" alone, as an array, errors included: for select_state.meta. Outputs beyond
 * `most` bytes in all are left out, the oldest first, and "output_bytes" says how long each was. */
void mgi_menu_step_write_calls(const struct menu_step *step, struct json_writer *w, size_t most);

#endif
