/* What nobody can guess. For programs and the server; never in libmangle. Thread-safe. */
#ifndef MGI_SYS_RANDOM_H
#define MGI_SYS_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

/* Cryptographic random bytes from the system. False: the system has none to give. */
bool mgi_random(void *out, size_t len);

#endif
