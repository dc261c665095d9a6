/* Domains of a few lines, and what is said of a tool that they do not choose. */
#ifndef TESTS_INTENT_WHY_DOMAIN_H
#define TESTS_INTENT_WHY_DOMAIN_H

#include "base/buf.h"
#include "domain/temp_domain.h"
#include "intent/intent.h"

struct why_domain {
    struct temp_domain folder;
    struct snapshot *snapshot;
    struct intent_worker *worker;
    struct arena arena; /* of answers */
};

/* What it is to be asked by; all-zero: the author, and no clock. */
struct why_options {
    const struct principal *who;
    bool restricted;
    int64_t (*mono)(void *);
};

static inline void why_tools(const struct temp_domain *d, const char *const *names)
{
    struct buf text = { 0 };
    for (; *names; names++)
        mgi_buf_printf(&text,
                       "- tool: %s\n  summary: s\n  description: d\n"
                       "  input_schema: {type: object}\n",
                       *names);
    temp_write(d, "tools/t.yaml", text.ptr);
    mgi_buf_fini(&text);
}

static inline void why_load(struct why_domain *d)
{
    struct buf said = { 0 };
    d->snapshot = temp_load(&d->folder, NULL, false, &said);
    if (!d->snapshot) {
        fprintf(stderr, "%s", said.ptr ? said.ptr : "?\n");
        abort();
    }
    mgi_buf_fini(&said);
    d->worker = mgi_intent_worker_new();
    mgi_arena_init(&d->arena, 0);
}

/* Predicates that clients send (schema), rules of domain and policy; tools end with NULL. */
static inline void why_open(struct why_domain *d, const char *schema, const char *domain,
                            const char *policy, const char *const *tools)
{
    temp_make(&d->folder);
    temp_write(&d->folder, "domain.yaml",
               "server: {name: s, version: 1.0.0}\n"
               "domain: {id: d, description: d}\n"
               "intents: [{name: go, description: g, open: true}]\n");
    temp_write(&d->folder, "rules/schema/s.mg", schema);
    temp_write(&d->folder, "rules/domain/d.mg", domain);
    temp_write(&d->folder, "rules/policy/p.mg", policy);
    why_tools(&d->folder, tools);
    why_load(d);
}

static inline void why_close(struct why_domain *d)
{
    mgi_intent_worker_free(d->worker);
    mgi_snapshot_unref(d->snapshot);
    mgi_arena_fini(&d->arena);
    temp_remove(&d->folder);
}

static inline struct json why_parse(struct why_domain *d, struct str text)
{
    struct json v = { .type = JSON_NULL };
    struct str kept = mgi_arena_str(&d->arena, text);
    if (mgi_json_parse(&d->arena, kept, NULL, &v, NULL) != JSON_OK) {
        fprintf(stderr, "not JSON: %.*s\n", STR_ARG(text));
        abort();
    }
    return v;
}

/* The payload of the answer; *why (may be NULL) the array about `tools`, a JSON array. */
static inline bool why_ask(struct why_domain *d, const struct why_options *o, const char *payload,
                           const char *tools, struct json *answer, struct json *why,
                           struct wire_error *e)
{
    static const struct principal local = { .kind = PRINCIPAL_LOCAL, .identity = { "local", 5 } };
    struct json asked = why_parse(d, str_of(payload)), names = { .type = JSON_ARRAY };
    struct buf out = { 0 }, said = { 0 };
    if (tools)
        names = why_parse(d, str_of(tools));
    struct why_not_question question = { &names, !o->restricted, &said };
    struct intent_call call = { .snapshot = d->snapshot,
                                .who = o->who ? o->who : &local,
                                .payload = &asked,
                                .clock_ns = INT64_C(1783144800) * 1000000000,
                                .mono = o->mono,
                                .why_not = tools ? &question : NULL };
    *e = (struct wire_error){ .retry_after_ms = -1 };
    bool ok = mgi_intent_evaluate(d->worker, &call, &d->arena, &out, e);
    if (ok)
        *answer = why_parse(d, mgi_buf_view(&out));
    if (ok && tools)
        *why = why_parse(d, mgi_buf_view(&said));
    mgi_buf_fini(&out);
    mgi_buf_fini(&said);
    return ok;
}

/* Does the answer have this tool? */
static inline bool why_has(const struct json *answer, struct str tool)
{
    const struct json *tools = mgi_json_get(answer, "macro_tools");
    for (uint32_t i = 0; i < tools->count; i++)
        if (str_eq(mgi_json_get(&tools->items[i], "name")->string, tool))
            return true;
    return false;
}

#endif
