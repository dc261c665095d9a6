/* What rules cost (mangle_profile), as people and programs read it: a table of the dearest, members
 * of a JSON object, collapsed stacks for flame graphs. */
#ifndef MGI_CLI_RULES_H
#define MGI_CLI_RULES_H

#include <stdio.h>

#include "base/json.h"
#include "mangle.h"

#define RULES_SHOWN 10

/* The dearest rules first, at most `most`, those that took nothing left out. Rows are in the words
 * of the header; below each rule is the order that took most of its time. */
void mgi_rules_table(FILE *to, const mangle_profile *profile, size_t most);

/* Members of the object that is open: what rule `rule` cost, its plans and its premises. */
void mgi_rules_members(struct json_writer *w, const mangle_profile *profile, size_t rule);

/* Lines "ROOT;stratum N;FILE:LINE RULE;PREMISE NANOSECONDS" for every rule that took time, of
 * stratum `stratum`. A rule's time is shared out among its premises by the rows that they looked
 * at, and its head by how often it was reached. Returns the sum. */
int64_t mgi_rules_folded(FILE *to, const mangle_profile *profile, const char *root,
                         uint32_t stratum);

#endif
