/* A tool pool without processes: stands in for src/actions/{toolpool,session}.c in the program that
 * includes this. What it does is the same each time:
 *
 *     echo, touch, wipe, store   return their inputs
 *     wait                       the same, after its input "ms"; or it is cancelled
 *     fail                       fails
 *
 * Nothing is told from inside a call (actions/toolpool.h): a pool tells by itself from a timer, or,
 * if it is `manual`, one thing per fake_pool_step(). */
#ifndef TESTS_SERVER_FAKE_POOL_H
#define TESTS_SERVER_FAKE_POOL_H

#include <assert.h>
#include <stdlib.h>

#include "actions/toolpool.h"
#include "base/alloc.h"
#include "base/time.h"
#include "sys/digest.h"
#include "base/encode.h"

struct toolticket {
    struct toolpool *pool;
    struct toolticket *next;
    struct toolwish wish;
};

struct toolsession {
    struct toolpool *pool;
    struct toolsession *next;
    struct tool_request request;
    void (*done)(void *context, const struct tool_result *result);
    void *context;
    bool calling, cancelled;
    int64_t due_ns; /* monotonic */
};

struct toolpool {
    uv_loop_t *loop;
    uv_timer_t timer;
    bool manual, closing;
    uint32_t hosts, busy, waiting, calls;
    struct toolticket *tickets;
    struct toolsession *sessions;
    void (*amiss)(void *context, struct str plugin, const char *why);
    void *amiss_context;
    void (*closed)(void *context);
    void *closed_context;
};

static void fake_pool_tick(uv_timer_t *timer);

static void fake_pool_soon(struct toolpool *pool)
{
    if (!pool->manual && !uv_is_closing((uv_handle_t *)&pool->timer))
        uv_timer_start(&pool->timer, fake_pool_tick, 0, 0);
}

struct toolpool *mgi_toolpool_new(uv_loop_t *loop, const struct toolpool_options *options)
{
    struct toolpool *pool = calloc(1, sizeof *pool); /* not what a test lets fail */
    if (!pool)
        abort();
    pool->loop = loop;
    pool->hosts = options->hosts;
    uv_timer_init(loop, &pool->timer);
    pool->timer.data = pool;
    return pool;
}

void mgi_toolpool_use(struct toolpool *pool, struct task_runner tasks)
{
    (void)pool, (void)tasks;
}

void mgi_toolpool_watch(struct toolpool *pool,
                        void (*amiss)(void *context, struct str plugin, const char *why),
                        void *context)
{
    pool->amiss = amiss;
    pool->amiss_context = context;
}

void mgi_toolpool_stats(const struct toolpool *pool, struct toolpool_stats *out)
{
    *out = (struct toolpool_stats){ .hosts = pool->hosts, .busy = pool->busy };
}

/* ---- tickets and sessions -------------------------------------------------------------------- */

struct toolticket *mgi_toolsession_take(struct toolpool *pool, const struct toolwish *wish)
{
    struct toolticket *t = mgi_calloc(1, sizeof *t), **last = &pool->tickets;
    if (!t)
        return NULL;
    t->pool = pool;
    t->wish = *wish;
    while (*last)
        last = &(*last)->next;
    *last = t;
    pool->waiting++;
    fake_pool_soon(pool);
    return t;
}

void mgi_toolsession_forget(struct toolticket *t)
{
    struct toolticket **link = t ? &t->pool->tickets : NULL;
    while (link && *link != t)
        link = &(*link)->next;
    if (!link)
        return;
    *link = t->next;
    t->pool->waiting--;
    mgi_free(t);
}

void mgi_toolsession_release(struct toolsession *s)
{
    struct toolpool *pool = s->pool;
    struct toolsession **link = &pool->sessions;
    assert(!s->calling);
    while (*link != s)
        link = &(*link)->next;
    *link = s->next;
    pool->busy--;
    mgi_free(s);
    fake_pool_soon(pool);
}

/* The first who waits gets a session, or hears `refusal`. */
static bool fake_pool_serve(struct toolpool *pool, bool refused, enum toolsession_refusal refusal)
{
    struct toolticket *t = pool->tickets;
    struct toolsession *s = NULL;
    if (!t || (!refused && pool->busy >= pool->hosts))
        return false;
    struct toolwish wish = t->wish;
    mgi_toolsession_forget(t);
    if (!refused)
        s = mgi_calloc(1, sizeof *s);
    if (s) {
        s->pool = pool;
        s->next = pool->sessions;
        pool->sessions = s;
        pool->busy++;
    }
    wish.ready(wish.context, s, refused ? refusal : SESSION_NEVER, s ? NULL : "there is none");
    return true;
}

/* ---- calls ----------------------------------------------------------------------------------- */

bool mgi_tool_inputs(struct arena *arena, struct str text, bool with_digest,
                     struct tool_inputs *out)
{
    uint8_t digest[SHA256_BYTES];
    out->digest[0] = '\0';
    if (mgi_json_parse(arena, text, NULL, &out->value, NULL) != JSON_OK ||
        out->value.type != JSON_OBJECT)
        return false;
    if (with_digest && !mgi_sha256(text.ptr, text.len, digest))
        return false;
    if (with_digest)
        mgi_hex(digest, sizeof digest, out->digest);
    return true;
}

static bool fake_pool_is(const struct toolsession *s, const char *aid)
{
    return str_is(s->request.aid, aid);
}

void mgi_toolsession_call(struct toolsession *s, const struct tool_request *request,
                          void (*done)(void *context, const struct tool_result *result),
                          void *context)
{
    assert(!s->calling && (request->tier == 0 || request->inputs->digest[0]));
    s->request = *request;
    s->done = done;
    s->context = context;
    s->calling = true;
    s->cancelled = s->pool->closing;
    s->due_ns = (int64_t)uv_hrtime();
    s->pool->calls++;
    const struct json *ms = mgi_json_get(&request->inputs->value, "ms");
    if (fake_pool_is(s, "AID.FX.WAIT.v1") && ms && ms->type == JSON_INT)
        s->due_ns += ms->integer * NS_PER_MS;
    fake_pool_soon(s->pool);
}

void mgi_toolsession_cancel(struct toolsession *s)
{
    s->cancelled |= s->calling;
    fake_pool_soon(s->pool);
}

static void fake_pool_tell(struct toolsession *s)
{
    static char nothing[] = "{}";
    struct tool_result result = { .outcome = TOOL_OK,
                                  .output = s->request.inputs->value,
                                  .error = { "", 0 } };
    struct json empty = { .type = JSON_OBJECT, .text = { nothing, 2 } };
    if (s->cancelled || fake_pool_is(s, "AID.FX.FAIL.v1")) {
        result.outcome = s->cancelled ? TOOL_CANCELLED : TOOL_ERROR;
        result.output = empty;
        result.error = str_of(s->cancelled ? "cancelled" : "it failed, as it does");
        result.indeterminate = s->cancelled && s->request.tier > 0;
    }
    s->calling = s->cancelled = false;
    s->done(s->context, &result);
}

/* Tell one thing, if there is one to tell: a call that is over, or a session that is free. */
static bool fake_pool_step(struct toolpool *pool)
{
    int64_t now_ns = (int64_t)uv_hrtime();
    for (struct toolsession *s = pool->sessions; s; s = s->next)
        if (s->calling && (pool->manual || s->cancelled || s->due_ns <= now_ns)) {
            fake_pool_tell(s);
            return true;
        }
    return fake_pool_serve(pool, pool->closing, SESSION_NEVER);
}

static void fake_pool_is_closed(uv_handle_t *handle)
{
    struct toolpool *pool = handle->data;
    void (*closed)(void *) = pool->closed;
    void *context = pool->closed_context;
    free(pool);
    if (closed)
        closed(context);
}

static void fake_pool_tick(uv_timer_t *timer)
{
    struct toolpool *pool = timer->data;
    bool calling = false;
    while (fake_pool_step(pool))
        ;
    for (const struct toolsession *s = pool->sessions; s; s = s->next)
        calling |= s->calling;
    if (calling)
        uv_timer_start(timer, fake_pool_tick, 1, 0);
    if (pool->closing && !pool->sessions)
        uv_close((uv_handle_t *)timer, fake_pool_is_closed);
}

/* Nobody may use it any more, or everybody is refused. */
void mgi_toolpool_close(struct toolpool *pool, void (*closed)(void *context), void *context)
{
    pool->closing = true;
    pool->manual = false;
    pool->closed = closed;
    pool->closed_context = context;
    for (struct toolsession *s = pool->sessions; s; s = s->next)
        mgi_toolsession_cancel(s);
    fake_pool_soon(pool);
}

#endif
