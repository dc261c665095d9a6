/* Results, written as the revision of the call wants them. */
#include "mcp/server_int.h"

static const struct mcp_features *features(const struct mcp_call *c)
{
    return mgi_mcp_features(c->revision);
}

void mgi_mcp_begin_answer(struct answer *a, struct mcp_call *c, const char *type)
{
    *a = (struct answer){ .call = c, .out = { .limit = MCP_WRITE_BYTES } };
    mgi_rpc_begin_result(&a->w, &a->out, &c->id);
    mgi_jw_begin_object(&a->w);
    if (features(c)->modern)
        mgi_jw_member_cstr(&a->w, "resultType", type);
}

void mgi_mcp_put_members(struct json_writer *w, struct str members)
{
    if (members.len == 0)
        return;
    if (w->need_comma)
        mgi_buf_putc(w->out, ',');
    mgi_buf_str(w->out, members);
    w->need_comma = true;
}

/* The members of an object, of its text. */
static void put_inside(struct json_writer *w, struct str object)
{
    struct str inside = mgi_str_trim(object, " \t\r\n");
    if (inside.len >= 2)
        inside = mgi_str_trim((struct str){ inside.ptr + 1, inside.len - 2 }, " \t\r\n");
    struct buf line = { 0 };
    mgi_buf_str(&line, inside);
    for (size_t i = 0; i < line.len; i++)
        if (line.ptr[i] == '\n' || line.ptr[i] == '\r')
            line.ptr[i] = ' ';
    if (line.oom)
        w->out->oom = true;
    mgi_mcp_put_members(w, mgi_buf_view(&line));
    mgi_buf_fini(&line);
}

void mgi_mcp_end_answer(struct answer *a, struct str meta)
{
    struct mcp_call *c = a->call;
    bool modern = features(c)->modern && c->peer;
    if (modern || meta.len > 0) {
        mgi_jw_key(&a->w, "_meta");
        mgi_jw_begin_object(&a->w);
        if (modern)
            mgi_mcp_put_members(&a->w, c->peer->server->meta);
        put_inside(&a->w, meta);
        mgi_jw_end_object(&a->w);
    }
    mgi_jw_end_object(&a->w);
    mgi_rpc_end(&a->w);
    mgi_mcp_finish(c, &a->out, RPC_FINE);
}

void mgi_mcp_write_cache(struct json_writer *w, int64_t ttl_ms, enum mcp_scope scope)
{
    mgi_jw_member_int(w, "ttlMs", ttl_ms < 0 ? 0 : ttl_ms);
    mgi_jw_member_cstr(w, "cacheScope", scope == MCP_PUBLIC ? "public" : "private");
}

void mgi_mcp_answer_members(struct mcp_call *c, struct str members, int64_t ttl_ms,
                            enum mcp_scope scope)
{
    struct answer a;
    mgi_mcp_begin_answer(&a, c, "complete");
    mgi_mcp_put_members(&a.w, members);
    if (features(c)->modern && ttl_ms >= 0)
        mgi_mcp_write_cache(&a.w, ttl_ms, scope);
    mgi_mcp_end_answer(&a, (struct str){ 0 });
}

void mgi_mcp_answer_object(struct mcp_call *c, struct str members, int64_t ttl_ms,
                           enum mcp_scope scope)
{
    struct answer a;
    mgi_mcp_begin_answer(&a, c, "complete");
    put_inside(&a.w, members);
    if (features(c)->modern && ttl_ms >= 0)
        mgi_mcp_write_cache(&a.w, ttl_ms, scope);
    mgi_mcp_end_answer(&a, (struct str){ 0 });
}

/* ---- blocks --------------------------------------------------------------------------------- */

static void write_contents(struct json_writer *w, const struct mcp_block *b, enum mcp_revision r)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "uri", b->uri);
    mgi_mcp_member(w, "mimeType", b->mime_type);
    if (b->data.len > 0)
        mgi_jw_member_str(w, "blob", b->data);
    else
        mgi_jw_member_str(w, "text", b->text);
    if (b->meta.len > 0 && mgi_mcp_features(r)->titles) {
        mgi_jw_key(w, "_meta");
        mgi_mcp_put_json(w, b->meta);
    }
    mgi_jw_end_object(w);
}

/* What a revision does not know becomes a text that says what it would have been (X-TOOL-19). */
static void write_stand_in(struct json_writer *w, const struct mcp_block *b)
{
    struct buf text = { 0 };
    if (b->kind == MCP_AUDIO)
        mgi_buf_printf(&text, "[audio: %.*s, %zu bytes]", STR_ARG(b->mime_type),
                       b->data.len / 4 * 3);
    else
        mgi_buf_printf(&text, "[link: %.*s%s%.*s]", STR_ARG(b->uri), b->mime_type.len ? ", " : "",
                       STR_ARG(b->mime_type));
    if (b->kind == MCP_LINK && b->size > 0 && text.len > 0 && !text.oom) {
        text.len--;
        mgi_buf_printf(&text, ", %lld bytes]", (long long)b->size);
    }
    if (text.oom)
        w->out->oom = true;
    mgi_jw_member_cstr(w, "type", "text");
    mgi_jw_member_str(w, "text", mgi_buf_view(&text));
    mgi_buf_fini(&text);
}

static void write_media(struct json_writer *w, const struct mcp_block *b, const char *type)
{
    mgi_jw_member_cstr(w, "type", type);
    mgi_jw_member_str(w, "data", b->data);
    mgi_jw_member_str(w, "mimeType", b->mime_type);
}

static void write_link(struct json_writer *w, const struct mcp_block *b)
{
    mgi_jw_member_cstr(w, "type", "resource_link");
    mgi_jw_member_str(w, "uri", b->uri);
    mgi_jw_member_str(w, "name", b->name.len > 0 ? b->name : b->uri);
    mgi_mcp_member(w, "title", b->title);
    mgi_mcp_member(w, "description", b->description);
    mgi_mcp_member(w, "mimeType", b->mime_type);
    if (b->size > 0)
        mgi_jw_member_int(w, "size", b->size);
}

static void write_block(struct json_writer *w, const struct mcp_block *b, enum mcp_revision r)
{
    const struct mcp_features *f = mgi_mcp_features(r);
    bool unknown = (b->kind == MCP_AUDIO && !f->audio) || (b->kind == MCP_LINK && !f->links);
    mgi_jw_begin_object(w);
    if (unknown) {
        write_stand_in(w, b);
    } else if (b->kind == MCP_TEXT) {
        mgi_jw_member_cstr(w, "type", "text");
        mgi_jw_member_str(w, "text", b->text);
    } else if (b->kind == MCP_IMAGE || b->kind == MCP_AUDIO) {
        write_media(w, b, b->kind == MCP_IMAGE ? "image" : "audio");
    } else if (b->kind == MCP_EMBEDDED) {
        mgi_jw_member_cstr(w, "type", "resource");
        mgi_jw_key(w, "resource");
        write_contents(w, b, r);
    } else {
        write_link(w, b);
    }
    if (b->annotations.len > 0) {
        mgi_jw_key(w, "annotations");
        mgi_mcp_put_json(w, b->annotations);
    }
    if (b->meta.len > 0 && f->titles && b->kind != MCP_EMBEDDED) {
        mgi_jw_key(w, "_meta");
        mgi_mcp_put_json(w, b->meta);
    }
    mgi_jw_end_object(w);
}

/* ---- of each method ------------------------------------------------------------------------- */

/* In r3 and r4 it is an object, before that nothing (X-TOOL-11, X-TOOL-13). */
static bool has_structured(const struct mcp_call *c, struct str structured)
{
    const struct mcp_features *f = features(c);
    struct str s = mgi_str_trim(structured, " \t\r\n");
    return f->structured && s.len > 0 && (f->any_structured || s.ptr[0] == '{');
}

void mgi_mcp_answer_tool(struct mcp_call *c, const struct mcp_tool_result *r)
{
    struct answer a;
    mgi_mcp_begin_answer(&a, c, "complete");
    mgi_jw_key(&a.w, "content");
    mgi_jw_begin_array(&a.w);
    for (size_t i = 0; i < r->block_count; i++)
        write_block(&a.w, &r->blocks[i], c->revision);
    mgi_jw_end_array(&a.w);
    if (has_structured(c, r->structured)) {
        mgi_jw_key(&a.w, "structuredContent");
        mgi_mcp_put_json(&a.w, r->structured);
    }
    mgi_jw_member_bool(&a.w, "isError", r->is_error);
    mgi_mcp_end_answer(&a, r->meta);
}

void mgi_mcp_answer_text(struct mcp_call *c, struct str text, bool is_error)
{
    struct mcp_block block = { .kind = MCP_TEXT, .text = text };
    mgi_mcp_answer_tool(
        c, &(struct mcp_tool_result){ .blocks = &block, .block_count = 1, .is_error = is_error });
}

void mgi_mcp_answer_prompt(struct mcp_call *c, struct str description,
                           const struct mcp_prompt_message *messages, size_t count)
{
    struct answer a;
    mgi_mcp_begin_answer(&a, c, "complete");
    mgi_mcp_member(&a.w, "description", description);
    mgi_jw_key(&a.w, "messages");
    mgi_jw_begin_array(&a.w);
    for (size_t i = 0; i < count; i++) {
        mgi_jw_begin_object(&a.w);
        mgi_jw_member_cstr(&a.w, "role", messages[i].from_model ? "assistant" : "user");
        mgi_jw_key(&a.w, "content");
        write_block(&a.w, &messages[i].block, c->revision);
        mgi_jw_end_object(&a.w);
    }
    mgi_jw_end_array(&a.w);
    mgi_mcp_end_answer(&a, (struct str){ 0 });
}

void mgi_mcp_answer_resource(struct mcp_call *c, const struct mcp_block *contents, size_t count,
                             int64_t ttl_ms, enum mcp_scope scope)
{
    struct answer a;
    mgi_mcp_begin_answer(&a, c, "complete");
    mgi_jw_key(&a.w, "contents");
    mgi_jw_begin_array(&a.w);
    for (size_t i = 0; i < count; i++)
        write_contents(&a.w, &contents[i], c->revision);
    mgi_jw_end_array(&a.w);
    if (features(c)->modern)
        mgi_mcp_write_cache(&a.w, ttl_ms, scope);
    mgi_mcp_end_answer(&a, (struct str){ 0 });
}

void mgi_mcp_answer_completion(struct mcp_call *c, const struct str *values, size_t count,
                               int64_t total, bool has_more)
{
    struct answer a;
    size_t sent = count < MCP_COMPLETIONS_MOST ? count : MCP_COMPLETIONS_MOST;
    mgi_mcp_begin_answer(&a, c, "complete");
    mgi_jw_key(&a.w, "completion");
    mgi_jw_begin_object(&a.w);
    mgi_jw_member_strs(&a.w, "values", values, sent);
    if (total >= 0)
        mgi_jw_member_int(&a.w, "total", total);
    mgi_jw_member_bool(&a.w, "hasMore", has_more || sent < count);
    mgi_jw_end_object(&a.w);
    mgi_mcp_end_answer(&a, (struct str){ 0 });
}

/* ---- failures ------------------------------------------------------------------------------- */

void mgi_mcp_fail(struct mcp_call *c, enum rpc_code code, struct str message, struct str data)
{
    mgi_mcp_finish_error(c, code, message, data);
}

void mgi_mcp_fail_not_found(struct mcp_call *c)
{
    struct buf data = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &data, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "uri", c->name);
    mgi_jw_end_object(&w);
    mgi_mcp_finish_error(c, (enum rpc_code)features(c)->not_found,
                         STR_LIT("there is no resource with this URI"),
                         data.oom ? (struct str){ 0 } : mgi_buf_view(&data));
    mgi_buf_fini(&data);
}

void mgi_mcp_fail_capability(struct mcp_call *c, struct str capabilities, struct str message)
{
    struct buf data = { 0 };
    bool modern = features(c)->modern;
    mgi_buf_printf(&data, "{\"requiredCapabilities\":%.*s}", STR_ARG(capabilities));
    mgi_mcp_finish_error(c, modern ? RPC_MISSING_CAPABILITY : RPC_INTERNAL, message,
                         modern && !data.oom ? mgi_buf_view(&data) : (struct str){ 0 });
    mgi_buf_fini(&data);
}

void mgi_mcp_drop(struct mcp_call *c)
{
    mgi_mcp_finish_error(c, RPC_INTERNAL, STR_LIT("the call ended without a result"),
                         (struct str){ 0 });
}
