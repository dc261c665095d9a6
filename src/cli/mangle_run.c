/* mangle run: evaluate a program and print facts: those of the queries, or every derived one. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/mangle_commands.h"
#include "cli/mangle_diags.h"
#include "cli/mangle_input.h"
#include "cli/mangle_output.h"
#include "cli/mangle_stats.h"
#include "cli/mangle_store.h"

const struct cli_command mgi_mangle_run = {
    .name = "mangle run",
    .usage = "FILE|FOLDER... [OPTIONS]",
    .help = "Evaluate a program and print facts.",
    .run = mgi_mangle_run_command,
    .more = "Examples:\n"
            "  mangle run rules.mg                                every derived fact\n"
            "  mangle run rules.mg --query 'path(/a, X)'          what matches\n"
            "  mangle run rules.mg --facts edge=roads.csv --query path --format json\n"
            "  mangle run rules.mg --eval-time 2026-02-19T12:00:00Z\n"
            "\n"
            "FILE may be -, standard input. Exit status: 0 answered, 1 the program or a fact is "
            "wrong (with\n"
            "--exec: or nothing matches), 2 usage or files, 3 a limit was hit.\n",
};

/* ---- every derived predicate ------------------------------------------------------------- */

struct named_pred {
    struct mangle_pred_view view;
    mangle_pred pred;
};

/* By name bytewise, then arity (M-EVAL-30). */
static int compare_preds(const void *left, const void *right)
{
    const struct named_pred *a = left, *b = right;
    int by_name = strcmp(a->view.name, b->view.name);
    return by_name ? by_name : a->view.arity < b->view.arity ? -1 : a->view.arity > b->view.arity;
}

static enum mangle_status print_derived(mangle_overlay *overlay, const mangle_program *program,
                                        struct fact_printer *printer)
{
    size_t total = mangle_program_pred_count(program), count = 0;
    struct named_pred *preds = mgi_calloc(total + 1, sizeof *preds);
    enum mangle_status st = preds ? MANGLE_OK : MANGLE_ERR_NOMEM;
    for (size_t i = 0; preds && i < total; i++) {
        preds[count] =
            (struct named_pred){ mangle_program_pred(program, (mangle_pred)i), (mangle_pred)i };
        count += preds[count].view.derived;
    }
    if (count)
        qsort(preds, count, sizeof *preds, compare_preds);
    for (size_t i = 0; !st && i < count; i++) {
        const struct mangle_fact *facts;
        size_t n;
        st = mangle_overlay_facts(overlay, preds[i].pred, &facts, &n);
        if (!st)
            mgi_print_facts(printer, facts, n);
    }
    mgi_free(preds);
    return st;
}

/* ---- queries ----------------------------------------------------------------------------- */

static enum mangle_status print_answers(mangle_overlay *overlay, const struct cli_list *queries,
                                        struct fact_printer *printer)
{
    enum mangle_status result = MANGLE_OK;
    for (size_t i = 0; i < queries->count; i++) {
        const struct mangle_fact *facts;
        size_t n;
        mangle_diags *diags = mangle_diags_new();
        enum mangle_status st =
            diags ? mangle_overlay_query(overlay, queries->items[i], strlen(queries->items[i]),
                                         &facts, &n, diags)
                  : MANGLE_ERR_NOMEM;
        if (diags)
            mgi_print_diags(stderr, diags);
        mangle_diags_free(diags);
        if (st)
            result = st;
        else
            mgi_print_facts(printer, facts, n);
    }
    return result;
}

/* ---- facts against their declarations ---------------------------------------------------- */

/* How many facts of declared predicates do not keep what their Decl promises; each is told. */
static enum mangle_status check_facts(mangle_overlay *overlay, const mangle_program *program,
                                      size_t *wrong)
{
    enum mangle_status st = MANGLE_OK;
    *wrong = 0;
    for (size_t i = 0; !st && i < mangle_program_pred_count(program); i++) {
        const struct mangle_fact *facts;
        size_t count = 0;
        if (!mangle_program_pred(program, (mangle_pred)i).declared)
            continue;
        st = mangle_overlay_facts(overlay, (mangle_pred)i, &facts, &count);
        for (size_t j = 0; !st && j < count; j++) {
            struct mangle_error error = { 0 };
            st = mangle_overlay_check_fact(overlay, &facts[j], &error);
            if (st != MANGLE_ERR_INPUT)
                continue;
            char *text = mangle_fact_print(program, mangle_overlay_values(overlay), &facts[j],
                                           MANGLE_FILE, NULL);
            if (!text)
                text = mangle_fact_print(program, mangle_overlay_values(overlay), &facts[j],
                                         MANGLE_CANONICAL, NULL);
            mgi_cli_error("%s breaks its declaration (%s)", text ? text : "", error.message);
            mangle_free(text);
            ++*wrong;
            st = MANGLE_OK;
        }
    }
    return st;
}

/* ---- mangle run --exec --------------------------------------------------------------------- */

/* One query as scripts ask it (M-IO-26): facts in canonical form, then the verdict, which is the
 * exit status, too. */
static int print_verdict(mangle_overlay *overlay, const mangle_program *program, const char *query)
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
    for (size_t i = 0; !st && i < count; i++) {
        char *text = mangle_fact_print(program, mangle_overlay_values(overlay), &facts[i],
                                       MANGLE_CANONICAL, NULL);
        if (text)
            puts(text);
        else
            st = MANGLE_ERR_NOMEM;
        mangle_free(text);
    }
    if (st) {
        if (st != MANGLE_ERR_PROGRAM)
            mgi_cli_error("%s", mangle_status_text(st));
        return EXIT_WRONG;
    }
    puts(count ? "#PASS" : "\n#FAIL");
    return count ? EXIT_ANSWERED : EXIT_WRONG;
}

static int exec_query(struct input_options *options, const char *query, const char *selection)
{
    mangle_overlay *overlay;
    const mangle_program *program;
    struct mangle_stats stats;
    if (mgi_evaluate_input(options, &overlay, &program, &stats)) {
        mgi_print_failed_stats(options);
        return EXIT_WRONG;
    }
    int result = print_verdict(overlay, program, query);
    if (selection)
        mgi_print_stats(options, overlay, program, &stats, selection, false);
    mangle_overlay_free(overlay);
    return result;
}

/* ---- the command ------------------------------------------------------------------------- */

static int print_results(const struct input_options *options, mangle_overlay *overlay,
                         const mangle_program *program, enum fact_output form)
{
    struct fact_printer printer;
    int result = EXIT_ANSWERED;
    mgi_fact_printer_init(&printer, program, overlay, form, stdout);
    enum mangle_status st = options->queries.count
                                ? print_answers(overlay, &options->queries, &printer)
                                : print_derived(overlay, program, &printer);
    const char *failed = mgi_fact_printer_end(&printer);
    if (st == MANGLE_ERR_PROGRAM || printer.left_out)
        result = EXIT_WRONG; /* the query, or a fact; said already */
    if (st && st != MANGLE_ERR_PROGRAM) {
        mgi_cli_error("%s", mangle_status_text(st));
        result = EXIT_USAGE;
    }
    if (failed) {
        mgi_cli_error("%s", failed);
        result = EXIT_USAGE;
    }
    return result;
}

static int run(struct input_options *options, enum fact_output form, const char *out, bool checks,
               const char *selection)
{
    mangle_overlay *overlay;
    const mangle_program *program;
    struct mangle_stats stats;
    int result = mgi_evaluate_input(options, &overlay, &program, &stats);
    if (result) {
        mgi_print_failed_stats(options);
        return result;
    }
    size_t wrong = 0;
    enum mangle_status checked = checks ? check_facts(overlay, program, &wrong) : MANGLE_OK;
    if (checked || wrong) {
        if (checked)
            mgi_cli_error("%s", mangle_status_text(checked));
        mangle_overlay_free(overlay);
        return checked ? EXIT_USAGE : EXIT_WRONG;
    }
    result = out ? mgi_store_facts(overlay, program, &options->queries, out)
                 : print_results(options, overlay, program, form);
    if (selection)
        mgi_print_stats(options, overlay, program, &stats, selection, form == OUTPUT_JSON_LINES);
    mangle_overlay_free(overlay);
    return result;
}

int mgi_mangle_run_command(int argc, char **argv)
{
    struct input_options input = { 0 };
    const char *format = "mg";
    const char *selection = NULL, *query = NULL, *out = NULL;
    bool checks = false, helped;
    const struct cli_option options[] = {
        INPUT_OPTION_ROWS(input),
        { "--format", OPTION_TEXT, &format, NULL, "FORM", "mg, json (a fact a line) or csv" },
        { "--out", OPTION_TEXT, &out, NULL, "FILE",
          "a column file (.sc, .sc.gz, .sc.zst) instead of printing" },
        { "--check-facts", OPTION_FLAG, &checks, NULL, NULL,
          "all facts, derived ones too, must keep what their Decl promises" },
        { "--exec", OPTION_TEXT, &query, NULL, "ATOM",
          "facts that match, then #PASS, or #FAIL and exit status 1" },
        { "--stats", OPTION_TEXT, &selection, NULL, "PREDS",
          "what it cost, on stderr: times of `all` predicates or of p,q, the dearest rules, "
          "totals; "
          "`json`; `folded`, for flame graphs" },
        { 0 },
    };
    enum fact_output form = OUTPUT_MANGLE;
    int result = EXIT_USAGE;
    if (!mgi_cli_parse(&mgi_mangle_run, options, argc, argv, &input.files, NULL, &helped)) {
        /* said already */
    } else if (helped) {
        result = EXIT_ANSWERED;
    } else if (!input.files.count) {
        mgi_cli_error("mangle run needs a program file");
        mgi_cli_hint("mangle run rules.mg, or - for standard input.");
    } else if (!mgi_fact_output_named(format, &form)) {
        mgi_cli_error("--format is mg, json or csv, not \"%s\"", format);
    } else if (out && query) {
        mgi_cli_error("--exec and --out exclude each other");
    } else if (!out || mgi_store_named(out)) {
        input.measured = selection != NULL;
        result = query ? exec_query(&input, query, selection)
                       : run(&input, form, out, checks, selection);
    }
    mgi_input_fini(&input);
    return result;
}
