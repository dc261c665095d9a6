/* The server: who is connected, what runs, what it serves, and how it begins, changes and ends.
 *
 *     new ─> booting ──serve──> ready <──degrade──> degraded ──drain──> draining ─> drained ─> free
 *              └───────────────────drain───────────────────────────────────^
 *
 * One thread, that of the loop, calls every function of this header and gets every callback but the
 * logger's. Work is done by threads of the server's own (server/work.h): a request is a list of
 * stages, each with its place (server/request.c), and none that takes time is on the loop.
 *
 * What it serves may be exchanged at any time: a request keeps the snapshot, the tool pool and the
 * principal that it began with until it is answered. */
#ifndef MGI_SERVER_SERVER_H
#define MGI_SERVER_SERVER_H

#include <uv.h>

#include "base/fetch.h"
#include "base/log.h"
#include "base/task.h"
#include "decision/log.h"
#include "domain/domain.h"
#include "invoke/invoke.h"
#include "journal/journal.h"
#include "manifest/manifest.h"
#include "security/auth.h"
#include "security/jwt.h"
#include "server/metrics.h"

struct server;

/* One request that has been answered (or, of a cancel, taken note of). Borrowed during the call. */
struct access_record {
    const char *transport;    /* "stdio", "http", … */
    const char *type;         /* message type; "" if the message could not be read */
    struct str id;            /* as sent: text from outside; ptr NULL: none */
    struct str subject;       /* intent name or macro_id as sent: text from outside; may be empty */
    struct str invocation_id; /* 32 hex digits; empty if no chain was begun (T-MCP-22) */
    struct str traceparent;   /* W3C, checked; empty if there was none */
    const struct principal *who; /* NULL: nobody yet */
    struct str caller;           /* who that is, as a log may show it; empty: nobody */
    enum wire_code code;         /* WIRE_OK: no error */
    bool replayed;               /* answered by its idempotency key, without running */
    int64_t at_ns;               /* real time of the answer (or the fixed clock) */
    int64_t total_ns;            /* from the request's last byte to the answer */
    int64_t waited_ns;           /* of it, waiting for a worker */
    int64_t worked_ns;           /* of it, on a worker */
    size_t bytes_in, bytes_out;
};

/* Where every intent and invocation is recorded (decision/record.h). */
struct decision_settings {
    struct decision_log *log; /* borrowed: outlives the server */
    bool digest_facts;        /* of facts, their digest alone */
    struct str key;           /* of what masking hashes; borrowed */
};

struct server_options {
    uv_loop_t *loop;

    /* What is served from the beginning; both as in mgi_server_serve(). */
    struct snapshot *snapshot;
    struct toolpool *pool;
    /* The snapshot holds no more than settings (and the pool may be NULL): manifests say `booting`,
     * intents and invocations are answered `server_not_ready`, until mgi_server_serve(). */
    bool booting;

    const struct store *store;   /* borrowed: outlives the server. Used on workers */
    struct auth *auth;           /* the server takes its own reference; NULL: no tokens */
    const struct issuer *issuer; /* of tokens that are taken, too; borrowed; NULL: none */
    struct jwks *issuer_keys;    /* the server takes its own reference; NULL: fetched, or none */
    struct fetcher fetcher;      /* asks the issuer */
    const struct confirmation_keys *keys; /* borrowed; its callback is called on workers */
    const struct signing_keys *signing;   /* borrowed; of facts that it says; NULL: unsigned */
    const struct logger *log;             /* copied; called on any thread */
    void (*access)(void *context, const struct access_record *record); /* or NULL */
    void *access_context;
    const struct decision_settings *decisions; /* borrowed; NULL: nothing is recorded */
    struct journal
        *journal; /* of what runs; borrowed: outlives the requests; NULL: there is none */
    bool deterministic_run_id; /* MACHINA_DETERMINISTIC_RUN_ID (T-RUN-2) */
    uint64_t seed; /* random: nobody can foresee whose numbers (owners, windows) are the same */

    /* Rules that take an intent longer than this are named in the log; 0: nobody looks. */
    int64_t slow_rule_ns;
    /* What each intent took; called on workers. NULL: nobody asks. */
    void (*costs)(void *context, const struct intent_costs *costs);
    void *costs_context;

    /* On some thread, when a rush is over: what is free may go back to the system. NULL: nobody
     * does that, the heap is somebody else's. */
    void (*trim)(void);

    uint32_t workers;      /* threads for quick work; 0 means 2 */
    uint32_t slow_workers; /* threads beside them for work that turned out to be slow; 0: as many */
    uint32_t max_waiting;  /* requests that may wait for a worker; 0 means 1024. Beyond it they are
                              answered `rate_limited` */
    uint32_t max_open_requests; /* per peer; 0 means 64 */
    /* What all large requests together may hold when they have been read: their values need up to
     * twenty times the room of their text, and fifty times while they are read. Beyond it they are
     * answered `rate_limited`. One more may be read than there is room for. 0 means 512 MiB. */
    size_t max_read_bytes;
    /* Who asks has the domain's folder before them: why a tool is absent is told in full. */
    bool tells_author;
    bool fixed_clock; /* --clock */
    int64_t clock_ns;

    /* Shown in manifests that are read over HTTP; NULL: left out. Borrowed. */
    const char *intent_eval, *macro_invoke; /* endpoint URIs */
    const char *websocket;                  /* extensions["x-websocket"] */
};

/*
 * A server with its workers running: what can fail for want of memory or threads fails here, not at
 * the first request. NULL: short of memory, or no thread could be started.
 */
struct server *mgi_server_new(const struct server_options *options);

/*
 * Serve this from now on (boot's end, reload). Requests that have begun go on with what they have.
 *
 *   snapshot  the server takes its own reference
 *   pool      for its actions. Borrowed until `retired`; may be the one in use, which is then not
 *             retired
 *   retired   called on the loop, never from inside this call, when the last request that used the
 *             pool *before* this one has ended: its owner may close it. Called once for each pool
 *             that is replaced, also during mgi_server_free(). May be NULL
 *
 * Status: booting becomes ready (or degraded, if something is amiss); sessions get the new
 * manifest. False when memory is short: nothing has changed.  [P-READY-4, P-MAN-30]
 */
bool mgi_server_serve(struct server *s, struct snapshot *snapshot, struct toolpool *pool,
                      void (*retired)(void *context, struct toolpool *pool), void *context);

/*
 * Judge credentials by `auth` from now on; the server takes its own reference. Peers that logged in
 * with a token that it still lists get what it says of them now, from their next request on; those
 * whose token is gone are answered `auth_invalid` until they log in again.
 */
void mgi_server_set_auth(struct server *s, struct auth *auth);

/*
 * Something is amiss, or mended: `degraded` while at least one thing is, and the manifest's
 * extensions["x-degraded"] lists all of them. The server itself reports "store" and
 * "host:<plugin>".
 *
 *   what  names it: copied, at most 63 bytes
 *   why   one line for clients (no secrets, no paths): copied, at most 199 bytes; NULL: mended
 *
 * Manifests list at most 16 things, the last of which stands for all further ones ("more"); at most
 * 64 are counted, and what is beyond them is only in the log.  [P-READY-6, P-READY-7]
 */
void mgi_server_amiss(struct server *s, const char *what, const char *why);

/* Manifests changed for a reason that the server does not see (an endpoint opened): push them. */
void mgi_server_announce(struct server *s);

/*
 * No new intents and invocations (`server_not_ready`); those that run may finish.
 *
 *   deadline_ms  then what still runs is cancelled; its answers follow within seconds. 0: at once;
 *                negative: never
 *   drained      called once on the loop, never from inside this call, when nothing is open any
 * more
 *
 * The log says once a second what is waited for. Sessions get the `draining` manifest. Called again
 * it brings the deadline nearer, never farther, and a `drained` that is given replaces the one that
 * was not called yet.
 * [P-READY-9, P-READY-10]
 */
void mgi_server_drain(struct server *s, int64_t deadline_ms, void (*drained)(void *context),
                      void *context);

/* After `drained`, when no peer is left. Waits for the workers (which have nothing to do); what
 * remains is freed when the loop has closed the server's handles. NULL is fine. */
void mgi_server_free(struct server *s);

enum server_status mgi_server_status(const struct server *s);
int64_t mgi_server_now_ns(const struct server *s); /* the real or the fixed clock */

/* Its threads, for other computation on somebody's behalf, such as compressing an answer. What is
 * handed over must be back before mgi_server_free(). */
struct task_runner mgi_server_tasks(struct server *s);

/* Another number whenever a manifest would read differently: for entity tags. */
uint64_t mgi_server_epoch(const struct server *s);

/* Largest message that is taken: of what is served, or the default while booting. */
size_t mgi_server_max_message_bytes(const struct server *s);

/* The manifest message (envelope included) as this transport shows it, appended to out. */
void mgi_server_manifest(const struct server *s, bool session, bool auth_required, struct buf *out);

/* Judge tokens of the issuer by these keys from now on; the server takes its own reference. */
void mgi_server_set_issuer_keys(struct server *s, struct jwks *keys);

/* Judge a bearer token by the credentials of today. AUTH_GOOD: *who is a reference of the caller's.
 * AUTH_UNSURE: mgi_server_judge() will know. The one place where expiry is judged is
 * mgi_principal_expired(), here and at each request. */
enum auth_result mgi_server_identify(const struct server *s, struct str token,
                                     const struct principal **who);

/*
 * Judge a token that mgi_server_identify() is not sure of, on a worker and, where that is needed,
 * by asking the issuer.
 *
 *   token  copied
 *   place  where it comes from (copied, at most LOGIN_PLACE_BYTES - 1); "": that is not counted
 *   told   called once, on the loop, never from inside, within the issuer's timeout and the time
 *          that workers take; `who` is a reference of the callee's, or NULL
 *
 * NULL: LOGINS_MOST are judged already, or LOGINS_PLACE from there, or memory is short:
 * AUTH_UNREACHABLE. What was good is remembered, up to LOGINS_REMEMBERED, until it expires or the
 * issuer withdraws a key.
 */
struct login;
#define LOGINS_MOST       256
#define LOGINS_PLACE      (LOGINS_MOST / 4)
#define LOGIN_PLACE_BYTES 24
#define LOGINS_REMEMBERED 1024
struct login *mgi_server_judge(struct server *s, struct str token, const char *place,
                               void (*told)(void *context, enum auth_result result,
                                            const struct principal *who),
                               void *context);
/* `told` will not be called. */
void mgi_login_forget(struct login *l);

/* Are API keys among its schemes? Where they are not, their header says nothing (P-AUTH-5). */
bool mgi_server_takes_keys(const struct server *s);
/* The same for what came as an API key. */
enum auth_result mgi_server_identify_key(const struct server *s, struct str key,
                                         const struct principal **who);

/* Why a credential is refused: the error that every transport answers with. Constants. */
struct wire_error mgi_server_refusal(enum auth_result result);

/* The same for a client's certificate that TLS has judged good, by its fingerprint (hexadecimal).
 */
enum auth_result mgi_server_identify_certificate(const struct server *s, struct str fingerprint,
                                                 const struct principal **who);

void mgi_server_metrics(const struct server *s, struct server_metrics *out);

#endif
