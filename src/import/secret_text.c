/* A configuration as text, for a person to look at: its secrets are left out. See secret.h.
 *
 * Words are looked at, not structure, so that JSON, TOML, comments and what does not parse are all
 * read in the same way: a word in quotes, or a bare one. A word is secret if it looks so, or if the
 * one before it says so: a name that stands before ':' or '=', or an option. */
#include "import/secret.h"

#include "base/json.h"

struct masking {
    struct arena arena; /* of one word */
    struct str text;
    size_t at;
    struct buf *out;
    bool said;    /* the word before says that the next one is secret */
    bool headers; /* within headers, where all values are */
};

static bool is_bare(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("_-+.@$%&?;~", c)) || (unsigned char)c >= 0x80;
}

/* With its quotes, if it has some; one that does not end is as long as its line. */
static struct str next_word(const struct masking *m)
{
    const char *p = m->text.ptr + m->at, *end = m->text.ptr + m->text.len, *begin = p;
    char quote = *p == '"' || *p == '\'' ? *p++ : '\0';
    if (!quote) {
        while (p < end && (is_bare(*p) || (p > begin && (*p == '/' || *p == ':' || *p == '=') &&
                                           p + 1 < end && (is_bare(p[1]) || p[1] == '/'))))
            p++;
        return (struct str){ begin, (size_t)(p - begin) };
    }
    for (; p < end && *p != quote && *p != '\n'; p++)
        p += quote == '"' && *p == '\\' && p + 1 < end && p[1] != '\n';
    p += p < end && *p == quote;
    return (struct str){ begin, (size_t)(p - begin) };
}

static struct str without_quotes(struct str word)
{
    bool quoted = word.len > 0 && (word.ptr[0] == '"' || word.ptr[0] == '\'');
    bool closed = quoted && word.len > 1 && word.ptr[word.len - 1] == word.ptr[0];
    return (struct str){ word.ptr + quoted, word.len - quoted - closed };
}

/* Does it stand before ':' or '='? */
static bool is_name(const struct masking *m, struct str word)
{
    size_t at = m->at + word.len;
    while (at < m->text.len && (m->text.ptr[at] == ' ' || m->text.ptr[at] == '\t'))
        at++;
    return at < m->text.len && (m->text.ptr[at] == ':' || m->text.ptr[at] == '=');
}

static bool names_secret(struct masking *m, struct str word)
{
    struct arena_mark mark = mgi_arena_mark(&m->arena);
    bool secret = mgi_import_secret_name(&m->arena, word);
    mgi_arena_rewind(&m->arena, mark);
    return secret;
}

/* A path or a variable tells nobody anything, whatever it is called. */
static bool is_place(struct str word)
{
    return word.len == 0 || strchr("/.$~", word.ptr[0]) != NULL;
}

/* NAME=value, --token=value, ?key=value&…: how much of the beginning may be shown. */
static size_t open_part(struct masking *m, struct str word)
{
    size_t begin = 0;
    for (size_t i = 0; i < word.len; i++) {
        if (word.ptr[i] == '=') {
            struct str name = { word.ptr + begin, i - begin };
            struct str value = { word.ptr + i + 1, word.len - i - 1 };
            if (!is_place(value) && names_secret(m, name))
                return i + 1;
        }
        if (strchr("?&;=", word.ptr[i]))
            begin = i + 1;
    }
    return word.len;
}

static void mask_value(struct masking *m, struct str word)
{
    struct str value = without_quotes(word);
    size_t before = (size_t)(value.ptr - word.ptr);
    bool secret = ((m->said || m->headers) && !is_place(value)) || mgi_import_secret_value(value);
    size_t open = secret ? 0 : open_part(m, value);
    if (open == value.len) {
        mgi_buf_str(m->out, word);
    } else {
        mgi_buf_append(m->out, word.ptr, before + open);
        mgi_buf_puts(m->out, "[secret]");
        mgi_buf_append(m->out, value.ptr + value.len, word.len - before - value.len);
    }
    m->said = value.len > 0 && value.ptr[0] == '-' && open == value.len && names_secret(m, value) &&
              !memchr(value.ptr, '=', value.len);
}

static void mask_word(struct masking *m, struct str word)
{
    struct str name = without_quotes(word);
    if (!is_name(m, word)) {
        mask_value(m, word);
    } else {
        mgi_buf_str(m->out, word);
        m->said = names_secret(m, name);
        m->headers |= mgi_str_ends(name, STR_LIT("headers"));
    }
    m->at += word.len;
}

void mgi_import_mask(struct buf *out, struct str text)
{
    struct masking m = { .text = text, .out = out };
    mgi_arena_init(&m.arena, 0);
    while (m.at < text.len) {
        char c = text.ptr[m.at];
        if (c == '"' || c == '\'' || c == '/' || is_bare(c)) {
            struct str word = next_word(&m);
            if (word.len > 0) {
                mask_word(&m, word);
                continue;
            }
        }
        if (c == '{' || c == '}' || c == '[')
            m.said = false;
        if (c == '}' || c == '[')
            m.headers = false;
        mgi_buf_putc(out, c);
        m.at++;
    }
    out->oom |= m.arena.oom;
    mgi_arena_fini(&m.arena);
}

struct str mgi_import_without_secrets(struct arena *arena, struct str text,
                                      const struct str *secrets, size_t count)
{
    struct buf out = { 0 };
    mgi_import_hide_secrets(&out, text, secrets, count);
    struct str kept = out.oom ? (struct str){ 0 } : mgi_arena_str(arena, mgi_buf_view(&out));
    mgi_buf_wipe(&out);
    return kept;
}

struct str mgi_import_secret_in_json(struct arena *arena, struct str secret)
{
    struct buf out = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &out, 0);
    mgi_jw_string(&w, secret);
    struct str kept = { 0 };
    if (!out.oom)
        kept = mgi_arena_str(arena, (struct str){ out.ptr + 1, out.len - 2 });
    arena->oom |= out.oom;
    mgi_buf_wipe(&out);
    return kept;
}
