/* The files of an import, what becomes of each in a folder that is there already, and the record of
 * what was written (import.json), which tells files of an import from those that somebody changed.
 * No I/O. */
#ifndef MGI_IMPORT_FILES_H
#define MGI_IMPORT_FILES_H

#include "base/json.h"

#define IMPORT_RECORD    "import.json"
#define IMPORT_HASH_TEXT 65

struct import_file {
    const char *path; /* in the folder */
    struct str text;
    bool once;   /* the author's: written where there is none, and never again */
    bool merged; /* made from what is there, so that nothing of it is lost: always written */
};

struct import_files {
    struct arena *arena;
    struct import_file *items;
    size_t count, cap;
};

/* Takes what is in `text`, which is freed. `path` is borrowed. False: memory. */
bool mgi_import_files_take(struct import_files *files, const char *path, struct buf *text,
                           bool once);

void mgi_import_hash(struct str text, char out[IMPORT_HASH_TEXT]);

/* The text of import.json: the SHA-256 of every file that is not the author's. */
bool mgi_import_record(struct buf *out, const struct import_files *files);

enum import_step {
    FILE_NEW,
    FILE_CHANGED,
    FILE_SAME,
    FILE_KEPT, /* somebody has changed it, or it is the author's: it stays as it is */
    FILE_GONE  /* of an earlier import, and not of this one: it is removed */
};

struct import_change {
    const char *path;
    enum import_step step;
    const struct import_file *file; /* NULL: FILE_GONE, or FILE_KEPT of an earlier import */
};

/* What there is of a path: false: nothing; else the hash of its text. */
typedef bool import_there(void *context, const char *path, char hash[IMPORT_HASH_TEXT]);

/* `record`: what import.json of the folder says; NULL: there is none. False: memory. */
bool mgi_import_plan(struct arena *arena, const struct import_files *files,
                     const struct json *record, import_there *there, void *context,
                     struct import_change **changes, size_t *count);

/* Is it a path that an import may have written: below the folder, without "..", plain? */
bool mgi_import_path_is_plain(struct str path);

#endif
