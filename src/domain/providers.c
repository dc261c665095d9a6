/* The providers of a domain: read by kind, listed while rules are compiled, and their actions in
 * one table. What kinds there are is told by whoever loads (action_source.kinds). */
#include "domain/provider.h"

#include <stdlib.h>
#include <unistd.h>

#include "domain/domain_int.h"

/* A provider whose actions are wanted. */
struct provider_begun {
    struct provider_begun *next;
    const struct yaml_node *at;
    struct action_provider provider;
    void *work;      /* of action_source.begin; NULL: none */
    struct str said; /* for whoever notes it */
};

enum { ROOMY_SPACE_MB = 16384, ROOMY_DESCRIPTORS = 1024 };

/* ---- shared objects ------------------------------------------------------------------------ */

static const char *find_plugin(struct loading *l, struct str name, bool product)
{
    struct arena *a = l->yaml.arena;
    char *path = mgi_arena_printf(a, "%s/plugins/%.*s.so", l->folder, STR_ARG(name));
    if (path && !product && access(path, F_OK) == 0)
        return path;
    for (size_t i = 0; path && i < l->options->plugin_path_count; i++) {
        path = mgi_arena_printf(a, "%s/%.*s.so", l->options->plugin_paths[i], STR_ARG(name));
        if (path && access(path, F_OK) == 0)
            return path;
    }
    return NULL;
}

const char *mgi_provider_plugin(struct provider_reader *r, const struct yaml_node *at,
                                struct str name, bool product)
{
    const char *path = find_plugin(r->loading, name, product);
    if (!path && product)
        mgi_yaml_error(r->yaml, at, "NO_PLUGIN",
                       "It belongs to the product: name the folder that has it with --plugins.",
                       "there is no plugin %.*s.so in the plugin folders", STR_ARG(name));
    else if (!path)
        mgi_yaml_error(r->yaml, at, "NO_PLUGIN", "Build it, or name its folder with --plugins.",
                       "there is no plugin %.*s.so in plugins/ or the plugin folders",
                       STR_ARG(name));
    if (!path || !mgi_plugin_trusted(r->loading, at, name, path)) {
        r->loading->actions_unknown = true;
        return NULL;
    }
    return path;
}

/* ---- provider documents -------------------------------------------------------------------- */

const char *const mgi_provider_keys[] = { "may", "read", "write", NULL };

static const char *const capabilities[] = { "file_read", "file_write", "shell", "network",
                                            "memory",    "genesis",    "gpu",   NULL };

static bool is_known(struct str word, const char *const *words)
{
    while (*words && !str_is(word, *words))
        words++;
    return *words != NULL;
}

/* The texts of a list; what is none is told. NULL: it is not there, or no list (told). */
static const struct yaml_node *list_of(struct provider_reader *r, const struct yaml_node *entry,
                                       const char *key)
{
    const struct yaml_node *list = mgi_yaml_get(entry, key);
    if (list && list->kind != YAML_LIST) {
        mgi_yaml_error(r->yaml, list, "BAD_VALUE", NULL, "\"%s\" must be a list, not %s", key,
                       mgi_yaml_kind_name(list));
        return NULL;
    }
    return list;
}

static bool is_text(struct provider_reader *r, const struct yaml_node *n, const char *what)
{
    if (n->kind == YAML_SCALAR && n->text.len > 0 && !mgi_yaml_is_null(n))
        return true;
    mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "%s must be text, not %s", what,
                   mgi_yaml_kind_name(n));
    return false;
}

static void write_capabilities(struct provider_reader *r, const struct yaml_node *entry,
                               struct json_writer *w)
{
    const struct yaml_node *list = list_of(r, entry, "may");
    if (!list)
        return;
    mgi_jw_key(w, "caps");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < list->count; i++) {
        const struct yaml_node *n = list->entries[i].value;
        if (!is_text(r, n, "a capability"))
            continue;
        const char *near = mgi_nearest_name(n->text, capabilities);
        if (is_known(n->text, capabilities))
            mgi_jw_string(w, n->text);
        else
            mgi_yaml_error(r->yaml, n, "BAD_VALUE",
                           near ? mgi_arena_printf(r->yaml->arena, "Did you mean %s?", near)
                                : "They are file_read, file_write, shell, network and gpu.",
                           "there is no capability \"%.*s\"", STR_ARG(n->text));
    }
    mgi_jw_end_array(w);
}

static void write_paths(struct provider_reader *r, const struct yaml_node *entry, const char *key,
                        struct json_writer *w)
{
    const struct yaml_node *list = list_of(r, entry, key);
    if (!list)
        return;
    mgi_jw_key(w, key);
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < list->count; i++) {
        const struct yaml_node *n = list->entries[i].value;
        const char *path = is_text(r, n, "a path") ? mgi_provider_granted(r, n, true) : NULL;
        if (path && path[0])
            mgi_jw_string(w, str_of(path));
    }
    mgi_jw_end_array(w);
}

/* A plugin's entry alone has them: what it says takes the place of the host's defaults. */
static void write_limits(struct provider_reader *r, const struct yaml_node *limits,
                         struct json_writer *w)
{
    static const struct {
        const char *key, *member;
        int64_t least, most;
    } rows[] = { { "memory_mb", "address_space_mb", 0, 1 << 20 },
                 { "descriptors", "descriptors", 16, 1 << 16 },
                 { "processes", "processes", 1, 1 << 16 },
                 { "file_mb", "file_mb", 1, 1 << 20 } };
    static const char *const keys[] = { "memory_mb", "descriptors", "processes", "file_mb", NULL };
    if (limits->kind != YAML_MAP) {
        mgi_yaml_error(r->yaml, limits, "BAD_VALUE", NULL, "\"limits\" must be a map, not %s",
                       mgi_yaml_kind_name(limits));
        return;
    }
    mgi_yaml_known_keys(r->yaml, limits, "limits", keys);
    mgi_jw_key(w, "limits");
    mgi_jw_begin_object(w);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct yaml_node *v = mgi_yaml_get(limits, rows[i].key);
        int64_t n = 0;
        if (v && mgi_yaml_int(v, &n) && n >= rows[i].least && n <= rows[i].most)
            mgi_jw_member_int(w, rows[i].member, n);
        else if (v)
            mgi_yaml_error(r->yaml, v, "BAD_VALUE", NULL,
                           "\"%s\" must be a whole number from %lld to %lld", rows[i].key,
                           (long long)rows[i].least, (long long)rows[i].most);
    }
    mgi_jw_end_object(w);
}

static struct str write_document(struct provider_reader *r, const struct yaml_node *entry,
                                 struct str name, struct str settings, bool roomy)
{
    static const struct str words[] = { [CONFINE_ON] = { "on", 2 },
                                        [CONFINE_OFF] = { "off", 3 },
                                        [CONFINE_REQUIRED] = { "required", 8 } };
    struct buf text = { 0 };
    struct json_writer w;
    if (entry && entry->kind != YAML_MAP)
        entry = NULL;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "name", name);
    mgi_jw_member_str(&w, "confine", words[r->loading->s->settings.confine]);
    if (entry) {
        write_capabilities(r, entry, &w);
        write_paths(r, entry, "read", &w);
        write_paths(r, entry, "write", &w);
    }
    if (entry && mgi_yaml_get(entry, "limits")) {
        write_limits(r, mgi_yaml_get(entry, "limits"), &w);
    } else if (roomy) {
        mgi_jw_key(&w, "limits");
        mgi_jw_begin_object(&w);
        mgi_jw_member_int(&w, "address_space_mb", ROOMY_SPACE_MB);
        mgi_jw_member_int(&w, "descriptors", ROOMY_DESCRIPTORS);
        mgi_jw_end_object(&w);
    }
    if (settings.len > 0) {
        mgi_jw_key(&w, "settings");
        mgi_jw_raw(&w, settings);
    }
    mgi_jw_end_object(&w);
    struct str kept = mgi_arena_str(r->yaml->arena, mgi_buf_view(&text));
    if (text.oom)
        kept = (struct str){ NULL, 0 };
    if (text.ptr)
        explicit_bzero(text.ptr, text.len);
    mgi_buf_fini(&text);
    return kept;
}

struct str mgi_provider_document(struct provider_reader *r, const struct yaml_node *entry,
                                 struct str name, struct str settings)
{
    return write_document(r, entry, name, settings, false);
}

struct str mgi_provider_document_roomy(struct provider_reader *r, const struct yaml_node *entry,
                                       struct str name, struct str settings)
{
    return write_document(r, entry, name, settings, true);
}

/* ---- plugins ------------------------------------------------------------------------------- */

static bool is_plugin_name(struct str name)
{
    return name.len > 0 && name.len <= 64 && !memchr(name.ptr, '/', name.len) && name.ptr[0] != '.';
}

static struct str settings_of(struct provider_reader *r, const struct yaml_node *entry)
{
    struct str value;
    const struct yaml_node *n = mgi_yaml_get(entry, "settings");
    if (!n)
        return STR_LIT("");
    if (n->kind != YAML_MAP) {
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "\"settings\" must be a map, not %s",
                       mgi_yaml_kind_name(n));
        return STR_LIT("");
    }
    return mgi_provider_settings(r, n, &value) ? value : (struct str){ NULL, 0 };
}

static bool read_plugin(struct provider_reader *r, const struct yaml_node *n)
{
    static const char *const keys[] = {
        "name", "may", "read", "write", "limits", "settings", NULL
    };
    struct str name = n->text, settings = STR_LIT("");
    if (n->kind == YAML_MAP) {
        mgi_yaml_known_keys(r->yaml, n, "a plugin", keys);
        name = mgi_yaml_text(r->yaml, n, "name", true);
        settings = settings_of(r, n);
        if (!settings.ptr)
            return false;
        if (name.len == 0)
            return true;
    }
    if (n->kind == YAML_LIST || !is_plugin_name(name)) {
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "a plugin is named by one word");
        return true;
    }
    const char *path = mgi_provider_plugin(r, n, name, false);
    struct action_provider p = { .kind = "plugins",
                                 .name = name,
                                 .plugin = path ? str_of(path) : STR_LIT(""),
                                 .document = mgi_provider_document(r, n, name, settings) };
    return p.document.ptr && (!path || mgi_provider_add(r, n, &p));
}

bool mgi_read_plugins(struct provider_reader *r, const struct yaml_node *node)
{
    if (node->kind != YAML_LIST) {
        mgi_yaml_error(r->yaml, node, "BAD_VALUE", "Write it as [text, browser].",
                       "plugins must be a list, not %s", mgi_yaml_kind_name(node));
        return true;
    }
    for (size_t i = 0; i < node->count; i++)
        if (!read_plugin(r, node->entries[i].value))
            return false;
    return true;
}

/* ---- all of them --------------------------------------------------------------------------- */

void mgi_provider_failed(struct provider_reader *r)
{
    r->loading->actions_unknown = true;
}

bool mgi_provider_add(struct provider_reader *r, const struct yaml_node *at,
                      const struct action_provider *p)
{
    struct loading *l = r->loading;
    const struct action_source *source = l->options->actions;
    struct provider_begun *b = mgi_arena_calloc(l->yaml.arena, 1, sizeof *b);
    if (!b)
        return false;
    b->at = at;
    b->provider = *p;
    b->provider.origin = at->origin;
    b->provider.line = at->line;
    struct provider_begun **last = &l->begun;
    while (*last)
        last = &(*last)->next;
    *last = b;
    if (source)
        b->provider.known = mgi_prepared_list(&l->prepared, source->program, &b->provider);
    b->provider.said = l->prepared.notes ? &b->said : NULL;
    if (source && source->begin && !b->provider.known.ptr)
        b->work = source->begin(source->context, &b->provider);
    return true;
}

bool mgi_begin_actions(struct loading *l)
{
    static const struct action_kind plugins_alone[] = { { "plugins", mgi_read_plugins, false },
                                                        { NULL, NULL, false } };
    const struct action_source *source = l->options->actions;
    const struct yaml_node *actions = mgi_yaml_get(l->domain_yaml, "actions");
    struct provider_reader reader = { .yaml = &l->yaml,
                                      .folder = l->folder,
                                      .settings = &l->s->settings,
                                      .tool_commands = l->tool_commands,
                                      .tool_command_count = l->tool_command_count,
                                      .loading = l };
    const struct action_kind *kind = source && source->kinds ? source->kinds : plugins_alone;
    for (; kind->key; kind++) {
        const struct yaml_node *node = mgi_yaml_get(actions, kind->key);
        bool of_tools = kind->of_tools && l->tool_command_count > 0;
        if ((node || of_tools) && !kind->read(&reader, node))
            return false;
    }
    return !l->yaml.arena->oom;
}

void mgi_forget_actions(struct loading *l)
{
    for (struct provider_begun *b = l->begun; b; b = b->next)
        if (b->work)
            l->options->actions->forget(b->work);
    l->begun = NULL;
}

/* A path that it could not have may be what a setting says: people know that by the setting's name.
 */
static const char *setting_meant(struct loading *l, struct str why)
{
    const struct domain_settings *all = &l->s->settings;
    for (size_t i = 0; i < all->setting_count; i++) {
        const struct json *v = &all->settings[i].value;
        if (v->type != JSON_STRING || v->string.len < 2 || v->string.ptr[0] != '/')
            continue;
        char *quoted = mgi_arena_printf(l->yaml.arena, "\"%.*s\"", STR_ARG(v->string));
        if (quoted && mgi_str_find(why, str_of(quoted)) != SIZE_MAX)
            return mgi_arena_printf(l->yaml.arena, "That is the setting %.*s: --set %.*s=PATH.",
                                    STR_ARG(all->settings[i].key), STR_ARG(all->settings[i].key));
    }
    return NULL;
}

/* What is behind a line end is what it said besides. */
static void refuse_provider(struct loading *l, const struct provider_begun *b, struct str why)
{
    const char *end = memchr(why.ptr, '\n', why.len);
    mgi_yaml_error(&l->yaml, b->at, "BAD_PLUGIN", end ? end + 1 : setting_meant(l, why),
                   "%s %.*s could not be listed: %.*s",
                   strcmp(b->provider.kind, "plugins") == 0 ? "plugin" : b->provider.kind,
                   STR_ARG(b->provider.name), (int)(end ? end - why.ptr : (ptrdiff_t)why.len),
                   why.ptr);
}

static bool list_one(struct loading *l, struct provider_begun *b)
{
    size_t errors = mgi_findings_errors(l->yaml.findings);
    const char *why = "no program lists actions here";
    const struct action_source *source = l->options->actions;
    void *work = b->work;
    b->work = NULL;
    if (!source || !source->list(source->context, work, l->yaml.arena, &b->provider, &l->s->actions,
                                 &l->s->action_count, &why))
        refuse_provider(l, b, str_of(why ? why : "unknown"));
    else
        mgi_prepared_note_list(&l->prepared, source->program, &b->provider, b->said);
    l->actions_unknown |= mgi_findings_errors(l->yaml.findings) > errors;
    return !l->yaml.arena->oom;
}

static int compare_actions(const void *a, const void *b)
{
    return mgi_str_compare(((const struct action *)a)->aid, ((const struct action *)b)->aid);
}

bool mgi_load_actions(struct loading *l)
{
    struct snapshot *s = l->s;
    for (struct provider_begun *b = l->begun; b; b = b->next)
        if (!list_one(l, b))
            return false;
    const struct yaml_node *actions = mgi_yaml_get(l->domain_yaml, "actions");
    if (s->action_count > 1)
        qsort(s->actions, s->action_count, sizeof *s->actions, compare_actions);
    for (size_t i = 1; i < s->action_count; i++) {
        const struct action_provider *a = s->actions[i - 1].provider, *b = s->actions[i].provider;
        if (str_eq(s->actions[i].aid, s->actions[i - 1].aid))
            mgi_yaml_error(&l->yaml, actions, "DUPLICATE", NULL,
                           "action %.*s is in %s %.*s and in %s %.*s", STR_ARG(s->actions[i].aid),
                           a->kind, STR_ARG(a->name), b->kind, STR_ARG(b->name));
    }
    return true;
}
