/* Loading libpq by name; see pq_late.h. */
#include "plugins/sql/pq_late.h"

#include <dlfcn.h>
#include <string.h>

#define PQ_LIBRARY "libpq.so.5" /* the interface of every PostgreSQL since 8.2 */

/* ISO C knows no way from an object's address to a function's; POSIX promises that this works. */
static bool find_function(void *library, const char *name, void *member, size_t size)
{
    void *address = dlsym(library, name);
    if (!address || size != sizeof address)
        return false;
    memcpy(member, &address, size);
    return true;
}

bool mgi_pq_late_open(struct pq_late *out, struct buf *why)
{
    void *library = dlopen(PQ_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
        mgi_buf_printf(why, "PostgreSQL needs libpq, which cannot be loaded: %s", dlerror());
        return false;
    }
    bool ok = true;
#define PQ_LATE_FIND(name) ok = ok && find_function(library, #name, &out->name, sizeof out->name);
    PQ_LATE_FUNCTIONS(PQ_LATE_FIND)
#undef PQ_LATE_FIND
    if (!ok)
        mgi_buf_puts(why, "PostgreSQL needs a newer libpq than " PQ_LIBRARY " is here");
    dlclose(library); /* NODELETE keeps it */
    return ok;
}
