/* Why tools did not come out, for people: what took each out, and what would bring it. */
#include <inttypes.h>
#include <string.h>

#include "cli/manglecp_render.h"
#include "cli/manglecp_view.h"

static void print_reason(struct view *v, const struct json *reason)
{
    const struct cli_style *s = v->style;
    const struct json *rule = mgi_json_get(reason, "rule"), *facts = mgi_json_get(reason, "facts");
    const char *by = mgi_view_text(v, reason, "by"), *premise = mgi_view_text(v, reason, "premise");
    fprintf(v->to, "    %s%-12s%s %s", s->yellow, mgi_view_text(v, reason, "phase"), s->reset,
            mgi_view_text(v, reason, "message"));
    if (by[0])
        fprintf(v->to, ": %s", by);
    if (mgi_json_get(reason, "score"))
        fprintf(v->to, ": %" PRId64 ", and the least is %" PRId64,
                mgi_view_number(reason, "score", 0), mgi_view_number(reason, "least", 0));
    if (mgi_json_get(reason, "most"))
        fprintf(v->to, ": at most %" PRId64, mgi_view_number(reason, "most", 0));
    fputc('\n', v->to);
    if (premise[0])
        fprintf(v->to, "      fails at %s\n", premise);
    if (rule)
        fprintf(v->to, "      %s%s:%" PRId64 ":%s %s\n", s->dim, mgi_view_text(v, rule, "file"),
                mgi_view_number(rule, "line", 0), s->reset, mgi_view_text(v, rule, "name"));
    for (uint32_t i = 0; i < mgi_view_count(facts); i++)
        fprintf(v->to, "      by your fact %s\n", mgi_view_fact(v, &facts->items[i], 0));
}

static void print_side(struct view *v, const struct json *facts, const char *sign,
                       const char *colour, bool *first)
{
    for (uint32_t i = 0; i < mgi_view_count(facts); i++) {
        fprintf(v->to, "    %s %s%s%s %s\n", *first ? "it would come with" : "               and",
                colour, sign, v->style->reset, mgi_view_fact(v, &facts->items[i], 0));
        *first = false;
    }
}

static void print_one(struct view *v, const struct json *one)
{
    const struct json *reasons = mgi_json_get(one, "reasons");
    const struct json *changes = mgi_json_get(one, "changes");
    const struct json *search = mgi_json_get(one, "search");
    const char *limit = mgi_view_text(v, search, "limit");
    fprintf(v->to, "  %swhy not%s %s%s\n", v->style->blue, v->style->reset,
            mgi_view_text(v, one, "tool"), mgi_view_true(one, "selected") ? ": it is there" : "");
    for (uint32_t i = 0; i < mgi_view_count(reasons); i++)
        print_reason(v, &reasons->items[i]);
    for (uint32_t i = 0; i < mgi_view_count(changes); i++) {
        bool first = true;
        print_side(v, mgi_json_get(&changes->items[i], "add"), "+", v->style->green, &first);
        print_side(v, mgi_json_get(&changes->items[i], "remove"), "-", v->style->red, &first);
    }
    if (limit[0])
        fprintf(v->to, "    %sthe search ended at its limit (%s): there may be others%s\n",
                v->style->dim, limit, v->style->reset);
    else if (!mgi_view_true(one, "selected") && mgi_view_count(changes) == 0 &&
             mgi_view_true(search, "complete"))
        fprintf(v->to, "    no facts that a client may send would bring it\n");
}

void mgi_render_why_not(FILE *to, const struct json *answers)
{
    struct view v;
    mgi_view_open(&v, to);
    for (uint32_t i = 0; i < mgi_view_count(answers); i++)
        print_one(&v, &answers->items[i]);
    mgi_view_close(&v);
}

void mgi_render_why_not_text(FILE *to, const char *json)
{
    struct arena arena;
    struct json answers;
    mgi_arena_init(&arena, 0);
    if (json && mgi_json_parse(&arena, str_of(json), NULL, &answers, NULL) == JSON_OK)
        mgi_render_why_not(to, &answers);
    mgi_arena_fini(&arena);
}
