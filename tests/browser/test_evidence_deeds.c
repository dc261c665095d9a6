/* Evidence of time, of what code keeps, of what messages are called and of what a request says that
 * its body is. */
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

static void tr_deed(struct buf *t, int64_t at, const char *more, const char *stack)
{
    tr(t, at, "Machina.deed", "{'k':'deed',%s,'stack':'Error\\n    at %s'}", more, stack);
}

static void test_timers_are_told_with_their_place(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_deed(&t, 10, "'what':'timeout','count':300", "renew (http://h/a.js:5:3)");
    tr_deed(&t, 20, "'what':'interval','count':-1,'text':'undefined'", "http://h/a.js:9:1");
    tr(&t, 30, "Machina.deed",
       "{'k':'deed','what':'brief','target':'div#t','name':'Saved','count':4}");
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "timer_set", "k1", "timeout", "300"));
    assert_true(HAS(&facts, "stack", "k1", "0", "renew", H "/a.js", "5"));
    assert_true(HAS(&facts, "timer_without", "k2", "interval", "undefined"));
    assert_true(HAS(&facts, "notice_gone", "k3", "div#t", "Saved", "4"));
}

static void test_what_is_read_is_taken_as_the_code_says(void **state)
{
    (void)state;
    static const struct {
        const char *code, *how;
    } cases[] = {
        { "const a = JSON.parse(localStorage.getItem('k'));", "json" },
        { "const raw = localStorage.getItem('k');\nreturn raw ? JSON.parse(raw) : null;", "json" },
        { "const n = Number(localStorage.getItem('k'));", "number" },
        { "const raw = localStorage.getItem('k');\nconst n = parseInt(raw, 10);", "number" },
        { "const d = new Date(localStorage.getItem('k'));", "date" },
        { "if (localStorage.getItem('k') === '1') go();", "word 1" },
        { "let v = localStorage.getItem('k');\nif (v == 'dark') go();", "word dark" },
        { "show(localStorage.getItem('k'));", NULL },
        { "const raw = localStorage.getItem('k');\nshow(raw);", NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        char place[80];
        struct str code = str_of(cases[i].code);
        size_t at = mgi_str_find(code, STR_LIT("getItem")) + 1;
        snprintf(place, sizeof place, "load (http://h/a.js:1:%zu)", at);
        tr_whole(&t, 0, "1", H "/a.js", "Script", 200, cases[i].code);
        tr_deed(&t, 20, "'what':'read','target':'local','name':'k','text':'word 1'", place);
        tr(&t, 9000, "Page.loadEventFired", "{}");
        struct json facts = facts_of(&t);
        assert_true(HAS(&facts, "storage_read", "k1", "local", "k", "word 1"));
        if (cases[i].how && !HAS(&facts, "read_as", "k1", cases[i].how))
            fail_msg("%s is not taken as %s", cases[i].code, cases[i].how);
        if (!cases[i].how)
            assert_int_equal(count_facts(&facts, "read_as"), 0);
    }
}

static void test_where_a_function_hands_on_what_it_read_its_caller_takes_it(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/a.js", "Script", 200,
             "const get = (k) => localStorage.getItem(k);\nconst v = get('k');\nif (v === 'dark') "
             "go();");
    tr_deed(&t, 10, "'what':'write','target':'session','name':'k','text':'json text'",
            "set (http://h/a.js:1:3)");
    tr_deed(&t, 20, "'what':'read','target':'session','name':'k','text':'json text'",
            "get (http://h/a.js:1:33)\\n    at go (http://h/a.js:2:11)");
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "stored", "k1", "session", "k", "json text"));
    assert_true(HAS(&facts, "read_as", "k2", "word dark"));
}

static void test_what_is_lost_by_being_kept_is_told_whatever_else_is_kept(void **state)
{
    (void)state;
    struct buf t = { 0 };
    char deed[120];
    for (int i = 0; i < 90; i++) {
        snprintf(deed, sizeof deed, "'what':'write','target':'local','name':'n%d','text':'number'",
                 i);
        tr_deed(&t, 10 + i, deed, "keep (http://h/a.js:2:3)");
    }
    tr_deed(&t, 200, "'what':'write','target':'local','name':'prefs','text':'word [object Object]'",
            "save (http://h/a.js:8:10)");
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "stored", "k91", "local", "prefs", "word [object Object]"));
    assert_true(HAS(&facts, "stack", "k91", "0", "save", H "/a.js", "8"));
    assert_false(HAS(&facts, "stored", "k90", "local", "n89", "number"));
}

static void test_numbers_of_answers_that_meet_the_clock_are_told(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/a.js", "Script", 200,
             "const ends = Date.now() + s.expires_in;\n"
             "const right = Date.now() + s.expires_in * 1000;\n"
             "if (Date.now() > s.until) over();\n"
             "if (s.until <= Date.now()) over();\n"
             "show(new Date(n.created));\n"
             "show(new Date(n.created * 1000));\n"
             "if (Date.now() > s.small) over();\n");
    tr_whole(&t, 20, "2", H "/api/s", "Fetch", 200,
             "{'expires_in':300,'until':1771500000,'created':1771500000,'small':12}");
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "clock_meets", "r2", "$.expires_in", "plus", H "/a.js", "1"));
    assert_true(HAS(&facts, "clock_meets", "r2", "$.until", "compare", H "/a.js", "3"));
    assert_true(HAS(&facts, "clock_meets", "r2", "$.until", "compare", H "/a.js", "4"));
    assert_true(HAS(&facts, "clock_meets", "r2", "$.created", "date", H "/a.js", "5"));
    assert_int_equal(count_facts(&facts, "clock_meets"), 4);
}

static void test_names_of_messages_are_looked_for_in_the_code(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/a.js", "Script", 200,
             "socket.onmessage = (e) => {\n  switch (JSON.parse(e.data).type) {\n"
             "    case 'priceChanged': show(); break;\n    case 'known': break;\n"
             "    case 'order:new': case 'known:new': show();\n  }\n};");
    tr(&t, 20, "Machina.changes", "{'k':'changes','count':1}");
    tr(&t, 30, "Network.webSocketCreated", "{'requestId':'7','url':'ws://h/s'}");
    const char *const types[] = { "price.changed", "known", "order.created", "else",
                                  "known.others" };
    for (int i = 0; i < 5; i++)
        tr(&t, 1000 + i * 1000, "Network.webSocketFrameReceived",
           "{'requestId':'7','response':{'opcode':1,'payloadData':'{\\'type\\':\\'%s\\'}'}}",
           types[i]);
    tr(&t, 2010, "Machina.changes", "{'k':'changes','count':1}");
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "frame_name", "r2", "$.type", "known"));
    assert_false(HAS(&facts, "frame_name_unknown", "r2", "known"));
    assert_false(HAS(&facts, "frame_unshown", "r2", "known"));
    assert_true(HAS(&facts, "frame_name_unknown", "r2", "price.changed"));
    assert_true(HAS(&facts, "frame_unshown", "r2", "price.changed"));
    assert_true(HAS(&facts, "frame_name_like", "r2", "price.changed", "priceChanged", "same",
                    H "/a.js", "3"));
    assert_true(
        HAS(&facts, "frame_name_like", "r2", "order.created", "order:new", "kin", H "/a.js", "5"));
    assert_true(HAS(&facts, "frame_name_unknown", "r2", "else"));
    assert_int_equal(count_facts(&facts, "frame_name_like"), 2);
}

static void test_a_stream_stands_where_the_page_listens_to_it(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_asked(&t, 0, "1", "GET", H "/s", "EventSource", "");
    tr_answered(&t, 5, "1", 200, "text/event-stream");
    tr(&t, 6, "Machina.streams",
       "{'k':'streams','url':'http://h/s','type':'','stack':'Error\\n    at open "
       "(http://h/a.js:2:1)'}");
    tr(&t, 7, "Machina.streams",
       "{'k':'streams','url':'http://h/s','type':'error','stack':'Error\\n    at open "
       "(http://h/a.js:3:1)'}");
    tr(&t, 8, "Machina.streams",
       "{'k':'streams','url':'http://h/s','type':'prices','stack':'Error\\n    at open "
       "(http://h/a.js:4:1)'}");
    tr(&t, 10, "Network.eventSourceMessageReceived",
       "{'requestId':'1','timestamp':1000.01,'eventName':'price','data':'1'}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "stream_unheard", "r1", "price"));
    assert_true(HAS(&facts, "stack", "r1", "0", "open", H "/a.js", "4"));
    assert_int_equal(count_facts(&facts, "stack"), 1);
}

static void test_what_a_request_says_that_its_body_is(void **state)
{
    (void)state;
    static const struct {
        const char *body, *form;
    } cases[] = {
        { "{\\'a\\':1}", "json" },
        { "a=1&b=2", "urlencoded" },
        { "hello there", "text" },
        { "--x\\r\\nContent-Disposition: form-data; name=a", "multipart" },
        { "[object Object]", "object" },
        { "[object FormData]", "object" },
        { "undefined", "nothing" },
        { "{a: 1}", "broken" },
        { "{\\'a\\':1}\\n{\\'a\\':2}", "json" },
        { "\\'{\\\\\\'a\\\\\\':1}\\'", "twice" },
        { "[1,2]", "json" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr(&t, 0, "Network.requestWillBeSent",
           "{'requestId':'1','loaderId':'L1','request':{'url':'http://h/a','method':'POST',"
           "'headers':{'Content-Type':'text/plain'},'postData':'%s'},'timestamp':1000,"
           "'wallTime':1790000000,'type':'Fetch','frameId':'F'}",
           cases[i].body);
        tr_answered(&t, 8, "1", 415, "application/json");
        tr_ended(&t, 9, "1");
        struct json facts = facts_of(&t);
        assert_true(HAS(&facts, "sent_header", "r1", "content-type", "text/plain"));
        assert_true(HAS(&facts, "sent_form", "r1", cases[i].form));
    }
}

/* No header of that name is another thing than headers that nobody has seen. */
static void test_a_request_that_does_not_say_what_its_body_is(void **state)
{
    (void)state;
    static const struct {
        const char *headers, *body;
        bool none;
    } cases[] = {
        { "{'Accept':'*/*'}", "{\\'a\\':1}", true },
        { "{'Accept':'*/*','X-Content-Type-Hint':'text/plain'}", "{\\'a\\':1}", true },
        { "{'Accept':'*/*'}", "", false },
        { "{}", "{\\'a\\':1}", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr(&t, 0, "Network.requestWillBeSent",
           "{'requestId':'1','loaderId':'L1','request':{'url':'http://h/a','method':'POST',"
           "'headers':%s,'postData':'%s'},'timestamp':1000,"
           "'wallTime':1790000000,'type':'Fetch','frameId':'F'}",
           cases[i].headers, cases[i].body);
        tr_answered(&t, 8, "1", 415, "application/json");
        tr_ended(&t, 9, "1");
        struct json facts = facts_of(&t);
        assert_int_equal(HAS(&facts, "sent_header", "r1", "content-type", "none"), cases[i].none);
        assert_int_equal(count_facts(&facts, "sent_header"), cases[i].none);
        assert_int_equal(count_facts(&facts, "sent_form"), cases[i].body[0] != '\0');
    }
}

static void tr_frame(struct buf *t, int64_t at, const char *socket, bool sent, const char *text)
{
    tr(t, at, sent ? "Network.webSocketFrameSent" : "Network.webSocketFrameReceived",
       "{'requestId':'%s','response':{'opcode':1,'payloadData':'%s'}}", socket, text);
}

static void test_messages_are_sorted_and_where_they_are_sent_is_told(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 30, "Network.webSocketCreated", "{'requestId':'7','url':'ws://h/s'}");
    tr(&t, 40, "Network.webSocketCreated", "{'requestId':'8','url':'ws://h/s'}");
    tr_deed(&t, 98, "'what':'send'", "join (http://h/a.js:5:3)");
    tr_frame(&t, 100, "7", true, "{\\'Type\\':1,\\'type\\':\\'Join\\',\\'n\\':1}");
    tr_frame(&t, 200, "7", true, "{\\'type\\':\\'join\\',\\'n\\':2}");
    tr_frame(&t, 300, "7", false, "{\\'price\\':1,\\'of\\':\\'x\\'}");
    tr_frame(&t, 400, "7", false, "42[\\'news\\',{\\'n\\':1}]");
    tr_frame(&t, 500, "8", true, "SUBSCRIBE\\nid:1");
    tr_frame(&t, 600, "8", false, "2");
    tr_frame(&t, 700, "8", false, "[null,\\'1\\',\\'room:1\\',\\'phx_reply\\',{}]");
    tr_frame(&t, 800, "8", false, "{\\'type\\':");
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "frame_sort", "r1", "sent", "type join", "1", "2"));
    assert_true(HAS(&facts, "frame_sort", "r1", "received", "price of", "3", "1"));
    assert_true(HAS(&facts, "frame_sort", "r1", "received", "news", "4", "1"));
    assert_true(HAS(&facts, "frame_sort", "r2", "sent", "subscribe", "5", "1"));
    assert_true(HAS(&facts, "frame_sort", "r2", "received", "2", "6", "1"));
    assert_true(HAS(&facts, "frame_sort", "r2", "received", "room:1 phx_reply", "7", "1"));
    assert_int_equal(count_facts(&facts, "frame_sort"), 6);
    assert_true(HAS(&facts, "sent_from", "r1", "1", "f1"));
    assert_true(HAS(&facts, "stack", "f1", "0", "join", H "/a.js", "5"));
    assert_int_equal(count_facts(&facts, "sent_from"), 1);
    assert_int_equal(count_facts(&facts, "timer_set"), 0);
}

static void test_messages_that_are_told_apart_by_what_they_have_not(void **state)
{
    (void)state;
    static const struct {
        const char *code, *member; /* NULL: nothing is told */
    } cases[] = {
        { "s.onmessage = (e) => { const m = JSON.parse(e.data); switch (m.type) { } };", "type" },
        { "s.onmessage = ({ data }) => { const m = JSON.parse(data); on[m.kind]?.(m); };", "kind" },
        { "f = (e) => { const { type, id } = JSON.parse(e.data); if (type === 'a') go(id); };",
          "type" },
        { "f = (e) => { const { type: what } = JSON.parse(e.data); switch (what) { } };", "type" },
        { "s.onmessage = (e) => { const m = JSON.parse(e.data); switch (m.event) { } };", NULL },
        { "s.onmessage = (e) => { const m = JSON.parse(e.data); if (m.error) fail(m); };", NULL },
        { "s.onmessage = (e) => { const m = JSON.parse(kept); switch (m.type) { } };", NULL },
        { "s.onmessage = (e) => { const m = JSON.parse(e.data); switch (n.type) { } };", NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "1", H "/a.js", "Script", 200, cases[i].code);
        tr(&t, 30, "Network.webSocketCreated",
           "{'requestId':'7','url':'ws://h/s','initiator':{'type':'script','stack':{'callFrames':["
           "{'functionName':'open','url':'http://h/a.js','lineNumber':0,'columnNumber':1}]}}}");
        for (int n = 0; n < 2; n++)
            tr_frame(&t, 100 + n * 100, "7", false, "{\\'event\\':\\'a.new\\',\\'id\\':1}");
        tr(&t, 9000, "Page.loadEventFired", "{}");
        struct json facts = facts_of(&t);
        if (cases[i].member && !HAS(&facts, "frame_misses", "r2", cases[i].member, H "/a.js", "1"))
            fail_msg("%s is not told", cases[i].code);
        if (!cases[i].member && count_facts(&facts, "frame_misses") > 0)
            fail_msg("%s is told", cases[i].code);
    }
}

static void test_what_piles_up_is_told_once_with_who_adds(void **state)
{
    (void)state;
    struct buf t = { 0 };
    for (int i = 0; i < 3; i++)
        tr(&t, 1000 + i * 1000, "Machina.piles",
           "{'k':'piles','type':'pile','target':'div#tips','count':%d,"
           "'stack':'Error\\n    at tip (http://h/a.js:10:3)'}",
           40 + i * 10);
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "piles_up", "div#tips", "40", "60"));
    assert_true(HAS(&facts, "stack", "pile:div#tips", "0", "tip", H "/a.js", "10"));
    assert_int_equal(count_facts(&facts, "piles_up"), 1);
    assert_int_equal(count_facts(&facts, "listener_again"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_timers_are_told_with_their_place),
        cmocka_unit_test(test_what_is_read_is_taken_as_the_code_says),
        cmocka_unit_test(test_where_a_function_hands_on_what_it_read_its_caller_takes_it),
        cmocka_unit_test(test_what_is_lost_by_being_kept_is_told_whatever_else_is_kept),
        cmocka_unit_test(test_numbers_of_answers_that_meet_the_clock_are_told),
        cmocka_unit_test(test_names_of_messages_are_looked_for_in_the_code),
        cmocka_unit_test(test_a_stream_stands_where_the_page_listens_to_it),
        cmocka_unit_test(test_what_a_request_says_that_its_body_is),
        cmocka_unit_test(test_a_request_that_does_not_say_what_its_body_is),
        cmocka_unit_test(test_messages_are_sorted_and_where_they_are_sent_is_told),
        cmocka_unit_test(test_messages_that_are_told_apart_by_what_they_have_not),
        cmocka_unit_test(test_what_piles_up_is_told_once_with_who_adds),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
