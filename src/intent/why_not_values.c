/* Facts that a client could send: values for the columns that a rule leaves open. What the rule
 * compares with comes first, then what rules and facts have in that column, then anything of the
 * right kind. */
#include <string.h>

#include "base/time.h"
#include "intent/proof_int.h"
#include "intent/why_not.h"

#define MAX_VALUES    6 /* of a column */
#define MAX_INSTANCES 6
#define MAX_ARITY     16
#define MAX_ROWS      8 /* facts of the predicate that are looked at */
#define SAMPLES       4 /* values that stand for any */

struct column_values {
    mangle_value items[MAX_VALUES];
    size_t count;
};

const struct pred_schema *mgi_why_sendable(const struct snapshot *s, mangle_pred pred)
{
    for (size_t i = 0; i < s->profile.count; i++)
        if (s->profile.schemas[i].pred == pred)
            return s->profile.schemas[i].direction == DIRECTION_OUTPUT ? NULL
                                                                       : &s->profile.schemas[i];
    return NULL;
}

/* Would a client's value come out as one of this kind? */
static bool suits(const struct evaluation *ev, const struct pred_schema *schema, uint32_t column,
                  mangle_value v)
{
    enum mangle_kind kind = mangle_kind_of(ev->values, v);
    enum arg_type type = schema->arg_types ? schema->arg_types[column] : ARG_ANY;
    bool truth = v == mangle_bool(ev->values, true) || v == mangle_bool(ev->values, false);
    switch (type) {
    case ARG_STRING:
        return schema->arg_is_name && schema->arg_is_name[column] ? kind == MANGLE_NAME
                                                                  : kind == MANGLE_STRING;
    case ARG_NUMBER:
        return kind == MANGLE_NUMBER || kind == MANGLE_FLOAT;
    case ARG_BOOLEAN:
        return truth;
    case ARG_ANY:
        break;
    }
    return kind != MANGLE_BYTES;
}

static void add_value(const struct evaluation *ev, const struct pred_schema *schema,
                      uint32_t column, struct column_values *list, mangle_value v)
{
    if (v == MANGLE_NONE || list->count == MAX_VALUES || !suits(ev, schema, column, v))
        return;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == v)
            return;
    list->items[list->count++] = v;
}

/* What rules have in this place of the predicate. */
static void add_from_rules(const struct evaluation *ev, const struct pred_schema *schema,
                           uint32_t column, struct column_values *list)
{
    const mangle_program *p = ev->s->program;
    for (size_t i = 0; i < mangle_program_rule_count(p) && list->count < MAX_VALUES; i++) {
        struct mangle_rule_view r = mangle_program_rule(p, i);
        for (size_t k = 0; k < r.body_count; k++)
            if (r.body[k] == schema->pred)
                add_value(ev, schema, column, list,
                          mangle_program_premise_argument(p, i, k, column).value);
    }
}

static void add_from_facts(struct evaluation *ev, const struct pred_schema *schema, uint32_t column,
                           struct column_values *list)
{
    size_t count;
    const struct mangle_fact *f = mgi_ev_facts(ev, schema->pred, &count);
    for (size_t i = 0; i < count && i < MAX_ROWS; i++)
        add_value(ev, schema, column, list, f[i].args[column]);
}

struct sample_values {
    mangle_value items[SAMPLES];
};

static struct sample_values make_samples(struct evaluation *ev)
{
    mangle_values *t = ev->values;
    struct sample_values s = { { mangle_string(t, "any", 3), mangle_number(t, 1),
                                 mangle_bool(t, true), mangle_name(t, "/any", 4) } };
    for (size_t i = 0; i < SAMPLES; i++)
        ev->nomem |= s.items[i] == MANGLE_NONE;
    return s;
}

/* Anything of the right kind. */
static void add_sample(struct evaluation *ev, const struct pred_schema *schema, uint32_t column,
                       struct column_values *list)
{
    struct sample_values samples = make_samples(ev);
    for (size_t i = 0; i < SAMPLES && list->count == 0; i++)
        add_value(ev, schema, column, list, samples.items[i]);
}

static void find_values(struct evaluation *ev, const struct pred_schema *schema,
                        const struct mangle_wanted *wanted, uint32_t column,
                        struct column_values *list)
{
    const mangle_value *tries = wanted->tries ? wanted->tries[column] : NULL;
    if (wanted->args[column] != MANGLE_NONE) {
        list->items[list->count++] = wanted->args[column];
        return;
    }
    for (; tries && *tries != MANGLE_NONE; tries++)
        add_value(ev, schema, column, list, *tries);
    if (list->count > 0)
        return;
    add_from_rules(ev, schema, column, list);
    if (list->count == 0)
        add_from_facts(ev, schema, column, list);
    if (list->count == 0)
        add_sample(ev, schema, column, list);
}

/* ---- what may be told ------------------------------------------------------------------------ */

static bool was_sent_value(const struct evaluation *ev, mangle_value v)
{
    for (size_t i = 0; i < ev->facts.count; i++)
        for (uint32_t k = 0; k < ev->facts.facts[i].count; k++)
            if (ev->facts.facts[i].args[k] == v)
                return true;
    return false;
}

bool mgi_why_may_quote(const struct evaluation *ev, size_t rule)
{
    static const char policy[] = "rules/policy/";
    struct mangle_rule_view r = mangle_program_rule(ev->s->program, rule);
    return mgi_snapshot_shows(ev->s, r.head) != CUT &&
           (!r.file || strncmp(r.file, policy, sizeof policy - 1) != 0);
}

/* In a premise about facts: what a fact says stands elsewhere. */
static bool is_named_by_rule(const struct evaluation *ev, mangle_value v)
{
    const mangle_program *p = ev->s->program;
    for (size_t i = 0; i < mangle_program_rule_count(p); i++) {
        struct mangle_rule_view r = mangle_program_rule(p, i);
        for (size_t k = 0; k < r.body_count && mgi_why_may_quote(ev, i); k++)
            for (uint32_t c = 0; c < mangle_program_pred(p, r.body[k]).arity; c++)
                if (mangle_program_premise_argument(p, i, k, c).value == v)
                    return true;
    }
    return false;
}

bool mgi_why_is_chosen(const struct evaluation *ev, const struct tool *tool)
{
    for (size_t i = 0; i < ev->choice_count; i++)
        if (ev->choices[i].tool == tool)
            return true;
    return false;
}

static bool is_sample(struct evaluation *ev, mangle_value v)
{
    struct sample_values samples = make_samples(ev);
    for (size_t i = 0; i < SAMPLES; i++)
        if (samples.items[i] == v)
            return true;
    return v == mangle_bool(ev->values, false);
}

bool mgi_why_may_tell(struct evaluation *node, const struct evaluation *asked,
                      const struct tool *tool, mangle_value v)
{
    const struct tool *named = mgi_snapshot_tool_of(asked->s, v);
    if (was_sent_value(node, v))
        return true;
    if (named)
        return named == tool || mgi_why_is_chosen(asked, named);
    return is_sample(node, v) || is_named_by_rule(asked, v);
}

/* ---- combinations ---------------------------------------------------------------------------- */

/* The next combination, the last column first. False: that was the last. */
static bool step(size_t *at, const struct column_values *lists, uint32_t arity)
{
    for (uint32_t i = arity; i > 0; i--) {
        if (++at[i - 1] < lists[i - 1].count)
            return true;
        at[i - 1] = 0;
    }
    return false;
}

void mgi_why_instances(struct evaluation *ev, const struct pred_schema *schema,
                       const struct mangle_wanted *wanted,
                       void (*each)(void *context, const mangle_value *args), void *context)
{
    struct column_values lists[MAX_ARITY] = { 0 };
    mangle_value args[MAX_ARITY] = { 0 };
    size_t at[MAX_ARITY] = { 0 };
    if (schema->arity > MAX_ARITY)
        return;
    for (uint32_t i = 0; i < schema->arity; i++) {
        find_values(ev, schema, wanted, i, &lists[i]);
        if (lists[i].count == 0)
            return;
    }
    for (size_t n = 0; n < MAX_INSTANCES; n++) {
        for (uint32_t i = 0; i < schema->arity; i++)
            args[i] = lists[i].items[at[i]];
        each(context, args);
        if (!step(at, lists, schema->arity))
            return;
    }
}
