/* Large rounds on several threads. While a code runs, what it reads does not change: rows that it
 * adds are beyond rel->hi, and go into no index before it ends. So the rows of its first scan are
 * divided into parts, and threads of the host work on a part each, with registers, frames and a
 * queue of their own. What they find they gather; where most of it is known, only what is new. Then
 * that goes in (eval_parts_put.c), in the order of the parts: rows get the numbers that they would
 * have got from one thread, and what comes out does not depend on how many there were; what they
 * gather is memory, and counts.
 *
 * A wave of parts ends before the next begins, so that what is gathered stays small, and what was
 * put in is known to the next. A part of which more is gathered than that, or for which memory is
 * short, is run again by this thread alone when its turn comes.
 *
 * Only codes that make no values, ask nobody and have heads that wait (eval_queue.c) are divided.
 * If parts fail, the first one says how; what comes before has gone in by then. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "mangle/run/eval_parts.h"

#define HELPERS_MAX 64
#define WAVE_COST   65536  /* rows and look-ups of the first one; then what makes about: */
#define WAVE_HEADS  131072 /* that are gathered */

/* ---- what a helper finds --------------------------------------------------------------------- */

static size_t gathered_bytes(const struct helper *h)
{
    return h->words_cap * sizeof *h->words + h->hashes_cap * sizeof *h->hashes +
           h->order_cap * sizeof *h->order;
}

static bool reserve_heads(struct helper *h, uint32_t count, uint32_t arity)
{
    size_t need = (size_t)h->count + count, before = gathered_bytes(h);
    bool ok = need - h->begun <= h->x.part_heads && need < UINT32_MAX &&
              mgi_grow(&h->words, &h->words_cap, need * arity + 1, sizeof *h->words) &&
              mgi_grow(&h->hashes, &h->hashes_cap, need, sizeof *h->hashes) &&
              mgi_grow(&h->order, &h->order_cap, need, sizeof *h->order);
    h->x.bytes += gathered_bytes(h) - before;
    return ok;
}

static void keep_unknown(struct helper *h, const struct rel *rel, const struct queue *q,
                         uint32_t count)
{
    const uint32_t arity = rel->arity;
    uint32_t next = 0;
    for (; next < SLOTS_AHEAD && next < count; next++)
        mgi_rel_prefetch(rel, q->hashed[next]);
    for (uint32_t i = 0; i < count; i++, next++) {
        if (next < count)
            mgi_rel_prefetch(rel, q->hashed[next]);
        const uint32_t *words = q->words + (size_t)i * arity;
        if (mgi_rel_knows(rel, words, q->hashed[i]))
            continue;
        uint32_t *to = h->words + (size_t)h->count * arity;
        for (uint32_t c = 0; c < arity; c++)
            to[c] = words[c];
        h->hashes[h->count++] = q->hashed[i];
    }
}

/* In place of mgi_queue_drain(): heads that are not known are gathered. */
static enum mangle_status gather_new(struct eval *x)
{
    struct helper *h = (struct helper *)x;
    struct queue *q = &x->queue;
    uint32_t count = q->count;
    if (count == 0)
        return MANGLE_OK;
    const struct rel *rel = &x->rels[q->rule->head];
    const uint32_t arity = rel->arity;
    q->count = 0;
    if (!reserve_heads(h, count, arity)) {
        h->full = true;
        return MANGLE_ERR_NOMEM;
    }
    h->seen += count;
    for (uint32_t i = 0; i < count; i++)
        q->hashed[i] = mgi_words_hash(q->words + (size_t)i * arity, arity);
    if (h->crew->probes) {
        keep_unknown(h, rel, q, count);
        return MANGLE_OK;
    }
    memcpy(h->words + (size_t)h->count * arity, q->words, (size_t)count * arity * sizeof *q->words);
    memcpy(h->hashes + h->count, q->hashed, count * sizeof *q->hashed);
    h->count += count;
    return MANGLE_OK;
}

static void run_part(struct crew *crew, struct helper *h, struct part *part)
{
    struct eval *x = &h->x;
    part->helper = h;
    part->from = h->begun = h->count;
    x->firings = 0;
    h->full = false;
    enum mangle_status st = mgi_eval_part(x, crew->code, part->lo, part->hi);
    enum mangle_status put = gather_new(x); /* what came first is told */
    part->st = put ? put : st;
    part->again = h->full;
    if (h->full)
        h->count = h->begun;
    part->to = h->count;
    if (crew->in_bulk)
        mgi_part_share_out(crew, h, part);
    part->firings = x->firings;
    if (part->st && !part->again)
        atomic_store_explicit(&crew->stop, true, memory_order_relaxed);
}

/* Registers and limits as they are now. */
static void make_like(struct helper *h, const struct eval *x, const struct code *code)
{
    struct eval *w = &h->x;
    w->limits = x->limits;
    w->started_ns = x->started_ns;
    w->now_ns = w->call.now_ns = x->now_ns;
    w->iteration = x->iteration;
    w->rule = x->rule;
    w->steps = STEPS_PER_CHECK;
    w->bytes = x->bytes;
    w->part_heads = x->part_heads;
    w->meet_always = x->meet_always;
    w->lists = LISTS_NEVER; /* those that are there are used, but none are made */
    w->queue.most = x->queue.most;
    w->queue.rule = NULL;
    w->queue.count = 0;
    h->count = 0;
    h->seen = 0;
    mgi_eval_constants(w, code);
}

/* On any thread: parts in their order, one after the other, as long as there are some. */
static void help(void *argument, uint32_t number)
{
    struct crew *crew = argument;
    struct helper *h = &crew->helpers[number];
    while (!atomic_load_explicit(&crew->stop, memory_order_relaxed)) {
        uint32_t i = atomic_fetch_add_explicit(&crew->next, 1, memory_order_relaxed);
        if (i >= crew->part_count)
            break;
        run_part(crew, h, &crew->parts[i]);
    }
}

/* ---- waves ----------------------------------------------------------------------------------- */

static enum mangle_status run_alone(struct eval *x, const struct code *code, uint32_t lo,
                                    uint32_t hi)
{
    enum mangle_status st = mgi_eval_part(x, code, lo, hi);
    enum mangle_status put = mgi_queue_drain(x);
    return put ? put : st;
}

static enum mangle_status end_part(struct eval *x, const struct code *code, const struct part *part)
{
    if (part->again)
        return run_alone(x, code, part->lo, part->hi);
    x->firings += part->firings;
    enum mangle_status st = mgi_part_put(x, part);
    if (!st && part->st && x->err)
        *x->err = part->helper->err;
    return st ? st : part->st;
}

static void divide(struct crew *crew, uint32_t lo, uint32_t hi)
{
    uint32_t most = crew->count * PARTS_EACH, rows = hi - lo;
    crew->part_count = rows < most ? rows : most;
    for (uint32_t i = 0; i < crew->part_count; i++)
        crew->parts[i] = (struct part){
            .lo = lo + (uint32_t)((uint64_t)rows * i / crew->part_count),
            .hi = lo + (uint32_t)((uint64_t)rows * (i + 1) / crew->part_count),
            .ends = crew->numbers + (size_t)i * 2 * crew->count,
            .fresh = crew->numbers + ((size_t)i * 2 + 1) * crew->count,
        };
}

/* What helpers made of the wave. */
static void count_heads(struct eval *x, struct crew *crew, size_t bytes)
{
    crew->gathered = crew->seen = crew->fresh = 0;
    for (uint32_t i = 0; i < crew->count; i++) {
        const struct helper *h = &crew->helpers[i];
        x->bytes += h->x.bytes - bytes;
        crew->gathered += h->count;
        crew->seen += h->seen;
    }
}

static enum mangle_status run_wave(struct eval *x, const struct code *code, uint32_t lo,
                                   uint32_t hi)
{
    struct crew *crew = x->crew;
    enum mangle_status st = MANGLE_OK;
    crew->x = x;
    crew->code = code;
    divide(crew, lo, hi);
    atomic_store(&crew->next, 0);
    atomic_store(&crew->stop, false);
    for (uint32_t i = 0; i < crew->count; i++)
        make_like(&crew->helpers[i], x, code);
    const size_t bytes = x->bytes;
    mgi_crew_do(crew, help);
    count_heads(x, crew, bytes);
    if (mgi_parts_put(x, crew, crew->gathered, &st))
        return st;
    for (uint32_t i = 0; i < crew->part_count && !st; i++)
        st = end_part(x, code, &crew->parts[i]);
    return st;
}

/* Is it worth while to look heads up before all are put in? And how many rows make WAVE_HEADS? */
static uint32_t next_wave(struct crew *crew, uint32_t rows)
{
    uint64_t most = (uint64_t)rows * 4, heads = crew->gathered;
    if (!crew->probes && crew->fresh * 2 < crew->gathered) {
        crew->probes = true;
    } else if (crew->probes && crew->gathered * 2 > crew->seen) {
        crew->probes = false;
        heads = crew->seen;
    }
    crew->expected = (double)heads / rows;
    uint64_t wanted = heads ? (uint64_t)rows * WAVE_HEADS / heads : most;
    wanted = wanted < most ? wanted : most;
    return wanted > UINT32_MAX / 4 ? UINT32_MAX / 4 : wanted ? (uint32_t)wanted : 1;
}

/* Where the set has room for what is expected, all put in. */
static void make_set_ready(const struct eval *x, struct crew *crew, const struct code *code,
                           uint32_t rows)
{
    struct rel *rel = &x->rels[code->rule->head];
    double expected = crew->expected * rows * 1.25;
    crew->in_bulk = x->fresh != code->rule && mgi_bulk_takes(rel) && expected < REL_NONE / 2 &&
                    mgi_rel_room(rel, (uint64_t)expected + 1);
    if (!crew->in_bulk)
        crew->probes = true;
}

static bool has_meets(const struct code *code)
{
    for (size_t i = 0; i < code->op_count; i++)
        if (code->ops[i].kind == OP_SCAN && code->ops[i].look->meet)
            return true;
    return false;
}

static enum mangle_status run_waves(struct eval *x, const struct code *code, uint32_t lo,
                                    uint32_t hi, double cost)
{
    struct crew *crew = x->crew;
    double first = (hi - lo) * (WAVE_COST / cost);
    uint32_t rows = first < 1 ? 1 : first > hi - lo ? hi - lo : (uint32_t)first;
    enum mangle_status st = MANGLE_OK;
    rows = rows < x->divide_from ? rows : x->divide_from;
    crew->expected = cost / (hi - lo);
    if (has_meets(code)) { /* so that there are lists, if they pay (eval_meet.c) */
        st = run_alone(x, code, lo, lo + rows);
        lo += rows;
    }
    while (lo < hi && !st) {
        uint32_t end = hi - lo < rows + rows / 2 ? hi : lo + rows;
        make_set_ready(x, crew, code, end - lo);
        st = run_wave(x, code, lo, end);
        rows = next_wave(crew, end - lo);
        lo = end;
    }
    return st;
}

/* Nothing but scans, comparisons and a head that waits; and one row of the first scan says nothing
 * of the others, as it does where one witness is enough. */
static bool may_be_divided(const struct eval *x, const struct code *code)
{
    if (x->sink || x->overlay || x->depth || x->batch || !mgi_queue_takes(x, code->rule))
        return false;
    for (size_t i = 0; i < code->op_count; i++) {
        const struct op *op = &code->ops[i];
        if (i > 0 && op->fail == NO_OP)
            return false;
        switch (op->kind) {
        case OP_SCAN:
        case OP_ABSENT:
            if (op->early || op->spans)
                return false;
            break;
        case OP_BUILTIN:
        case OP_COPY:
        case OP_EQ:
        case OP_NE:
        case OP_NEVER:
        case OP_UNBOUND:
        case OP_EMIT:
            break;
        default:
            return false;
        }
    }
    return true;
}

static enum mangle_status run_divided(struct eval *x, const struct code *code)
{
    uint32_t lo, hi;
    if (!mgi_eval_range(x, code, &lo, &hi) || hi <= lo + 1 || !may_be_divided(x, code))
        return mgi_eval_run(x, code);
    double cost = mgi_eval_cost(x, code);
    if (!isfinite(cost) || cost < x->divide_from)
        return mgi_eval_run(x, code);
    return run_waves(x, code, lo, hi, cost);
}

/* ---- the crew -------------------------------------------------------------------------------- */

static bool helper_init(struct helper *h, const struct eval *x, const struct crew *crew)
{
    bool ok = mgi_eval_init(&h->x, x->program, x->plan, x->rels, x->values, x->overlay);
    h->x.machine = &crew->machine;
    h->crew = crew;
    h->x.err = &h->err;
    return ok;
}

void mgi_crew_dismiss(struct eval *x)
{
    struct crew *crew = x->crew;
    x->divide = NULL;
    x->crew = NULL;
    if (!crew)
        return;
    for (uint32_t i = 0; crew->helpers && i < crew->count; i++) {
        x->bytes -= gathered_bytes(&crew->helpers[i]);
        mgi_eval_fini(&crew->helpers[i].x);
        mgi_free(crew->helpers[i].words);
        mgi_free(crew->helpers[i].hashes);
        mgi_free(crew->helpers[i].order);
    }
    mgi_free(crew->helpers);
    mgi_free(crew->parts);
    mgi_free(crew->numbers);
    mgi_free(crew);
}

void mgi_crew_hire(struct eval *x, const struct mangle_workers *workers)
{
    if (!workers || workers->count < 2)
        return;
    struct crew *crew = mgi_calloc(1, sizeof *crew);
    if (!crew)
        return;
    x->crew = crew;
    crew->workers = workers;
    crew->machine = *x->machine;
    crew->machine.drain = gather_new;
    crew->probes = true;
    crew->count = workers->count < HELPERS_MAX ? workers->count : HELPERS_MAX;
    crew->parts = mgi_calloc((size_t)crew->count * PARTS_EACH, sizeof *crew->parts);
    crew->helpers = mgi_calloc(crew->count, sizeof *crew->helpers);
    crew->numbers =
        mgi_calloc((size_t)crew->count * crew->count * PARTS_EACH * 2, sizeof *crew->numbers);
    bool ok = crew->parts && crew->helpers && crew->numbers;
    for (uint32_t i = 0; crew->helpers && i < crew->count; i++)
        ok &= helper_init(&crew->helpers[i], x, crew);
    if (ok)
        x->divide = run_divided;
    else
        mgi_crew_dismiss(x);
}
