/* The worker: the process in which the plugin's code runs. It is this program, started by the host
 * in a private mode, and it believes the host and nobody else. */
#ifndef TOOLHOST_WORKER_H
#define TOOLHOST_WORKER_H

/* Runs until the host says stop, closes the socket, or kills it. Returns an exit code only if it
 * was not started by a host (T-ISO-1). */
int mgi_worker_main(void);

#endif
