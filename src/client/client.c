/* A client is made, asked about itself, and closed. What it does is in the other files
 * (client_int.h). */
#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"
#include "client/client_int.h"
#include "client/links.h"
#include "client/origin.h"
#include "sys/clock.h"

#define CONNECT_MS  5000
#define MANIFEST_MS 10000
#define ANSWER_MS   60000
#define READY_MS    30000
#define LONGEST_MS  (INT64_C(365) * 24 * 3600 * 1000) /* no deadline overflows */

/* ---- what one call leaves behind ----------------------------------------------------------- */

void mgi_client_begin(manglecp_client *c)
{
    mgi_buf_clear(&c->message);
    mgi_arena_reset(&c->last);
    c->error = (struct manglecp_error){ "", "", "{}", false, -1, "" };
    c->problems = NULL;
    c->problem_count = c->problem_cap = 0;
}

enum manglecp_status mgi_problem(manglecp_client *c, const char *where, const char *what,
                                 const char *format, ...)
{
    va_list args;
    struct buf text = { 0 };
    struct manglecp_problem p = { .where = mgi_arena_strdup(&c->last, where),
                                  .what = mgi_arena_strdup(&c->last, what) };
    va_start(args, format);
    mgi_buf_vprintf(&text, format, args);
    va_end(args);
    if (text.oom)
        c->last.oom = true;
    p.message = mgi_arena_str(&c->last, mgi_buf_view(&text)).ptr;
    mgi_buf_fini(&text);
    if (!p.where || !p.what || !p.message ||
        !mgi_arena_grow(&c->last, &c->problems, &c->problem_cap, c->problem_count + 1,
                        sizeof *c->problems))
        return MANGLECP_ERR_NOMEM;
    c->problems[c->problem_count++] = p;
    return MANGLECP_ERR_INVALID;
}

enum manglecp_status mgi_problems_status(manglecp_client *c)
{
    if (c->last.oom)
        return MANGLECP_ERR_NOMEM;
    if (c->problem_count == 0)
        return MANGLECP_OK;
    const struct manglecp_problem *p = &c->problems[0];
    return c->problem_count == 1 ? mgi_fail(c, MANGLECP_ERR_INVALID, "%s: %s", p->where, p->message)
                                 : mgi_fail(c, MANGLECP_ERR_INVALID, "%s: %s (and %zu more)",
                                            p->where, p->message, c->problem_count - 1);
}

enum manglecp_status mgi_fail(manglecp_client *c, enum manglecp_status status, const char *format,
                              ...)
{
    va_list args;
    mgi_buf_clear(&c->message);
    va_start(args, format);
    mgi_buf_vprintf(&c->message, format, args);
    va_end(args);
    return status;
}

const char *manglecp_message(const manglecp_client *c)
{
    return c->message.ptr ? c->message.ptr : "";
}

const struct manglecp_error *manglecp_error(const manglecp_client *c)
{
    return &c->error;
}

size_t manglecp_problem_count(const manglecp_client *c)
{
    return c->problem_count;
}

const struct manglecp_problem *manglecp_problem(const manglecp_client *c, size_t i)
{
    return i < c->problem_count ? &c->problems[i] : NULL;
}

/* ---- options ------------------------------------------------------------------------------- */

static int64_t bounded(int64_t ms, int64_t otherwise)
{
    return ms <= 0 ? otherwise : ms < LONGEST_MS ? ms : LONGEST_MS;
}

static bool copied(struct arena *life, const char **text)
{
    if (*text && !(*text = mgi_arena_strdup(life, *text)))
        return false;
    return true;
}

bool mgi_client_keep_files(struct manglecp_options *options, struct arena *arena)
{
    return copied(arena, &options->ca_file) && copied(arena, &options->certificate) &&
           copied(arena, &options->certificate_key);
}

struct manglecp_options mgi_client_defaults(const struct manglecp_options *options)
{
    struct manglecp_options o = options ? *options : (struct manglecp_options){ 0 };
    o.connect_timeout_ms = bounded(o.connect_timeout_ms, CONNECT_MS);
    o.manifest_timeout_ms = bounded(o.manifest_timeout_ms, MANIFEST_MS);
    o.timeout_ms = bounded(o.timeout_ms, ANSWER_MS);
    o.ready_timeout_ms = o.ready_timeout_ms < 0 ? 0 : bounded(o.ready_timeout_ms, READY_MS);
    if (o.token && !o.token[0])
        o.token = NULL;
    if (o.credentials && !o.credentials[0])
        o.credentials = NULL;
    if (o.confirm_key && !o.confirm_key[0])
        o.confirm_key = NULL;
    return o;
}

int64_t mgi_client_now_ns(const manglecp_client *c)
{
    return c->options.clock_ns ? c->options.clock_ns(c->options.context) : mgi_clock_real_ns();
}

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
    enum manglecp_status status =
        copied(&c->life, &c->options.token) && copied(&c->life, &c->options.confirm_key)
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

/* ---- the token of a login -------------------------------------------------------------------- */

enum manglecp_status mgi_client_renew_token(manglecp_client *c)
{
    struct buf why = { 0 };
    if (!c->login.path)
        return mgi_fail(c, MANGLECP_ERR_CREDENTIALS, "the token is of no login");
    enum manglecp_status status = mgi_stored_token(&c->login, c->options.token, &c->token, &why);
    c->options.token = c->token.ptr;
    if (!status && !c->token.ptr) {
        mgi_buf_printf(&why, "the login for %s has ended", c->login.target);
        status = MANGLECP_ERR_CREDENTIALS;
    }
    c->authenticated = false;
    if (!status && c->link->table->use_token)
        status = c->link->table->use_token(c->link, c->token.ptr);
    if (status)
        mgi_fail(c, status, "%s", why.ptr ? why.ptr : "out of memory");
    mgi_buf_fini(&why);
    return status;
}

/* The client goes on with the token of `login`. */
static enum manglecp_status keep_login(manglecp_client *c, const struct stored_login *login,
                                       struct buf *token)
{
    c->login = *login;
    c->token = *token;
    *token = (struct buf){ 0 };
    c->options.token = c->token.ptr;
    return copied(&c->life, &c->login.path) && copied(&c->life, &c->login.target) &&
                   copied(&c->life, &c->login.ca_file)
               ? MANGLECP_OK
               : MANGLECP_ERR_NOMEM;
}

/* The caller's token, or else that of the login; and a key that can be one. */
static enum manglecp_status choose_token(struct manglecp_options *o,
                                         const struct stored_login *login, struct buf *token,
                                         struct buf *why)
{
    enum manglecp_status status = MANGLECP_OK;
    if (o->confirm_key && !mgi_consent_key_ok(o->confirm_key)) {
        mgi_buf_puts(why, "the confirmation key is not base64url");
        return MANGLECP_ERR_USAGE;
    }
    if (login->target && login->path && !o->token) {
        status = mgi_stored_token(login, NULL, token, why);
        o->token = token->ptr;
    }
    return status;
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
    enum manglecp_status status = choose_token(&o, &login, &token, &why);
    struct link *link = status ? NULL : link_to(url, argv, &o, &status, &why);
    if (link)
        status = mgi_client_open(link, &o, out, &why);
    if (*out && token.ptr && (status = keep_login(*out, &login, &token)) != MANGLECP_OK) {
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
