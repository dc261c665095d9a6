/* JSON-RPC 2.0 as MCP narrows it: one message read from JSON, and messages written (X-RPC-*).
 *
 * Views point into the text and the arena that were given; ids are compared with their type. A
 * fault says which error it is and whose: what is no JSON, or has no id that can be read, is
 * answered without one (X-RPC-5). Nothing here does I/O or keeps state. */
#ifndef MGI_MCP_RPC_H
#define MGI_MCP_RPC_H

#include "base/json.h"

#define MCP_MESSAGE_BYTES ((size_t)10 * 1024 * 1024) /* read at most (X-STDIO-4, X-HTTP-7) */
#define MCP_WRITE_BYTES   ((size_t)4 * 1024 * 1024)  /* written at most (X-STDIO-4) */
#define MCP_READ_BYTES    ((size_t)64 * 1024 * 1024) /* that a message may become when it is read */
#define RPC_ID_BYTES      256
#define RPC_BATCH_MOST    64
#define RPC_INT_MOST      (INT64_C(1) << 53)

/* Every code of the table in chapter 15; no other is ever sent (X-ERR-4). */
enum rpc_code {
    RPC_FINE = 0,
    RPC_PARSE = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_METHOD_NOT_FOUND = -32601,
    RPC_INVALID_PARAMS = -32602,
    RPC_INTERNAL = -32603,
    RPC_RESOURCE_NOT_FOUND = -32002, /* r1-r4 */
    RPC_URL_ELICITATION = -32042,    /* r4 */
    RPC_HEADER_MISMATCH = -32020,    /* r5, as those below */
    RPC_MISSING_CAPABILITY = -32021,
    RPC_UNSUPPORTED_VERSION = -32022
};

/* Of a request, or of a progress token: text or an integer. 0 and "" are ids (X-RPC-2). */
struct rpc_id {
    enum rpc_id_kind { RPC_NO_ID, RPC_ID_INT, RPC_ID_TEXT } kind;
    int64_t number;
    struct str text;
};

enum rpc_kind { RPC_REQUEST, RPC_NOTIFICATION, RPC_RESULT, RPC_ERROR };

struct rpc_message {
    enum rpc_kind kind;
    struct rpc_id id;          /* RPC_NO_ID: a notification, or an error that belongs to nothing */
    struct str method;         /* of requests and notifications */
    const struct json *params; /* an object, or NULL: absent */
    const struct json *result; /* an object; of RPC_RESULT */
    int64_t code;              /* of RPC_ERROR: any integer (X-ERR-5); 0: it was none */
    struct str message;        /* of RPC_ERROR; empty: none */
    const struct json *data;   /* of RPC_ERROR; NULL: none */
};

struct rpc_fault {
    enum rpc_code code;
    struct rpc_id id;  /* to answer with */
    bool is_answer;    /* it was meant as one: it gets no answer itself, on no transport */
    bool no_memory;    /* nothing is known of the text */
    char message[160]; /* one sentence, lower case */
};

/* All of `text` as JSON, strictly (X-RPC-11). False: *fault. `text` outlives `out`. `a` has a
 * limit, MCP_READ_BYTES: millions of small values in a message of 10 MiB are -32603. */
bool mgi_rpc_parse(struct arena *a, struct str text, struct json *out, struct rpc_fault *fault);

/* One message of `v`; an array is a fault (X-RPC-10). Borrows from `v`. False: *fault. */
bool mgi_rpc_read(const struct json *v, struct rpc_message *out, struct rpc_fault *fault);

/* An array whose elements are to be read as messages, one by one (r2 alone). False: *fault: it is
 * empty or longer than RPC_BATCH_MOST. */
bool mgi_rpc_batch(const struct json *v, struct rpc_fault *fault);

/* An id or a token of `v`. False: it is neither text of at most RPC_ID_BYTES nor an integer of at
 * most RPC_INT_MOST either way. */
bool mgi_rpc_id_read(const struct json *v, struct rpc_id *out);
bool mgi_rpc_id_equal(const struct rpc_id *a, const struct rpc_id *b); /* two RPC_NO_ID differ */
bool mgi_rpc_id_copy(struct arena *into, const struct rpc_id *id, struct rpc_id *out); /* memory */
void mgi_rpc_id_write(struct json_writer *w, const struct rpc_id *id); /* not RPC_NO_ID */

/* ---- writing: begin, one value, end --------------------------------------------------------- */

/* {"jsonrpc":"2.0","id":…,"method":…,"params": and then one value and mgi_rpc_end(). `id` NULL or
 * RPC_NO_ID: a notification. */
void mgi_rpc_begin(struct json_writer *w, struct buf *out, const struct rpc_id *id,
                   const char *method);
/* {"jsonrpc":"2.0","id":…,"result": and then one value and mgi_rpc_end(). */
void mgi_rpc_begin_result(struct json_writer *w, struct buf *out, const struct rpc_id *id);
void mgi_rpc_end(struct json_writer *w);

/* One without params, whole. */
void mgi_rpc_bare(struct buf *out, const struct rpc_id *id, const char *method);
/* An error, whole. `id` NULL or RPC_NO_ID: without one. `data`: JSON text; empty: none. */
void mgi_rpc_error(struct buf *out, const struct rpc_id *id, enum rpc_code code, struct str message,
                   struct str data);

#endif
