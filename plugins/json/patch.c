/* JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7396). Values are never changed: an operation
 * copies the containers from the root down to what it touches, and shares all the rest. */
#include "plugins/json/json_plugin.h"

#include <inttypes.h>

#define OPERATIONS_MOST 10000

/* A pointer as its tokens. */
struct pointer {
    struct str tokens[JSON_DEPTH + 1];
    size_t count;
};

/* ---- pointers ------------------------------------------------------------------------------- */

static bool unescape(struct work *w, struct str raw, struct str *out)
{
    char *text = mgi_work_alloc(w, raw.len + 1, 1);
    size_t len = 0;
    for (size_t i = 0; text && i < raw.len; i++) {
        char c = raw.ptr[i];
        if (c == '~') {
            if (++i == raw.len || (raw.ptr[i] != '0' && raw.ptr[i] != '1'))
                return false;
            c = raw.ptr[i] == '0' ? '~' : '/';
        }
        text[len++] = c;
    }
    *out = (struct str){ text, len };
    return text != NULL;
}

static bool read_pointer(struct work *w, struct str text, struct pointer *p, struct buf *why)
{
    p->count = 0;
    for (size_t at = 0; at < text.len;) {
        const char *slash = memchr(text.ptr + at + 1, '/', text.len - at - 1);
        size_t end = slash ? (size_t)(slash - text.ptr) : text.len;
        if (text.ptr[at] != '/' || p->count > JSON_DEPTH - 1 ||
            !unescape(w, (struct str){ text.ptr + at + 1, end - at - 1 }, &p->tokens[p->count])) {
            mgi_buf_printf(why, "\"%.*s\" is no JSON pointer", STR_ARG(text));
            return false;
        }
        p->count++;
        at = end;
    }
    return true;
}

/* Digits without a leading zero, below `most`; `most` itself if it is "-" and `append`. */
static bool read_index(struct str token, size_t most, bool append, size_t *index)
{
    size_t n = 0;
    if (append && str_is(token, "-")) {
        *index = most;
        return true;
    }
    if (token.len == 0 || token.len > 9 || (token.len > 1 && token.ptr[0] == '0'))
        return false;
    for (size_t i = 0; i < token.len; i++) {
        if (token.ptr[i] < '0' || token.ptr[i] > '9')
            return false;
        n = n * 10 + (size_t)(token.ptr[i] - '0');
    }
    *index = n;
    return append ? n <= most : n < most;
}

/* The place of the token in the container; false: it has none. */
static bool find_child(struct work *w, const struct json *v, struct str token, size_t *index)
{
    if (v->type == JSON_ARRAY)
        return read_index(token, v->count, false, index);
    if (v->type != JSON_OBJECT || !mgi_work_step(w, 1 + v->count / 8))
        return false;
    for (*index = 0; *index < v->count; ++*index)
        if (str_eq(v->members[*index].name, token))
            return true;
    return false;
}

static const struct json *child_at(const struct json *v, size_t index)
{
    return v->type == JSON_ARRAY ? &v->items[index] : &v->members[index].value;
}

static const struct json *follow(struct work *w, const struct json *v, const struct pointer *p,
                                 size_t count)
{
    size_t index;
    for (size_t i = 0; i < count; i++) {
        if (!find_child(w, v, p->tokens[i], &index))
            return NULL;
        v = child_at(v, index);
    }
    return v;
}

/* ---- copies with one thing changed ---------------------------------------------------------- */

/* Room for one more. */
static bool copy_container(struct work *w, const struct json *v, struct json *out)
{
    bool list = v->type == JSON_ARRAY;
    *out = *v;
    out->text = (struct str){ NULL, 0 };
    void *p = mgi_work_alloc(w, v->count + 1, list ? sizeof *v->items : sizeof *v->members);
    if (!p)
        return false;
    if (v->count)
        memcpy(p, list ? (const void *)v->items : (const void *)v->members,
               v->count * (list ? sizeof *v->items : sizeof *v->members));
    if (list)
        out->items = p;
    else
        out->members = p;
    return true;
}

enum change { CHANGE_ADD, CHANGE_REPLACE, CHANGE_REMOVE };

static bool change_list(struct json *v, struct str token, enum change change,
                        const struct json *value)
{
    size_t index;
    if (!read_index(token, v->count, change == CHANGE_ADD, &index))
        return false;
    struct json *at = &v->items[index];
    if (change == CHANGE_ADD)
        memmove(at + 1, at, (v->count - index) * sizeof *at);
    if (change == CHANGE_REMOVE)
        memmove(at, at + 1, (v->count - index - 1) * sizeof *at);
    else
        *at = *value;
    v->count += change == CHANGE_ADD ? 1u : 0u;
    v->count -= change == CHANGE_REMOVE ? 1u : 0u;
    return true;
}

static bool change_object(struct work *w, struct json *v, struct str token, enum change change,
                          const struct json *value)
{
    size_t index;
    bool found = find_child(w, v, token, &index);
    if (w->fault || (!found && change != CHANGE_ADD))
        return false;
    if (change == CHANGE_REMOVE) {
        memmove(&v->members[index], &v->members[index + 1],
                (v->count - index - 1) * sizeof *v->members);
        v->count--;
        return true;
    }
    v->members[index] = (struct json_member){ found ? v->members[index].name : token, *value };
    v->count += found ? 0u : 1u;
    return true;
}

/* `root` with one change at the pointer. False: there is no such place, or w->fault. */
static bool change_at(struct work *w, const struct json *root, const struct pointer *p,
                      enum change change, const struct json *value, struct json *out)
{
    struct json *into = out;
    const struct json *v = root;
    if (p->count == 0) {
        if (change == CHANGE_REMOVE)
            return false;
        *out = *value;
        return true;
    }
    for (size_t i = 0;; i++) {
        if ((v->type != JSON_ARRAY && v->type != JSON_OBJECT) || !copy_container(w, v, into))
            return false;
        if (i + 1 == p->count)
            return into->type == JSON_ARRAY ? change_list(into, p->tokens[i], change, value)
                                            : change_object(w, into, p->tokens[i], change, value);
        size_t index;
        if (!find_child(w, into, p->tokens[i], &index))
            return false;
        v = child_at(v, index);
        into = into->type == JSON_ARRAY ? &into->items[index] : &into->members[index].value;
    }
}

/* ---- operations ----------------------------------------------------------------------------- */

static const char *const operation_names[] = { "add", "remove", "replace", "move", "copy", "test" };
enum operation { OP_ADD, OP_REMOVE, OP_REPLACE, OP_MOVE, OP_COPY, OP_TEST };
#define OPERATIONS (sizeof operation_names / sizeof *operation_names)

struct step {
    enum operation op;
    struct pointer path, from;
    struct str path_text, from_text;
    const struct json *value;
};

static bool string_member(const struct json *o, const char *name, struct str *out, struct buf *why)
{
    const struct json *v = mgi_json_get(o, name);
    if (!v || v->type != JSON_STRING) {
        mgi_buf_printf(why, "\"%s\" is no string", name);
        return false;
    }
    *out = v->string;
    return true;
}

static bool read_operation(struct work *w, const struct json *o, struct step *s, struct buf *why)
{
    struct str name;
    size_t op = 0;
    if (o->type != JSON_OBJECT) {
        mgi_buf_puts(why, "is no object");
        return false;
    }
    if (!string_member(o, "op", &name, why) || !string_member(o, "path", &s->path_text, why) ||
        !read_pointer(w, s->path_text, &s->path, why))
        return false;
    while (op < OPERATIONS && !str_is(name, operation_names[op]))
        op++;
    if (op == OPERATIONS) {
        mgi_buf_printf(why, "\"%.*s\" is none of add, remove, replace, move, copy, test",
                       STR_ARG(name));
        return false;
    }
    s->op = (enum operation)op;
    s->value = mgi_json_get(o, "value");
    if ((op == OP_ADD || op == OP_REPLACE || op == OP_TEST) && !s->value) {
        mgi_buf_puts(why, "\"value\" is missing");
        return false;
    }
    return (op != OP_MOVE && op != OP_COPY) || (string_member(o, "from", &s->from_text, why) &&
                                                read_pointer(w, s->from_text, &s->from, why));
}

static bool fail_place(struct buf *why, struct str path)
{
    mgi_buf_printf(why, "nothing is at \"%.*s\"", STR_ARG(path));
    return false;
}

/* RFC 6902 4.4: not into itself. */
static bool is_inside(struct str path, struct str from)
{
    return mgi_str_starts(path, from) && path.len > from.len && path.ptr[from.len] == '/';
}

static bool move_value(struct work *w, const struct step *s, const struct json *v, struct json *out,
                       struct buf *why)
{
    const struct json *found = follow(w, v, &s->from, s->from.count);
    struct json kept, without;
    if (!found)
        return fail_place(why, s->from_text);
    kept = *found;
    if (s->op == OP_MOVE && is_inside(s->path_text, s->from_text)) {
        mgi_buf_puts(why, "a value cannot go into itself");
        return false;
    }
    if (s->op == OP_MOVE && str_eq(s->path_text, s->from_text)) {
        *out = *v;
        return true;
    }
    without = *v;
    if (s->op == OP_MOVE && !change_at(w, v, &s->from, CHANGE_REMOVE, NULL, &without))
        return fail_place(why, s->from_text);
    return change_at(w, &without, &s->path, CHANGE_ADD, &kept, out) ||
           fail_place(why, s->path_text);
}

static bool apply(struct work *w, const struct step *s, const struct json *v, struct json *out,
                  struct buf *why)
{
    const struct json *found;
    switch (s->op) {
    case OP_ADD:
        return change_at(w, v, &s->path, CHANGE_ADD, s->value, out) ||
               fail_place(why, s->path_text);
    case OP_REMOVE:
        return change_at(w, v, &s->path, CHANGE_REMOVE, NULL, out) || fail_place(why, s->path_text);
    case OP_REPLACE:
        return change_at(w, v, &s->path, CHANGE_REPLACE, s->value, out) ||
               fail_place(why, s->path_text);
    case OP_TEST:
        found = follow(w, v, &s->path, s->path.count);
        if (!found)
            return fail_place(why, s->path_text);
        *out = *v;
        if (mgi_json_same(w, found, s->value))
            return true;
        mgi_buf_printf(why, "what is at \"%.*s\" is not the value of the test",
                       STR_ARG(s->path_text));
        return false;
    default:
        return move_value(w, s, v, out, why);
    }
}

bool mgi_json_patch(struct work *w, const struct json *document, const struct json *operations,
                    struct json *out, struct buf *why)
{
    struct json now = *document;
    if (operations->type != JSON_ARRAY || operations->count > OPERATIONS_MOST) {
        mgi_buf_puts(why, "a patch is a list of at most 10000 operations");
        return false;
    }
    for (uint32_t i = 0; i < operations->count; i++) {
        struct step *s = mgi_work_alloc(w, 1, sizeof *s);
        struct json *then = mgi_work_alloc(w, 1, sizeof *then);
        if (!s || !then)
            return false;
        size_t before = why->len;
        mgi_buf_printf(why, "operation %u: ", i + 1);
        if (!read_operation(w, &operations->items[i], s, why) || !apply(w, s, &now, then, why))
            return false;
        why->len = before;
        if (!mgi_json_fits(w, then))
            return false;
        now = *then;
    }
    *out = now;
    return true;
}

/* ---- merge patch ---------------------------------------------------------------------------- */

/* As deep as the patch, which the parser has bounded. */
bool mgi_json_merge(struct work *w, const struct json *target, const struct json *patch,
                    struct json *out)
{
    static const struct json nothing = { .type = JSON_OBJECT };
    if (patch->type != JSON_OBJECT) {
        *out = *patch;
        return mgi_work_step(w, 1);
    }
    struct json now = target && target->type == JSON_OBJECT ? *target : nothing;
    struct json_member *members =
        mgi_work_alloc(w, (size_t)now.count + patch->count, sizeof *members);
    if (!members)
        return false;
    if (now.count)
        memcpy(members, now.members, now.count * sizeof *members);
    now = mgi_json_object(members, now.count);
    for (uint32_t i = 0; i < patch->count; i++) {
        const struct json_member *m = &patch->members[i];
        struct json value;
        size_t index;
        bool found = find_child(w, &now, m->name, &index);
        if (m->value.type == JSON_NULL) {
            if (found)
                change_object(w, &now, m->name, CHANGE_REMOVE, NULL);
        } else {
            if (!mgi_json_merge(w, found ? &members[index].value : NULL, &m->value, &value))
                return false;
            change_object(w, &now, m->name, CHANGE_ADD, &value);
        }
        if (w->fault)
            return false;
    }
    *out = now;
    return true;
}
