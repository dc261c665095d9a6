/* `why_not` of an `expect`, and `manglecp test --why-not`: why a tool did not come out of the
 * evaluation, asked and held against what is expected. */
#include "protocol/envelope.h"
#include "scenario/scenario_int.h"

/* What both ask about, each once, as many as one request may. */
static void add_name(struct run *r, struct json_writer *w, struct str name, struct str *asked,
                     uint32_t *count)
{
    for (uint32_t i = 0; i < *count; i++)
        if (str_eq(asked[i], name))
            return;
    if (*count == WHY_NOT_MOST) {
        mgi_scenario_fail(r, "why_not: one request asks about %d tools at most", WHY_NOT_MOST);
        return;
    }
    asked[(*count)++] = name;
    mgi_jw_string(w, name);
}

bool mgi_scenario_asks_why(struct run *r, const struct yaml_node *expect, struct json *names)
{
    struct str asked[WHY_NOT_MOST];
    uint32_t count = 0;
    struct buf text = { 0 };
    struct json_writer w;
    const struct yaml_node *wanted = mgi_yaml_get(expect, "why_not");
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_array(&w);
    for (size_t i = 0; wanted && wanted->kind == YAML_MAP && i < wanted->count; i++)
        add_name(r, &w, wanted->entries[i].key, asked, &count);
    for (size_t i = 0; r->options && i < r->options->why_not_count; i++)
        add_name(r, &w, str_of(r->options->why_not[i]), asked, &count);
    mgi_jw_end_array(&w);
    return mgi_json_take(r->yaml.arena, &text, names);
}

/* ---- judging --------------------------------------------------------------------------------- */

static const struct json *told_of(const struct run *r, struct str tool)
{
    for (uint32_t i = 0; i < r->why.count; i++)
        if (str_eq(mgi_json_get(&r->why.items[i], "tool")->string, tool))
            return &r->why.items[i];
    return NULL;
}

/* A member of the first reason; ptr NULL: there is none. */
static struct str of_reason(const struct json *told, const char *member)
{
    const struct json *reasons = mgi_json_get(told, "reasons");
    const struct json *v =
        reasons && reasons->count > 0 ? mgi_json_get(&reasons->items[0], member) : NULL;
    return v && v->type == JSON_STRING ? v->string : (struct str){ NULL, 0 };
}

static void expect_word(struct run *r, struct str tool, const struct json *told, const char *member,
                        const struct yaml_node *want)
{
    struct str got = of_reason(told, member);
    if (want && !str_eq(got, want->text))
        mgi_scenario_fail(r, "%.*s: why_not: %s: expected %.*s, got %.*s", STR_ARG(tool), member,
                          STR_ARG(want->text), STR_ARG(got.ptr ? got : STR_LIT("nothing")));
}

static void write_side_of_change(struct run *r, struct json_writer *w, const char *name,
                                 const struct yaml_node *list)
{
    mgi_jw_key(w, name);
    mgi_jw_begin_array(w);
    for (size_t i = 0; list && list->kind == YAML_LIST && i < list->count; i++)
        mgi_scenario_fact(r, w, list->entries[i].value);
    mgi_jw_end_array(w);
}

/* Has `list` the fact: its predicate, arguments, and time? */
static bool has_told_fact(const struct json *list, const struct json *fact)
{
    static const char *const members[] = { "pred", "args", "t" };
    for (uint32_t i = 0; i < list->count; i++) {
        bool same = true;
        for (int k = 0; k < 3; k++) {
            const struct json *a = mgi_json_get(&list->items[i], members[k]);
            const struct json *b = mgi_json_get(fact, members[k]);
            same &= a && b ? mgi_json_equal(a, b, true) : !a == !b;
        }
        if (same)
            return true;
    }
    return false;
}

static bool same_facts(const struct json *a, const struct json *b)
{
    bool same = a && b && a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++)
        same = has_told_fact(b, &a->items[i]);
    return same;
}

/* One of the sets that are told is this one. */
static void expect_change(struct run *r, struct str tool, const struct json *told,
                          const struct yaml_node *want)
{
    static const char *const keys[] = { "add", "remove", NULL };
    struct buf text = { 0 };
    struct json_writer w;
    struct json set;
    if (!mgi_scenario_expects(r, want, "a change of why_not", keys))
        return;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    write_side_of_change(r, &w, "add", mgi_yaml_get(want, "add"));
    write_side_of_change(r, &w, "remove", mgi_yaml_get(want, "remove"));
    mgi_jw_end_object(&w);
    if (!mgi_json_take(r->yaml.arena, &text, &set))
        return;
    const struct json *changes = mgi_json_get(told, "changes");
    for (uint32_t i = 0; changes && i < changes->count; i++)
        if (same_facts(mgi_json_get(&changes->items[i], "add"), mgi_json_get(&set, "add")) &&
            same_facts(mgi_json_get(&changes->items[i], "remove"), mgi_json_get(&set, "remove")))
            return;
    mgi_scenario_fail(r, "%.*s: why_not: %.*s is not among %.*s", STR_ARG(tool), STR_ARG(set.text),
                      STR_ARG(changes ? changes->text : STR_LIT("[]")));
}

void mgi_scenario_judge_why(struct run *r, struct str tool, const struct yaml_node *want)
{
    static const char *const keys[] = { "phase", "by", "changes", NULL };
    const struct json *told = told_of(r, tool);
    if (!told)
        return; /* too many were asked about: that is told */
    if (want->kind == YAML_SCALAR) {
        expect_word(r, tool, told, "phase", want);
        return;
    }
    if (!mgi_scenario_expects(r, want, "why_not", keys))
        return;
    const struct yaml_node *changes = mgi_yaml_get(want, "changes");
    expect_word(r, tool, told, "phase", mgi_yaml_get(want, "phase"));
    expect_word(r, tool, told, "by", mgi_yaml_get(want, "by"));
    for (size_t i = 0; changes && changes->kind == YAML_LIST && i < changes->count; i++)
        expect_change(r, tool, told, changes->entries[i].value);
}
