/* Commands: requests to the host itself, whose AID starts with '_' (toolhost.md 3.8, 5.3, T-LIM-7).
 * What may issue leases is decided by the channel: possession of the control channel is authority
 * (5.6). */
#include "toolhost/events.h"
#include "sys/digest.h"
#include "sys/random.h"

#include <string.h>

enum { MAX_ISSUER_BYTES = 64 };

struct command {
    struct host *host;
    enum channel channel;
    struct arena *arena;
    const struct request *q;
    struct refusal refusal;
    struct json_writer w; /* the answer is an object that is open in it */
};

static enum request_result refuse(struct command *c, enum refusal_code code, const char *text)
{
    return mgi_refuse(c->arena, &c->refusal, code, "%s", text);
}

static enum request_result not_found(struct command *c)
{
    return mgi_refuse(c->arena, &c->refusal, REFUSED_NOT_FOUND, "tool not found: %.*s",
                      STR_ARG(c->q->aid));
}

static enum request_result deny(struct command *c, const char *reason)
{
    c->refusal = (struct refusal){ .code = REFUSED_LEASE_ISSUE,
                                   .error = STR_LIT("lease_issue_denied"),
                                   .reason = str_of(reason) };
    return REQUEST_REFUSED;
}

/* T-LEASE-16: on the data channel issuing and sweeping need MACHINA_LEASE_ISSUE=inband. */
static enum request_result check_channel(struct command *c)
{
    if (c->channel == CHANNEL_DATA && c->host->settings.issuing != ISSUE_INBAND)
        return deny(c, "in-band issuing disabled");
    return REQUEST_OK;
}

static enum request_result check_issuing(struct command *c)
{
    enum request_result rc = check_channel(c);
    if (rc == REQUEST_OK && c->host->settings.issuing == ISSUE_OFF)
        return deny(c, "issuing disabled");
    return rc;
}

/* ---- _lease.issue ------------------------------------------------------------------------- */

static enum request_result read_tool(struct command *c, bool any_allowed, int *tool)
{
    const struct json *v = mgi_request_member(&c->q->root, "tool_aid");
    if (!v)
        return refuse(c, REFUSED_BAD_REQUEST, "invalid tool_aid: missing");
    if (v->type != JSON_STRING)
        return refuse(c, REFUSED_BAD_REQUEST, "invalid tool_aid: not a string");
    *tool = LEASE_ANY_TOOL;
    if (any_allowed && str_is(v->string, "*"))
        return REQUEST_OK;
    size_t found = mgi_tools_find(&c->host->tools, v->string);
    if (found == SIZE_MAX)
        return refuse(c, REFUSED_BAD_REQUEST, "invalid tool_aid: unknown");
    *tool = (int)found;
    return REQUEST_OK;
}

static enum request_result read_tier(struct command *c, struct lease *l)
{
    const struct json *v = mgi_request_member(&c->q->root, "tier");
    l->tier = l->tool == LEASE_ANY_TOOL ? 0 : c->host->tools.items[l->tool].tier;
    if (v && (v->type != JSON_INT || v->integer < 0 || v->integer > 3))
        return refuse(c, REFUSED_BAD_REQUEST, "invalid tier: not an integer from 0 to 3");
    if (v)
        l->tier = (int)v->integer;
    if (l->tool == LEASE_ANY_TOOL && l->tier == 3)
        return refuse(c, REFUSED_BAD_REQUEST, "invalid tier: wildcard not allowed at tier 3");
    return REQUEST_OK;
}

/* An integer too large for us is an integer all the same, and is clamped like the others. */
static bool huge_integer(const struct json *v, int64_t *clamped)
{
    if (v->type != JSON_HUGE || memchr(v->text.ptr, '.', v->text.len) ||
        memchr(v->text.ptr, 'e', v->text.len) || memchr(v->text.ptr, 'E', v->text.len))
        return false;
    *clamped = v->text.ptr[0] == '-' ? LEASE_MIN_MS : LEASE_MAX_MS;
    return true;
}

static enum request_result read_life(struct command *c, struct lease *l)
{
    const struct json *v = mgi_request_member(&c->q->root, "ttl_ms");
    l->expires_ms = LEASE_DEFAULT_MS;
    if (!v || huge_integer(v, &l->expires_ms))
        return REQUEST_OK;
    if (v->type != JSON_INT)
        return refuse(c, REFUSED_BAD_REQUEST, "invalid ttl_ms: not an integer");
    l->expires_ms = v->integer;
    return REQUEST_OK;
}

static enum request_result read_issuer(struct command *c)
{
    const struct json *v = mgi_request_member(&c->q->root, "issuer");
    if (v && (v->type != JSON_STRING || v->string.len > MAX_ISSUER_BYTES))
        return refuse(c, REFUSED_BAD_REQUEST, "invalid issuer: not a string of up to 64 bytes");
    return REQUEST_OK;
}

static bool sha_parse(struct str text, uint8_t out[SHA256_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    unsigned high = 0;
    if (text.len != 2 * SHA256_BYTES)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        const char *digit = text.ptr[i] ? strchr(digits, text.ptr[i]) : NULL;
        if (!digit)
            return false;
        unsigned value = (unsigned)(digit - digits);
        if (i % 2)
            out[i / 2] = (uint8_t)(high << 4 | value);
        high = value;
    }
    return true;
}

static enum request_result read_binding(struct command *c, bool *given, uint8_t sha[SHA256_BYTES])
{
    const struct json *v = mgi_request_member(&c->q->root, "input_sha256");
    *given = v != NULL;
    if (v && (v->type != JSON_STRING || !sha_parse(v->string, sha)))
        return refuse(c, REFUSED_BAD_REQUEST,
                      "invalid input_sha256: not 64 lower-case hexadecimal digits");
    return REQUEST_OK;
}

static enum request_result add_lease(struct command *c, const struct lease *l)
{
    uint8_t token[LEASE_TOKEN_BYTES];
    char text[LEASE_TOKEN_TEXT + 1];
    int64_t ttl_ms;
    if (!mgi_random(token, sizeof token))
        return deny(c, "no random numbers");
    enum lease_issue rc = mgi_lease_issue(&c->host->leases, l, token, mgi_now_ms(), text, &ttl_ms);
    if (rc == LEASE_TABLE_FULL)
        return deny(c, "table full");
    if (rc == LEASE_NOMEM)
        return REQUEST_NOMEM;
    const struct json *issuer = mgi_request_member(&c->q->root, "issuer");
    mgi_event_lease_issued(c->host, l, ttl_ms, issuer ? issuer->string : STR_LIT(""), str_of(text));
    mgi_jw_member_bool(&c->w, "ok", true);
    mgi_jw_member_cstr(&c->w, "token_id", text);
    mgi_jw_member_str(&c->w, "tool_aid",
                      l->tool == LEASE_ANY_TOOL ? STR_LIT("*") : c->host->tools.items[l->tool].aid);
    mgi_jw_member_int(&c->w, "tier", l->tier);
    mgi_jw_member_int(&c->w, "ttl_ms", ttl_ms);
    return REQUEST_OK;
}

static enum request_result lease_issue(struct command *c)
{
    struct lease l = { 0 };
    enum request_result rc = check_issuing(c);
    if (!rc)
        rc = read_tool(c, true, &l.tool);
    if (!rc)
        rc = read_tier(c, &l);
    if (!rc)
        rc = read_life(c, &l);
    if (!rc)
        rc = read_issuer(c);
    if (!rc)
        rc = read_binding(c, &l.bound, l.input);
    return rc ? rc : add_lease(c, &l);
}

/* ---- _lease.verify, _lease.consume ---------------------------------------------------------- */

/* What both commands are asked about. */
struct lease_question {
    struct str token;
    int tool, tier;
    bool bound; /* to the input with this digest; else it does not matter what the lease says */
    uint8_t input[SHA256_BYTES];
};

static enum request_result read_question(struct command *c, struct lease_question *ask)
{
    const struct json *token = mgi_request_member(&c->q->root, "_lease_token");
    if (c->channel != CHANNEL_CONTROL)
        return not_found(c);
    if (!token)
        return refuse(c, REFUSED_BAD_REQUEST, "invalid _lease_token: missing");
    if (token->type != JSON_STRING)
        return refuse(c, REFUSED_BAD_REQUEST, "invalid _lease_token: not a string");
    ask->token = token->string;
    enum request_result rc = read_tool(c, false, &ask->tool);
    if (!rc)
        rc = read_binding(c, &ask->bound, ask->input);
    if (!rc)
        ask->tier = c->host->tools.items[ask->tool].tier;
    return rc;
}

static enum request_result lease_verify(struct command *c)
{
    struct lease_question ask = { 0 };
    const struct lease *l;
    enum request_result rc = read_question(c, &ask);
    if (rc)
        return rc;
    int64_t now_ms = mgi_now_ms();
    enum lease_verdict v = mgi_lease_look(&c->host->leases, ask.token, ask.tool, ask.tier,
                                          ask.bound ? ask.input : NULL, now_ms, &l);
    mgi_jw_member_bool(&c->w, "ok", true);
    mgi_jw_member_bool(&c->w, "valid", v == LEASE_GOOD);
    if (v == LEASE_GOOD) {
        mgi_jw_member_int(&c->w, "tier", l->tier);
        mgi_jw_member_int(&c->w, "remaining_ms", l->expires_ms - now_ms);
    } else {
        mgi_jw_member_cstr(&c->w, "reason", mgi_lease_verdict_text(v));
    }
    return REQUEST_OK;
}

static enum request_result lease_consume(struct command *c)
{
    struct lease_question ask = { 0 };
    struct lease *l;
    struct host *h = c->host;
    enum request_result rc = read_question(c, &ask);
    if (rc)
        return rc;
    struct str aid = h->tools.items[ask.tool].aid;
    enum lease_verdict v = mgi_lease_check(&h->leases, ask.token, ask.tool, ask.tier,
                                           ask.bound ? ask.input : NULL, mgi_now_ms(), &l);
    if (v != LEASE_GOOD) {
        mgi_event_lease_rejected(h, aid, ask.tier, ask.token, v);
        c->refusal = (struct refusal){ .code = REFUSED_LEASE_REJECTED,
                                       .error = STR_LIT("lease_rejected"),
                                       .reason = str_of(mgi_lease_verdict_text(v)) };
        return REQUEST_REFUSED;
    }
    mgi_lease_consume(&h->leases, l);
    mgi_event_lease_consumed(h, aid, ask.tier, ask.token);
    mgi_jw_member_bool(&c->w, "ok", true);
    mgi_jw_member_bool(&c->w, "consumed", true);
    return REQUEST_OK;
}

/* ---- the others --------------------------------------------------------------------------- */

static enum request_result lease_gc(struct command *c)
{
    struct lease_table *t = &c->host->leases;
    enum request_result rc = check_channel(c);
    if (rc != REQUEST_OK)
        return rc;
    mgi_jw_member_bool(&c->w, "ok", true);
    mgi_jw_member_int(&c->w, "active", (int64_t)mgi_lease_sweep(t, mgi_now_ms()));
    mgi_jw_member_int(&c->w, "issued", (int64_t)t->issued);
    mgi_jw_member_int(&c->w, "consumed", (int64_t)t->consumed);
    mgi_jw_member_int(&c->w, "rejected", (int64_t)t->rejected);
    return REQUEST_OK;
}

/* Stops the call that carries this request_id (T-LIM-7). The call itself is answered on the data
 * channel, as cancelled or with what it returned in the grace period. */
static enum request_result cancel(struct command *c)
{
    struct host *h = c->host;
    if (c->channel != CHANNEL_CONTROL)
        return not_found(c);
    struct str id = c->q->request_id;
    if (id.len == 0)
        return refuse(c, REFUSED_BAD_REQUEST, "invalid request_id: missing or malformed");
    bool runs = h->calling && str_eq(h->calling_id, id);
    if (runs)
        h->cancel = true;
    mgi_jw_member_bool(&c->w, "ok", true);
    mgi_jw_member_bool(&c->w, "cancelled", runs);
    return REQUEST_OK;
}

static enum request_result stats(struct command *c)
{
    const struct host *h = c->host;
    const struct totals *t = &h->totals;
    if (c->channel != CHANNEL_CONTROL)
        return not_found(c);
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {
        { "calls", t->calls },
        { "ok_calls", t->ok },
        { "crashes", t->crashes },
        { "timeouts", t->timeouts },
        { "cancelled", t->cancelled },
        { "restarts", h->restarts.all ? h->restarts.all - 1 : 0 }, /* the first one is none */
        { "idempotent_hits", t->hits },
        { "cache_entries", h->cache.count },
        { "cache_bytes", h->cache.bytes },
        { "leases_active", mgi_lease_usable(&h->leases, mgi_now_ms()) },
        { "breakers_open", mgi_breakers_open(&h->breakers) },
        { "rss_kb", mgi_resident_kb() },
    };
    mgi_jw_member_bool(&c->w, "ok", true);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        mgi_jw_member_int(&c->w, rows[i].name, (int64_t)rows[i].value);
    return REQUEST_OK;
}

static const struct {
    const char *aid;
    enum request_result (*run)(struct command *c);
    bool has_extras; /* its request_id is its own, not that of another call */
} commands[] = {
    { "_lease.issue", lease_issue, true },
    { "_lease.gc", lease_gc, true },
    { "_lease.verify", lease_verify, true },
    { "_lease.consume", lease_consume, true },
    { "_cancel", cancel, false },
    { "_stats", stats, true },
};

bool mgi_command(struct host *h, enum channel channel, struct arena *arena, const struct request *q,
                 const struct answer_extras *extras, struct buf *out)
{
    static const struct answer_extras no_extras = { 0 };
    struct command c = { .host = h, .channel = channel, .arena = arena, .q = q };
    size_t begun = out->len, i = 0;
    const size_t count = sizeof commands / sizeof *commands;
    mgi_json_writer_init(&c.w, out, 0);
    mgi_jw_begin_object(&c.w);
    while (i < count && !str_is(q->aid, commands[i].aid))
        i++;
    const struct answer_extras *x = i < count && !commands[i].has_extras ? &no_extras : extras;
    enum request_result rc = i < count ? commands[i].run(&c) : not_found(&c);
    if (rc == REQUEST_OK) {
        mgi_answer_close(&c.w, x, NULL);
    } else {
        out->len = begun; /* not the opening brace, but a refusal */
        if (rc == REQUEST_REFUSED)
            mgi_answer_refusal(out, &c.refusal, x);
        if (rc == REQUEST_REFUSED)
            mgi_event_refused(h, q->aid, c.refusal.code);
    }
    return rc != REQUEST_NOMEM;
}

/* ---- the control channel ------------------------------------------------------------------ */

static bool control_request(struct host *h, struct arena *arena, struct str line, struct buf *out)
{
    struct request q;
    struct refusal refusal;
    struct json_error error;
    struct answer_extras x = { 0 };
    char digest[65];
    int64_t started_ms = mgi_now_ms();
    enum request_result rc = mgi_request_open(arena, line, REQUEST_SERVE, &q, &refusal, &error);
    if (rc == REQUEST_NOMEM)
        return false;
    if (q.request_id.len && mgi_ds_digest(&h->state, digest))
        x = (struct answer_extras){ q.request_id, mgi_now_ms() - started_ms, digest };
    const struct audit_subject running = h->audit.about; /* a call may be */
    mgi_audit_about(h, &q);
    bool good = true;
    if (rc == REQUEST_REFUSED) {
        mgi_answer_refusal(out, &refusal, &x);
        mgi_event_refused(h, q.aid, refusal.code);
    } else {
        good = mgi_command(h, CHANNEL_CONTROL, arena, &q, &x, out);
    }
    h->audit.about = running;
    return good;
}

void mgi_control_line(struct host *h, struct str line, bool too_long, struct buf *out)
{
    struct arena arena; /* a call may be using the request's */
    mgi_arena_init(&arena, MAX_REQUEST_ARENA);
    if (too_long) {
        const struct refusal refusal = { .code = REFUSED_TOO_LARGE,
                                         .error = STR_LIT("request exceeds 10MB limit") };
        mgi_answer_refusal(out, &refusal, &(struct answer_extras){ 0 });
    } else if (!control_request(h, &arena, line, out)) {
        mgi_buf_puts(out, "{\"ok\":false,\"error\":\"out of memory\"}\n");
    }
    mgi_arena_fini(&arena);
}
