/* The events of the audit log, a function each (the table of toolhost.md 7.8). All do nothing where
 * there is no log. No record holds tool input, output, artifact content or a token: their lengths
 * and SHA-256 at most (T-AUD-6). */
#ifndef TOOLHOST_EVENTS_H
#define TOOLHOST_EVENTS_H

#include "toolhost/host.h"

/* From here on records are about this request; NULL: about the host itself. */
void mgi_audit_about(struct host *h, const struct request *q);

void mgi_event_start(struct host *h, const char *mode);
void mgi_event_stop(struct host *h, const char *reason);
void mgi_event_plugin(struct host *h, const char *rejected); /* NULL: it was loaded */
void mgi_event_worker_started(struct host *h);
void mgi_event_worker_ended(struct host *h, size_t leaked);

/* What came of a call: `before` and `after` are the states around it. */
struct call_event {
    const struct tool *tool;
    const uint8_t *input_sha;
    int64_t duration_ms;
    const struct outcome *outcome;
    const struct ds_state *before, *after;
};
void mgi_event_call(struct host *h, const struct call_event *e);

void mgi_event_refused(struct host *h, struct str aid, enum refusal_code code);
void mgi_event_hit(struct host *h, const struct idem_entry *e);
void mgi_event_evicted(void *host, const struct idem_entry *e); /* for struct idem_cache */

void mgi_event_lease_issued(struct host *h, const struct lease *l, int64_t ttl_ms,
                            struct str issuer, struct str token);
void mgi_event_lease_consumed(struct host *h, struct str aid, int tier, struct str token);
void mgi_event_lease_rejected(struct host *h, struct str aid, int tier, struct str token,
                              enum lease_verdict why);

void mgi_event_breaker(struct host *h, size_t tool, enum breaker_news news);

#endif
