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

#define MAX_CONSENT_ROUNDS 2 /* the user is asked again after a token was refused, once */
#define KEY_BYTES          16
#define MAX_NAMED          20 /* of the tools that are offered, in a message */

struct running {
    manglecp_client *c;
    const struct manglecp_invocation *in;
    const struct manglecp_tool *tool; /* of in->tools or of `fresh`; NULL: nothing is known of it */
    struct manglecp_tools *fresh;     /* of an evaluation made here, or NULL */
    const struct json *args;          /* in c->last */
    const char *token;                /* of consent, or NULL */
    bool evaluated_again, agreed, was_early;
    int consent_rounds;
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

static bool same_json(struct arena *scratch, const char *a, const char *b)
{
    struct json x, y;
    if (!a || !b)
        return !a && !b;
    return mgi_json_parse(scratch, str_of(a), NULL, &x, NULL) == JSON_OK &&
           mgi_json_parse(scratch, str_of(b), NULL, &y, NULL) == JSON_OK &&
           mgi_json_equal(&x, &y, true);
}

static bool lists(const char *const *words, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

static bool same_effects(const char *const *a, size_t a_count, const char *const *b, size_t b_count)
{
    for (size_t i = 0; i < a_count; i++)
        if (!lists(b, b_count, a[i]))
            return false;
    for (size_t i = 0; i < b_count; i++)
        if (!lists(a, a_count, b[i]))
            return false;
    return true;
}

/* Is `now` what the caller chose when it chose `then`? As far as it was shown: of a tool in part
 * that is its name. */
static bool same_meaning(struct arena *scratch, const struct manglecp_tool *then,
                         const struct manglecp_tool *now)
{
    if (then->level != MANGLECP_FULL)
        return true;
    return now->level == MANGLECP_FULL && strcmp(then->description, now->description) == 0 &&
           same_json(scratch, then->input_schema, now->input_schema) &&
           same_json(scratch, then->output_schema, now->output_schema) &&
           then->requires_confirmation == now->requires_confirmation &&
           then->reversible == now->reversible &&
           same_effects(then->side_effects, then->side_effect_count, now->side_effects,
                        now->side_effect_count);
}

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
    else if (!same_meaning(&c->last, then, now))
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
    if (r->args)
        c->args = mgi_arena_str(&c->last, r->args->text).ptr;
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
        return mgi_fail(c, MANGLECP_ERR_CONSENT, "the user did not consent to %s", what->tool);
    r->agreed = true;
    return MANGLECP_OK;
}

static struct manglecp_consent words_of_tool(const struct running *r)
{
    return (struct manglecp_consent){ .tool = r->tool ? r->tool->name : r->in->tool,
                                      .description = r->tool ? r->tool->description : "",
                                      .args = r->c->args,
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

static const char *said(struct arena *a, const struct json *object, const char *name,
                        const char *otherwise)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_STRING ? mgi_arena_str(a, v->string).ptr : otherwise;
}

/* What the server says that the user is to be shown; what it leaves out is as we know it. */
static struct manglecp_consent words_of_server(struct running *r, const struct json *details)
{
    struct arena *a = &r->c->last;
    struct manglecp_consent words = words_of_tool(r);
    const struct json *show = mgi_json_get(details, "show");
    const struct json *args = mgi_json_get(show, "args");
    const struct json *bound = mgi_json_get(show, "bound");
    const struct json *effects = mgi_json_get(details, "side_effects");
    const struct json *reversible = mgi_json_get(details, "reversible");
    words.told_by_server = true;
    words.tool = said(a, show, "tool", words.tool);
    words.description = said(a, show, "description", words.description);
    if (args && args->type == JSON_OBJECT)
        words.args = mgi_arena_str(a, args->text).ptr;
    if (bound && bound->type == JSON_ARRAY)
        words.bound = mgi_arena_str(a, bound->text).ptr;
    if (reversible && reversible->type == JSON_BOOL)
        words.reversible = reversible->boolean;
    if (effects && effects->type == JSON_ARRAY) {
        const char **list = mgi_arena_calloc(a, (size_t)effects->count + 1, sizeof *list);
        words.side_effects = list;
        words.side_effect_count = 0;
        for (uint32_t i = 0; list && i < effects->count; i++)
            if (effects->items[i].type == JSON_STRING)
                list[words.side_effect_count++] = mgi_arena_str(a, effects->items[i].string).ptr;
    }
    return words;
}

/* Consent was given to something; is it this? Defaults that the server filled in are fine; what its
 * rules filled in was never seen. */
static bool same_words(struct arena *scratch, const struct manglecp_consent *a,
                       const struct manglecp_consent *b)
{
    struct json x, y;
    if (strcmp(a->tool, b->tool) != 0 || strcmp(a->description, b->description) != 0 ||
        a->reversible != b->reversible ||
        !same_effects(a->side_effects, a->side_effect_count, b->side_effects,
                      b->side_effect_count) ||
        !same_json(scratch, a->bound, b->bound) ||
        mgi_json_parse(scratch, str_of(a->args), NULL, &x, NULL) != JSON_OK ||
        mgi_json_parse(scratch, str_of(b->args), NULL, &y, NULL) != JSON_OK)
        return false;
    for (uint32_t i = 0; i < x.count; i++) {
        const struct json *other = mgi_json_get_str(&y, x.members[i].name);
        if (!other || !mgi_json_equal(&x.members[i].value, other, false))
            return false;
    }
    return true;
}

/* The answer is confirmation_required: with a token for its challenge, what follows is sent again.
 */
static enum manglecp_status answer_challenge(struct running *r)
{
    manglecp_client *c = r->c;
    struct json details;
    if (mgi_json_parse(&c->last, str_of(c->error.details), NULL, &details, NULL) != JSON_OK)
        return MANGLECP_ERR_NOMEM;
    const char *challenge = said(&c->last, &details, "challenge", NULL);
    struct manglecp_consent mine = words_of_tool(r), theirs = words_of_server(r, &details);
    if (c->last.oom)
        return MANGLECP_ERR_NOMEM;
    if (!r->agreed || !same_words(&c->last, &mine, &theirs)) {
        enum manglecp_status status = ask_user(r, &theirs);
        if (status)
            return status;
    }
    r->token = challenge ? mgi_consent_token(c, challenge) : NULL;
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
    if (code_was(c, "confirmation_invalid") && r->token &&
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

/* A server that does not know of dry runs would run the tool. */
static enum manglecp_status check_dry_run(struct running *r)
{
    manglecp_client *c = r->c;
    if (!r->in->dry_run)
        return MANGLECP_OK;
    if (r->in->resume)
        return mgi_fail(c, MANGLECP_ERR_USAGE, "a dry run has no outcome to be asked for");
    enum manglecp_status status =
        c->manifest->state == MANGLECP_BOOTING ? mgi_session_prepare(c) : MANGLECP_OK;
    if (!status && !c->manifest->dry_runs)
        status = mgi_fail(c, MANGLECP_ERR_USAGE,
                          "the server does not say that it knows of dry runs, so none was sent");
    return status;
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
    enum manglecp_status status = check_dry_run(r);
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
