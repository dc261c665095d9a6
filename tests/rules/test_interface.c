/* The interface between C and rules: every predicate that C names exists, and every one of
 * rules/schema is explained in rules/README.md and has a doc of its own. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/standard_rules.h"
#include "domains/unit.h"

static void test_every_predicate_that_c_names_is_in_the_program(void **state)
{
    struct snapshot *s = unit_load(UNIT_FOLDER, NULL);
    (void)state;
    assert_non_null(s);
#define CHECK(name, arity)                                                                         \
    if (s->pred.name == MANGLE_NO_PRED)                                                            \
        fail_msg("no rule and no Decl for %s/%d", #name, arity);
    INTERFACE_PREDS(CHECK)
#undef CHECK
    mgi_snapshot_unref(s);
}

static struct str read_whole(const char *path, struct arena *a)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    char *text = mgi_arena_alloc(a, 1 << 20);
    size_t len = fread(text, 1, 1 << 20, f);
    fclose(f);
    return (struct str){ text, len };
}

static void test_every_declared_predicate_is_explained(void **state)
{
    struct snapshot *s = unit_load(UNIT_FOLDER, NULL);
    struct arena a;
    (void)state;
    assert_non_null(s);
    mgi_arena_init(&a, 0);
    struct str page = read_whole(MGI_SOURCE_DIR "/rules/README.md", &a);
    size_t seen = 0;
    for (mangle_pred i = 0; i < mangle_program_pred_count(s->program); i++) {
        struct mangle_pred_view v = mangle_program_pred(s->program, i);
        if (!v.declared || !mgi_str_starts(str_of(v.file), STR_LIT("<standard>/schema/")))
            continue;
        seen++;
        if (mgi_str_find(page, str_of(mgi_arena_printf(&a, "%s(", v.name))) == SIZE_MAX)
            fail_msg("%s is not in rules/README.md", v.name);
        if (strlen(v.doc) == 0)
            fail_msg("%s has no doc", v.name);
    }
    assert_true(seen > 50);
    mgi_arena_fini(&a);
    mgi_snapshot_unref(s);
}

static void test_the_standard_rules_compile_without_a_remark(void **state)
{
    struct mangle_source sources[64];
    mangle_diags *diags = mangle_diags_new();
    mangle_program *program = NULL;
    struct mangle_compile_options options = { .check_bounds = true };
    (void)state;
    assert_true(mgi_standard_rules_count < 64);
    for (size_t i = 0; i < mgi_standard_rules_count; i++)
        sources[i] = (struct mangle_source){ mgi_standard_rules[i].path, mgi_standard_rules[i].text,
                                             mgi_standard_rules[i].len };
    assert_int_equal(mangle_compile(sources, mgi_standard_rules_count, &options, &program, diags),
                     MANGLE_OK);
    assert_int_equal(mangle_diags_count(diags), 0);
    mangle_program_unref(program);
    mangle_diags_free(diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_predicate_that_c_names_is_in_the_program),
        cmocka_unit_test(test_every_declared_predicate_is_explained),
        cmocka_unit_test(test_the_standard_rules_compile_without_a_remark),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("rules/interface", tests, NULL, NULL);
}
