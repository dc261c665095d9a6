#include "support/nomem.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/alloc.h"

/* Allocations are counted here, and a judge (protocol/judge.h) makes some of its own. */
bool mgi_judge_is_on(void);
bool mgi_judge_is_on(void)
{
    return false;
}

static atomic_size_t countdown; /* workers allocate, too */
static atomic_bool failed;

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
    size_t left = atomic_load(&countdown);
    while (left > 0 && !atomic_compare_exchange_weak(&countdown, &left, left - 1)) {
    }
    if (left != 1)
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
