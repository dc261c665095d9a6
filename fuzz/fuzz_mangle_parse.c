/* Any bytes as a program, as facts for a small program and as a query: no crash, no hang, and every
 * finding can be printed. */
#include <stddef.h>
#include <stdint.h>

#include "mangle/check/target.h"
#include "mutate_mangle.h"

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t len, size_t cap, unsigned seed);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t len, size_t cap, unsigned seed)
{
    return mutate_mangle(bytes, len, cap, seed);
}

static const char rules[] = "Decl p(X, Y). Decl e(X) temporal. r(X) :- p(X, _), e(X)@[now].";

static void print_all(mangle_diags *diags)
{
    for (size_t i = 0; i < mangle_diags_count(diags); i++)
        mangle_free(mangle_diag_print(mangle_diags_get(diags, i)));
}

static void compile(const struct mangle_source *source)
{
    mangle_diags *diags = mangle_diags_new();
    mangle_program *p = NULL;
    if (!diags)
        return;
    struct mangle_compile_options options = { .check_bounds = true, .allow_dangerous = true };
    if (mangle_compile(source, 1, &options, &p, diags) == MANGLE_OK)
        for (size_t i = 0; i < mangle_program_rule_count(p); i++)
            (void)mangle_program_rule(p, i);
    print_all(diags);
    mangle_program_unref(p);
    mangle_diags_free(diags);
}

static void parse_against_program(const struct mangle_source *source)
{
    struct mangle_source program_source = { "rules", rules, sizeof rules - 1 };
    mangle_diags *diags = mangle_diags_new();
    mangle_program *p = NULL;
    mangle_values *values = NULL;
    struct arena arena;
    mgi_arena_init(&arena, 0);
    if (diags && mangle_compile(&program_source, 1, NULL, &p, NULL) == MANGLE_OK &&
        (values = mgi_values_new(mangle_program_values(p), 0))) {
        struct parse_target target = { p, &arena, values, diags };
        struct clause query;
        struct fact *facts;
        size_t count;
        (void)mgi_parse_facts(&target, source, &facts, &count);
        (void)mgi_parse_atom(&target, (struct str){ source->text, source->len }, &query);
        print_all(diags);
    }
    mgi_arena_fini(&arena);
    mgi_values_free(values);
    mangle_program_unref(p);
    mangle_diags_free(diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct mangle_source source = { "fuzz", (const char *)bytes, len };
    compile(&source);
    parse_against_program(&source);
    return 0;
}
