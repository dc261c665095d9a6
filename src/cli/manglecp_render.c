/* Printing answers for people: the manifest as a card, tools with their reasons, what a call did.
 */
#include "cli/manglecp_render.h"

#include <inttypes.h>
#include <string.h>

#include "base/strmap.h"
#include "cli/manglecp_view.h"

#define BRIEF_FACTS     4  /* asserted facts shown one by one */
#define BRIEF_ARGUMENT  26 /* columns of a fact's argument */
#define TREE_COLUMNS    86
#define BRIEF_RESOURCES 3
#define MAX_ARGUMENTS   40 /* of a predicate, shown */

/* ---- manifest ---------------------------------------------------------------------------- */

static void print_intents(struct view *v, const struct json *intents)
{
    int widest = 0;
    for (uint32_t i = 0; i < mgi_view_count(intents); i++) {
        int len = (int)strlen(mgi_view_text(v, &intents->items[i], "name"));
        widest = len > widest ? len : widest;
    }
    for (uint32_t i = 0; i < mgi_view_count(intents); i++) {
        const struct json *one = &intents->items[i];
        const struct json *needed = mgi_json_get(one, "required_facts");
        fprintf(v->to, "  %s  %s%-*s%s  ", i ? "       " : "intents", v->style->cyan, widest,
                mgi_view_text(v, one, "name"), v->style->reset);
        mgi_view_wrap(v, 13 + widest, 13 + (size_t)widest, mgi_view_text(v, one, "description"));
        if (mgi_view_count(needed))
            fprintf(v->to, "%*s(needs %s)\n", 13 + widest, "", mgi_view_joined(v, needed));
    }
}

/* "page: string, level: string" */
static const char *signature(struct view *v, const struct json *p)
{
    const struct json *names = mgi_json_get(p, "arg_names"), *types = mgi_json_get(p, "arg_types");
    int64_t arity = mgi_view_number(p, "arity", 0);
    struct buf out = { 0 };
    for (uint32_t i = 0; i < arity && i < MAX_ARGUMENTS; i++) {
        const char *type = i < mgi_view_count(types) ? mgi_view_value(v, &types->items[i]) : "any";
        mgi_buf_puts(&out, i ? ", " : "");
        if (i < mgi_view_count(names))
            mgi_buf_printf(&out, "%s: ", mgi_view_value(v, &names->items[i]));
        mgi_buf_puts(&out, type);
    }
    if (arity > MAX_ARGUMENTS)
        mgi_buf_puts(&out, ", …");
    const char *kept = mgi_arena_str(&v->arena, mgi_buf_view(&out)).ptr;
    mgi_buf_fini(&out);
    return kept ? kept : "";
}

/* What a client may say, and what it may be told: a line each. */
static void print_facts(struct view *v, const struct json *predicates, bool brief)
{
    if (brief || !mgi_view_count(predicates)) {
        fprintf(v->to, "  facts    it understands %u predicates\n", mgi_view_count(predicates));
        return;
    }
    for (uint32_t i = 0; i < mgi_view_count(predicates); i++) {
        const struct json *p = &predicates->items[i];
        const char *direction = mgi_view_text(v, p, "direction");
        const char *description = mgi_view_text(v, p, "description");
        fprintf(v->to, "  %s  %s%s%s(%s)%s%s\n", i ? "       " : "facts  ", v->style->cyan,
                mgi_view_text(v, p, "predicate"), v->style->reset, signature(v, p),
                mgi_view_true(p, "temporal") ? ", with a time" : "",
                strcmp(direction, "input") == 0    ? "; it is asked for"
                : strcmp(direction, "output") == 0 ? "; the server alone says it"
                                                   : "");
        if (description[0])
            mgi_view_wrap(v, 13, 0, description);
    }
}

/* What a server adds of its own: a degraded one says here what is missing (P-READY-7). What is but
 * true says what programs may ask for. */
static void print_extensions(struct view *v, const struct json *extensions)
{
    bool first = true;
    for (uint32_t i = 0; i < mgi_view_members(extensions); i++) {
        const struct json_member *m = &extensions->members[i];
        if (m->value.type == JSON_BOOL)
            continue;
        fprintf(v->to, "  %s  %s: ", first ? "further" : "       ", mgi_view_name(v, m->name));
        mgi_view_wrap(v, 11, 13 + m->name.len, mgi_view_value(v, &m->value));
        first = false;
    }
}

void mgi_render_manifest(FILE *to, const struct json *payload, bool brief)
{
    struct view v;
    mgi_view_open(&v, to);
    const struct json *limits = mgi_json_get(payload, "limits");
    const struct json *profile = mgi_json_get(payload, "facts_profile");
    fprintf(to, "  %s%s %s%s, %s, speaks MangleCP %s\n", v.style->bold,
            mgi_view_text(&v, payload, "server_name"), mgi_view_text(&v, payload, "server_version"),
            v.style->reset, mgi_view_text(&v, payload, "status"),
            mgi_view_text(&v, mgi_json_get(payload, "protocol"), "manglecp"));
    mgi_view_wrap(&v, 2, 0, mgi_view_text(&v, mgi_json_get(payload, "domain"), "description"));
    print_intents(&v, mgi_json_get(payload, "intents"));
    print_facts(&v, mgi_json_get(profile, "predicates"), brief);
    fprintf(to, "  limits   %" PRId64 " facts a request, %" PRId64 " ms\n",
            mgi_view_number(limits, "max_facts_per_request", 0),
            mgi_view_number(limits, "max_compute_ms", 0));
    fprintf(to, "  access   %s\n",
            mgi_view_true(mgi_json_get(payload, "auth"), "required")
                ? "with a bearer token"
                : "no credentials needed here");
    print_extensions(&v, mgi_json_get(payload, "extensions"));
    mgi_view_close(&v);
}

/* ---- intents ----------------------------------------------------------------------------- */

static void print_parameter(struct view *v, const struct json_member *p, bool needed)
{
    const struct json *choice = mgi_json_get(&p->value, "enum");
    const struct json *element = mgi_json_get(mgi_json_get(&p->value, "items"), "enum");
    const struct json *otherwise = mgi_json_get(&p->value, "default");
    struct buf line = { 0 };
    mgi_buf_printf(&line, "(%s", mgi_view_text(v, &p->value, "type"));
    if (mgi_view_count(element))
        mgi_buf_printf(&line, " of %s", mgi_view_cut(v, mgi_view_joined(v, element), 200));
    if (!needed)
        mgi_buf_puts(&line, ", optional");
    if (otherwise)
        mgi_buf_printf(&line, ", default %s", mgi_view_value(v, otherwise));
    if (mgi_view_count(choice))
        mgi_buf_printf(&line, ", %s%s", choice->count > 1 ? "one of " : "only ",
                       mgi_view_cut(v, mgi_view_joined(v, choice), 200));
    mgi_buf_printf(&line, ") %s", mgi_view_text(v, &p->value, "description"));
    fprintf(v->to, "      %s%s%s ", v->style->cyan, mgi_view_name(v, p->name), v->style->reset);
    mgi_view_wrap(v, 8, 7 + p->name.len, line.ptr ? line.ptr : "");
    mgi_buf_fini(&line);
}

static void print_parameters(struct view *v, const struct json *schema)
{
    const struct json *properties = mgi_json_get(schema, "properties");
    const struct json *required = mgi_json_get(schema, "required");
    for (uint32_t i = 0; i < mgi_view_members(properties); i++) {
        const struct json_member *p = &properties->members[i];
        bool needed = false;
        for (uint32_t k = 0; k < mgi_view_count(required); k++)
            needed |= required->items[k].type == JSON_STRING &&
                      str_eq(required->items[k].string, p->name);
        print_parameter(v, p, needed);
    }
}

static void print_context(struct view *v, const struct json *context, bool brief)
{
    const struct json *skills = mgi_json_get(context, "skills");
    const struct json *resources = mgi_json_get(context, "context_resources");
    if (mgi_json_get(context, "instructions")) {
        fprintf(v->to, "    instructions  ");
        mgi_view_wrap(v, 18, 18, mgi_view_text(v, context, "instructions"));
    }
    for (uint32_t i = 0; i < mgi_view_count(skills); i++)
        fprintf(v->to, "    skill         %s%s\n", mgi_view_text(v, &skills->items[i], "skill_id"),
                mgi_view_true(&skills->items[i], "inline") ? ", its text sent along"
                                                           : ", by reference");
    for (uint32_t i = 0; i < mgi_view_count(resources) && (!brief || i < BRIEF_RESOURCES); i++)
        fprintf(v->to, "    resource      %s\n", mgi_view_text(v, &resources->items[i], "uri"));
    if (brief && mgi_view_count(resources) > BRIEF_RESOURCES)
        fprintf(v->to, "                  … and %u more\n",
                mgi_view_count(resources) - BRIEF_RESOURCES);
}

static void print_safety(struct view *v, const struct json *tool)
{
    const struct json *safety = mgi_json_get(tool, "safety");
    const struct json *validity = mgi_json_get(tool, "validity");
    if (safety)
        fprintf(v->to, "    effects       %s%s\n",
                mgi_view_joined(v, mgi_json_get(safety, "side_effects")),
                mgi_view_true(safety, "requires_user_confirmation") ? "; asks the user first" : "");
    if (validity && mgi_json_get(validity, "expires_at"))
        fprintf(v->to, "    valid until   %s, when its proof stops holding\n",
                mgi_view_text(v, validity, "expires_at"));
}

static void print_tool(struct view *v, const struct json *tool, bool brief)
{
    const struct cli_style *s = v->style;
    const char *level = mgi_view_text(v, tool, "disclosure_level");
    const struct json *metadata = mgi_json_get(tool, "metadata");
    const char *colour = strcmp(level, "full") == 0        ? s->green
                         : strcmp(level, "condensed") == 0 ? s->yellow
                                                           : s->dim;
    bool full = mgi_json_get(tool, "input_schema") != NULL;
    fprintf(v->to, "  %s%-9s%s %s%s%s", colour, level, s->reset, s->bold,
            mgi_view_text(v, tool, "name"), s->reset);
    if (metadata && mgi_json_get(metadata, "score"))
        fprintf(v->to, "  score %" PRId64, mgi_view_number(metadata, "score", 0));
    if (full || !brief)
        fprintf(v->to, "  %s%s%s", s->dim, mgi_view_text(v, tool, "macro_id"), s->reset);
    if (!full && mgi_json_get(tool, "description"))
        fprintf(v->to, "  %s",
                mgi_view_cut(v, mgi_view_text(v, tool, "description"), brief ? 60 : 0));
    fputc('\n', v->to);
    if (full && mgi_json_get(tool, "description"))
        mgi_view_wrap(v, 4, 0, mgi_view_text(v, tool, "description"));
    if (full)
        print_parameters(v, mgi_json_get(tool, "input_schema"));
    if (mgi_json_get(tool, "context_injection"))
        print_context(v, mgi_json_get(tool, "context_injection"), brief);
    print_safety(v, tool);
}

/* ---- proofs ------------------------------------------------------------------------------ */

/* How a conclusion came about, in a reader's words. */
static const char *origin(const char *type)
{
    static const struct {
        const char *type, *word;
    } words[] = { { "derived", "" },
                  { "session", "the client said so" },
                  { "server", "the domain says so" } };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i].type, type) == 0)
            return words[i].word;
    return type;
}

/* A line a node. Depth is what the server sent: bounded by the JSON depth limit. */
static void print_node(struct view *v, const struct json *node, int depth, bool brief)
{
    const struct json *children = mgi_json_get(node, "children");
    const char *why = origin(mgi_view_text(v, node, "type"));
    const char *fact = mgi_view_text(v, node, "fact");
    size_t room = TREE_COLUMNS - (size_t)(depth < 20 ? depth : 20) * 2 - strlen(why);
    fprintf(v->to, "      %*s%s%s%s%s%s%s%s\n", depth * 2, "", depth ? "because " : "",
            brief ? mgi_view_cut(v, fact, room) : fact, v->style->dim, why[0] ? "  (" : "", why,
            why[0] ? ")" : "", v->style->reset);
    for (uint32_t i = 0; i < mgi_view_count(children); i++)
        print_node(v, &children->items[i], depth + 1, brief);
}

static const struct json *tool_of(struct view *v, const struct json *tools, const char *macro_id)
{
    for (uint32_t i = 0; i < mgi_view_count(tools); i++)
        if (strcmp(mgi_view_text(v, &tools->items[i], "macro_id"), macro_id) == 0)
            return &tools->items[i];
    return NULL;
}

static const char *derived_name(struct view *v, const struct json *d, const struct json *tools)
{
    const char *id = mgi_view_text(v, d, "macro_id");
    const struct json *tool = tool_of(v, tools, id);
    return tool ? mgi_view_text(v, tool, "name") : id;
}

static bool told_in_full(struct view *v, const struct json *d, const struct json *tools, bool brief)
{
    const struct json *tool = tool_of(v, tools, mgi_view_text(v, d, "macro_id"));
    return mgi_json_get(d, "tree") && (!brief || (tool && mgi_json_get(tool, "input_schema")));
}

/* One line for all tools that the same rules chose. */
static void print_alike(struct view *v, const struct json *derivations, uint32_t first,
                        const struct json *tools, bool brief)
{
    const struct json *chain = mgi_json_get(&derivations->items[first], "rule_chain");
    struct buf names = { 0 };
    for (uint32_t i = 0; chain && i < derivations->count; i++) {
        const struct json *d = &derivations->items[i], *other = mgi_json_get(d, "rule_chain");
        if (told_in_full(v, d, tools, brief) || !other || !str_eq(other->text, chain->text))
            continue;
        if (i < first) {
            mgi_buf_fini(&names);
            return;
        }
        mgi_buf_printf(&names, "%s%s", names.len ? ", " : "", derived_name(v, d, tools));
    }
    mgi_buf_printf(&names, ": by %s", mgi_view_joined(v, chain));
    fprintf(v->to, "  %swhy%s ", v->style->blue, v->style->reset);
    mgi_view_wrap(v, 6, 6, names.ptr);
    mgi_buf_fini(&names);
}

static void print_derivations(struct view *v, const struct json *derivations,
                              const struct json *tools, bool brief)
{
    for (uint32_t i = 0; i < mgi_view_count(derivations); i++) {
        const struct json *d = &derivations->items[i];
        if (!told_in_full(v, d, tools, brief)) {
            print_alike(v, derivations, i, tools, brief);
            continue;
        }
        fprintf(v->to, "  %swhy%s %s\n", v->style->blue, v->style->reset,
                derived_name(v, d, tools));
        print_node(v, mgi_json_get(d, "tree"), 0, brief);
    }
}

static void print_proofs(struct view *v, const struct json *hints, const struct json *tools,
                         bool brief)
{
    const struct json *derivations = mgi_json_get(hints, "derivations");
    const struct json *excluded = mgi_json_get(hints, "excluded");
    const struct json *unmatched = mgi_json_get(hints, "unmatched_facts");
    print_derivations(v, derivations, tools, brief);
    for (uint32_t i = 0; i < mgi_view_count(excluded); i++)
        fprintf(v->to, "  %swhy not%s %s: %s, %s\n", v->style->blue, v->style->reset,
                mgi_view_text(v, &excluded->items[i], "candidate"),
                mgi_view_text(v, &excluded->items[i], "excluded_by"),
                mgi_view_text(v, &excluded->items[i], "reason"));
    for (uint32_t i = 0; !brief && i < mgi_view_count(unmatched); i++)
        fprintf(v->to, "  %sunused fact %s: %s%s\n", v->style->dim,
                mgi_view_text(v, &unmatched->items[i], "pred"),
                mgi_view_text(v, &unmatched->items[i], "reason"), v->style->reset);
}

void mgi_render_intent(FILE *to, const struct json *payload, bool brief)
{
    struct view v;
    mgi_view_open(&v, to);
    const struct json *tools = mgi_json_get(payload, "macro_tools");
    const struct json *hints = mgi_json_get(payload, "proof_hints");
    fprintf(to, "  %s%u tool%s%s as of %s\n", v.style->bold, mgi_view_count(tools),
            mgi_view_count(tools) == 1 ? "" : "s", v.style->reset,
            mgi_view_text(&v, payload, "eval_time_used"));
    for (uint32_t i = 0; i < mgi_view_count(tools); i++)
        print_tool(&v, &tools->items[i], brief);
    if (mgi_view_members(hints))
        print_proofs(&v, hints, tools, brief);
    mgi_view_close(&v);
}

/* ---- invocations ------------------------------------------------------------------------- */

static void print_observability(struct view *v, const struct json *o)
{
    const struct json *events = mgi_json_get(o, "events");
    for (uint32_t i = 0; i < mgi_view_count(events); i++) {
        const struct json *e = &events->items[i];
        const char *status = mgi_view_text(v, e, "status");
        const char *colour = strcmp(status, "success") == 0   ? v->style->green
                             : strcmp(status, "failure") == 0 ? v->style->red
                                                              : v->style->yellow;
        const char *detail = mgi_view_text(v, e, "detail");
        fprintf(v->to, "  %s%-7s%s %-20s %3" PRId64 " ms%s", colour, status, v->style->reset,
                mgi_view_text(v, e, "action"), mgi_view_number(e, "duration_ms", 0),
                detail[0] ? "  " : "");
        mgi_view_wrap(v, 38, 38, detail);
    }
    fprintf(v->to, "  %s", v->style->bold);
    mgi_view_wrap(v, 2, 2, mgi_view_text(v, o, "summary"));
    fprintf(v->to, "%s", v->style->reset);
}

/* "12 console_event, 4 net_request" of facts from `from` on. */
static const char *counted(struct view *v, const struct json *facts, uint32_t from)
{
    struct strmap places; /* of a predicate among `seen` */
    struct seen {
        const struct json *pred;
        uint32_t count;
    } *seen = NULL;
    size_t count = 0, cap = 0;
    struct buf out = { 0 };
    bool ok = true;
    mgi_strmap_init(&places);
    for (uint32_t i = from; i < facts->count && ok; i++) {
        const struct json *pred = mgi_json_get(&facts->items[i], "pred");
        uint32_t at;
        if (!pred)
            continue;
        if (!mgi_strmap_get(&places, pred->text, &at)) {
            at = (uint32_t)count;
            ok = mgi_strmap_put(&places, pred->text, at) &&
                 mgi_arena_grow(&v->arena, &seen, &cap, count + 1, sizeof *seen);
            if (ok)
                seen[count++] = (struct seen){ pred, 0 };
        }
        if (ok && seen)
            seen[at].count++;
    }
    for (size_t i = 0; i < count; i++)
        mgi_buf_printf(&out, "%s%u %s", out.len ? ", " : "", seen[i].count,
                       mgi_render_text(&v->arena, seen[i].pred));
    const char *kept = mgi_arena_str(&v->arena, mgi_buf_view(&out)).ptr;
    mgi_strmap_fini(&places);
    mgi_buf_fini(&out);
    return kept ? kept : "";
}

static void print_retracted(struct view *v, const struct json *facts)
{
    struct buf all = { 0 };
    for (uint32_t i = 0; i < mgi_view_count(facts); i++)
        mgi_buf_printf(&all, "%s%s", i ? ",  " : "", mgi_view_fact(v, &facts->items[i], 40));
    if (mgi_view_count(facts)) {
        fprintf(v->to, "    %s-%s ", v->style->red, v->style->reset);
        mgi_view_wrap(v, 6, 6, all.ptr ? all.ptr : "");
    }
    mgi_buf_fini(&all);
}

static void print_asserted(struct view *v, const struct json *facts, bool brief)
{
    uint32_t count = mgi_view_count(facts), shown = count;
    if (brief && count > BRIEF_FACTS + 2)
        shown = BRIEF_FACTS;
    for (uint32_t i = 0; i < shown; i++)
        fprintf(v->to, "    %s+%s %s\n", v->style->green, v->style->reset,
                mgi_view_fact(v, &facts->items[i], brief ? BRIEF_ARGUMENT : 0));
    if (shown < count) {
        fprintf(v->to, "    %s+%s ", v->style->green, v->style->reset);
        mgi_view_wrap(v, 6, 6,
                      mgi_arena_printf(&v->arena, "… and %u more: %s", count - shown,
                                       counted(v, facts, shown)));
    }
}

static void print_suggestion(struct view *v, const struct json *intent)
{
    const struct json *params = mgi_json_get(intent, "params");
    fprintf(v->to, "  %snext%s  %s%s%s", v->style->bold, v->style->reset, v->style->cyan,
            mgi_view_text(v, intent, "name"), v->style->reset);
    for (uint32_t i = 0; i < mgi_view_members(params); i++)
        fprintf(v->to, "%s%s=%s", i ? ", " : " with ", mgi_view_name(v, params->members[i].name),
                mgi_view_value(v, &params->members[i].value));
    fprintf(v->to, ": %s\n", mgi_view_text(v, intent, "description"));
}

/* What a reader must know before believing the rest. */
static void print_reservations(struct view *v, const struct json *root, const struct json *payload)
{
    const struct json *complete = mgi_json_get(payload, "effects_complete");
    const struct json *warnings = mgi_json_get(mgi_json_get(payload, "observability"), "warnings");
    if (mgi_view_true(mgi_json_get(root, "extensions"), "x-idempotent-replay"))
        fprintf(v->to, "  %sthe outcome of an earlier request with this key: nothing ran again%s\n",
                v->style->yellow, v->style->reset);
    if (complete && complete->type == JSON_BOOL && !complete->boolean)
        fprintf(v->to,
                "  %sthe effects are not complete: more may have changed than is told here%s\n",
                v->style->yellow, v->style->reset);
    for (uint32_t i = 0; i < mgi_view_count(warnings); i++) {
        const struct json *one = &warnings->items[i];
        fprintf(v->to, "  %swarning%s  ", v->style->yellow, v->style->reset);
        mgi_view_wrap(v, 11, 11,
                      one->type == JSON_STRING ? mgi_view_value(v, one)
                                               : mgi_view_text(v, one, "message"));
    }
}

void mgi_render_invoke(FILE *to, const struct json *root, bool brief)
{
    struct view v;
    mgi_view_open(&v, to);
    const struct json *payload = mgi_json_get(root, "payload");
    const struct json *delta = mgi_json_get(payload, "state_delta");
    const struct json *next = mgi_json_get(payload, "next");
    const struct json *intents = mgi_json_get(next, "suggested_intents");
    const struct json *result = mgi_json_get(payload, "result");
    if (mgi_json_get(payload, "observability"))
        print_observability(&v, mgi_json_get(payload, "observability"));
    print_reservations(&v, root, payload);
    if (mgi_view_members(result)) {
        fprintf(to, "  %sresult%s\n", v.style->bold, v.style->reset);
        if (brief)
            mgi_view_tree(&v, 4, result);
        else
            mgi_render_json(to, result, "    ");
    }
    if (mgi_view_count(mgi_json_get(delta, "retract")) ||
        mgi_view_count(mgi_json_get(delta, "assert"))) {
        fprintf(to, "  %sstate delta%s: retract first, then assert\n", v.style->bold,
                v.style->reset);
        print_retracted(&v, mgi_json_get(delta, "retract"));
        print_asserted(&v, mgi_json_get(delta, "assert"), brief);
    }
    for (uint32_t i = 0; i < mgi_view_count(intents); i++)
        print_suggestion(&v, &intents->items[i]);
    mgi_view_close(&v);
}

/* ---- errors ------------------------------------------------------------------------------ */

static bool says_nothing(const struct json *v)
{
    if ((v->type == JSON_ARRAY || v->type == JSON_OBJECT) && v->count == 0)
        return true;
    bool nothing = v->type == JSON_OBJECT;
    for (uint32_t i = 0; nothing && i < v->count; i++)
        nothing = v->members[i].value.type == JSON_ARRAY && v->members[i].value.count == 0;
    return nothing;
}

/* The message has said already what the one action that ran has to tell. */
static bool is_repetition(const struct json_member *m)
{
    const struct json *events = mgi_json_get(&m->value, "events");
    return str_is(m->name, "observability") && mgi_view_count(events) < 2;
}

/* What a person learns from: --json has all of it. */
static void print_details(struct view *v, const struct json *details)
{
    for (uint32_t i = 0; i < details->count; i++) {
        struct json_member *m = &details->members[i];
        const struct json one = { .type = JSON_OBJECT, .count = 1, .members = m };
        if (!says_nothing(&m->value) && !is_repetition(m))
            mgi_view_tree(v, 2, &one);
    }
}

void mgi_render_error(FILE *to, const struct json *payload)
{
    struct view v;
    mgi_view_open(&v, to);
    fprintf(to, "%s%s%s: %s\n", v.style->red, mgi_view_text(&v, payload, "code"), v.style->reset,
            mgi_view_text(&v, payload, "message"));
    const struct json *details = mgi_json_get(payload, "details");
    if (mgi_view_members(details))
        print_details(&v, details);
    mgi_view_close(&v);
}
