/* The program behind the relay: started, written to, read from, ended.
 *
 * It runs in a session and a process group of its own, with the three standard descriptors and no
 * other, and dies with the worker. Whatever ends it kills its whole group while its number is still
 * ours. One thread; nothing here blocks longer than its argument says. */
#ifndef RELAY_PROGRAM_H
#define RELAY_PROGRAM_H

#include <stdint.h>
#include <sys/types.h>

#include "base/str.h"
#include "settings.h"

#define RELAY_KEPT_REMARKS 2048 /* bytes of the end of standard error that errors tell */

struct relay_program {
    pid_t pid; /* 0: there is none */
    int in, out, err;
    char remarks[RELAY_KEPT_REMARKS]; /* what it said last on standard error */
    size_t remarks_len;
};

/* Start `run` of the settings with `mode` as its last argument. NULL, or what could not be done, in
 * `arena` or static; nothing is left behind then. */
const char *relay_program_start(struct relay_program *p, const struct relay_settings *settings,
                                const char *mode, struct arena *arena);

/* Wait until something can be done: read (always), write (if `writing`). */
void relay_program_wait(const struct relay_program *p, bool writing, int timeout_ms);

/* Bytes moved; 0: nothing just now; -1: that end is closed. */
ssize_t relay_program_write(struct relay_program *p, struct str bytes);
ssize_t relay_program_read(struct relay_program *p, void *into, size_t size);
ssize_t relay_program_read_errors(struct relay_program *p, char *into, size_t size);

/* Whether it has said something, or ended, without being asked. */
bool relay_program_is_idle(const struct relay_program *p);
bool relay_program_has_ended(const struct relay_program *p);

/* SIGINT to the program itself: stop what you are doing, answer, go on. */
void relay_program_interrupt(const struct relay_program *p);

/* What its running call may use of the processor from now on: what the worker may. */
void relay_program_allow_cpu(const struct relay_program *p);

/* Close its input and give it `grace_ms` to end, then kill the group, and wait for it. Returns its
 * wait status; *by_itself (may be NULL): nobody had to kill it. */
int relay_program_end(struct relay_program *p, int grace_ms, bool *by_itself);

/* What it said last on standard error, to that of the worker. */
void relay_program_pass_remarks(const struct relay_program *p);

/* "exit code 1", "signal 9 (Killed)", with the end of what it said on standard error. */
const char *relay_program_epitaph(const struct relay_program *p, int status, struct arena *arena);

int64_t relay_now_ms(void); /* monotonic */

#endif
