#include "support/nomem.h"

#include <stdlib.h>

#include "base/alloc.h"

static size_t countdown;
static bool failed;

void *__real_mgi_alloc(size_t size);
void *__real_mgi_realloc(void *p, size_t size);
void *__wrap_mgi_alloc(size_t size);
void *__wrap_mgi_realloc(void *p, size_t size);

void nomem_fail_at(size_t n)
{
    countdown = n;
    failed = false;
}

bool nomem_failed(void)
{
    return failed;
}

static bool must_fail(void)
{
    if (countdown == 0 || --countdown > 0)
        return false;
    failed = true;
    return true;
}

void *__wrap_mgi_alloc(size_t size)
{
    return must_fail() ? NULL : __real_mgi_alloc(size);
}

void *__wrap_mgi_realloc(void *p, size_t size)
{
    return must_fail() ? NULL : __real_mgi_realloc(p, size);
}
