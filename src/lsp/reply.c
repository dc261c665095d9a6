/* What is sent: notifications, and the one answer of each request. */
#include <stdarg.h>
#include <stdio.h>

#include "lsp/lsp_int.h"

static void send_message(struct lsp *s, const struct buf *message)
{
    struct buf framed = { 0 };
    mgi_buf_printf(&framed, "Content-Length: %zu\r\n\r\n", message->len);
    mgi_buf_str(&framed, mgi_buf_view(message));
    if (framed.oom || message->oom)
        s->oom = true;
    else
        s->world.send(s->world.context, mgi_buf_view(&framed));
    mgi_buf_fini(&framed);
}

void mgi_lsp_notify(struct lsp *s, const char *method, const struct buf *params)
{
    struct buf out = { 0 };
    struct json_writer w;
    s->oom |= params->oom;
    mgi_json_writer_init(&w, &out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "jsonrpc", "2.0");
    mgi_jw_member_cstr(&w, "method", method);
    mgi_jw_key(&w, "params");
    mgi_jw_raw(&w, mgi_buf_view(params));
    mgi_jw_end_object(&w);
    send_message(s, &out);
    mgi_buf_fini(&out);
}

void mgi_lsp_answer(struct lsp *s, const struct json *id)
{
    struct buf out = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "jsonrpc", "2.0");
    mgi_jw_key(&w, "id");
    if (id)
        mgi_jw_value(&w, id);
    else
        mgi_jw_null(&w);
    if (s->error_code) {
        mgi_jw_key(&w, "error");
        mgi_jw_begin_object(&w);
        mgi_jw_member_int(&w, "code", s->error_code);
        mgi_jw_member_cstr(&w, "message", s->error);
        mgi_jw_end_object(&w);
    } else {
        mgi_jw_key(&w, "result");
        mgi_jw_raw(&w, s->body.len ? mgi_buf_view(&s->body) : STR_LIT("null"));
    }
    mgi_jw_end_object(&w);
    send_message(s, &out);
    mgi_buf_fini(&out);
}

void mgi_lsp_fail(struct lsp *s, int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(s->error, sizeof s->error, format, args);
    va_end(args);
    s->error_code = code;
}
