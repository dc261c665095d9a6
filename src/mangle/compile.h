/* The main line of compilation as far as tools want it: a program that may be wrong. */
#ifndef MGI_MANGLE_COMPILE_H
#define MGI_MANGLE_COMPILE_H

#include "mangle/program/program.h"

/* All stages but planning, into `p`, which is new. MANGLE_OK also when errors were reported. */
enum mangle_status mgi_analyse(mangle_program *p, const struct mangle_source *sources, size_t count,
                               const struct mangle_compile_options *options, mangle_diags *diags);

#endif
