/* Entries in one text, each with its level. */
#include "bridge/tell.h"

#include "base/arena.h"
#include "mcp/clean.h"

#define LOGGER "manglecp"

void mgi_tell_listen(struct tell *t, const struct mcp_call *call)
{
    int level = MCP_DEBUG;
    while (level <= MCP_EMERGENCY && !mgi_mcp_logs_at(call, (enum mcp_level)level))
        level++;
    t->least = level <= MCP_EMERGENCY ? (enum mcp_level)level : MCP_NO_LEVEL;
}

void mgi_tell_fini(struct tell *t)
{
    mgi_buf_fini(&t->text);
}

/* ---- an entry ------------------------------------------------------------------------------- */

static bool is_heard(const struct tell *t, enum mcp_level level)
{
    enum mcp_level least = t->least;
    return least != MCP_NO_LEVEL && level >= least && !t->text.oom;
}

static void put_member(struct json_writer *w, const char *name, struct str text)
{
    struct buf clean = { 0 };
    if (text.len == 0)
        return;
    mgi_clean(&clean, text, TELL_TEXT, NULL);
    w->out->oom |= clean.oom;
    mgi_jw_member_str(w, name, mgi_buf_view(&clean));
    mgi_buf_fini(&clean);
}

/* False: there is no room for it. */
static bool begin_entry(struct tell *t, const char *tool, struct json_writer *w)
{
    if (t->count == TELL_ENTRIES) {
        t->left_out++;
        return false;
    }
    mgi_json_writer_init(w, &t->text, 0);
    mgi_jw_begin_object(w);
    put_member(w, "tool", str_of(tool ? tool : ""));
    return true;
}

static void end_entry(struct tell *t, enum mcp_level level, struct json_writer *w)
{
    mgi_jw_end_object(w);
    if (!t->text.oom)
        t->entries[t->count++] = (struct tell_entry){ level, t->text.len };
}

void mgi_tell_one(struct tell *t, enum mcp_level level, const char *tool, const char *what,
                  struct str text)
{
    struct json_writer w;
    if (!is_heard(t, level) || !begin_entry(t, tool, &w))
        return;
    put_member(&w, what, text);
    end_entry(t, level, &w);
}

/* ---- an answer ------------------------------------------------------------------------------ */

static struct str text_in(const struct json *object, const char *name)
{
    const struct json *v = object ? mgi_json_get(object, name) : NULL;
    return v && v->type == JSON_STRING ? v->string : (struct str){ "", 0 };
}

static enum mcp_level level_of(struct str status)
{
    return str_is(status, "failure")   ? MCP_WARNING
           : str_is(status, "skipped") ? MCP_NOTICE
                                       : MCP_INFO;
}

static void tell_event(struct tell *t, const char *tool, const struct json *event)
{
    struct json_writer w;
    enum mcp_level level = level_of(text_in(event, "status"));
    const struct json *took = mgi_json_get(event, "duration_ms");
    if (!is_heard(t, level) || !begin_entry(t, tool, &w))
        return;
    put_member(&w, "action", text_in(event, "action"));
    put_member(&w, "status", text_in(event, "status"));
    if (took && took->type == JSON_INT)
        mgi_jw_member_int(&w, "duration_ms", took->integer);
    put_member(&w, "detail", text_in(event, "detail"));
    end_entry(t, level, &w);
}

static void tell_observed(struct tell *t, const char *tool, const struct json *observed)
{
    const struct json *events = observed ? mgi_json_get(observed, "events") : NULL;
    for (uint32_t i = 0; events && events->type == JSON_ARRAY && i < events->count; i++)
        if (events->items[i].type == JSON_OBJECT)
            tell_event(t, tool, &events->items[i]);
    if (text_in(observed, "summary").len > 0)
        mgi_tell_one(t, MCP_INFO, tool, "summary", text_in(observed, "summary"));
}

static void tell_error(struct tell *t, const char *tool, const struct json *payload)
{
    struct json_writer w;
    if (!is_heard(t, MCP_LEVEL_ERROR) || !begin_entry(t, tool, &w))
        return;
    put_member(&w, "code", text_in(payload, "code"));
    put_member(&w, "message", text_in(payload, "message"));
    end_entry(t, MCP_LEVEL_ERROR, &w);
}

void mgi_tell_answer(struct tell *t, const char *tool, struct str envelope)
{
    struct arena arena;
    struct json root;
    if (t->least == MCP_NO_LEVEL || envelope.len == 0)
        return;
    mgi_arena_init(&arena, 0);
    if (mgi_json_parse(&arena, envelope, NULL, &root, NULL) == JSON_OK) {
        const struct json *payload = mgi_json_get(&root, "payload");
        bool failed = str_is(text_in(&root, "type"), "error");
        const struct json *from = failed ? mgi_json_get(payload, "details") : payload;
        tell_observed(t, tool, from ? mgi_json_get(from, "observability") : NULL);
        if (failed)
            tell_error(t, tool, payload);
    }
    mgi_arena_fini(&arena);
}

/* ---- sending -------------------------------------------------------------------------------- */

void mgi_tell_send(struct tell *t, struct mcp_call *call)
{
    size_t from = 0;
    for (size_t i = 0; i < t->count; i++) {
        struct str one = { t->text.ptr + from, t->entries[i].end - from };
        mgi_mcp_log(call, t->entries[i].level, STR_LIT(LOGGER), one);
        from = t->entries[i].end;
    }
    if (t->left_out > 0) {
        struct buf note = { 0 };
        mgi_buf_printf(&note, "{\"left_out\":%zu}", t->left_out);
        if (!note.oom)
            mgi_mcp_log(call, t->least, STR_LIT(LOGGER), mgi_buf_view(&note));
        mgi_buf_fini(&note);
    }
    mgi_buf_clear(&t->text);
    t->count = t->left_out = 0;
}
