/* What a server says of its tools, without the secrets that the domain told it: see
 * manglecp_servers.h. */
#include "cli/manglecp_servers.h"
#include "import/secret.h"

enum { OFFER_DEPTH = 128, SECRET_BYTES = 8 /* shorter ones may be words of a description */ };

struct told_secrets {
    struct arena *arena;
    struct str *items; /* as they are, and as they stand in JSON */
    size_t count, cap;
};

static void keep_told(struct told_secrets *s, struct str value)
{
    if (!mgi_arena_grow(s->arena, &s->items, &s->cap, s->count + 2, sizeof *s->items))
        return;
    s->items[s->count++] = mgi_arena_str(s->arena, value);
    s->items[s->count++] = mgi_import_secret_in_json(s->arena, value);
}

/* Of a map of texts, or a list of them: those that look secret, or are by their names. */
static void collect_secrets(struct told_secrets *s, const struct json *texts)
{
    bool map = texts && texts->type == JSON_OBJECT, list = texts && texts->type == JSON_ARRAY;
    for (uint32_t i = 0; (map || list) && i < texts->count; i++) {
        const struct json *v = map ? &texts->members[i].value : &texts->items[i];
        if (v->type != JSON_STRING || v->string.len < SECRET_BYTES)
            continue;
        if (mgi_import_secret_value(v->string) ||
            (map && mgi_import_secret_name(s->arena, texts->members[i].name)))
            keep_told(s, v->string);
    }
}

static const struct json *settings_in(const struct json *document)
{
    const struct json *in = mgi_json_get(document, "settings");
    return in ? in : document;
}

static bool hide_in_answer(const struct told_secrets *s, struct asked_server *server)
{
    const struct json_options options = { .max_depth = OFFER_DEPTH };
    struct str kept = mgi_import_without_secrets(s->arena, server->offer.text, s->items, s->count);
    if (!kept.ptr)
        return false;
    server->hid = !str_eq(kept, server->offer.text);
    return !server->hid ||
           mgi_json_parse(s->arena, kept, &options, &server->offer, NULL) == JSON_OK;
}

bool mgi_server_hide(struct arena *arena, struct str document, struct asked_server *server)
{
    const struct json_options options = { .max_depth = OFFER_DEPTH };
    struct told_secrets s = { .arena = arena };
    struct json told;
    if (mgi_json_parse(arena, document, &options, &told, NULL) != JSON_OK)
        return !arena->oom;
    collect_secrets(&s, mgi_json_get(settings_in(&told), "env"));
    collect_secrets(&s, mgi_json_get(settings_in(&told), "headers"));
    collect_secrets(&s, mgi_json_get(settings_in(&told), "args"));
    if (arena->oom || s.count == 0)
        return !arena->oom;
    if (server->why)
        server->why = mgi_import_without_secrets(arena, str_of(server->why), s.items, s.count).ptr;
    return server->offer.type == JSON_OBJECT ? hide_in_answer(&s, server) : !arena->oom;
}
