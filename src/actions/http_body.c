/* What a request sends as its body, and which arguments that uses: see http_int.h. */
#include "actions/command_int.h"
#include "actions/http_int.h"

static const char body_hint[] =
    "It is {json: all}, {json: [a, b]}, {json: {member: \"{a}\"}}, {json: \"{a}\"}, "
    "{form: [a, b]} or {text: \"{a}\"}.";

/* The one word that says what it is; NULL: there is none, or more. */
static const struct yaml_entry *content_of(const struct yaml_node *n)
{
    static const char *const kinds[] = { "json", "form", "text", NULL };
    const struct yaml_entry *found = NULL;
    for (size_t i = 0; n->kind == YAML_MAP && i < n->count; i++)
        for (const char *const *kind = kinds; *kind; kind++) {
            if (!str_is(n->entries[i].key, *kind))
                continue;
            if (found)
                return NULL;
            found = &n->entries[i];
        }
    return found;
}

/* "{body}": the argument whose value the body is. ptr NULL: it is something else. */
static struct str whole_of(struct provider_reader *r, const struct yaml_node *n)
{
    struct word_part *parts;
    const char *why;
    size_t count, at;
    if (n->kind == YAML_SCALAR &&
        mgi_word_parse(r->yaml->arena, n->text, &parts, &count, &why, &at) && count == 1 &&
        parts[0].kind == PART_ARGUMENT)
        return parts[0].text;
    return (struct str){ NULL, 0 };
}

static bool is_optional(const struct yaml_node *body)
{
    const struct yaml_node *n = mgi_yaml_get(body, "optional");
    bool is = false;
    return n && mgi_yaml_bool(n, &is) && is;
}

static bool list_uses(struct provider_reader *r, const struct yaml_node *list,
                      struct command_uses *uses)
{
    for (size_t i = 0; i < list->count; i++)
        if (!mgi_command_name_uses(r->yaml, list->entries[i].value, false, USE_ANY, uses))
            return false;
    return true;
}

static bool json_uses(struct provider_reader *r, const struct yaml_node *n, bool always,
                      struct command_uses *uses, bool *good)
{
    if (n->kind == YAML_LIST)
        return list_uses(r, n, uses);
    if (n->kind == YAML_MAP) {
        for (size_t i = 0; i < n->count && *good; i++)
            *good = n->entries[i].value->kind == YAML_SCALAR;
        return !*good || mgi_http_pairs_use(r, n, USE_ANY, uses);
    }
    if (str_is(n->text, "all")) {
        uses->all = true;
        return true;
    }
    *good = whole_of(r, n).ptr != NULL;
    return !*good || mgi_command_word_uses(r->yaml, r->settings, n, always, USE_ANY, uses);
}

bool mgi_http_body_uses(struct provider_reader *r, const struct yaml_node *n,
                        struct command_uses *uses)
{
    static const char *const keys[] = { "json", "form", "text", "optional", NULL };
    if (!n)
        return true;
    if (n->kind == YAML_MAP)
        mgi_yaml_known_keys(r->yaml, n, "body", keys);
    const struct yaml_entry *e = content_of(n);
    bool good = e != NULL, enough = true, always = e && !is_optional(n);
    if (e && str_is(e->key, "json"))
        enough = json_uses(r, e->value, always, uses, &good);
    else if (e && str_is(e->key, "text"))
        enough = mgi_command_word_uses(r->yaml, r->settings, e->value, always, USE_TEXT, uses);
    else if (e && e->value->kind == YAML_LIST)
        enough = list_uses(r, e->value, uses);
    else if (e && e->value->kind == YAML_MAP)
        enough = mgi_http_pairs_use(r, e->value, USE_ANY, uses);
    else
        good = false;
    if (!good)
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", body_hint, "\"body\" does not say what is sent");
    return enough;
}

static void write_json_body(struct provider_reader *r, const struct yaml_node *n,
                            struct json_writer *w)
{
    struct str whole = whole_of(r, n);
    if (n->kind == YAML_LIST) {
        mgi_yaml_write_json(w, n);
    } else if (n->kind == YAML_MAP) {
        mgi_http_write_pairs(r, n, w);
    } else if (whole.ptr) {
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "arg", whole);
        mgi_jw_end_object(w);
    } else {
        mgi_jw_bool(w, true);
    }
}

void mgi_http_write_body(struct provider_reader *r, const struct yaml_node *n, const char *bodiless,
                         struct json_writer *w)
{
    const struct yaml_entry *e = n ? content_of(n) : NULL;
    const struct yaml_node *optional = mgi_yaml_get(n, "optional");
    bool is;
    if (optional && !mgi_yaml_bool(optional, &is))
        mgi_yaml_error(r->yaml, optional, "BAD_VALUE", NULL, "optional must be true or false");
    if (n && bodiless)
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "%s has no body", bodiless);
    if (!e)
        return;
    mgi_jw_key(w, "body");
    mgi_jw_begin_object(w);
    mgi_jw_key_str(w, e->key);
    if (str_is(e->key, "json"))
        write_json_body(r, e->value, w);
    else if (str_is(e->key, "text"))
        mgi_command_write_parts(r, e->value->kind == YAML_SCALAR ? e->value->text : STR_LIT(""), w);
    else if (e->value->kind == YAML_LIST)
        mgi_yaml_write_json(w, e->value);
    else
        mgi_http_write_pairs(r, e->value, w);
    mgi_jw_member_bool(w, "optional", is_optional(n));
    mgi_jw_end_object(w);
}
