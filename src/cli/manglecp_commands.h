/* The subcommands of manglecp: one file each, listed in manglecp_main.c. */
#ifndef MGI_CLI_MANGLECP_COMMANDS_H
#define MGI_CLI_MANGLECP_COMMANDS_H

#include "cli/cli_options.h"

extern const struct cli_command mgi_command_serve, mgi_command_manifest, mgi_command_intent,
    mgi_command_invoke, mgi_command_walk, mgi_command_check, mgi_command_test, mgi_command_token,
    mgi_command_top, mgi_command_reload, mgi_command_confirm, mgi_command_explain_error,
    mgi_command_new, mgi_command_conformance, mgi_command_replay, mgi_command_login,
    mgi_command_logout, mgi_command_select, mgi_command_actions, mgi_command_action,
    mgi_command_journal, mgi_command_mcp, mgi_command_doctor, mgi_command_import, mgi_command_build;

int mgi_run_serve(int argc, char **argv);
int mgi_run_manifest(int argc, char **argv);
int mgi_run_intent(int argc, char **argv);
int mgi_run_invoke(int argc, char **argv);
int mgi_run_walk(int argc, char **argv);
int mgi_run_check(int argc, char **argv);
int mgi_run_test(int argc, char **argv);
int mgi_run_token(int argc, char **argv);
int mgi_run_replay(int argc, char **argv);
int mgi_run_journal(int argc, char **argv);
int mgi_run_mcp(int argc, char **argv);
int mgi_run_doctor(int argc, char **argv);
int mgi_run_import(int argc, char **argv);
int mgi_run_build(int argc, char **argv);
int mgi_run_top(int argc, char **argv);
int mgi_run_reload(int argc, char **argv);
int mgi_run_confirm(int argc, char **argv);
int mgi_run_explain_error(int argc, char **argv);
int mgi_run_new(int argc, char **argv);
int mgi_run_conformance(int argc, char **argv);
int mgi_run_login(int argc, char **argv);
int mgi_run_logout(int argc, char **argv);
int mgi_run_select(int argc, char **argv);
int mgi_run_actions(int argc, char **argv);
int mgi_run_action(int argc, char **argv);

#endif
