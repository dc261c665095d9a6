/* The json plugin: questions to a JSON document, and documents made of others. Pure: the same input
 * gives the same output, byte for byte, and nothing is read or written.
 *
 * Paths are JSONPath as RFC 9535 has it, pointers are RFC 6901, patches RFC 6902, merge patches RFC
 * 7396. Values are the DOM of base/json.h, never changed once they are made: what a step makes
 * shares what it takes over. So a document may be large as text where it is small in memory, and
 * every walk is counted: a call that takes more than JSON_MOST_STEPS fails. */
#ifndef PLUGINS_JSON_JSON_PLUGIN_H
#define PLUGINS_JSON_JSON_PLUGIN_H

#include "plugins/support/action.h"

#define JSON_DEPTH      64       /* of documents: what the host lets pass (T-JSON-3) */
#define JSON_MOST_STEPS 20000000 /* values looked at, members compared, characters copied */
#define JSON_MOST_NODES 100000   /* of one node list */
#define PATH_MOST_BYTES 4096
#define PATH_MOST_DEPTH 24 /* of brackets and queries in a path */

/* What a walk works with: where memory comes from, what it may cost, and when to stop. */
struct work {
    struct arena *arena;
    struct action *action; /* asked whether to stop; NULL: never */
    int64_t steps;         /* left */
    const char *fault;     /* why nothing more is done; NULL: nothing is wrong */
};

void mgi_work_init(struct work *w, struct arena *arena, struct action *action);
/* False: there are none left, or the call has to stop; w->fault says so. */
bool mgi_work_step(struct work *w, int64_t count);
/* Memory of the arena, counted; NULL with a fault. */
void *mgi_work_alloc(struct work *w, size_t count, size_t size);

/* ---- values (value.c) ----------------------------------------------------------------------- */

struct json mgi_json_text_value(struct str text); /* a string */
struct json mgi_json_int_value(struct work *w, int64_t n);
struct json mgi_json_list(struct json *items, size_t count);
struct json mgi_json_object(struct json_member *members, size_t count);

/* Numbers by their value, strings by their code points; false where there is no order. */
bool mgi_json_less(const struct json *a, const struct json *b);
/* As mgi_json_equal(), counted. */
bool mgi_json_same(struct work *w, const struct json *a, const struct json *b);
/* For sorting anything: null, false, true, numbers, strings, lists, objects. */
int mgi_json_order(const struct json *a, const struct json *b);
/* A pointer of RFC 6901: empty or with / at its begin, and each ~ is of ~0 or ~1. */
bool mgi_json_is_pointer(struct str text);
/* False with a fault: deeper than JSON_DEPTH, or too large to look at. */
bool mgi_json_fits(struct work *w, const struct json *v);

/* ---- JSONPath: path_parse.c, path_eval.c ---------------------------------------------------- */

enum selector_kind { SELECT_NAME, SELECT_WILDCARD, SELECT_INDEX, SELECT_SLICE, SELECT_FILTER };

struct path_expression;

struct path_selector {
    enum selector_kind kind;
    struct str name;
    int64_t start, end, step; /* index: start */
    bool has_start, has_end;
    struct path_expression *filter;
    struct path_selector *next;
};

struct path_segment {
    bool descendant;
    struct path_selector *selectors; /* at least one */
    struct path_segment *next;
};

struct path {
    bool relative; /* begins with @; only inside filters */
    bool singular; /* selects at most one node, whatever the document is */
    struct path_segment *segments;
};

enum expression_kind {
    EXPRESSION_OR,
    EXPRESSION_AND,
    EXPRESSION_NOT,
    EXPRESSION_COMPARE,
    EXPRESSION_EXISTS, /* a query that finds something */
    EXPRESSION_FUNCTION,
    EXPRESSION_LITERAL,
    EXPRESSION_QUERY /* a singular one, or an argument */
};

enum comparison { IS_EQUAL, IS_UNEQUAL, IS_LESS, IS_AT_MOST, IS_MORE, IS_AT_LEAST };
enum path_function { FN_LENGTH, FN_COUNT, FN_MATCH, FN_SEARCH, FN_VALUE };

struct path_expression {
    enum expression_kind kind;
    enum comparison comparison;
    enum path_function function;
    struct path_expression *left, *right; /* operands, or arguments */
    struct path query;
    struct json literal;
    void *regex; /* compiled, of a literal pattern; the arena's */
};

/* The path in the arena. False: `why` says where (counted in bytes from 0) and what. */
bool mgi_path_parse(struct arena *arena, struct str text, struct path *out, struct buf *why);

/* A node: a value and where it was found. */
struct path_node {
    const struct json *value;
    const struct path_node *parent; /* NULL: the root */
    struct str name;                /* of the member; ptr NULL: an element */
    uint32_t index;
};

struct path_nodes {
    const struct path_node **items;
    size_t count, cap;
};

/* All nodes that the path selects in `root`, in the order of the standard. False with w->fault. */
bool mgi_path_select(struct work *w, const struct path *path, const struct json *root,
                     struct path_nodes *out);

/* The node's normalized path: $['a'][0]. */
void mgi_path_put(struct buf *out, const struct path_node *node);

/* A pattern of match() or search() (RFC 9485). NULL: it is none, or memory is short. */
void *mgi_path_regex(struct arena *arena, struct str pattern, bool whole);
/* False, also where it takes too many steps. */
bool mgi_path_regex_matches(void *regex, struct str text);

/* ---- patches: patch.c, diff.c --------------------------------------------------------------- */

/* `document` after the operations, all or none. False: `why`. */
bool mgi_json_patch(struct work *w, const struct json *document, const struct json *operations,
                    struct json *out, struct buf *why);

/* RFC 7396. False with w->fault. */
bool mgi_json_merge(struct work *w, const struct json *target, const struct json *patch,
                    struct json *out);

/* A patch of RFC 6902 that makes `to` of `from`: written as an array. */
bool mgi_json_diff(struct work *w, const struct json *from, const struct json *to,
                   struct json_writer *out, size_t *operations);

/* ---- transform.c: one step of a transformation ---------------------------------------------- */

/* False: `why` or w->fault. */
bool mgi_json_transform(struct work *w, const struct json *step, const struct json *document,
                        struct json *out, struct buf *why);

bool mgi_json_query(struct action *a);
bool mgi_json_transform_action(struct action *a);
bool mgi_json_diff_action(struct action *a);

#endif
