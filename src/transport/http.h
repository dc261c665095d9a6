/* The HTTP/1.1 transport: routes, and the requests that reach them (P-HTTP-*, D-58).
 *
 *     head ──judged──> body ──> run ──> answer (at once or later), or the stream is taken over
 *
 * A head is judged when it is complete, before a byte of its body is kept, in this order: what is
 * no HTTP; route; method; Host and Origin; the length that is announced; the credential; content
 * type and Accept. A request that is refused has no body read: it is answered, and what it still
 * sends is read over if it is little, else the connection ends with the answer.
 *
 * Every answer to a fault is an envelope (P-HTTP-9). One connection has one request at a time; what
 * a client sends behind it is kept up to a low-water mark, and then left in the kernel. Everything
 * happens on the thread of the loop. */
#ifndef MGI_TRANSPORT_HTTP_H
#define MGI_TRANSPORT_HTTP_H

#include "base/log.h"
#include "base/task.h"
#include "net/http1.h"
#include "net/stream.h"
#include "protocol/error.h"
#include "security/principal.h"

struct http_answer;
struct http_listener;
struct http_connection; /* in a route's `run` and until its answer: one request */

struct http_route { /* all zero but path and run: GET and HEAD, for everybody, without a body */
    const char *path;
    const char *method;       /* "POST", …; NULL: "GET", which serves HEAD as well */
    const char *content_type; /* that a request's body must have, and Accept must allow; or NULL */
    size_t max_body;          /* bytes; 0: none is kept */
    bool needs_credential;
    /* A credential that is shown is judged, but none has to be. */
    bool hears_credential;
    /* `run` is called for a refused credential, too (mgi_http_refusal), if its body is small: so
     * the answer can say which request it belongs to. Else the refusal is answered without it. */
    bool hears_refusals;
    /* Host and Origin are not judged: nothing here is worth protecting from other web pages. */
    bool any_host;
    /* Judges the head in place of what is judged here of Host, Origin, length, Content-Type and
     * Accept. False: *answer (which is all zero before) says what is answered instead. */
    bool (*judge)(void *context, const struct http1_request *r, struct http_answer *answer);
    /* The request is complete. It is answered now, or after mgi_http_wait, or the stream is taken.
     */
    void (*run)(void *context, struct http_connection *c);
};

struct http_options {
    struct net *net;          /* borrowed; outlives the listener */
    const char *host;         /* loopback by default */
    int port;                 /* 0: any */
    int descriptor;           /* a socket that listens already (net/listener.h); 0: none */
    uint32_t max_connections; /* 0 means the default of net/listener.h */

    /* Names that a Host header may have, each "name" or "name:port", beside those of loopback and
     * the address that is listened on. Borrowed, as are the origins. */
    const char *const *hosts;
    size_t host_count;
    /* Web origins that may call, "https://app.example"; others are refused. A page that this server
     * itself sent is not foreign. */
    const char *const *origins;
    size_t origin_count;

    /* Who is it? Called for each request whose route asks for a credential, when its head is
     * complete, and again when the request is, if that took time. NULL: *refusal says why not (what
     * it points to is static), or, with code WIRE_OK, that it takes time: ask `judge`. What is
     * returned is given back by `release` (NULL: it outlives the listener) when the request is
     * over. */
    const struct principal *(*identify)(void *context, const struct http1_request *r,
                                        const struct stream *s, struct wire_error *refusal);
    /* Begin to judge the credential of `r` (borrowed during the call). mgi_http_judged() is called
     * with `c` then, once, from the loop, unless `unjudge` is called before. NULL: it cannot be,
     * and *refusal says so. Both may be NULL, if `identify` never asks for them. */
    void *(*judge)(void *context, const struct http1_request *r, const struct stream *s,
                   struct http_connection *c, struct wire_error *refusal);
    void (*unjudge)(void *context, void *judging);
    void (*release)(void *context, const struct principal *who);
    void *context;
    const char *challenge; /* WWW-Authenticate; NULL: "Bearer". Borrowed */
    /* How a refusal is written, where it is no envelope: the body is appended. NULL: an envelope */
    void (*write_refusal)(void *context, struct buf *out, const struct wire_error *e);
    /* Fields that web pages may send and read beside those of this transport, ", A, B"; or NULL */
    const char *page_sends, *page_reads;
    int64_t (*clock_ns)(void); /* real time, for Date */
    struct task_runner
        tasks; /* compresses large answers; `hand` NULL: those are sent as they are */

    /* Dress a connection in another stream, over the one that was accepted; NULL: none. It owns the
     * one it is given; on NULL it has closed it. */
    struct stream *(*dress)(void *context, struct stream *s);
    void *dress_context;
    const struct logger *log; /* borrowed; may be NULL */
};

/*
 * Listen. *port_out: the port that is listened on. Routes are added by the caller before the loop
 * goes on.
 *
 * NULL: *why says what failed, in a static text or a name of `options` (an address, a name that is
 * no host, an origin that is none).
 */
struct http_listener *mgi_http_listen(const struct http_options *options, int *port_out,
                                      const char **why);

/* Rows and context are borrowed, and outlive the listener. Several rows may have one path. False:
 * no room for more tables. */
bool mgi_http_add(struct http_listener *l, const struct http_route *rows, size_t count,
                  void *context);

/* The server is about to stop: connections stay, every answer from now on ends its connection. What
 * is refused, and what the manifest says, is the server's (P-READY-10). */
void mgi_http_drain(struct http_listener *l);

/*
 * The end. Nothing is accepted, connections are closed as soon as they stand between requests and
 * have taken their answers, requests that run are answered; what is not over `grace_ms` later is
 * closed. `closed` comes from the loop when all is gone, the
 * streams that were taken over included: their owners close them.
 */
void mgi_http_close(struct http_listener *l, int64_t grace_ms, void (*closed)(void *context),
                    void *context);

uint32_t mgi_http_connections(const struct http_listener *l); /* open ones, taken over or not */

/* What `judge` came to: `who`, which is the connection's from now on, or a refusal. */
void mgi_http_judged(struct http_connection *c, const struct principal *who,
                     const struct wire_error *refusal);

/* ---- for routes -------------------------------------------------------------------------- */

/* The head; borrowed until `run` returns. */
const struct http1_request *mgi_http_request(const struct http_connection *c);

/* The body; borrowed until the answer, or until `run` returns. */
struct str mgi_http_body(const struct http_connection *c);

/* Who asks. NULL: the route asks for no credential, or there was none that is good. */
const struct principal *mgi_http_who(const struct http_connection *c);

/* Why the credential was refused; NULL: it was not. Borrowed until `run` returns. */
const struct wire_error *mgi_http_refusal(const struct http_connection *c);

struct http_listener *mgi_http_listener_of(const struct http_connection *c);

/* The answer does not come in `run`. If the client leaves before it, `gone` is called, and nothing
 * may be answered then. It is not called once the request is answered, abandoned or taken over. */
void mgi_http_wait(struct http_connection *c, void (*gone)(void *context), void *context);

struct http_answer {
    int status;
    const char *content_type;  /* NULL: application/json */
    struct str body;           /* borrowed */
    struct str packed;         /* the body as gzip, if the route keeps it ready */
    const char *etag;          /* quoted; answered with 304 if the client has it. Its gzip form has
                                  another one */
    const char *cache_control; /* NULL: no-store */
    int64_t retry_after_ms;    /* 0: none */
    const char *allow;         /* what the path takes, with 405; or NULL */
    struct str fields;         /* whole lines of the head beside those above; may be empty */
    bool is_insufficient;      /* a credential with more permissions would do */
    bool may_pack;             /* compress it, if it is large and the client can read that */
};

/* Answer the request, once. `c` is not the caller's any more. */
void mgi_http_answer(struct http_connection *c, const struct http_answer *a);

/*
 * The answer as a stream: its head now, pieces of its body as they come, and its end. The client
 * sees each piece at once; whoever waits is told by `gone` if it leaves. `a` has no body and is not
 * compressed.
 *
 * False: it cannot be written, because memory is short or the client takes nothing of what waits
 * for it. Nothing more is written then but mgi_http_abandon(), which ends the connection.
 */
#define HTTP_STREAM_QUEUE ((size_t)4 * 1024 * 1024)
bool mgi_http_stream_begin(struct http_connection *c, const struct http_answer *a);
bool mgi_http_stream_write(struct http_connection *c, struct str bytes);
bool mgi_http_stream_end(struct http_connection *c); /* `c` is not the caller's any more */

/* An error envelope with id null. `details` is a JSON object, or NULL. */
void mgi_http_error(struct http_connection *c, enum wire_code code, const char *details,
                    const char *message);

/* End the connection without an answer: none can be made. */
void mgi_http_abandon(struct http_connection *c);

/*
 * Take the stream over, instead of an answer. `fields` are the lines of the head of the response
 * behind its first ("Upgrade: …\r\nConnection: Upgrade\r\n", borrowed): that one is written here.
 * Called within `run`, for a request without a body.
 *
 *   rest  gets what the client has sent behind its head; the caller's (mgi_buf_fini)
 *
 * The stream is the caller's and paused: mgi_stream_own it in the same call, then resume. NULL when
 * memory is short or the client has ended its side already: the connection is closed, and nothing
 * may be answered.
 */
struct stream *mgi_http_take_over(struct http_connection *c, struct str fields, struct buf *rest);

#endif
