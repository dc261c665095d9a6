/* Lines to events. One line is kept until its end has come; a field is taken over then. The sum of
 * what is kept never exceeds `max`. */
#include "mcp/sse.h"

void mgi_sse_init(struct sse *s, size_t max_bytes)
{
    *s = (struct sse){ .max = max_bytes, .retry_ms = -1 };
}

void mgi_sse_fini(struct sse *s)
{
    mgi_buf_fini(&s->line);
    mgi_buf_fini(&s->type);
    mgi_buf_fini(&s->data);
    mgi_buf_fini(&s->id);
    mgi_buf_fini(&s->last_id);
}

/* Does not touch the line that has begun. */
static void forget_event(struct sse *s)
{
    mgi_buf_clear(&s->type);
    mgi_buf_clear(&s->data);
    mgi_buf_clear(&s->id);
    s->has_data = s->has_id = s->skipping = s->used = false;
}

void mgi_sse_restart(struct sse *s)
{
    forget_event(s);
    mgi_buf_clear(&s->line);
    s->after_cr = s->begun = false;
    s->bom = 0;
}

struct str mgi_sse_last_id(const struct sse *s)
{
    return mgi_buf_view(&s->last_id);
}

/* What it said is given back now: a server's words are not kept because they were long. */
static void skip_event(struct sse *s, bool within_line)
{
    mgi_buf_fini(&s->line);
    mgi_buf_fini(&s->data);
    mgi_buf_fini(&s->type);
    mgi_buf_fini(&s->id);
    s->skipping = true;
    s->in_line = within_line;
}

static void take_retry(struct sse *s, struct str value)
{
    int64_t ms = 0;
    if (value.len == 0 || value.len > 12)
        return;
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] < '0' || value.ptr[i] > '9')
            return;
        ms = ms * 10 + (value.ptr[i] - '0');
    }
    s->retry_ms = ms;
}

static void take_field(struct sse *s, struct str name, struct str value)
{
    if (str_is(name, "data")) {
        if (s->has_data)
            mgi_buf_putc(&s->data, '\n');
        mgi_buf_str(&s->data, value);
        s->has_data = true;
    } else if (str_is(name, "event")) {
        mgi_buf_clear(&s->type);
        mgi_buf_str(&s->type, value);
    } else if (str_is(name, "id")) {
        if (value.len > 0 && memchr(value.ptr, 0, value.len))
            return;
        mgi_buf_clear(&s->id);
        mgi_buf_str(&s->id, value);
        s->has_id = true;
    } else if (str_is(name, "retry")) {
        take_retry(s, value);
    }
}

/* The line is complete. True: it was empty, and what came before is an event. */
static bool end_line(struct sse *s)
{
    struct str line = mgi_buf_view(&s->line);
    if (line.len == 0)
        return true;
    const char *colon = memchr(line.ptr, ':', line.len);
    size_t at = colon ? (size_t)(colon - line.ptr) : line.len;
    if (at > 0) {
        struct str value = { line.ptr + at, line.len - at };
        if (value.len > 0)
            value = (struct str){ value.ptr + 1, value.len - 1 };
        if (value.len > 0 && value.ptr[0] == ' ')
            value = (struct str){ value.ptr + 1, value.len - 1 };
        take_field(s, (struct str){ line.ptr, at }, value);
    }
    mgi_buf_clear(&s->line);
    return false;
}

/* An empty line has come. True: *out is an event. */
static bool end_event(struct sse *s, struct sse_event *out)
{
    if (s->has_id) {
        struct buf old = s->last_id;
        s->last_id = s->id;
        s->id = old;
    }
    if (!s->has_data) {
        forget_event(s);
        return false;
    }
    *out = (struct sse_event){ mgi_buf_view(&s->type), mgi_buf_view(&s->data), s->has_id };
    s->used = true;
    return true;
}

/* The mark is three bytes, which may come one by one; what only looked like it belongs to a line.
 */
static void drop_mark(struct sse *s, struct str *input)
{
    static const char mark[] = "\xef\xbb\xbf";
    while (!s->begun && input->len > 0 && input->ptr[0] == mark[s->bom]) {
        *input = (struct str){ input->ptr + 1, input->len - 1 };
        s->begun = ++s->bom == 3;
    }
    if (s->begun || input->len == 0)
        return;
    mgi_buf_append(&s->line, mark, s->bom);
    s->begun = true;
}

/* The bytes up to the end of a line, or all of them. *ended: the end was there. */
static struct str take_line(struct sse *s, struct str *input, bool *ended)
{
    if (s->after_cr) {
        size_t lf = input->ptr[0] == '\n';
        *input = (struct str){ input->ptr + lf, input->len - lf };
        s->after_cr = false;
    }
    size_t n = 0;
    while (n < input->len && input->ptr[n] != '\n' && input->ptr[n] != '\r')
        n++;
    struct str line = { input->ptr, n };
    *ended = n < input->len;
    s->after_cr = *ended && input->ptr[n] == '\r';
    *input = (struct str){ input->ptr + n + *ended, input->len - n - *ended };
    return line;
}

/* Up to the empty line that ends it. */
static void skip_line(struct sse *s, struct str line, bool ended)
{
    s->in_line |= line.len > 0;
    if (ended && !s->in_line)
        forget_event(s);
    if (ended)
        s->in_line = false;
}

enum sse_result mgi_sse_next(struct sse *s, struct str *input, struct sse_event *out)
{
    if (s->used)
        forget_event(s);
    drop_mark(s, input);
    while (input->len > 0) {
        bool ended;
        struct str line = take_line(s, input, &ended);
        if (s->skipping) {
            skip_line(s, line, ended);
            continue;
        }
        size_t kept = s->line.len + s->data.len + s->type.len + s->id.len;
        if (line.len > s->max || kept > s->max - line.len) {
            skip_event(s, !ended);
            return SSE_TOO_LONG;
        }
        mgi_buf_str(&s->line, line);
        if (!s->line.oom && ended && end_line(s) && end_event(s, out))
            return SSE_EVENT;
        if (s->line.oom || s->data.oom || s->type.oom || s->id.oom) {
            skip_event(s, !ended);
            return SSE_NOMEM;
        }
    }
    return SSE_MORE;
}

/* ---- writing -------------------------------------------------------------------------------- */

void mgi_sse_write(struct buf *out, const char *type, struct str id, struct str message)
{
    if (type) {
        mgi_buf_puts(out, "event: ");
        mgi_buf_puts(out, type);
        mgi_buf_putc(out, '\n');
    }
    if (id.len > 0) {
        mgi_buf_puts(out, "id: ");
        mgi_buf_str(out, id);
        mgi_buf_putc(out, '\n');
    }
    mgi_buf_puts(out, "data: ");
    mgi_buf_str(out, message);
    mgi_buf_puts(out, "\n\n");
}

void mgi_sse_comment(struct buf *out)
{
    mgi_buf_puts(out, ":\n\n");
}
