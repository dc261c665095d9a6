/* One write(2) per line, so that lines of several threads do not mix. */
#include "sys/log_stderr.h"

#include <errno.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/time.h"
#include "sys/clock.h"

void mgi_log_to_stderr(void *context, enum log_level level, const char *line, size_t len)
{
    (void)context;
    struct buf text = { 0 };
    mgi_time_print_ms(&text, mgi_clock_real_ns());
    mgi_buf_printf(&text, " %s ", mgi_log_level_name(level));
    mgi_buf_append(&text, line, len);
    mgi_buf_putc(&text, '\n');
    struct str all =
        text.oom ? STR_LIT("error out of memory for a log line\n") : mgi_buf_view(&text);

    int saved = errno; /* logging an error must not change it */
    ssize_t written = write(STDERR_FILENO, all.ptr, all.len);
    (void)written; /* there is nowhere else to say it */
    errno = saved;
    mgi_buf_fini(&text);
}
