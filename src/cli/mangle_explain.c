/* mangle explain: a proof tree for each answer of the queries. */
#include <string.h>

#include "cli/mangle_commands.h"
#include "cli/mangle_input.h"

const struct cli_command mgi_mangle_explain = {
    .name = "mangle explain",
    .usage = "FILE... --query ATOM [OPTIONS]",
    .help = "Print a proof tree for each answer of a query.",
    .run = mgi_mangle_explain_command,
};

static int print_proof(mangle_overlay *overlay, const struct mangle_fact *fact, uint32_t depth,
                       bool first)
{
    const struct mangle_proof *proof;
    struct mangle_error error = { 0 };
    enum mangle_status st = mangle_overlay_explain(overlay, fact, depth, &proof, &error);
    size_t len;
    char *text = st ? NULL : mangle_proof_print(overlay, proof, &len);
    if (!text) {
        mgi_cli_error("%s", error.message[0] ? error.message : mangle_status_text(st));
        return EXIT_USAGE;
    }
    if (!first)
        putchar('\n');
    fwrite(text, 1, len, stdout);
    if (len && text[len - 1] != '\n')
        putchar('\n');
    mangle_free(text);
    return EXIT_ANSWERED;
}

static int explain_query(mangle_overlay *overlay, const char *query, uint32_t depth, bool *first)
{
    const struct mangle_fact *facts;
    size_t count;
    mangle_diags *diags = mangle_diags_new();
    enum mangle_status st =
        diags ? mangle_overlay_query(overlay, query, strlen(query), &facts, &count, diags)
              : MANGLE_ERR_NOMEM;
    if (diags)
        mgi_print_diags(stderr, diags);
    mangle_diags_free(diags);
    if (st)
        return st == MANGLE_ERR_PROGRAM ? EXIT_WRONG : EXIT_USAGE;
    if (!count)
        fprintf(stderr, "no answer to %s\n", query);
    for (size_t i = 0; i < count; i++) {
        int result = print_proof(overlay, &facts[i], depth, *first);
        if (result)
            return result;
        *first = false;
    }
    return EXIT_ANSWERED;
}

static int explain(struct input_options *input, uint32_t depth)
{
    mangle_overlay *overlay;
    const mangle_program *program;
    struct mangle_stats stats;
    bool first = true;
    int result = mgi_evaluate_input(input, &overlay, &program, &stats);
    if (result)
        return result;
    for (size_t i = 0; i < input->queries.count; i++) {
        int one = explain_query(overlay, input->queries.items[i], depth, &first);
        result = result ? result : one;
    }
    mangle_overlay_free(overlay);
    return result;
}

int mgi_mangle_explain_command(int argc, char **argv)
{
    struct input_options input = { 0 };
    int64_t depth = 0;
    bool helped;
    const struct cli_option options[] = {
        INPUT_OPTION_ROWS(input),
        { "--depth", OPTION_NUMBER, &depth, NULL, "N", "levels of the tree (64)" },
        { 0 },
    };
    int result = EXIT_USAGE;
    if (!mgi_cli_parse(&mgi_mangle_explain, options, argc, argv, &input.files, NULL, &helped)) {
        /* said already */
    } else if (helped) {
        result = EXIT_ANSWERED;
    } else if (!input.files.count || !input.queries.count) {
        mgi_cli_error("mangle explain needs a program file and --query ATOM");
        mgi_cli_hint("mangle explain rules.mg --query 'path(/a, X)'");
    } else if (depth < 0 || depth > 10000) {
        mgi_cli_error("--depth is between 1 and 10000");
    } else {
        result = explain(&input, (uint32_t)depth);
    }
    mgi_input_fini(&input);
    return result;
}
