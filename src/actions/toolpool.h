/* The server's side of toolhost: host processes on the event loop (toolhost.md T-DISP-15, 16, 18,
 * 21, chapter 11). Plugins never run in the server's process.
 *
 * A session belongs to one invocation from its first step to its last (T-MCP-1); then it is reused,
 * with an emptied state. A host that hangs past its limit plus 1000 ms, ends, or floods is
 * discarded and the call answered with a failure; the next call gets a fresh one. */
#ifndef MGI_ACTIONS_TOOLPOOL_H
#define MGI_ACTIONS_TOOLPOOL_H

#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

#include "base/json.h"
#include "base/log.h"
#include "base/task.h"
#include "domain/domain.h"

struct toolpool;
struct toolsession;
struct tool_request;
struct tool_result;

struct toolpool_options {
    const char *toolhost; /* path of the toolhost program */
    uint32_t hosts;       /* processes per provider; 0 means 2. One more may be started for an owner
                             who holds none: nobody's calls keep everybody else waiting */
    uint32_t max_waiting; /* for a session, of all providers; 0 means 1024 */
    int64_t timeout_ms;   /* default limit of one call; 0 means 30000 */
    bool enforce_leases;  /* default true (T-MCP-18) */
    const struct logger *log;

    /* Who answers instead of plugin hosts; NULL: they do. Called on the loop for each action with a
     * *result that says TOOL_OK and {}; what it makes of that is told later, as an answer of a host
     * is. Then nothing is started, `toolhost` is not read, and no lease is asked for. */
    void (*play)(void *context, const struct tool_request *request, struct tool_result *result);
    void *play_context;
};

/* On `loop`, whose thread alone may use the pool. The program ignores SIGPIPE: a host may end while
 * it is written to. NULL when memory is short. */
struct toolpool *mgi_toolpool_new(uv_loop_t *loop, const struct toolpool_options *options);

/* Where answers that are long are read; without one the loop reads them all. It outlives the calls
 * that are under way. */
void mgi_toolpool_use(struct toolpool *pool, struct task_runner tasks);

/* Be told on the loop when hosts of a provider (its name) cannot be started (`why` is static), and
 * when one could be after all (NULL). */
void mgi_toolpool_watch(struct toolpool *pool,
                        void (*amiss)(void *context, struct str provider, const char *why),
                        void *context);

struct toolpool_stats {
    uint32_t hosts, busy, waiting;
    uint64_t started, failed; /* since the pool was made */
};
void mgi_toolpool_stats(const struct toolpool *pool, struct toolpool_stats *out);

/* End all hosts in order (T-DISP-16), then call `closed` on the loop and free the pool. */
void mgi_toolpool_close(struct toolpool *pool, void (*closed)(void *context), void *context);

enum tool_outcome {
    TOOL_OK,
    TOOL_ERROR, /* the tool said so */
    TOOL_INVALID_PICK,
    TOOL_BREAKER,
    TOOL_TIMEOUT,
    TOOL_CANCELLED,
    TOOL_CRASH, /* tool or host died, or the answer was unusable */
    TOOL_BAD_OUTPUT,
    TOOL_TOO_LARGE,
    TOOL_UNAVAILABLE, /* no host could be started, none free in time */
    TOOL_LEASE,       /* lease_required, lease_rejected */
    TOOL_REFUSED      /* any other refusal */
};

/* Of the working state (DSState, toolhost.md chapter 4): all of it, or what changed. */
#define TOOL_SLOTS 8
struct tool_slots {
    struct str artifact[TOOL_SLOTS]; /* JSON text of what is there; len 0: nothing, or no change */
    uint8_t removed;                 /* of a change: bits of the slots that it emptied */
};

struct tool_result {
    enum tool_outcome outcome;
    struct json output; /* parsed output_json (an object; {} by default), TOOL_OK and TOOL_ERROR */
    struct str error;   /* text of the failure; "" for TOOL_OK */
    struct json state_delta; /* content of the artifact "manglecp.state_delta"; JSON_NULL if none */
    struct json *evidence;   /* contents of the artifacts "manglecp.evidence", in slot order */
    size_t evidence_count;
    struct tool_slots changes; /* TOOL_OK: of the working state, without those artifacts */
    int64_t duration_ms;       /* the host's own measure */
    bool indeterminate;        /* it may have had an effect that is not known (T-RSP-10) */
};

/* The words of a toolhost for what went wrong, and what they mean. */
struct tool_code {
    const char *code; /* NULL: the end */
    enum tool_outcome outcome;
    bool indeterminate; /* T-RSP-10 */
};
extern const struct tool_code mgi_tool_codes[];

enum toolsession_refusal {
    SESSION_BUSY,  /* none became free in time, or too many wait: it may work later */
    SESSION_NEVER, /* the pool is closing, or memory is short */
};

struct toolticket;
struct toolwish {
    const struct action_provider *provider; /* outlives wish and session */
    uint64_t owner; /* on whose behalf: whoever holds fewest sessions of the provider is next */
    int64_t wait_ms;
    /* Called on the loop, later. session NULL: there is none; `refusal` and `why` (static) say so.
     */
    void (*ready)(void *context, struct toolsession *session, enum toolsession_refusal refusal,
                  const char *why);
    void *context;
};
/* A session for one invocation. NULL when memory is short; `ready` is not called then. A waiting
 * caller may be dropped with mgi_toolsession_forget(ticket). */
struct toolticket *mgi_toolsession_take(struct toolpool *pool, const struct toolwish *wish);
void mgi_toolsession_forget(struct toolticket *ticket);

/* What a step is given, made ready to be sent. */
struct tool_inputs {
    struct json value; /* an object, in one line of text */
    char digest[65];   /* hex, of its canonical form (T-INP-6); "" if not asked for */
};
/* Read `text`. False: it is no object, or memory is short. Any thread. */
bool mgi_tool_inputs(struct arena *arena, struct str text, bool with_digest,
                     struct tool_inputs *out);

struct tool_request {
    struct arena *arena; /* what the answer says lives there; the call's until `done` */
    struct str aid;
    const struct tool_inputs *inputs; /* with a digest if tier > 0 */
    struct str invocation_id;
    struct str run_id; /* for the host's audit, of the run's header; len 0: the invocation's id */
    uint32_t step, attempt;
    struct str part; /* behind the number of the step: which item it is, that it undoes it; or "" */
    int64_t timeout_ms;             /* 0: the pool's */
    int tier;                       /* > 0: a lease is issued for these very inputs (T-MCP-16) */
    const char *issuer;             /* "confirmation" or "policy" */
    const struct tool_slots *state; /* what it begins with; NULL: nothing (T-MCP-2) */
    bool kept; /* the session has that state, from its last call; a new host is sent it all */

    /* How far the action says it has come: 0 to 100, or below 0 if it does not know, and words of
     * its own, which are anything at all, borrowed (T-MCP-31). On the loop, before `done` and with
     * its context, ten times a second at most. NULL: it is not wanted, and the host is not asked.
     */
    void (*progress)(void *context, double percent, struct str detail);
};

/* Send one step. What `request` points to stays until `done`, which is called exactly once, on the
 * loop, later; what its result points to lives in the arena. */
void mgi_toolsession_call(struct toolsession *s, const struct tool_request *request,
                          void (*done)(void *context, const struct tool_result *result),
                          void *context);

/* Stop the running call: TOOL_CANCELLED (or what came first) is delivered to its `done`. */
void mgi_toolsession_cancel(struct toolsession *s);

/* Back to the pool. Never while a call is running. */
void mgi_toolsession_release(struct toolsession *s);

/* ---- listing, at load ------------------------------------------------------------------- */

/* An action_source that runs `toolhost --list PLUGIN` (blocking, 15 s at most) and maps side
 * effects to categories (toolhost.md 11.4). `toolhost` is the program's path, borrowed. */
struct action_source mgi_toolpool_actions(const char *toolhost);

/* Hosts that stayed between questions and are ended by threads, where `farewells` of the source
 * says so. NULL: memory. */
struct farewells *mgi_farewells_new(void);
/* Waits until all of them have ended, 2 s or so. After all snapshots that were loaded with it are
 * gone. NULL is fine. */
void mgi_farewells_free(struct farewells *f);

/* What such a source asks actions with: `toolhost --serve PLUGIN`, a process for each call. Any
 * thread; blocks until it has ended, question->timeout_ms at most. See struct action_source. */
bool mgi_toolhost_ask(const char *toolhost, const struct action_question *question,
                      struct arena *arena, struct json *outputs, const char **why);

#endif
