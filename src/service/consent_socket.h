/* Where the person who runs a server on standard input and output approves what its client asks
 * for: a Unix socket in a folder that only this user may enter.
 *
 * The folder is $XDG_RUNTIME_DIR/manglecp, or /tmp/manglecp-UID where there is none; a socket is
 * named after its server, PID.sock. Who may enter the folder may approve. */
#ifndef MGI_SERVICE_CONSENT_SOCKET_H
#define MGI_SERVICE_CONSENT_SOCKET_H

#include <stdbool.h>

#include "base/buf.h"

#define CONSENT_SOCKET_SUFFIX ".sock"

/* Append the folder's path; whether it exists is another question. */
void mgi_consent_folder(const char *const *environment, struct buf *out);

/* Is the folder there, this user's, and closed to all others? Else what it holds is nobody's word.
 */
bool mgi_consent_folder_is_ours(const char *path);

/* Make folder and socket, which listens. The descriptor, and `path` gets its name; or -1, and
 * `why` gets one line. */
int mgi_consent_socket_open(const char *const *environment, struct buf *path, struct buf *why);

/* Remove it, and empty `path`. None is fine. */
void mgi_consent_socket_remove(struct buf *path);

#endif
