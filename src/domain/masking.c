/* `masking:` of domain.yaml -> rules.
 *
 *     masking:
 *       facts: {card: {number: hash, 2: replace}, session: drop}
 *       params: {card_number: replace, /billing/iban: hash}
 *       arguments: {pay: {card: replace}}
 *       results: {pay: {/receipt/card: drop}}
 *
 * What is written wrongly is an error: a rule that is not understood would leak. A name that leads
 * nowhere masks more, not less (every argument of the predicate), and `manglecp check` warns of it
 * (lint_masking.c). */
#include <stdlib.h>

#include "domain/domain_int.h"

static const char *const place_names[] = { "facts", "params", "arguments", "results", NULL };
static const char *const action_names[] = { "replace", "hash", "drop", NULL };

struct masking_reader {
    struct loading *l;
    struct masking *out;
    size_t cap;
};

/* ---- one rule ------------------------------------------------------------------------------ */

static bool read_action(struct masking_reader *r, const struct yaml_node *n, enum mask_action *out)
{
    for (int i = 0; n->kind == YAML_SCALAR && action_names[i]; i++)
        if (str_is(n->text, action_names[i])) {
            *out = (enum mask_action)i;
            return true;
        }
    mgi_yaml_error(&r->l->yaml, n, "BAD_VALUE", NULL, "it is masked by replace, hash or drop");
    return false;
}

/* A pointer as it is, a name as one. ptr NULL: memory. */
static struct str mask_pointer_of(struct arena *a, struct str key)
{
    struct buf text = { 0 };
    if (key.len > 0 && key.ptr[0] == '/')
        return key;
    mgi_json_pointer_push(&text, key);
    struct str out = { NULL, 0 };
    if (!text.oom)
        out = mgi_arena_str(a, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    return out;
}

/* False: memory. */
static bool add_rule(struct masking_reader *r, struct mask_rule rule, const struct yaml_node *n)
{
    struct arena *a = r->l->yaml.arena;
    if (!read_action(r, n, &rule.action))
        return true;
    rule.origin = n->origin;
    rule.line = n->line;
    rule.column = n->column;
    rule.argument = MASK_EVERY_ARGUMENT;
    if (rule.place != MASK_FACTS) {
        rule.path = mask_pointer_of(a, rule.written);
        if (!rule.path.ptr)
            return false;
    }
    if (!mgi_arena_grow(a, &r->out->rules, &r->cap, r->out->count + 1, sizeof *r->out->rules))
        return false;
    r->out->rules[r->out->count++] = rule;
    return true;
}

/* ---- the tree ------------------------------------------------------------------------------ */

static bool is_map(struct masking_reader *r, const struct yaml_node *n, const char *what)
{
    if (n->kind == YAML_MAP)
        return true;
    mgi_yaml_error(&r->l->yaml, n, "BAD_VALUE", NULL, "%s must be a map, not %s", what,
                   mgi_yaml_kind_name(n));
    return false;
}

/* What is masked of one predicate or tool (or of parameters). False: memory. */
static bool read_subject(struct masking_reader *r, enum mask_place place, struct str subject,
                         const struct yaml_node *map)
{
    struct mask_rule rule = { .place = place, .subject = subject, .written = { "", 0 } };
    if (place == MASK_FACTS && map->kind == YAML_SCALAR)
        return add_rule(r, rule, map);
    if (!is_map(r, map,
                place == MASK_FACTS ? "what is masked of a predicate" : "what is masked there"))
        return true;
    for (size_t i = 0; i < map->count; i++) {
        rule.written = map->entries[i].key;
        if (!add_rule(r, rule, map->entries[i].value))
            return false;
    }
    return true;
}

static bool read_place(struct masking_reader *r, enum mask_place place, const struct yaml_node *n)
{
    if (place == MASK_PARAMS)
        return read_subject(r, place, (struct str){ "", 0 }, n);
    if (!is_map(r, n, place_names[place]))
        return true;
    for (size_t i = 0; i < n->count; i++)
        if (!read_subject(r, place, n->entries[i].key, n->entries[i].value))
            return false;
    return true;
}

static int compare_subjects(const struct mask_rule *rule, enum mask_place place, struct str subject)
{
    if (rule->place != place)
        return rule->place < place ? -1 : 1;
    return mgi_str_compare(rule->subject, subject);
}

static int compare_rules_of_masking(const void *x, const void *y)
{
    const struct mask_rule *a = x, *b = y;
    int c = compare_subjects(a, b->place, b->subject);
    return c ? c : (a->line > b->line) - (a->line < b->line);
}

bool mgi_load_masking(struct loading *l)
{
    struct masking_reader r = { .l = l, .out = &l->s->masking };
    const struct yaml_node *n = mgi_yaml_get(l->domain_yaml, "masking");
    if (!n || !is_map(&r, n, "masking"))
        return true;
    mgi_yaml_known_keys(&l->yaml, n, "masking", place_names);
    for (int place = MASK_FACTS; place <= MASK_RESULTS; place++) {
        const struct yaml_node *part = mgi_yaml_get(n, place_names[place]);
        if (part && !read_place(&r, (enum mask_place)place, part))
            return false;
    }
    if (r.out->count > 1)
        qsort(r.out->rules, r.out->count, sizeof *r.out->rules, compare_rules_of_masking);
    return true;
}

/* ---- which argument ------------------------------------------------------------------------ */

/* The word as a declaration writes it (Number), or as clients do (number). */
static bool is_argument(struct str written, const char *declared, struct arena *scratch)
{
    return str_is(written, declared) || str_eq(written, mgi_snake_case(scratch, declared));
}

int64_t mgi_mask_argument(const mangle_program *p, struct arena *scratch,
                          const struct mask_rule *rule)
{
    int64_t number = 0;
    for (size_t i = 0; i < rule->written.len && number < 1000; i++) {
        char c = rule->written.ptr[i];
        number = c >= '0' && c <= '9' && number >= 0 ? number * 10 + (c - '0') : -1;
    }
    for (mangle_pred k = 0; k < mangle_program_pred_count(p); k++) {
        struct mangle_pred_view v = mangle_program_pred(p, k);
        if (!str_is(rule->subject, v.name))
            continue;
        if (number > 0 && number <= v.arity)
            return number - 1;
        for (uint32_t i = 0; v.arg_names && i < v.arity; i++)
            if (is_argument(rule->written, v.arg_names[i], scratch))
                return i;
    }
    return MASK_EVERY_ARGUMENT;
}

void mgi_load_masked_arguments(struct loading *l)
{
    struct masking *m = &l->s->masking;
    for (size_t i = 0; l->s->program && i < m->count; i++)
        if (m->rules[i].place == MASK_FACTS && m->rules[i].written.len > 0)
            m->rules[i].argument = mgi_mask_argument(l->s->program, l->yaml.arena, &m->rules[i]);
}

/* ---- looking up ---------------------------------------------------------------------------- */

/* The first rule that does not stand before (place, subject). */
static size_t lower_bound(const struct masking *m, enum mask_place place, struct str subject)
{
    size_t lo = 0, hi = m->count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (compare_subjects(&m->rules[mid], place, subject) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

const struct mask_rule *mgi_masking_of(const struct masking *m, enum mask_place place,
                                       struct str subject, size_t *count)
{
    size_t first = lower_bound(m, place, subject), end = first;
    while (end < m->count && compare_subjects(&m->rules[end], place, subject) == 0)
        end++;
    *count = end - first;
    return m->rules ? &m->rules[first] : NULL;
}

const struct mask_rule *mgi_masking_at(const struct masking *m, enum mask_place place,
                                       size_t *count)
{
    const struct str nothing = { "", 0 };
    size_t first = lower_bound(m, place, nothing), end = first;
    while (end < m->count && m->rules[end].place == place)
        end++;
    *count = end - first;
    return m->rules ? &m->rules[first] : NULL;
}
