/* mangle explain-error: see cli_errors.h. */
#include "cli/cli_errors.h"
#include "cli/mangle_commands.h"

const struct cli_command mgi_mangle_explain_error =
    EXPLAIN_ERROR_COMMAND("mangle", mgi_mangle_explain_error_command);

int mgi_mangle_explain_error_command(int argc, char **argv)
{
    return mgi_explain_error(&mgi_mangle_explain_error, argc, argv);
}
