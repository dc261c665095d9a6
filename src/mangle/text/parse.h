/* Text to clauses: the parser as later stages use it. It reads a whole program (mgi_parse(), the
 * first stage), or piece by piece what stands by itself: one atom, one value, facts, signatures. */
#ifndef MGI_MANGLE_PARSE_H
#define MGI_MANGLE_PARSE_H

#include "mangle/program/diag.h"
#include "mangle/text/lex.h"

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

/* The first stage: sources to clauses, declarations and units of `p`. Reports all it finds and goes
 * on behind each fault; MANGLE_OK, or MANGLE_ERR_NOMEM. */
enum mangle_status mgi_parse(mangle_program *p, const struct mangle_source *sources, size_t count,
                             mangle_diags *diags);

/* A copy of `source` in the arena with ill-formed bytes as U+FFFD (M-LEX-1). */
bool mgi_source_copy(struct arena *arena, const struct mangle_source *from, struct source *to);

/* The same, but a text that is well-formed is borrowed. */
bool mgi_source_view(struct arena *arena, const struct mangle_source *from, struct source *to);

/* Begins at the first token of `source`. Everything is borrowed until mgi_parser_fini(); what is
 * parsed lives in `arena`, its constants in `values`; `diags` may be NULL. */
void mgi_parser_init(struct parser *x, const struct source *source, uint32_t source_index,
                     struct arena *arena, mangle_values *values, mangle_diags *diags);
void mgi_parser_fini(struct parser *x);
void mgi_parser_next(struct parser *x); /* consume the token */
/* On with the token behind `end`, which is behind a dot that ended a clause. */
void mgi_parser_skip(struct parser *x, uint32_t end);
void mgi_parser_forget(struct parser *x); /* the variables and marks of the clause before */

/* Report (the first of a clause only) and return false: `expected <what>, but found …`. */
bool mgi_parser_expected(struct parser *x, const char *what);
bool mgi_parser_expected_hint(struct parser *x, const char *what, const char *hint);
bool mgi_parser_oom(struct parser *x);

/* False after reporting. */
bool mgi_parse_value(struct parser *x, struct term *out, uint32_t depth); /* a term, no atom */
bool mgi_parse_atom_term(struct parser *x, struct atom *out);
bool mgi_parse_terms(struct parser *x, struct term **out, uint32_t *count); /* `[` term, … `]` */
bool mgi_parse_clause(struct parser *x, struct clause *out); /* up to and with its dot */
/* Variables of the clause at hand, copied into the arena. */
bool mgi_parser_vars(struct parser *x, struct var **vars, uint32_t *count);
/* After an error: to behind the next clause end. */
void mgi_parser_resync(struct parser *x, uint32_t clause_start);

/* What to write instead of a word of another language, or NULL. */
const char *mgi_habit_of_word(struct str word);

#endif
