/* The environment as an array of "NAME=value", NULL-terminated, as main() gets it. Programs pass it
 * in; no library reads the process's own. */
#ifndef MGI_SERVICE_ENVIRONMENT_H
#define MGI_SERVICE_ENVIRONMENT_H

#include <stddef.h>
#include <string.h>

/* The value of `name`, borrowed from `environment` (NULL: empty); NULL if it is not there. */
static inline const char *mgi_environment_get(const char *const *environment, const char *name)
{
    size_t len = strlen(name);
    for (; environment && *environment; environment++)
        if (strncmp(*environment, name, len) == 0 && (*environment)[len] == '=')
            return *environment + len + 1;
    return NULL;
}

#endif
