/* manglecp manifest, intent, invoke: one request to a server, wherever it is. */
#include <unistd.h>

#include "base/time.h"
#include "base/digest.h"
#include "base/utf8.h"
#include "cli/manglecp_commands.h"
#include "cli/manglecp_render.h"
#include "cli/manglecp_request.h"
#include "cli/manglecp_view.h"

/* With --json the envelope and nothing else. */
static void print_json(const struct buf *envelope)
{
    fwrite(envelope->ptr, 1, envelope->len, stdout);
    fputc('\n', stdout);
}

static void render(const struct target *t, int status,
                   void (*people)(FILE *, const struct json *, bool brief))
{
    struct arena arena;
    mgi_arena_init(&arena, 0);
    const struct json *payload = mgi_render_payload(&arena, mgi_buf_view(&t->answer));
    if (payload && status == EXIT_WRONG)
        mgi_render_error(stderr, payload);
    else if (payload)
        people(stdout, payload, false);
    mgi_arena_fini(&arena);
}

/* ---- manifest ---------------------------------------------------------------------------- */

const struct cli_command mgi_command_manifest = {
    .name = "manglecp manifest",
    .usage = "TARGET [OPTIONS] | [OPTIONS] -- COMMAND...",
    .help = "Show what a server says of itself.",
    .run = mgi_run_manifest,
};

int mgi_run_manifest(int argc, char **argv)
{
    struct target_options o = { 0 };
    bool json = false, helped;
    const struct cli_option options[] = {
        { "--json", OPTION_FLAG, &json, NULL, NULL, "print the message and nothing else" },
        TARGET_OPTION_ROWS(o),
        { 0 },
    };
    struct cli_list words = { 0 }, rest = { 0 };
    size_t dashes;
    struct target t;
    if (!mgi_cli_parse(&mgi_command_manifest, options, argc, argv, &words, &dashes, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    int status = mgi_target_open(&t, &o, &words, dashes, &rest);
    if (status)
        return status;
    if (json) {
        print_json(&t.manifest);
    } else {
        mgi_buf_str(&t.answer, mgi_buf_view(&t.manifest));
        render(&t, EXIT_ANSWERED, mgi_render_manifest);
    }
    mgi_target_close(&t);
    return EXIT_ANSWERED;
}

/* ---- intent ------------------------------------------------------------------------------ */

const struct cli_command mgi_command_intent = {
    .name = "manglecp intent",
    .usage = "TARGET NAME [OPTIONS] | NAME [OPTIONS] -- COMMAND...",
    .help = "Ask for the tools that an intent needs now.",
    .run = mgi_run_intent,
};

static int send_intent(struct target *t, const struct intent_options *o)
{
    manglecp_facts *facts = manglecp_facts_new();
    struct buf payload = { 0 };
    char *json = NULL;
    int status = EXIT_USAGE;
    if (facts && mgi_request_facts(o, facts) && (json = manglecp_facts_json(facts, NULL)) &&
        mgi_request_intent(&payload, o, json))
        status = mgi_target_request(t, "intent_request", mgi_buf_view(&payload));
    manglecp_free(json);
    mgi_buf_fini(&payload);
    manglecp_facts_free(facts);
    return status;
}

static void hint_if_no_tools(const struct target *t, const char *intent)
{
    struct arena arena;
    mgi_arena_init(&arena, 0);
    const struct json *manifest = mgi_render_payload(&arena, mgi_buf_view(&t->manifest));
    const struct json *payload = mgi_render_payload(&arena, mgi_buf_view(&t->answer));
    if (manifest && payload)
        mgi_hint_of_no_tools(manifest, intent, mgi_json_get(payload, "macro_tools"));
    mgi_arena_fini(&arena);
}

int mgi_run_intent(int argc, char **argv)
{
    struct target_options target = { 0 };
    struct intent_options intent = { .max_tools = NOT_SAID, .max_tokens = NOT_SAID };
    bool json = false, helped;
    const struct cli_option options[] = {
        { "--why", OPTION_FLAG, &intent.why, NULL, NULL, "ask for the proofs, too" },
        { "--json", OPTION_FLAG, &json, NULL, NULL, "print the envelope and nothing else" },
        INTENT_OPTION_ROWS(intent),
        TARGET_OPTION_ROWS(target),
        { 0 },
    };
    struct cli_list words = { 0 }, rest = { 0 };
    size_t dashes;
    struct target t;
    if (!mgi_cli_parse(&mgi_command_intent, options, argc, argv, &words, &dashes, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    target.quiet = json;
    int status = mgi_target_open(&t, &target, &words, dashes, &rest);
    if (status)
        return status;
    if (rest.count != 1) {
        mgi_cli_error("intent needs one NAME");
        mgi_cli_hint("manglecp manifest TARGET lists the intents.");
        status = EXIT_USAGE;
    } else {
        intent.name = rest.items[0];
        status = send_intent(&t, &intent);
        if (status != EXIT_USAGE && json)
            print_json(&t.answer);
        else if (status != EXIT_USAGE)
            render(&t, status, mgi_render_intent);
        if (status == EXIT_ANSWERED && !json)
            hint_if_no_tools(&t, intent.name);
    }
    mgi_target_close(&t);
    return status;
}

/* ---- invoke ------------------------------------------------------------------------------ */

const struct cli_command mgi_command_invoke = {
    .name = "manglecp invoke",
    .usage = "TARGET ID [OPTIONS] | ID [OPTIONS] -- COMMAND...",
    .help = "Run a tool that an intent returned (ID: macro_id or, with --intent, a tool's name).",
    .run = mgi_run_invoke,
};

struct invoke_options {
    struct intent_options intent; /* evaluated first, if it has a name */
    struct cli_list args;
    const char *confirm_key;
    bool yes, json;
};

/* The macro_id that the last intent answer gives for `wanted` (an id or a name); in `arena`. */
static const char *find_tool(struct arena *arena, const struct target *t, const char *wanted)
{
    const struct json *payload = mgi_render_payload(arena, mgi_buf_view(&t->answer));
    const struct json *tools = payload ? mgi_json_get(payload, "macro_tools") : NULL;
    for (uint32_t i = 0; tools && tools->type == JSON_ARRAY && i < tools->count; i++) {
        const struct json *id = mgi_json_get(&tools->items[i], "macro_id");
        const struct json *name = mgi_json_get(&tools->items[i], "name");
        if (id && name && id->type == JSON_STRING && name->type == JSON_STRING &&
            (str_is(id->string, wanted) || str_is(name->string, wanted)))
            return mgi_arena_str(arena, id->string).ptr;
    }
    return NULL;
}

static bool invoke_payload(struct buf *out, const struct invoke_options *o, const char *macro_id,
                           const char *token)
{
    struct json_writer w;
    mgi_buf_clear(out);
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "macro_id", macro_id);
    mgi_jw_key(&w, "args");
    if (!mgi_request_members(&w, &o->args))
        return false;
    if (o->intent.has_eval_time) {
        struct buf time = { 0 };
        mgi_time_print(&time, o->intent.eval_time_ns);
        mgi_jw_member_str(&w, "eval_time", mgi_buf_view(&time));
        mgi_buf_fini(&time);
    }
    if (token)
        mgi_jw_member_cstr(&w, "confirmation_token", token);
    mgi_jw_end_object(&w);
    return !out->oom;
}

/* Is the answer confirmation_required? Its challenge then, in `arena`. */
static const struct json *challenge_of(const struct json *payload)
{
    const struct json *code = mgi_json_get(payload, "code");
    const struct json *details = mgi_json_get(payload, "details");
    if (!code || code->type != JSON_STRING || !str_is(code->string, "confirmation_required"))
        return NULL;
    const struct json *challenge = mgi_json_get(details, "challenge");
    return challenge && challenge->type == JSON_STRING ? challenge : NULL;
}

/* What is about to happen, for the person who decides. */
static void show_request(const struct json *details)
{
    struct view v;
    mgi_view_open(&v, stderr);
    const struct json *show = mgi_json_get(details, "show"), *args = mgi_json_get(show, "args");
    fprintf(stderr, "%s%s%s asks for your consent\n", v.style->bold,
            mgi_view_text(&v, show, "tool"), v.style->reset);
    mgi_view_wrap(&v, 2, 0, mgi_view_text(&v, show, "description"));
    if (mgi_view_count(args))
        mgi_view_tree(&v, 2, args);
    fprintf(stderr, "  effects: %s%s\n", mgi_view_joined(&v, mgi_json_get(details, "side_effects")),
            mgi_view_true(details, "reversible") ? "" : "; it cannot be undone");
    mgi_view_close(&v);
}

/* Only a person at a terminal, or --yes, says yes. */
static bool person_agrees(const struct json *payload, bool yes)
{
    char line[16];
    if (!yes && !isatty(STDIN_FILENO)) {
        mgi_cli_hint("Run it at a terminal and answer there, or say --yes.");
        return false;
    }
    fflush(stdout);
    show_request(mgi_json_get(payload, "details"));
    if (yes)
        return true;
    fprintf(stderr, "Run it? [y/N] ");
    return fgets(line, sizeof line, stdin) && (line[0] == 'y' || line[0] == 'Y');
}

/* The token that answers `challenge`: signed with the person's key, or the bare challenge where
 * this process is the server and the person sits before it. NULL: neither (a message was printed).
 */
static const char *consent_token(struct target *t, const struct invoke_options *o,
                                 struct arena *arena, struct str challenge)
{
    if (!o->confirm_key) {
        if (t->local) {
            t->host.approved = mgi_arena_str(&t->host.arena, challenge);
            return t->host.approved.ptr;
        }
        mgi_cli_hint("Give the confirmation key of your token with --confirm-key.");
        return NULL;
    }
    uint8_t key[256];
    size_t len = mgi_base64url_decode(str_of(o->confirm_key), key, sizeof key);
    if (len == SIZE_MAX) {
        mgi_cli_error("--confirm-key is not base64url");
        return NULL;
    }
    return mgi_confirmation_sign(arena, challenge, (struct str){ (const char *)key, len }).ptr;
}

/* Answer a challenge after a person agreed; then ask once more. */
static int confirm_and_retry(struct target *t, const struct invoke_options *o, const char *macro_id,
                             struct arena *arena, struct buf *payload)
{
    const struct json *answer = mgi_render_payload(arena, mgi_buf_view(&t->answer));
    const struct json *challenge = answer ? challenge_of(answer) : NULL;
    if (!challenge || !person_agrees(answer, o->yes))
        return EXIT_WRONG;
    const char *token = consent_token(t, o, arena, challenge->string);
    if (!token || !invoke_payload(payload, o, macro_id, token))
        return EXIT_WRONG;
    return mgi_target_request(t, "invoke_request", mgi_buf_view(payload));
}

static int invoke(struct target *t, const struct invoke_options *o, const char *wanted)
{
    struct arena arena;
    struct buf payload = { 0 };
    const char *macro_id = wanted;
    int status = EXIT_ANSWERED;
    mgi_arena_init(&arena, 0);
    if (o->intent.name) {
        status = send_intent(t, &o->intent);
        if (status == EXIT_ANSWERED && !(macro_id = find_tool(&arena, t, wanted))) {
            mgi_cli_error("the intent %s does not offer \"%s\" on these facts", o->intent.name,
                          wanted);
            status = EXIT_USAGE;
        }
    }
    if (status == EXIT_ANSWERED) {
        status = invoke_payload(&payload, o, macro_id, NULL)
                     ? mgi_target_request(t, "invoke_request", mgi_buf_view(&payload))
                     : EXIT_USAGE;
        if (status == EXIT_WRONG)
            status = confirm_and_retry(t, o, macro_id, &arena, &payload);
    }
    mgi_buf_fini(&payload);
    mgi_arena_fini(&arena);
    return status;
}

int mgi_run_invoke(int argc, char **argv)
{
    struct target_options target = { 0 };
    struct invoke_options o = { .intent = { .max_tools = NOT_SAID, .max_tokens = NOT_SAID } };
    bool helped;
    const struct cli_option options[] = {
        { "--arg", OPTION_LIST, &o.args, NULL, "K=V", "an argument of the tool" },
        { "--intent", OPTION_TEXT, &o.intent.name, NULL, "NAME",
          "evaluate this intent first (a folder or a command remembers nothing)" },
        { "--confirm-key", OPTION_TEXT, &o.confirm_key, NULL, "KEY",
          "answer challenges with this key (base64url)" },
        { "--yes", OPTION_FLAG, &o.yes, NULL, NULL, "consent without asking at the terminal" },
        { "--json", OPTION_FLAG, &o.json, NULL, NULL, "print the envelope and nothing else" },
        INTENT_OPTION_ROWS(o.intent),
        TARGET_OPTION_ROWS(target),
        { 0 },
    };
    struct cli_list words = { 0 }, rest = { 0 };
    size_t dashes;
    struct target t;
    if (!mgi_cli_parse(&mgi_command_invoke, options, argc, argv, &words, &dashes, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    target.quiet = o.json;
    int status = mgi_target_open(&t, &target, &words, dashes, &rest);
    if (status)
        return status;
    if (rest.count != 1) {
        mgi_cli_error("invoke needs one ID");
        status = EXIT_USAGE;
    } else if (!o.intent.name && !mgi_target_remembers(&t)) {
        mgi_cli_error("this target starts anew and knows no tool yet");
        mgi_cli_hint("Add --intent NAME and its facts: the same facts give the same tool.");
        status = EXIT_USAGE;
    } else {
        status = invoke(&t, &o, rest.items[0]);
        if (status != EXIT_USAGE && o.json)
            print_json(&t.answer);
        else if (status != EXIT_USAGE)
            render(&t, status, mgi_render_invoke);
    }
    mgi_target_close(&t);
    return status;
}
