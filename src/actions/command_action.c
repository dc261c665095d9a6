/* One command: YAML -> an element of the settings' "actions" (command_int.h), and everything that
 * is wrong with it. */
#include "actions/command_int.h"
#include "base/near.h"
#include "base/time.h"
#include "base/utf8.h"
#include "domain/command_form.h"

/* ---- words ---------------------------------------------------------------------------------- */

void mgi_command_write_parts(struct provider_reader *r, struct str word, struct json_writer *w)
{
    struct word_part *parts;
    const char *why;
    size_t count, at;
    if (!mgi_word_parse(r->yaml->arena, word, &parts, &count, &why, &at))
        count = 0; /* told */
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < count; i++) {
        if (parts[i].kind == PART_TEXT) {
            mgi_jw_string(w, parts[i].text);
        } else if (parts[i].kind == PART_SETTING) {
            mgi_jw_string(w, mgi_provider_setting(r, parts[i].text));
        } else {
            mgi_jw_begin_object(w);
            mgi_jw_member_str(w, "arg", parts[i].text);
            if (parts[i].may_be_option)
                mgi_jw_member_bool(w, "option", true);
            mgi_jw_end_object(w);
        }
    }
    mgi_jw_end_array(w);
}

static void write_each(struct provider_reader *r, const struct yaml_node *n, struct json_writer *w)
{
    const struct yaml_node *name = mgi_yaml_get(n, "each"), *as = mgi_yaml_get(n, "as");
    char *whole = mgi_arena_printf(r->yaml->arena, "{%.*s}", STR_ARG(name->text));
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "each", name->text);
    mgi_jw_key(w, "parts");
    mgi_command_write_parts(r, as ? as->text : str_of(whole), w);
    mgi_jw_end_object(w);
}

static void write_simple(struct provider_reader *r, const struct yaml_node *n,
                         struct json_writer *w)
{
    if (mgi_yaml_get(n, "each"))
        write_each(r, n, w);
    else
        mgi_command_write_parts(r, n->text, w);
}

static void write_word(struct provider_reader *r, const struct yaml_node *n, struct json_writer *w)
{
    const struct yaml_node *name = mgi_yaml_get(n, "if"), *then = mgi_yaml_get(n, "then");
    if (!name) {
        write_simple(r, n, w);
        return;
    }
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "if", name->text);
    mgi_jw_key(w, "then");
    mgi_jw_begin_array(w);
    for (size_t i = 0; then && i < then->count; i++)
        write_simple(r, then->entries[i].value, w);
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
}

static void write_run(struct provider_reader *r, const struct yaml_node *command,
                      const struct yaml_node *run, struct json_writer *w,
                      struct action_place *place)
{
    if (run->kind != YAML_LIST || run->count == 0)
        return; /* told */
    const struct yaml_node *name = run->entries[0].value;
    bool plain = name->kind == YAML_SCALAR && !memchr(name->text.ptr, '{', name->text.len);
    if (!plain)
        mgi_yaml_error(r->yaml, name, "BAD_TEMPLATE", NULL,
                       "the program is named here, and no argument chooses it");
    const char *program = plain ? mgi_provider_program(r, name, name->text) : NULL;
    mgi_jw_member_cstr(w, "program", program ? program : "");
    place->runs = program;
    if (program)
        mgi_program_needs(r, command, name, program);
    mgi_jw_key(w, "run");
    mgi_jw_begin_array(w);
    mgi_jw_begin_array(w);
    mgi_jw_string(w, name->text);
    mgi_jw_end_array(w);
    for (size_t i = 1; i < run->count; i++)
        write_word(r, run->entries[i].value, w);
    mgi_jw_end_array(w);
}

/* ---- arguments ------------------------------------------------------------------------------ */

static bool is_of_tool(struct provider_reader *r, const struct yaml_node *command)
{
    for (size_t i = 0; i < r->tool_command_count; i++)
        if (r->tool_commands[i] == command)
            return true;
    return false;
}

/* A tool that is its own command has its schemas checked as a tool. */
static bool write_schemas(struct provider_reader *r, const struct yaml_node *command,
                          const struct yaml_node *schema, struct json_writer *w)
{
    const struct yaml_node *output = mgi_yaml_get(command, "output_schema");
    if (!is_of_tool(r, command) && (!mgi_kind_check_schema(r, schema, "input") ||
                                    (output && !mgi_kind_check_schema(r, output, "output_schema"))))
        return false;
    mgi_jw_key(w, "input_schema");
    mgi_yaml_write_json(w, schema);
    mgi_kind_defaults(schema, w);
    if (output) {
        mgi_jw_key(w, "output_schema");
        mgi_yaml_write_json(w, output);
    }
    return true;
}

static void write_stdin(struct provider_reader *r, const struct yaml_node *n, struct json_writer *w)
{
    const struct yaml_node *text = mgi_yaml_get(n, "text"), *json = mgi_yaml_get(n, "json");
    if (!n)
        return;
    mgi_jw_key(w, "stdin");
    mgi_jw_begin_object(w);
    if (text) {
        mgi_jw_key(w, "text");
        mgi_command_write_parts(r, text->text, w);
    } else if (json && json->kind == YAML_LIST) {
        mgi_jw_key(w, "json");
        mgi_yaml_write_json(w, json);
    } else if (str_is(n->text, "json")) {
        mgi_jw_member_bool(w, "json", true);
    } else {
        mgi_jw_key(w, "text");
        mgi_command_write_parts(r, STR_LIT("{stdin}"), w);
    }
    mgi_jw_end_object(w);
}

/* ---- what it is and does -------------------------------------------------------------------- */

static void write_effects(struct provider_reader *r, const struct yaml_node *command,
                          struct json_writer *w)
{
    const struct yaml_node *n = mgi_yaml_get(command, "side_effects");
    if (!n)
        mgi_yaml_error(r->yaml, command, "MISSING_KEY",
                       "side_effects: none, if it only reads; else filesystem_write, network_io, "
                       "destructive, …: it decides who is asked before it runs.",
                       "\"side_effects\" is missing");
    bool none = false;
    for (size_t i = 0; n && n->kind == YAML_LIST && i < n->count; i++) {
        const struct yaml_node *one = n->entries[i].value;
        none |= str_is(one->text, "none");
        if (one->kind == YAML_SCALAR && one->text.len == 0)
            mgi_yaml_error(r->yaml, one, "BAD_VALUE", NULL, "a side effect has a name");
    }
    if (n && n->kind == YAML_LIST && (n->count == 0 || (none && n->count > 1)))
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL,
                       n->count ? "\"none\" stands beside another side effect"
                                : "\"side_effects\" is empty: say none");
    mgi_kind_word_list(r, n, "side_effects", w);
}

static void write_flags(struct provider_reader *r, const struct yaml_node *command,
                        struct json_writer *w)
{
    static const char *const names[] = { "idempotent", "reversible", "deterministic" };
    mgi_jw_key(w, "flags");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct yaml_node *n = mgi_yaml_get(command, names[i]);
        bool is = false;
        if (n && !mgi_yaml_bool(n, &is))
            mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "%s must be true or false", names[i]);
        if (is)
            mgi_jw_cstring(w, names[i]);
    }
    mgi_jw_end_array(w);
}

static void write_limits(struct provider_reader *r, const struct yaml_node *command,
                         struct json_writer *w)
{
    const struct yaml_node *timeout = mgi_yaml_get(command, "timeout");
    const struct yaml_node *most = mgi_yaml_get(command, "max_output");
    const struct yaml_node *progress = mgi_yaml_get(command, "progress");
    mgi_kind_timeout(r, timeout, w);
    mgi_kind_bytes(r, most, "max_output", COMMAND_MAX_OUTPUT, w);
    if (progress && !(progress->kind == YAML_SCALAR && str_is(progress->text, "stderr")))
        mgi_yaml_error(r->yaml, progress, "BAD_VALUE", NULL, "progress is read from: stderr");
    else if (progress)
        mgi_jw_member_bool(w, "progress", true);
}

static void write_paths(struct provider_reader *r, const struct yaml_node *list, const char *key,
                        struct json_writer *w)
{
    if (!list || list->kind != YAML_LIST)
        return; /* told with the provider's document, as is a member that is no text */
    mgi_jw_key(w, key);
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < list->count; i++) {
        const char *path = mgi_provider_granted(r, list->entries[i].value, false);
        if (path && path[0])
            mgi_jw_cstring(w, path);
    }
    mgi_jw_end_array(w);
}

static void write_rights(struct provider_reader *r, const struct yaml_node *command,
                         struct json_writer *w)
{
    const struct yaml_node *may = mgi_yaml_get(command, "may");
    if (may && may->kind == YAML_LIST) {
        mgi_jw_key(w, "may");
        mgi_yaml_write_json(w, may);
    }
    write_paths(r, mgi_yaml_get(command, "read"), "read", w);
    write_paths(r, mgi_yaml_get(command, "write"), "write", w);
}

/* Of a tool that is its own command everything was looked at when it was taken apart. */
static const struct yaml_node *schema_of(struct provider_reader *r, const struct yaml_node *command)
{
    struct command_uses uses;
    if (is_of_tool(r, command))
        return mgi_yaml_get(command, "input_schema");
    mgi_yaml_known_keys(r->yaml, command, "a command", mgi_command_keys);
    return mgi_command_uses(r->yaml, r->settings, command, &uses)
               ? mgi_command_schema(r->yaml, command, &uses)
               : NULL;
}

bool mgi_command_write(struct provider_reader *r, const struct yaml_node *command,
                       struct json_writer *w, struct action_place *place)
{
    const struct yaml_node *run = mgi_yaml_get(command, "run");
    const struct yaml_node *folder = mgi_yaml_get(command, "folder");
    const struct yaml_node *schema = schema_of(r, command);
    if (!schema)
        return false;
    mgi_jw_begin_object(w);
    mgi_kind_identity(r, command, "a command", w, place);
    if (!write_schemas(r, command, schema, w))
        return false;
    if (run)
        write_run(r, command, run, w, place);
    else
        mgi_yaml_error(r->yaml, command, "MISSING_KEY",
                       "Write it as run: [git, log, \"--max-count={n}\"].", "\"run\" is missing");
    write_stdin(r, mgi_yaml_get(command, "stdin"), w);
    if (folder) {
        mgi_jw_key(w, "folder");
        mgi_command_write_parts(r, folder->text, w);
    }
    mgi_kind_environment(r, command, NULL, w);
    mgi_command_write_results(r, command, w);
    write_effects(r, command, w);
    mgi_kind_word_list(r, mgi_yaml_get(command, "tags"), "tags", w);
    write_flags(r, command, w);
    write_limits(r, command, w);
    write_rights(r, command, w);
    mgi_jw_end_object(w);
    return true;
}
