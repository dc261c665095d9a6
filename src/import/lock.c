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

static void write_server(struct json_writer *w, const struct import_offer *o,
                         const struct import_tool *tools, size_t tool_count,
                         const struct json *before)
{
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; i < o->offer->count; i++) {
        const struct json_member *m = &o->offer->members[i];
        mgi_jw_key_str(w, m->name);
        if (!str_is(m->name, "tools") || m->value.type != JSON_ARRAY) {
            mgi_jw_value(w, &m->value);
            continue;
        }
        mgi_jw_begin_array(w);
        for (uint32_t k = 0; k < m->value.count; k++) {
            const struct json *tool = &m->value.items[k];
            struct str name = lock_text(tool, "name");
            const struct import_tool *t = imported_tool(tools, tool_count, o->server, name);
            const struct json *was = tool_named(before, name);
            bool same = was && str_eq(lock_text(was, "sha256"), lock_text(tool, "sha256"));
            if (t && same)
                mgi_jw_value(w, was);
            else if (t)
                write_tool(w, tool, t->confirmed ? t->said : t->harm);
        }
        mgi_jw_end_array(w);
    }
    mgi_jw_end_object(w);
}

bool mgi_import_lock(struct buf *out, const struct import_offer *offers, size_t offer_count,
                     const struct import_tool *tools, size_t tool_count, const struct json *old)
{
    const struct json *before = mgi_json_get(old, "servers");
    struct json_writer w;
    mgi_json_writer_init(&w, out, 2);
    mgi_jw_begin_object(&w);
    mgi_jw_member_int(&w, "version", 1);
    mgi_jw_key(&w, "servers");
    mgi_jw_begin_object(&w);
    for (size_t i = 0; i < offer_count; i++) {
        const struct json *was = before ? mgi_json_get_str(before, offers[i].server) : NULL;
        if (!offers[i].offer && !was)
            continue;
        mgi_jw_key_str(&w, offers[i].server);
        if (offers[i].offer)
            write_server(&w, &offers[i], tools, tool_count, was);
        else
            mgi_jw_value(&w, was);
    }
    mgi_jw_end_object(&w);
    mgi_jw_end_object(&w);
    mgi_buf_putc(out, '\n');
    return !out->oom;
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

static void relock_tools(struct json_writer *w, struct str server, const struct json *tools,
                         const struct import_confirmation *confirmed, size_t count, size_t *changed)
{
    mgi_jw_begin_array(w);
    for (uint32_t k = 0; k < tools->count; k++) {
        const struct import_confirmation *c =
            confirmation_of(confirmed, count, server, lock_text(&tools->items[k], "name"));
        if (!c || c->harm == harm_of(&tools->items[k])) {
            mgi_jw_value(w, &tools->items[k]);
            continue;
        }
        ++*changed;
        write_tool(w, &tools->items[k], c->harm);
    }
    mgi_jw_end_array(w);
}

static void relock_server(struct json_writer *w, struct str name, const struct json *server,
                          const struct import_confirmation *confirmed, size_t count,
                          size_t *changed)
{
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; i < server->count; i++) {
        const struct json_member *m = &server->members[i];
        mgi_jw_key_str(w, m->name);
        if (str_is(m->name, "tools") && m->value.type == JSON_ARRAY)
            relock_tools(w, name, &m->value, confirmed, count, changed);
        else
            mgi_jw_value(w, &m->value);
    }
    mgi_jw_end_object(w);
}

bool mgi_import_relock(struct buf *out, const struct json *old,
                       const struct import_confirmation *confirmed, size_t count, size_t *changed)
{
    const struct json *servers = mgi_json_get(old, "servers");
    struct json_writer w;
    *changed = 0;
    mgi_json_writer_init(&w, out, 2);
    mgi_jw_begin_object(&w);
    mgi_jw_member_int(&w, "version", 1);
    mgi_jw_key(&w, "servers");
    mgi_jw_begin_object(&w);
    for (uint32_t i = 0; servers && servers->type == JSON_OBJECT && i < servers->count; i++) {
        mgi_jw_key_str(&w, servers->members[i].name);
        if (servers->members[i].value.type == JSON_OBJECT)
            relock_server(&w, servers->members[i].name, &servers->members[i].value, confirmed,
                          count, changed);
        else
            mgi_jw_value(&w, &servers->members[i].value);
    }
    mgi_jw_end_object(&w);
    mgi_jw_end_object(&w);
    mgi_buf_putc(out, '\n');
    return !out->oom;
}
