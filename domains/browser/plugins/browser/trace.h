/* The trace: what a browser told of a page, message by message. Live pages and recordings are one
 * world because both are this and nothing else: while a page is live, DevTools messages go into a
 * trace in memory; a recording's events.jsonl is a trace written down; page.c makes requests,
 * errors and facts from a trace and cannot tell which of the two it was.
 *
 * A line of events.jsonl is {"t": milliseconds since 1970, "m": method, "s": which target, "p":
 * parameters}. Methods are those of the DevTools protocol, and Machina.*: what was asked for
 * (.navigated, .body, .state, .counters, .quota, .metrics, .source), what the helper in the page
 * tells (.input, .submitted, .changes, .abort and others: page_told.c), what was not kept
 * (.repeated, .lost). trace_trim.c has them all, with the members that are kept.
 *
 * Invariants:
 *   - What goes in is trimmed to the members that page.c reads, and credentials are replaced by
 *     their kind before they are kept: a trace never holds the value of a cookie, of an
 *     Authorization header or of storage under a secret-looking name.
 *   - It is bounded by bytes. What is worth least goes first (repeated console lines, frames of
 *     sockets, progress of downloads, bodies), and is counted by kind: nothing is lost silently.
 *   - A console line that came before, from the same place with the same text (but for numbers in
 *     what is no error), is counted instead of kept after the first few; anew in each document.
 *   - One thread adds while others read: it has its own lock. */
#ifndef BROWSER_TRACE_H
#define BROWSER_TRACE_H

#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"

/* Room for one page's messages. A page that says a thousand lines a second fills it no further. */
#define TRACE_BYTES_MOST (16u * 1024 * 1024)

struct trace;

/* An empty trace of at most `most_bytes`. NULL: out of memory. The caller frees it. */
struct trace *mgi_trace_new(size_t most_bytes);
void mgi_trace_free(struct trace *trace); /* NULL is fine */

/* Add a message: `t_ms` milliseconds since 1970, `target` the DevTools session's short name ("" for
 * the browser). Methods that nobody reads are passed over. Any thread. False: out of memory; the
 * trace is as it was, and the loss is counted. */
bool mgi_trace_add(struct trace *trace, double t_ms, struct str target, struct str method,
                   const struct json *params);

/* Forget everything; a page begins anew. */
void mgi_trace_clear(struct trace *trace);

/* Append it to `out` as events.jsonl; what was lost is its last line, Machina.lost. False: out of
 * memory. Any thread. */
bool mgi_trace_write(struct trace *trace, struct buf *out);

#endif
