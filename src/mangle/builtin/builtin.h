/* Built-in functions, predicates and reducers, as rows of tables (mangle.md sections 11 to 13).
 * To add one: a function and its row in builtin_<family>.c here, a case in
 * tests/mangle/cases/builtin/. Checker, evaluator, help and docs read the rows and are not edited.
 */
#ifndef MGI_MANGLE_BUILTIN_H
#define MGI_MANGLE_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "mangle/value/value.h"

#define BUILTIN_VARIADIC      UINT32_MAX
#define BUILTIN_MAX_PRED_ARGS 3

/* What a call may use. `error` is written when the call returns CALL_ERROR. */
struct call {
    mangle_values *values;                  /* new values go here */
    struct arena *scratch;                  /* reset by the caller between rule firings */
    int64_t now_ns;                         /* the evaluation time (fn:time:now) */
    const struct mangle_zone_source *zones; /* NULL: only UTC is known (M-FUN-70) */
    bool
        negated; /* the predicate stands in a negated premise: :list:member is strict (M-PRED-13) */
    char error[256]; /* lower case, names the function: "fn:div: division by zero" */
};

enum call_status {
    CALL_OK,    /* a value; for a predicate: one more solution */
    CALL_FAIL,  /* predicates only: no (more) solution */
    CALL_ERROR, /* M-EVAL-12; call->error says why */
    CALL_NOMEM  /* mgi_values_fault() says whether it was the values' limit */
};

/* Set the error text and return CALL_ERROR. */
enum call_status mgi_call_error(struct call *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What the bounds check makes of a call where a signature cannot say it (M-TYPE-40 to 67). */
enum typing {
    TYPING_SIGNATURE, /* `type` says it all */
    TYPING_LIST,      /* a list of what the arguments join to */
    TYPING_MAP,       /* the same of keys and values */
    TYPING_STRUCT,    /* labels and values */
    TYPING_TUPLE,     /* right-nested pairs */
    TYPING_ROWS,      /* a reducer: a list of the tuples of its arguments */
    TYPING_FIELD,     /* the field that a constant label names; of predicates: the third argument */
    TYPING_PREFIX     /* a predicate: the first argument is below a name, or, negated, is not */
};

/* What a reducer does with small integers, one row after the other: then groups need not be
 * gathered. Sums of as many as there can be do not overflow. */
enum fold { FOLD_NONE, FOLD_COUNT, FOLD_SUM, FOLD_MIN, FOLD_MAX };

/* fn:... Arguments are values. */
struct function {
    const char *name;            /* "fn:plus" */
    uint32_t min_args, max_args; /* BUILTIN_VARIADIC: no upper bound */
    bool even_args;              /* FN_ODD for an odd number */
    enum call_status (*apply)(struct call *c, const mangle_value *args, uint32_t count,
                              mangle_value *out); /* NULL: only a reducer */
    /* A reducer: `rows` rows of `count` argument values each, row after row, in row order
     * (M-EVAL-31). Rows are distinct before their arguments are evaluated (M-AGG-5), so one without
     * arguments is called with count 0. NULL: not a reducer. */
    enum call_status (*reduce)(struct call *c, const mangle_value *table, size_t rows,
                               uint32_t count, mangle_value *out);
    bool reduces_list;   /* a reducer whose `apply` takes a list (11.1, last column) */
    bool skips_bad_rows; /* M-AGG-20 */
    bool any_order;      /* a reducer: the order of the rows does not show in the result */
    enum fold fold;
    bool reads_now; /* depends on the evaluation time */
    enum typing typing;
    bool typed_only;  /* to the bounds check a value of which nothing is known does not fit
                         (M-TYPE-46); so it is for every reducer (M-TYPE-48) */
    bool floats_only; /* nor does a number, though evaluation lets it in (M-TYPE-47) */
    const char *type; /* signature for the bounds check: "/number, /number -> /number". Upper-case
                       * words are type variables; "T..." repeats the last argument, "K, V..."
                       * with even_args the last two */
    const char *doc;  /* one sentence */
    const char *example[3]; /* rule, facts, expected fact; NULLs if none */
};

enum builtin_mode { MODE_IN, MODE_OUT };

enum time_order { TIME_NO_ORDER, TIME_LT, TIME_LE, TIME_GT, TIME_GE };

/* :lt, :match_cons, ... */
struct builtin_pred {
    const char *name; /* ":lt" */
    uint32_t arity;
    enum builtin_mode modes[BUILTIN_MAX_PRED_ARGS];
    /* Next solution. args[] has values at MODE_IN positions and MANGLE_NONE at MODE_OUT ones, where
     * it writes. *cursor is 0 at the first call and belongs to the predicate until CALL_FAIL. Tests
     * return CALL_OK once, then CALL_FAIL (`single` spares the second call). */
    enum call_status (*next)(struct call *c, mangle_value *args, uint64_t *cursor);
    bool single;
    bool cannot_fail_on_kind; /* never CALL_ERROR, whatever the kinds: may be reordered (M-EVAL-14)
                               */
    bool negation_fails_on_kind; /* but when it is negated */
    enum time_order time_order;  /* it compares two times, and how */
    const char *infix;           /* "<" for X < Y, or NULL */
    enum typing typing;
    const char *type; /* of the arguments: "fn:List(X), X, fn:List(X)" */
    const char *doc;
    const char *example[3];
};

/* fn:plus and fn:minus that refuse arguments and results beyond the small integers, so that they
 * never wrap around: for rules that are evaluated otherwise if one refuses (check/least.h). */
extern const struct function mgi_small_plus, mgi_small_minus;

/* Look-ups over all families, for the compiler; NULL if there is none. */
const struct function *mgi_function_find(struct str name);
const struct builtin_pred *mgi_builtin_pred_find(struct str name);

/* All rows, family by family, for help, docs and the test that walks them. NULL past the end. */
const struct function *mgi_function_at(size_t index);
const struct builtin_pred *mgi_builtin_pred_at(size_t index);

/* Nearest known name by edit distance for "did you mean", or NULL. */
const char *mgi_function_suggest(struct str name);
const char *mgi_builtin_pred_suggest(struct str name);

#endif
