/* The run loop of a menu, without any I/O (toolhost.md 10.8): told the state, a selection, an
 * action's outcome, it says what comes next, and which records belong into the log.
 *
 *     step ──goal reached, budget, loop─────────────────────────────────> over
 *      │  ^
 *      │  └── invalid pick, or the action was run ────────┐
 *      └─> choose ──PICK, ASK_SUP─> the caller runs it ─> outcome ──> over
 *             └─────NOOP, too many invalid picks────────────────────> over
 *
 * Invariants: 1. nothing is called out of order (an assert). 2. once over, it stays over, with one
 * reason. 3. the state itself is the caller's: a failed action has left it as it was (T-TX-2), and
 * the loop takes back what the step's patch did to the inputs. 4. memory is bounded by the limits
 * below, however long the run. One thread. */
#ifndef MGI_SELECT_RUN_H
#define MGI_SELECT_RUN_H

#include "select/heuristic.h"
#include "select/menu.h"
#include "select/patch.h"
#include "select/selection.h"

#define RUN_STEPS         64    /* T-BUD-1 */
#define RUN_INVALID_PICKS 8     /* that are tolerated; the next one ends the run */
#define RUN_STEPS_LIMIT   10000 /* that anybody may set */
#define RUN_MEETINGS      4     /* of the same menu and state: the loop guard (T-BUD-2) */
#define RUN_ERROR_BYTES   256   /* of an action's error text in a record */
#define RUN_QUESTION_SLOT 1     /* T-BUD-3 */

/* T-BUD-5. */
enum select_end {
    SELECT_END_NONE, /* it goes on */
    SELECT_END_NOOP,
    SELECT_END_ASK_SUP,
    SELECT_END_GOAL_DONE,
    SELECT_END_TOOL_ERROR,
    SELECT_END_MAX_STEPS,
    SELECT_END_MAX_INVALID_PICKS,
    SELECT_END_LOOP_GUARD,
    SELECT_END_CANCELLED,
    SELECT_END_DEADLINE
};

/* StepStatus of the seed. */
enum select_status {
    SELECT_STATUS_NONE, /* no step has ended */
    SELECT_STATUS_OK,
    SELECT_STATUS_INVALID_PICK,
    SELECT_STATUS_TOOL_ERROR,
    SELECT_STATUS_BREAKER_TRIP
};

/* A record of the run log: the name is one of T-BUD-6, the payload an object whose members are
 * sorted by name. Payloads hold what selectors said, and names of inputs, never their values nor
 * outputs (lengths and digests instead). Borrowed during the call. */
struct select_event {
    uint32_t step; /* from 1; 0: before the first */
    const char *name;
    struct str payload;
};

struct select_goal {
    struct str id;
    const struct str *tags;
    size_t tag_count;
    uint8_t slots;  /* that have to be used: bit n, slot n; 0: this ends no run */
    bool any;       /* one of them is enough */
    uint32_t calls; /* so many actions that succeeded are enough, too; 0: this ends no run */
};

/* All zero is fine but for the goal's id. Borrowed until mgi_select_run_fini(). */
struct select_run_options {
    struct select_goal goal;
    uint32_t max_steps;  /* 0: 64; at most RUN_STEPS_LIMIT, more counts as that */
    int32_t max_invalid; /* 0: 8; below 0: none is tolerated */
    struct patch_rules patch;
    const struct str *go_on_after; /* AIDs after whose failure the run goes on (T-BUD-4) */
    size_t go_on_count;
    struct str question; /* what ASK_SUP asks; empty: a sentence with the goal's id */
    void (*event)(void *context, const struct select_event *event); /* NULL: nobody listens */
    void *context;
};

/* What the caller knows of the state before a step. */
struct select_state {
    struct str digest; /* the same text if, and only if, the state is the same */
    uint8_t slots_used;
    struct str stage;
    struct str meta; /* menu_step.h alone: a JSON object for selectors; empty: none */
};

/* What is to be run. Valid until the next step begins. */
struct select_call {
    struct str aid;
    const struct menu_entry *entry; /* NULL: AID.ASK_SUP.v1 */
    const struct json *inputs;      /* an object */
    bool asks;                      /* AID.ASK_SUP.v1: the run ends with its outcome */
};

/* What became of it. */
struct select_outcome {
    /* OK, TOOL_ERROR or BREAKER_TRIP (the action is switched off). INVALID_PICK: the action refused
     * what it was given, or its inputs were none that it takes: that counts as an invalid pick. */
    enum select_status status;
    struct str output;      /* JSON text; measured for the record, never written */
    struct str error, code; /* a failure's, or empty */
    int64_t duration_ms;
    struct str state_digest; /* afterwards; empty: not known */
};

enum select_next {
    SELECT_CHOOSE, /* ask a selector, then mgi_select_run_choose() */
    SELECT_CALL,   /* run `call`, then mgi_select_run_outcome() */
    SELECT_STEP,   /* begin the next step: mgi_select_run_step() */
    SELECT_OVER,   /* `end` says why */
    SELECT_NOMEM   /* memory is short; only _stop and _fini are left */
};

struct select_run {
    /* To be read. */
    enum select_end end;
    enum select_status status; /* of the last step */
    uint32_t steps, invalid_picks;
    struct select_call call;
    const struct menu *menu; /* of this step */
    struct select_view view; /* the same, as selectors see it */
    uint32_t good_calls;     /* that succeeded */

    /* To be set before a choice: what ASK_SUP asks in this step alone; empty: what `options` say.
     */
    struct str question;

    /* Its own. */
    const struct select_run_options *options;
    enum select_next expects;
    struct arena step_life; /* of a step: the selection's entry, dropped names, the question */
    struct arena inputs_life[2];
    struct json inputs[2];
    unsigned current; /* which of the two counts */
    bool patched;     /* the other one is what they were before this step */
    uint8_t (*met)[32];
    uint32_t met_count;
    char input_digest[65]; /* of the call's */
};

/*
 * Begin. `inputs` (anything but an object counts as {}) is copied; `options` is borrowed until
 * _fini. False: memory is short, and nothing is left to finish.
 */
bool mgi_select_run_init(struct select_run *r, const struct select_run_options *options,
                         const struct json *inputs);
void mgi_select_run_fini(struct select_run *r);

/*
 * Begin a step with the menu and the state that there are now; both are borrowed until the next.
 * CHOOSE; OVER (goal reached, no step left, or the loop guard); NOMEM. A step that repeats an
 * invalid pick is no new meeting of menu and state: its own budget counts those (T-BUD-1, -2).
 */
enum select_next mgi_select_run_step(struct select_run *r, const struct menu *menu,
                                     const struct select_state *state);

/* The inputs as they are now: for selectors, and for whoever goes on after the run. */
const struct json *mgi_select_run_inputs(const struct select_run *r);

/* For the log: what a selector said before somebody chose. `failure` (or NULL): why the policy did
 * not count. False: memory. */
bool mgi_select_run_told(struct select_run *r, bool policy, const struct selection *s,
                         const char *failure);

/*
 * Take the selection that counts; borrowed until the step is over. CALL (a pick; ASK_SUP too); STEP
 * (it was invalid, and is counted); OVER (NOOP, AID.NOOP.v1, or one invalid pick too many); NOMEM.
 * A pick whose patch would make the inputs longer than INPUTS_MAX_BYTES is invalid.
 */
enum select_next mgi_select_run_choose(struct select_run *r, const struct selection *s);

/* Take what became of the call. STEP; OVER (also of one invalid pick too many); NOMEM. */
enum select_next mgi_select_run_outcome(struct select_run *r, const struct select_outcome *o);

/* End it from outside: SELECT_END_CANCELLED or _DEADLINE. Nothing happens to one that is over. */
void mgi_select_run_stop(struct select_run *r, enum select_end why);

/* What is asked of a person: the question of the options, or one made from the goal. After
 * SELECT_CALL with call.asks. As slots: the `ds_state` delta that puts it into slot 1. */
struct str mgi_select_run_question(const struct select_run *r);
void mgi_select_run_write_question(const struct select_run *r, struct json_writer *w);

const char *mgi_select_end_name(enum select_end end);          /* "noop" … ; NONE: "" */
const char *mgi_select_status_name(enum select_status status); /* "OK" … ; NONE: "" */
int mgi_select_end_exit(enum select_end end);                  /* 0: it ended in order; else 1 */

#endif
