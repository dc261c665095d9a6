/* Messages behind `Content-Length: N` headers, whatever the pieces they arrive in. A header that
 * says nothing useful is told once and passed over; a message that is too long is skipped. */
#ifndef MGI_LSP_FRAME_H
#define MGI_LSP_FRAME_H

#include "base/buf.h"

#define FRAME_MAX_BYTES ((size_t)64 << 20)

enum frame_event {
    FRAME_NONE, /* more bytes are needed */
    FRAME_MESSAGE,
    FRAME_BAD_HEADER, /* no Content-Length, or none that is a number */
    FRAME_TOO_LONG,
    FRAME_NOMEM
};

struct frame_reader {
    struct buf line;    /* of a header, so far */
    struct buf message; /* so far */
    size_t length, skip;
    bool seen, has_length, in_body; /* seen: a header line, so an empty one ends the header */
};

void mgi_frame_init(struct frame_reader *f);
void mgi_frame_fini(struct frame_reader *f);

/* Take from *bytes (which moves on) until something happens. *message is borrowed until the next
 * call. */
enum frame_event mgi_frame_next(struct frame_reader *f, struct str *bytes, struct str *message);

#endif
