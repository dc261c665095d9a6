/* What the files of the tool pool share, from below: plugin_host.c owns processes and their pipes,
 * plugin_answer.c reads what they say, awake.c waits for it without sleep, session.c makes calls,
 * toolpool.c hands sessions out, and tells from the loop (toolpool.on_tick) what they came to;
 * beside these plugin_list.c asks a plugin what it offers. */
#ifndef MGI_ACTIONS_TOOLPOOL_INT_H
#define MGI_ACTIONS_TOOLPOOL_INT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/lines.h"
#include "base/patience.h"
#include "actions/toolpool.h"
#include "domain/provider.h"
#include "sys/spare.h"

#define ANSWER_MAX_BYTES 1048576 /* T-DISP-15, without the line end */
#define SWEEP_MS         2000    /* T-CLI-22: what a host may need to sweep up after SIGTERM */
#define ANSWER_BRIEF     32768   /* longer ones are read on a worker: this takes 0.1 ms */

/* ---- answers --------------------------------------------------------------------------------- */

extern const struct json mgi_empty_output; /* {} */

enum tool_answer {
    ANSWER_GOOD,
    ANSWER_FOREIGN, /* well formed, but not to this request */
    ANSWER_UNUSABLE
};

/* Read one answer line into *out, which lives in `arena` (as does `line`). *delta_slots gets a bit
 * for every slot that held facts and no state: an artifact "manglecp.state_delta" (T-MCP-24) or
 * "manglecp.evidence" (T-MCP-32). */
enum tool_answer mgi_tool_answer(struct arena *arena, struct str line, struct str request_id,
                                 struct tool_result *out, unsigned *delta_slots);

/* The token of a lease answer; ptr NULL: refused, and *why says so. */
struct str mgi_lease_answer(struct arena *arena, struct str line, const char **why);

/* What hosts inherit, for mgi_free() (the texts are not the caller's); `checked`: who asks holds
 * inputs against their schemas. NULL: memory. */
char **mgi_host_environment(bool enforce_leases, bool checked);

/* The provider's document in a sealed memory file, close-on-exec, for a child; the caller closes
 * it. -1: it has none; PROVIDER_FILE_FAILED: there is no descriptor or no memory for it. */
#define PROVIDER_FILE_FAILED (-2)
int mgi_provider_file(const struct action_provider *p);

/* The kinds of action: kinds.c. */
extern const struct action_kind mgi_action_kinds[];

/* ---- hosts ----------------------------------------------------------------------------------- */

struct tool_host;

/* Told on the loop. A line is without its LF and borrowed during the call. `gone` is the last thing
 * that is said of a host's doings; its memory is given back by the host itself after `freed`. */
struct tool_host_events {
    void (*answer)(struct tool_host *host, struct str line);
    void (*control)(struct tool_host *host, struct str line);
    void (*late)(struct tool_host *host); /* the alarm went off */
    void (*gone)(struct tool_host *host, const char *why, int exit_status);
    void (*freed)(struct tool_host *host); /* every handle is closed: take it from your lists */
};

/* An event of the control channel that reports progress of the call `request_id`. False: it is
 * something else. *detail is in `arena`; *percent below 0: unknown. */
bool mgi_progress_event(struct arena *arena, struct str line, struct str request_id,
                        double *percent, struct str *detail);

struct tool_host {
    struct toolpool *pool;
    const struct logger *log;
    struct tool_host *next, *previous;      /* all hosts of the pool */
    struct toolsession *session;            /* NULL: idle, or on its way out */
    const struct action_provider *provider; /* told apart by address: it may be gone already */
    const struct tool_host_events *events;
    unsigned answers;         /* lines that were good answers */
    unsigned delta_slots;     /* to be emptied with the next request (T-MCP-24) */
    struct patience patience; /* with its answers */
    unsigned unheard;         /* answers on the control channel that nobody waits for */
    bool ending;              /* no further call goes to it */
    bool exited, eof, told;
    int exit_status;
    const char *why; /* static: first reason of its end */
    unsigned open_handles;
    uv_process_t process;
    uv_pipe_t in, out, err, control;
    uv_timer_t alarm;  /* for its session */
    uv_timer_t reaper; /* SIGTERM, SIGKILL */
    bool process_open;
    int stage; /* of its end: how far mgi_host_end() has gone */
    struct lines out_lines, err_lines, control_lines;
    char chunk[16384];
};

struct host_start {
    struct toolpool *pool;
    uv_loop_t *loop;
    const char *toolhost;
    const struct action_provider *provider;
    char **env;
    const struct logger *log;
    const struct tool_host_events *events;
};
/* Start `toolhost --serve PLUGIN --control-fd 3` with the provider's document. NULL: *why is
 * static.
 */
struct tool_host *mgi_host_new(const struct host_start *start, const char **why);

/* Write a line (the LF is added). False when memory is short or the pipe is gone. */
bool mgi_host_send(struct tool_host *host, struct str line);
bool mgi_host_send_control(struct tool_host *host, struct str line);

void mgi_host_alarm(struct tool_host *host, int64_t ms); /* negative: none */

/* End it politely (an empty line, 1500 ms, SIGTERM, 500 ms, SIGKILL; T-DISP-16) or at once
 * (SIGTERM, 2000 ms for its sweep, SIGKILL; T-DISP-15). `gone` follows. */
void mgi_host_end(struct tool_host *host, bool politely, const char *why);

/* awake.c */

/* Stay awake for an answer of the host to which a call was sent; it came, or never will. */
void mgi_pool_wait_awake(struct toolpool *pool, struct tool_host *host);
void mgi_pool_waited(struct toolpool *pool, struct tool_host *host);

/* ---- sessions -------------------------------------------------------------------------------- */

enum session_state {
    SESSION_FREE,
    SESSION_LEASING,
    SESSION_CALLING,
    SESSION_READING, /* the answer, on a worker */
    SESSION_ANSWERED /* told at the next tick */
};

struct toolsession {
    struct toolpool *pool;
    struct toolsession *next;
    struct tool_host *host; /* NULL: none yet, or the last one is gone */
    enum session_state state;
    bool cancelled;
    uint64_t owner;
    struct tool_request request;
    struct str request_id;
    struct task reading;
    struct str line; /* of the answer */
    enum tool_answer answer;
    unsigned delta_slots;
    struct tool_result result;
    void (*done)(void *context, const struct tool_result *result);
    void *context;
    const struct action_provider *provider; /* the caller's, until it gives the session back */
};

struct toolpool {
    uv_loop_t *loop;
    struct toolpool_options options;
    struct task_runner tasks;
    char *toolhost;
    char **env;
    struct tool_host *hosts;
    struct toolsession *sessions;
    struct toolticket *waiting; /* in order of arrival */
    uint32_t waiting_count;
    uint64_t started, failed;
    void (*amiss)(void *context, struct str plugin, const char *why);
    void *amiss_context;
    uv_idle_t awake; /* runs while the answer to the latest call is waited for awake */
    int64_t awake_until_ns;
    struct spare spare;
    int loadavg;     /* /proc/loadavg; -1: there is none */
    uv_timer_t tick; /* tells what was decided, from the loop */
    uv_timer_cb on_tick;
    bool closing;
    size_t open_tickets; /* whose timers are not closed yet */
    void (*closed)(void *context);
    void *context;
};

static inline void mgi_pool_tick_soon(struct toolpool *pool)
{
    if (!uv_is_closing((uv_handle_t *)&pool->tick))
        uv_timer_start(&pool->tick, pool->on_tick, 0, 0);
}

/* Tell `done`. The state is SESSION_ANSWERED. */
void mgi_session_tell(struct toolsession *s);

#endif
