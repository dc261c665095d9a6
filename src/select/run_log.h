/* The run log: records of a run as lines of JSON in a chain (toolhost.md 7.8, T-BUD-6). A line says
 * which one was before it, so that an altered or a missing one shows. Pure; where lines go is for
 * the caller. */
#ifndef MGI_SELECT_RUN_LOG_H
#define MGI_SELECT_RUN_LOG_H

#include "base/buf.h"
#include "select/run.h"

struct run_log {
    struct str run_id, request_id; /* of the run header; request_id may be empty: it is left out */
    char prev[65];                 /* hash of the last line; 64 zeros at first */
};

/* Both texts are borrowed. `prev` is the hash that the line before ended with; NULL: there is none.
 */
void mgi_run_log_init(struct run_log *log, struct str run_id, struct str request_id,
                      const char *prev);

/* Append the line of an event, with its LF (T-AUD-2, T-AUD-3). `now_ns` since 1970 is told to the
 * second. False: memory; the chain is where it was, and the line is not to be used. */
bool mgi_run_log_line(struct run_log *log, struct buf *out, const struct select_event *event,
                      int64_t now_ns);

#endif
