/* The shape of a JSON text: which paths there are, what stands at them, what is empty.
 *
 * One pass with the pull reader, so that the size of a body costs time and not memory, and so that
 * a body that was cut still has the shape of what came. Members of an array share one path,
 * $.items[].price; a member that only some objects of an array have is also "missing". */
#include "facts.h"

#define SHAPE_DEPTH      7
#define SHAPE_ITEMS      200
#define SHAPE_NAME_BYTES 60
#define SHORT_VALUE      60
#define SAID_BYTES       160

struct level_at {
    size_t path;    /* index of the container */
    uint32_t items; /* of an array, seen */
    bool array;
};

struct walk {
    struct job *job;
    struct shape *shape;
    struct json_reader reader;
    struct level_at levels[SHAPE_DEPTH];
    size_t depth;
    struct str key; /* of the member whose value comes next */
};

/* What stands behind the path of its parent: "[]", or "." and `name`. */
static bool ends_in(struct str path, size_t above, bool array, struct str name)
{
    struct str end = { path.ptr + above, path.len - above };
    return array ? str_is(end, "[]")
                 : end.len == name.len + 1 && end.ptr[0] == '.' &&
                       memcmp(end.ptr + 1, name.ptr, name.len) == 0;
}

static size_t find_child(const struct shape *shape, size_t parent, bool array, struct str name)
{
    size_t above = shape->paths[parent].path.len;
    for (size_t i = 0; i < shape->count; i++)
        if (shape->paths[i].parent == parent && ends_in(shape->paths[i].path, above, array, name))
            return i;
    return SIZE_MAX;
}

/* "$.a" from "$" and "a"; "$.a[]" for what is in an array. Of a list most are known already: a text
 * is made of the first only. */
static size_t child_of(struct walk *w, size_t parent, bool array, struct str key)
{
    struct shape *shape = w->shape;
    const struct str above = shape->paths[parent].path;
    struct str name = array ? STR_LIT("") : mgi_utf8_prefix(key, SHAPE_NAME_BYTES);
    name.len = strnlen(name.ptr, name.len); /* as it is printed */
    size_t found = find_child(shape, parent, array, name);
    if (found != SIZE_MAX)
        return found;
    if (shape->count >= SHAPE_PATHS) {
        shape->cut = true;
        return SIZE_MAX;
    }
    char *text = mgi_arena_printf(w->job->arena, "%.*s%s%.*s", STR_ARG(above), array ? "[]" : ".",
                                  STR_ARG(name));
    if (!text)
        return SIZE_MAX;
    shape->paths[shape->count] = (struct shape_path){
        .path = str_of(text),
        .parent = parent,
        .in_array = !array && mgi_str_ends(above, STR_LIT("[]")),
    };
    return shape->count++;
}

/* Where the value that comes next stands; SIZE_MAX: it is not looked at. */
static size_t place_of_next(struct walk *w)
{
    if (w->depth == 0)
        return 0;
    struct level_at *level = &w->levels[w->depth - 1];
    if (level->array && ++level->items > SHAPE_ITEMS) {
        w->shape->cut = true;
        return SIZE_MAX;
    }
    return child_of(w, level->path, level->array, w->key);
}

static void keep_value(struct walk *w, struct shape_path *at, struct str text)
{
    size_t n = 0;
    while (n < 3 && at->values[n].ptr)
        n++;
    if (n < 3 && text.len > 0 && text.len <= SHORT_VALUE)
        at->values[n] = mgi_arena_str(w->job->arena, text);
}

bool mgi_is_written_number(struct str s)
{
    size_t digits = 0, others = 0, points = 0;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        digits += c >= '0' && c <= '9';
        points += c == '.';
        others +=
            c == ',' || c == ' ' || c == '\'' || c == '$' || c == '%' || (unsigned char)c > 127;
    }
    return s.len <= 16 && digits > 0 && others > 0 && points <= 1 &&
           digits + others + points == s.len;
}

static void note_scalar(struct walk *w, size_t place, enum json_event event)
{
    struct shape_path *at = &w->shape->paths[place];
    int64_t integer;
    double number;
    at->seen++;
    switch (event) {
    case JSON_EV_NULL:
        at->types |= 1u << JSON_NULL;
        at->empty = true;
        break;
    case JSON_EV_BOOL:
        at->types |= 1u << JSON_BOOL;
        keep_value(w, at, w->reader.token);
        break;
    case JSON_EV_NUMBER:
        mgi_json_reader_number(&w->reader, &integer, &number);
        at->types |= 1u << JSON_INT;
        keep_value(w, at, w->reader.token);
        break;
    case JSON_EV_STRING: {
        struct str text = mgi_json_reader_string(&w->reader, w->job->arena);
        at->types |= 1u << JSON_STRING;
        at->empty = at->empty || text.len == 0;
        keep_value(w, at, text);
        if (!at->said.ptr && text.len > SHORT_VALUE)
            at->said = mgi_arena_str(w->job->arena, mgi_utf8_prefix(text, SAID_BYTES));
        if (!at->written.ptr && mgi_is_written_number(text))
            at->written = mgi_arena_str(w->job->arena, text);
        break;
    }
    default:
        break;
    }
}

/* Opens a container, or passes over it where it is too deep. */
static void enter(struct walk *w, size_t place, bool array)
{
    struct shape_path *at = &w->shape->paths[place];
    at->seen++;
    at->objects += !array;
    at->types |= 1u << (array ? JSON_ARRAY : JSON_OBJECT);
    w->levels[w->depth++] = (struct level_at){ .path = place, .array = array };
}

/* Past the rest of a container that was opened and is not looked at. */
static bool skip_open(struct walk *w)
{
    for (uint32_t depth = 1; depth > 0;) {
        enum json_event event = mgi_json_reader_next(&w->reader);
        if (event == JSON_EV_ERROR || event == JSON_EV_END)
            return false;
        depth += event == JSON_EV_ARRAY_BEGIN || event == JSON_EV_OBJECT_BEGIN;
        depth -= event == JSON_EV_ARRAY_END || event == JSON_EV_OBJECT_END;
    }
    return true;
}

/* An empty array or object is known when it ends right after it began. */
static void leave(struct walk *w, bool had_content)
{
    w->depth--;
    if (!had_content)
        w->shape->paths[w->levels[w->depth].path].empty = true;
}

static bool step_walk(struct walk *w, enum json_event event, bool *fresh)
{
    bool array = event == JSON_EV_ARRAY_BEGIN, object = event == JSON_EV_OBJECT_BEGIN;
    if (event == JSON_EV_KEY) {
        w->key = mgi_json_reader_string(&w->reader, w->job->arena);
        *fresh = false;
        return w->key.ptr != NULL;
    }
    if (event == JSON_EV_ARRAY_END || event == JSON_EV_OBJECT_END) {
        leave(w, !*fresh);
        *fresh = false;
        return true;
    }
    size_t place = place_of_next(w);
    *fresh = array || object;
    if (!array && !object) {
        if (place != SIZE_MAX)
            note_scalar(w, place, event);
        return true;
    }
    if (place != SIZE_MAX && w->depth < SHAPE_DEPTH) {
        enter(w, place, array);
        return true;
    }
    *fresh = false;
    if (place != SIZE_MAX)
        w->shape->paths[place].types |= 1u << (array ? JSON_ARRAY : JSON_OBJECT);
    w->shape->cut = true;
    return skip_open(w);
}

/* Members that not all objects of an array have. What was not looked at to the end says nothing. */
static void find_missing(struct shape *shape)
{
    for (size_t i = 1; i < shape->count; i++) {
        const struct shape_path *above = &shape->paths[shape->paths[i].parent];
        if (shape->paths[i].in_array && shape->paths[i].seen < above->objects)
            shape->paths[i].types |= SHAPE_MISSING;
    }
}

bool mgi_shape_read(struct job *job, struct str text, bool cut, struct shape *out)
{
    struct walk w = { .job = job, .shape = out };
    bool fresh = false, ended = false;
    *out = (struct shape){ .kind = BODY_JSON, .count = 1 };
    out->paths = mgi_arena_calloc(job->arena, SHAPE_PATHS, sizeof *out->paths);
    if (!out->paths)
        return false;
    out->paths[0] = (struct shape_path){ .path = STR_LIT("$"), .parent = SIZE_MAX };
    mgi_json_reader_init(&w.reader, text, JSON_MAX_DEPTH);
    while (!ended) {
        enum json_event event = mgi_json_reader_next(&w.reader);
        ended = event == JSON_EV_END || event == JSON_EV_ERROR;
        if (event == JSON_EV_ERROR && !cut)
            out->kind = BODY_INVALID;
        if (!ended && !step_walk(&w, event, &fresh)) {
            if (!cut && !job->arena->oom)
                out->kind = BODY_INVALID;
            ended = true;
        }
    }
    out->cut = out->cut || cut;
    if (!out->cut)
        find_missing(out);
    return !job->arena->oom;
}

const struct shape_path *mgi_shape_find(const struct shape *shape, struct str path)
{
    for (size_t i = 0; i < shape->count; i++)
        if (str_eq(shape->paths[i].path, path))
            return &shape->paths[i];
    return NULL;
}

const char *mgi_shape_type(unsigned types)
{
    static const struct {
        unsigned bit;
        const char *name;
    } names[] = {
        { 1u << JSON_NULL, "null" },   { 1u << JSON_BOOL, "boolean" },
        { 1u << JSON_INT, "number" },  { 1u << JSON_STRING, "string" },
        { 1u << JSON_ARRAY, "array" }, { 1u << JSON_OBJECT, "object" },
        { SHAPE_MISSING, "missing" },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (types & names[i].bit)
            return names[i].name;
    return "missing";
}
