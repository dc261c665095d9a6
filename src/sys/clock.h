/* Clocks, for programs and the server: libraries get the time as an argument. Thread-safe. */
#ifndef MGI_SYS_CLOCK_H
#define MGI_SYS_CLOCK_H

#include <stdint.h>

/* Nanoseconds since 1970-01-01T00:00:00Z; may jump when somebody sets the clock. */
int64_t mgi_clock_real_ns(void);
/* Nanoseconds since some fixed moment; never goes back. For durations and deadlines. */
int64_t mgi_clock_mono_ns(void);
/* Processor time of this process, all threads, in nanoseconds. */
int64_t mgi_clock_cpu_ns(void);

#endif
