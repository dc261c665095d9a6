/* What confinement costs: a warm call, and the start of a host, with and without. They are measured
 * in turns, of which each begins with another one, so that whatever else the machine does meets
 * all. The plugin is a fixture of the tests, which asks for what it is told. The folder for
 * temporary files is one of its own: a start looks for what killed hosts left there, at 2,000 names
 * at most, which are 0.8 ms more. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time.h"
#include "sys/clock.h"

#define PROGRAM MGI_BUILD_DIR "/bin/toolhost"
#define PLUGIN  MGI_BUILD_DIR "/test-plugins/captive.so"
#define CALLS   4000 /* in blocks: a host that just answered waits awake for more */
#define BLOCK   100
#define STARTS  60

static const char ask[] = "{\"aid\":\"AID.TEST.ECHO.v1\"}\n";

static const struct way {
    const char *name, *document, *caps;
} ways[] = {
    { "unconfined", "{\"confine\":\"off\"}", "MACHINA_TOOL_CAPS=0" },
    { "asks for nothing", "{\"confine\":\"on\"}", "MACHINA_TOOL_CAPS=0" },
    { "may read files", "{\"confine\":\"on\"}", "MACHINA_TOOL_CAPS=1" },
    { "may start programs", "{\"confine\":\"on\"}", "MACHINA_TOOL_CAPS=4" },
};
enum { WAYS = sizeof ways / sizeof *ways };

static char folder[] = "/tmp/bench-confine-XXXXXX", document[64];

struct host {
    pid_t pid;
    int in, out;
};

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void begin(struct host *h, const struct way *way)
{
    int in[2], out[2], fd = open(document, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, way->document, strlen(way->document)) < 0 || close(fd) != 0 ||
        pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
        fail("bench_actions_confine");
    h->pid = fork();
    if (h->pid == 0) {
        char caps[64], temporary[64], path[] = "PATH=/usr/bin:/bin";
        snprintf(caps, sizeof caps, "%s", way->caps);
        snprintf(temporary, sizeof temporary, "TMPDIR=%s", folder);
        char *const env[] = { caps, temporary, path, NULL };
        dup2(in[0], 0);
        dup2(out[1], 1);
        dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), 2);
        execle(PROGRAM, "toolhost", "--serve", PLUGIN, "--config", document, (char *)NULL, env);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    h->in = in[1];
    h->out = out[0];
}

static void call(const struct host *h)
{
    char answer[1024];
    if (write(h->in, ask, sizeof ask - 1) != (ssize_t)(sizeof ask - 1))
        fail("bench_actions_confine: write");
    for (;;) {
        ssize_t n = read(h->out, answer, sizeof answer);
        if (n <= 0)
            fail("bench_actions_confine: read");
        if (answer[n - 1] == '\n')
            return;
    }
}

/* Processor time of the host and all that it has waited for, in ns. */
static int64_t end(struct host *h)
{
    struct rusage used;
    close(h->in);
    close(h->out);
    if (wait4(h->pid, NULL, 0, &used) != h->pid)
        fail("bench_actions_confine: wait4");
    int64_t seconds = used.ru_utime.tv_sec + used.ru_stime.tv_sec;
    int64_t micros = used.ru_utime.tv_usec + used.ru_stime.tv_usec;
    return seconds * NS_PER_SEC + micros * 1000;
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Of the best tenth the worst: what it takes where the machine does little else. And the median. */
static void tell(const char *what, const struct way *way, const int64_t *ns, size_t count)
{
    int64_t sorted[CALLS];
    memcpy(sorted, ns, count * sizeof *ns);
    qsort(sorted, count, sizeof *sorted, compare);
    printf("confine/%s, %s: %.1f us (median of %zu; best tenth %.1f)\n", what, way->name,
           (double)sorted[count / 2] / 1000, count, (double)sorted[count / 10] / 1000);
}

/* How much more `confined` took than `plain`: the median of the differences of those that were
 * measured in the same turn, which met the same machine. */
static double more_ns(const int64_t *confined, const int64_t *plain, size_t count)
{
    int64_t more[CALLS];
    for (size_t i = 0; i < count; i++)
        more[i] = confined[i] - plain[i];
    qsort(more, count, sizeof *more, compare);
    return (double)more[count / 2];
}

static int64_t took[WAYS][CALLS], worked[WAYS][STARTS];

static void call_block(const struct host *h, int64_t *ns)
{
    for (size_t i = 0; i < BLOCK; i++) {
        int64_t begun = mgi_clock_mono_ns();
        call(h);
        ns[i] = mgi_clock_mono_ns() - begun;
    }
}

static int64_t median(const int64_t *ns)
{
    int64_t sorted[BLOCK];
    memcpy(sorted, ns, sizeof sorted);
    qsort(sorted, BLOCK, sizeof *sorted, compare);
    return sorted[BLOCK / 2];
}

static void measure_calls(void)
{
    struct host hosts[WAYS];
    int64_t medians[WAYS][CALLS / BLOCK];
    for (size_t w = 0; w < WAYS; w++) {
        begin(&hosts[w], &ways[w]);
        for (int i = 0; i < 200; i++)
            call(&hosts[w]);
    }
    for (size_t i = 0; i < CALLS / BLOCK; i++)
        for (size_t turn = 0; turn < WAYS; turn++) {
            const size_t w = (i + turn) % WAYS;
            call_block(&hosts[w], took[w] + i * BLOCK);
            medians[w][i] = median(took[w] + i * BLOCK);
        }
    for (size_t w = 0; w < WAYS; w++) {
        end(&hosts[w]);
        tell("warm call", &ways[w], took[w], CALLS);
    }
    for (size_t w = 1; w < WAYS; w++)
        printf("confine/added to a warm call, %s: %.2f us (medians of %d calls, the median of %d "
               "differences to the unconfined ones of the same turn; aim: at most 2)\n",
               ways[w].name, more_ns(medians[w], medians[0], CALLS / BLOCK) / 1000, BLOCK,
               CALLS / BLOCK);
}

static void measure_starts(void)
{
    for (size_t i = 0; i < STARTS; i++)
        for (size_t turn = 0; turn < WAYS; turn++) {
            const size_t w = (i + turn) % WAYS;
            struct host h;
            int64_t begun = mgi_clock_mono_ns();
            begin(&h, &ways[w]);
            call(&h);
            took[w][i] = mgi_clock_mono_ns() - begun;
            worked[w][i] = end(&h);
        }
    for (size_t w = 0; w < WAYS; w++)
        tell("start to first answer", &ways[w], took[w], STARTS);
    for (size_t w = 0; w < WAYS; w++)
        tell("processor time of a start, a call and an end", &ways[w], worked[w], STARTS);
    for (size_t w = 1; w < WAYS; w++) {
        printf(
            "confine/added to a start, %s: %.2f ms (to the first answer, median of %d differences; "
            "aim: at most 3)\n",
            ways[w].name, more_ns(took[w], took[0], STARTS) / 1e6, STARTS);
        printf("confine/of processor time, %s: %.2f ms (with a call and the end; likewise; aim: at "
               "most 3)\n",
               ways[w].name, more_ns(worked[w], worked[0], STARTS) / 1e6);
    }
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    if (access(PROGRAM, X_OK) != 0 || access(PLUGIN, R_OK) != 0) {
        printf("confine: not measured (toolhost or the plugins of the tests are not built)\n");
        return 0;
    }
    if (!mkdtemp(folder))
        fail(folder);
    snprintf(document, sizeof document, "%s/provider.json", folder);
    measure_calls();
    measure_starts();
    unlink(document);
    return rmdir(folder) == 0 ? 0 : 1;
}
