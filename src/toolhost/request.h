/* Requests: one JSON text into a checked struct, or a refusal (toolhost.md 3.1 to 3.3).
 *
 * Two steps, because the tool is looked up between them (1.3): mgi_request_open() finds out whom
 * the request is for, mgi_request_read() checks everything else. Nothing here touches the session,
 * so a refusal leaves it as it was (T-FLOW-1). All memory is in the request's arena, and the text
 * must live as long. */
#ifndef TOOLHOST_REQUEST_H
#define TOOLHOST_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "toolhost/answer.h"
#include "toolhost/state.h"
#include "sys/digest.h"

enum request_mode { REQUEST_SERVE, REQUEST_RUN };

enum request_result {
    REQUEST_OK,
    REQUEST_REFUSED, /* the refusal says why */
    REQUEST_NOMEM
};

struct request {
    struct json root;
    struct str aid;                  /* may be absent with --run: ptr NULL */
    struct str request_id;           /* empty: none */
    struct str input;                /* what the tool gets: one JSON object */
    uint8_t input_sha[SHA256_BYTES]; /* of the canonical input (T-INP-6) */
    struct str key;                  /* idempotency key; empty: none. Not read with --run */
    struct str token;                /* lease token; empty: none. Not read with --run */
    struct json input_value;         /* the same, parsed */
    int64_t timeout_ms;              /* 0: none */
    struct str run_id;               /* empty: none */
    int64_t step;                    /* 0 if none is given */
    bool progress;                   /* wanted. Not read with --run */
    bool has_state;
    struct ds_patch state; /* released by mgi_request_fini() */
};

/* All zero is a request that may be finished. */
void mgi_request_fini(struct request *q);

/* Parse `text`; find `request_id` (if it is sound) and `aid`. With REQUEST_SERVE an aid is required
 * (T-REQ-1). *error tells where a syntax error is, for the log. */
enum request_result mgi_request_open(struct arena *arena, struct str text, enum request_mode mode,
                                     struct request *q, struct refusal *refusal,
                                     struct json_error *error);

/* Check and read the other members (step 4 of 1.3). With --run `aid` is the one of the command
 * line, and another one in the request is refused (T-REQ-3). */
enum request_result mgi_request_read(struct arena *arena, enum request_mode mode, struct str aid,
                                     struct request *q, struct refusal *refusal);

/* Commands (3.8) use the same kinds of members. A member that is absent or null is *out = NULL. */
const struct json *mgi_request_member(const struct json *root, const char *name);

/* Fill in a refusal whose text is printed into `arena`. */
enum request_result mgi_refuse(struct arena *arena, struct refusal *refusal, enum refusal_code code,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* SHA-256 of the canonical text of `v`, by way of `arena`-free scratch. False: out of memory. */
bool mgi_input_digest(const struct json *v, uint8_t out[SHA256_BYTES]);

#endif
