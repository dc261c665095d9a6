/* The parser's own wall: what its files share. parse_term.c reads terms, parse_time.c time
 * bounds, parse.c clauses and units, parse_decl.c declarations, parse_target.c single atoms and
 * fact files, parse_fault.c words what is wrong. */
#ifndef MGI_MANGLE_PARSE_INT_H
#define MGI_MANGLE_PARSE_INT_H

#include "mangle/diag.h"
#include "mangle/lex.h"

#define PARSE_MAX_DEPTH 200 /* brackets and calls (M-LIM-13) */

struct parser {
    struct lexer lexer;
    struct token token;                    /* the next one, not yet consumed */
    uint32_t consumed_start, consumed_end; /* the last consumed token */
    enum token_kind consumed;              /* and its kind */
    struct arena *arena;                   /* what is parsed lives here */
    mangle_values *values;
    mangle_diags *diags;
    const struct source *source;
    uint32_t source_index; /* for spans */
    struct var *vars;      /* of the clause at hand; heap, copied when it is complete */
    size_t var_count, var_cap;
    struct strmap var_index;
    struct term *stack; /* terms of the brackets that are open; heap */
    size_t stack_count, stack_cap;
    bool declaring; /* inside the arguments or descriptors of a Decl */
    bool failed;    /* the clause at hand has an error: one is reported, the rest is skipped */
    bool oom;
};

void mgi_parser_init(struct parser *x, const struct source *source, uint32_t source_index,
                     struct arena *arena, mangle_values *values, mangle_diags *diags);
void mgi_parser_fini(struct parser *x);
void mgi_parser_next(struct parser *x);   /* consume the token */
void mgi_parser_forget(struct parser *x); /* the variables and marks of the clause before */

/* Report (the first of a clause only) and return false. */
bool mgi_parser_fail(struct parser *x, struct span span, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool mgi_parser_fail_code(struct parser *x, const char *code, struct span span, const char *hint,
                          const char *format, ...) __attribute__((format(printf, 5, 6)));
bool mgi_parser_oom(struct parser *x);
bool mgi_parser_expected(struct parser *x, const char *what); /* … "but found …" */
bool mgi_parser_expected_hint(struct parser *x, const char *what, const char *hint);
bool mgi_parser_take(struct parser *x, enum token_kind kind, const char *what);
bool mgi_parser_take_end(struct parser *x, const char *what); /* the dot of a clause */
/* The bracket at `open` is to be closed; reported there if what stands here ends the clause. */
bool mgi_parser_close(struct parser *x, enum token_kind kind, const char *what, struct span open);
bool mgi_parser_unclosed(struct parser *x, const char *what, struct span open);
bool mgi_parser_no_value(struct parser *x, const struct term *atom); /* an atom as a value */
bool mgi_parser_not_a_call(struct parser *x, struct span name);      /* not(p(X)) */
bool mgi_parser_at_line_start(const struct parser *x);
/* What to write instead of a word of another language, or NULL. */
const char *mgi_habit_of_word(struct str word);
/* `Did you mean "…"?`, or NULL. */
const char *mgi_parser_near_word(struct parser *x, struct str word, const char *const *words,
                                 size_t count);

struct span mgi_parser_span(const struct parser *x, uint32_t start); /* from there to here */
struct span mgi_token_span(const struct parser *x);

bool mgi_parser_take_var(struct parser *x, uint32_t *index); /* the variable at hand, consumed */
/* Variables of the clause at hand, copied into the arena. */
bool mgi_parser_vars(struct parser *x, struct var **vars, uint32_t *count);

bool mgi_parser_at_term(const struct parser *x); /* can a term begin here? */
/* Any term; one whose name does not begin with fn: is an atom. */
bool mgi_parse_term(struct parser *x, struct term *out, uint32_t depth);
bool mgi_parse_value(struct parser *x, struct term *out, uint32_t depth); /* … not an atom */
bool mgi_term_is_atom(const struct term *t);
bool mgi_parse_atom_term(struct parser *x, struct atom *out); /* must be an atom */
bool mgi_term_to_atom(struct parser *x, const struct term *t, struct atom *out);
/* `[` term, … `]` for bound rows; `[` atom, … `]` for descr and inclusion. */
bool mgi_parse_terms(struct parser *x, struct term **out, uint32_t *count);
bool mgi_parse_atoms(struct parser *x, struct atom **out, uint32_t *count);
bool mgi_parse_annotation(struct parser *x, struct annotation *out);
bool mgi_parse_window(struct parser *x, struct premise *out);
bool mgi_at_window(const struct parser *x);

/* One clause (or fact) up to and with its dot. */
bool mgi_parse_clause(struct parser *x, struct clause *out);
bool mgi_parse_decl(struct parser *x, struct decl *out); /* from Decl to its dot */
/* After an error: to behind the next clause end. */
void mgi_parser_resync(struct parser *x, uint32_t clause_start);

/* A copy of `source` in the arena with ill-formed bytes as U+FFFD (M-LEX-1). */
bool mgi_source_copy(struct arena *arena, const struct mangle_source *from, struct source *to);

#endif
