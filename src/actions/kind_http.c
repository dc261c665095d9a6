/* `actions: http`: see kinds.h. All requests of a domain are one provider: they share the worker
 * that sends them, each with its own hosts and credentials. */
#include "actions/http_int.h"
#include "base/buf.h"

#define MAX_REQUESTS 1024 /* a plugin has no more tools */

struct requests {
    struct provider_reader *r;
    struct http_one *items;
    size_t count, cap;
    struct kind_files files;
};

static bool take_request(struct requests *all, const struct yaml_node *group,
                         const struct yaml_node *request)
{
    if (request->kind != YAML_MAP) {
        mgi_yaml_error(all->r->yaml, request, "BAD_VALUE", NULL, "a request must be a map, not %s",
                       mgi_yaml_kind_name(request));
        return true;
    }
    if (!mgi_arena_grow(all->r->yaml->arena, &all->items, &all->cap, all->count + 1,
                        sizeof *all->items))
        return false;
    all->items[all->count++] = (struct http_one){ group, request };
    return true;
}

static bool take_group(struct requests *all, const struct yaml_node *group,
                       const struct yaml_node *list)
{
    const char *keys[16];
    size_t count = 0;
    for (; mgi_http_shared_keys[count]; count++)
        keys[count] = mgi_http_shared_keys[count];
    keys[count++] = "requests";
    keys[count] = NULL;
    mgi_yaml_known_keys(all->r->yaml, group, "a file of requests", keys);
    const struct yaml_node *headers = mgi_yaml_get(group, "headers");
    if (headers && headers->kind != YAML_MAP)
        mgi_yaml_error(all->r->yaml, headers, "BAD_VALUE", NULL,
                       "\"headers\" must be a map, not %s", mgi_yaml_kind_name(headers));
    if (list->kind != YAML_LIST || list->count == 0)
        mgi_yaml_error(all->r->yaml, list, "BAD_VALUE", NULL,
                       "\"requests\" must be a list of requests");
    for (size_t i = 0; list->kind == YAML_LIST && i < list->count; i++)
        if (!take_request(all, group, list->entries[i].value))
            return false;
    return true;
}

/* One request, a list of them, or what they share with a list of them. */
static bool take_requests(void *context, const struct yaml_node *root)
{
    const struct yaml_node *requests = mgi_yaml_get(root, "requests");
    if (requests)
        return take_group(context, root, requests);
    if (root->kind != YAML_LIST)
        return take_request(context, NULL, root);
    for (size_t i = 0; i < root->count; i++)
        if (!take_request(context, NULL, root->entries[i].value))
            return false;
    return true;
}

/* ---- the provider --------------------------------------------------------------------------- */

/* May reach the network, and read the certificates that requests name. */
static const struct yaml_node *http_entry(struct requests *all)
{
    struct arena *a = all->r->yaml->arena;
    const struct yaml_node *at = all->items[0].request;
    struct yaml_node *entry = mgi_yaml_made(a, at, YAML_MAP, STR_LIT(""));
    struct yaml_node *may = mgi_yaml_made(a, at, YAML_LIST, STR_LIT(""));
    struct yaml_node *read = mgi_yaml_made(a, at, YAML_LIST, STR_LIT(""));
    struct yaml_node *network = mgi_yaml_made(a, at, YAML_SCALAR, STR_LIT("network"));
    if (!entry || !may || !read || !network ||
        !mgi_arena_grow(a, &may->entries, &may->cap, 1, sizeof *may->entries))
        return NULL;
    may->entries[may->count++] = (struct yaml_entry){ { "", 0 }, at->line, at->column, network };
    for (size_t i = 0; i < all->count; i++) {
        const struct yaml_node *ca = mgi_http_said(&all->items[i], "ca");
        if (!ca || ca->kind != YAML_SCALAR)
            continue; /* told with the request */
        if (!mgi_arena_grow(a, &read->entries, &read->cap, read->count + 1, sizeof *read->entries))
            return NULL;
        read->entries[read->count++] = (struct yaml_entry){
            { "", 0 }, ca->line, ca->column, mgi_yaml_made(a, ca, YAML_SCALAR, ca->text)
        };
        if (!read->entries[read->count - 1].value)
            return NULL;
    }
    return mgi_yaml_set(a, entry, "may", may) &&
                   (read->count == 0 || mgi_yaml_set(a, entry, "read", read))
               ? entry
               : NULL;
}

static bool write_http_settings(struct requests *all, struct buf *settings,
                                struct action_place *places)
{
    struct json_writer w;
    mgi_json_writer_init(&w, settings, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "requests");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < all->count; i++)
        if (!mgi_http_write(all->r, &all->items[i], &w, &places[i]))
            return false;
    mgi_jw_end_array(&w);
    mgi_jw_end_object(&w);
    return !settings->oom;
}

static bool make_http_provider(struct requests *all, const struct yaml_node *node)
{
    struct provider_reader *r = all->r;
    size_t errors = mgi_findings_errors(r->yaml->findings);
    const struct yaml_node *entry = http_entry(all);
    struct buf settings = { 0 };
    struct action_place *places = mgi_arena_calloc(r->yaml->arena, all->count, sizeof *places);
    bool good = entry && places && write_http_settings(all, &settings, places);
    const char *plugin = good ? mgi_provider_plugin(r, node, STR_LIT("http"), true) : NULL;
    if (good) {
        struct action_provider p = {
            .kind = "http",
            .name = STR_LIT("http"),
            .plugin = plugin ? str_of(plugin) : STR_LIT(""),
            .document = mgi_provider_document(r, entry, STR_LIT("http"), mgi_buf_view(&settings)),
            .files = all->files.paths,
            .places = places,
            .place_count = all->count,
        };
        bool sound = plugin && mgi_findings_errors(r->yaml->findings) == errors;
        if (!sound)
            mgi_provider_failed(r);
        good = p.document.ptr && (!sound || mgi_provider_add(r, node, &p));
    }
    mgi_buf_wipe(&settings);
    return good;
}

bool mgi_read_http(struct provider_reader *r, const struct yaml_node *node)
{
    struct requests all = { .r = r };
    all.files = (struct kind_files){ .key = "http", .take = take_requests, .context = &all };
    if (!mgi_kind_files(r, node, &all.files))
        return false;
    if (all.count > MAX_REQUESTS)
        mgi_yaml_error(r->yaml, all.items[0].request, "BAD_VALUE", NULL,
                       "there are %zu requests, of at most %d", all.count, MAX_REQUESTS);
    return all.count == 0 || make_http_provider(&all, node);
}
