/*
 * manglecp.h - a client of MangleCP servers, in C.
 *
 * One client object speaks to one server and plays the client's role of the protocol in full: it
 * reads the manifest first, obeys the server's status, sends only facts that the intent wants and
 * that the manifest takes, checks arguments against the tool's schema, asks the user before
 * anything is sent that needs consent, evaluates again when a tool is gone, and never sends an
 * invocation twice.
 *
 *     manglecp_connect("http://127.0.0.1:8765", NULL, &client, why, sizeof why);
 *     manglecp_facts_put(facts, "complaint", (struct manglecp_value[]){ manglecp_text("slow") }, 1,
 *                        NULL);
 *     manglecp_evaluate(client, &(struct manglecp_intent){ .name = "why_slow" }, facts, &tools);
 *     manglecp_invoke(client, &(struct manglecp_invocation){ .tools = tools, .tool = "measure" },
 *                     &result);
 *     manglecp_learn(client, facts, result, NULL);
 *
 * What holds everywhere: text is UTF-8 and ends with a NUL; JSON goes in and comes out as text;
 * times are nanoseconds since 1970-01-01 UTC, waits are milliseconds. Calls block, each for a
 * bounded time. Objects belong to one thread at a time; different objects may be used by different
 * threads. What a function returns as `const` is borrowed from the object it was asked of, and
 * lives as long as that, or until the next call where so said. Constructors set *out to NULL on
 * every error. `_free(NULL)` is fine. The ids in brackets are those of docs/reference/protocol.md.
 */
#ifndef MANGLECP_H
#define MANGLECP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MANGLECP_VERSION          "0.1.0"
#define MANGLECP_PROTOCOL_VERSION "2026-02-draft"

/* How a call ended. manglecp_message() has the sentence that belongs to it. */
enum manglecp_status {
    MANGLECP_OK,
    MANGLECP_ERR_NOMEM,
    MANGLECP_ERR_USAGE,       /* the call makes no sense, whatever the server is */
    MANGLECP_ERR_TRANSPORT,   /* could not connect, spawn, write or read; not a MangleCP server */
    MANGLECP_ERR_TIMEOUT,     /* no answer in time, and nothing can have been done */
    MANGLECP_ERR_PROTOCOL,    /* the server broke the protocol */
    MANGLECP_ERR_ANSWER,      /* the server answered with an error: manglecp_error() */
    MANGLECP_ERR_INVALID,     /* nothing was sent: manglecp_problem() says what is wrong */
    MANGLECP_ERR_NOT_READY,   /* nothing was sent: the server is booting or draining */
    MANGLECP_ERR_CREDENTIALS, /* nothing was taken up: the server wants credentials, and there are
                               * none, the login has ended, or its file cannot be used */
    MANGLECP_ERR_CONSENT,     /* nothing was run: the user said no, or nobody could be asked. But
                               * if a tool asks while it runs, what it has done before is done */
    MANGLECP_ERR_GONE,        /* evaluated again: the tool is not offered any more, or as another */
    MANGLECP_ERR_INDETERMINATE /* it was sent, and whether it ran is not known: manglecp_key() */
};

/* ---- values ------------------------------------------------------------------------------- */

enum manglecp_kind {
    MANGLECP_NULL,
    MANGLECP_TEXT,
    MANGLECP_INT,
    MANGLECP_FLOAT,
    MANGLECP_BOOL,
    MANGLECP_JSON, /* `text` is JSON */
    MANGLECP_WORD  /* `text` is what a person typed: the schema decides what it is, where there is
                    * one; without, it is JSON if it reads as JSON, else text. What stands in double
                    * quotes is text in any case. */
};

/* A value on its way to the server. Text is borrowed during the call that it is given to. */
struct manglecp_value {
    enum manglecp_kind kind;
    union {
        const char *text;
        int64_t integer;
        double number;
        bool boolean;
    };
};

struct manglecp_member {
    const char *name;
    struct manglecp_value value;
};

static inline struct manglecp_value manglecp_text(const char *text)
{
    struct manglecp_value v;
    v.kind = MANGLECP_TEXT;
    v.text = text;
    return v;
}

static inline struct manglecp_value manglecp_int(int64_t integer)
{
    struct manglecp_value v;
    v.kind = MANGLECP_INT;
    v.integer = integer;
    return v;
}

static inline struct manglecp_value manglecp_float(double number)
{
    struct manglecp_value v;
    v.kind = MANGLECP_FLOAT;
    v.number = number;
    return v;
}

static inline struct manglecp_value manglecp_bool(bool boolean)
{
    struct manglecp_value v;
    v.kind = MANGLECP_BOOL;
    v.boolean = boolean;
    return v;
}

static inline struct manglecp_value manglecp_json(const char *json)
{
    struct manglecp_value v;
    v.kind = MANGLECP_JSON;
    v.text = json;
    return v;
}

static inline struct manglecp_value manglecp_word(const char *word)
{
    struct manglecp_value v;
    v.kind = MANGLECP_WORD;
    v.text = word;
    return v;
}

/* ---- what the client knows: working facts [P-DELTA-*, D-48, D-49] ---------------------------- */

/* A set of facts, in the order in which they came. Two facts are one if predicate, arguments and
 * annotation are equal as on the wire: 1 is not 1.0, an instant is the same in any time zone. What
 * a server says of a fact's category is not kept, because whoever sends a fact on sends it as a
 * session fact [P-PROV-10]. What has a signature of its server takes the place of an equal fact,
 * and is replaced by a newer signature alone, so that it counts when it comes back. Adding, looking
 * up and retracting take constant time per fact. */
typedef struct manglecp_facts manglecp_facts;

manglecp_facts *manglecp_facts_new(void); /* NULL when memory is short */
void manglecp_facts_free(manglecp_facts *facts);
size_t manglecp_facts_count(const manglecp_facts *facts);

/* When a fact holds: both ends included. */
struct manglecp_window {
    int64_t start_ns, end_ns; /* MANGLECP_OPEN: no bound on that side */
};
#define MANGLECP_OPEN INT64_MIN

/* Add pred(args...). `window` NULL: it holds always. MANGLECP_OK also if it was there already;
 * MANGLECP_ERR_INVALID: no predicate's name, or JSON that is none. */
enum manglecp_status manglecp_facts_put(manglecp_facts *facts, const char *pred,
                                        const struct manglecp_value *args, size_t count,
                                        const struct manglecp_window *window);

/* Add one fact object or an array of them: all or none. MANGLECP_ERR_INVALID: not facts. */
enum manglecp_status manglecp_facts_add(manglecp_facts *facts, const char *json);

/* Where a text goes wrong, both from 1; columns count bytes. */
struct manglecp_fault {
    size_t line, column;
    char message[160];
};

/* Add what `len` bytes of a file hold: an array of facts, one fact, or one fact a line. All or
 * none. MANGLECP_ERR_INVALID: *fault (may be NULL) says where and why. */
enum manglecp_status manglecp_facts_read(manglecp_facts *facts, const char *text, size_t len,
                                         struct manglecp_fault *fault);

/* Apply a state delta, an object with `retract` and `assert`: all retractions, then all assertions
 * [P-DELTA-4 to -6]; all of it or nothing. Counts may be NULL. Also as an array, which asserts. */
enum manglecp_status manglecp_facts_apply(manglecp_facts *facts, const char *delta,
                                          size_t *retracted, size_t *asserted);

/* The facts as a JSON array, the caller's (manglecp_free); NULL when memory is short. With
 * `predicates` (NULL-terminated) only those. */
char *manglecp_facts_json(const manglecp_facts *facts, const char *const *predicates);
void manglecp_free(void *p);

/* ---- a client ----------------------------------------------------------------------------- */

typedef struct manglecp_client manglecp_client;

/* What the user is shown before consent [P-CONF-3]. Borrowed during the call. */
struct manglecp_consent {
    const char *tool, *description;
    const char *args; /* JSON object */
    /* JSON array of {"name", "value"}: parameters that the server's rules filled in, beside `args`.
     * No "value": the caller may not see it. Only the server tells of them; "[]" before. */
    const char *bound;
    const char *const *side_effects;
    size_t side_effect_count;
    bool reversible;
    bool told_by_server; /* the server asked, in its own words; else they are those of the tool */
    bool differs;        /* its words are others than those of the tool that was chosen */
    /* The tool runs already, and asks before one of its actions: what it asks, the action, and what
     * it would be given (JSON object). NULL: it is asked about the tool as a whole. */
    const char *question, *action, *inputs;
};

/* All-zero means the defaults. Text is copied. */
struct manglecp_options {
    const char *token; /* bearer token, or NULL. Goes to the origin of the given address alone */
    const char *credentials; /* the file of `manglecp login`: without a token, that of the login for
                              * the given address, renewed when its time is over or the server
                              * refuses it (once a request), by its issuer; or NULL */
    const char *confirm_key; /* base64url: signs what the user consented to; or NULL */
    bool insecure; /* send the token unencrypted to other machines, too; else that is refused */
    bool
        websocket; /* of an http(s) address: speak over the WebSocket that its manifest announces */
    /* Files in PEM, read when a connection is made. */
    const char *ca_file; /* who may vouch for an https or wss server, instead of the system's list;
                          * a certificate that vouches for itself is believed if it is here */
    const char *certificate; /* who the client is, with a token or instead; goes where that goes */
    const char *certificate_key; /* its key. NULL: in the file of the certificate */

    /* Bounds of every wait; 0 means the default in brackets. */
    int64_t connect_timeout_ms;  /* a connection (5000) */
    int64_t manifest_timeout_ms; /* from the start to the manifest (10000) */
    int64_t timeout_ms;          /* one answer (60000) */
    int64_t ready_timeout_ms;    /* a booting server, and what a server asks to be waited (30000);
                                  * negative: no waiting at all */

    /* The time, for `eval_time` and for expiry. NULL: the system's clock. */
    int64_t (*clock_ns)(void *context);

    /* Progress of an invocation (session transports) [P-PROG-*]. percent < 0: unknown. */
    void (*progress)(void *context, const char *status, const char *detail, double percent);

    /* Ask the user. True: go on. NULL: nobody can be asked, and such tools are not run. */
    bool (*consent)(void *context, const struct manglecp_consent *what);

    /* The user consented, and there is no confirm_key: is `challenge` approved out of band, so that
     * the server takes it as it is? NULL: it is not. */
    bool (*approve)(void *context, const char *challenge);

    /* Polled at least once a second while an invocation is waited for. True: abandon it. On a
     * session the server is asked to cancel; over HTTP the connection is dropped. */
    bool (*abandon)(void *context);

    /* Lines that a spawned server writes to its standard error, without their newline and as they
     * are: escape them for a terminal. NULL: it inherits the caller's. */
    void (*child_line)(void *context, const char *line, size_t len);

    void *context; /* of all callbacks; they must not call into the client */
};

/*
 * Connect to an http:// or https:// address (of a host, or of its manifest) or a ws:// or wss://
 * one, or spawn `argv` (NULL-terminated, found through PATH) and speak over its standard streams.
 * The manifest is read before these return, and nothing is sent before it [P-DISC-1, P-WS-2].
 *
 * `options` may be NULL, and is not needed afterwards; what its callbacks and `context` point to
 * has to live as long as the client. `out` is the caller's: manglecp_close().
 *
 * On error `message` (may be NULL; `cap` bytes, cut to fit) says why. MANGLECP_ERR_USAGE: no such
 * address, no command, a confirm_key that is none; MANGLECP_ERR_TRANSPORT, _TIMEOUT, _PROTOCOL,
 * _CREDENTIALS (of options.credentials alone), _NOMEM.
 */
enum manglecp_status manglecp_connect(const char *url, const struct manglecp_options *options,
                                      manglecp_client **out, char *message, size_t cap);
enum manglecp_status manglecp_spawn(const char *const *argv, const struct manglecp_options *options,
                                    manglecp_client **out, char *message, size_t cap);
/* Free the client; NULL is fine. A WebSocket is said goodbye to, for a second at most. A child gets
 * the end of its input, two seconds later SIGTERM, and after two more SIGKILL. */
void manglecp_close(manglecp_client *client);

enum manglecp_state { MANGLECP_BOOTING, MANGLECP_READY, MANGLECP_DEGRADED, MANGLECP_DRAINING };

/* The newest manifest [P-MAN-31]: its envelope, until the next call; and the status it states. */
const char *manglecp_manifest(const manglecp_client *client, size_t *len);
enum manglecp_state manglecp_server_state(const manglecp_client *client);

/* Read the manifest again (HTTP), or take in what the server has sent unasked, without waiting
 * (sessions; one that is lost is made anew where it can be). MANGLECP_ERR_TRANSPORT, _TIMEOUT,
 * _PROTOCOL, _NOMEM; the manifest is that of before then. */
enum manglecp_status manglecp_refresh(manglecp_client *client);

/* ---- why the last call failed: all borrowed until the next call ----------------------------- */

const char *manglecp_message(const manglecp_client *client); /* one sentence; "" after success */

/* The server's error, after MANGLECP_ERR_ANSWER, or MANGLECP_ERR_INDETERMINATE if it came with one;
 * else all empty. */
struct manglecp_error {
    const char *code, *message;
    const char *details; /* JSON object; "{}" */
    bool recoverable;
    int64_t retry_after_ms; /* -1: not said */
    const char *json;       /* the whole envelope, or "" */
};
const struct manglecp_error *manglecp_error(const manglecp_client *client);

/* What is wrong with a request that was not sent: all of it, not the first. */
struct manglecp_problem {
    const char *where;   /* JSON pointer into the payload: /facts/2, /args/zoom */
    const char *what;    /* the word for it: of a violation (2.18), or JSON Schema's keyword */
    const char *message; /* for people */
};
size_t manglecp_problem_count(const manglecp_client *client);
const struct manglecp_problem *manglecp_problem(const manglecp_client *client, size_t i);

/* ---- the middle doll: an intent, and the tools that it needs now ------------------------------
 */

enum manglecp_level {
    MANGLECP_LEVEL_ADAPTIVE,
    MANGLECP_MINIMAL,
    MANGLECP_CONDENSED,
    MANGLECP_FULL
};

struct manglecp_intent {
    const char *name;
    const struct manglecp_member *params;
    size_t param_count;
    const char *params_json; /* a JSON object instead of `params`; or NULL */

    const char *more_facts; /* JSON array: facts for this request alone; or NULL */
    bool know_all;          /* a working fact of a predicate that the server does not declare is a
                             * mistake; else it is left out, as what the intent does not want is */

    const int64_t *eval_time_ns; /* NULL: the client's clock [P-TIME-12] */
    bool server_time;            /* leave the evaluation time to the server */

    /* Constraints; NULL: not said. */
    const int64_t *max_tools, *max_tokens;
    const int64_t *max_facts_created, *max_intervals_per_atom, *max_compute_ms;

    enum manglecp_level level; /* the level of disclosure that is preferred */
    bool proofs;               /* ask for them */

    /* Ask why these tools (at most 4, NULL-terminated) are not offered, and what would bring them:
     * manglecp_tools_why_not(). NULL: nobody asks. Takes the permission why_not. */
    const char *const *why_not;
};

typedef struct manglecp_tools manglecp_tools; /* an answer to an intent */

/*
 * Ask for the tools of an intent.
 *
 *   facts  the working facts, or NULL: those that the manifest lists for the intent are sent
 *          [P-MIN-1, P-MIN-2]; where it lists none for any, all that it declares
 *   out    the caller's: manglecp_tools_free()
 *
 * MANGLECP_ERR_INVALID: unlisted intent, required facts missing, faulty or too many facts, a
 * constraint out of range, a message over the limit [P-SCHEMA-9, P-MAN-26, P-EVAL-9]. Everything
 * else as the statuses say. Lost connections are made anew, and answers that ask for it are waited
 * for [P-ERR-13 to -15].
 */
enum manglecp_status manglecp_evaluate(manglecp_client *client,
                                       const struct manglecp_intent *intent,
                                       const manglecp_facts *facts, manglecp_tools **out);
void manglecp_tools_free(manglecp_tools *tools);

struct manglecp_resource {
    const char *uri, *relevance; /* a bare path in `uri` is one of a file [P-CTX-3] */
    double priority;
};

struct manglecp_tool {
    const char *macro_id, *name;
    enum manglecp_level level;
    const char *description;                  /* "" at the level minimal */
    const char *input_schema, *output_schema; /* JSON; NULL where it is not shown */
    const char *instructions;                 /* "" if there are none */
    const struct manglecp_resource *resources;
    size_t resource_count;

    /* Known at the level full alone. */
    bool requires_confirmation, reversible, idempotent;
    const char *const *side_effects;
    size_t side_effect_count;
    int64_t not_before_ns, expires_at_ns; /* INT64_MIN, INT64_MAX: no bound */

    const char *json; /* the whole object */
};

size_t manglecp_tools_count(const manglecp_tools *tools);
const struct manglecp_tool *manglecp_tools_get(const manglecp_tools *tools, size_t i);
/* By name or macro_id; NULL: not offered. */
const struct manglecp_tool *manglecp_tools_find(const manglecp_tools *tools, const char *name);
const char *manglecp_tools_json(const manglecp_tools *tools, size_t *len); /* the envelope */
/* Of an intent with why_not: a JSON array (docs/client.md). NULL: nobody asked, or the server does
 * not know of it. */
const char *manglecp_tools_why_not(const manglecp_tools *tools);
int64_t manglecp_tools_eval_time_ns(const manglecp_tools *tools);
const char *manglecp_tools_facts(const manglecp_tools *tools); /* that were sent: JSON array */

/* Predicates of working facts that were not sent, because the intent does not want them. */
size_t manglecp_tools_left_out_count(const manglecp_tools *tools);
const char *manglecp_tools_left_out(const manglecp_tools *tools, size_t i);

/* The path of the file that a resource's uri means (a bare path, file:PATH, file:///PATH), into
 * `path` of `cap` bytes. False: it is no file of this machine, or does not fit. */
bool manglecp_resource_path(const char *uri, char *path, size_t cap);

/* ---- the inner doll: one tool is run -----------------------------------------------------------
 */

struct manglecp_invocation {
    const manglecp_tools *tools; /* of which `tool` is one; NULL: nothing is known of it */
    const char *tool;            /* its name or macro_id; the macro_id without `tools` */
    const struct manglecp_member *args;
    size_t arg_count;
    const char *args_json; /* a JSON object instead of `args`; or NULL */

    /* What is known by now, for evaluating again; NULL: what was sent with the intent. */
    const manglecp_facts *facts;

    const int64_t *eval_time_ns; /* for rules during the run; NULL: the server's clock */

    /* The challenge of an earlier answer confirmation_required (its details), which a person has
     * approved out of band since then: it is sent along, and nobody is asked again. NULL: none. */
    const char *approved;

    /* The idempotency key, 1 to 128 of A-Z a-z 0-9 . _ : -; NULL: a random one. */
    const char *key;
    /* Ask for the outcome of what was sent before with this key: the same tool and arguments, and
     * no evaluation, consent or check before it. Nothing is ever run: MANGLECP_ERR_USAGE, and
     * nothing is sent, if the manifest does not say that the server knows of such questions;
     * MANGLECP_ERR_ANSWER (details.reason "key_unknown") if it knows of no outcome. */
    bool resume;

    /* Tell what it would do, and do nothing: manglecp_result_plan(). Nobody is asked for consent,
     * and no key is used. MANGLECP_ERR_USAGE, and nothing is sent, if the manifest does not say
     * that the server knows of this. */
    bool dry_run;
};

typedef struct manglecp_result manglecp_result;

/*
 * Run a tool. Before anything is sent: a tool that is over or shown in part is evaluated again
 * [P-TOOL-18, P-DISC-LVL-9], arguments are checked against its schema [P-INV-11], and the user is
 * asked if it requires that [P-TOOL-15, P-CONF-3].
 *
 * The request leaves once. It is sent again in these cases only, each after the server said that it
 * did not run: it asked to wait; it had forgotten the tool, which a second evaluation (one at most)
 * offers with the same meaning [P-CACHE-6]; it asked for confirmation.
 *
 *   out  the caller's: manglecp_result_free()
 *
 * MANGLECP_ERR_INDETERMINATE: the answer was lost after the request had left whole, or the server
 * itself does not know. manglecp_key() is what to ask with (`resume`).
 */
enum manglecp_status manglecp_invoke(manglecp_client *client,
                                     const struct manglecp_invocation *invocation,
                                     manglecp_result **out);
void manglecp_result_free(manglecp_result *result);

/* Of the last manglecp_invoke(), until the next call: its key; the macro_id and arguments that were
 * sent or would have been. "" before any. */
const char *manglecp_key(const manglecp_client *client);
const char *manglecp_macro_id(const manglecp_client *client);
const char *manglecp_args(const manglecp_client *client);

const char *manglecp_result_json(const manglecp_result *result, size_t *len); /* the envelope */
const char *manglecp_result_value(const manglecp_result *result);             /* JSON object */
const char *manglecp_result_delta(const manglecp_result *result);             /* JSON; "{}" */
const char *manglecp_result_summary(const manglecp_result *result);           /* "" */
/* Of a dry run: JSON object (docs/client.md). NULL: it was none. */
const char *manglecp_result_plan(const manglecp_result *result);
/* False: a rule that tells the effects failed. The delta holds, but is not whole. */
bool manglecp_result_effects_complete(const manglecp_result *result);
/* True: the outcome of an earlier request with the same key. */
bool manglecp_result_replayed(const manglecp_result *result);
size_t manglecp_result_warning_count(const manglecp_result *result);
const char *manglecp_result_warning(const manglecp_result *result, size_t i);

struct manglecp_suggestion {
    const char *name, *description;
    const char *params; /* JSON object */
};
size_t manglecp_result_suggestion_count(const manglecp_result *result);
const struct manglecp_suggestion *manglecp_result_suggestion(const manglecp_result *result,
                                                             size_t i);
/* Facts to send with a suggested intent, and with that alone: JSON array; "[]" [P-NEXT-5]. */
const char *manglecp_result_continuation(const manglecp_result *result);

/* Fill in name, params and facts of *intent from suggestion `i`; borrowed from `result`. */
void manglecp_follow(const manglecp_result *result, size_t i, struct manglecp_intent *intent);

/* Apply the delta of `result` to `facts`, with the argument names that the manifest declares.
 * Counts as manglecp_facts_apply(); may be NULL. */
struct manglecp_learned {
    size_t retracted, asserted;
};
enum manglecp_status manglecp_learn(manglecp_client *client, manglecp_facts *facts,
                                    const manglecp_result *result,
                                    struct manglecp_learned *learned);

/* ---- what a model sees (docs/what-a-model-sees.md) ---------------------------------------------
 *
 * The wire is for programs. A model reads text, and each token of it is paid: so what is shown to
 * one is short, and what it was shown before and is unchanged is named, not repeated. Facts, state
 * deltas, macro ids and proofs stay with the program.
 *
 * Texts are made of what a server sent, which is data: control and invisible characters are spelled
 * out, names that are none are quoted, and a text that has lines of its own is shown as one line,
 * or as a block behind four blanks: no line at the margin is a server's. Equal input after an equal
 * history gives equal bytes. Nothing here does I/O, reads a clock, or blocks. */

/* The tokens of `len` bytes as an estimate for o200k: the pieces are split as that tokenizer does,
 * the tokens of each piece are estimated from tables. docs/what-a-model-sees.md has the measured
 * error. Needs no memory; any thread; time as `len`. */
size_t manglecp_tokens(const char *text, size_t len);

/* What one model was shown in one conversation, and the texts of the skills that came with it.
 * Bounded: 4,096 things shown, 1 MiB of skill texts. Beyond, it forgets the eldest, which are shown
 * again then. NULL when memory is short. */
typedef struct manglecp_shown manglecp_shown;
manglecp_shown *manglecp_shown_new(void);
void manglecp_shown_free(manglecp_shown *shown);
/* The model does not remember any more (its context was cut or summed up): all is shown again. The
 * texts of skills stay. */
void manglecp_shown_forget(manglecp_shown *shown);

/* How to show. All-zero is fine, and so is NULL; text is borrowed during the call. */
struct manglecp_show {
    size_t max_tokens; /* of this text, as manglecp_tokens() counts; 0 means 2000, SIZE_MAX: no
                        * bound. At least 100 are used. What does not fit is told at the end. */
    bool again;        /* show all, whatever was shown before */
    const char *about; /* the intent or the tool that was asked for; NULL: not said */
    int64_t now_ns;    /* the time, to say what expires soon; 0: nothing is said of it */
    /* How the model asks for what was cut, and for the text of a skill, as words behind "to see
     * more: " and "to read one: ". NULL: nothing is said. */
    const char *to_see_more, *to_read_skill;
    bool leave_suggestions_out; /* of a result, for who cannot declare an intent */
};

/*
 * What a model is to be shown, as text that ends with a newline.
 *
 *   shown     what it was shown before; it takes up what this text shows, and nothing when the call
 *             fails. NULL: nothing is remembered
 *   json      `len` bytes: the envelope as the server sent it
 *   out       the caller's (manglecp_free); NULL on every error. out_len may be NULL
 *
 * MANGLECP_ERR_INVALID: no JSON, or not such a message. MANGLECP_ERR_NOMEM.
 *
 * manifest: what the server is, and its intents, each with the facts that it wants
 *           (manglecp_manifest()).
 * tools:    an answer to an intent (manglecp_tools_json()). Tools in full with a signature,
 *           descriptions, instructions, and skills by name; the others with a line each. Safety is
 *           told where it matters: consent, what cannot be undone, what is not to be repeated.
 * result:   an answer to an invocation (manglecp_result_json()): the result, how many facts
 *           changed, warnings, and the suggested intents. Also of a dry run.
 * why:      of an answer to an intent that asked for proofs or why_not: why `tool` is offered, or
 *           why not and what would bring it. `tool` NULL: all of them.
 * facts:    the working facts (manglecp_facts_json()) in groups by predicate; `predicate` not NULL:
 *           those alone, each.
 * error:    what a server answered instead (manglecp_error()->json).
 */
enum manglecp_status manglecp_show_manifest(manglecp_shown *shown, const char *json, size_t len,
                                            const struct manglecp_show *how, char **out,
                                            size_t *out_len);
enum manglecp_status manglecp_show_tools(manglecp_shown *shown, const char *json, size_t len,
                                         const struct manglecp_show *how, char **out,
                                         size_t *out_len);
enum manglecp_status manglecp_show_result(manglecp_shown *shown, const char *json, size_t len,
                                          const struct manglecp_show *how, char **out,
                                          size_t *out_len);
enum manglecp_status manglecp_show_why(const char *json, size_t len, const char *tool,
                                       const struct manglecp_show *how, char **out,
                                       size_t *out_len);
enum manglecp_status manglecp_show_facts(const char *json, size_t len, const char *predicate,
                                         const struct manglecp_show *how, char **out,
                                         size_t *out_len);
enum manglecp_status manglecp_show_error(const char *json, size_t len,
                                         const struct manglecp_show *how, char **out,
                                         size_t *out_len);

/* Why the last call failed, whoever found it out: its sentence, all its problems, and the server's
 * error if there is one. Statuses as above. */
enum manglecp_status manglecp_show_failure(const manglecp_client *client,
                                           const struct manglecp_show *how, char **out,
                                           size_t *out_len);

/* Take in the texts of the skills of an answer to an intent (manglecp_tools_json()) that is not
 * shown: one that was asked for again without max_tokens, because the first had summaries.
 * MANGLECP_ERR_INVALID, MANGLECP_ERR_NOMEM: nothing was taken in. */
enum manglecp_status manglecp_shown_skills(manglecp_shown *shown, const char *json, size_t len);

/* The text of a skill that came with an answer which manglecp_show_tools() has shown, or that
 * manglecp_shown_skills() has taken in, as a block.
 * MANGLECP_ERR_GONE: no such skill is known, or it was forgotten. MANGLECP_ERR_INVALID: the server
 * sent only a summary of it, because the request had a budget (max_tokens): ask without one. */
enum manglecp_status manglecp_show_skill(manglecp_shown *shown, const char *name,
                                         const struct manglecp_show *how, char **out,
                                         size_t *out_len);

/* ---- messages as they are -------------------------------------------------------------------- */

/*
 * Send one request with a payload of the caller's making: `type` is "intent_request",
 * "invoke_request" or "authenticate". The server's status, waiting, credentials and the rule that
 * an invocation leaves once hold here, too; nothing else is checked. An invocation gets a random
 * key. *json (may be NULL) is the envelope of the answer, also after MANGLECP_ERR_ANSWER; until the
 * next call.
 */
enum manglecp_status manglecp_request(manglecp_client *client, const char *type,
                                      const char *payload, const char **json);

/* ---- a server inside your program (docs/serving.md) ------------------------------------------ */

/*
 * A whole server: a domain folder, any number of listeners, perhaps stdio. It belongs to the thread
 * that calls manglecp_service_run(); its own threads load and evaluate. Several may live in one
 * program. It keeps no global state, installs no signal handler and ends no process; it blocks
 * SIGPIPE in the thread that runs it.
 */
typedef struct manglecp_service manglecp_service;

struct manglecp_service_options { /* all borrowed during manglecp_service_new(); zero is fine */
    const char *config;           /* what `manglecp serve --config` reads: YAML text, or NULL */
    const char *config_name;      /* what messages call it; its folder is what its paths count from.
                                     NULL: "config", and the working folder */
    const char *domain;           /* the domain folder; wins over the configuration's */
    const char *token;            /* a bearer token that may do everything, or NULL */
    /* "NAME=value", NULL-terminated, or NULL: MANGLECP_SERVE_…, and what a service manager says
     * (NOTIFY_SOCKET, WATCHDOG_USEC, LISTEN_FDS, …). Pass `environ` to be started by one. */
    const char *const *environment;
    const char *programs; /* folder that holds the program toolhost; NULL: PATH knows it */
    /* One log line, without a line end, on any thread; it must not call the service. NULL: lines
     * go to standard error. */
    void (*log)(void *context, const char *line, size_t len);
    void *context;
};

/*
 * Read the configuration and the domain's settings, and open what the configuration listens on:
 * from here on clients can connect, and wait. MANGLECP_ERR_USAGE: something in there is wrong, and
 * MANGLECP_ERR_TRANSPORT: an address or a file could not be opened; `message` (may be NULL, of
 * `cap` bytes) has a line per fault, with its place. *out is NULL then.
 */
enum manglecp_status manglecp_service_new(const struct manglecp_service_options *options,
                                          manglecp_service **out, char *message, size_t cap);

/* Listen on one more address before it runs: "127.0.0.1:0", "[::1]:8765", ":8765". *port (may be
 * NULL) is the one that it got. What is not loopback needs TLS, and so the configuration. */
enum manglecp_status manglecp_service_listen(manglecp_service *service, const char *address,
                                             int *port, char *message, size_t cap);

/*
 * Load the domain and serve, until it is stopped or its only session, on stdio, has ended. Clients
 * that ask while it loads get a manifest that says `booting`. Runs once.
 *
 * MANGLECP_ERR_USAGE: the domain does not load; `message` says what `manglecp check` would.
 * MANGLECP_ERR_TRANSPORT: it served, but output was lost.
 */
enum manglecp_status manglecp_service_run(manglecp_service *service, char *message, size_t cap);

/* Load domain, credentials and certificates again, beside what is served; requests that run keep
 * what they began with. What does not load changes nothing: the log says why. Any thread, and from
 * a signal handler. */
void manglecp_service_reload(manglecp_service *service);

/* Take no new requests, finish those that run (for as long as the configuration's `drain` says),
 * and end. Called again: end at once. Any thread, and from a signal handler. */
void manglecp_service_stop(manglecp_service *service);

/* After run, or instead of it. NULL is fine. */
void manglecp_service_free(manglecp_service *service);

/* ---- tools of a toolhost, without a server ---------------------------------------------------
 *
 * docs/reference/toolhost.md, chapter 9: a process of `toolhost --run` for each call. Any thread; a
 * call blocks for timeout_ms and half a second at most. The process has the caller's environment,
 * and leaves nothing running. */

struct manglecp_toolhost {      /* all borrowed during the call */
    const char *program;        /* path, or a name to look up in PATH; NULL: "toolhost" */
    const char *const *plugins; /* paths, ends with NULL. Of several, the first that offers the tool
                                 * is taken, for which each is asked; a single one is not asked */
    int64_t timeout_ms;         /* 0: 30000 */
    const char *folder;         /* working directory of the process; NULL: this one's */
};

/*
 * Run the tool `aid` with `inputs`, the text of a JSON object. Returns the tool's output, JSON
 * text, and sets *failed to false; or sets it to true and returns a structured error:
 *
 *     {"error":true,"aid":"...","type":"timeout","detail":"toolhost timed out (30s)"}
 *
 * `type` is timeout, crash, parse_error, not_found, exception or tool_error; the last one has a
 * `status`, too, and `code` if the answer had one. The text is the caller's (manglecp_free); NULL
 * when memory is short.  [T-DISP-1 to T-DISP-5, T-DISP-8 to T-DISP-13]
 */
char *manglecp_run_toolhost(const struct manglecp_toolhost *host, const char *aid,
                            const char *inputs, bool *failed);

/* Send a request object (its member `aid` names the tool) as it stands. Returns the answer object
 * of the host, unchanged, or a structured error, whose `error` is true instead of a text. As above
 * otherwise.  [T-DISP-22, T-DISP-23] */
char *manglecp_call_toolhost(const struct manglecp_toolhost *host, const char *request);

#ifdef __cplusplus
}
#endif
#endif
