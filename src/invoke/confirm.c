/* Confirmation: a model must not be able to give it to itself.
 *
 * A call without a token is answered with a *challenge* and what the user has to be shown. The
 * challenge is `v1.<issue ms>.<nonce>.<tag>`: an HMAC by the server over macro id, canonical
 * arguments, principal, issue time and nonce (D-45), so nothing is remembered for it. It is
 * answered by
 *
 *     <challenge>.<tag>  signed with the principal's confirmation key, which the host program holds
 *     <challenge>        once a person has approved it out of band
 *     v1.….<tag>         made by the client with that key, only where so configured
 *
 * The nonce is spent when execution starts, not on an earlier rejection (D-46): here it is only
 * noted.
 *
 * A chain may ask, too (a menu): for one call of an action with its inputs. That challenge stands
 * besides for the digest of the call (select/menu_step.h), its nonce is the invocation's id and the
 * how manyth question it is, and a client cannot make its own. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/time.h"
#include "invoke/invoke_int.h"
#include "protocol/wire_time.h"
#include "sys/digest.h"
#include "base/encode.h"
#include "select/menu_step.h"

#define TAG_CHARS  43 /* base64url of 32 bytes */
#define CLOCK_SKEW (60 * NS_PER_SEC)
#define MAX_TOKEN  512

/* ---- tags -------------------------------------------------------------------------------- */

/* What a challenge stands for, as bytes: macro id, canonical arguments (T-INP-6), principal, issue
 * time and nonce, each behind its length and a colon, so that none runs into the next. Our own tags
 * stand for the whole digest of the definition, too, which clients do not know. */
static bool bound_text(struct buf *out, const struct invocation *inv, struct str issued,
                       struct str nonce, bool whole)
{
    const struct invocation *asks = inv->asking ? inv : inv->call.answers;
    struct buf canonical = { 0 };
    mgi_json_canonical(&canonical, inv->sent_args);
    const struct principal *who = inv->call.who;
    const struct str parts[] = { inv->macro.macro_id,
                                 mgi_buf_view(&canonical),
                                 whole ? mgi_principal_key(who) : who->identity,
                                 issued,
                                 nonce,
                                 inv->macro.digest,
                                 asks ? str_of(mgi_chain_ask(asks)->digest) : STR_LIT("") };
    size_t count = sizeof parts / sizeof *parts - !asks;
    for (size_t i = 0; i < (whole ? count : 5); i++) {
        mgi_buf_printf(out, "%zu:", parts[i].len);
        mgi_buf_str(out, parts[i]);
    }
    bool ok = !canonical.oom && !out->oom;
    mgi_buf_fini(&canonical);
    return ok;
}

static bool make_tag(struct str key, struct str text, char tag[TAG_CHARS + 1])
{
    uint8_t mac[SHA256_BYTES];
    if (!mgi_hmac_sha256(key, text.ptr, text.len, mac))
        return false;
    return mgi_base64url_encode(mac, sizeof mac, tag) == TAG_CHARS;
}

/* *nomem is set if nobody knows. */
static bool tag_is(struct str tag, struct str key, struct str text, bool *nomem)
{
    char expected[TAG_CHARS + 1];
    if (key.len == 0 || tag.len != TAG_CHARS)
        return false;
    if (make_tag(key, text, expected))
        return mgi_equal_constant_time(tag.ptr, expected, TAG_CHARS);
    *nomem = true;
    return false;
}

struct str mgi_confirmation_sign(struct arena *a, struct str challenge, struct str key)
{
    char tag[TAG_CHARS + 1];
    if (!make_tag(key, challenge, tag))
        return (struct str){ NULL, 0 };
    char *token = mgi_arena_printf(a, "%.*s.%s", STR_ARG(challenge), tag);
    return token ? str_of(token) : (struct str){ NULL, 0 };
}

/* ---- asking ------------------------------------------------------------------------------ */

static struct str make_challenge(const struct invocation *inv, struct str nonce)
{
    const struct invoke_call *call = &inv->call;
    char issued[24], tag[TAG_CHARS + 1];
    struct buf text = { 0 };
    char *challenge = NULL;
    snprintf(issued, sizeof issued, "%" PRId64, call->clock_ns / NS_PER_MS);
    if (bound_text(&text, inv, str_of(issued), nonce, true) &&
        make_tag(call->keys->server_key, mgi_buf_view(&text), tag))
        challenge = mgi_arena_printf(inv->arena, "v1.%s.%.*s.%s", issued, STR_ARG(nonce), tag);
    mgi_buf_fini(&text);
    return challenge ? str_of(challenge) : (struct str){ NULL, 0 };
}

static void write_effects(struct json_writer *w, const struct macro *m)
{
    mgi_jw_member_strs(w, "side_effects", m->effects, m->effect_count);
    mgi_jw_member_bool(w, "reversible", m->reversible);
}

static int64_t life_ns(const struct invocation *inv)
{
    return inv->snapshot->settings.confirmation_ttl_ms * NS_PER_MS;
}

static struct str caller_name(const struct principal *who)
{
    return who->kind == PRINCIPAL_ANONYMOUS ? STR_LIT("anonymous") : who->identity;
}

/* What runs is what is consented to: the values that rules filled in, too. Who approves out of band
 * sees them all. */
static void write_call(const struct invocation *inv, struct json_writer *w, bool whole)
{
    mgi_jw_member_str(w, "tool", inv->tool->name);
    mgi_jw_member_str(w, "description", inv->tool->description);
    mgi_args_write(inv, w);
    if (inv->macro.bound_count > 0)
        mgi_args_write_bound(inv, w, whole);
}

/* What a menu asks: the question, the action, and what it would be given. */
static void write_ask(const struct invocation *inv, struct json_writer *w)
{
    if (!inv->asking)
        return;
    const struct menu_step_ask *ask = mgi_chain_ask(inv);
    mgi_jw_member_str(w, "question", ask->question);
    mgi_jw_member_str(w, "step", inv->asking->step->id);
    mgi_jw_member_str(w, "action", ask->name);
    mgi_jw_key(w, "inputs");
    mgi_jw_value(w, ask->inputs);
}

/* For who approves out of band: the same, and who asks. */
static void tell_approvers(const struct invocation *inv, struct str challenge)
{
    const struct invoke_call *call = &inv->call;
    const struct macro *m = &inv->macro;
    int64_t until_ns = call->clock_ns + life_ns(inv);
    struct buf text = { 0 };
    struct json_writer w;
    if (!call->keys->asked)
        return;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "who", caller_name(call->who));
    write_call(inv, &w, true);
    write_ask(inv, &w);
    write_effects(&w, m);
    mgi_jw_member_str(&w, "macro_id", m->macro_id);
    mgi_jw_key(&w, "expires_at");
    mgi_wire_time_write(&w, until_ns);
    mgi_jw_end_object(&w);
    if (!text.oom)
        call->keys->asked(call->keys->context, call->who, challenge, mgi_buf_view(&text),
                          call->clock_ns, until_ns);
    mgi_buf_fini(&text);
}

void mgi_confirm_write_show(const struct invocation *inv, struct json_writer *w)
{
    mgi_jw_begin_object(w);
    write_call(inv, w, mgi_principal_may_ask_why(inv->call.who));
    write_ask(inv, w);
    mgi_jw_end_object(w);
}

static bool ask(struct invocation *inv, struct str nonce, const char *message, struct wire_error *e)
{
    struct arena *a = inv->arena;
    const struct macro *m = &inv->macro;
    struct str challenge = make_challenge(inv, nonce);
    if (!challenge.ptr)
        return mgi_invocation_nomem(inv, e);
    tell_approvers(inv, challenge);
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "macro_id", m->macro_id);
    write_effects(&w, m);
    mgi_jw_member_str(&w, "challenge", challenge);
    mgi_jw_key(&w, "expires_at");
    mgi_wire_time_write(&w, inv->call.clock_ns + life_ns(inv));
    mgi_jw_key(&w, "show");
    mgi_confirm_write_show(inv, &w);
    if (inv->asking) { /* what has happened meanwhile */
        mgi_jw_member_str(&w, "invocation_id", inv->call.invocation_id);
        mgi_completed_write(inv, &w);
        mgi_observability_write(inv, &w, (struct str){ NULL, 0 }, NULL);
    }
    mgi_jw_end_object(&w);
    mgi_wire_error(e, a, WIRE_CONFIRMATION_REQUIRED, "%s", message);
    mgi_wire_details(e, a, &text);
    mgi_buf_fini(&text);
    return false;
}

/* ---- judging ----------------------------------------------------------------------------- */

bool mgi_confirm_refuse(struct invocation *inv, const char *reason, struct wire_error *e)
{
    struct arena *a = inv->arena;
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "macro_id", inv->macro.macro_id);
    mgi_jw_member_cstr(&w, "reason", reason);
    mgi_jw_end_object(&w);
    mgi_wire_error(e, a, WIRE_CONFIRMATION_INVALID, "The confirmation is not accepted.");
    mgi_wire_details(e, a, &text);
    mgi_buf_fini(&text);
    return false;
}

/* The parts of "v1.<issued>.<nonce>.<tag>[.<answer>]". */
struct token {
    struct str challenge, issued, nonce, tag, answer;
    int64_t issued_ns;
};

static bool cut(struct str *rest, struct str *part)
{
    const char *dot = rest->len ? memchr(rest->ptr, '.', rest->len) : NULL;
    if (!dot)
        return false;
    *part = (struct str){ rest->ptr, (size_t)(dot - rest->ptr) };
    rest->len -= part->len + 1;
    rest->ptr = dot + 1;
    return part->len > 0;
}

static bool read_token(struct str text, struct token *out)
{
    struct str rest = text, version;
    *out = (struct token){ .challenge = text };
    if (text.len > MAX_TOKEN || !cut(&rest, &version) || !str_is(version, "v1") ||
        !cut(&rest, &out->issued) || !cut(&rest, &out->nonce))
        return false;
    out->tag = rest;
    const char *dot = rest.len ? memchr(rest.ptr, '.', rest.len) : NULL;
    if (dot) {
        out->tag.len = (size_t)(dot - rest.ptr);
        out->answer = (struct str){ dot + 1, rest.len - out->tag.len - 1 };
        out->challenge.len = (size_t)(dot - text.ptr);
        if (out->answer.len == 0)
            return false; /* one text for each token */
    }
    int64_t ms = 0;
    for (size_t i = 0; i < out->issued.len; i++) {
        char c = out->issued.ptr[i];
        if (c < '0' || c > '9' || i >= 15)
            return false;
        ms = ms * 10 + (c - '0');
    }
    if (ms > INT64_MAX / NS_PER_MS)
        return false;
    out->issued_ns = ms * NS_PER_MS;
    return true;
}

/* Did a person approve it out of band? Who it was, is kept. */
static bool is_approved(struct invocation *inv, const struct token *t, bool *nomem)
{
    const struct confirmation_keys *keys = inv->call.keys;
    struct buf by = { 0 };
    bool approved =
        t->answer.len == 0 && keys->approved && keys->approved(keys->context, t->challenge, &by);
    if (approved)
        inv->approver = mgi_arena_str(inv->arena, mgi_buf_view(&by));
    *nomem |= by.oom || (approved && !inv->approver.ptr);
    mgi_buf_fini(&by);
    return approved;
}

/* Who with authority stands behind it, for exactly this call? CONSENT_NONE: nobody. *nomem is set
 * if nobody knows. */
static enum consent consent_of(struct invocation *inv, const struct token *t, bool *nomem)
{
    struct buf text = { 0 }, short_text = { 0 };
    const struct confirmation_keys *keys = inv->call.keys;
    struct str key = inv->call.who->confirm_key;
    enum consent given = CONSENT_NONE;
    bool ok = bound_text(&text, inv, t->issued, t->nonce, true) &&
              bound_text(&short_text, inv, t->issued, t->nonce, false);
    *nomem |= !ok;
    bool ours = ok && tag_is(t->tag, keys->server_key, mgi_buf_view(&text), nomem);
    if (ours && t->answer.len > 0 && tag_is(t->answer, key, t->challenge, nomem))
        given = CONSENT_SIGNED;
    else if (ours && is_approved(inv, t, nomem))
        given = CONSENT_APPROVED;
    else if (ok && !inv->call.answers && inv->call.who->makes_confirmations && t->answer.len == 0 &&
             t->issued_ns >= keys->started_ns &&
             tag_is(t->tag, key, mgi_buf_view(&short_text), nomem))
        given = CONSENT_CLIENT_MADE;
    mgi_buf_fini(&text);
    mgi_buf_fini(&short_text);
    return *nomem ? CONSENT_NONE : given;
}

bool mgi_confirm_is_given(const struct invocation *inv)
{
    return inv->token && inv->token->type == JSON_STRING && inv->token->string.len > 0;
}

/* What a client thinks of may be what another one did. ptr NULL: memory. */
static struct str own_nonce(struct invocation *inv, struct str nonce)
{
    const char *text = mgi_arena_printf(inv->arena, "%.*s%c%.*s", STR_ARG(inv->call.who->identity),
                                        PRINCIPAL_KEY_MARK, STR_ARG(nonce));
    return text ? str_of(text) : (struct str){ NULL, 0 };
}

bool mgi_confirm_check(struct invocation *inv, struct wire_error *e)
{
    struct token t;
    int64_t now_ns = inv->call.clock_ns;
    if (!mgi_confirm_is_given(inv))
        return ask(inv, inv->call.invocation_id, "This tool needs the user's confirmation.", e);
    if (!read_token(inv->token->string, &t))
        return mgi_confirm_refuse(inv, "malformed", e);
    bool nomem = false;
    enum consent given = consent_of(inv, &t, &nomem);
    if (given == CONSENT_NONE)
        return nomem ? mgi_invocation_nomem(inv, e) : mgi_confirm_refuse(inv, "mismatch", e);
    int64_t until_ns = t.issued_ns + life_ns(inv);
    if (now_ns > until_ns || t.issued_ns > now_ns + CLOCK_SKEW)
        return mgi_confirm_refuse(inv, "expired", e);
    inv->consent = given;
    inv->nonce = given == CONSENT_CLIENT_MADE ? own_nonce(inv, t.nonce) : t.nonce;
    if (!inv->nonce.ptr)
        return mgi_invocation_nomem(inv, e);
    inv->nonce_issued_ns = t.issued_ns;
    inv->nonce_until_ns = until_ns + CLOCK_SKEW;
    return true;
}

/* ---- what a chain asks --------------------------------------------------------------------- */

void mgi_invocation_asked_nonce(const struct invocation *inv, char out[INVOKE_NONCE_BYTES])
{
    snprintf(out, INVOKE_NONCE_BYTES, "%.*s-%" PRIu32, STR_ARG(inv->call.invocation_id), inv->asks);
}

struct str mgi_confirmation_nonce(struct str text)
{
    struct token t;
    return read_token(text, &t) ? t.nonce : (struct str){ NULL, 0 };
}

void mgi_confirm_ask_within(struct invocation *inv, struct wire_error *e)
{
    char nonce[INVOKE_NONCE_BYTES];
    mgi_invocation_asked_nonce(inv, nonce);
    (void)ask(inv, str_of(nonce), "Before it goes on, this tool needs the user's confirmation.", e);
}

bool mgi_confirm_check_answer(struct invocation *inv, struct wire_error *e)
{
    char asked[INVOKE_NONCE_BYTES];
    mgi_invocation_asked_nonce(inv->call.answers, asked);
    struct str nonce = mgi_confirm_is_given(inv) ? mgi_confirmation_nonce(inv->token->string)
                                                 : (struct str){ NULL, 0 };
    if (!nonce.ptr)
        return mgi_confirm_refuse(inv, "malformed", e);
    return str_is(nonce, asked) ? mgi_confirm_check(inv, e)
                                : mgi_confirm_refuse(inv, "mismatch", e);
}
