/* Functions on durations and on intervals as pairs of times (12.4). */
#include <math.h>

#include "base/time.h"
#include "mangle/builtin/builtin_int.h"

#define NS_PER_MIN  (60 * NS_PER_SEC)
#define NS_PER_HOUR (3600 * NS_PER_SEC)

static enum call_status return_duration(struct call *c, uint64_t ns, mangle_value *out)
{
    *out = mangle_duration(c->values, (int64_t)ns);
    return *out == MANGLE_NONE ? CALL_NOMEM : CALL_OK;
}

static enum call_status duration_add(struct call *c, const mangle_value *args, uint32_t count,
                                     mangle_value *out)
{
    int64_t a, b;
    (void)count;
    if (mgi_call_int(c, "fn:duration:add", args[0], MANGLE_DURATION, &a) ||
        mgi_call_int(c, "fn:duration:add", args[1], MANGLE_DURATION, &b))
        return CALL_ERROR;
    return return_duration(c, (uint64_t)a + (uint64_t)b, out);
}

static enum call_status duration_mult(struct call *c, const mangle_value *args, uint32_t count,
                                      mangle_value *out)
{
    int64_t ns, n;
    (void)count;
    if (mgi_call_int(c, "fn:duration:mult", args[0], MANGLE_DURATION, &ns) ||
        mgi_call_int(c, "fn:duration:mult", args[1], MANGLE_NUMBER, &n))
        return CALL_ERROR;
    return return_duration(c, (uint64_t)ns * (uint64_t)n, out);
}

static enum call_status duration_nanos(struct call *c, const mangle_value *args, uint32_t count,
                                       mangle_value *out)
{
    int64_t ns;
    (void)count;
    if (mgi_call_int(c, "fn:duration:nanos", args[0], MANGLE_DURATION, &ns))
        return CALL_ERROR;
    return mgi_call_return_number(c, (uint64_t)ns, out);
}

static enum call_status duration_from_nanos(struct call *c, const mangle_value *args,
                                            uint32_t count, mangle_value *out)
{
    int64_t ns;
    (void)count;
    if (mgi_call_int(c, "fn:duration:from_nanos", args[0], MANGLE_NUMBER, &ns))
        return CALL_ERROR;
    return return_duration(c, (uint64_t)ns, out);
}

/* Whole units and the rest apart (M-FUN-64): so large durations keep their fraction longest. */
static enum call_status duration_in(struct call *c, const char *function, int64_t unit,
                                    mangle_value v, mangle_value *out)
{
    int64_t ns;
    if (mgi_call_int(c, function, v, MANGLE_DURATION, &ns))
        return CALL_ERROR;
    int64_t whole = ns / unit, rest = ns % unit; /* M-FUN-64: each converted by itself */
    return mgi_call_return_double(c, (double)whole + (double)rest / (double)unit, out);
}

static enum call_status duration_hours(struct call *c, const mangle_value *args, uint32_t count,
                                       mangle_value *out)
{
    (void)count;
    return duration_in(c, "fn:duration:hours", NS_PER_HOUR, args[0], out);
}

static enum call_status duration_minutes(struct call *c, const mangle_value *args, uint32_t count,
                                         mangle_value *out)
{
    (void)count;
    return duration_in(c, "fn:duration:minutes", NS_PER_MIN, args[0], out);
}

static enum call_status duration_seconds(struct call *c, const mangle_value *args, uint32_t count,
                                         mangle_value *out)
{
    (void)count;
    return duration_in(c, "fn:duration:seconds", NS_PER_SEC, args[0], out);
}

static enum call_status duration_from(struct call *c, const char *function, int64_t unit,
                                      mangle_value v, mangle_value *out)
{
    double amount;
    if (mgi_call_double(c, function, v, &amount))
        return CALL_ERROR;
    double ns = trunc(amount * (double)unit);
    if (!(ns >= -0x1p63 && ns < 0x1p63)) /* written so that NaN is out of range */
        return mgi_call_mismatch(c, function, "an amount that fits 64-bit nanoseconds", v);
    return return_duration(c, (uint64_t)(int64_t)ns, out);
}

static enum call_status duration_from_hours(struct call *c, const mangle_value *args,
                                            uint32_t count, mangle_value *out)
{
    (void)count;
    return duration_from(c, "fn:duration:from_hours", NS_PER_HOUR, args[0], out);
}

static enum call_status duration_from_minutes(struct call *c, const mangle_value *args,
                                              uint32_t count, mangle_value *out)
{
    (void)count;
    return duration_from(c, "fn:duration:from_minutes", NS_PER_MIN, args[0], out);
}

static enum call_status duration_from_seconds(struct call *c, const mangle_value *args,
                                              uint32_t count, mangle_value *out)
{
    (void)count;
    return duration_from(c, "fn:duration:from_seconds", NS_PER_SEC, args[0], out);
}

static enum call_status duration_parse(struct call *c, const mangle_value *args, uint32_t count,
                                       mangle_value *out)
{
    int64_t ns;
    (void)count;
    if (mgi_call_expect(c, "fn:duration:parse", args[0], MANGLE_STRING))
        return CALL_ERROR;
    if (!mgi_duration_parse(call_text(c, args[0]), false, &ns))
        return mgi_call_mismatch(c, "fn:duration:parse", "a duration such as \"1h30m\"", args[0]);
    return return_duration(c, (uint64_t)ns, out);
}

/* ---- intervals ----------------------------------------------------------------------------- */

static enum call_status interval_start(struct call *c, const mangle_value *args, uint32_t count,
                                       mangle_value *out)
{
    mangle_value end;
    (void)count;
    if (mgi_call_expect(c, "fn:interval:start", args[0], MANGLE_PAIR))
        return CALL_ERROR;
    mangle_pair_of(c->values, args[0], out, &end);
    return CALL_OK;
}

static enum call_status interval_end(struct call *c, const mangle_value *args, uint32_t count,
                                     mangle_value *out)
{
    mangle_value start;
    (void)count;
    if (mgi_call_expect(c, "fn:interval:end", args[0], MANGLE_PAIR))
        return CALL_ERROR;
    mangle_pair_of(c->values, args[0], &start, out);
    return CALL_OK;
}

static enum call_status interval_duration(struct call *c, const mangle_value *args, uint32_t count,
                                          mangle_value *out)
{
    mangle_value first, second;
    int64_t start, end;
    (void)count;
    if (mgi_call_expect(c, "fn:interval:duration", args[0], MANGLE_PAIR))
        return CALL_ERROR;
    mangle_pair_of(c->values, args[0], &first, &second);
    if (mgi_call_int(c, "fn:interval:duration", first, MANGLE_TIME, &start) ||
        mgi_call_int(c, "fn:interval:duration", second, MANGLE_TIME, &end))
        return CALL_ERROR;
    if (start == MANGLE_MIN_TIME || end == MANGLE_MAX_TIME)
        return mgi_call_error(c, "fn:interval:duration: the interval has no %s",
                              start == MANGLE_MIN_TIME ? "start" : "end");
    return return_duration(c, (uint64_t)end - (uint64_t)start, out);
}

const struct function mgi_functions_duration[] = {
    { .name = "fn:duration:add",
      .min_args = 2,
      .max_args = 2,
      .apply = duration_add,
      .type = "/duration, /duration -> /duration",
      .doc = "The sum of two durations.",
      .example = { "p(Y) :- d(X), Y = fn:duration:add(X, X).", "d(fn:duration:parse(\"90s\")).",
                   "p(fn:duration:parse(\"3m0s\"))." } },
    { .name = "fn:duration:mult",
      .min_args = 2,
      .max_args = 2,
      .apply = duration_mult,
      .type = "/duration, /number -> /duration",
      .doc = "The duration n times.",
      .example = { "p(Y) :- d(X), Y = fn:duration:mult(X, 4).", "d(fn:duration:parse(\"90s\")).",
                   "p(fn:duration:parse(\"6m0s\"))." } },
    { .name = "fn:duration:nanos",
      .min_args = 1,
      .max_args = 1,
      .apply = duration_nanos,
      .type = "/duration -> /number",
      .doc = "The nanoseconds of a duration.",
      .example = { "p(Y) :- d(X), Y = fn:duration:nanos(X).", "d(fn:duration:parse(\"2us\")).",
                   "p(2000)." } },
    { .name = "fn:duration:from_nanos",
      .min_args = 1,
      .max_args = 1,
      .apply = duration_from_nanos,
      .type = "/number -> /duration",
      .doc = "The duration of so many nanoseconds.",
      .example = { "p(Y) :- n(X), Y = fn:duration:from_nanos(X).", "n(1500000).",
                   "p(fn:duration:parse(\"1.5ms\"))." } },
    { .name = "fn:duration:hours",
      .min_args = 1,
      .max_args = 1,
      .apply = duration_hours,
      .type = "/duration -> /float64",
      .doc = "A duration in hours, with its fraction.",
      .example = { "p(Y) :- d(X), Y = fn:duration:hours(X).", "d(fn:duration:parse(\"90m\")).",
                   "p(1.5)." } },
    { .name = "fn:duration:minutes",
      .min_args = 1,
      .max_args = 1,
      .apply = duration_minutes,
      .type = "/duration -> /float64",
      .doc = "A duration in minutes, with its fraction.",
      .example = { "p(Y) :- d(X), Y = fn:duration:minutes(X).", "d(fn:duration:parse(\"90s\")).",
                   "p(1.5)." } },
    { .name = "fn:duration:seconds",
      .min_args = 1,
      .max_args = 1,
      .apply = duration_seconds,
      .type = "/duration -> /float64",
      .doc = "A duration in seconds, with its fraction.",
      .example = { "p(Y) :- d(X), Y = fn:duration:seconds(X).", "d(fn:duration:parse(\"250ms\")).",
                   "p(0.25)." } },
    { .name = "fn:duration:from_hours",
      .min_args = 1,
      .max_args = 1,
      .apply = duration_from_hours,
      .type = "fn:Union(/number, /float64) -> /duration",
      .doc = "The duration of so many hours, truncated to nanoseconds.",
      .example = { "p(Y) :- n(X), Y = fn:duration:from_hours(X).", "n(1.5).",
                   "p(fn:duration:parse(\"1h30m0s\"))." } },
    { .name = "fn:duration:from_minutes",
      .min_args = 1,
      .max_args = 1,
      .apply = duration_from_minutes,
      .type = "fn:Union(/number, /float64) -> /duration",
      .doc = "The duration of so many minutes, truncated to nanoseconds.",
      .example = { "p(Y) :- n(X), Y = fn:duration:from_minutes(X).", "n(90).",
                   "p(fn:duration:parse(\"1h30m0s\"))." } },
    { .name = "fn:duration:from_seconds",
      .min_args = 1,
      .max_args = 1,
      .apply = duration_from_seconds,
      .type = "fn:Union(/number, /float64) -> /duration",
      .doc = "The duration of so many seconds, truncated to nanoseconds.",
      .example = { "p(Y) :- n(X), Y = fn:duration:from_seconds(X).", "n(0.25).",
                   "p(fn:duration:parse(\"250ms\"))." } },
    { .name = "fn:duration:parse",
      .min_args = 1,
      .max_args = 1,
      .apply = duration_parse,
      .type = "/string -> /duration",
      .doc =
          "A duration from text such as \"1h30m\", \"-1.5ms\" or \"0\"; units ns, us, ms, s, m, h.",
      .example = { "p(Y) :- w(X), Y = fn:duration:parse(X).", "w(\"90s\").",
                   "p(fn:duration:parse(\"1m30s\"))." } },
    { .name = "fn:interval:start",
      .min_args = 1,
      .max_args = 1,
      .apply = interval_start,
      .type = "fn:Pair(X, Y) -> X",
      .doc = "The first part of a pair.",
      .example = { "p(Y) :- i(X), Y = fn:interval:start(X).", "i(fn:pair(3, 5)).", "p(3)." } },
    { .name = "fn:interval:end",
      .min_args = 1,
      .max_args = 1,
      .apply = interval_end,
      .type = "fn:Pair(X, Y) -> Y",
      .doc = "The second part of a pair.",
      .example = { "p(Y) :- i(X), Y = fn:interval:end(X).", "i(fn:pair(3, 5)).", "p(5)." } },
    { .name = "fn:interval:duration",
      .min_args = 1,
      .max_args = 1,
      .apply = interval_duration,
      .type = "fn:Pair(/time, /time) -> /duration",
      .doc = "From the start to the end of a pair of times; without bound it is an error.",
      .example = { "p(Y) :- t(S, E), Y = fn:interval:duration(fn:pair(S, E)).",
                   "t(fn:time:from_unix_nanos(0), fn:time:from_unix_nanos(90000000000)).",
                   "p(fn:duration:parse(\"1m30s\"))." } },
    { 0 },
};
