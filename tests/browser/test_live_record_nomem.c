/* An allocation fails while a live page is kept as a recording, and while answers are made up for
 * it: it is whole, or not there; what was there before stays; and nothing half done is left beside
 * it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <sys/stat.h>

#include "browser/fake_browser.h"
#include "browser/live_fixture.h"
#include "support/nomem.h"
#include "../../domains/browser/plugins/browser/act.h"
#include "../../domains/browser/plugins/browser/record.h"

static char self[4096], folder[64];

static void configure(void)
{
    static char settings[4600];
    setenv("LANG", "plain", 1);
    setenv("TMPDIR", "/tmp", 1); /* else the profile is beside the recordings */
    snprintf(settings, sizeof settings,
             "{\"page\":\"http://127.0.0.1:9/\",\"browser\":\"%s\",\"recordings\":\"%s\"}", self,
             folder);
    fake_settings = settings;
    assert_true(mgi_live_configure(&fake_host));
}

static bool is_there(const char *name)
{
    char path[200];
    struct stat about;
    snprintf(path, sizeof path, "%s/kept/%s", folder, name);
    return stat(path, &about) == 0 && about.st_size > 0;
}

/* What a recording has, all of it; the fake page has no more. */
static bool is_whole(void)
{
    return is_there("events.jsonl") && is_there("dom.json") && is_there("storage.json") &&
           is_there("performance.json") && is_there("screenshot.png");
}

/* Entries that are neither the recording nor the folder for downloads. */
static int others(void)
{
    int count = 0;
    DIR *all = opendir(folder);
    assert_non_null(all);
    for (struct dirent *e; (e = readdir(all));)
        count += strcmp(e->d_name, ".") && strcmp(e->d_name, "..") && strcmp(e->d_name, "kept") &&
                 strcmp(e->d_name, "downloads");
    closedir(all);
    return count;
}

static void remove_all(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

/* One recording, in which allocation `n` fails. Was there such a one? */
static bool record_once(size_t n, bool replace)
{
    struct live_job j;
    struct json input;
    struct buf out = { 0 };
    struct job *job = live_job_begin(&j);
    fake_until_ms = mgi_talk_now_ms() + 20000;
    assert_true(mgi_live_open(job) && mgi_live_observe(job));
    assert_int_equal(mgi_json_parse(job->arena,
                                    replace ? STR_LIT("{\"name\":\"kept\",\"replace\":true}")
                                            : STR_LIT("{\"name\":\"kept\"}"),
                                    NULL, &input, NULL),
                     JSON_OK);
    job->input = &input;
    mgi_json_writer_init(&job->out, &out, 0);
    mgi_jw_begin_object(&job->out);
    nomem_fail_at(n);
    bool good = mgi_record_actions.actions[0].run(job);
    bool failed = nomem_failed();
    nomem_fail_at(0);
    if (!good && j.error.len == 0 && !j.error.oom && !j.arena.oom)
        fail_msg("allocation %zu failed, and nothing is said", n);
    if (good && !j.arena.oom && !out.oom && !is_there("events.jsonl"))
        fail_msg("allocation %zu failed, and what is said to be there is not", n);
    assert_int_equal(others(), 0);
    if (replace && !good)
        assert_true(is_whole());
    if (!replace && !good)
        assert_false(is_there("events.jsonl"));
    mgi_buf_fini(&out);
    live_job_end(&j);
    return failed;
}

static void test_a_recording_is_whole_or_not_there(void **state)
{
    (void)state;
    char command[200];
    snprintf(folder, sizeof folder, "/tmp/record-nomem-XXXXXX");
    assert_non_null(mkdtemp(folder));
    configure();
    for (size_t n = 1; record_once(n, false); n += 1 + n / 10) {
        snprintf(command, sizeof command, "rm -rf %s/kept", folder);
        assert_int_equal(system(command), 0);
    }
    assert_true(is_whole());
    for (size_t n = 1; record_once(n, true); n += 1 + n / 10)
        ;
    assert_true(is_whole());
    mgi_live_fini();
    remove_all();
}

/* Answers that are made up are all there, or none is. */
static void test_made_up_answers_are_all_there_or_none(void **state)
{
    (void)state;
    static const char list[] = "[{\"pattern\":\"*/a\",\"body\":[1,2,3]},{\"pattern\":\"*/b\","
                               "\"status\":503,\"body\":\"text of some length that is coded\"}]";
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        struct live_job j;
        struct json mocks, parsed;
        struct buf answer = { 0 };
        struct job *job = live_job_begin(&j);
        assert_int_equal(mgi_json_parse(job->arena, str_of(list), NULL, &mocks, NULL), JSON_OK);
        nomem_fail_at(n);
        bool good = mgi_act_set_mocks(job, &mocks);
        failed = nomem_failed();
        nomem_fail_at(0);
        if (!good && j.error.len == 0 && !j.error.oom)
            fail_msg("allocation %zu failed, and nothing is said", n);
        assert_int_equal(mgi_act_mocked(STR_LIT("http://h/a"), STR_LIT("1"), &answer), good);
        mgi_buf_clear(&answer);
        assert_int_equal(mgi_act_mocked(STR_LIT("http://h/b"), STR_LIT("1"), &answer), good);
        if (good)
            assert_int_equal(mgi_json_parse(job->arena, mgi_buf_view(&answer), NULL, &parsed, NULL),
                             JSON_OK);
        mgi_act_unmock();
        mgi_buf_fini(&answer);
        live_job_end(&j);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_recording_is_whole_or_not_there),
        cmocka_unit_test(test_made_up_answers_are_all_there_or_none),
    };
    if (fake_browser(argc, argv))
        return 0;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
