/* Printing answers for people: cards, tables, proofs. */
#include "cli/manglecp_render.h"

#include <inttypes.h>

#include "base/utf8.h"

const struct json *mgi_render_payload(struct arena *arena, struct str text)
{
    struct json *root = mgi_arena_alloc(arena, sizeof *root);
    if (!root || mgi_json_parse(arena, text, NULL, root, NULL) != JSON_OK)
        return NULL;
    return mgi_json_get(root, "payload");
}

const char *mgi_render_text(struct arena *arena, const struct json *v)
{
    struct buf shown = { 0 };
    if (!v || v->type != JSON_STRING)
        return "";
    mgi_utf8_show(&shown, v->string);
    const char *out = mgi_arena_str(arena, mgi_buf_view(&shown)).ptr;
    mgi_buf_fini(&shown);
    return out ? out : "";
}

void mgi_render_json(FILE *to, const struct json *v, const char *indent)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 2);
    mgi_jw_value(&w, v);
    for (const char *line = text.ptr ? text.ptr : "", *end; *line; line = end) {
        end = strchr(line, '\n');
        end = end ? end + 1 : line + strlen(line);
        fprintf(to, "%s%.*s", indent, (int)(end - line), line);
    }
    fputc('\n', to);
    mgi_buf_fini(&text);
}

/* ---- helpers over JSON ------------------------------------------------------------------- */

struct view {
    struct arena arena;
    FILE *to;
    const struct cli_style *style;
};

static void view_open(struct view *v, FILE *to)
{
    mgi_arena_init(&v->arena, 0);
    v->to = to;
    v->style = mgi_cli_style(to);
}

static const char *text(struct view *v, const struct json *object, const char *name)
{
    return mgi_render_text(&v->arena, mgi_json_get(object, name));
}

static uint32_t count_of(const struct json *v)
{
    return v && (v->type == JSON_ARRAY || v->type == JSON_OBJECT) ? v->count : 0;
}

static int64_t number(const struct json *object, const char *name, int64_t otherwise)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_INT ? v->integer : otherwise;
}

static bool is_true(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_BOOL && v->boolean;
}

/* "a, b, c" of an array of strings. */
static const char *joined(struct view *v, const struct json *array)
{
    struct buf out = { 0 };
    for (uint32_t i = 0; i < count_of(array); i++)
        mgi_buf_printf(&out, "%s%s", i ? ", " : "", mgi_render_text(&v->arena, &array->items[i]));
    const char *kept = mgi_arena_str(&v->arena, mgi_buf_view(&out)).ptr;
    mgi_buf_fini(&out);
    return kept ? kept : "";
}

/* pred(a, b) @ t of a fact object. */
static void print_fact(struct view *v, const struct json *fact)
{
    const struct json *args = mgi_json_get(fact, "args");
    const struct json *t = mgi_json_get(fact, "t");
    fprintf(v->to, "%s(", text(v, fact, "pred"));
    for (uint32_t i = 0; i < count_of(args); i++) {
        struct buf shown = { 0 };
        mgi_utf8_show(&shown, args->items[i].text);
        struct str cut = mgi_utf8_prefix(mgi_buf_view(&shown), 60);
        fprintf(v->to, "%s%.*s%s", i ? ", " : "", STR_ARG(cut), cut.len < shown.len ? "…" : "");
        mgi_buf_fini(&shown);
    }
    fputc(')', v->to);
    if (t && t->type == JSON_OBJECT) {
        const struct json *at = mgi_json_get(t, "at");
        if (at)
            fprintf(v->to, " at %s", mgi_render_text(&v->arena, at));
        else
            fprintf(v->to, " from %s to %s", text(v, t, "start"), text(v, t, "end"));
    }
}

/* ---- manifest ---------------------------------------------------------------------------- */

void mgi_render_manifest(FILE *to, const struct json *payload)
{
    struct view v;
    view_open(&v, to);
    const struct cli_style *s = v.style;
    const struct json *domain = mgi_json_get(payload, "domain");
    const struct json *intents = mgi_json_get(payload, "intents");
    const struct json *profile = mgi_json_get(payload, "facts_profile");
    const struct json *limits = mgi_json_get(payload, "limits");
    fprintf(to, "%s%s %s%s  %s  (%s)\n", s->bold, text(&v, payload, "server_name"),
            text(&v, payload, "server_version"), s->reset, text(&v, payload, "status"),
            text(&v, mgi_json_get(payload, "protocol"), "manglecp"));
    fprintf(to, "  %s: %s\n", text(&v, domain, "id"), text(&v, domain, "description"));
    fprintf(to, "  %s\n",
            is_true(mgi_json_get(payload, "auth"), "required")
                ? "authentication: bearer token"
                : "authentication: none needed here");
    for (uint32_t i = 0; i < count_of(intents); i++) {
        const struct json *one = &intents->items[i];
        fprintf(to, "  %sintent %-16s%s %s\n", s->cyan, text(&v, one, "name"), s->reset,
                text(&v, one, "description"));
        if (count_of(mgi_json_get(one, "required_facts")))
            fprintf(to, "  %*sneeds %s\n", 24, "", joined(&v, mgi_json_get(one, "required_facts")));
    }
    fprintf(to,
            "  understands %u predicates; at most %" PRId64 " facts a request, %" PRId64 " ms\n",
            count_of(mgi_json_get(profile, "predicates")),
            number(limits, "max_facts_per_request", 0), number(limits, "max_compute_ms", 0));
    mgi_arena_fini(&v.arena);
}

/* ---- intents ----------------------------------------------------------------------------- */

static void print_parameters(struct view *v, const struct json *schema)
{
    const struct json *properties = mgi_json_get(schema, "properties");
    const struct json *required = mgi_json_get(schema, "required");
    for (uint32_t i = 0; i < count_of(properties); i++) {
        const struct json_member *p = &properties->members[i];
        bool needed = false;
        for (uint32_t k = 0; k < count_of(required); k++)
            needed |= required->items[k].type == JSON_STRING &&
                      str_eq(required->items[k].string, p->name);
        fprintf(v->to, "      %s%.*s%s %s", v->style->cyan, STR_ARG(p->name), v->style->reset,
                text(v, &p->value, "type"));
        const struct json *choice = mgi_json_get(&p->value, "enum");
        const struct json *otherwise = mgi_json_get(&p->value, "default");
        if (choice) {
            struct str cut = mgi_utf8_prefix(choice->text, 100);
            fprintf(v->to, " one of %.*s%s", STR_ARG(cut), cut.len < choice->text.len ? "…" : "");
        }
        if (otherwise)
            fprintf(v->to, " (default %.*s)", STR_ARG(otherwise->text));
        fprintf(v->to, "%s  %s%s%s\n", needed ? "" : " optional", v->style->dim,
                text(v, &p->value, "description"), v->style->reset);
    }
}

static void print_context(struct view *v, const struct json *context)
{
    const struct json *skills = mgi_json_get(context, "skills");
    const struct json *resources = mgi_json_get(context, "context_resources");
    if (mgi_json_get(context, "instructions"))
        fprintf(v->to, "    %s%s%s\n", v->style->yellow, text(v, context, "instructions"),
                v->style->reset);
    for (uint32_t i = 0; i < count_of(skills); i++)
        fprintf(v->to, "    skill %s%s\n", text(v, &skills->items[i], "skill_id"),
                is_true(&skills->items[i], "inline") ? " (sent along)" : " (by reference)");
    for (uint32_t i = 0; i < count_of(resources); i++)
        fprintf(v->to, "    resource %s  %s\n", text(v, &resources->items[i], "uri"),
                text(v, &resources->items[i], "relevance"));
}

static void print_tool(struct view *v, const struct json *tool)
{
    const struct cli_style *s = v->style;
    const char *level = text(v, tool, "disclosure_level");
    const struct json *safety = mgi_json_get(tool, "safety");
    const struct json *validity = mgi_json_get(tool, "validity");
    const struct json *metadata = mgi_json_get(tool, "metadata");
    const char *colour = strcmp(level, "full") == 0        ? s->green
                         : strcmp(level, "condensed") == 0 ? s->yellow
                                                           : s->dim;
    fprintf(v->to, "  %s%-9s%s %s%s%s", colour, level, s->reset, s->bold, text(v, tool, "name"),
            s->reset);
    if (metadata && mgi_json_get(metadata, "score"))
        fprintf(v->to, "  score %" PRId64, number(metadata, "score", 0));
    fprintf(v->to, "  %s%s%s\n", s->dim, text(v, tool, "macro_id"), s->reset);
    if (mgi_json_get(tool, "description"))
        fprintf(v->to, "    %s\n", text(v, tool, "description"));
    if (mgi_json_get(tool, "input_schema"))
        print_parameters(v, mgi_json_get(tool, "input_schema"));
    if (mgi_json_get(tool, "context_injection"))
        print_context(v, mgi_json_get(tool, "context_injection"));
    if (safety)
        fprintf(v->to, "    effects: %s%s\n", joined(v, mgi_json_get(safety, "side_effects")),
                is_true(safety, "requires_user_confirmation") ? "; asks the user first" : "");
    if (validity && mgi_json_get(validity, "expires_at"))
        fprintf(v->to, "    valid until %s\n", text(v, validity, "expires_at"));
}

/* A proof tree, a line a node. Depth is what the server sent: bounded by the JSON depth limit. */
static void print_tree(struct view *v, const struct json *node, int depth)
{
    const struct json *children = mgi_json_get(node, "children");
    const char *type = text(v, node, "type");
    fprintf(v->to, "      %*s%s %s(%s)%s\n", depth * 2, "", text(v, node, "fact"), v->style->dim,
            type, v->style->reset);
    for (uint32_t i = 0; i < count_of(children); i++)
        print_tree(v, &children->items[i], depth + 1);
}

static void print_proofs(struct view *v, const struct json *hints, const struct json *tools)
{
    const struct json *derivations = mgi_json_get(hints, "derivations");
    const struct json *excluded = mgi_json_get(hints, "excluded");
    const struct json *unmatched = mgi_json_get(hints, "unmatched_facts");
    for (uint32_t i = 0; i < count_of(derivations); i++) {
        const struct json *d = &derivations->items[i];
        const char *name = text(v, d, "macro_id");
        for (uint32_t k = 0; k < count_of(tools); k++)
            if (strcmp(text(v, &tools->items[k], "macro_id"), name) == 0)
                name = text(v, &tools->items[k], "name");
        fprintf(v->to, "  %swhy %s%s  %s by %s\n", v->style->blue, name, v->style->reset,
                text(v, d, "selected_by"), joined(v, mgi_json_get(d, "rule_chain")));
        if (mgi_json_get(d, "tree"))
            print_tree(v, mgi_json_get(d, "tree"), 0);
    }
    for (uint32_t i = 0; i < count_of(excluded); i++)
        fprintf(v->to, "  %swhy not %s%s  %s: %s\n", v->style->blue,
                text(v, &excluded->items[i], "candidate"), v->style->reset,
                text(v, &excluded->items[i], "excluded_by"),
                text(v, &excluded->items[i], "reason"));
    for (uint32_t i = 0; i < count_of(unmatched); i++)
        fprintf(v->to, "  %sunused fact %s: %s%s\n", v->style->dim,
                text(v, &unmatched->items[i], "pred"), text(v, &unmatched->items[i], "reason"),
                v->style->reset);
}

void mgi_render_intent(FILE *to, const struct json *payload, bool why)
{
    struct view v;
    view_open(&v, to);
    const struct json *tools = mgi_json_get(payload, "macro_tools");
    const struct json *hints = mgi_json_get(payload, "proof_hints");
    fprintf(to, "%s%u tool%s%s as of %s\n", v.style->bold, count_of(tools),
            count_of(tools) == 1 ? "" : "s", v.style->reset, text(&v, payload, "eval_time_used"));
    for (uint32_t i = 0; i < count_of(tools); i++)
        print_tool(&v, &tools->items[i]);
    if (why && hints && hints->type == JSON_OBJECT)
        print_proofs(&v, hints, tools);
    mgi_arena_fini(&v.arena);
}

/* ---- invocations ------------------------------------------------------------------------- */

static void print_observability(struct view *v, const struct json *o)
{
    const struct json *events = mgi_json_get(o, "events");
    fprintf(v->to, "  %s\n", text(v, o, "summary"));
    for (uint32_t i = 0; i < count_of(events); i++) {
        const struct json *e = &events->items[i];
        const char *status = text(v, e, "status");
        const char *colour = strcmp(status, "success") == 0   ? v->style->green
                             : strcmp(status, "failure") == 0 ? v->style->red
                                                              : v->style->yellow;
        fprintf(v->to, "    %s%-8s%s %-24s %4" PRId64 " ms  %s\n", colour, status, v->style->reset,
                text(v, e, "action"), number(e, "duration_ms", 0), text(v, e, "detail"));
    }
}

static void print_delta(struct view *v, const struct json *delta)
{
    static const uint32_t shown = 12;
    const struct json *retract = mgi_json_get(delta, "retract");
    const struct json *assert_facts = mgi_json_get(delta, "assert");
    for (uint32_t i = 0; i < count_of(retract) && i < shown; i++) {
        fprintf(v->to, "    %s-%s ", v->style->red, v->style->reset);
        print_fact(v, &retract->items[i]);
        fputc('\n', v->to);
    }
    for (uint32_t i = 0; i < count_of(assert_facts) && i < shown; i++) {
        fprintf(v->to, "    %s+%s ", v->style->green, v->style->reset);
        print_fact(v, &assert_facts->items[i]);
        fputc('\n', v->to);
    }
    if (count_of(assert_facts) > shown)
        fprintf(v->to, "    … and %u more facts\n", count_of(assert_facts) - shown);
}

void mgi_render_invoke(FILE *to, const struct json *payload)
{
    struct view v;
    view_open(&v, to);
    const struct json *delta = mgi_json_get(payload, "state_delta");
    const struct json *next = mgi_json_get(payload, "next");
    const struct json *intents = next ? mgi_json_get(next, "suggested_intents") : NULL;
    if (mgi_json_get(payload, "observability"))
        print_observability(&v, mgi_json_get(payload, "observability"));
    fprintf(to, "  %sresult%s\n", v.style->bold, v.style->reset);
    if (mgi_json_get(payload, "result"))
        mgi_render_json(to, mgi_json_get(payload, "result"), "    ");
    if (delta) {
        fprintf(to, "  %sstate delta%s\n", v.style->bold, v.style->reset);
        print_delta(&v, delta);
    }
    for (uint32_t i = 0; i < count_of(intents); i++)
        fprintf(to, "  %snext: %s%s  %s\n", v.style->cyan, text(&v, &intents->items[i], "name"),
                v.style->reset, text(&v, &intents->items[i], "description"));
    mgi_arena_fini(&v.arena);
}

void mgi_render_error(FILE *to, const struct json *payload)
{
    struct view v;
    view_open(&v, to);
    fprintf(to, "%s%s%s: %s\n", mgi_cli_style(to)->red, text(&v, payload, "code"),
            mgi_cli_style(to)->reset, text(&v, payload, "message"));
    const struct json *details = mgi_json_get(payload, "details");
    if (count_of(details))
        mgi_render_json(to, details, "  ");
    mgi_arena_fini(&v.arena);
}
