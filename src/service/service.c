/* A service is made, run, stopped and freed. */
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "service/environment.h"
#include "service/service_int.h"
#include "service/snapshot_place.h"
#include "sys/clock.h"
#include "sys/processors.h"
#include "sys/random.h"

#define TICK_MS           1000
#define POOL_THREADS      4   /* of libuv's pool, which is its default */
#define READ_FACTOR       8   /* what was read of requests may hold so many times limits.bytes */
#define OTHER_DESCRIPTORS 256 /* files, hosts of plugins, the loop */
#define MIN_WORKERS       2
#define MAX_WORKERS       256

/* ---- where things are ---------------------------------------------------------------------------
 */

const char *mgi_service_toolhost(struct arena *arena, const char *configured, const char *programs)
{
    if (configured)
        return configured;
    const char *beside = programs ? mgi_arena_printf(arena, "%stoolhost", programs) : "toolhost";
    return !beside || access(beside, X_OK) == 0 ? beside : "toolhost";
}

/* What stands beside the folder of the programs, without ".." for people, if there is that folder.
 */
static const char *beside_programs(struct arena *arena, const char *programs, const char *what)
{
    char above[PATH_MAX];
    const char *path = mgi_arena_printf(arena, "%s..", programs);
    if (path && realpath(path, above))
        path = above;
    return path ? mgi_arena_printf(arena, "%s/%s", path, what) : NULL;
}

const char **mgi_service_plugin_paths(struct arena *arena, const struct config_list *configured,
                                      const char *programs, size_t *count)
{
    const char **paths = mgi_arena_calloc(arena, configured->count + 3, sizeof *paths);
    *count = 0;
    if (!paths)
        return NULL;
    for (size_t i = 0; i < configured->count; i++)
        paths[(*count)++] = configured->items[i];
    if (!programs)
        return paths;
    paths[(*count)++] = beside_programs(arena, programs, "plugins");
    paths[(*count)++] = beside_programs(arena, programs, "lib/manglecp/plugins");
    return arena->oom ? NULL : paths;
}

/* ---- waking -------------------------------------------------------------------------------------
 */

static void woken(uv_async_t *async)
{
    manglecp_service *s = async->data;
    unsigned stops = atomic_load(&s->stops);
    if (stops > s->stops_seen) {
        s->stops_seen = stops;
        if (stops > 1)
            mgi_log(&s->log, LOG_INFO, "stopping at once");
        mgi_service_drain(s, stops > 1 ? 0 : s->config.drain_ms);
    }
    if (atomic_exchange(&s->reload_asked, false))
        mgi_service_reload(s);
    mgi_service_judge_decisions(s);
}

static void changed(void *context)
{
    mgi_service_reload(context);
}

static void tick(uv_timer_t *timer)
{
    manglecp_service *s = timer->data;
    if (s->notifier.watchdog_us > 0)
        mgi_notify(&s->notifier, "WATCHDOG=1");
    (void)mgi_notify_flush(&s->notifier);
    /* A third process may hold the pipe of a client that died: nobody will ever end it. */
    if (s->parent > 1 && getppid() != (pid_t)s->parent && s->session) {
        mgi_log(&s->log, LOG_WARN, "the process that started this one is gone: the session ends");
        s->parent = 0;
        mgi_stdio_stop(s->session, CLOSE_GRACE_MS);
    }
}

static uint64_t tick_ms(const manglecp_service *s)
{
    int64_t half = s->notifier.watchdog_us / 2000;
    return half > 0 && half < TICK_MS ? (uint64_t)half : TICK_MS;
}

/* ---- making -------------------------------------------------------------------------------------
 */

static void *nothing(void *context)
{
    return context;
}

static void no_work(uv_work_t *work)
{
    (void)work;
}

static void work_done(uv_work_t *work, int status)
{
    (void)status;
    mgi_free(work);
}

/* libuv starts the threads of its pool at the first use, and ends the program if it cannot: see
 * that they can be started, and start them, while there is nobody to disappoint. */
static bool start_pool(uv_loop_t *loop)
{
    pthread_t trial[POOL_THREADS];
    int count = 0;
    while (count < POOL_THREADS && pthread_create(&trial[count], NULL, nothing, NULL) == 0)
        count++;
    for (int i = 0; i < count; i++)
        pthread_join(trial[i], NULL);
    uv_work_t *work = count == POOL_THREADS ? mgi_calloc(1, sizeof *work) : NULL;
    if (work && uv_queue_work(loop, work, no_work, work_done) == 0)
        return true;
    mgi_free(work);
    return false;
}

static enum service_fault no_memory(struct buf *text)
{
    mgi_buf_puts(text, "error: could not start: out of memory, or of threads\n");
    return SERVICE_NOMEM;
}

static const char *const *copy_environment(struct arena *arena, const char *const *from)
{
    size_t count = 0;
    while (from && from[count])
        count++;
    const char **copy = mgi_arena_calloc(arena, count + 1, sizeof *copy);
    for (size_t i = 0; copy && i < count; i++)
        copy[i] = mgi_arena_strdup(arena, from[i]);
    return arena->oom ? NULL : copy;
}

/* Of what `manglecp build` made: the file that is named, or the place where it is usual. */
static const char *find_snapshot(manglecp_service *s)
{
    struct buf path = { 0 };
    const char *found = s->config.snapshot;
    if (s->config.without_snapshot)
        return NULL;
    if (!found && mgi_snapshot_place(s->environment, s->config.domain, &path))
        found = mgi_arena_strdup(&s->arena, path.ptr);
    mgi_buf_fini(&path);
    return found;
}

static enum service_fault read_options(manglecp_service *s, const struct service_options *o,
                                       struct buf *text)
{
    struct findings *findings = mgi_findings_new();
    if (!findings)
        return no_memory(text);
    bool ok = mgi_config_read(&o->config, &s->arena, findings, &s->config);
    if (!ok)
        mgi_findings_print(text, findings);
    mgi_findings_free(findings);
    if (!ok)
        return SERVICE_CONFIG_WRONG;
    s->environment = copy_environment(&s->arena, o->config.environment);
    s->token = o->token && o->token[0] ? mgi_arena_strdup(&s->arena, o->token) : NULL;
    s->programs = o->programs ? mgi_arena_strdup(&s->arena, o->programs) : NULL;
    s->toolhost = mgi_service_toolhost(&s->arena, s->config.toolhost, s->programs);
    s->plugin_paths =
        mgi_service_plugin_paths(&s->arena, &s->config.plugins, s->programs, &s->plugin_path_count);
    s->snapshot_file = find_snapshot(s);
    return s->arena.oom ? no_memory(text) : SERVICE_FINE;
}

static void open_log(manglecp_service *s, const struct service_options *o)
{
    s->sink.fd = STDERR_FILENO;
    s->sink.take = o->log;
    s->sink.take_context = o->log_context;
    s->sink.format = (enum log_format)s->config.log_format;
    s->sink.access = (enum access_log)s->config.log_access;
    s->sink.level = (enum log_level)s->config.log_level;
    s->sink.real_ns = mgi_clock_real_ns;
    s->log = (struct logger){ s->sink.level, mgi_log_sink_write, &s->sink };
    if (s->config.fixed_clock) {
        struct buf time = { 0 };
        mgi_time_print(&time, s->config.clock_ns);
        mgi_log(&s->log, LOG_WARN,
                "the clock is fixed at %s: windows and expiry follow it, not time",
                time.ptr ? time.ptr : "?");
        mgi_buf_fini(&time);
    }
}

static enum service_fault meet_manager(manglecp_service *s, struct buf *text)
{
    struct buf why = { 0 };
    enum service_fault fault = SERVICE_FINE;
    if (!mgi_notify_open(&s->notifier, s->environment, getpid(), &why))
        mgi_log(&s->log, LOG_WARN, "%.*s", STR_ARG(mgi_buf_view(&why)));
    mgi_buf_clear(&why);
    if (!mgi_activation_read(&s->activation, s->environment, getpid(), ACTIVATION_FIRST_FD, &why)) {
        mgi_buf_printf(text, "error: %.*s\n", STR_ARG(mgi_buf_view(&why)));
        fault = SERVICE_WORLD_FAILED;
    }
    mgi_buf_fini(&why);
    return fault;
}

/* Who reads such a key can give a person's consent, or speak for the server. */
static void warn_of_readable(manglecp_service *s, const char *file, const char *word)
{
    if (file && mgi_load_is_open_secret(file, word))
        mgi_log(&s->log, LOG_WARN,
                "%s holds keys and can be read by others: make it its owner's alone (chmod 600)",
                file);
}

/* What the manifest says before anything is loaded. If even that is wrong, all that is wrong with
 * the domain is said at once. */
static enum service_fault read_settings(manglecp_service *s, struct buf *text)
{
    struct findings *findings = mgi_findings_new();
    struct domain_options options = { .set = s->config.set.items,
                                      .set_count = s->config.set.count };
    s->snapshot = findings ? mgi_domain_settings(s->config.domain, &options, findings) : NULL;
    mgi_findings_free(findings);
    s->auth = mgi_load_auth(s->token, s->config.auth_file, text);
    s->signing = mgi_load_signing(s->config.signing_keys, text);
    if (!s->auth || !s->signing)
        return SERVICE_CONFIG_WRONG;
    warn_of_readable(s, s->config.auth_file, "confirm_key=");
    warn_of_readable(s, s->config.signing_keys, "");
    if (s->snapshot)
        return SERVICE_FINE;
    struct load_plan plan = { .domain = s->config.domain,
                              .set = s->config.set.items,
                              .set_count = s->config.set.count,
                              .plugin_paths = s->plugin_paths,
                              .plugin_path_count = s->plugin_path_count,
                              .toolhost = s->toolhost };
    struct load *load = mgi_load_now(&plan);
    if (load)
        mgi_buf_str(text, mgi_buf_view(&load->text));
    if (load)
        mgi_buf_str(text, mgi_buf_view(&load->warnings));
    bool wrong = load && !load->domain_good && !load->nomem;
    if (!load || load->good)
        mgi_buf_puts(text, "error: out of memory\n");
    mgi_load_free(load);
    return wrong ? SERVICE_DOMAIN_WRONG : SERVICE_NOMEM;
}

static void count_and_log(void *context, const struct access_record *record)
{
    manglecp_service *s = context;
    mgi_request_counts_add(&s->counts, record);
    mgi_log_sink_access(&s->sink, record);
}

static void consent_asked(void *context, const struct principal *who, struct str challenge,
                          struct str shown, int64_t now_ns, int64_t until_ns)
{
    manglecp_service *s = context;
    mgi_approvals_ask(s->approvals, who, challenge, shown, now_ns, until_ns);
}

static bool is_approved(void *context, struct str challenge, struct buf *by)
{
    manglecp_service *s = context;
    return mgi_approvals_given(s->approvals, challenge, by);
}

/* With one, whatever nobody has seen before would hold it until it is known to be slow. */
static uint32_t quick_workers(const struct service_config *c)
{
    uint32_t processors = c->quick_workers > 0 ? (uint32_t)c->quick_workers : mgi_processors();
    uint32_t least = c->quick_workers > 0 ? 1 : MIN_WORKERS;
    uint32_t most = processors < MAX_WORKERS ? processors : MAX_WORKERS;
    return most > least ? most : least;
}

static bool make_server(manglecp_service *s)
{
    const struct service_config *c = &s->config;
    s->approvals = mgi_approvals_new();
    if (!s->approvals)
        return false;
    s->keys = (struct confirmation_keys){
        .server_key = { (const char *)s->server_key, sizeof s->server_key },
        .asked = consent_asked,
        .approved = is_approved,
        .context = s,
        .started_ns = mgi_clock_real_ns(),
    };
    struct server_options options = {
        .loop = &s->loop,
        .snapshot = s->snapshot,
        .booting = true,
        .store = &s->store,
        .auth = s->auth,
        .issuer = s->fetches ? &s->issuer : NULL,
        .keys = &s->keys,
        .log = &s->log,
        .access = count_and_log,
        .access_context = s,
        .decisions = s->decisions ? &s->decision_settings : NULL,
        .journal = s->journal,
        .tells_author = s->tells_author,
        .trim = s->trim,
        .slow_rule_ns = c->slow_rule_ms * NS_PER_MS,
        .deterministic_run_id = mgi_service_has_one_run_id(s),
        .workers = quick_workers(c),
        .slow_workers = (uint32_t)c->slow_workers,
        .max_waiting = (uint32_t)c->max_waiting,
        .max_open_requests = (uint32_t)c->max_open_requests,
        .max_read_bytes = READ_FACTOR * (size_t)c->budget_bytes,
        .fixed_clock = c->fixed_clock,
        .clock_ns = c->clock_ns,
        .intent_eval = HTTP_INTENT_PATH,
        .macro_invoke = HTTP_INVOKE_PATH,
        .websocket = WS_PATH,
    };
    if (s->fetches)
        options.fetcher = mgi_fetch_pool_fetcher(s->fetches);
    options.signing = s->signing;
    bool random = mgi_random(s->server_key, sizeof s->server_key) &&
                  mgi_random(&options.seed, sizeof options.seed);
    s->server = random ? mgi_server_new(&options) : NULL;
    return s->server != NULL;
}

static bool make_transports(manglecp_service *s)
{
    const struct service_config *c = &s->config;
    struct net_limits limits = { .budget_bytes = (size_t)c->budget_bytes,
                                 .idle_ms = c->idle_ms,
                                 .head_ms = c->head_ms,
                                 .body_ms = c->body_ms,
                                 .write_ms = c->write_ms,
                                 .ping_ms = c->ping_ms };
    struct http_api_options api = { .server = s->server,
                                    .issuer = s->fetches ? &s->issuer : NULL,
                                    .open_demo = c->open_demo,
                                    .max_message_bytes = mgi_server_max_message_bytes(s->server) };
    s->net = mgi_net_new(&s->loop, &limits);
    s->api = mgi_http_api_new(&api);
    if (!s->net || !s->api)
        return false;
    struct ws_options sockets = { .server = s->server,
                                  .auth_required = !c->open_demo,
                                  .max_message_bytes = api.max_message_bytes,
                                  .log = &s->log };
    s->sockets = mgi_ws_api_new(&sockets);
    return s->sockets != NULL;
}

static bool make_handles(manglecp_service *s)
{
    if (uv_loop_init(&s->loop) != 0)
        return false;
    s->loop_open = true;
    s->wake_open = uv_async_init(&s->loop, &s->wake, woken) == 0;
    s->wake.data = s;
    s->tick_open = uv_timer_init(&s->loop, &s->tick) == 0;
    s->tick.data = s;
    if (s->config.watch)
        s->watch = mgi_watch_new(&s->loop, changed, s);
    return s->wake_open && s->tick_open && (!s->config.watch || s->watch) && start_pool(&s->loop);
}

/* Connections need descriptors. Fewer are served, too: the listeners, which look at the limit when
 * they open, keep a reserve and make idle connections give way. Hosts inherit the limit, and set
 * their actions one of their own. */
static void raise_descriptors(const struct service_config *c)
{
    struct rlimit files;
    rlim_t wanted = OTHER_DESCRIPTORS;
    for (size_t i = 0; i < c->listener_count; i++)
        wanted += (rlim_t)c->listeners[i].max_connections;
    if (c->listener_count == 0 || getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= wanted)
        return;
    files.rlim_cur = files.rlim_max < wanted ? files.rlim_max : wanted;
    (void)setrlimit(RLIMIT_NOFILE, &files);
}

static enum service_fault open_stdio(manglecp_service *s, const char *why_not, struct buf *text)
{
    if (!why_not)
        return mgi_service_open_stdio(s, text);
    mgi_buf_printf(text, "error: %s\n", why_not);
    return SERVICE_WORLD_FAILED;
}

static enum service_fault make_all(manglecp_service *s, const struct service_options *o,
                                   struct buf *text)
{
    enum service_fault fault = read_options(s, o, text);
    if (fault)
        return fault;
    open_log(s, o);
    s->served = o->served;
    s->served_context = o->served_context;
    s->tells_author = o->tells_author;
    s->trim = o->trim;
    if (o->raise_descriptors)
        raise_descriptors(&s->config);
    fault = meet_manager(s, text);
    if (!fault)
        fault = read_settings(s, text);
    if (fault)
        return fault;
    if (!make_handles(s))
        return no_memory(text);
    fault = mgi_service_open_decisions(s, text);
    if (!fault)
        fault = mgi_service_open_journal(s, text);
    if (fault)
        return fault;
    fault = mgi_service_make_issuer(s, text);
    if (fault == SERVICE_NOMEM || (!fault && (!make_server(s) || !make_transports(s))))
        return no_memory(text);
    if (fault)
        return fault;
    if (s->config.stdio)
        fault = open_stdio(s, o->no_stdio, text); /* the manifest goes out before anything slow */
    if (s->config.stdio && !fault)
        mgi_service_open_approver(s);
    if (!fault)
        fault = mgi_service_open_all(s, text);
    return fault;
}

enum service_fault mgi_service_new(const struct service_options *options, manglecp_service **out,
                                   struct buf *text)
{
    *out = NULL;
    manglecp_service *s = mgi_calloc(1, sizeof *s);
    if (!s)
        return no_memory(text);
    mgi_arena_init(&s->arena, 0);
    s->events = &mgi_service_events;
    s->notifier.fd = -1;
    s->started_ns = mgi_clock_real_ns();
    s->farewells = mgi_farewells_new();
    enum service_fault fault = s->farewells ? make_all(s, options, text) : no_memory(text);
    if (fault)
        manglecp_service_free(s);
    else
        *out = s;
    return fault;
}

/* ---- running ------------------------------------------------------------------------------------
 */

enum service_fault mgi_service_run(manglecp_service *s, struct buf *text)
{
    sigset_t pipe_signal, before;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE); /* a client or a host may end while it is written to */
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    s->parent = s->session ? getppid() : 0;
    if (s->notifier.fd >= 0 || s->parent > 1)
        (void)uv_timer_start(&s->tick, tick, tick_ms(s), tick_ms(s));
    if (s->life == LIFE_NEW)
        mgi_service_boot(s);
    while (s->life != LIFE_OVER || uv_loop_alive(&s->loop))
        uv_run(&s->loop, UV_RUN_DEFAULT);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    mgi_buf_str(text, mgi_buf_view(&s->fault_text));
    return s->fault;
}

bool mgi_service_is_loading(const manglecp_service *s)
{
    return s->is_loading_still;
}

/* Whatever is open is closed, from any state that making may have left behind. */
static void close_rest(manglecp_service *s)
{
    if (!s->loop_open)
        return;
    if (s->server && s->life < LIFE_CLOSING)
        mgi_service_drain(s, 0);
    else if (!s->server) {
        mgi_watch_close(s->watch);
        s->watch = NULL;
        if (s->tick_open)
            uv_close((uv_handle_t *)&s->tick, NULL);
        if (s->wake_open)
            uv_close((uv_handle_t *)&s->wake, NULL);
        mgi_fetch_pool_free(s->fetches);
        s->fetches = NULL;
        s->tick_open = s->wake_open = false;
    }
    while (uv_loop_alive(&s->loop))
        uv_run(&s->loop, UV_RUN_DEFAULT);
    (void)uv_loop_close(&s->loop);
}

void manglecp_service_free(manglecp_service *s)
{
    if (!s)
        return;
    if (!s->server) { /* else the end of the loop closes them */
        mgi_service_close_decisions(s);
        mgi_service_close_journal(s);
    }
    close_rest(s);
    mgi_http_api_free(s->api);
    mgi_ws_api_free(s->sockets);
    mgi_service_free_listeners(s);
    mgi_notify_close(&s->notifier);
    mgi_store_close(&s->store);
    mgi_auth_unref(s->auth);
    mgi_signing_keys_free(s->signing);
    mgi_approvals_free(s->approvals);
    mgi_snapshot_unref(s->snapshot);
    mgi_farewells_free(s->farewells);
    mgi_buf_fini(&s->fault_text);
    mgi_arena_fini(&s->arena);
    mgi_free(s);
}

void manglecp_service_reload(manglecp_service *s)
{
    atomic_store(&s->reload_asked, true);
    (void)uv_async_send(&s->wake);
}

void manglecp_service_stop(manglecp_service *s)
{
    atomic_fetch_add(&s->stops, 1);
    (void)uv_async_send(&s->wake);
}
