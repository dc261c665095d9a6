/* What changed: facts to assert and to retract, merged over the steps and the effects rules.
 *
 * Tools speak in step order, then the rules. A later retraction takes back an earlier assertion
 * that it matches, so nothing is asserted that a later step retracted (T-MCP-25). What a client
 * could not send back unchanged is left out (P-DELTA-10), and more than the cap is rolled up
 * (T-MCP-26). Repeated assertions are found by hash; retractions scan, so the whole is capped. */
#include "invoke/invoke_int.h"

#include <stdio.h>

#include "base/time.h"

#define ROLL_UP_PRED "bulk_change"

bool mgi_delta_ready(struct invocation *inv)
{
    if (!inv->overlay && mangle_overlay_new(inv->snapshot->base, &inv->overlay) == MANGLE_OK)
        inv->values = mangle_overlay_values(inv->overlay);
    return inv->overlay != NULL;
}

/* ---- merging ----------------------------------------------------------------------------- */

static bool same_interval(const struct delta_fact *a, const struct delta_fact *b)
{
    return a->has_t == b->has_t &&
           (!a->has_t || (a->t.start_ns == b->t.start_ns && a->t.end_ns == b->t.end_ns));
}

static bool same_args(const struct delta_fact *pattern, const struct delta_fact *fact)
{
    if (!str_eq(pattern->pred, fact->pred) || pattern->count != fact->count)
        return false;
    for (uint32_t i = 0; i < fact->count; i++)
        if (pattern->args[i] != MANGLE_NONE && pattern->args[i] != fact->args[i])
            return false;
    return true;
}

static bool append(struct invocation *inv, struct fact_vec *to, const struct delta_fact *fact)
{
    if (!mgi_arena_grow(inv->arena, &to->items, &to->cap, to->count + 1, sizeof *to->items))
        return false;
    to->items[to->count++] = *fact;
    return true;
}

static uint64_t hash_fact(const struct delta_fact *f)
{
    uint64_t h = mgi_hash_bytes(f->pred.ptr, f->pred.len, f->count);
    h = mgi_hash_bytes(f->args, f->count * sizeof *f->args, h);
    return f->has_t ? mgi_hash_bytes(&f->t, sizeof f->t, h) : h;
}

/* Where `fact` stands in the table, or the free place where it would. */
static uint32_t *place_of(const struct invocation *inv, const struct delta_fact *fact)
{
    size_t i = hash_fact(fact) & (inv->known_cap - 1);
    for (; inv->known[i]; i = (i + 1) & (inv->known_cap - 1)) {
        const struct delta_fact *other = &inv->asserts.items[inv->known[i] - 1];
        if (same_args(other, fact) && same_interval(other, fact))
            break;
    }
    return &inv->known[i];
}

static bool grow_known(struct invocation *inv)
{
    if (inv->known_count * 2 < inv->known_cap)
        return true;
    size_t cap = inv->known_cap ? inv->known_cap * 2 : 64;
    uint32_t *old = inv->known;
    size_t old_cap = inv->known_cap;
    uint32_t *table = mgi_arena_calloc(inv->arena, cap, sizeof *table);
    if (!table)
        return false;
    inv->known = table;
    inv->known_cap = cap;
    for (size_t i = 0; i < old_cap; i++)
        if (old[i])
            *place_of(inv, &inv->asserts.items[old[i] - 1]) = old[i];
    return true;
}

bool mgi_delta_assert(struct invocation *inv, const struct delta_fact *fact)
{
    if (!grow_known(inv))
        return false;
    uint32_t *place = place_of(inv, fact);
    struct delta_fact *known = *place ? &inv->asserts.items[*place - 1] : NULL;
    if (known && !known->dropped) {
        if (str_is(fact->source_type, "server")) { /* what was reported is now stood for */
            known->category = fact->category;
            known->source_type = fact->source_type;
        }
        return true;
    }
    inv->known_count += *place == 0;
    if (!append(inv, &inv->asserts, fact))
        return false;
    *place = (uint32_t)inv->asserts.count; /* after one that was taken back, the new one counts */
    return true;
}

bool mgi_delta_retract(struct invocation *inv, const struct delta_fact *pattern)
{
    for (size_t i = 0; i < inv->asserts.count; i++) {
        struct delta_fact *known = &inv->asserts.items[i];
        if (same_args(pattern, known) && (!pattern->has_t || same_interval(pattern, known)))
            known->dropped = true;
    }
    for (size_t i = 0; i < inv->retracts.count; i++)
        if (same_args(pattern, &inv->retracts.items[i]) &&
            same_args(&inv->retracts.items[i], pattern) &&
            same_interval(pattern, &inv->retracts.items[i]))
            return true;
    return append(inv, &inv->retracts, pattern);
}

/* ---- finishing --------------------------------------------------------------------------- */

/* Does it matter that the server says this? And does it say it of now: what rules find at a time
 * that the caller chose is a what-if, which the server does not stand for. */
static bool is_to_be_signed(const struct invocation *inv, const struct delta_fact *f)
{
    const struct pred_schema *schema = mgi_profile_find(&inv->snapshot->profile, f->pred);
    return inv->call.signing && inv->now_ns == inv->call.clock_ns && schema && schema->vouched &&
           str_is(f->source_type, "server");
}

/* False: memory. */
static bool sign(struct invocation *inv, const struct delta_fact *f,
                 char signature[SIGNATURE_CHARS + 1])
{
    const struct said_fact said = { .domain = inv->snapshot->settings.id,
                                    .principal = mgi_principal_key(inv->call.who),
                                    .pred = f->pred,
                                    .args = f->args,
                                    .count = f->count,
                                    .t = f->has_t ? f->t : MANGLE_ALWAYS,
                                    .source_type = f->source_type,
                                    .asserted_at_ns = inv->call.clock_ns };
    struct buf text = { 0 };
    bool ok = mgi_said_fact_text(&text, inv->values, &said) &&
              mgi_sign(inv->call.signing, mgi_buf_view(&text), signature);
    mgi_buf_fini(&text);
    return ok;
}

static void write_pattern(struct invocation *inv, struct json_writer *w, const struct delta_fact *f)
{
    mgi_fact_write(w, inv->values, f->pred, f->args, f->count, f->has_t ? &f->t : NULL, NULL, NULL);
}

static void write_fact(struct invocation *inv, struct json_writer *w, const struct delta_fact *f)
{
    char category[16], type[64], signature[SIGNATURE_CHARS + 1];
    struct fact_source source = { .type = type };
    snprintf(category, sizeof category, "%.*s", STR_ARG(f->category));
    snprintf(type, sizeof type, "%.*s", STR_ARG(f->source_type));
    if (is_to_be_signed(inv, f)) {
        inv->nomem |= !sign(inv, f, signature);
        source.dated = true;
        source.asserted_at_ns = inv->call.clock_ns;
        source.signature = inv->nomem ? NULL : signature;
    }
    mgi_fact_write_said(w, inv->values, f->pred, f->args, f->count, f->has_t ? &f->t : NULL,
                        category, &source);
}

/* The exact question: would a request with this very fact pass? Asked of the decoder itself. Where
 * memory is short nobody knows, and inv->nomem says so. */
bool mgi_delta_acceptable(struct invocation *inv, const struct delta_fact *f)
{
    struct fact_rules none = { 0 };
    struct fact_list list = { 0 };
    struct json v;
    struct buf text = { 0 };
    struct json_writer w;
    struct arena scratch;
    mgi_arena_init(&scratch, 0);
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_array(&w);
    write_fact(inv, &w, f);
    mgi_jw_end_array(&w);
    enum json_fault fault =
        text.oom ? JSON_NOMEM : mgi_json_parse(&scratch, mgi_buf_view(&text), NULL, &v, NULL);
    bool decoded =
        fault == JSON_OK && mgi_facts_decode(&scratch, inv->values, &inv->snapshot->profile, &none,
                                             &v, inv->now_ns, &list);
    bool ok = decoded && list.fault_count == 0;
    if (fault == JSON_NOMEM || (fault == JSON_OK && !decoded))
        inv->nomem = true;
    else if (!ok)
        mgi_log(inv->call.log, LOG_WARN,
                "%.*s: a fact of %.*s was left out of the delta: a client could not send it back",
                STR_ARG(inv->tool->name), STR_ARG(f->pred));
    mgi_arena_fini(&scratch);
    mgi_buf_fini(&text);
    return ok;
}

static size_t live_count(const struct invocation *inv)
{
    size_t n = 0;
    for (size_t i = 0; i < inv->asserts.count; i++)
        n += !inv->asserts.items[i].dropped;
    return n;
}

/* The declared predicate with the most live assertions, and how many. */
static size_t largest_group(const struct invocation *inv, struct str *pred)
{
    const struct fact_profile *profile = &inv->snapshot->profile;
    size_t most = 0;
    for (size_t p = 0; p < profile->count; p++) {
        size_t n = 0;
        for (size_t i = 0; i < inv->asserts.count; i++)
            n += !inv->asserts.items[i].dropped &&
                 str_eq(inv->asserts.items[i].pred, profile->schemas[p].predicate);
        if (n > most) {
            most = n;
            *pred = profile->schemas[p].predicate;
        }
    }
    return most;
}

/* The server stands for a count only if it stands for all that is counted. */
static struct str source_of_group(const struct invocation *inv, struct str pred)
{
    for (size_t i = 0; i < inv->asserts.count; i++) {
        const struct delta_fact *f = &inv->asserts.items[i];
        if (!f->dropped && str_eq(f->pred, pred) && !str_is(f->source_type, "server"))
            return STR_LIT("external");
    }
    return STR_LIT("server");
}

/* Replace the facts of one predicate by bulk_change(Predicate, Count). False: memory, and they are
 * all still there. */
static bool roll_up(struct invocation *inv, struct str pred, size_t count)
{
    mangle_value *args = mgi_arena_calloc(inv->arena, 2, sizeof *args);
    size_t before = inv->asserts.count;
    if (!args)
        return false;
    args[0] = mangle_string(inv->values, pred.ptr, pred.len);
    args[1] = mangle_number(inv->values, (int64_t)count);
    struct delta_fact f = { .pred = STR_LIT(ROLL_UP_PRED),
                            .args = args,
                            .count = 2,
                            .category = STR_LIT("server"),
                            .source_type = source_of_group(inv, pred) };
    if (args[0] == MANGLE_NONE || args[1] == MANGLE_NONE || !append(inv, &inv->asserts, &f))
        return false;
    for (size_t i = 0; i < before; i++)
        if (str_eq(inv->asserts.items[i].pred, pred))
            inv->asserts.items[i].dropped = true;
    return true;
}

void mgi_delta_finish(struct invocation *inv)
{
    for (size_t i = 0; i < inv->asserts.count; i++) {
        struct delta_fact *f = &inv->asserts.items[i];
        if (!f->dropped && !mgi_delta_acceptable(inv, f))
            f->dropped = true;
    }
    size_t max = inv->snapshot->settings.max_asserts;
    while (live_count(inv) > max) {
        struct str pred = { NULL, 0 };
        size_t count = largest_group(inv, &pred);
        if (count < 2)
            return;
        if (!roll_up(inv, pred, count)) {
            inv->nomem = true;
            return;
        }
    }
}

void mgi_delta_write(struct invocation *inv, struct json_writer *w)
{
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "assert");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < inv->asserts.count; i++)
        if (!inv->asserts.items[i].dropped)
            write_fact(inv, w, &inv->asserts.items[i]);
    mgi_jw_end_array(w);
    mgi_jw_key(w, "retract");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < inv->retracts.count; i++)
        write_pattern(inv, w, &inv->retracts.items[i]);
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
}
