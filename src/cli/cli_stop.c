/* See cli_stop.h. The one variable is the process's, as its signals are. */
#include "cli/cli_stop.h"

#include <stddef.h>

#include "cli/cli_options.h"

static volatile sig_atomic_t stopped_by;

static void on_stop_signal(int number)
{
    stopped_by = number;
}

void mgi_cli_watch_stop(struct stop_watch *w)
{
    const struct sigaction stop = { .sa_handler = on_stop_signal };
    stopped_by = 0;
    (void)sigaction(SIGINT, &stop, &w->interrupt);
    (void)sigaction(SIGTERM, &stop, &w->terminate);
    (void)sigaction(SIGHUP, &stop, &w->hang_up);
    if (w->interrupt.sa_handler == SIG_IGN) /* started in the background by a script */
        (void)sigaction(SIGINT, &w->interrupt, NULL);
    if (w->hang_up.sa_handler == SIG_IGN) /* by nohup */
        (void)sigaction(SIGHUP, &w->hang_up, NULL);
}

bool mgi_cli_is_stopped(void *context)
{
    (void)context;
    return stopped_by != 0;
}

bool mgi_cli_was_stopped(void)
{
    if (stopped_by)
        mgi_cli_error("interrupted: nothing was written");
    return stopped_by != 0;
}

void mgi_cli_unwatch_stop(const struct stop_watch *w)
{
    (void)sigaction(SIGINT, &w->interrupt, NULL);
    (void)sigaction(SIGTERM, &w->terminate, NULL);
    (void)sigaction(SIGHUP, &w->hang_up, NULL);
    if (stopped_by)
        (void)raise(stopped_by);
}
