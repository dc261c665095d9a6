/* Functions on times that need no zone (12.4): arithmetic, RFC 3339, UTC. */
#include "base/time.h"
#include "mangle/builtin/builtin_int.h"

static enum call_status return_time(struct call *c, uint64_t ns, mangle_value *out)
{
    *out = mangle_time(c->values, (int64_t)ns);
    return *out == MANGLE_NONE ? CALL_NOMEM : CALL_OK;
}

static enum call_status time_now(struct call *c, const mangle_value *args, uint32_t count,
                                 mangle_value *out)
{
    (void)args;
    (void)count;
    return return_time(c, (uint64_t)c->now_ns, out);
}

static enum call_status time_add(struct call *c, const mangle_value *args, uint32_t count,
                                 mangle_value *out)
{
    int64_t t, d;
    (void)count;
    if (mgi_call_int(c, "fn:time:add", args[0], MANGLE_TIME, &t) ||
        mgi_call_int(c, "fn:time:add", args[1], MANGLE_DURATION, &d))
        return CALL_ERROR;
    return return_time(c, (uint64_t)t + (uint64_t)d, out);
}

static enum call_status time_sub(struct call *c, const mangle_value *args, uint32_t count,
                                 mangle_value *out)
{
    int64_t t, u;
    (void)count;
    if (mgi_call_int(c, "fn:time:sub", args[0], MANGLE_TIME, &t) ||
        mgi_call_int(c, "fn:time:sub", args[1], MANGLE_TIME, &u))
        return CALL_ERROR;
    *out = mangle_duration(c->values, (int64_t)((uint64_t)t - (uint64_t)u));
    return *out == MANGLE_NONE ? CALL_NOMEM : CALL_OK;
}

/* ---- fields -------------------------------------------------------------------------------- */

enum time_field { FIELD_YEAR, FIELD_MONTH, FIELD_DAY, FIELD_HOUR, FIELD_MINUTE, FIELD_SECOND };

static enum call_status time_field(struct call *c, const char *function, enum time_field field,
                                   mangle_value v, mangle_value *out)
{
    int64_t ns;
    if (mgi_call_int(c, function, v, MANGLE_TIME, &ns))
        return CALL_ERROR;
    struct civil civil = mgi_civil_of(ns);
    const int64_t fields[] = { civil.year, civil.month,  civil.day,
                               civil.hour, civil.minute, civil.second };
    return mgi_call_return_number(c, (uint64_t)fields[field], out);
}

static enum call_status time_year(struct call *c, const mangle_value *args, uint32_t count,
                                  mangle_value *out)
{
    (void)count;
    return time_field(c, "fn:time:year", FIELD_YEAR, args[0], out);
}

static enum call_status time_month(struct call *c, const mangle_value *args, uint32_t count,
                                   mangle_value *out)
{
    (void)count;
    return time_field(c, "fn:time:month", FIELD_MONTH, args[0], out);
}

static enum call_status time_day(struct call *c, const mangle_value *args, uint32_t count,
                                 mangle_value *out)
{
    (void)count;
    return time_field(c, "fn:time:day", FIELD_DAY, args[0], out);
}

static enum call_status time_hour(struct call *c, const mangle_value *args, uint32_t count,
                                  mangle_value *out)
{
    (void)count;
    return time_field(c, "fn:time:hour", FIELD_HOUR, args[0], out);
}

static enum call_status time_minute(struct call *c, const mangle_value *args, uint32_t count,
                                    mangle_value *out)
{
    (void)count;
    return time_field(c, "fn:time:minute", FIELD_MINUTE, args[0], out);
}

static enum call_status time_second(struct call *c, const mangle_value *args, uint32_t count,
                                    mangle_value *out)
{
    (void)count;
    return time_field(c, "fn:time:second", FIELD_SECOND, args[0], out);
}

/* ---- to and from others -------------------------------------------------------------------- */

static enum call_status time_from_unix_nanos(struct call *c, const mangle_value *args,
                                             uint32_t count, mangle_value *out)
{
    int64_t ns;
    (void)count;
    if (mgi_call_int(c, "fn:time:from_unix_nanos", args[0], MANGLE_NUMBER, &ns))
        return CALL_ERROR;
    return return_time(c, (uint64_t)ns, out);
}

static enum call_status time_to_unix_nanos(struct call *c, const mangle_value *args, uint32_t count,
                                           mangle_value *out)
{
    int64_t ns;
    (void)count;
    if (mgi_call_int(c, "fn:time:to_unix_nanos", args[0], MANGLE_TIME, &ns))
        return CALL_ERROR;
    return mgi_call_return_number(c, (uint64_t)ns, out);
}

static enum call_status time_parse_rfc3339(struct call *c, const mangle_value *args, uint32_t count,
                                           mangle_value *out)
{
    int64_t ns;
    (void)count;
    if (mgi_call_expect(c, "fn:time:parse_rfc3339", args[0], MANGLE_STRING))
        return CALL_ERROR;
    if (mgi_time_parse(call_text(c, args[0]), 0, &ns) != TIME_OK)
        return mgi_call_mismatch(c, "fn:time:parse_rfc3339",
                                 "a time such as \"2024-01-15T10:30:00Z\" between 1678 and 2261",
                                 args[0]);
    return return_time(c, (uint64_t)ns, out);
}

#define TIME_FIELD_ROW(field, function, value)                                                     \
    {                                                                                              \
        .name = "fn:time:" field, .min_args = 1, .max_args = 1, .apply = (function),               \
        .type = "/time -> /number", .doc = "The " field " of a time in UTC.", .example = {         \
            "p(Y) :- t(X), Y = fn:time:" field "(X).",                                             \
            "t(fn:time:parse_rfc3339(\"2024-01-15T10:30:45Z\")).",                                 \
            "p(" value ")."                                                                        \
        }                                                                                          \
    }

const struct function mgi_functions_time[] = {
    { .name = "fn:time:now",
      .apply = time_now,
      .reads_now = true,
      .type = "-> /time",
      .doc = "The evaluation time: the same instant throughout one evaluation, like `now`.",
      .example = { "p(Y) :- n(X), Y = fn:time:sub(fn:time:now(), fn:time:now()).", "n(1).",
                   "p(fn:duration:parse(\"0s\"))." } },
    { .name = "fn:time:add",
      .min_args = 2,
      .max_args = 2,
      .apply = time_add,
      .type = "/time, /duration -> /time",
      .doc = "The time moved by a duration.",
      .example = { "p(Y) :- t(X), Y = fn:time:add(X, fn:duration:parse(\"36h\")).",
                   "t(fn:time:parse_rfc3339(\"2024-01-15T10:30:00Z\")).",
                   "p(fn:time:parse_rfc3339(\"2024-01-16T22:30:00Z\"))." } },
    { .name = "fn:time:sub",
      .min_args = 2,
      .max_args = 2,
      .apply = time_sub,
      .type = "/time, /time -> /duration",
      .doc = "The first time less the second.",
      .example = { "p(Y) :- t(X), Y = fn:time:sub(X, "
                   "fn:time:parse_rfc3339(\"2024-01-15T10:00:00Z\")).",
                   "t(fn:time:parse_rfc3339(\"2024-01-15T10:30:00Z\")).",
                   "p(fn:duration:parse(\"30m0s\"))." } },
    TIME_FIELD_ROW("year", time_year, "2024"),
    TIME_FIELD_ROW("month", time_month, "1"),
    TIME_FIELD_ROW("day", time_day, "15"),
    TIME_FIELD_ROW("hour", time_hour, "10"),
    TIME_FIELD_ROW("minute", time_minute, "30"),
    TIME_FIELD_ROW("second", time_second, "45"),
    { .name = "fn:time:from_unix_nanos",
      .min_args = 1,
      .max_args = 1,
      .apply = time_from_unix_nanos,
      .type = "/number -> /time",
      .doc = "The time so many nanoseconds after 1970-01-01T00:00:00Z.",
      .example = { "p(Y) :- n(X), Y = fn:time:from_unix_nanos(X).", "n(1500000000).",
                   "p(fn:time:parse_rfc3339(\"1970-01-01T00:00:01.5Z\"))." } },
    { .name = "fn:time:to_unix_nanos",
      .min_args = 1,
      .max_args = 1,
      .apply = time_to_unix_nanos,
      .type = "/time -> /number",
      .doc = "Nanoseconds since 1970-01-01T00:00:00Z.",
      .example = { "p(Y) :- t(X), Y = fn:time:to_unix_nanos(X).",
                   "t(fn:time:parse_rfc3339(\"1970-01-01T00:00:01.5Z\")).", "p(1500000000)." } },
    { .name = "fn:time:parse_rfc3339",
      .min_args = 1,
      .max_args = 1,
      .apply = time_parse_rfc3339,
      .type = "/string -> /time",
      .doc = "A time from text with Z or an offset.",
      .example = { "p(Y) :- w(X), Y = fn:time:parse_rfc3339(X).",
                   "w(\"2024-01-15T10:30:00+02:00\").",
                   "p(fn:time:parse_rfc3339(\"2024-01-15T08:30:00Z\"))." } },
    { 0 },
};
