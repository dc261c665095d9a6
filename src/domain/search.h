/* An index of texts that rules search (`search` in external: of domain.yaml): SQLite FTS5, ranked
 * by BM25. It is made once, when a domain is loaded, and never changes: its bytes are shared by a
 * connection per thread that asks at the same time. */
#ifndef MGI_DOMAIN_SEARCH_H
#define MGI_DOMAIN_SEARCH_H

#include "base/arena.h"
#include "mangle.h"

#define SEARCH_ROWS_MAX  100000
#define SEARCH_BYTES_MAX (64U << 20) /* of all texts */
#define SEARCH_COLUMNS   16          /* of text */
#define SEARCH_IGNORED   512

struct search_settings {
    struct str over;        /* the predicate whose facts are searched; empty: this is none */
    int64_t limit;          /* so many answers at most */
    bool stem;              /* English endings make no difference */
    const int64_t *weights; /* of the columns of text, in order; the others weigh 1 */
    size_t weight_count;
    const struct str *ignored; /* words, lower case */
    size_t ignored_count;
};

struct search_index;

/* From `facts` of one predicate with `arity` arguments: the first is the key, the others are text.
 * Facts with the same key, which stand together, are one text. `settings` is borrowed for the life
 * of the index. NULL: *why (memory, or what is too much; in `arena`). */
struct search_index *mgi_search_index_new(const struct search_settings *settings,
                                          const mangle_values *values,
                                          const struct mangle_fact *facts, size_t count,
                                          uint32_t arity, struct arena *arena, const char **why);
void mgi_search_index_free(struct search_index *index);

/* Answers all requests, as mangle_external.query does: for each key that has a word of what is
 * asked, the best first, the key, its rank from 1, and (where the predicate has a fourth argument)
 * its score: BM25 in hundredths, more is better. Any thread. */
bool mgi_search_answer(struct search_index *index, struct mangle_query *query);

#endif
