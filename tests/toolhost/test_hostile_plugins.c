/* Tools that crash, hang, flood or lie cost one failed step, and the next call works (toolhost.md
 * 12.7). Each case has a session of its own; afterwards it is alive and has no process but its
 * worker. */
#include "host_session.h"

#include "base/utf8.h"

struct hostile_row {
    const char *label, *line, *want;
    const char *log; /* on standard error; NULL: anything */
    int max_ms;      /* for the answer; 0: no matter */
};

static const struct hostile_row hostile_rows[] = {
    { "C-098 T-ISO-13", ASK_HOSTILE("SEGV"), FAILURE("tool crashed: signal 11 (SIGSEGV)"), NULL,
      0 },
    { "C-100 T-ISO-13 T-ABI-22", ASK_HOSTILE("ABORT"), FAILURE("tool crashed: signal 6 (SIGABRT)"),
      NULL, 0 },
    { "C-101 T-RSP-6", ASK_HOSTILE("EXIT"), FAILURE("tool exited: code 0"), NULL, 0 },
    { "T-RSP-6", ASK_HOSTILE_WITH("EXIT", "\"inputs\":{\"code\":9}"),
      FAILURE("tool exited: code 9"), NULL, 0 },
    { "C-102 T-LIM-4", ASK_HOSTILE_WITH("HANG", "\"timeout_ms\":500"),
      FAILURE("tool timed out after 500 ms"), NULL, 1500 },
    { "C-104 T-LIM-6 T-ABI-24", ASK_HOSTILE_WITH("HANG_SIG", "\"timeout_ms\":500"),
      FAILURE("tool timed out after 500 ms"), NULL, 1500 },
    { "C-105 T-ISO-4", ASK_HOSTILE("FORK_RETURN"), OUTPUT("{\\\"forked\\\":true}"), NULL, 0 },
    { "C-106 T-LIM-6", ASK_HOSTILE_WITH("DAEMON", "\"timeout_ms\":300"),
      FAILURE("tool timed out after 300 ms"), NULL, 1300 },
    { "C-108 T-CLI-25", ASK_HOSTILE("PRINT"), OUTPUT("{}"),
      "[tool AID.HOSTILE.PRINT.v1] {\"ok\":true}\n"
      "[tool AID.HOSTILE.PRINT.v1] toolhost: error: ?[2Jlie?lie\n",
      0 },
    { "C-109 T-CLI-26", ASK_HOSTILE("PRINT_2MB"), OUTPUT("{}"),
      "[tool AID.HOSTILE.PRINT_2MB.v1] 2031616 bytes of output dropped\n", 0 },
    { "C-110 T-ABI-16 T-RSP-7", ASK_HOSTILE("OUT_2MB"),
      FAILURE("tool output too large: 2097152 bytes (limit 1048576)"), NULL, 0 },
#define TOO_MUCH FAILURE("tool output too large: 1048577 bytes (limit 1048576)")
    { "T-ABI-16", ASK_HOSTILE("APPEND_TOO_MUCH"), TOO_MUCH, NULL, 0 },
    { "T-ABI-16", ASK_HOSTILE_WITH("APPEND_TOO_MUCH", "\"inputs\":{\"then\":\"append\"}"), TOO_MUCH,
      NULL, 0 },
    { "T-ABI-16", ASK_HOSTILE_WITH("APPEND_TOO_MUCH", "\"inputs\":{\"then\":\"fail\"}"), TOO_MUCH,
      NULL, 0 },
    { "T-ABI-16", ASK_HOSTILE_WITH("APPEND_TOO_MUCH", "\"inputs\":{\"then\":\"set\"}"),
      OUTPUT("[\\\"small\\\"]"), NULL, 0 },
    { "C-112 T-RSP-4", ASK_HOSTILE("BADJSON"), FAILURE("tool returned invalid JSON output"), NULL,
      0 },
    { "C-113 T-RSP-4", ASK_HOSTILE("BADUTF8"), FAILURE("tool output is not valid UTF-8"), NULL, 0 },
    { "C-114 T-RSP-5", ASK_HOSTILE("BADERR"),
      "~\"error\":\"\xef\xbf\xbd"
      "eeee",
      NULL, 0 },
    { "T-ABI-13", ASK_HOSTILE_WITH("THREADS", "\"progress\":true"), OUTPUT("{}"),
      "[tool AID.HOSTILE.THREADS.v1] info: from a thread\n", 0 },
    { "C-116 T-RSP-6 T-ABI-24", ASK_HOSTILE("CLOSEFDS"),
      FAILURE("tool crashed: protocol violation"), NULL, 0 },
    { "C-118 T-ISO-2", ASK_HOSTILE("READSTDIN"), OUTPUT("{\\\"read\\\":0}"), NULL, 0 },
    { "C-120 T-ISO-13", ASK_HOSTILE("STACK"), FAILURE("tool crashed: signal 11 (SIGSEGV)"), NULL,
      0 },
    { "C-121 T-ISO-18", ASK_HOSTILE("BIGFILE"), OUTPUT("{\\\"efbig\\\":true}"), NULL, 0 },
    { "C-123", ASK_HOSTILE("KILLPARENT"), OUTPUT("{}"), NULL, 0 },
    { "C-130 T-LIM-5", ASK_HOSTILE_WITH("LATE", "\"timeout_ms\":200"),
      OUTPUT("{\\\"late\\\":true}"), NULL, 0 },
    { "T-LIM-5", ASK_HOSTILE_WITH("PUNCTUAL", "\"timeout_ms\":100"),
      FAILURE("tool timed out after 100 ms"), NULL, 0 },
    { "T-ISO-2", ASK_HOSTILE("FDS"), OUTPUT("[0,1,2,3,4]"), NULL, 0 },
#ifndef UNDER_ASAN
    { "C-119 T-ISO-18", ASK_HOSTILE("OOM"), FAILURE("tool crashed: signal 11 (SIGSEGV)"), NULL, 0 },
#endif
};

static void test_a_misbehaving_tool_costs_one_step(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof hostile_rows / sizeof *hostile_rows; i++) {
        const struct hostile_row *row = &hostile_rows[i];
        struct session s;
        session_start(&s, "hostile.so", NULL, PLAIN);
        check_alive(&s, row->label);
        int64_t before = test_now_ms();
        check(&s, row->label, row->line, row->want);
        if (row->max_ms && test_now_ms() - before > row->max_ms)
            fail_msg("%s took %lld ms", row->label, (long long)(test_now_ms() - before));
        check(&s, row->label, ASK("ECHO"), "~\"output_json\":\"{}\",\"error\":\"\"," NO_CHANGE);
        pid_t one;
        if (test_children(s.pid, &one) != 1)
            fail_msg("%s left a process behind", row->label);
        session_close_input(&s);
        assert_int_equal(session_wait_end(&s, 5000), 0);
        assert_int_equal(s.out_bytes.len, 0); /* exactly one answer each */
        if (row->log && !strstr(mgi_buf_view(&s.err_bytes).ptr, row->log))
            fail_msg("%s: standard error is\n%.300s", row->label, s.err_bytes.ptr);
        session_free(&s);
    }
}

static void test_nothing_is_registered_after_init(void **state)
{
    (void)state;
    struct session s;
    session_start(&s, "hostile.so", NULL, PLAIN);
    for (int i = 0; i < 3; i++) {
        check(&s, "T-ABI-12", ASK_HOSTILE("REGISTER_LATE"), OUTPUT("{\\\"rc\\\":-1}"));
        check(&s, "T-ABI-12", ASK_HOSTILE("AFTERWARDS"), "~\"error\":\"tool not found");
        check_alive(&s, "T-ABI-12");
    }
    assert_int_equal(session_end(&s), 0);
}

static void test_noise_on_the_private_socket_never_reaches_the_answers(void **state)
{
    (void)state;
    struct session s;
    session_start(&s, "hostile.so", NULL, PLAIN);
    for (int i = 0; i < 2; i++) {
        const char *answer = ask(&s, ASK_HOSTILE_WITH("FORGE", "\"timeout_ms\":1000"));
        assert_true(mgi_utf8_valid(str_of(answer), NULL)); /* C-117 T-ISO-3 */
        assert_true(test_matches(answer, OUTPUT("{}")) ||
                    test_matches(answer, "{\"ok\":false,\"status\":\"TOOL_ERROR\"*"));
        check_alive(&s, "C-117");
    }
    check(&s, "T-ISO-3: speaking unasked", ASK_HOSTILE("SPEAK_LATER"), OUTPUT("{}"));
    test_sleep_ms(200);
    check_alive(&s, "T-ISO-3");
    assert_int_equal(session_end(&s), 0);
}

static void test_a_daemon_is_gone_when_its_call_has_ended(void **state)
{
    (void)state;
    struct session s;
    pid_t one;
    session_start(&s, "hostile.so", NULL, PLAIN);
    for (int i = 0; i < 20; i++) {
        check(&s, "T-LIM-6", ASK_HOSTILE_WITH("DAEMON", "\"inputs\":{\"return\":true}"),
              OUTPUT("{}"));
        assert_int_equal(test_children(s.pid, &one), 1); /* the worker */
    }
    assert_int_equal(session_end(&s), 0);
}

static void test_a_fork_bomb_is_contained(void **state)
{
    (void)state;
    struct session s;
    pid_t one;
    session_start(&s, "hostile.so", NULL, AS_NOBODY);
    if (!ask(&s, ASK("ECHO"))) { /* the build folder is closed to other users */
        session_wait_end(&s, 5000);
        session_free(&s);
        skip();
    }
    check(&s, "C-107 T-ISO-18", ASK_HOSTILE("FORKBOMB"), "~{\\\"made\\\":3");
    kill_worker_of(s.pid);
    check_alive(&s, "C-107 T-LIM-6");
    assert_int_equal(test_children(s.pid, &one), 1);
    check(&s, "C-084 T-ISO-19", ASK_HOSTILE("SPY"), OUTPUT("{\\\"readable\\\":false}"));
    assert_int_equal(session_end(&s), 0);
}

/* A user who runs more processes than a worker may start has not used its limit up. */
static void test_other_processes_of_the_user_do_not_count(void **state)
{
    (void)state;
    enum { OTHERS = 40 };
    pid_t others[OTHERS], self = getpid();
    struct session s;
    if (getuid() != 0)
        skip(); /* another user id is needed, to be alone with it */
    for (int i = 0; i < OTHERS; i++) {
        others[i] = fork();
        if (others[i] == 0) {
            if (!test_become_nobody(self))
                _exit(1);
            pause();
            _exit(0);
        }
    }
    test_sleep_ms(200);
    session_start(&s, "hostile.so", NULL, AS_NOBODY);
    const char *answer = ask(&s, ASK_HOSTILE("THREADS"));
    bool served = answer != NULL; /* the build folder may be closed to other users */
    if (served)
        check_text("C-242 T-ISO-18", "", answer, OUTPUT("{}"));
    for (int i = 0; i < OTHERS; i++) {
        kill(others[i], SIGKILL);
        waitpid(others[i], NULL, 0);
    }
    if (!served) {
        session_wait_end(&s, 5000);
        session_free(&s);
        skip();
    }
    assert_int_equal(session_end(&s), 0);
}

static void test_running_as_root_is_warned_of_once(void **state)
{
    (void)state;
    static const char warning[] = "toolhost: warn: running as user id 0: the process limit";
    struct session s;
    if (getuid() != 0)
        skip();
    session_start(&s, "hostile.so", NULL, PLAIN);
    check(&s, "T-ISO-6", ASK_HOSTILE("SEGV"), FAILURE("tool crashed: signal 11 (SIGSEGV)"));
    check_alive(&s, "T-ISO-6");
    session_close_input(&s);
    assert_int_equal(session_wait_end(&s, 5000), 0);
    const char *first = strstr(s.err_bytes.ptr, warning); /* T-ISO-6 */
    assert_non_null(first);
    assert_null(strstr(first + 1, warning));
    session_free(&s);
}

#ifndef UNDER_ASAN /* its shadow memory takes too long to search */
static void test_no_token_is_found_in_a_worker(void **state)
{
    (void)state;
    char token[64], line[256];
    struct session s;
    session_start(&s, "hostile.so", NULL, PLAIN);
    test_member(ask(&s, "{\"aid\":\"_lease.issue\",\"tool_aid\":\"*\"}"), "token_id", token,
                sizeof token);
    check(&s, "C-084 T-ISO-1", ASK_HOSTILE("SEGV"), FAILURE("tool crashed: signal 11 (SIGSEGV)"));
    snprintf(line, sizeof line, ASK_HOSTILE_WITH("SCAN", "\"_lease_token\":\"%s\""), token);
    check(&s, "C-084 T-LEASE-15", line, OUTPUT("{\\\"tokens\\\":0}"));
    snprintf(line, sizeof line, ASK_HOSTILE_WITH("SCAN", "\"inputs\":{\"t\":\"%s\"}"), token);
    const char *answer = ask(&s, line); /* the search does find one that is there */
    assert_true(test_matches(answer, "{\"ok\":true*") && !strstr(answer, "\\\"tokens\\\":0"));
    assert_int_equal(session_end(&s), 0);
}
#endif

static void test_the_environment_is_clean(void **state)
{
    (void)state;
    static const char *const env[] = { "SECRET_TOKEN=s",
                                       "MACHINA_LEASE_ISSUE=inband",
                                       "MACHINA_API_TOKEN=s",
                                       "LD_DEBUG=",
                                       "LC_ALL=C",
                                       "MACHINA_TOOL_X=1",
                                       NULL };
    struct session s;
    session_start(&s, "hostile.so", env, PLAIN);
    check(&s, "C-128 T-ISO-18", ASK_HOSTILE("ENV"),
          OUTPUT("[\\\"LC_ALL\\\",\\\"MACHINA_TOOL_X\\\",\\\"PATH\\\"]"));
    assert_int_equal(session_end(&s), 0);
}

static void test_directory_and_masks_are_restored(void **state)
{
    (void)state;
    char before[1024], after[1024];
    struct session s;
    session_start(&s, "hostile.so", NULL, PLAIN);
    test_member(ask(&s, ASK("FACTS")), "output_json", before, sizeof before);
    check(&s, "C-122 T-ISO-5", ASK_HOSTILE("CHDIR"), OUTPUT("{}"));
    test_member(ask(&s, ASK("FACTS")), "output_json", after, sizeof after);
    assert_string_equal(before, after);
    assert_int_equal(session_end(&s), 0);
}

static void test_state_survives_the_worker(void **state)
{
    (void)state;
    struct session s;
    session_start(&s, "hostile.so", NULL, PLAIN);
    check_alive(&s, "T-ISO-13");
    for (int i = 0; i < 3; i++) {
        check(&s, "T-ISO-14", ASK_HOSTILE("SEGV"), FAILURE("tool crashed: signal 11 (SIGSEGV)"));
        check(&s, "T-TX-2", ASK("ECHO"), "~" NO_CHANGE);
    }
    assert_int_equal(session_end(&s), 0);
}

static bool copy_file(const char *from, const char *to, int flags)
{
    char chunk[65536];
    ssize_t n = 0;
    int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | flags, 0755);
    while (in >= 0 && out >= 0 && (n = read(in, chunk, sizeof chunk)) > 0)
        if (write(out, chunk, (size_t)n) != n)
            break;
    close(in);
    close(out);
    return n == 0;
}

static void test_the_code_that_runs_is_the_code_that_was_checked(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("plugin.so"));
    assert_true(copy_file(PLUGIN_FOLDER "hostile.so", path, O_TRUNC));
    const char *const argv[] = { "toolhost", "--serve", path, NULL };
    struct session s;
    session_exec(&s, argv, NULL, PLAIN);
    check_alive(&s, "C-126");
    assert_true(copy_file(PLUGIN_FOLDER "bad_noabi.so", path, O_TRUNC)); /* in place */
    check(&s, "C-126", ASK_HOSTILE("SEGV"), FAILURE("tool crashed: signal 11 (SIGSEGV)"));
    check_alive(&s, "C-126 T-ISO-16");
    assert_int_equal(session_end(&s), 0);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_misbehaving_tool_costs_one_step),
        cmocka_unit_test(test_nothing_is_registered_after_init),
        cmocka_unit_test(test_noise_on_the_private_socket_never_reaches_the_answers),
        cmocka_unit_test(test_a_daemon_is_gone_when_its_call_has_ended),
        cmocka_unit_test(test_a_fork_bomb_is_contained),
#ifndef UNDER_ASAN
        cmocka_unit_test(test_no_token_is_found_in_a_worker),
#endif
        cmocka_unit_test(test_other_processes_of_the_user_do_not_count),
        cmocka_unit_test(test_running_as_root_is_warned_of_once),
        cmocka_unit_test(test_the_environment_is_clean),
        cmocka_unit_test(test_directory_and_masks_are_restored),
        cmocka_unit_test(test_state_survives_the_worker),
        cmocka_unit_test(test_the_code_that_runs_is_the_code_that_was_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
