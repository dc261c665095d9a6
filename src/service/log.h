/* Where a server's log goes: a line per event on a descriptor, as text or as one JSON object a
 * line, and a line per request that was answered.
 *
 *     2026-02-19T14:30:00.120Z warn the clock is fixed at 2026-02-19T14:30:00Z: …
 *     2026-02-19T14:30:00.125Z info request transport=http type=intent_request id="7" …
 *
 * The form is stable: keys keep their names and their order, new ones come at the end. Any thread
 * may write. A line is one write(2) of at most PIPE_BUF bytes, and only if it would not block: who
 * does not read our log does not stop the server. What was lost is counted, and said as soon as
 * there is room again. */
#ifndef MGI_SERVICE_LOG_H
#define MGI_SERVICE_LOG_H

#include <stdatomic.h>

#include "base/log.h"
#include "server/server.h"
#include "service/config.h"

struct log_sink {
    int fd; /* borrowed; not looked at if there is `take` */
    /* Gets each line without its end instead, on any thread; NULL: none. Never loses one. */
    void (*take)(void *context, const char *line, size_t len);
    void *take_context;
    enum log_format format;
    enum access_log access;
    enum log_level level;
    int64_t (*real_ns)(void); /* the clock of the lines */
    atomic_uint lost;         /* lines since the last one that was written */
    atomic_uint lost_ever;
};

/* Write function of a struct logger whose context is the sink. */
void mgi_log_sink_write(void *sink, enum log_level level, const char *line, size_t len);

/* Access callback of a server (its context is the sink): one line, if `access` and `level` want it.
 * What succeeded, and what a client did wrong, is info; what failed here is warn. */
void mgi_log_sink_access(void *sink, const struct access_record *record);

/* A log line for each line of `text`. */
void mgi_log_lines(const struct logger *log, enum log_level level, struct str text);

/* The line of one request, without time and level: "request transport=… " or JSON members. */
void mgi_access_print(struct buf *out, const struct access_record *record);
void mgi_access_json(struct json_writer *w, const struct access_record *record);

#endif
