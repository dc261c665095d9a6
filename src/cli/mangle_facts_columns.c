/* Facts from simple column files. */
#include "cli/cli_options.h"
#include "cli/mangle_facts.h"

bool mgi_fact_file_unpack(struct fact_file *file, char why[80])
{
    if (file->form != FACTS_COLUMNS || file->compression == COMPRESSION_NONE)
        return true;
    struct buf plain = { 0 };
    bool good =
        mgi_decompress(file->compression, mgi_buf_view(&file->text), FACTS_MAX_BYTES, &plain, why);
    mgi_buf_fini(&file->text);
    file->text = plain;
    return good;
}

static struct mangle_source column_source(const struct fact_file *file)
{
    struct str text = mgi_buf_view(&file->text);
    return (struct mangle_source){ file->path, text.ptr, text.len };
}

bool mgi_column_file_preds(const struct fact_file *file, struct host_pred_list *out)
{
    struct mangle_source source = column_source(file);
    struct mangle_column_pred *preds;
    size_t count;
    enum mangle_status st = mangle_columns_preds(&source, &preds, &count, NULL);
    bool ok = st != MANGLE_ERR_NOMEM;
    for (size_t i = 0; ok && i < count; i++)
        ok = mgi_host_pred_add(out, str_of(preds[i].name), preds[i].arity, false);
    mangle_free(preds);
    return ok;
}

int mgi_column_file_add(const struct fact_file *file, mangle_base *base)
{
    struct mangle_source source = column_source(file);
    mangle_diags *diags = mangle_diags_new();
    return mgi_fact_diags_end(diags, diags ? mangle_base_add_columns(base, &source, diags)
                                           : MANGLE_ERR_NOMEM);
}
