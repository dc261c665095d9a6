/* The simple column file: written the same way always, read back to the same facts, and refused
 * with the place and the reason when it is not one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mangle/columns/columns.h"
#include "mangle/value/value.h"
#include "support/mangle_run.h"

/* ---- writing ----------------------------------------------------------------------------- */

/* The column file of a program: of the predicates in `names` ("a/1 b/2"), NULL: of all. What went
 * wrong: "error: …". The caller's (mangle_free). */
static char *columns_of(const char *text, const char *names)
{
    struct mangle_run run = mangle_run(text, NULL);
    mangle_pred preds[16];
    size_t count = 0, len;
    char name[32], *out = NULL;
    assert_int_equal(run.status, MANGLE_OK);
    uint32_t arity;
    for (int n; names && sscanf(names, " %31[^/]/%" SCNu32 "%n", name, &arity, &n) == 2; names += n)
        assert_int_not_equal(preds[count++] = mangle_pred_find(run.program, name, arity),
                             MANGLE_NO_PRED);
    enum mangle_status st =
        mangle_overlay_columns(run.overlay, count ? preds : NULL, count, &out, &len, &run.error);
    if (st) {
        struct buf said = { 0 };
        assert_int_equal(st, MANGLE_ERR_INPUT);
        assert_null(out);
        assert_int_equal(len, 0);
        mgi_buf_printf(&said, "error: %s", run.error.message);
        out = mgi_buf_take(&said, NULL);
    } else {
        assert_int_equal(len, strlen(out));
    }
    mangle_run_end(&run);
    return out;
}

static void writes(const char *text, const char *names, const char *want)
{
    char *got = columns_of(text, names);
    assert_string_equal(got, want);
    mangle_free(got);
}

static void test_the_example_has_exactly_seven_lines(void **state) /* M-IO-42, M-IO-40 */
{
    (void)state;
    writes("on(). age(/ann, 3). age(/bob, 7).", NULL, "2\non 0 1\nage 2 2\n/bob\n/ann\n7\n3\n");
}

/* M-IO-41: by arity, then name, whatever the order of the program; facts by their hash */
static void test_predicates_stand_by_arity_then_name(void **state)
{
    (void)state;
    writes("b(1, 2). z(1). a(1, 1). y(). c(7).", NULL,
           "5\ny 0 1\nc 1 1\nz 1 1\na 2 1\nb 2 1\n7\n1\n1\n1\n1\n2\n");
    writes("b(1, 2). z(1). y() :- z(9).", "b/2 z/1 y/0", "3\ny 0 0\nz 1 1\nb 2 1\n1\n1\n2\n");
}

/* M-IO-41: the three atoms have one hash, for the bytes of name, string and bytes are the same;
 * the canonical texts begin with '"', '/' and 'b' */
static void test_facts_of_one_hash_stand_by_their_text(void **state)
{
    (void)state;
    writes("p(b\"/x\"). p(/x). p(\"/x\").", NULL, "1\np 1 3\n\"/x\"\n/x\nb\"/x\"\n");
}

/* M-IO-41: the order is that of the unsigned hashes, computed here again */
static void test_facts_stand_by_their_unsigned_hash(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("p(1). p(2). p(3). p(4). p(5). p(6). p(7). p(8).", NULL);
    size_t len;
    char *out;
    assert_int_equal(mangle_overlay_columns(run.overlay, NULL, 0, &out, &len, NULL), MANGLE_OK);
    uint64_t before = 0;
    bool high = false;
    const char *line = strchr(strchr(out, '\n') + 1, '\n') + 1;
    for (int i = 0; i < 8; i++, line = strchr(line, '\n') + 1) {
        mangle_value v = mangle_number(mangle_overlay_values(run.overlay), line[0] - '0');
        uint64_t hash = mgi_atom_hash(mangle_overlay_values(run.overlay), str_of("p"), &v, 1);
        assert_true(hash > before);
        before = hash;
        high |= hash > INT64_MAX;
    }
    assert_true(high); /* else the sign would not have mattered */
    mangle_free(out);
    mangle_run_end(&run);
}

static void test_only_the_atoms_of_temporal_facts_are_written(void **state) /* M-IO-46 */
{
    (void)state;
    writes("Decl p(X) temporal. p(/a)@[2024-01-01, 2024-01-02]. p(/a)@[2024-02-01, 2024-02-02].",
           NULL, "1\np 1 1\n/a\n");
}

/* Writes p(V) of a host; V is what `make` makes, in some shape: 0 as it is, 1 in a list, 2 as a
 * label, 3 in a pair, 4 + n in n lists. */
typedef mangle_value make_value(mangle_values *t, const void *from);

static enum mangle_status written_as(make_value *make, const void *from, int shape,
                                     struct mangle_error *err)
{
    struct mangle_source source = { "names", "Decl p(X).", 10 };
    struct mangle_compile_options options = { .changeable = run_changes_all };
    mangle_program *program;
    mangle_base *base;
    mangle_overlay *o;
    assert_int_equal(mangle_compile(&source, 1, &options, &program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(program, &base), MANGLE_OK);
    mangle_values *t = mangle_base_values(base);
    mangle_value n = make(t, from), v = n, one = mangle_number(t, 1);
    if (shape == 1)
        v = mangle_list(t, &n, 1);
    if (shape == 2)
        v = mangle_struct(t, &n, &one, 1);
    if (shape == 3)
        v = mangle_pair(t, one, n);
    for (int i = 0; i < shape - 4; i++)
        v = mangle_list(t, &v, 1);
    assert_int_equal(mangle_base_add(base, 0, &v, 1, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_close(base, NULL, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_new(base, &o), MANGLE_OK);
    assert_int_equal(mangle_overlay_eval(o, 0, NULL, NULL, NULL), MANGLE_OK);
    char *out;
    size_t len;
    enum mangle_status st = mangle_overlay_columns(o, NULL, 0, &out, &len, err);
    mangle_free(out);
    mangle_overlay_free(o);
    mangle_base_unref(base);
    mangle_program_unref(program);
    return st;
}

static mangle_value make_float(mangle_values *t, const void *from)
{
    return mangle_float(t, *(const double *)from);
}

static mangle_value make_string(mangle_values *t, const void *from)
{
    return mangle_string(t, from, strlen(from));
}

static mangle_value make_name(mangle_values *t, const void *from)
{
    return mangle_name(t, from, strlen(from));
}

static enum mangle_status written_as_name(const char *name, int shape, struct mangle_error *err)
{
    return written_as(make_name, name, shape, err);
}

/* M-IO-44: not a number, infinities; M-VAL-69: text that is not UTF-8 */
static void test_what_has_no_text_is_refused_and_named(void **state)
{
    (void)state;
    struct mangle_error err;
    const double wrong[] = { (double)NAN, (double)INFINITY, (double)-INFINITY }, fine = 1e300;
    const char *const shown[] = { "p(NaN)", "p([+Inf])", "p({-Inf : 1})" };
    for (int i = 0; i < 3; i++) {
        assert_int_equal(written_as(make_float, &wrong[i], i, &err), MANGLE_ERR_INPUT);
        assert_non_null(strstr(err.message, shown[i]));
        assert_non_null(strstr(err.message, "NaN, an infinity, or text that is not UTF-8"));
    }
    assert_int_equal(written_as(make_float, &fine, 0, &err), MANGLE_OK);
    assert_int_equal(written_as(make_string, "\xff", 0, &err), MANGLE_ERR_INPUT);
    assert_string_equal(err.message, "argument 1 of p(<bad>) cannot be written: NaN, an infinity, "
                                     "or text that is not UTF-8");
}

/* A name of a host may hold anything; in a file it would be read as something else. */
static void test_names_that_would_not_read_back_are_refused(void **state)
{
    (void)state;
    struct mangle_error err;
    for (int shape = 0; shape < 4; shape++) {
        assert_int_equal(written_as_name("/a\nb", shape, &err), MANGLE_ERR_INPUT);
        assert_non_null(strstr(err.message, "a name that no program text can hold"));
        assert_non_null(strstr(err.message, "/a\\nb"));
        assert_int_equal(written_as_name("/a%20b", shape, &err), MANGLE_OK);
        /* `/a.` before a blank or at the end of a line ends a clause */
        assert_int_equal(written_as_name("/a.", shape, &err),
                         shape == 0 || shape == 2 ? MANGLE_ERR_INPUT : MANGLE_OK);
    }
    assert_int_equal(written_as_name("/a", 4 + 199, &err), MANGLE_OK);
    assert_int_equal(written_as_name("/a", 4 + 200, &err), MANGLE_ERR_INPUT);
    assert_non_null(strstr(err.message, "nested too deep to be read"));
}

/* ---- reading ----------------------------------------------------------------------------- */

struct reading {
    enum mangle_status status;
    char *facts; /* of all predicates, a line each */
    char *found; /* diagnostics, "line:column code message", a line each */
    size_t base_facts;
};

static const char rules[] = "Decl p(X). Decl q(X, Y). Decl on(). Decl e(X) temporal.";

static struct reading read_with(const char *program_text, const char *text, size_t len)
{
    struct mangle_source source = { "rules", program_text, strlen(program_text) },
                         file = { "facts.sc", text, len };
    struct mangle_compile_options options = { .changeable = run_changes_all };
    struct reading r = { 0 };
    mangle_program *program;
    mangle_base *base;
    mangle_overlay *o;
    mangle_diags *diags = mangle_diags_new();
    assert_int_equal(mangle_compile(&source, 1, &options, &program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(program, &base), MANGLE_OK);
    r.status = mangle_base_add_columns(base, &file, diags);
    struct buf out = { 0 }, said = { 0 };
    for (size_t i = 0; i < mangle_diags_count(diags); i++) {
        const struct mangle_diag *d = mangle_diags_get(diags, i);
        mgi_buf_printf(&said, "%u:%u %s %s\n", d->line, d->column, d->code, d->message);
    }
    assert_int_equal(r.status == MANGLE_ERR_PROGRAM, said.len > 0);
    mangle_diags_free(diags);
    assert_int_equal(mangle_base_close(base, NULL, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_new(base, &o), MANGLE_OK);
    assert_int_equal(mangle_overlay_eval(o, 0, NULL, NULL, NULL), MANGLE_OK);
    for (mangle_pred p = 0; p < mangle_program_pred_count(program); p++) {
        const struct mangle_fact *facts;
        size_t count;
        assert_int_equal(mangle_overlay_facts(o, p, &facts, &count), MANGLE_OK);
        r.base_facts += count;
        for (size_t i = 0; i < count; i++) {
            char *fact =
                mangle_fact_print(program, mangle_overlay_values(o), &facts[i], MANGLE_FILE, NULL);
            mgi_buf_printf(&out, "%s\n", fact);
            mangle_free(fact);
        }
    }
    mangle_overlay_free(o);
    mangle_base_unref(base);
    mangle_program_unref(program);
    mgi_buf_puts(&out, "");
    mgi_buf_puts(&said, "");
    r.facts = out.ptr ? mgi_buf_take(&out, NULL) : NULL;
    r.found = said.ptr ? mgi_buf_take(&said, NULL) : NULL;
    return r;
}

static void reading_end(struct reading *r)
{
    mangle_free(r->facts);
    mangle_free(r->found);
}

static void reads(const char *text, const char *want)
{
    struct reading r = read_with(rules, text, strlen(text));
    if (r.status)
        print_error("%s\n", r.found);
    assert_int_equal(r.status, MANGLE_OK);
    assert_string_equal(r.facts ? r.facts : "", want);
    reading_end(&r);
}

/* Refused with these findings, and no fact was added. */
static void refuses(const char *text, const char *want)
{
    struct reading r = read_with(rules, text, strlen(text));
    assert_int_equal(r.status, MANGLE_ERR_PROGRAM);
    assert_string_equal(r.found ? r.found : "", want);
    assert_int_equal(r.base_facts, 0);
    reading_end(&r);
}

static void test_columns_are_read_as_facts(void **state) /* M-IO-40 */
{
    (void)state;
    reads("3\non 0 1\np 1 1\nq 2 2\n/x\n/bob\n/ann\n7\n3\n", "p(/x)\nq(/ann,3)\nq(/bob,7)\non()\n");
    reads("0\n", "");
    reads("1\nq 2 0\n", "");
    reads("1\np 1 1\n7", "p(7)\n"); /* the last line may lack its end */
    reads("1\np 1 1\n7\n\n \n", "p(7)\n");
}

static void test_a_value_is_a_term_that_is_evaluated(void **state) /* M-IO-43, M-SYN-16 */
{
    (void)state;
    reads("1\np 1 4\nfn:plus(1, 2)\n fn:pair([1], {/a : 2.5}) # why\n\"x\\ny\".\nfn:true\n",
          "p(/true)\np(\"x\\ny\")\np(3)\np(fn:pair([1], {/a : 2.5}))\n");
    reads("1\np 1 1\nfn:time:parse_rfc3339(\"2024-01-15T10:30:00Z\")\n",
          "p(fn:time:parse_rfc3339(\"2024-01-15T10:30:00Z\"))\n");
    reads("1\np 1 2\n/a%20b\n/%\n", "p(/%)\np(/a%20b)\n"); /* not decoded */
    reads("1\np 1 1\n\"\xff\"\n", "p(\"\\u{00fffd}\")\n"); /* M-LEX-1 */
}

static void test_quirks_of_the_reference_are_mended(void **state) /* M-IO-44 */
{
    (void)state;
    reads("1\non 0 0\n", "");
    reads("1\non 0 1\n", "on()\n");
    reads("1\np 1 3\n[-1, 2]\n1.0\n1\n", "p(1)\np(1.0)\np([-1, 2])\n");
    refuses("1\np 1 2\nX\n[_]\n", "3:1 VAR_UNBOUND a variable has no value here\n"
                                  "4:2 VAR_UNBOUND a variable has no value here\n");
    struct buf text = { 0 };
    mgi_buf_puts(&text, "1\np 1 1\n\"");
    for (int i = 0; i < 100000; i++)
        mgi_buf_putc(&text, 'x');
    mgi_buf_puts(&text, "\"\n");
    struct reading r = read_with(rules, text.ptr, text.len);
    assert_int_equal(r.status, MANGLE_OK);
    assert_int_equal(strlen(r.facts), 100000 + strlen("p(\"\")\n"));
    reading_end(&r);
    mgi_buf_fini(&text);
}

static void test_facts_of_temporal_predicates_hold_always(void **state) /* M-IO-46 */
{
    (void)state;
    reads("1\ne 1 1\n/a\n", "e(/a)@[_, _]\n");
}

/* M-IO-45 */
static void test_faults_of_the_header_are_all_told(void **state)
{
    (void)state;
    refuses("", "1:1 COLUMN_FILE the file is empty\n");
    refuses("p 1 1\n", "1:1 COLUMN_FILE expected the number of predicates\n");
    refuses("-1\n", "1:1 COLUMN_FILE expected the number of predicates\n");
    refuses("2\np 1 1\n", "3:1 COLUMN_FILE the file ends after 1 of 2 predicates\n");
    refuses(
        "6\np 1\np  1 1\nP 1 1\n_ 1 1\nfn:p 1 1\np 1 1 1\n",
        "2:1 COLUMN_FILE expected the name of a predicate, its arity and its number of facts\n"
        "3:1 COLUMN_FILE expected the name of a predicate, its arity and its number of facts\n"
        "4:1 COLUMN_FILE this is no name of a predicate\n"
        "5:1 COLUMN_FILE this is no name of a predicate\n"
        "6:1 COLUMN_FILE this is no name of a predicate\n"
        "7:1 COLUMN_FILE expected the name of a predicate, its arity and its number of facts\n");
    refuses(
        "2\non 0 2\nq -2 1\n",
        "2:1 COLUMN_FILE a predicate without arguments has at most one fact\n"
        "3:1 COLUMN_FILE expected the name of a predicate, its arity and its number of facts\n");
}

static void test_a_short_or_long_file_is_refused(void **state) /* M-IO-45 */
{
    (void)state;
    refuses("2\np 1 1\nq 2 2\n1\n2\n3\n4\n",
            "8:1 COLUMN_FILE the file ends after 4 values: 1 of \"q\" are missing\n");
    refuses("1\np 1 4000000000\n1\n",
            "4:1 COLUMN_FILE the file ends after 1 values: 3999999999 of \"p\" are missing\n");
    refuses("1\np 1 1\n1\n2\n",
            "4:1 COLUMN_FILE the file goes on after the 1 value that its header names\n");
}

static void test_there_are_limits(void **state) /* M-IO-47, M-LIM-6 */
{
    (void)state;
    refuses("65537\n", "1:1 COLUMN_FILE there are more than 65536 predicates\n");
    refuses("65536\n", "2:1 COLUMN_FILE the file ends after 0 of 65536 predicates\n");
    refuses("1\np 1025 0\n", "2:1 COLUMN_FILE the arity is more than 1024\n");
    refuses("1\np 1024 0\n",
            "2:1 PRED_ARITY \"p\" has 1024 arguments here, but 1 in the program\n");
    refuses("1\np 1 4294967297\n", "2:1 COLUMN_FILE the number of facts is more than 4294967296\n");
    refuses("1\np 1 99999999999999999999999\n",
            "2:1 COLUMN_FILE the number of facts is more than 4294967296\n");
    refuses("1\np 1 4294967296\n",
            "3:1 COLUMN_FILE the file ends after 0 values: 4294967296 of \"p\" are missing\n");
}

/* Nothing half done: with one fault no fact is there. */
static void test_all_faults_of_the_values_are_told(void **state)
{
    (void)state;
    refuses("2\nnew 0 1\nq 2 2\n1\n\n3 4\nfn:div(1, 0)\n",
            "2:1 PRED_UNKNOWN the program does not know the predicate \"new\"\n"
            "5:1 SYNTAX expected a value, but the text ends here\n"
            "6:3 SYNTAX expected nothing after the value, but found '4'\n"
            "7:1 FACT_EVAL fn:div: division by zero\n");
    refuses("1\np 1 3\nq(1)\nfn:nope(1)\nfn:time:now()\n",
            "3:1 SYNTAX expected a value, but found the atom \"q\"\n"
            "4:1 FN_UNKNOWN there is no function \"fn:nope\"\n"
            "5:1 FACT_EVAL a fact of a base cannot read the evaluation time\n");
    refuses("1\np 1 2\n[1,\n2]\n", "3:1 SYNTAX this '[' is not closed: the text ends first\n"
                                   "4:2 SYNTAX expected nothing after the value, but found ']'\n");
}

static void test_a_closed_base_takes_no_file(void **state)
{
    (void)state;
    struct mangle_run run = mangle_run("p(1).", NULL);
    struct mangle_source file = { "facts.sc", "0\n", 2 };
    assert_int_equal(mangle_base_add_columns(run.base, &file, NULL), MANGLE_ERR_INPUT);
    mangle_run_end(&run);
}

static void test_the_predicates_of_a_file_are_listed(void **state) /* M-IO-29 */
{
    (void)state;
    const char text[] = "3\non 0 1\nnow 1 1\na.b 2 2\nnonsense\n1\n2\n3\n4\n";
    struct mangle_source file = { "facts.sc", text, sizeof text - 1 };
    struct mangle_column_pred *preds;
    size_t count;
    assert_int_equal(mangle_columns_preds(&file, &preds, &count, NULL), MANGLE_OK);
    assert_int_equal(count, 3);
    assert_string_equal(preds[1].name, "now"); /* M-SYN-57 */
    assert_string_equal(preds[2].name, "a.b");
    assert_int_equal(preds[2].arity, 2);
    assert_int_equal(preds[2].facts, 2);
    mangle_free(preds);
    file.len--;
    file.len--;
    assert_int_equal(mangle_columns_preds(&file, &preds, &count, NULL), MANGLE_ERR_PROGRAM);
    assert_null(preds);
    assert_int_equal(count, 0);
}

/* ---- there and back ---------------------------------------------------------------------- */

/* M-IO-40, M-VAL-69: every kind of value comes back as itself, and is written the same again */
static void test_what_is_written_reads_back(void **state)
{
    (void)state;
    const char program[] =
        "p(/a.b). p(/true). p(\"\"). p(\"'\\\"\\\\\\n\\t\\x01\\u{1f600}\"). p(b\"\\x00\\xff'\")."
        "p(-9223372036854775808). p(1). p(1.0). p(-0.0). p(100000000000000000000000.0). p(0.1)."
        "p(fn:time:parse_rfc3339(\"1969-12-31T23:59:59.999999999Z\"))."
        "p(fn:duration:parse(\"-1h2m3.5s\")). p(fn:duration:parse(\"1500us\"))."
        "p(fn:pair(1, [/x, -1.0])). p([]). p({}). p(fn:map()). p([-1]). p([-1 : 2, \"k\" : {}])."
        "p({/a : [1.0], /b : {/c : b\"x\"}}). p([[[]]]). p([/a.]). q(1, \"a\"). q(1.0, 'a').";
    char *first = columns_of(program, NULL);
    assert_true(strncmp(first, "2\np 1 23\nq 2 2\n", 15) == 0);
    struct reading r = read_with(rules, first, strlen(first));
    if (r.status)
        print_error("%s\n", r.found);
    assert_int_equal(r.status, MANGLE_OK);
    assert_int_equal(r.base_facts, 25);
    struct buf again = { 0 };
    for (char *line = strtok(r.facts, "\n"); line; line = strtok(NULL, "\n"))
        mgi_buf_printf(&again, "%s.\n", line);
    char *second = columns_of(again.ptr, NULL);
    assert_string_equal(second, first);
    mangle_free(second);
    mangle_free(first);
    mgi_buf_fini(&again);
    reading_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_example_has_exactly_seven_lines),
        cmocka_unit_test(test_predicates_stand_by_arity_then_name),
        cmocka_unit_test(test_facts_of_one_hash_stand_by_their_text),
        cmocka_unit_test(test_facts_stand_by_their_unsigned_hash),
        cmocka_unit_test(test_only_the_atoms_of_temporal_facts_are_written),
        cmocka_unit_test(test_what_has_no_text_is_refused_and_named),
        cmocka_unit_test(test_names_that_would_not_read_back_are_refused),
        cmocka_unit_test(test_columns_are_read_as_facts),
        cmocka_unit_test(test_a_value_is_a_term_that_is_evaluated),
        cmocka_unit_test(test_quirks_of_the_reference_are_mended),
        cmocka_unit_test(test_facts_of_temporal_predicates_hold_always),
        cmocka_unit_test(test_faults_of_the_header_are_all_told),
        cmocka_unit_test(test_a_short_or_long_file_is_refused),
        cmocka_unit_test(test_there_are_limits),
        cmocka_unit_test(test_all_faults_of_the_values_are_told),
        cmocka_unit_test(test_a_closed_base_takes_no_file),
        cmocka_unit_test(test_the_predicates_of_a_file_are_listed),
        cmocka_unit_test(test_what_is_written_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
