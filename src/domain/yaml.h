/* YAML text -> a tree with positions, over libyaml's events (docs/domain-format.md, "YAML").
 *
 * What is refused beside bad syntax: duplicate keys, keys that are not scalars, anchors, aliases,
 * tags, more than one document, more than 64 levels. Every fault that does not stop the parser is
 * reported, not the first. Nodes live in the arena. */
#ifndef MGI_DOMAIN_YAML_H
#define MGI_DOMAIN_YAML_H

#include "domain/domain.h"

#define YAML_MAX_DEPTH 64

enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP };

struct prepared;
struct yaml_node;
struct yaml_entry {
    struct str key; /* empty in a list */
    uint32_t line, column;
    struct yaml_node *value;
};

struct yaml_node {
    enum yaml_kind kind;
    const char *origin;    /* file for findings; "--set …" for an override */
    uint32_t line, column; /* from 1; 0 for an override */
    struct str text;       /* of a scalar */
    bool plain;            /* a scalar without quotes: may be a number, a boolean or null */
    struct yaml_entry *entries;
    size_t count, cap;
};

/* What findings and nodes are made with while one folder is loaded. */
struct yaml_context {
    struct arena *arena; /* texts of nodes, and all that stays */
    struct findings *findings;
    struct arena *scratch;     /* nodes and whole files, which do not; NULL: `arena` */
    struct prepared *prepared; /* of earlier loads, and for later ones; NULL: nothing */
};

/* Where what is not kept goes. */
static inline struct arena *mgi_yaml_scratch(const struct yaml_context *c)
{
    return c->scratch ? c->scratch : c->arena;
}

/* The tree, or NULL after a finding. `line_offset` is added to every line (front matter). An empty
 * document is an empty map. */
struct yaml_node *mgi_yaml_parse(const struct yaml_context *c, const char *file, struct str text,
                                 uint32_t line_offset);

/* The value of `key`, or NULL. */
struct yaml_node *mgi_yaml_get(const struct yaml_node *map, const char *key);

/* Adds or replaces an entry. False when memory is short. */
bool mgi_yaml_put(struct arena *arena, struct yaml_node *map, struct str key,
                  struct yaml_node *value);

bool mgi_yaml_is_null(const struct yaml_node *n);
bool mgi_yaml_bool(const struct yaml_node *n, bool *out);
bool mgi_yaml_int(const struct yaml_node *n, int64_t *out);

/* As JSON text, by the rules of the page; then as a DOM in the arena (text included). */
void mgi_yaml_write_json(struct json_writer *w, const struct yaml_node *n);
bool mgi_yaml_to_json(struct arena *arena, const struct yaml_node *n, struct json *out);

/* The node at a JSON pointer, or the deepest one on the way to it. */
const struct yaml_node *mgi_yaml_at(const struct yaml_node *n, const char *pointer);

/* An error at a node. */
void mgi_yaml_error(const struct yaml_context *c, const struct yaml_node *at, const char *code,
                    const char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* A text value of an entry, or an error and ""; without an entry, an error only if required. */
struct str mgi_yaml_text(const struct yaml_context *c, const struct yaml_node *map, const char *key,
                         bool required);

/* A duration of at least a millisecond into *ms, or an error that calls it `what`; NULL is fine. */
void mgi_yaml_duration_ms(const struct yaml_context *c, const struct yaml_node *n, const char *what,
                          uint32_t *ms);

/* Report every key of `map` that is not in the NULL-terminated list, with the nearest one that is.
 */
void mgi_yaml_known_keys(const struct yaml_context *c, const struct yaml_node *map,
                         const char *where, const char *const *keys);

/* The nearest of `names` (NULL-terminated) to `name` by edit distance; where none is near, the
 * first that begins with it; or NULL. */
const char *mgi_nearest_name(struct str name, const char *const *names);

const char *mgi_yaml_kind_name(const struct yaml_node *n); /* "a list", "a map", "text" … */

#endif
