/* A browser's program and the pipe to it: a wire (wire.h) on which a message ends with NUL. */
#ifndef BROWSER_PIPE_H
#define BROWSER_PIPE_H

#include <stdint.h>
#include <sys/types.h>

#include "wire.h"

/* ---- frames: bytes in, messages out (pipe_frames.c) ----------------------------------------- */

struct pipe_frames {
    struct buf partial; /* the beginning of a message that is not whole yet */
    size_t dropped;     /* messages that were too long, or for which there was no memory */
    size_t most;        /* bytes of a message */
    bool skipping;      /* the rest of one that is dropped */
};

void mgi_pipe_frames_take(struct pipe_frames *frames, struct str bytes, const struct wire_ear *ear);
void mgi_pipe_frames_fini(struct pipe_frames *frames);

/* ---- the program (pipe_start.c) ------------------------------------------------------------- */

struct pipe_program {
    struct wire wire; /* the first member: the kind's functions are given it */
    struct pipe_frames frames;
    pid_t pid;
};

/* Start argv[0] with descriptors 3 (it reads) and 4 (it writes), in a session of its own; it dies
 * with the thread that calls this. Standard output and error go to `log_fd`, or nowhere (-1). NULL,
 * or why not (static). */
const char *mgi_pipe_program_start(struct pipe_program *program, char *const argv[],
                                   char *const envp[], const char *folder, int log_fd);

/* Close the pipe and wait up to `wait_ms` for it to end by itself; then it and its session are
 * killed. A zeroed one is fine. */
void mgi_pipe_program_end(struct pipe_program *program, int64_t wait_ms);

#endif
