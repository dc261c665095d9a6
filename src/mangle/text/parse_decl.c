/* Declarations: Decl p(X) temporal descr [...] bound [...] inclusion [...]. */
#include "mangle/text/parse_int.h"

static bool bound_rows(struct parser *x, struct decl *out)
{
    size_t row_cap = 0, count_cap = 0;
    while (x->token.kind == TOKEN_BOUND) {
        mgi_parser_next(x);
        size_t need = (size_t)out->bound_row_count + 1;
        if (!mgi_arena_grow(x->arena, &out->bounds, &row_cap, need, sizeof *out->bounds) ||
            !mgi_arena_grow(x->arena, &out->bound_counts, &count_cap, need,
                            sizeof *out->bound_counts))
            return mgi_parser_oom(x);
        if (!mgi_parse_terms(x, &out->bounds[need - 1], &out->bound_counts[need - 1]))
            return false;
        out->bound_row_count++;
    }
    return true;
}

static bool declared_variables(struct parser *x, const struct decl *d)
{
    for (uint32_t i = 0; i < d->atom.count; i++) {
        const struct term *arg = &d->atom.args[i];
        if (arg->kind != TERM_VAR)
            return mgi_parser_fail_code(
                x, "DECL_ARG_NOT_VAR", arg->span,
                "Write a variable that names the argument; types go into bound [...].",
                "a declared argument must be a variable");
        for (uint32_t j = 0; j < i; j++)
            if (d->atom.args[j].kind == TERM_VAR && d->atom.args[j].var == arg->var)
                return mgi_parser_fail_code(
                    x, "DECL_ARG_NOT_VAR", arg->span, "Give each argument its own name.",
                    "the argument \"%.*s\" is declared twice", STR_ARG(x->vars[arg->var].name));
    }
    return true;
}

/* The parts of a declaration have an order (M-SYN-12); each word is expected until its turn is
 * over. */
static bool no_end_of_declaration(struct parser *x, const struct decl *d)
{
    static const char *const words[] = { "temporal", "descr", "bound", "inclusion" };
    size_t first = d->inclusion ? 4 : d->bound_row_count ? 2 : d->descr ? 2 : d->temporal ? 1 : 0;
    static const char *const expected[] = { "'temporal', 'descr', 'bound', 'inclusion' or '.'",
                                            "'descr', 'bound', 'inclusion' or '.'",
                                            "'bound', 'inclusion' or '.'", "", "'.'" };
    struct str word = x->token.text;
    const char *hint = NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!str_is(word, words[i]))
            continue;
        if (x->token.kind == TOKEN_NAME)
            hint = "Lists of a declaration stand in square brackets: descr [...], bound [...].";
        else
            hint = "The order is: Decl p(X) temporal descr [...] bound [...] inclusion [...].";
    }
    if (x->token.kind == TOKEN_COMMA)
        hint = "The parts follow each other without commas: bound [/string] bound [/number].";
    if (!hint && (x->token.kind == TOKEN_NAME || x->token.kind == TOKEN_VARIABLE))
        hint = mgi_parser_near_word(x, word, words, sizeof words / sizeof *words);
    return hint ? mgi_parser_expected_hint(x, expected[first], hint)
                : mgi_parser_take_end(x, expected[first]);
}

static bool no_temporal_descriptor(struct parser *x, const struct decl *d)
{
    for (uint32_t i = 0; i < d->descr_count; i++)
        if (str_is(d->descr[i].name, "temporal"))
            return mgi_parser_fail(x, d->descr[i].span, "Write Decl p(X) temporal descr [...].",
                                   "'temporal' is a keyword before 'descr', not a descriptor");
    return true;
}

bool mgi_parse_decl(struct parser *x, struct decl *out)
{
    uint32_t start = x->token.start;
    *out = (struct decl){ .unit = x->source_index };
    mgi_parser_next(x);
    x->declaring = true;
    bool read = mgi_parse_atom_term(x, &out->atom);
    x->declaring = false;
    if (!read)
        return false;
    bool good = declared_variables(x, out); /* the rest is read all the same */
    if (x->token.kind == TOKEN_TEMPORAL) {
        out->temporal = true;
        mgi_parser_next(x);
    }
    if (x->token.kind == TOKEN_DESCR) {
        mgi_parser_next(x);
        x->declaring = true;
        read = mgi_parse_atoms(x, &out->descr, &out->descr_count);
        x->declaring = false;
        if (!read || !no_temporal_descriptor(x, out))
            return false;
    }
    if (!bound_rows(x, out))
        return false;
    if (x->token.kind == TOKEN_INCLUSION) {
        mgi_parser_next(x);
        if (!mgi_parse_atoms(x, &out->inclusion, &out->inclusion_count))
            return false;
    }
    if (x->token.kind != TOKEN_DOT)
        return no_end_of_declaration(x, out);
    mgi_parser_next(x);
    out->span = mgi_parser_span(x, start);
    return mgi_parser_vars(x, &out->vars, &out->var_count) && good;
}
