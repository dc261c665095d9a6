/* Which facts a state delta retracts (D-48): same predicate, same number of arguments, `null`
 * leaves a position open at the top level only, and without `t` any annotation will do.
 *
 * A delta may hold thousands of patterns and a client tens of thousands of facts, so nothing is
 * compared pair by pair. Patterns of one predicate that leave the same positions open are a
 * *shape*; all that the closed positions of a shape's patterns say is in one table. A fact is
 * looked up once for each shape of its predicate. */
#include "base/alloc.h"
#include "client/facts_int.h"

#define NO_SHAPE UINT32_MAX

struct shape_of {
    uint32_t next; /* another shape of the predicate, or NO_SHAPE */
    bool with_t;
    uint32_t count;
    bool *open; /* of `count` positions */
};

struct retraction {
    struct strmap first;    /* predicate and number of arguments -> its newest shape */
    struct strmap by_open;  /* the same, with the open positions -> the shape */
    struct strmap patterns; /* shape and what its closed positions say */
    struct shape_of *shapes;
    size_t count, cap;
    struct buf word; /* what is looked up */
};

const char *mgi_retraction_fault(const struct json *pattern)
{
    const struct json *pred = mgi_json_get(pattern, "pred"), *args = mgi_json_get(pattern, "args");
    if (!pred || pred->type != JSON_STRING)
        return "a retraction names a predicate";
    if (!args || args->type != JSON_ARRAY)
        return "a retraction has args, with null where anything will do";
    return NULL;
}

void mgi_retraction_free(struct retraction *r)
{
    if (!r)
        return;
    mgi_strmap_fini(&r->first);
    mgi_strmap_fini(&r->by_open);
    mgi_strmap_fini(&r->patterns);
    for (size_t i = 0; i < r->count; i++)
        mgi_free(r->shapes[i].open);
    mgi_free(r->shapes);
    mgi_buf_fini(&r->word);
    mgi_free(r);
}

static bool has_window(const struct json *pattern)
{
    const struct json *t = mgi_json_get(pattern, "t");
    return t && t->type != JSON_NULL;
}

/* "pred"/count, the beginning of all words of a predicate. */
static void begin_word(struct buf *word, struct str quoted_pred, uint32_t count)
{
    mgi_buf_clear(word);
    mgi_buf_str(word, quoted_pred);
    mgi_buf_printf(word, "/%u", count);
}

static struct shape_of *add_shape(struct retraction *r, const struct json *pattern)
{
    const struct json *args = mgi_json_get(pattern, "args");
    if (!mgi_grow(&r->shapes, &r->cap, r->count + 1, sizeof *r->shapes))
        return NULL;
    struct shape_of *s = &r->shapes[r->count];
    *s = (struct shape_of){ .next = NO_SHAPE, .with_t = has_window(pattern), .count = args->count };
    s->open = mgi_calloc(args->count ? args->count : 1, sizeof *s->open);
    if (!s->open)
        return NULL;
    for (uint32_t i = 0; i < args->count; i++)
        s->open[i] = args->items[i].type == JSON_NULL;
    r->count++;
    return s;
}

/* The shape of `pattern`, made if it is new; NO_SHAPE when memory is short. */
static uint32_t find_shape(struct retraction *r, const struct json *pattern)
{
    const struct json *args = mgi_json_get(pattern, "args");
    struct buf pred = { 0 };
    uint32_t found = NO_SHAPE;
    mgi_fact_spell(&pred, mgi_json_get(pattern, "pred"));
    begin_word(&r->word, mgi_buf_view(&pred), args->count);
    size_t stem = r->word.len;
    mgi_buf_putc(&r->word, has_window(pattern) ? '@' : ':');
    for (uint32_t i = 0; i < args->count; i++)
        mgi_buf_putc(&r->word, args->items[i].type == JSON_NULL ? '_' : '=');
    bool spelt = !pred.oom && !r->word.oom;
    mgi_buf_fini(&pred);
    if (!spelt || mgi_strmap_get(&r->by_open, mgi_buf_view(&r->word), &found))
        return found;
    struct shape_of *s = add_shape(r, pattern);
    struct str of_pred = { r->word.ptr, stem };
    if (!s)
        return NO_SHAPE;
    found = (uint32_t)(s - r->shapes);
    (void)mgi_strmap_get(&r->first, of_pred, &s->next);
    return mgi_strmap_put(&r->first, of_pred, found) &&
                   mgi_strmap_put(&r->by_open, mgi_buf_view(&r->word), found)
               ? found
               : NO_SHAPE;
}

static bool add_pattern(struct retraction *r, const struct json *pattern)
{
    const struct json *args = mgi_json_get(pattern, "args");
    uint32_t shape = find_shape(r, pattern);
    if (shape == NO_SHAPE)
        return false;
    mgi_buf_clear(&r->word);
    mgi_buf_printf(&r->word, "%u", shape);
    for (uint32_t i = 0; i < args->count; i++)
        if (args->items[i].type != JSON_NULL) {
            mgi_buf_putc(&r->word, ',');
            mgi_fact_spell(&r->word, &args->items[i]);
        }
    if (has_window(pattern)) {
        mgi_buf_putc(&r->word, ' ');
        mgi_fact_spell_window(&r->word, mgi_json_get(pattern, "t"));
    }
    return !r->word.oom && mgi_strmap_put(&r->patterns, mgi_buf_view(&r->word), 0);
}

struct retraction *mgi_retraction_new(const struct json *patterns)
{
    struct retraction *r = mgi_calloc(1, sizeof *r);
    if (!r)
        return NULL;
    mgi_strmap_init(&r->first);
    mgi_strmap_init(&r->by_open);
    mgi_strmap_init(&r->patterns);
    for (uint32_t i = 0; i < patterns->count; i++)
        if (!add_pattern(r, &patterns->items[i])) {
            mgi_retraction_free(r);
            return NULL;
        }
    return r;
}

static bool hits_shape(struct retraction *r, uint32_t shape, const struct known_fact *fact)
{
    const struct shape_of *s = &r->shapes[shape];
    uint32_t ignored;
    mgi_buf_clear(&r->word);
    mgi_buf_printf(&r->word, "%u", shape);
    for (uint32_t i = 0; i < s->count; i++)
        if (!s->open[i]) {
            mgi_buf_putc(&r->word, ',');
            mgi_buf_str(&r->word, fact->args[i]);
        }
    if (s->with_t) {
        mgi_buf_putc(&r->word, ' ');
        mgi_buf_str(&r->word, fact->annotation);
    }
    return !r->word.oom && mgi_strmap_get(&r->patterns, mgi_buf_view(&r->word), &ignored);
}

enum hit mgi_retraction_hits(struct retraction *r, const struct known_fact *fact)
{
    uint32_t shape = NO_SHAPE;
    if (fact->named)
        return HIT_NO;
    begin_word(&r->word, fact->pred, fact->arg_count);
    if (!r->word.oom)
        (void)mgi_strmap_get(&r->first, mgi_buf_view(&r->word), &shape);
    for (; !r->word.oom && shape != NO_SHAPE; shape = r->shapes[shape].next)
        if (hits_shape(r, shape, fact))
            return HIT_YES;
    return r->word.oom ? HIT_NOMEM : HIT_NO;
}
