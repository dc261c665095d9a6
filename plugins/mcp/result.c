/* See result.h. */
#include "result.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/content_hash.h"
#include "base/encode.h"
#include "mcp/clean.h"

static struct str text_of(const struct json *v, const char *name)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type == JSON_STRING ? m->string : (struct str){ "", 0 };
}

static void write_clean(struct json_writer *w, struct str text)
{
    struct buf clean = { 0 };
    mgi_clean(&clean, text, 0, NULL);
    mgi_jw_string(w, mgi_buf_view(&clean));
    w->out->oom |= clean.oom;
    mgi_buf_fini(&clean);
}

static bool is_clean(struct str name)
{
    struct buf clean = { 0 };
    mgi_clean(&clean, name, 0, NULL);
    bool same = !clean.oom && str_eq(name, mgi_buf_view(&clean));
    mgi_buf_fini(&clean);
    return same;
}

/* Depth is that of the message, which is bounded. A member whose name has something hidden in it is
 * left out: cleaned it could be the twin of another. */
static void write_value(struct json_writer *w, const struct json *v)
{
    if (v->type == JSON_STRING) {
        write_clean(w, v->string);
    } else if (v->type == JSON_ARRAY) {
        mgi_jw_begin_array(w);
        for (uint32_t i = 0; i < v->count; i++)
            write_value(w, &v->items[i]);
        mgi_jw_end_array(w);
    } else if (v->type == JSON_OBJECT) {
        mgi_jw_begin_object(w);
        for (uint32_t i = 0; i < v->count; i++) {
            if (!is_clean(v->members[i].name))
                continue;
            mgi_jw_key_str(w, v->members[i].name);
            write_value(w, &v->members[i].value);
        }
        mgi_jw_end_object(w);
    } else {
        mgi_jw_value(w, v);
    }
}

static const struct json *blocks_of(const struct json *result)
{
    const struct json *content = mgi_json_get(result, "content");
    return content && content->type == JSON_ARRAY ? content : NULL;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* The text of a block, also of an embedded resource; ptr NULL: it has none. */
static struct str block_text(const struct json *block)
{
    struct str type = text_of(block, "type");
    const struct json *text = NULL;
    if (str_is(type, "text"))
        text = mgi_json_get(block, "text");
    else if (str_is(type, "resource"))
        text = mgi_json_get(mgi_json_get(block, "resource"), "text");
    return text && text->type == JSON_STRING ? text->string : (struct str){ NULL, 0 };
}

/* Base64 of whatever alphabet, with padding or without, as the standard has it; and its bytes. */
struct decoded {
    struct str text; /* ptr NULL: it is none */
    const uint8_t *bytes;
    size_t size;
};

static struct decoded decode(struct arena *a, struct str data)
{
    struct decoded d = { 0 };
    char *text = mgi_arena_alloc(a, data.len + 4);
    uint8_t *bytes = mgi_arena_alloc(a, data.len + 1);
    size_t len = 0;
    if (!text || !bytes)
        return d;
    for (size_t i = 0; i < data.len; i++) {
        char c = data.ptr[i];
        if (c != '=')
            text[len++] = (char)(c == '+' ? '-' : c == '/' ? '_' : c);
    }
    d.size = mgi_base64url_decode((struct str){ text, len }, bytes, data.len + 1);
    if (d.size == SIZE_MAX)
        return (struct decoded){ 0 };
    for (size_t i = 0; i < len; i++)
        text[i] = (char)(text[i] == '-' ? '+' : text[i] == '_' ? '/' : text[i]);
    while (len % 4 != 0)
        text[len++] = '=';
    d.text = (struct str){ text, len };
    d.bytes = bytes;
    return d;
}

/* What a result may keep, and what it has not kept. */
struct room {
    size_t text, data; /* bytes that are left */
    bool cut;
    uint32_t bare; /* files without their bytes */
};

static void write_text(struct json_writer *w, const struct json *blocks, struct room *room)
{
    struct buf text = { 0 };
    for (uint32_t i = 0; i < blocks->count && i < RESULT_BLOCKS; i++) {
        struct str part = block_text(&blocks->items[i]);
        struct clean_counts counts = { 0 };
        if (!part.ptr)
            continue;
        if (text.len > 0)
            mgi_buf_putc(&text, '\n');
        size_t before = text.len;
        if (room->text > 0)
            mgi_clean(&text, part, room->text, &counts);
        room->cut |= room->text == 0 || counts.cut > 0;
        room->text -= text.len - before < room->text ? text.len - before : room->text;
    }
    mgi_jw_member_str(w, "text", mgi_buf_view(&text));
    w->out->oom |= text.oom;
    mgi_buf_fini(&text);
}

static void write_file(struct json_writer *w, struct str kind, struct str type, struct str data,
                       struct room *room)
{
    struct arena a;
    mgi_arena_init(&a, 0);
    struct decoded d = decode(&a, data);
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "kind", kind);
    mgi_jw_key(w, "mime_type");
    write_clean(w, type);
    if (d.text.ptr) {
        uint8_t hash[CONTENT_HASH_BYTES];
        char hex[2 * CONTENT_HASH_BYTES + 1];
        mgi_content_hash(d.bytes, d.size, hash);
        mgi_hex(hash, sizeof hash, hex);
        mgi_jw_member_int(w, "bytes", (int64_t)d.size);
        mgi_jw_member_cstr(w, "sha256", hex);
    }
    bool kept = d.text.ptr && d.text.len <= room->data;
    if (kept) {
        mgi_jw_member_str(w, "base64", d.text);
        room->data -= d.text.len;
    }
    room->bare += !kept;
    mgi_jw_end_object(w);
    w->out->oom |= a.oom;
    mgi_arena_fini(&a);
}

/* Is it one of the blocks with bytes? */
static bool has_data(const struct json *block)
{
    struct str type = text_of(block, "type");
    return str_is(type, "image") || str_is(type, "audio") ||
           (str_is(type, "resource") && !block_text(block).ptr);
}

static void write_files(struct json_writer *w, const struct json *blocks, struct room *room)
{
    bool begun = false;
    for (uint32_t i = 0; i < blocks->count && i < RESULT_BLOCKS; i++) {
        const struct json *block = &blocks->items[i];
        if (!has_data(block))
            continue;
        if (!begun) {
            mgi_jw_key(w, "files");
            mgi_jw_begin_array(w);
            begun = true;
        }
        const struct json *inner = mgi_json_get(block, "resource");
        struct str type = text_of(inner ? inner : block, "mimeType");
        write_file(w, text_of(block, "type"), type,
                   text_of(inner ? inner : block, inner ? "blob" : "data"), room);
    }
    if (begun)
        mgi_jw_end_array(w);
}

static void write_links(struct json_writer *w, const struct json *blocks)
{
    bool begun = false;
    for (uint32_t i = 0; i < blocks->count && i < RESULT_BLOCKS; i++) {
        if (!str_is(text_of(&blocks->items[i], "type"), "resource_link"))
            continue;
        if (!begun) {
            mgi_jw_key(w, "links");
            mgi_jw_begin_array(w);
            begun = true;
        }
        mgi_jw_begin_object(w);
        mgi_jw_key(w, "uri");
        write_clean(w, text_of(&blocks->items[i], "uri"));
        mgi_jw_key(w, "name");
        write_clean(w, text_of(&blocks->items[i], "name"));
        mgi_jw_end_object(w);
    }
    if (begun)
        mgi_jw_end_array(w);
}

static bool is_known(const struct json *block)
{
    struct str type = text_of(block, "type");
    return has_data(block) || block_text(block).ptr || str_is(type, "resource_link");
}

static void write_notes(struct json_writer *w, const struct json *blocks, const struct room *room)
{
    uint32_t unknown = 0;
    char text[96];
    for (uint32_t i = 0; i < blocks->count && i < RESULT_BLOCKS; i++)
        unknown += !is_known(&blocks->items[i]);
    if (!room->cut && room->bare == 0 && unknown == 0 && blocks->count <= RESULT_BLOCKS)
        return;
    mgi_jw_key(w, "notes");
    mgi_jw_begin_array(w);
    if (room->cut)
        mgi_jw_cstring(w, "the text was cut");
    if (room->bare > 0) {
        snprintf(text, sizeof text, "of %u files the bytes are not kept", room->bare);
        mgi_jw_cstring(w, text);
    }
    if (unknown > 0) {
        snprintf(text, sizeof text, "%u blocks of an unknown kind were left out", unknown);
        mgi_jw_cstring(w, text);
    }
    if (blocks->count > RESULT_BLOCKS)
        mgi_jw_cstring(w, "blocks after the 256th were left out");
    mgi_jw_end_array(w);
}

/* ---- results --------------------------------------------------------------------------------- */

/* The one text block, if it is a JSON object: written. */
static bool write_json_text(struct json_writer *w, const struct json *blocks)
{
    struct arena a;
    struct json v;
    if (blocks->count != 1 || !str_is(text_of(&blocks->items[0], "type"), "text"))
        return false;
    struct str text = mgi_str_trim(text_of(&blocks->items[0], "text"), " \t\r\n");
    if (text.len == 0 || text.ptr[0] != '{' || text.len > RESULT_TEXT_BYTES)
        return false;
    mgi_arena_init(&a, 0);
    bool good = mgi_json_parse(&a, text, NULL, &v, NULL) == JSON_OK && v.type == JSON_OBJECT;
    if (good)
        write_value(w, &v);
    w->out->oom |= a.oom;
    mgi_arena_fini(&a);
    return good;
}

bool result_write(struct buf *out, const struct json *result, size_t most, const char **why)
{
    struct json_writer w;
    const struct json *structured = mgi_json_get(result, "structuredContent");
    const struct json *blocks = blocks_of(result);
    struct room room = { .text = most, .data = most / 4 * 3 };
    mgi_json_writer_init(&w, out, 0);
    if (structured && structured->type == JSON_OBJECT) {
        write_value(&w, structured);
        return !out->oom;
    }
    if (structured && structured->type != JSON_NULL) { /* of any kind in r5 */
        mgi_jw_begin_object(&w);
        mgi_jw_key(&w, "value");
        write_value(&w, structured);
        mgi_jw_end_object(&w);
        return !out->oom;
    }
    if (!blocks) {
        *why = "its result has no content";
        return false;
    }
    if (write_json_text(&w, blocks))
        return !out->oom;
    mgi_jw_begin_object(&w);
    write_text(&w, blocks, &room);
    write_files(&w, blocks, &room);
    write_links(&w, blocks);
    write_notes(&w, blocks, &room);
    mgi_jw_end_object(&w);
    return !out->oom;
}

bool result_is_error(const struct json *result)
{
    const struct json *v = mgi_json_get(result, "isError");
    return v && v->type == JSON_BOOL && v->boolean;
}

void result_error(struct buf *out, const struct json *result)
{
    const struct json *blocks = blocks_of(result);
    for (uint32_t i = 0; blocks && i < blocks->count && out->len < 2000; i++) {
        struct str part = block_text(&blocks->items[i]);
        if (part.ptr && out->len > 0)
            mgi_buf_putc(out, ' ');
        if (part.ptr)
            mgi_clean(out, part, 2000, NULL);
    }
    if (out->len == 0)
        mgi_buf_puts(out, "the tool failed and did not say why");
    for (size_t i = 0; i < out->len; i++)
        if (out->ptr[i] == '\n' || out->ptr[i] == '\t')
            out->ptr[i] = ' ';
}
