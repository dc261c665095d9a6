/*
 * mangle.h - the Mangle language (Datalog with aggregation, structured data and time) as a library.
 *
 *     sources --mangle_compile--> program --mangle_base_new, _add, _close--> base
 *     base --mangle_overlay_new--> overlay --_add, _eval--> facts read from the overlay
 *
 * A *program* is compiled rules. A *base* is a program with the facts its owner keeps and every
 * consequence that no request can change. An *overlay* is what one request adds: its facts, and
 * what follows from them. Programs and closed bases are immutable; any number of threads may use
 * them at once. Everything else belongs to one thread at a time.
 *
 * What holds for every function: text is UTF-8 with its length; times are nanoseconds since
 * 1970-01-01T00:00:00Z in UTC; no function reads a clock, the environment or randomness; out
 * parameters are NULL (or untouched, where said) on every error; `err` may be NULL. NULL handles
 * are allowed only in the _free and _unref functions. Requirement ids are those of
 * docs/reference/mangle.md.
 */
#ifndef MANGLE_H
#define MANGLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MANGLE_VERSION "0.1.0"

/* ---- status and errors ------------------------------------------------------------------- */

#define MANGLE_STATUS(X)                                                                           \
    X(MANGLE_OK, "ok")                                                                             \
    X(MANGLE_ERR_NOMEM, "out of memory")                                                           \
    X(MANGLE_ERR_PROGRAM, "the program is wrong") /* diagnostics say where */                      \
    X(MANGLE_ERR_EVAL, "evaluation error")        /* err->message; M-EVAL-12 */                    \
    X(MANGLE_ERR_LIMIT, "limit reached")          /* err->limit: which, value, consumed */         \
    X(MANGLE_ERR_CANCELLED, "cancelled")                                                           \
    X(MANGLE_ERR_INPUT, "the fact does not fit") /* unknown predicate, arity, interval */

enum mangle_status {
#define MANGLE_STATUS_ENUM(name, text) name,
    MANGLE_STATUS(MANGLE_STATUS_ENUM)
#undef MANGLE_STATUS_ENUM
};

/* A static string, lower case. */
const char *mangle_status_text(enum mangle_status status);

enum mangle_limit_kind {
    MANGLE_LIMIT_NONE,
    MANGLE_LIMIT_FACTS,     /* derived facts and intervals (M-LIM-12), unit: facts */
    MANGLE_LIMIT_INTERVALS, /* separate intervals of one atom (M-TEMP-23), unit: intervals */
    MANGLE_LIMIT_TIME,      /* unit: nanoseconds */
    MANGLE_LIMIT_MEMORY,    /* unit: bytes */
    MANGLE_LIMIT_DEPTH /* nested calls of deferred predicates (M-EXT-24), with MANGLE_ERR_EVAL */
};

struct mangle_error {
    char message[512]; /* lower case, says what and, for evaluation errors, which rule */
    struct {
        enum mangle_limit_kind kind;
        int64_t limit, consumed;
        char pred[132]; /* for MANGLE_LIMIT_INTERVALS: the predicate; else empty */
        size_t rule;    /* of mangle_program_rule(): what was being evaluated; SIZE_MAX: no rule */
    } limit;
    uint32_t argument; /* mangle_overlay_check_fact(): the one, from 1, that has another type; 0: it
                          is something else */
};

enum mangle_severity { MANGLE_ERROR, MANGLE_WARNING };

/* One finding. Strings live as long as the mangle_diags. */
struct mangle_diag {
    enum mangle_severity severity;
    const char *code;    /* class of M-ANA, such as "VAR_UNBOUND"; never NULL */
    const char *file;    /* as given in the source */
    uint32_t line;       /* from 1 */
    uint32_t column;     /* from 1, in code points */
    uint32_t length;     /* code points to mark, at least 1 */
    const char *message; /* one line, lower case, no full stop */
    const char *hint;    /* a sentence that says what to do, or NULL */
    const char *text;    /* the source line, or NULL */
};

typedef struct mangle_diags mangle_diags;
mangle_diags *mangle_diags_new(void); /* NULL when memory is short */
void mangle_diags_free(mangle_diags *diags);
size_t mangle_diags_count(const mangle_diags *diags);
size_t mangle_diags_errors(const mangle_diags *diags); /* of severity MANGLE_ERROR */
const struct mangle_diag *mangle_diags_get(const mangle_diags *diags, size_t index);

/* `file:line:col: error: message`, the line, a caret line, the hint; ends with a newline. The
 * string is the caller's (mangle_free). NULL when memory is short. */
char *mangle_diag_print(const struct mangle_diag *diag);
void mangle_free(void *p);

/* ---- values ------------------------------------------------------------------------------ */

/* An interned value: two values of one table are equal iff the words are equal (M-VAL-20). Means
 * something only together with the table it came from, or a table above that one. */
typedef uint32_t mangle_value;
#define MANGLE_NONE ((mangle_value)0) /* never a value */

enum mangle_kind { /* in the total order M-VAL-68 */
                   MANGLE_NAME,
                   MANGLE_STRING,
                   MANGLE_BYTES,
                   MANGLE_NUMBER,
                   MANGLE_FLOAT,
                   MANGLE_TIME,
                   MANGLE_DURATION,
                   MANGLE_PAIR,
                   MANGLE_LIST,
                   MANGLE_MAP,
                   MANGLE_STRUCT
};

typedef struct mangle_values mangle_values;

/* Constructors: the value, or MANGLE_NONE when memory (or the overlay's memory limit) is short.
 * Contents are copied. A name that is not one (M-VAL-1) is MANGLE_NONE too, and so is whatever has
 * MANGLE_NONE as a part: nested constructors need one check, at the end. */
mangle_value mangle_name(mangle_values *t, const char *text, size_t len); /* with its '/' */
mangle_value mangle_string(mangle_values *t, const char *text, size_t len);
mangle_value mangle_bytes(mangle_values *t, const void *bytes, size_t len);

/* Names, strings and bytes that become values together, in their order: as mangle_name(),
 * mangle_string() or mangle_bytes() for each, by its kind, and cheaper where they are many. */
struct mangle_text {
    enum mangle_kind kind;
    const char *text;
    size_t len;
    mangle_value *out;
};
void mangle_texts(mangle_values *t, const struct mangle_text *texts, size_t count);

mangle_value mangle_number(mangle_values *t, int64_t n);
mangle_value mangle_float(mangle_values *t, double d);
mangle_value mangle_time(mangle_values *t, int64_t ns);
mangle_value mangle_duration(mangle_values *t, int64_t ns);
mangle_value mangle_bool(mangle_values *t, bool b); /* /true, /false */
mangle_value mangle_pair(mangle_values *t, mangle_value first, mangle_value second);
mangle_value mangle_list(mangle_values *t, const mangle_value *items, size_t count);
/* keys[i] -> values[i]; the last of equal keys wins (M-VAL-26). */
mangle_value mangle_map(mangle_values *t, const mangle_value *keys, const mangle_value *values,
                        size_t count);
mangle_value mangle_struct(mangle_values *t, const mangle_value *labels, const mangle_value *values,
                           size_t count);

/* Readers. The kind-specific ones require that kind (assert). Text is borrowed from the table. */
enum mangle_kind mangle_kind_of(const mangle_values *t, mangle_value v);
const char *mangle_text_of(const mangle_values *t, mangle_value v,
                           size_t *len);                       /* name string bytes */
int64_t mangle_int_of(const mangle_values *t, mangle_value v); /* number time duration */
double mangle_float_of(const mangle_values *t, mangle_value v);
void mangle_pair_of(const mangle_values *t, mangle_value v, mangle_value *first,
                    mangle_value *second);
size_t mangle_count_of(const mangle_values *t, mangle_value v); /* list map struct; O(1) */
/* Walk: start with *cursor = v; false at the end. For lists *key is MANGLE_NONE. Entries of maps
 * and structs come in printed order (M-VAL-33). */
bool mangle_next(const mangle_values *t, mangle_value *cursor, mangle_value *key,
                 mangle_value *value);
/* Total order M-VAL-68: <0, 0, >0. */
int mangle_compare(const mangle_values *t, mangle_value a, mangle_value b);

enum mangle_text_form {
    MANGLE_CANONICAL, /* M-VAL-50..67 */
    MANGLE_DISPLAY,   /* for people */
    MANGLE_FILE       /* M-VAL-69: reads back to the same value */
};

/* The text, the caller's (mangle_free), with its length; NULL when memory is short, when the text
 * would be longer than 64 MiB (shared parts are written out each time), or, in the file form, when
 * the value has no such text (NaN, infinity, a string that is not UTF-8). */
char *mangle_value_print(const mangle_values *t, mangle_value v, enum mangle_text_form form,
                         size_t *len);

/* ---- time zones -------------------------------------------------------------------------- */

/* The offset of a place from UTC at any instant, for the *_civil functions (M-FUN-70). The library
 * reads no files: whoever has zone data brings the bytes. Immutable. */
typedef struct mangle_zone mangle_zone;

/* From the bytes of a TZif file (RFC 8536, version 2 or later). NULL if it is not one, or memory is
 * short. */
mangle_zone *mangle_zone_new(const void *tzif, size_t len);
void mangle_zone_free(mangle_zone *zone);

/* Finds the zone of an IANA name such as "Europe/Berlin" (letters, digits, "+-_" and inner slashes;
 * never ".."), or answers NULL. What it answers is borrowed until the source is used no more.
 * Called from every thread that evaluates. */
struct mangle_zone_source {
    const mangle_zone *(*find)(void *context, const char *name, size_t len);
    void *context;
};

#define MANGLE_ZONE_FOLDER "/usr/share/zoneinfo" /* where systems keep them */

/* A source that reads the files below a folder, usually MANGLE_ZONE_FOLDER, each when it is first
 * asked for: the only part of the library that opens files. NULL when memory is short. "Local" is
 * not known: answers would depend on where they are computed. */
typedef struct mangle_zone_folder mangle_zone_folder;
mangle_zone_folder *mangle_zone_folder_new(const char *path);
void mangle_zone_folder_free(mangle_zone_folder *folder);
struct mangle_zone_source mangle_zone_folder_source(mangle_zone_folder *folder);

/* ---- programs ---------------------------------------------------------------------------- */

struct mangle_source {
    const char *name; /* for diagnostics, usually the path */
    const char *text;
    size_t len;
};

/* A predicate whose facts come from the host (M-EXT-1). */
struct mangle_host_pred {
    const char *name;
    uint32_t arity;
    bool temporal;
};

typedef struct mangle_program mangle_program;
typedef uint32_t mangle_pred;
#define MANGLE_NO_PRED UINT32_MAX

/* ---- predicates that the host answers during evaluation (section 15.2) --------------------- */

#define MANGLE_NO_COLUMN UINT32_MAX

/* Another positive atom of the rule that asks, which speaks of an output of the predicate asked
 * for: what it does not match is of no use to the rule (M-EXT-10). */
struct mangle_pushed_atom {
    mangle_pred pred;
    uint32_t count;
    const mangle_value *args; /* MANGLE_NONE: not known yet */
    const uint32_t *columns;  /* per argument: the column of the predicate asked for that has the
                                 same variable, or MANGLE_NO_COLUMN */
};

struct mangle_request {
    const mangle_value *inputs;  /* at the `+` positions of its mode, in order: always values */
    const mangle_value *filters; /* at the other positions, in order: a value that the answer must
                                    have there, or MANGLE_NONE */
    size_t input_count, filter_count;
    const struct mangle_pushed_atom *pushed; /* only if the predicate wants them */
    size_t pushed_count;
};

struct mangle_query {      /* many requests in one call */
    void *context;         /* of the struct mangle_external */
    void *host;            /* of mangle_overlay_set_host(); NULL while a base is closed */
    mangle_values *values; /* in which the requests are, and answers are made */
    const struct mangle_request *requests;
    size_t count;
    char error[256]; /* what went wrong, for query() that returns false */
};

/* One answer: `outputs` has a value for each position that is not `+`, in order. What differs from
 * a filter is passed over. False: the evaluation is over (a limit, memory, a missing value, or one
 * that is not of the type that the Decl says); query() should return then, with whatever it
 * returns. */
bool mangle_query_emit(struct mangle_query *query, size_t request, const mangle_value *outputs);

/* Does anybody still wait for the answers? False: the evaluation was cancelled, or a limit of it is
 * reached; as after mangle_query_emit(). Else *left_ns is what remains of its time, 1 at least;
 * INT64_MAX: it has no end. On the thread that query() was called on. */
bool mangle_query_goes_on(struct mangle_query *query, int64_t *left_ns);

/* Answers for a predicate declared `external()`. The functions are called from whichever thread
 * closes a base or evaluates an overlay, several at a time if overlays are; they must not touch the
 * base or overlay that is being evaluated. While query() waits for somebody the evaluation cannot
 * look at clock and flag: it has to, with mangle_query_goes_on(). An evaluation asks nothing that
 * it has asked before, nor anything narrower (M-EXT-7). */
struct mangle_external {
    const char *name; /* with its package */
    uint32_t arity;
    /* The same request always has the same answer: what a base asked holds for its overlays. Else
     * only overlays ask, each for itself, and rules that read it are evaluated per request. */
    bool deterministic;
    bool wants_pushdown;
    /* May be NULL: always. False: what is stored is all there is, for now. */
    bool (*should_query)(void *context, const mangle_values *values,
                         const struct mangle_request *request);
    bool (*query)(struct mangle_query *query); /* false: evaluation fails with query->error */
    void *context;
};

/* What the host stands for. Facts that overlays are given may be hearsay: whoever asks says so. A
 * privileged predicate holds only if some derivation of it rests on what is vouched for alone:
 * facts of program and base, those that mangle_overlay_vouch() adds, and whatever overlays are
 * given of predicates that are MANGLE_VOUCHED. What was left unsaid grants nothing either: a
 * derivation does not count that negates or groups what may rest on hearsay, binds the ends of its
 * intervals or reads its best value (M-EVAL-40); in a rule of the privileged predicate itself that
 * is an error, PRIVILEGED. */
enum mangle_trust {
    MANGLE_VOUCHED,   /* all that overlays are given of it counts */
    MANGLE_HEARSAY,   /* what mangle_overlay_add() gives does not count, nor what a query answers */
    MANGLE_PRIVILEGED /* holds only on what counts; what a query answers of it does */
};

struct mangle_compile_times { /* nanoseconds of a host's clock */
    int64_t parse_ns, check_ns, plan_ns;
};

struct mangle_compile_options {
    /* Predicates known from the host beside those the sources declare. */
    const struct mangle_host_pred *host_preds;
    size_t host_pred_count;
    bool host_yields; /* a name that the sources define is theirs, not the host's; else
                         PRED_REDEFINED */
    /* May overlays add facts of this predicate? Asked once per predicate, when all declarations
     * have been read: `program` is good for mangle_program_pred() and mangle_pred_descriptor()
     * then. NULL: of none that has a rule, of every other. What overlays cannot change is worked
     * out once, in the base. */
    bool (*changeable)(void *context, const mangle_program *program, mangle_pred pred);
    void *changeable_context;
    /* Does the host read facts of this predicate after mangle_overlay_eval()? Asked once per
     * predicate, as `changeable` is. NULL: of all. Of the others an overlay may then derive only
     * what leads to facts of these, which costs less where a request's few facts have many
     * consequences above a large base; and of what rules read for its least or greatest values
     * alone (fn:min, fn:max), bases and overlays may derive no more than these. The answers are the
     * same; but what would end at the limit of facts may have a least value that is found. Whoever
     * looks at another predicate nevertheless (facts, queries, proofs, why not, until when) has the
     * rest derived first, within the limits of the evaluation on facts and bytes, and gets its
     * errors: MANGLE_ERR_LIMIT, MANGLE_ERR_NOMEM, after which the overlay can only be reset or
     * freed. Statistics and limits count what was derived, which is less, or what was asked for. */
    bool (*outputs)(void *context, const mangle_program *program, mangle_pred pred);
    void *outputs_context;
    /* Asked once per predicate, when all declarations have been read. NULL, or none is privileged:
     * nobody asks who said what, and it costs nothing. */
    enum mangle_trust (*trust)(void *context, const mangle_program *program, mangle_pred pred);
    void *trust_context;
    /* Copied; its context is used until the program and all of its bases are gone. NULL: only UTC
     * is known, and other zones are evaluation errors. */
    const struct mangle_zone_source *zones;
    /* Copied, names too; contexts are used until the program and all of its bases are gone. A name
     * that is not declared is EXT_UNDECLARED, one without `external()` EXT_NOT_EXTERNAL, one with
     * rules PRED_REDEFINED. A predicate with `external()` that is not here has only its facts. */
    const struct mangle_external *externals;
    size_t external_count;
    bool allow_dangerous; /* temporal recursion that can run away: warn instead of refuse (M-ANA-71)
                           */
    bool check_bounds;    /* report BOUNDS_* (section 5.5) */
    bool doubt_warns; /* with check_bounds: a head that may fit its bound, but is not known to, is
                         a warning, and functions take what may fit: errors are what cannot be */
    /* Know the temporal predicate __now(T), which rules can read (and only read), and end each
     * mangle_overlay_eval() by adding __now(E)@[E], E being its time: what a later evaluation may
     * be given, and the rules of this one never see (M-TEMP-90). */
    bool now_marker;
    /* NULL, or where to add what each stage of mangle_compile() takes by `clock`, which is needed
     * then: monotonic nanoseconds. */
    struct mangle_compile_times *times;
    int64_t (*clock)(void *context);
    void *clock_context;
    bool warnings_are_errors; /* whatever would be a warning is an error (M-ANA-75) */
    /* Only report what is wrong: what would run is not made, and *out is NULL even with MANGLE_OK.
     * A third of the time. */
    bool check_only;
    /* So many of the first sources are the host's own, and taken to be right: a cycle through them
     * and others is reported at the others. */
    size_t host_source_count;
};

/*
 * Compile `sources` as one program.
 *
 *   sources  borrowed until return
 *   options  may be NULL: all zero
 *   out      *out is the caller's, ends with mangle_program_unref(); NULL on error, and with
 *            check_only
 *   diags    may be NULL; errors and warnings are appended, all of them, sorted by place
 *
 * MANGLE_OK (perhaps with warnings), MANGLE_ERR_PROGRAM, MANGLE_ERR_NOMEM.
 */
enum mangle_status mangle_compile(const struct mangle_source *sources, size_t count,
                                  const struct mangle_compile_options *options,
                                  mangle_program **out, mangle_diags *diags);
mangle_program *mangle_program_ref(mangle_program *program);
void mangle_program_unref(mangle_program *program);

struct mangle_pred_view {
    const char *name;
    uint32_t arity;
    bool temporal;
    bool declared;                /* has a Decl in the sources */
    bool derived;                 /* has a rule with a body */
    bool changeable;              /* an overlay can have more of it than the base */
    bool reads_now;               /* what holds of it may depend on the evaluation time */
    const char *const *arg_names; /* arity of them from the Decl; NULL if not declared */
    const char *doc;              /* doc("...") of the Decl, "" if none */
    const char *file;             /* of its Decl or first clause */
    uint32_t line;
    uint32_t stratum; /* in the order of evaluation, from 0; UINT32_MAX if it has no rules */
};

size_t mangle_program_pred_count(const mangle_program *program);
size_t mangle_program_stratum_count(const mangle_program *program);
struct mangle_pred_view mangle_program_pred(const mangle_program *program, mangle_pred pred);
/* MANGLE_NO_PRED if there is none. */
mangle_pred mangle_pred_find(const mangle_program *program, const char *name, uint32_t arity);

/* What a Decl says besides: the arguments of the descriptor atom `name(...)`, as many as fit into
 * out[cap]; returns how many there are, SIZE_MAX if the descriptor is absent. */
size_t mangle_pred_descriptor(const mangle_program *program, mangle_pred pred, const char *name,
                              mangle_value *out, size_t cap);
/* The `bound` of column `column` as canonical text of the type, for instance "/string" or
 * "fn:List(/number)"; several rows are joined by " | "; "/any" if none. Borrowed. */
const char *mangle_pred_bound(const mangle_program *program, mangle_pred pred, uint32_t column);
const mangle_values *mangle_program_values(const mangle_program *program);

/* For tools that check domains: every rule's head and body predicates. */
size_t mangle_program_rule_count(const mangle_program *program);
struct mangle_rule_view {
    const char *text; /* canonical (M-VAL-66), borrowed */
    const char *file;
    uint32_t line;
    mangle_pred head;
    const mangle_pred *body; /* non-built-in premises in order, negated ones included */
    size_t body_count;
    bool per_request; /* evaluated for each overlay, not once in the base */
};
struct mangle_rule_view mangle_program_rule(const mangle_program *program, size_t index);

/* Trust. May facts of `pred` rest on hearsay (never those of a privileged one)? Does it matter who
 * says a fact of `pred`: is it privileged, or does some privileged rule read it? */
bool mangle_pred_is_tainted(const mangle_program *program, mangle_pred pred);
bool mangle_pred_is_vouched(const mangle_program *program, mangle_pred pred);
/* Under this name stands what a privileged predicate would have if hearsay counted: for
 * mangle_overlay_facts(), _holds() and _explain(). MANGLE_NO_PRED: it could have nothing else. */
mangle_pred mangle_pred_claimed(const mangle_program *program, mangle_pred pred);
/* False: what `rule` derives never counts, because of what it reads of the unsaid. */
bool mangle_rule_may_vouch(const mangle_program *program, size_t rule);

/* And what was written, clause by clause. The sources as they were compiled: where their bytes were
 * not UTF-8, U+FFFD stands. Borrowed from the program. */
size_t mangle_program_source_count(const mangle_program *program);
struct mangle_source mangle_program_source(const mangle_program *program, size_t index);

struct mangle_clause_view {
    bool declaration;      /* a Decl */
    size_t rule;           /* index of mangle_program_rule(); SIZE_MAX if there is no body */
    mangle_pred head;      /* what it declares or defines, or MANGLE_NO_PRED in a wrong program */
    uint32_t source;       /* index of its source */
    uint32_t line, column; /* of its head, from 1, in code points */
};
size_t mangle_program_clause_count(const mangle_program *program);
/* Declarations first, then clauses; each in the order of the sources. */
struct mangle_clause_view mangle_program_clause(const mangle_program *program, size_t index);

struct mangle_argument_view {
    mangle_value value; /* of mangle_program_values(); MANGLE_NONE: a variable or a call */
    uint32_t items;     /* of a list that is written out; UINT32_MAX: it is none */
    uint32_t line, column;
};
/* Argument `column` (less than the arity) of the head of clause `index`. */
struct mangle_argument_view mangle_program_argument(const mangle_program *program, size_t index,
                                                    uint32_t column);
/* Argument `column` of the premise that is `body[premise]` of mangle_program_rule(`rule`). */
struct mangle_argument_view mangle_program_premise_argument(const mangle_program *program,
                                                            size_t rule, size_t premise,
                                                            uint32_t column);

/*
 * The canonical layout of a source: blanks, line ends and indentation are decided here; every token
 * keeps its spelling, every comment its place, and one empty line stays where there were some
 * between statements. Laying out the result changes nothing.
 *
 *   source  borrowed until return; only its syntax is looked at
 *   out     *out is the caller's, ends with mangle_free(); *len without the NUL behind it; NULL and
 *           0 on error
 *   diags   may be NULL; the syntax errors, as of mangle_compile()
 *
 * MANGLE_OK, MANGLE_ERR_PROGRAM (errors of syntax, or text that is not UTF-8),
 * MANGLE_ERR_NOMEM.
 */
enum mangle_status mangle_format(const struct mangle_source *source, char **out, size_t *len,
                                 mangle_diags *diags);

/* ---- facts ------------------------------------------------------------------------------- */

#define MANGLE_MIN_TIME INT64_MIN /* an interval's start: no bound */
#define MANGLE_MAX_TIME INT64_MAX /* an interval's end: no bound */

struct mangle_interval {
    int64_t start_ns, end_ns; /* both inclusive; start <= end */
};
#define MANGLE_ALWAYS ((struct mangle_interval){ MANGLE_MIN_TIME, MANGLE_MAX_TIME })

struct mangle_fact {
    mangle_pred pred;
    uint32_t count;           /* the predicate's arity */
    const mangle_value *args; /* borrowed, see the function that returned it */
    bool temporal;
    struct mangle_interval t; /* MANGLE_ALWAYS if not temporal */
};

/* Threads of the host that help with an evaluation. The result, the order of facts and their proofs
 * are the same with any number of them. */
struct mangle_workers {
    uint32_t count; /* tasks that run at once, one of them on the caller's thread; 1: no help */
    /* task(argument, i) for each i < count, several at once or one after the other; returns when
     * all have. A task waits for no other one, and calls no function of the host but `clock` and
     * `cancelled` of the limits. */
    void (*run)(void *context, void (*task)(void *argument, uint32_t number), void *argument,
                uint32_t count);
    void *context;
};

struct mangle_limits {     /* a field of 0 means its default */
    int64_t max_facts;     /* default 1,000,000 derived facts; negative: none */
    int64_t max_intervals; /* default 1,000 per atom (M-TEMP-23); negative: none */
    int64_t timeout_ns;    /* default: none. Measured with `clock` */
    uint32_t max_depth;    /* default 1,000 nested calls of deferred predicates, at most 4,000 */
    int64_t max_bytes;     /* default 1 GiB of memory for this evaluation; negative: none */
    /* Asked about once in a thousand steps, on the evaluating thread or, with `workers`, on theirs,
     * too: true stops it. May be NULL. */
    bool (*cancelled)(void *context);
    void *cancel_context;
    int64_t (*clock)(void *context); /* monotonic nanoseconds; needed for timeout_ns */
    void *clock_context;
    /* Who helps mangle_base_close() with large rounds; NULL: nobody. `clock` and `cancelled` are
     * then called by several threads at once. What the helpers gather counts for max_bytes. */
    const struct mangle_workers *workers;
    /* NULL, or mangle_program_stratum_count() figures: how many nanoseconds of `clock` each stratum
     * takes is added to its own. */
    int64_t *stratum_ns;
    /* NULL, or where to add what each rule costs; of the same program, and of one base. */
    struct mangle_profile *profile;
};

struct mangle_stats {
    int64_t facts_given;   /* distinct facts of base and overlay before evaluation */
    int64_t facts_derived; /* M-LIM-12 */
    int64_t rule_firings;  /* derivations, repeated ones included */
    int64_t rounds;        /* semi-naive iterations over all strata */
    size_t bytes;          /* memory of the overlay at its peak */
};

typedef struct mangle_base mangle_base;

/* A base over `program` (which it references), open for facts. */
enum mangle_status mangle_base_new(mangle_program *program, mangle_base **out);
mangle_base *mangle_base_ref(mangle_base *base);
void mangle_base_unref(mangle_base *base);
mangle_values *mangle_base_values(mangle_base *base); /* for making values, until it is closed */

/* Add a fact. `t` NULL means always. MANGLE_ERR_INPUT: no such predicate, `count` is not its arity,
 * an interval for a predicate that is not temporal, or start > end. */
enum mangle_status mangle_base_add(mangle_base *base, mangle_pred pred, const mangle_value *args,
                                   uint32_t count, const struct mangle_interval *t,
                                   struct mangle_error *err);

/* Add `count` facts of one predicate, which hold always: the arity's arguments of the first, then
 * those of the next. Equals mangle_base_add() for each in this order, and costs less. After
 * MANGLE_ERR_INPUT (no such predicate, an argument is MANGLE_NONE, the base is closed) none of them
 * has been added. */
enum mangle_status mangle_base_add_rows(mangle_base *base, mangle_pred pred,
                                        const mangle_value *rows, size_t count,
                                        struct mangle_error *err);

/* Facts in Mangle syntax, in bulk: `text` may hold only clauses without a body. Their predicates
 * must be known to the program. Diagnostics as in mangle_compile(). */
enum mangle_status mangle_base_add_text(mangle_base *base, const struct mangle_source *source,
                                        mangle_diags *diags);

/* Which predicates a text of facts speaks of, in order of appearance, for the options of
 * mangle_compile(): a program can then read them without declaring them. temporal: some fact has an
 * interval. *preds is one block, the caller's (mangle_free); names included. Clauses with errors
 * are passed over here: mangle_base_add_text() reports them. MANGLE_OK or MANGLE_ERR_NOMEM. */
enum mangle_status mangle_facts_preds(const struct mangle_source *source,
                                      struct mangle_host_pred **preds, size_t *count);

/* Facts from a simple column file (M-IO-40 to 47), decompressed. Their predicates must be known to
 * the program; of a temporal one they hold always. Diagnostics as in mangle_compile(), all of a
 * header or all of the values; after an error no fact has been added. MANGLE_OK,
 * MANGLE_ERR_PROGRAM, MANGLE_ERR_INPUT (the base is closed), MANGLE_ERR_NOMEM. */
enum mangle_status mangle_base_add_columns(mangle_base *base, const struct mangle_source *source,
                                           mangle_diags *diags);

struct mangle_column_pred {
    const char *name;
    uint32_t arity;
    uint64_t facts; /* as the header says */
};

/* The predicates of a column file, in the order of its header; of its values only the lines are
 * counted. *preds is one block, the caller's (mangle_free); names included. MANGLE_OK,
 * MANGLE_ERR_PROGRAM (diagnostics, if `diags` is not NULL), MANGLE_ERR_NOMEM.  [M-IO-29] */
enum mangle_status mangle_columns_preds(const struct mangle_source *source,
                                        struct mangle_column_pred **preds, size_t *count,
                                        mangle_diags *diags);

/* Evaluate what no overlay can change, build the indexes, and make the base immutable. Facts that
 * depend on `now` are left to overlays, so no time is needed. Errors leave the base unusable. */
enum mangle_status mangle_base_close(mangle_base *base, const struct mangle_limits *limits,
                                     struct mangle_stats *stats, struct mangle_error *err);
const mangle_program *mangle_base_program(const mangle_base *base);

/*
 * A closed base as bytes, to be opened instead of loading and evaluating again, with a note of the
 * caller's, such as the sources. *out is the caller's (mangle_free). MANGLE_ERR_INPUT: the base is
 * not closed, has external predicates, or predicates whose facts are merged (`fundep`).
 *
 * What is written does not depend on addresses, but on the version of this library and the byte
 * order of the machine. A checksum finds damage.
 */
enum mangle_status mangle_base_save(const mangle_base *base, const void *note, size_t note_len,
                                    char **out, size_t *len, struct mangle_error *err);

/* The note, a view into `bytes`, at a multiple of 8. All of `bytes` is looked at: MANGLE_ERR_INPUT,
 * and why in err->message, if they are no saved base, damaged, or of another version. `bytes` have
 * to be aligned for 8. */
enum mangle_status mangle_saved_note(const void *bytes, size_t len, const char **note,
                                     size_t *note_len, struct mangle_error *err);

/*
 * The closed base that was saved as `bytes`, over the same program: compiled from the same sources
 * with the same options. It answers, proves and counts as the one that was saved. `bytes` are not
 * used afterwards. MANGLE_ERR_INPUT as of mangle_saved_note(), and where they are of another
 * program; MANGLE_ERR_LIMIT and MANGLE_ERR_CANCELLED by `limits`, MANGLE_ERR_NOMEM. *stats, which
 * may be NULL, are those of mangle_base_close(). Nothing that such a file may hold is believed
 * before it is looked at, so it may come from anywhere.
 */
enum mangle_status mangle_base_open(mangle_program *program, const void *bytes, size_t len,
                                    const struct mangle_limits *limits, mangle_base **out,
                                    struct mangle_stats *stats, struct mangle_error *err);

typedef struct mangle_overlay mangle_overlay;

/* One request over a closed base (which it references). Reuse one per worker: reset returns all
 * that a request took, and keeps the memory for the next. */
enum mangle_status mangle_overlay_new(mangle_base *base, mangle_overlay **out);
void mangle_overlay_free(mangle_overlay *o);
void mangle_overlay_reset(mangle_overlay *o); /* facts, results and values made in it are gone */
mangle_values *mangle_overlay_values(mangle_overlay *o);
/* What callbacks of external predicates find as mangle_query.host, until it is set again. */
void mangle_overlay_set_host(mangle_overlay *o, void *host);

/* As mangle_base_add(); additionally MANGLE_ERR_INPUT if the predicate is not changeable. Before
 * mangle_overlay_eval() only. */
enum mangle_status mangle_overlay_add(mangle_overlay *o, mangle_pred pred, const mangle_value *args,
                                      uint32_t count, const struct mangle_interval *t,
                                      struct mangle_error *err);

/* The same, and the host vouches for it. mangle_overlay_add() of a privileged predicate makes a
 * claim, and no fact. */
enum mangle_status mangle_overlay_vouch(mangle_overlay *o, mangle_pred pred,
                                        const mangle_value *args, uint32_t count,
                                        const struct mangle_interval *t, struct mangle_error *err);

/*
 * Until the next reset: evaluate the rules of these predicates alone, and pay for no others.
 *
 *   preds  per predicate of the program; with each one all that its rules read, directly and
 *          through others. Borrowed until the evaluation is over; NULL: all
 *
 * What holds of the others is not known then, and nothing can be explained.
 */
void mangle_overlay_focus(mangle_overlay *o, const bool *preds);

/*
 * Derive everything that follows from base and overlay, as of `now_ns` (0 is a valid instant).
 * The result equals evaluating program, base facts and overlay facts together from nothing.
 *
 * MANGLE_OK; MANGLE_ERR_LIMIT (err->limit); MANGLE_ERR_EVAL; MANGLE_ERR_CANCELLED;
 * MANGLE_ERR_NOMEM. After an error only mangle_overlay_reset() and _free() are allowed: nothing
 * partial escapes. A limit, deadline or `cancelled` stops it within a millisecond. Cost follows the
 * overlay's facts and what they derive, not the base.  [M-EVAL, M-TEMP, M-LIM]
 */
enum mangle_status mangle_overlay_eval(mangle_overlay *o, int64_t now_ns,
                                       const struct mangle_limits *limits,
                                       struct mangle_stats *stats, struct mangle_error *err);

/* How often rule `rule` (of mangle_program_rule()) fired when base and overlay were evaluated:
 * derivations, repeated ones included, of a do-rule also the rows that it grouped. Solutions that
 * differ only in what the head does not read may count once. 0 means that its body had no solution.
 * Counting costs nothing worth mentioning. */
int64_t mangle_overlay_firings(const mangle_overlay *o, size_t rule);

/* All facts of `pred` after evaluation, base and overlay together, in the order M-EVAL-30. *facts
 * lives until the overlay is reset or freed. A temporal fact appears once per interval. */
enum mangle_status mangle_overlay_facts(mangle_overlay *o, mangle_pred pred,
                                        const struct mangle_fact **facts, size_t *count);

/* How many these are, without making them: at once, for temporal predicates and those with `merge`
 * in one pass over their atoms. MANGLE_OK; MANGLE_ERR_INPUT: not evaluated, no such predicate. */
enum mangle_status mangle_overlay_count(mangle_overlay *o, mangle_pred pred, size_t *count);

/* The same facts one after another, in no order (M-EVAL-30 is that of mangle_overlay_facts()), with
 * no memory and no sorting:
 *
 *     struct mangle_cursor at;
 *     struct mangle_fact fact;
 *     if (mangle_overlay_cursor(o, pred, &at) == MANGLE_OK)
 *         while (mangle_cursor_next(&at, &fact))
 *             ...
 *
 * A cursor is plain data: it needs no end, a copy goes on by itself, several may be under way, and
 * one that has failed has no facts. fact.args lives until the overlay is reset or freed, and the
 * cursor ends there, too. MANGLE_OK; MANGLE_ERR_INPUT as for mangle_overlay_count(). */
struct mangle_cursor { /* fields are the library's */
    const mangle_overlay *overlay;
    mangle_pred pred;
    uint32_t row, span;
};
enum mangle_status mangle_overlay_cursor(mangle_overlay *o, mangle_pred pred,
                                         struct mangle_cursor *out);
bool mangle_cursor_next(struct mangle_cursor *cursor, struct mangle_fact *fact);

/* A simple column file of an evaluated overlay, deterministic (M-IO-41), uncompressed.
 *
 *   preds   whose facts are written, in any order, each once; NULL: of all that have facts
 *   out     *out is the caller's, ends with mangle_free(); *len without the NUL behind it
 *
 * Intervals are left out (M-IO-46). MANGLE_ERR_INPUT: the overlay is not evaluated; a number of
 * M-IO-47 is exceeded; or a value has no text that reads back to it (NaN, an infinity, a string
 * that is not UTF-8, a name that cannot be written, nesting beyond M-LIM-13, more than 64 MiB):
 * err names the fact. MANGLE_ERR_NOMEM. */
enum mangle_status mangle_overlay_columns(mangle_overlay *o, const mangle_pred *preds, size_t count,
                                          char **out, size_t *len, struct mangle_error *err);

/* Those that match `pattern` (count = arity; MANGLE_NONE matches anything). */
enum mangle_status mangle_overlay_match(mangle_overlay *o, mangle_pred pred,
                                        const mangle_value *pattern,
                                        const struct mangle_fact **facts, size_t *count);
bool mangle_overlay_holds(mangle_overlay *o, mangle_pred pred, const mangle_value *args);

/* `pred(a,b)@[s, e]` in the given form (M-VAL-65, M-TEMP-60; the file form adds `@[_, _]` to
 * eternal temporal facts). The caller's (mangle_free); NULL as for mangle_value_print(). */
char *mangle_fact_print(const mangle_program *program, const mangle_values *t,
                        const struct mangle_fact *fact, enum mangle_text_form form, size_t *len);

/* A query text of M-IO-1/2 (`p`, `p(X, "a", _)`) against an evaluated overlay; facts as above.
 * Diagnostics on MANGLE_ERR_PROGRAM; a warning if an atom's predicate does not exist (M-IO-5). */
enum mangle_status mangle_overlay_query(mangle_overlay *o, const char *text, size_t len,
                                        const struct mangle_fact **facts, size_t *count,
                                        mangle_diags *diags);

/*
 * Does `fact` keep what its Decl promises? Each argument must be in the type of its column, and the
 * inclusion constraints (`inclusion [...]`, string bounds) must hold in the evaluated overlay; with
 * several `bound` rows, all of that for one of them. Evaluation never asks: this is for hosts that
 * want to know. The fact itself need not hold.  [M-TYPE-73, M-DECL-34]
 *
 * MANGLE_OK; MANGLE_ERR_INPUT with the reason in `err`: the fact does not fit, its predicate has no
 * Decl, or an inclusion constraint cannot be checked; MANGLE_ERR_NOMEM.
 */
enum mangle_status mangle_overlay_check_fact(mangle_overlay *o, const struct mangle_fact *fact,
                                             struct mangle_error *err);

/* ---- what rules cost --------------------------------------------------------------------- */

/* Counters of rules, filled by the evaluations whose limits name them (mangle_limits.profile): of a
 * base and of what stands on it, one at a time. Whoever asks pays about a tenth; others pay
 * nothing. They are filled whatever an evaluation comes to, so that a limit can be explained. */
typedef struct mangle_profile mangle_profile;

/* All at zero. References `program`. MANGLE_OK or MANGLE_ERR_NOMEM. */
enum mangle_status mangle_profile_new(mangle_program *program, mangle_profile **out);
void mangle_profile_free(mangle_profile *profile);
void mangle_profile_reset(mangle_profile *profile); /* to zero; keeps the memory */

/* The program of whose rules these are; borrowed. */
const mangle_program *mangle_profile_program(const mangle_profile *profile);

struct mangle_rule_cost {
    int64_t ns;      /* of mangle_limits.clock, without what rules that it calls take */
    int64_t runs;    /* how often it was run, for all solutions or for those with news */
    int64_t rounds;  /* in how many rounds */
    int64_t tried;   /* rows that its premises looked at */
    int64_t heads;   /* solutions that reached the head; of a do-rule groups */
    int64_t derived; /* those that were new, before intervals are merged */
    /* And those that were not. Neither is counted for deferred predicates, nor where of a group
     * only the best value is kept, which is known between rounds. */
    int64_t duplicates;
    /* Rules that differ in constants alone may be found by one search: time, runs, rounds and rows
     * stand at this rule then; else at the rule itself. */
    size_t shared_with;
    size_t plan_count, premise_count; /* for the functions below */
};
/* What rule `rule` (of mangle_program_rule()) cost. */
struct mangle_rule_cost mangle_profile_rule(const mangle_profile *profile, size_t rule);

struct mangle_plan_cost { /* one way to run a rule, that was used */
    /* The atoms in the order that they are visited, such as "new path -> edge[1]": of `edge` an
     * index over its first column; no brackets: all rows, [*]: a look at one. "new" are those of
     * the last round. "a[1] & b": rows that a and b agree on. Lives as long as the profile. */
    const char *order;
    int64_t ns, runs, tried;
};
struct mangle_plan_cost mangle_profile_plan(const mangle_profile *profile, size_t rule,
                                            size_t plan);

struct mangle_premise_cost {
    int64_t tried; /* rows looked at */
    int64_t found; /* those that fit, and were followed */
};
/* Of premise `premise` of a rule, in the order of evaluation. The last one is none of the rule: it
 * stands for what the engine adds to find out what is asked for. */
struct mangle_premise_cost mangle_profile_premise(const mangle_profile *profile, size_t rule,
                                                  size_t premise);
/* The text of such a premise, the caller's (mangle_free); NULL: memory. */
char *mangle_profile_premise_text(const mangle_profile *profile, size_t rule, size_t premise);

/* ---- explanation (section 17) ------------------------------------------------------------ */

enum mangle_proof_kind {
    MANGLE_PROOF_GIVEN,     /* a fact of program or base: "[EDB]" */
    MANGLE_PROOF_SESSION,   /* a fact the overlay was given */
    MANGLE_PROOF_DERIVED,   /* by a rule, from premises */
    MANGLE_PROOF_AGGREGATE, /* by a do-rule: premises are the facts of the group */
    MANGLE_PROOF_LET,       /* by a rule with let: premises are the facts of the row */
    MANGLE_PROOF_ABSENT,    /* a negated premise: the fact is not there */
    MANGLE_PROOF_PARTIAL    /* depth limit reached */
};

struct mangle_binding {
    const char *name;
    mangle_value value;
};

struct mangle_proof {
    enum mangle_proof_kind kind;
    struct mangle_fact fact;
    char id[48];                           /* "/proof/" and 32 hex digits (M-PROV-10) */
    size_t rule;                           /* index of mangle_program_rule(); SIZE_MAX for leaves */
    char rule_id[48];                      /* "/rule/..."; empty for leaves */
    const struct mangle_binding *bindings; /* sorted by name; only for MANGLE_PROOF_DERIVED */
    size_t binding_count;
    const struct mangle_proof *const *premises;
    size_t premise_count;
    const char *transform;         /* printed, of MANGLE_PROOF_AGGREGATE and _LET; else NULL */
    const mangle_value *group_key; /* of MANGLE_PROOF_AGGREGATE, in the order of fn:group_by */
    size_t group_key_count;
    bool partial; /* something here or below could not be explained (M-PROV-8): cut off, or only a
                     part of a merged interval (M-PROV-28) */
};

/* One well-founded derivation of a fact that holds, chosen deterministically. Found afterwards from
 * rules and facts: evaluation records nothing. *out lives until the overlay is reset; equal
 * sub-proofs are shared. max_depth 0 means 64. MANGLE_ERR_INPUT if the fact does not hold. */
enum mangle_status mangle_overlay_explain(mangle_overlay *o, const struct mangle_fact *fact,
                                          uint32_t max_depth, const struct mangle_proof **out,
                                          struct mangle_error *err);

/* The tree form of M-PROV-41. The caller's (mangle_free). */
char *mangle_proof_print(mangle_overlay *o, const struct mangle_proof *proof, size_t *len);

enum mangle_explain_mode {
    MANGLE_EXPLAIN_FULL,  /* every rule */
    MANGLE_EXPLAIN_SIMPLE /* rules with a transform prove nothing (M-PROV-20) */
};

struct mangle_explain_options { /* all zero: one proof, 64 levels, full, however long it takes */
    uint32_t max_proofs;        /* alternatives of the goal itself; 0 means 1 (M-PROV-22) */
    uint32_t max_depth;         /* 0 means 64 */
    enum mangle_explain_mode mode;
    const struct mangle_limits *limits; /* NULL: none. timeout_ns, from now on, and cancelled:
                                           MANGLE_ERR_LIMIT, MANGLE_ERR_CANCELLED */
};

/* As mangle_overlay_explain(), with alternatives: different derivations of the fact itself, in the
 * order of the rules and then of their solutions; every premise is proved once. (*out)[*count]
 * live until the overlay is reset. *count is 0 in simple mode where only transforms derive it. */
enum mangle_status mangle_overlay_proofs(mangle_overlay *o, const struct mangle_fact *fact,
                                         const struct mangle_explain_options *options,
                                         const struct mangle_proof *const **out, size_t *count,
                                         struct mangle_error *err);

/* The same for one goal in Mangle syntax. MANGLE_ERR_PROGRAM with a diagnostic: GOAL_NOT_GROUND if
 * the goal has variables, NO_PROOF if it does not hold (M-PROV-23), or what is wrong in it. A
 * temporal goal stands for the first of its intervals. */
enum mangle_status mangle_overlay_prove(mangle_overlay *o, const char *goal, size_t len,
                                        const struct mangle_explain_options *options,
                                        const struct mangle_proof *const **out, size_t *count,
                                        mangle_diags *diags);

/* The tree form of several proofs: "proof 1 of n:" and so on. The caller's (mangle_free). */
char *mangle_proofs_print(mangle_overlay *o, const struct mangle_proof *const *proofs, size_t count,
                          size_t *len);

/* ---- why not ----------------------------------------------------------------------------- */

enum mangle_failure {
    MANGLE_FAILED_NO_FACT,  /* no fact matches the premise; facts: near ones, if it is no call */
    MANGLE_FAILED_PRESENT,  /* a negated premise, and there are facts: facts, if it is no call */
    MANGLE_FAILED_INTERVAL, /* facts match, but none of their intervals counts: facts */
    MANGLE_FAILED_TEST,     /* an equality, inequality or built-in that does not hold */
    MANGLE_FAILED_HEAD,     /* every premise holds, and the head comes out different: facts. Without
                               facts: it is the goal, but calls keep nothing, and merging may make
                               another fact of it */
    MANGLE_FAILED_GROUP,    /* a do-rule whose group comes out different: facts */
    MANGLE_FAILED_ERROR     /* a function fails on these values */
};

/* A fact that would take a rule past the premise that it failed; others may fail it then. */
struct mangle_wanted {
    mangle_pred pred;
    const mangle_value *args; /* of its arity; MANGLE_NONE: left open */
    /* Of a column that is left open, values that the rule itself hints at: what it compares the
     * variable with, and what stands in its place in facts of other premises. At most
     * MANGLE_WANTED_TRIES, then MANGLE_NONE. */
    const mangle_value *const *tries;
};
#define MANGLE_WANTED_TRIES 6

/* What became of one rule whose head matches the goal: the partial solution that satisfied the most
 * premises (of several the one with the smallest values), and the premise that it failed. */
struct mangle_failed_rule {
    size_t rule; /* index of mangle_program_rule() */
    enum mangle_failure kind;
    size_t premise;                        /* from 1, as the rule is written; 0 if all hold */
    const char *premise_text;              /* canonical; NULL if premise is 0 */
    const char *premise_with;              /* the same with the values that variables have */
    const char *why;                       /* one line, lower case */
    const struct mangle_binding *bindings; /* sorted by name */
    size_t binding_count;
    const struct mangle_fact *facts; /* see kind; at most 10 */
    size_t fact_count;
    size_t more_facts; /* that are not listed */
    /* NO_FACT: the fact that the premise looked for, and then, as for TEST, facts in the place of
     * those that gave its variables their values, with these left open. At most 8. */
    const struct mangle_wanted *wanted;
    size_t wanted_count;
    bool incomplete; /* not everything was tried: others may get further */
};

struct mangle_why_not {
    const char *goal;                  /* canonical text */
    mangle_pred pred;                  /* MANGLE_NO_PRED: there is no such predicate */
    const struct mangle_fact *answers; /* the goal holds after all: then nothing below is filled */
    size_t answer_count;
    const struct mangle_failed_rule *rules; /* whose head matches the goal, program order */
    size_t rule_count;
    size_t other_rules;             /* of the predicate, with another head */
    const char *why;                /* one line */
    const struct mangle_fact *near; /* facts that differ in the fewest arguments, at most 3 */
    size_t near_count;
};

/*
 * Why does no fact match `goal` (a query text: `path(/a, X)`)? Each rule that could have made one
 * is run from the goal, premise by premise as evaluation would; what it computed already is not
 * derived again. After some millions of candidates a rule is given up as `incomplete`.
 *
 *   out    *out lives until the overlay is reset; NULL on error
 *   diags  may be NULL; what is wrong with the goal
 *
 * MANGLE_OK, also if the goal holds; MANGLE_ERR_PROGRAM: the goal cannot be read;
 * MANGLE_ERR_INPUT: not evaluated; MANGLE_ERR_NOMEM.
 */
enum mangle_status mangle_overlay_why_not(mangle_overlay *o, const char *goal, size_t len,
                                          const struct mangle_why_not **out, mangle_diags *diags);

/* The same for a goal that is not text: `pattern` has a value, or MANGLE_NONE, for each column of
 * `pred`. The rules are run also if the goal holds (answer_count is 0 then, and out->goal NULL),
 * and nothing near is looked for. */
enum mangle_status mangle_overlay_why_not_match(mangle_overlay *o, mangle_pred pred,
                                                const mangle_value *pattern,
                                                const struct mangle_why_not **out);

/* For people. The caller's (mangle_free); NULL when memory is short. */
char *mangle_why_not_print(mangle_overlay *o, const struct mangle_why_not *why, size_t *len);

/*
 * Until when does `fact` keep holding if nothing but time passes? The last instant at which some
 * derivation of it still stands (a `<-[0s, 5m]` window on an event of 14:30 stands until 14:35,
 * inclusive); the latest over all derivations. MANGLE_MAX_TIME if it does not depend on time.
 *
 *   limits  timeout_ns, from now on, and cancelled; NULL: none. What they end is as if never asked
 *
 * MANGLE_OK; MANGLE_ERR_LIMIT; MANGLE_ERR_CANCELLED; MANGLE_ERR_INPUT: not evaluated, or the fact
 * does not hold; MANGLE_ERR_NOMEM.  [P-TOOL-17, D-40]
 */
enum mangle_status mangle_overlay_valid_until(mangle_overlay *o, const struct mangle_fact *fact,
                                              const struct mangle_limits *limits,
                                              int64_t *until_ns);

/*
 * Until when does no fact appear that matches `pattern` (per column a value, or MANGLE_NONE for
 * any) and is not there now, if nothing but time passes? Never later than the last instant at which
 * that is so, and in general exactly that; MANGLE_MAX_TIME: none ever does. Together with
 * mangle_overlay_valid_until() of the facts there are it says how long an answer stays what it is.
 * Where rules cannot be followed (too much work, calls of deferred predicates, what is merged), the
 * answer is about the whole predicate; where not even that is known, the evaluation time. Limits
 * and results as above.
 */
enum mangle_status mangle_overlay_absent_until(mangle_overlay *o, mangle_pred pred,
                                               const mangle_value *pattern,
                                               const struct mangle_limits *limits,
                                               int64_t *until_ns);

/* ---- for editors: what the language offers ------------------------------------------------ */

#define MANGLE_VARIADIC UINT32_MAX

/* A built-in, from the table that the engine itself reads; docs/builtins.md is made from it. All
 * strings are static. */
struct mangle_builtin {
    const char *name;            /* "fn:plus", ":lt" */
    bool predicate;              /* stands as a premise; else a function */
    bool reducer;                /* works on the rows of a group, after `do fn:group_by(...)` */
    uint32_t min_args, max_args; /* MANGLE_VARIADIC: no upper bound */
    const char *type;            /* "/number, /number -> /number"; of a predicate its arguments */
    const char *doc;             /* one sentence */
    const char *example[3];      /* rule, facts, expected fact; NULLs if there is none */
};

/* The index-th, functions before predicates; false past the end. */
bool mangle_builtin_at(size_t index, struct mangle_builtin *out);

enum mangle_word_kind {
    MANGLE_WORD_RESERVED,   /* "Decl", "temporal" (M-LEX-6) */
    MANGLE_WORD_DESCRIPTOR, /* "doc": in descr [...] (M-DECL-10 to 22) */
    MANGLE_WORD_TYPE,       /* "/number" (M-TYPE-1 to 3) */
    MANGLE_WORD_CONSTRUCTOR /* "fn:List": makes a type of types (M-TYPE-5 to 14) */
};

/* A word of the language that is no built-in. All strings are static. */
struct mangle_word {
    const char *name;
    enum mangle_word_kind kind;
    const char *usage; /* "doc(\"text\")": how it is written */
    const char *doc;   /* one sentence */
};

bool mangle_word_at(size_t index, struct mangle_word *out); /* false past the end */

/* ---- for editors: where things are -------------------------------------------------------- */

/*
 * An outline says of sources, also of broken ones, where everything stands that has a name, and
 * what is known of it. It is made from the tokens, so that half a clause is no obstacle; what needs
 * the whole program (documentation, types) is there as far as the errors allow. Immutable.
 */
typedef struct mangle_outline mangle_outline;

enum mangle_occurrence_kind {
    MANGLE_AT_PREDICATE,
    MANGLE_AT_BUILTIN,  /* a built-in predicate such as :lt */
    MANGLE_AT_FUNCTION, /* fn:... */
    MANGLE_AT_VARIABLE, /* not `_` */
    MANGLE_AT_PACKAGE,
    MANGLE_AT_TYPE, /* a name or constructor within bound [...] */
    MANGLE_AT_NAME, /* a constant such as /a/b */
    MANGLE_AT_DESCRIPTOR,
    MANGLE_AT_RESERVED,
    MANGLE_AT_STRING,
    MANGLE_AT_NUMBER, /* also times and durations */
    MANGLE_AT_COMMENT
};

enum mangle_occurrence_role {
    MANGLE_USES,
    MANGLE_DECLARES, /* a predicate in its Decl, a package in its Package line */
    MANGLE_DEFINES   /* a predicate as the head of a clause */
};

#define MANGLE_NO_CLAUSE UINT32_MAX

struct mangle_occurrence {
    enum mangle_occurrence_kind kind;
    enum mangle_occurrence_role role;
    uint32_t source;               /* index of the source */
    uint32_t start, end;           /* byte offsets, if the source is well-formed UTF-8 */
    uint32_t line, column, length; /* from 1; in code points, as in struct mangle_diag */
    const char *text;              /* as written; a predicate named by a string: its content */
    const char *name; /* of a predicate: with its package; else as `text`. Lives as the outline */
    uint32_t prefix;  /* bytes of `text` up to the last dot and with it: the package */
    uint32_t arity;   /* of predicates, built-ins, functions: the arguments written here */
    uint32_t clause;  /* variables belong to it; MANGLE_NO_CLAUSE in Package and Use lines */
};

struct mangle_outline_clause {
    uint32_t source;
    uint32_t start, end; /* byte offsets, the dot included */
    bool declaration;    /* a Decl */
    bool rule;           /* has a body */
    size_t first, count; /* its occurrences */
    size_t head;         /* the occurrence it defines or declares; SIZE_MAX if there is none */
};

/*
 * Sources, options and diags as for mangle_compile(), with the same findings. MANGLE_OK also when
 * the program is wrong (mangle_diags_errors() tells); MANGLE_ERR_NOMEM. *out is the caller's.
 */
enum mangle_status mangle_outline_new(const struct mangle_source *sources, size_t count,
                                      const struct mangle_compile_options *options,
                                      mangle_outline **out, mangle_diags *diags);
void mangle_outline_free(mangle_outline *outline);

size_t mangle_outline_count(const mangle_outline *outline); /* by source, then by place */
struct mangle_occurrence mangle_outline_get(const mangle_outline *outline, size_t index);
/* The occurrence that holds the byte offset or ends there; SIZE_MAX if there is none. */
size_t mangle_outline_find(const mangle_outline *outline, uint32_t source, uint32_t offset);
size_t mangle_outline_clause_count(const mangle_outline *outline);
struct mangle_outline_clause mangle_outline_clause(const mangle_outline *outline, size_t index);

/* What is known of the predicates: for mangle_program_pred_count(), _pred(), mangle_pred_find(),
 * _descriptor(), _bound(). Not for evaluation. Lives as the outline. */
const mangle_program *mangle_outline_program(const mangle_outline *outline);
/* The type of a column: its bound, or what facts and rules put there; of a variable: what the
 * premises of its clause leave. Text as of mangle_pred_bound(); NULL if it is not known. */
const char *mangle_outline_column_type(const mangle_outline *outline, mangle_pred pred,
                                       uint32_t column);
const char *mangle_outline_var_type(const mangle_outline *outline, size_t occurrence);
/* arg(X, "...") of a column; NULL if there is none. */
const char *mangle_outline_arg_doc(const mangle_outline *outline, mangle_pred pred,
                                   uint32_t column);

#ifdef __cplusplus
}
#endif
#endif
