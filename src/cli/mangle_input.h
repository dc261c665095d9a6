/* What the subcommands of mangle read: rules, facts in several forms, and the limits of an
 * evaluation. Everything that is wrong is said on stderr; the functions return exit statuses. */
#ifndef MGI_CLI_MANGLE_INPUT_H
#define MGI_CLI_MANGLE_INPUT_H

#include "cli/cli_options.h"
#include "mangle.h"

/* What an answer consists of, and what each part took. */
enum input_phase { PHASE_READ, PHASE_COMPILE, PHASE_LOAD, PHASE_EVALUATE, PHASE_COUNT };
struct phase_time {
    int64_t wall_ns, cpu_ns;
};

struct input_options {
    struct cli_list files;   /* programs */
    struct cli_list facts;   /* FILE.mg, FILE.jsonl, PRED.csv, PRED=FILE.csv, FILE.sc */
    struct cli_list protos;  /* SET:MESSAGE: one, or one for each .pb file of facts */
    struct cli_list queries; /* atoms */
    const char *out;         /* what will be written, and so is none of the files; or NULL */
    int64_t eval_time_ns;    /* what `now` means, if has_eval_time; else the clock */
    bool has_eval_time;
    int64_t max_facts, max_intervals, max_calls, max_memory_mb, timeout_ms;
    int64_t threads;                           /* 0: as many as there are processors */
    struct phase_time phases[PHASE_COUNT];     /* filled by mgi_evaluate_input() */
    bool measured;                             /* fill what follows, gone with mgi_input_fini() */
    struct mangle_compile_times compile_times; /* always filled */
    bool stages_by_cpu;                        /* that by the processor's time */
    bool quiet;                                /* warnings of the program were said before */
    int64_t *stratum_ns;
    mangle_profile *profile; /* may be there if an evaluation failed */
    bool allow_dangerous, check_bounds;
    struct workers *workers;   /* the same life as: */
    mangle_zone_folder *zones; /* made by mgi_evaluate_input(), gone with mgi_input_fini() */
};

/* clang-format off */
#define INPUT_OPTION_ROWS(o)                                                                       \
    { "--query", OPTION_LIST, &(o).queries, NULL, "ATOM", "p, or p(X, \"a\", _); may repeat" },    \
    BASE_OPTION_ROWS(o)

/* What an evaluation needs that nobody asks anything. */
#define BASE_OPTION_ROWS(o)                                                                        \
    { "--facts", OPTION_LIST, &(o).facts, NULL, "FILE",                                            \
      "facts: .mg, .jsonl, .csv, .tsv, .sc, .json, .pb; PRED=FILE; may repeat" },                                  \
    { "--proto", OPTION_LIST, &(o).protos, NULL, "SET:TYPE",                                       \
      "what a .pb file holds: descriptor set and message type" },                                  \
    { "--eval-time", OPTION_TIME, &(o).eval_time_ns, &(o).has_eval_time, "TIME",                   \
      "what `now` means (RFC 3339); default: the clock" },                                         \
    { "--max-facts", OPTION_NUMBER, &(o).max_facts, NULL, "N",                                     \
      "derived facts allowed (1000000; negative: no limit)" },                                     \
    { "--max-intervals", OPTION_NUMBER, &(o).max_intervals, NULL, "N",                             \
      "separate intervals of one fact (1000; negative: no limit)" },                               \
    { "--max-calls", OPTION_NUMBER, &(o).max_calls, NULL, "N",                                     \
      "nested calls of deferred predicates (1000; at most 4000)" },                                \
    { "--max-memory-mb", OPTION_NUMBER, &(o).max_memory_mb, NULL, "N",                             \
      "MiB for base and for evaluation, each (1024; negative: no limit)" },                        \
    { "--timeout-ms", OPTION_NUMBER, &(o).timeout_ms, NULL, "N", "stop after so long" },           \
    { "--threads", OPTION_NUMBER, &(o).threads, NULL, "N",                                         \
      "threads for large rounds (as many as processors)" },                                        \
    { "--allow-dangerous", OPTION_FLAG, &(o).allow_dangerous, NULL, NULL,                          \
      "temporal recursion that can run away: warn, do not refuse" },                               \
    { "--check-bounds", OPTION_FLAG, &(o).check_bounds, NULL, NULL,                                \
      "facts and rules must fit the bounds of their Decl" }
/* clang-format on */

/* A program file as read. */
struct source_files {
    struct buf *texts;
    struct mangle_source *sources;
    size_t count;
};

/* Is it a number that --max-calls takes? Says so if not. */
bool mgi_max_calls_ok(int64_t max_calls);

/* EXIT_ANSWERED, or EXIT_USAGE after saying what cannot be read. Always release. */
int mgi_read_sources(const struct cli_list *files, struct source_files *out);
void mgi_release_sources(struct source_files *s);

/* Is the first of the files one that `mangle compile` made? */
bool mgi_input_is_compiled(const struct input_options *options);

/* Compile, load, and evaluate what does not depend on `now`: all of it as bytes, the caller's
 * (mangle_free). */
int mgi_compile_input(struct input_options *options, char **bytes, size_t *len);

/* Compile, load and evaluate, or, of a file that `mangle compile` made, go on from there. On
 * EXIT_ANSWERED *overlay is the caller's, to be freed before `options` ends, and holds a reference
 * to program and base. Warnings are printed, errors too. */
int mgi_evaluate_input(struct input_options *options, mangle_overlay **overlay,
                       const mangle_program **program, struct mangle_stats *stats);

/* Forget lists, time zones and threads. */
void mgi_input_fini(struct input_options *options);

#endif
