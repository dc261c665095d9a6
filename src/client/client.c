/* A client is made, asked about itself, and closed. What it does is in the other files
 * (client_int.h). */
#include <stdio.h>

#include "base/alloc.h"
#include "client/client_int.h"
#include "client/links.h"
#include "client/origin.h"

/* ---- opening and closing ------------------------------------------------------------------- */

enum manglecp_status mgi_client_open(struct link *link, const struct manglecp_options *options,
                                     manglecp_client **out, struct buf *why)
{
    *out = NULL;
    manglecp_client *c = mgi_calloc(1, sizeof *c);
    if (!c) {
        link->table->close(link);
        return MANGLECP_ERR_NOMEM;
    }
    c->link = link;
    c->options = mgi_client_defaults(options);
    c->options.ca_file = c->options.certificate = c->options.certificate_key =
        c->options.credentials = NULL; /* the link's, and the login's */
    c->next_id = 1;
    mgi_arena_init(&c->life, 0);
    mgi_arena_init(&c->last, 0);
    mgi_client_begin(c);
    enum manglecp_status status = mgi_option_keep(&c->life, &c->options.token) &&
                                          mgi_option_keep(&c->life, &c->options.confirm_key)
                                      ? mgi_session_begin(c)
                                      : MANGLECP_ERR_NOMEM;
    if (status) {
        mgi_buf_str(why, mgi_buf_view(&c->message));
        manglecp_close(c);
        return status;
    }
    *out = c;
    return MANGLECP_OK;
}

/* Where one of them leads. NULL: *status and `why` say why not. */
static struct link *link_to(const char *url, const char *const *argv,
                            const struct manglecp_options *o, enum manglecp_status *status,
                            struct buf *why)
{
    if (!url)
        return mgi_link_stdio(argv, o, status, why);
    return mgi_address_is_websocket(url) ? mgi_link_ws(url, o, status, why)
           : o->websocket                ? mgi_link_announced(url, o, status, why)
                                         : mgi_link_http(url, o, status, why);
}

/* Over `url`, or if that is NULL over the streams of `argv`. */
static enum manglecp_status open_over(const char *url, const char *const *argv,
                                      const struct manglecp_options *options, manglecp_client **out,
                                      char *message, size_t cap)
{
    struct manglecp_options o = mgi_client_defaults(options);
    const struct stored_login login = { o.credentials, url, o.ca_file };
    struct buf why = { 0 }, token = { 0 };
    *out = NULL;
    enum manglecp_status status = mgi_token_choose(&o, &login, &token, &why);
    struct link *link = status ? NULL : link_to(url, argv, &o, &status, &why);
    if (link)
        status = mgi_client_open(link, &o, out, &why);
    if (*out && token.ptr && (status = mgi_token_keep(*out, &login, &token)) != MANGLECP_OK) {
        manglecp_close(*out);
        *out = NULL;
    }
    mgi_buf_wipe(&token);
    const char *otherwise = status == MANGLECP_ERR_NOMEM ? "out of memory" : "";
    if (message && cap > 0)
        snprintf(message, cap, "%s", why.len > 0 ? why.ptr : otherwise);
    mgi_buf_fini(&why);
    return status;
}

enum manglecp_status manglecp_connect(const char *url, const struct manglecp_options *options,
                                      manglecp_client **out, char *message, size_t cap)
{
    return open_over(url ? url : "", NULL, options, out, message, cap);
}

enum manglecp_status manglecp_spawn(const char *const *argv, const struct manglecp_options *options,
                                    manglecp_client **out, char *message, size_t cap)
{
    return open_over(NULL, argv, options, out, message, cap);
}

void manglecp_close(manglecp_client *c)
{
    if (!c)
        return;
    c->link->table->close(c->link);
    mgi_manifest_free(c->manifest);
    mgi_buf_fini(&c->request);
    mgi_buf_fini(&c->in.text);
    mgi_buf_fini(&c->message);
    mgi_buf_wipe(&c->token);
    mgi_arena_fini(&c->last);
    mgi_arena_fini(&c->life);
    mgi_free(c);
}

/* ---- the server ---------------------------------------------------------------------------- */

const char *manglecp_manifest(const manglecp_client *c, size_t *len)
{
    if (len)
        *len = c->manifest->text.len;
    return c->manifest->text.ptr;
}

enum manglecp_state manglecp_server_state(const manglecp_client *c)
{
    return c->manifest->state;
}

enum manglecp_status manglecp_refresh(manglecp_client *c)
{
    mgi_client_begin(c);
    return mgi_session_refresh(c);
}

enum manglecp_status manglecp_request(manglecp_client *c, const char *type, const char *payload,
                                      const char **json)
{
    char key[KEY_CHARS + 1];
    struct json v;
    struct question q = { .type = mgi_message_type(str_of(type)), .payload = str_of(payload) };
    if (json)
        *json = "";
    mgi_client_begin(c);
    if (q.type != MSG_INTENT_REQUEST && q.type != MSG_INVOKE_REQUEST && q.type != MSG_AUTHENTICATE)
        return mgi_fail(c, MANGLECP_ERR_USAGE, "\"%s\" is not a request", type);
    if (mgi_json_parse(&c->last, q.payload, NULL, &v, NULL) != JSON_OK || v.type != JSON_OBJECT)
        return mgi_fail(c, MANGLECP_ERR_USAGE, "the payload is no JSON object");
    if (q.type == MSG_INVOKE_REQUEST) {
        if (!mgi_random_key(key))
            return mgi_fail(c, MANGLECP_ERR_TRANSPORT, "the system has no randomness");
        q.key = key;
        snprintf(c->key, sizeof c->key, "%s", key);
    }
    enum manglecp_status status = mgi_session_ask(c, &q);
    if (json && q.was_answered)
        *json = c->in.text.ptr;
    return status;
}
