/* Compiling a schema: JSON to nodes, each a list of checks (protocol.md §2.12, D-43).
 *
 * 1. Every place that holds a subschema becomes a node, once, found again by its address.
 * 2. A document, and each schema in it with an $id, is a resource: the base of the URIs below it.
 * 3. References are resolved when all else is compiled; what they reach is compiled then, in other
 *    documents of the caller's table, too.
 * 4. Keywords that judge the same instance (references, allOf, ...) must not form a cycle.
 * The keywords are in schema_nodes.c; checking is in schema_check.c. */
#include "protocol/schema_compile_int.h"

#include "base/alloc.h"
#include "protocol/error.h"

/* ---- references ----------------------------------------------------------------------------- */

static int ref_hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void percent_decode(struct str s, struct buf *out)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '%' && i + 2 < s.len && ref_hex(s.ptr[i + 1]) >= 0 &&
            ref_hex(s.ptr[i + 2]) >= 0) {
            mgi_buf_putc(out, (char)(ref_hex(s.ptr[i + 1]) * 16 + ref_hex(s.ptr[i + 2])));
            i += 2;
        } else {
            mgi_buf_putc(out, s.ptr[i]);
        }
    }
}

/* The node at `pointer` in a resource. */
static struct schema_node *node_of(struct compiler *c, struct schema_resource *resource,
                                   struct str pointer)
{
    const struct json *source = mgi_json_pointer_get(resource->root, pointer);
    if (!source)
        return NULL;
    mgi_schema_go_to(c, resource->place);
    mgi_buf_str(&c->path, pointer);
    c->resource = resource;
    return mgi_schema_node_at(c, source);
}

/* The resource of that URI, compiled now if it is a schema of the caller's table. */
static struct schema_resource *resource_of(struct compiler *c, struct str uri)
{
    struct schema_resource *known = mgi_schema_find_resource(&c->names, uri);
    const struct schema_other *other = known ? NULL : mgi_schema_other(c, uri);
    if (!other)
        return known;
    mgi_schema_go_to(c, uri);
    mgi_buf_putc(&c->path, '#');
    c->resource = NULL;
    struct schema_resource *r = mgi_schema_add_resource(c, uri, other->schema);
    struct schema_node *root = r ? node_of(c, r, STR_LIT("")) : NULL;
    if (!root)
        return NULL;
    /* Its $id may be another one, or this. */
    mgi_schema_name_resource(&c->names, &c->s->arena, uri, root->resource);
    return root->resource;
}

static struct schema_target resolve(struct compiler *c, struct schema_resource *resource,
                                    struct str encoded)
{
    struct buf decoded = { 0 };
    percent_decode(encoded, &decoded);
    struct str fragment = mgi_buf_view(&decoded);
    struct schema_target target = { 0 };
    c->nomem |= decoded.oom;
    if (fragment.len == 0 || fragment.ptr[0] == '/') {
        target.node = node_of(c, resource, fragment);
    } else {
        const struct schema_target *found = mgi_schema_find_anchor(&c->names, resource, fragment);
        if (found)
            target = *found;
    }
    mgi_buf_fini(&decoded);
    return target;
}

static void complain_of_ref(struct compiler *c, const struct pending_ref *ref, const char *before,
                            struct str what, const char *behind)
{
    mgi_schema_go_to(c, ref->path);
    if (!c->nomem && !c->names.nomem)
        mgi_schema_complain(c, ref->check->keyword,
                            mgi_arena_printf(c->issues->arena, "%s\"%s\"%s", before,
                                             mgi_show(c->issues->arena, what, 200), behind));
}

/* False: it leads nowhere. That is a fault only at the last try: what is compiled after the first
 * one may have it. */
static bool resolve_ref(struct compiler *c, struct pending_ref ref, bool last_try)
{
    struct str text, fragment, uri = { 0 };
    struct schema_resource *resource = ref.resource;
    mgi_schema_split_uri(ref.value->string, &text, &fragment);
    if (text.len > 0) {
        uri = mgi_schema_absolute(c, resource, text);
        resource = uri.ptr ? resource_of(c, uri) : NULL;
    }
    struct schema_target target = { 0 };
    if (resource)
        target = resolve(c, resource, fragment);
    struct schema_node **nodes = target.node ? mgi_schema_alloc(c, 1, sizeof(void *)) : NULL;
    if (nodes) {
        nodes[0] = target.node;
        ref.check->nodes = nodes;
        ref.check->node_count = 1;
        ref.check->dynamic = target.dynamic;
        return true;
    }
    if (last_try && !resource)
        complain_of_ref(c, &ref, "the schema ", uri.ptr ? uri : text,
                        " is not known here, and nothing is fetched");
    else if (last_try)
        complain_of_ref(c, &ref, "there is nothing at ", ref.value->string, "");
    return false;
}

/* The list grows while it is worked through. */
static void resolve_refs(struct compiler *c)
{
    bool all = true;
    for (size_t i = 0; i < c->ref_count && !c->nomem; i++)
        all &= resolve_ref(c, c->refs[i], false);
    for (size_t i = 0; i < c->ref_count && !c->nomem && !all; i++)
        if (c->refs[i].check->node_count == 0)
            resolve_ref(c, c->refs[i], true);
}

/* A $dynamicRef whose name only one place has is a $ref. With any other, nodes tell which resource
 * they are in. */
static void settle_dynamic_refs(struct compiler *c)
{
    bool scoped = false;
    for (size_t i = 0; i < c->ref_count; i++) {
        struct schema_check *check = c->refs[i].check;
        if (check->kind == CHECK_DYNAMIC_REF && (!check->dynamic || check->dynamic->count < 2))
            check->kind = CHECK_REF;
        scoped |= check->kind == CHECK_DYNAMIC_REF;
    }
    for (struct schema_node *node = c->s->newest; node && scoped; node = node->made_before)
        node->special |= NODE_SCOPED;
}

/* ---- the whole ------------------------------------------------------------------------------ */

struct schema *mgi_schema_compile(const struct json *json, int flags, struct schema_issues *issues)
{
    return mgi_schema_compile_with(json, NULL, flags, issues);
}

struct schema *mgi_schema_compile_with(const struct json *json, const struct schema_others *others,
                                       int flags, struct schema_issues *issues)
{
    struct schema *s = mgi_calloc(1, sizeof *s);
    if (!s)
        return NULL;
    mgi_arena_init(&s->arena, 0);
    struct compiler c = { .s = s, .others = others, .flags = flags, .issues = issues };

    c.resource = mgi_schema_add_resource(&c, STR_LIT(""), json);
    s->root = c.resource ? mgi_schema_node_at(&c, json) : NULL; /* everything that nests */
    resolve_refs(&c);
    settle_dynamic_refs(&c); /* every node and every reference is known */
    mgi_schema_go_to(&c, STR_LIT(""));
    if (!c.nomem && mgi_schema_is_endless(s))
        mgi_schema_complain(&c, "$ref", "refers to itself without end");
    c.nomem |= c.names.nomem || c.path.oom || s->arena.oom;
    if (!c.nomem && !c.faulty)
        c.nomem = !mgi_schema_note(s);
    for (struct schema_node *node = s->newest; node; node = node->made_before)
        node->source = NULL;
    s->weight = mgi_schema_weigh(s);

    bool failed = c.nomem || c.faulty || !s->root;
    mgi_schema_names_fini(&c.names);
    mgi_free(c.table);
    mgi_buf_fini(&c.path);
    if (failed) {
        mgi_schema_free(s);
        return NULL;
    }
    return s;
}

void mgi_schema_free(struct schema *s)
{
    if (!s)
        return;
    mgi_arena_fini(&s->arena);
    mgi_free(s);
}
