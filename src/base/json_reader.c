/* The pull reader: one event per call, a byte of state per open container, no allocation.
 *
 *   READ_VALUE      a value must come
 *   READ_FIRST      a value or ']'
 *   READ_FIRST_KEY  a key or '}'
 *   READ_AFTER      a value has ended: ',' or the closing bracket; at depth 0 the end of the text
 *   READ_STOPPED    the end or an error was reported, and is again */
#include "base/json_int.h"

enum { READ_VALUE, READ_FIRST, READ_FIRST_KEY, READ_AFTER, READ_STOPPED };

void mgi_json_reader_init(struct json_reader *r, struct str text, uint32_t max_depth)
{
    r->text = text.ptr ? text : STR_LIT("");
    r->at = 0;
    r->depth = 0;
    r->max_depth = mgi_json_depth(max_depth);
    r->state = READ_VALUE;
    r->token = (struct str){ NULL, 0 };
    r->escaped = false;
    r->error = (struct json_error){ .fault = JSON_OK };
}

static enum json_event stop(struct json_reader *r, const struct json_fail *fail)
{
    mgi_json_error_at(&r->error, r->text, fail);
    r->state = READ_STOPPED;
    return JSON_EV_ERROR;
}

static enum json_event stop_at(struct json_reader *r, enum json_fault fault, const char *message)
{
    return stop(r, &(struct json_fail){ fault, r->text.ptr + r->at, message });
}

static enum json_event unexpected(struct json_reader *r, const char *message)
{
    struct json_fail fail;
    (void)mgi_json_unexpected(r->text.ptr + r->at, r->text.ptr + r->text.len, message, &fail);
    return stop(r, &fail);
}

/* The next byte that is not white space, '\0' at the end. A NUL byte in the text is never expected
 * and therefore an error as well. */
static char peek(struct json_reader *r)
{
    const char *end = r->text.ptr + r->text.len;
    const char *p = mgi_json_skip_space(r->text.ptr + r->at, end);
    r->at = (size_t)(p - r->text.ptr);
    return p < end ? *p : '\0';
}

static enum json_event scan_string(struct json_reader *r, enum json_event event)
{
    const char *start = r->text.ptr + r->at;
    struct json_fail fail;
    const char *quote =
        mgi_json_scan_string(start + 1, r->text.ptr + r->text.len, &r->escaped, &fail);
    if (!quote)
        return stop(r, &fail);
    r->token = mgi_str_between(start, quote + 1);
    r->at += r->token.len;
    return event;
}

static enum json_event begin_container(struct json_reader *r, bool object)
{
    if (r->depth == r->max_depth)
        return stop_at(r, JSON_TOO_DEEP, "nested too deeply");
    r->stack[r->depth++] = object;
    r->at++;
    r->state = object ? READ_FIRST_KEY : READ_FIRST;
    return object ? JSON_EV_OBJECT_BEGIN : JSON_EV_ARRAY_BEGIN;
}

static enum json_event end_container(struct json_reader *r)
{
    bool object = r->stack[--r->depth];
    r->at++;
    r->state = READ_AFTER;
    return object ? JSON_EV_OBJECT_END : JSON_EV_ARRAY_END;
}

static enum json_event scalar(struct json_reader *r, char c)
{
    r->state = READ_AFTER;
    if (c == '"')
        return scan_string(r, JSON_EV_STRING);
    const char *start = r->text.ptr + r->at, *end = r->text.ptr + r->text.len;
    struct json v;
    struct json_fail fail;
    bool number = c == '-' || (c >= '0' && c <= '9');
    const char *next = number ? mgi_json_scan_number(start, end, &v, &fail)
                              : mgi_json_scan_word(start, end, &v, &fail);
    if (!next)
        return stop(r, &fail);
    r->escaped = false;
    r->token = mgi_str_between(start, next);
    r->at += r->token.len;
    if (number)
        return JSON_EV_NUMBER;
    return v.type == JSON_NULL ? JSON_EV_NULL : JSON_EV_BOOL;
}

static enum json_event value(struct json_reader *r)
{
    char c = peek(r);
    if (c == '{' || c == '[')
        return begin_container(r, c == '{');
    return scalar(r, c);
}

/* A key and its colon, so that the next event is the value's. */
static enum json_event key(struct json_reader *r)
{
    if (peek(r) != '"')
        return unexpected(r, "expected a name in double quotes");
    enum json_event event = scan_string(r, JSON_EV_KEY);
    if (event == JSON_EV_ERROR)
        return event;
    if (peek(r) != ':')
        return unexpected(r, "expected ':' after a name");
    r->at++;
    r->state = READ_VALUE;
    return JSON_EV_KEY;
}

static enum json_event after(struct json_reader *r)
{
    char c = peek(r);
    if (r->depth == 0) {
        if (r->at < r->text.len)
            return unexpected(r, "text goes on after the value");
        r->state = READ_STOPPED;
        return JSON_EV_END;
    }
    bool object = r->stack[r->depth - 1];
    if (c == (object ? '}' : ']'))
        return end_container(r);
    if (c != ',')
        return unexpected(r, object ? "expected ',' or '}' after a member"
                                    : "expected ',' or ']' after an element");
    r->at++;
    return object ? key(r) : value(r);
}

enum json_event mgi_json_reader_next(struct json_reader *r)
{
    if (r->at == 0 && r->state == READ_VALUE && mgi_json_has_bom(r->text))
        return stop_at(r, JSON_BAD_BOM, "text begins with a byte order mark");
    switch (r->state) {
    case READ_VALUE:
        return value(r);
    case READ_FIRST:
        return peek(r) == ']' ? end_container(r) : value(r);
    case READ_FIRST_KEY:
        return peek(r) == '}' ? end_container(r) : key(r);
    case READ_AFTER:
        return after(r);
    default:
        return r->error.fault ? JSON_EV_ERROR : JSON_EV_END;
    }
}

bool mgi_json_reader_skip(struct json_reader *r)
{
    uint32_t depth = r->depth;
    for (;;) {
        enum json_event event = mgi_json_reader_next(r);
        if (event == JSON_EV_ERROR || event == JSON_EV_END || r->depth < depth)
            return false;
        if (r->depth == depth && event != JSON_EV_KEY)
            return true;
    }
}

struct str mgi_json_reader_string(struct json_reader *r, struct arena *arena)
{
    struct str raw = { r->token.ptr + 1, r->token.len - 2 };
    if (!r->escaped)
        return raw;
    char *copy = mgi_arena_alloc(arena, raw.len + 1);
    if (!copy)
        return (struct str){ NULL, 0 };
    size_t len = mgi_json_unescape(raw, copy);
    copy[len] = '\0';
    return (struct str){ copy, len };
}

enum json_type mgi_json_reader_number(const struct json_reader *r, int64_t *integer, double *number)
{
    struct json v = { .type = JSON_HUGE };
    struct json_fail fail;
    (void)mgi_json_scan_number(r->token.ptr, r->token.ptr + r->token.len, &v, &fail);
    if (v.type == JSON_INT)
        *integer = v.integer;
    else if (v.type == JSON_FLOAT)
        *number = v.number;
    return v.type;
}
