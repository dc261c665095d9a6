/* A link over HTTP: libcurl, one connection kept alive. The manifest says where to post
 * (P-DISC-1..4); relative endpoints are resolved against the manifest's own URL (P-HTTP-4). */
#include <stdio.h>

#include "base/alloc.h"
#include "client/client_int.h"
#include "client/curl_late.h"

#define WELL_KNOWN   "/.well-known/manglecp/manifest.json"
#define ANSWER_BYTES ((size_t)64 * 1024 * 1024)

struct http_link {
    struct link link;
    struct curl_late api;
    CURL *curl;
    struct curl_slist *headers;
    char *intent_url, *invoke_url; /* curl_free */
    char error[CURL_ERROR_SIZE];
};

static size_t take_body(char *bytes, size_t one, size_t count, void *context)
{
    struct buf *body = context;
    mgi_buf_append(body, bytes, one * count);
    return body->oom ? 0 : one * count;
}

static enum manglecp_status transfer(struct http_link *l, const char *url, struct str post,
                                     struct buf *answer, int64_t timeout_ms, long *http_status,
                                     struct buf *why)
{
    CURL *c = l->curl;
    mgi_buf_clear(answer);
    answer->limit = ANSWER_BYTES;
    l->error[0] = '\0';
    l->api.easy_setopt(c, CURLOPT_URL, url);
    l->api.easy_setopt(c, CURLOPT_WRITEDATA, answer);
    l->api.easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)timeout_ms);
    if (post.ptr) {
        l->api.easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)post.len);
        l->api.easy_setopt(c, CURLOPT_POSTFIELDS, post.ptr);
    } else {
        l->api.easy_setopt(c, CURLOPT_HTTPGET, 1L);
    }
    CURLcode rc = l->api.easy_perform(c);
    if (rc != CURLE_OK) {
        mgi_buf_printf(why, "%s: %s", url, l->error[0] ? l->error : l->api.easy_strerror(rc));
        return rc == CURLE_OPERATION_TIMEDOUT ? MANGLECP_ERR_TIMEOUT : MANGLECP_ERR_TRANSPORT;
    }
    l->api.easy_getinfo(c, CURLINFO_RESPONSE_CODE, http_status);
    return MANGLECP_OK;
}

static enum manglecp_status http_send(struct link *link, const char *type, struct str message,
                                      struct buf *answer, int64_t timeout_ms, struct buf *why)
{
    struct http_link *l = (struct http_link *)link;
    long status;
    if (strcmp(type, "authenticate") == 0) {
        mgi_buf_puts(why, "over HTTP the token goes with every request; there is no authenticate");
        return MANGLECP_ERR_USAGE;
    }
    const char *url = strcmp(type, "intent_request") == 0 ? l->intent_url : l->invoke_url;
    return transfer(l, url, message, answer, timeout_ms, &status, why);
}

static enum manglecp_status http_receive(struct link *link, struct buf *answer, int64_t timeout_ms,
                                         struct buf *why)
{
    (void)link, (void)answer, (void)timeout_ms;
    mgi_buf_puts(why, "the answer does not belong to the request");
    return MANGLECP_ERR_PROTOCOL;
}

static void http_close(struct link *link)
{
    struct http_link *l = (struct http_link *)link;
    l->api.free(l->intent_url);
    l->api.free(l->invoke_url);
    l->api.slist_free_all(l->headers);
    l->api.easy_cleanup(l->curl);
    mgi_free(l);
}

static const struct link_table http_table = { http_send, http_receive, http_close };

static bool add_header(struct http_link *l, const char *header)
{
    struct curl_slist *more = l->api.slist_append(l->headers, header);
    if (more)
        l->headers = more;
    return more != NULL;
}

static bool set_up(struct http_link *l, const char *token)
{
    l->curl = l->api.easy_init();
    if (!l->curl || !add_header(l, "Content-Type: application/json") ||
        !add_header(l, "Accept: application/json") || !add_header(l, "Expect:"))
        return false;
    if (token) {
        struct buf header = { 0 };
        mgi_buf_printf(&header, "Authorization: Bearer %s", token);
        bool ok = !header.oom && add_header(l, header.ptr);
        mgi_buf_fini(&header);
        if (!ok)
            return false;
    }
    l->api.easy_setopt(l->curl, CURLOPT_HTTPHEADER, l->headers);
    l->api.easy_setopt(l->curl, CURLOPT_WRITEFUNCTION, take_body);
    l->api.easy_setopt(l->curl, CURLOPT_ERRORBUFFER, l->error);
    l->api.easy_setopt(l->curl, CURLOPT_NOSIGNAL, 1L);
    l->api.easy_setopt(l->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    l->api.easy_setopt(l->curl, CURLOPT_USERAGENT, "manglecp/" MANGLECP_VERSION);
    return true;
}

/* `url` itself if it names a manifest, else the well-known path of its host. curl_free. */
static char *manifest_url(const struct curl_late *api, const char *url)
{
    CURLU *u = api->url();
    char *out = NULL;
    if (u && api->url_set(u, CURLUPART_URL, url, 0) == CURLUE_OK) {
        char *path = NULL;
        api->url_get(u, CURLUPART_PATH, &path, 0);
        if (!path || strcmp(path, "/") == 0)
            api->url_set(u, CURLUPART_PATH, WELL_KNOWN, 0);
        api->free(path);
        api->url_get(u, CURLUPART_URL, &out, 0);
    }
    api->url_cleanup(u);
    return out;
}

static char *resolve(const struct curl_late *api, const char *base, struct str reference)
{
    CURLU *u = api->url();
    struct buf text = { 0 };
    char *out = NULL;
    mgi_buf_str(&text, reference);
    if (u && !text.oom && text.ptr && api->url_set(u, CURLUPART_URL, base, 0) == CURLUE_OK &&
        api->url_set(u, CURLUPART_URL, text.ptr, 0) == CURLUE_OK)
        api->url_get(u, CURLUPART_URL, &out, 0);
    mgi_buf_fini(&text);
    api->url_cleanup(u);
    return out;
}

/* Find the endpoints in the manifest message. */
static bool read_endpoints(struct http_link *l, const char *base, const struct buf *manifest,
                           struct buf *why)
{
    struct arena arena;
    struct envelope e;
    struct wire_error fault = { .retry_after_ms = -1 };
    mgi_arena_init(&arena, 0);
    bool ok =
        mgi_envelope_parse(&arena, mgi_buf_view(manifest), SIZE_MAX, 0, FROM_SERVER, &e, &fault) &&
        e.type == MSG_MANIFEST;
    if (ok) {
        const struct json *endpoints = mgi_json_get(e.payload, "endpoints");
        const struct json *intent = endpoints ? mgi_json_get(endpoints, "intent_eval") : NULL;
        const struct json *invoke = endpoints ? mgi_json_get(endpoints, "macro_invoke") : NULL;
        if (intent && intent->type == JSON_STRING && invoke && invoke->type == JSON_STRING) {
            l->intent_url = resolve(&l->api, base, intent->string);
            l->invoke_url = resolve(&l->api, base, invoke->string);
        }
        ok = l->intent_url && l->invoke_url;
    }
    if (!ok)
        mgi_buf_printf(why, "%s is no manifest of a MangleCP server with its endpoints", base);
    mgi_arena_fini(&arena);
    return ok;
}

struct link *mgi_link_http(const char *url, const struct manglecp_options *options,
                           struct buf *manifest, enum manglecp_status *status, struct buf *why)
{
    struct http_link *l = mgi_calloc(1, sizeof *l);
    char *base = NULL;
    long http_status = 0;
    *status = MANGLECP_ERR_NOMEM;
    if (!l)
        return NULL;
    l->link.table = &http_table;
    if (!mgi_curl_late_open(&l->api, why)) {
        *status = MANGLECP_ERR_TRANSPORT;
        mgi_free(l);
        return NULL;
    }
    if (!set_up(l, options->token))
        goto failed;
    *status = MANGLECP_ERR_TRANSPORT;
    base = manifest_url(&l->api, url);
    if (!base) {
        mgi_buf_printf(why, "\"%s\" is no URL", url);
        goto failed;
    }
    *status = transfer(l, base, (struct str){ NULL, 0 }, manifest, options->timeout_ms,
                       &http_status, why);
    if (*status)
        goto failed;
    *status = MANGLECP_ERR_TRANSPORT;
    if (http_status != 200) { /* a 404 here means: not MangleCP (P-DISC-4) */
        mgi_buf_printf(why, "%s answered with status %ld: this host does not speak MangleCP", base,
                       http_status);
        goto failed;
    }
    if (!read_endpoints(l, base, manifest, why))
        goto failed;
    l->api.free(base);
    *status = MANGLECP_OK;
    return &l->link;

failed:
    l->api.free(base);
    http_close(&l->link);
    return NULL;
}
