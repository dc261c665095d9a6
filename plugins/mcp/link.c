/* A server's process: see link.h. */
#include "link.h"

#include <stdio.h>
#include <string.h>

#define SLICE_MS 5
#define DEATH_MS 100 /* for a child that closed its output to end by itself */
#define DRAIN_MS 250 /* for what a server says between calls; more of it is read with the next */

void link_init(struct mcp_link *l, const struct mcp_client_events *events)
{
    *l = (struct mcp_link){ .program = { .in = -1, .out = -1, .err = -1 },
                            .stale = true,
                            .pause_ms = MCP_PAUSE_MS };
    l->events = *events;
    mgi_lines_init(&l->lines, MCP_MESSAGE_BYTES);
    mgi_mcp_client_init(&l->client, &l->events);
}

static void close_child(struct mcp_link *l, int grace_ms)
{
    if (l->web.url)
        web_end(&l->web, grace_ms);
    relay_program_end(&l->program, grace_ms, NULL);
    mgi_lines_fini(&l->lines);
    mgi_lines_init(&l->lines, MCP_MESSAGE_BYTES);
    mgi_mcp_client_fini(&l->client);
    mgi_mcp_client_init(&l->client, &l->events);
    l->open = false;
    l->stale = true;
    l->suspect = false;
}

void link_fini(struct mcp_link *l, int grace_ms)
{
    close_child(l, grace_ms);
    web_fini(&l->web);
    mgi_lines_fini(&l->lines);
    mgi_mcp_client_fini(&l->client);
}

static void note_failure(struct mcp_link *l)
{
    int64_t now = relay_now_ms();
    unsigned power = l->failures < 6 ? l->failures : 6;
    int64_t pause = (int64_t)l->pause_ms << power;
    l->not_before_ms = now + (pause > MCP_MOST_PAUSE_MS ? MCP_MOST_PAUSE_MS : pause);
    l->failures++;
    memmove(l->starts, l->starts + 1, sizeof l->starts - sizeof *l->starts);
    l->starts[MCP_MOST_STARTS - 1] = now;
}

void link_down(struct mcp_link *l, const char *why)
{
    if (why != l->why)
        snprintf(l->why, sizeof l->why, "%s", why);
    if (l->open)
        note_failure(l);
    close_child(l, 0);
}

/* ---- talking --------------------------------------------------------------------------------- */

static void died(struct mcp_link *l)
{
    bool by_itself;
    struct arena scratch;
    mgi_arena_init(&scratch, 0);
    int status = relay_program_end(&l->program, DEATH_MS, &by_itself);
    const char *how =
        by_itself ? relay_program_epitaph(&l->program, status, &scratch) : "it closed its output";
    char text[900];
    snprintf(text, sizeof text, "the server ended: %s", how);
    mgi_mcp_client_lost(&l->client, text);
    mgi_arena_fini(&scratch);
}

static bool send_some(struct mcp_link *l)
{
    struct buf *out = &l->client.out;
    if (out->len == 0)
        return false;
    ssize_t n = relay_program_write(&l->program, mgi_buf_view(out));
    if (n <= 0)
        return false; /* one that reads no more ends, or is waited for in vain */
    size_t rest = out->len - (size_t)n;
    memmove(out->ptr, out->ptr + n, rest);
    out->len = rest;
    l->sent |= (size_t)n > l->unsent_mark;
    l->unsent_mark -= (size_t)n < l->unsent_mark ? (size_t)n : l->unsent_mark;
    return true;
}

static void take_bytes(struct mcp_link *l, struct str bytes)
{
    struct str line;
    while (l->client.state != MCP_BROKEN) {
        switch (mgi_lines_next(&l->lines, &bytes, &line)) {
        case LINE_NONE:
            return;
        case LINE_TEXT:
            mgi_mcp_client_take(&l->client, line, relay_now_ms());
            break;
        case LINE_TOO_LONG:
            mgi_mcp_client_lost(&l->client, "the server wrote a message of more than 10 MiB");
            break;
        case LINE_NOMEM:
            mgi_mcp_client_lost(&l->client, "out of memory for what the server wrote");
            break;
        }
    }
}

static bool read_some(struct mcp_link *l)
{
    static char chunk[65536]; /* of the worker, which has one thread */
    ssize_t n = relay_program_read(&l->program, chunk, sizeof chunk);
    bool ended = n < 0;
    if (n == 0 && relay_program_has_ended(&l->program)) {
        n = relay_program_read(&l->program, chunk, sizeof chunk);
        ended = n <= 0;
    }
    if (n > 0)
        take_bytes(l, (struct str){ chunk, (size_t)n });
    if (ended && l->client.state != MCP_BROKEN)
        died(l);
    return n > 0;
}

static bool read_errors(struct mcp_link *l)
{
    char chunk[4096];
    int i = 0;
    while (i < 16 && relay_program_read_errors(&l->program, chunk, sizeof chunk) > 0)
        i++;
    if (i > 0)
        mgi_mcp_client_alive(&l->client, relay_now_ms());
    return i > 0;
}

/* A probe over HTTP that nobody answers says nothing of the era: the wait as a whole ends it. */
static bool pump_web(struct mcp_link *l)
{
    int64_t now = relay_now_ms();
    bool moved = web_pump(&l->web, now);
    if (l->client.state != MCP_PROBING)
        mgi_mcp_client_tick(&l->client, now);
    return moved;
}

static bool pump(struct mcp_link *l)
{
    if (l->web.url)
        return pump_web(l);
    bool moved = send_some(l);
    moved |= read_errors(l);
    moved |= read_some(l);
    mgi_mcp_client_tick(&l->client, relay_now_ms());
    return moved;
}

static void pause_a_little(struct mcp_link *l)
{
    if (l->web.url)
        web_wait(&l->web, SLICE_MS);
    else
        relay_program_wait(&l->program, l->client.out.len > 0, SLICE_MS);
}

/* Until the client is in none of the states `a` and `b`. False: enough. */
static bool talk(struct mcp_link *l, const struct link_wait *wait, enum mcp_client_state a,
                 enum mcp_client_state b)
{
    while (l->client.state == a || l->client.state == b) {
        if (!wait->go_on(wait->context))
            return false;
        if (!pump(l))
            pause_a_little(l);
    }
    return true;
}

bool link_converse(struct mcp_link *l, const struct link_wait *wait)
{
    return talk(l, wait, MCP_BUSY, MCP_BUSY);
}

void link_flush(struct mcp_link *l, const struct link_wait *wait)
{
    while (l->client.state != MCP_BROKEN && wait->go_on(wait->context))
        if (!pump(l))
            pause_a_little(l);
}

void link_is_fresh(struct mcp_link *l)
{
    int64_t ttl = l->client.ttl_ms;
    l->stale = l->suspect = false;
    l->fresh_until_ms = 0;
    if (ttl >= 0 && ttl < INT32_MAX)
        l->fresh_until_ms = relay_now_ms() + (ttl > MCP_LEAST_FRESH_MS ? ttl : MCP_LEAST_FRESH_MS);
}

bool link_is_stale(const struct mcp_link *l)
{
    return l->stale || (l->fresh_until_ms && relay_now_ms() >= l->fresh_until_ms);
}

bool link_has_sent(const struct mcp_link *l)
{
    return l->web.url ? l->web.reached : l->sent;
}

/* ---- starting -------------------------------------------------------------------------------- */

static const char *start_child(struct mcp_link *l)
{
    struct arena scratch;
    if (l->web.url) {
        l->web.was_private = false;
        l->web.client = &l->client;
        l->open = true;
        return NULL;
    }
    mgi_arena_init(&scratch, 0);
    const char *why = relay_program_start(&l->program, &l->how, NULL, &scratch);
    if (!why && l->keep)
        why = l->keep(l->program.pid);
    if (why)
        snprintf(l->why, sizeof l->why, "%s", why);
    else
        l->open = true;
    mgi_arena_fini(&scratch);
    return why ? l->why : NULL;
}

struct start_wait {
    const struct link_wait *outer;
    int64_t until_ms;
    bool late, stopped; /* stopped: whoever waited has enough, the server may come up yet */
};

static bool start_goes_on(void *context)
{
    struct start_wait *w = context;
    w->late = relay_now_ms() >= w->until_ms;
    return !w->late && w->outer->go_on(w->outer->context);
}

/* X-COMPAT-6: one that ends at the probe is started again, without it. */
static const char *handshake(struct mcp_link *l, struct start_wait *w)
{
    const struct link_wait wait = { start_goes_on, w };
    for (int attempt = 0; attempt < 2; attempt++) {
        bool probes = l->era == MCP_ERA_UNKNOWN;
        if (!l->open && start_child(l))
            return l->why;
        if (l->client.state == MCP_CLOSED)
            mgi_mcp_client_open(&l->client, l->era, relay_now_ms());
        bool probing = probes;
        while (l->client.state == MCP_PROBING || l->client.state == MCP_OPENING) {
            probing = l->client.state == MCP_PROBING;
            if (!wait.go_on(wait.context)) {
                snprintf(l->why, sizeof l->why, "%s",
                         w->late ? "the server did not answer initialize within 30 s"
                                 : "the server did not answer initialize in time");
                w->stopped = !w->late;
                return l->why;
            }
            if (!pump(l))
                pause_a_little(l);
        }
        if (l->client.state == MCP_READY) {
            l->era = l->client.era;
            return NULL;
        }
        if (!probes || !probing || l->web.url)
            break;
        close_child(l, 0);
        l->era = MCP_ERA_LEGACY;
    }
    snprintf(l->why, sizeof l->why, "%s", l->client.why);
    return l->why;
}

/* Waits for the pause after a failure. NULL, or why nothing is started. */
static const char *may_start(struct mcp_link *l, const struct link_wait *wait, bool *refused)
{
    int64_t now = relay_now_ms();
    *refused = true;
    if (l->starts[0] && now - l->starts[0] < MCP_STARTS_MS) {
        return "the server failed 5 times in 10 minutes, and is not started again before they are "
               "over";
    }
    while (relay_now_ms() < l->not_before_ms) {
        if (!wait->go_on(wait->context)) {
            return "the server failed a moment ago, and is not started again at once";
        }
        relay_program_wait(&l->program, false, SLICE_MS);
    }
    *refused = false;
    return NULL;
}

/* What it said unasked. */
static void drain(struct mcp_link *l, const struct link_wait *wait)
{
    int64_t until_ms = relay_now_ms() + DRAIN_MS;
    while (l->open && l->client.state != MCP_BROKEN && pump(l))
        if (relay_now_ms() >= until_ms || !wait->go_on(wait->context))
            break;
}

const char *link_open(struct mcp_link *l, const struct link_wait *wait, bool *refused)
{
    struct start_wait w = { .outer = wait };
    *refused = false;
    drain(l, wait);
    if (l->open && l->client.state == MCP_BROKEN)
        link_down(l, l->client.why);
    if (!l->open || l->client.state == MCP_PROBING || l->client.state == MCP_OPENING) {
        const char *why = l->open ? NULL : may_start(l, wait, refused);
        if (why)
            return why;
        if (!l->open)
            l->start_until_ms = l->patient ? INT64_MAX : relay_now_ms() + MCP_START_MS;
        w.until_ms = l->start_until_ms;
        why = handshake(l, &w);
        if (w.stopped)
            return why; /* the next call goes on with it */
        if (why) {
            if (!l->open)
                note_failure(l);
            link_down(l, why);
            return l->why;
        }
    }
    if (!l->web.url)
        relay_program_allow_cpu(&l->program);
    l->unsent_mark = l->client.out.len;
    l->sent = false;
    return NULL;
}
