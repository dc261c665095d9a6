/* What actions of several kinds say of themselves: see kinds.h. */
#include "actions/kinds.h"
#include "base/time.h"
#include "domain/command_form.h"
#include "protocol/schema.h"

void mgi_kind_identity(struct provider_reader *r, const struct yaml_node *command, const char *what,
                       struct json_writer *w, struct action_place *place)
{
    struct arena *a = r->yaml->arena;
    struct str name = mgi_yaml_text(r->yaml, command, "name", true);
    struct str aid = mgi_yaml_text(r->yaml, command, "aid", false);
    struct str description = mgi_yaml_text(r->yaml, command, "description", true);
    bool plain = name.len <= 64;
    for (size_t i = 0; i < name.len && plain; i++)
        plain = (name.ptr[i] >= 'a' && name.ptr[i] <= 'z') || name.ptr[i] == '_' ||
                (i > 0 && ((name.ptr[i] >= '0' && name.ptr[i] <= '9') || name.ptr[i] == '.'));
    if (!plain)
        mgi_yaml_error(r->yaml, mgi_yaml_get(command, "name"), "BAD_NAME", NULL,
                       "%s is named [a-z_][a-z0-9_.]*, at most 64 characters", what);
    if (aid.len == 0)
        aid = mgi_command_aid(a, r->settings->id, name.len ? name : STR_LIT("X"));
    *place = (struct action_place){ aid, command->origin, command->line, NULL };
    mgi_jw_member_str(w, "aid", aid);
    mgi_jw_member_str(w, "name", name);
    mgi_jw_member_str(w, "description", mgi_str_trim(description, "\n"));
}

void mgi_kind_word_list(struct provider_reader *r, const struct yaml_node *n, const char *key,
                        struct json_writer *w)
{
    if (!n)
        return;
    mgi_jw_key(w, key);
    if (n->kind == YAML_LIST) {
        mgi_kind_texts(r, n, key, w);
        return;
    }
    mgi_jw_begin_array(w);
    if (n->kind == YAML_SCALAR && n->text.len > 0)
        mgi_jw_string(w, n->text);
    else
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "\"%s\" must be a text or a list of texts",
                       key);
    mgi_jw_end_array(w);
}

void mgi_kind_defaults(const struct yaml_node *schema, struct json_writer *w)
{
    const struct yaml_node *properties = mgi_yaml_get(schema, "properties");
    mgi_jw_key(w, "defaults");
    mgi_jw_begin_object(w);
    for (size_t i = 0; i < properties->count; i++) {
        const struct yaml_entry *e = &properties->entries[i];
        const struct yaml_node *value = mgi_yaml_get(e->value, "default");
        if (!value)
            continue;
        mgi_jw_key_str(w, e->key);
        mgi_yaml_write_json(w, value);
    }
    mgi_jw_end_object(w);
}

bool mgi_kind_check_schema(struct provider_reader *r, const struct yaml_node *n, const char *what)
{
    struct json value;
    struct schema_issues issues;
    if (!mgi_yaml_to_json(r->yaml->arena, n, &value))
        return false;
    mgi_schema_issues_init(&issues, r->yaml->arena, 0);
    struct schema *schema = mgi_schema_compile(&value, 0, &issues);
    for (size_t i = 0; i < issues.count; i++)
        mgi_yaml_error(r->yaml, mgi_yaml_at(n, issues.items[i].path), "SCHEMA", NULL, "%s%s: %s",
                       what, issues.items[i].path, issues.items[i].message);
    bool good = schema || issues.count > 0;
    mgi_schema_free(schema);
    return good;
}

/* ---- limits -----------------------------------------------------------------------------------
 */

void mgi_kind_timeout(struct provider_reader *r, const struct yaml_node *n, struct json_writer *w)
{
    int64_t ns;
    if (n && (n->kind != YAML_SCALAR || !mgi_duration_parse(n->text, true, &ns) || ns < NS_PER_MS ||
              ns / NS_PER_MS > INT32_MAX))
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "timeout must be a duration such as 30s");
    else if (n)
        mgi_jw_member_int(w, "timeout_ms", ns / NS_PER_MS);
}

void mgi_kind_bytes(struct provider_reader *r, const struct yaml_node *n, const char *key, int most,
                    struct json_writer *w)
{
    int64_t bytes;
    if (n && (!mgi_yaml_int(n, &bytes) || bytes < 1 || bytes > most))
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "%s must be a number of bytes, 1 to %d", key,
                       most);
    else if (n)
        mgi_jw_member_int(w, key, bytes);
}
