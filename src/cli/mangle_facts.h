/* Files of facts for the command line: names, reading, and what is wrong in them on stderr. */
#ifndef MGI_CLI_MANGLE_FACTS_H
#define MGI_CLI_MANGLE_FACTS_H

#include "base/buf.h"
#include "cli/mangle_compress.h"
#include "formats/facts.h"

#define FACTS_MAX_BYTES ((size_t)1 << 30) /* of one file, decompressed */

struct fact_file {
    const char *path;
    enum fact_form form;
    struct str pred;              /* of forms that need one */
    enum compression compression; /* FACTS_COLUMNS */
    struct buf text;              /* decompressed */
    const char *set_path;         /* FACTS_PROTOBUF: the descriptor set, and the type in it */
    struct str message;
    struct buf set;
};

/* What `--facts ARGUMENT` names. False: *why, and *hint if there is more to say. */
bool mgi_fact_file_named(const char *argument, struct fact_file *out, const char **why,
                         const char **hint);

/* Decompress file->text, as it was read, if the name says so. False: the reason is in `why`. */
bool mgi_fact_file_unpack(struct fact_file *file, char why[80]);

/* FACTS_PROTOBUF: read the set of `argument`, SET:MESSAGE (NULL: none was given). False: *why. */
bool mgi_fact_file_typed(struct fact_file *file, const char *argument, const char **why,
                         const char **hint);
/* Is it read from the file at `path`, or its type from there? */
bool mgi_fact_file_is_of(const struct fact_file *file, const char *path);
void mgi_fact_file_fini(struct fact_file *file);

/* The predicates of a file, appended. Faulty lines are passed over: adding reports them. False when
 * memory is short. */
bool mgi_fact_file_preds(const struct fact_file *file, struct host_pred_list *out);

/* Add the facts to an open base; what is wrong is printed on stderr as path:line: error: …
 * `now_ns` is what "now" means in a time; NULL: it is refused. Returns an exit status. */
int mgi_fact_file_add(const struct fact_file *file, mangle_base *base, const int64_t *now_ns);

/* Print the findings, free them; the exit status of what came to `st`. */
int mgi_fact_diags_end(mangle_diags *diags, enum mangle_status st);

#endif
