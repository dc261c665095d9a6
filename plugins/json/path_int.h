/* What the files that read a JSONPath share: the text, where one is in it, and what is wrong. */
#ifndef PLUGINS_JSON_PATH_INT_H
#define PLUGINS_JSON_PATH_INT_H

#include "plugins/json/json_plugin.h"

struct path_reader {
    struct arena *arena;
    struct str text;
    size_t at;
    unsigned depth; /* of brackets, queries and functions; at most PATH_MOST_DEPTH */
    size_t fault_at;
    const char *fault; /* the first one; NULL: none */
};

/* Always false. The first fault counts. */
bool mgi_path_fail(struct path_reader *r, size_t at, const char *what);
/* Zeroed memory of the arena; NULL is a fault. */
void *mgi_path_make(struct path_reader *r, size_t size);
bool mgi_path_enter(struct path_reader *r);

char mgi_path_peek(const struct path_reader *r); /* NUL at the end */
bool mgi_path_take(struct path_reader *r, char c);
bool mgi_path_take_word(struct path_reader *r, const char *word);
void mgi_path_space(struct path_reader *r);
bool mgi_path_is_digit(char c);

/* A name behind a dot. */
bool mgi_path_name(struct path_reader *r, struct str *name);
/* Without leading zeros, without -0, within 2^53. False: there is none; a wrong one is a fault. */
bool mgi_path_integer(struct path_reader *r, int64_t *out);
/* The text of a string in single or double quotes, which begins here. */
bool mgi_path_string(struct path_reader *r, struct str *out);

/* path_expression.c: what stands behind "?". NULL with a fault. */
struct path_expression *mgi_path_expression(struct path_reader *r);
/* path_parse.c: a query that begins here, with $ or @. */
bool mgi_path_query(struct path_reader *r, struct path *out);

#endif
