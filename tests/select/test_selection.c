/* The text form of a selection and what it changes in inputs (T-SEL-1 to T-SEL-8, T-SID-1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/base64.h"
#include "select/patch.h"
#include "select/selection.h"

static struct arena arena;

static struct selection read_len(const char *text, size_t len)
{
    struct selection s;
    assert_true(mgi_selection_parse(&arena, (struct str){ text, len }, &s));
    assert_int_equal(s.kind == SELECTION_INVALID, s.fault != NULL);
    return s;
}

static struct selection parsed(const char *text)
{
    return read_len(text, strlen(text));
}

static void assert_text(struct str s, const char *expected)
{
    char *z = mgi_arena_printf(&arena, "%.*s", STR_ARG(s));
    assert_string_equal(z, expected);
}

static void assert_invalid(const char *text, const char *why)
{
    struct selection s = parsed(text);
    if (s.kind != SELECTION_INVALID || !strstr(s.fault, why))
        fail_msg("%s: kind %s, fault %s, expected INVALID: %s", text,
                 mgi_selection_kind_name(s.kind), s.fault ? s.fault : "-", why);
    assert_int_equal(s.sid, 0); /* T-SEL-1: neither sid nor patch, raw kept */
    assert_false(s.has_patch);
    assert_text(s.raw, text);
}

static void assert_patch(const char *text, const char *patch)
{
    struct selection s = parsed(text);
    if (s.kind != SELECTION_PICK)
        fail_msg("%s: %s", text, s.fault);
    assert_int_equal(s.sid, 7);
    assert_true(s.has_patch);
    assert_int_equal(s.patch.type, JSON_OBJECT);
    assert_text(s.patch.text, patch);
}

static char *wrapped(const char *patch)
{
    return mgi_arena_printf(&arena, "<PICK><SID0007>%s<END>", patch);
}

static void a_pick_is_read_with_blanks_around_it(void **state) /* C-158, T-SEL-1 */
{
    (void)state;
    struct selection s = parsed(" \t\r\n<PICK><SID0007><END>\r\n \t");
    assert_int_equal(s.kind, SELECTION_PICK);
    assert_int_equal(s.sid, 7);
    assert_false(s.has_patch);
    assert_text(s.raw, " \t\r\n<PICK><SID0007><END>\r\n \t"); /* unchanged */
}

static void the_other_kinds_are_read(void **state) /* C-166, T-SEL-1 */
{
    (void)state;
    assert_int_equal(parsed("<NOOP><END>").kind, SELECTION_NOOP);
    assert_int_equal(parsed("<ASK_SUP><END>").kind, SELECTION_ASK_SUP);
    assert_invalid("<NOOP>", "expected <END>");
    assert_invalid("", "the text is empty");
    assert_invalid(" \r\n", "the text is empty");
    assert_invalid("note\n<NOOP><END>", "expected <PICK>, <ASK_SUP> or <NOOP>");
    assert_invalid("<noop><END>", "byte 1");
    assert_invalid("<NOOP><end>", "byte 7: expected <END>, found \"<end>\"");
    assert_invalid("<NOOP><INP>{}</INP><END>", "expected <END>");
    assert_invalid("<ASK_SUP><SID0001><END>", "expected <END>");
}

static void a_plain_patch_is_an_object(void **state) /* C-159, C-165, T-SEL-3, T-SEL-5 */
{
    (void)state;
    assert_patch(wrapped("<INP>{\"a\":1}</INP>"), "{\"a\":1}");
    assert_patch(wrapped("<INP> \n{\"a\":1}\t\r</INP>"), "{\"a\":1}");
    assert_patch(wrapped("<INP>{}</INP>"), "{}");
    assert_invalid(wrapped("<INP>[1]</INP>"), "not a JSON object");
    assert_invalid(wrapped("<INP>{'a':1}</INP>"), "byte 22: the patch is not JSON");
    assert_invalid(mgi_arena_printf(&arena, " \n%s", wrapped("<INP>\t{'a':1}</INP>")),
                   "byte 25: the patch is not JSON"); /* of what it said, blanks counted */
    assert_invalid(wrapped("<INP>{\"a\":1,\"a\":2}</INP>"), "not JSON");
    assert_invalid(wrapped("<INP>{}"), "has no </INP>");
    assert_invalid(wrapped("<INP></INP>"), "not JSON");
    assert_invalid(wrapped("<INP>{}x</INP>"), "not JSON");
    assert_invalid(wrapped("<INP>{}</INP><INP64>e30=</INP64>"), "a second patch");
    assert_invalid(wrapped("<INP64>e30=</INP64><INP>{}</INP>"), "a second patch");
    assert_invalid(wrapped("<INP>{}</INP><INP>{}</INP>"), "a second patch");
    /* Up to the first closing tag, wherever it stands. */
    assert_invalid(wrapped("<INP>{\"a\":\"</INP>\"}</INP>"), "not JSON");
    assert_invalid(wrapped("<INP>{\"a\":\"\xff\"}</INP>"), "not JSON");
}

static void nothing_may_stand_beside_a_pick(void **state) /* C-163, T-SEL-2 */
{
    (void)state;
    assert_invalid("<PICK><SID0007>junk<END>", "byte 16: expected <END>, found \"junk<END>\"");
    assert_invalid("<PICK><SID0001><END>\n<PICK><SID0002><END>", "something stands after <END>");
    assert_invalid("<PICK><SID0007><END><END>", "something stands after <END>");
    assert_invalid("I think <PICK><SID0007><END>", "byte 1");
    assert_invalid("<PICK> <SID0007><END>", "a SID");
    assert_invalid("<PICK><SID0007> <END>", "expected <END>");
    assert_invalid("<PICK><SID0007><INP>{}</INP> <END>", "expected <END>");
    assert_int_equal(read_len("<NOOP><END>\0", 12).kind, SELECTION_INVALID);
}

static void a_sid_has_four_digits(void **state) /* C-164, T-SID-1 */
{
    (void)state;
    static const char wrong[][9] = { "SID7",    "SID00007", "sid0007", "SID12345",
                                     "SID-007", "SID 007",  "SID000a", "" };
    uint16_t sid;
    char printed[SID_CHARS + 1];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(mgi_sid_parse(str_of(wrong[i]), &sid));
        assert_invalid(mgi_arena_printf(&arena, "<PICK><%s><END>", wrong[i]), "SID");
    }
    for (unsigned n = 0; n <= 9999; n++) {
        mgi_sid_print((uint16_t)n, printed);
        assert_int_equal(strlen(printed), SID_CHARS);
        assert_true(mgi_sid_parse(str_of(printed), &sid));
        assert_int_equal(sid, n);
    }
    assert_string_equal(printed, "SID9999");
}

static void base64_patches_are_strict(void **state) /* C-160, C-161, C-162, T-SEL-4 */
{
    (void)state;
    assert_patch(wrapped("<INP64>eyJwYXRoIjoibm90ZXMvYS50eHQifQ==</INP64>"),
                 "{\"path\":\"notes/a.txt\"}");
    assert_patch(wrapped("<INP64>e30</INP64>"), "{}");
    assert_patch(wrapped("<INP64>e30=</INP64>"), "{}");
    assert_patch(wrapped("<INP64>e3 0=\n</INP64>"), "{}");
    assert_patch(wrapped("<INP64>\te\r3\n0 = </INP64>"), "{}");
    assert_invalid(wrapped("<INP64>e30=e30=</INP64>"), "a character after the padding");
    assert_invalid(wrapped("<INP64></INP64>"), "empty");
    assert_invalid(wrapped("<INP64> \n</INP64>"), "empty");
    assert_invalid(wrapped("<INP64>=</INP64>"), "empty");
    assert_invalid(wrapped("<INP64>!!</INP64>"), "byte 23: not a character of Base64");
    assert_invalid(wrapped("<INP64>e30==</INP64>"), "does not complete a group");
    assert_invalid(wrapped("<INP64>eyJ9=</INP64>"), "does not complete a group");
    assert_invalid(wrapped("<INP64>e30=e</INP64>"), "after the padding");
    assert_invalid(wrapped("<INP64>e30xe</INP64>"), "lacks at least one character"); /* 1 mod 4 */
    assert_invalid(wrapped("<INP64>e31</INP64>"), "bits that belong to no byte");
    assert_invalid(wrapped("<INP64>e30-</INP64>"),
                   "not a character"); /* base64url is another one */
    assert_invalid(wrapped("<INP64>WzFd</INP64>"), "not a JSON object"); /* [1] */
    assert_invalid(wrapped("<INP64>/////w==</INP64>"),
                   "byte 1 of the decoded patch is not JSON"); /* UTF-8 */
    assert_invalid(wrapped("<INP64>e30="), "has no </INP64>");
}

static void base64_says_what_it_holds(void **state)
{
    (void)state;
    char out[16];
    size_t len, at;
    assert_null(mgi_base64_decode(STR_LIT("AP+/"), out, &len, &at));
    assert_int_equal(len, 3);
    assert_memory_equal(out, "\x00\xff\xbf", 3);
    assert_null(mgi_base64_decode(STR_LIT("AP8"), out, &len, &at));
    assert_int_equal(len, 2);
    assert_null(mgi_base64_decode(STR_LIT("AA=="), out, &len, &at));
    assert_int_equal(len, 1);
}

static void a_long_text_is_invalid_and_cut(void **state) /* T-SEL-6 */
{
    (void)state;
    size_t most = SELECTION_MAX_BYTES;
    char *text = mgi_arena_alloc(&arena, most + 1);
    memset(text, ' ', most + 1);
    memcpy(text, "<NOOP><END>", 11);
    assert_int_equal(read_len(text, most).kind, SELECTION_NOOP);
    struct selection s = read_len(text, most + 1);
    assert_int_equal(s.kind, SELECTION_INVALID);
    assert_int_equal(s.raw.len, 4096);
}

static void every_cut_and_every_byte_is_survived(void **state)
{
    (void)state;
    static const char *const texts[] = { "<PICK><SID0007><INP>{\"a\":[1]}</INP><END>",
                                         "<PICK><SID0007><INP64>e30=</INP64><END>",
                                         "<ASK_SUP><END>" };
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        size_t len = strlen(texts[t]);
        for (size_t cut = 0; cut < len; cut++) {
            char *part = mgi_alloc(cut); /* so that a read beyond it is seen */
            memcpy(part, texts[t], cut);
            assert_int_equal(read_len(part, cut).kind, SELECTION_INVALID);
            mgi_free(part);
        }
    }
}

static void what_is_written_reads_back(void **state) /* T-HEUR-2, and the seed's object */
{
    (void)state;
    static const char *const patches[] = { "{}", "{\"a\":\"b\"}", "{\"a\":\"</INP>\"}",
                                           "{\"a\":\"</INP>1\"}", "{\"a\":\"</INP>12\"}" };
    for (size_t i = 0; i < sizeof patches / sizeof *patches; i++) {
        struct buf out = { 0 };
        mgi_selection_write_pick(&out, 7, str_of(patches[i]));
        mgi_buf_putc(&out, '\0');
        assert_patch(out.ptr, patches[i]);
        mgi_buf_fini(&out);
    }
    struct selection s = parsed(wrapped("<INP>{\"a\":1}</INP>"));
    struct buf out = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &out, 0);
    mgi_selection_write(&w, &s);
    assert_string_equal(out.ptr, "{\"kind\":\"PICK\",\"sid\":\"SID0007\","
                                 "\"input_patch_json\":\"{\\\"a\\\":1}\","
                                 "\"raw\":\"<PICK><SID0007><INP>{\\\"a\\\":1}</INP><END>\"}");
    mgi_buf_clear(&out);
    s = parsed("<NOOP><END>");
    mgi_json_writer_init(&w, &out, 0);
    mgi_selection_write(&w, &s);
    assert_string_equal(out.ptr, "{\"kind\":\"NOOP\",\"raw\":\"<NOOP><END>\"}");
    mgi_buf_fini(&out);
}

/* ---- patches -------------------------------------------------------------------------------- */

static struct json json_of(const char *text)
{
    struct json v;
    assert_int_equal(mgi_json_parse(&arena, str_of(text), NULL, &v, NULL), JSON_OK);
    return v;
}

static struct patched merge(const char *inputs, const char *patch, const struct patch_rules *rules)
{
    struct patched p;
    const struct patch_rules all = { 0 };
    struct json into = json_of(inputs), from = json_of(patch);
    assert_int_equal(mgi_inputs_patch(&arena, &into, &from, rules ? rules : &all, &p), PATCH_OK);
    return p;
}

static void a_patch_replaces_one_level_deep(void **state) /* C-167, T-SEL-7 */
{
    (void)state;
    struct patched p = merge("{\"path\":\"q\",\"n\":1}", "{\"_system_x\":1,\"path\":\"p\"}", NULL);
    assert_text(p.inputs.text, "{\"path\":\"p\",\"n\":1}");
    assert_int_equal(p.dropped_count, 1);
    assert_text(p.dropped[0], "_system_x");
    assert_int_equal(p.applied_count, 1);
    assert_text(p.applied[0], "path");
    p = merge("{\"o\":{\"a\":1,\"b\":2}}", "{\"o\":{\"c\":3},\"new\":[1.50]}", NULL);
    assert_text(p.inputs.text, "{\"o\":{\"c\":3},\"new\":[1.50]}"); /* not merged inside */
}

static void protected_names_are_dropped_and_named(void **state) /* T-SEL-7 */
{
    (void)state;
    struct patched p =
        merge("{\"_meta\":\"mine\"}",
              "{\"_meta\":1,\"_queue1\":2,\"\\u005fsystem\":3,\"_sys\":4,\"x_meta\":5}", NULL);
    assert_text(p.inputs.text, "{\"_meta\":\"mine\",\"_sys\":4,\"x_meta\":5}");
    assert_int_equal(p.dropped_count, 3);
    assert_text(p.dropped[2], "_system");
}

static void only_allowed_names_pass(void **state) /* T-SEL-7 */
{
    (void)state;
    const struct str names[] = { STR_LIT("path"), STR_LIT("_meta") };
    const struct patch_rules some = { names, 2, true }, none = { .restricted = true };
    struct patched p = merge("{}", "{\"path\":1,\"other\":2,\"_meta\":3}", &some);
    assert_text(p.inputs.text, "{\"path\":1}");
    assert_int_equal(p.dropped_count, 2); /* protected stays protected */
    p = merge("{\"a\":1}", "{\"path\":1}", &none);
    assert_text(p.inputs.text, "{\"a\":1}");
}

static void what_is_no_object_changes_nothing(void **state) /* T-SEL-8 */
{
    (void)state;
    assert_text(merge("{\"a\":1}", "[1]", NULL).inputs.text, "{\"a\":1}");
    assert_text(merge("{\"a\":1}", "null", NULL).inputs.text, "{\"a\":1}");
    assert_text(merge("null", "{\"a\":1}", NULL).inputs.text, "{\"a\":1}");
}

static void inputs_have_a_limit(void **state)
{
    (void)state;
    struct buf text = { 0 };
    struct patched p;
    const struct patch_rules all = { 0 };
    mgi_buf_puts(&text, "{\"a\":\"");
    while (text.len < INPUTS_MAX_BYTES - 10)
        mgi_buf_putc(&text, 'x');
    mgi_buf_puts(&text, "\"}");
    mgi_buf_putc(&text, '\0');
    struct json inputs = json_of(text.ptr), small = json_of("{}");
    struct json more = json_of("{\"bbbbbbbbbbbbbbbb\":1}");
    assert_int_equal(mgi_inputs_patch(&arena, &inputs, &small, &all, &p), PATCH_OK);
    assert_int_equal(mgi_inputs_patch(&arena, &inputs, &more, &all, &p), PATCH_TOO_LARGE);
    mgi_buf_fini(&text);
}

static int setup(void **state)
{
    (void)state;
    mgi_arena_init(&arena, 0);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    mgi_arena_fini(&arena);
    return 0;
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_pick_is_read_with_blanks_around_it),
        T(the_other_kinds_are_read),
        T(a_plain_patch_is_an_object),
        T(nothing_may_stand_beside_a_pick),
        T(a_sid_has_four_digits),
        T(base64_patches_are_strict),
        T(base64_says_what_it_holds),
        T(a_long_text_is_invalid_and_cut),
        T(every_cut_and_every_byte_is_survived),
        T(what_is_written_reads_back),
        T(a_patch_replaces_one_level_deep),
        T(protected_names_are_dropped_and_named),
        T(only_allowed_names_pass),
        T(what_is_no_object_changes_nothing),
        T(inputs_have_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
