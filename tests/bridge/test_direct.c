/* The list of a direct bridge: names, texts, schemas, annotations, bounds (X-BRIDGE-10). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <stdio.h>

#include "bridge/direct_case.h"
#include "mcp/server_int.h"

static struct direct_list *list_of_answer(const char *answer)
{
    struct buf why = { 0 };
    struct mcp_description face = direct_face();
    manglecp_tools *tools = direct_tools(answer);
    assert_non_null(tools);
    struct direct_list *l = mgi_direct_list_new(tools, &face, &why);
    if (!l)
        fail_msg("%s", why.ptr ? why.ptr : "memory");
    mgi_buf_fini(&why);
    manglecp_tools_free(tools);
    return l;
}

static const char *listed(const struct direct_list *l)
{
    static char text[65536];
    struct str page = mgi_mcp_page(l->server, MCP_R4, LIST_TOOLS, (struct str){ 0 });
    assert_true(page.len < sizeof text);
    memcpy(text, page.ptr, page.len);
    text[page.len] = '\0';
    return text;
}

static void spells(const char *name, const char *wanted)
{
    struct buf out = { 0 };
    mgi_direct_spell(&out, str_of(name));
    assert_string_equal(out.ptr, wanted);
    assert_true(out.len <= DIRECT_NAME_CHARS);
    mgi_buf_fini(&out);
}

/* X-TOOL-6 */
static void test_a_name_is_its_own_or_one_that_is_made_of_all_of_it(void **state)
{
    (void)state;
    static const char longest[] = "a23456789_123456789_123456789_123456789_12345678";
    spells("fx_mark", "fx_mark");
    spells("A.b-c_9", "A.b-c_9");
    spells(longest, longest);
    spells("a23456789_123456789_123456789_123456789_123456789",
           "a23456789_123456789_123456789_123456789_ffa7f034");
    spells("a b", "a_b_c8687a08");
    spells("a/b", "a_b_c14cddc0");
    spells("", "_e3b0c442");
    spells("\xc3\xa4", "___33e6d73f");
}

/* X-TOOL-1: whatever order the server has, and whatever stands beside it */
static void test_tools_stand_in_the_order_of_their_names(void **state)
{
    (void)state;
    struct direct_list *a = list_of_answer(DIRECT_ANSWER(DIRECT_TOOL(
        "b-1", "b", "") "," DIRECT_TOOL("a-1", "a", "") "," DIRECT_TOOL("c-1", "c", "")));
    struct direct_list *b = list_of_answer(DIRECT_ANSWER(DIRECT_TOOL(
        "c-1", "c", "") "," DIRECT_TOOL("b-1", "b", "") "," DIRECT_TOOL("a-1", "a", "")));
    char first[4096];
    size_t len = strlen(listed(a));
    assert_true(len < sizeof first);
    memcpy(first, listed(a), len + 1);
    assert_string_equal(first, listed(b));
    assert_true(strstr(first, "\"a\"") < strstr(first, "\"b\""));
    assert_string_equal(mgi_direct_find(a, STR_LIT("b"))->macro, "b");
    assert_null(mgi_direct_find(a, STR_LIT("d")));
    assert_null(mgi_direct_find(NULL, STR_LIT("a")));
    mgi_direct_list_free(a);
    mgi_direct_list_free(b);
}

static void test_two_of_one_name_are_told_apart_and_each_means_itself(void **state)
{
    (void)state;
    struct direct_list *l =
        list_of_answer(DIRECT_ANSWER(DIRECT_TOOL("t-1", "t", "") "," DIRECT_TOOL("t-2", "t", "")));
    assert_int_equal(l->count, 2);
    assert_null(mgi_direct_find(l, STR_LIT("t")));
    for (size_t i = 0; i < 2; i++)
        assert_string_equal(mgi_direct_find(l, l->names[i].shown)->macro, l->names[i].macro);
    assert_string_not_equal(l->names[0].macro, l->names[1].macro);
    mgi_direct_list_free(l);
}

static void has_hints(const char *safety, const char *wanted)
{
    char answer[1024];
    snprintf(answer, sizeof answer, DIRECT_ANSWER(DIRECT_TOOL("t-1", "t", "%s")), safety);
    struct direct_list *l = list_of_answer(answer);
    if (!strstr(listed(l), wanted))
        fail_msg("%s: %s", safety, listed(l));
    mgi_direct_list_free(l);
}

#define SAFETY(effects, reversible, idempotent)                                                    \
    ",\"safety\":{\"requires_user_confirmation\":false,\"side_effects\":[" effects "],"            \
    "\"reversible\":" reversible ",\"idempotent\":" idempotent "}"
#define HINTS(read_only, destructive, idempotent, open)                                            \
    "\"annotations\":{\"readOnlyHint\":" read_only ",\"destructiveHint\":" destructive             \
    ",\"idempotentHint\":" idempotent ",\"openWorldHint\":" open "}"

/* X-BRIDGE-5, X-TOOL-9 */
static void test_hints_are_those_of_its_safety_and_the_worst_where_it_says_none(void **state)
{
    (void)state;
    has_hints("", HINTS("false", "true", "false", "true"));
    has_hints(SAFETY("", "true", "true"), HINTS("true", "false", "true", "false")); /* D-39 */
    has_hints(SAFETY("\"none\"", "true", "false"), HINTS("true", "false", "true", "false"));
    has_hints(SAFETY("\"filesystem\",\"x-filesystem-read\"", "false", "false"),
              HINTS("true", "false", "true", "false"));
    has_hints(SAFETY("\"filesystem\"", "true", "true"), HINTS("false", "false", "true", "false"));
    has_hints(SAFETY("\"filesystem\"", "false", "false"), HINTS("false", "true", "false", "false"));
    has_hints(SAFETY("\"payments\"", "true", "false"), HINTS("false", "true", "false", "true"));
    has_hints(SAFETY("\"x-actuator\"", "true", "false"), HINTS("false", "false", "false", "true"));
}

/* X-ACT-7 */
static void test_texts_are_cleaned_and_end_where_they_are_too_long(void **state)
{
    (void)state;
    static char answer[8192], words[5001];
    for (size_t i = 0; i < 5000; i += 10)
        memcpy(words + i, "word word ", 10);
    snprintf(answer, sizeof answer,
             DIRECT_ANSWER("{\"macro_id\":\"t-1\",\"name\":\"t\",\"disclosure_level\":\"full\","
                           "\"description\":\"a\\u202eb\\u0007\",\"input_schema\":{\"type\":"
                           "\"object\"},\"context_injection\":{\"instructions\":\"%s\"}}"),
             words);
    struct direct_list *l = list_of_answer(answer);
    const char *text = listed(l);
    assert_non_null(strstr(text, "\"description\":\"ab\\nword word"));
    assert_non_null(strstr(text, "word (cut)"));
    assert_true(strlen(text) < DIRECT_MANUAL_BYTES + 500);
    mgi_direct_list_free(l);
}

static void test_a_skill_that_it_needs_stands_in_its_description(void **state)
{
    (void)state;
    struct direct_list *l = list_of_answer(DIRECT_ANSWER(DIRECT_TOOL(
        "t-1", "t",
        ",\"context_injection\":{\"skills\":[{\"skill_id\":\"fire\",\"inline\":true,\"content\":"
        "\"Have water near.\"}]}")));
    assert_non_null(strstr(listed(l), "fire:\\n    Have water near."));
    mgi_direct_list_free(l);
}

/* X-HTTP-40: a bad keyword would cost the whole list */
static void test_no_header_is_asked_for(void **state)
{
    (void)state;
    struct direct_list *l = list_of_answer(DIRECT_ANSWER(
        "{\"macro_id\":\"t-1\",\"name\":\"t\",\"disclosure_level\":\"full\",\"description\":\"\","
        "\"input_schema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\","
        "\"x-mcp-header\" : \"A B\"},\"x-mcp-header\":{\"type\":\"string\",\"title\":"
        "\"\\\"x-mcp-header\\\":\"}}}}"));
    const char *text = listed(l);
    assert_non_null(strstr(text, "\"x-header\""));
    assert_non_null(strstr(text, "\"x-mcp-header\":{\"type\":\"string\",\"title\":"
                                 "\"\\\"x-mcp-header\\\":\"}"));
    mgi_direct_list_free(l);
}

static void test_a_tool_that_is_not_shown_in_full_takes_any_object(void **state)
{
    (void)state;
    struct direct_list *l = list_of_answer(
        DIRECT_ANSWER("{\"macro_id\":\"t-1\",\"name\":\"t\",\"disclosure_level\":\"minimal\"}"));
    assert_non_null(strstr(listed(l), "\"inputSchema\":{\"type\":\"object\"}"));
    assert_non_null(strstr(listed(l), HINTS("false", "true", "false", "true")));
    mgi_direct_list_free(l);
}

static void test_a_list_has_so_many_tools_and_says_how_many_it_leaves_out(void **state)
{
    (void)state;
    struct buf tools = { 0 }, answer = { 0 };
    for (int i = 0; i < DIRECT_TOOLS + 3; i++)
        mgi_buf_printf(&tools, "%s" DIRECT_TOOL("t-%03d", "t%03d", ""), i ? "," : "", i, i);
    mgi_buf_printf(&answer, DIRECT_ANSWER("%s"), tools.ptr);
    struct direct_list *l = list_of_answer(answer.ptr);
    assert_int_equal(l->count, DIRECT_TOOLS);
    assert_int_equal(l->left_out, 3);
    assert_non_null(mgi_direct_find(l, STR_LIT("t000"))); /* those that the server put first */
    assert_null(mgi_direct_find(l, STR_LIT("t258")));
    mgi_direct_list_free(l);
    mgi_buf_fini(&tools);
    mgi_buf_fini(&answer);
}

static void test_a_list_has_so_many_bytes(void **state)
{
    (void)state;
    struct buf answer = { 0 };
    char *words = test_malloc(DIRECT_LIST_BYTES + 1);
    memset(words, 'x', DIRECT_LIST_BYTES);
    words[DIRECT_LIST_BYTES] = '\0';
    mgi_buf_printf(&answer,
                   DIRECT_ANSWER("{\"macro_id\":\"t-1\",\"name\":\"t\",\"disclosure_level\":"
                                 "\"full\",\"description\":\"\",\"input_schema\":{\"type\":"
                                 "\"object\",\"title\":\"%s\"}}," DIRECT_TOOL("u-1", "u", "")),
                   words);
    struct direct_list *l = list_of_answer(answer.ptr);
    assert_int_equal(l->count, 1);
    assert_int_equal(l->left_out, 1);
    assert_non_null(mgi_direct_find(l, STR_LIT("u")));
    mgi_direct_list_free(l);
    mgi_buf_fini(&answer);
    test_free(words);
}

static void test_the_first_end_of_a_tool_is_that_of_the_list(void **state)
{
    (void)state;
    struct direct_list *l =
        list_of_answer(DIRECT_ANSWER(DIRECT_TOOL("a-1", "a", "") "," DIRECT_TOOL(
            "b-1", "b", ",\"validity\":{\"expires_at\":\"1970-01-01T00:00:07Z\"}")));
    assert_int_equal(l->expires_at_ns, INT64_C(7000000000));
    mgi_direct_list_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_name_is_its_own_or_one_that_is_made_of_all_of_it),
        cmocka_unit_test(test_tools_stand_in_the_order_of_their_names),
        cmocka_unit_test(test_two_of_one_name_are_told_apart_and_each_means_itself),
        cmocka_unit_test(test_hints_are_those_of_its_safety_and_the_worst_where_it_says_none),
        cmocka_unit_test(test_texts_are_cleaned_and_end_where_they_are_too_long),
        cmocka_unit_test(test_a_skill_that_it_needs_stands_in_its_description),
        cmocka_unit_test(test_no_header_is_asked_for),
        cmocka_unit_test(test_a_tool_that_is_not_shown_in_full_takes_any_object),
        cmocka_unit_test(test_a_list_has_so_many_tools_and_says_how_many_it_leaves_out),
        cmocka_unit_test(test_a_list_has_so_many_bytes),
        cmocka_unit_test(test_the_first_end_of_a_tool_is_that_of_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
