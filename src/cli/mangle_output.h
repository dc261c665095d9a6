/* Facts for output: Mangle text that can be read again, JSON lines, CSV. */
#ifndef MGI_CLI_MANGLE_OUTPUT_H
#define MGI_CLI_MANGLE_OUTPUT_H

#include <stdio.h>

#include "base/buf.h"
#include "mangle.h"

enum fact_output { OUTPUT_MANGLE, OUTPUT_JSON_LINES, OUTPUT_CSV };

bool mgi_fact_output_named(const char *name, enum fact_output *out);

struct fact_printer {
    const mangle_program *program;
    const mangle_values *values;
    enum fact_output form;
    FILE *to;
    struct buf text;    /* not written yet */
    mangle_pred pred;   /* OUTPUT_CSV: of the rows so far */
    const char *failed; /* first thing that went wrong; NULL */
};

void mgi_fact_printer_init(struct fact_printer *p, const mangle_program *program,
                           const mangle_values *values, enum fact_output form, FILE *to);
void mgi_print_facts(struct fact_printer *p, const struct mangle_fact *facts, size_t count);
/* Write the rest. NULL, or what went wrong. */
const char *mgi_fact_printer_end(struct fact_printer *p);

#endif
