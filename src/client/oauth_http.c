/* An exchange with whoever gives tokens; see oauth_http.h. */
#include "client/oauth_http.h"

#include <strings.h>

#include "base/time.h"
#include "base/utf8.h"
#include "client/sigpipe.h"
#include "sys/clock.h"

#define CHALLENGE_BYTES ((size_t)16 * 1024)

static size_t take_header(char *bytes, size_t one, size_t count, void *context)
{
    static const char name[] = "www-authenticate:";
    struct buf *challenge = context;
    size_t len = one * count;
    if (len >= sizeof name && strncasecmp(bytes, name, sizeof name - 1) == 0) {
        struct str value = { bytes + sizeof name - 1, len - sizeof name + 1 };
        if (challenge->len > 0)
            mgi_buf_puts(challenge, ", ");
        mgi_buf_str(challenge, mgi_str_trim(value, " \t\r\n"));
    }
    return challenge->oom ? 0 : len;
}

static void set_transfer_up(const struct curl_late *api, CURL *c, const struct oauth_ask *ask,
                            struct oauth_reply *out, char *fault)
{
    int64_t left_ms = (ask->deadline_ns - mgi_clock_mono_ns()) / NS_PER_MS;
    mgi_curl_set_url(api, c, ask->url);
    api->easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
    api->easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
    api->easy_setopt(c, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    api->easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    api->easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)(left_ms < 1 ? 1 : left_ms));
    api->easy_setopt(c, CURLOPT_WRITEFUNCTION, mgi_curl_take);
    api->easy_setopt(c, CURLOPT_WRITEDATA, &out->body);
    api->easy_setopt(c, CURLOPT_HEADERFUNCTION, take_header);
    api->easy_setopt(c, CURLOPT_HEADERDATA, &out->challenge);
    api->easy_setopt(c, CURLOPT_ERRORBUFFER, fault);
    api->easy_setopt(c, CURLOPT_USERAGENT, "manglecp/" MANGLECP_VERSION);
    if (ask->ca_file)
        api->easy_setopt(c, CURLOPT_CAINFO, ask->ca_file);
    if (ask->certificate)
        api->easy_setopt(c, CURLOPT_SSLCERT, ask->certificate);
    if (ask->certificate_key)
        api->easy_setopt(c, CURLOPT_SSLKEY, ask->certificate_key);
    if (ask->body.ptr) {
        api->easy_setopt(c, CURLOPT_POST, 1L);
        api->easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)ask->body.len);
        api->easy_setopt(c, CURLOPT_POSTFIELDS, ask->body.ptr);
    }
}

/* NULL: memory. */
static struct curl_slist *headers_of(const struct curl_late *api, const struct oauth_ask *ask)
{
    struct buf line = { 0 };
    struct curl_slist *list = api->slist_append(NULL, "Accept: application/json"), *more = list;
    if (ask->body.ptr) {
        mgi_buf_printf(&line, "Content-Type: %s", ask->type);
        more = list && !line.oom ? api->slist_append(list, line.ptr) : NULL;
        if (more)
            more = api->slist_append(list, "Expect:");
    }
    mgi_buf_fini(&line);
    if (!more)
        api->slist_free_all(list);
    return more ? list : NULL;
}

static enum manglecp_status failed(const struct curl_late *api, const struct oauth_ask *ask,
                                   const struct oauth_reply *r, CURLcode rc, const char *fault,
                                   struct buf *why)
{
    bool full = r->body.full || r->challenge.full;
    if (rc == CURLE_OUT_OF_MEMORY || ((r->body.oom || r->challenge.oom) && !full))
        return MANGLECP_ERR_NOMEM;
    mgi_buf_printf(why, "%s: ", ask->url);
    if (full) {
        mgi_buf_puts(why, "the answer is too large");
        return MANGLECP_ERR_PROTOCOL;
    }
    mgi_utf8_show(why, str_of(fault[0] ? fault : api->easy_strerror(rc)));
    return rc == CURLE_OPERATION_TIMEDOUT ? MANGLECP_ERR_TIMEOUT : MANGLECP_ERR_TRANSPORT;
}

enum manglecp_status mgi_oauth_ask(const struct curl_late *api, const struct oauth_ask *ask,
                                   struct oauth_reply *out, struct buf *why)
{
    struct sigpipe_hold hold;
    char fault[CURL_ERROR_SIZE] = "";
    long status = 0;
    CURLcode rc = CURLE_OUT_OF_MEMORY;
    *out = (struct oauth_reply){ .body.limit = ask->max_bytes, .challenge.limit = CHALLENGE_BYTES };
    CURL *c = api->easy_init();
    struct curl_slist *headers = c ? headers_of(api, ask) : NULL;
    mgi_sigpipe_hold(&hold);
    if (headers) {
        set_transfer_up(api, c, ask, out, fault);
        api->easy_setopt(c, CURLOPT_HTTPHEADER, headers);
        rc = api->easy_perform(c);
        api->easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
    }
    if (c)
        api->easy_cleanup(c);
    mgi_sigpipe_release(&hold);
    api->slist_free_all(headers);
    out->status = (int)status;
    if (rc == CURLE_OK)
        return MANGLECP_OK;
    enum manglecp_status failure = failed(api, ask, out, rc, fault, why);
    mgi_oauth_reply_fini(out);
    return failure;
}

void mgi_oauth_reply_fini(struct oauth_reply *r)
{
    mgi_buf_wipe(&r->body);
    mgi_buf_fini(&r->challenge);
}
