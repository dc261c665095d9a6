/* What the two files share that compile a schema: the compiler, and how nodes are made. */
#ifndef MGI_PROTOCOL_SCHEMA_COMPILE_INT_H
#define MGI_PROTOCOL_SCHEMA_COMPILE_INT_H

#include "protocol/schema_int.h"

struct pending_ref {
    struct schema_check *check;
    const struct json *value;
    struct str path;                  /* of its subschema, for messages */
    struct schema_resource *resource; /* where it stands */
};

struct compiler {
    struct schema *s;
    const struct schema_others *others;
    struct schema_resource *resource; /* of the subschema that is being compiled */
    uint32_t resources;
    int flags;
    struct schema_issues *issues;
    struct buf path; /* JSON Pointer of where we are */
    uint32_t depth;
    bool nomem;
    bool faulty;                /* the list of issues may be full */
    struct schema_node **table; /* by address of the source, open addressing */
    size_t table_count, table_cap;
    struct pending_ref *refs;
    size_t ref_count, ref_cap;
    struct schema_names names;
};

void mgi_schema_complain(struct compiler *c, const char *keyword,
                         const char *message); /* at c->path */
void mgi_schema_go_to(struct compiler *c, struct str path);

/* In the schema's arena, zeroed; NULL sets c->nomem. */
void *mgi_schema_alloc(struct compiler *c, size_t count, size_t size);

/* The node of the subschema at `source`, in c->resource; c->path is its place. NULL when memory is
 * short. What it refers to is added to c->refs. */
struct schema_node *mgi_schema_node_at(struct compiler *c, const struct json *source);

/* A resource whose root is at c->path. NULL when memory is short. */
struct schema_resource *mgi_schema_add_resource(struct compiler *c, struct str uri,
                                                const struct json *root);

/* The URI of `ref` where `from` is the base, in the schema's arena. ptr NULL: it is too long, or
 * c->nomem. */
struct str mgi_schema_absolute(struct compiler *c, const struct schema_resource *from,
                               struct str ref);

/* The schema of the caller's table that has this URI, or NULL. */
const struct schema_other *mgi_schema_other(const struct compiler *c, struct str uri);

#endif
