/* The gates of an invocation (protocol.md §1.3, gates 9 and 11): what it asks for, and whether it
 * may run. All of it happens on workers, and none of it does anything: nothing reaches a toolhost
 * before every gate has passed (P-INV-6). */
#include "invoke/invoke.h"

#include <inttypes.h>

#include "base/time.h"
#include "decision/mask.h"
#include "invoke/invoke_int.h"
#include "protocol/schema.h"
#include "protocol/wire_time.h"

#define STORE_RETRY_MS 1000

/* ---- gate 9: shape ----------------------------------------------------------------------- */

static void read_eval_time(struct invocation *inv, struct shape *shape)
{
    const struct json *v = mgi_json_get(inv->call.payload, "eval_time");
    const struct snapshot *s = inv->snapshot;
    const char *why = NULL;
    int64_t at;
    if (!v || v->type == JSON_NULL)
        return;
    switch (mgi_wire_time(v, s->profile.time_formats, &at, &why)) {
    case WIRE_TIME_INSTANT:
        inv->now_ns = at;
        if (mgi_wire_time_near(inv->arena, at, inv->call.clock_ns,
                               s->settings.limits.eval_time_skew_ms, &why))
            return;
        break;
    case WIRE_TIME_NOW:
        return;
    case WIRE_TIME_OPEN:
        why = "\"_\" is no instant";
        break;
    case WIRE_TIME_BAD:
    case WIRE_TIME_UNSUPPORTED:
        break;
    }
    mgi_shape_fault(shape, "/eval_time", "%s", why ? why : "not a time");
}

static bool read_request(struct invocation *inv, const struct invoke_fault *faults,
                         struct wire_error *e)
{
    const struct json *payload = inv->call.payload;
    struct shape shape;
    mgi_shape_init(&shape, inv->arena);
    const struct json *id = mgi_json_get(payload, "macro_id");
    inv->sent_args = mgi_json_get(payload, "args");
    inv->token = mgi_json_get(payload, "confirmation_token");
    if (!id || id->type != JSON_STRING || id->string.len == 0)
        mgi_shape_fault(&shape, "/macro_id", "a non-empty string is required");
    else
        inv->macro_id = id->string;
    if (!inv->sent_args || inv->sent_args->type != JSON_OBJECT)
        mgi_shape_fault(&shape, "/args", "an object is required");
    if (inv->token && inv->token->type != JSON_NULL && inv->token->type != JSON_STRING)
        mgi_shape_fault(&shape, "/confirmation_token", "must be a string or null");
    read_eval_time(inv, &shape);
    for (const struct invoke_fault *f = faults; f && f->message; f++)
        mgi_shape_fault(&shape, f->pointer, "%s", f->message);
    bool failed = mgi_shape_failed(&shape, e);
    mgi_shape_fini(&shape);
    return !failed;
}

struct invocation *mgi_invocation_new(struct arena *arena, const struct invoke_call *call,
                                      const struct invoke_fault *faults, struct wire_error *e)
{
    struct invocation *inv = mgi_arena_calloc(arena, 1, sizeof *inv);
    if (!inv) {
        mgi_wire_error(e, arena, WIRE_INTERNAL_ERROR, "The server ran out of memory.");
        return NULL;
    }
    inv->arena = arena;
    inv->call = *call;
    inv->snapshot = call->snapshot;
    inv->begun_ns = (int64_t)uv_hrtime();
    inv->deadline_ns = inv->begun_ns + call->snapshot->settings.invocation_timeout_ms * NS_PER_MS;
    inv->now_ns = call->clock_ns;
    inv->last_percent = -1;
    return read_request(inv, faults, e) ? inv : NULL;
}

struct str mgi_invocation_macro_id(const struct invocation *inv)
{
    return inv->macro_id;
}

void mgi_invocation_rehost(struct invocation *inv, struct arena *arena,
                           const struct invoke_call *call, const struct invocation *by)
{
    const struct json *payload = inv->call.payload;
    struct str id = call->invocation_id.ptr ? call->invocation_id : inv->call.invocation_id;
    inv->arena = arena;
    inv->call = *call;
    inv->call.payload = payload;
    inv->call.invocation_id = id;
    inv->call.answers = NULL;
    if (!by)
        return;
    inv->consent = by->consent;
    inv->approver = mgi_arena_str(arena, by->approver);
    inv->nonce = mgi_arena_str(arena, by->nonce);
}

const struct json *mgi_invocation_args(const struct invocation *inv)
{
    return inv->sent_args;
}

/* ---- gate 11: the tool and its window ----------------------------------------------------- */

static const char expired[] = "The tool has expired; evaluate the intent again.";
static const char unknown[] = "There is no such tool; evaluate the intent again.";

static void macro_details(struct wire_error *e, struct arena *a, struct str id, const char *reason,
                          const struct evidence *window)
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
                         const char *reason, const struct evidence *window, const char *message)
{
    mgi_wire_error(e, a, code, "%s", message);
    macro_details(e, a, id, reason, window);
    return false;
}

/* Where several evaluations offered it: is the window of one of them open? If not, what is told is
 * of the one that opens next, or else closed last. */
static bool check_window(struct invocation *inv, struct wire_error *e)
{
    int64_t now_ns = inv->call.clock_ns;
    const struct evidence *next = NULL, *last = NULL, *open = NULL;
    for (size_t i = 0; i < inv->macro.evidence_count; i++) {
        const struct evidence *one = &inv->macro.evidence[i];
        if (now_ns >= one->not_before_ns && now_ns < one->expires_ns)
            open = !open || one->expires_ns > open->expires_ns ? one : open;
        if (now_ns < one->not_before_ns && (!next || one->not_before_ns < next->not_before_ns))
            next = one;
        if (!last || one->expires_ns > last->expires_ns)
            last = one;
    }
    if (open) {
        inv->macro.expires_ns = open->expires_ns;
        return true;
    }
    if (!next)
        return refuse_macro(e, inv->arena, WIRE_MACRO_EXPIRED, inv->macro_id, "expired", last,
                            expired);
    refuse_macro(e, inv->arena, WIRE_MACRO_EXPIRED, inv->macro_id, "not_yet_valid", next,
                 "The tool cannot be used yet.");
    e->retry_after_ms = (next->not_before_ns - now_ns) / NS_PER_MS + 1;
    return false;
}

/* The store did not answer: nothing is known, and the same request may work later. */
static bool refuse_for_store(struct invocation *inv, enum store_status status, struct wire_error *e)
{
    struct buf details = { 0 };
    if (status == STORE_NOMEM)
        return mgi_invocation_nomem(inv, e);
    mgi_wire_error(e, inv->arena, WIRE_SERVER_NOT_READY,
                   "The server cannot look up its tools at the moment.");
    mgi_buf_puts(&details, "{\"status\":\"degraded\"}");
    mgi_wire_details(e, inv->arena, &details);
    mgi_buf_fini(&details);
    e->retry_after_ms = STORE_RETRY_MS;
    return false;
}

static enum store_status noted(struct invocation *inv, enum store_status status)
{
    if (inv->call.notes) {
        inv->call.notes->asked = true;
        inv->call.notes->store = status;
    }
    return status;
}

static bool find_macro(struct invocation *inv, struct wire_error *e)
{
    static const char changed[] = "The rules have changed since; evaluate the intent again.";
    const struct invoke_call *call = &inv->call;
    struct arena *a = inv->arena;
    struct str id = inv->macro_id;
    struct macro_entry entry;
    enum macro_found found = MACRO_NOT_FOUND;
    enum store_status status = mgi_store_macro_get(call->store, mgi_principal_key(call->who), id,
                                                   call->clock_ns, a, &found, &entry);
    if (noted(inv, status))
        return refuse_for_store(inv, status, e);
    if (found == MACRO_EXPIRED)
        return refuse_macro(e, a, WIRE_MACRO_EXPIRED, id, "expired", NULL, expired);
    if (found == MACRO_NOT_FOUND || !mgi_macro_read(a, entry.definition, &inv->macro))
        return a->oom ? mgi_invocation_nomem(inv, e)
                      : refuse_macro(e, a, WIRE_MACRO_NOT_FOUND, id, NULL, NULL, unknown);
    if (!str_eq(inv->macro.rules_version, inv->snapshot->rules_version))
        return refuse_macro(e, a, WIRE_MACRO_EXPIRED, id, "superseded", NULL, changed);
    if (!check_window(inv, e))
        return false;
    inv->tool = mgi_snapshot_tool(inv->snapshot, inv->macro.tool);
    return inv->tool || refuse_macro(e, a, WIRE_MACRO_EXPIRED, id, "superseded", NULL, changed);
}

/* ---- gate 11: the rules, asked again --------------------------------------------------------- */

/* Nobody learns from the answer that a tool exists which is not for them (any more). */
static bool check_standing(struct invocation *inv, struct intent_worker *judge,
                           struct wire_error *e)
{
    const struct invoke_call *call = &inv->call;
    struct intent_call again = { .snapshot = inv->snapshot,
                                 .who = call->who,
                                 .clock_ns = call->clock_ns,
                                 .mono = mgi_invocation_mono,
                                 .cancelled = call->cancelled,
                                 .cancel_context = call->context,
                                 .store = call->store,
                                 .signing = call->signing,
                                 .log = call->log };
    enum standing standing;
    enum store_status store;
    if (!mgi_intent_stands(judge, &again, inv->arena, &inv->macro, &standing, &store, e))
        return store ? refuse_for_store(inv, noted(inv, store), e) : false;
    if (standing == STANDING_LAPSED)
        return refuse_macro(e, inv->arena, WIRE_MACRO_EXPIRED, inv->macro_id, "expired", NULL,
                            expired);
    return standing == STANDING_HOLDS ||
           refuse_macro(e, inv->arena, WIRE_MACRO_NOT_FOUND, inv->macro_id, NULL, NULL, unknown);
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

/* Against the schema as it was shown. Where rules have narrowed it, it is compiled here. */
static bool check_arguments(struct invocation *inv, struct wire_error *e)
{
    struct arena *a = inv->arena;
    struct schema_issues issues;
    mgi_schema_issues_init(&issues, a, 0);
    bool as_written = str_eq(inv->macro.input_schema.text, inv->tool->input_text);
    struct schema *narrowed =
        as_written ? NULL : mgi_schema_compile(&inv->macro.input_schema, 0, &issues);
    const struct schema *schema = as_written ? inv->tool->input : narrowed;
    if (!schema) {
        mgi_wire_error(e, a, WIRE_INTERNAL_ERROR, "The server could not read the tool's schema.");
        return false;
    }
    bool ok = mgi_schema_validate(schema, inv->sent_args, &issues);
    mgi_schema_free(narrowed);
    if (ok)
        return true;
    mgi_wire_error(e, a, WIRE_SCHEMA_VALIDATION_FAILED,
                   "The arguments do not fit the tool's input schema: %zu problem%s.", issues.count,
                   issues.count == 1 ? "" : "s");
    schema_details(e, a, &issues);
    return false;
}

/* ---- the whole --------------------------------------------------------------------------- */

static bool plan_has_menu(const struct tool *tool)
{
    for (size_t i = 0; i < tool->step_count; i++)
        if (tool->steps[i].menu)
            return true;
    return false;
}

/* Only a dry run may go without the consent that the tool needs. */
static bool check_consent(struct invocation *inv, struct wire_error *e)
{
    if (inv->call.answers)
        return mgi_confirm_check_answer(inv, e);
    if (inv->macro.waived)
        inv->consent = CONSENT_WAIVED;
    if (inv->macro.requires_confirmation)
        return (inv->call.dry_run && !mgi_confirm_is_given(inv)) || mgi_confirm_check(inv, e);
    /* Whoever brings one to a tool that may ask means an answer. If what asked is gone, nothing
     * begins anew: what it had done would be done again. */
    if (mgi_confirm_is_given(inv) && plan_has_menu(inv->tool))
        return mgi_confirm_refuse(inv, "expired", e);
    return true;
}

/* With the header of the run (toolhost.md 10.1, T-MCP-22). */
static void log_beginning(struct invocation *inv)
{
    const struct run_header *h = inv->call.header;
    struct buf header = { 0 };
    if (h)
        mgi_buf_printf(&header, ", run %.*s (%.*s, %.*s)", STR_ARG(h->run_id),
                       STR_ARG(h->spec_version), STR_ARG(h->profile_id));
    mgi_log(inv->call.log, LOG_INFO, "%s %.*s: %.*s for \"%s\", request \"%s\"%.*s",
            inv->call.dry_run ? "dry run" : "invocation", STR_ARG(inv->call.invocation_id),
            STR_ARG(inv->macro.tool),
            mgi_show(inv->arena, mgi_mask_identity(inv->snapshot, inv->call.who), 128),
            mgi_show(inv->arena, inv->call.request_id, RUN_REQUEST_BYTES),
            STR_ARG(mgi_buf_view(&header)));
    mgi_buf_fini(&header);
}

bool mgi_invocation_check(struct invocation *inv, struct intent_worker *judge, struct wire_error *e)
{
    if (!find_macro(inv, e) || (judge && !check_standing(inv, judge, e)) ||
        !check_arguments(inv, e))
        return false;
    if (!mgi_args_settle(inv) || !mgi_graph_make(inv))
        return mgi_invocation_nomem(inv, e);
    if (!check_consent(inv, e)) /* to what runs, so the arguments are settled before */
        return false;
    log_beginning(inv);
    return true;
}

bool mgi_invocation_is_timely(struct invocation *inv, int64_t clock_ns, struct wire_error *e)
{
    struct str id = inv->macro_id;
    if (clock_ns >= inv->macro.expires_ns)
        return refuse_macro(e, inv->arena, WIRE_MACRO_EXPIRED, id, "expired", NULL, expired);
    if (!mgi_principal_expired(inv->call.who, clock_ns))
        return true;
    mgi_wire_error(e, inv->arena, WIRE_AUTH_INVALID, "The credentials have expired.");
    e->details = STR_LIT("{\"reason\":\"expired\",\"schemes\":[\"bearer\"]}");
    return false;
}

bool mgi_invocation_is_consented(const struct invocation *inv)
{
    return inv->nonce.ptr != NULL;
}

bool mgi_invocation_spend(struct invocation *inv, struct wire_error *e)
{
    bool first = false;
    enum store_status status = mgi_store_spend(inv->call.store, inv->nonce, inv->nonce_issued_ns,
                                               inv->call.clock_ns, inv->nonce_until_ns, &first);
    if (noted(inv, status))
        return refuse_for_store(inv, status, e);
    return first || mgi_confirm_refuse(inv, "used", e);
}

/* Constants, so that it can be told where memory is short. */
void mgi_invocation_unknown(struct arena *arena, struct wire_error *e)
{
    mgi_wire_error(e, arena, WIRE_EXECUTION_FAILED,
                   "It began, but the server does not know how it ended.");
    e->details = STR_LIT("{\"reason\":\"unavailable\",\"indeterminate\":true}");
}
