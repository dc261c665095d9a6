/* The three tools as a model sees them, and what is made of its arguments. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "bridge/surface.h"
#include "manglecp.h"

/* What every conversation pays for the three, as manglecp_tokens() counts. A word more is a
 * decision. */
#define SURFACE_TOKENS 290

static size_t tokens_of(const struct mcp_tool *t)
{
    char text[4096];
    int len = snprintf(text, sizeof text,
                       "{\"name\":\"%.*s\",\"description\":\"%.*s\",\"inputSchema\":%.*s}",
                       STR_ARG(t->name), STR_ARG(t->description), STR_ARG(t->input_schema));
    assert_in_range(len, 1, sizeof text - 1);
    return manglecp_tokens(text, (size_t)len);
}

static void test_the_three_tools_cost_no_more_than_is_said(void **state)
{
    (void)state;
    size_t sum = 0;
    for (size_t i = 0; i < ASK_KINDS; i++)
        sum += tokens_of(&mgi_bridge_tools[i]);
    print_message("# the surface costs %zu tokens\n", sum);
    assert_in_range(sum, 1, SURFACE_TOKENS);
}

/* X-BRIDGE-1, -5 */
static void test_each_schema_is_an_object_with_work_and_each_hint_is_said(void **state)
{
    (void)state;
    struct arena a;
    struct json v;
    mgi_arena_init(&a, 0);
    for (size_t i = 0; i < ASK_KINDS; i++) {
        const struct mcp_tool *t = &mgi_bridge_tools[i];
        assert_int_equal(mgi_json_parse(&a, t->input_schema, NULL, &v, NULL), JSON_OK);
        assert_true(str_is(mgi_json_get(&v, "type")->string, "object"));
        assert_non_null(mgi_json_get(mgi_json_get(&v, "properties"), "work"));
        assert_true(t->has_annotations);
        assert_int_equal(mgi_ask_kind(t->name), i);
        /* what the schema has is taken, and no more is wrong than the kind of the value */
        const struct json *properties = mgi_json_get(&v, "properties");
        for (uint32_t k = 0; k < properties->count; k++) {
            struct json_member m = { properties->members[k].name, { .type = JSON_FLOAT } };
            struct json object = { .type = JSON_OBJECT, .count = 1, .members = &m };
            struct buf faults = { 0 };
            struct ask ask;
            assert_false(mgi_ask_read(&a, (enum ask_kind)i, &object, &ask, &faults));
            assert_non_null(strstr(faults.ptr, "has to be"));
            mgi_buf_fini(&faults);
        }
    }
    assert_true(mgi_bridge_tools[ASK_INTENT].read_only && mgi_bridge_tools[ASK_INTENT].idempotent);
    assert_false(mgi_bridge_tools[ASK_INTENT].open_world);
    assert_true(mgi_bridge_tools[ASK_RUN].destructive && mgi_bridge_tools[ASK_RUN].open_world);
    assert_false(mgi_bridge_tools[ASK_STATE].read_only);
    assert_false(mgi_bridge_tools[ASK_STATE].destructive);
    assert_int_equal(mgi_ask_kind(str_of("ruin")), ASK_KINDS);
    mgi_arena_fini(&a);
}

/* Returns the faults, to be freed; NULL: there are none. */
static char *read_text(struct arena *a, enum ask_kind kind, const char *text, struct ask *ask)
{
    struct json *v = mgi_arena_alloc(a, sizeof *v);
    struct buf faults = { 0 };
    assert_int_equal(mgi_json_parse(a, str_of(text), NULL, v, NULL), JSON_OK);
    bool good = mgi_ask_read(a, kind, v, ask, &faults);
    assert_int_equal(good, faults.len == 0);
    return faults.ptr;
}

static void faults_are(enum ask_kind kind, const char *text, const char *expected)
{
    struct arena a;
    struct ask ask;
    mgi_arena_init(&a, 0);
    char *faults = read_text(&a, kind, text, &ask);
    assert_non_null(faults);
    assert_string_equal(faults, expected);
    struct buf freed = { .ptr = faults };
    mgi_buf_fini(&freed);
    mgi_arena_fini(&a);
}

static void test_arguments_are_read(void **state)
{
    (void)state;
    struct arena a;
    struct ask ask;
    mgi_arena_init(&a, 0);
    assert_null(read_text(&a, ASK_INTENT, "{}", &ask));
    assert_null(ask.intent);
    assert_null(read_text(&a, ASK_INTENT,
                          "{\"intent\":\"tidy\",\"params\":{\"a\":1},\"facts\":{\"p\":[1]},"
                          "\"work\":\"w1\"}",
                          &ask));
    assert_string_equal(ask.intent, "tidy");
    assert_string_equal(ask.params, "{\"a\":1}");
    assert_true(str_is(ask.work, "w1"));
    assert_null(read_text(&a, ASK_RUN, "{\"tool\":\"t\",\"args\":null,\"dry_run\":true}", &ask));
    assert_string_equal(ask.tool, "t");
    assert_null(ask.args);
    assert_true(ask.dry_run);
    assert_null(read_text(&a, ASK_STATE,
                          "{\"show\":\"tools\",\"follow\":2,\"forget\":\"p\",\"why\":\"t\","
                          "\"skill\":\"s\",\"again\":true}",
                          &ask));
    assert_int_equal(ask.show, SHOW_TOOLS);
    assert_int_equal(ask.follow.number, 2);
    assert_null(ask.follow.name);
    assert_int_equal(ask.forget->type, JSON_STRING);
    assert_true(ask.again);
    assert_null(read_text(&a, ASK_STATE, "{\"follow\":\"tidy\"}", &ask));
    assert_string_equal(ask.follow.name, "tidy");
    mgi_arena_fini(&a);
}

/* X-TOOL-14, X-TOOL-15: all that is wrong, in words that say what to do. */
static void test_all_that_is_wrong_with_arguments_is_told(void **state)
{
    (void)state;
    faults_are(ASK_RUN, "{}", "\"tool\" is missing: the name of one that intent answered with\n");
    faults_are(ASK_RUN, "{\"tol\":\"x\",\"args\":[1],\"dry_run\":1}",
               "run takes no \"tol\"; did you mean \"tool\"?\n\"args\" has to be an object\n"
               "\"dry_run\" has to be true or false\n");
    faults_are(ASK_INTENT, "{\"facts\":{}}",
               "\"intent\" is missing: call intent without arguments for the list\n");
    faults_are(ASK_STATE, "{\"follow\":0,\"show\":\"all\",\"forget\":[1]}",
               "\"follow\" has to be a suggestion: its number, from 1, or its name\n\"show\" has "
               "to be facts, "
               "tools, suggestions or intents\n\"forget\" has to be a list of predicates\n");
    faults_are(ASK_RUN, "{\"tool\":\"a\\u0000b\"}", "\"tool\" has to be a text\n");
}

static void facts_become(const char *text, const char *expected, const char *wrong)
{
    static const char manifest[] =
        "{\"intents\":[{\"name\":\"i\",\"required_facts\":[\"a\"],\"optional_facts\":[\"b\",\"c\"]}"
        "],"
        "\"facts_profile\":{\"predicates\":[{\"predicate\":\"seen\",\"temporal\":true},"
        "{\"predicate\":\"node\",\"temporal\":false},{\"predicate\":\"edge\"},"
        "{\"predicate\":\"idle\"},{\"predicate\":\"mixed\"}]}}";
    struct arena a;
    struct json facts, m;
    struct buf out = { 0 }, faults = { 0 };
    mgi_arena_init(&a, 0);
    assert_int_equal(mgi_json_parse(&a, str_of(text), NULL, &facts, NULL), JSON_OK);
    assert_int_equal(mgi_json_parse(&a, str_of(manifest), NULL, &m, NULL), JSON_OK);
    bool good = mgi_facts_from(&out, &facts, &m, INT64_C(1700000000000000000), &faults);
    assert_int_equal(good, wrong == NULL);
    if (wrong)
        assert_string_equal(faults.ptr, wrong);
    else
        assert_string_equal(out.ptr, expected);
    mgi_buf_fini(&out);
    mgi_buf_fini(&faults);
    mgi_arena_fini(&a);
}

static void test_facts_are_said_shortly(void **state)
{
    (void)state;
    facts_become("{\"node\":[\"a\"]}", "[{\"pred\":\"node\",\"args\":[\"a\"]}]", NULL);
    facts_become("{\"node\":\"a\"}", "[{\"pred\":\"node\",\"args\":[\"a\"]}]", NULL);
    facts_become("{\"idle\":[]}", "[{\"pred\":\"idle\",\"args\":[]}]", NULL);
    facts_become(
        "{\"edge\":[[\"a\",1],[\"b\",2.5]]}",
        "[{\"pred\":\"edge\",\"args\":[\"a\",1]},{\"pred\":\"edge\",\"args\":[\"b\",2.5]}]", NULL);
    facts_become("{\"mixed\":[[\"a\"],1]}", "[{\"pred\":\"mixed\",\"args\":[[\"a\"],1]}]", NULL);
    facts_become("{}", "[]", NULL);
}

static void test_a_temporal_fact_without_a_time_holds_now(void **state)
{
    (void)state;
    facts_become("{\"seen\":[\"a\"]}",
                 "[{\"pred\":\"seen\",\"args\":[\"a\"],\"t\":{\"at\":\"2023-11-14T22:13:20Z\"}}]",
                 NULL);
    facts_become("[{\"pred\":\"seen\",\"args\":[\"a\"]},{\"pred\":\"node\",\"args\":[1]}]",
                 "[{\"pred\":\"seen\",\"args\":[\"a\"],\"t\":{\"at\":\"2023-11-14T22:13:20Z\"}},"
                 "{\"pred\":\"node\",\"args\":[1]}]",
                 NULL);
    facts_become("[{\"pred\":\"seen\",\"args\":[1],\"t\":{\"at\":\"now\"}}]",
                 "[{\"pred\":\"seen\",\"args\":[1],\"t\":{\"at\":\"now\"}}]", NULL);
}

static void test_what_is_no_fact_is_told_whole(void **state)
{
    (void)state;
    facts_become("{\"a\":{},\"b\":null,\"c\":1}", NULL,
                 "facts: \"a\" has to be [args] or [[args], ...]\n"
                 "facts: \"b\" has to be [args] or [[args], ...]\n");
    facts_become("[1,{\"pred\":2}]", NULL,
                 "facts: entry 1 is no {\"pred\": name, \"args\": [...]}\n"
                 "facts: entry 2 is no {\"pred\": name, \"args\": [...]}\n");
}

/* D-16: left out on its way, and nobody would have said so. */
static void test_what_nothing_takes_is_told(void **state)
{
    (void)state;
    facts_become("{\"nodes\":[\"a\"],\"zebra\":[1],\"node\":[\"b\"]}", NULL,
                 "facts: nothing here takes \"nodes\"; did you mean \"node\"?\n"
                 "facts: nothing here takes \"zebra\": intent without arguments lists what can be "
                 "said\n");
    facts_become("[{\"pred\":\"zebra\",\"args\":[1]}]", NULL,
                 "facts: nothing here takes \"zebra\": intent without arguments lists what can be "
                 "said\n");
    facts_become("{\"a\":[1],\"b\":[],\"disclosure_upgrade\":[\"t\"]}",
                 "[{\"pred\":\"a\",\"args\":[1]},{\"pred\":\"b\",\"args\":[]},"
                 "{\"pred\":\"disclosure_upgrade\",\"args\":[\"t\"]}]",
                 NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_three_tools_cost_no_more_than_is_said),
        cmocka_unit_test(test_each_schema_is_an_object_with_work_and_each_hint_is_said),
        cmocka_unit_test(test_arguments_are_read),
        cmocka_unit_test(test_all_that_is_wrong_with_arguments_is_told),
        cmocka_unit_test(test_facts_are_said_shortly),
        cmocka_unit_test(test_a_temporal_fact_without_a_time_holds_now),
        cmocka_unit_test(test_what_is_no_fact_is_told_whole),
        cmocka_unit_test(test_what_nothing_takes_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
