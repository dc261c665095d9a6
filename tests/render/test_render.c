/* What a model is shown of whole conversations, byte for byte: tests/render/cases. Each is played
 * twice, which shows that nothing but input and history decides. UPDATE_CASES=1 writes what comes
 * out: review the difference like code. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <glob.h>
#include <cmocka.h>

#include "render_case.h"
#include "support/growth.h"

#define LEAST 8 /* cases that there are */

static void test_case(void **state)
{
    const char *path = *state;
    size_t len;
    char *text = render_read(path, &len);
    struct buf got = { 0 }, again = { 0 };
    render_play(text, &got);
    render_play(text, &again);
    assert_string_equal(got.ptr, again.ptr);
    if (getenv("UPDATE_CASES")) {
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        fwrite(got.ptr, 1, got.len, f);
        fclose(f);
    } else if (strcmp(text, got.ptr) != 0) {
        fail_msg("%s: expected\n%s\ngot\n%s", path, text, got.ptr);
    }
    mgi_buf_fini(&got);
    mgi_buf_fini(&again);
    free(text);
}

/* ---- what holds of every text ------------------------------------------------------------------
 */

static const char *const wires[][2] = {
    { "manifest", "manifest.json" },
    { "tools", "observe_tools.json" },
    { "tools", "diagnose_tools.json" },
    { "tools", "imported_tools.json" },
    { "result", "observe_result.json" },
    { "result", "diagnose_result.json" },
    { "why", "why.json" },
    { "why", "why_not.json" },
    { "facts", "facts.json" },
};

static void test_a_budget_is_kept_whatever_it_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wires / sizeof wires[0]; i++) {
        char path[128];
        size_t json_len, before = 0;
        snprintf(path, sizeof path, RENDER_FOLDER "wire/%s", wires[i][1]);
        char *json = render_read(path, &json_len);
        assert_true(json_len > 0);
        for (size_t max = 100; max <= 2000; max = max * 5 / 4) {
            struct render_step s = { .how = { .max_tokens = max, .to_see_more = "state(more)" } };
            snprintf(s.what, sizeof s.what, "%s", wires[i][0]);
            manglecp_shown *shown = manglecp_shown_new();
            char *out;
            size_t len;
            assert_int_equal(render_show(shown, &s, (struct str){ json, json_len }, &out, &len), 0);
            assert_true(manglecp_tokens(out, len) <= max);
            bool whole = !strstr(out, "to see more: state(more)\n");
            assert_true(whole || max < 2000 || strcmp(wires[i][0], "facts") == 0);
            assert_true(before == 0 || whole); /* what was whole once is so with more room */
            before = whole;
            manglecp_free(out);
            manglecp_shown_free(shown);
        }
        free(json);
    }
}

static void shows_within(const struct render_step *s, struct str json)
{
    manglecp_shown *shown = manglecp_shown_new();
    char *out;
    size_t len;
    assert_int_equal(render_show(shown, s, json, &out, &len), 0);
    assert_true(manglecp_tokens(out, len) <= s->how.max_tokens);
    manglecp_free(out);
    manglecp_shown_free(shown);
}

/* Where each line is rounded, thousands of them are more than was meant. */
static void test_a_budget_is_kept_by_thousands_of_lines(void **state)
{
    (void)state;
    struct buf json = { 0 };
    mgi_buf_puts(&json, "{\"payload\":{\"server_name\":\"s\",\"status\":\"ready\",\"intents\":[");
    for (int i = 0; i < 5000; i++)
        mgi_buf_printf(
            &json,
            "%s{\"name\":\"i%d\",\"description\":\"d\",\"required_facts\":[\"p%d\",\"p%d\","
            "\"p%d\",\"p%d\",\"p%d\"]}",
            i ? "," : "", i, i, i + 1, i + 2, i + 3, i + 4);
    mgi_buf_puts(&json, "]}}");
    for (size_t max = 500; max <= 16000; max *= 2) {
        struct render_step s = { .what = "manifest", .how = { .max_tokens = max } };
        shows_within(&s, mgi_buf_view(&json));
    }
    mgi_buf_fini(&json);
}

/* 40 characters, each of which is spelled out. */
#define SPELLED                                                                                    \
    "\u202e\u202e\u202e\u202e\u202e\u202e\u202e\u202e\u202e\u202e\u202e\u202e\u202e\u202e\u202e"   \
    "\u202e\u202e\u202e\u202e\u202e\u202e\u202e\u202e\u202e\u202e\u202e\u202e\u202e\u202e\u202e"   \
    "\u202e\u202e\u202e\u202e\u202e\u202e\u202e\u202e\u202e\u202e"

static void test_a_budget_is_kept_whatever_the_name(void **state)
{
    (void)state;
    static const char *const messages[][2] = {
        { "tools", "{\"payload\":{\"macro_tools\":[]}}" },
        { "result", "{\"payload\":{\"result\":{\"a\":1}}}" },
        { "manifest", "{\"payload\":{\"server_name\":\"" SPELLED "\",\"intents\":[]}}" },
    };
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        struct render_step s = { .how = { .max_tokens = 100, .about = SPELLED } };
        snprintf(s.what, sizeof s.what, "%s", messages[i][0]);
        shows_within(&s, str_of(messages[i][1]));
    }
}

static void show_schema_of(size_t size)
{
    struct buf json = { 0 };
    struct render_step s = { .what = "tools", .how = { .max_tokens = 2000 } };
    mgi_buf_puts(
        &json, "{\"payload\":{\"macro_tools\":[{\"name\":\"t\",\"input_schema\":{\"properties\":{");
    for (size_t i = 0; i < size; i++)
        mgi_buf_printf(&json, "%s\"p%06zu\":{}", i ? "," : "", i);
    mgi_buf_puts(&json, "},\"required\":[");
    for (size_t i = 0; i < size; i++)
        mgi_buf_printf(&json, "%s\"q%06zu\"", i ? "," : "", i);
    mgi_buf_puts(&json, "]}}]}}");
    shows_within(&s, mgi_buf_view(&json));
    mgi_buf_fini(&json);
}

static void test_a_schema_of_thousands_of_properties_takes_no_time(void **state)
{
    (void)state;
    assert_near_linear(show_schema_of, 1500);
}

static void show_text(const char *what, size_t max, const struct buf *json)
{
    char *out;
    size_t len;
    struct render_step s = { .how = { .max_tokens = max } };
    snprintf(s.what, sizeof s.what, "%s", what);
    assert_int_equal(render_show(NULL, &s, mgi_buf_view(json), &out, &len), 0);
    assert_true(manglecp_tokens(out, len) <= max);
    manglecp_free(out);
}

static void show_names_of(size_t size)
{
    struct buf json = { 0 };
    mgi_buf_puts(&json, "{\"payload\":{\"macro_tools\":[");
    for (size_t i = 0; i < size; i++)
        mgi_buf_printf(&json, "%s{\"name\":\"tool_%zu\",\"disclosure_level\":\"minimal\"}",
                       i ? "," : "", i);
    mgi_buf_puts(&json, "]}}");
    show_text("tools", 100000, &json);
    mgi_buf_fini(&json);
}

static void test_thousands_of_names_take_no_time(void **state)
{
    (void)state;
    assert_near_linear(show_names_of, 2000);
}

static void show_skills_of(size_t size)
{
    struct buf json = { 0 };
    mgi_buf_puts(&json,
                 "{\"payload\":{\"macro_tools\":[{\"name\":\"t\",\"disclosure_level\":\"full\","
                 "\"context_injection\":{\"skills\":[");
    for (size_t i = 0; i < size; i++)
        mgi_buf_printf(&json, "%s{\"skill_id\":\"s%zu\",\"inline\":false}", i ? "," : "", i);
    mgi_buf_puts(&json, "]}}],\"required_skills\":[");
    for (size_t i = 0; i < size; i++)
        mgi_buf_printf(&json,
                       "%s{\"skill_id\":\"s%zu\",\"content\":\"c\",\"description\":\"d%zu\"}",
                       i ? "," : "", i, i);
    mgi_buf_puts(&json, "]}}");
    show_text("tools", 100000, &json);
    mgi_buf_fini(&json);
}

static void test_thousands_of_skills_take_no_time(void **state)
{
    (void)state;
    assert_near_linear(show_skills_of, 2000);
}

/* ---- the demo's conversation, and a long one
 * ------------------------------------------------------ */

/* Adds the text to `all` (may be NULL). */
static size_t show_file(manglecp_shown *shown, const char *what, const char *about,
                        const char *file, const char *error_id, size_t *wire, struct buf *all)
{
    char path[128], *json, *out;
    size_t len, out_len;
    snprintf(path, sizeof path, RENDER_FOLDER "wire/%s", file);
    json = render_read(path, &len);
    for (char *at = json; error_id && (at = strstr(at, "console-error-3")); at++)
        memcpy(at, error_id, strlen(error_id));
    struct render_step s = { .how = { .about = about } };
    snprintf(s.what, sizeof s.what, "%s", what);
    assert_int_equal(render_show(shown, &s, (struct str){ json, len }, &out, &out_len), 0);
    size_t tokens = manglecp_tokens(out, out_len);
    *wire += manglecp_tokens(json, len);
    if (all)
        mgi_buf_append(all, out, out_len);
    manglecp_free(out);
    free(json);
    return tokens;
}

/* The text is that of texts/model.txt, whose true tokens are known. */
static void test_the_demo_costs_a_third(void **state)
{
    (void)state;
    size_t wire = 0, sum = 0, len;
    struct buf all = { 0 };
    char *text = render_read(RENDER_FOLDER "texts/model.txt", &len);
    manglecp_shown *shown = manglecp_shown_new();
    sum += show_file(shown, "tools", "observe", "observe_tools.json", NULL, &wire, &all);
    sum += show_file(shown, "result", "observe_page", "observe_result.json", NULL, &wire, &all);
    sum += show_file(shown, "tools", "diagnose_error", "diagnose_tools.json", NULL, &wire, &all);
    sum += show_file(shown, "result", "diagnose_causal_chain", "diagnose_result.json", NULL, &wire,
                     &all);
    print_message("# the demo: %zu tokens on the wire, %zu shown (estimated)\n", wire, sum);
    assert_string_equal(all.ptr, text); /* of which texts/counts.txt says: 1,097 tokens */
    assert_true(sum <= 1150);
    assert_true(wire >= 6000);
    mgi_buf_fini(&all);
    free(text);
    manglecp_shown_free(shown);
}

static void test_ten_diagnoses_do_not_repeat_what_was_shown(void **state)
{
    (void)state;
    size_t wire = 0, sum = 0, first = 0;
    manglecp_shown *shown = manglecp_shown_new();
    for (int i = 0; i < 10; i++) {
        char id[32];
        snprintf(id, sizeof id, "console-error-%d", i % 10);
        size_t tools =
            show_file(shown, "tools", "diagnose_error", "diagnose_tools.json", id, &wire, NULL);
        first = i == 0 ? tools : first;
        assert_true(i == 0 || tools * 2 < first);
        sum += tools + show_file(shown, "result", "diagnose_causal_chain", "diagnose_result.json",
                                 id, &wire, NULL);
    }
    print_message("# ten diagnoses: %zu tokens on the wire, %zu shown (estimated)\n", wire, sum);
    assert_true(sum <= 5200);
    assert_true(wire >= 20000);
    manglecp_shown_free(shown);
}

/* ---- history
 * --------------------------------------------------------------------------------------- */

/* More things than are remembered: the eldest are shown again, and nothing breaks. */
static void test_the_eldest_are_forgotten(void **state)
{
    (void)state;
    manglecp_shown *shown = manglecp_shown_new();
    struct manglecp_show how = { .max_tokens = SIZE_MAX };
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 4200; i += 50) {
            struct buf json = { 0 };
            char *out, name[64];
            mgi_buf_puts(&json, "{\"payload\":{\"macro_tools\":[");
            for (int k = i; k < i + 50; k++)
                mgi_buf_printf(&json,
                               "%s{\"name\":\"t%d\",\"disclosure_level\":\"condensed\","
                               "\"description\":\"Does %d.\"}",
                               k > i ? "," : "", k, k);
            mgi_buf_puts(&json, "]}}");
            assert_int_equal(manglecp_show_tools(shown, json.ptr, json.len, &how, &out, NULL), 0);
            snprintf(name, sizeof name, "t%d: Does %d.\n", i, i);
            assert_non_null(strstr(out, name)); /* 4,200 are more than 4,096 */
            manglecp_free(out);
            if (round == 1) { /* but the last ones are known */
                assert_int_equal(manglecp_show_tools(shown, json.ptr, json.len, &how, &out, NULL),
                                 0);
                assert_null(strstr(out, name));
                manglecp_free(out);
            }
            mgi_buf_fini(&json);
        }
    manglecp_shown_free(shown);
}

int main(void)
{
    glob_t found;
    static struct CMUnitTest tests[128] = {
        cmocka_unit_test(test_a_budget_is_kept_whatever_it_is),
        cmocka_unit_test(test_a_budget_is_kept_by_thousands_of_lines),
        cmocka_unit_test(test_a_budget_is_kept_whatever_the_name),
        cmocka_unit_test(test_a_schema_of_thousands_of_properties_takes_no_time),
        cmocka_unit_test(test_thousands_of_names_take_no_time),
        cmocka_unit_test(test_thousands_of_skills_take_no_time),
        cmocka_unit_test(test_the_demo_costs_a_third),
        cmocka_unit_test(test_ten_diagnoses_do_not_repeat_what_was_shown),
        cmocka_unit_test(test_the_eldest_are_forgotten),
    };
    size_t count = 7;
    if (glob(RENDER_FOLDER "cases/*.case", 0, NULL, &found) != 0 || found.gl_pathc < LEAST) {
        fprintf(stderr, "too few cases in " RENDER_FOLDER "cases\n");
        return 1;
    }
    for (size_t i = 0; i < found.gl_pathc && count < 128; i++)
        tests[count++] = (struct CMUnitTest){ .name = strrchr(found.gl_pathv[i], '/') + 1,
                                              .test_func = test_case,
                                              .initial_state = found.gl_pathv[i] };
    int failed = _cmocka_run_group_tests("render", tests, count, NULL, NULL);
    globfree(&found);
    return failed;
}
