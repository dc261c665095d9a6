/* Which arguments a command uses: in its words, its standard input and its folder. What is wrong
 * with their form is told here. Depth is bounded by the YAML reader, and a word of `run` nests one
 * level: {if: …, then: […]} holds words, and no {if: …}. */
#include "domain/command_form.h"
#include "domain/domain_int.h"

struct using
{
    const struct yaml_context *c;
    const struct domain_settings *settings;
    struct command_uses *out;
};

static bool use(struct using *u, const struct yaml_node *at, struct str name, bool always,
                enum argument_use as)
{
    struct command_uses *out = u->out;
    for (size_t i = 0; i < out->count; i++)
        if (str_eq(out->items[i].name, name)) {
            out->items[i].always |= always;
            if (out->items[i].as >= USE_FLAG) /* {if: path, then: ["{path}"]} is of a text */
                out->items[i].as = as;
            return true;
        }
    if (!mgi_arena_grow(u->c->arena, &out->items, &out->cap, out->count + 1, sizeof *out->items))
        return false;
    out->items[out->count++] = (struct command_use){ name, at, always, as };
    return true;
}

static void check_command_setting(struct using *u, const struct yaml_node *n, struct str name)
{
    for (size_t i = 0; i < u->settings->setting_count; i++)
        if (str_eq(u->settings->settings[i].key, name))
            return;
    mgi_yaml_error(u->c, n, "UNKNOWN_SETTING", "Add it to settings in domain.yaml.",
                   "there is no setting \"%.*s\"", STR_ARG(name));
}

/* `element`: of the list of that name, one is meant. */
static bool use_word(struct using *u, const struct yaml_node *n, bool always, struct str element)
{
    struct word_part *parts;
    const char *why;
    size_t count, at;
    if (n->kind != YAML_SCALAR) {
        mgi_yaml_error(u->c, n, "BAD_VALUE", NULL, "a word must be text, not %s",
                       mgi_yaml_kind_name(n));
        return true;
    }
    if (memchr(n->text.ptr, '\0', n->text.len)) {
        mgi_yaml_error(u->c, n, "BAD_TEMPLATE", NULL, "no program can be given a NUL");
        return true;
    }
    if (!mgi_word_parse(u->c->arena, n->text, &parts, &count, &why, &at)) {
        if (why)
            mgi_yaml_error(u->c, n, "BAD_TEMPLATE", NULL, "\"%.*s\", at character %zu: %s",
                           STR_ARG(n->text), at + 1, why);
        return why != NULL;
    }
    for (size_t i = 0; i < count; i++) {
        if (parts[i].kind == PART_SETTING)
            check_command_setting(u, n, parts[i].text);
        else if (parts[i].kind == PART_ARGUMENT && !str_eq(parts[i].text, element) &&
                 !use(u, n, parts[i].text, always, USE_TEXT))
            return false;
    }
    return true;
}

/* The argument that `key` of `map` names; "" (told): it names none. */
static struct str named(struct using *u, const struct yaml_node *map, const char *key)
{
    struct str name = mgi_yaml_text(u->c, map, key, true);
    if (name.len > 0 && !mgi_is_argument_name(name)) {
        mgi_yaml_error(u->c, mgi_yaml_get(map, key), "BAD_VALUE", NULL,
                       "\"%s\" must be the name of an argument", key);
        name.len = 0;
    }
    return name;
}

static bool use_each(struct using *u, const struct yaml_node *n)
{
    static const char *const keys[] = { "each", "as", NULL };
    mgi_yaml_known_keys(u->c, n, "a list of words", keys);
    struct str name = named(u, n, "each");
    const struct yaml_node *as = mgi_yaml_get(n, "as");
    return (name.len == 0 || use(u, n, name, false, USE_LIST)) &&
           (!as || use_word(u, as, false, name));
}

static bool use_condition(struct using *u, const struct yaml_node *n)
{
    static const char *const keys[] = { "if", "then", NULL };
    mgi_yaml_known_keys(u->c, n, "a condition", keys);
    struct str name = named(u, n, "if");
    const struct yaml_node *then = mgi_yaml_get(n, "then");
    if (name.len > 0 && !use(u, n, name, false, USE_FLAG))
        return false;
    if (!then || then->kind != YAML_LIST) {
        mgi_yaml_error(u->c, then ? then : n, "BAD_VALUE",
                       "Write it as {if: path, then: [\"--\", \"{path}\"]}.",
                       "\"then\" must be a list of words");
        return true;
    }
    for (size_t i = 0; i < then->count; i++) {
        const struct yaml_node *word = then->entries[i].value;
        if (!(mgi_yaml_get(word, "each") ? use_each(u, word)
                                         : use_word(u, word, false, (struct str){ "", 0 })))
            return false;
    }
    return true;
}

static bool use_run(struct using *u, const struct yaml_node *run)
{
    if (!run)
        return true;
    if (run->kind != YAML_LIST || run->count == 0 || run->count > 256) {
        mgi_yaml_error(u->c, run, "BAD_VALUE",
                       "There is no shell: write the program and each of its words, [git, log].",
                       "\"run\" must be a list of 1 to 256 words");
        return true;
    }
    for (size_t i = 1; i < run->count; i++) {
        const struct yaml_node *n = run->entries[i].value;
        if (!(mgi_yaml_get(n, "if")     ? use_condition(u, n)
              : mgi_yaml_get(n, "each") ? use_each(u, n)
                                        : use_word(u, n, true, (struct str){ "", 0 })))
            return false;
    }
    return true;
}

static bool use_stdin(struct using *u, const struct yaml_node *n)
{
    static const char *const keys[] = { "text", "json", NULL };
    static const char hint[] = "It is text, json, {text: \"{body}\\n\"} or {json: [a, b]}.";
    if (!n)
        return true;
    if (n->kind == YAML_SCALAR && str_is(n->text, "text"))
        return use(u, n, STR_LIT("stdin"), true, USE_TEXT);
    if (n->kind == YAML_SCALAR && str_is(n->text, "json")) {
        u->out->all = true;
        return true;
    }
    const struct yaml_node *text = mgi_yaml_get(n, "text"), *json = mgi_yaml_get(n, "json");
    mgi_yaml_known_keys(u->c, n, "stdin", keys);
    if (text && !json)
        return use_word(u, text, true, (struct str){ "", 0 });
    if (!json || text || json->kind != YAML_LIST) {
        mgi_yaml_error(u->c, n, "BAD_VALUE", hint, "\"stdin\" does not say what is written");
        return true;
    }
    for (size_t i = 0; i < json->count; i++) {
        const struct yaml_node *name = json->entries[i].value;
        if (name->kind != YAML_SCALAR || !mgi_is_argument_name(name->text))
            mgi_yaml_error(u->c, name, "BAD_VALUE", hint, "an argument is named here");
        else if (!use(u, name, name->text, false, USE_ANY))
            return false;
    }
    return true;
}

bool mgi_command_uses(const struct yaml_context *c, const struct domain_settings *settings,
                      const struct yaml_node *command, struct command_uses *out)
{
    struct using u = { c, settings, out };
    const struct yaml_node *folder = mgi_yaml_get(command, "folder");
    *out = (struct command_uses){ 0 };
    return use_run(&u, mgi_yaml_get(command, "run")) &&
           use_stdin(&u, mgi_yaml_get(command, "stdin")) &&
           (!folder || use_word(&u, folder, true, (struct str){ "", 0 }));
}

bool mgi_command_word_uses(const struct yaml_context *c, const struct domain_settings *settings,
                           const struct yaml_node *word, bool always, enum argument_use as,
                           struct command_uses *out)
{
    struct using u = { c, settings, out };
    size_t before = out->count;
    bool good = use_word(&u, word, always, (struct str){ "", 0 });
    for (size_t i = before; i < out->count; i++)
        out->items[i].as = as;
    return good;
}

bool mgi_command_name_uses(const struct yaml_context *c, const struct yaml_node *name, bool always,
                           enum argument_use as, struct command_uses *out)
{
    struct using u = { c, NULL, out };
    if (name->kind == YAML_SCALAR && mgi_is_argument_name(name->text))
        return use(&u, name, name->text, always, as);
    mgi_yaml_error(c, name, "BAD_VALUE", NULL, "an argument is named here");
    return true;
}
