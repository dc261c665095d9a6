/* Peers that do not read: of answers, of the control channel, of standard error. The host keeps
 * serving everybody else (T-CLI-12, T-CLI-28, T-REQ-8). */
#include "host_session.h"

/* One line of `fd` alone; nothing else of the session is read. The caller's buffer is filled. */
static void read_line_of(int fd, char *line, size_t cap)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    size_t len = 0;
    for (;;) {
        assert_int_equal(poll(&p, 1, READ_LIMIT_MS), 1);
        assert_int_equal(read(fd, line + len, 1), 1);
        if (line[len] == '\n')
            break;
        if (len + 1 < cap)
            len++;
    }
    line[len] = '\0';
}

static void write_raw(int fd, const char *text)
{
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

/* A session whose last answer nobody reads: half a megabyte, and a pipe holds 64 KB. */
static void start_with_unread_answer(struct session *s)
{
    session_start(s, "ok.so", NULL, WITH_CONTROL);
    check_alive(s, "T-CLI-12");
    write_raw(s->in, ASK_WITH("BLOB", "\"inputs\":{\"count\":500000,\"char\":\"b\"}") "\n");
    test_sleep_ms(200);
}

static void test_a_slow_reader_delays_nobody_else(void **state)
{
    (void)state;
    char line[256];
    struct session s;
    start_with_unread_answer(&s);
    write_raw(s.control, "{\"aid\":\"_lease.gc\"}\n");
    read_line_of(s.control, line, sizeof line);
    assert_string_equal(line,
                        "{\"ok\":true,\"active\":0,\"issued\":0,\"consumed\":0,\"rejected\":0}");
    check_text("T-CLI-12", "", session_read(&s), "{\"ok\":true*");
    check_alive(&s, "T-CLI-12");
    assert_int_equal(session_end(&s), 0);
}

static void test_a_signal_does_not_wait_for_a_slow_reader(void **state)
{
    (void)state;
    struct session s;
    start_with_unread_answer(&s);
    kill(s.pid, SIGTERM);
    int64_t until = test_now_ms() + 2500; /* T-CLI-22, with nothing read meanwhile */
    while (waitpid(s.pid, &s.end_status, WNOHANG) == 0) {
        assert_true(test_now_ms() < until);
        test_sleep_ms(10);
    }
    assert_true(WIFEXITED(s.end_status));
    assert_int_equal(WEXITSTATUS(s.end_status), 1); /* the answer could not be written */
    session_free(&s);
}

static void test_unread_events_close_the_control_channel_only(void **state)
{
    (void)state;
    static const char command[] = "{\"aid\":\"_lease.gc\"}\n";
    struct session s;
    session_start(&s, "ok.so", NULL, WITH_CONTROL);
    check_alive(&s, "T-REQ-8");
    bool closed = false;
    for (int i = 0; i < 200000 && !closed; i++)
        closed = send(s.control, command, sizeof command - 1, MSG_NOSIGNAL) < 0;
    assert_true(closed); /* T-REQ-8 */
    check_alive(&s, "T-REQ-8 T-REQ-6");
    assert_int_equal(session_end(&s), 0);
}

static void test_a_full_standard_error_blocks_nobody(void **state)
{
    (void)state;
    char line[256];
    struct session s;
    session_start(&s, "hostile.so", NULL, PLAIN);
    for (int i = 0; i < 4; i++) { /* 256 KB, of which the pipe holds 64 */
        write_raw(s.in, ASK_HOSTILE("PRINT_2MB") "\n");
        read_line_of(s.out, line, sizeof line);
        assert_string_equal(line, OUTPUT("{}")); /* T-CLI-28 */
    }
    assert_int_equal(session_end(&s), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_slow_reader_delays_nobody_else),
        cmocka_unit_test(test_a_signal_does_not_wait_for_a_slow_reader),
        cmocka_unit_test(test_unread_events_close_the_control_channel_only),
        cmocka_unit_test(test_a_full_standard_error_blocks_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
