/* Bytes that wait to be looked at: see intake.h. */
#include "client/intake.h"

enum manglecp_status mgi_intake_room(struct intake *in, char **room, struct buf *why)
{
    if (in->at == in->bytes.len)
        mgi_intake_clear(in);
    if (in->bytes.len - in->at > LINK_ANSWER_BYTES) {
        mgi_buf_puts(why, "the server says more than can be kept");
        return MANGLECP_ERR_PROTOCOL;
    }
    if (!mgi_buf_reserve(&in->bytes, INTAKE_CHUNK_BYTES))
        return MANGLECP_ERR_NOMEM;
    *room = in->bytes.ptr + in->bytes.len;
    return MANGLECP_OK;
}

void mgi_intake_clear(struct intake *in)
{
    mgi_buf_clear(&in->bytes);
    in->at = 0;
}

void mgi_intake_fini(struct intake *in)
{
    mgi_buf_fini(&in->bytes);
    in->at = 0;
}
