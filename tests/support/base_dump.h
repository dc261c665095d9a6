/* All that a closed base holds, and how it came to it: of every predicate the rows in their order,
 * each with the round that it was born in; how often each rule fired; what was counted. */
#ifndef TEST_SUPPORT_BASE_DUMP_H
#define TEST_SUPPORT_BASE_DUMP_H

#include "mangle.h"

/* `stats`: their `bytes` are left out. The caller's (mangle_free). */
char *mangle_base_dump(const mangle_base *base, const struct mangle_stats *stats);

/* Workers that are none: the tasks on this thread, the last one first. */
void run_backwards(void *context, void (*task)(void *argument, uint32_t number), void *argument,
                   uint32_t count);

#endif
