/* The server as a whole, as the program `manglecp serve` starts it; manglecp.h is the same for
 * other programs (manglecp_service_*). It puts together what the other rooms make: configuration,
 * listeners, stdio, snapshot, tool pool, credentials, store, log, and the life of all of them. */
#ifndef MGI_SERVICE_SERVICE_H
#define MGI_SERVICE_SERVICE_H

#include "base/buf.h"
#include "manglecp.h"
#include "service/config.h"

struct snapshot;

enum service_fault {
    SERVICE_FINE,
    SERVICE_CONFIG_WRONG, /* what it was told */
    SERVICE_DOMAIN_WRONG,
    SERVICE_WORLD_FAILED, /* an address, a descriptor, a file; output that was lost */
    SERVICE_NOMEM
};

struct service_options {          /* borrowed during mgi_service_new */
    struct config_sources config; /* its `environment` is the service's, too */
    const char *token;            /* of the operator, or NULL */
    const char *programs;         /* folder of this program, ending in "/"; NULL: unknown */
    void (*log)(void *context, const char *line, size_t len); /* NULL: standard error */
    void *log_context;
    const char *no_stdio;   /* why it cannot speak on standard input and output; NULL: it can */
    bool raise_descriptors; /* as many as its connections need, if this process may have them */
    void (*trim)(void);     /* as of struct server_options */
    /* This is served from now on: after the first load, and each further one. On the thread of
     * mgi_service_run(); `snapshot` is borrowed until it returns. NULL: nobody needs to know. */
    void (*served)(void *context, struct snapshot *snapshot);
    void *served_context;
    bool tells_author; /* as of struct server_options */
};

/* As manglecp_service_new and _run; `text` gets whole lines. */
enum service_fault mgi_service_new(const struct service_options *options, manglecp_service **out,
                                   struct buf *text);
enum service_fault mgi_service_run(manglecp_service *s, struct buf *text);

/* After run: a thread that was loading when the service was told to end has not ended yet. A
 * program that ends now should not tidy up behind its back. */
bool mgi_service_is_loading(const manglecp_service *s);

/* Where a plugin host is found: as configured, beside this program, or through PATH. `arena` keeps
 * the text. NULL: memory. */
const char *mgi_service_toolhost(struct arena *arena, const char *configured, const char *programs);

/* The folders of plugins: as configured, then those of this program's installation. NULL: memory.
 */
const char **mgi_service_plugin_paths(struct arena *arena, const struct config_list *configured,
                                      const char *programs, size_t *count);

#endif
