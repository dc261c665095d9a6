/* What the passing of time does to values that are computed from fn:time:now: until when each stays
 * what it is, and until when a test of it has the outcome that it has.
 *
 * A value stands still, until some instant, or its integer (nanoseconds, or a number) moves along
 * with time: sign * t + base. Functions that the tables of moving.c do not know make values that
 * are good for the evaluation time only: too short is safe. */
#ifndef MGI_MANGLE_MOVING_H
#define MGI_MANGLE_MOVING_H

#include "mangle/run/eval.h"

struct moving {
    bool known;         /* there is a value */
    mangle_value value; /* at the evaluation time */
    int sign;           /* 0: it stands still */
    int64_t base;       /* if it does not */
    int64_t until;      /* the last instant at which the above is so; MANGLE_MAX_TIME: ever */
};

#define MOVING_STILL(v) ((struct moving){ .known = true, .value = (v), .until = MANGLE_MAX_TIME })
#define MOVING_NOTHING  ((struct moving){ .until = MANGLE_MAX_TIME }) /* nothing is known */

static inline bool mgi_moving_still(const struct moving *m)
{
    return m->sign == 0 && m->until == MANGLE_MAX_TIME;
}

/* A term whose variables have these values, by number. False: memory. */
bool mgi_moving_term(struct eval *x, const struct term *t, const struct moving *env,
                     struct moving *out);

enum moving_outcome { MOVING_HOLDS, MOVING_FAILS, MOVING_OPEN /* nobody can say */ };

/* An equality, inequality or built-in premise at the evaluation time. An equality gives a variable
 * without a value the other side's.
 *
 *   until  the last instant at which the outcome is the same for sure; MANGLE_MAX_TIME if time
 *          has nothing to do with it
 *
 * False: memory. */
bool mgi_moving_test(struct eval *x, const struct premise *m, struct moving *env,
                     enum moving_outcome *outcome, int64_t *until);

/* Of a rule that calls fn:time:now, at a solution (its variables are in x->regs): until when its
 * tests hold and its head is the same. Do-rules: the evaluation time. False: memory. */
bool mgi_moving_solution(struct eval *x, const struct rule *rule, int64_t *until);

#endif
