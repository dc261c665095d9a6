/* One tool is run, once.
 *
 *     find it -> show it in full, evaluate again if it is over -> arguments -> consent -> send
 *                                                                                          |
 *     forgotten or over: evaluate again (once), go on if it means the same  <--------------+
 *     consent asked for: ask the user, answer the challenge                 <--------------+
 *     an outcome                                                            <--------------+
 *     lost: nobody knows; the key is what to ask with                       <--------------+
 *
 * All that leads back to "send" are answers which say that nothing was run (gates 6 to 11 of 1.3),
 * and each may come a counted number of times. */
#include "base/alloc.h"
#include "base/encode.h"
#include "client/client_int.h"
#include "protocol/wire_time.h"
#include "sys/random.h"

#define MAX_QUESTIONS      256 /* as many steps as a menu may have */
#define MAX_CONSENT_ROUNDS 2   /* the user is asked again after a token was refused, once */
#define KEY_BYTES          16
#define MAX_NAMED          20 /* of the tools that are offered, in a message */

struct running {
    manglecp_client *c;
    const struct manglecp_invocation *in;
    const struct manglecp_tool *tool; /* of in->tools or of `fresh`; NULL: nothing is known of it */
    struct manglecp_tools *fresh;     /* of an evaluation made here, or NULL */
    const struct json *args;          /* in c->last */
    const char *full_args; /* with the defaults of the schema: what will run; in c->last */
    const char *token;     /* of consent, or NULL */
    bool evaluated_again, agreed, was_early;
    int consent_rounds;
    unsigned questions; /* that the tool has asked since it runs: what has run must not run again */
};

/* ---- keys ---------------------------------------------------------------------------------- */

bool mgi_random_key(char key[KEY_CHARS + 1])
{
    uint8_t bytes[KEY_BYTES];
    if (!mgi_random(bytes, sizeof bytes))
        return false;
    mgi_base64url_encode(bytes, sizeof bytes, key);
    return true;
}

static bool key_ok(const char *key)
{
    size_t len = strlen(key);
    return len >= 1 && len <= KEY_CHARS &&
           strspn(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-") == len;
}

static enum manglecp_status take_key(manglecp_client *c, const struct manglecp_invocation *in)
{
    c->key[0] = '\0';
    if (in->dry_run) /* nothing happens that could happen twice */
        return MANGLECP_OK;
    if (in->resume && !in->key)
        return mgi_fail(c, MANGLECP_ERR_USAGE, "to ask for an outcome takes the key that was sent");
    if (!in->key)
        return mgi_random_key(c->key)
                   ? MANGLECP_OK
                   : mgi_fail(c, MANGLECP_ERR_TRANSPORT, "the system has no randomness");
    if (!key_ok(in->key)) {
        enum manglecp_status status =
            mgi_problem(c, "/extensions/x-idempotency-key", "pattern",
                        "a key has 1 to %d characters of A-Z a-z 0-9 . _ : -", KEY_CHARS);
        return status == MANGLECP_ERR_NOMEM ? status : mgi_problems_status(c);
    }
    memcpy(c->key, in->key, strlen(in->key) + 1);
    return MANGLECP_OK;
}

const char *manglecp_key(const manglecp_client *c)
{
    return c->key;
}

const char *manglecp_macro_id(const manglecp_client *c)
{
    return c->macro_id ? c->macro_id : "";
}

const char *manglecp_args(const manglecp_client *c)
{
    return c->args ? c->args : "";
}

/* ---- evaluating again ------------------------------------------------------------------------ */

static enum manglecp_status evaluate_again(struct running *r, bool in_full)
{
    manglecp_client *c = r->c;
    struct manglecp_tools *fresh;
    struct manglecp_intent intent = r->in->tools->intent;
    if (!r->in->facts)
        intent.more_facts = r->in->tools->facts;
    enum manglecp_status status =
        mgi_evaluate(c, &intent, r->in->facts, in_full ? r->tool->macro_id : NULL, &fresh);
    if (status)
        return status;
    const struct manglecp_tool *then = r->tool, *now = manglecp_tools_find(fresh, then->macro_id);
    if (!now)
        now = manglecp_tools_find(fresh, then->name);
    if (!now)
        status =
            mgi_fail(c, MANGLECP_ERR_GONE, "the server does not offer %s any more", then->name);
    else if (!mgi_tool_means_the_same(&c->last, then, now))
        status =
            mgi_fail(c, MANGLECP_ERR_GONE,
                     "%s is offered again, but means something else: look at it anew", then->name);
    if (status) {
        manglecp_tools_free(fresh);
        return status;
    }
    manglecp_tools_free(r->fresh);
    r->fresh = fresh;
    r->tool = now;
    return MANGLECP_OK;
}

/* A tool that is over, or shown in part, is not run as it is (P-TOOL-18, P-DISC-LVL-9). */
static enum manglecp_status bring_up_to_date(struct running *r)
{
    if (!r->tool || r->in->resume)
        return MANGLECP_OK;
    bool over = mgi_client_now_ns(r->c) >= r->tool->expires_at_ns;
    bool in_part = r->tool->level != MANGLECP_FULL;
    if (!over && !in_part)
        return MANGLECP_OK;
    r->evaluated_again = over;
    return evaluate_again(r, in_part);
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* *out stays NULL where there is none, or it is beyond us: the server judges then. */
static enum manglecp_status schema_of(manglecp_client *c, const struct manglecp_tool *tool,
                                      struct schema **out)
{
    struct json v;
    struct schema_issues issues;
    *out = NULL;
    if (!tool || !tool->input_schema)
        return MANGLECP_OK;
    enum json_fault fault = mgi_json_parse(&c->last, str_of(tool->input_schema), NULL, &v, NULL);
    if (fault)
        return fault == JSON_NOMEM ? MANGLECP_ERR_NOMEM : MANGLECP_OK;
    mgi_schema_issues_init(&issues, &c->last, 0);
    *out = mgi_schema_compile(&v, SCHEMA_LENIENT, &issues);
    return *out || issues.count > 0 ? MANGLECP_OK : MANGLECP_ERR_NOMEM;
}

static enum manglecp_status make_arguments(struct running *r)
{
    manglecp_client *c = r->c;
    const struct manglecp_invocation *in = r->in;
    struct object_source source = { in->args, in->arg_count, in->args_json };
    struct schema *schema;
    enum manglecp_status status = schema_of(c, r->tool, &schema);
    if (!status)
        status = mgi_object_make(c, "/args", &source, schema, &r->args);
    if (!status && schema && !in->resume)
        status = mgi_object_check(c, "/args", r->args, schema);
    mgi_schema_free(schema);
    if (r->args && !status) {
        c->args = mgi_arena_str(&c->last, r->args->text).ptr;
        r->full_args = mgi_args_with_defaults(&c->last, r->tool, r->args);
        if (!c->args || !r->full_args)
            return MANGLECP_ERR_NOMEM;
    }
    return status == MANGLECP_ERR_NOMEM ? status : mgi_problems_status(c);
}

/* ---- consent --------------------------------------------------------------------------------- */

static enum manglecp_status ask_user(struct running *r, const struct manglecp_consent *what)
{
    manglecp_client *c = r->c;
    if (!c->options.consent)
        return mgi_fail(c, MANGLECP_ERR_CONSENT, "%s needs the user's consent, and nobody is asked",
                        what->tool);
    if (!c->options.consent(c->options.context, what))
        return mgi_fail(c, MANGLECP_ERR_CONSENT,
                        what->question ? "the user did not consent to what %s asks, and what it "
                                         "had done before is done"
                                       : "the user did not consent to %s",
                        what->tool);
    r->agreed = true;
    return MANGLECP_OK;
}

static struct manglecp_consent words_of_tool(const struct running *r)
{
    return (struct manglecp_consent){ .tool = r->tool ? r->tool->name : r->in->tool,
                                      .description = r->tool ? r->tool->description : "",
                                      .args = r->full_args,
                                      .bound = "[]",
                                      .side_effects = r->tool ? r->tool->side_effects : NULL,
                                      .side_effect_count = r->tool ? r->tool->side_effect_count : 0,
                                      .reversible = r->tool && r->tool->reversible };
}

/* Before anything is sent (P-TOOL-15). */
static enum manglecp_status ask_before(struct running *r)
{
    if (!r->tool || !r->tool->requires_confirmation || r->in->resume || r->in->dry_run || r->token)
        return MANGLECP_OK;
    struct manglecp_consent words = words_of_tool(r);
    return ask_user(r, &words);
}

/* Does the server ask for something else than the tool that was chosen? What rules filled in is no
 * such difference: no tool can tell of it. */
static bool differs(const struct running *r, const struct manglecp_consent *mine,
                    const struct manglecp_consent *theirs)
{
    struct manglecp_consent unbound = *theirs;
    unbound.bound = mine->bound;
    unbound.question = NULL;
    return r->tool && !mgi_consent_covers(&r->c->last, mine, r->c->args, &unbound);
}

/* The answer is confirmation_required: with a token for its challenge, what follows is sent again.
 */
static enum manglecp_status answer_challenge(struct running *r)
{
    manglecp_client *c = r->c;
    struct json details;
    if (mgi_json_parse(&c->last, str_of(c->error.details), NULL, &details, NULL) != JSON_OK)
        return MANGLECP_ERR_NOMEM;
    struct manglecp_consent mine = words_of_tool(r);
    struct challenge_words theirs;
    if (!mgi_challenge_read(&c->last, &details, &mine, &theirs))
        return MANGLECP_ERR_NOMEM;
    if (theirs.macro_id && strcmp(theirs.macro_id, c->macro_id) != 0)
        return mgi_fail(c, MANGLECP_ERR_PROTOCOL,
                        "the server asks for consent to another tool than the one that was sent");
    theirs.consent.differs = differs(r, &mine, &theirs.consent);
    if (!r->agreed || !mgi_consent_covers(&c->last, &mine, c->args, &theirs.consent)) {
        enum manglecp_status status = ask_user(r, &theirs.consent);
        if (status)
            return status;
    }
    r->token = theirs.challenge ? mgi_consent_token(c, theirs.challenge) : NULL;
    if (r->token)
        return MANGLECP_OK;
    return c->last.oom
               ? MANGLECP_ERR_NOMEM
               : mgi_fail(c, MANGLECP_ERR_ANSWER,
                          "%s: there is consent, and no key to confirm it with", c->error.message);
}

/* ---- sending --------------------------------------------------------------------------------- */

static enum manglecp_status send_once(struct running *r)
{
    manglecp_client *c = r->c;
    struct buf payload = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &payload, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "macro_id", c->macro_id);
    mgi_jw_key(&w, "args");
    mgi_jw_raw(&w, r->args->text);
    if (r->in->eval_time_ns) {
        mgi_jw_key(&w, "eval_time");
        mgi_wire_time_write(&w, *r->in->eval_time_ns);
    }
    if (r->token)
        mgi_jw_member_cstr(&w, "confirmation_token", r->token);
    mgi_jw_end_object(&w);
    struct question q = { .type = MSG_INVOKE_REQUEST,
                          .payload = mgi_buf_view(&payload),
                          .key = c->key[0] ? c->key : NULL,
                          .key_only = r->in->resume,
                          .dry_run = r->in->dry_run,
                          .was_early = r->was_early };
    enum manglecp_status status = payload.oom ? MANGLECP_ERR_NOMEM : mgi_session_ask(c, &q);
    r->was_early = q.was_early;
    mgi_buf_fini(&payload);
    return status;
}

static bool code_was(const manglecp_client *c, const char *code)
{
    return strcmp(c->error.code, code) == 0;
}

static bool detail_is_true(manglecp_client *c, const char *name)
{
    struct json details;
    if (mgi_json_parse(&c->last, str_of(c->error.details), NULL, &details, NULL) != JSON_OK)
        return false;
    const struct json *v = mgi_json_get(&details, name);
    return v && v->type == JSON_BOOL && v->boolean;
}

/* Was a consent of this call in vain, so that another one may not be? What somebody else has
 * approved is not asked for here, and a key that does not fit fits the next challenge no better. */
static bool came_too_late(struct running *r)
{
    struct json details;
    if (r->in->approved ||
        mgi_json_parse(&r->c->last, str_of(r->c->error.details), NULL, &details, NULL) != JSON_OK)
        return false;
    const struct json *reason = mgi_json_get(&details, "reason");
    return !reason || reason->type != JSON_STRING || !str_is(reason->string, "mismatch");
}

/* Does the tool run, and ask before one of its actions? */
static bool asks_within(struct running *r)
{
    struct json details;
    if (mgi_json_parse(&r->c->last, str_of(r->c->error.details), NULL, &details, NULL) != JSON_OK)
        return false;
    return mgi_json_get(mgi_json_get(&details, "show"), "question") != NULL;
}

/* An error came. MANGLECP_OK: something was done about it, and the request may be sent again. */
static enum manglecp_status recover(struct running *r)
{
    manglecp_client *c = r->c;
    bool forgotten = code_was(c, "macro_not_found") || code_was(c, "macro_expired");
    if (detail_is_true(c, "indeterminate"))
        return mgi_fail(c, MANGLECP_ERR_INDETERMINATE, "%s: whether it ran to its end is not known",
                        c->error.message);
    if (r->in->resume)
        return MANGLECP_ERR_ANSWER;
    if (code_was(c, "confirmation_required") && asks_within(r) && !r->in->approved &&
        r->questions < MAX_QUESTIONS) {
        r->questions++;
        r->token = NULL; /* it has answered what was asked before */
        return answer_challenge(r);
    }
    if (r->questions > 0) /* whatever became of it, nothing begins anew */
        return MANGLECP_ERR_ANSWER;
    if (forgotten && r->tool && !r->evaluated_again) { /* P-CACHE-6 */
        r->evaluated_again = true;
        r->token = NULL; /* it was for the other macro_id */
        return evaluate_again(r, false);
    }
    if (code_was(c, "confirmation_required") && !r->token &&
        r->consent_rounds < MAX_CONSENT_ROUNDS) {
        r->consent_rounds++;
        return answer_challenge(r);
    }
    if (code_was(c, "confirmation_invalid") && r->token && came_too_late(r) &&
        r->consent_rounds < MAX_CONSENT_ROUNDS) { /* ask the user again */
        r->token = NULL;
        r->agreed = false;
        return MANGLECP_OK;
    }
    return MANGLECP_ERR_ANSWER;
}

static enum manglecp_status run(struct running *r)
{
    manglecp_client *c = r->c;
    enum manglecp_status status;
    do {
        c->macro_id = mgi_arena_strdup(&c->last, r->tool ? r->tool->macro_id : r->in->tool);
        status = c->macro_id ? send_once(r) : MANGLECP_ERR_NOMEM;
        if (status != MANGLECP_ERR_ANSWER)
            return status;
        status = recover(r);
    } while (!status);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static enum manglecp_status not_offered(manglecp_client *c, const struct manglecp_invocation *in)
{
    struct buf offered = { 0 };
    for (size_t i = 0; i < in->tools->count && i < MAX_NAMED; i++)
        mgi_buf_printf(&offered, "%s%s", i ? ", " : "; it offers ", in->tools->items[i].name);
    if (in->tools->count > MAX_NAMED)
        mgi_buf_puts(&offered, " and others");
    enum manglecp_status status = MANGLECP_ERR_NOMEM;
    if (!offered.oom)
        status = mgi_problem(c, "/macro_id", "unknown_tool",
                             "the intent %s does not offer \"%s\" on these facts%s",
                             in->tools->intent.name, in->tool, offered.len ? offered.ptr : "");
    mgi_buf_fini(&offered);
    return status == MANGLECP_ERR_NOMEM ? status : mgi_problems_status(c);
}

/* A server that does not know of dry runs, or of questions for an outcome alone, would run the
 * tool. */
static enum manglecp_status check_understood(struct running *r)
{
    manglecp_client *c = r->c;
    bool dry_run = r->in->dry_run, resume = r->in->resume;
    if (!dry_run && !resume)
        return MANGLECP_OK;
    if (dry_run && resume)
        return mgi_fail(c, MANGLECP_ERR_USAGE, "a dry run has no outcome to be asked for");
    enum manglecp_status status =
        c->manifest->state == MANGLECP_BOOTING ? mgi_session_prepare(c) : MANGLECP_OK;
    if (status)
        return status;
    if (dry_run && !c->manifest->dry_runs)
        return mgi_fail(c, MANGLECP_ERR_USAGE,
                        "the server does not say that it knows of dry runs, so none was sent");
    if (resume && !c->manifest->tells_outcomes)
        return mgi_fail(c, MANGLECP_ERR_USAGE,
                        "the server does not say that it tells outcomes without running anything, "
                        "so it was not asked");
    return MANGLECP_OK;
}

static enum manglecp_status find_tool(struct running *r)
{
    manglecp_client *c = r->c;
    if (!r->in->tool || !r->in->tool[0])
        return mgi_fail(c, MANGLECP_ERR_USAGE, "an invocation needs a tool");
    if (!r->in->tools)
        return MANGLECP_OK;
    r->tool = manglecp_tools_find(r->in->tools, r->in->tool);
    return r->tool ? MANGLECP_OK : not_offered(c, r->in);
}

static enum manglecp_status prepare(struct running *r)
{
    manglecp_client *c = r->c;
    enum manglecp_status status = check_understood(r);
    if (!status)
        status = find_tool(r);
    if (!status)
        status = take_key(c, r->in);
    if (!status)
        status = bring_up_to_date(r);
    if (!status) {
        c->macro_id = mgi_arena_strdup(&c->last, r->tool ? r->tool->macro_id : r->in->tool);
        status = c->macro_id ? make_arguments(r) : MANGLECP_ERR_NOMEM;
    }
    return status ? status : ask_before(r);
}

enum manglecp_status manglecp_invoke(manglecp_client *c,
                                     const struct manglecp_invocation *invocation,
                                     manglecp_result **out)
{
    struct running r = { .c = c, .in = invocation, .token = invocation->approved };
    *out = NULL;
    mgi_client_begin(c);
    c->macro_id = c->args = NULL;
    c->key[0] = '\0';
    enum manglecp_status status = prepare(&r);
    if (!status)
        status = run(&r);
    if (!status)
        status = mgi_result_read(c, mgi_buf_view(&c->in.text), out);
    if (!status && invocation->dry_run && !manglecp_result_plan(*out)) {
        manglecp_result_free(*out);
        *out = NULL;
        status = mgi_fail(c, MANGLECP_ERR_PROTOCOL,
                          "the server answered a dry run without saying that it was one");
    }
    manglecp_tools_free(r.fresh);
    return status;
}
