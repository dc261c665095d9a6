/* manglecp_run_toolhost and manglecp_call_toolhost: against programs in the place of a toolhost,
 * and against the real one where it is built (toolhost.md C-141 to C-152). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "manglecp.h"

#define ECHO   "AID.TEST.ECHO.v1"
#define REAL   MGI_BUILD_DIR "/bin/toolhost"
#define OK_SO  MGI_BUILD_DIR "/test-plugins/ok.so"
#define ROGUES MGI_BUILD_DIR "/test-plugins/hostile.so"

static const char *const one_plugin[] = { "/some/plugin.so", NULL };
static char stub_path[64];

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* A program that does `script`; its path is in stub_path. */
static struct manglecp_toolhost stub(const char *script)
{
    FILE *f = fopen(stub_path, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\n%s\n", script);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(chmod(stub_path, 0700), 0);
    return (struct manglecp_toolhost){ .program = stub_path,
                                       .plugins = one_plugin,
                                       .timeout_ms = 20000 };
}

static int make_place(void **state)
{
    (void)state;
    strcpy(stub_path, "/tmp/toolhost_stub.XXXXXX");
    if (!mkdtemp(stub_path))
        return -1;
    strcat(stub_path, "/stub");
    return 0;
}

static int remove_place(void **state)
{
    (void)state;
    unlink(stub_path);
    *strrchr(stub_path, '/') = '\0';
    return rmdir(stub_path);
}

/* The structured error has this type, and its detail holds `part`. Frees it. */
static void check_error(char *text, const char *type, const char *part)
{
    struct arena arena;
    struct json v;
    mgi_arena_init(&arena, 0);
    assert_non_null(text);
    assert_int_equal(mgi_json_parse(&arena, str_of(text), NULL, &v, NULL), JSON_OK);
    const struct json *error = mgi_json_get(&v, "error"), *kind = mgi_json_get(&v, "type");
    const struct json *detail = mgi_json_get(&v, "detail");
    assert_true(error->type == JSON_BOOL && error->boolean);
    assert_non_null(mgi_json_get(&v, "aid"));
    if (!str_is(kind->string, type) || mgi_str_find(detail->string, str_of(part)) == SIZE_MAX)
        fail_msg("%s, expected %s with \"%s\"", text, type, part);
    assert_true(detail->string.len <= 4096);
    bool is_tool_error = strcmp(type, "tool_error") == 0;
    assert_int_equal(mgi_json_get(&v, "status") != NULL, is_tool_error); /* T-DISP-4 */
    mgi_arena_fini(&arena);
    manglecp_free(text);
}

static void run_fails(const struct manglecp_toolhost *host, const char *inputs, const char *type,
                      const char *part)
{
    bool failed = false;
    char *text = manglecp_run_toolhost(host, ECHO, inputs, &failed);
    assert_true(failed);
    check_error(text, type, part);
}

static void test_an_output_is_returned_as_it_is(void **state)
{
    (void)state;
    bool failed = true;
    struct manglecp_toolhost h = stub("read line; printf '%s' \"$line\" >&2; [ \"$1 $2 $3\" = "
                                      "\"--run /some/plugin.so " ECHO "\" ] || exit 9\n"
                                      "echo '{\"ok\":true,\"status\":\"OK\",\"output_json\":"
                                      "\"{\\\"a\\\": 1.50}\",\"error\":\"\",\"ds_state\":{}}'");
    char *text = manglecp_run_toolhost(&h, ECHO, "{}", &failed); /* C-141 */
    assert_false(failed);
    assert_string_equal(text, "{\"a\": 1.50}");
    manglecp_free(text);
    h = stub("read line; echo \"$line\" >&2; exit 3");
    run_fails(&h, "{ \"k\": 1.50}", "crash",
              "{\"aid\":\"" ECHO "\",\"inputs\":{ \"k\": 1.50}}"); /* T-DISP-8 */
    h = stub("echo $MACHINA_TOOLHOST_TIMEOUT_MS >&2; exit 3");
    run_fails(&h, "{}", "crash", "19500"); /* T-DISP-9 */
}

static void test_an_answer_is_returned_unchanged(void **state)
{
    (void)state;
    struct manglecp_toolhost h = stub("echo ' {\"ok\":false, \"error\":\"no\"}'; exit 4");
    char *text = manglecp_call_toolhost(&h, "{\"aid\":\"" ECHO "\"}"); /* T-DISP-22 */
    assert_string_equal(text, "{\"ok\":false, \"error\":\"no\"}");
    manglecp_free(text);
    check_error(manglecp_call_toolhost(&h, "{\"aid\":5}"), "exception", "aid is not a text");
    check_error(manglecp_call_toolhost(&h, "nonsense"), "exception", "invalid request");
    check_error(manglecp_call_toolhost(&h, NULL), "exception", "invalid request");
}

static void test_each_cause_has_its_type(void **state)
{
    (void)state;
    static const struct {
        const char *script, *type, *part;
    } cases[] = {
        { "echo 'cannot do that' >&2; exit 3", "crash", "cannot do that" }, /* C-145 */
        { "exit 7", "crash", "exit code 7" },                               /* C-241 */
        { "kill -9 $$", "crash", "signal 9" },                              /* C-146 */
        { "echo '{\"ok\":false,\"error\":\"plugin init failed: x\"}'; exit 3", "crash",
          "plugin init failed: x" },
        { "echo '{\"ok\":false,\"status\":\"TOOL_ERROR\",\"error\":\"tool timed out after 5 "
          "ms\"}'; "
          "exit 7",
          "timeout", "tool timed out after 5 ms" },
        { "echo hello", "parse_error", "malformed JSON: " }, /* C-148 */
        { "exit 0", "parse_error", "empty output" },
        { "echo '{\"ok\":true}{\"ok\":true}'", "parse_error", "malformed JSON: " },
        { "printf '\\377'", "parse_error", "malformed JSON: " },
        { "echo '{\"ok\":true}'", "parse_error", "no output_json" },
        { "echo '{\"ok\":false,\"status\":\"TOOL_ERROR\",\"error\":\"boom\"}'", "tool_error",
          "boom" }, /* C-151 */
        { "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done",
          "parse_error", "output truncated at 1048576 bytes" }, /* C-149 */
        { "yes e | head -c 3000000 >&2; exit 1", "crash", "e\ne\ne" },
        { "echo 'lease_0123456789abcdef is spent' >&2; exit 1", "crash", "is spent" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct manglecp_toolhost h = stub(cases[i].script);
        run_fails(&h, "{}", cases[i].type, cases[i].part);
    }
    struct manglecp_toolhost h = stub("echo 'lease_0123456789abcdef is spent' >&2; exit 1");
    bool failed;
    char *text = manglecp_run_toolhost(&h, ECHO, "{}", &failed);
    assert_null(strstr(text, "0123456789abcdef")); /* T-DISP-2 */
    manglecp_free(text);
}

static void test_what_is_missing_is_not_found(void **state)
{
    (void)state;
    struct manglecp_toolhost h = { .program = "/no/such", .plugins = one_plugin };
    run_fails(&h, "{}", "not_found", "toolhost not found: /no/such"); /* C-142 */
    h.program = "no-such-program-in-path";
    run_fails(&h, "{}", "not_found", "toolhost not found: no-such-program-in-path");
    h = stub("exit 0");
    h.plugins = NULL;
    run_fails(&h, "{}", "not_found", "no plugin offers " ECHO);
    const char *const two[] = { "/a.so", "/b.so", NULL };
    h = stub("[ \"$1\" = --list ] && { [ $2 = /b.so ] && echo '{\"ok\":true,\"tools\":[{\"aid\":"
             "\"" ECHO "\"}]}'; exit; }; echo $2 >&2; exit 3");
    h.plugins = two;
    run_fails(&h, "{}", "crash", "/b.so"); /* T-DISP-7: the first that offers it */
    bool failed;
    check_error(manglecp_run_toolhost(&h, "AID.NOPE.v1", "{}", &failed), "not_found",
                "no plugin offers AID.NOPE.v1"); /* C-152 */
}

static void test_inputs_that_are_none_start_nothing(void **state)
{
    (void)state;
    struct manglecp_toolhost h = stub("echo started >&2; exit 3");
    run_fails(&h, "[]", "exception", "invalid inputs: not an object"); /* C-150 */
    run_fails(&h, "{", "exception", "invalid inputs: ");
    run_fails(&h, NULL, "exception", "invalid inputs: ");
    run_fails(&h, "{\"a\":1,\"a\":2}", "exception", "invalid inputs: ");
}

static void test_a_program_that_stays_is_stopped_in_time(void **state)
{
    (void)state;
    static const char *const scripts[] = { "sleep 60 & sleep 60", "trap '' TERM; sleep 60 & wait" };
    for (size_t i = 0; i < 2; i++) {
        struct manglecp_toolhost h = stub(scripts[i]);
        h.timeout_ms = 500;
        int64_t begun = now_ms();
        run_fails(&h, "{}", "timeout", "toolhost timed out (0.5s)"); /* C-143, T-DISP-10 */
        assert_in_range(now_ms() - begun, 450, 3000);
    }
}

static void test_a_process_that_is_left_behind_holds_nothing_up(void **state)
{
    (void)state;
    struct manglecp_toolhost h = stub("sleep 60 & echo '{\"ok\":true,\"output_json\":\"{}\"}'");
    int64_t begun = now_ms();
    bool failed;
    char *text = manglecp_run_toolhost(&h, ECHO, "{}", &failed);
    assert_string_equal(text, "{}");
    assert_true(now_ms() - begun < 10000);
    manglecp_free(text);
}

static void test_the_real_toolhost_answers(void **state)
{
    (void)state;
    if (access(REAL, X_OK) != 0 || access(OK_SO, R_OK) != 0 || access(ROGUES, R_OK) != 0)
        skip();
    const char *const ok[] = { OK_SO, NULL }, *const rogues[] = { ROGUES, NULL };
    struct manglecp_toolhost h = { .program = REAL, .plugins = ok };
    bool failed;
    setenv("MACHINA_TOOLHOST_RLIMIT_AS_MB", "0", 0);                        /* of sanitizers */
    char *text = manglecp_run_toolhost(&h, ECHO, "{\"k\":\"v\"}", &failed); /* C-141 */
    assert_string_equal(text, "{\"k\":\"v\"}");
    manglecp_free(text);
    check_error(manglecp_run_toolhost(&h, "AID.TEST.FAIL.v1", "{}", &failed), "tool_error", "boom");
    check_error(manglecp_run_toolhost(&h, "AID.NOPE.v1", "{}", &failed), "crash",
                "tool not found: AID.NOPE.v1"); /* C-152 */
    h.plugins = rogues;
    check_error(manglecp_run_toolhost(&h, "AID.HOSTILE.SEGV.v1", "{}", &failed), "crash",
                "signal 11"); /* C-147 */
    h.timeout_ms = 1000;
    check_error(manglecp_run_toolhost(&h, "AID.HOSTILE.HANG.v1", "{}", &failed), "timeout",
                "timed out"); /* C-144 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_output_is_returned_as_it_is),
        cmocka_unit_test(test_an_answer_is_returned_unchanged),
        cmocka_unit_test(test_each_cause_has_its_type),
        cmocka_unit_test(test_what_is_missing_is_not_found),
        cmocka_unit_test(test_inputs_that_are_none_start_nothing),
        cmocka_unit_test(test_a_program_that_stays_is_stopped_in_time),
        cmocka_unit_test(test_a_process_that_is_left_behind_holds_nothing_up),
        cmocka_unit_test(test_the_real_toolhost_answers),
    };
    return cmocka_run_group_tests(tests, make_place, remove_place);
}
