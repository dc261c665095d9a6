/* The clocks of the machine. */
#include "sys/clock.h"

#include <time.h>

#include "base/time.h"

int64_t mgi_clock_real_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * NS_PER_SEC + now.tv_nsec;
}

int64_t mgi_clock_mono_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * NS_PER_SEC + now.tv_nsec;
}

int64_t mgi_clock_cpu_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * NS_PER_SEC + now.tv_nsec;
}
