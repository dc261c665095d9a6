/* The words of a command, and the schema that follows from what it uses: see the header. */
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

bool mgi_is_argument_name(struct str s)
{
    return s.len > 0 && s.len <= 64 && name_length(s) == s.len;
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
                       const struct command_use *use, bool joins)
{
    const struct yaml_node *type = mgi_yaml_get(declared, "type");
    if (!type || type->kind != YAML_SCALAR)
        return;
    bool list = str_is(type->text, "array"), object = str_is(type->text, "object");
    if (use->as == USE_TEXT && ((list && !joins) || object))
        mgi_yaml_error(c, use->at, "BAD_TEMPLATE",
                       joins  ? NULL
                       : list ? "Write {each: NAME}, or {each: NAME, as: \"--x={NAME}\"}."
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
        if (!mgi_is_argument_name(e->key))
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
            check_type(c, declared, &uses->items[i], uses->joins);
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
