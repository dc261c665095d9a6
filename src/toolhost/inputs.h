/* What tools want to be given: their input schemas, compiled once (T-INP-7). One thread. */
#ifndef TOOLHOST_INPUTS_H
#define TOOLHOST_INPUTS_H

#include "base/json.h"
#include "base/log.h"
#include "toolhost/tools.h"

struct schema;

struct input_checks {
    struct schema **items; /* by the tool's index; NULL: takes anything */
    size_t count;
};

/* Compile the schemas of `tools`. Keywords that are not known are passed over; a schema that is
 * none is logged, and its tool takes anything. False: memory is short. */
bool mgi_input_checks_init(struct input_checks *c, const struct tools *tools,
                           const struct logger *log);
void mgi_input_checks_fini(struct input_checks *c);

/* What is wrong with an input: "<pointer>: <keyword>" per fault, up to eight, with "; " between
 * them; the pointer of the whole input is empty. NULL: nothing is. In `arena`, or static when
 * memory is short. */
const char *mgi_input_fault(const struct input_checks *c, size_t tool, const struct json *input,
                            struct arena *arena);

#endif
