/* See manglecp_servers.h. While the domain is loaded, each server is asked by a thread of its own
 * (action_source.begin), and waited for when its actions would be listed. */
#include "cli/manglecp_servers.h"

#include <pthread.h>
#include <stdio.h>

#include "actions/kinds.h"
#include "actions/toolpool.h"
#include "base/alloc.h"
#include "base/time.h"
#include "base/utf8.h"
#include "cli/cli_stop.h"
#include "service/service.h"
#include "sys/clock.h"

enum { SERVER_MS = 60000, AT_ONCE = 4 };

struct crowd {
    const char *toolhost;
    struct arena *arena; /* of the caller */
    struct asked_servers *out;
    int64_t timeout_ms;
    pthread_mutex_t lock;
    pthread_cond_t free;
    int busy;
};

/* A server that is asked: of its thread until that is joined. */
struct asking {
    struct crowd *crowd;
    const struct action_provider *provider;
    pthread_t thread;
    struct arena arena; /* the answer's */
    struct json offer;
    const char *why;
    int64_t took_ns;
    bool good;
};

const char *mgi_server_shown(struct arena *arena, struct str text)
{
    struct buf out = { 0 };
    mgi_utf8_show(&out, mgi_utf8_prefix(text, 1000));
    struct str kept = mgi_arena_str(arena, mgi_buf_view(&out));
    mgi_buf_fini(&out);
    return kept.ptr ? kept.ptr : "";
}

static void free_asking(void *thing)
{
    struct asking *a = thing;
    mgi_arena_fini(&a->arena);
    mgi_free(a);
}

/* ---- the thread -------------------------------------------------------------------------------
 */

static void wait_for_turn(struct crowd *c, const struct asking *a)
{
    struct arena scratch;
    mgi_arena_init(&scratch, 0);
    pthread_mutex_lock(&c->lock);
    while (c->busy >= AT_ONCE)
        pthread_cond_wait(&c->free, &c->lock);
    c->busy++;
    fprintf(stderr, "asking the MCP server %s …\n", mgi_server_shown(&scratch, a->provider->name));
    pthread_mutex_unlock(&c->lock);
    mgi_arena_fini(&scratch);
}

static void *ask_server(void *thing)
{
    struct asking *a = thing;
    struct crowd *c = a->crowd;
    const struct action action = { .aid = STR_LIT(MCP_DISCOVER_AID), .provider = a->provider };
    const struct str nothing = STR_LIT("{}");
    const struct action_question question = { .action = &action,
                                              .inputs = &nothing,
                                              .count = 1,
                                              .timeout_ms = c->timeout_ms,
                                              .is_over = mgi_cli_is_stopped };
    wait_for_turn(c, a);
    int64_t begin_ns = mgi_clock_mono_ns();
    a->good = mgi_toolhost_ask(c->toolhost, &question, &a->arena, &a->offer, &a->why);
    a->took_ns = mgi_clock_mono_ns() - begin_ns;
    pthread_mutex_lock(&c->lock);
    c->busy--;
    pthread_cond_signal(&c->free);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* ---- while the domain is loaded ---------------------------------------------------------------
 */

static void *begin(void *context, const struct action_provider *provider)
{
    struct asking *a = mgi_calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->crowd = context;
    a->provider = provider;
    a->offer = (struct json){ .type = JSON_NULL };
    mgi_arena_init(&a->arena, 0);
    if (pthread_create(&a->thread, NULL, ask_server, a) == 0)
        return a;
    free_asking(a);
    return NULL;
}

static void forget(void *begun)
{
    struct asking *a = begun;
    pthread_join(a->thread, NULL);
    free_asking(a);
}

/* The server's name without what toolhosts call its one action. */
static const char *reason(struct arena *arena, const char *why)
{
    static const char before[] = MCP_DISCOVER_AID ": ";
    if (why && strncmp(why, before, strlen(before)) == 0)
        why += strlen(before);
    return why ? mgi_arena_strdup(arena, why) : "out of memory";
}

static bool take(void *context, void *begun, struct arena *arena,
                 const struct action_provider *provider, struct action **actions, size_t *count,
                 const char **why)
{
    struct crowd *c = context;
    struct asking *a = begun;
    struct asked_servers *out = c->out;
    (void)arena, (void)actions, (void)count;
    *why = "out of memory";
    if (!a)
        return false;
    pthread_join(a->thread, NULL);
    bool good = a->good, memory = mgi_arena_defer(c->arena, free_asking, a) &&
                                  mgi_arena_grow(c->arena, &out->items, &out->cap, out->count + 1,
                                                 sizeof *out->items);
    if (!memory)
        return false;
    out->failed |= !good;
    out->answered |= good;
    struct asked_server *one = &out->items[out->count++];
    *one = (struct asked_server){ .name = mgi_arena_str(c->arena, provider->name),
                                  .offer = a->offer,
                                  .why = good ? NULL : reason(c->arena, a->why),
                                  .took_ms = a->took_ns / NS_PER_MS };
    if (!mgi_server_hide(c->arena, provider->document, one))
        return false;
    *why = one->why;
    return good;
}

bool mgi_ask_servers(const struct host_options *host, int64_t timeout_ms, struct arena *arena,
                     struct findings *findings, struct asked_servers *out)
{
    struct crowd c = { .arena = arena, .out = out };
    c.timeout_ms = timeout_ms > 0 ? timeout_ms : SERVER_MS;
    *out = (struct asked_servers){ 0 };
    c.toolhost = mgi_service_toolhost(arena, host->toolhost, mgi_host_programs(arena));
    pthread_mutex_init(&c.lock, NULL);
    pthread_cond_init(&c.free, NULL);
    const struct action_source source = { .list = take,
                                          .begin = begin,
                                          .forget = forget,
                                          .context = &c,
                                          .program = c.toolhost,
                                          .kinds = mgi_lock_kinds };
    mgi_snapshot_unref(mgi_host_check_with(host, &source, arena, findings));
    pthread_cond_destroy(&c.free);
    pthread_mutex_destroy(&c.lock);
    return !mgi_findings_nomem(findings) && !arena->oom;
}
