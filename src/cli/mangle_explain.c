/* mangle explain: why facts hold (a proof for each answer of the queries, or for one goal), and why
 * others do not. */
#include <string.h>

#include "cli/mangle_commands.h"
#include "cli/mangle_diags.h"
#include "cli/mangle_input.h"
#include "cli/mangle_proof.h"

const struct cli_command mgi_mangle_explain = {
    .name = "mangle explain",
    .usage = "FILE... --goal FACT|--query ATOM|--why-not ATOM [OPTIONS]",
    .help = "Say why facts hold, and why others do not.",
    .run = mgi_mangle_explain_command,
    .more = "Examples:\n"
            "  mangle explain rules.mg --goal 'path(/a, /c)'      why it holds\n"
            "  mangle explain rules.mg --why-not 'path(/c, /a)'   why it does not\n"
            "  mangle explain rules.mg --query 'path(/a, X)' --format dot | dot -Tsvg > proof.svg\n"
            "\n"
            "Exit status: 0 answered, 1 the program is wrong or the goal does not hold, 2 usage or "
            "files, 3 a\n"
            "limit was hit.\n",
};

enum explain_form { FORM_TREE, FORM_FACTS, FORM_JSON, FORM_DOT };

static bool find_word(const char *word, const char *const *words, int count, int *out)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(word, words[i]) == 0) {
            *out = i;
            return true;
        }
    }
    return false;
}

struct explain {
    struct input_options input;
    struct cli_list goals, denied; /* --goal, --why-not */
    struct mangle_explain_options options;
    int form; /* enum explain_form */
    mangle_overlay *overlay;
    const mangle_program *program;
    struct proof_nodes nodes; /* FORM_FACTS, FORM_DOT: of all proofs together */
    struct json_writer json;  /* FORM_JSON */
    struct buf out;
    bool any; /* FORM_TREE: something is printed */
};

static int report(enum mangle_status st, mangle_diags *diags, const struct mangle_error *error)
{
    if (diags)
        mgi_print_diags(stderr, diags);
    mangle_diags_free(diags);
    if (st && st != MANGLE_ERR_PROGRAM)
        mgi_cli_error("%s", error && error->message[0] ? error->message : mangle_status_text(st));
    return st == MANGLE_OK ? EXIT_ANSWERED : st == MANGLE_ERR_PROGRAM ? EXIT_WRONG : EXIT_USAGE;
}

/* ---- proofs ---------------------------------------------------------------------------------- */

/* Takes the text over. */
static void print_text(struct explain *e, char *text, size_t len)
{
    if (e->any)
        mgi_buf_putc(&e->out, '\n');
    e->any = true;
    mgi_buf_append(&e->out, text ? text : "", text ? len : 0);
    e->out.oom |= !text;
    mangle_free(text);
}

static void write_json(struct explain *e, const struct mangle_proof *const *proofs, size_t count)
{
    struct proof_nodes nodes = { .program = e->program,
                                 .values = mangle_overlay_values(e->overlay) };
    struct json_writer *w = &e->json;
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "proofs");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < count; i++) {
        mgi_jw_cstring(w, proofs[i]->id);
        e->out.oom |= !mgi_proof_nodes_add(&nodes, proofs[i]);
    }
    mgi_jw_end_array(w);
    mgi_proof_write_json(w, &nodes);
    mgi_jw_end_object(w);
    mgi_proof_nodes_fini(&nodes);
}

static void show_proofs(struct explain *e, const struct mangle_proof *const *proofs, size_t count)
{
    size_t len;
    switch ((enum explain_form)e->form) {
    case FORM_TREE: {
        char *text = mangle_proofs_print(e->overlay, proofs, count, &len);
        print_text(e, text, len);
        break;
    }
    case FORM_JSON:
        write_json(e, proofs, count);
        break;
    case FORM_FACTS:
    case FORM_DOT:
        for (size_t i = 0; i < count; i++)
            e->out.oom |= !mgi_proof_nodes_add(&e->nodes, proofs[i]);
        break;
    }
}

static int explain_goal(struct explain *e, const char *goal)
{
    const struct mangle_proof *const *proofs;
    size_t count;
    mangle_diags *diags = mangle_diags_new();
    enum mangle_status st = diags ? mangle_overlay_prove(e->overlay, goal, strlen(goal),
                                                         &e->options, &proofs, &count, diags)
                                  : MANGLE_ERR_NOMEM;
    if (!st)
        show_proofs(e, proofs, count);
    bool absent = st == MANGLE_ERR_PROGRAM && mangle_diags_count(diags) &&
                  strcmp(mangle_diags_get(diags, 0)->code, "NO_PROOF") == 0 &&
                  e->options.mode != MANGLE_EXPLAIN_SIMPLE;
    int result = report(st, diags, NULL);
    if (absent)
        mgi_cli_hint("--why-not '%s' says why.", goal);
    return result;
}

static int explain_query(struct explain *e, const char *query)
{
    const struct mangle_fact *facts;
    size_t count = 0;
    struct mangle_error error = { 0 };
    mangle_diags *diags = mangle_diags_new();
    enum mangle_status st =
        diags ? mangle_overlay_query(e->overlay, query, strlen(query), &facts, &count, diags)
              : MANGLE_ERR_NOMEM;
    bool none = !st && !count;
    for (size_t i = 0; i < count && !st; i++) {
        const struct mangle_proof *const *proofs;
        size_t n;
        st = mangle_overlay_proofs(e->overlay, &facts[i], &e->options, &proofs, &n, &error);
        if (!st && n)
            show_proofs(e, proofs, n);
    }
    int result = report(st, diags, &error);
    if (none)
        fprintf(stderr, "no answer to %s: --why-not says why\n", query);
    return result;
}

/* ---- why not --------------------------------------------------------------------------------- */

static int deny(struct explain *e, const char *goal)
{
    const struct mangle_why_not *why;
    mangle_diags *diags = mangle_diags_new();
    enum mangle_status st =
        diags ? mangle_overlay_why_not(e->overlay, goal, strlen(goal), &why, diags)
              : MANGLE_ERR_NOMEM;
    if (!st && e->form == FORM_JSON) {
        mgi_why_not_write_json(&e->json, e->overlay, e->program, why);
    } else if (!st) {
        size_t len;
        char *text = mangle_why_not_print(e->overlay, why, &len);
        print_text(e, text, len);
    }
    return report(st, diags, NULL);
}

/* ---- the command ----------------------------------------------------------------------------- */

static int each(struct explain *e, const struct cli_list *list,
                int (*one)(struct explain *e, const char *text))
{
    int result = EXIT_ANSWERED;
    for (size_t i = 0; i < list->count; i++) {
        int got = one(e, list->items[i]);
        result = result ? result : got;
    }
    return result;
}

static int answer(struct explain *e)
{
    int result = each(e, &e->goals, explain_goal);
    int queries = each(e, &e->input.queries, explain_query);
    int denied = each(e, &e->denied, deny);
    result = result ? result : queries;
    return result ? result : denied;
}

static int explain(struct explain *e)
{
    struct mangle_stats stats;
    int result = mgi_evaluate_input(&e->input, &e->overlay, &e->program, &stats);
    if (result)
        return result;
    e->nodes.program = e->program;
    e->nodes.values = mangle_overlay_values(e->overlay);
    mgi_json_writer_init(&e->json, &e->out, 2);
    if (e->form == FORM_JSON)
        mgi_jw_begin_array(&e->json);
    result = answer(e);
    if (e->form == FORM_JSON) {
        mgi_jw_end_array(&e->json);
        mgi_buf_putc(&e->out, '\n');
    }
    if (e->form == FORM_FACTS)
        mgi_proof_write_facts(&e->out, &e->nodes);
    if (e->form == FORM_DOT && e->nodes.count)
        mgi_proof_write_dot(&e->out, &e->nodes);
    if (e->out.oom) {
        mgi_cli_error("out of memory");
        result = EXIT_USAGE;
    } else {
        fwrite(mgi_buf_view(&e->out).ptr, 1, e->out.len, stdout);
    }
    mgi_buf_fini(&e->out);
    mgi_proof_nodes_fini(&e->nodes);
    mangle_overlay_free(e->overlay);
    return result;
}

static bool in_range(int64_t n, int64_t most, const char *option)
{
    if (n >= 0 && n <= most)
        return true;
    mgi_cli_error("%s is between 0 (the default) and %lld", option, (long long)most);
    return false;
}

int mgi_mangle_explain_command(int argc, char **argv)
{
    static const char *const forms[] = { "tree", "facts", "json", "dot" };
    static const char *const modes[] = { "full", "simple" };
    struct explain e = { 0 };
    int64_t depth = 0, proofs = 0;
    const char *form = "tree", *mode = "full";
    int mode_number;
    bool helped;
    const struct cli_option options[] = {
        { "--goal", OPTION_LIST, &e.goals, NULL, "FACT", "why this one fact holds; may repeat" },
        { "--why-not", OPTION_LIST, &e.denied, NULL, "ATOM",
          "why nothing like this holds; may repeat" },
        { "--format", OPTION_TEXT, &form, NULL, "FORM",
          "tree, facts, json or dot (Graphviz); --why-not: tree or json" },
        { "--mode", OPTION_TEXT, &mode, NULL, "MODE",
          "full, or simple: rules with a transform prove nothing" },
        { "--max-proofs", OPTION_NUMBER, &proofs, NULL, "N", "different proofs of a fact (1)" },
        { "--max-depth", OPTION_NUMBER, &depth, NULL, "N", "levels of the tree (64)" },
        { "--depth", OPTION_NUMBER, &depth, NULL, "N", "the same as --max-depth" },
        INPUT_OPTION_ROWS(e.input),
        { 0 },
    };
    int result = EXIT_USAGE;
    if (!mgi_cli_parse(&mgi_mangle_explain, options, argc, argv, &e.input.files, NULL, &helped)) {
        /* said already */
    } else if (helped) {
        result = EXIT_ANSWERED;
    } else if (!e.input.files.count ||
               (!e.goals.count && !e.denied.count && !e.input.queries.count)) {
        mgi_cli_error("mangle explain needs a program file and --goal, --query or --why-not");
        mgi_cli_hint("mangle explain rules.mg --query 'path(/a, X)'");
    } else if (!find_word(form, forms, 4, &e.form)) {
        mgi_cli_error("--format is tree, facts, json or dot, not \"%s\"", form);
    } else if (!find_word(mode, modes, 2, &mode_number)) {
        mgi_cli_error("--mode is full or simple, not \"%s\"", mode);
    } else if (e.denied.count && (e.form == FORM_FACTS || e.form == FORM_DOT)) {
        mgi_cli_error("--why-not has no proof to print as %s", form);
        mgi_cli_hint("Use --format tree or --format json.");
    } else if (in_range(depth, 10000, "--max-depth") && in_range(proofs, 10000, "--max-proofs")) {
        e.options.max_depth = (uint32_t)depth;
        e.options.max_proofs = (uint32_t)proofs;
        e.options.mode = (enum mangle_explain_mode)mode_number;
        result = explain(&e);
    }
    mgi_input_fini(&e.input);
    return result;
}
