/* How messages get to a browser and back, whatever carries them: a pipe to one that was started
 * (pipe.h), a WebSocket to one that runs (socket.h). Who talks (talk.h) owns the thread, the queue
 * and the waiting; a wire knows how a message begins and ends, and nothing else.
 *
 * Invariants:
 *   - Whoever made a wire ends it, and not before the talk over it has ended.
 *   - Neither descriptor blocks. They may be the same one.
 *   - put() is called with the talker's lock held, on any thread; take() on the reader's thread
 *     alone, without it. They share nothing that either of them changes.
 *   - take() holds at most one message, of TALK_MESSAGE_MOST bytes. What is longer goes by, is
 *     reported as lost, and the next one is heard. */
#ifndef BROWSER_WIRE_H
#define BROWSER_WIRE_H

#include "base/buf.h"
#include "base/str.h"

/* Who hears what comes. */
struct wire_ear {
    /* A whole message; it stays valid until this returns. */
    void (*message)(void *context, struct str text);
    /* One that was dropped: it was too long, or memory is short. Its beginning; empty: nobody knows
     * it any more. NULL: nobody wants to know. */
    void (*lost)(void *context, struct str beginning);
    void *context;
};

struct wire;

struct wire_kind {
    /* Append `text` as one message: all of it, or nothing and out->oom. */
    void (*put)(struct wire *wire, struct buf *out, struct str text);
    /* Bytes that came, cut anywhere. What they want answered at once is appended to `out`. NULL, or
     * why there can be no more (static). */
    const char *(*take)(struct wire *wire, struct str bytes, const struct wire_ear *ear,
                        struct buf *out);
};

struct wire {
    const struct wire_kind *kind;
    int to, from; /* written with send(), read with read(); -1: closed */
};

#endif
