/* Who gives actions: the entries below `actions:` of domain.yaml, of whatever kind.
 *
 * Whatever runs an action is, for the toolhost, a plugin with a configuration: a plugin of the
 * domain's author, or one of the product that stands for programs, commands or HTTP operations. A
 * *kind* is a key of `actions:` and the function that turns what stands there into providers; the
 * rest of the server cannot tell the kinds apart. */
#ifndef MGI_DOMAIN_PROVIDER_H
#define MGI_DOMAIN_PROVIDER_H

#include "domain/domain.h"
#include "domain/yaml.h"

struct loading;

struct action_place {
    struct str aid;
    const char *origin; /* file of the domain */
    uint32_t line;
    const char *runs; /* absolute path of the program; or NULL */
};

/* One entry. Everything lives in the snapshot's arena; a provider stays where it is as long as the
 * snapshot, and pools tell providers apart by their address. */
struct action_provider {
    const char *kind;    /* "plugins", …: the key of `actions:` */
    struct str name;     /* what people call it */
    struct str plugin;   /* absolute path of the shared object */
    struct str document; /* the provider document (toolhost --config), "" if there is none. It may
                          * hold secrets: never shown, never logged */
    const char *origin;  /* where it is said: file of the domain */
    uint32_t line;
    const char *runs; /* absolute path of the program behind it, where `plugin` is one of the
                       * product that only starts it; or NULL */
    const struct action_place *places; /* where single actions are said, if that is elsewhere */
    size_t place_count;
    const char *const *files; /* absolute paths, ends with NULL: what else makes it what it is, to
                               * be watched for changes; NULL: nothing */
    struct str known;         /* what its plugin said when it was asked before; ptr NULL: ask */
    struct str *said;         /* where what it says now goes, in the arena; NULL: nowhere */
};

/* What a kind is given while a domain is loaded. Findings go to `yaml`. */
struct provider_reader {
    const struct yaml_context *yaml; /* its arena is the snapshot's */
    const char *folder;              /* the domain's, absolute */
    const struct domain_settings *settings;
    /* What tools/ says of commands: a map of keys of command_form.h per tool with `run`. */
    const struct yaml_node *const *tool_commands;
    size_t tool_command_count;
    struct loading *loading;
};

/* A row of the kinds. `read` reports everything that is wrong with `node`, what stands under `key`,
 * and adds what is good (mgi_provider_add). False: memory is short. */
struct action_kind {
    const char *key; /* NULL: the end of the table */
    bool (*read)(struct provider_reader *r, const struct yaml_node *node);
    bool of_tools; /* it takes the commands of tools, too; `node` is NULL where there is no key */
};

/* `plugins`: names of shared objects, or maps {name, may, read, write, settings}. */
bool mgi_read_plugins(struct provider_reader *r, const struct yaml_node *node);

/* NAME.so of `plugins/` of the domain or of a plugin folder; with `product` of plugin folders
 * alone, where those of the product are. NULL: told at `at` (NO_PLUGIN, UNSAFE_PLUGIN). */
const char *mgi_provider_plugin(struct provider_reader *r, const struct yaml_node *at,
                                struct str name, bool product);

/* The provider document of an entry: its keys `may` (capabilities), `read` and `write` (paths that
 * are granted), checked, with `actions.confine`, and `settings`, a JSON object
 * or
 * "". `entry` may be a scalar or NULL: it says nothing of those. "" where nothing is said at all.
 * ptr NULL: memory is short. */
struct str mgi_provider_document(struct provider_reader *r, const struct yaml_node *entry,
                                 struct str name, struct str settings);
/* The same for a plugin that runs whole programs of others, whose runtimes want more room than the
 * toolhost gives (Node: some gigabytes of addresses, some hundred files at once). */
struct str mgi_provider_document_roomy(struct provider_reader *r, const struct yaml_node *entry,
                                       struct str name, struct str settings);
extern const char
    *const mgi_provider_keys[]; /* those keys, for lists of known ones; ends with NULL */

/* `path` as it counts below the domain's folder: absolute, in the arena. NULL: memory is short. */
const char *mgi_provider_path(struct provider_reader *r, struct str path);

/* A path of `read` or `write`: the same, with {settings.NAME} in it replaced. NULL: it is none
 * (told if `tell`: BAD_TEMPLATE, UNKNOWN_SETTING), or memory is short. */
const char *mgi_provider_granted(struct provider_reader *r, const struct yaml_node *n, bool tell);

/* The text of a setting, what it is spelled like; "" where there is none. */
struct str mgi_provider_setting(const struct provider_reader *r, struct str key);

/* The settings of a plugin as a JSON object: `map`, with the domain's settings in place of
 * {from: settings.NAME}, without elements of lists that are empty settings; what is no setting is
 * told (BAD_REFERENCE, UNKNOWN_SETTING). False: memory is short. */
bool mgi_provider_settings(struct provider_reader *r, const struct yaml_node *map, struct str *out);

/* The absolute path of a program: in PATH; or ./NAME, in the domain's folder; or absolute itself.
 * NULL: told at `at` (NO_PROGRAM, UNSAFE_PROGRAM: everybody can write it or its folder). */
const char *mgi_provider_program(struct provider_reader *r, const struct yaml_node *at,
                                 struct str name);

/* A variable of an `env`, good as it is. */
typedef void env_taker(void *context, struct str name, struct str value);
/* Each variable of `env`, a map (NULL: none): a text, or "${NAME}", the server's own of that name;
 * what is wrong is told (BAD_VALUE, NO_VARIABLE). */
void mgi_read_environment(const struct yaml_context *c, const struct yaml_node *env,
                          env_taker *take, void *context);

/* What gives actions is wrong, and told: nobody says of their names that they are unknown. */
void mgi_provider_failed(struct provider_reader *r);

/* Take it: from now on it is listed while other things are loaded. *p is copied, its texts are not;
 * `at` is where findings of its list go. False: memory is short. */
bool mgi_provider_add(struct provider_reader *r, const struct yaml_node *at,
                      const struct action_provider *p);

#endif
