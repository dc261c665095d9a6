/* Evidence of what code reads of answers, who asked, and of answers that are compared. */
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

#define H             "http://h"
#define STACK(frames) ",'initiator':{'type':'script','stack':{'callFrames':[" frames "]}}"
#define FRAME(name, file, line, column)                                                            \
    "{'functionName':'" name "','url':'http://h/" file "','lineNumber':" line                      \
    ",'columnNumber':" column "}"

static void answered(struct buf *t, int64_t at, const char *id, const char *body)
{
    tr_answered(t, at, id, 200, "application/json");
    tr_ended(t, at + 2, id);
    tr(t, at + 3, "Machina.body", "{'requestId':'%s','text':'%s','length':%zu}", id, body,
       strlen(body));
}

static const char app_text[] =
    "async function load() {\n"
    "  const data = await get('/api/slots');\n"
    "  rows = data.slots.map((s) => ({ at: s.at, who: s.practicioner }));\n"
    "  if (data.more) next();\n"
    "  return data.total;\n"
    "}\n";
static const char client_text[] = "async function get(path) {\n"
                                  "  const res = await fetch(path);\n"
                                  "  return res.json();\n"
                                  "}\n";

static void begin_app(struct buf *t)
{
    tr_whole(t, 0, "1", H "/app.js", "Script", 200, app_text);
    tr_whole(t, 20, "2", H "/client.js", "Script", 200, client_text);
    tr_asked(t, 100, "3", "GET", H "/api/slots", "Fetch",
             STACK(FRAME("get", "client.js", "1", "20") "," FRAME("load", "app.js", "1", "21")));
}

static void test_members_that_an_answer_lacks_are_told_with_what_is_near(void **state)
{
    (void)state;
    struct buf t = { 0 };
    begin_app(&t);
    answered(&t, 110, "3",
             "{\\\"slots\\\":[{\\\"at\\\":9,\\\"practitioner\\\":\\\"Ames\\\"}],\\\"sum\\\":{"
             "\\\"total\\\":1}}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "code_takes", "r3", "$.slots[].at", H "/app.js", "3"));
    assert_true(HAS(&facts, "code_misses", "r3", "$.slots[].practicioner", H "/app.js", "3"));
    assert_true(HAS(&facts, "near_name", "r3", "$.slots[].practicioner", "$.slots[].practitioner"));
    assert_true(HAS(&facts, "code_asks_for", "r3", "$.more", H "/app.js", "4"));
    assert_true(HAS(&facts, "name_elsewhere", "r3", "$.total", "$.sum.total"));
    assert_true(HAS(&facts, "code_reads_json", "r3"));
    assert_true(HAS(&facts, "asked_at", "r3", H "/app.js", "2"));
    assert_int_equal(count_facts(&facts, "near_name"), 1);
}

static void test_who_asks_is_known_by_the_last_part_that_stands_in_its_code(void **state)
{
    (void)state;
    struct buf t = { 0 };
    begin_app(&t);
    answered(&t, 110, "3", "{\\\"slots\\\":[]}");
    tr_asked(&t, 200, "4", "GET", H "/a/b/c/d/e/f/g/h/api/slots/morning", "Fetch",
             STACK(FRAME("get", "client.js", "1", "20") "," FRAME("load", "app.js", "1", "21")));
    answered(&t, 210, "4", "{\\\"slots\\\":[]}");
    tr_asked(&t, 300, "5", "GET", H "/api/rooms/blue", "Fetch",
             STACK(FRAME("get", "client.js", "1", "20") "," FRAME("load", "app.js", "1", "21")));
    answered(&t, 310, "5", "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "asked_at", "r4", H "/app.js", "2"));
    assert_int_equal(count_facts(&facts, "asked_at"), 2);
}

static void test_the_same_word_joined_otherwise_is_near(void **state)
{
    (void)state;
    struct buf t = { 0 };
    begin_app(&t);
    answered(&t, 110, "3",
             "{\\\"slots\\\":[{\\\"at\\\":9,\\\"Practi_cioner\\\":1}],\\\"slotId\\\":\\\"7\\\"}");
    struct json facts = facts_of(&t);
    assert_true(
        HAS(&facts, "near_name", "r3", "$.slots[].practicioner", "$.slots[].Practi_cioner"));
    assert_true(HAS(&facts, "id_word", "$.slotId", "slot"));
}

static void test_answers_are_compared_with_those_before(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_asked(&t, 100, "1", "GET", H "/api/t?f=all", "Fetch", "");
    answered(&t, 110, "1", "[\\\"write notes\\\",\\\"buy milk\\\"]");
    tr_asked(&t, 200, "2", "GET", H "/api/t?f=some", "Fetch", "");
    answered(&t, 210, "2", "[\\\"buy milk\\\"]");
    tr(&t, 300, "Network.requestWillBeSent",
       "{'requestId':'3','loaderId':'L1','request':{'url':'http://h/api/"
       "t','method':'POST','headers':{"
       "'Content-Type':'text/plain'},'postData':'{\\\"title\\\":\\\"call "
       "mum\\\"}'},'timestamp':1000.3,"
       "'wallTime':1790000000.3,'type':'Fetch','frameId':'F'}");
    answered(&t, 310, "3", "{\\\"ok\\\":true}");
    tr_asked(&t, 400, "4", "GET", H "/api/t?f=all", "Fetch", "");
    answered(&t, 410, "4", "[\\\"write notes\\\",\\\"buy milk\\\"]");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "same_answer", "r4", "r1"));
    assert_true(HAS(&facts, "holds_all_of", "r1", "r2"));
    assert_false(HAS(&facts, "holds_all_of", "r2", "r4"));
    assert_true(HAS(&facts, "lacks_sent", "r4", "r3", "$.title", "call mum"));
}

static void test_a_number_that_lost_its_digits_is_told(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_asked(&t, 100, "1", "GET", H "/api/parcels", "Fetch", "");
    answered(&t, 110, "1",
             "[{\\\"id\\\":1187205518434566117},{\\\"id\\\":9007199254740993,\\\"a\\\":\\\"\\\"},"
             "{\\\"id\\\":9007199254740991,\\\"b\\\":\\\"1187205518434566333\\\"}]");
    tr_asked(&t, 200, "2", "GET", H "/api/parcels/1187205518434566100", "Fetch", "");
    answered(&t, 210, "2", "{}");
    tr_asked(&t, 300, "3", "GET", H "/api/parcels?id=9007199254740992", "Fetch", "");
    answered(&t, 310, "3", "{}");
    tr_asked(&t, 400, "4", "GET", H "/api/parcels/9007199254740991", "Fetch", "");
    answered(&t, 410, "4", "{}");
    tr_asked(&t, 500, "5", "GET", H "/api/parcels/1187205518434566300", "Fetch", "");
    answered(&t, 510, "5", "{}");
    struct json facts = facts_of(&t);
    assert_true(
        HAS(&facts, "asked_rounded", "r2", "r1", "1187205518434566117", "1187205518434566100"));
    assert_true(HAS(&facts, "asked_rounded", "r3", "r1", "9007199254740993", "9007199254740992"));
    assert_int_equal(count_facts(&facts, "asked_rounded"), 2);
}

static void test_modules_tell_what_they_import_and_forms_are_stopped_late(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/m/core/a.js", "Script", 200,
             "import { b } from '../b.js';\nimport './c.js';\nimport x from 'bare';\n");
    tr_whole(&t, 20, "2", H "/m/form.js", "Script", 200,
             "form.addEventListener('submit', async (e) => {\n  await check();\n  "
             "e.preventDefault();\n});\n"
             "other.addEventListener('submit', async (e) => {\n  e.preventDefault();\n  await "
             "check();\n});\n");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "imports", H "/m/core/a.js", H "/m/b.js"));
    assert_true(HAS(&facts, "imports", H "/m/core/a.js", H "/m/core/c.js"));
    assert_int_equal(count_facts(&facts, "imports"), 2);
    assert_true(HAS(&facts, "prevents_late", H "/m/form.js", "3"));
    assert_int_equal(count_facts(&facts, "prevents_late"), 1);
}

/* Each is followed to its end, and its line counted: the bound is of all of them. */
static void test_listeners_without_end_are_looked_at_up_to_a_bound(void **state)
{
    (void)state;
    struct buf t = { 0 }, code = { 0 };
    for (int i = 0; i < 1000; i++)
        mgi_buf_puts(&code, "f.addEventListener('submit', async (e) => {await x();"
                            "e.preventDefault()});\n");
    mgi_buf_append(&code, "", 1);
    tr_whole(&t, 0, "1", H "/a.js", "Script", 200, code.ptr);
    tr_whole(&t, 20, "2", H "/b.js", "Script", 200, code.ptr);
    struct json facts = facts_of(&t);
    assert_in_range(count_facts(&facts, "prevents_late"), 100, 300);
    mgi_buf_fini(&code);
}

static void test_a_cookie_of_another_path_is_told_where_it_was_missed(void **state)
{
    (void)state;
    struct buf t = { 0 };
    for (int i = 0; i < 2; i++) {
        char id[2] = { (char)('1' + i), 0 };
        tr_asked(&t, 100 + i * 50, id, "GET", H "/api/me", "Fetch", "");
        tr(&t, 101 + i * 50, "Network.requestWillBeSentExtraInfo",
           "{'requestId':'%s','headers':{},'associatedCookies':[{'blockedReasons':['NotOnPath'],"
           "'cookie':{'name':'sid'}}]}",
           id);
        tr_answered(&t, 110 + i * 50, id, i == 0 ? 200 : 401, "application/json");
        tr_ended(&t, 112 + i * 50, id);
    }
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "cookie_refused", "r2", "sid", "NotOnPath", "sent"));
    assert_int_equal(count_facts(&facts, "cookie_refused"), 1);
}

static void test_a_cookie_that_code_cannot_read_is_told(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_asked(&t, 100, "1", "GET", H "/start", "Fetch", "");
    tr(&t, 105, "Network.responseReceivedExtraInfo",
       "{'requestId':'1','headers':{'Set-Cookie':'XSRF-TOKEN=***; Path=/; HttpOnly\\nseen=1; "
       "Path=/'},"
       "'statusCode':200,'blockedCookies':[]}");
    tr_answered(&t, 110, "1", 200, "application/json");
    tr_ended(&t, 112, "1");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "cookie_hidden", "r1", "XSRF-TOKEN"));
    assert_int_equal(count_facts(&facts, "cookie_hidden"), 1);
}

static void test_a_cookie_that_is_over_at_once_is_told(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_asked(&t, 100, "1", "POST", H "/login", "Fetch", "");
    tr(&t, 105, "Network.responseReceivedExtraInfo",
       "{'requestId':'1','headers':{'Set-Cookie':'sess=***; Path=/; Max-Age=0\\nkept=1; Path=/; "
       "Max-Age=600\\nold=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT'},"
       "'statusCode':200,'blockedCookies':[]}");
    tr_answered(&t, 110, "1", 200, "application/json");
    tr_ended(&t, 112, "1");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "cookie_over", "r1", "sess"));
    assert_true(HAS(&facts, "cookie_over", "r1", "old"));
    assert_int_equal(count_facts(&facts, "cookie_over"), 2);
}

static void test_a_wrapped_answer_is_told_by_what_it_wraps(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/app.js", "Script", 200,
             "fetch('/api/a').then((r) => r.json()).then((d) => {\n  draw(d.data.rows);\n});\n");
    tr_asked(&t, 100, "2", "GET", H "/api/a", "Fetch", STACK(FRAME("", "app.js", "0", "0")));
    answered(&t, 110, "2", "{\\\"rows\\\":[1]}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "code_misses", "r2", "$.data.rows", H "/app.js", "2"));
    assert_true(HAS(&facts, "name_elsewhere", "r2", "$.data.rows", "$.rows"));
}

static void test_a_field_that_the_page_makes_itself_is_told(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(
        &t, 0, "1", H "/app.js", "Script", 200,
        "function show(slot) {\n  return slot.with.name;\n}\nlist.push({ with: raw.person });\n");
    tr_thrown(&t, 120,
              "TypeError: Cannot read properties of undefined (reading \\u0027name\\u0027)",
              H "/app.js", 2, 20, "");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "reads_path", "console-error-1", "with"));
    assert_true(HAS(&facts, "own_path", "console-error-1", "with"));
    assert_true(HAS(&facts, "own_path", "console-error-1", "with.name"));
}

static void test_numbers_that_are_shown_one_behind_the_other_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *body, *shown, *path; /* path NULL: nothing is told */
    } cases[] = {
        { "{'rows':[{'n':'12'},{'n':'40'},{'n':'7'}]}", "in all 012407 copies", "$.rows[].n" },
        { "{'rows':[{'n':'12'},{'n':'40'},{'n':'7'},{'n':'99'}]}", "in all 01240799",
          "$.rows[].n" },
        { "[{'sum':'2.50'}]", "Total EUR 02.50", "$[].sum" },
        { "[{'sum':'2.50'},{'sum':'1.00'}]", "Total EUR 2.501.00", "$[].sum" },
        { "{'net':'12.50','tax':'2.10'}", "Total 12.502.10", "$.net" },
        { "{'rows':[{'n':'12'},{'n':'40'}]}", "cells 1240", NULL },
        { "{'rows':[{'n':'12'},{'n':'40'}]}", "call 30124077", NULL },
        { "{'rows':[{'n':12},{'n':40}]}", "in all 01240", NULL },
        { "{'rows':[{'n':'12'},{'n':'40'}]}", "in all 012405", NULL },
        { "{'day':'12','month':'10'}", "at 1210", NULL },
        { "[{'sum':'2.50'}]", "Total EUR 2.50", NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "1", H "/api/rows", "Fetch", 200, cases[i].body);
        tr(&t, 90, "Machina.state", "{'url':'http://h/','title':'T','text':'%s'}", cases[i].shown);
        struct json facts = facts_of(&t);
        if (cases[i].path && !HAS(&facts, "shown_joined", "r1", cases[i].path, "*"))
            fail_msg("%s is not told of %s", cases[i].shown, cases[i].body);
        if (!cases[i].path && count_facts(&facts, "shown_joined") > 0)
            fail_msg("%s is told of %s", cases[i].shown, cases[i].body);
    }
}

static void test_a_cookie_that_is_for_another_path_than_the_page_is_told(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_asked(&t, 100, "1", "GET", H "/shop/api/start", "Fetch", "");
    tr(&t, 105, "Network.responseReceivedExtraInfo",
       "{'requestId':'1','headers':{'Set-Cookie':'token=***; path=/shop/api\\nbeside=1; Secure\\n"
       "all=1; Path=/\\nhere=1; Path=/shop\\nless=1; Path=/sho\\nkept=1; Path=/x; HttpOnly'},"
       "'statusCode':200,'blockedCookies':[]}");
    tr_answered(&t, 110, "1", 200, "application/json");
    tr_ended(&t, 112, "1");
    tr(&t, 190, "Machina.state", "{'url':'http://h/shop/admin','title':'T'}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "cookie_elsewhere", "r1", "token", "/shop/api"));
    assert_true(HAS(&facts, "cookie_elsewhere", "r1", "beside", "/shop/api"));
    assert_true(HAS(&facts, "cookie_elsewhere", "r1", "less", "/sho"));
    assert_int_equal(count_facts(&facts, "cookie_elsewhere"), 3);
    assert_true(HAS(&facts, "cookie_path", "r1", "kept", "/x"));
    assert_true(HAS(&facts, "cookie_path", "r1", "here", "/shop"));
    assert_int_equal(count_facts(&facts, "cookie_path"), 5);
    assert_int_equal(count_facts(&facts, "cookie_over"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_that_an_answer_lacks_are_told_with_what_is_near),
        cmocka_unit_test(test_who_asks_is_known_by_the_last_part_that_stands_in_its_code),
        cmocka_unit_test(test_the_same_word_joined_otherwise_is_near),
        cmocka_unit_test(test_answers_are_compared_with_those_before),
        cmocka_unit_test(test_a_number_that_lost_its_digits_is_told),
        cmocka_unit_test(test_modules_tell_what_they_import_and_forms_are_stopped_late),
        cmocka_unit_test(test_listeners_without_end_are_looked_at_up_to_a_bound),
        cmocka_unit_test(test_a_cookie_of_another_path_is_told_where_it_was_missed),
        cmocka_unit_test(test_a_cookie_that_code_cannot_read_is_told),
        cmocka_unit_test(test_a_cookie_that_is_over_at_once_is_told),
        cmocka_unit_test(test_a_wrapped_answer_is_told_by_what_it_wraps),
        cmocka_unit_test(test_a_field_that_the_page_makes_itself_is_told),
        cmocka_unit_test(test_a_cookie_that_is_for_another_path_than_the_page_is_told),
        cmocka_unit_test(test_numbers_that_are_shown_one_behind_the_other_are_told),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
