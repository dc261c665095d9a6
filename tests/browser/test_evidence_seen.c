/* Evidence of what comes too late, twice or in no order, of what nobody sees, and of slips. */
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

/* The page, a script and an answer, and what it shows in the end. */
static struct json facts_of_page(const char *script, const char *answer, const char *shown)
{
    struct buf t = { 0 };
    tr_whole(&t, 0, "0", H "/", "Document", 200, "<script src='a.js'></script>");
    tr_whole(&t, 20, "1", H "/a.js", "Script", 200, script);
    tr_whole(&t, 40, "2", H "/api/x", "Fetch", 200, answer);
    tr(&t, 90, "Machina.state", "{'url':'http://h/','title':'T','text':'%s'}", shown);
    tr(&t, 9000, "Page.loadEventFired", "{}");
    return facts_of(&t);
}

#define AT ",'stack':'Error\\n    at f (http://h/a.js:4:9)'}"

static void test_deeds_of_what_is_seen_are_told(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/a.js", "Script", 200, "on('click',\n '.row-remove')");
    tr(&t, 50, "Machina.deed", "{'k':'deed','what':'late','name':'shop:ready'" AT);
    tr(&t, 60, "Machina.deed", "{'k':'deed','what':'came','name':'shop:ready'" AT);
    tr(&t, 70, "Machina.deed",
       "{'k':'deed','what':'twin','target':'ul#l','text':'Trade 1','count':2}");
    tr(&t, 80, "Machina.deed", "{'k':'deed','what':'observed','target':'div#b','count':60" AT);
    tr(&t, 90, "Machina.deed",
       "{'k':'deed','what':'none around','target':'button#x','name':'.row-remove',"
       "'text':'.row__remove #x [data-id'" AT);
    tr(&t, 95, "Machina.deed",
       "{'k':'deed','what':'none around','target':'button#x','name':'[data-action=\\\"drop\\\"]',"
       "'text':'.row [data-act=drop'" AT);
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "event_late", "k1", "shop:ready"));
    assert_true(HAS(&facts, "event_came", "k2", "shop:ready"));
    assert_true(HAS(&facts, "drawn_twice", "k3", "ul#l", "Trade 1", "2"));
    assert_true(HAS(&facts, "observes_itself", "k4", "div#b", "60"));
    assert_true(HAS(&facts, "target_unknown", "k5", "button#x", ".row-remove"));
    assert_true(HAS(&facts, "nearly", "k5", ".row__remove"));
    assert_true(HAS(&facts, "selector_at", "k5", H "/a.js", "2"));
    assert_true(HAS(&facts, "nearly", "k6", "[data-act=drop"));
    assert_true(HAS(&facts, "stack", "k1", "0", "f", H "/a.js", "4"));
}

static void test_what_nobody_sees_and_what_is_not_valid_is_told(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 90, "Machina.state",
       "{'url':'http://h/','title':'T','text':'A','invalid':[{'target':'input[name=when]',"
       "'message':'Fill it in','visible':false}]}");
    tr(&t, 100, "Machina.veil",
       "{'veiled':[{'target':'p.story','how':'opacity: 0','by':'/g.css: .story',"
       "'text':'Market day','count':3}]}");
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "veiled", "p.story", "opacity: 0", "Market day", "3"));
    assert_true(HAS(&facts, "veiled_by", "p.story", "/g.css: .story"));
    assert_true(HAS(&facts, "still_invalid", "input[name=when]", "Fill it in", "false"));
}

static void socket_says(struct buf *t, int64_t at, const char *id, bool sent, const char *text)
{
    tr(t, at, sent ? "Network.webSocketFrameSent" : "Network.webSocketFrameReceived",
       "{'requestId':'%s','response':{'opcode':1,'payloadData':'%s'}}", id, text);
}

/* What the second connection begins with. */
static struct json facts_of_two(const char *first, const char *second)
{
    struct buf t = { 0 };
    tr(&t, 0, "Network.webSocketCreated", "{'requestId':'1','url':'ws://h/s'}");
    socket_says(&t, 10, "1", false, "{\\'seq\\':1}");
    socket_says(&t, 20, "1", false, "{\\'seq\\':2}");
    socket_says(&t, 30, "1", false, "{\\'seq\\':3}");
    tr(&t, 40, "Network.webSocketClosed", "{'requestId':'1'}");
    tr(&t, 500, "Network.webSocketCreated", "{'requestId':'2','url':'ws://h/s'}");
    socket_says(&t, 510, "2", false, first);
    socket_says(&t, 520, "2", false, second);
    tr(&t, 9000, "Page.loadEventFired", "{}");
    return facts_of(&t);
}

static void test_messages_that_count_up_go_on_behind_a_gap(void **state)
{
    (void)state;
    struct json facts = facts_of_two("{\\'seq\\':9}", "{\\'seq\\':10}");
    assert_true(HAS(&facts, "frames_missed", "r2", "r1", "seq", "3", "9"));
    facts = facts_of_two("{\\'seq\\':1}", "{\\'seq\\':2}");
    assert_true(HAS(&facts, "frames_missed", "r2", "r1", "seq", "3", "1"));
    facts = facts_of_two("{\\'seq\\':4}", "{\\'seq\\':5}");
    assert_int_equal(count_facts(&facts, "frames_missed"), 0);
    facts = facts_of_two("{\\'seq\\':9}", "{\\'seq\\':40}");
    assert_int_equal(count_facts(&facts, "frames_missed"), 0);
}

static struct json facts_of_rooms_with(const char *leaves, const char *shown)
{
    struct buf t = { 0 };
    tr(&t, 0, "Network.webSocketCreated", "{'requestId':'1','url':'ws://h/s'}");
    socket_says(&t, 10, "1", true, "{\\'join\\':\\'lobby\\'}");
    socket_says(&t, 20, "1", false, "{\\'room\\':\\'lobby\\',\\'text\\':\\'line one\\'}");
    if (*leaves)
        socket_says(&t, 25, "1", true, leaves);
    socket_says(&t, 30, "1", true, "{\\'join\\':\\'help\\'}");
    socket_says(&t, 40, "1", false, "{\\'room\\':\\'lobby\\',\\'text\\':\\'line two\\'}");
    socket_says(&t, 50, "1", false, "{\\'room\\':\\'lobby\\',\\'text\\':\\'line three\\'}");
    tr(&t, 90, "Machina.state", "{'url':'http://h/','title':'T','text':'%s'}", shown);
    tr(&t, 9000, "Page.loadEventFired", "{}");
    return facts_of(&t);
}

static void test_a_room_that_is_not_left_is_told_where_another_is_in_front(void **state)
{
    (void)state;
    struct json facts = facts_of_rooms_with("", "line two\\nline three");
    assert_true(HAS(&facts, "room_not_left", "r1", "lobby", "help", "3", "2"));
    facts = facts_of_rooms_with("", "line one\\nline two\\nline three");
    assert_int_equal(count_facts(&facts, "room_not_left"), 0);
    facts = facts_of_rooms_with("{\\'leave\\':\\'lobby\\'}", "line two\\nline three");
    assert_int_equal(count_facts(&facts, "room_not_left"), 0);
}

static void test_names_that_nobody_makes_are_told_where_undefined_is_shown(void **state)
{
    (void)state;
    static const char answer[] = "[{'first_name':'Ana','joined':'2021'}]";
    struct json facts =
        facts_of_page("const li = m =>\n m.raw.firstName;", answer, "undefined undefined");
    assert_true(HAS(&facts, "spelt_otherwise", "r3", "$[].first_name", "firstName", H "/a.js",
                    "same", "2"));
    facts = facts_of_page("const li = m => m.raw.firstName;", answer, "Ana");
    assert_int_equal(count_facts(&facts, "spelt_otherwise"), 0);
    facts = facts_of_page("o.firstName = 1; const li = m => m.raw.firstName;", answer, "undefined");
    assert_int_equal(count_facts(&facts, "spelt_otherwise"), 0);
    facts = facts_of_page("k.replace(/_([a-z])/g, up); const li = m => m.raw.firstName;", answer,
                          "undefined");
    assert_int_equal(count_facts(&facts, "spelt_otherwise"), 0);
}

static void test_an_object_in_a_text_is_told(void **state)
{
    (void)state;
    static const char answer[] = "[{'address':{'town':'Celle'}}]";
    static const char shown[] = "Depot: [object Object]";
    struct json facts = facts_of_page("const li = d => 'Depot: ' + d.address;", answer, shown);
    assert_true(HAS(&facts, "object_as_text", "r3", "$[].address", H "/a.js", "1"));
    facts = facts_of_page("const li = d => 'Depot: ' + d.address.town;", answer, shown);
    assert_int_equal(count_facts(&facts, "object_as_text"), 0);
}

static void test_a_number_and_a_text_are_told_through_a_state(void **state)
{
    (void)state;
    static const char answer[] = "[{'id':1,'building':3}]";
    struct json facts = facts_of_page("set({ building: sel.value });\n"
                                      "rooms.filter(r => r.building === s.building);",
                                      answer, "");
    assert_true(HAS(&facts, "code_reads_as", "r3", "$[].building", "same text", H "/a.js", "2"));
    facts = facts_of_page("set({ building: Number(sel.value) });\n"
                          "rooms.filter(r => r.building === s.building);",
                          answer, "");
    assert_int_equal(count_facts(&facts, "code_reads_as"), 0);
}

static void test_numbers_in_the_order_of_texts_are_told(void **state)
{
    (void)state;
    static const char answer[] = "{'o':[{'n':'Nord','p':'9.90'},{'n':'Rad','p':'112.00'},"
                                 "{'n':'Velo','p':'48.50'},{'n':'Kette','p':'105.90'}]}";
    static const char sort[] = "let a;\nl.sort(by('p'));";
    struct json facts = facts_of_page(sort, answer, "Kette\\nRad\\nVelo\\nNord");
    assert_true(HAS(&facts, "sorted_as_text", "r3", "$.o[].p", H "/a.js", "2"));
    facts = facts_of_page(sort, answer, "Nord\\nVelo\\nKette\\nRad");
    assert_int_equal(count_facts(&facts, "sorted_as_text"), 0);
    facts = facts_of_page(sort, answer, "Nord\\nRad\\nVelo\\nKette");
    assert_int_equal(count_facts(&facts, "sorted_as_text"), 0);
}

static void test_slips_are_told_and_what_looks_like_them_is_not(void **state)
{
    (void)state;
    static const struct {
        const char *script, *what;
    } cases[] = {
        { " l.forEach((x, i) => { if (x.c) l.splice(i, 1); });", "splice" },
        { " l.forEach((x, i) => { if (x.c) other.splice(i, 1); });", NULL },
        { " l.sort((a, b) => a.n > b.n);", "comparator" },
        { " l.sort((a, b) => a.n > b.n ? 1 : -1);", NULL },
        { " l.sort((a, b) => a.n - b.n);", NULL },
        { " l.filter(x => x.a = 1);", "assigns" },
        { " l.filter(x => x.a === 1);", NULL },
        { " l.filter(x => x.a >= 1);", NULL },
        { " on('input', () => debounce(save, 50)());", "debounce" },
        { " on('input', debounce(save, 50));", NULL },
        { " function debounce(f, ms) { return () => 1; }", NULL },
        { " l.map(parseInt);", "parseInt" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = facts_of_page(cases[i].script, "{}", "");
        bool told = cases[i].what && HAS(&facts, "code_slip", cases[i].what, H "/a.js", "1");
        if (cases[i].what ? !told : count_facts(&facts, "code_slip") > 0)
            fail_msg("%s", cases[i].script);
    }
}

static void test_what_runs_for_long_puts_off_the_effect_of_a_click(void **state)
{
    (void)state;
    for (int busy = 0; busy < 2; busy++) {
        struct buf t = { 0 };
        tr(&t, 0, "Machina.changes", "{'k':'changes','count':5}");
        tr(&t, 100, "Machina.input", "{'k':'input','type':'click','target':'button#b'}");
        if (busy)
            tr(&t, 4000, "Machina.longtask", "{'k':'longtask','ms':3800,'start':%lld}",
               (long long)(TRACES_T0 + 110));
        tr(&t, 4100, "Machina.changes", "{'k':'changes','count':9}");
        tr(&t, 9000, "Page.loadEventFired", "{}");
        struct json facts = facts_of(&t);
        assert_int_equal(count_facts(&facts, "input_without_effect"), busy ? 0 : 1);
    }
}

static void test_a_module_under_two_addresses_is_two(void **state)
{
    (void)state;
    struct buf t = { 0 };
    static const char *const urls[] = { H "/store.js?v=8", H "/store.js" };
    for (int i = 0; i < 2; i++) {
        const char *id = i ? "2" : "1";
        tr_whole(&t, 20 + 20 * i, id, urls[i], "Script", 200, "export {}");
        tr(&t, 35 + 20 * i, "Debugger.scriptParsed", "{'scriptId':'%s','url':'%s','isModule':true}",
           id, urls[i]);
    }
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "loaded_again", "*", urls[1], urls[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deeds_of_what_is_seen_are_told),
        cmocka_unit_test(test_what_nobody_sees_and_what_is_not_valid_is_told),
        cmocka_unit_test(test_messages_that_count_up_go_on_behind_a_gap),
        cmocka_unit_test(test_a_room_that_is_not_left_is_told_where_another_is_in_front),
        cmocka_unit_test(test_names_that_nobody_makes_are_told_where_undefined_is_shown),
        cmocka_unit_test(test_an_object_in_a_text_is_told),
        cmocka_unit_test(test_a_number_and_a_text_are_told_through_a_state),
        cmocka_unit_test(test_numbers_in_the_order_of_texts_are_told),
        cmocka_unit_test(test_slips_are_told_and_what_looks_like_them_is_not),
        cmocka_unit_test(test_what_runs_for_long_puts_off_the_effect_of_a_click),
        cmocka_unit_test(test_a_module_under_two_addresses_is_two),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
