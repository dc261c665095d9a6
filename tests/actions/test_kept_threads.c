/* A host that stays between questions, and its end: nothing of it, and no thread, outlives those
 * who wait for it, for what runs while a program is taken down can bring it down. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "actions/ask_int.h"
#include "domain/provider.h"
#include "actions/toolpool.h"

/* Stands in for the tool host: hears everything, says nothing, takes its time to end. */
static const char script[] = "#!/bin/sh\ncat >/dev/null\nsleep 0.3\n";

static int count_threads(void)
{
    int count = 0;
    DIR *all = opendir("/proc/self/task");
    assert_non_null(all);
    for (struct dirent *one; (one = readdir(all));)
        count += one->d_name[0] != '.';
    closedir(all);
    return count;
}

static void *do_nothing(void *unused)
{
    return unused;
}

/* ThreadSanitizer keeps a thread of its own from the first that a program starts. */
static int start_the_first(void **state)
{
    (void)state;
    pthread_t first;
    return pthread_create(&first, NULL, do_nothing, NULL) || pthread_join(first, NULL);
}

/* The kernel lists a thread for a moment after it was joined. */
static bool are_threads(int count)
{
    for (int i = 0; i < 1000 && count_threads() != count; i++)
        usleep(2000);
    return count_threads() == count;
}

static bool has_children(void)
{
    return waitpid(-1, NULL, WNOHANG) == 0;
}

/* A question that nobody answers: its host stays. */
static void ask_in_vain(struct kept_host *kept, const char *program)
{
    struct arena arena;
    struct json output;
    const char *why = NULL;
    mgi_arena_init(&arena, 0);
    struct action_provider provider = { .kind = "plugins",
                                        .name = STR_LIT("some"),
                                        .plugin = STR_LIT("/some.so") };
    struct action action = { .aid = STR_LIT("AID.A.B.v1"), .provider = &provider };
    const struct str input = STR_LIT("{}");
    struct action_question q = {
        .action = &action, .inputs = &input, .count = 1, .timeout_ms = 50, .kept = kept
    };
    assert_false(mgi_toolhost_ask(program, &q, &arena, &output, &why));
    assert_true(has_children());
    mgi_arena_fini(&arena);
}

static void end_with(struct farewells *farewells)
{
    char path[] = "/tmp/mangle-kept-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0 && dprintf(fd, "%s", script) > 0 && fchmod(fd, 0700) == 0);
    close(fd);
    struct action_source source = mgi_toolpool_actions(path);
    source.farewells = farewells;
    for (int i = 0; i < 3; i++) {
        struct kept_host *kept = source.keep(&source);
        assert_non_null(kept);
        ask_in_vain(kept, path);
        source.let_go(kept);
    }
    unlink(path);
}

static void test_who_waits_for_all_ends_has_none_left(void **state)
{
    (void)state;
    int before = count_threads();
    struct farewells *farewells = mgi_farewells_new();
    assert_non_null(farewells);
    end_with(farewells);
    mgi_farewells_free(farewells);
    assert_true(are_threads(before));
    assert_false(has_children());
}

static void test_who_frees_waits_where_nobody_else_does(void **state)
{
    (void)state;
    int before = count_threads();
    end_with(NULL);
    assert_true(are_threads(before));
    assert_false(has_children());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_waits_for_all_ends_has_none_left),
        cmocka_unit_test(test_who_frees_waits_where_nobody_else_does),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, start_the_first, NULL);
}
