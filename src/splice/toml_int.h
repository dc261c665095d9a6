/* TOML's tree, and its values. */
#ifndef MGI_SPLICE_TOML_INT_H
#define MGI_SPLICE_TOML_INT_H

#include "splice/splice_int.h"

enum toml_kind { TOML_SCALAR, TOML_ARRAY, TOML_TABLE };

/* How a table came to be decides who may add to it. */
enum toml_made {
    TOML_IMPLIED, /* by the header of a table below it */
    TOML_HEADER,  /* [by its own] */
    TOML_DOTTED,  /* by a dotted key */
    TOML_CLOSED   /* {inline}: nobody */
};

struct toml_node {
    struct str key;
    enum toml_kind kind;
    enum toml_made made;
    bool of_tables;  /* an array that [[headers]] add to */
    struct str json; /* of a scalar */
    struct toml_node *first, *last, *next;
};

struct toml_reader {
    struct arena *arena;
    struct str text;
    size_t at;
    struct splice_fault *fault;
    enum splice_status status;
    unsigned depth;
};

/* All of these: false after status and fault were set. */
bool mgi_toml_fail(struct toml_reader *r, size_t at, const char *message);
struct toml_node *mgi_toml_new(struct toml_reader *r, struct toml_node *parent, struct str key,
                               enum toml_kind kind);
struct toml_node *mgi_toml_child(const struct toml_node *table, struct str key);

/* A key at `at`: bare or quoted. */
bool mgi_toml_key(struct toml_reader *r, struct str *out);
/* key.key = value, into `table`. */
bool mgi_toml_pair(struct toml_reader *r, struct toml_node *table);
void mgi_toml_blanks(struct toml_reader *r); /* past blanks and tabs */
/* Past a comment; false: it has a control character (told). */
bool mgi_toml_comment(struct toml_reader *r);
/* One byte, or 0 at the end. */
static inline char toml_peek(const struct toml_reader *r)
{
    return r->at < r->text.len ? r->text.ptr[r->at] : '\0';
}

#endif
