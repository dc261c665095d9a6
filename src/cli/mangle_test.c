/* mangle test: rule tests in Mangle text. What a file of tests looks like: mangle_test_file.h and
 * docs/mangle-tools.md. Exit status: 0 all passed, 1 some failed or too few rules fired, 2 usage,
 * files, or a file of tests that is wrong. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/cli_files.h"
#include "cli/mangle_commands.h"
#include "cli/mangle_test_run.h"

const struct cli_command mgi_mangle_test = {
    .name = "mangle test",
    .usage = "FILE|FOLDER... [OPTIONS]",
    .help = "Run rule tests: *_test.mg, facts in, expected facts out.",
    .run = mgi_mangle_test_command,
    .more = "Examples:\n"
            "  mangle test rules/                                 every *_test.mg below a folder\n"
            "  mangle test rules/ --coverage-min 90\n"
            "  mangle test prices_test.mg --only cheap\n"
            "\n"
            "A test file:\n"
            "  #: load prices.mg\n"
            "  #: test what costs less than ten is cheap\n"
            "  price(\"tea\", 3).\n"
            "  #: expect\n"
            "  cheap(\"tea\").\n"
            "\n"
            "Exit status: 0 all passed, 1 some failed, 2 usage or files.\n",
};

enum test_format { TEST_TEXT, TEST_TAP, TEST_JSON };

struct test_command {
    struct test_run run;
    enum test_format format;
    bool coverage;
    bool has_least;
    int64_t least; /* percent of rules that must fire */
    size_t files;
    int status;
};

/* ---- coverage ---------------------------------------------------------------------------- */

static int compare_rules(const void *left, const void *right)
{
    const struct rule_coverage *a = left, *b = right;
    int by_file = strcmp(a->file, b->file);
    return by_file ? by_file : a->line < b->line ? -1 : a->line > b->line;
}

static size_t fired_rules(const struct test_run *run)
{
    size_t fired = 0;
    for (size_t i = 0; i < run->rule_count; i++)
        fired += run->rules[i].fired > 0;
    return fired;
}

static double percent(const struct test_run *run)
{
    return run->rule_count ? 100.0 * (double)fired_rules(run) / (double)run->rule_count : 100.0;
}

/* `lead` begins each line: TAP wants comments. */
static void print_coverage(const struct test_run *run, const char *lead)
{
    const struct cli_style *s = mgi_cli_style(stdout);
    for (size_t i = 0; i < run->rule_count; i++) {
        const struct rule_coverage *r = &run->rules[i];
        if (r->fired)
            printf("%s%8lld", lead, (long long)r->fired);
        else
            printf("%s%s   never%s", lead, s->red, s->reset);
        printf("  %s%s:%u:%s  %s\n", s->dim, r->file, r->line, s->reset, r->text);
    }
    printf("%s%zu of %zu rules fired (%.1f %%)\n", lead, fired_rules(run), run->rule_count,
           percent(run));
}

/* ---- results ----------------------------------------------------------------------------- */

static void print_lines(const struct test_result *r, const struct cli_style *s)
{
    for (size_t i = 0; i < r->line_count; i++) {
        const struct test_line *l = &r->lines[i];
        const char *colour = l->sign == '-' ? s->red : l->sign == '+' ? s->green : "";
        printf("     %s%c %s%s\n", colour, l->sign, l->text, *colour ? s->reset : "");
    }
}

static void print_people(const struct test_command *c)
{
    const struct cli_style *s = mgi_cli_style(stdout);
    for (size_t i = 0; i < c->run.count; i++) {
        const struct test_result *r = &c->run.results[i];
        printf("%s%s%s %s%s:%u:%s %s\n", r->passed ? s->green : s->red, r->passed ? "pass" : "FAIL",
               s->reset, s->dim, r->file, r->line, s->reset, r->name);
        print_lines(r, s);
    }
    if (c->coverage)
        print_coverage(&c->run, "");
    printf("%zu passed, %zu failed\n", c->run.passed, c->run.count - c->run.passed);
}

static void print_tap(const struct test_command *c)
{
    printf("1..%zu\n", c->run.count);
    for (size_t i = 0; i < c->run.count; i++) {
        const struct test_result *r = &c->run.results[i];
        printf("%s %zu - %s:%u: %s\n", r->passed ? "ok" : "not ok", i + 1, r->file, r->line,
               r->name);
        for (size_t k = 0; k < r->line_count; k++)
            printf("# %c %s\n", r->lines[k].sign, r->lines[k].text);
    }
    if (c->coverage)
        print_coverage(&c->run, "# ");
}

static void write_lines(struct json_writer *w, const struct test_result *r, const char *name,
                        char sign)
{
    mgi_jw_key(w, name);
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < r->line_count; i++)
        if (r->lines[i].sign == sign)
            mgi_jw_string(w, str_of(r->lines[i].text));
    mgi_jw_end_array(w);
}

static void write_results(struct json_writer *w, const struct test_run *run)
{
    mgi_jw_key(w, "tests");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < run->count; i++) {
        const struct test_result *r = &run->results[i];
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "name", r->name);
        mgi_jw_member_cstr(w, "file", r->file);
        mgi_jw_member_int(w, "line", r->line);
        mgi_jw_member_bool(w, "passed", r->passed);
        if (!r->passed) {
            write_lines(w, r, "missing", '-');
            write_lines(w, r, "unexpected", '+');
            write_lines(w, r, "messages", ' ');
        }
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

static void write_coverage(struct json_writer *w, const struct test_run *run)
{
    mgi_jw_key(w, "rules");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < run->rule_count; i++) {
        const struct rule_coverage *r = &run->rules[i];
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "rule", r->text);
        mgi_jw_member_cstr(w, "file", r->file);
        mgi_jw_member_int(w, "line", r->line);
        mgi_jw_member_int(w, "fired", r->fired);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
    mgi_jw_member_int(w, "rules_fired", (int64_t)fired_rules(run));
}

static void print_json(const struct test_command *c)
{
    struct buf out = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &out, 2);
    mgi_jw_begin_object(&w);
    write_results(&w, &c->run);
    mgi_jw_member_int(&w, "passed", (int64_t)c->run.passed);
    mgi_jw_member_int(&w, "failed", (int64_t)(c->run.count - c->run.passed));
    if (c->coverage)
        write_coverage(&w, &c->run);
    mgi_jw_end_object(&w);
    mgi_buf_putc(&out, '\n');
    fputs(out.ptr ? out.ptr : "", stdout);
    mgi_buf_fini(&out);
}

/* ---- the command ------------------------------------------------------------------------- */

static void test_file(void *context, const char *path)
{
    struct test_command *c = context;
    struct test_file file;
    int read = mgi_test_file_read(path, &file);
    c->files++;
    if (read)
        c->status = read;
    else
        (void)mgi_test_run_file(&c->run, &file);
    mgi_test_file_free(&file);
}

static void report(struct test_command *c)
{
    if (c->run.rule_count)
        qsort(c->run.rules, c->run.rule_count, sizeof *c->run.rules, compare_rules);
    if (c->format == TEST_JSON)
        print_json(c);
    else if (c->format == TEST_TAP)
        print_tap(c);
    else
        print_people(c);
    if (c->run.passed < c->run.count && !c->status)
        c->status = EXIT_WRONG;
    if (c->has_least && percent(&c->run) < (double)c->least) {
        fflush(stdout);
        mgi_cli_error("%.1f %% of the rules fired, but %lld %% are wanted", percent(&c->run),
                      (long long)c->least);
        if (!c->status)
            c->status = EXIT_WRONG;
    }
}

static int run_all(struct test_command *c, const struct cli_list *paths)
{
    if (!mgi_test_run_init(&c->run))
        c->run.oom = true;
    for (size_t i = 0; i < paths->count && !c->run.oom; i++) {
        size_t before = c->files;
        if (!mgi_cli_each_file(paths->items[i], "_test.mg", test_file, c)) {
            c->status = EXIT_USAGE;
        } else if (c->files == before) {
            mgi_cli_error("there is no file *_test.mg in %s", paths->items[i]);
            c->status = EXIT_USAGE;
        }
    }
    if (c->run.oom) {
        mgi_cli_error("out of memory");
        c->status = EXIT_USAGE;
    } else if (!c->run.count && !c->status && c->run.only) {
        mgi_cli_error("there is no test whose name contains \"%s\"", c->run.only);
        c->status = EXIT_USAGE;
    } else if (c->run.count || !c->status) {
        report(c);
    }
    mgi_test_run_fini(&c->run);
    return c->status;
}

static bool format_named(const char *name, enum test_format *out)
{
    static const char *const names[] = { "text", "tap", "json" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) {
            *out = (enum test_format)i;
            return true;
        }
    }
    return false;
}

int mgi_mangle_test_command(int argc, char **argv)
{
    struct cli_list paths = { 0 };
    struct test_command c = { 0 };
    const char *format = "text";
    bool helped;
    const struct cli_option options[] = {
        { "--only", OPTION_TEXT, &c.run.only, NULL, "TEXT", "tests whose names contain TEXT" },
        { "--coverage", OPTION_FLAG, &c.coverage, NULL, NULL, "how often each rule fired" },
        { "--coverage-min", OPTION_NUMBER, &c.least, &c.has_least, "N",
          "status 1 if less than N percent of the rules fired" },
        { "--format", OPTION_TEXT, &format, NULL, "FORM", "text, tap or json" },
        { "--allow-dangerous", OPTION_FLAG, &c.run.allow_dangerous, NULL, NULL,
          "temporal recursion that can run away: warn, do not refuse" },
        { "--check-bounds", OPTION_FLAG, &c.run.check_bounds, NULL, NULL,
          "facts and rules must fit the bounds of their Decl" },
        { 0 },
    };
    int result = EXIT_USAGE;
    if (!mgi_cli_parse(&mgi_mangle_test, options, argc, argv, &paths, NULL, &helped)) {
        /* said already */
    } else if (helped) {
        result = EXIT_ANSWERED;
    } else if (!paths.count) {
        mgi_cli_error("mangle test needs a file or a folder");
        mgi_cli_hint("In folders, files *_test.mg are run.");
    } else if (!format_named(format, &c.format)) {
        mgi_cli_error("--format is text, tap or json, not \"%s\"", format);
    } else if (c.least < 0 || c.least > 100) {
        mgi_cli_error("--coverage-min is between 0 and 100, not %lld", (long long)c.least);
    } else {
        c.coverage |= c.has_least;
        result = run_all(&c, &paths);
    }
    return result;
}
