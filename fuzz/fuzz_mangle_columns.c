/* Any text as a column file: no crash, no hang; what is accepted is written, and what was written
 * reads back and is written the same. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mangle.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* The file of all facts of `text`, or NULL if it is none. */
static char *rewrite(const char *text, size_t len, size_t *out_len, bool *refused)
{
    struct mangle_source file = { "facts.sc", text, len };
    struct mangle_column_pred *columns;
    struct mangle_host_pred *preds = NULL;
    mangle_program *program = NULL;
    mangle_base *base = NULL;
    mangle_overlay *o = NULL;
    size_t count;
    char *out = NULL;
    *refused = true;
    mangle_diags *diags = mangle_diags_new();
    if (mangle_columns_preds(&file, &columns, &count, diags) == MANGLE_OK) {
        preds = calloc(count + 1, sizeof *preds);
        for (size_t i = 0; i < count; i++)
            preds[i] = (struct mangle_host_pred){ columns[i].name, columns[i].arity, false };
        struct mangle_compile_options options = { .host_preds = preds, .host_pred_count = count };
        struct mangle_limits limits = { .max_bytes = (int64_t)64 << 20 };
        if (mangle_compile(NULL, 0, &options, &program, NULL) == MANGLE_OK &&
            mangle_base_new(program, &base) == MANGLE_OK &&
            mangle_base_add_columns(base, &file, diags) == MANGLE_OK &&
            mangle_base_close(base, &limits, NULL, NULL) == MANGLE_OK &&
            mangle_overlay_new(base, &o) == MANGLE_OK &&
            mangle_overlay_eval(o, 0, &limits, NULL, NULL) == MANGLE_OK) {
            *refused = false;
            (void)mangle_overlay_columns(o, NULL, 0, &out, out_len, NULL);
        }
        mangle_free(columns);
    }
    mangle_overlay_free(o);
    mangle_base_unref(base);
    mangle_program_unref(program);
    mangle_diags_free(diags);
    free(preds);
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    size_t len, again_len;
    bool refused;
    char *first = rewrite((const char *)bytes, size, &len, &refused);
    if (!first)
        return 0;
    char *second = rewrite(first, len, &again_len, &refused);
    if (refused || !second || len != again_len || memcmp(first, second, len) != 0)
        abort();
    mangle_free(first);
    mangle_free(second);
    return 0;
}
