/* Invocations that wait for a person: a menu has asked before a call (select/menu_step.h), and the
 * answer was confirmation_required. What has run is not run again: the invocation stays here as it
 * is, without a host, until a request comes whose token answers its challenge, and that request
 * goes on with it.
 *
 *     chain ─asks─> take_place ─> concluded, answered ─> keep ──claim──> (another request) adopt
 *                       └ no room: nobody is asked        ^  └──────────────┘ in vain: let_go
 *                                                         └─ nobody agrees in time: lapse
 *
 * 1. Each is in one place: among those that wait, or in the hands of one request (request.parked).
 * 2. Everything of it lives in the arena of the request that began it, which moved here.
 * 3. An idempotency key stays begun in the store meanwhile: who comes with it again is told what
 * was answered, and if the process is killed, the journal knows what had run.
 * 4. Nobody who agrees in time: the step has failed, a transaction is undone, by a request of
 *    nobody's. The same at a reload and at the end of the server.
 *
 * The stages of a request call this file; it begins requests of nobody's, and what a closing one
 * has in hand comes back by server.on_closing. */
#include "base/alloc.h"
#include "base/time.h"
#include "server/server_int.h"

#define LOOK_MS  500        /* between two looks at who has waited long enough */
#define GRACE_NS NS_PER_SEC /* behind the end of the challenge: a clock may be adjusted */

/* ---- the list ------------------------------------------------------------------------------ */

static void look_at_parked(uv_timer_t *timer);

static void link_in(struct server *s, struct parked *p)
{
    p->next = s->parked;
    p->link = &s->parked;
    if (p->next)
        p->next->link = &p->next;
    s->parked = p;
    if (!uv_is_active((uv_handle_t *)&s->lapse) && !uv_is_closing((uv_handle_t *)&s->lapse))
        uv_timer_start(&s->lapse, look_at_parked, LOOK_MS, LOOK_MS);
}

static void take_out(struct parked *p)
{
    *p->link = p->next;
    if (p->next)
        p->next->link = p->link;
    p->next = NULL;
    p->link = NULL;
}

static size_t count_of(const struct server *s, uint64_t owner)
{
    size_t count = 0;
    for (const struct parked *p = s->parked; p; p = p->next)
        count += p->owner == owner;
    return count;
}

static void free_parked(struct server *s, struct parked *p)
{
    s->parked_count--;
    s->parked_bytes -= p->bytes;
    mgi_arena_fini(&p->arena);
    mgi_free(p);
}

/* ---- in vain ------------------------------------------------------------------------------- */

static void lapse(struct server *s, struct parked *p, const char *why)
{
    take_out(p);
    mgi_log(&s->log, LOG_INFO, "invocation %s: nobody has agreed to what it asked",
            p->invocation_id);
    if (mgi_request_begin_lapse(s, p, why))
        return;
    link_in(s, p); /* memory is short: another time */
}

static void look_at_parked(uv_timer_t *timer)
{
    struct server *s = timer->data;
    int64_t now_ns = mgi_mono_ns();
    for (struct parked *p = s->parked, *next; p; p = next) {
        next = p->next;
        if (p->until_ns <= now_ns)
            lapse(s, p, "timeout");
    }
    if (!s->parked)
        uv_timer_stop(timer);
}

void mgi_parked_lapse_all(struct server *s, const char *why)
{
    for (struct parked *p = s->parked, *next; p; p = next) {
        next = p->next;
        lapse(s, p, why);
    }
}

/* ---- waiting ------------------------------------------------------------------------------- */

/* It has waited before, and its place is still its own; but it holds more by now. */
static bool take_more(struct server *s, struct parked *p)
{
    size_t more = p->arena.used > p->bytes ? p->arena.used - p->bytes : 0;
    if (more > 0 && s->parked_bytes + more > PARKED_BYTES)
        return false;
    p->bytes += more;
    s->parked_bytes += more;
    return true;
}

bool mgi_parked_take_place(struct request *r)
{
    struct server *s = r->server;
    if (r->parked)
        return take_more(s, r->parked);
    if (s->parked_count >= PARKED_MOST || s->parked_bytes + r->arena.used > PARKED_BYTES ||
        count_of(s, mgi_owner_of(s, r->who)) >= PARKED_SHARE || mgi_server_refuses(s))
        return false;
    struct parked *p = mgi_calloc(1, sizeof *p);
    if (!p)
        return false;
    mgi_arena_init(&p->arena, 0);
    p->owner = mgi_owner_of(s, r->who);
    p->bytes = r->arena.used;
    s->parked_count++;
    s->parked_bytes += p->bytes;
    r->parked = p;
    return true;
}

/* The memory of the one that began it is its own from now on; of one that went on with it, it was
 * all along. */
static void move_memory(struct request *r, struct parked *p)
{
    bool keyed = r->once.begun && !p->key.ptr; /* else it has the key that it began with */
    if (!r->adopted) {
        p->arena = r->arena;
        mgi_arena_init(&r->arena, 0);
        p->request_id = r->header.request_id;
    }
    if (!keyed)
        return;
    p->key = mgi_arena_str(&p->arena, r->once.key);
    memcpy(p->fingerprint, r->once.fingerprint, sizeof p->fingerprint);
}

/* Nobody can answer it any more, or nobody may. */
static bool is_in_vain(const struct server *s, const struct parked *p)
{
    return s->draining || p->served != s->served;
}

/* What was answered is told again to who asks again with the key. */
static void keep_answer(struct request *r, struct parked *p)
{
    p->error = r->error;
    p->error.details = mgi_arena_str(&p->arena, r->error.details);
    p->error.message = mgi_arena_strdup(&p->arena, r->error.message);
    if (!p->error.message)
        p->error.message = "The tool needs the user's confirmation.";
}

/* The request is answered, and its invocation waits. */
static void keep_waiting(struct request *r)
{
    struct server *s = r->server;
    struct parked *p = r->parked;
    int64_t ttl_ns = r->served->snapshot->settings.confirmation_ttl_ms * NS_PER_MS;
    move_memory(r, p);
    keep_answer(r, p);
    p->invocation = r->invocation;
    p->served = mgi_served_ref(r->served);
    p->who = mgi_principal_ref(r->who);
    memcpy(p->invocation_id, r->invocation_id, sizeof p->invocation_id);
    mgi_invocation_asked_nonce(p->invocation, p->nonce);
    p->header = mgi_run_header((struct str){ p->invocation_id, 32 }, p->request_id,
                               s->options.deterministic_run_id);
    p->run_journal = r->run_journal;
    p->settlement = r->settlement;
    p->unsettled = r->unsettled;
    if (p->settlement)
        p->settlement->request = NULL;
    p->until_ns = mgi_mono_ns() + ttl_ns + GRACE_NS;
    struct invoke_call call = mgi_request_call(r);
    call.who = p->who;
    call.request_id = p->request_id;
    call.invocation_id = (struct str){ p->invocation_id, 32 };
    call.header = &p->header;
    call.journal = call.journal ? &p->run_journal : NULL;
    call.cancelled = NULL;
    call.progress = NULL;
    call.context = NULL;
    call.notes = NULL;
    mgi_invocation_rehost(p->invocation, &p->arena, &call, NULL);
    mgi_log(&s->log, LOG_INFO, "invocation %s: asks a person, for %lld ms", p->invocation_id,
            (long long)(ttl_ns / NS_PER_MS));
    r->invocation = NULL;
    r->parked = NULL;
    link_in(s, p);
    if (is_in_vain(s, p))
        lapse(s, p, "unavailable");
}

/* A cancelled or refused one leaves it as it was; one that brought it to its end, nothing. */
static void put_back(struct request *r)
{
    struct parked *p = r->parked;
    r->parked = NULL;
    if (!p->invocation) {
        free_parked(r->server, p);
        return;
    }
    link_in(r->server, p);
    if (is_in_vain(r->server, p))
        lapse(r->server, p, "unavailable");
}

/* What becomes of what a closing request has in hand. */
static void part_with(struct request *r)
{
    if (!r->parked)
        return;
    if (r->invocation && mgi_invocation_asks(r->invocation)) {
        keep_waiting(r);
        return;
    }
    mgi_invocation_free(r->invocation); /* it may live in the memory of what goes */
    r->invocation = NULL;
    put_back(r);
}

/* ---- in the hands of a request -------------------------------------------------------------- */

static bool is_of(const struct parked *p, const struct request *r)
{
    return str_eq(mgi_principal_key(p->who), mgi_principal_key(r->who));
}

static struct parked *find_by_nonce(const struct request *r, struct str nonce)
{
    for (struct parked *p = r->server->parked; nonce.ptr && p; p = p->next)
        if (str_is(nonce, p->nonce) && is_of(p, r) && p->served == r->served)
            return p;
    return NULL;
}

static struct parked *find_by_key(const struct request *r)
{
    for (struct parked *p = r->server->parked; r->once.key.ptr && p; p = p->next)
        if (p->key.ptr && str_eq(p->key, r->once.key) && mgi_principal_is_caller(p->who, r->who))
            return p;
    return NULL;
}

static enum stage_result refuse_token(struct request *r)
{
    return mgi_request_fail(r, WIRE_CONFIRMATION_INVALID, "{\"reason\":\"mismatch\"}",
                            "The confirmation is not accepted.");
}

/* What it was told before, without asking anew. */
static enum stage_result tell_again(struct request *r, const struct parked *p)
{
    r->error = p->error;
    r->error.details = mgi_arena_str(&r->arena, p->error.details);
    r->error.message = mgi_arena_strdup(&r->arena, p->error.message);
    if (!r->error.message)
        return mgi_request_fail(r, WIRE_INTERNAL_ERROR, NULL, "The server ran out of memory.");
    return STAGE_ANSWER;
}

enum stage_result mgi_stage_claim(struct request *r)
{
    const struct json *v = mgi_json_get(r->envelope.payload, "confirmation_token");
    struct str token = v && v->type == JSON_STRING ? v->string : (struct str){ "", 0 };
    if (!r->server->parked || r->envelope.dry_run)
        return STAGE_NEXT;
    struct parked *keyed = find_by_key(r);
    if (keyed && strcmp(keyed->fingerprint, r->once.fingerprint) != 0)
        return mgi_once_refuse_other(r);
    struct parked *p = find_by_nonce(r, mgi_confirmation_nonce(token));
    if (keyed && (token.len == 0 || r->envelope.key_only))
        return tell_again(r, keyed);
    if (keyed && keyed != p)
        return refuse_token(r);
    if (!p || r->envelope.key_only)
        return STAGE_NEXT;
    take_out(p);
    r->parked = p;
    return STAGE_NEXT;
}

void mgi_parked_adopt(struct request *r, struct invocation *by)
{
    struct server *s = r->server;
    struct parked *p = r->parked;
    r->adopted = true;
    mgi_served_unref(s, r->served); /* the same; or, if nobody agreed, what it began with */
    r->served = p->served;
    if (!r->who) {
        r->who = p->who;
    } else {
        mgi_principal_unref(p->who);
    }
    if (p->key.ptr && r->once.key.ptr && !str_eq(p->key, r->once.key)) {
        r->once.also = p->key; /* its end is that of both */
    } else if (p->key.ptr) {
        r->once.key = p->key;
        memcpy(r->once.fingerprint, p->fingerprint, sizeof r->once.fingerprint);
        r->once.begun = true;
    }
    memcpy(r->invocation_id, p->invocation_id, sizeof r->invocation_id);
    r->header = mgi_run_header((struct str){ r->invocation_id, 32 },
                               by ? mgi_request_shown_id(r) : p->request_id,
                               s->options.deterministic_run_id);
    r->settlement = p->settlement;
    r->unsettled = p->unsettled;
    if (r->settlement)
        r->settlement->request = r;
    r->chained = true;
    const struct invoke_call call = mgi_request_call(r);
    mgi_invocation_rehost(p->invocation, &p->arena, &call, by);
    r->invocation = p->invocation;
    p->invocation = NULL;
    p->served = NULL;
    p->who = NULL;
}

/* ---- beginning and end --------------------------------------------------------------------- */

static bool send_nothing(void *connection, struct str message, int http_status, bool last,
                         int64_t retry_after_ms)
{
    (void)connection, (void)message, (void)http_status, (void)last, (void)retry_after_ms;
    return false;
}

static void close_nothing(void *connection, const char *why)
{
    (void)connection, (void)why;
}

void mgi_parked_init(struct server *s)
{
    static const struct peer_transport nowhere = { .name = "",
                                                   .send = send_nothing,
                                                   .close = close_nothing };
    s->nobody = (struct peer){ .server = s, .transport = &nowhere, .gone = true };
    s->on_closing = part_with;
}

void mgi_parked_free(struct server *s)
{
    while (s->parked) {
        struct parked *p = s->parked;
        take_out(p);
        mgi_invocation_free(p->invocation);
        mgi_principal_unref(p->who);
        mgi_served_unref(s, p->served);
        free_parked(s, p);
    }
}
