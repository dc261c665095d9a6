/* manglecp test: the scenarios of a domain folder, one line each. */
#include <uv.h>

#include "cli/manglecp_commands.h"
#include "cli/manglecp_host.h"
#include "intent/scenario.h"

const struct cli_command mgi_command_test = {
    .name = "manglecp test",
    .usage = "DOMAIN [--only TEXT] [OPTIONS]",
    .help = "Run the scenarios of a domain folder.",
    .run = mgi_run_test,
};

static int64_t monotonic_ns(void *context)
{
    (void)context;
    return (int64_t)uv_hrtime();
}

static void print_result(const struct scenario_result *r, const struct cli_style *s)
{
    printf("%s%s%s %.*s\n", r->passed ? s->green : s->red, r->passed ? "ok    " : "failed",
           s->reset, STR_ARG(r->name));
    if (!r->passed)
        printf("       %s%s:%u%s\n", s->dim, r->file, r->line, s->reset);
    for (size_t i = 0; i < r->failure_count; i++)
        printf("       %s\n", r->failures[i]);
}

static int print_report(const struct scenario_report *report, struct findings *findings)
{
    const struct cli_style *s = mgi_cli_style(stdout);
    struct buf text = { 0 };
    for (size_t i = 0; i < mgi_findings_count(findings); i++)
        mgi_finding_print(&text, mgi_findings_get(findings, i));
    fputs(text.ptr ? text.ptr : "", stderr);
    mgi_buf_fini(&text);
    for (size_t i = 0; i < report->count; i++)
        print_result(&report->items[i], s);
    printf("%s%zu passed, %zu failed%s\n", s->bold, report->passed, report->count - report->passed,
           s->reset);
    bool fine = report->passed == report->count && mgi_findings_errors(findings) == 0;
    return fine ? EXIT_ANSWERED : EXIT_WRONG;
}

int mgi_run_test(int argc, char **argv)
{
    struct host_options host = { 0 };
    struct scenario_options scenarios = { .mono = monotonic_ns };
    bool helped;
    const struct cli_option options[] = {
        { "--only", OPTION_TEXT, &scenarios.only, NULL, "TEXT",
          "scenarios whose name contains it" },
        HOST_OPTION_ROWS(host),
        { 0 },
    };
    struct cli_list words = { 0 };
    if (!mgi_cli_parse(&mgi_command_test, options, argc, argv, &words, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (words.count != 1) {
        mgi_cli_error("test needs one DOMAIN");
        return EXIT_USAGE;
    }
    host.domain = words.items[0];
    struct arena arena;
    struct scenario_report report = { 0 };
    struct findings *findings = mgi_findings_new();
    mgi_arena_init(&arena, 0);
    struct snapshot *s = findings ? mgi_host_load(&host, &arena) : NULL;
    int status = EXIT_WRONG;
    if (s && mgi_scenarios_run(s, &scenarios, findings, &arena, &report))
        status = print_report(&report, findings);
    else if (s)
        mgi_cli_error("out of memory");
    mgi_findings_free(findings);
    mgi_snapshot_unref(s);
    mgi_arena_fini(&arena);
    return status;
}
