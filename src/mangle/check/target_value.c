/* Values by themselves, against a program that is there already: each line is parsed as one term
 * and evaluated, with one parser for all of them and scratch memory that each line uses again. */
#include "base/alloc.h"
#include "mangle/check/check_int.h"
#include "mangle/text/parse.h"
#include "mangle/check/target.h"

struct value_reader {
    struct parser parser;
    struct check check;
    struct clause clause; /* what the check looks at */
    struct arena scratch; /* of the line at hand */
};

struct value_reader *mgi_value_reader_new(const struct parse_target *target,
                                          const struct source *source)
{
    struct value_reader *r = mgi_calloc(1, sizeof *r);
    if (!r)
        return NULL;
    mgi_arena_init(&r->scratch, 0);
    r->check = (struct check){ .p = target->program,
                               .values = target->values,
                               .arena = &r->scratch,
                               .diags = target->diags,
                               .source = source,
                               .c = &r->clause };
    mgi_arena_init(&r->check.scratch, 0);
    mgi_parser_init(&r->parser, source, 0, &r->scratch, target->values, target->diags);
    return r;
}

void mgi_value_reader_free(struct value_reader *r)
{
    if (!r)
        return;
    mgi_parser_fini(&r->parser);
    mgi_arena_fini(&r->check.scratch);
    mgi_arena_fini(&r->scratch);
    mgi_free(r);
}

mangle_pred mgi_value_reader_pred(struct value_reader *r, struct str name, uint32_t count,
                                  struct span span)
{
    return mgi_fact_pred(&r->check, name, count, span);
}

static void refuse_value(struct value_reader *r, const char *code, struct span span,
                         const char *hint, const char *message)
{
    mgi_check_error(&r->check, code, span, hint, "%s", message);
}

/* After the term only one `.`, blanks and comments may follow (M-SYN-16). */
static bool term_ends(struct parser *x)
{
    if (x->token.kind == TOKEN_DOT)
        mgi_parser_next(x);
    return x->token.kind == TOKEN_END || mgi_parser_expected(x, "nothing after the value");
}

static mangle_value evaluate_value(struct value_reader *r, struct term *t)
{
    struct check *k = &r->check;
    struct parser *x = &r->parser;
    if (x->var_count) {
        refuse_value(r, "VAR_UNBOUND", x->vars[0].first, "Facts hold values only.",
                     "a variable has no value here");
        return MANGLE_NONE;
    }
    r->clause.head.args = t;
    r->clause.head.count = 1;
    mgi_resolve_functions(k->c);
    mgi_check_functions(k);
    if (k->failed)
        return MANGLE_NONE;
    if (mgi_term_reads_now(t)) {
        refuse_value(r, "FACT_EVAL", t->span, "Write it into the program.",
                     "a fact of a base cannot read the evaluation time");
        return MANGLE_NONE;
    }
    return mgi_term_evaluate(k, t);
}

mangle_value mgi_value_reader_line(struct value_reader *r, struct span line)
{
    struct parser *x = &r->parser;
    struct term t;
    x->lexer.at = line.start;
    x->lexer.text.len = line.end; /* a term ends with its line */
    x->consumed_end = line.start;
    mgi_parser_forget(x);
    mgi_parser_next(x);
    r->check.failed = false;
    mangle_value v = MANGLE_NONE;
    if (mgi_parse_value(x, &t, 0) && term_ends(x))
        v = t.kind == TERM_CONST ? t.value : evaluate_value(r, &t);
    mgi_arena_reset(&r->scratch);
    mgi_arena_reset(&r->check.scratch);
    return v;
}

bool mgi_value_reader_oom(const struct value_reader *r)
{
    return r->parser.oom || r->check.oom;
}
