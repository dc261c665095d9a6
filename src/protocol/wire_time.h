/* Times, temporal annotations and their printing on the wire (protocol.md §2.3, §2.4, D-21..D-23).
 */
#ifndef MGI_PROTOCOL_WIRE_TIME_H
#define MGI_PROTOCOL_WIRE_TIME_H

#include "base/json.h"
#include "mangle.h"

enum { WIRE_TIME_RFC3339 = 1, WIRE_TIME_EPOCH_MS = 2, WIRE_TIME_EPOCH_NS = 4 }; /* formats */

enum wire_time {
    WIRE_TIME_INSTANT,
    WIRE_TIME_NOW,        /* "now" */
    WIRE_TIME_OPEN,       /* "_" */
    WIRE_TIME_BAD,        /* not a time */
    WIRE_TIME_UNSUPPORTED /* a form that was not announced */
};

/* The wrapper {"_type":"int64","value":"<canonical decimal>"} (D-11). False: it is not one. */
bool mgi_wire_int64(const struct json *v, int64_t *out);

/* The word that stands for whatever time it is. */
static inline bool mgi_wire_is_now(const struct json *v)
{
    return v->type == JSON_STRING && str_is(v->string, "now");
}

/* `why` (may be NULL) gets a static reason when the result is BAD or UNSUPPORTED. */
enum wire_time mgi_wire_time(const struct json *v, int formats, int64_t *ns, const char **why);

/* The `t` object. issue: NULL on success, else one of the issue words of §2.18
 * (invalid_temporal_annotation, inverted_interval, invalid_time, unsupported_time_format). */
bool mgi_wire_interval(const struct json *t, int formats, int64_t now_ns,
                       struct mangle_interval *out, const char **issue, const char **why);

void mgi_wire_time_write(struct json_writer *w, int64_t ns); /* RFC 3339 with Z */
void mgi_wire_interval_write(struct json_writer *w,
                             struct mangle_interval t); /* {"at"} or {"start","end"} */

/* Is an evaluation time within `skew_ms` of the server's clock? 0: any is. Else *why, in `arena` (a
 * constant where memory is short), says how far it is off. */
bool mgi_wire_time_near(struct arena *arena, int64_t at_ns, int64_t clock_ns, int64_t skew_ms,
                        const char **why);

#endif
