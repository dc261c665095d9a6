/* json: pointers, transformations, patches and differences. The patches of the first two tests are
 * those of RFC 6902, appendix A, and of RFC 7396, appendix A. */
#include "plugins/plugin_host.h"

#include "plugins/json/json_plugin.h"

static int begin(void **state)
{
    (void)state;
    plugin_load("{}");
    return 0;
}

static int end(void **state)
{
    (void)state;
    plugin_unload();
    return 0;
}

/* One step on a document; `want` NULL: it is refused, and `why` says so. */
static void check_step(const char *document, const char *step, const char *want, const char *why)
{
    char input[4000], answer[2000];
    snprintf(input, sizeof input, "{\"document\":%s,\"steps\":[%s]}", document, step);
    if (!want && why) {
        CHECK_FAIL("json_transform", input, why);
        return;
    }
    assert_non_null(want);
    snprintf(answer, sizeof answer, "{\"value\":%s}", want);
    const char *got = plugin_ask("json_transform", input);
    if (strcmp(got, answer) != 0)
        fail_msg("%s\n got  %s\n want %s", input, got, answer);
}

static void test_patches_of_the_standard(void **state)
{
    (void)state;
    static const char *const rows[][4] = {
        { "{\"foo\":\"bar\"}", "{\"op\":\"add\",\"path\":\"/baz\",\"value\":\"qux\"}",
          "{\"foo\":\"bar\",\"baz\":\"qux\"}", NULL },
        { "{\"foo\":[\"bar\",\"baz\"]}", "{\"op\":\"add\",\"path\":\"/foo/1\",\"value\":\"qux\"}",
          "{\"foo\":[\"bar\",\"qux\",\"baz\"]}", NULL },
        { "{\"baz\":\"qux\",\"foo\":\"bar\"}", "{\"op\":\"remove\",\"path\":\"/baz\"}",
          "{\"foo\":\"bar\"}", NULL },
        { "{\"foo\":[\"bar\",\"qux\",\"baz\"]}", "{\"op\":\"remove\",\"path\":\"/foo/1\"}",
          "{\"foo\":[\"bar\",\"baz\"]}", NULL },
        { "{\"baz\":\"qux\",\"foo\":\"bar\"}",
          "{\"op\":\"replace\",\"path\":\"/baz\",\"value\":\"boo\"}",
          "{\"baz\":\"boo\",\"foo\":\"bar\"}", NULL },
        { "{\"foo\":{\"bar\":\"baz\",\"waldo\":\"fred\"},\"qux\":{\"corge\":\"grault\"}}",
          "{\"op\":\"move\",\"from\":\"/foo/waldo\",\"path\":\"/qux/thud\"}",
          "{\"foo\":{\"bar\":\"baz\"},\"qux\":{\"corge\":\"grault\",\"thud\":\"fred\"}}", NULL },
        { "{\"foo\":[\"all\",\"grass\",\"cows\",\"eat\"]}",
          "{\"op\":\"move\",\"from\":\"/foo/1\",\"path\":\"/foo/3\"}",
          "{\"foo\":[\"all\",\"cows\",\"eat\",\"grass\"]}", NULL },
        { "{\"baz\":\"qux\",\"foo\":[\"a\",2,\"c\"]}",
          "{\"op\":\"test\",\"path\":\"/baz\",\"value\":\"qux\"},{\"op\":\"test\",\"path\":\"/foo/"
          "1\","
          "\"value\":2}",
          "{\"baz\":\"qux\",\"foo\":[\"a\",2,\"c\"]}", NULL },
        { "{\"baz\":\"qux\"}", "{\"op\":\"test\",\"path\":\"/baz\",\"value\":\"bar\"}", NULL,
          "operation 1: what is at \"/baz\" is not the value of the test" },
        { "{\"foo\":\"bar\"}", "{\"op\":\"add\",\"path\":\"/child\",\"value\":{\"grandchild\":{}}}",
          "{\"foo\":\"bar\",\"child\":{\"grandchild\":{}}}", NULL },
        { "{\"foo\":\"bar\"}", "{\"op\":\"add\",\"path\":\"/baz\",\"value\":\"qux\",\"xyz\":123}",
          "{\"foo\":\"bar\",\"baz\":\"qux\"}", NULL },
        { "{\"foo\":\"bar\"}", "{\"op\":\"add\",\"path\":\"/baz/bat\",\"value\":\"qux\"}", NULL,
          "nothing is at \"/baz/bat\"" },
        { "{\"/\":9,\"~1\":10}", "{\"op\":\"test\",\"path\":\"/~01\",\"value\":10}",
          "{\"/\":9,\"~1\":10}", NULL },
        { "{\"/\":9,\"~1\":10}", "{\"op\":\"test\",\"path\":\"/~01\",\"value\":\"10\"}", NULL,
          "not the value" },
        { "{\"foo\":[\"bar\"]}", "{\"op\":\"add\",\"path\":\"/foo/-\",\"value\":[\"abc\",\"def\"]}",
          "{\"foo\":[\"bar\",[\"abc\",\"def\"]]}", NULL },
        /* beyond the appendix */
        { "[1,2]", "{\"op\":\"add\",\"path\":\"/3\",\"value\":3}", NULL, "nothing is at" },
        { "[1,2]", "{\"op\":\"add\",\"path\":\"/01\",\"value\":3}", NULL, "nothing is at" },
        { "[1,2]", "{\"op\":\"remove\",\"path\":\"/-\"}", NULL, "nothing is at" },
        { "[1,2]", "{\"op\":\"add\",\"path\":\"\",\"value\":7}", "7", NULL },
        { "[1,2]", "{\"op\":\"remove\",\"path\":\"\"}", NULL, "nothing is at" },
        { "{\"a\":{\"b\":1}}", "{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/a/c\"}", NULL,
          "cannot go into itself" },
        { "{\"a\":1}", "{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/a\"}", "{\"a\":1}", NULL },
        { "{\"a\":{\"b\":1}}", "{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/a/c\"}",
          "{\"a\":{\"b\":1,\"c\":{\"b\":1}}}", NULL },
        { "{}", "{\"op\":\"add\",\"path\":\"a\",\"value\":1}", NULL, "\"a\" is no JSON pointer" },
        { "{}", "{\"op\":\"add\",\"path\":\"/~2\",\"value\":1}", NULL, "is no JSON pointer" },
        { "{}", "{\"op\":\"add\",\"path\":\"/a\"}", NULL, "\"value\" is missing" },
        { "{}", "{\"op\":\"put\",\"path\":\"/a\"}", NULL, "\"put\" is none of add, remove" },
        { "{}", "{\"op\":\"copy\",\"path\":\"/a\"}", NULL, "\"from\" is no string" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char step[1000];
        snprintf(step, sizeof step, "{\"op\":\"patch\",\"operations\":[%s]}", rows[i][1]);
        check_step(rows[i][0], step, rows[i][2], rows[i][3]);
    }
    /* All or none. */
    check_step(
        "{\"a\":1}",
        "{\"op\":\"patch\",\"operations\":[{\"op\":\"remove\",\"path\":\"/a\"},{\"op\":\"remove\","
        "\"path\":\"/a\"}]}",
        NULL, "step 1: operation 2: nothing is at \"/a\"");
}

static void test_merge_patches_of_the_standard(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        { "{\"a\":\"b\"}", "{\"a\":\"c\"}", "{\"a\":\"c\"}" },
        { "{\"a\":\"b\"}", "{\"b\":\"c\"}", "{\"a\":\"b\",\"b\":\"c\"}" },
        { "{\"a\":\"b\"}", "{\"a\":null}", "{}" },
        { "{\"a\":\"b\",\"b\":\"c\"}", "{\"a\":null}", "{\"b\":\"c\"}" },
        { "{\"a\":[\"b\"]}", "{\"a\":\"c\"}", "{\"a\":\"c\"}" },
        { "{\"a\":\"c\"}", "{\"a\":[\"b\"]}", "{\"a\":[\"b\"]}" },
        { "{\"a\":{\"b\":\"c\"}}", "{\"a\":{\"b\":\"d\",\"c\":null}}", "{\"a\":{\"b\":\"d\"}}" },
        { "{\"a\":[{\"b\":\"c\"}]}", "{\"a\":[1]}", "{\"a\":[1]}" },
        { "[\"a\",\"b\"]", "[\"c\",\"d\"]", "[\"c\",\"d\"]" },
        { "{\"a\":\"b\"}", "[\"c\"]", "[\"c\"]" },
        { "{\"a\":\"foo\"}", "null", "null" },
        { "{\"a\":\"foo\"}", "\"bar\"", "\"bar\"" },
        { "{\"e\":null}", "{\"a\":1}", "{\"e\":null,\"a\":1}" },
        { "[1,2]", "{\"a\":\"b\",\"c\":null}", "{\"a\":\"b\"}" },
        { "{}", "{\"a\":{\"bb\":{\"ccc\":null}}}", "{\"a\":{\"bb\":{}}}" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char step[300];
        snprintf(step, sizeof step, "{\"op\":\"merge\",\"patch\":%s}", rows[i][1]);
        check_step(rows[i][0], step, rows[i][2], NULL);
    }
}

#define PEOPLE                                                                                     \
    "[{\"n\":\"b\",\"t\":\"x\",\"a\":2},{\"n\":\"a\",\"t\":\"y\",\"a\":10},{\"n\":\"c\",\"t\":"    \
    "\"x\"}]"

static void test_steps_do_what_they_say(void **state)
{
    (void)state;
    static const char *const rows[][4] = {
        { "{\"a\":[7]}", "{\"op\":\"get\",\"pointer\":\"/a/0\"}", "7", NULL },
        { "{\"a\":[7]}", "{\"op\":\"get\",\"pointer\":\"/b\",\"default\":null}", "null", NULL },
        { "{\"a\":[7]}", "{\"op\":\"get\",\"pointer\":\"/b\"}", NULL, "nothing is at \"/b\"" },
        { "{\"a\":[7]}", "{\"op\":\"get\",\"pointer\":\"b\"}", NULL, "is no JSON pointer" },
        { PEOPLE, "{\"op\":\"select\",\"path\":\"$[?@.t=='x'].n\"}", "[\"b\",\"c\"]", NULL },
        { PEOPLE, "{\"op\":\"select\",\"path\":\"$[\"}", NULL, "step 1: byte 2:" },
        { "{\"a\":1,\"b\":[2,3]}",
          "{\"op\":\"build\",\"members\":{\"x\":{\"pointer\":\"/"
          "a\"},\"y\":{\"path\":\"$.b[*]\"},\"z\":{"
          "\"value\":[]},\"w\":{\"pointer\":\"/q\",\"default\":0}}}",
          "{\"x\":1,\"y\":[2,3],\"z\":[],\"w\":0}", NULL },
        { "{}", "{\"op\":\"build\",\"members\":{\"x\":{\"pointer\":\"/a\"}}}", NULL,
          "member \"x\": nothing is at \"/a\"" },
        { "{\"a\":1,\"b\":2,\"c\":3}", "{\"op\":\"pick\",\"names\":[\"c\",\"a\"]}",
          "{\"a\":1,\"c\":3}", NULL },
        { "[{\"a\":1,\"b\":2},7]", "{\"op\":\"omit\",\"names\":[\"a\"]}", "[{\"b\":2},7]", NULL },
        { "7", "{\"op\":\"omit\",\"names\":[\"a\"]}", NULL, "neither an object nor a list" },
        { "{\"a\":1,\"b\":2}", "{\"op\":\"rename\",\"names\":{\"a\":\"c\"}}", "{\"c\":1,\"b\":2}",
          NULL },
        { "{\"a\":1,\"b\":2}", "{\"op\":\"rename\",\"names\":{\"a\":\"b\",\"b\":\"a\"}}",
          "{\"b\":1,\"a\":2}", NULL },
        { "{\"a\":1,\"b\":2}", "{\"op\":\"rename\",\"names\":{\"a\":\"b\"}}", NULL,
          "two members would be called \"b\"" },
        { "[1,[2,[3]]]", "{\"op\":\"flatten\"}", "[1,2,[3]]", NULL },
        { "[1,[2,[3]]]", "{\"op\":\"flatten\",\"depth\":2}", "[1,2,3]", NULL },
        { PEOPLE, "{\"op\":\"sort_by\",\"by\":\"/n\"},{\"op\":\"select\",\"path\":\"$[*].n\"}",
          "[\"a\",\"b\",\"c\"]", NULL },
        { PEOPLE,
          "{\"op\":\"sort_by\",\"by\":\"/"
          "a\",\"descending\":true},{\"op\":\"select\",\"path\":\"$[*].n\"}",
          "[\"a\",\"b\",\"c\"]", NULL },
        { "[\"b\",1.5,null,true,\"a\",10,false,2]", "{\"op\":\"sort_by\"}",
          "[null,false,true,1.5,2,10,\"a\",\"b\"]", NULL },
        { PEOPLE,
          "{\"op\":\"group_by\",\"by\":\"/"
          "t\"},{\"op\":\"build\",\"members\":{\"x\":{\"path\":\"$.x[*].n\"},"
          "\"y\":{\"path\":\"$.y[*].n\"}}}",
          "{\"x\":[\"b\",\"c\"],\"y\":[\"a\"]}", NULL },
        { "[{\"k\":1},{\"k\":1.0},{}]", "{\"op\":\"group_by\",\"by\":\"/k\"}",
          "{\"1\":[{\"k\":1}],\"1.0\":[{\"k\":1.0}],\"null\":[{}]}", NULL },
        { "[3,1,3,\"3\",1]", "{\"op\":\"unique\"}", "[3,1,\"3\"]", NULL },
        { "[{\"a\":1,\"b\":2},{\"b\":2,\"a\":1}]", "{\"op\":\"unique\"}", "[{\"a\":1,\"b\":2}]",
          NULL },
        { "[1,2,3,4]", "{\"op\":\"limit\",\"count\":2,\"offset\":1}", "[2,3]", NULL },
        { "[1,2]", "{\"op\":\"limit\",\"offset\":9}", "[]", NULL },
        { "{\"a\":1}", "{\"op\":\"count\"}", "1", NULL },
        { "7", "{\"op\":\"count\"}", NULL, "neither a list nor an object" },
        { "7", "{\"op\":\"sort_by\"}", NULL, "the value is no list" },
        { "[7]", "{\"op\":\"limit\",\"count\":-1}", NULL, "\"count\" is no whole number" },
        { "[7]", "{\"op\":\"limit\",\"cuont\":1}", NULL, "limit has no \"cuont\"" },
        { "[7]", "{\"op\":\"explode\"}", NULL, "step 1: \"op\" is none of get, select" },
        { "[7]", "7", NULL, "\"op\" is missing" },
        { "18446744073709551616", "{\"op\":\"build\",\"members\":{\"n\":{\"pointer\":\"\"}}}",
          "{\"n\":18446744073709551616}", NULL }, /* numbers keep their spelling */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_step(rows[i][0], rows[i][1], rows[i][2], rows[i][3]);
    }
}

static void test_arguments_are_checked(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        { "json_query", "{}", "document, document_text: say one of them; path, pointer: say one" },
        { "json_query", "{\"document\":1,\"document_text\":\"1\",\"path\":\"$\"}",
          "say one of them" },
        { "json_query", "{\"document_text\":\"{\\\"a\\\":\",\"path\":\"$\"}",
          "document_text: line 1, column 6:" },
        { "json_query", "{\"document\":1,\"paht\":\"$\"}",
          "paht: no such argument; did you mean path?" },
        { "json_query", "{\"document\":1,\"pointer\":\"a\"}", "pointer: begins with /" },
        { "json_transform", "{\"document\":1}", "steps: missing" },
        { "json_transform", "{\"document\":1,\"steps\":{}}", "steps: not a list" },
        { "json_diff", "{\"before\":1}", "after, after_text: say one of them" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_FAIL(rows[i][0], rows[i][1], rows[i][2]);
    char deep[500] = "{\"pointer\":\"\",\"document_text\":\"";
    for (int i = 0; i < 65; i++)
        strcat(deep, "[");
    for (int i = 0; i < 65; i++)
        strcat(deep, "]");
    CHECK_FAIL("json_query", strcat(deep, "\"}"), "document_text: line 1, column 65");
    CHECK_FAIL("json_query", "{\"pointer\":\"\",\"document_text\":\"{\\\"a\\\":1,\\\"a\\\":2}\"}",
               "document_text: line 1");
    check_descriptors();
    for (size_t i = 0; i < plugin_tools.count; i++) {
        assert_string_equal(plugin_tools.tools[i].effects[0], "none");
        assert_true(plugin_tools.tools[i].flags & TH_TOOL_DETERMINISTIC);
    }
    assert_non_null(strstr(plugin_try("{\"x\":1}"), "x: no such argument"));
    begin(NULL);
}

static void test_pointers_and_limits_of_a_query(void **state)
{
    (void)state;
    CHECK_OK("json_query", "{\"document\":null,\"path\":\"$\"}",
             "\"values\":[null],\"paths\":[\"$\"]");
    CHECK_OK("json_query", "{\"document_text\":\"{\\\"a/b\\\":[1]}\",\"pointer\":\"/a~1b/0\"}",
             "{\"values\":[1],\"count\":1,\"truncated\":false}");
    CHECK_OK("json_query", "{\"document\":{},\"pointer\":\"/x\"}", "{\"values\":[],\"count\":0");
    CHECK_OK("json_query", "{\"document\":[1,2,3],\"path\":\"$[*]\",\"limit\":2}",
             "{\"values\":[1,2],\"paths\":[\"$[0]\",\"$[1]\"],\"count\":3,\"truncated\":true}");
    /* What does not fit into the answer is left out whole. */
    char *input = malloc(2000000);
    size_t len = (size_t)sprintf(input, "{\"path\":\"$[*]\",\"document\":[");
    for (int i = 0; i < 3; i++) {
        input[len++] = i ? ',' : ' ';
        input[len++] = '"';
        memset(input + len, 'x', 400000);
        len += 400000;
        input[len++] = '"';
    }
    strcpy(input + len, "]}");
    CHECK_OK("json_query", input, "\"paths\":[\"$[0]\",\"$[1]\"],\"count\":3,\"truncated\":true}");
    free(input);
}

/* A patch that copies a value into itself grows as text, not in memory: it is stopped. */
static void test_what_grows_is_stopped(void **state)
{
    (void)state;
    char input[8000] = "{\"document\":{\"a\":[1]},\"steps\":[{\"op\":\"patch\",\"operations\":[";
    for (int i = 0; i < 40; i++)
        strcat(input, "{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/a/-\"},");
    strcat(input, "{\"op\":\"test\",\"path\":\"/a/0\",\"value\":1}]}]}");
    CHECK_FAIL("json_transform", input, "takes too many steps");
    strcpy(input, "{\"document\":{},\"steps\":[");
    for (int i = 0; i < 70; i++)
        strcat(input, "{\"op\":\"build\",\"members\":{\"a\":{\"pointer\":\"\"}}},");
    strcat(input, "{\"op\":\"count\"}]}");
    CHECK_FAIL("json_transform", input, "becomes deeper than 64 levels");
}

static void test_differences_make_one_of_the_other(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        { "1", "1.0", "{\"patch\":[],\"equal\":true,\"operations\":0}" },
        { "1", "2", "[{\"op\":\"replace\",\"path\":\"\",\"value\":2}]" },
        { "{\"a\":1,\"b/c\":2}", "{\"a\":1,\"d\":null}",
          "[{\"op\":\"remove\",\"path\":\"/b~1c\"},{\"op\":\"add\",\"path\":\"/"
          "d\",\"value\":null}]" },
        { "[1,2,3]", "[1,3]", "[{\"op\":\"remove\",\"path\":\"/1\"}]" },
        { "[1,3]", "[1,2,3]", "[{\"op\":\"add\",\"path\":\"/1\",\"value\":2}]" },
        { "[1,2,3,4]", "[1,9,4]",
          "[{\"op\":\"replace\",\"path\":\"/1\",\"value\":9},{\"op\":\"remove\",\"path\":\"/"
          "2\"}]" },
        { "{\"a\":{\"b\":[{\"c\":1}]}}", "{\"a\":{\"b\":[{\"c\":2}]}}",
          "[{\"op\":\"replace\",\"path\":\"/a/b/0/c\",\"value\":2}]" },
        { "[]", "{}", "[{\"op\":\"replace\",\"path\":\"\",\"value\":{}}]" },
        { "[[1],[2],[3],[4],[5]]", "[[0],[3],[5,6]]", "operations" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char input[600], patch[1000];
        snprintf(input, sizeof input, "{\"before\":%s,\"after\":%s}", rows[i][0], rows[i][1]);
        CHECK_OK("json_diff", input, rows[i][2]);
        snprintf(patch, sizeof patch, "%s", strchr(plugin_ask("json_diff", input), '['));
        *(strstr(patch, "],\"equal\"") + 1) = '\0';
        char step[1200];
        snprintf(step, sizeof step, "{\"op\":\"patch\",\"operations\":%s}", patch);
        check_step(rows[i][0], step, i == 0 ? "1" : rows[i][1], NULL);
    }
}

static void test_calls_stop_when_they_are_cancelled(void **state)
{
    (void)state;
    char *input = malloc(700000);
    size_t len = (size_t)sprintf(input, "{\"path\":\"$[?count($[*]) > 1]\",\"document\":[");
    for (int i = 0; i < 100000; i++)
        len += (size_t)sprintf(input + len, "%s[]", i ? "," : "");
    strcpy(input + len, "]}");
    th_call call = { .looks_left = 3 };
    assert_int_equal(plugin_run(&call, "json_query", input), TH_TOOL_ERROR);
    assert_string_equal(call.error.ptr, "cancelled");
    call_fini(&call);
    free(input);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patches_of_the_standard),
        cmocka_unit_test(test_merge_patches_of_the_standard),
        cmocka_unit_test(test_steps_do_what_they_say),
        cmocka_unit_test(test_arguments_are_checked),
        cmocka_unit_test(test_pointers_and_limits_of_a_query),
        cmocka_unit_test(test_what_grows_is_stopped),
        cmocka_unit_test(test_differences_make_one_of_the_other),
        cmocka_unit_test(test_calls_stop_when_they_are_cancelled),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
