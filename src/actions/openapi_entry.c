/* What an entry of domain.yaml says beside a document's path, and of single operations: see
 * openapi_int.h.
 *
 * It is checked here, once, by a request that is written and thrown away, and not told a thousand
 * times with the document's operations. */
#include "actions/openapi_int.h"

static bool write_away(struct openapi *doc, const struct yaml_node *group,
                       struct yaml_node *request)
{
    struct buf text = { 0 };
    struct json_writer w;
    struct action_place place;
    const struct http_schemas any = { STR_LIT("{}"), STR_LIT("{}"), STR_LIT("") };
    const struct http_one one = { group, request, &any };
    mgi_json_writer_init(&w, &text, 0);
    bool good = mgi_http_write(doc->r, &one, &w, &place);
    mgi_buf_wipe(&text);
    return good;
}

static bool says_header_in(const struct yaml_node *map, struct str name)
{
    for (size_t i = 0; map && map->kind == YAML_MAP && i < map->count; i++)
        if (mgi_str_same(map->entries[i].key, name))
            return true;
    return false;
}

bool mgi_openapi_says_header(const struct openapi_operation *op, struct str name)
{
    return says_header_in(mgi_yaml_get(op->said, "headers"), name) ||
           says_header_in(mgi_yaml_get(op->doc->entry, "headers"), name);
}

/* The document has all arguments; there are none that an author could name. */
static void check_headers(struct openapi *doc, const struct yaml_node *map)
{
    struct word_part *parts;
    const char *why;
    size_t count, at;
    for (size_t i = 0; map && map->kind == YAML_MAP && i < map->count; i++) {
        const struct yaml_node *n = map->entries[i].value;
        if (n->kind != YAML_SCALAR || mgi_http_has_secret(n->text) ||
            !mgi_word_parse(doc->r->yaml->arena, n->text, &parts, &count, &why, &at))
            continue; /* told where it is written */
        for (size_t k = 0; k < count; k++)
            if (parts[k].kind == PART_ARGUMENT)
                mgi_yaml_error(doc->r->yaml, n, "BAD_TEMPLATE",
                               "A variable of the environment is written \"${NAME}\".",
                               "a header here holds no arguments: those are the document's");
    }
}

/* {name: x, description: x, url: /, auth: none}, with what `said` has of `keys`. NULL: memory. */
static struct yaml_node *probe(struct openapi *doc, const struct yaml_node *said,
                               const char *const *keys, bool server)
{
    static const char *const words[][2] = {
        { "name", "x" },      { "description", "x" }, { "url", "/" },
        { "method", "POST" }, { "auth", "none" },     { "server", "https://api.example.com" }
    };
    struct arena *a = doc->r->yaml->arena;
    struct yaml_node *n = mgi_openapi_node(doc, &doc->root, YAML_MAP, STR_LIT(""));
    for (size_t i = 0; n && i < sizeof words / sizeof *words - !server; i++)
        if (!mgi_openapi_put(doc, n, str_of(words[i][0]), &doc->root, str_of(words[i][1])))
            return NULL;
    for (; n && keys && *keys; keys++)
        if (mgi_yaml_get(said, *keys) && !mgi_yaml_set(a, n, *keys, mgi_yaml_get(said, *keys)))
            return NULL;
    return n;
}

static void check_flag(struct openapi *doc)
{
    const struct yaml_node *n = mgi_yaml_get(doc->entry, "output_schema");
    bool is;
    if (n && !mgi_yaml_bool(n, &is))
        mgi_yaml_error(doc->r->yaml, n, "BAD_VALUE", NULL,
                       "output_schema of a document must be true or false");
}

static bool check_entry(struct openapi *doc)
{
    static const char *const own[] = { "openapi",    "only",          "except", "prefix",
                                       "operations", "output_schema", NULL };
    const char *keys[24];
    size_t count = 0;
    for (; own[count]; count++)
        keys[count] = own[count];
    for (size_t i = 0; mgi_http_shared_keys[i]; i++)
        keys[count++] = mgi_http_shared_keys[i];
    keys[count] = NULL;
    mgi_yaml_known_keys(doc->r->yaml, doc->entry, "an entry of a document", keys);
    const struct yaml_node *headers = mgi_yaml_get(doc->entry, "headers");
    if (headers && headers->kind != YAML_MAP)
        mgi_yaml_error(doc->r->yaml, headers, "BAD_VALUE", NULL,
                       "\"headers\" must be a map, not %s", mgi_yaml_kind_name(headers));
    check_headers(doc, headers);
    check_flag(doc);
    struct yaml_node *request = probe(doc, NULL, NULL, !mgi_yaml_get(doc->entry, "server"));
    return request && write_away(doc, doc->entry, request);
}

/* Each says what requests can, but for what the document says. */
static bool check_operations(struct openapi *doc, const struct yaml_node *all)
{
    static const char *const keys[] = { "aid",    "name",       "description", "output",
                                        "select", "ok",         "statuses",    "output_schema",
                                        "tags",   "idempotent", "reversible",  "side_effects",
                                        "server", "allow",      "private",     "auth",
                                        "ca",     "headers",    "timeout",     "max_bytes",
                                        NULL };
    for (size_t i = 0; all && i < all->count; i++) {
        const struct yaml_node *said = all->entries[i].value;
        if (said->kind != YAML_MAP) {
            mgi_yaml_error(
                doc->r->yaml, said, "BAD_VALUE", "Write it as {getOrder: {tags: [read]}}.",
                "what an operation says otherwise must be a map, not %s", mgi_yaml_kind_name(said));
            continue;
        }
        mgi_yaml_known_keys(doc->r->yaml, said, "an operation", keys);
        check_headers(doc, mgi_yaml_get(said, "headers"));
        struct yaml_node *request = probe(doc, said, keys, true);
        if (!request || !write_away(doc, NULL, request))
            return false;
    }
    return true;
}

bool mgi_openapi_check_entry(struct openapi *doc, const struct openapi_choices *choices, bool *good)
{
    size_t errors = mgi_findings_errors(doc->r->yaml->findings);
    bool enough = !doc->entry || (check_entry(doc) && check_operations(doc, choices->operations));
    *good = mgi_findings_errors(doc->r->yaml->findings) == errors;
    return enough;
}
