/* Fixture: a plugin whose tools misbehave, one way each, beside the well-behaved ones of `ok`
 * (toolhost.md 12.7). Each must cost one failed step and nothing more. */
#include "../ok/ok_tools.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/wait.h>

static volatile int zero; /* nobody may know that these loops are endless */

/* With {"well":true} it behaves. */
static th_status segv(th_call *call, th_str in, void *user)
{
    (void)call;
    (void)user;
    if (!number(in, "well", 0))
        raise(SIGSEGV);
    return TH_OK;
}

static th_status aborts(th_call *call, th_str in, void *user)
{
    (void)call;
    (void)in;
    (void)user;
    abort();
}

static th_status exits(th_call *call, th_str in, void *user)
{
    (void)user;
    if (number(in, "fail", 0))
        return error(call, "as asked");
    _exit((int)number(in, "code", 0));
}

static th_status hang(th_call *call, th_str in, void *user)
{
    (void)call;
    (void)in;
    (void)user;
    while (zero == 0) {
    }
    return TH_OK;
}

static th_status hang_deaf(th_call *call, th_str in, void *user)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (int s = 1; s < 32; s++)
        signal(s, SIG_IGN);
    return hang(call, in, user);
}

static th_status fork_return(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    fork();
    return output(call, "{\"forked\":true}");
}

/* A grandchild in a session of its own, which sleeps; then a hang. Its name marks it for the test.
 */
static th_status daemonise(th_call *call, th_str in, void *user)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            close(1);
            close(2);
            sleep_ms(60000);
        }
        _exit(0);
    }
    return number(in, "return", 0) ? TH_OK : hang(call, in, user);
}

static th_status fork_bomb(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    int made = 0;
    char json[48];
    while (made < 200) {
        pid_t pid = fork();
        if (pid < 0)
            break;
        if (pid == 0) {
            sleep_ms(60000);
            _exit(0);
        }
        made++;
    }
    snprintf(json, sizeof json, "{\"made\":%d}", made);
    return output(call, json);
}

static th_status print(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    static const char lie[] = "{\"ok\":true}\ntoolhost: error: \x1b[2Jlie\rlie\n";
    ssize_t written = write(1, lie, sizeof lie - 1);
    (void)written;
    return output(call, "{}");
}

static th_status print_2mb(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    char line[128];
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\n';
    for (int i = 0; i < 16384; i++)
        if (write(i % 2 + 1, line, sizeof line) < 0)
            return TH_TOOL_ERROR;
    return output(call, "{}");
}

static th_status out_2mb(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    size_t len = 2097152;
    char *json = host->alloc(call, len);
    memset(json, '1', len);
    host->set_output(call, json, len);
    return TH_OK;
}

/* A megabyte, and one byte more; then what `then` says. */
static th_status append_too_much(th_call *call, th_str in, void *user)
{
    (void)user;
    char then[16];
    size_t most = 1048576;
    char *text = host->alloc(call, most);
    string(in, "then", then, sizeof then);
    memset(text, ' ', most);
    th_rc first = host->append_output(call, text, most), more = host->append_output(call, "1", 1);
    if (first != TH_RC_OK || more != TH_RC_LIMIT || host->set_output(call, text, most + 1) != more)
        return error(call, "another answer was expected");
    if (strcmp(then, "set") == 0)
        return output(call, "[\"small\"]");
    if (strcmp(then, "append") == 0)
        host->append_output(call, "", 0);
    return strcmp(then, "fail") == 0 ? error(call, "as asked") : TH_OK;
}

static th_status bad_json(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    return output(call, "{not json");
}

static th_status bad_utf8(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    return output(call, "\"\xff\xfe\"");
}

static th_status bad_error(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    char *z = host->alloc(call, 10001);
    memset(z, 'e', 10000);
    z[0] = '\xff';
    return error(call, z);
}

static th_status close_fds(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
    return output(call, "{}");
}

static th_status forge(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    char noise[512];
    ssize_t rc = getrandom(noise, sizeof noise, 0);
    for (int fd = 0; fd < 64; fd++)
        rc = write(fd, noise, sizeof noise);
    (void)rc;
    return output(call, "{}");
}

static th_status read_stdin(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    char c, json[32];
    snprintf(json, sizeof json, "{\"read\":%d}", (int)read(0, &c, 1));
    return output(call, json);
}

static th_status out_of_memory(th_call *call, th_str in, void *user)
{
    (void)call;
    (void)in;
    (void)user;
    while (zero == 0) {
        char *p = malloc(16 << 20);
        *(volatile char *)p = 1;
    }
    return TH_OK;
}

static int deeper(volatile char *above)
{
    volatile char here[4096];
    here[0] = *above;
    return zero ? 0 : deeper(here) + here[0];
}

static th_status stack(th_call *call, th_str in, void *user)
{
    (void)call;
    (void)in;
    (void)user;
    volatile char c = 1;
    return (th_status)deeper(&c);
}

static th_status big_file(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    char block[65536] = { 0 }, path[] = "/tmp/toolhost-test-XXXXXX", json[64];
    int fd = mkstemp(path), failed = 0;
    unlink(path);
    for (int i = 0; i < 320 && !failed; i++)
        if (write(fd, block, sizeof block) < 0)
            failed = errno;
    close(fd);
    snprintf(json, sizeof json, "{\"efbig\":%s}", failed == EFBIG ? "true" : "false");
    return output(call, json);
}

static th_status change_dir(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    umask(0);
    return chdir("/") == 0 ? output(call, "{}") : TH_TOOL_ERROR;
}

static th_status kill_parent(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    kill(getppid(), SIGCHLD); /* a harmless one: killing it is not ours to prevent here */
    return output(call, "{}");
}

extern char **environ;

static th_status environment(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    host->append_output(call, "[", 1);
    for (char **e = environ; *e; e++) {
        char json[512];
        int n = snprintf(json, sizeof json, "%s\"%.*s\"", e == environ ? "" : ",",
                         (int)strcspn(*e, "="), *e);
        host->append_output(call, json, (size_t)n);
    }
    host->append_output(call, "]", 1);
    return TH_OK;
}

/* Can the parent's memory, environment and descriptors be read? */
static th_status spy(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    static const char *const parts[] = { "mem", "environ", "fd" };
    char path[64];
    int open_parts = 0;
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "/proc/%d/%s", (int)getppid(), parts[i]);
        int fd = open(path, O_RDONLY);
        open_parts += fd >= 0;
        if (fd >= 0)
            close(fd);
    }
    return output(call, open_parts ? "{\"readable\":true}" : "{\"readable\":false}");
}

static bool is_token(const char *at, size_t len)
{
    static const char masked[] = "mfbtf`"; /* "lease_", one off, so as not to find ourselves */
    if (len < 38)
        return false;
    for (size_t i = 0; i < 6; i++)
        if (at[i] != masked[i] - 1)
            return false;
    for (size_t i = 6; i < 38; i++)
        if (!strchr("0123456789abcdef", at[i]) || !at[i])
            return false;
    return true;
}

/* Lease tokens in the process's own memory. */
static th_status scan(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    char line[512], json[48];
    int tokens = 0, memory_fd = open("/proc/self/mem", O_RDONLY);
    FILE *maps = fopen("/proc/self/maps", "r");
    const size_t cap = 1 << 20;
    char *copy = malloc(cap);
    while (maps && memory_fd >= 0 && copy && fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        char mode[8];
        if (sscanf(line, "%lx-%lx %7s", &from, &to, mode) != 3 || mode[0] != 'r')
            continue;
        for (unsigned long at = from; at < to; at += cap - 64) {
            size_t want = to - at < cap ? to - at : cap;
            ssize_t n = (char *)at == copy ? 0 : pread(memory_fd, copy, want, (off_t)at);
            for (ssize_t i = 0; i < n; i++)
                if (copy[i] == 'l')
                    tokens += is_token(copy + i, (size_t)(n - i));
        }
    }
    if (maps)
        fclose(maps);
    close(memory_fd);
    free(copy);
    snprintf(json, sizeof json, "{\"tokens\":%d}", tokens);
    return output(call, json);
}

/* The descriptors it holds, as a list. */
static th_status descriptors(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    char json[256];
    size_t at = 0;
    json[at++] = '[';
    for (int fd = 0; fd < 64; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            at += (size_t)snprintf(json + at, sizeof json - at, "%s%d", at > 1 ? "," : "", fd);
    snprintf(json + at, sizeof json - at, "]");
    return output(call, json);
}

/* Speaks when nobody has asked: a child writes into the worker's socket after the call. */
static th_status speak_later(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    if (fork() == 0) {
        sleep_ms(100);
        ssize_t rc = write(3, "nonsense", 8);
        _exit(rc == 8 ? 0 : 1);
    }
    return output(call, "{}");
}

static th_status late(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    while (!host->cancelled(call))
        sleep_ms(5);
    sleep_ms(100);
    return output(call, "{\"late\":true}");
}

/* Keeps what init was given, and registers a tool with it in the middle of a call. */
static th_reg *kept;

static th_status register_late(th_call *call, th_str in, void *user)
{
    static const char *const no_effects[] = { "none", NULL };
    const th_tool tool = { .struct_size = sizeof tool,
                           .aid = "AID.HOSTILE.AFTERWARDS.v1",
                           .name = "afterwards",
                           .side_effects = no_effects,
                           .min_tier = -1,
                           .fn = hang };
    char json[32];
    (void)in;
    (void)user;
    host->init_error(kept, "too late", 8);
    snprintf(json, sizeof json, "{\"rc\":%d}", (int)host->register_tool(kept, &tool));
    return output(call, json);
}

/* Looks at the clock by itself, and gives up at the very end of its time. */
static th_status punctual(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    while (host->remaining_ms(call) > 0) {
    }
    return error(call, "no time left");
}

/* The functions that any thread may call, from another thread (T-ABI-13). */
static void *ask_host(void *call)
{
    for (int i = 0; i < 100; i++) {
        if (host->cancelled(call) || host->remaining_ms(call) <= 0)
            return call;
        host->progress(call, i, "from a thread", 13);
        if (i % 50 == 0)
            host->log(call, 2, "from a thread", 13);
    }
    return NULL;
}

/* Four threads and a child at once. */
static th_status threads_and_a_child(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    pthread_t threads[4];
    int status = -1, failed = 0;
    for (int i = 0; i < 4; i++)
        if (pthread_create(&threads[i], NULL, ask_host, call) != 0)
            return error(call, "no thread");
    pid_t pid = fork();
    if (pid == 0)
        _exit(7);
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        failed += result != NULL;
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != 7)
        return error(call, "no child");
    return failed ? error(call, "told to stop") : output(call, "{}");
}

static const struct {
    const char *aid, *name;
    th_tool_fn fn;
} tools[] = {
    { "AID.HOSTILE.THREADS.v1", "threads", threads_and_a_child },
    { "AID.HOSTILE.SEGV.v1", "segv", segv },
    { "AID.HOSTILE.ABORT.v1", "abort", aborts },
    { "AID.HOSTILE.EXIT.v1", "exit", exits },
    { "AID.HOSTILE.HANG.v1", "hang", hang },
    { "AID.HOSTILE.HANG_SIG.v1", "hang_sig", hang_deaf },
    { "AID.HOSTILE.FORK_RETURN.v1", "fork_return", fork_return },
    { "AID.HOSTILE.DAEMON.v1", "daemon", daemonise },
    { "AID.HOSTILE.FORKBOMB.v1", "forkbomb", fork_bomb },
    { "AID.HOSTILE.PRINT.v1", "print", print },
    { "AID.HOSTILE.PRINT_2MB.v1", "print_2mb", print_2mb },
    { "AID.HOSTILE.OUT_2MB.v1", "out_2mb", out_2mb },
    { "AID.HOSTILE.APPEND_TOO_MUCH.v1", "append_too_much", append_too_much },
    { "AID.HOSTILE.BADJSON.v1", "badjson", bad_json },
    { "AID.HOSTILE.BADUTF8.v1", "badutf8", bad_utf8 },
    { "AID.HOSTILE.BADERR.v1", "baderr", bad_error },
    { "AID.HOSTILE.CLOSEFDS.v1", "closefds", close_fds },
    { "AID.HOSTILE.FORGE.v1", "forge", forge },
    { "AID.HOSTILE.READSTDIN.v1", "readstdin", read_stdin },
    { "AID.HOSTILE.OOM.v1", "oom", out_of_memory },
    { "AID.HOSTILE.STACK.v1", "stack", stack },
    { "AID.HOSTILE.BIGFILE.v1", "bigfile", big_file },
    { "AID.HOSTILE.CHDIR.v1", "chdir", change_dir },
    { "AID.HOSTILE.KILLPARENT.v1", "killparent", kill_parent },
    { "AID.HOSTILE.ENV.v1", "env", environment },
    { "AID.HOSTILE.SPY.v1", "spy", spy },
    { "AID.HOSTILE.FDS.v1", "fds", descriptors },
    { "AID.HOSTILE.SCAN.v1", "scan", scan },
    { "AID.HOSTILE.SPEAK_LATER.v1", "speak_later", speak_later },
    { "AID.HOSTILE.LATE.v1", "late", late },
    { "AID.HOSTILE.PUNCTUAL.v1", "punctual", punctual },
    { "AID.HOSTILE.REGISTER_LATE.v1", "register_late", register_late },
};

uint32_t toolhost_plugin_abi(void)
{
    return TH_ABI_VERSION;
}

int toolhost_plugin_init(const th_host *h, th_reg *reg)
{
    kept = reg;
    if (offer_ok_tools(h, reg) != 0)
        return 1;
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (offer(reg, tools[i].aid, tools[i].name, tools[i].fn, none) != TH_RC_OK)
            return 1;
    return 0;
}
