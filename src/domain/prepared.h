/* What loading a domain worked out before, from a file that `manglecp build` made: trees of YAML,
 * what plugins said of their actions, and that the checks of mgi_domain_lint() found no error.
 *
 * Each thing lies under a digest of all that it was worked out from (sealed.h), so a file can be
 * old or of another folder and never be wrong: what it does not hold is worked out as without it.
 * Who may write it may write anything into it. So it is used only if nobody but its owner may, and
 * its owner is this user or root; and trees and lists are checked as what YAML and plugins say is.
 * Rules, facts and texts of skills are not in it: they are read and compiled from the folder. */
#ifndef MGI_DOMAIN_PREPARED_H
#define MGI_DOMAIN_PREPARED_H

#include "base/sealed.h"
#include "domain/domain.h"
#include "domain/provider.h"
#include "domain/yaml.h"

/* What one load uses, notes, or both. All zero: neither. */
struct prepared {
    struct sealed from; /* count 0: nothing */
    size_t asked, missed;
    struct prepared_notes *notes; /* NULL: nothing is noted */
};

/* Read the file at `path` into `arena`, where *out lives. NULL, or why it cannot be used (one line:
 * who wants one that need not be there looks before). */
const char *mgi_prepared_open(const char *path, struct arena *arena, struct prepared *out);

/* The tree of `text`, or NULL: it is not in it. `c->prepared` is not NULL. */
struct yaml_node *mgi_prepared_tree(const struct yaml_context *c, const char *file, struct str text,
                                    uint32_t line_offset);
/* Note that this is it, as it comes from the parser. */
void mgi_prepared_note_tree(struct prepared *p, struct str text, uint32_t line_offset,
                            const struct yaml_node *root);

/* What the plugin said the last time it was asked, with the same file, document and `toolhost`; ptr
 * NULL: it is not in it, or not to be had from it, because its actions can change without it. */
struct str mgi_prepared_list(struct prepared *p, const char *toolhost,
                             const struct action_provider *provider);
void mgi_prepared_note_list(struct prepared *p, const char *toolhost,
                            const struct action_provider *provider, struct str said);

/* Did mgi_domain_lint() find no error in this snapshot? */
bool mgi_prepared_linted(struct prepared *p, const struct snapshot *s);
void mgi_prepared_note_linted(struct prepared *p, const struct snapshot *s);

/* ---- for who makes the file ------------------------------------------------------------------ */

struct prepared_notes *mgi_prepared_notes_new(void); /* NULL: memory */
void mgi_prepared_notes_free(struct prepared_notes *notes);
/* The file, appended to `out`. False: memory. */
bool mgi_prepared_write(struct prepared_notes *notes, struct buf *out);

#endif
