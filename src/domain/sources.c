/* Where a value of a step comes from, read from YAML (docs/domain-format.md, "Sources").
 *
 * A reference is text in the template and nowhere else: text that comes out of an action is never
 * looked at for references (T-MCP-3). Depth is bounded by the YAML reader. */
#include "base/near.h"
#include "domain/domain_int.h"

/* "a.b.0" -> "/a/b/0", escaped. */
static bool pointer_of(struct arena *a, struct str dotted, struct str *out)
{
    struct buf path = { 0 };
    while (dotted.len > 0) {
        const char *dot = memchr(dotted.ptr, '.', dotted.len);
        size_t len = dot ? (size_t)(dot - dotted.ptr) : dotted.len;
        mgi_json_pointer_push(&path, (struct str){ dotted.ptr, len });
        size_t skip = dot ? len + 1 : len;
        dotted.ptr += skip;
        dotted.len -= skip;
    }
    bool ok = !path.oom;
    if (ok)
        *out = mgi_arena_str(a, mgi_buf_view(&path));
    mgi_buf_fini(&path);
    return ok && out->ptr;
}

/* Cut the part before the first dot off `rest`. */
static struct str next_part(struct str *rest)
{
    const char *dot = memchr(rest->ptr, '.', rest->len);
    struct str part = { rest->ptr, dot ? (size_t)(dot - rest->ptr) : rest->len };
    size_t skip = dot ? part.len + 1 : part.len;
    rest->ptr += skip;
    rest->len -= skip;
    return part;
}

static void bad_reference(const struct source_scope *s, const struct yaml_node *n, const char *hint,
                          const char *why)
{
    mgi_yaml_error(s->yaml, n, "BAD_REFERENCE", hint, "\"%.*s\": %s", STR_ARG(n->text), why);
}

/* "Did you mean settings.place?", or `otherwise`. */
static const char *near_hint(const struct source_scope *s, const char *root,
                             const struct near *near, const char *otherwise)
{
    return near->best.len ? mgi_arena_printf(s->yaml->arena, "Did you mean %s.%.*s?", root,
                                             STR_ARG(near->best))
                          : otherwise;
}

static bool read_step_reference(const struct source_scope *s, const struct yaml_node *n,
                                struct str rest, struct value_source *out)
{
    out->kind = SOURCE_STEP;
    struct str id = next_part(&rest);
    struct str output = next_part(&rest);
    struct near near = mgi_near(id);
    uint32_t step = 0;
    for (; step < s->tool->step_count && !str_eq(s->tool->steps[step].id, id); step++)
        mgi_near_try(&near, s->tool->steps[step].id);
    if (step == s->tool->step_count)
        bad_reference(s, n, near_hint(s, "steps", &near, NULL), "there is no such step");
    else if (step >= s->earlier)
        bad_reference(s, n, "A step can read steps before it.", "that step runs later");
    else if (s->needed && !mgi_needs_has(s->needed, step))
        mgi_yaml_error(s->yaml, n, "STEP_NEEDS",
                       mgi_arena_printf(s->yaml->arena, "Add %.*s to its needs.", STR_ARG(id)),
                       "\"%.*s\": this step does not need that one, so it may run before it",
                       STR_ARG(n->text));
    else if (!str_is(output, "output"))
        bad_reference(s, n, "Write steps.ID.output.NAME.", "only the output of a step can be read");
    out->step = step;
    return pointer_of(s->yaml->arena, rest, &out->pointer);
}

static void check_setting_name(const struct source_scope *s, const struct yaml_node *n,
                               struct str key)
{
    struct near near = mgi_near(key);
    for (size_t i = 0; i < s->settings->setting_count; i++) {
        if (str_eq(s->settings->settings[i].key, key))
            return;
        mgi_near_try(&near, s->settings->settings[i].key);
    }
    bad_reference(s, n, near_hint(s, "settings", &near, "Add it to settings in domain.yaml."),
                  "there is no such setting");
}

/* An argument that the schema does not mention can still arrive if it allows others; a misspelt
 * name is likelier where it does not. */
static void check_argument(const struct source_scope *s, const struct yaml_node *n, struct str name)
{
    const struct yaml_node *properties = mgi_yaml_get(s->schema, "properties");
    const struct yaml_node *closed = mgi_yaml_get(s->schema, "additionalProperties");
    bool open = true;
    if (name.len == 0 || !closed || !mgi_yaml_bool(closed, &open) || open)
        return;
    struct near near = mgi_near(name);
    for (size_t i = 0; properties && i < properties->count; i++) {
        if (str_eq(properties->entries[i].key, name))
            return;
        mgi_near_try(&near, properties->entries[i].key);
    }
    bad_reference(s, n, near_hint(s, "args", &near, NULL), "input_schema has no such property");
}

/* What a step with `foreach:` does this time. */
static bool read_item_reference(const struct source_scope *s, const struct yaml_node *n,
                                struct str root, struct str rest, struct value_source *out)
{
    out->kind = str_is(root, "item") ? SOURCE_ITEM : SOURCE_INDEX;
    if (!s->items)
        bad_reference(s, n, "Only inputs of a step with foreach, and what undoes it, can read it.",
                      "there is no item here");
    else if (out->kind == SOURCE_INDEX && rest.len > 0)
        bad_reference(s, n, "Write index.", "an index is a number");
    return pointer_of(s->yaml->arena, rest, &out->pointer);
}

static bool is_structure(const struct yaml_node *n)
{
    return n->kind == YAML_MAP || n->kind == YAML_LIST;
}

static bool is_origin(struct str text)
{
    struct str root = next_part(&text);
    return str_is(root, "args") || str_is(root, "steps") || str_is(root, "settings") ||
           str_is(root, "bound") || str_is(root, "item") || str_is(root, "index") ||
           str_is(root, "facts"); /* which is none, but meant as one */
}

void mgi_source_reserved(const struct yaml_context *c, const struct yaml_node *map)
{
    mgi_yaml_error(c, mgi_yaml_get(map, "from"), "RESERVED_NAME",
                   "Give it another name; or pass a map that has it: {const: {from: ...}}, an "
                   "argument, a step's output. An input of that name is written from: {const: "
                   "...} or from: {from: ...}.",
                   "\"from\" is reserved: it says where a value comes from, so no member is "
                   "called that");
}

/* Is a member called "from" meant? What else a source holds are optional and default. */
static bool means_member(const struct yaml_node *map, const struct yaml_node *from)
{
    bool meant = is_structure(from);
    for (size_t i = 0; i < map->count && !meant; i++) {
        const struct yaml_entry *e = &map->entries[i];
        bool known =
            str_is(e->key, "from") || str_is(e->key, "optional") || str_is(e->key, "default");
        meant = !known && (is_structure(e->value) || !is_origin(from->text));
    }
    return meant;
}

static bool read_reference(const struct source_scope *s, const struct yaml_node *n,
                           struct value_source *out)
{
    struct str rest = n->text;
    struct str root = next_part(&rest);
    if (str_is(root, "steps"))
        return read_step_reference(s, n, rest, out);
    if (str_is(root, "item") || str_is(root, "index"))
        return read_item_reference(s, n, root, rest, out);
    out->name = next_part(&rest);
    if (str_is(root, "args")) {
        out->kind = SOURCE_ARG;
        check_argument(s, n, out->name);
    } else if (str_is(root, "bound")) { /* whether a rule binds it, mgi_lint_bound() asks */
        out->kind = SOURCE_BOUND;
        out->line = n->line;
        out->column = n->column;
        if (out->name.len == 0)
            bad_reference(s, n, NULL, "name the parameter: bound.p");
    } else if (str_is(root, "settings")) {
        out->kind = SOURCE_SETTING;
        check_setting_name(s, n, out->name);
    } else {
        bad_reference(s, n,
                      str_is(root, "facts")
                          ? "A rule says what of the facts is meant: param_bound(Tool, \"p\", "
                            "Value). Then write bound.p."
                          : "Write args.x, steps.ID.output.x, settings.k or bound.p.",
                      "not something that can be read");
    }
    return pointer_of(s->yaml->arena, rest, &out->pointer);
}

static bool read_from(const struct source_scope *s, const struct yaml_node *n,
                      struct value_source *out)
{
    static const char *const keys[] = { "from", "optional", "default", NULL };
    mgi_yaml_known_keys(s->yaml, n, "a source", keys);
    const struct yaml_node *optional = mgi_yaml_get(n, "optional");
    if (optional && !mgi_yaml_bool(optional, &out->optional))
        mgi_yaml_error(s->yaml, optional, "BAD_VALUE", NULL, "optional must be true or false");
    const struct yaml_node *fallback = mgi_yaml_get(n, "default");
    if (fallback) {
        struct json *v = mgi_arena_calloc(s->yaml->arena, 1, sizeof *v);
        if (!v || !mgi_yaml_to_json(s->yaml->arena, fallback, v))
            return false;
        out->fallback = v;
    }
    return read_reference(s, mgi_yaml_get(n, "from"), out);
}

bool mgi_source_members(const struct source_scope *s, const struct yaml_node *n,
                        struct value_source *out)
{
    *out = (struct value_source){ .pointer = { "", 0 } };
    out->kind = n->kind == YAML_MAP ? SOURCE_OBJECT : SOURCE_ARRAY;
    out->members = mgi_arena_calloc(s->yaml->arena, n->count + 1, sizeof *out->members);
    if (!out->members)
        return false;
    out->member_count = n->count;
    for (size_t i = 0; i < n->count; i++) {
        out->members[i].name = n->entries[i].key;
        if (!mgi_source_read(s, n->entries[i].value, &out->members[i].source))
            return false;
    }
    return true;
}

bool mgi_source_read(const struct source_scope *s, const struct yaml_node *n,
                     struct value_source *out)
{
    *out = (struct value_source){ .kind = SOURCE_CONST, .pointer = { "", 0 } };
    const struct yaml_node *from = mgi_yaml_get(n, "from");
    if (from && means_member(n, from)) {
        mgi_source_reserved(s->yaml, n);
        return true;
    }
    if (from)
        return read_from(s, n, out);
    const struct yaml_node *constant = mgi_yaml_get(n, "const");
    if (constant && n->count == 1)
        return mgi_yaml_to_json(s->yaml->arena, constant, &out->constant);
    if (n->kind == YAML_SCALAR)
        return mgi_yaml_to_json(s->yaml->arena, n, &out->constant);
    return mgi_source_members(s, n, out);
}
