/* Loggers: levels, one line each, cut at a character. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/str.h"
#include "base/time.h"
#include "base/utf8.h"
#include "sys/log_stderr.h"

static char seen[8192];
static size_t seen_len;
static int seen_count;

static void keep(void *context, enum log_level level, const char *line, size_t len)
{
    (void)context;
    (void)level;
    memcpy(seen, line, len);
    seen[len] = '\0';
    seen_len = len;
    seen_count++;
}

static void test_lines_above_the_level_are_dropped(void **state)
{
    (void)state;
    struct logger log = { LOG_WARN, keep, NULL };
    seen_count = 0;
    mgi_log(&log, LOG_INFO, "no");
    mgi_log(&log, LOG_DEBUG, "no");
    assert_int_equal(seen_count, 0);
    mgi_log(&log, LOG_WARN, "yes %d", 1);
    mgi_log(&log, LOG_ERROR, "yes %d", 2);
    assert_int_equal(seen_count, 2);
    assert_string_equal(seen, "yes 2");
    mgi_log(NULL, LOG_ERROR, "nobody listens");
}

static void test_a_line_cannot_forge_another(void **state)
{
    (void)state;
    struct logger log = { LOG_WARN, keep, NULL };
    mgi_log(&log, LOG_WARN, "%s", "one\nerror: two\r\x1b[0m");
    assert_null(memchr(seen, '\n', seen_len));
    assert_null(memchr(seen, '\r', seen_len));
    assert_null(memchr(seen, '\x1b', seen_len));
}

static void test_long_lines_are_cut_at_a_character(void **state)
{
    (void)state;
    struct logger log = { LOG_WARN, keep, NULL };
    for (size_t shift = 0; shift < 4; shift++) {
        char text[6000];
        size_t len = 0;
        for (; len < shift; len++)
            text[len] = 'x';
        for (; len + 4 < sizeof text; len += 4)
            memcpy(text + len, "\xf0\x9f\x98\x80", 4);
        text[len] = '\0';
        mgi_log(&log, LOG_WARN, "%s", text);
        assert_in_range(seen_len, 4093, 4096);
        assert_true(mgi_utf8_valid((struct str){ seen, seen_len }, NULL));
    }
}

static void test_level_names_read_back(void **state)
{
    (void)state;
    for (int i = LOG_ERROR; i <= LOG_DEBUG; i++) {
        enum log_level level = LOG_ERROR;
        assert_true(mgi_log_level_parse(mgi_log_level_name((enum log_level)i), &level));
        assert_int_equal(level, i);
    }
    enum log_level level;
    assert_false(mgi_log_level_parse("loud", &level));
}

static void test_stderr_gets_time_level_and_text(void **state)
{
    (void)state;
    int pipe_ends[2];
    assert_int_equal(pipe(pipe_ends), 0);
    int saved = dup(STDERR_FILENO);
    assert_true(saved >= 0);
    assert_true(dup2(pipe_ends[1], STDERR_FILENO) >= 0);
    mgi_log_to_stderr(NULL, LOG_WARN, "text", 4);
    assert_true(dup2(saved, STDERR_FILENO) >= 0);
    (void)close(saved);
    (void)close(pipe_ends[1]);
    char line[200];
    ssize_t len = read(pipe_ends[0], line, sizeof line - 1);
    (void)close(pipe_ends[0]);
    assert_true(len > 11);
    line[len] = '\0';
    assert_string_equal(line + len - 11, " warn text\n");
    int64_t ns;
    assert_int_equal(mgi_time_parse((struct str){ line, (size_t)len - 11 }, 0, &ns), TIME_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_above_the_level_are_dropped),
        cmocka_unit_test(test_a_line_cannot_forge_another),
        cmocka_unit_test(test_long_lines_are_cut_at_a_character),
        cmocka_unit_test(test_level_names_read_back),
        cmocka_unit_test(test_stderr_gets_time_level_and_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
