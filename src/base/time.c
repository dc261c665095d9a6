/* RFC 3339 text and civil fields <-> nanoseconds since 1970. Dates are of the Gregorian calendar
 * without end in both directions; days are counted in eras of 400 years, which always have 146097
 * days, from a first of March so that the leap day comes last. */
#include "base/time.h"

#include <time.h>

#define SEC_PER_DAY  INT64_C(86400)
#define DAYS_PER_ERA INT64_C(146097)
#define DAYS_TO_1970 INT64_C(719468) /* from 0000-03-01 */

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int mgi_days_in_month(int64_t year, int month)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

int64_t mgi_days_from_civil(int64_t year, int month, int day)
{
    int64_t y = month > 2 ? year : year - 1;
    int64_t era = floor_div(y, 400);
    int64_t year_of_era = y - era * 400;
    int64_t month_from_march = (month + 9) % 12;
    int64_t day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * DAYS_PER_ERA + day_of_era - DAYS_TO_1970;
}

static void civil_from_days(int64_t days, struct civil *c)
{
    days += DAYS_TO_1970;
    int64_t era = floor_div(days, DAYS_PER_ERA);
    int64_t day_of_era = days - era * DAYS_PER_ERA;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month_from_march = (5 * day_of_year + 2) / 153;
    c->day = (int)(day_of_year - (153 * month_from_march + 2) / 5 + 1);
    c->month = (int)(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
    c->year = year_of_era + era * 400 + (c->month <= 2);
}

struct civil mgi_civil_of_seconds(int64_t seconds, int64_t nanos)
{
    struct civil c;
    int64_t days = floor_div(seconds, SEC_PER_DAY), rest = seconds - days * SEC_PER_DAY;
    civil_from_days(days, &c);
    c.nanos = nanos;
    c.hour = (int)(rest / 3600);
    c.minute = (int)(rest / 60 % 60);
    c.second = (int)(rest % 60);
    return c;
}

struct civil mgi_civil_of(int64_t ns)
{
    int64_t nanos = ns % NS_PER_SEC;
    return mgi_civil_of_seconds(floor_div(ns, NS_PER_SEC), nanos < 0 ? nanos + NS_PER_SEC : nanos);
}

static bool fields_in_range(const struct civil *c)
{
    return c->month >= 1 && c->month <= 12 && c->day >= 1 &&
           c->day <= mgi_days_in_month(c->year, c->month) && c->hour >= 0 && c->hour <= 23 &&
           c->minute >= 0 && c->minute <= 59 && c->second >= 0 && c->second <= 59 &&
           c->nanos >= 0 && c->nanos < NS_PER_SEC;
}

/* seconds * 1e9 + nanos, 0 <= nanos; near INT64_MIN the product alone would overflow. */
static bool join(int64_t seconds, int64_t nanos, int64_t *ns)
{
    if (seconds < 0 && nanos > 0) {
        seconds++;
        nanos -= NS_PER_SEC;
    }
    int64_t whole, sum;
    if (__builtin_mul_overflow(seconds, NS_PER_SEC, &whole) ||
        __builtin_add_overflow(whole, nanos, &sum))
        return false;
    *ns = sum;
    return true;
}

bool mgi_civil_to_ns(const struct civil *c, int64_t *ns)
{
    /* No instant of another year fits; the test keeps the arithmetic small. */
    if (c->year < 1677 || c->year > 2262 || !fields_in_range(c))
        return false;
    int64_t days = mgi_days_from_civil(c->year, c->month, c->day);
    return join(days * 86400 + c->hour * 3600 + c->minute * 60 + c->second, c->nanos, ns);
}

/* ---- RFC 3339 ------------------------------------------------------------------------------ */

struct cursor {
    const char *p, *end;
};

static bool take_char(struct cursor *c, char wanted)
{
    if (c->p == c->end || *c->p != wanted)
        return false;
    c->p++;
    return true;
}

static bool take_letter(struct cursor *c, char upper, int flags)
{
    return take_char(c, upper) ||
           ((flags & TIME_LOWER_CASE) && take_char(c, (char)(upper - 'A' + 'a')));
}

static bool is_digit(const struct cursor *c)
{
    return c->p < c->end && *c->p >= '0' && *c->p <= '9';
}

/* Exactly `count` digits. */
static bool take_number(struct cursor *c, int count, int *value)
{
    *value = 0;
    for (; count > 0; count--) {
        if (!is_digit(c))
            return false;
        *value = *value * 10 + (*c->p++ - '0');
    }
    return true;
}

/* The digits behind the point, at least one; those beyond nine are dropped. */
static bool take_fraction(struct cursor *c, int64_t *nanos)
{
    if (!is_digit(c))
        return false;
    int64_t unit = NS_PER_SEC / 10;
    *nanos = 0;
    for (; is_digit(c); c->p++) {
        *nanos += (*c->p - '0') * unit;
        unit /= 10;
    }
    return true;
}

/* Z or +-hh:mm, in seconds east of UTC. */
static enum time_parse take_offset(struct cursor *c, int flags, int *offset)
{
    *offset = 0;
    if (c->p == c->end)
        return TIME_NO_OFFSET;
    if (take_letter(c, 'Z', flags))
        return TIME_OK;
    int sign = take_char(c, '+') ? 1 : take_char(c, '-') ? -1 : 0;
    int hours, minutes;
    if (!sign || !take_number(c, 2, &hours) || !take_char(c, ':') || !take_number(c, 2, &minutes))
        return TIME_SYNTAX;
    if (hours > 23 || minutes > 59)
        return TIME_FIELD;
    *offset = sign * (hours * 3600 + minutes * 60);
    return TIME_OK;
}

/* Reads the form; the values of the fields are the caller's to judge. */
static enum time_parse take_time(struct cursor *in, int flags, struct civil *c, int *offset)
{
    int year;
    *c = (struct civil){ 0 };
    if (!take_number(in, 4, &year) || !take_char(in, '-') || !take_number(in, 2, &c->month) ||
        !take_char(in, '-') || !take_number(in, 2, &c->day) || !take_letter(in, 'T', flags) ||
        !take_number(in, 2, &c->hour) || !take_char(in, ':') || !take_number(in, 2, &c->minute) ||
        !take_char(in, ':') || !take_number(in, 2, &c->second))
        return TIME_SYNTAX;
    if (take_char(in, '.') && !take_fraction(in, &c->nanos))
        return TIME_SYNTAX;
    c->year = year;
    enum time_parse code = take_offset(in, flags, offset);
    if ((code == TIME_OK || code == TIME_FIELD) && in->p != in->end)
        return TIME_SYNTAX;
    return code;
}

enum time_parse mgi_time_parse(struct str s, int flags, int64_t *ns)
{
    if (s.len == 0)
        return TIME_SYNTAX;
    struct cursor in = { s.ptr, s.ptr + s.len };
    struct civil c;
    int offset;
    enum time_parse code = take_time(&in, flags, &c, &offset);
    if (code == TIME_SYNTAX || code == TIME_FIELD)
        return code;

    bool leap = c.second == 60 && (flags & TIME_LEAP_SECOND);
    if (leap)
        c.second = 59;
    if (!fields_in_range(&c))
        return TIME_FIELD;
    if (code == TIME_NO_OFFSET)
        return code;

    int64_t seconds = mgi_days_from_civil(c.year, c.month, c.day) * 86400 + c.hour * 3600 +
                      c.minute * 60 + c.second - offset;
    if (leap) { /* seconds are inserted at the end of a UTC day only */
        seconds++;
        if (seconds % 86400 != 0)
            return TIME_FIELD;
        c.nanos = 0; /* no instant of ours lies inside it: it means the first of the next day */
    }
    return join(seconds, c.nanos, ns) ? TIME_OK : TIME_OUT_OF_RANGE;
}

const char *mgi_time_parse_text(enum time_parse code)
{
    switch (code) {
    case TIME_OK:
        return "a valid time";
    case TIME_SYNTAX:
        return "not of the form YYYY-MM-DDThh:mm:ssZ";
    case TIME_FIELD:
        return "a field is out of range";
    case TIME_NO_OFFSET:
        return "Z or an offset such as +01:00 is missing";
    case TIME_OUT_OF_RANGE:
        return "outside the years 1678 to 2261, which nanoseconds in 64 bits can hold";
    }
    return "not a time";
}

/* The last `len` digits of a number, and what follows them. */
static char *print_digits(char *p, int n, int len, char after)
{
    for (int i = len - 1; i >= 0; i--, n /= 10)
        p[i] = (char)('0' + n % 10);
    p[len] = after;
    return p + len + 1;
}

/* Up to the second, and `after`. Years have four digits: 64 bits of nanoseconds hold 1677 to 2262.
 */
static char *print_to_the_second(char *p, const struct civil *c, char after)
{
    p = print_digits(p, (int)c->year, 4, '-');
    p = print_digits(p, c->month, 2, '-');
    p = print_digits(p, c->day, 2, 'T');
    p = print_digits(p, c->hour, 2, ':');
    p = print_digits(p, c->minute, 2, ':');
    return print_digits(p, c->second, 2, after);
}

size_t mgi_time_format(char out[TIME_TEXT_BYTES], int64_t ns)
{
    struct civil c = mgi_civil_of(ns);
    char *p = print_to_the_second(out, &c, c.nanos ? '.' : 'Z');
    for (int64_t unit = NS_PER_SEC / 10, left = c.nanos; left; left %= unit, unit /= 10)
        *p++ = (char)('0' + left / unit);
    if (c.nanos)
        *p++ = 'Z';
    return (size_t)(p - out);
}

void mgi_time_print(struct buf *out, int64_t ns)
{
    char text[TIME_TEXT_BYTES];
    mgi_buf_append(out, text, mgi_time_format(text, ns));
}

void mgi_time_print_ms(struct buf *out, int64_t ns)
{
    struct civil c = mgi_civil_of(ns);
    char text[TIME_TEXT_BYTES], *p = print_to_the_second(text, &c, '.');
    p = print_digits(p, (int)(c.nanos / NS_PER_MS), 3, 'Z');
    mgi_buf_append(out, text, (size_t)(p - text));
}
