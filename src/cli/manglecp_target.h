/* TARGET of the client commands: a domain folder (served inside this process), an address, or the
 * command of a stdio server. All of them are one client of the library. */
#ifndef MGI_CLI_MANGLECP_TARGET_H
#define MGI_CLI_MANGLECP_TARGET_H

#include "cli/manglecp_credentials.h"
#include "cli/manglecp_local.h"
#include "manglecp.h"

struct target_options {
    struct host_options host; /* for a folder */
    const char *token;        /* NULL: the environment's MANGLECP_TOKEN */
    const char *credentials;  /* the file of logins; NULL: the user's */
    const char *confirm_key, *ca_file, *certificate, *certificate_key;
    int64_t timeout_ms, connect_timeout_ms, manifest_timeout_ms, ready_timeout_ms; /* 0: default */
    bool insecure;        /* a token goes unencrypted to other machines, too */
    bool websocket;       /* that the manifest announces */
    bool quiet;           /* no progress on stderr */
    bool may_ask, yes;    /* a person at the terminal is asked for consent; says yes beforehand */
    bool stops_on_signal; /* the first SIGINT abandons an invocation */
};

struct target {
    manglecp_client *client;
    struct local_link *local; /* folder; else NULL. The client owns it */
    struct target_options options;
    const char *word;        /* TARGET as it was given; NULL: a command */
    struct cli_list command; /* behind --; ends with NULL */
    bool remembers;          /* its server lives on and remembers the tools it offered */
    bool drawn;              /* a line of progress stands on the terminal */
    bool refused;            /* consent: a message was printed */
};

/* `words` are the positional arguments; `after_dashes` as from mgi_cli_parse(). Takes TARGET (or
 * the command behind --) from them and leaves the others in *rest. Prints a message and returns an
 * exit status on failure. */
int mgi_target_open(struct target *t, const struct target_options *options,
                    const struct cli_list *words, size_t after_dashes, struct cli_list *rest);
/* The first half of it: what TARGET is and whether the options fit it, and nothing is opened. */
int mgi_target_read(struct target *t, const struct target_options *options,
                    const struct cli_list *words, size_t after_dashes, struct cli_list *rest);
void mgi_target_close(struct target *t);

/* For who takes no words behind the TARGET: true if there are none. Else it is said, and `t` is
 * closed. */
bool mgi_target_took_all(struct target *t, const struct cli_list *rest);

/* From now on the first SIGINT abandons an invocation (stops_on_signal), or the question for
 * consent before it; the second one ends the program. */
void mgi_target_catch_interrupt(void);

/* Take a line of progress off the terminal. */
void mgi_target_clear_progress(struct target *t);

/* Say why a call failed, and return what to exit with: EXIT_WRONG where the server or the library
 * found the request wanting, EXIT_UNKNOWN where nobody knows whether a tool ran, else EXIT_USAGE.
 * `json`: what the server sent goes to standard output as it is, and not to standard error. */
int mgi_target_failed(struct target *t, enum manglecp_status status, bool json);

/* Rows for a client command's option table. */
#define TARGET_OPTION_ROWS(o)                                                                          \
    { "--token", OPTION_TEXT, &(o).token, NULL, "TOKEN", "bearer token (else MANGLECP_TOKEN)" },       \
        CREDENTIALS_OPTION_ROW(&(o).credentials), INSECURE_OPTION_ROW(&(o).insecure),                  \
        { "--websocket", OPTION_FLAG, &(o).websocket,                                                  \
          NULL,          NULL,        "of an http address: speak over the WebSocket it announces" },   \
        { "--ca", OPTION_TEXT, &(o).ca_file, NULL, "FILE", "PEM: who vouches for an https server" },   \
        { "--certificate", OPTION_TEXT, &(o).certificate, NULL, "FILE", "PEM: who you are, for TLS" }, \
        { "--certificate-key", OPTION_TEXT, &(o).certificate_key, NULL, "FILE", "PEM: its key" },      \
        { "--timeout-ms", OPTION_NUMBER, &(o).timeout_ms,                                              \
          NULL,           "N",           "wait so long for an answer (60000)" },                       \
        { "--connect-timeout-ms",       OPTION_NUMBER, &(o).connect_timeout_ms, NULL, "N",             \
          "and for a connection (5000)" },                                                             \
        { "--manifest-timeout-ms",       OPTION_NUMBER, &(o).manifest_timeout_ms, NULL, "N",           \
          "and for the manifest (10000)" },                                                            \
        { "--ready-timeout-ms",                                                                        \
          OPTION_NUMBER,                                                                               \
          &(o).ready_timeout_ms,                                                                       \
          NULL,                                                                                        \
          "N",                                                                                         \
          "and until a server is ready (30000); -1: do not" },                                         \
        HOST_OPTION_ROWS((o).host)

#endif
