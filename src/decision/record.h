/* One decision as one line of JSON (docs/decision-log.md): written here in its parts, and read.
 *
 *     {"decision":1,"kind":"intent","id":…,"time":…,"principal":{…},"snapshot":…,
 *      "asked":{…},"eval_time":…,"outcome":{…},"masked":0,"timing":{…}}
 *
 * The order of members is fixed. `outcome` is what replay compares, byte for byte: nothing in it
 * depends on how long something took. The parts append members to an object that the caller opened;
 * every value that comes from outside goes through the mask. */
#ifndef MGI_DECISION_RECORD_H
#define MGI_DECISION_RECORD_H

#include "decision/mask.h"
#include "protocol/error.h"
#include "security/principal.h"

enum decision_kind { DECISION_INTENT, DECISION_INVOCATION, DECISION_CONSENT, DECISION_LOST };

#define DECISION_LINE_MAX ((size_t)1 << 20) /* what would be larger is left out, and said */

/* ---- writing ------------------------------------------------------------------------------- */

struct decision_head {
    enum decision_kind kind;
    const char *id;
    int64_t at_ns;      /* the clock that the request was judged by */
    struct str request; /* envelope id; ptr NULL: none */
    const char *transport;
    struct str traceparent;      /* empty: none */
    const struct principal *who; /* NULL: nobody yet */
    struct str subject;          /* intent name or macro_id, as sent */
};

/* Begin the line: opens the object that mgi_decision_end() closes. */
void mgi_decision_begin(struct json_writer *w, struct mask *m, const struct decision_head *head);

/* "asked": the payload of the request. Facts stand in it whole or, if `digest`, as
 * {"count":N,"sha256":…} of what would have stood there. */
void mgi_decision_intent(struct json_writer *w, struct mask *m, const struct json *payload,
                         bool digest);
/* "asked" of a payload that is too large to be recorded. */
void mgi_decision_large(struct json_writer *w, size_t bytes);
/* The same of an invocation; a confirmation token is never shown. tool NULL: not known. */
void mgi_decision_invocation(struct json_writer *w, struct mask *m, const struct json *payload,
                             const struct tool *tool);

/* "outcome" of what failed: code, message, details. */
void mgi_decision_error(struct json_writer *w, struct mask *m, const struct tool *tool,
                        const struct wire_error *e);

/* A person's word about a challenge: all of the record behind its head. */
struct decision_consent {
    struct str challenge; /* of the invocation that asked: its id */
    struct str tool;
    struct str asker; /* identity */
    bool approve;     /* what was said */
    bool given;       /* how it stands then: what was refused stays so */
};
void mgi_decision_consent(struct json_writer *w, struct mask *m, const struct decision_consent *c);

struct decision_tail {
    size_t masked_inputs; /* of `masked`, those in what was asked and who asked */
    bool replayed;        /* answered by its idempotency key */
    bool dry_run;
    const struct json *why_not; /* the tools that x-why-not asked for; NULL: nobody asked */
    bool extension_fault;       /* it was refused for more than its payload: it is not made again */
    int64_t total_ns, waited_ns, worked_ns, rules_ns;
};

/* The rest, the closing brace and a newline. */
void mgi_decision_end(struct json_writer *w, const struct mask *m,
                      const struct decision_tail *tail);

/* "answer": what stands for all of an answer's payload that follows its evaluation time and
 * duration. Where the domain masks anything it is keyed: else who guesses could try values. */
void mgi_decision_answer(struct json_writer *w, struct mask *m, struct str answer);

/* ---- reading ------------------------------------------------------------------------------- */

struct decision {
    enum decision_kind kind;
    struct str id;
    int64_t at_ns;
    struct principal who;     /* texts borrowed; refs 0 */
    struct str snapshot;      /* digest of the domain */
    const struct json *asked; /* NULL: it was refused before anything was looked at */
    bool has_facts;           /* whole: the decision can be made again */
    size_t fact_count;
    bool has_eval_time;
    int64_t eval_ns;
    struct str intent, tool; /* as far as they are known; else empty */
    struct str code;         /* of the outcome: "ok" or an error */
    const struct json *outcome;
    size_t masked, masked_inputs;
    bool extension_fault;
    uint64_t lost; /* DECISION_LOST: records */
};

/* One line, without its newline. Everything lives in `arena` or in `line`. False: *why (a constant)
 * says what is wrong with it. */
bool mgi_decision_read(struct arena *arena, struct str line, struct decision *out,
                       const char **why);

#endif
