/* The environment that the process was started with: see secrets.h. */
#include "sys/secrets.h"

#include <stdlib.h>

const char *mgi_secret(const char *name)
{
    return getenv(name);
}
