/* Streams over TLS: the server's end is a stream of the loop, the peer an engine in the client's
 * role over a plain socket, served between turns of the loop. Slow handshakes run on threads. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/net.h"
#include "net/stream_tls.h"
#include "net/tls_front.h"
#include "net/tls_int.h"
#include "net/tls_made.h"

static struct made authority, fast, slow, client;

static int make_all(void **state)
{
    (void)state;
    authority =
        make_certificate(&(struct made_options){ .name = "Authority", .is_authority = true });
    fast = make_certificate(&(struct made_options){
        .name = "fast", .names = "DNS:example.test", .issuer = &authority });
    slow = make_certificate(&(struct made_options){
        .name = "slow", .names = "DNS:example.test", .issuer = &authority, .rsa_bits = 3072 });
    client = make_certificate(&(struct made_options){ .name = "client", .issuer = &authority });
    return 0;
}

static int free_all(void **state)
{
    (void)state;
    made_free(&authority);
    made_free(&fast);
    made_free(&slow);
    made_free(&client);
    return 0;
}

struct fixture {
    uv_loop_t loop;
    struct net *net;
    struct stream *stream;
    int peer;        /* the client's socket */
    struct tls *tls; /* and its engine */
    struct buf got;  /* by the server */
    struct buf back; /* by the client */
    bool pauses;     /* the owner pauses at each piece */
    int pieces, drained, ends, failures, closes;
    enum stream_fault why;
};

static void got_bytes(void *owner, struct str bytes)
{
    struct fixture *f = owner;
    mgi_buf_str(&f->got, bytes);
    f->pieces++;
    if (f->pauses)
        mgi_stream_pause(f->stream);
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
}

static void got_closed(void *owner)
{
    struct fixture *f = owner;
    f->closes++;
    f->stream = NULL;
}

static const struct stream_events events = { got_bytes, got_drained, got_end, got_failure,
                                             got_closed };

static pthread_t loop_thread;
static atomic_int steps_on_loop, steps_elsewhere;

/* OpenSSL goes from one state of the server's handshake to the next. */
static void note_step(const SSL *ssl, int where, int result)
{
    (void)ssl, (void)result;
    if (where == SSL_CB_ACCEPT_LOOP)
        (void)atomic_fetch_add(
            pthread_equal(pthread_self(), loop_thread) ? &steps_on_loop : &steps_elsewhere, 1);
}

static void begin(struct fixture *f, const struct made *server, const struct made *shown,
                  const struct net_limits *limits)
{
    int fds[2];
    *f = (struct fixture){ .peer = -1 };
    assert_int_equal(uv_loop_init(&f->loop), 0);
    f->net = mgi_net_new(&f->loop, limits);
    assert_non_null(f->net);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    struct stream *under = mgi_stream_open(f->net, fds[0], &events, f);
    struct tls_context *s = serve_made(server, shown ? authority.certificate_pem : NULL, true);
    struct tls_context *c = trust_made(authority.certificate_pem, shown);
    assert_true(under && s && c);
    loop_thread = pthread_self();
    SSL_CTX_set_info_callback(s->ssl, note_step);
    struct stream_tls_options options = { .context = s,
                                          .now_ns = NOW_NS,
                                          .if_plain_http = STR_LIT("no") };
    f->stream = mgi_stream_tls_new(under, &options, &events, f);
    f->tls = mgi_tls_new(c, "example.test", NOW_NS);
    assert_true(f->stream && f->tls);
    f->peer = fds[1];
    mgi_tls_context_unref(s); /* the stream has its own */
    mgi_tls_context_unref(c);
    mgi_stream_resume(f->stream);
}

/* What the engine says to the socket, and what the socket has to the engine. */
static void serve_peer(struct fixture *f)
{
    char chunk[16384];
    size_t len;
    mgi_tls_handshake(f->tls);
    struct str out = mgi_tls_output(f->tls);
    if (out.len > 0) {
        assert_int_equal(write(f->peer, out.ptr, out.len), out.len);
        mgi_tls_sent(f->tls);
    }
    ssize_t n = read(f->peer, chunk, sizeof chunk);
    if (n > 0)
        assert_true(mgi_tls_feed(f->tls, (struct str){ chunk, (size_t)n }));
    mgi_tls_handshake(f->tls);
    while (mgi_tls_read(f->tls, chunk, sizeof chunk, &len) == TLS_OK)
        mgi_buf_append(&f->back, chunk, len);
}

static int64_t now_ms(void)
{
    return (int64_t)(uv_hrtime() / 1000000);
}

/* Turns of the loop until *count is `wanted`; without a count for `ms`. */
static void turn(struct fixture *f, const int *count, int wanted, int64_t ms)
{
    int64_t end = now_ms() + ms;
    do {
        uv_run(&f->loop, UV_RUN_NOWAIT);
        if (f->tls)
            serve_peer(f);
        usleep(200);
    } while ((!count || *count < wanted) && now_ms() < end);
    assert_true(!count || *count >= wanted);
}

static void open_it(struct fixture *f)
{
    for (int i = 0; i < 5000 && !mgi_stream_tls(f->stream)->is_open; i++)
        turn(f, NULL, 0, 1);
    assert_true(mgi_stream_tls(f->stream)->is_open);
    for (int i = 0; i < 5000 && !mgi_tls_is_open(f->tls); i++)
        turn(f, NULL, 0, 1);
}

static void say(struct fixture *f, const char *text)
{
    assert_int_equal(mgi_tls_write(f->tls, str_of(text)), TLS_OK);
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
    assert_int_equal(f->closes, 1);
    assert_int_equal(f->net->budget.used, 0);
    mgi_net_close(f->net, net_gone, &gone);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_true(gone);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    mgi_tls_free(f->tls);
    mgi_buf_fini(&f->got);
    mgi_buf_fini(&f->back);
    if (f->peer >= 0)
        close(f->peer);
}

/* ---- good conversations ------------------------------------------------------------------ */

static void test_bytes_go_both_ways_with_a_fast_key_and_with_a_slow_one(void **state)
{
    (void)state;
    const struct made *servers[] = { &fast, &slow };
    for (int i = 0; i < 2; i++) {
        struct fixture f;
        begin(&f, servers[i], NULL, NULL);
        assert_false(mgi_stream_write(f.stream, &STR_LIT("too early"), 1));
        open_it(&f);
        const struct stream_tls *shown = mgi_stream_tls(f.stream);
        assert_string_equal(shown->version, "TLSv1.3");
        assert_non_null(shown->cipher);
        assert_null(shown->client);
        say(&f, "hello");
        turn(&f, &f.pieces, 1, 2000);
        assert_true(str_is(mgi_buf_view(&f.got), "hello"));
        struct str parts[] = { STR_LIT("hello "), { NULL, 0 }, STR_LIT("back") };
        assert_true(mgi_stream_write(f.stream, parts, 3));
        turn(&f, NULL, 0, 20);
        assert_true(str_is(mgi_buf_view(&f.back), "hello back"));
        assert_int_equal(mgi_stream_queued(f.stream), 0);
        end(&f);
    }
}

static void test_the_clients_certificate_is_shown(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f, &slow, &client, NULL);
    open_it(&f);
    assert_string_equal(mgi_stream_tls(f.stream)->client->subject, "CN=client");
    end(&f);
}

static void test_a_greeting_in_single_bytes_is_understood(void **state)
{
    (void)state;
    const struct made *servers[] = { &fast, &slow };
    for (int i = 0; i < 2; i++) {
        struct fixture f;
        begin(&f, servers[i], NULL, NULL);
        mgi_tls_handshake(f.tls);
        struct str out = mgi_tls_output(f.tls);
        for (size_t at = 0; at < out.len; at++) {
            assert_int_equal(write(f.peer, out.ptr + at, 1), 1);
            for (int k = 0; k < 3; k++)
                uv_run(&f.loop, UV_RUN_NOWAIT);
        }
        mgi_tls_sent(f.tls);
        open_it(&f);
        end(&f);
    }
}

static void test_much_arrives_whole_and_in_order(void **state)
{
    struct fixture f;
    size_t size = (size_t)3 * 1024 * 1024;
    (void)state;
    begin(&f, &fast, NULL, NULL);
    open_it(&f);
    char *much = malloc(size);
    assert_non_null(much);
    for (size_t i = 0; i < size; i++)
        much[i] = (char)(i / 7);
    struct str parts[] = { { much, 5 }, { much + 5, size - 5 } };
    assert_true(mgi_stream_write(f.stream, parts, 2));
    assert_true(mgi_stream_queued(f.stream) > 0);
    for (int i = 0; i < 20000 && f.back.len < size; i++)
        turn(&f, NULL, 0, 0);
    assert_int_equal(f.back.len, size);
    assert_memory_equal(f.back.ptr, much, size);
    turn(&f, &f.drained, 1, 1000);
    free(much);
    end(&f);
}

static void test_a_paused_owner_gets_the_rest_when_it_resumes(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f, &fast, NULL, NULL);
    open_it(&f);
    f.pauses = true;
    say(&f, "one");
    say(&f, "two");
    say(&f, "three");
    turn(&f, &f.pieces, 1, 2000);
    turn(&f, NULL, 0, 20);
    assert_true(str_is(mgi_buf_view(&f.got), "one"));
    assert_true(f.net->budget.used > 0); /* what waits is counted */
    mgi_stream_resume(f.stream);
    assert_int_equal(f.pieces, 1); /* nothing from within a call */
    turn(&f, &f.pieces, 2, 2000);
    assert_true(str_is(mgi_buf_view(&f.got), "onetwo"));
    f.pauses = false;
    mgi_stream_resume(f.stream);
    turn(&f, &f.pieces, 3, 2000);
    assert_true(str_is(mgi_buf_view(&f.got), "onetwothree"));
    assert_int_equal(f.net->budget.used, 0);
    say(&f, "four"); /* and the wire is heard again */
    turn(&f, &f.pieces, 4, 2000);
    end(&f);
}

static void test_what_waits_beyond_the_budget_ends_it(void **state)
{
    const struct net_limits limits = { .budget_bytes = 4096 };
    struct fixture f;
    char text[9000];
    (void)state;
    begin(&f, &fast, NULL, &limits);
    open_it(&f);
    f.pauses = true;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    say(&f, "one");
    say(&f, text);
    turn(&f, &f.failures, 1, 2000);
    assert_int_equal(f.why, STREAM_LOST);
    end(&f);
}

/* ---- ends -------------------------------------------------------------------------------- */

static void test_the_end_is_said_and_heard_in_tls(void **state)
{
    struct fixture f;
    char chunk[64];
    size_t len;
    (void)state;
    begin(&f, &fast, NULL, NULL);
    open_it(&f);
    say(&f, "last words");
    mgi_tls_close(f.tls);
    turn(&f, &f.ends, 1, 2000);
    assert_true(str_is(mgi_buf_view(&f.got), "last words"));
    assert_true(mgi_stream_write(f.stream, &STR_LIT("mine"), 1));
    mgi_stream_shutdown(f.stream);
    turn(&f, NULL, 0, 20);
    assert_true(str_is(mgi_buf_view(&f.back), "mine"));
    assert_int_equal(mgi_tls_read(f.tls, chunk, sizeof chunk, &len), TLS_ENDED);
    assert_int_equal(read(f.peer, chunk, sizeof chunk), 0);
    end(&f);
}

static void test_a_wire_that_ends_is_an_end_at_any_time(void **state)
{
    (void)state;
    for (int open = 0; open < 2; open++) {
        struct fixture f;
        begin(&f, &fast, NULL, NULL);
        if (open)
            open_it(&f);
        mgi_tls_free(f.tls);
        f.tls = NULL;
        close(f.peer);
        f.peer = -1;
        turn(&f, &f.ends, 1, 2000);
        assert_true(mgi_stream_peer_gone(f.stream));
        end(&f);
    }
}

static void test_who_speaks_http_is_told_so_in_http(void **state)
{
    struct fixture f;
    char chunk[64] = { 0 };
    (void)state;
    begin(&f, &fast, NULL, NULL);
    mgi_tls_free(f.tls);
    f.tls = NULL;
    assert_int_equal(write(f.peer, "GET / HTTP/1.1\r\n\r\n", 18), 18);
    turn(&f, &f.failures, 1, 2000);
    assert_int_equal(f.why, STREAM_LOST);
    assert_non_null(strstr(mgi_stream_tls(f.stream)->why, "HTTP without TLS"));
    assert_int_equal(read(f.peer, chunk, sizeof chunk), 2);
    assert_string_equal(chunk, "no");
    end(&f);
}

static void test_garbage_ends_it_with_an_alert_also_on_a_worker(void **state)
{
    (void)state;
    const struct made *servers[] = { &fast, &slow };
    for (int i = 0; i < 2; i++) {
        struct fixture f;
        unsigned char chunk[64];
        begin(&f, servers[i], NULL, NULL);
        mgi_tls_free(f.tls);
        f.tls = NULL;
        assert_int_equal(write(f.peer, "\x16\x03\x01\x00\x04\x01\x00\x00\x00", 9), 9);
        turn(&f, &f.failures, 1, 2000);
        assert_int_equal(f.why, STREAM_LOST);
        assert_non_null(mgi_stream_tls(f.stream)->why);
        assert_true(read(f.peer, chunk, sizeof chunk) >= 7);
        assert_int_equal(chunk[0], 21); /* an alert */
        end(&f);
    }
}

static void test_a_handshake_that_takes_too_long_is_ended(void **state)
{
    const struct net_limits limits = { .head_ms = 60 };
    struct fixture f;
    (void)state;
    begin(&f, &fast, NULL, &limits);
    mgi_tls_free(f.tls);
    f.tls = NULL;
    assert_int_equal(write(f.peer, "\x16\x03\x01", 3), 3);
    turn(&f, &f.failures, 1, 2000);
    assert_int_equal(f.why, STREAM_LOST);
    assert_string_equal(mgi_stream_tls(f.stream)->why, "the TLS handshake took too long");
    end(&f);
}

static void test_an_open_stream_has_no_handshake_deadline(void **state)
{
    const struct net_limits limits = { .head_ms = 100 };
    struct fixture f;
    (void)state;
    begin(&f, &fast, NULL, &limits);
    open_it(&f);
    turn(&f, NULL, 0, 200);
    assert_int_equal(f.failures, 0);
    end(&f);
}

static void test_a_peer_that_takes_nothing_is_dropped(void **state)
{
    const struct net_limits limits = { .write_ms = 60 };
    struct fixture f;
    (void)state;
    begin(&f, &fast, NULL, &limits);
    open_it(&f);
    mgi_tls_free(f.tls);
    f.tls = NULL;
    static char much[4 * 1024 * 1024];
    assert_true(mgi_stream_write(f.stream, &(struct str){ much, sizeof much }, 1));
    turn(&f, &f.failures, 1, 2000);
    assert_int_equal(f.why, STREAM_STALLED);
    end(&f);
}

static void test_it_can_be_closed_while_a_worker_has_it(void **state)
{
    (void)state;
    for (int i = 0; i < 30; i++) {
        struct fixture f;
        begin(&f, &slow, NULL, NULL);
        serve_peer(&f); /* the greeting is on the wire */
        uv_run(&f.loop, UV_RUN_NOWAIT);
        if (i % 3 == 1) {
            mgi_stream_pause(f.stream);
            mgi_stream_resume(f.stream);
        }
        usleep((useconds_t)(i * 150));
        end(&f);
    }
}

static void test_many_at_once_all_open(void **state)
{
    (void)state;
    enum { MANY = 12 };
    struct fixture f[MANY];
    /* each has a loop of its own; what they share is libuv's threads and OpenSSL */
    for (int i = 0; i < MANY; i++)
        begin(&f[i], i % 2 ? &slow : &fast, i % 3 ? &client : NULL, NULL);
    for (int round = 0; round < 5000; round++) {
        int open = 0;
        for (int i = 0; i < MANY; i++) {
            uv_run(&f[i].loop, UV_RUN_NOWAIT);
            serve_peer(&f[i]);
            open += mgi_stream_tls(f[i].stream)->is_open;
        }
        if (open == MANY)
            break;
        usleep(200);
    }
    for (int i = 0; i < MANY; i++) {
        assert_true(mgi_stream_tls(f[i].stream)->is_open);
        end(&f[i]);
    }
}

/* ---- who does what ------------------------------------------------------------------------ */

static void test_no_step_of_a_handshake_is_done_on_the_loop(void **state)
{
    const struct made *servers[] = { &fast, &slow };
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct fixture f;
        steps_on_loop = steps_elsewhere = 0;
        begin(&f, servers[i % 2], i < 2 ? NULL : &client, NULL);
        for (int64_t until = now_ms() + 10000; !mgi_stream_tls(f.stream)->is_open;) {
            assert_true(now_ms() < until);
            serve_peer(&f);
            uv_run(&f.loop, UV_RUN_NOWAIT);
        }
        assert_int_equal(steps_on_loop, 0);
        assert_true(steps_elsewhere > 0);
        end(&f);
    }
}

static int begun[8], begun_count;

struct turn_taker {
    struct net_turn turn;
    int number;
    bool is_over;
};

static bool take_turn(struct net_turn *turn)
{
    struct turn_taker *t = (struct turn_taker *)turn;
    begun[begun_count++] = t->number;
    return !t->is_over;
}

static void test_turns_are_taken_in_order_and_given_back(void **state)
{
    struct fixture f;
    struct turn_taker all[5];
    (void)state;
    begin(&f, &fast, NULL, NULL);
    f.net->max_turns = 1;
    begun_count = 0;
    for (int i = 0; i < 5; i++) {
        all[i] = (struct turn_taker){ .turn.begin = take_turn, .number = i, .is_over = i == 2 };
        mgi_net_turn(f.net, &all[i].turn);
    }
    assert_int_equal(begun_count, 1);
    mgi_net_turn_cancel(&all[1].turn);
    mgi_net_turn_cancel(&all[1].turn);
    mgi_net_turn_over(f.net); /* the third has nothing to do: the fourth is next */
    assert_int_equal(begun_count, 3);
    mgi_net_turn_over(f.net);
    mgi_net_turn_over(f.net);
    const int wanted[] = { 0, 2, 3, 4 };
    assert_int_equal(begun_count, 4);
    assert_memory_equal(begun, wanted, sizeof wanted);
    assert_int_equal(f.net->busy_turns, 0);
    end(&f);
}

/* ---- fronts ------------------------------------------------------------------------------ */

static int64_t front_now_ns;
static int renewals;
static struct tls_context *renewed; /* what the next renewal sets; NULL: it fails */

static int64_t front_clock(void)
{
    return front_now_ns;
}

static void renew_front(struct tls_front *front, int64_t now_ns)
{
    renewals++;
    front->renew_at_ns = now_ns + 10;
    if (renewed)
        mgi_tls_front_set(front, renewed);
}

/* A connection comes. */
static void dress_one(struct fixture *f, struct tls_front *front, int64_t at_ns)
{
    struct fixture owner = { .peer = -1 };
    int fds[2];
    front_now_ns = at_ns;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    struct stream *under = mgi_stream_open(f->net, fds[0], &events, &owner);
    assert_non_null(under);
    struct stream *s = mgi_tls_front_dress(front, under);
    assert_non_null(s);
    mgi_stream_own(s, &events, &owner);
    mgi_stream_close(s);
    while (owner.closes == 0)
        uv_run(&f->loop, UV_RUN_ONCE);
    close(fds[1]);
}

static void test_a_certificate_is_renewed_when_a_connection_comes_in_its_last_day(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f, &fast, NULL, NULL);
    struct tls_context *first = serve_made(&fast, NULL, false);
    struct tls_front front = { .clock_ns = front_clock, .renew_at_ns = 100, .renew = renew_front };
    mgi_tls_front_set(&front, first);
    dress_one(&f, &front, 99);
    assert_int_equal(renewals, 0);
    dress_one(&f, &front, 100); /* there is no memory for it: the one before is served */
    assert_int_equal(renewals, 1);
    assert_ptr_equal(front.context, first);
    dress_one(&f, &front, 105);
    assert_int_equal(renewals, 1);
    renewed = serve_made(&fast, NULL, false);
    dress_one(&f, &front, 110);
    assert_int_equal(renewals, 2);
    assert_ptr_equal(front.context, renewed);
    mgi_tls_front_set(&front, NULL);
    mgi_tls_context_unref(first);
    mgi_tls_context_unref(renewed);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_go_both_ways_with_a_fast_key_and_with_a_slow_one),
        cmocka_unit_test(test_the_clients_certificate_is_shown),
        cmocka_unit_test(test_a_greeting_in_single_bytes_is_understood),
        cmocka_unit_test(test_much_arrives_whole_and_in_order),
        cmocka_unit_test(test_a_paused_owner_gets_the_rest_when_it_resumes),
        cmocka_unit_test(test_what_waits_beyond_the_budget_ends_it),
        cmocka_unit_test(test_the_end_is_said_and_heard_in_tls),
        cmocka_unit_test(test_a_wire_that_ends_is_an_end_at_any_time),
        cmocka_unit_test(test_who_speaks_http_is_told_so_in_http),
        cmocka_unit_test(test_garbage_ends_it_with_an_alert_also_on_a_worker),
        cmocka_unit_test(test_a_handshake_that_takes_too_long_is_ended),
        cmocka_unit_test(test_an_open_stream_has_no_handshake_deadline),
        cmocka_unit_test(test_a_peer_that_takes_nothing_is_dropped),
        cmocka_unit_test(test_it_can_be_closed_while_a_worker_has_it),
        cmocka_unit_test(test_many_at_once_all_open),
        cmocka_unit_test(test_no_step_of_a_handshake_is_done_on_the_loop),
        cmocka_unit_test(test_turns_are_taken_in_order_and_given_back),
        cmocka_unit_test(test_a_certificate_is_renewed_when_a_connection_comes_in_its_last_day),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests_name("net/test_stream_tls_thread", tests, make_all, free_all);
}
