/* An OpenAPI document as JSON values, each of which can say where it stands, and what its
 * references lead to: see openapi_int.h.
 *
 * YAML becomes JSON text, and for each value is noted where that begins; a value is then looked up
 * by its place in the text, as one of a document in JSON by the lines of that. */
#include "actions/openapi_int.h"
#include "base/utf8.h"

#define MOST_HOPS 16 /* from reference to reference */

/* ---- text and places ------------------------------------------------------------------------- */

struct writing {
    struct openapi *doc;
    struct buf text;
    struct json_writer w;
    size_t cap;
};

static bool note_place(struct writing *out, const struct yaml_node *n)
{
    struct openapi *doc = out->doc;
    size_t comma = out->w.need_comma && !out->w.after_key; /* which comes before the value */
    if (!mgi_arena_grow(doc->r->yaml->arena, &doc->places, &out->cap, doc->place_count + 1,
                        sizeof *doc->places))
        return false;
    doc->places[doc->place_count++] =
        (struct openapi_place){ out->text.len + comma, n->line, n->column };
    return true;
}

/* Its depth is at most YAML_MAX_DEPTH. */
static bool write_node(struct writing *out, const struct yaml_node *n)
{
    bool map = n->kind == YAML_MAP, good = note_place(out, n);
    if (n->kind == YAML_SCALAR) {
        mgi_yaml_write_json(&out->w, n);
        return good;
    }
    if (map)
        mgi_jw_begin_object(&out->w);
    else
        mgi_jw_begin_array(&out->w);
    for (size_t i = 0; good && i < n->count; i++) {
        if (map)
            mgi_jw_key_str(&out->w, n->entries[i].key);
        good = write_node(out, n->entries[i].value);
    }
    if (map)
        mgi_jw_end_object(&out->w);
    else
        mgi_jw_end_array(&out->w);
    return good;
}

static bool open_yaml(struct openapi *doc, const struct yaml_node *root)
{
    struct arena *a = doc->r->yaml->arena;
    struct writing out = { .doc = doc };
    mgi_json_writer_init(&out.w, &out.text, 0);
    bool good = write_node(&out, root) && !out.text.oom;
    doc->text = mgi_arena_str(a, mgi_buf_view(&out.text));
    mgi_buf_fini(&out.text);
    return good && doc->text.ptr && mgi_json_parse(a, doc->text, NULL, &doc->root, NULL) == JSON_OK;
}

static bool open_json(struct openapi *doc, const struct openapi_text *text)
{
    size_t count = 1, at = 0;
    doc->text = text->json;
    doc->root = text->root;
    for (size_t i = 0; i < doc->text.len; i++)
        count += doc->text.ptr[i] == '\n';
    doc->lines = mgi_arena_alloc(doc->r->yaml->arena, count * sizeof *doc->lines);
    if (!doc->lines)
        return false;
    doc->lines[at++] = 0;
    for (size_t i = 0; i < doc->text.len; i++)
        if (doc->text.ptr[i] == '\n')
            doc->lines[at++] = (uint32_t)i + 1;
    doc->place_count = count;
    return true;
}

bool mgi_openapi_open(struct openapi *doc, const struct openapi_text *text)
{
    mgi_strmap_init(&doc->refs);
    mgi_strmap_init(&doc->names);
    doc->file = text->file;
    bool good = text->yaml ? open_yaml(doc, text->yaml) : open_json(doc, text);
    if (!good)
        doc->r->yaml->arena->oom = true; /* what was written is JSON: only memory can fail */
    return good;
}

void mgi_openapi_close(struct openapi *doc)
{
    mgi_strmap_fini(&doc->refs);
    mgi_strmap_fini(&doc->names);
}

/* The last of the sorted places that is not behind `offset`. */
static size_t last_before(const struct openapi *doc, size_t offset)
{
    size_t low = 0, high = doc->place_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        size_t begin = doc->lines ? doc->lines[middle] : doc->places[middle].offset;
        if (begin <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct openapi_place mgi_openapi_place(const struct openapi *doc, const struct json *at)
{
    size_t offset = at && at->text.ptr ? (size_t)(at->text.ptr - doc->text.ptr) : 0;
    size_t index = last_before(doc, offset);
    if (doc->places)
        return doc->places[index];
    return (struct openapi_place){ offset, (uint32_t)index + 1,
                                   (uint32_t)(offset - doc->lines[index]) + 1 };
}

/* ---- nodes ----------------------------------------------------------------------------------- */

struct yaml_node *mgi_openapi_node(struct openapi *doc, const struct json *at, enum yaml_kind kind,
                                   struct str text)
{
    struct openapi_place place = mgi_openapi_place(doc, at);
    struct yaml_node *n = mgi_arena_calloc(doc->r->yaml->arena, 1, sizeof *n);
    if (n)
        *n = (struct yaml_node){ .kind = kind,
                                 .origin = doc->file,
                                 .line = place.line,
                                 .column = place.column,
                                 .text = text };
    return n;
}

bool mgi_openapi_put(struct openapi *doc, struct yaml_node *map, struct str key,
                     const struct json *at, struct str text)
{
    struct yaml_node *n = mgi_openapi_node(doc, at, YAML_SCALAR, text);
    return n && mgi_yaml_put(doc->r->yaml->arena, map, key, n);
}

bool mgi_openapi_append(struct openapi *doc, struct yaml_node *list, struct yaml_node *item)
{
    if (!item || !mgi_arena_grow(doc->r->yaml->arena, &list->entries, &list->cap, list->count + 1,
                                 sizeof *list->entries))
        return false;
    list->entries[list->count++] = (struct yaml_entry){ { "", 0 }, item->line, item->column, item };
    return true;
}

/* ---- values ---------------------------------------------------------------------------------- */

struct str mgi_openapi_text(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_STRING ? v->string : STR_LIT("");
}

bool mgi_openapi_true(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_BOOL && v->boolean;
}

struct str mgi_openapi_cut(struct openapi *doc, struct str text, size_t most)
{
    if (text.len <= most)
        return text;
    struct str kept = mgi_utf8_prefix(text, most - 3);
    const char *cut = mgi_arena_printf(doc->r->yaml->arena, "%.*s...", STR_ARG(kept));
    return cut ? str_of(cut) : STR_LIT("");
}

/* ---- references ------------------------------------------------------------------------------ */

static int fragment_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void decode_fragment(struct str s, struct buf *out)
{
    for (size_t i = 0; i < s.len; i++) {
        bool escape = s.ptr[i] == '%' && i + 2 < s.len;
        int high = escape ? fragment_digit(s.ptr[i + 1]) : -1;
        int low = escape ? fragment_digit(s.ptr[i + 2]) : -1;
        if (high < 0 || low < 0) {
            mgi_buf_putc(out, s.ptr[i]);
            continue;
        }
        mgi_buf_putc(out, (char)(high * 16 + low));
        i += 2;
    }
}

/* What a reference leads to; NULL: *why. */
static const struct json *look_up(struct openapi *doc, struct str ref, const char **why)
{
    struct arena *a = doc->r->yaml->arena;
    struct buf pointer = { 0 };
    struct str shown = mgi_openapi_cut(doc, ref, 200);
    *why = NULL;
    if (ref.len == 0 || ref.ptr[0] != '#') {
        *why = mgi_arena_printf(a,
                                "refers to another document, \"%.*s\": what is in this one alone "
                                "is followed",
                                STR_ARG(shown));
        return NULL;
    }
    decode_fragment((struct str){ ref.ptr + 1, ref.len - 1 }, &pointer);
    struct str path = mgi_buf_view(&pointer);
    const struct json *found = NULL;
    if (path.len > 0 && path.ptr[0] != '/')
        *why = mgi_arena_printf(a,
                                "refers to \"%.*s\" by an anchor, and pointers (#/components/...) "
                                "alone are followed",
                                STR_ARG(shown));
    else
        found = mgi_json_pointer_get(&doc->root, path);
    if (!found && !*why)
        *why = mgi_arena_printf(a, "refers to \"%.*s\", which is not there", STR_ARG(shown));
    if (!*why && !found)
        *why = "out of memory";
    a->oom |= pointer.oom;
    mgi_buf_fini(&pointer);
    return found;
}

const struct json *mgi_openapi_follow(struct openapi *doc, const struct json *v, const char **why)
{
    *why = "is missing";
    for (int hops = 0; v; hops++) {
        const struct json *ref = mgi_json_get(v, "$ref");
        if (!ref || ref->type != JSON_STRING)
            return v;
        struct openapi_target *t =
            hops < MOST_HOPS ? mgi_openapi_target(doc, ref->string, why) : NULL;
        if (hops == MOST_HOPS)
            *why = "refers to itself, or to what refers on more than 16 times";
        v = t ? t->value : NULL;
    }
    return NULL;
}

/* "$defs" are called by what the reference ends with; two of one name are told apart by a number.
 */
static struct str name_target(struct openapi *doc, struct str ref)
{
    char name[64];
    size_t len = 0, begin = ref.len;
    uint32_t times = 0;
    while (begin > 0 && ref.ptr[begin - 1] != '/')
        begin--;
    for (size_t i = begin; i < ref.len && len < sizeof name; i++) {
        char c = ref.ptr[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        name[len++] = plain || c == '-' || c == '.' ? c : '_';
    }
    struct str key = { name, len };
    mgi_strmap_get(&doc->names, key, &times);
    struct arena *a = doc->r->yaml->arena;
    if (!mgi_strmap_put(&doc->names, key, times + 1))
        a->oom = true;
    char *text = times == 0 ? mgi_arena_printf(a, "%.*s", STR_ARG(key))
                            : mgi_arena_printf(a, "%.*s$%u", STR_ARG(key), times + 1);
    return text ? str_of(text) : STR_LIT("");
}

struct openapi_target *mgi_openapi_target(struct openapi *doc, struct str ref, const char **why)
{
    struct arena *a = doc->r->yaml->arena;
    uint32_t known;
    *why = NULL;
    if (mgi_strmap_get(&doc->refs, ref, &known))
        return doc->targets[known];
    const struct json *value = look_up(doc, ref, why);
    struct openapi_target *t = value ? mgi_arena_calloc(a, 1, sizeof *t) : NULL;
    if (!t || !mgi_arena_grow(a, &doc->targets, &doc->target_cap, doc->target_count + 1,
                              sizeof *doc->targets)) {
        *why = *why ? *why : "out of memory";
        return NULL;
    }
    t->value = value;
    t->name = name_target(doc, ref);
    if (!mgi_strmap_put(&doc->refs, ref, (uint32_t)doc->target_count)) {
        a->oom = true;
        *why = "out of memory";
        return NULL;
    }
    doc->targets[doc->target_count++] = t;
    return t;
}
