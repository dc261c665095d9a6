/* The files of a commit or of the index, in the order of the bytes of their paths. */
#ifndef PLUGINS_GIT_TREES_H
#define PLUGINS_GIT_TREES_H

#include "plugins/git/git_plugin.h"

struct git_file {
    const char *path; /* borrowed for the call of `each` */
    unsigned mode;    /* a file's, a link's, or a submodule's */
    const git_oid *id;
    bool conflicted; /* the index has it in conflict: once, with whatever side is there */
};

struct git_files {
    git_tree *tree;   /* NULL: the index */
    const char *path; /* what is at or below it; "." is everything */
    struct str glob;  /* and fits it; empty: anything does */
    /* False ends the walk, and the call if it has failed. */
    bool (*each)(void *user, const struct git_file *file);
    void *user;
};

/* False: the call failed, or `each` ended it. */
bool mgi_git_each_file(struct git *g, const struct git_files *files);

/* The size of an object's content without reading it; -1: it is missing. */
int64_t mgi_git_size(struct git *g, const git_oid *id);

/* A blob's content, kept until the arena is rewound or the call ends. False: the call failed, with
 * `path`. */
bool mgi_git_blob(struct git *g, const git_oid *id, const char *path, struct str *content);

/* "file", "symlink", "folder", "submodule". */
const char *mgi_git_type_word(unsigned mode);

#endif
