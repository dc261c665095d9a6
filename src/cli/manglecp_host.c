/* Bringing a domain folder to life, and putting it away again. */
#include "cli/manglecp_host.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/time.h"
#include "service/service.h"
#include "base/utf8.h"
#include "sys/clock.h"
#include "sys/random.h"
#include "sys/log_stderr.h"

#define STORE_BYTES ((size_t)64 * 1024 * 1024)

const char *mgi_host_programs(struct arena *arena)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0)
        return NULL;
    path[n] = '\0';
    char *slash = strrchr(path, '/');
    if (slash)
        slash[1] = '\0';
    return mgi_arena_strdup(arena, path);
}

/* `--set key=path` of the command line is relative to where the command runs; the loader knows only
 * the domain's folder, so paths that exist here are made absolute. */
static const char *absolute_setting(const char *set, struct arena *arena)
{
    char resolved[PATH_MAX];
    const char *equals = strchr(set, '=');
    if (!equals || equals[1] == '/' || equals[1] == '\0' || !realpath(equals + 1, resolved))
        return set;
    return mgi_arena_printf(arena, "%.*s=%s", (int)(equals - set), set, resolved);
}

void mgi_host_print_findings(struct findings *f)
{
    struct buf text = { 0 };
    mgi_findings_print(&text, f);
    fputs(text.ptr ? text.ptr : "", stderr);
    mgi_buf_fini(&text);
}

struct snapshot *mgi_host_check_with(const struct host_options *o,
                                     const struct action_source *actions, struct arena *arena,
                                     struct findings *findings)
{
    const char **set = mgi_arena_calloc(arena, o->set.count + 1, sizeof *set);
    const char *programs = mgi_host_programs(arena);
    const struct config_list configured = { o->plugin_paths.items, o->plugin_paths.count };
    size_t path_count;
    const char **paths = mgi_service_plugin_paths(arena, &configured, programs, &path_count);
    if (!set || !paths) {
        mgi_findings_lack_memory(findings, o->domain);
        return NULL;
    }
    for (size_t i = 0; i < o->set.count; i++)
        set[i] = absolute_setting(o->set.items[i], arena);
    struct domain_options options = { .set = set,
                                      .set_count = o->set.count,
                                      .plugin_paths = paths,
                                      .plugin_path_count = path_count,
                                      .actions = actions,
                                      .notes = o->notes };
    return mgi_domain_load(o->domain, &options, findings);
}

struct snapshot *mgi_host_check(const struct host_options *o, struct arena *arena,
                                struct findings *findings)
{
    struct action_source actions =
        mgi_toolpool_actions(mgi_service_toolhost(arena, o->toolhost, mgi_host_programs(arena)));
    if (o->ask)
        actions.ask = o->ask;
    return mgi_host_check_with(o, &actions, arena, findings);
}

int mgi_host_status(const struct findings *findings, bool good)
{
    if (!findings)
        mgi_cli_error("out of memory");
    if (!findings || (!good && mgi_findings_nomem(findings)))
        return EXIT_USAGE;
    return good ? EXIT_ANSWERED : EXIT_WRONG;
}

struct snapshot *mgi_host_load(const struct host_options *o, struct arena *arena, int *status)
{
    struct findings *findings = mgi_findings_new();
    struct snapshot *s = findings ? mgi_host_check(o, arena, findings) : NULL;
    *status = mgi_host_status(findings, s != NULL);
    if (findings && (!s || mgi_findings_errors(findings) > 0))
        mgi_host_print_findings(findings);
    if (*status == EXIT_WRONG)
        mgi_cli_error("%s does not load", o->domain);
    mgi_findings_free(findings);
    return s;
}

/* Out-of-band approval: the person at this terminal was asked (manglecp_client.c). */
static bool is_approved(void *context, struct str challenge, struct buf *by)
{
    const struct host *h = context;
    mgi_buf_str(by, mgi_principal_local.identity);
    return h->approved.len > 0 && str_eq(h->approved, challenge);
}

static bool read_auth(struct host *h)
{
    struct buf text = { 0 };
    const char *why = NULL;
    if (h->options.auth_file &&
        !mgi_cli_read_file(h->options.auth_file, 1024 * 1024, &text, &why)) {
        mgi_cli_error("%s: %s", h->options.auth_file, why);
        mgi_buf_fini(&text);
        return false;
    }
    const char *env = getenv("MANGLECP_TOKEN");
    h->auth = mgi_auth_new(env && env[0] ? env : NULL, mgi_buf_view(&text), &h->arena, &why);
    mgi_buf_fini(&text);
    if (!h->auth)
        mgi_cli_error("%s: %s", h->options.auth_file ? h->options.auth_file : "MANGLECP_TOKEN",
                      why);
    return h->auth != NULL;
}

static bool set_log(struct host *h)
{
    h->log = (struct logger){ LOG_WARN, mgi_log_to_stderr, NULL };
    if (h->options.log_level && !mgi_log_level_parse(h->options.log_level, &h->log.level)) {
        mgi_cli_error("--log must be error, warn, info or debug, not \"%s\"", h->options.log_level);
        return false;
    }
    return true;
}

/* One line per answered request. What comes from outside is shown, not printed. */
static void log_access(void *context, const struct access_record *a)
{
    const struct host *h = context;
    struct buf id = { 0 }, subject = { 0 };
    if (h->log.level < LOG_INFO)
        return;
    mgi_utf8_show(&id, mgi_utf8_prefix(a->id, 64));
    mgi_utf8_show(&subject, mgi_utf8_prefix(a->subject, 64));
    mgi_log(&h->log, LOG_INFO, "%s %s %.*s id=%.*s %s %lld us", a->transport,
            a->type[0] ? a->type : "-", STR_ARG(mgi_buf_view(&subject)), STR_ARG(mgi_buf_view(&id)),
            a->code ? mgi_wire_code(a->code)->name : "ok", (long long)(a->total_ns / NS_PER_US));
    mgi_buf_fini(&id);
    mgi_buf_fini(&subject);
}

static bool start_server(struct host *h)
{
    const struct domain_settings *settings = &h->snapshot->settings;
    struct toolpool_options pool = { .toolhost =
                                         mgi_service_toolhost(&h->arena, h->options.toolhost,
                                                              mgi_host_programs(&h->arena)),
                                     .hosts = settings->hosts,
                                     .timeout_ms = settings->action_timeout_ms,
                                     .enforce_leases = true,
                                     .log = &h->log };
    signal(SIGPIPE, SIG_IGN); /* a tool host may end while it is written to */
    h->pool = mgi_toolpool_new(&h->loop, &pool);
    h->pool_open = h->pool != NULL;
    if (!h->pool || !mgi_store_memory(STORE_BYTES, &h->store) ||
        !mgi_random(h->server_key, sizeof h->server_key))
        return false;
    uint8_t key[32];
    h->signing = mgi_random(key, sizeof key) ? mgi_signing_keys_new(key, sizeof key) : NULL;
    if (!h->signing)
        return false;
    h->keys = (struct confirmation_keys){ .server_key = { (const char *)h->server_key,
                                                          sizeof h->server_key },
                                          .approved = is_approved,
                                          .context = h,
                                          .started_ns = mgi_clock_real_ns() };
    struct server_options options = {
        .loop = &h->loop,
        .snapshot = h->snapshot,
        .pool = h->pool,
        .store = &h->store,
        .auth = h->auth,
        .keys = &h->keys,
        .signing = h->signing,
        .log = &h->log,
        .access = log_access,
        .access_context = h,
        .tells_author = true,
        .fixed_clock = h->options.fixed_clock,
        .clock_ns = h->options.clock_ns,
        .intent_eval = h->options.intent_eval,
        .macro_invoke = h->options.macro_invoke,
        .websocket = h->options.websocket,
        .costs = h->options.costs,
        .costs_context = h->options.costs_context,
    };
    h->server = mgi_server_new(&options);
    h->server_open = h->server != NULL;
    return h->server_open;
}

static void warn_of_fixed_clock(const struct host *h)
{
    struct buf text = { 0 };
    if (!h->options.fixed_clock || h->options.quiet_clock)
        return;
    mgi_time_print(&text, h->options.clock_ns);
    mgi_log(&h->log, LOG_WARN, "the clock is fixed at %s: windows and expiry follow it, not time",
            text.ptr ? text.ptr : "?");
    mgi_buf_fini(&text);
}

int mgi_host_start(struct host *h, const struct host_options *options)
{
    *h = (struct host){ .options = *options };
    mgi_arena_init(&h->arena, 0);
    if (uv_loop_init(&h->loop) != 0) {
        mgi_cli_error("could not make an event loop");
        return EXIT_USAGE;
    }
    if (!set_log(h) || !read_auth(h)) {
        mgi_host_stop(h);
        return EXIT_USAGE;
    }
    warn_of_fixed_clock(h);
    int status;
    h->snapshot = mgi_host_load(&h->options, &h->arena, &status);
    if (!h->snapshot) {
        mgi_host_stop(h);
        return status;
    }
    if (!start_server(h)) {
        mgi_cli_error("could not start: out of memory");
        mgi_host_stop(h);
        return EXIT_USAGE;
    }
    return EXIT_ANSWERED;
}

/* The loop is stopped as well: a timer's callback comes before the wait for events, and where hosts
 * of plugins are still open that wait has no end. */
void mgi_host_done(void *context)
{
    struct awaited *awaited = context;
    awaited->done = true;
    uv_stop(awaited->loop);
}

void mgi_host_await(const struct awaited *awaited)
{
    while (!awaited->done && uv_run(awaited->loop, UV_RUN_DEFAULT))
        ;
}

void mgi_host_stop(struct host *h)
{
    if (h->server_open) {
        struct awaited drained = { &h->loop, false };
        mgi_server_drain(h->server, -1, mgi_host_done, &drained);
        mgi_host_await(&drained);
        mgi_server_free(h->server);
        h->server_open = false;
    }
    if (h->pool_open) {
        struct awaited closed = { &h->loop, false };
        mgi_toolpool_close(h->pool, mgi_host_done, &closed);
        mgi_host_await(&closed);
        h->pool_open = false;
    }
    uv_run(&h->loop, UV_RUN_DEFAULT); /* closing handles */
    (void)uv_loop_close(&h->loop);
    mgi_store_close(&h->store);
    mgi_auth_unref(h->auth);
    mgi_signing_keys_free(h->signing);
    mgi_snapshot_unref(h->snapshot);
    mgi_arena_fini(&h->arena);
}
