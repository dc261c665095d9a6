/* Calendar functions (12.4): formatting and truncating, in UTC or in a zone.
 *
 * A *local* time is what the clocks of a zone show, counted in seconds as if it were UTC: of the
 * first and last instants it is outside what nanoseconds in 64 bits can hold. */
#include <stdlib.h>

#include "base/time.h"
#include "mangle/builtin/builtin_int.h"
#include "mangle/value/zone.h"

/* ---- zones --------------------------------------------------------------------------------- */

/* *zone NULL is UTC. The source decides which names it knows, "Local" among them. */
static enum call_status find_zone(struct call *c, const char *function, mangle_value v,
                                  const mangle_zone **zone)
{
    *zone = NULL;
    if (mgi_call_expect(c, function, v, MANGLE_STRING))
        return CALL_ERROR;
    struct str name = call_text(c, v);
    if (name.len == 0 || str_is(name, "UTC"))
        return CALL_OK;
    if (c->zones && mgi_zone_name_ok(name))
        *zone = c->zones->find(c->zones->context, name.ptr, name.len);
    if (!*zone)
        return mgi_call_mismatch(
            c, function,
            c->zones ? "a time zone known here" : "\"UTC\", as no zone data is at hand", v);
    return CALL_OK;
}

static enum call_status out_of_range(struct call *c, const char *function)
{
    return mgi_call_error(c, "%s: the time is outside the years 1678 to 2261", function);
}

static int64_t seconds_of(int64_t ns)
{
    return ns / NS_PER_SEC - (ns % NS_PER_SEC < 0);
}

static int64_t nanos_of(int64_t ns)
{
    return (ns % NS_PER_SEC + NS_PER_SEC) % NS_PER_SEC;
}

/* Near INT64_MIN the product of the seconds alone would overflow. */
static bool utc_instant(int64_t seconds, int64_t nanos, int64_t *ns)
{
    if (seconds < 0 && nanos > 0) {
        seconds++;
        nanos -= NS_PER_SEC;
    }
    return !__builtin_mul_overflow(seconds, NS_PER_SEC, ns) &&
           !__builtin_add_overflow(*ns, nanos, ns);
}

/* The zone's offset at the instant, or at the one nearest to it that 64 bits can hold. */
static int32_t offset_near(const mangle_zone *zone, int64_t seconds)
{
    int64_t ns;
    if (!utc_instant(seconds, 0, &ns))
        ns = seconds < 0 ? INT64_MIN : INT64_MAX;
    return mgi_zone_offset(zone, ns);
}

/* M-FUN-56: of local times that occur twice the earlier or later, of those that never occur one
 * beside the gap, by the offset in force at the instant "local read as UTC". */
static bool civil_instant(const mangle_zone *zone, int64_t local, int64_t nanos, int64_t *ns)
{
    int32_t offset = offset_near(zone, local);
    int32_t there = offset_near(zone, local - offset);
    return utc_instant(local - (there == offset ? offset : there), nanos, ns);
}

/* ---- units --------------------------------------------------------------------------------- */

enum civil_unit {
    UNIT_YEAR,
    UNIT_MONTH,
    UNIT_WEEK,
    UNIT_DAY,
    UNIT_HOUR,
    UNIT_MINUTE,
    UNIT_SECOND,
    UNIT_MILLISECOND,
    UNIT_MICROSECOND,
    UNIT_NANOSECOND,
    UNIT_COUNT
};

#define UNIT_BIT(unit) (1u << (unit))
#define FORMAT_UNITS   (~UNIT_BIT(UNIT_WEEK))
#define TRUNC_UNITS    (~(UNIT_BIT(UNIT_YEAR) | UNIT_BIT(UNIT_MONTH) | UNIT_BIT(UNIT_WEEK)))
#define CIVIL_UNITS                                                                                \
    (UNIT_BIT(UNIT_YEAR) | UNIT_BIT(UNIT_MONTH) | UNIT_BIT(UNIT_WEEK) | UNIT_BIT(UNIT_DAY))

static enum call_status find_unit(struct call *c, const char *function, mangle_value v,
                                  unsigned allowed, enum civil_unit *unit)
{
    static const char *const names[UNIT_COUNT] = {
        "/year",   "/month",  "/week",        "/day",         "/hour",
        "/minute", "/second", "/millisecond", "/microsecond", "/nanosecond",
    };
    if (mgi_call_expect(c, function, v, MANGLE_NAME))
        return CALL_ERROR;
    for (int i = 0; i < UNIT_COUNT; i++)
        if ((allowed & UNIT_BIT(i)) && str_is(call_text(c, v), names[i])) {
            *unit = (enum civil_unit)i;
            return CALL_OK;
        }
    return mgi_call_mismatch(c, function, "a unit it knows, such as /day", v);
}

/* ---- formatting ---------------------------------------------------------------------------- */

static void print_fraction(struct buf *text, int64_t nanos, enum civil_unit unit)
{
    if (unit == UNIT_MILLISECOND) {
        mgi_buf_printf(text, ".%03d", (int)(nanos / NS_PER_MS));
    } else if (unit == UNIT_MICROSECOND) {
        mgi_buf_printf(text, ".%06d", (int)(nanos / NS_PER_US));
    } else if (unit == UNIT_NANOSECOND && nanos != 0) {
        int digits = 9;
        for (; nanos % 10 == 0; nanos /= 10)
            digits--;
        mgi_buf_printf(text, ".%0*d", digits, (int)nanos);
    }
}

static void print_offset(struct buf *text, int32_t offset)
{
    int minutes = abs((int)offset) / 60;
    if (offset == 0)
        mgi_buf_putc(text, 'Z');
    else
        mgi_buf_printf(text, "%c%02d:%02d", offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

static void print_civil(struct buf *text, int64_t ns, int32_t offset, enum civil_unit unit)
{
    struct civil t = mgi_civil_of_seconds(seconds_of(ns) + offset, nanos_of(ns));
    mgi_buf_printf(text, "%04d", (int)t.year);
    if (unit >= UNIT_MONTH)
        mgi_buf_printf(text, "-%02d", t.month);
    if (unit >= UNIT_DAY)
        mgi_buf_printf(text, "-%02d", t.day);
    if (unit >= UNIT_HOUR)
        mgi_buf_printf(text, "T%02d", t.hour);
    if (unit >= UNIT_MINUTE)
        mgi_buf_printf(text, ":%02d", t.minute);
    if (unit >= UNIT_SECOND)
        mgi_buf_printf(text, ":%02d", t.second);
    print_fraction(text, t.nanos, unit);
    if (unit >= UNIT_HOUR)
        print_offset(text, offset);
}

static enum call_status format_in(struct call *c, const char *function, const mangle_zone *zone,
                                  int64_t ns, mangle_value unit_name, mangle_value *out)
{
    enum civil_unit unit;
    if (find_unit(c, function, unit_name, FORMAT_UNITS, &unit))
        return CALL_ERROR;
    struct buf text = { 0 };
    print_civil(&text, ns, mgi_zone_offset(zone, ns), unit);
    return mgi_call_return_string(c, &text, out);
}

static enum call_status time_format(struct call *c, const mangle_value *args, uint32_t count,
                                    mangle_value *out)
{
    int64_t ns;
    (void)count;
    if (mgi_call_int(c, "fn:time:format", args[0], MANGLE_TIME, &ns))
        return CALL_ERROR;
    return format_in(c, "fn:time:format", NULL, ns, args[1], out);
}

static enum call_status time_format_civil(struct call *c, const mangle_value *args, uint32_t count,
                                          mangle_value *out)
{
    const mangle_zone *zone;
    int64_t ns;
    (void)count;
    if (mgi_call_int(c, "fn:time:format_civil", args[0], MANGLE_TIME, &ns) ||
        find_zone(c, "fn:time:format_civil", args[1], &zone))
        return CALL_ERROR;
    return format_in(c, "fn:time:format_civil", zone, ns, args[2], out);
}

/* ---- parsing ------------------------------------------------------------------------------- */

/* The strict RFC 3339 reader does it, on the text with a Z behind. */
static enum call_status parse_local(struct call *c, mangle_value v, int64_t *local)
{
    if (mgi_call_expect(c, "fn:time:parse_civil", v, MANGLE_STRING))
        return CALL_ERROR;
    struct buf text = { 0 };
    mgi_buf_str(&text, call_text(c, v));
    mgi_buf_putc(&text, 'Z');
    bool oom = text.oom;
    enum time_parse parsed = mgi_time_parse(mgi_buf_view(&text), 0, local);
    mgi_buf_fini(&text);
    if (oom)
        return CALL_NOMEM;
    if (parsed != TIME_OK)
        return mgi_call_mismatch(c, "fn:time:parse_civil",
                                 "a local time such as \"2024-01-15T10:30:00\"", v);
    return CALL_OK;
}

static enum call_status time_parse_civil(struct call *c, const mangle_value *args, uint32_t count,
                                         mangle_value *out)
{
    const mangle_zone *zone;
    int64_t local, ns;
    (void)count;
    enum call_status st = parse_local(c, args[0], &local);
    if (!st)
        st = find_zone(c, "fn:time:parse_civil", args[1], &zone);
    if (st)
        return st;
    if (!civil_instant(zone, seconds_of(local), nanos_of(local), &ns))
        return out_of_range(c, "fn:time:parse_civil");
    return mgi_call_return(c, "fn:time:parse_civil", mangle_time(c->values, ns), out);
}

/* ---- truncating ---------------------------------------------------------------------------- */

static enum call_status time_trunc(struct call *c, const mangle_value *args, uint32_t count,
                                   mangle_value *out)
{
    static const int64_t lengths[UNIT_COUNT] = {
        [UNIT_DAY] = 86400 * NS_PER_SEC, [UNIT_HOUR] = 3600 * NS_PER_SEC,
        [UNIT_MINUTE] = 60 * NS_PER_SEC, [UNIT_SECOND] = NS_PER_SEC,
        [UNIT_MILLISECOND] = NS_PER_MS,  [UNIT_MICROSECOND] = NS_PER_US,
        [UNIT_NANOSECOND] = 1,
    };
    enum civil_unit unit;
    int64_t ns;
    (void)count;
    if (mgi_call_int(c, "fn:time:trunc", args[0], MANGLE_TIME, &ns) ||
        find_unit(c, "fn:time:trunc", args[1], TRUNC_UNITS, &unit))
        return CALL_ERROR;
    int64_t rest = ns % lengths[unit];
    if (rest < 0)
        rest += lengths[unit];
    if (__builtin_sub_overflow(ns, rest, &ns))
        return out_of_range(c, "fn:time:trunc");
    return mgi_call_return(c, "fn:time:trunc", mangle_time(c->values, ns), out);
}

/* Local midnight at the start of the local unit. */
static int64_t start_of(int64_t local, enum civil_unit unit)
{
    struct civil t = mgi_civil_of_seconds(local, 0);
    int64_t day = mgi_days_from_civil(t.year, unit == UNIT_YEAR ? 1 : t.month,
                                      unit == UNIT_YEAR || unit == UNIT_MONTH ? 1 : t.day);
    if (unit == UNIT_WEEK)
        day -= ((day + 3) % 7 + 7) % 7; /* 1970-01-01 was a Thursday */
    return day * 86400;
}

static enum call_status time_trunc_civil(struct call *c, const mangle_value *args, uint32_t count,
                                         mangle_value *out)
{
    const mangle_zone *zone;
    enum civil_unit unit;
    int64_t ns;
    (void)count;
    if (mgi_call_int(c, "fn:time:trunc_civil", args[0], MANGLE_TIME, &ns) ||
        find_zone(c, "fn:time:trunc_civil", args[1], &zone) ||
        find_unit(c, "fn:time:trunc_civil", args[2], CIVIL_UNITS, &unit))
        return CALL_ERROR;
    int64_t local = seconds_of(ns) + mgi_zone_offset(zone, ns);
    if (!civil_instant(zone, start_of(local, unit), 0, &ns))
        return out_of_range(c, "fn:time:trunc_civil");
    return mgi_call_return(c, "fn:time:trunc_civil", mangle_time(c->values, ns), out);
}

const struct function mgi_functions_civil[] = {
    { .name = "fn:time:parse_civil",
      .min_args = 2,
      .max_args = 2,
      .apply = time_parse_civil,
      .type = "/string, /string -> /time",
      .doc = "The time at which the clocks of a zone show the given local time.",
      .example = { "p(Y) :- w(X), Y = fn:time:parse_civil(X, \"UTC\").",
                   "w(\"2024-01-15T10:30:00\").",
                   "p(fn:time:parse_rfc3339(\"2024-01-15T10:30:00Z\"))." } },
    { .name = "fn:time:format",
      .min_args = 2,
      .max_args = 2,
      .apply = time_format,
      .type = "/time, /name -> /string",
      .doc =
          "The time as text in UTC, down to a unit: /year, /month, /day, /hour, /minute, /second, "
          "/millisecond, /microsecond or /nanosecond.",
      .example = { "p(Y) :- t(X), Y = fn:time:format(X, /minute).",
                   "t(fn:time:parse_rfc3339(\"2024-01-15T10:30:45Z\")).",
                   "p(\"2024-01-15T10:30Z\")." } },
    { .name = "fn:time:format_civil",
      .min_args = 3,
      .max_args = 3,
      .apply = time_format_civil,
      .type = "/time, /string, /name -> /string",
      .doc = "The same in a zone, with its offset.",
      .example = { "p(Y) :- t(X), Y = fn:time:format_civil(X, \"UTC\", /day).",
                   "t(fn:time:parse_rfc3339(\"2024-01-15T10:30:45Z\")).", "p(\"2024-01-15\")." } },
    { .name = "fn:time:trunc",
      .min_args = 2,
      .max_args = 2,
      .apply = time_trunc,
      .type = "/time, /name -> /time",
      .doc = "The start of the /day, /hour, /minute, /second, /millisecond, /microsecond or "
             "/nanosecond in UTC.",
      .example = { "p(Y) :- t(X), Y = fn:time:trunc(X, /hour).",
                   "t(fn:time:parse_rfc3339(\"2024-01-15T10:30:45Z\")).",
                   "p(fn:time:parse_rfc3339(\"2024-01-15T10:00:00Z\"))." } },
    { .name = "fn:time:trunc_civil",
      .min_args = 3,
      .max_args = 3,
      .apply = time_trunc_civil,
      .type = "/time, /string, /name -> /time",
      .doc = "The start of the /year, /month, /week (Monday) or /day in a zone.",
      .example = { "p(Y) :- t(X), Y = fn:time:trunc_civil(X, \"UTC\", /week).",
                   "t(fn:time:parse_rfc3339(\"2024-01-18T10:30:45Z\")).",
                   "p(fn:time:parse_rfc3339(\"2024-01-15T00:00:00Z\"))." } },
    { 0 },
};
