/* Reading a manifest; see manifest.h. */
#include "client/manifest.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "protocol/envelope.h"
#include "protocol/wire_time.h"

#define MAX_ARITY 1024 /* an argument list that long is nobody's */

static const char *const state_names[] = { "booting", "ready", "degraded", "draining" };

const char *mgi_manifest_state_name(enum manglecp_state state)
{
    return state_names[state];
}

static struct str text_of(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_STRING ? v->string : (struct str){ NULL, 0 };
}

static int64_t number_of(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_INT && v->integer > 0 ? v->integer : INT64_MAX;
}

static bool is_true(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_BOOL && v->boolean;
}

static uint32_t length(const struct json *list)
{
    return list && list->type == JSON_ARRAY ? list->count : 0;
}

/* The strings of a list; NULL when memory is short. */
static struct str *strings_of(struct arena *a, const struct json *list, uint32_t *count)
{
    struct str *out = mgi_arena_calloc(a, (size_t)length(list) + 1, sizeof *out);
    *count = 0;
    for (uint32_t i = 0; out && i < length(list); i++)
        if (list->items[i].type == JSON_STRING)
            out[(*count)++] = list->items[i].string;
    return out;
}

/* ---- intents ------------------------------------------------------------------------------ */

static bool read_intents(struct manifest *m, const struct json *list)
{
    m->intents = mgi_arena_calloc(&m->arena, (size_t)length(list) + 1, sizeof *m->intents);
    for (uint32_t i = 0; m->intents && i < length(list); i++) {
        const struct json *one = &list->items[i];
        struct manifest_intent *e = &m->intents[m->intent_count];
        e->name = text_of(one, "name");
        if (!e->name.ptr)
            continue;
        e->required =
            strings_of(&m->arena, mgi_json_get(one, "required_facts"), &e->required_count);
        e->optional =
            strings_of(&m->arena, mgi_json_get(one, "optional_facts"), &e->optional_count);
        if (!e->required || !e->optional)
            return false;
        m->intent_count++;
    }
    return m->intents != NULL;
}

const struct manifest_intent *mgi_manifest_intent(const struct manifest *m, struct str name)
{
    for (uint32_t i = 0; i < m->intent_count; i++)
        if (str_eq(m->intents[i].name, name))
            return &m->intents[i];
    return NULL;
}

/* ---- what facts may be -------------------------------------------------------------------- */

static enum arg_type arg_type_of(const struct json *v)
{
    if (v->type != JSON_STRING)
        return ARG_ANY;
    return str_is(v->string, "string")    ? ARG_STRING
           : str_is(v->string, "number")  ? ARG_NUMBER
           : str_is(v->string, "boolean") ? ARG_BOOLEAN
                                          : ARG_ANY;
}

/* *out stays without a predicate if the entry says nothing of use. False: memory. */
static bool read_predicate(struct manifest *m, const struct json *v, struct pred_schema *out)
{
    struct str name = text_of(v, "predicate"), direction = text_of(v, "direction");
    const struct json *arity = mgi_json_get(v, "arity");
    const struct json *types = mgi_json_get(v, "arg_types"), *names = mgi_json_get(v, "arg_names");
    if (!name.ptr || !arity || arity->type != JSON_INT || arity->integer < 0 ||
        arity->integer > MAX_ARITY)
        return true;
    uint32_t count = (uint32_t)arity->integer, named = 0;
    *out = (struct pred_schema){ .predicate = name, .arity = count };
    out->temporal = is_true(v, "temporal");
    out->description = text_of(v, "description");
    out->direction = str_is(direction, "input")    ? DIRECTION_INPUT
                     : str_is(direction, "output") ? DIRECTION_OUTPUT
                                                   : DIRECTION_BOTH;
    if (length(types) == count && count > 0) {
        out->arg_types = mgi_arena_calloc(&m->arena, count, sizeof *out->arg_types);
        for (uint32_t i = 0; out->arg_types && i < count; i++)
            out->arg_types[i] = arg_type_of(&types->items[i]);
        if (!out->arg_types)
            return false;
    }
    if (names && length(names) == count) {
        out->arg_names = strings_of(&m->arena, names, &named);
        if (!out->arg_names)
            return false;
        if (named != count)
            out->arg_names = NULL;
    }
    return true;
}

static int by_predicate(const void *a, const void *b)
{
    const struct pred_schema *x = a, *y = b;
    int order = mgi_str_compare(x->predicate, y->predicate);
    return order ? order : (x->arity > y->arity) - (x->arity < y->arity);
}

static int time_formats(const struct json *list)
{
    int formats = WIRE_TIME_RFC3339;
    for (uint32_t i = 0; i < length(list); i++) {
        const struct json *v = &list->items[i];
        if (v->type == JSON_STRING && str_is(v->string, "epoch_ms"))
            formats |= WIRE_TIME_EPOCH_MS;
        if (v->type == JSON_STRING && str_is(v->string, "epoch_ns"))
            formats |= WIRE_TIME_EPOCH_NS;
    }
    return formats;
}

static bool read_profile(struct manifest *m, const struct json *payload)
{
    const struct json *profile = mgi_json_get(payload, "facts_profile");
    const struct json *list = mgi_json_get(profile, "predicates");
    struct pred_schema *schemas =
        mgi_arena_calloc(&m->arena, (size_t)length(list) + 1, sizeof *schemas);
    size_t count = 0;
    for (uint32_t i = 0; schemas && i < length(list); i++) {
        if (!read_predicate(m, &list->items[i], &schemas[count]))
            return false;
        count += schemas[count].predicate.ptr != NULL;
    }
    if (!schemas)
        return false;
    if (count > 1)
        qsort(schemas, count, sizeof *schemas, by_predicate);
    m->profile = (struct fact_profile){
        .schemas = schemas,
        .count = count,
        .closed = list && list->type == JSON_ARRAY, /* D-16 */
        .time_formats = time_formats(mgi_json_get(profile, "time_formats")),
        .named_args = is_true(mgi_json_get(payload, "capabilities"), "named_args"),
    };
    return true;
}

/* Names that intents list and nothing declares are accepted, whatever their arguments (D-16). */
static bool read_open_names(struct manifest *m)
{
    size_t cap = 0;
    for (uint32_t i = 0; i < m->intent_count; i++) {
        const struct manifest_intent *e = &m->intents[i];
        for (uint32_t k = 0; k < e->required_count + e->optional_count; k++) {
            struct str name =
                k < e->required_count ? e->required[k] : e->optional[k - e->required_count];
            if (mgi_profile_find(&m->profile, name))
                continue;
            if (!mgi_arena_grow(&m->arena, &m->open_names, &cap, m->open_count + 1u,
                                sizeof *m->open_names))
                return false;
            m->open_names[m->open_count++] = name;
        }
    }
    return true;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static bool read_state(struct manifest *m, const struct json *payload, struct buf *why)
{
    struct str word = text_of(payload, "status");
    for (size_t i = 0; i < sizeof state_names / sizeof *state_names; i++)
        if (str_is(word, state_names[i])) {
            m->state = (enum manglecp_state)i;
            return true;
        }
    mgi_buf_puts(why, "the manifest says no status: it must be booting, ready, degraded or "
                      "draining");
    return false;
}

static void read_auth(struct manifest *m, const struct json *auth)
{
    const struct json *schemes = mgi_json_get(auth, "schemes");
    m->auth_required = is_true(auth, "required");
    for (uint32_t i = 0; i < length(schemes); i++)
        m->takes_bearer |=
            schemes->items[i].type == JSON_STRING && (str_is(schemes->items[i].string, "bearer") ||
                                                      str_is(schemes->items[i].string, "oauth2"));
}

static bool read_members(struct manifest *m, const struct json *payload)
{
    const struct json *endpoints = mgi_json_get(payload, "endpoints");
    const struct json *limits = mgi_json_get(payload, "limits");
    m->addresses = (struct link_addresses){ text_of(endpoints, "intent_eval"),
                                            text_of(endpoints, "macro_invoke") };
    m->websocket = text_of(mgi_json_get(payload, "extensions"), "x-websocket");
    m->tells_outcomes = is_true(mgi_json_get(payload, "extensions"), "x-idempotency-only");
    m->dry_runs = is_true(mgi_json_get(payload, "extensions"), "x-dry-run");
    m->max_facts = number_of(limits, "max_facts_per_request");
    m->max_message_bytes = number_of(limits, "max_message_bytes");
    read_auth(m, mgi_json_get(payload, "auth"));
    return read_intents(m, mgi_json_get(payload, "intents")) && read_profile(m, payload) &&
           read_open_names(m);
}

struct manifest *mgi_manifest_read(struct str text, struct buf *why, bool *nomem)
{
    struct envelope e;
    struct wire_error fault = { .retry_after_ms = -1 };
    struct manifest *m = mgi_calloc(1, sizeof *m);
    *nomem = !m;
    if (!m)
        return NULL;
    mgi_arena_init(&m->arena, 0);
    m->text = mgi_arena_str(&m->arena, text);
    *nomem = !m->text.ptr;
    if (*nomem) {
        mgi_manifest_free(m);
        return NULL;
    }
    bool ok = mgi_envelope_parse(&m->arena, m->text, SIZE_MAX, 0, FROM_SERVER, &e, &fault);
    if (!ok)
        mgi_buf_printf(why, "the server does not begin with a manifest: %s", fault.message);
    else if (e.type != MSG_MANIFEST)
        mgi_buf_printf(why, "the server does not begin with a manifest but with %s",
                       mgi_message_type_name(e.type));
    ok = ok && e.type == MSG_MANIFEST && read_state(m, e.payload, why);
    if (ok)
        ok = read_members(m, e.payload);
    *nomem = m->arena.oom;
    if (ok)
        return m;
    mgi_manifest_free(m);
    return NULL;
}

void mgi_manifest_free(struct manifest *m)
{
    if (!m)
        return;
    mgi_arena_fini(&m->arena);
    mgi_free(m);
}
