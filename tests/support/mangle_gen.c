#include "support/mangle_gen.h"

#include <stdio.h>
#include <string.h>

static uint64_t seed;

/* One call per expression: the same programs whatever the compiler's order of evaluation. */
static uint32_t roll(uint32_t sides)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % sides;
}

static void add_pred(struct gen *g, const char *prefix, uint32_t arity, bool temporal, bool derived,
                     uint32_t level)
{
    struct gen_pred *p = &g->preds[g->count];
    snprintf(p->name, sizeof p->name, "%s%u", prefix, g->count);
    p->arity = arity;
    p->temporal = temporal;
    p->derived = derived;
    p->level = level;
    g->count++;
    mgi_buf_printf(&g->program, "Decl %s(", p->name);
    for (uint32_t i = 0; i < arity; i++)
        mgi_buf_printf(&g->program, "%sA%u", i ? ", " : "", i);
    mgi_buf_printf(&g->program, ")%s.\n", temporal ? " temporal" : "");
}

static bool is_bound(const struct gen *g, const char *var)
{
    for (uint32_t i = 0; i < g->var_count; i++)
        if (strcmp(g->vars[i], var) == 0)
            return true;
    return false;
}

static void bind(struct gen *g, const char *var)
{
    if (!is_bound(g, var))
        g->vars[g->var_count++] = var;
}

static void put_args(struct gen *g, const struct gen_pred *p, bool binding)
{
    static const char *const names[] = { "X", "Y", "Z" };
    mgi_buf_printf(&g->program, "%s(", p->name);
    for (uint32_t i = 0; i < p->arity; i++) {
        const char *var = names[roll(3)];
        mgi_buf_puts(&g->program, i ? ", " : "");
        if (roll(8) == 0)
            mgi_buf_printf(&g->program, "/c%u", roll(4));
        else if (roll(8) == 0)
            mgi_buf_puts(&g->program, "_");
        else if (binding || is_bound(g, var)) {
            mgi_buf_puts(&g->program, var);
            bind(g, var);
        } else
            mgi_buf_puts(&g->program, "_");
    }
    mgi_buf_puts(&g->program, ")");
}

static void put_instant(struct buf *out)
{
    mgi_buf_printf(out, "2024-06-10T%02u:00:00", 2 + roll(20));
}

static void put_interval(struct buf *out)
{
    uint32_t from = roll(20), len = roll(8);
    switch (roll(8)) {
    case 0:
        mgi_buf_printf(out, "@[2024-06-10T%02u:00:00, _]", from);
        break;
    case 1:
        mgi_buf_printf(out, "@[_, 2024-06-10T%02u:00:00]", from);
        break;
    case 2:
        mgi_buf_printf(out, "@[2024-06-10T%02u:00:00]", from);
        break;
    default:
        mgi_buf_printf(out, "@[2024-06-10T%02u:00:00, 2024-06-10T%02u:00:00]", from,
                       from + len > 23 ? 23 : from + len);
    }
}

static void put_window(struct gen *g)
{
    static const char *const ops[] = { "<-", "[-", "<+", "[+" };
    uint32_t op = roll(3) ? roll(2) : roll(4);
    mgi_buf_puts(&g->program, ops[op]);
    if (roll(3)) {
        uint32_t near = roll(4), far = roll(10);
        mgi_buf_printf(&g->program, "[%uh, %uh] ", near, far);
        return;
    }
    mgi_buf_puts(&g->program, "[");
    put_instant(&g->program);
    mgi_buf_puts(&g->program, ", ");
    put_instant(&g->program);
    mgi_buf_puts(&g->program, "] ");
}

/* A positive premise on a temporal predicate. */
static void put_temporal(struct gen *g, const struct gen_pred *p)
{
    uint32_t form = roll(6);
    if (form < 2)
        put_window(g);
    put_args(g, p, true);
    switch (form) {
    case 0:
        break;
    case 1:
        if (roll(2)) {
            mgi_buf_puts(&g->program, "@[S, F]");
            bind(g, "S");
            bind(g, "F");
        }
        break;
    case 2:
        mgi_buf_puts(&g->program, "@[now]");
        break;
    case 3:
        mgi_buf_puts(&g->program, "@[");
        put_instant(&g->program);
        mgi_buf_puts(&g->program, "]");
        break;
    default:
        mgi_buf_puts(&g->program, "@[S, F]");
        bind(g, "S");
        bind(g, "F");
    }
}

static const struct gen_pred *pick(struct gen *g, uint32_t level, const struct gen_pred *self,
                                   bool own_level)
{
    for (;;) {
        const struct gen_pred *p = &g->preds[roll(g->count)];
        if (p->level < level)
            return p;
        /* mutual recursion through a temporal predicate is refused */
        if (own_level && p->level == level && (p == self || (!p->temporal && !self->temporal)))
            return p;
    }
}

static void put_head(struct gen *g, const struct gen_pred *p, const char *const *args)
{
    mgi_buf_printf(&g->program, "%s(", p->name);
    for (uint32_t i = 0; i < p->arity; i++)
        mgi_buf_printf(&g->program, "%s%s", i ? ", " : "", args[i]);
    mgi_buf_puts(&g->program, ")");
}

static void put_negated(struct gen *g, uint32_t level)
{
    const struct gen_pred *p = pick(g, level, NULL, false);
    mgi_buf_puts(&g->program, ", !");
    uint32_t form = p->temporal ? roll(3) : 3;
    if (form == 0)
        put_window(g);
    put_args(g, p, false);
    if (form == 1)
        mgi_buf_puts(&g->program, "@[now]");
    else if (form == 2)
        mgi_buf_puts(&g->program, "@[_, _]");
}

/* The body is made first, so that the head knows what is bound. */
static void put_rule(struct gen *g, const struct gen_pred *head)
{
    struct buf whole = g->program;
    mgi_buf_init(&g->program);
    g->var_count = 0;
    bool do_rule = roll(5) == 0;
    uint32_t premises = 1 + roll(3);
    for (uint32_t i = 0; i < premises; i++) {
        const struct gen_pred *p = pick(g, head->level, head, !do_rule);
        mgi_buf_puts(&g->program, i ? ", " : "");
        if (p->temporal)
            put_temporal(g, p);
        else
            put_args(g, p, true);
    }
    if (roll(3) == 0)
        put_negated(g, head->level);
    if (g->var_count >= 2 && roll(4) == 0)
        mgi_buf_printf(&g->program, ", %s %s %s", g->vars[0], roll(2) ? "=" : "!=", g->vars[1]);
    const char *args[2];
    for (uint32_t i = 0; i < 2; i++) {
        const char *var = g->var_count ? g->vars[roll(g->var_count)] : "/c0";
        args[i] = roll(8) ? var : "/c1";
    }
    if (do_rule) {
        const char *key = g->var_count ? g->vars[0] : "";
        mgi_buf_printf(&g->program, " |> do fn:group_by(%s), let N = fn:count()", key);
        args[0] = *key ? key : "/c2";
        args[1] = "N";
        if (head->arity == 1)
            args[0] = "N";
    }
    struct buf body = g->program;
    g->program = whole;
    put_head(g, head, args);
    if (head->temporal) {
        if (!do_rule && is_bound(g, "S") && roll(4))
            mgi_buf_puts(&g->program, roll(3) ? "@[S, F]" : "@[S, now]");
        else if (roll(3) == 0)
            mgi_buf_puts(&g->program, "@[now, _]");
        else
            put_interval(&g->program);
    }
    mgi_buf_puts(&g->program, " :- ");
    mgi_buf_str(&g->program, mgi_buf_view(&body));
    mgi_buf_puts(&g->program, ".\n");
    mgi_buf_fini(&body);
}

static void put_facts(struct gen *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        const struct gen_pred *p = &g->preds[i];
        uint32_t n = p->derived ? (roll(4) ? 0 : roll(2)) : roll(7);
        for (uint32_t f = 0; f < n; f++) {
            struct buf *out = &g->facts[(g->assertable >> i & 1) && roll(2)];
            mgi_buf_printf(out, "%s(", p->name);
            for (uint32_t a = 0; a < p->arity; a++)
                mgi_buf_printf(out, "%s/c%u", a ? ", " : "", roll(4));
            mgi_buf_puts(out, ")");
            if (p->temporal)
                put_interval(out);
            mgi_buf_puts(out, ".\n");
        }
    }
}

void mangle_gen(struct gen *g, uint64_t number)
{
    *g = (struct gen){ 0 };
    seed = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    add_pred(g, "e", 1, false, false, 0);
    add_pred(g, "e", 2, false, false, 0);
    add_pred(g, "e", 2, false, false, 0);
    add_pred(g, "t", 1, true, false, 0);
    add_pred(g, "t", 2, true, false, 0);
    uint32_t levels = 2 + roll(3);
    for (uint32_t level = 1; level <= levels; level++)
        for (uint32_t i = 1 + roll(2); i > 0; i--) {
            uint32_t arity = 1 + roll(2);
            add_pred(g, "d", arity, roll(3) == 0, true, level);
        }
    for (uint32_t i = 0; i < g->count; i++)
        for (uint32_t r = g->preds[i].derived ? 1 + roll(3) : 0; r > 0; r--)
            put_rule(g, &g->preds[i]);
    uint32_t one = roll(5), some = roll(32), any = roll(1u << g->count);
    g->assertable = roll(4) ? 1u << one | some : any;
    put_facts(g);
}

void mangle_gen_end(struct gen *g)
{
    mgi_buf_fini(&g->program);
    mgi_buf_fini(&g->facts[0]);
    mgi_buf_fini(&g->facts[1]);
}

bool mangle_gen_assertable(void *context, const mangle_program *program, mangle_pred pred)
{
    const char *name = mangle_program_pred(program, pred).name;
    const struct gen *g = context;
    for (uint32_t i = 0; i < g->count; i++)
        if (strcmp(g->preds[i].name, name) == 0)
            return g->assertable >> i & 1;
    return false;
}
