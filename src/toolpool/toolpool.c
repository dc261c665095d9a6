/* Sessions: one invocation's turn on a toolhost (toolhost.md 9.4, chapter 11).
 *
 *   take -> waiting -> granted: [ call -> (lease ->) request -> answer -> done ]* -> release
 *
 * 1. No more sessions of one plugin are out than the pool may have hosts; the rest waits in order.
 * 2. A session has at most one call, and a host at most one session.
 * 3. `ready` and `done` are never called from inside the call that asked for them: what is decided
 *    at once is told at the next turn of the loop (pool->tick).
 * 4. A host that was late, flooded or answered somebody else is ended; its session gets a fresh one
 *    with the next call, and that call begins with an empty state. */
#include "toolpool/toolpool_int.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/digest.h"

#define DEFAULT_HOSTS      2     /* seed: session pool per plugin */
#define DEFAULT_TIMEOUT_MS 30000 /* seed */
#define RESERVE_MS         1000  /* T-LIM-4: a host's own limit comes first */
#define LOAD_MS            10000 /* T-LIM-3: a fresh host loads the plugin */
#define LEASE_TTL_MS       10000 /* T-MCP-16 */
#define CANCEL_MS          2000  /* grace, kill and sweep of 7.4 take less */

enum session_state { SESSION_FREE, SESSION_LEASING, SESSION_CALLING, SESSION_ANSWERED };

struct toolsession {
    struct toolpool *pool;
    struct toolsession *next;
    struct tool_host *host; /* NULL: none yet, or the last one is gone */
    enum session_state state;
    bool cancelled;
    struct arena arena; /* of the running call */
    struct tool_request request;
    struct json inputs;
    struct str request_id;
    struct tool_result result; /* SESSION_ANSWERED: told at the next tick */
    void (*done)(void *context, const struct tool_result *result);
    void *context;
    struct str plugin;
    char plugin_path[];
};

struct toolticket {
    struct toolpool *pool;
    struct toolticket *next;
    uv_timer_t timer;
    bool expired;
    void (*ready)(void *context, struct toolsession *session, const char *why);
    void *context;
    struct str plugin;
    char plugin_path[];
};

struct toolpool {
    uv_loop_t *loop;
    struct toolpool_options options;
    char *toolhost;
    char **env;
    struct tool_host *hosts;
    struct toolsession *sessions;
    struct toolticket *waiting; /* first come first */
    uv_timer_t tick;
    bool tick_closed;
    bool closing;
    size_t open_tickets; /* whose timers are not closed yet */
    void (*closed)(void *context);
    void *context;
};

const struct logger *mgi_pool_log(const struct toolpool *pool)
{
    return pool->options.log;
}

/* ---- the environment of hosts -------------------------------------------------------------- */

extern char **environ; /* of this process: hosts inherit it, but for what is the server's alone */

static bool is_servers_own(const char *variable)
{
    return strncmp(variable, "MANGLECP_", 9) == 0 || strncmp(variable, "MACHINA_LEASE_", 14) == 0;
}

/* A host's own limit of 30 s would cut calls that the domain allows longer: every call says its
 * limit. What an operator has set stays. */
static bool has_timeout(const char *variable)
{
    return strncmp(variable, "MACHINA_TOOLHOST_TIMEOUT", 24) == 0;
}

static char **host_environment(bool enforce)
{
    static char timeout[] = "MACHINA_TOOLHOST_TIMEOUT_MS=86400000";
    static char enforce_on[] = "MACHINA_LEASE_ENFORCE=1";
    static char enforce_off[] = "MACHINA_LEASE_ENFORCE=0";
    static char issue[] = "MACHINA_LEASE_ISSUE=control";
    size_t count = 0, kept = 0;
    bool timed = false;
    while (environ && environ[count])
        count++;
    char **env = mgi_calloc(count + 4, sizeof *env);
    if (!env)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        timed = timed || has_timeout(environ[i]);
        if (!is_servers_own(environ[i]))
            env[kept++] = environ[i];
    }
    if (!timed)
        env[kept++] = timeout;
    env[kept++] = enforce ? enforce_on : enforce_off;
    env[kept] = issue;
    return env;
}

/* ---- answers to whoever waits -------------------------------------------------------------- */

static void tick(uv_timer_t *timer);

static void tick_soon(struct toolpool *pool)
{
    if (!uv_is_closing((uv_handle_t *)&pool->tick))
        uv_timer_start(&pool->tick, tick, 0, 0);
}

/* The call is over. Its outcome is told at the next tick. */
static void answered(struct toolsession *s, const struct tool_result *result)
{
    if (s->state == SESSION_FREE || s->state == SESSION_ANSWERED)
        return;
    if (s->host)
        mgi_host_alarm(s->host, -1);
    s->result = *result;
    s->state = SESSION_ANSWERED;
    tick_soon(s->pool);
}

static void failed(struct toolsession *s, enum tool_outcome outcome, const char *why,
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

static void tell(struct toolsession *s)
{
    struct tool_result result = s->result;
    void (*done)(void *, const struct tool_result *) = s->done;
    /* The arena holds the result until `done` returns; a new call made from inside `done` gets a
     * new one. */
    struct arena arena = s->arena;
    mgi_arena_init(&s->arena, 0);
    s->state = SESSION_FREE;
    s->cancelled = false;
    done(s->context, &result);
    mgi_arena_fini(&arena);
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

static void host_answered(struct tool_host *h, struct str line)
{
    struct toolsession *s = h->session;
    if (!s || s->state != SESSION_CALLING) {
        if (!h->ending)
            mgi_log(mgi_pool_log(h->pool), LOG_WARN, "a tool host spoke without being asked");
        if (s)
            discard_host(s, "the host spoke without being asked");
        else
            mgi_host_end(h, false, "the host spoke without being asked");
        return;
    }
    struct tool_result result;
    unsigned slots = 0;
    struct str kept = mgi_arena_str(&s->arena, line);
    enum tool_answer answer = kept.ptr
                                  ? mgi_tool_answer(&s->arena, kept, s->request_id, &result, &slots)
                                  : ANSWER_UNUSABLE;
    if (answer == ANSWER_GOOD) {
        h->answers++;
        h->delta_slots = slots;
        answered(s, &result);
        if (h->ending) { /* cancelled: its last word */
            s->host = NULL;
            h->session = NULL;
        }
        return;
    }
    if (answer == ANSWER_FOREIGN && h->answers == 0 && result.error.len > 0)
        failed(s, TOOL_UNAVAILABLE, mgi_arena_printf(&s->arena, "%.*s", STR_ARG(result.error)),
               false); /* T-CLI-6: the plugin cannot be loaded */
    else
        failed(s, TOOL_CRASH, "the host's answer is unusable", true);
    discard_host(s, "the host's answer is unusable");
}

static void host_controlled(struct tool_host *h, struct str line)
{
    struct toolsession *s = h->session;
    if (mgi_str_starts(line, STR_LIT("{\"event\"")))
        return;
    if (h->unheard > 0) { /* answers come in order (T-REQ-6): this one is to a _cancel */
        h->unheard--;
        return;
    }
    if (!s || s->state != SESSION_LEASING)
        return;
    const char *why = NULL;
    struct str kept = mgi_arena_str(&s->arena, line);
    struct str token = { 0 };
    if (kept.ptr)
        token = mgi_lease_answer(&s->arena, kept, &why);
    if (token.ptr)
        send_request(s, token);
    else
        failed(s, TOOL_LEASE, why ? why : "short of memory", false);
}

static void host_late(struct tool_host *h)
{
    struct toolsession *s = h->session;
    if (!s)
        return;
    bool calling = s->state == SESSION_CALLING;
    failed(s, TOOL_TIMEOUT, "the host did not answer in time", calling);
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
    if (h->answers == 0 && never_ran)
        failed(s, TOOL_UNAVAILABLE, "the tool host could not be started", false);
    else
        failed(s, TOOL_CRASH, why, s->state == SESSION_CALLING);
}

static const struct tool_host_events host_events = {
    .answer = host_answered,
    .control = host_controlled,
    .late = host_late,
    .gone = host_gone,
};

void mgi_pool_forget_host(struct toolpool *pool, struct tool_host *h)
{
    if (h->previous)
        h->previous->next = h->next;
    else if (pool->hosts == h)
        pool->hosts = h->next;
    if (h->next)
        h->next->previous = h->previous;
    tick_soon(pool);
}

/* ---- a call -------------------------------------------------------------------------------- */

static bool find_host(struct toolsession *s, const char **why)
{
    struct toolpool *pool = s->pool;
    for (struct tool_host *h = pool->hosts; h && !s->host; h = h->next)
        if (!h->session && !h->ending && str_eq(h->plugin, s->plugin))
            s->host = h;
    if (!s->host) {
        s->host =
            mgi_host_new(pool, pool->loop, pool->toolhost, s->plugin, pool->env, &host_events, why);
        if (!s->host)
            return false;
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
    struct buf canonical = { 0 }, line = { 0 };
    struct json_writer w;
    uint8_t digest[SHA256_BYTES];
    char hex[2 * SHA256_BYTES + 1];
    mgi_json_canonical(&canonical, &s->inputs); /* T-INP-6 */
    bool good = !canonical.oom && mgi_sha256(canonical.ptr, canonical.len, digest);
    if (good) {
        int64_t ttl_ms = limit_of(s) < LEASE_TTL_MS ? limit_of(s) : LEASE_TTL_MS;
        mgi_hex(digest, sizeof digest, hex);
        mgi_json_writer_init(&w, &line, 0);
        mgi_jw_begin_object(&w);
        mgi_jw_member_cstr(&w, "aid", "_lease.issue");
        mgi_jw_member_str(&w, "tool_aid", s->request.aid);
        mgi_jw_member_int(&w, "tier", s->request.tier);
        mgi_jw_member_int(&w, "ttl_ms", ttl_ms);
        mgi_jw_member_cstr(&w, "issuer", s->request.issuer);
        mgi_jw_member_cstr(&w, "input_sha256", hex);
        mgi_jw_end_object(&w);
        s->state = SESSION_LEASING;
        good = !line.oom && mgi_host_send_control(s->host, mgi_buf_view(&line));
    }
    mgi_buf_fini(&canonical);
    mgi_buf_fini(&line);
    return good;
}

static void write_state(struct json_writer *w, const struct toolsession *s)
{
    mgi_jw_key(w, "ds_state");
    mgi_jw_begin_object(w);
    bool full = s->request.first || s->host->answers == 0; /* T-MCP-2 */
    if (!full)
        mgi_jw_member_bool(w, "delta", true);
    mgi_jw_key(w, "slots");
    mgi_jw_begin_object(w);
    mgi_jw_end_object(w);
    if (!full) {
        mgi_jw_key(w, "removed_slots");
        mgi_jw_begin_array(w);
        for (int slot = 0; slot < 8; slot++)
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
    mgi_jw_value(&w, &s->inputs);
    write_state(&w, s);
    mgi_jw_key(&w, "idempotency_key"); /* T-MCP-19 */
    struct buf key = { 0 };
    mgi_buf_printf(&key, "%.*s/%u/%u", STR_ARG(r->invocation_id), r->step, r->attempt);
    mgi_jw_string(&w, mgi_buf_view(&key));
    line->oom |= key.oom;
    mgi_buf_fini(&key);
    mgi_jw_member_str(&w, "request_id", s->request_id);
    mgi_jw_member_str(&w, "run_id", r->invocation_id);
    mgi_jw_member_int(&w, "step", r->step);
    mgi_jw_member_int(&w, "timeout_ms", limit_of(s));
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
    } else {
        failed(s, TOOL_UNAVAILABLE, "the request could not be sent", false);
        discard_host(s, "the request could not be sent");
    }
}

/* Everything the call needs later, copied. */
static bool keep_request(struct toolsession *s, const struct tool_request *r)
{
    struct str inputs = mgi_arena_str(&s->arena, r->inputs.len > 0 ? r->inputs : STR_LIT("{}"));
    s->request = *r;
    s->request.aid = mgi_arena_str(&s->arena, r->aid);
    s->request.invocation_id = mgi_arena_str(&s->arena, r->invocation_id);
    s->request.issuer = mgi_arena_strdup(&s->arena, r->issuer ? r->issuer : "policy");
    /* T-DISP-21: an attempt of its own has an id of its own */
    const char *id =
        r->attempt == 0 ? mgi_arena_printf(&s->arena, "%.*s.%u", STR_ARG(r->invocation_id), r->step)
                        : mgi_arena_printf(&s->arena, "%.*s.%u.%u", STR_ARG(r->invocation_id),
                                           r->step, r->attempt);
    s->request_id = str_of(id);
    return inputs.ptr && !s->arena.oom &&
           mgi_json_parse(&s->arena, inputs, NULL, &s->inputs, NULL) == JSON_OK &&
           s->inputs.type == JSON_OBJECT;
}

void mgi_toolsession_call(struct toolsession *s, const struct tool_request *request,
                          void (*done)(void *context, const struct tool_result *result),
                          void *context)
{
    const char *why = "short of memory";
    assert(s->state == SESSION_FREE);
    s->done = done;
    s->context = context;
    s->state = SESSION_LEASING; /* nothing has been sent */
    if (!keep_request(s, request)) {
        failed(s, TOOL_REFUSED, "the inputs of the tool are not a JSON object", false);
    } else if (s->pool->closing) {
        failed(s, TOOL_UNAVAILABLE, "the server is shutting down", false);
    } else if (!s->host && !find_host(s, &why)) {
        mgi_log(s->pool->options.log, LOG_ERROR, "could not start the tool host: %s", why);
        failed(s, TOOL_UNAVAILABLE, why, false);
    } else if (!gated(s)) {
        send_request(s, (struct str){ 0 });
    } else if (ask_for_lease(s)) {
        set_alarm(s);
    } else {
        failed(s, TOOL_UNAVAILABLE, "a lease could not be asked for", false);
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
    if (s->state == SESSION_FREE || s->state == SESSION_ANSWERED || s->cancelled)
        return;
    s->cancelled = true;
    if (s->state == SESSION_LEASING) {
        failed(s, TOOL_CANCELLED, "cancelled", false);
        discard_host(s, "cancelled");
    } else {
        mgi_host_alarm(s->host, CANCEL_MS);
        if (!send_cancel(s))
            mgi_host_end(s->host, false, "cancelled");
    }
}

/* ---- sessions and tickets ------------------------------------------------------------------ */

static uint32_t sessions_of(const struct toolpool *pool, struct str plugin)
{
    uint32_t count = 0;
    for (const struct toolsession *s = pool->sessions; s; s = s->next)
        count += str_eq(s->plugin, plugin);
    return count;
}

static struct toolsession *session_new(struct toolpool *pool, struct str plugin)
{
    struct toolsession *s = mgi_calloc(1, sizeof *s + plugin.len + 1);
    if (!s)
        return NULL;
    memcpy(s->plugin_path, plugin.ptr, plugin.len);
    s->plugin = (struct str){ s->plugin_path, plugin.len };
    s->pool = pool;
    mgi_arena_init(&s->arena, 0);
    s->next = pool->sessions;
    pool->sessions = s;
    return s;
}

static void ticket_freed(uv_handle_t *handle)
{
    struct toolticket *t = handle->data;
    t->pool->open_tickets--;
    tick_soon(t->pool);
    mgi_free(t);
}

static void ticket_remove(struct toolticket *t)
{
    struct toolticket **link = &t->pool->waiting;
    while (*link != t)
        link = &(*link)->next;
    *link = t->next;
    uv_close((uv_handle_t *)&t->timer, ticket_freed);
}

static void ticket_expired(uv_timer_t *timer)
{
    struct toolticket *t = timer->data;
    t->expired = true;
    tick_soon(t->pool);
}

struct toolticket *mgi_toolsession_take(struct toolpool *pool, struct str plugin, int64_t wait_ms,
                                        void (*ready)(void *context, struct toolsession *session,
                                                      const char *why),
                                        void *context)
{
    struct toolticket *t = mgi_calloc(1, sizeof *t + plugin.len + 1);
    if (!t)
        return NULL;
    memcpy(t->plugin_path, plugin.ptr, plugin.len);
    t->plugin = (struct str){ t->plugin_path, plugin.len };
    t->pool = pool;
    t->ready = ready;
    t->context = context;
    uv_timer_init(pool->loop, &t->timer);
    t->timer.data = t;
    pool->open_tickets++;
    if (wait_ms >= 0)
        uv_timer_start(&t->timer, ticket_expired, (uint64_t)wait_ms, 0);
    struct toolticket **last = &pool->waiting;
    while (*last)
        last = &(*last)->next;
    *last = t;
    tick_soon(pool);
    return t;
}

void mgi_toolsession_forget(struct toolticket *t)
{
    if (t)
        ticket_remove(t);
}

/* Decide on one ticket, the first about which something can be said. False: none. */
static bool serve_ticket(struct toolpool *pool)
{
    for (struct toolticket *t = pool->waiting; t; t = t->next) {
        struct toolsession *s = NULL;
        const char *why = NULL;
        if (pool->closing)
            why = "the server is shutting down";
        else if (sessions_of(pool, t->plugin) < pool->options.hosts)
            why = (s = session_new(pool, t->plugin)) ? NULL : "short of memory";
        else if (t->expired)
            why = "no tool host became free in time";
        else
            continue;
        void (*ready)(void *, struct toolsession *, const char *) = t->ready;
        void *context = t->context;
        ticket_remove(t);
        ready(context, s, why);
        return true;
    }
    return false;
}

void mgi_toolsession_release(struct toolsession *s)
{
    struct toolpool *pool = s->pool;
    assert(s->state == SESSION_FREE);
    struct toolsession **link = &pool->sessions;
    while (*link != s)
        link = &(*link)->next;
    *link = s->next;
    if (s->host) {
        s->host->session = NULL;
        mgi_host_alarm(s->host, -1);
        if (pool->closing)
            mgi_host_end(s->host, true, "shut down");
    }
    mgi_arena_fini(&s->arena);
    mgi_free(s);
    tick_soon(pool);
}

/* ---- the pool ------------------------------------------------------------------------------ */

static void pool_freed(uv_handle_t *handle)
{
    struct toolpool *pool = handle->data;
    void (*closed)(void *) = pool->closed;
    void *context = pool->context;
    mgi_free(pool->toolhost);
    mgi_free(pool->env);
    mgi_free(pool);
    if (closed)
        closed(context);
}

static bool tell_one(struct toolpool *pool)
{
    for (struct toolsession *s = pool->sessions; s; s = s->next)
        if (s->state == SESSION_ANSWERED) {
            tell(s);
            return true; /* the list may have changed */
        }
    return false;
}

static void tick(uv_timer_t *timer)
{
    struct toolpool *pool = timer->data;
    while (tell_one(pool) || serve_ticket(pool))
        ;
    if (pool->closing && !pool->hosts && !pool->sessions && pool->open_tickets == 0)
        uv_close((uv_handle_t *)&pool->tick, pool_freed);
}

struct toolpool *mgi_toolpool_new(uv_loop_t *loop, const struct toolpool_options *options)
{
    struct toolpool *pool = mgi_calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->loop = loop;
    pool->options = *options;
    if (pool->options.hosts == 0)
        pool->options.hosts = DEFAULT_HOSTS;
    if (pool->options.timeout_ms <= 0)
        pool->options.timeout_ms = DEFAULT_TIMEOUT_MS;
    size_t len = strlen(options->toolhost);
    pool->toolhost = mgi_alloc(len + 1);
    pool->env = host_environment(options->enforce_leases);
    if (!pool->toolhost || !pool->env) {
        mgi_free(pool->toolhost);
        mgi_free(pool->env);
        mgi_free(pool);
        return NULL;
    }
    memcpy(pool->toolhost, options->toolhost, len + 1);
    uv_timer_init(loop, &pool->tick);
    pool->tick.data = pool;
    if (!options->enforce_leases)
        mgi_log(options->log, LOG_WARN, "side effects are not gated: lease enforcement is off");
    return pool;
}

void mgi_toolpool_close(struct toolpool *pool, void (*closed)(void *context), void *context)
{
    pool->closing = true;
    pool->closed = closed;
    pool->context = context;
    for (struct toolsession *s = pool->sessions; s; s = s->next)
        mgi_toolsession_cancel(s);
    for (struct tool_host *h = pool->hosts; h; h = h->next)
        if (!h->session)
            mgi_host_end(h, true, "shut down");
    tick_soon(pool);
}
