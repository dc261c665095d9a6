/* How many tokens a text has for a model: an estimate for o200k, in two steps.
 *
 * 1. The text is split into pieces as that tokenizer's pattern does (words with what stands before
 *    them, up to three digits, runs of punctuation, white space). This is exact for all of
 * Unicode's first plane; beyond, ideographs are letters and all else is punctuation.
 * 2. Which pieces are one token, and which are several, is in a table of 200,000 entries that is
 * not ours. Instead each piece has a weight: that of its pairs of neighbouring letters, its case,
 *    its length, its script. Pairs that are common in words make few tokens, others many.
 *
 * So a sum over many pieces is good, and one piece alone is not: docs/what-a-model-sees.md says how
 * good. Cost: one walk, and for characters beyond ASCII a search among 800 runs. */
#include "base/str.h"
#include "base/utf8.h"
#include "manglecp.h"
#include "render/token_tables.h"

/* What is longer was fitted to nothing, and may be made to look small: it counts as much as it can.
 * Letters that are not ASCII's in a word, of scripts with blanks between words; different signs,
 * and marks of ASCII, in a row; blanks and newlines that are a token. */
#define LETTERS_MOST   24
#define SYLLABLES_MOST 10
#define SIGNS_MOST     4
#define MARKS_MOST     8
#define SPACES_MOST    32

/* ---- characters ---------------------------------------------------------------------------- */

static enum token_class class_of(uint32_t c)
{
    if (c < 0x80) {
        if (c >= 'a' && c <= 'z')
            return TOKEN_LOWER;
        if (c >= 'A' && c <= 'Z')
            return TOKEN_UPPER;
        if (c >= '0' && c <= '9')
            return TOKEN_NUMBER;
        return c == ' ' || (c >= '\t' && c <= '\r') ? TOKEN_SPACE : TOKEN_OTHER;
    }
    if (c > 0xffff)
        return c >= 0x20000 && c < 0x40000 ? TOKEN_BOTH : TOKEN_OTHER;
    size_t low = 0, high = mgi_token_run_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (mgi_token_runs[middle] >> 4 <= c)
            low = middle;
        else
            high = middle;
    }
    uint32_t first = mgi_token_runs[low] >> 4, class = mgi_token_runs[low] & 15;
    if (class == TOKEN_UPPER_FIRST)
        return (c - first) % 2 == 0 ? TOKEN_UPPER : TOKEN_LOWER;
    if (class == TOKEN_LOWER_FIRST)
        return (c - first) % 2 == 0 ? TOKEN_LOWER : TOKEN_UPPER;
    return (enum token_class) class;
}

static bool is_newline(uint32_t c)
{
    return c == '\n' || c == '\r';
}

static bool is_letter(enum token_class class)
{
    return class == TOKEN_UPPER || class == TOKEN_LOWER || class == TOKEN_BOTH;
}

/* May stand in the first part of a word, in capitals; in the second. */
static bool is_capital(enum token_class class)
{
    return class == TOKEN_UPPER || class == TOKEN_BOTH || class == TOKEN_MARK;
}

static bool is_small(enum token_class class)
{
    return class == TOKEN_LOWER || class == TOKEN_BOTH || class == TOKEN_MARK;
}

/* The class at `at`, and where the next character begins. At the end it is none of them. */
#define CLASS_END ((enum token_class)15)
static enum token_class look(struct str s, size_t at, size_t *next, uint32_t *code)
{
    *next = at;
    *code = 0;
    if (at >= s.len)
        return CLASS_END;
    if ((unsigned char)s.ptr[at] < 0x80) { /* as the general way says, without a call */
        *next = at + 1;
        *code = (unsigned char)s.ptr[at];
        return class_of(*code);
    }
    *code = mgi_utf8_next(s, next);
    return *code == UINT32_MAX ? TOKEN_OTHER : class_of(*code);
}

/* ---- pieces -------------------------------------------------------------------------------- */

/* The end of [capitals]*[small]+ or, if there is none, of [capitals]+, from `at`; `at`: neither. */
static size_t word_end(struct str s, size_t at)
{
    size_t next, end = at, giving_back = 0;
    uint32_t code;
    enum token_class class;
    while (is_capital(class = look(s, end, &next, &code))) {
        if (class != TOKEN_UPPER)
            giving_back = next; /* it can be the small one that has to be there */
        end = next;
    }
    if (!is_small(class))
        return giving_back ? giving_back : end;
    while (is_small(look(s, end, &next, &code)))
        end = next;
    return end;
}

/* 's, 't, 're, 've, 'm, 'll, 'd behind a word: its bytes, or 0. */
static size_t suffix_length(struct str s, size_t at)
{
    if (s.len - at < 2 || s.ptr[at] != '\'')
        return 0;
    char a = (char)(s.ptr[at + 1] | 0x20), b = s.len - at > 2 ? (char)(s.ptr[at + 2] | 0x20) : ' ';
    if (a == 's' || a == 't' || a == 'm' || a == 'd')
        return 2;
    return (a == 'r' && b == 'e') || (a == 'v' && b == 'e') || (a == 'l' && b == 'l') ? 3 : 0;
}

/* The end of the white space at `at`, as a piece: up to its last newline; else all but the blank
 * that belongs to what follows. */
static size_t space_end(struct str s, size_t at)
{
    size_t next, end = at, last = at, newline = 0;
    uint32_t code;
    while (look(s, end, &next, &code) == TOKEN_SPACE) {
        last = end;
        end = next;
        if (is_newline(code))
            newline = end;
    }
    if (newline)
        return newline;
    return end == s.len || last == at ? end : last;
}

enum piece_kind { PIECE_PLAIN, PIECE_WORD, PIECE_MARKS };

struct piece {
    enum piece_kind kind;
    size_t begin, word, end; /* `word`: behind what stands before it */
    size_t suffix;           /* bytes of it at the end */
};

/* A word, perhaps with one character before it that is neither letter nor number nor newline. */
static bool take_word(struct str s, struct piece *p, enum token_class class, uint32_t code,
                      size_t next)
{
    bool may_precede = !is_letter(class) && class != TOKEN_NUMBER && !is_newline(code);
    p->word = may_precede ? next : p->begin;
    p->end = word_end(s, p->word);
    if (p->end == p->word && may_precede) {
        p->word = p->begin;
        p->end = word_end(s, p->word);
    }
    if (p->end == p->word)
        return false;
    p->kind = PIECE_WORD;
    p->suffix = suffix_length(s, p->end);
    p->end += p->suffix;
    return true;
}

/* A run of punctuation, perhaps with a blank before it and newlines behind it. */
static bool take_marks(struct str s, struct piece *p)
{
    size_t next;
    uint32_t code;
    enum token_class class;
    p->word = p->end = p->begin + (s.ptr[p->begin] == ' ');
    while (class = look(s, p->end, &next, &code), class == TOKEN_OTHER || class == TOKEN_MARK)
        p->end = next;
    if (p->end == p->word)
        return false;
    while (p->end < s.len && (is_newline((unsigned char)s.ptr[p->end]) || s.ptr[p->end] == '/'))
        p->end++;
    p->kind = PIECE_MARKS;
    return true;
}

static struct piece next_piece(struct str s, size_t at)
{
    struct piece p = { .begin = at };
    size_t next;
    uint32_t code;
    enum token_class class = look(s, at, &next, &code);
    if (take_word(s, &p, class, code, next))
        return p;
    p.kind = PIECE_PLAIN;
    if (class == TOKEN_NUMBER) {
        for (int digits = 0; digits < 3 && look(s, at, &next, &code) == TOKEN_NUMBER; digits++)
            at = next;
        p.end = at;
    } else if (!take_marks(s, &p)) {
        p.end = space_end(s, at);
    }
    return p;
}

/* ---- weights ------------------------------------------------------------------------------- */

/* 1 to 32; 0: no punctuation of ASCII. */
static unsigned mark_number(uint32_t c)
{
    return c >= '!' && c <= '/'   ? c - '!' + 1
           : c >= ':' && c <= '@' ? c - ':' + 16
           : c >= '[' && c <= '`' ? c - '[' + 23
           : c >= '{' && c <= '~' ? c - '{' + 29
                                  : 0;
}

/* Places in the table below. */
enum { THAI = 6, KANA = 7, HAN = 8, HANGUL = 9 };

static unsigned script_of(uint32_t c)
{
    static const struct {
        uint32_t first, end;
    } scripts[] = {
        { 0, 0x250 },       { 0x370, 0x400 },   { 0x400, 0x530 }, { 0x590, 0x600 },
        { 0x600, 0x780 },   { 0x900, 0xe00 },   { 0xe00, 0xe80 }, { 0x3040, 0x3100 },
        { 0x4dc0, 0xa000 }, { 0xac00, 0xd7b0 },
    };
    if (c >= 0x1e00 && c < 0x2000)
        return c < 0x1f00 ? 0 : 1;
    for (unsigned i = 0; i < sizeof scripts / sizeof scripts[0]; i++)
        if (c >= scripts[i].first && c < scripts[i].end)
            return i;
    return c >= 0x20000 ? 11 : 10;
}

static int before_weight(struct str s, const struct piece *p)
{
    if (p->word == p->begin)
        return mgi_token_before[0];
    char c = s.ptr[p->begin];
    unsigned mark = mark_number((unsigned char)c);
    return mgi_token_before[c == ' ' ? 1 : mark ? mark + 1 : 33];
}

static int case_weight(int upper, int lower, bool after_blank)
{
    if (upper == 0)
        return 0;
    if (lower == 0)
        return mgi_token_case[3] + mgi_token_case[4] * upper;
    return mgi_token_case[upper > 1 ? 2 : after_blank ? 1 : 0];
}

/* Of a letter that is not ASCII's, `before` of its script being in the word already. */
static int letter_weight(unsigned script, int before)
{
    const int16_t *w = mgi_token_scripts[script];
    bool is_syllable = script == HANGUL,
         runs_on = script == THAI || script == KANA || script == HAN;
    int weight = (before == 0 ? w[0] : 0) + w[before < 3 ? 1 : 2];
    bool is_no_word = !runs_on && before >= (is_syllable ? SYLLABLES_MOST : LETTERS_MOST);
    return is_no_word && weight < 2 * TOKEN_UNIT ? 2 * TOKEN_UNIT : weight;
}

static int64_t word_weight(struct str s, const struct piece *p)
{
    int64_t weight = before_weight(s, p) + (p->suffix ? mgi_token_rest[REST_SUFFIX] : 0);
    int upper = 0, lower = 0, of_script[12] = { 0 };
    unsigned before = 0;
    for (size_t at = p->word; at < p->end - p->suffix;) {
        uint32_t c = mgi_utf8_next(s, &at);
        unsigned small = (c | 0x20) - 'a';
        if (c < 0x80 && small < 26) {
            upper += c < 'a';
            lower += c >= 'a';
            weight += mgi_token_letters[before][small + 1];
            before = small + 1;
        } else {
            unsigned script = script_of(c);
            weight += letter_weight(script, of_script[script]++);
            before = 0;
        }
    }
    int letters = upper + lower;
    return weight + case_weight(upper, lower, p->word > p->begin && s.ptr[p->begin] == ' ') +
           mgi_token_length[letters < 15 ? letters : 15];
}

/* Of what is no punctuation of ASCII, and may be one of many different ones in a row. */
static int sign_weight(uint32_t c, bool of_many)
{
    bool is_picture = c >= 0x1f000 && c < 0x1fb00;
    if (c >= 0x10000 && !is_picture)
        return 3 * TOKEN_UNIT;
    return of_many ? 2 * TOKEN_UNIT : mgi_token_rest[REST_OTHER];
}

static int pair_weight(unsigned before, unsigned mark, bool of_many)
{
    const int8_t *weight = &mgi_token_marks[before][mark];
    return of_many && *weight < TOKEN_UNIT / 2 ? TOKEN_UNIT / 2 : *weight;
}

static int64_t marks_weight(struct str s, const struct piece *p)
{
    int64_t weight =
        mgi_token_rest[REST_MARKS] + (p->word > p->begin ? mgi_token_rest[REST_BLANK] : 0);
    unsigned before = 0, run = 0, count = 0;
    uint32_t last = 0;
    for (size_t at = p->word; at < p->end;) {
        uint32_t c = mgi_utf8_next(s, &at);
        unsigned mark = mark_number(c);
        if (is_newline(c)) {
            weight += mgi_token_rest[REST_NEWLINE];
            continue;
        }
        run = mark == before ? run + 1 : 1;
        count += c != last;
        weight += !mark     ? sign_weight(c, c != last && count > SIGNS_MOST)
                  : run > 2 ? mgi_token_rest[REST_REPEATED]
                            : pair_weight(before, mark, count > MARKS_MOST);
        before = mark;
        last = c;
    }
    return weight;
}

/* Digits, or white space. */
static int64_t plain_weight(struct str s, const struct piece *p)
{
    size_t ascii = 0, other = 0;
    for (size_t at = p->begin; at < p->end; at++)
        if ((unsigned char)s.ptr[at] < 0x80)
            ascii++;
        else
            other++;
    return (int64_t)(TOKEN_UNIT * (1 + ascii / SPACES_MOST + other / 3));
}

uint64_t mgi_token_weight(struct str s)
{
    uint64_t sum = 0;
    for (size_t at = 0; at < s.len;) {
        struct piece p = next_piece(s, at);
        int64_t weight = p.kind == PIECE_WORD    ? word_weight(s, &p)
                         : p.kind == PIECE_MARKS ? marks_weight(s, &p)
                                                 : plain_weight(s, &p);
        sum += weight > TOKEN_UNIT ? (uint64_t)weight : TOKEN_UNIT;
        at = p.end;
    }
    return sum;
}

size_t manglecp_tokens(const char *text, size_t len)
{
    return (size_t)((mgi_token_weight((struct str){ text, len }) + TOKEN_UNIT / 2) / TOKEN_UNIT);
}
