/* --set KEY=VALUE, put into the tree of domain.yaml as if it stood there. The value of a setting of
 * the domain is its default; anything else is a path. */
#include <string.h>

#include "base/near.h"
#include "domain/domain_int.h"

static struct yaml_node *override_node(struct arena *a, enum yaml_kind kind, const char *origin)
{
    struct yaml_node *n = mgi_arena_calloc(a, 1, sizeof *n);
    if (n) {
        n->kind = kind;
        n->origin = origin;
    }
    return n;
}

static struct yaml_node *override_scalar(struct arena *a, struct str text, const char *origin)
{
    struct yaml_node *n = override_node(a, YAML_SCALAR, origin);
    if (n) {
        n->text = mgi_arena_str(a, text);
        n->plain = true;
    }
    return n && n->text.ptr ? n : NULL;
}

/* "a,b" where the file has a list. */
static struct yaml_node *override_list(struct arena *a, struct str text, const char *origin)
{
    struct yaml_node *list = override_node(a, YAML_LIST, origin);
    while (list && text.len > 0) {
        const char *comma = memchr(text.ptr, ',', text.len);
        size_t len = comma ? (size_t)(comma - text.ptr) : text.len;
        struct yaml_node *item = override_scalar(a, (struct str){ text.ptr, len }, origin);
        if (!item ||
            !mgi_arena_grow(a, &list->entries, &list->cap, list->count + 1, sizeof *list->entries))
            return NULL;
        list->entries[list->count++] = (struct yaml_entry){ .value = item };
        size_t skip = comma ? len + 1 : len;
        text.ptr += skip;
        text.len -= skip;
    }
    return list;
}

static bool is_list_path(struct str path)
{
    return str_is(path, "actions.plugins") || str_is(path, "domain.categories");
}

/* --set KEY=...: which key may be meant; a key of a section lacks its section. */
static const char *meant_setting(const struct yaml_context *c, const struct yaml_node *settings,
                                 const char *key, section_finder *section_of)
{
    struct near near = mgi_near(str_of(key));
    const char *section = section_of(key);
    if (section)
        return mgi_arena_printf(c->arena, "Did you mean %s.%s?", section, key);
    for (size_t i = 0; settings && i < settings->count; i++)
        mgi_near_try(&near, settings->entries[i].key);
    return near.best.len ? mgi_arena_printf(c->arena, "Did you mean %.*s?", STR_ARG(near.best))
                         : "A path into domain.yaml has dots: limits.max_compute_ms.";
}

bool mgi_override_apply(const struct yaml_context *c, struct yaml_node *root, const char *set,
                        section_finder *section_of)
{
    const char *origin = mgi_arena_printf(c->arena, "--set %s", set);
    const char *equals = strchr(set, '=');
    if (!origin)
        return false;
    struct yaml_node blame = { .origin = origin };
    if (!equals || equals == set) {
        mgi_yaml_error(c, &blame, "OVERRIDE", NULL, "an override is KEY=VALUE");
        return true;
    }
    struct str path = { set, (size_t)(equals - set) };
    struct str text = str_of(equals + 1);
    struct yaml_node *value = is_list_path(path) ? override_list(c->arena, text, origin)
                                                 : override_scalar(c->arena, text, origin);
    if (!value)
        return false;

    struct yaml_node *at = root, *settings = mgi_yaml_get(root, "settings");
    const char *dot = memchr(path.ptr, '.', path.len);
    const char *first = dot ? mgi_arena_str(c->arena, (struct str){ set, (size_t)(dot - set) }).ptr
                            : mgi_arena_str(c->arena, path).ptr;
    if (!first)
        return false;
    bool is_setting = !dot || (strcmp(first, "settings") == 0 &&
                               !memchr(dot + 1, '.', (size_t)(equals - dot - 1)));
    if (is_setting && !(path.len == 8 && memcmp(set, "coverage", 8) == 0)) {
        struct str name = dot ? (struct str){ dot + 1, (size_t)(equals - dot - 1) } : path;
        const char *z = mgi_arena_str(c->arena, name).ptr;
        at = z ? mgi_yaml_get(settings, z) : NULL;
        if (z && (!at || at->kind != YAML_MAP))
            mgi_yaml_error(c, &blame, "OVERRIDE", meant_setting(c, settings, z, section_of),
                           "there is no setting \"%s\"", z);
        return z && (!at || at->kind != YAML_MAP ||
                     mgi_yaml_put(c->arena, at, STR_LIT("default"), value));
    }
    while (dot) {
        struct str key = { path.ptr, (size_t)(dot - path.ptr) };
        const char *z = mgi_arena_str(c->arena, key).ptr;
        if (!z)
            return false;
        struct yaml_node *next = mgi_yaml_get(at, z);
        if (!next) {
            next = override_node(c->arena, YAML_MAP, origin);
            if (!next || !mgi_yaml_put(c->arena, at, str_of(z), next))
                return false;
        }
        if (next->kind != YAML_MAP) {
            mgi_yaml_error(c, &blame, "OVERRIDE", NULL, "%s cannot be overridden", z);
            return true;
        }
        at = next;
        path.len -= key.len + 1;
        path.ptr = dot + 1;
        dot = memchr(path.ptr, '.', path.len);
    }
    return mgi_yaml_put(c->arena, at, path, value);
}
