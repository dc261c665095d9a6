/* The private protocol between host and worker: frames of a length, a type and fields, in the byte
 * order of the machine (both ends are the same program).
 *
 *     u32 length of what follows | u32 type | fields
 *     field: u32, u64, or u32 length and that many bytes
 *
 * Reading checks every length; a reader that has met a bad one stays bad and yields zeros, so a
 * decoder asks once at its end. What a worker sends is believed in nothing but its form (T-ISO-3).
 */
#ifndef TOOLHOST_FRAME_H
#define TOOLHOST_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

enum frame_type {
    FRAME_SETUP = 1, /* host: limits, in force before the plugin is opened */
    FRAME_CALL,      /* host: run a tool */
    FRAME_STOP,      /* host: call fini and end */
    FRAME_READY,     /* worker: the tools of the plugin */
    FRAME_FAILED,    /* worker: why there is no plugin */
    FRAME_RESULT,    /* worker: what the tool returned */
    FRAME_PROGRESS,  /* worker: how far the running call has come, if that was asked for */
    FRAME_CAPS,      /* worker: the capabilities that the plugin asks for, if that was asked */
    FRAME_PLAN       /* host: what it may, then; a Landlock ruleset comes along */
};

/* Writing: begin, fields, end. Running out of memory shows in the buffer. */
size_t mgi_frame_begin(struct buf *out, enum frame_type type); /* for mgi_frame_end */
void mgi_frame_end(struct buf *out, size_t begun);
void mgi_frame_u32(struct buf *out, uint32_t n);
void mgi_frame_u64(struct buf *out, uint64_t n);
void mgi_frame_str(struct buf *out, struct str s);

struct frame {
    uint32_t type;
    struct str body;
    size_t at;
    bool bad;
};

enum frame_event { FRAME_PARTIAL, FRAME_WHOLE, FRAME_BAD };

/* Is there a whole frame at the beginning of `bytes`? *size: the bytes it takes. FRAME_BAD: it
 * would be longer than `max`, or shorter than its type. */
enum frame_event mgi_frame_next(struct str bytes, size_t max, struct frame *f, size_t *size);

uint32_t mgi_frame_get_u32(struct frame *f);
uint64_t mgi_frame_get_u64(struct frame *f);
struct str mgi_frame_get_str(struct frame *f); /* borrowed from the bytes */
bool mgi_frame_is_done(const struct frame *f); /* all read, and nothing bad met */

#endif
