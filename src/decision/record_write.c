/* The parts of a line, written. */
#include <string.h>

#include "base/encode.h"
#include "base/time.h"
#include "decision/record.h"
#include "sys/digest.h"

static const char *const kind_names[] = { "intent", "invocation", "lost" };

/* ---- who and what -------------------------------------------------------------------------- */

/* 16 bytes of a digest as text. */
static bool short_digest(struct str content, char out[33])
{
    uint8_t bytes[SHA256_BYTES];
    if (!mgi_sha256(content.ptr, content.len, bytes))
        return false;
    mgi_hex(bytes, 16, out);
    return true;
}

static void write_permissions(struct json_writer *w, struct mask *m, const struct principal *who)
{
    struct buf joined = { 0 };
    char digest[33];
    if (who->permission_count == 0)
        return;
    mgi_jw_key(w, "permissions");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < who->permission_count; i++) {
        mgi_mask_argument_text(m, w, "client_permission", 0, who->permissions[i]);
        mgi_buf_str(&joined, who->permissions[i]);
        mgi_buf_putc(&joined, '\n');
    }
    mgi_jw_end_array(w);
    if (!joined.oom && short_digest(mgi_buf_view(&joined), digest))
        mgi_jw_member_cstr(w, "permissions_digest", digest);
    w->out->oom |= joined.oom;
    mgi_buf_fini(&joined);
}

static void write_principal(struct json_writer *w, struct mask *m, const struct principal *who)
{
    static const char *const kinds[] = { "anonymous", "local", "known" };
    mgi_jw_key(w, "principal");
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "kind", kinds[who->kind]);
    mgi_jw_key(w, "identity");
    mgi_mask_argument_text(m, w, "client_identity", 0, who->identity);
    write_permissions(w, m, who);
    if (who->automated) {
        mgi_jw_member_cstr(w, "trust", "automated");
        mgi_jw_member_strs(w, "auto_confirm", who->auto_confirm, who->auto_confirm_count);
    }
    mgi_jw_end_object(w);
}

static void write_instant(struct json_writer *w, const char *name, int64_t ns)
{
    struct buf text = { 0 };
    mgi_time_print(&text, ns);
    mgi_jw_member_str(w, name, mgi_buf_view(&text));
    w->out->oom |= text.oom;
    mgi_buf_fini(&text);
}

void mgi_decision_begin(struct json_writer *w, struct mask *m, const struct decision_head *head)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "decision", 1);
    mgi_jw_member_cstr(w, "kind", kind_names[head->kind]);
    mgi_jw_member_cstr(w, "id", head->id);
    write_instant(w, "time", head->at_ns);
    if (head->request.ptr)
        mgi_jw_member_str(w, "request", head->request);
    mgi_jw_member_cstr(w, "transport", head->transport);
    if (head->traceparent.len > 0)
        mgi_jw_member_str(w, "traceparent", head->traceparent);
    if (head->who)
        write_principal(w, m, head->who);
    mgi_jw_member_str(w, "rules", m->s->rules_version);
    mgi_jw_member_str(w, "snapshot", m->s->digest);
    mgi_jw_member_str(w, head->kind == DECISION_INTENT ? "intent" : "macro_id", head->subject);
}

/* ---- what was asked ------------------------------------------------------------------------ */

/* Of what would have stood there. */
static void write_facts_digest(struct json_writer *w, struct mask *m, const struct json *facts)
{
    struct buf text = { 0 };
    struct json_writer scratch;
    char digest[33];
    mgi_json_writer_init(&scratch, &text, 0);
    mgi_mask_facts(m, &scratch, facts);
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "count", facts->type == JSON_ARRAY ? facts->count : 0);
    if (!text.oom && short_digest(mgi_buf_view(&text), digest))
        mgi_jw_member_cstr(w, "sha256", digest);
    mgi_jw_end_object(w);
    w->out->oom |= text.oom;
    mgi_buf_fini(&text);
}

/* Known members of a payload are as harmless as numbers; of others nobody knows what they hold. */
static void write_other(struct json_writer *w, struct mask *m, const struct json_member *member)
{
    static const char *const harmless[] = { "constraints", "options", "eval_time", "macro_id" };
    bool known = m->s->masking.count == 0;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        known |= str_is(member->name, harmless[i]);
    mgi_jw_key_str(w, member->name);
    if (known)
        mgi_jw_value(w, &member->value);
    else
        mgi_mask_unknown(m, w, &member->value);
}

static void write_asked_intent(struct json_writer *w, struct mask *m, const struct json *intent)
{
    if (intent->type != JSON_OBJECT) {
        mgi_mask_unknown(m, w, intent);
        return;
    }
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; i < intent->count; i++) {
        const struct json_member *member = &intent->members[i];
        mgi_jw_key_str(w, member->name);
        if (str_is(member->name, "params"))
            mgi_mask_params(m, w, &member->value);
        else if (str_is(member->name, "name"))
            mgi_jw_value(w, &member->value);
        else
            mgi_mask_unknown(m, w, &member->value);
    }
    mgi_jw_end_object(w);
}

void mgi_decision_intent(struct json_writer *w, struct mask *m, const struct json *payload,
                         bool digest)
{
    mgi_jw_key(w, "asked");
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; i < payload->count; i++) {
        const struct json_member *member = &payload->members[i];
        bool facts = str_is(member->name, "facts"), intent = str_is(member->name, "intent");
        if (!facts && !intent) {
            write_other(w, m, member);
            continue;
        }
        mgi_jw_key_str(w, member->name);
        if (intent)
            write_asked_intent(w, m, &member->value);
        else if (digest)
            write_facts_digest(w, m, &member->value);
        else
            mgi_mask_facts(m, w, &member->value);
    }
    mgi_jw_end_object(w);
}

static void write_too_large(struct json_writer *w, size_t bytes)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "too_large", (int64_t)bytes);
    mgi_jw_end_object(w);
}

void mgi_decision_large(struct json_writer *w, size_t bytes)
{
    mgi_jw_key(w, "asked");
    write_too_large(w, bytes);
}

void mgi_decision_invocation(struct json_writer *w, struct mask *m, const struct json *payload,
                             const struct tool *tool)
{
    mgi_jw_key(w, "asked");
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; i < payload->count; i++) {
        const struct json_member *member = &payload->members[i];
        if (str_is(member->name, "args")) {
            mgi_jw_key_str(w, member->name);
            mgi_mask_args(m, w, tool, &member->value);
        } else if (str_is(member->name, "confirmation_token")) {
            if (member->value.type != JSON_NULL)
                mgi_jw_member_cstr(w, "confirmation_token", "***");
        } else {
            write_other(w, m, member);
        }
    }
    mgi_jw_end_object(w);
}

/* ---- what became of it --------------------------------------------------------------------- */

static void write_details(struct json_writer *w, struct mask *m, const struct tool *tool,
                          struct str text)
{
    struct json details;
    struct json_options options = { .max_depth = JSON_MAX_DEPTH };
    if (text.len > DECISION_LINE_MAX) {
        mgi_jw_key(w, "details");
        write_too_large(w, text.len);
    } else if (text.len > 0) {
        enum json_fault parsed = mgi_json_parse(m->arena, text, &options, &details, NULL);
        w->out->oom |= parsed == JSON_NOMEM;
        if (parsed == JSON_OK) {
            mgi_jw_key(w, "details");
            mgi_mask_details(m, w, tool, &details);
        }
    }
}

void mgi_decision_error(struct json_writer *w, struct mask *m, const struct tool *tool,
                        const struct wire_error *e)
{
    mgi_jw_key(w, "outcome");
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "code", mgi_wire_code(e->code)->name);
    mgi_jw_key(w, "message");
    mgi_mask_text(m, w, str_of(e->message));
    write_details(w, m, tool, e->details);
    mgi_jw_end_object(w);
}

void mgi_decision_end(struct json_writer *w, const struct mask *m, const struct decision_tail *tail)
{
    mgi_jw_member_int(w, "masked", (int64_t)m->masked);
    if (tail->masked_inputs > 0)
        mgi_jw_member_int(w, "masked_inputs", (int64_t)tail->masked_inputs);
    if (tail->replayed)
        mgi_jw_member_bool(w, "replayed", true);
    if (tail->dry_run)
        mgi_jw_member_bool(w, "dry_run", true);
    if (tail->extension_fault)
        mgi_jw_member_bool(w, "extension_fault", true);
    mgi_jw_key(w, "timing");
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "total_us", tail->total_ns / NS_PER_US);
    mgi_jw_member_int(w, "waited_us", tail->waited_ns / NS_PER_US);
    mgi_jw_member_int(w, "worked_us", tail->worked_ns / NS_PER_US);
    mgi_jw_member_int(w, "rules_us", tail->rules_ns / NS_PER_US);
    mgi_jw_end_object(w);
    mgi_jw_end_object(w);
    mgi_buf_putc(w->out, '\n');
}

bool mgi_decision_answer_digest(struct str payload, char out[33])
{
    static const struct str duration = { "\"eval_duration_ms\":", 19 };
    /* Before it there is only the evaluation time, which the record has. */
    size_t at = mgi_str_find(payload, duration);
    size_t end = at == SIZE_MAX ? 0 : at + duration.len;
    while (end > 0 && end < payload.len && payload.ptr[end] >= '0' && payload.ptr[end] <= '9')
        end++;
    if (end == 0) { /* nobody measured it */
        const char *comma = memchr(payload.ptr, ',', payload.len);
        end = comma ? (size_t)(comma - payload.ptr) : 0;
    }
    return short_digest((struct str){ payload.ptr + end, payload.len - end }, out);
}
