/* What the filter and Landlock let a confined process do, call by call, as root and as an ordinary
 * user: T-ISO-8, T-ISO-10 to T-ISO-12. An attempt that should fail is also made where it should
 * succeed, or it would fail for another reason and prove nothing. */
#include "confine/confined.h"

#include "base/alloc.h"
#include "confine/confine_int.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <utime.h>

static char folder[64], secret[96], granted[96]; /* a folder and files of everybody */
static pid_t bystander, bystanders[2]; /* a process of the user who attempts; of root, of nobody */

static int make_file(const char *path, const char *content, mode_t mode)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    ssize_t n = write(fd, content, strlen(content));
    fchmod(fd, mode);
    return close(fd) | (n < 0);
}

/* ---- attempts ----------------------------------------------------------------------------- */

static int read_file(void *path)
{
    char c;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? errno : outcome(read(fd, &c, 1));
}

static int list_folder(void *path)
{
    return outcome(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

static int write_file(void *path)
{
    return outcome(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

static int trim_file(void *path)
{
    return outcome(truncate(path, 1));
}

static int trim_by_reading(void *path)
{
    return outcome(open(path, O_RDONLY | O_TRUNC | O_CLOEXEC));
}

static int remove_file(void *path)
{
    return outcome(unlink(path));
}

static int change_mode(void *path)
{
    return outcome(chmod(path, 0644));
}

static int change_times(void *path)
{
    return outcome(utime(path, NULL));
}

static int socket_of(void *family)
{
    return outcome(socket(*(int *)family, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

static int any_pair(void *type)
{
    int pair[2];
    return outcome(socketpair(AF_UNIX, *(int *)type | SOCK_CLOEXEC, 0, pair));
}

static int run_program(void *path)
{
    char *argv[] = { path, NULL }, *env[] = { NULL };
    pid_t pid = fork();
    int status;
    if (pid < 0)
        return errno;
    if (pid == 0) {
        execve(path, argv, env);
        _exit(errno);
    }
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) ? 200 : WEXITSTATUS(status);
}

static int become_program(void *path)
{
    char *argv[] = { path, NULL }, *env[] = { NULL };
    return outcome(execve(path, argv, env));
}

static void *nothing(void *context)
{
    return context;
}

static int make_thread(void *context)
{
    pthread_t thread;
    (void)context;
    int rc = pthread_create(&thread, NULL, nothing, NULL);
    return rc ? rc : pthread_join(thread, NULL);
}

static int signal_parent(void *context)
{
    (void)context;
    return outcome(kill(getppid(), 0));
}

static int signal_bystander(void *context)
{
    (void)context;
    return outcome(kill(bystander, SIGCONT));
}

static int signal_all(void *context)
{
    (void)context;
    return outcome(kill(-1, SIGCONT));
}

static int signal_self(void *context)
{
    (void)context;
    return outcome(kill(getpid(), 0));
}

static int signal_child(void *context)
{
    (void)context;
    pid_t pid = fork();
    if (pid < 0)
        return errno;
    if (pid == 0) {
        pause();
        _exit(0);
    }
    int rc = outcome(kill(pid, SIGKILL));
    waitpid(pid, NULL, 0);
    return rc;
}

static int signal_by_descriptor(void *context)
{
    int pair[2];
    (void)context;
    if (pipe(pair) != 0)
        return errno;
    return outcome(fcntl(pair[0], F_SETOWN, bystander));
}

/* Whoever opens the file waits for the lease to be broken, 45 s by default. */
static int lease_file(void *context)
{
    char path[] = "/tmp/confine-lease-XXXXXX";
    int made = mkstemp(path), fd = made < 0 ? memfd_create("leased", 0) : open(path, O_RDONLY);
    (void)context;
    if (made >= 0) {
        unlink(path);
        close(made);
    }
    return fd < 0 ? errno : outcome(fcntl(fd, 1024 /* F_SETLEASE */, F_RDLCK));
}

static int limit_bystander(void *context)
{
    struct rlimit limit = { 1, 1 };
    (void)context;
    return outcome(syscall(SYS_prlimit64, bystander, RLIMIT_CPU, NULL, &limit));
}

static int slow_bystander(void *context)
{
    const struct sched_param none = { 0 };
    (void)context;
    return outcome(sched_setscheduler(bystander, SCHED_BATCH, &none));
}

static int nice_bystander(void *context)
{
    (void)context;
    return outcome(setpriority(PRIO_PROCESS, (id_t)bystander, 10));
}

static int limit_self(void *context)
{
    struct rlimit limit;
    (void)context;
    return outcome(getrlimit(RLIMIT_NOFILE, &limit)) | outcome(setrlimit(RLIMIT_NOFILE, &limit));
}

static int trace_bystander(void *context)
{
    (void)context;
    return outcome(ptrace(PTRACE_ATTACH, bystander, NULL, NULL));
}

static int read_memory(void *context)
{
    char byte;
    struct iovec local = { &byte, 1 }, remote = { &bystander, 1 };
    (void)context;
    return outcome(process_vm_readv(bystander, &local, 1, &remote, 1, 0));
}

static int read_process(void *part)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)bystander, (const char *)part);
    return outcome(open(path, O_RDONLY | O_CLOEXEC));
}

static int mount_something(void *context)
{
    (void)context;
    return outcome(mount("none", "/tmp", "tmpfs", 0, NULL));
}

static int new_namespace(void *context)
{
    (void)context;
    return outcome(unshare(CLONE_NEWUSER));
}

static int child_namespace(void *context)
{
    (void)context;
    return outcome(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL));
}

static int load_bpf(void *context)
{
    (void)context;
    return outcome(syscall(SYS_bpf, 0, NULL, 0));
}

static int young_clone(void *context)
{
    (void)context;
    return outcome(syscall(SYS_clone3, NULL, 0));
}

static int number_of_the_future(void *context)
{
    (void)context;
    return outcome(syscall(600));
}

static int make_ring(void *context)
{
    (void)context;
    return outcome(syscall(SYS_io_uring_setup, 1, NULL));
}

static int shared_memory(void *context)
{
    (void)context;
    int id = shmget(IPC_PRIVATE, 4096, 0600);
    if (id >= 0)
        shmctl(id, IPC_RMID, NULL);
    return outcome(id);
}

static int executable_memory(void *context)
{
    (void)context;
    void *p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? errno : DONE;
}

static int turn_executable(void *context)
{
    (void)context;
    void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? ENOMEM : outcome(mprotect(p, 4096, PROT_READ | PROT_EXEC));
}

static int outlive_parent(void *context)
{
    (void)context;
    return outcome(prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0));
}

/* ---- the table ---------------------------------------------------------------------------- */

static int inet = AF_INET, local = AF_UNIX, packet = AF_PACKET, raw_netlink = AF_NETLINK;
static int stream = SOCK_STREAM, datagram = SOCK_DGRAM;
static char true_program[] = "/bin/true", root_folder[] = "/", usr_folder[] = "/usr/lib";
static char environ_part[] = "environ", mem_part[] = "mem", fd_part[] = "fd", maps_part[] = "maps";
static char cmdline_part[] = "cmdline", zoneinfo[] = "/etc/ld.so.cache",
            null_device[] = "/dev/null";
static char own_environ[] = "/proc/self/environ";

#define KILLED (SIGNALLED + SIGSYS)
#define NET    CONFINE_NETWORK
#define SPAWN  CONFINE_SPAWN
#define RD     CONFINE_READ
#define WR     CONFINE_WRITE

static const struct {
    const char *label;
    unsigned may;
    attempt_fn *attempt;
    void *context;
    int want, or_else; /* two answers are right: the filter's and an older layer's; 0: one */
} table[] = {
    /* files */
    { "a file that was not granted", 0, read_file, secret, EACCES, 0 },
    { "a file that was granted", 0, read_file, granted, DONE, 0 },
    { "a file, with read", RD, read_file, secret, EACCES, 0 }, /* `granted` is listed: it alone */
    { "the root", 0, list_folder, root_folder, EACCES, 0 },
    { "what the loader needs", 0, read_file, zoneinfo, DONE, 0 },
    { "libraries", 0, list_folder, usr_folder, DONE, 0 },
    { "writing nowhere", 0, write_file, null_device, DONE, 0 },
    { "writing what is readable", 0, write_file, granted, EACCES, 0 },
    { "truncating what is readable", 0, trim_file, granted, EACCES, 0 },
    { "truncating by reading", 0, trim_by_reading, granted, EACCES, 0 },
    { "removing what is readable", 0, remove_file, granted, EACCES, 0 },
    { "the mode of a readable file", 0, change_mode, granted, EPERM, 0 },
    { "the times of a readable file", 0, change_times, granted, EPERM, 0 },
    { "the mode, with write", WR, change_mode, granted, DONE, 0 },
    /* other processes */
    { "environ", RD, read_process, environ_part, EACCES, 0 },
    { "memory", RD | SPAWN, read_process, mem_part, EACCES, 0 },
    { "descriptors", RD | SPAWN, read_process, fd_part, EACCES, 0 },
    { "maps", RD | SPAWN, read_process, maps_part, EACCES, 0 },
    { "its command line", RD | SPAWN, read_process, cmdline_part, EACCES, 0 },
    { "its own environ", RD, read_file, own_environ, EACCES, 0 },
    { "tracing", 0, trace_bystander, NULL, KILLED, 0 },
    { "tracing, with spawn", SPAWN, trace_bystander, NULL, KILLED, 0 },
    { "reading memory", SPAWN, read_memory, NULL, KILLED, 0 },
    { "a signal to the parent", 0, signal_parent, NULL, EPERM, 0 },
    { "a signal to the parent, with spawn", SPAWN, signal_parent, NULL, EPERM, 0 },
    { "a signal to another process", 0, signal_bystander, NULL, EPERM, 0 },
    { "a signal to another process, with spawn", SPAWN, signal_bystander, NULL, EPERM, 0 },
    { "a signal to all", 0, signal_all, NULL, EPERM, 0 },
    { "a signal to itself", 0, signal_self, NULL, DONE, 0 },
    { "a signal to its child", SPAWN, signal_child, NULL, DONE, 0 },
    { "a signal by a descriptor", SPAWN, signal_by_descriptor, NULL, EPERM, 0 },
    { "a lease that whoever opens the file waits for", SPAWN, lease_file, NULL, EPERM, 0 },
    { "limits of another process", SPAWN, limit_bystander, NULL, EPERM, 0 },
    { "its own limits", 0, limit_self, NULL, DONE, 0 },
    { "the schedule of another process", SPAWN, slow_bystander, NULL, EPERM, 0 },
    { "the priority of another process", SPAWN, nice_bystander, NULL, EPERM, 0 },
    { "outliving its parent", 0, outlive_parent, NULL, EPERM, 0 },
    /* sockets */
    { "an internet socket", 0, socket_of, &inet, EPERM, 0 },
    { "an internet socket, with spawn", SPAWN, socket_of, &inet, EPERM, 0 },
    { "an internet socket, with network", NET, socket_of, &inet, DONE, 0 }, /* C-218 */
    { "a local socket", 0, socket_of, &local, EPERM, 0 },
    { "a local socket, with network", NET, socket_of, &local, EPERM, 0 },
    { "a local socket, allowed", NET | CONFINE_LOCAL_SOCKETS, socket_of, &local, DONE, 0 },
    { "a packet socket", NET, socket_of, &packet, EPERM, 0 },
    { "a stream to the kernel", NET, socket_of, &raw_netlink, ESOCKTNOSUPPORT, 0 },
    { "a pair of streams", 0, any_pair, &stream, DONE, 0 },
    { "a pair of datagram sockets", 0, any_pair, &datagram, EPERM, 0 },
    /* programs and processes */
    { "a program", 0, run_program, true_program, EPERM, 0 },
    { "becoming a program", 0, become_program, true_program, EPERM, 0 },
    { "becoming a program, with network", NET | RD | WR, become_program, true_program, EPERM, 0 },
    { "a program, with spawn", SPAWN, run_program, true_program, DONE, 0 },
    { "a thread", 0, make_thread, NULL, DONE, 0 },
    { "a namespace", SPAWN, new_namespace, NULL, KILLED, 0 },
    { "a namespace for its child", SPAWN, child_namespace, NULL, KILLED, 0 },
    { "a namespace for its child, without spawn", 0, child_namespace, NULL, EPERM, 0 },
    { "a mount", SPAWN, mount_something, NULL, KILLED, 0 },
    { "bpf", 0, load_bpf, NULL, KILLED, 0 },
    { "clone3", 0, young_clone, NULL, ENOSYS, 0 }, /* T-ISO-11 */
    { "a call that nobody knows yet", 0, number_of_the_future, NULL, ENOSYS, 0 },
    { "io_uring", SPAWN | NET, make_ring, NULL, EPERM, 0 },
    { "System V memory", SPAWN, shared_memory, NULL, EPERM, 0 },
    /* code */
    { "executable memory, with spawn", SPAWN, executable_memory, NULL, DONE, 0 },
};

static void check_table(bool as_nobody)
{
    int bad = 0;
    bystander = bystanders[as_nobody];
    if (as_nobody)
        assert_int_equal(chown(granted, NOBODY, NOBODY), 0);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct trial t = {
            .may = table[i].may, .read = { granted }, .write = { NULL }, .as_nobody = as_nobody
        };
        int got = trial_run(&t, table[i].attempt, table[i].context);
        if (got == table[i].want || (table[i].or_else && got == table[i].or_else))
            continue;
        fprintf(stderr, "%s: got %d (%s), expected %d\n", table[i].label, got,
                got < 200 ? strerror(got) : "", table[i].want);
        bad++;
    }
    assert_int_equal(bad, 0);
}

static void test_what_is_not_granted_is_refused(void **state)
{
    (void)state;
    if (!kernel_has(6))
        skip();
    check_table(false);
}

static void test_what_is_not_granted_is_refused_to_an_ordinary_user(void **state)
{
    (void)state;
    if (!kernel_has(6) || getuid() != 0)
        skip();
    check_table(true);
}

/* Without confinement all of it works: what refused above was not something else. */
static void test_what_is_refused_would_work(void **state)
{
    static const struct {
        attempt_fn *attempt;
        void *context;
    } refused[] = {
        { read_file, secret },          { list_folder, root_folder },
        { write_file, granted },        { trim_by_reading, granted },
        { change_mode, granted },       { change_times, granted },
        { read_process, environ_part }, { read_process, mem_part },
        { read_process, fd_part },      { read_process, maps_part },
        { read_process, cmdline_part }, { trace_bystander, NULL },
        { signal_bystander, NULL },     { signal_by_descriptor, NULL },
        { slow_bystander, NULL },       { nice_bystander, NULL },
        { outlive_parent, NULL },       { socket_of, &inet },
        { socket_of, &local },          { any_pair, &datagram },
        { run_program, true_program },  { shared_memory, NULL },
        { executable_memory, NULL },    { turn_executable, NULL },
        { limit_bystander, NULL },      { lease_file, NULL },
    };
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        int status, as_nobody = getuid() == 0;
        bystander = bystanders[as_nobody];
        pid_t pid = fork();
        if (pid == 0) {
            if (as_nobody)
                trial_become_nobody();
            _exit(refused[i].attempt(refused[i].context) & 0xff);
        }
        assert_int_equal(waitpid(pid, &status, 0), pid);
        if (status != 0)
            fail_msg("attempt %zu ends with %#x where nothing is confined", i, (unsigned)status);
        kill(bystander, SIGCONT);
        make_file(granted, "granted", 0666);
    }
}

/* ---- files in more detail ------------------------------------------------------------------- */

static int in_private_folder(void *context)
{
    char path[512], below[520];
    (void)context;
    snprintf(path, sizeof path, "%s/a", folder);
    snprintf(below, sizeof below, "%s/b", path);
    if (mkdir(path, 0700) != 0)
        return errno;
    int rc = write_file(below);
    rc = rc ? rc : trim_file(below);
    rc = rc ? rc : read_file(below);
    rc = rc ? rc : remove_file(below);
    return rc ? rc : outcome(rmdir(path));
}

static void test_the_private_folder_is_its_own(void **state)
{
    (void)state;
    if (!kernel_has(3))
        skip();
    struct trial t = { .private_folder = folder };
    assert_int_equal(trial_run(&t, in_private_folder, NULL), DONE);
    t.private_folder = NULL;
    assert_int_equal(trial_run(&t, in_private_folder, NULL), EACCES);
}

static void test_everywhere_is_everywhere_but_the_machine(void **state)
{
    (void)state;
    static char memory[] = "/proc/1/environ", kernel[] = "/sys/kernel/uevent_helper";
    if (!kernel_has(3))
        skip();
    const struct trial reader = { .may = CONFINE_READ }, writer = { .may = CONFINE_WRITE };
    assert_int_equal(trial_run(&reader, read_file, secret), DONE);
    assert_int_equal(trial_run(&reader, write_file, secret), EACCES);
    assert_int_equal(trial_run(&reader, read_file, memory), EACCES);
    assert_int_equal(trial_run(&writer, write_file, secret), DONE);
    assert_int_equal(trial_run(&writer, write_file, kernel), EACCES);
}

static int follow_link(void *context)
{
    char link[512];
    snprintf(link, sizeof link, "%s/link", folder);
    if (symlink(context, link) != 0)
        return errno;
    int rc = read_file(link);
    unlink(link);
    return rc;
}

static void test_a_link_leads_no_further_than_its_target_was_granted(void **state)
{
    (void)state;
    if (!kernel_has(3))
        skip();
    const struct trial t = { .private_folder = folder };
    assert_int_equal(trial_run(&t, follow_link, secret), EACCES);
}

/* ---- code ----------------------------------------------------------------------------------- */

static void test_no_memory_becomes_executable_after_the_seal(void **state)
{
    (void)state;
    if (!kernel_has(0))
        skip();
    const struct trial open = { 0 }, sealed = { .seal = true };
    const struct trial jit = { .may = CONFINE_MAKE_CODE, .seal = true };
    assert_int_equal(trial_run(&open, executable_memory, NULL), DONE);
    assert_int_equal(trial_run(&open, turn_executable, NULL), DONE);
    assert_int_equal(trial_run(&sealed, executable_memory, NULL), EPERM); /* T-ISO-10 */
    assert_int_equal(trial_run(&sealed, turn_executable, NULL), EPERM);
    assert_int_equal(trial_run(&sealed, make_thread, NULL), DONE);
    assert_int_equal(trial_run(&jit, executable_memory, NULL), DONE);
}

static void test_a_sealed_process_still_starts_programs(void **state)
{
    (void)state;
    if (!kernel_has(0))
        skip();
    const struct trial t = { .may = CONFINE_SPAWN, .seal = true };
    assert_int_equal(trial_run(&t, run_program, true_program), DONE);
}

/* ---- fewer features ------------------------------------------------------------------------- */

static void test_an_old_landlock_is_helped_by_the_filter(void **state)
{
    (void)state;
    if (!kernel_has(1))
        skip();
    const struct confine_features old = { .seccomp = true, .landlock = 2 };
    const struct trial t = { .read = { granted }, .features = &old };
    assert_int_equal(trial_run(&t, trim_by_reading, granted), EACCES);
    assert_int_equal(trial_run(&t, read_file, granted), DONE);
    assert_int_equal(trial_run(&t, read_file, secret), EACCES);
}

static void test_what_a_kernel_lacks_is_told(void **state)
{
    (void)state;
    const struct confine_features all = { .seccomp = true, .landlock = 7 };
    const struct confine_features none = { 0 }, debian_12 = { .seccomp = true, .landlock = 2 };
    assert_int_equal(mgi_confine_lacks(&all, CONFINE_SPAWN | CONFINE_WRITE), 0);
    assert_int_equal(mgi_confine_lacks(&none, 0),
                     CONFINE_LACK_FILTER | CONFINE_LACK_FILES | CONFINE_LACK_SIGNALS);
    assert_int_equal(mgi_confine_lacks(&debian_12, 0), 0);
    assert_int_equal(mgi_confine_lacks(&debian_12, CONFINE_SPAWN), CONFINE_LACK_SIGNALS);
    assert_int_equal(mgi_confine_lacks(&debian_12, CONFINE_WRITE), CONFINE_LACK_DEVICES);
    for (unsigned lack = 1; lack <= CONFINE_LACK_LAST; lack <<= 1)
        assert_non_null(mgi_confine_lack_text((enum confine_lack)lack));
    assert_null(mgi_confine_lack_text((enum confine_lack)(CONFINE_LACK_LAST << 1)));
}

static void test_a_listed_path_that_is_not_there_is_told(void **state)
{
    (void)state;
    const char *const paths[] = { "/nowhere/at/all" }, *const relative[] = { "here" };
    const struct confine_features f = { .landlock = 1 };
    struct confinement c = { .read = paths, .read_count = 1 };
    struct confine_plan plan;
    struct arena arena;
    if (!kernel_has(1))
        skip();
    mgi_arena_init(&arena, 0);
    assert_string_equal(mgi_confine_plan_init(&plan, &c, &f, &arena),
                        "cannot open \"/nowhere/at/all\", which is to be readable: "
                        "No such file or directory");
    mgi_confine_plan_fini(&plan);
    c = (struct confinement){ .write = relative, .write_count = 1 };
    assert_string_equal(mgi_confine_plan_init(&plan, &c, &f, &arena),
                        "cannot open \"here\", which is to be writable: not an absolute path");
    mgi_confine_plan_fini(&plan);
    mgi_arena_fini(&arena);
}

/* ---- the surroundings ----------------------------------------------------------------------- */

static int make_surroundings(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/confine-test-%d", (int)getpid());
    snprintf(secret, sizeof secret, "%s.secret", folder);
    snprintf(granted, sizeof granted, "%s.granted", folder);
    for (size_t i = 0; i < 2; i++) {
        bystanders[i] = fork();
        if (bystanders[i] != 0)
            continue;
        if (i == 1 && getuid() == 0)
            trial_become_nobody();
        prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* changing the user has made it less open */
        for (;;)
            pause();
    }
    bystander = bystanders[0];
    return mkdir(folder, 0777) | chmod(folder, 0777) | make_file(secret, "secret", 0666) |
           make_file(granted, "granted", 0666);
}

/* ---- plans within plans ------------------------------------------------------------------- */

#ifndef CONFINE_ARCH /* such a machine has no filter, and its programs do not ask */
#define CONFINE_ARCH 0
#endif

/* What a list of calls says of `number`: its few instructions, carried out. */
static uint32_t verdict_on(const struct sock_filter *code, uint16_t len, uint32_t number)
{
    uint32_t loaded = 0;
    for (size_t at = 0; at < len; at++) {
        const struct sock_filter *c = &code[at];
        switch (c->code) {
        case BPF_LD | BPF_W | BPF_ABS:
            loaded = c->k == offsetof(struct seccomp_data, nr) ? number : CONFINE_ARCH;
            break;
        case BPF_JMP | BPF_JEQ | BPF_K:
            at += loaded == c->k ? c->jt : c->jf;
            break;
        case BPF_JMP | BPF_JGE | BPF_K:
            at += loaded >= c->k ? c->jt : c->jf;
            break;
        case BPF_JMP | BPF_JA:
            at += c->k;
            break;
        case BPF_RET | BPF_K:
            return c->k;
        default:
            fail_msg("instruction %x", c->code);
        }
    }
    fail_msg("no verdict on %u", number);
    return 0;
}

/* The kernel takes the strictest: kill is negative, then errors, then leave. */
static uint32_t stricter(uint32_t a, uint32_t b)
{
    int32_t x = (int32_t)(a & SECCOMP_RET_ACTION_FULL), y = (int32_t)(b & SECCOMP_RET_ACTION_FULL);
    return x <= y ? a : b;
}

static void test_a_plan_within_another_says_what_it_would_say_alone(void **state)
{
    (void)state;
    static const unsigned outer_may[] = { CONFINE_SPAWN | CONFINE_READ | CONFINE_WRITE |
                                              CONFINE_NETWORK,
                                          CONFINE_READ | CONFINE_WRITE | CONFINE_NETWORK };
    for (size_t o = 0; o < 2; o++)
        for (unsigned less = 0; less < 8; less++) {
            unsigned without = (less & 1 ? CONFINE_READ : 0u) | (less & 2 ? CONFINE_WRITE : 0u) |
                               (less & 4 ? CONFINE_NETWORK : 0u);
            unsigned may = outer_may[o] & ~without;
            const char *why = NULL;
            uint16_t outer_len, inner_len, alone_len;
            struct sock_filter *outer = mgi_confine_calls(outer_may[o], &outer_len, &why);
            struct sock_filter *inner = mgi_confine_calls_less(outer_may[o], may, &inner_len, &why);
            struct sock_filter *alone = mgi_confine_calls(may, &alone_len, &why);
            assert_null(why);
            assert_true(inner || !(without & (CONFINE_WRITE | CONFINE_NETWORK)));
            assert_true(inner_len < 100); /* or it would not be worth the name */
            for (uint32_t number = 0; number < 600; number++) {
                uint32_t both = verdict_on(outer, outer_len, number);
                if (inner)
                    both = stricter(both, verdict_on(inner, inner_len, number));
                assert_int_equal(both, verdict_on(alone, alone_len, number));
            }
            mgi_free(outer);
            mgi_free(inner);
            mgi_free(alone);
        }
}

static int make_socket_of(void *family)
{
    int fd = socket(*(const int *)family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return fd < 0 ? errno : close(fd);
}

/* Entered one after the other, as a worker and its program do; and where there is nothing to narrow
 * in, the whole of it. */
static void test_a_plan_within_another_takes_away(void **state)
{
    (void)state;
    static const int internet = AF_INET;
    const unsigned all = CONFINE_SPAWN | CONFINE_READ | CONFINE_WRITE | CONFINE_NETWORK;
    struct confine_features f;
    struct confine_plan outer, inner;
    struct arena arena;
    mgi_confine_probe(&f);
    if (!f.seccomp)
        skip();
    mgi_arena_init(&arena, 0);
    const struct confinement wide = { .may = all };
    const struct confinement narrow = { .may = CONFINE_SPAWN, .within = all };
    const struct confinement other = { .may = 0, .within = all };
    assert_null(mgi_confine_plan_init(&outer, &wide, &f, &arena));
    assert_null(mgi_confine_plan_init(&inner, &narrow, &f, &arena));
    assert_true(inner.narrows);
    pid_t pid = fork();
    if (pid == 0) {
        const struct confine_entry entry = { .parent = getppid() };
        if (mgi_confine_enter(&outer, &entry) || make_socket_of((void *)(uintptr_t)&internet) != 0)
            _exit(1);
        if (mgi_confine_enter(&inner, &entry))
            _exit(2);
        _exit(make_socket_of((void *)(uintptr_t)&internet) == EPERM ? 0 : 3);
    }
    int status;
    waitpid(pid, &status, 0);
    assert_int_equal(status, 0);
    mgi_confine_plan_fini(&inner);
    assert_null(mgi_confine_plan_init(&inner, &other, &f, &arena));
    assert_false(inner.narrows); /* starting programs is more than a list of calls */
    mgi_confine_plan_fini(&inner);
    mgi_confine_plan_fini(&outer);
    mgi_arena_fini(&arena);
}

static int clear_surroundings(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        kill(bystanders[i], SIGKILL);
        waitpid(bystanders[i], NULL, 0);
    }
    unlink(secret);
    unlink(granted);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_not_granted_is_refused),
        cmocka_unit_test(test_what_is_not_granted_is_refused_to_an_ordinary_user),
        cmocka_unit_test(test_what_is_refused_would_work),
        cmocka_unit_test(test_the_private_folder_is_its_own),
        cmocka_unit_test(test_everywhere_is_everywhere_but_the_machine),
        cmocka_unit_test(test_a_link_leads_no_further_than_its_target_was_granted),
        cmocka_unit_test(test_no_memory_becomes_executable_after_the_seal),
        cmocka_unit_test(test_a_sealed_process_still_starts_programs),
        cmocka_unit_test(test_an_old_landlock_is_helped_by_the_filter),
        cmocka_unit_test(test_what_a_kernel_lacks_is_told),
        cmocka_unit_test(test_a_listed_path_that_is_not_there_is_told),
        cmocka_unit_test(test_a_plan_within_another_says_what_it_would_say_alone),
        cmocka_unit_test(test_a_plan_within_another_takes_away),
    };
    return cmocka_run_group_tests(tests, make_surroundings, clear_surroundings);
}
