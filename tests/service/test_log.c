/* A server's log: lines of one form, text or JSON, and nobody waits for who does not read them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/json.h"
#include "service/log.h"

static int64_t half_past_two(void)
{
    return INT64_C(1771511400120) * 1000000; /* 2026-02-19T14:30:00.120Z */
}

struct world {
    int ends[2];
    struct log_sink sink;
    struct logger logger;
    char text[1 << 17];
};

static int setup(void **state)
{
    static struct world w;
    w = (struct world){ .sink = { .level = LOG_DEBUG, .real_ns = half_past_two } };
    assert_int_equal(pipe2(w.ends, O_NONBLOCK), 0);
    /* Our end blocks, as that of a program does. */
    assert_int_equal(fcntl(w.ends[1], F_SETFL, 0), 0);
    w.sink.fd = w.ends[1];
    w.logger = (struct logger){ LOG_DEBUG, mgi_log_sink_write, &w.sink };
    *state = &w;
    return 0;
}

static int teardown(void **state)
{
    struct world *w = *state;
    close(w->ends[0]);
    close(w->ends[1]);
    return 0;
}

static const char *written(struct world *w)
{
    size_t len = 0;
    for (ssize_t n; (n = read(w->ends[0], w->text + len, sizeof w->text - 1 - len)) > 0;)
        len += (size_t)n;
    w->text[len] = '\0';
    return w->text;
}

static const struct access_record record = {
    .transport = "http",
    .type = "intent_request",
    .id = { "a\"b\n\xe2\x80\x8f", 7 },
    .subject = { "why slow", 8 },
    .code = WIRE_OK,
    .total_ns = 12345678,
    .waited_ns = 999,
    .worked_ns = 5000000,
    .bytes_in = 10,
    .bytes_out = 20,
};

static void test_text_lines(void **state)
{
    struct world *w = *state;
    mgi_log(&w->logger, LOG_WARN, "disk %d%% full", 90);
    mgi_log_sink_access(&w->sink, &record);
    struct access_record r = record;
    const struct principal ann = { .kind = PRINCIPAL_KNOWN, .identity = { "ann", 3 } };
    r.who = &ann;
    r.caller = ann.identity;
    r.code = WIRE_EXECUTION_FAILED;
    r.replayed = true;
    r.type = "";
    r.id = (struct str){ NULL, 0 };
    r.invocation_id = STR_LIT("0123456789abcdef0123456789abcdef");
    r.traceparent = STR_LIT("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    mgi_log_sink_access(&w->sink, &r);
    const struct principal nobody = { .kind = PRINCIPAL_ANONYMOUS };
    r = record;
    r.who = &nobody;
    r.code = WIRE_MACRO_NOT_FOUND;
    mgi_log_sink_access(&w->sink, &r);
    assert_string_equal(
        written(w),
        "2026-02-19T14:30:00.120Z warn disk 90% full\n"
        "2026-02-19T14:30:00.120Z info request transport=http type=intent_request "
        "id=\"a\\\"b\\n\\u{200f}\" subject=\"why slow\" who=\"\" code=ok ms=12.345 wait_ms=0.000 "
        "work_ms=5.000 in=10 out=20\n"
        "2026-02-19T14:30:00.120Z warn request transport=http type=- id=\"\" subject=\"why slow\" "
        "who=\"ann\" code=execution_failed ms=12.345 wait_ms=0.000 work_ms=5.000 in=10 out=20 "
        "replayed=true invocation=0123456789abcdef0123456789abcdef "
        "traceparent=00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\n"
        "2026-02-19T14:30:00.120Z info request transport=http type=intent_request "
        "id=\"a\\\"b\\n\\u{200f}\" subject=\"why slow\" who=\"anonymous\" code=macro_not_found "
        "ms=12.345 wait_ms=0.000 work_ms=5.000 in=10 out=20\n");
}

static void test_json_lines(void **state)
{
    struct world *w = *state;
    w->sink.format = LOG_JSON;
    mgi_log(&w->logger, LOG_ERROR, "say \"no\"");
    mgi_log_sink_access(&w->sink, &record);
    assert_string_equal(
        written(w),
        "{\"time\":\"2026-02-19T14:30:00.120Z\",\"level\":\"error\",\"message\":\"say "
        "\\\"no\\\"\"}\n"
        "{\"time\":\"2026-02-19T14:30:00.120Z\",\"level\":\"info\",\"message\":\"request\","
        "\"transport\":\"http\",\"type\":\"intent_request\",\"id\":\"a\\\"b\\n\xe2\x80\x8f\","
        "\"subject\":\"why slow\",\"who\":\"\",\"code\":\"ok\",\"ms\":12.345,\"wait_ms\":0.0,"
        "\"work_ms\":5.0,\"in\":10,\"out\":20}\n");
}

static void test_which_requests_get_a_line(void **state)
{
    struct world *w = *state;
    static const struct {
        enum log_level level;
        enum access_log access;
        enum wire_code code;
        bool line;
    } cases[] = {
        { LOG_INFO, ACCESS_ALL, WIRE_OK, true },
        { LOG_INFO, ACCESS_ERRORS, WIRE_OK, false },
        { LOG_INFO, ACCESS_ERRORS, WIRE_AUTH_INVALID, true },
        { LOG_INFO, ACCESS_NONE, WIRE_INTERNAL_ERROR, false },
        { LOG_WARN, ACCESS_ALL, WIRE_OK, false },
        { LOG_WARN, ACCESS_ALL, WIRE_AUTH_INVALID, false },
        { LOG_WARN, ACCESS_ALL, WIRE_SERVER_NOT_READY, false },
        { LOG_WARN, ACCESS_ALL, WIRE_INTERNAL_ERROR, true },
        { LOG_ERROR, ACCESS_ALL, WIRE_INTERNAL_ERROR, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct access_record r = record;
        r.code = cases[i].code;
        w->sink.level = cases[i].level;
        w->sink.access = cases[i].access;
        mgi_log_sink_access(&w->sink, &r);
        assert_int_equal(written(w)[0] != '\0', cases[i].line);
    }
}

/* The longest that outsiders can make it: still one atomic write. */
static void test_no_line_is_longer_than_a_pipe_takes_at_once(void **state)
{
    struct world *w = *state;
    static char junk[100000];
    for (int format = LOG_TEXT; format <= LOG_JSON; format++) {
        for (int fill = 1; fill < 256; fill++) {
            memset(junk, fill, sizeof junk);
            const struct principal who = { .kind = PRINCIPAL_KNOWN, .identity = { junk, 9999 } };
            struct access_record r = record;
            r.who = &who;
            r.caller = who.identity;
            r.id = r.subject = (struct str){ junk, sizeof junk };
            w->sink.format = (enum log_format)format;
            mgi_log_sink_access(&w->sink, &r);
            size_t len = strlen(written(w));
            assert_true(len > 0 && len <= PIPE_BUF);
            mgi_log_sink_write(&w->sink, LOG_WARN, junk, sizeof junk);
            len = strlen(written(w));
            assert_true(len > 0 && len <= PIPE_BUF);
        }
    }
    assert_int_equal(atomic_load(&w->sink.lost), 0);
}

/* The bound: nobody reads. The writer goes on, counts, and says so when there is room. */
static void test_a_reader_that_does_not_read_stops_nobody(void **state)
{
    struct world *w = *state;
    char line[1000];
    memset(line, 'x', sizeof line);
    for (int i = 0; i < 1000; i++)
        mgi_log_sink_write(&w->sink, LOG_INFO, line, sizeof line);
    unsigned lost = atomic_load(&w->sink.lost);
    assert_true(lost > 800 && lost < 1000);
    (void)written(w);
    mgi_log(&w->logger, LOG_INFO, "again");
    char wanted[200];
    snprintf(wanted, sizeof wanted,
             "2026-02-19T14:30:00.120Z warn %u log lines were lost\n"
             "2026-02-19T14:30:00.120Z info again\n",
             lost);
    assert_string_equal(written(w), wanted);
    assert_int_equal(atomic_load(&w->sink.lost), 0);
}

static void test_a_full_disk_stops_nobody(void **state)
{
    struct world *w = *state;
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (full < 0)
        skip();
    w->sink.fd = full;
    mgi_log(&w->logger, LOG_INFO, "one");
    mgi_log(&w->logger, LOG_INFO, "two");
    assert_int_equal(atomic_load(&w->sink.lost), 2);
    close(full);
}

int main(void)
{
#define ONE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        ONE(test_text_lines),
        ONE(test_json_lines),
        ONE(test_which_requests_get_a_line),
        ONE(test_no_line_is_longer_than_a_pipe_takes_at_once),
        ONE(test_a_reader_that_does_not_read_stops_nobody),
        ONE(test_a_full_disk_stops_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
