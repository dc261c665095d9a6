/* Intents and the tools that they bring, in order: the contracts, budgets and times that one answer
 * shows. Rules and names are those of the suite's domain folder. */
#include "conformance/conformance_int.h"

#define AT(time)          ",'eval_time':'2026-07-04T" time "Z'"
#define EVENT(t)          "{'pred':'fx_event','args':['door','open'],'t':" t "}"
#define EVENT_AT(time)    EVENT("{'at':'2026-07-04T" time "Z'}")
#define FROM_TO(from, to) EVENT("{'start':'2026-07-04T" from "Z','end':'2026-07-04T" to "Z'}")
#define SCORES(a, b)                                                                               \
    "{'pred':'fx_score','args':['fx_pair_a'," a "]},{'pred':'fx_score','args':['fx_pair_b'," b "]" \
    "}"
#define STAMP(nanos)  "{'pred':'fx_stamp','args':[{'_type':'int64','value':'" nanos "'}]}"
#define BAN(tool)     "{'pred':'fx_ban','args':['" tool "']}"
#define MOST(n)       ",'constraints':{'max_tools_returned':" n "}"
#define PREFER(level) ",'options':{'disclosure_preference':'" level "'}"
#define RANKED                                                                                     \
    "fx_rank_95,fx_rank_75,fx_rank_70,fx_rank_69,fx_rank_45,fx_rank_40,fx_rank_39,fx_rank_25,"     \
    "fx_rank_20"
#define CHAIN "fx_chain_t,fx_chain_d,fx_chain_e2"

const struct choice_row mgi_choice_rows[] = {
    /* contracts */
    { "P-CONTRACT-1 P-ENUM-2", "only what is relevant to the intent", "fx.echo", BASIC, "",
      "fx_echo", NULL },
    { "P-CONTRACT-2 P-ENUM-3", "facts of one intent bring no tool to another", "fx.rank", BASIC, "",
      RANKED, NULL },
    { "P-CONTRACT-5 P-CONTRACT-6", "of two that conflict the better one", "fx.pair",
      SCORES("80", "90"), "", "fx_pair_b", NULL },
    { "P-CONTRACT-5 P-CONTRACT-6", "the other way round", "fx.pair", SCORES("90", "80"), "",
      "fx_pair_a", NULL },
    { "P-CONTRACT-6", "one of two that conflict, alone", "fx.pair",
      "{'pred':'fx_score','args':['fx_pair_b',50]}", "", "fx_pair_b", NULL },
    { "P-CONTRACT-6 P-EVAL-4", "the better one is banned: the other", "fx.pair",
      SCORES("90", "80") "," BAN("fx_pair_a"), "", "fx_pair_b", NULL },
    { "P-CONTRACT-8 P-CONTRACT-10", "what is needed comes too, through two steps", "fx.chain", "",
      "", CHAIN, NULL },
    { "P-CONTRACT-3 P-CONTRACT-4", "a ban beats mandatory", "fx.chain", BAN("fx_chain_t"), "", "",
      NULL },
    { "P-CONTRACT-9", "without what is needed nothing that needs it", "fx.chain",
      BAN("fx_chain_e2"), "", "", NULL },
    { "P-CONTRACT-9", "without the one in the middle neither", "fx.chain", BAN("fx_chain_d"), "",
      "", NULL },
    { "P-CONTRACT-4 P-CONTRACT-3 P-EVAL-5", "what policy forbids, although the domain insists",
      "fx.hidden", "", "", "", NULL },
    { "P-CONTRACT-3", "a ban at every level", "fx.rank", BAN("fx_rank_95"), PREFER("minimal"),
      "fx_rank_75,fx_rank_70,fx_rank_69,fx_rank_45,fx_rank_40,fx_rank_39,fx_rank_25,fx_rank_20,"
      "fx_rank_19",
      NULL },

    /* how many */
    { "P-BUDGET-11 P-BUDGET-1", "no more than 0 tools", "fx.rank", "", MOST("0"), "", NULL },
    { "P-BUDGET-11 P-BUDGET-1", "no more than 1 tool", "fx.rank", "", MOST("1"), "fx_rank_95",
      NULL },
    { "P-BUDGET-11", "no more than 3 tools", "fx.rank", "", MOST("3"),
      "fx_rank_95,fx_rank_75,fx_rank_70", NULL },
    { "P-BUDGET-11 P-DISC-LVL-7 P-MIN-7", "no more than 50: those above the cut-off", "fx.rank", "",
      MOST("50"), RANKED, NULL },
    { "P-CONTRACT-8 P-BUDGET-11", "a root whose needs do not fit is left out", "fx.chain", "",
      MOST("2"), "", NULL },
    { "P-BUDGET-1 P-TOKEN-1", "no tokens, no tools", "fx.rank", "",
      ",'constraints':{'max_tokens_budget':0}", "", NULL },

    /* limits */
    { "P-BUDGET-5 P-BUDGET-2 P-CONTRACT-11 P-CONTRACT-12 P-HTTP-14", "more facts than were allowed",
      "fx.blowup",
      "{'pred':'fx_seed','args':[1]},{'pred':'fx_seed','args':[2]},{'pred':'fx_seed','args':[3]},"
      "{'pred':'fx_seed','args':[4]},{'pred':'fx_seed','args':[5]}",
      ",'constraints':{'max_facts_created':10}", "", "derivation_limit_exceeded" },
    { "P-BUDGET-9 P-HTTP-13 P-CONTRACT-11 P-CONTRACT-12", "longer than was allowed", "fx.slow", "",
      ",'constraints':{'max_compute_ms':50}", "", "evaluation_timeout" },

    /* time: one event, and when it is looked at */
    { "P-TIME-13", "an event four minutes ago", "fx.recent", EVENT_AT("12:00:00"), AT("12:04:00"),
      "fx_recent", NULL },
    { "P-TIME-13 P-DET-4", "an event six minutes ago", "fx.recent", EVENT_AT("12:00:00"),
      AT("12:06:00"), "", NULL },
    { "P-TIME-13", "an event to come", "fx.recent", EVENT_AT("12:00:00"), AT("11:59:00"), "",
      NULL },
    { "P-TIME-2", "the same instant with an offset", "fx.recent",
      EVENT("{'at':'2026-07-04T17:30:00+05:30'}"), AT("12:04:00"), "fx_recent", NULL },
    { "P-TIME-2", "the same instant with nine digits", "fx.recent",
      EVENT("{'at':'2026-07-04T12:00:00.000000000Z'}"), AT("12:04:00"), "fx_recent", NULL },
    { "P-TIME-9 P-TIME-7", "an interval that is over", "fx.present",
      FROM_TO("10:00:00", "11:00:00"), AT("12:00:00"), "", NULL },
    { "P-TIME-7 P-TIME-9", "within an interval", "fx.present", FROM_TO("10:00:00", "13:00:00"),
      AT("12:00:00"), "fx_present", NULL },
    { "P-TIME-9", "before an interval", "fx.present", FROM_TO("12:30:00", "13:00:00"),
      AT("12:00:00"), "", NULL },
    { "P-TIME-7", "an open end", "fx.present", EVENT("{'start':'2026-07-04T10:00:00Z','end':'_'}"),
      AT("12:00:00"), "fx_present", NULL },
    { "P-TIME-7", "an open end, earlier", "fx.present",
      EVENT("{'start':'2026-07-04T10:00:00Z','end':'_'}"), AT("09:00:00"), "", NULL },
    { "P-TIME-7", "an open start", "fx.present",
      EVENT("{'start':'_','end':'2026-07-04T13:00:00Z'}"), AT("12:00:00"), "fx_present", NULL },
    { "P-TIME-7", "an open start, later", "fx.present",
      EVENT("{'start':'_','end':'2026-07-04T13:00:00Z'}"), AT("14:00:00"), "", NULL },
    { "P-TIME-10 P-TIME-7", "a point, now", "fx.present", EVENT_AT("12:00:00"), AT("12:00:00"),
      "fx_present", NULL },
    { "P-TIME-10", "the same point as an interval", "fx.present", FROM_TO("12:00:00", "12:00:00"),
      AT("12:00:00"), "fx_present", NULL },
    { "P-TIME-10", "a point, a second ago", "fx.present", EVENT_AT("12:00:00"), AT("12:00:01"), "",
      NULL },
    { "P-TIME-11", "until now", "fx.present", EVENT("{'start':'_','end':'now'}"), AT("12:00:00"),
      "fx_present", NULL },
    { "P-TIME-11", "now is the evaluation time", "fx.recent", EVENT("{'at':'now'}"), AT("12:00:00"),
      "fx_recent", NULL },
    { "P-TIME-8", "no annotation, in 1990", "fx.present",
      "{'pred':'fx_event','args':['door','open']}", ",'eval_time':'1990-01-01T00:00:00Z'",
      "fx_present", NULL },
    { "P-TIME-8", "annotation null, in 2100", "fx.present", EVENT("null"),
      ",'eval_time':'2100-01-01T00:00:00Z'", "fx_present", NULL },
    { "P-TIME-3", "milliseconds, as announced", "fx.recent", EVENT("{'at':1783166400000}"),
      AT("12:04:00"), "fx_recent", NULL },
    { "P-TIME-4", "nanoseconds, as announced", "fx.recent",
      EVENT("{'at':{'nanos':{'_type':'int64','value':'1783166400000000000'}}}"), AT("12:04:00"),
      "fx_recent", NULL },
    { "P-TIME-5", "a column of nanoseconds is the moment that it says", "fx.stamp",
      STAMP("1783166400000000000") "," EVENT_AT("12:00:00"), AT("12:04:00"), "fx_stamp", NULL },
    { "P-TIME-5", "and no other", "fx.stamp", STAMP("1783166400000000001") "," EVENT_AT("12:00:00"),
      AT("12:04:00"), "", NULL },
    { "P-LEVEL-6", "sometime in the past", "fx.window", EVENT_AT("11:58:00"), AT("12:00:00"),
      "fx_past_some", NULL },
    { "P-LEVEL-6", "sometime in the future", "fx.window", EVENT_AT("12:02:00"), AT("12:00:00"),
      "fx_future_some", NULL },
    { "P-LEVEL-6", "throughout the past window", "fx.window", FROM_TO("11:50:00", "12:00:00"),
      AT("12:00:00"), "fx_future_some,fx_past_all,fx_past_some", NULL },
    { "P-LEVEL-6", "throughout the future window", "fx.window", FROM_TO("12:00:00", "12:10:00"),
      AT("12:00:00"), "fx_future_all,fx_future_some,fx_past_some", NULL },
    { "P-LEVEL-6", "not throughout", "fx.window", FROM_TO("11:57:00", "11:59:00"), AT("12:00:00"),
      "fx_past_some", NULL },
    { "P-MIN-9", "an event of ten years ago changes nothing", "fx.recent",
      EVENT("{'at':'2016-07-04T12:00:00Z'}"), AT("12:00:00"), "", NULL },
    { "P-BUDGET-7 P-MIN-10", "intervals that touch are one", "fx.present",
      FROM_TO("11:00:00", "11:30:00") "," FROM_TO("11:30:00", "12:00:00") "," FROM_TO("12:00:00",
                                                                                      "12:30:00"),
      AT("12:00:00") ",'constraints':{'max_intervals_per_atom':1}", "fx_present", NULL },
    { "P-BUDGET-7 P-HTTP-14 P-CONTRACT-12", "more intervals than were allowed", "fx.present",
      EVENT_AT("11:00:00") "," EVENT_AT("11:10:00") "," EVENT_AT("11:20:00"),
      AT("12:00:00") ",'constraints':{'max_intervals_per_atom':2}", "", "interval_limit_exceeded" },

    /* facts */
    { "P-FACT-10", "arguments by name", "fx.echo",
      "{'pred':'fx_basic','named_args':{'x':'x','on':true,'n':1,'tag':'tag'}}", "", "fx_echo",
      NULL },
    { "P-SKILL-3 P-CTX-1", "a tool without its skill", "fx.skill", "", "",
      "fx_skill,fx_skill_helper", NULL },
    { "P-POLICY-7 P-AUTH-14", "a tool for the privileged is not for others", "fx.secret", "", "",
      "", NULL },
    { "P-CONTRACT-1", "a fact without schema that an intent lists", "fx.free",
      "{'pred':'fx_undeclared_but_listed','args':[1,2,3]}", "", "", NULL },
    { 0 },
};
