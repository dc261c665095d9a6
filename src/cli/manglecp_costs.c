/* What a conversation puts into a model's context; see manglecp_costs.h. */
#include "cli/manglecp_costs.h"

#include "base/alloc.h"
#include "manglecp.h"
#include "server/server.h"

static size_t tokens(struct str text)
{
    return manglecp_tokens(text.ptr, text.len);
}

static size_t member_tokens(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v ? tokens(v->text) : 0;
}

/* What an answer brings: tools and results are what a model would read; the state (facts, and the
 * rest of the message) is kept by the client's program, and proofs come only if asked for. */
void mgi_costs_add(struct costs *costs, const char *what, struct str message,
                   const struct json *answer, char *shown)
{
    if (mgi_grow(&costs->items, &costs->cap, costs->count + 1, sizeof *costs->items)) {
        struct cost *c = &costs->items[costs->count++];
        size_t all = tokens(message);
        *c = (struct cost){ .of = what ? what : "",
                            .shown = tokens(str_of(shown)),
                            .tools = member_tokens(answer, "macro_tools"),
                            .result = member_tokens(answer, "result"),
                            .proofs = member_tokens(answer, "proof_hints") };
        size_t parts = c->tools + c->result + c->proofs;
        c->state = all > parts ? all - parts : 0;
    } /* else: a line less in a table */
    manglecp_free(shown);
}

void mgi_costs_fini(struct costs *costs)
{
    mgi_free(costs->items);
    *costs = (struct costs){ 0 };
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
    size_t count = tokens(mgi_buf_view(&text));
    mgi_buf_fini(&text);
    return count;
}

static size_t skill_tokens(const struct snapshot *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->skill_count; i++)
        count += tokens(s->skills[i].content);
    return count;
}

static void print_static_lists(const struct snapshot *s)
{
    char label[64];
    printf("  a static list instead, in every turn:\n");
    snprintf(label, sizeof label, "its macro-tools (%zu), skills (%zu)", s->tool_count,
             s->skill_count);
    printf("    %-30s %8zu\n", label, static_list(s, false) + skill_tokens(s));
    snprintf(label, sizeof label, "its actions (%zu), without a plan", s->action_count);
    printf("    %-30s %8zu\n", label, static_list(s, true));
}

void mgi_costs_print(const struct costs *costs, const struct cli_style *style,
                     const struct snapshot *snapshot)
{
    struct cost sum = { .of = "together" };
    printf("  %s%-28s %8s   %8s %8s %8s %8s%s\n", style->dim, "", "a model", "tools", "result",
           "state", "proofs", style->reset);
    for (size_t i = 0; i <= costs->count; i++) {
        const struct cost *c = i < costs->count ? &costs->items[i] : &sum;
        printf("  %-28s %8zu   %8zu %8zu %8zu %8zu\n", c->of, c->shown, c->tools, c->result,
               c->state, c->proofs);
        sum.shown += c->shown;
        sum.tools += c->tools;
        sum.result += c->result;
        sum.state += c->state;
        sum.proofs += c->proofs;
    }
    printf("  %sThe first column is the text that a model is shown (--model prints it); the others "
           "are the\n  messages, of which tools and results are meant for it, and the rest stays "
           "with the program.%s\n",
           style->dim, style->reset);
    if (snapshot)
        print_static_lists(snapshot);
}
