/* Is there a processor to spare? Whoever waits awake (base/patience.h) should take none that others
 * need. */
#ifndef MGI_SYS_SPARE_H
#define MGI_SYS_SPARE_H

#include <stdbool.h>
#include <stdint.h>

enum { SPARE_LOOK_NS = 10 * 1000 * 1000 };

struct spare {
    int64_t until_ns; /* what was seen counts until then */
    bool yes;
};

/* No more tasks run, or want to, on this machine than this process may use processors, of which
 * there are two or more; one task more may be about to sleep. `loadavg_fd` is an open
 * /proc/loadavg, which is looked at every SPARE_LOOK_NS (2 us); negative: no. `s` begins all-zero.
 */
bool mgi_spare_processor(struct spare *s, int loadavg_fd, int64_t now_ns);

#endif
