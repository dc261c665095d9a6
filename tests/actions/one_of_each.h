/* A domain with one trivial action of each kind, a pool that runs them, and what their processes
 * hold: for the test that calls leave nothing behind, and for the benchmark of what they cost. */
#ifndef TESTS_ACTIONS_ONE_OF_EACH_H
#define TESTS_ACTIONS_ONE_OF_EACH_H

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "actions/toolpool_int.h"
#include "domain/provider.h"
#include "support/loopback_http.h"

/* What gives the action, its AID (which is a macro-tool's name, too, below), and the program that
 * has to be there. */
static const struct kind_of_action {
    const char *name, *aid, *program;
} kinds_of_action[] = {
    { "plugin", "AID.TEST.STATUS.v1", NULL },
    { "python", "AID.PY.NOTHING.v1", "/usr/bin/python3" },
    { "node", "AID.JS.NOTHING.v1", "/usr/bin/node" },
    { "command", "AID.BENCH.COMMAND.v1", NULL },
    { "http", "AID.BENCH.HTTP.v1", NULL },
};
enum { KINDS_OF_ACTION = sizeof kinds_of_action / sizeof *kinds_of_action };

struct one_of_each {
    char folder[64];
    struct loopback_http http;
    uv_loop_t loop;
    struct snapshot *snapshot;
    struct toolpool *pool;
    struct toolsession *sessions[KINDS_OF_ACTION]; /* NULL: not taken */
    struct toolsession *taken;
    struct arena arena;
    uint32_t step;
    bool told;
    struct tool_result result;
};

static inline bool kind_is_here(const struct kind_of_action *kind)
{
    return !kind->program || access(kind->program, X_OK) == 0;
}

/* ---- the domain ------------------------------------------------------------------------------ */

static inline FILE *each_file(const struct one_of_each *e, const char *path)
{
    char full[256];
    snprintf(full, sizeof full, "%s/%s", e->folder, path);
    FILE *f = fopen(full, "we");
    if (!f)
        abort();
    return f;
}

static inline void each_write(const struct one_of_each *e, const char *path, const char *text)
{
    FILE *f = each_file(e, path);
    fputs(text, f);
    fclose(f);
}

static inline void each_write_settings(const struct one_of_each *e)
{
    FILE *f = each_file(e, "domain.yaml");
    fputs("server: {name: bench, version: 1.0.0}\n"
          "domain: {id: bench, description: One trivial action of each kind}\n"
          "intents: [{name: do_it, description: Do it, open: true}]\n"
          "actions:\n"
          "  plugins: [ok]\n"
          "  commands: command.yaml\n"
          "  http: http.yaml\n"
          "  hosts:\n",
          f);
    if (kind_is_here(&kinds_of_action[1]))
        fprintf(f,
                "    - {name: py, run: [%s, py.py], env: {PYTHONPATH: \"%s\", "
                "PYTHONDONTWRITEBYTECODE: \"1\"}}\n",
                kinds_of_action[1].program, MGI_SOURCE_DIR "/clients/python/src");
    if (kind_is_here(&kinds_of_action[2]))
        fprintf(f, "    - {name: js, run: [%s, js.mjs]}\n", kinds_of_action[2].program);
    if (!kind_is_here(&kinds_of_action[1]) && !kind_is_here(&kinds_of_action[2]))
        fputs("    []\n", f);
    fclose(f);
}

static inline void each_write_tools(const struct one_of_each *e)
{
    FILE *tools = each_file(e, "tools/t.yaml"), *rules = each_file(e, "rules/domain/d.mg");
    for (size_t i = 0; i < KINDS_OF_ACTION; i++) {
        const struct kind_of_action *k = &kinds_of_action[i];
        if (!kind_is_here(k))
            continue;
        fprintf(tools,
                "- tool: %s\n  summary: Does it.\n  description: Does it.\n"
                "  input_schema: {type: object}\n  steps: [{id: a, action: %s}]\n",
                k->name, k->aid);
        fprintf(rules, "mandatory_for_intent(\"do_it\", \"%s\").\n", k->name);
    }
    fclose(tools);
    fclose(rules);
}

static inline void each_write_domain(struct one_of_each *e)
{
    static const char *const folders[] = { "rules", "rules/domain", "tools" };
    strcpy(e->folder, "/tmp/one-of-each-XXXXXX");
    if (!mkdtemp(e->folder))
        abort();
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char full[256];
        snprintf(full, sizeof full, "%s/%s", e->folder, folders[i]);
        if (mkdir(full, 0700) != 0)
            abort();
    }
    each_write_settings(e);
    each_write_tools(e);
    each_write(e, "command.yaml", /* with other rights: each is confined to its own */
               "- name: command\n  description: Does nothing.\n  run: [/bin/true]\n"
               "  side_effects: none\n"
               "- name: other\n  description: Does nothing either.\n  run: [/bin/true]\n"
               "  side_effects: none\n  may: [file_read]\n");
    FILE *f = each_file(e, "http.yaml");
    fprintf(f,
            "server: http://127.0.0.1:%u\nprivate: true\nrequests:\n"
            "  - {name: http, description: Asks., url: /it, side_effects: none}\n",
            e->http.port);
    fclose(f);
    each_write(e, "py.py",
               "from manglecp.actions import action, serve\n\n"
               "@action(side_effects=\"none\")\ndef nothing() -> dict:\n"
               "    \"\"\"Does nothing.\"\"\"\n    return {}\n\n"
               "if __name__ == \"__main__\":\n    serve()\n");
    each_write(e, "js.mjs",
               "import { action, serve } from \"" MGI_SOURCE_DIR
               "/clients/typescript/actions.mjs\";\n\n"
               "action({ name: \"nothing\", description: \"Does nothing.\", sideEffects: \"none\","
               " input: { type: \"object\" } }, () => ({}));\nawait serve();\n");
}

/* ---- its life -------------------------------------------------------------------------------- */

/* False: it does not load, and why was printed. */
static inline bool each_begin(struct one_of_each *e, const char *const *set, size_t set_count)
{
    static const char *const plugins[] = { MGI_BUILD_DIR "/test-plugins",
                                           MGI_BUILD_DIR "/plugins" };
    const char *toolhost = MGI_BUILD_DIR "/bin/toolhost";
    const struct action_source actions = mgi_toolpool_actions(toolhost);
    const struct domain_options options = { .actions = &actions,
                                            .set = set,
                                            .set_count = set_count,
                                            .plugin_paths = plugins,
                                            .plugin_path_count = 2 };
    *e = (struct one_of_each){ .step = 0 };
    signal(SIGPIPE, SIG_IGN);
    if (!loopback_http_start(&e->http))
        return false;
    each_write_domain(e);
    mgi_arena_init(&e->arena, 0);
    uv_loop_init(&e->loop);
    struct findings *findings = mgi_findings_new();
    e->snapshot = mgi_domain_load(e->folder, &options, findings);
    if (!e->snapshot) {
        struct buf text = { 0 };
        mgi_findings_print(&text, findings);
        fputs(text.ptr, stderr);
        mgi_buf_fini(&text);
    }
    mgi_findings_free(findings);
    const struct toolpool_options pool = { .toolhost = toolhost, .hosts = 1 };
    e->pool = mgi_toolpool_new(&e->loop, &pool);
    return e->snapshot && e->pool;
}

static inline void each_wait(struct one_of_each *e)
{
    while (!e->told)
        uv_run(&e->loop, UV_RUN_ONCE);
    e->told = false;
}

static inline void each_closed(void *context)
{
    ((struct one_of_each *)context)->told = true;
}

static inline void each_end(struct one_of_each *e)
{
    char command[128];
    mgi_toolpool_close(e->pool, each_closed, e);
    each_wait(e);
    uv_run(&e->loop, UV_RUN_DEFAULT);
    uv_loop_close(&e->loop);
    mgi_snapshot_unref(e->snapshot);
    mgi_arena_fini(&e->arena);
    loopback_http_stop(&e->http);
    snprintf(command, sizeof command, "rm -r %s", e->folder);
    if (system(command) != 0)
        abort();
}

/* ---- calls ----------------------------------------------------------------------------------- */

static inline const struct action_provider *provider_of_kind(const struct one_of_each *e,
                                                             size_t kind)
{
    const struct action *action =
        mgi_snapshot_action(e->snapshot, str_of(kinds_of_action[kind].aid));
    return action ? action->provider : NULL;
}

static inline void each_ready(void *context, struct toolsession *session,
                              enum toolsession_refusal refusal, const char *why)
{
    struct one_of_each *e = context;
    (void)refusal;
    e->taken = session;
    e->told = true;
    if (!session)
        fprintf(stderr, "no session: %s\n", why);
}

static inline bool each_take(struct one_of_each *e, size_t kind)
{
    const struct toolwish wish = {
        .provider = provider_of_kind(e, kind), .wait_ms = 20000, .ready = each_ready, .context = e
    };
    if (!wish.provider || !mgi_toolsession_take(e->pool, &wish))
        return false;
    each_wait(e);
    e->sessions[kind] = e->taken;
    return e->taken != NULL;
}

static inline void each_release(struct one_of_each *e, size_t kind)
{
    if (e->sessions[kind])
        mgi_toolsession_release(e->sessions[kind]);
    e->sessions[kind] = NULL;
}

static inline void each_done(void *context, const struct tool_result *result)
{
    struct one_of_each *e = context;
    e->result = *result;
    e->told = true;
}

/* One call, in the session that was taken. False: it failed, and why was printed. */
static inline bool each_call(struct one_of_each *e, size_t kind)
{
    struct tool_inputs inputs;
    mgi_arena_reset(&e->arena);
    if (!mgi_tool_inputs(&e->arena, STR_LIT("{}"), false, &inputs))
        return false;
    const struct tool_request request = { .arena = &e->arena,
                                          .aid = str_of(kinds_of_action[kind].aid),
                                          .inputs = &inputs,
                                          .invocation_id = STR_LIT("each"),
                                          .step = e->step++,
                                          .issuer = "policy",
                                          .kept = true };
    mgi_toolsession_call(e->sessions[kind], &request, each_done, e);
    each_wait(e);
    if (e->result.outcome != TOOL_OK)
        fprintf(stderr, "%s: %.*s\n", kinds_of_action[kind].aid, STR_ARG(e->result.error));
    return e->result.outcome == TOOL_OK;
}

/* ---- what is held ---------------------------------------------------------------------------- */

enum { HELD_PROCESSES = 16 };

/* This process, the host of a kind, its worker, and what that runs: in this order, where each has
 * one child at most. */
struct held {
    size_t processes;
    pid_t pids[HELD_PROCESSES];
    long memory_kib[HELD_PROCESSES];
    long descriptors[HELD_PROCESSES]; /* -1: not for this user to see */
};

static inline long line_of_status(pid_t pid, const char *name)
{
    char path[64], line[256];
    long value = -1;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, name, strlen(name)) == 0)
            value = strtol(line + strlen(name), NULL, 10);
    if (f)
        fclose(f);
    return value;
}

static inline long descriptors_of(pid_t pid)
{
    char path[64];
    long count = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *all = opendir(path);
    if (!all)
        return -1;
    for (struct dirent *d; (d = readdir(all)) != NULL;)
        count += d->d_name[0] != '.';
    closedir(all);
    return pid == getpid() ? count - 1 : count; /* not that of looking */
}

static inline bool is_held(const struct held *h, pid_t pid)
{
    for (size_t i = 1; i < h->processes; i++) /* not this process: it has other children */
        if (h->pids[i] == pid)
            return true;
    return false;
}

static inline void hold(struct held *h, pid_t pid)
{
    if (h->processes == HELD_PROCESSES)
        return;
    h->pids[h->processes] = pid;
    h->memory_kib[h->processes] = line_of_status(pid, "VmRSS:");
    h->descriptors[h->processes++] = descriptors_of(pid);
}

static inline void hold_children(struct held *h)
{
    DIR *proc = opendir("/proc");
    for (struct dirent *d; proc && (d = readdir(proc)) != NULL;) {
        pid_t pid = (pid_t)strtol(d->d_name, NULL, 10);
        if (pid > 0 && !is_held(h, pid) && is_held(h, (pid_t)line_of_status(pid, "PPid:")))
            hold(h, pid);
    }
    if (proc)
        closedir(proc);
}

static inline void look_at_held(const struct one_of_each *e, size_t kind, struct held *h)
{
    h->processes = 0;
    hold(h, getpid());
    for (const struct tool_host *host = e->pool->hosts; host; host = host->next)
        if (host->provider == provider_of_kind(e, kind))
            hold(h, host->process.pid);
    for (size_t before = 0; before != h->processes;) { /* a child may have a lower number */
        before = h->processes;
        hold_children(h);
    }
}

#endif
