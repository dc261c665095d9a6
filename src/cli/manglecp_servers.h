/* The MCP servers of a domain, asked what they offer, side by side. */
#ifndef MGI_CLI_MANGLECP_SERVERS_H
#define MGI_CLI_MANGLECP_SERVERS_H

#include "cli/manglecp_host.h"

struct asked_server {
    struct str name;
    struct json offer; /* its entry for the lock; JSON_NULL: it did not answer */
    const char *why;   /* it did not: a line; else NULL */
    bool hid;          /* its offer had secrets that the domain told it: "[secret]" stands there */
    int64_t took_ms;
};

struct asked_servers {
    struct asked_server *items; /* in the order of the domain */
    size_t count, cap;
    bool failed;   /* one did not answer, or cannot be started */
    bool answered; /* one did */
};

/* Start each server below `actions: mcp`, confined as for its calls, and ask it; at most four at a
 * time, each for at most `timeout_ms` (0: 60 s). Each is told on standard error when it is asked.
 * What is wrong with the folder goes to `findings`; what is found out about servers lives in
 * `arena`. False: memory.
 */
bool mgi_ask_servers(const struct host_options *host, int64_t timeout_ms, struct arena *arena,
                     struct findings *findings, struct asked_servers *out);

/* manglecp_servers_hide.c: take out of `offer` and `why` what `document`, the provider's, says as a
 * secret: a variable, header or argument that is one by its name or looks so. False: memory. */
bool mgi_server_hide(struct arena *arena, struct str document, struct asked_server *server);

/* Names and texts of servers, made visible, at most 1,000 bytes of them. "" when memory is short.
 */
const char *mgi_server_shown(struct arena *arena, struct str text);

#endif
