/* External predicates (mangle.md section 15.2): the host is asked for what a premise needs, and its
 * answers become facts.
 *
 * Requests are gathered first: a code is run up to each of its OP_ASKs, which then has no solution
 * but notes what it would ask. So the host gets the requests of a whole round in few calls. When
 * the code itself runs, they are answered; the few that are not (a call of a deferred predicate
 * went another way) are asked one by one.
 *
 * A request is not repeated, nor is a narrower one (M-EXT-7): for every set of arguments that was
 * known in some request, one probe says whether a request that knew just these was made. Where
 * other atoms of the rule were pushed into the request, the answer may lack what they exclude: such
 * a request is good for the same operation under the same values only. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "mangle/run/eval.h"
#include "mangle/run/promise.h"

#define BATCH_MAX 1024 /* requests in one call */

/* ---- what was asked ---------------------------------------------------------------------------
 */

/* Those of the predicates, then those of the operations that push atoms. */
static size_t count_of(const mangle_program *p)
{
    return p->external_count + p->plan->pushing_count;
}

struct asked *mgi_asked_new(const mangle_program *p)
{
    struct asked *asked = mgi_calloc(count_of(p) + 1, sizeof *asked);
    for (size_t i = 0; asked && i < count_of(p); i++) { /* takes no memory yet */
        size_t n = i - p->external_count;
        uint32_t words = i < p->external_count ? p->externals[i].arity : p->plan->pushing[n];
        mgi_rel_init(&asked[i].rows, words, false, NULL, 0, NULL);
    }
    return asked;
}

void mgi_asked_reset(const mangle_program *p, struct asked *asked)
{
    for (size_t i = 0; i < count_of(p); i++) {
        mgi_rel_reset(&asked[i].rows);
        asked[i].pattern_count = 0;
    }
}

void mgi_asked_free(const mangle_program *p, struct asked *asked)
{
    for (size_t i = 0; asked && i < count_of(p); i++) {
        mgi_rel_fini(&asked[i].rows);
        mgi_free(asked[i].patterns);
    }
    mgi_free(asked);
}

/* `key` has room for a row. */
static bool was_asked(const struct asked *asked, const uint32_t *words, uint32_t *key)
{
    uint32_t arity = asked->rows.arity;
    for (uint32_t n = 0; n < asked->pattern_count; n++) {
        const uint8_t *known = asked->patterns + (size_t)n * arity;
        bool wider = true;
        for (uint32_t i = 0; i < arity; i++) {
            key[i] = known[i] ? words[i] : MANGLE_NONE;
            wider &= !known[i] || words[i] != MANGLE_NONE;
        }
        if (wider && mgi_rel_find(&asked->rows, key) != REL_NONE)
            return true;
    }
    return false;
}

static bool has_pattern(const struct asked *asked, const uint32_t *words)
{
    uint32_t arity = asked->rows.arity;
    for (uint32_t n = 0; n < asked->pattern_count; n++) {
        bool same = true;
        for (uint32_t i = 0; i < arity; i++)
            same &= asked->patterns[(size_t)n * arity + i] == (words[i] != MANGLE_NONE);
        if (same)
            return true;
    }
    return false;
}

static bool note_asked(struct eval *x, struct asked *asked, const uint32_t *words)
{
    uint32_t row, arity = asked->rows.arity;
    bool added;
    if (!has_pattern(asked, words)) {
        size_t at = (size_t)asked->pattern_count * arity;
        if (!mgi_grow(&asked->patterns, &asked->patterns_cap, at + arity + 1, 1))
            return false;
        for (uint32_t i = 0; i < arity; i++)
            asked->patterns[at + i] = words[i] != MANGLE_NONE;
        asked->pattern_count++;
    }
    bool noted = mgi_rel_insert(&asked->rows, words, &row, &added);
    if (noted && added)
        x->bytes += ((size_t)arity + asked->rows.known.stride * 2) * sizeof *words;
    return noted;
}

/* ---- a batch ----------------------------------------------------------------------------------
 */

struct batch {
    const struct asks *asks;
    struct rel requests; /* arguments, then those of pushed atoms, MANGLE_NONE where free */
};

struct sending { /* a batch made ready for the host */
    struct mangle_query query;
    struct eval *x;
    struct mangle_request *requests;
    struct mangle_pushed_atom *atoms;
    mangle_value *args; /* inputs and filters */
    mangle_value *row;  /* of a fact */
    uint32_t *of;       /* per request sent: which one of the batch */
    struct promise promise;
    enum mangle_status st;
};

static const struct mangle_external *external_of(const struct eval *x, mangle_pred pred)
{
    return x->program->preds[pred].external;
}

static bool batch_init(struct batch *b, const struct eval *x, const struct asks *asks)
{
    uint32_t words = x->program->preds[asks->pred].arity + asks->pushed_words;
    *b = (struct batch){ .asks = asks };
    return mgi_rel_init(&b->requests, words, false, NULL, 0, NULL);
}

static enum mangle_status add_request(struct eval *x, struct batch *b)
{
    uint32_t row;
    bool added;
    return mgi_rel_insert(&b->requests, x->words, &row, &added) ? MANGLE_OK : mgi_eval_nomem(x);
}

/* ---- sending ----------------------------------------------------------------------------------
 */

static enum mangle_status failed(struct eval *x, const struct sending *s)
{
    char text[420];
    struct str name = x->program->preds[x->batch->asks->pred].name;
    snprintf(text, sizeof text, "the host cannot answer %.*s: %.255s",
             name.len > 100 ? 100 : (int)name.len, name.ptr,
             s->query.error[0] ? s->query.error : "it does not say why");
    return mgi_eval_fail(x, text);
}

/* An answer is of the types that the rules that read it rely on. */
static enum mangle_status check_answer(struct sending *s)
{
    struct promise *p = &s->promise;
    bool holds = mgi_promise_holds(p, s->row);
    if (p->types.oom || p->why.oom)
        return mgi_eval_nomem(s->x);
    if (holds)
        return MANGLE_OK;
    snprintf(s->query.error, sizeof s->query.error, "%.*s", STR_ARG(mgi_buf_view(&p->why)));
    return failed(s->x, s);
}

bool mangle_query_emit(struct mangle_query *query, size_t request, const mangle_value *outputs)
{
    struct sending *s = (struct sending *)query; /* its first member */
    const struct batch *b = s->x->batch;
    const struct pred *pred = &s->x->program->preds[b->asks->pred];
    if (s->st || request >= query->count)
        return false;
    const uint32_t *words = mgi_rel_row(&b->requests, s->of[request]);
    for (uint32_t i = 0, at = 0; i < pred->arity; i++) {
        s->row[i] = pred->input[i] ? words[i] : outputs[at++];
        if (s->row[i] == MANGLE_NONE) { /* its constructor was short of memory */
            s->st = mgi_eval_nomem(s->x);
            return false;
        }
        if (words[i] != MANGLE_NONE && words[i] != s->row[i])
            return true;
    }
    s->st = check_answer(s);
    if (!s->st)
        s->st = mgi_eval_found(s->x, b->asks->pred, s->row);
    if (!s->st)
        s->st = mgi_eval_step(s->x);
    return s->st == MANGLE_OK;
}

bool mangle_query_goes_on(struct mangle_query *query, int64_t *left_ns)
{
    struct sending *s = (struct sending *)query; /* its first member */
    const struct mangle_limits *limits = &s->x->limits;
    if (!s->st)
        s->st = mgi_eval_check(s->x);
    *left_ns = INT64_MAX;
    if (limits->timeout_ns) {
        *left_ns = limits->timeout_ns - (limits->clock(limits->clock_context) - s->x->started_ns);
        *left_ns = *left_ns > 0 ? *left_ns : 1;
    }
    return s->st == MANGLE_OK;
}

static bool make_room(const struct eval *x, struct sending *s)
{
    const struct batch *b = x->batch;
    size_t count = b->requests.count, words = b->requests.arity;
    s->requests = mgi_calloc(count + 1, sizeof *s->requests);
    s->atoms = mgi_calloc(count * b->asks->pushed_count + 1, sizeof *s->atoms);
    s->args = mgi_calloc(count * words + 1, sizeof *s->args);
    s->row = mgi_calloc(words + 1, sizeof *s->row);
    s->of = mgi_calloc(count + 1, sizeof *s->of);
    return s->requests && s->atoms && s->args && s->row && s->of;
}

static void fill_pushed(const struct eval *x, struct sending *s, uint32_t row,
                        const mangle_value *args, struct mangle_request *request)
{
    const struct asks *asks = x->batch->asks;
    struct mangle_pushed_atom *atoms = s->atoms + (size_t)row * asks->pushed_count;
    for (uint32_t n = 0; n < asks->pushed_count; n++) {
        uint32_t arity = x->program->preds[asks->pushed[n].pred].arity;
        atoms[n] = (struct mangle_pushed_atom){ asks->pushed[n].pred, arity, args,
                                                asks->pushed[n].columns };
        args += arity;
    }
    request->pushed = atoms;
    request->pushed_count = asks->pushed_count;
}

static struct mangle_request make_request(const struct eval *x, struct sending *s, uint32_t row)
{
    const struct batch *b = x->batch;
    const struct pred *pred = &x->program->preds[b->asks->pred];
    const uint32_t *words = mgi_rel_row(&b->requests, row);
    struct mangle_request request = { 0 };
    mangle_value *at = s->args + (size_t)row * b->requests.arity;
    request.inputs = at;
    for (uint32_t i = 0; i < pred->arity; i++)
        if (pred->input[i])
            at[request.input_count++] = words[i];
    at += request.input_count;
    request.filters = at;
    for (uint32_t i = 0; i < pred->arity; i++)
        if (!pred->input[i])
            at[request.filter_count++] = words[i];
    at += request.filter_count;
    if (b->asks->pushed_count) {
        memcpy(at, words + pred->arity, b->asks->pushed_words * sizeof *at);
        fill_pushed(x, s, row, at, &request);
    }
    return request;
}

/* Where the requests of an operation are noted. */
static size_t asked_number(const struct eval *x, const struct asks *asks)
{
    const mangle_program *p = x->program;
    return asks->pushed_count ? p->external_count + asks->number
                              : (size_t)(external_of(x, asks->pred) - p->externals);
}

static enum mangle_status call_host(struct eval *x, struct sending *s)
{
    const struct mangle_external *external = external_of(x, x->batch->asks->pred);
    if (s->query.count == 0)
        return MANGLE_OK;
    bool ok = external->query(&s->query);
    s->query.error[sizeof s->query.error - 1] = 0;
    if (!ok && !s->st) /* because nobody waits any more? */
        s->st = mgi_eval_check(x);
    if (s->st || !ok)
        return s->st ? s->st : failed(x, s);
    struct asked *asked = &x->asked[asked_number(x, x->batch->asks)];
    for (size_t i = 0; i < s->query.count; i++)
        if (!note_asked(x, asked, mgi_rel_row(&x->batch->requests, s->of[i])))
            return mgi_eval_nomem(x);
    struct rel *rel = &x->rels[x->batch->asks->pred];
    for (uint32_t i = 0; i < rel->index_count; i++) /* a scan may look for the answers at once */
        if (!mgi_rel_sync(rel, i))
            return mgi_eval_nomem(x);
    return mgi_eval_check(x);
}

/* The batch is empty afterwards. */
static enum mangle_status send(struct eval *x)
{
    struct batch *b = x->batch;
    const struct mangle_external *external = external_of(x, b->asks->pred);
    struct sending s = { .x = x };
    if (b->requests.count == 0)
        return MANGLE_OK;
    bool ready = mgi_promise_init(&s.promise, x->program, x->values, b->asks->pred);
    enum mangle_status st = make_room(x, &s) && ready ? MANGLE_OK : mgi_eval_nomem(x);
    s.query.context = external->context;
    s.query.host = x->host;
    s.query.values = x->values;
    s.query.requests = s.requests;
    for (uint32_t row = 0; !st && row < b->requests.count; row++) {
        struct mangle_request request = make_request(x, &s, row);
        if (external->should_query &&
            !external->should_query(external->context, x->values, &request))
            continue;
        s.of[s.query.count] = row;
        s.requests[s.query.count++] = request;
    }
    if (!st)
        st = call_host(x, &s);
    mgi_promise_fini(&s.promise);
    mgi_free(s.requests);
    mgi_free(s.atoms);
    mgi_free(s.args);
    mgi_free(s.row);
    mgi_free(s.of);
    mgi_rel_reset(&b->requests);
    return st;
}

/* ---- the operation ----------------------------------------------------------------------------
 */

static void load_request(struct eval *x, const struct asks *asks)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < x->program->preds[asks->pred].arity; i++)
        x->words[at++] = asks->args[i] == NO_REG ? MANGLE_NONE : x->regs[asks->args[i]];
    for (uint32_t n = 0; n < asks->pushed_count; n++) {
        const struct pushed *pushed = &asks->pushed[n];
        for (uint32_t i = 0; i < x->program->preds[pushed->pred].arity; i++)
            x->words[at++] = pushed->args[i] == NO_REG ? MANGLE_NONE : x->regs[pushed->args[i]];
    }
}

/* The request of `op` under the current registers goes to x->words; is it news? */
static bool is_new(struct eval *x, const struct op *op)
{
    const struct asks *asks = op->asks;
    size_t number = (size_t)(external_of(x, asks->pred) - x->program->externals);
    load_request(x, asks);
    for (int again = 0; again < 2; again++, number = asked_number(x, asks)) {
        if (was_asked(&x->asked[number], x->words, x->key) ||
            (x->asked_below && was_asked(&x->asked_below[number], x->words, x->key)))
            return false;
    }
    return true;
}

enum mangle_status mgi_eval_ask(struct eval *x, const struct op *op)
{
    if (!x->asking || !is_new(x, op))
        return MANGLE_OK;
    struct batch *outer = x->batch, own;
    enum mangle_status st = mgi_queue_drain(x); /* they count before what the host answers */
    if (!batch_init(&own, x, op->asks))
        st = mgi_eval_nomem(x);
    x->batch = &own;
    if (!st)
        st = add_request(x, &own);
    if (!st)
        st = send(x);
    x->batch = outer;
    mgi_rel_fini(&own.requests);
    return st;
}

bool mgi_eval_gather(struct eval *x, const struct op *op, enum mangle_status *st)
{
    if (!is_new(x, op))
        return false;
    *st = add_request(x, x->batch);
    if (!*st && x->batch->requests.count >= BATCH_MAX)
        *st = send(x);
    return false;
}

/* Inside a call requests behind another call are not gathered: each would double the work below. */
enum mangle_status mgi_eval_ask_ahead(struct eval *x, const struct code *code)
{
    struct batch *outer = x->batch, own;
    uint32_t outer_at = x->ask_at;
    enum mangle_status st = MANGLE_OK;
    for (uint32_t i = 0; i < code->op_count && !st; i++) {
        if (x->depth && code->ops[i].kind == OP_DEFERRED)
            break;
        if (code->ops[i].kind != OP_ASK)
            continue;
        if (!batch_init(&own, x, code->ops[i].asks))
            st = mgi_eval_nomem(x);
        x->batch = &own;
        x->ask_at = i;
        if (!st)
            st = x->machine->run(x, code);
        if (!st)
            st = send(x);
        mgi_rel_fini(&own.requests);
    }
    x->batch = outer;
    x->ask_at = outer_at;
    return st;
}
