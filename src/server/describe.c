/* What the server says of itself: status and manifest. */
#include "server/server_int.h"

enum server_status mgi_server_status(const struct server *s)
{
    if (s->draining)
        return SERVER_DRAINING;
    if (s->booting)
        return SERVER_BOOTING;
    return s->amiss_count > 0 ? SERVER_DEGRADED : SERVER_READY;
}

int64_t mgi_server_now_ns(const struct server *s)
{
    return mgi_server_clock_ns(s);
}

uint64_t mgi_server_epoch(const struct server *s)
{
    return s->epoch;
}

size_t mgi_server_max_message_bytes(const struct server *s)
{
    return (size_t)s->served->snapshot->settings.limits.max_message_bytes;
}

/* What is amiss, as far as there is room; the last place stands for what is left. */
static size_t list_flaws(const struct server *s, struct manifest_flaw flaws[AMISS_LISTED])
{
    bool all = s->amiss_count <= AMISS_LISTED;
    size_t count = all ? s->amiss_count : AMISS_LISTED - 1;
    for (size_t i = 0; i < count; i++)
        flaws[i] = (struct manifest_flaw){ s->amiss[i].what, s->amiss[i].why };
    if (!all)
        flaws[count++] = (struct manifest_flaw){ "more", "more is amiss than can be listed" };
    return count;
}

/* API keys are taken as bearer tokens, too (P-AUTH-5). */
static void list_schemes(const struct server *s, const char *schemes[4])
{
    size_t count = 0;
    if (mgi_auth_has_tokens(s->auth) || s->options.issuer)
        schemes[count++] = "bearer";
    if (mgi_auth_has_keys(s->auth))
        schemes[count++] = "api_key";
    if (s->options.issuer)
        schemes[count++] = "oauth2";
}

void mgi_server_manifest(const struct server *s, bool session, bool auth_required, struct buf *out)
{
    const char *schemes[4] = { NULL };
    struct manifest_flaw flaws[AMISS_LISTED];
    struct manifest_view view = {
        .status = mgi_server_status(s),
        .intent_eval = session ? NULL : s->options.intent_eval,
        .macro_invoke = session ? NULL : s->options.macro_invoke,
        .websocket = session ? NULL : s->options.websocket,
        .auth_required = auth_required,
        .auth_schemes = schemes,
        .token_url = s->options.issuer ? s->options.issuer->token_url : NULL,
        .conformance_level = 3, /* as docs/conformance.md shows (P-LEVEL-1) */
        .flaws = flaws,
        .flaw_count = list_flaws(s, flaws),
    };
    struct json_writer w;
    list_schemes(s, schemes);
    mgi_json_writer_init(&w, out, 0);
    mgi_envelope_begin(&w, MSG_MANIFEST, (struct str){ NULL, 0 });
    mgi_manifest_write(&w, s->served->snapshot, &view);
    mgi_envelope_end(&w);
}
