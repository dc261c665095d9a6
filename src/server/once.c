/* Idempotency keys: an invocation that carries one runs at most once for its caller.
 *
 *     join ─nobody runs it─> leader ─> begin (store): fresh ─> … ─> end: kept, or forgotten
 *       │                                    └ ended before: its answer again
 *       └─a leader runs it─> follower: waits, and gets the leader's answer; or runs in its place,
 *                            if the leader was cancelled before anything was asked of an action
 *
 * Leaders are found in a table of this process, on the loop; what outlives a request is in the
 * store. A request is the same if key, macro_id, canonical arguments and principal are; its
 * fingerprint says so. What did not begin is not kept: a refusal leaves the key free.
 *
 * What a process that was killed left begun, the journal knows more of (interrupted.c).
 *
 * Who asks for the outcome alone (x-idempotency-only) follows a leader or looks into the store, and
 * never leads or inherits: nothing runs on its account.
 *
 * What is kept is the code's name ("ok" for a result), a line end, and the payload. */
#include <stdio.h>

#include "base/encode.h"
#include "server/server_int.h"
#include "sys/digest.h"

#define QUEUE_RETRY_MS   500
#define OUTCOME_RETRY_MS 60000 /* as often as what is over is swept */

/* ---- fingerprints -------------------------------------------------------------------------- */

static const char no_object[] = "{}";

void mgi_once_read(struct request *r)
{
    const struct envelope *m = &r->envelope;
    struct buf text = { 0 };
    uint8_t digest[SHA256_BYTES];
    /* A dry run neither takes a key nor is answered by one. */
    if (m->type != MSG_INVOKE_REQUEST || !m->idempotency_key.ptr || m->dry_run)
        return;
    const struct json *id = mgi_json_get(m->payload, "macro_id");
    const struct json *args = mgi_json_get(m->payload, "args");
    if (id && id->type == JSON_STRING)
        mgi_buf_str(&text, id->string);
    mgi_buf_putc(&text, '\n');
    if (args)
        mgi_json_canonical(&text, args);
    else
        mgi_buf_puts(&text, no_object);
    if (!text.oom && mgi_sha256(text.ptr, text.len, digest)) {
        mgi_hex(digest, sizeof digest, r->once.fingerprint);
        r->once.key = m->idempotency_key;
    } else { /* without it the promise cannot be kept */
        mgi_request_fail(r, WIRE_INTERNAL_ERROR, NULL, "The server ran out of memory.");
        r->parsed_ok = false;
    }
    mgi_buf_fini(&text);
}

/* ---- those who run ------------------------------------------------------------------------- */

static struct request **bucket_of(struct request *r)
{
    uint64_t h = mgi_hash_bytes(r->once.key.ptr, r->once.key.len, mgi_owner_of(r->server, r->who));
    return &r->server->leaders[h % ONCE_BUCKETS];
}

static struct request *find_leader(struct request *r)
{
    struct request *other = *bucket_of(r);
    while (other &&
           !(str_eq(other->once.key, r->once.key) && mgi_principal_is_caller(other->who, r->who)))
        other = other->once.bucket_next;
    return other;
}

enum stage_result mgi_once_refuse_other(struct request *r)
{
    return mgi_request_fail(r, WIRE_MALFORMED_MESSAGE, "{\"reason\":\"idempotency_key\"}",
                            "This idempotency key stands for another request; nothing was run.");
}

static enum stage_result refuse_queue(struct request *r)
{
    char details[32];
    snprintf(details, sizeof details, "{\"limit\":%d}", ONCE_MOST_FOLLOWERS);
    mgi_request_fail(r, WIRE_RATE_LIMITED, details, "Too many requests wait for this one.");
    r->error.retry_after_ms = QUEUE_RETRY_MS;
    return STAGE_ANSWER;
}

static void enter_table(struct request *r)
{
    struct request **bucket = bucket_of(r);
    r->once.bucket_next = *bucket;
    *bucket = r;
    r->once.leads = true;
}

/* Who asks is known now. It is the caller whose key runs once, whatever its credential may do at
 * the time; but another principal's request is another request, and sees nothing of the answer. */
static bool add_principal(struct request *r)
{
    struct buf text = { 0 };
    uint8_t digest[SHA256_BYTES];
    mgi_buf_puts(&text, r->once.fingerprint);
    mgi_buf_str(&text, mgi_principal_key(r->who));
    bool ok = !text.oom && mgi_sha256(text.ptr, text.len, digest);
    mgi_buf_fini(&text);
    if (ok)
        mgi_hex(digest, sizeof digest, r->once.fingerprint);
    return ok;
}

enum stage_result mgi_once_join(struct request *r)
{
    if (!add_principal(r))
        return mgi_request_fail(r, WIRE_INTERNAL_ERROR, NULL, "The server ran out of memory.");
    struct request *leader = find_leader(r);
    if (!leader) {
        if (!r->envelope.key_only)
            enter_table(r);
        return STAGE_NEXT;
    }
    if (strcmp(leader->once.fingerprint, r->once.fingerprint) != 0)
        return mgi_once_refuse_other(r);
    if (leader->once.follower_count >= ONCE_MOST_FOLLOWERS)
        return refuse_queue(r);
    struct request **last = &leader->once.followers;
    while (*last)
        last = &(*last)->once.follower_next;
    *last = r;
    leader->once.follower_count++;
    r->once.leader = leader;
    return STAGE_WAIT;
}

void mgi_once_leave(struct request *r)
{
    struct request **link = &r->once.leader->once.followers;
    while (*link != r)
        link = &(*link)->once.follower_next;
    *link = r->once.follower_next;
    r->once.leader->once.follower_count--;
    r->once.leader = r->once.follower_next = NULL;
}

static void leave_table(struct request *leader)
{
    struct request **link = bucket_of(leader);
    while (*link != leader)
        link = &(*link)->once.bucket_next;
    *link = leader->once.bucket_next;
    leader->once.leads = false;
}

/* What the leader was answered, for one who waited; lives as long as the leader's arena. */
static void share_answer(struct request *leader, struct request *r)
{
    struct buf text = { 0 };
    if (leader->replay.ptr) {
        r->replay_code = leader->replay_code;
        r->replay = mgi_arena_str(&r->arena, leader->replay);
    } else if (leader->error.code == WIRE_OK) {
        struct str payload = { leader->answer.ptr + leader->payload_start, leader->payload_len };
        r->replay_code = WIRE_OK;
        r->replay =
            leader->answer.oom ? (struct str){ NULL, 0 } : mgi_arena_str(&r->arena, payload);
    } else {
        struct json_writer w;
        mgi_json_writer_init(&w, &text, 0);
        mgi_wire_error_write(&w, &leader->error);
        r->replay_code = leader->error.code;
        r->error.retry_after_ms = leader->error.retry_after_ms;
        if (!text.oom)
            r->replay = mgi_arena_str(&r->arena, mgi_buf_view(&text));
        mgi_buf_fini(&text);
    }
    r->replayed = r->replay.ptr != NULL;
    if (!r->replayed)
        mgi_request_fail(r, WIRE_INTERNAL_ERROR, NULL, "The server ran out of memory.");
}

struct request *mgi_once_inherit(struct request *leader)
{
    struct request *heir = leader->once.followers;
    while (heir && heir->envelope.key_only)
        heir = heir->once.follower_next;
    if (!heir || leader->error.code != WIRE_CANCELLED || leader->replay.ptr || leader->once.kept)
        return NULL;
    leave_table(leader);
    mgi_once_leave(heir);
    heir->once.followers = leader->once.followers;
    heir->once.follower_count = leader->once.follower_count;
    leader->once.followers = NULL;
    leader->once.follower_count = 0;
    heir->once.unforgotten = leader->once.unforgotten;
    for (struct request *r = heir->once.followers; r; r = r->once.follower_next)
        r->once.leader = heir;
    enter_table(heir);
    return heir;
}

struct request *mgi_once_next(struct request *leader)
{
    if (leader->once.leads)
        leave_table(leader);
    struct request *r = leader->once.followers;
    if (!r)
        return NULL;
    mgi_once_leave(r);
    share_answer(leader, r);
    return r;
}

/* ---- the store (on workers) ---------------------------------------------------------------- */

static enum stage_result replay_kept(struct request *r, struct str kept)
{
    const char *line = kept.len ? memchr(kept.ptr, '\n', kept.len) : NULL;
    const struct wire_code_row *row = NULL;
    struct str code = { kept.ptr, line ? (size_t)(line - kept.ptr) : 0 };
    bool good = str_is(code, "ok");
    if (line && !good)
        row = mgi_wire_code_by_name(code);
    if (!line || (!good && !row)) {
        mgi_invocation_unknown(&r->arena, &r->error);
        return STAGE_ANSWER;
    }
    r->replay_code = good ? WIRE_OK : row->code;
    r->replay = (struct str){ line + 1, kept.len - code.len - 1 };
    r->replayed = true;
    return STAGE_ANSWER;
}

_Static_assert(STORE_CALLER_END == PRINCIPAL_KEY_MARK, "the store finds the caller in a key");

/* Others make room when they are over; without the key it may run at once. */
static enum stage_result refuse_outcome(struct request *r)
{
    mgi_request_fail(
        r, WIRE_RATE_LIMITED, "{\"reason\":\"idempotency_key\"}",
        "What came of earlier requests with an idempotency key takes all the room that "
        "there is for it; nothing was run.");
    r->error.retry_after_ms = OUTCOME_RETRY_MS;
    return STAGE_ANSWER;
}

static enum stage_result refuse_unknown(struct request *r)
{
    return mgi_request_fail(r, WIRE_MALFORMED_MESSAGE, "{\"reason\":\"key_unknown\"}",
                            "No outcome is known under this idempotency key; nothing was run.");
}

static enum stage_result refuse_store(struct request *r)
{
    mgi_request_fail(r, WIRE_SERVER_NOT_READY, "{\"status\":\"degraded\"}",
                     "The server cannot promise at the moment that this runs only once.");
    r->error.retry_after_ms = 1000;
    return STAGE_ANSWER;
}

static enum store_status ask_store(struct request *r, enum once_state *state, struct str *kept)
{
    const struct server *s = r->server;
    struct str caller = mgi_principal_caller(r->who), print = str_of(r->once.fingerprint);
    int64_t now_ns = mgi_server_steady_ns(s);
    char witness[JOURNAL_WITNESS_BYTES] = "";
    if (s->options.journal)
        mgi_journal_witness(s->options.journal, (struct str){ r->invocation_id, 32 }, witness);
    enum store_status status =
        r->envelope.key_only
            ? mgi_store_once_find(s->options.store, caller, r->once.key, print, now_ns, &r->arena,
                                  state, kept)
            : mgi_store_once_begin(s->options.store, caller, r->once.key, print, str_of(witness),
                                   now_ns, &r->arena, state, kept);
    r->invoke_notes.asked = true;
    r->invoke_notes.store = status;
    return status;
}

/* Nothing of it is known here, nor of whoever had the key before a restart, as far as the store can
 * tell. */
static enum stage_result begin_fresh(struct request *r)
{
    enum interrupted was = mgi_interrupted_key(r);
    r->once.begun = !r->envelope.key_only;
    if (was == INTERRUPTED_MAY_RUN)
        return r->once.begun ? STAGE_NEXT : refuse_unknown(r);
    if (r->once.begun)
        mgi_once_end(r, false);
    if (was == INTERRUPTED_UNKNOWN)
        return refuse_store(r);
    return was == INTERRUPTED_OTHER ? mgi_once_refuse_other(r) : STAGE_ANSWER;
}

/* It began, and nobody runs it any more: does the journal know that nothing came of it? Then it is
 * as if it had not begun. */
static enum stage_result begin_again(struct request *r, struct str witness)
{
    enum once_state state = ONCE_FRESH;
    struct str kept;
    enum interrupted was = mgi_interrupted_witness(r, witness);
    if (was == INTERRUPTED_TOLD)
        return STAGE_ANSWER;
    if (was == INTERRUPTED_MAY_RUN && r->envelope.key_only)
        return refuse_unknown(r);
    if (was == INTERRUPTED_MAY_RUN) {
        if (mgi_store_once_forget(r->server->options.store, mgi_principal_caller(r->who),
                                  r->once.key) ||
            ask_store(r, &state, &kept))
            return refuse_store(r);
        if (state == ONCE_FRESH)
            return begin_fresh(r);
    }
    mgi_invocation_unknown(&r->arena, &r->error);
    return STAGE_ANSWER;
}

enum stage_result mgi_once_begin(struct request *r)
{
    enum once_state state = ONCE_FRESH;
    struct str kept = { NULL, 0 };
    enum store_status status = ask_store(r, &state, &kept);
    if (status == STORE_FULL)
        return refuse_outcome(r);
    if (status)
        return refuse_store(r);
    if (state == ONCE_RUNNING && r->once.unforgotten)
        state = ONCE_FRESH; /* what is there is of a leader that came to nothing */
    switch (state) {
    case ONCE_FRESH:
        return begin_fresh(r);
    case ONCE_ENDED:
        return replay_kept(r, kept);
    case ONCE_OTHER:
        return mgi_once_refuse_other(r);
    case ONCE_RUNNING: /* nobody here runs it any more, but its end could not be kept */
    case ONCE_ORPHANED:
        break;
    }
    return begin_again(r, kept);
}

static bool write_kept(struct request *r, struct buf *out)
{
    struct json_writer w;
    if (r->error.code == WIRE_OK) {
        mgi_buf_puts(out, "ok\n");
        mgi_buf_append(out, r->answer.ptr + r->payload_start, r->payload_len);
        return !out->oom && !r->answer.oom;
    }
    mgi_buf_printf(out, "%s\n", mgi_wire_code(r->error.code)->name);
    mgi_json_writer_init(&w, out, 0);
    mgi_wire_error_write(&w, &r->error);
    return !out->oom;
}

void mgi_once_end(struct request *r, bool keep)
{
    const struct store *store = r->server->options.store;
    struct str principal = mgi_principal_caller(r->who);
    struct buf text = { 0 };
    enum store_status status = STORE_NOMEM;
    if (!keep)
        status = mgi_store_once_forget(store, principal, r->once.key);
    else if (write_kept(r, &text))
        status = mgi_store_once_end(store, principal, r->once.key, mgi_buf_view(&text),
                                    mgi_server_steady_ns(r->server));
    if (keep && !status && r->once.also.ptr)
        status = mgi_store_once_end(store, principal, r->once.also, mgi_buf_view(&text),
                                    mgi_server_steady_ns(r->server));
    mgi_buf_fini(&text);
    r->once.begun = false;
    r->once.kept = keep;
    r->once.unforgotten = !keep && status;
    r->invoke_notes.store = status;
    if (status)
        mgi_log(&r->server->log, LOG_ERROR, "the store could not %s: its key is indeterminate",
                keep ? "keep the outcome of an invocation"
                     : "forget an invocation that did not run");
}
