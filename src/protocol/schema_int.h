/* What the files of the schema share: compiled nodes, and patterns. */
#ifndef MGI_PROTOCOL_SCHEMA_INT_H
#define MGI_PROTOCOL_SCHEMA_INT_H

#include "protocol/schema.h"

/* A schema that nests (or refers) deeper than this at one place of the instance is refused. */
#define SCHEMA_MAX_DEPTH 512

struct schema_node;
struct schema_pattern;

enum schema_type_bit {
    TYPE_BIT_NULL = 1,
    TYPE_BIT_BOOLEAN = 2,
    TYPE_BIT_INTEGER = 4,
    TYPE_BIT_NUMBER = 8,
    TYPE_BIT_STRING = 16,
    TYPE_BIT_ARRAY = 32,
    TYPE_BIT_OBJECT = 64
};

enum schema_check_kind {
    CHECK_TYPE,
    CHECK_ENUM,
    CHECK_CONST,
    CHECK_MULTIPLE_OF,
    CHECK_MAXIMUM,
    CHECK_EXCLUSIVE_MAXIMUM,
    CHECK_MINIMUM,
    CHECK_EXCLUSIVE_MINIMUM,
    CHECK_MAX_LENGTH,
    CHECK_MIN_LENGTH,
    CHECK_PATTERN,
    CHECK_MAX_ITEMS,
    CHECK_MIN_ITEMS,
    CHECK_UNIQUE_ITEMS,
    CHECK_ITEMS,    /* prefixItems in nodes, items in rest */
    CHECK_CONTAINS, /* nodes[0]; count .. max_count */
    CHECK_MAX_PROPERTIES,
    CHECK_MIN_PROPERTIES,
    CHECK_REQUIRED,
    CHECK_DEPENDENT_REQUIRED,
    CHECK_PROPERTIES, /* properties, patternProperties, additionalProperties in rest */
    CHECK_PROPERTY_NAMES,
    /* In place: they judge the same instance, so a cycle of them never ends. */
    CHECK_DEPENDENT_SCHEMAS,
    CHECK_REF,
    CHECK_ALL_OF,
    CHECK_ANY_OF,
    CHECK_ONE_OF,
    CHECK_NOT,
    CHECK_IF /* nodes: if, then, else; the last two may be NULL */
};

struct schema_property { /* sorted by name */
    struct str name;
    struct schema_node *node; /* properties, dependentSchemas */
    const struct str *names;  /* dependentRequired */
    size_t name_count;
};

struct schema_pattern_property {
    struct schema_pattern *pattern;
    struct schema_node *node;
};

struct schema_check {
    enum schema_check_kind kind;
    const char *keyword;
    struct schema_check *next;
    uint32_t types;             /* CHECK_TYPE */
    struct json value;          /* const, enum, and limits as they were written */
    uint64_t count, max_count;  /* limits of lengths and counts */
    struct schema_node **nodes; /* subschemas, in order */
    size_t node_count;
    struct schema_node *rest; /* items, additionalProperties; or NULL */
    struct schema_property *properties;
    size_t property_count;
    struct schema_pattern_property *patterns;
    size_t pattern_count;
    struct schema_pattern *pattern;
    const struct str *names; /* required */
    size_t name_count;
};

struct schema_node {
    const struct json *source; /* only while compiling */
    bool never;                /* the schema `false` */
    uint8_t colour;            /* of the search for cycles */
    struct schema_check *first, *last;
    struct schema_node *made_before; /* all nodes, newest first */
};

struct schema {
    struct arena arena;
    struct schema_node *root;
    struct schema_node *newest;
    size_t weight; /* checks that one value may cost at most; SIZE_MAX: cannot be told beforehand */
};

void mgi_schema_issue(struct schema_issues *s, const char *path, const char *keyword,
                      const char *message);

/* ---- patterns: ECMA-262 regular expressions over PCRE2 --------------------------------------- */

/* Lives in `arena`. NULL: *why (in `scratch`) says what is wrong with it, or is NULL for memory. */
struct schema_pattern *mgi_schema_pattern(struct arena *arena, struct str source,
                                          struct arena *scratch, const char **why);

enum schema_match { MATCH_NO, MATCH_YES, MATCH_UNDECIDED /* the limit came first, or memory */ };
enum schema_match mgi_schema_match(const struct schema_pattern *p, struct str text);

/* The translation, for tests. False: *why is static. */
bool mgi_schema_translate(struct str source, struct buf *out, const char **why);

#endif
