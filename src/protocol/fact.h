/* Facts on the wire <-> values of the engine (protocol.md §2.5 to §2.7, D-10..D-20). A leaf: uses
 * the public mangle.h and base, nothing else of the protocol but times. */
#ifndef MGI_PROTOCOL_FACT_H
#define MGI_PROTOCOL_FACT_H

#include "base/arena.h"
#include "base/json.h"
#include "mangle.h"

enum arg_type { ARG_ANY, ARG_STRING, ARG_NUMBER, ARG_BOOLEAN };
enum direction { DIRECTION_BOTH, DIRECTION_INPUT, DIRECTION_OUTPUT };

/* What the manifest says of one predicate. Immutable; lives in the snapshot. */
struct pred_schema {
    struct str predicate;
    uint32_t arity;
    enum arg_type *arg_types; /* arity of them */
    bool *arg_is_name;        /* the Decl's bound is a name type: strings are converted (D-10) */
    bool *arg_is_integer;     /* it is /number and nothing else: a float is none (P-FACT-17) */
    struct str *arg_names;    /* NULL: no named form */
    bool temporal;
    bool has_arg_types; /* printed in the manifest */
    enum direction direction;
    struct str description;
    mangle_pred pred; /* in the domain's program */
    bool vouched;     /* it matters who says it: something privileged rests on it */
};

/* Looks a schema up by name; NULL: undeclared. */
struct fact_profile {
    const struct pred_schema *schemas; /* sorted by name, then arity */
    size_t count;
    bool closed;      /* the list is closed (D-16) */
    int time_formats; /* WIRE_TIME_* */
    bool named_args;
    uint32_t max_violations; /* reported; more are counted only */
};
const struct pred_schema *mgi_profile_find(const struct fact_profile *p, struct str name);

extern const char mgi_issue_nomem[]; /* the "issue" that is ours: compare the pointer */

/* A usable predicate name: [a-z][a-z0-9_]*, at most 128 characters (P-FACT-1, P-FACT-2). */
bool mgi_pred_name_ok(struct str name);

/* JSON value -> value of table `t`; without a table it is checked only (a name's form is not), and
 * what is returned means nothing. NULL issue on success; else an issue word and a static reason (or
 * mgi_issue_nomem). Iterative up to the parser's depth. as_name: a string becomes a name
 * (D-10). `wildcard`: null is allowed and gives MANGLE_NONE at the top level. */
mangle_value mgi_value_from_json(mangle_values *t, const struct json *v, bool as_name,
                                 bool wildcard, struct arena *arena, const char **issue,
                                 const char **why);

/* Value -> JSON: names as strings with their slash, /true and /false as booleans, integers beyond
 * 2^53 - 1 wrapped, times as RFC 3339, durations as text, pairs as arrays, structs as objects. */
void mgi_value_to_json(struct json_writer *w, const mangle_values *t, mangle_value v);

struct violation {
    uint32_t fact_index;
    struct str predicate;
    const char *issue;                                    /* words of §2.18 */
    const char *message;                                  /* in the arena */
    int32_t expected_arity, actual_arity;                 /* -1: absent */
    int32_t argument_index;                               /* -1: absent */
    const char *expected_type, *actual_type, *suggestion; /* NULL: absent */
};

/* A decoded fact. `schema` NULL for names that are accepted without one (D-16). */
struct wire_fact {
    const struct pred_schema *schema;
    struct str pred;
    mangle_value *args;
    uint32_t count;
    bool has_t;
    bool says_now;            /* t does: it depends on when the fact was told */
    struct mangle_interval t; /* MANGLE_ALWAYS if absent */
    struct str source_type;   /* "client" if absent */
    struct str source_id;     /* "" if absent */
    bool dated;
    int64_t asserted_at_ns; /* if dated */
    struct str signature;   /* "" if absent */
    struct str category;    /* "" if absent */
    /* Set by who knows the caller: the server said it, or trusts who does. What a fact says of its
     * own source never decides it (D-12). */
    bool vouched;
};

struct fact_list {
    struct wire_fact *facts;
    size_t count;
    struct violation *violations;
    size_t violation_count; /* collected: max_violations, and the first of every further issue */
    size_t fault_count;     /* all */
};

struct fact_rules {               /* what the request adds to the profile */
    const struct str *open_names; /* required_facts, optional_facts without a schema (D-16) */
    size_t open_count;
    bool accept_output; /* decoding a plugin's delta: output predicates are fine */
    bool patterns;      /* retractions: null arguments give MANGLE_NONE */
    bool need_category; /* assertions of a delta name theirs (P-DELTA-2) */
};

/*
 * Decode and check the array `facts` against `profile`: every faulty fact is reported, first fault
 * of each, in index order (D-18).
 *
 *   values   where argument values are made (an overlay's table); NULL: the facts are checked only,
 *            and their `args` mean nothing
 *   now_ns   what "now" means in `t`
 *   out      lives in `arena`
 *
 * False only when memory is short.  [P-FACT-*, P-TIME-*, P-PROV-*, P-SCHEMA-5..7]
 */
bool mgi_facts_decode(struct arena *arena, mangle_values *values,
                      const struct fact_profile *profile, const struct fact_rules *rules,
                      const struct json *facts, int64_t now_ns, struct fact_list *out);

/* The wire code for a set of violations (D-18). WIRE_INVALID_FACTS and friends, as an int to keep
 * this header a leaf: see error.h. */
int mgi_violations_code(const struct violation *v, size_t count, size_t fault_count);
void mgi_violations_write(struct json_writer *w, const struct violation *v,
                          size_t count); /* array */

/* What is signed of a fact that the server says: everything that it means, for whom it is, and when
 * it was said. Fields as in struct wire_fact. */
struct said_fact {
    struct str domain;    /* the id of the domain that says it */
    struct str principal; /* to whom: mgi_principal_key() */
    struct str pred;
    const mangle_value *args;
    uint32_t count;
    struct mangle_interval t; /* MANGLE_ALWAYS if it has none */
    struct str source_type, source_id;
    int64_t asserted_at_ns;
};
/* As one text: canonical JSON, the same for the fact as it is written and as it is read again.
 * False: memory. */
bool mgi_said_fact_text(struct buf *out, const mangle_values *t, const struct said_fact *f);

struct fact_source { /* of a fact that is written */
    const char *type;
    bool dated;
    int64_t asserted_at_ns;
    const char *signature; /* or NULL */
};
/* As below, with all of its source. */
void mgi_fact_write_said(struct json_writer *w, const mangle_values *t, struct str pred,
                         const mangle_value *args, uint32_t count, const struct mangle_interval *at,
                         const char *category, const struct fact_source *source);

/* One fact object. category, source_type NULL: left out. wildcard args are MANGLE_NONE -> null. */
void mgi_fact_write(struct json_writer *w, const mangle_values *t, struct str pred,
                    const mangle_value *args, uint32_t count, const struct mangle_interval *at,
                    const char *category, const char *source_type);

#endif
