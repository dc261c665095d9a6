/* Depth of JSON texts: see deep.h. Brackets outside of strings are all that counts. */
#include "mcp/deep.h"

struct descent {
    struct str text;
    size_t at, depth;
    bool in_string;
};

/* One byte on; `depth` is that around what follows. */
static void step(struct descent *d)
{
    char c = d->text.ptr[d->at++];
    if (d->in_string) {
        d->at += c == '\\' && d->at < d->text.len;
        d->in_string = c != '"';
        return;
    }
    d->in_string = c == '"';
    if (c == '{' || c == '[')
        d->depth++;
    else if ((c == '}' || c == ']') && d->depth > 0)
        d->depth--;
}

size_t mgi_mcp_depth(struct str json)
{
    struct descent d = { .text = json };
    size_t most = 0;
    while (d.at < json.len) {
        step(&d);
        most = d.depth > most ? d.depth : most;
    }
    return most;
}

void mgi_mcp_cut_deep(struct buf *out, struct str json, size_t most)
{
    struct descent d = { .text = json };
    while (d.at < json.len) {
        size_t begin = d.at, before = d.depth;
        step(&d);
        if (before > most)
            continue; /* within what is cut */
        if (d.depth > most)
            mgi_buf_puts(out, "null");
        else
            mgi_buf_append(out, json.ptr + begin, d.at - begin);
    }
}
