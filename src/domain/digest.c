/* A name for all that a snapshot was made of, for whoever asks later whether two are the same:
 * rules and templates (rules_version), domain.yaml with what --set puts over it, tables of facts,
 * skills, and what the plugins say of their actions. Where the folder stands, comments and the
 * layout of domain.yaml do not count. */
#include "base/encode.h"
#include "domain/domain_int.h"
#include "sys/digest.h"

static void add_text(struct sha256 *h, struct str s)
{
    mgi_sha256_add(h, s.ptr ? s.ptr : "", s.len);
    mgi_sha256_add(h, "", 1);
}

static bool add_settings(struct sha256 *h, const struct yaml_node *root)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    if (root)
        mgi_yaml_write_json(&w, root);
    add_text(h, mgi_buf_view(&text));
    bool ok = !text.oom;
    mgi_buf_fini(&text);
    return ok;
}

static void add_skills(struct sha256 *h, const struct snapshot *s)
{
    for (size_t i = 0; i < s->skill_count; i++) {
        add_text(h, s->skills[i].id);
        add_text(h, s->skills[i].name);
        add_text(h, s->skills[i].description);
        add_text(h, s->skills[i].content);
        for (size_t k = 0; k < s->skills[i].resource_count; k++)
            add_text(h, s->skills[i].resources[k].uri);
    }
}

static void add_actions(struct sha256 *h, const struct snapshot *s)
{
    for (size_t i = 0; i < s->action_count; i++) {
        const struct action *a = &s->actions[i];
        const uint8_t flags[] = { (uint8_t)a->tier, a->deterministic, a->idempotent,
                                  a->reversible };
        add_text(h, a->aid);
        mgi_sha256_add(h, flags, sizeof flags);
        for (size_t k = 0; k < a->effect_count; k++)
            add_text(h, a->effects[k]);
        add_text(h, a->input_schema_text);
    }
}

bool mgi_load_digest(struct loading *l)
{
    struct snapshot *s = l->s;
    uint8_t bytes[SHA256_BYTES];
    char hex[2 * SHA256_BYTES + 1];
    struct sha256 *h = mgi_sha256_new();
    if (!h)
        return false;
    add_text(h, s->rules_version);
    bool ok = add_settings(h, l->domain_yaml);
    for (size_t i = 0; i < l->tables.count; i++) {
        add_text(h, str_of(l->tables.items[i].path));
        add_text(h, l->tables.items[i].text);
    }
    add_skills(h, s);
    add_actions(h, s);
    if (!mgi_sha256_end(h, bytes) || !ok)
        return false;
    mgi_hex(bytes, sizeof bytes, hex);
    s->digest = mgi_arena_str(&s->arena, (struct str){ hex, 32 });
    return s->digest.ptr != NULL;
}
