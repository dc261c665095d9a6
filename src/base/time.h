/* RFC 3339 text and durations <-> signed 64-bit nanoseconds since 1970-01-01T00:00:00Z.
 * Nothing here reads a clock: sys/clock.h does, for programs. */
#ifndef MGI_BASE_TIME_H
#define MGI_BASE_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

#define NS_PER_US  INT64_C(1000)
#define NS_PER_MS  INT64_C(1000000)
#define NS_PER_SEC INT64_C(1000000000)

enum time_parse {
    TIME_OK,
    TIME_SYNTAX,      /* not of the form YYYY-MM-DDThh:mm:ss[.f…](Z|±hh:mm) */
    TIME_FIELD,       /* a field is out of range: month 13, 30 February, hour 24, second 60 … */
    TIME_NO_OFFSET,   /* well formed but without Z or offset */
    TIME_OUT_OF_RANGE /* outside signed 64-bit nanoseconds (1677-09-21 to 2262-04-11) */
};

enum {
    TIME_LOWER_CASE = 1, /* accept t and z (protocol.md D-23); else upper case only (M-FUN-55) */
    TIME_LEAP_SECOND =
        2 /* accept second 60 at 23:59:60 UTC as the next instant (design section 8) */
};

/* All of `s` must be the time. Fraction digits beyond nine are dropped. */
enum time_parse mgi_time_parse(struct str s, int flags, int64_t *ns);

/* A sentence fragment for messages: "month 13 is out of range" style reasons by code. */
const char *mgi_time_parse_text(enum time_parse code);

/* UTC with Z, as many fraction digits as needed (M-VAL-61): 2024-01-15T10:30:00.12Z. */
void mgi_time_print(struct buf *out, int64_t ns);
#define TIME_TEXT_BYTES 32
size_t mgi_time_format(char out[TIME_TEXT_BYTES], int64_t ns); /* its length; no NUL follows */

/* The same with three fraction digits, always, cut: a column of log lines stays one. */
void mgi_time_print_ms(struct buf *out, int64_t ns);

struct civil {
    int64_t year;
    int month, day, hour, minute, second; /* 1-12, 1-31, 0-23, 0-59, 0-59 */
    int64_t nanos;                        /* 0-999999999 */
};

struct civil mgi_civil_of(int64_t ns);                             /* UTC */
struct civil mgi_civil_of_seconds(int64_t seconds, int64_t nanos); /* beyond 64-bit nanoseconds */

/* False if a field is out of range or the instant does not fit. */
bool mgi_civil_to_ns(const struct civil *c, int64_t *ns);
int64_t mgi_days_from_civil(int64_t year, int month, int day); /* days since 1970-01-01 */
int mgi_days_in_month(int64_t year, int month);

/* "1h30m", "-1.5ms", "0", as M-FUN-67; with allow_days also "2d" (M-SYN-53). */
bool mgi_duration_parse(struct str s, bool allow_days, int64_t *ns);
void mgi_duration_print(struct buf *out, int64_t ns); /* M-VAL-62 */

#endif
