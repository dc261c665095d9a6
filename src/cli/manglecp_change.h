/* One change of a client's configuration: the file as it is, what is to stand there, and the way
 * from one to the other.
 *
 *   read --> what is to stand there --> difference --> asked --> unchanged? --> backup --> written
 *
 * The file is a regular one, parses, can be written by its mode, and is not reached by a link that
 * leads out of the home (or project) folder; else nothing is done, and it is said why. */
#ifndef MGI_CLI_MANGLECP_CHANGE_H
#define MGI_CLI_MANGLECP_CHANGE_H

#include <sys/types.h>

#include "cli/manglecp_clients.h"
#include "cli/manglecp_install.h"

struct change {
    struct arena arena;
    const struct install_options *options;
    const struct client_file *row;
    const char *folder;          /* that the file is said to be below: a home, a project */
    const char *path;            /* of the client */
    const char *real;            /* where that leads; the same where it is no link */
    const char *backup, *absent; /* the file as it was; or a sign that there was none */
    bool there;                  /* there is a file */
    mode_t mode;
    uid_t owner;
    gid_t group;
    int lock; /* of `folder`, while it is written; or -1 */
    struct buf before, after;
    struct json root; /* of `before` */
};

/* Read the file of that client; mgi_change_close() ends it, whatever came out. False: told, and
 * mgi_change_not_opened() is the exit status. */
bool mgi_change_open(struct change *c, const struct install_options *o, const char *client);
int mgi_change_not_opened(const struct change *c);
void mgi_change_close(struct change *c);

/* A path for a terminal. */
const char *mgi_change_shown(struct change *c, const char *path);

/* The way from `after` being known to the file being written: it may be, the difference is shown, a
 * person agrees, nobody has changed it meanwhile. EXIT_ANSWERED: go on, unless it is a dry run;
 * else the exit status, and what is wrong was told. */
int mgi_change_prepare(struct change *c);
bool mgi_change_write(struct change *c);                         /* `after`; false: errno */
int mgi_change_cannot_write(struct change *c, const char *what); /* tells errno */
/* Prepare, keep what was there, and write. */
int mgi_change_carry_out(struct change *c);

/* The entry for a command line of `mcp`: its options are no secrets (else told), its name, and what
 * it says. */
bool mgi_change_is_open(struct change *c, const struct target *t);
const char *mgi_change_name(struct change *c, const struct target *t);
bool mgi_change_name_is_good(const char *name);
bool mgi_change_entry(struct change *c, const struct target *t, int argc, char **argv,
                      struct json *out);

#endif
