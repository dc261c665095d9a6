/* How often a test tries what is random: as often as every run of all tests can pay for, times
 * TEST_ROUNDS of the environment. A seed is the same whatever it says, so a longer run begins with
 * the shorter one. */
#ifndef TEST_SUPPORT_ROUNDS_H
#define TEST_SUPPORT_ROUNDS_H

#include <stdint.h>
#include <stdlib.h>

static inline uint32_t test_rounds(uint32_t usual)
{
    const char *times = getenv("TEST_ROUNDS");
    int n = times ? atoi(times) : 1;
    return usual * (uint32_t)(n > 1 ? n : 1);
}

#endif
