#include "sys/spare.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sys/processors.h"

/* "0.00 0.01 0.05 3/234 5678": three tasks run, this one among them. 0: it cannot be told. */
static int running_tasks(int loadavg_fd)
{
    char text[128];
    int running = 0;
    ssize_t n = loadavg_fd < 0 ? -1 : pread(loadavg_fd, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    return sscanf(text, "%*s %*s %*s %d/", &running) == 1 ? running : 0;
}

bool mgi_spare_processor(struct spare *s, int loadavg_fd, int64_t now_ns)
{
    if (now_ns < s->until_ns)
        return s->yes;
    int running = running_tasks(loadavg_fd), count = (int)mgi_processors_by_affinity();
    s->yes = running > 0 && count > 1 && running <= count + 1;
    s->until_ns = now_ns + SPARE_LOOK_NS;
    return s->yes;
}
