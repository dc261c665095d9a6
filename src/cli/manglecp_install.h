/* `manglecp mcp --install`, `--uninstall`, `--undo`: one entry in the configuration of a client of
 * somebody else. Nothing is written before the difference was shown and a person agreed, or --yes
 * was given; what was there before stands beside the file then, FILE.before-manglecp. */
#ifndef MGI_CLI_MANGLECP_INSTALL_H
#define MGI_CLI_MANGLECP_INSTALL_H

#include "cli/manglecp_target.h"

struct install_options {
    const char *install, *uninstall, *undo; /* the client */
    const char *scope;                      /* "user" (or NULL), "project" */
    const char *name;                       /* of the entry */
    struct cli_list variables;              /* that the entry hands on, by name */
    bool yes, dry_run, force;
};

/* Was any of the three given? */
bool mgi_install_wanted(const struct install_options *o);

/* Take the entry out, or put back what was there. An exit status: 0 done, or nothing was to be
 * done; 1 it cannot be done, or was declined; 2 usage, memory, a file that cannot be written. */
int mgi_install_remove(const struct install_options *o);
int mgi_install_undo(const struct install_options *o);

/* Put it in: `argv` is the command line of `mcp`, with TARGET as `t` has it. */
int mgi_install_add(const struct install_options *o, const struct target *t, int argc, char **argv);

#define INSTALL_OPTION_ROWS(o)                                                                     \
    { "--install",                                                                                 \
      OPTION_TEXT,                                                                                 \
      &(o).install,                                                                                \
      NULL,                                                                                        \
      "CLIENT",                                                                                    \
      "serve nothing: put this command into the client's "                                         \
      "configuration" },                                                                           \
        { "--uninstall", OPTION_TEXT, &(o).uninstall, NULL, "CLIENT", "take it out again" },       \
        { "--undo", OPTION_TEXT, &(o).undo,                                                        \
          NULL,     "CLIENT",    "put back the file as it was before the last change" },           \
        { "--scope", OPTION_TEXT, &(o).scope,                                                      \
          NULL,      "SCOPE",     "with these: user (the default), or project, this folder's" },   \
        { "--name", OPTION_TEXT, &(o).name, NULL, "NAME", "of the entry (else that of TARGET)" },  \
        { "--env", OPTION_LIST, &(o).variables,                                                    \
          NULL,    "NAME",      "a variable that the entry hands on, without its value" },         \
        { "--dry-run", OPTION_FLAG, &(o).dry_run,                                                  \
          NULL,        NULL,        "show the difference, and write nothing" },                    \
        { "--yes", OPTION_FLAG, &(o).yes, NULL, NULL, "write without asking" },                    \
    {                                                                                              \
        "--force", OPTION_FLAG, &(o).force, NULL, NULL,                                            \
            "replace an entry of somebody else, follow links out of the home folder"               \
    }

#endif
