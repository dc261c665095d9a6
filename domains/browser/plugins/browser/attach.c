/* What a setting and a browser say about where its DevTools are: see attach.h. */
#include "attach.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>

#include "base/json.h"
#include "guard.h"
#include "net/answer_head.h"

#define HOST_MOST 45 /* letters of an address; a name is none */

/* ---- the place ------------------------------------------------------------------------------ */

static bool add_four(struct attach_place *out, const char *text, int port)
{
    struct sockaddr_in *at = (struct sockaddr_in *)&out->at[out->count];
    if (inet_pton(AF_INET, text, &at->sin_addr) != 1)
        return false;
    at->sin_family = AF_INET;
    at->sin_port = htons((uint16_t)port);
    out->count++;
    return true;
}

static bool add_six(struct attach_place *out, const char *text, int port)
{
    struct sockaddr_in6 *at = (struct sockaddr_in6 *)&out->at[out->count];
    if (inet_pton(AF_INET6, text, &at->sin6_addr) != 1)
        return false;
    at->sin6_family = AF_INET6;
    at->sin6_port = htons((uint16_t)port);
    out->count++;
    return true;
}

static bool take_place(struct attach_place *out, struct str host, int port)
{
    char text[HOST_MOST + 1];
    if (host.len == 0 || host.len > HOST_MOST || port <= 0)
        return false;
    snprintf(text, sizeof text, "%.*s", STR_ARG(host));
    bool six = memchr(text, ':', host.len) != NULL;
    snprintf(out->authority, sizeof out->authority, six ? "[%s]:%d" : "%s:%d", text, port);
    if (strcmp(text, "localhost") == 0)
        return add_four(out, "127.0.0.1", port) && add_six(out, "::1", port);
    return six ? add_six(out, text, port) : add_four(out, text, port);
}

/* Where the path of an address begins; its length if there is none. */
static size_t path_at(struct str url)
{
    size_t at = mgi_str_find(url, STR_LIT("://"));
    for (at = at == SIZE_MAX ? url.len : at + 3; at < url.len; at++)
        if (strchr("/?#\\", url.ptr[at]))
            break;
    return at;
}

/* As it may stand in a request's first line. */
static bool is_target(struct str path)
{
    for (size_t i = 0; i < path.len; i++)
        if (path.ptr[i] <= ' ' || path.ptr[i] > '~' || path.ptr[i] == '#' || path.ptr[i] == '\\')
            return false;
    return path.len <= ATTACH_PATH_MOST && (path.len == 0 || path.ptr[0] == '/');
}

const char *mgi_attach_parse(struct str setting, struct attach_place *out)
{
    struct guard_url url;
    *out = (struct attach_place){ .count = 0 };
    size_t at = path_at(setting);
    struct str path = { setting.ptr + at, setting.len - at };
    if (!is_target(path) || memchr(setting.ptr, '@', at) || !mgi_guard_parse(setting, &url))
        return "it is no address of DevTools: write http://127.0.0.1:9222, for example";
    bool web = str_is(url.scheme, "http");
    if (!web && !str_is(url.scheme, "ws"))
        return "DevTools are spoken to over http:// or ws://";
    if (!take_place(out, url.host, url.port))
        return "its host is neither an address nor localhost; browsers answer to no other name";
    if (str_is(path, "/"))
        path.len = 0;
    if (web && path.len > 0)
        return "an http:// address has no path here: the browser is asked for its own";
    if (mgi_str_starts(path, STR_LIT("/devtools/page/")))
        return "it is the address of a page; that of the browser is needed, or http://HOST:PORT";
    memcpy(out->path, path.ptr, path.len);
    return NULL;
}

/* ---- the answer to a GET -------------------------------------------------------------------- */

static enum attach_answer bad_answer(struct buf *why, const char *text)
{
    mgi_buf_puts(why, text);
    return ATTACH_BAD;
}

/* False: it has none, and *length is SIZE_MAX; or one that is too large, and *length is more than
 * what is taken. */
static size_t body_length(struct str head)
{
    struct str value;
    size_t length = 0;
    if (!mgi_answer_head_field(head, "content-length", &value))
        return SIZE_MAX;
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] < '0' || value.ptr[i] > '9' || i >= 9)
            return ATTACH_BODY_MOST + 1;
        length = length * 10 + (size_t)(value.ptr[i] - '0');
    }
    return value.len > 0 ? length : ATTACH_BODY_MOST + 1;
}

static enum attach_answer judge_body(struct str head, struct str rest, bool over, struct str *body,
                                     struct buf *why)
{
    struct str coding;
    size_t length = body_length(head);
    if (mgi_answer_head_field(head, "transfer-encoding", &coding))
        return bad_answer(why, "it answers in pieces, as no browser does");
    if ((length != SIZE_MAX && length > ATTACH_BODY_MOST) || rest.len > ATTACH_BODY_MOST)
        return bad_answer(why, "its answer is too long");
    *body = rest;
    if (length == SIZE_MAX)
        return over ? ATTACH_WHOLE : ATTACH_MORE;
    if (rest.len < length)
        return over ? bad_answer(why, "its answer is cut off") : ATTACH_MORE;
    body->len = length;
    return ATTACH_WHOLE;
}

enum attach_answer mgi_attach_answer(struct str bytes, bool over, struct str *body, struct buf *why)
{
    int status;
    size_t end = mgi_str_find(bytes, STR_LIT("\r\n\r\n"));
    if (end == SIZE_MAX && bytes.len <= ATTACH_HEAD_MOST && !over)
        return ATTACH_MORE;
    if (end == SIZE_MAX || end > ATTACH_HEAD_MOST)
        return bad_answer(why, "its answer has no head that ends");
    struct str head = { bytes.ptr, end };
    if (!mgi_answer_head_status(head, &status))
        return bad_answer(why, "no DevTools are there: it does not speak HTTP/1.1");
    if (status != 200) {
        mgi_buf_printf(why, "it answers GET /json/version with status %d", status);
        return ATTACH_BAD;
    }
    return judge_body(head, (struct str){ bytes.ptr + end + 4, bytes.len - end - 4 }, over, body,
                      why);
}

const char *mgi_attach_path(struct arena *arena, struct str body, char out[ATTACH_PATH_MOST + 1])
{
    struct json about;
    if (mgi_json_parse(arena, body, NULL, &about, NULL) != JSON_OK || about.type != JSON_OBJECT)
        return "its /json/version is no JSON object";
    const struct json *said = mgi_json_get(&about, "webSocketDebuggerUrl");
    struct str url = said && said->type == JSON_STRING ? said->string : STR_LIT("");
    size_t at = path_at(url);
    struct str path = { url.ptr + at, url.len - at };
    if (path.len < 2 || !is_target(path))
        return "its /json/version names no WebSocket of the browser";
    memcpy(out, path.ptr, path.len);
    out[path.len] = '\0';
    return NULL;
}
