/* Evidence: what a trace or a HAR holds, as facts.
 *
 * With the arguments --print FOLDER this program prints the evidence of a recording as Mangle, one
 * fact a line, so that a rule's author can run rules on it:
 *
 *     test_evidence --print my-recording >facts.mg && mangle run rules.mg facts.mg
 *
 * With --trace FOLDER it prints events.jsonl as a trace would have kept it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>
#include <time.h>

#include "../../domains/browser/plugins/browser/facts.h"
#include "../../domains/browser/plugins/browser/trace.h"
#include "browser/plugin_fixture.h"
#include "browser/evidence_fixture.h"
#include "browser/traces.h"
#include "browser/evidence_of.h"

static void print_args(const struct json *args)
{
    for (size_t i = 0; i < args->count; i++) {
        const struct json *a = &args->items[i];
        printf("%s", i > 0 ? ", " : "");
        if (a->type != JSON_STRING) {
            printf("%.*s", STR_ARG(a->text));
            continue;
        }
        putchar('"');
        for (size_t j = 0; j < a->string.len; j++) {
            unsigned char c = (unsigned char)a->string.ptr[j];
            if (c == '"' || c == '\\')
                printf("\\%c", c);
            else if (c == '\n')
                printf("\\n");
            else if (c < ' ' || c == 127)
                putchar(' ');
            else
                putchar(c);
        }
        putchar('"');
    }
}

static void print_facts(const struct json *facts)
{
    for (size_t i = 0; facts && i < facts->count; i++) {
        const struct json *t = mgi_json_get(&facts->items[i], "t");
        struct str pred = mgi_member_string(&facts->items[i], "pred");
        printf("%.*s(", STR_ARG(pred));
        print_args(mgi_json_get(&facts->items[i], "args"));
        printf(")");
        if (mgi_json_get(t, "at"))
            printf("@[%.*s]", STR_ARG(mgi_member_string(t, "at")));
        else if (t)
            printf("@[%.*s, %.*s]", STR_ARG(mgi_member_string(t, "start")),
                   STR_ARG(mgi_member_string(t, "end")));
        printf(".\n");
    }
}

/* The recording as a trace keeps it: what live pages are read from. */
static int print_trace(const char *folder)
{
    char path[4200];
    struct buf out = { 0 };
    begin(NULL);
    snprintf(path, sizeof path, "%s/events.jsonl", folder);
    struct str text = traces_file(&arena, path);
    traces_pass(&arena, text, TRACE_BYTES_MOST, &out);
    fwrite(out.ptr, 1, out.len, stdout);
    mgi_buf_fini(&out);
    end(NULL);
    return 0;
}

static int print_evidence(const char *folder)
{
    char input[4200];
    th_call call;
    begin(NULL);
    snprintf(input, sizeof input, "{\"capture\":\"%s\"}", folder);
    th_status status = plugin_call(&call, "gather_evidence", input);
    if (status == TH_OK) {
        struct json all = parse(&call.evidence);
        print_facts(mgi_json_get(&all, "facts"));
    } else {
        fprintf(stderr, "%.*s\n", (int)call.error.len, call.error.ptr);
    }
    call_fini(&call);
    end(NULL);
    return status == TH_OK ? 0 : 1;
}

static struct json gather(const char *folder)
{
    char input[300];
    th_call call;
    snprintf(input, sizeof input, "{\"capture\":\"%s\"}", folder);
    if (plugin_call(&call, "gather_evidence", input) != TH_OK)
        fail_msg("%s", call.error.ptr);
    struct json all = parse(&call.evidence);
    call_fini(&call);
    const struct json *facts = mgi_json_get(&all, "facts");
    assert_non_null(facts);
    return *facts;
}

/* ---- evidence of a trace ------------------------------------------------------------------- */

#define H "http://h"

/* The member of the time of the first fact of `pred`: "at", "start" or "end". */
static struct str time_of(const struct json *facts, const char *pred, const char *member)
{
    for (size_t i = 0; i < facts->count; i++)
        if (str_is(mgi_member_string(&facts->items[i], "pred"), pred))
            return mgi_member_string(mgi_json_get(&facts->items[i], "t"), member);
    return STR_LIT("");
}

static void test_every_capture_of_the_repository_gives_evidence(void **state)
{
    (void)state;
    struct json facts = gather(MGI_SOURCE_DIR "/domains/browser/captures/users-404");
    assert_true(HAS(&facts, "request_path", "r11", "*", "/api/users"));
    assert_true(HAS(&facts, "answer", "r11", "404", "*"));
    assert_true(HAS(&facts, "error_awaits", "console-error-3", "r11"));
    assert_true(HAS(&facts, "error_about_request", "console-error-1", "r3"));
    assert_true(HAS(&facts, "body_kind", "r10", "json"));
    assert_true(HAS(&facts, "script_request", "s1", "*"));
    facts = gather(MGI_SOURCE_DIR "/domains/browser/captures/healthy");
    assert_false(HAS(&facts, "answer", "*", "404", "application/json"));
}

static void test_a_request_lasts_until_it_ended_and_is_open_if_it_never_did(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/", "Document", 200, NULL);
    tr_asked(&t, 100, "2", "GET", H "/api/slow", "Fetch", "");
    tr_asked(&t, 200, "3", "GET", H "/api/half", "Fetch", "");
    tr_answered(&t, 230, "3", 200, "application/json");
    struct json facts = facts_of(&t);
    assert_true(str_is(time_of(&facts, "request", "start"), "2026-09-21T14:13:20Z"));
    assert_true(str_is(time_of(&facts, "request", "end"), "2026-09-21T14:13:20.01Z"));
    assert_true(HAS(&facts, "request", "r2", "GET", H "/api/slow", "data"));
    assert_false(HAS(&facts, "answer", "r2", "*", "*"));
    assert_true(HAS(&facts, "answer", "r3", "200", "application/json"));
    assert_false(HAS(&facts, "request_failed", "r2", "*"));
    size_t open = 0;
    for (size_t i = 0; i < facts.count; i++)
        open += str_is(mgi_member_string(&facts.items[i], "pred"), "request") &&
                str_is(mgi_member_string(mgi_json_get(&facts.items[i], "t"), "end"), "_");
    assert_int_equal(open, 2);
}

static void test_addresses_are_told_in_parts_and_ids_make_a_route(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/", "Document", 200, NULL);
    tr_whole(&t, 10, "2", H "/api/users/17/posts/9f8b7c6d-1234-4abc-8def-001122334455?q=a&token=t",
             "Fetch", 200, "{}");
    tr_whole(&t, 20, "3", H "/api/v2/users/undefined", "Fetch", 200, "{}");
    tr_whole(&t, 30, "4", "http://ads.example/x.js", "Script", 200, NULL);
    tr_whole(&t, 40, "5", H "/api-2/part-1/week_49/v-2", "Fetch", 200, "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "request_route", "r5", "/{id}/{id}/{id}/v-2"));
    assert_true(HAS(&facts, "request_route", "r2", "/api/users/{id}/posts/{id}"));
    assert_true(HAS(&facts, "request_route", "r3", "/api/v2/users/{id}"));
    assert_true(HAS(&facts, "request_path", "r3", H, "/api/v2/users/undefined"));
    assert_true(HAS(&facts, "request_query", "r2", "q", "a"));
    assert_true(HAS(&facts, "request_query", "r2", "token", "(secret)"));
    assert_true(HAS(&facts, "third_party", "r4"));
    assert_false(HAS(&facts, "third_party", "r2"));
}

/* A recorder that comes late hears of answers only. */
static void test_an_answer_without_its_announcement_makes_a_request(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Network.responseReceived",
       "{'requestId':'9','timestamp':5,'type':'Script','response':{'url':'http://h/"
       "a.js','status':404,"
       "'mimeType':'text/html'}}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "request", "r1", "GET", H "/a.js", "script"));
    assert_true(HAS(&facts, "answer", "r1", "404", "text/html"));
}

static void test_redirects_are_steps_of_one_request(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_asked(&t, 0, "1", "GET", H "/old", "Document", "");
    tr_asked(&t, 5, "1", "GET", H "/new", "Document",
             ",'redirectResponse':{'status':302,'url':'http://h/old'}");
    tr_answered(&t, 9, "1", 200, "text/html");
    tr_ended(&t, 10, "1");
    struct json facts = facts_of(&t);
    assert_int_equal(count_facts(&facts, "request"), 1);
    assert_true(HAS(&facts, "redirected", "r1", "1", "302", H "/old", H "/new"));
    assert_true(HAS(&facts, "page", H "/new", "", "*"));
}

static void test_a_failure_tells_its_reason(void **state)
{
    (void)state;
    struct buf t = { 0 };
    static const char *const more[] = {
        "'errorText':'net::ERR_CONNECTION_REFUSED'",
        ("'errorText':'net::ERR_FAILED','corsErrorStatus':{'corsError':'MissingAllowOriginHeader',"
         "'failedParameter':''}"),
        "'errorText':'net::ERR_BLOCKED_BY_CSP','blockedReason':'csp'",
        "'errorText':'net::ERR_ABORTED','canceled':true",
    };
    tr_whole(&t, 0, "0", H "/", "Document", 200, NULL);
    for (int i = 0; i < 4; i++) {
        char id[4] = { (char)('1' + i), 0 };
        tr_asked(&t, 10 + i, id, "GET", H "/api/a", "Fetch", "");
        tr(&t, 20 + i, "Network.loadingFailed", "{'requestId':'%s','timestamp':%.3f,%s}", id,
           1000.020 + i / 1000.0, more[i]);
    }
    tr(&t, 22, "Machina.abort",
       "{'k':'abort','t':%lld,'stack':'Error\\n    at abort_ (:1:1)\\n    at stop "
       "(http://h/search.js:12:5)'}",
       (long long)(TRACES_T0 + 22));
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "request_failed", "r2", "net::ERR_CONNECTION_REFUSED"));
    assert_true(
        HAS(&facts, "cors_error", "r3", "MissingAllowOriginHeader", "access-control-allow-origin"));
    assert_true(HAS(&facts, "request_blocked", "r4", "csp"));
    assert_true(HAS(&facts, "request_cancelled", "r5", "script:/search.js:12"));
    assert_int_equal(count_facts(&facts, "request_cancelled"), 1);
}

static void test_a_script_that_was_refused_was_not_cancelled(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_asked(&t, 0, "1", "GET", H "/a.js", "Script", "");
    tr_answered(&t, 5, "1", 404, "text/html");
    tr(&t, 6, "Network.loadingFailed",
       "{'requestId':'1','timestamp':1000.006,'errorText':'net::ERR_ABORTED','canceled':true}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "answer", "r1", "404", "*"));
    assert_int_equal(count_facts(&facts, "request_cancelled"), 0);
    assert_int_equal(count_facts(&facts, "request_failed"), 0);
}

/* What belongs to a request may come before it is announced, and in any order. */
static void test_headers_and_cookies_may_come_before_the_request(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Network.responseReceivedExtraInfo",
       "{'requestId':'1','headers':{'Set-Cookie':'sid=abc; Path=/\\ntheme=dark','WWW-Authenticate':"
       "'Bearer "
       "realm=x'},'blockedCookies':[{'blockedReasons':['SecureOnly'],'cookieLine':'sid=abc; "
       "Path=/'}]}");
    tr(&t, 1, "Network.requestWillBeSentExtraInfo",
       "{'requestId':'1','headers':{'Authorization':'Bearer undefined','Cookie':'a=1; b=2'},"
       "'associatedCookies':[{'blockedReasons':['SameSiteLax'],'cookie':{'name':'auth'}},"
       "{'blockedReasons':['NotOnPath'],'cookie':{'name':'other'}}]}");
    tr_whole(&t, 2, "1", H "/api/me", "Fetch", 401, NULL);
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "cookie_refused", "r1", "sid", "SecureOnly", "set"));
    assert_true(HAS(&facts, "cookie_refused", "r1", "auth", "SameSiteLax", "sent"));
    assert_true(HAS(&facts, "cookie_set", "r1", "theme"));
    assert_false(HAS(&facts, "cookie_set", "r1", "sid"));
    assert_true(HAS(&facts, "cookie_refused", "r1", "other", "NotOnPath", "sent"));
    assert_true(HAS(&facts, "credential_sent", "r1", "bearer"));
    assert_true(HAS(&facts, "credential_sent", "r1", "cookie:b"));
    assert_true(HAS(&facts, "credential_empty", "r1", "bearer"));
    assert_true(HAS(&facts, "answer_header", "r1", "www-authenticate", "Bearer"));
}

static void test_a_request_without_credentials_says_so(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Network.requestWillBeSentExtraInfo",
       "{'requestId':'1','headers':{'Accept':'*/*'},'associatedCookies':[]}");
    tr_whole(&t, 2, "1", H "/api/me", "Fetch", 401, NULL);
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "credential_sent", "r1", "none"));
}

/* ---- bodies -------------------------------------------------------------------------------- */

static void test_a_body_is_told_by_its_shape(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/api/cart", "Fetch", 200,
             "{'user':null,'items':[{'id':7,'price':1.5},{'id':8}],'note':'','tags':[],'ok':true,"
             "'token':'geheim'}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "body_kind", "r1", "json"));
    assert_true(HAS(&facts, "body_type", "r1", "$", "object"));
    assert_true(HAS(&facts, "body_type", "r1", "$.user", "null"));
    assert_true(HAS(&facts, "body_type", "r1", "$.items[].price", "number"));
    assert_true(HAS(&facts, "body_type", "r1", "$.items[].price", "missing"));
    assert_false(HAS(&facts, "body_type", "r1", "$.items[].id", "missing"));
    assert_true(HAS(&facts, "body_empty", "r1", "$.user"));
    assert_true(HAS(&facts, "body_empty", "r1", "$.note"));
    assert_true(HAS(&facts, "body_empty", "r1", "$.tags"));
    assert_false(HAS(&facts, "body_empty", "r1", "$.items"));
    assert_true(HAS(&facts, "body_value", "r1", "$.items[].id", "7"));
    assert_true(HAS(&facts, "body_value", "r1", "$.items[].id", "8"));
    assert_false(HAS(&facts, "body_value", "r1", "$.token", "*"));
}

static void test_a_body_is_told_by_its_kind(void **state)
{
    (void)state;
    static const struct {
        const char *body, *kind;
    } cases[] = {
        { "<!doctype html><p>x", "html" },
        { "{'a':1", "invalid_json" },
        { "", "empty" },
        { "null", "json" },
        { "[]", "json" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf t = { 0 };
        tr_asked(&t, 0, "1", "GET", H "/api/a", "Fetch", "");
        tr_answered(&t, 5, "1", 200, i == 0 ? "text/html" : "application/json");
        tr_ended(&t, 6, "1");
        tr(&t, 7, "Machina.body", "{'requestId':'1','text':'%s'}",
           i == 1 ? "{\\'a" : cases[i].body);
        struct json facts = facts_of(&t);
        if (!HAS(&facts, "body_kind", "r1", cases[i].kind))
            fail_msg("%s is not %s", cases[i].body, cases[i].kind);
    }
}

static void test_an_answer_that_is_an_error_is_quoted(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/api/a", "Fetch", 422,
             "{'code':'E7','errors':{'title':['can\\u0022t  be\\nblank'],'token':['abcdefgh']}}");
    tr_whole(&t, 20, "2", H "/api/b", "Fetch", 403,
             "{'type':'about:blank','title':'Forbidden','detail':'Bearer abcdefghij is too old'}");
    tr_whole(&t, 40, "3", H "/api/c", "Fetch", 404, "{'items':[{'name':'no words'}]}");
    tr_whole(&t, 60, "4", H "/api/d", "Fetch", 200, "{'message':'welcome'}");
    tr_asked(&t, 80, "5", "GET", H "/api/e", "Fetch", "");
    tr_answered(&t, 85, "5", 500, "text/html");
    tr_ended(&t, 86, "5");
    tr(&t, 87, "Machina.body", "{'requestId':'5','text':'%s'}",
       "<!doctype html><html><title>KeyError at /e</title><p>x");
    tr_whole(&t, 100, "6", H "/api/f", "Fetch", 400, "{'errors':[{'field':'due','message':'b'}]}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "refusal_says", "r1", "1", "errors.title", "can't be blank"));
    assert_false(HAS(&facts, "refusal_says", "r1", "2", "*", "*"));
    assert_true(HAS(&facts, "refusal_says", "r2", "1", "title", "Forbidden"));
    assert_true(HAS(&facts, "refusal_says", "r2", "2", "detail", "Bearer *** is too old"));
    assert_false(HAS(&facts, "refusal_says", "r3", "*", "*", "*"));
    assert_false(HAS(&facts, "refusal_says", "r4", "*", "*", "*"));
    assert_true(HAS(&facts, "refusal_says", "r5", "1", "title", "KeyError at /e"));
    assert_true(HAS(&facts, "refusal_says", "r6", "1", "errors.message", "b"));
    assert_true(HAS(&facts, "refusal_about", "r6", "due"));
    assert_true(HAS(&facts, "refusal_about", "r1", "title"));
    assert_false(HAS(&facts, "refusal_about", "r2", "*"));
}

static void test_a_refusal_names_members_by_their_paths(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/api/a", "Fetch", 422,
             "{'message':'no','fields':{'address.postal_code':'is required'}}");
    tr_whole(&t, 20, "2", H "/api/b", "Fetch", 422,
             "{'invalid-params':[{'name':'items[0].unit_price','reason':'must be set'}]}");
    tr_whole(&t, 40, "3", H "/api/c", "Fetch", 400, "{'fields':['due_date','title']}");
    tr_whole(&t, 60, "4", H "/api/d", "Fetch", 400, "{'fields':'version 1.2 of it'}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "refusal_about", "r1", "postal_code"));
    assert_true(HAS(&facts, "refusal_about", "r2", "unit_price"));
    assert_true(HAS(&facts, "refusal_about", "r3", "due_date"));
    assert_true(HAS(&facts, "refusal_about", "r3", "title"));
    assert_false(HAS(&facts, "refusal_about", "r4", "*"));
}

static void test_a_refusal_may_name_what_was_sent_under_another_name(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Network.requestWillBeSent",
       "{'requestId':'1','request':{'url':'http://h/api/a','method':'POST','headers':{},'postData':"
       "'{\\\"dueDate\\\":\\\"x\\\",\\\"title\\\":\\\"y\\\"}'},'timestamp':1000,'wallTime':"
       "1790000000,'type':'Fetch'}");
    tr_answered(&t, 8, "1", 422, "application/json");
    tr_ended(&t, 10, "1");
    tr(&t, 11, "Machina.body", "{'requestId':'1','text':'%s'}",
       "{\\\"detail\\\":[{\\\"loc\\\":[\\\"body\\\",\\\"due_date\\\"],"
       "\\\"msg\\\":\\\"field required, see title\\\"}]}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "refusal_says", "r1", "1", "detail.msg", "field required, see title"));
    assert_true(HAS(&facts, "refusal_about", "r1", "due_date"));
    assert_true(HAS(&facts, "refusal_about", "r1", "title"));
    assert_true(HAS(&facts, "sent_near", "r1", "$.dueDate", "due_date"));
    assert_false(HAS(&facts, "sent_near", "r1", "*", "title"));
}

static void test_a_success_may_speak_of_an_error(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/api/a", "Fetch", 200, "{'error':{'code':7},'message':'no stock'}");
    tr_whole(&t, 20, "2", H "/api/b", "Fetch", 200, "{'success':false,'detail':'nope'}");
    tr_whole(&t, 40, "3", H "/api/c", "Fetch", 200,
             "{'errors':[],'error':null,'message':'welcome'}");
    tr_whole(&t, 60, "4", H "/api/d", "Fetch", 200, "{'items':[{'error':'in data'}]}");
    tr_whole(&t, 80, "5", H "/api/e", "Fetch", 200,
             "{'data':null,'errors':[{'message':'the store of comments is read only since the "
             "night, and no cursor could be opened'}]}");
    tr_whole(&t, 99, "6", H "/api/f", "Fetch", 422,
             "{'detail':'the day of delivery lies before the day of the order, which no shop can "
             "keep'}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "body_says_error", "r5", "$.errors[].message",
                    "the store of comments is read only since the night, and no cursor could be "
                    "opened"));
    assert_true(HAS(&facts, "body_value", "r6", "$.detail",
                    "the day of delivery lies before the day of the order, which no shop can "
                    "keep"));
    assert_true(HAS(&facts, "body_says_error", "r1", "$.error", ""));
    assert_true(HAS(&facts, "body_says_error", "r1", "$.message", "no stock"));
    assert_true(HAS(&facts, "body_says_error", "r2", "$.detail", "nope"));
    assert_false(HAS(&facts, "body_says_error", "r3", "*", "*"));
    assert_false(HAS(&facts, "body_says_error", "r4", "*", "*"));
}

static void test_an_endpoint_that_answers_in_another_shape_is_told(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/api/user/1", "Fetch", 200, "{'name':'a','age':3,'tags':[]}");
    tr_whole(&t, 20, "2", H "/api/user/2", "Fetch", 200, "{'name':['a'],'tags':[]}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "body_changed", "r2", "r1", "$.name", "string", "array"));
    assert_true(HAS(&facts, "body_changed", "r2", "r1", "$.age", "number", "missing"));
    assert_int_equal(count_facts(&facts, "body_changed"), 2);
}

static void test_what_was_sent_is_told_without_secrets(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Network.requestWillBeSent",
       "{'requestId':'1','request':{'url':'http://h/api/o','method':'POST','headers':{},'postData':"
       "'{\\\"id\\\":5,\\\"who\\\":null,\\\"password\\\":\\\"p\\\"}'},'timestamp':1000,'wallTime':"
       "1790000000,"
       "'type':'Fetch'}");
    tr(&t, 1, "Network.requestWillBeSent",
       "{'requestId':'2','request':{'url':'http://h/api/p','method':'POST','headers':{},'postData':"
       "'name=Ada+L&mail=&x=%%41'},'timestamp':1000.1,'wallTime':1790000000.1,'type':'Fetch'}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "sent_value", "r1", "$.id", "5"));
    assert_true(HAS(&facts, "sent_type", "r1", "$.who", "null"));
    assert_true(HAS(&facts, "sent_empty", "r1", "$.who"));
    assert_false(HAS(&facts, "sent_value", "r1", "$.password", "*"));
    assert_true(HAS(&facts, "sent_value", "r2", "$.name", "Ada L"));
    assert_true(HAS(&facts, "sent_value", "r2", "$.x", "A"));
    assert_true(HAS(&facts, "sent_empty", "r2", "$.mail"));
}

/* ---- errors, code -------------------------------------------------------------------------- */

static const char script_text[] = "async function load() {\n"
                                  "  const data = await getJson(`/api/cart`);\n"
                                  "  show(data.items);\n"
                                  "}\n"
                                  "function show(rows) {\n"
                                  "  rows.map((row) => row.price.amount);\n"
                                  "}\n";

/* The failed value is followed from the callback to the call, and from there to the answer. */
static void test_a_failed_expression_is_followed_back_to_the_answer(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/app.js", "Script", 200, script_text);
    tr_asked(&t, 100, "2", "GET", H "/api/cart", "Fetch",
             ",'initiator':{'type':'script','stack':{'callFrames':[{'functionName':'getJson','url':"
             "'http://h/api.js','lineNumber':3,'columnNumber':1},{'functionName':'load','url':"
             "'http://h/app.js','lineNumber':1,'columnNumber':21}]}}");
    tr_answered(&t, 110, "2", 200, "application/json");
    tr_ended(&t, 112, "2");
    tr_thrown(&t, 120,
              "TypeError: Cannot read properties of undefined (reading \\u0027amount\\u0027)",
              H "/app.js", 5, 30,
              ",{'functionName':'show','url':'http://h/app.js','lineNumber':5,'columnNumber':7},"
              "{'functionName':'load','url':'http://h/app.js','lineNumber':2,'columnNumber':2}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "error", "console-error-1", "TypeError",
                    "Cannot read properties of undefined (reading 'amount')", "exception"));
    assert_true(HAS(&facts, "error_expression", "console-error-1", "row.price", "amount"));
    assert_true(HAS(&facts, "reads_path", "console-error-1", "price"));
    assert_true(HAS(&facts, "reads_path", "console-error-1", "price.amount"));
    assert_true(HAS(&facts, "reads_path", "console-error-1", "[].price.amount"));
    assert_true(HAS(&facts, "reads_path", "console-error-1", "items[].price"));
    assert_true(HAS(&facts, "reads_body", "console-error-1", "$.items[].price"));
    assert_true(HAS(&facts, "error_awaits", "console-error-1", "r2"));
    assert_true(HAS(&facts, "stack", "console-error-1", "0", "show", H "/app.js", "6"));
}

static void test_what_the_window_lacks_is_a_name_and_no_part_of_an_answer(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/date-picker.js", "Script", 200, "window.DatePicker = {};");
    tr_whole(&t, 0, "2", H "/app.js", "Script", 200, "\n  window.DatePicker.mount();\n");
    tr_thrown(&t, 120,
              "TypeError: Cannot read properties of undefined (reading \\u0027mount\\u0027)",
              H "/app.js", 1, 20,
              ",{'functionName':'','url':'http://h/app.js','lineNumber':1,'columnNumber':20}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "error_expression", "console-error-1", "window.DatePicker", "mount"));
    assert_true(HAS(&facts, "error_about_name", "console-error-1", "DatePicker"));
    assert_true(HAS(&facts, "name_in_file", "console-error-1", "r1"));
    assert_int_equal(count_facts(&facts, "reads_path"), 0);
}

/* How scripts take what an answer brought, and where the failed value is in it. `at` is what is
 * read and fails; the request is sent in the line that says fetch or get. */
static void test_values_are_followed_through_usual_code(void **state)
{
    (void)state;
    static const struct {
        const char *code, *at, *path;
    } cases[] = {
        { "async function f() {\n  const r = await fetch(`/api/a`);\n  const { user: u } = await "
          "r.json();\n  u.name.first;\n}",
          "first", "$.user.name" },
        { "fetch(`/api/a`).then((r) => r.json()).then((d) => { d.rows.map((x) => x.total.sum) });",
          "sum", "$.rows[].total" },
        { "const x = new XMLHttpRequest();\nx.open(`GET`, `/api/a`); x.onload = () => {\n  const d "
          "= JSON.parse(x.responseText);\n  d.a.b.c;\n};\nx.send();",
          "c", "$.a.b" },
        { "class Store {\n  async load() {\n    this.items = (await (await get(1)).json()).list;\n "
          " "
          "}\n}\nfunction show(store) {\n  return store.items.filter(Boolean);\n}",
          "filter", "$.list" },
        { "async function f() {\n  const all = await get(1);\n  for (const one of all.list) "
          "one.price.value;\n}",
          "value", "$.list[].price" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf t = { 0 };
        struct str code = str_of(cases[i].code);
        size_t at = mgi_str_find(code, str_of(cases[i].at)), begin = at, line = 0, sent = 0;
        while (mgi_str_find((struct str){ code.ptr + at + 1, code.len - at - 1 },
                            str_of(cases[i].at)) != SIZE_MAX)
            at += 1 + mgi_str_find((struct str){ code.ptr + at + 1, code.len - at - 1 },
                                   str_of(cases[i].at));
        for (begin = at; begin > 0 && code.ptr[begin - 1] != '\n';)
            begin--;
        for (size_t j = 0; j < at; j++)
            line += code.ptr[j] == '\n';
        for (const char *p = code.ptr; !strchr("\0", *p) && strncmp(p, "fetch(", 6) != 0 &&
                                       strncmp(p, "get(", 4) != 0 && strncmp(p, "open(", 5) != 0;
             p++)
            sent += *p == '\n';
        tr_whole(&t, 0, "1", H "/app.js", "Script", 200, cases[i].code);
        tr(&t, 20, "Network.requestWillBeSent",
           "{'requestId':'2','request':{'url':'http://h/api/a','method':'GET'},'timestamp':1000.02,"
           "'wallTime':1790000000.02,'type':'Fetch','initiator':{'type':'script','stack':{"
           "'callFrames':[{'functionName':'g','url':'http://h/app.js','lineNumber':%zu,"
           "'columnNumber':1}]}}}",
           sent);
        tr_answered(&t, 30, "2", 200, "application/json");
        tr_ended(&t, 31, "2");
        char text[120];
        snprintf(text, sizeof text,
                 "TypeError: Cannot read properties of undefined (reading \\u0027%s\\u0027)",
                 cases[i].at);
        tr_thrown(&t, 40, text, H "/app.js", (int)line, (int)(at - begin), "");
        struct json facts = facts_of(&t);
        if (!HAS(&facts, "data_from", "console-error-1", "r2", cases[i].path))
            fail_msg("not %s: %s", cases[i].path, cases[i].code);
    }
}

/* In a text, ' stands for ", so these texts use no apostrophes. */
static void test_what_an_error_is_about_is_read_from_its_text(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expression, *property, *name;
    } cases[] = {
        { "TypeError: data.items.map is not a function", "data.items", "map", "data.items.map" },
        { "TypeError: Chart is not a constructor", NULL, NULL, "Chart" },
        { "ReferenceError: jQuery is not defined", NULL, NULL, "jQuery" },
        { "TypeError: data.rows is not iterable", "data.rows", "", NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf t = { 0 };
        tr_thrown(&t, 0, cases[i].text, H "/none.js", 1, 1, "");
        struct json facts = facts_of(&t);
        if (cases[i].expression &&
            !HAS(&facts, "error_expression", "*", cases[i].expression, cases[i].property))
            fail_msg("%s: no expression %s", cases[i].text, cases[i].expression);
        if (cases[i].name && !HAS(&facts, "error_about_name", "*", cases[i].name))
            fail_msg("%s: no name %s", cases[i].text, cases[i].name);
        if (!cases[i].name && count_facts(&facts, "error_about_name") > 0)
            fail_msg("%s: a name", cases[i].text);
    }
}

static void test_scripts_are_told_by_how_they_came_and_what_they_define(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Page.frameNavigated", "{'frame':{'id':'F','loaderId':'L1','url':'http://h/'}}");
    tr_whole(&t, 0, "0", H "/", "Document", 200,
             "<script src=/jquery.js async></script><script defer src=/app.js></script>");
    tr_asked(&t, 20, "1", "GET", H "/jquery.js", "Script", ",'initiator':{'type':'parser'}");
    tr_whole(&t, 21, "2", H "/app.js", "Script", 200, "window.shop = {};\nlet count = 1;");
    tr(&t, 40, "Debugger.scriptParsed", "{'scriptId':'5','url':'http://h/app.js'}");
    tr_thrown(&t, 50, "ReferenceError: $ is not defined", H "/app.js", 0, 0, "");
    tr_thrown(&t, 60, "ReferenceError: shop is not defined", H "/late.js", 0, 0, "");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "script", "s1", H "/jquery.js", "async"));
    assert_true(HAS(&facts, "script", "s2", H "/app.js", "defer"));
    assert_true(HAS(&facts, "script_request", "s2", "r3"));
    assert_true(str_is(time_of(&facts, "script", "end"), "_"));
    assert_true(HAS(&facts, "name_in_file", "console-error-1", "r2"));
    assert_true(HAS(&facts, "defines", "s2", "shop"));
}

static void test_a_script_that_was_to_make_what_is_undefined_is_told(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/editor.js", "Script", 200, "var Editor = make();\nvar rows = 1;");
    tr_whole(&t, 20, "2", H "/page.js", "Script", 200, "Editor.open('a');\nrows.push(1);");
    tr(&t, 40, "Debugger.scriptParsed", "{'scriptId':'5','url':'http://h/editor.js'}");
    tr_thrown(&t, 50, "TypeError: Cannot read properties of undefined (reading \\u0027open\\u0027)",
              H "/page.js", 1, 7, "");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "error_expression", "console-error-1", "Editor", "open"));
    assert_true(HAS(&facts, "defines", "s1", "Editor"));
}

static void test_lines_that_come_again_are_one_message(void **state)
{
    (void)state;
    struct buf t = { 0 };
    for (int i = 0; i < 40; i++)
        tr(&t, i * 50, "Runtime.consoleAPICalled",
           "{'type':'log','timestamp':%lld,'args':[{'type':'string','value':'tick %d'}],"
           "'stackTrace':{'callFrames':[{'functionName':'f','url':'http://h/a.js','lineNumber':1,"
           "'columnNumber':1}]}}",
           (long long)(TRACES_T0 + i * 50), i);
    struct json facts = facts_of(&t);
    assert_int_equal(count_facts(&facts, "message"), 1);
    assert_true(HAS(&facts, "repeated", "m1", "40", "20"));
}

static void test_a_rejection_that_was_handled_after_all_is_no_error(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_thrown(&t, 0, "TypeError: late", H "/a.js", 1, 1, "");
    tr(&t, 5, "Runtime.exceptionRevoked", "{'reason':'Handler added','exceptionId':1}");
    struct json facts = facts_of(&t);
    assert_int_equal(count_facts(&facts, "error"), 0);
}

static void test_formats_of_the_console_are_filled_in(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Runtime.consoleAPICalled",
       "{'type':'error','args':[{'type':'string','value':'%%s has %%d%%%%, %%cstyled'},"
       "{'type':'string','value':'Ada'},{'type':'number','value':3},{'type':'string','value':"
       "'color:red'},{'type':'object','preview':{'properties':[{'name':'a','value':'1'}]}}]}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "error", "*", "", "Ada has 3%, styled {a: 1}", "console"));
}

static void test_the_browsers_report_is_about_its_request(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/api/a", "Fetch", 500, NULL);
    tr(&t, 12, "Log.entryAdded",
       "{'entry':{'source':'network','level':'error','text':'Failed to load resource: the server "
       "responded with a status of 500 ()','timestamp':%lld,'url':'http://h/api/a',"
       "'networkRequestId':'1'}}",
       (long long)(TRACES_T0 + 12));
    tr(&t, 13, "Log.entryAdded",
       "{'entry':{'source':'javascript','level':'error','text':'Access to fetch at http://h/api/a "
       "from origin http://x has been blocked','timestamp':%lld}}",
       (long long)(TRACES_T0 + 13));
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "error_about_request", "console-error-1", "r1"));
    assert_true(HAS(&facts, "error_about_request", "console-error-2", "r1"));
    assert_true(HAS(&facts, "error", "console-error-2", "", "*", "network"));
    assert_true(HAS(&facts, "error_mentions", "console-error-1", "500"));
}

/* ---- the page ------------------------------------------------------------------------------ */

static void test_navigations_forms_and_inputs_are_told(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Page.frameNavigated", "{'frame':{'id':'F','loaderId':'L1','url':'http://h/'}}");
    tr(&t, 1, "Page.frameRequestedNavigation", "{'frameId':'F','reason':'formSubmissionPost'}");
    tr(&t, 2, "Page.frameStartedNavigating",
       "{'frameId':'F','url':'http://h/"
       "next','loaderId':'L2','navigationType':'differentDocument'}");
    tr(&t, 30, "Page.loadEventFired", "{'timestamp':1000.030}");
    tr(&t, 100, "Machina.input",
       "{'k':'input','t':%lld,'type':'click','target':'button#go','text':'Go','trusted':true}",
       (long long)(TRACES_T0 + 100));
    tr(&t, 101, "Machina.input",
       "{'k':'input','type':'invalid','target':'input[name=mail]',"
       "'message':'Please fill in','shown':false}");
    tr(&t, 102, "Machina.input", "{'k':'input','type':'submit','target':'form#f'}");
    tr(&t, 103, "Machina.submitted",
       "{'k':'submitted','target':'form#f','prevented':true,'method':'post','action':'http://h/"
       "s'}");
    tr_asked(&t, 150, "7", "POST", H "/s", "Fetch", ",'initiator':{'type':'script'}");
    tr(&t, 200, "Page.javascriptDialogOpening", "{'message':'Sure?','type':'confirm'}");
    tr(&t, 260, "Page.javascriptDialogClosed", "{'result':true}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "navigation", "n1", H "/next", "form"));
    assert_true(HAS(&facts, "input", "i1", "click", "button#go", "Go"));
    assert_true(HAS(&facts, "invalid", "i2", "input[name=mail]", "Please fill in", "false"));
    assert_true(HAS(&facts, "submitted", "i3", "form#f", "post", "http://h/s", "true"));
    assert_true(HAS(&facts, "asked_after_input", "r1", "i3"));
    assert_true(HAS(&facts, "dialog", "d1", "confirm", "Sure?"));
}

static void test_an_input_without_effect_needs_somebody_who_watched(void **state)
{
    (void)state;
    for (int watched = 0; watched < 2; watched++) {
        struct buf t = { 0 };
        if (watched)
            tr(&t, 0, "Machina.changes", "{'k':'changes','count':5}");
        tr(&t, 100, "Machina.input", "{'k':'input','type':'click','target':'a'}");
        tr(&t, 3000, "Machina.input", "{'k':'input','type':'click','target':'b'}");
        tr(&t, 3100, "Machina.changes", "{'k':'%s','count':5}", watched ? "changes" : "x");
        tr(&t, 9000, "Page.loadEventFired", "{}");
        struct json facts = facts_of(&t);
        assert_int_equal(HAS(&facts, "input_without_effect", "i1"), watched);
        assert_false(HAS(&facts, "input_without_effect", "i2"));
    }
}

static void test_a_navigation_that_failed_tells_why(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Machina.navigated",
       "{'url':'http://h/"
       "','frameId':'F','loaderId':'L1','errorText':'net::ERR_NAME_NOT_RESOLVED'}");
    tr(&t, 1, "Page.frameNavigated",
       "{'frame':{'id':'F','loaderId':'L1','url':'chrome-error://x','unreachableUrl':'http://h/"
       "'}}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "navigation_failed", "n1", "net::ERR_NAME_NOT_RESOLVED"));
    assert_true(HAS(&facts, "page", "http://h/", "", "failed"));
}

static void test_requests_of_an_earlier_document_are_marked(void **state)
{
    (void)state;
    struct buf t = { 0 };
    for (int i = 0; i < 2; i++) {
        tr(&t, i * 100, "Network.requestWillBeSent",
           "{'requestId':'d%d','loaderId':'L%d','request':{'url':'http://h/%d','method':'GET'},"
           "'timestamp':%d,'wallTime':%d,'type':'Document'}",
           i, i, i, 1000 + i, 1790000000 + i);
        tr(&t, i * 100 + 1, "Network.responseReceived",
           "{'requestId':'d%d','timestamp':%d.01,'response':{'status':200,'mimeType':'text/html'}}",
           i, 1000 + i);
        tr(&t, i * 100 + 2, "Network.requestWillBeSent",
           "{'requestId':'a%d','loaderId':'L%d','request':{'url':'http://h/api','method':'GET'},"
           "'timestamp':%d.02,'wallTime':%d.02,'type':'Fetch'}",
           i, i, 1000 + i, 1790000000 + i);
    }
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "earlier_document", "r1"));
    assert_true(HAS(&facts, "earlier_document", "r2"));
    assert_false(HAS(&facts, "earlier_document", "r3"));
    assert_false(HAS(&facts, "earlier_document", "r4"));
}

/* What happens again after a reload is of the present, and nothing is told of what was before. */
static void test_a_new_visit_has_errors_of_its_own(void **state)
{
    (void)state;
    struct buf t = { 0 };
    for (int i = 0; i < 2; i++) {
        int64_t at = i * 5000;
        tr(&t, at, "Page.frameStartedNavigating",
           "{'frameId':'F','url':'http://h/','loaderId':'L%d','navigationType':'%s'}", i,
           i ? "reload" : "differentDocument");
        tr(&t, at + 1, "Page.frameNavigated",
           "{'frame':{'id':'F','loaderId':'L%d','url':'http://h/'}}", i);
        for (int j = 0; j < 5; j++)
            tr_thrown(&t, at + 100 + j, "TypeError: x is not a function", H "/a.js", 1, 1, "");
    }
    struct buf out = { 0 };
    traces_pass(&arena, mgi_buf_view(&t), TRACE_BYTES_MOST, &out);
    struct json facts = facts_of(&t), kept = facts_of(&out);
    for (int i = 0; i < 2; i++) {
        const struct json *of = i ? &kept : &facts;
        assert_int_equal(count_facts(of, "error"), 1);
        assert_int_equal(count_facts(of, "navigation"), 1);
        assert_true(HAS(of, "repeated", "console-error-2", "5", "5"));
        assert_true(HAS(of, "error_about_name", "console-error-2", "x"));
        assert_false(HAS(of, "error_about_name", "console-error-1", "x"));
    }
}

/* Of many pages that were gone to one after the other, the last alone is told: what an earlier one
 * asked for, said or was asked by its user is neither there nor missing. */
static void test_nothing_is_told_of_pages_before(void **state)
{
    (void)state;
    struct buf t = { 0 };
    for (int i = 0; i < 3; i++) {
        int64_t at = i * 5000;
        tr(&t, at, "Page.frameStartedNavigating",
           "{'frameId':'F','url':'http://h/p%d','loaderId':'L%d',"
           "'navigationType':'differentDocument'}",
           i, i);
        tr(&t, at + 1, "Page.frameNavigated",
           "{'frame':{'id':'F','loaderId':'L%d','url':'http://h/p%d'}}", i, i);
        tr(&t, at + 2, "Machina.navigated",
           "{'frameId':'F','url':'http://h/p%d','loaderId':'L%d','errorText':''}", i, i);
        char id[8];
        snprintf(id, sizeof id, "%d", i + 1);
        tr_whole(&t, at + 100, id, H "/api/a", "Fetch", i == 1 ? 500 : 200, "{'a':null}");
        tr(&t, at + 300, "Machina.input",
           "{'k':'input','type':'click','target':'#b','text':'B','trusted':true}");
        tr(&t, at + 310, "Machina.longtask", "{'k':'longtask','ms':400}");
        tr(&t, at + 320, "Machina.shift", "{'k':'shift','value':0.5}");
        tr_thrown(&t, at + 400, "TypeError: x is not a function", H "/a.js", 1, 1, "");
    }
    struct json facts = facts_of(&t);
    assert_int_equal(count_facts(&facts, "request"), 1);
    assert_true(HAS(&facts, "request", "r3", "GET", H "/api/a", "data"));
    assert_int_equal(count_facts(&facts, "error"), 1);
    assert_int_equal(count_facts(&facts, "navigation"), 1);
    assert_int_equal(count_facts(&facts, "input"), 1);
    assert_int_equal(count_facts(&facts, "busy"), 1);
    assert_int_equal(count_facts(&facts, "shifted"), 1);
    assert_int_equal(count_facts(&facts, "lost"), 0);
    assert_int_equal(count_facts(&facts, "body_changed"), 0);
}

/* The script of a worker that is not there: the page's session asks, the worker's is answered. */
static void test_the_script_of_a_worker_is_told_as_one(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Network.requestWillBeSent",
       "{'requestId':'W','loaderId':'','documentURL':'http://h/sums.js','request':{'url':"
       "'http://h/sums.js','method':'GET'},'timestamp':1000,'wallTime':1790000000,'type':'Script',"
       "'initiator':{'type':'other','url':'http://h/'}}");
    tr(&t, 20, "Network.responseReceived",
       "{'requestId':'W','timestamp':1000.02,'type':'Script','response':{'url':'http://h/sums.js',"
       "'status':404,'mimeType':'text/html'}}");
    tr(&t, 21, "Network.loadingFailed",
       "{'requestId':'W','timestamp':1000.021,'type':'Script','errorText':'net::ERR_ABORTED',"
       "'canceled':true}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "request", "r1", "GET", "http://h/sums.js", "worker"));
    assert_true(HAS(&facts, "answer", "r1", "404", "text/html"));
    assert_false(HAS(&facts, "request_cancelled", "r1", "*"));
}

/* A page that loads itself again goes on with its visit. */
static void test_a_reload_by_the_page_is_no_visit(void **state)
{
    (void)state;
    struct buf t = { 0 };
    for (int i = 0; i < 2; i++) {
        int64_t at = i * 5000;
        if (i)
            tr(&t, at - 1, "Page.frameRequestedNavigation",
               "{'frameId':'F','url':'http://h/','reason':'reload'}");
        tr(&t, at, "Page.frameStartedNavigating",
           "{'frameId':'F','url':'http://h/','loaderId':'L%d','navigationType':'%s'}", i,
           i ? "reload" : "differentDocument");
        tr(&t, at + 1, "Page.frameNavigated",
           "{'frame':{'id':'F','loaderId':'L%d','url':'http://h/'}}", i);
        tr_whole(&t, at + 100, i ? "2" : "1", H "/api/a", "Fetch", 500, NULL);
    }
    struct json facts = facts_of(&t);
    assert_int_equal(count_facts(&facts, "request"), 2);
    assert_true(HAS(&facts, "navigation", "n2", "http://h/", "script"));
}

static void test_a_change_of_address_within_the_document_is_no_visit(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Page.frameNavigated", "{'frame':{'id':'F','loaderId':'L','url':'http://h/'}}");
    tr_whole(&t, 10, "1", H "/api/a", "Fetch", 500, NULL);
    tr(&t, 100, "Page.navigatedWithinDocument", "{'frameId':'F','url':'http://h/next'}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "navigation", "n1", H "/next", "script"));
    assert_true(HAS(&facts, "page", H "/next", "", "*"));
}

static void test_sockets_are_told_by_their_frames_and_their_end(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Network.webSocketCreated", "{'requestId':'1','url':'ws://h/s'}");
    tr(&t, 5, "Network.webSocketFrameSent",
       "{'requestId':'1','response':{'opcode':1,'payloadData':'hi'}}");
    tr(&t, 6, "Network.webSocketFrameReceived",
       "{'requestId':'1','response':{'opcode':2,'payloadData':'AAEC'}}");
    tr(&t, 7, "Network.webSocketFrameError", "{'requestId':'1','errorMessage':'bad opcode'}");
    tr(&t, 8, "Network.webSocketClosed", "{'requestId':'1'}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "request", "r1", "GET", "ws://h/s", "socket"));
    assert_true(HAS(&facts, "socket_frame", "r1", "*", "sent", "hi"));
    assert_true(HAS(&facts, "socket_frame", "r1", "*", "received", "(binary)"));
    assert_true(HAS(&facts, "socket_failed", "r1", "bad opcode"));
    assert_true(HAS(&facts, "socket_closed", "r1", "0", ""));
}

static void test_issues_tell_what_was_kept_out(void **state)
{
    (void)state;
    for (int report = 0; report < 2; report++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "1", H "/api/a", "Fetch", 200, NULL);
        tr(&t, 20, "Audits.issueAdded",
           "{'issue':{'code':'ContentSecurityPolicyIssue','details':{"
           "'contentSecurityPolicyIssueDetails':{'blockedURL':'http://x/y.js','violatedDirective':"
           "'script-src','isReportOnly':%s,'contentSecurityPolicyViolationType':'kURLViolation',"
           "'sourceCodeLocation':{'url':'http://h/a.js','lineNumber':4}}}}}",
           report ? "true" : "false");
        tr(&t, 21, "Audits.issueAdded",
           "{'issue':{'code':'CorsIssue','details':{'corsIssueDetails':{'corsErrorStatus':"
           "{'corsError':'MissingAllowOriginHeader'},'request':{'requestId':'1'}}}}}");
        struct json facts = facts_of(&t);
        assert_int_equal(HAS(&facts, "csp_violation", "x1", "script-src", "http://x/y.js"),
                         !report);
        assert_true(HAS(&facts, "stack", "x1", "0", "", "http://h/a.js", "5"));
        assert_true(HAS(&facts, "issue", "x2", "CorsIssue", "MissingAllowOriginHeader", "r1"));
    }
}

static void test_growth_needs_samples_without_garbage(void **state)
{
    (void)state;
    for (int collected = 0; collected < 2; collected++) {
        struct buf t = { 0 };
        for (int i = 0; i < 4; i++)
            tr(&t, i * 1000, "Machina.counters", "{'nodes':%d,'timers':%d%s}", 100 + i * 50, 9 - i,
               collected ? ",'collected':true" : "");
        struct json facts = facts_of(&t);
        assert_int_equal(HAS(&facts, "grows", "nodes", "100", "250", "50"), collected);
        assert_false(HAS(&facts, "grows", "timers", "*", "*", "*"));
        assert_true(HAS(&facts, "sample", "nodes", "150"));
    }
}

static void test_changes_without_end_are_told(void **state)
{
    (void)state;
    struct buf t = { 0 };
    for (int i = 0; i < 50; i++)
        tr(&t, i * 100, "Machina.changes", "{'k':'changes','count':30}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "mutates", "document", "300"));
    for (int i = 0; i < 4; i++) {
        tr(&t, i * 1000, "Machina.mutations", "{'k':'mutations','target':'p#tick','per_second':%d}",
           90 - i);
        tr(&t, i * 3000 + 1, "Machina.mutations", "{'k':'mutations','target':'a','per_second':50}");
    }
    facts = facts_of(&t);
    assert_true(HAS(&facts, "mutates", "p#tick", "87"));
    assert_false(HAS(&facts, "mutates", "a", "*"));
}

/* Texts and styles that change with each picture are a clock or an animation; elements that are
 * made count, and texts where more turns change them than a screen shows. */
static void test_clocks_and_animations_are_no_changes_without_end(void **state)
{
    (void)state;
    static const struct {
        const char *changes, *told;
    } cases[] = {
        { "'count':12,'content':12,'built':0,'turns':6,'ms':100", "0" },
        { "'count':12,'content':0,'built':0,'turns':6,'ms':100", "0" },
        { "'count':12,'content':12,'built':8,'turns':6,'ms':100", "80" },
        { "'count':40,'content':40,'built':0,'turns':20,'ms':100", "400" },
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        struct buf t = { 0 }, out = { 0 };
        for (int i = 0; i < 50; i++)
            tr(&t, i * 100, "Machina.changes", "{'k':'changes',%s}", cases[n].changes);
        traces_pass(&arena, mgi_buf_view(&t), TRACE_BYTES_MOST, &out);
        mgi_buf_fini(&t);
        struct json facts = facts_of(&out);
        assert_true(HAS(&facts, "mutates", "document", cases[n].told));
    }
}

/* Elements that are made again and again, and stand there as before: to the end, for three seconds
 * one after another, at the lowest rate of these. */
static void test_what_is_drawn_anew_and_stays_the_same_is_told(void **state)
{
    (void)state;
    for (int end = 0; end < 2; end++) {
        struct buf t = { 0 }, out = { 0 };
        for (int i = 0; i < 5; i++)
            tr(&t, i * 1000, "Machina.mutations",
               "{'k':'mutations','target':'ul#people','per_second':80,'turns':%d,'same':%s}",
               20 - i, i == 0 || (end && i == 4) ? "false" : "true");
        traces_pass(&arena, mgi_buf_view(&t), TRACE_BYTES_MOST, &out);
        mgi_buf_fini(&t);
        struct json facts = facts_of(&out);
        assert_int_equal(HAS(&facts, "redraws", "ul#people", "16"), !end);
        assert_int_equal(count_facts(&facts, "redraws"), !end);
    }
}

static void test_storage_and_what_is_shown_are_told(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Machina.quota",
       "{'usage':5,'quota':10,'usageBreakdown':[{'storageType':'indexeddb',"
       "'usage':5}]}");
    tr(&t, 1, "Machina.state",
       "{'url':'http://h/','title':'T','shown':[{'kind':'alert','text':'Oh "
       "no'}]}");
    tr_thrown(&t, 2,
              "QuotaExceededError: Failed to execute setItem on localStorage: exceeded the quota.",
              H "/a.js", 1, 1, "");
    tr(&t, 3, "Machina.lost", "{'console':12}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "storage_use", "all", "5", "10"));
    assert_true(HAS(&facts, "storage_use", "indexeddb", "5", "0"));
    assert_true(HAS(&facts, "storage_failed", "console-error-1", "local"));
    assert_true(HAS(&facts, "shown", "alert", "Oh no"));
    assert_true(HAS(&facts, "lost", "console", "12"));
}

static void test_a_text_that_says_loading_is_a_spinner(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Machina.state",
       "{'url':'http://h/','title':'T','text':'Shop\\nLoading...\\nLoading "
       "docks of the world'}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "shown", "spinner", "Loading..."));
    assert_int_equal(count_facts(&facts, "shown"), 2);
}

static void test_evidence_is_bounded_and_says_what_it_lost(void **state)
{
    (void)state;
    struct buf t = { 0 };
    for (int i = 0; i < 700; i++) {
        char id[16], url[64];
        snprintf(id, sizeof id, "i%d", i);
        snprintf(url, sizeof url, H "/img/p%d.png", i);
        tr_whole(&t, i, id, url, "Image", 200, NULL);
    }
    tr_whole(&t, 800, "bad", H "/api/a", "Fetch", 500, NULL);
    struct json facts = facts_of(&t);
    assert_in_range(facts.count, 1000, EVIDENCE_MOST);
    assert_true(HAS(&facts, "answer", "r701", "500", "*"));
    assert_true(HAS(&facts, "lost", "facts", "*"));
}

/* One number that is no safe integer, and all of the evidence is refused. */
static void test_numbers_of_a_recording_are_such_as_travel(void **state)
{
    (void)state;
    struct buf error = { 0 }, out = { 0 };
    struct problems problems = { .text = &error };
    struct job job = { .arena = &arena, .error = &error };
    int64_t written, lost;
    static const char line[] = "{\"ts\":1790000000000,\"level\":\"error\",\"text\":\"Error: x\","
                               "\"url\":\"" H "/a.js\",\"line\":9223372036854775807}\n";
    assert_true(mgi_console_read(&job, &problems, STR_LIT(line)));
    assert_true(mgi_evidence_write(&job, &out, EVIDENCE_MOST, &written, &lost));
    struct json all = parse(&out), facts = *mgi_json_get(&all, "facts");
    assert_true(HAS(&facts, "error", "console-error-1", "Error", "x", "*"));
    for (size_t i = 0; i < facts.count; i++) {
        const struct json *args = mgi_json_get(&facts.items[i], "args");
        for (size_t j = 0; j < args->count; j++)
            if (args->items[j].type == JSON_INT)
                assert_in_range(args->items[j].integer, 0, INT64_C(9007199254740991));
    }
    mgi_buf_fini(&out);
}

/* Of the processor's time, whatever else the machine does. */
static void test_many_events_of_a_stream_cost_little_and_hide_nothing(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_asked(&t, 0, "1", "GET", H "/live", "EventSource", "");
    tr_answered(&t, 1, "1", 200, "text/event-stream");
    tr(&t, 2, "Machina.streams", "{'k':'streams','url':'" H "/live','type':'pong','stack':''}");
    tr(&t, 3, "Network.eventSourceMessageReceived",
       "{'requestId':'1','eventName':'ping','data':'1'}");
    for (int i = 0; i < 40000; i++)
        tr(&t, 4 + i, "Network.eventSourceMessageReceived",
           "{'requestId':'1','eventName':'e%d','data':'1'}", i);
    tr_thrown(&t, 50000, "TypeError: x is not a function", H "/a.js", 1, 1, "");
    clock_t before = clock();
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "stream_unheard", "r1", "ping"));
    assert_true(HAS(&facts, "error", "*", "TypeError", "*", "exception"));
    assert_in_range((clock() - before) / CLOCKS_PER_SEC, 0, 15);
}

static void test_what_is_no_event_is_refused_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } cases[] = {
        { "{\"t\":1,\"m\":\n{\"t\":1}\n", "events.jsonl:1:" },
        { "{\"t\":1790000000000}\n", "events.jsonl:1: m, the method" },
        { "\n\n{\"m\":\"x\",\"t\":-1}\n", "events.jsonl:3: t is no time" },
        { "[]\n", "events.jsonl:1: m, the method" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf error = { 0 };
        struct problems problems = { .text = &error };
        struct job job = { .arena = &arena, .error = &error };
        assert_false(mgi_page_read(&job, &problems, mgi_arena_str(&arena, str_of(cases[i].text))));
        if (!strstr(error.ptr, cases[i].said))
            fail_msg("\"%s\" does not say \"%s\"", error.ptr, cases[i].said);
        mgi_buf_fini(&error);
    }
    /* A recorder that was killed leaves half a line. */
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/", "Document", 200, NULL);
    mgi_buf_puts(&t, "{\"t\":17900000");
    struct json facts = facts_of(&t);
    assert_int_equal(count_facts(&facts, "request"), 1);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--print") == 0)
        return print_evidence(argv[2]);
    if (argc == 3 && strcmp(argv[1], "--trace") == 0)
        return print_trace(argv[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_capture_of_the_repository_gives_evidence),
        cmocka_unit_test(test_a_request_lasts_until_it_ended_and_is_open_if_it_never_did),
        cmocka_unit_test(test_addresses_are_told_in_parts_and_ids_make_a_route),
        cmocka_unit_test(test_an_answer_without_its_announcement_makes_a_request),
        cmocka_unit_test(test_redirects_are_steps_of_one_request),
        cmocka_unit_test(test_a_failure_tells_its_reason),
        cmocka_unit_test(test_a_script_that_was_refused_was_not_cancelled),
        cmocka_unit_test(test_headers_and_cookies_may_come_before_the_request),
        cmocka_unit_test(test_a_request_without_credentials_says_so),
        cmocka_unit_test(test_a_body_is_told_by_its_shape),
        cmocka_unit_test(test_a_body_is_told_by_its_kind),
        cmocka_unit_test(test_an_answer_that_is_an_error_is_quoted),
        cmocka_unit_test(test_a_refusal_names_members_by_their_paths),
        cmocka_unit_test(test_a_refusal_may_name_what_was_sent_under_another_name),
        cmocka_unit_test(test_a_success_may_speak_of_an_error),
        cmocka_unit_test(test_an_endpoint_that_answers_in_another_shape_is_told),
        cmocka_unit_test(test_what_was_sent_is_told_without_secrets),
        cmocka_unit_test(test_a_failed_expression_is_followed_back_to_the_answer),
        cmocka_unit_test(test_what_the_window_lacks_is_a_name_and_no_part_of_an_answer),
        cmocka_unit_test(test_values_are_followed_through_usual_code),
        cmocka_unit_test(test_what_an_error_is_about_is_read_from_its_text),
        cmocka_unit_test(test_a_script_that_was_to_make_what_is_undefined_is_told),
        cmocka_unit_test(test_scripts_are_told_by_how_they_came_and_what_they_define),
        cmocka_unit_test(test_lines_that_come_again_are_one_message),
        cmocka_unit_test(test_a_rejection_that_was_handled_after_all_is_no_error),
        cmocka_unit_test(test_formats_of_the_console_are_filled_in),
        cmocka_unit_test(test_the_browsers_report_is_about_its_request),
        cmocka_unit_test(test_navigations_forms_and_inputs_are_told),
        cmocka_unit_test(test_an_input_without_effect_needs_somebody_who_watched),
        cmocka_unit_test(test_a_navigation_that_failed_tells_why),
        cmocka_unit_test(test_requests_of_an_earlier_document_are_marked),
        cmocka_unit_test(test_a_new_visit_has_errors_of_its_own),
        cmocka_unit_test(test_nothing_is_told_of_pages_before),
        cmocka_unit_test(test_the_script_of_a_worker_is_told_as_one),
        cmocka_unit_test(test_a_reload_by_the_page_is_no_visit),
        cmocka_unit_test(test_a_change_of_address_within_the_document_is_no_visit),
        cmocka_unit_test(test_sockets_are_told_by_their_frames_and_their_end),
        cmocka_unit_test(test_issues_tell_what_was_kept_out),
        cmocka_unit_test(test_growth_needs_samples_without_garbage),
        cmocka_unit_test(test_changes_without_end_are_told),
        cmocka_unit_test(test_clocks_and_animations_are_no_changes_without_end),
        cmocka_unit_test(test_what_is_drawn_anew_and_stays_the_same_is_told),
        cmocka_unit_test(test_storage_and_what_is_shown_are_told),
        cmocka_unit_test(test_a_text_that_says_loading_is_a_spinner),
        cmocka_unit_test(test_evidence_is_bounded_and_says_what_it_lost),
        cmocka_unit_test(test_numbers_of_a_recording_are_such_as_travel),
        cmocka_unit_test(test_many_events_of_a_stream_cost_little_and_hide_nothing),
        cmocka_unit_test(test_what_is_no_event_is_refused_with_its_place),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
