/* Time in source text: the bounds of annotations `@[...]` and of windows `<-[...]`, in all the
 * spellings of the protocol's dialect (M-SYN-40 to M-SYN-44, M-SYN-53, M-SYN-54). */
#include "base/buf.h"
#include "base/time.h"
#include "mangle/text/parse_int.h"

/* Quoted text as a bound: RFC 3339, a date, "_" or "now" (M-SYN-42). */
static bool quoted_bound(struct parser *x, struct time_bound *out)
{
    struct str s = x->token.string;
    if (str_is(s, "_")) {
        out->kind = BOUND_OPEN;
        return true;
    }
    if (str_is(s, "now")) {
        out->kind = BOUND_NOW;
        return true;
    }
    struct buf full = { 0 };
    mgi_buf_str(&full, s);
    if (s.len == 10)
        mgi_buf_puts(&full, "T00:00:00Z");
    bool short_of_memory = full.oom;
    out->kind = BOUND_TIME;
    enum time_parse code = mgi_time_parse(mgi_buf_view(&full), 0, &out->ns);
    mgi_buf_fini(&full);
    if (short_of_memory)
        return mgi_parser_oom(x);
    if (code != TIME_OK)
        return mgi_parser_fail(x, mgi_token_span(x),
                               "Write a time like \"2024-01-15T10:30:00Z\" or a date.",
                               "not a time: %s", mgi_time_parse_text(code));
    return true;
}

/* A bare number: milliseconds since 1970 in an annotation, of duration in a window. */
static bool number_bound(struct parser *x, bool window, struct time_bound *out)
{
    int64_t ms = x->token.number;
    if (window && ms < 0)
        return mgi_parser_fail(x, mgi_token_span(x), NULL,
                               "a window cannot have a negative duration");
    if (ms > INT64_MAX / NS_PER_MS || ms < INT64_MIN / NS_PER_MS)
        return mgi_parser_fail(x, mgi_token_span(x), "The number counts milliseconds.",
                               "the time does not fit 64-bit nanoseconds");
    out->kind = window ? BOUND_DURATION : BOUND_TIME;
    out->ns = ms * NS_PER_MS;
    return true;
}

static bool time_bound(struct parser *x, bool window, struct time_bound *out)
{
    *out = (struct time_bound){ .span = mgi_token_span(x) };
    switch (x->token.kind) {
    case TOKEN_TIMESTAMP:
        out->kind = BOUND_TIME;
        out->ns = x->token.number;
        break;
    case TOKEN_DURATION:
        out->kind = BOUND_DURATION;
        out->ns = x->token.number;
        break;
    case TOKEN_NUMBER:
        if (!number_bound(x, window, out))
            return false;
        break;
    case TOKEN_STRING:
        if (!quoted_bound(x, out))
            return false;
        break;
    case TOKEN_NOW:
        out->kind = BOUND_NOW;
        break;
    case TOKEN_VARIABLE:
        if (!str_is(x->token.text, "_")) {
            out->kind = BOUND_VAR;
            return mgi_parser_take_var(x, &out->var);
        }
        out->kind = BOUND_OPEN;
        break;
    default:
        return mgi_parser_expected_hint(
            x, window ? "a duration such as 5m" : "a time, a variable, 'now' or '_'",
            window ? "Write a window such as <-[5m] or <-[0s, 1h30m]."
                   : "Write @[2024-01-15], @[2024-01-15T10:30:00Z, now], @[Start, End] or @[_].");
    }
    mgi_parser_next(x);
    return !x->oom;
}

bool mgi_parse_annotation(struct parser *x, struct annotation *out)
{
    *out = (struct annotation){ 0 };
    if (x->token.kind != TOKEN_AT)
        return true;
    uint32_t start = x->token.start;
    mgi_parser_next(x);
    struct span open = mgi_token_span(x);
    if (x->token.kind != TOKEN_LBRACKET)
        return mgi_parser_expected_hint(x, "'[' after '@'",
                                        "Write @[2024-01-15], or @[start, end].");
    mgi_parser_next(x);
    if (!time_bound(x, false, &out->start))
        return false;
    out->end = out->start;
    out->point = x->token.kind != TOKEN_COMMA;
    if (!out->point) {
        mgi_parser_next(x);
        if (!time_bound(x, false, &out->end))
            return false;
    }
    if (!mgi_parser_close(x, TOKEN_RBRACKET, out->point ? "',' or ']'" : "']'", open))
        return false;
    out->present = true;
    out->span = mgi_parser_span(x, start);
    return true;
}

bool mgi_at_window(const struct parser *x)
{
    return x->token.kind >= TOKEN_SOME_PAST && x->token.kind <= TOKEN_ALL_FUTURE;
}

bool mgi_parse_window(struct parser *x, struct premise *out)
{
    switch (x->token.kind) {
    case TOKEN_SOME_PAST:
        out->window = WINDOW_SOME_PAST;
        break;
    case TOKEN_SOME_FUTURE:
        out->window = WINDOW_SOME_FUTURE;
        break;
    case TOKEN_ALL_PAST:
        out->window = WINDOW_ALL_PAST;
        break;
    case TOKEN_ALL_FUTURE:
        out->window = WINDOW_ALL_FUTURE;
        break;
    default:
        return true;
    }
    mgi_parser_next(x);
    struct span open = mgi_token_span(x);
    bool pair = false;
    if (!mgi_parser_take(x, TOKEN_LBRACKET, "'['") || !time_bound(x, true, &out->near))
        return false;
    if (x->token.kind == TOKEN_COMMA) {
        pair = true;
        mgi_parser_next(x);
        if (!time_bound(x, true, &out->far))
            return false;
    } else { /* <-[5m] is <-[0s, 5m] (M-SYN-40) */
        out->far = out->near;
        out->near = (struct time_bound){ .kind = BOUND_DURATION, .span = out->far.span };
    }
    return mgi_parser_close(x, TOKEN_RBRACKET, pair ? "']'" : "',' or ']'", open);
}
