/* The audit log: one record per event (toolhost.md 7.8). events.h says which events there are.
 *
 *     struct json_writer *w = mgi_audit_begin(a, "tool_ok");
 *     if (w) {
 *         mgi_jw_member_str(w, "aid", aid);      ... sorted by name
 *         mgi_audit_end(a);
 *     }
 *
 * A record that cannot be written is told on standard error once a minute, and makes the log
 * `broken` until one can be. One thread. */
#ifndef TOOLHOST_AUDIT_H
#define TOOLHOST_AUDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/log.h"
#include "toolhost/audit_file.h"
#include "toolhost/settings.h"

/* What the records are about just now; empty texts: the host itself. Borrowed. */
struct audit_subject {
    struct str run_id, request_id;
    int64_t step;
};

struct audit {
    bool on, required;
    bool broken;
    struct audit_file file;
    char run_id[33]; /* of what no request named a run for (T-AUD-2) */
    struct audit_subject about;
    const struct logger *log;
    int64_t complained_ns; /* monotonic; 0: never */
    struct buf text;       /* of the record that is being made */
    struct json_writer w;
};

/* A log as the settings want it, or none. `log` and the settings' texts live as long. False: the
 * system has no random numbers for the run's id. */
bool mgi_audit_init(struct audit *a, const struct settings *settings, const struct logger *log);
void mgi_audit_fini(struct audit *a);

/* A record whose payload is an object that is open in the writer; its members are written in the
 * order of their names. NULL: there is no log. */
struct json_writer *mgi_audit_begin(struct audit *a, const char *event);
void mgi_audit_end(struct audit *a);

/* May a tool above tier 0 not run, because what it does could not be recorded (T-AUD-5)? */
bool mgi_audit_forbids(const struct audit *a, int tier);

#endif
