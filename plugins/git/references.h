/* Branches and tags, listed. */
#ifndef PLUGINS_GIT_REFERENCES_H
#define PLUGINS_GIT_REFERENCES_H

#include "plugins/git/git_plugin.h"

#define BROKEN_MOST 100

struct listed_ref {
    const char *name;   /* in full */
    const char *shown;  /* without refs/heads/, refs/remotes/, refs/tags/ */
    git_oid id;         /* what it leads to in the end */
    git_oid tag_id;     /* of an annotated tag: that object; else zeros */
    git_object_t type;  /* of id */
    int64_t time;       /* of the commit, or of the tag; INT64_MIN: not known */
    const char *broken; /* why it leads nowhere; NULL: it does */
};

struct listed_refs {
    struct listed_ref *items; /* the newest first, those without a time last; in the arena */
    size_t count, cap;
};

/* Those below the folders (ends with NULL) whose short name fits the pattern (empty: all). Symbolic
 * ones, like origin/HEAD, are passed over. False: the call failed. */
bool mgi_git_list_refs(struct git *g, const char *const *folders, struct str pattern,
                       struct listed_refs *out);

/* Member broken of the answer. */
void mgi_git_put_broken(struct action *a, const struct listed_refs *refs);

#endif
