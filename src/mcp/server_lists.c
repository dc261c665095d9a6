/* How a tool, a resource, a prompt and the server itself are written in each revision. */
#include "mcp/server_int.h"

void mgi_mcp_member(struct json_writer *w, const char *name, struct str text)
{
    if (text.len > 0)
        mgi_jw_member_str(w, name, text);
}

static void json_member(struct json_writer *w, const char *name, struct str json)
{
    if (json.len == 0)
        return;
    mgi_jw_key(w, name);
    mgi_jw_raw(w, json);
}

/* What r3 and r4 added to everything that has a name. */
static void write_extras(struct json_writer *w, enum mcp_revision r, struct str title,
                         struct str icons, struct str meta)
{
    const struct mcp_features *f = mgi_mcp_features(r);
    if (f->titles)
        mgi_mcp_member(w, "title", title);
    if (f->icons)
        json_member(w, "icons", icons);
    if (f->titles)
        json_member(w, "_meta", meta);
}

void mgi_mcp_write_tool(struct json_writer *w, const struct mcp_tool *t, enum mcp_revision r,
                        bool object_output)
{
    const struct mcp_features *f = mgi_mcp_features(r);
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "name", t->name);
    mgi_mcp_member(w, "description", t->description);
    json_member(w, "inputSchema", t->input_schema);
    if (f->structured && (object_output || f->any_structured))
        json_member(w, "outputSchema", t->output_schema);
    if (f->annotations && t->has_annotations) {
        mgi_jw_key(w, "annotations");
        mgi_jw_begin_object(w);
        if (!f->titles)
            mgi_mcp_member(w, "title", t->title);
        mgi_jw_member_bool(w, "readOnlyHint", t->read_only);
        mgi_jw_member_bool(w, "destructiveHint", t->destructive);
        mgi_jw_member_bool(w, "idempotentHint", t->idempotent);
        mgi_jw_member_bool(w, "openWorldHint", t->open_world);
        mgi_jw_end_object(w);
    }
    write_extras(w, r, t->title, t->icons, t->meta);
    mgi_jw_end_object(w);
}

void mgi_mcp_write_resource(struct json_writer *w, const struct mcp_resource *x,
                            enum mcp_revision r, bool is_template)
{
    mgi_jw_begin_object(w);
    if (is_template)
        mgi_jw_member_str(w, "uriTemplate", x->uri);
    else
        mgi_jw_member_str(w, "uri", x->uri);
    mgi_jw_member_str(w, "name", x->name);
    mgi_mcp_member(w, "description", x->description);
    mgi_mcp_member(w, "mimeType", x->mime_type);
    if (!is_template && x->size >= 0)
        mgi_jw_member_int(w, "size", x->size);
    json_member(w, "annotations", x->annotations);
    write_extras(w, r, x->title, x->icons, x->meta);
    mgi_jw_end_object(w);
}

void mgi_mcp_write_prompt(struct json_writer *w, const struct mcp_prompt *p, enum mcp_revision r)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "name", p->name);
    mgi_mcp_member(w, "description", p->description);
    if (p->argument_count > 0) {
        mgi_jw_key(w, "arguments");
        mgi_jw_begin_array(w);
        for (size_t i = 0; i < p->argument_count; i++) {
            const struct mcp_argument *a = &p->arguments[i];
            mgi_jw_begin_object(w);
            mgi_jw_member_str(w, "name", a->name);
            mgi_mcp_member(w, "description", a->description);
            mgi_jw_member_bool(w, "required", a->required);
            if (mgi_mcp_features(r)->titles)
                mgi_mcp_member(w, "title", a->title);
            mgi_jw_end_object(w);
        }
        mgi_jw_end_array(w);
    }
    write_extras(w, r, p->title, p->icons, p->meta);
    mgi_jw_end_object(w);
}

/* ---- the server itself ---------------------------------------------------------------------- */

void mgi_mcp_write_info(struct json_writer *w, const struct mcp_description *d, enum mcp_revision r)
{
    const struct mcp_features *f = mgi_mcp_features(r);
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "name", d->self.name);
    mgi_jw_member_str(w, "version", d->self.version);
    if (f->titles)
        mgi_mcp_member(w, "title", d->self.title);
    if (f->icons) {
        mgi_mcp_member(w, "description", d->self_description);
        mgi_mcp_member(w, "websiteUrl", d->website);
        json_member(w, "icons", d->icons);
    }
    mgi_jw_end_object(w);
}

static void write_capability(struct json_writer *w, const char *name, bool changes, bool watches)
{
    mgi_jw_key(w, name);
    mgi_jw_begin_object(w);
    if (watches)
        mgi_jw_member_bool(w, "subscribe", true);
    if (changes)
        mgi_jw_member_bool(w, "listChanged", true);
    mgi_jw_end_object(w);
}

/* What is declared is what is answered (X-DISC-5): mgi_mcp_method() asks the same. */
static void write_capabilities(struct json_writer *w, const struct mcp_description *d,
                               enum mcp_revision r)
{
    const struct mcp_handlers *h = &d->handlers;
    mgi_jw_begin_object(w);
    if (h->tool)
        write_capability(w, "tools", d->tools_change, false);
    if (h->resource)
        write_capability(w, "resources", d->resources_change, h->watchable != NULL);
    if (h->prompt)
        write_capability(w, "prompts", d->prompts_change, false);
    if (d->logs)
        write_capability(w, "logging", false, false);
    if (h->complete && mgi_mcp_features(r)->completions)
        write_capability(w, "completions", false, false);
    if (r >= MCP_R4)
        json_member(w, "extensions", d->extensions);
    mgi_jw_end_object(w);
}

/* Legacy: all of the result of `initialize`. r5: the members of a DiscoverResult of its own. */
void mgi_mcp_write_greeting(struct json_writer *w, const struct mcp_description *d,
                            enum mcp_revision r)
{
    bool modern = mgi_mcp_features(r)->modern;
    mgi_jw_begin_object(w);
    if (modern) {
        mgi_jw_key(w, "supportedVersions");
        mgi_mcp_write_supported(w);
    } else {
        mgi_jw_member_cstr(w, "protocolVersion", mgi_mcp_features(r)->date);
    }
    mgi_jw_key(w, "capabilities");
    write_capabilities(w, d, r);
    if (!modern) {
        mgi_jw_key(w, "serverInfo");
        mgi_mcp_write_info(w, d, r);
    }
    mgi_mcp_member(w, "instructions", d->instructions);
    mgi_jw_end_object(w);
}
