/* What the environment and the flags say, put over the tree of the file as if it stood there.
 *
 * Each source replaces what a weaker one says of the same row, except `set`, which it adds to.
 * Nodes that come from here have line 0 and the flag or the variable as their origin. */
#include "base/buf.h"
#include "service/config_int.h"
#include "service/environment.h"

#define VARIABLE_PREFIX "MANGLECP_SERVE_"

/* Where a row of a service is found: at the root; of a listener: below its entry. */
static bool belongs_to_root(const struct config_row *r)
{
    return r->scope == CONFIG_SERVER;
}

/* ---- putting things over the tree ---------------------------------------------------------- */

struct yaml_node *mgi_config_node(struct arena *a, enum yaml_kind kind, const char *origin)
{
    struct yaml_node *n = mgi_arena_calloc(a, 1, sizeof *n);
    if (n) {
        n->kind = kind;
        n->origin = origin;
    }
    return n;
}

static struct yaml_node *new_word(struct arena *a, const char *text, const char *origin)
{
    struct yaml_node *n = mgi_config_node(a, YAML_SCALAR, origin);
    if (n) {
        n->text = mgi_arena_str(a, str_of(text));
        n->plain = true;
    }
    return n && n->text.ptr ? n : NULL;
}

static bool append_entry(struct arena *a, struct yaml_node *list, struct yaml_node *value)
{
    if (!value ||
        !mgi_arena_grow(a, &list->entries, &list->cap, list->count + 1, sizeof *list->entries))
        return false;
    list->entries[list->count++] = (struct yaml_entry){ .value = value };
    return true;
}

/* Put `value` at the dotted `path` below `map`; what is in the way and no map is replaced, because
 * the stronger source wins whatever the weaker one says. */
static bool put_at(struct arena *a, struct yaml_node *map, const char *path,
                   struct yaml_node *value)
{
    const char *dot;
    while ((dot = strchr(path, '.')) != NULL) {
        struct str key = mgi_arena_str(a, (struct str){ path, (size_t)(dot - path) });
        struct yaml_node *next = key.ptr ? mgi_yaml_get(map, key.ptr) : NULL;
        if (!next || next->kind != YAML_MAP) {
            next = mgi_config_node(a, YAML_MAP, value->origin);
            if (!key.ptr || !next || !mgi_yaml_put(a, map, key, next))
                return false;
        }
        map = next;
        path = dot + 1;
    }
    return mgi_yaml_put(a, map, str_of(path), value);
}

/* What one source says of one row. */
struct said {
    const struct config_row *row;
    const char *origin;
    struct config_list values; /* empty: a flag without a value */
};

static bool serves_protocol(const struct yaml_node *listener)
{
    const struct yaml_node *n = mgi_yaml_get(listener, "operations");
    return !n || n->kind != YAML_SCALAR || !str_is(n->text, "only");
}

/* `listen`, without the listeners of this kind that a weaker source named. NULL: memory. */
static struct yaml_node *listeners_without(struct arena *a, struct yaml_node *root,
                                           const char *origin, bool operations)
{
    struct yaml_node *list = mgi_yaml_get(root, "listen");
    if (!list || list->kind != YAML_LIST) {
        list = mgi_config_node(a, YAML_LIST, origin);
        return list && mgi_yaml_put(a, root, STR_LIT("listen"), list) ? list : NULL;
    }
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (serves_protocol(list->entries[i].value) == operations)
            list->entries[kept++] = list->entries[i];
    list->count = kept;
    return list;
}

static bool put_listeners(struct arena *a, struct yaml_node *root, const struct said *s)
{
    bool operations = s->row->scope == CONFIG_OPERATIONS_LISTENER;
    struct yaml_node *list = listeners_without(a, root, s->origin, operations);
    for (size_t i = 0; list && i < s->values.count; i++) {
        struct yaml_node *entry = mgi_config_node(a, YAML_MAP, s->origin);
        struct yaml_node *address = new_word(a, s->values.items[i], s->origin);
        struct yaml_node *only = operations ? new_word(a, "only", s->origin) : NULL;
        if (!entry || !address || !mgi_yaml_put(a, entry, STR_LIT("address"), address) ||
            (operations && (!only || !mgi_yaml_put(a, entry, STR_LIT("operations"), only))) ||
            !append_entry(a, list, entry))
            return false;
    }
    return list != NULL;
}

static struct yaml_node *list_of(struct arena *a, const struct said *s)
{
    struct yaml_node *list = mgi_config_node(a, YAML_LIST, s->origin);
    for (size_t i = 0; list && i < s->values.count; i++)
        if (!append_entry(a, list, new_word(a, s->values.items[i], s->origin)))
            return NULL;
    return list;
}

/* KEY=VALUE goes beside what the file sets, or in its place if it is the same key. */
static bool put_set(const struct yaml_context *c, struct yaml_node *root, const struct said *s)
{
    struct yaml_node *map = mgi_yaml_get(root, "set");
    if (!map || map->kind != YAML_MAP) {
        map = mgi_config_node(c->arena, YAML_MAP, s->origin);
        if (!map || !mgi_yaml_put(c->arena, root, STR_LIT("set"), map))
            return false;
    }
    for (size_t i = 0; i < s->values.count; i++) {
        const char *text = s->values.items[i], *equals = strchr(text, '=');
        struct yaml_node blame = { .origin = s->origin };
        if (!equals || equals == text) {
            mgi_yaml_error(c, &blame, "BAD_VALUE", NULL, "an override is KEY=VALUE, not \"%s\"",
                           text);
            continue;
        }
        struct str key = mgi_arena_str(c->arena, (struct str){ text, (size_t)(equals - text) });
        struct yaml_node *value = new_word(c->arena, equals + 1, s->origin);
        if (value)
            value->plain = false; /* "" and ~ are texts here */
        if (!key.ptr || !value || !mgi_yaml_put(c->arena, map, key, value))
            return false;
    }
    return true;
}

struct yaml_node *mgi_config_listener(struct arena *a, struct yaml_entry *entry)
{
    struct yaml_node *n = entry->value;
    if (n->kind != YAML_SCALAR)
        return n;
    struct yaml_node *map = mgi_config_node(a, YAML_MAP, n->origin);
    if (!map || !mgi_yaml_put(a, map, STR_LIT("address"), n))
        return NULL;
    map->line = n->line;
    map->column = n->column;
    entry->value = map;
    return map;
}

/* What is said of listeners counts for all that serve the protocol; *placed: for how many. */
static bool put_on_listeners(struct arena *a, struct yaml_node *root, const struct said *s,
                             struct yaml_node *value, size_t *placed)
{
    struct yaml_node *list = mgi_yaml_get(root, "listen");
    for (size_t i = 0; list && list->kind == YAML_LIST && i < list->count; i++) {
        struct yaml_node *map = mgi_config_listener(a, &list->entries[i]);
        if (!map)
            return false;
        if (map->kind != YAML_MAP || !serves_protocol(map))
            continue;
        if (!put_at(a, map, s->row->path, value))
            return false;
        ++*placed;
    }
    return true;
}

/* A variable may be there for other servers, too; who wrote a flag meant this one. */
static void check_placed(const struct yaml_context *c, const struct said *s, size_t placed)
{
    const struct yaml_node blame = { .origin = s->origin };
    if (placed == 0 && s->origin[0] == '-')
        mgi_yaml_error(c, &blame, "LISTENER", "Give --listen HOST:PORT, too.",
                       "there is no listener that this could be said of");
}

static void check_values(const struct yaml_context *c, const struct said *s)
{
    const struct yaml_node blame = { .origin = s->origin };
    for (size_t i = 0; s->row->fault && i < s->values.count; i++) {
        const char *why = s->row->fault(s->values.items[i]);
        if (why)
            mgi_yaml_error(c, &blame, "BAD_VALUE", NULL, "\"%s\": %s", s->values.items[i], why);
    }
}

/* False: memory. */
static bool put_said(const struct yaml_context *c, struct yaml_node *root, const struct said *s,
                     bool listens_elsewhere)
{
    struct arena *a = c->arena;
    switch (s->row->kind) {
    case CONFIG_LISTENERS:
        return put_listeners(a, root, s);
    case CONFIG_SET:
        return put_set(c, root, s);
    default:
        break;
    }
    bool many = s->row->kind == CONFIG_TEXTS || s->row->kind == CONFIG_PATHS;
    const char *one = s->values.count > 0 ? s->values.items[s->values.count - 1] : "true";
    struct yaml_node *value = many ? list_of(a, s) : new_word(a, one, s->origin);
    if (!value)
        return false;
    check_values(c, s);
    if (belongs_to_root(s->row))
        return put_at(a, root, s->row->path, value);
    size_t placed = listens_elsewhere;
    if (!put_on_listeners(a, root, s, value, &placed))
        return false;
    check_placed(c, s, placed);
    return true;
}

/* ---- the environment and the flags --------------------------------------------------------- */

static bool add_value(struct arena *a, struct said *s, struct str value)
{
    struct str copy = mgi_arena_str(a, value);
    const char **grown = mgi_arena_calloc(a, s->values.count + 2, sizeof *grown);
    if (!copy.ptr || !grown)
        return false;
    if (s->values.count > 0)
        memcpy(grown, s->values.items, s->values.count * sizeof *grown);
    grown[s->values.count++] = copy.ptr;
    s->values.items = grown;
    return true;
}

static bool is_many(const struct config_row *r)
{
    return r->kind == CONFIG_TEXTS || r->kind == CONFIG_PATHS || r->kind == CONFIG_SET ||
           r->kind == CONFIG_LISTENERS;
}

/* A variable that stands for a list holds a value a line or, in one line, a value a word. */
static bool split_variable(struct arena *a, struct said *s, struct str text)
{
    const char *between = text.len > 0 && memchr(text.ptr, '\n', text.len) ? "\n" : " \t";
    while (text.len > 0) {
        size_t skip = 0, len = 0;
        while (skip < text.len && strchr(between, text.ptr[skip]))
            skip++;
        while (skip + len < text.len && !strchr(between, text.ptr[skip + len]))
            len++;
        if (len > 0 && !add_value(a, s, (struct str){ text.ptr + skip, len }))
            return false;
        text.ptr += skip + len;
        text.len -= skip + len;
    }
    return true;
}

/* What is said of all listeners waits until they are known. */
static bool comes_late(const struct config_row *r)
{
    return r->scope == CONFIG_LISTENER;
}

static bool take_environment(const struct yaml_context *c, struct yaml_node *root,
                             const struct config_sources *sources, bool late)
{
    bool ok = true;
    for (size_t i = 0; ok && i < mgi_config_row_count; i++) {
        const struct config_row *r = &mgi_config_rows[i];
        struct buf name = { 0 };
        if (!r->flag || comes_late(r) != late)
            continue;
        mgi_config_variable(&name, r);
        struct said s = { .row = r,
                          .origin = mgi_arena_strdup(c->arena, name.ptr ? name.ptr : "") };
        const char *value = name.ptr ? mgi_environment_get(sources->environment, name.ptr) : NULL;
        ok = !name.oom && s.origin;
        if (ok && value && value[0])
            ok = (is_many(r) ? split_variable(c->arena, &s, str_of(value))
                             : add_value(c->arena, &s, str_of(value))) &&
                 put_said(c, root, &s, sources->listens_elsewhere);
        mgi_buf_fini(&name);
    }
    return ok;
}

static const struct config_row *row_of_flag(const char *name)
{
    for (size_t i = 0; i < mgi_config_row_count; i++)
        if (mgi_config_rows[i].flag && strcmp(mgi_config_rows[i].flag, name) == 0)
            return &mgi_config_rows[i];
    return NULL;
}

static bool take_flags(const struct yaml_context *c, struct yaml_node *root,
                       const struct config_sources *sources, bool late)
{
    bool ok = true;
    for (size_t i = 0; ok && i < mgi_config_row_count; i++) {
        const struct config_row *r = &mgi_config_rows[i];
        struct said s = { .row = r, .origin = r->flag };
        bool given = false;
        if (!r->flag || comes_late(r) != late)
            continue;
        for (size_t k = 0; ok && k < sources->flag_count; k++) {
            const struct config_flag *f = &sources->flags[k];
            if (row_of_flag(f->name) != r)
                continue;
            given = true;
            ok = !f->value || add_value(c->arena, &s, str_of(f->value));
        }
        if (ok && given)
            ok = put_said(c, root, &s, sources->listens_elsewhere);
    }
    return ok;
}

/* Variables that begin like ours and are none: a misspelt one would be silently nothing. */
static void check_variables(const struct yaml_context *c, const char *const *environment)
{
    const char *names[64] = { VARIABLE_PREFIX "CONFIG" };
    size_t count = 1;
    for (size_t i = 0; i < mgi_config_row_count && count < 63; i++) {
        struct buf name = { 0 };
        if (mgi_config_rows[i].flag) {
            mgi_config_variable(&name, &mgi_config_rows[i]);
            names[count] = mgi_arena_strdup(c->arena, name.ptr ? name.ptr : "");
            count += names[count] != NULL;
        }
        mgi_buf_fini(&name);
    }
    for (; environment && *environment; environment++) {
        if (strncmp(*environment, VARIABLE_PREFIX, strlen(VARIABLE_PREFIX)) != 0)
            continue;
        struct str name = { *environment, strcspn(*environment, "=") };
        bool known = false;
        for (size_t i = 0; i < count && !known; i++)
            known = str_is(name, names[i]);
        if (known)
            continue;
        const char *near = mgi_nearest_name(name, names);
        mgi_findings_add(c->findings, MANGLE_ERROR, "UNKNOWN_VARIABLE", "environment", 0, 0,
                         near ? mgi_arena_printf(c->arena, "Did you mean %s?", near) : NULL,
                         "the variable %.*s says nothing that a server knows", STR_ARG(name));
    }
}

bool mgi_config_put_over(const struct yaml_context *c, struct yaml_node *root,
                         const struct config_sources *s)
{
    check_variables(c, s->environment);
    /* Listeners first, whoever names them; then what is said of all of them. */
    return take_environment(c, root, s, false) && take_flags(c, root, s, false) &&
           take_environment(c, root, s, true) && take_flags(c, root, s, true);
}
