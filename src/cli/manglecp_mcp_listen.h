/* `manglecp mcp --listen`: the address, who may come in, and what is read again at SIGHUP. The
 * words and rules are those of `manglecp serve`. */
#ifndef MGI_CLI_MANGLECP_MCP_LISTEN_H
#define MGI_CLI_MANGLECP_MCP_LISTEN_H

#include "bridge/web.h"
#include "cli/cli_options.h"

struct mcp_listen_options {
    const char *address; /* NULL: standard input and output */
    const char *auth_file, *certificate, *key, *client_ca;
    struct cli_list hosts, origins;
    bool client_optional, behind_tls_proxy;
};

struct mcp_listen {
    struct mcp_listen_options options;
    const struct listener_config *config; /* NULL: standard input and output. In the arena */
    struct listen_address address;
    const char *auth_file;
    struct auth *auth; /* a reference; NULL: anybody who reaches the address */
    struct logger log; /* standard error */
};

#define MCP_LISTEN_OPTION_ROWS(o)                                                                       \
    { "--listen", OPTION_TEXT, &(o).address, NULL, "HOST:PORT", "speak HTTP there, at /mcp" },          \
        { "--auth", OPTION_TEXT, &(o).auth_file, NULL, "FILE", "file of hashed bearer tokens" },        \
        { "--tls-certificate",                                                                          \
          OPTION_TEXT,                                                                                  \
          &(o).certificate,                                                                             \
          NULL,                                                                                         \
          "FILE",                                                                                       \
          "speak TLS with this chain of certificates (PEM)" },                                          \
        { "--tls-key", OPTION_TEXT, &(o).key, NULL, "FILE", "the certificate's private key" },          \
        { "--tls-client-ca",                                                                            \
          OPTION_TEXT,                                                                                  \
          &(o).client_ca,                                                                               \
          NULL,                                                                                         \
          "FILE",                                                                                       \
          "ask clients for certificates that one of these signed (PEM)" },                              \
        { "--tls-client-optional",                                                                      \
          OPTION_FLAG,                                                                                  \
          &(o).client_optional,                                                                         \
          NULL,                                                                                         \
          NULL,                                                                                         \
          "...and serve those that have none, too" },                                                   \
        { "--allow-host", OPTION_LIST,   &(o).hosts,                                                    \
          NULL,           "NAME[:PORT]", "take requests to this name (Host header), beside loopback" }, \
        { "--cors-origin", OPTION_LIST,                                                                 \
          &(o).origins,    NULL,                                                                        \
          "ORIGIN",        "allow web pages of this origin" },                                          \
    {                                                                                                   \
        "--behind-tls-proxy", OPTION_FLAG, &(o).behind_tls_proxy, NULL, NULL,                           \
            "a proxy terminates TLS: allow other addresses than loopback"                               \
    }

/* Everything that `l->options` says, judged whole. `folder`: TARGET is one, so that each caller can
 * be served as who it is. False: it was said on standard error. */
bool mgi_mcp_listen_read(struct mcp_listen *l, struct arena *arena, const char *log_level,
                         bool folder);

void mgi_mcp_listen_announce(const struct mcp_listen *l, int port);

/* The files again: credentials and certificate. What is wrong with one is said, and it stays as it
 * was. */
void mgi_mcp_listen_again(struct mcp_listen *l, struct bridge_web *web, bool folder);

#endif
