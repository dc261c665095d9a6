/* What a command costs as an action, beside starting the same program by posix_spawn() and waiting
 * for it; and what 10,000 of them leave behind. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "sys/clock.h"

#define ROUNDS  500
#define PROGRAM "/bin/true"

static const char call_line[] = "{\"aid\":\"AID.BENCH.TRUE.v1\"}\n";

struct host {
    pid_t pid;
    FILE *in, *out;
};

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static double median_us(int64_t *ns, size_t count)
{
    qsort(ns, count, sizeof *ns, compare);
    return (double)ns[count / 2] / 1000;
}

/* As a careful caller would: its output is read to its end, and then it is waited for. */
static void spawn_bare(char *const *env)
{
    static const char *const argv[] = { PROGRAM, NULL };
    posix_spawn_file_actions_t actions;
    int out[2];
    char chunk[64];
    pid_t pid;
    if (pipe2(out, O_CLOEXEC) != 0)
        exit(1);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    if (posix_spawn(&pid, PROGRAM, &actions, NULL, (char *const *)(uintptr_t)argv, env) != 0)
        exit(1);
    close(out[1]);
    while (read(out[0], chunk, sizeof chunk) > 0)
        ;
    close(out[0]);
    waitpid(pid, NULL, 0);
    posix_spawn_file_actions_destroy(&actions);
}

static bool write_document(const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    fprintf(f,
            "{\"settings\":{\"folder\":\"/\",\"actions\":[{\"aid\":\"AID.BENCH.TRUE.v1\","
            "\"name\":\"true\",\"description\":\"\",\"program\":\"" PROGRAM
            "\",\"run\":[[\"true\"]],\"output\":{\"kind\":\"text\"},\"side_effects\":[\"none\"]}]"
            "}}");
    return fclose(f) == 0;
}

static bool start_host(struct host *h)
{
    char document[] = "/tmp/bench_commandXXXXXX";
    int in[2], out[2], fd = mkstemp(document);
    if (fd < 0 || !write_document(document) || pipe(in) != 0 || pipe(out) != 0)
        return false;
    close(fd);
    h->pid = fork();
    if (h->pid == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        for (int i = 3; i < 64; i++)
            close(i);
        execl(MGI_BUILD_DIR "/bin/toolhost", "toolhost", "--serve",
              MGI_BUILD_DIR "/plugins/command.so", "--config", document, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    h->in = fdopen(in[1], "w");
    h->out = fdopen(out[0], "r");
    return h->in && h->out;
}

static void call(struct host *h)
{
    static char line[65536];
    fputs(call_line, h->in);
    fflush(h->in);
    if (!fgets(line, sizeof line, h->out) || !strstr(line, "\"ok\":true")) {
        fprintf(stderr, "bench_command: %s", line);
        exit(1);
    }
}

static long memory_kib(pid_t pid)
{
    char path[64], line[256];
    long kib = 0, found;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "VmRSS: %ld", &found) == 1)
            kib = found;
    if (f)
        fclose(f);
    return kib;
}

int main(void)
{
    static int64_t bare[ROUNDS], action[ROUNDS];
    struct host h;
    if (!start_host(&h))
        return 1;
    for (int i = 0; i < 20; i++)
        call(&h);
    for (int i = 0; i < ROUNDS; i++) { /* in turn: what else the machine does meets both */
        int64_t begun = mgi_clock_mono_ns();
        spawn_bare(environ);
        bare[i] = mgi_clock_mono_ns() - begun;
        begun = mgi_clock_mono_ns();
        call(&h);
        action[i] = mgi_clock_mono_ns() - begun;
    }
    double one = median_us(bare, ROUNDS), other = median_us(action, ROUNDS);
    printf("command/posix_spawn: %.0f us (" PROGRAM " started, read to its end, waited for)\n",
           one);
    printf("command/action: %.0f us (the same as an action of a warm host)\n", other);
    printf("command/ratio: %.2f (aim: 1.3)\n", other / one);
    long before = memory_kib(h.pid);
    for (int i = 0; i < 10000; i++)
        call(&h);
    printf("command/growth: %ld KiB (of the host, after 10,000 further calls)\n",
           memory_kib(h.pid) - before);
    fclose(h.in);
    waitpid(h.pid, NULL, 0);
    return 0;
}
