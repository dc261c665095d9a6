/* A server's manifest as a client uses it (protocol.md 2.8). What is missing or odd is read as its
 * default where there is one: a client does not judge more than it needs. */
#ifndef MGI_CLIENT_MANIFEST_H
#define MGI_CLIENT_MANIFEST_H

#include "base/arena.h"
#include "client/link.h"
#include "protocol/fact.h"

struct manifest_intent {
    struct str name;
    struct str *required, *optional; /* names of predicates */
    uint32_t required_count, optional_count;
};

/* Immutable. Everything lies in `arena`. */
struct manifest {
    struct arena arena;
    struct str text; /* the envelope; a NUL follows */
    enum manglecp_state state;
    struct manifest_intent *intents;
    uint32_t intent_count;
    struct fact_profile profile; /* what facts may be; see protocol/fact.h */
    struct str *open_names;      /* listed for intents, without a schema (D-16) */
    uint32_t open_count;
    int64_t max_facts, max_message_bytes;
    bool auth_required, takes_bearer;
    struct link_addresses addresses;
    struct str websocket; /* extensions["x-websocket"]; empty: not said */
    bool tells_outcomes;  /* extensions["x-idempotency-only"]: of a key, without running */
    bool dry_runs;        /* extensions["x-dry-run"]: it tells what an invocation would do */
};

/* Read the envelope `text`. NULL: `why` says what is wrong, or *nomem is set. */
struct manifest *mgi_manifest_read(struct str text, struct buf *why, bool *nomem);
void mgi_manifest_free(struct manifest *m);

/* NULL: not listed. */
const struct manifest_intent *mgi_manifest_intent(const struct manifest *m, struct str name);

const char *mgi_manifest_state_name(enum manglecp_state state);

#endif
