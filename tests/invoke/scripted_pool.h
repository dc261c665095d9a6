/* A tool pool without processes, whose answers come in whatever order a test wants: stands in for
 * src/actions/{toolpool,session}.c in the program that includes this. Nothing is told from inside a
 * call; scripted_pool_step() tells one thing. */
#ifndef TESTS_INVOKE_SCRIPTED_POOL_H
#define TESTS_INVOKE_SCRIPTED_POOL_H

#include <assert.h>
#include <stdlib.h>

#include "actions/toolpool.h"
#include "domain/provider.h"

/* Two of those that actions come from. */
static const struct action_provider one_provider = { .name = { "one", 3 } };
static const struct action_provider two_provider = { .name = { "two", 3 } };

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
    int64_t due;             /* of the test's clock: not answered before */
    struct tool_slots state; /* what its host has */
};

struct toolpool {
    uint32_t hosts, out, most_out, calling, most_calling, waiting;
    bool refuse; /* the next ticket */
    struct toolticket *tickets;
    struct toolsession *sessions;
    /* A call begins. */
    void (*called)(void *context, struct toolsession *s);
    /* What it is answered: *result says TOOL_OK and {}. */
    void (*answer)(void *context, struct toolsession *s, struct tool_result *result);
    void *context;
};

struct toolpool *mgi_toolpool_new(uv_loop_t *loop, const struct toolpool_options *options)
{
    struct toolpool *pool = calloc(1, sizeof *pool);
    (void)loop;
    if (!pool)
        abort();
    pool->hosts = options->hosts;
    return pool;
}

void mgi_toolpool_stats(const struct toolpool *pool, struct toolpool_stats *out)
{
    *out = (struct toolpool_stats){ .hosts = pool->hosts, .waiting = pool->waiting };
}

void mgi_toolpool_close(struct toolpool *pool, void (*closed)(void *context), void *context)
{
    assert(!pool->tickets && !pool->sessions); /* whoever had one gave it back */
    free(pool);
    closed(context);
}

struct toolticket *mgi_toolsession_take(struct toolpool *pool, const struct toolwish *wish)
{
    struct toolticket *t = calloc(1, sizeof *t), **last = &pool->tickets;
    if (!t)
        abort();
    t->pool = pool;
    t->wish = *wish;
    while (*last)
        last = &(*last)->next;
    *last = t;
    pool->waiting++;
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
    free(t);
}

void mgi_toolsession_release(struct toolsession *s)
{
    struct toolsession **link = &s->pool->sessions;
    assert(!s->calling);
    while (*link != s)
        link = &(*link)->next;
    *link = s->next;
    s->pool->out--;
    free(s);
}

void mgi_toolsession_call(struct toolsession *s, const struct tool_request *request,
                          void (*done)(void *context, const struct tool_result *result),
                          void *context)
{
    static const struct tool_slots nothing = { 0 };
    struct toolpool *pool = s->pool;
    assert(!s->calling && (request->tier == 0 || request->inputs->digest[0]));
    s->request = *request;
    s->done = done;
    s->context = context;
    s->calling = true;
    if (!request->kept) /* else the host goes on with what it has */
        s->state = request->state ? *request->state : nothing;
    pool->calling++;
    if (pool->calling > pool->most_calling)
        pool->most_calling = pool->calling;
    pool->called(pool->context, s);
}

void mgi_toolsession_cancel(struct toolsession *s)
{
    s->cancelled |= s->calling;
}

bool mgi_tool_inputs(struct arena *arena, struct str text, bool with_digest,
                     struct tool_inputs *out)
{
    memset(out->digest, 0, sizeof out->digest);
    if (with_digest)
        out->digest[0] = '0';
    return mgi_json_parse(arena, text, NULL, &out->value, NULL) == JSON_OK &&
           out->value.type == JSON_OBJECT;
}

static void scripted_pool_grant(struct toolpool *pool)
{
    struct toolticket *t = pool->tickets;
    struct toolwish wish = t->wish;
    struct toolsession *s = NULL;
    mgi_toolsession_forget(t);
    if (!pool->refuse) {
        s = calloc(1, sizeof *s);
        if (!s)
            abort();
        s->pool = pool;
        s->next = pool->sessions;
        pool->sessions = s;
        if (++pool->out > pool->most_out)
            pool->most_out = pool->out;
    }
    pool->refuse = false;
    wish.ready(wish.context, s, SESSION_BUSY, s ? NULL : "no tool host became free in time");
}

static void scripted_pool_answer(struct toolsession *s)
{
    static char nothing[] = "{}";
    struct tool_result result = { .outcome = TOOL_OK,
                                  .output = { .type = JSON_OBJECT, .text = { nothing, 2 } } };
    s->pool->calling--;
    s->calling = false;
    if (s->cancelled)
        result.outcome = TOOL_CANCELLED;
    else
        s->pool->answer(s->pool->context, s, &result);
    s->cancelled = false;
    for (int slot = 0; result.outcome == TOOL_OK && slot < TOOL_SLOTS; slot++) {
        if (result.changes.removed & (1u << slot))
            s->state.artifact[slot] = (struct str){ NULL, 0 };
        if (result.changes.artifact[slot].len > 0)
            s->state.artifact[slot] = result.changes.artifact[slot];
    }
    s->done(s->context, &result);
}

/* Tell one of all that could be told at `now`, the `pick`th. False: there is nothing. */
static bool scripted_pool_step(struct toolpool *pool, uint32_t pick, int64_t now)
{
    uint32_t can = pool->tickets && (pool->refuse || pool->out < pool->hosts);
    uint32_t grants = can;
    for (struct toolsession *s = pool->sessions; s; s = s->next)
        can += s->calling && (s->due <= now || s->cancelled);
    if (can == 0)
        return false;
    pick %= can;
    if (grants && pick == 0) {
        scripted_pool_grant(pool);
        return true;
    }
    pick -= grants;
    for (struct toolsession *s = pool->sessions; s; s = s->next)
        if (s->calling && (s->due <= now || s->cancelled) && pick-- == 0) {
            scripted_pool_answer(s);
            return true;
        }
    return false;
}

#endif
