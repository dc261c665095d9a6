/* The parts of a line, written. */
#include <string.h>

#include "base/encode.h"
#include "base/time.h"
#include "decision/mask_int.h"
#include "decision/record_int.h"
#include "protocol/wire_time.h"
#include "sys/digest.h"

static const char *const kind_names[] = { "intent", "invocation", "consent", "lost" };

/* ---- who and what -------------------------------------------------------------------------- */

bool mgi_decision_short_digest(struct str content, char out[33])
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
    if (mgi_masks_anything(m))
        mgi_mask_digest(m, w, "permissions_digest", mgi_buf_view(&joined));
    else if (!joined.oom && mgi_decision_short_digest(mgi_buf_view(&joined), digest))
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

void mgi_decision_begin(struct json_writer *w, struct mask *m, const struct decision_head *head)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "decision", 1);
    mgi_jw_member_cstr(w, "kind", kind_names[head->kind]);
    mgi_jw_member_cstr(w, "id", head->id);
    mgi_jw_key(w, "time");
    mgi_wire_time_write(w, head->at_ns);
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

/* ---- what became of it --------------------------------------------------------------------- */

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

void mgi_decision_consent(struct json_writer *w, struct mask *m, const struct decision_consent *c)
{
    const struct decision_tail none = { 0 };
    mgi_jw_key(w, "asked");
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "challenge", c->challenge);
    mgi_jw_member_str(w, "tool", c->tool);
    mgi_jw_key(w, "who");
    mgi_mask_argument_text(m, w, "client_identity", 0, c->asker);
    mgi_jw_member_bool(w, "approve", c->approve);
    mgi_jw_end_object(w);
    mgi_jw_key(w, "outcome");
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "code", c->given ? "approved" : "refused");
    mgi_jw_end_object(w);
    mgi_decision_end(w, m, &none);
}

/* Names that there are. What else somebody asked for may be anything; what was answered is of facts
 * that might be, and is not recorded. */
static void write_why_not(struct json_writer *w, const struct mask *m, const struct json *tools)
{
    mgi_jw_key(w, "why_not");
    mgi_jw_begin_array(w);
    for (uint32_t i = 0; i < tools->count; i++) {
        const struct tool *tool = mgi_snapshot_tool(m->s, tools->items[i].string);
        mgi_jw_string(w, tool ? tool->name : mgi_mask_shown);
    }
    mgi_jw_end_array(w);
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
    if (tail->why_not)
        write_why_not(w, m, tail->why_not);
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

/* Behind its evaluation time, which the record has, and how long it took. */
static struct str what_was_decided(struct str answer)
{
    static const struct str duration = { "\"eval_duration_ms\":", 19 };
    size_t at = mgi_str_find(answer, duration);
    size_t end = at == SIZE_MAX ? 0 : at + duration.len;
    while (end > 0 && end < answer.len && answer.ptr[end] >= '0' && answer.ptr[end] <= '9')
        end++;
    if (end == 0) { /* nobody measured it */
        const char *comma = memchr(answer.ptr, ',', answer.len);
        end = comma ? (size_t)(comma - answer.ptr) : 0;
    }
    return (struct str){ answer.ptr + end, answer.len - end };
}

void mgi_decision_answer(struct json_writer *w, struct mask *m, struct str answer)
{
    struct str text = what_was_decided(answer);
    if (mgi_masks_anything(m)) {
        mgi_mask_digest(m, w, "answer", text);
        return;
    }
    /* No secret is in it, and nobody gains by two answers with one sum: a record is checked by
     * making the decision again. SHA-256 would be a third of what the whole record costs. */
    uint64_t sum = mgi_hash_bytes(text.ptr, text.len, 0);
    char hex[2 * sizeof sum + 1];
    mgi_hex((const uint8_t *)&sum, sizeof sum, hex);
    mgi_jw_member_cstr(w, "answer", hex);
}
