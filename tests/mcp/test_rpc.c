/* JSON-RPC messages: what is one, which fault it is otherwise, and what is written. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "mcp/rpc.h"

struct reading {
    struct arena arena;
    struct json json;
    struct rpc_message message;
    struct rpc_fault fault;
};

static bool read_text(struct reading *r, const char *text)
{
    mgi_arena_init(&r->arena, 0);
    return mgi_rpc_parse(&r->arena, str_of(text), &r->json, &r->fault) &&
           mgi_rpc_read(&r->json, &r->message, &r->fault);
}

static void drop_reading(struct reading *r)
{
    mgi_arena_fini(&r->arena);
}

/* X-RPC-1, X-RPC-2, X-RPC-8, X-RPC-11 */
static void test_what_is_no_message_has_its_code(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int code;
        bool has_id;
    } rows[] = {
        { "", RPC_PARSE, false },
        { "{", RPC_PARSE, false },
        { "\xef\xbb\xbf{}", RPC_PARSE, false },
        { "{\"id\":1,\"id\":1}", RPC_PARSE, false },
        { "{\"a\":\"\\ud800\"}", RPC_PARSE, false },
        { "{\"a\":\"\xff\"}", RPC_PARSE, false },
        { "3", RPC_INVALID_REQUEST, false },
        { "[]", RPC_INVALID_REQUEST, false },
        { "{}", RPC_INVALID_REQUEST, false },
        { "{\"id\":7,\"method\":\"ping\"}", RPC_INVALID_REQUEST, true },
        { "{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"ping\"}", RPC_INVALID_REQUEST, true },
        { "{\"jsonrpc\":2,\"id\":7,\"method\":\"ping\"}", RPC_INVALID_REQUEST, true },
        { "{\"jsonrpc\":\"2.0\",\"id\":7}", RPC_INVALID_REQUEST, true },
        { "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":3}", RPC_INVALID_REQUEST, true },
        { "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x\",\"params\":[]}", RPC_INVALID_REQUEST,
          true },
        { "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x\",\"params\":null}", RPC_INVALID_REQUEST,
          true },
        { "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x\",\"result\":{}}", RPC_INVALID_REQUEST,
          true },
        { "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"x\"}", RPC_INVALID_REQUEST, false },
        { "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"x\"}", RPC_INVALID_REQUEST, false },
        { "{\"jsonrpc\":\"2.0\",\"id\":1.0,\"method\":\"x\"}", RPC_INVALID_REQUEST, false },
        { "{\"jsonrpc\":\"2.0\",\"id\":9007199254740993,\"method\":\"x\"}", RPC_INVALID_REQUEST,
          false },
        { "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"x\"}", RPC_INVALID_REQUEST, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reading r;
        assert_false(read_text(&r, rows[i].text));
        assert_int_equal(r.fault.code, rows[i].code);
        assert_int_equal(r.fault.id.kind != RPC_NO_ID, rows[i].has_id);
        assert_false(r.fault.is_answer);
        assert_true(r.fault.message[0]);
        drop_reading(&r);
    }
}

/* X-RPC-3: its id is one of our own, and must not come back as if it were theirs. */
static void test_a_broken_answer_is_known_as_one(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{},\"error\":{\"code\":1,\"message\":\"\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":3}",
        "{\"jsonrpc\":\"2.0\",\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":\"no\"}",
        "{\"id\":7,\"result\":{}}",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reading r;
        assert_false(read_text(&r, rows[i]));
        assert_true(r.fault.is_answer);
        assert_int_equal(r.fault.id.kind, RPC_NO_ID);
        drop_reading(&r);
    }
}

/* X-RPC-1, X-RPC-2, X-RPC-6 */
static void test_messages_are_read_with_ids_of_zero_and_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum rpc_kind kind;
        enum rpc_id_kind id;
    } rows[] = {
        { "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\",\"other\":1}", RPC_REQUEST,
          RPC_ID_INT },
        { "{\"jsonrpc\":\"2.0\",\"id\":-1,\"method\":\"ping\"}", RPC_REQUEST, RPC_ID_INT },
        { "{\"jsonrpc\":\"2.0\",\"id\":\"\",\"method\":\"ping\",\"params\":{}}", RPC_REQUEST,
          RPC_ID_TEXT },
        { "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", RPC_NOTIFICATION,
          RPC_NO_ID },
        { "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}", RPC_RESULT, RPC_ID_TEXT },
        { "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-1,\"message\":\"m\"}}", RPC_ERROR,
          RPC_ID_INT },
        /* X-RPC-5: absent and null */
        { "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-1,\"message\":\"m\"}}", RPC_ERROR,
          RPC_NO_ID },
        { "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-1,\"message\":\"m\"}}", RPC_ERROR, RPC_NO_ID },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reading r;
        assert_true(read_text(&r, rows[i].text));
        assert_int_equal(r.message.kind, rows[i].kind);
        assert_int_equal(r.message.id.kind, rows[i].id);
        drop_reading(&r);
    }
}

/* X-RPC-2 */
static void test_ids_compare_with_their_type(void **state)
{
    (void)state;
    struct rpc_id one = { RPC_ID_INT, 1, { 0 } }, text = { RPC_ID_TEXT, 0, STR_LIT("1") };
    struct rpc_id none = { 0 };
    assert_true(mgi_rpc_id_equal(&one, &one));
    assert_true(mgi_rpc_id_equal(&text, &text));
    assert_false(mgi_rpc_id_equal(&one, &text));
    assert_false(mgi_rpc_id_equal(&none, &none));
    char name[RPC_ID_BYTES + 1];
    memset(name, 'x', sizeof name);
    struct json v = { .type = JSON_STRING, .string = { name, RPC_ID_BYTES } };
    struct rpc_id id;
    assert_true(mgi_rpc_id_read(&v, &id));
    v.string.len++;
    assert_false(mgi_rpc_id_read(&v, &id));
}

/* X-RPC-9, X-RPC-10 */
static void test_a_batch_has_one_to_sixty_four_elements(void **state)
{
    (void)state;
    struct rpc_fault fault;
    struct json v = { .type = JSON_ARRAY };
    assert_false(mgi_rpc_batch(&v, &fault));
    assert_int_equal(fault.code, RPC_INVALID_REQUEST);
    v.count = 64;
    assert_true(mgi_rpc_batch(&v, &fault));
    v.count = 65;
    assert_false(mgi_rpc_batch(&v, &fault));
}

static void same_text(struct buf *out, const char *expected)
{
    assert_string_equal(out->ptr, expected);
    mgi_buf_fini(out);
}

/* X-RPC-4, X-RPC-5 */
static void test_messages_are_written(void **state)
{
    (void)state;
    struct buf out = { 0 };
    struct json_writer w;
    struct rpc_id zero = { .kind = RPC_ID_INT }, empty = { .kind = RPC_ID_TEXT };
    mgi_rpc_begin_result(&w, &out, &zero);
    mgi_jw_raw(&w, STR_LIT("{}"));
    mgi_rpc_end(&w);
    same_text(&out, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}");
    mgi_rpc_begin(&w, &out, &empty, "ping");
    mgi_jw_raw(&w, STR_LIT("{}"));
    mgi_rpc_end(&w);
    same_text(&out, "{\"jsonrpc\":\"2.0\",\"id\":\"\",\"method\":\"ping\",\"params\":{}}");
    mgi_rpc_bare(&out, NULL, "notifications/initialized");
    same_text(&out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    mgi_rpc_error(&out, NULL, RPC_PARSE, STR_LIT("no \"JSON\""), (struct str){ 0 });
    same_text(&out,
              "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"no \\\"JSON\\\"\"}}");
    mgi_rpc_error(&out, &zero, RPC_INVALID_PARAMS, STR_LIT("m"), STR_LIT("{\"uri\":\"a\"}"));
    same_text(&out, "{\"jsonrpc\":\"2.0\",\"id\":0,\"error\":{\"code\":-32602,\"message\":\"m\","
                    "\"data\":{\"uri\":\"a\"}}}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_no_message_has_its_code),
        cmocka_unit_test(test_a_broken_answer_is_known_as_one),
        cmocka_unit_test(test_messages_are_read_with_ids_of_zero_and_nothing),
        cmocka_unit_test(test_ids_compare_with_their_type),
        cmocka_unit_test(test_a_batch_has_one_to_sixty_four_elements),
        cmocka_unit_test(test_messages_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
