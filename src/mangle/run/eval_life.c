/* The life of an evaluation: what it is made of, and with what each one begins. */
#include "mangle/run/eval.h"

#include "base/alloc.h"

#define DEFAULT_MAX_FACTS     INT64_C(1000000)
#define DEFAULT_MAX_INTERVALS INT64_C(1000)
#define DEFAULT_MAX_BYTES     (INT64_C(1) << 30)
#define DIVIDE_FROM           16384
#define PART_HEADS            1048576
#define DEPTH_DEFAULT         1000 /* M-EXT-24 */
#define DEPTH_MAX             4000 /* calls nest on the stack of the thread */

/* Up the stairs, for those below: see struct machine. */
static const struct machine machine = {
    .drain = mgi_queue_drain,
    .code = mgi_eval_code,
    .run = mgi_eval_run,
    .broad = mgi_eval_broad,
    .aggregate = mgi_eval_aggregate_call,
};

bool mgi_eval_init(struct eval *x, const mangle_program *program, const struct plan *plan,
                   struct rel *rels, mangle_values *values, bool overlay)
{
    *x = (struct eval){ .program = program, .plan = plan, .rels = rels, .values = values };
    x->overlay = overlay;
    mgi_arena_init(&x->scratch, 0);
    x->machine = &machine;
    x->divide_from = DIVIDE_FROM;
    x->broad_rows = BROAD_ROWS;
    x->part_heads = PART_HEADS;
    x->call.values = values;
    x->call.scratch = &x->scratch;
    x->call.zones = program->zones.find ? &program->zones : NULL;
    x->regs = mgi_calloc((size_t)plan->reg_max + 1, sizeof *x->regs);
    x->words = mgi_calloc((size_t)plan->words_max + 1, sizeof *x->words);
    x->key = mgi_calloc((size_t)plan->words_max + 1, sizeof *x->key);
    x->frames = mgi_calloc((size_t)plan->op_max + 1, sizeof *x->frames);
    x->merged = mgi_calloc((size_t)plan->words_max + 1, sizeof *x->merged);
    x->touched = mgi_calloc(program->pred_count + 1, sizeof *x->touched);
    x->fired = mgi_calloc(plan->rule_count + plan->asking_count + 1, sizeof *x->fired);
    x->families_ran = mgi_calloc((size_t)plan->family_count + 1, sizeof *x->families_ran);
    return mgi_queue_init(&x->queue) && x->regs && x->words && x->key && x->frames && x->merged &&
           x->touched && x->fired && x->families_ran;
}

void mgi_eval_fini(struct eval *x)
{
    mgi_free(x->regs);
    mgi_free(x->words);
    mgi_free(x->key);
    mgi_free(x->frames);
    mgi_free(x->merge);
    mgi_free(x->met);
    mgi_free(x->touched);
    mgi_free(x->fired);
    mgi_free(x->families_ran);
    mgi_wakes_fini(x);
    mgi_free(x->merged);
    mgi_queue_fini(&x->queue);
    mgi_levels_fini(x);
    mgi_arena_fini(&x->scratch);
}

void mgi_eval_begin(struct eval *x, int64_t now_ns, const struct mangle_limits *limits,
                    struct mangle_error *err)
{
    x->limits = limits ? *limits : (struct mangle_limits){ 0 };
    if (x->limits.max_facts == 0)
        x->limits.max_facts = DEFAULT_MAX_FACTS;
    if (x->limits.max_intervals == 0)
        x->limits.max_intervals = DEFAULT_MAX_INTERVALS;
    if (x->limits.max_bytes == 0)
        x->limits.max_bytes = DEFAULT_MAX_BYTES;
    if (!x->limits.clock)
        x->limits.timeout_ns = 0;
    if (x->limits.timeout_ns)
        x->started_ns = x->limits.clock(x->limits.clock_context);
    x->err = err;
    x->now_ns = x->call.now_ns = now_ns;
    x->steps = STEPS_PER_CHECK;
    x->work = 0;
    x->derived = x->firings = x->rounds = 0;
    x->charged = NULL;
    x->charged_at = 0;
    x->queue.count = 0;
    x->queue.rule = NULL;
    x->fresh = NULL;
    x->sink = NULL;
    x->rule = NULL;
    x->depth = x->floor = 0;
    x->max_depth = DEPTH_DEFAULT;
    if (x->limits.max_depth > 0)
        x->max_depth = x->limits.max_depth < DEPTH_MAX ? x->limits.max_depth : DEPTH_MAX;
}

void mgi_called_forget(struct eval *x)
{
    for (size_t i = 0; x->called && i < x->program->pred_count; i++)
        mgi_rel_fini(&x->called[i]);
    mgi_free(x->called);
    x->called = NULL;
}
