/* One session: a call is sent, leased where it has effects, and answered (toolhost.md 9.4, 11).
 *
 *   free ─call─> leasing ─> calling ─line─> (reading) ─> answered ─tick─> done, free
 *                   └──────────┴── late, gone, cancelled ──^
 *
 * 1. A session has at most one call, and a host at most one session.
 * 2. `done` is never called from inside the call that asked for it: what is decided at once is told
 *    at the next turn of the loop (mgi_pool_tick_soon).
 * 3. A host that was late, flooded or answered somebody else is ended; its session gets a fresh one
 *    with the next call, and that call begins with an empty state.
 * 4. While an answer is read on a worker, the arena of the call is that worker's alone. */
#include "actions/toolpool_int.h"

#include <assert.h>

#include "domain/provider.h"
#include "base/encode.h"
#include "sys/digest.h"

#define RESERVE_MS   1000  /* T-LIM-4: a host's own limit comes first */
#define LOAD_MS      10000 /* T-LIM-3: a fresh host loads the plugin */
#define LEASE_TTL_MS 10000 /* T-MCP-16 */
#define CANCEL_MS    2000  /* grace, kill and sweep of 7.4 take less */

/* ---- the end of a call --------------------------------------------------------------------- */

/* The call is over. Its outcome is told at the next tick. */
static void answered(struct toolsession *s, const struct tool_result *result)
{
    if (s->state == SESSION_FREE || s->state == SESSION_READING || s->state == SESSION_ANSWERED)
        return;
    if (s->host)
        mgi_host_alarm(s->host, -1);
    s->result = *result;
    s->state = SESSION_ANSWERED;
    mgi_pool_tick_soon(s->pool);
}

static void call_failed(struct toolsession *s, enum tool_outcome outcome, const char *why,
                        bool indeterminate)
{
    struct tool_result result = {
        .outcome = s->cancelled ? TOOL_CANCELLED : outcome,
        .output = mgi_empty_output,
        .error = str_of(why),
        .indeterminate = indeterminate,
    };
    answered(s, &result);
}

void mgi_session_tell(struct toolsession *s)
{
    struct tool_result result = s->result;
    s->state = SESSION_FREE;
    s->cancelled = false;
    s->done(s->context, &result);
}

static void tell_amiss(struct toolsession *s, const char *why)
{
    if (s->pool->amiss)
        s->pool->amiss(s->pool->amiss_context, s->provider->name, why);
}

static void could_not_start(struct toolsession *s, const char *why)
{
    s->pool->failed++;
    tell_amiss(s, why);
    call_failed(s, TOOL_UNAVAILABLE, why, false);
}

/* ---- what hosts say ------------------------------------------------------------------------ */

static void discard_host(struct toolsession *s, const char *why)
{
    struct tool_host *h = s->host;
    if (!h)
        return;
    s->host = NULL;
    h->session = NULL;
    mgi_host_alarm(h, -1);
    mgi_host_end(h, false, why);
}

static void send_request(struct toolsession *s, struct str lease);

/* The answer has been read (here or on a worker): what it means for call and host. */
static void use_answer(struct toolsession *s)
{
    struct tool_host *h = s->host;
    if (s->answer == ANSWER_GOOD) {
        if (h && h->answers++ == 0)
            tell_amiss(s, NULL);
        if (h)
            h->delta_slots = s->delta_slots;
        answered(s, &s->result);
        if (h && h->ending) { /* cancelled: its last word */
            s->host = NULL;
            h->session = NULL;
        }
        return;
    }
    if (h && s->answer == ANSWER_FOREIGN && h->answers == 0 && s->result.error.len > 0) {
        const char *why = /* T-CLI-6: the plugin cannot be loaded */
            mgi_arena_printf(s->request.arena, "%.*s", STR_ARG(s->result.error));
        s->pool->failed++;
        tell_amiss(s, "the plugin cannot be loaded");
        call_failed(s, TOOL_UNAVAILABLE, why ? why : "the plugin cannot be loaded", false);
    } else {
        call_failed(s, TOOL_CRASH, "the host's answer is unusable", true);
    }
    discard_host(s, "the host's answer is unusable");
}

static void read_answer(struct task *t)
{
    struct toolsession *s =
        (struct toolsession *)((char *)t - offsetof(struct toolsession, reading));
    s->answer =
        mgi_tool_answer(s->request.arena, s->line, s->request_id, &s->result, &s->delta_slots);
}

static void answer_read(struct task *t)
{
    struct toolsession *s =
        (struct toolsession *)((char *)t - offsetof(struct toolsession, reading));
    s->state = SESSION_CALLING;
    use_answer(s);
}

static void take_line(struct toolsession *s, struct str line)
{
    const struct task_runner *tasks = &s->pool->tasks;
    mgi_host_alarm(s->host, -1);
    mgi_pool_waited(s->pool, s->host);
    s->line = mgi_arena_str(s->request.arena, line);
    s->answer = ANSWER_UNUSABLE;
    s->result = (struct tool_result){ .outcome = TOOL_CRASH, .output = mgi_empty_output };
    s->reading = (struct task){
        .run = read_answer, .done = answer_read, .owner = s->owner, .promised = true
    };
    if (s->line.ptr && line.len > ANSWER_BRIEF && tasks->hand &&
        tasks->hand(tasks->self, &s->reading)) {
        s->state = SESSION_READING;
        return;
    }
    if (s->line.ptr)
        read_answer(&s->reading);
    use_answer(s);
}

static void host_answered(struct tool_host *h, struct str line)
{
    struct toolsession *s = h->session;
    if (s && s->state == SESSION_CALLING) {
        take_line(s, line);
        return;
    }
    if (!h->ending)
        mgi_log(h->log, LOG_WARN, "a tool host spoke without being asked");
    if (s && s->state == SESSION_LEASING) /* and nothing has been sent */
        call_failed(s, TOOL_CRASH, "the host spoke without being asked", false);
    if (s)
        discard_host(s, "the host spoke without being asked");
    else
        mgi_host_end(h, false, "the host spoke without being asked");
}

/* Nothing of it is kept, so the arena is its own: that of the call lives too long, and may be a
 * worker's. */
static void take_event(struct toolsession *s, struct str line)
{
    struct arena arena;
    struct str detail;
    double percent;
    if (!s || s->state != SESSION_CALLING || !s->request.progress || s->cancelled)
        return;
    mgi_arena_init(&arena, 0);
    if (mgi_progress_event(&arena, line, s->request_id, &percent, &detail))
        s->request.progress(s->context, percent, detail);
    mgi_arena_fini(&arena);
}

static void host_controlled(struct tool_host *h, struct str line)
{
    struct toolsession *s = h->session;
    if (mgi_str_starts(line, STR_LIT("{\"event\""))) {
        take_event(s, line);
        return;
    }
    if (h->unheard > 0) { /* answers come in order (T-REQ-6): this one is to a _cancel */
        h->unheard--;
        return;
    }
    if (!s || s->state != SESSION_LEASING)
        return;
    const char *why = NULL;
    struct str kept = mgi_arena_str(s->request.arena, line);
    struct str token = { 0 };
    if (kept.ptr)
        token = mgi_lease_answer(s->request.arena, kept, &why);
    if (token.ptr)
        send_request(s, token);
    else
        call_failed(s, TOOL_LEASE, why ? why : "short of memory", false);
}

static void host_late(struct tool_host *h)
{
    struct toolsession *s = h->session;
    if (!s)
        return;
    bool calling = s->state == SESSION_CALLING;
    call_failed(s, TOOL_TIMEOUT, "the host did not answer in time", calling);
    discard_host(s, "the host did not answer in time");
}

static void host_gone(struct tool_host *h, const char *why, int exit_status)
{
    struct toolsession *s = h->session;
    h->session = NULL;
    if (!s)
        return;
    s->host = NULL;
    bool never_ran = exit_status == 2 || exit_status == 3 || s->state == SESSION_LEASING;
    if (s->state == SESSION_READING)
        return; /* it had answered before */
    if (h->answers == 0 && never_ran)
        could_not_start(s, "the tool host could not be started");
    else
        call_failed(s, TOOL_CRASH, why, s->state == SESSION_CALLING);
}

static void host_freed(struct tool_host *h)
{
    struct toolpool *pool = h->pool;
    if (h->previous)
        h->previous->next = h->next;
    else if (pool->hosts == h)
        pool->hosts = h->next;
    if (h->next)
        h->next->previous = h->previous;
    mgi_pool_tick_soon(pool);
}

static const struct tool_host_events host_events = {
    .answer = host_answered,
    .control = host_controlled,
    .late = host_late,
    .gone = host_gone,
    .freed = host_freed,
};

/* ---- a call -------------------------------------------------------------------------------- */

static bool find_host(struct toolsession *s, const char **why)
{
    struct toolpool *pool = s->pool;
    for (struct tool_host *h = pool->hosts; h && !s->host; h = h->next)
        if (!h->session && !h->ending && h->provider == s->provider)
            s->host = h;
    if (!s->host) {
        struct host_start start = { pool,      pool->loop,        pool->toolhost, s->provider,
                                    pool->env, pool->options.log, &host_events };
        s->host = mgi_host_new(&start, why);
        if (!s->host)
            return false;
        pool->started++;
        s->host->next = pool->hosts;
        if (pool->hosts)
            pool->hosts->previous = s->host;
        pool->hosts = s->host;
    }
    s->host->session = s;
    return true;
}

static int64_t limit_of(const struct toolsession *s)
{
    return s->request.timeout_ms > 0 ? s->request.timeout_ms : s->pool->options.timeout_ms;
}

static bool gated(const struct toolsession *s)
{
    return s->request.tier > 0 && s->pool->options.enforce_leases;
}

static void set_alarm(struct toolsession *s)
{
    mgi_host_alarm(s->host, limit_of(s) + RESERVE_MS + (s->host->answers == 0 ? LOAD_MS : 0));
}

static bool ask_for_lease(struct toolsession *s)
{
    struct buf line = { 0 };
    struct json_writer w;
    int64_t ttl_ms = limit_of(s) < LEASE_TTL_MS ? limit_of(s) : LEASE_TTL_MS;
    mgi_json_writer_init(&w, &line, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "aid", "_lease.issue");
    mgi_jw_member_str(&w, "tool_aid", s->request.aid);
    mgi_jw_member_int(&w, "tier", s->request.tier);
    mgi_jw_member_int(&w, "ttl_ms", ttl_ms);
    mgi_jw_member_cstr(&w, "issuer", s->request.issuer);
    mgi_jw_member_cstr(&w, "input_sha256", s->request.inputs->digest);
    mgi_jw_end_object(&w);
    s->state = SESSION_LEASING;
    bool good = !line.oom && mgi_host_send_control(s->host, mgi_buf_view(&line));
    mgi_buf_fini(&line);
    return good;
}

/* The full form, or (where the host has it) only that what it reported is taken out (T-MCP-24). */
static void write_state(struct json_writer *w, const struct toolsession *s)
{
    const struct tool_slots *state = s->request.state;
    mgi_jw_key(w, "ds_state");
    mgi_jw_begin_object(w);
    bool full = !s->request.kept || s->host->answers == 0; /* T-MCP-2 */
    if (!full)
        mgi_jw_member_bool(w, "delta", true);
    mgi_jw_key(w, "slots");
    mgi_jw_begin_object(w);
    for (int slot = 0; full && state && slot < TOOL_SLOTS; slot++) {
        char key[2] = { (char)('0' + slot), '\0' };
        if (state->artifact[slot].len == 0)
            continue;
        mgi_jw_key(w, key);
        mgi_jw_raw(w, state->artifact[slot]);
    }
    mgi_jw_end_object(w);
    if (!full) {
        mgi_jw_key(w, "removed_slots");
        mgi_jw_begin_array(w);
        for (int slot = 0; slot < TOOL_SLOTS; slot++)
            if (s->host->delta_slots & (1u << slot))
                mgi_jw_int(w, slot);
        mgi_jw_end_array(w);
    }
    mgi_jw_end_object(w);
}

static void write_request(struct buf *line, const struct toolsession *s, struct str lease)
{
    const struct tool_request *r = &s->request;
    struct json_writer w;
    mgi_json_writer_init(&w, line, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "aid", r->aid);
    mgi_jw_key(&w, "inputs");
    mgi_jw_raw(&w, r->inputs->value.text);
    write_state(&w, s);
    mgi_jw_key(&w, "idempotency_key"); /* T-MCP-19 */
    struct buf key = { 0 };
    mgi_buf_printf(&key, "%.*s/%u%.*s/%u", STR_ARG(r->invocation_id), r->step, STR_ARG(r->part),
                   r->attempt);
    mgi_jw_string(&w, mgi_buf_view(&key));
    line->oom |= key.oom;
    mgi_buf_fini(&key);
    mgi_jw_member_str(&w, "request_id", s->request_id);
    mgi_jw_member_str(&w, "run_id", r->run_id.len > 0 ? r->run_id : r->invocation_id);
    mgi_jw_member_int(&w, "step", r->step);
    mgi_jw_member_int(&w, "timeout_ms", limit_of(s));
    if (r->progress)
        mgi_jw_member_bool(&w, "progress", true);
    if (lease.ptr)
        mgi_jw_member_str(&w, "_lease_token", lease);
    mgi_jw_end_object(&w);
}

static void send_request(struct toolsession *s, struct str lease)
{
    struct buf line = { 0 };
    write_request(&line, s, lease);
    bool sent = !line.oom && mgi_host_send(s->host, mgi_buf_view(&line));
    mgi_buf_fini(&line);
    if (sent) {
        s->state = SESSION_CALLING;
        set_alarm(s);
        mgi_pool_wait_awake(s->pool, s->host);
    } else {
        call_failed(s, TOOL_UNAVAILABLE, "the request could not be sent", false);
        discard_host(s, "the request could not be sent");
    }
}

/* Somebody answers instead of a host. */
static void play(struct toolsession *s)
{
    const struct toolpool_options *o = &s->pool->options;
    struct tool_result result = { .outcome = TOOL_OK, .output = mgi_empty_output };
    o->play(o->play_context, &s->request, &result);
    answered(s, &result);
}

/* T-DISP-21: an attempt of its own has an id of its own. */
static bool make_request_id(struct toolsession *s)
{
    const struct tool_request *r = &s->request;
    const char *id = r->attempt == 0
                         ? mgi_arena_printf(r->arena, "%.*s.%u%.*s", STR_ARG(r->invocation_id),
                                            r->step, STR_ARG(r->part))
                         : mgi_arena_printf(r->arena, "%.*s.%u%.*s.%u", STR_ARG(r->invocation_id),
                                            r->step, STR_ARG(r->part), r->attempt);
    s->request_id = id ? str_of(id) : (struct str){ NULL, 0 };
    return id != NULL;
}

bool mgi_tool_inputs(struct arena *arena, struct str text, bool with_digest,
                     struct tool_inputs *out)
{
    struct buf other = { 0 };
    uint8_t digest[SHA256_BYTES];
    out->digest[0] = '\0';
    if (mgi_json_parse(arena, text, NULL, &out->value, NULL) != JSON_OK ||
        out->value.type != JSON_OBJECT)
        return false;
    bool good = true;
    if (memchr(out->value.text.ptr, '\n', out->value.text.len)) { /* a request is one line */
        struct json_writer w;
        mgi_json_writer_init(&w, &other, 0);
        mgi_jw_value(&w, &out->value);
        struct str kept = mgi_arena_str(arena, mgi_buf_view(&other));
        good = !other.oom && kept.ptr &&
               mgi_json_parse(arena, kept, NULL, &out->value, NULL) == JSON_OK;
        mgi_buf_clear(&other);
    }
    if (good && with_digest) {
        mgi_json_canonical(&other, &out->value);
        good = !other.oom && mgi_sha256(other.ptr, other.len, digest);
        if (good)
            mgi_hex(digest, sizeof digest, out->digest);
    }
    mgi_buf_fini(&other);
    return good;
}

void mgi_toolsession_call(struct toolsession *s, const struct tool_request *request,
                          void (*done)(void *context, const struct tool_result *result),
                          void *context)
{
    const char *why = "short of memory";
    assert(s->state == SESSION_FREE && (request->tier == 0 || request->inputs->digest[0]));
    s->done = done;
    s->context = context;
    s->request = *request;
    s->state = SESSION_LEASING; /* nothing has been sent */
    if (!make_request_id(s)) {
        call_failed(s, TOOL_UNAVAILABLE, why, false);
    } else if (s->pool->closing) {
        call_failed(s, TOOL_UNAVAILABLE, "the server is shutting down", false);
    } else if (s->pool->options.play) {
        play(s);
    } else if (!s->host && !find_host(s, &why)) {
        mgi_log(s->pool->options.log, LOG_ERROR, "could not start the tool host: %s", why);
        could_not_start(s, why);
    } else if (!gated(s)) {
        send_request(s, (struct str){ 0 });
    } else if (ask_for_lease(s)) {
        set_alarm(s);
    } else {
        call_failed(s, TOOL_UNAVAILABLE, "a lease could not be asked for", false);
        discard_host(s, "a lease could not be asked for");
    }
}

/* The host stops the tool and answers the call; one that does not is ended (T-MCP-29, T-LIM-7). */
static bool send_cancel(struct toolsession *s)
{
    struct buf line = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &line, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "aid", "_cancel");
    mgi_jw_member_str(&w, "request_id", s->request_id);
    mgi_jw_end_object(&w);
    bool sent = !line.oom && mgi_host_send_control(s->host, mgi_buf_view(&line));
    if (sent)
        s->host->unheard++;
    mgi_buf_fini(&line);
    return sent;
}

void mgi_toolsession_cancel(struct toolsession *s)
{
    if (s->state == SESSION_FREE || s->state == SESSION_READING || s->state == SESSION_ANSWERED ||
        s->cancelled)
        return;
    s->cancelled = true;
    if (s->state == SESSION_LEASING) {
        call_failed(s, TOOL_CANCELLED, "cancelled", false);
        discard_host(s, "cancelled");
    } else {
        mgi_host_alarm(s->host, CANCEL_MS);
        if (!send_cancel(s))
            mgi_host_end(s->host, false, "cancelled");
    }
}
