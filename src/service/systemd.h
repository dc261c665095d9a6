/* What a service manager and a service tell each other, over the documented protocol of systemd
 * (sd_notify(3), sd_listen_fds(3)): datagrams of KEY=VALUE lines one way, environment variables and
 * open descriptors the other. Small enough that linking libsystemd, and the libraries behind it,
 * would cost every start more than it gives.
 *
 * Without a manager (no NOTIFY_SOCKET, no LISTEN_FDS) everything here does nothing and succeeds.
 * Nothing here reads the environment: it comes in as an array (service/environment.h). */
#ifndef MGI_SERVICE_SYSTEMD_H
#define MGI_SERVICE_SYSTEMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/str.h"

/* ---- telling the manager ------------------------------------------------------------------- */

#define NOTIFY_MAX_BYTES 512

/* Owned by one thread. Messages that the manager cannot take at the moment wait, one behind the
 * other, up to NOTIFY_MAX_BYTES; mgi_notify_flush() tries again. */
struct notifier {
    int fd;                         /* -1: nobody listens */
    int64_t watchdog_us;            /* a sign of life is due this often; 0: never */
    char waiting[NOTIFY_MAX_BYTES]; /* whole messages, each behind its length byte pair */
    size_t waiting_len;
};

/* Reads NOTIFY_SOCKET (a path, or "@name" in the abstract namespace), WATCHDOG_USEC and
 * WATCHDOG_PID (`pid` is ours). False: a socket is named but cannot be used; `why` gets one line.
 * Then and without a manager `n` may be used all the same, and says nothing to nobody. */
bool mgi_notify_open(struct notifier *n, const char *const *environment, pid_t pid,
                     struct buf *why);
void mgi_notify_close(struct notifier *n);

/* Send one message: lines "KEY=VALUE", joined by newlines, at most NOTIFY_MAX_BYTES - 2 bytes
 * together; longer ones are cut at a line. Never blocks. */
void mgi_notify(struct notifier *n, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Try to send what waits. True: nothing waits any more. */
bool mgi_notify_flush(struct notifier *n);

/* ---- sockets that the manager opened for us -------------------------------------------------- */

#define ACTIVATION_FIRST_FD 3
#define ACTIVATION_MAX      32

struct activation_socket {
    int fd;          /* listening, stream; set close-on-exec */
    struct str name; /* of LISTEN_FDNAMES, borrowed from the environment; "" without one */
    bool taken;      /* a listener has it */
};

struct activation {
    struct activation_socket sockets[ACTIVATION_MAX];
    size_t count;
};

/* Reads LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES; descriptors from `first_fd` on (3, but for
 * tests). None if LISTEN_PID is not `pid`. False: `why` gets one line that says which descriptor is
 * not a listening stream socket, or which variable is no number. */
bool mgi_activation_read(struct activation *a, const char *const *environment, pid_t pid,
                         int first_fd, struct buf *why);

/* The next socket with this name that is not taken, and takes it; "" takes any. -1: none is left.
 */
int mgi_activation_take(struct activation *a, struct str name);

#endif
