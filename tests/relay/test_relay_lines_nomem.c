/* What the relay reads, whole and with every allocation failing in turn: refused with a reason, or
 * taken as it stands, and nothing is left behind (the arena is all there is). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/nomem.h"

#include "../../plugins/relay/answer.c"
#include "../../plugins/relay/settings.c"

static const char settings_text[] =
    "{\"run\":[\"python3\",\"a.py\"],\"folder\":\"/tmp\",\"env\":{\"A\":\"b=c\",\"E\":\"\"},"
    "\"tools\":[{\"aid\":\"AID.X.v1\",\"name\":\"x\",\"description\":\"\\u00e9\",\"tier\":2,"
    "\"side_effects\":[\"none\"],\"input_schema\":{\"type\": \"object\"},\"timeout_ms\":5,"
    "\"deterministic\":true,\"tags\":[\"t\",\"u\"],\"output_schema\":null}]}";

static const char answer_text[] =
    "{\"ok\":true,\"status\":\"OK\",\"output_json\":\"{\\\"a\\\":1}\","
    "\"request_id\":\"r#1\",\"ds_state\":{\"slots\":{}}}";

/* True: all was read. */
static bool read_all(struct arena *arena, const char **why)
{
    struct relay_settings s;
    th_tool *tools;
    size_t count;
    if (!relay_settings_read(arena, str_of(settings_text), &s, why) ||
        !relay_tools_read(arena, &s.tools, &tools, &count, why))
        return false;
    assert_string_equal(s.run[1], "a.py");
    assert_null(s.run[s.run_count]);
    assert_string_equal(s.folder, "/tmp");
    assert_string_equal(s.env[0], "A=b=c");
    assert_string_equal(s.env[1], "E=");
    assert_int_equal(count, 1);
    assert_string_equal(tools[0].aid, "AID.X.v1");
    assert_string_equal(tools[0].description, "\xc3\xa9");
    assert_string_equal(tools[0].input_schema, "{\"type\": \"object\"}");
    assert_null(tools[0].output_schema);
    assert_string_equal(tools[0].tags[1], "u");
    assert_null(tools[0].tags[2]);
    assert_int_equal(tools[0].flags, TH_TOOL_DETERMINISTIC);
    assert_int_equal(tools[0].min_tier, 2);
    assert_int_equal(tools[0].timeout_ms, 5);
    return true;
}

static void test_settings_survive_any_failing_allocation(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct arena arena;
        const char *why = NULL;
        mgi_arena_init(&arena, 0);
        nomem_fail_at(n);
        bool good = read_all(&arena, &why);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (!good)
            assert_true(failed && why && strstr(why, "out of memory"));
        mgi_arena_fini(&arena);
        if (!failed) {
            assert_true(good);
            break;
        }
    }
}

static void test_answers_survive_any_failing_allocation(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct arena arena;
        struct relay_answer answer;
        const char *why = NULL;
        mgi_arena_init(&arena, 0);
        nomem_fail_at(n);
        enum relay_line kind =
            relay_line_read(&arena, str_of(answer_text), STR_LIT("r#1"), &answer, &why);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (kind == RELAY_ANSWER)
            assert_true(str_is(answer.output, "{\"a\":1}") && answer.state.type == JSON_OBJECT);
        else
            assert_true(failed && kind == RELAY_WRONG && str_is(str_of(why), "out of memory"));
        mgi_arena_fini(&arena);
        if (!failed) {
            assert_int_equal(kind, RELAY_ANSWER);
            break;
        }
    }
}

static void test_a_list_that_is_refused_says_why(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "{\"ok\":false,\"error\":\"no licence\"}", "the list: no licence" },
        { "{\"ok\":false,\"error\":\"a\\u0000b\"}", "the list: a" },
        { "{\"ok\":false}", "the list: is refused" },
        { "{\"ok\":true}", "the list: has no tools" },
        { "[]", "the list: must be an object" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena;
        struct json tools;
        const char *why = NULL;
        mgi_arena_init(&arena, 0);
        assert_false(relay_list_read(&arena, str_of(cases[i][0]), &tools, &why));
        assert_string_equal(why, cases[i][1]);
        mgi_arena_fini(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings_survive_any_failing_allocation),
        cmocka_unit_test(test_answers_survive_any_failing_allocation),
        cmocka_unit_test(test_a_list_that_is_refused_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
