/* Snapshots of domains: what they hold is not worked out again, what they do not hold is, and
 * nothing in them is believed that YAML or a plugin could not have said. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/prepared.h"
#include "domain/temp_domain.h"
#include "domain/yaml_tree.h"

static const char *const plugin_paths[] = { MGI_BUILD_DIR "/test-plugins" };

static struct snapshot *load(const struct temp_domain *d, const char *set, const char *file,
                             struct prepared_notes *notes, struct buf *told)
{
    struct domain_options options = { .actions = &unit_actions,
                                      .plugin_paths = plugin_paths,
                                      .plugin_path_count = 1,
                                      .set = &set,
                                      .set_count = set ? 1 : 0,
                                      .prepared = file,
                                      .prepared_text = told,
                                      .notes = notes };
    struct findings *findings = mgi_findings_new();
    struct snapshot *s = mgi_domain_load(d->folder, &options, findings);
    if (!s)
        fail_msg("%s", mgi_findings_get(findings, 0)->message);
    mgi_findings_free(findings);
    return s;
}

static void build(const struct temp_domain *d, const char *file)
{
    struct prepared_notes *notes = mgi_prepared_notes_new();
    struct prepared whole = { .notes = notes };
    struct buf out = { 0 };
    struct snapshot *s = load(d, NULL, NULL, notes, NULL);
    assert_false(s->linted);
    mgi_prepared_note_linted(&whole, s);
    assert_true(mgi_prepared_write(notes, &out));
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(out.ptr, 1, out.len, f), out.len);
    fclose(f);
    chmod(file, 0600);
    mgi_buf_fini(&out);
    mgi_snapshot_unref(s);
    mgi_prepared_notes_free(notes);
}

/* The text of what was told, without the name of the file; *linted and the summary of the tool. */
static void expect(const struct temp_domain *d, const char *set, const char *file,
                   const char *wanted, bool linted, const char *summary)
{
    struct buf told = { 0 };
    struct snapshot *s = load(d, set, file, NULL, &told);
    const char *line = told.len ? strstr(told.ptr, ".snapshot: ") : NULL;
    assert_string_equal(line ? line + strlen(".snapshot: ") : "", wanted);
    assert_int_equal(s->linted, linted);
    assert_int_equal(s->tool_count, 1);
    assert_true(str_is(s->tools[0].summary, summary));
    assert_true(str_is(s->skills[0].content, "Text."));
    mgi_snapshot_unref(s);
    mgi_buf_fini(&told);
}

static void make(struct temp_domain *d, char file[128])
{
    temp_make(d);
    temp_write(d, "skills/a/SKILL.md", "---\nname: N\ndescription: D\n---\nText.\n");
    snprintf(file, 128, "%s/x.snapshot", d->folder);
    build(d, file);
}

#define NEW_TOOL                                                                                   \
    "tool: one\nsummary: new\ndescription: d\ninput_schema: {type: object}\n"                      \
    "steps:\n  - {id: a, action: AID.FX.ECHO.v1, inputs: {label: x}}\n"                            \
    "result: {x: {from: steps.a.output.label}}\n"

static void test_what_has_not_changed_is_not_worked_out_again(void **state)
{
    struct temp_domain d;
    char file[128];
    (void)state;
    make(&d, file);
    expect(&d, NULL, file, "", true, "s");
    temp_remove(&d);
}

static void test_what_has_changed_is_read_from_the_folder(void **state)
{
    struct temp_domain d;
    char file[128];
    (void)state;
    make(&d, file);
    temp_write(&d, "tools/t.yaml", NEW_TOOL);
    /* domain.yaml, the tool, the skill, and whether the checks passed for all of it */
    expect(&d, NULL, file, "2 of 4 parts are not in it: they changed since, or are set otherwise\n",
           false, "new");
    temp_remove(&d);
}

static void test_rules_and_settings_make_another_domain(void **state)
{
    struct temp_domain d;
    char file[128];
    const char *told = "1 of 4 parts are not in it: they changed since, or are set otherwise\n";
    (void)state;
    make(&d, file);
    expect(&d, "settings.size=4", file, told, false, "s");
    temp_write(&d, "rules/domain/d.mg",
               "tool_relevant_to_intent(\"one\", \"go\", 51) :- seen(_).\n");
    expect(&d, NULL, file, told, false, "s");
    temp_remove(&d);
}

static void write_raw(const char *file, struct str bytes)
{
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes.ptr, 1, bytes.len, f), bytes.len);
    fclose(f);
}

static void test_a_file_that_cannot_be_trusted_is_told_and_not_used(void **state)
{
    struct temp_domain d;
    char file[128], missing[160];
    struct buf bytes = { 0 };
    (void)state;
    make(&d, file);
#define ALONE ": the domain is loaded from its folder alone\n"
    chmod(file, 0620);
    expect(&d, NULL, file, "others than its owner may write it" ALONE, false, "s");
    chmod(file, 0600);
    if (geteuid() == 0) { /* only root can give a file away */
        assert_int_equal(chown(file, 4242, (gid_t)-1), 0);
        expect(&d, NULL, file, "it belongs to another user" ALONE, false, "s");
        assert_int_equal(chown(file, 0, (gid_t)-1), 0);
    }
    FILE *f = fopen(file, "rb");
    char chunk[4096];
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, f)) > 0;)
        mgi_buf_append(&bytes, chunk, n);
    fclose(f);
    write_raw(file, (struct str){ bytes.ptr, bytes.len - 8 });
    expect(&d, NULL, file, "it is not whole" ALONE, false, "s");
    bytes.ptr[bytes.len - 9] ^= 1;
    write_raw(file, mgi_buf_view(&bytes));
    expect(&d, NULL, file, "it is damaged" ALONE, false, "s");
    write_raw(file, STR_LIT("server: {name: s}\n"));
    expect(&d, NULL, file, "it is no such file" ALONE, false, "s");
    snprintf(missing, sizeof missing, "%s/no.snapshot", d.folder);
    expect(&d, NULL, missing, "No such file or directory" ALONE, false, "s");
    snprintf(missing, sizeof missing, "%s/folder.snapshot", d.folder);
    mkdir(missing, 0700);
    expect(&d, NULL, missing, "it is not a regular file" ALONE, false, "s");
    mgi_buf_fini(&bytes);
    temp_remove(&d);
}

/* ---- trees ----------------------------------------------------------------------------------- */

static const char tree_text[] = "a: 1\n'b': [x, \"y\\0z\", {c: ~}, []]\nlong: >\n  two\n  words\n"
                                "k1: 1\nk2: 2\nk3: 3\nk4: 4\nk5: 5\nk6: 6\nk7: 7\nk8: 8\nk9: 9\n"
                                "k10: 1\nk11: 2\nk12: 3\nk13: 4\nk14: 5\nk15: 6\n\u00e4: \u00f6\n";

static void print_tree(struct buf *out, const struct yaml_node *n)
{
    mgi_buf_printf(out, "%d%d@%u:%u[%.*s|%zu]", (int)n->kind, n->plain, n->line, n->column,
                   STR_ARG(n->text), n->count);
    for (size_t i = 0; i < n->count; i++) {
        mgi_buf_printf(out, "%.*s@%u:%u=", STR_ARG(n->entries[i].key), n->entries[i].line,
                       n->entries[i].column);
        print_tree(out, n->entries[i].value);
    }
}

static void test_a_tree_comes_back_as_it_was(void **state)
{
    struct arena arena;
    struct buf bytes = { 0 }, before = { 0 }, after = { 0 };
    struct findings *findings = mgi_findings_new();
    (void)state;
    mgi_arena_init(&arena, 0);
    struct yaml_context c = { .arena = &arena, .findings = findings };
    struct yaml_node *n = mgi_yaml_parse(&c, "f", str_of(""), 0);
    mgi_yaml_tree_write(&bytes, n);
    n = mgi_yaml_tree_read(&c, "f", mgi_buf_view(&bytes));
    assert_non_null(n);
    assert_int_equal(n->kind, YAML_MAP);
    mgi_buf_clear(&bytes);
    n = mgi_yaml_parse(&c, "f", (struct str){ tree_text, sizeof tree_text - 1 }, 300);
    assert_non_null(n);
    print_tree(&before, n);
    mgi_yaml_tree_write(&bytes, n);
    n = mgi_yaml_tree_read(&c, "g", mgi_buf_view(&bytes));
    assert_non_null(n);
    assert_string_equal(n->origin, "g");
    print_tree(&after, n);
    assert_string_equal(after.ptr, before.ptr);
    for (size_t len = 0; len < bytes.len; len++)
        assert_null(mgi_yaml_tree_read(&c, "g", (struct str){ bytes.ptr, len }));
    mgi_buf_putc(&bytes, '\0');
    assert_null(mgi_yaml_tree_read(&c, "g", mgi_buf_view(&bytes)));
    mgi_buf_fini(&bytes);
    mgi_buf_fini(&before);
    mgi_buf_fini(&after);
    mgi_findings_free(findings);
    mgi_arena_fini(&arena);
}

static void test_bytes_that_are_no_tree_are_none(void **state)
{
    (void)state;
    const struct str bad[] = {
        STR_LIT("\x03\x01\x01\x01x\0"),                     /* no such kind */
        STR_LIT("\x05\x01\x01\x00"),                        /* a plain list */
        STR_LIT("\x00\x01\x01\x01x"),                       /* no NUL */
        STR_LIT("\x00\x01\x01\x01xy"),                      /* another byte there */
        STR_LIT("\x00\x01\x01\x01\xff\0"),                  /* no UTF-8 */
        STR_LIT("\x00\xff\xff\xff\xff\xff\x01\x01\x01x\0"), /* more than 32 bits */
        STR_LIT("\x00\xff\xff\xff\xff\x1f\x01\x01x\0"),     /* the same in five bytes */
        STR_LIT(
            "\x01\x01\x01\xff\xff\xff\xff\x0f\x00\x01\x01\x00\x00"),  /* a count beyond the end */
        STR_LIT("\x02\x01\x01\x02\x01k\0\x01\x01\x00\x01\x01\x00\x00" /* a key twice */
                "\x01k\0\x01\x01\x00\x01\x01\x00\x00"),
    };
    struct arena arena;
    struct findings *findings = mgi_findings_new();
    mgi_arena_init(&arena, 0);
    struct yaml_context c = { .arena = &arena, .findings = findings };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (mgi_yaml_tree_read(&c, "f", bad[i]))
            fail_msg("number %zu is taken for a tree", i);
    char deep[4 * (YAML_MAX_DEPTH + 1) + 5];
    for (int levels = YAML_MAX_DEPTH; levels <= YAML_MAX_DEPTH + 1; levels++) {
        size_t len = 0;
        for (int i = 0; i < levels; i++) {
            memcpy(deep + len, "\x01\x01\x01\x01", 4);
            len += 4;
        }
        memcpy(deep + len, "\x00\x01\x01\x00\x00", 5);
        struct str bytes = { deep, len + 5 };
        assert_int_equal(mgi_yaml_tree_read(&c, "f", bytes) != NULL, levels == YAML_MAX_DEPTH);
    }
    mgi_findings_free(findings);
    mgi_arena_fini(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_has_not_changed_is_not_worked_out_again),
        cmocka_unit_test(test_what_has_changed_is_read_from_the_folder),
        cmocka_unit_test(test_rules_and_settings_make_another_domain),
        cmocka_unit_test(test_a_file_that_cannot_be_trusted_is_told_and_not_used),
        cmocka_unit_test(test_a_tree_comes_back_as_it_was),
        cmocka_unit_test(test_bytes_that_are_no_tree_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
