/* The beginning of a plugin: examples/plugin of the source tree, as bytes in the program
 * (cmake/embed_files.cmake), for `toolhost new`, which gives the lines "INCLUDE ?= ..." and
 * "TOOLHOST ?= ..." of the Makefile other values. Immutable. */
#ifndef TOOLHOST_START_FILES_H
#define TOOLHOST_START_FILES_H

#include <stddef.h>

struct start_file {
    const char *path; /* "plugin.c" */
    const char *text; /* UTF-8, `len` bytes, a NUL behind them */
    size_t len;
};

/* Sorted by path; a last entry of NULLs that the count does not count. */
extern const struct start_file mgi_start_files[];
extern const size_t mgi_start_files_count;

#endif
