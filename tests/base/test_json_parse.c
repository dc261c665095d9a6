/* The DOM and the pull reader: what is accepted, what is refused and where, and that both agree. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/json.h"

/* A copy without a byte behind it, so that reading too far is found. */
static struct str exact_copy(struct str s)
{
    char *p = mgi_alloc(s.len);
    assert_non_null(p);
    if (s.len)
        memcpy(p, s.ptr, s.len);
    return (struct str){ p, s.len };
}

/* The reader's verdict on a whole text. */
static enum json_fault read_all(struct str text, uint32_t max_depth, struct json_error *error)
{
    struct json_reader r;
    mgi_json_reader_init(&r, text, max_depth);
    enum json_event event;
    do
        event = mgi_json_reader_next(&r);
    while (event != JSON_EV_END && event != JSON_EV_ERROR);
    assert_int_equal(mgi_json_reader_next(&r), event); /* it stays stopped */
    *error = r.error;
    return r.error.fault;
}

/* Parses both ways, from an exact copy; the DOM's result. */
static enum json_fault verdict(struct str source, struct json_error *error)
{
    struct str text = exact_copy(source);
    struct arena arena;
    mgi_arena_init(&arena, 0);
    struct json v;
    struct json_error dom = { 0 }, reader;
    enum json_fault fault = mgi_json_parse(&arena, text, NULL, &v, &dom);
    enum json_fault other = read_all(text, 0, &reader);
    if (fault != JSON_DUPLICATE_KEY) { /* which a reader does not look for */
        assert_int_equal(fault, other);
        if (fault) {
            assert_int_equal(dom.offset, reader.offset);
            assert_string_equal(dom.message, reader.message);
        }
    }
    assert_int_equal(dom.fault, fault);
    if (error)
        *error = dom;
    mgi_arena_fini(&arena);
    mgi_free((char *)text.ptr);
    return fault;
}

static void expect_fault(struct str text, enum json_fault fault, size_t offset)
{
    struct json_error error = { 0 };
    enum json_fault got = verdict(text, &error);
    if (got != fault || error.offset != offset)
        fail_msg("%.*s: got %s at %zu, expected %s at %zu (%s)", STR_ARG(text),
                 mgi_json_fault_reason(got), error.offset, mgi_json_fault_reason(fault), offset,
                 error.message);
}

static void test_extensions_of_json_are_syntax_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t offset;
    } cases[] = {
        /* P-ENV-12, T-JSON-1 */
        { "", 0 },
        { " \n", 2 },
        { "[1,]", 3 },
        { "{\"a\":1,}", 7 },
        { "[1 2]", 3 },
        { "{\"a\" 1}", 5 },
        { "{a:1}", 1 },
        { "{'a':1}", 1 },
        { "'a'", 0 },
        { "// x\n1", 0 },
        { "[1/*x*/]", 2 },
        { "NaN", 0 },
        { "Infinity", 0 },
        { "-Infinity", 1 },
        { "+1", 0 },
        { ".5", 0 },
        { "1.", 2 },
        { "01", 0 },
        { "-01", 1 },
        { "1e", 2 },
        { "1e+", 3 },
        { "0x10", 1 },
        { "1_000", 1 },
        { "tru", 0 },
        { "True", 0 },
        { "nul", 0 },
        { "[", 1 },
        { "]", 0 },
        { "{", 1 },
        { "}", 0 },
        { "[}", 1 },
        { "{]", 1 },
        { "[1}", 2 },
        { "{\"a\":1]", 6 },
        { "\"abc", 4 },
        { "\"a\tb\"", 2 },
        { "\"\\x41\"", 1 },
        { "\"\\u12g4\"", 1 },
        { "\"\\", 2 },
        { "{\"a\"", 4 },
        { "{\"a\":", 5 },
        { "{\"a\":1", 6 },
        { "{1:2}", 1 },
        { "{,}", 1 },
        { "[,]", 1 },
        { "\v1", 0 },
        { "\xc2\xa0"
          "1",
          0 },
        { "-", 1 },
        /* T-JSON-2 */
        { "{}{}", 2 },
        { "1 2", 2 },
        { "{} x", 3 },
        { "[]]", 2 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_fault(str_of(cases[i].text), JSON_BAD_SYNTAX, cases[i].offset);
    expect_fault(STR_LIT("1\0"), JSON_BAD_SYNTAX, 1); /* T-JSON-3 */
    expect_fault(STR_LIT("\"a\0b\""), JSON_BAD_SYNTAX, 2);
    expect_fault((struct str){ NULL, 0 }, JSON_BAD_SYNTAX, 0);
}

static void test_bytes_that_are_not_utf8_are_refused_where_they_stand(void **state)
{
    (void)state;
    /* P-ENV-14, T-JSON-3 */
    expect_fault(STR_LIT("\xef\xbb\xbf{}"), JSON_BAD_BOM, 0);
    expect_fault(STR_LIT("\"ab\xff\""), JSON_BAD_UTF8, 3);
    expect_fault(STR_LIT("\"\xc0\x80\""), JSON_BAD_UTF8, 1);
    expect_fault(STR_LIT("\"\xed\xa0\x80\""), JSON_BAD_UTF8, 1);
    expect_fault(STR_LIT("\"\xe2\x82"), JSON_BAD_UTF8, 1);
    expect_fault(STR_LIT("[\xff]"), JSON_BAD_UTF8, 1);
    expect_fault(STR_LIT("\"\\ud800\""), JSON_BAD_UTF8, 1);
    expect_fault(STR_LIT("\"\\ud800\\u0041\""), JSON_BAD_UTF8, 1);
    expect_fault(STR_LIT("\"\\ud800x\""), JSON_BAD_UTF8, 1);
    expect_fault(STR_LIT("\"x\\udfff\""), JSON_BAD_UTF8, 2);
    assert_int_equal(verdict(STR_LIT("\"a\xef\xbb\xbf\""), NULL), JSON_OK); /* inside it is text */
}

static void test_reasons_are_the_words_of_the_wire(void **state)
{
    (void)state;
    assert_string_equal(mgi_json_fault_reason(JSON_BAD_SYNTAX), "json");
    assert_string_equal(mgi_json_fault_reason(JSON_BAD_UTF8), "utf8");
    assert_string_equal(mgi_json_fault_reason(JSON_BAD_BOM), "bom");
    assert_string_equal(mgi_json_fault_reason(JSON_DUPLICATE_KEY), "duplicate_key");
    assert_string_equal(mgi_json_fault_reason(JSON_TOO_DEEP), "depth");
}

static void test_an_error_has_line_column_and_a_message(void **state)
{
    (void)state;
    struct json_error e = { 0 };
    assert_int_equal(verdict(STR_LIT("{\n  \"a\": [1,\n    2 3]}"), &e), JSON_BAD_SYNTAX);
    assert_int_equal(e.line, 3);
    assert_int_equal(e.column, 7);
    assert_string_equal(e.message, "expected ',' or ']' after an element");
    assert_int_equal(verdict(STR_LIT("[1"), &e), JSON_BAD_SYNTAX);
    assert_string_equal(e.message, "expected ',' or ']' after an element, but the text ends");
}

static void test_a_repeated_name_is_refused_at_any_depth(void **state)
{
    (void)state;
    /* D-5, T-JSON-3 */
    expect_fault(STR_LIT("{\"a\":1,\"a\":1}"), JSON_DUPLICATE_KEY, 7);
    expect_fault(STR_LIT("{\"a\":1,\"b\":2, \"\\u0061\":3}"), JSON_DUPLICATE_KEY, 14);
    expect_fault(STR_LIT("[[{\"x\":{\"\":0,\"\":0}}]]"), JSON_DUPLICATE_KEY, 13);
    assert_int_equal(verdict(STR_LIT("{\"a\":{\"a\":1},\"b\":{\"a\":1}}"), NULL), JSON_OK);
}

static void test_a_repeated_name_is_found_in_large_objects(void **state)
{
    (void)state;
    for (unsigned count = 2; count < 3000; count = count * 3 / 2 + 1) {
        for (int repeat = 0; repeat < 2; repeat++) {
            struct buf text = { 0 };
            struct json_writer w;
            mgi_json_writer_init(&w, &text, 0);
            mgi_jw_begin_object(&w);
            char name[20];
            for (unsigned i = 0; i < count; i++) {
                (void)snprintf(name, sizeof name, "n%u",
                               repeat && i == count - 1 ? count / 2 - 1 : i);
                mgi_jw_member_int(&w, name, i);
            }
            mgi_jw_end_object(&w);
            /* D-5 */
            assert_int_equal(verdict(mgi_buf_view(&text), NULL),
                             repeat ? JSON_DUPLICATE_KEY : JSON_OK);
            mgi_buf_fini(&text);
        }
    }
}

static struct str nested(struct buf *text, unsigned depth, const char *open, const char *close)
{
    mgi_buf_clear(text);
    for (unsigned i = 0; i < depth; i++)
        mgi_buf_puts(text, open);
    if (open[0] == '{')
        mgi_buf_puts(text, "0");
    for (unsigned i = 0; i < depth; i++)
        mgi_buf_puts(text, close);
    return mgi_buf_view(text);
}

static void test_depth_is_bounded(void **state)
{
    (void)state;
    struct buf text = { 0 };
    /* D-6, T-JSON-3 */
    assert_int_equal(verdict(nested(&text, 64, "[", "]"), NULL), JSON_OK);
    expect_fault(nested(&text, 65, "[", "]"), JSON_TOO_DEEP, 64);
    assert_int_equal(verdict(nested(&text, 64, "{\"a\":", "}"), NULL), JSON_OK);
    expect_fault(nested(&text, 65, "{\"a\":", "}"), JSON_TOO_DEEP, 320);
    expect_fault(nested(&text, 100000, "[", ""), JSON_TOO_DEEP, 64);

    struct arena arena;
    mgi_arena_init(&arena, 0);
    struct json v;
    struct json_error error;
    struct json_options two = { .max_depth = 2 }, many = { .max_depth = 100000 };
    assert_int_equal(mgi_json_parse(&arena, STR_LIT("[[1]]"), &two, &v, NULL), JSON_OK);
    assert_int_equal(mgi_json_parse(&arena, STR_LIT("[[[]]]"), &two, &v, NULL), JSON_TOO_DEEP);
    assert_int_equal(read_all(STR_LIT("[[[]]]"), 2, &error), JSON_TOO_DEEP);
    assert_int_equal(
        mgi_json_parse(&arena, nested(&text, JSON_MAX_DEPTH, "[", "]"), &many, &v, NULL), JSON_OK);
    struct str deeper = nested(&text, JSON_MAX_DEPTH + 1, "[", "]");
    assert_int_equal(mgi_json_parse(&arena, deeper, &many, &v, NULL), JSON_TOO_DEEP);
    assert_int_equal(read_all(deeper, 100000, &error), JSON_TOO_DEEP);
    mgi_arena_fini(&arena);
    mgi_buf_fini(&text);
}

static struct json number(struct arena *arena, const char *text)
{
    struct json v = { 0 };
    struct json_reader r;
    int64_t integer = 0;
    double d = 0;
    assert_int_equal(mgi_json_parse(arena, str_of(text), NULL, &v, NULL), JSON_OK);
    mgi_json_reader_init(&r, str_of(text), 0);
    assert_int_equal(mgi_json_reader_next(&r), JSON_EV_NUMBER);
    assert_int_equal(mgi_json_reader_number(&r, &integer, &d), v.type);
    if (v.type == JSON_INT)
        assert_true(integer == v.integer);
    if (v.type == JSON_FLOAT)
        assert_memory_equal(&d, &v.number, sizeof d);
    return v;
}

static void test_spelling_decides_between_integer_and_float(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 0);
    /* D-7 */
    assert_int_equal(number(&a, "5").type, JSON_INT);
    assert_int_equal(number(&a, "5.0").type, JSON_FLOAT);
    assert_int_equal(number(&a, "5e0").type, JSON_FLOAT);
    assert_int_equal(number(&a, "5E0").type, JSON_FLOAT);
    assert_int_equal(number(&a, "-0").type, JSON_INT);
    assert_true(number(&a, "-0").integer == 0);
    assert_true(signbit(number(&a, "-0.0").number));
    assert_true(number(&a, "9223372036854775807").integer == INT64_MAX);
    assert_true(number(&a, "-9223372036854775808").integer == INT64_MIN);
    assert_int_equal(number(&a, "9223372036854775808").type, JSON_HUGE);
    assert_int_equal(number(&a, "-9223372036854775809").type, JSON_HUGE);
    assert_int_equal(number(&a, "100000000000000000000000").type, JSON_HUGE);
    assert_int_equal(number(&a, "1e400").type, JSON_HUGE);
    assert_int_equal(number(&a, "-1.5E+400").type, JSON_HUGE);
    assert_int_equal(number(&a, "1e99999999999999999999999").type, JSON_HUGE);
    assert_true(number(&a, "1e-400").number == 0);
    assert_true(number(&a, "0e99999999999999999999999").number == 0);
    assert_true(number(&a, "4.9e-324").number > 0);
    assert_true(str_is(number(&a, "1e400").text, "1e400"));
    /* P-ENV-15 */
    assert_true(number(&a, "9007199254740991").integer == INT64_C(9007199254740991));
    assert_true(number(&a, "-9007199254740991").integer == -INT64_C(9007199254740991));
    mgi_arena_fini(&a);
}

static void test_any_unicode_scalar_value_can_stand_in_a_string(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 0);
    struct json v;
    struct str text =
        STR_LIT("\"\\u0000\\u200F\\uFFFF\\udbff\\udfff\xe2\x80\x8f\xef\xbf\xbf\xf4\x8f"
                "\xbf\xbf\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"");
    struct str expected =
        STR_LIT("\0\xe2\x80\x8f\xef\xbf\xbf\xf4\x8f\xbf\xbf\xe2\x80\x8f\xef\xbf\xbf"
                "\xf4\x8f\xbf\xbf\"\\/\b\f\n\r\t\xc3\xa9");
    assert_int_equal(mgi_json_parse(&a, text, NULL, &v, NULL), JSON_OK);
    /* P-ENV-13 */
    assert_true(str_eq(v.string, expected));

    struct json_reader r;
    mgi_json_reader_init(&r, text, 0);
    assert_int_equal(mgi_json_reader_next(&r), JSON_EV_STRING);
    assert_true(r.escaped);
    assert_true(str_eq(mgi_json_reader_string(&r, &a), expected));
    mgi_arena_fini(&a);
}

static void test_dom_borrows_from_the_source_and_keeps_its_bytes(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 0);
    struct json v;
    struct str text = STR_LIT(" { \"name\" : \"plain\", \"list\":[ 1, {\"x\" : null} ] } ");
    assert_int_equal(mgi_json_parse(&a, text, NULL, &v, NULL), JSON_OK);
    assert_int_equal(v.type, JSON_OBJECT);
    assert_int_equal(v.count, 2);
    assert_ptr_equal(v.text.ptr, text.ptr + 1);
    assert_int_equal(v.text.len, text.len - 2);
    const struct json *name = mgi_json_get(&v, "name");
    assert_true(name->string.ptr > text.ptr && name->string.ptr < text.ptr + text.len);
    assert_true(str_is(name->text, "\"plain\""));
    const struct json *list = mgi_json_get(&v, "list");
    assert_int_equal(list->count, 2);
    assert_true(str_is(list->text, "[ 1, {\"x\" : null} ]"));
    assert_true(str_is(list->items[1].text, "{\"x\" : null}"));
    assert_int_equal(mgi_json_get(&list->items[1], "x")->type, JSON_NULL);
    assert_null(mgi_json_get(&v, "nam"));
    assert_null(mgi_json_get(list, "name"));
    assert_null(mgi_json_get(NULL, "name"));
    mgi_arena_fini(&a);
}

static void test_failure_leaves_the_value_and_the_arena_as_they_were(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 0);
    assert_non_null(mgi_arena_alloc(&a, 10));
    size_t used = a.used;
    struct json v = { .type = JSON_BOOL, .boolean = true };
    assert_int_equal(mgi_json_parse(&a, STR_LIT("[[1,2],[\"\\n\"],"), NULL, &v, NULL),
                     JSON_BAD_SYNTAX);
    assert_int_equal(v.type, JSON_BOOL);
    assert_int_equal(a.used, used);
    mgi_arena_fini(&a);
}

/* The limit of the arena bounds what waits for it: that stops before the fault behind. */
static void test_values_that_would_not_fit_are_not_gathered(void **state)
{
    (void)state;
    static char text[20002];
    struct arena a;
    struct json v;
    for (size_t i = 0; i < sizeof text - 2; i += 2)
        memcpy(text + i, i ? ",1" : "[1", 2);
    text[sizeof text - 2] = '!';
    mgi_arena_init(&a, (size_t)16 * 1024);
    assert_int_equal(mgi_json_parse(&a, str_of(text), NULL, &v, NULL), JSON_NOMEM);
    mgi_arena_fini(&a);
    mgi_arena_init(&a, 10000 * sizeof v + 1024); /* but what would, is */
    assert_int_equal(mgi_json_parse(&a, str_of(text), NULL, &v, NULL), JSON_BAD_SYNTAX);
    text[sizeof text - 2] = ']';
    assert_int_equal(mgi_json_parse(&a, str_of(text), NULL, &v, NULL), JSON_OK);
    mgi_arena_fini(&a);
}

static const char sample[] =
    " {\"type\":\"intent_request\",\"id\":17,\"f\":[-1.25e-3,true,false,null,"
    "\"\\u20ac\\ud83d\\ude00 "
    "\xc3\xa9\\n\",{},[],[[{\"a\":{\"b\":[0]}}]]],\"huge\":123456789012345678901} ";

static void test_every_prefix_of_a_text_is_refused_at_its_end(void **state)
{
    (void)state;
    size_t len = sizeof sample - 1;
    assert_int_equal(verdict((struct str){ sample, len }, NULL), JSON_OK);
    for (size_t cut = 0; cut < len - 1; cut++) {
        struct json_error e = { 0 };
        enum json_fault fault = verdict((struct str){ sample, cut }, &e);
        assert_int_not_equal(fault, JSON_OK);
        assert_true(e.offset <= cut);
    }
}

static void test_every_changed_byte_gives_the_same_verdict_both_ways(void **state)
{
    (void)state;
    static const char values[] = "\0\t \"\\{}[],:0-.eEtu\x7f\x80\xc3\xed\xf4\xff";
    char text[sizeof sample - 1];
    for (size_t at = 0; at < sizeof text; at++) {
        for (size_t k = 0; k < sizeof values - 1; k++) {
            memcpy(text, sample, sizeof text);
            text[at] = values[k];
            (void)verdict((struct str){ text, sizeof text }, NULL); /* compares the two */
        }
    }
}

static void test_reader_events_come_in_order(void **state)
{
    (void)state;
    static const enum json_event expected[] = {
        JSON_EV_OBJECT_BEGIN, JSON_EV_KEY,          JSON_EV_ARRAY_BEGIN, JSON_EV_NUMBER,
        JSON_EV_BOOL,         JSON_EV_NULL,         JSON_EV_STRING,      JSON_EV_ARRAY_END,
        JSON_EV_KEY,          JSON_EV_OBJECT_BEGIN, JSON_EV_OBJECT_END,  JSON_EV_OBJECT_END,
        JSON_EV_END,
    };
    struct json_reader r;
    mgi_json_reader_init(&r, STR_LIT("{\"a\":[1,true,null,\"s\"],\"b\":{}}"), 0);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_int_equal(mgi_json_reader_next(&r), expected[i]);
        if (i == 1)
            assert_true(str_is(r.token, "\"a\""));
        if (i == 4)
            assert_true(str_is(r.token, "true"));
    }
}

static void test_reader_skips_whole_values(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 0);
    struct json_reader r;
    mgi_json_reader_init(&r, STR_LIT("{\"skip\":[1,{\"x\":[]}],\"s2\":0,\"take\":7}"), 0);
    assert_int_equal(mgi_json_reader_next(&r), JSON_EV_OBJECT_BEGIN);
    assert_int_equal(mgi_json_reader_next(&r), JSON_EV_KEY);
    assert_true(mgi_json_reader_skip(&r)); /* the value of the key */
    assert_true(mgi_json_reader_skip(&r)); /* a whole member */
    assert_int_equal(mgi_json_reader_next(&r), JSON_EV_KEY);
    assert_true(str_is(mgi_json_reader_string(&r, &a), "take"));
    assert_int_equal(mgi_json_reader_next(&r), JSON_EV_NUMBER);
    assert_false(mgi_json_reader_skip(&r)); /* the object ends */
    assert_int_equal(mgi_json_reader_next(&r), JSON_EV_END);

    mgi_json_reader_init(&r, STR_LIT("[[1,2"), 0);
    assert_int_equal(mgi_json_reader_next(&r), JSON_EV_ARRAY_BEGIN);
    assert_false(mgi_json_reader_skip(&r));
    assert_int_equal(r.error.fault, JSON_BAD_SYNTAX);
    mgi_arena_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_extensions_of_json_are_syntax_errors),
        cmocka_unit_test(test_bytes_that_are_not_utf8_are_refused_where_they_stand),
        cmocka_unit_test(test_reasons_are_the_words_of_the_wire),
        cmocka_unit_test(test_an_error_has_line_column_and_a_message),
        cmocka_unit_test(test_a_repeated_name_is_refused_at_any_depth),
        cmocka_unit_test(test_a_repeated_name_is_found_in_large_objects),
        cmocka_unit_test(test_depth_is_bounded),
        cmocka_unit_test(test_spelling_decides_between_integer_and_float),
        cmocka_unit_test(test_any_unicode_scalar_value_can_stand_in_a_string),
        cmocka_unit_test(test_dom_borrows_from_the_source_and_keeps_its_bytes),
        cmocka_unit_test(test_failure_leaves_the_value_and_the_arena_as_they_were),
        cmocka_unit_test(test_values_that_would_not_fit_are_not_gathered),
        cmocka_unit_test(test_every_prefix_of_a_text_is_refused_at_its_end),
        cmocka_unit_test(test_every_changed_byte_gives_the_same_verdict_both_ways),
        cmocka_unit_test(test_reader_events_come_in_order),
        cmocka_unit_test(test_reader_skips_whole_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
