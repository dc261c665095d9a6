/* What is sent: answers, errors, what a path takes; compressed where that is worth it.
 *
 * An answer is compressed if the client reads gzip, it is large, and no web page asked (an Origin
 * header says that one did). Compressing tells an observer of the line something of what is within:
 * whoever can make a browser ask again and again, with a guess of his own in the request and a
 * secret in the answer, learns the secret from the lengths. Our credentials are not sent by
 * browsers on their own, so a foreign page cannot ask at all; that pages never get compressed
 * answers is the second wall. The manifest is the same for everybody, and may be compressed for
 * everybody.
 *
 * Up to PACK_HERE bytes that is done on the loop, in a third of a millisecond; beyond, by whoever
 * runs the listener's tasks. If there is no room for another one, the answer is sent as it is; what
 * was not begun when its client left is taken back.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/time.h"
#include "net/gzip.h"
#include "net/ws_upgrade.h"
#include "protocol/envelope.h"
#include "transport/http_head.h"
#include "transport/http_int.h"

#define PACK_LEAST ((size_t)8 * 1024)
#define PACK_HERE  ((size_t)16 * 1024)

/* ---- heads ------------------------------------------------------------------------------- */

/* RFC 9110 section 5.6.7; made once a second. */
static struct str date_of(struct http_listener *l)
{
    static const char days[7][4] = { "Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed" };
    static const char months[12][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
    int64_t now_ms = mgi_net_now_ms(l->options.net);
    if (l->date[0] == '\0' || now_ms - l->date_ms >= 500) {
        int64_t ns = l->options.clock_ns();
        struct civil t = mgi_civil_of(ns);
        int64_t day = mgi_days_from_civil(t.year, t.month, t.day);
        snprintf(l->date, sizeof l->date, "%s, %02d %s %04d %02d:%02d:%02d GMT",
                 days[((day % 7) + 7) % 7], t.day, months[t.month - 1], (int)(t.year % 10000),
                 t.hour, t.minute, t.second);
        l->date_ms = now_ms;
    }
    return str_of(l->date);
}

static void put_number(struct buf *out, const char *name, uint64_t n)
{
    mgi_buf_printf(out, "%s: %" PRIu64 "\r\n", name, n);
}

static struct buf *begin_answer(struct http_connection *c, int status)
{
    struct http_listener *l = c->listener;
    struct buf *out = &l->head;
    if (l->draining)
        c->keep_alive = false;
    mgi_buf_clear(out);
    mgi_http1_begin(out, status);
    mgi_http1_put(out, "Date", date_of(l));
    return out;
}

/* One field, whatever it says. `upgrade`: the answer names a protocol to change to. */
static void put_connection(const struct http_connection *c, struct buf *out, bool upgrade)
{
    const char *after = !c->keep_alive ? "close" : c->old_client ? "keep-alive" : NULL;
    if (upgrade || after)
        mgi_buf_printf(out, "Connection: %s%s%s\r\n", upgrade ? "Upgrade" : "",
                       upgrade && after ? ", " : "", after ? after : "");
}

static void put_common(struct http_connection *c, struct buf *out, bool varies)
{
    bool origins = c->listener->options.origin_count > 0;
    if (c->origin) {
        mgi_http1_put(out, "Access-Control-Allow-Origin", str_of(c->origin));
        mgi_buf_printf(out, "Access-Control-Expose-Headers: ETag, Retry-After%s\r\n",
                       c->listener->options.page_reads ? c->listener->options.page_reads : "");
    }
    if (origins || varies)
        mgi_http1_put(out, "Vary",
                      str_of(origins && varies ? "Origin, Accept-Encoding"
                             : origins         ? "Origin"
                                               : "Accept-Encoding"));
    mgi_http1_done(out);
}

static void send_answer(struct http_connection *c, struct str body)
{
    struct buf *head = &c->listener->head;
    struct str parts[2] = { mgi_buf_view(head), body };
    if (head->oom || !mgi_stream_write(c->stream, parts, c->head_only ? 1 : 2))
        c->life->close(c);
    else
        c->life->answered(c);
}

/* ---- answers ----------------------------------------------------------------------------- */

static bool has_body(int status)
{
    return status != 204 && status != 304;
}

static void put_etag(struct buf *out, const char *etag, bool packed)
{
    mgi_buf_printf(out, "ETag: %.*s%s\r\n", (int)strlen(etag) - 1, etag,
                   packed ? HTTP_PACKED_TAG : "\"");
}

/* What a client should show, and what was wrong with what it did (RFC 6750). */
static void put_challenge(const struct http_connection *c, struct buf *out, const char *error)
{
    const char *challenge = c->listener->options.challenge;
    mgi_buf_printf(out, "WWW-Authenticate: %s", challenge ? challenge : "Bearer");
    if (error)
        mgi_buf_printf(out, "%s error=\"%s\"", challenge ? "," : "", error);
    mgi_buf_puts(out, "\r\n");
}

/* `body` is what is sent: as it is, or packed. */
static void write_answer(struct http_connection *c, const struct http_answer *a, int status,
                         struct str body, bool packed)
{
    struct buf *out = begin_answer(c, status);
    if (has_body(status)) {
        if (body.len > 0 || a->content_type)
            mgi_http1_put(out, "Content-Type",
                          str_of(a->content_type ? a->content_type : "application/json"));
        put_number(out, "Content-Length", body.len);
        if (packed)
            mgi_http1_put(out, "Content-Encoding", STR_LIT("gzip"));
    }
    if (status == 401 || a->is_insufficient)
        put_challenge(c, out,
                      a->is_insufficient                     ? "insufficient_scope"
                      : c->refusal.code == WIRE_AUTH_INVALID ? "invalid_token"
                                                             : NULL);
    if (status == 426)
        mgi_buf_puts(out, WS_REFUSAL_HEADERS); /* the one protocol that we change to */
    if (a->allow)
        mgi_http1_put(out, "Allow", str_of(a->allow));
    if (a->etag)
        put_etag(out, a->etag, packed);
    mgi_http1_put(out, "Cache-Control", str_of(a->cache_control ? a->cache_control : "no-store"));
    if (a->retry_after_ms > 0)
        put_number(out, "Retry-After", ((uint64_t)a->retry_after_ms + 999) / 1000);
    mgi_http1_put(out, "X-Content-Type-Options", STR_LIT("nosniff"));
    mgi_buf_str(out, a->fields);
    put_connection(c, out, status == 426);
    put_common(c, out, packed || a->packed.len > 0);
    send_answer(c, has_body(status) ? body : (struct str){ NULL, 0 });
}

/* ---- an answer in pieces ------------------------------------------------------------------- */

/* An old client knows no chunks: the end of the connection is that of the answer. */
bool mgi_http_stream_begin(struct http_connection *c, const struct http_answer *a)
{
    assert(c->state == HTTP_BUSY && !c->streams);
    c->keep_alive = c->keep_alive && !c->old_client;
    struct buf *out = begin_answer(c, a->status);
    mgi_http1_put(out, "Content-Type", str_of(a->content_type));
    mgi_http1_put(out, "Cache-Control", str_of(a->cache_control ? a->cache_control : "no-store"));
    mgi_http1_put(out, "X-Content-Type-Options", STR_LIT("nosniff"));
    if (!c->old_client)
        mgi_http1_put(out, "Transfer-Encoding", STR_LIT("chunked"));
    mgi_buf_str(out, a->fields);
    put_connection(c, out, false);
    put_common(c, out, false);
    struct str head = mgi_buf_view(out);
    c->streams = true;
    return !out->oom && mgi_stream_write(c->stream, &head, 1);
}

bool mgi_http_stream_write(struct http_connection *c, struct str bytes)
{
    char size[24];
    int n = snprintf(size, sizeof size, "%zx\r\n", bytes.len);
    struct str parts[] = { { size, (size_t)n }, bytes, STR_LIT("\r\n") };
    assert(c->streams);
    if (bytes.len == 0)
        return true; /* an empty chunk would be the end */
    if (mgi_stream_queued(c->stream) > HTTP_STREAM_QUEUE)
        return false;
    return c->old_client ? mgi_stream_write(c->stream, &parts[1], 1)
                         : mgi_stream_write(c->stream, parts, 3);
}

bool mgi_http_stream_end(struct http_connection *c)
{
    struct str last = STR_LIT("0\r\n\r\n");
    assert(c->streams);
    if (!c->old_client && !mgi_stream_write(c->stream, &last, 1))
        return false;
    c->streams = false;
    c->life->answered(c);
    return true;
}

/* ---- compressing on a worker ------------------------------------------------------------- */

#define PACK_KIND UINT64_C(0x677a69700000) /* and the bits of the length: how long it takes */

struct http_job {
    struct task task; /* its first member */
    struct http_listener *listener;
    struct http_connection *c; /* NULL: it has gone */
    int status;
    int64_t retry_after_ms;
    struct buf plain, packed;
};

static void job_free(struct http_job *job)
{
    mgi_buf_fini(&job->plain);
    mgi_buf_fini(&job->packed);
    mgi_free(job);
}

static void pack_on_worker(struct task *task)
{
    struct http_job *job = (struct http_job *)task;
    mgi_gzip(mgi_buf_view(&job->plain), &job->packed);
}

static void packed_on_worker(struct task *task)
{
    struct http_job *job = (struct http_job *)task;
    struct http_listener *l = job->listener;
    struct http_connection *c = job->c;
    if (c) {
        struct http_answer a = { .retry_after_ms = job->retry_after_ms };
        bool good = !job->packed.oom && job->packed.len < job->plain.len;
        c->job = NULL;
        write_answer(c, &a, job->status, mgi_buf_view(good ? &job->packed : &job->plain), good);
    }
    job_free(job);
    l->part_closed(l);
}

void mgi_http_job_forget(struct http_job *job)
{
    struct http_listener *l = job->listener;
    job->c = NULL;
    if (!l->options.tasks.take_back(l->options.tasks.self, &job->task))
        return; /* it has begun */
    job_free(job);
    l->part_closed(l);
}

size_t mgi_http_job_held(const struct http_job *job)
{
    return job->plain.cap;
}

/* On whose behalf: callers take turns. An address in it, so that nobody can choose a name that
 * shares them with another. */
static uint64_t owner_of(const struct http_connection *c)
{
    struct str key = c->who ? mgi_principal_caller(c->who) : (struct str){ NULL, 0 };
    return c->who ? mgi_hash_bytes(key.ptr, key.len,
                                   (uint64_t)(uintptr_t)c->listener + (uint64_t)c->who->kind) |
                        1
                  : 1;
}

static uint64_t kind_of_packing(size_t len)
{
    uint64_t bits = 0;
    for (; len > 0; len >>= 1)
        bits++;
    return PACK_KIND | bits;
}

/* False: it cannot be done so; nothing has changed. */
static bool pack_later(struct http_connection *c, const struct http_answer *a)
{
    struct http_listener *l = c->listener;
    struct http_job *job = l->options.tasks.hand ? mgi_calloc(1, sizeof *job) : NULL;
    if (!job)
        return false;
    *job = (struct http_job){ .task = { .run = pack_on_worker,
                                        .done = packed_on_worker,
                                        .owner = owner_of(c),
                                        .kind = kind_of_packing(a->body.len) },
                              .listener = l,
                              .c = c,
                              .status = a->status,
                              .retry_after_ms = a->retry_after_ms };
    mgi_buf_str(&job->plain, a->body);
    if (job->plain.oom || !l->options.tasks.hand(l->options.tasks.self, &job->task)) {
        job_free(job);
        return false;
    }
    l->parts++;
    c->job = job;
    c->state = HTTP_PACKING;
    if (!c->input)
        c->life->settle(c);
    return true;
}

/* The answer here and now; packed, if that makes it smaller. */
static void pack_here(struct http_connection *c, const struct http_answer *a)
{
    struct buf *packed = &c->listener->packed;
    mgi_buf_clear(packed);
    mgi_gzip(a->body, packed);
    bool good = !packed->oom && packed->len < a->body.len;
    write_answer(c, a, a->status, good ? mgi_buf_view(packed) : a->body, good);
}

/* The client's If-None-Match names this tag, or its gzip form. */
static bool has_tag(const struct http_connection *c, const char *etag)
{
    struct str rest = { NULL, 0 }, name, value;
    struct str plain = str_of(etag);
    char packed[80];
    int n = snprintf(packed, sizeof packed, "%.*s" HTTP_PACKED_TAG, (int)plain.len - 1, etag);
    while (mgi_http1_field(&c->codec.request, &rest, &name, &value))
        if (mgi_http1_same(name, "if-none-match") &&
            (mgi_http_etag_matches(value, plain) ||
             mgi_http_etag_matches(value, (struct str){ packed, (size_t)n })))
            return true;
    return false;
}

void mgi_http_answer(struct http_connection *c, const struct http_answer *a)
{
    bool pack = a->may_pack && c->reads_gzip && !c->from_page && a->body.len >= PACK_LEAST;
    assert(c->state == HTTP_BUSY);
    c->gone = NULL;
    if (a->etag && a->status == 200 && c->input && has_tag(c, a->etag))
        write_answer(c, a, 304, (struct str){ NULL, 0 }, c->reads_gzip && a->packed.len > 0);
    else if (c->reads_gzip && a->packed.len > 0)
        write_answer(c, a, a->status, a->packed, true);
    else if (pack && a->body.len <= PACK_HERE)
        pack_here(c, a);
    else if (!pack || a->etag || !pack_later(c, a))
        write_answer(c, a, a->status, a->body, false);
}

/* ---- errors, and what a path takes ------------------------------------------------------- */

/* For when there is no memory to say so. */
#define NO_MEMORY                                                                                  \
    "{\"type\":\"error\",\"id\":null,\"manglecp\":\"" MANGLECP_PROTOCOL                            \
    "\",\"payload\":{\"code\":\"internal_error\",\"message\":\"The server ran out of memory.\","   \
    "\"recoverable\":false}}"

static void write_error(struct http_connection *c, const struct wire_error *e, const char *allow)
{
    const struct http_options *o = &c->listener->options;
    struct buf text = { 0 };
    if (o->write_refusal)
        o->write_refusal(o->context, &text, e);
    else
        mgi_envelope_error(&text, (struct str){ NULL, 0 }, e);
    struct http_answer a = { .status = mgi_wire_code(e->code)->http_status,
                             .body = mgi_buf_view(&text),
                             .allow = allow,
                             .retry_after_ms = e->retry_after_ms };
    if (text.oom)
        a = (struct http_answer){ .status = 500, .body = STR_LIT(NO_MEMORY) };
    write_answer(c, &a, a.status, a.body, false);
    mgi_buf_fini(&text);
}

void mgi_http_refuse(struct http_connection *c, const struct wire_error *e, const char *allow)
{
    write_error(c, e, allow);
}

void mgi_http_refuse_with(struct http_connection *c, const struct http_answer *a)
{
    write_answer(c, a, a->status, a->body, false);
}

void mgi_http_error(struct http_connection *c, enum wire_code code, const char *details,
                    const char *message)
{
    const struct wire_error e = { code, message, str_of(details), -1 };
    assert(c->state == HTTP_BUSY);
    c->gone = NULL;
    write_error(c, &e, NULL);
}

void mgi_http_allow(struct http_connection *c, const char *methods, bool preflight)
{
    struct buf *out = begin_answer(c, 204);
    mgi_http1_put(out, "Allow", str_of(methods));
    if (preflight) {
        mgi_http1_put(out, "Access-Control-Allow-Methods", str_of(methods));
        mgi_buf_printf(out,
                       "Access-Control-Allow-Headers: authorization, content-type, if-none-match, "
                       "traceparent, " HTTP_KEY_FIELD "%s\r\n",
                       c->listener->options.page_sends ? c->listener->options.page_sends : "");
        mgi_http1_put(out, "Access-Control-Max-Age", STR_LIT("600"));
    }
    put_connection(c, out, false);
    put_common(c, out, false);
    send_answer(c, (struct str){ NULL, 0 });
}
