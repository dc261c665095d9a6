/* What cases are written with. A case is a row of a table: the requirements it stands for, what
 * must be true in words, the transports that can show it, and a function that plays it with a
 * probe.
 *
 * A probe plays one case at a time. It speaks to the server, holds every message that comes back
 * against docs/schemas, and keeps the first thing that is wrong: a case that has failed goes on
 * harmlessly, with nothing (NULL, "") for what it asks for.
 *
 * Messages are written with single quotes for JSON's double ones, a backquote for a single one, and
 * $ID for the id of a request, which is new each time. */
#ifndef MGI_CONFORMANCE_CONFORMANCE_INT_H
#define MGI_CONFORMANCE_CONFORMANCE_INT_H

#include "base/json.h"
#include "conformance/conformance.h"
#include "conformance/wire.h"
#include "protocol/judge.h"

enum need { /* of the options; without it a case is skipped, and says so */
            NEEDS_NOTHING = 0,
            NEEDS_AUTH = 1, /* the server wants credentials */
            NEEDS_OTHER = 2,
            NEEDS_LIMITED = 4,
            NEEDS_EXPIRED = 8,
            NEEDS_KEY = 16,
            NEEDS_TLS = 32,
            NEEDS_VARIANTS = 64, /* the command has a word for the folder: variants.h */
            NEEDS_AUTOMATED = 128,
            NEEDS_ORIGIN = 256
};

struct probe;

struct test_case {
    const char *ids, *what; /* ids: separated by blanks */
    unsigned over, needs;
    void (*play)(struct probe *p);
};

struct input_row { /* a message that is answered so; see cases_input.c */
    const char *ids, *what;
    unsigned over;
    const char *text;
    const char *code;   /* NULL: an intent_response */
    bool echo;          /* the id is echoed; else it is null */
    const char *reason; /* details.reason, or alternatives separated by '|'; NULL: any */
    const char *issue;  /* of the first violation; NULL: any */
};

struct choice_row { /* an intent that brings just these tools; see cases_choice.c */
    const char *ids, *what;
    const char *intent, *facts, *more;
    const char *tools; /* "a,b": their names in order; NULL: none is looked at */
    const char *code;  /* of the error instead */
};

extern const struct test_case mgi_cases_envelope[], mgi_cases_manifest[], mgi_cases_http[],
    mgi_cases_websocket[], mgi_cases_stdio[], mgi_cases_session[], mgi_cases_facts[],
    mgi_cases_time[], mgi_cases_evaluation[], mgi_cases_contracts[], mgi_cases_context[],
    mgi_cases_budget[], mgi_cases_invocation[], mgi_cases_outcome[], mgi_cases_consent[],
    mgi_cases_auth[], mgi_cases_secrecy[], mgi_cases_proof[], mgi_cases_variants[],
    mgi_cases_whole[];
extern const struct input_row mgi_input_rows[], mgi_input_fact_rows[];
extern const struct choice_row mgi_choice_rows[];

#define VERSION_TEXT "2026-02-draft"
#define REQUEST(type, payload)                                                                     \
    "{'type':'" type "','id':'$ID','manglecp':'" VERSION_TEXT "','payload':" payload "}"
#define BASIC       "{'pred':'fx_basic','args':['tag',1,true,'x']}"
#define ECHO_INTENT "{'intent':{'name':'fx.echo'},'facts':[" BASIC "]}"
#define GOOD        REQUEST("intent_request", ECHO_INTENT)
#define NOON        "2026-07-04T12:00:00Z"

#define SILENCES   5                          /* so many, and nothing more is asked */
#define CASE_BYTES ((size_t)64 * 1024 * 1024) /* a case that is told more fails */

struct probe {
    const struct conformance_options *options;
    struct conformance_report *report;
    const char *const *command; /* that of the options, with the folder for the word {} */
    enum carrier carrier;
    struct judge *judge;
    struct curl_late api;
    struct address manifest_url, intent_url, invoke_url, websocket_url;
    struct arena life;    /* of the run */
    struct arena memory;  /* of one case */
    struct json manifest; /* its payload, in `life` */
    struct wire *wire;    /* shared by cases that do not break it; NULL: none is open */
    const char *token;    /* of requests; NULL: none */
    struct buf text, failure;
    const char *skipped; /* why; NULL: it is not */
    bool failed;
    unsigned silences; /* waits in a row that no answer ended: see SILENCES */
    bool apart;   /* another policy holds: what is said now is no secret of the suite's domain */
    size_t taken; /* bytes of messages in this case: see CASE_BYTES */
    int64_t until_ns; /* when the run has to be over, by mgi_clock_mono_ns() */
    uint64_t next_id;
    char id[48];             /* of the last request */
    struct http_reply reply; /* HTTP: of the last request */
    struct misfit_count {    /* per type of message, of the whole run */
        const char *type;
        size_t seen, misfits;
        char first[400];
    } kinds[8];
    size_t strangers; /* messages of no type that a server sends */
    struct buf
        everything; /* what the server said, cut at a few MiB: secrets are looked for in it */
};

/* ---- asking ---------------------------------------------------------------------------------- */

/* Send `text` (as above; or with `len` raw bytes) and hear what answers it: the terminal message,
 * with its id, or with null if it is an error. NULL: none came, and the case has failed. Over HTTP:
 * to the endpoint its type is for. */
const struct json *mgi_probe_ask(struct probe *p, const char *text);
/* `facts`: what stands between the brackets; `more`: ",'options':{…}" and so on; both may be "". */
const struct json *mgi_probe_intent(struct probe *p, const char *name, const char *facts,
                                    const char *more);
const struct json *mgi_probe_invoke(struct probe *p, struct str macro_id, const char *args,
                                    const char *more); /* more: ",'eval_time':…", or "" */
/* The tool that an intent brings in full, or NULL. */
const struct json *mgi_probe_tool(struct probe *p, const char *intent, const char *facts,
                                  const char *tool);

/* Sessions: on the wire that cases share, or one of their own. */
struct wire *mgi_probe_wire(struct probe *p);
struct wire *mgi_probe_fresh(struct probe *p, const char *token); /* past its manifest */
struct wire *mgi_probe_start(struct probe *p, const char *const *command,
                             const char *token); /* the same of another command */
void mgi_probe_drop(struct probe *p);            /* the shared one is spoilt */
bool mgi_probe_say(struct probe *p, struct wire *w, const char *text);
/* The next message, parsed and judged; NULL: none, or nothing (then *end says which). */
const struct json *mgi_probe_hear(struct probe *p, struct wire *w, int64_t wait_ms,
                                  enum heard *end);
/* The next one that is neither a manifest nor progress. */
const struct json *mgi_probe_answer(struct probe *p, struct wire *w);
bool mgi_probe_login(struct probe *p, struct wire *w, const char *token);

/* HTTP: one exchange; the body is parsed and judged if it is a message. */
const struct json *mgi_probe_exchange(struct probe *p, const struct http_call *call);
const struct json *mgi_probe_post(struct probe *p, const char *url, const char *text,
                                  const char *header);

/* The connection that cases share has nothing more to tell: who answers twice is found here. */
void mgi_probe_quiet(struct probe *p);

char *mgi_probe_expand(struct probe *p, const char *text, size_t *len);
/* Parse and judge what came; the case fails where it is no message of a server. */
const struct json *mgi_probe_take(struct probe *p, struct str text);

/* Find out what the target is and read its manifest. False: `why` says what is wrong. */
bool mgi_target_find(struct probe *p, struct buf *why);

/* ---- results ----------------------------------------------------------------------------- */

/* Cut the next id off a list of them; empty at its end. */
struct str mgi_next_id(const char **ids);

/* Note what came of a case; `ids` and `what` live as long as the report. False: memory. */
bool mgi_report_keep(struct conformance_report *r, const struct conformance_options *o,
                     const char *ids, const char *what, enum outcome outcome, const char *detail,
                     int64_t took_ms);

/* Judge the requirements by the cases that were noted. False: memory. */
bool mgi_report_conclude(struct conformance_report *r);

/* ---- judging --------------------------------------------------------------------------------- */

void mgi_probe_fail(struct probe *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool mgi_probe_expect(struct probe *p, bool good, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void mgi_probe_skip(struct probe *p, const char *why);
/* It is an error with that code. */
bool mgi_probe_refused(struct probe *p, const struct json *answer, const char *code);
bool mgi_probe_is(struct probe *p, const struct json *answer, const char *type);

/* ---- looking --------------------------------------------------------------------------------- */

const struct json *mgi_at(const struct json *v, const char *pointer); /* NULL: not there */
struct str mgi_text_at(const struct json *v, const char *pointer);    /* empty: no string */
int64_t mgi_int_at(const struct json *v, const char *pointer);        /* -1: no integer */
bool mgi_is_at(const struct json *v, const char *pointer, const char *text);
/* The tool of that name in an intent_response. */
const struct json *mgi_tool_in(const struct json *answer, const char *name);
/* "a,b,c": the names of its tools, in order. */
const char *mgi_tool_names(struct probe *p, const struct json *answer);
/* The payload as canonical JSON without what may differ from time to time: eval_duration_ms. */
const char *mgi_gist(struct probe *p, const struct json *answer);
/* `count` facts or the like: `format` has one %d, from 0 on; separated by commas. */
const char *mgi_repeat(struct probe *p, const char *format, int count);
bool mgi_has_violation(const struct json *answer, const char *issue);

#endif
