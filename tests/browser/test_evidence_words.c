/* Evidence of words of answers that no script knows, and of what is shown as it was answered. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

#include "../../domains/browser/plugins/browser/facts.h"
#include "browser/plugin_fixture.h"
#include "browser/evidence_fixture.h"
#include "browser/traces.h"
#include "browser/evidence_of.h"

#define H "http://h"

static void with_script(struct buf *t, const char *script, const char *body, const char *shown)
{
    tr_whole(t, 0, "1", H "/app.js", "Script", 200, script);
    tr_whole(t, 40, "2", H "/api/rows", "Fetch", 200, body);
    tr(t, 90, "Machina.state", "{'url':'http://h/','title':'T','text':'%s'}", shown);
}

static void test_a_name_that_no_script_knows_is_told_with_the_one_that_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        bool told;
    } cases[] = {
        { "var Money = {\n  line(l) { return l.unitPrice * l.qty; }\n};\n", true },
        { "line = (l) => l.unitPrice * l.qty || l.unit_price;\n", false }, /* it is known */
        { "line = (l) => l.price * l.qty;\n", false },                     /* none is like it */
        { "l.unitPrice = 3;\n", false },
        { "add({ unitPrice: cost() }); line = (l) => l.unitPrice;\n", false }, /* made here */
        { "fix = (k) => k.replace(/_([a-z])/g, up); line = (l) => l.unitPrice;\n", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        with_script(&t, cases[i].script, "{'lines':[{'unit_price':120,'qty':1}]}", "");
        struct json facts = facts_of(&t);
        bool told = HAS(&facts, "code_misses", "r2", "$.lines[].unitPrice", H "/app.js", "2") &&
                    HAS(&facts, "near_name", "r2", "$.lines[].unitPrice", "$.lines[].unit_price") &&
                    HAS(&facts, "name_unread", "r2", "$.lines[].unit_price");
        if (told != cases[i].told || count_facts(&facts, "name_unread") != cases[i].told)
            fail_msg("of %s: %d", cases[i].script, told);
    }
}

static void test_a_word_that_no_script_knows_is_told_with_what_is_shown_of_it(void **state)
{
    (void)state;
    static const char script[] = "const columns = { OPEN: a, DONE: b };\n";
    static const char body[] = "{'jobs':[{'title':'Paint','state':'OPEN'},{'title':'Clean','state':"
                               "'ON_HOLD'},{'title':'Move','state':'DONE'}]}";
    static const struct {
        const char *script, *body, *shown, *how; /* NULL: nothing is told */
    } cases[] = {
        { script, body, "Paint, Move", "unshown" },
        { script, body, "Paint, Clean, Move", "shown" },
        { script, body, "Paint", NULL },
        { "use('open', 'on_hold', 'done');\n", body, "Paint, Move", NULL },
        { "use('OPEN');\n", body, "Paint, Move", NULL },
        /* One word alone may be all that is asked for. */
        { script, "[{'title':'Paint','state':'OPEN'},{'title':'Clean','state':'ON_HOLD'}]", "Paint",
          NULL },
        { script, "[{'title':'Paint','name':'OPEN'},{'title':'Clean','name':'ON_HOLD'}]", "Paint",
          NULL },
        { script, "[]", "", NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        with_script(&t, cases[i].script, cases[i].body, cases[i].shown);
        struct json facts = facts_of(&t);
        if (cases[i].how &&
            !HAS(&facts, "choice_unknown", "r2", "$.jobs[].state", "ON_HOLD", cases[i].how, "OPEN"))
            fail_msg("case %zu is not told", i);
        if (!cases[i].how && count_facts(&facts, "choice_unknown") > 0)
            fail_msg("case %zu is told", i);
    }
}

static void test_the_word_of_one_thing_that_no_script_knows_is_told(void **state)
{
    (void)state;
    struct buf t = { 0 };
    with_script(&t, "const steps = { SHIPPED: 1 };\n",
                "{'code':'X1','status':'PARTLY_SHIPPED','kind':'Shipped','type':'some text'}", "");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "word_unknown", "r2", "$.status", "PARTLY_SHIPPED"));
    assert_int_equal(count_facts(&facts, "word_unknown"), 1);
}

static void test_hundredths_that_are_shown_as_whole_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *body, *shown;
        bool told;
    } cases[] = {
        { "[{'price_cents':1250}]", "Day: EUR 1,250.00", true },
        { "[{'price_cents':1250}]", "Day: 1250,00 EUR", true },
        { "[{'price_cents':1250}]", "Day: 12.50", false },
        { "[{'price_cents':1250}]", "Day: 31,250.00", false },
        { "[{'price':1250}]", "Day: 1,250.00", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        with_script(&t, "f();\n", cases[i].body, cases[i].shown);
        struct json facts = facts_of(&t);
        assert_int_equal(count_facts(&facts, "shown_whole"), cases[i].told);
    }
}

static void test_keys_that_are_shown_in_place_of_words_are_told(void **state)
{
    (void)state;
    static const char script[] = "t('shop.title'); t('shop.intro'); link('app.test');\n";
    struct buf t = { 0 };
    with_script(&t, script, "[]", "shop.title\\nshop.intro\\nBuy");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "shown_key", "shop.title", "2"));
    struct buf other = { 0 };
    with_script(&other, script, "[]", "shop.title\\nread.me\\nfile.txt and more");
    facts = facts_of(&other);
    assert_int_equal(count_facts(&facts, "shown_key"), 0);
}

static bool tells_of(struct buf *t)
{
    struct json facts = facts_of(t);
    return count_facts(&facts, "code_misses") > 0;
}

/* Nothing is said of a word to be unknown where not all code is looked through. */
static void test_of_code_that_is_not_whole_no_word_is_unknown(void **state)
{
    (void)state;
    static const char line[] = "line = (l) => l.unitPrice * l.qty; //", /* never ends */
        body[] = "{'lines':[{'unit_price':120,'qty':1}]}";
    char *script = test_malloc(CODE_BYTES + 100);
    struct buf whole = { 0 }, cut = { 0 }, many = { 0 };
    memset(script, ' ', CODE_BYTES + 99);
    memcpy(script, line, sizeof line - 1);
    script[CODE_BYTES - 10] = '\0';
    with_script(&whole, script, body, "");
    assert_true(tells_of(&whole));
    script[CODE_BYTES - 10] = ' ';
    script[CODE_BYTES + 99] = '\0';
    with_script(&cut, script, body, "");
    assert_false(tells_of(&cut));
    for (int i = 0; i <= CODE_TEXTS_MOST; i++) {
        char url[40];
        snprintf(url, sizeof url, H "/part%d.js", i);
        tr_whole(&many, 0, url + strlen(H), url, "Script", 200, "let a;\n");
    }
    with_script(&many, line, body, "");
    assert_false(tells_of(&many));
    test_free(script);
}

static void test_of_more_words_than_are_kept_none_is_unknown(void **state)
{
    (void)state;
    enum { WORDS = 140000, EACH = 8 };
    static const char body[] = "{'lines':[{'unit_price':120,'qty':1}]}";
    for (int many = 0; many < 2; many++) {
        struct buf t = { 0 };
        char *script = test_malloc(CODE_BYTES);
        for (int part = 0; part < WORDS / 50000 + 1; part++) {
            char url[40];
            size_t len = 0;
            snprintf(url, sizeof url, H "/part%d.js", part);
            for (int i = 0; i < 50000; i++)
                len += (size_t)snprintf(script + len, CODE_BYTES - len, "w%06d\n",
                                        many ? part * 50000 + i : i);
            tr_whole(&t, 0, url + strlen(H), url, "Script", 200, script);
        }
        with_script(&t, "line = (l) => l.unitPrice * l.qty;\n", body, "");
        if (tells_of(&t) == (bool)many)
            fail_msg("many: %d", many);
        test_free(script);
    }
}

static void test_a_script_counts_as_it_came_last(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "0", H "/app.js", "Script", 200, "line = (l) => l.unit_price;\n");
    with_script(&t, "line = (l) =>\n l.unitPrice;\n", "{'lines':[{'unit_price':120,'qty':1}]}", "");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "code_misses", "r3", "$.lines[].unitPrice", H "/app.js", "2"));
}

/* A list of many members that are words, none of which is shown, beside much that is. */
static void test_looking_for_what_is_shown_has_an_end(void **state)
{
    (void)state;
    struct buf body = { 0 }, t = { 0 };
    mgi_buf_puts(&body, "[");
    for (int i = 0; i < 100; i++) {
        mgi_buf_printf(&body, "%s{", i > 0 ? "," : "");
        for (int m = 0; m < 100; m++)
            mgi_buf_printf(&body, "%s'm%d_status':'%s'", m > 0 ? "," : "", m,
                           i == 50 ? "odd"
                           : i % 2 ? "open"
                                   : "done");
        mgi_buf_puts(&body, "}");
    }
    mgi_buf_puts(&body, "]");
    char *text = test_malloc(401);
    memset(text, 'x', 400);
    text[400] = '\0';
    tr_whole(&t, 0, "1", H "/app.js", "Script", 200, "known = { open: 1, done: 2 };");
    tr_whole(&t, 40, "2", H "/api/rows", "Fetch", 200, body.ptr);
    for (int i = 0; i < 100; i++)
        tr(&t, 90 + i, "Machina.state", "{'url':'http://h/','title':'T','text':'%s'}", text);
    clock_t begun = clock();
    struct json facts = facts_of(&t);
    assert_int_equal(count_facts(&facts, "choice_unknown"), 0);
    assert_true(clock() - begun < 20 * CLOCKS_PER_SEC);
    test_free(text);
    mgi_buf_fini(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_name_that_no_script_knows_is_told_with_the_one_that_is_read),
        cmocka_unit_test(test_a_word_that_no_script_knows_is_told_with_what_is_shown_of_it),
        cmocka_unit_test(test_the_word_of_one_thing_that_no_script_knows_is_told),
        cmocka_unit_test(test_hundredths_that_are_shown_as_whole_are_told),
        cmocka_unit_test(test_keys_that_are_shown_in_place_of_words_are_told),
        cmocka_unit_test(test_of_code_that_is_not_whole_no_word_is_unknown),
        cmocka_unit_test(test_of_more_words_than_are_kept_none_is_unknown),
        cmocka_unit_test(test_a_script_counts_as_it_came_last),
        cmocka_unit_test(test_looking_for_what_is_shown_has_an_end),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
