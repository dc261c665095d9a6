/* A document as the one fact PRED({...}): its struct is the argument. JSON (M-IO-60 to 67), or a
 * protocol buffer message with the descriptor set that describes it (M-IO-68). */
#include "cli/cli_options.h"
#include "cli/mangle_facts.h"
#include "protocol/json_struct.h"
#include "protocol/protobuf.h"

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

bool mgi_fact_file_typed(struct fact_file *file, const char *argument, const char **why,
                         const char **hint)
{
    const char *colon = argument ? strrchr(argument, ':') : NULL;
    *why = *hint = NULL;
    if (!colon || colon == argument || !colon[1]) {
        *why = argument ? "--proto says no message type" : "--proto is missing";
        *hint = "Write --proto SET.pb:package.Message; protoc --descriptor_set_out makes SET.pb.";
        return false;
    }
    file->message = str_of(colon + 1);
    struct buf path = { 0 };
    mgi_buf_append(&path, argument, (size_t)(colon - argument));
    bool read = !path.oom && mgi_cli_read_file(path.ptr, FACTS_MAX_BYTES, &file->set, why);
    if (path.oom)
        *why = "out of memory";
    if (!read)
        *hint = "--proto names a descriptor set that can be read: SET.pb:package.Message.";
    file->set_path = argument;
    mgi_buf_fini(&path);
    return read;
}

static void tell_proto_error(const char *path, const struct proto_error *e)
{
    const struct cli_style *s = mgi_cli_style(stderr);
    if (e->oom)
        mgi_cli_error("out of memory");
    else
        fprintf(stderr, "%s: byte %zu: %serror:%s %s%s%s\n", path, e->offset, s->red, s->reset,
                e->path, e->path[0] ? ": " : "", e->message);
}

static mangle_value proto_struct(const struct fact_file *file, mangle_values *values)
{
    struct proto_error e;
    struct proto_set *set = mgi_proto_set_read(mgi_buf_view(&file->set), &e);
    mangle_value v = MANGLE_NONE;
    if (!set) {
        tell_proto_error(file->set_path, &e);
        return v;
    }
    v = mgi_struct_from_proto(set, file->message, values, mgi_buf_view(&file->text), &e);
    if (v == MANGLE_NONE)
        tell_proto_error(file->path, &e);
    mgi_proto_set_free(set);
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
    mangle_values *values = mangle_base_values(base);
    mangle_value v =
        file->form == FACTS_JSON ? json_struct(file, values) : proto_struct(file, values);
    struct mangle_error error = { 0 };
    if (v == MANGLE_NONE)
        return EXIT_WRONG;
    enum mangle_status st = mangle_base_add(base, pred, &v, 1, NULL, &error);
    if (st)
        mgi_cli_error("%s: %s", file->path,
                      error.message[0] ? error.message : mangle_status_text(st));
    return st == MANGLE_OK ? EXIT_ANSWERED : st == MANGLE_ERR_NOMEM ? EXIT_USAGE : EXIT_WRONG;
}
