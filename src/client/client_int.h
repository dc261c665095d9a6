/* What the parts of the client share, from above; each calls those below it alone.
 *
 *     client.c     a client is made and asked about itself
 *     invoke.c     one tool is run: window, arguments, consent, key, evaluating again
 *     intent.c     an intent: what is sent, checked before
 *     session.c    one message: when it may be sent, and when it is sent again
 *     token.c      the token that the client shows
 *     result.c, tools.c         what comes back of an invocation; of an intent
 *     facts*.c, retraction.c    what the client knows
 *     receive.c    what comes back of any message
 *     agreement.c  is that still what the user agreed to?      consent.c   proof that they did
 *     args.c       values and arguments, typed by a schema
 *     *_link.c     how messages travel               intake.c  bytes that came
 *     options.c    what was asked for when it was made
 *     said.c       what a call leaves behind: message, error, problems
 *
 * Lives: `life` as long as the client; `last` from the beginning of one public call to that of the
 * next, with everything that the caller may ask about it. */
#ifndef MGI_CLIENT_CLIENT_INT_H
#define MGI_CLIENT_CLIENT_INT_H

#include "base/strmap.h"
#include "client/link.h"
#include "client/manifest.h"
#include "client/stored_login.h"
#include "protocol/envelope.h"
#include "protocol/schema.h"

#define KEY_CHARS 128 /* of an idempotency key, at most */

struct manglecp_client {
    struct link *link;
    struct manglecp_options options; /* text in `life`, defaults filled in */
    struct arena life;
    struct stored_login login; /* whose token is sent; path NULL: the token is the caller's */
    struct buf token;          /* of it */
    struct manifest *manifest; /* the newest; never NULL once the client is open */
    bool lost;                 /* session: the connection is gone */
    bool authenticated;        /* session: on this connection */
    bool stale;                /* no session: the manifest is to be read before the next request */
    uint64_t next_id;          /* never used twice, whatever happens to the connection (P-ENV-4) */

    struct arena last;
    struct buf request;
    struct incoming in;
    struct buf message;
    struct manglecp_error error;
    struct manglecp_problem *problems;
    size_t problem_count, problem_cap;
    char key[KEY_CHARS + 1];
    const char *macro_id, *args; /* in `last` */
};

/* ---- said.c ---- */

/* A public call begins: forget the last one. */
void mgi_client_begin(manglecp_client *c);
/* Note what is wrong with a request; MANGLECP_ERR_INVALID, or MANGLECP_ERR_NOMEM. */
enum manglecp_status mgi_problem(manglecp_client *c, const char *where, const char *what,
                                 const char *format, ...) __attribute__((format(printf, 4, 5)));
/* MANGLECP_OK if nothing was noted; else the first problem is the message. */
enum manglecp_status mgi_problems_status(manglecp_client *c);
enum manglecp_status mgi_fail(manglecp_client *c, enum manglecp_status status, const char *format,
                              ...) __attribute__((format(printf, 3, 4)));

/* ---- options.c ---- */

/* The text, if there is one, becomes the arena's. False: memory. */
bool mgi_option_keep(struct arena *life, const char **text);
int64_t mgi_client_now_ns(const manglecp_client *c);

/* ---- token.c ---- */

/* The caller's token, or else that of the login, in `token`; and a confirmation key that can be
 * one. */
enum manglecp_status mgi_token_choose(struct manglecp_options *o, const struct stored_login *login,
                                      struct buf *token, struct buf *why);
/* The client goes on with the token of `login`, and takes both over. */
enum manglecp_status mgi_token_keep(manglecp_client *c, const struct stored_login *login,
                                    struct buf *token);
/* The server does not take the token: get another one from the login that it is of.
 * MANGLECP_ERR_CREDENTIALS: it is of none, or that has ended; else as mgi_stored_token(). */
enum manglecp_status mgi_token_renew(manglecp_client *c);

/* ---- session.c ---- */

struct question {
    enum message_type type;
    struct str payload;         /* JSON object */
    const char *key;            /* of an invocation; else NULL */
    bool key_only;              /* of an invocation: what came of the key? Nothing is to be run */
    bool dry_run;               /* of an invocation: nothing is to be run */
    const char *const *why_not; /* of an intent: tools, NULL-terminated; NULL: none */
    bool was_early;             /* it was waited for the tool's time to begin */

    /* What came of it. */
    bool left; /* the server may have it */
    bool was_answered;
    struct envelope answer; /* in c->last and c->in: until the next question */
};

/* Connect, and take in the first manifest. */
enum manglecp_status mgi_session_begin(manglecp_client *c);
/* Ask, and ask again where the answer says that it was not taken up and may be. */
enum manglecp_status mgi_session_ask(manglecp_client *c, struct question *q);
/* The manifest is that of a server which takes requests; waits for it within bounds (P-READY-1). */
enum manglecp_status mgi_session_prepare(manglecp_client *c);
/* Read the manifest again, or what came unasked. */
enum manglecp_status mgi_session_refresh(manglecp_client *c);

/* ---- receive.c ---- */

/* Make the connection (anew), and take in the manifest with which it begins. */
enum manglecp_status mgi_session_open(manglecp_client *c);
/* The next message, into c->in. MANGLECP_ERR_TIMEOUT: none came. */
enum manglecp_status mgi_session_receive(manglecp_client *c, int64_t deadline_ns);
/* What the message in c->in is for the question `q` (NULL: nothing was asked). Manifests, progress
 * and errors are taken in. */
enum reading { READ_TERMINAL, READ_OTHER, READ_BROKEN, READ_NOMEM };
enum reading mgi_session_read(manglecp_client *c, struct question *q, const char *id);
/* Take in what comes unasked until `until_ns`, or until the status is no longer `state`. */
enum manglecp_status mgi_session_listen(manglecp_client *c, int64_t until_ns,
                                        const enum manglecp_state *state);

/* ---- args.c ---- */

/* Write one value. False: it is no JSON (a problem of the caller), or memory (scratch->oom). */
bool mgi_value_write(struct json_writer *w, struct arena *scratch, const struct manglecp_value *v);

struct object_source {
    const struct manglecp_member *members;
    size_t count;
    const char *json; /* instead, or NULL */
};

/* The object that `source` describes, with its text, in c->last. `schema` (or NULL) decides what
 * words are. Faults are noted below `where`; *out is NULL then, and when memory is short. */
enum manglecp_status mgi_object_make(manglecp_client *c, const char *where,
                                     const struct object_source *source,
                                     const struct schema *schema, const struct json **out);
/* Hold `object` against `schema`; faults are noted below `where`. */
enum manglecp_status mgi_object_check(manglecp_client *c, const char *where,
                                      const struct json *object, const struct schema *schema);

/* ---- facts.c ---- */

struct manglecp_facts;
/* The facts of the predicates in `preds` (NULL: all), as elements of an open array. */
void mgi_facts_write(struct json_writer *w, const struct manglecp_facts *facts,
                     const struct strmap *preds);
bool mgi_pred_set_add(struct strmap *preds, struct str name);
/* The predicates of `facts` that are not in `preds`, each once, NUL-terminated in `arena`. False:
 * memory. */
bool mgi_facts_others(const struct manglecp_facts *facts, const struct strmap *preds,
                      struct arena *arena, const char ***names, size_t *count);

/* ---- intent.c, tools.c ---- */

/* An answer to an intent, and what was asked, so that it can be asked again. */
struct manglecp_tools {
    struct arena arena;
    struct str text;
    struct manglecp_tool *items;
    size_t count;
    int64_t eval_time_ns;
    const char *why_not; /* or NULL */
    const char **left_out;
    size_t left_out_count;

    struct manglecp_intent intent; /* text and numbers in `arena`; params as JSON; no more_facts */
    int64_t numbers[6];
    const char *facts; /* all that were sent, as a JSON array */
};

/* As manglecp_evaluate(), without a beginning of its own. `upgrade`: the macro_id of a tool to be
 * shown in full, or NULL. */
enum manglecp_status mgi_evaluate(manglecp_client *c, const struct manglecp_intent *intent,
                                  const struct manglecp_facts *facts, const char *upgrade,
                                  struct manglecp_tools **out);
/* Read the tools of the envelope `text`. *out NULL on error. */
enum manglecp_status mgi_tools_read(manglecp_client *c, struct str text,
                                    struct manglecp_tools **out);

/* ---- invoke.c ---- */

bool mgi_random_key(char key[KEY_CHARS + 1]); /* false: the system has no randomness */

/* ---- agreement.c ---- */

/* Is `now` what the caller chose when it chose `then`? As far as it was shown: of a tool in part
 * that is its name. */
bool mgi_tool_means_the_same(struct arena *scratch, const struct manglecp_tool *then,
                             const struct manglecp_tool *now);

/* The text of `args` with the defaults of the tool's input_schema (tool NULL: as they are): what
 * the server will run, if it does what it says. NULL: memory. */
const char *mgi_args_with_defaults(struct arena *a, const struct manglecp_tool *tool,
                                   const struct json *args);

struct challenge_words {
    const char *challenge, *macro_id; /* NULL: not said */
    struct manglecp_consent consent;  /* what the user is to be shown */
};

/* The details of a confirmation_required; what they leave out is as in `known`. False: memory. */
bool mgi_challenge_read(struct arena *a, const struct json *details,
                        const struct manglecp_consent *known, struct challenge_words *out);

/* Does the user's yes to `agreed` (whose args have the defaults) hold for `told`, too? `sent`: the
 * arguments without defaults, which is another way to say the same. What rules of the server filled
 * in was never seen, so it is never covered. */
bool mgi_consent_covers(struct arena *scratch, const struct manglecp_consent *agreed,
                        const char *sent, const struct manglecp_consent *told);

/* ---- consent.c ---- */

bool mgi_consent_key_ok(const char *key); /* base64url? */

/* The token that answers `challenge` once the user consented; in c->last. NULL: there is no way, or
 * memory is short (c->last.oom). */
const char *mgi_consent_token(manglecp_client *c, const char *challenge);

/* ---- result.c ---- */

enum manglecp_status mgi_result_read(manglecp_client *c, struct str text,
                                     struct manglecp_result **out);

#endif
