/* Heads on their way into relations. Whether a head is known already is one probe of a table that
 * is far larger than any cache, and a processor that waits for each one does nothing else. So heads
 * are gathered, and go in together with their hashes: the slots of those to come are fetched while
 * one goes in. Dense pairs are known by a bit instead, and heads that are new by the rule's form
 * need no look.
 *
 * Nothing sees the difference. What a code reads ends at rel->hi, so no row that it adds is visible
 * to it; rows get their numbers in the order of their heads; and before anything is said of limits,
 * or a code ends, well or not, its heads have gone in, so that the first fault is the one that is
 * told. Heads with intervals, and of lattice relations, do not wait. */
#include "base/alloc.h"
#include "mangle/run/eval.h"

#define QUEUE_WORDS 2048 /* of all waiting heads: two pages, which stay in the first cache */
#define AHEAD       20   /* slots being fetched: about what a core has room for, and some */

bool mgi_queue_init(struct queue *q)
{
    q->words = mgi_alloc(QUEUE_WORDS * sizeof *q->words);
    q->hashed = mgi_alloc(QUEUE_HEADS * sizeof *q->hashed);
    q->most = QUEUE_HEADS;
    return q->words && q->hashed;
}

void mgi_queue_fini(struct queue *q)
{
    mgi_free(q->words);
    mgi_free(q->hashed);
}

bool mgi_queue_takes(const struct eval *x, const struct rule *rule)
{
    return !rule->annotated && !x->program->preds[rule->head].lattice &&
           x->program->preds[rule->head].arity <= QUEUE_WORDS;
}

/* The heads from `from` on by the set of rows. */
static enum mangle_status put_hashed(struct eval *x, struct queue *q, uint32_t from, uint32_t count)
{
    const struct rel *rel = &x->rels[q->rule->head];
    uint32_t next = from;
    enum mangle_status st = mgi_eval_known(x, q->rule->head);
    for (uint32_t i = from; i < count; i++)
        q->hashed[i] = mgi_words_hash(q->words + (size_t)i * rel->arity, rel->arity);
    for (; next < from + AHEAD && next < count; next++)
        mgi_rel_prefetch(rel, q->hashed[next]);
    for (uint32_t i = from; i < count && !st; i++, next++) {
        if (next < count)
            mgi_rel_prefetch(rel, q->hashed[next]);
        st = mgi_eval_derive_hashed(x, x->rule, q->words + (size_t)i * rel->arity, q->hashed[i]);
    }
    return st;
}

enum mangle_status mgi_queue_drain(struct eval *x)
{
    struct queue *q = &x->queue;
    const struct rule *running = x->rule, *rule = q->rule;
    uint32_t count = q->count;
    if (count == 0)
        return MANGLE_OK;
    x->rule = rule;
    q->count = 0; /* whatever comes of it, once */
    uint32_t done = count;
    enum mangle_status st = mgi_eval_derive_plain(x, rule, q->words, &done);
    if (!st && done < count)
        st = put_hashed(x, q, done, count);
    x->rule = running;
    return st;
}

/* The heads of another rule, or no room. */
static enum mangle_status next_rule(struct eval *x, const struct rule *rule)
{
    struct queue *q = &x->queue;
    enum mangle_status st = x->machine->drain(x);
    uint32_t arity = x->program->preds[rule->head].arity;
    q->rule = rule;
    q->room = arity == 0 || QUEUE_WORDS / arity > q->most ? q->most : QUEUE_WORDS / arity;
    return st;
}

enum mangle_status mgi_queue_room(struct eval *x, const struct rule *rule, uint32_t *room)
{
    struct queue *q = &x->queue;
    enum mangle_status st = q->rule != rule || q->count >= q->room ? next_rule(x, rule) : MANGLE_OK;
    *room = q->room - q->count;
    return st;
}

enum mangle_status mgi_queue_put(struct eval *x, const struct rule *rule, const struct op *op)
{
    struct queue *q = &x->queue;
    if (q->rule != rule || q->count >= q->room) {
        enum mangle_status st = next_rule(x, rule);
        if (st)
            return st;
    }
    uint32_t *words = q->words + (size_t)q->count * op->arg_count;
    for (uint32_t i = 0; i < op->arg_count; i++)
        words[i] = x->regs[op->args[i]];
    q->count++;
    return MANGLE_OK;
}
