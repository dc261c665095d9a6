/* Reading the configuration: the file as a tree, what the environment and the flags say put over
 * it, then every row read from the tree. So whoever says something, it is judged by the same row,
 * and a finding names the file, the variable or the flag.
 *
 *     file ──> tree <── variables <── flags ;  tree ──known keys──> rows ──> struct ──> checks
 */
#include "service/config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/time.h"
#include "service/config_int.h"

/* ---- keys ---------------------------------------------------------------------------------- */

/* The names that may stand in `section` ("" for the outermost) of this scope. */
static size_t keys_of(struct arena *a, const char *section, bool listener, const char **keys,
                      size_t cap)
{
    size_t count = 0, len = strlen(section);
    for (size_t i = 0; i < mgi_config_row_count; i++) {
        const struct config_row *r = &mgi_config_rows[i];
        if ((r->scope == CONFIG_LISTENER) != listener || r->scope == CONFIG_OPERATIONS_LISTENER)
            continue;
        const char *name = r->path;
        if (len > 0) {
            if (strncmp(name, section, len) != 0 || name[len] != '.')
                continue;
            name += len + 1;
        }
        size_t n = strcspn(name, ".");
        if (count > 0 && str_eq(str_of(keys[count - 1]), (struct str){ name, n }))
            continue; /* rows of one section stand together */
        const char *key = mgi_arena_str(a, (struct str){ name, n }).ptr;
        if (key && count + 1 < cap)
            keys[count++] = key;
    }
    keys[count] = NULL;
    return count;
}

static bool is_section(const char *name, bool listener)
{
    size_t len = strlen(name);
    for (size_t i = 0; i < mgi_config_row_count; i++)
        if ((mgi_config_rows[i].scope == CONFIG_LISTENER) == listener &&
            strncmp(mgi_config_rows[i].path, name, len) == 0 && mgi_config_rows[i].path[len] == '.')
            return true;
    return false;
}

static void check_keys(const struct yaml_context *c, const struct yaml_node *map, bool listener)
{
    const char *keys[CONFIG_KEYS_MAX], *inner[CONFIG_KEYS_MAX];
    size_t count = keys_of(c->arena, "", listener, keys, CONFIG_KEYS_MAX);
    mgi_yaml_known_keys(c, map, listener ? "a listener" : "the configuration", keys);
    for (size_t i = 0; i < count; i++) {
        const struct yaml_node *section = mgi_yaml_get(map, keys[i]);
        if (!section || !is_section(keys[i], listener))
            continue;
        if (section->kind != YAML_MAP) {
            mgi_yaml_error(c, section, "BAD_VALUE", NULL, "%s must be a map, not %s", keys[i],
                           mgi_yaml_kind_name(section));
            continue;
        }
        (void)keys_of(c->arena, keys[i], listener, inner, CONFIG_KEYS_MAX);
        mgi_yaml_known_keys(c, section, keys[i], inner);
    }
}

/* ---- rows ---------------------------------------------------------------------------------- */

struct reading {
    struct yaml_context yaml;
    const struct config_sources *sources;
};

static const struct yaml_node *node_at(const struct yaml_node *map, const char *path)
{
    const char *dot = strchr(path, '.');
    if (!dot)
        return mgi_yaml_get(map, path);
    char section[32];
    snprintf(section, sizeof section, "%.*s", (int)(dot - path), path);
    return mgi_yaml_get(mgi_yaml_get(map, section), dot + 1);
}

/* The text of a scalar that says something, or NULL after a finding. */
static const char *text_of(const struct reading *r, const struct config_row *row,
                           const struct yaml_node *n)
{
    if (n->kind == YAML_SCALAR && !mgi_yaml_is_null(n) && n->text.len > 0 &&
        !memchr(n->text.ptr, '\0', n->text.len))
        return n->text.ptr; /* a NUL follows every text of an arena */
    mgi_yaml_error(&r->yaml, n, "BAD_VALUE", NULL, "%s must be text, not %s", row->path,
                   n->kind == YAML_SCALAR ? "nothing" : mgi_yaml_kind_name(n));
    return NULL;
}

/* A path as it counts from where it was said. NULL: memory. */
static const char *absolute_path(const struct reading *r, const struct yaml_node *n,
                                 const char *path)
{
    const char *folder = n->line > 0 ? r->sources->file_folder : r->sources->folder;
    if (path[0] == '/' || !folder)
        return path;
    if (strcmp(path, ".") == 0)
        return folder;
    return mgi_arena_printf(r->yaml.arena, "%s%s%s", folder,
                            mgi_str_ends(str_of(folder), STR_LIT("/")) ? "" : "/", path);
}

static bool read_list(const struct reading *r, const struct config_row *row,
                      const struct yaml_node *n, struct config_list *out)
{
    if (n->kind != YAML_LIST) {
        mgi_yaml_error(&r->yaml, n, "BAD_VALUE", "Write it as [a, b].", "%s must be a list, not %s",
                       row->path, mgi_yaml_kind_name(n));
        return true;
    }
    out->items = mgi_arena_calloc(r->yaml.arena, n->count + 1, sizeof *out->items);
    for (size_t i = 0; out->items && i < n->count; i++) {
        const struct yaml_node *value = n->entries[i].value;
        const char *text = text_of(r, row, value);
        const char *why = text && row->fault && value->line > 0 ? row->fault(text) : NULL;
        if (why) /* of flags and variables it is said where they are read */
            mgi_yaml_error(&r->yaml, value, "BAD_VALUE", NULL, "%s \"%s\": %s", row->path, text,
                           why);
        if (text && row->kind == CONFIG_PATHS)
            text = absolute_path(r, value, text);
        if (text)
            out->items[out->count++] = text;
    }
    return out->items != NULL;
}

/* A value that names something which exists is taken for a path, and made absolute: the loader
 * knows only the domain's folder. */
static const char *set_value(const struct reading *r, const struct yaml_node *n)
{
    char resolved[PATH_MAX];
    const char *path = n->text.len > 0 ? absolute_path(r, n, n->text.ptr) : "";
    return path[0] == '/' && n->text.ptr[0] != '/' && realpath(path, resolved)
               ? mgi_arena_strdup(r->yaml.arena, resolved)
               : n->text.ptr;
}

static bool read_set(const struct reading *r, const struct yaml_node *n, struct config_list *out)
{
    if (n->kind != YAML_MAP) {
        mgi_yaml_error(&r->yaml, n, "BAD_VALUE", "Write it as {key: value}.",
                       "set must be a map of settings to values, not %s", mgi_yaml_kind_name(n));
        return true;
    }
    out->items = mgi_arena_calloc(r->yaml.arena, n->count + 1, sizeof *out->items);
    for (size_t i = 0; out->items && i < n->count; i++) {
        const struct yaml_entry *e = &n->entries[i];
        if (e->value->kind != YAML_SCALAR || mgi_yaml_is_null(e->value)) {
            mgi_yaml_error(&r->yaml, e->value, "BAD_VALUE",
                           "A path into domain.yaml has dots: limits.max_compute_ms.",
                           "a setting must be text, a number or a boolean, not %s",
                           mgi_yaml_kind_name(e->value));
            continue;
        }
        const char *item =
            mgi_arena_printf(r->yaml.arena, "%.*s=%s", STR_ARG(e->key), set_value(r, e->value));
        if (!item)
            return false;
        out->items[out->count++] = item;
    }
    return out->items != NULL;
}

static bool parse_bytes(struct str s, int64_t *out)
{
    static const struct {
        const char *name;
        int shift;
    } units[] = { { "KiB", 10 }, { "MiB", 20 }, { "GiB", 30 }, { "", 0 } };
    size_t digits = 0;
    int64_t n = 0;
    while (digits < s.len && s.ptr[digits] >= '0' && s.ptr[digits] <= '9' && n < INT64_MAX / 4096)
        n = n * 10 + (s.ptr[digits++] - '0');
    struct str unit = { s.ptr + digits, s.len - digits };
    for (size_t i = 0; digits > 0 && i < sizeof units / sizeof *units; i++)
        if (str_is(unit, units[i].name)) {
            *out = n << (n > INT64_MAX >> units[i].shift ? 0 : units[i].shift);
            return n <= INT64_MAX >> units[i].shift;
        }
    return false;
}

static bool parse_number(const struct config_row *row, const struct yaml_node *n, int64_t *out)
{
    if (n->kind != YAML_SCALAR)
        return false;
    if (row->kind == CONFIG_NUMBER)
        return mgi_yaml_int(n, out);
    if (row->kind == CONFIG_BYTES)
        return parse_bytes(n->text, out);
    if (!mgi_duration_parse(n->text, true, out))
        return false;
    int64_t ms = *out / NS_PER_MS;
    *out = ms == 0 && *out ? (*out > 0 ? 1 : -1) : ms; /* nothing but 0 is 0 */
    return true;
}

/* What stands there instead, for a message. */
static const char *shown(const struct reading *r, const struct yaml_node *n)
{
    if (n->kind != YAML_SCALAR)
        return mgi_yaml_kind_name(n);
    const char *text = mgi_arena_printf(r->yaml.arena, "\"%.*s\"", STR_ARG(n->text));
    return text ? text : "what it is";
}

static void read_number(const struct reading *r, const struct config_row *row,
                        const struct yaml_node *n, int64_t *out)
{
    static const char *const wanted[] = { [CONFIG_NUMBER] = "a whole number",
                                          [CONFIG_BYTES] = "a size such as 64MiB",
                                          [CONFIG_DURATION] = "a duration such as 30s" };
    int64_t v;
    if (!parse_number(row, n, &v)) {
        mgi_yaml_error(&r->yaml, n, "BAD_VALUE", NULL, "%s must be %s, not %s", row->path,
                       wanted[row->kind], shown(r, n));
    } else if (v < row->min || v > row->max) {
        struct buf least = { 0 }, most = { 0 };
        mgi_config_number(&least, row, row->min);
        mgi_config_number(&most, row, row->max);
        mgi_yaml_error(&r->yaml, n, "OUT_OF_RANGE", NULL, "%s must be from %s to %s, not %s",
                       row->path, least.ptr ? least.ptr : "?", most.ptr ? most.ptr : "?",
                       shown(r, n));
        mgi_buf_fini(&least);
        mgi_buf_fini(&most);
    } else {
        *out = v;
    }
}

static void read_word(const struct reading *r, const struct config_row *row,
                      const struct yaml_node *n, int64_t *out)
{
    struct str text = n->kind == YAML_SCALAR ? n->text : (struct str){ "", 0 };
    struct buf words = { 0 };
    for (int64_t i = 0; row->words[i]; i++) {
        if (str_is(text, row->words[i])) {
            *out = i;
            mgi_buf_fini(&words);
            return;
        }
        mgi_buf_printf(&words, "%s%s",
                       i == 0              ? ""
                       : row->words[i + 1] ? ", "
                                           : " or ",
                       row->words[i]);
    }
    const char *near = text.len > 0 ? mgi_nearest_name(text, row->words) : NULL;
    mgi_yaml_error(&r->yaml, n, "BAD_VALUE",
                   near ? mgi_arena_printf(r->yaml.arena, "Did you mean %s?", near) : NULL,
                   "%s must be %s, not %s", row->path, words.ptr ? words.ptr : "a word",
                   shown(r, n));
    mgi_buf_fini(&words);
}

static void read_time(const struct reading *r, const struct config_row *row,
                      const struct yaml_node *n, int64_t *out, bool *given)
{
    struct str text = n->kind == YAML_SCALAR ? n->text : (struct str){ "", 0 };
    enum time_parse parsed = mgi_time_parse(text, TIME_LOWER_CASE | TIME_LEAP_SECOND, out);
    *given = parsed == TIME_OK;
    if (!*given)
        mgi_yaml_error(&r->yaml, n, "BAD_VALUE", "Write it like 2026-02-19T14:30:00Z.",
                       "%s \"%.*s\": %s", row->path, STR_ARG(text), mgi_time_parse_text(parsed));
}

/* A path that is none. */
static bool is_word_of(const struct config_row *row, const char *text)
{
    for (size_t i = 0; row->words && row->words[i]; i++)
        if (strcmp(row->words[i], text) == 0)
            return true;
    return false;
}

/* The value of one row, from the map that holds it. False: memory. */
static bool read_one(const struct reading *r, const struct config_row *row,
                     const struct yaml_node *map, void *into)
{
    void *at = (char *)into + row->offset;
    const struct yaml_node *n = node_at(map, row->path);
    switch (row->kind) {
    case CONFIG_TEXT:
    case CONFIG_PATH: {
        const char *text = n ? text_of(r, row, n) : NULL;
        if (text && row->kind == CONFIG_PATH && !is_word_of(row, text))
            text = absolute_path(r, n, text);
        *(const char **)at = text;
        break;
    }
    case CONFIG_TEXTS:
    case CONFIG_PATHS:
        return !n || read_list(r, row, n, at);
    case CONFIG_SET:
        return !n || read_set(r, n, at);
    case CONFIG_BOOL:
        if (n && !mgi_yaml_bool(n, at))
            mgi_yaml_error(&r->yaml, n, "BAD_VALUE", NULL, "%s must be true or false, not %s",
                           row->path, shown(r, n));
        break;
    case CONFIG_NUMBER:
    case CONFIG_BYTES:
    case CONFIG_DURATION:
    case CONFIG_WORD:
        *(int64_t *)at = row->fallback;
        if (n && row->kind == CONFIG_WORD)
            read_word(r, row, n, at);
        else if (n)
            read_number(r, row, n, at);
        break;
    case CONFIG_TIME:
        if (n)
            read_time(r, row, n, at, (bool *)((char *)into + row->more_offset));
        break;
    case CONFIG_LISTENERS:
        break;
    }
    return true;
}

static bool read_scope(const struct reading *r, bool listener, const struct yaml_node *map,
                       void *into)
{
    for (size_t i = 0; i < mgi_config_row_count; i++) {
        const struct config_row *row = &mgi_config_rows[i];
        if (row->scope != CONFIG_OPERATIONS_LISTENER &&
            (row->scope == CONFIG_LISTENER) == listener && !read_one(r, row, map, into))
            return false;
    }
    return true;
}

static bool read_listeners(const struct reading *r, struct yaml_node *root,
                           struct service_config *out)
{
    struct yaml_node *list = mgi_yaml_get(root, "listen");
    if (!list)
        return true;
    if (list->kind != YAML_LIST) {
        mgi_yaml_error(&r->yaml, list, "BAD_VALUE", "Write it as [\"127.0.0.1:8765\"].",
                       "listen must be a list of listeners, not %s", mgi_yaml_kind_name(list));
        return true;
    }
    out->listeners = mgi_arena_calloc(r->yaml.arena, list->count + 1, sizeof *out->listeners);
    if (!out->listeners)
        return false;
    for (size_t i = 0; i < list->count; i++) {
        struct yaml_node *n = mgi_config_listener(r->yaml.arena, &list->entries[i]);
        if (!n)
            return false;
        if (n->kind != YAML_MAP) {
            mgi_yaml_error(&r->yaml, n, "BAD_VALUE", NULL,
                           "a listener is an address or a map with address, not %s",
                           mgi_yaml_kind_name(n));
            continue;
        }
        struct listener_config *l = &out->listeners[out->listener_count++];
        *l = (struct listener_config){ .origin = n->origin, .line = n->line, .column = n->column };
        check_keys(&r->yaml, n, true);
        if (!read_scope(r, true, n, l))
            return false;
        if (!mgi_yaml_get(n, "address"))
            mgi_yaml_error(&r->yaml, n, "MISSING_KEY", NULL, "a listener needs an address");
    }
    return true;
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Who starts a server to speak to it on a pipe shares its terminal with the log: on stdio alone,
 * what is ordinary is not said unless somebody asks for it. */
static void quieten(const struct yaml_node *root, const struct config_sources *sources,
                    struct service_config *config)
{
    if (config->stdio && config->listener_count == 0 && !sources->listens_elsewhere &&
        !node_at(root, "log.level"))
        config->log_level = LOG_WARN;
}

static struct yaml_node *read_tree(const struct yaml_context *c,
                                   const struct config_sources *sources)
{
    if (!sources->file)
        return mgi_config_node(c->arena, YAML_MAP, "");
    mgi_findings_source(c->findings, sources->file, sources->text);
    struct yaml_node *root = mgi_yaml_parse(c, sources->file, sources->text, 0);
    if (!root || root->kind == YAML_MAP)
        return root;
    mgi_yaml_error(c, root, "BAD_VALUE", NULL, "the configuration must be a map, not %s",
                   mgi_yaml_kind_name(root));
    return NULL;
}

bool mgi_config_read(const struct config_sources *sources, struct arena *arena,
                     struct findings *findings, struct service_config *out)
{
    struct reading r = { { .arena = arena, .findings = findings }, sources };
    *out = (struct service_config){ .domain = NULL };
    struct yaml_node *root = read_tree(&r.yaml, sources);
    bool ok = root && mgi_config_put_over(&r.yaml, root, sources);
    if (ok) {
        check_keys(&r.yaml, root, false);
        ok = read_scope(&r, false, root, out) && read_listeners(&r, root, out);
    }
    if (ok) {
        quieten(root, sources, out);
        mgi_config_check(sources, findings, out);
    }
    mgi_findings_forget(findings);
    if ((!ok || arena->oom) && mgi_findings_errors(findings) == 0)
        mgi_findings_add(findings, MANGLE_ERROR, "NOMEM", sources->file ? sources->file : "serve",
                         0, 0, NULL, "out of memory");
    return mgi_findings_errors(findings) == 0;
}
