/* Whatever others write, what is read back from our files is the same text, and nothing more. A
 * property test with fixed seeds over texts that are mean to YAML and Mangle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/utf8.h"
#include "domain/yaml.h"
#include "import/quote.h"
#include "import/write.h"
#include "mangle.h"

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    return *seed >> 33;
}

/* Pieces that end strings, begin keys, comments, rules, documents, or are not seen. */
static void mean_text(struct buf *out, uint64_t *seed)
{
    static const char *const pieces[] = { "\"",
                                          "\\",
                                          "'",
                                          "\n",
                                          "\r\n",
                                          "\t",
                                          ": ",
                                          "- ",
                                          "#",
                                          "{",
                                          "}",
                                          "[",
                                          "]",
                                          ",",
                                          "&a",
                                          "*a",
                                          "!!",
                                          "---",
                                          "...",
                                          "%",
                                          "@",
                                          "`",
                                          "|",
                                          ">",
                                          "?",
                                          "~",
                                          "null",
                                          "true",
                                          "0x",
                                          "1e9",
                                          " ",
                                          "\x01",
                                          "\x1b[31m",
                                          "\x7f",
                                          "\xc2\x85",
                                          "\xe2\x80\xa8",
                                          "\xef\xbb\xbf",
                                          "\xe2\x80\xae",
                                          "\xf3\xa0\x81\x81",
                                          "\xf0\x9f\x98\x80",
                                          "\xed\xa0\x80",
                                          "\xff",
                                          "\xc3",
                                          "p(\"x\").",
                                          ":-",
                                          "\\u{41}",
                                          "\\x41",
                                          "\\n",
                                          "a",
                                          "é",
                                          "word" };
    size_t count = next(seed) % 12;
    for (size_t i = 0; i < count; i++)
        mgi_buf_puts(out, pieces[next(seed) % (sizeof pieces / sizeof *pieces)]);
}

/* As it is read back: each bad byte U+FFFD. */
static struct str well_formed(struct arena *a, struct str text)
{
    struct buf out = { 0 };
    char bytes[4];
    for (size_t at = 0; at < text.len;) {
        uint32_t c = mgi_utf8_next(text, &at);
        mgi_buf_append(&out, bytes, mgi_utf8_put(c == UINT32_MAX ? 0xFFFD : c, bytes));
    }
    struct str kept = mgi_arena_str(a, mgi_buf_view(&out));
    mgi_buf_fini(&out);
    return kept;
}

static void yaml_reads_back_the_same(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (int i = 0; i < 3000; i++) {
        struct arena a;
        struct buf text = { 0 }, key = { 0 }, file = { 0 };
        struct findings *findings = mgi_findings_new();
        mgi_arena_init(&a, 0);
        mean_text(&text, &seed);
        mgi_buf_putc(&key, 'k');
        mean_text(&key, &seed);
        assert_true(key.len <= IMPORT_KEY_BYTES);
        mgi_buf_puts(&file, "before: 1\n");
        mgi_import_yaml_key(&file, mgi_buf_view(&key));
        mgi_import_yaml_text(&file, mgi_buf_view(&text));
        mgi_buf_puts(&file, "\nflow: {");
        for (size_t n = next(&seed) % 3000; i % 7 == 0 && n > 0; n--)
            mgi_buf_putc(&key, n % 5 ? 'y' : '\t');
        mgi_import_yaml_flow_key(&file, mgi_buf_view(&key));
        mgi_import_yaml_text(&file, mgi_buf_view(&text));
        mgi_buf_puts(&file, "}\n");
        const struct yaml_context c = { .arena = &a, .findings = findings };
        const struct yaml_node *root = mgi_yaml_parse(&c, "f.yaml", mgi_buf_view(&file), 0);
        if (!root)
            fail_msg("%d cannot be read: %s\n%s", i, file.ptr,
                     mgi_findings_get(findings, 0)->message);
        assert_int_equal(root->count, 3);
        struct str want = well_formed(&a, mgi_buf_view(&text));
        const struct yaml_entry *e = &root->entries[1];
        const struct yaml_entry *in = &root->entries[2].value->entries[0];
        if (!str_eq(e->value->text, want) || !str_eq(in->value->text, want) || e->value->plain)
            fail_msg("%d differs: %s", i, file.ptr);
        assert_true(str_eq(in->key, well_formed(&a, mgi_buf_view(&key))));
        assert_true(mgi_str_starts(in->key, e->key));
        mgi_findings_free(findings);
        mgi_buf_fini(&text);
        mgi_buf_fini(&key);
        mgi_buf_fini(&file);
        mgi_arena_fini(&a);
    }
}

static void mangle_reads_back_the_same(void **state)
{
    static const char decl[] = "Decl p(X, Y) bound [/number, /string].\n";
    uint64_t seed = 2;
    enum { N = 2000 };
    struct arena a;
    struct buf file = { 0 };
    struct str *want;
    (void)state;
    mgi_arena_init(&a, 0);
    want = mgi_arena_calloc(&a, N, sizeof *want);
    mgi_buf_puts(&file, decl);
    for (int i = 0; i < N; i++) {
        struct buf text = { 0 };
        mean_text(&text, &seed);
        mgi_buf_printf(&file, "p(%d, ", i);
        mgi_import_mangle_text(&file, mgi_buf_view(&text));
        mgi_buf_puts(&file, ").\n");
        want[i] = well_formed(&a, mgi_buf_view(&text));
        mgi_buf_fini(&text);
    }
    const struct mangle_source source = { .name = "f.mg", .text = file.ptr, .len = file.len };
    const struct mangle_limits limits = { 0 };
    mangle_program *program;
    mangle_base *base;
    mangle_overlay *o;
    const struct mangle_fact *facts;
    size_t count;
    assert_int_equal(mangle_compile(&source, 1, NULL, &program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(program, &base), MANGLE_OK);
    assert_int_equal(mangle_base_close(base, &limits, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_new(base, &o), MANGLE_OK);
    assert_int_equal(mangle_overlay_eval(o, 0, &limits, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_facts(o, mangle_pred_find(program, "p", 2), &facts, &count),
                     MANGLE_OK);
    assert_int_equal(count, N);
    for (size_t i = 0; i < count; i++) {
        size_t len;
        int64_t n = mangle_int_of(mangle_overlay_values(o), facts[i].args[0]);
        const char *text = mangle_text_of(mangle_overlay_values(o), facts[i].args[1], &len);
        if (!str_eq((struct str){ text, len }, want[n]))
            fail_msg("%lld differs", (long long)n);
    }
    mangle_overlay_free(o);
    mangle_base_unref(base);
    mangle_program_unref(program);
    mgi_buf_fini(&file);
    mgi_arena_fini(&a);
}

/* ---- a whole tool -----------------------------------------------------------------------------
 */

static void mean_schema(struct buf *out, uint64_t *seed)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "$schema", "http://json-schema.org/draft-07/schema#");
    mgi_jw_member_cstr(&w, "type", "object");
    mgi_jw_key(&w, "properties");
    mgi_jw_begin_object(&w);
    for (int i = 0; i < 3; i++) {
        struct buf name = { 0 }, text = { 0 };
        mgi_buf_printf(&name, "%d", i);
        mean_text(&name, seed);
        mean_text(&text, seed);
        mgi_jw_key_str(&w, mgi_buf_view(&name));
        mgi_jw_begin_object(&w);
        mgi_jw_member_cstr(&w, "type", "string");
        mgi_jw_member_str(&w, "default", mgi_buf_view(&text));
        mgi_jw_member_str(&w, "description", mgi_buf_view(&text));
        mgi_jw_end_object(&w);
        mgi_buf_fini(&name);
        mgi_buf_fini(&text);
    }
    mgi_jw_end_object(&w);
    mgi_jw_end_object(&w);
}

static void tools_of_others_stay_tools(void **state)
{
    uint64_t seed = 3;
    (void)state;
    for (int i = 0; i < 500; i++) {
        struct arena a;
        struct buf text = { 0 }, schema = { 0 }, file = { 0 };
        struct json v, out;
        struct findings *findings = mgi_findings_new();
        mgi_arena_init(&a, 0);
        mean_text(&text, &seed);
        mean_schema(&schema, &seed);
        assert_int_equal(mgi_json_parse(&a, mgi_buf_view(&schema), NULL, &v, NULL), JSON_OK);
        struct import_tool t = { .server = STR_LIT("s"),
                                 .name = mgi_buf_view(&text),
                                 .description = mgi_buf_view(&text),
                                 .aid = STR_LIT("AID.MCP.S.X.v1"),
                                 .schema = &v,
                                 .hints = { -1, -1, -1, -1 } };
        assert_true(mgi_import_study(&a, &t));
        assert_true(mgi_import_name_tools(&a, &t, 1));
        assert_true(mgi_import_tool_file(&a, &file, &t));
        const struct yaml_context c = { .arena = &a, .findings = findings };
        const struct yaml_node *root = mgi_yaml_parse(&c, "f.yaml", mgi_buf_view(&file), 0);
        if (!root || !mgi_yaml_to_json(&a, root, &out))
            fail_msg("%d cannot be read: %s", i, file.ptr);
        assert_int_equal(out.count, 7);
        const struct json *properties =
            mgi_json_get(mgi_json_get(&out, "input_schema"), "properties");
        const struct json *steps = mgi_json_get(&out, "steps");
        const struct json *inputs = mgi_json_get(&steps->items[0], "inputs");
        const struct json *given = mgi_json_get(&v, "properties");
        assert_int_equal(steps->count, 1);
        assert_int_equal(properties->count, given->count);
        assert_int_equal(inputs->count, given->count);
        for (uint32_t k = 0; k < given->count; k++) {
            const struct json *before = mgi_json_get(&given->members[k].value, "default");
            const struct json *after = mgi_json_get(&properties->members[k].value, "default");
            assert_true(str_eq(before->string, after->string));
            assert_true(str_eq(inputs->members[k].name, given->members[k].name));
        }
        mgi_findings_free(findings);
        mgi_buf_fini(&text);
        mgi_buf_fini(&schema);
        mgi_buf_fini(&file);
        mgi_arena_fini(&a);
    }
}

static void what_is_nested_too_deep_is_left_out(void **state)
{
    struct arena a;
    struct buf schema = { 0 }, file = { 0 };
    struct json v;
    (void)state;
    mgi_arena_init(&a, 0);
    mgi_buf_puts(&schema, "{\"default\":");
    for (int i = 0; i < 100; i++)
        mgi_buf_putc(&schema, '[');
    for (int i = 0; i < 100; i++)
        mgi_buf_putc(&schema, ']');
    mgi_buf_putc(&schema, '}');
    assert_int_equal(
        mgi_json_parse(&a, mgi_buf_view(&schema), &(struct json_options){ 200 }, &v, NULL),
        JSON_OK);
    struct import_tool t = {
        .server = STR_LIT("s"), .name = STR_LIT("x"), .schema = &v, .id = "x"
    };
    assert_false(mgi_import_tool_file(&a, &file, &t));
    assert_non_null(t.left_out);
    assert_int_equal(file.len, 0);
    mgi_buf_fini(&schema);
    mgi_buf_fini(&file);
    mgi_arena_fini(&a);
}

static void a_line_is_one_line(void **state)
{
    struct buf out = { 0 };
    (void)state;
    mgi_import_one_line(&out,
                        STR_LIT("  a\n\n\tb\xe2\x80\xa8"
                                "c\x1b[31m  d \xc3\xa9"),
                        100);
    assert_string_equal(out.ptr, "a b c [31m d \xc3\xa9");
    mgi_buf_clear(&out);
    mgi_import_one_line(&out, STR_LIT("abc \xc3\xa9\xc3\xa9"), 7);
    assert_string_equal(out.ptr, "abc \xc3\xa9");
    mgi_buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(yaml_reads_back_the_same),
        cmocka_unit_test(mangle_reads_back_the_same),
        cmocka_unit_test(tools_of_others_stay_tools),
        cmocka_unit_test(what_is_nested_too_deep_is_left_out),
        cmocka_unit_test(a_line_is_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
