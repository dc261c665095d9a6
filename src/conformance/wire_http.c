/* One exchange over HTTP by libcurl, with whatever headers and body are wanted (wire.h). */
#include "net/curl_late.h"
#include "client/sigpipe.h"
#include "conformance/wire_int.h"

#define CALL_HEADERS (sizeof((struct http_call *)0)->headers / sizeof(const char *))

static size_t take_bytes_in(char *bytes, size_t one, size_t count, void *context)
{
    struct buf *out = context;
    mgi_buf_append(out, bytes, one * count);
    return out->oom ? 0 : one * count;
}

static void set_call(const struct curl_late *api, CURL *curl, const struct http_call *call,
                     struct http_reply *reply)
{
    api->easy_setopt(curl, CURLOPT_URL, call->url);
    api->easy_setopt(curl, CURLOPT_CUSTOMREQUEST, call->method);
    api->easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    api->easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    api->easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    api->easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)call->wait_ms);
    api->easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_bytes_in);
    api->easy_setopt(curl, CURLOPT_WRITEDATA, &reply->body);
    api->easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_bytes_in);
    api->easy_setopt(curl, CURLOPT_HEADERDATA, &reply->head);
    if (call->ca_file)
        api->easy_setopt(curl, CURLOPT_CAINFO, call->ca_file);
    if (strcmp(call->method, "POST") == 0) {
        api->easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)call->body.len);
        api->easy_setopt(curl, CURLOPT_POSTFIELDS, call->body.len ? call->body.ptr : "");
    }
}

static CURLcode perform(const struct curl_late *api, CURL *curl, const struct http_call *call,
                        struct http_reply *reply)
{
    struct sigpipe_hold hold;
    struct curl_slist *headers = api->slist_append(NULL, "Expect:");
    for (size_t i = 0; headers && i < CALL_HEADERS && call->headers[i]; i++)
        headers = api->slist_append(headers, call->headers[i]);
    set_call(api, curl, call, reply);
    api->easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    mgi_sigpipe_hold(&hold);
    CURLcode rc = headers ? api->easy_perform(curl) : CURLE_OUT_OF_MEMORY;
    mgi_sigpipe_release(&hold);
    api->slist_free_all(headers);
    return rc;
}

bool mgi_wire_exchange(const struct http_call *call, struct http_reply *reply, struct buf *why)
{
    struct curl_late api;
    long status = 0;
    *reply = (struct http_reply){ .head.limit = 1 << 20, .body.limit = HEARD_BYTES };
    if (!mgi_curl_late_open(&api, why))
        return false;
    CURL *curl = api.easy_init();
    if (!curl)
        return false;
    CURLcode rc = perform(&api, curl, call, reply);
    if (rc == CURLE_OK)
        api.easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    else
        mgi_buf_printf(why, "%s %s: %s", call->method, call->url, api.easy_strerror(rc));
    reply->status = (int)status;
    api.easy_cleanup(curl);
    return rc == CURLE_OK;
}

void mgi_wire_reply_fini(struct http_reply *reply)
{
    mgi_buf_fini(&reply->head);
    mgi_buf_fini(&reply->body);
}

static bool is_named(struct str line, const char *name)
{
    size_t len = strlen(name);
    if (line.len <= len || line.ptr[len] != ':')
        return false;
    for (size_t i = 0; i < len; i++)
        if ((line.ptr[i] | 0x20) != (name[i] | 0x20))
            return false;
    return true;
}

struct str mgi_wire_header(const struct http_reply *reply, const char *name)
{
    struct str rest = mgi_buf_view(&reply->head);
    while (rest.len > 0) {
        size_t end = mgi_str_find(rest, STR_LIT("\r\n"));
        struct str line = { rest.ptr, end == SIZE_MAX ? rest.len : end };
        if (is_named(line, name)) {
            size_t skip = strlen(name) + 1;
            return mgi_str_trim((struct str){ line.ptr + skip, line.len - skip }, " \t");
        }
        size_t gone = end == SIZE_MAX ? rest.len : end + 2;
        rest = (struct str){ rest.ptr + gone, rest.len - gone };
    }
    return (struct str){ NULL, 0 };
}
