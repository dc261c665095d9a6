/* The client: one server, its manifest, one request at a time.
 *
 * Retries follow protocol.md P-ERR-13..15: only answers that ask for it (rate_limited,
 * server_not_ready), never sooner than retry_after_ms, with growing gaps, five attempts at most. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/alloc.h"
#include "client/client_int.h"

#define DEFAULT_TIMEOUT_MS 60000
#define MAX_ATTEMPTS       5
#define FIRST_GAP_MS       100

struct manglecp_client {
    struct link *link;
    struct manglecp_options options;
    struct buf manifest, request, answer, message;
    char code[64];
    uint64_t next_id; /* ids are a rising counter (P-ENV-5) */
};

static enum manglecp_status opened(struct link *link, const struct manglecp_options *options,
                                   struct buf *manifest, enum manglecp_status status,
                                   manglecp_client **out)
{
    manglecp_client *c = link ? mgi_calloc(1, sizeof *c) : NULL;
    if (!c) {
        if (link)
            link->table->close(link);
        mgi_buf_fini(manifest);
        return link ? MANGLECP_ERR_NOMEM : status;
    }
    c->link = link;
    c->options = *options;
    c->manifest = *manifest;
    c->next_id = 1;
    *out = c;
    return MANGLECP_OK;
}

static void tell(const struct buf *why, char *message, size_t cap)
{
    if (message && cap > 0)
        snprintf(message, cap, "%s", why->ptr ? why->ptr : "");
}

static struct manglecp_options defaults(const struct manglecp_options *options)
{
    struct manglecp_options o = options ? *options : (struct manglecp_options){ 0 };
    if (o.timeout_ms <= 0)
        o.timeout_ms = DEFAULT_TIMEOUT_MS;
    return o;
}

enum manglecp_status manglecp_connect(const char *url, const struct manglecp_options *options,
                                      manglecp_client **out, char *message, size_t cap)
{
    struct manglecp_options o = defaults(options);
    struct buf manifest = { 0 }, why = { 0 };
    enum manglecp_status status = MANGLECP_ERR_NOMEM;
    *out = NULL;
    struct link *link = mgi_link_http(url, &o, &manifest, &status, &why);
    status = opened(link, &o, &manifest, status, out);
    tell(&why, message, cap);
    mgi_buf_fini(&why);
    return status;
}

enum manglecp_status manglecp_spawn(const char *const *argv, const struct manglecp_options *options,
                                    manglecp_client **out, char *message, size_t cap)
{
    struct manglecp_options o = defaults(options);
    struct buf manifest = { 0 }, why = { 0 };
    enum manglecp_status status = MANGLECP_ERR_NOMEM;
    *out = NULL;
    struct link *link = mgi_link_stdio(argv, o.timeout_ms, &manifest, &status, &why);
    status = opened(link, &o, &manifest, status, out);
    tell(&why, message, cap);
    mgi_buf_fini(&why);
    return status;
}

void manglecp_close(manglecp_client *c)
{
    if (!c)
        return;
    c->link->table->close(c->link);
    mgi_buf_fini(&c->manifest);
    mgi_buf_fini(&c->request);
    mgi_buf_fini(&c->answer);
    mgi_buf_fini(&c->message);
    mgi_free(c);
}

const char *manglecp_manifest(const manglecp_client *c, size_t *len)
{
    if (len)
        *len = c->manifest.len;
    return c->manifest.ptr;
}

const char *manglecp_message(const manglecp_client *c)
{
    return c->message.ptr ? c->message.ptr : "";
}

/* ---- one attempt ------------------------------------------------------------------------- */

static void write_request(manglecp_client *c, enum message_type type, const char *payload,
                          char id[32])
{
    struct json_writer w;
    snprintf(id, 32, "c-%" PRIu64, c->next_id++);
    mgi_buf_clear(&c->request);
    mgi_json_writer_init(&w, &c->request, 0);
    mgi_envelope_begin(&w, type, str_of(id));
    mgi_jw_raw(&w, str_of(payload));
    mgi_envelope_end(&w);
}

static void report_progress(const manglecp_client *c, const struct json *payload)
{
    const struct json *status = mgi_json_get(payload, "status");
    const struct json *detail = mgi_json_get(payload, "detail");
    const struct json *percent = mgi_json_get(payload, "percent");
    if (!c->options.progress || !status || status->type != JSON_STRING)
        return;
    char status_z[32], detail_z[256] = "";
    snprintf(status_z, sizeof status_z, "%.*s", STR_ARG(status->string));
    if (detail && detail->type == JSON_STRING)
        snprintf(detail_z, sizeof detail_z, "%.*s", STR_ARG(detail->string));
    double p = -1;
    if (percent && percent->type == JSON_INT)
        p = (double)percent->integer;
    else if (percent && percent->type == JSON_FLOAT)
        p = percent->number;
    c->options.progress(c->options.context, status_z, detail_z, p);
}

enum reading { READ_TERMINAL, READ_OTHER, READ_BROKEN };

/* What the message in c->answer is for the request `id`. */
static enum reading read_answer(manglecp_client *c, struct arena *arena, const char *id,
                                int64_t *retry_after_ms)
{
    struct envelope e;
    struct wire_error fault = { .retry_after_ms = -1 };
    *retry_after_ms = -1;
    c->code[0] = '\0';
    if (!mgi_envelope_parse(arena, mgi_buf_view(&c->answer), SIZE_MAX, 0, FROM_SERVER, &e,
                            &fault)) {
        mgi_buf_printf(&c->message, "the server sent something that is no message: %s",
                       fault.message);
        return READ_BROKEN;
    }
    if (e.type == MSG_MANIFEST) { /* the newest replaces all earlier ones (P-MAN-31) */
        mgi_buf_clear(&c->manifest);
        mgi_buf_str(&c->manifest, mgi_buf_view(&c->answer));
        return READ_OTHER;
    }
    bool ours = e.id.ptr && str_is(e.id, id);
    if (e.type == MSG_PROGRESS) {
        if (ours) /* progress for unknown ids is ignored (P-PROG-6) */
            report_progress(c, e.payload);
        return READ_OTHER;
    }
    if (e.type == MSG_ERROR && (ours || !e.id.ptr)) {
        const struct json *code = mgi_json_get(e.payload, "code");
        const struct json *text = mgi_json_get(e.payload, "message");
        const struct json *retry = mgi_json_get(e.payload, "retry_after_ms");
        snprintf(c->code, sizeof c->code, "%.*s",
                 STR_ARG(code && code->type == JSON_STRING ? code->string : STR_LIT("?")));
        if (text && text->type == JSON_STRING)
            mgi_buf_str(&c->message, text->string);
        if (retry && retry->type == JSON_INT)
            *retry_after_ms = retry->integer;
        return READ_TERMINAL;
    }
    return ours ? READ_TERMINAL : READ_OTHER;
}

static enum manglecp_status attempt(manglecp_client *c, enum message_type type, const char *payload,
                                    int64_t *retry_after_ms)
{
    char id[32];
    struct arena arena;
    mgi_buf_clear(&c->message);
    write_request(c, type, payload, id);
    if (c->request.oom)
        return MANGLECP_ERR_NOMEM;
    mgi_arena_init(&arena, 0);
    enum manglecp_status status =
        c->link->table->send(c->link, mgi_message_type_name(type), mgi_buf_view(&c->request),
                             &c->answer, c->options.timeout_ms, &c->message);
    while (status == MANGLECP_OK) {
        enum reading reading = read_answer(c, &arena, id, retry_after_ms);
        if (reading == READ_BROKEN)
            status = MANGLECP_ERR_PROTOCOL;
        if (reading != READ_OTHER)
            break;
        mgi_arena_reset(&arena);
        status = c->link->table->receive(c->link, &c->answer, c->options.timeout_ms, &c->message);
    }
    mgi_arena_fini(&arena);
    if (status == MANGLECP_OK && c->code[0])
        status = MANGLECP_ERR_ANSWER;
    return status;
}

static bool asks_to_wait(const manglecp_client *c)
{
    return strcmp(c->code, "rate_limited") == 0 || strcmp(c->code, "server_not_ready") == 0;
}

static void wait_ms(int64_t ms)
{
    struct timespec t = { .tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000 };
    while (nanosleep(&t, &t) != 0)
        ;
}

enum manglecp_status manglecp_request(manglecp_client *c, const char *type, const char *payload,
                                      struct manglecp_answer *answer)
{
    enum message_type t = mgi_message_type(str_of(type));
    *answer = (struct manglecp_answer){ NULL, 0, "" };
    if (t != MSG_INTENT_REQUEST && t != MSG_INVOKE_REQUEST && t != MSG_AUTHENTICATE) {
        mgi_buf_clear(&c->message);
        mgi_buf_printf(&c->message, "\"%s\" is not a request", type);
        return MANGLECP_ERR_USAGE;
    }
    enum manglecp_status status;
    int64_t gap_ms = FIRST_GAP_MS;
    for (int n = 1;; n++, gap_ms *= 2) {
        int64_t retry_after_ms = -1;
        status = attempt(c, t, payload, &retry_after_ms);
        if (status != MANGLECP_ERR_ANSWER || !asks_to_wait(c) || n == MAX_ATTEMPTS)
            break;
        wait_ms(retry_after_ms > gap_ms ? retry_after_ms : gap_ms);
    }
    if (status == MANGLECP_OK || status == MANGLECP_ERR_ANSWER)
        *answer = (struct manglecp_answer){ c->answer.ptr, c->answer.len, c->code };
    return status;
}

void manglecp_free(void *p)
{
    mgi_free(p);
}
