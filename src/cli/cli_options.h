/* Command lines, for both programs: a table says what a subcommand takes; anything else is refused
 * with a message that says what to do. Also output for people: colour only on a terminal. */
#ifndef MGI_CLI_OPTIONS_H
#define MGI_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/buf.h"

enum {
    EXIT_ANSWERED = 0,
    EXIT_WRONG = 1,
    EXIT_USAGE = 2,
    EXIT_LIMIT = 3,
    EXIT_UNKNOWN = 4 /* a tool may have run or not: its answer was lost */
};

enum option_kind {
    OPTION_FLAG,   /* bool */
    OPTION_TEXT,   /* const char * */
    OPTION_LIST,   /* struct cli_list: may repeat */
    OPTION_NUMBER, /* int64_t, decimal */
    OPTION_TIME    /* int64_t nanoseconds, RFC 3339 */
};

struct cli_list {
    const char **items;
    size_t count, cap;
};

struct cli_option {
    const char *name; /* "--facts" */
    enum option_kind kind;
    void *target;
    bool *given;            /* may be NULL */
    const char *value_name; /* "FILE", for help */
    const char *help;       /* one line */
};

struct cli_command {
    const char *name;                  /* program and word: "manglecp serve" */
    const char *usage;                 /* what follows the name: "DOMAIN [OPTIONS]" */
    const char *help;                  /* one line for the overview */
    int (*run)(int argc, char **argv); /* argv[0] is the subcommand */
    const char *more;                  /* below the options of --help; lines, or NULL */
};

/*
 * Parse argv[1..] by `options` (ended by a row without a name). Positional arguments go to
 * *positional; after "--" everything does, and *after_dashes (may be NULL) is how many came before
 * (SIZE_MAX: there was none). "--help" prints the help and sets *helped. False: a message was
 * printed on stderr; the caller returns EXIT_USAGE. "--name=value" and "--name value" are the same.
 */
bool mgi_cli_parse(const struct cli_command *command, const struct cli_option *options, int argc,
                   char **argv, struct cli_list *positional, size_t *after_dashes, bool *helped);

/* Find and run argv[1] in `commands` (ended by a row without a name); prints the overview for no
 * argument, --help and help; `help COMMAND` is `COMMAND --help`; --version prints `version`. */
int mgi_cli_main(const char *program, const char *version, const char *purpose,
                 const struct cli_command *commands, int argc, char **argv);

/* Run a command: lists and kept memory last until it is done. */
int mgi_cli_run(const struct cli_command *command, int argc, char **argv);

/* Print help in another form from now on, such as a page of the manual; NULL: as text. */
void mgi_cli_help_form(void (*form)(const struct cli_command *command,
                                    const struct cli_option *options));

/* Lists, and memory that a command keeps beside them (NULL when it is short), live until the
 * program ends: nobody frees them. */
bool mgi_cli_list_add(struct cli_list *list, const char *item);
void *mgi_cli_keep(size_t size);

/* "error: …" and "  hint: …" on stderr, coloured on a terminal. */
void mgi_cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void mgi_cli_hint(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Colours for `stream`: empty strings unless it is a terminal and NO_COLOR is unset. */
struct cli_style {
    const char *bold, *dim, *red, *green, *yellow, *blue, *cyan, *reset;
};
const struct cli_style *mgi_cli_style(FILE *stream);

/* First thing in a program: whoever started it may have closed descriptor 0, 1 or 2, and the next
 * file to be opened would take its place. They become /dev/null. */
void mgi_cli_open_standard(void);
/* Was descriptor 0, 1 or 2 closed when the program started? */
bool mgi_cli_was_closed(int fd);

/* All of a file ("-": standard input) into `out`. False: *why. At most max_bytes (0: 256 MiB). */
bool mgi_cli_read_file(const char *path, size_t max_bytes, struct buf *out, const char **why);

#endif
