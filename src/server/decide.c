/* What a decision log gets to know of a request: its record is made where the request is, in parts.
 *
 *     worker  asked     what was asked, once it is known what has to be masked in it
 *     worker  decided   what came of it (of an intent, intent/ writes it)
 *     loop    end       what is left: times, and the outcome of what no worker has seen
 *
 * A record that memory is short for is lost and counted; the request goes on. */
#include <string.h>

#include "base/utf8.h"
#include "decision/record.h"
#include "server/server_int.h"

#define USUAL_BYTES   2048
#define SUBJECT_BYTES 128 /* of a name that may be as long as a message */

struct decision_record {
    struct json_writer w; /* into the request's record_text */
    struct mask mask;
    size_t masked_inputs;
    bool decided; /* it has an outcome */
};

struct str mgi_request_subject(const struct request *r)
{
    const struct json *v = NULL;
    if (r->parsed_ok && r->envelope.type == MSG_INTENT_REQUEST) {
        v = mgi_json_get(r->envelope.payload, "intent");
        v = v && v->type == JSON_OBJECT ? mgi_json_get(v, "name") : NULL;
    } else if (r->parsed_ok && r->envelope.type == MSG_INVOKE_REQUEST) {
        v = mgi_json_get(r->envelope.payload, "macro_id");
    }
    return v && v->type == JSON_STRING ? v->string : STR_LIT("");
}

/* Who shows no credentials that are good writes nothing to the disk: that is only counted. */
static bool is_recorded(const struct request *r)
{
    bool nobody = r->error.code == WIRE_AUTH_REQUIRED || r->error.code == WIRE_AUTH_INVALID;
    return r->server->options.decisions && r->parsed_ok && !nobody &&
           (r->envelope.type == MSG_INTENT_REQUEST || r->envelope.type == MSG_INVOKE_REQUEST);
}

/* With room for so many bytes, in one piece. */
static void write_head(struct request *r, size_t room)
{
    struct decision_record *d = r->record;
    const struct decision_settings *settings = r->server->options.decisions;
    struct str trace = r->envelope.traceparent;
    struct decision_head head = {
        .kind = r->envelope.type == MSG_INTENT_REQUEST ? DECISION_INTENT : DECISION_INVOCATION,
        .id = r->record_id,
        .at_ns = r->judged_ns ? r->judged_ns : mgi_server_clock_ns(r->server),
        .request = r->envelope.id,
        .transport = r->peer->transport->name,
        .traceparent = trace.len > 0 ? trace : r->peer->traceparent,
        .who = r->who,
        .subject = mgi_utf8_prefix(mgi_request_subject(r), SUBJECT_BYTES),
    };
    mgi_buf_clear(&r->record_text);
    (void)mgi_buf_reserve(&r->record_text, room);
    mgi_json_writer_init(&d->w, &r->record_text, 0);
    mgi_mask_fini(&d->mask);
    mgi_mask_init(&d->mask, r->served->snapshot, &r->arena, settings->key);
    mgi_decision_begin(&d->w, &d->mask, &head);
}

/* False: nobody asks, or memory is short. */
static bool begin_record(struct request *r, size_t room)
{
    if (r->record || !is_recorded(r))
        return r->record != NULL;
    r->record = mgi_arena_calloc(&r->arena, 1, sizeof *r->record);
    if (!r->record)
        return false;
    mgi_decision_log_id(r->server->options.decisions->log, r->record_id);
    write_head(r, room);
    return true;
}

static const struct tool *tool_of(const struct request *r)
{
    return r->invocation ? mgi_invocation_tool(r->invocation) : NULL;
}

static void write_asked(struct request *r, bool digest)
{
    struct decision_record *d = r->record;
    if (r->envelope.type == MSG_INTENT_REQUEST)
        mgi_decision_intent(&d->w, &d->mask, r->envelope.payload, digest);
    else
        mgi_decision_invocation(&d->w, &d->mask, r->envelope.payload, tool_of(r));
    d->masked_inputs = d->mask.masked;
}

bool mgi_decide_asked(struct request *r, struct intent_record *out)
{
    bool digest = r->server->options.decisions && r->server->options.decisions->digest_facts;
    size_t asked = digest || r->text.len > DECISION_LINE_MAX ? 0 : r->text.len;
    if (!begin_record(r, asked + USUAL_BYTES))
        return false;
    struct decision_record *d = r->record;
    write_asked(r, digest);
    if (r->record_text.len > DECISION_LINE_MAX && r->envelope.type == MSG_INTENT_REQUEST) {
        write_head(r, USUAL_BYTES);
        write_asked(r, true);
    }
    if (r->record_text.len > DECISION_LINE_MAX) { /* and those were not its facts */
        write_head(r, USUAL_BYTES);
        mgi_decision_large(&d->w, r->text.len);
    }
    *out = (struct intent_record){ &d->w, &d->mask };
    return true;
}

void mgi_decide_evaluated(struct request *r)
{
    if (r->record)
        r->record->decided = true;
}

/* ---- invocations --------------------------------------------------------------------------- */

/* The payload of the answer: what came out, and what changed. */
static void write_success(struct request *r)
{
    struct decision_record *d = r->record;
    struct str text = { r->answer.ptr + r->payload_start, r->payload_len };
    struct json_options options = { .max_depth = JSON_MAX_DEPTH };
    struct json payload = { .type = JSON_NULL };
    mgi_jw_key(&d->w, "outcome");
    mgi_jw_begin_object(&d->w);
    mgi_jw_member_cstr(&d->w, "code", "ok");
    if (text.len > DECISION_LINE_MAX) {
        mgi_jw_key(&d->w, "result");
        mgi_jw_null(&d->w);
        mgi_jw_member_int(&d->w, "too_large", (int64_t)text.len);
    } else if (mgi_json_parse(&r->arena, text, &options, &payload, NULL) == JSON_OK) {
        const struct json *result = mgi_json_get(&payload, "result");
        const struct json *delta = mgi_json_get(&payload, "state_delta");
        mgi_jw_key(&d->w, "result");
        if (result)
            mgi_mask_result(&d->mask, &d->w, tool_of(r), result);
        else
            mgi_jw_null(&d->w);
        if (delta) {
            mgi_jw_key(&d->w, "state_delta");
            mgi_mask_details(&d->mask, &d->w, NULL, delta);
        }
    } else {
        r->record_text.oom = true;
    }
    mgi_jw_end_object(&d->w);
}

static void write_failure(struct request *r)
{
    mgi_decision_error(&r->record->w, &r->record->mask, tool_of(r), &r->error);
}

void mgi_decide_invocation(struct request *r, bool concluded)
{
    struct intent_record unused;
    if (r->lapse_why)
        return;
    if (!r->record && !mgi_decide_asked(r, &unused))
        return;
    if (r->replay.ptr || r->record->decided || (!concluded && r->error.code == WIRE_OK))
        return;
    if (r->invocation) {
        mgi_invocation_record(r->invocation, &r->record->w, &r->record->mask);
        mgi_invocation_hide(r->invocation, &r->record->mask);
    }
    if (r->error.code == WIRE_OK)
        write_success(r);
    else
        write_failure(r);
    r->record->decided = true;
}

/* ---- the end ------------------------------------------------------------------------------- */

/* Without details: a worker has written all that has some. */
static void write_short_outcome(struct request *r)
{
    struct json_writer *w = &r->record->w;
    enum wire_code code = r->replay.ptr ? r->replay_code : r->error.code;
    mgi_jw_key(w, "outcome");
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "code", code == WIRE_OK ? "ok" : mgi_wire_code(code)->name);
    if (code != WIRE_OK && !r->replay.ptr) {
        mgi_jw_key(w, "message");
        mgi_mask_text(&r->record->mask, w, str_of(r->error.message));
    }
    mgi_jw_end_object(w);
}

void mgi_decide_end(struct request *r, int64_t total_ns)
{
    if (!begin_record(r, USUAL_BYTES)) {
        struct buf none = { .oom = true };
        if (is_recorded(r))
            (void)mgi_decision_log_put(r->server->options.decisions->log, &none);
        return;
    }
    struct decision_record *d = r->record;
    if (!d->decided)
        write_short_outcome(r);
    struct decision_tail tail = { .masked_inputs = d->masked_inputs,
                                  .replayed = r->replayed,
                                  .dry_run = r->envelope.dry_run,
                                  .why_not = r->envelope.why_not,
                                  .extension_fault = r->envelope.why_not_fault != NULL,
                                  .total_ns = total_ns,
                                  .waited_ns = r->waited_ns,
                                  .worked_ns = r->worked_ns,
                                  .rules_ns = r->intent_notes.rules_ns };
    mgi_decision_end(&d->w, &d->mask, &tail);
    (void)mgi_decision_log_put(r->server->options.decisions->log, &r->record_text);
    mgi_mask_fini(&d->mask);
    r->record = NULL;
}
