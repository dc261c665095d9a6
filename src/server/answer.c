/* Messages out. The terminal message of a request is its error, the text that a stage has made, or
 * what it replays; where memory is short it is a fixed text, put together on the stack: exactly one
 * goes out, always (P-CONC-10). */
#include <stdio.h>

#include "base/alloc.h"
#include "server/server_int.h"

#define BUSY_RETRY_MS 500

/* ---- without memory ------------------------------------------------------------------------ */

/* An id has at most 256 characters (envelope.c), each at most six bytes of escape or four of UTF-8.
 */
#define LAST_RESORT_BYTES (256 * 6 + 256)

static size_t put_escaped(char *out, struct str s)
{
    static const char hex[] = "0123456789abcdef";
    size_t len = 0;
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (c == '"' || c == '\\') {
            out[len++] = '\\';
            out[len++] = (char)c;
        } else if (c < 0x20) {
            const char escape[] = { '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] };
            memcpy(out + len, escape, sizeof escape);
            len += sizeof escape;
        } else {
            out[len++] = (char)c;
        }
    }
    return len;
}

static struct str last_resort(char out[LAST_RESORT_BYTES], struct str id)
{
    static const char head[] = "{\"type\":\"error\",\"id\":";
    static const char tail[] =
        ",\"manglecp\":\"" MANGLECP_PROTOCOL "\",\"payload\":{\"code\":\"internal_error\","
        "\"message\":\"The server ran out of memory.\",\"recoverable\":false}}";
    size_t len = sizeof head - 1;
    memcpy(out, head, len);
    if (id.ptr && id.len <= 1024) {
        out[len++] = '"';
        len += put_escaped(out + len, id);
        out[len++] = '"';
    } else {
        static const char none[] = { 'n', 'u', 'l', 'l' };
        memcpy(out + len, none, sizeof none);
        len += sizeof none;
    }
    memcpy(out + len, tail, sizeof tail - 1);
    return (struct str){ out, len + sizeof tail - 1 };
}

static size_t send_last_resort(struct peer *p, struct str id)
{
    char out[LAST_RESORT_BYTES];
    struct str text = last_resort(out, id);
    p->transport->send(p->connection, text, 500, true, -1);
    return text.len;
}

/* ---- errors -------------------------------------------------------------------------------- */

enum stage_result mgi_request_fail(struct request *r, enum wire_code code, const char *details,
                                   const char *message)
{
    r->error = (struct wire_error){ .code = code, .message = message, .retry_after_ms = -1 };
    if (details)
        r->error.details = mgi_arena_str(&r->arena, str_of(details));
    return STAGE_ANSWER;
}

enum stage_result mgi_request_refuse(struct request *r)
{
    mgi_request_fail(r, WIRE_RATE_LIMITED, NULL, "The server is busy: too many requests wait.");
    r->error.retry_after_ms = BUSY_RETRY_MS;
    return STAGE_ANSWER;
}

/* ---- answers ------------------------------------------------------------------------------- */

static enum message_type answer_type(enum message_type request)
{
    switch (request) {
    case MSG_INTENT_REQUEST:
        return MSG_INTENT_RESPONSE;
    case MSG_INVOKE_REQUEST:
        return MSG_INVOKE_RESPONSE;
    default:
        return MSG_AUTHENTICATE_RESPONSE;
    }
}

void mgi_answer_open(struct request *r)
{
    mgi_buf_clear(&r->answer);
    mgi_envelope_open(&r->answer, answer_type(r->envelope.type), r->envelope.id);
    r->payload_start = r->answer.len;
}

void mgi_answer_close(struct request *r)
{
    r->payload_len = r->answer.len - r->payload_start;
    mgi_envelope_close(&r->answer, mgi_buf_view(&r->extensions));
    r->answer.oom |= r->extensions.oom;
}

/* An answer that was kept, or that another request got: its payload in an envelope of our own. */
static void wrap_replay(struct request *r, struct buf *text)
{
    bool good = r->replay_code == WIRE_OK;
    mgi_envelope_open(text, good ? answer_type(r->envelope.type) : MSG_ERROR, r->envelope.id);
    mgi_buf_str(text, r->replay);
    mgi_envelope_close(text, REPLAY_EXTENSIONS);
}

void mgi_answer_send(struct request *r)
{
    struct peer *peer = r->peer;
    struct buf made = { 0 };
    struct str text;
    enum wire_code code = r->replay.ptr ? r->replay_code : r->error.code;
    if (peer->gone)
        return;
    if (r->replay.ptr)
        wrap_replay(r, &made);
    else if (code)
        mgi_envelope_error(&made, r->envelope.id, &r->error);
    const struct buf *whole = r->replay.ptr || code ? &made : &r->answer;
    text = mgi_buf_view(whole);
    peer->said = code;
    r->bytes_out = text.len;
    if (whole->oom)
        r->bytes_out = send_last_resort(peer, r->envelope.id);
    else
        peer->transport->send(peer->connection, text, code ? mgi_wire_code(code)->http_status : 200,
                              true, code ? r->error.retry_after_ms : -1);
    mgi_buf_fini(&made);
}

void mgi_answer_progress(struct request *r, const char *status, struct str detail, double percent)
{
    struct buf text = { 0 };
    struct json_writer w;
    if (r->peer->gone)
        return;
    mgi_json_writer_init(&w, &text, 0);
    mgi_envelope_begin(&w, MSG_PROGRESS, r->envelope.id);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "status", status);
    if (detail.len > 0)
        mgi_jw_member_str(&w, "detail", detail);
    if (percent >= 0)
        mgi_jw_member_int(&w, "percent", (int64_t)percent);
    mgi_jw_end_object(&w);
    mgi_envelope_end(&w);
    if (!text.oom) {
        r->server->metrics.bytes_out += text.len;
        r->peer->transport->send(r->peer->connection, mgi_buf_view(&text), 200, false, -1);
    }
    mgi_buf_fini(&text);
}

void mgi_answer_fault(struct peer *p, const struct wire_error *e)
{
    struct buf text = { 0 };
    const struct str no_id = { NULL, 0 };
    if (p->gone)
        return;
    mgi_envelope_error(&text, no_id, e);
    if (text.oom)
        send_last_resort(p, no_id);
    else
        p->transport->send(p->connection, mgi_buf_view(&text), mgi_wire_code(e->code)->http_status,
                           true, -1);
    mgi_buf_fini(&text);
}
