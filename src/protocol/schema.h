/* JSON Schema 2020-12: compile once, validate often (protocol.md §2.12, D-43).
 *
 * The whole draft: all keywords that assert, with $id, $anchor, $dynamicRef, unevaluatedItems,
 * unevaluatedProperties and the vocabularies of a metaschema. `format` and the content keywords are
 * annotations. A keyword that is neither enforced nor an annotation is an error of the schema's
 * author, reported at load: a server emits only what it enforces. Patterns are ECMA-262 translated
 * for PCRE2, with match limits.
 *
 * References reach what the document holds and what the caller hands in; nothing is ever fetched.
 * No recursion beyond a fixed depth, no work beyond a fixed amount; cyclic $ref is found. */
#ifndef MGI_PROTOCOL_SCHEMA_H
#define MGI_PROTOCOL_SCHEMA_H

#include "base/arena.h"
#include "base/json.h"

struct schema; /* immutable after compilation, shared by threads */

struct schema_issue {
    const char *path;    /* JSON Pointer into the schema (compile) or the instance (validate); into
                          * another schema of the table: its URI, '#' and the pointer */
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

/* Schemas that references may name, also as "$schema". */
struct schema_other {
    struct str uri; /* absolute, without a fragment: the base of what is in it */
    const struct json *schema;
};

struct schema_others {
    const struct schema_other *items;
    size_t count;
};

/* As mgi_schema_compile. Of `others` (NULL: none) what is referred to is compiled, too, and nothing
 * is kept. A reference to what is neither there nor in `json` is an issue that names it. A
 * "$schema" that is there says by its "$vocabulary" which keywords count; without SCHEMA_LENIENT
 * any other one but that of draft 2020-12 is an issue. */
struct schema *mgi_schema_compile_with(const struct json *json, const struct schema_others *others,
                                       int flags, struct schema_issues *issues);

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
