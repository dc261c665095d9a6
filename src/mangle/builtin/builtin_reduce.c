/* Reducers (11.1). The numeric ones, usable on lists too, are folds: a start value, which is also
 * the answer for an empty list, and a step. Rows come in row order, so collecting is deterministic.
 */
#include <float.h>
#include <math.h>

#include "mangle/builtin/builtin_int.h"

/* ---- folds over integers: numbers, times, durations ---------------------------------------- */

typedef int64_t int_step(int64_t so_far, int64_t n);

static int64_t step_sum(int64_t so_far, int64_t n)
{
    return (int64_t)((uint64_t)so_far + (uint64_t)n);
}

static int64_t step_min(int64_t so_far, int64_t n)
{
    return n < so_far ? n : so_far;
}

static int64_t step_max(int64_t so_far, int64_t n)
{
    return n > so_far ? n : so_far;
}

struct int_fold {
    const char *function;
    enum mangle_kind kind;
    int_step *step;
    int64_t start;
};

static enum call_status fold_ints(struct call *c, const struct int_fold *fold,
                                  const mangle_value *table, size_t rows, mangle_value *out)
{
    int64_t so_far = fold->start, n;
    for (size_t i = 0; i < rows; i++) {
        if (mgi_call_int(c, fold->function, table[i], fold->kind, &n))
            return CALL_ERROR;
        so_far = fold->step(so_far, n);
    }
    mangle_value v = fold->kind == MANGLE_NUMBER ? mangle_number(c->values, so_far)
                     : fold->kind == MANGLE_TIME ? mangle_time(c->values, so_far)
                                                 : mangle_duration(c->values, so_far);
    return mgi_call_return(c, fold->function, v, out);
}

/* ---- folds over floats --------------------------------------------------------------------- */

typedef double float_step(double so_far, double d);

static double step_float_sum(double so_far, double d)
{
    return so_far + d;
}

static double step_float_min(double so_far, double d)
{
    return isnan(so_far) || so_far < d ? so_far : d; /* NaN stays, and comes in */
}

static double step_float_max(double so_far, double d)
{
    return isnan(so_far) || so_far > d ? so_far : d;
}

struct float_fold {
    const char *function;
    float_step *step;
    double empty; /* the answer for no rows */
    double start;
};

static enum call_status fold_floats(struct call *c, const struct float_fold *fold,
                                    const mangle_value *table, size_t rows, mangle_value *out)
{
    double so_far = rows ? fold->start : fold->empty;
    for (size_t i = 0; i < rows; i++) {
        if (mgi_call_expect(c, fold->function, table[i], MANGLE_FLOAT))
            return CALL_ERROR;
        so_far = fold->step(so_far, mangle_float_of(c->values, table[i]));
    }
    return mgi_call_return_double(c, so_far, out);
}

/* ---- both as reducers and on lists --------------------------------------------------------- */

static enum call_status list_items(struct call *c, const char *function, mangle_value list,
                                   const mangle_value **items, size_t *count)
{
    if (mangle_kind_of(c->values, list) != MANGLE_LIST) { /* mostly, 'do' was forgotten */
        mgi_call_mismatch(c, function, "a list (rows are grouped by |> do fn:group_by(...))", list);
        return CALL_ERROR;
    }
    *items = mgi_call_items(c, list);
    *count = mangle_count_of(c->values, list);
    return *items ? CALL_OK : CALL_NOMEM;
}

static enum call_status fold_int_list(struct call *c, const struct int_fold *fold,
                                      mangle_value list, mangle_value *out)
{
    const mangle_value *items;
    size_t count;
    enum call_status st = list_items(c, fold->function, list, &items, &count);
    return st ? st : fold_ints(c, fold, items, count, out);
}

static enum call_status fold_float_list(struct call *c, const struct float_fold *fold,
                                        mangle_value list, mangle_value *out)
{
    const mangle_value *items;
    size_t count;
    enum call_status st = list_items(c, fold->function, list, &items, &count);
    return st ? st : fold_floats(c, fold, items, count, out);
}

/* The two functions of a fold: `<id>_rows` and `<id>_list`. */
#define FOLD(id, fold_rows, fold_list, ...)                                                        \
    static enum call_status id##_rows(struct call *c, const mangle_value *table, size_t rows,      \
                                      uint32_t count, mangle_value *out)                           \
    {                                                                                              \
        (void)count;                                                                               \
        return fold_rows(c, __VA_ARGS__, table, rows, out);                                        \
    }                                                                                              \
    static enum call_status id##_list(struct call *c, const mangle_value *args, uint32_t count,    \
                                      mangle_value *out)                                           \
    {                                                                                              \
        (void)count;                                                                               \
        return fold_list(c, __VA_ARGS__, args[0], out);                                            \
    }
#define INT_FOLD(id, ...)                                                                          \
    static const struct int_fold id##_fold = { __VA_ARGS__ };                                      \
    FOLD(id, fold_ints, fold_int_list, &id##_fold)
#define FLOAT_FOLD(id, ...)                                                                        \
    static const struct float_fold id##_fold = { __VA_ARGS__ };                                    \
    FOLD(id, fold_floats, fold_float_list, &id##_fold)

INT_FOLD(sum, "fn:sum", MANGLE_NUMBER, step_sum, 0)
INT_FOLD(min, "fn:min", MANGLE_NUMBER, step_min, INT64_MAX)
INT_FOLD(max, "fn:max", MANGLE_NUMBER, step_max, INT64_MIN)
INT_FOLD(duration_sum, "fn:duration:sum", MANGLE_DURATION, step_sum, 0)
INT_FOLD(duration_min, "fn:duration:min", MANGLE_DURATION, step_min, INT64_MAX)
INT_FOLD(duration_max, "fn:duration:max", MANGLE_DURATION, step_max, INT64_MIN)
INT_FOLD(time_min, "fn:time:min", MANGLE_TIME, step_min, INT64_MAX)
INT_FOLD(time_max, "fn:time:max", MANGLE_TIME, step_max, INT64_MIN)
FLOAT_FOLD(float_sum, "fn:float:sum", step_float_sum, 0, 0)
FLOAT_FOLD(float_min, "fn:float:min", step_float_min, DBL_MAX, (double)INFINITY)
FLOAT_FOLD(float_max, "fn:float:max", step_float_max, -DBL_MAX, -(double)INFINITY)

/* ---- counting and averaging ---------------------------------------------------------------- */

static enum call_status count_rows(struct call *c, const mangle_value *table, size_t rows,
                                   uint32_t count, mangle_value *out)
{
    (void)table;
    (void)count;
    return mgi_call_return_number(c, rows, out);
}

static enum call_status average_rows(struct call *c, const mangle_value *table, size_t rows,
                                     uint32_t count, mangle_value *out)
{
    double sum = 0, d;
    (void)count;
    for (size_t i = 0; i < rows; i++) {
        if (mgi_call_double(c, "fn:avg", table[i], &d))
            return CALL_ERROR;
        sum += d;
    }
    return mgi_call_return_double(c, rows ? sum / (double)rows : (double)NAN, out);
}

/* ---- collecting ---------------------------------------------------------------------------- */

/* One value per row: the value itself, or a tuple of several. NULL when memory is short; *status
 * says why else. */
static mangle_value *row_values(struct call *c, const char *function, const mangle_value *table,
                                size_t rows, uint32_t count, enum call_status *status)
{
    mangle_value *values = mgi_arena_alloc(c->scratch, rows * sizeof *values);
    *status = values ? CALL_OK : CALL_NOMEM;
    for (size_t r = 0; r < rows && !*status; r++) {
        const mangle_value *row = table + r * count;
        mangle_value tuple = row[count - 1];
        for (uint32_t i = count - 1; i-- > 0 && tuple != MANGLE_NONE;)
            tuple = mangle_pair(c->values, row[i], tuple);
        *status = mgi_call_return(c, function, tuple, &values[r]);
    }
    return values;
}

static enum call_status collect_rows(struct call *c, const mangle_value *table, size_t rows,
                                     uint32_t count, mangle_value *out)
{
    enum call_status st;
    const mangle_value *values = row_values(c, "fn:collect", table, rows, count, &st);
    return st ? st : mgi_call_return(c, "fn:collect", mangle_list(c->values, values, rows), out);
}

static size_t word_slot(mangle_value v, size_t mask)
{
    return ((v * UINT32_C(0x9e3779b1)) >> 7) & mask;
}

/* Mark `v` in an open-addressing set of words; false if it is marked already. */
static bool mark_word(mangle_value *set, size_t mask, mangle_value v)
{
    size_t i = word_slot(v, mask);
    while (set[i] != MANGLE_NONE && set[i] != v)
        i = (i + 1) & mask;
    if (set[i] == v)
        return false;
    set[i] = v;
    return true;
}

static mangle_value *word_set(struct call *c, size_t count, size_t *mask)
{
    size_t cap = 16;
    while (cap < 2 * count)
        cap *= 2;
    *mask = cap - 1;
    return mgi_arena_calloc(c->scratch, cap, sizeof(mangle_value));
}

/* The last occurrence of each is kept: so from the end, what is new is kept. */
static enum call_status collect_distinct_rows(struct call *c, const mangle_value *table,
                                              size_t rows, uint32_t count, mangle_value *out)
{
    enum call_status st;
    size_t mask, kept = rows;
    mangle_value *values = row_values(c, "fn:collect_distinct", table, rows, count, &st);
    if (st)
        return st;
    mangle_value *seen = word_set(c, rows, &mask);
    if (!seen)
        return CALL_NOMEM;
    for (size_t i = rows; i-- > 0;)
        if (mark_word(seen, mask, values[i]))
            values[--kept] = values[i];
    return mgi_call_return(c, "fn:collect_distinct",
                           mangle_list(c->values, values + kept, rows - kept), out);
}

/* The first row wins, and the last of equal keys wins in mangle_map(): so from the end. */
static enum call_status collect_to_map_rows(struct call *c, const mangle_value *table, size_t rows,
                                            uint32_t count, mangle_value *out)
{
    mangle_value *keys = mgi_arena_alloc(c->scratch, 2 * rows * sizeof *keys);
    if (!keys)
        return CALL_NOMEM;
    mangle_value *values = keys + rows;
    for (size_t i = 0; i < rows; i++) {
        keys[rows - 1 - i] = table[i * count];
        values[rows - 1 - i] = table[i * count + 1];
    }
    return mgi_call_return(c, "fn:collect_to_map", mangle_map(c->values, keys, values, rows), out);
}

static enum call_status pick_any_rows(struct call *c, const mangle_value *table, size_t rows,
                                      uint32_t count, mangle_value *out)
{
    (void)count;
    if (rows == 0)
        return mgi_call_error(c, "fn:pick_any: there is nothing to pick");
    *out = table[0];
    for (size_t i = 1; i < rows; i++)
        if (mangle_compare(c->values, table[i], *out) < 0)
            *out = table[i];
    return CALL_OK;
}

/* `free`: integers may be added and compared in any order; floats may not be added so. */
#define FOLD_ROW(function, id, value_type, free, text, ...)                                        \
    FOLD_ROW_AS(function, id, value_type, free, FOLD_NONE, text, __VA_ARGS__)
#define FOLD_ROW_AS(function, id, value_type, free, as, text, ...)                                 \
    {                                                                                              \
        .name = (function), .min_args = 1, .max_args = 1, .apply = id##_list, .reduce = id##_rows, \
        .reduces_list = true, .any_order = (free), .fold = (as),                                   \
        .type = value_type " -> " value_type, .doc = (text), .example = {                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

#define DO_RULE(call) "p(Y) :- v(X) |> do fn:group_by(), let Y = " call "."
#define TWO_TIMES                                                                                  \
    "v(fn:time:parse_rfc3339(\"2024-01-15T10:30:00Z\")). "                                         \
    "v(fn:time:parse_rfc3339(\"2024-01-16T10:30:00Z\"))."
#define TWO_DURATIONS "v(fn:duration:parse(\"1s\")). v(fn:duration:parse(\"2s\"))."

const struct function mgi_functions_reduce[] = {
    { .name = "fn:count",
      .reduce = count_rows,
      .any_order = true,
      .fold = FOLD_COUNT,
      .type = "-> /number",
      .doc = "The number of rows of the group.",
      .example = { DO_RULE("fn:count()"), "v(7). v(8).", "p(2)." } },
    { .name = "fn:count_distinct",
      .reduce = count_rows, /* rows are distinct, see builtin.h */
      .any_order = true,
      .fold = FOLD_COUNT,
      .type = "-> /number",
      .doc = "The number of distinct rows of the group.",
      .example = { DO_RULE("fn:count_distinct()"), "v(7). v(8).", "p(2)." } },
    FOLD_ROW_AS("fn:sum", sum, "/number", true, FOLD_SUM,
                "The sum of numbers, wrapping modulo 2^64; of a list too.", DO_RULE("fn:sum(X)"),
                "v(7). v(8).", "p(15)."),
    FOLD_ROW_AS("fn:min", min, "/number", true, FOLD_MIN, "The smallest number; of a list too.",
                DO_RULE("fn:min(X)"), "v(7). v(8).", "p(7)."),
    FOLD_ROW_AS("fn:max", max, "/number", true, FOLD_MAX, "The largest number; of a list too.",
                "p(Y) :- l(X), Y = fn:max(X).", "l([7, 8]).", "p(8)."),
    FOLD_ROW("fn:float:sum", float_sum, "/float64", false, "The sum of floats; of a list too.",
             DO_RULE("fn:float:sum(X)"), "v(0.5). v(0.75).", "p(1.25)."),
    FOLD_ROW("fn:float:min", float_min, "/float64", false,
             "The smallest float; NaN if one is NaN; of a list too.", DO_RULE("fn:float:min(X)"),
             "v(0.5). v(0.75).", "p(0.5)."),
    FOLD_ROW("fn:float:max", float_max, "/float64", false,
             "The largest float; NaN if one is NaN; of a list too.", DO_RULE("fn:float:max(X)"),
             "v(0.5). v(0.75).", "p(0.75)."),
    FOLD_ROW("fn:duration:sum", duration_sum, "/duration", true,
             "The sum of durations; of a list too.", DO_RULE("fn:duration:sum(X)"), TWO_DURATIONS,
             "p(fn:duration:parse(\"3s\"))."),
    FOLD_ROW("fn:duration:min", duration_min, "/duration", true,
             "The shortest duration; of a list too.", DO_RULE("fn:duration:min(X)"), TWO_DURATIONS,
             "p(fn:duration:parse(\"1s\"))."),
    FOLD_ROW("fn:duration:max", duration_max, "/duration", true,
             "The longest duration; of a list too.", DO_RULE("fn:duration:max(X)"), TWO_DURATIONS,
             "p(fn:duration:parse(\"2s\"))."),
    FOLD_ROW("fn:time:min", time_min, "/time", true, "The earliest time; of a list too.",
             DO_RULE("fn:time:min(X)"), TWO_TIMES,
             "p(fn:time:parse_rfc3339(\"2024-01-15T10:30:00Z\"))."),
    FOLD_ROW("fn:time:max", time_max, "/time", true, "The latest time; of a list too.",
             DO_RULE("fn:time:max(X)"), TWO_TIMES,
             "p(fn:time:parse_rfc3339(\"2024-01-16T10:30:00Z\"))."),
    { .name = "fn:avg",
      .min_args = 1,
      .max_args = 1,
      .reduce = average_rows,
      .type = "fn:Union(/number, /float64) -> /float64",
      .doc = "The arithmetic mean of numbers and floats, in double precision.",
      .example = { DO_RULE("fn:avg(X)"), "v(7). v(8).", "p(7.5)." } },
    { .name = "fn:collect",
      .min_args = 1,
      .max_args = BUILTIN_VARIADIC,
      .reduce = collect_rows,
      .typing = TYPING_ROWS,
      .skips_bad_rows = true,
      .type = "X... -> fn:List(X)",
      .doc = "The list of the values of all rows; of several arguments, tuples.",
      .example = { DO_RULE("fn:collect(X)"), "v(8). v(7).", "p([7, 8])." } },
    { .name = "fn:collect_distinct",
      .min_args = 1,
      .max_args = BUILTIN_VARIADIC,
      .reduce = collect_distinct_rows,
      .typing = TYPING_ROWS,
      .skips_bad_rows = true,
      .type = "X... -> fn:List(X)",
      .doc = "The list of the different values; of equal ones the last is kept.",
      .example = { DO_RULE("fn:collect_distinct(fn:mod(X, 2))"), "v(7). v(8). v(9).",
                   "p([0, 1])." } },
    { .name = "fn:collect_to_map",
      .min_args = 2,
      .max_args = 2,
      .reduce = collect_to_map_rows,
      .skips_bad_rows = true,
      .type = "K, V -> fn:Map(K, V)",
      .doc = "The map of the first argument to the second; of equal keys the first row is kept.",
      .example = { DO_RULE("fn:collect_to_map(X, fn:mult(X, 2))"), "v(8).", "p([8 : 16])." } },
    { .name = "fn:pick_any",
      .min_args = 1,
      .max_args = 1,
      .reduce = pick_any_rows,
      .type = "X -> X",
      .doc = "One value of the group: the smallest in the order of values.",
      .example = { DO_RULE("fn:pick_any(X)"), "v(8). v(7).", "p(7)." } },
    { 0 },
};
