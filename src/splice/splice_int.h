/* What the two forms share. */
#ifndef MGI_SPLICE_SPLICE_INT_H
#define MGI_SPLICE_SPLICE_INT_H

#include "splice/splice.h"

#define SPLICE_DEPTH 64

struct span {
    size_t from, to;
};

/* Says where and what; for `return`. */
enum splice_status mgi_splice_refuse(struct splice_fault *fault, struct str text, size_t at,
                                     const char *message);

/* What ends the text's first line; "\n" where there is only one. */
struct str mgi_splice_line_end(struct str text);

/* Past a byte order mark. */
size_t mgi_splice_start(struct str text);

/* JSON: `plain`, a copy of the text, as long as it is, has blanks where comments and (in `bare`
 * they stand yet) commas behind the last are. Both in the arena. */
struct plain_json {
    struct str text, bare, plain;
    struct json root; /* JSON_NULL: the text is empty */
};
enum splice_status mgi_splice_parse_json(struct arena *arena, bool comments, struct str text,
                                         struct plain_json *out, struct splice_fault *fault);
enum splice_status mgi_splice_put_json(struct arena *arena, const struct plain_json *p,
                                       const struct splice_place *place, const struct json *value,
                                       struct buf *out, bool *made_section,
                                       struct splice_fault *fault);
enum splice_status mgi_splice_take_json(const struct plain_json *p,
                                        const struct splice_place *place, bool with_section,
                                        struct buf *out);

/* TOML: the text as JSON text, and where the tables of an entry are: [SECTION.NAME] and below. */
struct toml_tables {
    struct splice_place place; /* looked for */
    struct span *items;        /* from the header to the end of its last line with something */
    size_t count, cap;
    bool section; /* [SECTION.…] or the like is there */
    bool closed;  /* SECTION cannot be extended by a table: it is no table, or an inline one */
};
enum splice_status mgi_splice_parse_toml(struct arena *arena, struct str text, struct buf *json,
                                         struct toml_tables *tables, struct splice_fault *fault);
enum splice_status mgi_splice_put_toml(struct arena *arena, struct str text,
                                       const struct splice_place *place, const struct json *value,
                                       struct buf *out, bool *made_section,
                                       struct splice_fault *fault);
enum splice_status mgi_splice_take_toml(struct arena *arena, struct str text,
                                        const struct splice_place *place, struct buf *out,
                                        struct splice_fault *fault);

#endif
