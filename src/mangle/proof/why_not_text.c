/* "Why not" for people. */
#include <string.h>

#include "base/buf.h"
#include "mangle/proof/why_not.h"

struct why_text {
    mangle_overlay *o;
    struct buf out;
};

static void put_facts(struct why_text *t, const char *label, const struct mangle_fact *facts,
                      size_t count, size_t more)
{
    for (size_t i = 0; i < count; i++) {
        size_t len;
        char *text =
            mangle_fact_print(t->o->base->program, t->o->values, &facts[i], MANGLE_CANONICAL, &len);
        t->out.oom |= !text;
        mgi_buf_puts(&t->out, label);
        mgi_buf_append(&t->out, text ? text : "", text ? len : 0);
        mgi_buf_putc(&t->out, '\n');
        mangle_free(text);
    }
    if (more)
        mgi_buf_printf(&t->out, "%sand %zu more\n", label, more);
}

static void put_failed_bindings(struct why_text *t, const struct mangle_failed_rule *r)
{
    for (size_t i = 0; i < r->binding_count; i++) {
        mgi_buf_printf(&t->out, "%s%s=", i ? ", " : "    with ", r->bindings[i].name);
        mgi_value_print(&t->out, t->o->values, r->bindings[i].value, MANGLE_CANONICAL);
    }
    if (r->binding_count)
        mgi_buf_putc(&t->out, '\n');
}

static const char *facts_label(enum mangle_failure kind)
{
    switch (kind) {
    case MANGLE_FAILED_NO_FACT:
        return "      near: ";
    case MANGLE_FAILED_HEAD:
    case MANGLE_FAILED_GROUP:
        return "      instead: ";
    default:
        return "      there is: ";
    }
}

static void put_rule(struct why_text *t, const struct mangle_failed_rule *r)
{
    struct mangle_rule_view rule = mangle_program_rule(t->o->base->program, r->rule);
    mgi_buf_printf(&t->out, "\n  %s:%u: %s\n", rule.file, rule.line, rule.text);
    put_failed_bindings(t, r);
    if (r->premise) {
        mgi_buf_printf(&t->out, "    premise %zu fails: %s", r->premise, r->premise_text);
        if (strcmp(r->premise_text, r->premise_with) != 0)
            mgi_buf_printf(&t->out, ", here %s", r->premise_with);
        mgi_buf_putc(&t->out, '\n');
    }
    mgi_buf_printf(&t->out, "    %s\n", r->why);
    put_facts(t, facts_label(r->kind), r->facts, r->fact_count, r->more_facts);
    if (r->incomplete)
        mgi_buf_puts(&t->out, "    not every possibility was tried: there are too many\n");
}

char *mangle_why_not_print(mangle_overlay *o, const struct mangle_why_not *why, size_t *len)
{
    struct why_text t = { .o = o };
    if (why->answer_count) {
        mgi_buf_printf(&t.out, "%s holds\n", why->goal);
        put_facts(&t, "  answer: ", why->answers, why->answer_count, 0);
    } else {
        mgi_buf_printf(&t.out, "%s does not hold: %s\n", why->goal, why->why);
        put_facts(&t, "  near: ", why->near, why->near_count, 0);
    }
    for (size_t i = 0; i < why->rule_count; i++)
        put_rule(&t, &why->rules[i]);
    return mgi_buf_take(&t.out, len);
}
