/* One HTTP request, through the libcurl that the client library loads. */
#include "cli/manglecp_http.h"

#include <string.h>

#include "base/utf8.h"
#include "cli/cli_options.h"
#include "client/origin.h"
#include "client/stored_login.h"
#include "net/curl_late.h"

#define BODY_BYTES ((size_t)4 * 1024 * 1024)

/* "unix:PATH" */
static bool is_socket(const char *target)
{
    return strncmp(target, "unix:", 5) == 0;
}

/* "https://host:port" of an address; false if it is none. A WebSocket has its pages beside it. */
static bool write_origin(struct buf *out, const char *target)
{
    static const char *const schemes[][2] = {
        { "http://", "http://" },
        { "https://", "https://" },
        { "ws://", "http://" },
        { "wss://", "https://" },
    };
    if (is_socket(target)) { /* its name is no matter there */
        mgi_buf_puts(out, "http://localhost");
        return true;
    }
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t len = strlen(schemes[i][0]);
        size_t host = strncmp(target, schemes[i][0], len) == 0 ? strcspn(target + len, "/?#") : 0;
        if (host > 0) {
            mgi_buf_puts(out, schemes[i][1]);
            mgi_buf_append(out, target + len, host);
            return true;
        }
    }
    return false;
}

static struct curl_slist *make_headers(const struct curl_late *api, const struct cli_http *request)
{
    struct buf line = { 0 };
    struct curl_slist *list =
        request->body ? api->slist_append(NULL, "Content-Type: application/json") : NULL;
    if (request->token && request->token[0]) {
        mgi_buf_printf(&line, "Authorization: Bearer %s", request->token);
        struct curl_slist *longer = line.oom ? NULL : api->slist_append(list, line.ptr);
        list = longer ? longer : list; /* without it, it is refused */
    }
    mgi_buf_fini(&line);
    return list;
}

static void prepare(const struct curl_late *api, CURL *c, const struct cli_http *request,
                    const char *url, struct curl_slist *headers, struct buf *out, char *error)
{
    mgi_curl_set_url(api, c, url);
    api->easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    api->easy_setopt(c, CURLOPT_TIMEOUT_MS, request->timeout_ms);
    api->easy_setopt(c, CURLOPT_HTTPHEADER, headers);
    api->easy_setopt(c, CURLOPT_WRITEFUNCTION, mgi_curl_take);
    api->easy_setopt(c, CURLOPT_WRITEDATA, out);
    api->easy_setopt(c, CURLOPT_ERRORBUFFER, error);
    if (request->ca_file)
        api->easy_setopt(c, CURLOPT_CAINFO, request->ca_file);
    if (request->certificate)
        api->easy_setopt(c, CURLOPT_SSLCERT, request->certificate);
    if (request->certificate_key)
        api->easy_setopt(c, CURLOPT_SSLKEY, request->certificate_key);
    if (request->post) {
        api->easy_setopt(c, CURLOPT_POST, 1L);
        api->easy_setopt(c, CURLOPT_POSTFIELDSIZE,
                         request->body ? (long)strlen(request->body) : 0L);
        api->easy_setopt(c, CURLOPT_POSTFIELDS, request->body ? request->body : "");
    }
}

static bool exchange(const struct cli_http *request, const char *target, const char *path,
                     struct buf *out, long *status, struct buf *why)
{
    struct curl_late api;
    struct buf url = { 0 };
    char error[CURL_ERROR_SIZE] = "";
    if (!write_origin(&url, target)) {
        mgi_buf_printf(why, "%s is no http:// or https:// address", target);
        return false;
    }
    if (!mgi_curl_late_open(&api, why)) {
        mgi_buf_fini(&url);
        return false;
    }
    bool in_clear = request->token && !request->insecure && !is_socket(target);
    if (in_clear && mgi_address_may_have_token(url.ptr ? url.ptr : "", why)) {
        mgi_buf_fini(&url);
        return false;
    }
    mgi_buf_puts(&url, path);
    CURL *c = url.oom ? NULL : api.easy_init();
    struct curl_slist *headers = c ? make_headers(&api, request) : NULL;
    bool ok = false;
    if (!c) {
        mgi_buf_puts(why, "out of memory");
    } else {
        out->limit = BODY_BYTES;
        if (is_socket(target))
            api.easy_setopt(c, CURLOPT_UNIX_SOCKET_PATH, target + 5);
        prepare(&api, c, request, url.ptr, headers, out, error);
        CURLcode rc = api.easy_perform(c);
        ok = rc == CURLE_OK;
        if (ok)
            api.easy_getinfo(c, CURLINFO_RESPONSE_CODE, status);
        else {
            mgi_buf_printf(why, "%s: ", url.ptr);
            mgi_utf8_show(why, str_of(error[0] ? error : api.easy_strerror(rc)));
        }
    }
    api.slist_free_all(headers);
    if (c)
        api.easy_cleanup(c);
    mgi_buf_fini(&url);
    return ok;
}

/* The token of the login for `target`, if there is one. */
static bool take_token(struct cli_http *request, const char *target, struct buf *token,
                       struct buf *why)
{
    const struct stored_login login = { request->credentials, target, request->ca_file };
    bool good = mgi_stored_token(&login, request->token, token, why) == MANGLECP_OK;
    request->token = token->ptr;
    return good;
}

bool mgi_cli_http(const struct cli_http *request, const char *target, const char *path,
                  struct buf *out, long *status, struct buf *why)
{
    struct cli_http asked = *request;
    struct buf token = { 0 };
    if (asked.token && !asked.token[0])
        asked.token = NULL;
    bool by_login = !asked.token && asked.credentials && !is_socket(target);
    bool ok = !by_login || take_token(&asked, target, &token, why);
    ok = ok && exchange(&asked, target, path, out, status, why);
    if (ok && by_login && asked.token && *status == 401) { /* once: nothing was taken up */
        mgi_buf_clear(out);
        ok = take_token(&asked, target, &token, why) &&
             exchange(&asked, target, path, out, status, why);
    }
    mgi_buf_wipe(&token);
    return ok;
}

void mgi_cli_unreached_hint(const char *why)
{
    static const struct {
        const char *words, *hint;
    } rows[] = {
        { "certificate problem",
          "--ca FILE says who vouches for the server, in place of the system's list; a server with "
          "--tls-self-signed names that file in its log." },
        { "setting certificate file", "--ca names a file of certificates in PEM." },
        { "subject name", "Its certificate is for other names: call it by one of those." },
        { "wrong version number", "It may speak no TLS there: try http:// or ws://." },
        { "certificate required",
          "It asks who you are: --certificate FILE and --certificate-key FILE say so." },
        { "alert unknown ca", "It does not know who signed the certificate of --certificate." },
        { "private key file",
          "--certificate-key names the key, in PEM, of the certificate that --certificate names." },
        { "client certificate from", "--certificate names a file with your certificate, in PEM." },
        { "did not switch to WebSocket", "If it speaks TLS there, the address is wss://." },
        { "not one word",
          "Give the token alone: without Bearer, and not the line of a token file." },
        { "is not encrypted", "Use https:// or wss://; with --insecure it is sent all the same, "
                              "for everyone between to "
                              "read." },
        { "credentials in it", "Give a token with --token or in MANGLECP_TOKEN." },
        { "has ended", "Log in again: manglecp login TARGET." },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strstr(why, rows[i].words)) {
            mgi_cli_hint("%s", rows[i].hint);
            return;
        }
}

void mgi_cli_unreached(const char *why)
{
    mgi_cli_error("%s", why);
    mgi_cli_unreached_hint(why);
}
