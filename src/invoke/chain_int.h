/* What the files of the chain share.
 *
 *     chain.c           the main line: which step is next, when it is over
 *     chain_sessions.c  sessions: who has which, which go back
 *     chain_items.c     what becomes of calls, items and steps
 *     chain_foreach.c   what becomes of all items of a step together
 *     chain_undo.c      compensation
 *     chain_call.c      one call: written down, sent, answered, again
 *     chain_step.c      one call: what it is sent, what its answer means
 *     chain_menu.c      a step that is a menu: what is picked, called, and asked of a person
 *     menu_rules.c      what rules pick
 *     chain_parts.c     what all of them ask
 *     graph.c           what needs what; the working state that follows
 *
 * Each calls those below it and never one above; what comes later (from hosts, workers, timers)
 * goes back up by struct chain_ways.
 *
 * A step has one call, or as many as its foreach may do at once. A call goes round:
 *
 *     idle ─> composing ─> ready ─> recording ─> calling ─> (queued) ─> digesting ─> idle
 *               │            ^└──────────────────────^ │
 *               │            └──── waiting <───────────┤  again, after a while
 *               └──> idle (not needed, at fault)       └─> idle (failed)
 *
 * The one call of a menu goes round more often. Composed are the step's inputs; then
 *
 *     next ─> (picking) ─> composing ─> ready ─> … ─> digesting ─> next ─> … ─> idle
 *              └─> asking: a person has to say. Nothing begins any more, what runs is let finish;
 *                  then the invocation is at rest until mgi_invocation_go_on()
 *
 * 1. What is decided is decided on the loop. A worker that composes or digests writes the call, its
 *    arena and what the call says is its own: of its run `opened`, `verdict`, `list`, `items` and
 *    `arena` while nothing else of the run is under way. It reads runs that are over, and
 * arguments.
 * 2. Steps begin in the order of the list, as soon as all that they need is over, however it ended.
 * 3. Of one invocation one call at a time reads what a tool reported (`delta_owner`): values are
 *    interned in one table.
 * 4. A session is in the hands of at most one call, from before it is sent to its answer. */
#ifndef MGI_INVOKE_CHAIN_INT_H
#define MGI_INVOKE_CHAIN_INT_H

#include "invoke/invoke_int.h"
#include "select/menu_step.h"

#define STEP_RESERVE_MS   100 /* T-MCP-28 */
#define STEP_LEAST_MS     200
#define DETAIL_BYTES      200          /* of words for people */
#define FOREACH_MAX_BYTES (16u << 20)  /* of all outputs of a foreach */
#define CHAIN_MAX_BYTES   (256u << 20) /* of memory, of all that the calls of a chain leave */
#define ITEM_CHUNK        4096         /* an item has an arena of its own, and is small */
#define MENU_MAX_BYTES    (64u << 20)  /* of memory, of the inputs of all that a menu picks */
#define FACTS_MAX_BYTES   (64u << 20)  /* of what tools of one invocation report, as facts */

enum call_state {
    CALL_IDLE,
    CALL_COMPOSING, /* on a worker, or about to */
    CALL_READY,     /* for a session */
    CALL_RECORDING, /* the journal writes that it begins */
    CALL_CALLING,
    CALL_QUEUED,    /* to be digested */
    CALL_DIGESTING, /* on a worker */
    CALL_WAITING,   /* to be tried again */
    CALL_NEXT,      /* a menu: what comes next has to be asked */
    CALL_PICKING,   /* a selector thinks; rules do it on a worker */
    CALL_ASKING     /* a person has to agree */
};

struct step_call {
    struct invocation *inv;
    struct step_run *run;
    size_t item;
    bool undo; /* it undoes that item */
    enum call_state state;
    struct arena arena; /* of this item: inputs, answers, words; then the item_run's */
    struct task task;
    struct tool_inputs inputs;
    struct tool_slots slots; /* the working state it begins with */
    const char *fault;       /* what composing or digesting found wrong; NULL: nothing */
    struct tool_result result;
    struct fact_vec asserts, retracts;
    struct evidence_list evidence;
    struct held_session *session;
    uint32_t attempt;
    double fraction; /* CALLING: how far it is, as it says itself: 0 to 1 */
    bool unsure;     /* an attempt at it may have had an effect that is not known */
    bool misfits;    /* of a menu: its inputs are none that the picked action takes */
    void *journal_step;
    struct call_timer *timer; /* WAITING */
};

/* What a step has that is a menu, from when it began. A worker that composes its inputs makes it.
 */
struct menu_run {
    struct menu_step *step; /* NULL: not yet */
    struct menu_step_options options;
    struct step_call *call;
    struct state_change *changes; /* by provider; change_count of them */
    size_t change_count;
    unsigned version;       /* of these changes: another number whenever a session's may differ */
    uint8_t slots_before;   /* that are used when it begins, by any of its providers */
    char inputs_digest[65]; /* of the step's inputs, as composed */
    uint8_t base[32];       /* digest of the state that it begins with */
    uint8_t slots[32];      /* of the changes, and */
    uint8_t output[32];     /* of what the last call returned */
    char digest[65];        /* of the state as it is, for selectors */
    struct buf meta;
    size_t
        given_memory; /* of the inputs of all picks, whatever came of them: they stay for undoing */
    const char *reason; /* details.reason of the call that failed last */
    bool ends;          /* and that ends the chain, whatever the step says */
    const char *lapsed; /* the same where nobody agreed to what was asked; NULL: it is not so */
    /* Rules, on a worker: */
    bool thinking; /* the worker has the call */
    struct menu_question question;
    struct menu_said said;
    const char *fault; /* why it is not known what they say; NULL: it is */
};

struct held_session {
    const struct action_provider *provider;
    struct toolsession *session; /* NULL: this place is free */
    struct step_call *user;      /* NULL: idle */
    const struct step_run *last; /* whose changes its state is made of; NULL: not known, or new */
    unsigned version;            /* of these changes, if it is a menu */
};

struct session_wish {
    struct invocation *inv;
    const struct action_provider *provider;
    struct toolticket *ticket; /* NULL: this place is free */
};

struct chain_ways {
    void (*advance)(struct invocation *inv);  /* go on until something has to be waited for */
    void (*composed)(struct step_call *call); /* mgi_call_composed() */
    void (*digested)(struct step_call *call); /* mgi_call_digested() */
    void (*picked)(struct step_call *call);   /* mgi_call_picked() */
};

struct chain {
    const struct chain_ways *ways;
    size_t limit; /* calls under way at once */
    size_t under_way;
    struct held_session *sessions;
    size_t session_cap;          /* places */
    struct session_wish *wishes; /* `limit` places */
    size_t kept_bytes;           /* of the steps' outputs */
    size_t kept_memory;          /* of their calls, whatever came of them */
    struct step_call *delta_owner;
    struct arena facts; /* what tools reported: the delta_owner's */
    void *journal_run;
    struct str *ids; /* of the steps, for the journal */
    bool reserving;  /* nothing has happened yet: only the first session is wanted */
    bool running;    /* mgi_invocation_run() was called */
    bool advancing, again;
    bool over;
    bool wants_undo;
    bool pausing;      /* a menu asks a person: nothing begins, what runs is let finish */
    int64_t paused_ns; /* monotonic: since when the invocation is at rest */

    bool undoing;
    struct item_run *undo_next;
    int64_t undo_deadline_ns;
    struct step_call undo_call;
};

/* How many calls may be under way now. */
static inline size_t mgi_chain_limit(const struct chain *c)
{
    return c->reserving ? 1 : c->limit;
}
static inline const struct action *mgi_call_action(const struct step_call *call)
{
    const struct step_run *run = call->run;
    if (!run->step->menu)
        return call->undo ? run->step->undo.action : run->step->action;
    const struct menu_option *option = run->items[call->item].option;
    return call->undo ? option->undo.action : option->action;
}
/* Is it a call that a menu led to, and not (yet) the menu's own inputs? */
static inline bool mgi_call_is_picked(const struct step_call *call)
{
    return !call->undo && call->run->menu && call->run->menu->step;
}
/* Has the session the working state that the call begins with, apart from what the graph says? */
static inline bool mgi_session_is_current(const struct held_session *s)
{
    return s->last && (!s->last->menu || s->last->menu->version == s->version);
}
static inline size_t mgi_run_place(const struct step_run *run, const struct invocation *inv)
{
    return (size_t)(run - inv->runs);
}

/* chain.c has what invoke.h promises, and chain_ways.advance: it may end in the caller of the
 * invocation, who may free it, so nothing is touched afterwards. */

/* chain_parts.c ----------------------------------------------------------------------------- */

int64_t mgi_chain_left_ms(const struct step_call *call);
void mgi_chain_report(struct invocation *inv, const char *status, struct str detail);
/* One line for people, of text from outside (T-MCP-10). */
struct str mgi_one_line(struct arena *arena, struct str text);
void mgi_run_skipped(struct step_run *run, const char *why);
/* It would have run. */
void mgi_run_cut(struct step_run *run, const char *why);
/* For each call there is, that of compensation included: */
typedef void call_visitor(struct step_call *call, void *context);
void mgi_calls_each(struct invocation *inv, call_visitor *visit, void *context);
/* Let a worker do what takes time; the call is its from now on. False: nobody takes it, so it is
 * done here. */
bool mgi_call_hand_over(struct step_call *call, enum call_state state, void (*run)(struct task *t),
                        void (*done)(struct task *t));
struct step_call *mgi_call_of_task(struct task *t);

/* chain_step.c ------------------------------------------------------------------------------ */

/* Open the run if it is not, compose the inputs of the call. Here or on a worker; then
 * mgi_call_composed(). */
void mgi_call_compose(struct step_call *call);
/* Digest an answer that is good as far as the host knows; then mgi_call_digested(). */
void mgi_call_digest(struct step_call *call);
/* Those that wait for their turn to be digested. */
void mgi_calls_dequeue(struct invocation *inv);

/* menu_rules.c ------------------------------------------------------------------------------ */

/* What rules say of `menu->question`, into menu->said; or menu->fault. Here or on a worker: reads
 * runs that are over. */
void mgi_menu_ask_rules(struct step_call *call);

/* chain_menu.c ------------------------------------------------------------------------------ */

/* On a worker or here, when the step's inputs are composed: what a menu needs to begin. NULL; or
 * what is wrong. */
const char *mgi_menu_prepare(struct step_call *call);
/* Begin it. False: memory. */
bool mgi_menu_begin(struct step_call *call);
/* What comes next? CALL: an item has begun, whose inputs are to be composed. */
enum menu_step_next mgi_menu_next(struct step_call *call);
/* Compose the inputs of what was picked. NULL; or what is wrong. Here or on a worker. */
const char *mgi_menu_compose(struct step_call *call);
/* Its picks have had more inputs than MENU_MAX_BYTES: nothing more is picked. */
bool mgi_menu_is_full(const struct step_run *run);
/* A good answer: what it did to the state and what it returned, as digests. Here or on a worker. */
void mgi_menu_digest(struct step_call *call);
/* What became of the call. False: memory. */
bool mgi_menu_told(struct step_call *call, enum select_status status, struct str error);
void mgi_menu_stop(struct step_run *run, enum select_end why);
/* It is over: its output, and what is told of it in one line. False: memory. */
bool mgi_menu_conclude(struct step_call *call, struct str *detail);
void mgi_menu_free(struct step_run *run);

/* chain_call.c ------------------------------------------------------------------------------ */

/* It has a session: write down that it begins, and send it. */
void mgi_call_send(struct step_call *call);
/* What came out is known but for what digesting finds. */
void mgi_call_answered(struct step_call *call);
/* It answered well, as far as the host knows; digesting found it `good`: that is written down. */
void mgi_call_ended(struct step_call *call, bool good);
/* It failed; true: it will be tried again. */
bool mgi_call_tries_again(struct step_call *call, enum tool_outcome outcome);
/* Stop waiting (it was cancelled). */
void mgi_call_wakes(struct step_call *call);
/* Come back after `ms` by chain_ways.picked: a selector must not think longer. */
void mgi_call_limits_thinking(struct step_call *call, int64_t ms);

/* chain_items.c ----------------------------------------------------------------------------- */

/* The inputs are there, or what is wrong with them. */
void mgi_call_composed(struct step_call *call);
void mgi_call_digested(struct step_call *call);
/* A call failed for good. `why` is for the log. A client is told what the template says; `own` are
 * words of the tool, which the template may pass on; `reason` is for details.reason; `ends`: the
 * chain ends whatever the step's rule is (toolhost.md 11.2). */
void mgi_call_failed(struct step_call *call, struct str why, struct str own, const char *reason,
                     bool ends);
/* It will not be sent: the chain ended meanwhile. */
void mgi_call_dropped(struct step_call *call);
/* Is there too little time left to send it (T-MCP-28)? True: it is over, and so is the chain. */
bool mgi_call_is_too_late(struct step_call *call);
/* A selector has said what it has to say, or has had its time. */
void mgi_call_picked(struct step_call *call);
/* A menu whose call is CALL_NEXT: ask what comes next, and see to it. */
void mgi_run_picks(struct invocation *inv, struct step_run *run);
/* A menu whose call is CALL_ASKING: a person agreed; or `why` not, in words for details.reason. */
void mgi_run_hears(struct step_run *run, const char *why);

/* chain_foreach.c --------------------------------------------------------------------------- */

/* Begin as many items as may be; close it if that was all. */
void mgi_foreach_goes_on(struct invocation *inv, struct step_run *run);
/* No item is under way and none will be. */
void mgi_foreach_close(const struct invocation *inv, struct step_run *run);

/* chain_sessions.c -------------------------------------------------------------------------- */

/* Give sessions to calls that are ready, in the order of the list, and ask for what lacks. */
void mgi_sessions_seat(struct invocation *inv);
/* What is not used any more goes back. */
void mgi_sessions_let_go(struct invocation *inv);
void mgi_sessions_forget_wishes(struct invocation *inv);
void mgi_sessions_release_all(struct invocation *inv);
/* Nothing has been done, and nothing will be. */
void mgi_chain_refuse(struct invocation *inv, enum wire_code code, const char *details,
                      const char *message, int64_t retry_ms);

/* chain_undo.c ------------------------------------------------------------------------------ */

/* All steps are over: is what they did to be undone? True: it has begun. */
bool mgi_undo_begins(struct invocation *inv);
/* Go on with the next, if none is under way. */
void mgi_undo_goes_on(struct invocation *inv);
void mgi_undo_ended(struct step_call *call, bool good, struct str detail, const char *reason);
/* The action says (`performed` is false) that it knows nothing that would undo it. */
void mgi_undo_was_none(struct step_call *call);

#endif
