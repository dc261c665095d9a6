/* Every function, argument by argument: a value of a kind that it does not take is an error that
 * names the function and shows the value. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "mangle/builtin/support_call.h"

/* What stands for an argument: n number, f float, x number or float, t time, d duration, s string,
 * r c u z strings that are a time, a local time, a duration, a zone; m name, y unit, k what can be
 * joined to text, l list, p pair, q pair of times, M map, S struct, * anything. */
static const struct {
    const char *name, *args;
} FUNCTIONS[] = {
    { "fn:plus", "nnn" },
    { "fn:minus", "nn" },
    { "fn:mult", "nn" },
    { "fn:div", "nnn" },
    { "fn:mod", "nn" },
    { "fn:float:plus", "xx" },
    { "fn:float:mult", "xx" },
    { "fn:float:div", "xx" },
    { "fn:sqrt", "x" },
    { "fn:number:to_string", "n" },
    { "fn:float64:to_string", "f" },
    { "fn:string:concat", "kk" },
    { "fn:string:replace", "sssn" },
    { "fn:name:to_string", "m" },
    { "fn:name:root", "m" },
    { "fn:name:tip", "m" },
    { "fn:name:list", "m" },
    { "fn:list", "**" },
    { "fn:list:cons", "*l" },
    { "fn:list:append", "l*" },
    { "fn:list:get", "ln" },
    { "fn:list:len", "l" },
    { "fn:list:contains", "l*" },
    { "fn:pair", "**" },
    { "fn:tuple", "***" },
    { "fn:map", "**" },
    { "fn:map:get", "M*" },
    { "fn:struct", "**" },
    { "fn:struct:get", "S*" },
    { "fn:time:add", "td" },
    { "fn:time:sub", "tt" },
    { "fn:time:year", "t" },
    { "fn:time:month", "t" },
    { "fn:time:day", "t" },
    { "fn:time:hour", "t" },
    { "fn:time:minute", "t" },
    { "fn:time:second", "t" },
    { "fn:time:from_unix_nanos", "n" },
    { "fn:time:to_unix_nanos", "t" },
    { "fn:time:parse_rfc3339", "r" },
    { "fn:time:parse_civil", "cz" },
    { "fn:time:format", "ty" },
    { "fn:time:format_civil", "tzy" },
    { "fn:time:trunc", "ty" },
    { "fn:time:trunc_civil", "tzy" },
    { "fn:duration:add", "dd" },
    { "fn:duration:mult", "dn" },
    { "fn:duration:nanos", "d" },
    { "fn:duration:hours", "d" },
    { "fn:duration:minutes", "d" },
    { "fn:duration:seconds", "d" },
    { "fn:duration:from_nanos", "n" },
    { "fn:duration:from_hours", "x" },
    { "fn:duration:from_minutes", "x" },
    { "fn:duration:from_seconds", "x" },
    { "fn:duration:parse", "u" },
    { "fn:interval:start", "p" },
    { "fn:interval:end", "p" },
    { "fn:interval:duration", "q" },
    { "fn:sum", "l" },
    { "fn:min", "l" },
    { "fn:max", "l" },
};

/* Good wherever its kind is taken: the only key and label is 0, the index of the only element. */
static mangle_value sample_of(enum mangle_kind kind)
{
    mangle_values *values = call_context.values;
    mangle_value zero = N(0), one = N(1);
    switch (kind) {
    case MANGLE_NAME:
        return NM("/day");
    case MANGLE_STRING:
        return S("UTC");
    case MANGLE_BYTES:
        return mangle_bytes(values, "a", 1);
    case MANGLE_NUMBER:
        return one;
    case MANGLE_FLOAT:
        return F(0.5);
    case MANGLE_TIME:
        return T(5);
    case MANGLE_DURATION:
        return D(5);
    case MANGLE_PAIR:
        return P(one, zero);
    case MANGLE_LIST:
        return L(zero, one);
    case MANGLE_MAP:
        return mangle_map(values, &one, &zero, 1);
    case MANGLE_STRUCT:
        return mangle_struct(values, &one, &zero, 1);
    }
    return MANGLE_NONE;
}

static mangle_value argument_for(char what)
{
    switch (what) {
    case 'r':
        return S("2024-01-15T10:30:00Z");
    case 'c':
        return S("2024-01-15T10:30:00");
    case 'u':
        return S("90s");
    case 'q':
        return P(T(1), T(2));
    case 'f':
        return sample_of(MANGLE_FLOAT);
    case 't':
        return sample_of(MANGLE_TIME);
    case 'd':
        return sample_of(MANGLE_DURATION);
    case 's':
    case 'z':
    case 'k':
        return sample_of(MANGLE_STRING);
    case 'm':
    case 'y':
        return sample_of(MANGLE_NAME);
    case 'l':
        return sample_of(MANGLE_LIST);
    case 'p':
        return sample_of(MANGLE_PAIR);
    case 'M':
        return sample_of(MANGLE_MAP);
    case 'S':
        return sample_of(MANGLE_STRUCT);
    default:
        return sample_of(MANGLE_NUMBER);
    }
}

static bool takes(char what, enum mangle_kind kind)
{
    switch (what) {
    case '*':
        return true;
    case 'x':
        return kind == MANGLE_NUMBER || kind == MANGLE_FLOAT;
    case 'k':
        return kind == MANGLE_NAME || kind == MANGLE_STRING || kind == MANGLE_NUMBER ||
               kind == MANGLE_FLOAT;
    default:
        return kind == mangle_kind_of(call_context.values, argument_for(what));
    }
}

static void assert_refuses_value(const char *name, const mangle_value *args, uint32_t count,
                                 mangle_value wrong)
{
    struct buf text = { 0 };
    mangle_value out;
    mgi_value_print(&text, call_context.values, wrong, MANGLE_DISPLAY);
    mgi_buf_puts(&text, "");
    if (function_named(name)->apply(&call_context, args, count, &out) != CALL_ERROR)
        fail_msg("%s takes %s", name, text.ptr);
    if (strncmp(call_context.error, name, strlen(name)) != 0 ||
        !strstr(call_context.error, "expected a") || !strstr(call_context.error, text.ptr))
        fail_msg("%s says of %s: %s", name, text.ptr, call_context.error);
    mgi_buf_fini(&text);
}

static void test_wrong_kinds_are_refused(void **state)
{
    (void)state; /* M-FUN-2 and the second column of the tables of section 12 */
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        const char *name = FUNCTIONS[i].name, *kinds = FUNCTIONS[i].args;
        uint32_t count = (uint32_t)strlen(kinds);
        mangle_value args[4], out;
        for (uint32_t j = 0; j < count; j++)
            args[j] = argument_for(kinds[j]);
        if (function_named(name)->apply(&call_context, args, count, &out) != CALL_OK)
            fail_msg("%s", call_context.error);
        for (uint32_t j = 0; j < count; j++)
            for (int kind = MANGLE_NAME; kind <= MANGLE_STRUCT; kind++) {
                mangle_value good = args[j];
                args[j] = sample_of((enum mangle_kind)kind);
                if (!takes(kinds[j], (enum mangle_kind)kind))
                    assert_refuses_value(name, args, count, args[j]);
                args[j] = good;
            }
    }
}

static void test_every_function_is_in_the_table(void **state)
{
    (void)state;
    const struct function *f;
    for (size_t i = 0; (f = mgi_function_at(i)) != NULL; i++) {
        bool found = !f->apply || f->reduces_list || f->max_args == 0;
        for (size_t j = 0; j < sizeof FUNCTIONS / sizeof *FUNCTIONS && !found; j++)
            found = strcmp(FUNCTIONS[j].name, f->name) == 0;
        if (!found)
            fail_msg("%s is missing here", f->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_wrong_kinds_are_refused, call_setup, call_teardown),
        cmocka_unit_test(test_every_function_is_in_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
