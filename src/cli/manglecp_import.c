/* manglecp import: a domain folder out of MCP servers or an HTTP API. The main line: read what
 * there is, write the folder beside its place, check and ask it, put it into its place, tell. */
#include "cli/manglecp_import.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli_stop.h"
#include "cli/manglecp_commands.h"
#include "scenario/scenario.h"
#include "sys/clock.h"

#define MOST_NAME 64 /* bytes of a domain's name */

const struct cli_command mgi_command_import = {
    .name = "manglecp import",
    .usage = "mcp FILE|URL [OPTIONS] | mcp [OPTIONS] -- COMMAND... | openapi FILE [OPTIONS]\n"
             "       | confirm FOLDER [TOOL=CLASS...]",
    .help = "Make a domain out of MCP servers or of an HTTP API.",
    .run = mgi_run_import,
    .more =
        "mcp      the servers of a client's configuration (.mcp.json and the like), of an address, "
        "or\n"
        "         of a command are started and asked for their tools\n"
        "openapi  the operations of an OpenAPI document\n"
        "confirm  what was guessed of the harm of tools is confirmed or corrected: none, write or\n"
        "         destructive; without TOOL=CLASS what facts/confirmed.mg says is told to the lock "
        "file\n"
        "\n"
        "The folder works at once, and is yours: what an import has written is written anew by the "
        "next\n"
        "one, what you have changed or added stays. No secret is copied: a literal that looks like "
        "one\n"
        "becomes ${NAME}. It ends with what to look at, and what the tools cost in tokens.\n"
        "\n"
        "Exit status: 0 it is there, 1 a server failed (the others are imported) or none answered, "
        "or\n"
        "check finds an error, 2 usage, or it cannot be written.\n",
};

/* ---- names ------------------------------------------------------------------------------------
 */

/* What the domain is called: the last part of its folder, as `manglecp new` has it. */
static char *domain_name(struct importing *im)
{
    struct str path = str_of(im->place);
    size_t begin = path.len;
    while (begin > 0 && path.ptr[begin - 1] != '/')
        begin--;
    char *name = mgi_import_snake(&im->arena, (struct str){ path.ptr + begin, path.len - begin });
    return name && name[0] ? name : NULL;
}

/* ---- the files --------------------------------------------------------------------------------
 */

static bool take_text(struct importing *im, const char *path, struct buf *text, bool once)
{
    if (mgi_import_files_take(&im->files, path, text, once))
        return true;
    mgi_cli_error("out of memory");
    return false;
}

static bool make_tool_files(struct importing *im)
{
    for (size_t i = 0; i < im->tool_count; i++) {
        struct import_tool *t = &im->tools[i];
        struct buf text = { 0 };
        if (t->left_out)
            continue;
        bool written = mgi_import_tool_file(&im->arena, &text, t);
        if (!written && !t->left_out)
            text.oom = true;
        if (t->left_out) {
            mgi_buf_fini(&text);
            continue;
        }
        if (!take_text(im, mgi_arena_printf(&im->arena, "tools/%s.yaml", t->id), &text, false))
            return false;
        im->imported++;
    }
    return true;
}

static bool make_files(struct importing *im)
{
    struct buf facts = { 0 }, confirmed = { 0 };
    if (!make_tool_files(im))
        return false;
    for (size_t i = 0; i < im->server_count; i++)
        for (size_t k = 0; k < im->tool_count; k++)
            im->servers[i].tools +=
                !im->tools[k].left_out && str_eq(im->tools[k].server, im->servers[i].name);
    mgi_import_facts_file(&im->arena, &facts, im->servers, im->server_count, im->tools,
                          im->tool_count);
    mgi_import_confirmed_file(&confirmed, im->tools, im->tool_count);
    return take_text(im, "facts/import.mg", &facts, false) &&
           take_text(im, "facts/confirmed.mg", &confirmed, true) && mgi_import_put_templates(im);
}

static bool put_files(struct importing *im)
{
    for (size_t i = 0; i < im->files.count; i++)
        if (!mgi_import_put(im, im->files.items[i].path, im->files.items[i].text))
            return false;
    return true;
}

/* ---- trying it --------------------------------------------------------------------------------
 */

/* Check and test what would be there; what is wrong with it is printed. False: memory, or it does
 * not load. */
static bool try_folder(struct importing *im)
{
    const struct scenario_options options = { 0 };
    struct scenario_report report = { 0 };
    struct findings *findings = mgi_findings_new();
    struct snapshot *s = findings ? mgi_host_check(&im->host, &im->arena, findings) : NULL;
    if (s) {
        mgi_domain_lint(s, findings);
        mgi_scenarios_run(s, &options, findings, &im->arena, &report);
    }
    im->errors = findings ? mgi_findings_errors(findings) : 1;
    im->warnings = findings ? mgi_findings_count(findings) - im->errors : 0;
    im->scenarios = report.count;
    im->scenarios_passed = report.passed;
    if (findings && (im->errors > 0 || !s))
        mgi_host_print_findings(findings);
    for (size_t i = 0; i < report.count; i++)
        for (size_t k = 0; k < report.items[i].failure_count; k++)
            mgi_cli_error("scenario \"%.*s\": %s", STR_ARG(report.items[i].name),
                          report.items[i].failures[k]);
    mgi_snapshot_unref(s);
    mgi_findings_free(findings);
    return s != NULL;
}

static bool make_scenarios(struct importing *im)
{
    struct buf text = { 0 };
    mgi_import_scenarios(im, &text);
    if (!mgi_import_put(im, "tests/import.yaml", mgi_buf_view(&text))) {
        mgi_buf_fini(&text);
        return false;
    }
    return take_text(im, "tests/import.yaml", &text, false);
}

/* Until all of it is written, checked and asked, what is there is not touched. */
static int finish(struct importing *im, bool json)
{
    if (!make_files(im) || !put_files(im) || !mgi_import_embed(im) || !mgi_import_ask(im) ||
        !make_scenarios(im) || !mgi_import_complete(im) || !try_folder(im) || im->errors > 0) {
        mgi_cli_error("nothing was written");
        return EXIT_WRONG;
    }
    if (mgi_cli_was_stopped())
        return EXIT_WRONG;
    if (!im->dry && !mgi_import_publish(im))
        return EXIT_USAGE;
    if (!mgi_import_print(im, json)) {
        mgi_cli_error("out of memory");
        return EXIT_USAGE;
    }
    return im->asked.failed || im->scenarios_passed < im->scenarios ? EXIT_WRONG : EXIT_ANSWERED;
}

/* ---- the command ------------------------------------------------------------------------------
 */

static int import(struct importing *im, const struct import_source *source, bool json)
{
    im->findings = mgi_findings_new();
    im->files.arena = &im->arena;
    im->place = mgi_import_place(im);
    im->name = im->place ? domain_name(im) : NULL;
    if (!im->findings || !im->name || !mgi_import_embed_begin(im)) {
        mgi_cli_error("out of memory");
        return EXIT_USAGE;
    }
    int status =
        im->openapi ? mgi_import_read_openapi(im, source->word) : mgi_import_read_mcp(im, source);
    if (status == EXIT_ANSWERED)
        status = finish(im, json);
    mgi_import_unstage(im);
    mgi_findings_free(im->findings);
    return status;
}

/* False: the words do not say what to import; that was told. */
static bool says_what(const char *kind, size_t words, bool command, bool dashes)
{
    static const struct {
        const char *kind, *needs, *example;
    } rows[] = {
        { "mcp", "one configuration or address, or -- and a command",
          "mcp .mcp.json --into tools" },
        { "openapi", "one document", "openapi api.yaml --into tools" },
        { "confirm", "the folder of a domain", "confirm tools delete_note=destructive" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(kind, rows[i].kind) != 0)
            continue;
        if (command || (words == 2 && !dashes))
            return true;
        mgi_cli_error("import %s needs %s", kind, rows[i].needs);
        mgi_cli_hint("manglecp import %s", rows[i].example);
        return false;
    }
    if (kind[0])
        mgi_cli_error("import has no \"%s\": it is mcp, openapi or confirm", kind);
    else
        mgi_cli_error("import needs mcp, openapi or confirm, and what of it");
    mgi_cli_hint("manglecp import mcp %s --into tools", kind[0] ? kind : ".mcp.json");
    return false;
}

int mgi_run_import(int argc, char **argv)
{
    struct importing im = { .into = "imported" };
    struct import_source source = { 0 };
    struct cli_list only = { 0 }, words = { 0 };
    const char *format = "text";
    bool helped;
    size_t dashes;
    const struct cli_option options[] = {
        { "--into", OPTION_TEXT, &im.into, NULL, "FOLDER", "the domain's folder (imported)" },
        { "--only", OPTION_LIST, &only, NULL, "SERVER",
          "of a configuration, this server; may repeat" },
        { "--name", OPTION_TEXT, &source.server_name, NULL, "NAME",
          "what the server of an address or a command is called" },
        { "--timeout-ms", OPTION_NUMBER, &im.timeout_ms, NULL, "MS",
          "how long each server may take (60000)" },
        { "--embed", OPTION_TEXT, &im.embed, NULL, "PYTHON",
          "rank by a small model of embeddings, too, that this Python runs (python3)" },
        { "--server", OPTION_TEXT, &im.address, NULL, "URL",
          "of an API, in place of the address in its document" },
        { "--dry-run", OPTION_FLAG, &im.dry, NULL, NULL, "tell what would be written" },
        { "--format", OPTION_TEXT, &format, NULL, "FORM", "text or json" },
        { "--set", OPTION_LIST, &im.host.set, NULL, "KEY=VALUE",
          "override a setting of domain.yaml, in this run" },
        { "--plugins", OPTION_LIST, &im.host.plugin_paths, NULL, "DIR", "more folders of plugins" },
        { "--toolhost", OPTION_TEXT, &im.host.toolhost, NULL, "PROGRAM", "the plugin host to run" },
        { 0 },
    };
    if (!mgi_cli_parse(&mgi_command_import, options, argc, argv, &words, &dashes, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    const char *kind = words.count > 0 && dashes > 0 ? words.items[0] : "";
    bool json = strcmp(format, "json") == 0;
    if (strcmp(kind, "confirm") == 0 && words.count > 1) {
        struct cli_list rest = { words.items + 2, words.count - 2, 0 };
        im.host.domain = words.items[1];
        return mgi_import_confirm(&im.host, &rest);
    }
    im.openapi = strcmp(kind, "openapi") == 0;
    bool command = dashes == 1 && words.count > 1 && !im.openapi;
    if (!says_what(kind, words.count, command, dashes != SIZE_MAX))
        return EXIT_USAGE;
    if (!json && strcmp(format, "text") != 0) {
        mgi_cli_error("--format is text or json, and not \"%s\"", format);
        return EXIT_USAGE;
    }
    if (command)
        source.command = (struct cli_list){ words.items + 1, words.count - 1, 0 };
    else
        source.word = words.items[1];
    if (only.count > 0 && !mgi_cli_list_add(&only, NULL))
        return EXIT_USAGE;
    source.only = only.count > 0 ? only.items : NULL;
    struct stop_watch watch;
    mgi_arena_init(&im.arena, 0);
    mgi_cli_watch_stop(&watch); /* servers end, and nothing stays beside the folder */
    int status = import(&im, &source, json);
    mgi_arena_fini(&im.arena);
    mgi_cli_unwatch_stop(&watch);
    return status;
}
