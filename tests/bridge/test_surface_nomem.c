/* Reading what a model says survives the failure of any allocation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "bridge/consent_text.h"
#include "bridge/surface.h"
#include "support/nomem.h"

/* Arguments and their facts; true: nothing failed, and all was well. */
static bool read_once(const struct json *v)
{
    struct arena arena;
    struct buf faults = { 0 }, facts = { 0 };
    struct ask ask;
    mgi_arena_init(&arena, 0);
    bool good = mgi_ask_read(&arena, ASK_INTENT, v, &ask, &faults);
    good = good && mgi_facts_from(&facts, ask.facts, NULL, 0, &faults);
    assert_int_equal(faults.len, 0);
    mgi_arena_fini(&arena);
    mgi_buf_fini(&faults);
    mgi_buf_fini(&facts);
    return good;
}

static void test_reading_survives_the_failure_of_any_allocation(void **state)
{
    (void)state;
    struct arena arena;
    struct json v;
    mgi_arena_init(&arena, 0);
    assert_int_equal(mgi_json_parse(&arena,
                                    STR_LIT("{\"intent\":\"a\",\"params\":{},\"facts\":{\"p\":[1],"
                                            "\"q\":[[1],[2]]}}"),
                                    NULL, &v, NULL),
                     JSON_OK);
    size_t n = 1;
    for (;; n++) {
        nomem_fail_at(n);
        bool good = read_once(&v);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(good, !failed);
        if (!failed)
            break;
    }
    assert_true(n > 2);
    mgi_arena_fini(&arena);
}

static void test_a_question_that_memory_cut_says_so(void **state)
{
    (void)state;
    static const char *const effects[] = { "destructive", "network" };
    const struct manglecp_consent what = { .tool = "burn",
                                           .description = "Burns it.",
                                           .args = "{\"a\":1}",
                                           .bound = "[{\"name\":\"b\"}]",
                                           .side_effects = effects,
                                           .side_effect_count = 2 };
    for (size_t n = 1;; n++) {
        struct buf out = { 0 };
        nomem_fail_at(n);
        mgi_consent_text(&out, &what);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(out.oom, failed); /* nobody is asked then */
        mgi_buf_fini(&out);
        if (!failed)
            break;
    }
}

/* X-BRIDGE-7 */
static void test_a_question_has_an_end_and_no_hidden_characters(void **state)
{
    (void)state;
    static char args[20000], text[3000];
    args[0] = '{';
    for (size_t i = 1; i < sizeof args - 1; i++)
        args[i] = i % 2 ? '\x01' : 'x';
    for (size_t i = 0; i < sizeof text - 1; i++)
        text[i] = '\x1b';
    const struct manglecp_consent what = { .tool = "a\xe2\x80\xae"
                                                   "b",
                                           .description = text,
                                           .args = args,
                                           .bound = args,
                                           .differs = true };
    struct buf out = { 0 };
    mgi_consent_text(&out, &what);
    assert_in_range(out.len, 100, CONSENT_TEXT_BYTES);
    assert_true(mgi_str_starts(mgi_buf_view(&out),
                               STR_LIT("Run a\\u{202e}b? This is not what the tool said before.")));
    assert_true(mgi_str_ends(mgi_buf_view(&out), STR_LIT("(cut)")));
    for (size_t i = 0; i < out.len; i++)
        assert_true((unsigned char)out.ptr[i] >= ' ' || out.ptr[i] == '\n');
    mgi_buf_fini(&out);
}

static void test_a_long_argument_hides_no_other(void **state)
{
    (void)state;
    static char args[9000];
    memset(args, 'n', sizeof args - 1);
    memcpy(args, "{\"note\":\"", 9);
    static const char last[] = "\",\"path\":\"/etc/passwd\"}";
    memcpy(args + sizeof args - 40, last, sizeof last);
    const struct manglecp_consent what = { .tool = "burn", .description = "", .args = args };
    for (size_t n = 1;; n++) {
        struct buf out = { 0 };
        nomem_fail_at(n);
        mgi_consent_text(&out, &what);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(out.oom, failed);
        if (!failed) {
            mgi_buf_putc(&out, '\0');
            assert_non_null(strstr(out.ptr, "\n  note: \"nnn"));
            assert_non_null(strstr(out.ptr, "\n  path: \"/etc/passwd\""));
            assert_in_range(out.len, 100, CONSENT_TEXT_BYTES);
        }
        mgi_buf_fini(&out);
        if (!failed)
            break;
    }
}

/* `count` times U+0301, and what follows. */
static void put_marks(struct buf *out, size_t count, const char *then)
{
    for (size_t i = 0; i < count; i++)
        mgi_buf_puts(out, "\xcc\x81");
    mgi_buf_puts(out, then);
}

/* X-BRIDGE-7 */
static void test_marks_do_not_smear_over_other_lines(void **state)
{
    (void)state;
    struct buf description = { 0 }, args = { 0 }, out = { 0 };
    mgi_buf_puts(&description, "e");
    put_marks(&description, 2, " or e");
    put_marks(&description, 200, "nd");
    mgi_buf_puts(&args, "{\"a\":\"x");
    put_marks(&args, 900, "\",\"b\":1}");
    const struct manglecp_consent what = { .tool = "t",
                                           .description = description.ptr,
                                           .args = args.ptr };
    mgi_consent_text(&out, &what);
    mgi_buf_putc(&out, '\0');
    assert_non_null(strstr(out.ptr, "e\xcc\x81\xcc\x81 or e"));
    assert_non_null(strstr(out.ptr, "\xcc\x81(196 marks more)nd"));
    assert_non_null(strstr(out.ptr, "(896 marks more)\",\"b\":1}"));
    size_t run = 0;
    for (size_t i = 0; i < out.len; i++) {
        run = (unsigned char)out.ptr[i] >= 0x80 ? run + 1 : 0;
        assert_in_range(run, 0, 2 * 4);
    }
    mgi_buf_fini(&description);
    mgi_buf_fini(&args);
    mgi_buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading_survives_the_failure_of_any_allocation),
        cmocka_unit_test(test_a_question_that_memory_cut_says_so),
        cmocka_unit_test(test_a_long_argument_hides_no_other),
        cmocka_unit_test(test_marks_do_not_smear_over_other_lines),
        cmocka_unit_test(test_a_question_has_an_end_and_no_hidden_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
