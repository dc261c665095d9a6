/* The content of a file in an answer; see content.h. */
#include "plugins/support/content.h"

#include "base/utf8.h"

#define ANSWER_BYTES_DEFAULT (256 * 1024)
#define ANSWER_BYTES_MOST    700000

static const char *const encodings[] = { "auto", "text", "base64", NULL };

void mgi_content_arguments(struct action *a, struct content *c)
{
    c->most = ANSWER_BYTES_DEFAULT;
    mgi_arg_int(a, "first_line", 1, INT64_MAX, &c->first_line);
    mgi_arg_int(a, "last_line", 1, INT64_MAX, &c->last_line);
    mgi_arg_int(a, "max_bytes", 1, ANSWER_BYTES_MOST, &c->most);
    mgi_arg_word(a, "encoding", encodings, &c->encoding);
    if (c->first_line && c->last_line && c->last_line < c->first_line)
        mgi_action_fail(a, "last_line: %lld is before first_line %lld", (long long)c->last_line,
                        (long long)c->first_line);
    if (c->last_line && c->first_line == 0)
        c->first_line = 1;
}

/* Text, if it is wanted and can be: UTF-8 without NUL. A character that the end of the part has
 * cut is left for the next part. */
static bool as_text(const struct content *c, struct str *bytes, bool whole)
{
    size_t bad = 0;
    if (c->encoding == CONTENT_BASE64 || (bytes->len && memchr(bytes->ptr, '\0', bytes->len)))
        return false;
    if (mgi_utf8_valid(*bytes, &bad))
        return true;
    struct utf8_stream end = { 0 };
    if (whole || bad == 0 || bytes->len - bad > 3 ||
        !mgi_utf8_feed(&end, (struct str){ bytes->ptr + bad, bytes->len - bad }))
        return false;
    bytes->len = bad;
    return true;
}

/* Cut to what the caller wants and the answer holds, then written. *taken is what was. */
bool mgi_content_put(struct action *a, const struct content *c, struct str bytes, bool to_the_end,
                     size_t *taken)
{
    struct str cut = bytes;
    if (cut.len > (size_t)c->most) {
        cut.len = (size_t)c->most;
        to_the_end = false;
    }
    bool text = as_text(c, &cut, to_the_end && cut.len == bytes.len);
    if (!text && c->encoding == CONTENT_TEXT)
        return mgi_action_fail(a, "%s: is no UTF-8 text; ask for encoding base64", c->path);
    mgi_jw_member_cstr(&a->out, "encoding", text ? "utf-8" : "base64");
    if (text) {
        cut.len = mgi_json_fit(cut, mgi_action_room(a));
        mgi_jw_member_str(&a->out, "text", cut);
    } else {
        size_t room = mgi_action_room(a) / 4 * 3;
        cut.len = cut.len < room ? cut.len : room;
        mgi_put_base64(a, "base64", cut);
    }
    *taken = cut.len;
    return true;
}

/* Where line `number` begins; text.len if there are fewer. */
static size_t line_start(struct str text, int64_t number)
{
    size_t at = 0;
    for (int64_t n = 1; n < number && at < text.len; n++) {
        const char *lf = memchr(text.ptr + at, '\n', text.len - at);
        at = lf ? (size_t)(lf - text.ptr) + 1 : text.len;
    }
    return at;
}

int64_t mgi_count_lines(struct str text)
{
    int64_t count = text.len && text.ptr[text.len - 1] != '\n';
    for (size_t i = 0; i < text.len; i++)
        count += text.ptr[i] == '\n';
    return count;
}

bool mgi_content_put_lines(struct action *a, const struct content *c, struct str all,
                           size_t *behind, bool *truncated)
{
    size_t begin = line_start(all, c->first_line), taken;
    struct str rest = { all.ptr + begin, all.len - begin };
    size_t end = c->last_line ? line_start(rest, c->last_line - c->first_line + 2) : rest.len;
    mgi_jw_member_int(&a->out, "lines", mgi_count_lines(all));
    mgi_jw_member_int(&a->out, "first_line", c->first_line);
    if (!mgi_content_put(a, c, (struct str){ rest.ptr, end }, true, &taken))
        return false;
    int64_t last = c->first_line - 1 + mgi_count_lines((struct str){ rest.ptr, taken });
    mgi_jw_member_int(&a->out, "last_line", last);
    mgi_jw_member_bool(&a->out, "truncated", taken < end);
    *behind = begin + taken;
    *truncated = taken < end;
    return true;
}
