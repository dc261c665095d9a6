/* Who writes down what a chain does, so that a server that was killed knows which steps ran. A
 * table of functions that the chain calls, on the loop's thread; src/journal is one who has them.
 *
 * A run begins before its first step and ends after its last; a step (or an item of one, or what
 * undoes one) begins before each attempt and ends with its answer. What has effects is sent only
 * when whoever writes says that its beginning is on the disk. Texts are borrowed for the call.
 * Times are left to whoever writes. */
#ifndef MGI_INVOKE_RUN_JOURNAL_H
#define MGI_INVOKE_RUN_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum run_outcome { RUN_SUCCESS, RUN_FAILURE, RUN_CANCELLED, RUN_NOT_SENT };

struct run_begun {
    struct str invocation_id; /* 32 hex digits */
    struct str macro_id, tool;
    const struct str *steps; /* their ids, in the order of the chain */
    size_t step_count;
    bool has_effects; /* an action that may run has a tier > 0 */
};

struct step_begun {
    uint32_t step;     /* place in the chain, from 0 */
    int32_t item;      /* of a foreach, from 0; -1: none */
    uint32_t attempt;  /* from 0 */
    bool compensation; /* it undoes that step */
    struct str name;   /* the step's id */
    struct str action; /* AID */
    int tier;
    struct str input_sha256; /* hex digits, of the canonical inputs; empty if tier is 0 */
};

/* What a selector answered in a step that is a menu, and so counts; or that such a step is over. */
struct step_picked {
    uint32_t step;     /* place in the chain, from 0 */
    uint32_t turn;     /* of the menu, from 1 */
    struct str name;   /* the step's id */
    const char *by;    /* "rules", "heuristic", "policy", "fallback"; of an end: "" */
    const char *mode;  /* the control mode of a menu with a policy; else, and of an end: "" */
    const char *kind;  /* "PICK", "ASK_SUP", "NOOP", "INVALID"; or "END" */
    struct str sid;    /* of a pick; or empty */
    struct str action; /* AID of a pick that is in the menu; or empty */
    struct str raw;    /* what was said, inputs left out; of an end: why ("noop", ...) */
    bool in_order;     /* of an end */
};

struct step_ended {
    enum run_outcome outcome;
    bool indeterminate; /* what it did cannot be known */
    struct str output;  /* JSON text; or empty */
    int64_t duration_ms;
};

/* `why` NULL: it is on the disk; else one line, borrowed during the call, and it must not be sent.
 */
typedef void run_told(void *context, const char *why);

struct run_journal {
    void *self;
    /* What it returns is handed to the next two. NULL: memory; nothing with effects is sent. */
    void *(*run_begins)(void *self, const struct run_begun *b);
    /* tier > 0: `told` is called once, later, never from inside; unless step_ends() comes before.
     * tier 0: it is never called, and the step is sent at once. NULL: memory, and `told` is not
     * called; a step with effects is not sent then. */
    void *(*step_begins)(void *run, const struct step_begun *b, run_told *told, void *context);
    void (*picks)(void *run, const struct step_picked *picked);  /* `run` may be NULL */
    void (*step_ends)(void *step, const struct step_ended *end); /* `step` may be NULL */
    void (*run_ends)(void *run, enum run_outcome outcome);       /* `run` may be NULL */
};

#endif
