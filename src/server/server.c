/* The server as a whole: what it owns, its clock, its manifest, and how it ends. One connection is
 * peer.c, one request is request.c. */
#include "server/server.h"

#include "base/alloc.h"
#include "base/time.h"
#include "server/server_int.h"

#define DEFAULT_WORKERS       2
#define DEFAULT_OPEN_REQUESTS 64

static void free_workers(struct server *s)
{
    for (uint32_t i = 0; i < s->idle_count; i++)
        mgi_intent_worker_free(s->workers[i]);
    mgi_free(s->workers);
}

static bool make_workers(struct server *s)
{
    s->workers = mgi_calloc(s->worker_count, sizeof *s->workers);
    if (!s->workers)
        return false;
    while (s->idle_count < s->worker_count) {
        struct intent_worker *w = mgi_intent_worker_new();
        if (!w)
            return false;
        s->workers[s->idle_count++] = w;
    }
    return true;
}

struct server *mgi_server_new(const struct server_options *options)
{
    struct server *s = mgi_calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->options = *options;
    if (s->options.max_open_requests == 0)
        s->options.max_open_requests = DEFAULT_OPEN_REQUESTS;
    if (options->log)
        s->log = *options->log;
    s->worker_count = options->workers ? options->workers : DEFAULT_WORKERS;
    s->status = SERVER_READY;
    if (!make_workers(s) || uv_timer_init(options->loop, &s->drain_timer) != 0) {
        free_workers(s);
        mgi_free(s);
        return NULL;
    }
    s->drain_timer.data = s;
    s->snapshot = mgi_snapshot_ref(options->snapshot);
    return s;
}

static void report_drained(uv_timer_t *timer)
{
    struct server *s = timer->data;
    void (*drained)(void *) = s->drained;
    s->drained = NULL;
    if (drained)
        drained(s->drained_context);
}

void mgi_server_request_done(struct server *s)
{
    s->open_requests--;
    if (s->status == SERVER_DRAINING && s->open_requests == 0 && s->drained)
        uv_timer_start(&s->drain_timer, report_drained, 0, 0);
}

void mgi_server_drain(struct server *s, void (*drained)(void *context), void *context)
{
    s->status = SERVER_DRAINING;
    s->drained = drained;
    s->drained_context = context;
    if (s->open_requests == 0)
        uv_timer_start(&s->drain_timer, report_drained, 0, 0);
}

static void free_closed(uv_handle_t *timer)
{
    struct server *s = timer->data;
    while (s->spare) {
        struct request *r = s->spare;
        s->spare = r->queue_next;
        mgi_request_free(r);
    }
    free_workers(s);
    mgi_free(s->windows);
    mgi_snapshot_unref(s->snapshot);
    mgi_free(s);
}

void mgi_server_free(struct server *s)
{
    if (s)
        uv_close((uv_handle_t *)&s->drain_timer, free_closed);
}

enum server_status mgi_server_status(const struct server *s)
{
    return s->status;
}

int64_t mgi_server_now_ns(const struct server *s)
{
    return s->options.fixed_clock ? s->options.clock_ns : mgi_clock_real_ns();
}

void mgi_server_manifest(const struct server *s, bool session, bool auth_required, struct buf *out)
{
    static const char *const schemes[] = { "bearer", NULL };
    struct manifest_view view = {
        .status = s->status,
        .intent_eval = session ? NULL : s->options.intent_eval,
        .macro_invoke = session ? NULL : s->options.macro_invoke,
        .auth_required = auth_required,
        .auth_schemes = mgi_auth_has_tokens(s->options.auth) ? schemes : NULL,
        .conformance_level = 2,
    };
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_envelope_begin(&w, MSG_MANIFEST, (struct str){ NULL, 0 });
    mgi_manifest_write(&w, s->snapshot, &view);
    mgi_envelope_end(&w);
}
