/* Making a snapshot and starting from one survive the failure of an allocation: a file that is
 * whole or none, a domain that is whole or an error, and nothing left alive. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/prepared.h"
#include "domain/temp_domain.h"
#include "support/nomem.h"

static const char *const plugin_paths[] = { MGI_BUILD_DIR "/test-plugins" };

static struct snapshot *load(const struct temp_domain *d, const char *file,
                             struct prepared_notes *notes, struct buf *told)
{
    struct domain_options options = { .actions = &unit_actions,
                                      .plugin_paths = plugin_paths,
                                      .plugin_path_count = 1,
                                      .prepared = file,
                                      .prepared_text = told,
                                      .notes = notes };
    struct findings *findings = mgi_findings_new();
    struct snapshot *s = findings ? mgi_domain_load(d->folder, &options, findings) : NULL;
    mgi_findings_free(findings);
    return s;
}

static bool build(const struct temp_domain *d, struct buf *out)
{
    struct prepared_notes *notes = mgi_prepared_notes_new();
    struct prepared whole = { .notes = notes };
    struct snapshot *s = notes ? load(d, NULL, notes, NULL) : NULL;
    if (s)
        mgi_prepared_note_linted(&whole, s);
    bool ok = s && mgi_prepared_write(notes, out);
    mgi_snapshot_unref(s);
    mgi_prepared_notes_free(notes);
    return ok;
}

static void make(struct temp_domain *d)
{
    temp_make(d);
    temp_write(d, "skills/a/SKILL.md", "---\nname: N\ndescription: D\n---\nText.\n");
}

static void test_what_is_made_is_whole_or_nothing(void **state)
{
    struct temp_domain d;
    struct buf whole = { 0 };
    (void)state;
    make(&d);
    assert_true(build(&d, &whole));
    for (size_t n = 1;; n += n < 60 ? 1 : n / 12) {
        struct buf out = { 0 };
        nomem_fail_at(n);
        bool ok = build(&d, &out), failed = nomem_failed();
        nomem_fail_at(0);
        if (ok)
            assert_true(str_eq(mgi_buf_view(&out), mgi_buf_view(&whole)));
        mgi_buf_fini(&out);
        if (!failed)
            break;
    }
    mgi_buf_fini(&whole);
    temp_remove(&d);
}

static void test_starting_from_it_survives(void **state)
{
    struct temp_domain d;
    struct buf out = { 0 };
    char file[128];
    (void)state;
    make(&d);
    assert_true(build(&d, &out));
    snprintf(file, sizeof file, "%s/x.snapshot", d.folder);
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(out.ptr, 1, out.len, f), out.len);
    fclose(f);
    chmod(file, 0600);
    for (size_t n = 1;; n += n < 60 ? 1 : n / 12) {
        struct buf told = { 0 };
        nomem_fail_at(n);
        struct snapshot *s = load(&d, file, NULL, &told);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (s)
            assert_true(str_is(s->skills[0].content, "Text."));
        if (!failed)
            assert_true(s && s->linted);
        mgi_snapshot_unref(s);
        mgi_buf_fini(&told);
        if (!failed)
            break;
    }
    mgi_buf_fini(&out);
    temp_remove(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_made_is_whole_or_nothing),
        cmocka_unit_test(test_starting_from_it_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
