/* What the parser makes and every later stage reads: clauses, premises, terms.
 *
 * Everything lives in the program's arena. Constants are interned at once, so a TERM_CONST is a
 * value of the program's table. Variables are numbers local to their clause; each `_` is its own
 * variable with wildcard set. After analysis: predicates and functions are resolved, premises stand
 * in the order of evaluation (M-ANA-10..14), program facts are values. */
#ifndef MGI_MANGLE_AST_H
#define MGI_MANGLE_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "mangle.h"
#include "mangle/builtin/builtin.h"

struct span {
    uint32_t source;     /* index into program.sources */
    uint32_t start, end; /* byte offsets */
};

enum term_kind { TERM_VAR, TERM_CONST, TERM_APPLY };

struct term {
    enum term_kind kind;
    struct span span;
    union {
        uint32_t var;       /* TERM_VAR: index into clause.vars */
        mangle_value value; /* TERM_CONST */
        struct {
            struct str name; /* "fn:plus"; list, map and struct literals are fn:list … */
            const struct function *row; /* resolved by analysis */
            struct term *args;
            uint32_t count;
        } apply;
    };
};

struct atom {
    struct str name;
    struct span span;
    mangle_pred pred; /* resolved by analysis; MANGLE_NO_PRED before, and for built-ins */
    const struct builtin_pred *builtin; /* resolved by analysis */
    struct term *args;
    uint32_t count;
};

enum bound_kind {
    BOUND_TIME,     /* ns: an instant */
    BOUND_DURATION, /* ns */
    BOUND_VAR,
    BOUND_NOW,
    BOUND_OPEN /* `_`: no bound on that side */
};

struct time_bound {
    enum bound_kind kind;
    int64_t ns;
    uint32_t var;
    struct span span;
};

/* @[start, end]. `@[t]` has start equal to end (same variable for a variable). */
struct annotation {
    bool present;
    bool point; /* was written with one bound */
    struct time_bound start, end;
    struct span span;
};

enum window_op {
    WINDOW_NONE,
    WINDOW_SOME_PAST,   /* <-  at some instant */
    WINDOW_ALL_PAST,    /* [-  at every instant */
    WINDOW_SOME_FUTURE, /* <+ */
    WINDOW_ALL_FUTURE   /* [+ */
};

enum premise_kind {
    PREMISE_ATOM,     /* a plain atom */
    PREMISE_TEMPORAL, /* an atom with a window, an annotation, or both */
    PREMISE_BUILTIN,  /* :lt(...), also infix; a test or a generator */
    PREMISE_EQ,
    PREMISE_NE
};

struct premise {
    enum premise_kind kind;
    bool negated; /* PREMISE_ATOM, _TEMPORAL, _BUILTIN */
    struct span span;
    struct atom atom;
    enum window_op window;
    struct time_bound near, far; /* of the window; a one-bound window has near = 0s (M-SYN-40) */
    struct annotation annotation;
    struct term left, right; /* PREMISE_EQ, PREMISE_NE; else TERM_CONST */
};

struct let {
    uint32_t var;
    struct term term; /* TERM_APPLY */
    struct span span;
};

/* |> do fn:group_by(keys…), let … or |> let … */
struct transform {
    bool is_do;
    struct term grouping; /* after `do`, as written: fn:group_by(keys…), or an error; TERM_CONST if
                             not is_do */
    uint32_t *keys;       /* variables; filled by analysis */
    uint32_t key_count;
    struct let *lets;
    uint32_t let_count;
    struct span span;
};

struct var {
    struct str name; /* "_" for a wildcard */
    bool wildcard;
    struct span first;
};

struct clause {
    struct atom head;
    struct annotation annotation;
    struct premise *premises;
    uint32_t premise_count;      /* 0: a fact */
    struct transform *transform; /* or NULL */
    uint32_t stage_count;        /* |> stages as written (M-ANA-32) */
    struct span second_stage;    /* where the second one begins */
    struct var *vars;
    uint32_t var_count;
    struct span span;
    uint32_t unit;    /* index of the compilation unit (packages) */
    const char *text; /* of a rule, as it was written; filled when its premises are put in order */
    bool faulty;      /* the clause check has reported something of it */
};

/* Decl … */
struct decl {
    struct atom atom; /* arguments are variables of `vars` */
    struct var *vars;
    uint32_t var_count;
    bool temporal;
    struct atom *descr;
    uint32_t descr_count;
    struct term **bounds; /* rows of bound_counts[i] terms */
    uint32_t *bound_counts;
    uint32_t bound_row_count;
    struct atom *inclusion;
    uint32_t inclusion_count;
    struct span span;
    uint32_t unit;
};

static inline bool mgi_annotation_eternal(const struct annotation *a)
{
    return a->start.kind == BOUND_OPEN && a->end.kind == BOUND_OPEN;
}

/* ---- ast_print.c: the printed form of M-VAL-65/66; rule ids hash it ------------------------- */

struct mangle_program;
void mgi_term_print(struct buf *out, const mangle_values *values, const struct var *vars,
                    const struct term *t);
void mgi_clause_print(struct buf *out, const struct mangle_program *p, const struct clause *c);
void mgi_premise_print(struct buf *out, const struct mangle_program *p, const struct clause *c,
                       const struct premise *premise);
void mgi_atom_print(struct buf *out, const struct mangle_program *p, const struct clause *c,
                    const struct atom *a);

/* ---- ast.c ---------------------------------------------------------------------------------- */

bool mgi_term_has_call(const struct term *term);

/* The premise that stands at `index` in the source: analysis moves negated ones (M-ANA-11). */
const struct premise *mgi_premise_written(const struct clause *c, uint32_t index);

#endif
