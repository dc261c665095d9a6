/* What the files of the server share, from below; a file calls only what stands above it here:
 *
 *     work.c, served.c, rate.c, metrics.c   threads; what is served; windows of rates; counting
 *     describe.c                  status and manifest
 *     answer.c                    messages out: answers, and the one for which no memory is needed
 *     decide.c                    what a decision log is told of a request
 *     login*.c                    tokens of another issuer: judged, asked about, remembered
 *     identify.c                  credentials: who it is, or why not
 *     interrupted.c               what the journal knows of what another process began
 *     once.c                      idempotency keys: who runs, who waits for it, what is kept
 *     request.c                   a request goes through its stages, which it knows as a list
 *     vouch.c                     sessions: is the token that began one still good?
 *     journalled.c                what a chain does, into the journal
 *     call.c                      what an invocation is called with
 *     parked.c                    invocations that wait for a person
 *     stage_session.c             parse and admit, the gates; authenticate and cancel
 *     stage_intent.c, stage_invoke.c
 *     slow_rules.c                rules of an intent that take long, for the log
 *     stages.c                    the lists of stages
 *     peer.c                      one connection
 *     lifecycle.c                 what is served; what is amiss; draining; manifests pushed
 *     server.c                    beginning and end of the whole
 *
 * Back up lead functions that the upper one puts into `struct server` or `struct peer` (on_...).
 *
 * Threads. All of it belongs to the loop's thread, but for what a task of work.c is given:
 *
 *   1. A worker has a request from hand() until done() (request.on_worker). It reads and writes
 *      that request alone. Of it the loop meanwhile reads what was settled before (envelope, who,
 *      stage), and writes `cancel`, which is atomic, and the links of lists, which are the loop's.
 *   2. Of what requests share a worker reads what does not change while they hold it: the snapshot
 *      of `served` and the address of its pool, the principal, the constants of the transport, the
 *      server's options, logger and clock. Never the server's present `served`, `auth`, peers,
 *      leaders, windows or metrics.
 *   3. Counts that are not atomic (served, pool_use) change on the loop only. Snapshots and
 *      principals are counted atomically: the last to hold a snapshot may be a worker's overlay.
 *
 * Who frees what, all on the loop: a request is given back when it is closed (request.c), with its
 * references; a peer goes when it is gone and has no request; what is served, with the last request
 * of it; a pool is its owner's, who is told from the loop that nobody uses it any more.
 */
#ifndef MGI_SERVER_SERVER_INT_H
#define MGI_SERVER_SERVER_INT_H

#include <stdatomic.h>

#include "intent/intent.h"
#include "server/peer.h"
#include "server/server.h"
#include "server/work.h"
#include "sys/clock.h"

struct request;

/* ---- what is served ------------------------------------------------------------------------ */

struct pool_use { /* a tool pool and how many of what is or was served use it */
    struct toolpool *pool;
    unsigned refs;
    void (*retired)(void *context, struct toolpool *pool);
    void *context;
    struct pool_use *next; /* in server.retiring */
};

struct served { /* counted by the server and by every request that began with it */
    unsigned refs;
    struct snapshot *snapshot;
    struct pool_use *pool;    /* NULL while booting */
    struct policy **policies; /* in the order of the snapshot's */
    struct menu_pickers pickers;
};

/* ---- a connection -------------------------------------------------------------------------- */

struct peer {
    struct server *server;
    const struct peer_transport *transport;
    void *connection;
    bool auth_required;
    bool gone;                   /* the connection is no more: nothing may be sent */
    bool ending;                 /* no more input: close when the last answer is out */
    bool greeted;                /* it has had a manifest, and gets the next ones */
    bool revoked;                /* the credential it logged in with is not listed any more */
    const struct principal *who; /* a reference; NULL: nobody yet */
    int64_t who_until_ns;        /* see struct peer_options; 0: no end of its own */
    uint32_t failed_logins;
    struct { /* what another issuer says of it: judged anew when that is not sure any more */
        struct buf token;     /* len 0: no other issuer's */
        int64_t until_ns;     /* real time: it is believed */
        uint64_t withdrawals; /* of keys, when it was judged */
        struct login *login;  /* it is being judged */
        bool other;           /* it was, but there has been another login since */
    } vouched;
    char place[LOGIN_PLACE_BYTES]; /* where it comes from; "": not known */
    unsigned held;                 /* walks over its requests: it is not freed under them */
    enum wire_code said;           /* of the last answer */
    struct arena arena;            /* of the connection: the refusal, the traceparent */
    struct wire_error refusal;
    struct str traceparent; /* of the exchange, from a header */
    struct request *open;   /* requests not answered yet */
    size_t open_count;
    size_t open_bytes;                /* of their texts */
    void (*on_quiet)(struct peer *p); /* the last of them is over */
    struct peer *next, *prev;
};

/* Around a walk over its requests; the second may free it. */
static inline void mgi_peer_hold(struct peer *p)
{
    p->held++;
}

static inline void mgi_peer_release(struct peer *p)
{
    if (--p->held == 0 && p->gone && !p->open)
        p->on_quiet(p);
}

/* ---- a request ----------------------------------------------------------------------------- */

enum place { ON_LOOP, ON_WORKER };

/* Up to here a request is small: reading it takes about 0.1 ms, and it is not counted with those
 * that together may be too much. */
#define SMALL_REQUEST_BYTES ((size_t)64 * 1024)

enum stage_result {
    STAGE_NEXT,
    STAGE_WAIT,   /* loop: mgi_request_resume() will be called */
    STAGE_ANSWER, /* the answer is known: r->error, or the text in r->answer */
    STAGE_OVER    /* the request is over, and may be gone */
};

/* A request is a list of these. On the loop none may take a millisecond: no rule, no schema, no
 * store, no file. */
struct stage {
    const char *name;
    enum place where;
    enum stage_result (*run)(struct request *r);
    /* There is nothing to do for it. NULL: there always is. */
    bool (*skip)(const struct request *r);
    /* On a worker: it is so short that it may run where it stands. NULL: never. */
    bool (*brief)(const struct request *r);
    /* On the loop, while it waits: end the waiting, now or later. */
    void (*cancel)(struct request *r);
    bool closing; /* is for a request whose answer is known, too */
    bool owed;    /* something has happened: never refused for want of room, never taken back */
};

enum { LIST_SESSION, LIST_INTENT, LIST_INVOKE, LIST_LAPSE, LISTS };

struct once {       /* an idempotency key */
    struct str key; /* ptr NULL: none */
    char fingerprint[65];
    bool leads;       /* it is in the table of those that run */
    struct str also;  /* another one that the invocation was begun under; ptr NULL: none */
    bool begun;       /* it is in the store: its end is to be kept, or it is to be forgotten */
    bool kept;        /* its end was to be kept: it is everybody's who has the key */
    bool unforgotten; /* it came to nothing, or the leader before did, but the store has it still */
    struct request *bucket_next; /* of leaders */
    struct request *leader;      /* it waits for this one */
    struct request *followers;   /* who wait for it */
    uint32_t follower_count;
    struct request *follower_next;
};

/* Who is told that the end of a run is on the disk: the request that has its invocation. */
struct settlement {
    struct request *request; /* NULL: nobody has, it waits for a person */
};

/* An invocation that waits for a person (parked.c). */
struct parked {
    struct parked *next, **link; /* in server.parked; link NULL: it is in a request's hands */
    struct arena arena;          /* that of the request that began it: all of it lives there */
    struct invocation *invocation;
    struct served *served; /* references */
    const struct principal *who;
    char invocation_id[33], nonce[INVOKE_NONCE_BYTES];
    struct str request_id; /* as a log may show it */
    struct run_header header;
    struct run_journal run_journal;
    struct settlement *settlement;
    bool unsettled;
    struct str key; /* idempotency key; ptr NULL: none. It is begun in the store */
    char fingerprint[65];
    struct wire_error error; /* what was answered */
    size_t bytes;            /* of the server's parked_bytes */
    uint64_t owner;
    int64_t until_ns; /* monotonic: nobody agrees any more */
};

struct request {
    struct server *server;
    struct peer *peer; /* stays valid until the request is answered */
    struct arena arena;
    struct str text;
    size_t read_bytes; /* its part of the server's */
    enum endpoint endpoint;
    const struct principal *who; /* a reference, from admission on */
    struct served *served;       /* held from beginning to end */

    const struct stage *stages;
    size_t stage;
    struct task task;
    bool on_worker; /* the request is the worker's: but for `cancel`, the loop keeps off */
    enum stage_result result;
    bool answered;       /* the answer is known; what follows is closing */
    atomic_bool cancel;  /* somebody wants its end */
    struct login *login; /* authenticate: judged meanwhile */
    /* What its session was begun with is judged anew: goes on with this. NULL: it does not wait. */
    enum stage_result (*vouched)(struct request *r);

    struct envelope envelope;
    bool parsing; /* the envelope is not to be looked at yet */
    bool parsed_ok;
    struct wire_error error;
    struct buf answer;                 /* the whole message, if error.code is WIRE_OK */
    size_t payload_start, payload_len; /* of it */
    struct buf extensions;             /* of the answer: text of a JSON object; empty: none */
    struct str replay;                 /* the payload that is sent instead; ptr NULL: none */
    enum wire_code replay_code;
    bool replayed;
    const char *close_why; /* the connection ends with the answer; NULL: it stays */

    int64_t begun_ns, waited_ns, worked_ns; /* monotonic */
    size_t bytes_out;
    struct once once;
    struct intent_notes intent_notes;
    bool evaluated;
    struct invocation *invocation;
    struct invoke_notes invoke_notes;
    char invocation_id[33]; /* "": no chain has begun */
    struct run_header header;
    struct run_journal run_journal;
    struct settlement *settlement;  /* NULL: no run with effects has begun */
    struct parked *parked;          /* chain: the place where it will wait for a person, if it does.
                                       Before: the one that its token answers; afterwards that one's
                                       memory, which the invocation lives in */
    bool adopted;                   /* of `parked`: so */
    const char *lapse_why;          /* it ends what waited in vain, and answers nobody; NULL: no */
    bool unsettled;                 /* the journal has its run, and has not told of its end */
    bool settling;                  /* and that is waited for */
    bool chained;                   /* counted in metrics.invocations */
    int64_t judged_ns;              /* the clock that a worker judges it by; 0: none did */
    struct decision_record *record; /* what a decision log gets; NULL: nothing, or not yet */
    char record_id[48];
    struct buf record_text; /* its line; the memory is kept from request to request */

    struct request *next, *prev; /* in peer.open */
    struct request *spare_next;
};

/* ---- the server ---------------------------------------------------------------------------- */

#define RATE_SETS 256
#define RATE_WAYS 4

/* Windows of rates, by kind and identity. Where more callers than ways fall into one set, the
 * oldest window gives way: its caller begins a new one. */
struct rate_window {
    const struct principal *who; /* a reference; NULL: free */
    int64_t start_ns, count;
};

#define AMISS_MAX    64 /* that are kept: what is mended has to be known */
#define AMISS_LISTED 16 /* in manifests */
struct amiss {
    char what[64], why[200];
};

/* Tokens of another issuer. All of it is the loop's, but for what a task reads and writes. */
#define LOGIN_SETS 256
#define LOGIN_WAYS (LOGINS_REMEMBERED / LOGIN_SETS)

struct remembered { /* a token that was good */
    uint8_t digest[32];
    const struct principal *who; /* a reference; NULL: free */
    int64_t until_ns;            /* real time */
};

struct logins {
    struct login *first; /* under way */
    size_t count;
    struct jwks *keys;      /* a reference; NULL: none yet */
    uint64_t withdrawals;   /* how often one of them went */
    bool failed;            /* the last time keys were fetched */
    int64_t useless_ns;     /* monotonic: they are not believed any more from then on */
    int64_t next_ns;        /* before that they are not fetched again, whoever asks */
    struct fetch *fetching; /* keys */
    bool reading;           /* a task reads what was fetched */
    struct task task;
    struct buf fetched;
    struct jwks *read; /* what came of it; or why not */
    const char *why;
    int64_t max_age_s;
    struct remembered (*known)[LOGIN_WAYS];
    void (*resume)(struct server *s); /* those who waited for keys */
};

#define ONCE_BUCKETS        256
#define ONCE_MOST_FOLLOWERS 256 /* they are walked through on the loop */

/* What a rush of requests has left, and when it is to go back (rest.c). */
struct rest {
    uv_timer_t timer;
    struct task task;
    size_t most;   /* bytes that were in use at once, since it was given back */
    size_t recent; /* and since the timer's last look */
    bool looks;    /* the timer runs */
    bool is_out;   /* the task is */
};

struct server {
    struct server_options options;
    struct logger log;
    struct auth *auth;
    struct served *served;
    struct work *work;
    bool booting, draining;
    uint64_t epoch;
    struct amiss amiss[AMISS_MAX];
    size_t amiss_count;

    struct peer *peers;
    const struct stage *const *lists; /* stages.c */
    struct request *spare;            /* finished requests with warm arenas */
    struct rest rest;
    uint32_t spare_count;
    size_t open_requests;
    size_t open_bytes;                     /* of their texts */
    atomic_size_t read_bytes;              /* of large ones, when they have been read */
    void (*on_quiet)(struct server *s);    /* the last of them is over */
    void (*on_closing)(struct request *r); /* parked.c takes back what it has in hand */
    void (*on_store)(struct server *s, bool answers);
    struct request *leaders[ONCE_BUCKETS]; /* by idempotency key */
    struct parked *parked;                 /* invocations that wait for a person */
    size_t parked_count, parked_bytes;     /* also of those that a request has in hand */
    struct peer nobody;                    /* whose requests end those in vain */
    struct rate_window (*windows)[RATE_WAYS];
    struct logins logins;
    void (*on_keys)(struct server *s,
                    const char *why); /* the issuer's keys cannot be had; or can */
    struct server_metrics metrics;    /* counters; gauges are filled in when asked for */

    void (*drained)(void *context);
    void *drained_context;
    int64_t drain_deadline_ns; /* monotonic; INT64_MAX: never */
    int64_t steady_from_ns;    /* the clock when the monotonic one was 0, as this server found it */
    struct pool_use *retiring;
    bool announce_due;
    uv_timer_t soon; /* delivers what must not be told from inside a call */
    uv_timer_cb on_soon;
    uv_timer_t pause;    /* since an announcement: the next one waits for its end */
    uv_timer_t second;   /* while draining: says what for, and looks at the deadline */
    uv_timer_t keys_due; /* the issuer's keys are to be fetched again */
    uv_timer_t lapse;    /* while somebody waits for a person: who has waited long enough */
    unsigned handles;    /* not closed yet */
};

static inline int64_t mgi_mono_ns(void)
{
    return (int64_t)uv_hrtime();
}

static inline bool mgi_server_refuses(const struct server *s)
{
    return s->booting || s->draining;
}

static inline int64_t mgi_server_clock_ns(const struct server *s)
{
    return s->options.fixed_clock ? s->options.clock_ns : mgi_clock_real_ns();
}

/* The clock as it was at the start, and what has passed since: it does not jump. */
static inline int64_t mgi_server_steady_ns(const struct server *s)
{
    return s->steady_from_ns + mgi_mono_ns();
}

static inline void mgi_server_tick_soon(struct server *s)
{
    if (!uv_is_closing((uv_handle_t *)&s->soon))
        uv_timer_start(&s->soon, s->on_soon, 0, 0);
}

/* served.c */

/* Takes references. `before` is what is served now (or NULL): its pool is shared if it is the same.
 * NULL when memory is short. */
struct served *mgi_served_new(struct server *s, struct snapshot *snapshot, struct toolpool *pool,
                              struct served *before);
struct served *mgi_served_ref(struct served *served);
void mgi_served_unref(struct server *s, struct served *served);
/* Tell who owns pools that nobody uses any more. */
void mgi_served_tell_retired(struct server *s);

/* A number for a caller: equal for equal kind and identity; which others share it, nobody knows who
 * does not know the server's seed. */
uint64_t mgi_owner_of(const struct server *s, const struct principal *who);

/* rate.c: count a request of `who`. False: it is one too many; *retry_ms says when to come again.
 */
bool mgi_rate_count(struct server *s, const struct principal *who, int64_t limit, int64_t window_ms,
                    int64_t now_ns, int64_t *retry_ms);
uint32_t mgi_rate_windows(const struct server *s);
void mgi_rate_free(struct server *s);

/* answer.c */

/* The error of the request; always STAGE_ANSWER. details: JSON object text, copied, or NULL.
 * message: a constant. */
enum stage_result mgi_request_fail(struct request *r, enum wire_code code, const char *details,
                                   const char *message);

/* The same for one that there is no room for. */
enum stage_result mgi_request_refuse(struct request *r);

/* Begin and end r->answer; what is appended in between is the payload. Any thread. */
void mgi_answer_open(struct request *r);
void mgi_answer_close(struct request *r);
/* Send the terminal message of `r`: its error, its answer, or what it replays. */
void mgi_answer_send(struct request *r);
void mgi_answer_progress(struct request *r, const char *status, struct str detail, double percent);
/* A message that answers no request; needs no memory if there is none. */
void mgi_answer_fault(struct peer *p, const struct wire_error *e);

/* decide.c: nothing is done where nobody keeps a decision log */

/* What was asked for, as sent: an intent's name, a macro_id; or "". */
struct str mgi_request_subject(const struct request *r);
/* Worker: begin the record with what was asked. False: there is none; else evaluating an intent
 * goes on with *out, and then says so. */
bool mgi_decide_asked(struct request *r, struct intent_record *out);
void mgi_decide_evaluated(struct request *r);
/* Worker: the gates are passed or not, the chain is concluded or not: what came of it, if that is
 * known now. */
void mgi_decide_invocation(struct request *r, bool concluded);
/* Loop: the request is answered: its record goes to the log. */
void mgi_decide_end(struct request *r, int64_t total_ns);
/* login.c */

/* The result of a token that is none of the file's: found among those remembered (a reference of
 * the caller's, believed until *until_ns), AUTH_UNSURE, or rejected for its looks. */
enum auth_result mgi_login_recall(const struct server *s, struct str token,
                                  const struct principal **who, int64_t *until_ns);
void mgi_logins_begin(struct server *s); /* fetch the issuer's keys, if they are to be fetched */
/* Before the end of the workers, and after it. */
void mgi_logins_stop(struct server *s);
void mgi_logins_free(struct server *s);

/* interrupted.c: on workers */

enum interrupted {
    INTERRUPTED_MAY_RUN, /* surely nothing with effects of it was sent */
    INTERRUPTED_TOLD,    /* r->error says what became of it */
    INTERRUPTED_OTHER,   /* it was another request */
    INTERRUPTED_UNKNOWN
};
/* By what the store kept of its beginning; by its key, as another process had it. */
enum interrupted mgi_interrupted_witness(struct request *r, struct str witness);
enum interrupted mgi_interrupted_key(struct request *r);

/* once.c */

/* Has the request an acceptable key? Then its fingerprint is made. Any thread. */
void mgi_once_read(struct request *r);
/* Loop. NEXT: this one runs. WAIT: another one does. ANSWER: the key stands for something else, or
 * as many as may wait do. */
enum stage_result mgi_once_join(struct request *r);
/* Any thread: the key stands for something else. */
enum stage_result mgi_once_refuse_other(struct request *r);
/* Loop: stop waiting for another one. */
void mgi_once_leave(struct request *r);
/* Worker: ask the store. NEXT: nobody has run it, and it begins; ANSWER: it was, or it was only
 * asked about. */
enum stage_result mgi_once_begin(struct request *r);
/* Worker: keep the answer (made), or forget that it began. */
void mgi_once_end(struct request *r, bool keep);
/* Loop, before a leader ends: if it was cancelled and nothing of it is kept, the first that waits
 * leads the others and is to be resumed when `leader` is closed. NULL: they get its answer. */
struct request *mgi_once_inherit(struct request *leader);
/* Loop, when the answer of a leader is out: take the next follower, which has its answer now; NULL:
 * there is none left. */
struct request *mgi_once_next(struct request *leader);

/* request.c */

/* A request of nobody's that ends what is in its hands (server.nobody). */
bool mgi_request_begin_lapse(struct server *s, struct parked *p, const char *why);
void mgi_request_begin(struct peer *peer, struct str text, enum endpoint endpoint,
                       const struct stage *stages);
/* Loop: what a stage waited for has come. ANSWER and NEXT as returned by stages. */
void mgi_request_resume(struct request *r, enum stage_result result);
/* May end the request at once. lost: because the connection is. */
void mgi_request_cancel(struct request *r, bool lost);
/* spare.c */
void mgi_request_free(struct request *r);
void mgi_requests_drop_spare(struct server *s);

/* rest.c: so many bytes were in use for requests, one that ends included. */
void mgi_rest_note(struct server *s, size_t bytes);
void mgi_rest_end(struct server *s);
bool mgi_request_is_cancelled(void *request);

/* journalled.c */

#define JOURNAL_RETRY_MS 1000

/* Who writes down what this invocation does; NULL: nobody. */
const struct run_journal *mgi_request_journal(struct request *r);
/* Loop: may it have effects, and cannot be written down? ANSWER: so it is refused. */
enum stage_result mgi_journal_gate(struct request *r);

/* call.c */

/* What an invocation of this request is called with. */
struct invoke_call mgi_request_call(struct request *r);
/* As a log may show the client's id. */
struct str mgi_request_shown_id(struct request *r);

/* parked.c: all of it on the loop */

#define PARKED_MOST  256 /* at once */
#define PARKED_SHARE 16  /* of one caller */
#define PARKED_BYTES ((size_t)64 * 1024 * 1024)

/* Does the token answer one that waits? Then this request has it in hand. */
enum stage_result mgi_stage_claim(struct request *r);
/* The chain has stopped to ask: is there a place for it to wait? Then it is this request's. */
bool mgi_parked_take_place(struct request *r);
/* What is in hand becomes the request's own invocation, and the consent of `by` counts. */
void mgi_parked_adopt(struct request *r, struct invocation *by);
/* Nobody will agree any more to what waits: of `why`, a word for details.reason. */
void mgi_parked_lapse_all(struct server *s, const char *why);
/* From now on what a closing request has in hand comes back: it waits (again), or it goes. */
void mgi_parked_init(struct server *s);
/* What is left, when no request is open any more. */
void mgi_parked_free(struct server *s);
/* Stage of a request that ends one of them. */
enum stage_result mgi_stage_lapse(struct request *r);

/* slow_rules.c: `context` is the request. For intent_call.costs. */
void mgi_request_costs(void *context, const struct intent_costs *costs);

/* vouch.c: a session that another issuer's token began is as good as that token is, now */

/* `token` began it, or (empty) something else did. False: memory is short, and nothing changes. */
bool mgi_vouch_keep(struct peer *p, struct str token);
void mgi_vouch_drop(struct peer *p);
/* Go on with `next` (in what it returns), if what the session began with stands; else now or later,
 * when it was judged anew and is good. */
enum stage_result mgi_vouch(struct request *r, enum stage_result (*next)(struct request *r));
/* Stop waiting for that. */
void mgi_vouch_leave(struct request *r);

/* stage_session.c */

bool mgi_parse_is_brief(const struct request *r);
enum stage_result mgi_stage_parse(struct request *r);
enum stage_result mgi_stage_admit(struct request *r);
void mgi_cancel_admit(struct request *r);

/* stage_intent.c */

enum stage_result mgi_stage_evaluate(struct request *r);
/* On a worker: what it keeps from task to task. NULL when memory is short. */
struct intent_worker *mgi_worker_of(const struct request *r);

/* stage_invoke.c */

bool mgi_has_no_key(const struct request *r);
enum stage_result mgi_stage_join(struct request *r);
void mgi_cancel_join(struct request *r);
enum stage_result mgi_stage_check(struct request *r);
enum stage_result mgi_stage_reserve(struct request *r);
void mgi_cancel_invocation(struct request *r);
bool mgi_is_not_consented(const struct request *r);
enum stage_result mgi_stage_spend(struct request *r);
enum stage_result mgi_stage_chain(struct request *r);
enum stage_result mgi_stage_conclude(struct request *r);
bool mgi_has_nothing_to_keep(const struct request *r);
enum stage_result mgi_stage_keep(struct request *r);
bool mgi_is_settled(const struct request *r);
enum stage_result mgi_stage_settle(struct request *r);

/* lifecycle.c */
void mgi_lifecycle_init(struct server *s);

/* stages.c */

extern const struct stage *const mgi_stage_lists[LISTS];

#endif
