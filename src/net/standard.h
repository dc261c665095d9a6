/* Standard input and output as the loop sees them, whatever stands behind the descriptors.
 *
 * Pipes, sockets and terminals are streams of the loop. A file is read by the loop's pool of
 * threads, one chunk at a time, and written at once: files do not block. Who uses them cannot tell
 * which (but for mgi_output_queued, which of a file is always 0).
 *
 * Everything happens on the loop's thread. After a close nothing comes but `written` for the
 * lines that did not go out, and then `closed`, from the loop, once: the object is gone. The
 * descriptor itself is closed with a stream, and stays open with a file. */
#ifndef MGI_NET_STANDARD_H
#define MGI_NET_STANDARD_H

#include <uv.h>

#include "base/str.h"

/* ---- input ---------------------------------------------------------------------------------- */

struct input;

struct input_events { /* a constant; all must be set */
    /* Never empty, and borrowed until return. */
    void (*bytes)(void *owner, struct str bytes);
    /* Its end, or it cannot be read (any more), which resume may find out. Once. */
    void (*ended)(void *owner);
};

/* It begins paused. NULL: memory, or a descriptor that cannot be used. */
struct input *mgi_input_open(uv_loop_t *loop, int fd, const struct input_events *events,
                             void *owner);
void mgi_input_resume(struct input *in); /* idempotent, as is pause; nothing after `ended` */
void mgi_input_pause(struct input *in);  /* what is being read of a file still comes, once */
void mgi_input_close(struct input *in, void (*closed)(void *owner));

/* ---- output --------------------------------------------------------------------------------- */

struct output;

struct output_events { /* a constant; must be set */
    /* A line has gone out, or (status < 0, a code of libuv) never will. Not of files. */
    void (*written)(void *owner, int status);
};

/* As mgi_input_open(). */
struct output *mgi_output_open(uv_loop_t *loop, int fd, const struct output_events *events,
                               void *owner);

/* Write `text` and a line feed, in one go; copied. False: memory, or it cannot be written. */
bool mgi_output_line(struct output *out, struct str text);
size_t mgi_output_queued(const struct output *out); /* bytes */

/* `flushed`, from the loop, when everything has gone out, or cannot. False: there is nothing to
 * wait for (a file), or no memory; it is not called then. */
bool mgi_output_flush(struct output *out, void (*flushed)(void *owner));
void mgi_output_close(struct output *out, void (*closed)(void *owner));
bool mgi_output_is_closing(const struct output *out);

#endif
