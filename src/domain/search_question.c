/* A text as words, for an index of SQLite FTS5: see search_question.h. */
#include "base/utf8.h"
#include "domain/search_question.h"

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static char lower(char c)
{
    return is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

static bool meet(struct str text, size_t at)
{
    return at > 0 && is_lower(text.ptr[at - 1]) && is_upper(text.ptr[at]);
}

void mgi_search_spread(struct buf *out, struct str text)
{
    size_t from = 0;
    for (size_t at = 1; at < text.len; at++) {
        if (!meet(text, at))
            continue;
        mgi_buf_append(out, text.ptr + from, at - from);
        mgi_buf_putc(out, ' ');
        from = at;
    }
    mgi_buf_append(out, text.ptr + from, text.len - from);
}

/* Bytes of the letter or digit at `at`; 0: there is none. What is beyond ASCII counts as a letter:
 * FTS5 knows which of it is one. */
static size_t letter_at(struct str text, size_t at)
{
    char c = text.ptr[at];
    if (is_upper(c) || is_lower(c) || (c >= '0' && c <= '9'))
        return 1;
    size_t next = at;
    if ((unsigned char)c < 0x80 || mgi_utf8_next(text, &next) == UINT32_MAX)
        return 0;
    return next - at;
}

/* The next word from *at on; empty: there is none. */
static struct str next_word(struct str text, size_t *at)
{
    size_t bytes;
    while (*at < text.len && letter_at(text, *at) == 0)
        ++*at;
    size_t from = *at;
    while (*at < text.len && (bytes = letter_at(text, *at)) > 0 &&
           (*at == from || !meet(text, *at)))
        *at += bytes;
    return (struct str){ text.ptr + from, *at - from };
}

static bool same(struct str a, struct str b)
{
    bool equal = a.len == b.len;
    for (size_t i = 0; equal && i < a.len; i++)
        equal = lower(a.ptr[i]) == lower(b.ptr[i]);
    return equal;
}

static bool is_among(struct str word, const struct str *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (same(word, words[i]))
            return true;
    return false;
}

bool mgi_search_question(struct buf *out, struct str text, const struct str *ignored,
                         size_t ignored_count)
{
    struct str words[SEARCH_WORDS_MAX];
    size_t count = 0, at = 0;
    text = mgi_utf8_prefix(text, SEARCH_TEXT_MAX);
    while (count < SEARCH_WORDS_MAX) {
        struct str word = next_word(text, &at);
        if (word.len == 0)
            break;
        if (word.len < 2 || word.len > SEARCH_WORD_MAX || is_among(word, words, count) ||
            is_among(word, ignored, ignored_count))
            continue;
        mgi_buf_puts(out, count > 0 ? " OR \"" : "\"");
        mgi_buf_str(out, word);
        mgi_buf_putc(out, '"');
        words[count++] = word;
    }
    return count > 0;
}
