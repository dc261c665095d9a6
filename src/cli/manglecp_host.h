/* A domain folder brought to life inside this process, without a way to be spoken to from outside:
 * snapshot, loop, tool pool, store, server. What the client commands use when TARGET is a folder;
 * `serve` is src/service. */
#ifndef MGI_CLI_MANGLECP_HOST_H
#define MGI_CLI_MANGLECP_HOST_H

#include "cli/cli_options.h"
#include "server/peer.h"
#include "server/server.h"

struct host_options {
    const char *domain;
    struct cli_list set, plugin_paths;
    const char *toolhost;  /* NULL: beside this program, else found through PATH */
    const char *auth_file; /* or NULL */
    const char *log_level; /* NULL: warn */
    bool fixed_clock;
    bool quiet_clock; /* do not warn of it: the caller says it in its own words */
    int64_t clock_ns;
    const char *intent_eval, *macro_invoke; /* endpoint paths for the manifest, or NULL */
    const char *websocket;
    /* Answers for external predicates in place of the plugins; NULL: they do. */
    bool (*ask)(const char *program, const struct action_question *question, struct arena *arena,
                struct json *outputs, const char **why);
    void (*costs)(void *context, const struct intent_costs *costs); /* server_options.costs */
    void *costs_context;
    struct prepared_notes *notes; /* what loading works out is noted there; NULL: nowhere */
};

/* Rows for a command's option table. */
#define HOST_OPTION_ROWS(o)                                                                        \
    { "--set", OPTION_LIST, &(o).set, NULL, "KEY=VALUE", "override a setting of domain.yaml" },    \
        { "--clock",        OPTION_TIME, &(o).clock_ns,                                            \
          &(o).fixed_clock, "TIME",      "fix the server's clock (recordings, tests)" },           \
        { "--plugins", OPTION_LIST, &(o).plugin_paths, NULL, "DIR", "more folders of plugins" },   \
        { "--toolhost", OPTION_TEXT, &(o).toolhost, NULL, "PROGRAM", "the plugin host to run" },   \
    {                                                                                              \
        "--log", OPTION_TEXT, &(o).log_level, NULL, "LEVEL", "error, warn, info or debug"          \
    }

struct host {
    struct host_options options;
    struct arena arena; /* of the process: paths, tokens */
    uv_loop_t loop;
    struct logger log;
    struct snapshot *snapshot;
    struct toolpool *pool;
    struct store store;
    struct auth *auth;
    struct confirmation_keys keys;
    uint8_t server_key[32];
    struct signing_keys *signing; /* of this run: one command after the other cannot know them */
    struct str approved; /* the challenge that the person at this terminal approved; else empty */
    struct server *server;
    bool pool_open, server_open;
};

/* The folder of this program, with a slash at its end: where toolhost and plugins are. NULL if it
 * cannot be told. */
const char *mgi_host_programs(struct arena *arena);

/* All of them, on standard error. */
void mgi_host_print_findings(struct findings *f);

/* Load only, reporting into `findings`. NULL on errors. Borrows `options`; `arena` keeps paths. */
struct snapshot *mgi_host_check(const struct host_options *options, struct arena *arena,
                                struct findings *findings);

/* The same, with actions from elsewhere than the tool pool. */
struct snapshot *mgi_host_check_with(const struct host_options *options,
                                     const struct action_source *actions, struct arena *arena,
                                     struct findings *findings);

/* The exit status that belongs to them: `good`, or it is the domain that is wrong, or memory was
 * short. findings NULL: it was so short that there are none, which is said on stderr. */
int mgi_host_status(const struct findings *findings, bool good);

/* The same as mgi_host_check, but errors are printed on stderr. NULL: *status says how to exit. */
struct snapshot *mgi_host_load(const struct host_options *options, struct arena *arena,
                               int *status);

/* Load and start. EXIT_ANSWERED, or an exit status after messages were printed. */
int mgi_host_start(struct host *h, const struct host_options *options);

/* Something that a callback will report: hand mgi_host_done and the struct to what is to come, then
 * run the loop with mgi_host_await until it came. */
struct awaited {
    uv_loop_t *loop;
    bool done;
};
void mgi_host_done(void *context);
void mgi_host_await(const struct awaited *awaited);

/* Drain, end the hosts of plugins, free everything. Runs the loop until all is closed. */
void mgi_host_stop(struct host *h);

#endif
