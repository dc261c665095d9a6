/* Proofs and failures for tools: as facts (M-PROV-40), JSON and Graphviz. All append to `out`,
 * whose oom says that memory was short. */
#ifndef MGI_CLI_MANGLE_PROOF_H
#define MGI_CLI_MANGLE_PROOF_H

#include "base/buf.h"
#include "base/json.h"
#include "mangle.h"

/* The nodes of some proofs, each once, in the order of their first appearance. */
struct proof_nodes {
    const mangle_program *program;
    mangle_values *values;
    const struct mangle_proof **items;
    size_t count, cap;
};

/* Add all nodes of `proof` that are new. False: memory. */
bool mgi_proof_nodes_add(struct proof_nodes *nodes, const struct mangle_proof *proof);
void mgi_proof_nodes_fini(struct proof_nodes *nodes);

/* One fact a line. */
void mgi_proof_write_facts(struct buf *out, const struct proof_nodes *nodes);
/* A digraph: a box per fact, an arrow from each fact to what it rests on. */
void mgi_proof_write_dot(struct buf *out, const struct proof_nodes *nodes);
/* Members "nodes" and "rules" of an object that is open. */
void mgi_proof_write_json(struct json_writer *w, const struct proof_nodes *nodes);

/* One object. */
void mgi_why_not_write_json(struct json_writer *w, mangle_overlay *overlay,
                            const mangle_program *program, const struct mangle_why_not *why);

#endif
