/* The suite's domain folder as bytes in the program (cmake/embed_files.cmake). */
#ifndef MGI_CONFORMANCE_DOMAIN_H
#define MGI_CONFORMANCE_DOMAIN_H

#include <stddef.h>

struct domain_file {
    const char *path; /* below the folder */
    const char *text;
    size_t len;
};

extern const struct domain_file mgi_conformance_domain[]; /* sorted by path; ends with NULLs */
extern const size_t mgi_conformance_domain_count;

#endif
