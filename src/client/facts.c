/* The client's working state: a list of facts without duplicates, and state deltas applied to it.
 *
 * Identity is predicate, arguments and annotation; values compare as on the wire, so 1 is not 1.0
 * (D-48). A fact keeps its `source`; its `category` is dropped, because whoever re-sends a fact
 * sends it as a session fact (P-PROV-10). Linear in the number of facts: a client holds hundreds.
 */
#include "base/alloc.h"
#include "base/arena.h"
#include "base/json.h"
#include "manglecp.h"

struct known_fact {
    struct arena arena; /* of text and value */
    struct str text;
    struct json value;
};

struct manglecp_facts {
    struct known_fact **items;
    size_t count, cap;
};

manglecp_facts *manglecp_facts_new(void)
{
    return mgi_calloc(1, sizeof(manglecp_facts));
}

static void fact_free(struct known_fact *f)
{
    mgi_arena_fini(&f->arena);
    mgi_free(f);
}

void manglecp_facts_free(manglecp_facts *facts)
{
    if (!facts)
        return;
    for (size_t i = 0; i < facts->count; i++)
        fact_free(facts->items[i]);
    mgi_free(facts->items);
    mgi_free(facts);
}

size_t manglecp_facts_count(const manglecp_facts *facts)
{
    return facts->count;
}

static bool is_fact(const struct json *v)
{
    const struct json *pred = mgi_json_get(v, "pred");
    const struct json *args = mgi_json_get(v, "args");
    const struct json *named = mgi_json_get(v, "named_args");
    return pred && pred->type == JSON_STRING &&
           ((args && args->type == JSON_ARRAY) || (named && named->type == JSON_OBJECT));
}

static bool same_member(const struct json *a, const struct json *b, const char *name)
{
    const struct json *x = mgi_json_get(a, name), *y = mgi_json_get(b, name);
    bool no_x = !x || x->type == JSON_NULL, no_y = !y || y->type == JSON_NULL;
    if (no_x || no_y)
        return no_x && no_y;
    return mgi_json_equal(x, y, true);
}

static bool same_fact(const struct json *a, const struct json *b)
{
    return same_member(a, b, "pred") && same_member(a, b, "args") &&
           same_member(a, b, "named_args") && same_member(a, b, "t");
}

static struct known_fact *fact_copy(const struct json *v)
{
    struct known_fact *f = mgi_calloc(1, sizeof *f);
    struct buf text = { 0 };
    struct json_writer w;
    if (!f)
        return NULL;
    mgi_arena_init(&f->arena, 0);
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    for (uint32_t i = 0; i < v->count; i++) {
        if (str_is(v->members[i].name, "category"))
            continue;
        mgi_jw_key_str(&w, v->members[i].name);
        mgi_jw_value(&w, &v->members[i].value);
    }
    mgi_jw_end_object(&w);
    bool ok = !text.oom && (f->text = mgi_arena_str(&f->arena, mgi_buf_view(&text))).ptr &&
              mgi_json_parse(&f->arena, f->text, NULL, &f->value, NULL) == JSON_OK;
    mgi_buf_fini(&text);
    if (!ok) {
        fact_free(f);
        return NULL;
    }
    return f;
}

static bool add_one(manglecp_facts *facts, const struct json *v, size_t *added)
{
    for (size_t i = 0; i < facts->count; i++)
        if (same_fact(&facts->items[i]->value, v))
            return true;
    if (!mgi_grow(&facts->items, &facts->cap, facts->count + 1, sizeof *facts->items))
        return false;
    struct known_fact *f = fact_copy(v);
    if (!f)
        return false;
    facts->items[facts->count++] = f;
    ++*added;
    return true;
}

/* All or nothing as far as shape goes: a bad entry adds none. */
static bool add_all(manglecp_facts *facts, const struct json *v, size_t *added)
{
    uint32_t count = v->type == JSON_ARRAY ? v->count : 1;
    const struct json *items = v->type == JSON_ARRAY ? v->items : v;
    for (uint32_t i = 0; i < count; i++)
        if (!is_fact(&items[i]))
            return false;
    for (uint32_t i = 0; i < count; i++)
        if (!add_one(facts, &items[i], added))
            return false;
    return true;
}

bool manglecp_facts_add(manglecp_facts *facts, const char *json)
{
    struct arena arena;
    struct json v;
    size_t added = 0;
    mgi_arena_init(&arena, 0);
    bool ok = mgi_json_parse(&arena, str_of(json), NULL, &v, NULL) == JSON_OK &&
              add_all(facts, &v, &added);
    mgi_arena_fini(&arena);
    return ok;
}

/* Does the pattern match? `null` is a wildcard at the top level of args only (D-48). */
static bool pattern_matches(const struct json *pattern, const struct json *fact)
{
    const struct json *want = mgi_json_get(pattern, "args"), *have = mgi_json_get(fact, "args");
    const struct json *t = mgi_json_get(pattern, "t");
    if (!same_member(pattern, fact, "pred") || !want || !have || want->type != JSON_ARRAY ||
        have->type != JSON_ARRAY || want->count != have->count)
        return false;
    if (t && t->type != JSON_NULL && !same_member(pattern, fact, "t"))
        return false;
    for (uint32_t i = 0; i < want->count; i++)
        if (want->items[i].type != JSON_NULL &&
            !mgi_json_equal(&want->items[i], &have->items[i], true))
            return false;
    return true;
}

static size_t retract(manglecp_facts *facts, const struct json *pattern)
{
    size_t kept = 0, before = facts->count;
    for (size_t i = 0; i < before; i++) {
        if (pattern_matches(pattern, &facts->items[i]->value))
            fact_free(facts->items[i]);
        else
            facts->items[kept++] = facts->items[i];
    }
    facts->count = kept;
    return before - kept;
}

bool manglecp_facts_apply(manglecp_facts *facts, const char *delta, size_t *retracted,
                          size_t *asserted)
{
    struct arena arena;
    struct json v;
    size_t out = 0, in = 0;
    mgi_arena_init(&arena, 0);
    bool ok =
        mgi_json_parse(&arena, str_of(delta), NULL, &v, NULL) == JSON_OK && v.type == JSON_OBJECT;
    const struct json *patterns = ok ? mgi_json_get(&v, "retract") : NULL;
    const struct json *facts_in = ok ? mgi_json_get(&v, "assert") : NULL;
    if (patterns && patterns->type == JSON_ARRAY)
        for (uint32_t i = 0; i < patterns->count; i++)
            out += retract(facts, &patterns->items[i]);
    if (facts_in && facts_in->type == JSON_ARRAY)
        ok = add_all(facts, facts_in, &in);
    mgi_arena_fini(&arena);
    if (retracted)
        *retracted = out;
    if (asserted)
        *asserted = in;
    return ok;
}

static bool wanted(const struct json *fact, const char *const *predicates)
{
    if (!predicates)
        return true;
    struct str pred = mgi_json_get(fact, "pred")->string;
    for (; *predicates; predicates++)
        if (str_is(pred, *predicates))
            return true;
    return false;
}

char *manglecp_facts_json(const manglecp_facts *facts, const char *const *predicates)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < facts->count; i++)
        if (wanted(&facts->items[i]->value, predicates))
            mgi_jw_raw(&w, facts->items[i]->text);
    mgi_jw_end_array(&w);
    return mgi_buf_take(&text, NULL);
}
