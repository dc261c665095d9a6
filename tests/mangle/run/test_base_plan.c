/* Codes of overlays are ordered by how many rows the base has: whatever order the premises are
 * written in, a request reads what belongs to it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "mangle/run/base.h"

#define NODES 300

static bool is_open(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context;
    return strcmp(mangle_program_pred(program, pred).name, "seen") == 0;
}

static mangle_base *base_of(const char *text)
{
    struct mangle_source source = { "p.mg", text, strlen(text) };
    struct mangle_compile_options options = { .changeable = is_open };
    mangle_program *p;
    mangle_base *base;
    assert_int_equal(mangle_compile(&source, 1, &options, &p, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(p, &base), MANGLE_OK);
    mangle_program_unref(p);
    return base;
}

static void add(mangle_base *base, const char *name, int64_t a, int64_t b)
{
    mangle_values *v = mangle_base_values(base);
    mangle_value args[] = { mangle_number(v, a), mangle_number(v, b) };
    mangle_pred pred = mangle_pred_find(mangle_base_program(base), name, 2);
    assert_int_equal(mangle_base_add(base, pred, args, 2, NULL, NULL), MANGLE_OK);
}

/* A node has an edge to the next one, one of ten kinds, and a tag of its own. */
static void fill_with(mangle_base *base, int64_t nodes)
{
    for (int64_t n = 0; n < nodes; n++) {
        add(base, "edge", n, (n + 1) % nodes);
        add(base, "kind", n, n % 10);
        add(base, "tag", n, 1000 + n % 20);
    }
}

static void close_with(mangle_base *base, int64_t nodes)
{
    fill_with(base, nodes);
    assert_int_equal(mangle_base_close(base, NULL, NULL, NULL), MANGLE_OK);
}

static void expect(const mangle_base *base, const struct code *code, const char *expected)
{
    struct buf out;
    mgi_buf_init(&out);
    mgi_code_dump(&out, base->program, code);
    assert_string_equal(out.ptr, expected);
    mgi_buf_fini(&out);
}

#define DECLS "Decl seen(X). Decl edge(X, Y). Decl kind(Z, K). Decl tag(X, T).\n"

/* M-EVAL-14. A tag has fifteen nodes, a node one tag; seen is the request's. */
static void test_few_rows_first_whatever_is_written_first(void **state)
{
    (void)state;
    mangle_base *base =
        base_of(DECLS "near(X, Z) :- seen(X), edge(X, Z).\n"
                      "both(T, Z) :- tag(Z, T), tag(Y, T), edge(Y, Z), near(_, Z), !seen(Z).\n");
    close_with(base, NODES);
    const struct rule *rule = &base->plan->rules[1];
    assert_true(rule->per_request);
    assert_ptr_not_equal(base->plan, base->program->plan);
    expect(base, rule->full,
           "  0  scan near bind 1:Z\n"
           "  1  absent seen whole Z  else 0\n"
           "  2  scan tag index 0 Z bind 1:T  else 0\n"
           "  3  scan edge index 1 Z bind 0:Y  else 2\n"
           "  4  scan tag whole Y T  else 3  once\n"
           "  5  emit T Z  else 2\n");
    mangle_base_unref(base);
}

static void test_the_program_and_other_bases_keep_their_codes(void **state)
{
    (void)state;
    mangle_base *base =
        base_of(DECLS "both(T, Z) :- tag(Z, T), tag(Y, T), edge(Y, Z), seen(Z), !seen(T).\n");
    mangle_base *other;
    assert_int_equal(mangle_base_new(base->program, &other), MANGLE_OK);
    close_with(base, NODES);
    assert_ptr_not_equal(base->plan, base->program->plan);
    assert_ptr_equal(base->program->plan->rules[0].full->rule, &base->program->plan->rules[0]);
    close_with(other, 10); /* too few rows to matter */
    assert_ptr_equal(other->plan, other->program->plan);
    mangle_base_unref(base);
    mangle_base_unref(other);
}

struct looks {
    int count, at;
};

static int64_t late(void *context)
{
    struct looks *looks = context;
    return ++looks->count >= looks->at ? 10 : 0;
}

/* M-LIM-11: the values of a column are counted row by row. */
static void test_counting_values_looks_at_the_clock(void **state)
{
    (void)state;
    struct looks looks = { 0, 5 };
    struct mangle_limits limits = { .timeout_ns = 5, .clock = late, .clock_context = &looks };
    struct mangle_error err = { 0 };
    mangle_base *base = base_of(DECLS "both(T, Z) :- tag(Z, T), edge(Y, Z), !seen(Y).\n");
    fill_with(base, 20000); /* nineteen looks a column */
    assert_int_equal(mangle_base_close(base, &limits, NULL, &err), MANGLE_ERR_LIMIT);
    assert_int_equal(err.limit.kind, MANGLE_LIMIT_TIME);
    assert_int_equal(looks.count, 5);
    mangle_base_unref(base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_rows_first_whatever_is_written_first),
        cmocka_unit_test(test_the_program_and_other_bases_keep_their_codes),
        cmocka_unit_test(test_counting_values_looks_at_the_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
