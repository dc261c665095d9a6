/* Evidence of how questions and answers fit: ids, versions, headers, caches, texts that end too
 * early, members under another name. */
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

/* A request with headers of its own, answered with others and with a body. */
static void tr_headers(struct buf *t, int64_t at, const char *id, const char *method,
                       const char *url, const char *sent, const char *answered, int cached,
                       const char *body)
{
    tr(t, at, "Network.requestWillBeSent",
       "{'requestId':'%s','loaderId':'L1','request':{'url':'%s','method':'%s','headers':{%s}},"
       "'timestamp':%.3f,'wallTime':%.3f,'type':'Fetch','frameId':'F'}",
       id, url, method, sent, 1000 + (double)at / 1000, (double)(TRACES_T0 + at) / 1000);
    tr(t, at + 5, "Network.responseReceived",
       "{'requestId':'%s','loaderId':'L1','timestamp':%.3f,'type':'Fetch','frameId':'F',"
       "'response':{'url':'%s','status':200,'headers':{'Content-Type':'application/json'%s},"
       "'mimeType':'application/json','fromDiskCache':%s}}",
       id, 1000 + (double)(at + 5) / 1000, url, answered, cached ? "true" : "false");
    tr_ended(t, at + 6, id);
    tr(t, at + 7, "Machina.body", "{'requestId':'%s','text':'%s','length':%d}", id, body,
       (int)strlen(body));
}

static void test_an_id_is_answered_with_a_prefix_too(void **state)
{
    (void)state;
    static const struct {
        const char *asked, *answered;
        bool same;
    } cases[] = {
        { "4417", "BK-4417", true }, { "BK-4417", "4417", true },    { "42", "0042", true },
        { "4417", "4417", true },    { "bk-4417", "BK-4417", true }, { "4417", "14417", false },
        { "4417", "4418", false },   { "4417", "BK-44170", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        char url[80], body[80];
        snprintf(url, sizeof url, H "/api/orders/%s", cases[i].asked);
        snprintf(body, sizeof body, "{\\'id\\':\\'%s\\'}", cases[i].answered);
        tr_headers(&t, 0, "1", "GET", url, "", "", 0, body);
        struct json facts = facts_of(&t);
        if (HAS(&facts, "answers_asked", "r1", "$.id") != cases[i].same)
            fail_msg("%s for %s", cases[i].answered, cases[i].asked);
    }
}

static void test_versions_are_told_as_headers(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_headers(&t, 0, "1", "GET", H "/api/a", "", ",'ETag':'v1','Vary':'Origin'", 0, "{}");
    tr_headers(&t, 20, "2", "PUT", H "/api/a", "'If-Match':'v1'", ",'Last-Modified':'Thu'", 0,
               "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "answer_header", "r1", "etag", "v1"));
    assert_true(HAS(&facts, "answer_header", "r1", "vary", "Origin"));
    assert_true(HAS(&facts, "answer_header", "r2", "last-modified", "Thu"));
    assert_true(HAS(&facts, "sent_header", "r2", "if-match", "v1"));
}

static void test_a_cache_is_compared_with_what_it_kept(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second, *answered, *name, *was;
    } cases[] = {
        { "'X-Depot':'HAM'", "'X-Depot':'BRE'", "", "X-Depot", "HAM" },
        { "'Accept-Language':'en'", "'Accept-Language':'de'", "", "Accept-Language", "en" },
        { "'Accept':'a'", "'Accept':'a','X-Tenant':'b'", "", "X-Tenant", "" },
        /* Vary names it. */
        { "'X-Depot':'HAM'", "'X-Depot':'BRE'", ",'Vary':'Origin, x-depot'", NULL, NULL },
        /* The same; what browsers send; what is another for each request. */
        { "'X-Depot':'HAM'", "'X-Depot':'HAM'", "", NULL, NULL },
        { "'User-Agent':'a','Referer':'b'", "'User-Agent':'c','Referer':'d'", "", NULL, NULL },
        { "'X-Request-Id':'0a1b2c3d4e5f60718293'", "'X-Request-Id':'9a1b2c3d4e5f60718293'", "",
          NULL, NULL },
        { "'X-Sent':'1771502400000'", "'X-Sent':'1771502400999'", "", NULL, NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr_headers(&t, 0, "1", "GET", H "/api/a", cases[i].first, cases[i].answered, 0, "{}");
        tr_headers(&t, 20, "2", "GET", H "/api/a", cases[i].second, cases[i].answered, 1, "{}");
        struct json facts = facts_of(&t);
        assert_int_equal(count_facts(&facts, "cached_for_other"), cases[i].name ? 1 : 0);
        if (cases[i].name &&
            !HAS(&facts, "cached_for_other", "r2", "r1", cases[i].name, cases[i].was))
            fail_msg("%s is not told", cases[i].name);
    }
    struct buf t = { 0 };
    tr_headers(&t, 0, "1", "GET", H "/api/a", "'X-Depot':'HAM'", "", 0, "{}");
    tr_headers(&t, 20, "2", "GET", H "/api/a", "'X-Depot':'BRE'", "", 0, "{}"); /* no cache */
    tr_headers(&t, 40, "3", "GET", H "/api/b", "'X-Depot':'HAM'", "", 1, "{}"); /* another */
    struct json facts = facts_of(&t);
    assert_int_equal(count_facts(&facts, "cached_for_other"), 0);
}

static void test_headers_that_are_kept_from_code(void **state)
{
    (void)state;
    static const struct {
        const char *answered, *name, *told, *pred;
    } cases[] = {
        { ",'X-Total':'10'", "X-total", "x-total", "header_kept_from" },
        { ",'X-Total':'10','Access-Control-Expose-Headers':'Link, X-Total'", "X-Total", "x-total",
          "header_read_in_vain" },
        { ",'X-Total':'10','Access-Control-Expose-Headers':'*'", "X-Total", "x-total",
          "header_read_in_vain" },
        { "", "X-Total", "x-total", "header_read_in_vain" },
        { ",'Cache-Control':'no-store'", "Cache-Control", "cache-control", "header_read_in_vain" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr(&t, 0, "Machina.state", "{'url':'http://h/','ready':'complete','state':'loaded'}");
        tr_headers(&t, 10, "1", "GET", "http://other/list?page=1", "", cases[i].answered, 0, "{}");
        tr(&t, 30, "Machina.deed",
           "{'k':'deed','what':'header','target':'http://other/list','name':'%s',"
           "'stack':'Error\\n    at load (http://h/a.js:9:1)'}",
           cases[i].name);
        tr(&t, 40, "Machina.deed",
           "{'k':'deed','what':'header','target':'http://other/li','name':'X-Total',"
           "'stack':'Error\\n    at load (http://h/a.js:9:1)'}");
        tr(&t, 9000, "Page.loadEventFired", "{}");
        struct json facts = facts_of(&t);
        if (!HAS(&facts, cases[i].pred, "k1", "r1", cases[i].told))
            fail_msg("%s %s", cases[i].pred, cases[i].answered);
        assert_int_equal(count_facts(&facts, "header_kept_from") +
                             count_facts(&facts, "header_read_in_vain"),
                         1);
        assert_true(HAS(&facts, "stack", "k1", "0", "load", H "/a.js", "9"));
        assert_int_equal(count_facts(&facts, "timer_set"), 0);
    }
}

static void test_json_that_ends_too_early(void **state)
{
    (void)state;
    static const struct {
        const char *body, *bytes, *beyond;
    } cases[] = {
        { "{\\'a\\':[1,2", "9", "0" },
        { "{\\'a\\':\\'M\xC3\xBCller", "13", "1" },
        { "{\\'a\\':1}", NULL, NULL },
        { "{\\'a\\':1}x", NULL, NULL },
        { "\xEF\xBB\xBF{\\'a\\':1}", NULL, NULL },
        { "[1,]", NULL, NULL },
        { "no JSON {", NULL, NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr_headers(&t, 0, "1", "GET", H "/api/a", "", "", 0, cases[i].body);
        struct json facts = facts_of(&t);
        assert_int_equal(count_facts(&facts, "json_breaks_off"), cases[i].bytes ? 1 : 0);
        if (cases[i].bytes)
            assert_true(HAS(&facts, "json_breaks_off", "r1", cases[i].bytes, cases[i].beyond));
    }
}

static void tr_marked(struct buf *t, int64_t at, const char *id, const char *key, const char *body)
{
    tr(t, at, "Network.requestWillBeSent",
       "{'requestId':'%s','loaderId':'L1','request':{'url':'http://h/pay','method':'POST',"
       "'headers':{'Idempotency-Key':'%s'},'postData':'%s'},'timestamp':%.3f,'wallTime':%.3f,"
       "'type':'Fetch','frameId':'F'}",
       id, key, body, 1000 + (double)at / 1000, (double)(TRACES_T0 + at) / 1000);
    tr_answered(t, at + 5, id, 200, "application/json");
    tr_ended(t, at + 6, id);
}

static void test_a_mark_that_two_changes_have(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_marked(&t, 0, "1", "k1", "{\\'a\\':1}");
    tr_marked(&t, 20, "2", "k1", "{\\'a\\':1}"); /* another try */
    tr_marked(&t, 40, "3", "k1", "{\\'a\\':2}");
    tr_marked(&t, 60, "4", "k2", "{\\'a\\':3}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "same_mark", "r3", "r2", "Idempotency-Key"));
    assert_int_equal(count_facts(&facts, "same_mark"), 1);
}

static void test_letters_that_were_encoded_twice(void **state)
{
    (void)state;
    static const struct {
        const char *body, *word;
    } cases[] = {
        { "{\\'a\\':\\'Anna M\xC3\x83\xC2\xBCller\\'}", "M\xC3\x83\xC2\xBCller" },
        { "{\\'a\\':\\'it\xC3\xA2\xE2\x82\xAC\xE2\x84\xA2s\\'}", "it\xC3\xA2\xE2\x82\xAC" },
        { "{\\'a\\':\\'M\xEF\xBF\xBDller\\'}", "M\xEF\xBF\xBDller" },
        { "{\\'a\\':\\'Anna M\xC3\xBCller, \xC3\x83rea, \xE2\x82\xAC 3\\'}", NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr_headers(&t, 0, "1", "GET", H "/api/a", "", "", 0, cases[i].body);
        struct json facts = facts_of(&t);
        assert_int_equal(count_facts(&facts, "garbled"), cases[i].word ? 1 : 0);
        if (cases[i].word)
            assert_true(HAS(&facts, "garbled", "r1", cases[i].word));
    }
}

static void test_a_member_under_another_name(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_headers(&t, 0, "1", "GET", H "/api/a?p=1", "", "", 0,
               "{\\'items\\':[{\\'no\\':\\'a\\',\\'amount\\':2}],\\'next\\':\\'c\\'}");
    tr_headers(&t, 20, "2", "GET", H "/api/a?p=2", "", "", 0,
               "{\\'items\\':[{\\'no\\':\\'b\\',\\'sum\\':3}],\\'next\\':null}");
    tr_headers(&t, 40, "3", "GET", H "/api/a?p=3", "", "", 0,
               "{\\'items\\':[{\\'no\\':\\'b\\',\\'x\\':3,\\'y\\':4}],\\'next\\':null}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "came_instead", "r2", "$.items[].amount", "$.items[].sum"));
    assert_int_equal(count_facts(&facts, "came_instead"), 1);
}

/* const data = await parse(response): what a function of the page's reads of it. */
static void test_a_function_reads_the_answer_for_the_one_that_asked(void **state)
{
    (void)state;
    static const struct {
        const char *parse, *pred;
        size_t by_type;
    } cases[] = {
        { "async function parse(r) {\nif (r.status === 204) return null;\nreturn r.json();\n}",
          "code_may_read_json", 0 },
        { "async function parse(r) {\nconst t = r.headers.get('Content-Type') || '';\n"
          "return t.includes('json') ? r.json() : r.text();\n}",
          "code_may_read_json", 1 },
        { "const parse = (r) => r.json();", "code_reads_json", 0 },
        { "function parse(r) {\nreturn r.text();\n}", NULL, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        char code[600];
        snprintf(code, sizeof code,
                 "async function load() {\nconst response = await fetch('/api/a');\n"
                 "const data = await parse(response);\nshow(data.items.length);\n}\n%s",
                 cases[i].parse);
        tr_whole(&t, 0, "1", H "/a.js", "Script", 200, code);
        tr_asked(&t, 20, "2", "GET", H "/api/a", "Fetch",
                 ",'initiator':{'type':'script','stack':{'callFrames':[{'functionName':'load',"
                 "'url':'http://h/a.js','lineNumber':1,'columnNumber':23}]}}");
        tr_answered(&t, 28, "2", 200, "application/json");
        tr_ended(&t, 30, "2");
        tr(&t, 31, "Machina.body", "{'requestId':'2','text':'{\\'items\\':[]}','length':12}");
        struct json facts = facts_of(&t);
        assert_int_equal(count_facts(&facts, "code_takes"), cases[i].pred ? 1 : 0);
        if (cases[i].pred && !HAS(&facts, cases[i].pred, "r2"))
            fail_msg("%s", cases[i].parse);
        assert_int_equal(count_facts(&facts, "code_goes_by_type"), cases[i].by_type);
    }
}

/* A client that gives { data, status }: what its callers read of data. */
static void test_an_answer_within_an_object_is_followed(void **state)
{
    (void)state;
    static const struct {
        const char *client, *caller, *takes, *misses;
    } cases[] = {
        { "return { data, status: res.status };",
          "const { data } = await send('/api/a');\n"
          "show(data.items.length);",
          "$.items", NULL },
        { "return { status: res.status, body: data };",
          "const answer = await send('/api/a');\n"
          "show(answer.body.items, answer.status.text);",
          "$.items", NULL },
        { "return ({ data });", "send('/api/a').then((r) => r.data).then((d) => show(d.items));",
          "$.items", NULL },
        { "return { data };",
          "send('/api/a').then(({ data }) => data).then((d) => "
          "show(d.entries));",
          NULL, "$.entries" },
        { "return { other: 1, more: data.total };",
          "const { other } = await send('/api/a');\n"
          "show(other.items);",
          NULL, "$.total" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        char code[800];
        snprintf(code, sizeof code,
                 "async function send(url) {\nconst res = await fetch(url);\n"
                 "const data = await res.json();\n%s\n}\nasync function load() {\n%s\n}\n",
                 cases[i].client, cases[i].caller);
        size_t lines = 0, column = 0;
        for (const char *c = code, *at = strstr(code, "send('/api"); c < at; c++) {
            column = *c == '\n' ? 0 : column + 1;
            lines += *c == '\n';
        }
        char more[500];
        snprintf(more, sizeof more,
                 ",'initiator':{'type':'script','stack':{'callFrames':[{'functionName':'send',"
                 "'url':'http://h/a.js','lineNumber':1,'columnNumber':18},{'functionName':'load',"
                 "'url':'http://h/a.js','lineNumber':%zu,'columnNumber':%zu}]}}",
                 lines, column);
        tr_whole(&t, 0, "1", H "/a.js", "Script", 200, code);
        tr_asked(&t, 20, "2", "GET", H "/api/a", "Fetch", more);
        tr_answered(&t, 28, "2", 200, "application/json");
        tr_ended(&t, 30, "2");
        tr(&t, 31, "Machina.body", "{'requestId':'2','text':'{\\'items\\':[]}','length':12}");
        struct json facts = facts_of(&t);
        size_t takes = count_facts(&facts, "code_takes"),
               misses = count_facts(&facts, "code_misses");
        if (takes != (cases[i].takes ? 1 : 0) || misses != (cases[i].misses ? 1 : 0))
            fail_msg("%s: %zu, %zu", cases[i].client, takes, misses);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_id_is_answered_with_a_prefix_too),
        cmocka_unit_test(test_versions_are_told_as_headers),
        cmocka_unit_test(test_a_cache_is_compared_with_what_it_kept),
        cmocka_unit_test(test_headers_that_are_kept_from_code),
        cmocka_unit_test(test_json_that_ends_too_early),
        cmocka_unit_test(test_a_mark_that_two_changes_have),
        cmocka_unit_test(test_letters_that_were_encoded_twice),
        cmocka_unit_test(test_a_member_under_another_name),
        cmocka_unit_test(test_an_answer_within_an_object_is_followed),
        cmocka_unit_test(test_a_function_reads_the_answer_for_the_one_that_asked),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
