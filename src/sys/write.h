/* Writing all of it. */
#ifndef MGI_SYS_WRITE_H
#define MGI_SYS_WRITE_H

#include <stdbool.h>

#include "base/str.h"

/* Write all of `bytes` to `fd`, which blocks; interrupted writes go on. False: errno says why, and
 * some may have been written. Any thread. */
bool mgi_write_all(int fd, struct str bytes);

#endif
