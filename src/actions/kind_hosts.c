/* `actions: hosts`: see kinds.h. */
#include <string.h>
#include <unistd.h>

#include "actions/kinds.h"

#define MAX_WORDS  256
#define PYTHONPATH "PYTHONPATH"

/* ---- parts that several kinds need ------------------------------------------------------------
 */

static bool is_text_list(struct provider_reader *r, const struct yaml_node *list, const char *what)
{
    if (list->kind == YAML_LIST && list->count <= MAX_WORDS)
        return true;
    mgi_yaml_error(r->yaml, list, "BAD_VALUE", NULL, "%s must be a list of at most %d texts", what,
                   MAX_WORDS);
    return false;
}

static bool write_text(struct provider_reader *r, const struct yaml_node *n, const char *what,
                       struct json_writer *w)
{
    if (n->kind == YAML_SCALAR && !memchr(n->text.ptr, '\0', n->text.len)) {
        mgi_jw_string(w, n->text);
        return true;
    }
    mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "%s must hold texts, not %s", what,
                   mgi_yaml_kind_name(n));
    return false;
}

bool mgi_kind_texts(struct provider_reader *r, const struct yaml_node *list, const char *what,
                    struct json_writer *w)
{
    bool good = is_text_list(r, list, what);
    mgi_jw_begin_array(w);
    for (size_t i = 0; good && i < list->count; i++)
        good = write_text(r, list->entries[i].value, what, w);
    mgi_jw_end_array(w);
    return good;
}

static void take_variable(void *context, struct str name, struct str value)
{
    struct json_writer *w = context;
    mgi_jw_key_str(w, name);
    mgi_jw_string(w, value);
}

void mgi_kind_environment(struct provider_reader *r, const struct yaml_node *entry,
                          const char *python, struct json_writer *w)
{
    const struct yaml_node *env = mgi_yaml_get(entry, "env");
    if (env && mgi_yaml_get(env, PYTHONPATH))
        python = NULL;
    if (!env && !python)
        return;
    mgi_jw_key(w, "env");
    mgi_jw_begin_object(w);
    if (python)
        mgi_jw_member_cstr(w, PYTHONPATH, python);
    if (env)
        mgi_read_environment(r->yaml, env, take_variable, w);
    mgi_jw_end_object(w);
}

/* ---- hosts ------------------------------------------------------------------------------------
 */

/* The Python package, which is installed beside the plugins: hosts find it without having to. NULL:
 * it is not there. */
static const char *python_beside(struct provider_reader *r, const char *plugin)
{
    const char *end = strrchr(plugin, '/');
    const char *folder =
        end ? mgi_arena_printf(r->yaml->arena, "%.*s/../python", (int)(end - plugin), plugin)
            : NULL;
    const char *package =
        folder ? mgi_arena_printf(r->yaml->arena, "%s/manglecp/__init__.py", folder) : NULL;
    return package && access(package, R_OK) == 0 ? folder : NULL;
}

/* The words of its command, the program as it is found now (domain/provider.h): `*found`. */
static bool write_host_run(struct provider_reader *r, const struct yaml_node *run,
                           struct json_writer *w, const char **found)
{
    bool good = is_text_list(r, run, "\"run\"");
    if (good && run->count == 0) {
        mgi_yaml_error(r->yaml, run, "BAD_VALUE", NULL, "\"run\" names no program");
        good = false;
    }
    mgi_jw_begin_array(w);
    for (size_t i = 0; good && i < run->count; i++) {
        const struct yaml_node *n = run->entries[i].value;
        const char *program =
            i == 0 && n->kind == YAML_SCALAR ? mgi_provider_program(r, n, n->text) : NULL;
        if (program) {
            mgi_jw_cstring(w, program);
            *found = program;
        } else {
            good = (i > 0 || n->kind != YAML_SCALAR) && write_text(r, n, "\"run\"", w);
        }
    }
    mgi_jw_end_array(w);
    return good;
}

static bool read_host(struct provider_reader *r, const struct yaml_node *n)
{
    static const char *const keys[] = { "name", "run", "env", "may", "read", "write", NULL };
    struct buf settings = { 0 };
    struct json_writer w;
    if (n->kind != YAML_MAP) {
        mgi_yaml_error(r->yaml, n, "BAD_VALUE",
                       "Write it as {name: tools, run: [python3, actions.py]}.",
                       "a host is a map, not %s", mgi_yaml_kind_name(n));
        return true;
    }
    mgi_yaml_known_keys(r->yaml, n, "a host", keys);
    struct str name = mgi_yaml_text(r->yaml, n, "name", true);
    const struct yaml_node *run = mgi_yaml_get(n, "run");
    if (!run)
        mgi_yaml_error(r->yaml, n, "MISSING_KEY", NULL, "\"run\" is missing");
    mgi_json_writer_init(&w, &settings, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "folder", r->folder);
    if (run)
        mgi_jw_key(&w, "run");
    const char *program = NULL;
    bool good = run && write_host_run(r, run, &w, &program) && name.len > 0;
    if (!good)
        mgi_provider_failed(r);
    const char *plugin = good ? mgi_provider_plugin(r, n, STR_LIT("relay"), true) : NULL;
    mgi_kind_environment(r, n, plugin ? python_beside(r, plugin) : NULL, &w);
    mgi_jw_end_object(&w);
    bool memory = !settings.oom;
    if (plugin && memory) {
        struct action_provider p = { .kind = "hosts",
                                     .name = name,
                                     .plugin = str_of(plugin),
                                     .runs = program,
                                     .document = mgi_provider_document(r, n, name,
                                                                       mgi_buf_view(&settings)) };
        memory = p.document.ptr && mgi_provider_add(r, n, &p);
    }
    mgi_buf_fini(&settings);
    return memory;
}

bool mgi_read_hosts(struct provider_reader *r, const struct yaml_node *node)
{
    if (node->kind != YAML_LIST) {
        mgi_yaml_error(r->yaml, node, "BAD_VALUE",
                       node->kind == YAML_SCALAR ? "How many processes there are per plugin is "
                                                   "\"processes\"."
                                                 : NULL,
                       "hosts must be a list of programs, not %s", mgi_yaml_kind_name(node));
        return true;
    }
    for (size_t i = 0; i < node->count; i++)
        if (!read_host(r, node->entries[i].value))
            return false;
    return true;
}
