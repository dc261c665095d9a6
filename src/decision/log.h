/* A decision log: lines that are handed over without waiting, and written by one thread.
 *
 *     any thread ──put──> bounded queue ──its thread──> sink (file, standard output)
 *
 * 1. Nobody who puts a line ever waits for the disk: a line that finds no room is lost, and
 * counted.
 * 2. A line that could not be written stays at the head of the queue and is tried again; only a
 *    queue that is full loses any.
 * 3. Nothing is lost silently: the log itself gets a line {"decision":1,"kind":"lost","records":N}
 *    where they would have stood, the server's log a line when it begins and when it is over, and
 *    the counts are in mgi_decision_log_state().
 *
 * Every function but _free may be called on any thread. */
#ifndef MGI_DECISION_LOG_H
#define MGI_DECISION_LOG_H

#include <stddef.h>

#include "base/buf.h"
#include "base/log.h"
#include "decision/sink.h"

struct decision_log;

struct decision_log_options {
    struct decision_sink sink; /* taken over, also if nothing is made */
    size_t max_bytes;          /* of memory for the lines that wait; 0: 16 MiB */
    const char *run;           /* begins every id: names this start; 24 bytes of it are copied */
    const struct logger *log;  /* copied; or NULL */
    /* On its thread: mgi_decision_log_state() says something else than before (it fails, or is in
     * order again). It must not call back, and is not called after _free. Or NULL. */
    void (*changed)(void *context);
    void *context;
};

struct decision_log_state {
    char why[SINK_WHY_BYTES]; /* what is wrong now; "": nothing */
    uint64_t written, lost;   /* records, ever */
    uint64_t bytes;           /* written, ever */
    size_t waiting_bytes;     /* of lines, in the queue */
};

/* With its thread running. NULL: memory, or no thread could be started. */
struct decision_log *mgi_decision_log_new(const struct decision_log_options *options);

/* "RUN-N", N counting from 1: who reads a log sees by it what is missing. */
void mgi_decision_log_id(struct decision_log *d, char out[48]);

/* Write this line, which ends in a newline; it is copied. False: it is lost, and counted. A line
 * without its memory (oom) is lost, too. */
bool mgi_decision_log_put(struct decision_log *d, const struct buf *line);

/* Write to a new file from now on: lines that wait go there. */
void mgi_decision_log_reopen(struct decision_log *d);

void mgi_decision_log_state(struct decision_log *d, struct decision_log_state *out);

/* Everything that waits is written, for up to deadline_ms; the rest is lost, counted and said.
 * Nobody may use it any more. NULL is fine. */
void mgi_decision_log_free(struct decision_log *d, int64_t deadline_ms);

#endif
