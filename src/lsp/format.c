/* Formatting: the canonical layout, as one edit of the lines that differ. */
#include "lsp/lsp_int.h"

/* The lines that both texts begin with, as bytes. */
static size_t same_begin(struct str a, struct str b)
{
    size_t line = 0;
    for (size_t i = 0; i < a.len && i < b.len && a.ptr[i] == b.ptr[i]; i++)
        if (a.ptr[i] == '\n')
            line = i + 1;
    return line;
}

/* The lines that both texts end with, as bytes, none of the first `from`. */
static size_t same_end(struct str a, struct str b, size_t from)
{
    size_t line = 0;
    for (size_t i = 0; i < a.len - from && i < b.len - from; i++) {
        char c = a.ptr[a.len - 1 - i];
        if (c != b.ptr[b.len - 1 - i])
            break;
        if (c == '\n')
            line = i;
    }
    return line;
}

void mgi_lsp_formatting(struct lsp *s, const struct json *params, struct json_writer *w)
{
    struct lsp_place place;
    char *laid_out;
    size_t len;
    if (!mgi_lsp_place_of(s, params, &place))
        return;
    struct str now = mgi_buf_view(&place.file->text.body);
    struct mangle_source source = { place.file->key, now.ptr, now.len };
    enum mangle_status st = mangle_format(&source, &laid_out, &len, NULL);
    if (st) {
        mgi_lsp_fail(s, st == MANGLE_ERR_NOMEM ? LSP_INTERNAL_ERROR : LSP_REQUEST_FAILED,
                     st == MANGLE_ERR_NOMEM ? "out of memory"
                                            : "only a text without syntax errors can be laid out");
        return;
    }
    struct str then = { laid_out, len };
    mgi_jw_begin_array(w);
    if (!str_eq(now, then)) {
        size_t from = same_begin(now, then), back = same_end(now, then, from);
        struct str middle = { then.ptr + from, then.len - from - back };
        mgi_jw_begin_object(w);
        mgi_lsp_write_range(s, w, "range", place.file, from, now.len - back);
        mgi_jw_member_str(w, "newText", middle);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
    mangle_free(laid_out);
}
