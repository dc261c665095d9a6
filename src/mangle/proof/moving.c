/* Values that move with the time: see moving.h.
 *
 * Lines are added and subtracted; the calendar's fields stand still up to the end of their unit;
 * what is cut down to a unit of a zone never goes back, so equal values at two instants mean equal
 * values between them, and the end is found by halving. */
#include "mangle/proof/moving.h"

#include <string.h>

#include "base/alloc.h"
#include "base/time.h"

#define SEARCH_SECONDS (INT64_C(366) * 86400) /* how far the end of a unit is looked for */

enum motion { MOTION_NONE, MOTION_SUM, MOTION_DIFFERENCE, MOTION_SAME, MOTION_FIELD, MOTION_STEP };

static const struct {
    const char *name;
    enum motion motion;
    int64_t unit_ns; /* MOTION_FIELD: it cannot change within one */
} motions[] = {
    { "fn:time:add", MOTION_SUM, 0 },
    { "fn:duration:add", MOTION_SUM, 0 },
    { "fn:plus", MOTION_SUM, 0 },
    { "fn:time:sub", MOTION_DIFFERENCE, 0 },
    { "fn:minus", MOTION_DIFFERENCE, 0 },
    { "fn:time:to_unix_nanos", MOTION_SAME, 0 },
    { "fn:time:from_unix_nanos", MOTION_SAME, 0 },
    { "fn:duration:nanos", MOTION_SAME, 0 },
    { "fn:duration:from_nanos", MOTION_SAME, 0 },
    { "fn:time:year", MOTION_FIELD, 86400 * NS_PER_SEC },
    { "fn:time:month", MOTION_FIELD, 86400 * NS_PER_SEC },
    { "fn:time:day", MOTION_FIELD, 86400 * NS_PER_SEC },
    { "fn:time:hour", MOTION_FIELD, 3600 * NS_PER_SEC },
    { "fn:time:minute", MOTION_FIELD, 60 * NS_PER_SEC },
    { "fn:time:second", MOTION_FIELD, NS_PER_SEC },
    { "fn:time:trunc", MOTION_STEP, 0 },
    { "fn:time:trunc_civil", MOTION_STEP, 0 },
    { "fn:time:format", MOTION_STEP, 0 },
    { "fn:time:format_civil", MOTION_STEP, 0 },
};

static int64_t sooner(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- terms ----------------------------------------------------------------------------------- */

/* The integer of a value as a line; false if it has none. */
static bool line_of(const struct eval *x, const struct moving *m, int *sign, int64_t *base)
{
    *sign = m->sign;
    *base = m->base;
    if (m->sign != 0)
        return true;
    enum mangle_kind kind = mangle_kind_of(x->values, m->value);
    if (kind != MANGLE_TIME && kind != MANGLE_DURATION && kind != MANGLE_NUMBER)
        return false;
    *base = mangle_int_of(x->values, m->value);
    return true;
}

/* a + b or a - b as a line. False: it is none. */
static bool combine(const struct eval *x, enum motion motion, const struct moving *args,
                    struct moving *out)
{
    int s, t;
    int64_t a, b;
    if (!line_of(x, &args[0], &s, &a) || !line_of(x, &args[1], &t, &b))
        return false;
    bool sum = motion == MOTION_SUM;
    out->sign = sum ? s + t : s - t;
    return out->sign >= -1 && out->sign <= 1 &&
           !(sum ? __builtin_add_overflow(a, b, &out->base)
                 : __builtin_sub_overflow(a, b, &out->base));
}

/* The last nanosecond of the unit in which t + base is now, for t. */
static bool end_of_unit(const struct eval *x, const struct moving *arg, int64_t unit_ns,
                        int64_t *until)
{
    int64_t at, rest;
    if (arg->sign != 1 || __builtin_add_overflow(x->now_ns, arg->base, &at))
        return false;
    rest = at % unit_ns;
    rest = rest < 0 ? rest + unit_ns : rest;
    return !__builtin_add_overflow(x->now_ns, unit_ns - 1 - rest, until);
}

/* Is f(t + base, ...) at `seconds` from now what it is now? */
static bool is_same_at(struct eval *x, const struct function *f, const struct moving *args,
                       const mangle_value *values, uint32_t count, int64_t seconds,
                       mangle_value now)
{
    mangle_value v[3] = { MANGLE_NONE }, other;
    int64_t at;
    memcpy(v, values, count * sizeof *v);
    if (__builtin_add_overflow(x->now_ns, seconds * NS_PER_SEC, &at) ||
        __builtin_add_overflow(at, args[0].base, &at))
        return false;
    v[0] = mangle_time(x->values, at);
    return v[0] && !mgi_eval_call(x, f, v, count, true, &other) && other == now;
}

static int64_t end_of_step(struct eval *x, const struct function *f, const struct moving *args,
                           const mangle_value *values, uint32_t count, mangle_value now)
{
    int64_t lo = 0, hi = 1;
    if (args[0].sign != 1 || count > 3)
        return x->now_ns;
    while (hi < SEARCH_SECONDS && is_same_at(x, f, args, values, count, hi, now)) {
        lo = hi;
        hi *= 2;
    }
    while (hi - lo > 1) {
        int64_t mid = lo + (hi - lo) / 2;
        if (is_same_at(x, f, args, values, count, mid, now))
            lo = mid;
        else
            hi = mid;
    }
    return x->now_ns + lo * NS_PER_SEC;
}

/* The value of the call is known; what time does to it. */
static void move_call(struct eval *x, const struct term *t, const struct moving *args,
                      const mangle_value *values, struct moving *out)
{
    uint32_t count = t->apply.count;
    bool still = true;
    for (uint32_t i = 0; i < count; i++) {
        still &= args[i].sign == 0;
        out->until = sooner(out->until, args[i].until);
    }
    if (still)
        return;
    enum motion motion = MOTION_NONE;
    int64_t until = x->now_ns, unit_ns = 0;
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++)
        if (strcmp(motions[i].name, t->apply.row->name) == 0) {
            motion = motions[i].motion;
            unit_ns = motions[i].unit_ns;
        }
    bool pair = motion == MOTION_SUM || motion == MOTION_DIFFERENCE;
    if (pair && count == 2 && combine(x, motion, args, out))
        return;
    out->sign = 0;
    if (motion == MOTION_SAME && line_of(x, &args[0], &out->sign, &out->base))
        return;
    if (motion == MOTION_FIELD && !end_of_unit(x, &args[0], unit_ns, &until))
        until = x->now_ns;
    else if (motion == MOTION_STEP)
        until = end_of_step(x, t->apply.row, args, values, count, out->value);
    out->until = sooner(out->until, until);
}

static bool call(struct eval *x, const struct term *t, const struct moving *env,
                 struct moving *args, mangle_value *values, struct moving *out)
{
    bool known = true;
    for (uint32_t i = 0; i < t->apply.count; i++) {
        if (!mgi_moving_term(x, &t->apply.args[i], env, &args[i]))
            return false;
        known &= args[i].known;
        values[i] = args[i].value;
        if (!args[i].known && args[i].sign != 0)
            args[i].until = x->now_ns;
        out->until = sooner(out->until, args[i].sign ? x->now_ns : args[i].until);
    }
    enum mangle_status st = MANGLE_ERR_EVAL;
    if (known && t->apply.row->apply)
        st = mgi_eval_call(x, t->apply.row, values, t->apply.count, true, &out->value);
    if (st)
        return st == MANGLE_ERR_EVAL;
    out->known = true;
    out->until = MANGLE_MAX_TIME;
    if (t->apply.row->reads_now) {
        out->sign = 1;
        return true;
    }
    move_call(x, t, args, values, out);
    return true;
}

bool mgi_moving_term(struct eval *x, const struct term *t, const struct moving *env,
                     struct moving *out)
{
    *out = MOVING_NOTHING;
    if (t->kind == TERM_VAR) {
        *out = env[t->var];
        return true;
    }
    if (t->kind == TERM_CONST) {
        *out = MOVING_STILL(t->value);
        return true;
    }
    struct moving *args = mgi_alloc((t->apply.count + 1) * (sizeof *args + sizeof(mangle_value)));
    if (!args)
        return false;
    bool ok = call(x, t, env, args, (mangle_value *)(args + t->apply.count + 1), out);
    mgi_free(args);
    return ok;
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* d(t) = sign * t + base is compared with 0: the first instant from which the order is another. An
 * order that includes 0 changes a nanosecond beside one that does not. */
static int64_t flip_at(int sign, int64_t base, bool below, bool with_zero)
{
    int64_t at = base, plus = 0;
    if (sign > 0 && __builtin_sub_overflow((int64_t)0, base, &at))
        return MANGLE_MIN_TIME;
    /* rising: < and >= change at the root, <= and > behind it; falling: the other way round */
    bool behind = (below == with_zero) == (sign > 0);
    plus = behind ? 1 : 0;
    return at == MANGLE_MAX_TIME ? at : at + plus;
}

/* Until when the comparison of two lines has its outcome. */
static int64_t order_until(const struct eval *x, const struct moving *l, const struct moving *r,
                           bool below, bool with_zero)
{
    int s, t;
    int64_t a, b, base;
    if (!line_of(x, l, &s, &a) || !line_of(x, r, &t, &b) || __builtin_sub_overflow(a, b, &base) ||
        s - t > 1 || s - t < -1)
        return x->now_ns;
    if (s == t)
        return MANGLE_MAX_TIME;
    int64_t flip = flip_at(s - t, base, below, with_zero);
    if (flip == MANGLE_MIN_TIME)
        return x->now_ns;
    return flip > x->now_ns ? flip - 1 : MANGLE_MAX_TIME;
}

static int64_t equal_until(const struct eval *x, const struct moving *l, const struct moving *r)
{
    /* equal is <= and >=: whatever changes first */
    return sooner(order_until(x, l, r, true, true), order_until(x, l, r, false, true));
}

static bool compares(const char *name, bool *below, bool *with_zero)
{
    static const char *const prefixes[] = { ":", ":time:", ":duration:" };
    for (size_t i = 0; i < 3; i++) {
        size_t len = strlen(prefixes[i]);
        const char *op = name + len;
        if (strncmp(name, prefixes[i], len) != 0 || strlen(op) != 2)
            continue;
        *below = op[0] == 'l';
        *with_zero = op[1] == 'e';
        return (op[0] == 'l' || op[0] == 'g') && (op[1] == 't' || op[1] == 'e');
    }
    return false;
}

static enum moving_outcome outcome_of(bool holds)
{
    return holds ? MOVING_HOLDS : MOVING_FAILS;
}

static bool test_pair(struct eval *x, const struct premise *m, struct moving *env,
                      enum moving_outcome *outcome, int64_t *until)
{
    struct moving l, r;
    if (!mgi_moving_term(x, &m->left, env, &l) || !mgi_moving_term(x, &m->right, env, &r))
        return false;
    *until = MANGLE_MAX_TIME;
    if (m->kind == PREMISE_EQ && m->left.kind == TERM_VAR && !l.known && mgi_moving_still(&l)) {
        env[m->left.var] = r;
        return true;
    }
    if (m->kind == PREMISE_EQ && m->right.kind == TERM_VAR && !r.known && mgi_moving_still(&r)) {
        env[m->right.var] = l;
        return true;
    }
    *until = sooner(l.until, r.until);
    if (l.known && r.known) {
        *outcome = outcome_of((l.value == r.value) == (m->kind == PREMISE_EQ));
        if (l.sign != 0 || r.sign != 0)
            *until = sooner(*until, equal_until(x, &l, &r));
    } else if (l.sign != 0 || r.sign != 0) {
        *until = x->now_ns;
    }
    return true;
}

static bool test_builtin(struct eval *x, const struct premise *m, const struct moving *env,
                         enum moving_outcome *outcome, int64_t *until)
{
    struct moving args[BUILTIN_MAX_PRED_ARGS];
    mangle_value values[BUILTIN_MAX_PRED_ARGS] = { MANGLE_NONE };
    const struct builtin_pred *b = m->atom.builtin;
    bool known = true, line = false, below, with_zero;
    *until = MANGLE_MAX_TIME;
    for (uint32_t i = 0; i < m->atom.count; i++) {
        if (!mgi_moving_term(x, &m->atom.args[i], env, &args[i]))
            return false;
        known &= args[i].known && b->modes[i] == MODE_IN;
        line |= args[i].sign != 0;
        values[i] = args[i].value;
        *until = sooner(*until, args[i].until);
    }
    uint64_t cursor = 0;
    enum call_status cs = known ? b->next(&x->call, values, &cursor) : CALL_ERROR;
    if (cs == CALL_NOMEM)
        return false;
    if (cs == CALL_OK || cs == CALL_FAIL)
        *outcome = outcome_of((cs == CALL_OK) != m->negated);
    if (line)
        *until = sooner(*until, cs != CALL_ERROR && compares(b->name, &below, &with_zero)
                                    ? order_until(x, &args[0], &args[1], below, with_zero)
                                    : x->now_ns);
    return true;
}

bool mgi_moving_test(struct eval *x, const struct premise *m, struct moving *env,
                     enum moving_outcome *outcome, int64_t *until)
{
    *outcome = MOVING_OPEN;
    return m->kind == PREMISE_BUILTIN ? test_builtin(x, m, env, outcome, until)
                                      : test_pair(x, m, env, outcome, until);
}

/* ---- solutions ------------------------------------------------------------------------------- */

static void take_values(const struct eval *x, const struct atom *a, struct moving *env)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (a->args[i].kind == TERM_VAR && !env[a->args[i].var].known)
            env[a->args[i].var] = MOVING_STILL(x->regs[a->args[i].var]);
}

static void take_bound(const struct eval *x, const struct time_bound *b, struct moving *env)
{
    if (b->kind == BOUND_VAR && !env[b->var].known)
        env[b->var] = MOVING_STILL(x->regs[b->var]);
}

static bool follow_premises(struct eval *x, const struct clause *c, struct moving *env,
                            int64_t *until)
{
    for (uint32_t i = 0; i < c->premise_count; i++) {
        const struct premise *m = &c->premises[i];
        enum moving_outcome outcome;
        int64_t end;
        if (m->kind == PREMISE_ATOM || m->kind == PREMISE_TEMPORAL) {
            if (!m->negated)
                take_values(x, &m->atom, env);
            take_bound(x, &m->annotation.start, env);
            take_bound(x, &m->annotation.end, env);
            continue;
        }
        if (!mgi_moving_test(x, m, env, &outcome, &end))
            return false;
        *until = sooner(*until, end);
        if (m->kind == PREMISE_BUILTIN && !m->negated)
            take_values(x, &m->atom, env); /* what it made, from what `end` speaks of */
    }
    return true;
}

/* Arguments of premises and head have to stay what they are. */
static bool hold_arguments(struct eval *x, const struct atom *a, const struct moving *env,
                           int64_t *until)
{
    for (uint32_t i = 0; i < a->count; i++) {
        struct moving m;
        if (!mgi_moving_term(x, &a->args[i], env, &m))
            return false;
        *until = sooner(*until, m.sign ? x->now_ns : m.until);
    }
    return true;
}

static bool hold_all(struct eval *x, const struct clause *c, struct moving *env, int64_t *until)
{
    if (!follow_premises(x, c, env, until))
        return false;
    for (uint32_t i = 0; c->transform && i < c->transform->let_count; i++)
        if (!mgi_moving_term(x, &c->transform->lets[i].term, env, &env[c->transform->lets[i].var]))
            return false;
    for (uint32_t i = 0; i < c->premise_count; i++)
        if ((c->premises[i].kind == PREMISE_ATOM || c->premises[i].kind == PREMISE_TEMPORAL) &&
            !hold_arguments(x, &c->premises[i].atom, env, until))
            return false;
    return hold_arguments(x, &c->head, env, until);
}

/* A window or an annotation that counts from a moving variable. */
static bool moves_windows(const struct clause *c)
{
    for (uint32_t i = 0; i < c->premise_count; i++) {
        const struct premise *m = &c->premises[i];
        if (m->kind == PREMISE_TEMPORAL && (m->near.kind == BOUND_VAR || m->far.kind == BOUND_VAR))
            return true;
    }
    return c->annotation.present &&
           (c->annotation.start.kind == BOUND_VAR || c->annotation.end.kind == BOUND_VAR);
}

bool mgi_moving_solution(struct eval *x, const struct rule *rule, int64_t *until)
{
    const struct clause *c = rule->clause;
    *until = x->now_ns;
    if (rule->is_do || moves_windows(c))
        return true;
    struct moving *env = mgi_alloc((c->var_count + 1) * sizeof *env);
    if (!env)
        return false;
    for (uint32_t i = 0; i < c->var_count; i++)
        env[i] = MOVING_NOTHING;
    *until = MANGLE_MAX_TIME;
    bool ok = hold_all(x, c, env, until);
    mgi_free(env);
    if (ok && *until < x->now_ns)
        *until = x->now_ns;
    return ok;
}
