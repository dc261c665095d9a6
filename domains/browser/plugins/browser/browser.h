/* The browser plugin: what its files share.
 *
 * The plugin answers questions about a capture, a folder in which a browser's network traffic and
 * console were recorded (domains/browser/captures/README.md). Every call reads the capture anew, so
 * nothing survives a call and nothing is shared between two: a job owns an arena, the capture is in
 * that arena, and the answer is copied by the host.
 *
 * Strings are borrowed from the files' bytes or live in the job's arena. Times are nanoseconds
 * since 1970 UTC, as in the rest of the project; facts carry milliseconds, because the domain's
 * predicates are declared so. */
#ifndef BROWSER_PLUGIN_H
#define BROWSER_PLUGIN_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"
#include "base/time.h"
#include "base/utf8.h"
#include "page.h"
#include "toolhost.h"

/* Larger files are refused before a byte is read: a plugin process has a gigabyte in all, and a HAR
 * takes several times its size once it is parsed. */
#define CAPTURE_MAX_FILE_BYTES (64u * 1024 * 1024)

enum level { LEVEL_ERROR, LEVEL_WARNING, LEVEL_INFO, LEVEL_LOG, LEVEL_DEBUG, LEVEL_COUNT };

/* A line of a stack: where a function was. */
struct frame {
    struct str function; /* empty for an anonymous one */
    struct str url;
    int64_t line, column; /* from 1; 0 unknown */
};

/* A line of console.jsonl. */
struct message {
    int64_t at_ns;
    enum level level;
    struct str text, source, url;
    int64_t line, column;
    const struct frame *frames; /* innermost first */
    size_t frame_count;
    size_t error_number; /* from 1 among the errors, in order of time; 0 if this is none */

    /* What a trace knows besides; a console.jsonl has one line for each time. */
    size_t message_number; /* from 1 among the others */
    size_t caught_number;  /* from 1 among the exceptions that code caught; 0: none of these */
    int64_t last_ns;       /* the last of those with this text and stack; 0 as at_ns */
    int64_t count;         /* of those; 0 as 1 */
    int64_t per_second;    /* at its densest */
    struct str name;       /* TypeError; empty: not known */
    struct str kind;       /* exception, rejection, console, network ...; empty: not known */
    struct str request_id; /* DevTools' id of the request that it is about */
    uint64_t key;          /* the same for the same text and stack */
    size_t visit;          /* how often the page had been gone to */
    int64_t exception_id;  /* DevTools' */
};

/* What kind of thing was asked for, as far as one can tell. */
enum resource { RES_DATA, RES_SCRIPT, RES_ASSET, RES_DOCUMENT, RES_OTHER };

/* What is wrong with an answer, worst first. */
enum fault {
    FAULT_NONE,
    FAULT_STATUS,     /* 400 and above */
    FAULT_LOST,       /* no answer: blocked, aborted, unreachable */
    FAULT_EMPTY,      /* success, but no data where data was asked for */
    FAULT_NOT_JSON,   /* success, but a page of HTML where data was asked for */
    FAULT_ERROR_BODY, /* success, but the body speaks of an error */
    FAULT_COUNT
};

/* An entry of the HAR, or a failed request that only the console tells of (`entry` is NULL then).
 */
struct request {
    size_t number; /* from 1, in order of time; 0 if only the console tells of it */
    struct str method, url, status_text, mime, error;
    int64_t status; /* 0: there was no answer */
    int64_t start_ns;
    int64_t answer_ns; /* the head of the answer was there */
    int64_t end_ns;    /* its body too */
    enum resource resource;
    enum fault fault;
    const struct frame *frames; /* who asked for it, innermost first */
    size_t frame_count;
    const struct json *entry;

    /* What a trace knows besides. */
    struct str id;    /* DevTools' */
    struct str kind;  /* document, data, script ... as evidence says; empty: not known */
    struct str asked; /* parser, script, preload, redirect, preflight, user, other */
    struct str from;  /* network, disk_cache, memory_cache, service_worker, prefetch */
    struct str blocked, cors, cors_header;
    struct str loader; /* the document that asked for it */
    struct str frame_id;
    bool frame_gone; /* its frame was taken out of the document */
    bool open;       /* it had not ended when this was written */
    bool cancelled, gesture, body_cut;
    bool earlier; /* of a document that is gone */
    int64_t sent_bytes, received_bytes;
    const struct hop *hops;
    size_t hop_count;
    LIST(struct cookie_event) cookies;
};

struct capture {
    const char *dir;
    struct str session; /* the first page's id: the session_id of the facts */
    struct str title, url, creator, browser;
    struct request *requests; /* in order of start */
    size_t request_count;
    struct request *reported; /* failed requests that the HAR does not have */
    size_t reported_count;
    struct message *messages; /* in order of time */
    size_t message_count;
    size_t error_count;
    struct page_more more; /* what only a trace tells */
};

/* One call. */
struct job {
    const th_host *host;
    th_call *call;
    struct arena *arena;
    const struct json *input;
    struct capture capture;
    struct json_writer out; /* inside the object that is the answer */
    struct buf delta;       /* content of the state delta artifact; empty: none */
    struct buf evidence;    /* content of the evidence artifact; empty: none */
    struct buf *error;      /* why it did not work */
    bool no_memory;         /* that is why, or why a part of it did not */
};

/* An atomic action. `run` writes members of the answer, or says with mgi_job_fail() why not. */
struct browser_action {
    const char *aid, *name, *description;
    const char *tag;
    const char *side_effect;
    const char *input; /* the properties beside `capture`, JSON members, may be "" */
    bool (*run)(struct job *job);
};

struct browser_actions {
    const struct browser_action *actions;
    size_t count;
};

/* Properties that many actions have. */
#define INPUT_LIMIT "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":200,\"default\":25}"
#define INPUT_ERROR_ID                                                                             \
    "\"error_id\":{\"type\":\"string\",\"description\":\"console-error-N; without it the last "    \
    "error that code threw\"}"

extern const struct browser_actions mgi_capture_actions, mgi_console_actions, mgi_network_actions,
    mgi_impact_actions, mgi_page_actions, mgi_plan_actions, mgi_gather_actions, mgi_act_actions,
    mgi_act_page_actions, mgi_act_read_actions, mgi_act_state_actions, mgi_act_run_actions,
    mgi_act_table_actions, mgi_act_form_actions;

/* ---- job.c: arguments and answers --------------------------------------------------------------
 */

/* Always false, so that an action may return it. The first failure wins. */
bool mgi_job_fail(struct job *job, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same, for want of memory: also sets `no_memory`, for what goes on without a part. */
bool mgi_job_no_memory(struct job *job);

/* An argument; absent and null give the default. False: it has the wrong type, and the job failed.
 */
bool mgi_job_has(const struct job *job, const char *name); /* it is there, and not null */
bool mgi_job_string(struct job *job, const char *name, struct str *value);
bool mgi_job_integer(struct job *job, const char *name, int64_t least, int64_t most,
                     int64_t *value);
bool mgi_job_boolean(struct job *job, const char *name, bool *value);

/* How many items a list may show: the argument `limit`. */
bool mgi_job_limit(struct job *job, int64_t *limit);

/* A member that is a string; "" if it is none or missing. */
struct str mgi_member_string(const struct json *object, const char *name);

/* Values under such a name let their reader act as somebody else, and are never shown. */
bool mgi_is_secret(struct str name);

/* Likewise of a pair of a query or form, as it stands there, percent-encoded: `all` is the whole of
 * it, which tells whether a "code" is one of OAuth. */
bool mgi_is_secret_pair(struct str name, struct str value, struct str all);

/* The address without its credentials: itself, or a copy in `arena`. */
struct str mgi_mask_kept_url(struct arena *arena, struct str url);
struct str mgi_mask_kept_text(struct arena *arena, struct str text);
struct str mgi_mask_kept_body(struct arena *arena, struct str body);
struct str mgi_mask_kept_header(struct arena *arena, struct str name, struct str value);

/* Text from the capture, cut so that no answer grows without bound. */
void mgi_put_text(struct job *job, const char *name, struct str text);
/* Times are shown to the millisecond, which is what recorders and facts know. */
int64_t mgi_whole_ms(int64_t ns);
const char *mgi_time_text(struct job *job, int64_t ns);
void mgi_put_time(struct job *job, const char *name, int64_t ns);
void mgi_put_ms(struct job *job, const char *name, int64_t ns); /* a length, to a tenth of a ms */
void mgi_put_error_id(struct job *job, const char *name, const struct message *error);
void mgi_put_request_id(struct job *job, const char *name, const struct request *request);
void mgi_put_frames(struct job *job, const char *name, const struct frame *frames, size_t count);
void mgi_put_message(struct job *job, const struct message *message); /* an object */
void mgi_put_request(struct job *job, const struct request *request); /* an object */
const char *mgi_level_name(enum level level);
const char *mgi_resource_name(enum resource resource);
const char *mgi_fault_name(enum fault fault);

/* ---- delta.c: facts of a state delta -----------------------------------------------------------
 */

/* A fact of an element of `assert`, up to its arguments, which follow, and its end: it is of the
 * session, from a scan. `at` is when it was, as RFC 3339 has it; NULL: it has no time. */
void mgi_delta_begin(struct json_writer *w, const char *pred);
void mgi_delta_end(struct json_writer *w, const char *at);
/* An element of `retract`: all facts of `pred` with so many arguments; if `first` is not empty,
 * only those that begin with it. */
void mgi_delta_retract(struct json_writer *w, const char *pred, struct str first, size_t arity);

/* ---- capture.c, har.c, console.c: reading
 * -------------------------------------------------------- */

/* Everything wrong with a capture, one problem after the other. */
struct problems {
    struct buf *text;
    size_t count;
};
void mgi_problem(struct problems *problems, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Fill job->capture from the argument `capture`. All problems found are in the job's error. */
bool mgi_capture_load(struct job *job);

/* A file of the capture. False with a problem noted; *missing (may be NULL) tells that it is not
 * there, which is no problem then. */
bool mgi_capture_file(struct job *job, struct problems *problems, const char *name,
                      struct str *text, bool *missing);

/* An optional JSON file of the capture; fails the job when it is missing or no object. */
bool mgi_capture_json(struct job *job, const char *name, struct json *out);

bool mgi_har_read(struct job *job, struct problems *problems, struct str text);
/* One entry of log.entries. False: with a problem noted. */
bool mgi_har_entry(struct job *job, struct problems *problems, size_t index,
                   const struct json *entry, struct request *r);
/* Escapes of half characters, which no JSON reader takes, become U+FFFD. */
void mgi_mend_surrogates(char *text, size_t len);
bool mgi_console_read(struct job *job, struct problems *problems, struct str text);

/* "at f (url:1:2)", "f@url:1:2", "url:1:2". False: it says nothing that we can use. */
bool mgi_frame_parse(struct str line, struct frame *out);

/* The error that `id` means: "console-error-N", "error-<ms>", or its exact text. NULL: none. */
const struct message *mgi_error_find(const struct capture *capture, struct str id);

/* As above, from the argument `error_id`; without one the last error. Fails the job if there is
 * none. */
const struct message *mgi_job_error(struct job *job);

/* ---- url.c
 * ---------------------------------------------------------------------------------------- */

struct str mgi_url_path(struct str url);   /* without query and fragment; "/" if there is none */
struct str mgi_url_origin(struct str url); /* "http://host:port"; empty if there is none */
struct str mgi_url_query(struct str url);  /* behind its question mark, as it is written */
struct str mgi_url_file(struct str url);   /* the last segment of the path */
struct str mgi_url_shown(const struct capture *capture,
                         struct str url);             /* the path if it is ours */
bool mgi_has_word(struct str text, struct str word);  /* whole, any case of ASCII */
bool mgi_contains(struct str text, const char *part); /* any case of ASCII */

/* A word that two texts share ("users" and "UserList" share "user"), or an empty string. Words that
 * say nothing, such as "api" or "index", do not count. */
struct str mgi_shared_word(struct str a, struct str b);

/* Frames kept of one error's stack. */
#define STACK_FRAMES_MOST 32

/* ---- impact.c
 * ------------------------------------------------------------------------------------- */

/* The browser's own report of a failed request. */
bool mgi_is_report(const struct message *error);

/* The component whose code threw: "UserList", else the script's name; empty if unknown. *is_script
 * tells which. */
struct str mgi_error_component(const struct message *error, bool *is_script);

#endif
