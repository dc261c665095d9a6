/* Consent: what asks for it, and what is taken for an answer. The challenge is signed with the key
 * of --confirm-key, as docs/conformance.md tells. */
#include "base/encode.h"
#include "conformance/conformance_int.h"
#include "sys/digest.h"

#define KEY_BYTES 256

static const char *answer_to(struct probe *p, struct str challenge)
{
    uint8_t key[KEY_BYTES], mac[SHA256_BYTES];
    char tag[48];
    size_t len = mgi_base64url_decode(str_of(p->options->confirm_key), key, sizeof key);
    if (len == SIZE_MAX || challenge.len == 0 ||
        !mgi_hmac_sha256((struct str){ (const char *)key, len }, challenge.ptr, challenge.len, mac))
        return "";
    mgi_base64url_encode(mac, sizeof mac, tag);
    const char *token = mgi_arena_printf(&p->memory, "%.*s.%s", STR_ARG(challenge), tag);
    return token ? token : "";
}

static struct str danger(struct probe *p, const char *name)
{
    return mgi_text_at(mgi_probe_tool(p, "fx.danger", "", name), "/macro_id");
}

/* The answer to an invocation with this token; "" is none. */
static const struct json *with_token(struct probe *p, struct str id, const char *target,
                                     const char *token)
{
    const char *args = mgi_arena_printf(&p->memory, "{'target':'%s'}", target);
    const char *more =
        token ? mgi_arena_printf(&p->memory, ",'confirmation_token':'%s'", token) : "";
    return args && more ? mgi_probe_invoke(p, id, args, more) : NULL;
}

static struct str challenge_for(struct probe *p, struct str id, const char *target)
{
    const struct json *answer = with_token(p, id, target, NULL);
    mgi_probe_refused(p, answer, "confirmation_required");
    struct str challenge = mgi_text_at(answer, "/payload/details/challenge");
    mgi_probe_expect(p, challenge.len > 0, "no challenge");
    return challenge;
}

static void play_asks(struct probe *p)
{
    const struct json *tool = mgi_probe_tool(p, "fx.danger", "", "fx_danger");
    struct str id = mgi_text_at(tool, "/macro_id");
    mgi_probe_expect(p, mgi_is_at(tool, "/safety/requires_user_confirmation", "true"), "not asked");
    mgi_probe_expect(p, mgi_is_at(tool, "/safety/side_effects/0", "destructive"), "side_effects");
    const struct json *answer = with_token(p, id, "a", NULL);
    mgi_probe_refused(p, answer, "confirmation_required");
    mgi_probe_expect(p, mgi_is_at(answer, "/payload/details/side_effects/0", "destructive"),
                     "the effects are not told");
    mgi_probe_refused(p, with_token(p, id, "a", ""), "confirmation_required");
    mgi_probe_refused(p, mgi_probe_invoke(p, id, "{'target':'a'}", ",'confirmation_token':null"),
                      "confirmation_required");
}

static void play_arguments_first(struct probe *p)
{
    mgi_probe_refused(p, mgi_probe_invoke(p, danger(p, "fx_danger"), "{'target':7}", ""),
                      "schema_validation_failed");
}

static void play_effects_of_tools(struct probe *p)
{
    const struct json *tool = mgi_probe_tool(p, "fx.echo", BASIC, "fx_echo");
    mgi_probe_expect(p, mgi_is_at(tool, "/safety/side_effects/0", "none"), "not none");
    mgi_probe_expect(p, mgi_is_at(tool, "/safety/requires_user_confirmation", "false"), "it asks");
    tool = mgi_probe_tool(p, "fx.write", "", "fx_write");
    mgi_probe_expect(p, mgi_is_at(tool, "/safety/side_effects/0", "filesystem"), "not filesystem");
    mgi_probe_expect(p, mgi_is_at(tool, "/safety/requires_user_confirmation", "true"), "no waiver");
}

static void play_invented_tokens(struct probe *p)
{
    static const char *const tokens[] = { "x", "v1.1.2.3", "yes", "v1.....", "null" };
    struct str id = danger(p, "fx_danger");
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
        mgi_probe_refused(p, with_token(p, id, "a", tokens[i]), "confirmation_invalid");
}

static void play_bare_challenge(struct probe *p)
{
    struct str id = danger(p, "fx_danger");
    const char *bare = mgi_arena_printf(&p->memory, "%.*s", STR_ARG(challenge_for(p, id, "a")));
    mgi_probe_refused(p, bare ? with_token(p, id, "a", bare) : NULL, "confirmation_invalid");
}

static void play_consent(struct probe *p)
{
    struct str id = danger(p, "fx_danger");
    const char *token = answer_to(p, challenge_for(p, id, "a"));
    mgi_probe_is(p, with_token(p, id, "a", token), "invoke_response");
    const struct json *again = with_token(p, id, "a", token);
    mgi_probe_refused(p, again, "confirmation_invalid");
    mgi_probe_expect(p, mgi_is_at(again, "/payload/details/reason", "used"), "reason");
}

static void play_bound(struct probe *p)
{
    struct str id = mgi_arena_str(&p->memory, danger(p, "fx_danger"));
    struct str twin = danger(p, "fx_danger_twin");
    const char *token = answer_to(p, challenge_for(p, id, "a"));
    mgi_probe_refused(p, with_token(p, id, "b", token), "confirmation_invalid");
    mgi_probe_refused(p, with_token(p, twin, "a", token), "confirmation_invalid");
    char *spoilt = mgi_arena_strdup(&p->memory, token);
    if (spoilt && spoilt[0]) {
        char *last = spoilt + strlen(spoilt) - 2;
        *last = *last == 'A' ? 'B' : 'A';
        mgi_probe_refused(p, with_token(p, id, "a", spoilt), "confirmation_invalid");
    }
    mgi_probe_is(p, with_token(p, id, "a", token), "invoke_response"); /* none of it spent it */
}

/* As the automated program: over HTTP by its token, else on a connection of its own. */
static const struct json *as_program(struct probe *p, struct wire *w, const char *text)
{
    p->token = p->options->automated_token;
    if (p->carrier == OVER_HTTP)
        return mgi_probe_ask(p, text);
    return w && mgi_probe_say(p, w, text) ? mgi_probe_answer(p, w) : NULL;
}

static void play_waived(struct probe *p)
{
    struct wire *w =
        p->carrier == OVER_HTTP ? NULL : mgi_probe_fresh(p, p->options->automated_token);
    const struct json *answer =
        as_program(p, w, REQUEST("intent_request", "{'intent':{'name':'fx.write'}}"));
    const struct json *tool = mgi_tool_in(answer, "fx_write");
    mgi_probe_expect(p, mgi_is_at(tool, "/safety/requires_user_confirmation", "false"), "it asks");
    const char *invoke = mgi_arena_printf(
        &p->memory, REQUEST("invoke_request", "{'macro_id':'%.*s','args':{'line':'x'}}"),
        STR_ARG(mgi_text_at(tool, "/macro_id")));
    mgi_probe_is(p, invoke ? as_program(p, w, invoke) : NULL, "invoke_response");
    answer = as_program(p, w, REQUEST("intent_request", "{'intent':{'name':'fx.danger'}}"));
    tool = mgi_tool_in(answer, "fx_danger");
    mgi_probe_expect(p, mgi_is_at(tool, "/safety/requires_user_confirmation", "true"),
                     "another effect is waived, too");
    mgi_wire_close(w);
}

const struct test_case mgi_cases_consent[] = {
    { "P-INV-5 P-CONF-7 P-TOOL-10 P-TOOL-11", "a dangerous tool asks, and does not run without",
      OVER_ANY, 0, play_asks },
    { "P-INV-6 P-POLICY-3", "arguments are judged before consent", OVER_ANY, 0,
      play_arguments_first },
    { "P-TOOL-11 P-TOOL-10 P-TOOL-12 P-TOOL-13 P-TOOL-14 P-CONF-6", "tools say what they do",
      OVER_ANY, 0, play_effects_of_tools },
    { "P-CONF-1 P-CONF-2", "a token that somebody made up is refused", OVER_ANY, 0,
      play_invented_tokens },
    { "P-CONF-2", "the challenge is no consent by itself", OVER_ANY, 0, play_bare_challenge },
    { "P-CONF-2 P-CONF-4 P-CONF-1", "consent is good once", OVER_ANY, NEEDS_KEY, play_consent },
    { "P-CONF-5", "an automated program need not ask for what is waived", OVER_ANY,
      NEEDS_AUTH | NEEDS_AUTOMATED, play_waived },
    { "P-CONF-1 P-CONF-2", "consent is for one tool and its arguments", OVER_ANY, NEEDS_KEY,
      play_bound },
    { 0 },
};
