/* The whole of a live page against a browser that is none (fake_browser.h): what it says, what it
 * does not say, its end. Runs under TSan, too, which a real browser does not. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>

#include "browser/fake_browser.h"
#include "browser/live_fixture.h"

static char self[4096];

static void open_as(const char *mode)
{
    char settings[4400];
    setenv("LANG", mode, 1);
    snprintf(settings, sizeof settings, ",\"browser\":\"%s\"", self);
    live_begin("http://127.0.0.1:9/", settings);
}

static void close_all(void)
{
    mgi_live_fini();
    assert_int_equal(mgi_live.program.pid, 0);
    assert_int_equal(mgi_live.folder.path[0], '\0');
}

static void test_what_is_heard_is_decided_and_asked_for(void **state)
{
    (void)state;
    struct live_job j;
    struct str storage;
    struct buf trace = { 0 };
    open_as("plain");
    struct job *job = live_job_begin(&j);
    if (!mgi_live_open(job) || !mgi_live_observe(job))
        fail_msg("%s", live_error(&j));
    assert_true(mgi_live_file(job, "storage.json", &storage));
    assert_null(strstr(storage.ptr, "very secret"));
    assert_false(mgi_live_file(job, "screenshot.png", &storage));
    assert_true(mgi_trace_write(mgi_live_trace(), &trace));
    mgi_buf_append(&trace, "", 1);
    static const char *const told[] = { "Machina.body",     "[1,2]",
                                        "Machina.source",   "b.c();",
                                        "Machina.counters", "Machina.state",
                                        "Machina.input",    "javascriptDialogOpening" };
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (!strstr(trace.ptr, told[i]))
            fail_msg("%s is not in the trace: %s", told[i], trace.ptr);
    assert_int_equal(mgi_live.target_count, 2); /* the page and its worker */
    assert_int_equal(mgi_live.dialogs, 1);
    mgi_buf_fini(&trace);
    live_job_end(&j);
    close_all();
}

static bool is_asked_after(struct job *job, const char *frame)
{
    struct json params;
    char *text = mgi_arena_printf(job->arena, "{\"frame\":{\"id\":\"T1\",%s}}", frame);
    assert_int_equal(mgi_json_parse(job->arena, str_of(text), NULL, &params, NULL), JSON_OK);
    pthread_mutex_lock(&mgi_live.lock);
    mgi_live.asked = true;
    pthread_mutex_unlock(&mgi_live.lock);
    mgi_live_hear(&mgi_live, LIVE_SESSION(&mgi_live), STR_LIT("Page.frameNavigated"), &params);
    pthread_mutex_lock(&mgi_live.lock);
    bool asked = mgi_live.asked;
    pthread_mutex_unlock(&mgi_live.lock);
    return asked;
}

/* The browser's page about one that did not come may be told after the next one was asked for. */
static void test_what_was_asked_for_is_there_when_a_document_is(void **state)
{
    (void)state;
    struct live_job j;
    open_as("plain");
    struct job *job = live_job_begin(&j);
    assert_true(mgi_live_open(job));
    assert_true(is_asked_after(job, "\"url\":\"chrome-error://chromewebdata/\","
                                    "\"unreachableUrl\":\"http://127.0.0.1:9/a\""));
    assert_false(is_asked_after(job, "\"url\":\"http://127.0.0.1:9/\""));
    live_job_end(&j);
    close_all();
}

static void test_floods_and_nonsense_change_nothing(void **state)
{
    (void)state;
    static const char *const modes[] = { "garbage", "flood" };
    for (size_t i = 0; i < 2; i++) {
        struct live_job j;
        open_as(modes[i]);
        struct job *job = live_job_begin(&j);
        if (!mgi_live_open(job) || !mgi_live_observe(job))
            fail_msg("%s: %s", modes[i], live_error(&j));
        live_job_end(&j);
        close_all();
    }
}

static void test_numbers_and_names_of_a_browser_are_such_as_can_be(void **state)
{
    (void)state;
    struct live_job j;
    const struct live_download *list;
    size_t more;
    open_as("boasts");
    struct job *job = live_job_begin(&j);
    if (!mgi_live_open(job) || !mgi_live_observe(job) || !mgi_live_observe(job))
        fail_msg("%s", live_error(&j));
    assert_int_equal(mgi_live_downloads(job, &list, &more), 2); /* none of which is above */
    assert_string_equal(list[0].state, "refused");
    assert_string_equal(list[1].state, "refused");
    live_job_end(&j);
    close_all();
}

static void test_a_browser_that_will_not_start_says_why(void **state)
{
    (void)state;
    struct live_job j;
    open_as("unwilling");
    struct job *job = live_job_begin(&j);
    assert_false(mgi_live_open(job));
    assert_non_null(strstr(live_error(&j), "ended at once: no screen, no fun"));
    live_job_end(&j);
    close_all();
    live_begin("http://127.0.0.1:9/", ",\"browser\":\"/nonexistent/browser\"");
    job = live_job_begin(&j);
    assert_false(mgi_live_open(job));
    assert_non_null(strstr(live_error(&j), "is no program that can be run here"));
    live_job_end(&j);
    close_all();
    live_begin("file:///etc/passwd", "");
    job = live_job_begin(&j);
    assert_false(mgi_live_open(job));
    assert_non_null(strstr(live_error(&j), "only http and https are opened"));
    live_job_end(&j);
    close_all();
}

static void test_a_browser_that_says_nothing_costs_the_time_of_the_call(void **state)
{
    (void)state;
    struct live_job j;
    open_as("deaf");
    struct job *job = live_job_begin(&j);
    int64_t begun = mgi_talk_now_ms();
    fake_until_ms = begun + 800;
    assert_false(mgi_live_open(job));
    assert_non_null(strstr(live_error(&j), "did not answer in time"));
    assert_true(mgi_talk_now_ms() - begun < 20000);
    fake_until_ms = 0;
    live_job_end(&j);
    close_all();
}

static void test_death_hanging_and_refusal_fail_in_words(void **state)
{
    (void)state;
    struct json value;
    static const struct {
        const char *mode, *words;
    } rows[] = { { "dies", "the browser has ended" },
                 { "hangs", "did not answer Runtime.callFunctionOn in time" },
                 { "refuses", "the browser refuses Runtime.callFunctionOn: not today" } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct live_job j;
        open_as(rows[i].mode);
        struct job *job = live_job_begin(&j);
        if (!mgi_live_open(job))
            fail_msg("%s: %s", rows[i].mode, live_error(&j));
        fake_until_ms = mgi_talk_now_ms() + 1000;
        assert_false(mgi_live_run(job, "()=>1", STR_LIT(""), &value));
        fake_until_ms = 0;
        if (!strstr(live_error(&j), rows[i].words))
            fail_msg("%s: %s", rows[i].mode, live_error(&j));
        mgi_buf_clear(job->error);
        if (!mgi_live_open(job)) /* another one, where it died */
            fail_msg("%s again: %s", rows[i].mode, live_error(&j));
        live_job_end(&j);
        close_all();
    }
}

static void test_a_cancelled_call_stops_waiting(void **state)
{
    (void)state;
    struct live_job j;
    struct json value;
    open_as("hangs");
    struct job *job = live_job_begin(&j);
    if (!mgi_live_open(job))
        fail_msg("%s", live_error(&j));
    fake_cancel = 1;
    assert_false(mgi_live_run(job, "()=>1", STR_LIT(""), &value));
    assert_string_equal(live_error(&j), "cancelled");
    fake_cancel = 0;
    live_job_end(&j);
    close_all();
}

/* ---- what a call costs ---------------------------------------------------------------------- */

/* The number of the message that read the page, of all messages so far. */
static long read_page(void)
{
    th_call call;
    long number = -1;
    th_status status = plugin_call(&call, "read_part", "{\"selector\":\"h1\"}");
    const char *at = call.output.ptr ? strstr(call.output.ptr, "\"number\":") : NULL;
    if (status != TH_OK || !at)
        fail_msg("%s", call.error.ptr ? call.error.ptr : "no number");
    number = atol(at + strlen("\"number\":"));
    call_fini(&call);
    return number;
}

static void be_silent(void)
{
    mgi_live.heard_ms -= 10000; /* as if so much time had passed */
}

static void open_plugin_as(const char *mode)
{
    static char settings[4400];
    setenv("LANG", mode, 1);
    snprintf(settings, sizeof settings, "{\"page\":\"http://127.0.0.1:9/\",\"browser\":\"%s\"}",
             self);
    fake_settings = settings;
    plugin_load();
}

/* One, and where the page was silent a sign of life that it stands behind: nothing is waited for
 * by itself. */
static void test_a_call_that_needs_one_message_costs_one(void **state)
{
    (void)state;
    open_plugin_as("counts");
    long first = read_page(), second = read_page();
    assert_int_equal(second - first, 1);
    be_silent();
    assert_int_equal(read_page() - second, 2);
    plugin_unload();
}

static void told(const char *method)
{
    assert_true(mgi_talk_tell(mgi_live.talk, LIVE_SESSION(&mgi_live), method, STR_LIT("")));
}

static void test_a_page_that_is_held_up_is_freed_or_opened_anew(void **state)
{
    (void)state;
    static const char *const ways[] = { "A.hold", "A.stop" };
    for (size_t i = 0; i < 2; i++) {
        open_plugin_as("counts");
        long first = read_page();
        be_silent();
        told(ways[i]);
        fake_time_ms = 800;
        assert_true(read_page() > first);
        fake_time_ms = 60000;
        plugin_unload();
    }
}

static void hear(const char *method, const char *params)
{
    struct arena arena;
    struct json v;
    mgi_arena_init(&arena, 0);
    assert_int_equal(mgi_json_parse(&arena, str_of(params), NULL, &v, NULL), JSON_OK);
    mgi_live_hear(&mgi_live, STR_LIT(""), str_of(method), &v);
    mgi_arena_fini(&arena);
}

static size_t times(const struct buf *in, const char *text)
{
    size_t count = 0;
    for (const char *at = in->ptr; (at = strstr(at, text)); at++)
        count++;
    return count;
}

/* What a page asked for before it was left may come in the place of what we ask for; then we ask
 * once more. Where our document itself goes on to another one, that one is where it is. */
static void test_a_page_that_comes_back_is_left_again(void **state)
{
    (void)state;
    static const struct {
        const char *mode;
        size_t asked;
        const char *reason;
    } rows[] = { { "plain", 2, NULL },
                 { "moves", 2, NULL },
                 { "flees once", 3, NULL },
                 { "flees", 6, "could not be left" } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct live_job j;
        struct buf trace = { 0 };
        open_as(rows[i].mode);
        struct job *job = live_job_begin(&j);
        const char *reason = NULL;
        if (!mgi_live_open(job) || !mgi_live_navigate(job, STR_LIT("http://127.0.0.1:9/"), &reason))
            fail_msg("%s: %s", rows[i].mode, live_error(&j));
        if (!reason != !rows[i].reason || (reason && !strstr(reason, rows[i].reason)))
            fail_msg("%s: %s", rows[i].mode, reason ? reason : "nothing was said");
        assert_true(mgi_trace_write(mgi_live_trace(), &trace));
        mgi_buf_append(&trace, "", 1);
        assert_int_equal(times(&trace, "Machina.navigated"), rows[i].asked);
        mgi_buf_fini(&trace);
        live_job_end(&j);
        close_all();
    }
}

static void begin_file(int number)
{
    char text[200];
    snprintf(text, sizeof text,
             "{\"guid\":\"g%d\",\"suggestedFilename\":\"../../etc/x\",\"url\":\"http://h/\"}",
             number);
    hear("Browser.downloadWillBegin", text);
}

static void follow_file(int number, int64_t received, int64_t total, const char *as)
{
    char text[200];
    snprintf(text, sizeof text,
             "{\"guid\":\"g%d\",\"receivedBytes\":%lld,\"totalBytes\":%lld,\"state\":\"%s\"}",
             number, (long long)received, (long long)total, as);
    hear("Browser.downloadProgress", text);
}

/* A file of so many bytes where the browser would have it; `part` is what it adds to the name. */
static void write_file(struct job *job, int number, const char *part, off_t bytes, char path[300])
{
    snprintf(path, 300, "%s/g%d%s", mgi_live_download_folder(&mgi_live, job->arena), number, part);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, bytes), 0);
    close(fd);
}

static bool is_file(struct job *job, size_t index, const char *as)
{
    const struct live_download *list;
    assert_true(mgi_live_downloads(job, &list, NULL) > index);
    return strcmp(list[index].state, as) == 0;
}

/* Nothing tells of a file's bytes but the file: it is refused all the same, and in the order in
 * which they began. What has come is not given up for what comes. */
static void test_what_downloads_write_is_bounded(void **state)
{
    (void)state;
    struct live_job j;
    char path[300];
    const int64_t most = LIVE_DOWNLOAD_BYTES;
    open_as("plain");
    struct job *job = live_job_begin(&j);
    if (!mgi_live_open(job))
        fail_msg("%s", live_error(&j));
    for (int i = 0; i < 8; i++)
        begin_file(i);
    follow_file(0, 1, most - 100, "inProgress");
    follow_file(1, 1, 101, "inProgress"); /* the first is to have this room */
    follow_file(2, 100, 100, "completed");
    assert_true(is_file(job, 0, "inProgress") && is_file(job, 1, "refused"));
    follow_file(0, 2, most - 100, "canceled");
    follow_file(0, 3, 0, "inProgress"); /* is no more */
    assert_true(is_file(job, 0, "canceled") && is_file(job, 2, "completed"));
    write_file(job, 3, "", most, path);
    follow_file(3, most, 0, "completed"); /* at once, as files of the page's own making */
    assert_true(is_file(job, 3, "refused"));
    assert_int_equal(access(path, F_OK), -1);
    write_file(job, 4, ".crdownload", most - 200, path);
    write_file(job, 5, ".crdownload", 101, path);
    for (int i = 0; i < 500 && !is_file(job, 5, "refused"); i++)
        poll(NULL, 0, 10);
    assert_true(is_file(job, 4, "inProgress") && is_file(job, 5, "refused"));
    follow_file(6, 100, 0, "completed");
    write_file(job, 4, ".crdownload", most, path);
    for (int i = 0; i < 500 && !is_file(job, 4, "refused"); i++)
        poll(NULL, 0, 10);
    assert_true(is_file(job, 4, "refused") && is_file(job, 6, "completed"));
    assert_true(is_file(job, 7, "inProgress"));
    live_job_end(&j);
    close_all();
}

static void test_downloads_are_bounded(void **state)
{
    (void)state;
    struct live_job j;
    const struct live_download *list;
    size_t more;
    open_as("plain");
    struct job *job = live_job_begin(&j);
    if (!mgi_live_open(job))
        fail_msg("%s", live_error(&j));
    for (int i = 0; i < LIVE_DOWNLOADS + 5; i++)
        begin_file(i);
    follow_file(1, 10, 10, "completed");
    hear("Browser.downloadProgress", "{\"guid\":\"g2\",\"receivedBytes\":1,\"totalBytes\":1e12,"
                                     "\"state\":\"inProgress\"}");
    hear("Browser.downloadProgress", "{\"guid\":\"none\",\"receivedBytes\":\"x\"}");
    assert_int_equal(mgi_live_downloads(job, &list, &more), LIVE_DOWNLOADS);
    assert_int_equal(more, 5);
    assert_string_equal(list[1].state, "completed");
    assert_string_equal(list[2].state, "refused");
    assert_null(strstr(list[1].path, "etc"));
    live_job_end(&j);
    close_all();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_heard_is_decided_and_asked_for),
        cmocka_unit_test(test_what_was_asked_for_is_there_when_a_document_is),
        cmocka_unit_test(test_floods_and_nonsense_change_nothing),
        cmocka_unit_test(test_numbers_and_names_of_a_browser_are_such_as_can_be),
        cmocka_unit_test(test_a_browser_that_will_not_start_says_why),
        cmocka_unit_test(test_a_browser_that_says_nothing_costs_the_time_of_the_call),
        cmocka_unit_test(test_death_hanging_and_refusal_fail_in_words),
        cmocka_unit_test(test_a_cancelled_call_stops_waiting),
        cmocka_unit_test(test_a_call_that_needs_one_message_costs_one),
        cmocka_unit_test(test_a_page_that_is_held_up_is_freed_or_opened_anew),
        cmocka_unit_test(test_a_page_that_comes_back_is_left_again),
        cmocka_unit_test(test_downloads_are_bounded),
        cmocka_unit_test(test_what_downloads_write_is_bounded),
    };
    if (fake_browser(argc, argv))
        return 0;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
