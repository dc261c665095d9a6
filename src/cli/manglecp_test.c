/* manglecp test: the scenarios of a domain folder, one line each, for people, in TAP or JSON; a
 * file for build servers besides. */
#include <errno.h>

#include "base/time.h"
#include "base/utf8.h"
#include "cli/cli_files.h"
#include "cli/manglecp_commands.h"
#include "cli/manglecp_host.h"
#include "cli/manglecp_junit.h"
#include "cli/manglecp_render.h"
#include "protocol/envelope.h"
#include "scenario/scenario.h"
#include "sys/clock.h"

const struct cli_command mgi_command_test = {
    .name = "manglecp test",
    .usage = "DOMAIN [OPTIONS]",
    .help = "Run the scenarios in tests/ of a domain folder; their actions are played.",
    .run = mgi_run_test,
    .more =
        "Exit status: 0 all of them hold, 1 one does not, too little is reached or the domain "
        "does\n"
        "not load, 2 usage, no scenario ran, a file that cannot be written, memory that ran out.\n",
};

static int64_t monotonic(void *context)
{
    (void)context;
    return mgi_clock_mono_ns();
}

/* What stands in a domain, on one line of a terminal. */
static void print_shown(struct str text)
{
    struct buf shown = { 0 };
    mgi_utf8_show(&shown, text);
    fputs(shown.ptr ? shown.ptr : "", stdout);
    mgi_buf_fini(&shown);
}

/* "# TODO" behind a name would say that a failure counts as none. */
static void print_tap_name(struct str name)
{
    struct buf shown = { 0 };
    mgi_utf8_show(&shown, name);
    for (size_t i = 0; i < shown.len; i++) {
        if (shown.ptr[i] == '#' || shown.ptr[i] == '\\')
            putchar('\\');
        putchar(shown.ptr[i]);
    }
    mgi_buf_fini(&shown);
}

static void print_tap(const struct scenario_report *r)
{
    printf("1..%zu\n", r->count);
    for (size_t i = 0; i < r->count; i++) {
        const struct scenario_result *one = &r->items[i];
        printf("%s %zu - ", one->passed ? "ok" : "not ok", i + 1);
        print_tap_name(one->name);
        putchar('\n');
        for (size_t k = 0; k < one->failure_count; k++) {
            printf("# %s:%u: ", one->file, one->line);
            print_shown(str_of(one->failures[k]));
            putchar('\n');
        }
    }
}

/* ---- coverage ------------------------------------------------------------------------------ */

static size_t fired_rules(const struct scenario_report *r)
{
    size_t fired = 0;
    for (size_t i = 0; i < r->rule_count; i++)
        fired += r->rules[i].scenarios > 0;
    return fired;
}

static size_t shown_tools(const struct scenario_report *r)
{
    size_t shown = 0;
    for (size_t i = 0; i < r->tool_count; i++)
        shown += r->tools[i].shown > 0;
    return shown;
}

static size_t invoked_tools(const struct scenario_report *r)
{
    size_t invoked = 0;
    for (size_t i = 0; i < r->tool_count; i++)
        invoked += r->tools[i].invoked > 0;
    return invoked;
}

static void print_count(size_t count, const struct cli_style *style)
{
    if (count > 0)
        printf("%8zu", count);
    else
        printf("%s%8s%s", style->red, "never", style->reset);
}

/* `lead` begins each line: TAP wants comments. */
static void print_coverage(const struct scenario_report *r, const char *lead)
{
    const struct cli_style *style = mgi_cli_style(stdout);
    printf("%s%s   fired  rule%s\n", lead, style->bold, style->reset);
    for (size_t i = 0; i < r->rule_count; i++) {
        fputs(lead, stdout);
        print_count(r->rules[i].scenarios, style);
        printf("  %s%s:%u:%s  %s\n", style->dim, r->rules[i].file, r->rules[i].line, style->reset,
               r->rules[i].text);
    }
    printf("%s%s   shown invoked  tool%s\n", lead, style->bold, style->reset);
    for (size_t i = 0; i < r->tool_count; i++) {
        fputs(lead, stdout);
        print_count(r->tools[i].shown, style);
        print_count(r->tools[i].invoked, style);
        printf("  %.*s\n", STR_ARG(r->tools[i].name));
    }
    printf("%s%zu of %zu rules fired; of %zu tools %zu were shown and %zu invoked\n", lead,
           fired_rules(r), r->rule_count, r->tool_count, shown_tools(r), invoked_tools(r));
}

static void write_coverage(struct json_writer *w, const struct scenario_report *r)
{
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "rules");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < r->rule_count; i++) {
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "file", r->rules[i].file);
        mgi_jw_member_int(w, "line", r->rules[i].line);
        mgi_jw_member_cstr(w, "rule", r->rules[i].text);
        mgi_jw_member_int(w, "scenarios", (int64_t)r->rules[i].scenarios);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
    mgi_jw_key(w, "tools");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < r->tool_count; i++) {
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "tool", r->tools[i].name);
        mgi_jw_member_int(w, "shown", (int64_t)r->tools[i].shown);
        mgi_jw_member_int(w, "invoked", (int64_t)r->tools[i].invoked);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
    mgi_jw_member_int(w, "rules_fired", (int64_t)fired_rules(r));
    mgi_jw_member_int(w, "tools_shown", (int64_t)shown_tools(r));
    mgi_jw_member_int(w, "tools_invoked", (int64_t)invoked_tools(r));
    mgi_jw_end_object(w);
}

/* ---- results ------------------------------------------------------------------------------- */

struct test_options {
    struct scenario_options scenarios;
    struct cli_list why_not;
    bool tap, json;
    const char *junit; /* file to write, or NULL */
    bool has_coverage_min;
    int64_t coverage_min; /* per cent */
};

static void write_result(struct json_writer *w, const struct scenario_result *one)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "name", one->name);
    mgi_jw_member_cstr(w, "file", one->file);
    mgi_jw_member_int(w, "line", one->line);
    mgi_jw_member_bool(w, "passed", one->passed);
    mgi_jw_key(w, "failures");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < one->failure_count; i++)
        mgi_jw_cstring(w, one->failures[i]);
    mgi_jw_end_array(w);
    if (one->why_not) {
        mgi_jw_key(w, "why_not");
        mgi_jw_raw(w, str_of(one->why_not));
    }
    mgi_jw_end_object(w);
}

/* False: memory. */
static bool print_json(const struct scenario_report *r, bool coverage)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 2);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "scenarios");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < r->count; i++)
        write_result(&w, &r->items[i]);
    mgi_jw_end_array(&w);
    mgi_jw_member_int(&w, "passed", (int64_t)r->passed);
    mgi_jw_member_int(&w, "failed", (int64_t)(r->count - r->passed));
    if (coverage) {
        mgi_jw_key(&w, "coverage");
        write_coverage(&w, r);
    }
    mgi_jw_end_object(&w);
    if (!text.oom)
        puts(text.ptr);
    bool good = !text.oom;
    mgi_buf_fini(&text);
    return good;
}

static void print_people(const struct scenario_report *r, bool coverage)
{
    const struct cli_style *style = mgi_cli_style(stdout);
    for (size_t i = 0; i < r->count; i++) {
        const struct scenario_result *one = &r->items[i];
        printf("%s%s%s ", one->passed ? style->green : style->red, one->passed ? "pass" : "FAIL",
               style->reset);
        print_shown(one->name);
        putchar('\n');
        for (size_t k = 0; k < one->failure_count; k++) {
            printf("     %s%s:%u:%s ", style->dim, one->file, one->line, style->reset);
            print_shown(str_of(one->failures[k]));
            putchar('\n');
        }
        mgi_render_why_not_text(stdout, one->why_not);
    }
    if (coverage)
        print_coverage(r, "");
    printf("%zu passed, %zu failed\n", r->passed, r->count - r->passed);
}

/* False: a message was printed. */
static bool print_report(const struct scenario_report *r, const struct test_options *o)
{
    bool coverage = o->scenarios.coverage;
    if (o->json && !print_json(r, coverage)) {
        mgi_cli_error("out of memory");
        return false;
    }
    if (o->tap)
        print_tap(r);
    if (o->tap && coverage)
        print_coverage(r, "# ");
    if (!o->tap && !o->json)
        print_people(r, coverage);
    return true;
}

/* False: a message was printed. */
static bool write_junit(const char *path, const struct scenario_report *r,
                        struct findings *findings)
{
    struct buf text = { 0 };
    mgi_junit_print(&text, r, findings);
    bool good = !text.oom && mgi_cli_write_file(path, mgi_buf_view(&text));
    if (!good)
        mgi_cli_error("%s: %s", path, text.oom ? "out of memory" : strerror(errno));
    mgi_buf_fini(&text);
    return good;
}

/* Of all rules and tools: how many in a hundred were reached (a rule fired, a tool was shown). */
static double covered_percent(const struct scenario_report *r)
{
    size_t all = r->rule_count + r->tool_count;
    return all ? 100.0 * (double)(fired_rules(r) + shown_tools(r)) / (double)all : 100.0;
}

/* False: it is less than was asked for, and that was said. */
static bool covers_enough(const struct scenario_report *r, const struct test_options *o)
{
    double percent = covered_percent(r);
    if (!o->has_coverage_min || percent >= (double)o->coverage_min)
        return true;
    mgi_cli_error(
        "%.1f %% of rules and tools were reached, less than the %lld %% of --coverage-min", percent,
        (long long)o->coverage_min);
    return false;
}

/* Nothing that ran is nothing that holds. False: that was said. */
static bool ran_any(const struct scenario_report *r, const struct test_options *o)
{
    if (r->count > 0)
        return true;
    if (o->scenarios.only)
        mgi_cli_error("there is no scenario whose name contains \"%s\"", o->scenarios.only);
    else
        mgi_cli_error("no scenario was run");
    mgi_cli_hint("They stand in tests/*.yaml of the folder; --only chooses by their names.");
    return false;
}

/* The exit status. */
static int run(const struct host_options *host, const struct test_options *o)
{
    struct arena arena;
    struct scenario_report report = { 0 };
    mgi_arena_init(&arena, 0);
    struct findings *findings = mgi_findings_new();
    struct snapshot *s = findings ? mgi_host_check(host, &arena, findings) : NULL;
    bool ran = s && mgi_scenarios_run(s, &o->scenarios, findings, &arena, &report);
    bool good = ran && mgi_findings_errors(findings) == 0 && report.passed == report.count;
    if (findings && (!ran || mgi_findings_errors(findings) > 0))
        mgi_host_print_findings(findings);
    bool told = !ran || print_report(&report, o);
    told = (!ran || mgi_findings_errors(findings) > 0 || ran_any(&report, o)) && told;
    if (ran && o->junit)
        told = write_junit(o->junit, &report, findings) && told;
    good = (!ran || covers_enough(&report, o)) && good;
    int status = told ? mgi_host_status(findings, good) : EXIT_USAGE;
    mgi_snapshot_unref(s);
    mgi_findings_free(findings);
    mgi_arena_fini(&arena);
    return status;
}

int mgi_run_test(int argc, char **argv)
{
    struct host_options host = { 0 };
    struct test_options test = { .scenarios.mono = monotonic };
    bool helped;
    const struct cli_option options[] = {
        { "--only", OPTION_TEXT, &test.scenarios.only, NULL, "TEXT",
          "scenarios whose names contain TEXT" },
        { "--why-not", OPTION_LIST, &test.why_not, NULL, "TOOL",
          "tell of each scenario why it does not choose TOOL" },
        { "--coverage", OPTION_FLAG, &test.scenarios.coverage, NULL, NULL,
          "which rules fired, which tools were shown and invoked" },
        { "--coverage-min", OPTION_NUMBER, &test.coverage_min, &test.has_coverage_min, "PERCENT",
          "fail if fewer of all rules and tools are reached" },
        { "--junit", OPTION_TEXT, &test.junit, NULL, "FILE", "write JUnit's XML to FILE, too" },
        { "--tap", OPTION_FLAG, &test.tap, NULL, NULL, "print TAP" },
        { "--json", OPTION_FLAG, &test.json, NULL, NULL, "print JSON" },
        HOST_OPTION_ROWS(host),
        { 0 },
    };
    struct cli_list words = { 0 };
    if (!mgi_cli_parse(&mgi_command_test, options, argc, argv, &words, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (words.count != 1 || (test.tap && test.json)) {
        mgi_cli_error(words.count != 1 ? "test needs one DOMAIN" : "choose one: --tap or --json");
        return EXIT_USAGE;
    }
    if (test.why_not.count > WHY_NOT_MOST) {
        mgi_cli_error("--why-not may be said %d times", WHY_NOT_MOST);
        return EXIT_USAGE;
    }
    if (test.has_coverage_min && (test.coverage_min < 0 || test.coverage_min > 100)) {
        mgi_cli_error("--coverage-min is from 0 to 100");
        return EXIT_USAGE;
    }
    test.scenarios.coverage |= test.has_coverage_min;
    host.domain = words.items[0];
    test.scenarios.why_not = test.why_not.items;
    test.scenarios.why_not_count = test.why_not.count;
    return run(&host, &test);
}
