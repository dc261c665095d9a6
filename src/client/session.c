/* One message at a time: when it may be sent, what comes back, and when it is sent again.
 *
 *     catch up -> look at the status -> log in (P-AUTH-6) -> send -> receive -> an answer
 *
 *     booting            wait for another manifest, within bounds (P-READY-1, -3, -5)
 *     draining           open again where that can help, else say so (P-READY-8)
 *     ready, degraded    go on
 *     the answer says "wait" (P-ERR-13 to -15) or "log in", or the connection was gone before the
 *     message had left: from the beginning
 *
 * The rule that everything else gives way to: an invocation that may have left is never sent again
 * from here. It is repeated only behind an answer which says that it was not taken up.
 *
 * Every loop here is bounded by attempts or by a deadline. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/time.h"
#include "client/client_int.h"
#include "sys/clock.h"

#define MAX_ATTEMPTS    5   /* of one request (P-ERR-15) */
#define FIRST_GAP_MS    100 /* between attempts; doubled each time (P-ERR-14) */
#define FIRST_LOOK_MS   200 /* between looks at a booting server's manifest */
#define LONGEST_LOOK_MS 2000
#define ABANDON_LOOK_MS 100
#define CANCEL_GRACE_MS 5000 /* for the last word on what was cancelled */

static int64_t in_ms(int64_t ms)
{
    return mgi_clock_mono_ns() + ms * NS_PER_MS;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

enum manglecp_status mgi_session_begin(manglecp_client *c)
{
    return mgi_session_open(c);
}

/* ---- being ready --------------------------------------------------------------------------- */

static void sleep_until(int64_t until_ns)
{
    for (int64_t left; (left = until_ns - mgi_clock_mono_ns()) > 0;)
        (void)nanosleep(&(struct timespec){ .tv_sec = (time_t)(left / NS_PER_SEC),
                                            .tv_nsec = (long)(left % NS_PER_SEC) },
                        NULL);
}

static enum manglecp_status not_ready(manglecp_client *c)
{
    return mgi_fail(c, MANGLECP_ERR_NOT_READY, "the server is %s, and nothing was sent",
                    mgi_manifest_state_name(c->manifest->state));
}

/* The newest manifest that can be had without asking for it, over a connection that stands. */
static enum manglecp_status catch_up(manglecp_client *c)
{
    if (!c->link->table->session)
        return c->stale ? mgi_session_open(c) : MANGLECP_OK;
    enum manglecp_status status = c->lost ? MANGLECP_OK : mgi_session_listen(c, 0, NULL);
    if (status || !c->lost)
        return status;
    return c->link->table->renews
               ? mgi_session_open(c)
               : mgi_fail(c, MANGLECP_ERR_TRANSPORT, "the connection to the server is gone");
}

static enum manglecp_status wait_for_boot(manglecp_client *c, int64_t until_ns, int64_t *look_ms)
{
    static const enum manglecp_state booting = MANGLECP_BOOTING;
    if (mgi_clock_mono_ns() >= until_ns)
        return not_ready(c);
    if (c->link->table->session) {
        enum manglecp_status status = mgi_session_listen(c, until_ns, &booting);
        return status ? status : catch_up(c);
    }
    sleep_until(earlier(until_ns, in_ms(*look_ms)));
    *look_ms = *look_ms * 2 < LONGEST_LOOK_MS ? *look_ms * 2 : LONGEST_LOOK_MS;
    return mgi_session_open(c);
}

static enum manglecp_status exchange(manglecp_client *c, struct question *q);

/* Is there a token for where this session leads? */
static bool has_token(const manglecp_client *c)
{
    const struct link_table *table = c->link->table;
    return c->options.token && !(table->session && table->withheld && table->withheld(c->link));
}

static bool shows_certificate(const manglecp_client *c)
{
    const struct link_table *table = c->link->table;
    return table->shows_certificate && table->shows_certificate(c->link);
}

static enum manglecp_status log_in(manglecp_client *c)
{
    struct buf payload = { 0 };
    struct json_writer w;
    if (!has_token(c) || c->authenticated || !c->link->table->session ||
        !(c->manifest->auth_required || c->manifest->takes_bearer))
        return MANGLECP_OK;
    mgi_json_writer_init(&w, &payload, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "scheme", "bearer");
    mgi_jw_member_cstr(&w, "token", c->options.token);
    mgi_jw_end_object(&w);
    struct question q = { .type = MSG_AUTHENTICATE, .payload = mgi_buf_view(&payload) };
    enum manglecp_status status = payload.oom ? MANGLECP_ERR_NOMEM : exchange(c, &q);
    mgi_buf_fini(&payload);
    c->authenticated = status == MANGLECP_OK;
    return status;
}

static enum manglecp_status become_ready(manglecp_client *c)
{
    int64_t until_ns = in_ms(c->options.ready_timeout_ms), look_ms = FIRST_LOOK_MS;
    bool renewed = false;
    enum manglecp_status status = catch_up(c);
    while (!status) {
        switch (c->manifest->state) {
        case MANGLECP_BOOTING:
            status = wait_for_boot(c, until_ns, &look_ms);
            break;
        case MANGLECP_DRAINING: /* another server may have taken its place */
            if (renewed || (c->link->table->session && !c->link->table->renews))
                return not_ready(c);
            renewed = true;
            status = mgi_session_open(c);
            break;
        default:
            if (c->manifest->auth_required && !has_token(c) && !shows_certificate(c))
                return mgi_fail(c, MANGLECP_ERR_CREDENTIALS,
                                "the server wants a bearer token, and there is none%s",
                                c->options.token ? " for where the manifest leads" : "");
            return log_in(c);
        }
    }
    return status;
}

enum manglecp_status mgi_session_prepare(manglecp_client *c)
{
    return become_ready(c);
}

enum manglecp_status mgi_session_refresh(manglecp_client *c)
{
    c->stale = !c->link->table->session;
    return catch_up(c);
}

/* ---- one exchange -------------------------------------------------------------------------- */

static void write_extensions(struct json_writer *w, const struct question *q)
{
    if (!q->key && !q->dry_run && !q->why_not)
        return;
    mgi_jw_key(w, "extensions");
    mgi_jw_begin_object(w);
    if (q->key)
        mgi_jw_member_cstr(w, "x-idempotency-key", q->key);
    if (q->key && q->key_only)
        mgi_jw_member_bool(w, "x-idempotency-only", true);
    if (q->dry_run)
        mgi_jw_member_bool(w, "x-dry-run", true);
    if (q->why_not) {
        mgi_jw_key(w, "x-why-not");
        mgi_jw_begin_array(w);
        for (const char *const *tool = q->why_not; *tool; tool++)
            mgi_jw_cstring(w, *tool);
        mgi_jw_end_array(w);
    }
    mgi_jw_end_object(w);
}

static enum manglecp_status write_request(manglecp_client *c, const struct question *q, char id[32])
{
    struct json_writer w;
    snprintf(id, 32, "c-%" PRIu64, c->next_id++);
    mgi_buf_clear(&c->request);
    mgi_json_writer_init(&w, &c->request, 0);
    mgi_envelope_begin(&w, q->type, str_of(id));
    mgi_jw_raw(&w, q->payload);
    write_extensions(&w, q);
    mgi_envelope_end(&w);
    if (c->request.oom)
        return MANGLECP_ERR_NOMEM;
    if (c->request.len <= (uint64_t)c->manifest->max_message_bytes)
        return MANGLECP_OK;
    enum manglecp_status status =
        mgi_problem(c, "", "message_too_large",
                    "the message has %zu bytes, and the server takes %" PRId64 " at most",
                    c->request.len, c->manifest->max_message_bytes);
    return status == MANGLECP_ERR_NOMEM ? status : mgi_problems_status(c);
}

static void send_cancel(manglecp_client *c, const char *id)
{
    struct buf text = { 0 }, why = { 0 };
    struct json_writer w;
    bool left;
    mgi_json_writer_init(&w, &text, 0);
    mgi_envelope_begin(&w, MSG_CANCEL, (struct str){ NULL, 0 });
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "request_id", id);
    mgi_jw_end_object(&w);
    mgi_envelope_end(&w);
    if (!text.oom)
        (void)c->link->table->send(c->link, LINK_CONTROL, mgi_buf_view(&text),
                                   in_ms(CANCEL_GRACE_MS), &left, &why);
    mgi_buf_fini(&text);
    mgi_buf_fini(&why);
}

/* Wait for the terminal message. */
static enum manglecp_status await_answer(manglecp_client *c, struct question *q, const char *id,
                                         int64_t deadline_ns)
{
    bool polled = q->type == MSG_INVOKE_REQUEST && c->options.abandon && c->link->table->session;
    for (;;) {
        int64_t until_ns = polled ? earlier(deadline_ns, in_ms(ABANDON_LOOK_MS)) : deadline_ns;
        enum manglecp_status status = mgi_session_receive(c, until_ns);
        if (status == MANGLECP_ERR_TIMEOUT && until_ns < deadline_ns) {
            if (c->options.abandon(c->options.context)) {
                polled = false;
                send_cancel(c, id);
                deadline_ns = earlier(deadline_ns, in_ms(CANCEL_GRACE_MS));
            }
            continue;
        }
        if (status)
            return status;
        switch (mgi_session_read(c, q, id)) {
        case READ_TERMINAL:
            return c->error.code[0] ? MANGLECP_ERR_ANSWER : MANGLECP_OK;
        case READ_NOMEM:
            return MANGLECP_ERR_NOMEM;
        case READ_BROKEN:
            c->lost = c->link->table->session;
            return MANGLECP_ERR_PROTOCOL;
        case READ_OTHER:
            if (!c->link->table->session)
                return mgi_fail(c, MANGLECP_ERR_PROTOCOL,
                                "the answer does not belong to the request");
        }
        if (mgi_clock_mono_ns() >= deadline_ns)
            return mgi_fail(c, MANGLECP_ERR_TIMEOUT, "the server did not answer in time");
    }
}

/* An answer over HTTP that is no message comes from something between: a status of its own is all
 * that it says. 503 and 429 ask to wait. */
static enum manglecp_status judge_status(manglecp_client *c, const struct question *q,
                                         enum manglecp_status status)
{
    int http = c->in.http_status;
    if (status != MANGLECP_ERR_PROTOCOL || http == 0 || http == 200)
        return status;
    if ((http == 503 || http == 429) && q->type == MSG_INTENT_REQUEST) {
        c->error.code = http == 503 ? "server_not_ready" : "rate_limited";
        c->error.recoverable = true;
        c->error.retry_after_ms = c->in.retry_after_ms;
        c->error.message = "the answer has no message, only a status";
        return mgi_fail(c, MANGLECP_ERR_ANSWER, "status %d without a message", http);
    }
    const char *what = http >= 300 && http < 400 ? "a redirection, which is not followed"
                                                 : "something that is no message";
    return mgi_fail(c, status, "the address answered with status %d and %s", http, what);
}

/* May it have run, although no answer says so? Somebody who redirects or refuses did not run it;
 * who says that time is up, or that the caller went away, may be speaking of one that did. */
static bool is_indeterminate(const manglecp_client *c, const struct question *q,
                             enum manglecp_status status)
{
    int http = c->in.http_status;
    return q->type == MSG_INVOKE_REQUEST && !q->dry_run && q->left && status && !q->was_answered &&
           !(status == MANGLECP_ERR_PROTOCOL && http >= 300 && http < 500 && http != 408 &&
             http != 499);
}

static enum manglecp_status exchange(manglecp_client *c, struct question *q)
{
    char id[32];
    struct buf why = { 0 };
    int64_t deadline_ns = in_ms(c->options.timeout_ms);
    static const enum link_message words[] = { [MSG_INTENT_REQUEST] = LINK_INTENT,
                                               [MSG_INVOKE_REQUEST] = LINK_INVOKE,
                                               [MSG_AUTHENTICATE] = LINK_CONTROL };
    c->error = (struct manglecp_error){ "", "", "{}", false, -1, "" };
    c->in.http_status = 0;
    q->left = q->was_answered = false;
    enum manglecp_status status = write_request(c, q, id);
    if (status)
        return status;
    status = c->link->table->send(c->link, words[q->type], mgi_buf_view(&c->request), deadline_ns,
                                  &q->left, &why);
    if (status) {
        mgi_fail(c, status, "%s", why.ptr ? why.ptr : "out of memory");
        c->lost = c->link->table->session;
    } else {
        q->left = true;
        status = judge_status(c, q, await_answer(c, q, id, deadline_ns));
    }
    mgi_buf_fini(&why);
    if (!status)
        mgi_buf_clear(&c->message);
    if (is_indeterminate(c, q, status)) {
        struct buf said = { 0 };
        mgi_buf_str(&said, mgi_buf_view(&c->message));
        status = mgi_fail(c, MANGLECP_ERR_INDETERMINATE, "%s: whether it ran is not known",
                          said.ptr ? said.ptr : "no answer");
        mgi_buf_fini(&said);
    }
    return status;
}

/* ---- asking -------------------------------------------------------------------------------- */

static bool code_is(const manglecp_client *c, const char *code)
{
    return strcmp(c->error.code, code) == 0;
}

/* Too early is a matter of waiting, too, if the server says of how long (D-41); once, for if it is
 * too early then, the clocks do not agree. */
static bool asks_to_wait(const manglecp_client *c, struct question *q)
{
    if (code_is(c, "rate_limited") || code_is(c, "server_not_ready"))
        return true;
    if (!code_is(c, "macro_expired") || c->error.retry_after_ms < 0 || q->was_early ||
        !strstr(c->error.details, "\"not_yet_valid\""))
        return false;
    return q->was_early = true;
}

/* A 401: nothing was taken up, and with a token that is renewed it may be. */
static bool is_about_token(const manglecp_client *c)
{
    return code_is(c, "auth_invalid") || code_is(c, "auth_required");
}

static void wait_until(manglecp_client *c, int64_t until_ns)
{
    if (c->link->table->session)
        (void)mgi_session_listen(c, until_ns, NULL); /* a manifest may come meanwhile */
    sleep_until(until_ns);
}

/* Was the connection gone before the message had left, and may another one be tried? An intent
 * changes nothing, so it may have left. */
static bool may_try_another(const manglecp_client *c, const struct question *q,
                            enum manglecp_status status)
{
    return status == MANGLECP_ERR_TRANSPORT && c->link->table->session && c->link->table->renews &&
           (!q->left || q->type == MSG_INTENT_REQUEST);
}

enum manglecp_status mgi_session_ask(manglecp_client *c, struct question *q)
{
    enum manglecp_status status = MANGLECP_OK;
    int64_t gap_ms = FIRST_GAP_MS, until_ns = in_ms(c->options.ready_timeout_ms);
    bool another = false, again = false, renewed = false;
    for (int n = 1;; n++) {
        bool asked = false;
        q->left = q->was_answered = false;
        status = become_ready(c);
        if (!status) {
            asked = true;
            status = exchange(c, q);
        }
        if (n == MAX_ATTEMPTS)
            return status;
        if (asked && !another && may_try_another(c, q, status)) {
            another = true;
            continue;
        }
        if (status != MANGLECP_ERR_ANSWER)
            return status;
        if (!renewed && c->login.path && has_token(c) && is_about_token(c)) {
            renewed = true;
            if ((status = mgi_token_renew(c)) != MANGLECP_OK)
                return status;
            continue;
        }
        if (asked && !again && code_is(c, "auth_required") && c->link->table->session &&
            has_token(c) && q->type != MSG_AUTHENTICATE) {
            again = true;
            c->authenticated = false;
            c->manifest->takes_bearer = true; /* it says so now */
            continue;
        }
        if (!asked || !asks_to_wait(c, q))
            return status;
        int64_t asked_ms = c->error.retry_after_ms > 0 ? c->error.retry_after_ms : 0;
        if (asked_ms > c->options.ready_timeout_ms || in_ms(asked_ms + gap_ms) > until_ns)
            return status; /* longer than its caller wants to wait */
        c->stale = !c->link->table->session && code_is(c, "server_not_ready");
        wait_until(c, in_ms(asked_ms + gap_ms));
        gap_ms *= 2;
    }
}
