/* Is a message what docs/schemas says of its type? For who is to judge an implementation: programs
 * that are tested (MGI_JUDGE) judge what they write themselves.
 *
 * The schemas are bytes in the library (cmake/embed_files.cmake); each type of message has one of
 * its name. A schema says what the shape of a message must be, and nothing of what it means. */
#ifndef MGI_PROTOCOL_JUDGE_H
#define MGI_PROTOCOL_JUDGE_H

#include "protocol/schema.h"

struct message_schema {
    const char *path; /* "error.json" */
    const char *text; /* UTF-8, `len` bytes, a NUL behind them */
    size_t len;
};

/* Sorted by path; a last entry of NULLs that the count does not count. */
extern const struct message_schema mgi_message_schemas[];
extern const size_t mgi_message_schemas_count;

struct judge; /* immutable, shared by threads */

struct judge *mgi_judge_new(void); /* NULL when memory is short */
void mgi_judge_free(struct judge *j);

/* By the schema that is called like the message's type ("type", of either side). False: `issues`
 * has the faults (count 0: memory). */
bool mgi_judge_message(const struct judge *j, const struct json *message,
                       struct schema_issues *issues);

/* By the schema of that name, for what is no message: "confirm_response". */
bool mgi_judge_value(const struct judge *j, struct str schema, const struct json *value,
                     struct schema_issues *issues);

/* What a program under test has written. Where it is not what its schema says, that is told on
 * standard error, and the program ends by abort(). */
#ifdef MGI_JUDGE
void mgi_judge_written(const struct buf *message);
/* Weak, and true: tests that write what is no message, or count allocations, have their own. */
bool mgi_judge_is_on(void);
#else
static inline void mgi_judge_written(const struct buf *message)
{
    (void)message;
}
#endif

#endif
