/* The working facts of a client: a set in order of arrival, and state deltas applied to it.
 *
 * Identity is looked up, never searched for (facts_int.h says what it is), so all operations take
 * time in proportion to what they are given and what they give back. Whatever changes the set is
 * done whole or not at all: on failure new facts are taken out again, those whose place they took
 * come back, and a delta is applied to a second list beside the first, which takes its place at the
 * end. */
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/time.h"
#include "client/client_int.h"
#include "client/facts_int.h"

manglecp_facts *manglecp_facts_new(void)
{
    manglecp_facts *facts = mgi_calloc(1, sizeof *facts);
    if (facts)
        mgi_strmap_init(&facts->index);
    return facts;
}

void manglecp_facts_free(manglecp_facts *facts)
{
    if (!facts)
        return;
    for (size_t i = 0; i < facts->count; i++)
        mgi_free(facts->items[i]);
    mgi_free(facts->items);
    mgi_strmap_fini(&facts->index);
    mgi_free(facts);
}

size_t manglecp_facts_count(const manglecp_facts *facts)
{
    return facts->count;
}

void manglecp_free(void *p)
{
    mgi_free(p);
}

/* ---- adding ------------------------------------------------------------------------------ */

size_t mgi_facts_find(const struct manglecp_facts *facts, struct str key)
{
    uint32_t at;
    return mgi_strmap_get(&facts->index, key, &at) && at < facts->count &&
                   str_eq(facts->items[at]->key, key)
               ? at
               : SIZE_MAX;
}

/* Takes over `f`, also when it fails. */
static bool append(struct manglecp_facts *facts, struct known_fact *f)
{
    if (!f)
        return false;
    if (facts->count == UINT32_MAX ||
        !mgi_grow(&facts->items, &facts->cap, facts->count + 1, sizeof *facts->items) ||
        !mgi_strmap_put(&facts->index, f->key, (uint32_t)facts->count)) {
        mgi_free(f);
        return false;
    }
    facts->items[facts->count++] = f;
    return true;
}

/* What stands behind `count` goes; what `index` says of it is stale from then on. */
static void cut_back(struct manglecp_facts *facts, size_t count)
{
    while (facts->count > count)
        mgi_free(facts->items[--facts->count]);
}

/* Facts whose place a signed one took, in the order in which that happened. */
struct replaced {
    struct {
        size_t at;
        struct known_fact *was;
    } * items;
    size_t count, cap;
};

static bool is_of(const struct manglecp_facts *facts, const struct known_fact *f)
{
    size_t at = facts ? mgi_facts_find(facts, f->key) : SIZE_MAX;
    return at != SIZE_MAX && facts->items[at] == f;
}

/* Takes over `f`, also when it fails. */
static bool replace(struct manglecp_facts *facts, size_t at, struct known_fact *f,
                    struct replaced *replaced)
{
    if (!mgi_grow(&replaced->items, &replaced->cap, replaced->count + 1, sizeof *replaced->items)) {
        mgi_free(f);
        return false;
    }
    replaced->items[replaced->count].at = at;
    replaced->items[replaced->count++].was = facts->items[at];
    facts->items[at] = f;
    return true;
}

static void bring_back(struct manglecp_facts *facts, struct replaced *replaced)
{
    while (replaced->count > 0) {
        size_t i = --replaced->count, at = replaced->items[i].at;
        mgi_free(facts->items[at]);
        facts->items[at] = replaced->items[i].was;
    }
}

static bool take_one(struct manglecp_facts *facts, const struct json *v, struct replaced *replaced)
{
    struct known_fact *f = mgi_fact_keep(v, NULL, 0);
    size_t at = f ? mgi_facts_find(facts, f->key) : SIZE_MAX;
    if (at == SIZE_MAX)
        return append(facts, f);
    if (f->is_signed)
        return replace(facts, at, f, replaced);
    mgi_free(f);
    return true;
}

enum manglecp_status mgi_facts_take(struct manglecp_facts *facts,
                                    const struct manglecp_facts *shared, const struct json *v,
                                    size_t *added)
{
    uint32_t count = v->type == JSON_ARRAY ? v->count : 1;
    const struct json *items = v->type == JSON_ARRAY ? v->items : v;
    size_t before = facts->count;
    struct replaced replaced = { 0 };
    bool ok = true;
    for (uint32_t i = 0; i < count; i++)
        if (mgi_fact_fault(&items[i]))
            return MANGLECP_ERR_INVALID;
    for (uint32_t i = 0; i < count && ok; i++)
        ok = take_one(facts, &items[i], &replaced);
    if (!ok) {
        bring_back(facts, &replaced);
        cut_back(facts, before);
    }
    for (size_t i = 0; i < replaced.count; i++)
        if (!is_of(shared, replaced.items[i].was))
            mgi_free(replaced.items[i].was);
    mgi_free(replaced.items);
    *added = facts->count - before;
    return ok ? MANGLECP_OK : MANGLECP_ERR_NOMEM;
}

static void write_end(struct json_writer *w, const char *name, int64_t ns)
{
    struct buf text = { 0 };
    if (ns == MANGLECP_OPEN)
        mgi_buf_putc(&text, '_');
    else
        mgi_time_print(&text, ns);
    mgi_jw_member_str(w, name, mgi_buf_view(&text));
    if (text.oom)
        w->out->oom = true;
    mgi_buf_fini(&text);
}

enum manglecp_status manglecp_facts_put(manglecp_facts *facts, const char *pred,
                                        const struct manglecp_value *args, size_t count,
                                        const struct manglecp_window *window)
{
    struct arena arena;
    struct buf text = { 0 };
    struct json_writer w;
    struct json v;
    size_t added;
    enum manglecp_status status = MANGLECP_OK;
    if (!mgi_pred_name_ok(str_of(pred)) ||
        (window && window->start_ns != MANGLECP_OPEN && window->end_ns != MANGLECP_OPEN &&
         window->start_ns > window->end_ns))
        return MANGLECP_ERR_INVALID;
    mgi_arena_init(&arena, 0);
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "pred", pred);
    mgi_jw_key(&w, "args");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < count && !status; i++)
        if (!mgi_value_write(&w, &arena, &args[i]))
            status = arena.oom ? MANGLECP_ERR_NOMEM : MANGLECP_ERR_INVALID;
    if (!status) {
        mgi_jw_end_array(&w);
        if (window && (window->start_ns != MANGLECP_OPEN || window->end_ns != MANGLECP_OPEN)) {
            mgi_jw_key(&w, "t");
            mgi_jw_begin_object(&w);
            write_end(&w, "start", window->start_ns);
            write_end(&w, "end", window->end_ns);
            mgi_jw_end_object(&w);
        }
        mgi_jw_end_object(&w);
        if (text.oom || mgi_json_parse(&arena, mgi_buf_view(&text), NULL, &v, NULL) != JSON_OK)
            status = MANGLECP_ERR_NOMEM;
        else
            status = mgi_facts_take(facts, NULL, &v, &added);
    }
    mgi_buf_fini(&text);
    mgi_arena_fini(&arena);
    return status;
}

/* ---- changing ---------------------------------------------------------------------------- */

/* `next` stands on the facts of `facts` that it kept; those that it dropped, or made, are told
 * apart by where they can be found. */
static void settle(struct manglecp_facts *facts, struct manglecp_facts *next)
{
    for (size_t i = 0; i < facts->count; i++)
        if (!is_of(next, facts->items[i]))
            mgi_free(facts->items[i]);
    mgi_free(facts->items);
    mgi_strmap_fini(&facts->index);
    *facts = *next;
}

/* Give up `next`: what `facts` does not have was made for it. */
static void discard(const struct manglecp_facts *facts, struct manglecp_facts *next)
{
    for (size_t i = 0; i < next->count; i++)
        if (!is_of(facts, next->items[i]))
            mgi_free(next->items[i]);
    mgi_free(next->items);
    mgi_strmap_fini(&next->index);
}

static bool share(struct manglecp_facts *next, struct known_fact *f)
{
    if (!mgi_grow(&next->items, &next->cap, next->count + 1, sizeof *next->items) ||
        !mgi_strmap_put(&next->index, f->key, (uint32_t)next->count))
        return false;
    next->items[next->count++] = f;
    return true;
}

/* A list of the facts that no pattern hits; the facts themselves are shared. */
static enum manglecp_status keep_others(const struct manglecp_facts *facts, struct retraction *r,
                                        struct manglecp_facts *next)
{
    for (size_t i = 0; i < facts->count; i++) {
        enum hit hit = mgi_retraction_hits(r, facts->items[i]);
        if (hit == HIT_YES)
            continue;
        if (hit == HIT_NOMEM || !share(next, facts->items[i]))
            return MANGLECP_ERR_NOMEM;
    }
    return MANGLECP_OK;
}

static enum manglecp_status change(struct manglecp_facts *facts, const struct json *patterns,
                                   const struct json *asserted, size_t *out, size_t *in)
{
    struct manglecp_facts next = { 0 };
    struct retraction *r = mgi_retraction_new(patterns);
    if (!r)
        return MANGLECP_ERR_NOMEM;
    mgi_strmap_init(&next.index);
    enum manglecp_status status = keep_others(facts, r, &next);
    mgi_retraction_free(r);
    *out = facts->count - next.count;
    if (!status && asserted)
        status = mgi_facts_take(&next, facts, asserted, in);
    if (status)
        discard(facts, &next);
    else
        settle(facts, &next);
    return status;
}

static bool all_patterns(const struct json *patterns)
{
    for (uint32_t i = 0; i < patterns->count; i++)
        if (mgi_retraction_fault(&patterns->items[i]))
            return false;
    return true;
}

/* A bare array is read as assertions (D-47). */
static enum manglecp_status apply(struct manglecp_facts *facts, const struct json *delta,
                                  size_t *out, size_t *in)
{
    const struct json *patterns = mgi_json_get(delta, "retract");
    const struct json *asserted = delta->type == JSON_ARRAY ? delta : mgi_json_get(delta, "assert");
    if (patterns && patterns->type == JSON_NULL)
        patterns = NULL;
    if (asserted && asserted->type == JSON_NULL)
        asserted = NULL;
    if ((delta->type != JSON_OBJECT && delta->type != JSON_ARRAY) ||
        (patterns && (patterns->type != JSON_ARRAY || !all_patterns(patterns))) ||
        (asserted && asserted->type != JSON_ARRAY))
        return MANGLECP_ERR_INVALID;
    if (patterns && patterns->count > 0)
        return change(facts, patterns, asserted, out, in);
    return asserted ? mgi_facts_take(facts, NULL, asserted, in) : MANGLECP_OK;
}

enum manglecp_status manglecp_facts_apply(manglecp_facts *facts, const char *delta,
                                          size_t *retracted, size_t *asserted)
{
    struct arena arena;
    struct json v;
    size_t out = 0, in = 0;
    mgi_arena_init(&arena, 0);
    enum json_fault fault = mgi_json_parse(&arena, str_of(delta), NULL, &v, NULL);
    enum manglecp_status status = fault == JSON_NOMEM ? MANGLECP_ERR_NOMEM
                                  : fault             ? MANGLECP_ERR_INVALID
                                                      : apply(facts, &v, &out, &in);
    mgi_arena_fini(&arena);
    if (retracted)
        *retracted = status ? 0 : out;
    if (asserted)
        *asserted = status ? 0 : in;
    return status;
}

/* ---- arguments by name ------------------------------------------------------------------- */

/* The fact again, with its arguments in order; itself where that cannot be done. NULL: memory. */
static struct known_fact *placed(struct known_fact *f, const struct fact_profile *profile,
                                 struct arena *arena)
{
    struct json v;
    mgi_arena_reset(arena);
    if (mgi_json_parse(arena, f->text, NULL, &v, NULL) != JSON_OK)
        return NULL;
    const struct pred_schema *schema = mgi_profile_find(profile, mgi_json_get(&v, "pred")->string);
    if (!schema || !schema->arg_names)
        return f;
    struct known_fact *out = mgi_fact_keep(&v, schema->arg_names, schema->arity);
    if (out && out->named) {
        mgi_free(out);
        return f;
    }
    return out;
}

enum manglecp_status mgi_facts_place(struct manglecp_facts *facts,
                                     const struct fact_profile *profile)
{
    struct arena arena;
    struct manglecp_facts next = { 0 };
    bool ok = true, any = false;
    for (size_t i = 0; i < facts->count && !any; i++)
        any = facts->items[i]->named;
    if (!any)
        return MANGLECP_OK;
    mgi_arena_init(&arena, 0);
    mgi_strmap_init(&next.index);
    for (size_t i = 0; i < facts->count && ok; i++) {
        struct known_fact *f = facts->items[i];
        struct known_fact *other = f->named ? placed(f, profile, &arena) : f;
        bool known = other && mgi_facts_find(&next, other->key) != SIZE_MAX;
        ok = other && (known || share(&next, other));
        if ((known || !ok) && other != f)
            mgi_free(other);
    }
    mgi_arena_fini(&arena);
    if (ok)
        settle(facts, &next);
    else
        discard(facts, &next);
    return ok ? MANGLECP_OK : MANGLECP_ERR_NOMEM;
}

/* ---- reading ----------------------------------------------------------------------------- */

static bool wanted(const struct known_fact *f, const struct strmap *preds)
{
    uint32_t ignored;
    return !preds || mgi_strmap_get(preds, f->pred, &ignored);
}

void mgi_facts_write(struct json_writer *w, const struct manglecp_facts *facts,
                     const struct strmap *preds)
{
    for (size_t i = 0; i < facts->count; i++)
        if (wanted(facts->items[i], preds))
            mgi_jw_raw(w, facts->items[i]->text);
}

bool mgi_pred_set_add(struct strmap *preds, struct str name)
{
    struct buf quoted = { 0 };
    struct json v = { .type = JSON_STRING, .string = name };
    mgi_fact_spell(&quoted, &v);
    bool ok = !quoted.oom && mgi_strmap_put(preds, mgi_buf_view(&quoted), 0);
    mgi_buf_fini(&quoted);
    return ok;
}

char *manglecp_facts_json(const manglecp_facts *facts, const char *const *predicates)
{
    struct strmap preds;
    struct buf text = { 0 };
    struct json_writer w;
    bool ok = true;
    mgi_strmap_init(&preds);
    for (const char *const *p = predicates; p && *p && ok; p++)
        ok = mgi_pred_set_add(&preds, str_of(*p));
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_array(&w);
    if (ok)
        mgi_facts_write(&w, facts, predicates ? &preds : NULL);
    mgi_jw_end_array(&w);
    mgi_strmap_fini(&preds);
    if (!ok)
        mgi_buf_fini(&text);
    return ok ? mgi_buf_take(&text, NULL) : NULL;
}

bool mgi_facts_others(const struct manglecp_facts *facts, const struct strmap *preds,
                      struct arena *arena, const char ***names, size_t *count)
{
    struct strmap seen;
    size_t cap = 0;
    bool ok = true;
    *names = NULL;
    *count = 0;
    mgi_strmap_init(&seen);
    for (size_t i = 0; i < facts->count && ok; i++) {
        struct str quoted = facts->items[i]->pred;
        uint32_t ignored;
        if (mgi_strmap_get(preds, quoted, &ignored) || mgi_strmap_get(&seen, quoted, &ignored))
            continue;
        struct str bare = { quoted.ptr + 1, quoted.len - 2 };
        ok = mgi_strmap_put(&seen, quoted, 0) &&
             mgi_arena_grow(arena, names, &cap, *count + 1, sizeof **names) &&
             ((*names)[*count] = mgi_arena_str(arena, bare).ptr) != NULL;
        *count += ok;
    }
    mgi_strmap_fini(&seen);
    return ok;
}
