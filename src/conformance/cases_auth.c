/* Who is calling. */
#include "conformance/conformance_int.h"

static const struct json *say_as(struct probe *p, struct wire *w, const char *text)
{
    return w && mgi_probe_say(p, w, text) ? mgi_probe_answer(p, w) : NULL;
}

#define LOGIN(scheme, token) REQUEST("authenticate", "{'scheme':'" scheme "','token':'" token "'}")

static void play_login_first(struct probe *p)
{
    struct wire *w = mgi_probe_fresh(p, NULL);
    const struct json *answer = say_as(p, w, GOOD);
    mgi_probe_refused(p, answer, "auth_required");
    mgi_probe_expect(p, mgi_is_at(answer, "/id", p->id), "its id is not echoed");
    mgi_probe_refused(p, say_as(p, w, REQUEST("invoke_request", "{'macro_id':'x','args':{}}")),
                      "auth_required");
    if (w && mgi_probe_login(p, w, p->options->token))
        mgi_probe_is(p, say_as(p, w, GOOD), "intent_response");
    mgi_wire_close(w);
}

static void play_login_answer(struct probe *p)
{
    struct wire *w = mgi_probe_fresh(p, NULL);
    const char *text = mgi_arena_printf(&p->memory, LOGIN("bearer", "%s"), p->options->token);
    const struct json *answer = text ? say_as(p, w, text) : NULL;
    mgi_probe_is(p, answer, "authenticate_response");
    mgi_probe_expect(p, mgi_is_at(answer, "/id", p->id), "another id");
    mgi_probe_expect(p, mgi_is_at(answer, "/payload/status", "authenticated"), "status");
    mgi_probe_expect(p, mgi_text_at(answer, "/payload/identity").len > 0, "identity");
    mgi_probe_expect(p, mgi_at(answer, "/payload/permissions/0"), "permissions");
    mgi_wire_close(w);
}

static void play_wrong_logins(struct probe *p)
{
    struct wire *w = mgi_probe_fresh(p, NULL);
    mgi_probe_refused(p, say_as(p, w, LOGIN("bearer", "wrong")), "auth_invalid");
    const struct json *answer = say_as(p, w, LOGIN("kerberos", "x"));
    mgi_probe_refused(p, answer, "auth_invalid");
    mgi_probe_expect(p, mgi_is_at(answer, "/payload/details/reason", "scheme"), "reason");
    mgi_probe_refused(p, say_as(p, w, REQUEST("authenticate", "{'scheme':'bearer'}")),
                      "malformed_message");
    if (w && mgi_probe_login(p, w, p->options->token))
        mgi_probe_is(p, say_as(p, w, GOOD), "intent_response");
    mgi_wire_close(w);
}

static void play_expired_login(struct probe *p)
{
    const struct json *answer;
    if (p->carrier == OVER_HTTP) {
        p->token = p->options->expired_token;
        answer = mgi_probe_ask(p, GOOD);
    } else {
        struct wire *w = mgi_probe_fresh(p, NULL);
        const char *text =
            mgi_arena_printf(&p->memory, LOGIN("bearer", "%s"), p->options->expired_token);
        answer = text ? say_as(p, w, text) : NULL;
        mgi_wire_close(w);
    }
    mgi_probe_refused(p, answer, "auth_invalid");
    mgi_probe_expect(p, mgi_is_at(answer, "/payload/details/reason", "expired"), "reason");
}

static void play_limited(struct probe *p)
{
    struct wire *w = mgi_probe_fresh(p, p->options->limited_token);
    mgi_probe_refused(p, say_as(p, w, REQUEST("intent_request", "{'intent':{'name':'fx.rank'}}")),
                      "auth_insufficient");
    mgi_probe_is(p, say_as(p, w, GOOD), "intent_response");
    const struct json *unlisted =
        say_as(p, w, REQUEST("intent_request", "{'intent':{'name':'zz.nothing'}}"));
    mgi_probe_is(p, unlisted, "intent_response"); /* D-17: as if nobody knew it */
    mgi_wire_close(w);
}

static void play_network_wants_login(struct probe *p)
{
    const struct json *schemes = mgi_at(&p->manifest, "/auth/schemes");
    mgi_probe_expect(p, mgi_is_at(&p->manifest, "/auth/required", "true"),
                     "auth.required is false");
    mgi_probe_expect(p, schemes && schemes->count > 0, "no schemes");
}

static void play_schemes(struct probe *p)
{
    const struct json *schemes = mgi_at(&p->manifest, "/auth/schemes");
    bool bearer = false, api_key = false, oauth = false;
    for (uint32_t i = 0; schemes && i < schemes->count; i++) {
        bearer |= str_is(schemes->items[i].string, "bearer");
        api_key |= str_is(schemes->items[i].string, "api_key");
        oauth |= str_is(schemes->items[i].string, "oauth2");
    }
    mgi_probe_expect(p, bearer || !api_key, "api_key without bearer");
    mgi_probe_expect(p, !oauth || mgi_text_at(&p->manifest, "/auth/token_url").len > 0,
                     "oauth2 without token_url");
    mgi_probe_is(p, mgi_probe_ask(p, GOOD), "intent_response");
}

static void play_anonymous(struct probe *p)
{
    static const char *const intents[] = { "fx.echo", "fx.rank", "fx.danger", "fx.reflect" };
    if (!mgi_is_at(&p->manifest, "/auth/required", "false")) {
        mgi_probe_skip(p, "the server wants credentials");
        return;
    }
    for (size_t i = 0; i < 4; i++) {
        const struct json *answer =
            mgi_probe_intent(p, intents[i], BASIC, ",'options':{'disclosure_preference':'full'}");
        const struct json *tools = mgi_at(answer, "/payload/macro_tools");
        mgi_probe_is(p, answer, "intent_response");
        for (uint32_t k = 0; tools && k < tools->count; k++)
            mgi_probe_expect(p, mgi_is_at(&tools->items[k], "/safety/side_effects/0", "none"),
                             "an anonymous caller is offered a tool with effects");
    }
}

static void play_tls(struct probe *p)
{
    mgi_probe_is(p, mgi_probe_ask(p, GOOD), "intent_response");
}

static void play_plain(struct probe *p)
{
    if (strstr(p->options->url, "s://")) {
        mgi_probe_skip(p, "the target speaks TLS");
        return;
    }
    mgi_probe_is(p, mgi_probe_ask(p, GOOD), "intent_response");
}

const struct test_case mgi_cases_auth[] = {
    { "P-AUTH-6 P-AUTH-9", "nothing is answered before the login", OVER_SESSIONS, NEEDS_AUTH,
      play_login_first },
    { "P-AUTH-7", "a login is answered with who that is", OVER_SESSIONS, NEEDS_AUTH,
      play_login_answer },
    { "P-AUTH-10", "a wrong login can be mended", OVER_SESSIONS, NEEDS_AUTH, play_wrong_logins },
    { "P-AUTH-10", "a token that is over", OVER_ANY, NEEDS_AUTH | NEEDS_EXPIRED,
      play_expired_login },
    { "P-AUTH-11 P-POLICY-4", "a token for one intent", OVER_SESSIONS, NEEDS_AUTH | NEEDS_LIMITED,
      play_limited },
    { "P-AUTH-1 P-AUTH-15 P-AUTH-13 P-MAN-27", "a network transport wants a login", OVER_NETWORK,
      NEEDS_AUTH, play_network_wants_login },
    { "P-AUTH-2 P-AUTH-3 P-AUTH-4 P-AUTH-5 P-MAN-27", "the schemes fit together, and bearer works",
      OVER_NETWORK, NEEDS_AUTH, play_schemes },
    { "P-AUTH-12 P-AUTH-14", "who is nobody gets tools without effects", OVER_NETWORK, 0,
      play_anonymous },
    { "P-TLS-1 P-TLS-2 P-TLS-6", "it speaks TLS", OVER_NETWORK, NEEDS_TLS, play_tls },
    { "P-TLS-5", "on loopback it need not", OVER_NETWORK, 0, play_plain },
    { 0 },
};
