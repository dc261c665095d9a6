/* Times and temporal annotations on the wire (protocol.md §2.3, §2.4).
 *
 * The spelling decides what is meant: text is RFC 3339, a bare integer is milliseconds, nanoseconds
 * stand in an object (D-21). Nothing is clamped: an instant that does not fit is refused (D-23). */
#include "protocol/wire_time.h"

#include "base/time.h"

bool mgi_wire_int64(const struct json *v, int64_t *out)
{
    if (v->type != JSON_OBJECT || v->count != 2)
        return false;
    const struct json *type = mgi_json_get(v, "_type");
    const struct json *value = mgi_json_get(v, "value");
    if (!type || type->type != JSON_STRING || !str_is(type->string, "int64") || !value ||
        value->type != JSON_STRING)
        return false;

    struct str s = value->string;
    size_t at = s.len > 0 && s.ptr[0] == '-' ? 1 : 0;
    bool negative = at == 1;
    if (at == s.len || (s.ptr[at] == '0' && s.len > 1)) /* canonical: no "-", "-0" or "007" */
        return false;
    int64_t n = 0;
    for (; at < s.len; at++) {
        int digit = s.ptr[at] - '0';
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(n, (int64_t)10, &n) ||
            __builtin_add_overflow(n, negative ? -digit : digit, &n))
            return false;
    }
    *out = n;
    return true;
}

static enum wire_time time_of_text(struct str s, int64_t *ns, const char **why)
{
    if (str_is(s, "now"))
        return WIRE_TIME_NOW;
    if (str_is(s, "_"))
        return WIRE_TIME_OPEN;
    enum time_parse parsed = mgi_time_parse(s, TIME_LOWER_CASE | TIME_LEAP_SECOND, ns);
    if (parsed == TIME_OK)
        return WIRE_TIME_INSTANT;
    *why = mgi_time_parse_text(parsed);
    return WIRE_TIME_BAD;
}

static enum wire_time time_of_ms(int64_t ms, int formats, int64_t *ns, const char **why)
{
    if (!(formats & WIRE_TIME_EPOCH_MS)) {
        *why = "a number as a time (epoch_ms) is not among the server's time_formats";
        return WIRE_TIME_UNSUPPORTED;
    }
    if (__builtin_mul_overflow(ms, NS_PER_MS, ns)) {
        *why = "the instant is outside the years 1678 to 2261";
        return WIRE_TIME_BAD;
    }
    return WIRE_TIME_INSTANT;
}

static enum wire_time time_of_object(const struct json *v, int formats, int64_t *ns,
                                     const char **why)
{
    const struct json *nanos = mgi_json_get(v, "nanos");
    if (!nanos || v->count != 1) {
        *why = "an object as a time has exactly the member nanos";
        return WIRE_TIME_BAD;
    }
    if (!(formats & WIRE_TIME_EPOCH_NS)) {
        *why = "nanoseconds (epoch_ns) are not among the server's time_formats";
        return WIRE_TIME_UNSUPPORTED;
    }
    if (nanos->type == JSON_INT)
        *ns = nanos->integer;
    else if (!mgi_wire_int64(nanos, ns)) {
        *why = "nanos must be a 64-bit integer";
        return WIRE_TIME_BAD;
    }
    return WIRE_TIME_INSTANT;
}

enum wire_time mgi_wire_time(const struct json *v, int formats, int64_t *ns, const char **why)
{
    const char *ignored;
    if (!why)
        why = &ignored;
    *why = NULL;
    switch (v->type) {
    case JSON_STRING:
        return time_of_text(v->string, ns, why);
    case JSON_INT:
        return time_of_ms(v->integer, formats, ns, why);
    case JSON_OBJECT:
        return time_of_object(v, formats, ns, why);
    case JSON_FLOAT:
    case JSON_HUGE:
        *why = "a number as a time must be a whole number of milliseconds";
        return WIRE_TIME_BAD;
    default:
        *why = "a time is an RFC 3339 text with an offset, such as 2026-07-04T06:00:00Z";
        return WIRE_TIME_BAD;
    }
}

/* One end of an annotation. `open` is what "_" means there; no "_" in a point. */
static bool end_of_interval(const struct json *v, int formats, int64_t now_ns, bool may_be_open,
                            int64_t open, int64_t *out, const char **issue, const char **why)
{
    switch (mgi_wire_time(v, formats, out, why)) {
    case WIRE_TIME_INSTANT:
        return true;
    case WIRE_TIME_NOW:
        *out = now_ns;
        return true;
    case WIRE_TIME_OPEN:
        if (may_be_open) {
            *out = open;
            return true;
        }
        *issue = "invalid_temporal_annotation";
        *why = "at must be an instant; \"_\" is for start and end";
        return false;
    case WIRE_TIME_UNSUPPORTED:
        *issue = "unsupported_time_format";
        return false;
    default:
        *issue = "invalid_time";
        return false;
    }
}

bool mgi_wire_interval(const struct json *t, int formats, int64_t now_ns,
                       struct mangle_interval *out, const char **issue, const char **why)
{
    *issue = *why = NULL;
    if (!t || t->type == JSON_NULL) {
        *out = MANGLE_ALWAYS;
        return true;
    }
    const struct json *at = mgi_json_get(t, "at");
    const struct json *start = mgi_json_get(t, "start");
    const struct json *end = mgi_json_get(t, "end");
    bool point = at && t->count == 1;
    bool interval = start && end && t->count == 2;
    if (!point && !interval) {
        *issue = "invalid_temporal_annotation";
        *why = "t is either {\"at\": time} or {\"start\": time, \"end\": time}";
        return false;
    }
    struct mangle_interval r;
    if (point) {
        if (!end_of_interval(at, formats, now_ns, false, 0, &r.start_ns, issue, why))
            return false;
        r.end_ns = r.start_ns;
    } else {
        if (!end_of_interval(start, formats, now_ns, true, MANGLE_MIN_TIME, &r.start_ns, issue,
                             why) ||
            !end_of_interval(end, formats, now_ns, true, MANGLE_MAX_TIME, &r.end_ns, issue, why))
            return false;
        if (r.start_ns > r.end_ns) {
            *issue = "inverted_interval";
            *why = "start is later than end";
            return false;
        }
    }
    *out = r;
    return true;
}

void mgi_wire_time_write(struct json_writer *w, int64_t ns)
{
    char text[TIME_TEXT_BYTES];
    mgi_jw_string(w, (struct str){ text, mgi_time_format(text, ns) });
}

static void write_end(struct json_writer *w, const char *name, int64_t ns, int64_t open)
{
    mgi_jw_key(w, name);
    if (ns == open)
        mgi_jw_cstring(w, "_");
    else
        mgi_wire_time_write(w, ns);
}

void mgi_wire_interval_write(struct json_writer *w, struct mangle_interval t)
{
    mgi_jw_begin_object(w);
    if (t.start_ns == t.end_ns) {
        mgi_jw_key(w, "at");
        mgi_wire_time_write(w, t.start_ns);
    } else {
        write_end(w, "start", t.start_ns, MANGLE_MIN_TIME);
        write_end(w, "end", t.end_ns, MANGLE_MAX_TIME);
    }
    mgi_jw_end_object(w);
}

static const char *say_apart(struct arena *arena, int64_t apart_ns, bool later, int64_t skew_ms)
{
    struct buf text = { 0 };
    mgi_buf_puts(&text, "eval_time is ");
    mgi_duration_print(&text, apart_ns);
    mgi_buf_puts(&text, later ? " after" : " before");
    mgi_buf_puts(&text, " the server's clock; at most ");
    mgi_duration_print(&text, skew_ms * NS_PER_MS);
    mgi_buf_puts(&text, " is allowed");
    struct str kept = text.oom ? (struct str){ 0 } : mgi_arena_str(arena, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    return kept.ptr ? kept.ptr : "eval_time is too far from the server's clock";
}

bool mgi_wire_time_near(struct arena *arena, int64_t at_ns, int64_t clock_ns, int64_t skew_ms,
                        const char **why)
{
    int64_t apart;
    if (skew_ms == 0)
        return true;
    bool later = at_ns > clock_ns;
    if (later ? __builtin_sub_overflow(at_ns, clock_ns, &apart)
              : __builtin_sub_overflow(clock_ns, at_ns, &apart))
        apart = INT64_MAX;
    if (apart <= skew_ms * NS_PER_MS)
        return true;
    *why = say_apart(arena, apart, later, skew_ms);
    return false;
}
