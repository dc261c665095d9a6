/* Streams over real sockets: the server's end is a stream of the loop, the peer's end a plain
 * socket that the test reads and writes between turns of the loop. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "net/listener.h"
#include "net/net.h"

struct fixture {
    uv_loop_t loop;
    struct net *net;
    struct stream *stream;
    int peer; /* the other end */
    struct buf got;
    int drained, ends, failures, closes;
    enum stream_fault why;
};

static void got_bytes(void *owner, struct str bytes)
{
    mgi_buf_str(&((struct fixture *)owner)->got, bytes);
}

static void got_drained(void *owner)
{
    ((struct fixture *)owner)->drained++;
}

static void got_end(void *owner)
{
    struct fixture *f = owner;
    f->ends++;
    assert_int_equal(f->ends, 1);
    assert_int_equal(f->failures, 0); /* that would be the last */
}

static void got_failure(void *owner, enum stream_fault why)
{
    struct fixture *f = owner;
    f->failures++;
    assert_int_equal(f->failures, 1);
    f->why = why;
    mgi_stream_close(f->stream);
}

static void got_closed(void *owner)
{
    struct fixture *f = owner;
    f->closes++;
    f->stream = NULL;
}

static const struct stream_events events = { got_bytes, got_drained, got_end, got_failure,
                                             got_closed };

static void begin(struct fixture *f, const struct net_limits *limits)
{
    *f = (struct fixture){ .peer = -1 };
    assert_int_equal(uv_loop_init(&f->loop), 0);
    f->net = mgi_net_new(&f->loop, limits);
    assert_non_null(f->net);
}

static void pair(struct fixture *f)
{
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    f->peer = fds[1];
    f->stream = mgi_stream_open(f->net, fds[0], &events, f);
    assert_non_null(f->stream);
}

/* Turns of the loop until `*count` is `wanted`, at most `ms` long. */
static void turn(struct fixture *f, const int *count, int wanted, int64_t ms)
{
    int64_t end = (int64_t)(uv_hrtime() / 1000000) + ms;
    do {
        uv_run(&f->loop, UV_RUN_NOWAIT);
        usleep(500);
    } while ((!count || *count < wanted) && (int64_t)(uv_hrtime() / 1000000) < end);
    assert_true(!count || *count >= wanted);
}

static void net_gone(void *context)
{
    *(bool *)context = true;
}

static void end(struct fixture *f)
{
    bool gone = false;
    if (f->stream)
        mgi_stream_close(f->stream);
    while (f->stream)
        uv_run(&f->loop, UV_RUN_ONCE);
    assert_int_equal(f->net->budget.used, 0);
    mgi_net_close(f->net, net_gone, &gone);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_true(gone);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    mgi_buf_fini(&f->got);
    if (f->peer >= 0)
        close(f->peer);
}

static size_t read_peer(struct fixture *f, size_t at_most)
{
    static char chunk[65536];
    size_t total = 0;
    while (total < at_most) {
        size_t want = at_most - total < sizeof chunk ? at_most - total : sizeof chunk;
        ssize_t n = read(f->peer, chunk, want);
        if (n <= 0)
            break;
        total += (size_t)n;
    }
    return total;
}

static bool write_bytes(struct stream *s, size_t len)
{
    char *text = malloc(len);
    assert_non_null(text);
    memset(text, 'x', len);
    struct str part = { text, len };
    bool good = mgi_stream_write(s, &part, 1);
    free(text); /* borrowed until return */
    return good;
}

/* ---- reading ----------------------------------------------------------------------------- */

static void test_a_stream_begins_paused_and_delivers_when_resumed(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f, NULL);
    pair(&f);
    assert_int_equal(write(f.peer, "hello", 5), 5);
    turn(&f, NULL, 0, 20);
    assert_int_equal(f.got.len, 0);
    mgi_stream_resume(f.stream);
    turn(&f, NULL, 0, 20);
    assert_true(str_is(mgi_buf_view(&f.got), "hello"));
    mgi_stream_pause(f.stream);
    assert_int_equal(write(f.peer, "more", 4), 4);
    turn(&f, NULL, 0, 20);
    assert_true(str_is(mgi_buf_view(&f.got), "hello"));
    mgi_stream_resume(f.stream);
    turn(&f, NULL, 0, 20);
    assert_true(str_is(mgi_buf_view(&f.got), "hellomore"));
    end(&f);
}

static void test_the_end_is_told_once_and_what_is_written_then_arrives(void **state)
{
    struct fixture f;
    char text[8] = { 0 };
    (void)state;
    begin(&f, NULL);
    pair(&f);
    mgi_stream_resume(f.stream);
    assert_int_equal(shutdown(f.peer, SHUT_WR), 0);
    turn(&f, &f.ends, 1, 1000);
    assert_true(mgi_stream_write(f.stream, &STR_LIT("bye"), 1));
    turn(&f, NULL, 0, 20);
    assert_int_equal(f.ends, 1);
    assert_int_equal(read(f.peer, text, sizeof text), 3);
    assert_string_equal(text, "bye");
    end(&f);
}

static void test_a_peer_that_left_is_noticed_while_reading_is_paused(void **state)
{
    struct fixture f;
    (void)state; /* P-CONC-9 */
    begin(&f, NULL);
    pair(&f);
    assert_int_equal(write(f.peer, "unread", 6), 6);
    assert_false(mgi_stream_peer_gone(f.stream));
    close(f.peer);
    f.peer = -1;
    assert_true(mgi_stream_peer_gone(f.stream));
    assert_int_equal(f.got.len, 0);
    end(&f);
}

struct other {
    int closes;
    struct buf got;
};

static void other_bytes(void *owner, struct str bytes)
{
    mgi_buf_str(&((struct other *)owner)->got, bytes);
}

static void other_end(void *owner)
{
    (void)owner;
}

static void other_failure(void *owner, enum stream_fault why)
{
    (void)owner, (void)why;
}

static void other_closed(void *owner)
{
    ((struct other *)owner)->closes++;
}

static void test_another_owner_hears_what_comes_then(void **state)
{
    static const struct stream_events others = { other_bytes, NULL, other_end, other_failure,
                                                 other_closed };
    struct fixture f;
    struct other other = { 0 };
    (void)state;
    begin(&f, NULL);
    pair(&f);
    mgi_stream_resume(f.stream);
    assert_int_equal(write(f.peer, "one", 3), 3);
    turn(&f, NULL, 0, 20);
    mgi_stream_own(f.stream, &others, &other);
    assert_int_equal(write(f.peer, "two", 3), 3);
    turn(&f, NULL, 0, 20);
    assert_true(str_is(mgi_buf_view(&f.got), "one"));
    assert_true(str_is(mgi_buf_view(&other.got), "two"));
    mgi_stream_close(f.stream);
    f.stream = NULL;
    turn(&f, &other.closes, 1, 1000);
    assert_int_equal(f.closes, 0);
    mgi_buf_fini(&other.got);
    end(&f);
}

/* ---- writing ----------------------------------------------------------------------------- */

static void test_what_the_kernel_does_not_take_is_kept_and_counted(void **state)
{
    const size_t len = (size_t)4 * 1024 * 1024;
    struct fixture f;
    (void)state;
    begin(&f, NULL);
    pair(&f);
    assert_true(write_bytes(f.stream, len));
    size_t queued = mgi_stream_queued(f.stream);
    assert_true(queued > 0 && queued < len);
    assert_true(f.net->budget.used >= queued);
    size_t total = 0;
    for (int i = 0; i < 2000 && total < len; i++) {
        total += read_peer(&f, len - total);
        uv_run(&f.loop, UV_RUN_NOWAIT);
    }
    assert_int_equal(total, len);
    turn(&f, &f.drained, 1, 1000);
    assert_int_equal(f.drained, 1);
    assert_int_equal(f.net->budget.used, 0);
    end(&f);
}

static void test_what_is_written_stays_in_order(void **state)
{
    struct fixture f;
    char line[16], *all = NULL;
    size_t used = 0, cap = 200000 * 8;
    (void)state;
    begin(&f, NULL);
    pair(&f);
    for (int i = 0; i < 200000; i++) { /* the first fit into the kernel, the others are queued */
        snprintf(line, sizeof line, "%06d", i);
        struct str parts[] = { { line, 6 }, { ",", 1 }, { "\n", 1 } };
        assert_true(mgi_stream_write(f.stream, parts, 3));
    }
    all = malloc(cap);
    assert_non_null(all);
    for (int i = 0; i < 20000 && used < cap; i++) {
        ssize_t n = read(f.peer, all + used, cap - used);
        used += n > 0 ? (size_t)n : 0;
        uv_run(&f.loop, UV_RUN_NOWAIT);
    }
    assert_int_equal(used, cap);
    for (int i = 0; i < 200000; i++) {
        snprintf(line, sizeof line, "%06d,\n", i);
        assert_memory_equal(all + (size_t)i * 8, line, 8);
    }
    free(all);
    end(&f);
}

static void test_a_peer_that_takes_nothing_is_dropped(void **state)
{
    const struct net_limits limits = { .write_ms = 60 };
    struct fixture f;
    (void)state;
    begin(&f, &limits);
    pair(&f);
    assert_true(write_bytes(f.stream, 4 * 1024 * 1024));
    turn(&f, &f.failures, 1, 2000);
    assert_int_equal(f.why, STREAM_STALLED);
    end(&f);
}

static void test_a_peer_that_has_ended_and_takes_nothing_is_dropped(void **state)
{
    const struct net_limits limits = { .write_ms = 60 };
    struct fixture f;
    (void)state;
    begin(&f, &limits);
    pair(&f);
    mgi_stream_resume(f.stream);
    assert_int_equal(shutdown(f.peer, SHUT_WR), 0);
    turn(&f, &f.ends, 1, 1000);
    assert_true(write_bytes(f.stream, 4 * 1024 * 1024));
    turn(&f, &f.failures, 1, 2000);
    assert_int_equal(f.failures, 1);
    assert_int_equal(f.why, STREAM_STALLED);
    end(&f);
}

static void test_a_peer_that_pretends_to_take_is_dropped(void **state)
{
    const struct net_limits limits = { .write_ms = 100 };
    struct fixture f;
    (void)state;
    begin(&f, &limits);
    pair(&f);
    assert_true(write_bytes(f.stream, 4 * 1024 * 1024));
    for (int i = 0; i < 400 && f.failures == 0; i++) {
        read_peer(&f, 1);
        turn(&f, NULL, 0, 1);
    }
    assert_int_equal(f.failures, 1);
    assert_int_equal(f.why, STREAM_STALLED);
    end(&f);
}

static void test_a_slow_peer_is_waited_for(void **state)
{
    const struct net_limits limits = { .write_ms = 500 };
    struct fixture f;
    (void)state;
    begin(&f, &limits);
    pair(&f);
    assert_true(write_bytes(f.stream, 4 * 1024 * 1024));
    for (int i = 0; i < 60; i++) { /* longer than the deadline, and never all of it */
        assert_true(read_peer(&f, 64 * 1024) > 0);
        turn(&f, NULL, 0, 20);
        assert_int_equal(f.failures, 0);
    }
    end(&f);
}

static void test_a_write_to_nobody_ends_the_stream(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f, NULL);
    pair(&f);
    close(f.peer);
    f.peer = -1;
    assert_true(mgi_stream_write(f.stream, &STR_LIT("x"), 1)); /* the failure comes as an event */
    assert_int_equal(f.failures, 0);
    turn(&f, &f.failures, 1, 1000);
    assert_int_equal(f.why, STREAM_LOST);
    end(&f);
}

static void test_what_is_queued_goes_out_before_the_end(void **state)
{
    const size_t len = (size_t)2 * 1024 * 1024;
    struct fixture f;
    (void)state;
    begin(&f, NULL);
    pair(&f);
    assert_true(write_bytes(f.stream, len));
    mgi_stream_shutdown(f.stream);
    size_t total = 0;
    for (int i = 0; i < 2000 && total < len; i++) {
        total += read_peer(&f, len);
        uv_run(&f.loop, UV_RUN_NOWAIT);
    }
    assert_int_equal(total, len);
    turn(&f, NULL, 0, 20);
    char more;
    assert_int_equal(read(f.peer, &more, 1), 0);
    end(&f);
}

static void test_the_budget_bounds_what_is_queued(void **state)
{
    const struct net_limits limits = { .budget_bytes = 1024 * 1024 };
    struct fixture f;
    (void)state;
    begin(&f, &limits);
    pair(&f);
    assert_false(write_bytes(f.stream, 4 * 1024 * 1024));
    assert_true(f.net->budget.used <= 1024 * 1024);
    end(&f);
}

/* Who takes nothing pays for the others, once a second has gone by. */
static void test_a_stalled_stream_gives_its_bytes_to_another(void **state)
{
    const struct net_limits limits = { .budget_bytes = 1024 * 1024 };
    struct fixture f, g;
    (void)state;
    begin(&f, &limits);
    pair(&f);
    g = f;
    g.failures = g.closes = g.drained = 0;
    g.got = (struct buf){ 0 };
    pair(&g);
    assert_true(write_bytes(f.stream, 900 * 1024));
    assert_false(write_bytes(g.stream, 900 * 1024));
    mgi_stream_close(g.stream);
    turn(&f, &g.closes, 1, 1000);
    close(g.peer);
    g.closes = 0;
    pair(&g);
    turn(&f, NULL, 0, 1100);
    assert_true(write_bytes(g.stream, 900 * 1024));
    assert_int_equal(f.failures, 0); /* nobody is called within another one's call */
    assert_false(write_bytes(f.stream, 1));
    turn(&f, &f.failures, 1, 1000);
    assert_int_equal(f.why, STREAM_STALLED);
    mgi_stream_close(g.stream);
    turn(&f, &g.closes, 1, 1000);
    close(g.peer);
    end(&f);
}

/* ---- listening --------------------------------------------------------------------------- */

struct arrivals {
    struct fixture *f;
    struct arrival {
        struct arrivals *all;
        struct stream *stream;
        struct deadline idle;
        bool stays; /* asked to give way */
        bool closed;
    } items[16];
    int count, too_many;
    int closes;
};

static void arrival_closed(void *owner)
{
    struct arrival *a = owner;
    a->closed = true;
    a->all->closes++;
}

static void arrival_bytes(void *owner, struct str bytes)
{
    (void)owner, (void)bytes;
}

static void arrival_end(void *owner)
{
    struct arrival *a = owner;
    mgi_deadline_clear(&a->idle);
    mgi_stream_close(a->stream);
}

static void arrival_failure(void *owner, enum stream_fault why)
{
    (void)why;
    arrival_end(owner);
}

static void arrival_idle(struct deadline *d)
{
    struct arrival *a = (struct arrival *)((char *)d - offsetof(struct arrival, idle));
    if (a->stays)
        mgi_net_deadline_set(mgi_stream_group(a->stream), d, DEADLINE_IDLE);
    else
        mgi_stream_close(a->stream);
}

static const struct stream_events arrival_events = { arrival_bytes, NULL, arrival_end,
                                                     arrival_failure, arrival_closed };

static void arrived(void *context, struct stream *s, bool too_many)
{
    struct arrivals *all = context;
    struct arrival *a = &all->items[all->count++];
    *a = (struct arrival){ .all = all, .stream = s, .idle.passed = arrival_idle };
    mgi_stream_own(s, &arrival_events, a);
    if (too_many) {
        all->too_many++;
        mgi_stream_close(s);
        return;
    }
    mgi_net_deadline_set(mgi_stream_group(s), &a->idle, DEADLINE_IDLE);
    mgi_stream_resume(s);
}

static int connect_to(int port)
{
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static struct listener *listen_on(struct fixture *f, struct arrivals *all, uint32_t max, int *port)
{
    const char *why;
    *all = (struct arrivals){ .f = f };
    struct listener_options options = { .net = f->net,
                                        .host = "127.0.0.1",
                                        .max_connections = max,
                                        .accepted = arrived,
                                        .context = all };
    struct listener *l = mgi_listener_new(&options, port, &why);
    assert_null(why);
    assert_non_null(l);
    return l;
}

static void test_the_oldest_idle_connection_gives_way(void **state)
{
    struct fixture f;
    struct arrivals all;
    int port, fds[4];
    bool gone = false;
    (void)state;
    begin(&f, NULL);
    struct listener *l = listen_on(&f, &all, 3, &port);
    for (int i = 0; i < 4; i++) {
        fds[i] = connect_to(port);
        turn(&f, &all.count, i + 1, 1000);
    }
    assert_int_equal(mgi_listener_count(l), 3);
    assert_int_equal(all.too_many, 0);
    turn(&f, &all.closes, 1, 1000);
    assert_true(all.items[0].closed);
    char byte;
    assert_int_equal(read(fds[0], &byte, 1), 0);
    for (int i = 0; i < 4; i++) /* nobody is idle: the next one is told */
        mgi_deadline_clear(&all.items[i].idle);
    int more = connect_to(port);
    turn(&f, &all.count, 5, 1000);
    assert_int_equal(all.too_many, 1);
    for (int i = 0; i < 4; i++)
        close(fds[i]);
    close(more);
    mgi_listener_close(l, net_gone, &gone);
    turn(&f, &all.closes, 5, 1000);
    turn(&f, NULL, 0, 10);
    assert_true(gone);
    end(&f);
}

/* Who is asked to give way and stays all the same is passed over; if all stay, the new one is told.
 */
static void test_one_that_stays_is_passed_over(void **state)
{
    struct fixture f;
    struct arrivals all;
    int port, fds[4];
    bool gone = false;
    (void)state;
    begin(&f, NULL);
    struct listener *l = listen_on(&f, &all, 2, &port);
    for (int i = 0; i < 4; i++) {
        fds[i] = connect_to(port);
        turn(&f, &all.count, i + 1, 1000);
        all.items[i].stays = i != 1;
        if (i == 2) {
            turn(&f, &all.closes, 1, 1000);
            assert_true(all.items[1].closed);
            assert_int_equal(all.too_many, 0);
        }
    }
    assert_int_equal(all.too_many, 1);
    turn(&f, &all.closes, 2, 1000); /* and the fourth */
    for (int i = 0; i < 4; i++) {
        mgi_deadline_clear(&all.items[i].idle);
        if (!all.items[i].closed)
            mgi_stream_close(all.items[i].stream);
        close(fds[i]);
    }
    mgi_listener_close(l, net_gone, &gone);
    turn(&f, NULL, 0, 50);
    assert_true(gone);
    end(&f);
}

static void test_a_socket_that_listens_already_is_taken_over(void **state)
{
    struct fixture f;
    struct arrivals all = { .f = &f };
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int port;
    const char *why;
    (void)state;
    begin(&f, NULL);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(fd, 5), 0);
    struct listener_options options = {
        .net = f.net, .descriptor = fd, .accepted = arrived, .context = &all
    };
    struct listener *l = mgi_listener_new(&options, &port, &why);
    assert_non_null(l);
    int peer = connect_to(port);
    turn(&f, &all.count, 1, 1000);
    close(peer);
    turn(&f, &all.closes, 1, 1000);
    mgi_listener_close(l, NULL, NULL);
    end(&f);
}

static void test_an_address_that_cannot_be_is_told(void **state)
{
    struct fixture f;
    int port;
    const char *why;
    (void)state;
    begin(&f, NULL);
    struct listener_options options = { .net = f.net, .host = "example.com", .accepted = arrived };
    assert_null(mgi_listener_new(&options, &port, &why));
    assert_non_null(why);
    end(&f);
}

/* ---- later ------------------------------------------------------------------------------- */

struct again {
    struct net_later later;
    struct net *net;
    int runs;
};

static void run_again(struct net_later *later)
{
    struct again *a = (struct again *)later;
    if (++a->runs < 3)
        mgi_net_later(a->net, later);
}

static void test_what_is_put_off_runs_once_in_each_turn(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f, NULL);
    struct again a = { .later.run = run_again, .net = f.net };
    mgi_net_later(f.net, &a.later);
    mgi_net_later(f.net, &a.later);
    assert_int_equal(a.runs, 0);
    uv_run(&f.loop, UV_RUN_NOWAIT);
    assert_int_equal(a.runs, 1);
    uv_run(&f.loop, UV_RUN_DEFAULT); /* keeps the loop alive until it is done */
    assert_int_equal(a.runs, 3);
    mgi_net_later(f.net, &a.later);
    mgi_net_later_cancel(&a.later);
    uv_run(&f.loop, UV_RUN_NOWAIT);
    assert_int_equal(a.runs, 3);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stream_begins_paused_and_delivers_when_resumed),
        cmocka_unit_test(test_the_end_is_told_once_and_what_is_written_then_arrives),
        cmocka_unit_test(test_a_peer_that_left_is_noticed_while_reading_is_paused),
        cmocka_unit_test(test_another_owner_hears_what_comes_then),
        cmocka_unit_test(test_what_the_kernel_does_not_take_is_kept_and_counted),
        cmocka_unit_test(test_what_is_written_stays_in_order),
        cmocka_unit_test(test_a_peer_that_takes_nothing_is_dropped),
        cmocka_unit_test(test_a_peer_that_has_ended_and_takes_nothing_is_dropped),
        cmocka_unit_test(test_a_peer_that_pretends_to_take_is_dropped),
        cmocka_unit_test(test_a_slow_peer_is_waited_for),
        cmocka_unit_test(test_a_write_to_nobody_ends_the_stream),
        cmocka_unit_test(test_what_is_queued_goes_out_before_the_end),
        cmocka_unit_test(test_the_budget_bounds_what_is_queued),
        cmocka_unit_test(test_a_stalled_stream_gives_its_bytes_to_another),
        cmocka_unit_test(test_the_oldest_idle_connection_gives_way),
        cmocka_unit_test(test_one_that_stays_is_passed_over),
        cmocka_unit_test(test_a_socket_that_listens_already_is_taken_over),
        cmocka_unit_test(test_an_address_that_cannot_be_is_told),
        cmocka_unit_test(test_what_is_put_off_runs_once_in_each_turn),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
