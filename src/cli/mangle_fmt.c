/* mangle fmt: canonical layout of sources, in place. A file is replaced by renaming a complete new
 * one over it, so nobody ever sees half of it; one with errors is left as it is. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/cli_diff.h"
#include "cli/cli_files.h"
#include "cli/mangle_commands.h"
#include "cli/mangle_diags.h"
#include "cli/mangle_input.h"

#define FMT_MAX_BYTES ((size_t)1 << 30)

const struct cli_command mgi_mangle_fmt = {
    .name = "mangle fmt",
    .usage = "FILE|FOLDER|-... [OPTIONS]",
    .help = "Lay out sources in the canonical way, in place.",
    .run = mgi_mangle_fmt_command,
    .more = "Examples:\n"
            "  mangle fmt rules/                                  every *.mg below a folder\n"
            "  mangle fmt --check rules/                          for CI\n"
            "  mangle fmt - <draft.mg                             standard output, for editors\n"
            "\n"
            "Exit status: 0 done, 1 errors in a source (with --check: or something would change), "
            "2 usage or files.\n",
};

struct fmt_run {
    bool check, diff;
    size_t changed;
    int status;
};

static void failed(struct fmt_run *run, int status)
{
    if (run->status < status)
        run->status = status;
}

/* ---- one source -------------------------------------------------------------------------- */

static void show_diff(struct fmt_run *run, const char *name, struct str before, struct str after)
{
    struct buf out = { 0 };
    if (mgi_cli_diff(&out, mgi_cli_style(stdout), name, before, after)) {
        fwrite(out.ptr, 1, out.len, stdout);
    } else {
        mgi_cli_error("out of memory");
        failed(run, EXIT_USAGE);
    }
    mgi_buf_fini(&out);
}

static void take_result(struct fmt_run *run, const char *path, struct str before, struct str after)
{
    bool standard = strcmp(path, "-") == 0, same = str_eq(before, after);
    const char *name = standard ? "<stdin>" : path;
    run->changed += !same;
    if (run->diff && !same)
        show_diff(run, name, before, after);
    if (run->diff || run->check) {
        if (run->check && !run->diff && !same)
            printf("%s\n", name);
    } else if (standard) {
        fwrite(after.ptr, 1, after.len, stdout);
    } else if (!same && !mgi_cli_write_file(path, after)) {
        mgi_cli_error("cannot write %s: %s", path, strerror(errno));
        failed(run, EXIT_USAGE);
    } else if (!same) {
        printf("%s\n", path);
    }
}

static void format_file(void *context, const char *path)
{
    struct fmt_run *run = context;
    const char *why;
    char *text;
    size_t len;
    struct buf before = { 0 };
    mangle_diags *diags = mangle_diags_new();
    if (!diags || !mgi_cli_read_file(path, FMT_MAX_BYTES, &before, &why)) {
        mgi_cli_error("cannot read %s: %s", path, diags ? why : "out of memory");
        failed(run, EXIT_USAGE);
    } else {
        struct mangle_source source = { strcmp(path, "-") == 0 ? "<stdin>" : path,
                                        mgi_buf_view(&before).ptr, before.len };
        enum mangle_status st = mangle_format(&source, &text, &len, diags);
        mgi_print_diags(stderr, diags);
        if (!st) {
            take_result(run, path, mgi_buf_view(&before), (struct str){ text, len });
        } else if (st == MANGLE_ERR_PROGRAM) {
            failed(run, EXIT_WRONG);
        } else {
            mgi_cli_error("%s: %s", path, mangle_status_text(st));
            failed(run, EXIT_USAGE);
        }
        mangle_free(text);
    }
    mangle_diags_free(diags);
    mgi_buf_fini(&before);
}

/* ---- the command ------------------------------------------------------------------------- */

static int format_all(struct fmt_run *run, const struct cli_list *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        if (!mgi_cli_each_file(paths->items[i], ".mg", format_file, run))
            failed(run, EXIT_USAGE);
    if (run->check && run->changed)
        failed(run, EXIT_WRONG);
    if (fflush(stdout) != 0) {
        mgi_cli_error("cannot write the output");
        failed(run, EXIT_USAGE);
    }
    return run->status;
}

int mgi_mangle_fmt_command(int argc, char **argv)
{
    struct cli_list paths = { 0 };
    struct fmt_run run = { 0 };
    bool helped;
    const struct cli_option options[] = {
        { "--check", OPTION_FLAG, &run.check, NULL, NULL,
          "write nothing; list what would change, status 1 if anything" },
        { "--diff", OPTION_FLAG, &run.diff, NULL, NULL, "write nothing; show what would change" },
        { 0 },
    };
    int result = EXIT_USAGE;
    if (!mgi_cli_parse(&mgi_mangle_fmt, options, argc, argv, &paths, NULL, &helped)) {
        /* said already */
    } else if (helped) {
        result = EXIT_ANSWERED;
    } else if (!paths.count) {
        mgi_cli_error("mangle fmt needs a file, a folder or -");
        mgi_cli_hint("- reads standard input and writes standard output.");
    } else {
        result = format_all(&run, &paths);
    }
    return result;
}
