/* Patterns of JSON Schema are ECMA-262 regular expressions in Unicode mode. PCRE2 is close; what
 * differs is translated here, and what ECMA does not have is refused rather than passed on: inline
 * options, verbs, possessive quantifiers, \A, \Q...
 *
 * Matching is limited in steps, depth and heap, so that no text makes a pattern run for long. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "protocol/schema_int.h"

#define MATCH_STEPS   1000000 /* PCRE2's own default is ten times as much */
#define MATCH_DEPTH   10000
#define MATCH_HEAP_KB 4096

/* White space and line ends as ECMA-262 has them, inside brackets. */
#define ECMA_SPACE "\\t\\n\\x{b}\\f\\r\\x{20}\\x{a0}\\x{feff}\\x{2028}\\x{2029}\\p{Zs}"
#define ECMA_DOT   "[^\\n\\r\\x{2028}\\x{2029}]"

struct translation {
    struct str in;
    size_t at;
    struct buf *out;
    const char *why; /* static; set once */
};

static bool refuse(struct translation *t, const char *why)
{
    if (!t->why)
        t->why = why;
    return false;
}

static int peek(const struct translation *t, size_t ahead)
{
    return t->at + ahead < t->in.len ? (unsigned char)t->in.ptr[t->at + ahead] : -1;
}

static int hex_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Exactly `digits` hexadecimal digits at `ahead`; -1 if they are not there. */
static int32_t hex_at(const struct translation *t, size_t ahead, int digits)
{
    int32_t value = 0;
    for (int i = 0; i < digits; i++) {
        int digit = hex_digit(peek(t, ahead + (size_t)i));
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

static void put_code(struct translation *t, uint32_t code)
{
    mgi_buf_printf(t->out, "\\x{%x}", code);
}

/* \uXXXX, surrogate pairs and \u{X...}; at is behind the u. */
static bool unicode_escape(struct translation *t)
{
    if (peek(t, 0) == '{') {
        uint32_t code = 0;
        size_t i = 1;
        for (; hex_digit(peek(t, i)) >= 0 && code <= 0x10ffff; i++)
            code = code * 16 + (uint32_t)hex_digit(peek(t, i));
        if (i == 1 || peek(t, i) != '}' || code > 0x10ffff)
            return refuse(t, "\\u{...} needs a code point in hexadecimal");
        t->at += i + 1;
        put_code(t, code);
        return true;
    }
    int32_t unit = hex_at(t, 0, 4);
    if (unit < 0)
        return refuse(t, "\\u needs four hexadecimal digits");
    t->at += 4;
    if (unit >= 0xd800 && unit < 0xdc00 && peek(t, 0) == '\\' && peek(t, 1) == 'u') {
        int32_t low = hex_at(t, 2, 4);
        if (low >= 0xdc00 && low < 0xe000) {
            t->at += 6;
            put_code(t, 0x10000 + ((uint32_t)(unit - 0xd800) << 10) + (uint32_t)(low - 0xdc00));
            return true;
        }
    }
    if (unit >= 0xd800 && unit < 0xe000)
        return refuse(t, "a lone surrogate matches nothing in valid text");
    put_code(t, (uint32_t)unit);
    return true;
}

/* PCRE2 knows general categories by their short names only. */
static const struct {
    const char *name, *abbreviation;
} categories[] = {
    { "Letter", "L" },
    { "Cased_Letter", "L&" },
    { "Uppercase_Letter", "Lu" },
    { "Lowercase_Letter", "Ll" },
    { "Titlecase_Letter", "Lt" },
    { "Modifier_Letter", "Lm" },
    { "Other_Letter", "Lo" },
    { "Mark", "M" },
    { "Combining_Mark", "M" },
    { "Nonspacing_Mark", "Mn" },
    { "Spacing_Mark", "Mc" },
    { "Enclosing_Mark", "Me" },
    { "Number", "N" },
    { "Decimal_Number", "Nd" },
    { "digit", "Nd" },
    { "Letter_Number", "Nl" },
    { "Other_Number", "No" },
    { "Punctuation", "P" },
    { "punct", "P" },
    { "Connector_Punctuation", "Pc" },
    { "Dash_Punctuation", "Pd" },
    { "Open_Punctuation", "Ps" },
    { "Close_Punctuation", "Pe" },
    { "Initial_Punctuation", "Pi" },
    { "Final_Punctuation", "Pf" },
    { "Other_Punctuation", "Po" },
    { "Symbol", "S" },
    { "Math_Symbol", "Sm" },
    { "Currency_Symbol", "Sc" },
    { "Modifier_Symbol", "Sk" },
    { "Other_Symbol", "So" },
    { "Separator", "Z" },
    { "Space_Separator", "Zs" },
    { "Line_Separator", "Zl" },
    { "Paragraph_Separator", "Zp" },
    { "Other", "C" },
    { "Control", "Cc" },
    { "Format", "Cf" },
    { "Surrogate", "Cs" },
    { "Private_Use", "Co" },
    { "Unassigned", "Cn" },
};

static struct str after_prefix(struct str s, const char *prefix)
{
    size_t len = strlen(prefix);
    return mgi_str_starts(s, str_of(prefix)) ? (struct str){ s.ptr + len, s.len - len } : s;
}

/* \p{...} or \P{...}; at is behind the letter. */
static bool property_escape(struct translation *t, char letter)
{
    size_t start = t->at + 1, end = start;
    while (end < t->in.len && t->in.ptr[end] != '}')
        end++;
    if (peek(t, 0) != '{' || end == t->in.len || end == start)
        return refuse(t, "\\p needs a property in braces");
    struct str name = { t->in.ptr + start, end - start };
    for (size_t i = 0; i < name.len; i++) {
        int c = (unsigned char)name.ptr[i];
        if (!(c >= '0' && c <= '9') && !((c | 0x20) >= 'a' && (c | 0x20) <= 'z') && c != '_' &&
            c != '=')
            return refuse(t, "the name of a property has letters, digits and _ only");
    }
    name = after_prefix(after_prefix(name, "General_Category="), "gc=");
    t->at = end + 1;
    for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
        if (str_is(name, categories[i].name))
            name = str_of(categories[i].abbreviation);
    mgi_buf_printf(t->out, "\\%c{%.*s}", letter, STR_ARG(name));
    return true;
}

/* What escapes mean the same inside and outside brackets; at is behind the backslash and letter. */
static bool common_escape(struct translation *t, int c)
{
    switch (c) {
    case 'd':
    case 'D':
    case 'w':
    case 'W':
        mgi_buf_printf(t->out, "\\%c", c);
        return true;
    case 't':
    case 'n':
    case 'r':
    case 'f':
        mgi_buf_printf(t->out, "\\%c", c);
        return true;
    case 'v':
        mgi_buf_puts(t->out, "\\x{b}");
        return true;
    case 'u':
        return unicode_escape(t);
    case 'x': {
        int32_t code = hex_at(t, 0, 2);
        if (code < 0)
            return refuse(t, "\\x needs two hexadecimal digits");
        t->at += 2;
        put_code(t, (uint32_t)code);
        return true;
    }
    case 'c': {
        int letter = peek(t, 0);
        if ((letter | 0x20) < 'a' || (letter | 0x20) > 'z')
            return refuse(t, "\\c needs a letter");
        t->at++;
        put_code(t, (uint32_t)letter % 32);
        return true;
    }
    case 'p':
    case 'P':
        return property_escape(t, (char)c);
    default:
        break;
    }
    if (c < 0 || c >= 0x80 || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'))
        return refuse(t, "an escape that ECMA-262 does not have");
    mgi_buf_printf(t->out, "\\%c", c); /* punctuation */
    return true;
}

static bool escape_outside(struct translation *t)
{
    int c = peek(t, 1);
    t->at += 2;
    if (c == 's' || c == 'S') {
        mgi_buf_printf(t->out, "[%s%s]", c == 'S' ? "^" : "", ECMA_SPACE);
        return true;
    }
    if (c == 'b' || c == 'B') {
        mgi_buf_printf(t->out, "\\%c", c);
        return true;
    }
    if (c == '0' && !(peek(t, 0) >= '0' && peek(t, 0) <= '9')) {
        mgi_buf_puts(t->out, "\\x{0}");
        return true;
    }
    if (c >= '1' && c <= '9') {
        unsigned group = (unsigned)(c - '0');
        for (; peek(t, 0) >= '0' && peek(t, 0) <= '9' && group < 1000; t->at++)
            group = group * 10 + (unsigned)(peek(t, 0) - '0');
        mgi_buf_printf(t->out, "\\g{%u}", group);
        return true;
    }
    if (c == 'k' && peek(t, 0) == '<') {
        mgi_buf_puts(t->out, "\\k");
        return true; /* the name follows as it is */
    }
    return common_escape(t, c);
}

/* A class in brackets. \S cannot stand beside other members in PCRE2's brackets, so a class with it
 * becomes an alternative ("this or not a space"), a negated one a space that is none of the rest.
 */
static bool bracket_class(struct translation *t)
{
    bool negated = peek(t, 1) == '^', not_space = false, empty = true;
    struct buf members = { 0 }, *out = t->out;
    t->at += negated ? 2 : 1;
    t->out = &members;
    bool ok = true;
    while (ok && peek(t, 0) != ']') {
        int c = peek(t, 0);
        if (c < 0) {
            ok = refuse(t, "a [ is not closed");
        } else if (c == '\\') {
            int letter = peek(t, 1);
            t->at += 2;
            if (letter == 'S')
                not_space = true;
            else if (letter == 's')
                mgi_buf_puts(t->out, ECMA_SPACE);
            else if (letter == 'b')
                mgi_buf_puts(t->out, "\\x{8}");
            else if (letter == '0')
                mgi_buf_puts(t->out, "\\x{0}");
            else
                ok = common_escape(t, letter);
            empty = empty && letter == 'S';
        } else {
            if (c == '[') /* else "[:alpha:]" would be a class of POSIX */
                mgi_buf_putc(t->out, '\\');
            mgi_buf_putc(t->out, (char)c);
            t->at++;
            empty = false;
        }
    }
    t->at++;
    t->out = out;
    struct str rest = mgi_buf_view(&members);
    if (!not_space && empty)
        mgi_buf_puts(out, negated ? "[\\s\\S]" : "(?!)");
    else if (!not_space)
        mgi_buf_printf(out, "[%s%.*s]", negated ? "^" : "", STR_ARG(rest));
    else if (empty)
        mgi_buf_printf(out, "[%s%s]", negated ? "" : "^", ECMA_SPACE);
    else if (negated)
        mgi_buf_printf(out, "(?:(?![%.*s])[%s])", STR_ARG(rest), ECMA_SPACE);
    else
        mgi_buf_printf(out, "(?:[%.*s]|[^%s])", STR_ARG(rest), ECMA_SPACE);
    out->oom |= members.oom;
    mgi_buf_fini(&members);
    return ok;
}

static bool group_start(struct translation *t)
{
    if (peek(t, 1) == '*')
        return refuse(t, "there is nothing to repeat before *");
    if (peek(t, 1) == '?') {
        int c = peek(t, 2), d = peek(t, 3);
        bool lookbehind = c == '<' && (d == '=' || d == '!');
        bool named = c == '<' && ((d | 0x20) >= 'a' && (d | 0x20) <= 'z');
        if (c != ':' && c != '=' && c != '!' && !lookbehind && !named)
            return refuse(t, "a kind of group that ECMA-262 does not have");
        mgi_buf_puts(t->out, "(?");
        mgi_buf_putc(t->out, (char)c);
        t->at += 3;
        return true;
    }
    mgi_buf_putc(t->out, '(');
    t->at++;
    return true;
}

/* {n}, {n,} or {n,m}: its length; 0 if the brace is just a brace. */
static size_t counted_length(const struct translation *t)
{
    size_t i = 1, digits = 0;
    for (; peek(t, i) >= '0' && peek(t, i) <= '9'; i++)
        digits++;
    if (digits == 0)
        return 0;
    if (peek(t, i) == ',')
        for (i++; peek(t, i) >= '0' && peek(t, i) <= '9';)
            i++;
    return peek(t, i) == '}' ? i + 1 : 0;
}

static bool quantifier(struct translation *t, size_t len)
{
    mgi_buf_append(t->out, t->in.ptr + t->at, len);
    t->at += len;
    if (peek(t, 0) == '+')
        return refuse(t, "possessive quantifiers are not in ECMA-262");
    if (peek(t, 0) == '?') {
        mgi_buf_putc(t->out, '?');
        t->at++;
    }
    return true;
}

static bool one_term(struct translation *t)
{
    int c = peek(t, 0);
    size_t counted;
    switch (c) {
    case '\\':
        return escape_outside(t);
    case '[':
        return bracket_class(t);
    case '(':
        return group_start(t);
    case '.':
        mgi_buf_puts(t->out, ECMA_DOT);
        break;
    case '*':
    case '+':
    case '?':
        return quantifier(t, 1);
    case '{':
        counted = counted_length(t);
        if (counted > 0)
            return quantifier(t, counted);
        mgi_buf_puts(t->out, "\\{");
        break;
    default:
        mgi_buf_putc(t->out, (char)c);
    }
    t->at++;
    return true;
}

bool mgi_schema_translate(struct str source, struct buf *out, const char **why)
{
    struct translation t = { .in = source, .out = out };
    *why = NULL;
    while (t.at < source.len && one_term(&t))
        ;
    *why = t.why;
    return !t.why;
}

/* ---- PCRE2 ---------------------------------------------------------------------------------- */

struct schema_pattern {
    pcre2_code *code;
    pcre2_match_context *limits;
    pcre2_general_context *memory;
};

static void *pattern_alloc(size_t size, void *unused)
{
    (void)unused;
    return mgi_alloc(size);
}

static void pattern_dealloc(void *p, void *unused)
{
    (void)unused;
    mgi_free(p);
}

static void pattern_release(void *thing)
{
    struct schema_pattern *p = thing;
    pcre2_code_free(p->code);
    pcre2_match_context_free(p->limits);
    pcre2_general_context_free(p->memory);
}

static bool pattern_compile(struct schema_pattern *p, const struct buf *translated,
                            struct arena *scratch, const char **why)
{
    uint32_t options =
        PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C;
    int error = 0;
    PCRE2_SIZE offset = 0;
    p->memory = pcre2_general_context_create(pattern_alloc, pattern_dealloc, NULL);
    p->limits = p->memory ? pcre2_match_context_create(p->memory) : NULL;
    pcre2_compile_context *context = p->limits ? pcre2_compile_context_create(p->memory) : NULL;
    if (!context)
        return false;
    pcre2_set_match_limit(p->limits, MATCH_STEPS);
    pcre2_set_depth_limit(p->limits, MATCH_DEPTH);
    pcre2_set_heap_limit(p->limits, MATCH_HEAP_KB);
    struct str text = mgi_buf_view(translated);
    p->code = pcre2_compile((PCRE2_SPTR)text.ptr, text.len, options, &error, &offset, context);
    pcre2_compile_context_free(context);
    if (!p->code && error != PCRE2_ERROR_NOMEMORY && error != 121 /* ERR21: no memory */) {
        unsigned char message[160];
        pcre2_get_error_message(error, message, sizeof message);
        *why = mgi_arena_printf(scratch, "%s", (const char *)message);
    }
    return p->code != NULL;
}

struct schema_pattern *mgi_schema_pattern(struct arena *arena, struct str source,
                                          struct arena *scratch, const char **why)
{
    struct buf translated = { 0 };
    struct schema_pattern *p = NULL;
    if (mgi_schema_translate(source, &translated, why) && !translated.oom)
        p = mgi_arena_calloc(arena, 1, sizeof *p);
    if (p && !pattern_compile(p, &translated, scratch, why)) {
        pattern_release(p);
        p = NULL;
    }
    if (p && !mgi_arena_defer(arena, pattern_release, p))
        p = NULL; /* released already */
    mgi_buf_fini(&translated);
    return p;
}

enum schema_match mgi_schema_match(const struct schema_pattern *p, struct str text)
{
    pcre2_match_data *match = pcre2_match_data_create(1, p->memory);
    if (!match)
        return MATCH_UNDECIDED;
    int result = pcre2_match(p->code, (PCRE2_SPTR)(text.ptr ? text.ptr : ""), text.len, 0, 0, match,
                             p->limits);
    pcre2_match_data_free(match);
    if (result == PCRE2_ERROR_NOMATCH)
        return MATCH_NO;
    return result >= 0 ? MATCH_YES : MATCH_UNDECIDED;
}
