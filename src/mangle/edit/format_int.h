/* The formatter's own wall. format.c reads tokens with their comments and lays out statement by
 * statement, format_build.c says where a statement may break, format_doc.c decides where it does.
 */
#ifndef MGI_MANGLE_FORMAT_INT_H
#define MGI_MANGLE_FORMAT_INT_H

#include "base/buf.h"
#include "mangle/text/lex.h"

#define FORMAT_WIDTH  100 /* columns */
#define FORMAT_INDENT 2   /* of what belongs to a statement and does not fit its first line */

struct format_comment {
    struct str text;   /* from '#', without blanks at its end */
    bool blank_before; /* an empty line stands before it */
    bool aligned;      /* goes on below a comment that stands behind a token */
};

struct format_token {
    enum token_kind kind;
    struct str text;
    uint32_t width;         /* columns, up to the first line end in it */
    uint32_t comment;       /* the comments on lines of their own before it: */
    uint32_t comment_count; /* items of format_text.comments */
    struct str trailing;    /* comment behind it on its line; ptr NULL: none */
    bool blank_before;      /* an empty line between its comments (or the token before) and it */
};

struct format_text {
    struct arena *arena;
    struct format_token *tokens; /* the last one is TOKEN_END */
    size_t count, cap;
    struct format_comment *comments;
    size_t comment_count, comment_cap;
};

/* The tokens of well-formed UTF-8 and what stands between them, in text->arena and on the heap.
 * False when memory is short. Always ends with mgi_format_text_fini(). */
bool mgi_format_read(struct format_text *text, struct str source);
void mgi_format_text_fini(struct format_text *text);

/* What a layout must keep: the tokens as written, and the comments in their order. */
bool mgi_format_check(struct str before, struct str after);

/* ---- a statement as a document (format_doc.c) ---------------------------------------------- */

enum doc_kind {
    DOC_TOKEN,   /* index: into tokens; with its trailing comment */
    DOC_COMMENT, /* index: into comments; on a line of its own */
    DOC_SPACE,
    DOC_BREAK, /* a blank; a new line if its group is broken */
    DOC_FILL,  /* a blank; a new line if its group is broken and what follows does not fit */
    DOC_OPEN,  /* a group: on one line if it fits and is not `hard`, else broken */
    DOC_CLOSE,
    DOC_INDENT, /* lines go on so much further in, `index` columns … */
    DOC_ALIGN,  /* … or below what follows the last token */
    DOC_OUTDENT /* undoes one of the two */
};

struct doc_node {
    enum doc_kind kind;
    bool hard; /* DOC_OPEN */
    uint32_t index;
};

struct doc {
    struct doc_node *nodes;
    size_t count, cap;
    uint32_t *open; /* the groups that are open: indexes of nodes */
    size_t open_count, open_cap;
    bool comment_behind; /* the last token has one */
    bool oom;
};

void mgi_doc_clear(struct doc *d);
void mgi_doc_fini(struct doc *d);
void mgi_doc_add(struct doc *d, enum doc_kind kind, uint32_t index);
void mgi_doc_open(struct doc *d, bool hard);
void mgi_doc_close(struct doc *d);
/* A comment stands here: what is open cannot stay on one line. */
void mgi_doc_harden(struct doc *d);

/* Append the document to `out`, which ends in a line end or is empty; no line end behind it. */
void mgi_doc_print(const struct doc *d, const struct format_text *text, struct buf *out);

/* ---- building ------------------------------------------------------------------------------ */

/* The document of the statement that begins with tokens[at]; the index behind it. */
size_t mgi_format_statement(const struct format_text *text, size_t at, struct doc *out);

#endif
