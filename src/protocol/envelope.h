/* The envelope: bytes -> type, id, payload, and back (protocol.md §2.1, §2.2; gates 1 to 5 of
 * §1.3). */
#ifndef MGI_PROTOCOL_ENVELOPE_H
#define MGI_PROTOCOL_ENVELOPE_H

#include "protocol/error.h"

#define MANGLECP_PROTOCOL        "2026-02-draft"
#define ENVELOPE_MAX_BYTES_FLOOR 16777216 /* limits.max_message_bytes is never below (D-8) */

enum message_type {
    MSG_UNKNOWN,
    MSG_MANIFEST,
    MSG_INTENT_REQUEST,
    MSG_INTENT_RESPONSE,
    MSG_INVOKE_REQUEST,
    MSG_INVOKE_RESPONSE,
    MSG_PROGRESS,
    MSG_CANCEL,
    MSG_AUTHENTICATE,
    MSG_AUTHENTICATE_RESPONSE,
    MSG_ERROR
};

const char *mgi_message_type_name(enum message_type type);
enum message_type mgi_message_type(struct str name); /* MSG_UNKNOWN if not one */

struct envelope {
    enum message_type type;
    struct str type_text;          /* as sent */
    struct str id;                 /* ptr NULL: null or absent */
    const struct json *payload;    /* an object */
    const struct json *extensions; /* an object; NULL: none */
    struct json root;

    /* What is known of extensions. An x- member that is not listed here is let be. */
    struct str idempotency_key; /* x-idempotency-key; ptr NULL: none, or a faulty one */
    const char *key_fault;      /* what is wrong with it; NULL: nothing */
    struct str traceparent; /* x-traceparent; empty: none, or a malformed one, which is ignored */
    bool dry_run; /* x-dry-run: an invocation is to tell what it would do, and do nothing */
    const char *dry_run_fault;
    bool key_only; /* x-idempotency-only: an invocation asks what came of its key, and runs nothing
                    */
    const char *key_only_fault;
    const struct json *why_not; /* x-why-not: 1 to WHY_NOT_MOST tools; NULL: nobody asks */
    const char *why_not_fault;
};

#define IDEMPOTENCY_KEY_MAX 128 /* characters of [A-Za-z0-9._:-] */
#define WHY_NOT_MOST        4   /* tools that one request may ask about */
#define WHY_NOT_NAME_MAX    64  /* bytes of such a name: that many may a tool's have */

enum envelope_side { FROM_CLIENT, FROM_SERVER };

/*
 * Parse one message. Everything lives in `arena`; `text` must outlive it.
 *
 *   max_bytes, max_depth   0 means the defaults (16 MiB; 64)
 *   side     who sent it: decides which types are legal (a client reads with FROM_SERVER)
 *   out      valid on success; on error out->id is what the answer echoes (ptr NULL for null)
 *
 * False: *e is set (message_too_large, malformed_message, unsupported_version, invalid_type) in the
 * gate order of §1.3.  [P-ENV-*, D-1..D-9]
 */
bool mgi_envelope_parse(struct arena *arena, struct str text, size_t max_bytes, uint32_t max_depth,
                        enum envelope_side side, struct envelope *out, struct wire_error *e);

/* Is it a W3C traceparent of version 00? */
bool mgi_traceparent_is_valid(struct str text);

/* Begin {"type":…,"id":…,"manglecp":…,"payload": — the caller writes one value — and end. */
void mgi_envelope_begin(struct json_writer *w, enum message_type type, struct str id);
void mgi_envelope_end(struct json_writer *w);

/* The same around a payload that is appended to `out` as text: everything up to its value, and what
 * follows it. `extensions` is the text of a JSON object, or empty. */
void mgi_envelope_open(struct buf *out, enum message_type type, struct str id);
void mgi_envelope_close(struct buf *out, struct str extensions);

/* The extensions of an answer that is a kept one. */
#define REPLAY_EXTENSIONS STR_LIT("{\"x-idempotent-replay\":true}")

/* A whole error message. */
void mgi_envelope_error(struct buf *out, struct str id, const struct wire_error *e);

#endif
