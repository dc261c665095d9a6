/* The workers of a bridge: what blocks is done by a few threads, each with clients of its own: one
 * for each of those who called last.
 *
 *     loop: hand ──> queue ──> a thread: run(job, client) ──> loop: done(job)
 *                                 │  progress, a question for a person
 *                                 └──> loop: progress(job), ask(job) ; loop: answer() ──> goes on
 *
 * A client is made when a thread gets the first job of somebody; where that fails, the job gets
 * NULL and the reason, and the next one tries again. Bounds: threads, jobs that wait, questions
 * that are open at once (one fewer than there are threads, so that one is always free), and how
 * long a question stays open.
 *
 * Everything but what is said of `run` happens on the loop's thread. */
#ifndef MGI_BRIDGE_CREW_H
#define MGI_BRIDGE_CREW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <uv.h>

#include "base/buf.h"
#include "manglecp.h"
#include "security/principal.h"

#define CREW_THREADS     4
#define CREW_CLIENTS     4 /* of one thread: the one that was not used longest gives way */
#define CREW_MAX_WAITING 64
#define CREW_TEXT        200 /* bytes of a progress text */
/* A person has so long to answer. The core of src/mcp gives up a little earlier, in r3 and r4. */
#define CREW_QUESTION_MS (11 * 60 * 1000)

enum crew_answer {
    CREW_NOT_ASKED, /* so far */
    CREW_AGREED,
    CREW_REFUSED,
    CREW_UNANSWERED, /* closed, or too late */
    CREW_CROWDED,    /* too many are asked already */
    CREW_NOBODY      /* the client cannot be asked */
};

struct crew_job {
    /* Set by whoever hands it over; all but `run` on the loop's thread, and none of them after
     * `done`. `why` is "" or why there is no client. */
    void (*run)(struct crew_job *job, manglecp_client *client, const char *why);
    void (*progress)(struct crew_job *job, double percent, const char *text); /* NULL: unwanted */
    /* What a person is asked: mgi_crew_answer(), now or later. NULL: nobody can be asked. */
    void (*ask)(struct crew_job *job, const char *question);
    void (*done)(struct crew_job *job);
    void (*drop)(struct crew_job *job); /* instead of done: mgi_crew_free() */
    const struct principal *who;        /* as whom; NULL: the user of this process. Borrowed */

    /* For `run`, after the call of the client that asked. */
    enum crew_answer answer;
    bool within;         /* the tool ran already when it asked */
    struct buf question; /* what was asked last, also where nobody could be; freed by the owner */

    /* The crew's. */
    struct crew_job *next, *next_news;
    atomic_bool cancelled;
    bool in_news, finished, asks, has_progress;
    double percent;
    char text[CREW_TEXT + 1];
};

struct crew_options {
    uv_loop_t *loop;
    unsigned threads;    /* 1 to CREW_THREADS; 0: CREW_THREADS */
    int64_t question_ms; /* 0: CREW_QUESTION_MS */
    /* The question for a person, on a worker's thread. */
    void (*compose)(struct buf *out, const struct manglecp_consent *what);
    /* Make a client for `who` (NULL: the user of this process), on a worker's thread. `o` has the
     * callbacks filled in; `why` gets a text where it fails (NULL is returned). */
    manglecp_client *(*connect)(void *context, const struct principal *who,
                                struct manglecp_options *o, struct buf *why);
    void *context;
};

struct crew;
struct crew *mgi_crew_new(const struct crew_options *options); /* NULL: memory, or no thread */

/* False: too many wait already; nothing of the job will be called. */
bool mgi_crew_hand(struct crew *crew, struct crew_job *job);

/* It is not wanted any more: it ends as soon as it can, and `done` comes all the same. */
void mgi_crew_cancel(struct crew *crew, struct crew_job *job);

/* What a person said. Without effect if the job does not ask (any more). */
void mgi_crew_answer(struct crew *crew, struct crew_job *job, enum crew_answer answer);

/* Cancel all, wait for the threads (each call of a client is bounded), close the clients. Jobs that
 * had not got their `done` get `drop`. NULL is fine. */
void mgi_crew_free(struct crew *crew);

#endif
