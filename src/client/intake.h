/* Bytes that came over a connection and wait to be looked at. Nothing is copied: room is made
 * behind them, what was looked at is passed over, and all of it goes when nothing is left. */
#ifndef MGI_CLIENT_INTAKE_H
#define MGI_CLIENT_INTAKE_H

#include "client/link.h"

#define INTAKE_CHUNK_BYTES ((size_t)64 * 1024)

struct intake { /* all-zero: empty */
    struct buf bytes;
    size_t at; /* of `bytes`, looked at */
};

/* Room for INTAKE_CHUNK_BYTES at *room; what was read there is added to in->bytes.len. It moves
 * what mgi_intake_rest() gave. MANGLECP_ERR_PROTOCOL: nobody looks, and more than
 * LINK_ANSWER_BYTES wait; MANGLECP_ERR_NOMEM. */
enum manglecp_status mgi_intake_room(struct intake *in, char **room, struct buf *why);

/* What was not looked at yet. */
static inline struct str mgi_intake_rest(const struct intake *in)
{
    struct str all = mgi_buf_view(&in->bytes);
    return (struct str){ all.ptr + in->at, all.len - in->at };
}

/* Of mgi_intake_rest() all but this end was looked at. */
static inline void mgi_intake_leave(struct intake *in, struct str rest)
{
    in->at = in->bytes.len - rest.len;
}

void mgi_intake_clear(struct intake *in);
void mgi_intake_fini(struct intake *in);

#endif
