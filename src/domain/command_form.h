/* Commands: an action that is a program, started without a shell, as YAML says it
 * (docs/actions-from-commands.md). Here is what the form means before anything runs: the parts of
 * its words, the arguments that it uses, and the schema that follows from them.
 *
 * A word of `run` becomes one argument of the program whatever the values are; only a list of words
 * ({each: …}) becomes several, one for each element. */
#ifndef MGI_DOMAIN_COMMAND_FORM_H
#define MGI_DOMAIN_COMMAND_FORM_H

#include "domain/yaml.h"

/* "--max={n}" has two: a text, and the argument n. */
struct word_part {
    struct str text; /* of a literal, or the name of an argument or a setting */
    enum { PART_TEXT, PART_ARGUMENT, PART_SETTING } kind;
    bool may_be_option; /* {name!}: it may begin the word with '-' */
};

/* Cut `text` into its parts: {name}, {name!}, {settings.name}; "{{" and "}}" are the braces
 * themselves. False: *why (static) is wrong at *at (bytes), or memory is short (*why NULL). */
bool mgi_word_parse(struct arena *arena, struct str text, struct word_part **parts, size_t *count,
                    const char **why, size_t *at);

/* [A-Za-z_][A-Za-z0-9_-]*, at most 64. */
bool mgi_is_argument_name(struct str s);

/* An argument that a command uses. */
enum argument_use { USE_TEXT, USE_LIST, USE_FLAG, USE_ANY };
struct command_use {
    struct str name;
    const struct yaml_node *at; /* where first */
    bool always;                /* it is needed in every call: it has to be given */
    enum argument_use as;
};
struct command_uses {
    struct command_use *items;
    size_t count, cap;
    bool all;   /* whatever is given is used: stdin: json */
    bool joins; /* a list in a text is its elements with commas between them */
};

/* What `command` uses, in `run`, `stdin` and `folder`; everything that is wrong with their form is
 * told (BAD_TEMPLATE, BAD_VALUE, UNKNOWN_KEY, UNKNOWN_SETTING). False: memory. */
bool mgi_command_uses(const struct yaml_context *c, const struct domain_settings *settings,
                      const struct yaml_node *command, struct command_uses *out);

/* What one word uses, or a name alone; as above. */
bool mgi_command_word_uses(const struct yaml_context *c, const struct domain_settings *settings,
                           const struct yaml_node *word, bool always, enum argument_use as,
                           struct command_uses *out);
bool mgi_command_name_uses(const struct yaml_context *c, const struct yaml_node *name, bool always,
                           enum argument_use as, struct command_uses *out);

/* The JSON Schema of its arguments, as nodes at the place of `command`: `input` where there is one,
 * else texts. What `input` does not have is told where it is used (UNKNOWN_ARGUMENT), and what is
 * never used where it stands (UNUSED_ARGUMENT). NULL: memory. */
struct yaml_node *mgi_command_schema(const struct yaml_context *c, const struct yaml_node *command,
                                     const struct command_uses *uses);

/* What a command may have, NULL at the end; a tool that is its own command has all but the first
 * two beside its own. */
extern const char *const mgi_command_keys[];

/* AID.<DOMAIN>.<NAME>.v1, in capitals. ptr NULL: memory. */
struct str mgi_command_aid(struct arena *arena, struct str domain, struct str name);

/* map[key] = value; false also for a value of NULL. */
bool mgi_yaml_set(struct arena *arena, struct yaml_node *map, const char *key,
                  struct yaml_node *value);

/* A node at the place of another one. NULL: memory. */
struct yaml_node *mgi_yaml_made(struct arena *arena, const struct yaml_node *at,
                                enum yaml_kind kind, struct str text);

#endif
