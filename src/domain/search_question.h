/* A text as words: of what is searched, and of what is asked. Pure functions. */
#ifndef MGI_DOMAIN_SEARCH_QUESTION_H
#define MGI_DOMAIN_SEARCH_QUESTION_H

#include "base/buf.h"

#define SEARCH_TEXT_MAX  16384 /* bytes of a text that is asked; the rest is not looked at */
#define SEARCH_WORDS_MAX 64    /* different words of it that are looked for */
#define SEARCH_WORD_MAX  64    /* bytes of one; a longer one is none */

/* `text` with a blank where a small letter meets a capital one, as in readFile: so that parts of
 * names are words. Appended. */
void mgi_search_spread(struct buf *out, struct str text);

/* The words of `text` as an FTS5 expression, each in quotes, any of which may match; appended.
 * A word is a run of letters and digits (of ASCII, and all beyond it), two bytes or more; words in
 * `ignored` (lower case) are left out, as is what came before in other letters' case. Nothing of
 * the text is syntax there: quotes and operators are no letters. False: there is no word (nothing
 * was appended). */
bool mgi_search_question(struct buf *out, struct str text, const struct str *ignored,
                         size_t ignored_count);

#endif
