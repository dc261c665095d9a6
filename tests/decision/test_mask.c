/* What masking hides, and what it leaves: values by place, and free text by what was hidden. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "decision/record.h"
#include "domain/temp_domain.h"

#define SETTINGS                                                                                   \
    "server: {name: n, version: 1.0.0}\ndomain: {id: i, description: d}\n"                         \
    "intents: [{name: go, description: g, required_facts: [seen]}]\n"                              \
    "actions: {plugins: [fxunit]}\n"

static const char schema[] =
    "Decl seen(What) descr [direction(\"input\")] bound [/string].\n"
    "Decl card(Owner, CardNumber) descr [direction(\"input\")] bound [/string, /string].\n"
    "Decl pin(P) descr [direction(\"input\")] bound [/number].\n"
    "Decl plain(X) descr [direction(\"input\")].\n";

static struct buf findings_text; /* of the last load */

static struct snapshot *loaded(struct temp_domain *t, const char *masking)
{
    char yaml[2048];
    snprintf(yaml, sizeof yaml, SETTINGS "%s", masking);
    mgi_buf_fini(&findings_text);
    temp_make(t);
    temp_write(t, "domain.yaml", yaml);
    temp_write(t, "rules/schema/s.mg", schema);
    return temp_load(t, NULL, false, &findings_text);
}

struct bench { /* one record */
    struct temp_domain temp;
    struct snapshot *s;
    struct arena arena;
    struct mask mask;
    struct buf text;
    struct json_writer w;
};

static void bench_open(struct bench *b, const char *masking)
{
    memset(b, 0, sizeof *b);
    b->s = loaded(&b->temp, masking);
    assert_non_null(b->s);
    mgi_arena_init(&b->arena, 0);
    mgi_mask_init(&b->mask, b->s, &b->arena, STR_LIT("a key of the tests"));
}

static void bench_close(struct bench *b)
{
    mgi_mask_fini(&b->mask);
    mgi_buf_fini(&b->text);
    mgi_arena_fini(&b->arena);
    mgi_snapshot_unref(b->s);
    temp_remove(&b->temp);
}

static const struct json *json_of(struct bench *b, const char *text)
{
    struct json *v = mgi_arena_calloc(&b->arena, 1, sizeof *v);
    assert_int_equal(mgi_json_parse(&b->arena, str_of(text), NULL, v, NULL), JSON_OK);
    return v;
}

static void begin_text(struct bench *b)
{
    mgi_buf_clear(&b->text);
    mgi_json_writer_init(&b->w, &b->text, 0);
}

static const char *facts_of(struct bench *b, const char *text)
{
    begin_text(b);
    mgi_mask_facts(&b->mask, &b->w, json_of(b, text));
    return b->text.ptr;
}

static const char *params_of(struct bench *b, const char *text)
{
    begin_text(b);
    mgi_mask_params(&b->mask, &b->w, json_of(b, text));
    return b->text.ptr;
}

static const char *free_text(struct bench *b, const char *text)
{
    begin_text(b);
    mgi_mask_text(&b->mask, &b->w, str_of(text));
    return b->text.ptr;
}

static const char *result_of(struct bench *b, const char *text)
{
    begin_text(b);
    mgi_mask_result(&b->mask, &b->w, NULL, json_of(b, text));
    return b->text.ptr;
}

static const char *details_of(struct bench *b, const char *text)
{
    begin_text(b);
    mgi_mask_details(&b->mask, &b->w, NULL, json_of(b, text));
    return b->text.ptr;
}

static void without_rules_everything_passes_on_one_line(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, "");
    assert_string_equal(facts_of(&b, "[{\"pred\":\"what\",\n \"x\":1}]"),
                        "[{\"pred\":\"what\",\"x\":1}]");
    assert_string_equal(free_text(&b, "said"), "\"said\"");
    assert_int_equal(b.mask.masked, 0);
    bench_close(&b);
}

/* By the name of the Decl, that of clients, and numbers from 1. */
static void arguments_are_named_in_three_ways(void **state)
{
    static const char *const ways[] = { "CardNumber", "card_number", "2" };
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct bench b;
        char masking[128];
        snprintf(masking, sizeof masking, "masking: {facts: {card: {%s: replace}}}\n", ways[i]);
        bench_open(&b, masking);
        assert_string_equal(facts_of(&b, "[{\"pred\":\"card\",\"args\":[\"ann\",\"4711\"]}]"),
                            "[{\"pred\":\"card\",\"args\":[\"ann\",\"***\"]}]");
        assert_string_equal(
            facts_of(&b, "[{\"pred\":\"card\",\"named_args\":{\"card_number\":\"4711\",\"owner\":1,"
                         "\"cardnumber\":\"4712\"}}]"),
            "[{\"pred\":\"card\",\"named_args\":{\"card_number\":\"***\",\"owner\":1,"
            "\"***2\":\"***\"}}]");
        assert_int_equal(b.mask.masked, 3);
        bench_close(&b);
    }
}

static void an_argument_that_is_not_there_masks_all_of_them(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, "masking: {facts: {card: {numbre: replace}}}\n");
    assert_string_equal(facts_of(&b, "[{\"pred\":\"card\",\"args\":[\"ann\",\"4711\"]}]"),
                        "[{\"pred\":\"card\",\"args\":[\"***\",\"***\"]}]");
    bench_close(&b);
}

static void equal_values_have_equal_digests_by_the_key(void **state)
{
    struct bench b;
    char first[256];
    (void)state;
    bench_open(&b, "masking: {facts: {card: {1: drop, 2: hash}}}\n");
    snprintf(first, sizeof first, "%s",
             facts_of(&b, "[{\"pred\":\"card\",\"args\":[\"ann\",\"4711\"]}]"));
    assert_non_null(strstr(first, "\"args\":[null,\"hmac:"));
    assert_null(strstr(first, "4711"));
    assert_string_equal(first, facts_of(&b, "[{\"pred\":\"card\",\"args\":[\"ben\",\"4711\"]}]"));
    mgi_mask_fini(&b.mask);
    mgi_mask_init(&b.mask, b.s, &b.arena, STR_LIT("another key"));
    assert_string_not_equal(first,
                            facts_of(&b, "[{\"pred\":\"card\",\"args\":[\"ann\",\"4711\"]}]"));
    bench_close(&b);
}

/* As soon as anything is masked. */
static void what_nobody_knows_is_hidden(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, "masking: {facts: {card: replace}}\n");
    assert_string_equal(facts_of(&b, "[{\"pred\":\"crad\",\"args\":[\"4711\"]},"
                                     "{\"pred\":5,\"args\":[\"4711\"]},\"4711\","
                                     "{\"pred\":\"card\",\"arg\":\"4711\"},"
                                     "{\"pred\":\"card\",\"args\":\"4711\"},"
                                     "{\"pred\":\"plain\",\"args\":[\"seen\"]}]"),
                        "[{\"pred\":\"crad\",\"args\":[\"***\"]},\"***\",\"***\","
                        "{\"pred\":\"card\",\"***1\":\"***\"},{\"pred\":\"card\",\"args\":\"***\"},"
                        "{\"pred\":\"plain\",\"args\":[\"seen\"]}]");
    assert_string_equal(facts_of(&b, "{\"pred\":\"plain\"}"), "\"***\"");
    assert_string_equal(params_of(&b, "[1]"), "\"***\"");
    bench_close(&b);
}

static void parameters_are_found_by_name_and_by_path(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, "masking: {params: {card: replace, /a/*/iban: drop, /a/1: replace}}\n");
    assert_string_equal(
        params_of(&b, "{\"card\":{\"x\":1},\"a\":[{\"iban\":\"I\",\"ok\":1},{\"iban\":\"J\"}],"
                      "\"b\":{\"card\":2}}"),
        "{\"card\":\"***\",\"a\":[{\"ok\":1},\"***\"],\"b\":{\"card\":2}}");
    /* what is sent in place of the object that it stands in may be the value itself */
    assert_string_equal(params_of(&b, "{\"a\":\"DE89\",\"b\":\"x\"}"),
                        "{\"a\":\"***\",\"b\":\"x\"}");
    assert_string_equal(params_of(&b, "{\"a\":[7,null,null]}"), "{\"a\":[\"***\",\"***\",null]}");
    bench_close(&b);
}

/* Else a client unmasks a parameter by the company that it puts it in. */
static void rules_with_paths_hold_in_what_looks_like_a_fact(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, "masking: {params: {card_number: replace, /billing/iban: replace, "
                   "/args/0/iban: drop, /x/named_args: replace}, facts: {pin: replace}}\n");
    assert_string_equal(
        params_of(&b, "{\"pred\":\"x\",\"args\":[{\"iban\":\"S\",\"n\":1}],\"card_number\":\"S\","
                      "\"billing\":{\"iban\":\"S\"},\"more\":{\"pred\":\"pin\",\"args\":[4]}}"),
        "{\"pred\":\"x\",\"args\":[{\"n\":1}],\"card_number\":\"***\",\"billing\":{\"iban\":\"***"
        "\"},"
        "\"more\":{\"pred\":\"pin\",\"args\":[\"***\"]}}");
    assert_string_equal(
        params_of(&b,
                  "{\"pred\":\"x\",\"args\":{},\"billing\":{\"pred\":\"x\",\"args\":[],"
                  "\"iban\":\"S\"},\"x\":{\"pred\":\"card\",\"named_args\":{\"owner\":\"S\"}}}"),
        "{\"pred\":\"x\",\"args\":\"***\",\"billing\":{\"pred\":\"x\",\"args\":[],\"iban\":\"***\"}"
        ","
        "\"x\":{\"pred\":\"card\",\"named_args\":\"***\"}}");
    bench_close(&b);
}

static const char *asked_of(struct bench *b, const char *payload)
{
    begin_text(b);
    mgi_jw_begin_object(&b->w);
    mgi_decision_intent(&b->w, &b->mask, json_of(b, payload), false);
    mgi_jw_end_object(&b->w);
    return b->text.ptr;
}

/* A list or an object of another shape than the rule expects may hold the very thing. */
static void below_a_masked_path_another_shape_is_hidden(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, "masking: {params: {/billing/iban: replace, /list/0/pin: replace}}\n");
    assert_string_equal(params_of(&b, "{\"billing\":[\"DE89\",{\"iban\":\"DE90\"}],\"other\":[1]}"),
                        "{\"billing\":\"***\",\"other\":[1]}");
    assert_string_equal(params_of(&b, "{\"billing\":[[{\"x\":\"DE89\"}]]}"),
                        "{\"billing\":\"***\"}");
    assert_string_equal(params_of(&b, "{\"list\":{\"first\":{\"pin\":4711}}}"),
                        "{\"list\":\"***\"}");
    assert_string_equal(params_of(&b, "{\"list\":{\"0\":{\"pin\":4711}}}"),
                        "{\"list\":{\"0\":{\"pin\":\"***\"}}}");
    assert_string_equal(params_of(&b, "{\"list\":[[4711]],\"billing\":null}"),
                        "{\"list\":[\"***\"],\"billing\":null}");
    assert_string_equal(result_of(&b, "null"), "null");
    bench_close(&b);
}

static void names_lose_what_was_hidden_too(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, "masking: {facts: {card: {2: replace}}}\n");
    facts_of(&b, "[{\"pred\":\"card\",\"args\":[\"ann\",\"secret-number\"]}]");
    assert_string_equal(result_of(&b, "{\"ok\":1,\"secret-number\":{\"to secret-number\":2}}"),
                        "{\"ok\":1,\"***1\":{\"***0\":2}}");
    assert_string_equal(details_of(&b, "{\"unexpected\":{\"secret-number\":1}}"),
                        "{\"unexpected\":{\"***0\":1}}");
    bench_close(&b);
}

/* What the protocol does not have there was put there by somebody, for a reason of their own. */
static void members_that_no_message_has_are_hidden_with_their_names(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, "masking: {facts: {card: {2: replace}}}\n");
    assert_string_equal(
        asked_of(
            &b,
            "{\"intent\":{\"name\":{\"x\":\"S\"},\"params\":null,\"S\":1},"
            "\"constraints\":{\"max_tools_returned\":3,\"max_compute_ms\":\"S\",\"note\":\"S\"},"
            "\"options\":{\"disclosure_preference\":\"minimal\",\"include_proof_hints\":\"S\"},"
            "\"eval_time\":\"S\",\"S\":\"S\",\"facts\":null}"),
        "{\"asked\":{\"intent\":{\"name\":\"***\",\"params\":null,\"***2\":\"***\"},"
        "\"constraints\":{\"max_tools_returned\":3,\"max_compute_ms\":\"***\",\"***2\":\"***\"},"
        "\"options\":{\"disclosure_preference\":\"minimal\",\"include_proof_hints\":\"***\"},"
        "\"eval_time\":\"***\",\"***4\":\"***\",\"facts\":null}}");
    assert_string_equal(
        asked_of(&b, "{\"options\":{\"disclosure_preference\":\"S\"},\"constraints\":\"S\","
                     "\"eval_time\":\"2026-07-04T12:00:00Z\"}"),
        "{\"asked\":{\"options\":{\"disclosure_preference\":\"***\"},\"constraints\":\"***\","
        "\"eval_time\":\"2026-07-04T12:00:00Z\"}}");
    bench_close(&b);
}

static void of_a_fact_passes_what_has_its_form(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, "masking: {facts: {card: {2: replace}}}\n");
    assert_string_equal(
        facts_of(
            &b,
            "[{\"pred\":\"plain\",\"args\":[1],\"t\":{\"at\":\"2026-07-04T12:00:00Z\"},"
            "\"category\":\"session\",\"source\":{\"source_type\":\"client\",\"source_id\":\"S\","
            "\"asserted_at\":\"now\",\"signature\":\"S\",\"S\":\"S\"}}]"),
        "[{\"pred\":\"plain\",\"args\":[1],\"t\":{\"at\":\"2026-07-04T12:00:00Z\"},"
        "\"category\":\"session\",\"source\":{\"source_type\":\"client\",\"source_id\":\"***\","
        "\"asserted_at\":\"now\",\"signature\":\"***\",\"***4\":\"***\"}}]");
    assert_string_equal(
        facts_of(&b, "[{\"pred\":\"plain\",\"args\":[1],\"t\":{\"at\":\"S\"},\"category\":\"S\","
                     "\"source\":\"S\",\"prov\":{\"S\":\"S\"}},"
                     "{\"pred\":\"plain\",\"args\":[1],\"t\":{\"S\":1},\"source\":{\"source_type\":"
                     "\"x-S\"}}]"),
        "[{\"pred\":\"plain\",\"args\":[1],\"t\":\"***\",\"category\":\"***\","
        "\"source\":\"***\",\"***5\":\"***\"},"
        "{\"pred\":\"plain\",\"args\":[1],\"t\":\"***\",\"source\":{\"source_type\":\"***\"}}]");
    bench_close(&b);
}

/* Who guesses a masked value must not find it by its digest. */
static void digests_beside_masked_values_are_keyed(void **state)
{
    static const struct str permissions[] = { { "4711", 4 } };
    const struct principal who = { .kind = PRINCIPAL_KNOWN,
                                   .identity = { "ann", 3 },
                                   .permissions = permissions,
                                   .permission_count = 1 };
    const struct decision_head head = {
        .id = "r-1", .transport = "http", .who = &who, .subject = { "go", 2 }
    };
    static const char *const maskings[] = { "",
                                            "masking: {facts: {client_permission: replace}}\n" };
    (void)state;
    for (int masked = 0; masked < 2; masked++) {
        struct bench b;
        bench_open(&b, maskings[masked]);
        begin_text(&b);
        mgi_decision_begin(&b.w, &b.mask, &head);
        mgi_decision_answer(&b.w, &b.mask, STR_LIT("{\"eval_duration_ms\":1,\"card\":4711}"));
        const char *said[] = { strstr(b.text.ptr, "\"permissions_digest\":\""),
                               strstr(b.text.ptr, "\"answer\":\"") };
        for (int i = 0; i < 2; i++) {
            assert_non_null(said[i]);
            assert_int_equal(strncmp(strchr(said[i], ':'), ":\"hmac:", 7) == 0, masked);
        }
        assert_int_equal(strstr(b.text.ptr, "4711") == NULL, masked);
        bench_close(&b);
    }
}

/* Replay has none unless it is told. */
static void without_a_key_there_is_no_digest_of_what_may_be_masked(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, "masking: {facts: {card: replace}}\n");
    b.mask.key = (struct str){ "", 0 };
    begin_text(&b);
    mgi_jw_begin_object(&b.w);
    mgi_decision_answer(&b.w, &b.mask, STR_LIT("{\"a\":1,\"card\":4711}"));
    mgi_jw_end_object(&b.w);
    assert_string_equal(b.text.ptr, "{}");
    bench_close(&b);
}

/* What older records hold is compared with what is computed now. */
static void the_digest_of_an_answer_stays_what_it_is(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, "");
    begin_text(&b);
    mgi_jw_begin_object(&b.w);
    mgi_decision_answer(
        &b.w, &b.mask, STR_LIT("{\"eval_duration_ms\":17,\"macro_tools\":[{\"macro_id\":\"m\"}]}"));
    mgi_jw_end_object(&b.w);
    assert_string_equal(b.text.ptr, "{\"answer\":\"047ada30608dd4f0\"}");
    bench_close(&b);
}

static void texts_lose_what_was_hidden(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, "masking: {facts: {card: {2: replace}, pin: replace}}\n");
    facts_of(&b, "[{\"pred\":\"card\",\"args\":[\"ann\",\"secret-number-of-ann\"]},"
                 "{\"pred\":\"card\",\"args\":[\"b\",\"two \\\"words\\\" here\"]},"
                 "{\"pred\":\"pin\",\"args\":[42]}]");
    assert_string_equal(free_text(&b, "is secret-number-of-ann good?"), "\"is *** good?\"");
    assert_string_equal(free_text(&b, "cut: secret-num..."), "\"cut: ***...\"");
    assert_string_equal(free_text(&b, "secr"), "\"secr\""); /* too little to be told apart */
    assert_string_equal(free_text(&b, "\"two \\\"words\\\" here\""),
                        "\"\\\"***\\\\\\\"***\\\\\\\"***\\\"\"");
    assert_string_equal(free_text(&b, "42 of 142 and 42"), "\"*** of 142 and ***\"");
    assert_string_equal(free_text(&b, "ann"), "\"ann\"");
    bench_close(&b);
}

static void details_lose_it_wherever_it_stands(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, "masking: {facts: {card: {2: replace}}}\n");
    facts_of(&b, "[{\"pred\":\"card\",\"args\":[\"ann\",\"secret-number\"]}]");
    assert_string_equal(
        details_of(&b, "{\"violations\":[{\"message\":\"\\\"secret-number\\\" is bad\"}],"
                       "\"challenge\":\"abc\",\"n\":7,"
                       "\"state_delta\":{\"assert\":[{\"pred\":\"card\",\"args\":[1,\"other\"],"
                       "\"category\":\"session\"}]}}"),
        "{\"violations\":[{\"message\":\"\\\"***\\\" is bad\"}],\"challenge\":\"***\",\"n\":7,"
        "\"state_delta\":{\"assert\":[{\"pred\":\"card\",\"args\":[1,\"***\"],"
        "\"category\":\"session\"}]}}");
    bench_close(&b);
}

/* Actions give back what they were given. */
static void results_and_deltas_lose_what_was_hidden_in_arguments(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, "masking: {arguments: {fx_echo: {name: replace, pin: replace}}}\n");
    begin_text(&b);
    mgi_mask_args(&b.mask, &b.w, NULL, json_of(&b, "{\"name\":\"secret-name\",\"pin\":4711}"));
    assert_string_equal(result_of(&b, "{\"to\":\"secret-name\",\"list\":[4711,\"4711\",47110],"
                                      "\"challenge\":\"c\",\"args\":{\"x\":1}}"),
                        "{\"to\":\"***\",\"list\":[\"***\",\"***\",47110],"
                        "\"challenge\":\"c\",\"args\":{\"x\":1}}");
    assert_string_equal(
        details_of(&b, "{\"assert\":[{\"pred\":\"greeted\",\"args\":[\"secret-name\",4711,7]}]}"),
        "{\"assert\":[{\"pred\":\"greeted\",\"args\":[\"***\",\"***\",7]}]}");
    assert_string_equal(
        details_of(&b, "{\"pred\":\"card\",\"named_args\":{\"owner\":\"to secret-name\"}}"),
        "{\"pred\":\"card\",\"named_args\":{\"owner\":\"to ***\"}}");
    bench_close(&b);
}

static void more_secrets_than_can_be_looked_for_hide_every_text(void **state)
{
    struct bench b;
    struct buf facts = { 0 };
    (void)state;
    bench_open(&b, "masking: {facts: {card: {2: replace}}}\n");
    mgi_buf_putc(&facts, '[');
    for (int i = 0; i <= MASK_SECRETS; i++)
        mgi_buf_printf(&facts, "%s{\"pred\":\"card\",\"args\":[1,\"number %d\"]}", i ? "," : "", i);
    mgi_buf_putc(&facts, ']');
    facts_of(&b, facts.ptr);
    assert_string_equal(free_text(&b, "anything"), "\"***\"");
    assert_string_equal(result_of(&b, "{\"n\":[5,\"x\",true]}"),
                        "{\"***0\":[\"***\",\"***\",true]}");
    mgi_buf_fini(&facts);
    bench_close(&b);
}

static void what_rules_derive_and_who_asks_is_masked_by_its_predicate(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, "masking: {facts: {prohibited: {Reason: replace}, client_identity: hash}}\n");
    begin_text(&b);
    mgi_mask_argument_text(&b.mask, &b.w, "prohibited", 1, STR_LIT("why"));
    assert_string_equal(b.text.ptr, "\"***\"");
    begin_text(&b);
    mgi_mask_argument_text(&b.mask, &b.w, "prohibited", 0, STR_LIT("tool"));
    assert_string_equal(b.text.ptr, "\"tool\"");
    begin_text(&b);
    mgi_mask_argument_text(&b.mask, &b.w, "client_identity", 0, STR_LIT("ann"));
    assert_int_equal(strncmp(b.text.ptr, "\"hmac:", 6), 0);
    bench_close(&b);
}

/* What is not understood would leak. */
static void what_is_written_wrongly_does_not_load(void **state)
{
    static const char *const wrong[] = {
        "masking: yes\n",
        "masking: {fact: {card: drop}}\n",
        "masking: {facts: [card]}\n",
        "masking: {facts: {card: hide}}\n",
        "masking: {facts: {card: {1: [drop]}}}\n",
        "masking: {params: drop}\n",
        "masking: {arguments: {pay: drop}}\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct temp_domain t;
        struct snapshot *s = loaded(&t, wrong[i]);
        if (s)
            fail_msg("it loads: %s", wrong[i]);
        temp_remove(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_rules_everything_passes_on_one_line),
        cmocka_unit_test(arguments_are_named_in_three_ways),
        cmocka_unit_test(an_argument_that_is_not_there_masks_all_of_them),
        cmocka_unit_test(equal_values_have_equal_digests_by_the_key),
        cmocka_unit_test(what_nobody_knows_is_hidden),
        cmocka_unit_test(parameters_are_found_by_name_and_by_path),
        cmocka_unit_test(rules_with_paths_hold_in_what_looks_like_a_fact),
        cmocka_unit_test(below_a_masked_path_another_shape_is_hidden),
        cmocka_unit_test(names_lose_what_was_hidden_too),
        cmocka_unit_test(members_that_no_message_has_are_hidden_with_their_names),
        cmocka_unit_test(of_a_fact_passes_what_has_its_form),
        cmocka_unit_test(digests_beside_masked_values_are_keyed),
        cmocka_unit_test(without_a_key_there_is_no_digest_of_what_may_be_masked),
        cmocka_unit_test(the_digest_of_an_answer_stays_what_it_is),
        cmocka_unit_test(texts_lose_what_was_hidden),
        cmocka_unit_test(details_lose_it_wherever_it_stands),
        cmocka_unit_test(results_and_deltas_lose_what_was_hidden_in_arguments),
        cmocka_unit_test(more_secrets_than_can_be_looked_for_hide_every_text),
        cmocka_unit_test(what_rules_derive_and_who_asks_is_masked_by_its_predicate),
        cmocka_unit_test(what_is_written_wrongly_does_not_load),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mgi_buf_fini(&findings_text);
    return failed;
}
