/* See transfer.h. */
#include "transfer.h"

#include <strings.h>
#include <unistd.h>

#include "address.h"
#include "base/url.h"
#include "base/utf8.h"
#include "toolhost.h"

enum { LOOK_MS = 50, KEPT_CONNECTIONS = 8 };

struct transfer {
    struct transfer_pool *pool;
    const struct curl_late *api;
    struct arena *arena;
    const struct http_request *request;
    const struct http_expansion *what;
    int64_t (*left_ms)(void *context);
    void *context;
    struct transfer_result *out;
    /* of the hop that is under way */
    const char *url;
    struct str method;
    bool sends_body, left_origin;
    size_t header_cap, header_bytes, header_lines;
    bool was_private, stopped, sent, too_many_headers, too_large;
};

bool mgi_transfer_pool_open(struct transfer_pool *pool, const struct http_table *table,
                            struct buf *why)
{
    pool->table = table;
    if (!mgi_curl_late_open(&pool->api, why))
        return false;
    pool->open = pool->api.multi_init();
    pool->closed = pool->api.multi_init();
    if (!pool->open || !pool->closed) {
        mgi_buf_puts(why, "out of memory");
        return false;
    }
    pool->api.multi_setopt(pool->open, CURLMOPT_MAXCONNECTS, (long)KEPT_CONNECTIONS);
    pool->api.multi_setopt(pool->closed, CURLMOPT_MAXCONNECTS, (long)KEPT_CONNECTIONS);
    return true;
}

/* ---- what libcurl asks ---------------------------------------------------------------------- */

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *a)
{
    struct transfer *t = context;
    (void)purpose;
    if (!t->request->may_be_private && !mgi_address_is_public(&a->addr, a->addrlen)) {
        t->was_private = true;
        return CURL_SOCKET_BAD;
    }
    int fd = socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
    if (fd >= 0 && !mgi_sockets_add(&t->pool->sockets, fd)) {
        close(fd);
        return CURL_SOCKET_BAD;
    }
    return fd;
}

static int close_socket(void *context, curl_socket_t fd)
{
    mgi_sockets_remove(context, fd);
    return close(fd);
}

static size_t take_body(char *bytes, size_t one, size_t count, void *context)
{
    struct transfer *t = context;
    size_t len = one * count;
    if (len > t->request->max_bytes - t->out->body.len) {
        t->too_large = true;
        return 0;
    }
    mgi_buf_append(&t->out->body, bytes, len);
    return t->out->body.oom ? 0 : len;
}

static void keep_header(struct transfer *t, struct str line)
{
    const char *colon = memchr(line.ptr, ':', line.len);
    struct transfer_result *out = t->out;
    if (!colon || !mgi_arena_grow(t->arena, &out->headers, &t->header_cap, out->header_count + 1,
                                  sizeof *out->headers))
        return;
    size_t len = (size_t)(colon - line.ptr);
    struct str value = { colon + 1, line.len - len - 1 };
    char *name = mgi_arena_printf(t->arena, "%.*s", (int)len, line.ptr);
    for (char *c = name; c && *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    out->headers[out->header_count++] =
        (struct transfer_header){ str_of(name),
                                  mgi_arena_str(t->arena, mgi_str_trim(value, " \t\r\n")) };
}

/* Every head counts, those before the last one (1xx), too, and what follows a body of chunks. */
static size_t take_header(char *bytes, size_t one, size_t count, void *context)
{
    struct transfer *t = context;
    struct str line = { bytes, one * count };
    t->header_bytes += line.len;
    t->header_lines++;
    if (t->header_bytes > TRANSFER_HEADER_BYTES || t->header_lines > TRANSFER_HEADERS) {
        t->too_many_headers = true;
        return 0;
    }
    if (line.len > 5 && strncasecmp(line.ptr, "HTTP/", 5) == 0)
        t->out->header_count = 0;
    else
        keep_header(t, line);
    return t->arena->oom ? 0 : line.len;
}

/* What is decoded can be nothing at all of very much. */
static int look(void *context, curl_off_t total, curl_off_t now, curl_off_t up, curl_off_t sent)
{
    struct transfer *t = context;
    (void)total, (void)up, (void)sent;
    if (now > (curl_off_t)t->request->max_bytes + (1 << 20))
        t->too_large = true;
    return t->too_large;
}

/* ---- one hop -------------------------------------------------------------------------------- */

static bool append_line(const struct curl_late *api, struct curl_slist **list, const char *line)
{
    struct curl_slist *longer = api->slist_append(*list, line);
    if (longer)
        *list = longer;
    return longer != NULL;
}

static bool list_headers(struct transfer *t, struct curl_slist **list)
{
    bool good = append_line(t->api, list, "Expect:"); /* send without waiting for leave */
    for (size_t i = 0; good && i < t->what->header_count; i++) {
        const struct http_header *h = &t->what->headers[i];
        bool of_body = strncasecmp(h->line, "Content-", 8) == 0;
        if ((h->own || !t->left_origin) && (t->sends_body || !of_body))
            good = append_line(t->api, list, h->line);
    }
    return good && (t->sends_body || append_line(t->api, list, "Content-Type:"));
}

static void set_method(struct transfer *t, CURL *c)
{
    bool empty =
        str_is(t->method, "POST") || str_is(t->method, "PUT") || str_is(t->method, "PATCH");
    if (str_is(t->method, "HEAD")) {
        t->api->easy_setopt(c, CURLOPT_NOBODY, 1L);
        return;
    }
    if (t->sends_body || empty) {
        struct str body = t->sends_body ? t->what->body : STR_LIT("");
        t->api->easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.len);
        t->api->easy_setopt(c, CURLOPT_POSTFIELDS, body.ptr);
    }
    t->api->easy_setopt(c, CURLOPT_CUSTOMREQUEST, t->method.ptr);
}

/* libcurl repeats a request by itself where a kept connection breaks before an answer. */
static bool may_repeat(struct str method)
{
    return mgi_http_is_safe(method) || str_is(method, "PUT") || str_is(method, "DELETE");
}

/* A tenth of the time, 50 ms at least, is left to say that nothing was sent. */
static long connect_ms(const struct transfer *t)
{
    int64_t left = t->left_ms(t->context), rest = left / 10 > 50 ? left / 10 : 50;
    return left - rest < 1 ? 1 : left - rest > INT32_MAX ? INT32_MAX : (long)(left - rest);
}

static void set_rules(struct transfer *t, CURL *c)
{
    const struct curl_late *api = t->api;
    api->easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, connect_ms(t));
    api->easy_setopt(c, CURLOPT_URL, t->url);
    api->easy_setopt(c, CURLOPT_PATH_AS_IS, 1L);
    mgi_curl_bind(api, c);
    api->easy_setopt(c, CURLOPT_ACCEPT_ENCODING, "gzip");
    api->easy_setopt(c, CURLOPT_FRESH_CONNECT, may_repeat(t->method) ? 0L : 1L);
    api->easy_setopt(c, CURLOPT_FORBID_REUSE, may_repeat(t->method) ? 0L : 1L);
    if (!str_is(t->method, "HEAD")) /* its length is that of what it does not send */
        api->easy_setopt(c, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)t->request->max_bytes);
    if (t->request->ca)
        api->easy_setopt(c, CURLOPT_CAINFO, t->request->ca);
}

static void set_callbacks(struct transfer *t, CURL *c)
{
    const struct curl_late *api = t->api;
    api->easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    api->easy_setopt(c, CURLOPT_OPENSOCKETDATA, t);
    api->easy_setopt(c, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
    api->easy_setopt(c, CURLOPT_CLOSESOCKETDATA, &t->pool->sockets);
    api->easy_setopt(c, CURLOPT_WRITEFUNCTION, take_body);
    api->easy_setopt(c, CURLOPT_WRITEDATA, t);
    api->easy_setopt(c, CURLOPT_HEADERFUNCTION, take_header);
    api->easy_setopt(c, CURLOPT_HEADERDATA, t);
    api->easy_setopt(c, CURLOPT_NOPROGRESS, 0L);
    api->easy_setopt(c, CURLOPT_XFERINFOFUNCTION, look);
    api->easy_setopt(c, CURLOPT_XFERINFODATA, t);
}

/* Until it is over. CURLE_ABORTED_BY_CALLBACK with t->stopped: somebody wants it no more. */
static CURLcode carry_out(struct transfer *t, CURLM *multi, CURL *c)
{
    const struct curl_late *api = t->api;
    int running = 1, left;
    if (api->multi_add_handle(multi, c) != CURLM_OK)
        return CURLE_OUT_OF_MEMORY;
    CURLcode rc = CURLE_ABORTED_BY_CALLBACK;
    while (running > 0) {
        t->stopped = t->left_ms(t->context) <= 0;
        if (t->stopped || api->multi_perform(multi, &running) != CURLM_OK)
            break;
        if (running > 0)
            api->multi_poll(multi, NULL, 0, LOOK_MS, NULL);
    }
    for (CURLMsg *m; (m = api->multi_info_read(multi, &left)) != NULL;)
        if (m->msg == CURLMSG_DONE && m->easy_handle == c)
            rc = m->data.result;
    api->multi_remove_handle(multi, c);
    return rc;
}

/* ---- what went wrong, in words -------------------------------------------------------------- */

static const char *describe(const struct transfer *t, CURLcode rc)
{
    if (t->stopped)
        return "was stopped before it had answered";
    if (t->was_private)
        return "is at an address of a private network or of this machine, which is refused unless "
               "the operation says private: true";
    if (t->too_many_headers)
        return "answered with too many or too large headers";
    if (t->too_large || rc == CURLE_FILESIZE_EXCEEDED)
        return "answered with more bytes than max_bytes";
    if (t->out->body.oom || t->arena->oom)
        return "answered, and there was no memory for it";
    switch (rc) {
    case CURLE_COULDNT_RESOLVE_HOST:
        return "has a name that could not be resolved";
    case CURLE_COULDNT_CONNECT:
        return "could not be connected to";
    case CURLE_OPERATION_TIMEDOUT: /* that of connecting is the only one that is set */
        return "could not be connected to in time";
    case CURLE_PEER_FAILED_VERIFICATION:
        return "has a certificate that cannot be trusted";
    case CURLE_OUT_OF_MEMORY: /* libcurl says so of a line of more than 100 KB */
        return "answered with a header that is too large, or there was no memory for it";
    case CURLE_GOT_NOTHING:
        return "closed the connection without an answer";
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
        return "closed the connection in the middle of its answer";
    case CURLE_BAD_CONTENT_ENCODING:
        return "answered with a body that cannot be decompressed";
    default:
        return t->api->easy_strerror(rc);
    }
}

static void fail(struct transfer *t, const char *what)
{
    bool sentence = strchr("abcdefghijklmnopqrstuvwxyz", what[0]) != NULL;
    t->out->why =
        mgi_arena_printf(t->arena, "%.*s%s %s", STR_ARG(t->out->host), sentence ? "" : ":", what);
    if (!t->out->why)
        t->out->why = "out of memory";
}

/* "api.example.com", with its port where that is none of the usual. */
static struct str host_of(struct arena *arena, const char *url)
{
    struct url u;
    if (!mgi_url_read(str_of(url), &u))
        return STR_LIT("it");
    bool usual = u.port == (u.tls ? 443u : 80u);
    char *text = usual ? mgi_arena_printf(arena, "%.*s", STR_ARG(u.host))
                       : mgi_arena_printf(arena, "%.*s:%u", STR_ARG(u.host), u.port);
    return text ? str_of(text) : STR_LIT("it");
}

/* ---- hops ----------------------------------------------------------------------------------- */

static bool is_ok(const struct http_request *r, int status)
{
    for (size_t i = 0; i < r->ok_count; i++)
        if (r->ok[i] == status)
            return true;
    return false;
}

static bool is_redirect(const struct transfer *t)
{
    int s = t->out->status;
    bool leads = s == 301 || s == 302 || s == 303 || s == 307 || s == 308;
    return leads && !is_ok(t->request, s) && mgi_transfer_header(t->out, "location").len > 0;
}

static bool is_allowed(const struct http_request *r, struct str origin)
{
    if (str_eq(origin, r->origin))
        return true;
    for (size_t i = 0; i < r->allow_count; i++)
        if (str_eq(origin, r->allow[i]))
            return true;
    return false;
}

static bool becomes_get(const struct transfer *t)
{
    int s = t->out->status;
    return (s == 303 && !str_is(t->method, "HEAD")) ||
           ((s == 301 || s == 302) && str_is(t->method, "POST"));
}

/* Where it leads, as libcurl reads it against the address it came from; and whether that may be. */
static bool turn_to(struct transfer *t, const char *target)
{
    t->out->turned |= becomes_get(t) && !mgi_http_is_safe(t->method);
    struct str origin = target ? mgi_http_origin(t->arena, str_of(target)) : STR_LIT("");
    if (!origin.ptr || origin.len == 0) {
        fail(t, "redirects to what is no http or https address");
        return false;
    }
    if (!is_allowed(t->request, origin)) {
        struct buf shown = { 0 };
        mgi_utf8_show(&shown, mgi_utf8_prefix(origin, 200));
        const char *what = shown.oom ? NULL
                                     : mgi_arena_printf(t->arena,
                                                        "redirects to %s, which is not "
                                                        "in allow",
                                                        shown.ptr);
        mgi_buf_fini(&shown);
        fail(t, what ? what : "redirects to an address that is not in allow");
        return false;
    }
    if (becomes_get(t)) {
        t->method = STR_LIT("GET");
        t->sends_body = false;
    }
    t->left_origin |= !str_eq(origin, t->request->origin);
    t->url = mgi_arena_printf(t->arena, "%s", target);
    return t->url != NULL;
}

/* Of a hop that failed. */
static uint32_t how_lost(const struct transfer *t)
{
    bool unanswered = t->sent && !mgi_http_is_safe(t->method) && t->out->status < 400;
    if (!unanswered && !t->out->turned)
        return 0;
    if (t->too_large)
        return TH_LOST_TOO_LARGE;
    return t->out->turned || t->out->status >= 200 ? TH_LOST_BAD_OUTPUT : TH_LOST_CRASH;
}

/* True: there is another hop. */
static bool hop(struct transfer *t, CURL *c, struct curl_slist *headers, struct curl_slist *resolve)
{
    struct transfer_pool *pool = t->pool;
    char *target = NULL;
    long status = 0, sent = 0;
    t->out->host = host_of(t->arena, t->url);
    mgi_sockets_end_spoken(&pool->sockets);
    set_rules(t, c);
    set_callbacks(t, c);
    set_method(t, c);
    t->api->easy_setopt(c, CURLOPT_HTTPHEADER, headers);
    if (resolve)
        t->api->easy_setopt(c, CURLOPT_RESOLVE, resolve);
    CURLcode rc = carry_out(t, t->request->may_be_private ? pool->open : pool->closed, c);
    t->api->easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
    t->api->easy_getinfo(c, CURLINFO_REQUEST_SIZE, &sent);
    t->out->status = (int)status;
    t->sent = sent > 0;
    if (rc != CURLE_OK) {
        fail(t, describe(t, rc));
        t->out->lost = how_lost(t);
        return false;
    }
    if (!is_redirect(t))
        return false;
    t->api->easy_getinfo(c, CURLINFO_REDIRECT_URL, &target);
    if (turn_to(t, target))
        return true;
    t->out->lost = t->out->turned ? TH_LOST_BAD_OUTPUT : 0;
    return false;
}

static bool try_hop(struct transfer *t)
{
    const struct http_table *table = t->pool->table;
    struct curl_slist *headers = NULL, *resolve = NULL;
    bool good = list_headers(t, &headers), again = false;
    for (size_t i = 0; good && i < table->resolve_count; i++)
        good = append_line(t->api, &resolve, table->resolve[i].ptr);
    CURL *c = good ? t->api->easy_init() : NULL;
    if (c)
        again = hop(t, c, headers, resolve);
    else
        t->out->why = "out of memory";
    if (c)
        t->api->easy_cleanup(c);
    t->api->slist_free_all(headers);
    t->api->slist_free_all(resolve);
    return again;
}

void mgi_transfer(struct transfer_pool *pool, struct arena *arena,
                  const struct http_request *request, const struct http_expansion *what,
                  int64_t (*left_ms)(void *context), void *context, struct transfer_result *out)
{
    struct transfer t = { .pool = pool,
                          .api = &pool->api,
                          .arena = arena,
                          .request = request,
                          .what = what,
                          .left_ms = left_ms,
                          .context = context,
                          .out = out,
                          .url = what->url,
                          .method = request->method,
                          .sends_body = what->has_body };
    *out = (struct transfer_result){ .host = STR_LIT("") };
    for (int hops = 0; try_hop(&t); hops++) {
        if (hops == TRANSFER_REDIRECTS) {
            fail(&t, "redirects more than 5 times");
            out->lost = out->turned ? TH_LOST_BAD_OUTPUT : 0;
            return;
        }
        mgi_buf_clear(&out->body);
        t.header_bytes = t.header_lines = 0;
    }
}

void mgi_transfer_result_fini(struct transfer_result *out)
{
    mgi_buf_fini(&out->body);
}

struct str mgi_transfer_header(const struct transfer_result *result, const char *name)
{
    for (size_t i = 0; i < result->header_count; i++)
        if (str_is(result->headers[i].name, name))
            return result->headers[i].value;
    return STR_LIT("");
}
