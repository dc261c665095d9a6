/* JSON Schema 2020-12: compile once, validate often (protocol.md §2.12, D-43).
 *
 * Enforced: the list of §2.12. A keyword that is neither enforced nor an annotation is an error of
 * the schema's author, reported at load: a server emits only what it enforces. Patterns are
 * ECMA-262 translated for PCRE2, with match limits. No recursion beyond a fixed depth; cyclic $ref
 * is found. */
#ifndef MGI_PROTOCOL_SCHEMA_H
#define MGI_PROTOCOL_SCHEMA_H

#include "base/arena.h"
#include "base/json.h"

struct schema; /* immutable after compilation, shared by threads */

struct schema_issue {
    const char *path;    /* JSON Pointer into the schema (compile) or the instance (validate) */
    const char *keyword; /* "required", "type", … */
    const char *message; /* a sentence fragment, lower case */
};

struct schema_issues {
    struct arena *arena;
    struct schema_issue *items;
    size_t count, cap, max; /* max 0 means 50; more are dropped */
};
void mgi_schema_issues_init(struct schema_issues *s, struct arena *arena, size_t max);

enum { SCHEMA_LENIENT = 1 /* unknown keywords are ignored, as the official test suite wants */ };

/* Compile `json` (an object or a boolean). NULL: issues say why (count 0: memory). The schema keeps
 * nothing of `json`; free with mgi_schema_free. */
struct schema *mgi_schema_compile(const struct json *json, int flags, struct schema_issues *issues);
void mgi_schema_free(struct schema *s);

/* True if valid. All faults are reported, not the first (up to max). `scratch` is used freely. */
bool mgi_schema_validate(const struct schema *s, const struct json *instance,
                         struct schema_issues *issues);

/* Does checking an instance whose text has that many bytes surely take well under a millisecond? No
 * where patterns, comparisons of all with all or alternatives make the time hard to foretell.
 * tests/protocol/test_schema.c measures the worst that passes. */
bool mgi_schema_is_brief(const struct schema *s, size_t instance_bytes);

/* A copy of a valid instance (sharing its values) in which missing members have the `default` of
 * their property in the schema document (D-43). False when memory is short. */
bool mgi_schema_defaults(struct arena *arena, const struct json *schema,
                         const struct json *instance, struct json *out);

#endif
