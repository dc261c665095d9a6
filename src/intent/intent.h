/* The middle doll: an intent and its facts in, macro-tools out (protocol.md §2.9 to §2.16, 5.2).
 *
 * C validates, evaluates the rules in an overlay, finishes the greedy choice where rounds ran out,
 * and renders. Which tool, which skill, whether to confirm: the rules say (rules/). */
#ifndef MGI_INTENT_INTENT_H
#define MGI_INTENT_INTENT_H

#include "decision/mask.h"
#include "domain/domain.h"
#include "macro/macro.h"
#include "protocol/error.h"
#include "security/principal.h"
#include "security/signing.h"
#include "store/store.h"

/* What a worker keeps from request to request: an overlay over the snapshot it last used, scratch
 * arenas. One thread. */
struct intent_worker;
struct intent_worker *mgi_intent_worker_new(void);
void mgi_intent_worker_free(struct intent_worker *w);

/* From now on `player` (borrowed) answers for actions that rules ask; NULL: they do themselves. */
void mgi_intent_worker_play(struct intent_worker *w, struct external_player *player);

/* Its overlay over the base of `s`, empty; it stays the worker's. NULL when memory is short. */
mangle_overlay *mgi_intent_worker_overlay(struct intent_worker *w, struct snapshot *s);

/* What an evaluation consists of. What cannot be told apart cheaply is counted where it is read: a
 * proof's text is part of the proof. */
enum intent_stage {
    INTENT_DECODE, /* the payload; facts told to the rules */
    INTENT_RULES,
    INTENT_SELECT, /* which tools, made of what */
    INTENT_WINDOW, /* until when */
    INTENT_PROOF,  /* why, and why not */
    INTENT_ENCODE, /* the answer's text */
    INTENT_STORE,  /* definitions kept */
    INTENT_STAGES
};
const char *mgi_intent_stage_name(enum intent_stage stage);

struct intent_costs { /* what one evaluation took */
    const struct snapshot *snapshot;
    struct str intent;             /* as sent: text from outside */
    const mangle_profile *profile; /* by rule, of this evaluation alone; the worker's */
    int64_t stages_ns[INTENT_STAGES];
};

struct intent_call {
    struct snapshot *snapshot;
    const struct principal *who;
    const struct json *payload; /* of the intent_request, an object */
    int64_t clock_ns; /* the server's real (or --clock) time: default evaluation time, windows */
    int64_t (*mono)(void *); /* monotonic clock for budgets; NULL: no time limit */
    void *mono_context;
    bool (*cancelled)(void *context); /* asked now and then, on this thread; or NULL */
    void *cancel_context;
    const struct signing_keys *signing; /* by which the server knows its own words; or NULL */
    const struct store *store;          /* borrowed; definitions go here; NULL: nowhere (tests) */
    const struct logger *log;           /* what went wrong in rules, with file and line; or NULL */
    struct intent_notes *notes;         /* or NULL */
    /* Told on this thread when all is done, whatever came of it; needs `mono`. NULL: nobody asks,
     * and nothing is measured. */
    void (*costs)(void *context, const struct intent_costs *costs);
    void *costs_context;
    const struct intent_record
        *record; /* what was decided, for a decision log; NULL: nobody asks */
    const struct why_not_question *why_not; /* or NULL */
    const char *why_not_fault; /* what is wrong with a question that was sent, to be told with the
                                  faults of the payload; NULL: nothing */
};

/* Members of an object that the caller has begun: eval_time and outcome (decision/record.h). They
 * are the same whenever the same is asked: nothing in them depends on a clock. */
struct intent_record {
    struct json_writer *w;
    struct mask *mask;
};

/* Why is a tool not among those that come out? */
struct why_not_question {
    const struct json *tools; /* an array of their names */
    /* Told to who wrote the domain. Else it is told what the caller could find out by asking with
     * other facts, and of everything else the same as of a tool that does not exist. */
    bool in_full;
    struct buf *answer; /* the JSON array is appended: docs/client.md. Empty on failure */
};

struct intent_notes {        /* what happened besides */
    bool asked;              /* the store was given definitions */
    enum store_status store; /* not STORE_OK: some of them were not kept */
    int64_t rules_ns;        /* time spent in rules, if there is a clock */
    int64_t *fired; /* by rule of the program (mangle_program_rule): how often it fired is added;
                       NULL: nobody asks */
};

/*
 * Evaluate. On success the payload object of the intent_response is appended to *out (one JSON
 * value) and every returned tool's definition is in the store. On failure false, and *e is set;
 * `out` is untouched. `arena` is the request's.
 *
 * Gates 9 to 12 of §1.3 in their order. Deterministic but for eval_duration_ms, and for where the
 * time limit cuts off what is said of call->why_not; the tools do not depend on it.
 */
bool mgi_intent_evaluate(struct intent_worker *w, const struct intent_call *call,
                         struct arena *arena, struct buf *out, struct wire_error *e);

enum standing {
    STANDING_HOLDS,
    STANDING_LAPSED, /* it would not be offered now, or be another tool */
    STANDING_UNKNOWN /* or not to who asks now; or nobody knows any more why it was offered */
};

/*
 * Would evaluating now still offer the tool of `m`? For each evaluation that did and whose window
 * is open at call->clock_ns, the newest first, the rules are asked again: with what they were told,
 * for call->who, as of call->clock_ns. One that would is enough.
 *
 *   call   without payload and notes; its store is needed
 *   m      as read from the store for this principal; requires_confirmation becomes true if the
 *          rules now ask for consent, `waived` if they would but for the caller's waivers,
 * expires_ns what the evidence that holds says store  not STORE_OK: the store did not answer; then
 * the result is false, and *e untouched
 *
 * False: nobody knows; *e says why. The rules' limits are the server's own.
 */
bool mgi_intent_stands(struct intent_worker *w, const struct intent_call *call, struct arena *arena,
                       struct macro *m, enum standing *out, enum store_status *store,
                       struct wire_error *e);

#endif
