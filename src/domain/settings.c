/* domain.yaml and --set -> struct domain_settings.
 *
 * Scalars are rows of a table: the dotted path, the kind, where it goes, its default and its range.
 * To add a setting: a field in domain.h, a row here, a line in docs/domain-format.md. Overrides are
 * put into the tree before it is read, so they are judged by the same rows. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strmap.h"
#include "base/time.h"
#include "domain/domain_int.h"

enum row_kind { ROW_TEXT, ROW_INT64, ROW_INT, ROW_UINT32, ROW_BOOL, ROW_DURATION_MS };

struct row {
    const char *section, *key;
    enum row_kind kind;
    size_t offset;
    int64_t fallback, min, max; /* for texts: min 1 means required */
};

#define AT(field) offsetof(struct domain_settings, field)
#define DAY_MS    INT64_C(86400000)

static const struct row rows[] = {
    { "server", "name", ROW_TEXT, AT(server_name), 0, 1, 0 },
    { "server", "version", ROW_TEXT, AT(server_version), 0, 1, 0 },
    { "domain", "id", ROW_TEXT, AT(id), 0, 1, 0 },
    { "domain", "description", ROW_TEXT, AT(description), 0, 1, 0 },
    { "limits", "max_message_bytes", ROW_INT64, AT(limits.max_message_bytes), 16777216, 16777216,
      INT64_C(1) << 30 },
    { "limits", "max_facts_per_request", ROW_INT64, AT(limits.max_facts_per_request), 10000, 1,
      10000000 },
    { "limits", "max_derived_facts", ROW_INT64, AT(limits.max_derived_facts), 100000, 1,
      INT64_C(1000000000) },
    { "limits", "max_intervals_per_atom", ROW_INT64, AT(limits.max_intervals_per_atom), 1000, 1,
      10000000 },
    { "limits", "max_compute_ms", ROW_INT64, AT(limits.max_compute_ms), 5000, 1, DAY_MS },
    { "limits", "max_depth", ROW_UINT32, AT(limits.max_depth), 64, 32, 200 },
    { "limits", "eval_time_skew", ROW_DURATION_MS, AT(limits.eval_time_skew_ms), 0, 0,
      366 * DAY_MS },
    { "disclosure", "full", ROW_INT, AT(disclosure.full), 70, 0, 101 },
    { "disclosure", "condensed", ROW_INT, AT(disclosure.condensed), 40, 0, 101 },
    { "disclosure", "minimal", ROW_INT, AT(disclosure.minimal), 20, 0, 101 },
    { "disclosure", "bytes_per_token", ROW_INT, AT(disclosure.bytes_per_token), 4, 1, 64 },
    { "disclosure", "condensed_chars", ROW_INT, AT(disclosure.condensed_chars), 120, 20, 1000 },
    { "disclosure", "inline_skill_tokens", ROW_INT, AT(disclosure.inline_skill_tokens), 2000, 0,
      1000000 },
    { "disclosure", "instruction_tokens", ROW_INT, AT(disclosure.instruction_tokens), 200, 10,
      100000 },
    { "disclosure", "calls", ROW_BOOL, AT(disclosure.calls), 0, 0, 1 },
    { "validity", "max", ROW_DURATION_MS, AT(max_validity_ms), DAY_MS, 1, 366 * DAY_MS },
    { "validity", "cache", ROW_DURATION_MS, AT(cache_ms), 300000, 300000, 366 * DAY_MS },
    { "observability", "max_events", ROW_UINT32, AT(max_events), 20, 1, 10000 },
    { "observability", "max_asserts", ROW_UINT32, AT(max_asserts), 100, 1, 100000 },
    { "actions", "timeout", ROW_DURATION_MS, AT(action_timeout_ms), 30000, 1, DAY_MS },
    { "actions", "invocation_timeout", ROW_DURATION_MS, AT(invocation_timeout_ms), 120000, 1,
      DAY_MS },
    { "actions", "processes", ROW_UINT32, AT(hosts), 2, 1, 256 },
    { "actions", "wait", ROW_DURATION_MS, AT(host_wait_ms), 5000, 0, DAY_MS },
    { "confirmation", "ttl", ROW_DURATION_MS, AT(confirmation_ttl_ms), 300000, 1000, DAY_MS },
    { "signatures", "ttl", ROW_DURATION_MS, AT(signature_ttl_ms), DAY_MS, 1000, 366 * DAY_MS },
    { "rate", "limit", ROW_INT64, AT(rate_limit), 0, 0, 1000000000 },
    { "rate", "window", ROW_DURATION_MS, AT(rate_window_ms), 60000, 1, DAY_MS },
    { "temporal", "allow_dangerous", ROW_BOOL, AT(allow_dangerous), 0, 0, 1 },
    { "temporal", "strict", ROW_BOOL, AT(strict_time), 0, 0, 1 },
    { "temporal", "epoch_ms", ROW_BOOL, AT(epoch_ms), 1, 0, 1 },
    { "temporal", "epoch_ns", ROW_BOOL, AT(epoch_ns), 1, 0, 1 },
    { NULL, "coverage", ROW_BOOL, AT(coverage), 0, 0, 1 },
};
#define ROW_COUNT (sizeof rows / sizeof *rows)

static const char *const top_keys[] = {
    "server",   "domain",        "intents",  "settings",     "limits",   "disclosure",
    "validity", "observability", "actions",  "confirmation", "rate",     "temporal",
    "coverage", "masking",       "external", "signatures",   "policies", NULL
};

/* Keys of sections that are not rows. */
static const char *const more_keys[][2] = { { "domain", "categories" }, { "domain", "affinities" },
                                            { "actions", "plugins" },   { "actions", "hosts" },
                                            { "actions", "commands" },  { "actions", "http" },
                                            { "actions", "mcp" },       { "actions", "confine" } };

static const char *const categories[] = {
    "browser_automation", "codebase_analysis", "workflow_orchestration",
    "data_integration",   "testing",           "documentation",
    "infrastructure",     "security"
};

/* ---- small readers ----------------------------------------------------------------------- */

static struct str node_text(const struct yaml_context *c, const struct yaml_node *n,
                            const char *what)
{
    if (n->kind == YAML_SCALAR && !mgi_yaml_is_null(n) && n->text.len > 0)
        return n->text;
    mgi_yaml_error(c, n, "BAD_VALUE", NULL, "%s must be text, not %s", what, mgi_yaml_kind_name(n));
    return (struct str){ "", 0 };
}

struct str mgi_yaml_text(const struct yaml_context *c, const struct yaml_node *map, const char *key,
                         bool required)
{
    const struct yaml_node *n = mgi_yaml_get(map, key);
    if (n)
        return node_text(c, n, key);
    if (required)
        mgi_yaml_error(c, map, "MISSING_KEY", NULL, "\"%s\" is missing", key);
    return (struct str){ "", 0 };
}

bool mgi_is_identifier(struct str s, size_t max)
{
    if (s.len == 0 || s.len > max || s.ptr[0] < 'a' || s.ptr[0] > 'z')
        return false;
    for (size_t i = 1; i < s.len; i++) {
        char ch = s.ptr[i];
        if (!((ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9') || ch == '_'))
            return false;
    }
    return true;
}

/* A list of texts. False: memory. */
static bool text_list(const struct yaml_context *c, const struct yaml_node *n, const char *what,
                      const struct str **out, size_t *count)
{
    *out = NULL;
    *count = 0;
    if (!n)
        return true;
    if (n->kind != YAML_LIST) {
        mgi_yaml_error(c, n, "BAD_VALUE", "Write it as [a, b].", "%s must be a list, not %s", what,
                       mgi_yaml_kind_name(n));
        return true;
    }
    struct str *list = mgi_arena_calloc(c->arena, n->count + 1, sizeof *list);
    if (!list)
        return false;
    for (size_t i = 0; i < n->count; i++)
        list[i] = node_text(c, n->entries[i].value, what);
    *out = list;
    *count = n->count;
    return true;
}

/* ---- rows -------------------------------------------------------------------------------- */

static void store_number(const struct row *r, struct domain_settings *s, int64_t v)
{
    void *at = (char *)s + r->offset;
    switch (r->kind) {
    case ROW_INT64:
    case ROW_DURATION_MS:
        *(int64_t *)at = v;
        break;
    case ROW_INT:
        *(int *)at = (int)v;
        break;
    case ROW_UINT32:
        *(uint32_t *)at = (uint32_t)v;
        break;
    case ROW_BOOL:
        *(bool *)at = v != 0;
        break;
    case ROW_TEXT:
        break;
    }
}

static bool number_of(const struct row *r, const struct yaml_node *n, int64_t *v)
{
    bool b;
    switch (r->kind) {
    case ROW_BOOL:
        if (!mgi_yaml_bool(n, &b))
            return false;
        *v = b;
        return true;
    case ROW_DURATION_MS:
        if (n->kind != YAML_SCALAR || !mgi_duration_parse(n->text, true, v))
            return false;
        *v /= NS_PER_MS;
        return true;
    default:
        return mgi_yaml_int(n, v);
    }
}

static void read_row(const struct yaml_context *c, const struct row *r,
                     const struct yaml_node *section, struct domain_settings *s)
{
    static const char *const wanted[] = { "text",           "a whole number",
                                          "a whole number", "a whole number",
                                          "true or false",  "a duration such as 30s" };
    if (r->kind == ROW_TEXT) {
        *(struct str *)((char *)s + r->offset) = mgi_yaml_text(c, section, r->key, r->min == 1);
        return;
    }
    store_number(r, s, r->fallback);
    const struct yaml_node *n = mgi_yaml_get(section, r->key);
    if (!n)
        return;
    int64_t v = 0;
    if (!number_of(r, n, &v))
        mgi_yaml_error(c, n, "BAD_VALUE", NULL, "%s must be %s, not %s", r->key, wanted[r->kind],
                       mgi_yaml_kind_name(n));
    else if (v < r->min || v > r->max)
        mgi_yaml_error(c, n, "OUT_OF_RANGE", NULL, "%s must be from %lld to %lld%s", r->key,
                       (long long)r->min, (long long)r->max,
                       r->kind == ROW_DURATION_MS ? " (milliseconds)" : "");
    else
        store_number(r, s, v);
}

static void check_section(const struct yaml_context *c, const char *name, const struct yaml_node *n)
{
    if (n->kind != YAML_MAP) {
        mgi_yaml_error(c, n, "BAD_VALUE", NULL, "%s must be a map, not %s", name,
                       mgi_yaml_kind_name(n));
        return;
    }
    const char *keys[ROW_COUNT + sizeof more_keys / sizeof *more_keys + 1];
    size_t count = 0;
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].section && strcmp(rows[i].section, name) == 0)
            keys[count++] = rows[i].key;
    for (size_t i = 0; i < sizeof more_keys / sizeof *more_keys; i++)
        if (strcmp(more_keys[i][0], name) == 0)
            keys[count++] = more_keys[i][1];
    keys[count] = NULL;
    mgi_yaml_known_keys(c, n, name, keys);
}

static void read_rows(const struct yaml_context *c, const struct yaml_node *root,
                      struct domain_settings *s)
{
    static const struct yaml_node nothing = { .kind = YAML_MAP };
    mgi_yaml_known_keys(c, root, "domain.yaml", top_keys);
    for (const char *const *key = top_keys; *key; key++) {
        const struct yaml_node *n = mgi_yaml_get(root, *key);
        if (n && strcmp(*key, "intents") != 0 && strcmp(*key, "settings") != 0 &&
            strcmp(*key, "coverage") != 0 && strcmp(*key, "masking") != 0 &&
            strcmp(*key, "external") != 0 && strcmp(*key, "policies") != 0)
            check_section(c, *key, n);
    }
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const struct yaml_node *section =
            rows[i].section ? mgi_yaml_get(root, rows[i].section) : root;
        if (!section && rows[i].kind == ROW_TEXT) {
            mgi_yaml_error(c, root, "MISSING_KEY", NULL, "\"%s.%s\" is missing", rows[i].section,
                           rows[i].key);
            continue;
        }
        read_row(c, &rows[i], section && section->kind == YAML_MAP ? section : &nothing, s);
    }
}

/* The section that has a row of that key; NULL: none. */
static const char *section_of(const char *key)
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].section && strcmp(rows[i].key, key) == 0)
            return rows[i].section;
    return NULL;
}

/* ---- the parts that are not scalars ------------------------------------------------------ */

static bool read_identity(const struct yaml_context *c, const struct yaml_node *root,
                          struct domain_settings *s)
{
    const struct yaml_node *domain = mgi_yaml_get(root, "domain");
    const struct yaml_node *list = mgi_yaml_get(domain, "categories");
    if (!text_list(c, list, "categories", &s->categories, &s->category_count))
        return false;
    for (size_t i = 0; i < s->category_count; i++) {
        bool known = mgi_str_starts(s->categories[i], STR_LIT("x-"));
        for (size_t k = 0; k < sizeof categories / sizeof *categories && !known; k++)
            known = str_is(s->categories[i], categories[k]);
        if (!known)
            mgi_yaml_error(c, list->entries[i].value, "BAD_VALUE",
                           "Prefix categories of your own with x-.", "unknown category \"%.*s\"",
                           STR_ARG(s->categories[i]));
    }
    const struct yaml_node *map = mgi_yaml_get(domain, "affinities");
    if (!map)
        return true;
    if (map->kind != YAML_MAP) {
        mgi_yaml_error(c, map, "BAD_VALUE", NULL, "affinities must be a map of names to 0 to 100");
        return true;
    }
    s->affinities = mgi_arena_calloc(c->arena, map->count + 1, sizeof *s->affinities);
    if (!s->affinities)
        return false;
    for (size_t i = 0; i < map->count; i++) {
        int64_t v;
        if (!mgi_yaml_int(map->entries[i].value, &v) || v < 0 || v > 100)
            mgi_yaml_error(c, map->entries[i].value, "BAD_VALUE", NULL,
                           "an affinity is a whole number from 0 to 100");
        else
            s->affinities[s->affinity_count++] = (struct affinity){ map->entries[i].key, (int)v };
    }
    return true;
}

/* False: memory. */
static bool check_intent_once(const struct yaml_context *c, const struct yaml_node *n,
                              struct str name, struct strmap *names)
{
    uint32_t before;
    if (mgi_strmap_get(names, name, &before))
        mgi_yaml_error(c, n, "DUPLICATE", NULL, "intent \"%.*s\" is listed twice", STR_ARG(name));
    return mgi_strmap_put(names, name, 1);
}

static bool read_intent(const struct yaml_context *c, const struct yaml_node *n,
                        struct intent_entry *e)
{
    static const char *const keys[] = { "name",           "description", "required_facts",
                                        "optional_facts", "open",        NULL };
    mgi_yaml_known_keys(c, n, "an intent", keys);
    e->name = mgi_yaml_text(c, n, "name", true);
    e->description = mgi_yaml_text(c, n, "description", true);
    if (!text_list(c, mgi_yaml_get(n, "required_facts"), "required_facts", &e->required_facts,
                   &e->required_count) ||
        !text_list(c, mgi_yaml_get(n, "optional_facts"), "optional_facts", &e->optional_facts,
                   &e->optional_count))
        return false;
    const struct yaml_node *open = mgi_yaml_get(n, "open");
    if (open && !mgi_yaml_bool(open, &e->open))
        mgi_yaml_error(c, open, "BAD_VALUE", NULL, "open must be true or false");
    return true;
}

static bool read_intents(const struct yaml_context *c, const struct yaml_node *root,
                         struct domain_settings *s)
{
    const struct yaml_node *list = mgi_yaml_get(root, "intents");
    if (!list)
        return true;
    if (list->kind != YAML_LIST) {
        mgi_yaml_error(c, list, "BAD_VALUE", NULL, "intents must be a list");
        return true;
    }
    s->intents = mgi_arena_calloc(c->arena, list->count + 1, sizeof *s->intents);
    if (!s->intents)
        return false;
    struct strmap names;
    bool ok = true;
    mgi_strmap_init(&names);
    for (size_t i = 0; i < list->count && ok; i++) {
        const struct yaml_node *n = list->entries[i].value;
        if (n->kind != YAML_MAP) {
            mgi_yaml_error(c, n, "BAD_VALUE", NULL,
                           "an intent must be a map with name and description");
            continue;
        }
        struct intent_entry *e = &s->intents[s->intent_count++];
        ok = read_intent(c, n, e) && check_intent_once(c, n, e->name, &names);
    }
    mgi_strmap_fini(&names);
    return ok;
}

/* A path of domain.yaml counts from the folder; one of the command line is absolute already. An
 * empty one is none. */
static bool absolute(struct loading *l, struct json *v)
{
    if (v->string.len == 0 || v->string.ptr[0] == '/')
        return true;
    char *path = str_is(v->string, ".")
                     ? mgi_arena_strdup(l->yaml.arena, l->folder)
                     : mgi_arena_printf(l->yaml.arena, "%s/%.*s", l->folder, STR_ARG(v->string));
    if (!path)
        return false;
    v->string = str_of(path);
    return true;
}

static bool read_setting(struct loading *l, const struct yaml_entry *e, struct setting *out)
{
    static const char *const keys[] = { "type", "default", "description", "worktree_of", NULL };
    static const char *const types[] = { "path", "string", "number", "boolean" };
    const struct yaml_context *c = &l->yaml;
    out->key = e->key;
    if (!mgi_is_identifier(e->key, 64))
        mgi_yaml_error(c, e->value, "BAD_NAME", NULL, "a setting is named [a-z][a-z0-9_]*");
    if (e->value->kind != YAML_MAP) {
        mgi_yaml_error(c, e->value, "BAD_VALUE", NULL, "a setting is a map with type and default");
        return true;
    }
    mgi_yaml_known_keys(c, e->value, "a setting", keys);
    struct str type = mgi_yaml_text(c, e->value, "type", true);
    out->description = mgi_yaml_text(c, e->value, "description", false);
    size_t t = 0;
    while (t < 4 && !str_is(type, types[t]))
        t++;
    if (t == 4 && type.len > 0)
        mgi_yaml_error(c, mgi_yaml_get(e->value, "type"), "BAD_VALUE", NULL,
                       "a type is path, string, number or boolean");
    const struct yaml_node *n = mgi_yaml_get(e->value, "default");
    if (!n) {
        mgi_yaml_error(c, e->value, "MISSING_KEY", NULL, "\"default\" is missing");
        return true;
    }
    if (t == 4)
        return true;
    bool textual = t < 2;
    if (textual && n->kind == YAML_SCALAR) { /* 8080 and true are fine as text */
        out->value = (struct json){ .type = JSON_STRING, .string = n->text };
        struct yaml_node quoted = *n;
        quoted.plain = false;
        if (!mgi_yaml_to_json(c->arena, &quoted, &out->value))
            return false;
        return t == 0 ? absolute(l, &out->value) : true;
    }
    if (!mgi_yaml_to_json(c->arena, n, &out->value))
        return false;
    bool fits = t == 2 ? out->value.type == JSON_INT || out->value.type == JSON_FLOAT
                       : t == 3 && out->value.type == JSON_BOOL;
    if (!fits)
        mgi_yaml_error(c, n, "BAD_VALUE", NULL, "setting %.*s must be a %s, not %s",
                       STR_ARG(e->key), types[t], mgi_yaml_kind_name(n));
    return true;
}

static struct setting *path_named(struct loading *l, const struct yaml_node *map, struct str key)
{
    struct domain_settings *s = &l->s->settings;
    for (size_t i = 0; i < s->setting_count; i++)
        if (str_eq(s->settings[i].key, key) &&
            str_is(mgi_yaml_text(&l->yaml, map->entries[i].value, "type", false), "path"))
            return &s->settings[i];
    return NULL;
}

/* `worktree_of`: an empty path becomes the repository of the worktree that another one is. False:
 * memory. */
static bool find_repository(struct loading *l, const struct yaml_node *map, size_t index)
{
    struct setting *s = &l->s->settings.settings[index];
    const struct yaml_node *n = mgi_yaml_get(map->entries[index].value, "worktree_of");
    char found[PATH_MAX];
    if (!n)
        return true;
    const struct setting *of = path_named(l, map, n->kind == YAML_SCALAR ? n->text : STR_LIT(""));
    if (!of || of == s || path_named(l, map, s->key) != s) {
        mgi_yaml_error(&l->yaml, n, "BAD_VALUE", NULL,
                       "worktree_of is of a path, and names another setting that is a path");
        return true;
    }
    if (s->value.string.len > 0 || !of->value.string.ptr ||
        !mgi_worktree_repository(of->value.string, found))
        return true;
    const char *kept = mgi_arena_strdup(l->yaml.arena, found);
    if (kept)
        s->value.string = str_of(kept);
    return kept != NULL;
}

static bool read_user_settings(struct loading *l, const struct yaml_node *root)
{
    struct domain_settings *s = &l->s->settings;
    const struct yaml_node *map = mgi_yaml_get(root, "settings");
    if (!map)
        return true;
    if (map->kind != YAML_MAP) {
        mgi_yaml_error(&l->yaml, map, "BAD_VALUE", NULL, "settings must be a map");
        return true;
    }
    s->settings = mgi_arena_calloc(l->yaml.arena, map->count + 1, sizeof *s->settings);
    if (!s->settings)
        return false;
    for (size_t i = 0; i < map->count; i++)
        if (!read_setting(l, &map->entries[i], &s->settings[s->setting_count++]))
            return false;
    for (size_t i = 0; i < map->count; i++)
        if (!find_repository(l, map, i))
            return false;
    return true;
}

/* ---- the whole --------------------------------------------------------------------------- */

static void check_cutoffs(const struct yaml_context *c, const struct yaml_node *root,
                          const struct disclosure *d)
{
    if (d->minimal > d->condensed || d->condensed > d->full)
        mgi_yaml_error(c, mgi_yaml_get(root, "disclosure"), "BAD_VALUE", NULL,
                       "cut-offs must rise: minimal %d, condensed %d, full %d", d->minimal,
                       d->condensed, d->full);
}

/* What actions are promised and this kernel does not keep: an error where it is required. */
static void tell_unenforced(const struct loading *l, const struct yaml_node *at,
                            enum confine_setting confine)
{
    const struct action_source *source = l->options->actions;
    const bool required = confine == CONFINE_REQUIRED;
    if (confine == CONFINE_OFF)
        mgi_findings_add(l->yaml.findings, MANGLE_WARNING, "UNCONFINED", at->origin, at->line,
                         at->column, "Take \"confine: off\" away, or write on or required.",
                         "actions run with all rights of the server");
    for (size_t i = 0; source && confine != CONFINE_OFF && source->unenforced[i]; i++)
        mgi_findings_add(l->yaml.findings, required ? MANGLE_ERROR : MANGLE_WARNING, "NOT_ENFORCED",
                         at->origin, at->line, at->column,
                         required ? "Run it on a newer kernel, or say \"confine: on\"." : NULL,
                         "this kernel does not confine actions as promised: %s",
                         source->unenforced[i]);
}

static void read_confine(const struct yaml_context *c, const struct yaml_node *root,
                         struct domain_settings *d)
{
    static const char *const words[] = {
        [CONFINE_ON] = "on", [CONFINE_OFF] = "off", [CONFINE_REQUIRED] = "required"
    };
    const struct yaml_node *n = mgi_yaml_get(mgi_yaml_get(root, "actions"), "confine");
    for (int i = CONFINE_ON; n && i <= CONFINE_REQUIRED; i++)
        if (n->kind == YAML_SCALAR && str_is(n->text, words[i])) {
            d->confine = (enum confine_setting)i;
            return;
        }
    if (n)
        mgi_yaml_error(c, n, "BAD_VALUE", NULL, "\"confine\" is on, required or off, not %s",
                       mgi_yaml_kind_name(n));
}

bool mgi_load_settings(struct loading *l)
{
    const struct yaml_context *c = &l->yaml;
    struct file file;
    bool found;
    l->actions_unknown = true; /* until the file says which plugins there are */
    if (!mgi_file_read(c, l->folder, "domain.yaml", &file, &found))
        return false;
    if (!found) {
        struct stat st;
        if (stat(l->folder, &st) < 0)
            mgi_findings_add(c->findings, MANGLE_ERROR, "NO_DOMAIN", "domain.yaml", 0, 0, NULL,
                             "%s is not a domain folder: %s", l->folder, strerror(errno));
        else if (mgi_findings_errors(c->findings) == 0)
            mgi_findings_add(c->findings, MANGLE_ERROR, "NO_DOMAIN", "domain.yaml", 0, 0,
                             "docs/domain-format.md says what a domain folder holds; README.md "
                             "builds a small one.",
                             "%s is not a domain folder: it has no domain.yaml", l->folder);
        return true;
    }
    struct yaml_node *root = mgi_yaml_parse(c, file.path, file.text, 0);
    if (!root)
        return !c->arena->oom;
    if (root->kind != YAML_MAP) {
        mgi_yaml_error(c, root, "BAD_VALUE", NULL, "domain.yaml must be a map, not %s",
                       mgi_yaml_kind_name(root));
        return true;
    }
    for (size_t i = 0; i < l->options->set_count; i++)
        if (!mgi_override_apply(c, root, l->options->set[i], section_of))
            return false;
    read_rows(c, root, &l->s->settings);
    if (!read_identity(c, root, &l->s->settings) || !read_intents(c, root, &l->s->settings) ||
        !read_user_settings(l, root))
        return false;
    check_cutoffs(c, root, &l->s->settings.disclosure);
    read_confine(c, root, &l->s->settings);
    const struct yaml_node *foreign = mgi_yaml_get(root, "actions");
    if (!foreign)
        foreign = mgi_yaml_get(root, "policies");
    if (foreign)
        tell_unenforced(l, foreign, l->s->settings.confine);
    l->domain_yaml = root;
    l->actions_unknown = false;
    return true;
}
