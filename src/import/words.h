/* What a tool's name and text say of it: its words, what it does (a verb), to what (objects).
 *
 * Nothing here judges: it reads. Pure functions; what they give points into the table of verbs or
 * into an arena. Text may be anything: bytes that are no letters or digits of ASCII separate words.
 */
#ifndef MGI_IMPORT_WORDS_H
#define MGI_IMPORT_WORDS_H

#include "base/arena.h"
#include "base/buf.h"

/* What a verb does to the world, the worse the later. */
enum import_effect {
    EFFECT_NONE, /* looks, or works something out */
    EFFECT_ADD,  /* something is there that was not */
    EFFECT_CHANGE,
    EFFECT_NETWORK, /* something is sent to others */
    EFFECT_EXECUTE, /* runs what it is given */
    EFFECT_DELETE,  /* something is gone, or undone */
};
const char *mgi_import_effect_name(enum import_effect effect); /* "none", "add", … */

/* A row of the table: a word as people write it, and what it stands for. */
struct import_verb {
    const char *word;      /* "erase" */
    const char *canonical; /* "delete" */
    enum import_effect effect;
    bool weak; /* as often the name of a thing: "branch", "comment" */
};
/* The row of `word` (lower case); NULL: it is no verb that is known. */
const struct import_verb *mgi_import_verb(struct str word);

#define IMPORT_WORDS   16 /* of a name; those beyond it are not looked at */
#define IMPORT_OBJECTS 8

struct import_words {
    struct str words[IMPORT_WORDS]; /* of the name, lower case, in their order */
    size_t count;
    const struct import_verb *verb; /* of the name, else of the text's first sentence; or NULL */
    bool verb_in_name;
    struct str objects[IMPORT_OBJECTS]; /* nouns of the name, singular; then the whole phrase, with
                                           '_' between its words, where it has several */
    size_t object_count;
};

/* `server`: its name, which is left out where the tool's name repeats it (git_add of git).
 * False: memory is short. */
bool mgi_import_words(struct arena *arena, struct str server, struct str name, struct str text,
                      struct import_words *out);

/* The words of a name, lower case, at most `most`: "readFile", "API-get-user", "HTTPServer". */
size_t mgi_import_split(struct arena *arena, struct str name, struct str *out, size_t most);

/* Is it a word of the name? */
bool mgi_import_has_word(const struct import_words *w, const char *word);

#endif
