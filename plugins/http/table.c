/* Settings -> struct http_table: see table.h. */
#include "table.h"

#include <string.h>

#include "base/encode.h"
#include "base/url.h"
#include "toolhost.h"

struct reader {
    struct arena *arena;
    const char *why;
    struct http_request *of; /* whose secrets are collected */
    size_t secret_cap;
};

static bool reject(struct reader *r, const char *what)
{
    if (!r->why) {
        struct str of = r->of ? r->of->aid : (struct str){ "", 0 };
        r->why = mgi_arena_printf(r->arena, "bad settings: %s%s%.*s", what, of.len ? " of " : "",
                                  STR_ARG(of));
        if (!r->why)
            r->why = "out of memory";
    }
    return false;
}

static struct str member_text(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_STRING ? v->string : (struct str){ "", 0 };
}

static struct str kept(struct reader *r, struct str s)
{
    struct str copy = mgi_arena_str(r->arena, s);
    if (!copy.ptr || memchr(copy.ptr, '\0', copy.len))
        reject(r, "memory, or a NUL in a text");
    return copy.ptr ? copy : STR_LIT("");
}

static int64_t number_of(const struct json *object, const char *name, int64_t otherwise)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_INT ? v->integer : otherwise;
}

static size_t length_of(const struct json *list)
{
    return list && list->type == JSON_ARRAY ? list->count : 0;
}

static void *room(struct reader *r, size_t count, size_t size)
{
    void *items = mgi_arena_calloc(r->arena, count + 1, size);
    if (!items)
        reject(r, "memory");
    return items;
}

/* ---- addresses and encodings ---------------------------------------------------------------- */

struct str mgi_http_origin(struct arena *arena, struct str url)
{
    struct url u;
    if (!mgi_url_read(url, &u))
        return (struct str){ NULL, 0 };
    char *text =
        mgi_arena_printf(arena, "%s://%.*s:%u", u.tls ? "https" : "http", STR_ARG(u.host), u.port);
    for (char *c = text; c && *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    return str_of(text);
}

struct str mgi_http_base64(struct arena *arena, struct str text)
{
    char *out = mgi_arena_alloc(arena, (text.len + 2) / 3 * 4 + 1);
    if (!out)
        return (struct str){ NULL, 0 };
    size_t len = mgi_base64url_encode((const uint8_t *)text.ptr, text.len, out);
    for (size_t i = 0; i < len; i++)
        out[i] = (char)(out[i] == '-' ? '+' : out[i] == '_' ? '/' : out[i]);
    while (len % 4 != 0)
        out[len++] = '=';
    out[len] = '\0';
    return (struct str){ out, len };
}

/* ---- texts ---------------------------------------------------------------------------------- */

static bool add_secret(struct reader *r, struct str secret)
{
    struct http_request *of = r->of;
    if (secret.len == 0)
        return true;
    if (!secret.ptr || !mgi_arena_grow(r->arena, &of->secrets, &r->secret_cap, of->secret_count + 1,
                                       sizeof *of->secrets))
        return reject(r, "memory");
    of->secrets[of->secret_count++] = secret;
    return true;
}

/* Percent-encoded, with digits in small letters. */
static void escape_small(struct buf *out, struct str text)
{
    size_t begin = out->len;
    mgi_url_escape(out, text);
    for (size_t i = begin; i + 2 < out->len; i++) {
        if (out->ptr[i] != '%')
            continue;
        for (size_t k = 1; k <= 2; k++)
            if (out->ptr[i + k] >= 'A')
                out->ptr[i + k] = (char)(out->ptr[i + k] - 'A' + 'a');
        i += 2;
    }
}

/* As a text of JSON has it that is read as any text; some write a slash with a backslash. */
static void escape_json(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"' || text.ptr[i] == '\\')
            mgi_buf_putc(out, '\\');
        mgi_buf_putc(out, text.ptr[i]);
    }
}

static void escape_slashes(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (strchr("\"\\/", text.ptr[i]))
            mgi_buf_putc(out, '\\');
        mgi_buf_putc(out, text.ptr[i]);
    }
}

/* As it is, and in the forms in which others write it. */
static bool note_secret(struct reader *r, struct str secret)
{
    static void (*const forms[])(struct buf * out, struct str text) = { mgi_url_escape,
                                                                        escape_small, escape_json,
                                                                        escape_slashes };
    size_t first = r->of->secret_count;
    if (!add_secret(r, secret))
        return false;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct buf form = { 0 };
        forms[i](&form, secret);
        struct str copy = mgi_arena_str(r->arena, mgi_buf_view(&form));
        bool known = form.oom;
        for (size_t k = first; k < r->of->secret_count; k++)
            known |= str_eq(copy, r->of->secrets[k]);
        bool oom = form.oom;
        mgi_buf_wipe(&form);
        if (oom)
            return reject(r, "memory");
        if (!known && !add_secret(r, copy))
            return false;
    }
    return true;
}

static bool read_text(struct reader *r, const struct json *list, struct http_text *out)
{
    if (!list || list->type != JSON_ARRAY)
        return reject(r, "parts");
    out->parts = room(r, list->count, sizeof *out->parts);
    for (size_t i = 0; out->parts && i < list->count; i++) {
        const struct json *v = &list->items[i];
        struct http_part *p = &out->parts[out->count++];
        struct str arg = member_text(v, "arg"), secret = member_text(v, "secret");
        struct str join = member_text(v, "join");
        p->kind = v->type == JSON_STRING ? HTTP_TEXT : arg.len > 0 ? HTTP_ARGUMENT : HTTP_SECRET;
        p->text = kept(r, v->type == JSON_STRING ? v->string : arg.len > 0 ? arg : secret);
        p->join = join.len == 1 ? join.ptr[0] : '\0';
        if (p->kind == HTTP_SECRET && (p->text.len == 0 || !note_secret(r, p->text)))
            return reject(r, "a part");
    }
    return !r->why;
}

/* An argument's name: its value, by that name. */
static bool read_short_pair(struct reader *r, struct str name, struct http_pair *out)
{
    out->name = kept(r, name);
    out->value.parts = room(r, 1, sizeof *out->value.parts);
    if (out->value.parts)
        out->value.parts[out->value.count++] =
            (struct http_part){ .kind = HTTP_ARGUMENT, .text = out->name };
    return name.len > 0 ? !r->why : reject(r, "a name");
}

static bool read_pair(struct reader *r, const struct json *v, struct http_pair *out)
{
    const struct json *deep = mgi_json_get(v, "deep");
    if (v && v->type == JSON_STRING)
        return read_short_pair(r, v->string, out);
    out->name = kept(r, member_text(v, "name"));
    out->deep = deep && deep->type == JSON_BOOL && deep->boolean;
    return out->name.len > 0 ? read_text(r, mgi_json_get(v, "value"), &out->value)
                             : reject(r, "a name");
}

static bool read_pairs(struct reader *r, const struct json *list, struct http_pairs *out)
{
    size_t count = length_of(list);
    out->items = room(r, count, sizeof *out->items);
    for (size_t i = 0; out->items && i < count; i++)
        if (!read_pair(r, &list->items[i], &out->items[out->count++]))
            return false;
    return !r->why;
}

static struct str *read_strs(struct reader *r, const struct json *list, size_t *count)
{
    size_t length = length_of(list);
    struct str *items = room(r, length, sizeof *items);
    *count = 0;
    for (size_t i = 0; items && i < length; i++)
        if (list->items[i].type == JSON_STRING)
            items[(*count)++] = kept(r, list->items[i].string);
    return items;
}

/* As the plugin interface wants them. */
static const char **read_names(struct reader *r, const struct json *list)
{
    size_t count;
    struct str *items = read_strs(r, list, &count);
    const char **names = room(r, count, sizeof *names);
    for (size_t i = 0; names && items && i < count; i++)
        names[i] = items[i].ptr;
    return names;
}

/* ---- what is asked -------------------------------------------------------------------------- */

/* What goes over the wire of user and password is a secret, too. */
static bool note_basic(struct reader *r, const struct http_request *of)
{
    struct buf both = { 0 };
    for (size_t i = 0; i < of->user.count; i++)
        mgi_buf_str(&both, of->user.parts[i].text);
    mgi_buf_putc(&both, ':');
    for (size_t i = 0; i < of->password.count; i++)
        mgi_buf_str(&both, of->password.parts[i].text);
    struct str encoded = mgi_http_base64(r->arena, mgi_buf_view(&both));
    bool oom = both.oom;
    mgi_buf_wipe(&both);
    return oom ? reject(r, "memory") : add_secret(r, encoded);
}

static bool read_credential(struct reader *r, const struct json *v, struct http_request *out)
{
    const struct json *header = mgi_json_get(v, "header"), *query = mgi_json_get(v, "query");
    const struct json *basic = mgi_json_get(v, "basic");
    struct http_pairs *into = header ? &out->auth_headers : &out->auth_query;
    if (header || query)
        return read_pair(r, header ? header : query, &into->items[into->count++]);
    if (out->basic)
        return reject(r, "two of basic");
    out->basic = true;
    return read_text(r, mgi_json_get(basic, "user"), &out->user) &&
           read_text(r, mgi_json_get(basic, "password"), &out->password) && note_basic(r, out);
}

static bool read_auth(struct reader *r, const struct json *v, struct http_request *out)
{
    size_t count = v && v->type == JSON_ARRAY ? v->count : v ? 1 : 0;
    const struct json *list = v && v->type == JSON_ARRAY ? v->items : v;
    if (count > HTTP_MAX_AUTH)
        return reject(r, "too many credentials");
    out->auth_headers.items = room(r, count, sizeof *out->auth_headers.items);
    out->auth_query.items = room(r, count, sizeof *out->auth_query.items);
    for (size_t i = 0; !r->why && i < count; i++)
        if (!read_credential(r, &list[i], out))
            return false;
    return !r->why;
}

static bool read_body(struct reader *r, const struct json *v, struct http_request *out)
{
    const struct json *json = mgi_json_get(v, "json"), *form = mgi_json_get(v, "form");
    const struct json *optional = mgi_json_get(v, "optional");
    if (!v)
        return true;
    out->body = json ? BODY_JSON : form ? BODY_FORM : BODY_TEXT;
    out->body_optional = optional && optional->type == JSON_BOOL && optional->boolean;
    if (out->body == BODY_TEXT)
        return read_text(r, mgi_json_get(v, "text"), &out->text);
    out->whole = kept(r, member_text(json, "arg"));
    out->all_fields = json && json->type == JSON_BOOL;
    return out->whole.len > 0 || read_pairs(r, json ? json : form, &out->fields);
}

static bool is_method(struct str method)
{
    bool good = method.len > 0 && method.len <= 16;
    for (size_t i = 0; good && i < method.len; i++)
        good = method.ptr[i] >= 'A' && method.ptr[i] <= 'Z';
    return good;
}

static bool read_target(struct reader *r, const struct json *v, struct http_request *out)
{
    struct str origin = member_text(v, "origin"), same = mgi_http_origin(r->arena, origin);
    out->method = kept(r, member_text(v, "method"));
    out->origin = kept(r, origin);
    if (!is_method(out->method) || !str_eq(origin, same))
        return reject(r, "method or origin");
    const struct json *may = mgi_json_get(v, "private");
    struct str ca = member_text(v, "ca");
    out->may_be_private = may && may->type == JSON_BOOL && may->boolean;
    out->ca = ca.len > 0 ? kept(r, ca).ptr : NULL;
    out->allow = read_strs(r, mgi_json_get(v, "allow"), &out->allow_count);
    return read_text(r, mgi_json_get(v, "path"), &out->path) &&
           read_pairs(r, mgi_json_get(v, "query"), &out->query) &&
           read_pairs(r, mgi_json_get(v, "headers"), &out->headers) &&
           read_auth(r, mgi_json_get(v, "auth"), out) && read_body(r, mgi_json_get(v, "body"), out);
}

/* ---- what is answered ----------------------------------------------------------------------- */

static bool read_statuses(struct reader *r, const struct json *v, struct http_request *out)
{
    const struct json *ok = mgi_json_get(v, "ok"), *texts = mgi_json_get(v, "statuses");
    size_t good = length_of(ok), told = length_of(texts);
    out->ok = room(r, good, sizeof *out->ok);
    out->statuses = room(r, told, sizeof *out->statuses);
    for (size_t i = 0; out->ok && i < good; i++)
        if (ok->items[i].type == JSON_INT && ok->items[i].integer > 0 &&
            ok->items[i].integer < 1000)
            out->ok[out->ok_count++] = (int)ok->items[i].integer;
    for (size_t i = 0; out->statuses && i < told; i++)
        out->statuses[out->status_count++] = (struct http_status_text){
            .from = (int)(number_of(&texts->items[i], "from", 0) & 1023),
            .to = (int)(number_of(&texts->items[i], "to", 0) & 1023),
            .text = kept(r, member_text(&texts->items[i], "text")),
        };
    return !r->why;
}

static uint32_t read_flags(const struct json *list)
{
    static const struct {
        const char *name;
        uint32_t flag;
    } names[] = { { "idempotent", TH_TOOL_IDEMPOTENT }, { "reversible", TH_TOOL_REVERSIBLE } };
    uint32_t flags = TH_TOOL_FAST_CANCEL;
    for (size_t i = 0; i < length_of(list); i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (list->items[i].type == JSON_STRING && str_is(list->items[i].string, names[k].name))
                flags |= names[k].flag;
    return flags;
}

static struct str schema_text(struct reader *r, const struct json *v, const char *name)
{
    const struct json *schema = mgi_json_get(v, name);
    return schema && schema->type == JSON_OBJECT ? kept(r, schema->text) : STR_LIT("");
}

static bool read_results(struct reader *r, const struct json *v, struct http_request *out)
{
    struct str output = member_text(v, "output");
    int64_t most = number_of(v, "max_bytes", HTTP_MAX_BYTES);
    int64_t timeout = number_of(v, "timeout_ms", 0);
    out->output = str_is(output, "text")   ? OUTPUT_TEXT
                  : str_is(output, "none") ? OUTPUT_NONE
                                           : OUTPUT_JSON;
    out->select = kept(r, member_text(v, "select"));
    if (most < 1 || most > HTTP_MOST_BYTES || timeout < 0 || timeout > INT32_MAX)
        return reject(r, "a limit");
    out->max_bytes = (size_t)most;
    out->timeout_ms = (uint32_t)timeout;
    out->flags = read_flags(mgi_json_get(v, "flags"));
    out->side_effects = read_names(r, mgi_json_get(v, "side_effects"));
    out->tags = read_names(r, mgi_json_get(v, "tags"));
    return read_statuses(r, v, out);
}

static bool read_request(struct reader *r, const struct json *v, struct http_request *out)
{
    const struct json *defaults = mgi_json_get(v, "defaults");
    r->of = out;
    r->secret_cap = 0;
    out->aid = kept(r, member_text(v, "aid"));
    out->name = kept(r, member_text(v, "name"));
    out->description = kept(r, member_text(v, "description"));
    out->input_schema = schema_text(r, v, "input_schema");
    out->output_schema = schema_text(r, v, "output_schema");
    if (defaults && defaults->type == JSON_OBJECT)
        out->defaults = *defaults;
    return read_target(r, v, out) && read_results(r, v, out) && !r->arena->oom;
}

bool mgi_http_is_safe(struct str method)
{
    return str_is(method, "GET") || str_is(method, "HEAD") || str_is(method, "OPTIONS");
}

const char *mgi_http_table_read(struct arena *arena, struct str settings, struct http_table *out)
{
    struct json root;
    struct reader r = { .arena = arena };
    struct str text = mgi_arena_str(arena, settings); /* names and values point into it */
    *out = (struct http_table){ 0 };
    if (!text.ptr)
        return "out of memory";
    if (mgi_json_parse(arena, text, NULL, &root, NULL) != JSON_OK)
        return arena->oom ? "out of memory" : "bad settings: not JSON";
    const struct json *requests = mgi_json_get(&root, "requests");
    if (length_of(requests) == 0 || requests->count > HTTP_MAX_REQUESTS)
        return "bad settings: \"requests\" (1 to 1024) are expected";
    out->resolve = read_strs(&r, mgi_json_get(&root, "resolve"), &out->resolve_count);
    out->items = mgi_arena_calloc(arena, requests->count, sizeof *out->items);
    for (size_t i = 0; out->items && !r.why && i < requests->count; i++)
        read_request(&r, &requests->items[i], &out->items[out->count++]);
    return r.why ? r.why : arena->oom || !out->items ? "out of memory" : NULL;
}
