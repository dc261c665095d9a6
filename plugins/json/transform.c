/* The steps of a transformation: each makes a new value of the one before it. A step is an object
 * with "op" and what that operation takes; the rows below say which. */
#include "plugins/json/json_plugin.h"

#include <stdlib.h>

#define LIST_MOST 1000000

/* What a step works with: the value before it, its own members, and where to say what is wrong. */
struct stage {
    struct work *w;
    const struct json *step, *value;
    struct buf *why;
};

static bool refuse(struct stage *s, const char *what)
{
    mgi_buf_puts(s->why, what);
    return false;
}

static const struct json *need(struct stage *s, const char *name, enum json_type type,
                               const char *what)
{
    const struct json *v = mgi_json_get(s->step, name);
    if (v && v->type == type)
        return v;
    mgi_buf_printf(s->why, "\"%s\" is no %s", name, what);
    return NULL;
}

/* An optional whole number. */
static bool number(struct stage *s, const char *name, int64_t least, int64_t most, int64_t *out)
{
    const struct json *v = mgi_json_get(s->step, name);
    if (!v)
        return true;
    if (v->type == JSON_INT && v->integer >= least && v->integer <= most) {
        *out = v->integer;
        return true;
    }
    mgi_buf_printf(s->why, "\"%s\" is no whole number from %lld to %lld", name, (long long)least,
                   (long long)most);
    return false;
}

/* A pointer that a step has; "" if it may be missing and is. */
static bool pointer(struct stage *s, const char *name, bool required, struct str *out)
{
    const struct json *v = mgi_json_get(s->step, name);
    *out = STR_LIT("");
    if (!v && !required)
        return true;
    if (v && v->type == JSON_STRING && mgi_json_is_pointer(v->string)) {
        *out = v->string;
        return true;
    }
    mgi_buf_printf(s->why, "\"%s\" is no JSON pointer", name);
    return false;
}

/* ---- taking parts --------------------------------------------------------------------------- */

static bool run_get(struct stage *s, struct json *out)
{
    struct str at;
    if (!pointer(s, "pointer", true, &at))
        return false;
    const struct json *found = mgi_json_pointer_get(s->value, at);
    const struct json *otherwise = mgi_json_get(s->step, "default");
    if (!found && !otherwise) {
        mgi_buf_printf(s->why, "nothing is at \"%.*s\"; say a \"default\"", STR_ARG(at));
        return false;
    }
    *out = found ? *found : *otherwise;
    return true;
}

static bool select_values(struct stage *s, struct str text, struct json *out)
{
    struct path path;
    struct path_nodes nodes;
    if (!mgi_path_parse(s->w->arena, text, &path, s->why) ||
        !mgi_path_select(s->w, &path, s->value, &nodes))
        return false;
    struct json *items = mgi_work_alloc(s->w, nodes.count, sizeof *items);
    for (size_t i = 0; items && i < nodes.count; i++)
        items[i] = *nodes.items[i]->value;
    *out = mgi_json_list(items, nodes.count);
    return items != NULL;
}

static bool run_select(struct stage *s, struct json *out)
{
    const struct json *path = need(s, "path", JSON_STRING, "JSONPath");
    return path && select_values(s, path->string, out);
}

/* {"pointer": P, "default": D}, {"path": P}, {"value": V}. */
static bool build_member(struct stage *s, const struct json *from, struct json *out)
{
    struct stage inner = { s->w, from, s->value, s->why };
    const struct json *value = mgi_json_get(from, "value");
    if (from->type != JSON_OBJECT)
        return refuse(s, "is no object with pointer, path or value");
    if (value) {
        *out = *value;
        return true;
    }
    return mgi_json_get(from, "path") ? run_select(&inner, out) : run_get(&inner, out);
}

static bool run_build(struct stage *s, struct json *out)
{
    const struct json *members = need(s, "members", JSON_OBJECT, "object");
    if (!members)
        return false;
    struct json_member *made = mgi_work_alloc(s->w, members->count, sizeof *made);
    for (uint32_t i = 0; made && i < members->count; i++) {
        size_t before = s->why->len;
        made[i].name = members->members[i].name;
        mgi_buf_printf(s->why, "member \"%.*s\": ", STR_ARG(made[i].name));
        if (!build_member(s, &members->members[i].value, &made[i].value))
            return false;
        s->why->len = before;
    }
    *out = mgi_json_object(made, members->count);
    return made != NULL;
}

/* ---- members of an object, or of each object of a list --------------------------------------- */

typedef bool each_object(struct stage *s, const struct json *names, const struct json *object,
                         struct json *out);

static bool map_objects(struct stage *s, const struct json *names, each_object *run,
                        struct json *out)
{
    if (!names)
        return false;
    if (s->value->type == JSON_OBJECT)
        return run(s, names, s->value, out);
    if (s->value->type != JSON_ARRAY)
        return refuse(s, "the value is neither an object nor a list of objects");
    struct json *items = mgi_work_alloc(s->w, s->value->count, sizeof *items);
    for (uint32_t i = 0; items && i < s->value->count; i++) {
        const struct json *item = &s->value->items[i];
        items[i] = *item;
        if (item->type == JSON_OBJECT && !run(s, names, item, &items[i]))
            return false;
    }
    *out = mgi_json_list(items, s->value->count);
    return items != NULL;
}

static bool is_named(const struct json *names, struct str name)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (names->items[i].type == JSON_STRING && str_eq(names->items[i].string, name))
            return true;
    return false;
}

static bool keep_members(struct stage *s, const struct json *names, const struct json *object,
                         bool named, struct json *out)
{
    struct json_member *kept = mgi_work_alloc(s->w, object->count, sizeof *kept);
    size_t count = 0;
    if (!kept || !mgi_work_step(s->w, (int64_t)object->count * names->count))
        return false;
    for (uint32_t i = 0; i < object->count; i++)
        if (is_named(names, object->members[i].name) == named)
            kept[count++] = object->members[i];
    *out = mgi_json_object(kept, count);
    return true;
}

static bool pick_members(struct stage *s, const struct json *names, const struct json *object,
                         struct json *out)
{
    return keep_members(s, names, object, true, out);
}

static bool omit_members(struct stage *s, const struct json *names, const struct json *object,
                         struct json *out)
{
    return keep_members(s, names, object, false, out);
}

static bool rename_members(struct stage *s, const struct json *names, const struct json *object,
                           struct json *out)
{
    struct json_member *made = mgi_work_alloc(s->w, object->count, sizeof *made);
    if (!made || !mgi_work_step(s->w, (int64_t)object->count * (names->count + object->count)))
        return false;
    for (uint32_t i = 0; i < object->count; i++) {
        const struct json *new = mgi_json_get_str(names, object->members[i].name);
        made[i] = object->members[i];
        if (new &&new->type != JSON_STRING)
            return refuse(s, "\"names\" has a new name that is no string");
        if (new)
            made[i].name = new->string;
        for (uint32_t k = 0; k < i; k++)
            if (str_eq(made[k].name, made[i].name)) {
                mgi_buf_printf(s->why, "two members would be called \"%.*s\"",
                               STR_ARG(made[i].name));
                return false;
            }
    }
    *out = mgi_json_object(made, object->count);
    return true;
}

static bool run_pick(struct stage *s, struct json *out)
{
    return map_objects(s, need(s, "names", JSON_ARRAY, "list"), pick_members, out);
}

static bool run_omit(struct stage *s, struct json *out)
{
    return map_objects(s, need(s, "names", JSON_ARRAY, "list"), omit_members, out);
}

static bool run_rename(struct stage *s, struct json *out)
{
    return map_objects(s, need(s, "names", JSON_OBJECT, "object"), rename_members, out);
}

/* ---- lists ---------------------------------------------------------------------------------- */

static bool is_list(struct stage *s)
{
    return s->value->type == JSON_ARRAY || refuse(s, "the value is no list");
}

static bool flatten_into(struct stage *s, const struct json *list, int64_t depth,
                         struct json **items, size_t *cap, size_t *count)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct json *item = &list->items[i];
        if (item->type == JSON_ARRAY && depth > 0) {
            if (!flatten_into(s, item, depth - 1, items, cap, count))
                return false;
            continue;
        }
        if (!mgi_work_step(s->w, 1))
            return false;
        if (*count >= LIST_MOST ||
            !mgi_arena_grow(s->w->arena, items, cap, *count + 1, sizeof **items)) {
            s->w->fault = "the list becomes too long";
            return false;
        }
        (*items)[(*count)++] = *item;
    }
    return true;
}

static bool run_flatten(struct stage *s, struct json *out)
{
    struct json *items = NULL;
    size_t cap = 0, count = 0;
    int64_t depth = 1;
    if (!is_list(s) || !number(s, "depth", 1, JSON_DEPTH, &depth) ||
        !flatten_into(s, s->value, depth, &items, &cap, &count))
        return false;
    *out = mgi_json_list(items, count);
    return true;
}

static bool run_limit(struct stage *s, struct json *out)
{
    int64_t offset = 0, count = INT64_MAX;
    if (!is_list(s) || !number(s, "offset", 0, INT64_MAX, &offset) ||
        !number(s, "count", 0, INT64_MAX, &count))
        return false;
    int64_t left = offset < s->value->count ? s->value->count - offset : 0;
    *out = mgi_json_list(left ? s->value->items + offset : NULL,
                         (size_t)(count < left ? count : left));
    return true;
}

static bool run_count(struct stage *s, struct json *out)
{
    if (s->value->type != JSON_ARRAY && s->value->type != JSON_OBJECT)
        return refuse(s, "the value is neither a list nor an object");
    *out = mgi_json_int_value(s->w, s->value->count);
    return true;
}

/* What the items are compared by: null where an item has nothing there. */
struct keyed {
    const struct json *key;
    uint32_t index;
};

static struct keyed *keys_of(struct stage *s, struct str by)
{
    static const struct json nothing = { .type = JSON_NULL };
    struct keyed *keys = mgi_work_alloc(s->w, s->value->count, sizeof *keys);
    for (uint32_t i = 0; keys && i < s->value->count; i++) {
        const struct json *found = mgi_json_pointer_get(&s->value->items[i], by);
        keys[i] = (struct keyed){ found ? found : &nothing, i };
        if (!mgi_work_step(s->w, 32)) /* what sorting it will cost */
            return NULL;
    }
    return keys;
}

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    int order = mgi_json_order(x->key, y->key);
    return order ? order : x->index < y->index ? -1 : 1;
}

static int by_key_descending(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    int order = mgi_json_order(y->key, x->key);
    return order ? order : x->index < y->index ? -1 : 1;
}

static bool run_sort(struct stage *s, struct json *out)
{
    struct str by;
    const struct json *down = mgi_json_get(s->step, "descending");
    if (!is_list(s) || !pointer(s, "by", false, &by))
        return false;
    if (down && down->type != JSON_BOOL)
        return refuse(s, "\"descending\" is neither true nor false");
    struct keyed *keys = keys_of(s, by);
    struct json *items = keys ? mgi_work_alloc(s->w, s->value->count, sizeof *items) : NULL;
    if (!items)
        return false;
    if (s->value->count)
        qsort(keys, s->value->count, sizeof *keys,
              down && down->boolean ? by_key_descending : by_key);
    for (uint32_t i = 0; i < s->value->count; i++)
        items[i] = s->value->items[keys[i].index];
    *out = mgi_json_list(items, s->value->count);
    return true;
}

/* The key as text: canonical JSON, or with `bare` a string as it is. */
static bool key_text(struct stage *s, const struct json *key, bool bare, struct str *out)
{
    struct buf text;
    if (bare && key->type == JSON_STRING) {
        *out = key->string;
        return true;
    }
    if (!mgi_json_fits(s->w, key))
        return false;
    mgi_buf_init(&text);
    mgi_json_canonical(&text, key);
    *out = mgi_arena_str(s->w->arena, mgi_buf_view(&text));
    bool ok = !text.oom && out->ptr && mgi_work_step(s->w, (int64_t)text.len);
    mgi_buf_fini(&text);
    if (!ok && !s->w->fault)
        s->w->fault = "out of memory";
    return ok;
}

struct named {
    struct str name;
    uint32_t index; /* of the item */
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = mgi_str_compare(x->name, y->name);
    return order ? order : x->index < y->index ? -1 : 1;
}

static int by_index(const void *a, const void *b)
{
    return ((const struct named *)a)->index < ((const struct named *)b)->index ? -1 : 1;
}

/* The items' keys as text, sorted: equal ones stand together, in the order of the items. */
static struct named *names_of(struct stage *s, struct str by, bool bare)
{
    struct keyed *keys = keys_of(s, by);
    struct named *names = keys ? mgi_work_alloc(s->w, s->value->count, sizeof *names) : NULL;
    for (uint32_t i = 0; names && i < s->value->count; i++) {
        names[i].index = i;
        if (!key_text(s, keys[i].key, bare, &names[i].name))
            return NULL;
    }
    if (names && s->value->count)
        qsort(names, s->value->count, sizeof *names, by_name);
    return names;
}

static bool run_group(struct stage *s, struct json *out)
{
    struct str by;
    if (!is_list(s) || !pointer(s, "by", true, &by))
        return false;
    size_t count = s->value->count, groups = 0;
    struct named *names = names_of(s, by, true);
    struct json *items = names ? mgi_work_alloc(s->w, count, sizeof *items) : NULL;
    struct json_member *made = items ? mgi_work_alloc(s->w, count, sizeof *made) : NULL;
    if (!made)
        return false;
    for (size_t i = 0; i < count; i++) {
        items[i] = s->value->items[names[i].index];
        if (i == 0 || !str_eq(names[i].name, names[i - 1].name))
            made[groups++] = (struct json_member){ names[i].name, mgi_json_list(&items[i], 0) };
        made[groups - 1].value.count++;
    }
    *out = mgi_json_object(made, groups);
    return true;
}

/* The first of each; the order stays. */
static bool run_unique(struct stage *s, struct json *out)
{
    struct str by;
    if (!is_list(s) || !pointer(s, "by", false, &by))
        return false;
    size_t count = s->value->count, kept = 0;
    struct named *names = names_of(s, by, false);
    struct json *items = names ? mgi_work_alloc(s->w, count, sizeof *items) : NULL;
    if (!items)
        return false;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !str_eq(names[i].name, names[i - 1].name))
            names[kept++] = names[i];
    if (kept)
        qsort(names, kept, sizeof *names, by_index);
    for (size_t i = 0; i < kept; i++)
        items[i] = s->value->items[names[i].index];
    *out = mgi_json_list(items, kept);
    return true;
}

/* ---- patches -------------------------------------------------------------------------------- */

static bool run_patch(struct stage *s, struct json *out)
{
    const struct json *operations = need(s, "operations", JSON_ARRAY, "list");
    return operations && mgi_json_patch(s->w, s->value, operations, out, s->why);
}

static bool run_merge(struct stage *s, struct json *out)
{
    const struct json *patch = mgi_json_get(s->step, "patch");
    if (!patch)
        return refuse(s, "\"patch\" is missing");
    return mgi_json_merge(s->w, s->value, patch, out);
}

/* ---- the steps ------------------------------------------------------------------------------ */

static const struct {
    const char *op;
    bool (*run)(struct stage *s, struct json *out);
    const char *members[4]; /* beside op */
} rows[] = {
    { "get", run_get, { "pointer", "default" } },
    { "select", run_select, { "path" } },
    { "build", run_build, { "members" } },
    { "pick", run_pick, { "names" } },
    { "omit", run_omit, { "names" } },
    { "rename", run_rename, { "names" } },
    { "flatten", run_flatten, { "depth" } },
    { "group_by", run_group, { "by" } },
    { "sort_by", run_sort, { "by", "descending" } },
    { "unique", run_unique, { "by" } },
    { "limit", run_limit, { "count", "offset" } },
    { "count", run_count, { NULL } },
    { "merge", run_merge, { "patch" } },
    { "patch", run_patch, { "operations" } },
};
#define ROWS (sizeof rows / sizeof *rows)

static bool refuse_op(struct buf *why, const struct json *op)
{
    mgi_buf_puts(why,
                 op && op->type == JSON_STRING ? "\"op\" is none of" : "\"op\" is missing: one of");
    for (size_t i = 0; i < ROWS; i++)
        mgi_buf_printf(why, "%s %s", i ? "," : "", rows[i].op);
    return false;
}

/* An option that is misspelt must not be taken for one that was left out. */
static bool knows_members(const struct json *step, size_t row, struct buf *why)
{
    for (uint32_t i = 0; i < step->count; i++) {
        struct str name = step->members[i].name;
        bool known = str_is(name, "op");
        for (size_t k = 0; k < 4 && rows[row].members[k]; k++)
            known = known || str_is(name, rows[row].members[k]);
        if (!known) {
            mgi_buf_printf(why, "%s has no \"%.*s\"", rows[row].op, STR_ARG(name));
            return false;
        }
    }
    return true;
}

bool mgi_json_transform(struct work *w, const struct json *step, const struct json *document,
                        struct json *out, struct buf *why)
{
    struct stage s = { w, step, document, why };
    const struct json *op = step->type == JSON_OBJECT ? mgi_json_get(step, "op") : NULL;
    size_t row = 0;
    while (row < ROWS && !(op && op->type == JSON_STRING && str_is(op->string, rows[row].op)))
        row++;
    if (row == ROWS)
        return refuse_op(why, op);
    if (!knows_members(step, row, why))
        return false;
    return rows[row].run(&s, out) && mgi_json_fits(w, out);
}
