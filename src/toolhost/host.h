/* The host: the process that owns standard input and output, the state of the session, the leases
 * and the cache, and never maps plugin code (toolhost.md 1.2).
 *
 * One thread around poll(). Code that has to wait, be it for a line, for the worker or for a slow
 * reader, calls mgi_host_pump() in a loop and looks at what it waits for; the pump serves
 * everything else meanwhile: signals, the control channel, what the worker prints. So each course
 * of events is written as one, and nothing blocks the rest (T-CLI-12, T-REQ-6). */
#ifndef TOOLHOST_HOST_H
#define TOOLHOST_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/patience.h"
#include "toolhost/answer.h"
#include "toolhost/audit.h"
#include "toolhost/breaker.h"
#include "toolhost/confinement.h"
#include "toolhost/diag.h"
#include "toolhost/frame.h"
#include "toolhost/idem.h"
#include "toolhost/inputs.h"
#include "toolhost/lease.h"
#include "toolhost/line_queue.h"
#include "toolhost/link.h"
#include "toolhost/plugin_file.h"
#include "toolhost/provider.h"
#include "toolhost/request.h"
#include "toolhost/settings.h"
#include "toolhost/state.h"
#include "toolhost/tools.h"
#include "sys/digest.h"
#include "sys/spare.h"

struct control {
    int fd; /* non-blocking; -1: there is none, or it is closed */
    struct line_queue in;
    struct buf out;
    size_t sent;
};

/* Since start (T-LIM-9). */
struct totals {
    uint64_t calls, ok, crashes, timeouts, cancelled, hits;
};

/* Reports of the running call: one is passed on every PROGRESS_GAP_MS, the latest one always. */
struct reports {
    bool wanted;
    bool pending;    /* the latest one has not been passed on */
    int64_t next_ms; /* when it may be */
    double percent;  /* below 0: unknown */
    struct str aid;
    size_t detail_len;
    char detail[MAX_DETAIL_BYTES];
};

struct host {
    struct logger log;
    struct settings settings;
    struct arena life;    /* of the process */
    struct arena request; /* reset before each line */
    char **worker_env;

    struct provider provider;
    struct confinement_of_workers confinement;
    struct plugin_file plugin;
    struct tools tools;
    uint8_t tools_sha[SHA256_BYTES]; /* of what the first worker registered (T-ISO-17) */
    struct input_checks inputs;
    struct link link;
    struct breakers breakers;
    struct restarts restarts;
    bool start_is_free; /* the next worker replaces one that was ended on purpose (T-ISO-15) */
    struct forward forward;

    int signals; /* signalfd */
    int output;  /* where answers go; non-blocking if it could be made so */
    bool output_is_socket, output_blocks;
    struct line_queue input;
    struct patience patience; /* with whoever sends requests */
    struct spare spare;
    struct control control;

    struct ds_state state;
    struct lease_table leases;
    struct idem_cache cache;
    struct audit audit;
    struct totals totals;

    uint64_t calls;        /* the number of the latest one; never 0 for a call */
    bool calling;          /* a call is with the worker */
    struct str calling_id; /* its request_id; empty: none */
    bool cancel;           /* somebody wants it stopped */
    struct reports reports;

    bool stop;        /* SIGTERM or SIGINT has come */
    bool reader_lost; /* nobody reads the answers any more */
};

/* Signals, descriptors, settings, the plugin's copy and its first worker. Returns NULL, or why the
 * plugin is rejected, in `life` (exit 3). *exit_code is set when something else is wrong, which
 * has been logged: 2 for a bad setting, 1 for a system that does not play along. */
struct host_plan {
    const char *plugin; /* path */
    const char *config; /* path of the provider document (provider.h); NULL: none */
    int control_fd;     /* -1: none */
    const char *mode;   /* "serve", for the audit log */
};
const char *mgi_host_start(struct host *h, const struct host_plan *plan, char *const env[],
                           int *exit_code);

/* Stop the worker in order (fini has 1000 ms), kill what is left, release everything. `why` is for
 * the audit log. */
void mgi_host_end(struct host *h, const char *why);

/* What the pump may do beside its standing duties. */
enum { PUMP_INPUT = 1, PUMP_OUTPUT = 2 };

/* Wait until something happens, or `until_ms` (monotonic; -1: no limit), and serve it. */
void mgi_host_pump(struct host *h, int want, int64_t until_ms);

/* Write an answer. False: it could not be written, and never will. */
bool mgi_host_write(struct host *h, struct str bytes);

/* ---- call.c: the worker ------------------------------------------------------------------- */

/* A worker that has loaded the plugin, is idle, and may use the CPU for a call of `limit_ms`. NULL,
 * or why there is none (static, or in `arena`). *wait_ms is 0, or how long none may be started:
 * then the budget of starts is spent (T-ISO-15). */
const char *mgi_host_ready(struct host *h, struct arena *arena, int64_t limit_ms, int64_t *wait_ms);

struct call {
    const struct tool *tool;
    struct str request_id, key, input;
    int64_t limit_ms;
    bool progress; /* is wanted */
    const struct ds_state *before;
};

/* Run the tool in the ready worker, under its deadline (7.4). `after` (empty before) is the state
 * it left if it succeeded, else a copy of `before`. The outcome's texts are in `arena`. With
 * OUTCOME_UNAVAILABLE nothing was handed to the worker. */
struct outcome mgi_host_call(struct host *h, struct arena *arena, const struct call *call,
                             struct ds_state *after);

/* The effective limit (T-LIM-2). */
int64_t mgi_call_limit(const struct settings *settings, const struct tool *tool,
                       int64_t request_ms);

/* Count the outcome of a call of tools.items[tool] in the totals and in its breaker. */
void mgi_host_count(struct host *h, size_t tool, const struct outcome *outcome);

/* Kill the worker, and say so if something escaped. */
void mgi_host_kill_worker(struct host *h);

/* ---- progress.c --------------------------------------------------------------------------- */

void mgi_reports_begin(struct host *h, const struct call *call);
/* A report of the worker. False: it is malformed, or nobody asked for it. */
bool mgi_reports_take(struct host *h, struct frame *f);
/* Pass the latest one on if it is time, or if the call is over. */
void mgi_reports_flush(struct host *h, bool over);
/* When there is something to pass on; `until_ms` if that comes first. */
int64_t mgi_reports_until(const struct host *h, int64_t until_ms);

/* ---- session.c, oneshot.c, command.c ------------------------------------------------------ */

int mgi_serve(struct host *h, const char **why); /* exit code; why it ended */
int mgi_run(struct host *h, const char *aid);    /* exit code */
int mgi_list(struct host *h);                    /* exit code */

enum channel { CHANNEL_DATA, CHANNEL_CONTROL };

/* Hand bytes of the control channel to whoever reads it, as far as that does not block. */
void mgi_host_send_control(struct host *h);

/* A command (3.8) into its answer, one line. False: memory is short. */
bool mgi_command(struct host *h, enum channel channel, struct arena *arena, const struct request *q,
                 const struct answer_extras *extras, struct buf *out);

/* A line of the control channel into its answer. */
void mgi_control_line(struct host *h, struct str line, bool too_long, struct buf *out);

#endif
