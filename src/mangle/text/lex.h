/* Tokens of Mangle text (mangle.md section 1). */
#ifndef MGI_MANGLE_LEX_H
#define MGI_MANGLE_LEX_H

#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

enum token_kind {
    TOKEN_END,
    TOKEN_ERROR, /* `fault` says what is wrong */
    TOKEN_NAME,
    TOKEN_VARIABLE,
    TOKEN_TYPENAME, /* never legal (M-LEX-8) */
    TOKEN_DOTTYPE,
    TOKEN_CONSTANT,
    TOKEN_NUMBER,
    TOKEN_FLOAT,
    TOKEN_TIMESTAMP,
    TOKEN_DURATION,
    TOKEN_STRING,
    TOKEN_BYTES,
    /* reserved words */
    TOKEN_TEMPORAL,
    TOKEN_DESCR,
    TOKEN_INCLUSION,
    TOKEN_NOW,
    TOKEN_OPT,
    TOKEN_BOUND,
    TOKEN_LET,
    TOKEN_DO,
    TOKEN_PACKAGE,
    TOKEN_USE,
    TOKEN_DECL,
    /* punctuation */
    TOKEN_LPAREN,
    TOKEN_RPAREN,
    TOKEN_LBRACKET,
    TOKEN_RBRACKET,
    TOKEN_LBRACE,
    TOKEN_RBRACE,
    TOKEN_COMMA,
    TOKEN_DOT,
    TOKEN_COLON,
    TOKEN_BANG,
    TOKEN_EQ,
    TOKEN_NE,
    TOKEN_LT,
    TOKEN_LE,
    TOKEN_GT,
    TOKEN_GE,
    TOKEN_IF, /* :- or U+27F8 */
    TOKEN_PIPE,
    TOKEN_AT,
    TOKEN_SOME_PAST, /* <- before [ */
    TOKEN_SOME_FUTURE,
    TOKEN_ALL_PAST, /* [- before [ */
    TOKEN_ALL_FUTURE
};

struct token {
    enum token_kind kind;
    uint32_t start, end;
    struct str text;   /* as written */
    struct str string; /* TOKEN_STRING, TOKEN_BYTES: the content */
    int64_t number;    /* TOKEN_NUMBER; TOKEN_TIMESTAMP and TOKEN_DURATION: nanoseconds */
    double real;       /* TOKEN_FLOAT */
    const char *fault; /* TOKEN_ERROR */
    bool stray;        /* the fault is what is written here, whatever it is */
    const char *hint;  /* or NULL */
};

struct lexer {
    struct str text; /* well-formed UTF-8, at most UINT32_MAX bytes */
    uint32_t at;
    struct arena *arena; /* string contents */
    bool one_line;       /* strings end in their line, or are no strings: after an error */
    bool oom;
};

/* A sign of another language. */
struct foreign_sign {
    const char *sign, *hint;
    bool comment; /* to the end of the line */
};
const struct foreign_sign *mgi_foreign_sign(struct str rest); /* at its beginning, or NULL */

/* The next token. Always moves on, so calling it until TOKEN_END ends. */
struct token mgi_lex_next(struct lexer *lexer);

#endif
