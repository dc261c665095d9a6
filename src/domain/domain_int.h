/* Shared inside src/domain: what one loading run works with, and its stages (load.c is the main
 * line).
 *
 * Every stage reports all it finds into the findings and goes on where that makes sense; it returns
 * false only when memory is short. Whether the folder is good is asked once, at the end. */
#ifndef MGI_DOMAIN_DOMAIN_INT_H
#define MGI_DOMAIN_DOMAIN_INT_H

#include <limits.h>

#include "domain/domain.h"
#include "domain/files.h"
#include "domain/prepared.h"
#include "domain/yaml.h"

void mgi_findings_vadd(struct findings *f, enum mangle_severity severity, const char *code,
                       const char *file, uint32_t line, uint32_t column, const char *hint,
                       const char *format, va_list args);

/* The engine's diagnostics, as findings: those of the classes that begin with `prefix`. */
void mgi_findings_take(struct findings *f, const mangle_diags *diags, const char *prefix);

struct loading {
    struct yaml_context yaml; /* arena of the snapshot, and `scratch` */
    struct arena scratch;     /* what only loading needs: files, nodes */
    struct prepared prepared; /* what need not be worked out again */
    const char *folder;
    const struct domain_options *options;
    struct snapshot *s;
    const struct yaml_node *domain_yaml; /* NULL if it could not be read */
    struct file_list rules;              /* all .mg sources, with their layers */
    enum layer *layers;
    struct file_list facts;  /* all of facts/ */
    struct file_list tables; /* of them: .jsonl and .csv; and those of external predicates */
    struct file_list templates;
    struct yaml_node **written_tools; /* the maps in them, before they are read */
    size_t written_tool_count;
    const struct yaml_node **tool_commands; /* of tools that are their own command (`run`) */
    size_t tool_command_count;
    struct yaml_node **template_nodes; /* one per tool, for findings of later stages */
    struct provider_begun *begun;      /* one per provider of domain.yaml */
    bool actions_unknown; /* a plugin or domain.yaml is: an unknown action says nothing new */
};

/* Is `layer` in the open_to list of the predicate? (direction output and both: all of them) */
bool mgi_layer_may_define(const mangle_program *p, mangle_pred pred, enum layer owner,
                          enum layer layer);
/* The text of argument `index` of descriptor `name`, or NULL. */
const char *mgi_descriptor_text(const mangle_program *p, mangle_pred pred, const char *name,
                                size_t index);
const char *mgi_layer_name(enum layer layer);

bool mgi_load_settings(struct loading *l);
/* worktree.c: the repository that `folder`, a linked worktree of git, belongs to, without links in
 * its path. False: it is no such worktree, or the repository does not know it. */
bool mgi_worktree_repository(struct str folder, char out[PATH_MAX]);
/* overrides.c: put one "key=value" into the tree. `section_of` finds the section of domain.yaml
 * that has such a key, or NULL, for a hint. False: memory. */
typedef const char *section_finder(const char *key);
bool mgi_override_apply(const struct yaml_context *c, struct yaml_node *root, const char *set,
                        section_finder *section_of);
bool mgi_read_templates(struct loading *l); /* the text of tools/, and which are commands */
bool mgi_begin_actions(struct loading *l);  /* providers are listed while rules are compiled */
bool mgi_load_actions(struct loading *l);
/* May the file at `path` be loaded as the plugin `name`, of which `n` speaks? Not if everybody can
 * write it or its folder (UNSAFE_PLUGIN); a link that leads out of its folder is told
 * (LINKED_PLUGIN). */
bool mgi_plugin_trusted(const struct loading *l, const struct yaml_node *n, struct str name,
                        const char *path);
/* Can everybody write the file that `path` leads to, or its folder? Then which: its path in
 * `writable`, and what it is. */
bool mgi_open_to_all(const char *path, char writable[PATH_MAX], const char **what);
void mgi_forget_actions(struct loading *l); /* what was begun and not loaded */
bool mgi_load_skills(struct loading *l);
bool mgi_load_tools(struct loading *l);
bool mgi_load_rules(struct loading *l);
bool mgi_load_version(struct loading *l); /* after rules and templates */
bool mgi_load_profile(struct loading *l);
/* Do facts of `pred` say what an invocation changes, or what is next? */
bool mgi_says_outcome(const struct interface *p, mangle_pred pred);
bool mgi_load_steering(struct loading *l);                 /* after rules and profile */
struct run_hints mgi_load_hints(const struct snapshot *s); /* after tools */
bool mgi_load_hazards(struct loading *l);                  /* after rules and profile */
/* What the settings say of facts; no predicate yet. */
struct fact_profile mgi_profile_begin(const struct domain_settings *d);
bool mgi_load_base(struct loading *l);
bool mgi_load_digest(struct loading *l); /* last: of all that was loaded */
bool mgi_load_deciding(struct loading *l);
bool mgi_load_speakers(struct loading *l);
/* What `masking` says; and then, when the rules are known, which arguments it means. */
bool mgi_load_masking(struct loading *l);
void mgi_load_masked_arguments(struct loading *l);
/* Which argument a rule of MASK_FACTS means, from 0; MASK_EVERY_ARGUMENT: no such one. */
int64_t mgi_mask_argument(const mangle_program *p, struct arena *scratch,
                          const struct mask_rule *rule);
/* SessionId -> session_id: how clients name what a Decl names. ptr NULL: memory. */
struct str mgi_snake_case(struct arena *a, const char *name);
/* Is it a type of names, /name or a prefix of them? */
bool mgi_bound_is_name(const char *bound);

/* external.c: what domain.yaml says of them; then, when the program is there, who declares them. */
bool mgi_load_externals(struct loading *l);
bool mgi_declare_externals(struct loading *l, const mangle_program *p);
bool mgi_find_external_actions(struct loading *l); /* after mgi_load_actions() */
/* search_load.c: `search:` of an external predicate (false: there is none); how its Decl has to be;
 * and then, when the base is closed, the index. False: memory. */
bool mgi_read_search(const struct yaml_context *c, const struct yaml_node *map,
                     struct search_settings *out);
void mgi_check_search(struct loading *l, const mangle_program *p, const struct domain_external *e);
bool mgi_load_searches(struct loading *l);
/* external_ask.c: what the engine is told to ask, as many as there are with an action or a search.
 */
size_t mgi_external_callbacks(const struct snapshot *s, struct arena *arena,
                              struct mangle_external **out);

/* policies.c: `policies:` of domain.yaml. */
bool mgi_load_policies(struct loading *l);
/* sources.c: a value source from YAML. `tool` gives steps 0..earlier that may be read. */
struct source_scope {
    const struct yaml_context *yaml;
    const struct domain_settings *settings;
    const struct tool *tool;
    uint32_t earlier;               /* steps before this one may be read */
    uint64_t *rows;                 /* of all steps: what each needs (mgi_needs_close) */
    const uint64_t *needed;         /* of them, those that it needs (mgi_needs_has); NULL: all */
    bool items;                     /* item and index may be read */
    const struct yaml_node *schema; /* input_schema, for names of arguments; or NULL */
};
bool mgi_source_read(const struct source_scope *scope, const struct yaml_node *n,
                     struct value_source *out);
/* A map or list whose every member has a source, whatever the members are called. */
bool mgi_source_members(const struct source_scope *scope, const struct yaml_node *n,
                        struct value_source *out);
/* Say that no member of `map` can be called "from". */
void mgi_source_reserved(const struct yaml_context *c, const struct yaml_node *map);

/* calls.c */

/* The action that `n` names under "action"; a finding, and *action as it was, if there is none. */
void mgi_read_action(struct loading *l, const struct yaml_node *n, const struct action **action);
/* A map of sources, under the key `what`; NULL: none. False: memory. */
bool mgi_read_inputs(const struct source_scope *scope, const struct yaml_node *inputs,
                     const char *what, struct value_source *out);
/* `compensate:` of `n`, a step or an entry of a menu. False: memory. */
bool mgi_read_undo(struct loading *l, const struct source_scope *scope, const struct yaml_node *n,
                   struct compensation *undo);

/* steps.c: the chain of a tool from YAML. False: memory. */
bool mgi_load_steps(struct loading *l, struct source_scope *scope, const struct yaml_node *list,
                    struct tool *tool);
/* menus.c: `menu:` of a step; `scope` is what its compensations may read. False: memory. */
bool mgi_read_menu(struct loading *l, const struct source_scope *scope, const struct yaml_node *n,
                   struct step *step);

/* `[a-z][a-z0-9_]*`, at most `max` bytes. */
bool mgi_is_identifier(struct str s, size_t max);

#endif
