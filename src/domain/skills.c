/* skills/<id>/SKILL.md -> struct skill: YAML front matter between two lines of three dashes, then
 * the text. */
#include <stdlib.h>

#include "domain/domain_int.h"

static const char *const keys[] = { "name",          "description", "license",
                                    "compatibility", "metadata",    "allowed-tools",
                                    "content_type",  "resources",   NULL };

static bool is_skill_id(struct str s)
{
    if (s.len == 0 || s.len > 64 || s.ptr[0] == '-')
        return false;
    for (size_t i = 0; i < s.len; i++) {
        char ch = s.ptr[i];
        if (!((ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9') || ch == '-'))
            return false;
    }
    return true;
}

/* "skills/<id>/SKILL.md" -> id; empty if the path is of another form. */
static struct str id_of(const char *path)
{
    struct str rest = str_of(path + strlen("skills/"));
    const char *slash = memchr(rest.ptr, '/', rest.len);
    if (!slash || strcmp(slash, "/SKILL.md") != 0)
        return (struct str){ "", 0 };
    return (struct str){ rest.ptr, (size_t)(slash - rest.ptr) };
}

/* The line at `at` without its end; *at goes to the next one. */
static struct str next_line(struct str text, size_t *at)
{
    const char *from = text.ptr + *at;
    const char *end = memchr(from, '\n', text.len - *at);
    size_t len = end ? (size_t)(end - from) : text.len - *at;
    *at += len + (end ? 1 : 0);
    if (len > 0 && from[len - 1] == '\r')
        len--;
    return (struct str){ from, len };
}

/* Front matter and body; false if there is no front matter. */
static bool split(struct str text, struct str *front, struct str *body)
{
    size_t at = 0;
    if (!str_is(next_line(text, &at), "---"))
        return false;
    size_t from = at;
    while (at < text.len) {
        size_t line = at;
        if (str_is(next_line(text, &at), "---")) {
            *front = (struct str){ text.ptr + from, line - from };
            *body = (struct str){ text.ptr + at, text.len - at };
            return true;
        }
    }
    return false;
}

static bool read_resources(const struct yaml_context *c, const struct yaml_node *n,
                           struct skill *skill)
{
    static const char *const resource_keys[] = { "uri", "type", "description", NULL };
    if (!n)
        return true;
    if (n->kind != YAML_LIST) {
        mgi_yaml_error(c, n, "BAD_VALUE", NULL, "resources must be a list");
        return true;
    }
    skill->resources = mgi_arena_calloc(c->arena, n->count + 1, sizeof *skill->resources);
    if (!skill->resources)
        return false;
    for (size_t i = 0; i < n->count; i++) {
        const struct yaml_node *one = n->entries[i].value;
        if (one->kind != YAML_MAP) {
            mgi_yaml_error(c, one, "BAD_VALUE", NULL, "a resource must be a map with uri");
            continue;
        }
        mgi_yaml_known_keys(c, one, "a resource", resource_keys);
        struct skill_resource *r = &skill->resources[skill->resource_count++];
        r->uri = mgi_yaml_text(c, one, "uri", true);
        r->type = mgi_yaml_text(c, one, "type", false);
        r->description = mgi_yaml_text(c, one, "description", false);
    }
    return true;
}

static bool read_skill(const struct yaml_context *c, const struct file *file, struct skill *skill)
{
    struct str front, body;
    if (!split(file->text, &front, &body)) {
        mgi_findings_add(c->findings, MANGLE_ERROR, "SKILL", file->path, 1, 1,
                         "Begin with ---, name: and description:, and --- again.",
                         "there is no front matter");
        return true;
    }
    const struct yaml_node *n = mgi_yaml_parse(c, file->path, front, 1);
    if (!n)
        return !c->arena->oom;
    if (n->kind != YAML_MAP) {
        mgi_yaml_error(c, n, "SKILL", NULL, "front matter must be a map");
        return true;
    }
    mgi_yaml_known_keys(c, n, "a skill", keys);
    skill->name = mgi_yaml_text(c, n, "name", true);
    skill->description = mgi_yaml_text(c, n, "description", true);
    skill->content_type = mgi_yaml_text(c, n, "content_type", false);
    skill->content = mgi_arena_str(c->arena, mgi_str_trim(body, " \t\r\n"));
    if (!skill->content.ptr)
        return false;
    if (skill->content.len == 0)
        mgi_yaml_error(c, n, "SKILL", NULL, "the skill has no text");
    return read_resources(c, mgi_yaml_get(n, "resources"), skill);
}

static int compare_skills(const void *a, const void *b)
{
    return mgi_str_compare(((const struct skill *)a)->id, ((const struct skill *)b)->id);
}

bool mgi_load_skills(struct loading *l)
{
    static const char *const suffixes[] = { "SKILL.md", NULL };
    struct snapshot *s = l->s;
    struct file_list files = { 0 };
    if (!mgi_files_read(&l->yaml, l->folder, "skills", suffixes, &files))
        return false;
    s->skills = mgi_arena_calloc(&s->arena, files.count + 1, sizeof *s->skills);
    if (!s->skills)
        return false;
    for (size_t i = 0; i < files.count; i++) {
        struct str id = id_of(files.items[i].path);
        if (!is_skill_id(id)) {
            mgi_findings_add(l->yaml.findings, MANGLE_ERROR, "BAD_NAME", files.items[i].path, 0, 0,
                             "Skills are skills/<id>/SKILL.md.",
                             "a skill's folder is named [a-z0-9][a-z0-9-]*, at most 64 characters");
            continue;
        }
        struct skill *skill = &s->skills[s->skill_count++];
        skill->id = id;
        if (!read_skill(&l->yaml, &files.items[i], skill))
            return false;
    }
    if (s->skill_count > 1)
        qsort(s->skills, s->skill_count, sizeof *s->skills, compare_skills);
    return true;
}
