/* What makes one document of another, as a patch (RFC 6902). Members are compared by name. Of lists
 * the equal beginning and the equal end are kept, and what is between is changed element by
 * element, then removed or added: not the shortest patch there is, but one that is found in a time
 * that follows the documents. */
#include "plugins/json/json_plugin.h"

struct differ {
    struct work *w;
    struct json_writer *out;
    struct buf path;
    size_t operations;
};

static bool put(struct differ *d, const char *op, const struct json *value)
{
    if (!mgi_work_step(d->w, 10 + (int64_t)d->path.len))
        return false;
    if (value && !mgi_json_fits(d->w, value))
        return false;
    mgi_jw_begin_object(d->out);
    mgi_jw_member_cstr(d->out, "op", op);
    mgi_jw_member_str(d->out, "path", mgi_buf_view(&d->path));
    if (value) {
        mgi_jw_key(d->out, "value");
        mgi_jw_value(d->out, value);
    }
    mgi_jw_end_object(d->out);
    d->operations++;
    if (d->out->out->len > ANSWER_ROOM_BYTES) {
        d->w->fault = "the patch is too large: compare parts of the documents";
        return false;
    }
    return true;
}

static bool put_at(struct differ *d, size_t index, const char *op, const struct json *value)
{
    size_t before = d->path.len;
    mgi_json_pointer_index(&d->path, index);
    bool ok = put(d, op, value);
    d->path.len = before;
    return ok;
}

static bool differ(struct differ *d, const struct json *from, const struct json *to);

static bool differ_in(struct differ *d, struct str name, const struct json *from,
                      const struct json *to)
{
    size_t before = d->path.len;
    mgi_json_pointer_push(&d->path, name);
    bool ok = !from ? put(d, "add", to) : !to ? put(d, "remove", NULL) : differ(d, from, to);
    d->path.len = before;
    return ok;
}

static const struct json *member(struct work *w, const struct json *object, struct str name)
{
    return mgi_work_step(w, 1 + object->count / 8) ? mgi_json_get_str(object, name) : NULL;
}

static bool differ_objects(struct differ *d, const struct json *from, const struct json *to)
{
    for (uint32_t i = 0; i < from->count; i++) {
        const struct json_member *m = &from->members[i];
        const struct json *other = member(d->w, to, m->name);
        if (d->w->fault || !differ_in(d, m->name, &m->value, other))
            return false;
    }
    for (uint32_t i = 0; i < to->count; i++) {
        const struct json_member *m = &to->members[i];
        bool new = !member(d->w, from, m->name);
        if (d->w->fault || (new && !differ_in(d, m->name, NULL, &m->value)))
            return false;
    }
    return true;
}

static bool differ_lists(struct differ *d, const struct json *from, const struct json *to)
{
    size_t a = from->count, b = to->count, begin = 0, end = 0;
    while (begin < a && begin < b && mgi_json_same(d->w, &from->items[begin], &to->items[begin]))
        begin++;
    while (end < a - begin && end < b - begin &&
           mgi_json_same(d->w, &from->items[a - 1 - end], &to->items[b - 1 - end]))
        end++;
    size_t old = a - begin - end, new = b - begin - end, both = old < new ? old : new;
    for (size_t i = 0; i < both; i++) {
        size_t before = d->path.len;
        mgi_json_pointer_index(&d->path, begin + i);
        bool ok = differ(d, &from->items[begin + i], &to->items[begin + i]);
        d->path.len = before;
        if (!ok)
            return false;
    }
    for (size_t i = old; i > both; i--)
        if (!put_at(d, begin + i - 1, "remove", NULL))
            return false;
    for (size_t i = both; i < new; i++)
        if (!put_at(d, begin + i, "add", &to->items[begin + i]))
            return false;
    return !d->w->fault;
}

/* As deep as the documents, which the parser has bounded. */
static bool differ(struct differ *d, const struct json *from, const struct json *to)
{
    if (from->type == JSON_OBJECT && to->type == JSON_OBJECT)
        return differ_objects(d, from, to);
    if (from->type == JSON_ARRAY && to->type == JSON_ARRAY)
        return differ_lists(d, from, to);
    if (mgi_json_same(d->w, from, to))
        return !d->w->fault;
    return !d->w->fault && put(d, "replace", to);
}

bool mgi_json_diff(struct work *w, const struct json *from, const struct json *to,
                   struct json_writer *out, size_t *operations)
{
    struct differ d = { .w = w, .out = out };
    mgi_buf_init(&d.path);
    mgi_jw_begin_array(out);
    bool ok = differ(&d, from, to);
    mgi_jw_end_array(out);
    if (d.path.oom)
        w->fault = "out of memory";
    ok = ok && !d.path.oom;
    mgi_buf_fini(&d.path);
    *operations = d.operations;
    return ok;
}
