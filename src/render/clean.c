/* Text of a server as text of ours. It is data: nothing in it may move the cursor, hide, reverse
 * the order of reading, or begin a line that looks like one of ours. */
#include "base/utf8.h"
#include "render/render_int.h"

#define NAME_BYTES  128
#define BLOCK_BLANK "    "

static bool is_blank(unsigned char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

void mgi_clean_line(struct buf *out, struct str s)
{
    bool any = false;
    for (size_t at = 0; at < s.len;) {
        size_t end = at;
        while (end < s.len && !is_blank((unsigned char)s.ptr[end]))
            end++;
        if (end > at) {
            if (any)
                mgi_buf_putc(out, ' ');
            mgi_utf8_show(out, (struct str){ s.ptr + at, end - at });
            any = true;
        }
        at = end + (end < s.len);
    }
}

void mgi_clean_cut(struct buf *out, struct str s, size_t max)
{
    struct str kept = max ? mgi_utf8_prefix(s, max) : s;
    mgi_clean_line(out, kept);
    if (kept.len < s.len)
        mgi_buf_printf(out, "... (%zu bytes more)", s.len - kept.len);
}

/* Behind the first full stop or colon that a blank follows, or the first line. */
static size_t sentence_end(struct str s)
{
    for (size_t at = 0; at < s.len; at++) {
        if (s.ptr[at] == '\n')
            return at;
        bool stop = s.ptr[at] == '.' || s.ptr[at] == ':' || s.ptr[at] == ';';
        if (stop && (at + 1 == s.len || is_blank((unsigned char)s.ptr[at + 1])))
            return at;
    }
    return s.len;
}

void mgi_clean_sentence(struct buf *out, struct str s, size_t max)
{
    s = mgi_str_trim(s, "# \t\r\n*-");
    struct str first = { s.ptr, sentence_end(s) };
    struct str kept = mgi_utf8_prefix(first, max);
    if (kept.len < first.len) /* at a word's end */
        while (kept.len > max / 2 && !is_blank((unsigned char)kept.ptr[kept.len]))
            kept.len--;
    mgi_clean_line(out, kept);
    if (kept.len < first.len)
        mgi_buf_puts(out, " ...");
}

static bool is_name(struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '_' || (i > 0 && (c == '-' || c == '.' || c == ':' || c == '/'));
        if (!fine)
            return false;
    }
    return s.len > 0 && s.len <= NAME_BYTES && s.ptr[s.len - 1] != ':';
}

void mgi_clean_name(struct buf *out, struct str s)
{
    if (is_name(s)) {
        mgi_buf_str(out, s);
        return;
    }
    struct json v = { .type = JSON_STRING, .string = s };
    mgi_clean_json(out, &v, NAME_BYTES);
}

void mgi_clean_block(struct buf *out, struct str s, size_t max)
{
    struct str kept = max ? mgi_utf8_prefix(s, max) : s;
    for (size_t at = 0; at < kept.len;) {
        size_t end = at;
        while (end < kept.len && kept.ptr[end] != '\n')
            end++;
        size_t last = end;
        while (last > at && is_blank((unsigned char)kept.ptr[last - 1]))
            last--;
        mgi_buf_puts(out, last > at ? BLOCK_BLANK : "");
        mgi_utf8_show(out, (struct str){ kept.ptr + at, last - at });
        mgi_buf_putc(out, '\n');
        at = end + 1;
    }
    if (kept.len < s.len)
        mgi_buf_printf(out, BLOCK_BLANK "... (%zu bytes more)\n", s.len - kept.len);
}

void mgi_clean_json(struct buf *out, const struct json *v, size_t max)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_value(&w, v);
    struct str whole = mgi_buf_view(&text), kept = max ? mgi_utf8_prefix(whole, max) : whole;
    mgi_utf8_show(out, kept);
    if (kept.len < whole.len)
        mgi_buf_printf(out, "... (%zu bytes more)", whole.len - kept.len);
    out->oom |= text.oom;
    mgi_buf_fini(&text);
}
