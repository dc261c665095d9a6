/* Shared by the files that read, check and write a configuration. */
#ifndef MGI_SERVICE_CONFIG_INT_H
#define MGI_SERVICE_CONFIG_INT_H

#include "domain/yaml.h"
#include "service/config.h"

#define BEYOND_LOOPBACK_HINT                                                                       \
    "Give --tls-certificate FILE and --tls-key FILE, try it with --tls-self-signed, or put a TLS " \
    "proxy in front and say so with --behind-tls-proxy."

#define CONFIG_KEYS_MAX 32 /* of one section, with the NULL behind them */

/* A number of this row as it is written: 30s, 64MiB, 1024. */
void mgi_config_number(struct buf *out, const struct config_row *row, int64_t value);

/* Put what environment and flags say over the tree. False: memory. */
bool mgi_config_put_over(const struct yaml_context *c, struct yaml_node *root,
                         const struct config_sources *sources);

/* An empty node that no file holds. NULL: memory. */
struct yaml_node *mgi_config_node(struct arena *arena, enum yaml_kind kind, const char *origin);

/* An entry of `listen` may be an address alone: make it a map, so that more can be said of it.
 * Other kinds stay what they are. NULL: memory. */
struct yaml_node *mgi_config_listener(struct arena *arena, struct yaml_entry *entry);

/* What no row alone can say: findings for what does not go together, or is missing. */
void mgi_config_check(const struct config_sources *sources, struct findings *findings,
                      const struct service_config *config);

#endif
