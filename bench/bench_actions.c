/* What an action costs, by kind: from the call of a session to its answer on the server's loop, and
 * as an invocation over standard input and output. Beside them what can be had without a server:
 * the same program started by posix_spawn(), the same request made by libcurl, and a tool of the
 * MCP TypeScript SDK. All are warm, and take turns, so that what else the machine does meets all.
 *
 *   bench_actions              the figures, and what 10,000 calls of each kind leave behind
 *   bench_actions N            N calls of each kind in place of them
 *   bench_actions N NAME...    figures of these names alone: bench_actions 0 command posix_spawn */
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include "actions/one_of_each.h"
#include "net/curl_late.h"
#include "sys/clock.h"

enum { ROUNDS = 9, BLOCK_NS = 60 * 1000 * 1000, BLOCK_CALLS = 1000, WARM = 200, LINE = 1 << 16 };

/* A server on a pipe: a line in, a line out. */
struct piped {
    pid_t pid;
    int in, out;
    size_t held; /* of what it said, not yet taken */
    char text[LINE];
};

struct bench {
    struct one_of_each each;
    struct piped server, peer; /* pid 0: not there */
    char macro_ids[KINDS_OF_ACTION][128];
    uint64_t line;
    struct curl_late curl;
    CURL *easy; /* NULL: no libcurl */
    char url[64];
    struct buf body;
    char **only; /* names, then NULL; none: all */
};

/* ---- a server on a pipe ---------------------------------------------------------------------- */

static bool piped_start(struct piped *p, char *const argv[])
{
    posix_spawn_file_actions_t plan;
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
        return false;
    posix_spawn_file_actions_init(&plan);
    posix_spawn_file_actions_adddup2(&plan, in[0], 0);
    posix_spawn_file_actions_adddup2(&plan, out[1], 1);
    int rc = posix_spawnp(&p->pid, argv[0], &plan, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&plan);
    close(in[0]);
    close(out[1]);
    p->in = in[1];
    p->out = out[0];
    p->held = 0;
    if (rc != 0)
        p->pid = 0;
    return rc == 0;
}

static void piped_end(struct piped *p)
{
    if (!p->pid)
        return;
    close(p->in);
    close(p->out);
    waitpid(p->pid, NULL, 0);
}

static bool piped_say(const struct piped *p, const char *line)
{
    size_t len = strlen(line);
    return write(p->in, line, len) == (ssize_t)len;
}

/* The next line it says that has `mark` in it, without its end, good until the next call. NULL: it
 * has ended, or says no such thing. */
static const char *piped_hear(struct piped *p, const char *mark)
{
    static char line[LINE];
    for (;;) {
        char *end = memchr(p->text, '\n', p->held);
        if (end) {
            size_t len = (size_t)(end - p->text);
            memcpy(line, p->text, len);
            line[len] = '\0';
            p->held -= len + 1;
            memmove(p->text, end + 1, p->held);
            if (strstr(line, mark))
                return line;
            continue;
        }
        ssize_t n = read(p->out, p->text + p->held, sizeof p->text - p->held);
        if (n <= 0)
            return NULL;
        p->held += (size_t)n;
    }
}

/* ---- our server ------------------------------------------------------------------------------ */

static bool read_macro_ids(struct bench *b, const char *answer)
{
    struct json root;
    struct arena arena;
    mgi_arena_init(&arena, 0);
    bool good = mgi_json_parse(&arena, str_of(answer), NULL, &root, NULL) == JSON_OK;
    const struct json *tools = mgi_json_get(mgi_json_get(&root, "payload"), "macro_tools");
    for (uint32_t i = 0; good && tools && i < tools->count; i++)
        for (size_t k = 0; k < KINDS_OF_ACTION; k++) {
            const struct json *name = mgi_json_get(&tools->items[i], "name");
            const struct json *id = mgi_json_get(&tools->items[i], "macro_id");
            if (name && id && str_is(name->string, kinds_of_action[k].name))
                snprintf(b->macro_ids[k], sizeof b->macro_ids[k], "%.*s", STR_ARG(id->string));
        }
    mgi_arena_fini(&arena);
    return good && tools;
}

static bool start_server(struct bench *b)
{
    static const char ask[] = "{\"type\":\"intent_request\",\"id\":\"i\",\"manglecp\":"
                              "\"2026-02-draft\",\"payload\":{\"intent\":{\"name\":\"do_it\"}}}\n";
    char program[] = MGI_BUILD_DIR "/bin/manglecp", serve[] = "serve", stdio[] = "--stdio";
    char plugins[] = "--plugins", fixtures[] = MGI_BUILD_DIR "/test-plugins";
    char *const argv[] = { program, serve, b->each.folder, stdio, plugins, fixtures, NULL };
    const char *answer = "it cannot be started";
    if (piped_start(&b->server, argv))
        for (int i = 0; answer && i < 200; i++) { /* it boots for a moment */
            answer = piped_say(&b->server, ask) ? piped_hear(&b->server, "\"id\":\"i\"") : NULL;
            if (answer && !strstr(answer, "\"server_not_ready\""))
                break;
            usleep(50000);
        }
    if (answer && read_macro_ids(b, answer))
        return true;
    fprintf(stderr, "no server on a pipe: %s\n", answer ? answer : "it has ended");
    return false;
}

static bool invoke(struct bench *b, size_t kind)
{
    char line[512], mark[32];
    snprintf(mark, sizeof mark, "\"id\":\"%llu\"", (unsigned long long)++b->line);
    snprintf(line, sizeof line,
             "{\"type\":\"invoke_request\",%s,\"manglecp\":\"2026-02-draft\","
             "\"payload\":{\"macro_id\":\"%s\",\"args\":{}}}\n",
             mark, b->macro_ids[kind]);
    const char *answer = piped_say(&b->server, line) ? piped_hear(&b->server, mark) : NULL;
    while (answer && strstr(answer, "\"type\":\"progress\""))
        answer = piped_hear(&b->server, mark);
    if (answer && strstr(answer, "\"invoke_response\""))
        return true;
    fprintf(stderr, "invoke %s: %s\n", kinds_of_action[kind].name, answer ? answer : "no answer");
    return false;
}

/* ---- the peer -------------------------------------------------------------------------------- */

/* Its folder, of bench/mcp_peer. False: there is none, and why was printed. */
static bool fetch_peer(char *folder, size_t cap)
{
    FILE *made = popen("bash " MGI_SOURCE_DIR "/bench/mcp_peer", "r");
    bool good = made && fgets(folder, (int)cap, made) != NULL;
    if (made && pclose(made) != 0)
        good = false;
    folder[good ? strcspn(folder, "\n") : 0] = '\0';
    return good;
}

static bool start_peer(struct piped *p, const char *folder)
{
    char program[] = "node", file[600];
    snprintf(file, sizeof file, "%s/mcp_peer.mjs", folder);
    char *const argv[] = { program, file, NULL };
    return piped_start(p, argv) &&
           piped_say(p, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
                        "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":"
                        "{\"name\":\"bench\",\"version\":\"1\"}}}\n") &&
           piped_hear(p, "\"result\"") &&
           piped_say(p, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
}

static bool call_peer(struct bench *b, size_t kind)
{
    char line[256], mark[32];
    (void)kind;
    snprintf(mark, sizeof mark, "\"id\":%llu", (unsigned long long)++b->line);
    snprintf(line, sizeof line,
             "{\"jsonrpc\":\"2.0\",%s,\"method\":\"tools/call\",\"params\":{\"name\":\"nothing\","
             "\"arguments\":{}}}\n",
             mark);
    const char *answer = piped_say(&b->peer, line) ? piped_hear(&b->peer, mark) : NULL;
    return answer && strstr(answer, "\"content\"");
}

/* ---- without a server ------------------------------------------------------------------------ */

/* Until both outputs have ended, whichever says something first. */
static void read_both(const int ends[2])
{
    char chunk[256];
    struct pollfd p[2] = { { .fd = ends[0], .events = POLLIN },
                           { .fd = ends[1], .events = POLLIN } };
    while ((p[0].fd >= 0 || p[1].fd >= 0) && poll(p, 2, -1) > 0)
        for (size_t i = 0; i < 2; i++)
            if (p[i].fd >= 0 && p[i].revents && read(p[i].fd, chunk, sizeof chunk) <= 0)
                p[i].fd = -1;
}

/* As any caller would: what it prints is read to its end, and then it is waited for. */
static bool spawn_bare(struct bench *b, size_t kind)
{
    char program[] = "/bin/true";
    char *const argv[] = { program, NULL };
    posix_spawn_file_actions_t plan;
    int out[2], err[2], status = -1;
    pid_t pid;
    (void)b, (void)kind;
    if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
        return false;
    posix_spawn_file_actions_init(&plan);
    posix_spawn_file_actions_adddup2(&plan, out[1], 1);
    posix_spawn_file_actions_adddup2(&plan, err[1], 2);
    bool started = posix_spawn(&pid, program, &plan, NULL, argv, environ) == 0;
    close(out[1]);
    close(err[1]);
    if (started) {
        read_both((const int[]){ out[0], err[0] });
        waitpid(pid, &status, 0);
    }
    close(out[0]);
    close(err[0]);
    posix_spawn_file_actions_destroy(&plan);
    return status == 0;
}

static void open_curl(struct bench *b)
{
    struct buf why = { 0 };
    if (mgi_curl_late_open(&b->curl, &why))
        b->easy = b->curl.easy_init();
    mgi_buf_fini(&why);
    if (!b->easy)
        return;
    snprintf(b->url, sizeof b->url, "http://127.0.0.1:%u/it", b->each.http.port);
    b->curl.easy_setopt(b->easy, CURLOPT_URL, b->url);
    b->curl.easy_setopt(b->easy, CURLOPT_PROXY, "");
    b->curl.easy_setopt(b->easy, CURLOPT_WRITEFUNCTION, mgi_curl_take);
    b->curl.easy_setopt(b->easy, CURLOPT_WRITEDATA, &b->body);
}

static bool request_bare(struct bench *b, size_t kind)
{
    (void)kind;
    mgi_buf_clear(&b->body);
    return b->curl.easy_perform(b->easy) == CURLE_OK && b->body.len == 11;
}

static bool act(struct bench *b, size_t kind)
{
    return each_call(&b->each, kind);
}

/* ---- turns ----------------------------------------------------------------------------------- */

/* One of those who take turns. */
struct contender {
    const char *name, *what;
    bool (*call)(struct bench *b, size_t kind);
    size_t kind;
    double aim_us; /* 0: none */
    double median_us[ROUNDS], tenth_us[ROUNDS];
    size_t block; /* calls in a row; 0: it is not there */
};

static int compare_ns(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int compare_us(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double middle(const double *values)
{
    double sorted[ROUNDS];
    memcpy(sorted, values, sizeof sorted);
    qsort(sorted, ROUNDS, sizeof *sorted, compare_us);
    return sorted[ROUNDS / 2];
}

static double least(const double *values)
{
    double best = values[0];
    for (size_t i = 1; i < ROUNDS; i++)
        best = values[i] < best ? values[i] : best;
    return best;
}

/* Warm it, and choose how many calls make a block. A block of a few milliseconds would measure what
 * the caches hold of the others. */
static void warm(struct bench *b, struct contender *c)
{
    int64_t begun = mgi_clock_mono_ns();
    size_t calls = 0;
    while (calls < WARM && mgi_clock_mono_ns() - begun < 2 * BLOCK_NS)
        if (!c->call(b, c->kind))
            return;
        else
            calls++;
    int64_t each_ns = (mgi_clock_mono_ns() - begun) / (int64_t)(calls ? calls : 1);
    c->block = (size_t)(BLOCK_NS / (each_ns + 1)) + 20;
    c->block = c->block < BLOCK_CALLS ? c->block : BLOCK_CALLS;
}

static void take_turn(struct bench *b, struct contender *c, size_t round)
{
    static int64_t took[BLOCK_CALLS];
    for (size_t i = 0; i < c->block; i++) {
        int64_t begun = mgi_clock_mono_ns();
        if (!c->call(b, c->kind)) {
            c->block = 0;
            return;
        }
        took[i] = mgi_clock_mono_ns() - begun;
    }
    if (c->block == 0)
        return;
    qsort(took, c->block, sizeof *took, compare_ns);
    c->median_us[round] = (double)took[c->block / 2] / 1000;
    c->tenth_us[round] = (double)took[c->block / 10] / 1000;
}

static void print_contender(const struct contender *c)
{
    char aim[48] = "";
    if (c->aim_us > 0)
        snprintf(aim, sizeof aim, "; aim: less than %.0f", c->aim_us);
    if (c->block)
        printf("actions/%s: %.1f us (%s: median of %d medians; best tenth %.1f%s)\n", c->name,
               middle(c->median_us), c->what, ROUNDS, least(c->tenth_us), aim);
    else
        printf("actions/%s: not measured (%s)\n", c->name, c->what);
}

/* Of the same round each, so that both met the same machine. */
static void print_ratio(const char *name, const struct contender *one,
                        const struct contender *other, const char *what, const char *aim)
{
    double ratios[ROUNDS];
    for (size_t i = 0; i < ROUNDS; i++)
        ratios[i] = one->median_us[i] / other->median_us[i];
    if (one->block && other->block)
        printf("actions/%s: %.2f (%s; of the best tenths %.2f%s)\n", name, middle(ratios), what,
               least(one->tenth_us) / least(other->tenth_us), aim);
}

static bool is_wanted(const struct bench *b, const char *name)
{
    bool wanted = !b->only[0];
    for (size_t i = 0; b->only[i]; i++)
        wanted |= strcmp(b->only[i], name) == 0;
    return wanted;
}

static bool wants_server(const struct bench *b)
{
    bool wanted = !b->only[0];
    for (size_t i = 0; b->only[i]; i++)
        wanted |= strncmp(b->only[i], "invoke/", 7) == 0;
    return wanted;
}

enum {
    PLUGIN,
    PYTHON,
    NODE,
    COMMAND,
    SPAWN,
    HTTP,
    CURL_REQUEST,
    INVOKE, /* of the plugin; those of the other kinds follow */
    PEER = INVOKE + KINDS_OF_ACTION,
    CONTENDERS
};

static void measure(struct bench *b, bool has_server, bool has_peer)
{
    static struct contender all[CONTENDERS] = {
        [PLUGIN] = { .name = "plugin", .what = "an action of a warm plugin", .aim_us = 40 },
        [PYTHON] = { .name = "python", .what = "one of a warm Python host", .aim_us = 200 },
        [NODE] = { .name = "node", .what = "one of a warm Node host" },
        [COMMAND] = { .name = "command", .what = "/bin/true as an action" },
        [SPAWN] = { .name = "posix_spawn",
                    .what = "/bin/true started, both outputs read, waited for",
                    .call = spawn_bare },
        [HTTP] = { .name = "http", .what = "a request to a server in this process, as an action" },
        [CURL_REQUEST] = { .name = "libcurl",
                           .what = "the same request, by a handle that is kept",
                           .call = request_bare },
        [PEER] = { .name = "mcp",
                   .what = "tools/call of a tool that does nothing, MCP TypeScript SDK, on a pipe",
                   .call = call_peer },
    };
    static const size_t of_kind[KINDS_OF_ACTION] = { PLUGIN, PYTHON, NODE, COMMAND, HTTP };
    static char names[KINDS_OF_ACTION][32];
    for (size_t k = 0; k < KINDS_OF_ACTION; k++) {
        snprintf(names[k], sizeof names[k], "invoke/%s", kinds_of_action[k].name);
        all[of_kind[k]].call = act;
        all[of_kind[k]].kind = k;
        all[INVOKE + k] = (struct contender){ .name = names[k],
                                              .what = "a macro-tool of it invoked, on a pipe",
                                              .call = invoke,
                                              .kind = k };
    }
    for (size_t i = 0; i < CONTENDERS; i++) {
        bool here = i == CURL_REQUEST ? b->easy != NULL
                    : i == PEER       ? has_peer
                    : i == SPAWN      ? true
                                      : kind_is_here(&kinds_of_action[all[i].kind]);
        if (here && is_wanted(b, all[i].name) && (all[i].call != invoke || has_server))
            warm(b, &all[i]);
    }
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < CONTENDERS; i++)
            take_turn(b, &all[i], round);
    for (size_t i = 0; i < CONTENDERS; i++)
        if (is_wanted(b, all[i].name))
            print_contender(&all[i]);
    print_ratio("command ratio", &all[COMMAND], &all[SPAWN],
                "an action to the bare posix_spawn of its program", "; aim: at most 1.3");
    print_ratio("http ratio", &all[HTTP], &all[CURL_REQUEST], "an action to the bare request", "");
    print_ratio("mcp ratio", &all[PEER], &all[INVOKE],
                "the MCP SDK's tools/call to an invocation of the plugin, both on a pipe", "");
}

/* ---- what is left ---------------------------------------------------------------------------- */

static long sum(const long *values, size_t count)
{
    long all = 0;
    for (size_t i = 0; i < count; i++)
        all += values[i];
    return all;
}

/* What a heap that is collected (V8's) may differ between two looks, whatever lies between them.
 * What is lost at each of 9,000 calls comes to more, if it is 500 bytes. */
enum { BREATH_KIB = 4096 };

static void print_left(const char *name, const struct held *before, const struct held *after,
                       size_t from, size_t to)
{
    static const char *const who[] = { "server", "host", "worker", "program" };
    long more = (long)(after->processes - before->processes) +
                sum(after->descriptors, after->processes) -
                sum(before->descriptors, before->processes);
    printf("actions/memory left by %s: %ld KiB (between %zu and %zu calls:", name,
           sum(after->memory_kib, after->processes) - sum(before->memory_kib, before->processes),
           from, to);
    for (size_t i = 0; i < after->processes && i < before->processes; i++)
        printf("%s %s %+ld", i ? "," : "", i < 4 ? who[i] : "another",
               after->memory_kib[i] - before->memory_kib[i]);
    printf("; aim: at most %d)\n", BREATH_KIB);
    printf("actions/processes and descriptors left by %s: %ld (of %zu and %ld; aim: at most 0)\n",
           name, more, after->processes, sum(after->descriptors, after->processes));
}

static void call_many(struct bench *b, size_t kind, size_t count)
{
    struct held before = { 0 }, after = { 0 };
    size_t from = count / 10;
    for (size_t i = 0; i < count; i++) {
        if (i == from)
            look_at_held(&b->each, kind, &before);
        if (!each_call(&b->each, kind))
            return;
    }
    look_at_held(&b->each, kind, &after);
    print_left(kinds_of_action[kind].name, &before, &after, from, count);
}

int main(int argc, char **argv)
{
    static struct bench b;
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
    char folder[512];
    b.only = argv + (argc > 2 ? 2 : argc);
    if (!each_begin(&b.each, NULL, 0))
        return 1;
    open_curl(&b);
    for (size_t k = 0; k < KINDS_OF_ACTION; k++)
        if (kind_is_here(&kinds_of_action[k]) && !each_take(&b.each, k))
            return 1;
    folder[0] = '\0';
    bool has_server = wants_server(&b) && start_server(&b);
    bool has_peer = is_wanted(&b, "mcp") && fetch_peer(folder, sizeof folder);
    has_peer = has_peer && start_peer(&b.peer, folder);
    measure(&b, has_server, has_peer);
    for (size_t k = 0; count > 0 && k < KINDS_OF_ACTION; k++)
        if (kind_is_here(&kinds_of_action[k]) && is_wanted(&b, kinds_of_action[k].name))
            call_many(&b, k, count);
    for (size_t k = 0; k < KINDS_OF_ACTION; k++)
        each_release(&b.each, k);
    piped_end(&b.server);
    piped_end(&b.peer);
    if (folder[0]) {
        char command[600];
        snprintf(command, sizeof command, "rm -r '%s'", folder);
        if (system(command) != 0)
            fprintf(stderr, "%s is left\n", folder);
    }
    if (b.easy)
        b.curl.easy_cleanup(b.easy);
    mgi_buf_fini(&b.body);
    each_end(&b.each);
    return 0;
}
