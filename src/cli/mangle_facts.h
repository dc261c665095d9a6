/* Files of facts that are not Mangle text: JSON lines and CSV. */
#ifndef MGI_CLI_MANGLE_FACTS_H
#define MGI_CLI_MANGLE_FACTS_H

#include "base/buf.h"
#include "mangle.h"

enum fact_form { FACTS_MANGLE, FACTS_JSON_LINES, FACTS_CSV };

struct fact_file {
    const char *path;
    enum fact_form form;
    struct str pred; /* FACTS_CSV */
    struct buf text;
};

/* What `--facts ARGUMENT` names. False: *why, and *hint if there is more to say. */
bool mgi_fact_file_named(const char *argument, struct fact_file *out, const char **why,
                         const char **hint);

struct host_pred_list {
    struct arena *arena; /* names */
    struct mangle_host_pred *items;
    size_t count, cap;
};

/* The predicates of a file, appended. Faulty lines are passed over: adding reports them. False when
 * memory is short. */
bool mgi_fact_file_preds(const struct fact_file *file, struct host_pred_list *out);

/* Add the facts to an open base; what is wrong is printed on stderr as path:line: error: …
 * `now_ns` is what "now" means in a time. Returns an exit status. */
int mgi_fact_file_add(const struct fact_file *file, mangle_base *base, int64_t now_ns);

#endif
