/* Proof hints and rule coverage. */
#include "conformance/conformance_int.h"

#define HINTS ",'options':{'include_proof_hints':true}"

static const struct json *hints_of(struct probe *p, const struct json *answer)
{
    const struct json *hints = mgi_at(answer, "/payload/proof_hints");
    mgi_probe_expect(p, hints && hints->type == JSON_OBJECT, "no proof hints");
    return hints;
}

static const struct json *derivation_of(const struct json *hints, struct str macro_id)
{
    const struct json *list = mgi_at(hints, "/derivations");
    for (uint32_t i = 0; list && i < list->count; i++)
        if (str_eq(mgi_text_at(&list->items[i], "/macro_id"), macro_id))
            return &list->items[i];
    return NULL;
}

static void play_each_derived(struct probe *p)
{
    static const char *const intents[] = { "fx.rank", "fx.chain", "fx.pair" };
    for (size_t i = 0; i < 3; i++) {
        const struct json *answer =
            mgi_probe_intent(p, intents[i], "{'pred':'fx_score','args':['fx_pair_a',80]}", HINTS);
        const struct json *tools = mgi_at(answer, "/payload/macro_tools");
        const struct json *hints = hints_of(p, answer);
        for (uint32_t k = 0; tools && k < tools->count; k++) {
            const struct json *one =
                derivation_of(hints, mgi_text_at(&tools->items[k], "/macro_id"));
            mgi_probe_expect(p, one, "%s: a tool without derivation", intents[i]);
            const struct json *score = mgi_at(&tools->items[k], "/metadata/score");
            const struct json *told = mgi_at(one, "/score");
            mgi_probe_expect(p, !score || (told && mgi_json_equal(score, told, false)),
                             "another score than metadata says");
            const struct json *chain = mgi_at(one, "/rule_chain");
            mgi_probe_expect(p, chain && chain->count > 0, "an empty rule_chain");
        }
    }
}

static void play_asked(struct probe *p)
{
    const struct json *no =
        mgi_probe_intent(p, "fx.rank", "", ",'options':{'include_proof_hints':false}");
    const struct json *hints = mgi_at(no, "/payload/proof_hints");
    mgi_probe_expect(p, !hints || hints->type == JSON_NULL, "hints for false");
    (void)hints_of(p, mgi_probe_intent(p, "fx.rank", "", HINTS));
}

static void play_support(struct probe *p)
{
    const struct json *answer = mgi_probe_intent(p, "fx.echo", BASIC, HINTS);
    const struct json *hints = hints_of(p, answer);
    mgi_probe_expect(p, mgi_is_at(hints, "/derivations/0/supporting_facts/0/pred", "fx_basic"),
                     "the client's fact is not named");
}

static void play_excluded(struct probe *p)
{
    const struct json *answer = mgi_probe_intent(
        p, "fx.pair",
        "{'pred':'fx_score','args':['fx_pair_a',80]},{'pred':'fx_score','args':['fx_pair_b',90]},"
        "{'pred':'fx_flag','args':[]}",
        HINTS);
    const struct json *hints = hints_of(p, answer);
    mgi_probe_expect(p,
                     mgi_is_at(hints, "/excluded/0/candidate", "fx_pair_a") &&
                         mgi_is_at(hints, "/excluded/0/excluded_by", "conflict"),
                     "the loser is not told");
    mgi_probe_expect(p, mgi_is_at(hints, "/unmatched_facts/0/pred", "fx_flag"),
                     "the fact that no rule uses is not told");
}

static void play_nothing_inside(struct probe *p)
{
    static const char *const words[] = {
        ":-", "rules/", ".mg", "marker-7f3e9c41", "policy-reason-0c55", "prohibited"
    };
    const struct json *answer = mgi_probe_intent(p, "fx.rank", BASIC, HINTS);
    const struct json *hints = hints_of(p, answer);
    for (size_t i = 0; hints && i < sizeof words / sizeof *words; i++)
        mgi_probe_expect(p, mgi_str_find(hints->text, str_of(words[i])) == SIZE_MAX,
                         "the hints say %s", words[i] ? words[i] : "");
}

/* No node of type derived has a predicate that clients alone may say. */
static bool derives_input(const struct json *node, int depth)
{
    struct str fact = mgi_text_at(node, "/fact");
    if (mgi_is_at(node, "/type", "derived") &&
        (mgi_str_starts(fact, STR_LIT("fx_basic(")) || mgi_str_starts(fact, STR_LIT("fx_score("))))
        return true;
    const struct json *children = mgi_at(node, "/children");
    for (uint32_t i = 0; depth < 40 && children && i < children->count; i++)
        if (derives_input(&children->items[i], depth + 1))
            return true;
    return false;
}

static void play_trees(struct probe *p)
{
    const struct json *answer = mgi_probe_intent(p, "fx.echo", BASIC, HINTS);
    const struct json *tree = mgi_at(hints_of(p, answer), "/derivations/0/tree");
    if (!tree)
        return; /* P-PROOF-7 is a MAY */
    mgi_probe_expect(p, !derives_input(tree, 0), "the server derives what clients say");
}

static void play_coverage(struct probe *p)
{
    const struct json *answer = mgi_probe_intent(p, "fx.rank", "", "");
    const struct json *c = mgi_at(answer, "/payload/diagnostics/rule_coverage");
    mgi_probe_is(p, answer, "intent_response");
    if (c)
        mgi_probe_expect(p,
                         mgi_int_at(c, "/total_rules") == mgi_int_at(c, "/rules_fired") +
                                                              mgi_int_at(c, "/rules_dormant") +
                                                              mgi_int_at(c, "/rules_inapplicable"),
                         "the numbers do not add up");
}

const struct test_case mgi_cases_proof[] = {
    { "P-PROOF-3 P-PROOF-5 P-PROOF-6", "each tool has its derivation", OVER_ANY, 0,
      play_each_derived },
    { "P-PROOF-2 P-PROOF-1", "hints come to who asks", OVER_ANY, 0, play_asked },
    { "P-PROOF-6 P-SKILL-6", "the facts that took part are named", OVER_ANY, 0, play_support },
    { "P-PROOF-8", "losers and facts without use are told", OVER_ANY, 0, play_excluded },
    { "P-PROOF-4", "nothing of the server's inside is told", OVER_ANY, 0, play_nothing_inside },
    { "P-SCHEMA-8 P-PROOF-7", "nothing derives what only clients say", OVER_ANY, 0, play_trees },
    { "P-COV-1 P-COV-4 P-COV-5", "coverage adds up, where it is told", OVER_ANY, 0, play_coverage },
    { 0 },
};
