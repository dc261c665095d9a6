/* What a bridge lists, of one domain as it was loaded: the fixed tools with what holds of `run`
 * there (X-BRIDGE-5), the fixed prompt and resource, and a prompt and a resource for each skill
 * (X-BRIDGE-11). Immutable; made on any thread. */
#ifndef MGI_BRIDGE_CATALOGUE_H
#define MGI_BRIDGE_CATALOGUE_H

#include "base/json.h"
#include "bridge/surface.h"
#include "mcp/server.h"

#define MANIFEST_URI "manglecp://manifest"

#define MGI_FIXED_PROMPTS   1
#define MGI_FIXED_RESOURCES 1
extern const struct mcp_prompt mgi_fixed_prompts[MGI_FIXED_PROMPTS]; /* `intent` */
extern const struct mcp_resource mgi_fixed_resources[MGI_FIXED_RESOURCES];

#define SKILL_SCHEME   "skill://"
#define SKILL_FILE     "/SKILL.md"
#define SKILL_TEMPLATE SKILL_SCHEME "{name}" SKILL_FILE

struct skill_text {
    struct str id, name, description, content_type, content;
};

struct catalogue {
    struct arena arena;
    struct mcp_tool tools[ASK_KINDS];
    const struct skill_text *skills;
    size_t skill_count;
    struct mcp_resource *resources; /* the fixed one, then the skills */
    struct mcp_prompt *prompts;     /* the same */
    size_t resource_count, prompt_count;
};

/*
 * What is known of a domain.
 *
 *   manifest  its payload; NULL, or of a server that does not say: the worst is true of `run`
 *   skills    JSON text, [{"id", "name", "description", "content_type", "content"}, …]; empty: none
 *
 * NULL: memory.
 */
struct catalogue *mgi_catalogue_new(const struct json *manifest, struct str skills);
void mgi_catalogue_free(struct catalogue *c); /* NULL is fine */

/* The skill of this name, or of this URI; NULL: none. */
const struct skill_text *mgi_catalogue_skill(const struct catalogue *c, struct str id);
const struct skill_text *mgi_catalogue_file(const struct catalogue *c, struct str uri);

/* Its SKILL.md: the head that names it, and the text (X-SKILL-3). */
void mgi_skill_write_file(const struct skill_text *s, struct buf *out);

#endif
