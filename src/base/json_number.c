/* Doubles <-> decimal text, exactly and whatever the locale: the C library is handed digits and an
 * exponent only, never a decimal point.
 *
 * Reading: up to 19 digits and a power of ten that a double holds exactly need one multiplication
 * or division (Clinger, "How to read floating point numbers accurately", 1990); the rest goes to
 * strtod(). No double needs more than 767 significant digits to be told from its neighbours, so
 * what is longer is cut there and a 1 stands for a rest that is not zero. */
#include "base/json.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_DIGITS   768
#define MAX_EXPONENT 20000 /* beyond it even 768 digits are zero or infinite */

struct decimal {
    bool negative;
    size_t count;     /* of digits[], without leading zeros */
    int64_t exponent; /* value = digits * 10^exponent */
    char digits[MAX_DIGITS + 1];
};

static void add_digit(struct decimal *d, char c, bool *rest)
{
    if (d->count == 0 && c == '0')
        return;
    if (d->count < MAX_DIGITS) {
        d->digits[d->count++] = c;
        return;
    }
    d->exponent++;
    *rest |= c != '0';
}

/* The exponent behind 'e', saturated. */
static int64_t read_exponent(struct str text)
{
    size_t at = 0;
    bool negative = text.len && text.ptr[0] == '-';
    if (text.len && (text.ptr[0] == '-' || text.ptr[0] == '+'))
        at++;
    int64_t n = 0;
    for (; at < text.len; at++)
        if (n < INT64_C(1000000000000000))
            n = n * 10 + (text.ptr[at] - '0');
    return negative ? -n : n;
}

static void read_decimal(struct str text, struct decimal *d)
{
    d->negative = text.len && text.ptr[0] == '-';
    d->count = 0;
    d->exponent = 0;
    bool rest = false, fraction = false;
    size_t at = text.len && (text.ptr[0] == '-' || text.ptr[0] == '+');
    for (; at < text.len && text.ptr[at] != 'e' && text.ptr[at] != 'E'; at++) {
        if (text.ptr[at] == '.') {
            fraction = true;
            continue;
        }
        add_digit(d, text.ptr[at], &rest);
        d->exponent -= fraction;
    }
    if (at < text.len)
        d->exponent += read_exponent((struct str){ text.ptr + at + 1, text.len - at - 1 });
    if (rest) {
        d->digits[d->count++] = '1';
        d->exponent--;
    }
}

/* n * 10^exponent where a double holds both exactly, so that one operation rounds correctly. */
static bool scale_exactly(uint64_t n, int64_t exponent, double *out)
{
    static const double powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    if (FLT_EVAL_METHOD != 0 || n > UINT64_C(1) << 53 || exponent < -22 || exponent > 22)
        return false;
    *out = exponent < 0 ? (double)n / powers[-exponent] : (double)n * powers[exponent];
    return true;
}

/* The usual number: no exponent, at most 19 digits, exactly scalable. */
static bool parse_short(struct str text, double *out)
{
    size_t at = text.len && (text.ptr[0] == '-' || text.ptr[0] == '+');
    if (text.len - at > 19) /* or n could overflow */
        return false;
    bool negative = at && text.ptr[0] == '-';
    uint64_t n = 0;
    size_t point = text.len; /* just behind the decimal point */
    for (; at < text.len; at++) {
        unsigned digit = (unsigned)(text.ptr[at] - '0');
        if (digit <= 9)
            n = n * 10 + digit;
        else if (text.ptr[at] == '.')
            point = at + 1;
        else
            return false;
    }
    double value;
    if (!scale_exactly(n, -(int64_t)(text.len - point), &value))
        return false;
    *out = negative ? -value : value;
    return true;
}

static double convert(const struct decimal *d)
{
    double value;
    if (d->count == 0)
        return 0;
    uint64_t n = 0;
    for (size_t i = 0; i < d->count && i < 19; i++)
        n = n * 10 + (uint64_t)(d->digits[i] - '0');
    if (d->count <= 19 && scale_exactly(n, d->exponent, &value))
        return value;
    int64_t exponent = d->exponent < -MAX_EXPONENT  ? -MAX_EXPONENT
                       : d->exponent > MAX_EXPONENT ? MAX_EXPONENT
                                                    : d->exponent;
    char text[MAX_DIGITS + 16];
    (void)snprintf(text, sizeof text, "%.*se%d", (int)d->count, d->digits, (int)exponent);
    return strtod(text, NULL);
}

bool mgi_double_parse(struct str text, double *out)
{
    if (parse_short(text, out))
        return true;
    struct decimal d;
    read_decimal(text, &d);
    double value = convert(&d);
    *out = d.negative ? -value : value;
    return isfinite(value);
}

/* Rounds a finite positive double to `precision` digits. */
static void round_to(double value, int precision, struct decimal *d)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%.*e", precision - 1, value);
    *d = (struct decimal){ 0 };
    const char *p = text;
    for (; *p && *p != 'e'; p++) /* the locale's decimal point, whatever it is, is skipped */
        if (*p >= '0' && *p <= '9')
            d->digits[d->count++] = *p;
    d->exponent = (*p ? strtol(p + 1, NULL, 10) : 0) - (int64_t)(d->count - 1);
    while (d->count > 1 && d->digits[d->count - 1] == '0') {
        d->count--;
        d->exponent++;
    }
}

/* The fewest digits that read back. Any decimal of up to 15 digits survives the way through a
 * normal double, so rounding to 15 and dropping zeros finds every shorter one; subnormals have
 * fewer. */
static void shortest(double value, struct decimal *d)
{
    int precision = value < DBL_MIN ? 1 : 15;
    for (; precision < 17; precision++) {
        round_to(value, precision, d);
        if (convert(d) == value)
            return;
    }
    round_to(value, 17, d);
}

static char *put_digits(char *p, const char *digits, size_t count)
{
    memcpy(p, digits, count);
    return p + count;
}

static char *put_zeros(char *p, int64_t count)
{
    for (; count > 0; count--)
        *p++ = '0';
    return p;
}

/* Lays the digits out; `point` digits stand before the decimal point. */
static char *lay_out(char *p, const struct decimal *d)
{
    int64_t count = (int64_t)d->count;
    int64_t point = count + d->exponent;
    if (point > 17 || point < -3) {
        *p++ = d->digits[0];
        if (count > 1) {
            *p++ = '.';
            p = put_digits(p, d->digits + 1, d->count - 1);
        }
        return p + sprintf(p, "e%c%02d", point > 0 ? '+' : '-', abs((int)point - 1));
    }
    if (point <= 0) {
        p = put_zeros(put_digits(p, "0.", 2), -point);
        return put_digits(p, d->digits, d->count);
    }
    if (point >= count)
        return put_zeros(put_digits(p, d->digits, d->count), point - count);
    p = put_digits(p, d->digits, (size_t)point);
    *p++ = '.';
    return put_digits(p, d->digits + point, (size_t)(count - point));
}

size_t mgi_double_print(double d, char out[32])
{
    char *p = out;
    if (signbit(d) && !isnan(d))
        *p++ = '-';
    double value = fabs(d);
    if (isnan(d)) {
        p = put_digits(p, "nan", 3);
    } else if (isinf(d)) {
        p = put_digits(p, "inf", 3);
    } else if (value == 0) {
        *p++ = '0';
    } else {
        struct decimal digits;
        shortest(value, &digits);
        p = lay_out(p, &digits);
    }
    *p = '\0';
    return (size_t)(p - out);
}
