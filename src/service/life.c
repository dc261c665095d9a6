/* The life of a service: load, serve, load again, drain, end.
 *
 *     BOOTING ──loaded──> SERVING ──stop──> DRAINING ──drained──> CLOSING ──all closed──> OVER
 *        └──does not load──────────────────────^
 *
 * At most one load is under way; asked for again meanwhile, another one follows. What does not load
 * changes nothing. */
#include <inttypes.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <unistd.h>

#include "base/alloc.h"
#include "service/service_int.h"
#include "sys/clock.h"

/* ---- loading ----------------------------------------------------------------------------------
 */

static void loaded(void *context, struct load *load);

/* The files of every listener that has some, in the order in which mgi_service_take_tls() wants
 * what comes of them; mgi_free() ends it. NULL: memory. */
static struct tls_server_files *plan_tls(const manglecp_service *s, size_t *count)
{
    struct tls_server_files *out = mgi_calloc(s->config.listener_count + 1, sizeof *out);
    *count = 0;
    for (const struct service_listener *l = s->listeners; out && l; l = l->next)
        if (l->config.certificate && !l->config.self_signed)
            out[(*count)++] =
                (struct tls_server_files){ l->config.certificate, l->config.key,
                                           l->config.client_ca, l->config.client_optional };
    return out;
}

/* Nobody said that there is one in the usual place. */
static const char *snapshot_file(const manglecp_service *s)
{
    bool there = s->snapshot_file && (s->config.snapshot || access(s->snapshot_file, F_OK) == 0);
    return there ? s->snapshot_file : NULL;
}

/* Begin a load. False: it could not be begun. */
static bool begin_load(manglecp_service *s)
{
    size_t tls_count;
    struct tls_server_files *tls = plan_tls(s, &tls_count);
    if (!tls)
        return false;
    struct load_plan plan = {
        .domain = s->config.domain,
        .set = s->config.set.items,
        .set_count = s->config.set.count,
        .plugin_paths = s->plugin_paths,
        .plugin_path_count = s->plugin_path_count,
        .toolhost = s->toolhost,
        .farewells = s->farewells,
        .auth_file = s->config.auth_file,
        .issuer_keys = s->config.oauth.keys,
        .token = s->token,
        .store_sqlite = s->config.store_sqlite,
        .open_store = !mgi_store_is_open(&s->store),
        .tls = tls,
        .tls_count = tls_count,
        .watch = s->config.watch,
        .snapshot_file = snapshot_file(s),
    };
    s->load = mgi_load_begin(&s->loop, &plan, loaded, s);
    mgi_free(tls); /* it was copied */
    for (size_t i = 0; s->load && i < RELOAD_WAITERS_MAX; i++)
        s->waiters[i].asked = s->waiters[i].connection != NULL;
    return s->load != NULL;
}

static void watch_these(manglecp_service *s, const struct watch_list *list)
{
    const char *why;
    if (!s->watch)
        return;
    size_t failed = mgi_watch_set(s->watch, list, &why);
    if (failed > 0)
        mgi_log(&s->log, LOG_WARN, "%zu folders are not watched for changes: %s", failed, why);
    if (list->full)
        mgi_log(&s->log, LOG_WARN, "only the first %d folders are watched for changes",
                WATCH_FOLDERS_MAX);
}

/* What changes while the first load reads it is loaded once more. What that load finds beside the
 * domain (plugins) is watched when it is over. */
static void watch_first(manglecp_service *s)
{
    struct watch_list list = { .items = NULL };
    struct arena scratch;
    if (!s->watch)
        return;
    mgi_arena_init(&scratch, 0);
    if (mgi_watch_list_domain(&scratch, &list, s->config.domain) &&
        (!s->config.auth_file || mgi_watch_list_file(&scratch, &list, s->config.auth_file)))
        watch_these(s, &list);
    mgi_arena_fini(&scratch);
}

static void pool_closed(void *context)
{
    manglecp_service *s = context;
    s->open_pools--;
}

static void pool_retired(void *context, struct toolpool *pool)
{
    manglecp_service *s = context;
    s->open_pools++;
    mgi_toolpool_close(pool, pool_closed, s);
}

static void limit_messages(manglecp_service *s, size_t max_bytes)
{
    mgi_http_api_limit(s->api, max_bytes);
    mgi_ws_api_limit(s->sockets, max_bytes);
    if (s->session)
        mgi_stdio_limit(s->session, max_bytes);
}

/* Serve what was loaded. False: memory is short, and nothing has changed. */
static bool take_over(manglecp_service *s, struct load *load)
{
    struct toolpool_options options = { .toolhost = s->toolhost,
                                        .hosts = load->snapshot->settings.hosts,
                                        .timeout_ms = load->snapshot->settings.action_timeout_ms,
                                        .enforce_leases = true,
                                        .log = &s->log };
    struct toolpool *pool = mgi_toolpool_new(&s->loop, &options);
    if (!pool)
        return false;
    if (mgi_store_is_open(&load->store)) {
        s->store = load->store;
        load->store = (struct store){ 0 };
    }
    if (!mgi_server_serve(s->server, load->snapshot, pool, pool_retired, s)) {
        pool_retired(s, pool);
        return false;
    }
    s->pool = pool;
    mgi_server_set_auth(s->server, load->auth);
    mgi_auth_unref(s->auth);
    s->auth = load->auth;
    load->auth = NULL;
    if (load->issuer_keys)
        mgi_server_set_issuer_keys(s->server, load->issuer_keys);
    mgi_snapshot_unref(s->snapshot);
    s->snapshot = load->snapshot;
    load->snapshot = NULL;
    mgi_service_take_tls(s, load);
    limit_messages(s, mgi_server_max_message_bytes(s->server));
    s->loaded_ns = mgi_clock_real_ns();
    if (s->served)
        s->served(s->served_context, s->snapshot);
    return true;
}

static void say_ready(manglecp_service *s, const char *how)
{
    const struct snapshot *d = s->snapshot;
    mgi_log(&s->log, LOG_INFO, "%s: %.*s, %zu tools, %zu actions, rules %.12s", how,
            STR_ARG(d->settings.id), d->tool_count, d->action_count,
            d->rules_version.ptr ? d->rules_version.ptr : "");
    mgi_notify(&s->notifier, "READY=1\nSTATUS=serving %.*s", STR_ARG(d->settings.id));
}

static void end_line(struct buf *text)
{
    if (text->len > 0 && text->ptr[text->len - 1] != '\n')
        mgi_buf_puts(text, "\n");
}

/* What loading took for a while is on the lists of its thread's heap. Not after a load beside what
 * is served: it takes as long as the heaps are large, and requests would wait. */
static void give_back(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

static void boot_is_over(manglecp_service *s, struct load *load)
{
    if (load->good && take_over(s, load)) {
        s->life = LIFE_SERVING;
        mgi_log_lines(&s->log, LOG_WARN, mgi_buf_view(&load->warnings));
        mgi_log_lines(&s->log, LOG_INFO, mgi_buf_view(&load->remarks));
        say_ready(s, "ready");
        give_back();
        if (s->ends_after_boot)
            mgi_service_drain(s, s->config.drain_ms);
        return;
    }
    s->fault = load->good || load->nomem ? SERVICE_NOMEM
               : load->domain_good       ? SERVICE_WORLD_FAILED /* its store, or files it needs */
                                         : SERVICE_DOMAIN_WRONG;
    mgi_buf_clear(&s->fault_text);
    mgi_buf_str(&s->fault_text,
                load->good ? STR_LIT("error: out of memory\n") : mgi_buf_view(&load->text));
    end_line(&s->fault_text);
    mgi_buf_str(&s->fault_text, mgi_buf_view(&load->warnings));
    mgi_service_drain(s, 0);
}

/* For who asked: what was said of it, a line each, and what came of it. */
static struct str reload_text(struct load *load, bool good)
{
    struct buf *text = &load->text;
    end_line(text);
    mgi_buf_str(text, mgi_buf_view(&load->warnings));
    end_line(text);
    if (good)
        mgi_buf_puts(text, "loaded again\n");
    else if (load->good)
        mgi_buf_puts(text, "error: out of memory\n");
    return mgi_buf_view(text);
}

static void reload_is_over(manglecp_service *s, struct load *load)
{
    bool good = load->good && take_over(s, load);
    struct str text = mgi_buf_view(&load->text);
    if (good) {
        s->reloads++;
        mgi_log_lines(&s->log, LOG_WARN, mgi_buf_view(&load->warnings));
        mgi_log_lines(&s->log, LOG_INFO, mgi_buf_view(&load->remarks));
        say_ready(s, "loaded again");
    } else {
        s->reload_failures++;
        mgi_log(&s->log, LOG_ERROR, "it could not be loaded again; what was served goes on:");
        mgi_log_lines(&s->log, LOG_ERROR, load->good ? STR_LIT("out of memory") : text);
        mgi_log_lines(&s->log, LOG_WARN, mgi_buf_view(&load->warnings));
        mgi_notify(&s->notifier, "READY=1\nSTATUS=serving what was loaded before: the newest does "
                                 "not load");
    }
    mgi_service_answer_reloads(s, good, reload_text(load, good));
}

/* What changed while it was read may fit together by now. */
static bool begins_anew(manglecp_service *s, const struct load *load)
{
    if (s->life != LIFE_BOOTING || load->good || load->nomem || !s->reload_again)
        return false;
    s->reload_again = false;
    mgi_log(&s->log, LOG_INFO, "files changed while they were loaded: loading again");
    return begin_load(s);
}

static void loaded(void *context, struct load *load)
{
    manglecp_service *s = context;
    s->load = NULL;
    watch_these(s, &load->watch);
    if (begins_anew(s, load)) {
        mgi_load_free(load);
        return;
    }
    if (s->life == LIFE_BOOTING)
        boot_is_over(s, load);
    else if (s->life == LIFE_SERVING)
        reload_is_over(s, load);
    mgi_load_free(load);
    if (s->reload_again && s->life == LIFE_SERVING) {
        s->reload_again = false;
        mgi_service_reload(s);
    }
}

void mgi_service_reload(manglecp_service *s)
{
    if (s->decisions)
        mgi_decision_log_reopen(s->decisions); /* it may have been moved away to be kept */
    if (s->load) {
        s->reload_again = true;
        return;
    }
    if (s->life != LIFE_SERVING)
        return;
    mgi_notify(&s->notifier, "RELOADING=1\nMONOTONIC_USEC=%" PRId64 "\nSTATUS=loading again",
               mgi_clock_mono_ns() / 1000);
    mgi_log(&s->log, LOG_INFO, "loading again");
    if (begin_load(s))
        return;
    s->reload_failures++;
    mgi_log(&s->log, LOG_ERROR, "it could not be loaded again: out of memory or of threads");
    for (size_t i = 0; i < RELOAD_WAITERS_MAX; i++)
        s->waiters[i].asked = s->waiters[i].connection != NULL;
    mgi_service_answer_reloads(s, false, STR_LIT("error: out of memory or of threads\n"));
    mgi_notify(&s->notifier, "READY=1\nSTATUS=serving what was loaded before");
}

void mgi_service_boot(manglecp_service *s)
{
    s->life = LIFE_BOOTING;
    mgi_notify(&s->notifier, "STATUS=loading %s", s->config.domain);
    watch_first(s);
    if (begin_load(s))
        return;
    s->fault = SERVICE_NOMEM;
    mgi_buf_puts(&s->fault_text, "error: no thread can be started to load the domain\n");
    mgi_service_drain(s, 0);
}

/* ---- the end ----------------------------------------------------------------------------------
 */

static void nobody_waits(void *context)
{
    (void)context;
}

/* The transports are closed: so is the rest. The loop ends when all handles have. */
static void close_core(manglecp_service *s)
{
    s->life = LIFE_OVER;
    mgi_server_free(s->server);
    s->server = NULL;
    mgi_service_close_decisions(s); /* it wakes the loop, which still has its handle */
    mgi_service_close_journal(s);
    mgi_fetch_pool_free(s->fetches);
    s->fetches = NULL;
    if (s->pool)
        pool_retired(s, s->pool);
    s->pool = NULL;
    mgi_watch_close(s->watch);
    s->watch = NULL;
    if (s->net)
        mgi_net_close(s->net, nobody_waits, NULL);
    s->net = NULL;
    if (s->tick_open)
        uv_close((uv_handle_t *)&s->tick, NULL);
    s->tick_open = false;
    if (s->wake_open)
        uv_close((uv_handle_t *)&s->wake, NULL);
    s->wake_open = false;
}

static void part_gone(manglecp_service *s)
{
    s->open_parts--;
    if (s->life == LIFE_CLOSING && s->open_parts == 0)
        close_core(s);
}

static void close_parts(void *context)
{
    manglecp_service *s = context;
    int64_t grace_ms = s->stops_seen > 1 ? 0 : CLOSE_GRACE_MS;
    if (s->load)
        s->is_loading_still = mgi_load_abandon(s->load);
    s->load = NULL;
    s->life = LIFE_CLOSING;
    s->open_parts++; /* ours, until all are on their way */
    mgi_service_close_listeners(s, grace_ms);
    if (s->session)
        mgi_stdio_stop(s->session, grace_ms);
    part_gone(s);
}

void mgi_service_drain(manglecp_service *s, int64_t deadline_ms)
{
    if (s->life >= LIFE_CLOSING)
        return;
    if (s->life != LIFE_DRAINING) {
        s->life = LIFE_DRAINING;
        mgi_notify(&s->notifier, "STOPPING=1\nSTATUS=finishing requests that run");
        mgi_service_drain_listeners(s);
        for (size_t i = 0; i < RELOAD_WAITERS_MAX; i++)
            s->waiters[i].asked = s->waiters[i].connection != NULL;
        mgi_service_answer_reloads(s, false, STR_LIT("the server is stopping\n"));
    }
    mgi_server_drain(s->server, deadline_ms, close_parts, s);
}

/* ---- what the others tell ---------------------------------------------------------------------
 */

static void session_gone(manglecp_service *s, bool output_lost)
{
    if (output_lost) {
        s->fault = SERVICE_WORLD_FAILED;
        mgi_buf_clear(&s->fault_text);
        mgi_buf_puts(&s->fault_text, "error: cannot write the output\n");
    }
    if (!s->listeners && s->life == LIFE_BOOTING && s->load && !s->stops_seen)
        s->ends_after_boot = true; /* a domain that does not load is told, whoever still listens */
    else if (!s->listeners)
        mgi_service_drain(s, s->config.drain_ms); /* nobody can come any more (P-STDIO-5) */
    part_gone(s);
}

const struct service_events mgi_service_events = {
    .part_closed = part_gone,
    .session_over = session_gone,
    .reload = mgi_service_reload,
};
