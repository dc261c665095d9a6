/* Proofs, inside (mangle.md section 17). Evaluation records nothing: a derivation is found
 * afterwards, by running the goal code of a rule, which has the head's values from the start. */
#ifndef MGI_MANGLE_EXPLAIN_H
#define MGI_MANGLE_EXPLAIN_H

#include "mangle/run/base.h"

/* A fact by its place. */
struct place {
    mangle_pred pred;
    uint32_t row;
    struct mangle_interval t;
};

/* A set of places, numbered in the order of arrival. All zero is empty. */
struct places {
    struct place *items;
    size_t count, cap;
    struct table index;
};
/* The number of `place`, added if it is new; SIZE_MAX: memory. */
size_t mgi_places_add(struct places *set, const struct place *place);
void mgi_places_fini(struct places *set);
bool mgi_place_same(const struct place *a, const struct place *b);

struct proof { /* what callers see, and what only the search needs */
    struct mangle_proof seen;
    uint32_t depth_left; /* when it was made: a partial proof may not serve where more is left */
    uint32_t walk;       /* the last walk that came by */
    bool none;           /* simple mode: there is no proof of this fact */
};

/* Where a given fact stands; MANGLE_ERR_INPUT if it does not hold. */
enum mangle_status mgi_place_find(mangle_overlay *o, const struct mangle_fact *fact,
                                  struct place *out);
/* Its arguments are good until the next place of a deferred predicate is found. */
struct mangle_fact mgi_place_fact(const mangle_overlay *o, const struct place *place);

/* Was it given, not derived? */
enum given { GIVEN_NOT, GIVEN_BASE, GIVEN_REQUEST };
enum given mgi_place_given(const mangle_overlay *o, const struct place *place);

/* Every solution of the goal of `rule` for this head goes to the sink; do-rules yield rows. */
enum mangle_status mgi_goal_run(mangle_overlay *o, const struct rule *rule,
                                const struct place *head, eval_sink *sink, void *context);
/* The same, of solutions of which not all are wanted (eval.h); not of a do-rule. */
enum mangle_status mgi_goal_choose(mangle_overlay *o, const struct rule *rule,
                                   const struct place *head, eval_sink *sink, void *context,
                                   struct choice *choice);
/* In such a sink: do the registers make this very head? A wider interval contains it. */
bool mgi_goal_is_head(struct eval *x, const struct op *op, const struct place *head);
/* And do they make all of its interval, not only a part that was merged with others? */
bool mgi_goal_makes_whole(struct eval *x, const struct place *head);
/* In such a sink: the fact that positive premise `premise` found; *found is false for other
 * premises. */
enum mangle_status mgi_goal_premise(struct eval *x, const struct code *code, uint32_t premise,
                                    struct place *out, bool *found);
/* The arguments of the fact at `place`. Those of deferred predicates, which are not stored, are
 * kept in x->called. */
const uint32_t *mgi_place_words(const struct eval *x, const struct place *place);
/* Is premise `i` a (negated) atom, not a built-in? */
bool mgi_premise_is_atom(const struct premise *m);

/* A question of the host begins: what runs for it has these limits (NULL: none) until it ends.
 * MANGLE_ERR_INPUT: the overlay is not evaluated; or they have ended it already: many short
 * questions take long, too. mgi_question_end() in any case. (explain_goal.c) */
enum mangle_status mgi_question_begin(mangle_overlay *o, const struct mangle_limits *limits);
void mgi_question_end(mangle_overlay *o);

/* Content addresses, M-PROV-10; false: memory. (explain_text.c) */
bool mgi_proof_id(mangle_overlay *o, struct proof *proof);
bool mgi_rule_id(const mangle_program *p, size_t rule, char *out, size_t size);

/* For the groups of a do-rule: the keys of the group whose head this is, or *found is false. */
enum mangle_status mgi_goal_group(mangle_overlay *o, const struct rule *rule,
                                  const struct place *head, mangle_value *keys, bool *found,
                                  bool *whole);
/* In a sink of rows: does the row belong to that group? */
bool mgi_goal_in_group(const struct eval *x, const struct rule *rule, const mangle_value *keys);

#endif
