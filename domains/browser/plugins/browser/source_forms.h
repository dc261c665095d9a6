/* Forms of code that are found by their brackets: blocks, calls, functions and their parameters. */
#ifndef BROWSER_SOURCE_FORMS_H
#define BROWSER_SOURCE_FORMS_H

#include "source_int.h"

/* A function: where its list of parameters begins, behind the bracket, and its body. */
struct form_function {
    struct str text;
    size_t params, body, end;
};

/* The word that ends before `at`, blanks between them. */
bool mgi_form_word_before(struct str s, size_t at, const char *word);
/* Behind the bracket that closes the one at `open`; SIZE_MAX: there is none near. */
size_t mgi_form_close(struct str s, size_t open);
/* Where the block around `at` ends. */
size_t mgi_form_block_end(struct str s, size_t at);
/* A function that is written at `at`: "function (a) {", "(a, b) => {", "a => a.b", "async ...". */
bool mgi_form_function_at(struct str s, size_t at, struct form_function *out);
/* The function that the text calls `name`. */
bool mgi_form_function_named(struct str s, struct str name, struct form_function *out);
/* Where parameter or argument `number` (from 0) of the list that begins at `from` begins; SIZE_MAX:
 * there are not so many. */
size_t mgi_form_item(struct str s, size_t from, size_t number);
/* Which item of the list around `at` it stands in, and where the bracket of the list is; false: in
 * none. */
bool mgi_form_list_around(struct str s, size_t at, size_t *open, size_t *number);

#endif
