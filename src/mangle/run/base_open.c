/* A saved base read back. See base_saved.h for the form. What is read is believed as little as a
 * text: each value is made anew and has to come out under its word, each row has to be of values
 * and new. */
#include <stdio.h>

#include "base/alloc.h"
#include "mangle/run/base_saved.h"

struct opening {
    mangle_base *base;
    const char *at;
    size_t left;
    bool damaged, oom;
    mangle_value *words; /* of a map; heap */
    size_t words_cap;
};

static enum mangle_status refuse_saved(struct mangle_error *err, const char *why)
{
    if (err)
        snprintf(err->message, sizeof err->message, "%s", why);
    return MANGLE_ERR_INPUT;
}

/* ---- bytes ------------------------------------------------------------------------------- */

/* NULL: there are not so many. */
static const char *take(struct opening *o, uint64_t count, size_t size)
{
    if (o->damaged || count > o->left / size) {
        o->damaged = true;
        return NULL;
    }
    const char *at = o->at;
    o->at += count * size;
    o->left -= count * size;
    return at;
}

static uint32_t take_word(struct opening *o)
{
    uint32_t word = 0;
    const char *at = take(o, 1, sizeof word);
    if (at)
        memcpy(&word, at, sizeof word);
    return word;
}

static int64_t take_number(struct opening *o)
{
    int64_t n = 0;
    const char *at = take(o, 1, sizeof n);
    if (at)
        memcpy(&n, at, sizeof n);
    return n;
}

/* The file is aligned, and all before is words. */
static const uint32_t *take_words(struct opening *o, uint64_t count)
{
    return (const uint32_t *)(const void *)take(o, count, sizeof(uint32_t));
}

/* ---- values ------------------------------------------------------------------------------ */

static mangle_value open_cell(struct opening *o, mangle_values *t, enum mangle_kind kind)
{
    mangle_value first = take_word(o), second = take_word(o);
    if (o->damaged || !mgi_value_is_there(t, first) || !mgi_value_is_there(t, second))
        return MANGLE_NONE;
    if (kind == MANGLE_PAIR)
        return mangle_pair(t, first, second);
    return mangle_kind_of(t, second) == MANGLE_LIST ? mgi_value_cons(t, first, second)
                                                    : MANGLE_NONE;
}

static mangle_value open_map(struct opening *o, mangle_values *t, enum mangle_kind kind,
                             uint32_t count)
{
    const uint32_t *words = take_words(o, (uint64_t)count * 2);
    if (!words)
        return MANGLE_NONE;
    if (!mgi_grow(&o->words, &o->words_cap, (size_t)count * 2 + 1, sizeof *o->words)) {
        o->oom = true;
        return MANGLE_NONE;
    }
    for (size_t i = 0; i < (size_t)count * 2; i++) {
        if (!mgi_value_is_there(t, words[i]))
            return MANGLE_NONE;
        o->words[i % 2 * count + i / 2] = words[i];
    }
    return (kind == MANGLE_MAP ? mangle_map : mangle_struct)(t, o->words, o->words + count, count);
}

static mangle_value open_text(struct opening *o, mangle_values *t, enum mangle_kind kind,
                              uint32_t len)
{
    const char *text = take(o, ((uint64_t)len + 3) / 4, sizeof(uint32_t));
    if (!text)
        return MANGLE_NONE;
    return kind == MANGLE_NAME     ? mangle_name(t, text, len)
           : kind == MANGLE_STRING ? mangle_string(t, text, len)
                                   : mangle_bytes(t, text, len);
}

static mangle_value open_scalar(struct opening *o, mangle_values *t, uint32_t kind)
{
    int64_t n = take_number(o);
    double d;
    memcpy(&d, &n, sizeof d);
    switch (kind) {
    case MANGLE_NUMBER:
        return mangle_number(t, n);
    case MANGLE_FLOAT:
        return mangle_float(t, d);
    case MANGLE_TIME:
        return mangle_time(t, n);
    case MANGLE_DURATION:
        return mangle_duration(t, n);
    default:
        return MANGLE_NONE;
    }
}

static mangle_value open_value(struct opening *o, mangle_values *t)
{
    uint32_t kind = take_word(o), count = take_word(o);
    switch (kind) {
    case MANGLE_NAME:
    case MANGLE_STRING:
    case MANGLE_BYTES:
        return open_text(o, t, (enum mangle_kind)kind, count);
    case MANGLE_PAIR:
    case MANGLE_LIST:
        return open_cell(o, t, (enum mangle_kind)kind);
    case MANGLE_MAP:
    case MANGLE_STRUCT:
        return open_map(o, t, (enum mangle_kind)kind, count);
    default:
        return open_scalar(o, t, kind);
    }
}

#define PER_CHECK                                                                                  \
    1024 /* values, or rows with intervals, from one look at the limits to the next                \
          */
#define ROWS_PER_CHECK 16384

/* A value that is there already, or is none, comes out under another word than the next. */
static enum mangle_status open_values(struct opening *o)
{
    struct eval *x = &o->base->eval;
    mangle_values *t = o->base->values;
    uint32_t first = take_word(o), end = take_word(o);
    enum mangle_status st = MANGLE_OK;
    o->damaged |= first != mgi_values_count(t) || end < first;
    for (uint32_t n = 0; !st && !o->damaged && mgi_values_count(t) < end; n++) {
        mangle_value next = (mangle_value)mgi_values_count(t);
        o->damaged |= open_value(o, t) != next;
        if (n % PER_CHECK == 0)
            st = mgi_eval_check(x);
    }
    if (o->oom || mgi_values_fault(t) == VALUES_NOMEM)
        return mgi_eval_nomem(x);
    o->damaged |= mgi_values_count(t) != end;
    return st;
}

/* ---- relations --------------------------------------------------------------------------- */

static bool open_marks(struct opening *o, struct rel *rel, uint32_t count, uint32_t rows)
{
    const uint32_t *words = take_words(o, (uint64_t)count * 2);
    if (!words)
        return true;
    if (!mgi_grow(&rel->marks, &rel->mark_cap, count, sizeof *rel->marks))
        return false;
    uint32_t before = 0;
    for (uint32_t i = 0; i < count; i++) {
        rel->marks[i] = (struct round_mark){ words[2 * i], words[2 * i + 1] };
        o->damaged |= rel->marks[i].end <= before || rel->marks[i].end > rows;
        before = rel->marks[i].end;
    }
    rel->mark_count = count;
    return true;
}

static enum mangle_status open_rows(struct opening *o, mangle_pred pred, uint32_t count)
{
    struct eval *x = &o->base->eval;
    uint32_t arity = x->rels[pred].arity;
    const uint32_t *words = take_words(o, (uint64_t)count * arity);
    enum mangle_status st = MANGLE_OK;
    if (!words || (arity == 0 && count > 1)) {
        o->damaged = true;
        return MANGLE_OK;
    }
    for (size_t i = 0; i < (size_t)count * arity; i++)
        o->damaged |= !mgi_value_is_there(x->values, words[i]);
    if (!o->damaged && arity && count && !mgi_rel_expect(&x->rels[pred], count))
        return mgi_eval_nomem(x);
    for (uint32_t row = 0; row < count && !st && !o->damaged; row += ROWS_PER_CHECK) {
        uint32_t some = count - row < ROWS_PER_CHECK ? count - row : ROWS_PER_CHECK;
        st = mgi_eval_give_rows(x, pred, words + (size_t)row * arity, some);
        if (!st)
            st = mgi_eval_check(x);
    }
    o->damaged |= !st && x->rels[pred].count != count;
    return st;
}

/* Sorted and apart, as a relation keeps them. */
static enum mangle_status open_times(struct opening *o, mangle_pred pred, uint32_t row,
                                     const uint32_t *words)
{
    struct eval *x = &o->base->eval;
    uint32_t count = take_word(o);
    const char *at = take(o, count, sizeof(struct mangle_interval));
    struct mangle_interval before = { 0 };
    enum mangle_status st = MANGLE_OK;
    o->damaged |= count == 0;
    for (uint32_t i = 0; i < count && !st && !o->damaged; i++) {
        struct mangle_interval t;
        memcpy(&t.start_ns, at + (size_t)i * 16, sizeof t.start_ns);
        memcpy(&t.end_ns, at + (size_t)i * 16 + 8, sizeof t.end_ns);
        o->damaged |= t.start_ns > t.end_ns ||
                      (i > 0 && (before.end_ns == INT64_MAX || t.start_ns <= before.end_ns + 1));
        before = t;
        if (!o->damaged)
            st = mgi_eval_give(x, pred, words, t);
    }
    o->damaged |= !st && x->rels[pred].count != row + 1;
    return st;
}

static enum mangle_status open_temporal(struct opening *o, mangle_pred pred, uint32_t count)
{
    struct eval *x = &o->base->eval;
    struct rel *rel = &x->rels[pred];
    const uint32_t *words = take_words(o, (uint64_t)count * rel->arity);
    enum mangle_status st = MANGLE_OK;
    for (size_t i = 0; words && i < (size_t)count * rel->arity; i++)
        o->damaged |= !mgi_value_is_there(x->values, words[i]);
    for (uint32_t row = 0; row < count && !st && !o->damaged; row++) {
        st = open_times(o, pred, row, words + (size_t)row * rel->arity);
        if (!st && row % PER_CHECK == 0)
            st = mgi_eval_check(x);
    }
    return st;
}

static enum mangle_status open_rel(struct opening *o, mangle_pred pred)
{
    struct eval *x = &o->base->eval;
    struct rel *rel = &x->rels[pred];
    uint32_t rows = take_word(o), given = take_word(o), marks = take_word(o);
    o->damaged |= given > rows;
    struct rel kept = { 0 };
    if (!open_marks(o, &kept, marks, rows)) {
        mgi_free(kept.marks);
        return mgi_eval_nomem(x);
    }
    enum mangle_status st = o->damaged      ? MANGLE_OK
                            : rel->temporal ? open_temporal(o, pred, rows)
                                            : open_rows(o, pred, rows);
    if (!st && !o->damaged)
        st = mgi_eval_settle_given(x, pred);
    mgi_free(rel->marks);
    rel->marks = kept.marks;
    rel->mark_cap = kept.mark_cap;
    rel->mark_count = kept.mark_count;
    rel->given = given;
    return st;
}

/* ---- the whole --------------------------------------------------------------------------- */

static void open_rules(struct opening *o)
{
    uint32_t count = take_word(o);
    o->damaged |= count != mgi_saved_rules(o->base->program);
    const char *fired = take(o, count, sizeof(int64_t));
    if (fired)
        memcpy(o->base->eval.fired, fired, count * sizeof(int64_t));
}

static enum mangle_status open_base(struct opening *o)
{
    mangle_base *base = o->base;
    struct mangle_stats *s = &base->stats;
    s->facts_given = base->facts_given = take_number(o);
    s->facts_derived = take_number(o);
    s->rule_firings = take_number(o);
    s->rounds = take_number(o);
    base->eval.birth = take_word(o);
    enum mangle_status st = open_values(o);
    if (!st)
        open_rules(o);
    uint32_t preds = take_word(o);
    o->damaged |= preds != base->program->pred_count;
    for (uint32_t i = 0; i < preds && !st && !o->damaged; i++)
        st = open_rel(o, i);
    o->damaged |= o->left != 0;
    return st;
}

/* `err` has said why where it is not MANGLE_OK. */
static enum mangle_status find_entry(const void *bytes, size_t len, const uint8_t *key,
                                     struct str *out, struct mangle_error *err)
{
    struct sealed sealed;
    if ((uintptr_t)bytes % 8)
        return refuse_saved(err, "the bytes are not aligned for 8");
    const char *why = mgi_sealed_open((struct str){ bytes, len }, SAVED_KIND, SAVED_MAKER, &sealed);
    if (why)
        return refuse_saved(err, why);
    if (!mgi_sealed_find(&sealed, key, out))
        return refuse_saved(err, "it is damaged");
    return MANGLE_OK;
}

enum mangle_status mangle_saved_note(const void *bytes, size_t len, const char **note,
                                     size_t *note_len, struct mangle_error *err)
{
    struct str found = { 0 };
    enum mangle_status st = find_entry(bytes, len, SAVED_NOTE, &found, err);
    *note = st ? NULL : found.ptr;
    *note_len = found.len;
    return st;
}

static enum mangle_status same_program(struct opening *o, struct mangle_error *err)
{
    uint8_t print[CONTENT_HASH_BYTES];
    const char *said = take(o, 1, sizeof print);
    if (!mgi_saved_fingerprint(o->base->program, print))
        return mgi_eval_nomem(&o->base->eval);
    if (!said)
        return refuse_saved(err, "it is damaged");
    return memcmp(said, print, sizeof print) == 0 ? MANGLE_OK
                                                  : refuse_saved(err, "it is of another program");
}

enum mangle_status mangle_base_open(mangle_program *program, const void *bytes, size_t len,
                                    const struct mangle_limits *limits, mangle_base **out,
                                    struct mangle_stats *stats, struct mangle_error *err)
{
    struct str body;
    struct opening o = { 0 };
    *out = NULL;
    enum mangle_status st = find_entry(bytes, len, SAVED_BASE, &body, err);
    if (!st)
        st = mangle_base_new(program, &o.base);
    if (st)
        return st;
    mgi_eval_begin(&o.base->eval, 0, limits, err);
    o.at = body.ptr;
    o.left = body.len;
    st = same_program(&o, err);
    if (!st)
        st = open_base(&o);
    if (!st && o.damaged)
        st = refuse_saved(err, "it is damaged");
    mgi_free(o.words);
    if (!st)
        st = mgi_base_finish(o.base);
    if (st) {
        mangle_base_unref(o.base);
        return st;
    }
    if (stats)
        *stats = o.base->stats;
    *out = o.base;
    return MANGLE_OK;
}
