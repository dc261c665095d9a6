/* manglecp action: one action, as a chain would run it: in the pool, with its schemas, its lease
 * and its limits, and without rules, tools and facts around it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "actions/toolpool.h"
#include "base/near.h"
#include "cli/manglecp_actions.h"
#include "cli/manglecp_ask.h"
#include "cli/manglecp_commands.h"
#include "cli/manglecp_render.h"
#include "cli/manglecp_request.h"

const struct cli_command mgi_command_action = {
    .name = "manglecp action",
    .usage = "DOMAIN AID [OPTIONS]",
    .help = "Run one action of a domain.",
    .run = mgi_run_action,
    .more =
        "A value of --arg is text where the action's schema says string; else it is JSON if it\n"
        "reads as JSON. What changes something (tier above 0) is asked for, at a terminal, or\n"
        "allowed with --yes: nothing but its schemas stands between you and the action here.\n"
        "\n"
        "Exit status: 0 it answered, 1 it failed, or did not take its arguments, or was not "
        "allowed;\n"
        "2 usage; 4 it may have had an effect or not.\n",
};

struct running {
    struct host host;
    struct awaited awaited;
    const struct action *action;
    struct toolsession *session;
    struct tool_inputs inputs;
    struct tool_request request;
    const char *why; /* no session */
    struct tool_result result;
    bool answered;
    uv_signal_t interrupt;
};

/* ---- arguments ------------------------------------------------------------------------------- */

/* Does the schema want a text there? */
static bool wants_text(const struct json *schema, const char *name)
{
    const struct json *properties = mgi_json_get(schema, "properties");
    const struct json *type = mgi_json_get(mgi_json_get(properties, name), "type");
    return type && type->type == JSON_STRING && str_is(type->string, "string");
}

static bool write_arg(struct json_writer *w, struct arena *a, const struct json *schema,
                      const char *pair)
{
    struct json value;
    const char *equals = mgi_request_pair(pair);
    if (!equals)
        return false;
    const char *name = mgi_arena_printf(a, "%.*s", (int)(equals - pair), pair);
    if (!name)
        return false;
    mgi_jw_key_str(w, str_of(name));
    bool read = !wants_text(schema, name) &&
                mgi_json_parse(a, str_of(equals + 1), NULL, &value, NULL) == JSON_OK;
    if (read)
        mgi_jw_value(w, &value);
    else
        mgi_jw_cstring(w, equals + 1);
    return true;
}

static bool make_inputs(struct running *r, const struct cli_list *args, const char *whole)
{
    struct arena *a = &r->host.arena;
    struct json schema = { .type = JSON_NULL };
    struct buf text = { 0 };
    struct json_writer w;
    if (r->action->input_schema_text.len > 0)
        mgi_json_parse(a, r->action->input_schema_text, NULL, &schema, NULL);
    bool good = true;
    mgi_json_writer_init(&w, &text, 0);
    if (whole) {
        mgi_buf_puts(&text, whole);
    } else {
        mgi_jw_begin_object(&w);
        for (size_t i = 0; good && i < args->count; i++)
            good = write_arg(&w, a, &schema, args->items[i]);
        if (good)
            mgi_jw_end_object(&w);
    }
    struct str kept = mgi_arena_str(a, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    if (good && (!kept.ptr || !mgi_tool_inputs(a, kept, r->action->tier > 0, &r->inputs))) {
        mgi_cli_error("the arguments must be one JSON object, each name once");
        good = false;
    }
    return good;
}

/* All that does not fit. */
static bool fits(const struct schema *schema, const struct json *value, struct arena *a,
                 const char *what)
{
    struct schema_issues issues;
    mgi_schema_issues_init(&issues, a, 0);
    if (!schema || mgi_schema_validate(schema, value, &issues))
        return true;
    for (size_t i = 0; i < issues.count; i++)
        mgi_cli_error("%s%s: %s", what, issues.items[i].path, issues.items[i].message);
    return false;
}

/* ---- consent --------------------------------------------------------------------------------- */

static bool is_allowed(struct running *r, bool yes)
{
    struct arena *a = &r->host.arena;
    const struct action *action = r->action;
    if (action->tier == 0 || yes)
        return true;
    if (!mgi_ask_can()) {
        mgi_cli_error("%.*s changes something (tier %d)", STR_ARG(action->aid), action->tier);
        mgi_cli_hint("Nobody is there to be asked: say --yes if it is meant.");
        return false;
    }
    const char **effects = mgi_arena_calloc(a, action->effect_count + 1, sizeof *effects);
    for (size_t i = 0; effects && i < action->effect_count; i++)
        effects[i] = mgi_arena_str(a, action->effects[i]).ptr;
    const struct manglecp_consent what = {
        .tool = mgi_arena_str(a, action->aid).ptr,
        .description = mgi_arena_str(a, action->description).ptr,
        .args = mgi_arena_str(a, r->inputs.value.text).ptr,
        .bound = "[]",
        .side_effects = effects,
        .side_effect_count = action->effect_count,
        .reversible = action->reversible,
    };
    return !a->oom && mgi_ask_show(&what, NULL) && mgi_ask_yes("Run it?");
}

/* ---- the call -------------------------------------------------------------------------------- */

static void is_done(void *context, const struct tool_result *result)
{
    struct running *r = context;
    r->result = *result;
    r->answered = true;
    mgi_host_done(&r->awaited);
}

static void has_session(void *context, struct toolsession *session,
                        enum toolsession_refusal refusal, const char *why)
{
    struct running *r = context;
    (void)refusal;
    r->session = session;
    r->why = why;
    if (!session) {
        mgi_host_done(&r->awaited);
        return;
    }
    r->request = (struct tool_request){ .arena = &r->host.arena,
                                        .aid = r->action->aid,
                                        .inputs = &r->inputs,
                                        .invocation_id = STR_LIT("manglecp-action"),
                                        .timeout_ms = r->action->timeout_ms,
                                        .tier = r->action->tier,
                                        .issuer = "confirmation" };
    mgi_toolsession_call(session, &r->request, is_done, r);
}

static void on_interrupt(uv_signal_t *handle, int number)
{
    struct running *r = handle->data;
    (void)number;
    uv_signal_stop(handle); /* the second one ends the program */
    if (r->session && !r->answered)
        mgi_toolsession_cancel(r->session);
}

static void call(struct running *r)
{
    const struct toolwish wish = {
        .provider = r->action->provider, .wait_ms = 30000, .ready = has_session, .context = r
    };
    r->awaited = (struct awaited){ &r->host.loop, false };
    r->interrupt.data = r;
    uv_signal_init(&r->host.loop, &r->interrupt);
    uv_signal_start(&r->interrupt, on_interrupt, SIGINT);
    if (mgi_toolsession_take(r->host.pool, &wish))
        mgi_host_await(&r->awaited);
    else
        r->why = "out of memory";
    uv_close((uv_handle_t *)&r->interrupt, NULL);
    if (r->session)
        mgi_toolsession_release(r->session);
}

static const char *outcome_name(enum tool_outcome outcome)
{
    for (const struct tool_code *c = mgi_tool_codes; c->code; c++)
        if (c->outcome == outcome)
            return c->code;
    return outcome == TOOL_OK ? "ok" : "tool_error";
}

static void print_json(const struct running *r)
{
    struct buf text = { 0 };
    struct json_writer w;
    bool good = r->answered && r->result.outcome == TOOL_OK;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_bool(&w, "ok", good);
    mgi_jw_member_str(&w, "aid", r->action->aid);
    if (r->answered && (good || r->result.outcome == TOOL_ERROR)) {
        mgi_jw_key(&w, "output");
        mgi_jw_value(&w, &r->result.output);
    }
    if (!good) {
        mgi_jw_member_cstr(&w, "code",
                           r->answered ? outcome_name(r->result.outcome) : "unavailable");
        mgi_jw_member_str(&w, "error", r->answered ? r->result.error : str_of(r->why));
        mgi_jw_member_bool(&w, "indeterminate", r->result.indeterminate);
    }
    mgi_jw_member_int(&w, "duration_ms", r->result.duration_ms);
    mgi_jw_end_object(&w);
    mgi_render_envelope(stdout, mgi_buf_view(&text));
    mgi_buf_fini(&text);
}

static int report(struct running *r, bool json)
{
    bool good = r->answered && r->result.outcome == TOOL_OK;
    if (json)
        print_json(r);
    else if (good)
        mgi_render_json(stdout, &r->result.output, "");
    else
        mgi_cli_error("%.*s: %.*s", STR_ARG(r->action->aid),
                      STR_ARG(r->answered ? r->result.error : str_of(r->why)));
    if (good && !fits(r->action->output_schema, &r->result.output, &r->host.arena, "its output "))
        return EXIT_WRONG;
    return good ? EXIT_ANSWERED : r->result.indeterminate ? EXIT_UNKNOWN : EXIT_WRONG;
}

/* ---- the command ----------------------------------------------------------------------------- */

static const struct action *find(const struct snapshot *s, const char *aid)
{
    const struct action *found = mgi_snapshot_action(s, str_of(aid));
    struct near near = mgi_near(str_of(aid));
    if (found)
        return found;
    mgi_cli_error("there is no action \"%s\"", aid);
    for (size_t i = 0; i < s->action_count; i++)
        mgi_near_try(&near, s->actions[i].aid);
    if (near.best.len > 0)
        mgi_cli_hint("Did you mean %.*s?", STR_ARG(near.best));
    else
        mgi_cli_hint("manglecp actions lists them.");
    return NULL;
}

struct action_options {
    const char *aid, *input;
    struct cli_list args;
    bool json, yes;
};

static int run(const struct host_options *host, const struct action_options *o)
{
    struct running r = { 0 };
    int status = mgi_host_start(&r.host, host);
    if (status != EXIT_ANSWERED)
        return status;
    r.action = find(r.host.snapshot, o->aid);
    bool good = r.action && make_inputs(&r, &o->args, o->input) &&
                fits(r.action->input_schema, &r.inputs.value, &r.host.arena, "arguments") &&
                is_allowed(&r, o->yes);
    if (good)
        call(&r);
    status = good ? report(&r, o->json) : EXIT_WRONG;
    mgi_host_stop(&r.host);
    return status;
}

int mgi_run_action(int argc, char **argv)
{
    struct host_options host = { 0 };
    struct action_options o = { 0 };
    bool helped;
    const struct cli_option options[] = {
        { "--arg", OPTION_LIST, &o.args, NULL, "K=V", "an argument" },
        { "--input", OPTION_TEXT, &o.input, NULL, "JSON", "all arguments, as one JSON object" },
        { "--yes", OPTION_FLAG, &o.yes, NULL, NULL, "run it though it changes something" },
        { "--json", OPTION_FLAG, &o.json, NULL, NULL, "print one JSON object, also of a failure" },
        HOST_OPTION_ROWS(host),
        { 0 },
    };
    struct cli_list words = { 0 };
    if (!mgi_cli_parse(&mgi_command_action, options, argc, argv, &words, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (words.count != 2 || (o.input && o.args.count > 0)) {
        mgi_cli_error("action needs a DOMAIN and an AID, and --arg or --input");
        return EXIT_USAGE;
    }
    host.domain = words.items[0];
    o.aid = words.items[1];
    return run(&host, &o);
}
