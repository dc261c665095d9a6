/* A domain folder, served inside this process for the bridge alone (X-BRIDGE-12).
 *
 * The whole server (src/service) runs on a thread of its own, and listens on a loopback port that
 * only who has the token can use; token and confirmation key are random, of this run, and stand in
 * memory alone. So the bridge's clients are clients like all others, and every path of the server
 * is the real one. Starting returns at once; loading happens beside what the caller does. */
#ifndef MGI_BRIDGE_HOME_H
#define MGI_BRIDGE_HOME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "security/auth.h"
#include "service/config.h"

struct snapshot;

struct home_options {                /* all borrowed until mgi_home_free() */
    const struct config_flag *flags; /* as of `manglecp serve`: {"DOMAIN", folder}, {"--set", …} */
    size_t flag_count;
    struct auth *auth;    /* who else may use it, each as what it says of them; NULL: nobody */
    const char *programs; /* folder of this program, ending in "/"; NULL: unknown */
    bool tells_author;    /* why a tool is absent is told in full: who asks has the folder */
    /* A log line, on any thread. NULL: lines go to standard error. */
    void (*log)(void *context, const char *line, size_t len);
    void *context;
    /* As of struct service_options. */
    void (*served)(void *context, struct snapshot *snapshot);
    void *served_context;
};

struct home;

/* Start the thread. NULL: memory, or the system has no randomness or thread to give. */
struct home *mgi_home_new(const struct home_options *options);

/* Wait until it can be connected to, or has failed: false, and `why` has a line per fault. Any
 * thread. *address, *token and *confirm_key (as struct manglecp_options wants them) live as long as
 * `home`. */
struct home_place {
    const char *address, *token, *confirm_key;
};
bool mgi_home_place(struct home *home, struct home_place *out, struct buf *why);

/* The token by which a client is `who` there. False: memory. Any thread. */
#define HOME_TOKEN_CHARS 43
bool mgi_home_token(const struct home *home, const struct principal *who,
                    char out[HOME_TOKEN_CHARS + 1]);

/* After a client failed: has the server ended, and why? Any thread. */
bool mgi_home_has_failed(struct home *home, struct buf *why);

/* Load the folder again, beside what is served; from then on `auth` says who else may use it.
 * False: memory; nothing has changed. Any thread. */
bool mgi_home_reload(struct home *home, const struct auth *auth);

/* End the server and wait for its thread. False: something of it was loading and cannot be waited
 * for, so `home` stays, and the program should leave by _exit(). NULL is fine. */
bool mgi_home_free(struct home *home);

#endif
