/* The private protocol: see frame.h. */
#include "toolhost/frame.h"

#include <string.h>

size_t mgi_frame_begin(struct buf *out, enum frame_type type)
{
    size_t begun = out->len;
    mgi_frame_u32(out, 0); /* the length, known at the end */
    mgi_frame_u32(out, (uint32_t)type);
    return begun;
}

void mgi_frame_end(struct buf *out, size_t begun)
{
    if (out->oom)
        return;
    uint32_t len = (uint32_t)(out->len - begun - sizeof len);
    memcpy(out->ptr + begun, &len, sizeof len);
}

void mgi_frame_u32(struct buf *out, uint32_t n)
{
    mgi_buf_append(out, &n, sizeof n);
}

void mgi_frame_u64(struct buf *out, uint64_t n)
{
    mgi_buf_append(out, &n, sizeof n);
}

void mgi_frame_str(struct buf *out, struct str s)
{
    mgi_frame_u32(out, (uint32_t)s.len);
    mgi_buf_append(out, s.ptr, s.len);
}

enum frame_event mgi_frame_next(struct str bytes, size_t max, struct frame *f, size_t *size)
{
    uint32_t len;
    if (bytes.len < sizeof len)
        return FRAME_PARTIAL;
    memcpy(&len, bytes.ptr, sizeof len);
    if (len < sizeof f->type || len > max)
        return FRAME_BAD;
    if (bytes.len - sizeof len < len)
        return FRAME_PARTIAL;
    *f = (struct frame){ .body = { bytes.ptr + sizeof len, len } };
    f->type = mgi_frame_get_u32(f);
    *size = sizeof len + len;
    return FRAME_WHOLE;
}

static bool take(struct frame *f, void *out, size_t len)
{
    if (f->bad || f->body.len - f->at < len) {
        f->bad = true;
        return false;
    }
    memcpy(out, f->body.ptr + f->at, len);
    f->at += len;
    return true;
}

uint32_t mgi_frame_get_u32(struct frame *f)
{
    uint32_t n;
    return take(f, &n, sizeof n) ? n : 0;
}

uint64_t mgi_frame_get_u64(struct frame *f)
{
    uint64_t n;
    return take(f, &n, sizeof n) ? n : 0;
}

struct str mgi_frame_get_str(struct frame *f)
{
    uint32_t len = mgi_frame_get_u32(f);
    if (f->bad || f->body.len - f->at < len) {
        f->bad = true;
        return STR_LIT("");
    }
    struct str s = { f->body.ptr + f->at, len };
    f->at += len;
    return s;
}

bool mgi_frame_is_done(const struct frame *f)
{
    return !f->bad && f->at == f->body.len;
}
