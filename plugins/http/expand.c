/* See expand.h. */
#include "expand.h"

#include <string.h>
#include <strings.h>

#include "base/url.h"

struct expanding {
    struct arena *arena;
    const struct http_request *request;
    const struct json *arguments;
    const char *why;
};

/* `name`: the argument that is at fault; "": none. */
static bool refuse(struct expanding *x, struct str name, const char *what)
{
    const char *quote = name.len > 0 ? "\"" : "", *behind = name.len > 0 ? "\" " : "";
    if (!x->why)
        x->why = mgi_arena_printf(x->arena, "%s%.*s%s%s", quote, STR_ARG(name), behind, what);
    if (!x->why)
        x->why = "out of memory";
    return false;
}

static bool refuse_all(struct expanding *x, const struct buf *of, const char *too_long)
{
    return refuse(x, (struct str){ "", 0 }, of->full ? too_long : "out of memory");
}

static const struct json *argument(const struct expanding *x, struct str name)
{
    const struct json *v = mgi_json_get_str(x->arguments, name);
    if (!v)
        v = mgi_json_get_str(&x->request->defaults, name);
    return v && v->type != JSON_NULL ? v : NULL;
}

/* A value as one text. False (told): it is none. */
static bool text_of(struct expanding *x, struct str name, const struct json *v, struct str *out)
{
    if (v->type == JSON_ARRAY || v->type == JSON_OBJECT)
        return refuse(x, name, "must be a single value here");
    *out = v->type == JSON_STRING ? v->string : v->text;
    return true;
}

/* Has every argument of `text` a value? */
static bool is_given(const struct expanding *x, const struct http_text *text)
{
    for (size_t i = 0; i < text->count; i++)
        if (text->parts[i].kind == HTTP_ARGUMENT && !argument(x, text->parts[i].text))
            return false;
    return true;
}

/* The text as it is; of an argument that has no value "" (path and body refuse it before). */
static bool append_text(struct expanding *x, const struct http_text *text, struct buf *out)
{
    for (size_t i = 0; i < text->count; i++) {
        const struct http_part *p = &text->parts[i];
        struct str value = p->text;
        const struct json *v = p->kind == HTTP_ARGUMENT ? argument(x, p->text) : NULL;
        if (p->kind == HTTP_ARGUMENT && !v)
            return refuse(x, p->text, "is missing");
        if (v && !text_of(x, p->text, v, &value))
            return false;
        mgi_buf_str(out, value);
    }
    return true;
}

static bool has_control(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] < ' ' || s.ptr[i] == 0x7f)
            return true;
    return false;
}

/* ---- the path ------------------------------------------------------------------------------- */

/* The segment that is being made, as it reads when it is decoded. */
struct segment {
    struct buf plain;
    struct str name; /* of the last argument in it; "": all of it was written by the author */
};

static bool end_segment(struct expanding *x, struct segment *s)
{
    struct str rest = mgi_buf_view(&s->plain);
    bool good = !s->plain.oom;
    for (size_t i = 0, begin = 0; s->name.len > 0 && i <= rest.len; i++) {
        if (i < rest.len && rest.ptr[i] != '/' && rest.ptr[i] != '\\')
            continue;
        struct str piece = { rest.ptr + begin, i - begin };
        good = good && piece.len > 0 && !str_is(piece, ".") && !str_is(piece, "..");
        begin = i + 1;
    }
    struct str name = s->name;
    mgi_buf_clear(&s->plain);
    s->name = (struct str){ "", 0 };
    return good || refuse(x, name,
                          "would leave its place in the address: it, or a part of it "
                          "between slashes, is empty, . or ..");
}

static bool append_literal(struct expanding *x, struct segment *s, struct str text, struct buf *out)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '/' && !end_segment(x, s))
            return false;
        if (text.ptr[i] != '/')
            mgi_buf_putc(&s->plain, text.ptr[i]);
    }
    mgi_buf_str(out, text);
    return true;
}

static bool append_value(struct expanding *x, struct segment *s, struct str name, struct buf *out)
{
    struct str value;
    const struct json *v = argument(x, name);
    if (!v)
        return refuse(x, name, "is missing");
    if (!text_of(x, name, v, &value))
        return false;
    if (has_control(value))
        return refuse(x, name, "holds a control character, which no address can have");
    if (value.len > HTTP_MOST_URL)
        return refuse(x, name, "is too long for an address");
    s->name = name;
    mgi_buf_str(&s->plain, value);
    mgi_url_escape(out, value);
    return true;
}

static bool append_path(struct expanding *x, struct buf *out)
{
    struct segment s = { .name = { "", 0 } };
    const struct http_text *path = &x->request->path;
    bool good = true;
    for (size_t i = 0; good && i < path->count; i++)
        good = path->parts[i].kind == HTTP_ARGUMENT
                   ? append_value(x, &s, path->parts[i].text, out)
                   : append_literal(x, &s, path->parts[i].text, out);
    good = good && end_segment(x, &s);
    if (good && s.plain.oom)
        good = refuse(x, (struct str){ "", 0 }, "out of memory");
    mgi_buf_fini(&s.plain);
    return good;
}

const char *mgi_http_expand_path(struct arena *arena, const struct http_request *request,
                                 const struct json *arguments, struct buf *out)
{
    struct expanding x = { arena, request, arguments, NULL };
    append_path(&x, out);
    return x.why;
}

/* ---- the query, and forms ------------------------------------------------------------------- */

static void append_pair(struct buf *out, size_t begin, struct str name, struct str value)
{
    if (out->len > begin)
        mgi_buf_putc(out, '&');
    mgi_url_escape(out, name);
    mgi_buf_putc(out, '=');
    mgi_url_escape(out, value);
}

/* A list of single values: a pair for each. */
static bool append_values(struct expanding *x, struct buf *out, size_t begin, struct str key,
                          struct str name, const struct json *v)
{
    struct str value;
    for (uint32_t i = 0; v->type == JSON_ARRAY && i < v->count; i++) {
        if (!text_of(x, name, &v->items[i], &value))
            return false;
        append_pair(out, begin, key, value);
    }
    if (v->type == JSON_ARRAY)
        return true;
    if (!text_of(x, name, v, &value))
        return false;
    append_pair(out, begin, key, value);
    return true;
}

static bool append_query_pair(struct expanding *x, const struct http_pair *p, struct buf *out,
                              size_t begin)
{
    struct buf value = { 0 };
    bool lone = p->value.count == 1 && p->value.parts[0].kind == HTTP_ARGUMENT;
    if (!is_given(x, &p->value))
        return true; /* an argument without a value: without its name */
    if (lone) {
        struct str name = p->value.parts[0].text;
        return append_values(x, out, begin, p->name, name, argument(x, name));
    }
    bool good = append_text(x, &p->value, &value);
    append_pair(out, begin, p->name, mgi_buf_view(&value));
    out->oom |= value.oom;
    mgi_buf_wipe(&value);
    return good;
}

static bool append_query(struct expanding *x, struct buf *out)
{
    const struct http_request *r = x->request;
    size_t before = out->len;
    mgi_buf_putc(out, '?');
    size_t begin = out->len;
    for (size_t i = 0; i < r->query.count; i++)
        if (!append_query_pair(x, &r->query.items[i], out, begin))
            return false;
    if (r->auth == AUTH_QUERY && !append_query_pair(x, &r->credential, out, begin))
        return false;
    if (out->len == begin && !out->oom)
        out->len = before;
    return true;
}

static bool make_url(struct expanding *x, struct http_expansion *out)
{
    struct buf url = { .limit = HTTP_MOST_URL };
    mgi_buf_str(&url, x->request->origin);
    bool good = append_path(x, &url) && append_query(x, &url);
    if (good && url.oom)
        good = refuse_all(x, &url, "the address would be too long");
    out->url = mgi_arena_str(x->arena, mgi_buf_view(&url)).ptr;
    mgi_buf_wipe(&url);
    return good && (out->url || refuse(x, (struct str){ "", 0 }, "out of memory"));
}

/* ---- headers -------------------------------------------------------------------------------- */

static bool add_header(struct expanding *x, struct http_expansion *out, struct buf *line, bool own)
{
    struct str kept = mgi_arena_str(x->arena, mgi_buf_view(line));
    bool oom = line->oom || !kept.ptr, full = line->full;
    mgi_buf_wipe(line);
    if (oom)
        return refuse(x, (struct str){ "", 0 },
                      full ? "a header would be too long" : "out of memory");
    out->headers[out->header_count++] = (struct http_header){ kept.ptr, own };
    return true;
}

static bool add_pair_header(struct expanding *x, struct http_expansion *out,
                            const struct http_pair *p)
{
    struct buf line = { .limit = HTTP_MOST_HEADER };
    if (!is_given(x, &p->value))
        return true;
    mgi_buf_printf(&line, "%.*s: ", STR_ARG(p->name));
    bool good = append_text(x, &p->value, &line);
    if (good && has_control(mgi_buf_view(&line)))
        good = refuse(x, p->name, "is a header that would hold a control character");
    if (good)
        return add_header(x, out, &line, false);
    mgi_buf_wipe(&line);
    return false;
}

static bool add_basic(struct expanding *x, struct http_expansion *out)
{
    struct buf both = { 0 }, line = { .limit = HTTP_MOST_HEADER };
    bool good = append_text(x, &x->request->user, &both);
    mgi_buf_putc(&both, ':');
    good = good && append_text(x, &x->request->password, &both);
    struct str encoded = mgi_http_base64(x->arena, mgi_buf_view(&both));
    mgi_buf_puts(&line, "Authorization: Basic ");
    mgi_buf_str(&line, encoded);
    line.oom |= both.oom || !encoded.ptr;
    mgi_buf_wipe(&both);
    if (good)
        return add_header(x, out, &line, false);
    mgi_buf_wipe(&line);
    return false;
}

static bool is_said(const struct http_expansion *out, const char *name)
{
    size_t len = strlen(name);
    for (size_t i = 0; i < out->header_count; i++)
        if (strncasecmp(out->headers[i].line, name, len) == 0 && out->headers[i].line[len] == ':')
            return true;
    return false;
}

static bool add_own(struct expanding *x, struct http_expansion *out, const char *name,
                    const char *value)
{
    struct buf line = { 0 };
    if (is_said(out, name))
        return true;
    mgi_buf_printf(&line, "%s: %s", name, value);
    return add_header(x, out, &line, true);
}

static bool make_headers(struct expanding *x, struct http_expansion *out)
{
    static const char *const types[] = { [BODY_JSON] = "application/json",
                                         [BODY_FORM] = "application/x-www-form-urlencoded",
                                         [BODY_TEXT] = "text/plain; charset=utf-8" };
    const struct http_request *r = x->request;
    out->headers = mgi_arena_calloc(x->arena, r->headers.count + 8, sizeof *out->headers);
    if (!out->headers)
        return refuse(x, (struct str){ "", 0 }, "out of memory");
    for (size_t i = 0; i < r->headers.count; i++)
        if (!add_pair_header(x, out, &r->headers.items[i]))
            return false;
    if (r->auth == AUTH_HEADER && !add_pair_header(x, out, &r->credential))
        return false;
    if (r->auth == AUTH_BASIC && !add_basic(x, out))
        return false;
    return add_own(x, out, "Accept",
                   r->output == OUTPUT_JSON ? "application/json, application/problem+json;q=0.9, "
                                              "*/*;q=0.1"
                                            : "*/*") &&
           add_own(x, out, "User-Agent", "manglecp") &&
           (!out->has_body || add_own(x, out, "Content-Type", types[r->body]));
}

/* ---- the body ------------------------------------------------------------------------------- */

/* An object of the arguments that are given, by name, defaults included. */
static void write_json(struct expanding *x, struct buf *out)
{
    const struct http_request *r = x->request;
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    for (size_t i = 0; i < r->field_count; i++) {
        const struct json *v = mgi_json_get_str(x->arguments, r->fields[i]);
        if (!v)
            v = mgi_json_get_str(&r->defaults, r->fields[i]);
        if (!v)
            continue;
        mgi_jw_key_str(&w, r->fields[i]);
        mgi_jw_value(&w, v);
    }
    mgi_jw_end_object(&w);
}

/* All of them. */
static void write_arguments(struct expanding *x, struct buf *out)
{
    const struct json *sources[] = { x->arguments, &x->request->defaults };
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    for (size_t k = 0; k < 2; k++)
        for (uint32_t i = 0; sources[k]->type == JSON_OBJECT && i < sources[k]->count; i++) {
            const struct json_member *m = &sources[k]->members[i];
            if (k == 1 && mgi_json_get_str(x->arguments, m->name))
                continue;
            mgi_jw_key_str(&w, m->name);
            mgi_jw_value(&w, &m->value);
        }
    mgi_jw_end_object(&w);
}

static bool write_form(struct expanding *x, struct buf *out)
{
    const struct http_request *r = x->request;
    for (size_t i = 0; i < r->field_count; i++) {
        const struct json *v = argument(x, r->fields[i]);
        if (v && !append_values(x, out, 0, r->fields[i], r->fields[i], v))
            return false;
    }
    return true;
}

static bool make_body(struct expanding *x, struct http_expansion *out)
{
    const struct http_request *r = x->request;
    struct buf body = { .limit = HTTP_MOST_BODY };
    bool good = true;
    out->has_body = r->body != BODY_NONE;
    if (r->body == BODY_JSON && r->fields)
        write_json(x, &body);
    else if (r->body == BODY_JSON)
        write_arguments(x, &body);
    else if (r->body == BODY_FORM)
        good = write_form(x, &body);
    else if (r->body == BODY_TEXT)
        good = append_text(x, &r->text, &body);
    out->body = mgi_arena_str(x->arena, mgi_buf_view(&body));
    if (good && (body.oom || !out->body.ptr))
        good = refuse_all(x, &body, "the body would be too long");
    mgi_buf_fini(&body);
    return good;
}

const char *mgi_http_expand(struct arena *arena, const struct http_request *request,
                            const struct json *arguments, struct http_expansion *out)
{
    struct expanding x = { arena, request, arguments, NULL };
    *out = (struct http_expansion){ 0 };
    if (arguments->type != JSON_OBJECT)
        return "the arguments are no object";
    if (make_url(&x, out) && make_body(&x, out))
        make_headers(&x, out);
    return x.why;
}
