/* External predicates, asked of a table and of an action that a function plays: loading and asking
 * survive the failure of any allocation, and what was asked is what the rules needed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "domain/temp_domain.h"
#include "support/nomem.h"

static size_t asked;                          /* since a test began */
static int keepers;                           /* that are not let go of yet */
static bool silent;                           /* nothing is answered */
static int64_t least_ms = 700, most_ms = 700; /* how long one has for it */

/* Of tea there are four, in two places; of anything else nothing. */
static bool play(const char *program, const struct action_question *question, struct arena *arena,
                 struct json *outputs, const char **why)
{
    static const char some[] =
        "{\"rows\":[{\"count\":4,\"where\":\"a\"},{\"count\":4,\"where\":\"b\"}]}";
    assert_string_equal(program, "nobody");
    assert_true(str_is(question->action->aid, "AID.FX.ECHO.v1"));
    assert_in_range(question->timeout_ms, least_ms, most_ms);
    assert_false(question->is_over(question->context));
    assert_true((question->kept != NULL) == (keepers > 0));
    *why = silent ? "the sea is away" : "out of memory";
    for (size_t i = 0; !silent && i < question->count; i++) {
        bool tea = str_is(question->inputs[i], "{\"what\":\"tea\"}");
        struct str answer = str_of(tea ? some : "{\"rows\":[]}");
        asked++;
        if (mgi_json_parse(arena, answer, NULL, &outputs[i], NULL) != JSON_OK)
            return false;
    }
    return !silent;
}

static struct kept_host *keep(const struct action_source *source)
{
    (void)source;
    void *kept = mgi_calloc(1, 1);
    keepers += kept != NULL;
    return kept;
}

static void let_go(struct kept_host *kept)
{
    keepers--;
    mgi_free(kept);
}

/* `stock`: more that is said of the action. */
static void make_with(struct temp_domain *d, const char *stock)
{
    struct buf yaml = { 0 };
    temp_make(d);
    mgi_buf_printf(
        &yaml,
        "server: {name: s, version: 1.0.0}\n"
        "domain: {id: d, description: d}\n"
        "settings: {place: {type: path, default: here}, size: {type: number, default: 3}}\n"
        "actions: {plugins: [fxunit]}\n"
        "external:\n"
        "  price: {table: tables/p.csv}\n"
        "  stock: {action: AID.FX.ECHO.v1, deterministic: false, timeout: 700ms%s}\n",
        stock);
    temp_write(d, "domain.yaml", yaml.ptr);
    mgi_buf_fini(&yaml);
    temp_write(d, "tables/p.csv", "What,Cents\ntea,300\npot,2450\n");
    temp_write(
        d, "rules/domain/e.mg",
        "Decl price(What, Cents) descr [external(), mode('+', '-')] bound [/string, /number].\n"
        "Decl stock(What, Count, Where) descr [external(), mode('+', '-', '-')]\n"
        "  bound [/string, /number, /string].\n"
        "offer(What, Cents, Where) :- seen(What), price(What, Cents), stock(What, 4, Where).\n"
        "instruction(\"one\", Where) :- offer(_, _, Where).\n");
}

static void make(struct temp_domain *d)
{
    make_with(d, "");
}

static void make_optional(struct temp_domain *d)
{
    make_with(d, ", keep: true, otherwise: [{count: 4, where: $why}, {count: 4, where: b}]");
}

static struct snapshot *load(const struct temp_domain *d, struct findings *f)
{
    static const char *const plugin_paths[] = { MGI_BUILD_DIR "/test-plugins" };
    struct action_source actions = unit_actions;
    actions.ask = play;
    actions.program = "nobody";
    actions.keep = keep;
    actions.let_go = let_go;
    struct domain_options options = { .actions = &actions,
                                      .plugin_paths = plugin_paths,
                                      .plugin_path_count = 1 };
    return mgi_domain_load(d->folder, &options, f);
}

/* How many offers follow from having seen tea and soap; SIZE_MAX: *error says why none is known. */
static size_t offers_within(struct snapshot *s, const struct mangle_limits *limits,
                            struct mangle_error *error)
{
    mangle_overlay *o;
    const struct mangle_fact *facts;
    size_t count = SIZE_MAX;
    mangle_pred seen = mangle_pred_find(s->program, "seen", 1);
    mangle_pred offer = mangle_pred_find(s->program, "offer", 3);
    if (mangle_overlay_new(s->base, &o))
        return SIZE_MAX;
    mangle_values *t = mangle_overlay_values(o);
    mangle_value tea = mangle_string(t, "tea", 3), soap = mangle_string(t, "soap", 4);
    if (tea == MANGLE_NONE || soap == MANGLE_NONE ||
        mangle_overlay_add(o, seen, &tea, 1, NULL, error) ||
        mangle_overlay_add(o, seen, &soap, 1, NULL, error) ||
        mangle_overlay_eval(o, 0, limits, NULL, error) ||
        mangle_overlay_facts(o, offer, &facts, &count))
        count = SIZE_MAX;
    mangle_overlay_free(o);
    return count;
}

static size_t offers(struct snapshot *s, struct mangle_error *error)
{
    return offers_within(s, NULL, error);
}

static void test_only_what_rules_need_is_asked(void **state)
{
    (void)state;
    struct temp_domain d;
    struct mangle_error error = { 0 };
    struct findings *f = mgi_findings_new();
    make(&d);
    asked = 0;
    struct snapshot *s = load(&d, f);
    assert_non_null(s);
    assert_int_equal(asked, 0); /* nobody runs actions while a domain is loaded */
    assert_int_equal(offers(s, &error), 2);
    assert_int_equal(asked, 1); /* soap has no price, so its stock is of no interest */
    assert_int_equal(s->external_count, 2);
    assert_true(s->externals[0].deterministic);
    assert_false(s->externals[1].deterministic); /* P-DET-5 */
    mgi_snapshot_unref(s);
    mgi_findings_free(f);
    temp_remove(&d);
}

static int64_t standing_clock(void *context)
{
    (void)context;
    return 0;
}

static void test_nobody_has_longer_than_the_evaluation(void **state)
{
    (void)state;
    struct temp_domain d;
    struct mangle_error error = { 0 };
    struct mangle_limits limits = { .timeout_ns = 40 * 1000000, .clock = standing_clock };
    struct findings *f = mgi_findings_new();
    make(&d);
    struct snapshot *s = load(&d, f);
    assert_non_null(s);
    least_ms = 40, most_ms = 42;
    assert_int_equal(offers_within(s, &limits, &error), 2);
    least_ms = most_ms = 700;
    mgi_snapshot_unref(s);
    mgi_findings_free(f);
    temp_remove(&d);
}

static void test_what_may_fail_has_another_answer(void **state)
{
    (void)state;
    struct temp_domain d;
    struct mangle_error error = { 0 };
    struct findings *f = mgi_findings_new();
    make_optional(&d);
    struct snapshot *s = load(&d, f);
    assert_non_null(s);
    assert_int_equal(keepers, 1);
    assert_int_equal(offers(s, &error), 2);
    silent = true;
    assert_int_equal(offers(s, &error), 2); /* of which one is the reason */
    for (size_t n = 1;; n++) {
        nomem_fail_at(n);
        size_t count = offers(s, &error);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(count == 2 || (failed && count == SIZE_MAX));
        if (!failed)
            break;
    }
    silent = false;
    mgi_snapshot_unref(s);
    assert_int_equal(keepers, 0);
    mgi_findings_free(f);
    temp_remove(&d);
}

static void test_loading_external_predicates_survives(void **state)
{
    (void)state;
    struct temp_domain d;
    make_optional(&d);
    for (size_t n = 1;; n += n < 100 ? 1 : n / 12) {
        nomem_fail_at(n);
        struct findings *f = mgi_findings_new();
        struct snapshot *s = f ? load(&d, f) : NULL;
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(s || !f || mgi_findings_errors(f) > 0);
        mgi_snapshot_unref(s);
        mgi_findings_free(f);
        assert_int_equal(keepers, 0);
        if (!failed)
            break;
    }
    temp_remove(&d);
}

static void test_asking_survives(void **state)
{
    (void)state;
    struct temp_domain d;
    struct findings *f = mgi_findings_new();
    make(&d);
    struct snapshot *s = load(&d, f);
    assert_non_null(s);
    for (size_t n = 1;; n++) {
        struct mangle_error error = { 0 };
        nomem_fail_at(n);
        size_t count = offers(s, &error);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(count == 2 || (failed && count == SIZE_MAX));
        if (!failed)
            break;
    }
    mgi_snapshot_unref(s);
    mgi_findings_free(f);
    temp_remove(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_what_rules_need_is_asked),
        cmocka_unit_test(test_nobody_has_longer_than_the_evaluation),
        cmocka_unit_test(test_what_may_fail_has_another_answer),
        cmocka_unit_test(test_loading_external_predicates_survives),
        cmocka_unit_test(test_asking_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
