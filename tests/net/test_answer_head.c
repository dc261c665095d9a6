/* The head of a server's answer: status, fields by name, and what an upgrade is judged by. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/answer_head.h"

static void test_a_status_is_three_digits_of_http_1_1(void **state)
{
    (void)state;
    static const struct {
        const char *head;
        int status; /* 0: none */
    } rows[] = { { "HTTP/1.1 200 OK", 200 }, { "HTTP/1.1 101", 101 }, { "HTTP/1.0 200 OK", 0 },
                 { "HTTP/1.1 2x0 OK", 0 },   { "HTTP/1.1 20", 0 },    { "", 0 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int status = -1;
        bool read = mgi_answer_head_status(str_of(rows[i].head), &status);
        assert_int_equal(read, rows[i].status > 0);
        if (read)
            assert_int_equal(status, rows[i].status);
    }
}

static void test_a_field_is_found_by_its_name(void **state)
{
    (void)state;
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Length:\t 12 \r\nX-Content-Length: 7\r\n"
                               "content-length: 13\nEmpty:\r\nno field\r\nLast: z";
    struct str value;
    assert_true(mgi_answer_head_field(str_of(head), "CONTENT-length", &value));
    assert_true(str_is(value, "12"));
    assert_true(mgi_answer_head_field(str_of(head), "empty", &value));
    assert_int_equal(value.len, 0);
    assert_true(mgi_answer_head_field(str_of(head), "last", &value));
    assert_true(str_is(value, "z"));
    assert_false(mgi_answer_head_field(str_of(head), "length", &value));
    assert_false(mgi_answer_head_field(str_of(head), "no field", &value));
    assert_false(mgi_answer_head_field(STR_LIT(""), "a", &value));
}

static void test_an_upgrade_joins_what_is_there_twice(void **state)
{
    (void)state;
    struct arena arena;
    struct ws_acceptance a;
    mgi_arena_init(&arena, 0);
    assert_true(mgi_answer_head_upgrade(
        &arena, STR_LIT("HTTP/1.1 101 Yes\r\nConnection: a\r\nUpgrade: websocket\r\nConnection: b"),
        &a));
    assert_int_equal(a.status, 101);
    assert_true(str_is(a.connection, "a, b"));
    assert_true(str_is(a.upgrade, "websocket"));
    assert_null(a.accept.ptr);
    assert_false(mgi_answer_head_upgrade(&arena, STR_LIT("hello"), &a));
    mgi_arena_fini(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_status_is_three_digits_of_http_1_1),
        cmocka_unit_test(test_a_field_is_found_by_its_name),
        cmocka_unit_test(test_an_upgrade_joins_what_is_there_twice),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
