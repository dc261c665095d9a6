/* Shared inside src/service: the service as it lives.
 *
 *     embed.c       the functions of manglecp.h
 *     service.c     made, run, stopped, freed
 *     life.c        booting, reload, draining, the end
 *     listeners.c   addresses, TLS, stdio
 *     issuer.c      who issues tokens
 *     decisions.c   the decision log
 *     journal.c     the journal of runs
 *     operations.c  /health, /ready, /metrics, /reload, /confirm
 *
 * Each calls those below it; what a lower one has to tell goes through struct service_events.
 * Everything belongs to the thread of the loop, but for the atomics and `wake`. */
#ifndef MGI_SERVICE_SERVICE_INT_H
#define MGI_SERVICE_SERVICE_INT_H

#include <stdatomic.h>
#include <uv.h>

#include "actions/toolpool.h"
#include "decision/log.h"
#include "journal/journal.h"
#include "decision/record.h"
#include "net/fetch.h"
#include "net/net.h"
#include "net/tls_front.h"
#include "security/approvals.h"
#include "server/server.h"
#include "service/load.h"
#include "service/log.h"
#include "service/metrics.h"
#include "service/service.h"
#include "service/systemd.h"
#include "service/watch.h"
#include "transport/http.h"
#include "transport/http_api.h"
#include "transport/http_head.h"
#include "transport/resource.h"
#include "transport/transport.h"
#include "transport/ws.h"

#define RELOAD_WAITERS_MAX 16   /* requests to /reload that wait for an answer */
#define CLOSE_GRACE_MS     2000 /* for the last answers to reach their clients */

enum life {
    LIFE_NEW,      /* clients may connect; nobody runs the loop yet */
    LIFE_BOOTING,  /* the first load is under way */
    LIFE_SERVING,  /* ready or degraded */
    LIFE_DRAINING, /* no new requests; those that run may finish */
    LIFE_CLOSING,  /* transports end */
    LIFE_OVER
};

struct service_listener {
    manglecp_service *service;
    struct service_listener *next;
    struct listener_config config;
    struct listen_address address;
    int port;
    bool serves_protocol, serves_operations;
    struct http_listener *http; /* NULL: not opened, or closed */
    struct http_route operations[5];
    struct tls_front tls;        /* without a context: no TLS */
    struct buf trial;            /* the file of the certificate for trying; empty: none */
    struct http_options options; /* borrowed by the listener: its lists */
};

struct reload_waiter {
    struct http_connection *connection; /* NULL: it went away */
    bool asked; /* before the load that is under way began: its outcome is the answer */
};

/* What listeners and pages tell the life of the service; a constant. */
struct service_events {
    void (*part_closed)(manglecp_service *s); /* a listener or the session is gone */
    void (*session_over)(manglecp_service *s, bool output_lost);
    void (*reload)(manglecp_service *s); /* somebody wants it */
};

struct manglecp_service {
    const struct service_events *events;
    struct arena arena; /* what was said at the start */
    struct service_config config;
    const char *const *environment; /* copied */
    const char *token, *programs, *toolhost;
    const char *snapshot_file; /* where there may be one; NULL: nowhere */
    const char **plugin_paths;
    size_t plugin_path_count;
    bool tells_author;  /* as of struct server_options */
    void (*trim)(void); /* likewise */

    void (*served)(void *context, struct snapshot *snapshot); /* of service_options */
    void *served_context;

    struct log_sink sink;
    struct logger log;
    struct decision_log *decisions; /* NULL: none is kept */
    struct decision_settings decision_settings;
    atomic_bool decisions_changed; /* it fails, or is in order again */
    struct journal *journal;       /* NULL: none is kept */
    struct notifier notifier;
    struct activation activation;

    uv_loop_t loop;
    bool loop_open;
    uv_async_t wake; /* stop or reload was asked for, on any thread */
    bool wake_open;
    atomic_uint stops;
    atomic_bool reload_asked;
    unsigned stops_seen;

    enum life life;
    enum service_fault fault; /* what `run` returns */
    struct buf fault_text;

    struct net *net;
    struct server *server;
    struct snapshot *snapshot; /* what is served; while booting its settings alone */
    struct auth *auth;
    struct issuer issuer;       /* of tokens that are taken, too */
    struct fetch_pool *fetches; /* to it; NULL: there is none */
    const char *challenge;      /* what a 401 asks for; NULL: "Bearer" */
    struct store store;         /* opened by the first load */
    struct toolpool *pool;
    struct farewells *farewells; /* of what external predicates left running */
    struct confirmation_keys keys;
    struct approvals *approvals;
    struct service_listener *approver; /* beside standard input and output; or NULL */
    struct buf approver_path;          /* of its socket */
    uint8_t server_key[32];
    struct signing_keys *signing;
    struct http_api *api;
    struct ws_api *sockets;
    struct service_listener *listeners; /* in the order of the configuration */
    struct stdio_transport *session;
    bool ends_after_boot; /* its only session was over before the first load was */
    size_t open_parts;    /* listeners and sessions that are not closed yet */
    size_t open_pools;    /* that are closing */

    struct load *load;     /* under way, or NULL */
    bool reload_again;     /* asked for while one was under way */
    bool is_loading_still; /* a load that nobody waits for goes on in its thread */
    struct watch *watch;
    struct reload_waiter waiters[RELOAD_WAITERS_MAX];
    uv_timer_t tick; /* signs of life, and whether our parent is alive */
    bool tick_open;
    int64_t parent; /* 0: not watched */

    struct request_counts counts;
    int64_t started_ns, loaded_ns; /* real time */
    uint64_t reloads, reload_failures;
};

/* issuer.c: s->issuer with s->fetches and s->challenge, if the configuration names one. */
enum service_fault mgi_service_make_issuer(manglecp_service *s, struct buf *text);

/* listeners.c */
/* Open what the configuration names. Faults are appended to `text`. */
enum service_fault mgi_service_open_all(manglecp_service *s, struct buf *text);
enum service_fault mgi_service_open(manglecp_service *s, const struct listener_config *config,
                                    struct buf *text);
enum service_fault mgi_service_open_stdio(manglecp_service *s, struct buf *text);
/* Every answer ends its connection from now on. */
void mgi_service_drain_listeners(manglecp_service *s);
/* End all of them; events.part_closed follows for each. */
void mgi_service_close_listeners(manglecp_service *s, int64_t grace_ms);
void mgi_service_free_listeners(manglecp_service *s);
/* The certificates of `load`, for the connections to come. */
void mgi_service_take_tls(manglecp_service *s, const struct load *load);

/* How a person approves what the client on standard input asks for. Without it nothing but that is
 * missing, and the log says so. */
void mgi_service_open_approver(manglecp_service *s);

/* journal.c */
enum service_fault mgi_service_open_journal(manglecp_service *s, struct buf *text);
/* Does the environment ask for the same run id in every run (T-RUN-2)? */
bool mgi_service_has_one_run_id(const manglecp_service *s);
void mgi_service_close_journal(manglecp_service *s);

/* decisions.c */
enum service_fault mgi_service_open_decisions(manglecp_service *s, struct buf *text);
/* `by` has approved or refused a challenge for the tool `macro_id`. What cannot be recorded is
 * lost, and counted. */
void mgi_service_record_consent(manglecp_service *s, const struct principal *by,
                                struct str macro_id, const struct decision_consent *c);
/* Has the log something to tell? Then the manifests say whether it is in order. */
void mgi_service_judge_decisions(manglecp_service *s);
/* Everything is written, or given up; nothing is recorded any more. */
void mgi_service_close_decisions(manglecp_service *s);

/* operations.c */
bool mgi_service_add_operations(struct service_listener *l);
/* /confirm alone, for whoever can connect: the user who runs this process. */
bool mgi_service_add_confirm(struct service_listener *l);
/* A load has ended (or will never): who asked for it is answered. */
void mgi_service_answer_reloads(manglecp_service *s, bool good, struct str text);
void mgi_service_metrics(manglecp_service *s, struct service_metrics *out);

/* life.c */
void mgi_service_boot(manglecp_service *s);
void mgi_service_reload(manglecp_service *s);
void mgi_service_drain(manglecp_service *s, int64_t deadline_ms);
extern const struct service_events mgi_service_events;

#endif
