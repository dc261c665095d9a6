/* Facts that are read without the parser are the facts that the parser reads: the same rows in the
 * same order under the same words, the same findings at the same places. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "mangle/check/target.h"
#include "mangle/text/plain.h"

static const char program_text[] = "Decl p(A). Decl p(A, B). Decl q(A, B, C). Decl t(A) temporal.\n"
                                   "Decl not(A). Decl now(A). Decl p().\n";

struct reading {
    mangle_program *program;
    mangle_values *values;
    struct arena arena;
    mangle_diags *diags;
    struct fact_rows *rows; /* per predicate */
    struct fact *facts;
    size_t count;
    enum mangle_status status;
};

static mangle_program *program_of(const char *text)
{
    struct mangle_source source = { "program", text, strlen(text) };
    mangle_program *program;
    assert_int_equal(mangle_compile(&source, 1, NULL, &program, NULL), MANGLE_OK);
    return program;
}

static struct reading read_text(mangle_program *program, const char *text, size_t len, bool plain)
{
    struct reading r = { .program = program, .values = mgi_values_clone(program->values) };
    struct mangle_source source = { "facts", text, len };
    mgi_arena_init(&r.arena, 0);
    r.diags = mangle_diags_new();
    assert_true(r.values && r.diags);
    struct parse_target target = { program, &r.arena, r.values, r.diags };
    r.rows = mgi_calloc(program->pred_count, sizeof *r.rows);
    assert_non_null(r.rows);
    if (plain)
        r.status = mgi_parse_fact_rows(&target, &source, r.rows, &r.facts, &r.count);
    else
        r.status = mgi_parse_facts(&target, &source, &r.facts, &r.count);
    return r;
}

static void reading_end(struct reading *r)
{
    for (size_t i = 0; i < r->program->pred_count; i++)
        mgi_free(r->rows[i].words);
    mgi_free(r->rows);
    mangle_diags_free(r->diags);
    mgi_values_free(r->values);
    mgi_arena_fini(&r->arena);
}

static void assert_same_diags(const struct reading *a, const struct reading *b)
{
    assert_int_equal(mangle_diags_count(a->diags), mangle_diags_count(b->diags));
    for (size_t i = 0; i < mangle_diags_count(a->diags); i++) {
        const struct mangle_diag *x = mangle_diags_get(a->diags, i);
        const struct mangle_diag *y = mangle_diags_get(b->diags, i);
        assert_string_equal(x->message, y->message);
        assert_string_equal(x->code, y->code);
        assert_int_equal(x->line, y->line);
        assert_int_equal(x->column, y->column);
        assert_int_equal(x->length, y->length);
    }
}

/* What the parser found, fact by fact, is what stands in the rows and in the list. */
static void assert_same_facts(const struct reading *plain, const struct reading *parsed)
{
    size_t *taken = mgi_calloc(plain->program->pred_count, sizeof *taken), listed = 0;
    assert_non_null(taken);
    for (size_t i = 0; i < parsed->count; i++) {
        const struct fact *f = &parsed->facts[i];
        uint32_t arity = plain->program->preds[f->pred].arity;
        if (f->temporal || f->reads_now || arity == 0) {
            assert_true(listed < plain->count);
            assert_int_equal(plain->facts[listed++].pred, f->pred);
            continue;
        }
        const struct fact_rows *rows = &plain->rows[f->pred];
        assert_true(taken[f->pred] + arity <= rows->count);
        assert_memory_equal(rows->words + taken[f->pred], f->args, arity * sizeof *f->args);
        taken[f->pred] += arity;
    }
    assert_int_equal(listed, plain->count);
    for (size_t i = 0; i < plain->program->pred_count; i++)
        assert_int_equal(taken[i], plain->rows[i].count);
    mgi_free(taken);
}

static void compare(mangle_program *program, const char *text, size_t len)
{
    struct reading fast = read_text(program, text, len, true);
    struct reading slow = read_text(program, text, len, false);
    assert_int_equal(fast.status, slow.status);
    assert_same_diags(&fast, &slow);
    if (!fast.status)
        assert_same_facts(&fast, &slow);
    reading_end(&fast);
    reading_end(&slow);
}

static const char *const cases[] = {
    "p(1).",
    "p(1).\n",
    "p(1).p(2).\n",
    "p(1).5).\n",
    "p(1).P(2).\n",
    "p(1).Decl q(X).\n",
    "p(1). # x\np(2).\n",
    "p(-1).\n",
    "p(-).\n",
    "p(007).\n",
    "p(999999999999999999).\n",
    "p(9999999999999999999).\n",
    "p(1d).\n",
    "p(1.5).\n",
    "p(2024-01-01).\n",
    "p(1 2).\n",
    "p(1,).\n",
    "p(,1).\n",
    "p().\n",
    "p( ).\n",
    "p.\n",
    "p (1).\n",
    "p(/a).\n",
    "p(/a.).\n",
    "p(/a. ).\n",
    "p(/a.,1).\n",
    "p(//a).\n",
    "p(/a/).\n",
    "p(/).\n",
    "p(/a/*b).\n",
    "p(/a#b\n).\n",
    "p(\"a\").\n",
    "p(\"a\nb\").\n",
    "p(\"a\\n\").\n",
    "p(\"a\r\nb\").\n",
    "p(\"a).\np(1).\n",
    "p(\"\").\n",
    "p(\"\xff\").\n",
    "not(1).\n",
    "not(p(1)).\n",
    "now(1).\n",
    "fn(1).\n",
    "unknown(1).\np(1).\n",
    "p(1, 2, 3).\np(1).\n",
    "t(1).\n",
    "t(1)@[2024-01-01].\np(1)@[2024-01-01].\n",
    "p(1)\n@[_, _].\n",
    "p(X).\np(1).\n",
    "p(1) :- p(2).\np(3).\n",
    "q(1, /b, \"c\").\nq( 1 ,\n/b\t, \"c\" )\n.\n",
    "\xEF\xBB\xBFp(1).\n",
    "p(1).\np(\n",
    "p(1).\np(2",
    "p(1)..\n",
    "p(1).\n  p(2).\n p(oops.\np(3).\np(4, [1]).\nzzz(4).\n",
};

static void plain_facts_are_what_the_parser_reads(void **state)
{
    (void)state; /* M-SYN-1, M-LEX-22 */
    mangle_program *program = program_of(program_text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        compare(program, cases[i], strlen(cases[i]));
    mangle_program_unref(program);
}

static const char *const pieces[] = {
    "p",       "q",          "t",           "not",
    "now",     "(",          "(",           "(",
    ")",       ").",         ").\n",        ").\n",
    ").\n",    ",",          ", ",          ",",
    ".",       ".\n",        " ",           "\n",
    "\r\n",    "1",          "23",          "-4",
    "5d",      "1.5",        "2024-01-01",  "/a",
    "/b/c",    "/d.",        "/",           "\"s\"",
    "\"s t\"", "\"\\n\"",    "\"",          "X",
    "_",       "[1, 2]",     "# c\n",       "@[_, _]",
    ":-",      "p(1).\n",    "p(1, /a).\n", "q(1, /b, \"c\").\n",
    "r(1).\n", "fn:list(1)", "\xC3\xA9",    "\xC3",
};

static void random_texts_are_read_alike(void **state)
{
    (void)state; /* M-SYN-1, M-LEX-20 */
    mangle_program *program = program_of(program_text);
    srand(20);
    for (int round = 0; round < 20000; round++) {
        char text[256] = "";
        size_t len = 0, most = 1 + (size_t)rand() % 20;
        for (size_t i = 0; i < most && len < 220; i++) {
            const char *piece = pieces[(size_t)rand() % (sizeof pieces / sizeof *pieces)];
            len += (size_t)snprintf(text + len, sizeof text - len, "%s", piece);
        }
        compare(program, text, len);
    }
    mangle_program_unref(program);
}

/* That the comparison above compares something: most facts of most files take the short way. */
static void usual_facts_are_plain(void **state)
{
    (void)state;
    struct str text = STR_LIT("edge(1, /b/c, \"d\").\n edge( -20 , \"\" ).\nlast(1).");
    struct plain_fact f;
    uint32_t at = 0;
    assert_true(mgi_plain_fact(text, &at, &f));
    assert_true(str_is(f.name, "edge"));
    assert_int_equal(f.count, 3);
    assert_int_equal(f.args[0].number, 1);
    assert_true(str_is(f.args[1].text, "/b/c"));
    assert_true(str_is(f.args[2].text, "d"));
    assert_true(mgi_plain_fact(text, &at, &f));
    assert_int_equal(f.args[0].number, -20);
    assert_int_equal(f.args[1].text.len, 0);
    assert_false(mgi_plain_fact(text, &at, &f)); /* its dot may go on behind the end */
}

static void assert_pred(const char *text, const char *name, uint32_t arity, bool temporal)
{
    struct mangle_source source = { "facts", text, strlen(text) };
    struct mangle_host_pred *preds;
    size_t count, at = 0;
    assert_int_equal(mangle_facts_preds(&source, &preds, &count), MANGLE_OK);
    while (at < count && (strcmp(preds[at].name, name) != 0 || preds[at].arity != arity))
        at++;
    assert_true(at < count);
    assert_int_equal(preds[at].temporal, temporal);
    mangle_free(preds);
}

static void predicates_of_plain_and_of_other_facts_are_listed(void **state)
{
    (void)state; /* M-EXT-1 */
    static const char text[] =
        "a(1).\na(2)@[2024-01-01].\nb(1).\na(\"\\n\", 2).\nb(1).\nc([1]).\na(3).\n";
    assert_pred(text, "a", 1, true);
    assert_pred(text, "a", 2, false);
    assert_pred(text, "b", 1, false);
    assert_pred(text, "c", 1, false);
}

/* As many as make the set of rows grow at once; doubles among them, and those that come later. */
static void many_facts_are_each_there_once(void **state)
{
    (void)state; /* M-EVAL-1 */
    enum { MANY = 30000 };
    struct buf text = { 0 };
    for (int i = 0; i < MANY; i++)
        mgi_buf_printf(&text, "p(%d, %d).\np(%d).\n", i % 20000, i % 7, i);
    mgi_buf_puts(&text, "p(1,).\n");
    mangle_program *program = program_of("Decl p(A). Decl p(A, B).");
    mangle_base *base;
    assert_int_equal(mangle_base_new(program, &base), MANGLE_OK);
    struct mangle_source source = { "facts", text.ptr, text.len };
    assert_int_equal(mangle_base_add_text(base, &source, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_add_text(base, &source, NULL), MANGLE_OK);
    struct mangle_stats stats;
    struct mangle_limits limits = { .max_facts = -1 };
    assert_int_equal(mangle_base_close(base, &limits, &stats, NULL), MANGLE_OK);
    bool *seen = mgi_calloc(20000 * 7, sizeof *seen);
    int64_t pairs = 0;
    for (int i = 0; i < MANY; i++) {
        bool *cell = &seen[(i % 20000) * 7 + i % 7];
        pairs += !*cell;
        *cell = true;
    }
    assert_int_equal(stats.facts_given, MANY + pairs);
    mgi_free(seen);
    mangle_base_unref(base);
    mangle_program_unref(program);
    mgi_buf_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_facts_are_what_the_parser_reads),
        cmocka_unit_test(random_texts_are_read_alike),
        cmocka_unit_test(usual_facts_are_plain),
        cmocka_unit_test(predicates_of_plain_and_of_other_facts_are_listed),
        cmocka_unit_test(many_facts_are_each_there_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
