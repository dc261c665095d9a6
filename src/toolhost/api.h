/* The worker's side of toolhost.h: the two structures that plugins see only as pointers, and the
 * table of functions that is handed to them. */
#ifndef TOOLHOST_API_H
#define TOOLHOST_API_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "toolhost.h"
#include "toolhost/link.h"
#include "toolhost/state.h"
#include "toolhost/tools.h"

struct plugin_tool {
    struct tool tool;
    th_tool_fn fn;
    void *user;
};

/* Valid inside init only (T-ABI-12); its arena, and the tools, live as long as the worker. */
struct th_reg {
    bool over; /* init has returned: nothing is registered any more */
    struct arena arena;
    struct plugin_tool *items;
    size_t count, cap;
    size_t attempts;    /* calls of register_tool, for messages about a tool without a usable AID */
    const char *fault;  /* the first rejection; NULL: none */
    char *error;        /* of init_error; NULL: none */
    uint32_t abi, caps; /* what the plugin says of itself */
};

/* One object for all calls of a worker, so that a thread of the plugin that outlives its call asks
 * a live object and is told to stop. Other threads read `number` and `deadline_ns`, and what
 * `reporting` guards, and nothing else. */
struct th_call {
    _Atomic uint64_t number;     /* 0: no call is running */
    _Atomic int64_t deadline_ns; /* monotonic */
    const struct shared_page *page;
    struct arena memory;  /* of th_host.alloc; reset after each call */
    struct arena scratch; /* of the JSON checks */
    struct buf output;
    uint64_t lost; /* size of an output that was too large; 0: none */
    struct buf error;
    uint32_t lost_how; /* TH_LOST_...; 0: what it returns is what the tool says */
    struct ds_state state;
    struct str request_id, key;

    /* Progress. Other threads of the plugin may report, too; under the lock, so that nothing comes
     * after the result. */
    pthread_mutex_t reporting;
    bool wants_progress;
    struct buf unsent; /* the latest report, if the socket had no room for it */
};

/* Reports are taken from now on, and passed on if they are wanted. */
void mgi_call_begin_progress(struct th_call *call, bool wanted);

/* No more reports of this call; the latest one that could not be sent goes in front of `out`. */
void mgi_call_end_progress(struct th_call *call, struct buf *out);

extern const th_host mgi_th_host;

/* What "config.v1" says from now on: a copy of `settings` that lives as long as the worker, which
 * is one process with one plugin. Before init. False: memory is short. */
bool mgi_api_configure(struct str settings);

#endif
