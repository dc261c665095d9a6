#include "sys/write.h"

#include <errno.h>
#include <unistd.h>

bool mgi_write_all(int fd, struct str bytes)
{
    while (bytes.len > 0) {
        ssize_t n = write(fd, bytes.ptr, bytes.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes = (struct str){ bytes.ptr + n, bytes.len - (size_t)n };
    }
    return true;
}
