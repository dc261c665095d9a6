/* What must outlive a request: tool definitions between evaluation and invocation (protocol.md
 * P-CACHE-*, D-42), spent confirmation nonces (D-46), and the outcomes of invocations that carry an
 * idempotency key.
 *
 * One interface, {operations, self}; backends: memory (memory.c), one SQLite file (sqlite.c).
 *
 * What holds for every operation:
 *   - It may take time (a disk, later a network): call it from a worker, never from the loop.
 *   - It is thread-safe.
 *   - It may fail. STORE_DOWN means that the backend did not do it: nothing is half done, the same
 * call may work later, and the caller decides what that means for its request. mgi_store_fault()
 * says why, for the log and for a `degraded` status.
 *   - Times are real (wall clock) nanoseconds since 1970 UTC, given by the caller; no backend reads
 *     a clock. Clocks may jump: a record is forgotten by what the caller says the time is. That a
 *     nonce was spent counts all the same (mgi_store_spend).
 *   - Those of outcomes alone are of a clock that does not jump (once_begin, once_end): nothing may
 *     run twice because a clock was set. What a store finds when it is opened is kept for as long
 *     again, since nobody knows what the clock did meanwhile.
 *   - Texts are bytes: copied in, copied out into the arena of the caller.
 *   - `principal` is mgi_principal_key(), of outcomes mgi_principal_caller(): records of one are
 *     never given to another.
 */
#ifndef MGI_STORE_STORE_H
#define MGI_STORE_STORE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

enum store_status {
    STORE_OK,
    STORE_NOMEM,
    STORE_DOWN, /* the backend failed: mgi_store_fault() */
    STORE_FULL  /* the caller's outcomes, or those of all, take what they may: once_begin alone */
};

/* ---- tool definitions ------------------------------------------------------------------------ */

enum macro_found { MACRO_FOUND, MACRO_EXPIRED /* a marker remains */, MACRO_NOT_FOUND };

struct macro_entry {
    struct str definition;             /* made by macro/macro.h; the store does not look inside */
    int64_t not_before_ns, expires_ns; /* the window; INT64_MIN, INT64_MAX: open */
    /* Putting: where one is kept under this name, what of `older` goes into `entry`; and what is
     * kept is kept at least as long as the older one was to be. Called while nobody else can get or
     * put it: quick, and without the store. False: memory is short, and nothing changes. NULL: the
     * older one is forgotten. */
    bool (*merge)(const struct macro_entry *older, struct arena *arena, struct macro_entry *entry);
};

/* What one caller's definitions may take of the room that there is for all, and its outcomes of
 * what there is for outcomes. */
#define STORE_SHARE    4
#define STORE_OUTCOMES 2 /* of the room, outcomes take a half at most */

/* The caller in a principal's key is what stands before this; all of it, if it does not occur. */
#define STORE_CALLER_END '\x1f'

static inline struct str mgi_store_caller(struct str principal)
{
    const char *end =
        principal.len > 0 ? memchr(principal.ptr, STORE_CALLER_END, principal.len) : NULL;
    return end ? (struct str){ principal.ptr, (size_t)(end - principal.ptr) } : principal;
}

/* ---- outcomes by idempotency key ------------------------------------------------------------- */

#define STORE_ONCE_NS (INT64_C(600) * 1000000000) /* an outcome is kept at least this long */

enum once_state {
    ONCE_FRESH,    /* nobody began it: it is recorded as begun now, by this store object */
    ONCE_RUNNING,  /* this store object began it and has not ended it */
    ONCE_ORPHANED, /* begun by a process that is gone: what happened cannot be known */
    ONCE_ENDED,    /* `outcome` is what was kept */
    ONCE_OTHER     /* the key stands for another request (its fingerprint differs) */
};

/* ---- the interface -----------------------------------------------------------------------------
 */

struct store_operations {
    const char *name; /* "memory", "sqlite" */

    enum store_status (*macro_put)(void *self, struct str principal, struct str macro_id,
                                   const struct macro_entry *entry, int64_t now_ns,
                                   int64_t keep_until_ns);
    enum store_status (*macro_get)(void *self, struct str principal, struct str macro_id,
                                   int64_t now_ns, struct arena *arena, enum macro_found *found,
                                   struct macro_entry *out);
    enum store_status (*spend)(void *self, struct str nonce, int64_t issued_ns, int64_t now_ns,
                               int64_t until_ns, bool *first);
    enum store_status (*once_begin)(void *self, struct str principal, struct str key,
                                    struct str fingerprint, struct str witness, int64_t now_ns,
                                    struct arena *arena, enum once_state *state,
                                    struct str *outcome);
    enum store_status (*once_find)(void *self, struct str principal, struct str key,
                                   struct str fingerprint, int64_t now_ns, struct arena *arena,
                                   enum once_state *state, struct str *outcome);
    enum store_status (*once_end)(void *self, struct str principal, struct str key,
                                  struct str outcome, int64_t now_ns);
    enum store_status (*once_forget)(void *self, struct str principal, struct str key);
    size_t (*bytes)(void *self);
    void (*fault)(void *self, struct buf *out);
    void (*close)(void *self);
};

/* A store is a value: two words, copied freely. {0} is "no store": mgi_store_is_open() is false and
 * nothing else may be called. */
struct store {
    const struct store_operations *operations;
    void *self;
};

/* What holds of the room, `max_bytes` (0: none in memory, 1 GiB in a file):
 *   - Definitions of one caller, all its principals together, take max_bytes / STORE_SHARE: beyond
 *     it its own go. Where many callers have filled the room, those who have most give way.
 *   - Nonces and outcomes that are not over yet are never given up for room. Outcomes take
 *     max_bytes / STORE_OUTCOMES at most, and those of one caller a STORE_SHARE-th of that: beyond
 *     it nothing begins (STORE_FULL), and what came out is not kept (STORE_NOMEM).
 */

/* In memory. Definitions go least recently used first, and nobody loses one while another has twice
 * as much. Where nonces and outcomes alone would exceed the room, the operation is STORE_NOMEM.
 * False when memory is short. */
bool mgi_store_memory(size_t max_bytes, struct store *out);

/* In the SQLite file `path`, made (mode 0600) if it is not there. Everything in it is there again
 * after a restart; an invocation that was running when the last process ended is ONCE_ORPHANED. One
 * process at a time: a second one is refused. max_bytes bounds the file, and shares are counted by
 * what rows take of it; definitions go first that are kept least long. False: `why` gets one line
 * that says what is wrong with which file, and what to do. */
bool mgi_store_sqlite(const char *path, size_t max_bytes, struct store *out, struct buf *why);

static inline bool mgi_store_is_open(const struct store *s)
{
    return s->operations != NULL;
}

/* Keep (or refresh) a definition until keep_until_ns; a marker five minutes longer (D-42). What
 * could not be kept will be MACRO_NOT_FOUND, never another definition.
 *
 * What was kept longer is kept as long as was promised. */
enum store_status mgi_store_macro_put(const struct store *s, struct str principal,
                                      struct str macro_id, const struct macro_entry *entry,
                                      int64_t now_ns, int64_t keep_until_ns);

/* *out is copied into `arena` if *found is MACRO_FOUND. */
enum store_status mgi_store_macro_get(const struct store *s, struct str principal,
                                      struct str macro_id, int64_t now_ns, struct arena *arena,
                                      enum macro_found *found, struct macro_entry *out);

/* *first: true the first time `nonce` is spent; false ever after. It is remembered until
 * `until_ns`, and when it was made for good: `issued_ns`, which does not change with a nonce. What
 * is not newer than one that was forgotten is never first. So a clock that goes forward and back
 * lets nothing be spent twice; what was spent before it, and forgotten, takes unspent nonces that
 * are as old along. A failure spends nothing, and must be taken for "not first". */
enum store_status mgi_store_spend(const struct store *s, struct str nonce, int64_t issued_ns,
                                  int64_t now_ns, int64_t until_ns, bool *first);

/* May the request `fingerprint` (at most 64 bytes) under `key` (1 to 128 bytes) run? *state says;
 * *outcome is set for ONCE_ENDED; and for ONCE_RUNNING and ONCE_ORPHANED it is the `witness` (at
 * most 128 bytes; may be empty) that was given when that began, where the store outlives the
 * process: by it somebody else may know more. After ONCE_FRESH exactly one of mgi_store_once_end
 * and mgi_store_once_forget is due; a process that dies in between leaves ONCE_ORPHANED behind. */
enum store_status mgi_store_once_begin(const struct store *s, struct str principal, struct str key,
                                       struct str fingerprint, struct str witness, int64_t now_ns,
                                       struct arena *arena, enum once_state *state,
                                       struct str *outcome);

/* The same question, and nothing is recorded: ONCE_FRESH leaves all as it is, and owes nothing. */
enum store_status mgi_store_once_find(const struct store *s, struct str principal, struct str key,
                                      struct str fingerprint, int64_t now_ns, struct arena *arena,
                                      enum once_state *state, struct str *outcome);

/* Keep what came out, for STORE_ONCE_NS from now. Where it cannot be kept, the request under this
 * key never runs again all the same: it is ONCE_ORPHANED, or stays ONCE_RUNNING until the process
 * ends. A caller that knows of nobody who runs it takes both for "what happened cannot be known".
 */
enum store_status mgi_store_once_end(const struct store *s, struct str principal, struct str key,
                                     struct str outcome, int64_t now_ns);

/* Nothing ran: the key is free again. */
enum store_status mgi_store_once_forget(const struct store *s, struct str principal,
                                        struct str key);

/* Bytes of memory (memory) or of the file (SQLite) that records take. */
size_t mgi_store_bytes(const struct store *s);

/* Append why the last operation failed, one line for people; nothing if it did not. */
void mgi_store_fault(const struct store *s, struct buf *out);

/* Give everything back; *s becomes {0}. Nobody may be in an operation. {0} is fine. */
void mgi_store_close(struct store *s);

#endif
