/* For tests that end before planning: mgi_plan() does nothing unless the real one is linked. */
#ifndef TEST_SUPPORT_PLAN_FALLBACK_H
#define TEST_SUPPORT_PLAN_FALLBACK_H

#include "mangle/program.h"

__attribute__((weak)) enum mangle_status mgi_plan(mangle_program *p)
{
    (void)p;
    return MANGLE_OK;
}

__attribute__((weak)) void mgi_plan_free(struct plan *plan)
{
    (void)plan;
}

#endif
