/* Facts from texts: what form a file is written in, which predicates it speaks of, and its rows
 * into an open base. One reader for the command line and for domains: whoever takes the facts says
 * which predicates there are, and words what is wrong for its people.
 *
 * Mangle text and column files are read by mangle.h itself, documents by json_struct.h and
 * protobuf.h; JSON lines, CSV and TSV here. Nothing here opens a file. */
#ifndef MGI_FORMATS_FACTS_H
#define MGI_FORMATS_FACTS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/strmap.h"
#include "mangle.h"

enum fact_form {
    FACTS_MANGLE,     /* .mg */
    FACTS_JSON_LINES, /* .jsonl: a fact object of the protocol on each line (M-IO-70, M-IO-71) */
    FACTS_CSV,        /* .csv: rows of one predicate */
    FACTS_TSV,        /* .tsv: the same between tabs (tsv.h) */
    FACTS_COLUMNS,    /* .sc: a simple column file (M-IO-40 to 47) */
    FACTS_JSON,       /* .json: a document, the one fact PRED({…}) (M-IO-60 to 67) */
    FACTS_PROTOBUF    /* .pb: the same from a protocol buffer message (M-IO-68) */
};

/* By the end of a name. False: it says nothing. */
bool mgi_fact_form_named(struct str path, enum fact_form *out);
/* A text of this form does not say which predicate it speaks of. */
bool mgi_fact_form_needs_pred(enum fact_form form);
/* The file's name without folder and ending: what stands for the predicate of such a text. */
struct str mgi_fact_stem(struct str path);
/* [a-z][A-Za-z0-9_.:]*, not empty. */
bool mgi_fact_pred_name_ok(struct str name);

/* ---- predicates (fact_preds.c) --------------------------------------------------------------- */

struct host_pred_list {
    struct arena names;
    struct mangle_host_pred *items; /* each once; name and arity are one predicate */
    size_t count, cap, last;
    struct strmap index; /* "name/arity" -> item */
    struct buf key;
};

void mgi_host_preds_init(struct host_pred_list *list);
void mgi_host_preds_fini(struct host_pred_list *list);

/* The predicates of a text, appended, for the options of mangle_compile(). `pred` is that of forms
 * that need one. Faulty lines are passed over: adding reports them. False when memory is short. */
bool mgi_fact_preds(enum fact_form form, const struct mangle_source *text, struct str pred,
                    struct host_pred_list *out);

/* ---- rows (fact_rows.c) ---------------------------------------------------------------------- */

enum fact_fault {
    FACT_NOT_JSON,   /* a line is no JSON */
    FACT_NO_OBJECT,  /* it is JSON, but no fact object */
    FACT_BAD_VALUE,  /* an argument, field or time is not what it may be */
    FACT_BAD_QUOTES, /* of CSV: the rest of the text cannot be read; of TSV: an escape */
    FACT_RAGGED,     /* a row has another number of fields than the first */
    FACT_REFUSED     /* mangle_base_add() says no */
};

struct fact_taker {
    mangle_base *base; /* open: facts are added to it */
    int64_t now_ns;    /* what "now" means in a time */
    bool refuses_now;  /* for facts that are kept beyond this moment */
    bool names;        /* JSON strings are names where the Decl's bound is a type of names (D-10) */
    /* The predicate of a fact, or MANGLE_NO_PRED after saying why there is none. Of CSV and TSV
     * asked once, for the first row. */
    mangle_pred (*find)(void *context, uint32_t line, const char *name, uint32_t count);
    /* Does the field name the column in a heading? The Decl's variables do anyway. May be NULL. */
    bool (*is_title)(void *context, mangle_pred pred, uint32_t column, struct str field);
    /* What is wrong, on which line (from 1; of a CSV record its first). `message` is lower case and
     * good until return. */
    void (*fault)(void *context, uint32_t line, enum fact_fault fault, const char *message);
    void *context;
};

/*
 * Add the facts of a text of JSON lines, CSV or TSV (`form`) to taker->base, row by row; every
 * fault is told, and the row passed over. A byte order mark is no text. In CSV and TSV the Decl's
 * bound says what a column holds: without one, integers are numbers and all else is text; a first
 * row that repeats the titles of all columns is a heading. Linear in the text.
 *
 * MANGLE_OK, also after faults; MANGLE_ERR_NOMEM, or what else mangle_base_add() failed with.
 */
enum mangle_status mgi_fact_rows(enum fact_form form, struct str text, struct str pred,
                                 const struct fact_taker *taker);

#endif
