/* Control groups: where one may be made, that what is started in it is found and ended whatever it
 * does, that confined code cannot leave it, and that none is left behind. What runs in a group is
 * this program again, with a word that says what to do.
 *
 * Skipped where the machine has no version 2 tree in which this process may make one. */
#include "confined.h"

#include <sys/xattr.h>

#include "confine/confine_int.h"
#include "confine/group.h"

enum { LIFE_S = 20 }; /* of what runs in a group, should nobody end it */

/* ---- what runs in a group ------------------------------------------------------------------- */

/* Eight chains of processes, each of which starts the next one and ends: whoever lists them and
 * then kills what it listed finds nobody at home. */
static int hop(void)
{
    time_t until = time(NULL) + LIFE_S;
    signal(SIGCHLD, SIG_IGN);
    for (int chain = 0; chain < 8; chain++)
        if (fork() == 0) {
            setsid();
            while (time(NULL) < until)
                if (fork() > 0)
                    _exit(0);
            _exit(0);
        }
    sleep(LIFE_S);
    return 0;
}

/* Two more, one of them a daemon. */
static int parents(void)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            sleep(LIFE_S);
        _exit(0);
    }
    if (fork() == 0) {
        sleep(LIFE_S);
        _exit(0);
    }
    sleep(LIFE_S);
    return 0;
}

static int join(const char *folder)
{
    char path[CONFINE_GROUP_MAX + 16];
    if (snprintf(path, sizeof path, "%s/cgroup.procs", folder) >= (int)sizeof path)
        return ENAMETOOLONG;
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    int rc = fd < 0 ? errno : outcome(write(fd, "0", 1));
    if (fd >= 0)
        close(fd);
    return rc;
}

static int confined_join(const char *folder)
{
    struct confine_plan plan;
    const struct trial widest = { .may = CONFINE_READ | CONFINE_WRITE | CONFINE_SPAWN |
                                         CONFINE_NETWORK };
    return trial_enter(&widest, &plan) ? ENTER_FAILED : join(folder);
}

/* Tasks until it may have no more of them. */
static int count_tasks(void)
{
    int made = 0;
    for (; made < 100; made++) {
        pid_t pid = fork();
        if (pid < 0)
            break;
        if (pid == 0) {
            sleep(LIFE_S);
            _exit(0);
        }
    }
    return made;
}

static int make_and_be_killed(void)
{
    struct confine_group g;
    if (!mgi_confine_group_make(&g))
        return 1;
    if (fork() == 0) { /* a member that outlives us, and holds no lock */
        close(g.fd);
        join(g.path);
        setsid();
        sleep(LIFE_S);
        _exit(0);
    }
    printf("%s\n", g.path);
    fflush(stdout);
    sleep(LIFE_S);
    return 1;
}

static int play(char **argv)
{
    if (strcmp(argv[1], "hop") == 0)
        return hop();
    if (strcmp(argv[1], "parents") == 0)
        return parents();
    if (strcmp(argv[1], "join") == 0)
        return join(argv[2]);
    if (strcmp(argv[1], "confined_join") == 0)
        return confined_join(argv[2]);
    if (strcmp(argv[1], "count") == 0)
        return count_tasks();
    if (strcmp(argv[1], "make") == 0)
        return make_and_be_killed();
    return (int)sleep(LIFE_S);
}

/* ---- groups --------------------------------------------------------------------------------- */

struct role {
    const char *words[4];
    bool as_nobody;
};

__attribute__((no_sanitize_address)) static void become_role(const void *context)
{
    const struct role *r = context;
    char *const env[] = { NULL };
    if (r->as_nobody && (setgroups(0, NULL) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
        return;
    execve("/proc/self/exe", (char *const *)(uintptr_t)r->words, env);
}

static pid_t start(const struct confine_group *g, const char *what, const char *argument)
{
    const struct role role = { { "test_group", what, argument, NULL }, false };
    pid_t pid = mgi_confine_group_start(g, become_role, &role);
    assert_true(pid > 0);
    return pid;
}

static size_t members(const struct confine_group *g)
{
    char chunk[65536];
    size_t count = 0;
    ssize_t n = pread(g->members, chunk, sizeof chunk, 0);
    for (ssize_t i = 0; i < n; i++)
        count += chunk[i] == '\n';
    return count;
}

static void await_members(const struct confine_group *g, size_t count)
{
    for (int i = 0; i < 1000 && members(g) != count; i++)
        usleep(5000);
    assert_int_equal(members(g), count);
}

static bool is_member(const struct confine_group *g, pid_t pid)
{
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/%d/cgroup", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    return strstr(text, strrchr(g->path, '/')) != NULL;
}

static int end_of(pid_t pid)
{
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
}

static void make(struct confine_group *g)
{
    char place[CONFINE_GROUP_MAX];
    bool delegated;
    if (!mgi_confine_group_place(place, &delegated))
        skip();
    assert_true(mgi_confine_group_make(g));
    assert_int_equal(strncmp(g->path, place, strlen(place)), 0);
}

static void remove_it(struct confine_group *g)
{
    char path[CONFINE_GROUP_MAX];
    snprintf(path, sizeof path, "%s", g->path);
    mgi_confine_group_remove(g);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(g->fd, -1);
    mgi_confine_group_remove(g); /* once more is fine */
}

/* ---- where ---------------------------------------------------------------------------------- */

static void test_a_line_of_mounts_says_where_a_group_is(void **state)
{
    (void)state;
    static const struct {
        const char *line, *own, *want; /* NULL: not there */
    } rows[] = {
        { "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "/", "/sys/fs/cgroup" },
        { "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "/a.slice/b",
          "/sys/fs/cgroup/a.slice/b" },
        { "31 23 0:28 / /sys/fs/cgroup rw,x shared:4 - cgroup2 none rw\n", "/a",
          "/sys/fs/cgroup/a" },
        { "31 23 0:28 /box /cg rw - cgroup2 cgroup2 rw\n", "/box/in", "/cg/in" },
        { "31 23 0:28 /box /cg rw - cgroup2 cgroup2 rw\n", "/box", "/cg" },
        { "31 23 0:28 /box /cg rw - cgroup2 cgroup2 rw\n", "/boxes", NULL },
        { "31 23 0:28 /box /cg rw - cgroup2 cgroup2 rw\n", "/", NULL },
        { "31 23 0:28 / /my\\040cg rw - cgroup2 cgroup2 rw\n", "/a", "/my cg/a" },
        { "31 23 0:28 / /sys/fs/cgroup rw - cgroup cgroup rw,pids\n", "/a", NULL },
        { "31 23 0:28 / /a rw - tmpfs cgroup2 rw\n", "/a", NULL },
        { "cgroup2\n", "/a", NULL },
        { "", "/a", NULL },
    };
    char out[64];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool found = mgi_confine_group_folder(rows[i].line, rows[i].own, out, sizeof out);
        assert_int_equal(found, rows[i].want != NULL);
        if (found)
            assert_string_equal(out, rows[i].want);
    }
    char own[80] = "/";
    memset(own + 1, 'x', sizeof own - 2);
    assert_false(mgi_confine_group_folder(rows[0].line, own, out, sizeof out)); /* no room */
}

/* A folder in the place of this process, as root would give it to a user; NULL: cannot. */
static char *give_folder(char *path, size_t cap)
{
    char place[CONFINE_GROUP_MAX], procs[CONFINE_GROUP_MAX + 64];
    bool delegated;
    if (getuid() != 0 || !mgi_confine_group_place(place, &delegated))
        return NULL;
    if (snprintf(path, cap, "%s/test-group-XXXXXX", place) >= (int)cap || !mkdtemp(path))
        return NULL;
    snprintf(procs, sizeof procs, "%s/cgroup.procs", path);
    assert_int_equal(chown(path, NOBODY, NOBODY), 0);
    assert_int_equal(chown(procs, NOBODY, NOBODY), 0);
    return path;
}

/* In a child that is in `inside` and an ordinary user: its exit status. */
static int as_nobody_in(const char *inside, int (*what)(void))
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        if (join(inside) != 0)
            _exit(PLAN_FAILED);
        trial_become_nobody();
        _exit(what());
    }
    return end_of(pid);
}

static int make_one(void)
{
    struct confine_group g;
    if (!mgi_confine_group_make(&g))
        return 1;
    pid_t pid = start(&g, "parents", NULL);
    await_members(&g, 3);
    bool good = mgi_confine_group_end(&g, NULL, 0) && end_of(pid) == SIGNALLED + SIGKILL;
    remove_it(&g);
    return good ? 0 : 2;
}

static int run_all(void)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(null, 1);
    dup2(null, 2);
    execl("/proc/self/exe", "test_group", (char *)NULL);
    return PLAN_FAILED;
}

static void remove_folder_of_test(const char *path)
{
    for (int i = 0; i < 1000 && rmdir(path) != 0; i++)
        usleep(5000); /* who was in it is not forgotten at once */
    assert_int_not_equal(access(path, F_OK), 0);
}

static void test_an_ordinary_user_may_where_he_was_given_a_folder(void **state)
{
    (void)state;
    char path[CONFINE_GROUP_MAX];
    if (!give_folder(path, sizeof path))
        skip();
    assert_int_equal(as_nobody_in(path, make_one), 0);
    assert_int_equal(as_nobody_in(path, run_all), 0); /* all of this, as that user */
    assert_int_equal(chown(path, 0, 0), 0);
    assert_int_equal(as_nobody_in(path, make_one), 1); /* and not where not */
    remove_folder_of_test(path);
}

static int place_is_delegated(void)
{
    char place[CONFINE_GROUP_MAX];
    bool delegated;
    return mgi_confine_group_place(place, &delegated) && delegated ? make_one() : 3;
}

static void test_beside_the_own_group_where_the_one_above_was_given(void **state)
{
    (void)state;
    char above[CONFINE_GROUP_MAX], own[CONFINE_GROUP_MAX + 8];
    if (!give_folder(above, sizeof above))
        skip();
    snprintf(own, sizeof own, "%s/main", above);
    assert_int_equal(mkdir(own, 0755), 0);
    if (setxattr(above, "user.delegate", "1", 1, 0) != 0) {
        remove_folder_of_test(own);
        remove_folder_of_test(above);
        skip();
    }
    assert_int_equal(as_nobody_in(own, place_is_delegated), 0);
    remove_folder_of_test(own);
    remove_folder_of_test(above);
}

/* ---- members -------------------------------------------------------------------------------- */

static void test_what_is_started_in_it_ends_with_it(void **state)
{
    (void)state;
    struct confine_group g;
    make(&g);
    assert_true(mgi_confine_group_end(&g, NULL, 0)); /* nobody there */
    for (int i = 0; i < 3; i++) {                    /* it can be used again */
        pid_t pid = start(&g, "parents", NULL);
        assert_true(is_member(&g, pid));
        await_members(&g, 3);
        assert_true(mgi_confine_group_end(&g, NULL, 0));
        assert_int_equal(members(&g), 0);
        assert_int_equal(end_of(pid), SIGNALLED + SIGKILL);
    }
    remove_it(&g);
}

static void test_who_is_spared_lives_on(void **state)
{
    (void)state;
    struct confine_group g;
    make(&g);
    pid_t one = start(&g, "stay", NULL), other = start(&g, "parents", NULL);
    await_members(&g, 4);
    pid_t kept[] = { other, one };
    assert_true(mgi_confine_group_end(&g, kept, 2));
    assert_int_equal(members(&g), 2);
    assert_true(mgi_confine_group_end(&g, kept + 1, 1));
    assert_int_equal(members(&g), 1);
    assert_int_equal(kill(one, SIGTERM), 0); /* it is not frozen any more */
    assert_int_equal(end_of(one), SIGNALLED + SIGTERM);
    assert_int_equal(end_of(other), SIGNALLED + SIGKILL);
    remove_it(&g);
}

static void test_nobody_outruns_it(void **state)
{
    (void)state;
    struct confine_group g;
    make(&g);
    for (int i = 0; i < 3; i++) {
        pid_t pid = start(&g, "hop", NULL);
        pid_t kept[] = { start(&g, "stay", NULL) };
        for (int tries = 0; members(&g) < 3 && tries < 1000; tries++)
            usleep(5000); /* until it hops */
        assert_true(members(&g) >= 3);
        assert_true(mgi_confine_group_end(&g, kept, i == 0 ? 0 : 1));
        assert_int_equal(members(&g), i == 0 ? 0 : 1);
        assert_int_equal(end_of(pid), SIGNALLED + SIGKILL);
        kill(kept[0], SIGKILL);
        end_of(kept[0]);
    }
    remove_it(&g);
}

/* The widest rights there are do not reach the file system of groups. */
static void test_confined_code_cannot_leave_it(void **state)
{
    (void)state;
    struct confine_group g;
    char above[CONFINE_GROUP_MAX];
    if (!kernel_has(1))
        skip();
    make(&g);
    snprintf(above, sizeof above, "%s", g.path);
    *strrchr(above, '/') = '\0';
    assert_int_equal(end_of(start(&g, "confined_join", above)), EACCES);
    assert_int_equal(end_of(start(&g, "confined_join", g.path)), EACCES);
    assert_int_equal(end_of(start(&g, "join", above)), 0); /* unconfined, it could */
    remove_it(&g);
}

/* ---- limits --------------------------------------------------------------------------------- */

static void expect_file(int at, const char *name, const char *want)
{
    char text[64] = "";
    int fd = openat(at, name, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0 && read(fd, text, sizeof text - 1) >= 0);
    close(fd);
    assert_string_equal(text, want);
}

/* The bytes that are written, in a plain folder: which controllers a machine hands out is not ours
 * to choose. */
static void test_limits_are_said_where_there_is_a_controller(void **state)
{
    (void)state;
    char path[] = "/tmp/test-group-XXXXXX";
    assert_non_null(mkdtemp(path));
    struct confine_group g = CONFINE_NO_GROUP;
    mgi_confine_group_limit(&g, 5, 1 << 20); /* no group: nothing happens */
    g.fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    mgi_confine_group_limit(&g, 5, 1 << 20); /* no such files: likewise */
    assert_false(g.counts_tasks);
    const char *const names[] = { "pids.max", "memory.max" };
    for (int i = 0; i < 2; i++)
        close(openat(g.fd, names[i], O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    mgi_confine_group_limit(&g, 0, 0);
    expect_file(g.fd, "pids.max", "");
    mgi_confine_group_limit(&g, 32, UINT64_C(1) << 30);
    assert_true(g.counts_tasks);
    expect_file(g.fd, "pids.max", "32");
    expect_file(g.fd, "memory.max", "1073741824");
    for (int i = 0; i < 2; i++)
        unlinkat(g.fd, names[i], 0);
    close(g.fd);
    rmdir(path);
}

static void test_the_kernel_counts_tasks_of_root_too(void **state)
{
    (void)state;
    struct confine_group g;
    make(&g);
    if (faccessat(g.fd, "pids.max", W_OK, 0) != 0) {
        remove_it(&g);
        skip();
    }
    mgi_confine_group_limit(&g, 10, 0);
    assert_true(g.counts_tasks);
    int made = end_of(start(&g, "count", NULL));
    mgi_confine_group_end(&g, NULL, 0);
    remove_it(&g);
    assert_int_equal(made, 9);
}

/* ---- its maker ------------------------------------------------------------------------------ */

static pid_t start_maker(char *path, size_t cap)
{
    int out[2];
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(out[1], 1);
        execl("/proc/self/exe", "test_group", "make", (char *)NULL);
        _exit(1);
    }
    close(out[1]);
    ssize_t n = read(out[0], path, cap - 1);
    close(out[0]);
    assert_true(n > 1);
    path[n - 1] = '\0';
    return pid;
}

static void test_what_a_killed_maker_left_goes_with_the_next_one(void **state)
{
    (void)state;
    struct confine_group g;
    char path[CONFINE_GROUP_MAX];
    make(&g);
    remove_it(&g);
    pid_t maker = start_maker(path, sizeof path);
    struct confine_group theirs = CONFINE_NO_GROUP;
    snprintf(theirs.path, sizeof theirs.path, "%s", path);
    theirs.fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    theirs.members = openat(theirs.fd, "cgroup.procs", O_RDONLY | O_CLOEXEC);
    await_members(&theirs, 1);
    make(&g);
    assert_int_equal(members(&theirs), 1); /* its maker lives */
    remove_it(&g);
    kill(maker, SIGKILL);
    assert_int_equal(end_of(maker), SIGNALLED + SIGKILL);
    assert_int_equal(access(path, F_OK), 0);
    make(&g);
    assert_int_not_equal(access(path, F_OK), 0);
    remove_it(&g);
    close(theirs.fd);
    close(theirs.members);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_line_of_mounts_says_where_a_group_is),
        cmocka_unit_test(test_an_ordinary_user_may_where_he_was_given_a_folder),
        cmocka_unit_test(test_beside_the_own_group_where_the_one_above_was_given),
        cmocka_unit_test(test_what_is_started_in_it_ends_with_it),
        cmocka_unit_test(test_who_is_spared_lives_on),
        cmocka_unit_test(test_nobody_outruns_it),
        cmocka_unit_test(test_confined_code_cannot_leave_it),
        cmocka_unit_test(test_limits_are_said_where_there_is_a_controller),
        cmocka_unit_test(test_the_kernel_counts_tasks_of_root_too),
        cmocka_unit_test(test_what_a_killed_maker_left_goes_with_the_next_one),
    };
    if (argc > 1)
        _exit(play(argv)); /* a sanitizer's last look does not work confined */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
