/* Facts from JSON lines and CSV: what comes of each row, what is told of faulty ones and where, and
 * which predicates a text speaks of. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "formats/facts.h"
#include "support/growth.h"

static const char rules[] =
    "Decl p(Who, Count) bound [/string, /number]. Decl f(X) bound [/float64].\n"
    "Decl who(X) bound [/person]. Decl any(X). Decl at(X) temporal. Decl none().\n"
    "r(X) :- p(X, _).\n";

/* What a taker saw: "pred(args)" per fact, then "line: fault: message" per fault. */
struct seen {
    mangle_program *program;
    mangle_base *base;
    struct buf faults;
};

static mangle_pred find(void *context, uint32_t line, const char *name, uint32_t count)
{
    struct seen *s = context;
    mangle_pred pred = mangle_pred_find(s->program, name, count);
    if (pred == MANGLE_NO_PRED)
        mgi_buf_printf(&s->faults, "%u: no %s/%u\n", line, name, count);
    return pred;
}

static bool is_title(void *context, mangle_pred pred, uint32_t column, struct str field)
{
    (void)context;
    (void)pred;
    return column == 0 && str_is(field, "Name");
}

static void fault(void *context, uint32_t line, enum fact_fault kind, const char *message)
{
    static const char *const kinds[] = { "json", "object", "value", "quotes", "ragged", "refused" };
    struct seen *s = context;
    mgi_buf_printf(&s->faults, "%u: %s: %s\n", line, kinds[kind], message);
}

static void print_facts(struct seen *s, struct buf *out)
{
    mangle_overlay *o;
    assert_int_equal(mangle_base_close(s->base, NULL, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_new(s->base, &o), MANGLE_OK);
    assert_int_equal(mangle_overlay_eval(o, 0, NULL, NULL, NULL), MANGLE_OK);
    for (mangle_pred i = 0; i < mangle_program_pred_count(s->program); i++) {
        const struct mangle_fact *facts;
        size_t count;
        if (mangle_program_pred(s->program, i).derived)
            continue;
        assert_int_equal(mangle_overlay_facts(o, i, &facts, &count), MANGLE_OK);
        for (size_t k = 0; k < count; k++) {
            char *text = mangle_fact_print(s->program, mangle_overlay_values(o), &facts[k],
                                           MANGLE_FILE, NULL);
            mgi_buf_printf(out, "%s\n", text);
            mangle_free(text);
        }
    }
    mangle_overlay_free(o);
}

static void expect(enum fact_form form, bool names, const char *text, size_t len, const char *want)
{
    struct mangle_source source = { "rules", rules, sizeof rules - 1 };
    struct seen s = { 0 };
    struct buf got = { 0 };
    assert_int_equal(mangle_compile(&source, 1, NULL, &s.program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(s.program, &s.base), MANGLE_OK);
    struct fact_taker taker = { .base = s.base,
                                .now_ns = INT64_C(1000000000),
                                .names = names,
                                .find = find,
                                .is_title = is_title,
                                .fault = fault,
                                .context = &s };
    assert_int_equal(mgi_fact_rows(form, (struct str){ text, len }, STR_LIT("p"), &taker),
                     MANGLE_OK);
    print_facts(&s, &got);
    mgi_buf_str(&got, mgi_buf_view(&s.faults));
    assert_string_equal(got.ptr ? got.ptr : "", want);
    mgi_buf_fini(&got);
    mgi_buf_fini(&s.faults);
    mangle_base_unref(s.base);
    mangle_program_unref(s.program);
}

/* What comes of the field in the second row of d, between `quote`s; the caller's. */
static char *read_second(const char *bound, const char *field, const char *quote)
{
    struct buf text = { 0 }, got = { 0 };
    struct seen s = { 0 };
    mgi_buf_printf(&text, "Decl d(N, X) bound [/number, %s].", bound);
    struct mangle_source source = { "rules", text.ptr, text.len };
    assert_int_equal(mangle_compile(&source, 1, NULL, &s.program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(s.program, &s.base), MANGLE_OK);
    mgi_buf_clear(&text);
    mgi_buf_printf(&text, "N,X\n1,%s%s%s\n", quote, field, quote);
    struct fact_taker taker = { .base = s.base, .find = find, .fault = fault, .context = &s };
    assert_int_equal(mgi_fact_rows(FACTS_CSV, mgi_buf_view(&text), STR_LIT("d"), &taker),
                     MANGLE_OK);
    print_facts(&s, &got);
    mgi_buf_str(&got, mgi_buf_view(&s.faults));
    mgi_buf_fini(&text);
    mgi_buf_fini(&s.faults);
    mangle_base_unref(s.base);
    mangle_program_unref(s.program);
    return mgi_buf_take(&got, NULL);
}

#define EXPECT(form, names, text, want) expect(form, names, text, sizeof(text) - 1, want)

/* M-IO-70, M-IO-71 */
static void test_json_lines_are_facts(void **state)
{
    (void)state;
    EXPECT(FACTS_JSON_LINES, false,
           "\xEF\xBB\xBF{\"pred\":\"p\",\"args\":[\"a\",1]}\r\n \t\n{\"pred\":\"none\"}\n"
           "{\"pred\":\"at\",\"args\":[\"x\"],\"t\":{\"at\":\"1970-01-01T00:00:02Z\"}}\n"
           "{\"pred\":\"at\",\"args\":[\"y\"],\"t\":null}",
           "p(\"a\",1)\nat(\"x\")@[1970-01-01T00:00:02Z]\nat(\"y\")@[_, _]\nnone()\n");
    EXPECT(FACTS_JSON_LINES, true, "{\"pred\":\"who\",\"args\":[\"/person/ann\"]}",
           "who(/person/ann)\n");
    EXPECT(FACTS_JSON_LINES, false, "{\"pred\":\"who\",\"args\":[\"/person/ann\"]}",
           "who(\"/person/ann\")\n");
    EXPECT(FACTS_JSON_LINES, false, "", "");
}

static void test_each_faulty_line_is_told(void **state)
{
    (void)state;
    EXPECT(FACTS_JSON_LINES, false,
           "{\n\n[]\n{\"pred\":1}\n{\"pred\":\"p\",\"args\":{}}\n{\"pred\":\"q\",\"args\":[]}\n"
           "{\"pred\":\"p\",\"args\":[\"a\",null]}\n{\"pred\":\"p\",\"args\":[\"a\",2]}\n"
           "{\"pred\":\"at\",\"args\":[1],\"t\":7}\n"
           "{\"pred\":\"any\",\"args\":[1],\"t\":{\"at\":\"1970-01-01T00:00:02Z\"}}\n",
           "p(\"a\",2)\n"
           "1: json: expected a name in double quotes, but the text ends\n"
           "3: object: expected a fact object such as {\"pred\":\"p\",\"args\":[1]}\n"
           "4: object: \"pred\" must be the name of a predicate\n"
           "5: object: \"args\" must be an array\n"
           "6: no q/0\n"
           "7: value: argument 2: null matches anything and belongs in retract patterns only\n"
           "9: value: \"t\": t is either {\"at\": time} or {\"start\": time, \"end\": time}\n"
           "10: refused: any is not temporal: it takes no interval\n");
}

static void test_csv_rows_are_facts(void **state)
{
    (void)state;
    EXPECT(FACTS_CSV, false, "\xEF\xBB\xBF\n\na,1\r\n\"b\nc\",-2\n\"d\"\"\",3",
           "p(\"a\",1)\np(\"b\\nc\",-2)\np(\"d\\\"\",3)\n");
    EXPECT(FACTS_CSV, false, "Who,Count\na,1\n", "p(\"a\",1)\n");  /* the Decl's variables */
    EXPECT(FACTS_CSV, false, "Name,Count\na,1\n", "p(\"a\",1)\n"); /* a title of the taker's */
    EXPECT(FACTS_CSV, false, "", "");
}

/* A row is told at the line on which it begins, also one of several lines. */
static void test_each_faulty_row_is_told(void **state)
{
    (void)state;
    EXPECT(FACTS_CSV, false, "a,1\n\n\"b\n\",x\nc\nd,\xff\ne,2,\n\"f\ng,4\n",
           "p(\"a\",1)\n"
           "3: value: column 2: \"x\" is not of type /number\n"
           "5: ragged: this row has 1 fields, the first has 2\n"
           "6: value: column 2 is not UTF-8\n"
           "7: ragged: this row has 3 fields, the first has 2\n"
           "8: quotes: a quote is not closed\n");
    EXPECT(FACTS_CSV, false, "a,b\"c\n",
           "1: quotes: a quote stands inside a field; quote the field "
           "and double it\n");
    EXPECT(FACTS_CSV, false, "a,1,2\nb,1\n", "1: no p/3\n"); /* nothing else can be said */
}

static void test_tsv_rows_are_facts(void **state)
{
    (void)state;
    EXPECT(FACTS_TSV, false, "\xEF\xBB\xBF\n\na\t1\r\n\"b\\nc\t-2\n\\t\\\\\\r,\t3",
           "p(\"\\t\\\\\\x0d,\",3)\np(\"\\\"b\\nc\",-2)\np(\"a\",1)\n");
    EXPECT(FACTS_TSV, false, "Who\tCount\na\t1\n", "p(\"a\",1)\n");
    EXPECT(FACTS_TSV, false, "\t1\n", "p(\"\",1)\n");
    EXPECT(FACTS_TSV, false, "", "");
}

/* A line is a record, whatever is wrong with it: what follows is read. */
static void test_each_faulty_line_of_tsv_is_told(void **state)
{
    (void)state;
    EXPECT(FACTS_TSV, false, "a\\x\t1\na\t1\n\nb\tx\nc\nd\t\xff\ne\t2\t\nf\\\t4\ng\t5\n",
           "p(\"a\",1)\np(\"g\",5)\n"
           "1: quotes: a backslash begins \\t, \\n, \\r or \\\\; write \\\\ for one\n"
           "4: value: column 2: \"x\" is not of type /number\n"
           "5: ragged: this row has 1 fields, the first has 2\n"
           "6: value: column 2 is not UTF-8\n"
           "7: ragged: this row has 3 fields, the first has 2\n"
           "8: quotes: a backslash begins \\t, \\n, \\r or \\\\; write \\\\ for one\n");
}

/* The quick way through plain records gives what the slow one does: each field is written plainly
 * behind a first record, and in quotes. */
static void test_plain_fields_are_read_as_quoted_ones(void **state)
{
    static const char *const fields[] = { "0",
                                          "-0",
                                          "-",
                                          "007",
                                          "-7",
                                          "1x",
                                          "--1",
                                          "+1",
                                          "1 ",
                                          " 1",
                                          "",
                                          "1.5",
                                          "-1e3",
                                          "/a",
                                          "/a/",
                                          "/",
                                          "caf\xC3\xA9",
                                          "\xff",
                                          "9223372036854775807",
                                          "-9223372036854775808",
                                          "9223372036854775808",
                                          "123456789012345678",
                                          "1234567890123456789",
                                          "a\\b" };
    static const char *const bounds[] = { "/any", "/number", "/string", "/float64", "/person" };
    (void)state;
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++)
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
            char *plain = read_second(bounds[b], fields[i], "");
            char *quoted = read_second(bounds[b], fields[i], "\"");
            assert_string_equal(plain, quoted);
            mangle_free(plain);
            mangle_free(quoted);
        }
}

/* One argument among facts, by the short way and, with a time that is none, by the reader of JSON.
 */
static char *read_argument(const char *argument, const char *time)
{
    struct mangle_source source = { "rules", rules, sizeof rules - 1 };
    struct seen s = { 0 };
    struct buf text = { 0 }, got = { 0 };
    for (int i = 0; i < 3; i++)
        mgi_buf_printf(&text, " {\"pred\" : \"p\", \"args\":[\"a\" , %s]%s}\r\n",
                       i == 1 ? argument : "7", time);
    assert_int_equal(mangle_compile(&source, 1, NULL, &s.program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(s.program, &s.base), MANGLE_OK);
    struct fact_taker taker = { .base = s.base, .find = find, .fault = fault, .context = &s };
    assert_int_equal(mgi_fact_rows(FACTS_JSON_LINES, mgi_buf_view(&text), STR_LIT(""), &taker),
                     MANGLE_OK);
    print_facts(&s, &got);
    mgi_buf_str(&got, mgi_buf_view(&s.faults));
    mangle_base_unref(s.base);
    mangle_program_unref(s.program);
    mgi_buf_fini(&s.faults);
    mgi_buf_fini(&text);
    return mgi_buf_take(&got, NULL);
}

static void test_plain_objects_are_read_as_others(void **state)
{
    static const char *const arguments[] = {
        "0",
        "-0",
        "-",
        "007",
        "-7",
        "1.5",
        "1e3",
        "true",
        "null",
        "[1]",
        "{}",
        "1,2",
        "",
        "\"\"",
        "\"/a\"",
        "\"\\n\"",
        "\"caf\xC3\xA9\"",
        "\"\xff\"",
        "\"a\tb\"",
        "999999999999999",
        "-999999999999999",
        "1234567890123456",
        "9223372036854775807",
        "9223372036854775808",
    };
    (void)state; /* M-IO-70 */
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        char *plain = read_argument(arguments[i], ""),
             *other = read_argument(arguments[i], ",\"t\":null");
        const char *const columns[] = { strstr(plain, "column"), strstr(other, "column") };
        if (!columns[0] || !columns[1]) /* a place in the line is another one */
            assert_string_equal(plain, other);
        mangle_free(plain);
        mangle_free(other);
    }
}

static void test_more_rows_than_go_in_together_are_facts(void **state)
{
    struct buf text = { 0 }, want = { 0 };
    (void)state;
    for (int i = 10000; i < 15000; i++) { /* some twice, some in quotes */
        mgi_buf_printf(&text, i % 7 ? "a,%d\n" : "\"a\",%d\r\n", i - i % 2);
        if (i % 2 == 0)
            mgi_buf_printf(&want, "p(\"a\",%d)\n", i);
    }
    expect(FACTS_CSV, false, text.ptr, text.len, want.ptr);
    mgi_buf_fini(&text);
    mgi_buf_fini(&want);
}

static void test_forms_and_predicates_are_in_names(void **state)
{
    (void)state;
    enum fact_form form;
    assert_true(mgi_fact_form_named(STR_LIT("a/b.jsonl"), &form) && form == FACTS_JSON_LINES);
    assert_true(mgi_fact_form_named(STR_LIT("b.csv"), &form) && mgi_fact_form_needs_pred(form));
    assert_true(mgi_fact_form_named(STR_LIT("b.tsv"), &form) && mgi_fact_form_needs_pred(form));
    assert_false(mgi_fact_form_named(STR_LIT("b.csv.gz"), &form));
    assert_true(str_is(mgi_fact_stem(STR_LIT("a.b/c.d.csv")), "c.d"));
    assert_true(str_is(mgi_fact_stem(STR_LIT("edge")), "edge"));
    assert_true(mgi_fact_pred_name_ok(STR_LIT("a.B_1:c")));
    assert_false(mgi_fact_pred_name_ok(STR_LIT("")));
    assert_false(mgi_fact_pred_name_ok(STR_LIT("A")));
    assert_false(mgi_fact_pred_name_ok(STR_LIT("a-b")));
}

static void expect_preds(enum fact_form form, const char *text, const char *want)
{
    struct mangle_source source = { "text", text, strlen(text) };
    struct buf got = { 0 };
    struct host_pred_list list;
    mgi_host_preds_init(&list);
    assert_true(mgi_fact_preds(form, &source, STR_LIT("p"), &list));
    for (size_t i = 0; i < list.count; i++)
        mgi_buf_printf(&got, "%s/%u%s ", list.items[i].name, list.items[i].arity,
                       list.items[i].temporal ? " temporal" : "");
    assert_string_equal(got.ptr ? got.ptr : "", want);
    mgi_buf_fini(&got);
    mgi_host_preds_fini(&list);
}

static void test_predicates_of_each_form_are_listed(void **state)
{
    (void)state;
    expect_preds(FACTS_MANGLE, "a(1). b(2)@[_, _]. b(3)@[now]. nonsense(", "a/1 b/1 temporal ");
    expect_preds(FACTS_JSON_LINES,
                 "{\"pred\":\"a\",\"args\":[1]}\n?\n{\"pred\":\"a\",\"args\":[1],\"t\":{}}\n"
                 "{\"pred\":\"a\"}\n",
                 "a/1 temporal a/0 ");
    expect_preds(FACTS_CSV, "\n1,2,3\n4\n", "p/3 ");
    expect_preds(FACTS_CSV, "", "");
    expect_preds(FACTS_TSV, "\n1\t2\\x\n4\n", "p/2 ");
    expect_preds(FACTS_TSV, "\r\n", "");
    expect_preds(FACTS_COLUMNS, "1\na 1 1\n7\n", "a/1 ");
    expect_preds(FACTS_JSON, "{}", "p/1 ");
}

static void list_many_predicates(size_t count)
{
    struct buf text = { 0 };
    struct host_pred_list list;
    for (size_t i = 0; i < count; i++)
        mgi_buf_printf(&text, "{\"pred\":\"p%zu\"}\n", i);
    struct mangle_source source = { "text", text.ptr, text.len };
    mgi_host_preds_init(&list);
    assert_true(mgi_fact_preds(FACTS_JSON_LINES, &source, STR_LIT(""), &list));
    assert_int_equal(list.count, count);
    mgi_host_preds_fini(&list);
    mgi_buf_fini(&text);
}

static void test_many_predicates_are_listed_in_time(void **state)
{
    (void)state;
    assert_near_linear(list_many_predicates, 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_lines_are_facts),
        cmocka_unit_test(test_each_faulty_line_is_told),
        cmocka_unit_test(test_csv_rows_are_facts),
        cmocka_unit_test(test_each_faulty_row_is_told),
        cmocka_unit_test(test_tsv_rows_are_facts),
        cmocka_unit_test(test_each_faulty_line_of_tsv_is_told),
        cmocka_unit_test(test_plain_fields_are_read_as_quoted_ones),
        cmocka_unit_test(test_plain_objects_are_read_as_others),
        cmocka_unit_test(test_more_rows_than_go_in_together_are_facts),
        cmocka_unit_test(test_forms_and_predicates_are_in_names),
        cmocka_unit_test(test_predicates_of_each_form_are_listed),
        cmocka_unit_test(test_many_predicates_are_listed_in_time),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("formats/facts", tests, NULL, NULL);
}
