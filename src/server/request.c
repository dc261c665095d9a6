/* A request from its first byte to its one terminal message: it goes through a list of stages.
 *
 *     begin ─> [ stage: on the loop, or handed to a worker and back ]* ─> over
 *                 └─ waits (resume) ─┘      └ answer known ─> closing stages only
 *
 * 1. A request is in one place at a time: on_worker says that the loop keeps off.
 * 2. Once the answer is known only closing stages run, and nothing can change it.
 * 3. A request whose peer is gone goes on to its end (or its cancellation) and answers nobody.
 * 4. Cancelling sets a flag that workers look at, takes back what has not begun, and asks the stage
 *    that waits; a stage that is owed an end (something has happened) is not taken back. */
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/time.h"
#include "decision/mask.h"
#include "server/server_int.h"

#define SPARE_REQUESTS    32
#define SPARE_ARENA_BYTES ((size_t)1024 * 1024) /* a request that grew beyond is not kept warm */
#define LARGEST_AT_ONCE   4 /* messages of the largest size that a connection may have open */
#define ALL_AT_ONCE       8 /* and all of them together, but for small ones */

/* ---- making and unmaking ----------------------------------------------------------------- */

static struct request *request_new(struct peer *peer)
{
    struct server *s = peer->server;
    struct request *r = s->spare;
    if (r) {
        s->spare = r->spare_next;
        s->spare_count--;
    } else {
        r = mgi_calloc(1, sizeof *r);
        if (!r)
            return NULL;
        mgi_arena_init(&r->arena, 0);
    }
    r->server = s;
    r->peer = peer;
    r->spare_next = NULL;
    r->served = mgi_served_ref(s->served);
    r->begun_ns = mgi_mono_ns();
    r->error.retry_after_ms = -1;
    r->next = peer->open;
    if (r->next)
        r->next->prev = r;
    peer->open = r;
    peer->open_count++;
    s->open_requests++;
    return r;
}

void mgi_request_free(struct request *r)
{
    mgi_buf_fini(&r->answer);
    mgi_buf_fini(&r->extensions);
    mgi_buf_fini(&r->record_text);
    mgi_arena_fini(&r->arena);
    mgi_free(r);
}

void mgi_requests_drop_spare(struct server *s)
{
    while (s->spare) {
        struct request *r = s->spare;
        s->spare = r->spare_next;
        mgi_request_free(r);
    }
    s->spare_count = 0;
}

/* Back to the spare list, with its arena emptied but warm. */
static void recycle(struct server *s, struct request *r)
{
    mgi_rest_note(s, s->open_bytes + r->arena.used + r->answer.len);
    mgi_invocation_free(r->invocation);
    mgi_principal_unref(r->who);
    mgi_served_unref(s, r->served);
    atomic_fetch_sub(&s->read_bytes, r->read_bytes);
    if (s->spare_count >= SPARE_REQUESTS || r->arena.high_water > SPARE_ARENA_BYTES ||
        r->answer.cap > SPARE_ARENA_BYTES || r->extensions.cap > SPARE_ARENA_BYTES ||
        r->record_text.cap > SPARE_ARENA_BYTES) {
        mgi_request_free(r);
        return;
    }
    struct arena arena = r->arena;
    struct buf answer = r->answer, extensions = r->extensions, record_text = r->record_text;
    mgi_arena_reset(&arena);
    mgi_buf_clear(&answer);
    mgi_buf_clear(&extensions);
    memset(r, 0, sizeof *r);
    r->arena = arena;
    r->answer = answer;
    r->extensions = extensions;
    r->record_text = record_text;
    r->spare_next = s->spare;
    s->spare = r;
    s->spare_count++;
}

/* ---- the end ------------------------------------------------------------------------------- */

static enum wire_code code_of(const struct request *r)
{
    return r->replay.ptr ? r->replay_code : r->error.code;
}

static void count(const struct request *r, int64_t total_ns)
{
    struct server_metrics *m = &r->server->metrics;
    m->requests[r->envelope.type]++;
    m->outcomes[code_of(r)]++;
    mgi_histogram_add(&m->latency[r->envelope.type], total_ns);
    m->bytes_in += r->text.len;
    m->bytes_out += r->bytes_out;
    m->replays += r->replayed;
    if (r->evaluated) {
        m->evaluations++;
        m->evaluation_ns += (uint64_t)r->intent_notes.rules_ns;
    }
    if (r->invoke_notes.concluded) {
        m->effects++;
        m->effects_ns += (uint64_t)r->invoke_notes.effects_ns;
        m->effects_failed += r->invoke_notes.effects_failed;
    }
}

/* What the request has seen of the store says how it is. */
static void judge_store(const struct request *r)
{
    struct server *s = r->server;
    if (r->intent_notes.asked)
        s->on_store(s, r->intent_notes.store != STORE_DOWN);
    if (r->invoke_notes.asked)
        s->on_store(s, r->invoke_notes.store != STORE_DOWN);
}

static void report(const struct request *r, int64_t total_ns)
{
    const struct server *s = r->server;
    if (!s->options.access)
        return;
    struct str trace = r->envelope.traceparent;
    const struct principal *who = r->who ? r->who : r->peer->who;
    struct access_record record = {
        .transport = r->peer->transport->name,
        .type = mgi_message_type_name(r->envelope.type),
        .id = r->envelope.id,
        .subject = mgi_request_subject(r),
        .invocation_id = str_of(r->invocation_id),
        .traceparent = trace.len > 0 ? trace : r->peer->traceparent,
        .who = who,
        .caller = who ? mgi_mask_identity(r->served->snapshot, who) : STR_LIT(""),
        .code = code_of(r),
        .replayed = r->replayed,
        .at_ns = mgi_server_clock_ns(s),
        .total_ns = total_ns,
        .waited_ns = r->waited_ns,
        .worked_ns = r->worked_ns,
        .bytes_in = r->text.len,
        .bytes_out = r->bytes_out,
    };
    s->options.access(s->options.access_context, &record);
}

static void unlink_from_peer(struct request *r)
{
    struct peer *p = r->peer;
    if (r->prev)
        r->prev->next = r->next;
    else
        p->open = r->next;
    if (r->next)
        r->next->prev = r->prev;
    r->next = r->prev = NULL;
    p->open_count--;
    p->open_bytes -= r->text.len;
    p->server->open_bytes -= r->text.len;
    if (!p->open && p->on_quiet)
        p->on_quiet(p); /* may free it */
}

/* The answer, if one is due, goes out; the request is gone afterwards. */
static void close_request(struct request *r)
{
    struct server *s = r->server;
    int64_t total_ns = mgi_mono_ns() - r->begun_ns;
    if (r->answered) /* a cancel has none */
        mgi_answer_send(r);
    if (r->close_why && !r->peer->gone)
        r->peer->transport->close(r->peer->connection, r->close_why);
    if (!r->lapse_why) { /* nobody has asked for it */
        count(r, total_ns);
        report(r, total_ns);
        mgi_decide_end(r, total_ns);
    }
    judge_store(r);
    s->on_closing(r);
    unlink_from_peer(r);
    recycle(s, r);
    if (--s->open_requests == 0)
        s->on_quiet(s);
}

/* Who waited for this one has its answer now, too, or takes its place. */
static void end_request(struct request *r)
{
    struct request *heir = mgi_once_inherit(r);
    for (struct request *follower; (follower = mgi_once_next(r)) != NULL;) {
        follower->answered = true;
        close_request(follower);
    }
    close_request(r);
    if (heir)
        mgi_request_resume(heir, STAGE_NEXT);
}

/* ---- going through the stages -------------------------------------------------------------- */

static const struct stage *stage_of(const struct request *r)
{
    return &r->stages[r->stage];
}

static struct request *request_of(struct task *t)
{
    return (struct request *)((char *)t - offsetof(struct request, task));
}

static void run_on_worker(struct task *t)
{
    struct request *r = request_of(t);
    r->result = stage_of(r)->run(r);
}

static void go_on(struct request *r);
static void worker_done(struct task *t);

/* How long this took before, of this caller, says how long it will take. */
static uint64_t kind_of_work(const struct request *r)
{
    struct str subject = mgi_request_subject(r);
    if (!r->who || subject.len == 0)
        return 0;
    return mgi_hash_bytes(subject.ptr, subject.len, mgi_owner_of(r->server, r->who) + r->stage) | 1;
}

static bool hand_over(struct request *r)
{
    const struct stage *stage = stage_of(r);
    const struct principal *who = r->who ? r->who : r->peer->who;
    struct task_runner tasks = mgi_work_runner(r->server->work);
    r->task = (struct task){ .run = run_on_worker,
                             .done = worker_done,
                             .owner = who ? mgi_owner_of(r->server, who) : (uintptr_t)r->peer,
                             .kind = kind_of_work(r),
                             .begun = r->worked_ns > 0,
                             .promised = stage->owed || stage->closing };
    r->on_worker = tasks.hand(tasks.self, &r->task);
    return r->on_worker;
}

static bool note(struct request *r, enum stage_result result)
{
    r->answered |= result == STAGE_ANSWER;
    return result == STAGE_NEXT || result == STAGE_ANSWER;
}

static bool is_due(const struct request *r, const struct stage *stage)
{
    return (!r->answered || stage->closing) && !(stage->skip && stage->skip(r));
}

/* From the stage that is due to wherever it has to wait, or to the end. */
static void go_on(struct request *r)
{
    for (;; r->stage++) {
        const struct stage *stage = stage_of(r);
        if (!stage->run) {
            end_request(r);
            return;
        }
        if (!is_due(r, stage))
            continue;
        if (stage->where == ON_WORKER && !(stage->brief && stage->brief(r))) {
            if (hand_over(r))
                return;
            mgi_request_refuse(r);
            r->answered = true;
            continue;
        }
        enum stage_result result = stage->run(r);
        if (result == STAGE_OVER) {
            end_request(r);
            return;
        }
        if (!note(r, result))
            return;
    }
}

static void worker_done(struct task *t)
{
    struct request *r = request_of(t);
    r->on_worker = false;
    r->waited_ns += t->waited_ns;
    r->worked_ns += t->ran_ns;
    mgi_request_resume(r, r->result);
}

void mgi_request_resume(struct request *r, enum stage_result result)
{
    if (result == STAGE_NEXT && !r->answered && atomic_load(&r->cancel) && !stage_of(r)->owed)
        result = mgi_request_fail(r, WIRE_CANCELLED, NULL, "The request was cancelled.");
    if (!note(r, result))
        return;
    r->stage++;
    go_on(r);
}

/* ---- from outside -------------------------------------------------------------------------- */

bool mgi_request_is_cancelled(void *request)
{
    const struct request *r = request;
    return atomic_load_explicit(&r->cancel, memory_order_relaxed);
}

/* What a lost connection does not stop: what others wait for; over HTTP, a chain with effects to
 * come (T-MCP-29); the conclusion of what carries a key, since somebody will ask how it ended. */
static bool survives_loss(const struct request *r)
{
    const struct stage *stage = stage_of(r);
    if (r->once.followers)
        return true;
    if (!stage->owed)
        return false;
    if (stage->where == ON_WORKER)
        return r->once.key.ptr != NULL;
    return !r->peer->transport->session && !mgi_invocation_is_harmless(r->invocation);
}

void mgi_request_cancel(struct request *r, bool lost)
{
    const struct stage *stage = stage_of(r);
    struct task_runner tasks = mgi_work_runner(r->server->work);
    if (r->answered || (lost && survives_loss(r)))
        return;
    atomic_store(&r->cancel, true);
    if (!r->on_worker) {
        if (stage->cancel)
            stage->cancel(r);
        return;
    }
    if (stage->owed || !tasks.take_back(tasks.self, &r->task))
        return;
    r->on_worker = false;
    mgi_request_resume(r, STAGE_NEXT); /* which sees that it was cancelled */
}

bool mgi_request_begin_lapse(struct server *s, struct parked *p, const char *why)
{
    struct request *r = request_new(&s->nobody);
    if (!r)
        return false;
    r->parked = p;
    r->lapse_why = why;
    r->envelope.type = MSG_INVOKE_REQUEST;
    r->stages = s->lists[LIST_LAPSE];
    go_on(r);
    return true;
}

/* How many may be open is judged when they have been read (gate 8); until then their bytes count,
 * so that what waits to be read is bounded, too: of a connection, and of all of them together. What
 * they hold when they have been read is judged there (mgi_stage_parse). */
static bool is_too_much(const struct peer *peer, size_t bytes)
{
    size_t largest = (size_t)peer->server->served->snapshot->settings.limits.max_message_bytes;
    size_t all = peer->server->open_bytes;
    return (peer->open_bytes > 0 && peer->open_bytes + bytes > LARGEST_AT_ONCE * largest) ||
           (bytes > SMALL_REQUEST_BYTES && all > 0 && all + bytes > ALL_AT_ONCE * largest);
}

/* False: it is answered. */
static bool keep_text(struct request *r, struct str text)
{
    r->text = (struct str){ "", 0 };
    if (is_too_much(r->peer, text.len)) {
        mgi_request_refuse(r);
        return false;
    }
    struct str copy = mgi_arena_str(&r->arena, text);
    if (!copy.ptr) {
        mgi_request_fail(r, WIRE_INTERNAL_ERROR, NULL, "The server ran out of memory.");
        return false;
    }
    r->text = copy;
    r->peer->open_bytes += copy.len;
    r->server->open_bytes += copy.len;
    return true;
}

static void answer_without_memory(struct peer *peer)
{
    static const struct wire_error broken = { .code = WIRE_INTERNAL_ERROR,
                                              .message = "The server ran out of memory.",
                                              .retry_after_ms = -1 };
    mgi_answer_fault(peer, &broken);
}

void mgi_request_begin(struct peer *peer, struct str text, enum endpoint endpoint,
                       const struct stage *stages)
{
    struct request *r = request_new(peer);
    if (!r) {
        answer_without_memory(peer);
        return;
    }
    r->endpoint = endpoint;
    r->parsing = true;
    r->stages = stages;
    r->answered = !keep_text(r, text);
    go_on(r);
}
