/* A certificate made for trying, as a file: what clients have to be given to believe in it. */
#ifndef MGI_SERVICE_TRIAL_H
#define MGI_SERVICE_TRIAL_H

#include "base/buf.h"
#include "net/tls.h"

/* Write the certificate of `context` (without its key) to the file `path`, whose content is
 * exchanged at once; or, if that is empty, to a new one in TMPDIR of `environment`, or in /tmp,
 * whose name it gets, to be given to mgi_trial_withdraw(). False: it could not be written, and
 * nothing has changed; `why` says so, for people. */
bool mgi_trial_publish(const struct tls_context *context, const char *const *environment,
                       struct buf *path, struct buf *why);

/* Remove the file and forget its name; nothing if there is none. */
void mgi_trial_withdraw(struct buf *path);

#endif
