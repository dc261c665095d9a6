/* mcp.lock.json of an import: see lock.h. */
#include "import/lock.h"

static struct str lock_text(const struct json *v, const char *name)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type == JSON_STRING ? m->string : STR_LIT("");
}

static int hint_of(const struct json *hints, const char *name)
{
    const struct json *v = mgi_json_get(hints, name);
    return v && v->type == JSON_BOOL ? v->boolean : -1;
}

struct import_hints mgi_import_hints(const struct json *tool)
{
    const struct json *hints = mgi_json_get(tool, "hints");
    return (struct import_hints){ hint_of(hints, "readOnlyHint"), hint_of(hints, "destructiveHint"),
                                  hint_of(hints, "idempotentHint"),
                                  hint_of(hints, "openWorldHint") };
}

/* Whoever does not say that it stays in the house may leave it. */
static void write_effects(struct json_writer *w, enum import_harm harm, int open_world)
{
    mgi_jw_begin_array(w);
    if (harm == HARM_DESTRUCTIVE)
        mgi_jw_cstring(w, "destructive");
    if (harm == HARM_WRITE)
        mgi_jw_cstring(w, "mcp_write");
    if (open_world != 0)
        mgi_jw_cstring(w, "network");
    else if (harm == HARM_NONE)
        mgi_jw_cstring(w, "none");
    mgi_jw_end_array(w);
}

static void write_tool(struct json_writer *w, const struct json *tool, enum import_harm harm)
{
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; i < tool->count; i++) {
        mgi_jw_key_str(w, tool->members[i].name);
        if (str_is(tool->members[i].name, "side_effects"))
            write_effects(w, harm, mgi_import_hints(tool).open_world);
        else
            mgi_jw_value(w, &tool->members[i].value);
    }
    mgi_jw_end_object(w);
}

static const struct json *tool_named(const struct json *server, struct str name)
{
    const struct json *tools = mgi_json_get(server, "tools");
    for (uint32_t i = 0; tools && tools->type == JSON_ARRAY && i < tools->count; i++)
        if (str_eq(lock_text(&tools->items[i], "name"), name))
            return &tools->items[i];
    return NULL;
}

static const struct import_tool *imported_tool(const struct import_tool *tools, size_t count,
                                               struct str server, struct str name)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(tools[i].server, server) && str_eq(tools[i].name, name))
            return tools[i].left_out ? NULL : &tools[i];
    return NULL;
}

/* A file of servers: its head, and its end, which tells whether there was memory. */
static void begin_lock(struct json_writer *w, struct buf *out)
{
    mgi_json_writer_init(w, out, 2);
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "version", 1);
    mgi_jw_key(w, "servers");
    mgi_jw_begin_object(w);
}

static bool end_lock(struct json_writer *w, struct buf *out)
{
    mgi_jw_end_object(w);
    mgi_jw_end_object(w);
    mgi_buf_putc(out, '\n');
    return !out->oom;
}

/* Of a server: its members as they are, but for the tools, which `write` writes. */
typedef void tools_writer(struct json_writer *w, struct str server, const struct json *tools,
                          void *context);

static void write_server(struct json_writer *w, struct str name, const struct json *server,
                         tools_writer *write, void *context)
{
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; i < server->count; i++) {
        const struct json_member *m = &server->members[i];
        mgi_jw_key_str(w, m->name);
        if (!str_is(m->name, "tools") || m->value.type != JSON_ARRAY) {
            mgi_jw_value(w, &m->value);
            continue;
        }
        mgi_jw_begin_array(w);
        write(w, name, &m->value, context);
        mgi_jw_end_array(w);
    }
    mgi_jw_end_object(w);
}

struct offered {
    const struct import_tool *tools; /* NULL: as offered */
    size_t count;
    const struct json *before; /* the server as it was locked; or NULL */
};

/* A server may list a tool twice; as an action it is there once. */
static bool is_listed_before(const struct json *tools, uint32_t k)
{
    for (uint32_t i = 0; i < k; i++)
        if (str_eq(lock_text(&tools->items[i], "name"), lock_text(&tools->items[k], "name")))
            return true;
    return false;
}

static void write_offered(struct json_writer *w, struct str server, const struct json *tools,
                          void *context)
{
    const struct offered *o = context;
    for (uint32_t k = 0; k < tools->count; k++) {
        const struct json *tool = &tools->items[k];
        struct str name = lock_text(tool, "name");
        const struct import_tool *t = imported_tool(o->tools, o->count, server, name);
        const struct json *was = tool_named(o->before, name);
        bool same = was && str_eq(lock_text(was, "sha256"), lock_text(tool, "sha256"));
        if (o->tools && (!t || is_listed_before(tools, k)))
            continue;
        if (same || !t)
            mgi_jw_value(w, same ? was : tool);
        else
            write_tool(w, tool, t->confirmed ? t->said : t->harm);
    }
}

bool mgi_import_lock(struct buf *out, const struct import_offer *offers, size_t offer_count,
                     const struct import_tool *tools, size_t tool_count, const struct json *old)
{
    const struct json *before = mgi_json_get(old, "servers");
    struct json_writer w;
    begin_lock(&w, out);
    for (size_t i = 0; i < offer_count; i++) {
        const struct json *was = before ? mgi_json_get_str(before, offers[i].server) : NULL;
        struct offered o = { tools, tool_count, was };
        if (!offers[i].offer && !was)
            continue;
        mgi_jw_key_str(&w, offers[i].server);
        if (offers[i].offer)
            write_server(&w, offers[i].server, offers[i].offer, write_offered, &o);
        else
            mgi_jw_value(&w, was);
    }
    return end_lock(&w, out);
}

/* ---- what was confirmed ----------------------------------------------------------------------
 */

static const struct import_confirmation *confirmation_of(
    const struct import_confirmation *confirmed, size_t count, struct str server, struct str tool)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(confirmed[i].server, server) && str_eq(confirmed[i].tool, tool))
            return &confirmed[i];
    return NULL;
}

static enum import_harm harm_of(const struct json *tool)
{
    const struct json *effects = mgi_json_get(tool, "side_effects");
    enum import_harm harm = HARM_NONE;
    for (uint32_t i = 0; effects && effects->type == JSON_ARRAY && i < effects->count; i++) {
        struct str effect =
            effects->items[i].type == JSON_STRING ? effects->items[i].string : STR_LIT("");
        if (str_is(effect, "destructive"))
            return HARM_DESTRUCTIVE;
        if (!str_is(effect, "none") && !str_is(effect, "network"))
            harm = HARM_WRITE;
    }
    return harm;
}

struct relocking {
    const struct import_confirmation *confirmed;
    size_t count, changed;
};

static void write_confirmed(struct json_writer *w, struct str server, const struct json *tools,
                            void *context)
{
    struct relocking *r = context;
    for (uint32_t k = 0; k < tools->count; k++) {
        const struct import_confirmation *c =
            confirmation_of(r->confirmed, r->count, server, lock_text(&tools->items[k], "name"));
        if (!c || c->harm == harm_of(&tools->items[k])) {
            mgi_jw_value(w, &tools->items[k]);
            continue;
        }
        r->changed++;
        write_tool(w, &tools->items[k], c->harm);
    }
}

bool mgi_import_relock(struct buf *out, const struct json *old,
                       const struct import_confirmation *confirmed, size_t count, size_t *changed)
{
    const struct json *servers = mgi_json_get(old, "servers");
    struct relocking r = { confirmed, count, 0 };
    struct json_writer w;
    begin_lock(&w, out);
    for (uint32_t i = 0; servers && servers->type == JSON_OBJECT && i < servers->count; i++) {
        const struct json_member *server = &servers->members[i];
        mgi_jw_key_str(&w, server->name);
        if (server->value.type == JSON_OBJECT)
            write_server(&w, server->name, &server->value, write_confirmed, &r);
        else
            mgi_jw_value(&w, &server->value);
    }
    *changed = r.changed;
    return end_lock(&w, out);
}
