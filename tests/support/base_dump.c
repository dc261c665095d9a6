#include "support/base_dump.h"

#include <inttypes.h>

#include "base/buf.h"
#include "mangle/run/base.h"

static void dump_rows(struct buf *out, const struct rel *rel)
{
    for (uint32_t row = 0; row < mgi_rel_end(rel); row++) {
        const uint32_t *words = mgi_rel_row(rel, row);
        for (uint32_t i = 0; i < rel->arity; i++)
            mgi_buf_printf(out, "%" PRIx32 " ", words[i]);
        mgi_buf_printf(out, "in %" PRIu32 "\n", mgi_rel_born(rel, row));
    }
}

char *mangle_base_dump(const mangle_base *base, const struct mangle_stats *stats)
{
    struct buf out;
    mgi_buf_init(&out);
    for (size_t i = 0; i < base->program->pred_count; i++) {
        mgi_buf_printf(&out, "%.*s: %" PRIu32 " rows\n", STR_ARG(base->program->preds[i].name),
                       base->rels[i].count);
        dump_rows(&out, &base->rels[i]);
    }
    for (uint32_t i = 0; i < base->plan->rule_count; i++)
        mgi_buf_printf(&out, "rule %" PRIu32 " fired %" PRId64 "\n", i, base->fired[i]);
    mgi_buf_printf(&out,
                   "%" PRId64 " given, %" PRId64 " derived, %" PRId64 " firings, %" PRId64
                   " rounds, born until %" PRIu32 "\n",
                   stats->facts_given, stats->facts_derived, stats->rule_firings, stats->rounds,
                   base->birth);
    return mgi_buf_take(&out, NULL);
}

void run_backwards(void *context, void (*task)(void *argument, uint32_t number), void *argument,
                   uint32_t count)
{
    (void)context;
    for (uint32_t i = count; i > 0; i--)
        task(argument, i - 1);
}
