/* Answers: what the host writes (toolhost.md 3.4 to 3.6). A refusal says that nothing was executed;
 * a result says what execution led to. Rows of the reference's tables are rows of tables here. */
#ifndef TOOLHOST_ANSWER_H
#define TOOLHOST_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "toolhost.h"
#include "toolhost/state.h"

/* Refusals: code, its word on the wire, exit code of --run. */
#define REFUSAL_CODES(X)                                                                           \
    X(REFUSED_BAD_JSON, "bad_json", 5)                                                             \
    X(REFUSED_BAD_REQUEST, "bad_request", 5)                                                       \
    X(REFUSED_TOO_LARGE, "too_large", 5)                                                           \
    X(REFUSED_MISSING_AID, "missing_aid", 2)                                                       \
    X(REFUSED_NOT_FOUND, "not_found", 4)                                                           \
    X(REFUSED_BAD_INPUT, "bad_input", 5)                                                           \
    X(REFUSED_INPUT_CONFLICT, "input_conflict", 5)                                                 \
    X(REFUSED_BAD_STATE, "bad_state", 5)                                                           \
    X(REFUSED_STATE_BASE, "state_base_mismatch", 5)                                                \
    X(REFUSED_BAD_KEY, "bad_key", 5)                                                               \
    X(REFUSED_KEY_CONFLICT, "key_conflict", 5)                                                     \
    X(REFUSED_LEASE_REQUIRED, "lease_required", 4)                                                 \
    X(REFUSED_LEASE_REJECTED, "lease_rejected", 4)                                                 \
    X(REFUSED_LEASE_ISSUE, "lease_issue_denied", 4)

enum refusal_code {
    REFUSED_NOT, /* no refusal */
#define X(name, word, exit_code) name,
    REFUSAL_CODES(X)
#undef X
};

struct refusal {
    enum refusal_code code;
    struct str error;  /* any bytes; written in valid UTF-8, cut at MAX_ERROR_BYTES */
    struct str reason; /* of lease_rejected and lease_issue_denied */
    int tier;          /* of lease_required */
    struct str aid;    /* of lease_required */
};

/* Results: code and its word on the wire. */
#define OUTCOME_CODES(X)                                                                           \
    X(OUTCOME_OK, "ok")                                                                            \
    X(OUTCOME_TOOL_ERROR, "tool_error")                                                            \
    X(OUTCOME_INVALID_PICK, "invalid_pick")                                                        \
    X(OUTCOME_TOOL_BREAKER, "tool_breaker")                                                        \
    X(OUTCOME_CRASH, "crash")                                                                      \
    X(OUTCOME_TIMEOUT, "timeout")                                                                  \
    X(OUTCOME_CANCELLED, "cancelled")                                                              \
    X(OUTCOME_BAD_OUTPUT, "bad_output")                                                            \
    X(OUTCOME_TOO_LARGE, "too_large")                                                              \
    X(OUTCOME_BREAKER_OPEN, "breaker_open")                                                        \
    X(OUTCOME_UNAVAILABLE, "unavailable")

enum outcome_code {
#define X(name, word) name,
    OUTCOME_CODES(X)
#undef X
};

struct outcome {
    th_status status;
    enum outcome_code code;
    struct str output; /* one JSON text */
    struct str error;  /* valid UTF-8, at most MAX_ERROR_BYTES; empty exactly for TH_OK */
};

/* Their words on the wire, static. */
const char *mgi_refusal_word(enum refusal_code code);
const char *mgi_outcome_word(enum outcome_code code);
const char *mgi_status_word(th_status status);

int mgi_refusal_exit(enum refusal_code code);
int mgi_outcome_exit(enum outcome_code code); /* of --run (T-CLI-20) */

/* A result of the host's own making: TOOL_ERROR (BREAKER_TRIP for OUTCOME_BREAKER_OPEN), output {},
 * and a text in `arena`. When memory is short the text is a shorter one. */
struct outcome mgi_outcome_failed(struct arena *arena, enum outcome_code code, const char *format,
                                  ...) __attribute__((format(printf, 3, 4)));

/* What a tool returned, checked and put in order (T-RSP-4 to T-RSP-8). `output` may be any bytes;
 * `lost` is the size of an output that was refused for its size, or 0. The texts end up in `arena`,
 * or stay where they are: `output` must live as long as the outcome. */
struct outcome mgi_outcome_of_tool(struct arena *arena, int32_t status, struct str output,
                                   uint64_t lost, struct str error);

/* `s` in valid UTF-8 (ill-formed bytes as U+FFFD), cut at MAX_ERROR_BYTES at a character. */
struct str mgi_error_text(struct arena *arena, struct str s);

/* What an answer says beyond the seed's members, if the request had an id (T-RSP-9). */
struct answer_extras {
    struct str request_id; /* empty: no extras */
    int64_t duration_ms;
    const char *ds_digest;
};

void mgi_answer_refusal(struct buf *out, const struct refusal *r, const struct answer_extras *x);

/* `state`: the full form if `full`, else a delta of the slots in `changed`. One line, with its LF.
 */
struct answer_state {
    const struct ds_state *state;
    bool full;
    uint8_t changed;
};
void mgi_answer_result(struct buf *out, const struct outcome *o, bool hit,
                       const struct answer_state *state, const struct answer_extras *x);

/* The extras and the closing of an object that is open in `w`, for the answers of commands. */
void mgi_answer_close(struct json_writer *w, const struct answer_extras *x, const char *code);

#endif
