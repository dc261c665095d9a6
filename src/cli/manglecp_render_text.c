/* What a server sent, read and shown as text: nothing of it may reach a terminal as a command. */
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "cli/manglecp_render.h"

const struct json *mgi_render_root(struct arena *arena, struct str text)
{
    struct json *root = mgi_arena_alloc(arena, sizeof *root);
    return root && mgi_json_parse(arena, text, NULL, root, NULL) == JSON_OK ? root : NULL;
}

const struct json *mgi_render_payload(struct arena *arena, struct str text)
{
    const struct json *root = mgi_render_root(arena, text);
    return root ? mgi_json_get(root, "payload") : NULL;
}

const char *mgi_render_text(struct arena *arena, const struct json *v)
{
    struct buf shown = { 0 };
    if (!v || v->type != JSON_STRING)
        return "";
    mgi_utf8_show(&shown, v->string);
    const char *out = mgi_arena_str(arena, mgi_buf_view(&shown)).ptr;
    mgi_buf_fini(&shown);
    return out ? out : "";
}

/* JSON means the same with any character of a string spelled as \uXXXX. Layout is ASCII. */
static void put_code(struct buf *out, uint32_t code)
{
    if (code < 0x10000)
        mgi_buf_printf(out, "\\u%04x", (unsigned)code);
    else
        mgi_buf_printf(out, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((code - 0x10000) >> 10)),
                       (unsigned)(0xdc00 + ((code - 0x10000) & 0x3ff)));
}

void mgi_render_json_text(struct buf *out, struct str json)
{
    for (size_t at = 0; at < json.len;) {
        size_t begin = at;
        uint32_t code = mgi_utf8_next(json, &at);
        struct str one = { json.ptr + begin, at - begin };
        struct buf shown = { 0 };
        if (code >= 0x7f)
            mgi_utf8_show(&shown, one);
        if (code >= 0x7f && code != UINT32_MAX && !str_eq(mgi_buf_view(&shown), one))
            put_code(out, code);
        else
            mgi_buf_str(out, one);
        mgi_buf_fini(&shown);
    }
}

void mgi_render_envelope(FILE *to, struct str json)
{
    struct buf text = { 0 };
    if (isatty(fileno(to)) == 1) {
        mgi_render_json_text(&text, json);
        json = mgi_buf_view(&text);
    }
    fwrite(json.ptr, 1, json.len, to);
    fputc('\n', to);
    mgi_buf_fini(&text);
}

void mgi_render_json(FILE *to, const struct json *v, const char *indent)
{
    fputs(indent, to);
    mgi_render_json_behind(to, v, indent);
    fputc('\n', to);
}

void mgi_render_json_behind(FILE *to, const struct json *v, const char *indent)
{
    struct buf text = { 0 }, safe = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 2);
    mgi_jw_value(&w, v);
    mgi_render_json_text(&safe, mgi_buf_view(&text));
    for (const char *line = safe.ptr ? safe.ptr : "", *end; *line; line = end) {
        end = strchr(line, '\n');
        end = end ? end + 1 : line + strlen(line);
        fprintf(to, "%s%.*s", line > safe.ptr ? indent : "", (int)(end - line), line);
    }
    mgi_buf_fini(&text);
    mgi_buf_fini(&safe);
}
