/* What the YAML of a command means: see the header. Depth is bounded by the YAML reader, and a word
 * of `run` nests one level: {if: …, then: […]} holds words, and no {if: …}. */
#include "domain/command_form.h"

#include "domain/domain_int.h"

const char *const mgi_command_keys[] = {
    "aid",           "name", "description", "run",           "input",      "stdin",
    "folder",        "env",  "output",      "output_schema", "exit",       "side_effects",
    "may",           "read", "write",       "timeout",       "idempotent", "reversible",
    "deterministic", "tags", "max_output",  "progress",      NULL
};

struct str mgi_command_aid(struct arena *arena, struct str domain, struct str name)
{
    char *text = mgi_arena_printf(arena, "AID.%.*s.%.*s.v1", STR_ARG(domain), STR_ARG(name));
    if (!text)
        return (struct str){ NULL, 0 };
    size_t len = strlen(text);
    for (size_t i = 0; i < len - 2; i++)
        if (text[i] >= 'a' && text[i] <= 'z')
            text[i] = (char)(text[i] - 'a' + 'A');
    return (struct str){ text, len };
}

struct yaml_node *mgi_yaml_made(struct arena *arena, const struct yaml_node *at,
                                enum yaml_kind kind, struct str text)
{
    struct yaml_node *n = mgi_arena_calloc(arena, 1, sizeof *n);
    if (n) {
        n->kind = kind;
        n->origin = at->origin;
        n->line = at->line;
        n->column = at->column;
        n->text = text;
    }
    return n;
}

bool mgi_yaml_set(struct arena *arena, struct yaml_node *map, const char *key,
                  struct yaml_node *value)
{
    return value && mgi_yaml_put(arena, map, str_of(key), value);
}

/* ---- words --------------------------------------------------------------------------------- */

static bool is_name_char(char c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (!first && ((c >= '0' && c <= '9') || c == '-'));
}

static size_t name_length(struct str s)
{
    size_t len = 0;
    while (len < s.len && is_name_char(s.ptr[len], len == 0))
        len++;
    return len;
}

static struct str cut(struct str s, size_t from)
{
    return (struct str){ s.ptr + from, s.len - from };
}

/* What stands in braces; `rest` begins behind the first one. The length with the last one; 0: it
 * is none. */
static size_t read_braces(struct str rest, struct word_part *out)
{
    static const char settings[] = "settings.";
    size_t at = 0;
    *out = (struct word_part){ .kind = PART_ARGUMENT };
    if (mgi_str_starts(rest, STR_LIT(settings))) {
        out->kind = PART_SETTING;
        at = sizeof settings - 1;
    }
    size_t len = name_length(cut(rest, at));
    out->text = (struct str){ rest.ptr + at, len };
    at += len;
    if (len > 0 && at < rest.len && rest.ptr[at] == '!') {
        out->may_be_option = true;
        at++;
    }
    return len > 0 && len <= 64 && at < rest.len && rest.ptr[at] == '}' ? at + 1 : 0;
}

/* The literal at the beginning of `s`, doubled braces halved, and how long it was. */
static bool read_literal(struct arena *arena, struct str s, struct str *out, size_t *taken)
{
    char *text = mgi_arena_alloc(arena, s.len + 1);
    size_t at = 0, len = 0;
    if (!text)
        return false;
    while (at < s.len) {
        bool brace = s.ptr[at] == '{' || s.ptr[at] == '}';
        if (brace && (at + 1 == s.len || s.ptr[at + 1] != s.ptr[at]))
            break;
        text[len++] = s.ptr[at];
        at += brace ? 2 : 1;
    }
    text[len] = '\0';
    *out = (struct str){ text, len };
    *taken = at;
    return true;
}

bool mgi_word_parse(struct arena *arena, struct str text, struct word_part **parts, size_t *count,
                    const char **why, size_t *at)
{
    size_t cap = 0;
    *parts = NULL;
    *count = *at = 0;
    *why = NULL;
    while (*at < text.len) {
        struct word_part part = { .kind = PART_TEXT };
        struct str rest = cut(text, *at);
        size_t taken = 0;
        if (!read_literal(arena, rest, &part.text, &taken))
            return false;
        if (taken == 0 && rest.ptr[0] == '}') {
            *why = "a } that closes nothing is written }}";
            return false;
        }
        if (taken == 0) {
            taken = read_braces(cut(rest, 1), &part) + 1;
            if (taken == 1) {
                *why = "braces hold the name of an argument, {name}; a brace itself is written {{";
                return false;
            }
        }
        if (!mgi_arena_grow(arena, parts, &cap, *count + 1, sizeof **parts))
            return false;
        (*parts)[(*count)++] = part;
        *at += taken;
    }
    return true;
}

/* ---- what is used -------------------------------------------------------------------------- */

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
    if (name.len > 0 && name_length(name) != name.len) {
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
        if (name->kind != YAML_SCALAR || name_length(name->text) != name->text.len ||
            name->text.len == 0)
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
    if (name->kind == YAML_SCALAR && name->text.len > 0 &&
        name_length(name->text) == name->text.len)
        return use(&u, name, name->text, always, as);
    mgi_yaml_error(c, name, "BAD_VALUE", NULL, "an argument is named here");
    return true;
}

/* ---- the schema ---------------------------------------------------------------------------- */

/* What an argument is that nobody described. */
static struct yaml_node *plain_property(struct arena *a, const struct command_use *use)
{
    static const char *const types[] = { "string", "array", "boolean" };
    struct yaml_node *n = mgi_yaml_made(a, use->at, YAML_MAP, STR_LIT(""));
    struct yaml_node *items = mgi_yaml_made(a, use->at, YAML_MAP, STR_LIT(""));
    if (!n || !items ||
        !mgi_yaml_set(a, items, "type",
                      mgi_yaml_made(a, use->at, YAML_SCALAR, STR_LIT("string"))) ||
        (use->as != USE_ANY &&
         !mgi_yaml_set(a, n, "type",
                       mgi_yaml_made(a, use->at, YAML_SCALAR, str_of(types[use->as])))) ||
        (use->as == USE_LIST && !mgi_yaml_set(a, n, "items", items)))
        return NULL;
    return n;
}

static bool is_used_argument(const struct command_uses *uses, struct str name)
{
    for (size_t i = 0; i < uses->count; i++)
        if (str_eq(uses->items[i].name, name))
            return true;
    return uses->all;
}

/* One word is made of one value, and several of a list. */
static void check_type(const struct yaml_context *c, const struct yaml_node *declared,
                       const struct command_use *use, bool no_words)
{
    const struct yaml_node *type = mgi_yaml_get(declared, "type");
    if (!type || type->kind != YAML_SCALAR)
        return;
    bool list = str_is(type->text, "array"), object = str_is(type->text, "object");
    if (use->as == USE_TEXT && (list || object))
        mgi_yaml_error(c, use->at, "BAD_TEMPLATE",
                       no_words ? NULL
                       : list   ? "Write {each: NAME}, or {each: NAME, as: \"--x={NAME}\"}."
                                : "An object goes to standard input, stdin: json.",
                       "\"%.*s\" is no single value", STR_ARG(use->name));
    if (use->as == USE_LIST && !list)
        mgi_yaml_error(c, use->at, "BAD_TEMPLATE", NULL, "\"%.*s\" is no list: its type is %.*s",
                       STR_ARG(use->name), STR_ARG(type->text));
}

static void check_declared(const struct yaml_context *c, const struct yaml_node *input,
                           const struct command_uses *uses)
{
    const char **names = mgi_arena_calloc(c->arena, input->count + 1, sizeof *names);
    for (size_t i = 0; names && i < input->count; i++) {
        const struct yaml_entry *e = &input->entries[i];
        names[i] = mgi_arena_printf(c->arena, "%.*s", STR_ARG(e->key));
        if (name_length(e->key) != e->key.len || e->key.len > 64)
            mgi_yaml_error(c, e->value, "BAD_NAME", NULL,
                           "an argument is named [A-Za-z_][A-Za-z0-9_-]*, at most 64 characters");
        else if (!is_used_argument(uses, e->key))
            mgi_yaml_error(c, e->value, "UNUSED_ARGUMENT",
                           "Put {name} where it belongs, or take it out.",
                           "the argument \"%.*s\" reaches nothing", STR_ARG(e->key));
    }
    for (size_t i = 0; names && i < uses->count; i++) {
        struct str name = uses->items[i].name;
        const char *key = mgi_arena_printf(c->arena, "%.*s", STR_ARG(name));
        const struct yaml_node *declared = key ? mgi_yaml_get(input, key) : NULL;
        if (declared)
            check_type(c, declared, &uses->items[i], uses->no_words);
        if (declared || !key)
            continue;
        const char *near = mgi_nearest_name(name, names);
        mgi_yaml_error(c, uses->items[i].at, "UNKNOWN_ARGUMENT",
                       near ? mgi_arena_printf(c->arena, "Did you mean %s?", near)
                            : "Describe it in input, or leave input out: then each is a text.",
                       "\"input\" has no argument \"%.*s\"", STR_ARG(name));
    }
}

static bool has_default(const struct yaml_node *input, struct str name)
{
    for (size_t i = 0; input && i < input->count; i++)
        if (str_eq(input->entries[i].key, name))
            return mgi_yaml_get(input->entries[i].value, "default") != NULL;
    return false;
}

static bool append_item(struct arena *a, struct yaml_node *list, struct yaml_node *item)
{
    if (!item ||
        !mgi_arena_grow(a, &list->entries, &list->cap, list->count + 1, sizeof *list->entries))
        return false;
    list->entries[list->count++] = (struct yaml_entry){ { "", 0 }, item->line, item->column, item };
    return true;
}

struct yaml_node *mgi_command_schema(const struct yaml_context *c, const struct yaml_node *command,
                                     const struct command_uses *uses)
{
    struct arena *a = c->arena;
    const struct yaml_node *input = mgi_yaml_get(command, "input");
    struct yaml_node *schema = mgi_yaml_made(a, command, YAML_MAP, STR_LIT(""));
    struct yaml_node *properties = mgi_yaml_made(a, input ? input : command, YAML_MAP, STR_LIT(""));
    struct yaml_node *required = mgi_yaml_made(a, command, YAML_LIST, STR_LIT(""));
    struct yaml_node *closed =
        mgi_yaml_made(a, command, YAML_SCALAR, str_of(uses->all && !input ? "true" : "false"));
    if (!schema || !properties || !required || !closed)
        return NULL;
    closed->plain = true;
    if (input && input->kind != YAML_MAP) {
        mgi_yaml_error(c, input, "BAD_VALUE", "Write it as {n: {type: integer}}.",
                       "\"input\" must be a map of arguments to their schemas, not %s",
                       mgi_yaml_kind_name(input));
        input = NULL;
    } else if (input) {
        check_declared(c, input, uses);
    }
    for (size_t i = 0; input && i < input->count; i++)
        if (!mgi_yaml_put(a, properties, input->entries[i].key, input->entries[i].value))
            return NULL;
    for (size_t i = 0; i < uses->count; i++) {
        const struct command_use *one = &uses->items[i];
        struct yaml_node *property = input ? NULL : plain_property(a, one);
        if (!input && (!property || !mgi_yaml_put(a, properties, one->name, property)))
            return NULL;
        if (one->always && !has_default(input, one->name) &&
            !append_item(a, required, mgi_yaml_made(a, one->at, YAML_SCALAR, one->name)))
            return NULL;
    }
    return mgi_yaml_set(a, schema, "type",
                        mgi_yaml_made(a, command, YAML_SCALAR, STR_LIT("object"))) &&
                   mgi_yaml_set(a, schema, "additionalProperties", closed) &&
                   mgi_yaml_set(a, schema, "properties", properties) &&
                   (required->count == 0 || mgi_yaml_set(a, schema, "required", required))
               ? schema
               : NULL;
}
