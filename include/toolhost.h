/* toolhost.h - the interface between the tool host and its plugins, in C. ABI 2.0.
 *
 * A plugin is a shared library that offers tools: named functions that take one JSON object, may
 * read and change the working state of a run, and give back a status, a JSON text and an error
 * text. It exports four functions (at the end of this file), needs no symbol of the host, and
 * reaches the host only through the table `th_host` that it is handed. plugins/text/text.c is a
 * complete one.
 *
 * The plugin is loaded into a worker process of its own, with limits on memory, files, processes
 * and time. Whatever goes wrong in there (a crash, a loop, a flood of output) costs the one call
 * that was running: the host answers it, and starts another worker for the next one. Data that
 * must survive belongs into the working state, never into static variables (T-ISO-5, T-ISO-13).
 *
 * What holds for every function here, unless it says otherwise:
 *
 *   text      UTF-8. A th_str carries its length and need not end with NUL.
 *   sizes     bytes.
 *   pointers  What the host hands over is borrowed: it stays valid until the call ends. What the
 *             plugin hands over is copied before the function returns. Nobody frees what the
 *             other side allocated (T-ABI-14).
 *   threads   The host calls one tool at a time, always on the same thread. A plugin may have
 *             threads of its own; of the functions that take a th_call they may use
 *             remaining_ms, cancelled, progress and log, and nothing else (T-ABI-13).
 *   errors    A th_rc below zero; nothing has changed then. No C++ exception, longjmp or thread
 *             cancellation may leave a function of the plugin (T-ABI-22).
 *   growth    Structures grow at their end only, and enumerations are never renumbered.
 *             `struct_size` says how much of a structure its builder knew (T-ABI-4).
 *
 * A plugin leaves signal handling, resource limits and descriptors that it did not open alone; if
 * it does not, only its own worker suffers (T-ABI-24). Standard output and standard error of a
 * tool end up, line by line and marked with its name, on the standard error of the host; standard
 * input is empty (T-CLI-25). */
#ifndef TOOLHOST_H
#define TOOLHOST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A plugin is loaded if its major number equals the host's and its minor is not above the host's
 * (T-ABI-1). Major 1 was an interface in C++ that this one replaces. */
#define TH_ABI_MAJOR   2u
#define TH_ABI_MINOR   0u
#define TH_ABI_VERSION ((TH_ABI_MAJOR << 16) | TH_ABI_MINOR)

#if defined(__GNUC__)
#define TH_EXPORT __attribute__((visibility("default")))
#else
#define TH_EXPORT
#endif

/* A run of bytes with its length. {NULL, 0} is the empty one. */
typedef struct th_str {
    const char *ptr;
    size_t len;
} th_str;

/* What a tool function returns (T-RSP-8: passed on as it is). State changes are kept after TH_OK
 * and undone after everything else (T-ABI-18). */
typedef enum th_status {
    TH_OK = 0,
    TH_INVALID_PICK = 1, /* this tool was the wrong choice for these inputs */
    TH_TOOL_ERROR = 2,   /* it did not work; say why with set_error */
    TH_BREAKER_TRIP = 3  /* something behind the tool is out of order: do not insist */
} th_status;

/* What the functions of the host return. */
typedef enum th_rc {
    TH_RC_OK = 0,
    TH_RC_INVALID = -1, /* a bad argument: NULL, no such slot, not UTF-8, not JSON */
    TH_RC_LIMIT = -2,   /* it would be larger, or more, than allowed */
    TH_RC_NOMEM = -3,   /* the worker has no memory left */
    TH_RC_ABSENT = -4,  /* the slot is empty */
    TH_RC_DENIED = -5,  /* a capability was not granted */
    TH_RC_DUP = -6      /* the AID is registered already */
} th_rc;

/* What a plugin may ask for; the operator allows a set of them (T-ABI-9). */
#define TH_CAP_FILE_READ  (1u << 0)
#define TH_CAP_FILE_WRITE (1u << 1)
#define TH_CAP_SHELL      (1u << 2)
#define TH_CAP_NETWORK    (1u << 3)
#define TH_CAP_MEMORY     (1u << 4)
#define TH_CAP_GENESIS    (1u << 5)
#define TH_CAP_GPU        (1u << 6)
#define TH_CAP_ALL        0xFFFFFFFFu

/* What a tool says of itself. Any other bit rejects the plugin. */
#define TH_TOOL_DETERMINISTIC (1u << 0) /* same input and state, same result */
#define TH_TOOL_IDEMPOTENT    (1u << 1) /* calling it twice does no more than calling it once */
#define TH_TOOL_REVERSIBLE    (1u << 2) /* what it does can be undone */
#define TH_TOOL_THREADSAFE    (1u << 3) /* reserved: changes nothing today */
#define TH_TOOL_FAST_CANCEL   (1u << 4) /* asks th_host.cancelled often */

typedef struct th_call th_call; /* a running call; the host's, invalid after the call */
typedef struct th_reg th_reg;   /* a running registration; invalid after init (T-ABI-12) */

/* What one slot of the working state holds. There are eight slots, 0 to 7. */
typedef struct th_artifact {
    th_str type;         /* up to 128 bytes, without ':', '|' and control characters */
    th_str provenance;   /* up to 256 bytes, without '|' and control characters */
    th_str content_json; /* empty, or one JSON text of at most 1 048 576 bytes */
    size_t size_bytes;   /* when read: length of content_json; when written: ignored */
} th_artifact;

/* A tool.
 *
 *   call        for the functions of th_host; invalid when this function has returned
 *   input_json  a JSON object, valid UTF-8 without raw NUL bytes. A NUL follows it that `len` does
 *               not count (T-ABI-15)
 *   user        th_tool.user
 *
 * Without a call of set_output the output is {}. A function that runs longer than 250 ms at a
 * stretch should ask `cancelled` now and then; one that does not is killed at its deadline
 * (T-ABI-19). Working directory, file mode mask and signal mask are reset before every call. */
typedef th_status (*th_tool_fn)(th_call *call, th_str input_json, void *user);

/* A tool's description. register_tool copies it and every string in it (T-ABI-11); only `fn` and
 * `user` must stay valid as long as the worker lives. */
typedef struct th_tool {
    uint32_t struct_size;             /* sizeof(th_tool) */
    uint32_t flags;                   /* TH_TOOL_* */
    const char *aid;                  /* AID.<A-Z 0-9 _ - .>.v<digits>, at most 128 bytes */
    const char *name;                 /* 1 to 64 bytes */
    const char *description;          /* for people and models; NULL means empty */
    const char *const *tags;          /* ends with NULL; NULL means none */
    const char *const *side_effects;  /* ends with NULL; at least one entry, "none" if it has none.
                                       * The risk tier of the tool follows from it (T-LEASE-1) */
    const char *const *replay_inputs; /* ends with NULL; NULL means none */
    const char *input_schema;         /* JSON Schema, an object; NULL means none */
    const char *output_schema;        /* likewise */
    uint32_t timeout_ms;              /* limit of one call; 0 means the host's. Can only shorten */
    int32_t min_tier;                 /* -1: by the side effects; 0 to 3: at least this */
    th_tool_fn fn;
    void *user; /* handed back to fn; the host does not look at it */
} th_tool;

/* What the host offers. It stays valid as long as the worker lives, so init may keep the pointer.
 * Test TH_HAS(host, member) before using a member that a later minor version added. */
typedef struct th_host {
    uint32_t struct_size; /* of this structure as the host built it */
    uint32_t abi_version; /* TH_ABI_VERSION of the host */

    /* Offer a tool; inside init only. TH_RC_INVALID, TH_RC_DUP or TH_RC_NOMEM rejects the whole
     * plugin, even if init goes on and returns 0 (T-ABI-11). */
    th_rc (*register_tool)(th_reg *reg, const th_tool *tool);

    /* Say why init is about to return non-zero; the last text counts (T-ABI-10). */
    void (*init_error)(th_reg *reg, const char *msg, size_t len);

    /* Zeroed memory, aligned for any type, that is released when the call ends. NULL when there is
     * none left. */
    void *(*alloc)(th_call *call, size_t size);

    /* Replace the output, or add to its end. More than 1 048 576 bytes are TH_RC_LIMIT, and unless
     * a later set_output succeeds, the call then fails as `tool output too large`, so that no
     * output is lost unnoticed (T-ABI-16). Whether the text is JSON is checked when the call ends.
     */
    th_rc (*set_output)(th_call *call, const char *json, size_t len);
    th_rc (*append_output)(th_call *call, const char *bytes, size_t len);

    /* The error text of a status other than TH_OK; one line, at most 4096 bytes of it are kept.
     * Secrets do not belong into it: it is logged. */
    th_rc (*set_error)(th_call *call, const char *msg, size_t len);

    /* The working state, as this call sees it: a private copy until the call succeeds (T-ABI-17).
     * state_mask: bit n is set if slot n is used. state_get: what it returns is valid until the
     * slot is written or the call ends; TH_RC_ABSENT for an empty slot. state_put: the rules are
     * those at th_artifact; TH_RC_LIMIT for a length, TH_RC_INVALID for the rest. state_del: an
     * empty slot is fine. A slot above 7 is TH_RC_INVALID. */
    uint32_t (*state_mask)(th_call *call);
    th_rc (*state_get)(th_call *call, unsigned slot, th_artifact *out);
    th_rc (*state_put)(th_call *call, unsigned slot, const th_artifact *a);
    th_rc (*state_del)(th_call *call, unsigned slot);

    /* Milliseconds to the deadline; 0 or less: it has passed. Any thread; cheap. */
    int64_t (*remaining_ms)(th_call *call);

    /* Non-zero when the result is no longer wanted: stop, and return within 250 ms. Any thread;
     * costs a memory read. */
    int (*cancelled)(th_call *call);

    /* How far it has come: 0 to 100, or below 0 if unknown, with up to 200 bytes of text; longer
     * text is cut. Any thread; never blocks. Whoever asked for the call hears of it ten times a
     * second at most, and always of the latest; without somebody who wants to, it costs next to
     * nothing (T-ABI-20). TH_RC_INVALID: more than 100, or no number. */
    th_rc (*progress)(th_call *call, double percent, const char *detail, size_t len);

    /* One line to the host's standard error, marked with the tool's name. Level 0 error, 1 warn,
     * 2 info, 3 debug. Any thread. */
    void (*log)(th_call *call, int level, const char *msg, size_t len);

    /* The request's id and idempotency key; empty if it has none. */
    th_str (*request_id)(th_call *call);
    th_str (*idempotency_key)(th_call *call);

    /* An optional table of functions by name and version ("name.v1"); it begins with its own
     * struct_size. NULL if this host has none of that name (T-ABI-5). */
    const void *(*extension)(const struct th_host *host, const char *name);
} th_host;

/* Extension "config.v1": what whoever starts the host wants the plugin to know (`--config FILE`,
 * member "settings"; in a domain the entry's `settings:`). The text is a JSON object, "{}" if
 * nothing was said, valid as long as the worker lives, followed by a NUL that `len` does not count.
 * From init on; any thread. */
typedef struct th_config_v1 {
    uint32_t struct_size; /* of this structure as the host built it */
    th_str (*settings)(void);
} th_config_v1;

/* Extension "processes.v1". When a call ends, whatever the plugin has started ends with it: the
 * process, its children and what has detached itself. A plugin that has a helper across calls says
 * so, right after starting it: keep(pid) returns TH_RC_OK, or TH_RC_INVALID if `pid` is no child of
 * this process, TH_RC_LIMIT if it has 8 already (those that have ended do not count). What the
 * helper starts in turn ends with the call; the helper ends with the worker. keep_tree(pid) is the
 * same for a helper that is of many processes, such as a browser: what descends from it, through
 * parents that live, stays as long as it does. Test TH_HAS before using it. From init on; one
 * thread at a time. */
typedef struct th_processes_v1 {
    uint32_t struct_size; /* of this structure as the host built it */
    th_rc (*keep)(int64_t pid);
    th_rc (*keep_tree)(int64_t pid);
} th_processes_v1;

/* Extension "outcome.v1", for a plugin that stands for something else: a program, a service. A call
 * that returns TH_TOOL_ERROR is a definite failure, as the tool itself says. Where what it stands
 * for has ended in the middle, or has answered what cannot be read, nobody knows what it did:
 * lost(call, TH_LOST_...) says so before TH_TOOL_ERROR is returned, and whoever asked is told the
 * code `crash`, `bad_output` or `too_large` (T-RSP-10), as if it had been the tool itself. It is
 * nothing beside another status; the last word counts, and 0 takes it back. TH_RC_INVALID: any
 * other. */
#define TH_LOST_CRASH      1u
#define TH_LOST_BAD_OUTPUT 2u
#define TH_LOST_TOO_LARGE  3u
typedef struct th_outcome_v1 {
    uint32_t struct_size; /* of this structure as the host built it */
    th_rc (*lost)(th_call *call, uint32_t how);
} th_outcome_v1;

/* ---- what a plugin exports ---------------------------------------------------------------- */

/* Required: TH_ABI_VERSION of the header the plugin was compiled with. */
TH_EXPORT uint32_t toolhost_plugin_abi(void);

/* Optional: the TH_CAP_* bits it needs, always the same. A plugin without this function asks for
 * all (T-ABI-9). Where plugins are confined it is called in a process of its own before, too, which
 * has nothing granted and ends then; constructors run there as well. */
TH_EXPORT uint32_t toolhost_plugin_caps(void);

/* Required: register the tools. Called once per worker, before anything else of the plugin but its
 * constructors, and has 10 s. Anything but 0 rejects the plugin (T-ABI-10). */
TH_EXPORT int toolhost_plugin_init(const th_host *host, th_reg *reg);

/* Optional: called when a worker is stopped in order, with 1000 ms to finish. A worker that is
 * killed never gets here, so nothing may depend on it (T-ABI-23). */
TH_EXPORT void toolhost_plugin_fini(void);

/* True if the structure `s`, built by the host, has the member `m`. */
#define TH_HAS(s, m) ((s)->struct_size >= offsetof(__typeof__(*(s)), m) + sizeof((s)->m))

#ifdef __cplusplus
}
#endif
#endif
