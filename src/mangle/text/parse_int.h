/* The parser's own wall: what its files share. parse_token.c is its place in the text,
 * parse_fault.c words what is wrong, parse_term.c reads terms, parse_time.c time bounds,
 * parse_decl.c declarations, parse.c clauses and units. */
#ifndef MGI_MANGLE_PARSE_INT_H
#define MGI_MANGLE_PARSE_INT_H

#include "mangle/text/parse.h"

/* Report (the first of a clause only) and return false. */
bool mgi_parser_fail(struct parser *x, struct span span, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool mgi_parser_fail_code(struct parser *x, const char *code, struct span span, const char *hint,
                          const char *format, ...) __attribute__((format(printf, 5, 6)));
bool mgi_parser_take(struct parser *x, enum token_kind kind, const char *what);
bool mgi_parser_take_end(struct parser *x, const char *what); /* the dot of a clause */
/* The bracket at `open` is to be closed; reported there if what stands here ends the clause. */
bool mgi_parser_close(struct parser *x, enum token_kind kind, const char *what, struct span open);
bool mgi_parser_unclosed(struct parser *x, const char *what, struct span open);
bool mgi_parser_no_value(struct parser *x, const struct term *atom); /* an atom as a value */
bool mgi_parser_not_a_call(struct parser *x, struct span name);      /* not(p(X)) */
bool mgi_parser_at_line_start(const struct parser *x);
/* `Did you mean "…"?`, or NULL. */
const char *mgi_parser_near_word(struct parser *x, struct str word, const char *const *words,
                                 size_t count);

struct span mgi_parser_span(const struct parser *x, uint32_t start); /* from there to here */
struct span mgi_token_span(const struct parser *x);

bool mgi_parser_take_var(struct parser *x, uint32_t *index); /* the variable at hand, consumed */

bool mgi_parser_at_term(const struct parser *x); /* can a term begin here? */
/* Any term, also an atom: a call whose name does not begin with fn:. */
bool mgi_parse_term(struct parser *x, struct term *out, uint32_t depth);
bool mgi_term_is_atom(const struct term *t);
bool mgi_term_to_atom(struct parser *x, const struct term *t, struct atom *out);
/* `[` atom, … `]` for descr and inclusion. */
bool mgi_parse_atoms(struct parser *x, struct atom **out, uint32_t *count);
bool mgi_parse_annotation(struct parser *x, struct annotation *out);
bool mgi_parse_window(struct parser *x, struct premise *out);
bool mgi_at_window(const struct parser *x);

bool mgi_parse_decl(struct parser *x, struct decl *out); /* from Decl to its dot */

#endif
