/* manglecp explain-error: see cli_errors.h. */
#include "cli/cli_errors.h"
#include "cli/manglecp_commands.h"

const struct cli_command mgi_command_explain_error =
    EXPLAIN_ERROR_COMMAND("manglecp", mgi_run_explain_error);

int mgi_run_explain_error(int argc, char **argv)
{
    return mgi_explain_error(&mgi_command_explain_error, argc, argv);
}
