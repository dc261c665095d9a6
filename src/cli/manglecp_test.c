/* manglecp test: the scenarios of a domain folder, one line each, in TAP or for people. */
#include "base/time.h"
#include "cli/manglecp_commands.h"
#include "cli/manglecp_host.h"
#include "scenario/scenario.h"
#include "sys/clock.h"

const struct cli_command mgi_command_test = {
    .name = "manglecp test",
    .usage = "DOMAIN [OPTIONS]",
    .help = "Run the scenarios in tests/ of a domain folder.",
    .run = mgi_run_test,
    .more =
        "Exit status: 0 all of them hold, 1 one does not or the domain does not load, 2 usage,\n"
        "memory that ran out.\n",
};

static int64_t monotonic(void *context)
{
    (void)context;
    return mgi_clock_mono_ns();
}

static void print_findings(struct findings *f)
{
    struct buf text = { 0 };
    for (size_t i = 0; i < mgi_findings_count(f); i++)
        mgi_finding_print(&text, mgi_findings_get(f, i));
    fputs(text.ptr ? text.ptr : "", stderr);
    mgi_buf_fini(&text);
}

static void print_tap(const struct scenario_report *r)
{
    printf("1..%zu\n", r->count);
    for (size_t i = 0; i < r->count; i++) {
        const struct scenario_result *one = &r->items[i];
        printf("%s %zu - %.*s\n", one->passed ? "ok" : "not ok", i + 1, STR_ARG(one->name));
        for (size_t k = 0; k < one->failure_count; k++)
            printf("# %s:%u: %s\n", one->file, one->line, one->failures[k]);
    }
}

static void print_people(const struct scenario_report *r)
{
    const struct cli_style *style = mgi_cli_style(stdout);
    for (size_t i = 0; i < r->count; i++) {
        const struct scenario_result *one = &r->items[i];
        printf("%s%s%s %.*s\n", one->passed ? style->green : style->red,
               one->passed ? "pass" : "FAIL", style->reset, STR_ARG(one->name));
        for (size_t k = 0; k < one->failure_count; k++)
            printf("     %s%s:%u:%s %s\n", style->dim, one->file, one->line, style->reset,
                   one->failures[k]);
    }
    printf("%zu passed, %zu failed\n", r->passed, r->count - r->passed);
    if (r->count == 0)
        mgi_cli_hint(
            "No scenario was run: they stand in tests/*.yaml of the folder; --only chooses by "
            "their names.");
}

/* The exit status. */
static int run(const struct host_options *host, const struct scenario_options *options, bool tap)
{
    struct arena arena;
    struct scenario_report report = { 0 };
    mgi_arena_init(&arena, 0);
    struct findings *findings = mgi_findings_new();
    struct snapshot *s = findings ? mgi_host_check(host, &arena, findings) : NULL;
    bool ran = s && mgi_scenarios_run(s, options, findings, &arena, &report);
    bool good = ran && mgi_findings_errors(findings) == 0 && report.passed == report.count;
    if (findings && (!ran || mgi_findings_errors(findings) > 0))
        print_findings(findings);
    if (ran && tap)
        print_tap(&report);
    else if (ran)
        print_people(&report);
    int status = mgi_host_status(findings, good);
    mgi_snapshot_unref(s);
    mgi_findings_free(findings);
    mgi_arena_fini(&arena);
    return status;
}

int mgi_run_test(int argc, char **argv)
{
    struct host_options host = { 0 };
    struct scenario_options scenarios = { .mono = monotonic };
    bool tap = false, helped;
    const struct cli_option options[] = {
        { "--only", OPTION_TEXT, &scenarios.only, NULL, "TEXT",
          "scenarios whose names contain TEXT" },
        { "--tap", OPTION_FLAG, &tap, NULL, NULL, "print TAP" },
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
    return run(&host, &scenarios, tap);
}
