/* The error codes of the wire, one row each (protocol.md part 4), and the error object.
 *
 * To add a code: a row here, a line in docs/reference. Everything that answers errors reads the
 * rows. */
#ifndef MGI_PROTOCOL_ERROR_H
#define MGI_PROTOCOL_ERROR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"

/* enumerator, wire name, HTTP status, recoverable */
#define WIRE_CODES(X)                                                                              \
    X(WIRE_UNSUPPORTED_VERSION, "unsupported_version", 400, true)                                  \
    X(WIRE_MALFORMED_MESSAGE, "malformed_message", 400, false)                                     \
    X(WIRE_MESSAGE_TOO_LARGE, "message_too_large", 413, true)                                      \
    X(WIRE_INVALID_TYPE, "invalid_type", 400, false)                                               \
    X(WIRE_AUTH_REQUIRED, "auth_required", 401, true)                                              \
    X(WIRE_AUTH_INVALID, "auth_invalid", 401, true)                                                \
    X(WIRE_AUTH_INSUFFICIENT, "auth_insufficient", 403, false)                                     \
    X(WIRE_INVALID_FACTS, "invalid_facts", 400, true)                                              \
    X(WIRE_UNKNOWN_PREDICATE, "unknown_predicate", 400, true)                                      \
    X(WIRE_ARITY_MISMATCH, "arity_mismatch", 400, true)                                            \
    X(WIRE_TYPE_MISMATCH, "type_mismatch", 400, true)                                              \
    X(WIRE_RESERVED_PREDICATE, "reserved_predicate", 400, false)                                   \
    X(WIRE_TOO_MANY_FACTS, "too_many_facts", 400, true)                                            \
    X(WIRE_EVALUATION_TIMEOUT, "evaluation_timeout", 408, true)                                    \
    X(WIRE_DERIVATION_LIMIT_EXCEEDED, "derivation_limit_exceeded", 413, true)                      \
    X(WIRE_INTERVAL_LIMIT_EXCEEDED, "interval_limit_exceeded", 413, true)                          \
    X(WIRE_INVALID_TEMPORAL_PATTERN, "invalid_temporal_pattern", 400, false)                       \
    X(WIRE_EVALUATION_FAILED, "evaluation_failed", 500, false)                                     \
    X(WIRE_MACRO_NOT_FOUND, "macro_not_found", 404, true)                                          \
    X(WIRE_MACRO_EXPIRED, "macro_expired", 410, true)                                              \
    X(WIRE_SCHEMA_VALIDATION_FAILED, "schema_validation_failed", 400, true)                        \
    X(WIRE_CONFIRMATION_REQUIRED, "confirmation_required", 403, true)                              \
    X(WIRE_CONFIRMATION_INVALID, "confirmation_invalid", 403, true)                                \
    X(WIRE_EXECUTION_FAILED, "execution_failed", 500, false)                                       \
    X(WIRE_SERVER_NOT_READY, "server_not_ready", 503, true)                                        \
    X(WIRE_RATE_LIMITED, "rate_limited", 429, true)                                                \
    X(WIRE_INTERNAL_ERROR, "internal_error", 500, false)                                           \
    X(WIRE_CANCELLED, "cancelled", 499, false)                                                     \
    X(WIRE_X_NOT_FOUND, "x-not_found", 404, false)                                                 \
    X(WIRE_X_METHOD_NOT_ALLOWED, "x-method_not_allowed", 405, false)                               \
    X(WIRE_X_ORIGIN_NOT_ALLOWED, "x-origin_not_allowed", 403, false)                               \
    X(WIRE_X_REQUEST_TIMEOUT, "x-request_timeout", 408, true)                                      \
    X(WIRE_X_EXPECTATION_FAILED, "x-expectation_failed", 417, false)                               \
    X(WIRE_X_HEAD_TOO_LARGE, "x-head_too_large", 431, false)                                       \
    X(WIRE_X_HTTP_VERSION, "x-http_version", 505, false)                                           \
    X(WIRE_X_UPGRADE_REQUIRED, "x-upgrade_required", 426, false)

enum wire_code {
    WIRE_OK, /* no error */
#define WIRE_CODE_ENUM(id, name, http, recoverable) id,
    WIRE_CODES(WIRE_CODE_ENUM)
#undef WIRE_CODE_ENUM
};

struct wire_code_row {
    enum wire_code code;
    const char *name;
    int http_status;
    bool recoverable;
};

const struct wire_code_row *mgi_wire_code(enum wire_code code);     /* never NULL */
const struct wire_code_row *mgi_wire_code_by_name(struct str name); /* or NULL */

/* One error answer. `details` is JSON object text in the request's arena ("" means none).
 * Everything is borrowed from that arena. The first error wins: setting a set one changes nothing.
 */
struct wire_error {
    enum wire_code code;
    const char *message;    /* for people; a full sentence; never NULL once set */
    struct str details;     /* "{...}" or empty */
    int64_t retry_after_ms; /* -1: absent */
};

/* Set code and message (printf); details may follow through mgi_wire_details. Never fails: when the
 * arena is exhausted the message is a static one. */
void mgi_wire_error(struct wire_error *e, struct arena *a, enum wire_code code, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));

/* Copy the JSON object text in `json` as the details. */
void mgi_wire_details(struct wire_error *e, struct arena *a, const struct buf *json);

/* Text from outside for use in a message: visible, cut at max_bytes. Never NULL. */
const char *mgi_show(struct arena *a, struct str text, size_t max_bytes);

/* The payload object of an error envelope (§2.18): code, message, recoverable, details,
 * retry_after_ms. */
void mgi_wire_error_write(struct json_writer *w, const struct wire_error *e);

/* A list of shape faults, collected: details.violations of malformed_message (D-2). */
struct shape {
    struct arena *arena;
    struct buf list; /* JSON array items, comma separated */
    uint32_t count;
    const char *first; /* "/intent/name must be a string" */
};
void mgi_shape_init(struct shape *s, struct arena *a);
void mgi_shape_fault(struct shape *s, const char *pointer, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* If any fault was noted: set malformed_message with reason "payload" and the violations; true. */
bool mgi_shape_failed(struct shape *s, struct wire_error *e);
/* The same with another reason; `what` is named in the message. */
bool mgi_shape_failed_as(struct shape *s, struct wire_error *e, const char *reason,
                         const char *what);
void mgi_shape_fini(struct shape *s);

#endif
