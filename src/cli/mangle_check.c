/* mangle check: what is wrong with a program; nothing is run. */
#include <string.h>

#include "base/json.h"
#include "cli/cli_errors.h"
#include "cli/mangle_commands.h"
#include "cli/mangle_diags.h"
#include "cli/mangle_input.h"
#include "cli/mangle_programs.h"

const struct cli_command mgi_mangle_check = {
    .name = "mangle check",
    .usage = "FILE|FOLDER... [OPTIONS]",
    .help = "Report errors and warnings; nothing is run.",
    .run = mgi_mangle_check_command,
    .more =
        "Examples:\n"
        "  mangle check rules.mg facts.mg                     files that are one program together\n"
        "  mangle check src                                   all .mg files below a folder, "
        "likewise\n"
        "  mangle check greeter                               a domain folder: its rules and "
        "facts\n"
        "                                                     upon the standard rules\n"
        "  mangle check --check-bounds --strict rules.mg\n"
        "\n"
        "FILE may be -, standard input; of a FOLDER all .mg files are read but tests of rules,\n"
        "*_test.mg. Exit status: 0 nothing is wrong, 1 something is, 2 usage "
        "or files.\n",
};

static void write_findings(const mangle_diags *diags)
{
    struct buf out = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &out, 2);
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < mangle_diags_count(diags); i++) {
        const struct mangle_diag *d = mangle_diags_get(diags, i);
        mgi_jw_begin_object(&w);
        mgi_jw_member_cstr(&w, "severity", d->severity == MANGLE_ERROR ? "error" : "warning");
        mgi_jw_member_cstr(&w, "code", d->code);
        mgi_error_json(&w, d->code);
        mgi_jw_member_cstr(&w, "file", d->file);
        mgi_jw_member_int(&w, "line", d->line);
        mgi_jw_member_int(&w, "column", d->column);
        mgi_jw_member_int(&w, "length", d->length);
        mgi_jw_member_cstr(&w, "message", d->message);
        mgi_jw_member_cstr(&w, "hint", d->hint);
        mgi_jw_end_object(&w);
    }
    mgi_jw_end_array(&w);
    mgi_buf_putc(&out, '\n');
    fputs(out.ptr ? out.ptr : "", stdout);
    mgi_buf_fini(&out);
}

static void print_summary(const mangle_diags *diags)
{
    size_t errors = mangle_diags_errors(diags), warnings = 0;
    for (size_t i = 0; i < mangle_diags_count(diags); i++)
        warnings += mangle_diags_get(diags, i)->severity == MANGLE_WARNING;
    printf("%zu error%s, %zu warning%s\n", errors, errors == 1 ? "" : "s", warnings,
           warnings == 1 ? "" : "s");
    if (errors + warnings > 0)
        puts("mangle explain-error CODE says more of each");
}

static int check(const struct cli_list *files, bool json, struct mangle_compile_options *options)
{
    struct source_files sources;
    int result = mgi_read_sources(files, &sources);
    mangle_diags *diags = mangle_diags_new();
    if (!result && !diags)
        result = EXIT_USAGE;
    if (!result) {
        mangle_program *program;
        options->host_source_count = mgi_program_standard_count(files);
        options->doubt_warns = options->host_source_count > 0; /* as manglecp check */
        enum mangle_status st =
            mangle_compile(sources.sources, sources.count, options, &program, diags);
        mangle_program_unref(program);
        result = st == MANGLE_OK ? EXIT_ANSWERED : EXIT_WRONG;
        if (st == MANGLE_ERR_NOMEM) {
            mgi_cli_error("out of memory");
            result = EXIT_USAGE;
        } else if (json) {
            write_findings(diags);
        } else {
            mgi_print_diags(stdout, diags);
            print_summary(diags);
        }
    }
    mangle_diags_free(diags);
    mgi_release_sources(&sources);
    return result;
}

int mgi_mangle_check_command(int argc, char **argv)
{
    struct cli_list arguments = { 0 }, files = { 0 };
    const char *format = "text";
    struct mangle_compile_options compile = { 0 };
    bool helped;
    const struct cli_option options[] = {
        { "--format", OPTION_TEXT, &format, NULL, "FORM", "text or json" },
        { "--allow-dangerous", OPTION_FLAG, &compile.allow_dangerous, NULL, NULL,
          "temporal recursion that can run away: warn, do not refuse" },
        { "--check-bounds", OPTION_FLAG, &compile.check_bounds, NULL, NULL,
          "facts and rules must fit the bounds of their Decl" },
        { "--strict", OPTION_FLAG, &compile.warnings_are_errors, NULL, NULL,
          "warnings are errors" },
        { 0 },
    };
    int result = EXIT_USAGE;
    if (!mgi_cli_parse(&mgi_mangle_check, options, argc, argv, &arguments, NULL, &helped)) {
        /* said already */
    } else if (helped) {
        result = EXIT_ANSWERED;
    } else if (!arguments.count) {
        mgi_cli_error("mangle check needs a program file");
        mgi_cli_hint("mangle check rules.mg, or - for standard input.");
    } else if (strcmp(format, "text") != 0 && strcmp(format, "json") != 0) {
        mgi_cli_error("--format is text or json, not \"%s\"", format);
    } else if (!(result = mgi_program_files(&arguments, &files, NULL))) {
        result = check(&files, strcmp(format, "json") == 0, &compile);
    }
    return result;
}
