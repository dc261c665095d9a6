/* manglecp invoke: one tool is run, once. What makes that so is in the library; here is what a
 * person says, and what they are told when an answer is lost. */
#include <string.h>

#include "base/json.h"
#include "cli/manglecp_commands.h"
#include "cli/manglecp_render.h"
#include "cli/manglecp_repeat.h"
#include "cli/manglecp_request.h"
#include "cli/manglecp_target.h"

const struct cli_command mgi_command_invoke = {
    .name = "manglecp invoke",
    .usage = "TARGET ID [OPTIONS] | ID [OPTIONS] -- COMMAND...",
    .help = "Run a tool that an intent returned (ID: macro_id or, with --intent, a tool's name).",
    .run = mgi_run_invoke,
    .more =
        "A value of --arg is what the tool's schema says it is; where that leaves it open it is "
        "JSON\n"
        "if it reads as JSON, else text, and in double quotes always text.\n"
        "A request leaves once. Status 4: its answer was lost, and the command that asks for the\n"
        "outcome was printed.\n",
};

struct invoke_options {
    struct intent_options intent; /* evaluated first, if it has a name */
    struct cli_list args;
    const char *key, *resume, *approved;
    bool json, dry_run;
};

/* The answer was lost: how to ask for it. */
static void hint_at_outcome(const struct target *t, const struct invoke_options *o)
{
    struct buf line = { 0 };
    struct arena arena;
    mgi_arena_init(&arena, 0);
    mgi_repeat_word(&line, mgi_repeat_program(&arena));
    mgi_buf_puts(&line, " invoke ");
    mgi_repeat_target(&line, t);
    mgi_repeat_word(&line, manglecp_macro_id(t->client));
    mgi_repeat_list(&line, "--arg", &o->args);
    mgi_buf_printf(&line, " --resume %s", manglecp_key(t->client));
    mgi_repeat_target_end(&line, t);
    mgi_cli_hint("What came of it is told, and nothing is run, if it is asked so:\n    %s",
                 line.ptr ? line.ptr : "");
    mgi_buf_fini(&line);
    mgi_arena_fini(&arena);
}

/* Somebody else may give consent: how. */
static void hint_at_approval(const struct target *t)
{
    struct arena arena;
    struct buf line = { 0 };
    struct json details;
    const struct manglecp_error *e = manglecp_error(t->client);
    if (strcmp(e->code, "confirmation_required") != 0)
        return;
    mgi_arena_init(&arena, 0);
    bool read = mgi_json_parse(&arena, str_of(e->details), NULL, &details, NULL) == JSON_OK;
    const struct json *challenge = read ? mgi_json_get(&details, "challenge") : NULL;
    if (challenge && challenge->type == JSON_STRING) {
        const char *word = mgi_arena_str(&arena, challenge->string).ptr;
        mgi_repeat_word(&line, mgi_repeat_program(&arena));
        mgi_buf_puts(&line, " confirm ");
        mgi_repeat_target(&line, t);
        mgi_repeat_word(&line, word ? word : "");
        mgi_cli_hint("Or a person approves it, with another token, and this is said again with "
                     "--approved CHALLENGE:\n    %s",
                     line.ptr ? line.ptr : "");
    }
    mgi_buf_fini(&line);
    mgi_arena_fini(&arena);
}

/* The server does not take the consent: why. */
static void hint_at_refusal(const struct target *t, const struct invoke_options *o)
{
    struct arena arena;
    struct json details;
    const struct manglecp_error *e = manglecp_error(t->client);
    if (strcmp(e->code, "confirmation_invalid") != 0)
        return;
    mgi_arena_init(&arena, 0);
    bool read = mgi_json_parse(&arena, str_of(e->details), NULL, &details, NULL) == JSON_OK;
    const struct json *reason = read ? mgi_json_get(&details, "reason") : NULL;
    struct str why = reason && reason->type == JSON_STRING ? reason->string : STR_LIT("");
    if (str_is(why, "used"))
        mgi_cli_hint("It was used: a consent runs one call once. Ask for the tool again.");
    else if (str_is(why, "expired"))
        mgi_cli_hint("Its time is over. Ask for the tool again.");
    else if (o->approved)
        mgi_cli_hint("It was approved by nobody yet, was refused, or is of another call: of this "
                     "tool, these arguments and this token it has to be.");
    else
        mgi_cli_hint("The confirmation key is not that of the token.");
    mgi_arena_fini(&arena);
}

/* Arguments that are missing, or that there are not: how they are said, and where it stands which
 * there are. */
static void hint_at_arguments(const struct target *t)
{
    for (size_t i = 0; i < manglecp_problem_count(t->client); i++) {
        const struct manglecp_problem *p = manglecp_problem(t->client, i);
        bool names =
            strcmp(p->what, "required") == 0 || strcmp(p->what, "additionalProperties") == 0;
        if (!names || !mgi_str_starts(str_of(p->where), STR_LIT("/args")))
            continue;
        mgi_cli_hint("An argument is --arg NAME=VALUE; manglecp intent shows what a tool takes.");
        return;
    }
}

static void print_result(const manglecp_result *result, bool json)
{
    if (json) {
        mgi_render_envelope(stdout, str_of(manglecp_result_json(result, NULL)));
        return;
    }
    struct arena arena;
    mgi_arena_init(&arena, 0);
    const struct json *root = mgi_render_root(&arena, str_of(manglecp_result_json(result, NULL)));
    const struct json *plan = mgi_json_get(mgi_json_get(root, "extensions"), "x-dry-run");
    if (plan)
        mgi_render_plan(stdout, plan);
    else if (root)
        mgi_render_invoke(stdout, root, false);
    mgi_arena_fini(&arena);
}

static int run(struct target *t, const struct invoke_options *o, const char *tool,
               const manglecp_tools *tools)
{
    struct manglecp_member *args;
    manglecp_result *result = NULL;
    if (!mgi_request_members(&o->args, &args))
        return EXIT_USAGE;
    struct manglecp_invocation invocation = {
        .tools = tools,
        .tool = tool,
        .args = args,
        .arg_count = o->args.count,
        .key = o->resume ? o->resume : o->key,
        .resume = o->resume != NULL,
        .approved = o->approved,
        .dry_run = o->dry_run,
    };
    mgi_target_catch_interrupt();
    enum manglecp_status status = manglecp_invoke(t->client, &invocation, &result);
    int code = mgi_target_failed(t, status, o->json);
    if (status == MANGLECP_ERR_INVALID)
        hint_at_arguments(t);
    if (status == MANGLECP_ERR_INDETERMINATE)
        hint_at_outcome(t, o);
    if (status == MANGLECP_ERR_ANSWER && t->remembers && !o->json)
        hint_at_approval(t);
    if (status == MANGLECP_ERR_ANSWER && !o->json)
        hint_at_refusal(t, o);
    if (result)
        print_result(result, o->json);
    manglecp_result_free(result);
    return code;
}

static int invoke(struct target *t, const struct invoke_options *o, const char *tool)
{
    struct manglecp_intent intent;
    manglecp_tools *tools = NULL;
    manglecp_facts *facts = manglecp_facts_new();
    int status = EXIT_USAGE;
    if (!o->intent.name) {
        status = run(t, o, tool, NULL);
    } else if (facts && mgi_request_facts(&o->intent, facts) &&
               mgi_request_intent(&o->intent, &intent)) {
        status =
            mgi_target_failed(t, manglecp_evaluate(t->client, &intent, facts, &tools), o->json);
        if (!status)
            status = run(t, o, tool, tools);
    }
    manglecp_tools_free(tools);
    manglecp_facts_free(facts);
    return status;
}

/* What is said twice, or cannot be. */
static bool make_sense(const struct invoke_options *o, const struct target *t,
                       const struct cli_list *rest)
{
    if (rest->count != 1) {
        mgi_cli_error("invoke needs one ID");
    } else if (o->key && o->resume) {
        mgi_cli_error("--resume names the key: --idempotency-key has no place beside it");
    } else if (o->resume && t->local) {
        mgi_cli_error(
            "a folder is served anew each time and remembers no key: --resume asks nobody");
    } else if (o->resume && (o->intent.name || o->approved)) {
        mgi_cli_error("--resume asks what became of a run: --intent and --approved have no place "
                      "beside it");
    } else if (o->dry_run && o->resume) {
        mgi_cli_error("--resume asks what became of a run: --dry-run has no place beside it");
    } else if (!o->intent.name && !t->remembers && !o->resume) {
        mgi_cli_error("this target starts anew and knows no tool yet");
        mgi_cli_hint("Add --intent NAME and its facts: the same facts give the same tool.");
    } else {
        return true;
    }
    return false;
}

int mgi_run_invoke(int argc, char **argv)
{
    struct target_options target = { .may_ask = true, .stops_on_signal = true };
    struct invoke_options o = { 0 };
    bool helped;
    const struct cli_option options[] = {
        { "--arg", OPTION_LIST, &o.args, NULL, "K=V", "an argument of the tool" },
        { "--intent", OPTION_TEXT, &o.intent.name, NULL, "NAME",
          "evaluate this intent first (a folder or a command remembers nothing)" },
        { "--confirm-key", OPTION_TEXT, &target.confirm_key, NULL, "KEY",
          "answer challenges with this key (else MANGLECP_CONFIRM_KEY)" },
        { "--approved", OPTION_TEXT, &o.approved, NULL, "CHALLENGE",
          "a challenge that manglecp confirm has approved" },
        { "--yes", OPTION_FLAG, &target.yes, NULL, NULL, "consent without asking at the terminal" },
        { "--idempotency-key", OPTION_TEXT, &o.key, NULL, "KEY",
          "the same key runs once (else a random one)" },
        { "--resume", OPTION_TEXT, &o.resume, NULL, "KEY",
          "ask what came of what was sent with this key, and run nothing" },
        { "--dry-run", OPTION_FLAG, &o.dry_run, NULL, NULL,
          "tell what it would do, and do nothing" },
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
    status = make_sense(&o, &t, &rest) ? invoke(&t, &o, rest.items[0]) : EXIT_USAGE;
    mgi_target_close(&t);
    return status;
}
