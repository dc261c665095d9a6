/* One request: YAML -> an element of the settings' "requests" (http_int.h), and everything that is
 * wrong with it. */
#include "actions/command_int.h"
#include "actions/http_int.h"
#include "base/time.h"

#define HTTP_MOST_BYTES (16 << 20)

static const char *const request_keys[] = {
    "aid",   "name",       "description", "method",  "url",           "query",      "body",
    "input", "required",   "output",      "select",  "output_schema", "ok",         "statuses",
    "tags",  "idempotent", "server",      "allow",   "side_effects",  "reversible", "private",
    "auth",  "ca",         "headers",     "timeout", "max_bytes",     NULL
};
const char *const mgi_http_shared_keys[] = { "server",  "allow",   "private",   "auth", "ca",
                                             "headers", "timeout", "max_bytes", NULL };

/* ---- the method ----------------------------------------------------------------------------- */

static const struct method {
    const char *name;
    bool has_body, repeats, destroys;
} methods[] = {
    { "GET", false, true, false },     { "HEAD", false, true, false },
    { "POST", true, false, false },    { "PUT", true, true, false },
    { "PATCH", true, false, false },   { "DELETE", true, true, true },
    { "OPTIONS", false, true, false },
};

static const struct method *method_of(struct provider_reader *r, const struct yaml_node *request)
{
    const struct yaml_node *n = mgi_yaml_get(request, "method");
    for (size_t i = 0; n && n->kind == YAML_SCALAR && i < sizeof methods / sizeof *methods; i++)
        if (str_is(n->text, methods[i].name))
            return &methods[i];
    if (n)
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL,
                       "method is GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS");
    return &methods[0];
}

/* ---- arguments ------------------------------------------------------------------------------ */

/* `required`: arguments of the query, headers and body that have to be given, too. */
static bool require(struct provider_reader *r, const struct yaml_node *request,
                    struct command_uses *uses)
{
    const struct yaml_node *list = mgi_yaml_get(request, "required");
    if (list && list->kind != YAML_LIST)
        mgi_yaml_error(r->yaml, list, "BAD_VALUE", NULL,
                       "\"required\" must be a list of arguments, not %s",
                       mgi_yaml_kind_name(list));
    for (size_t i = 0; list && list->kind == YAML_LIST && i < list->count; i++) {
        const struct yaml_node *n = list->entries[i].value;
        size_t before = uses->count;
        if (!mgi_command_name_uses(r->yaml, n, true, USE_ANY, uses))
            return false;
        if (uses->count > before && !uses->all)
            mgi_yaml_error(r->yaml, n, "UNUSED_ARGUMENT",
                           "Put it where it belongs, or take it out.",
                           "the argument \"%.*s\" reaches nothing", STR_ARG(n->text));
    }
    return true;
}

/* What is answered: as the request says it; else as its document does, if nothing else is said of
 * the answer. */
static bool write_answer_schema(struct provider_reader *r, const struct http_one *one,
                                struct json_writer *w)
{
    const struct yaml_node *output = mgi_yaml_get(one->request, "output_schema");
    const struct yaml_node *select = mgi_yaml_get(one->request, "select");
    if (output && !mgi_kind_check_schema(r, output, "output_schema"))
        return false;
    if (!output && !select && one->schemas && one->schemas->output.len > 0) {
        mgi_jw_key(w, "output_schema");
        mgi_jw_raw(w, one->schemas->output);
    }
    if (output) {
        mgi_jw_key(w, "output_schema");
        mgi_yaml_write_json(w, output);
    }
    return true;
}

static bool write_http_schemas(struct provider_reader *r, const struct http_one *one,
                               struct json_writer *w)
{
    struct command_uses uses = { .joins = true };
    if (one->schemas) {
        mgi_jw_key(w, "input_schema");
        mgi_jw_raw(w, one->schemas->input);
        mgi_jw_key(w, "defaults");
        mgi_jw_raw(w, one->schemas->defaults);
        return write_answer_schema(r, one, w);
    }
    if (!mgi_http_target_uses(r, one, &uses) ||
        !mgi_http_body_uses(r, mgi_yaml_get(one->request, "body"), &uses) ||
        !require(r, one->request, &uses))
        return false;
    const struct yaml_node *schema = mgi_command_schema(r->yaml, one->request, &uses);
    if (!schema || !mgi_kind_check_schema(r, schema, "input"))
        return false;
    mgi_jw_key(w, "input_schema");
    mgi_yaml_write_json(w, schema);
    mgi_kind_defaults(schema, w);
    return write_answer_schema(r, one, w);
}

/* ---- results -------------------------------------------------------------------------------- */

static void write_http_output(struct provider_reader *r, const struct yaml_node *request,
                              struct json_writer *w)
{
    const struct yaml_node *n = mgi_yaml_get(request, "output");
    const struct yaml_node *select = mgi_yaml_get(request, "select");
    bool scalar = n && n->kind == YAML_SCALAR;
    bool json = !n || (scalar && str_is(n->text, "json"));
    if (!json && !(scalar && (str_is(n->text, "text") || str_is(n->text, "none"))))
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "output is json, text or none");
    else if (n)
        mgi_jw_member_str(w, "output", n->text);
    if (!select)
        return;
    if (select->kind != YAML_SCALAR || select->text.len == 0 || select->text.ptr[0] != '/')
        mgi_yaml_error(r->yaml, select, "BAD_VALUE", "Write it as /items/0.",
                       "select is a JSON pointer into the body");
    else if (!json)
        mgi_yaml_error(r->yaml, select, "BAD_VALUE", NULL, "select needs output: json");
    else
        mgi_jw_member_str(w, "select", select->text);
}

/* "404", or "4xx" for all that begin with 4. */
static bool read_status(struct str text, int *from, int *to)
{
    bool digits = text.len == 3 && text.ptr[0] >= '1' && text.ptr[0] <= '5';
    if (digits && text.ptr[1] == 'x' && text.ptr[2] == 'x') {
        *from = (text.ptr[0] - '0') * 100;
        *to = *from + 99;
        return true;
    }
    *from = 0;
    for (size_t i = 0; digits && i < 3; i++) {
        digits = text.ptr[i] >= '0' && text.ptr[i] <= '9';
        *from = *from * 10 + (text.ptr[i] - '0');
    }
    *to = *from;
    return digits;
}

static void write_ok(struct provider_reader *r, const struct yaml_node *list, struct json_writer *w)
{
    int from, to;
    if (!list)
        return;
    if (list->kind != YAML_LIST || list->count == 0 || list->count > 64)
        mgi_yaml_error(r->yaml, list, "BAD_VALUE", "Write it as [200, 201].",
                       "ok must be a list of statuses");
    mgi_jw_key(w, "ok");
    mgi_jw_begin_array(w);
    for (size_t i = 0; list->kind == YAML_LIST && i < list->count; i++) {
        const struct yaml_node *n = list->entries[i].value;
        if (n->kind != YAML_SCALAR || !read_status(n->text, &from, &to) || from != to)
            mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "a status is a number, 100 to 599");
        else
            mgi_jw_int(w, from);
    }
    mgi_jw_end_array(w);
}

static void write_statuses(struct provider_reader *r, const struct yaml_node *map,
                           struct json_writer *w)
{
    int from, to;
    if (!map)
        return;
    if (map->kind != YAML_MAP) {
        mgi_yaml_error(r->yaml, map, "BAD_VALUE", "Write it as {404: there is no such order}.",
                       "statuses must be a map of statuses to texts");
        return;
    }
    mgi_jw_key(w, "statuses");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < map->count; i++) {
        const struct yaml_entry *e = &map->entries[i];
        if (!read_status(e->key, &from, &to) || e->value->kind != YAML_SCALAR ||
            e->value->text.len == 0) {
            mgi_yaml_error(r->yaml, e->value, "BAD_VALUE", NULL,
                           "a status such as 404 or 4xx, and what it means as text");
            continue;
        }
        mgi_jw_begin_object(w);
        mgi_jw_member_int(w, "from", from);
        mgi_jw_member_int(w, "to", to);
        mgi_jw_member_str(w, "text", e->value->text);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

/* ---- what it does --------------------------------------------------------------------------- */

static void write_http_effects(struct provider_reader *r, const struct yaml_node *request,
                               const struct method *m, struct json_writer *w)
{
    const struct yaml_node *n = mgi_yaml_get(request, "side_effects");
    const struct str usual[] = { { "network_io", 10 }, { "destructive", 11 } };
    if (!n)
        mgi_jw_member_strs(w, "side_effects", usual, m->destroys ? 2 : 1);
    else if (n->kind == YAML_LIST && n->count == 0)
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "\"side_effects\" is empty: say none");
    else
        mgi_kind_word_list(r, n, "side_effects", w);
}

static bool flag(struct provider_reader *r, const struct yaml_node *request, const char *key,
                 bool otherwise)
{
    const struct yaml_node *n = mgi_yaml_get(request, key);
    bool is = otherwise;
    if (n && !mgi_yaml_bool(n, &is))
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "%s must be true or false", key);
    return is;
}

static void write_http_flags(struct provider_reader *r, const struct yaml_node *request,
                             const struct method *m, struct json_writer *w)
{
    bool repeats = flag(r, request, "idempotent", m->repeats);
    bool undone = flag(r, request, "reversible", false);
    mgi_jw_key(w, "flags");
    mgi_jw_begin_array(w);
    if (repeats)
        mgi_jw_cstring(w, "idempotent");
    if (undone)
        mgi_jw_cstring(w, "reversible");
    mgi_jw_end_array(w);
}

static void write_http_limits(struct provider_reader *r, const struct http_one *one,
                              struct json_writer *w)
{
    const struct yaml_node *timeout = mgi_http_said(one, "timeout");
    const struct yaml_node *most = mgi_http_said(one, "max_bytes");
    mgi_kind_timeout(r, timeout, w);
    mgi_kind_bytes(r, most, "max_bytes", HTTP_MOST_BYTES, w);
}

bool mgi_http_write(struct provider_reader *r, const struct http_one *one, struct json_writer *w,
                    struct action_place *place)
{
    const struct yaml_node *request = one->request;
    mgi_yaml_known_keys(r->yaml, request, "a request", request_keys);
    const struct method *m = method_of(r, request);
    mgi_jw_begin_object(w);
    mgi_kind_identity(r, request, "a request", w, place);
    mgi_jw_member_cstr(w, "method", m->name);
    if (!write_http_schemas(r, one, w) || !mgi_http_write_target(r, one, w))
        return false;
    mgi_http_write_body(r, mgi_yaml_get(request, "body"), m->has_body ? NULL : m->name, w);
    write_http_output(r, request, w);
    write_ok(r, mgi_yaml_get(request, "ok"), w);
    write_statuses(r, mgi_yaml_get(request, "statuses"), w);
    write_http_effects(r, request, m, w);
    mgi_kind_word_list(r, mgi_yaml_get(request, "tags"), "tags", w);
    write_http_flags(r, request, m, w);
    write_http_limits(r, one, w);
    mgi_jw_end_object(w);
    return true;
}
