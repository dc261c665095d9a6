/* Clauses as canonical text (M-VAL-65, M-VAL-66): rule ids hash it and diagnostics of evaluation
 * quote it. Terms nest at most PARSE_MAX_DEPTH deep, so recursion is bounded. */
#include "base/buf.h"
#include "base/time.h"
#include "mangle/program/program.h"

static void print_args(struct buf *out, const mangle_values *values, const struct var *vars,
                       const struct term *args, uint32_t count)
{
    mgi_buf_putc(out, '(');
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            mgi_buf_putc(out, ',');
        mgi_term_print(out, values, vars, &args[i]);
    }
    mgi_buf_putc(out, ')');
}

void mgi_term_print(struct buf *out, const mangle_values *values, const struct var *vars,
                    const struct term *t)
{
    switch (t->kind) {
    case TERM_VAR:
        mgi_buf_str(out, vars[t->var].name);
        break;
    case TERM_CONST:
        mgi_value_print(out, values, t->value, MANGLE_CANONICAL);
        break;
    case TERM_APPLY:
        mgi_buf_str(out, t->apply.name);
        print_args(out, values, vars, t->apply.args, t->apply.count);
        break;
    }
}

void mgi_atom_print(struct buf *out, const struct mangle_program *p, const struct clause *c,
                    const struct atom *a)
{
    mgi_buf_str(out, a->name);
    print_args(out, p->values, c->vars, a->args, a->count);
}

static void print_bound(struct buf *out, const struct clause *c, const struct time_bound *b)
{
    switch (b->kind) {
    case BOUND_TIME:
        mgi_time_print(out, b->ns);
        break;
    case BOUND_DURATION:
        mgi_duration_print(out, b->ns);
        break;
    case BOUND_VAR:
        mgi_buf_str(out, c->vars[b->var].name);
        break;
    case BOUND_NOW:
        mgi_buf_puts(out, "now");
        break;
    case BOUND_OPEN:
        mgi_buf_putc(out, '_');
        break;
    }
}

static bool same_bound(const struct time_bound *a, const struct time_bound *b)
{
    return a->kind == b->kind && (a->kind == BOUND_VAR ? a->var == b->var : a->ns == b->ns);
}

static void print_annotation(struct buf *out, const struct clause *c, const struct annotation *a)
{
    mgi_buf_puts(out, "@[");
    print_bound(out, c, &a->start);
    if (a->start.kind == BOUND_OPEN || !same_bound(&a->start, &a->end)) {
        mgi_buf_puts(out, ", ");
        print_bound(out, c, &a->end);
    }
    mgi_buf_putc(out, ']');
}

void mgi_premise_print(struct buf *out, const struct mangle_program *p, const struct clause *c,
                       const struct premise *premise)
{
    static const char *const windows[] = { "", "<-[", "[-[", "<+[", "[+[" };
    if (premise->kind == PREMISE_EQ || premise->kind == PREMISE_NE) {
        mgi_term_print(out, p->values, c->vars, &premise->left);
        mgi_buf_puts(out, premise->kind == PREMISE_EQ ? " = " : " != ");
        mgi_term_print(out, p->values, c->vars, &premise->right);
        return;
    }
    if (premise->negated)
        mgi_buf_putc(out, '!');
    if (premise->window != WINDOW_NONE) {
        mgi_buf_puts(out, windows[premise->window]);
        print_bound(out, c, &premise->near);
        mgi_buf_puts(out, ", ");
        print_bound(out, c, &premise->far);
        mgi_buf_puts(out, "] ");
    }
    mgi_atom_print(out, p, c, &premise->atom);
    if (premise->annotation.present)
        print_annotation(out, c, &premise->annotation);
}

static void print_transform(struct buf *out, const struct mangle_program *p, const struct clause *c)
{
    const struct transform *t = c->transform;
    const char *separator = " |> ";
    if (t->is_do) {
        mgi_buf_puts(out, " |> do ");
        mgi_term_print(out, p->values, c->vars, &t->grouping);
        separator = ", ";
    }
    for (uint32_t i = 0; i < t->let_count; i++) {
        mgi_buf_puts(out, separator);
        mgi_buf_puts(out, "let ");
        mgi_buf_str(out, c->vars[t->lets[i].var].name);
        mgi_buf_puts(out, " = ");
        mgi_term_print(out, p->values, c->vars, &t->lets[i].term);
        separator = ", ";
    }
}

void mgi_clause_print(struct buf *out, const struct mangle_program *p, const struct clause *c)
{
    mgi_atom_print(out, p, c, &c->head);
    if (c->annotation.present && !mgi_annotation_eternal(&c->annotation))
        print_annotation(out, c, &c->annotation);
    for (uint32_t i = 0; i < c->premise_count; i++) {
        mgi_buf_puts(out, i ? ", " : " :- ");
        mgi_premise_print(out, p, c, &c->premises[i]);
    }
    if (c->transform)
        print_transform(out, p, c);
    mgi_buf_putc(out, '.');
}
