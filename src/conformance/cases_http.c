/* What HTTP adds: addresses, headers, statuses. */
#include "conformance/conformance_int.h"
#include "base/time.h"
#include "protocol/error.h"
#include "sys/clock.h"

#define JSON_TYPE  "Content-Type: application/json"
#define JSON_TAKEN "Accept: application/json"

static bool is_json_type(struct str type)
{
    return mgi_str_starts(type, STR_LIT("application/json")) ||
           mgi_str_starts(type, STR_LIT("application/manglecp+json"));
}

static void expect_status(struct probe *p, int status)
{
    mgi_probe_expect(p, p->reply.status == status, "status %d, not %d", p->reply.status, status);
}

static void expect_json(struct probe *p)
{
    struct str type = mgi_wire_header(&p->reply, "Content-Type");
    mgi_probe_expect(p, is_json_type(type), "Content-Type %.*s", STR_ARG(type));
}

static const struct json *get(struct probe *p, const char *url, const char *header)
{
    const struct http_call call = { .method = "GET", .url = url, .headers = { header } };
    return mgi_probe_exchange(p, &call);
}

static void play_manifest_there(struct probe *p)
{
    const struct json *m = get(p, p->manifest_url.url, NULL);
    mgi_probe_is(p, m, "manifest");
    expect_status(p, 200);
    expect_json(p);
    p->token = NULL; /* D-56: also without credentials */
    mgi_probe_is(p, get(p, p->manifest_url.url, NULL), "manifest");
}

static const struct json *post_with(struct probe *p, const char *type, const char *accept)
{
    size_t len;
    const char *body = mgi_probe_expand(p, GOOD, &len);
    const struct http_call call = { .method = "POST",
                                    .url = p->intent_url.url,
                                    .body = { body, len },
                                    .headers = { type, accept } };
    return mgi_probe_exchange(p, &call);
}

static void play_content_types(struct probe *p)
{
    static const char *const wrong[] = { "Content-Type: text/plain", "Content-Type:",
                                         "Content-Type: application/json; charset=latin1" };
    for (size_t i = 0; i < 3; i++) {
        const struct json *answer = post_with(p, wrong[i], JSON_TAKEN);
        mgi_probe_refused(p, answer, "malformed_message");
        mgi_probe_expect(p, mgi_is_at(answer, "/payload/details/reason", "http"), "reason");
        expect_status(p, 400);
    }
    mgi_probe_is(p, post_with(p, "Content-Type: application/json; charset=utf-8", JSON_TAKEN),
                 "intent_response");
}

static void play_accept(struct probe *p)
{
    mgi_probe_refused(p, post_with(p, JSON_TYPE, "Accept: text/html"), "malformed_message");
    expect_status(p, 400);
    mgi_probe_is(p, post_with(p, JSON_TYPE, "Accept: */*"), "intent_response");
    mgi_probe_is(p, post_with(p, JSON_TYPE, "Accept:"), "intent_response");
    mgi_probe_is(p, post_with(p, JSON_TYPE, JSON_TAKEN), "intent_response");
}

static void play_labels(struct probe *p)
{
    mgi_probe_is(p, mgi_probe_ask(p, GOOD), "intent_response");
    expect_status(p, 200);
    expect_json(p);
    mgi_probe_refused(p, mgi_probe_ask(p, "{"), "malformed_message");
    expect_status(p, 400);
    expect_json(p);
}

static void play_invocation_there(struct probe *p)
{
    const struct json *tool = mgi_probe_tool(p, "fx.echo", BASIC, "fx_echo");
    mgi_probe_is(p, mgi_probe_invoke(p, mgi_text_at(tool, "/macro_id"), "{'label':'x'}", ""),
                 "invoke_response");
    expect_status(p, 200);
}

static void play_bad_statuses(struct probe *p)
{
    mgi_probe_refused(p, mgi_probe_intent(p, "fx.rank", "{'pred':'zz_no','args':[]}", ""),
                      "unknown_predicate");
    expect_status(p, 400);
    const struct json *tool = mgi_probe_tool(p, "fx.echo", BASIC, "fx_echo");
    mgi_probe_refused(p, mgi_probe_invoke(p, mgi_text_at(tool, "/macro_id"), "{}", ""),
                      "schema_validation_failed");
    expect_status(p, 400);
    mgi_probe_refused(p, mgi_probe_invoke(p, STR_LIT("invented-0123456789ab"), "{}", ""),
                      "macro_not_found");
    expect_status(p, 404);
}

static void play_credentials(struct probe *p)
{
    p->token = NULL;
    mgi_probe_refused(p, mgi_probe_ask(p, GOOD), "auth_required");
    expect_status(p, 401);
    expect_json(p);
    mgi_probe_expect(
        p, mgi_str_starts(mgi_wire_header(&p->reply, "WWW-Authenticate"), STR_LIT("Bearer")),
        "no WWW-Authenticate: Bearer");
    p->token = "no-such-token";
    mgi_probe_refused(p, mgi_probe_ask(p, GOOD), "auth_invalid");
    expect_status(p, 401);
    p->token = p->options->token;
    mgi_probe_is(p, mgi_probe_ask(p, GOOD), "intent_response");
}

static void play_permission(struct probe *p)
{
    p->token = p->options->limited_token;
    mgi_probe_refused(p, mgi_probe_intent(p, "fx.rank", "", ""), "auth_insufficient");
    expect_status(p, 403);
    mgi_probe_is(p, mgi_probe_ask(p, GOOD), "intent_response");
}

static void play_expired_status(struct probe *p)
{
    const struct json *tool = mgi_tool_in(
        mgi_probe_intent(p, "fx.over", "{'pred':'fx_event','args':['a','b'],'t':{'at':'now'}}",
                         ",'eval_time':'2020-01-01T00:00:00Z'"),
        "fx_over");
    mgi_probe_refused(p, mgi_probe_invoke(p, mgi_text_at(tool, "/macro_id"), "{}", ""),
                      "macro_expired");
    expect_status(p, 410);
}

static void play_failure_status(struct probe *p)
{
    const struct json *tool = mgi_probe_tool(p, "fx.fail", "", "fx_lies");
    mgi_probe_refused(p, mgi_probe_invoke(p, mgi_text_at(tool, "/macro_id"), "{}", ""),
                      "execution_failed");
    expect_status(p, 500);
}

static void play_limit_statuses(struct probe *p)
{
    const char *seeds = mgi_repeat(p, "{'pred':'fx_seed','args':[%d]}", 10);
    mgi_probe_refused(
        p, mgi_probe_intent(p, "fx.blowup", seeds, ",'constraints':{'max_facts_created':10}"),
        "derivation_limit_exceeded");
    expect_status(p, 413);
    mgi_probe_refused(p, mgi_probe_intent(p, "fx.slow", "", ",'constraints':{'max_compute_ms':1}"),
                      "evaluation_timeout");
    expect_status(p, 408);
}

static void play_cors(struct probe *p)
{
    static const char *const origins[] = { "Origin: https://one.example", "Origin: null",
                                           "Origin: http://localhost" };
    for (size_t i = 0; i < 3; i++) {
        (void)get(p, p->manifest_url.url, origins[i]);
        mgi_probe_expect(p, !str_is(mgi_wire_header(&p->reply, "Access-Control-Allow-Origin"), "*"),
                         "%s: Access-Control-Allow-Origin is *", origins[i]);
    }
}

static bool allows(const struct probe *p, const char *origin)
{
    return str_is(mgi_wire_header(&p->reply, "Access-Control-Allow-Origin"), origin);
}

static void play_preflight(struct probe *p)
{
    const char *origin = p->options->origin;
    const char *header = mgi_arena_printf(&p->memory, "Origin: %s", origin);
    const struct http_call ask = { .method = "OPTIONS",
                                   .url = p->intent_url.url,
                                   .headers = { header, "Access-Control-Request-Method: POST",
                                                "Access-Control-Request-Headers: content-type" } };
    p->token = NULL; /* browsers send none with it */
    (void)mgi_probe_exchange(p, &ask);
    mgi_probe_expect(p, p->reply.status / 100 == 2 && allows(p, origin),
                     "the preflight is answered with status %d", p->reply.status);
    (void)get(p, p->manifest_url.url, header);
    mgi_probe_expect(p, allows(p, origin), "the origin is not told in the answer");
    (void)get(p, p->manifest_url.url, "Origin: https://another.invalid");
    mgi_probe_expect(p, mgi_wire_header(&p->reply, "Access-Control-Allow-Origin").len == 0,
                     "another origin is told, too");
    p->token = p->options->token;
}

#define GONE_MS 150 /* after which the client is gone */

static void play_dropped(struct probe *p)
{
    const struct json *tool = mgi_probe_tool(p, "fx.after", "", "fx_slow");
    size_t len;
    const char *text = mgi_arena_printf(
        &p->memory, REQUEST("invoke_request", "{'macro_id':'%.*s','args':{'size':900}}"),
        STR_ARG(mgi_text_at(tool, "/macro_id")));
    const char *body = text ? mgi_probe_expand(p, text, &len) : NULL;
    const char *login =
        p->token ? mgi_arena_printf(&p->memory, "Authorization: Bearer %s", p->token) : NULL;
    if (!body)
        return;
    struct http_call call = { .method = "POST",
                              .url = p->invoke_url.url,
                              .body = { body, len },
                              .headers = { JSON_TYPE, JSON_TAKEN, login },
                              .ca_file = p->options->ca_file,
                              .wait_ms = GONE_MS };
    for (int i = 0; i < 8 && !p->failed; i++) { /* more than it has threads, perhaps */
        struct http_reply reply;
        struct buf why = { 0 };
        mgi_probe_expect(p, !mgi_wire_exchange(&call, &reply, &why), "it was too quick to be left");
        mgi_wire_reply_fini(&reply);
        mgi_buf_fini(&why);
    }
    int64_t begun_ns = mgi_clock_mono_ns();
    mgi_probe_is(p, mgi_probe_ask(p, GOOD), "intent_response");
    mgi_probe_expect(p, mgi_clock_mono_ns() - begun_ns < 5000 * NS_PER_MS,
                     "who has gone holds up who has not");
}

static void play_caching(struct probe *p)
{
    mgi_probe_is(p, get(p, p->manifest_url.url, NULL), "manifest");
    struct str control = mgi_wire_header(&p->reply, "Cache-Control");
    mgi_probe_expect(p,
                     mgi_str_find(control, STR_LIT("max-age")) != SIZE_MAX ||
                         mgi_str_find(control, STR_LIT("no-cache")) != SIZE_MAX,
                     "Cache-Control: %.*s", STR_ARG(control));
}

static void play_etag(struct probe *p)
{
    mgi_probe_is(p, get(p, p->manifest_url.url, NULL), "manifest");
    struct str tag = mgi_wire_header(&p->reply, "ETag");
    if (!mgi_probe_expect(p, tag.len > 0, "no ETag"))
        return;
    const char *header = mgi_arena_printf(&p->memory, "If-None-Match: %.*s", STR_ARG(tag));
    (void)get(p, p->manifest_url.url, header);
    expect_status(p, 304);
    mgi_probe_expect(p, p->reply.body.len == 0, "304 with a body");
}

static void play_wrong_method(struct probe *p)
{
    const struct json *answer = get(p, p->intent_url.url, NULL);
    mgi_probe_expect(p, mgi_is_at(answer, "/type", "error"), "no error");
    expect_status(p, 405);
    struct str allow = mgi_wire_header(&p->reply, "Allow");
    mgi_probe_expect(p, mgi_str_find(allow, STR_LIT("POST")) != SIZE_MAX, "Allow: %.*s",
                     STR_ARG(allow));
}

static void play_wrong_path(struct probe *p)
{
    static const char *const paths[] = { "/manglecp/nowhere", "/tools", "/manglecp/tools/list" };
    for (size_t i = 0; i < 3; i++) {
        struct address there = { 0 };
        struct buf why = { 0 };
        bool good = mgi_address_resolve(&p->api, p->manifest_url.url, str_of(paths[i]), &there,
                                        &why) == MANGLECP_OK;
        if (good)
            mgi_probe_expect(p, mgi_is_at(get(p, there.url, NULL), "/type", "error"), "no error");
        expect_status(p, 404);
        mgi_address_fini(&there);
        mgi_buf_fini(&why);
    }
}

static void play_wrong_endpoint(struct probe *p)
{
    const struct json *answer = mgi_probe_post(
        p, p->intent_url.url, REQUEST("invoke_request", "{'macro_id':'x','args':{}}"), NULL);
    mgi_probe_refused(p, answer, "invalid_type");
    mgi_probe_expect(p, mgi_is_at(answer, "/id", p->id), "its id is not echoed");
    answer = mgi_probe_post(p, p->invoke_url.url, GOOD, NULL);
    mgi_probe_refused(p, answer, "invalid_type");
}

static void play_endpoints_here(struct probe *p)
{
    mgi_probe_expect(p, p->intent_url.url && p->invoke_url.url, "no endpoints");
}

static void play_one_envelope(struct probe *p)
{
    const struct json *tool = mgi_probe_tool(p, "fx.after", "", "fx_slow");
    mgi_probe_is(p, mgi_probe_invoke(p, mgi_text_at(tool, "/macro_id"), "{'size':50}", ""),
                 "invoke_response");
}

const struct test_case mgi_cases_http[] = {
    { "P-HTTP-1 P-MAN-3", "the manifest is where it has to be, for everybody", OVER_HTTP, 0,
      play_manifest_there },
    { "P-HTTP-2 P-HTTP-8 P-HTTP-10", "an intent is answered where the manifest says", OVER_HTTP, 0,
      play_labels },
    { "P-HTTP-3 P-HTTP-10", "an invocation is answered where the manifest says", OVER_HTTP, 0,
      play_invocation_there },
    { "P-HTTP-5", "another content type is refused", OVER_HTTP, 0, play_content_types },
    { "P-HTTP-6", "who does not take JSON is refused", OVER_HTTP, 0, play_accept },
    { "P-HTTP-11 P-HTTP-15", "400 and 404 go with their codes", OVER_HTTP, 0, play_bad_statuses },
    { "P-HTTP-12 P-AUTH-8 P-AUTH-9 P-AUTH-10", "401 without credentials and with wrong ones",
      OVER_HTTP, NEEDS_AUTH, play_credentials },
    { "P-HTTP-12 P-AUTH-11 P-POLICY-4", "403 without the permission", OVER_HTTP,
      NEEDS_AUTH | NEEDS_LIMITED, play_permission },
    { "P-HTTP-15", "410 goes with macro_expired", OVER_HTTP, 0, play_expired_status },
    { "P-HTTP-17", "500 goes with execution_failed", OVER_HTTP, 0, play_failure_status },
    { "P-HTTP-13 P-HTTP-14", "408 and 413 go with the limits", OVER_HTTP, 0, play_limit_statuses },
    { "P-HTTP-20", "no origin is told that everybody may", OVER_HTTP, NEEDS_AUTH, play_cors },
    { "P-HTTP-19", "an origin that is served is told so", OVER_HTTP, NEEDS_ORIGIN, play_preflight },
    { "P-CONC-9", "who drops the connection leaves nothing behind", OVER_HTTP, 0, play_dropped },
    { "P-HTTP-21", "the manifest says how long it may be kept", OVER_HTTP, 0, play_caching },
    { "P-HTTP-22", "a manifest that is known is not sent again", OVER_HTTP, 0, play_etag },
    { "P-HTTP-9 P-ERR-4", "GET where POST is wanted is 405", OVER_HTTP, 0, play_wrong_method },
    { "P-HTTP-9 P-ENUM-1", "no other path is anything", OVER_HTTP, 0, play_wrong_path },
    { "P-ENV-11 P-HTTP-11", "a request at the other endpoint is refused", OVER_HTTP, 0,
      play_wrong_endpoint },
    { "P-HTTP-23", "single requests can be made over HTTP", OVER_HTTP, 0, play_endpoints_here },
    { "P-PROG-3", "an invocation is one envelope, without progress", OVER_HTTP, 0,
      play_one_envelope },
    { 0 },
};
