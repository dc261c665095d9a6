/* manglecp manifest, intent: what a server is, and which tools it offers now. */
#include "cli/manglecp_commands.h"
#include "cli/manglecp_profile.h"
#include "cli/manglecp_render.h"
#include "cli/manglecp_request.h"
#include "cli/manglecp_target.h"

static void render(const char *json, void (*people)(FILE *, const struct json *, bool brief))
{
    struct arena arena;
    mgi_arena_init(&arena, 0);
    const struct json *payload = mgi_render_payload(&arena, str_of(json));
    if (payload)
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
    if (!mgi_target_took_all(&t, &rest))
        return EXIT_USAGE;
    const char *manifest = manglecp_manifest(t.client, NULL);
    if (json)
        mgi_render_envelope(stdout, str_of(manifest));
    else
        render(manifest, mgi_render_manifest);
    mgi_target_close(&t);
    return EXIT_ANSWERED;
}

/* ---- intent ------------------------------------------------------------------------------ */

const struct cli_command mgi_command_intent = {
    .name = "manglecp intent",
    .usage = "TARGET NAME [OPTIONS] | NAME [OPTIONS] -- COMMAND...",
    .help = "Ask for the tools that an intent needs now.",
    .run = mgi_run_intent,
    .more =
        "Facts and limits are checked against the manifest before anything is sent, and of the\n"
        "facts only those go along that the intent looks at.\n",
};

static void print_why_not(const manglecp_tools *tools, const struct intent_options *o)
{
    if (o->why_not.count > 0 && !manglecp_tools_why_not(tools))
        mgi_cli_error("the server does not tell why a tool is absent");
    mgi_render_why_not_text(stdout, manglecp_tools_why_not(tools));
}

static int ask(struct target *t, const struct intent_options *o, bool json)
{
    struct manglecp_intent intent;
    manglecp_tools *tools = NULL;
    manglecp_facts *facts = manglecp_facts_new();
    int status = EXIT_USAGE;
    if (facts && mgi_request_facts(o, facts) && mgi_request_intent(o, &intent)) {
        status = mgi_target_failed(t, manglecp_evaluate(t->client, &intent, facts, &tools), json);
        if (tools && json)
            mgi_render_envelope(stdout, str_of(manglecp_tools_json(tools, NULL)));
        else if (tools)
            render(manglecp_tools_json(tools, NULL), mgi_render_intent);
        if (tools && !json)
            print_why_not(tools, o);
        if (tools && !json)
            mgi_hint_of_tools(tools, o->name);
    }
    manglecp_tools_free(tools);
    manglecp_facts_free(facts);
    return status;
}

int mgi_run_intent(int argc, char **argv)
{
    struct target_options target = { 0 };
    struct intent_options intent = { 0 };
    struct intent_profile profile = { 0 };
    bool json = false, profiled = false, helped;
    const struct cli_option options[] = {
        { "--why", OPTION_FLAG, &intent.why, NULL, NULL, "ask for the proofs, too" },
        WHY_NOT_OPTION_ROW(intent),
        { "--json", OPTION_FLAG, &json, NULL, NULL, "print the envelope and nothing else" },
        { "--profile", OPTION_FLAG, &profiled, NULL, NULL,
          "of a domain folder: what the stages and the rules took, on stderr" },
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
    target.quiet = profile.json = json;
    if (profiled) {
        target.host.costs = mgi_intent_profile_take;
        target.host.costs_context = &profile;
    }
    int status = mgi_target_open(&t, &target, &words, dashes, &rest);
    if (status)
        return status;
    if (profiled && !t.local) {
        mgi_cli_error("--profile looks into a domain folder: the rules of a server run elsewhere");
        mgi_cli_hint("A server names slow rules in its log: log.slow_rule, --slow-rule.");
        status = EXIT_USAGE;
    } else if (rest.count != 1) {
        mgi_cli_error("intent needs one NAME");
        mgi_cli_hint("manglecp manifest TARGET lists the intents.");
        status = EXIT_USAGE;
    } else {
        intent.name = rest.items[0];
        status = ask(&t, &intent, json);
    }
    mgi_target_close(&t);
    mgi_intent_profile_print(&profile);
    return status;
}
