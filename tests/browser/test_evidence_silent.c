/* Evidence of what no error tells: exceptions that code caught, names that are not there, what is
 * added again and again. */
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

static void test_caught_exceptions_are_told_once_with_their_place(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Machina.changes", "{'k':'changes','count':5}");
    for (int i = 0; i < 3; i++)
        tr(&t, 100 + i, "Machina.caught",
           "{'k':'caught','name':'TypeError','description':'TypeError: Cannot read properties of "
           "undefined (reading \\\"map\\\")\\n    at draw (http://h/a.js:4:9)',"
           "'stackTrace':{'callFrames':[{'functionName':'start','url':'http://h/b.js',"
           "'lineNumber':6,'columnNumber':0}]}}");
    tr(&t, 200, "Machina.caught",
       "{'k':'caught','name':'QuotaExceededError','description':'QuotaExceededError: Setting the "
       "value of x exceeded the quota.\\n    at keep (http://h/a.js:9:9)'}");
    tr(&t, 300, "Machina.changes", "{'k':'changes','count':5}");
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_int_equal(count_facts(&facts, "caught"), 2);
    assert_true(HAS(&facts, "caught", "c1", "TypeError",
                    "Cannot read properties of undefined (reading \"map\")"));
    assert_true(HAS(&facts, "repeated", "c1", "3", "*"));
    assert_true(HAS(&facts, "stack", "c1", "0", "draw", H "/a.js", "4"));
    assert_true(HAS(&facts, "stack", "c1", "1", "start", H "/b.js", "7"));
    assert_true(HAS(&facts, "storage_failed", "c2", "local"));
    assert_false(HAS(&facts, "quiet_after", "c1"));
    assert_int_equal(count_facts(&facts, "error"), 0);
}

static void test_after_what_was_caught_nothing_happened(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Machina.changes", "{'k':'changes','count':5}");
    tr(&t, 500, "Machina.caught",
       "{'k':'caught','name':'TypeError','description':'TypeError: x is not a function\\n    at f "
       "(http://h/a.js:4:9)'}");
    tr(&t, 2000, "Machina.changes", "{'k':'changes','count':5}");
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "quiet_after", "c1"));
}

static void test_what_nobody_caught_is_no_caught_exception(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 100, "Machina.caught",
       "{'k':'caught','name':'TypeError','description':'TypeError: x is not a function\\n    at f "
       "(http://h/a.js:4:9)','uncaught':true}");
    tr(&t, 110, "Runtime.exceptionThrown",
       "{'timestamp':%lld,'exceptionDetails':{'text':'Uncaught','lineNumber':3,'columnNumber':8,"
       "'url':'http://h/a.js','exception':{'className':'TypeError','description':'TypeError: x is "
       "not a function\\n    at f (http://h/a.js:4:9)'}}}",
       (long long)(TRACES_T0 + 110));
    struct json facts = facts_of(&t);
    assert_int_equal(count_facts(&facts, "caught"), 0);
    assert_int_equal(count_facts(&facts, "error"), 1);
}

static void test_what_code_looks_for_in_vain_is_told_with_what_is_near(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 10, "Machina.missing",
       "{'k':'missing','selector':'#save-btn','stack':'Error\\n    at where (<anonymous>:1:1)\\n"
       "    at wire (http://h/a.js:2:10)'}");
    tr(&t, 20, "Machina.missing",
       "{'k':'missing','selector':'.row','stack':'Error\\n    at http://h/a.js:3:10'}");
    tr(&t, 30, "Machina.missing", "{'k':'missing','selector':'#x','stack':'Error'}");
    tr(&t, 40, "Machina.unheard",
       "{'k':'unheard','type':'cart:updated','heard':'DOMContentLoaded cart:update',"
       "'stack':'Error\\n    at add (http://h/a.js:4:10)'}");
    tr(&t, 90, "Machina.state",
       "{'url':'http://h/','title':'T','text':'x','names':['#save-button','.row','.save-bt']}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "element_missing", "q1", "#save-btn"));
    assert_true(HAS(&facts, "nearly", "q1", "save-button"));
    assert_true(HAS(&facts, "stack", "q1", "0", "wire", H "/a.js", "2"));
    assert_true(HAS(&facts, "element_came", "q2"));
    assert_int_equal(count_facts(&facts, "element_missing"), 2); /* one is nobody's */
    assert_true(HAS(&facts, "event_unheard", "q4", "cart:updated"));
    assert_true(HAS(&facts, "nearly", "q4", "cart:update"));
}

static void test_what_is_added_again_is_counted(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 10, "Machina.again",
       "{'k':'again','type':'click','target':'button#book','count':2,"
       "'stack':'Error\\n    at render (http://h/a.js:5:10)'}");
    tr(&t, 20, "Machina.again",
       "{'k':'again','type':'interval','target':'','count':8,"
       "'stack':'Error\\n    at watch (http://h/a.js:7:10)'}");
    tr(&t, 30, "Machina.again",
       "{'k':'again','type':'click','target':'ul#l','count':2,"
       "'stack':'Error\\n    at on (http://h/l.js:9:10)\\n    at each (http://h/l.js:5:10)\\n    "
       "at "
       "L.on (http://h/l.js:8:10)\\n    at init (http://h/a.js:21:10)\\n    at run "
       "(http://h/s.js:5:10)'}");
    struct json facts = facts_of(&t);
    /* The lines of a library do not hide who called it. */
    assert_true(HAS(&facts, "stack", "q3", "3", "init", H "/a.js", "21"));
    assert_true(HAS(&facts, "stack", "q3", "4", "run", H "/s.js", "5"));
    assert_true(HAS(&facts, "listener_again", "q1", "click", "button#book", "2"));
    assert_true(HAS(&facts, "timer_again", "q2", "8"));
    assert_true(HAS(&facts, "stack", "q2", "0", "watch", H "/a.js", "7"));
}

static void test_a_click_tells_who_hears_it(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 10, "Machina.input",
       "{'k':'input','type':'click','target':'button#a','heard':'own',"
       "'stack':'Error\\n    at wire (http://h/a.js:5:10)'}");
    tr(&t, 20, "Machina.input", "{'k':'input','type':'click','target':'button#b','heard':'none'}");
    tr(&t, 30, "Machina.input", "{'k':'input','type':'click','target':'button#c'}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "heard", "i1", "own"));
    assert_true(HAS(&facts, "stack", "i1", "0", "wire", H "/a.js", "5"));
    assert_true(HAS(&facts, "heard", "i2", "none"));
    assert_int_equal(count_facts(&facts, "heard"), 2); /* of the third nobody knows */
}

static void test_events_of_a_stream_are_heard_by_their_names(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_asked(&t, 0, "1", "GET", H "/s", "EventSource", "");
    tr_answered(&t, 5, "1", 200, "text/event-stream");
    tr(&t, 6, "Machina.streams", "{'k':'streams','url':'http://h/s','type':''}");
    tr(&t, 7, "Machina.streams", "{'k':'streams','url':'http://h/s','type':'price'}");
    for (int i = 0; i < 4; i++)
        tr(&t, 10 + i, "Network.eventSourceMessageReceived",
           "{'requestId':'1','timestamp':1000.01,'eventName':'%s','data':'1'}",
           i % 2 ? "prices" : "price");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "stream_heard", "r1", "price"));
    assert_true(HAS(&facts, "stream_unheard", "r1", "prices"));
    assert_true(HAS(&facts, "nearly", "r1", "price"));
    assert_int_equal(count_facts(&facts, "stream_unheard"), 1);
}

static void test_a_line_that_says_what_is_being_done_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *kind;
    } lines[] = { { "Looking up your order\xe2\x80\xa6", "waiting" },
                  { "Saving...", "waiting" },
                  { "Please wait", "spinner" },
                  { "Read more...", "" },
                  { "Parking", "" },
                  { "King...", "" } };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct buf t = { 0 };
        tr(&t, 0, "Machina.state", "{'url':'http://h/','title':'T','text':'A\\n%s\\nB'}",
           lines[i].text);
        struct json facts = facts_of(&t);
        assert_int_equal(HAS(&facts, "shown", lines[i].kind, lines[i].text),
                         lines[i].kind[0] != '\0');
        assert_int_equal(count_facts(&facts, "shown"), lines[i].kind[0] ? 2 : 1);
    }
}

static void test_numbers_that_people_write_are_told(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/a", "Fetch", 200,
             "{'a':'31,50','b':'31.50','c':'2026-11-29','d':'12 apples','e':12,'f':'1 200'}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "written_number", "r1", "$.a", "31,50"));
    assert_true(HAS(&facts, "written_number", "r1", "$.f", "1 200"));
    assert_int_equal(count_facts(&facts, "written_number"), 2);
}

static void test_an_answer_after_which_nothing_changed_is_told_where_somebody_watched(void **state)
{
    (void)state;
    for (int watched = 0; watched < 2; watched++) {
        struct buf t = { 0 };
        if (watched)
            tr(&t, 0, "Machina.changes", "{'k':'changes','count':5}");
        tr_whole(&t, 1000, "1", H "/a", "Fetch", 200, NULL);
        tr(&t, 9000, "Page.loadEventFired", "{}");
        struct json facts = facts_of(&t);
        assert_int_equal(HAS(&facts, "unchanged_after", "r1"), watched);
    }
}

static void test_a_header_that_may_not_be_sent_is_named(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_asked(&t, 10, "1", "GET", "http://api/a", "Fetch", "");
    tr(&t, 20, "Network.loadingFailed",
       "{'requestId':'1','timestamp':1000.020,'errorText':'net::ERR_FAILED','corsErrorStatus':"
       "{'corsError':'HeaderDisallowedByPreflightResponse','failedParameter':'x-release'}}");
    struct json facts = facts_of(&t);
    assert_true(
        HAS(&facts, "cors_error", "r1", "HeaderDisallowedByPreflightResponse", "x-release"));
}

/* What is asked over and over must not leave room for nothing else. */
static void test_of_many_requests_alike_the_first_and_the_last_are_told(void **state)
{
    (void)state;
    struct buf t = { 0 };
    char id[16];
    for (int i = 0; i < 300; i++) {
        snprintf(id, sizeof id, "%d", i + 1);
        tr_whole(&t, i * 20, id, H "/a", "Fetch", 429, NULL);
    }
    struct json facts = facts_of(&t);
    assert_int_equal(count_facts(&facts, "request"), 40);
    assert_true(HAS(&facts, "repeated", "r1", "300", "*"));
    assert_true(HAS(&facts, "request_path", "r300", H, "/a"));
    assert_true(HAS(&facts, "lost", "alike", "260"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_caught_exceptions_are_told_once_with_their_place),
        cmocka_unit_test(test_after_what_was_caught_nothing_happened),
        cmocka_unit_test(test_what_nobody_caught_is_no_caught_exception),
        cmocka_unit_test(test_what_code_looks_for_in_vain_is_told_with_what_is_near),
        cmocka_unit_test(test_what_is_added_again_is_counted),
        cmocka_unit_test(test_a_click_tells_who_hears_it),
        cmocka_unit_test(test_events_of_a_stream_are_heard_by_their_names),
        cmocka_unit_test(test_a_line_that_says_what_is_being_done_is_told),
        cmocka_unit_test(test_numbers_that_people_write_are_told),
        cmocka_unit_test(test_an_answer_after_which_nothing_changed_is_told_where_somebody_watched),
        cmocka_unit_test(test_a_header_that_may_not_be_sent_is_named),
        cmocka_unit_test(test_of_many_requests_alike_the_first_and_the_last_are_told),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
