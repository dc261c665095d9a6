/* Invocations: the gates before any action (protocol.md §1.3, gates 9 and 11), and the life of one.
 *
 *     start ─gates─> (loop) begin ─> chain ─> finish ─> done, gone
 *                                      └─ cancel ──┘
 *
 * Everything an invocation needs is copied into its own arena: it outlives the request's checks and
 * does not point into the caller's. Nothing reaches a toolhost before every gate has passed
 * (P-INV-6). */
#include "invoke/invoke.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/time.h"
#include "invoke/invoke_int.h"
#include "protocol/schema.h"
#include "protocol/wire_time.h"

/* ---- gate 9: shape ----------------------------------------------------------------------- */

struct invoke_request {
    struct str macro_id;
    const struct json *args, *token;
    bool has_eval_time;
    int64_t eval_time_ns;
};

static bool read_eval_time(const struct json *v, int formats, struct shape *shape,
                           struct invoke_request *out)
{
    const char *why = NULL;
    if (!v || v->type == JSON_NULL)
        return true;
    switch (mgi_wire_time(v, formats, &out->eval_time_ns, &why)) {
    case WIRE_TIME_INSTANT:
        out->has_eval_time = true;
        return true;
    case WIRE_TIME_NOW:
        return true;
    case WIRE_TIME_OPEN:
        why = "\"_\" is no instant";
        break;
    case WIRE_TIME_BAD:
    case WIRE_TIME_UNSUPPORTED:
        break;
    }
    mgi_shape_fault(shape, "/eval_time", "%s", why ? why : "not a time");
    return false;
}

static bool read_request(const struct invoke_call *call, struct arena *a,
                         struct invoke_request *out, struct wire_error *e)
{
    struct shape shape;
    mgi_shape_init(&shape, a);
    const struct json *id = mgi_json_get(call->payload, "macro_id");
    out->args = mgi_json_get(call->payload, "args");
    out->token = mgi_json_get(call->payload, "confirmation_token");
    if (!id || id->type != JSON_STRING || id->string.len == 0)
        mgi_shape_fault(&shape, "/macro_id", "a non-empty string is required");
    else
        out->macro_id = id->string;
    if (!out->args || out->args->type != JSON_OBJECT)
        mgi_shape_fault(&shape, "/args", "an object is required");
    if (out->token && out->token->type != JSON_NULL && out->token->type != JSON_STRING)
        mgi_shape_fault(&shape, "/confirmation_token", "must be a string or null");
    read_eval_time(mgi_json_get(call->payload, "eval_time"), call->snapshot->profile.time_formats,
                   &shape, out);
    bool failed = mgi_shape_failed(&shape, e);
    mgi_shape_fini(&shape);
    return !failed;
}

/* ---- gate 11: the tool and its window ----------------------------------------------------- */

static void macro_details(struct wire_error *e, struct arena *a, struct str id, const char *reason,
                          const struct macro_entry *window)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "macro_id", id);
    if (reason)
        mgi_jw_member_cstr(&w, "reason", reason);
    if (window && window->expires_ns != INT64_MAX) {
        mgi_jw_key(&w, "expires_at");
        mgi_wire_time_write(&w, window->expires_ns);
    }
    if (window && window->not_before_ns != INT64_MIN) {
        mgi_jw_key(&w, "not_before");
        mgi_wire_time_write(&w, window->not_before_ns);
    }
    mgi_jw_end_object(&w);
    mgi_wire_details(e, a, &text);
    mgi_buf_fini(&text);
}

static bool refuse_macro(struct wire_error *e, struct arena *a, enum wire_code code, struct str id,
                         const char *reason, const struct macro_entry *window, const char *message)
{
    mgi_wire_error(e, a, code, "%s", message);
    macro_details(e, a, id, reason, window);
    return false;
}

static bool check_window(const struct invoke_call *call, struct arena *a, struct str id,
                         const struct macro_entry *entry, struct wire_error *e)
{
    if (call->clock_ns >= entry->expires_ns)
        return refuse_macro(e, a, WIRE_MACRO_EXPIRED, id, "expired", entry,
                            "The tool has expired; evaluate the intent again.");
    if (call->clock_ns >= entry->not_before_ns)
        return true;
    refuse_macro(e, a, WIRE_MACRO_EXPIRED, id, "not_yet_valid", entry,
                 "The tool cannot be used yet.");
    e->retry_after_ms = (entry->not_before_ns - call->clock_ns) / NS_PER_MS + 1;
    return false;
}

static bool find_macro(const struct invoke_call *call, struct arena *a, struct str id,
                       struct macro *out, struct wire_error *e)
{
    struct macro_entry entry;
    static const char unknown[] = "There is no such tool; evaluate the intent again.";
    switch (mgi_macro_store_get(call->store, mgi_principal_key(call->who), id, call->clock_ns, a,
                                &entry)) {
    case MACRO_NOT_FOUND:
        return refuse_macro(e, a, WIRE_MACRO_NOT_FOUND, id, NULL, NULL, unknown);
    case MACRO_EXPIRED:
        return refuse_macro(e, a, WIRE_MACRO_EXPIRED, id, "expired", NULL,
                            "The tool has expired; evaluate the intent again.");
    case MACRO_FOUND:
        break;
    }
    if (!mgi_macro_read(a, entry.definition, out))
        return refuse_macro(e, a, WIRE_MACRO_NOT_FOUND, id, NULL, NULL, unknown);
    if (!str_eq(out->rules_version, call->snapshot->rules_version))
        return refuse_macro(e, a, WIRE_MACRO_EXPIRED, id, "superseded", NULL,
                            "The rules have changed since; evaluate the intent again.");
    return check_window(call, a, id, &entry, e);
}

/* ---- gate 11: arguments ------------------------------------------------------------------- */

static void schema_details(struct wire_error *e, struct arena *a,
                           const struct schema_issues *issues)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "schema_errors");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < issues->count; i++) {
        mgi_jw_begin_object(&w);
        mgi_jw_member_cstr(&w, "path", issues->items[i].path);
        mgi_jw_member_cstr(&w, "message", issues->items[i].message);
        mgi_jw_member_cstr(&w, "keyword", issues->items[i].keyword);
        mgi_jw_end_object(&w);
    }
    mgi_jw_end_array(&w);
    mgi_jw_end_object(&w);
    mgi_wire_details(e, a, &text);
    mgi_buf_fini(&text);
}

/* Against the schema as it was shown: narrowed by rules, so it is compiled here. */
static bool check_arguments(struct arena *a, const struct macro *m, const struct json *args,
                            struct wire_error *e)
{
    struct schema_issues issues;
    mgi_schema_issues_init(&issues, a, 0);
    struct schema *schema = mgi_schema_compile(&m->input_schema, 0, &issues);
    if (!schema) {
        mgi_wire_error(e, a, WIRE_INTERNAL_ERROR, "The server could not read the tool's schema.");
        return false;
    }
    bool ok = mgi_schema_validate(schema, args, &issues);
    mgi_schema_free(schema);
    if (ok)
        return true;
    mgi_wire_error(e, a, WIRE_SCHEMA_VALIDATION_FAILED,
                   "The arguments do not fit the tool's input schema: %zu problem%s.", issues.count,
                   issues.count == 1 ? "" : "s");
    schema_details(e, a, &issues);
    return false;
}

/* ---- making ------------------------------------------------------------------------------ */

/* A JSON value that lives in `a`. */
static bool copy_json(struct arena *a, const struct json *v, struct json *out)
{
    struct str text = mgi_arena_str(a, v->text);
    struct json_options options = { .max_depth = JSON_MAX_DEPTH };
    return text.ptr && mgi_json_parse(a, text, &options, out, NULL) == JSON_OK;
}

static bool copy_principal(struct invocation *inv, const struct principal *who)
{
    struct str *permissions =
        mgi_arena_calloc(&inv->arena, who->permission_count + 1, sizeof *permissions);
    struct str *effects =
        mgi_arena_calloc(&inv->arena, who->auto_confirm_count + 1, sizeof *effects);
    if (!permissions || !effects)
        return false;
    for (size_t i = 0; i < who->permission_count; i++)
        permissions[i] = mgi_arena_str(&inv->arena, who->permissions[i]);
    for (size_t i = 0; i < who->auto_confirm_count; i++)
        effects[i] = mgi_arena_str(&inv->arena, who->auto_confirm[i]);
    inv->who = *who;
    inv->who.identity = mgi_arena_str(&inv->arena, who->identity);
    inv->who.permissions = permissions;
    inv->who.auto_confirm = effects;
    return true;
}

static bool copy_macro(struct invocation *inv, const struct macro *m)
{
    struct buf text = { 0 };
    mgi_macro_write(&text, m);
    struct str kept = mgi_arena_str(&inv->arena, mgi_buf_view(&text));
    bool ok = !text.oom && kept.ptr && mgi_macro_read(&inv->arena, kept, &inv->macro);
    mgi_buf_fini(&text);
    return ok;
}

/* The chain as composed. False: a step of the definition is not in the template. */
static bool make_chain(struct invocation *inv)
{
    inv->run_count = inv->macro.step_count;
    inv->runs = mgi_arena_calloc(&inv->arena, inv->run_count + 1, sizeof *inv->runs);
    inv->sessions = mgi_arena_calloc(&inv->arena, inv->run_count + 1, sizeof *inv->sessions);
    if (!inv->runs || !inv->sessions)
        return false;
    for (size_t i = 0; i < inv->run_count; i++) {
        if (inv->macro.steps[i] >= inv->tool->step_count)
            return false;
        inv->runs[i].step = &inv->tool->steps[inv->macro.steps[i]];
    }
    return true;
}

static void invocation_free(struct invocation *inv)
{
    mgi_overlay_drop(inv);
    mgi_snapshot_unref(inv->snapshot);
    mgi_arena_fini(&inv->arena);
    mgi_free(inv);
}

static struct invocation *invocation_new(const struct invoke_call *call, const struct macro *m,
                                         const struct invoke_request *request)
{
    struct invocation *inv = mgi_calloc(1, sizeof *inv);
    if (!inv)
        return NULL;
    mgi_arena_init(&inv->arena, 0);
    inv->call = *call;
    inv->call.payload = NULL;
    inv->snapshot = mgi_snapshot_ref(call->snapshot);
    inv->begun_ns = (int64_t)uv_hrtime();
    inv->deadline_ns = inv->begun_ns + call->snapshot->settings.invocation_timeout_ms * NS_PER_MS;
    inv->has_eval_time = request->has_eval_time;
    inv->now_ns = request->has_eval_time ? request->eval_time_ns : call->clock_ns;
    inv->last_percent = -1;
    inv->call.request_id = mgi_arena_str(&inv->arena, call->request_id);
    inv->call.invocation_id = mgi_arena_str(&inv->arena, call->invocation_id);
    struct json args;
    bool ok = inv->call.invocation_id.ptr && copy_principal(inv, call->who) && copy_macro(inv, m) &&
              copy_json(&inv->arena, request->args, &args) &&
              mgi_schema_defaults(&inv->arena, &inv->macro.input_schema, &args, &inv->args);
    inv->call.who = &inv->who;
    if (ok) {
        inv->tool = mgi_snapshot_tool(inv->snapshot, inv->macro.tool);
        ok = inv->tool && make_chain(inv);
    }
    if (!ok) {
        invocation_free(inv);
        return NULL;
    }
    return inv;
}

/* ---- starting and ending ------------------------------------------------------------------ */

static void begin(uv_timer_t *timer)
{
    mgi_chain_begin(timer->data);
}

static void timer_closed(uv_handle_t *timer)
{
    invocation_free(timer->data);
}

void mgi_invocation_end(struct invocation *inv)
{
    mgi_chain_release(inv);
    uv_close((uv_handle_t *)&inv->timer, timer_closed);
}

struct invocation *mgi_invoke_start(const struct invoke_call *call, struct arena *a,
                                    struct wire_error *e)
{
    struct invoke_request request = { 0 };
    struct macro macro;
    if (!read_request(call, a, &request, e) || !find_macro(call, a, request.macro_id, &macro, e) ||
        !check_arguments(a, &macro, request.args, e))
        return NULL;
    const struct tool *tool = mgi_snapshot_tool(call->snapshot, macro.tool);
    if (!tool) {
        refuse_macro(e, a, WIRE_MACRO_EXPIRED, request.macro_id, "superseded", NULL,
                     "The rules have changed since; evaluate the intent again.");
        return NULL;
    }
    if (macro.requires_confirmation &&
        !mgi_confirm_check(call, a, &macro, tool, request.args, request.token, e))
        return NULL;
    struct invocation *inv = invocation_new(call, &macro, &request);
    if (!inv || uv_timer_init(call->loop, &inv->timer) != 0) {
        if (inv)
            invocation_free(inv);
        mgi_wire_error(e, a, WIRE_INTERNAL_ERROR, "The server ran out of memory.");
        return NULL;
    }
    inv->timer.data = inv;
    uv_timer_start(&inv->timer, begin, 0, 0); /* `done` must not be called from in here */
    mgi_log(call->log, LOG_INFO, "invocation %.*s: %.*s for \"%s\", request \"%s\"",
            STR_ARG(inv->call.invocation_id), STR_ARG(inv->macro.tool),
            mgi_show(a, inv->who.identity, 128), mgi_show(a, inv->call.request_id, 128));
    return inv;
}

void mgi_invoke_cancel(struct invocation *inv)
{
    mgi_chain_cancel(inv);
}

bool mgi_invoke_harmless(const struct invocation *inv)
{
    for (size_t i = inv->current; i < inv->run_count; i++)
        if (inv->runs[i].step->action->tier > 0)
            return false;
    return true;
}
