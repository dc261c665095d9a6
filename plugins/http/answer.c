/* See answer.h. */
#include "answer.h"

#include "base/utf8.h"
#include "toolhost.h"

#define MOST_WORDS 400 /* bytes of what a server says of a failure */

static struct secrets secrets_of(const struct http_request *request)
{
    return (struct secrets){ request->secrets, request->secret_count };
}

const char *mgi_http_clean(struct arena *arena, const struct http_request *request,
                           const char *text)
{
    struct buf clean = { 0 };
    mgi_redact(&clean, str_of(text), secrets_of(request));
    struct str kept = mgi_arena_str(arena, mgi_buf_view(&clean));
    bool oom = clean.oom || !kept.ptr;
    mgi_buf_wipe(&clean);
    return oom ? "out of memory" : kept.ptr;
}

/* ---- failures ------------------------------------------------------------------------------- */

static bool is_good(const struct http_request *request, int status)
{
    for (size_t i = 0; i < request->ok_count; i++)
        if (request->ok[i] == status)
            return true;
    return request->ok_count == 0 && status >= 200 && status <= 299;
}

/* What the author said of it; the closest wins: 404 before 400 to 499. */
static struct str text_of_status(const struct http_request *request, int status)
{
    const struct http_status_text *best = NULL;
    for (size_t i = 0; i < request->status_count; i++) {
        const struct http_status_text *s = &request->statuses[i];
        if (status >= s->from && status <= s->to &&
            (!best || s->to - s->from < best->to - best->from))
            best = s;
    }
    return best ? best->text : STR_LIT("");
}

/* 502 and 504 are words of somebody between, who does not know either; unless the author does. */
uint32_t mgi_http_lost(const struct http_request *request, const struct transfer_result *result)
{
    int status = result->status;
    if (mgi_http_is_safe(request->method))
        return 0;
    if (is_good(request, status) || result->turned)
        return TH_LOST_BAD_OUTPUT;
    bool between = status == 502 || status == 504;
    return between && text_of_status(request, status).len == 0 ? TH_LOST_CRASH : 0;
}

static void add_words(struct buf *out, const struct http_request *request, const struct json *v)
{
    struct buf clean = { 0 };
    if (!v || v->type != JSON_STRING || v->string.len == 0)
        return;
    mgi_redact(&clean, v->string, secrets_of(request));
    mgi_buf_puts(out, ": ");
    mgi_utf8_show(out, mgi_utf8_prefix(mgi_buf_view(&clean), MOST_WORDS));
    out->oom |= clean.oom;
    mgi_buf_fini(&clean);
}

/* `title` and `detail` of problem details (RFC 9457); else what is usual in their place. */
static void add_problem(struct arena *arena, const struct http_request *request, struct str body,
                        struct buf *out)
{
    struct json root;
    if (body.len == 0 || mgi_json_parse(arena, body, NULL, &root, NULL) != JSON_OK)
        return;
    const struct json *title = mgi_json_get(&root, "title"), *error = mgi_json_get(&root, "error");
    const struct json *detail = mgi_json_get(&root, "detail");
    const struct json *message = mgi_json_get(&root, "message");
    if (error && error->type == JSON_OBJECT && !message)
        message = mgi_json_get(error, "message");
    add_words(out, request, title ? title : error);
    add_words(out, request, detail ? detail : message);
}

static void add_retry(struct buf *out, const struct http_request *request,
                      const struct transfer_result *result)
{
    struct str after = mgi_transfer_header(result, "retry-after");
    struct buf clean = { 0 };
    if (after.len == 0 || after.len > 64)
        return;
    bool seconds = true;
    for (size_t i = 0; i < after.len; i++)
        seconds = seconds && after.ptr[i] >= '0' && after.ptr[i] <= '9';
    mgi_redact(&clean, after, secrets_of(request));
    mgi_buf_puts(out, seconds ? "; it asks to wait " : "; it asks to wait until ");
    mgi_utf8_show(out, mgi_buf_view(&clean));
    mgi_buf_puts(out, seconds ? " s" : "");
    out->oom |= clean.oom;
    mgi_buf_fini(&clean);
}

static const char *failure(struct arena *arena, const struct http_request *request,
                           const struct transfer_result *result)
{
    struct buf text = { 0 };
    struct str own = text_of_status(request, result->status);
    if (own.len > 0)
        mgi_buf_printf(&text, "%.*s (%.*s answered %d)", STR_ARG(own), STR_ARG(result->host),
                       result->status);
    else
        mgi_buf_printf(&text, "%.*s answered %d", STR_ARG(result->host), result->status);
    add_problem(arena, request, mgi_buf_view(&result->body), &text);
    add_retry(&text, request, result);
    struct str kept = mgi_arena_str(arena, mgi_buf_view(&text));
    bool oom = text.oom || !kept.ptr;
    mgi_buf_fini(&text);
    return oom ? "out of memory" : kept.ptr;
}

/* ---- outputs -------------------------------------------------------------------------------- */

static void write_headers(struct json_writer *w, const struct http_request *request,
                          const struct transfer_result *result)
{
    static const char *const told[] = {
        "content-type", "content-language", "etag", "last-modified", "link", "location",
        "retry-after",  "x-total-count",    NULL
    };
    mgi_jw_key(w, "headers");
    mgi_jw_begin_object(w);
    for (const char *const *name = told; *name; name++) {
        struct str value = mgi_transfer_header(result, *name);
        if (value.len == 0)
            continue;
        mgi_jw_key_str(w, str_of(*name));
        mgi_redact_string(w, value, secrets_of(request));
    }
    mgi_jw_end_object(w);
}

static const char *in_words(struct arena *arena, const struct transfer_result *result,
                            const char *what)
{
    const char *text = mgi_arena_printf(arena, "%.*s %s", STR_ARG(result->host), what);
    return text ? text : "out of memory";
}

/* An answer without a body (204, HEAD) has none: null. */
static const char *read_json(struct arena *arena, const struct http_request *request,
                             const struct transfer_result *result, struct json *out)
{
    struct json_error error;
    const struct json *part = out;
    *out = (struct json){ .type = JSON_NULL, .text = { "null", 4 } };
    if (result->body.len > 0 &&
        mgi_json_parse(arena, mgi_buf_view(&result->body), NULL, out, &error) != JSON_OK) {
        if (arena->oom)
            return "out of memory";
        const char *text = mgi_arena_printf(arena, "answered %d with what is not JSON: line %u: %s",
                                            result->status, error.line, error.message);
        return in_words(arena, result, text ? text : "out of memory");
    }
    if (request->select.len > 0)
        part = mgi_json_pointer_get(out, request->select);
    if (!part) {
        const char *text = mgi_arena_printf(arena, "answered without what is selected, %.*s",
                                            STR_ARG(request->select));
        return in_words(arena, result, text ? text : "out of memory");
    }
    *out = *part;
    return NULL;
}

static void write_selected(struct json_writer *w, const struct http_request *request,
                           const struct json *v)
{
    bool object = v->type == JSON_OBJECT;
    if (!object) {
        mgi_jw_begin_object(w);
        mgi_jw_key(w, "value");
    }
    mgi_redact_value(w, v, secrets_of(request));
    if (!object)
        mgi_jw_end_object(w);
}

const char *mgi_http_answer(struct arena *arena, const struct http_request *request,
                            const struct transfer_result *result, struct buf *out)
{
    struct json body;
    struct json_writer w;
    bool text = request->output == OUTPUT_TEXT, json = request->output == OUTPUT_JSON;
    const char *why = NULL;
    if (!is_good(request, result->status))
        return failure(arena, request, result);
    if (text && (!mgi_utf8_valid(mgi_buf_view(&result->body), NULL)))
        why = in_words(arena, result, "answered with text that is not UTF-8");
    if (json)
        why = read_json(arena, request, result, &body);
    if (why)
        return why;
    mgi_json_writer_init(&w, out, 0);
    if (json && request->select.len > 0) {
        write_selected(&w, request, &body);
        return out->oom ? "out of memory" : NULL;
    }
    mgi_jw_begin_object(&w);
    mgi_jw_member_int(&w, "status", result->status);
    write_headers(&w, request, result);
    if (text || json)
        mgi_jw_key(&w, "body");
    if (json)
        mgi_redact_value(&w, &body, secrets_of(request));
    else if (text)
        mgi_redact_string(&w, mgi_buf_view(&result->body), secrets_of(request));
    mgi_jw_end_object(&w);
    return out->oom ? "out of memory" : NULL;
}
