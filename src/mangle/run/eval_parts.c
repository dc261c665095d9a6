/* Large rounds on several threads. While a code runs, what it reads does not change: rows that it
 * adds are beyond rel->hi, and go into no index before it ends. So the rows of its first scan are
 * divided into parts, and threads of the host work on a part each, with registers, frames and a
 * queue of their own. What they find they look up, which is what costs most, and gather what is
 * new. Then this thread puts that in, part after part: rows get the numbers that they would have
 * got from one thread, and nothing that can be seen depends on how many there were.
 *
 * A wave of parts ends before the next begins, so that what is gathered stays small, and what was
 * put in is known to the next. A part of which more is gathered than that, or for which memory is
 * short, is run again by this thread alone when its turn comes.
 *
 * Only codes that make no values, ask nobody and have heads that wait (eval_queue.c) are divided.
 * If parts fail, the first one says how; what comes before has gone in by then. */
#include <stdatomic.h>

#include "base/alloc.h"
#include "mangle/run/eval.h"

#define HELPERS_MAX 64
#define PARTS_EACH  4    /* of a wave, per helper: one may take longer than another */
#define AHEAD       20   /* as in eval_queue.c */
#define WAVE_ROWS   8192 /* the first time; then so many that about this is gathered: */
#define WAVE_HEADS  131072

struct part {
    uint32_t lo, hi;       /* rows of the first scan */
    struct helper *helper; /* who did it, */
    uint32_t from, to;     /* which of its heads are of this part, */
    int64_t firings;       /* and how many there were before they were looked up */
    enum mangle_status st;
    bool again; /* too much was found: nothing of it counts */
};

struct helper {
    struct eval x; /* first: it is given to functions of evaluations, and found again from there */
    struct mangle_error err;
    uint32_t *words;
    uint64_t *hashes;
    size_t words_cap, hashes_cap;
    uint32_t count; /* heads that were gathered in this wave */
    uint32_t begun; /* of them, when the part began */
    bool full;
};

struct crew {
    const struct mangle_workers *workers;
    struct machine machine;
    uint32_t count, part_count;
    struct helper *helpers;
    struct part *parts;
    const struct eval *x;
    const struct code *code;
    atomic_uint next; /* part */
    atomic_bool stop; /* a part has failed: those behind it do not matter */
};

/* ---- what a helper finds --------------------------------------------------------------------- */

static size_t bytes_of(const struct helper *h)
{
    return h->words_cap * sizeof *h->words + h->hashes_cap * sizeof *h->hashes;
}

static bool make_room(struct helper *h, uint32_t count, uint32_t arity)
{
    size_t need = (size_t)h->count + count, before = bytes_of(h);
    bool ok = need - h->begun <= h->x.part_heads && need < UINT32_MAX &&
              mgi_grow(&h->words, &h->words_cap, need * arity + 1, sizeof *h->words) &&
              mgi_grow(&h->hashes, &h->hashes_cap, need, sizeof *h->hashes);
    h->x.bytes += bytes_of(h) - before;
    return ok;
}

/* In place of mgi_queue_drain(): heads that are not known are gathered. */
static enum mangle_status gather_new(struct eval *x)
{
    struct helper *h = (struct helper *)x;
    struct queue *q = &x->queue;
    uint32_t count = q->count, next = 0;
    if (count == 0)
        return MANGLE_OK;
    const struct rel *rel = &x->rels[q->rule->head];
    const uint32_t arity = rel->arity;
    q->count = 0;
    if (!make_room(h, count, arity)) {
        h->full = true;
        return MANGLE_ERR_NOMEM;
    }
    for (; next < AHEAD && next < count; next++)
        mgi_rel_prefetch(rel, q->hashes[next]);
    for (uint32_t i = 0; i < count; i++, next++) {
        if (next < count)
            mgi_rel_prefetch(rel, q->hashes[next]);
        const uint32_t *words = q->words + (size_t)i * arity;
        if (mgi_rel_knows(rel, words, q->hashes[i]))
            continue;
        uint32_t *to = h->words + (size_t)h->count * arity;
        for (uint32_t c = 0; c < arity; c++)
            to[c] = words[c];
        h->hashes[h->count++] = q->hashes[i];
    }
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
    w->queue.most = x->queue.most;
    w->queue.rule = NULL;
    w->queue.count = 0;
    h->count = 0;
    mgi_eval_constants(w, code);
}

/* On any thread: parts in their order, one after the other, as long as there are some. */
static void help(void *argument, uint32_t number)
{
    struct crew *crew = argument;
    struct helper *h = &crew->helpers[number];
    make_like(h, crew->x, crew->code);
    while (!atomic_load_explicit(&crew->stop, memory_order_relaxed)) {
        uint32_t i = atomic_fetch_add_explicit(&crew->next, 1, memory_order_relaxed);
        if (i >= crew->part_count)
            break;
        run_part(crew, h, &crew->parts[i]);
    }
}

/* ---- putting it in --------------------------------------------------------------------------- */

static enum mangle_status put_in(struct eval *x, const struct part *part)
{
    const struct helper *h = part->helper;
    const struct rule *rule = x->rule;
    const struct rel *rel = &x->rels[rule->head];
    uint32_t next = part->from;
    enum mangle_status st = MANGLE_OK;
    for (; next < part->from + AHEAD && next < part->to; next++)
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
    enum mangle_status st = put_in(x, part);
    if (!st && part->st && x->err)
        *x->err = part->helper->err;
    return st ? st : part->st;
}

/* ---- waves ----------------------------------------------------------------------------------- */

static void divide(struct crew *crew, uint32_t lo, uint32_t hi)
{
    uint32_t most = crew->count * PARTS_EACH, rows = hi - lo;
    crew->part_count = rows < most ? rows : most;
    for (uint32_t i = 0; i < crew->part_count; i++)
        crew->parts[i] = (struct part){
            .lo = lo + (uint32_t)((uint64_t)rows * i / crew->part_count),
            .hi = lo + (uint32_t)((uint64_t)rows * (i + 1) / crew->part_count),
        };
}

/* *gathered: how many heads were. */
static enum mangle_status run_wave(struct eval *x, const struct code *code, uint32_t lo,
                                   uint32_t hi, uint64_t *gathered)
{
    struct crew *crew = x->crew;
    enum mangle_status st = MANGLE_OK;
    const size_t bytes = x->bytes;
    crew->x = x;
    crew->code = code;
    divide(crew, lo, hi);
    atomic_store(&crew->next, 0);
    atomic_store(&crew->stop, false);
    crew->workers->run(crew->workers->context, help, crew, crew->count);
    *gathered = 0;
    for (uint32_t i = 0; i < crew->count; i++) {
        x->bytes += crew->helpers[i].x.bytes - bytes;
        *gathered += crew->helpers[i].count;
    }
    for (uint32_t i = 0; i < crew->part_count && !st; i++)
        st = end_part(x, code, &crew->parts[i]);
    return st;
}

static uint32_t next_wave(uint32_t rows, uint64_t gathered)
{
    uint64_t wanted = gathered ? (uint64_t)rows * WAVE_HEADS / gathered : (uint64_t)rows * 4;
    wanted = wanted < (uint64_t)rows * 4 ? wanted : (uint64_t)rows * 4;
    return wanted > UINT32_MAX / 4 ? UINT32_MAX / 4 : wanted ? (uint32_t)wanted : 1;
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
    enum mangle_status st = MANGLE_OK;
    if (!mgi_eval_range(x, code, &lo, &hi) || hi <= lo || hi - lo < x->divide_from ||
        !may_be_divided(x, code))
        return mgi_eval_run(x, code);
    uint32_t rows = x->divide_from < WAVE_ROWS ? x->divide_from : WAVE_ROWS;
    while (lo < hi && !st) {
        uint32_t end = hi - lo < rows + rows / 2 ? hi : lo + rows;
        uint64_t gathered;
        st = run_wave(x, code, lo, end, &gathered);
        rows = next_wave(end - lo, gathered);
        lo = end;
    }
    return st;
}

/* ---- the crew -------------------------------------------------------------------------------- */

static bool helper_init(struct helper *h, const struct eval *x, const struct machine *machine)
{
    bool ok = mgi_eval_init(&h->x, x->program, x->plan, x->rels, x->values, x->overlay);
    h->x.machine = machine;
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
        x->bytes -= bytes_of(&crew->helpers[i]);
        mgi_eval_fini(&crew->helpers[i].x);
        mgi_free(crew->helpers[i].words);
        mgi_free(crew->helpers[i].hashes);
    }
    mgi_free(crew->helpers);
    mgi_free(crew->parts);
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
    crew->count = workers->count < HELPERS_MAX ? workers->count : HELPERS_MAX;
    crew->parts = mgi_calloc((size_t)crew->count * PARTS_EACH, sizeof *crew->parts);
    crew->helpers = mgi_calloc(crew->count, sizeof *crew->helpers);
    bool ok = crew->parts && crew->helpers;
    for (uint32_t i = 0; crew->helpers && i < crew->count; i++)
        ok &= helper_init(&crew->helpers[i], x, &crew->machine);
    if (ok)
        x->divide = run_divided;
    else
        mgi_crew_dismiss(x);
}
