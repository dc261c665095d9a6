/* Evidence of what could not be kept, of fields that were filled in, of what was pressed and of
 * what has no room. */
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

static void tr_visit(struct buf *t, int64_t at, const char *loader)
{
    tr(t, at, "Page.frameStartedNavigating",
       "{'frameId':'F','url':'http://h/','loaderId':'%s','navigationType':'differentDocument'}",
       loader);
    tr(t, at, "Machina.navigated", "{'url':'http://h/','frameId':'F','loaderId':'%s'}", loader);
    tr(t, at + 5, "Page.frameNavigated",
       "{'frame':{'id':'F','loaderId':'%s','url':'http://h/'},'type':'Navigation'}", loader);
}

static void test_what_is_kept_outlives_the_visit(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_visit(&t, 0, "L1");
    tr_deed(&t, 100, "'what':'write','target':'local','name':'a','text':'text'",
            "one (http://h/a.js:1:1)");
    tr_deed(&t, 110, "'what':'write','target':'local','name':'a','text':'list'",
            "two (http://h/a.js:2:1)");
    tr_deed(&t, 120, "'what':'write','target':'local','name':'b','text':'list'",
            "two (http://h/a.js:2:1)");
    tr_deed(&t, 130, "'what':'refused','target':'local','name':'c','text':'QuotaExceededError'",
            "keep (http://h/a.js:3:1)");
    tr_deed(&t, 131, "'what':'filled','target':'local','name':'i','count':5000000",
            "fill (http://h/a.js:9:1)");
    tr_visit(&t, 5000, "L2");
    tr_deed(&t, 5100, "'what':'read','target':'local','name':'a','text':'list'",
            "read (http://h/a.js:5:1)");
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "stored_before", "k2", "local", "a", "list"));
    assert_int_equal(count_facts(&facts, "stored_before"), 1);
    assert_true(HAS(&facts, "store_refused", "k4", "local", "c", "QuotaExceededError"));
    assert_true(HAS(&facts, "store_filled", "k5", "local", "i", "5000000"));
    assert_true(HAS(&facts, "stack", "k5", "0", "fill", H "/a.js", "9"));
    assert_int_equal(count_facts(&facts, "click_was_to_keep"), 0);
    assert_int_equal(count_facts(&facts, "stored"), 0);
}

/* Whether a click was to keep it: what others sent of the click does not count. */
static void test_a_click_that_was_to_keep_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *url, *script;
        size_t told;
    } cases[] = {
        { NULL, NULL, 1 },
        { "http://x/c", "http://x/t.js", 1 },
        { "http://x/c", "http://h/a.js", 0 },
        { "http://h/api", "http://h/a.js", 0 },
        { "http://h/api", "http://x/t.js", 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        char more[300];
        tr(&t, 0, "Machina.state", "{'url':'http://h/','state':'loaded'}");
        tr(&t, 100, "Machina.input",
           "{'k':'input','type':'click','target':'button#keep','text':'Keep','trusted':true}");
        tr_deed(&t, 110, "'what':'refused','target':'local','name':'c','text':'QuotaExceededError'",
                "keep (http://h/a.js:3:1)");
        snprintf(
            more, sizeof more,
            ",'initiator':{'type':'script','stack':{'callFrames':[{'functionName':'f','url':'%s',"
            "'lineNumber':1,'columnNumber':1}]}}",
            cases[i].script ? cases[i].script : "");
        if (cases[i].url)
            tr_asked(&t, 130, "1", "POST", cases[i].url, "Fetch", more);
        tr(&t, 9000, "Page.loadEventFired", "{}");
        struct json facts = facts_of(&t);
        assert_int_equal(count_facts(&facts, "click_was_to_keep"), cases[i].told);
    }
}

static void test_databases_are_told_once_a_place(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_deed(&t, 100, "'what':'base opened','name':'app','count':3", "open (http://h/db.js:6:1)");
    for (int i = 0; i < 3; i++)
        tr_deed(&t, 200 + i * 100,
                "'what':'base "
                "refused','name':'app','count':2,'target':'open','text':'VersionError: less'",
                "sync (http://h/s.js:2:1)");
    tr_deed(
        &t, 600,
        "'what':'base refused','name':'app','count':2,'target':'open','text':'VersionError: less'",
        "other (http://h/s.js:4:1)");
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "database_opened", "k1", "app", "3"));
    assert_true(HAS(&facts, "database_refused", "k2", "app", "2", "open", "VersionError: less"));
    assert_true(HAS(&facts, "database_refused", "k5", "app", "2", "open", "VersionError: less"));
    assert_int_equal(count_facts(&facts, "database_refused"), 2);
}

static void test_fields_clicks_and_builtins_are_told(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/w.js", "Script", 200,
             "one();\nArray.prototype.toJSON = function () { return String(this); };");
    tr(&t, 100, "Machina.input",
       "{'k':'input','type':'click','target':'span','text':'+','within':'button.add'}");
    tr(&t, 101, "Machina.deed",
       "{'k':'deed','what':'field','target':'input#n','name':'name','text':'Otto'}");
    tr_deed(&t, 102, "'what':'left out','target':'input#n','name':'disabled','text':'Otto'",
            "values (http://h/f.js:5:1)");
    tr_deed(&t, 103, "'what':'unmatched','target':'span','name':'.add'", "on (http://h/f.js:9:1)");
    tr(&t, 104, "Machina.deed",
       "{'k':'deed','what':'patched','name':'Array.prototype.toJSON',"
       "'text':'function () { return String(this); }'}");
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "pressed_in", "i1", "button.add"));
    assert_true(HAS(&facts, "filled_in", "k1", "input#n", "name", "Otto"));
    assert_true(HAS(&facts, "field_left_out", "k2", "input#n", "disabled", "Otto"));
    assert_true(HAS(&facts, "stack", "k2", "0", "values", H "/f.js", "5"));
    assert_true(HAS(&facts, "target_unmatched", "k3", "span", ".add"));
    assert_true(HAS(&facts, "builtin_changed", "Array.prototype.toJSON", H "/w.js", "2"));
}

static void test_a_list_that_is_sent_as_a_text(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Network.requestWillBeSent",
       "{'requestId':'1','loaderId':'L1','request':{'url':'http://h/a','method':'POST',"
       "'headers':{'Content-Type':'application/json'},"
       "'postData':'{\\'a\\':\\'[1, "
       "2]\\',\\'b\\':\\'{}\\',\\'c\\':\\'[x\\',\\'d\\':[1]}'},"
       "'timestamp':1000,'wallTime':1790000000,'type':'Fetch','frameId':'F'}");
    tr_answered(&t, 8, "1", 422, "application/json");
    tr_ended(&t, 9, "1");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "sent_as_text", "r1", "a", "array"));
    assert_true(HAS(&facts, "sent_as_text", "r1", "b", "object"));
    assert_int_equal(count_facts(&facts, "sent_as_text"), 2);
}

static void test_what_has_no_room(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 100, "Machina.room",
       "{'flat':[{'target':'div#map','parent':'section','side':'height','why':'100%%','count':7}],"
       "'unstyled':{'target':'i.bar','count':6,'flat':4},'places':[]}");
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "no_room", "div#map", "section", "height", "100%", "7"));
    assert_true(HAS(&facts, "style_ignored", "i.bar", "6", "4"));
}

static void test_regular_expressions_with_a_memory(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        size_t told;
    } cases[] = {
        { "const REX = /^a$/g;\nexport const ok = (t) => REX.test(t);", 1 },
        { "var checks = { mail: /@/gi };\nfunction ok(t) { return checks.mail.test(t); }", 1 },
        { "let REX = /[/]b/y;\nitems.filter(t => REX.test(t));", 1 },
        { "const REX = /^a$/;\nexport const ok = (t) => REX.test(t);", 0 },
        { "const REX = /^a$/g;\nconst ok = (t) => REX.test(t) ? t.replace(REX, '') : t;", 0 },
        { "function ok(t) { const REX = /a/g; return REX.test(t); }", 0 },
        { "const REX = /a/g;\nconst n = (t) => { REX.lastIndex = 0; return REX.test(t); };", 0 },
        { "const r = /a/g;\nconst has = (t) => r.test(t);", 0 },
        { "const half = a / b / g; // c", 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "1", H "/v.js", "Script", 200, cases[i].code);
        tr(&t, 9000, "Page.loadEventFired", "{}");
        struct json facts = facts_of(&t);
        if (count_facts(&facts, "regexp_again") != cases[i].told)
            fail_msg("%s", cases[i].code);
    }
}

static void test_another_entry_than_the_one_that_was_pressed(void **state)
{
    (void)state;
    static const struct {
        const char *pressed, *asked, *too;
        size_t told;
    } cases[] = {
        { "Mira Lund", H "/api/people/c-31", NULL, 1 },
        { "Mira Lund\\nUlm", H "/api/orders?person=c-31", NULL, 1 },
        { "Mira Lund", H "/api/people/c-77", NULL, 0 },
        { "Mira Lund", H "/api/people/c-31", H "/api/people/c-77", 0 },
        { "Mira Lund", H "/api/people/c-99", NULL, 0 },
        { "Kiel", H "/api/people/c-31", NULL, 0 },
        { "Next", H "/api/people/c-31", NULL, 0 },
        { "Otto Berg", H "/api/people/c-12", NULL, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "1", H "/api/people", "Fetch", 200,
                 "{'people':[{'id':'c-31','name':'Otto Berg','town':'Kiel','partner':'c-12'},"
                 "{'id':'c-12','name':'Anna','town':'Kiel'},"
                 "{'id':'c-77','name':'Mira Lund','town':'Ulm'}]}");
        tr(&t, 100, "Machina.input",
           "{'k':'input','type':'click','target':'li','text':'%s','trusted':true}",
           cases[i].pressed);
        tr_whole(&t, 110, "2", cases[i].asked, "Fetch", 200, "{}");
        if (cases[i].too)
            tr_whole(&t, 120, "3", cases[i].too, "Fetch", 200, "{}");
        tr(&t, 9000, "Page.loadEventFired", "{}");
        struct json facts = facts_of(&t);
        if (count_facts(&facts, "asked_for_another") != cases[i].told)
            fail_msg("%s: %s", cases[i].pressed, cases[i].asked);
        if (cases[i].told)
            assert_true(HAS(&facts, "asked_for_another", "r2", "i1", "r1", "*", "c-77", "c-31"));
    }
}

static void test_a_name_that_begins_a_line_and_the_id_of_a_part(void **state)
{
    (void)state;
    static const struct {
        const char *pressed, *asked;
        bool another;
    } cases[] = {
        { "Kittiwake (DK)", H "/api/ships/15", true },
        { "Kittiwake", H "/api/ships/15", true },
        { "Kittiwakes", H "/api/ships/15", false },
        { "Kittiwake (DK)", H "/api/ships/11", false },
        { "Petrel (DE)", H "/api/ships/15", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "1", H "/api/ships", "Fetch", 200,
                 "[{'id':11,'name':'Kittiwake','mooring':{'id':15,'pier':'B'}},"
                 "{'id':15,'name':'Petrel','mooring':{'id':40,'pier':'C'}}]");
        tr(&t, 100, "Machina.input",
           "{'k':'input','type':'click','target':'td','text':'%s','trusted':true}",
           cases[i].pressed);
        tr_whole(&t, 110, "2", cases[i].asked, "Fetch", 200, "{}");
        tr(&t, 9000, "Page.loadEventFired", "{}");
        struct json facts = facts_of(&t);
        if (HAS(&facts, "asked_for_another", "r2", "i1", "r1", "*", "11", "15") !=
                cases[i].another ||
            HAS(&facts, "asked_for_part", "r2", "mooring") != cases[i].another)
            fail_msg("%s: %s", cases[i].pressed, cases[i].asked);
    }
}

static void test_a_place_whose_script_came_late(void **state)
{
    (void)state;
    static const struct {
        const char *tag, *late, *other;
        size_t told;
    } cases[] = {
        { "async", "add('tasks', f)", "all('[data-widget]')", 1 },
        { "async", "add('tasks', f)", "known.get(e.dataset.widget)", 1 },
        { "async", "add('tasks', f)", "all('.widget')", 0 },
        { "async", "add('tasks', f)", "all('[data-widget='tasks']'); is('tasks')", 0 },
        { "async", "add('news', f)", "all('[data-widget]')", 0 },
        { "defer", "add('tasks', f)", "all('[data-widget]')", 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        char page[200];
        snprintf(page, sizeof page,
                 "<script src='/a.js'></script><script %s src='/late.js'></script>", cases[i].tag);
        tr_whole(&t, 0, "0", H "/", "Document", 200, page);
        tr_whole(&t, 20, "1", H "/a.js", "Script", 200, cases[i].other);
        tr(&t, 40, "Debugger.scriptParsed", "{'scriptId':'1','url':'http://h/a.js'}");
        tr_whole(&t, 60, "2", H "/late.js", "Script", 200, cases[i].late);
        tr(&t, 80, "Debugger.scriptParsed", "{'scriptId':'2','url':'http://h/late.js'}");
        tr(&t, 100, "Machina.room",
           "{'flat':[],'places':[{'target':'section[data-widget=tasks]','word':'tasks'}]}");
        tr(&t, 9000, "Page.loadEventFired", "{}");
        struct json facts = facts_of(&t);
        if (count_facts(&facts, "late_for_place") != cases[i].told)
            fail_msg("%s, %s, %s", cases[i].tag, cases[i].late, cases[i].other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_kept_outlives_the_visit),
        cmocka_unit_test(test_a_click_that_was_to_keep_is_told),
        cmocka_unit_test(test_databases_are_told_once_a_place),
        cmocka_unit_test(test_fields_clicks_and_builtins_are_told),
        cmocka_unit_test(test_a_list_that_is_sent_as_a_text),
        cmocka_unit_test(test_what_has_no_room),
        cmocka_unit_test(test_regular_expressions_with_a_memory),
        cmocka_unit_test(test_another_entry_than_the_one_that_was_pressed),
        cmocka_unit_test(test_a_name_that_begins_a_line_and_the_id_of_a_part),
        cmocka_unit_test(test_a_place_whose_script_came_late),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
