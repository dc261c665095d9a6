/* Functions and reducers, family by family: what they give, and what they refuse. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "mangle/builtin/support_call.h"

static void test_integers_wrap(void **state)
{
    (void)state; /* M-FUN-3, M-FUN-10, M-FUN-11, M-FUN-12 */
    GIVES_ALONE("0", "fn:plus");
    GIVES("6", "fn:plus", N(1), N(2), N(3));
    GIVES("-9223372036854775808", "fn:plus", N(INT64_MAX), N(1));
    GIVES("-5", "fn:minus", N(5));
    GIVES("-9223372036854775808", "fn:minus", N(INT64_MIN));
    GIVES("4", "fn:minus", N(10), N(5), N(1));
    GIVES("9223372036854775807", "fn:minus", N(INT64_MIN), N(1));
    GIVES_ALONE("1", "fn:mult");
    GIVES("-2", "fn:mult", N(INT64_MAX), N(2));
    assert_int_equal(function_named("fn:minus")->min_args, 1);
    REFUSES("expected a number, got a float 1.5", "fn:plus", N(1), F(1.5));
    REFUSES("expected a number, got a string \"a\"", "fn:mult", S("a"));
    REFUSES("expected a number, got a name /a", "fn:minus", NM("/a"));
}

static void test_integer_division_truncates(void **state)
{
    (void)state; /* M-FUN-13, M-FUN-14, Q-68 */
    GIVES("-3", "fn:div", N(-7), N(2));
    GIVES("3", "fn:div", N(100), N(7), N(4));
    GIVES("-9223372036854775808", "fn:div", N(INT64_MIN), N(-1));
    GIVES("1", "fn:div", N(1));
    GIVES("-1", "fn:div", N(-1));
    GIVES("0", "fn:div", N(2));
    REFUSES("division by zero", "fn:div", N(0));
    REFUSES("division by zero", "fn:div", N(1), N(0));
    REFUSES("division by zero", "fn:div", N(1), N(2), N(0)); /* the quotient is 0 by then */
    REFUSES("expected a number", "fn:div", N(0), N(2), S("a"));
    GIVES("-3", "fn:mod", N(-7), N(4));
    GIVES("3", "fn:mod", N(7), N(-4));
    GIVES("0", "fn:mod", N(INT64_MIN), N(-1));
    REFUSES("division by zero", "fn:mod", N(1), N(0));
}

static void test_floats_take_numbers_too(void **state)
{
    (void)state; /* M-FUN-15, M-FUN-16, M-FUN-17, M-FUN-18 */
    GIVES_ALONE("0", "fn:float:plus");
    GIVES("1.5", "fn:float:plus", N(1), F(0.5));
    GIVES_ALONE("1", "fn:float:mult");
    GIVES("-1.5", "fn:float:mult", N(-3), F(0.5));
    GIVES("0.25", "fn:float:div", N(4));
    GIVES("2.5", "fn:float:div", N(10), N(2), F(2));
    REFUSES("division by zero", "fn:float:div", N(1), F(-0.0));
    REFUSES("division by zero", "fn:float:div", F(0.0));
    GIVES("+Inf", "fn:float:mult", F(DBL_MAX), N(10));
    GIVES("3", "fn:sqrt", N(9));
    GIVES("NaN", "fn:sqrt", N(-1));
    REFUSES("expected a number or a float, got a time", "fn:sqrt", T(0));
    mangle_value nan = MANGLE_NONE, other = MANGLE_NONE;
    function_named("fn:sqrt")->apply(&call_context, ARGS(N(-1)), 1, &nan);
    function_named("fn:float:plus")
        ->apply(&call_context, ARGS(F((double)INFINITY), F(-(double)INFINITY)), 2, &other);
    assert_int_equal(nan, other); /* one NaN, whatever made it: M-VAL-21 */
}

static void test_numbers_to_text(void **state)
{
    (void)state; /* M-FUN-19, M-FUN-20 */
    GIVES("\"-7\"", "fn:number:to_string", N(-7));
    REFUSES("expected a number", "fn:number:to_string", F(1));
    GIVES("\"1\"", "fn:float64:to_string", F(1));
    GIVES("\"0.1\"", "fn:float64:to_string", F(0.1));
    REFUSES("expected a float", "fn:float64:to_string", N(1));
}

static void test_string_functions(void **state)
{
    (void)state; /* M-FUN-25, M-FUN-26 */
    GIVES_ALONE("\"\"", "fn:string:concat");
    GIVES("\"a/b71.5\"", "fn:string:concat", S("a"), NM("/b"), N(7), F(1.5));
    REFUSES("got a list []", "fn:string:concat", S("a"), VALUE_NIL);
    GIVES("\"boboba\"", "fn:string:replace", S("bababa"), S("a"), S("o"), N(2));
    GIVES("\"xx\"", "fn:string:replace", S("aaaa"), S("aa"), S("x"), N(-1));
    GIVES("\"aaaa\"", "fn:string:replace", S("aaaa"), S("aa"), S("x"), N(0));
    GIVES("\"-a-\\u{0000e4}-\"", "fn:string:replace", S("a\xc3\xa4"), S(""), S("-"), N(-1));
    GIVES("\"-a-b\"", "fn:string:replace", S("ab"), S(""), S("-"), N(2));
    GIVES("\"-\"", "fn:string:replace", S(""), S(""), S("-"), N(-1));
    GIVES("\"\"", "fn:string:replace", S(""), S("a"), S("-"), N(-1));
    REFUSES("expected a number", "fn:string:replace", S(""), S("a"), S("-"), S("1"));
    REFUSES("expected a string", "fn:string:replace", NM("/a"), S("a"), S("-"), N(1));
}

static void test_name_functions(void **state)
{
    (void)state; /* M-FUN-27, M-FUN-28, M-FUN-29, M-FUN-30 */
    GIVES("\"/a/b\"", "fn:name:to_string", NM("/a/b"));
    GIVES("/a", "fn:name:root", NM("/a/b/c"));
    GIVES("/a", "fn:name:root", NM("/a"));
    GIVES("/c", "fn:name:tip", NM("/a/b/c"));
    GIVES("/a", "fn:name:tip", NM("/a"));
    GIVES("[/a, /b, /c]", "fn:name:list", NM("/a/b/c"));
    REFUSES("expected a name", "fn:name:root", S("/a/b"));
    REFUSES("expected a name", "fn:name:tip", S("/a/b"));
    REFUSES("expected a name", "fn:name:list", N(1));
    REFUSES("expected a name", "fn:name:to_string", N(1));
}

static void test_list_functions(void **state)
{
    (void)state; /* M-FUN-35, M-FUN-36, M-FUN-37, M-FUN-38, M-FUN-39, M-FUN-40 */
    GIVES_ALONE("[]", "fn:list");
    GIVES("[1, \"a\"]", "fn:list", N(1), S("a"));
    GIVES("[0, 1]", "fn:list:cons", N(0), L(N(1)));
    REFUSES("expected a list", "fn:list:cons", N(0), N(1));
    GIVES("[1, 2]", "fn:list:append", L(N(1)), N(2));
    GIVES("[2]", "fn:list:append", VALUE_NIL, N(2));
    REFUSES("expected a list", "fn:list:append", N(1), N(1));
    GIVES("2", "fn:list:get", L(N(1), N(2)), N(1));
    REFUSES("index 2 is outside a list of 2 elements", "fn:list:get", L(N(1), N(2)), N(2));
    REFUSES("index -1", "fn:list:get", L(N(1)), N(-1));
    REFUSES("expected a list", "fn:list:get", VALUE_EMPTY_MAP, N(0));
    REFUSES("expected a number", "fn:list:get", L(N(1)), S("0"));
    GIVES("0", "fn:list:len", VALUE_NIL);
    GIVES("3", "fn:list:len", L(N(1), N(1), N(1)));
    REFUSES("expected a list", "fn:list:len", S("abc"));
    GIVES("/true", "fn:list:contains", L(N(1), S("a")), S("a"));
    GIVES("/false", "fn:list:contains", L(N(1)), F(1.0)); /* M-VAL-20 */
    REFUSES("expected a list", "fn:list:contains", N(1), N(1));
}

static void test_pair_map_and_struct_functions(void **state)
{
    (void)state; /* M-FUN-41, M-FUN-42, M-FUN-43, M-FUN-44, M-FUN-45, M-VAL-13 */
    GIVES("fn:pair(1, 2)", "fn:pair", N(1), N(2));
    GIVES("1", "fn:tuple", N(1));
    GIVES("fn:pair(1, 2)", "fn:tuple", N(1), N(2));
    GIVES("fn:pair(1, fn:pair(2, 3))", "fn:tuple", N(1), N(2), N(3));
    GIVES_ALONE("fn:map()", "fn:map");
    GIVES("[\"k\" : 2]", "fn:map", S("k"), N(1), S("k"), N(2)); /* M-VAL-26 */
    GIVES("2", "fn:map:get", mangle_map(call_context.values, ARGS(S("k")), ARGS(N(2)), 1), S("k"));
    REFUSES("a key of the map", "fn:map:get", VALUE_EMPTY_MAP, S("k"));
    REFUSES("expected a map", "fn:map:get", VALUE_EMPTY_STRUCT, S("k"));
    GIVES_ALONE("{}", "fn:struct");
    GIVES("{/y : 2, /x : 1}", "fn:struct", NM("/x"), N(1), NM("/y"), N(2));
    GIVES("1", "fn:struct:get", mangle_struct(call_context.values, ARGS(NM("/x")), ARGS(N(1)), 1),
          NM("/x"));
    REFUSES("a label of the struct", "fn:struct:get", VALUE_EMPTY_STRUCT, NM("/x"));
    REFUSES("expected a struct", "fn:struct:get", VALUE_EMPTY_MAP, NM("/x"));
    assert_true(function_named("fn:map")->even_args && function_named("fn:struct")->even_args);
}

static void test_values_too_deep_are_an_error_not_a_crash(void **state)
{
    (void)state; /* M-LIM-13 */
    mangle_value v = VALUE_NIL, next;
    const struct function *list = function_named("fn:list");
    enum call_status st;
    int depth = 1;
    for (; (st = list->apply(&call_context, &v, 1, &next)) == CALL_OK; depth++)
        v = next;
    assert_int_equal(st, CALL_ERROR);
    assert_int_equal(depth, VALUE_MAX_DEPTH);
    assert_non_null(strstr(call_context.error, "nested deeper than 10000"));
}

#define RFC(s) "fn:time:parse_rfc3339(\"" s "\")"
#define DUR(s) "fn:duration:parse(\"" s "\")"
#define T0     INT64_C(1705314645123456789) /* 2024-01-15T10:30:45.123456789Z, a Monday */

static void test_time_arithmetic(void **state)
{
    (void)state; /* M-FUN-50, M-FUN-51, M-FUN-52, M-FUN-53, M-FUN-54 */
    call_context.now_ns = T0;
    GIVES_ALONE(RFC("2024-01-15T10:30:45.123456789Z"), "fn:time:now"); /* */
    assert_true(function_named("fn:time:now")->reads_now);
    GIVES(RFC("1970-01-01T00:00:01Z"), "fn:time:add", T(0), D(1000000000));
    GIVES(RFC("1677-09-21T00:12:43.145224192Z"), "fn:time:add", T(INT64_MAX), D(1));
    GIVES(DUR("-1s"), "fn:time:sub", T(0), T(1000000000));
    GIVES("2024", "fn:time:year", T(T0));
    GIVES("1", "fn:time:month", T(T0));
    GIVES("15", "fn:time:day", T(T0));
    GIVES("10", "fn:time:hour", T(T0));
    GIVES("30", "fn:time:minute", T(T0));
    GIVES("45", "fn:time:second", T(T0));
    GIVES("59", "fn:time:second", T(-1));
    GIVES("-5", "fn:time:to_unix_nanos", T(-5));
    GIVES(RFC("1969-12-31T23:59:59.999999995Z"), "fn:time:from_unix_nanos", N(-5));
    REFUSES("expected a time", "fn:time:add", N(0), D(0));
    REFUSES("expected a duration", "fn:time:add", T(0), N(0));
    REFUSES("expected a time", "fn:time:year", N(0));
}

static void test_rfc3339_is_strict(void **state)
{
    (void)state; /* M-FUN-55, Q-107 */
    GIVES(RFC("2024-01-15T08:30:00.5Z"), "fn:time:parse_rfc3339", S("2024-01-15T10:30:00.5+02:00"));
    GIVES(RFC("2024-01-15T10:30:00.123456789Z"), "fn:time:parse_rfc3339",
          S("2024-01-15T10:30:00.1234567899Z"));
    const char *bad[] = { "2024-01-15T10:30:00",
                          "2024-01-15t10:30:00Z",
                          "2024-01-15T10:30:00z",
                          "2024-1-15T10:30:00Z",
                          "2024-01-15T9:30:00Z",
                          "2024-01-15T10:30:00,5Z",
                          "2024-02-30T10:30:00Z",
                          "2024-01-15T24:00:00Z",
                          "2024-01-15T10:30:60Z",
                          "2024-01-15T23:59:60Z",
                          "3000-01-01T00:00:00Z",
                          "2024-01-15T10:30:00+24:00",
                          "2024-01-15T10:30:00. Z",
                          "",
                          "2024-01-15",
                          " 2024-01-15T10:30:00Z" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        REFUSES("expected a time", "fn:time:parse_rfc3339",
                mangle_string(call_context.values, bad[i], strlen(bad[i])));
    REFUSES("expected a string", "fn:time:parse_rfc3339", N(1));
}

static void test_times_format_down_to_a_unit(void **state)
{
    (void)state; /* M-FUN-57 */
    GIVES("\"2024\"", "fn:time:format", T(T0), NM("/year"));
    GIVES("\"2024-01\"", "fn:time:format", T(T0), NM("/month"));
    GIVES("\"2024-01-15\"", "fn:time:format", T(T0), NM("/day"));
    GIVES("\"2024-01-15T10Z\"", "fn:time:format", T(T0), NM("/hour"));
    GIVES("\"2024-01-15T10:30Z\"", "fn:time:format", T(T0), NM("/minute"));
    GIVES("\"2024-01-15T10:30:45Z\"", "fn:time:format", T(T0), NM("/second"));
    GIVES("\"2024-01-15T10:30:45.123Z\"", "fn:time:format", T(T0), NM("/millisecond"));
    GIVES("\"2024-01-15T10:30:45.123456Z\"", "fn:time:format", T(T0), NM("/microsecond"));
    GIVES("\"2024-01-15T10:30:45.123456789Z\"", "fn:time:format", T(T0), NM("/nanosecond"));
    GIVES("\"1970-01-01T00:00:00.001000Z\"", "fn:time:format", T(1000000), NM("/microsecond"));
    GIVES("\"1970-01-01T00:00:00.001Z\"", "fn:time:format", T(1000000), NM("/nanosecond"));
    GIVES("\"1970-01-01T00:00:00Z\"", "fn:time:format", T(0), NM("/nanosecond"));
    REFUSES("a unit it knows", "fn:time:format", T(0), NM("/week"));
    REFUSES("expected a name", "fn:time:format", T(0), S("/day"));
    GIVES("\"2024-01-15T10Z\"", "fn:time:format_civil", T(T0), S("UTC"),
          NM("/hour"));                                                             /* M-FUN-58 */
    GIVES("\"2024-01-15T10Z\"", "fn:time:format_civil", T(T0), S(""), NM("/hour")); /* M-FUN-70 */
    REFUSES("no zone data", "fn:time:format_civil", T(T0), S("Europe/Berlin"), NM("/hour"));
}

static void test_times_truncate_downwards(void **state)
{
    (void)state; /* M-FUN-59, M-FUN-60 */
    GIVES(RFC("2024-01-15T00:00:00Z"), "fn:time:trunc", T(T0), NM("/day"));
    GIVES(RFC("2024-01-15T10:30:45.123456Z"), "fn:time:trunc", T(T0), NM("/microsecond"));
    GIVES(RFC("1969-12-31T00:00:00Z"), "fn:time:trunc", T(-1), NM("/day"));
    REFUSES("a unit it knows", "fn:time:trunc", T(0), NM("/year"));
    REFUSES("outside the years", "fn:time:trunc", T(INT64_MIN), NM("/day"));
    GIVES(RFC("2024-01-01T00:00:00Z"), "fn:time:trunc_civil", T(T0), S("UTC"), NM("/year"));
    GIVES(RFC("2024-01-01T00:00:00Z"), "fn:time:trunc_civil", T(T0), S("UTC"), NM("/month"));
    GIVES(RFC("2024-01-15T00:00:00Z"), "fn:time:trunc_civil", T(T0), S("UTC"), NM("/week"));
    GIVES(RFC("2024-01-08T00:00:00Z"), "fn:time:trunc_civil", T(T0 - INT64_C(86400000000000)),
          S("UTC"), NM("/week"));
    GIVES(RFC("1969-12-29T00:00:00Z"), "fn:time:trunc_civil", T(-1), S("UTC"), NM("/week"));
    REFUSES("a unit it knows", "fn:time:trunc_civil", T(0), S("UTC"), NM("/hour"));
    GIVES(RFC("2024-01-15T10:30:00.5Z"), "fn:time:parse_civil", S("2024-01-15T10:30:00.5"),
          S("UTC")); /* M-FUN-56 */
    REFUSES("expected a local time", "fn:time:parse_civil", S("2024-01-15T10:30:00Z"), S("UTC"));
    REFUSES("expected a local time", "fn:time:parse_civil", S("2024-01-15T10:30:00+01:00"),
            S("UTC"));
}

static void test_duration_functions(void **state)
{
    (void)state; /* M-FUN-61, M-FUN-62, M-FUN-63, M-FUN-64, M-FUN-65, M-FUN-66, M-FUN-67 */
    GIVES(DUR("3s"), "fn:duration:add", D(1000000000), D(2000000000));
    GIVES(DUR("-2s"), "fn:duration:mult", D(1000000000), N(-2));
    GIVES("5", "fn:duration:nanos", D(5));
    GIVES(DUR("5ns"), "fn:duration:from_nanos", N(5));
    GIVES("1.5", "fn:duration:hours", D(INT64_C(5400000000000)));
    GIVES("-1.5", "fn:duration:minutes", D(-INT64_C(90000000000)));
    GIVES("0.25", "fn:duration:seconds", D(250000000));
    GIVES(DUR("1h30m0s"), "fn:duration:from_hours", F(1.5));
    GIVES(DUR("2m0s"), "fn:duration:from_minutes", N(2));
    GIVES(DUR("1ns"), "fn:duration:from_seconds", F(1.9e-9));
    GIVES(DUR("-1ns"), "fn:duration:from_seconds", F(-1.9e-9));
    REFUSES("fits 64-bit", "fn:duration:from_hours", F(1e10));
    REFUSES("fits 64-bit", "fn:duration:from_seconds", F((double)NAN));
    REFUSES("fits 64-bit", "fn:duration:from_seconds", N(INT64_MAX));
    GIVES(DUR("1h30m0s"), "fn:duration:parse", S("1h30m"));
    GIVES(DUR("-1.5ms"), "fn:duration:parse", S("-1.5ms"));
    GIVES(DUR("0s"), "fn:duration:parse", S("0"));
    GIVES(DUR("500ms"), "fn:duration:parse", S("+.5s"));
    GIVES(DUR("1s"), "fn:duration:parse", S("1.s"));
    GIVES(DUR("2\xc2\xb5s"), "fn:duration:parse", S("2\xce\xbcs"));
    const char *bad[] = { "", "1", "1d", "h", "1.2.3s", "-", ".s", "1x", "3000000h", "1h 2m" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        REFUSES("expected a duration", "fn:duration:parse",
                mangle_string(call_context.values, bad[i], strlen(bad[i])));
}

static void test_interval_functions(void **state)
{
    (void)state; /* M-FUN-68, M-FUN-69 */
    GIVES("1", "fn:interval:start", P(N(1), S("x")));
    GIVES("\"x\"", "fn:interval:end", P(N(1), S("x")));
    GIVES(DUR("5ns"), "fn:interval:duration", P(T(10), T(15)));
    REFUSES("expected a pair", "fn:interval:start", N(1));
    REFUSES("expected a time", "fn:interval:duration", P(N(10), N(15)));
    REFUSES("has no start", "fn:interval:duration", P(T(INT64_MIN), T(15)));
    REFUSES("has no end", "fn:interval:duration", P(T(1), T(INT64_MAX)));
}

static void test_numeric_reducers(void **state)
{
    (void)state; /* M-AGG-21, M-AGG-22, M-AGG-23, M-AGG-24, M-AGG-25, M-AGG-26, M-AGG-29 */
    assert_reduces("3", "fn:count", NULL, 3, 0);
    assert_reduces("3", "fn:count_distinct", NULL, 3, 0);
    REDUCES("-9223372036854775808", "fn:sum", N(INT64_MAX), N(1));
    REDUCES("-3", "fn:min", N(2), N(-3), N(10));
    REDUCES("10", "fn:max", N(2), N(-3), N(10));
    REDUCES("1.5", "fn:float:sum", F(1), F(0.5));
    REDUCES("-Inf", "fn:float:max", F(-(double)INFINITY)); /* */
    REDUCES("+Inf", "fn:float:min", F((double)INFINITY));
    REDUCES("NaN", "fn:float:min", F(1), F((double)NAN), F(0));
    REDUCES("NaN", "fn:float:max", F((double)NAN), F(1));
    REDUCES(DUR("3ns"), "fn:duration:sum", D(1), D(2));
    REDUCES(DUR("1ns"), "fn:duration:min", D(1), D(2));
    REDUCES(DUR("2ns"), "fn:duration:max", D(1), D(2));
    REDUCES(RFC("1970-01-01T00:00:00Z"), "fn:time:min", T(0), T(2));
    REDUCES(RFC("1970-01-01T00:00:00.000000002Z"), "fn:time:max", T(0), T(2));
    REDUCES("2.25", "fn:avg", N(4), F(0.5));
    assert_reduces("NaN", "fn:avg", NULL, 0, 1);
}

/* The planner leaves rows unsorted for reducers whose rows say any_order: in every order of four
 * values, the smallest and largest integers among them, they must give the same (M-EVAL-31). */
static void test_reducers_of_any_order_give_the_same_in_every_order(void **state)
{
    static const int64_t numbers[4] = { INT64_MAX, -1, INT64_MIN, 7 };
    const struct function *f;
    size_t seen = 0;
    (void)state;
    for (size_t i = 0; (f = mgi_function_at(i)) != NULL; i++) {
        if (!f->any_order)
            continue;
        assert_non_null(f->reduce);
        seen++;
        mangle_value first = MANGLE_NONE;
        for (unsigned order = 0; order < 256; order++) { /* two bits a place */
            mangle_value table[4], out = MANGLE_NONE;
            unsigned used = 0;
            for (unsigned k = 0; k < 4; k++) {
                unsigned from = order >> (2 * k) & 3;
                used |= 1U << from;
                table[k] = strstr(f->type, "/time")       ? T(numbers[from])
                           : strstr(f->type, "/duration") ? D(numbers[from])
                                                          : N(numbers[from]);
            }
            if (used != 15)
                continue; /* no order of all four */
            enum call_status st = f->reduce(&call_context, table, 4, f->max_args ? 1 : 0, &out);
            if (first == MANGLE_NONE)
                first = st == CALL_OK ? out : VALUE_NIL; /* or every order fails */
            if ((st == CALL_OK ? out : VALUE_NIL) != first)
                fail_msg("%s depends on the order of its rows", f->name);
        }
    }
    assert_in_range(seen, 10, 99);
}

static void test_reducers_take_one_kind(void **state)
{
    (void)state; /* M-AGG-20, M-AGG-23, M-AGG-24, M-AGG-25, M-AGG-26, M-AGG-27, M-AGG-28 */
    static const char *const names[] = { "fn:sum",          "fn:min",          "fn:max",
                                         "fn:float:sum",    "fn:float:min",    "fn:float:max",
                                         "fn:duration:sum", "fn:duration:min", "fn:duration:max",
                                         "fn:time:min",     "fn:time:max" };
    const mangle_value kinds[] = { N(1), F(1), D(1), T(1), S("1"), VALUE_NIL };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            size_t own = i < 9 ? i / 3 : 3;
            mangle_value table[] = { kinds[own], kinds[k] }, out;
            enum call_status st =
                function_named(names[i])->reduce(&call_context, table, 2, 1, &out);
            if (st != (k == own ? CALL_OK : CALL_ERROR))
                fail_msg("%s takes the wrong kinds: %zu gives %d", names[i], k, st);
            table[0] = mangle_list(call_context.values, table, 2);
            st = function_named(names[i])->apply(&call_context, table, 1, &out);
            if (st != (k == own ? CALL_OK : CALL_ERROR))
                fail_msg("%s takes the wrong kinds in a list: %zu gives %d", names[i], k, st);
        }
    mangle_value out;
    assert_int_equal(function_named("fn:avg")->reduce(&call_context, ARGS(S("")), 1, 1, &out),
                     CALL_ERROR);
}

static void test_reducers_on_lists(void **state)
{
    (void)state; /* M-AGG-23, M-AGG-24, M-AGG-25, M-AGG-26, M-AGG-27, M-AGG-28, Q-75 */
    GIVES("3", "fn:sum", L(N(1), N(2)));
    GIVES("0", "fn:sum", VALUE_NIL);
    GIVES("9223372036854775807", "fn:min", VALUE_NIL);
    GIVES("-9223372036854775808", "fn:max", VALUE_NIL);
    GIVES("0", "fn:float:sum", VALUE_NIL);
    assert_int_equal(function_named("fn:avg")->apply == NULL, true);
    mangle_value out;
    function_named("fn:float:min")->apply(&call_context, ARGS(VALUE_NIL), 1, &out);
    assert_true(mangle_float_of(call_context.values, out) == DBL_MAX);
    function_named("fn:float:max")->apply(&call_context, ARGS(VALUE_NIL), 1, &out);
    assert_true(mangle_float_of(call_context.values, out) == -DBL_MAX);
    GIVES(DUR("0s"), "fn:duration:sum", VALUE_NIL);
    GIVES(DUR("2562047h47m16.854775807s"), "fn:duration:min", VALUE_NIL);
    GIVES(DUR("-2562047h47m16.854775808s"), "fn:duration:max", VALUE_NIL);
    GIVES(RFC("2262-04-11T23:47:16.854775807Z"), "fn:time:min", VALUE_NIL);
    GIVES(RFC("1677-09-21T00:12:43.145224192Z"), "fn:time:max", VALUE_NIL);
    REFUSES("expected a list (rows are grouped by |> do fn:group_by(...)), got a number 1",
            "fn:sum", N(1));
    REFUSES("expected a number, got a string", "fn:max", L(N(1), S("a")));
}

static void test_collecting(void **state)
{
    (void)state; /* M-AGG-30, M-AGG-31, M-AGG-32, M-AGG-33 */
    REDUCES("[2, 1, 2]", "fn:collect", N(2), N(1), N(2));
    REDUCES("[1, 2]", "fn:collect_distinct", N(2), N(1), N(2)); /* the last one is kept */
    assert_reduces("[]", "fn:collect", NULL, 0, 1);
    mangle_value table[] = { N(1), S("a"), N(2), S("b"), N(1), S("c") };
    assert_reduces("[fn:pair(1, \"a\"), fn:pair(2, \"b\"), fn:pair(1, \"c\")]", "fn:collect", table,
                   3, 2);
    assert_reduces("[2 : \"b\", 1 : \"a\"]", "fn:collect_to_map", table, 3, 2); /* the first wins */
    REDUCES("/a", "fn:pick_any", S("a"), N(1), NM("/b"), NM("/a"));
    assert_true(function_named("fn:collect")->skips_bad_rows); /* M-AGG-20 */
    assert_true(function_named("fn:collect_distinct")->skips_bad_rows);
    assert_true(function_named("fn:collect_to_map")->skips_bad_rows);
    assert_false(function_named("fn:sum")->skips_bad_rows);
}

static void test_documented_but_missing_functions_stay_unknown(void **state)
{
    (void)state; /* M-FUN-71, M-ANA-60 */
    const char *names[] = { "fn:cons",
                            "fn:Count",
                            "fn:pair:fst",
                            "fn:pair:snd",
                            "fn:time:from_nanos",
                            "fn:time:to_nanos",
                            "fn:time:after",
                            "fn:some",
                            "fn:group_by",
                            "fn:float:minus",
                            "",
                            "fn:plus2" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_null(mgi_function_find(str_of(names[i])));
}

static void test_suggestions_are_near(void **state)
{
    (void)state;
    assert_string_equal(mgi_function_suggest(STR_LIT("fn:pluss")), "fn:plus");
    assert_string_equal(mgi_function_suggest(STR_LIT("fn:Count")), "fn:count");
    assert_string_equal(mgi_function_suggest(STR_LIT("fn:string:conact")), "fn:string:concat");
    assert_null(mgi_function_suggest(STR_LIT("fn:quux_of_everything")));
    assert_string_equal(mgi_builtin_pred_suggest(STR_LIT(":match_con")), ":match_cons");
    assert_null(mgi_builtin_pred_suggest(STR_LIT("")));
}

int main(void)
{
#define CALL_TEST(f) cmocka_unit_test_setup_teardown(f, call_setup, call_teardown)
    const struct CMUnitTest tests[] = {
        CALL_TEST(test_integers_wrap),
        CALL_TEST(test_integer_division_truncates),
        CALL_TEST(test_floats_take_numbers_too),
        CALL_TEST(test_numbers_to_text),
        CALL_TEST(test_string_functions),
        CALL_TEST(test_name_functions),
        CALL_TEST(test_list_functions),
        CALL_TEST(test_pair_map_and_struct_functions),
        CALL_TEST(test_values_too_deep_are_an_error_not_a_crash),
        CALL_TEST(test_time_arithmetic),
        CALL_TEST(test_rfc3339_is_strict),
        CALL_TEST(test_times_format_down_to_a_unit),
        CALL_TEST(test_times_truncate_downwards),
        CALL_TEST(test_duration_functions),
        CALL_TEST(test_interval_functions),
        CALL_TEST(test_numeric_reducers),
        CALL_TEST(test_reducers_of_any_order_give_the_same_in_every_order),
        CALL_TEST(test_reducers_take_one_kind),
        CALL_TEST(test_reducers_on_lists),
        CALL_TEST(test_collecting),
        CALL_TEST(test_documented_but_missing_functions_stay_unknown),
        CALL_TEST(test_suggestions_are_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
