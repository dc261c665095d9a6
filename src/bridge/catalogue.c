/* Descriptions as arrays in one arena. */
#include "bridge/catalogue.h"

#include "base/alloc.h"

/* ---- what every bridge has ----------------------------------------------------------------- */

#define TEXT(lit)                                                                                  \
    {                                                                                              \
        (lit), sizeof(lit) - 1                                                                     \
    }

static const struct mcp_argument arguments[] = {
    { .name = TEXT("goal"),
      .description = TEXT("the intent, one of the server's"),
      .required = true },
    { .name = TEXT("facts"), .description = TEXT("what you know, in your words") },
};

const struct mcp_prompt mgi_fixed_prompts[MGI_FIXED_PROMPTS] = {
    { .name = TEXT("intent"),
      .description = TEXT("Begin work on an intent of this server"),
      .arguments = arguments,
      .argument_count = sizeof arguments / sizeof *arguments },
};

const struct mcp_resource mgi_fixed_resources[MGI_FIXED_RESOURCES] = {
    { .uri = TEXT(MANIFEST_URI),
      .name = TEXT("manifest"),
      .description = TEXT("What the server says of itself: intents, facts, limits"),
      .mime_type = TEXT("application/json"),
      .size = -1 },
};

/* ---- what holds of `run` ------------------------------------------------------------------- */

/* What is not said is what it may be at worst. */
static bool hint(const struct json *hints, const char *name, bool worst)
{
    const struct json *v = hints ? mgi_json_get(hints, name) : NULL;
    return v && v->type == JSON_BOOL ? v->boolean : worst;
}

static void take_hints(struct catalogue *c, const struct json *manifest)
{
    const struct json *extensions = manifest ? mgi_json_get(manifest, "extensions") : NULL;
    const struct json *hints = extensions ? mgi_json_get(extensions, "x-run-hints") : NULL;
    struct mcp_tool *run = &c->tools[ASK_RUN];
    memcpy(c->tools, mgi_bridge_tools, sizeof c->tools);
    run->read_only = hint(hints, "read_only", false);
    run->destructive = hint(hints, "destructive", true) && !run->read_only;
    run->idempotent = hint(hints, "idempotent", false);
    run->open_world = hint(hints, "open_world", true);
}

/* ---- skills -------------------------------------------------------------------------------- */

static struct str member_text(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_STRING ? v->string : (struct str){ "", 0 };
}

static void take_skills(struct catalogue *c, struct str text)
{
    struct json all = { 0 };
    struct str kept = mgi_arena_str(&c->arena, text);
    if (text.len == 0 || !kept.ptr ||
        mgi_json_parse(&c->arena, kept, NULL, &all, NULL) != JSON_OK || all.type != JSON_ARRAY)
        return;
    struct skill_text *skills = mgi_arena_calloc(&c->arena, all.count + 1, sizeof *skills);
    for (uint32_t i = 0; skills && i < all.count; i++) {
        const struct json *one = &all.items[i];
        skills[c->skill_count++] = (struct skill_text){
            .id = member_text(one, "id"),
            .name = member_text(one, "name"),
            .description = member_text(one, "description"),
            .content_type = member_text(one, "content_type"),
            .content = member_text(one, "content"),
        };
    }
    c->skills = skills;
}

static struct str uri_of(struct catalogue *c, struct str id)
{
    const char *uri = mgi_arena_printf(&c->arena, SKILL_SCHEME "%.*s" SKILL_FILE, STR_ARG(id));
    return str_of(uri ? uri : "");
}

static bool is_fixed_prompt(struct str name)
{
    for (size_t i = 0; i < MGI_FIXED_PROMPTS; i++)
        if (str_eq(name, mgi_fixed_prompts[i].name))
            return true;
    return false;
}

static void list_skills(struct catalogue *c)
{
    for (size_t i = 0; i < c->skill_count; i++) {
        const struct skill_text *s = &c->skills[i];
        struct str type = s->content_type.len > 0 ? s->content_type : STR_LIT("text/markdown");
        c->resources[c->resource_count++] = (struct mcp_resource){ .uri = uri_of(c, s->id),
                                                                   .name = s->id,
                                                                   .title = s->name,
                                                                   .description = s->description,
                                                                   .mime_type = type,
                                                                   .size = -1 };
        if (!is_fixed_prompt(s->id))
            c->prompts[c->prompt_count++] = (struct mcp_prompt){ .name = s->id,
                                                                 .title = s->name,
                                                                 .description = s->description };
    }
}

/* ---- the whole ------------------------------------------------------------------------------ */

static bool fill(struct catalogue *c, const struct json *manifest, struct str skills)
{
    take_hints(c, manifest);
    take_skills(c, skills);
    c->resources =
        mgi_arena_calloc(&c->arena, MGI_FIXED_RESOURCES + c->skill_count, sizeof *c->resources);
    c->prompts =
        mgi_arena_calloc(&c->arena, MGI_FIXED_PROMPTS + c->skill_count, sizeof *c->prompts);
    if (c->arena.oom)
        return false;
    memcpy(c->resources, mgi_fixed_resources, sizeof mgi_fixed_resources);
    memcpy(c->prompts, mgi_fixed_prompts, sizeof mgi_fixed_prompts);
    c->resource_count = MGI_FIXED_RESOURCES;
    c->prompt_count = MGI_FIXED_PROMPTS;
    list_skills(c);
    return !c->arena.oom;
}

struct catalogue *mgi_catalogue_new(const struct json *manifest, struct str skills)
{
    struct catalogue *c = mgi_calloc(1, sizeof *c);
    if (!c)
        return NULL;
    mgi_arena_init(&c->arena, 0);
    if (fill(c, manifest, skills))
        return c;
    mgi_catalogue_free(c);
    return NULL;
}

void mgi_catalogue_free(struct catalogue *c)
{
    if (!c)
        return;
    mgi_arena_fini(&c->arena);
    mgi_free(c);
}

const struct skill_text *mgi_catalogue_skill(const struct catalogue *c, struct str id)
{
    for (size_t i = 0; i < c->skill_count; i++)
        if (str_eq(c->skills[i].id, id))
            return &c->skills[i];
    return NULL;
}

const struct skill_text *mgi_catalogue_file(const struct catalogue *c, struct str uri)
{
    if (!mgi_str_starts(uri, STR_LIT(SKILL_SCHEME)) || !mgi_str_ends(uri, STR_LIT(SKILL_FILE)) ||
        uri.len < sizeof SKILL_SCHEME - 1 + sizeof SKILL_FILE - 1)
        return NULL;
    uri.ptr += sizeof SKILL_SCHEME - 1;
    uri.len -= sizeof SKILL_SCHEME - 1 + sizeof SKILL_FILE - 1;
    return mgi_catalogue_skill(c, uri);
}

/* A JSON text is a YAML one. */
void mgi_skill_write_file(const struct skill_text *s, struct buf *out)
{
    struct json_writer w;
    mgi_buf_printf(out, "---\nname: %.*s\ndescription: ", STR_ARG(s->id));
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_string(&w, s->description);
    mgi_buf_puts(out, "\n---\n\n");
    mgi_buf_str(out, s->content);
    mgi_buf_putc(out, '\n');
}
