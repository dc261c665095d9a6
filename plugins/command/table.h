/* The settings of this plugin: a table of commands, as the server wrote it (its form is drawn in
 * src/actions/command_int.h). Whoever wrote it, it is checked here: what does not fit is refused as
 * a whole, by name.
 *
 * Everything lives in the arena, as long as the worker. */
#ifndef COMMAND_TABLE_H
#define COMMAND_TABLE_H

#include "base/json.h"

struct confine_plan;

struct part {
    struct str text; /* a literal, or the name of an argument */
    bool is_argument;
    bool may_be_option; /* its value may begin a word with '-' */
};

enum word_kind { WORD_PARTS, WORD_EACH, WORD_IF };
struct word {
    enum word_kind kind;
    struct str name;    /* of the list (WORD_EACH) or of the condition (WORD_IF) */
    struct part *parts; /* WORD_PARTS, WORD_EACH */
    size_t part_count;
    struct word *then; /* WORD_IF; none of them is a WORD_IF */
    size_t then_count;
};

enum stdin_kind { STDIN_NONE, STDIN_TEXT, STDIN_JSON };
enum output_kind {
    OUTPUT_TEXT,
    OUTPUT_LINES,
    OUTPUT_JSON,
    OUTPUT_JSONL,
    OUTPUT_CSV,
    OUTPUT_REGEX,
    OUTPUT_NONE
};

struct ending {
    int from, to;
    bool other; /* counts where no other one does */
    bool ok;
    struct str error;  /* "" : the program's own words */
    struct str status; /* "", "error", "invalid_pick", "breaker" */
    struct str output; /* "": what was printed */
};

struct command {
    struct str aid, name, description, input_schema, output_schema; /* NUL follows; "" : none */
    const char *program;                                            /* absolute */
    struct word *words;
    size_t word_count;
    struct json defaults; /* an object */
    enum stdin_kind stdin_kind;
    struct word stdin_text;
    struct str *stdin_names; /* STDIN_JSON: these alone; NULL: all */
    size_t stdin_name_count;
    bool has_folder;
    struct word folder;
    char **env; /* ends with NULL */
    enum output_kind output;
    struct str regex;
    bool every_match;
    void *pattern; /* compiled, with its limits; OUTPUT_REGEX */
    struct ending *endings;
    size_t ending_count;
    const char **side_effects, **tags; /* end with NULL */
    uint32_t timeout_ms, flags;
    size_t max_output;
    bool progress;
    /* What it may do beside being started (capabilities by name, absolute paths). */
    struct str *may, *read, *write;
    size_t may_count, read_count, write_count;
    const struct confine_plan *plan; /* of rights.h; NULL: what the worker may, it may, too */
};

struct command_table {
    const char *folder; /* the domain's, absolute */
    bool confined;      /* "confine" is on or required */
    struct command *items;
    size_t count;
};

#define COMMAND_MAX_OUTPUT   (1u << 20) /* unless it says otherwise */
#define COMMAND_MOST_OUTPUT  (16u << 20)
#define COMMAND_MAX_COMMANDS 1024

/* NULL, or what is wrong (static, or in `arena`). `temporary` is TMPDIR of the programs; NULL:
 * none.
 */
const char *mgi_command_table_read(struct arena *arena, struct str settings, const char *temporary,
                                   struct command_table *out);

#endif
