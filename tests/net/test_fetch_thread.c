/* Fetches: answers, deadlines, bounds, and ends in the middle, against a server that is a thread.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/fetch.h"

struct origin { /* answers each connection with `text` (an empty one: never), and closes it */
    int fd, port;
    const char *text;
    pthread_t thread;
    char heard[4096];
    atomic_bool ending;
};

static void *serve(void *context)
{
    struct origin *o = context;
    int held[64], count = 0;
    for (int fd; (fd = accept(o->fd, NULL, NULL)) >= 0;) {
        ssize_t n = o->text[0] ? recv(fd, o->heard, sizeof o->heard - 1, 0) : 0;
        o->heard[n > 0 ? n : 0] = '\0';
        if (o->text[0]) {
            (void)send(fd, o->text, strlen(o->text), MSG_NOSIGNAL);
            close(fd);
        } else if (count < 64) {
            held[count++] = fd;
        }
    }
    while (count > 0)
        close(held[--count]);
    return NULL;
}

static void open_origin(struct origin *o, const char *text)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof at;
    *o = (struct origin){ .text = text };
    o->fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(o->fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(o->fd, 64), 0);
    assert_int_equal(getsockname(o->fd, (struct sockaddr *)&at, &len), 0);
    o->port = ntohs(at.sin_port);
    assert_int_equal(pthread_create(&o->thread, NULL, serve, o), 0);
}

static void close_origin(struct origin *o)
{
    shutdown(o->fd, SHUT_RDWR);
    pthread_join(o->thread, NULL);
    close(o->fd);
}

struct tally {
    int count, status;
    int64_t max_age_s;
    char body[64], why[200];
};

static void note_answer(void *context, const struct fetch_answer *a)
{
    struct tally *t = context;
    t->count++;
    t->status = a->status;
    t->max_age_s = a->max_age_s;
    snprintf(t->body, sizeof t->body, "%.*s", STR_ARG(a->body));
    snprintf(t->why, sizeof t->why, "%s", a->why);
}

/* So many orders at `o`, and what came of them. */
static void fetch_all(struct origin *o, const struct fetch_order *order, int count, struct tally *t)
{
    uv_loop_t loop;
    char url[64];
    struct fetch_order own = *order;
    assert_int_equal(uv_loop_init(&loop), 0);
    struct fetch_pool *pool = mgi_fetch_pool_new(&loop);
    assert_non_null(pool);
    struct fetcher fetcher = mgi_fetch_pool_fetcher(pool);
    snprintf(url, sizeof url, "http://127.0.0.1:%d/keys", o->port);
    own.url = url;
    for (int i = 0; i < count; i++)
        assert_non_null(fetcher.begin(fetcher.self, &own, note_answer, t));
    assert_int_equal(uv_run(&loop, UV_RUN_DEFAULT), 0); /* until nothing is under way */
    mgi_fetch_pool_free(pool);
    assert_int_equal(uv_run(&loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&loop), 0);
}

static void test_an_answer_comes_whole_with_its_age(void **state)
{
    (void)state;
    struct origin o;
    struct tally t = { 0 };
    open_origin(&o, "HTTP/1.1 200 OK\r\nCache-Control: public, max-age=77\r\n"
                    "Content-Length: 5\r\nConnection: close\r\n\r\nhello");
    fetch_all(&o, &(struct fetch_order){ .max_bytes = 5, .timeout_ms = 20000 }, 6, &t);
    close_origin(&o);
    assert_int_equal(t.count, 6);
    assert_int_equal(t.status, 200);
    assert_string_equal(t.body, "hello");
    assert_true(t.max_age_s == 77);
    assert_true(strncmp(o.heard, "GET /keys ", 10) == 0);
}

static void test_a_form_is_posted_with_the_password(void **state)
{
    (void)state;
    struct origin o;
    struct tally t = { 0 };
    open_origin(&o, "HTTP/1.1 403 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    fetch_all(&o,
              &(struct fetch_order){
                  .basic = "me:pw", .form = STR_LIT("a=b"), .max_bytes = 5, .timeout_ms = 20000 },
              1, &t);
    close_origin(&o);
    assert_int_equal(t.status, 403);
    assert_true(t.max_age_s < 0);
    assert_true(strncmp(o.heard, "POST /keys ", 11) == 0);
    assert_non_null(strstr(o.heard, "Authorization: Basic bWU6cHc="));
    assert_non_null(strstr(o.heard, "application/x-www-form-urlencoded"));
}

static void test_what_is_too_large_or_elsewhere_is_no_answer(void **state)
{
    (void)state;
    struct origin o;
    struct tally t = { 0 };
    open_origin(&o, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nhello!");
    fetch_all(&o, &(struct fetch_order){ .max_bytes = 5, .timeout_ms = 20000 }, 1, &t);
    close_origin(&o);
    assert_int_equal(t.status, 0);
    assert_string_equal(t.why, "the answer is too large");
    open_origin(&o, "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n"
                    "Connection: close\r\n\r\n");
    fetch_all(&o, &(struct fetch_order){ .max_bytes = 5, .timeout_ms = 20000 }, 1, &t);
    close_origin(&o);
    assert_int_equal(t.status, 302); /* not followed */
}

/* More than are carried out at a time: the deadline counts from the order. */
static void test_silence_ends_by_the_deadline_for_all(void **state)
{
    (void)state;
    struct origin o;
    struct tally t = { 0 };
    uint64_t begun = uv_hrtime();
    open_origin(&o, "");
    fetch_all(&o, &(struct fetch_order){ .max_bytes = 5, .timeout_ms = 300 }, 3 * FETCH_THREADS,
              &t);
    close_origin(&o);
    assert_int_equal(t.count, 3 * FETCH_THREADS);
    assert_int_equal(t.status, 0);
    assert_true(uv_hrtime() - begun < UINT64_C(10000000000));
}

static void test_an_end_in_the_middle_tells_nobody(void **state)
{
    (void)state;
    struct origin o;
    struct tally t = { 0 };
    uv_loop_t loop;
    char url[64];
    open_origin(&o, "");
    assert_int_equal(uv_loop_init(&loop), 0);
    struct fetch_pool *pool = mgi_fetch_pool_new(&loop);
    struct fetcher fetcher = mgi_fetch_pool_fetcher(pool);
    snprintf(url, sizeof url, "http://127.0.0.1:%d/", o.port);
    const struct fetch_order order = { .url = url, .max_bytes = 5, .timeout_ms = 60000 };
    struct fetch *first = fetcher.begin(fetcher.self, &order, note_answer, &t);
    struct fetch *last = NULL;
    for (int i = 1; i < FETCH_MOST; i++)
        assert_non_null(last = fetcher.begin(fetcher.self, &order, note_answer, &t));
    assert_null(fetcher.begin(fetcher.self, &order, note_answer, &t)); /* the bound */
    fetcher.forget(fetcher.self, last); /* no thread has it: it is as if it had never begun */
    assert_non_null(fetcher.begin(fetcher.self, &order, note_answer, &t));
    assert_null(fetcher.begin(fetcher.self, &order, note_answer, &t));
    fetcher.forget(fetcher.self, first);
    usleep(50000);
    mgi_fetch_pool_free(pool);
    close_origin(&o);
    assert_int_equal(uv_run(&loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&loop), 0);
    assert_int_equal(t.count, 0);
}

/* A proxy would be told where the secrets go, and might be anywhere. */
static void test_no_proxy_of_the_environment_is_asked(void **state)
{
    (void)state;
    static const char *const names[] = { "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY" };
    struct origin o;
    struct tally t = { 0 };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        setenv(names[i], "http://127.0.0.1:1", 1);
    open_origin(&o, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi");
    fetch_all(&o, &(struct fetch_order){ .max_bytes = 5, .timeout_ms = 20000 }, 1, &t);
    close_origin(&o);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
    assert_int_equal(t.status, 200);
}

/* ---- a resolver that hangs ------------------------------------------------------------------- */

#define HANGING   "hangs.example"
#define HANG_US   (5 * 1000 * 1000)
#define FAR_EARLY UINT64_C(3000000000) /* far before it stops hanging, in ns */

static atomic_int hanging;

/* Stands in for that of the C library. */
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **out)
{
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    *(void **)&real = dlsym(RTLD_NEXT, "getaddrinfo");
    if (!name || strcmp(name, HANGING) != 0)
        return real(name, service, hints, out);
    atomic_fetch_add(&hanging, 1);
    usleep(HANG_US);
    atomic_fetch_sub(&hanging, 1);
    return EAI_AGAIN;
}

static void test_a_resolver_that_hangs_holds_up_nobody(void **state)
{
    (void)state;
    const struct fetch_order slow = { .url = "https://" HANGING "/",
                                      .max_bytes = 5,
                                      .timeout_ms = 300 };
    struct tally t = { 0 };
    uv_loop_t loop;
    uint64_t begun = uv_hrtime();
    assert_int_equal(uv_loop_init(&loop), 0);
    struct fetch_pool *pool = mgi_fetch_pool_new(&loop);
    struct fetcher fetcher = mgi_fetch_pool_fetcher(pool);
    for (int i = 0; i < 2 * FETCH_THREADS; i++)
        assert_non_null(fetcher.begin(fetcher.self, &slow, note_answer, &t));
    assert_int_equal(uv_run(&loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(t.count, 2 * FETCH_THREADS); /* all by their deadline */
    assert_int_equal(t.status, 0);
    assert_true(atomic_load(&hanging) > 0);
    assert_in_range(uv_hrtime() - begun, 0, FAR_EARLY);
    const struct fetch_order longer = { .url = slow.url, .max_bytes = 5, .timeout_ms = 60000 };
    assert_non_null(fetcher.begin(fetcher.self, &longer, note_answer, &t));
    usleep(50000);
    mgi_fetch_pool_free(pool); /* nor does the end wait for it */
    assert_int_equal(uv_run(&loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&loop), 0);
    assert_in_range(uv_hrtime() - begun, 0, FAR_EARLY);
    while (atomic_load(&hanging) > 0) /* its threads end by themselves */
        usleep(10000);
    usleep(100000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_answer_comes_whole_with_its_age),
        cmocka_unit_test(test_a_form_is_posted_with_the_password),
        cmocka_unit_test(test_what_is_too_large_or_elsewhere_is_no_answer),
        cmocka_unit_test(test_silence_ends_by_the_deadline_for_all),
        cmocka_unit_test(test_an_end_in_the_middle_tells_nobody),
        cmocka_unit_test(test_no_proxy_of_the_environment_is_asked),
        cmocka_unit_test(test_a_resolver_that_hangs_holds_up_nobody),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
