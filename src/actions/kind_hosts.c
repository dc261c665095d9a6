/* `actions: hosts`: see kinds.h. */
#include <string.h>

#include "actions/kinds.h"

#define MAX_WORDS 256

/* ---- parts that several kinds need ------------------------------------------------------------
 */

bool mgi_kind_texts(struct provider_reader *r, const struct yaml_node *list, const char *what,
                    struct json_writer *w)
{
    bool good = list->kind == YAML_LIST && list->count <= MAX_WORDS;
    if (!good)
        mgi_yaml_error(r->yaml, list, "BAD_VALUE", NULL, "%s must be a list of at most %d texts",
                       what, MAX_WORDS);
    mgi_jw_begin_array(w);
    for (size_t i = 0; good && i < list->count; i++) {
        const struct yaml_node *n = list->entries[i].value;
        if (n->kind == YAML_SCALAR && !memchr(n->text.ptr, '\0', n->text.len)) {
            mgi_jw_string(w, n->text);
        } else {
            mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "%s must hold texts, not %s", what,
                           mgi_yaml_kind_name(n));
            good = false;
        }
    }
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
                          struct json_writer *w)
{
    const struct yaml_node *env = mgi_yaml_get(entry, "env");
    if (!env)
        return;
    mgi_jw_key(w, "env");
    mgi_jw_begin_object(w);
    mgi_read_environment(r->yaml, env, take_variable, w);
    mgi_jw_end_object(w);
}

/* ---- hosts ------------------------------------------------------------------------------------
 */

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
    bool good = run && mgi_kind_texts(r, run, "\"run\"", &w) && name.len > 0;
    if (good && run->count == 0) {
        mgi_yaml_error(r->yaml, run, "BAD_VALUE", NULL, "\"run\" names no program");
        good = false;
    }
    mgi_kind_environment(r, n, &w);
    mgi_jw_end_object(&w);
    const char *plugin = good ? mgi_provider_plugin(r, n, STR_LIT("relay"), true) : NULL;
    bool memory = !settings.oom;
    if (plugin && memory) {
        struct action_provider p = { .kind = "hosts",
                                     .name = name,
                                     .plugin = str_of(plugin),
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
