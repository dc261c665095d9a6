/* Speaking with a service manager: a fake one stands at the other end of the socket. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "service/systemd.h"

struct manager {
    int fd;
    char folder[64], path[96];
    char variable[128];
};

static int setup(void **state)
{
    static struct manager m;
    snprintf(m.folder, sizeof m.folder, "/tmp/notify_test.XXXXXX");
    assert_non_null(mkdtemp(m.folder));
    snprintf(m.path, sizeof m.path, "%s/socket", m.folder);
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    snprintf(address.sun_path, sizeof address.sun_path, "%s", m.path);
    m.fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    assert_true(m.fd >= 0);
    assert_int_equal(bind(m.fd, (struct sockaddr *)&address, sizeof address), 0);
    snprintf(m.variable, sizeof m.variable, "NOTIFY_SOCKET=%s", m.path);
    *state = &m;
    return 0;
}

static int teardown(void **state)
{
    struct manager *m = *state;
    close(m->fd);
    unlink(m->path);
    rmdir(m->folder);
    return 0;
}

/* What the manager hears next; "" if nothing waits. */
static const char *heard(const struct manager *m)
{
    static char text[1024];
    ssize_t n = recv(m->fd, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

static void open_with(struct notifier *n, const char *const *environment)
{
    struct buf why = { 0 };
    assert_true(mgi_notify_open(n, environment, 4711, &why));
    assert_int_equal(why.len, 0);
    mgi_buf_fini(&why);
}

static void test_without_a_manager_nothing_is_said(void **state)
{
    (void)state;
    const char *const empty[] = { "NOTIFY_SOCKETS=/x", "NOTIFY_SOCKET=", NULL };
    const char *const *environments[] = { NULL, empty };
    for (size_t i = 0; i < 2; i++) {
        struct notifier n;
        open_with(&n, environments[i]);
        assert_int_equal(n.fd, -1);
        assert_int_equal(n.watchdog_us, 0);
        mgi_notify(&n, "READY=1");
        assert_true(mgi_notify_flush(&n));
        mgi_notify_close(&n);
    }
}

static void test_messages_arrive_whole_and_in_order(void **state)
{
    struct manager *m = *state;
    const char *const environment[] = { "A=b", m->variable, NULL };
    struct notifier n;
    open_with(&n, environment);
    mgi_notify(&n, "READY=1\nSTATUS=%s", "serving");
    mgi_notify(&n, "STOPPING=1");
    assert_string_equal(heard(m), "READY=1\nSTATUS=serving");
    assert_string_equal(heard(m), "STOPPING=1");
    assert_string_equal(heard(m), "");
    mgi_notify_close(&n);
}

static void test_an_abstract_address_works(void **state)
{
    (void)state;
    struct manager m = { .fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0) };
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int len = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "manglecp-test-%d",
                       (int)getpid());
    snprintf(m.variable, sizeof m.variable, "NOTIFY_SOCKET=@%s", address.sun_path + 1);
    assert_int_equal(bind(m.fd, (struct sockaddr *)&address,
                          (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len)),
                     0);
    const char *const environment[] = { m.variable, NULL };
    struct notifier n;
    open_with(&n, environment);
    mgi_notify(&n, "READY=1");
    assert_string_equal(heard(&m), "READY=1");
    mgi_notify_close(&n);
    close(m.fd);
}

static void test_the_watchdog_counts_only_for_its_process(void **state)
{
    struct manager *m = *state;
    static const struct {
        const char *usec, *pid;
        int64_t wanted;
    } cases[] = {
        { "WATCHDOG_USEC=30000000", "WATCHDOG_PID=4711", 30000000 },
        { "WATCHDOG_USEC=30000000", "X=", 30000000 },
        { "WATCHDOG_USEC=30000000", "WATCHDOG_PID=1", 0 },
        { "WATCHDOG_USEC=soon", "WATCHDOG_PID=4711", 0 },
        { "WATCHDOG_USEC=0", "WATCHDOG_PID=4711", 0 },
        { "WATCHDOG_USEC=-5", "WATCHDOG_PID=4711", 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const environment[] = { m->variable, cases[i].usec, cases[i].pid, NULL };
        struct notifier n;
        open_with(&n, environment);
        assert_int_equal(n.watchdog_us, cases[i].wanted);
        mgi_notify_close(&n);
    }
}

static void test_a_socket_that_cannot_be_used_is_said(void **state)
{
    (void)state;
    static const char *const bad[] = { "NOTIFY_SOCKET=relative", "NOTIFY_SOCKET=@",
                                       "NOTIFY_SOCKET=/nowhere/at/all" };
    char long_one[300] = "NOTIFY_SOCKET=/";
    memset(long_one + 15, 'x', sizeof long_one - 16);
    for (size_t i = 0; i < 4; i++) {
        const char *const environment[] = { i < 3 ? bad[i] : long_one, NULL };
        struct notifier n;
        struct buf why = { 0 };
        assert_false(mgi_notify_open(&n, environment, 1, &why));
        assert_non_null(strstr(why.ptr, "NOTIFY_SOCKET"));
        mgi_notify(&n, "READY=1"); /* says nothing, and does not fall over */
        mgi_notify_close(&n);
        mgi_buf_fini(&why);
    }
}

/* The bound: a manager that reads nothing. What waits stays whole and in order, the newest is lost,
 * and nothing blocks. */
static void test_a_manager_that_does_not_read_is_waited_for_within_bounds(void **state)
{
    struct manager *m = *state;
    const char *const environment[] = { m->variable, NULL };
    struct notifier n;
    open_with(&n, environment);
    int sent = 0;
    while (n.waiting_len == 0 && sent < 100000)
        mgi_notify(&n, "STATUS=%d", sent++);
    assert_true(n.waiting_len > 0);
    for (int i = 0; i < 1000; i++)
        mgi_notify(&n, "STATUS=later %d", i);
    assert_true(n.waiting_len <= sizeof n.waiting);
    assert_false(mgi_notify_flush(&n));
    int count = 0;
    char wanted[64];
    for (const char *text; (text = heard(m))[0];) {
        if (count < sent)
            snprintf(wanted, sizeof wanted, "STATUS=%d", count);
        else
            snprintf(wanted, sizeof wanted, "STATUS=later %d", count - sent);
        assert_string_equal(text, wanted);
        count++;
        (void)mgi_notify_flush(&n);
    }
    assert_true(count > sent);
    assert_true(mgi_notify_flush(&n));
    mgi_notify_close(&n);
}

static void test_a_long_message_is_cut_at_a_line(void **state)
{
    struct manager *m = *state;
    const char *const environment[] = { m->variable, NULL };
    struct notifier n;
    open_with(&n, environment);
    char filler[700];
    memset(filler, 'x', sizeof filler - 1);
    filler[sizeof filler - 1] = '\0';
    mgi_notify(&n, "READY=1\nSTATUS=%s", filler);
    assert_string_equal(heard(m), "READY=1");
    mgi_notify(&n, "STATUS=%s", filler); /* nothing is left of it */
    assert_string_equal(heard(m), "");
    mgi_notify_close(&n);
}

static void test_a_manager_that_is_gone_holds_nothing_up(void **state)
{
    struct manager *m = *state;
    const char *const environment[] = { m->variable, NULL };
    struct notifier n;
    open_with(&n, environment);
    close(m->fd);
    mgi_notify(&n, "STOPPING=1");
    assert_true(mgi_notify_flush(&n));
    mgi_notify_close(&n);
    m->fd = -1;
}

/* ---- activation ---------------------------------------------------------------------------- */

static int listening(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(fd, 1), 0);
    return fd;
}

/* Put `fd` at descriptor `at`. */
static void place(int fd, int at)
{
    assert_int_equal(dup2(fd, at), at);
    close(fd);
}

static void test_sockets_are_taken_by_name(void **state)
{
    (void)state;
    const char *const environment[] = { "LISTEN_PID=4711", "LISTEN_FDS=3", "LISTEN_FDNAMES=web:ops",
                                        NULL };
    struct activation a;
    struct buf why = { 0 };
    for (int at = 100; at < 103; at++)
        place(listening(), at);
    assert_true(mgi_activation_read(&a, environment, 4711, 100, &why));
    assert_int_equal(a.count, 3);
    assert_true(fcntl(100, F_GETFD) & FD_CLOEXEC);
    assert_int_equal(mgi_activation_take(&a, STR_LIT("ops")), 101);
    assert_int_equal(mgi_activation_take(&a, STR_LIT("ops")), -1);
    assert_int_equal(mgi_activation_take(&a, STR_LIT("")), 100);
    assert_int_equal(mgi_activation_take(&a, STR_LIT("")), 102);
    assert_int_equal(mgi_activation_take(&a, STR_LIT("")), -1);
    assert_true(str_is(a.sockets[2].name, "")); /* fewer names than sockets */
    for (int at = 100; at < 103; at++)
        close(at);
    mgi_buf_fini(&why);
}

static void test_sockets_for_another_process_are_not_ours(void **state)
{
    (void)state;
    static const char *const sets[][3] = { { "LISTEN_PID=1", "LISTEN_FDS=1", NULL },
                                           { "LISTEN_FDS=1", NULL, NULL },
                                           { "LISTEN_PID=4711", NULL, NULL },
                                           { NULL, NULL, NULL } };
    for (size_t i = 0; i < 4; i++) {
        struct activation a;
        struct buf why = { 0 };
        assert_true(mgi_activation_read(&a, sets[i], 4711, 100, &why));
        assert_int_equal(a.count, 0);
        mgi_buf_fini(&why);
    }
}

static void test_what_cannot_be_listened_on_is_refused_by_number(void **state)
{
    (void)state;
    static const struct {
        const char *pid, *fds, *says;
    } cases[] = {
        { "LISTEN_PID=4711", "LISTEN_FDS=1", "not open" },
        { "LISTEN_PID=4711", "LISTEN_FDS=2", "descriptor 100 of LISTEN_FDS" },
        { "LISTEN_PID=x", "LISTEN_FDS=1", "LISTEN_PID is not a number" },
        { "LISTEN_PID=4711", "LISTEN_FDS=1x", "LISTEN_FDS is not a number" },
        { "LISTEN_PID=4711", "LISTEN_FDS=33", "at most 32" },
        { "LISTEN_PID=4711", "LISTEN_FDS=99999999999999999999", "not a number" },
    };
    close(100);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const environment[] = { cases[i].pid, cases[i].fds, NULL };
        struct activation a;
        struct buf why = { 0 };
        assert_false(mgi_activation_read(&a, environment, 4711, 100, &why));
        assert_non_null(strstr(why.ptr, cases[i].says));
        mgi_buf_fini(&why);
    }
    const char *const one[] = { "LISTEN_PID=4711", "LISTEN_FDS=1", NULL };
    int fds[] = { open("/dev/null", O_RDONLY), socket(AF_INET, SOCK_DGRAM, 0),
                  socket(AF_INET, SOCK_STREAM, 0) };
    static const char *const says[] = { "not a socket", "not a stream", "does not listen" };
    for (size_t i = 0; i < 3; i++) {
        struct activation a;
        struct buf why = { 0 };
        place(fds[i], 100);
        assert_false(mgi_activation_read(&a, one, 4711, 100, &why));
        assert_non_null(strstr(why.ptr, says[i]));
        mgi_buf_fini(&why);
        close(100);
    }
}

int main(void)
{
#define WITH_MANAGER(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_a_manager_nothing_is_said),
        WITH_MANAGER(test_messages_arrive_whole_and_in_order),
        cmocka_unit_test(test_an_abstract_address_works),
        WITH_MANAGER(test_the_watchdog_counts_only_for_its_process),
        cmocka_unit_test(test_a_socket_that_cannot_be_used_is_said),
        WITH_MANAGER(test_a_manager_that_does_not_read_is_waited_for_within_bounds),
        WITH_MANAGER(test_a_long_message_is_cut_at_a_line),
        WITH_MANAGER(test_a_manager_that_is_gone_holds_nothing_up),
        cmocka_unit_test(test_sockets_are_taken_by_name),
        cmocka_unit_test(test_sockets_for_another_process_are_not_ours),
        cmocka_unit_test(test_what_cannot_be_listened_on_is_refused_by_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
