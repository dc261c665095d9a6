/* Reading TZif (RFC 8536). A file holds its data twice: first with 32-bit times, which are skipped,
 * then with 64-bit ones and a footer: a POSIX TZ string that rules after the last transition.
 *
 * zone_read_* functions take from a cursor and report false once anything does not fit; nothing is
 * believed that was not checked: counts against the length, indexes against counts, order of times.
 */
#include "mangle/value/zone.h"

#include "base/alloc.h"
#include "base/time.h"

#define HEADER_BYTES   44
#define MAX_OFFSET     (26 * 3600) /* RFC 8536: offsets are between -25:59:59 and 25:59:59 */
#define SECONDS_A_DAY  INT64_C(86400)
#define MAX_RULE_HOURS 167

/* When clocks change, year by year: `Mm.w.d/time`, `Jn/time` or `n/time`. */
struct zone_rule {
    enum { RULE_MONTH, RULE_JULIAN, RULE_DAY } form;
    int month, week, day; /* RULE_JULIAN: day 1 to 365 without 29 February; RULE_DAY: 0 to 365 */
    int32_t seconds;      /* after local midnight */
};

struct mangle_zone {
    size_t count;
    int64_t *at;     /* seconds since 1970, ascending */
    int32_t *offset; /* in force from at[i] on */
    int32_t first;   /* before at[0] */
    bool has_footer, has_dst;
    int32_t standard, dst; /* offsets of the footer */
    struct zone_rule start, end;
};

/* ---- binary part --------------------------------------------------------------------------- */

struct zone_cursor {
    const unsigned char *p;
    size_t left;
};

struct zone_counts {
    size_t utc_marks, standard_marks, leaps, times, types, chars;
};

static int64_t zone_number(const unsigned char *p, size_t bytes)
{
    uint64_t n = p[0] & 0x80 ? UINT64_MAX : 0;
    for (size_t i = 0; i < bytes; i++)
        n = n << 8 | p[i];
    return (int64_t)n;
}

static const unsigned char *zone_take(struct zone_cursor *c, size_t bytes)
{
    if (bytes > c->left)
        return NULL;
    const unsigned char *p = c->p;
    c->p += bytes;
    c->left -= bytes;
    return p;
}

static bool zone_read_header(struct zone_cursor *c, struct zone_counts *n)
{
    const unsigned char *p = zone_take(c, HEADER_BYTES);
    if (!p || memcmp(p, "TZif", 4) != 0 || p[4] < '2')
        return false;
    size_t *fields[] = { &n->utc_marks, &n->standard_marks, &n->leaps,
                         &n->times,     &n->types,          &n->chars };
    for (int i = 0; i < 6; i++) {
        int64_t value = zone_number(p + 20 + 4 * i, 4);
        if (value < 0 || value > 1 << 20)
            return false;
        *fields[i] = (size_t)value;
    }
    return true;
}

static size_t zone_body_bytes(const struct zone_counts *n, size_t time_bytes)
{
    return n->times * (time_bytes + 1) + n->types * 6 + n->chars + n->leaps * (time_bytes + 4) +
           n->standard_marks + n->utc_marks;
}

static bool zone_read_types(const struct zone_counts *n, const unsigned char *types)
{
    for (size_t i = 0; i < n->types; i++) {
        int64_t offset = zone_number(types + 6 * i, 4);
        if (offset <= -MAX_OFFSET || offset >= MAX_OFFSET || types[6 * i + 4] > 1 ||
            types[6 * i + 5] >= n->chars)
            return false;
    }
    return true;
}

static bool zone_read_body(struct zone_cursor *c, const struct zone_counts *n, mangle_zone *z)
{
    const unsigned char *times = zone_take(c, zone_body_bytes(n, 8));
    if (!times || n->types == 0 || n->chars == 0 || n->leaps != 0)
        return false;
    const unsigned char *indexes = times + 8 * n->times, *types = indexes + n->times;
    if (!zone_read_types(n, types))
        return false;
    z->at = mgi_calloc(n->times, sizeof *z->at);
    z->offset = mgi_calloc(n->times, sizeof *z->offset);
    if (!z->at || !z->offset)
        return false;
    z->first = (int32_t)zone_number(types, 4);
    for (z->count = 0; z->count < n->times; z->count++) {
        size_t i = z->count;
        if (indexes[i] >= n->types)
            return false;
        z->at[i] = zone_number(times + 8 * i, 8);
        z->offset[i] = (int32_t)zone_number(types + 6 * (size_t)indexes[i], 4);
        if (i > 0 && z->at[i] <= z->at[i - 1])
            return false;
    }
    return true;
}

/* ---- footer -------------------------------------------------------------------------------- */

static bool footer_char(struct zone_cursor *c, char wanted)
{
    if (c->left == 0 || *c->p != (unsigned char)wanted)
        return false;
    c->p++;
    c->left--;
    return true;
}

static bool footer_is(const struct zone_cursor *c, char low, char high)
{
    return c->left > 0 && *c->p >= (unsigned char)low && *c->p <= (unsigned char)high;
}

static bool footer_number(struct zone_cursor *c, int max, int *n)
{
    if (!footer_is(c, '0', '9'))
        return false;
    for (*n = 0; footer_is(c, '0', '9'); c->p++, c->left--) {
        *n = *n * 10 + (*c->p - '0');
        if (*n > max)
            return false;
    }
    return true;
}

static bool footer_letter(const struct zone_cursor *c)
{
    return footer_is(c, 'a', 'z') || footer_is(c, 'A', 'Z');
}

/* `CET`, or `<+03>`: of no interest beyond its form. */
static bool footer_name(struct zone_cursor *c)
{
    size_t letters = 0;
    bool quoted = footer_char(c, '<');
    for (; footer_letter(c) || (quoted && (footer_is(c, '0', '9') || footer_is(c, '+', '-')));
         c->p++, c->left--)
        letters++;
    return letters >= 3 && (!quoted || footer_char(c, '>'));
}

/* `[+-]hh[:mm[:ss]]` in seconds. */
static bool footer_time(struct zone_cursor *c, int max_hours, int32_t *seconds)
{
    int hours, minutes = 0, rest = 0;
    bool negative = footer_char(c, '-');
    if (!negative)
        (void)footer_char(c, '+');
    if (!footer_number(c, max_hours, &hours))
        return false;
    if (footer_char(c, ':') &&
        (!footer_number(c, 59, &minutes) || (footer_char(c, ':') && !footer_number(c, 59, &rest))))
        return false;
    *seconds = (hours * 60 + minutes) * 60 + rest;
    if (negative)
        *seconds = -*seconds;
    return true;
}

static bool footer_rule(struct zone_cursor *c, struct zone_rule *r)
{
    r->seconds = 2 * 3600;
    if (!footer_char(c, ','))
        return false;
    if (footer_char(c, 'M')) {
        r->form = RULE_MONTH;
        if (!footer_number(c, 12, &r->month) || r->month == 0 || !footer_char(c, '.') ||
            !footer_number(c, 5, &r->week) || r->week == 0 || !footer_char(c, '.') ||
            !footer_number(c, 6, &r->day))
            return false;
    } else if (footer_char(c, 'J')) {
        r->form = RULE_JULIAN;
        if (!footer_number(c, 365, &r->day) || r->day == 0)
            return false;
    } else {
        r->form = RULE_DAY;
        if (!footer_number(c, 365, &r->day))
            return false;
    }
    return !footer_char(c, '/') || footer_time(c, MAX_RULE_HOURS, &r->seconds);
}

/* POSIX counts offsets west of UTC. */
static bool footer_offset(struct zone_cursor *c, int32_t *offset)
{
    if (!footer_time(c, 24, offset))
        return false;
    *offset = -*offset;
    return true;
}

static bool zone_read_footer(struct zone_cursor *c, mangle_zone *z)
{
    if (!footer_char(c, '\n'))
        return false;
    if (!footer_char(c, '\n')) { /* an empty one says nothing about later times */
        z->has_footer = true;
        if (!footer_name(c) || !footer_offset(c, &z->standard))
            return false;
        if (!footer_char(c, '\n')) {
            z->has_dst = true;
            z->dst = z->standard + 3600;
            if (!footer_name(c))
                return false;
            if ((footer_is(c, '0', '9') || footer_is(c, '+', '+') || footer_is(c, '-', '-')) &&
                !footer_offset(c, &z->dst))
                return false;
            if (!footer_rule(c, &z->start) || !footer_rule(c, &z->end) || !footer_char(c, '\n'))
                return false;
        }
    }
    return c->left == 0;
}

/* ---- zones --------------------------------------------------------------------------------- */

mangle_zone *mangle_zone_new(const void *tzif, size_t len)
{
    struct zone_cursor c = { tzif, len };
    struct zone_counts old, counts;
    if (!zone_read_header(&c, &old) || !zone_take(&c, zone_body_bytes(&old, 4)) ||
        !zone_read_header(&c, &counts))
        return NULL;
    mangle_zone *z = mgi_calloc(1, sizeof *z);
    if (z && zone_read_body(&c, &counts, z) && zone_read_footer(&c, z))
        return z;
    mangle_zone_free(z);
    return NULL;
}

void mangle_zone_free(mangle_zone *z)
{
    if (!z)
        return;
    mgi_free(z->at);
    mgi_free(z->offset);
    mgi_free(z);
}

/* Seconds since 1970, on local clocks, of the change that `r` describes for a year. */
static int64_t rule_in_year(const struct zone_rule *r, int64_t year)
{
    int64_t day;
    if (r->form == RULE_MONTH) {
        int64_t first = mgi_days_from_civil(year, r->month, 1);
        int weekday = (int)(((first + 4) % 7 + 7) % 7); /* of the first; 0 is Sunday */
        int in_month = (r->day - weekday + 7) % 7 + 7 * (r->week - 1);
        if (in_month >= mgi_days_in_month(year, r->month)) /* week 5 is the last one */
            in_month -= 7;
        day = first + in_month;
    } else {
        bool after_leap_day =
            r->form == RULE_JULIAN && r->day >= 60 && mgi_days_in_month(year, 2) == 29;
        day = mgi_days_from_civil(year, 1, 1) + r->day - (r->form == RULE_JULIAN) + after_leap_day;
    }
    return day * SECONDS_A_DAY + r->seconds;
}

static int32_t footer_offset_at(const mangle_zone *z, int64_t ns, int64_t seconds)
{
    if (!z->has_dst)
        return z->standard;
    struct civil utc = mgi_civil_of(ns);
    int64_t year = utc.year;
    int64_t in_year = seconds + z->standard - mgi_days_from_civil(year, 1, 1) * SECONDS_A_DAY;
    if (in_year < 0)
        year--;
    else if (in_year >= (mgi_days_from_civil(year + 1, 1, 1) - mgi_days_from_civil(year, 1, 1)) *
                            SECONDS_A_DAY)
        year++;
    int64_t start = rule_in_year(&z->start, year) - z->standard;
    int64_t end = rule_in_year(&z->end, year) - z->dst;
    bool dst = start < end ? seconds >= start && seconds < end : seconds >= start || seconds < end;
    return dst ? z->dst : z->standard;
}

int32_t mgi_zone_offset(const mangle_zone *z, int64_t ns)
{
    if (!z)
        return 0;
    int64_t seconds = ns / NS_PER_SEC - (ns % NS_PER_SEC < 0);
    if (z->has_footer && (z->count == 0 || seconds >= z->at[z->count - 1]))
        return footer_offset_at(z, ns, seconds);
    size_t low = 0, high = z->count; /* the first transition after `seconds` */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (z->at[middle] <= seconds)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? z->first : z->offset[low - 1];
}

bool mgi_zone_name_ok(struct str name)
{
    char before = '/';
    for (size_t i = 0; i < name.len; i++) {
        char ch = name.ptr[i];
        bool letter = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ||
                      (ch >= '0' && ch <= '9') || ch == '+' || ch == '-' || ch == '_';
        if (!letter && (ch != '/' || before == '/'))
            return false;
        before = ch;
    }
    return name.len > 0 && before != '/';
}
