/* The subcommands of mangle: one file each, listed in mangle_main.c. */
#ifndef MGI_CLI_MANGLE_COMMANDS_H
#define MGI_CLI_MANGLE_COMMANDS_H

#include "cli/cli_options.h"

extern const struct cli_command mgi_mangle_run, mgi_mangle_check, mgi_mangle_explain,
    mgi_mangle_fmt, mgi_mangle_test, mgi_mangle_repl, mgi_mangle_lsp, mgi_mangle_columns,
    mgi_mangle_explain_error, mgi_mangle_compile, mgi_mangle_bench;

int mgi_mangle_run_command(int argc, char **argv);
int mgi_mangle_check_command(int argc, char **argv);
int mgi_mangle_explain_command(int argc, char **argv);
int mgi_mangle_fmt_command(int argc, char **argv);
int mgi_mangle_test_command(int argc, char **argv);
int mgi_mangle_repl_command(int argc, char **argv);
int mgi_mangle_lsp_command(int argc, char **argv);
int mgi_mangle_columns_command(int argc, char **argv);
int mgi_mangle_compile_command(int argc, char **argv);
int mgi_mangle_bench_command(int argc, char **argv);
int mgi_mangle_explain_error_command(int argc, char **argv);

#endif
