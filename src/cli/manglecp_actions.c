/* manglecp actions: every action of a domain, where it is said, and which tools run it. */
#include <stdio.h>

#include "base/utf8.h"
#include "cli/manglecp_actions.h"
#include "cli/manglecp_commands.h"
#include "cli/manglecp_lock.h"
#include "cli/manglecp_view.h"

const struct cli_command mgi_command_actions = {
    .name = "manglecp actions",
    .usage = "DOMAIN [OPTIONS]",
    .help = "List the actions of a domain: what each does, where it comes from, who uses it.",
    .run = mgi_run_actions,
    .more =
        "A tier above 0 changes something: 1 files and the like, 2 processes, networks, "
        "identities,\n"
        "3 what cannot be taken back. manglecp action runs one of them.\n"
        "\n"
        "With --offered or --lock the MCP servers of the domain are started and asked for their\n"
        "tools, and what differs from mcp.lock.json is told. --lock accepts all of it: read it "
        "first.\n"
        "\n"
        "Exit status: 0 listed, or nothing differs, or it was accepted; 1 the domain does not "
        "load,\n"
        "something differs, or a server does not answer; 2 usage, memory that ran out.\n",
};

struct action_origin mgi_action_origin(const struct action *action)
{
    const struct action_provider *p = action->provider;
    struct action_origin o = { p->origin, p->line, NULL };
    for (size_t i = 0; i < p->place_count; i++)
        if (str_eq(p->places[i].aid, action->aid))
            return (struct action_origin){ p->places[i].origin, p->places[i].line,
                                           p->places[i].runs };
    o.runs = p->runs ? p->runs : mgi_str_starts(p->plugin, STR_LIT("/")) ? p->plugin.ptr : NULL;
    return o;
}

static bool uses(const struct tool *tool, const struct action *action)
{
    for (size_t i = 0; i < tool->step_count; i++)
        for (size_t k = 0; k < mgi_step_actions(&tool->steps[i]); k++)
            if (mgi_step_action(&tool->steps[i], k) == action)
                return true;
    return false;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void write_tools(struct json_writer *w, const struct snapshot *s,
                        const struct action *action)
{
    mgi_jw_key(w, "tools");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < s->tool_count; i++)
        if (uses(&s->tools[i], action))
            mgi_jw_string(w, s->tools[i].name);
    mgi_jw_end_array(w);
}

static void write_action(struct json_writer *w, const struct snapshot *s,
                         const struct action *action)
{
    struct action_origin origin = mgi_action_origin(action);
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "aid", action->aid);
    mgi_jw_member_str(w, "name", action->name);
    mgi_jw_member_str(w, "description", action->description);
    mgi_jw_member_cstr(w, "kind", action->provider->kind);
    mgi_jw_member_str(w, "provider", action->provider->name);
    mgi_jw_member_cstr(w, "file", origin.file);
    mgi_jw_member_int(w, "line", origin.line);
    mgi_jw_member_cstr(w, "runs", origin.runs);
    mgi_jw_member_int(w, "tier", action->tier);
    mgi_jw_member_strs(w, "side_effects", action->effects, action->effect_count);
    mgi_jw_member_bool(w, "deterministic", action->deterministic);
    mgi_jw_member_bool(w, "idempotent", action->idempotent);
    mgi_jw_member_bool(w, "reversible", action->reversible);
    mgi_jw_member_int(w, "timeout_ms", action->timeout_ms);
    mgi_jw_key(w, "input_schema");
    if (action->input_schema_text.len > 0)
        mgi_jw_raw(w, action->input_schema_text);
    else
        mgi_jw_null(w);
    write_tools(w, s, action);
    mgi_jw_end_object(w);
}

static bool print_json(const struct snapshot *s)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < s->action_count; i++)
        write_action(&w, s, &s->actions[i]);
    mgi_jw_end_array(&w);
    if (!text.oom)
        printf("%s\n", text.ptr);
    mgi_buf_fini(&text);
    return !text.oom;
}

/* ---- for people ------------------------------------------------------------------------------ */

static const char *shown(struct view *v, struct str text)
{
    struct buf out = { 0 };
    mgi_utf8_show(&out, text);
    struct str kept = mgi_arena_str(&v->arena, mgi_buf_view(&out));
    mgi_buf_fini(&out);
    return kept.ptr ? kept.ptr : "";
}

static void print_line(struct view *v, const char *what, const struct buf *text)
{
    fprintf(v->to, "    %-9s ", what);
    mgi_view_wrap(v, 14, 14, text->ptr ? text->ptr : "");
}

static void print_action(struct view *v, const struct snapshot *s, const struct action *action)
{
    struct action_origin origin = mgi_action_origin(action);
    struct buf effects = { 0 }, tools = { 0 }, from = { 0 };
    for (size_t i = 0; i < action->effect_count; i++)
        mgi_buf_printf(&effects, "%s%s", i ? ", " : "", shown(v, action->effects[i]));
    mgi_buf_printf(&effects, " (tier %d)", action->tier);
    for (size_t i = 0; i < s->tool_count; i++)
        if (uses(&s->tools[i], action))
            mgi_buf_printf(&tools, "%s%.*s", tools.len ? ", " : "", STR_ARG(s->tools[i].name));
    mgi_buf_printf(&from, "%s:%u", origin.file, origin.line);
    if (origin.runs)
        mgi_buf_printf(&from, ", runs %s", shown(v, str_of(origin.runs)));
    fprintf(v->to, "%s%s%s  %s\n", v->style->bold, shown(v, action->aid), v->style->reset,
            action->provider->kind);
    if (action->description.len > 0)
        mgi_view_wrap(v, 4, 0, shown(v, action->description));
    print_line(v, "effects", &effects);
    print_line(v, "from", &from);
    if (tools.len > 0)
        print_line(v, "tools", &tools);
    mgi_buf_fini(&effects);
    mgi_buf_fini(&tools);
    mgi_buf_fini(&from);
}

static void print_text(const struct snapshot *s)
{
    struct view v;
    mgi_view_open(&v, stdout);
    for (size_t i = 0; i < s->action_count; i++)
        print_action(&v, s, &s->actions[i]);
    printf("%zu action%s\n", s->action_count, s->action_count == 1 ? "" : "s");
    mgi_view_close(&v);
}

int mgi_run_actions(int argc, char **argv)
{
    struct host_options host = { 0 };
    bool helped, json = false, lock = false, offered = false;
    const struct cli_option options[] = {
        { "--json", OPTION_FLAG, &json, NULL, NULL, "print a JSON array" },
        { "--offered", OPTION_FLAG, &offered, NULL, NULL,
          "what MCP servers offer, that is not accepted" },
        { "--lock", OPTION_FLAG, &lock, NULL, NULL,
          "accept what MCP servers offer: mcp.lock.json" },
        HOST_OPTION_ROWS(host),
        { 0 },
    };
    struct cli_list words = { 0 };
    if (!mgi_cli_parse(&mgi_command_actions, options, argc, argv, &words, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (words.count != 1) {
        mgi_cli_error("actions needs one DOMAIN");
        return EXIT_USAGE;
    }
    struct arena arena;
    int status;
    mgi_arena_init(&arena, 0);
    host.domain = words.items[0];
    if (lock || offered) {
        status = mgi_lock_servers(&host, lock);
        mgi_arena_fini(&arena);
        return status;
    }
    struct snapshot *s = mgi_host_load(&host, &arena, &status);
    if (s && json && !print_json(s))
        status = EXIT_USAGE;
    else if (s && !json)
        print_text(s);
    mgi_snapshot_unref(s);
    mgi_arena_fini(&arena);
    return status;
}
