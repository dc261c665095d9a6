/* `actions: commands`: see kinds.h. All commands of a domain are one provider: they share the
 * worker that starts them, which may do what any of them may. */
#include "actions/command_int.h"
#include "base/buf.h"
#include "domain/command_form.h"

#define MAX_COMMANDS 1024 /* a plugin has no more tools */

struct commands {
    struct provider_reader *r;
    const struct yaml_node **items;
    size_t count, cap;
    struct action_place *places; /* one for each */
    struct kind_files files;
};

static bool take(struct commands *all, const struct yaml_node *command)
{
    struct arena *a = all->r->yaml->arena;
    if (command->kind != YAML_MAP) {
        mgi_yaml_error(all->r->yaml, command, "BAD_VALUE", NULL, "a command must be a map, not %s",
                       mgi_yaml_kind_name(command));
        return true;
    }
    if (!mgi_arena_grow(a, &all->items, &all->cap, all->count + 1, sizeof *all->items))
        return false;
    all->items[all->count++] = command;
    return true;
}

/* One command, or a list of them. */
static bool take_file(void *context, const char *path, struct str text)
{
    struct commands *all = context;
    const struct yaml_node *root = mgi_yaml_parse(all->r->yaml, path, text, 0);
    if (!root)
        return !all->r->yaml->arena->oom;
    size_t many = root->kind == YAML_LIST ? root->count : 1;
    for (size_t i = 0; i < many; i++)
        if (!take(all, root->kind == YAML_LIST ? root->entries[i].value : root))
            return false;
    return true;
}

/* ---- what all of them may ------------------------------------------------------------------- */

static bool add_all(struct arena *a, struct yaml_node *into, const struct yaml_node *list)
{
    for (size_t i = 0; list && list->kind == YAML_LIST && i < list->count; i++) {
        if (!mgi_arena_grow(a, &into->entries, &into->cap, into->count + 1, sizeof *into->entries))
            return false;
        into->entries[into->count++] = list->entries[i];
    }
    return true;
}

static bool asks_for(const struct yaml_node *command, const char *capability)
{
    const struct yaml_node *may = mgi_yaml_get(command, "may");
    for (size_t i = 0; may && may->kind == YAML_LIST && i < may->count; i++)
        if (str_is(may->entries[i].value->text, capability))
            return true;
    return false;
}

/* To be started, a program has to be read; what the system has in /usr can be by everybody. */
static bool add_programs(struct commands *all, struct yaml_node *paths, const char *key)
{
    struct arena *a = all->r->yaml->arena;
    for (size_t i = 0; strcmp(key, "read") == 0 && i < all->count; i++) {
        const char *program = all->places[i].runs;
        struct yaml_node *n =
            program ? mgi_yaml_made(a, all->items[i], YAML_SCALAR, str_of(program)) : NULL;
        if (!program || strncmp(program, "/usr/", 5) == 0 || strncmp(program, "/bin/", 5) == 0)
            continue;
        struct yaml_entry entry = { { "", 0 }, 0, 0, n };
        struct yaml_node one = { .kind = YAML_LIST, .entries = &entry, .count = 1 };
        if (!n || !add_all(a, paths, &one))
            return false;
    }
    return true;
}

/* The paths of all, unless one may reach everywhere, which it may by its capability without a list:
 * then there is no list. A list that is wrong is told when the document is written. */
static bool add_paths(struct commands *all, struct yaml_node *entry, const char *key,
                      const char *capability)
{
    struct arena *a = all->r->yaml->arena;
    struct yaml_node *paths = mgi_yaml_made(a, all->items[0], YAML_LIST, STR_LIT(""));
    bool everywhere = false;
    if (!paths)
        return false;
    for (size_t i = 0; i < all->count; i++) {
        const struct yaml_node *list = mgi_yaml_get(all->items[i], key);
        everywhere |= !list && asks_for(all->items[i], capability);
        if (list && list->kind != YAML_LIST)
            mgi_yaml_error(all->r->yaml, list, "BAD_VALUE", NULL, "\"%s\" must be a list, not %s",
                           key, mgi_yaml_kind_name(list));
        if (!add_all(a, paths, list))
            return false;
    }
    return everywhere ||
           (add_programs(all, paths, key) && mgi_yaml_put(a, entry, str_of(key), paths));
}

static const struct yaml_node *entry_of(struct commands *all)
{
    struct arena *a = all->r->yaml->arena;
    const struct yaml_node *at = all->items[0];
    struct yaml_node *entry = mgi_yaml_made(a, at, YAML_MAP, STR_LIT(""));
    struct yaml_node *may = mgi_yaml_made(a, at, YAML_LIST, STR_LIT(""));
    struct yaml_node *shell = mgi_yaml_made(a, at, YAML_SCALAR, STR_LIT("shell"));
    if (!entry || !may || !shell)
        return NULL;
    struct yaml_entry first = { { "", 0 }, at->line, at->column, shell };
    struct yaml_node spawning = { .kind = YAML_LIST, .entries = &first, .count = 1 };
    bool good = add_all(a, may, &spawning);
    for (size_t i = 0; good && i < all->count; i++) {
        const struct yaml_node *list = mgi_yaml_get(all->items[i], "may");
        if (list && list->kind != YAML_LIST)
            mgi_yaml_error(all->r->yaml, list, "BAD_VALUE", NULL, "\"may\" must be a list, not %s",
                           mgi_yaml_kind_name(list));
        good = add_all(a, may, list);
    }
    return good && mgi_yaml_put(a, entry, STR_LIT("may"), may) &&
                   add_paths(all, entry, "read", "file_read") &&
                   add_paths(all, entry, "write", "file_write")
               ? entry
               : NULL;
}

/* ---- the provider --------------------------------------------------------------------------- */

static bool write_settings(struct commands *all, struct buf *settings)
{
    struct json_writer w;
    mgi_json_writer_init(&w, settings, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "folder", all->r->folder);
    mgi_jw_member_cstr(&w, "confine", all->r->settings->confine == CONFINE_OFF ? "off" : "on");
    mgi_jw_key(&w, "actions");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < all->count; i++)
        if (!mgi_command_write(all->r, all->items[i], &w, &all->places[i]))
            return false;
    mgi_jw_end_array(&w);
    mgi_jw_end_object(&w);
    return !settings->oom;
}

static bool make_provider(struct commands *all, const struct yaml_node *node)
{
    struct provider_reader *r = all->r;
    const struct yaml_node *at = node ? node : all->items[0];
    size_t errors = mgi_findings_errors(r->yaml->findings);
    struct buf settings = { 0 };
    all->places = mgi_arena_calloc(r->yaml->arena, all->count, sizeof *all->places);
    const struct yaml_node *entry =
        all->places && write_settings(all, &settings) ? entry_of(all) : NULL;
    bool good = entry != NULL;
    const char *plugin = good ? mgi_provider_plugin(r, at, STR_LIT("command"), true) : NULL;
    if (good) {
        struct action_provider p = {
            .kind = "commands",
            .name = STR_LIT("commands"),
            .plugin = plugin ? str_of(plugin) : STR_LIT(""),
            .document =
                mgi_provider_document(r, entry, STR_LIT("commands"), mgi_buf_view(&settings)),
            .files = all->files.paths,
            .places = all->places,
            .place_count = all->count,
        };
        bool sound = plugin && mgi_findings_errors(r->yaml->findings) == errors;
        if (!sound)
            mgi_provider_failed(r);
        good = p.document.ptr && (!sound || mgi_provider_add(r, at, &p));
    }
    mgi_buf_wipe(&settings);
    return good;
}

bool mgi_read_commands(struct provider_reader *r, const struct yaml_node *node)
{
    static const char *const suffixes[] = { ".yaml", ".yml", NULL };
    struct commands all = { .r = r };
    all.files = (struct kind_files){
        .key = "commands", .suffixes = suffixes, .take = take_file, .context = &all
    };
    if (node && !mgi_kind_files(r, node, &all.files))
        return false;
    for (size_t i = 0; i < r->tool_command_count; i++)
        if (!take(&all, r->tool_commands[i]))
            return false;
    if (all.count > MAX_COMMANDS)
        mgi_yaml_error(r->yaml, all.items[0], "BAD_VALUE", NULL,
                       "there are %zu commands, of at most %d", all.count, MAX_COMMANDS);
    return all.count == 0 || make_provider(&all, node);
}
