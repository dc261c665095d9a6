/* The protocol as a suite of black-box cases (docs/reference/protocol.md part 3 and 6): a server,
 * or a client, is spoken to over one transport and judged by what it says.
 *
 * The server under test serves the domain folder that comes with the suite
 * (mgi_conformance_write_domain). A case stands for one or more numbered requirements; a
 * requirement that no case can show from outside is listed with the reason.
 *
 * Who is judged may be hostile. Nothing waits for ever: every answer has `timeout_ms`, the run
 * `deadline_ms`, and a server that leaves five questions in a row without an answer is asked no
 * more: the cases that are left fail. What it says is bounded (16 MiB a message, 64 MiB a case),
 * and shown to people with everything invisible escaped. No case passes whose server does not serve
 * a good message afterwards, or says more than it was asked. */
#ifndef MGI_CONFORMANCE_CONFORMANCE_H
#define MGI_CONFORMANCE_CONFORMANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"

enum carrier {
    OVER_STDIO = 1,
    OVER_HTTP = 2,
    OVER_WS = 4,
    OVER_SESSIONS = OVER_STDIO | OVER_WS,
    OVER_NETWORK = OVER_HTTP | OVER_WS,
    OVER_ANY = 7
};
const char *mgi_carrier_name(enum carrier c); /* "stdio", "http", "websocket" */

/* All-zero means the defaults. Text is borrowed until the run is over. */
struct conformance_options {
    const char *url;            /* http(s):// or ws(s)://; NULL: `command` */
    const char *const *command; /* of a server that speaks on its standard streams. Its word "{}"
                                 * stands for the domain folder, which the suite writes then, in
                                 * several forms: what other settings show is asked, too */
    int level;                  /* rows up to it; 0: what the manifest states */
    enum carrier client_over;   /* the client's role: how it is spoken with; 0: stdio */
    const char *only;           /* cases whose ids or words contain this */

    /* What the server was told: see docs/conformance.md. NULL: it was not, and what needs it is
     * skipped. */
    const char *token;         /* may everything */
    const char *other_token;   /* the same, of another identity */
    const char *limited_token; /* has the permission intent:fx.echo and nothing else */
    const char *expired_token;
    const char
        *automated_token;    /* of a program by itself; the effect filesystem is waived for it */
    const char *origin;      /* whose web pages the server serves */
    const char *confirm_key; /* base64url: of `token` */
    const char *ca_file;     /* PEM: who vouches for an https or wss server */
    int64_t timeout_ms;      /* of one answer; 0: 20000 */
    int64_t deadline_ms;     /* of the whole run: what was not asked by then fails; 0: 1800000 */

    void (*told)(void *context, const char *ids, const char *what, const char *outcome,
                 const char *detail); /* each case when it is over; NULL: nobody listens */
    void *context;
};

enum outcome { OUTCOME_PASS, OUTCOME_FAIL, OUTCOME_SKIPPED, OUTCOME_UNSEEN };
const char *mgi_outcome_name(enum outcome o); /* "pass", "fail", "skipped", "not observable" */

struct conformance_result { /* of one case */
    const char *ids, *what;
    enum outcome outcome;
    const char *detail; /* what was seen, or why it was skipped; "" */
    int64_t took_ms;
};

enum strength { MUST, MUST_NOT, SHOULD, SHOULD_NOT, MAY };
const char *mgi_strength_name(enum strength s);

struct conformance_id { /* of one requirement */
    const char *id;
    enum strength strength;
    int level;
    enum outcome outcome;
    const char *detail; /* of the case that failed; or why it was not shown */
};

struct conformance_report {
    enum carrier carrier;
    int level, stated_level; /* what the manifest says; 0: nothing */
    bool in_part;            /* --only: nothing follows for a level */
    struct conformance_result *results;
    size_t count, cap;
    struct conformance_id *ids;
    size_t id_count;
    size_t musts_failed;
    struct arena *arena; /* all of it; of who asked */
};

/* Run it. False: the target could not be spoken to at all, or memory is short; `why` says so. */
bool mgi_conformance_run(const struct conformance_options *options, struct arena *arena,
                         struct conformance_report *out, struct buf *why);

/* The client's role. `client` is a command that evaluates the intent scene.start and invokes the
 * tool that it brings, once; its word "{}" stands for the server that it is to speak to. Over stdio
 * that is a command: `self`, in the role of mgi_conformance_scene(); else an address. As above. */
bool mgi_conformance_run_client(const struct conformance_options *options,
                                const char *const *client, const char *self, struct arena *arena,
                                struct conformance_report *out, struct buf *why);

/* Play the server of one scene on standard input and output, and leave in `notes` what the client
 * did. False: there is no such scene, or `notes` cannot be written. */
bool mgi_conformance_scene(const char *scene, const char *notes);

void mgi_conformance_print_json(struct buf *out, const struct conformance_report *r);
void mgi_conformance_print_junit(struct buf *out, const struct conformance_report *r);
void mgi_conformance_print_markdown(struct buf *out, const struct conformance_report *r);

/* The suite's domain folder, below `folder`, which is made. False: `why` says what could not be
 * written, or stands there already and is another file; then nothing is. */
bool mgi_conformance_write_domain(const char *folder, struct buf *why);

#endif
