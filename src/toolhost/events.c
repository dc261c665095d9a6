/* The events of the audit log: see events.h. Members of payloads are written in the order of their
 * names. */
#include "toolhost/events.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/encode.h"
#include "base/utf8.h"
#include "sys/digest.h"
#include "toolhost/tx_patch.h"

enum { EVENT_TEXT_BYTES = 256 }; /* of `err` and `reason` (T-AUD-6) */

void mgi_audit_about(struct host *h, const struct request *q)
{
    static const struct audit_subject nobody;
    h->audit.about = nobody;
    if (q)
        h->audit.about = (struct audit_subject){ q->run_id, q->request_id, q->step };
}

static void member_hex(struct json_writer *w, const char *name, const uint8_t *bytes, size_t len)
{
    char hex[2 * SHA256_BYTES + 1];
    mgi_hex(bytes, len, hex);
    mgi_jw_member_cstr(w, name, hex);
}

static void member_sha(struct json_writer *w, const char *name, struct str text)
{
    uint8_t sha[SHA256_BYTES];
    if (mgi_sha256(text.ptr, text.len, sha))
        member_hex(w, name, sha, sizeof sha);
    else
        w->out->oom = true;
}

static void member_text(struct json_writer *w, const char *name, struct str text)
{
    mgi_jw_member_str(w, name, mgi_utf8_prefix(text, EVENT_TEXT_BYTES));
}

/* What an AID of somebody else's making may look like; a request can call anything an AID. */
static bool is_name(struct str aid)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    for (size_t i = 0; i < aid.len; i++)
        if (!aid.ptr[i] || !strchr(allowed, aid.ptr[i]))
            return false;
    return aid.len > 0 && aid.len <= MAX_AID_BYTES;
}

/* T-LEASE-14: the first 8 digits of its SHA-256. */
static void member_token(struct json_writer *w, struct str token)
{
    uint8_t sha[SHA256_BYTES];
    if (mgi_sha256(token.ptr, token.len, sha))
        member_hex(w, "token8", sha, 4);
}

/* ---- the host, its plugin, its worker ------------------------------------------------------ */

void mgi_event_start(struct host *h, const char *mode)
{
    struct json_writer *w = mgi_audit_begin(&h->audit, "toolhost_start");
    if (!w)
        return;
    mgi_jw_member_bool(w, "enforcement", h->settings.lease_enforce);
    mgi_jw_member_cstr(w, "mode", mode);
    mgi_jw_member_int(w, "pid", getpid());
    mgi_jw_member_bool(w, "seccomp", h->settings.seccomp || h->provider.confine > CONFINE_OFF);
    mgi_audit_end(&h->audit);
}

static void write_totals(struct json_writer *w, const struct totals *t)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "calls", (int64_t)t->calls);
    mgi_jw_member_int(w, "cancelled", (int64_t)t->cancelled);
    mgi_jw_member_int(w, "crashes", (int64_t)t->crashes);
    mgi_jw_member_int(w, "idempotent_hits", (int64_t)t->hits);
    mgi_jw_member_int(w, "ok_calls", (int64_t)t->ok);
    mgi_jw_member_int(w, "timeouts", (int64_t)t->timeouts);
    mgi_jw_end_object(w);
}

void mgi_event_stop(struct host *h, const char *reason)
{
    struct json_writer *w = mgi_audit_begin(&h->audit, "toolhost_stop");
    if (!w)
        return;
    mgi_jw_member_cstr(w, "reason", reason);
    mgi_jw_key(w, "totals");
    write_totals(w, &h->totals);
    mgi_audit_end(&h->audit);
}

void mgi_event_plugin(struct host *h, const char *rejected)
{
    struct json_writer *w =
        mgi_audit_begin(&h->audit, rejected ? "plugin_rejected" : "plugin_loaded");
    if (!w)
        return;
    if (rejected) {
        member_text(w, "reason", str_of(rejected));
    } else {
        char abi[24], caps[16];
        snprintf(abi, sizeof abi, "%u.%u", h->tools.abi >> 16, h->tools.abi & 0xffff);
        snprintf(caps, sizeof caps, "0x%08x", h->tools.caps);
        mgi_jw_member_cstr(w, "abi", abi);
        mgi_jw_member_cstr(w, "caps", caps);
        member_hex(w, "sha256", h->plugin.sha, sizeof h->plugin.sha);
        mgi_jw_member_int(w, "tools", (int64_t)h->tools.count);
    }
    mgi_audit_end(&h->audit);
}

void mgi_event_worker_started(struct host *h)
{
    struct json_writer *w = mgi_audit_begin(&h->audit, "worker_started");
    if (!w)
        return;
    mgi_jw_member_int(w, "pid", h->link.pid);
    mgi_jw_member_int(w, "restarts", mgi_restarts_in_window(&h->restarts, mgi_now_ms()));
    mgi_audit_end(&h->audit);
}

void mgi_event_worker_ended(struct host *h, size_t leaked)
{
    const struct link *link = &h->link;
    struct json_writer *w = mgi_audit_begin(&h->audit, "worker_ended");
    if (!w)
        return;
    if (link->ended && !link->by_signal)
        mgi_jw_member_int(w, "exit", link->end_number);
    mgi_jw_member_int(w, "leaked", (int64_t)leaked);
    mgi_jw_member_int(w, "pid", link->pid);
    if (!link->ended || link->by_signal) /* one that lives is about to be killed */
        mgi_jw_member_int(w, "signal", link->ended ? link->end_number : SIGKILL);
    mgi_audit_end(&h->audit);
}

/* ---- requests ------------------------------------------------------------------------------ */

static void write_ok(struct json_writer *w, const struct call_event *e)
{
    char digest[65], fast[17];
    bool good = mgi_ds_digest(e->after, digest) && mgi_ds_digest_fast(e->after, fast);
    mgi_jw_member_str(w, "aid", e->tool->aid);
    mgi_jw_member_cstr(w, "ds_digest", good ? digest : "");
    mgi_jw_member_cstr(w, "ds_digest_fast", good ? fast : "");
    mgi_jw_member_int(w, "duration_ms", e->duration_ms);
    member_hex(w, "input_sha256", e->input_sha, SHA256_BYTES);
    mgi_jw_member_int(w, "output_bytes", (int64_t)e->outcome->output.len);
    member_sha(w, "output_sha256", e->outcome->output);
    mgi_jw_member_int(w, "tier", e->tool->tier);
    mgi_jw_key(w, "tx_patch");
    good = mgi_tx_patch_write(w, e->before, e->after, true) && good;
    w->out->oom |= !good;
}

static void write_failure(struct json_writer *w, const struct call_event *e)
{
    mgi_jw_member_str(w, "aid", e->tool->aid);
    mgi_jw_member_cstr(w, "code", mgi_outcome_word(e->outcome->code));
    mgi_jw_member_int(w, "duration_ms", e->duration_ms);
    member_text(w, "err", e->outcome->error);
    member_hex(w, "input_sha256", e->input_sha, SHA256_BYTES);
    mgi_jw_member_cstr(w, "status", mgi_status_word(e->outcome->status));
    mgi_jw_member_int(w, "tier", e->tool->tier);
}

void mgi_event_call(struct host *h, const struct call_event *e)
{
    bool good = e->outcome->status == TH_OK;
    struct json_writer *w = mgi_audit_begin(&h->audit, good ? "tool_ok" : "tool_error");
    if (!w)
        return;
    if (good)
        write_ok(w, e);
    else
        write_failure(w, e);
    mgi_audit_end(&h->audit);
}

void mgi_event_refused(struct host *h, struct str aid, enum refusal_code code)
{
    struct json_writer *w = mgi_audit_begin(&h->audit, "request_refused");
    if (!w)
        return;
    if (is_name(aid))
        mgi_jw_member_str(w, "aid", aid);
    mgi_jw_member_cstr(w, "code", mgi_refusal_word(code));
    mgi_audit_end(&h->audit);
}

static void key_event(struct host *h, const char *event, const struct idem_entry *e)
{
    struct json_writer *w = mgi_audit_begin(&h->audit, event);
    if (!w)
        return;
    mgi_jw_member_str(w, "aid", h->tools.items[e->tool].aid);
    member_hex(w, "key_sha256", e->key, sizeof e->key);
    mgi_audit_end(&h->audit);
}

void mgi_event_hit(struct host *h, const struct idem_entry *e)
{
    key_event(h, "idempotent_hit", e);
}

void mgi_event_evicted(void *host, const struct idem_entry *e)
{
    key_event(host, "idempotent_evicted", e);
}

/* ---- leases -------------------------------------------------------------------------------- */

void mgi_event_lease_issued(struct host *h, const struct lease *l, int64_t ttl_ms,
                            struct str issuer, struct str token)
{
    struct json_writer *w = mgi_audit_begin(&h->audit, "lease_issued");
    if (!w)
        return;
    mgi_jw_member_str(w, "issuer", issuer);
    mgi_jw_member_int(w, "tier", l->tier);
    member_token(w, token);
    mgi_jw_member_str(w, "tool_aid",
                      l->tool == LEASE_ANY_TOOL ? STR_LIT("*") : h->tools.items[l->tool].aid);
    mgi_jw_member_int(w, "ttl_ms", ttl_ms);
    mgi_audit_end(&h->audit);
}

void mgi_event_lease_consumed(struct host *h, struct str aid, int tier, struct str token)
{
    struct json_writer *w = mgi_audit_begin(&h->audit, "lease_consumed");
    if (!w)
        return;
    mgi_jw_member_str(w, "aid", aid);
    mgi_jw_member_int(w, "tier", tier);
    member_token(w, token);
    mgi_audit_end(&h->audit);
}

void mgi_event_lease_rejected(struct host *h, struct str aid, int tier, struct str token,
                              enum lease_verdict why)
{
    struct json_writer *w = mgi_audit_begin(&h->audit, "lease_rejected");
    if (!w)
        return;
    mgi_jw_member_str(w, "aid", aid);
    mgi_jw_member_cstr(w, "reason", mgi_lease_verdict_text(why));
    mgi_jw_member_int(w, "tier", tier);
    member_token(w, token);
    mgi_audit_end(&h->audit);
}

/* ---- breakers ------------------------------------------------------------------------------ */

void mgi_event_breaker(struct host *h, size_t tool, enum breaker_news news)
{
    if (news == BREAKER_SAME)
        return;
    const struct breaker *b = &h->breakers.items[tool];
    struct json_writer *w =
        mgi_audit_begin(&h->audit, news == BREAKER_OPENED ? "breaker_opened" : "breaker_closed");
    if (!w)
        return;
    mgi_jw_member_str(w, "aid", h->tools.items[tool].aid);
    mgi_jw_member_int(w, "failures", b->failures);
    mgi_jw_member_int(w, "retry_ms", mgi_breaker_wait(&h->breakers, tool, mgi_now_ms()));
    mgi_audit_end(&h->audit);
}
