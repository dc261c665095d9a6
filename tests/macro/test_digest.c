/* Digests that are remembered are those that are worked out: whatever differs between two
 * compositions of a tool makes another digest, with a memo as without one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/temp_domain.h"
#include "macro/macro.h"

#define VARIANTS 7
#define LONG     5000 /* bytes of a bound value: longer than what is kept */

static struct temp_domain domain;
static struct snapshot *snapshot;
static struct arena arena;

static int set_up(void **state)
{
    struct buf findings = { 0 };
    (void)state;
    temp_make(&domain);
    temp_write(&domain, "tools/more.yaml",
               "- {tool: two, summary: s, description: d, input_schema: {type: object}}\n");
    snapshot = temp_load(&domain, NULL, false, &findings);
    if (!snapshot)
        fail_msg("%s", findings.ptr);
    mgi_buf_fini(&findings);
    mgi_arena_init(&arena, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    mgi_arena_fini(&arena);
    mgi_snapshot_unref(snapshot);
    temp_remove(&domain);
    return 0;
}

static struct json parsed(const char *text)
{
    struct json v;
    assert_int_equal(mgi_json_parse(&arena, str_of(text), NULL, &v, NULL), JSON_OK);
    return v;
}

static struct json long_value(void)
{
    char *text = mgi_arena_alloc(&arena, LONG + 1);
    memset(text, '7', LONG);
    text[0] = text[LONG - 1] = '"';
    text[LONG] = '\0';
    return parsed(text);
}

/* `tool` as it stands, and with one thing changed each: all that a digest is made of. */
static struct macro variant(const char *tool, int i)
{
    static const uint32_t steps[] = { 0 };
    static const struct str none[] = { { "none", 4 } }, network[] = { { "network", 7 } };
    const struct tool *t = mgi_snapshot_tool(snapshot, str_of(tool));
    struct macro m = { .tool = t->name,
                       .rules_version = snapshot->rules_version,
                       .input_schema = t->input_schema,
                       .steps = steps,
                       .step_count = t->step_count,
                       .effects = none,
                       .effect_count = 1 };
    struct macro_param *bound = mgi_arena_calloc(&arena, 1, sizeof *bound);
    *bound = (struct macro_param){ STR_LIT("q"), i == 6 ? long_value() : parsed("1") };
    m.requires_confirmation = i == 1;
    m.reversible = i == 2;
    m.idempotent = i == 3;
    if (i == 4)
        m.effects = network;
    if (i >= 5) {
        m.bound = bound;
        m.bound_count = 1;
    }
    return m;
}

static struct str digest(struct digest_memo *memo, const struct macro *of)
{
    struct macro m = *of;
    assert_true(mgi_macro_digest(&arena, snapshot, memo, &m));
    assert_int_equal(m.digest.len, 64);
    return m.digest;
}

static void test_what_is_remembered_is_what_would_be_worked_out(void **state) /* P-TOOL-2 */
{
    static const char *const tools[] = { "one", "two" };
    struct digest_memo *memo = mgi_digest_memo_new(snapshot);
    struct str seen[2 * VARIANTS];
    size_t count = 0;
    (void)state;
    for (size_t t = 0; t < 2; t++)
        for (int i = 0; i < VARIANTS; i++) {
            struct macro m = variant(tools[t], i);
            seen[count] = digest(NULL, &m);
            for (size_t k = 0; k < count; k++)
                assert_false(str_eq(seen[k], seen[count]));
            count++;
        }
    for (int pair = 0; pair < 2 * VARIANTS * VARIANTS; pair++) { /* one after any other */
        size_t t = (size_t)pair % 2;
        int before = pair / 2 / VARIANTS, then = pair / 2 % VARIANTS;
        struct macro m = variant(tools[t], before), n = variant(tools[t], then);
        assert_true(str_eq(digest(memo, &m), seen[t * VARIANTS + (size_t)before]));
        assert_true(str_eq(digest(memo, &n), seen[t * VARIANTS + (size_t)then]));
    }
    mgi_digest_memo_free(memo);
}

/* Values that stand beside one another could be read as one: lengths keep them apart. */
static void test_names_and_values_do_not_run_into_each_other(void **state)
{
    struct digest_memo *memo = mgi_digest_memo_new(snapshot);
    struct macro_param a[] = { { STR_LIT("q"), parsed("11") } };
    struct macro_param b[] = { { STR_LIT("q1"), parsed("1") } };
    struct macro m = variant("one", 0), n = m;
    (void)state;
    m.bound = a;
    n.bound = b;
    m.bound_count = n.bound_count = 1;
    assert_false(str_eq(digest(memo, &m), digest(memo, &n)));
    m.bound_count = 0;
    n = m;
    n.input_schema = parsed("{\"type\":\"object\"}");
    assert_false(str_eq(digest(memo, &m), digest(memo, &n)));
    n.input_schema = parsed(m.input_schema.text.ptr); /* the same, made anew */
    assert_true(str_eq(digest(memo, &m), digest(memo, &n)));
    mgi_digest_memo_free(memo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_remembered_is_what_would_be_worked_out),
        cmocka_unit_test(test_names_and_values_do_not_run_into_each_other),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
