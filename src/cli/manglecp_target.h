/* TARGET of the client commands: a domain folder (served inside this process), an address, or the
 * command of a stdio server. One request at a time. */
#ifndef MGI_CLI_MANGLECP_TARGET_H
#define MGI_CLI_MANGLECP_TARGET_H

#include "cli/manglecp_host.h"
#include "manglecp.h"

struct target {
    manglecp_client *client; /* address or command */
    struct host host;        /* folder */
    bool local;
    struct peer *peer;
    struct buf manifest; /* envelope text; NUL-terminated */
    struct buf answer;   /* of the last request */
    bool answered;
    uint64_t next_id;
    const char *token;
    bool quiet; /* no progress on stderr */
};

struct target_options {
    struct host_options host; /* for a folder */
    const char *token;        /* NULL: the environment's MANGLECP_TOKEN */
    bool quiet;
};

/* `words` are the positional arguments; `after_dashes` as from mgi_cli_parse(). Takes TARGET (or
 * the command behind --) from them and leaves the others in *rest. Prints a message and returns an
 * exit status on failure. */
int mgi_target_open(struct target *t, const struct target_options *options,
                    const struct cli_list *words, size_t after_dashes, struct cli_list *rest);
void mgi_target_close(struct target *t);

/* Send one request; the envelope of the answer is in t->answer. EXIT_ANSWERED for an answer,
 * EXIT_WRONG for an error envelope, EXIT_USAGE for anything else (a message was printed). */
int mgi_target_request(struct target *t, const char *type, struct str payload);

/* Rows for a client command's option table. */
#define TARGET_OPTION_ROWS(o)                                                                      \
    { "--token", OPTION_TEXT, &(o).token, NULL, "TOKEN", "bearer token (else MANGLECP_TOKEN)" },   \
        HOST_OPTION_ROWS((o).host)

#endif
