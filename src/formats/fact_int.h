/* What listing predicates and adding rows share: lines, and fact objects. */
#ifndef MGI_FORMATS_FACT_INT_H
#define MGI_FORMATS_FACT_INT_H

#include "base/json.h"
#include "formats/facts.h"

struct fact_text {
    struct str rest;
    uint32_t line; /* of what was taken last, from 1 */
};

/* At the beginning of `text`, behind a byte order mark. */
struct fact_text mgi_fact_text(struct str text);
/* The next line that is not blank; false at the end. */
bool mgi_fact_line(struct fact_text *t, struct str *line);
/* To the next line that is not empty, for records that may span lines. False at the end. */
bool mgi_fact_skip_empty(struct fact_text *t);

struct fact_object {
    struct str pred;
    const struct json *args, *t; /* NULL: none */
};

/* A line as a fact object, in `arena`. NULL; else what is wrong, and *fault. Memory that is short
 * is arena->oom. */
const char *mgi_fact_object(struct arena *arena, struct str line, struct fact_object *out,
                            enum fact_fault *fault);

/* ---- plain ones (json_plain.c) ----------------------------------------------------------------
 */

#define PLAIN_JSON_ARGS 16

struct plain_json {
    bool is_text; /* else an integer */
    struct str text;
    int64_t integer;
};

struct plain_object {
    struct str pred; /* perhaps no name of a predicate */
    uint32_t count;  /* at least one */
    struct plain_json args[PLAIN_JSON_ARGS];
};

/* A line that has nothing but a predicate and its arguments, in this order, without escapes and
 * fractions. False: it is read by mgi_fact_object(). */
bool mgi_plain_object(struct str line, struct plain_object *out);

#endif
