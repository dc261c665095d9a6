/* The host's end of a worker: starting it, the bytes to and from it, and its end.
 *
 *     none --mgi_link_start()--> running --(it ends, or says something impossible)--> lost
 *       ^                          |                                                   |
 *       +------- mgi_link_kill(), or mgi_link_reap() after an orderly stop ------------+
 *
 * The worker is this program again, executed afresh, so that it holds nothing of the host's memory
 * (T-ISO-1). Descriptors here are non-blocking and never leave the host but for the worker's ends.
 */
#ifndef TOOLHOST_LINK_H
#define TOOLHOST_LINK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "confine/confine.h"
#include "confine/group.h"
#include "toolhost/diag.h"
#include "toolhost/process.h"
#include "toolhost/settings.h"

/* The worker's descriptors beside 0, 1 and 2. */
enum {
    WORKER_SOCKET = 3,
    WORKER_PLUGIN = 4,
    WORKER_PAGE = 5,
    WORKER_RULES = 6, /* a Landlock ruleset, or something that is closed unread */
    WORKER_FIRST_FREE = 7
};

#define WORKER_MODE "--worker" /* argv[1]; not part of the command line (T-ISO-1) */

/* Written by the host, read by the worker, which cannot map it writable (7.4). */
struct shared_page {
    _Atomic uint64_t cancelled_call; /* the number of the call that is to stop */
};

struct link {
    pid_t pid; /* 0: none */
    int socket;
    int output[2];  /* what it prints on 1 and 2; -1 once closed */
    struct buf in;  /* received, not yet taken */
    struct buf out; /* to be sent; `sent` of it is */
    size_t sent;
    bool eof;   /* its socket is closed, or broken */
    bool ended; /* the process is dead; its status is in end_* */
    bool by_signal;
    int end_number; /* signal or exit code */

    struct shared_page *page; /* these three live as long as the host */
    int page_fd;
    struct pid_list keep; /* children the host came with */
    int newest_fd;        /* tells the newest process id there is; -1: cannot */
    pid_t swept_to;       /* what is older was looked at when the last call ended */
    clockid_t cpu_clock;  /* of the worker */
    int64_t cpu_end_ms;   /* processor time at which the call has had too much; 0: no limit */
    bool worn;            /* the worker is to be replaced before the next call (T-ISO-7) */
    bool may_spawn;       /* by the plan it was started with */
    struct confine_group *group; /* whose member it is; perhaps there is none */
};

/* What a worker is told at its start. */
struct worker_start {
    int plugin_fd;
    const struct settings *settings;
    struct str config; /* provider.settings */
    const struct confine_plan *plan;
    uint32_t asked; /* TH_CAP_*, by the plugin; counts where it is confined */
    bool ask;       /* that is not known: the plan is for asking, and another one follows */
    struct confine_group *group; /* outlives the worker; given up where it cannot be used */
    char *const *env;
};

/* Make the shared page and note the children we have. False: could not (errno). */
bool mgi_link_init(struct link *w);
void mgi_link_fini(struct link *w); /* the worker is gone already */

/* Start a worker on the sealed plugin. Its first frame tells how loading went. Returns NULL or what
 * could not be done. */
const char *mgi_link_start(struct link *w, const struct worker_start *start);

/* What the worker may, once it has said what the plugin asks for. NULL, or what could not be done.
 */
const char *mgi_link_send_plan(struct link *w, const struct confine_plan *plan, uint32_t asked);

/* End what the call has started, but for the helpers in `kept` (each a child of the worker), so
 * that nothing outlives the call that started it. Costs a read where nothing was started. False:
 * something would not die in time. */
bool mgi_link_sweep_call(struct link *w, const struct kept_process *kept, size_t kept_count);

/* Send what is in `out` and receive what there is, as far as neither blocks. */
void mgi_link_send(struct link *w);
void mgi_link_receive(struct link *w);
void mgi_link_take_output(struct link *w, struct forward *to); /* what it has printed so far */

/* Has it ended? Leaves it unreaped, so that its process group cannot be another's yet. */
bool mgi_link_check_end(struct link *w);

/* Reap orphans that have ended: former descendants of the worker. */
void mgi_link_reap_orphans(struct link *w);

/* Raise its CPU limit for a call of `limit_ms` (7.2). False: could not. */
bool mgi_link_allow_cpu(struct link *w, const struct settings *settings, int64_t limit_ms);

/* Has it used more than that limit, ignoring the kernel's signal? *again_ms: when to ask next, in
 * ms from now; -1: never. `call_ms` as for mgi_link_allow_cpu(). */
bool mgi_link_cpu_exceeded(const struct link *w, int64_t *again_ms);

/* Kill it if it lives, with its process group and all its descendants; close everything. False if
 * something would not die in time. Fine without a worker. */
bool mgi_link_kill(struct link *w);

#endif
