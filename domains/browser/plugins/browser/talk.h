/* Talking to a browser: DevTools messages over a wire (wire.h).
 *
 *     caller's thread                            reader's thread
 *     send   ---> queue ---> descriptor          descriptor ---> wire ----+--> hear(event)
 *     await  <--- waiter <-------------------------------------- replies -+
 *
 * A message is JSON text. Events are heard on the reader's thread, in their order; a reply wakes
 * whoever waits for it. Writing never blocks: what the wire does not take waits in a queue that
 * either thread empties, so that two sides that both write cannot hold each other up.
 *
 * Invariants:
 *   - A reply that nobody waits for is dropped.
 *   - A message longer than TALK_MESSAGE_MOST is dropped as it comes; if it was a reply, its waiter
 *     is told. Where the wire does not know whose it was, everybody who waits is told.
 *   - An event longer than TALK_EVENT_MOST is not read: a page whose address has a megabyte would
 *     have it told with each of a thousand requests.
 *   - When the browser ends, everybody who waits is woken, and nothing is sent any more. */
#ifndef BROWSER_TALK_H
#define BROWSER_TALK_H

#include <pthread.h>
#include <stdint.h>

#include "base/json.h"
#include "wire.h"

#define TALK_MESSAGE_MOST ((size_t)64 * 1024 * 1024)
#define TALK_EVENT_MOST   ((size_t)512 * 1024)
#define TALK_QUEUE_MOST   ((size_t)64 * 1024 * 1024)

struct browser_talk;

/* An event, on the reader's thread. What it is given lives until it returns. */
typedef void talk_hear(void *context, struct str session, struct str method,
                       const struct json *params);

/* The wire stays the caller's. `ended` is called once, on the reader's thread, when the browser has
 * closed its end. NULL: out of memory, or of threads. */
struct browser_talk *mgi_talk_new(struct wire *wire, talk_hear *hear, void (*ended)(void *context),
                                  void *context);

/* Ends the thread; afterwards nothing is heard. NULL is fine. Not from the reader's thread. */
void mgi_talk_free(struct browser_talk *talk);

/* Send a command and do not wait. Any thread. False: the browser has gone, or there is no memory.
 */
bool mgi_talk_tell(struct browser_talk *talk, struct str session, const char *method,
                   struct str params);

enum talk_answer {
    TALK_ANSWERED,
    TALK_LATE,      /* the deadline came first */
    TALK_CANCELLED, /* `cancelled` said so */
    TALK_ENDED,     /* the browser has gone */
    TALK_TOO_LONG,  /* the reply was dropped */
    TALK_NOMEM
};

struct talk_patience {
    int64_t until_ms; /* mgi_talk_now_ms() */
    bool (*cancelled)(const void *context);
    const void *context;
};

/* A command that was sent and whose reply is waited for, so that others can be sent meanwhile. */
struct talk_question {
    struct talk_question *next;
    int64_t id; /* 0: it could not be sent */
    struct buf *reply;
    enum talk_answer answer;
    bool done;
};

/* Send a command; the whole text of its reply will be appended to `reply`. Afterwards *question
 * stays where it is until mgi_talk_forget(). Not from the reader's thread. */
void mgi_talk_send(struct browser_talk *talk, struct str session, const char *method,
                   struct str params, struct buf *reply, struct talk_question *question);
/* Wait for the reply. May be waited for again where it was late. */
enum talk_answer mgi_talk_await(struct browser_talk *talk, struct talk_question *question,
                                const struct talk_patience *patience);
void mgi_talk_forget(struct browser_talk *talk, const struct talk_question *question);

/* Send a command and wait for its reply: these three. */
enum talk_answer mgi_talk_ask(struct browser_talk *talk, struct str session, const char *method,
                              struct str params, const struct talk_patience *patience,
                              struct buf *reply);

bool mgi_talk_has_ended(struct browser_talk *talk);

/* From now on `what` is called on the reader's thread, with the context of the talk, about every
 * `every_ms` milliseconds, however much or little is heard. NULL: no more of it. Any thread. */
void mgi_talk_remind(struct browser_talk *talk, void (*what)(void *context), int every_ms);

/* Why there is no more, once it has ended (static). */
const char *mgi_talk_why_ended(struct browser_talk *talk);

/* The number of the reply that this message is; 0: it is an event, or nothing that can be read.
 * Reads the first member where browsers write it, without looking at the rest. */
int64_t mgi_talk_reply_id(struct str text);

int64_t mgi_talk_now_ms(void); /* monotonic */

/* Wait on a condition (initialised by mgi_talk_cond_init) until `until_ms` at the latest. */
void mgi_talk_cond_init(pthread_cond_t *cond);
void mgi_talk_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t until_ms);

#endif
