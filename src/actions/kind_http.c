/* `actions: http`: see kinds.h. All requests of a domain share the worker that sends them, each
 * with its own hosts and credentials; where there are more than one worker takes, they are several
 * providers. */
#include "actions/http_int.h"
#include "base/buf.h"

#include <stdlib.h>

enum {
    PROVIDER_REQUESTS = 1024, /* a plugin has no more tools: plugins/http/table.h */
    PROVIDER_BYTES = 3 << 20, /* of their settings: a document has 4 MiB (toolhost/provider.c) */
    MOST_PROVIDERS = 8,
    MOST_REQUESTS = 4096, /* of a domain */
    FILE_BYTES = 32 << 20,
    JSON_DEPTH = 128,
    MOST_TWINS = 20 /* that are told */
};

/* What one worker takes. */
struct share {
    struct buf settings; /* the elements of "requests" */
    size_t first, count; /* of `places` */
};

struct requests {
    struct provider_reader *r;
    const struct yaml_node *node; /* `http` in domain.yaml */
    struct share *shares;
    size_t share_count, share_cap;
    struct action_place *places;
    size_t count, cap;
    const struct yaml_node **read; /* files of certificates, as text */
    size_t read_count, read_cap;
    struct kind_files files;
};

/* One file, while it is read: what is made of it lives in its own arena. */
struct request_file {
    struct requests *all;
    const struct yaml_node *entry; /* that names it, a map; or NULL */
    struct provider_reader r;
    struct yaml_context yaml;
    struct arena arena;
};

/* ---- a request ------------------------------------------------------------------------------- */

static struct share *share_for(struct requests *all, size_t len)
{
    struct share *last = all->share_count ? &all->shares[all->share_count - 1] : NULL;
    if (last && last->count < PROVIDER_REQUESTS && last->settings.len + len <= PROVIDER_BYTES)
        return last;
    if (!mgi_arena_grow(all->r->yaml->arena, &all->shares, &all->share_cap, all->share_count + 1,
                        sizeof *all->shares))
        return NULL;
    all->shares[all->share_count] = (struct share){ .first = all->count };
    return &all->shares[all->share_count++];
}

static bool keep_request(struct requests *all, const struct buf *text,
                         const struct action_place *place)
{
    struct arena *a = all->r->yaml->arena;
    struct share *share = share_for(all, text->len);
    struct str aid = mgi_arena_str(a, place->aid);
    if (!share || !aid.ptr ||
        !mgi_arena_grow(a, &all->places, &all->cap, all->count + 1, sizeof *all->places))
        return false;
    if (share->count++ > 0)
        mgi_buf_putc(&share->settings, ',');
    mgi_buf_str(&share->settings, mgi_buf_view(text));
    all->places[all->count] = *place;
    all->places[all->count++].aid = aid;
    return !share->settings.oom;
}

static bool note_certificates(struct requests *all, const struct http_one *one)
{
    struct arena *a = all->r->yaml->arena;
    const struct yaml_node *ca = mgi_http_said(one, "ca");
    if (!ca || ca->kind != YAML_SCALAR)
        return true; /* told with the request */
    for (size_t i = 0; i < all->read_count; i++)
        if (str_eq(all->read[i]->text, ca->text))
            return true;
    struct yaml_node *copy = mgi_yaml_made(a, ca, YAML_SCALAR, mgi_arena_str(a, ca->text));
    if (!copy || !copy->text.ptr ||
        !mgi_arena_grow(a, &all->read, &all->read_cap, all->read_count + 1, sizeof(void *)))
        return false;
    all->read[all->read_count++] = copy;
    return true;
}

static bool write_http_request(struct request_file *file, const struct http_one *one)
{
    struct requests *all = file->all;
    struct buf text = { 0 };
    struct json_writer w;
    struct action_place place;
    mgi_json_writer_init(&w, &text, 0);
    bool good = mgi_http_write(&file->r, one, &w, &place) && !text.oom &&
                note_certificates(all, one) && keep_request(all, &text, &place);
    mgi_buf_wipe(&text);
    return good;
}

static bool take_operation_request(void *context, const struct http_one *one)
{
    return write_http_request(context, one);
}

static bool take_request(struct request_file *file, const struct yaml_node *group,
                         const struct yaml_node *request)
{
    const struct http_one one = { group, request, NULL };
    if (request->kind == YAML_MAP)
        return write_http_request(file, &one);
    mgi_yaml_error(file->r.yaml, request, "BAD_VALUE", NULL, "a request must be a map, not %s",
                   mgi_yaml_kind_name(request));
    return true;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool take_group(struct request_file *file, const struct yaml_node *group,
                       const struct yaml_node *list)
{
    const char *keys[16];
    size_t count = 0;
    for (; mgi_http_shared_keys[count]; count++)
        keys[count] = mgi_http_shared_keys[count];
    keys[count++] = "requests";
    keys[count] = NULL;
    mgi_yaml_known_keys(file->r.yaml, group, "a file of requests", keys);
    const struct yaml_node *headers = mgi_yaml_get(group, "headers");
    if (headers && headers->kind != YAML_MAP)
        mgi_yaml_error(file->r.yaml, headers, "BAD_VALUE", NULL,
                       "\"headers\" must be a map, not %s", mgi_yaml_kind_name(headers));
    if (list->kind != YAML_LIST || list->count == 0)
        mgi_yaml_error(file->r.yaml, list, "BAD_VALUE", NULL,
                       "\"requests\" must be a list of requests");
    for (size_t i = 0; list->kind == YAML_LIST && i < list->count; i++)
        if (!take_request(file, group, list->entries[i].value))
            return false;
    return true;
}

/* One request, a list of them, or what they share with a list of them. */
static bool take_requests(struct request_file *file, const struct yaml_node *root)
{
    const struct yaml_node *requests = mgi_yaml_get(root, "requests");
    if (requests)
        return take_group(file, root, requests);
    if (root->kind != YAML_LIST)
        return take_request(file, NULL, root);
    for (size_t i = 0; i < root->count; i++)
        if (!take_request(file, NULL, root->entries[i].value))
            return false;
    return true;
}

/* A text that is JSON; false: it is none, and told if that is what it has to be. */
static bool read_json(struct request_file *file, struct openapi_text *text, struct str bytes)
{
    const struct json_options options = { .max_depth = JSON_DEPTH };
    struct str begin = mgi_str_trim(bytes, " \t\r\n");
    bool must = mgi_str_ends(str_of(text->file), STR_LIT(".json"));
    struct json_error error;
    if (!must && !(begin.len > 0 && begin.ptr[0] == '{'))
        return false;
    text->json = bytes;
    if (mgi_json_parse(&file->arena, bytes, &options, &text->root, &error) == JSON_OK)
        return true;
    if (must && error.fault != JSON_NOMEM)
        mgi_findings_add(file->r.yaml->findings, MANGLE_ERROR, "JSON", text->file, error.line,
                         error.column, NULL, "%s", error.message);
    return false;
}

static bool take_text(struct request_file *file, const char *path, struct str bytes)
{
    struct openapi_text text = { .file = path };
    size_t errors = mgi_findings_errors(file->r.yaml->findings);
    if (bytes.len > FILE_BYTES) {
        mgi_findings_add(file->r.yaml->findings, MANGLE_ERROR, "BAD_VALUE", path, 0, 0,
                         "Take what is of use out of it.", "it has more than 32 MiB");
        return true;
    }
    bool json = read_json(file, &text, bytes);
    if (mgi_findings_errors(file->r.yaml->findings) > errors)
        return true;
    if (!json || !(file->entry || mgi_openapi_is_one(&text)))
        text.yaml = mgi_yaml_parse(file->r.yaml, path, bytes, 0);
    if (text.yaml && !file->entry && !mgi_openapi_is_one(&text))
        return take_requests(file, text.yaml);
    if (!text.yaml && !json)
        return true; /* told */
    return mgi_openapi_read(&file->r, &text, file->entry, take_operation_request, file);
}

static bool take_http_file_of(struct requests *all, const struct yaml_node *entry, const char *path,
                              struct str text)
{
    struct request_file file = { .all = all, .entry = entry, .r = *all->r };
    mgi_arena_init(&file.arena, 0);
    file.yaml = (struct yaml_context){ .arena = &file.arena, .findings = all->r->yaml->findings };
    file.r.yaml = &file.yaml;
    bool good = take_text(&file, path, text) && !file.arena.oom;
    if (file.arena.oom)
        all->r->yaml->arena->oom = true; /* whoever asks looks there */
    mgi_arena_fini(&file.arena);
    return good;
}

static bool take_http_file(void *context, const char *path, struct str text)
{
    return take_http_file_of(context, NULL, path, text);
}

struct document_entry {
    struct requests *all;
    const struct yaml_node *entry;
};

static bool take_document(void *context, const char *path, struct str text)
{
    const struct document_entry *d = context;
    return take_http_file_of(d->all, d->entry, path, text);
}

/* {openapi: FILE, …} */
static bool take_entry(void *context, const struct yaml_node *entry)
{
    struct document_entry d = { context, entry };
    const struct yaml_node *file = mgi_yaml_get(entry, "openapi");
    if (file)
        return mgi_kind_file(d.all->r, file, &d.all->files, take_document, &d);
    mgi_yaml_error(d.all->r->yaml, entry, "MISSING_KEY",
                   "Write it as {openapi: openapi/orders.yaml}.", "\"openapi\" is missing");
    return true;
}

/* ---- providers ------------------------------------------------------------------------------- */

/* May reach the network, and read the certificates that requests name. */
static const struct yaml_node *http_entry(struct requests *all)
{
    struct arena *a = all->r->yaml->arena;
    const struct yaml_node *at = all->node;
    struct yaml_node *entry = mgi_yaml_made(a, at, YAML_MAP, STR_LIT(""));
    struct yaml_node *may = mgi_yaml_made(a, at, YAML_LIST, STR_LIT(""));
    struct yaml_node *read = mgi_yaml_made(a, at, YAML_LIST, STR_LIT(""));
    struct yaml_node *network = mgi_yaml_made(a, at, YAML_SCALAR, STR_LIT("network"));
    if (!entry || !may || !read || !network ||
        !mgi_arena_grow(a, &may->entries, &may->cap, 1, sizeof *may->entries) ||
        !mgi_arena_grow(a, &read->entries, &read->cap, all->read_count + 1, sizeof *read->entries))
        return NULL;
    may->entries[may->count++] = (struct yaml_entry){ { "", 0 }, at->line, at->column, network };
    for (size_t i = 0; i < all->read_count; i++)
        read->entries[read->count++] = (struct yaml_entry){
            { "", 0 }, all->read[i]->line, all->read[i]->column, (struct yaml_node *)all->read[i]
        };
    return mgi_yaml_set(a, entry, "may", may) &&
                   (read->count == 0 || mgi_yaml_set(a, entry, "read", read))
               ? entry
               : NULL;
}

static bool write_http_settings(const struct share *share, struct buf *settings)
{
    mgi_buf_puts(settings, "{\"requests\":[");
    mgi_buf_str(settings, mgi_buf_view(&share->settings));
    mgi_buf_puts(settings, "]}");
    return !settings->oom;
}

/* `sound`: nothing was wrong, or it is told and there is no provider. */
static bool make_http_provider(struct requests *all, size_t index, const struct yaml_node *entry,
                               const char *plugin, bool sound)
{
    struct provider_reader *r = all->r;
    const struct share *share = &all->shares[index];
    struct buf settings = { 0 };
    const char *name = index == 0 ? "http" : mgi_arena_printf(r->yaml->arena, "http%zu", index + 1);
    bool good = name && write_http_settings(share, &settings);
    if (good) {
        struct action_provider p = {
            .kind = "http",
            .name = str_of(name),
            .plugin = str_of(plugin ? plugin : ""),
            .document = mgi_provider_document(r, entry, str_of(name), mgi_buf_view(&settings)),
            .files = all->files.paths,
            .places = all->places + share->first,
            .place_count = share->count,
        };
        good = p.document.ptr && (!sound || mgi_provider_add(r, all->node, &p));
    }
    mgi_buf_wipe(&settings);
    return good;
}

static int compare_places(const void *a, const void *b)
{
    const struct action_place *const *x = a, *const *y = b;
    int c = mgi_str_compare((*x)->aid, (*y)->aid);
    return c ? c : (*x > *y) - (*x < *y);
}

static bool check_twins(struct requests *all)
{
    const struct action_place **sorted =
        mgi_arena_calloc(all->r->yaml->arena, all->count + 1, sizeof *sorted);
    if (!sorted)
        return false;
    for (size_t i = 0; i < all->count; i++)
        sorted[i] = &all->places[i];
    if (all->count > 1)
        qsort(sorted, all->count, sizeof *sorted, compare_places);
    for (size_t i = 1, told = 0; i < all->count && told < MOST_TWINS; i++) {
        if (!str_eq(sorted[i]->aid, sorted[i - 1]->aid) || sorted[i]->aid.len == 0)
            continue;
        told++;
        mgi_findings_add(all->r->yaml->findings, MANGLE_ERROR, "DUPLICATE", sorted[i]->origin,
                         sorted[i]->line, 0,
                         "Give one of them another name; a whole document may have a prefix.",
                         "the action %.*s is in %s:%u, too", STR_ARG(sorted[i]->aid),
                         sorted[i - 1]->origin, sorted[i - 1]->line);
    }
    return true;
}

static bool make_http_providers(struct requests *all, size_t errors)
{
    struct provider_reader *r = all->r;
    const struct yaml_node *entry = check_twins(all) ? http_entry(all) : NULL;
    if (!entry)
        return false;
    if (all->count > MOST_REQUESTS)
        mgi_yaml_error(r->yaml, all->node, "BAD_VALUE",
                       "Choose those of a document that are of use with only.",
                       "there are %zu requests, of at most %d", all->count, MOST_REQUESTS);
    if (all->share_count > MOST_PROVIDERS)
        mgi_yaml_error(r->yaml, all->node, "BAD_VALUE",
                       "Choose those of a document that are of use with only.",
                       "there are requests and schemas of more than %d MiB",
                       MOST_PROVIDERS * (PROVIDER_BYTES >> 20));
    const char *plugin =
        all->count > 0 ? mgi_provider_plugin(r, all->node, STR_LIT("http"), true) : NULL;
    bool sound = mgi_findings_errors(r->yaml->findings) == errors;
    if (!sound)
        mgi_provider_failed(r);
    for (size_t i = 0; i < all->share_count; i++)
        if (!make_http_provider(all, i, entry, plugin, sound && plugin))
            return false;
    return true;
}

bool mgi_read_http(struct provider_reader *r, const struct yaml_node *node)
{
    static const char *const suffixes[] = { ".yaml", ".yml", ".json", NULL };
    struct requests all = { .r = r, .node = node };
    size_t errors = mgi_findings_errors(r->yaml->findings);
    all.files = (struct kind_files){ .key = "http",
                                     .suffixes = suffixes,
                                     .take = take_http_file,
                                     .take_entry = take_entry,
                                     .context = &all };
    bool good = mgi_kind_files(r, node, &all.files) && make_http_providers(&all, errors);
    for (size_t i = 0; i < all.share_count; i++)
        mgi_buf_wipe(&all.shares[i].settings);
    return good;
}
