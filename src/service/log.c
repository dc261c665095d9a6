/* Log lines on a descriptor: see the header. */
#include "service/log.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include "base/json.h"
#include "base/time.h"
#include "base/utf8.h"

#define ID_BYTES      64 /* of a request's id that a line shows */
#define SUBJECT_BYTES 128

/* ---- writing ------------------------------------------------------------------------------- */

/* True for a pipe, a socket or a terminal with room for PIPE_BUF bytes, and for every file. */
static bool has_room(int fd)
{
    struct pollfd p = { .fd = fd, .events = POLLOUT };
    return poll(&p, 1, 0) == 1 && (p.revents & POLLOUT);
}

static bool write_line(const struct log_sink *sink, struct str line)
{
    ssize_t n;
    if (sink->take) {
        sink->take(sink->take_context, line.ptr, line.len - 1);
        return true;
    }
    if (!has_room(sink->fd))
        return false;
    do
        n = write(sink->fd, line.ptr, line.len);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)line.len;
}

static void begin(const struct log_sink *sink, struct buf *out, struct json_writer *w,
                  enum log_level level)
{
    int64_t now = sink->real_ns();
    if (sink->format == LOG_TEXT) {
        mgi_time_print_ms(out, now);
        mgi_buf_printf(out, " %s ", mgi_log_level_name(level));
        return;
    }
    struct buf time = { 0 };
    mgi_time_print_ms(&time, now);
    mgi_json_writer_init(w, out, 0);
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "time", mgi_buf_view(&time));
    mgi_jw_member_cstr(w, "level", mgi_log_level_name(level));
    mgi_buf_fini(&time);
}

/* `told` is how many lost lines this one tells of: they stay lost if it does not get through. 0: it
 * is an ordinary line. */
static void finish(struct log_sink *sink, struct buf *out, struct json_writer *w, unsigned told)
{
    if (sink->format == LOG_JSON)
        mgi_jw_end_object(w);
    mgi_buf_putc(out, '\n');
    if (out->oom || !write_line(sink, mgi_buf_view(out))) {
        atomic_fetch_add_explicit(&sink->lost, told ? told : 1, memory_order_relaxed);
        if (!told)
            atomic_fetch_add_explicit(&sink->lost_ever, 1, memory_order_relaxed);
    }
    mgi_buf_fini(out);
}

static void write_text(struct log_sink *sink, enum log_level level, struct str text, unsigned told)
{
    struct buf out = { 0 };
    struct json_writer w;
    begin(sink, &out, &w, level);
    if (sink->format == LOG_JSON)
        mgi_jw_member_str(&w, "message", text);
    else
        mgi_buf_str(&out, text);
    finish(sink, &out, &w, told);
}

/* Before a line: how many did not get through. If this one does not either, the count stays. */
static void say_what_was_lost(struct log_sink *sink)
{
    unsigned lost = atomic_load_explicit(&sink->lost, memory_order_relaxed);
    if (lost == 0 || (!sink->take && !has_room(sink->fd)))
        return;
    if (!atomic_compare_exchange_strong_explicit(&sink->lost, &lost, 0, memory_order_relaxed,
                                                 memory_order_relaxed))
        return; /* another thread says it */
    char text[64];
    int n = snprintf(text, sizeof text, "%u log lines were lost", lost);
    write_text(sink, LOG_WARN, (struct str){ text, (size_t)n }, lost);
}

/* What is left of a line of PIPE_BUF bytes for its text; in JSON a byte may need six. */
static size_t text_room(const struct log_sink *sink)
{
    return sink->format == LOG_JSON ? (PIPE_BUF - 128) / 6 : PIPE_BUF - 64;
}

void mgi_log_sink_write(void *context, enum log_level level, const char *line, size_t len)
{
    struct log_sink *sink = context;
    int saved = errno; /* logging an error must not change it */
    say_what_was_lost(sink);
    write_text(sink, level, mgi_utf8_prefix((struct str){ line, len }, text_room(sink)), 0);
    errno = saved;
}

void mgi_log_lines(const struct logger *log, enum log_level level, struct str text)
{
    while (text.len > 0) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end ? (size_t)(end - text.ptr) : text.len;
        mgi_log(log, level, "%.*s", (int)len, text.ptr);
        text.ptr += len + (end != NULL);
        text.len -= len + (end != NULL);
    }
}

/* ---- requests ------------------------------------------------------------------------------ */

/* Text from outside, in quotes, on one line, cut. */
static void quoted(struct buf *out, const char *key, struct str text, size_t max)
{
    struct buf visible = { 0 };
    mgi_utf8_show(&visible, mgi_utf8_prefix(text, max));
    mgi_buf_printf(out, " %s=\"", key);
    struct str s = mgi_buf_view(&visible);
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '"')
            mgi_buf_putc(out, '\\');
        mgi_buf_putc(out, s.ptr[i]);
    }
    mgi_buf_putc(out, '"');
    out->oom |= visible.oom;
    mgi_buf_fini(&visible);
}

static struct str caller(const struct access_record *r)
{
    if (!r->who)
        return (struct str){ "", 0 };
    return r->who->kind == PRINCIPAL_ANONYMOUS ? STR_LIT("anonymous") : r->caller;
}

static const char *code_name(const struct access_record *r)
{
    return r->code == WIRE_OK ? "ok" : mgi_wire_code(r->code)->name;
}

static void milliseconds(struct buf *out, const char *key, int64_t ns)
{
    int64_t us = ns / NS_PER_US;
    mgi_buf_printf(out, " %s=%" PRId64 ".%03d", key, us / 1000, (int)(us % 1000));
}

void mgi_access_print(struct buf *out, const struct access_record *r)
{
    mgi_buf_printf(out, "request transport=%s type=%s", r->transport, r->type[0] ? r->type : "-");
    quoted(out, "id", r->id, ID_BYTES);
    quoted(out, "subject", r->subject, SUBJECT_BYTES);
    quoted(out, "who", caller(r), SUBJECT_BYTES);
    mgi_buf_printf(out, " code=%s", code_name(r));
    milliseconds(out, "ms", r->total_ns);
    milliseconds(out, "wait_ms", r->waited_ns);
    milliseconds(out, "work_ms", r->worked_ns);
    mgi_buf_printf(out, " in=%zu out=%zu", r->bytes_in, r->bytes_out);
    if (r->replayed)
        mgi_buf_puts(out, " replayed=true");
    if (r->invocation_id.len > 0)
        mgi_buf_printf(out, " invocation=%.*s", STR_ARG(r->invocation_id));
    if (r->traceparent.len > 0)
        mgi_buf_printf(out, " traceparent=%.*s", STR_ARG(r->traceparent));
}

static void json_milliseconds(struct json_writer *w, const char *key, int64_t ns)
{
    mgi_jw_key(w, key);
    int64_t whole_us = ns / NS_PER_US; /* no more digits than that */
    mgi_jw_float(w, (double)whole_us / 1000);
}

void mgi_access_json(struct json_writer *w, const struct access_record *r)
{
    mgi_jw_member_cstr(w, "message", "request");
    mgi_jw_member_cstr(w, "transport", r->transport);
    mgi_jw_member_cstr(w, "type", r->type);
    if (r->id.ptr)
        mgi_jw_member_str(w, "id", mgi_utf8_prefix(r->id, ID_BYTES));
    mgi_jw_member_str(w, "subject", mgi_utf8_prefix(r->subject, SUBJECT_BYTES));
    mgi_jw_member_str(w, "who", mgi_utf8_prefix(caller(r), SUBJECT_BYTES));
    mgi_jw_member_cstr(w, "code", code_name(r));
    json_milliseconds(w, "ms", r->total_ns);
    json_milliseconds(w, "wait_ms", r->waited_ns);
    json_milliseconds(w, "work_ms", r->worked_ns);
    mgi_jw_member_int(w, "in", (int64_t)r->bytes_in);
    mgi_jw_member_int(w, "out", (int64_t)r->bytes_out);
    if (r->replayed)
        mgi_jw_member_bool(w, "replayed", true);
    if (r->invocation_id.len > 0)
        mgi_jw_member_str(w, "invocation", r->invocation_id);
    if (r->traceparent.len > 0)
        mgi_jw_member_str(w, "traceparent", r->traceparent);
}

/* What went wrong on our side, as against on the client's. */
static bool is_our_fault(enum wire_code code)
{
    return code != WIRE_OK && mgi_wire_code(code)->http_status >= 500 &&
           code != WIRE_SERVER_NOT_READY;
}

void mgi_log_sink_access(void *context, const struct access_record *record)
{
    struct log_sink *sink = context;
    enum log_level level = is_our_fault(record->code) ? LOG_WARN : LOG_INFO;
    if (level > sink->level || sink->access == ACCESS_NONE ||
        (sink->access == ACCESS_ERRORS && record->code == WIRE_OK))
        return;
    struct buf out = { 0 };
    struct json_writer w;
    say_what_was_lost(sink);
    begin(sink, &out, &w, level);
    if (sink->format == LOG_JSON)
        mgi_access_json(&w, record);
    else
        mgi_access_print(&out, record);
    finish(sink, &out, &w, 0);
}
