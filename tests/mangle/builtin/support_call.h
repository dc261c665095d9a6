/* Calling a built-in by its name, for tests: arguments in, canonical text or the error out. */
#ifndef TEST_MANGLE_SUPPORT_CALL_H
#define TEST_MANGLE_SUPPORT_CALL_H

#include <string.h>

#include "mangle/builtin/builtin.h"

static struct arena call_scratch;
static struct call call_context;

static int call_setup(void **state)
{
    (void)state;
    mgi_arena_init(&call_scratch, 0);
    call_context = (struct call){ .values = mgi_values_new(NULL, 0), .scratch = &call_scratch };
    return call_context.values ? 0 : -1;
}

static int call_teardown(void **state)
{
    (void)state;
    mgi_values_free(call_context.values);
    mgi_arena_fini(&call_scratch);
    return 0;
}

#define N(n)    mangle_number(call_context.values, (n))
#define F(d)    mangle_float(call_context.values, (d))
#define S(s)    mangle_string(call_context.values, (s), sizeof(s) - 1)
#define NM(s)   mangle_name(call_context.values, (s), sizeof(s) - 1)
#define T(ns)   mangle_time(call_context.values, (ns))
#define D(ns)   mangle_duration(call_context.values, (ns))
#define P(a, b) mangle_pair(call_context.values, (a), (b))
#define L(...)                                                                                     \
    mangle_list(call_context.values, (mangle_value[]){ __VA_ARGS__ },                              \
                sizeof((mangle_value[]){ __VA_ARGS__ }) / sizeof(mangle_value))

/* The first element only keeps the array from being empty. */
#define ARGS(...) ((mangle_value[]){ MANGLE_NONE, __VA_ARGS__ }) + 1
#define ARG_COUNT(...)                                                                             \
    (sizeof((mangle_value[]){ MANGLE_NONE, __VA_ARGS__ }) / sizeof(mangle_value) - 1)

static const struct function *function_named(const char *name)
{
    const struct function *f = mgi_function_find(str_of(name));
    if (!f)
        fail_msg("there is no function %s", name);
    return f;
}

static void assert_value_text(const char *what, mangle_value v, const char *expected)
{
    struct buf text = { 0 };
    mgi_value_print(&text, call_context.values, v, MANGLE_CANONICAL);
    if (!str_is(mgi_buf_view(&text), expected))
        fail_msg("%s gives %.*s, expected %s", what, STR_ARG(mgi_buf_view(&text)), expected);
    mgi_buf_fini(&text);
}

__attribute__((unused)) static void assert_gives(const char *expected, const char *name,
                                                 const mangle_value *args, size_t count)
{
    mangle_value out = MANGLE_NONE;
    const struct function *f = function_named(name);
    assert_true(count >= f->min_args && count <= f->max_args);
    if (f->apply(&call_context, args, (uint32_t)count, &out) != CALL_OK)
        fail_msg("%s: %s, expected %s", name, call_context.error, expected);
    assert_value_text(name, out, expected);
}

__attribute__((unused)) static void assert_refuses(const char *expected, const char *name,
                                                   const mangle_value *args, size_t count)
{
    mangle_value out = MANGLE_NONE;
    const struct function *f = function_named(name);
    assert_int_equal(f->apply(&call_context, args, (uint32_t)count, &out), CALL_ERROR);
    if (strncmp(call_context.error, name, strlen(name)) != 0 ||
        !strstr(call_context.error, expected))
        fail_msg("%s says \"%s\", expected \"%s\"", name, call_context.error, expected);
}

__attribute__((unused)) static void assert_reduces(const char *expected, const char *name,
                                                   const mangle_value *table, size_t rows,
                                                   uint32_t count)
{
    mangle_value out = MANGLE_NONE;
    const struct function *f = function_named(name);
    if (f->reduce(&call_context, table, rows, count, &out) != CALL_OK)
        fail_msg("%s: %s, expected %s", name, call_context.error, expected);
    assert_value_text(name, out, expected);
}

#define GIVES(expected, name, ...)                                                                 \
    assert_gives(expected, name, ARGS(__VA_ARGS__), ARG_COUNT(__VA_ARGS__))
#define REFUSES(expected, name, ...)                                                               \
    assert_refuses(expected, name, ARGS(__VA_ARGS__), ARG_COUNT(__VA_ARGS__))
#define GIVES_ALONE(expected, name) assert_gives(expected, name, NULL, 0) /* without arguments */
/* Rows of one value each. */
#define REDUCES(expected, name, ...)                                                               \
    assert_reduces(expected, name, ARGS(__VA_ARGS__), ARG_COUNT(__VA_ARGS__), 1)

#endif
