/* Texts as values of YAML and Mangle: see quote.h. Both are written in double quotes, where a
 * backslash escapes, and all but plain characters are escaped. */
#include "import/quote.h"
#include "base/utf8.h"

/* ---- characters -------------------------------------------------------------------------------
 */

/* Characters that people and parsers see alike: no controls, no line ends of Unicode, nothing
 * invisible, no byte order mark, no non-characters. */
static bool is_plain_scalar(uint32_t c)
{
    bool hidden = c == 0xAD || (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
                  (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF0 && c <= 0xFFFC) ||
                  (c & 0xFFFE) == 0xFFFE || (c >= 0xE0000 && c <= 0xE0FFF);
    return c >= 0x20 && !(c >= 0x7F && c <= 0x9F) && !hidden;
}

static void put_character(struct buf *out, uint32_t c)
{
    char bytes[4];
    mgi_buf_append(out, bytes, mgi_utf8_put(c, bytes));
}

/* `escape` writes what is not plain; quotes and backslashes are escaped alike. */
static void quote(struct buf *out, struct str text, void (*escape)(struct buf *out, uint32_t c))
{
    mgi_buf_putc(out, '"');
    for (size_t at = 0; at < text.len;) {
        uint32_t c = mgi_utf8_next(text, &at);
        if (c == UINT32_MAX)
            c = 0xFFFD;
        if (c == '"' || c == '\\')
            mgi_buf_printf(out, "\\%c", (char)c);
        else if (c == '\n')
            mgi_buf_puts(out, "\\n");
        else if (is_plain_scalar(c))
            put_character(out, c);
        else
            escape(out, c);
    }
    mgi_buf_putc(out, '"');
}

/* ---- YAML -------------------------------------------------------------------------------------
 */

static void yaml_escape(struct buf *out, uint32_t c)
{
    mgi_buf_printf(out, c > 0xFFFF ? "\\U%08X" : "\\u%04X", (unsigned)c);
}

void mgi_import_yaml_text(struct buf *out, struct str text)
{
    quote(out, text, yaml_escape);
}

void mgi_import_yaml_key(struct buf *out, struct str key)
{
    mgi_import_yaml_text(out, key);
    mgi_buf_puts(out, ": ");
}

/* What may be longer than a simple key (1,024 characters, escapes and all) is an explicit one. */
void mgi_import_yaml_flow_key(struct buf *out, struct str key)
{
    if (key.len > IMPORT_KEY_BYTES)
        mgi_buf_puts(out, "? ");
    mgi_import_yaml_text(out, key);
    mgi_buf_puts(out, key.len > IMPORT_KEY_BYTES ? " : " : ": ");
}

/* The depth is bounded by the reader of JSON (JSON_MAX_DEPTH), and by those who ask for it. */
uint32_t mgi_import_json_depth(const struct json *v)
{
    uint32_t deepest = 0;
    if (v->type != JSON_ARRAY && v->type != JSON_OBJECT)
        return 0;
    for (uint32_t i = 0; i < v->count; i++) {
        const struct json *in = v->type == JSON_ARRAY ? &v->items[i] : &v->members[i].value;
        uint32_t depth = mgi_import_json_depth(in);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + 1;
}

static void put_list(struct buf *out, const struct json *v)
{
    mgi_buf_putc(out, '[');
    for (uint32_t i = 0; i < v->count; i++) {
        mgi_buf_puts(out, i ? ", " : "");
        mgi_import_yaml_value(out, &v->items[i]);
    }
    mgi_buf_putc(out, ']');
}

static void put_map(struct buf *out, const struct json *v)
{
    mgi_buf_putc(out, '{');
    for (uint32_t i = 0; i < v->count; i++) {
        mgi_buf_puts(out, i ? ", " : "");
        mgi_import_yaml_flow_key(out, v->members[i].name);
        mgi_import_yaml_value(out, &v->members[i].value);
    }
    mgi_buf_putc(out, '}');
}

void mgi_import_yaml_value(struct buf *out, const struct json *v)
{
    switch (v->type) {
    case JSON_NULL:
        mgi_buf_puts(out, "null");
        break;
    case JSON_BOOL:
        mgi_buf_puts(out, v->boolean ? "true" : "false");
        break;
    case JSON_STRING:
        mgi_import_yaml_text(out, v->string);
        break;
    case JSON_ARRAY:
        put_list(out, v);
        break;
    case JSON_OBJECT:
        put_map(out, v);
        break;
    case JSON_INT:
    case JSON_FLOAT:
    case JSON_HUGE:
        mgi_buf_str(out, v->text);
        break;
    }
}

/* ---- Mangle -----------------------------------------------------------------------------------
 */

static void mangle_escape(struct buf *out, uint32_t c)
{
    mgi_buf_printf(out, "\\u{%04x}", (unsigned)c);
}

void mgi_import_mangle_text(struct buf *out, struct str text)
{
    quote(out, text, mangle_escape);
}

/* ---- lines ------------------------------------------------------------------------------------
 */

void mgi_import_one_line(struct buf *out, struct str text, size_t max_bytes)
{
    size_t begin = out->len;
    bool blank = false;
    for (size_t at = 0; at < text.len;) {
        size_t from = at;
        uint32_t c = mgi_utf8_next(text, &at);
        bool space = c == ' ' || !is_plain_scalar(c) || c == UINT32_MAX;
        if (space) {
            blank = out->len > begin;
            continue;
        }
        if (out->len - begin + blank + (at - from) > max_bytes)
            return;
        if (blank)
            mgi_buf_putc(out, ' ');
        blank = false;
        mgi_buf_append(out, text.ptr + from, at - from);
    }
}
