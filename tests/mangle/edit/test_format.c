/* mangle_format(): golden layouts in tests/mangle/cases/format (x.mg and x.out), and what must hold
 * of every source: laid out again it is the same, tokens and comments are kept, the rules are the
 * same, and the blanks of the original do not matter. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fts.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mangle/edit/format_int.h"
#include "support/mangle_gen.h"
#include "support/rounds.h"

#define CASES MGI_SOURCE_DIR "/tests/mangle/cases/format"

static uint64_t seed = 88172645463325252U;

static uint32_t roll(uint32_t sides)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 33) % sides;
}

static void read_text(const char *path, struct buf *text)
{
    char chunk[4096];
    size_t got;
    FILE *f = fopen(path, "rb");
    mgi_buf_clear(text);
    mgi_buf_puts(text, "");
    while (f && (got = fread(chunk, 1, sizeof chunk, f)) > 0)
        mgi_buf_append(text, chunk, got);
    if (f)
        fclose(f);
}

static struct str format(struct str text, enum mangle_status *status)
{
    struct mangle_source source = { "test.mg", text.ptr, text.len };
    struct str out = { NULL, 0 };
    char *laid;
    *status = mangle_format(&source, &laid, &out.len, NULL);
    out.ptr = laid;
    return out;
}

/* Every rule as the engine prints it, or what is wrong with the program. */
static void list_rules(struct str text, struct buf *out)
{
    struct mangle_source source = { "test.mg", text.ptr, text.len };
    mangle_program *p = NULL;
    mangle_diags *diags = mangle_diags_new();
    (void)mangle_compile(&source, 1, NULL, &p, diags);
    for (size_t i = 0; p && i < mangle_program_rule_count(p); i++) {
        mgi_buf_puts(out, mangle_program_rule(p, i).text);
        mgi_buf_putc(out, '\n');
    }
    for (size_t i = 0; i < mangle_diags_count(diags); i++)
        mgi_buf_printf(out, "%s\n", mangle_diags_get(diags, i)->code);
    mangle_program_unref(p);
    mangle_diags_free(diags);
}

/* What must hold of every source. Returns how much of it was wrong, and says so. */
static int wrong_with(const char *what, struct str text)
{
    enum mangle_status status, again;
    int wrong = 0;
    struct str once = format(text, &status);
    if (status == MANGLE_ERR_PROGRAM)
        return once.ptr != NULL; /* untouched */
    assert_int_equal(status, MANGLE_OK);
    struct str twice = format(once, &again);
    struct buf before = { 0 }, after = { 0 };
    list_rules(text, &before);
    list_rules(once, &after);
    const char *fault = again != MANGLE_OK              ? "the layout is no source"
                        : !str_eq(once, twice)          ? "a second layout differs"
                        : !mgi_format_check(text, once) ? "tokens or comments are lost"
                        : !str_eq(mgi_buf_view(&before), mgi_buf_view(&after))
                            ? "the rules are not the same"
                            : NULL;
    if (fault) {
        print_error("%s: %s\n--- given\n%.*s\n--- once\n%.*s\n--- twice\n%.*s\n", what, fault,
                    STR_ARG(text), STR_ARG(once), STR_ARG(twice));
        wrong = 1;
    }
    mgi_buf_fini(&before);
    mgi_buf_fini(&after);
    mangle_free((char *)once.ptr);
    mangle_free((char *)twice.ptr);
    return wrong;
}

/* The same tokens with other blanks between them; empty lines are kept, so none are made. */
static void scatter(struct str text, struct buf *out)
{
    static const char *const blanks[] = { " ", "  ", "\n", "\t", "\n  ", "\r\n" };
    struct arena arena;
    mgi_arena_init(&arena, 0);
    struct format_text f = { .arena = &arena };
    assert_true(mgi_format_read(&f, text));
    for (size_t i = 0; i + 1 < f.count; i++) {
        struct str token = f.tokens[i].text;
        mgi_buf_str(out, token);
        bool touches = f.tokens[i].kind == TOKEN_CONSTANT && token.ptr[token.len - 1] == '.';
        if (!touches)
            mgi_buf_puts(out, blanks[roll(sizeof blanks / sizeof *blanks)]);
    }
    mgi_format_text_fini(&f);
    mgi_arena_fini(&arena);
}

static int blanks_matter(const char *what, struct str text)
{
    enum mangle_status status;
    struct buf plain = { 0 }, scattered = { 0 };
    int wrong = 0;
    struct str once = format(text, &status);
    if (status)
        return 0;
    scatter(text, &plain);
    scatter(text, &scattered);
    struct str a = format(mgi_buf_view(&plain), &status);
    assert_int_equal(status, MANGLE_OK);
    struct str b = format(mgi_buf_view(&scattered), &status);
    assert_int_equal(status, MANGLE_OK);
    if (!str_eq(a, b)) {
        print_error("%s: blanks matter\n--- one\n%.*s\n--- other\n%.*s\n", what, STR_ARG(a),
                    STR_ARG(b));
        wrong = 1;
    }
    mangle_free((char *)once.ptr);
    mangle_free((char *)a.ptr);
    mangle_free((char *)b.ptr);
    mgi_buf_fini(&plain);
    mgi_buf_fini(&scattered);
    return wrong;
}

/* ---- tests ------------------------------------------------------------------------------- */

static void test_every_case_is_laid_out_as_it_stands_beside_it(void **state)
{
    (void)state;
    glob_t found;
    int wrong = 0;
    struct buf text = { 0 }, expected = { 0 };
    assert_int_equal(glob(CASES "/*.mg", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 8);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char out_path[512];
        const char *path = found.gl_pathv[i];
        enum mangle_status status;
        snprintf(out_path, sizeof out_path, "%.*s.out", (int)(strlen(path) - 3), path);
        read_text(path, &text);
        struct str laid = format(mgi_buf_view(&text), &status);
        assert_int_equal(status, MANGLE_OK);
        if (getenv("UPDATE_CASES")) {
            FILE *f = fopen(out_path, "wb");
            assert_non_null(f);
            fwrite(laid.ptr, 1, laid.len, f);
            fclose(f);
        }
        read_text(out_path, &expected);
        if (!str_eq(laid, mgi_buf_view(&expected))) {
            print_error("%s\nexpected\n%s\ngot\n%.*s\n", path, expected.ptr, STR_ARG(laid));
            wrong++;
        }
        mangle_free((char *)laid.ptr);
        wrong += wrong_with(path, mgi_buf_view(&text));
    }
    globfree(&found);
    mgi_buf_fini(&text);
    mgi_buf_fini(&expected);
    assert_int_equal(wrong, 0);
}

static void test_every_source_of_the_repository_keeps_its_meaning(void **state)
{
    (void)state;
    char root[] = MGI_SOURCE_DIR;
    char *roots[] = { root, NULL };
    struct buf text = { 0 };
    size_t count = 0;
    int wrong = 0;
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    assert_non_null(tree);
    for (FTSENT *e; (e = fts_read(tree));) {
        if (e->fts_level > 0 && (e->fts_name[0] == '.' || strncmp(e->fts_name, "build", 5) == 0))
            fts_set(tree, e, FTS_SKIP);
        else if (e->fts_info == FTS_F && e->fts_namelen > 3 &&
                 strcmp(e->fts_name + e->fts_namelen - 3, ".mg") == 0) {
            read_text(e->fts_path, &text);
            wrong += wrong_with(e->fts_path, mgi_buf_view(&text));
            wrong += blanks_matter(e->fts_path, mgi_buf_view(&text));
            count++;
        }
    }
    fts_close(tree);
    mgi_buf_fini(&text);
    assert_true(count > 200);
    assert_int_equal(wrong, 0);
}

static void test_random_programs_keep_their_meaning(void **state)
{
    (void)state;
    int wrong = 0;
    for (uint64_t number = 1; number <= test_rounds(600); number++) {
        struct gen g;
        struct buf commented = { 0 };
        mangle_gen(&g, number);
        wrong += wrong_with("random", mgi_buf_view(&g.program));
        wrong += blanks_matter("random", mgi_buf_view(&g.program));
        for (size_t i = 0; i < g.program.len; i++) { /* the generator writes no strings */
            char c = g.program.ptr[i];
            mgi_buf_putc(&commented, c);
            if ((c == ' ' || c == '\n' || c == ',' || c == '(') && roll(12) == 0)
                mgi_buf_printf(&commented, "%s# %u%s\n", roll(2) ? "\n" : "", roll(100),
                               roll(3) ? "" : "  \n");
        }
        wrong += wrong_with("random with comments", mgi_buf_view(&commented));
        mgi_buf_fini(&commented);
        mangle_gen_end(&g);
    }
    assert_int_equal(wrong, 0);
}

static void test_no_line_is_longer_than_it_must_be(void **state)
{
    (void)state;
    struct buf text = { 0 };
    enum mangle_status status;
    mgi_buf_puts(&text, "h(X) :- p(X)");
    for (int i = 0; i < 60; i++)
        mgi_buf_printf(&text, ", p%d(X, [%d, \"t\", {/k : X}], fn:plus(X, %d))", i, i, i);
    mgi_buf_puts(&text, " |> do fn:group_by(X)");
    for (int i = 0; i < 9; i++)
        mgi_buf_printf(&text, ", let V%d = fn:collect(X, \"%d\")", i, i);
    mgi_buf_puts(&text, ".\np([0");
    for (int i = 0; i < 300; i++)
        mgi_buf_printf(&text, ", %d", i);
    mgi_buf_puts(&text, "]).");
    struct str laid = format(mgi_buf_view(&text), &status);
    assert_int_equal(status, MANGLE_OK);
    for (size_t at = 0; at < laid.len;) {
        const char *end = memchr(laid.ptr + at, '\n', laid.len - at);
        assert_non_null(end);
        size_t width = (size_t)(end - laid.ptr) - at;
        if (width > FORMAT_WIDTH)
            print_error("%.*s\n", (int)width, laid.ptr + at);
        assert_true(width <= FORMAT_WIDTH);
        at += width + 1;
    }
    mangle_free((char *)laid.ptr);
    mgi_buf_fini(&text);
}

static void test_faulty_text_is_reported_and_not_laid_out(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line;
    } faulty[] = {
        { "p(1). q(", 1 },        { "p(1).\nq(X) :- .", 2 },    { "p(\"a).", 1 },
        { "p(1).\n\n  % no", 3 }, { "p(1).\nq(\"\xff\").", 2 }, { "p(1) # no dot", 1 },
    };
    for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++) {
        struct mangle_source source = { "faulty.mg", faulty[i].text, strlen(faulty[i].text) };
        char *out = (char *)1;
        size_t len = 1;
        mangle_diags *diags = mangle_diags_new();
        assert_int_equal(mangle_format(&source, &out, &len, diags), MANGLE_ERR_PROGRAM);
        assert_null(out);
        assert_int_equal(len, 0);
        assert_true(mangle_diags_errors(diags) > 0);
        assert_int_equal(mangle_diags_get(diags, 0)->line, faulty[i].line);
        assert_string_equal(mangle_diags_get(diags, 0)->code, "SYNTAX");
        mangle_diags_free(diags);
    }
}

static void test_only_syntax_is_asked_for(void **state)
{
    (void)state;
    enum mangle_status status;
    struct str laid = format(STR_LIT("r(X):-nowhere(Y),X=fn:nope(Y)."), &status);
    assert_int_equal(status, MANGLE_OK);
    assert_true(str_is(laid, "r(X) :- nowhere(Y), X = fn:nope(Y).\n"));
    mangle_free((char *)laid.ptr);
    laid = format(STR_LIT(" \n\n "), &status);
    assert_int_equal(status, MANGLE_OK);
    assert_true(str_is(laid, ""));
    mangle_free((char *)laid.ptr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_case_is_laid_out_as_it_stands_beside_it),
        cmocka_unit_test(test_every_source_of_the_repository_keeps_its_meaning),
        cmocka_unit_test(test_random_programs_keep_their_meaning),
        cmocka_unit_test(test_no_line_is_longer_than_it_must_be),
        cmocka_unit_test(test_faulty_text_is_reported_and_not_laid_out),
        cmocka_unit_test(test_only_syntax_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
