/*
 * manglecp.h - a client of MangleCP servers, in C.
 *
 * One client object speaks to one server: over HTTP, or over the stdio of a child process. It keeps
 * the manifest and, if asked, a working set of facts to which state deltas are applied (retract
 * before assert). Calls block; a client belongs to one thread at a time. Text is UTF-8. JSON goes
 * in and comes out as text: what the answers mean is docs/reference/protocol.md.
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

enum manglecp_status {
    MANGLECP_OK,
    MANGLECP_ERR_NOMEM,
    MANGLECP_ERR_USAGE,     /* the arguments make no request: message says why */
    MANGLECP_ERR_TRANSPORT, /* could not connect, spawn, read or write; not a MangleCP server */
    MANGLECP_ERR_TIMEOUT,
    MANGLECP_ERR_PROTOCOL, /* the server broke the protocol */
    MANGLECP_ERR_ANSWER    /* the server answered with an error envelope */
};

typedef struct manglecp_client manglecp_client;

struct manglecp_options {
    const char *token;  /* bearer token, or NULL */
    int64_t timeout_ms; /* for one answer; 0 means 60000 */
    /* Progress of an invocation (session transports); may be NULL. percent < 0: unknown. */
    void (*progress)(void *context, const char *status, const char *detail, double percent);
    void *context;
};

/* An answer. `json` is the whole envelope, NUL-terminated; valid until the next call. */
struct manglecp_answer {
    const char *json;
    size_t len;
    const char *code; /* of an error envelope; else "" */
};

/* Connect: `url` is http:// or https://; or spawn `argv` (NULL-terminated) and speak stdio. The
 * manifest is read before these return. *out NULL on error; `message` (may be NULL, of `cap` bytes)
 * says why. */
enum manglecp_status manglecp_connect(const char *url, const struct manglecp_options *options,
                                      manglecp_client **out, char *message, size_t cap);
enum manglecp_status manglecp_spawn(const char *const *argv, const struct manglecp_options *options,
                                    manglecp_client **out, char *message, size_t cap);
void manglecp_close(manglecp_client *client);

const char *manglecp_manifest(const manglecp_client *client, size_t *len); /* envelope; borrowed */

/* One request: `type` is "intent_request", "invoke_request" or "authenticate"; `payload` a JSON
 * object. Fills in the envelope with a fresh id. MANGLECP_ERR_ANSWER also fills *answer. */
enum manglecp_status manglecp_request(manglecp_client *client, const char *type,
                                      const char *payload, struct manglecp_answer *answer);
const char *manglecp_message(const manglecp_client *client); /* of the last failure */

/* ---- the client's working state (protocol.md P-DELTA-*, D-48, D-49) ------------------------ */

typedef struct manglecp_facts manglecp_facts;
manglecp_facts *manglecp_facts_new(void);
void manglecp_facts_free(manglecp_facts *facts);
/* Add one fact object or an array of them (duplicates merge). False: not facts, or memory. */
bool manglecp_facts_add(manglecp_facts *facts, const char *json);
/* Apply a state_delta object: all retractions, then all assertions. Counts may be NULL. */
bool manglecp_facts_apply(manglecp_facts *facts, const char *delta, size_t *retracted,
                          size_t *asserted);
/* The facts as a JSON array, in insertion order; the caller's (manglecp_free). With `predicates`
 * (NULL-terminated) only those, so that a request carries what its intent needs (P-MIN-1). */
char *manglecp_facts_json(const manglecp_facts *facts, const char *const *predicates);
size_t manglecp_facts_count(const manglecp_facts *facts);
void manglecp_free(void *p);

#ifdef __cplusplus
}
#endif
#endif
