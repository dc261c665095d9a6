/* Fixture: a plugin that tries to get out, one way per word of `what`, and says what came of it:
 * {"errno": 0} if it worked. What it asks for is named by MACHINA_TOOL_CAPS, a number, and from the
 * second time on that it is loaded by MACHINA_TOOL_CAPS_LATER, if that is set. */
#include "../ok/ok_tools.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

static int made_at_load = -1; /* errno of a socket that the constructor asked for */

static int of(long rc)
{
    return rc < 0 ? errno : 0;
}

/* A file in the private folder, a line for each time that the plugin was loaded; NULL: none. */
static FILE *notes(const char *mode)
{
    char path[512];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/loads", folder ? folder : "/nonexistent");
    return fopen(path, mode);
}

/* What the constructor can do to whoever started its process: who that is differs with each load.
 */
static void note_load(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid());
    int signalled = of(kill(getppid(), SIGKILL)), opened = of(open(path, O_RDWR | O_CLOEXEC));
    int socket_there = of(fcntl(3, F_GETFD)), page_there = of(fcntl(5, F_GETFD));
    FILE *f = notes("ae");
    if (!f)
        return;
    fprintf(f, "socket %d kill %d mem %d fds %d %d;", made_at_load, signalled, opened, socket_there,
            page_there);
    fclose(f);
}

__attribute__((constructor)) static void at_load(void)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    made_at_load = fd < 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    if (getenv("MACHINA_TOOL_NOTES"))
        note_load();
}

static void read_notes(char *text, size_t cap)
{
    FILE *f = notes("re");
    text[f ? fread(text, 1, cap - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
}

/* Are the notes what is expected? EIO: they are others, which standard error has. */
static int loaded(const char *expected)
{
    char text[512] = "";
    read_notes(text, sizeof text);
    if (strcmp(text, expected) == 0)
        return 0;
    fprintf(stderr, "notes: %s\n", text);
    return EIO;
}

static int crash(const char *unused)
{
    (void)unused;
    return raise(SIGSEGV);
}

static int read_path(const char *path)
{
    char c;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int rc = fd < 0 ? errno : of(read(fd, &c, 1));
    if (fd >= 0)
        close(fd);
    return rc;
}

static int write_path(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    int rc = fd < 0 ? errno : of(write(fd, "x", 1));
    if (fd >= 0)
        close(fd);
    return rc;
}

static int read_host(const char *part)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)getppid(), part);
    return of(open(path, O_RDONLY | O_CLOEXEC));
}

static int make_socket(const char *unused)
{
    (void)unused;
    return of(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

static int run(const char *path)
{
    int status;
    pid_t pid = fork();
    if (pid < 0)
        return errno;
    if (pid == 0) {
        execl(path, path, (char *)NULL);
        _exit(errno);
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 200;
}

static int become(const char *path)
{
    return of(execl(path, path, (char *)NULL));
}

static int signal_host(const char *number_of)
{
    return of(kill(getppid(), atoi(number_of)));
}

static int signal_group(const char *number_of)
{
    return of(kill(-getpgid(getppid()), atoi(number_of)));
}

static int trace_host(const char *unused)
{
    (void)unused;
    return of(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL));
}

static int trace(const char *pid)
{
    return of(ptrace(PTRACE_ATTACH, (pid_t)atoi(pid), NULL, NULL));
}

static int signal_it(const char *pid)
{
    return of(kill((pid_t)atoi(pid), SIGTERM));
}

static int limit_host(const char *unused)
{
    struct rlimit nothing = { 0, 0 };
    (void)unused;
    return of(prlimit(getppid(), RLIMIT_CPU, &nothing, NULL));
}

static int executable(const char *unused)
{
    (void)unused;
    void *p =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? errno : 0;
}

static void *end_thread(void *context)
{
    pthread_exit(context);
}

static int thread(const char *unused)
{
    pthread_t t;
    (void)unused;
    int rc = pthread_create(&t, NULL, end_thread, NULL);
    return rc ? rc : pthread_join(t, NULL);
}

static int private_folder(const char *unused)
{
    char path[512];
    (void)unused;
    snprintf(path, sizeof path, "%s/file", getenv("TMPDIR"));
    int rc = write_path(path);
    return rc ? rc : read_path(path);
}

static int leak(const char *count)
{
    for (int i = atoi(count); i > 0; i--)
        if (dup(1) < 0)
            return errno;
    return 0;
}

static int outlive(const char *unused)
{
    (void)unused;
    return of(prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0));
}

static int at_load_errno(const char *unused)
{
    (void)unused;
    return made_at_load;
}

/* Deaf to the soft limit. */
static int burn(const char *unused)
{
    (void)unused;
    signal(SIGXCPU, SIG_IGN);
    for (volatile unsigned long i = 0;; i++) {
    }
    return 0;
}

static int stop_self(const char *unused)
{
    (void)unused;
    return of(raise(SIGSTOP));
}

/* A child that detaches itself in every way there is, and lives. It is called after the host, so
 * that a test finds its own: the same test may run beside. */
static int daemonise(const char *unused)
{
    char name[16];
    (void)unused;
    snprintf(name, sizeof name, "captive-%d", (int)getppid());
    pid_t pid = fork();
    if (pid < 0)
        return errno;
    if (pid == 0) {
        setsid();
        for (int s = 1; s < 32; s++)
            signal(s, SIG_IGN);
        if (fork() == 0) {
            for (int fd = 0; fd < 64; fd++)
                close(fd);
            setsid();
            prctl(PR_SET_NAME, name, 0, 0, 0);
            sleep_ms(60000);
        }
        _exit(0);
    }
    waitpid(pid, NULL, 0);
    return 0;
}

static pid_t helper;

/* 0: it lives already. Else it is started, and kept: "tree" with what it starts. */
static int keep_helper(const char *how)
{
    const th_processes_v1 *processes = host->extension(host, "processes.v1");
    const bool tree = strcmp(how, "tree") == 0;
    if (helper && kill(helper, 0) == 0)
        return 0;
    helper = fork();
    if (helper < 0)
        return errno;
    if (helper == 0) {
        if (fork() == 0)
            sleep_ms(60000); /* what it starts */
        sleep_ms(60000);
        _exit(0);
    }
    if (!processes || !TH_HAS(processes, keep_tree))
        return 202;
    return (tree ? processes->keep_tree : processes->keep)(helper) == TH_RC_OK ? 201 : 202;
}

static int swallow_memory(const char *unused)
{
    (void)unused;
    for (size_t mb = 0; mb < 4096; mb += 16) {
        char *p = malloc(16 << 20);
        if (!p)
            return ENOMEM;
        memset(p, 1, 16 << 20);
    }
    return 0;
}

static int breed(const char *count)
{
    for (int i = atoi(count); i > 0; i--) {
        pid_t pid = fork();
        if (pid < 0)
            return errno;
        if (pid == 0)
            for (;;)
                sleep_ms(60000);
    }
    return 0;
}

/* Chains of processes, each of which starts the next one and ends: no list of them is true for
 * long. They end by themselves after a while, should nobody end them. "20 /path": so long the call
 * takes; and a file that the chains hold a lock on, so that it can be told whether one is left. */
static int hop(const char *seconds)
{
    const char *path = strchr(seconds, ' ');
    int fd = path ? open(path + 1, O_WRONLY | O_CLOEXEC) : -1;
    if (path && (fd < 0 || flock(fd, LOCK_SH) != 0))
        return errno;
    for (int chain = 0; chain < 4; chain++) {
        pid_t pid = fork();
        if (pid < 0)
            return errno;
        if (pid > 0)
            continue;
        time_t until = time(NULL) + 20;
        prctl(PR_SET_NAME, "captive-hop", 0, 0, 0);
        signal(SIGCHLD, SIG_IGN);
        setsid();
        while (time(NULL) < until)
            if (fork() > 0)
                _exit(0);
        _exit(0);
    }
    if (fd >= 0)
        close(fd);
    sleep_ms(atoi(seconds) * 1000);
    return 0;
}

/* ---- ends and answers ------------------------------------------------------------------------ */

static int fine(const char *unused)
{
    (void)unused;
    return 0;
}

static int segv(const char *unused)
{
    (void)unused;
    return raise(SIGSEGV);
}

static int aborts(const char *unused)
{
    (void)unused;
    abort();
}

static int exits(const char *code)
{
    _exit(atoi(code));
}

static int deaf(const char *unused)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (int s = 1; s < 32; s++)
        signal(s, SIG_IGN);
    return burn(unused);
}

/* It does not ask whether it was cancelled. */
static int late(const char *unused)
{
    (void)unused;
    sleep_ms(1500);
    return 0;
}

static int flood(const char *fd)
{
    char line[4096];
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\n';
    for (int i = 0; i < 2000; i++)
        if (write(atoi(fd), line, sizeof line) < 0)
            return errno;
    return 0;
}

static int close_all(const char *unused)
{
    (void)unused;
    for (int fd = 0; fd < 64; fd++)
        close(fd);
    return 0;
}

/* Results of calls that it was not asked for, in the form of toolhost/frame.h. */
static int answer_others(const char *count_of)
{
    struct {
        uint32_t len, type, number[2], rest[12];
    } frames[16] = { { 0 } };
    size_t count = (size_t)atoi(count_of);
    for (size_t i = 0; i < 16; i++) {
        frames[i].len = sizeof *frames - sizeof frames[i].len;
        frames[i].type = 6;
        frames[i].number[0] = count > 1 ? (uint32_t)i : UINT32_MAX;
    }
    return of(write(3, frames, count * sizeof *frames));
}

static const struct {
    const char *what;
    int (*attempt)(const char *argument);
} attempts[] = {
    { "read", read_path },
    { "write", write_path },
    { "read_host", read_host },
    { "socket", make_socket },
    { "run", run },
    { "become", become },
    { "signal_host", signal_host },
    { "signal_group", signal_group },
    { "trace_host", trace_host },
    { "limit_host", limit_host },
    { "executable", executable },
    { "thread", thread },
    { "private", private_folder },
    { "leak", leak },
    { "outlive", outlive },
    { "at_load", at_load_errno },
    { "loaded", loaded },
    { "crash", crash },
    { "burn", burn },
    { "stop_self", stop_self },
    { "daemonise", daemonise },
    { "keep", keep_helper },
    { "memory", swallow_memory },
    { "breed", breed },
    { "hop", hop },
    { "trace", trace },
    { "signal", signal_it },
    { "fine", fine },
    { "segv", segv },
    { "abort", aborts },
    { "exit", exits },
    { "deaf", deaf },
    { "late", late },
    { "flood", flood },
    { "close", close_all },
    { "answer_others", answer_others },
};

static th_status try(th_call *call, th_str in, void *user)
{
    char what[64], argument[512], json[64];
    (void)user;
    string(in, "what", what, sizeof what);
    string(in, "argument", argument, sizeof argument);
    if (strcmp(what, "say") == 0)
        return output(call, argument);
    if (strcmp(what, "bad_utf8") == 0)
        return output(call, "{\"a\":\"\xff\"}");
    if (strcmp(what, "nul") == 0)
        return host->set_output(call, "{\"a\":\"\0\"}", 9) == TH_RC_OK ? TH_OK : TH_TOOL_ERROR;
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++)
        if (strcmp(what, attempts[i].what) == 0) {
            snprintf(json, sizeof json, "{\"errno\":%d}", attempts[i].attempt(argument));
            return output(call, json);
        }
    return error(call, "no such attempt");
}

uint32_t toolhost_plugin_abi(void)
{
    return TH_ABI_VERSION;
}

uint32_t toolhost_plugin_caps(void)
{
    const char *caps = getenv("MACHINA_TOOL_CAPS"), *later = getenv("MACHINA_TOOL_CAPS_LATER");
    char text[512] = "";
    read_notes(text, sizeof text);
    const char *first = strchr(text, ';');
    if (later && first && strchr(first + 1, ';'))
        caps = later;
    return caps ? (uint32_t)strtoul(caps, NULL, 0) : 0;
}

int toolhost_plugin_init(const th_host *h, th_reg *reg)
{
    return offer_ok_tools(h, reg) || offer(reg, "AID.CAPTIVE.TRY.v1", "try", try, none);
}
