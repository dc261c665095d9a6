/* SIGINT, SIGTERM and SIGHUP, kept until what was started has ended: so that nothing stays behind.
 * Of a program's main thread, one at a time. */
#ifndef MGI_CLI_STOP_H
#define MGI_CLI_STOP_H

#include <signal.h>
#include <stdbool.h>

struct stop_watch {
    struct sigaction interrupt, terminate, hang_up; /* as they were */
};

void mgi_cli_watch_stop(struct stop_watch *w);

/* Has a signal come? Any thread; the argument is not looked at: it is there so that this can be
 * an is_over(). */
bool mgi_cli_is_stopped(void *context);

/* The same, before something is written: if so, it is said that nothing was. */
bool mgi_cli_was_stopped(void);

/* As it was; a signal that has come is raised now, and so may end the process. */
void mgi_cli_unwatch_stop(const struct stop_watch *w);

#endif
