/* The end of a call by itself: who is ended of the processes that a worker left, who stays, and how
 * much of /proc is read to know. This program plays the host, a child of it the worker; the file is
 * compiled into it, because the host is a program and no library. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/prctl.h>

#include "toolhost/process.c"

#define WIDTH 6               /* children of the helper, each with one of its own */
#define ALL   (2 + 2 * WIDTH) /* the stray, the helper, and its tree */

/* What a process says of itself as it begins. */
struct word {
    pid_t pid;
    bool stray, helper;
};

/* It begins with `live`, and then does nothing. */
static pid_t start(int out, struct word word, void (*live)(int out))
{
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    word.pid = getpid();
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); /* where a test fails, nothing is left */
    if (write(out, &word, sizeof word) != (ssize_t)sizeof word)
        _exit(1);
    if (live)
        live(out);
    for (;;)
        pause();
}

static void live_as_child(int out)
{
    start(out, (struct word){ 0 }, NULL);
}

static void live_as_helper(int out)
{
    for (int i = 0; i < WIDTH; i++)
        start(out, (struct word){ 0 }, live_as_child);
}

static void live_as_worker(int out)
{
    start(out, (struct word){ .helper = true }, live_as_helper);
    start(out, (struct word){ .stray = true }, NULL);
}

static bool lives(pid_t pid)
{
    char text[512];
    const char *at = proc_read(pid, "stat", text, sizeof text) ? strrchr(text, ')') : NULL;
    return at && at[2] != 'Z' && at[2] != 'X';
}

/* A worker with all its processes, and what is to stay of them. */
struct left {
    struct word all[ALL];
    struct kept_process kept;
    struct pid_list keep;
    struct parents parents;
    struct sweep sweep;
    pid_t before;
};

static void begin(struct left *left)
{
    int ends[2];
    *left = (struct left){ .kept.tree = true };
    int loadavg = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    assert_true(mgi_children(&left->keep));
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    left->before = mgi_newest_process(loadavg);
    pid_t worker = start(ends[1], (struct word){ 0 }, live_as_worker);
    struct word word; /* the worker's own, first */
    assert_int_equal(read(ends[0], &word, sizeof word), sizeof word);
    for (size_t i = 0; i < ALL; i++) {
        assert_int_equal(read(ends[0], &left->all[i], sizeof word), sizeof word);
        if (left->all[i].helper)
            left->kept.pid = left->all[i].pid;
    }
    close(ends[0]);
    close(ends[1]);
    left->sweep = (struct sweep){ .worker = worker,
                                  .keep = &left->keep,
                                  .kept = &left->kept,
                                  .kept_count = 1,
                                  .newest_fd = loadavg,
                                  .parents = &left->parents };
}

static void end(struct left *left)
{
    assert_true(mgi_sweep(&left->keep));
    mgi_pids_fini(&left->keep);
    close(left->sweep.newest_fd);
}

static size_t ancestors(void)
{
    size_t count = 0;
    for (pid_t pid = getpid(); pid > 1; pid = parent_of(pid))
        count++;
    return count;
}

static void test_who_stays_is_known_by_reading_each_process_once(void **state)
{
    (void)state;
    struct left left;
    begin(&left);
    for (size_t i = 0; i < ALL; i++)
        assert_int_equal(mgi_sweep_spares(&left.sweep, left.all[i].pid), !left.all[i].stray);
    assert_in_range(left.parents.asked, ALL, ALL + 1 + ancestors()); /* and the worker */
    end(&left);
}

static void test_a_stray_ends_and_a_tree_stays(void **state)
{
    (void)state;
    struct left left;
    begin(&left);
    pid_t from = left.before;
    assert_true(mgi_sweep_since(&left.sweep, &from));
    assert_true(from > left.before);
    for (size_t i = 0; i < ALL; i++)
        assert_int_equal(lives(left.all[i].pid), !left.all[i].stray);
    end(&left);
}

/* Nothing that was read before is believed: the children of one that has ended are nobody's. */
static void test_who_loses_its_parent_leaves_the_tree(void **state)
{
    (void)state;
    struct left left;
    begin(&left);
    pid_t from = left.before;
    assert_true(mgi_sweep_since(&left.sweep, &from));
    kill(left.kept.pid, SIGKILL);
    for (int i = 0; i < 1000 && lives(left.kept.pid); i++)
        usleep(1000);
    from = left.before;
    assert_true(mgi_sweep_since(&left.sweep, &from));
    for (size_t i = 0; i < ALL; i++)
        assert_false(lives(left.all[i].pid));
    end(&left);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_stays_is_known_by_reading_each_process_once),
        cmocka_unit_test(test_a_stray_ends_and_a_tree_stays),
        cmocka_unit_test(test_who_loses_its_parent_leaves_the_tree),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
