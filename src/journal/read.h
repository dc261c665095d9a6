/* What a journal holds, read: by its own thread, and by anybody who may read the file, also while a
 * server writes it. See journal.h. */
#ifndef MGI_JOURNAL_READ_H
#define MGI_JOURNAL_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"

#define JOURNAL_KEY_BYTES 32

enum journal_outcome {
    JOURNAL_OPEN, /* it has no end: it runs, or (of a step that is found so) nobody knows */
    JOURNAL_OK,
    JOURNAL_FAILED,
    JOURNAL_CANCELLED,
    JOURNAL_NOT_SENT,    /* of a step: it was not sent after all, and had no effect */
    JOURNAL_INTERRUPTED, /* the server ended before it did; of a step: and so it is indeterminate */
};
const char *mgi_journal_outcome_name(enum journal_outcome outcome); /* "open", "ok", … */

struct journal_step_record {
    uint32_t seq;
    uint32_t step;
    int32_t item; /* -1: none */
    uint32_t attempt;
    bool compensation;
    struct str name, action;
    int tier;
    struct str input_sha256;
    int64_t began_ns, ended_ns; /* ended_ns 0: it has no end */
    enum journal_outcome outcome;
    bool indeterminate;
    struct str output_sha256;
    uint64_t output_bytes;
    int64_t duration_ms;
    struct str patch_sha256;
    uint64_t patch_bytes;
    struct str patch; /* whole, where it was kept; else empty */
    /* by mgi_journal_sum_up(), of what was sent and is no compensation: */
    bool is_last; /* of several attempts at one step (or item of one): that which counts */
    const struct journal_step_record *undo; /* the last attempt to undo it; or NULL */
};

/* What a selector answered in a step that is a menu, or that such a step is over. */
struct journal_pick_record {
    uint32_t seq; /* as journal_step_record.seq: which came first */
    uint32_t step, turn;
    int64_t at_ns;
    struct str name; /* the step's id */
    struct str by;   /* "rules", "heuristic", "policy", "fallback"; of an end empty */
    struct str mode; /* of a menu with a policy: "SHADOW_POLICY", ...; else empty */
    struct str kind; /* "PICK", "ASK_SUP", "NOOP", "INVALID", "END" */
    struct str sid, action;
    struct str raw; /* what was said, inputs left out; of an end: why */
    bool in_order;  /* of an end */
};

struct journal_record {
    struct str spec_version, profile_id, run_id, request_id;
    struct str invocation_id, macro_id, tool, caller;
    bool has_key;
    struct str fingerprint;
    const struct str *plan; /* ids of the chain's steps; fewer than plan_count, if they were long */
    size_t plan_named, plan_count;
    bool has_effects;
    uint64_t unrecorded; /* steps without effects that there was no room for */
    int64_t began_ns, ended_ns;
    enum journal_outcome outcome;
    const struct journal_step_record *steps; /* in the order in which they began */
    size_t step_count;
    const struct journal_pick_record *picks; /* of menus, in their order */
    size_t pick_count;
    const struct journal_sum *sums; /* by mgi_journal_sum_up() */
    size_t sum_count;
    bool live; /* OPEN, and a server that is writing the file runs it */
};

/* May any step with effects (tier > 0) have been sent? If not, running it again runs nothing that
 * matters twice. */
bool mgi_journal_record_acted(const struct journal_record *r);

/* What came of a step of the chain, of all its items together, by its last attempts. */
enum journal_came_to {
    JOURNAL_DID_NOT_RUN,
    JOURNAL_RAN,
    JOURNAL_UNFINISHED, /* a menu that had begun and was not over: its calls say how far it was */
    JOURNAL_RAN_AND_FAILED, /* it, or one of its items */
    JOURNAL_MAY_HAVE_RUN,   /* indeterminate */
};
enum journal_came_to mgi_journal_record_came_to(const struct journal_record *r, size_t step);
/* Is it a menu, as far as the journal knows? */
bool mgi_journal_record_is_menu(const struct journal_record *r, size_t step);

/* All that was done of it is undone, and nothing is left that nobody knows of. */
bool mgi_journal_record_is_undone(const struct journal_record *r, size_t step);

/* Sums up `steps`, which become r->steps, and r->picks, so that each of these questions costs
 * little, however many items there were: what is read from a file has been. False: `arena` has no
 * room. */
bool mgi_journal_sum_up(struct arena *arena, struct journal_step_record *steps,
                        struct journal_record *r);

/* One run as a JSON object: the form of `manglecp journal --json`; `steps` or only how many. */
void mgi_journal_record_write(struct json_writer *w, const struct journal_record *r, bool steps);

/* ---- a file -------------------------------------------------------------------------------- */

struct journal_file;

/* Open for reading. NULL: `why` gets one line. Any thread, one at a time. */
struct journal_file *mgi_journal_file_open(const char *path, struct buf *why);
void mgi_journal_file_close(struct journal_file *f);

struct journal_filter {
    bool interrupted;  /* only those that were interrupted */
    struct str id;     /* only this: beginning (8 digits or more) of an invocation or run id; empty:
                          all */
    uint32_t max_runs; /* 0: all */
};

/* The newest run first, with its steps; each lives in `arena` until the next call, which resets it.
 * False from `each` ends the walk. False: it could not be read to the end; `why` says so. */
bool mgi_journal_file_walk(struct journal_file *f, const struct journal_filter *filter,
                           struct arena *arena,
                           bool (*each)(void *context, const struct journal_record *r),
                           void *context, struct buf *why);

#endif
