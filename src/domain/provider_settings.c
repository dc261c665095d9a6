/* The domain's settings in what providers of actions are told: {settings.NAME} in paths that they
 * are granted, and {from: settings.NAME} in the settings of a plugin. */
#include "base/near.h"
#include "domain/command_form.h"
#include "domain/domain_int.h"
#include "domain/provider.h"

static const struct setting *setting_of(const struct domain_settings *s, struct str key)
{
    for (size_t i = 0; i < s->setting_count; i++)
        if (str_eq(s->settings[i].key, key))
            return &s->settings[i];
    return NULL;
}

static void tell_unknown_setting(struct provider_reader *r, const struct yaml_node *at,
                                 struct str key)
{
    struct near near = mgi_near(key);
    for (size_t i = 0; i < r->settings->setting_count; i++)
        mgi_near_try(&near, r->settings->settings[i].key);
    mgi_yaml_error(r->yaml, at, "UNKNOWN_SETTING",
                   near.best.len ? mgi_arena_printf(r->yaml->arena, "Did you mean settings.%.*s?",
                                                    STR_ARG(near.best))
                                 : "Add it to settings in domain.yaml.",
                   "there is no setting \"%.*s\"", STR_ARG(key));
}

struct str mgi_provider_setting(const struct provider_reader *r, struct str key)
{
    const struct setting *s = setting_of(r->settings, key);
    if (!s)
        return STR_LIT("");
    return s->value.type == JSON_STRING ? s->value.string : s->value.text;
}

/* ---- paths ---------------------------------------------------------------------------------- */

const char *mgi_provider_path(struct provider_reader *r, struct str path)
{
    if (path.len > 0 && path.ptr[0] == '/')
        return mgi_arena_printf(r->yaml->arena, "%.*s", STR_ARG(path));
    return mgi_arena_printf(r->yaml->arena, "%s/%.*s", r->folder, STR_ARG(path));
}

static bool check_part(struct provider_reader *r, const struct yaml_node *n,
                       const struct word_part *part)
{
    if (part->kind == PART_ARGUMENT)
        mgi_yaml_error(r->yaml, n, "BAD_TEMPLATE", "Write {settings.NAME}; a brace itself is {{.",
                       "what a path grants does not depend on an argument");
    else if (part->kind == PART_SETTING && !setting_of(r->settings, part->text))
        tell_unknown_setting(r, n, part->text);
    else
        return true;
    return false;
}

const char *mgi_provider_granted(struct provider_reader *r, const struct yaml_node *n, bool tell)
{
    struct word_part *parts;
    const char *why;
    size_t count, at;
    if (!mgi_word_parse(r->yaml->arena, n->text, &parts, &count, &why, &at)) {
        if (why && tell)
            mgi_yaml_error(r->yaml, n, "BAD_TEMPLATE", NULL, "\"%.*s\", at character %zu: %s",
                           STR_ARG(n->text), at + 1, why);
        return NULL;
    }
    const char *path = "";
    for (size_t i = 0; path && i < count; i++) {
        if (tell && !check_part(r, n, &parts[i]))
            return NULL;
        struct str text =
            parts[i].kind == PART_SETTING ? mgi_provider_setting(r, parts[i].text) : parts[i].text;
        path = mgi_arena_printf(r->yaml->arena, "%s%.*s", path, STR_ARG(text));
    }
    return path && path[0] ? mgi_provider_path(r, str_of(path)) : path;
}

/* ---- settings of a plugin ------------------------------------------------------------------- */

/* {from: …} alone: what is in place of the map. NULL: it is something else. */
static const struct yaml_node *origin_of(const struct yaml_node *n)
{
    const struct yaml_node *from = n->kind == YAML_MAP ? mgi_yaml_get(n, "from") : NULL;
    return from && n->count == 1 && from->kind == YAML_SCALAR ? from : NULL;
}

static void write_value(struct provider_reader *r, const struct yaml_node *n,
                        struct json_writer *w);

static void write_origin(struct provider_reader *r, const struct yaml_node *from,
                         struct json_writer *w)
{
    const struct str root = STR_LIT("settings.");
    const struct setting *s = NULL;
    if (!mgi_str_starts(from->text, root)) {
        mgi_yaml_error(r->yaml, from, "BAD_REFERENCE", "Write settings.NAME.",
                       "\"%.*s\": a plugin is told settings of the domain, and nothing else",
                       STR_ARG(from->text));
    } else {
        struct str key = { from->text.ptr + root.len, from->text.len - root.len };
        s = setting_of(r->settings, key);
        if (!s)
            tell_unknown_setting(r, from, key);
    }
    if (s && s->value.type == JSON_STRING)
        mgi_jw_string(w, s->value.string);
    else if (s && s->value.text.len > 0)
        mgi_jw_raw(w, s->value.text);
    else
        mgi_jw_cstring(w, ""); /* told, here or where the setting is */
}

/* A setting that is empty, in a list: there is one element less. */
static bool is_left_out(struct provider_reader *r, const struct yaml_node *n)
{
    const struct str root = STR_LIT("settings.");
    const struct yaml_node *from = origin_of(n);
    if (!from || !mgi_str_starts(from->text, root))
        return false;
    struct str key = { from->text.ptr + root.len, from->text.len - root.len };
    const struct setting *s = setting_of(r->settings, key);
    return s && s->value.type == JSON_STRING && s->value.string.len == 0;
}

/* Depth is that of the YAML, which is bounded. */
static void write_value(struct provider_reader *r, const struct yaml_node *n, struct json_writer *w)
{
    const struct yaml_node *from = origin_of(n);
    if (from) {
        write_origin(r, from, w);
    } else if (n->kind == YAML_MAP) {
        mgi_jw_begin_object(w);
        for (size_t i = 0; i < n->count; i++) {
            mgi_jw_key_str(w, n->entries[i].key);
            write_value(r, n->entries[i].value, w);
        }
        mgi_jw_end_object(w);
    } else if (n->kind == YAML_LIST) {
        mgi_jw_begin_array(w);
        for (size_t i = 0; i < n->count; i++)
            if (!is_left_out(r, n->entries[i].value))
                write_value(r, n->entries[i].value, w);
        mgi_jw_end_array(w);
    } else {
        mgi_yaml_write_json(w, n);
    }
}

bool mgi_provider_settings(struct provider_reader *r, const struct yaml_node *map, struct str *out)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    write_value(r, map, &w);
    *out = text.oom ? (struct str){ NULL, 0 } : mgi_arena_str(r->yaml->arena, mgi_buf_view(&text));
    mgi_buf_wipe(&text);
    return out->ptr != NULL;
}
