/* mangle: the Mangle language on the command line. Exit status: 0 answered, 1 the program is wrong,
 * 2 usage or files, 3 a limit was hit. */
#include "cli/mangle_commands.h"
#include "mangle.h"

int main(int argc, char **argv)
{
    const struct cli_command commands[] = {
        /* clang-format off */
        mgi_mangle_run,
        mgi_mangle_check,
        mgi_mangle_compile,
        mgi_mangle_explain,
        mgi_mangle_fmt,
        mgi_mangle_test,
        mgi_mangle_repl,
        mgi_mangle_lsp,
        mgi_mangle_columns,
        mgi_mangle_bench,
        mgi_mangle_explain_error,
        { 0 },
        /* clang-format on */
    };
    return mgi_cli_main("mangle", MANGLE_VERSION, "rules, facts and time", commands, argc, argv);
}
