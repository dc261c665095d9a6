/* What the parser says when it cannot go on: what was expected, what stands there instead, and what
 * to write if it looks like the habit of another language (Prolog, SQL, C). One report per clause;
 * where a bracket is not closed, the report points at the bracket. */
#include "mangle/text/parse_int.h"

#include <stdarg.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "base/near.h"

/* ---- reporting --------------------------------------------------------------------------- */

static void fail_va(struct parser *x, const char *code, struct span span, const char *hint,
                    const char *format, va_list args)
{
    if (!x->failed)
        mgi_diag_va(x->diags, x->source, MANGLE_ERROR, code, span, hint, format, args);
    x->failed = true;
}

bool mgi_parser_fail(struct parser *x, struct span span, const char *hint, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_va(x, "SYNTAX", span, hint, format, args);
    va_end(args);
    return false;
}

bool mgi_parser_fail_code(struct parser *x, const char *code, struct span span, const char *hint,
                          const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_va(x, code, span, hint, format, args);
    va_end(args);
    return false;
}

/* Shown in a message: the token as written, cut short, on one line. */
static const char *token_text(struct parser *x)
{
    struct buf shown = { 0 };
    struct str text = mgi_utf8_prefix(x->token.text, 40);
    mgi_utf8_show(&shown, text);
    if (text.len < x->token.text.len)
        mgi_buf_puts(&shown, "...");
    if (shown.oom)
        mgi_diags_nomem(x->diags);
    const char *copy = mgi_diag_text(x->diags, "%.*s", STR_ARG(mgi_buf_view(&shown)));
    mgi_buf_fini(&shown);
    return copy ? copy : "";
}

/* ---- habits of other languages ----------------------------------------------------------- */

static const char hint_negation[] = "Negation is written !p(X).";
static const char hint_rule[] = "A rule is written head :- body.";
static const char hint_and[] = "Premises are joined with commas.";
static const char hint_or[] = "Write one rule for each alternative.";
static const char hint_unequal[] = "Inequality is written X != Y.";
static const char hint_window[] = "A window is written <-[5m] p(X).";
static const char hint_time[] =
    "A time is written with its date, seconds and zone, without a blank: "
    "2024-01-15T10:30:00Z.";
static const char hint_duration[] = "A duration is a number with d, h, m, s, ms, us or ns, without "
                                    "a blank: 1h30m.";
static const char hint_sums[] = "Computations are calls: Z = fn:plus(X, Y), fn:minus, fn:mult, "
                                "fn:div.";

static const struct {
    const char *word; /* in lower case */
    const char *hint;
} habits[] = {
    { "not", hint_negation },
    { "is", hint_sums },
    { "mod", "The remainder is fn:mod(X, Y)." },
    { "and", hint_and },
    { "or", hint_or },
    { "if", hint_rule },
    { "where", hint_and },
    { "exists", "A variable that is not in the head stands for any value by itself." },
    { "forall", "What holds for all is what has no exception: !exception(X), a rule of its own." },
    { "true", "The truth values are the names /true and /false." },
    { "false", "The truth values are the names /true and /false." },
    { "null", "There is no null: leave the fact out, or write a name such as /none." },
    { "nil", "The empty list is []; there is no null." },
    { "none", "There is no null: leave the fact out, or write a name such as /none." },
    { "in", "Membership is written :list:member(X, List)." },
    { "like", "Parts of strings are tested with :string:contains, :string:starts_with and "
              ":string:ends_with." },
    { "select", "A rule names what it derives first: answer(X) :- table(X, Y)." },
    { "import", "Give all files together; Use name! at the beginning makes a package known." },
    { "include", "Give all files together; Use name! at the beginning makes a package known." },
};

const char *mgi_habit_of_word(struct str word)
{
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++)
        if (mgi_edit_distance(word, str_of(habits[i].word), 0) == 0)
            return habits[i].hint;
    return NULL;
}

/* Signs that stand where a token of ours begins, but mean something elsewhere. */
static const char *habit_of_sign(struct str rest)
{
    static const struct {
        const char *sign, *hint;
    } signs[] = {
        { "<>", hint_unequal }, { "<-", hint_rule },
        { "<=", hint_rule },    { ":=", "Equality is written X = Y." },
        { ":", hint_rule },
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (mgi_str_starts(rest, str_of(signs[i].sign)))
            return signs[i].hint;
    return NULL;
}

/* ---- what was expected ------------------------------------------------------------------- */

static struct str rest_of_text(const struct parser *x)
{
    struct str text = x->source->text;
    return (struct str){ text.ptr + x->token.start, text.len - x->token.start };
}

static bool on_next_line(const struct parser *x)
{
    return memchr(x->source->text.ptr + x->consumed_end, '\n', x->token.start - x->consumed_end) !=
           NULL;
}

static bool report_fault(struct parser *x, const char *hint)
{
    const struct token *t = &x->token;
    if (!hint || !t->stray)
        hint = t->hint;
    if (x->declaring && t->text.len == 1 && strchr("+-?", *t->text.ptr))
        hint = "Modes are written in quotes: mode('+', '-').";
    if (t->stray)
        return mgi_parser_fail(x, mgi_token_span(x), hint, "%s '%s'", t->fault, token_text(x));
    return mgi_parser_fail(x, mgi_token_span(x), t->hint, "%s", t->fault);
}

static bool report_typename(struct parser *x)
{
    struct str text = x->token.text;
    const char *hint =
        "Variables consist of letters and digits only; a clause ends in a dot and a blank.";
    if (x->consumed == TOKEN_TIMESTAMP && x->token.start == x->consumed_end)
        hint = hint_time;
    else if (mgi_str_find(text, STR_LIT(":")) != SIZE_MAX)
        hint = x->declaring ? "Types go into bound [...] behind the arguments."
                            : "Put a blank before ':' after a variable.";
    return mgi_parser_fail(x, mgi_token_span(x), hint, "\"%s\" is not a variable", token_text(x));
}

/* `1e5`, `'it's'`: the token before is of that kind, and no blank lies between. */
static bool glued_to(const struct parser *x, enum token_kind kind)
{
    return x->consumed == kind && x->token.start == x->consumed_end;
}

/* `2 hours`, `5min`, `1w`: units that people write and Mangle does not have, or set apart. */
static bool is_unit_of_time(struct str word)
{
    static const char *const units[] = {
        "d",      "h",    "m",      "s",   "ms",   "us",    "ns",
        "day",    "hour", "hr",     "min", "in", /* 5min is 5m, in */
        "minute", "sec",  "second", "w",   "week", "month", "year"
    };
    struct str singular = word;
    if (singular.len > 2 && singular.ptr[singular.len - 1] == 's')
        singular.len--;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (str_is(word, units[i]) || str_is(singular, units[i]))
            return true;
    return false;
}

static const char *hint_for_word(const struct parser *x)
{
    char first = x->token.text.len ? *x->token.text.ptr : 0;
    bool after_number = x->consumed == TOKEN_NUMBER || glued_to(x, TOKEN_DURATION);
    if (after_number && is_unit_of_time(x->token.text))
        return hint_duration;
    if (glued_to(x, TOKEN_NUMBER))
        return first == 'e' || first == 'E' ? "A number with an exponent has a dot: 1.0e5."
                                            : "Numbers are decimal digits, without other signs.";
    if (glued_to(x, TOKEN_VARIABLE))
        return "A variable is a capital letter, then letters and digits; _ alone is any value.";
    if (glued_to(x, TOKEN_STRING))
        return "A quote inside a string is written \\' or \\\", or the string in other quotes.";
    return mgi_habit_of_word(x->token.text);
}

/* After a dot that ended nothing. */
static const char *hint_for_dot(const struct parser *x)
{
    struct str text = x->source->text;
    uint32_t at = x->token.start + 1;
    if (x->consumed == TOKEN_BANG)
        return "There is no cut: '!' negates the atom behind it.";
    bool inside = x->consumed == TOKEN_LBRACKET || x->consumed == TOKEN_COMMA ||
                  x->consumed == TOKEN_LT || x->consumed == TOKEN_COLON;
    if (inside && at < text.len && text.ptr[at] >= 'a' && text.ptr[at] <= 'z')
        return "Type constructors begin with a capital letter: .List</string>.";
    if (glued_to(x, TOKEN_NUMBER) && at < text.len && strchr("),]}", text.ptr[at]))
        return "A float has a digit behind its dot: 1.0.";
    return NULL;
}

/* A value follows a value. */
static const char *hint_for_value(const char *what)
{
    return mgi_str_starts(str_of(what), STR_LIT("','")) ? "Is a comma missing before it?" : NULL;
}

/* `<-5m p(X)`: the brackets are missing. */
static bool is_window(struct str rest)
{
    return mgi_str_starts(rest, STR_LIT("<-")) || mgi_str_starts(rest, STR_LIT("<+"));
}

static const char *hint_for(const struct parser *x, const char *what)
{
    const char *hint = NULL;
    switch (x->token.kind) {
    case TOKEN_NAME:
    case TOKEN_VARIABLE:
        hint = hint_for_word(x);
        return hint ? hint : hint_for_value(what);
    case TOKEN_CONSTANT:
    case TOKEN_STRING:
    case TOKEN_BYTES:
    case TOKEN_FLOAT:
    case TOKEN_LBRACKET:
    case TOKEN_LBRACE:
        return hint_for_value(what);
    case TOKEN_DOT:
        return hint_for_dot(x);
    case TOKEN_BANG:
        return x->consumed == TOKEN_EQ || strstr(what, "comparison") ? hint_unequal : NULL;
    case TOKEN_NUMBER:
        if (x->consumed == TOKEN_TIMESTAMP)
            return hint_time;
        return glued_to(x, TOKEN_NUMBER) ? "A date has two digits for month and day: 2024-01-05."
                                         : hint_for_value(what);
    case TOKEN_LPAREN:
        return x->consumed == TOKEN_DOTTYPE ? "Write .List</string> or fn:List(/string)."
                                            : "Parentheses stand behind names only: !p(X), "
                                              "fn:plus(X, 1); write one rule for "
                                              "each alternative.";
    case TOKEN_IF:
        return "Every clause begins with its head, for example p(X) :- q(X).";
    case TOKEN_TIMESTAMP:
    case TOKEN_DURATION:
        return "Times and durations stand in @[...] and windows; elsewhere write "
               "fn:time:parse_rfc3339(\"...\") or fn:duration:parse(\"...\").";
    case TOKEN_LET:
    case TOKEN_DO:
        return "A transform begins with |> behind the body.";
    case TOKEN_LT:
    case TOKEN_LE:
        if (mgi_str_starts(str_of(what), STR_LIT("a premise")) && is_window(rest_of_text(x)))
            return hint_window;
        if (strstr(what, "premise"))
            return "Compare in two premises: 1 < X, X < 3.";
        if (x->consumed == TOKEN_VARIABLE)
            return "Type constructors begin with a dot: .List</string>.";
        return habit_of_sign(rest_of_text(x));
    case TOKEN_COLON:
        if (x->consumed == TOKEN_NUMBER)
            return hint_time;
        return habit_of_sign(rest_of_text(x));
    default:
        return NULL;
    }
}

static uint32_t fault_line(const struct parser *x, uint32_t at)
{
    uint32_t line = 1;
    for (uint32_t i = 0; i < at; i++)
        line += x->source->text.ptr[i] == '\n';
    return line;
}

/* A string over several lines with a word glued to its end: its opening quote was meant to be
 * closed, and what closes it to open another. Reading goes on below the first line. */
static bool runaway_string(struct parser *x)
{
    struct str text = x->source->text;
    bool string = x->consumed == TOKEN_STRING || x->consumed == TOKEN_BYTES;
    if (!string || x->token.kind == TOKEN_END || x->token.start != x->consumed_end ||
        strchr(",.)]}:", text.ptr[x->token.start]))
        return false;
    const char *line_end =
        memchr(text.ptr + x->consumed_start, '\n', x->consumed_end - x->consumed_start);
    if (!line_end)
        return false;
    struct span open = { x->source_index, x->consumed_start, x->consumed_start + 1 };
    mgi_parser_fail(x, open, "Close it with the same quote in its line.",
                    "the string that begins here ends in line %u, where '%s' follows",
                    fault_line(x, x->consumed_end), token_text(x));
    x->lexer.at = (uint32_t)(line_end - text.ptr);
    x->consumed = TOKEN_ERROR;
    x->token = mgi_lex_next(&x->lexer);
    return true;
}

bool mgi_parser_expected_hint(struct parser *x, const char *what, const char *hint)
{
    if (runaway_string(x))
        return false;
    switch (x->token.kind) {
    case TOKEN_END:
        return mgi_parser_fail(x, mgi_token_span(x), hint, "expected %s, but the text ends here",
                               what);
    case TOKEN_ERROR:
        return report_fault(x, hint);
    case TOKEN_TYPENAME:
        return report_typename(x);
    default:
        return mgi_parser_fail(x, mgi_token_span(x), hint, "expected %s, but found '%s'", what,
                               token_text(x));
    }
}

bool mgi_parser_expected(struct parser *x, const char *what)
{
    return mgi_parser_expected_hint(x, what, hint_for(x, what));
}

bool mgi_parser_take(struct parser *x, enum token_kind kind, const char *what)
{
    if (x->token.kind != kind)
        return mgi_parser_expected(x, what);
    mgi_parser_next(x);
    return !x->oom;
}

bool mgi_parser_take_end(struct parser *x, const char *what)
{
    if (x->token.kind == TOKEN_DOT) {
        mgi_parser_next(x);
        return !x->oom;
    }
    bool begins = x->token.kind == TOKEN_NAME || x->token.kind == TOKEN_DECL;
    if (begins && on_next_line(x)) /* the fault is at the end of this one */
        return mgi_parser_fail(x, (struct span){ x->source_index, x->consumed_end, 0 },
                               "A clause ends with a dot.", "expected %s", what);
    if (x->token.kind == TOKEN_END)
        return mgi_parser_fail(x, mgi_token_span(x), "A clause ends with a dot.",
                               "expected %s, but the text ends here", what);
    if (x->token.kind == TOKEN_IF)
        return mgi_parser_expected_hint(x, what,
                                        "Perhaps the dot of the clause before is missing.");
    return mgi_parser_expected(x, what);
}

/* ---- brackets ---------------------------------------------------------------------------- */

/* Inside a bracket these cannot come: it was meant to be closed before. */
static bool ends_brackets(const struct parser *x)
{
    switch (x->token.kind) {
    case TOKEN_NAME: /* the next clause */
        return mgi_parser_at_line_start(x);
    case TOKEN_DOT:
    case TOKEN_END:
    case TOKEN_IF:
    case TOKEN_PIPE:
    case TOKEN_DECL:
    case TOKEN_PACKAGE:
    case TOKEN_USE:
    case TOKEN_RPAREN:
    case TOKEN_RBRACKET:
    case TOKEN_RBRACE:
        return true;
    default:
        return false;
    }
}

bool mgi_parser_unclosed(struct parser *x, const char *what, struct span open)
{
    if (!ends_brackets(x))
        return mgi_parser_expected(x, what);
    char bracket = x->source->text.ptr[open.start];
    const char *hint = x->token.kind == TOKEN_DOT ? hint_for_dot(x) : NULL;
    if (x->token.kind == TOKEN_END)
        return mgi_parser_fail(x, open, hint, "this '%c' is not closed: the text ends first",
                               bracket);
    uint32_t line = fault_line(x, x->token.start);
    if (line == fault_line(x, open.start))
        return mgi_parser_fail(x, open, hint, "this '%c' is not closed: expected %s before '%s'",
                               bracket, what, token_text(x));
    return mgi_parser_fail(x, open, hint,
                           "this '%c' is not closed: expected %s before '%s' in line %u", bracket,
                           what, token_text(x), line);
}

bool mgi_parser_close(struct parser *x, enum token_kind kind, const char *what, struct span open)
{
    if (x->token.kind != kind)
        return mgi_parser_unclosed(x, what, open);
    mgi_parser_next(x);
    return !x->oom;
}

/* ---- values ------------------------------------------------------------------------------ */

bool mgi_parser_not_a_call(struct parser *x, struct span name)
{
    struct str text = { x->source->text.ptr + name.start, name.end - name.start };
    return mgi_parser_fail(x, name, hint_negation, "expected a premise, but found the word '%.*s'",
                           STR_ARG(text));
}

bool mgi_parser_no_value(struct parser *x, const struct term *t)
{
    struct str name = t->apply.name;
    while (name.len > 1 && name.ptr[name.len - 1] == ':')
        name.len--; /* {a: 1} */
    const char *hint = mgi_habit_of_word(name), *near = NULL;
    bool bare = t->apply.count == 0 && x->source->text.ptr[t->span.end - 1] != ')';
    const char *as_function = mgi_diag_text(x->diags, "fn:%.*s", STR_ARG(name));
    if (str_is(name, "group_by"))
        near = "fn:group_by";
    else if (!bare && as_function)
        near = mgi_function_find(str_of(as_function)) ? as_function
                                                      : mgi_function_suggest(str_of(as_function));
    if (hint)
        ; /* says it all */
    else if (near)
        hint = mgi_diag_text(x->diags, "Did you mean %s(...)?", near);
    else if (bare)
        hint = mgi_diag_text(x->diags,
                             "Write a name as /%.*s, a string as \"%.*s\"; variables begin with a "
                             "capital letter.",
                             STR_ARG(name), STR_ARG(name));
    else
        hint = "Functions are called fn:name(...); an atom can only be a premise.";
    return mgi_parser_fail(x, t->span, hint, "expected a value, but found the atom \"%.*s\"",
                           STR_ARG(name));
}

/* ---- words of declarations --------------------------------------------------------------- */

const char *mgi_parser_near_word(struct parser *x, struct str word, const char *const *words,
                                 size_t count)
{
    struct near near = mgi_near(word);
    for (size_t i = 0; i < count; i++)
        mgi_near_try(&near, str_of(words[i]));
    if (!near.best.len)
        return NULL;
    return mgi_diag_text(x->diags, "Did you mean \"%.*s\"?", STR_ARG(near.best));
}
