/* What the files of the chain share.
 *
 *     chain.c           the main line: which step is next, when it is over
 *     chain_sessions.c  sessions: who has which, which go back
 *     chain_items.c     what becomes of calls, items and steps
 *     chain_undo.c      compensation
 *     chain_call.c      one call: written down, sent, answered, again
 *     chain_step.c      one call: what it is sent, what its answer means
 *     chain_parts.c     what all of them ask
 *     graph.c           what needs what; the working state that follows
 *
 * Each calls those below it; what comes later (from hosts, workers, timers) goes back up by
 * struct chain_ways.
 *
 * A step has one call, or as many as its foreach may do at once. A call goes round:
 *
 *     idle ─> composing ─> ready ─> recording ─> calling ─> (queued) ─> digesting ─> idle
 *               │            ^└──────────────────────^ │
 *               │            └──── waiting <───────────┤  again, after a while
 *               └──> idle (not needed, at fault)       └─> idle (failed)
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

#define STEP_RESERVE_MS   100 /* T-MCP-28 */
#define STEP_LEAST_MS     200
#define DETAIL_BYTES      200          /* of words for people */
#define FOREACH_MAX_BYTES (16u << 20)  /* of all outputs of a foreach */
#define CHAIN_MAX_BYTES   (256u << 20) /* of memory, of all that the calls of a chain leave */
#define ITEM_CHUNK        4096         /* an item has an arena of its own, and is small */
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
    struct held_session *session;
    uint32_t attempt;
    double fraction; /* CALLING: how far it is, as it says itself: 0 to 1 */
    bool unsure;     /* an attempt at it may have had an effect that is not known */
    void *journal_step;
    struct call_timer *timer; /* WAITING */
};

struct held_session {
    const struct action_provider *provider;
    struct toolsession *session; /* NULL: this place is free */
    struct step_call *user;      /* NULL: idle */
    const struct step_run *last; /* whose changes its state is made of; NULL: not known, or new */
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
    return call->undo ? call->run->step->undo.action : call->run->step->action;
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
/* For each call there is, that of compensation included: */
typedef void call_visitor(struct step_call *call, void *context);
void mgi_calls_each(struct invocation *inv, call_visitor *visit, void *context);

/* chain_step.c ------------------------------------------------------------------------------ */

/* Open the run if it is not, compose the inputs of the call. Here or on a worker; then
 * mgi_call_composed(). */
void mgi_call_compose(struct step_call *call);
/* Digest an answer that is good as far as the host knows; then mgi_call_digested(). */
void mgi_call_digest(struct step_call *call);
/* Those that wait for their turn to be digested. */
void mgi_calls_dequeue(struct invocation *inv);
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
void mgi_run_skipped(struct step_run *run, const char *why);
/* It would have run. */
void mgi_run_cut(struct step_run *run, const char *why);
/* Begin as many items as may be. */
void mgi_run_goes_on(struct invocation *inv, struct step_run *run);

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

#endif
