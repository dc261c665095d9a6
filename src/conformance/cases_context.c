/* Skills, instructions, resources, and the budget of tokens that they have to fit. */
#include "conformance/conformance_int.h"

#define NEEDED "{'pred':'fx_needs_skill','args':['%s']}"

static const struct json *skilled(struct probe *p, const char *why, const char *more)
{
    const char *facts = mgi_arena_printf(&p->memory, NEEDED, why);
    return facts ? mgi_probe_intent(p, "fx.skill", facts, more) : NULL;
}

static bool mentions(const struct json *answer, const char *word)
{
    return answer && mgi_str_find(answer->text, str_of(word)) != SIZE_MAX;
}

static void play_skill_comes(struct probe *p)
{
    const struct json *with = skilled(p, "x", "");
    const struct json *tool = mgi_tool_in(with, "fx_skill");
    mgi_probe_expect(p, mgi_is_at(tool, "/context_injection/skills/0/skill_id", "fx-skill"),
                     "the skill does not come");
    const struct json *without = mgi_probe_intent(p, "fx.skill", "", "");
    mgi_probe_expect(p, without && !mentions(without, "skill_id"), "the skill comes unasked");
}

static void play_skill_elsewhere(struct probe *p)
{
    static const char *const intents[] = { "fx.rank", "fx.pair", "fx.chain", "fx.mark" };
    for (size_t i = 0; i < 4; i++) {
        const struct json *answer = mgi_probe_intent(p, intents[i], "", "");
        mgi_probe_expect(p, answer && !mentions(answer, "skill_id"), "%s brings a skill",
                         intents[i]);
        mgi_probe_expect(p, answer && !mentions(answer, "instructions"), "%s brings instructions",
                         intents[i]);
    }
}

static void play_skill_whole(struct probe *p)
{
    const struct json *answer = skilled(p, "x", "");
    const struct json *one = mgi_at(mgi_tool_in(answer, "fx_skill"), "/context_injection/skills/0");
    bool inlined = mgi_is_at(one, "/inline", "true");
    struct str content = inlined ? mgi_text_at(one, "/content")
                                 : mgi_text_at(answer, "/payload/required_skills/0/content");
    mgi_probe_expect(p, content.len > 500, "the skill's text is not whole");
    mgi_probe_expect(p, !inlined || content.len < 8000, "a long skill is sent inline");
}

static void play_instructions(struct probe *p)
{
    struct str one = mgi_text_at(mgi_tool_in(skilled(p, "rain", ""), "fx_skill"),
                                 "/context_injection/instructions");
    struct str other = mgi_text_at(mgi_tool_in(skilled(p, "wind", ""), "fx_skill"),
                                   "/context_injection/instructions");
    mgi_probe_expect(p, one.len > 0 && !str_eq(one, other), "instructions do not follow the facts");
    mgi_probe_expect(p, one.len < 1000, "more than about 200 tokens");
}

static void play_resources(struct probe *p)
{
    const struct json *tool = mgi_tool_in(skilled(p, "x", ""), "fx_skill");
    const struct json *list = mgi_at(tool, "/context_injection/context_resources");
    mgi_probe_expect(p, list && list->count == 2, "not the two resources");
    mgi_probe_expect(p, mgi_is_at(list, "/0/uri", "s3://fx-bucket/first.json"), "the order (D-30)");
    for (uint32_t i = 0; list && i < list->count; i++) {
        mgi_probe_expect(p, mgi_text_at(&list->items[i], "/relevance").len > 0, "no relevance");
        mgi_probe_expect(p, mgi_int_at(&list->items[i], "/priority") > 0, "no priority");
    }
}

static void play_helper_has_none(struct probe *p)
{
    const struct json *answer = skilled(p, "x", "");
    mgi_probe_expect(p,
                     mgi_tool_in(answer, "fx_skill_helper") &&
                         !mgi_at(mgi_tool_in(answer, "fx_skill_helper"), "/context_injection"),
                     "another tool has the context, too");
}

/* A budget of so many tokens; the size of tools and skills in the answer. */
static size_t size_under(struct probe *p, int tokens, const struct json **answer)
{
    const char *more =
        mgi_arena_printf(&p->memory, ",'constraints':{'max_tokens_budget':%d}", tokens);
    *answer = more ? skilled(p, "x", more) : NULL;
    const struct json *tools = mgi_at(*answer, "/payload/macro_tools");
    const struct json *skills = mgi_at(*answer, "/payload/required_skills");
    return (tools ? tools->text.len : 0) + (skills ? skills->text.len : 0);
}

static void play_fitting(struct probe *p)
{
    const struct json *answer;
    size_t whole = size_under(p, 100000, &answer);
    bool referred = false, shortened = false, first_kept = true;
    for (int tokens = (int)whole / 4 - 20; tokens > 0 && !p->failed; tokens -= 25) {
        size_t size = size_under(p, tokens, &answer);
        const struct json *tool = mgi_tool_in(answer, "fx_skill");
        const struct json *list = mgi_at(tool, "/context_injection/context_resources");
        mgi_probe_is(p, answer, "intent_response");
        mgi_probe_expect(p, size < whole, "%d tokens change nothing", tokens);
        referred |= mgi_is_at(tool, "/context_injection/skills/0/inline", "false");
        shortened |= list && list->count == 1;
        first_kept &=
            !list || list->count != 1 || mgi_is_at(list, "/0/uri", "s3://fx-bucket/first.json");
    }
    mgi_probe_expect(p, referred, "no budget turns the skill into a reference");
    mgi_probe_expect(p, shortened, "no budget drops a resource");
    mgi_probe_expect(p, first_kept, "the resource of higher priority goes first");
}

static int rank_of_level(struct str level)
{
    return str_is(level, "full")        ? 3
           : str_is(level, "condensed") ? 2
           : str_is(level, "minimal")   ? 1
                                        : 0;
}

/* Smaller budgets: levels only fall, and that of a lower score falls first. */
static void play_demotion(struct probe *p)
{
    for (int tokens = 900; tokens > 0 && !p->failed; tokens -= 60) {
        const char *more =
            mgi_arena_printf(&p->memory, ",'constraints':{'max_tokens_budget':%d}", tokens);
        const struct json *tools =
            mgi_at(more ? mgi_probe_intent(p, "fx.rank", "", more) : NULL, "/payload/macro_tools");
        int last = 3;
        for (uint32_t i = 0; tools && i < tools->count; i++) {
            int level = rank_of_level(mgi_text_at(&tools->items[i], "/disclosure_level"));
            mgi_probe_expect(p, level <= last, "with %d tokens a better tool is shown less",
                             tokens);
            last = level;
        }
        mgi_probe_expect(p, tools && tools->text.len <= (size_t)tokens * 8 + 200,
                         "with %d tokens %d bytes", tokens, tools ? (int)tools->text.len : 0);
    }
}

static void play_enough(struct probe *p)
{
    const struct json *tool = mgi_probe_tool(p, "fx.echo", BASIC, "fx_echo");
    const struct json *properties = mgi_at(tool, "/input_schema/properties");
    mgi_probe_expect(p, properties && properties->count <= 3, "more than three parameters");
    const struct json *answer =
        mgi_probe_invoke(p, mgi_text_at(tool, "/macro_id"), "{'label':'x'}", "");
    mgi_probe_is(p, answer, "invoke_response");
}

static void play_bulk_schema(struct probe *p)
{
    const struct json *tool = mgi_probe_tool(p, "fx.bulk", "", "fx_bulk");
    const struct json *properties = mgi_at(tool, "/input_schema/properties");
    mgi_probe_expect(p, tool && (!properties || properties->count <= 3),
                     "thirty steps show in the schema");
}

const struct test_case mgi_cases_context[] = {
    { "P-SKILL-4 P-SKILL-3 P-SKILL-5 P-MIN-5", "a skill comes and goes with its need", OVER_ANY, 0,
      play_skill_comes },
    { "P-SKILL-3 P-CTX-8 P-CTX-7", "other intents bring no skill and no advice", OVER_ANY, 0,
      play_skill_elsewhere },
    { "P-SKILL-7 P-SKILL-8 P-SKILL-1 P-SKILL-2", "a skill comes as a whole", OVER_ANY, 0,
      play_skill_whole },
    { "P-CTX-5 P-TOKEN-3 P-CTX-1", "instructions speak to the facts, shortly", OVER_ANY, 0,
      play_instructions },
    { "P-CTX-2 P-CTX-4 P-CTX-6 P-TOKEN-6", "resources say why and how much they matter", OVER_ANY,
      0, play_resources },
    { "P-CTX-9 P-MIN-5", "a tool that needs no context has none", OVER_ANY, 0,
      play_helper_has_none },
    { "P-TOKEN-1 P-TOKEN-4 P-TOKEN-5 P-BUDGET-1", "context is fitted into a budget", OVER_ANY, 0,
      play_fitting },
    { "P-TOKEN-2", "tools are shown less from the lowest score upwards", OVER_ANY, 0,
      play_demotion },
    { "P-CTX-10 P-TOOL-8", "a tool suffices for using it", OVER_ANY, 0, play_enough },
    { "P-TOOL-8", "a tool of many steps has few parameters", OVER_ANY, 0, play_bulk_schema },
    { 0 },
};
