/* What the files of a live page share. One page is in front; its state is written by the reader's
 * thread (live_hear.c) and read by the worker's, under `lock`. */
#ifndef BROWSER_LIVE_INT_H
#define BROWSER_LIVE_INT_H

#include "confine/confine.h"
#include "guard.h"
#include "guard_proxy.h"
#include "live.h"
#include "pipe.h"
#include "socket.h"
#include "talk.h"
#include "trace.h"

#define LIVE_ID_MAX    80  /* of targets, sessions, frames, requests: 32 letters in practice */
#define LIVE_TARGETS   64  /* the page, its frames and workers; more are not listened to */
#define LIVE_REQUESTS  512 /* under way at once; more are not waited for */
#define LIVE_TEXT_MAX  1024
#define LIVE_PERMITTED 16
#define LIVE_WORLD     "machina"     /* the name of the JavaScript world of our own */
#define LIVE_TRYING    "machina_try" /* the function of the helper in which errors are expected */
#define LIVE_ANSWERED  256           /* finished requests whose bodies are asked for */
#define LIVE_PLACES    64            /* places of errors whose source is asked for */

enum page_state { PAGE_NONE, PAGE_LIVE, PAGE_CRASHED };

/* Something that has a DevTools session: the page, a frame in a process of its own, a worker. */
struct live_target {
    char session[LIVE_ID_MAX], target[LIVE_ID_MAX];
    char name[8]; /* in the trace: "p", "f2", "w3" */
};

/* A request under way. */
struct live_request {
    char id[LIVE_ID_MAX];
    int64_t since_ms;
    char host[64]; /* for what the proxy says of it; "" if it is longer */
    int port;
    bool data; /* a page that waits for it is not settled */
    bool body; /* it is worth asking for */
};

/* A finished request whose body is to be asked for. */
struct live_answered {
    char id[LIVE_ID_MAX], session[LIVE_ID_MAX], name[8];
};

/* A place of a script at which an error was; its source is asked for, once. */
struct live_place {
    char script[24], session[LIVE_ID_MAX], name[8], url[256];
    int64_t line, column; /* from 0, as DevTools count */
    bool asked;
};

/* What grows in a page that leaks. */
struct live_counters {
    int64_t documents, nodes, listeners, heap, layouts, timers, sockets, mutations;
};

/* A file on its way. */
struct live_file_coming {
    char guid[LIVE_ID_MAX], name[128], url[512];
    int64_t bytes;     /* that have come: as was told, or as the file is now */
    int64_t announced; /* that will have come; 0: not said */
    const char *state; /* as in live.h */
};

/* A condition that the reader's thread looks for. */
struct live_watch {
    enum wait_kind kind;
    struct str text; /* the waiter's; empty length: nothing is watched */
    bool active, met;
};

struct live {
    struct arena life; /* of the settings */
    struct live_settings settings;
    struct str reach; /* hosts that the page may ask: settings.allow, and perhaps this machine */
    bool configured;
    const th_processes_v1 *processes;

    struct confine_folder folder; /* the profile, and what the browser writes */
    struct guard_proxy *proxy;
    struct pipe_program program; /* that was started */
    struct socket_wire socket;   /* to one that was attached to */
    struct browser_talk *talk;   /* NULL: no browser */
    struct trace *trace;

    char unreached[LIVE_TEXT_MAX]; /* asked for last, and not come; the worker's */
    int64_t heard_ms;              /* when the page's own thread answered last; the worker's */
    bool doubted;                  /* the first command is to see whether it answers; likewise */

    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    bool ended;                /* the browser has gone by itself */
    char context[LIVE_ID_MAX]; /* that is ours in a browser that was attached to; "" in our own */
    enum page_state state;
    struct live_target targets[LIVE_TARGETS]; /* [0] is the page in front */
    size_t target_count, targets_seen;
    char frame[LIVE_ID_MAX]; /* the page's main frame */
    int64_t world;           /* execution context of our world in it; 0: not known */
    bool loading;
    int64_t active_ms; /* when something happened last that a settled page does not do */
    uint64_t turns;    /* counts whatever happened: waiters look again */
    struct live_request requests[LIVE_REQUESTS];
    size_t request_count;
    struct live_answered answered[LIVE_ANSWERED];
    size_t answered_count, bodies_lost;
    struct live_place places[LIVE_PLACES];
    size_t place_count;
    struct live_watch watch;
    int64_t timers, sockets, mutations; /* of this document */
    struct live_counters counters;      /* the last ones, if `counted`; the worker's */
    bool counted;
    int rising;    /* so often in a row there was more than before; likewise */
    bool sampling; /* what is allocated is sampled; likewise */
    bool accept_dialogs;
    char dialog_text[512]; /* as JSON, with its quotes */
    size_t dialogs;        /* of this document */
    size_t stops;          /* at exceptions; of this document */
    size_t looks;          /* stops that were asked for, and have not come */
    size_t popups;
    char permitted[LIVE_PERMITTED][GUARD_HOST_MAX + 1]; /* hosts; the oldest goes first */
    size_t permitted_next;
    char host[GUARD_HOST_MAX + 1]; /* of the page in front */
    bool stopped;                  /* we gave up waiting for a document */
    bool asked;                    /* a navigation that we asked for is under way */
    bool leaving;                  /* the document in front has asked for another one */
    bool overtaken;                /* one came that it had not asked for, and nor had we */
    char loader[LIVE_ID_MAX];      /* the browser's name of the document in front */
    char document_host[64];        /* that was asked for the document last, in front */
    int document_port;
    char refused[LIVE_TEXT_MAX]; /* where the page was not let go */
    struct live_file_coming downloads[LIVE_DOWNLOADS];
    size_t download_count, downloads_refused;
};

extern struct live mgi_live;

#define LIVE_SESSION(l) str_of((l)->targets[0].session)

/* live_start.c: the program runs and its pipe is open. False: the job failed. */
bool mgi_live_start(struct job *job, struct live *l);
/* What every browser needs: the guard of its way to the network, and folders for what it writes.
 * False: the job failed. */
bool mgi_live_make_way(struct job *job, struct live *l);
/* The hosts that need no proxy, as browsers want them told. In the job's arena; NULL: no memory. */
const char *mgi_live_bypass(struct job *job, const struct live *l);

/* live_attach.c: the browser that the operator named is connected to, and a context in it is ours.
 * False: the job failed. */
bool mgi_live_attach(struct job *job, struct live *l);
/* Give the context up, while there is a connection. */
void mgi_live_leave(struct live *l);
/* What the browser's own session says of tabs that are not ours. On the reader's thread, with the
 * lock held. */
bool mgi_live_is_foreign(const struct live *l, struct str session, const struct json *params);

/* live_hear.c: on the reader's thread. */
void mgi_live_hear(void *context, struct str session, struct str method, const struct json *params);
void mgi_live_ended(void *context);
/* live_policy.c: what is answered at once, on the reader's thread. *keep becomes false for what is
 * not for the trace. */
void mgi_live_decide(struct live *l, struct str session, struct str method,
                     const struct json *params, bool *keep);
/* live_caught.c: the browser stopped at an exception; on the reader's thread. */
void mgi_live_stopped_at(struct live *l, struct str session, struct str name,
                         const struct json *params, double t);
/* live_busy.c: mgi_talk_await() of a command to the page in front that nothing stands behind. Where
 * it is late, looks are taken at what the page does meanwhile, as Machina.busy and Machina.spent of
 * the trace. */
enum talk_answer mgi_live_await(struct live *l, struct talk_question *question,
                                const struct talk_patience *patience);
/* The browser stopped for such a look; on the reader's thread. */
void mgi_live_keep_look(struct live *l, struct str name, const struct json *params, double t);
/* A new document: its exceptions are told, too. */
void mgi_live_stop_again(struct live *l);
/* Where downloads go; a path in `arena`. NULL: out of memory. */
const char *mgi_live_download_folder(const struct live *l, struct arena *arena);

/* Ask a session for everything that it can tell. Any thread. */
void mgi_live_listen(struct live *l, struct str session, bool page);

/* The scripts of a page or frame that cannot be listened to: only what guards it. */
void mgi_live_guard(struct live *l, struct str session);

/* live.c */
/* Always false: the browser has gone, and what the next call does about it. */
bool mgi_live_say_ended(struct job *job, struct live *l);
/* A command to the browser itself (session "") or a target. As mgi_live_call(). */
bool mgi_live_ask(struct job *job, struct str session, const char *method, struct str params,
                  int64_t most_ms, struct json *result);
/* The time until which this job may wait, at most `most_ms` from now. */
struct talk_patience mgi_live_patience(const struct job *job, int64_t most_ms);
/* The page in front is known to answer, or another one is in its place. */
bool mgi_live_be_sure(struct job *job);
/* mgi_live_run() with a limit of its own. */
bool mgi_live_run_within(struct job *job, const char *function, struct str args, int64_t most_ms,
                         struct json *result);
/* Give up waiting for a document: until it comes, browsers pass nothing on to the page. To the
 * trace it stays one that was never answered, as it was. */
void mgi_live_stop_loading(struct live *l);
/* Let so much time pass, or less if the call ends. */
void mgi_live_pause(struct job *job, int64_t ms);
bool mgi_live_is_cancelled(const void *job);
/* Parameters for a command: printed JSON. The arguments are JSON already, or known not to need
 * escapes. */
struct str mgi_live_params(struct job *job, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* `text` as a JSON string, with its quotes. */
struct str mgi_live_quoted(struct job *job, struct str text);

/* live_life.c: does the page's own thread answer? */
/* It has. */
void mgi_live_heard(struct live *l);
/* It may have been held up since it did. */
bool mgi_live_is_silent(const struct live *l);
/* It does, once freed of what holds it up. False: it is of no use any more. */
bool mgi_live_shows_life(struct live *l, const struct job *job);
/* mgi_live_shows_life(), and a command to the page that is sent with it. Where *lives becomes
 * false, the command's answer is not waited for. */
enum talk_answer mgi_live_ask_behind(struct live *l, const struct job *job, const char *method,
                                     struct str params, int64_t most_ms, struct buf *reply,
                                     bool *lives);

/* live_held.c: who made most of what is in the browser's sampling profile, as Machina.held of the
 * trace. */
void mgi_live_note_held(struct live *l, struct arena *arena, const struct json *profile, double t);

/* live_observe.c: what has to be asked for, into the trace. */
bool mgi_live_gather(struct job *job);

/* live_helper*.c; the parts of the helper are one text, one after the other */
extern const char mgi_live_no_detour[], mgi_live_helper_means[], mgi_live_helper[],
    mgi_live_helper_deeds[], mgi_live_helper_heads[], mgi_live_helper_kept[],
    mgi_live_helper_fields[], mgi_live_helper_more[], mgi_live_helper_seen[],
    mgi_live_helper_last[], mgi_live_helper_dates[], mgi_live_helper_work[];
extern const char mgi_live_state_script[], mgi_live_room_script[], mgi_live_veil_script[],
    mgi_live_dom_script[], mgi_live_storage_script[], mgi_live_timing_script[]; /* live_scripts.c */

#endif
