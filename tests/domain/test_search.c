/* Predicates that are searched: what is found and in which order, that nobody's text is syntax, and
 * what is wrong with how they are declared. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/search_question.h"
#include "domain/search_domain.h"

static void test_the_best_comes_first(void **state)
{
    (void)state;
    struct temp_domain d;
    struct buf out = { 0 };
    search_make(&d, SEARCH_GOOD);
    struct snapshot *s = search_load(&d);
    assert_non_null(s);
    search_ask(s, "hit", "please merge it", &out);
    assert_string_equal(out.ptr, "merge 1");
    search_ask(s, "hit", "deleting a Branch", &out); /* endings and case make no difference */
    assert_string_equal(out.ptr, "branch 1 merge 2");
    search_ask(s, "hit", "listBranches", &out); /* parts of names are words */
    assert_string_equal(out.ptr, "branch 1 merge 2");
    search_ask(s, "hit", "GRUSSE oder grusse", &out);
    assert_string_equal(out.ptr, "");
    search_ask(s, "hit",
               "gr\xc3\xbc\xc3\x9f"
               "e",
               &out);
    assert_string_equal(out.ptr, "mail 1");
    search_ask(s, "hit", "tomato", &out); /* facts of one key are one text */
    assert_string_equal(out.ptr, "mail 1");
    search_ask(s, "hit", "quince", &out); /* what is equally good: in the order of facts */
    assert_string_equal(out.ptr, "twin_a 1 twin_b 2");
    search_ask(s, "hit_of", "recording", &out); /* lists are asked whole */
    assert_string_equal(out.ptr, "branch 2 commit 1 merge 3");
    search_ask(s, "hit", "quince merge tomato commit", &out); /* limit: 3 */
    assert_int_equal(out.len > 0 ? 3 : 0, 3);
    assert_null(strstr(out.ptr, " 4"));
    search_ask(s, "score", "mergeBranch", &out); /* the column of mergeBranch weighs nothing */
    assert_non_null(strstr(out.ptr, "merge "));
    assert_non_null(strstr(out.ptr, "branch "));
    mgi_buf_fini(&out);
    mgi_snapshot_unref(s);
    temp_remove(&d);
}

static void test_text_is_no_syntax(void **state)
{
    (void)state;
    static const char *const nothing[] = { "",          "\"", "the of",       "OF",   "a b",
                                           "( ) * ^ :", "-",  "\xe2\x80\x94", "NEAR", "NOT OR" };
    static const char *const found[] = {
        "\"merge",         "merge NOT merge", "more: merge",   "merge* AND nothing",
        "{about} : merge", "NEAR(merge)",     "merge\" OR \"", "^merge",
        "-merge",          "(merge",          "merge\xff\xfe"
    };
    struct temp_domain d;
    struct buf out = { 0 };
    search_make(&d, SEARCH_GOOD);
    struct snapshot *s = search_load(&d);
    assert_non_null(s);
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        search_ask(s, "hit", nothing[i], &out);
        if (out.len > 0)
            fail_msg("%s finds %s", nothing[i], out.ptr);
    }
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        search_ask(s, "hit", found[i], &out);
        if (out.len == 0 || !strstr(out.ptr, "merge 1"))
            fail_msg("%s finds %s", found[i], out.ptr ? out.ptr : "");
    }
    mgi_buf_fini(&out);
    mgi_snapshot_unref(s);
    temp_remove(&d);
}

static void test_a_question_is_bounded(void **state)
{
    (void)state;
    struct buf text = { 0 }, out = { 0 };
    for (int i = 0; i < 5000; i++)
        mgi_buf_printf(&text, "word%d ", i);
    assert_true(mgi_search_question(&out, mgi_buf_view(&text), NULL, 0));
    assert_non_null(strstr(out.ptr, "\"word63\""));
    assert_null(strstr(out.ptr, "\"word64\"")); /* SEARCH_WORDS_MAX */
    mgi_buf_clear(&text);
    mgi_buf_clear(&out);
    for (int i = 0; i < SEARCH_TEXT_MAX; i++)
        mgi_buf_putc(&text, ' ');
    mgi_buf_puts(&text, "late");
    assert_false(mgi_search_question(&out, mgi_buf_view(&text), NULL, 0));
    mgi_buf_clear(&text);
    for (int i = 0; i <= SEARCH_WORD_MAX; i++)
        mgi_buf_putc(&text, 'x');
    assert_false(mgi_search_question(&out, mgi_buf_view(&text), NULL, 0));
    assert_int_equal(out.len, 0);
    mgi_buf_fini(&text);
    mgi_buf_fini(&out);
}

static void check_refused(const char *external, const char *rules, const char *expected)
{
    struct temp_domain d;
    struct buf text = { 0 };
    search_make(&d, external);
    if (rules)
        temp_write(&d, "rules/domain/e.mg", rules);
    struct snapshot *s = temp_load(&d, NULL, false, &text);
    assert_null(s);
    if (!text.ptr || strcmp(text.ptr, expected) != 0)
        fail_msg("expected:\n%sgot:\n%s", expected, text.ptr ? text.ptr : "");
    mgi_buf_fini(&text);
    temp_remove(&d);
}

#define ONE                                                                                        \
    "Decl found(Text, Key, Rank) descr [external(), mode('+', '-', '-')]\n"                        \
    "  bound [/any, /string, /number].\n"                                                          \
    "Decl about(Key, Text, More) bound [/string, /string, /any].\n"                                \
    "instruction(\"one\", Key) :- found(\"x\", Key, _).\n"

static void test_what_is_wrong_is_told(void **state)
{
    (void)state;
    check_refused(
        "external: {found: {search: {over: about, limit: 0, stem: maybe, weights: [-1, 101,"
        " x], ignore: [[]], no: 1}}}\n",
        ONE,
        "OUT_OF_RANGE domain.yaml:6:49 limit must be from 1 to 1000\n"
        "BAD_VALUE domain.yaml:6:58 stem must be true or false\n"
        "OUT_OF_RANGE domain.yaml:6:75 a weight is a whole number from 0 to 100\n"
        "OUT_OF_RANGE domain.yaml:6:79 a weight is a whole number from 0 to 100\n"
        "OUT_OF_RANGE domain.yaml:6:84 a weight is a whole number from 0 to 100\n"
        "BAD_VALUE domain.yaml:6:97 ignore is a list of words\n"
        "UNKNOWN_KEY domain.yaml:6:102 unknown key \"no\" in a search\n");
    check_refused(
        "external: {found: {search: about, deterministic: false, action: AID.FX.ECHO.v1}}\n", ONE,
        "BAD_VALUE domain.yaml:6:19 a table, an action or a search answers a predicate: one "
        "of them\n"
        "BAD_VALUE domain.yaml:6:28 search must be a map\n"
        "BAD_VALUE domain.yaml:6:50 a search always gives the same answer\n");
    check_refused(
        "external: {found: {search: {over: nothing}}}\n", ONE,
        "EXTERNAL domain.yaml:6:12 found searches nothing, which no rule or fact knows\n");
    check_refused("external: {found: {search: {over: seen}}}\n", ONE,
                  "EXTERNAL domain.yaml:6:12 found searches seen, which has not a key and 1 to 16 "
                  "texts\n");
    check_refused("external: {found: {search: {over: said}}}\n",
                  ONE "said(What, What) :- seen(What).\n"
                      "instruction(\"one\", What) :- said(What, _).\n",
                  "EXTERNAL domain.yaml:6:12 found searches said, which can change with a request, "
                  "and an index is made once\n");
    check_refused(
        "external: {found: {search: {over: about}}}\n",
        "Decl found(Text, Key, Rank) descr [external(), mode('+', '-', '-'), privileged()]\n"
        "  bound [/any, /string, /number].\n"
        "Decl about(Key, Text, More) bound [/string, /string, /any].\n"
        "instruction(\"one\", Key) :- found(\"x\", Key, _).\n",
        "PRIVILEGED rules/domain/e.mg:1:6 only rules/policy and rules/schema may say what is "
        "privileged\n"
        "PRIVILEGED rules/domain/e.mg:1:6 what found answers depends on what is asked, so it "
        "is hearsay, and cannot be privileged\n");
    check_refused(
        "external: {found: {search: {over: about}}}\n",
        "Decl found(Text, Key) descr [external(), mode('+', '-')] bound [/any, /string].\n"
        "Decl about(Key, Text, More) bound [/string, /string, /any].\n"
        "instruction(\"one\", Key) :- found(\"x\", Key).\n",
        "EXTERNAL domain.yaml:6:12 found is searched, so its arguments are what is asked, "
        "and then key, rank and perhaps score\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_best_comes_first),
        cmocka_unit_test(test_text_is_no_syntax),
        cmocka_unit_test(test_a_question_is_bounded),
        cmocka_unit_test(test_what_is_wrong_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
