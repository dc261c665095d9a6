/* The answer to an invocation, and what a client does with it: apply what changed, follow what is
 * suggested. What a server leaves out is its default. */
#include "base/alloc.h"
#include "client/client_int.h"
#include "client/facts_int.h"

struct manglecp_result {
    struct arena arena;
    struct str text;
    const char *value, *delta, *summary, *continuation, *plan;
    bool effects_complete, replayed;
    const char **warnings;
    size_t warning_count;
    struct manglecp_suggestion *suggestions;
    size_t suggestion_count;
};

void manglecp_result_free(manglecp_result *result)
{
    if (!result)
        return;
    mgi_arena_fini(&result->arena);
    mgi_free(result);
}

/* ---- reading --------------------------------------------------------------------------------- */

static const char *text_of_json(struct arena *a, const struct json *v, enum json_type type,
                                const char *otherwise)
{
    return v && v->type == type ? mgi_arena_str(a, v->text).ptr : otherwise;
}

static const char *string_of(struct arena *a, const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_STRING ? mgi_arena_str(a, v->string).ptr : "";
}

static uint32_t items_in(const struct json *list)
{
    return list && list->type == JSON_ARRAY ? list->count : 0;
}

static bool is_said(const struct json *object, const char *name, bool value)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_BOOL && v->boolean == value;
}

/* A warning is an object with a message; a bare string will do. */
static void read_warnings(struct manglecp_result *r, const struct json *list)
{
    r->warnings = mgi_arena_calloc(&r->arena, (size_t)items_in(list) + 1, sizeof *r->warnings);
    for (uint32_t i = 0; r->warnings && i < items_in(list); i++) {
        const struct json *v = &list->items[i];
        r->warnings[r->warning_count++] = v->type == JSON_STRING
                                              ? mgi_arena_str(&r->arena, v->string).ptr
                                              : string_of(&r->arena, v, "message");
    }
}

static void read_suggestions(struct manglecp_result *r, const struct json *list)
{
    r->suggestions =
        mgi_arena_calloc(&r->arena, (size_t)items_in(list) + 1, sizeof *r->suggestions);
    for (uint32_t i = 0; r->suggestions && i < items_in(list); i++) {
        const struct json *v = &list->items[i];
        struct manglecp_suggestion s = {
            .name = string_of(&r->arena, v, "name"),
            .description = string_of(&r->arena, v, "description"),
            .params = text_of_json(&r->arena, mgi_json_get(v, "params"), JSON_OBJECT, "{}"),
        };
        if (s.name && s.name[0])
            r->suggestions[r->suggestion_count++] = s;
    }
}

static void read_payload(struct manglecp_result *r, const struct json *root)
{
    const struct json *payload = mgi_json_get(root, "payload");
    const struct json *observability = mgi_json_get(payload, "observability");
    const struct json *next = mgi_json_get(payload, "next");
    const struct json *delta = mgi_json_get(payload, "state_delta");
    r->value = text_of_json(&r->arena, mgi_json_get(payload, "result"), JSON_OBJECT, "{}");
    r->delta = delta && delta->type == JSON_ARRAY
                   ? text_of_json(&r->arena, delta, JSON_ARRAY, "{}") /* D-47 */
                   : text_of_json(&r->arena, delta, JSON_OBJECT, "{}");
    r->summary = string_of(&r->arena, observability, "summary");
    r->continuation =
        text_of_json(&r->arena, mgi_json_get(next, "continuation_facts"), JSON_ARRAY, "[]");
    r->effects_complete = !is_said(payload, "effects_complete", false);
    r->plan = text_of_json(&r->arena, mgi_json_get(mgi_json_get(root, "extensions"), "x-dry-run"),
                           JSON_OBJECT, NULL);
    r->replayed = is_said(mgi_json_get(root, "extensions"), "x-idempotent-replay", true);
    read_warnings(r, mgi_json_get(observability, "warnings"));
    read_suggestions(r, mgi_json_get(next, "suggested_intents"));
}

enum manglecp_status mgi_result_read(manglecp_client *c, struct str text,
                                     struct manglecp_result **out)
{
    struct json root;
    struct manglecp_result *r = mgi_calloc(1, sizeof *r);
    *out = NULL;
    if (!r)
        return mgi_fail(c, MANGLECP_ERR_NOMEM, "it ran, and its answer does not fit into memory");
    mgi_arena_init(&r->arena, 0);
    r->text = mgi_arena_str(&r->arena, text);
    if (r->text.ptr && mgi_json_parse(&r->arena, r->text, NULL, &root, NULL) == JSON_OK)
        read_payload(r, &root);
    if (r->arena.oom) {
        manglecp_result_free(r);
        return mgi_fail(c, MANGLECP_ERR_NOMEM, "it ran, and its answer does not fit into memory");
    }
    *out = r;
    return MANGLECP_OK;
}

/* ---- asking for it -----------------------------------------------------------------------------
 */

const char *manglecp_result_json(const manglecp_result *result, size_t *len)
{
    if (len)
        *len = result->text.len;
    return result->text.ptr;
}

const char *manglecp_result_value(const manglecp_result *result)
{
    return result->value;
}

const char *manglecp_result_delta(const manglecp_result *result)
{
    return result->delta;
}

const char *manglecp_result_summary(const manglecp_result *result)
{
    return result->summary;
}

const char *manglecp_result_plan(const manglecp_result *result)
{
    return result->plan;
}

bool manglecp_result_effects_complete(const manglecp_result *result)
{
    return result->effects_complete;
}

bool manglecp_result_replayed(const manglecp_result *result)
{
    return result->replayed;
}

size_t manglecp_result_warning_count(const manglecp_result *result)
{
    return result->warning_count;
}

const char *manglecp_result_warning(const manglecp_result *result, size_t i)
{
    return i < result->warning_count ? result->warnings[i] : NULL;
}

size_t manglecp_result_suggestion_count(const manglecp_result *result)
{
    return result->suggestion_count;
}

const struct manglecp_suggestion *manglecp_result_suggestion(const manglecp_result *result,
                                                             size_t i)
{
    return i < result->suggestion_count ? &result->suggestions[i] : NULL;
}

const char *manglecp_result_continuation(const manglecp_result *result)
{
    return result->continuation;
}

/* ---- going on ----------------------------------------------------------------------------------
 */

void manglecp_follow(const manglecp_result *result, size_t i, struct manglecp_intent *intent)
{
    const struct manglecp_suggestion *s = manglecp_result_suggestion(result, i);
    if (!s)
        return;
    intent->name = s->name;
    intent->params = NULL;
    intent->param_count = 0;
    intent->params_json = s->params;
    intent->more_facts = result->continuation;
}

enum manglecp_status manglecp_learn(manglecp_client *c, manglecp_facts *facts,
                                    const manglecp_result *result, struct manglecp_learned *learned)
{
    struct manglecp_learned counts = { 0 };
    mgi_client_begin(c);
    enum manglecp_status status = mgi_facts_place(facts, &c->manifest->profile);
    if (!status)
        status = manglecp_facts_apply(facts, result->delta, &counts.retracted, &counts.asserted);
    if (status == MANGLECP_ERR_INVALID)
        status = mgi_fail(c, status, "the state delta is none, and was not applied");
    if (learned)
        *learned = counts;
    return status;
}
