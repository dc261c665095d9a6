/* The heads of a wave going in: by this thread, one after the other, or where many are new by all
 * helpers in two steps: each has a share of the set and finds which heads are new (rel_bulk.c);
 * then, when they are counted, each writes the rows of some parts. Their numbers are those that one
 * thread would have given. */
#include "mangle/run/eval_parts.h"
#include "mangle/run/rel_key.h"

#define NOT_NEW UINT64_MAX       /* in place of a slot */
#define BEYOND  (UINT64_MAX - 1) /* of the share: its slot is not known yet */

enum mangle_status mgi_part_put(struct eval *x, const struct part *part)
{
    const struct helper *h = part->helper;
    const struct rule *rule = x->rule;
    const struct rel *rel = &x->rels[rule->head];
    uint32_t next = part->from;
    enum mangle_status st = MANGLE_OK;
    for (; next < part->from + SLOTS_AHEAD && next < part->to; next++)
        mgi_rel_prefetch(rel, h->hashes[next]);
    for (uint32_t i = part->from; i < part->to && !st; i++, next++) {
        if (next < part->to)
            mgi_rel_prefetch(rel, h->hashes[next]);
        st = mgi_eval_derive_hashed(x, rule, h->words + (size_t)i * rel->arity, h->hashes[i]);
        if (!st)
            st = mgi_eval_step(x);
    }
    return st;
}

/* ---- by shares ------------------------------------------------------------------------------- */

void mgi_part_share_out(const struct crew *crew, const struct helper *h, struct part *part)
{
    const struct rel *rel = &h->x.rels[crew->code->rule->head];
    const uint32_t shares = crew->count;
    for (uint32_t s = 0; s < shares; s++)
        part->ends[s] = part->fresh[s] = 0;
    for (uint32_t i = part->from; i < part->to; i++)
        part->ends[mgi_bulk_share(rel, h->hashes[i], shares)]++;
    uint32_t at = part->from;
    for (uint32_t s = 0; s < shares; s++) { /* where each begins, for now */
        uint32_t count = part->ends[s];
        part->ends[s] = at;
        at += count;
    }
    for (uint32_t i = part->from; i < part->to; i++)
        h->order[part->ends[mgi_bulk_share(rel, h->hashes[i], shares)]++] = i;
}

static uint32_t share_begin(const struct part *part, uint32_t share)
{
    return share ? part->ends[share - 1] : part->from;
}

/* False: the look would go on beyond the share. */
static bool claim(struct rel *rel, struct helper *h, uint32_t head, uint64_t end, uint32_t *fresh)
{
    const uint32_t *words = h->words + (size_t)head * rel->arity;
    uint32_t slot = mgi_bulk_claim(rel, words, h->hashes[head], end);
    bool is_new = slot != BULK_KNOWN && slot != BULK_BEYOND;
    h->hashes[head] = is_new ? slot : slot == BULK_KNOWN ? NOT_NEW : BEYOND;
    *fresh += is_new;
    return slot != BULK_BEYOND;
}

static enum mangle_status claim_part(struct helper *mine, struct rel *rel, struct part *part,
                                     uint32_t share, uint64_t end)
{
    struct helper *h = part->helper;
    const uint32_t first = share_begin(part, share), last = part->ends[share];
    uint32_t next = first;
    enum mangle_status st = MANGLE_OK;
    for (; next < first + SLOTS_AHEAD && next < last; next++)
        mgi_table_prefetch(&rel->known, h->hashes[h->order[next]]);
    for (uint32_t i = first; i < last && !st; i++, next++) {
        if (next < last)
            mgi_table_prefetch(&rel->known, h->hashes[h->order[next]]);
        if (!claim(rel, h, h->order[i], end, &part->fresh[share]))
            mine->went_beyond = true;
        st = mgi_eval_step(&mine->x);
    }
    return st;
}

/* On any thread: the heads of one share, part after part. */
static void claim_share(void *argument, uint32_t number)
{
    struct crew *crew = argument;
    struct helper *mine = &crew->helpers[number];
    struct rel *rel = &crew->x->rels[crew->code->rule->head];
    const uint64_t end = mgi_bulk_end_of(rel, number, crew->count);
    mine->st = MANGLE_OK;
    mine->went_beyond = false;
    for (uint32_t i = 0; i < crew->part_count && !mine->st; i++)
        mine->st = claim_part(mine, rel, &crew->parts[i], number, end);
}

/* Those whose look went on beyond their share, now that all shares are done. Few. */
static void claim_rest(struct crew *crew, struct rel *rel)
{
    for (uint32_t i = 0; i < crew->part_count; i++) {
        struct part *part = &crew->parts[i];
        for (uint32_t s = 0; s < crew->count; s++) {
            if (!crew->helpers[s].went_beyond)
                continue;
            for (uint32_t n = share_begin(part, s); n < part->ends[s]; n++) {
                uint32_t head = part->helper->order[n];
                if (part->helper->hashes[head] != BEYOND)
                    continue;
                part->helper->hashes[head] =
                    mgi_words_hash(part->helper->words + (size_t)head * rel->arity, rel->arity);
                (void)claim(rel, part->helper, head, BULK_WHOLE, &part->fresh[s]);
            }
        }
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static uint32_t number_rows(struct crew *crew, const struct rel *rel)
{
    uint32_t row = rel->count;
    for (uint32_t i = 0; i < crew->part_count; i++) {
        crew->parts[i].row = row;
        for (uint32_t s = 0; s < crew->count; s++)
            row += crew->parts[i].fresh[s];
    }
    return row - rel->count;
}

static enum mangle_status write_part(struct helper *mine, struct rel *rel, const struct part *part)
{
    const struct helper *h = part->helper;
    uint32_t row = part->row;
    enum mangle_status st = MANGLE_OK;
    for (uint32_t i = part->from; i < part->to && !st; i++) {
        if (h->hashes[i] != NOT_NEW)
            mgi_bulk_write(rel, row++, (uint32_t)h->hashes[i]);
        st = mgi_eval_step(&mine->x);
    }
    return st;
}

static void write_rows(void *argument, uint32_t number)
{
    struct crew *crew = argument;
    struct helper *mine = &crew->helpers[number];
    struct rel *rel = &crew->x->rels[crew->code->rule->head];
    mine->st = MANGLE_OK;
    while (!mine->st) {
        uint32_t i = atomic_fetch_add_explicit(&crew->next, 1, memory_order_relaxed);
        if (i >= crew->part_count)
            break;
        mine->st = write_part(mine, rel, &crew->parts[i]);
    }
}

/* If a helper was stopped, everything is. */
static enum mangle_status stopped(struct eval *x, const struct crew *crew)
{
    for (uint32_t i = 0; i < crew->count; i++) {
        if (!crew->helpers[i].st)
            continue;
        if (x->err)
            *x->err = crew->helpers[i].err;
        return crew->helpers[i].st;
    }
    return MANGLE_OK;
}

static enum mangle_status put_in_bulk(struct eval *x, struct crew *crew)
{
    mangle_pred head = crew->code->rule->head;
    struct rel *rel = &x->rels[head];
    mgi_crew_do(crew, claim_share);
    enum mangle_status st = stopped(x, crew);
    if (st)
        return st;
    claim_rest(crew, rel);
    uint32_t count = number_rows(crew, rel);
    if (!mgi_bulk_begin(rel, count))
        return mgi_eval_nomem(x);
    atomic_store(&crew->next, 0);
    mgi_crew_do(crew, write_rows);
    st = stopped(x, crew);
    if (st)
        return st;
    mgi_bulk_end(rel, count);
    crew->fresh = count;
    return mgi_eval_count_many(x, head, count);
}

/* Parts that did not come to their end, or what there is no room for, go the other way. */
bool mgi_parts_put(struct eval *x, struct crew *crew, uint64_t gathered, enum mangle_status *st)
{
    const struct rel *rel = &x->rels[crew->code->rule->head];
    if (!crew->in_bulk || gathered < x->divide_from / 16 || !mgi_bulk_fits(rel, gathered))
        return false;
    for (uint32_t i = 0; i < crew->part_count; i++)
        if (crew->parts[i].again || crew->parts[i].st)
            return false;
    *st = put_in_bulk(x, crew);
    for (uint32_t i = 0; i < crew->part_count; i++)
        x->firings += crew->parts[i].firings;
    return true;
}
