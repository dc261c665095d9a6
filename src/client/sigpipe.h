/* Writing to somebody who is gone must not end the program. What it does with SIGPIPE is its own
 * business, so the signal is held back in this thread while a link writes, and what it raised is
 * taken away again. */
#ifndef MGI_CLIENT_SIGPIPE_H
#define MGI_CLIENT_SIGPIPE_H

#include <signal.h>
#include <stdbool.h>

struct sigpipe_hold {
    sigset_t before;
    bool was_pending; /* somebody else's: it stays */
};

void mgi_sigpipe_hold(struct sigpipe_hold *h);
void mgi_sigpipe_release(const struct sigpipe_hold *h); /* keeps errno */

#endif
