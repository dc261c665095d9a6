/* manglecp: serve a domain folder, or speak to a server. */
#include "cli/manglecp_commands.h"
#include "manglecp.h"
#include "sys/secrets.h"

int main(int argc, char **argv)
{
    mgi_cli_open_standard();
    if (!mgi_secrets_take()) {
        mgi_cli_error("out of memory");
        return EXIT_USAGE;
    }
    const struct cli_command commands[] = {
        mgi_command_serve,         mgi_command_manifest,
        mgi_command_intent,        mgi_command_invoke,
        mgi_command_walk,          mgi_command_new,
        mgi_command_check,         mgi_command_build,
        mgi_command_test,          mgi_command_replay,
        mgi_command_actions,       mgi_command_action,
        mgi_command_journal,       mgi_command_token,
        mgi_command_login,         mgi_command_logout,
        mgi_command_confirm,       mgi_command_reload,
        mgi_command_top,           mgi_command_conformance,
        mgi_command_select,        mgi_command_mcp,
        mgi_command_doctor,        mgi_command_import,
        mgi_command_explain_error, { 0 },
    };
    return mgi_cli_main("manglecp", MANGLECP_VERSION, "the few tools that rules prove relevant now",
                        commands, argc, argv);
}
