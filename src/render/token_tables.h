/* Tables of tokens.c; see token_tables.c. */
#ifndef MGI_RENDER_TOKEN_TABLES_H
#define MGI_RENDER_TOKEN_TABLES_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* What o200k's pattern knows of a character. The last two are of runs in which every other
 * character is of the other case, as in Latin Extended-A. */
enum token_class {
    TOKEN_OTHER,
    TOKEN_UPPER, /* Lu, Lt */
    TOKEN_LOWER, /* Ll */
    TOKEN_BOTH,  /* Lo, Lm */
    TOKEN_MARK,  /* M */
    TOKEN_NUMBER,
    TOKEN_SPACE,
    TOKEN_UPPER_FIRST,
    TOKEN_LOWER_FIRST
};

#define TOKEN_UNIT 64 /* of the weights: one token */

/* Of a whole text. What is added up is weights: tokens of many lines, each rounded, may be off by
 * half a token a line. */
uint64_t mgi_token_weight(struct str s);

enum { REST_SUFFIX, REST_BLANK, REST_NEWLINE, REST_OTHER, REST_MARKS, REST_REPEATED, TOKEN_RESTS };

extern const uint32_t mgi_token_runs[];
extern const size_t mgi_token_run_count;
extern const int8_t mgi_token_letters[27][27];
extern const int8_t mgi_token_marks[33][33];
extern const int8_t mgi_token_before[34];
extern const int8_t mgi_token_case[5];
extern const int8_t mgi_token_length[16];
extern const int16_t mgi_token_scripts[12][3];
extern const int8_t mgi_token_rest[TOKEN_RESTS];

#endif
