/* What a conversation puts into a model's context; see manglecp_costs.h. */
#include "cli/manglecp_costs.h"

#include "base/alloc.h"
#include "server/server.h"

#define BYTES_PER_TOKEN 4

static size_t member_bytes(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v ? v->text.len : 0;
}

/* What an answer brings: tools and results are what a model reads; the state (facts, and the rest
 * of the message) is kept by the client's program, and proofs come only if asked for. */
void mgi_costs_add(struct costs *costs, const char *what, size_t bytes, const struct json *answer)
{
    if (!mgi_grow(&costs->items, &costs->cap, costs->count + 1, sizeof *costs->items))
        return; /* a line less in a table */
    struct cost *c = &costs->items[costs->count++];
    *c = (struct cost){ .of = what ? what : "",
                        .tools = member_bytes(answer, "macro_tools"),
                        .result = member_bytes(answer, "result"),
                        .proofs = member_bytes(answer, "proof_hints") };
    c->state = bytes - c->tools - c->result - c->proofs;
}

void mgi_costs_fini(struct costs *costs)
{
    mgi_free(costs->items);
    *costs = (struct costs){ 0 };
}

static size_t tokens(size_t bytes)
{
    return (bytes + BYTES_PER_TOKEN - 1) / BYTES_PER_TOKEN;
}

/* What a static list of the domain's tools would put into the context: name, description, schema.
 */
static size_t static_list(const struct snapshot *s, bool actions)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < (actions ? s->action_count : s->tool_count); i++) {
        mgi_jw_begin_object(&w);
        mgi_jw_member_str(&w, "name", actions ? s->actions[i].name : s->tools[i].name);
        mgi_jw_member_str(&w, "description",
                          actions ? s->actions[i].description : s->tools[i].description);
        mgi_jw_key(&w, "inputSchema");
        if (actions)
            mgi_jw_raw(&w, s->actions[i].input_schema_text.len ? s->actions[i].input_schema_text
                                                               : STR_LIT("{}"));
        else
            mgi_jw_value(&w, &s->tools[i].input_schema);
        mgi_jw_end_object(&w);
    }
    mgi_jw_end_array(&w);
    size_t bytes = text.len;
    mgi_buf_fini(&text);
    return bytes;
}

static size_t skill_bytes(const struct snapshot *s)
{
    size_t bytes = 0;
    for (size_t i = 0; i < s->skill_count; i++)
        bytes += s->skills[i].content.len;
    return bytes;
}

static void print_static_lists(const struct snapshot *s)
{
    char label[64];
    printf("  a static list instead, in every turn:\n");
    snprintf(label, sizeof label, "its macro-tools (%zu), skills (%zu)", s->tool_count,
             s->skill_count);
    printf("    %-30s %8zu\n", label, tokens(static_list(s, false) + skill_bytes(s)));
    snprintf(label, sizeof label, "its actions (%zu), without a plan", s->action_count);
    printf("    %-30s %8zu\n", label, tokens(static_list(s, true)));
}

void mgi_costs_print(const struct costs *costs, const struct cli_style *style,
                     const struct snapshot *snapshot)
{
    struct cost sum = { .of = "together" };
    printf("  %s%-32s %8s %8s %8s %8s%s\n", style->dim, "", "tools", "result", "state", "proofs",
           style->reset);
    for (size_t i = 0; i <= costs->count; i++) {
        const struct cost *c = i < costs->count ? &costs->items[i] : &sum;
        printf("  %-32s %8zu %8zu %8zu %8zu\n", c->of, tokens(c->tools), tokens(c->result),
               tokens(c->state), tokens(c->proofs));
        sum.tools += c->tools;
        sum.result += c->result;
        sum.state += c->state;
        sum.proofs += c->proofs;
    }
    printf("  %sTools and results are for the model's context; state (manifest, facts) stays with "
           "the\n  client's program, and proofs are sent only to who asks.%s\n",
           style->dim, style->reset);
    if (snapshot)
        print_static_lists(snapshot);
}
