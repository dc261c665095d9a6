/* A program that has nothing of the project but what is installed: rules in, an answer out. */
#include <mangle.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char rules[] = "p(1). p(2). q(X) :- p(X), X > 1.";
    static const char query[] = "q(X)";
    struct mangle_source source = { "rules", rules, strlen(rules) };
    mangle_program *program;
    mangle_base *base;
    mangle_overlay *o;
    const struct mangle_fact *facts;
    const struct mangle_proof *proof;
    size_t count;
    if (mangle_compile(&source, 1, NULL, &program, NULL) || mangle_base_new(program, &base) ||
        mangle_base_close(base, NULL, NULL, NULL) || mangle_overlay_new(base, &o) ||
        mangle_overlay_eval(o, 0, NULL, NULL, NULL) ||
        mangle_overlay_query(o, query, strlen(query), &facts, &count, NULL) || count != 1 ||
        mangle_overlay_explain(o, &facts[0], 0, &proof, NULL))
        return 1;
    char *text = mangle_fact_print(program, mangle_overlay_values(o), &facts[0], MANGLE_FILE, NULL);
    printf("%s %s\n", text, proof->id);
    mangle_free(text);
    mangle_overlay_free(o);
    mangle_base_unref(base);
    mangle_program_unref(program);
    return 0;
}
