/* The journal of runs: which steps of which invocation began and ended, on the disk, so that a
 * server that was killed knows it when it is started again, and nothing runs twice.
 *
 *     loop    run_begins ─> step_begins ─(told: it is on the disk)─> the step is sent
 *                              step_ends <─ its answer
 *             run_ends
 *     thread  takes all that waits, writes it in one transaction, flushes it once, tells the loop
 *
 * 1. A step that may have an effect (tier > 0) is on the disk, flushed, before it is sent: whoever
 *    is `told` so has the promise that the step is found after a kill or a power cut. What is not
 *    on the disk was not sent.
 * 2. What came later is never there without what came before: records are written in the order in
 *    which they were handed over.
 * 3. So a step without an end is *indeterminate*: it may have had its effect. A step that is not
 *    there and has effects did not run.
 * 4. The loop never waits for the disk. What waits is bounded; a step with effects that finds no
 *    room, or a disk that fails or does not answer within its deadline, is refused: `told` says
 *    why. Steps without effects go on and are counted as unrecorded.
 * 5. No input, output, argument, token or key is in the file: digests and lengths (T-AUD-6).
 *    What a step changed in the state (`tx_patch`) is kept only where the operator asked for it.
 *
 * The file is SQLite's (write-ahead log), of one process at a time; anybody who may read the file
 * may read it meanwhile (read.h). At opening, runs that have no end get one: interrupted.
 *
 * Threads: the loop's alone, but for what says otherwise. Texts are copied. Times are real (wall
 * clock) nanoseconds, by the clock that its owner gives it. */
#ifndef MGI_JOURNAL_JOURNAL_H
#define MGI_JOURNAL_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uv.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/str.h"
#include "journal/header.h"
#include "journal/read.h"

struct journal;
struct journal_run;  /* a run under way */
struct journal_step; /* a step under way */

#define JOURNAL_WHY_BYTES 256

struct journal_options {
    const char *path; /* made (mode 0600) if it is not there */
    uv_loop_t *loop;
    int64_t (*clock)(void *context); /* called on the loop */
    void *clock_context;
    size_t max_bytes; /* of the file; 0: 256 MiB. Finished runs go where it is short of room */
    /* Finished runs are removed when they are this old, or when there are more; interrupted ones
     * a day later at the earliest. 0: 30 days; 100000 runs. */
    int64_t keep_ns;
    uint32_t keep_runs;
    uint32_t max_waiting;     /* records that may wait to be written; 0: 4096 */
    int64_t deadline_ms;      /* for the disk to take one; 0: 5000 */
    bool keep_patches;        /* a step's tx_patch is kept whole (T-TX-9), not only its digest */
    const struct logger *log; /* copied; or NULL. Called on any thread */
    /* On the loop: it cannot be written (one line; a constant or the journal's until the next
     * call), or can again (NULL). Or NULL. */
    void (*amiss)(void *context, const char *why);
    void *context;
};

/* Open or make the file and end what the last process left. NULL: `why` gets one line that says
 * what is wrong with which file, and what to do. Blocks: it is for the start. */
struct journal *mgi_journal_open(const struct journal_options *options, struct buf *why);

/* Everything that waits is written, for up to `deadline_ms`; then the thread is left alone with
 * what it holds. No run may be under way, and nobody is told anything any more. What remains is
 * freed when the loop has closed its handles. NULL is fine. */
void mgi_journal_close(struct journal *j, int64_t deadline_ms);

/* Why steps with effects would be refused now, as far as it is known: a line for clients (without
 * paths), borrowed until the loop goes on. NULL: they would not. Ask before anything is done for a
 * run that has some. */
const char *mgi_journal_refuses(const struct journal *j);

/* ---- a run --------------------------------------------------------------------------------- */

/* `why` is one line for clients, borrowed during the call. */
typedef void journal_told(void *context, const char *why);

struct journal_run_begin {
    struct run_header header;
    struct str invocation_id; /* 32 hex digits; also where the header has the deterministic id */
    struct str macro_id;      /* cut at 200 bytes, like every text here that has no other bound */
    struct str tool;
    struct str caller;       /* as a log may show it */
    const uint8_t *key;      /* mgi_journal_key(), JOURNAL_KEY_BYTES; NULL: none */
    struct str fingerprint;  /* of the request under that key, at most 64 bytes */
    const struct str *steps; /* their ids, in the chain's order: so that what did not run can be
                                named. Kept up to 8192 bytes of them */
    size_t step_count;
    bool has_effects; /* some step that may run has a tier > 0 */
    /* Of a run with effects: called once, on the loop, never from inside, after
     * mgi_journal_run_ends(): its end is on the disk (`why` NULL), or may come there later. Who
     * tells somebody what came of it waits for that: what they were told is known after a kill,
     * too. Or NULL. */
    journal_told *told;
    void *context;
};

/* A run begins. It is on the disk before its first step with effects is. Never waits. NULL: memory
 * is short, and nobody will be told; then no step with effects may be sent. A handle is due to
 * mgi_journal_run_ends(). */
struct journal_run *mgi_journal_run_begins(struct journal *j, const struct journal_run_begin *b);

/* A run ends. No step of it may be under way. Never fails and never waits. NULL is fine. */
void mgi_journal_run_ends(struct journal_run *run, enum journal_outcome outcome);

/* ---- a step -------------------------------------------------------------------------------- */

struct journal_step_begin {
    uint32_t step;           /* index in the chain, from 0 */
    int32_t item;            /* of a foreach, from 0; -1: none */
    uint32_t attempt;        /* from 0 */
    bool compensation;       /* it undoes that step */
    struct str name;         /* the step's id */
    struct str action;       /* AID */
    int tier;                /* of the action; > 0: it may have an effect */
    struct str input_sha256; /* hex digits, of the canonical inputs (T-INP-6); may be empty */
};

/*
 * A step is about to be sent.
 *
 *   told  tier > 0: called once, on the loop, never from inside: `why` NULL: it is on the disk,
 *         send it. Else do not: `why` is one line for clients, borrowed during the call; the step
 *         is ended as JOURNAL_NOT_SENT by the caller all the same.
 *         tier 0: never called; send it at once
 *
 * The handle is due to mgi_journal_step_ends(), which may come before `told` (of a run that was
 * cancelled): then it is not called any more. NULL: memory is short, and `told` will not be called:
 * send it only if its tier is 0. `run` NULL likewise.
 */
struct journal_step *mgi_journal_step_begins(struct journal_run *run,
                                             const struct journal_step_begin *b, journal_told *told,
                                             void *context);

struct journal_step_end {
    enum journal_outcome outcome; /* not JOURNAL_OPEN */
    bool indeterminate;           /* what it did cannot be known (T-RSP-10) */
    struct str output;            /* JSON; copied, and kept as digest and length; may be empty */
    int64_t duration_ms;
    struct str patch; /* its tx_patch (JSON), or empty; kept whole or as digest and length */
};

/* What became of it. Never fails and never waits: its memory was taken when it began. NULL is fine.
 */
void mgi_journal_step_ends(struct journal_step *step, const struct journal_step_end *end);

/* ---- a menu --------------------------------------------------------------------------------- */

struct journal_pick {
    uint32_t step;     /* index in the chain, from 0 */
    uint32_t turn;     /* of the menu, from 1 */
    struct str name;   /* the step's id */
    struct str by;     /* who picked; of an end empty */
    struct str mode;   /* the control mode, of a menu with a policy; else empty */
    struct str kind;   /* "PICK", "ASK_SUP", "NOOP", "INVALID"; "END": the menu is over */
    struct str sid;    /* "SID0001", or empty */
    struct str action; /* AID, or empty */
    struct str raw;    /* what was said; the caller leaves inputs out of it. Of an end: why */
    bool in_order;     /* of an end */
};

/* What a selector answered, or that a menu is over: behind what was handed over before, and before
 * what comes later. Never fails and never waits: what there is no room for is counted as
 * unrecorded. `run` NULL is fine. */
void mgi_journal_picks(struct journal_run *run, const struct journal_pick *p);

/* ---- what an idempotency key stands for ----------------------------------------------------- */

/* The digest that stands for a caller's key. False: memory. */
bool mgi_journal_key(struct str caller, struct str key, uint8_t out[JOURNAL_KEY_BYTES]);

enum journal_find { JOURNAL_FOUND, JOURNAL_NONE, JOURNAL_UNKNOWN /* it cannot be read now */ };

/* Worker; reads the disk. Is there a run of an earlier opening (an earlier process) under this key?
 * The newest. Most keys are none, which is known without the disk. Interrupted runs are found as
 * long as they are kept; ended ones for `ended_ns` after this opening, as a store would remember
 * them. */
enum journal_find mgi_journal_find_key(struct journal *j, const uint8_t key[JOURNAL_KEY_BYTES],
                                       int64_t ended_ns, struct arena *arena,
                                       struct journal_record *out);

/*
 * What somebody else may keep with the beginning of an invocation, so that afterwards this journal
 * can say for sure what became of it: "<journal id> <number> <invocation id>".
 */
#define JOURNAL_WITNESS_BYTES 88
void mgi_journal_witness(const struct journal *j, struct str invocation_id,
                         char out[JOURNAL_WITNESS_BYTES]);

/* Worker; reads the disk. The run of a witness. JOURNAL_NONE: none of its steps with effects can
 * have been sent. JOURNAL_UNKNOWN: the witness is another file's or none, or runs of its time were
 * removed since, or the file cannot be read. */
enum journal_find mgi_journal_find_witness(struct journal *j, struct str witness,
                                           struct arena *arena, struct journal_record *out);

/* ---- figures --------------------------------------------------------------------------------- */

struct journal_stats {
    uint64_t records, commits, flushes; /* written; transactions; of those, flushed to the disk */
    uint64_t unrecorded, refused;       /* steps (and of menus, picks) */
    uint32_t waiting;
    uint64_t bytes; /* of the file, at the last commit */
};
void mgi_journal_stats(struct journal *j, struct journal_stats *out); /* any thread */

#endif
