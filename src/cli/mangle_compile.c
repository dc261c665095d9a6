/* mangle compile: a program, its facts and what follows from them in a file, from which `mangle
 * run` and `mangle explain` begin. */
#include <errno.h>
#include <string.h>

#include "cli/cli_files.h"
#include "cli/mangle_commands.h"
#include "cli/mangle_input.h"

const struct cli_command mgi_mangle_compile = {
    .name = "mangle compile",
    .usage = "FILE|FOLDER... -o FILE [OPTIONS]",
    .help = "Evaluate a program once, for many runs.",
    .run = mgi_mangle_compile_command,
    .more =
        "Examples:\n"
        "  mangle compile rules.mg --facts edge=roads.csv -o roads.mgc\n"
        "  mangle run roads.mgc --query 'path(/a, X)'          evaluated already\n"
        "  mangle run roads.mgc rules.mg --facts edge=roads.csv\n"
        "                                                      refused if one of them has changed\n"
        "\n"
        "What depends on `now` is left to each run. Exit status: 0 made, 1 the program or a fact "
        "is\n"
        "wrong, 2 usage or files, 3 a limit was hit.\n",
};

static int make(struct input_options *input)
{
    const char *out = input->out;
    char *bytes;
    size_t len;
    int result = mgi_compile_input(input, &bytes, &len);
    if (result)
        return result;
    if (!mgi_cli_write_file(out, (struct str){ bytes, len })) {
        mgi_cli_error("%s could not be written: %s", out, strerror(errno));
        result = EXIT_USAGE;
    } else {
        printf("%s: %zu bytes\n", out, len);
    }
    mangle_free(bytes);
    return result;
}

int mgi_mangle_compile_command(int argc, char **argv)
{
    struct input_options input = { 0 };
    bool helped;
    const struct cli_option options[] = {
        { "-o", OPTION_TEXT, &input.out, NULL, "FILE", "write this file" },
        BASE_OPTION_ROWS(input),
        { 0 },
    };
    int result = EXIT_USAGE;
    if (!mgi_cli_parse(&mgi_mangle_compile, options, argc, argv, &input.files, NULL, &helped)) {
        /* said already */
    } else if (helped) {
        result = EXIT_ANSWERED;
    } else if (!input.files.count || !input.out || !input.out[0]) {
        mgi_cli_error("mangle compile needs a program file, and -o FILE");
        mgi_cli_hint("mangle compile rules.mg -o rules.mgc");
    } else if (mgi_input_is_compiled(&input)) {
        mgi_cli_error("%s is compiled already", input.files.items[0]);
    } else {
        result = make(&input);
    }
    mgi_input_fini(&input);
    return result;
}
