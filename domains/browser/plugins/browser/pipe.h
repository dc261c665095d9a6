/* A browser's program and the pipe that it speaks DevTools messages on.
 *
 *     caller's thread                            reader's thread
 *     send   ---> queue ---> descriptor          descriptor ---> frames --+--> hear(event)
 *     await  <--- waiter <-------------------------------------- replies -+
 *
 * A message is JSON text that ends with NUL. Events are heard on the reader's thread, in their
 * order; a reply wakes whoever waits for it. Writing never blocks: what the pipe does not take
 * waits in a queue that either thread empties, so that two sides that both write cannot hold each
 * other up.
 *
 * Invariants:
 *   - A reply that nobody waits for is dropped.
 *   - A message longer than PIPE_MESSAGE_MOST is dropped as it comes and counted; if it was a
 *     reply, its waiter is told.
 *   - An event longer than PIPE_EVENT_MOST is not read: a page whose address has a megabyte would
 *     have it told with each of a thousand requests.
 *   - When the browser ends, everybody who waits is woken, and nothing is sent any more. */
#ifndef BROWSER_PIPE_H
#define BROWSER_PIPE_H

#include <pthread.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"

#define PIPE_MESSAGE_MOST ((size_t)64 * 1024 * 1024)
#define PIPE_EVENT_MOST   ((size_t)512 * 1024)
#define PIPE_QUEUE_MOST   ((size_t)64 * 1024 * 1024)

/* ---- frames: bytes in, messages out (pipe_frames.c) ----------------------------------------- */

struct pipe_frames {
    struct buf partial; /* the beginning of a message that is not whole yet */
    size_t dropped;     /* messages that were too long, or for which there was no memory */
    size_t most;        /* bytes of a message */
    bool skipping;      /* the rest of one that is dropped */
};

/* `message` is called for each whole one, with what stays valid until it returns. `lost` (may be
 * NULL) is called with the beginning of one that is dropped. */
void mgi_pipe_frames_take(struct pipe_frames *frames, struct str bytes,
                          void (*message)(void *context, struct str text),
                          void (*lost)(void *context, struct str beginning), void *context);
void mgi_pipe_frames_fini(struct pipe_frames *frames);

/* The number of the reply that this message is; 0: it is an event, or nothing that can be read.
 * Reads the first member where browsers write it, without looking at the rest. */
int64_t mgi_pipe_reply_id(struct str text);

/* ---- the program (pipe_start.c) ------------------------------------------------------------- */

struct pipe_program {
    pid_t pid;
    int to, from; /* our ends; -1: closed */
};

/* Start argv[0] with descriptors 3 (it reads) and 4 (it writes), in a session of its own; it dies
 * with the thread that calls this. Standard output and error go to `log_fd`, or nowhere (-1). NULL,
 * or why not (static). */
const char *mgi_pipe_program_start(struct pipe_program *program, char *const argv[],
                                   char *const envp[], const char *folder, int log_fd);

/* Close the pipe and wait up to `wait_ms` for it to end by itself; then it and its session are
 * killed. */
void mgi_pipe_program_end(struct pipe_program *program, int64_t wait_ms);

/* ---- talking (pipe.c) ----------------------------------------------------------------------- */

struct browser_pipe;

/* On the reader's thread. `message` is the whole event; it lives until return. */
typedef void pipe_hear(void *context, struct str session, struct str method,
                       const struct json *params);

/* Takes over the program's descriptors. `ended` is called once, on the reader's thread, when the
 * browser has closed its end. NULL: out of memory, or of threads. */
struct browser_pipe *mgi_pipe_new(struct pipe_program *program, pipe_hear *hear,
                                  void (*ended)(void *context), void *context);

/* Ends the thread; afterwards nothing is heard. NULL is fine. Not from the reader's thread. */
void mgi_pipe_free(struct browser_pipe *pipe);

/* Send a command and do not wait. Any thread. False: the browser has gone, or there is no memory.
 */
bool mgi_pipe_tell(struct browser_pipe *pipe, struct str session, const char *method,
                   struct str params);

enum pipe_answer {
    PIPE_ANSWERED,
    PIPE_LATE,      /* the deadline came first */
    PIPE_CANCELLED, /* `cancelled` said so */
    PIPE_ENDED,     /* the browser has gone */
    PIPE_TOO_LONG,  /* the reply was dropped */
    PIPE_NOMEM
};

struct pipe_patience {
    int64_t until_ms; /* mgi_pipe_now_ms() */
    bool (*cancelled)(const void *context);
    const void *context;
};

/* A command that was sent and whose reply is waited for, so that others can be sent meanwhile. */
struct pipe_question {
    struct pipe_question *next;
    int64_t id; /* 0: it could not be sent */
    struct buf *reply;
    enum pipe_answer answer;
    bool done;
};

/* Send a command; the whole text of its reply will be appended to `reply`. Afterwards *question
 * stays where it is until mgi_pipe_forget(). Not from the reader's thread. */
void mgi_pipe_send(struct browser_pipe *pipe, struct str session, const char *method,
                   struct str params, struct buf *reply, struct pipe_question *question);
/* Wait for the reply. May be waited for again where it was late. */
enum pipe_answer mgi_pipe_await(struct browser_pipe *pipe, struct pipe_question *question,
                                const struct pipe_patience *patience);
void mgi_pipe_forget(struct browser_pipe *pipe, const struct pipe_question *question);

/* Send a command and wait for its reply: these three. */
enum pipe_answer mgi_pipe_ask(struct browser_pipe *pipe, struct str session, const char *method,
                              struct str params, const struct pipe_patience *patience,
                              struct buf *reply);

bool mgi_pipe_has_ended(struct browser_pipe *pipe);

int64_t mgi_pipe_now_ms(void); /* monotonic */

/* Wait on a condition (initialised by mgi_pipe_cond_init) until `until_ms` at the latest. */
void mgi_pipe_cond_init(pthread_cond_t *cond);
void mgi_pipe_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t until_ms);

#endif
