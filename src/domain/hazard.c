/* Which intents set off temporal recursion that may not end (protocol.md P-EVAL-7).
 *
 * A stratum is a hazard if something temporal in it feeds itself and makes values, reads its own
 * future, or goes round through several predicates: what the engine warns of as "may derive without
 * end". It is set off by those intents under which a fact of it can be derived at all. That is
 * worked out from the rules: a premise intent_type(_, "name") lets a rule speak for that intent
 * only, any other premise for the intents under which its own predicate can hold, and facts hold
 * always. Where nothing can be said, it is all intents: too many are refused rather than too few.
 *
 * Sets of intents are bits: one for each intent that is listed, and one for all others. */
#include <ctype.h>

#include "base/alloc.h"
#include "domain/domain_int.h"

#define INTENT_TYPE "intent_type("

struct hazards {
    struct loading *l;
    const mangle_program *p;
    struct arena scratch;
    size_t words;    /* of a set */
    uint64_t *under; /* pred -> the intents under which it can hold */
    struct stratum {
        bool temporal, recursive, computes, reads_future;
        uint32_t preds;
    } * strata;
};

/* ---- sets ---------------------------------------------------------------------------------- */

static uint64_t *set_of(const struct hazards *h, mangle_pred pred)
{
    return h->under + pred * h->words;
}

static void fill_set(const struct hazards *h, uint64_t *set)
{
    memset(set, 0xff, h->words * sizeof *set);
}

static size_t bit_of_name(const struct hazards *h, struct str name)
{
    const struct domain_settings *d = &h->l->s->settings;
    size_t i = 0;
    while (i < d->intent_count && !str_eq(d->intents[i].name, name))
        i++;
    return i; /* beyond the last: any other */
}

static bool has_bit(const uint64_t *set, size_t bit)
{
    return set[bit / 64] >> (bit % 64) & 1;
}

/* ---- what a rule's text shows ---------------------------------------------------------------- */

/* The end of the string that begins at `at`: canonical text knows "..." and `...`. */
static const char *skip_string(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote)
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

/* The first place of `what` outside of strings, from `at` on; NULL: none. */
static const char *find_code(const char *at, const char *what)
{
    size_t len = strlen(what);
    while (*at) {
        if (*at == '"' || *at == '`')
            at = skip_string(at);
        else if (*at == *what && strncmp(at, what, len) == 0)
            return at;
        else
            at++;
    }
    return NULL;
}

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == ':';
}

/* Does the text negate an atom of this name? */
static bool negates(const char *text, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = text; (at = find_code(at, "!")) != NULL; at++)
        if (strncmp(at + 1, name, len) == 0 && at[1 + len] == '(')
            return true;
    return false;
}

/* Each positive intent_type(_, "name") narrows `set` to that intent. */
static void narrow_by_intents(const struct hazards *h, const char *text, uint64_t *set)
{
    for (const char *at = text; (at = find_code(at, INTENT_TYPE)) != NULL; at++) {
        const char *comma =
            at > text && (is_word_char(at[-1]) || at[-1] == '!') ? NULL : strchr(at, ',');
        if (!comma)
            continue;
        while (*++comma == ' ')
            ;
        if (*comma != '"')
            continue; /* a variable: any intent */
        const char *end = skip_string(comma);
        size_t bit = bit_of_name(h, (struct str){ comma + 1, (size_t)(end - comma) - 2 });
        bool had = has_bit(set, bit);
        memset(set, 0, h->words * sizeof *set);
        if (had)
            set[bit / 64] |= UINT64_C(1) << (bit % 64);
    }
}

/* ---- under which intents --------------------------------------------------------------------- */

/* True if the predicate's set grew. */
static bool apply_rule(struct hazards *h, const struct mangle_rule_view *rule, uint64_t *scratch)
{
    fill_set(h, scratch);
    if (memcmp(scratch, set_of(h, rule->head), h->words * sizeof *scratch) == 0)
        return false; /* it has all already: its text need not be read again */
    narrow_by_intents(h, rule->text, scratch);
    for (size_t i = 0; i < rule->body_count; i++) {
        const uint64_t *body = set_of(h, rule->body[i]);
        if (negates(rule->text, mangle_program_pred(h->p, rule->body[i]).name))
            continue;
        for (size_t w = 0; w < h->words; w++)
            scratch[w] &= body[w];
    }
    bool grew = false;
    uint64_t *head = set_of(h, rule->head);
    for (size_t w = 0; w < h->words; w++) {
        grew |= (scratch[w] & ~head[w]) != 0;
        head[w] |= scratch[w];
    }
    return grew;
}

/* What no rule derives holds always, as far as is known here; so does what clients may send. */
static void begin_sets(struct hazards *h)
{
    for (mangle_pred i = 0; i < mangle_program_pred_count(h->p); i++) {
        struct mangle_pred_view pred = mangle_program_pred(h->p, i);
        const struct pred_schema *schema = mgi_profile_find(&h->l->s->profile, str_of(pred.name));
        if (!pred.derived || (schema && schema->direction != DIRECTION_OUTPUT))
            fill_set(h, set_of(h, i));
    }
    for (size_t i = 0; i < mangle_program_clause_count(h->p); i++) {
        struct mangle_clause_view c = mangle_program_clause(h->p, i);
        if (!c.declaration && c.rule == SIZE_MAX && c.head != MANGLE_NO_PRED)
            fill_set(h, set_of(h, c.head));
    }
}

static bool spread_sets(struct hazards *h)
{
    uint64_t *scratch = mgi_arena_calloc(&h->scratch, h->words, sizeof *scratch);
    if (!scratch)
        return false;
    for (bool grew = true; grew;) { /* sets only grow, and are finite */
        grew = false;
        for (size_t r = 0; r < mangle_program_rule_count(h->p); r++) {
            struct mangle_rule_view rule = mangle_program_rule(h->p, r);
            grew |= apply_rule(h, &rule, scratch);
        }
    }
    return true;
}

/* ---- hazards --------------------------------------------------------------------------------- */

static void look_at_rule(struct hazards *h, const struct mangle_rule_view *rule)
{
    struct mangle_pred_view head = mangle_program_pred(h->p, rule->head);
    struct stratum *s = &h->strata[head.stratum];
    bool recursive = false;
    for (size_t i = 0; i < rule->body_count; i++) {
        struct mangle_pred_view body = mangle_program_pred(h->p, rule->body[i]);
        recursive |= body.derived && body.stratum == head.stratum;
    }
    s->recursive |= recursive;
    s->computes |= find_code(rule->text, "fn:") != NULL;
    s->reads_future |=
        recursive && (find_code(rule->text, "<+") != NULL || find_code(rule->text, "[+") != NULL);
}

static void look_at_preds(struct hazards *h)
{
    for (mangle_pred i = 0; i < mangle_program_pred_count(h->p); i++) {
        struct mangle_pred_view pred = mangle_program_pred(h->p, i);
        if (!pred.derived || pred.stratum == UINT32_MAX)
            continue;
        h->strata[pred.stratum].preds++;
        h->strata[pred.stratum].temporal |= pred.temporal;
    }
}

static const char *what_of(const struct stratum *s)
{
    if (!s->temporal || !s->recursive)
        return NULL;
    if (s->reads_future)
        return "depends on its own future";
    if (s->preds > 1)
        return "depends on itself through time and other predicates";
    return s->computes ? "feeds itself through time with new values" : NULL;
}

static bool add_hazard(struct hazards *h, uint32_t stratum, const char *what)
{
    struct snapshot *s = h->l->s;
    struct arena *a = &s->arena;
    struct hazard hazard = { .stratum = stratum, .what = what };
    hazard.preds = mgi_arena_calloc(a, h->strata[stratum].preds, sizeof *hazard.preds);
    hazard.intents = mgi_arena_calloc(a, h->words, sizeof *hazard.intents);
    if (!hazard.preds || !hazard.intents)
        return false;
    for (mangle_pred i = 0; i < mangle_program_pred_count(h->p); i++) {
        struct mangle_pred_view pred = mangle_program_pred(h->p, i);
        if (!pred.derived || pred.stratum != stratum)
            continue;
        hazard.preds[hazard.pred_count++] = str_of(pred.name);
        for (size_t w = 0; w < h->words; w++)
            hazard.intents[w] |= set_of(h, i)[w];
    }
    if (!mgi_arena_grow(a, &s->hazards, &s->hazard_cap, s->hazard_count + 1, sizeof *s->hazards))
        return false;
    s->hazards[s->hazard_count++] = hazard;
    return true;
}

static bool find_hazards(struct hazards *h)
{
    size_t count = mangle_program_stratum_count(h->p);
    h->words = h->l->s->settings.intent_count / 64 + 1;
    h->under = mgi_arena_calloc(&h->scratch, mangle_program_pred_count(h->p) * h->words + 1,
                                sizeof *h->under);
    h->strata = mgi_arena_calloc(&h->scratch, count + 1, sizeof *h->strata);
    if (!h->under || !h->strata)
        return false;
    look_at_preds(h);
    for (size_t r = 0; r < mangle_program_rule_count(h->p); r++) {
        struct mangle_rule_view rule = mangle_program_rule(h->p, r);
        look_at_rule(h, &rule);
    }
    begin_sets(h);
    if (!spread_sets(h))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (what_of(&h->strata[i]) && !add_hazard(h, i, what_of(&h->strata[i])))
            return false;
    return true;
}

bool mgi_load_hazards(struct loading *l)
{
    struct hazards h = { .l = l, .p = l->s->program };
    if (!l->s->program)
        return true;
    mgi_arena_init(&h.scratch, 0);
    bool ok = find_hazards(&h);
    mgi_arena_fini(&h.scratch);
    return ok;
}
