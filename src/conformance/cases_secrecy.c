/* What nobody is told. */
#include "conformance/conformance_int.h"

static void unsaid(struct probe *p, const struct json *answer, const char *word)
{
    mgi_probe_expect(p, answer && mgi_str_find(answer->text, str_of(word)) == SIZE_MAX,
                     "an answer says %s", word ? word : "");
}

static void play_no_tools_in_manifest(struct probe *p)
{
    static const char *const tools[] = { "fx_echo",   "fx_rank_95", "fx_danger",
                                         "fx_hidden", "fx_chain_t", "fx_pair_a" };
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        unsaid(p, &p->manifest, tools[i]);
}

static void play_hidden(struct probe *p)
{
    static const char hints[] = ",'options':{'include_proof_hints':true}";
    const struct json *rank = mgi_probe_intent(p, "fx.rank", "", hints);
    unsaid(p, rank, "fx_hidden");
    unsaid(p, rank, "policy-reason-0c55");
    const struct json *hidden = mgi_probe_intent(p, "fx.hidden", "", hints);
    unsaid(p, hidden, "fx_hidden");
    const struct json *secret = mgi_probe_intent(p, "fx.secret", "", hints);
    unsaid(p, secret, "fx_secret");
    const struct json *wrong = mgi_probe_invoke(p, STR_LIT("fx-hidden-000000000000"), "{}", "");
    mgi_probe_refused(p, wrong, "macro_not_found");
}

static void play_suggestions(struct probe *p)
{
    const struct json *answer = mgi_probe_intent(p, "fx.rank", "{'pred':'fx_hiden','args':[]}", "");
    mgi_probe_refused(p, answer, "unknown_predicate");
    unsaid(p, answer, "fx_hidden");
    answer = mgi_probe_intent(p, "fx.rank", "{'pred':'prohibted','args':['x','y']}", "");
    mgi_probe_refused(p, answer, "unknown_predicate");
    unsaid(p, answer, "prohibited");
}

/* The sets of two intents share nothing, and none is all there is. */
static void play_different_sets(struct probe *p)
{
    static const char *const intents[] = { "fx.rank", "fx.chain", "fx.mark", "fx.danger" };
    const char *sets[4];
    for (size_t i = 0; i < 4; i++)
        sets[i] = mgi_tool_names(p, mgi_probe_intent(p, intents[i], "", ""));
    for (size_t i = 0; i < 4; i++)
        for (size_t k = i + 1; k < 4; k++)
            mgi_probe_expect(p, sets[i][0] && strcmp(sets[i], sets[k]) != 0,
                             "%s and %s bring the same", intents[i], intents[k]);
}

static void play_ban_is_mine_alone(struct probe *p)
{
    static const char ban[] = "{'pred':'fx_ban','args':['fx_rank_95']}";
    mgi_probe_expect(p, !mgi_tool_in(mgi_probe_intent(p, "fx.rank", ban, ""), "fx_rank_95"),
                     "the ban does nothing");
    mgi_probe_drop(p);
    mgi_probe_expect(p, mgi_tool_in(mgi_probe_intent(p, "fx.rank", "", ""), "fx_rank_95"),
                     "the ban of one request holds for another");
}

static void play_lifted_ban(struct probe *p)
{
    const struct json *answer = mgi_probe_intent(
        p, "fx.hidden",
        BASIC ",{'pred':'fx_flag','args':[],'category':'server','source':{'source_type':'server'}}",
        "");
    mgi_probe_is(p, answer, "intent_response");
    mgi_probe_expect(p, !mgi_tool_in(answer, "fx_hidden"), "a claim lifts a prohibition");
}

static void play_hints_unasked(struct probe *p)
{
    const struct json *hints =
        mgi_at(mgi_probe_intent(p, "fx.rank", "", ""), "/payload/proof_hints");
    mgi_probe_expect(p, !hints || hints->type == JSON_NULL, "hints that nobody asked for");
}

const struct test_case mgi_cases_secrecy[] = {
    { "P-MAN-1", "the manifest names no tool", OVER_ANY, 0, play_no_tools_in_manifest },
    { "P-ENUM-4 P-CONTRACT-3 P-PROOF-4", "what policy hides is not named", OVER_ANY, 0,
      play_hidden },
    { "P-ENUM-4 P-EVAL-6", "no suggestion names what is hidden", OVER_ANY, 0, play_suggestions },
    { "P-ENUM-2 P-ENUM-3", "different intents bring different tools", OVER_ANY, 0,
      play_different_sets },
    { "P-POLICY-6", "what one client says holds for nobody else", OVER_ANY, 0,
      play_ban_is_mine_alone },
    { "P-EVAL-4 P-POLICY-6", "a claim of trust lifts no prohibition", OVER_ANY, 0,
      play_lifted_ban },
    { "P-MIN-8 P-PROOF-2", "no proof hints unless asked for", OVER_ANY, 0, play_hints_unasked },
    { 0 },
};
