/* manglecp check: everything that is wrong with a domain folder, in one run. */
#include "cli/manglecp_commands.h"
#include "cli/manglecp_host.h"

const struct cli_command mgi_command_check = {
    .name = "manglecp check",
    .usage = "DOMAIN [OPTIONS]",
    .help = "Check a domain folder: rules, tools, actions, schemas, skills.",
    .run = mgi_run_check,
    .more =
        "Exit status: 0 it loads, 1 something is wrong with it, 2 usage, memory that ran out.\n",
};

static void print_text(struct findings *f)
{
    struct buf text = { 0 };
    for (size_t i = 0; i < mgi_findings_count(f); i++)
        mgi_finding_print(&text, mgi_findings_get(f, i));
    size_t errors = mgi_findings_errors(f), warnings = mgi_findings_count(f) - errors;
    mgi_buf_printf(&text, "%zu error%s, %zu warning%s\n", errors, errors == 1 ? "" : "s", warnings,
                   warnings == 1 ? "" : "s");
    fputs(text.ptr ? text.ptr : "", stdout);
    mgi_buf_fini(&text);
}

static void print_json(struct findings *f)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 2);
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < mgi_findings_count(f); i++) {
        const struct finding *one = mgi_findings_get(f, i);
        mgi_jw_begin_object(&w);
        mgi_jw_member_cstr(&w, "severity", one->severity == MANGLE_ERROR ? "error" : "warning");
        mgi_jw_member_cstr(&w, "code", one->code);
        mgi_jw_member_cstr(&w, "file", one->file);
        mgi_jw_member_int(&w, "line", one->line);
        mgi_jw_member_int(&w, "column", one->column);
        mgi_jw_member_cstr(&w, "message", one->message);
        mgi_jw_member_cstr(&w, "hint", one->hint);
        mgi_jw_end_object(&w);
    }
    mgi_jw_end_array(&w);
    printf("%s\n", text.ptr ? text.ptr : "");
    mgi_buf_fini(&text);
}

int mgi_run_check(int argc, char **argv)
{
    struct host_options host = { 0 };
    const char *format = "text";
    bool helped;
    const struct cli_option options[] = {
        { "--format", OPTION_TEXT, &format, NULL, "FORM", "text or json" },
        HOST_OPTION_ROWS(host),
        { 0 },
    };
    struct cli_list words = { 0 };
    if (!mgi_cli_parse(&mgi_command_check, options, argc, argv, &words, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    bool json = strcmp(format, "json") == 0;
    if (words.count != 1 || (!json && strcmp(format, "text") != 0)) {
        mgi_cli_error("check needs one DOMAIN, and --format text or json");
        return EXIT_USAGE;
    }
    struct arena arena;
    struct findings *findings = mgi_findings_new();
    mgi_arena_init(&arena, 0);
    host.domain = words.items[0];
    struct snapshot *s = findings ? mgi_host_check(&host, &arena, findings) : NULL;
    if (s)
        mgi_domain_lint(s, findings);
    int status = mgi_host_status(findings, s && mgi_findings_errors(findings) == 0);
    if (findings && json)
        print_json(findings);
    else if (findings)
        print_text(findings);
    mgi_snapshot_unref(s);
    mgi_findings_free(findings);
    mgi_arena_fini(&arena);
    return status;
}
