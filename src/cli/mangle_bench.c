/* mangle bench: the same evaluation again and again, and what each part of it takes. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/json.h"
#include "cli/mangle_commands.h"
#include "cli/mangle_diags.h"
#include "cli/mangle_facts.h"
#include "cli/mangle_input.h"
#include "sys/clock.h"

#define RUNS_DEFAULT 5
#define RUNS_MOST    10000

const struct cli_command mgi_mangle_bench = {
    .name = "mangle bench",
    .usage = "PROGRAM [FACTS...] [OPTIONS]",
    .help = "Measure what evaluating a program takes.",
    .run = mgi_mangle_bench_command,
    .more = "Examples:\n"
            "  mangle bench rules.mg edge.csv\n"
            "  mangle bench rules.mg link=roads.csv --runs 21 --format json\n"
            "\n"
            "PROGRAM is a .mg file or a folder, also several; everything else is facts, as for "
            "--facts. Times\n"
            "are of the processor, those that passed are said beside. One run before the first is "
            "not counted.\n"
            "Exit status: 0 measured, else that of mangle run.\n",
};

enum part { READ, PARSE, CHECK, PLAN, LOAD, EVALUATE, QUERY, WHOLE, PARTS };
static const char *const part_names[PARTS] = { "read", "parse",    "check", "plan",
                                               "load", "evaluate", "query", "time" };

struct bench {
    int64_t *cpu_ns[PARTS];
    int64_t *wall_ns[PARTS]; /* of the stages of a compilation nobody knows it: zero */
    size_t runs;
    struct mangle_stats stats; /* of the last run */
};

/* ---- measuring --------------------------------------------------------------------------- */

static void note(struct bench *b, size_t run, enum part part, struct phase_time t)
{
    b->cpu_ns[part][run] = t.cpu_ns;
    b->wall_ns[part][run] = t.wall_ns;
    b->cpu_ns[WHOLE][run] += t.cpu_ns;
    b->wall_ns[WHOLE][run] += t.wall_ns;
}

static void note_run(struct bench *b, size_t run, const struct input_options *o,
                     struct phase_time query)
{
    const struct mangle_compile_times *t = &o->compile_times;
    const struct phase_time *compile = &o->phases[PHASE_COMPILE];
    b->cpu_ns[WHOLE][run] = compile->cpu_ns;
    b->wall_ns[WHOLE][run] = compile->wall_ns;
    note(b, run, READ, o->phases[PHASE_READ]);
    note(b, run, LOAD, o->phases[PHASE_LOAD]);
    note(b, run, EVALUATE, o->phases[PHASE_EVALUATE]);
    note(b, run, QUERY, query);
    b->cpu_ns[PARSE][run] = t->parse_ns;
    b->cpu_ns[CHECK][run] = t->check_ns;
    b->cpu_ns[PLAN][run] = t->plan_ns;
}

/* All answers made, none printed. */
static int answer(mangle_overlay *overlay, const struct cli_list *queries, struct phase_time *took)
{
    struct phase_time began = { mgi_clock_mono_ns(), mgi_clock_cpu_ns() };
    enum mangle_status st = MANGLE_OK;
    for (size_t i = 0; i < queries->count && !st; i++) {
        const struct mangle_fact *facts;
        size_t count;
        mangle_diags *diags = mangle_diags_new();
        st = diags ? mangle_overlay_query(overlay, queries->items[i], strlen(queries->items[i]),
                                          &facts, &count, diags)
                   : MANGLE_ERR_NOMEM;
        if (diags && st)
            mgi_print_diags(stderr, diags);
        mangle_diags_free(diags);
    }
    took->wall_ns = mgi_clock_mono_ns() - began.wall_ns;
    took->cpu_ns = mgi_clock_cpu_ns() - began.cpu_ns;
    if (st && st != MANGLE_ERR_PROGRAM)
        mgi_cli_error("%s", mangle_status_text(st));
    return st ? EXIT_WRONG : EXIT_ANSWERED;
}

/* Every run has lists of its own: reading a domain folder adds to them. `at` SIZE_MAX: what it took
 * is not noted. */
static int run_once(struct bench *b, const struct input_options *options, size_t at)
{
    struct input_options one = *options;
    struct phase_time query = { 0 };
    mangle_overlay *overlay;
    const mangle_program *program;
    one.facts = (struct cli_list){ 0 };
    one.quiet = at != SIZE_MAX;
    one.stages_by_cpu = true;
    for (size_t i = 0; i < options->facts.count; i++) {
        if (!mgi_cli_list_add(&one.facts, options->facts.items[i])) {
            mgi_cli_error("out of memory");
            return EXIT_USAGE;
        }
    }
    int result = mgi_evaluate_input(&one, &overlay, &program, &b->stats);
    if (!result)
        result = answer(overlay, &options->queries, &query);
    mangle_overlay_free(overlay);
    mgi_input_fini(&one);
    if (!result && at != SIZE_MAX)
        note_run(b, at, &one, query);
    return result;
}

static int measure(struct bench *b, const struct input_options *options)
{
    int result = run_once(b, options, SIZE_MAX);
    for (size_t run = 0; !result && run < b->runs; run++)
        result = run_once(b, options, run);
    return result;
}

/* ---- telling ----------------------------------------------------------------------------- */

static int compare_times(const void *left, const void *right)
{
    const int64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

static int64_t median(const int64_t *sorted, size_t count)
{
    int64_t high = sorted[count / 2];
    return count % 2 ? high : sorted[count / 2 - 1] + (high - sorted[count / 2 - 1]) / 2;
}

static void print_part(const struct bench *b, enum part part)
{
    const int64_t *cpu = b->cpu_ns[part];
    double middle = (double)median(cpu, b->runs), last = (double)cpu[b->runs - 1];
    printf("%-10s %12.3f %12.3f %12.3f %8.1f%%", part_names[part], middle / 1e6,
           (double)cpu[0] / 1e6, last / 1e6,
           middle > 0.0 ? 100.0 * (last - (double)cpu[0]) / middle : 0.0);
    if (part == PARSE || part == CHECK || part == PLAN)
        printf("\n");
    else
        printf(" %12.3f\n", (double)median(b->wall_ns[part], b->runs) / 1e6);
}

static void print_text(const struct bench *b)
{
    const struct cli_style *s = mgi_cli_style(stdout);
    printf("%s%-10s %12s %12s %12s %9s %12s%s\n", s->bold, "ms of CPU", "median", "least", "most",
           "spread", "ms passed", s->reset);
    for (int part = 0; part < PARTS; part++)
        print_part(b, (enum part)part);
    printf("runs           %zu\nfacts given    %" PRId64 "\nfacts derived  %" PRId64
           "\nmemory         %.1f MiB\n",
           b->runs, b->stats.facts_given, b->stats.facts_derived,
           (double)b->stats.bytes / (1024 * 1024));
}

static void write_times(struct json_writer *w, const char *name, const int64_t *sorted,
                        size_t count)
{
    mgi_jw_key(w, name);
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "median", median(sorted, count));
    mgi_jw_member_int(w, "least", sorted[0]);
    mgi_jw_member_int(w, "most", sorted[count - 1]);
    mgi_jw_end_object(w);
}

static void write_json(struct json_writer *w, const struct bench *b)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "runs", (int64_t)b->runs);
    mgi_jw_key(w, "parts");
    mgi_jw_begin_object(w);
    for (int part = 0; part < PARTS; part++) {
        mgi_jw_key(w, part_names[part]);
        mgi_jw_begin_object(w);
        write_times(w, "cpu_ns", b->cpu_ns[part], b->runs);
        if (part != PARSE && part != CHECK && part != PLAN)
            write_times(w, "wall_ns", b->wall_ns[part], b->runs);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_object(w);
    mgi_jw_member_int(w, "facts_given", b->stats.facts_given);
    mgi_jw_member_int(w, "facts_derived", b->stats.facts_derived);
    mgi_jw_member_int(w, "rule_firings", b->stats.rule_firings);
    mgi_jw_member_int(w, "rounds", b->stats.rounds);
    mgi_jw_member_int(w, "bytes", (int64_t)b->stats.bytes);
    mgi_jw_end_object(w);
}

static int print_json(const struct bench *b)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    write_json(&w, b);
    int result = text.oom ? EXIT_USAGE : EXIT_ANSWERED;
    if (text.oom)
        mgi_cli_error("out of memory");
    else
        printf("%s\n", text.ptr);
    mgi_buf_fini(&text);
    return result;
}

/* ---- the command ------------------------------------------------------------------------- */

static bool bench_init(struct bench *b, size_t runs)
{
    bool ok = true;
    *b = (struct bench){ .runs = runs };
    for (int part = 0; part < PARTS; part++) {
        b->cpu_ns[part] = mgi_calloc(runs, sizeof(int64_t));
        b->wall_ns[part] = mgi_calloc(runs, sizeof(int64_t));
        ok = ok && b->cpu_ns[part] && b->wall_ns[part];
    }
    return ok;
}

static void bench_fini(struct bench *b)
{
    for (int part = 0; part < PARTS; part++) {
        mgi_free(b->cpu_ns[part]);
        mgi_free(b->wall_ns[part]);
    }
}

static void sort_times(struct bench *b)
{
    for (int part = 0; part < PARTS; part++) {
        qsort(b->cpu_ns[part], b->runs, sizeof(int64_t), compare_times);
        qsort(b->wall_ns[part], b->runs, sizeof(int64_t), compare_times);
    }
}

static int bench(const struct input_options *options, size_t runs, bool json)
{
    struct bench b;
    int result = EXIT_USAGE;
    if (!bench_init(&b, runs)) {
        mgi_cli_error("out of memory");
    } else {
        result = measure(&b, options);
        sort_times(&b);
        if (!result && json)
            result = print_json(&b);
        else if (!result)
            print_text(&b);
    }
    bench_fini(&b);
    return result;
}

static bool is_program(const char *path)
{
    struct stat st;
    size_t len = strlen(path);
    if (len > 3 && strcmp(path + len - 3, ".mg") == 0 && !strchr(path, '='))
        return true;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* What is not there is told when it is read. */
static bool can_be_read_again(const char *path)
{
    struct stat st;
    if (strcmp(path, "-") == 0) {
        mgi_cli_error("standard input can be read once, and mangle bench reads again");
        return false;
    }
    if (stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
        return true;
    mgi_cli_error("%s is no regular file: it can be read once, and mangle bench reads again", path);
    mgi_cli_hint("Write what comes from there into a file.");
    return false;
}

static bool all_can_be_read_again(const struct input_options *input)
{
    bool good = true;
    for (size_t i = 0; i < input->files.count; i++)
        good &= can_be_read_again(input->files.items[i]);
    for (size_t i = 0; i < input->facts.count; i++) {
        struct fact_file file;
        const char *why, *hint;
        (void)mgi_fact_file_named(input->facts.items[i], &file, &why, &hint);
        good &= can_be_read_again(file.path);
    }
    return good;
}

/* Programs to `files`, the others to `facts`. False: said. */
static bool sort_arguments(const struct cli_list *arguments, struct input_options *input)
{
    for (size_t i = 0; i < arguments->count; i++) {
        const char *argument = arguments->items[i];
        if (!mgi_cli_list_add(is_program(argument) ? &input->files : &input->facts, argument)) {
            mgi_cli_error("out of memory");
            return false;
        }
    }
    if (!all_can_be_read_again(input))
        return false;
    if (input->files.count)
        return true;
    mgi_cli_error("mangle bench needs a program file");
    mgi_cli_hint("mangle bench rules.mg edge.csv");
    return false;
}

int mgi_mangle_bench_command(int argc, char **argv)
{
    struct input_options input = { 0 };
    struct cli_list arguments = { 0 };
    const char *format = "text";
    int64_t runs = RUNS_DEFAULT;
    bool helped;
    const struct cli_option options[] = {
        { "--runs", OPTION_NUMBER, &runs, NULL, "N", "so many runs (5)" },
        { "--format", OPTION_TEXT, &format, NULL, "FORM", "text or json" },
        INPUT_OPTION_ROWS(input),
        { 0 },
    };
    if (!mgi_cli_parse(&mgi_mangle_bench, options, argc, argv, &arguments, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    bool json = strcmp(format, "json") == 0;
    if (!json && strcmp(format, "text") != 0) {
        mgi_cli_error("--format is text or json, not \"%s\"", format);
        return EXIT_USAGE;
    }
    if (runs < 1 || runs > RUNS_MOST) {
        mgi_cli_error("--runs is between 1 and %d", RUNS_MOST);
        return EXIT_USAGE;
    }
    if (!sort_arguments(&arguments, &input))
        return EXIT_USAGE;
    return bench(&input, (size_t)runs, json);
}
