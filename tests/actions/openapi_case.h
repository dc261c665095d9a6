/* Cases of OpenAPI documents: tests/actions/openapi/NAME.case.
 *
 *   # what it shows
 *   === entry            what stands in `actions: {http: [...]}`; else the document's path
 *   === document         openapi/doc.yaml, or
 *   === document.json    openapi/doc.json
 *   === requests         what comes out: of each request its members, a line each
 *   === findings         and what is told */
#ifndef TESTS_ACTIONS_OPENAPI_CASE_H
#define TESTS_ACTIONS_OPENAPI_CASE_H

#include "actions/toolpool_int.h"
#include "domain/provider.h"
#include "domain/temp_domain.h"

struct openapi_case {
    struct buf text; /* of the file */
    struct str head, entry, document, requests, findings;
    bool json;
    struct temp_domain domain;
};

/* What stands below the line "=== NAME"; "" where there is none. */
static inline struct str case_part(struct str text, const char *name)
{
    char line[64];
    snprintf(line, sizeof line, "=== %s\n", name);
    size_t at = mgi_str_find(text, str_of(line));
    if (at == SIZE_MAX)
        return STR_LIT("");
    struct str rest = { text.ptr + at + strlen(line), text.len - at - strlen(line) };
    size_t end = mgi_str_starts(rest, STR_LIT("=== ")) ? 0 : mgi_str_find(rest, STR_LIT("\n=== "));
    if (end != SIZE_MAX)
        rest.len = end + (end > 0);
    return rest;
}

static inline void case_write(const struct temp_domain *d, const char *path, struct str text)
{
    char *copy = strndup(text.ptr, text.len);
    if (!copy)
        abort();
    temp_write(d, path, copy);
    free(copy);
}

/* The domain folder of c->entry and c->document. */
static inline void case_make(struct openapi_case *c)
{
    struct buf yaml = { 0 };
    temp_make(&c->domain);
    temp_write(&c->domain, "products/http.so", "listed from a table");
    case_write(&c->domain, c->json ? "openapi/doc.json" : "openapi/doc.yaml", c->document);
    mgi_buf_puts(&yaml, "server: {name: s, version: 1.0.0}\ndomain: {id: d, description: d}\n"
                        "intents: [{name: go, description: g, required_facts: [seen]}]\n"
                        "settings: {host: {type: string, default: api.example.com}}\n"
                        "actions:\n  http:\n");
    if (c->entry.len == 0)
        mgi_buf_printf(&yaml, "  - %s\n", c->json ? "openapi/doc.json" : "openapi/doc.yaml");
    for (size_t i = 0, begin = 0; i < c->entry.len; i++) {
        if (c->entry.ptr[i] != '\n' && i + 1 < c->entry.len)
            continue;
        size_t end = c->entry.ptr[i] == '\n' ? i : i + 1;
        mgi_buf_printf(&yaml, "  %.*s\n", (int)(end - begin), c->entry.ptr + begin);
        begin = i + 1;
    }
    case_write(&c->domain, "domain.yaml", mgi_buf_view(&yaml));
    mgi_buf_fini(&yaml);
    temp_write(&c->domain, "tools/t.yaml",
               "tool: one\nsummary: s\ndescription: d\ninput_schema: {type: object}\nsteps: "
               "[]\nresult: {x: {value: 1}}\n");
}

static inline void case_open(const char *path, struct openapi_case *c)
{
    char chunk[4096];
    size_t got;
    *c = (struct openapi_case){ 0 };
    FILE *f = fopen(path, "rb");
    if (!f)
        abort();
    while ((got = fread(chunk, 1, sizeof chunk, f)) > 0)
        mgi_buf_append(&c->text, chunk, got);
    fclose(f);
    struct str text = mgi_buf_view(&c->text);
    c->head = (struct str){ text.ptr, mgi_str_find(text, STR_LIT("===")) };
    c->entry = mgi_str_trim(case_part(text, "entry"), "\n");
    c->document = case_part(text, "document");
    c->json = c->document.len == 0;
    if (c->json)
        c->document = case_part(text, "document.json");
    c->requests = case_part(text, "requests");
    c->findings = case_part(text, "findings");
    case_make(c);
}

static inline void case_close(struct openapi_case *c)
{
    temp_remove(&c->domain);
    mgi_buf_fini(&c->text);
}

/* The members that say something, a line each. */
static inline void case_show_request(struct buf *out, const struct json *v)
{
    const struct json *name = mgi_json_get(v, "name");
    mgi_buf_printf(out, "%.*s\n", STR_ARG(name->string));
    for (uint32_t i = 0; i < v->count; i++) {
        const struct json_member *m = &v->members[i];
        bool empty = m->value.type == JSON_ARRAY && m->value.count == 0;
        if (empty || str_is(m->name, "name") || str_is(m->value.text, "{}") ||
            (str_is(m->name, "private") && !m->value.boolean))
            continue;
        mgi_buf_printf(out, "  %.*s %.*s\n", STR_ARG(m->name), STR_ARG(m->value.text));
    }
}

/* What the tool host would list of a provider, and what it is told, into `context` (a buf, or
 * NULL). */
static inline bool case_list(void *context, void *begun, struct arena *arena,
                             const struct action_provider *p, struct action **actions,
                             size_t *count, const char **why)
{
    static const struct str effects[] = { { "none", 4 } };
    struct json document;
    (void)begun;
    *why = "out of memory";
    struct action *all = mgi_arena_calloc(arena, *count + p->place_count, sizeof *all);
    if (!all || (context && mgi_json_parse(arena, p->document, NULL, &document, NULL) != JSON_OK))
        return false;
    const struct json *requests =
        context ? mgi_json_get(mgi_json_get(&document, "settings"), "requests") : NULL;
    for (uint32_t i = 0; requests && i < requests->count; i++)
        case_show_request(context, &requests->items[i]);
    if (*count > 0)
        memcpy(all, *actions, *count * sizeof *all);
    for (size_t i = 0; i < p->place_count; i++)
        all[*count + i] = (struct action){ .aid = p->places[i].aid,
                                           .name = p->places[i].aid,
                                           .provider = p,
                                           .effects = effects,
                                           .effect_count = 1,
                                           .input_schema_text = { "", 0 } };
    *actions = all;
    *count += p->place_count;
    return true;
}

/* Loads the domain of the case; requests go to `shown`, if that is there. */
static inline struct snapshot *case_load(const struct openapi_case *c, struct buf *shown,
                                         struct findings *findings)
{
    char products[128];
    snprintf(products, sizeof products, "%s/products", c->domain.folder);
    const char *const folders[] = { products };
    const struct action_source source = { .list = case_list,
                                          .context = shown,
                                          .kinds = mgi_action_kinds };
    const struct domain_options options = { .actions = &source,
                                            .plugin_paths = folders,
                                            .plugin_path_count = 1 };
    return mgi_domain_load(c->domain.folder, &options, findings);
}

/* "error NO_FILE file:line:column message [hint]" */
static inline void case_show_findings(struct buf *out, struct findings *findings)
{
    for (size_t i = 0; i < mgi_findings_count(findings); i++) {
        const struct finding *f = mgi_findings_get(findings, i);
        mgi_buf_printf(out, "%s %s %s:%u:%u %s", f->severity == MANGLE_ERROR ? "error" : "warning",
                       f->code, f->file, f->line, f->column, f->message);
        if (f->hint)
            mgi_buf_printf(out, " [%s]", f->hint);
        mgi_buf_putc(out, '\n');
    }
}

#endif
