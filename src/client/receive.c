/* What comes from a server: manifests, progress, errors and answers, told apart and taken in. */
#include "base/time.h"
#include "base/utf8.h"
#include "client/client_int.h"
#include "sys/clock.h"

#define MAX_UNASKED      1000 /* messages taken in before a request is sent */
#define MAX_PROGRESS_LEN 240

/* ---- manifests ----------------------------------------------------------------------------- */

/* The message in c->in is a manifest: it replaces all earlier ones (P-MAN-31). */
static enum manglecp_status adopt(manglecp_client *c)
{
    bool nomem;
    struct buf why = { 0 };
    enum manglecp_status status = MANGLECP_OK;
    struct manifest *m = mgi_manifest_read(mgi_buf_view(&c->in.text), &why, &nomem);
    if (m && c->link->table->adopt)
        status = c->link->table->adopt(c->link, &m->addresses, &why);
    else if (!m)
        status = nomem ? MANGLECP_ERR_NOMEM : MANGLECP_ERR_PROTOCOL;
    if (status) {
        mgi_manifest_free(m);
        mgi_fail(c, status, "%s", why.ptr ? why.ptr : "out of memory");
    } else {
        mgi_manifest_free(c->manifest);
        c->manifest = m;
        c->stale = false;
    }
    mgi_buf_fini(&why);
    return status;
}

enum manglecp_status mgi_session_open(manglecp_client *c)
{
    struct buf why = { 0 };
    c->authenticated = false; /* nothing is left of an earlier connection (P-WS-8) */
    enum manglecp_status status = c->link->table->open(
        c->link, &c->in, mgi_clock_mono_ns() + c->options.manifest_timeout_ms * NS_PER_MS, &why);
    c->lost = status != MANGLECP_OK && c->link->table->session;
    if (status)
        mgi_fail(c, status, "%s", why.ptr ? why.ptr : "out of memory");
    mgi_buf_fini(&why);
    return status ? status : adopt(c);
}

/* ---- what comes ---------------------------------------------------------------------------- */

static struct str shown(struct arena *a, const struct json *v, size_t max)
{
    if (!v || v->type != JSON_STRING)
        return STR_LIT("");
    struct str kept = mgi_arena_str(a, mgi_utf8_prefix(v->string, max));
    return kept.ptr ? kept : STR_LIT("");
}

static void report_progress(const manglecp_client *c, struct arena *a, const struct json *payload)
{
    const struct json *percent = mgi_json_get(payload, "percent");
    double p = -1;
    if (!c->options.progress)
        return;
    if (percent && percent->type == JSON_INT)
        p = (double)percent->integer;
    else if (percent && percent->type == JSON_FLOAT)
        p = percent->number;
    c->options.progress(c->options.context,
                        shown(a, mgi_json_get(payload, "status"), MAX_PROGRESS_LEN).ptr,
                        shown(a, mgi_json_get(payload, "detail"), MAX_PROGRESS_LEN).ptr, p);
}

/* An error that names no request is about ours if it says that something was refused unread: there
 * is only one. Over HTTP every answer is about the one request. */
static bool refused_unread(const manglecp_client *c, const struct json *payload)
{
    static const char *const codes[] = {
        "malformed_message",   "message_too_large", "invalid_type",
        "unsupported_version", "auth_required",     "auth_invalid"
    };
    const struct json *code = mgi_json_get(payload, "code");
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (code && code->type == JSON_STRING && str_is(code->string, codes[i]))
            return true;
    return !c->link->table->session;
}

static void keep_error(manglecp_client *c, const struct json *payload)
{
    const struct json *recoverable = mgi_json_get(payload, "recoverable");
    const struct json *retry = mgi_json_get(payload, "retry_after_ms");
    const struct json *details = mgi_json_get(payload, "details");
    c->error = (struct manglecp_error){
        .code = shown(&c->last, mgi_json_get(payload, "code"), SIZE_MAX).ptr,
        .message = shown(&c->last, mgi_json_get(payload, "message"), SIZE_MAX).ptr,
        .details = "{}",
        .recoverable = recoverable && recoverable->type == JSON_BOOL && recoverable->boolean,
        .retry_after_ms = retry && retry->type == JSON_INT ? retry->integer : -1,
        .json = "",
    };
    struct str whole = mgi_arena_str(&c->last, mgi_buf_view(&c->in.text));
    if (whole.ptr)
        c->error.json = whole.ptr;
    if (details && details->type == JSON_OBJECT) {
        struct str kept = mgi_arena_str(&c->last, details->text);
        if (kept.ptr)
            c->error.details = kept.ptr;
    }
    if (c->error.retry_after_ms < 0 && c->in.retry_after_ms >= 0)
        c->error.retry_after_ms = c->in.retry_after_ms;
}

static bool answers(enum message_type answer, enum message_type question)
{
    return (question == MSG_INTENT_REQUEST && answer == MSG_INTENT_RESPONSE) ||
           (question == MSG_INVOKE_REQUEST && answer == MSG_INVOKE_RESPONSE) ||
           (question == MSG_AUTHENTICATE && answer == MSG_AUTHENTICATE_RESPONSE);
}

enum reading mgi_session_read(manglecp_client *c, struct question *q, const char *id)
{
    struct wire_error fault = { .retry_after_ms = -1 };
    struct envelope e;
    struct arena_mark mark = mgi_arena_mark(&c->last);
    if (!mgi_envelope_parse(&c->last, mgi_buf_view(&c->in.text), SIZE_MAX, 0, FROM_SERVER, &e,
                            &fault)) {
        mgi_fail(c, MANGLECP_ERR_PROTOCOL, "the server sent something that is no message: %s",
                 fault.message);
        return c->last.oom ? READ_NOMEM : READ_BROKEN;
    }
    enum reading reading = READ_OTHER;
    bool ours = q && e.id.ptr && str_is(e.id, id);
    if (e.type == MSG_MANIFEST && c->link->table->session) {
        enum manglecp_status status = adopt(c);
        reading = status == MANGLECP_ERR_NOMEM ? READ_NOMEM : status ? READ_BROKEN : READ_OTHER;
    } else if (e.type == MSG_PROGRESS) { /* for unknown ids it is ignored (P-PROG-6) */
        if (ours)
            report_progress(c, &c->last, e.payload);
    } else if (q && e.type == MSG_ERROR && (ours || (!e.id.ptr && refused_unread(c, e.payload)))) {
        keep_error(c, e.payload);
        bool withheld = c->link->table->withheld && c->link->table->withheld(c->link);
        mgi_fail(c, MANGLECP_ERR_ANSWER, "%s%s", c->error.message,
                 withheld ? " (the token was not sent there: the manifest came from elsewhere)"
                          : "");
        reading = READ_TERMINAL;
    } else if (ours && answers(e.type, q->type)) {
        reading = READ_TERMINAL;
    } else if (ours) {
        mgi_fail(c, MANGLECP_ERR_PROTOCOL, "the server answered %s with %s",
                 mgi_message_type_name(q->type), mgi_message_type_name(e.type));
        reading = READ_BROKEN;
    }
    if (reading == READ_TERMINAL) {
        q->was_answered = true;
        q->answer = e;
    } else {
        mgi_arena_rewind(&c->last, mark);
    }
    return reading;
}

enum manglecp_status mgi_session_receive(manglecp_client *c, int64_t deadline_ns)
{
    struct buf why = { 0 };
    enum manglecp_status status = c->link->table->receive(c->link, &c->in, deadline_ns, &why);
    if (status)
        mgi_fail(c, status, "%s", why.ptr ? why.ptr : "out of memory");
    if (status && status != MANGLECP_ERR_TIMEOUT)
        c->lost = c->link->table->session;
    mgi_buf_fini(&why);
    return status;
}

enum manglecp_status mgi_session_listen(manglecp_client *c, int64_t until_ns,
                                        const enum manglecp_state *state)
{
    for (int n = 0; n < MAX_UNASKED && !(state && c->manifest->state != *state); n++) {
        enum manglecp_status status = mgi_session_receive(c, until_ns);
        if (status == MANGLECP_ERR_TIMEOUT)
            mgi_buf_clear(&c->message); /* that nothing came is no failure */
        if (status == MANGLECP_ERR_TIMEOUT || c->lost)
            return MANGLECP_OK; /* whoever needs the connection looks at c->lost */
        if (status)
            return status;
        enum reading reading = mgi_session_read(c, NULL, "");
        if (reading == READ_NOMEM)
            return MANGLECP_ERR_NOMEM;
        if (reading == READ_BROKEN) {
            c->lost = true;
            return MANGLECP_ERR_PROTOCOL;
        }
    }
    return MANGLECP_OK;
}
