/* SIGPIPE, held back; see sigpipe.h. */
#include "client/sigpipe.h"

#include <errno.h>
#include <time.h>

void mgi_sigpipe_hold(struct sigpipe_hold *h)
{
    sigset_t pipe_only, pending;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigpending(&pending);
    h->was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_only, &h->before);
}

void mgi_sigpipe_release(const struct sigpipe_hold *h)
{
    int fault = errno;
    sigset_t pipe_only;
    static const struct timespec at_once = { 0, 0 };
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    if (!h->was_pending)
        (void)sigtimedwait(&pipe_only, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &h->before, NULL);
    errno = fault;
}
