/* What URIs and anchors name while a schema is compiled.
 *
 * One table for three kinds of names, told apart by their spelling: the URI of a resource (no '#'),
 * an anchor ("7#name" in resource 7), and a name that $dynamicAnchors of all resources share
 * ("#name"). URIs are resolved as RFC 3986 says and compared by their bytes. */
#include "protocol/schema_int.h"

#define VOCABULARY "https://json-schema.org/draft/2020-12/vocab/"

/* ---- the table ------------------------------------------------------------------------------ */

void mgi_schema_names_fini(struct schema_names *n)
{
    mgi_strmap_fini(&n->map);
    mgi_buf_fini(&n->key);
}

static struct str anchor_key(struct schema_names *n, const struct schema_resource *resource,
                             struct str anchor)
{
    mgi_buf_clear(&n->key);
    if (resource)
        mgi_buf_printf(&n->key, "%u", (unsigned)resource->number);
    mgi_buf_putc(&n->key, '#');
    mgi_buf_str(&n->key, anchor);
    n->nomem |= n->key.oom;
    return mgi_buf_view(&n->key);
}

static struct schema_target *find_target(struct schema_names *n, struct str key)
{
    uint32_t at;
    if (n->count == 0 || n->nomem || !mgi_strmap_get(&n->map, key, &at))
        return NULL;
    return &n->targets[at];
}

static bool add_target(struct schema_names *n, struct arena *arena, struct str key,
                       struct schema_target target)
{
    if (n->nomem || find_target(n, key))
        return false;
    if (n->count == 0)
        mgi_strmap_init(&n->map);
    if (!mgi_arena_grow(arena, &n->targets, &n->cap, n->count + 1, sizeof target) ||
        !mgi_strmap_put(&n->map, key, (uint32_t)n->count)) {
        n->nomem = true;
        return false;
    }
    n->targets[n->count++] = target;
    return true;
}

bool mgi_schema_name_resource(struct schema_names *n, struct arena *arena, struct str uri,
                              struct schema_resource *resource)
{
    return add_target(n, arena, uri, (struct schema_target){ .resource = resource });
}

struct schema_resource *mgi_schema_find_resource(struct schema_names *n, struct str uri)
{
    const struct schema_target *found = find_target(n, uri);
    return found ? found->resource : NULL;
}

bool mgi_schema_name_anchor(struct schema_names *n, struct arena *arena,
                            const struct schema_resource *resource, struct str anchor,
                            struct schema_target target)
{
    return add_target(n, arena, anchor_key(n, resource, anchor), target);
}

const struct schema_target *mgi_schema_find_anchor(struct schema_names *n,
                                                   const struct schema_resource *resource,
                                                   struct str anchor)
{
    return find_target(n, anchor_key(n, resource, anchor));
}

struct schema_dynamic_name *mgi_schema_dynamic_name(struct schema_names *n, struct arena *arena,
                                                    struct str anchor)
{
    struct str key = anchor_key(n, NULL, anchor);
    const struct schema_target *found = find_target(n, key);
    if (found)
        return found->dynamic;
    struct schema_dynamic_name *name = mgi_arena_calloc(arena, 1, sizeof *name);
    n->nomem |= !name;
    return name && add_target(n, arena, key, (struct schema_target){ .dynamic = name }) ? name
                                                                                        : NULL;
}

bool mgi_schema_is_anchor(struct str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i], low = (char)(c | 0x20);
        bool first = (low >= 'a' && low <= 'z') || c == '_';
        if (!first && (i == 0 || !((c >= '0' && c <= '9') || c == '-' || c == '.')))
            return false;
    }
    return name.len > 0;
}

/* ---- URIs ----------------------------------------------------------------------------------- */

struct uri {
    struct str scheme, authority, path,
        query; /* ptr NULL: there is none; the path is always there */
};

static struct str take(struct str *text, size_t len)
{
    struct str head = { text->ptr, len };
    text->ptr += len;
    text->len -= len;
    return head;
}

/* As many bytes as come before the first of `set`. */
static size_t span_until(struct str text, const char *set)
{
    size_t n = 0;
    while (n < text.len && !(text.ptr[n] && strchr(set, text.ptr[n])))
        n++;
    return n;
}

static struct uri parse_uri(struct str text)
{
    struct uri u = { 0 };
    if (!text.ptr)
        text = STR_LIT("");
    size_t colon = span_until(text, ":/?");
    char first = (char)(text.len > 0 ? text.ptr[0] | 0x20 : 0);
    if (colon < text.len && text.ptr[colon] == ':' && first >= 'a' && first <= 'z') {
        u.scheme = take(&text, colon);
        take(&text, 1);
    }
    if (mgi_str_starts(text, STR_LIT("//"))) {
        take(&text, 2);
        u.authority = take(&text, span_until(text, "/?"));
    }
    u.path = take(&text, span_until(text, "?"));
    if (text.len > 0) {
        take(&text, 1);
        u.query = text;
    }
    return u;
}

static void drop_segment(struct buf *out, size_t start)
{
    while (out->len > start && out->ptr[--out->len] != '/')
        ;
}

/* RFC 3986, 5.2.4: the path without "." and "..". */
static void put_path(struct buf *out, struct str path)
{
    size_t start = out->len;
    while (path.len > 0 && !out->oom) {
        if (mgi_str_starts(path, STR_LIT("../"))) {
            take(&path, 3);
        } else if (mgi_str_starts(path, STR_LIT("./")) || mgi_str_starts(path, STR_LIT("/./"))) {
            take(&path, 2);
        } else if (mgi_str_starts(path, STR_LIT("/../"))) {
            take(&path, 3);
            drop_segment(out, start);
        } else if (str_is(path, "/..")) {
            drop_segment(out, start);
            path = STR_LIT("/");
        } else if (str_is(path, "/.")) {
            path = STR_LIT("/");
        } else if (str_is(path, ".") || str_is(path, "..")) {
            path.len = 0;
        } else {
            struct str rest = { path.ptr + 1, path.len - 1 };
            mgi_buf_str(out, take(&path, 1 + span_until(rest, "/")));
        }
    }
}

/* A relative path beside that of the base. */
static void put_merged(struct buf *out, struct uri base, struct str path)
{
    struct buf merged = { 0 };
    size_t folder = base.path.len;
    while (folder > 0 && base.path.ptr[folder - 1] != '/')
        folder--;
    if (base.authority.ptr && base.path.len == 0)
        mgi_buf_putc(&merged, '/');
    mgi_buf_str(&merged, (struct str){ base.path.ptr, folder });
    mgi_buf_str(&merged, path);
    put_path(out, mgi_buf_view(&merged));
    out->oom |= merged.oom;
    mgi_buf_fini(&merged);
}

static void put_part(struct buf *out, const char *before, struct str part, const char *behind)
{
    if (!part.ptr)
        return;
    mgi_buf_puts(out, before);
    mgi_buf_str(out, part);
    mgi_buf_puts(out, behind);
}

void mgi_schema_resolve_uri(struct str base_text, struct str ref_text, struct buf *out)
{
    struct uri base = parse_uri(base_text), ref = parse_uri(ref_text);
    bool whole = ref.scheme.ptr, hosted = whole || ref.authority.ptr;
    put_part(out, "", whole ? ref.scheme : base.scheme, ":");
    put_part(out, "//", hosted ? ref.authority : base.authority, "");
    if (hosted || (ref.path.len > 0 && ref.path.ptr[0] == '/'))
        put_path(out, ref.path);
    else if (ref.path.len > 0)
        put_merged(out, base, ref.path);
    else
        mgi_buf_str(out, base.path);
    bool inherits = !hosted && ref.path.len == 0 && !ref.query.ptr;
    put_part(out, "?", inherits ? base.query : ref.query, "");
}

void mgi_schema_split_uri(struct str ref, struct str *uri, struct str *fragment)
{
    size_t hash = span_until(ref, "#");
    *uri = (struct str){ ref.ptr, hash };
    *fragment =
        hash < ref.len ? (struct str){ ref.ptr + hash + 1, ref.len - hash - 1 } : STR_LIT("");
}

/* ---- vocabularies --------------------------------------------------------------------------- */

static uint32_t vocabulary_of(struct str uri)
{
    static const struct {
        const char *uri;
        uint32_t bit;
    } rows[] = {
        { VOCABULARY "core", VOCABULARY_CORE },
        { VOCABULARY "applicator", VOCABULARY_APPLICATOR },
        { VOCABULARY "unevaluated", VOCABULARY_UNEVALUATED },
        { VOCABULARY "validation", VOCABULARY_VALIDATION },
        { VOCABULARY "meta-data", VOCABULARY_OTHER },
        { VOCABULARY "format-annotation", VOCABULARY_OTHER },
        { VOCABULARY "content", VOCABULARY_OTHER },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_is(uri, rows[i].uri))
            return rows[i].bit;
    return 0;
}

uint32_t mgi_schema_vocabularies(const struct json *metaschema, struct str *unknown)
{
    const struct json *listed = mgi_json_get(metaschema, "$vocabulary");
    *unknown = (struct str){ 0 };
    if (!listed || listed->type != JSON_OBJECT)
        return VOCABULARY_ALL;
    /* Annotations need no leave, and a schema without its core would not be one. */
    uint32_t bits = VOCABULARY_CORE | VOCABULARY_OTHER;
    for (uint32_t i = 0; i < listed->count; i++) {
        const struct json_member *m = &listed->members[i];
        uint32_t bit = vocabulary_of(m->name);
        bits |= bit;
        if (!bit && m->value.type == JSON_BOOL && m->value.boolean)
            *unknown = m->name;
    }
    return bits;
}
