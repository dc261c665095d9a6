/* Making an index of texts and asking it survive the failure of any allocation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/temp_domain.h"
#include "support/nomem.h"

static void make(struct temp_domain *d)
{
    temp_make(d);
    temp_write(d, "domain.yaml",
               "server: {name: s, version: 1.0.0}\n"
               "domain: {id: d, description: d}\n"
               "settings: {place: {type: path, default: here}, size: {type: number, default: 3}}\n"
               "actions: {plugins: [fxunit]}\n"
               "external: {found: {search: {over: about, weights: [2], ignore: [the]}}}\n");
    temp_write(d, "rules/domain/e.mg",
               "Decl found(Text, Key, Rank) descr [external(), mode('+', '-', '-')]\n"
               "  bound [/any, /string, /number].\n"
               "hit(Key, Rank) :- seen(Text), found([Text, \"tree\"], Key, Rank).\n"
               "instruction(\"one\", Key) :- hit(Key, _).\n");
    temp_write(d, "facts/about.mg",
               "Decl about(Key, Text) bound [/string, /string].\n"
               "about(\"oak\", \"a tree\").\nabout(\"rose\", \"the flower\").\n");
}

static struct snapshot *load(const struct temp_domain *d)
{
    static const char *const plugin_paths[] = { MGI_BUILD_DIR "/test-plugins" };
    struct domain_options options = { .actions = &unit_actions,
                                      .plugin_paths = plugin_paths,
                                      .plugin_path_count = 1 };
    struct findings *f = mgi_findings_new();
    struct snapshot *s = f ? mgi_domain_load(d->folder, &options, f) : NULL;
    assert_true(s || !f || mgi_findings_errors(f) > 0);
    mgi_findings_free(f);
    return s;
}

/* How much is found for "flowers" and "tree"; SIZE_MAX: nobody knows. */
static size_t hits(struct snapshot *s)
{
    mangle_overlay *o;
    const struct mangle_fact *facts;
    struct mangle_error error = { 0 };
    size_t count = SIZE_MAX;
    if (mangle_overlay_new(s->base, &o))
        return SIZE_MAX;
    mangle_value text = mangle_string(mangle_overlay_values(o), "flowers", 7);
    if (text == MANGLE_NONE ||
        mangle_overlay_add(o, mangle_pred_find(s->program, "seen", 1), &text, 1, NULL, &error) ||
        mangle_overlay_eval(o, 0, NULL, NULL, &error) ||
        mangle_overlay_facts(o, mangle_pred_find(s->program, "hit", 2), &facts, &count))
        count = SIZE_MAX;
    mangle_overlay_free(o);
    return count;
}

static void test_making_an_index_survives(void **state)
{
    (void)state;
    struct temp_domain d;
    make(&d);
    for (size_t n = 1;; n += n < 100 ? 1 : n / 12) {
        nomem_fail_at(n);
        struct snapshot *s = load(&d);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        mgi_snapshot_unref(s);
        if (!failed)
            break;
    }
    temp_remove(&d);
}

static void test_asking_it_survives(void **state)
{
    (void)state;
    struct temp_domain d;
    make(&d);
    struct snapshot *s = load(&d);
    assert_non_null(s);
    for (size_t n = 1;; n++) {
        nomem_fail_at(n);
        size_t count = hits(s);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(count == 2 || (failed && count == SIZE_MAX));
        if (!failed)
            break;
    }
    mgi_snapshot_unref(s);
    temp_remove(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_making_an_index_survives),
        cmocka_unit_test(test_asking_it_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
