/* The frames of a WebSocket server taken apart (RFC 6455 section 5), by hand and not by net/ws.h:
 * who judges a server must not share its misunderstandings. What is allowed but looked for is
 * counted; what breaks the protocol ends the reading, with a reason.
 *
 * Bytes may be cut anywhere. No more is held than FRAMES_BYTES of one message and what was given.
 */
#ifndef MGI_CONFORMANCE_FRAMES_H
#define MGI_CONFORMANCE_FRAMES_H

#include <stdint.h>

#include "base/buf.h"

#define FRAMES_BYTES ((size_t)16 * 1024 * 1024) /* of one message, at most */

enum frames_event {
    FRAMES_MORE,    /* the input is used up */
    FRAMES_MESSAGE, /* `message` is whole, until the next call */
    FRAMES_PING,    /* `control` wants to come back as a pong */
    FRAMES_PONG,    /* `control` */
    FRAMES_CLOSE,   /* close_code */
    FRAMES_BROKEN   /* `wrong` says why; from now on always */
};

struct frames { /* all-zero is a beginning */
    struct buf kept;
    size_t at; /* in `kept`: what lies before it was read */
    struct buf message;
    struct str control;                      /* into `kept`, until the next call */
    bool open, handed;                       /* a message is under way; it was handed out */
    unsigned pings, pongs, pieces, binaries; /* pieces: frames that are no whole message */
    uint16_t close_code;                     /* 0: none came */
    const char *wrong;                       /* static */
};

void mgi_frames_fini(struct frames *f);

/* Room for `more` bytes behind what was given; NULL: memory. mgi_frames_given() takes them over. */
char *mgi_frames_room(struct frames *f, size_t more);
void mgi_frames_given(struct frames *f, size_t count);

enum frames_event mgi_frames_next(struct frames *f);

#endif
