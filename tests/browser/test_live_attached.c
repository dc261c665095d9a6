/* A live page in a browser that somebody else has started: all that holds in one of our own
 * (test_live.c), what is his stays as it is, and the browser goes on. */
#define ATTACHED
#include "test_live.c"

#include "browser/running_browser.h"

static const struct site_page own_pages[] = {
    { "/tab", 200, "",
      "<!doctype html><title>Mine</title><a id=a download=f href='data:,f'></a><script>a.click();"
      "if(!location.search)open('/tab?window')</script>" },
    { NULL, 0, NULL, NULL },
};

static struct running_browser browser;
static struct site own; /* of whoever the browser belongs to */

static int begin_attached(void **state)
{
    static char text[64];
    if (!live_has_browser())
        return begin(state);
    if (!site_start(&own, own_pages) || !running_start(&browser))
        return 1;
    snprintf(text, sizeof text, ",\"attach\":\"http://127.0.0.1:%u\"", browser.port);
    settings = text;
    return begin(state);
}

static int end_attached(void **state)
{
    end(state);
    if (browser.pid > 0) {
        running_stop(&browser);
        site_stop(&own);
    }
    return 0;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        count++;
    return count;
}

static const char *own_tab(void)
{
    char path[80];
    snprintf(path, sizeof path, "/json/new?http://127.0.0.1:%u/tab", own.port);
    return running_ask(&browser, "PUT", path);
}

static size_t own_tabs(void)
{
    return count_of(running_ask(&browser, "GET", "/json/list"), "\"title\": \"Mine\"");
}

static bool await_own_tabs(size_t count)
{
    for (int i = 0; i < 200 && own_tabs() != count; i++)
        poll(NULL, 0, 50);
    return own_tabs() == count;
}

static void test_tabs_of_others_stay_as_they_are(void **state)
{
    (void)state;
    JOB();
    struct json all;
    struct buf trace = { 0 };
    assert_non_null(strstr(own_tab(), "200 OK"));
    assert_true(await_own_tabs(2)); /* with the window that it opens */
    assert_null(go(job, "/"));
    const struct live_download *files;
    size_t more, windows = mgi_live_popups(), before = mgi_live_downloads(job, &files, &more);
    assert_non_null(strstr(own_tab(), "200 OK"));
    assert_true(await_own_tabs(4));
    assert_true(mgi_live_observe(job));
    assert_text(page_says(job, "()=>document.title"), "Shop");
    assert_int_equal(mgi_live_popups(), windows);
    assert_int_equal(mgi_live_downloads(job, &files, &more), before);
    assert_true(mgi_trace_write(mgi_live_trace(), &trace));
    mgi_buf_append(&trace, "", 1);
    assert_null(strstr(trace.ptr, "Mine"));
    mgi_buf_fini(&trace);

    /* Of the pages that there are ours alone are ours. */
    size_t ours = 0;
    assert_true(mgi_live_call(job, "Target.getTargets", STR_LIT("{}"), &all));
    const struct json *list = mgi_json_get(&all, "targetInfos");
    for (uint32_t i = 0; i < list->count; i++)
        ours += mgi_live_is_ours(&list->items[i]);
    assert_true(list->count >= 5);
    assert_int_equal(ours, 1);

    mgi_live_close();
    assert_int_equal(own_tabs(), 4);
    assert_int_equal(own.hits[0], 4); /* none was loaded again */
    assert_true(running_is_alive(&browser));
    JOB_END();
}

static bool is_listed(const char *what)
{
    return strstr(running_ask(&browser, "GET", "/json/list"), what) != NULL;
}

static void test_our_page_goes_and_what_it_kept_with_it(void **state)
{
    (void)state;
    JOB();
    assert_null(go(job, "/"));
    assert_text(page_says(job, "()=>localStorage.theme"), "dark");
    page_says(job, "()=>{localStorage.kept='yes';return 1}");
    assert_true(is_listed("\"title\": \"Shop\""));
    mgi_live_close();
    assert_false(is_listed("\"title\": \"Shop\""));
    assert_true(running_is_alive(&browser));
    assert_null(go(job, "/"));
    assert_text(page_says(job, "()=>String(localStorage.kept)"), "undefined");
    JOB_END();
}

/* The connection is cut from our side without a word: the browser sees to it that nothing stays. */
static void test_a_broken_connection_takes_the_context_along(void **state)
{
    (void)state;
    JOB();
    struct json value;
    assert_null(go(job, "/"));
    shutdown(mgi_live.socket.wire.to, SHUT_RDWR);
    assert_false(mgi_live_run(job, "()=>1", STR_LIT(""), &value));
    assert_non_null(strstr(live_error(&j_), "has ended (the browser hung up); the next call"));
    mgi_buf_clear(job->error);
    for (int i = 0; i < 100 && is_listed("\"title\": \"Shop\""); i++)
        poll(NULL, 0, 50);
    assert_false(is_listed("\"title\": \"Shop\""));
    assert_null(go(job, "/"));
    assert_text(page_says(job, "()=>document.title"), "Shop");
    JOB_END();
}

/* WebRTC would pass by the proxy: in the page, its frames and windows there is none. */
static void test_no_datagram_leaves_the_page(void **state)
{
    (void)state;
    JOB();
    struct json done;
    assert_null(go(job, "/"));
    static const char expression[] =
        "{\"expression\":\"(()=>{const f=document.createElement('iframe');document.body.append(f);"
        "const w=open('about:blank');return [typeof RTCPeerConnection,"
        "typeof webkitRTCPeerConnection,typeof f.contentWindow.RTCPeerConnection,"
        "w?typeof w.RTCPeerConnection:'undefined'].join()})()\",\"userGesture\":true,"
        "\"returnByValue\":true}";
    assert_true(mgi_live_call(job, "Runtime.evaluate", str_of(expression), &done));
    assert_text(mgi_member_string(mgi_json_get(&done, "result"), "value"),
                "undefined,undefined,undefined,undefined");
    JOB_END();
}

static void test_a_browser_that_was_started_again_is_attached_to_anew(void **state)
{
    (void)state;
    JOB();
    struct json value;
    assert_null(go(job, "/"));
    running_kill(&browser);
    assert_false(mgi_live_run(job, "()=>1", STR_LIT(""), &value));
    assert_non_null(strstr(live_error(&j_), "the connection to the browser at http://127.0.0.1:"));
    mgi_buf_clear(job->error);
    assert_false(mgi_live_open(job));
    assert_non_null(strstr(live_error(&j_), "nobody listens there"));
    mgi_buf_clear(job->error);
    assert_true(running_start(&browser));
    assert_null(go(job, "/"));
    assert_text(page_says(job, "()=>document.title"), "Shop");
    JOB_END();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SHARED_TESTS,
        cmocka_unit_test(test_tabs_of_others_stay_as_they_are),
        cmocka_unit_test(test_our_page_goes_and_what_it_kept_with_it),
        cmocka_unit_test(test_a_broken_connection_takes_the_context_along),
        cmocka_unit_test(test_no_datagram_leaves_the_page),
        cmocka_unit_test(test_a_browser_that_was_started_again_is_attached_to_anew),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin_attached, end_attached);
}
