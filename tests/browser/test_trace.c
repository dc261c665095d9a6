/* The trace: what it keeps, masks, counts and loses; and that a written trace is read as the one
 * that it was written from. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>

#include "../../domains/browser/plugins/browser/facts.h"
#include "../../domains/browser/plugins/browser/trace_int.h"
#include "browser/plugin_fixture.h"
#include "browser/traces.h"

/* The trace of a text, as it writes it; the text is freed. The result is in the arena. */
static struct str through(struct buf *text, size_t most)
{
    struct buf out = { 0 };
    traces_pass(&arena, mgi_buf_view(text), most, &out);
    struct str kept = mgi_arena_str(&arena, mgi_buf_view(&out));
    mgi_buf_fini(&out);
    mgi_buf_fini(text);
    return kept;
}

static bool says(struct str text, const char *part)
{
    return mgi_str_find(text, str_of(part)) != SIZE_MAX;
}

static struct str evidence_of(struct str text)
{
    struct buf error = { 0 }, out = { 0 };
    struct problems problems = { .text = &error };
    struct job job = { .arena = &arena, .error = &error };
    int64_t written, lost;
    if (!mgi_page_read(&job, &problems, text))
        fail_msg("%.*s", (int)error.len, error.ptr);
    assert_true(mgi_evidence_write(&job, &out, EVIDENCE_MOST, &written, &lost));
    struct str kept = mgi_arena_str(&arena, mgi_buf_view(&out));
    mgi_buf_fini(&out);
    mgi_buf_fini(&error);
    return kept;
}

static void test_methods_that_nobody_reads_are_passed_over(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Network.dataReceived", "{'requestId':'1','dataLength':9}");
    tr(&t, 0, "Network.policyUpdated", "{}");
    tr(&t, 0, "Network.loadingFinished", "{'requestId':'1','timestamp':5,'more':'x'}");
    struct str out = through(&t, TRACE_BYTES_MOST);
    assert_false(says(out, "dataReceived"));
    assert_true(says(out, "\"requestId\":\"1\",\"timestamp\":5}"));
    assert_false(says(out, "more"));
}

static void test_credentials_become_their_kind(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Network.requestWillBeSent",
       "{'requestId':'1','request':{'url':'http://me:geheim@h/a?token=geheim&q=1#access_token="
       "geheim','method':'POST','headers':{'Authorization':'Bearer geheim','X-Api-Key':'geheim',"
       "'Accept':'text/"
       "html'},'postData':'{\\\"password\\\":\\\"geheim\\\",\\\"name\\\":\\\"Ada\\\"}'}}");
    tr(&t, 1, "Network.requestWillBeSentExtraInfo",
       "{'requestId':'1','headers':{'Cookie':'sid=geheim; theme=geheim'},'associatedCookies':[{"
       "'blockedReasons':[],'cookie':{'name':'sid','value':'geheim'}}]}");
    tr(&t, 2, "Network.responseReceivedExtraInfo",
       "{'requestId':'1','headers':{'Set-Cookie':'sid=geheim; Path=/\\nb=geheim'},'blockedCookies':"
       "[{'blockedReasons':['SecureOnly'],'cookieLine':'sid=geheim; Path=/'}]}");
    tr(&t, 3, "Machina.body",
       "{'requestId':'1','text':'{\\\"jwt\\\": \\\"geheim\\\", \\\"n\\\": 1, "
       "\\\"tokens\\\": [\\\"geheim\\\", 12]}'}");
    tr(&t, 4, "Runtime.consoleAPICalled",
       "{'type':'log','args':[{'type':'string','value':'sent Bearer geheim123456 and "
       "token=geheim123 and eyJnZWhlaW0.geheimgeheimgeheim.geheimgeheim'}]}");
    tr(&t, 5, "Network.webSocketFrameSent",
       "{'requestId':'1','response':{'opcode':1,'payloadData':'{\\\"session\\\":\\\"geheim\\\"}'}"
       "}");
    tr(&t, 6, "Machina.body",
       "{'requestId':'2','text':'<input name=\\\"csrf_token\\\" "
       "value=\\\"geheim\\\"><p>text'}");
    tr(&t, 7, "Network.requestWillBeSent",
       "{'requestId':'3','documentURL':'http://h/?auth=geheim','request':{'url':'http://h/f?X-Amz-"
       "Signature=geheim&PHPSESSID=geheim','method':'POST','headers':{},'postData':'pwd=geheim&"
       "cvc=geheim&author=Ada'},'initiator':{'type':'script','url':'http://h/?otp=geheim','stack':{"
       "'callFrames':[{'functionName':'f','url':'http://h/a.js?sig=geheim','lineNumber':1,"
       "'columnNumber':1,'scriptId':'1'}]}}}");
    tr(&t, 8, "Page.frameNavigated",
       "{'frame':{'id':'F','loaderId':'L','url':'http://h/#access_token=geheim'}}");
    tr(&t, 9, "Machina.submitted",
       "{'target':'form','prevented':false,'method':'get','action':'http://h/?token=geheim'}");
    tr(&t, 10, "Network.webSocketCreated", "{'requestId':'4','url':'ws://h/?token=geheim'}");
    tr(&t, 11, "Log.entryAdded",
       "{'entry':{'source':'network','level':'error','text':'Failed to load http://h/?token="
       "geheim','url':'http://h/?token=geheim'}}");
    tr(&t, 12, "Page.javascriptDialogOpening",
       "{'url':'http://h/?token=geheim','message':'token=geheim123','type':'alert'}");
    tr(&t, 13, "Browser.downloadWillBegin",
       "{'guid':'g','url':'http://h/?token=geheim','suggestedFilename':'a'}");
    tr(&t, 14, "Machina.navigated", "{'url':'http://h/?token=geheim','errorText':''}");
    tr(&t, 15, "Runtime.consoleAPICalled",
       "{'type':'log','args':[{'type':'object','preview':{'properties':[{'name':'password','value':"
       "'geheim'},{'name':'mail','value':'ada@h'}]}}]}");
    tr(&t, 16, "Runtime.consoleAPICalled",
       "{'type':'log','args':[{'type':'string','value':'the token:'},{'type':'string','value':"
       "'geheim123'},{'type':'string','value':'was sent'}]}");
    tr(&t, 17, "Machina.deed", "{'k':'deed','what':'brief','name':'Your token=geheim123'}");
    struct str out = through(&t, TRACE_BYTES_MOST);
    assert_true(says(out, "author=Ada"));
    assert_true(says(out, "ada@h"));
    assert_true(says(out, "was sent"));
    if (says(out, "geheim"))
        fail_msg("%.*s", (int)out.len, out.ptr);
    assert_true(says(out, "Bearer ***"));
    assert_true(says(out, "sid=***; theme=***"));
    assert_true(says(out, "sid=***; Path=/"));
    assert_true(says(out, "\\\"name\\\":\\\"Ada\\\""));
    assert_true(says(out, "\\\"tokens\\\": [\\\"***\\\", 0]"));
    assert_true(says(out, "q=1"));
}

/* RFC 6749, OpenID Connect, SAML bindings: what their addresses hold; and names as a server reads
 * them. */
static void test_credentials_of_addresses_are_known_in_whatever_form(void **state)
{
    (void)state;
#define JWT "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlc2lnbmF0dXJl"
    static const struct {
        const char *url, *masked; /* NULL: stays as it is */
    } rows[] = {
        { "http://h/a?pass%77ord=geheim&q=1", "http://h/a?pass%77ord=***&q=1" },
        { "http://h/a?access%5Ftoken=geheim", "http://h/a?access%5Ftoken=***" },
        { "http://h/a?access%255ftoken=geheim#x", "http://h/a?access%255ftoken=***#x" },
        { "http://h/cb?code=abc123&state=x1y2z3&page=2", "http://h/cb?code=***&state=***&page=2" },
        { "http://h/cb?code=SplxlOBe1ZQQYbYS6WxSbIA9", "http://h/cb?code=***" },
        { "http://h/auth?client_id=me&state=af0&redirect_uri=http%3A%2F%2Fh%2F",
          "http://h/auth?client_id=me&state=***&redirect_uri=http%3A%2F%2Fh%2F" },
        { "http://h/cb#id_token=geheim&x=1", "http://h/cb#id_token=***&x=1" },
        { "http://h/#/cb?access_token=geheim", "http://h/#/cb?access_token=***" },
        { "http://h/s?SAMLResponse=PHNhbWw%2B&RelayState=r",
          "http://h/s?SAMLResponse=***&RelayState=r" },
        { "http://h/s?assertion=PHNhbWw", "http://h/s?assertion=***" },
        { "http://h/confirm/" JWT "/now?x=1", "http://h/confirm/***/now?x=1" },
        { "http://h/a?t=" JWT "&x=1", "http://h/a?t=***&x=1" },
        { "http://h/a#" JWT, "http://h/a#***" },
        { "http://h/a;jsessionid=A1B2?x=1", "http://h/a;jsessionid=***?x=1" },
        { "http://h/l?next=https%3A%2F%2Fi%2Fcb%3Ftoken%3Dgeheim%26a%3D1&b=2",
          "http://h/l?next=https%3A%2F%2Fi%2Fcb%3Ftoken%3D***%26a%3D1&b=2" },
        { "http://h/l?n=%253Fpassword%253Dgeheim%2526a%253D1",
          "http://h/l?n=%253Fpassword%253D***%2526a%253D1" },
        { "http://h/l?next=/cb?token=geheim&b=2", "http://h/l?next=/cb?token=***&b=2" },
        { "http://a@b@h/x", "http://***@h/x" },
        { "http://h/?password=a%26b?c", "http://h/?password=***" },
        { "http://h/a?code=US&state=open", NULL },
        { "http://h/a?code=404", NULL },
        { "http://h/a?state=waiting-for-payment", NULL },
        { "http://h/a?key=products-page-0001", NULL },
        { "http://h/a?tab=eyJ", NULL },
        { "http://h/a?token=", NULL },
        { "http://h/a?author=Ada&secretary", NULL },
        { "http://h/%", NULL },
        { "http://h/?%=%3", NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int again = 0; again < 2; again++) {
            struct buf out = { 0 };
            const char *wanted = rows[i].masked ? rows[i].masked : rows[i].url;
            mgi_mask_url(&out, str_of(again ? wanted : rows[i].url));
            if (!str_is(mgi_buf_view(&out), wanted))
                fail_msg("%s became %.*s", rows[i].url, (int)out.len, out.ptr);
            mgi_buf_fini(&out);
        }
}

static void test_so_they_are_in_forms_texts_and_strings(void **state)
{
    (void)state;
    static const struct {
        const char *body, *masked;
    } rows[] = {
        { "pass%77ord=ab?c%26d&name=Ada", "pass%77ord=***&name=Ada" },
        { "grant_type=authorization_code&code=geheim&x=1",
          "grant_type=authorization_code&code=***&x=1" },
        { "SAMLResponse=PHNhbWw&RelayState=a", "SAMLResponse=***&RelayState=a" },
        { "{\"next\":\"http://h/cb?code=SplxlOBe1ZQQYbYS6WxSbIA9\",\"id\":\"" JWT "\"}",
          "{\"next\":\"http://h/cb?code=***\",\"id\":\"***\"}" },
        { "<a href=\"http://h/?a=1&amp;access%5Ftoken=geheim\">x</a>",
          "<a href=\"http://h/?a=1&amp;access%5Ftoken=***\">x</a>" },
#define PART(name) "--b-1\r\nContent-Disposition: form-data; name=\"" name "\"\r\n"
        { PART("password") "\r\nge\r\nheim\r\n" PART("name") "\r\nAda\r\n--b-1--\r\n",
          PART("password") "\r\n***\r\n" PART("name") "\r\nAda\r\n--b-1--\r\n" },
        { PART("f\"; filename=\"token") "Content-Type: text/plain\r\n\r\nAda\r\n" PART(
              "pwd") "\r\ngehe",
          PART("f\"; filename=\"token") "Content-Type: text/plain\r\n\r\nAda\r\n" PART(
              "pwd") "\r\n***" },
        { "--x;", "--x;" },
#undef PART
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf out = { 0 };
        mgi_mask_body(&out, str_of(rows[i].body));
        if (!str_is(mgi_buf_view(&out), rows[i].masked))
            fail_msg("%s became %.*s", rows[i].body, (int)out.len, out.ptr);
        mgi_buf_fini(&out);
    }
#undef JWT
}

/* That a credential has no value is what explains a failure. */
static void test_what_is_no_value_is_not_masked(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr(&t, 0, "Network.requestWillBeSent",
       "{'requestId':'1','request':{'url':'http://h/?token=undefined','method':'GET','headers':{"
       "'Authorization':'Bearer null','X-Csrf':''},'postData':'{\\\"token\\\":null,\\\"session\\\":"
       "\\\"\\\"}'}}");
    struct str out = through(&t, TRACE_BYTES_MOST);
    assert_true(says(out, "token=undefined"));
    assert_true(says(out, "Bearer null"));
    assert_true(says(out, "\\\"token\\\":null,\\\"session\\\":\\\"\\\""));
    assert_false(says(out, "***"));
}

/* Code is looked into later: only strings that are given to secret names go. */
static void test_code_stays_code(void **state)
{
    (void)state;
    static const char code[] = "const token = await getToken(user.session);";
    struct buf out = { 0 };
    mgi_mask_body(&out, str_of(code));
    assert_true(str_is(mgi_buf_view(&out), code));
    mgi_buf_fini(&out);
}

static void test_lines_that_come_again_are_counted(void **state)
{
    (void)state;
    struct buf t = { 0 };
    for (int i = 0; i < 3000; i++)
        tr(&t, i, "Runtime.consoleAPICalled",
           "{'type':'log','timestamp':%lld,'args':[{'type':'string','value':'tick %d'}]}",
           (long long)(TRACES_T0 + i), i);
    struct str out = through(&t, TRACE_BYTES_MOST);
    assert_in_range(out.len, 100, 2000);
    struct str facts = evidence_of(out);
    assert_true(says(facts, "{\"pred\":\"repeated\",\"args\":[\"m1\",3000,1000]}"));
    assert_false(says(facts, "\"lost\""));
}

static void test_an_error_is_not_counted_away(void **state)
{
    (void)state;
    struct buf t = { 0 };
    for (int i = 0; i < 5; i++)
        tr(&t, i, "Runtime.consoleAPICalled",
           "{'type':'error','timestamp':%lld,'args':[{'type':'string','value':'no item %d'}]}",
           (long long)(TRACES_T0 + i), i);
    struct str facts = evidence_of(through(&t, TRACE_BYTES_MOST));
    for (int i = 0; i < 5; i++) {
        char text[32];
        snprintf(text, sizeof text, "no item %d", i);
        assert_true(says(facts, text));
    }
}

/* What is worth least goes first, a sample of it stays, and the loss is told by kind. */
static void test_what_does_not_fit_is_sampled_and_counted(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", "http://h/api/a", "Fetch", 500, NULL);
    for (int i = 0; i < 3000; i++)
        tr(&t, i, "Network.webSocketFrameReceived",
           "{'requestId':'1','timestamp':%d,'response':{'opcode':1,'payloadData':'frame number "
           "%d'}}",
           1000 + i, i);
    size_t most = 64 * 1024;
    struct str out = through(&t, most);
    assert_in_range(out.len, most / 4, most + 400);
    assert_true(says(out, "\"m\":\"Machina.lost\",\"p\":{\"frames\":"));
    assert_true(says(out, "\"m\":\"Network.requestWillBeSent\""));
    assert_true(says(out, "frame number 2999"));
    assert_true(says(evidence_of(out), "\"lost\",\"args\":[\"frames\","));
}

static void test_one_message_that_is_larger_than_all_is_lost(void **state)
{
    (void)state;
    struct buf t = { 0 }, body = { 0 };
    for (int i = 0; i < 5000; i++)
        mgi_buf_puts(&body, "0123456789");
    tr(&t, 0, "Machina.body", "{'requestId':'1','text':'%s'}", body.ptr);
    tr_whole(&t, 1, "1", "http://h/", "Document", 200, NULL);
    struct str out = through(&t, 8 * 1024);
    assert_true(says(out, "{\"bodies\":1}"));
    assert_true(says(out, "requestWillBeSent"));
    mgi_buf_fini(&body);
}

static struct buf a_page_of_everything(void)
{
    struct buf t = { 0 };
    tr(&t, 0, "Page.frameNavigated", "{'frame':{'id':'F','loaderId':'L1','url':'http://h/'}}");
    tr_whole(&t, 1, "0", "http://h/", "Document", 200, "<script src=/a.js></script>");
    tr_whole(&t, 20, "1", "http://h/a.js", "Script", 200, "function show(x) { return x.y.z; }");
    tr_whole(&t, 40, "2", "http://h/api/a?x=1", "Fetch", 200, "{'x':null,'list':[{'a':1},{}]}");
    tr(&t, 60, "Debugger.scriptParsed", "{'scriptId':'5','url':'http://h/a.js'}");
    tr_thrown(&t, 70, "TypeError: Cannot read properties of undefined (reading \\u0027z\\u0027)",
              "http://h/a.js", 0, 28, "");
    for (int i = 0; i < 9; i++)
        tr(&t, 80 + i, "Runtime.consoleAPICalled",
           "{'type':'warning','timestamp':%lld,'args':[{'type':'string','value':'again'}]}",
           (long long)(TRACES_T0 + 80 + i));
    tr(&t, 100, "Machina.input", "{'k':'input','type':'click','target':'a#b','text':'B'}");
    tr(&t, 110, "Page.javascriptDialogOpening", "{'message':'Sure?','type':'confirm'}");
    tr(&t, 120, "Machina.state", "{'url':'http://h/','title':'T','text':'x','state':'loaded'}");
    return t;
}

static void test_a_written_trace_is_read_as_what_it_was(void **state)
{
    (void)state;
    struct buf t = a_page_of_everything();
    struct str raw = mgi_arena_str(&arena, mgi_buf_view(&t));
    struct str once = through(&t, TRACE_BYTES_MOST);
    struct buf again = { 0 };
    mgi_buf_str(&again, once);
    struct str twice = through(&again, TRACE_BYTES_MOST);
    assert_true(says(once, "Machina.repeated"));
    assert_int_equal(once.len, twice.len);
    assert_memory_equal(once.ptr, twice.ptr, once.len);
    struct str a = evidence_of(raw), b = evidence_of(once);
    assert_int_equal(a.len, b.len);
    assert_memory_equal(a.ptr, b.ptr, a.len);
}

static void test_a_trace_that_is_cleared_begins_anew(void **state)
{
    (void)state;
    struct buf t = a_page_of_everything(), out = { 0 };
    struct trace *trace = mgi_trace_new(TRACE_BYTES_MOST);
    traces_add(&arena, mgi_buf_view(&t), trace);
    mgi_trace_clear(trace);
    assert_true(mgi_trace_write(trace, &out));
    assert_int_equal(out.len, 0);
    mgi_trace_free(trace);
    mgi_trace_free(NULL);
    mgi_buf_fini(&t);
    mgi_buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods_that_nobody_reads_are_passed_over),
        cmocka_unit_test(test_credentials_become_their_kind),
        cmocka_unit_test(test_credentials_of_addresses_are_known_in_whatever_form),
        cmocka_unit_test(test_so_they_are_in_forms_texts_and_strings),
        cmocka_unit_test(test_what_is_no_value_is_not_masked),
        cmocka_unit_test(test_code_stays_code),
        cmocka_unit_test(test_lines_that_come_again_are_counted),
        cmocka_unit_test(test_an_error_is_not_counted_away),
        cmocka_unit_test(test_what_does_not_fit_is_sampled_and_counted),
        cmocka_unit_test(test_one_message_that_is_larger_than_all_is_lost),
        cmocka_unit_test(test_a_written_trace_is_read_as_what_it_was),
        cmocka_unit_test(test_a_trace_that_is_cleared_begins_anew),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
