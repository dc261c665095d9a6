/* The header that every run carries into log, decision log and journal (seed "RunHeader",
 * toolhost.md 10.1): it is not part of what a plugin host is sent (T-RUN-3). Pure. */
#ifndef MGI_JOURNAL_HEADER_H
#define MGI_JOURNAL_HEADER_H

#include <stdbool.h>

#include "base/json.h"
#include "base/str.h"

#define RUN_SPEC_VERSION "1.4.2"
#define RUN_PROFILE_ID   "A"

/* MACHINA_DETERMINISTIC_RUN_ID=1 (T-RUN-2). */
#define RUN_ID_DETERMINISTIC "00000000000000000000000000000001"

#define RUN_REQUEST_BYTES 128 /* of the client's id, before what is escaped (T-MCP-22) */

struct run_header {
    struct str spec_version, profile_id;
    struct str run_id;     /* 32 hex digits */
    struct str request_id; /* the client's, cut and escaped; empty: it is left out (T-RUN-1) */
};

/*
 * The header of an invocation.
 *
 *   invocation_id  32 hex digits from a cryptographic generator; borrowed
 *   request_id     the envelope's id, already cut at RUN_REQUEST_BYTES and escaped; may be empty;
 *                  borrowed
 *   deterministic  run_id is RUN_ID_DETERMINISTIC: only what is printed; the invocation keeps an
 *                  id of its own, or steps of two runs would have one idempotency key
 */
struct run_header mgi_run_header(struct str invocation_id, struct str request_id,
                                 bool deterministic);

/* Members of an object that the caller has begun: spec_version, profile_id, run_id and, unless it
 * is empty, request_id. */
void mgi_run_header_write(struct json_writer *w, const struct run_header *h);

#endif
