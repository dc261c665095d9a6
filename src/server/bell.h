/* How threads tell a loop that there is something for it. Ringing costs no call of the system while
 * the loop is awake: it looks by itself before it sleeps, and says when it does.
 *
 *     thread: leave something; ring ──> loop: heard(), once for all that rang until then
 *
 * Not libuv's async handle: there the loop spins until whoever has woken it is back from the
 * kernel, and each that rings first writes, even if the loop is about to look. */
#ifndef MGI_SERVER_BELL_H
#define MGI_SERVER_BELL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <uv.h>

struct bell { /* a member of whoever is told; its fields are the bell's own */
    uv_poll_t poll;
    uv_prepare_t prepare;
    uv_check_t check;
    uv_idle_t again; /* the loop must not sleep: somebody has rung */
    int fd;
    atomic_bool asleep, rung;
    void (*heard)(void *context);
    void (*closed)(void *context);
    void *context;
    unsigned handles; /* not closed yet */
};

/* On the loop's thread. `heard` and `closed` are called there, too. False: short of descriptors or
 * memory; mgi_bell_close is due all the same. It keeps no loop running. */
bool mgi_bell_open(struct bell *b, uv_loop_t *loop, void (*heard)(void *context), void *context);

/* On any thread: `heard` will be called, and sees what was done before. */
void mgi_bell_ring(struct bell *b);

/* On the loop's thread: as long as something is expected, the loop runs. */
void mgi_bell_expect(struct bell *b, bool something);

/* On the loop's thread, and nobody rings any more. `closed` comes from the loop, or at once if
 * nothing was opened. */
void mgi_bell_close(struct bell *b, void (*closed)(void *context));

#endif
