/* What people ask of the program by hand, beside the three modes of toolhost.md chapter 2. */
#ifndef TOOLHOST_CLI_H
#define TOOLHOST_CLI_H

/* How it is used, on the descriptor `fd`. */
void mgi_cli_usage(int fd);

/* --help, --version, new FOLDER: carried out; the exit code. -1: it is none of these. */
int mgi_cli_run(int argc, char **argv);

/* Make `folder`, which must not be there, and in it the beginning of a plugin (plugin.c, Makefile,
 * README.md). The exit code; what is wrong is told on standard error. */
int mgi_cli_new(const char *folder);

#endif
