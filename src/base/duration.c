/* Durations as text: "1h30m", "-1.5ms". Everything is computed in unsigned magnitudes, because
 * INT64_MIN has no positive counterpart. */
#include "base/time.h"

#define NS_PER_MIN    (60 * NS_PER_SEC)
#define NS_PER_HOUR   (60 * NS_PER_MIN)
#define MAX_MAGNITUDE (UINT64_C(1) << 63)

static const struct unit {
    const char *name;
    uint64_t ns;
} units[] = {
    /* A name stands before those it begins with. */
    { "ns", 1 },
    { "us", NS_PER_US },
    { "\xc2\xb5s", NS_PER_US }, /* U+00B5 micro sign */
    { "\xce\xbcs", NS_PER_US }, /* U+03BC Greek mu */
    { "ms", NS_PER_MS },
    { "s", NS_PER_SEC },
    { "m", NS_PER_MIN },
    { "h", NS_PER_HOUR },
    { "d", 24 * NS_PER_HOUR },
};

static const struct unit *find_unit(struct str s, bool allow_days)
{
    size_t count = sizeof units / sizeof units[0] - !allow_days;
    for (size_t i = 0; i < count; i++)
        if (mgi_str_starts(s, str_of(units[i].name)))
            return &units[i];
    return NULL;
}

static bool digit_at(struct str s, size_t at)
{
    return at < s.len && s.ptr[at] >= '0' && s.ptr[at] <= '9';
}

/* Whole digits; false if they exceed MAX_MAGNITUDE. */
static bool read_whole(struct str s, size_t *at, uint64_t *whole)
{
    *whole = 0;
    for (; digit_at(s, *at); (*at)++) {
        uint64_t digit = (uint64_t)(s.ptr[*at] - '0');
        if (*whole > (MAX_MAGNITUDE - digit) / 10)
            return false;
        *whole = *whole * 10 + digit;
    }
    return true;
}

__extension__ typedef unsigned __int128 wide;

#define FRACTION_DIGITS 24 /* 10^24 days in nanoseconds still fit 128 bits */

/* The nanoseconds of the fraction whose digits are [from, to), cut. */
static uint64_t fraction_of(struct str s, size_t from, size_t to, uint64_t unit)
{
    wide value = 0, scale = 1;
    for (size_t i = from; i < to && i - from < FRACTION_DIGITS; i++) {
        value = value * 10 + (unsigned)(s.ptr[i] - '0');
        scale *= 10;
    }
    return (uint64_t)(value * unit / scale);
}

bool mgi_duration_parse(struct str s, bool allow_days, int64_t *ns)
{
    size_t at = 0;
    bool negative = s.len && s.ptr[0] == '-';
    if (s.len && (s.ptr[0] == '-' || s.ptr[0] == '+'))
        at++;
    if (at + 1 == s.len && s.ptr[at] == '0') {
        *ns = 0;
        return true;
    }
    if (at == s.len)
        return false;

    uint64_t total = 0;
    while (at < s.len) {
        size_t start = at;
        uint64_t whole;
        if (!read_whole(s, &at, &whole))
            return false;
        size_t digits = at - start, fraction = at;
        if (at < s.len && s.ptr[at] == '.') {
            fraction = ++at;
            while (digit_at(s, at))
                at++;
        }
        if (digits == 0 && at == fraction)
            return false;
        const struct unit *unit = find_unit((struct str){ s.ptr + at, s.len - at }, allow_days);
        if (!unit || whole > MAX_MAGNITUDE / unit->ns)
            return false;
        uint64_t part = whole * unit->ns + fraction_of(s, fraction, at, unit->ns);
        if (part > MAX_MAGNITUDE - total)
            return false;
        total += part;
        at += strlen(unit->name);
    }
    if (!negative && total == MAX_MAGNITUDE)
        return false;
    *ns = negative ? (int64_t)(0 - total) : (int64_t)total;
    return true;
}

/* n / unit as a decimal without trailing zeros. */
static void print_decimal(struct buf *out, uint64_t n, uint64_t unit)
{
    mgi_buf_printf(out, "%llu", (unsigned long long)(n / unit));
    uint64_t rest = n % unit;
    if (rest)
        mgi_buf_putc(out, '.');
    while (rest) {
        unit /= 10;
        mgi_buf_putc(out, (char)('0' + rest / unit));
        rest %= unit;
    }
}

void mgi_duration_print(struct buf *out, int64_t ns)
{
    uint64_t n = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    if (ns == 0) {
        mgi_buf_puts(out, "0s");
        return;
    }
    if (ns < 0)
        mgi_buf_putc(out, '-');
    if (n < (uint64_t)NS_PER_SEC) {
        uint64_t unit = n < (uint64_t)NS_PER_US   ? 1
                        : n < (uint64_t)NS_PER_MS ? NS_PER_US
                                                  : NS_PER_MS;
        print_decimal(out, n, unit);
        mgi_buf_puts(out, unit == 1 ? "ns" : unit == (uint64_t)NS_PER_US ? "\xc2\xb5s" : "ms");
        return;
    }
    uint64_t hours = n / (uint64_t)NS_PER_HOUR, minutes = n / (uint64_t)NS_PER_MIN % 60;
    if (hours)
        mgi_buf_printf(out, "%lluh", (unsigned long long)hours);
    if (hours || minutes)
        mgi_buf_printf(out, "%dm", (int)minutes);
    print_decimal(out, n % (uint64_t)NS_PER_MIN, (uint64_t)NS_PER_SEC);
    mgi_buf_putc(out, 's');
}
