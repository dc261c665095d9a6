/* A description becomes a server: copied, checked, and every list written once for each revision.
 */
#include <stdio.h>

#include "base/alloc.h"
#include "base/content_hash.h"
#include "mcp/server_int.h"

/* ---- copies --------------------------------------------------------------------------------- */

struct build {
    struct mcp_server *s;
    struct buf *why;
    bool failed;
};

static void fail_build(struct build *b, const char *kind, struct str name, const char *what)
{
    if (!b->failed)
        mgi_buf_printf(b->why, "%s \"%.*s\": %s", kind, STR_ARG(name), what);
    b->failed = true;
}

static struct str copy(struct build *b, struct str s)
{
    return s.len > 0 ? mgi_arena_str(&b->s->arena, s) : (struct str){ "", 0 };
}

/* JSON text is kept compact: a message is one line. Numbers keep their spelling, members their
 * order. *out may be NULL. */
static struct str copy_json(struct build *b, struct str text, const char *kind, struct str name,
                            struct json *out)
{
    struct json v;
    struct buf compact = { 0 };
    struct json_writer w;
    if (text.len == 0)
        return (struct str){ "", 0 };
    struct str kept = mgi_arena_str(&b->s->arena, text);
    enum json_fault fault =
        kept.ptr ? mgi_json_parse(&b->s->arena, kept, NULL, &v, NULL) : JSON_NOMEM;
    if (fault != JSON_OK) {
        if (fault != JSON_NOMEM)
            fail_build(b, kind, name, "what should be JSON is not");
        return (struct str){ "", 0 };
    }
    if (out)
        *out = v;
    mgi_json_writer_init(&w, &compact, 0);
    mgi_jw_value(&w, &v);
    if (compact.oom)
        b->s->arena.oom = true;
    else
        kept = mgi_arena_str(&b->s->arena, mgi_buf_view(&compact));
    mgi_buf_fini(&compact);
    return kept;
}

static bool has_object_root(const struct json *schema)
{
    const struct json *type = mgi_json_get(schema, "type");
    return type && type->type == JSON_STRING && str_is(type->string, "object");
}

static void enter_name(struct build *b, struct strmap *map, const char *kind, struct str name,
                       size_t at)
{
    uint32_t known;
    if (name.len == 0)
        fail_build(b, kind, name, "has no name");
    else if (mgi_strmap_get(map, name, &known))
        fail_build(b, kind, name, "is there twice");
    else if (!mgi_strmap_put(map, name, (uint32_t)at))
        b->s->arena.oom = true;
}

static void copy_tool(struct build *b, struct mcp_tool *t, size_t at, bool *object_output)
{
    struct json schema = { 0 }, output = { 0 };
    t->name = copy(b, t->name);
    t->title = copy(b, t->title);
    t->description = copy(b, t->description);
    t->input_schema = copy_json(b, t->input_schema, "tool", t->name, &schema);
    t->output_schema = copy_json(b, t->output_schema, "tool", t->name, &output);
    t->icons = copy_json(b, t->icons, "tool", t->name, NULL);
    t->meta = copy_json(b, t->meta, "tool", t->name, NULL);
    *object_output = has_object_root(&output);
    enter_name(b, &b->s->tools, "tool", t->name, at);
    if (b->failed || b->s->arena.oom)
        return;
    if (!has_object_root(&schema)) {
        fail_build(b, "tool", t->name, "its inputSchema is no schema with type \"object\"");
        return;
    }
    struct buf why = { 0 };
    if (!mgi_mcp_header_rules(&b->s->arena, &schema, &b->s->headers[at], &why) && why.len > 0)
        fail_build(b, "tool", t->name, why.ptr);
    mgi_buf_fini(&why);
}

static void copy_resource(struct build *b, struct mcp_resource *x, const char *kind)
{
    x->uri = copy(b, x->uri);
    x->name = copy(b, x->name);
    x->title = copy(b, x->title);
    x->description = copy(b, x->description);
    x->mime_type = copy(b, x->mime_type);
    x->annotations = copy_json(b, x->annotations, kind, x->uri, NULL);
    x->icons = copy_json(b, x->icons, kind, x->uri, NULL);
    x->meta = copy_json(b, x->meta, kind, x->uri, NULL);
    if (x->uri.len == 0 || x->uri.len > MCP_URI_BYTES || x->name.len == 0)
        fail_build(b, kind, x->uri, "needs a URI of at most 2048 bytes, and a name");
}

static void copy_prompt(struct build *b, struct mcp_prompt *p, size_t at)
{
    p->name = copy(b, p->name);
    p->title = copy(b, p->title);
    p->description = copy(b, p->description);
    p->icons = copy_json(b, p->icons, "prompt", p->name, NULL);
    p->meta = copy_json(b, p->meta, "prompt", p->name, NULL);
    enter_name(b, &b->s->prompts, "prompt", p->name, at);
    struct mcp_argument *arguments =
        mgi_arena_calloc(&b->s->arena, p->argument_count + 1, sizeof *arguments);
    for (size_t i = 0; arguments && i < p->argument_count; i++) {
        arguments[i] = (struct mcp_argument){ .name = copy(b, p->arguments[i].name),
                                              .title = copy(b, p->arguments[i].title),
                                              .description = copy(b, p->arguments[i].description),
                                              .required = p->arguments[i].required };
    }
    p->arguments = arguments;
}

/* An array of the description, as the server's own. */
static void *copy_array(struct build *b, const void *items, size_t count, size_t size)
{
    void *kept = mgi_arena_calloc(&b->s->arena, count + 1, size);
    if (kept && count > 0)
        memcpy(kept, items, count * size);
    return kept;
}

/* ---- pages ---------------------------------------------------------------------------------- */

static const char *const list_names[] = { "tools", "resources", "resourceTemplates", "prompts" };

static size_t count_of(const struct mcp_description *d, enum mcp_list kind)
{
    switch (kind) {
    case LIST_TOOLS:
        return d->tool_count;
    case LIST_RESOURCES:
        return d->resource_count;
    case LIST_TEMPLATES:
        return d->template_count;
    default:
        return d->prompt_count;
    }
}

static void write_entry(struct json_writer *w, const struct mcp_description *d, enum mcp_list kind,
                        size_t at, enum mcp_revision r, const bool *object_output)
{
    switch (kind) {
    case LIST_TOOLS:
        mgi_mcp_write_tool(w, &d->tools[at], r, object_output[at]);
        break;
    case LIST_RESOURCES:
        mgi_mcp_write_resource(w, &d->resources[at], r, false);
        break;
    case LIST_TEMPLATES:
        mgi_mcp_write_resource(w, &d->templates[at], r, true);
        break;
    default:
        mgi_mcp_write_prompt(w, &d->prompts[at], r);
        break;
    }
}

/* The cursor of a page is its number and the version of the list, which is known when all pages are
 * written: so its place is kept free, and filled in then (X-PAGE-3). */
static const char no_version[] = "................";

static struct str keep_text(struct build *b, struct buf *out)
{
    struct str kept = { "", 0 };
    if (out->oom)
        b->s->arena.oom = true;
    else
        kept = mgi_arena_str(&b->s->arena, mgi_buf_view(out));
    mgi_buf_fini(out);
    return kept;
}

static void write_page(struct build *b, enum mcp_list kind, enum mcp_revision r, size_t page,
                       const bool *object_output)
{
    const struct mcp_description *d = &b->s->d;
    struct listing *list = &b->s->lists[r][kind];
    struct buf out = { 0 };
    struct json_writer w;
    size_t from = page * MCP_PAGE_ITEMS, count = count_of(d, kind);
    size_t to = count - from > MCP_PAGE_ITEMS ? from + MCP_PAGE_ITEMS : count;
    mgi_buf_printf(&out, "\"%s\":", list_names[kind]);
    mgi_json_writer_init(&w, &out, 0);
    mgi_jw_begin_array(&w);
    for (size_t i = from; i < to; i++)
        write_entry(&w, d, kind, i, r, object_output);
    mgi_jw_end_array(&w);
    if (to < count)
        mgi_buf_printf(&out, ",\"nextCursor\":\"%zu-%s\"", page + 1, no_version);
    list->pages[page].text = keep_text(b, &out);
}

static void set_version(struct build *b, struct listing *list)
{
    struct buf all = { 0 };
    uint8_t hash[CONTENT_HASH_BYTES];
    for (size_t i = 0; i < list->page_count; i++)
        mgi_buf_str(&all, list->pages[i].text);
    if (all.oom)
        b->s->arena.oom = true;
    mgi_content_hash(all.ptr, all.len, hash);
    mgi_buf_fini(&all);
    for (int i = 0; i < 8; i++)
        snprintf(list->version + 2 * i, 3, "%02x", hash[i]);
    for (size_t i = 0; !b->s->arena.oom && i + 1 < list->page_count; i++) {
        struct str text = list->pages[i].text; /* ours, and ends in the version and a quote */
        memcpy((char *)(uintptr_t)text.ptr + text.len - 17, list->version, 16);
    }
}

static void write_list(struct build *b, enum mcp_list kind, enum mcp_revision r,
                       const bool *object_output)
{
    struct listing *list = &b->s->lists[r][kind];
    size_t count = count_of(&b->s->d, kind);
    list->page_count = count == 0 ? 1 : (count + MCP_PAGE_ITEMS - 1) / MCP_PAGE_ITEMS;
    list->pages = mgi_arena_calloc(&b->s->arena, list->page_count, sizeof *list->pages);
    if (!list->pages)
        return;
    for (size_t i = 0; i < list->page_count; i++)
        write_page(b, kind, r, i, object_output);
    if (!b->s->arena.oom)
        set_version(b, list);
}

static void write_revision(struct build *b, enum mcp_revision r, const bool *object_output)
{
    struct buf out = { 0 };
    struct json_writer w;
    for (int kind = 0; kind < LIST_KINDS; kind++)
        write_list(b, (enum mcp_list)kind, r, object_output);
    mgi_json_writer_init(&w, &out, 0);
    mgi_mcp_write_greeting(&w, &b->s->d, r);
    b->s->greeting[r] = keep_text(b, &out);
}

static void write_server_meta(struct build *b)
{
    struct buf out = { 0 };
    struct json_writer w;
    mgi_buf_puts(&out, "\"" META_SERVER "\":");
    mgi_json_writer_init(&w, &out, 0);
    mgi_mcp_write_info(&w, &b->s->d, MCP_MODERN);
    b->s->meta = keep_text(b, &out);
}

struct str mgi_mcp_page(const struct mcp_server *s, enum mcp_revision r, enum mcp_list kind,
                        struct str cursor)
{
    const struct listing *list = &s->lists[r][kind];
    char expected[48];
    if (cursor.len == 0)
        return list->pages[0].text;
    for (size_t i = 1; i < list->page_count; i++) {
        snprintf(expected, sizeof expected, "%zu-%s", i, list->version);
        if (str_is(cursor, expected))
            return list->pages[i].text;
    }
    return (struct str){ 0 };
}

const struct mcp_prompt *mgi_mcp_prompt(const struct mcp_server *s, struct str name)
{
    uint32_t at;
    return mgi_strmap_get(&s->prompts, name, &at) ? &s->d.prompts[at] : NULL;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void copy_texts(struct build *b)
{
    struct mcp_description *d = &b->s->d;
    d->self.name = copy(b, d->self.name);
    d->self.version = copy(b, d->self.version);
    d->self.title = copy(b, d->self.title);
    d->self_description = copy(b, d->self_description);
    d->website = copy(b, d->website);
    d->icons = copy_json(b, d->icons, "server", d->self.name, NULL);
    d->instructions = copy(b, d->instructions);
    d->extensions = copy_json(b, d->extensions, "server", d->self.name, NULL);
}

static void build(struct build *b, const struct mcp_description *d)
{
    struct mcp_server *s = b->s;
    s->d = *d;
    if (d->list_ttl_ms < 0)
        s->d.list_ttl_ms = 0;
    copy_texts(b);
    struct mcp_tool *tools = copy_array(b, d->tools, d->tool_count, sizeof *tools);
    struct mcp_resource *resources =
        copy_array(b, d->resources, d->resource_count, sizeof *resources);
    struct mcp_resource *templates =
        copy_array(b, d->templates, d->template_count, sizeof *templates);
    struct mcp_prompt *prompts = copy_array(b, d->prompts, d->prompt_count, sizeof *prompts);
    bool *object_output = mgi_arena_calloc(&s->arena, d->tool_count + 1, sizeof *object_output);
    s->headers = mgi_arena_calloc(&s->arena, d->tool_count + 1, sizeof *s->headers);
    if (s->arena.oom)
        return;
    for (size_t i = 0; i < d->tool_count; i++)
        copy_tool(b, &tools[i], i, &object_output[i]);
    for (size_t i = 0; i < d->resource_count; i++)
        copy_resource(b, &resources[i], "resource");
    for (size_t i = 0; i < d->template_count; i++)
        copy_resource(b, &templates[i], "template");
    for (size_t i = 0; i < d->prompt_count; i++)
        copy_prompt(b, &prompts[i], i);
    s->d.tools = tools;
    s->d.resources = resources;
    s->d.templates = templates;
    s->d.prompts = prompts;
    for (int r = MCP_R1; !b->failed && !s->arena.oom && r <= MCP_R5; r++)
        write_revision(b, (enum mcp_revision)r, object_output);
    write_server_meta(b);
}

struct mcp_server *mgi_mcp_server_new(const struct mcp_description *d, struct buf *why)
{
    struct buf unheard = { 0 };
    struct mcp_server *s = mgi_calloc(1, sizeof *s);
    if (!s)
        return NULL;
    struct build b = { .s = s, .why = why ? why : &unheard };
    s->refs = 1;
    mgi_arena_init(&s->arena, 0);
    mgi_strmap_init(&s->tools);
    mgi_strmap_init(&s->prompts);
    build(&b, d);
    mgi_buf_fini(&unheard);
    if (!b.failed && !s->arena.oom)
        return s;
    mgi_mcp_server_unref(s);
    return NULL;
}

struct mcp_server *mgi_mcp_server_ref(struct mcp_server *s)
{
    s->refs++;
    return s;
}

void mgi_mcp_server_unref(struct mcp_server *s)
{
    if (!s || --s->refs > 0)
        return;
    mgi_strmap_fini(&s->tools);
    mgi_strmap_fini(&s->prompts);
    mgi_arena_fini(&s->arena);
    mgi_free(s);
}

const struct header_rules *mgi_mcp_rules_of(const struct mcp_server *s, struct str tool)
{
    uint32_t at;
    return mgi_strmap_get(&s->tools, tool, &at) ? &s->headers[at] : NULL;
}
