/* Programs that people have run under the profile that lets them start programs, and nothing else:
 * no file of anybody, no socket, a private folder. Then the limits, and the private folder itself.
 */
#include "confine/confined.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/resource.h>

static struct confine_folder folder;

/* ---- programs ------------------------------------------------------------------------------- */

static int shell(void *script)
{
    char home[300], temporary[300];
    snprintf(home, sizeof home, "HOME=%s", folder.path);
    snprintf(temporary, sizeof temporary, "TMPDIR=%s", folder.path);
    char path[] = "PATH=/usr/bin:/bin", locale[] = "LC_ALL=C.UTF-8";
    char *env[] = { path, home, temporary, locale, NULL };
    char name[] = "bash", option[] = "-euc";
    char *argv[] = { name, option, script, NULL };
    if (chdir(folder.path) != 0)
        return errno;
    execve("/bin/bash", argv, env);
    return errno;
}

static const struct {
    const char *program, *script;
} programs[] = {
    { "/usr/bin/python3",
      "/usr/bin/python3 -c '\n"
      "import asyncio, json, os, sqlite3, ssl, subprocess, tempfile, threading\n"
      "subprocess.run([\"/bin/true\"], check=True)\n"
      "t = threading.Thread(target=lambda: None); t.start(); t.join()\n"
      "open(tempfile.mkstemp()[1], \"w\").write(\"x\")\n"
      "async def main():\n"
      "    p = await asyncio.create_subprocess_exec(\"/bin/echo\", \"hi\", stdout=-1)\n"
      "    assert (await p.communicate())[0] == b\"hi\\n\"\n"
      "asyncio.run(main())\n"
      "try: open(\"/proc/1/environ\"); raise SystemExit(9)\n"
      "except PermissionError: pass\n"
      "'" },
    { "/usr/bin/node",
      "/usr/bin/node -e '\n"
      "const c = require(\"child_process\"), fs = require(\"fs\"), w = "
      "require(\"worker_threads\");\n"
      "c.execFileSync(\"/bin/true\");\n"
      "fs.writeFileSync(\"n\", \"x\");\n"
      "new w.Worker(\"1\", { eval: true }).on(\"exit\", () => {\n"
      "  const p = c.spawn(\"/bin/cat\"); p.stdin.end(\"hi\");\n"
      "  p.stdout.on(\"data\", d => { if (String(d) !== \"hi\") process.exit(9); });\n"
      "});\n"
      "'" },
    { "/usr/bin/git", "git init -q r && cd r && echo a >a && git add a\n"
                      "git -c user.name=a -c user.email=a@b commit -qm one\n"
                      "echo b >>a && git diff | cat >/dev/null && git log --oneline | grep -q one\n"
                      "git gc -q && git clone -q . ../copy && test -f ../copy/a" },
    { "/usr/bin/sqlite3",
      "sqlite3 x.db 'create table t(a); insert into t values(1); pragma journal_mode=wal; select "
      "count(*) from t' | tail -1 | grep -qx 1" },
    { "/usr/bin/gcc", "printf 'int main(void) { return 0; }' >m.c && gcc -O1 -o m m.c && ./m" },
    { "/usr/bin/curl", "curl -s file:///usr/bin/env -o copy && cmp copy /usr/bin/env\n"
                       "! curl -s --max-time 2 http://127.0.0.1:1/" },
    { "/bin/bash", "diff <(echo a) <(echo a) && cat <<<here | grep -q here\n"
                   "sleep 60 & kill $! && ! wait $!\n"
                   "echo x | cat /dev/stdin | grep -q x" },
};

static void run_programs(bool as_nobody)
{
    int bad = 0;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        if (access(programs[i].program, X_OK) != 0) {
            print_message("not here: %s\n", programs[i].program);
            continue;
        }
        assert_true(mgi_confine_folder_make(&folder, "/tmp"));
        if (as_nobody)
            assert_int_equal(chown(folder.path, NOBODY, NOBODY), 0);
        const struct trial t = { .may = CONFINE_SPAWN,
                                 .private_folder = folder.path,
                                 .as_nobody = as_nobody,
                                 .will_exec = true };
        int got = trial_run(&t, shell, (void *)(uintptr_t)programs[i].script);
        if (got != 0) {
            fprintf(stderr, "%s ended with %d\n", programs[i].program, got);
            bad++;
        }
        mgi_confine_folder_remove(&folder);
    }
    assert_int_equal(bad, 0);
}

static void test_programs_run_where_they_may_be_started(void **state)
{
    (void)state;
    if (!kernel_has(1))
        skip();
    run_programs(false);
}

static void test_programs_run_as_an_ordinary_user(void **state)
{
    (void)state;
    if (!kernel_has(1) || getuid() != 0)
        skip();
    run_programs(true);
}

static void test_a_fetch_works_with_network_and_not_without(void **state)
{
    (void)state;
    static const char answer[] =
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof at;
    char script[200], chunk[1024];
    int status, server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (!kernel_has(4) || access("/usr/bin/curl", X_OK) != 0)
        skip();
    assert_int_equal(bind(server, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(server, 1), 0);
    assert_int_equal(getsockname(server, (struct sockaddr *)&at, &len), 0);
    pid_t pid = fork();
    if (pid == 0) {
        int fd = accept(server, NULL, NULL);
        _exit(read(fd, chunk, sizeof chunk) <= 0 ||
              write(fd, answer, sizeof answer - 1) != (ssize_t)(sizeof answer - 1));
    }
    close(server);
    snprintf(script, sizeof script, "curl -s --max-time 5 http://127.0.0.1:%d/ | grep -qx ok",
             ntohs(at.sin_port));
    assert_true(mgi_confine_folder_make(&folder, NULL));
    struct trial t = { .may = CONFINE_SPAWN, .private_folder = folder.path, .will_exec = true };
    assert_int_not_equal(trial_run(&t, shell, script), 0);
    t.may |= CONFINE_NETWORK;
    assert_int_equal(trial_run(&t, shell, script), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    mgi_confine_folder_remove(&folder);
}

/* ---- limits --------------------------------------------------------------------------------- */

static int burn(void *context)
{
    (void)context;
    signal(SIGXCPU, SIG_IGN);
    for (volatile unsigned long i = 0;; i++) {
    }
    return 0;
}

static void test_the_processor_limit_cannot_be_ignored(void **state)
{
    (void)state;
    const struct trial t = { .limits.cpu_seconds = 1 };
    assert_int_equal(trial_run(&t, burn, NULL), SIGNALLED + SIGKILL); /* hard, not only soft */
}

static int hoard(void *context)
{
    (void)context;
    int count = 0;
    while (dup(2) >= 0)
        count++;
    return errno == EMFILE && count < 64 ? 0 : 1;
}

static int grow_file(void *context)
{
    char block[65536] = { 0 };
    (void)context;
    signal(SIGXFSZ, SIG_IGN);
    int fd = memfd_create("f", MFD_CLOEXEC);
    for (int i = 0; i < 32; i++)
        if (write(fd, block, sizeof block) < 0)
            return errno;
    return 0;
}

static int breed(void *context)
{
    (void)context;
    for (int i = 0; i < 20; i++) {
        pid_t pid = fork();
        if (pid < 0)
            return errno;
        if (pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
            sleep(2);
            _exit(0);
        }
    }
    return 0;
}

static void test_limits_hold(void **state)
{
    (void)state;
    const struct trial few = { .limits.descriptors = 64 };
    const struct trial small = { .limits.file_bytes = 1 << 20 };
    assert_int_equal(trial_run(&few, hoard, NULL), 0);
    assert_int_equal(trial_run(&small, grow_file, NULL), EFBIG);
    if (getuid() == 0) { /* the kernel does not count the tasks of user 0 */
        const struct trial lonely = { .may = CONFINE_SPAWN,
                                      .limits.processes = 10,
                                      .as_nobody = true };
        assert_int_equal(trial_run(&lonely, breed, NULL), EAGAIN);
    }
}

static int raise_limit(void *context)
{
    const struct rlimit more = { 128, 128 };
    (void)context;
    return outcome(setrlimit(RLIMIT_NOFILE, &more));
}

static int gain_capability(void *context)
{
    (void)context;
    return outcome(chroot("/"));
}

static int show_privileges(void *context)
{
    (void)context;
    int nnp = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), dumpable = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
    return nnp == 1 && dumpable == 0 && getsid(0) == getpid() && getpgrp() == getpid() ? 0 : 1;
}

static void test_nothing_can_be_taken_back(void **state)
{
    (void)state;
    const struct trial t = { .limits.descriptors = 64 };
    assert_int_equal(trial_run(&t, raise_limit, NULL), EPERM);
    assert_int_equal(trial_run(&t, gain_capability, NULL), EPERM);
    assert_int_equal(trial_run(&t, show_privileges, NULL), 0);
}

static int try_to_own(void *context)
{
    (void)context; /* root's capabilities are gone, and a program that is executed gets none back */
    char name[] = "bash", option[] = "-c",
         script[] = "grep -q 'CapEff:.*0000000000$' /proc/self/status";
    char *argv[] = { name, option, script, NULL }, *env[] = { NULL };
    execve("/bin/bash", argv, env);
    return errno;
}

static void test_root_has_no_capabilities_in_there(void **state)
{
    (void)state;
    const struct confine_features filter_only = { .seccomp = true };
    if (getuid() != 0 || !kernel_has(0))
        skip();
    const struct trial t = { .may = CONFINE_SPAWN, .features = &filter_only, .will_exec = true };
    assert_int_equal(trial_run(&t, try_to_own, NULL), 0);
}

/* ---- the private folder ---------------------------------------------------------------------- */

static bool is_there(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

static void test_a_folder_goes_with_all_that_is_in_it(void **state)
{
    (void)state;
    char script[1024], outside[64];
    snprintf(outside, sizeof outside, "/tmp/confine-outside-%d", (int)getpid());
    assert_true(mgi_confine_folder_make(&folder, "/tmp"));
    struct stat about;
    assert_int_equal(stat(folder.path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0700);
    /* 300 levels, a folder that cannot be entered, and links that lead out. */
    snprintf(
        script, sizeof script,
        "cd %s && mkdir %s && touch %s/kept && ln -s %s link && ln -s %s/kept file &&"
        "for i in $(seq 300); do mkdir d && touch f && cd d; done; cd %s && mkdir shut && touch "
        "shut/x && chmod 0 shut",
        folder.path, outside, outside, outside, outside, folder.path);
    assert_int_equal(system(script), 0);
    char path[CONFINE_FOLDER_MAX];
    snprintf(path, sizeof path, "%s", folder.path);
    assert_true(mgi_confine_folder_empty(&folder));
    assert_true(is_there(path));
    mgi_confine_folder_remove(&folder);
    assert_false(is_there(path));
    snprintf(script, sizeof script, "%s/kept", outside);
    assert_true(is_there(script));
    unlink(script);
    rmdir(outside);
    mgi_confine_folder_remove(&folder); /* is gone already */
}

static void test_what_a_killed_owner_left_goes_with_the_next_one(void **state)
{
    (void)state;
    char left[CONFINE_FOLDER_MAX], young[CONFINE_FOLDER_MAX], script[600];
    char under[] = "/tmp/confine-left-XXXXXX"; /* in /tmp may be more names than are looked at */
    struct confine_folder lives;
    struct confine_folder dead;
    assert_non_null(mkdtemp(under));
    assert_true(mgi_confine_folder_make(&dead, under));
    snprintf(left, sizeof left, "%s", dead.path);
    close(dead.fd); /* as its owner's death would */
    assert_true(mgi_confine_folder_make(&dead, under));
    snprintf(young, sizeof young, "%s", dead.path);
    close(dead.fd);
    assert_true(mgi_confine_folder_make(&lives, under));
    snprintf(script, sizeof script, "touch -d '2 hours ago' %s %s", left, lives.path);
    assert_int_equal(system(script), 0);
    assert_true(mgi_confine_folder_make(&folder, under));
    assert_false(is_there(left));
    assert_true(is_there(young)); /* may be one that is just being made */
    assert_true(is_there(lives.path));
    mgi_confine_folder_remove(&lives);
    mgi_confine_folder_remove(&folder);
    rmdir(young);
    assert_int_equal(rmdir(under), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs_run_where_they_may_be_started),
        cmocka_unit_test(test_programs_run_as_an_ordinary_user),
        cmocka_unit_test(test_a_fetch_works_with_network_and_not_without),
        cmocka_unit_test(test_the_processor_limit_cannot_be_ignored),
        cmocka_unit_test(test_limits_hold),
        cmocka_unit_test(test_nothing_can_be_taken_back),
        cmocka_unit_test(test_root_has_no_capabilities_in_there),
        cmocka_unit_test(test_a_folder_goes_with_all_that_is_in_it),
        cmocka_unit_test(test_what_a_killed_owner_left_goes_with_the_next_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
