/* The manifest payload. Members in the order of protocol.md 2.8, so that it reads like a business
 * card. */
#include "manifest/manifest.h"

#include "protocol/envelope.h"
#include "protocol/wire_time.h"

const char *mgi_server_status_name(enum server_status status)
{
    static const char *const names[] = { "booting", "ready", "degraded", "draining" };
    return names[status];
}

static void write_protocol(struct json_writer *w, const struct manifest_view *view)
{
    mgi_jw_key(w, "protocol");
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "manglecp", MANGLECP_PROTOCOL);
    mgi_jw_key(w, "supported_versions");
    mgi_jw_begin_array(w);
    mgi_jw_cstring(w, MANGLECP_PROTOCOL);
    mgi_jw_end_array(w);
    mgi_jw_member_int(w, "conformance_level", view->conformance_level);
    mgi_jw_end_object(w);
}

static void write_domain(struct json_writer *w, const struct domain_settings *d)
{
    mgi_jw_key(w, "domain");
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "id", d->id);
    mgi_jw_member_str(w, "description", d->description);
    if (d->category_count > 0)
        mgi_jw_member_strs(w, "categories", d->categories, d->category_count);
    if (d->affinity_count > 0) {
        mgi_jw_key(w, "affinities");
        mgi_jw_begin_object(w);
        for (size_t i = 0; i < d->affinity_count; i++) {
            mgi_jw_key_str(w, d->affinities[i].name);
            mgi_jw_int(w, d->affinities[i].value);
        }
        mgi_jw_end_object(w);
    }
    mgi_jw_end_object(w);
}

static void write_endpoints(struct json_writer *w, const struct manifest_view *view)
{
    if (!view->intent_eval || !view->macro_invoke)
        return;
    mgi_jw_key(w, "endpoints");
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "intent_eval", view->intent_eval);
    mgi_jw_member_cstr(w, "macro_invoke", view->macro_invoke);
    mgi_jw_end_object(w);
}

static void write_intents(struct json_writer *w, const struct domain_settings *d)
{
    mgi_jw_key(w, "intents");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < d->intent_count; i++) {
        const struct intent_entry *e = &d->intents[i];
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "name", e->name);
        mgi_jw_member_str(w, "description", e->description);
        if (e->required_count > 0)
            mgi_jw_member_strs(w, "required_facts", e->required_facts, e->required_count);
        if (e->optional_count > 0)
            mgi_jw_member_strs(w, "optional_facts", e->optional_facts, e->optional_count);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

static void write_predicate(struct json_writer *w, const struct pred_schema *p)
{
    static const char *const types[] = { "any", "string", "number", "boolean" };
    static const char *const directions[] = { "both", "input", "output" };
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "predicate", p->predicate);
    mgi_jw_member_int(w, "arity", p->arity);
    if (p->has_arg_types) {
        mgi_jw_key(w, "arg_types");
        mgi_jw_begin_array(w);
        for (uint32_t i = 0; i < p->arity; i++)
            mgi_jw_cstring(w, types[p->arg_types[i]]);
        mgi_jw_end_array(w);
    }
    if (p->arg_names)
        mgi_jw_member_strs(w, "arg_names", p->arg_names, p->arity);
    if (p->temporal)
        mgi_jw_member_bool(w, "temporal", true);
    if (p->description.len > 0)
        mgi_jw_member_str(w, "description", p->description);
    mgi_jw_member_cstr(w, "direction", directions[p->direction]);
    mgi_jw_end_object(w);
}

/* Before rules are loaded nobody knows what may be said: an empty list would say that nothing may.
 */
static void write_profile(struct json_writer *w, const struct fact_profile *profile, bool known)
{
    mgi_jw_key(w, "facts_profile");
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "time_formats");
    mgi_jw_begin_array(w);
    if (profile->time_formats & WIRE_TIME_RFC3339)
        mgi_jw_cstring(w, "rfc3339");
    if (profile->time_formats & WIRE_TIME_EPOCH_MS)
        mgi_jw_cstring(w, "epoch_ms");
    if (profile->time_formats & WIRE_TIME_EPOCH_NS)
        mgi_jw_cstring(w, "epoch_ns");
    mgi_jw_end_array(w);
    if (known) {
        mgi_jw_key(w, "predicates");
        mgi_jw_begin_array(w);
        for (size_t i = 0; i < profile->count; i++)
            write_predicate(w, &profile->schemas[i]);
        mgi_jw_end_array(w);
    }
    mgi_jw_key(w, "schema_uri");
    mgi_jw_null(w);
    mgi_jw_end_object(w);
}

static void write_external(struct json_writer *w, const struct domain_external *e)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "predicate", e->name);
    mgi_jw_member_int(w, "arity", e->arity);
    mgi_jw_member_str(w, "description", e->description);
    mgi_jw_member_bool(w, "deterministic", e->deterministic); /* P-MAN-24, P-DET-5 */
    mgi_jw_end_object(w);
}

static void write_capabilities(struct json_writer *w, const struct snapshot *s)
{
    mgi_jw_key(w, "capabilities");
    mgi_jw_begin_object(w);
    mgi_jw_member_bool(w, "temporal", s->reads_time);
    mgi_jw_member_bool(w, "aggregation", true);
    mgi_jw_member_bool(w, "named_args", s->profile.named_args);
    mgi_jw_key(w, "external_predicates");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < s->external_count; i++)
        if (s->externals[i].pred != MANGLE_NO_PRED)
            write_external(w, &s->externals[i]);
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
}

static void write_limits(struct json_writer *w, const struct limits *l)
{
    mgi_jw_key(w, "limits");
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "max_message_bytes", l->max_message_bytes);
    mgi_jw_member_int(w, "max_facts_per_request", l->max_facts_per_request);
    mgi_jw_member_int(w, "max_derived_facts", l->max_derived_facts);
    mgi_jw_member_int(w, "max_intervals_per_atom", l->max_intervals_per_atom);
    mgi_jw_member_int(w, "max_compute_ms", l->max_compute_ms);
    mgi_jw_end_object(w);
}

static void write_auth(struct json_writer *w, const struct manifest_view *view)
{
    mgi_jw_key(w, "auth");
    mgi_jw_begin_object(w);
    mgi_jw_member_bool(w, "required", view->auth_required);
    mgi_jw_key(w, "schemes");
    mgi_jw_begin_array(w);
    for (const char *const *s = view->auth_schemes; s && *s; s++)
        mgi_jw_cstring(w, *s);
    mgi_jw_end_array(w);
    mgi_jw_member_cstr(w, "token_url", view->token_url);
    mgi_jw_end_object(w);
}

/* Of all tools together, so that it says nothing of any: what a client may tell its user before it
 * knows which one will run. */
static void write_hints(struct json_writer *w, const struct run_hints *hints)
{
    mgi_jw_key(w, "x-run-hints");
    mgi_jw_begin_object(w);
    mgi_jw_member_bool(w, "read_only", hints->read_only);
    mgi_jw_member_bool(w, "destructive", hints->destructive);
    mgi_jw_member_bool(w, "idempotent", hints->idempotent);
    mgi_jw_member_bool(w, "open_world", hints->open_world);
    mgi_jw_end_object(w);
}

static void write_extensions(struct json_writer *w, const struct snapshot *s,
                             const struct manifest_view *view)
{
    mgi_jw_key(w, "extensions");
    mgi_jw_begin_object(w);
    if (view->websocket)
        mgi_jw_member_cstr(w, "x-websocket", view->websocket);
    /* Who does not see this must not send a dry run: elsewhere it would be a run. */
    mgi_jw_member_bool(w, "x-dry-run", true);
    mgi_jw_member_bool(w, "x-idempotency-only", true); /* the same holds of this */
    /* Anybody may send it; told is who has the permission, or is local. */
    mgi_jw_key(w, "x-why-not");
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "permission", "why_not");
    mgi_jw_end_object(w);
    if (s->program) /* of a booting server nothing is known yet */
        write_hints(w, &s->hints);
    if (view->flaw_count > 0) {
        mgi_jw_key(w, "x-degraded");
        mgi_jw_begin_array(w);
        for (size_t i = 0; i < view->flaw_count; i++) {
            mgi_jw_begin_object(w);
            mgi_jw_member_cstr(w, "what", view->flaws[i].what);
            mgi_jw_member_cstr(w, "why", view->flaws[i].why);
            mgi_jw_end_object(w);
        }
        mgi_jw_end_array(w);
    }
    mgi_jw_end_object(w);
}

void mgi_manifest_write(struct json_writer *w, const struct snapshot *s,
                        const struct manifest_view *view)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "server_name", s->settings.server_name);
    mgi_jw_member_str(w, "server_version", s->settings.server_version);
    write_protocol(w, view);
    mgi_jw_member_cstr(w, "status", mgi_server_status_name(view->status));
    write_domain(w, &s->settings);
    write_endpoints(w, view);
    write_intents(w, &s->settings);
    write_profile(w, &s->profile, s->program != NULL);
    write_capabilities(w, s);
    write_limits(w, &s->settings.limits);
    write_auth(w, view);
    write_extensions(w, s, view);
    mgi_jw_end_object(w);
}
