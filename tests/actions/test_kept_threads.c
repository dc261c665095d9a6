/* A host that stays between questions, and its end: nothing of it, and no thread, outlives those
 * who wait for it, for what runs while a program is taken down can bring it down. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
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

static void write_program(char *path, const char *text)
{
    int fd = mkstemp(path);
    assert_true(fd >= 0 && dprintf(fd, "%s", text) > 0 && fchmod(fd, 0700) == 0);
    close(fd);
}

static void end_with(struct farewells *farewells)
{
    char path[] = "/tmp/mangle-kept-XXXXXX";
    write_program(path, script);
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

/* What was not read of a question is not written on from where the next one stands. */
static void test_who_answers_before_he_was_asked_is_asked_anew(void **state)
{
    (void)state;
    char path[] = "/tmp/mangle-kept-XXXXXX";
    signal(SIGPIPE, SIG_IGN); /* as programs that ask do */
    write_program(path, "#!/bin/sh\necho '{}'\nsleep 0.2\ncat >/dev/null\n");
    struct action_source source = mgi_toolpool_actions(path);
    struct kept_host *kept = source.keep(&source);
    struct action_provider provider = { .kind = "plugins",
                                        .name = STR_LIT("some"),
                                        .plugin = STR_LIT("/some.so") };
    struct action action = { .aid = STR_LIT("AID.A.B.v1"), .provider = &provider };
    for (size_t i = 1; i <= 3; i++) {
        struct arena arena;
        struct json output;
        const char *why = NULL;
        size_t len = i << 21;
        mgi_arena_init(&arena, 0);
        char *text = mgi_arena_calloc(&arena, 1, len);
        memset(text, ' ', len);
        memcpy(text, "{}", 2);
        const struct str input = { text, len };
        struct action_question q = {
            .action = &action, .inputs = &input, .count = 1, .timeout_ms = 5000, .kept = kept
        };
        assert_false(mgi_toolhost_ask(path, &q, &arena, &output, &why));
        assert_non_null(why);
        mgi_arena_fini(&arena);
    }
    source.let_go(kept);
    assert_false(has_children());
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_waits_for_all_ends_has_none_left),
        cmocka_unit_test(test_who_frees_waits_where_nobody_else_does),
        cmocka_unit_test(test_who_answers_before_he_was_asked_is_asked_anew),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, start_the_first, NULL);
}
