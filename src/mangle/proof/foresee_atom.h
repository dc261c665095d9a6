/* Shared by foresee.c, which goes through the bodies of rules, and foresee_atom.c, which knows what
 * one premise over facts asks for. */
#ifndef MGI_MANGLE_FORESEE_ATOM_H
#define MGI_MANGLE_FORESEE_ATOM_H

#include "mangle/proof/foresee.h"
#include "mangle/proof/moving.h"

struct question {
    const struct question *outer;
    mangle_pred pred;
    const mangle_value *pattern;
};

struct sight {
    mangle_overlay *o;
    struct foresight *f;
    const struct question *inner;
    enum mangle_status st; /* why nothing more is looked at */
};

/* One way through the body of a rule. */
struct way {
    struct sight *s;
    const struct rule *rule;
    struct moving *envs; /* per premise, and one behind the last: the values of variables */
    int64_t best;        /* over the ways so far */
    struct way *outer;   /* the rule stands for premise `at` of that one: see unfold(); or NULL */
    uint32_t at;
};

static inline int64_t mgi_earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t mgi_later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int64_t mgi_behind(int64_t until)
{
    return until == MANGLE_MAX_TIME ? until : until + 1;
}

static inline struct moving *mgi_way_env(const struct way *w, uint32_t premise)
{
    return w->envs + (size_t)premise * w->rule->clause->var_count;
}

/* The same values for the next premise, which may then add its own. */
struct moving *mgi_way_pass_on(const struct way *w, uint32_t premise);

struct atom_sight {
    const struct premise *m;
    const struct pred_plan *plan;
    const struct pred *pred;
    mangle_value *pattern;
    bool
        vague; /* an argument has no value yet: what matches the pattern may not be what is meant */
    bool stored;
    const uint32_t *rows;
    size_t count;
    const struct spans *spans; /* of a temporal premise, without free ends; or NULL */
    struct spans fixed;
};

/* What the arguments must be. Those that move are what they are now; they are something else when
 * `until` is over. False: memory. */
bool mgi_sight_pattern(struct way *w, uint32_t premise, struct atom_sight *a, int64_t *until);
/* The operation of the premise that says which intervals count. */
const struct spans *mgi_sight_find_spans(const struct rule *rule, uint32_t premise);
/* a->spans. False: nothing can be said of single intervals. */
bool mgi_sight_spans(const struct way *w, uint32_t premise, struct atom_sight *a);
/* Until when an interval of this row stands in the way; MANGLE_MIN_TIME: none does. */
int64_t mgi_sight_blocked_until(struct way *w, const struct atom_sight *a, uint32_t row);

/* A variable twice in the atom has one value: does the row say so? */
bool mgi_way_repeats_fit(const struct way *w, uint32_t premise, const struct atom *atom,
                         const uint32_t *words);
/* What the row, and its interval, say of the variables, for the next premise. */
void mgi_way_bind_row(struct way *w, uint32_t premise, const struct atom *atom,
                      const uint32_t *words);
void mgi_way_bind_span(struct way *w, uint32_t premise, const struct premise *m,
                       struct mangle_interval t);

#endif
