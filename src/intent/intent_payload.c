/* The payload of an intent_request -> struct intent_request. Every fault of its shape is reported.
 */
#include <stdio.h>

#include "intent/intent_int.h"
#include "protocol/wire_time.h"

static const struct json *present(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_NULL ? NULL : v;
}

/* The member `name` if it is an object; a fault if it is something else. */
static const struct json *object_member(struct shape *s, const struct json *payload,
                                        const char *name)
{
    const struct json *v = present(payload, name);
    if (!v || v->type == JSON_OBJECT)
        return v;
    char pointer[64];
    snprintf(pointer, sizeof pointer, "/%s", name);
    mgi_shape_fault(s, pointer, "%s must be an object", name);
    return NULL;
}

static void read_intent(struct shape *s, const struct json *payload, struct intent_request *out)
{
    const struct json *intent = present(payload, "intent");
    if (!intent || intent->type != JSON_OBJECT) {
        mgi_shape_fault(s, "/intent", intent ? "intent must be an object" : "intent is missing");
        return;
    }
    const struct json *name = present(intent, "name");
    if (!name || name->type != JSON_STRING || name->string.len == 0)
        mgi_shape_fault(s, "/intent/name", "intent.name must be a non-empty string");
    else
        out->name = name->string;
    out->params = present(intent, "params");
    if (out->params && out->params->type != JSON_OBJECT) {
        mgi_shape_fault(s, "/intent/params", "intent.params must be an object");
        out->params = NULL;
    }
}

/* A whole number of at least `min`; absent leaves *out. Above `*out`, the stricter limit stays. */
static void read_limit(struct shape *s, const struct json *constraints, const char *name,
                       int64_t min, int64_t *out)
{
    const struct json *v = present(constraints, name);
    if (!v)
        return;
    char pointer[64];
    snprintf(pointer, sizeof pointer, "/constraints/%s", name);
    if (v->type != JSON_INT || v->integer < min)
        mgi_shape_fault(s, pointer, "%s must be a whole number, %lld or more", name,
                        (long long)min);
    else if (*out == NO_LIMIT || v->integer < *out)
        *out = v->integer;
}

static void read_constraints(struct shape *s, const struct json *payload,
                             const struct limits *server, struct intent_request *out)
{
    out->max_facts = server->max_derived_facts;
    out->max_intervals = server->max_intervals_per_atom;
    out->max_ms = server->max_compute_ms;
    out->max_tools = out->max_tokens = NO_LIMIT;
    const struct json *c = object_member(s, payload, "constraints");
    if (!c)
        return;
    read_limit(s, c, "max_facts_created", 1, &out->max_facts);
    read_limit(s, c, "max_intervals_per_atom", 1, &out->max_intervals);
    read_limit(s, c, "max_compute_ms", 1, &out->max_ms);
    read_limit(s, c, "max_tools_returned", 0, &out->max_tools);
    read_limit(s, c, "max_tokens_budget", 0, &out->max_tokens);
}

static void read_options(struct shape *s, const struct json *payload, struct intent_request *out)
{
    static const char *const words[] = { "adaptive", "full", "condensed", "minimal" };
    const struct json *options = object_member(s, payload, "options");
    const struct json *proof = options ? present(options, "include_proof_hints") : NULL;
    const struct json *prefer = options ? present(options, "disclosure_preference") : NULL;
    if (proof && proof->type != JSON_BOOL)
        mgi_shape_fault(s, "/options/include_proof_hints", "include_proof_hints must be a boolean");
    else if (proof)
        out->want_proof = proof->boolean;
    if (!prefer)
        return;
    for (int i = 0; i < 4; i++)
        if (prefer->type == JSON_STRING && str_is(prefer->string, words[i])) {
            out->preference = (enum preference)i;
            return;
        }
    mgi_shape_fault(s, "/options/disclosure_preference",
                    "disclosure_preference is adaptive, full, condensed or minimal");
}

static void read_time(struct shape *s, const struct intent_call *call, struct arena *arena,
                      struct intent_request *out)
{
    const struct json *t = present(call->payload, "eval_time");
    int formats = call->snapshot->profile.time_formats;
    const char *why = NULL;
    int64_t ns;
    if (!t)
        return;
    switch (mgi_wire_time(t, formats, &ns, &why)) {
    case WIRE_TIME_INSTANT:
        out->now_ns = ns;
        if (!mgi_wire_time_near(arena, ns, call->clock_ns,
                                call->snapshot->settings.limits.eval_time_skew_ms, &why))
            mgi_shape_fault(s, "/eval_time", "%s", why);
        break;
    case WIRE_TIME_NOW:
        break;
    case WIRE_TIME_OPEN:
        mgi_shape_fault(s, "/eval_time", "eval_time must be an instant, not \"_\"");
        break;
    default:
        mgi_shape_fault(s, "/eval_time", "eval_time: %s", why ? why : "not a time");
        break;
    }
}

bool mgi_intent_request_read(const struct intent_call *call, struct arena *arena,
                             struct intent_request *out, struct wire_error *e)
{
    static const struct json no_facts = { .type = JSON_ARRAY };
    const struct snapshot *s = call->snapshot;
    struct shape shape;
    mgi_shape_init(&shape, arena);
    *out = (struct intent_request){ .now_ns = call->clock_ns, .facts = &no_facts };
    read_intent(&shape, call->payload, out);
    const struct json *facts = present(call->payload, "facts");
    if (facts && facts->type != JSON_ARRAY)
        mgi_shape_fault(&shape, "/facts", "facts must be an array");
    else if (facts)
        out->facts = facts;
    read_time(&shape, call, arena, out);
    read_constraints(&shape, call->payload, &s->settings.limits, out);
    read_options(&shape, call->payload, out);
    if (call->why_not_fault)
        mgi_shape_fault(&shape, "/extensions/x-why-not", "%s", call->why_not_fault);
    bool failed = mgi_shape_failed(&shape, e);
    mgi_shape_fini(&shape);
    return !failed;
}
