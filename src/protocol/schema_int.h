/* What the files of the schema share: compiled nodes, what URIs and anchors name, and patterns.
 *
 *   schema.c            compiling: the main line and the references
 *   schema_nodes.c      the keywords of a document, to nodes
 *   schema_names.c      URIs, resources, anchors, vocabularies: while compiling
 *   schema_graph.c      what the finished nodes are like: circles, weight, who needs annotations
 *   schema_check.c      an instance against the nodes
 *   schema_seen.c       which members and items a keyword has judged (unevaluated*)
 *   schema_unique.c     uniqueItems
 *   schema_issues.c     the list of faults
 *   schema_regex.c      patterns
 *   schema_defaults.c   defaults */
#ifndef MGI_PROTOCOL_SCHEMA_INT_H
#define MGI_PROTOCOL_SCHEMA_INT_H

#include "base/strmap.h"
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
    CHECK_UNEVALUATED_ITEMS, /* nodes[0]; in node->unevaluated */
    CHECK_UNEVALUATED_PROPERTIES,
    /* In place: they judge the same instance, so a cycle of them never ends. */
    CHECK_DEPENDENT_SCHEMAS,
    CHECK_REF,
    CHECK_DYNAMIC_REF, /* nodes[0], or what the dynamic scope has under its name */
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
    union {
        struct schema_pattern *pattern;
        struct schema_dynamic_name *dynamic; /* CHECK_DYNAMIC_REF */
    };
    const struct str *names; /* required */
    size_t name_count;
};

/* What makes judging a node more than walking through its checks. */
enum {
    NODE_NEVER = 1,  /* the schema `false` */
    NODE_SCOPED = 2, /* a $dynamicRef may ask which resources were entered */
    NODE_NOTED = 4   /* unevaluated* may ask what was judged: its own, or of a schema in place */
};

struct schema_node {
    const struct json *source; /* only while compiling */
    uint8_t special;           /* NODE_...; 0 for nearly all */
    uint8_t colour;            /* of the search for cycles */
    struct schema_check *first, *last;
    struct schema_check *unevaluated; /* judged when all else is */
    struct schema_resource *resource; /* the nearest schema above (or this) with a URI of its own */
    struct schema_node *made_before;  /* all nodes, newest first */
};

/* One $dynamicAnchor: of its resource, and of all that have this name. */
struct schema_dynamic {
    const struct schema_dynamic_name *name;
    struct schema_node *node;
    struct schema_dynamic *next_in_resource, *next_of_name;
};

struct schema_dynamic_name {
    struct schema_dynamic *first;
    size_t count;
    bool noted;
};

/* A document, or a schema in it that has an $id. */
struct schema_resource {
    struct schema_dynamic *dynamics;
    /* Only while compiling: */
    const struct json *root;
    struct str uri;   /* without a fragment; empty if there is none */
    struct str place; /* of its root, as the path of an issue begins */
    uint32_t number;
    uint32_t vocabularies; /* VOCABULARY_... */
};

struct schema {
    struct arena arena;
    struct schema_node *root;
    struct schema_node *newest;
    size_t weight; /* checks that one value may cost at most; SIZE_MAX: cannot be told beforehand */
};

/* ---- what URIs and anchors name, while compiling -------------------------------------------- */

enum {
    VOCABULARY_CORE = 1,
    VOCABULARY_APPLICATOR = 2,
    VOCABULARY_UNEVALUATED = 4,
    VOCABULARY_VALIDATION = 8,
    VOCABULARY_OTHER = 16, /* meta-data, format-annotation, content: nothing is enforced */
    VOCABULARY_ALL = 31
};

struct schema_target {
    struct schema_resource *resource;
    struct schema_node *node;
    struct schema_dynamic_name *dynamic; /* the node is a $dynamicAnchor of that name */
};

struct schema_names {
    struct strmap map; /* to an index in `targets` */
    struct schema_target *targets;
    size_t count, cap;
    struct buf key;
    bool nomem; /* sticky */
};

void mgi_schema_names_fini(struct schema_names *n); /* an all-zero one is empty */

/* False if `uri`, or the anchor in `resource`, has a target already, or memory is short. */
bool mgi_schema_name_resource(struct schema_names *n, struct arena *arena, struct str uri,
                              struct schema_resource *resource);
bool mgi_schema_name_anchor(struct schema_names *n, struct arena *arena,
                            const struct schema_resource *resource, struct str anchor,
                            struct schema_target target);
struct schema_resource *mgi_schema_find_resource(struct schema_names *n, struct str uri);
const struct schema_target *mgi_schema_find_anchor(struct schema_names *n,
                                                   const struct schema_resource *resource,
                                                   struct str anchor);

/* The name that all $dynamicAnchors of this spelling share. It lives in `arena`; NULL: memory. */
struct schema_dynamic_name *mgi_schema_dynamic_name(struct schema_names *n, struct arena *arena,
                                                    struct str anchor);

/* RFC 3986, 5.2: what `ref` means in a document at `base`. Neither has a fragment. */
void mgi_schema_resolve_uri(struct str base, struct str ref, struct buf *out);

/* `ref` up to its '#', and what follows that (empty if there is none). */
void mgi_schema_split_uri(struct str ref, struct str *uri, struct str *fragment);

bool mgi_schema_is_anchor(struct str name); /* a letter or _, then letters, digits, - . _ */

/* The vocabularies that schemas of this metaschema use. *unknown: one that they need and that is
 * not known here, or ptr NULL. */
uint32_t mgi_schema_vocabularies(const struct json *metaschema, struct str *unknown);

/* ---- the finished nodes --------------------------------------------------------------------- */

bool mgi_schema_is_endless(const struct schema *s); /* in-place keywords form a circle */
size_t mgi_schema_weigh(const struct schema *s);
bool mgi_schema_note(struct schema *s); /* sets NODE_NOTED; false: memory */

/* ---- issues --------------------------------------------------------------------------------- */

void mgi_schema_issue(struct schema_issues *s, const char *path, const char *keyword,
                      const char *message);

/* ---- which members or items have been judged ------------------------------------------------ */

struct schema_seen {
    const struct json *instance; /* an object or array */
    uint64_t *bits;              /* of its members or items */
    uint64_t few;                /* where up to 64 are kept */
    bool unsure; /* alternatives have failed: what they would have judged is not known */
};

/* False when memory is short; nothing is to be ended then. */
bool mgi_schema_seen_init(struct schema_seen *s, const struct json *instance);
void mgi_schema_seen_fini(struct schema_seen *s);
void mgi_schema_seen_all(struct schema_seen *s, size_t count); /* the first so many */
void mgi_schema_seen_join(struct schema_seen *s, const struct schema_seen *other);

static inline void schema_seen_one(struct schema_seen *s, size_t i)
{
    s->bits[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline bool schema_seen_has(const struct schema_seen *s, size_t i)
{
    return s->bits[i / 64] >> (i % 64) & 1;
}

/* ---- uniqueness ----------------------------------------------------------------------------- */

enum schema_match { MATCH_NO, MATCH_YES, MATCH_UNDECIDED /* the limit came first, or memory */ };

/* Does `array` hold no item twice? Adds to *work what it took. */
enum schema_match mgi_schema_unique(const struct json *array, size_t *work);

/* ---- patterns: ECMA-262 regular expressions over PCRE2 -------------------------------------- */

/* Lives in `arena`. NULL: *why (in `scratch`) says what is wrong with it, or is NULL for memory. */
struct schema_pattern *mgi_schema_pattern(struct arena *arena, struct str source,
                                          struct arena *scratch, const char **why);

enum schema_match mgi_schema_match(const struct schema_pattern *p, struct str text);

/* The translation, for tests. False: *why is static. */
bool mgi_schema_translate(struct str source, struct buf *out, const char **why);

#endif
