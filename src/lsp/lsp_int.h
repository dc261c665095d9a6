/* What the files of the language server share. server.c receives, reply.c answers, files.c knows
 * the documents and the workspace, program.c which of them form a program; each request has its
 * file.
 */
#ifndef MGI_LSP_LSP_INT_H
#define MGI_LSP_LSP_INT_H

#include "base/arena.h"
#include "base/json.h"
#include "base/strmap.h"
#include "lsp/frame.h"
#include "lsp/lsp.h"
#include "lsp/text.h"
#include "mangle.h"

/* ---- files and programs --------------------------------------------------------------------- */

/* A .mg file of the workspace, or a document that is open in the editor (which wins). Heap. */
struct lsp_file {
    char *key;    /* its path, or its URI if that is no file: what diagnostics name */
    char *uri;    /* as the client spells it, or made of the path */
    char *home;   /* the folder whose files are one program with it; NULL: none */
    bool project; /* and that is no domain folder */
    struct text text;
    struct str package; /* its Package, in `heads`; empty: none */
    struct str *uses;   /* its Use lines */
    size_t use_count;
    struct arena heads;
    bool open;                   /* in the editor */
    bool exists;                 /* open, or on disk when last looked */
    bool due;                    /* its diagnostics are to be published */
    int64_t version;             /* of the open document; INT64_MIN: not told */
    uint64_t revision;           /* differs whenever the text does */
    struct lsp_program *program; /* of which it is the centre; NULL: not made yet */
};

/* What is checked together. Unit 0.. are the files; those without a file are embedded rules. */
struct lsp_unit {
    struct lsp_file *file; /* NULL: a standard rule of domains */
    uint64_t revision;
};
struct lsp_program {
    struct lsp_unit *units;
    size_t count;
    mangle_outline *outline;
    mangle_diags *diags;
};

struct lsp_message;

struct lsp {
    struct lsp_world world;
    struct frame_reader frames;
    struct lsp_message *first, *last; /* the queue */
    size_t queued_bytes;
    enum { LSP_NEW, LSP_RUNNING, LSP_SHUT_DOWN, LSP_ENDED } state;
    int status;
    bool oom;
    enum text_units units;
    bool snippets, by_folder, by_workspace, check_bounds; /* what client and user want */
    struct lsp_file **files;
    size_t file_count, file_cap;
    struct strmap file_index; /* key -> index */
    char **roots;             /* folders of the workspace */
    size_t root_count, root_cap;
    uint64_t revisions; /* the last one given */
    /* The place asked for last: the next is often a little further in the same, long, line. */
    struct {
        const struct lsp_file *file;
        uint64_t revision;
        size_t offset;
        struct position position;
    } cursor;
    /* of the answer at hand */
    struct buf body; /* the result, as JSON */
    int error_code;  /* 0: none */
    char error[256];
};

/* files.c */
struct lsp_file *mgi_lsp_file(struct lsp *s, struct str uri); /* or NULL */
struct lsp_file *mgi_lsp_file_named(const struct lsp *s, const char *key);
void mgi_lsp_open(struct lsp *s, struct str uri, struct str text, int64_t version);
void mgi_lsp_close(struct lsp *s, struct lsp_file *f);
void mgi_lsp_changed(struct lsp *s, struct lsp_file *f); /* its text is another */
void mgi_lsp_add_root(struct lsp *s, struct str uri);
void mgi_lsp_scan_roots(struct lsp *s);
void mgi_lsp_reload(struct lsp *s, struct str uri); /* changed on disk, or gone */
void mgi_lsp_free_files(struct lsp *s);

/* program.c */
/* The program around a file, up to date; NULL: memory. */
struct lsp_program *mgi_lsp_program(struct lsp *s, struct lsp_file *f);
/* One that holds every file of the workspace that may speak of predicates of `f`, for references;
 * the caller's. NULL: memory. */
struct lsp_program *mgi_lsp_wide_program(struct lsp *s, struct lsp_file *f);
void mgi_lsp_program_free(struct lsp_program *p);
bool mgi_lsp_program_has(const struct lsp_program *p, const struct lsp_file *f);
uint32_t mgi_lsp_unit_of(const struct lsp_program *p, const struct lsp_file *f);

/* ---- answering ------------------------------------------------------------------------------ */

/* Codes of JSON-RPC and the protocol. */
enum {
    LSP_PARSE_ERROR = -32700,
    LSP_INVALID_REQUEST = -32600,
    LSP_METHOD_NOT_FOUND = -32601,
    LSP_INVALID_PARAMS = -32602,
    LSP_INTERNAL_ERROR = -32603,
    LSP_NOT_INITIALIZED = -32002,
    LSP_CANCELLED = -32800,
    LSP_REQUEST_FAILED = -32803
};

/* reply.c. A request that fails says so once; without it, s->body is its result. */
void mgi_lsp_fail(struct lsp *s, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void mgi_lsp_notify(struct lsp *s, const char *method, const struct buf *params);
void mgi_lsp_answer(struct lsp *s, const struct json *id); /* NULL: an id nobody knows */

/* Members of params; empty, -1 or NULL if there is none of that type. */
struct str mgi_lsp_text_of(const struct json *object, const char *name);
int64_t mgi_lsp_int_of(const struct json *object, const char *name, int64_t otherwise);
bool mgi_lsp_bool_of(const struct json *object, const char *name, bool otherwise);
struct position mgi_lsp_position_of(const struct json *position);

/* Where a request points. */
struct lsp_place {
    struct lsp_file *file;
    struct lsp_program *program;
    uint32_t unit, offset;
    size_t index; /* of the occurrence there; SIZE_MAX: none */
    struct mangle_occurrence at;
};
/* False after mgi_lsp_fail(). */
bool mgi_lsp_place_of(struct lsp *s, const struct json *params, struct lsp_place *out);

struct position mgi_lsp_position(struct lsp *s, const struct lsp_file *f, size_t offset);
void mgi_lsp_write_position(struct lsp *s, struct json_writer *w, const struct lsp_file *f,
                            size_t offset);
void mgi_lsp_write_range(struct lsp *s, struct json_writer *w, const char *key,
                         const struct lsp_file *f, size_t from, size_t to);
void mgi_lsp_write_location(struct lsp *s, struct json_writer *w, const struct lsp_file *f,
                            size_t from, size_t to);

/* Do two occurrences of one outline mean the same thing? */
bool mgi_lsp_same_thing(const struct mangle_occurrence *a, const struct mangle_occurrence *b);

/* Requests and notifications: rows of the table in server.c. */
typedef void lsp_handler(struct lsp *s, const struct json *params, struct json_writer *w);
lsp_handler mgi_lsp_hover, mgi_lsp_signature_help, mgi_lsp_completion, mgi_lsp_definition,
    mgi_lsp_declaration, mgi_lsp_references, mgi_lsp_highlight, mgi_lsp_symbols,
    mgi_lsp_prepare_rename, mgi_lsp_rename, mgi_lsp_formatting, mgi_lsp_code_action,
    mgi_lsp_semantic_tokens;

extern const char *const mgi_lsp_token_types[]; /* of semantic tokens; NULL at the end */

/* Publish what is wrong with an open document, or that nothing is. */
void mgi_lsp_publish(struct lsp *s, struct lsp_file *f);
void mgi_lsp_publish_nothing(struct lsp *s, const struct lsp_file *f);

/* ---- describing (describe.c) ---------------------------------------------------------------- */

/* "p(X : /number, Y : /string)", as known. */
void mgi_lsp_describe_pred(struct buf *out, const mangle_outline *o, mangle_pred pred);
bool mgi_lsp_find_builtin(const char *name, struct mangle_builtin *out);
bool mgi_lsp_find_word(const char *name, struct mangle_word *out);

/* What stands around a place, also in half a clause (context.c). */
struct lsp_context {
    bool text;        /* within a string or comment */
    bool name_string; /* within a string that may name a predicate */
    enum { IN_CLAUSE, IN_DESCR, IN_BOUND, IN_INCLUSION } section;
    bool declaration;  /* of a Decl */
    bool start;        /* nothing stands before it in its clause */
    uint32_t depth;    /* of brackets */
    uint32_t clause;   /* MANGLE_NO_CLAUSE: none */
    size_t word;       /* where the word at hand begins; the offset if there is none */
    size_t call;       /* occurrence whose arguments these are; SIZE_MAX: none */
    uint32_t argument; /* which, from 0 */
};
struct lsp_context mgi_lsp_context(const struct lsp_place *place);

#endif
