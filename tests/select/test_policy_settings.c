/* Settings, words and commands of a policy, its breaker, payload and answers: everything but the
 * process (T-POL-1 to T-POL-7, T-ENV-1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "select/policy_answer.h"
#include "select/policy_breaker.h"
#include "select/policy_command.h"
#include "scripts.h"

static struct scratch scratch;

/* ---- settings ------------------------------------------------------------------------------- */

static void without_variables_the_defaults_hold(void **state) /* T-POL-3, T-POL-4, T-POL-7 */
{
    (void)state;
    static const char *const none[] = { NULL };
    settings(&scratch, none);
    const struct policy_settings *s = &scratch.settings;
    assert_null(s->words);
    assert_int_equal(s->timeout_ms, 2500);
    assert_int_equal(s->stdout_max, 65536);
    assert_int_equal(s->limits.cpu_sec, 2);
    assert_int_equal(s->limits.as_mb, 768);
    assert_int_equal(s->limits.fsize_mb, 10);
    assert_int_equal(s->limits.nofile, 64);
    assert_int_equal(s->limits.nproc, 32);
    assert_int_equal(s->fail_threshold, 5);
    assert_int_equal(s->cooldown_ms, 30000);
    assert_false(s->allow_unsafe);
    assert_string_equal(s->script_root, "policies");
    static const char *const names[] = { "python3", "python", "bash", "sh", "node" };
    assert_int_equal(s->allowed_exe_count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_true(str_is(s->allowed_exe[i], names[i]));
}

static void the_profile_sets_the_timeout(void **state) /* T-POL-3 */
{
    (void)state;
    static const char *const dev[] = { "MACHINA_PROFILE=dev", NULL };
    static const char *const prod[] = { "MACHINA_PROFILE=prod", NULL };
    static const char *const both[] = { "MACHINA_PROFILE=prod", "MACHINA_POLICY_TIMEOUT_MS=10",
                                        NULL };
    settings(&scratch, dev);
    assert_int_equal(scratch.settings.timeout_ms, 60000);
    settings(&scratch, prod);
    assert_int_equal(scratch.settings.timeout_ms, 30000);
    settings(&scratch, both);
    assert_int_equal(scratch.settings.timeout_ms, 10);
}

static void all_that_is_wrong_is_told_at_once(void **state) /* T-ENV-1 */
{
    (void)state;
    static const char *const env[] = { "MACHINA_POLICY_TIMEOUT_MS=soon",
                                       "MACHINA_POLICY_FAIL_THRESHOLD=0",
                                       "MACHINA_POLICY_RLIMIT_AS_MB=-1",
                                       "MACHINA_POLICY_RLIMIT_NPROC=",
                                       "MACHINA_POLICY_ALLOW_UNSAFE=yes",
                                       "MACHINA_POLICY_CMD=python3 'x",
                                       "MACHINA_ROOT=here",
                                       NULL };
    struct buf problems = { 0 };
    struct policy_settings s;
    assert_false(mgi_policy_settings_read(&scratch.arena, (char *const *)(uintptr_t)env, "/", &s,
                                          &problems));
    assert_string_equal(problems.ptr,
                        "MACHINA_POLICY_TIMEOUT_MS: expected a number from 1 to 86400000\n"
                        "MACHINA_POLICY_FAIL_THRESHOLD: expected a number from 1 to 1000000\n"
                        "MACHINA_POLICY_RLIMIT_AS_MB: expected a number from 0 to 1048576\n"
                        "MACHINA_POLICY_RLIMIT_NPROC: expected a number from 0 to 1000000\n"
                        "MACHINA_POLICY_ALLOW_UNSAFE: expected a number from 0 to 1\n"
                        "MACHINA_POLICY_CMD: a single quote is not closed\n"
                        "MACHINA_ROOT: expected an absolute path\n");
    mgi_buf_fini(&problems);
}

static void a_policy_gets_no_secret_of_the_environment(void **state)
{
    (void)state;
    static const char *const env[] = { "AWS_SECRET=1",         "LC_ALL=C",    "LANG=C",
                                       "MACHINA_POLICY_CMD=x", "PATHOLOGY=1", NULL };
    settings(&scratch, env);
    size_t n = 0;
    for (; scratch.settings.env[n]; n++)
        assert_null(strstr(scratch.settings.env[n], "SECRET"));
    assert_int_equal(n, 5); /* MACHINA_ROOT, TMPDIR, PATH, LC_ALL, LANG */
}

/* ---- words ---------------------------------------------------------------------------------- */

static void assert_words(const char *command, const char *expected)
{
    char *const *words;
    size_t count;
    const char *why;
    struct buf out = { 0 };
    assert_true(mgi_policy_words(&scratch.arena, str_of(command), &words, &count, &why));
    for (size_t i = 0; i < count; i++)
        mgi_buf_printf(&out, "[%s]", words[i]);
    assert_null(words[count]);
    assert_string_equal(out.ptr ? out.ptr : "", expected);
    mgi_buf_fini(&out);
}

static void words_are_split_without_a_shell(void **state) /* 10.6 */
{
    (void)state;
    assert_words("", "");
    assert_words("  \t\n", "");
    assert_words("python3 policies/x.py", "[python3][policies/x.py]");
    assert_words(" a\tb\r\nc ", "[a][b][c]");
    assert_words("'a b' \"c d\" e'f'\"g\"", "[a b][c d][efg]");
    assert_words("'' \"\"", "[][]");
    assert_words("\"a\\\"b\\\\c\\d\"", "[a\"b\\c\\d]");
    assert_words("'a\\b' c\\d", "[a\\b][c\\d]");
    assert_words("'\"' \"'\"", "[\"][']");
    assert_words("$HOME `id` $(id) *.py ; rm | x > y && z ~",
                 "[$HOME][`id`][$(id)][*.py][;][rm][|][x][>][y][&&][z][~]");
    char *const *words;
    size_t count;
    const char *why;
    assert_false(mgi_policy_words(&scratch.arena, STR_LIT("a \"b"), &words, &count, &why));
    assert_string_equal(why, "a double quote is not closed");
    assert_false(mgi_policy_words(&scratch.arena, STR_LIT("a\0b"), &words, &count, &why));
    assert_string_equal(why, "a NUL byte");
}

/* ---- which command may run ------------------------------------------------------------------ */

static enum policy_verdict judge(const char *command, struct policy_program *program,
                                 const char **why)
{
    const char *line = mgi_arena_printf(&scratch.arena, "MACHINA_POLICY_CMD=%s", command);
    const char *const env[] = { line, NULL };
    settings(&scratch, env);
    return mgi_policy_check(&scratch.arena, &scratch.settings, program, why);
}

static void assert_violation(const char *command, const char *expected)
{
    struct policy_program program;
    const char *why = NULL;
    if (judge(command, &program, &why) != POLICY_VIOLATION || !strstr(why, expected))
        fail_msg("%s: %s, expected %s", command, why ? why : "may run", expected);
}

static char *in_root(const char *format)
{
    return mgi_arena_printf(&scratch.arena, format, scratch.root);
}

static void commands_that_may_not_run_are_refused(void **state) /* C-174, T-POL-4, T-POL-5 */
{
    (void)state;
    script(&scratch, "good.sh", "");
    script(&scratch, "link", "");
    assert_int_equal(symlink("/etc/passwd", in_root("%s/policies/outside")), 0);
    assert_int_equal(symlink("/usr/bin", in_root("%s/bin")), 0);
    script(&scratch, "../policies2.sh", "");
    assert_violation("python3 -c 'print(1)'", "not the option \"-c\"");
    assert_violation("sh -e policies/good.sh", "not the option \"-e\"");
    assert_violation("/opt/x/python3 x.py", "does not lie in /usr/bin, /bin or /usr/local/bin");
    assert_violation("/usr/bin/../../opt/x/sh x", "does not lie in /usr/bin");
    assert_violation("./sh policies/good.sh", "does not lie in");
    assert_violation("perl policies/good.sh", "not one of MACHINA_POLICY_ALLOWED_EXE");
    assert_violation("/usr/bin/env sh policies/good.sh", "not one of MACHINA_POLICY_ALLOWED_EXE");
    assert_violation("sh", "needs a script");
    assert_violation("sh policies/none.sh", "there is no script");
    assert_violation("sh policies", "there is no script"); /* a folder */
    assert_violation("sh /etc/passwd", "does not lie below");
    assert_violation("sh policies/../../../etc/passwd", "does not lie below");
    assert_violation("sh policies/outside", "the script \"/etc/passwd\" does not lie below");
    assert_violation("sh policies2.sh", "does not lie below"); /* a name that begins alike */
    assert_violation("sh ''", "there is no script");
}

static void a_script_below_the_root_may_run(void **state) /* T-POL-4, T-POL-5 */
{
    (void)state;
    struct policy_program program;
    const char *why = NULL;
    script(&scratch, "good.sh", "");
    assert_int_equal(symlink("good.sh", in_root("%s/policies/link")), 0);
    static const char *const commands[] = { "sh policies/good.sh a", "sh policies/link a",
                                            "/bin/sh policies/good.sh a",
                                            "/usr/bin/sh 'policies/good.sh' a" };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (judge(commands[i], &program, &why) != POLICY_MAY_RUN)
            fail_msg("%s: %s", commands[i], why ? why : "?");
        assert_int_equal(program.path[0], '/');
        assert_int_equal(program.argc, 3);
        assert_string_equal(program.argv[1], in_root("%s/policies/good.sh")); /* resolved */
        assert_string_equal(program.argv[2], "a");
    }
    assert_int_equal(judge(in_root("sh %s/policies/good.sh"), &program, &why), POLICY_MAY_RUN);
}

static void the_rules_can_be_changed(void **state) /* T-POL-4 */
{
    (void)state;
    struct policy_program program;
    const char *why = NULL;
    script(&scratch, "own", "#!/bin/sh\n");
    static const char *const unsafe[] = { "MACHINA_POLICY_ALLOW_UNSAFE=1",
                                          "MACHINA_POLICY_CMD=policies/own -x", NULL };
    settings(&scratch, unsafe);
    assert_int_equal(mgi_policy_check(&scratch.arena, &scratch.settings, &program, &why),
                     POLICY_MAY_RUN);
    assert_string_equal(program.path, in_root("%s/policies/own"));
    static const char *const listed[] = { "MACHINA_POLICY_ALLOWED_EXE= true , perl",
                                          "MACHINA_POLICY_CMD=true --anything", NULL };
    settings(&scratch, listed);
    assert_int_equal(mgi_policy_check(&scratch.arena, &scratch.settings, &program, &why),
                     POLICY_MAY_RUN); /* no interpreter: its arguments are its own */
    static const char *const perl[] = { "MACHINA_POLICY_ALLOWED_EXE=perl",
                                        "MACHINA_POLICY_CMD=perl -e 1", NULL };
    settings(&scratch, perl);
    assert_int_equal(mgi_policy_check(&scratch.arena, &scratch.settings, &program, &why),
                     POLICY_VIOLATION);
    static const char *const elsewhere[] = { "MACHINA_POLICY_ALLOWED_SCRIPT_ROOT=/usr",
                                             "MACHINA_POLICY_CMD=sh policies/own", NULL };
    settings(&scratch, elsewhere);
    assert_int_equal(mgi_policy_check(&scratch.arena, &scratch.settings, &program, &why),
                     POLICY_VIOLATION);
}

/* ---- the breaker ---------------------------------------------------------------------------- */

static void five_failures_open_it_for_a_while(void **state) /* T-POL-7 */
{
    (void)state;
    struct policy_breaker b;
    mgi_policy_breaker_init(&b, 5, 30000);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(mgi_policy_breaker_ask(&b, 1000), POLICY_ADMITTED);
        mgi_policy_breaker_told(&b, POLICY_ADMITTED, false, 1000);
    }
    assert_int_equal(mgi_policy_breaker_ask(&b, 30999), POLICY_REFUSED);
    assert_int_equal(mgi_policy_breaker_ask(&b, 31000), POLICY_TRIAL);
    assert_int_equal(mgi_policy_breaker_ask(&b, 31000), POLICY_REFUSED); /* one at a time */
    mgi_policy_breaker_told(&b, POLICY_TRIAL, false, 32000);
    assert_int_equal(mgi_policy_breaker_ask(&b, 61999), POLICY_REFUSED); /* cooldown again */
    assert_int_equal(mgi_policy_breaker_ask(&b, 62000), POLICY_TRIAL);
    mgi_policy_breaker_forget(&b, POLICY_TRIAL); /* cancelled: the next one tries */
    assert_int_equal(mgi_policy_breaker_ask(&b, 62000), POLICY_TRIAL);
    mgi_policy_breaker_told(&b, POLICY_TRIAL, true, 62000);
    for (int i = 0; i < 4; i++) { /* the count is clear again */
        assert_int_equal(mgi_policy_breaker_ask(&b, 62000), POLICY_ADMITTED);
        mgi_policy_breaker_told(&b, POLICY_ADMITTED, false, 62000);
    }
    mgi_policy_breaker_told(&b, POLICY_ADMITTED, true, 62000); /* in a row, not in all */
    mgi_policy_breaker_told(&b, POLICY_ADMITTED, false, 62000);
    assert_int_equal(mgi_policy_breaker_ask(&b, 62000), POLICY_ADMITTED);
}

static void a_late_failure_does_not_prolong_it(void **state)
{
    (void)state;
    struct policy_breaker b;
    mgi_policy_breaker_init(&b, 0, 100); /* at least 1 */
    mgi_policy_breaker_told(&b, POLICY_ADMITTED, false, 0);
    mgi_policy_breaker_told(&b, POLICY_ADMITTED, false, 90);
    assert_int_equal(mgi_policy_breaker_ask(&b, 100), POLICY_TRIAL);
}

/* ---- payload and answers -------------------------------------------------------------------- */

static struct menu menu_of_two(void)
{
    static struct str tags[2];
    struct menu menu;
    tags[0] = STR_LIT("tag.fs");
    tags[1] = STR_LIT("tag.meta");
    struct menu_action *a = mgi_arena_calloc(&scratch.arena, 2, sizeof *a);
    a[0] = (struct menu_action){ STR_LIT("AID.FILE.READ.v1"), STR_LIT("file_read"), tags, 2 };
    a[1] = (struct menu_action){ STR_LIT("AID.NOOP.v1"), STR_LIT("noop"), tags + 1, 1 };
    assert_int_equal(mgi_menu_build(&scratch.arena, a, 2, NULL, &menu), MENU_OK);
    return menu;
}

static void the_payload_is_as_printed_in_the_reference(void **state) /* T-POL-1, T-HEUR-3 */
{
    (void)state;
    struct menu menu = menu_of_two();
    const struct str tag = STR_LIT("tag.meta");
    const struct select_view view = { .goal = STR_LIT("goal.DEMO.v1"),
                                      .goal_tags = &tag,
                                      .goal_tag_count = 1,
                                      .state_digest = STR_LIT("e3b0") };
    struct json inputs;
    struct buf out = { 0 };
    mgi_json_parse(&scratch.arena, STR_LIT("{\"path\":\"notes/a.txt\"}"), NULL, &inputs, NULL);
    mgi_policy_payload(&out, &view, &menu, &inputs, CONTROL_POLICY_ONLY);
    assert_string_equal(
        out.ptr,
        "{\"goal_digest\":\"goal.DEMO.v1|FLAGS:DS0=0;DS2=0;DS6=0;DS7=0;DS6_STAGE=;|tag.meta\","
        "\"state_digest\":\"e3b0\",\"control_mode\":\"POLICY_ONLY\","
        "\"inputs\":{\"path\":\"notes/a.txt\"},\"menu\":[{\"sid\":\"SID0001\","
        "\"aid\":\"AID.FILE.READ.v1\",\"name\":\"file_read\",\"tags\":[\"tag.fs\",\"tag.meta\"]},"
        "{\"sid\":\"SID0002\",\"aid\":\"AID.NOOP.v1\",\"name\":\"noop\",\"tags\":[\"tag.meta\"]}]}"
        "\n");
    mgi_buf_clear(&out);
    inputs = (struct json){ .type = JSON_NULL };
    mgi_policy_payload(&out, &view, &menu, &inputs, CONTROL_BLENDED);
    assert_null(strstr(out.ptr, "inputs"));
    mgi_buf_fini(&out);
}

static void assert_failure(const struct policy_answer *answer, const char *expected)
{
    struct menu menu = menu_of_two();
    struct selection s;
    const char *failure;
    assert_true(mgi_policy_judge(&scratch.arena, &menu, answer, &s, &failure));
    assert_int_equal(s.kind == SELECTION_INVALID, expected != NULL);
    if (expected)
        assert_string_equal(failure, expected);
    else
        assert_null(failure);
}

static void failures_have_their_reason(void **state) /* T-POL-6, C-173 */
{
    (void)state;
    const struct str pick = STR_LIT("<PICK><SID0001><END>\n");
    const struct policy_answer rows[] = {
        { POLICY_EXITED, 0, pick, { 0 } },
        { POLICY_EXITED, 0, pick, STR_LIT("warning: x\n") },
        { POLICY_EXITED, 0, STR_LIT("<NOOP><END>"), { 0 } },
        { POLICY_EXITED, 0, STR_LIT("<ASK_SUP><END>"), { 0 } },
        { POLICY_EXITED, 3, pick, STR_LIT("Traceback:\n  File\nValueError: b\x1b[31m\n\n") },
        { POLICY_SIGNALLED, 9, pick, { 0 } },
        { POLICY_NOT_STARTED, 2, pick, { 0 } },
        { POLICY_TIMED_OUT, 2500, pick, { 0 } },
        { POLICY_TOO_MUCH, 65536, pick, { 0 } },
        { POLICY_EXITED, 0, STR_LIT(" \n"), { 0 } },
        { POLICY_EXITED, 0, STR_LIT("SID0001"), { 0 } },
        { POLICY_EXITED, 0, STR_LIT("<PICK><SID0099><END>"), { 0 } },
    };
    static const char *const expected[] = {
        NULL,
        NULL,
        NULL,
        NULL,
        "exit code 3: ValueError: b\\u{1b}[31m",
        "ended by signal 9",
        "not started: No such file or directory",
        "no answer within 2500 ms",
        "more than 65536 bytes of output",
        "empty output",
        "not a selection: byte 1: expected <PICK>, <ASK_SUP> or <NOOP>, found \"SID0001\"",
        "SID0099 is not in the menu",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_failure(&rows[i], expected[i]);
    struct selection fallback, out;
    assert_true(mgi_selection_parse(&scratch.arena, STR_LIT("<NOOP><END>"), &fallback));
    assert_true(mgi_policy_replace(&scratch.arena, "exit code 1", &fallback, &out));
    assert_int_equal(out.kind, SELECTION_NOOP);
    assert_string_equal(out.raw.ptr, "[policy_failure] exit code 1\n<NOOP><END>");
}

static int setup(void **state)
{
    (void)state;
    scratch_begin(&scratch);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_nothing_left(&scratch);
    scratch_end(&scratch);
    return 0;
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(without_variables_the_defaults_hold),
        T(the_profile_sets_the_timeout),
        T(all_that_is_wrong_is_told_at_once),
        T(a_policy_gets_no_secret_of_the_environment),
        T(words_are_split_without_a_shell),
        T(commands_that_may_not_run_are_refused),
        T(a_script_below_the_root_may_run),
        T(the_rules_can_be_changed),
        T(five_failures_open_it_for_a_while),
        T(a_late_failure_does_not_prolong_it),
        T(the_payload_is_as_printed_in_the_reference),
        T(failures_have_their_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
