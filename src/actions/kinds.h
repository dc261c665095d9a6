/* The kinds of action beside plugins: each reads its key of `actions:` in domain.yaml (see
 * domain/provider.h, struct action_kind) and makes providers out of a plugin of the product. */
#ifndef MGI_ACTIONS_KINDS_H
#define MGI_ACTIONS_KINDS_H

#include "domain/provider.h"

/* `hosts`: programs that speak the toolhost's lines, relayed to by the plugin "relay".
 *
 *   hosts:
 *     - name: tools
 *       run: [python3, actions.py]     # in the domain's folder, no shell
 *       env: {TOKEN: "${SHOP_TOKEN}"}  # values, or variables of the server's environment
 *       may: [network]                 # capabilities; none unless said
 *       read: [data]
 */
bool mgi_read_hosts(struct provider_reader *r, const struct yaml_node *node);

/* `commands`: programs that are started for each call, as YAML files say (domain/command_form.h),
 * by the plugin "command".
 *
 *   commands: actions/git.yaml  # or a list of such; in the domain's folder
 */
bool mgi_read_commands(struct provider_reader *r, const struct yaml_node *node);

/* Parts that several kinds need. */

/* Writes the texts of a list as a JSON array; false: it is none, or a member is no text (told). */
bool mgi_kind_texts(struct provider_reader *r, const struct yaml_node *list, const char *what,
                    struct json_writer *w);
/* Writes `env:` of an entry, a map of texts in which "${NAME}" stands for a variable of the
 * server's own environment, as a member "env"; one that is not set is told (NO_VARIABLE). */
void mgi_kind_environment(struct provider_reader *r, const struct yaml_node *entry,
                          struct json_writer *w);

#endif
