/* Evidence of what came and is not on the page: items of lists, lines that say that there is none,
 * what is taken away after a failure, dates that cannot be meant, numbers that are texts. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../domains/browser/plugins/browser/facts.h"
#include "browser/plugin_fixture.h"
#include "browser/evidence_fixture.h"
#include "browser/traces.h"
#include "browser/evidence_of.h"

#define H "http://h"

/* An answer of /api/ships that has `body`, and a page that shows `text` at the end. */
static struct json shown_beside(const char *body, const char *text)
{
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/api/ships", "Fetch", 200, body);
    tr(&t, 900, "Machina.state",
       "{'url':'http://h/','ready':'complete','state':'loaded','text':'%s'}", text);
    return facts_of(&t);
}

#define SHIPS                                                                                      \
    "{'items':[{'id':1,'name':'Fram one'},{'id':2,'name':'Gjoa two'},"                             \
    "{'id':3,'name':'Maud three'}]}"

static void test_items_are_counted_that_stand_on_the_page(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shown, *first;
    } cases[] = {
        { "Ships\\nFram one\\nGjoa two\\nMaud three", "3", "-1" },
        { "Ships\\nFRAM ONE\\nnothing else", "1", "1" }, /* styles make capitals */
        { "Ships\\nThere are no ships.", "0", "0" },
        { "Ships\\nMaud three", "1", "0" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = shown_beside(SHIPS, cases[i].text);
        if (!HAS(&facts, "list_shown", "r1", "$.items", cases[i].shown, "3", cases[i].first))
            fail_msg("%s", cases[i].text);
    }
}

static void test_a_list_is_told_only_where_each_item_would_be_known(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "[{'id':1},{'id':2}]",                                     /* no words */
        "[{'name':'Fram one'}]",                                   /* one */
        "[{'state':'open'},{'state':'open'}]",                     /* all alike */
        "[{'at':'2026-01-01T10:00Z'},{'at':'2026-01-02T10:00Z'}]", /* times */
        "[{'img':'/a/fram.png'},{'img':'/a/gjoa.png'}]",           /* addresses */
        "[{'name':'Fram one'},{'id':2},{'name':'Maud three'}]",    /* one unknown
                                                                    */
        "{'names':{'a':'Fram one','b':'Gjoa two'}}",               /* no list */
        "['Fram one','Gjoa two'",                                  /* no JSON */
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct json facts = shown_beside(bodies[i], "Ships");
        if (count_facts(&facts, "list_shown") != 0)
            fail_msg("%s", bodies[i]);
    }
    struct json nested =
        shown_beside("[{'of':{'name':'Fram one'}},{'of':{'name':'Gjoa two'}}]", "Fram one");
    assert_true(HAS(&nested, "list_shown", "r1", "$", "1", "2", "1"));
    /* Nothing of their own but ids, and what they have in common stands there. */
    static const char berths[] =
        "[{'id':'berth_1','quay':'North Quay'},{'id':'berth_2','quay':'North Quay'}]";
    struct json alike = shown_beside(berths, "North Quay, berth 1");
    assert_int_equal(count_facts(&alike, "list_shown"), 0);
    alike = shown_beside(berths, "No berths");
    assert_true(HAS(&alike, "list_shown", "r1", "$", "0", "2", "0"));
}

static void test_of_a_text_that_was_cut_nothing_is_said(void **state)
{
    (void)state;
    char text[4100];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    struct json facts = shown_beside(SHIPS, text);
    assert_int_equal(count_facts(&facts, "list_shown"), 0);
}

static void test_lines_that_say_that_there_is_none(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool said;
    } cases[] = {
        { "No ships today.", true },
        { "There are no ships in the harbour", true },
        { "Today: no ships", true },
        { "You have no ship yet", true },
        { "The list of ships is empty", true },
        { "At the moment there is no ship in the harbour", true },
        { "Nothing to pay", false },           /* of something else */
        { "Notes of ships", false },           /* no such word */
        { "The ship knows no harbour", false } /* in the middle of a sentence */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = shown_beside(SHIPS, cases[i].line);
        if (HAS(&facts, "said_none", "r1", cases[i].line, "ship") != cases[i].said)
            fail_msg("%s", cases[i].line);
    }
}

static void test_what_is_taken_away_after_a_failure(void **state)
{
    (void)state;
    static const struct {
        int status, at, gone, came;
        bool without;
    } cases[] = {
        { 500, 100, 1, 0, true },   { 500, 100, 1, 2, false }, { 500, 100, 0, 0, false },
        { 500, 2000, 1, 0, false }, { 200, 100, 1, 0, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "1", H "/api/hints", "Fetch", cases[i].status, "{}");
        tr(&t, cases[i].at, "Machina.changes",
           "{'k':'changes','count':1,'content':1,'built':0,'gone':%d,'came':%d,'ms':100}",
           cases[i].gone, cases[i].came);
        tr(&t, 9000, "Page.loadEventFired", "{}");
        struct json facts = facts_of(&t);
        if (HAS(&facts, "goes_without", "r1") != cases[i].without)
            fail_msg("case %zu", i);
    }
}

static void test_a_frame_that_was_taken_out_of_the_document(void **state)
{
    (void)state;
    static const struct {
        const char *frame, *reason;
        bool without;
    } cases[] = { { "F2", "remove", true }, { "F2", "swap", false }, { "F3", "remove", false } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr(&t, 0, "Page.frameNavigated", "{'frame':{'id':'F1','loaderId':'L1','url':'" H "/'}}");
        tr(&t, 50, "Network.requestWillBeSent",
           "{'requestId':'1','loaderId':'L2','frameId':'F2','type':'Document','timestamp':1000.05,"
           "'wallTime':1771502400.05,'request':{'url':'http://b/view','method':'GET'}}");
        tr(&t, 60, "Network.loadingFailed",
           "{'requestId':'1','timestamp':1000.06,'errorText':'net::ERR_BLOCKED_BY_RESPONSE'}");
        tr(&t, 1500, "Page.frameDetached", "{'frameId':'%s','reason':'%s'}", cases[i].frame,
           cases[i].reason);
        struct json facts = facts_of(&t);
        assert_true(HAS(&facts, "request_failed", "r1", "net::ERR_BLOCKED_BY_RESPONSE"));
        if (HAS(&facts, "goes_without", "r1") != cases[i].without)
            fail_msg("case %zu", i);
    }
}

static void test_a_date_of_january_1970_and_where_it_came_from(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/api/trips", "Fetch", 200, "[{'due':1796016782},{'due':5}]");
    tr(&t, 20, "Machina.deed",
       "{'k':'deed','what':'odd date','count':1796016782,"
       "'stack':'Error\\n    at row (http://h/a.js:5:3)'}");
    tr(&t, 21, "Machina.deed",
       "{'k':'deed','what':'odd date','count':1796016999,"
       "'stack':'Error\\n    at row (http://h/a.js:5:3)'}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "odd_date", "k1", "1796016782"));
    assert_true(HAS(&facts, "stack", "k1", "0", "row", H "/a.js", "5"));
    assert_true(HAS(&facts, "date_from", "k1", "r1", "$[].due"));
    assert_true(HAS(&facts, "odd_date", "k2", "1796016999"));
    assert_int_equal(count_facts(&facts, "date_from"), 1);
}

static void test_a_number_that_is_a_text_in_some_items(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        bool told;
    } cases[] = {
        { "[{'d':0},{'d':'1.50'}]", true },       { "[{'d':0},{'d':2}]", false },
        { "[{'d':'0'},{'d':'1.50'}]", false },    { "[{'d':0},{'d':'none'}]", false },
        { "{'a':{'d':0},'b':{'d':'1'}}", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = shown_beside(cases[i].body, "Ships");
        if (HAS(&facts, "number_or_text", "r1", "$[].d") != cases[i].told)
            fail_msg("%s", cases[i].body);
    }
}

static void test_a_number_as_people_write_it_is_found_in_any_item(void **state)
{
    (void)state;
    struct json facts =
        shown_beside("[{'n':'412'},{'n':'388'},{'n':'640'},{'n':'1,204'}]", "Ships");
    assert_true(HAS(&facts, "written_number", "r1", "$[].n", "1,204"));
}

static void test_a_row_tells_which_entry_a_button_is_of(void **state)
{
    (void)state;
    static const char *const rows[] = { "Tosca\\n5 Dec\\nDetails", "Details", "" };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "1", H "/api/bookings", "Fetch", 200,
                 "[{'id':'b-77','title':'Tosca'},{'id':'b-31','title':'Coppelia'}]");
        tr(&t, 100, "Machina.input",
           "{'k':'input','type':'click','target':'button','text':'Details','row':'%s',"
           "'trusted':true}",
           rows[i]);
        tr_whole(&t, 110, "2", H "/api/bookings/b-31", "Fetch", 200, "{}");
        tr(&t, 9000, "Page.loadEventFired", "{}");
        struct json facts = facts_of(&t);
        if (HAS(&facts, "asked_for_another", "r2", "i1", "r1", "Tosca", "b-77", "b-31") != (i == 0))
            fail_msg("%s", rows[i]);
    }
}

static void test_code_that_asks_once_for_what_comes_later(void **state)
{
    (void)state;
    static const struct {
        const char *asks;
        bool told;
    } cases[] = {
        { "function go() { if (!$.fn.slides) return; $('#a').slides(); }", true },
        { "if (typeof window.slides === 'undefined') return;", true },
        { "if (!$.fn.carousel) return;", false },
        { "$.fn.slides = $.fn.slides || later; if (!$.fn.slides) return;", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "0", H "/", "Document", 200,
                 "<script src=/a.js></script><script async src=/q.slides.js></script>");
        tr_whole(&t, 20, "1", H "/a.js", "Script", 200, cases[i].asks);
        tr(&t, 40, "Debugger.scriptParsed", "{'scriptId':'1','url':'http://h/a.js'}");
        tr_whole(&t, 1500, "2", H "/q.slides.js", "Script", 200,
                 "(function ($) { $.fn.slides = function () { return this; }; })(window.$);");
        tr(&t, 1600, "Debugger.scriptParsed", "{'scriptId':'2','url':'http://h/q.slides.js'}");
        tr(&t, 9000, "Page.loadEventFired", "{}");
        struct json facts = facts_of(&t);
        if (HAS(&facts, "asked_too_early", "*", "slides", H "/a.js", "1") != cases[i].told)
            fail_msg("%s", cases[i].asks);
    }
}

static void test_attributes_that_are_observed_by_other_names(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        size_t told;
    } cases[] = {
        { "class C extends HTMLElement { static get observedAttributes() { return ['itemId']; } }",
          1 },
        { "class C extends HTMLElement { static observedAttributes = ['item-id', 'open']; }", 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr(&t, 0, "Machina.state", "{'url':'http://h/','ready':'complete','state':'loaded'}");
        tr_whole(&t, 10, "1", H "/c.js", "Script", 200, cases[i].code);
        tr(&t, 9000, "Page.loadEventFired", "{}");
        struct json facts = facts_of(&t);
        if (count_facts(&facts, "code_slip") != cases[i].told)
            fail_msg("%s", cases[i].code);
    }
}

static void test_the_same_answer_to_another_question(void **state)
{
    (void)state;
    static const char rows[] = "{'items':[{'number':7300,'customer':'Fell and Sons'},"
                               "{'number':7301,'customer':'Ada'}],'total':23}";
    struct buf t = { 0 };
    for (int i = 0; i < 3; i++) {
        char id[8], url[64];
        snprintf(id, sizeof id, "%d", i + 1);
        snprintf(url, sizeof url, H "/api/orders?offset=%d", i < 2 ? 6 * i : 6);
        tr_whole(&t, i * 100, id, url, "Fetch", 200, rows);
    }
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "same_for_other", "r2", "r1"));
    assert_true(HAS(&facts, "same_answer", "r3", "r2"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_items_are_counted_that_stand_on_the_page),
        cmocka_unit_test(test_a_list_is_told_only_where_each_item_would_be_known),
        cmocka_unit_test(test_of_a_text_that_was_cut_nothing_is_said),
        cmocka_unit_test(test_lines_that_say_that_there_is_none),
        cmocka_unit_test(test_what_is_taken_away_after_a_failure),
        cmocka_unit_test(test_a_frame_that_was_taken_out_of_the_document),
        cmocka_unit_test(test_a_date_of_january_1970_and_where_it_came_from),
        cmocka_unit_test(test_a_number_that_is_a_text_in_some_items),
        cmocka_unit_test(test_a_number_as_people_write_it_is_found_in_any_item),
        cmocka_unit_test(test_a_row_tells_which_entry_a_button_is_of),
        cmocka_unit_test(test_code_that_asks_once_for_what_comes_later),
        cmocka_unit_test(test_attributes_that_are_observed_by_other_names),
        cmocka_unit_test(test_the_same_answer_to_another_question),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
