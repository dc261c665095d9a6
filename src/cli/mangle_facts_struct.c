/* A JSON document as the one fact PRED({...}): its struct is the argument (M-IO-60 to 67). */
#include "cli/cli_options.h"
#include "cli/mangle_facts.h"
#include "protocol/json_struct.h"

bool mgi_struct_file_preds(const struct fact_file *file, struct host_pred_list *out)
{
    return mgi_host_pred_add(out, file->pred, 1, false);
}

static mangle_value json_struct(const struct fact_file *file, mangle_values *values)
{
    struct json_struct_error e;
    mangle_value v = mgi_struct_from_json(values, mgi_buf_view(&file->text), &e);
    const struct cli_style *s = mgi_cli_style(stderr);
    if (v == MANGLE_NONE && e.oom)
        mgi_cli_error("out of memory");
    else if (v == MANGLE_NONE)
        fprintf(stderr, "%s:%u:%u: %serror:%s %s%s%s\n", file->path, e.line, e.column, s->red,
                s->reset, e.path, e.path[0] ? ": " : "", e.message);
    return v;
}

int mgi_struct_file_add(const struct fact_file *file, mangle_base *base)
{
    char name[256];
    snprintf(name, sizeof name, "%.*s", STR_ARG(file->pred));
    mangle_pred pred = mangle_pred_find(mangle_base_program(base), name, 1);
    if (pred == MANGLE_NO_PRED) {
        mgi_cli_error("%s: the program does not know \"%s\" with 1 argument", file->path, name);
        return EXIT_WRONG;
    }
    mangle_value v = json_struct(file, mangle_base_values(base));
    struct mangle_error error = { 0 };
    if (v == MANGLE_NONE)
        return EXIT_WRONG;
    enum mangle_status st = mangle_base_add(base, pred, &v, 1, NULL, &error);
    if (st)
        mgi_cli_error("%s: %s", file->path,
                      error.message[0] ? error.message : mangle_status_text(st));
    return st == MANGLE_OK ? EXIT_ANSWERED : st == MANGLE_ERR_NOMEM ? EXIT_USAGE : EXIT_WRONG;
}
