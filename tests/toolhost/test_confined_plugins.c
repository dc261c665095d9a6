/* Plugins that try to get out of a worker, with the capabilities that they asked for: as root, and
 * as an ordinary user where the test is root. What is granted works; what is not fails with one
 * clear error, the next call works, and nothing is left running. T-ISO-7 to T-ISO-12, T-ISO-18,
 * T-LIM-6. */
#include "toolhost/host_session.h"

#include <linux/seccomp.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "confine/confine.h"
#include "confine/group.h"
#include "toolhost.h"

#define TRY(what, argument)                                                                        \
    "{\"aid\":\"AID.CAPTIVE.TRY.v1\",\"inputs\":{\"what\":\"" what "\",\"argument\":\"" argument   \
    "\"}}"
#define ERRNO(n) OUTPUT("{\\\"errno\\\":" #n "}")

static char secret[96], granted[96], temporary[96]; /* of everybody */

static bool kernel_confines(void)
{
    struct confine_features f;
    mgi_confine_probe(&f);
    return mgi_confine_lacks(&f, CONFINE_SPAWN | CONFINE_WRITE) == 0;
}

/* Start the captive with what it asks for, under a document. */
static void begin(struct session *s, unsigned caps, const char *document, bool as_nobody)
{
    char path[64], caps_text[64], tmp_text[128];
    snprintf(path, sizeof path, "/tmp/captive-%d.json", (int)getpid());
    snprintf(caps_text, sizeof caps_text, "MACHINA_TOOL_CAPS=%u", caps);
    FILE *f = fopen(path, "w");
    fputs(document, f);
    fchmod(fileno(f), 0644);
    fclose(f);
    snprintf(tmp_text, sizeof tmp_text, "TMPDIR=%s", temporary);
    const char *const env[] = { caps_text, tmp_text, "MACHINA_TOOLHOST_TIMEOUT_MS=60000",
                                "MACHINA_TOOLHOST_RLIMIT_CPU_SEC=1", NULL };
    const char *const args[] = { "toolhost", "--serve", PLUGIN_FOLDER "captive.so",
                                 "--config", path,      NULL };
    session_exec(s, args, env, as_nobody ? AS_NOBODY : PLAIN);
    check(s, "the host answers", ASK("ECHO"), "{\"ok\":true*");
    unlink(path);
}

static const char required[] = "{\"confine\":\"required\"}";

/* ---- each attempt -----------------------------------------------------------------------------
 */

/* Numbers are errno: 0 done, 1 EPERM, 13 EACCES. */
static const struct {
    unsigned caps;
    const char *line, *want;
} attempts[] = {
    { 0, TRY("read", "/etc/hostname"), ERRNO(13) },
    { 0, TRY("read", "/proc/self/environ"), ERRNO(13) },
    { 0, TRY("read", "/usr/bin/env"), ERRNO(0) },
    { 0, TRY("write", "/tmp/captive-was-here"), ERRNO(13) },
    { 0, TRY("private", ""), ERRNO(0) },
    { 0, TRY("read_host", "environ"), ERRNO(13) },
    { 0, TRY("read_host", "mem"), ERRNO(13) },
    { 0, TRY("read_host", "fd"), ERRNO(13) },
    { 0, TRY("read_host", "cmdline"), ERRNO(13) },
    { 0, TRY("trace_host", ""), FAILURE("tool crashed: signal 31 (SIGSYS)") },
    { 0, TRY("limit_host", ""), ERRNO(1) },
    { 0, TRY("signal_host", "9"), ERRNO(1) },
    { 0, TRY("signal_host", "19"), ERRNO(1) },
    { 0, TRY("signal_group", "9"), ERRNO(1) },
    { 0, TRY("socket", ""), ERRNO(1) },
    { 0, TRY("run", "/bin/true"), ERRNO(1) },
    { 0, TRY("become", "/bin/true"), ERRNO(1) },
    { 0, TRY("breed", "1"), ERRNO(1) },
    { 0, TRY("daemonise", ""), ERRNO(1) },
    { 0, TRY("executable", ""), ERRNO(1) }, /* T-ISO-10 C-219 */
    { 0, TRY("outlive", ""), ERRNO(1) },
    { 0, TRY("thread", ""), ERRNO(0) },
    { 0, TRY("at_load", ""), ERRNO(1) }, /* T-ISO-18: constructors, too */
    { TH_CAP_NETWORK, TRY("socket", ""), ERRNO(0) },
    { TH_CAP_NETWORK, TRY("run", "/bin/true"), ERRNO(1) },
    { TH_CAP_NETWORK, TRY("read", "/etc/hostname"), ERRNO(13) },
    { TH_CAP_FILE_READ, TRY("read", "/etc/hostname"), ERRNO(0) },
    { TH_CAP_FILE_READ, TRY("read", "/proc/1/environ"), ERRNO(13) },
    { TH_CAP_FILE_READ, TRY("read_host", "environ"), ERRNO(13) },
    { TH_CAP_FILE_READ, TRY("write", "/tmp/captive-was-here"), ERRNO(13) },
    { TH_CAP_FILE_READ, TRY("socket", ""), ERRNO(1) },
    { TH_CAP_SHELL, TRY("run", "/bin/true"), ERRNO(0) }, /* T-ISO-12 */
    { TH_CAP_SHELL, TRY("socket", ""), ERRNO(1) },
    { TH_CAP_SHELL, TRY("signal_host", "9"), ERRNO(1) },
    { TH_CAP_SHELL, TRY("signal_host", "19"), ERRNO(1) },
    { TH_CAP_SHELL, TRY("signal_group", "9"), ERRNO(1) },
    { TH_CAP_SHELL, TRY("limit_host", ""), ERRNO(1) },
    { TH_CAP_SHELL, TRY("read_host", "environ"), ERRNO(13) },
    { TH_CAP_SHELL, TRY("trace_host", ""), FAILURE("tool crashed: signal 31 (SIGSYS)") },
    { TH_CAP_GENESIS, TRY("executable", ""), ERRNO(0) },
    { TH_CAP_ALL, TRY("read_host", "environ"), ERRNO(13) },
    { TH_CAP_ALL, TRY("read_host", "mem"), ERRNO(13) },
    { TH_CAP_ALL, TRY("signal_host", "9"), ERRNO(1) },
    { TH_CAP_ALL, TRY("run", "/bin/true"), ERRNO(0) },
};

static void check_attempts(bool as_nobody)
{
    unsigned caps = 1;
    struct session s = { 0 };
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        if (i == 0 || attempts[i].caps != caps) {
            if (i > 0)
                assert_int_equal(session_end(&s), 0);
            caps = attempts[i].caps;
            begin(&s, caps, required, as_nobody);
        }
        check(&s, "an attempt", attempts[i].line, attempts[i].want);
    }
    check_alive(&s, "after them");
    assert_int_equal(session_end(&s), 0);
    assert_int_not_equal(access("/tmp/captive-was-here", F_OK), 0);
}

static void test_a_plugin_gets_what_it_asked_for_and_no_more(void **state)
{
    (void)state;
    if (!kernel_confines())
        skip();
    check_attempts(false);
}

static void test_a_plugin_of_an_ordinary_user_gets_no_more_either(void **state)
{
    (void)state;
    if (!kernel_confines() || getuid() != 0)
        skip();
    check_attempts(true);
}

/* ---- asking -----------------------------------------------------------------------------------
 */

#define ASKED  "socket 1 kill 1 mem 13 fds 9 9;" /* EPERM, EPERM, EACCES, EBADF */
#define LOADED "socket 0 kill 1 mem 13 fds 0 9;" /* as it asked for */

static void check_asking(enum session_options as)
{
    static const char *const env[] = { "MACHINA_TOOL_CAPS=8", "MACHINA_TOOL_NOTES=1",
                                       "MACHINA_SECCOMP_ENABLE=1", "MACHINA_SECCOMP_PROFILE=net",
                                       NULL };
    struct session s;
    pid_t one;
    session_start(&s, "captive.so", env, as);
    check(&s, "asked with nothing, then loaded", TRY("loaded", ASKED LOADED), ERRNO(0));
    pid_t worker = worker_of(s.pid);
    assert_int_equal(test_children(s.pid, &one), 1);
    assert_int_equal(test_children(worker, &one), 0); /* who was asked is gone */
    check(&s, "a crash", TRY("crash", ""), FAILURE("tool crashed: signal 11 (SIGSEGV)"));
    check(&s, "a later worker is known", TRY("loaded", LOADED), ERRNO(0));
    assert_int_not_equal(worker_of(s.pid), worker);
    assert_int_equal(session_end(&s), 0);
}

/* Not one byte of the plugin runs in a process that may more than it asks for (T-ISO-18), and where
 * it is asked it can do nothing to its worker. */
static void test_a_plugin_is_asked_where_it_may_do_nothing(void **state)
{
    (void)state;
    if (!kernel_confines())
        skip();
    check_asking(PLAIN);
    if (getuid() == 0)
        check_asking(AS_NOBODY);
}

static void expect_rejection(const char *const *env, const char *want)
{
    struct session s;
    session_start(&s, "captive.so", env, PLAIN);
    check(&s, "rejected", ASK("ECHO"), want);
    assert_int_equal(session_end(&s), 3);
}

/* Less, and more, than it said when it was asked. */
static void test_a_plugin_that_changes_its_mind_is_rejected(void **state)
{
    (void)state;
    static const char *const more[] = { "MACHINA_TOOL_CAPS=0", "MACHINA_TOOL_CAPS_LATER=4",
                                        "MACHINA_TOOL_NOTES=1", "MACHINA_SECCOMP_ENABLE=1", NULL };
    static const char *const less[] = { "MACHINA_TOOL_CAPS=4", "MACHINA_TOOL_CAPS_LATER=0",
                                        "MACHINA_TOOL_NOTES=1", "MACHINA_SECCOMP_ENABLE=1", NULL };
    if (!kernel_confines())
        skip();
    expect_rejection(more, REFUSAL("capabilities changed"));
    expect_rejection(less, REFUSAL("capabilities changed"));
}

/* How it ends where it is asked is how its worker ends, and told as such. */
static void test_a_plugin_that_crashes_when_it_is_asked_is_rejected(void **state)
{
    (void)state;
    static const struct {
        const char *bad, *want;
    } rows[] = {
        { "MACHINA_TOOL_BAD=crash_constructor", "plugin init crashed: signal 11" },
        { "MACHINA_TOOL_BAD=exit_constructor", "plugin init failed: it exited with code 3" },
        { "MACHINA_TOOL_BAD=major3", "plugin ABI mismatch: host 2.0, plugin 3.0" },
    };
    if (!kernel_confines())
        skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const env[] = { rows[i].bad, "MACHINA_SECCOMP_ENABLE=1", NULL };
        char want[200];
        struct session s;
        snprintf(want, sizeof want, REFUSAL("%s"), rows[i].want);
        session_start(&s, "bad_choice.so", env, PLAIN);
        check(&s, rows[i].bad, ASK("ECHO"), want);
        assert_int_equal(session_end(&s), 3);
    }
}

/* Unconfined, they work: what refused was the confinement. */
static void test_the_attempts_would_work(void **state)
{
    (void)state;
    static const char *const lines[] = {
        TRY("read", "/etc/hostname"), TRY("private", ""),      TRY("socket", ""),
        TRY("run", "/bin/true"),      TRY("executable", ""),   TRY("outlive", ""),
        TRY("at_load", ""),           TRY("signal_host", "0"), TRY("breed", "1"),
    };
    struct session s;
    begin(&s, 0, "{\"confine\":\"off\"}", false);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (i != 1) /* no private folder without confinement */
            check(&s, "unconfined", lines[i], ERRNO(0));
    assert_int_equal(session_end(&s), 0);
}

/* ---- the document ------------------------------------------------------------------------------
 */

static void test_the_document_grants_paths_and_bounds_capabilities(void **state)
{
    (void)state;
    char document[400], line[300];
    struct session s;
    if (!kernel_confines())
        skip();
    snprintf(document, sizeof document,
             "{\"confine\":\"required\",\"caps\":[\"file_read\"],\"read\":[\"%s\"],"
             "\"write\":[\"%s\"]}",
             granted, granted);
    begin(&s, TH_CAP_FILE_READ | TH_CAP_SHELL | TH_CAP_NETWORK, document, false);
    snprintf(line, sizeof line, TRY("read", "%s"), granted);
    check(&s, "a listed path", line, ERRNO(0));
    snprintf(line, sizeof line, TRY("write", "%s"), granted);
    check(&s, "a listed path", line, ERRNO(0));
    snprintf(line, sizeof line, TRY("read", "%s"), secret);
    check(&s, "a list takes the place of everywhere", line, ERRNO(13));
    check(&s, "asked for, and not granted", TRY("run", "/bin/true"), ERRNO(1));
    check(&s, "asked for, and not granted", TRY("socket", ""), ERRNO(1));
    assert_int_equal(session_end(&s), 0);

    begin(&s, 0, document, false); /* paths are granted to whatever plugin */
    snprintf(line, sizeof line, TRY("read", "%s"), granted);
    check(&s, "a listed path", line, ERRNO(0));
    assert_int_equal(session_end(&s), 0);

    begin(&s, TH_CAP_FILE_READ, "{\"confine\":\"required\",\"read\":[]}", false);
    check(&s, "an empty list", line, ERRNO(13));
    assert_int_equal(session_end(&s), 0);
}

static void test_the_environment_turns_the_filter_on(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second;
        int want;
    } rows[] = {
        { "MACHINA_SECCOMP_ENABLE=1", "LC_ALL=C", 1 },                    /* T-ISO-8 */
        { "MACHINA_PROFILE=prod", "LC_ALL=C", 1 },                        /* C-217 */
        { "MACHINA_PROFILE=prod", "MACHINA_SECCOMP_ENABLE=0", 0 },        /* said already */
        { "MACHINA_SECCOMP_ENABLE=1", "MACHINA_SECCOMP_PROFILE=net", 0 }, /* C-218 */
        { "MACHINA_SECCOMP_ENABLE=1", "MACHINA_SECCOMP_ALLOW_NET=1", 0 }, /* C-218 */
        { "MACHINA_SECCOMP_ENABLE=1", "MACHINA_SECCOMP_PROFILE=strict", 1 },
    };
    if (!kernel_confines())
        skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const env[] = { rows[i].first, rows[i].second, "MACHINA_TOOL_CAPS=0xffffffff",
                                    NULL };
        struct session s;
        session_start(&s, "captive.so", env, PLAIN);
        check(&s, rows[i].second, TRY("socket", ""), rows[i].want ? ERRNO(1) : ERRNO(0));
        assert_int_equal(session_end(&s), 0);
    }
}

/* ---- what is left running -----------------------------------------------------------------------
 */

/* That live. */
/* Daemons that the captive of this host started and that live. */
static int count_daemons(pid_t toolhost)
{
    char name[32];
    DIR *proc = opendir("/proc");
    int count = 0;
    snprintf(name, sizeof name, "captive-%d\n", (int)toolhost);
    for (struct dirent *e; (e = readdir(proc));) {
        char path[300], comm[64] = "", process_state;
        pid_t parent;
        snprintf(path, sizeof path, "/proc/%s/comm", e->d_name);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd >= 0 && read(fd, comm, sizeof comm - 1) > 0)
            count += strcmp(comm, name) == 0 &&
                     test_process((pid_t)atoi(e->d_name), &process_state, &parent) &&
                     process_state != 'Z' && process_state != 'X';
        if (fd >= 0)
            close(fd);
    }
    closedir(proc);
    return count;
}

static int count_dead_of(pid_t of)
{
    DIR *proc = opendir("/proc");
    int count = 0;
    for (struct dirent *e; (e = readdir(proc));) {
        char process_state;
        pid_t parent, pid = (pid_t)atoi(e->d_name);
        count += pid > 0 && test_process(pid, &process_state, &parent) && parent == of &&
                 process_state == 'Z';
    }
    closedir(proc);
    return count;
}

static void check_leavings(const char *document, bool as_nobody)
{
    struct session s;
    pid_t one;
    begin(&s, TH_CAP_SHELL, document, as_nobody);
    pid_t worker = worker_of(s.pid);
    for (int i = 0; i < 50; i++) {
        check(&s, "a daemon", TRY("daemonise", ""), ERRNO(0));
        assert_int_equal(count_daemons(s.pid), 0); /* before the next call, not after it */
    }
    check(&s, "many children", TRY("breed", "20"), ERRNO(0));
    assert_int_equal(test_children(s.pid, &one), 1);
    assert_int_equal(test_children(worker, &one), 0); /* that live */
    check_alive(&s, "after them");
    assert_int_equal(count_dead_of(worker), 0); /* and the dead are reaped with the next call */
    assert_int_equal(worker_of(s.pid), worker); /* the same one all the time */
    assert_int_equal(session_end(&s), 0);
}

static void test_what_a_call_started_ends_with_it(void **state)
{
    (void)state;
    check_leavings("{\"confine\":\"on\"}", false);
    check_leavings("{\"confine\":\"off\"}", false);
    if (getuid() == 0)
        check_leavings("{\"confine\":\"on\"}", true);
}

static bool makes_groups(void)
{
    char place[CONFINE_GROUP_MAX];
    bool delegated;
    return mgi_confine_group_place(place, &delegated);
}

/* Whether a chain of `hop` lives: looking for it would miss it. */
static bool hops(void)
{
    int fd = open(granted, O_RDONLY | O_CLOEXEC);
    bool locked = flock(fd, LOCK_EX | LOCK_NB) != 0;
    close(fd);
    return locked;
}

/* Who was left by a host that was killed is ended by the next one while that starts. */
static bool hops_soon_no_more(void)
{
    for (int i = 0; i < 1000 && hops(); i++)
        test_sleep_ms(5);
    return !hops();
}

/* Where a control group can be made, what breeds faster than it can be found ends, too: with the
 * call, by the same worker; with the worker; and with a host that was killed, when the next one
 * starts. */
static void test_nobody_outruns_the_end_of_a_call(void **state)
{
    (void)state;
    struct session s;
    char document[200], returns[200], stays[200], hangs[250];
    if (!makes_groups())
        skip();
    snprintf(document, sizeof document, "{\"confine\":\"on\",\"write\":[\"%s\"]}", granted);
    snprintf(returns, sizeof returns, TRY("hop", "0 %s"), granted);
    snprintf(stays, sizeof stays, TRY("hop", "20 %s"), granted);
    snprintf(hangs, sizeof hangs, "%.*s,\"timeout_ms\":200}", (int)strlen(stays) - 1, stays);
    begin(&s, TH_CAP_SHELL, document, false);
    pid_t worker = worker_of(s.pid);
    for (int i = 0; i < 5; i++) {
        check(&s, "chains", returns, ERRNO(0));
        assert_false(hops());
        check_alive(&s, "after them");
        assert_int_equal(worker_of(s.pid), worker);
    }
    check(&s, "chains, and no answer", hangs, FAILURE("tool timed out after 200 ms"));
    assert_false(hops());
    check_alive(&s, "after it");
    session_send(&s, stays);
    for (int i = 0; i < 1000 && !hops(); i++)
        test_sleep_ms(5);
    kill(s.pid, SIGKILL);
    session_wait_end(&s, 2000);
    session_free(&s);
    assert_true(hops());
    begin(&s, TH_CAP_SHELL, document, false);
    assert_true(hops_soon_no_more());
    assert_int_equal(session_end(&s), 0);
}

static void test_a_helper_that_is_kept_outlives_its_call(void **state)
{
    (void)state;
    struct session s;
    pid_t helper = 0, one;
    begin(&s, TH_CAP_SHELL, "{\"confine\":\"on\"}", false);
    pid_t worker = worker_of(s.pid);
    check(&s, "started", TRY("keep", ""), ERRNO(201));
    assert_int_equal(test_children(worker, &helper), 1);
    check(&s, "still there", TRY("keep", ""), ERRNO(0));
    for (int i = 0; i < 500 && test_children(helper, &one) == 0; i++)
        test_sleep_ms(10); /* until it has a child of its own, which is not kept */
    check(&s, "a daemon beside it", TRY("daemonise", ""), ERRNO(0));
    assert_int_equal(count_daemons(s.pid), 0);
    assert_int_equal(test_children(helper, &one), 0);
    check(&s, "still there", TRY("keep", ""), ERRNO(0));
    assert_int_equal(session_end(&s), 0);
    test_await_gone(helper);
}

static void test_a_helper_of_many_processes_keeps_them(void **state)
{
    (void)state;
    struct session s;
    pid_t helper = 0, one = 0, same = 0;
    begin(&s, TH_CAP_SHELL, "{\"confine\":\"on\"}", false);
    pid_t worker = worker_of(s.pid);
    check(&s, "started", TRY("keep", "tree"), ERRNO(201));
    assert_int_equal(test_children(worker, &helper), 1);
    for (int i = 0; i < 500 && test_children(helper, &one) == 0; i++)
        test_sleep_ms(10);
    check(&s, "a daemon beside it", TRY("daemonise", ""), ERRNO(0));
    assert_int_equal(count_daemons(s.pid), 0);
    assert_int_equal(test_children(helper, &same), 1);
    assert_int_equal(same, one);
    check(&s, "still there", TRY("keep", "tree"), ERRNO(0));
    assert_int_equal(session_end(&s), 0);
    test_await_gone(helper);
    test_await_gone(one);
}

static void test_a_stopped_worker_is_replaced(void **state)
{
    (void)state;
    struct session s;
    begin(&s, 0, "{\"confine\":\"on\"}", false);
    check(&s, "SIGSTOP to itself",
          "{\"aid\":\"AID.CAPTIVE.TRY.v1\",\"inputs\":{\"what\":\"stop_self\"},\"timeout_ms\":200}",
          FAILURE("tool timed out after 200 ms"));
    check_alive(&s, "after it");
    assert_int_equal(session_end(&s), 0);
}

static void test_a_stopped_and_killed_host_leaves_no_orphan(void **state)
{
    (void)state;
    struct session s;
    begin(&s, 0, "{\"confine\":\"on\"}", false);
    pid_t worker = worker_of(s.pid);
    kill(s.pid,
         SIGSTOP); /* what the plugin may not do; then what a server does to a host that hangs */
    kill(s.pid, SIGKILL);
    test_await_gone(worker);
    session_wait_end(&s, 2000);
    session_free(&s);
}

/* ---- resources ----------------------------------------------------------------------------------
 */

static void test_a_worker_that_leaks_descriptors_is_replaced(void **state)
{
    (void)state;
    struct session s;
    begin(&s, 0, "{\"confine\":\"on\"}", false);
    pid_t first = worker_of(s.pid);
    check(&s, "a few", TRY("leak", "20"), ERRNO(0));
    check_alive(&s, "T-ISO-7: enough are left");
    assert_int_equal(worker_of(s.pid), first);
    check(&s, "many", TRY("leak", "30"), ERRNO(0));
    check(&s, "C-115: the state is the host's", ASK("FACTS"), "~\\\"state\\\":64");
    assert_int_not_equal(worker_of(s.pid), first);
    for (int i = 0; i < 3; i++) { /* C-115 */
        first = worker_of(s.pid);
        check(&s, "all but a few", TRY("leak", "55"), ERRNO(0));
        check_alive(&s, "T-ISO-7");
        assert_int_not_equal(worker_of(s.pid), first);
    }
    check(&s, "none are left", TRY("leak", "100"), ERRNO(24));
    check_alive(&s, "T-ISO-7");
    assert_int_equal(session_end(&s), 0);
}

static void test_the_processor_limit_holds_for_who_ignores_it(void **state)
{
    (void)state;
    struct session s;
    begin(&s, 0, "{\"confine\":\"on\"}", false);
    int64_t from = test_now_ms();
    check(&s, "SIGXCPU ignored", TRY("burn", ""), FAILURE("tool crashed: signal 24 (SIGXCPU)"));
    assert_in_range(test_now_ms() - from, 900,
                    50000); /* 3 s of a busy machine; its time limit is 60 s */
    check_alive(&s, "after it");
    assert_int_equal(session_end(&s), 0);
}

#ifndef UNDER_ASAN /* which needs more address space than there may be */
static void test_memory_is_limited(void **state)
{
    (void)state;
    struct session s;
    begin(&s, 0, "{\"confine\":\"on\"}", false);
    check(&s, "memory", TRY("memory", ""), ERRNO(12));
    check_alive(&s, "after it");
    assert_int_equal(session_end(&s), 0);
}
#endif

static void test_an_ordinary_user_may_not_breed(void **state)
{
    (void)state;
    struct session s;
    if (getuid() != 0) /* as root the kernel does not count, and the deadline ends it */
        skip();
    begin(&s, TH_CAP_SHELL, "{\"confine\":\"on\"}", true);
    check(&s, "a fork bomb", TRY("breed", "1000"), ERRNO(11));
    check_alive(&s, "after it");
    assert_int_equal(session_end(&s), 0);
}

/* ---- the private folder -------------------------------------------------------------------------
 */

static int count_folders(const char *in)
{
    DIR *tmp = opendir(in);
    int count = 0;
    for (struct dirent *e; (e = readdir(tmp));)
        count += strncmp(e->d_name, "manglecp-confined-", 18) == 0;
    closedir(tmp);
    return count;
}

/* In a folder of its own: other hosts have theirs in /tmp, and come and go. */
static void test_the_private_folder_ends_with_the_host(void **state)
{
    (void)state;
    char tmp[] = "/tmp/captive-XXXXXX", setting[64];
    const char *const env[] = { setting, "MACHINA_SECCOMP_ENABLE=1", NULL };
    struct session s;
    if (!kernel_confines())
        skip();
    assert_non_null(mkdtemp(tmp));
    snprintf(setting, sizeof setting, "TMPDIR=%s", tmp);
    session_start(&s, "captive.so", env, PLAIN);
    check(&s, "a file", TRY("private", ""), ERRNO(0));
    assert_int_equal(count_folders(tmp), 1);
    assert_int_equal(session_end(&s), 0);
    assert_int_equal(count_folders(tmp), 0);
    assert_int_equal(rmdir(tmp), 0);
}

/* ---- kernels that lack something
 * ----------------------------------------------------------------- */

/* An old kernel, played by a filter: the calls that it would not know are not there. */
static bool hide_call(long number, int error)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = { sizeof code / sizeof *code, code };
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0U, &program) == 0;
}

#define NO_FILE_SIZE_LIMIT (-1L) /* in the place of a call */

/* Setting that limit fails; everybody may ask for it. */
static bool refuse_file_size_limit(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 5),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, RLIMIT_FSIZE, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = { sizeof code / sizeof *code, code };
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0U, &program) == 0;
}

static int run_on_old_kernel(long hidden, const char *document, char *answer, size_t cap)
{
    int out[2], status;
    char path[64];
    snprintf(path, sizeof path, "/tmp/captive-%d.json", (int)getpid());
    FILE *f = fopen(path, "w");
    fputs(document, f);
    fclose(f);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    pid_t pid = fork();
    if (pid == 0) {
        const char *const args[] = { "toolhost", "--list", PLUGIN_FOLDER "captive.so",
                                     "--config", path,     NULL };
        dup2(out[1], 1);
        dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), 2);
        if (hidden == NO_FILE_SIZE_LIMIT ? !refuse_file_size_limit() : !hide_call(hidden, ENOSYS))
            _exit(99);
        execve(HOST_PROGRAM, (char *const *)args, test_env(NULL));
        _exit(127);
    }
    close(out[1]);
    size_t len = 0;
    for (ssize_t n; len < cap - 1 && (n = read(out[0], answer + len, cap - 1 - len)) > 0;)
        len += (size_t)n;
    answer[len] = '\0';
    close(out[0]);
    waitpid(pid, &status, 0);
    unlink(path);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_a_kernel_without_a_feature_is_told_and_refused(void **state)
{
    (void)state;
    char answer[65536];
    if (!kernel_confines())
        skip();
    assert_int_equal(run_on_old_kernel(444, required, answer, sizeof answer), 3); /* T-ISO-9 */
    assert_non_null(strstr(answer, "cannot restrict worker: files outside of what was granted"));
    assert_int_equal(run_on_old_kernel(SYS_seccomp, required, answer, sizeof answer), 3);
    assert_non_null(strstr(answer, "seccomp is missing"));
    assert_int_equal(run_on_old_kernel(444, "{\"confine\":\"on\"}", answer, sizeof answer), 0);
    assert_non_null(strstr(answer, "AID.CAPTIVE.TRY.v1"));
    assert_int_equal(run_on_old_kernel(SYS_seccomp, "{\"confine\":\"on\"}", answer, sizeof answer),
                     0);
    /* clone3: nothing can be started in a control group, and all is as where none can be made */
    assert_int_equal(run_on_old_kernel(435, required, answer, sizeof answer), 0);
    assert_non_null(strstr(answer, "AID.CAPTIVE.TRY.v1"));
}

/* A limit that the kernel does not set ends the start; so does confinement that cannot be entered.
 */
static void test_what_cannot_be_limited_is_not_started(void **state)
{
    (void)state;
    char answer[65536];
    assert_int_equal(run_on_old_kernel(NO_FILE_SIZE_LIMIT, "{}", answer, sizeof answer), 3);
    assert_non_null(strstr(answer, "\"cannot restrict worker: file size\"")); /* T-ISO-6 */
    assert_int_equal(run_on_old_kernel(SYS_capset, "{\"confine\":\"on\"}", answer, sizeof answer),
                     3);
    assert_non_null(strstr(answer, "\"cannot restrict worker: capabilities\""));
}

/* ---- the surroundings
 * ---------------------------------------------------------------------------- */

static int make_files(void **state)
{
    (void)state;
    const char *const paths[] = { secret, granted };
    snprintf(secret, sizeof secret, "/tmp/captive-secret-%d", (int)getpid());
    snprintf(granted, sizeof granted, "/tmp/captive-granted-%d", (int)getpid());
    snprintf(temporary, sizeof temporary, "/tmp/captive-folder-%d", (int)getpid());
    if (mkdir(temporary, 0700) != 0 || chmod(temporary, 01777) != 0)
        return -1;
    for (size_t i = 0; i < 2; i++) {
        int fd = open(paths[i], O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0 || write(fd, "x", 1) != 1 || close(fd) != 0)
            return -1;
    }
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    DIR *tmp = opendir(temporary);
    for (struct dirent *e; tmp && (e = readdir(tmp));)
        unlinkat(dirfd(tmp), e->d_name, AT_REMOVEDIR); /* of hosts that were killed */
    if (tmp)
        closedir(tmp);
    return unlink(secret) | unlink(granted) | rmdir(temporary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_plugin_gets_what_it_asked_for_and_no_more),
        cmocka_unit_test(test_a_plugin_of_an_ordinary_user_gets_no_more_either),
        cmocka_unit_test(test_the_attempts_would_work),
        cmocka_unit_test(test_a_plugin_is_asked_where_it_may_do_nothing),
        cmocka_unit_test(test_a_plugin_that_changes_its_mind_is_rejected),
        cmocka_unit_test(test_a_plugin_that_crashes_when_it_is_asked_is_rejected),
        cmocka_unit_test(test_the_document_grants_paths_and_bounds_capabilities),
        cmocka_unit_test(test_the_environment_turns_the_filter_on),
        cmocka_unit_test(test_what_a_call_started_ends_with_it),
        cmocka_unit_test(test_nobody_outruns_the_end_of_a_call),
        cmocka_unit_test(test_a_helper_that_is_kept_outlives_its_call),
        cmocka_unit_test(test_a_helper_of_many_processes_keeps_them),
        cmocka_unit_test(test_a_stopped_worker_is_replaced),
        cmocka_unit_test(test_a_stopped_and_killed_host_leaves_no_orphan),
        cmocka_unit_test(test_a_worker_that_leaks_descriptors_is_replaced),
        cmocka_unit_test(test_the_processor_limit_holds_for_who_ignores_it),
#ifndef UNDER_ASAN
        cmocka_unit_test(test_memory_is_limited),
#endif
        cmocka_unit_test(test_an_ordinary_user_may_not_breed),
        cmocka_unit_test(test_the_private_folder_ends_with_the_host),
        cmocka_unit_test(test_what_cannot_be_limited_is_not_started),
        cmocka_unit_test(test_a_kernel_without_a_feature_is_told_and_refused),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
