/* The operations that the settings describe, read once per worker.
 *
 *   {"requests": [{
 *      "aid", "name", "description", "input_schema": {…}, "output_schema": {…}, "defaults": {…},
 *      "method": "GET", "origin": "https://api.example.com:443", "path": PARTS,
 *      "query": PAIRS, "headers": PAIRS,
 *      "auth": CREDENTIAL | [CREDENTIAL…],
 *      "body": {"json": true | {"arg": "x"} | PAIRS} | {"form": PAIRS} | {"text": PARTS},
 *              with "optional": true: none, where none of its arguments is given
 *      "output": "json" | "text" | "none", "select": "/items/0", "ok": [200],
 *      "statuses": [{"from": 404, "to": 404, "text": "…"}],
 *      "side_effects": […], "tags": […], "flags": ["idempotent"], "timeout_ms", "max_bytes",
 *      "allow": ["https://api.example.com:443"], "private": false, "ca": "/abs/ca.pem"}],
 *    "resolve": ["name:port:address"]}      for tests: what these names resolve to
 *
 *   PARTS       [PART…]: "text", {"arg": "x"}, {"arg": "x", "join": "|"} or {"secret": "value"}
 *   PAIRS       [{"name", "value": PARTS}…], with "deep": true an object's members as name[member];
 *               "a" is short for {"name": "a", "value": [{"arg": "a"}]}
 *   CREDENTIAL  {"header": PAIR}, {"query": PAIR} or {"basic": {"user": PARTS, "password": PARTS}}
 *
 * The server writes and checks them (src/actions/http_int.h); what does not fit is one reason all
 * the same. Everything lives in `arena`. */
#ifndef HTTP_TABLE_H
#define HTTP_TABLE_H

#include "base/arena.h"
#include "base/json.h"

struct http_part {
    enum { HTTP_TEXT, HTTP_ARGUMENT, HTTP_SECRET } kind;
    struct str text; /* a literal, the name of an argument, or a secret */
    char join;       /* what stands between the elements of a list; 0: a comma, and where a value of
                      * query or form is nothing else, its name is repeated */
};
struct http_text {
    struct http_part *parts;
    size_t count;
};
struct http_pair {
    struct str name;
    struct http_text value;
    bool deep; /* of an object each member by itself, as name[member] */
};
struct http_pairs {
    struct http_pair *items;
    size_t count;
};

enum http_body { BODY_NONE, BODY_JSON, BODY_FORM, BODY_TEXT };
enum http_output { OUTPUT_JSON, OUTPUT_TEXT, OUTPUT_NONE };

struct http_status_text {
    int from, to;
    struct str text;
};

struct http_request {
    struct str aid, name, description, input_schema, output_schema; /* NUL follows; "": none */
    struct json defaults;                                           /* an object */
    struct str method, origin; /* of letters; scheme, host and port as mgi_http_origin() writes */
    struct http_text path;     /* begins with a slash */
    struct http_pairs query, headers;
    struct http_pairs auth_headers, auth_query; /* credentials */
    bool basic;
    struct http_text user, password; /* of basic */
    enum http_body body;
    bool body_optional;
    bool all_fields;          /* BODY_JSON: all arguments as an object */
    struct str whole;         /* BODY_JSON: the argument that is the body; "": none is */
    struct http_pairs fields; /* BODY_JSON: members, where it is neither of these; BODY_FORM */
    struct http_text text;    /* BODY_TEXT */
    enum http_output output;
    struct str select;
    int *ok; /* none: 200 to 299 */
    size_t ok_count;
    struct http_status_text *statuses;
    size_t status_count;
    const char **side_effects, **tags; /* end with NULL */
    uint32_t timeout_ms, flags;
    size_t max_bytes; /* of an answer's body, decoded */
    struct str *allow;
    size_t allow_count;
    bool may_be_private;
    const char *ca;      /* or NULL */
    struct str *secrets; /* all of its HTTP_SECRETs, as they are and as others may write them */
    size_t secret_count;
};

struct http_table {
    struct http_request *items;
    size_t count;
    struct str *resolve;
    size_t resolve_count;
};

#define HTTP_MAX_BYTES    (1u << 20) /* unless it says otherwise */
#define HTTP_MOST_BYTES   (16u << 20)
#define HTTP_MAX_REQUESTS 1024
#define HTTP_MAX_AUTH     4

/* NULL, or what is wrong (static, or in `arena`; never with a secret in it). */
const char *mgi_http_table_read(struct arena *arena, struct str settings, struct http_table *out);

/* Whether a method promises that it has no effect (RFC 9110 section 9.2.1). */
bool mgi_http_is_safe(struct str method);

/* "https://host:port", the host in small letters, the port always said: what allow-lists hold and
 * two addresses of one server have in common. ptr NULL: it is no http or https address, or memory
 * is short. */
struct str mgi_http_origin(struct arena *arena, struct str url);

/* Standard base64 (RFC 4648 section 4). ptr NULL: memory. */
struct str mgi_http_base64(struct arena *arena, struct str text);

#endif
