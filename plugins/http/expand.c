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

/* A value as one text, or those of a list with what joins them. `put` writes each, and what joins
 * them unless that is a comma, which stands as it is. */
static bool append_joined(struct expanding *x, const struct http_part *p, const struct json *v,
                          void (*put)(struct buf *out, struct str text), struct buf *out)
{
    const struct json *items = v->type == JSON_ARRAY ? v->items : v;
    size_t count = v->type == JSON_ARRAY ? v->count : 1;
    struct str value;
    for (size_t i = 0; i < count; i++) {
        if (!text_of(x, p->text, &items[i], &value))
            return false;
        if (i > 0 && p->join && p->join != ',')
            put(out, (struct str){ &p->join, 1 });
        else if (i > 0)
            mgi_buf_putc(out, ',');
        put(out, value);
    }
    return true;
}

/* The text as it is; an argument without a value is refused. */
static bool append_text(struct expanding *x, const struct http_text *text, struct buf *out)
{
    for (size_t i = 0; i < text->count; i++) {
        const struct http_part *p = &text->parts[i];
        const struct json *v = p->kind == HTTP_ARGUMENT ? argument(x, p->text) : NULL;
        if (p->kind == HTTP_ARGUMENT && !v)
            return refuse(x, p->text, "is missing");
        if (v && !append_joined(x, p, v, mgi_buf_str, out))
            return false;
        if (!v)
            mgi_buf_str(out, p->text);
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

static bool append_value(struct expanding *x, struct segment *s, const struct http_part *p,
                         struct buf *out)
{
    const struct json *v = argument(x, p->text);
    struct buf plain = { .limit = HTTP_MOST_URL };
    if (!v)
        return refuse(x, p->text, "is missing");
    bool good = append_joined(x, p, v, mgi_buf_str, &plain);
    if (good && plain.full)
        good = refuse(x, p->text, "is too long for an address");
    if (good && has_control(mgi_buf_view(&plain)))
        good = refuse(x, p->text, "holds a control character, which no address can have");
    s->name = p->text;
    mgi_buf_str(&s->plain, mgi_buf_view(&plain));
    s->plain.oom |= plain.oom;
    mgi_buf_fini(&plain);
    return good && append_joined(x, p, v, mgi_url_escape, out);
}

static bool append_path(struct expanding *x, struct buf *out)
{
    struct segment s = { .name = { "", 0 } };
    const struct http_text *path = &x->request->path;
    bool good = true;
    for (size_t i = 0; good && i < path->count; i++)
        good = path->parts[i].kind == HTTP_ARGUMENT
                   ? append_value(x, &s, &path->parts[i], out)
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
    const struct json *items = v->type == JSON_ARRAY ? v->items : v;
    size_t count = v->type == JSON_ARRAY ? v->count : 1;
    struct str value;
    for (size_t i = 0; i < count; i++) {
        if (!text_of(x, name, &items[i], &value))
            return false;
        append_pair(out, begin, key, value);
    }
    return true;
}

static bool append_list(struct expanding *x, struct buf *out, size_t begin, struct str key,
                        const struct http_part *p, const struct json *v)
{
    append_pair(out, begin, key, STR_LIT(""));
    return append_joined(x, p, v, mgi_url_escape, out);
}

/* key[member], key[0] and so on. Its depth is bounded: JSON is read to 64 levels. */
static bool append_deep(struct expanding *x, struct buf *out, size_t begin, struct str key,
                        struct str name, const struct json *v)
{
    bool good = true;
    if (v->type != JSON_OBJECT && v->type != JSON_ARRAY)
        return append_values(x, out, begin, key, name, v);
    for (uint32_t i = 0; good && !out->oom && i < v->count; i++) {
        const struct json *item = v->type == JSON_OBJECT ? &v->members[i].value : &v->items[i];
        struct buf below = { .limit = HTTP_MOST_NAME };
        if (item->type == JSON_NULL)
            continue;
        mgi_buf_str(&below, key);
        mgi_buf_putc(&below, '[');
        if (v->type == JSON_OBJECT)
            mgi_buf_str(&below, v->members[i].name);
        else
            mgi_buf_printf(&below, "%u", i);
        mgi_buf_putc(&below, ']');
        if (below.oom)
            good = refuse(x, name, "has a member whose name is too long");
        good = good && append_deep(x, out, begin, mgi_buf_view(&below), name, item);
        mgi_buf_fini(&below);
    }
    return good;
}

static bool append_query_pair(struct expanding *x, const struct http_pair *p, struct buf *out,
                              size_t begin)
{
    struct buf value = { 0 };
    bool lone = p->value.count == 1 && p->value.parts[0].kind == HTTP_ARGUMENT;
    if (!is_given(x, &p->value))
        return true; /* an argument without a value: without its name */
    if (lone) {
        const struct http_part *part = &p->value.parts[0];
        const struct json *v = argument(x, part->text);
        return p->deep      ? append_deep(x, out, begin, p->name, part->text, v)
               : part->join ? append_list(x, out, begin, p->name, part, v)
                            : append_values(x, out, begin, p->name, part->text, v);
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
    for (size_t i = 0; i < r->auth_query.count; i++)
        if (!append_query_pair(x, &r->auth_query.items[i], out, begin))
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

/* The type of a body goes where the body goes, unless somebody hides something in it. */
static bool is_of_body(const struct http_pair *p)
{
    static const char name[] = "Content-Type";
    bool secret = false;
    for (size_t i = 0; i < p->value.count; i++)
        secret |= p->value.parts[i].kind == HTTP_SECRET;
    return !secret && p->name.len == sizeof name - 1 &&
           strncasecmp(p->name.ptr, name, p->name.len) == 0;
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
    if (mgi_str_trim(mgi_buf_view(&line), " ").len == p->name.len + 1) {
        mgi_buf_clear(&line); /* libcurl's way to say an empty one; "name:" would be none */
        mgi_buf_printf(&line, "%.*s;", STR_ARG(p->name));
    }
    if (good)
        return add_header(x, out, &line, is_of_body(p));
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
        if (strncasecmp(out->headers[i].line, name, len) == 0 &&
            strchr(":;", out->headers[i].line[len]))
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
    size_t most = r->headers.count + r->auth_headers.count + 4; /* basic, and those of add_own() */
    out->headers = mgi_arena_calloc(x->arena, most, sizeof *out->headers);
    if (!out->headers)
        return refuse(x, (struct str){ "", 0 }, "out of memory");
    for (size_t i = 0; i < r->headers.count; i++)
        if (!add_pair_header(x, out, &r->headers.items[i]))
            return false;
    for (size_t i = 0; i < r->auth_headers.count; i++)
        if (!add_pair_header(x, out, &r->auth_headers.items[i]))
            return false;
    if (r->basic && !add_basic(x, out))
        return false;
    return add_own(x, out, "Accept",
                   r->output == OUTPUT_JSON ? "application/json, application/problem+json;q=0.9, "
                                              "*/*;q=0.1"
                                            : "*/*") &&
           add_own(x, out, "User-Agent", "manglecp") &&
           (!out->has_body || add_own(x, out, "Content-Type", types[r->body]));
}

/* ---- the body ------------------------------------------------------------------------------- */

/* What is given, null included; else its default; else NULL. */
static const struct json *given(const struct expanding *x, struct str name)
{
    const struct json *v = mgi_json_get_str(x->arguments, name);
    return v ? v : mgi_json_get_str(&x->request->defaults, name);
}

/* A member of a body: an argument as it is, or a text. Without a value it is left out. */
static bool write_member(struct expanding *x, const struct http_pair *p, struct json_writer *w)
{
    const struct http_part *first = p->value.parts;
    struct buf text = { .limit = HTTP_MOST_BODY };
    if (p->value.count == 1 && first->kind == HTTP_ARGUMENT) {
        const struct json *v = given(x, first->text);
        if (v)
            mgi_jw_key_str(w, p->name);
        if (v)
            mgi_jw_value(w, v);
        return true;
    }
    if (!is_given(x, &p->value))
        return true;
    bool good = append_text(x, &p->value, &text);
    mgi_jw_key_str(w, p->name);
    mgi_jw_string(w, mgi_buf_view(&text));
    w->out->oom |= text.oom;
    mgi_buf_fini(&text);
    return good;
}

static bool write_json(struct expanding *x, struct buf *out)
{
    const struct http_pairs *fields = &x->request->fields;
    struct json_writer w;
    bool good = true;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    for (size_t i = 0; good && i < fields->count; i++)
        good = write_member(x, &fields->items[i], &w);
    mgi_jw_end_object(&w);
    return good;
}

static bool write_whole(struct expanding *x, struct buf *out)
{
    const struct json *v = given(x, x->request->whole);
    struct json_writer w;
    if (!v)
        return refuse(x, x->request->whole, "is missing");
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_value(&w, v);
    return true;
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
    const struct http_pairs *fields = &x->request->fields;
    for (size_t i = 0; i < fields->count; i++)
        if (!append_query_pair(x, &fields->items[i], out, 0))
            return false;
    return true;
}

/* Is an argument given that the body would have? */
static bool has_content(const struct expanding *x)
{
    const struct http_request *r = x->request;
    for (size_t i = 0; i < r->fields.count; i++)
        for (size_t k = 0; k < r->fields.items[i].value.count; k++) {
            const struct http_part *p = &r->fields.items[i].value.parts[k];
            if (p->kind == HTTP_ARGUMENT && given(x, p->text))
                return true;
        }
    return (r->whole.len > 0 && given(x, r->whole)) || r->all_fields ||
           (r->body == BODY_TEXT && is_given(x, &r->text));
}

static bool make_body(struct expanding *x, struct http_expansion *out)
{
    const struct http_request *r = x->request;
    struct buf body = { .limit = HTTP_MOST_BODY };
    bool good = true;
    out->has_body = r->body != BODY_NONE && (!r->body_optional || has_content(x));
    if (!out->has_body)
        return true;
    if (r->body == BODY_TEXT)
        good = append_text(x, &r->text, &body);
    else if (r->body == BODY_FORM)
        good = write_form(x, &body);
    else if (r->whole.len > 0)
        good = write_whole(x, &body);
    else if (r->all_fields)
        write_arguments(x, &body);
    else
        good = write_json(x, &body);
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
