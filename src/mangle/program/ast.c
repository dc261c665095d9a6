/* Questions about clauses that the parser answers for every later stage. */
#include "mangle/program/ast.h"

const struct premise *mgi_premise_written(const struct clause *c, uint32_t index)
{
    for (uint32_t i = 0; i < c->premise_count; i++) {
        uint32_t before = 0;
        for (uint32_t j = 0; j < c->premise_count; j++)
            before += c->premises[j].span.start < c->premises[i].span.start;
        if (before == index)
            return &c->premises[i];
    }
    return &c->premises[index];
}

bool mgi_term_has_call(const struct term *term)
{
    return term->kind == TERM_APPLY;
}
