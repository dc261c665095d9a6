/* Random small programs and facts: recursion, negation, aggregation, windows, interval variables.
 * The same number makes the same program. */
#ifndef TEST_SUPPORT_MANGLE_GEN_H
#define TEST_SUPPORT_MANGLE_GEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "mangle.h"

struct gen_pred {
    char name[8];
    uint32_t arity;
    bool temporal, derived;
    uint32_t level;
};

struct gen {
    struct gen_pred preds[16];
    uint32_t count;
    struct buf program, facts[2]; /* facts of the base, of the request */
    uint32_t assertable;          /* bit per predicate */
    const char *vars[8];          /* bound so far in the rule */
    uint32_t var_count;
};

void mangle_gen(struct gen *g, uint64_t number);
void mangle_gen_end(struct gen *g);
bool mangle_gen_assertable(void *context, const mangle_program *program,
                           mangle_pred pred); /* context: the gen */

#endif
