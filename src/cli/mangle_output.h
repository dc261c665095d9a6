/* Facts for output: Mangle text that can be read again, JSON lines, CSV. */
#ifndef MGI_CLI_MANGLE_OUTPUT_H
#define MGI_CLI_MANGLE_OUTPUT_H

#include <stdio.h>

#include "base/buf.h"
#include "mangle.h"

enum fact_output { OUTPUT_MANGLE, OUTPUT_JSON_LINES, OUTPUT_CSV };

bool mgi_fact_output_named(const char *name, enum fact_output *out);

struct fact_printer {
    mangle_overlay *overlay;
    const mangle_program *program;
    const mangle_values *values;
    enum fact_output form;
    FILE *to;
    struct buf text;    /* not written yet */
    mangle_pred pred;   /* OUTPUT_CSV: of the rows so far */
    size_t left_out;    /* OUTPUT_MANGLE: facts without a text that can be read again */
    const char *failed; /* first thing that went wrong; NULL */
};

/* For facts of an evaluated overlay of `program`. */
void mgi_fact_printer_init(struct fact_printer *p, const mangle_program *program,
                           mangle_overlay *overlay, enum fact_output form, FILE *to);
/* A fact that has no text is left out; it and the rule that derived it are told on stderr. */
void mgi_print_facts(struct fact_printer *p, const struct mangle_fact *facts, size_t count);
/* Write the rest. NULL, or what went wrong; `left_out` counts on its own. */
const char *mgi_fact_printer_end(struct fact_printer *p);

#endif
