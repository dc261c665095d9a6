/* Are two JSON values the same? Member order and spacing do not matter, strings compare after
 * unescaping, numbers by their exact decimal value: 1, 1.0 and 10e-1 are one number, and no double
 * comes in between, in which 0.1 and 0.10000000000000001 would be one too (T-INP-5). */
#ifndef TOOLHOST_SAME_VALUE_H
#define TOOLHOST_SAME_VALUE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/json.h"

/* The values' numbers are re-spelled in place (`text` of their nodes, in `arena`); the texts that
 * they were parsed from stay as they are. False: memory is short. */
bool mgi_same_value(struct arena *arena, struct json *a, struct json *b, bool *same);

#endif
