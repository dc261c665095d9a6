/* A time zone: the offset from UTC at any instant, read from a TZif file (RFC 8536, the form of
 * IANA zone data). Reading is strict: a file that contradicts itself is no zone. Immutable once
 * made. */
#ifndef MGI_MANGLE_ZONE_H
#define MGI_MANGLE_ZONE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "mangle.h"

/* Seconds east of UTC in force at `ns`. NULL is UTC. */
int32_t mgi_zone_offset(const mangle_zone *z, int64_t ns);

/* May this name be looked up as a file? "Europe/Berlin": letters, digits, + - _ and single inner
 * slashes; no "..", no leading slash (M-FUN-70). */
bool mgi_zone_name_ok(struct str name);

#endif
