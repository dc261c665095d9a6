/* What every answer of the library needs: the text of a status, and the way to give memory back. */
#include "mangle.h"

#include "base/alloc.h"

const char *mangle_status_text(enum mangle_status status)
{
    static const char *const texts[] = {
#define STATUS_TEXT(name, text) text,
        MANGLE_STATUS(STATUS_TEXT)
#undef STATUS_TEXT
    };
    size_t index = (size_t)status;
    return index < sizeof texts / sizeof *texts ? texts[index] : "unknown status";
}

void mangle_free(void *p)
{
    mgi_free(p);
}
