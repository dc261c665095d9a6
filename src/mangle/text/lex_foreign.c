/* Signs that nobody writes in Mangle, but in other languages, and what to write instead. */
#include "mangle/text/lex.h"

/* Longer ones first. */
static const struct foreign_sign foreign[] = {
    { "\\+", "Negation is written !p(X).", false },
    { "\\=", "Inequality is written X != Y.", false },
    { "==", "Equality is written X = Y.", false },
    { "=:=", "Equality is written X = Y.", false },
    { "=\\=", "Inequality is written X != Y.", false },
    { "=<", "Write X <= Y.", false },
    { "=>", "A rule is written head :- body; X >= Y compares.", false },
    { "-->", "A rule is written head :- body.", false },
    { "->", "A rule is written head :- body.", false },
    { "--", "Comments begin with #.", true },
    { "//", "Comments begin with #; a name needs a character after each '/'.", true },
    { "/*", "Comments begin with # in each line.", true },
    { "%", "Comments begin with #.", true },
    { "?-", "A query is no part of a program: pass it as mangle run --query.", false },
    { "?", "Variables begin with a capital letter, without a sign.", false },
    { "$", "Variables begin with a capital letter, without a sign.", false },
    { "&&", "Premises are joined with commas.", false },
    { "&", "Premises are joined with commas.", false },
    { "||", "Write one rule for each alternative.", false },
    { "|", "A transform begins with |>; alternatives are separate rules.", false },
    { ";", "Write one rule for each alternative.", false },
    { "-", "Negative numbers are written without a blank, and differences as fn:minus(X, Y).",
      false },
    { "+", "Sums are written as fn:plus(X, Y), numbers without a sign.", false },
    { "*", "Products are written as fn:mult(X, Y).", false },
    { "^", "There are no powers; products are fn:mult(X, Y).", false },
    { "\xE2\x80\x9C", "Write straight quotes, \" or '.", false },
    { "\xE2\x80\x9D", "Write straight quotes, \" or '.", false },
    { "\xE2\x80\x98", "Write straight quotes, \" or '.", false },
    { "\xE2\x80\x99", "Write straight quotes, \" or '.", false },
    { "\xE2\x89\xA0", "Inequality is written X != Y.", false },
    { "\xE2\x89\xA4", "Write X <= Y.", false },
    { "\xE2\x89\xA5", "Write X >= Y.", false },
    { "\xC2\xAC", "Negation is written !p(X).", false },
    { "\xC2\xA0", "This is a no-break space: write a plain one.", false },
};

const struct foreign_sign *mgi_foreign_sign(struct str rest)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (mgi_str_starts(rest, str_of(foreign[i].sign)))
            return &foreign[i];
    return NULL;
}
