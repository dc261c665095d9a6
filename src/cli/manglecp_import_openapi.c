/* `manglecp import openapi`: the operations of a document as a domain; see manglecp_import.h. What
 * an operation becomes is decided where documents are read for any domain (actions/openapi.c): here
 * its folder is made, loaded, and its actions are taken as tools. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/manglecp_import.h"
#include "domain/yaml.h"
#include "import/quote.h"
#include "sys/secrets.h"

#define DOCUMENT_BYTES ((size_t)32 << 20)

static struct str text_at(const struct yaml_node *map, const char *key)
{
    const struct yaml_node *n = map ? mgi_yaml_get(map, key) : NULL;
    return n && n->kind == YAML_SCALAR ? n->text : STR_LIT("");
}

/* ---- credentials ------------------------------------------------------------------------------
 */

/* ${SHOP_KEY}: what has to be set; for now by a word, so that the domain loads. */
static bool put_variable(struct importing *im, struct buf *out, struct str scheme,
                         const char *behind, const char *where)
{
    struct import_config *c = &im->config;
    struct str server = im->servers[0].name;
    char *name = mgi_import_snake(
        &im->arena, str_of(mgi_arena_printf(&im->arena, "%.*s_%.*s%s", STR_ARG(server),
                                            STR_ARG(scheme), behind)));
    for (char *z = name; z && *z; z++)
        *z = *z >= 'a' && *z <= 'z' ? (char)(*z - 'a' + 'A') : *z;
    if (!name || (!mgi_secret(name) && !mgi_secrets_add(name, STR_LIT("not set yet"))) ||
        !mgi_arena_grow(&im->arena, &c->variables, &c->variable_cap, c->variable_count + 1,
                        sizeof *c->variables))
        return false;
    c->variables[c->variable_count++] =
        (struct import_variable){ str_of(name), { NULL, 0 }, where, server };
    mgi_buf_printf(out, "\"${%s}\"", name);
    return true;
}

static bool put_scheme(struct importing *im, struct buf *out, const struct yaml_entry *e)
{
    struct str type = text_at(e->value, "type"), scheme = text_at(e->value, "scheme");
    bool basic = str_is(type, "http") && (str_is(scheme, "basic") || str_is(scheme, "Basic"));
    mgi_import_yaml_key(out, e->key);
    if (!basic)
        return put_variable(im, out, e->key, "", "a credential");
    mgi_buf_puts(out, "{user: ");
    if (!put_variable(im, out, e->key, "_user", "a user's name"))
        return false;
    mgi_buf_puts(out, ", password: ");
    bool good = put_variable(im, out, e->key, "_password", "a password");
    mgi_buf_putc(out, '}');
    return good;
}

static bool put_auth(struct importing *im, struct buf *out, const struct yaml_node *root)
{
    const struct yaml_node *components = mgi_yaml_get(root, "components");
    const struct yaml_node *schemes =
        components ? mgi_yaml_get(components, "securitySchemes") : NULL;
    size_t count = 0;
    for (size_t i = 0; schemes && schemes->kind == YAML_MAP && i < schemes->count; i++) {
        const struct yaml_node *v = schemes->entries[i].value;
        struct str type = text_at(v, "type"), in = text_at(v, "in");
        if (v->kind != YAML_MAP || str_is(type, "mutualTLS") || str_is(in, "cookie"))
            continue; /* what cannot be sent: operations that need it are left out, and told */
        mgi_buf_puts(out, count++ ? ", " : "      auth: {");
        if (!put_scheme(im, out, &schemes->entries[i]))
            return false;
    }
    mgi_buf_puts(out, count ? "}\n" : "");
    return true;
}

/* ---- the folder -------------------------------------------------------------------------------
 */

/* The last part of the path without its ending, as a name. */
static char *document_name(struct importing *im, const char *path)
{
    const char *slash = strrchr(path, '/');
    struct str base = str_of(slash ? slash + 1 : path);
    const char *dot = base.len > 1 ? memchr(base.ptr + 1, '.', base.len - 1) : NULL;
    if (dot)
        base.len = (size_t)(dot - base.ptr);
    return mgi_import_snake(&im->arena, base);
}

/* `actions:` of domain.yaml. */
static bool write_actions(struct importing *im, const struct yaml_node *root, const char *file)
{
    struct buf text = { 0 };
    mgi_buf_printf(&text, "\nactions:\n  http:\n    - openapi: %s\n", file);
    if (im->address) {
        mgi_buf_puts(&text, "      server: ");
        mgi_import_yaml_text(&text, str_of(im->address));
        mgi_buf_puts(&text, "\n");
        if (mgi_import_is_near(str_of(im->address)))
            mgi_buf_puts(&text, "      private: true\n");
    }
    bool good = put_auth(im, &text, root) && !text.oom;
    im->actions = good ? mgi_arena_strdup(&im->arena, text.ptr) : NULL;
    mgi_buf_fini(&text);
    return im->actions != NULL;
}

static bool put_document(struct importing *im, const char *path)
{
    struct buf text = { 0 };
    const char *why, *dot = strrchr(path, '.');
    bool json = dot && strcmp(dot, ".json") == 0;
    const struct yaml_context c = { .arena = &im->arena, .findings = im->findings };
    char *name = document_name(im, path);
    char *file =
        name ? mgi_arena_printf(&im->arena, "openapi/%s.%s", name, json ? "json" : "yaml") : NULL;
    im->servers = mgi_arena_calloc(&im->arena, 2, sizeof *im->servers);
    if (!file || !im->servers || !mgi_cli_read_file(path, DOCUMENT_BYTES, &text, &why)) {
        mgi_cli_error("%s: %s", path, file && im->servers ? why : "out of memory");
        mgi_buf_fini(&text);
        return false;
    }
    struct str kept = mgi_arena_str(&im->arena, mgi_buf_view(&text));
    im->servers[im->server_count++] =
        (struct import_server){ .name = str_of(name), .original = str_of(name) };
    struct yaml_node *root = kept.ptr ? mgi_yaml_parse(&c, path, kept, 0) : NULL;
    if (!root)
        mgi_host_print_findings(im->findings);
    mgi_findings_forget(im->findings);
    bool good = root && mgi_import_stage(im) && write_actions(im, root, file) &&
                mgi_import_put(im, file, kept) &&
                mgi_import_files_take(&im->files, file, &text, false);
    mgi_buf_fini(&text);
    return good;
}

/* ---- its operations ---------------------------------------------------------------------------
 */

static bool take_action(struct importing *im, const struct action *a)
{
    struct import_tool *t = &im->tools[im->tool_count++];
    struct json *schema = mgi_arena_calloc(&im->arena, 1, sizeof *schema);
    struct str text = mgi_arena_str(&im->arena, a->input_schema_text);
    const struct json_options options = { .max_depth = 128 };
    if (!schema || !text.ptr)
        return false;
    *t = (struct import_tool){ .server = im->servers[0].name,
                               .name = mgi_arena_str(&im->arena, a->name),
                               .description = mgi_arena_str(&im->arena, a->description),
                               .aid = mgi_arena_str(&im->arena, a->aid),
                               .safe = a->tier == 0,
                               .hints = { -1, -1, -1, -1 } };
    for (size_t i = 0; i < a->effect_count; i++)
        if (str_is(a->effects[i], "destructive"))
            t->deletes = true;
    if (text.len > 0 && mgi_json_parse(&im->arena, text, &options, schema, NULL) == JSON_OK)
        t->schema = schema;
    return mgi_import_study(&im->arena, t);
}

static int take_operations(struct importing *im)
{
    struct findings *findings = mgi_findings_new();
    struct snapshot *s = findings ? mgi_host_check(&im->host, &im->arena, findings) : NULL;
    bool good = s != NULL;
    if (findings && (!s || mgi_findings_count(findings) > 0))
        mgi_host_print_findings(findings);
    if (s)
        im->tools = mgi_arena_calloc(&im->arena, s->action_count + 1, sizeof *im->tools);
    good = good && im->tools;
    for (size_t i = 0; good && i < s->action_count; i++)
        good = take_action(im, &s->actions[i]);
    good = good && mgi_import_name(im);
    bool some = good && im->tool_count > 0;
    if (!some)
        mgi_cli_error(good ? "it has no operation that can be called: nothing was written"
                           : "nothing was written");
    mgi_snapshot_unref(s);
    mgi_findings_free(findings);
    return some ? EXIT_ANSWERED : EXIT_WRONG;
}

int mgi_import_read_openapi(struct importing *im, const char *path)
{
    struct buf domain = { 0 };
    if (!put_document(im, path))
        return EXIT_USAGE;
    mgi_buf_printf(&domain,
                   "server: {name: %s, version: 0.1.0}\n"
                   "domain: {id: %s, description: An API}\n%s",
                   im->name, im->name, im->actions);
    bool good = !domain.oom && mgi_import_put(im, "domain.yaml", mgi_buf_view(&domain));
    mgi_buf_fini(&domain);
    return good ? take_operations(im) : EXIT_USAGE;
}
