/* What editors are told of the language is what the language has. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "mangle/builtin/builtin.h"
#include "mangle/text/lex.h"

static enum token_kind kind_of(const char *text)
{
    struct arena arena;
    mgi_arena_init(&arena, 0);
    struct lexer x = { .text = str_of(text), .arena = &arena };
    struct token t = mgi_lex_next(&x);
    enum token_kind kind = t.end == strlen(text) ? t.kind : TOKEN_ERROR;
    mgi_arena_fini(&arena);
    return kind;
}

/* M-LEX-6 */
static void test_words_include_every_reserved_word(void **state)
{
    (void)state;
    bool seen[TOKEN_ALL_FUTURE + 1] = { false };
    struct mangle_word w;
    for (size_t i = 0; mangle_word_at(i, &w); i++) {
        enum token_kind kind = kind_of(w.name);
        bool reserved = kind >= TOKEN_TEMPORAL && kind <= TOKEN_DECL;
        assert_int_equal(reserved, w.kind == MANGLE_WORD_RESERVED);
        seen[kind] = true;
        assert_true(w.usage[0] && w.doc[0] && w.doc[strlen(w.doc) - 1] == '.');
        assert_non_null(strstr(w.usage, w.kind == MANGLE_WORD_CONSTRUCTOR ? w.name + 3 : w.name));
    }
    for (int kind = TOKEN_TEMPORAL; kind <= TOKEN_DECL; kind++)
        assert_true(seen[kind]);
}

static void test_words_are_told_once(void **state)
{
    (void)state;
    struct mangle_word a, b;
    for (size_t i = 0; mangle_word_at(i, &a); i++)
        for (size_t j = 0; j < i && mangle_word_at(j, &b); j++)
            assert_string_not_equal(a.name, b.name);
}

static void test_builtins_are_the_rows_of_the_engine(void **state)
{
    (void)state;
    struct mangle_builtin b;
    size_t functions = 0, predicates = 0;
    for (size_t i = 0; mangle_builtin_at(i, &b); i++) {
        if (b.predicate) {
            const struct builtin_pred *row = mgi_builtin_pred_at(predicates++);
            assert_string_equal(b.name, row->name);
            assert_string_equal(b.doc, row->doc);
            assert_int_equal(b.min_args, row->arity);
            assert_int_equal(b.max_args, row->arity);
        } else {
            const struct function *row = mgi_function_at(functions++);
            assert_int_equal(predicates, 0);
            assert_string_equal(b.name, row->name);
            assert_string_equal(b.doc, row->doc);
            assert_int_equal(b.max_args == MANGLE_VARIADIC, row->max_args == BUILTIN_VARIADIC);
            assert_int_equal(b.reducer, row->reduce != NULL);
        }
        assert_true(b.type[0] && b.doc[0]);
    }
    assert_null(mgi_function_at(functions));
    assert_null(mgi_builtin_pred_at(predicates));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_include_every_reserved_word),
        cmocka_unit_test(test_words_are_told_once),
        cmocka_unit_test(test_builtins_are_the_rows_of_the_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
