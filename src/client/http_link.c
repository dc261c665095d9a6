/* A link over HTTP, by libcurl. The manifest says where to post (P-DISC-1 to -4); relative
 * addresses are resolved against the manifest's own (P-HTTP-4).
 *
 * Invariants:
 * 1. An invocation leaves once. libcurl sends a request again, without a word, if a connection that
 * it used before is closed without an answer; so an invocation gets a connection of its own, and is
 *    spoken in HTTP/1.1, where a server cannot refuse a stream for another try.
 * 2. Credentials go to the origin of the manifest alone (origin.h), and redirections are not
 * followed.
 * 3. A token goes over TLS or to this machine, if nobody said otherwise.
 * 4. Every transfer ends by its deadline. */
#include "base/alloc.h"
#include "base/arena.h"
#include "base/time.h"
#include "base/utf8.h"
#include "net/curl_late.h"
#include "client/links.h"
#include "client/origin.h"
#include "client/sigpipe.h"
#include "sys/clock.h"

#define MAX_WAIT_SECS 86400 /* of a Retry-After */

struct http_link {
    struct link link;
    struct manglecp_options options;
    struct curl_late api;
    CURL *curl;
    struct curl_slist *plain, *with_token; /* headers; with_token NULL: there is no token */
    struct arena life;
    struct address manifest, intent, invoke;
    struct incoming answer; /* of the last request, until it is received */
    bool answered;
    bool withheld; /* the last request went without the token that there is */
    char fault[CURL_ERROR_SIZE];
};

/* ---- one transfer -----------------------------------------------------------------------------
 */

static int look_up(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    (void)a, (void)b, (void)c, (void)d;
    const struct http_link *l = context;
    return l->options.abandon(l->options.context);
}

struct transfer {
    const struct address *to;
    struct str post; /* ptr NULL: GET */
    bool once;       /* nothing may make it leave twice */
    int64_t deadline_ns;
    struct incoming *in;
};

static void set_transfer(struct http_link *l, const struct transfer *t)
{
    CURL *c = l->curl;
    int64_t left_ms = (t->deadline_ns - mgi_clock_mono_ns()) / NS_PER_MS;
    int64_t connect_ms = l->options.connect_timeout_ms;
    left_ms = left_ms < 1 ? 1 : left_ms;
    l->withheld = l->with_token && !t->to->trusted;
    mgi_curl_set_url(&l->api, c, t->to->url);
    l->api.easy_setopt(c, CURLOPT_HTTPHEADER,
                       l->with_token && t->to->trusted ? l->with_token : l->plain);
    l->api.easy_setopt(c, CURLOPT_SSLCERT, t->to->trusted ? l->options.certificate : NULL);
    l->api.easy_setopt(c, CURLOPT_SSLKEY, t->to->trusted ? l->options.certificate_key : NULL);
    l->api.easy_setopt(c, CURLOPT_WRITEDATA, &t->in->text);
    l->api.easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)left_ms);
    l->api.easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS,
                       (long)(connect_ms < left_ms ? connect_ms : left_ms));
    l->api.easy_setopt(c, CURLOPT_FRESH_CONNECT, (long)t->once);
    l->api.easy_setopt(c, CURLOPT_NOPROGRESS, (long)!(t->once && l->options.abandon));
    if (t->post.ptr) {
        l->api.easy_setopt(c, CURLOPT_POST, 1L);
        l->api.easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)t->post.len);
        l->api.easy_setopt(c, CURLOPT_POSTFIELDS, t->post.ptr);
    } else {
        l->api.easy_setopt(c, CURLOPT_HTTPGET, 1L);
    }
}

/* Could the server have read all of the request? */
static bool has_left(const struct http_link *l, CURLcode rc, size_t len)
{
    curl_off_t uploaded = 0;
    l->api.easy_getinfo(l->curl, CURLINFO_SIZE_UPLOAD_T, &uploaded);
    return rc == CURLE_OK || (size_t)uploaded >= len;
}

static enum manglecp_status judge_code(struct http_link *l, const struct transfer *t, CURLcode rc,
                                       struct buf *why)
{
    if (rc == CURLE_OK)
        return t->in->text.oom ? MANGLECP_ERR_NOMEM : MANGLECP_OK;
    if (rc == CURLE_OUT_OF_MEMORY || (t->in->text.oom && !t->in->text.full))
        return MANGLECP_ERR_NOMEM;
    mgi_buf_printf(why, "%s: ", t->to->url);
    if (t->in->text.full) {
        mgi_buf_printf(why, "the answer has more than %zu MiB", LINK_ANSWER_BYTES / (1024 * 1024));
        return MANGLECP_ERR_PROTOCOL;
    }
    if (rc == CURLE_ABORTED_BY_CALLBACK)
        mgi_buf_puts(why, "abandoned");
    else
        mgi_utf8_show(why, str_of(l->fault[0] ? l->fault : l->api.easy_strerror(rc)));
    return rc == CURLE_OPERATION_TIMEDOUT ? MANGLECP_ERR_TIMEOUT : MANGLECP_ERR_TRANSPORT;
}

static enum manglecp_status run_transfer(struct http_link *l, const struct transfer *t, bool *left,
                                         struct buf *why)
{
    struct sigpipe_hold hold;
    long http_status = 0;
    curl_off_t retry_secs = 0;
    mgi_buf_clear(&t->in->text);
    t->in->text.limit = LINK_ANSWER_BYTES;
    t->in->retry_after_ms = -1;
    l->fault[0] = '\0';
    set_transfer(l, t);
    mgi_sigpipe_hold(&hold);
    CURLcode rc = l->api.easy_perform(l->curl);
    mgi_sigpipe_release(&hold);
    l->api.easy_getinfo(l->curl, CURLINFO_RESPONSE_CODE, &http_status);
    if (rc == CURLE_OK)
        l->api.easy_getinfo(l->curl, CURLINFO_RETRY_AFTER, &retry_secs);
    if (retry_secs > 0)
        t->in->retry_after_ms = (retry_secs < MAX_WAIT_SECS ? retry_secs : MAX_WAIT_SECS) * 1000;
    t->in->http_status = (int)http_status;
    *left = has_left(l, rc, t->post.len);
    return judge_code(l, t, rc, why);
}

/* ---- the link -----------------------------------------------------------------------------------
 */

/* A short line of text, as a server says to who speaks HTTP where it speaks TLS. */
static bool is_a_sentence(struct str body)
{
    return body.len > 0 && body.len <= 200 && body.ptr[0] != '<' && body.ptr[0] != '{';
}

static enum manglecp_status refused_manifest(const struct http_link *l, int http, struct str body,
                                             struct buf *why)
{
    char *to = NULL;
    mgi_buf_printf(why, "%s answered with status %d", l->manifest.url, http);
    if (http >= 300 && http < 400)
        l->api.easy_getinfo(l->curl, CURLINFO_REDIRECT_URL, &to);
    if (to) {
        mgi_buf_puts(why, ", a redirection that is not followed, to ");
        mgi_utf8_show(why, mgi_utf8_prefix(str_of(to), 200));
    } else if (http == 401 || http == 403) {
        mgi_buf_puts(why, ": the token does not open it");
    } else if (http >= 500 || http == 429) {
        mgi_buf_puts(why, ": what is there does not serve at the moment");
    } else if (http == 400 && is_a_sentence(body)) {
        mgi_buf_puts(why, ": ");
        mgi_utf8_show(why, mgi_str_trim(body, " \t\r\n"));
    } else { /* a 404 here means: not MangleCP (P-DISC-4) */
        mgi_buf_puts(why, ": this host does not speak MangleCP");
    }
    return MANGLECP_ERR_TRANSPORT;
}

static enum manglecp_status http_open(struct link *link, struct incoming *first,
                                      int64_t deadline_ns, struct buf *why)
{
    struct http_link *l = (struct http_link *)link;
    struct transfer t = { .to = &l->manifest, .deadline_ns = deadline_ns, .in = first };
    bool left;
    l->answered = false;
    enum manglecp_status status = run_transfer(l, &t, &left, why);
    if (!status && first->http_status != 200)
        status = refused_manifest(l, first->http_status, mgi_buf_view(&first->text), why);
    return status;
}

static enum manglecp_status http_adopt(struct link *link, const struct link_addresses *addresses,
                                       struct buf *why)
{
    struct http_link *l = (struct http_link *)link;
    struct address intent = { 0 }, invoke = { 0 };
    if (!addresses->intent.ptr || !addresses->invoke.ptr) {
        mgi_buf_printf(why, "%s is no manifest with endpoints to post to", l->manifest.url);
        return MANGLECP_ERR_PROTOCOL;
    }
    enum manglecp_status status =
        mgi_address_resolve(&l->api, l->manifest.url, addresses->intent, &intent, why);
    if (!status)
        status = mgi_address_resolve(&l->api, l->manifest.url, addresses->invoke, &invoke, why);
    if (status) {
        mgi_address_fini(&intent);
        mgi_address_fini(&invoke);
        return status;
    }
    mgi_address_fini(&l->intent);
    mgi_address_fini(&l->invoke);
    l->intent = intent;
    l->invoke = invoke;
    return MANGLECP_OK;
}

static enum manglecp_status http_send(struct link *link, enum link_message what, struct str message,
                                      int64_t deadline_ns, bool *left, struct buf *why)
{
    struct http_link *l = (struct http_link *)link;
    *left = false;
    if (what == LINK_CONTROL) {
        mgi_buf_puts(why, "over HTTP the token goes with every request; there is no authenticate");
        return MANGLECP_ERR_USAGE;
    }
    struct transfer t = { .to = what == LINK_INTENT ? &l->intent : &l->invoke,
                          .post = message,
                          .once = what == LINK_INVOKE,
                          .deadline_ns = deadline_ns,
                          .in = &l->answer };
    enum manglecp_status status = run_transfer(l, &t, left, why);
    l->answered = status == MANGLECP_OK;
    return status;
}

static enum manglecp_status http_receive(struct link *link, struct incoming *in,
                                         int64_t deadline_ns, struct buf *why)
{
    (void)deadline_ns;
    struct http_link *l = (struct http_link *)link;
    if (!l->answered) {
        mgi_buf_puts(why, "the answer does not belong to the request");
        return MANGLECP_ERR_PROTOCOL;
    }
    struct incoming had = *in;
    *in = l->answer;
    l->answer = had;
    l->answered = false;
    return MANGLECP_OK;
}

static bool http_withheld(const struct link *link)
{
    return ((const struct http_link *)link)->withheld;
}

static bool http_shows_certificate(const struct link *link)
{
    const struct http_link *l = (const struct http_link *)link;
    return l->options.certificate && l->intent.trusted && mgi_address_is_tls(&l->intent);
}

static void forget_token(struct http_link *l)
{
    for (struct curl_slist *s = l->with_token; s; s = s->next)
        explicit_bzero(s->data, strlen(s->data));
    l->api.slist_free_all(l->with_token);
    l->with_token = NULL;
}

static void http_close(struct link *link)
{
    struct http_link *l = (struct http_link *)link;
    mgi_address_fini(&l->manifest);
    mgi_address_fini(&l->intent);
    mgi_address_fini(&l->invoke);
    if (l->curl) {
        struct sigpipe_hold hold; /* closing TLS writes */
        mgi_sigpipe_hold(&hold);
        l->api.easy_cleanup(l->curl);
        mgi_sigpipe_release(&hold);
    }
    if (l->plain)
        l->api.slist_free_all(l->plain);
    forget_token(l);
    mgi_arena_fini(&l->life);
    mgi_buf_fini(&l->answer.text);
    mgi_free(l);
}

/* ---- setting up ------------------------------------------------------------------------------ */

static bool add_header(const struct http_link *l, struct curl_slist **headers, const char *header)
{
    struct curl_slist *more = l->api.slist_append(*headers, header);
    if (more)
        *headers = more;
    return more != NULL;
}

static bool common_headers(const struct http_link *l, struct curl_slist **headers)
{
    return add_header(l, headers, "Content-Type: application/json") &&
           add_header(l, headers, "Accept: application/json") &&
           add_header(l, headers, "Expect:"); /* or a large request would wait for a go-ahead */
}

static bool token_header(struct http_link *l, const char *token)
{
    struct buf header = { 0 };
    mgi_buf_printf(&header, "Authorization: Bearer %s", token);
    bool ok = !header.oom && common_headers(l, &l->with_token) &&
              add_header(l, &l->with_token, header.ptr);
    if (header.ptr)
        explicit_bzero(header.ptr, header.len);
    mgi_buf_fini(&header);
    return ok;
}

static enum manglecp_status http_use_token(struct link *link, const char *token)
{
    struct http_link *l = (struct http_link *)link;
    forget_token(l);
    return token_header(l, token) ? MANGLECP_OK : MANGLECP_ERR_NOMEM;
}

static const struct link_table http_table = { .open = http_open,
                                              .adopt = http_adopt,
                                              .send = http_send,
                                              .receive = http_receive,
                                              .withheld = http_withheld,
                                              .use_token = http_use_token,
                                              .shows_certificate = http_shows_certificate,
                                              .close = http_close };

static bool is_one_word(const char *token)
{
    for (; *token; token++)
        if (*token < 0x21 || *token > 0x7e)
            return false;
    return true;
}

static bool set_up(struct http_link *l)
{
    const char *token = l->options.token;
    l->curl = l->api.easy_init();
    if (!l->curl || !common_headers(l, &l->plain) || (token && !token_header(l, token)) ||
        !mgi_client_keep_files(&l->options, &l->life))
        return false;
    if (l->options.ca_file)
        l->api.easy_setopt(l->curl, CURLOPT_CAINFO, l->options.ca_file);
    l->api.easy_setopt(l->curl, CURLOPT_WRITEFUNCTION, mgi_curl_take);
    l->api.easy_setopt(l->curl, CURLOPT_ERRORBUFFER, l->fault);
    l->api.easy_setopt(l->curl, CURLOPT_NOSIGNAL, 1L);
    l->api.easy_setopt(l->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    l->api.easy_setopt(l->curl, CURLOPT_FOLLOWLOCATION, 0L);
    l->api.easy_setopt(l->curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    l->api.easy_setopt(l->curl, CURLOPT_XFERINFOFUNCTION, look_up);
    l->api.easy_setopt(l->curl, CURLOPT_XFERINFODATA, l);
    l->api.easy_setopt(l->curl, CURLOPT_USERAGENT, "manglecp/" MANGLECP_VERSION);
    l->options.token = l->options.confirm_key = NULL; /* the caller's, and not ours to keep */
    return true;
}

struct link *mgi_link_http(const char *url, const struct manglecp_options *options,
                           enum manglecp_status *status, struct buf *why)
{
    *status = MANGLECP_ERR_NOMEM;
    struct http_link *l = mgi_calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->link.table = &http_table;
    l->options = *options;
    mgi_arena_init(&l->life, 0);
    if (!mgi_curl_late_open(&l->api, why)) {
        mgi_free(l);
        *status = MANGLECP_ERR_TRANSPORT;
        return NULL;
    }
    if (options->token && !is_one_word(options->token)) {
        mgi_buf_puts(why, "the token is not one word of printable characters");
        *status = MANGLECP_ERR_USAGE;
    } else if (set_up(l)) {
        *status = mgi_address_of_manifest(&l->api, url, &l->manifest, why);
    }
    if (!*status && options->token && !options->insecure)
        *status = mgi_address_may_have_token(l->manifest.url, why);
    if (!*status)
        return &l->link;
    http_close(&l->link);
    return NULL;
}
