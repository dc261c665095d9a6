/* mangle columns: what is in a column file (M-IO-29). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/mangle_commands.h"
#include "cli/mangle_facts.h"

const struct cli_command mgi_mangle_columns = {
    .name = "mangle columns",
    .usage = "FILE",
    .help = "Say what a column file holds.",
    .run = mgi_mangle_columns_command,
    .more = "Examples:\n"
            "  mangle run rules.mg --out path.sc.gz\n"
            "  mangle columns path.sc.gz\n"
            "\n"
            "Exit status: 0 done, 1 the file is wrong or cannot be read, 2 usage.\n",
};

static int name_width(const struct mangle_column_pred *preds, size_t count)
{
    size_t width = strlen("PREDICATE");
    for (size_t i = 0; i < count; i++)
        if (strlen(preds[i].name) > width)
            width = strlen(preds[i].name);
    return width > 60 ? 60 : (int)width;
}

static void print_columns(const struct fact_file *file, size_t bytes,
                          const struct mangle_column_pred *preds, size_t count)
{
    const struct cli_style *s = mgi_cli_style(stdout);
    uint64_t facts = 0;
    for (size_t i = 0; i < count; i++)
        facts += preds[i].facts;
    printf("file         %s\nbytes        %zu\ncompression  %s\n", file->path, bytes,
           mgi_compression_name(file->compression));
    printf("predicates   %zu\nfacts        %" PRIu64 "\n", count, facts);
    if (!count)
        return;
    int width = name_width(preds, count);
    printf("\n%s%-*s  %5s  %10s%s\n", s->bold, width, "PREDICATE", "ARITY", "FACTS", s->reset);
    for (size_t i = 0; i < count; i++)
        printf("%-*s  %5" PRIu32 "  %10" PRIu64 "\n", width, preds[i].name, preds[i].arity,
               preds[i].facts);
}

/* Usage errors are status 2, all other errors 1 (M-IO-29). */
static int describe(struct fact_file *file)
{
    const char *why = NULL;
    char unpack[80] = "";
    size_t bytes = 0;
    bool read = mgi_cli_read_file(file->path, FACTS_MAX_BYTES, &file->text, &why);
    if (read)
        bytes = file->text.len;
    if (!read || !mgi_fact_file_unpack(file, unpack)) {
        mgi_cli_error("cannot read %s: %s", file->path, why ? why : unpack);
        return EXIT_WRONG;
    }
    struct mangle_source source = { file->path, mgi_buf_view(&file->text).ptr, file->text.len };
    struct mangle_column_pred *preds = NULL;
    size_t count = 0;
    mangle_diags *diags = mangle_diags_new();
    enum mangle_status st =
        diags ? mangle_columns_preds(&source, &preds, &count, diags) : MANGLE_ERR_NOMEM;
    if (mgi_fact_diags_end(diags, st))
        return EXIT_WRONG;
    print_columns(file, bytes, preds, count);
    mangle_free(preds);
    return EXIT_ANSWERED;
}

int mgi_mangle_columns_command(int argc, char **argv)
{
    const struct cli_option options[] = { { 0 } };
    struct cli_list files = { 0 };
    struct fact_file file = { 0 };
    bool helped;
    if (!mgi_cli_parse(&mgi_mangle_columns, options, argc, argv, &files, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (files.count != 1) {
        mgi_cli_error("mangle columns needs one file");
        mgi_cli_hint("mangle columns facts.sc, or .sc.gz, or .sc.zst.");
        return EXIT_USAGE;
    }
    file.path = files.items[0];
    file.form = FACTS_COLUMNS;
    file.compression = mgi_compression_named(str_of(file.path), NULL);
    int result = describe(&file);
    mgi_buf_fini(&file.text);
    return result;
}
