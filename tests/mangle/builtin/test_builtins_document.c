/* docs/builtins.md is what the rows of the built-ins say, so it cannot be out of date. `make
 * builtins` writes it (UPDATE_DOCS=1). The examples in it are run by test_builtin_examples. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "mangle/builtin/builtin.h"

#define DOCUMENT MGI_SOURCE_DIR "/docs/builtins.md"

static const char head[] =
    "# Built-in functions, reducers and predicates\n\n"
    "Made by `make builtins` from the rows in `src/mangle/builtin/builtin_*.c`; every example is "
    "run by a\n"
    "test. After `=>` stands what the program above it derives. [The language guide](mangle.md) "
    "says\n"
    "how they are used.\n\n"
    "In the types, `/number`, `/string` and so on are kinds of values, a capital word stands for "
    "any\n"
    "type, the same throughout one line, and `...` repeats what comes before it. A value of "
    "another\n"
    "kind is an evaluation error, which ends the evaluation, unless the text says otherwise.\n";

static void write_example(struct buf *out, const char *const example[3])
{
    mgi_buf_puts(out, "\n```\n");
    if (example[1][0])
        mgi_buf_printf(out, "%s\n", example[1]);
    mgi_buf_printf(out, "%s\n=> %s\n```\n", example[0], example[2]);
}

static void write_function(struct buf *out, const struct function *f)
{
    mgi_buf_printf(out, "\n### %s\n\n`%s`\n\n%s", f->name, f->type, f->doc);
    if (f->even_args)
        mgi_buf_puts(out, " An odd number of arguments is refused.");
    if (f->skips_bad_rows)
        mgi_buf_puts(out, " Rows whose expressions cannot be evaluated are passed over.");
    if (f->reads_now)
        mgi_buf_puts(out, " Depends on the evaluation time.");
    mgi_buf_puts(out, "\n");
    write_example(out, f->example);
}

static void write_functions(struct buf *out, bool reducers)
{
    const struct function *f;
    mgi_buf_puts(out, reducers ? "\n## Reducers\n\nFor `let` after `|> do fn:group_by(...)`.\n"
                               : "\n## Functions\n");
    for (size_t i = 0; (f = mgi_function_at(i)) != NULL; i++)
        if ((f->reduce != NULL) == reducers)
            write_function(out, f);
}

static void write_preds(struct buf *out)
{
    const struct builtin_pred *p;
    mgi_buf_puts(out,
                 "\n## Predicates\n\n"
                 "Premises like any other. An argument marked *out* is bound by the predicate.\n");
    for (size_t i = 0; (p = mgi_builtin_pred_at(i)) != NULL; i++) {
        mgi_buf_printf(out, "\n### %s\n\n`%s` (", p->name, p->type);
        for (uint32_t a = 0; a < p->arity; a++)
            mgi_buf_printf(out, "%s%s", a ? ", " : "", p->modes[a] == MODE_IN ? "in" : "*out*");
        mgi_buf_printf(out, ")\n\n%s\n", p->doc);
        write_example(out, p->example);
    }
}

static char *read_document(void)
{
    FILE *f = fopen(DOCUMENT, "rb");
    char *text = calloc(1, 1 << 18);
    size_t got = f && text ? fread(text, 1, (1 << 18) - 1, f) : 0;
    (void)got;
    if (f)
        fclose(f);
    return text;
}

static void update(const struct buf *page)
{
    FILE *f = fopen(DOCUMENT, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(page->ptr, 1, page->len, f), page->len);
    assert_int_equal(fclose(f), 0);
}

static void test_the_page_of_built_ins_is_what_the_rows_say(void **state)
{
    (void)state;
    struct buf page = { 0 };
    mgi_buf_puts(&page, head);
    write_functions(&page, false);
    write_functions(&page, true);
    write_preds(&page);
    if (getenv("UPDATE_DOCS"))
        update(&page);
    char *document = read_document();
    bool same = strcmp(document, page.ptr) == 0;
    free(document);
    mgi_buf_fini(&page);
    if (!same)
        fail_msg("docs/builtins.md is out of date: make builtins");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_page_of_built_ins_is_what_the_rows_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
