/* What the journal promises while all is well: order, who is told when, what is found afterwards.
 */
#include "journal/journal_fixture.h"

static bool holds_text(const char *path, const char *text)
{
    static char bytes[1 << 20];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t len = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    return memmem(bytes, len, text, strlen(text)) != NULL;
}

static void test_a_step_with_effects_is_in_the_file_when_that_is_told(void **state)
{
    struct scene s;
    (void)state;
    scene_begin(&s);
    scene_open(&s);
    struct journal_run *run = begin_run(&s, 1, NULL);
    struct answer a = { 0 };
    struct journal_step *step = begin_step(run, 0, 2, &a);
    assert_false(a.told); /* never from inside */
    until_told(&s, &a);
    assert_string_equal(a.why, "");
    struct found f = read_file(&s, NULL);
    assert_int_equal(f.runs, 1);
    assert_int_equal(f.steps, 1);
    assert_int_equal(f.live, 1);
    assert_non_null(strstr(f.text, "\"outcome\":\"running\""));
    end_step(step, JOURNAL_OK);
    mgi_journal_run_ends(run, JOURNAL_OK);
    scene_close(&s);
    assert_false(holds_text(s.path, "secret")); /* what came out */
    f = read_file(&s, NULL);
    assert_int_equal(f.indeterminate, 0);
    assert_int_equal(f.live, 0);
    /* T-RUN-1, T-AUD-6: the header, digests and lengths, and what did not run */
    static const char *const members[] = {
        "\"spec_version\":\"1.4.2\"",
        "\"profile_id\":\"A\"",
        "\"run_id\":\"00000001000000000000000000000007\"",
        "\"request_id\":\"req-1\"",
        "\"outcome\":\"ok\"",
        "\"input_sha256\":\"abc123\"",
        "\"output_sha256\":\"303c",
        "\"output_bytes\":12",
        "\"did_not_run\":[\"second\",\"third\"]",
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (!strstr(f.text, members[i]))
            fail_msg("no %s in %s", members[i], f.text);
    scene_end(&s);
}

static void test_a_step_without_effects_goes_on_at_once(void **state)
{
    struct scene s;
    struct answer a = { 0 };
    (void)state;
    scene_begin(&s);
    scene_open(&s);
    struct journal_run *run = begin_run(&s, 1, NULL);
    struct journal_step *step = begin_step(run, 0, 0, &a);
    assert_non_null(step);
    end_step(step, JOURNAL_FAILED);
    mgi_journal_run_ends(run, JOURNAL_FAILED);
    scene_close(&s);
    assert_false(a.told);
    struct found f = read_file(&s, NULL);
    assert_int_equal(f.steps, 1);
    assert_non_null(strstr(f.text, "\"outcome\":\"failed\",\"chain\":3"));
    scene_end(&s);
}

static void test_many_that_wait_cost_one_flush(void **state)
{
    enum { MANY = 200 };
    struct scene s;
    struct answer answers[MANY] = { 0 };
    struct journal_run *runs[MANY];
    struct journal_stats stats;
    (void)state;
    scene_begin(&s);
    scene_open(&s);
    for (unsigned i = 0; i < MANY; i++) {
        runs[i] = begin_run(&s, i, NULL);
        assert_non_null(begin_step(runs[i], 0, 1, &answers[i]));
    }
    for (unsigned i = 0; i < MANY; i++) {
        until_told(&s, &answers[i]);
        assert_string_equal(answers[i].why, "");
        end_step(answers[i].step, JOURNAL_OK);
        mgi_journal_run_ends(runs[i], JOURNAL_OK);
    }
    mgi_journal_stats(s.journal, &stats);
    assert_true(stats.flushes > 0 && stats.flushes < MANY / 4);
    scene_close(&s);
    struct found f = read_file(&s, NULL);
    assert_int_equal(f.runs, MANY);
    assert_int_equal(f.steps, MANY);
    scene_end(&s);
}

static void test_a_step_that_is_given_up_before_it_was_told_is_not_told(void **state)
{
    struct scene s;
    struct answer a = { 0 };
    (void)state;
    scene_begin(&s);
    scene_open(&s);
    struct journal_run *run = begin_run(&s, 1, NULL);
    struct journal_step *step = begin_step(run, 0, 1, &a);
    end_step(step, JOURNAL_NOT_SENT); /* it was cancelled */
    mgi_journal_run_ends(run, JOURNAL_CANCELLED);
    scene_close(&s);
    assert_false(a.told);
    struct found f = read_file(&s, NULL);
    assert_non_null(strstr(f.text, "\"outcome\":\"not_sent\",\"indeterminate\":false"));
    assert_non_null(strstr(f.text, "\"did_not_run\":[\"first\",\"second\",\"third\"]"));
    scene_end(&s);
}

static void test_the_end_of_a_run_is_told_when_it_is_on_the_disk(void **state)
{
    struct scene s;
    struct answer ended = { 0 };
    (void)state;
    scene_begin(&s);
    scene_open(&s);
    struct str id = id_of(1);
    struct journal_run_begin b = { .header = mgi_run_header(id, STR_LIT(""), false),
                                   .invocation_id = id,
                                   .has_effects = true,
                                   .told = is_told,
                                   .context = &ended };
    struct journal_run *run = mgi_journal_run_begins(s.journal, &b);
    end_step(sent_step(&s, run, 0), JOURNAL_OK);
    mgi_journal_run_ends(run, JOURNAL_OK);
    assert_false(ended.told); /* never from inside */
    until_told(&s, &ended);
    assert_string_equal(ended.why, "");
    struct found f = read_file(&s, NULL);
    assert_non_null(strstr(f.text, "\"outcome\":\"ok\",\"chain\""));
    assert_int_equal(f.indeterminate, 0);
    scene_end(&s);
}

static void test_the_deterministic_run_id_is_printed_alone(void **state)
{
    struct scene s;
    (void)state;
    scene_begin(&s);
    scene_open(&s);
    for (unsigned n = 1; n <= 2; n++) { /* T-RUN-2: the same id in every run */
        struct str id = id_of(n);
        struct journal_run_begin b = { .header = mgi_run_header(id, STR_LIT(""), true),
                                       .invocation_id = id };
        mgi_journal_run_ends(mgi_journal_run_begins(s.journal, &b), JOURNAL_OK);
    }
    scene_close(&s);
    struct journal_filter one = { .id = STR_LIT(
                                      "00000002") }; /* an invocation is found all the same */
    struct found f = read_file(&s, &one);
    assert_int_equal(f.runs, 1);
    assert_non_null(strstr(f.text, "\"run_id\":\"00000000000000000000000000000001\""));
    assert_non_null(strstr(f.text, "\"invocation\":\"00000002"));
    assert_null(strstr(f.text, "request_id")); /* T-RUN-1 C-178: left out when it is empty */
    scene_end(&s);
}

static void test_texts_are_cut_and_plans_too(void **state)
{
    enum { STEPS = 2000 };
    struct scene s;
    static struct str steps[STEPS];
    char longer[1000];
    (void)state;
    memset(longer, 'x', sizeof longer);
    for (size_t i = 0; i < STEPS; i++)
        steps[i] = STR_LIT("a-name-of-ten");
    scene_begin(&s);
    scene_open(&s);
    struct journal_run_begin b = { .header = mgi_run_header(id_of(1), (struct str){ longer, 1000 },
                                                            false),
                                   .invocation_id = id_of(1),
                                   .tool = { longer, 1000 },
                                   .steps = steps,
                                   .step_count = STEPS };
    mgi_journal_run_ends(mgi_journal_run_begins(s.journal, &b), JOURNAL_OK);
    scene_close(&s);
    struct journal_record r;
    scene_open(&s);
    char witness[JOURNAL_WITNESS_BYTES];
    mgi_journal_witness(s.journal, id_of(1), witness);
    assert_int_equal(mgi_journal_find_witness(s.journal, str_of(witness), &s.arena, &r),
                     JOURNAL_FOUND);
    assert_int_equal(r.tool.len, 200);
    assert_int_equal(r.plan_count, STEPS);
    assert_true(r.plan_named > 500 && r.plan_named < 700);
    assert_true(str_is(r.plan[r.plan_named - 1], "a-name-of-ten"));
    scene_end(&s);
}

static void test_patches_are_digests_unless_asked_for(void **state)
{
    static const char patch[] = "[{\"op\":\"add\",\"path\":\"/slots/0\",\"value\":{\"secret\":1}}]";
    struct scene s;
    (void)state;
    for (int keep = 0; keep < 2; keep++) { /* T-TX-9 */
        scene_begin(&s);
        s.options.keep_patches = keep;
        scene_open(&s);
        struct journal_run *run = begin_run(&s, 1, NULL);
        struct journal_step *step = sent_step(&s, run, 0);
        struct journal_step_end e = { .outcome = JOURNAL_OK, .patch = str_of(patch) };
        mgi_journal_step_ends(step, &e);
        mgi_journal_run_ends(run, JOURNAL_OK);
        scene_close(&s);
        struct found f = read_file(&s, NULL);
        assert_non_null(strstr(f.text, "\"tx_patch_sha256\":\""));
        char bytes[40];
        snprintf(bytes, sizeof bytes, "\"tx_patch_bytes\":%zu", sizeof patch - 1);
        assert_non_null(strstr(f.text, bytes));
        assert_int_equal(strstr(f.text, "secret") != NULL, keep);
        assert_int_equal(holds_text(s.path, "secret"), keep); /* T-AUD-6 */
        scene_end(&s);
    }
}

/* ---- one writer, many readers
 * -------------------------------------------------------------------- */

static void test_a_journal_belongs_to_one_process(void **state)
{
    struct scene s, other;
    (void)state;
    scene_begin(&s);
    scene_open(&s);
    scene_begin(&other);
    other.options.path = s.path;
    assert_non_null(strstr(scene_try(&other), "another server writes it"));
    scene_end(&other);
    scene_reopen(&s); /* and who was refused took nothing away */
    whole_run(&s, 1, NULL, 1);
    scene_end(&s);
}

static bool first_only(void *context, const struct journal_record *r)
{
    ++*(int *)context;
    assert_true(mgi_str_starts(r->invocation_id, STR_LIT("00000009")));
    return false;
}

static void test_the_newest_run_comes_first(void **state)
{
    struct scene s;
    struct buf why = { 0 };
    int runs = 0;
    (void)state;
    scene_begin(&s);
    scene_open(&s);
    for (unsigned i = 0; i < 10; i++)
        whole_run(&s, i, NULL, 1);
    scene_close(&s);
    struct journal_filter most = { .max_runs = 4 };
    assert_int_equal(read_file(&s, &most).runs, 4);
    struct journal_file *file = mgi_journal_file_open(s.path, &why);
    assert_true(mgi_journal_file_walk(file, &most, &s.arena, first_only, &runs, &why));
    assert_int_equal(runs, 1);
    mgi_journal_file_close(file);
    scene_end(&s);
}

static void test_a_file_that_is_not_there_cannot_be_read(void **state)
{
    struct buf why = { 0 };
    (void)state;
    assert_null(mgi_journal_file_open("/nowhere/journal", &why));
    assert_string_equal(why.ptr,
                        "the journal /nowhere/journal cannot be read: No such file or directory");
    mgi_buf_fini(&why);
}

/* ---- keys and witnesses
 * -------------------------------------------------------------------------- */

static const uint8_t some_key[JOURNAL_KEY_BYTES] = { 1, 2, 3 };
static const uint8_t other_key[JOURNAL_KEY_BYTES] = { 1, 2, 3, [31] = 9 };

static void test_keys_of_earlier_processes_are_found(void **state)
{
    struct scene s;
    struct journal_record r;
    (void)state;
    scene_begin(&s);
    scene_open(&s);
    whole_run(&s, 1, some_key, 2);
    assert_int_equal(mgi_journal_find_key(s.journal, some_key, NS_PER_SEC, &s.arena, &r),
                     JOURNAL_NONE); /* of this process the store knows */
    scene_reopen(&s);
    assert_int_equal(mgi_journal_find_key(s.journal, some_key, 3600 * NS_PER_SEC, &s.arena, &r),
                     JOURNAL_FOUND);
    assert_true(str_is(r.fingerprint, "print") && r.has_key);
    assert_true(mgi_journal_record_acted(&r));
    assert_int_equal(mgi_journal_record_came_to(&r, 1), JOURNAL_RAN);
    assert_int_equal(mgi_journal_record_came_to(&r, 2), JOURNAL_DID_NOT_RUN);
    assert_int_equal(mgi_journal_find_key(s.journal, some_key, 0, &s.arena, &r),
                     JOURNAL_NONE); /* it ended, and that was long ago */
    assert_int_equal(mgi_journal_find_key(s.journal, other_key, 3600 * NS_PER_SEC, &s.arena, &r),
                     JOURNAL_NONE); /* the same first bytes */
    scene_end(&s);
}

static void test_a_key_is_another_callers_own(void **state)
{
    uint8_t a[JOURNAL_KEY_BYTES], b[JOURNAL_KEY_BYTES], c[JOURNAL_KEY_BYTES];
    (void)state;
    assert_true(mgi_journal_key(STR_LIT("ann"), STR_LIT("1"), a));
    assert_true(mgi_journal_key(STR_LIT("an"), STR_LIT("n1"), b));
    assert_true(mgi_journal_key(STR_LIT("ann"), STR_LIT("1"), c));
    assert_memory_not_equal(a, b, sizeof a);
    assert_memory_equal(a, c, sizeof a);
}

static enum journal_find look(struct scene *s, const char *witness)
{
    struct journal_record r;
    return mgi_journal_find_witness(s->journal, str_of(witness), &s->arena, &r);
}

static void test_a_witness_says_that_nothing_was_sent(void **state)
{
    struct scene s;
    char before[JOURNAL_WITNESS_BYTES], text[200];
    (void)state;
    scene_begin(&s);
    scene_open(&s);
    whole_run(&s, 1, NULL, 1);
    mgi_journal_witness(s.journal, id_of(2), before); /* and then it came to nothing */
    scene_reopen(&s);
    assert_int_equal(look(&s, before), JOURNAL_NONE);
    snprintf(text, sizeof text, "%.*s%s", 35, before, id_of(1).ptr);
    assert_int_equal(look(&s, text), JOURNAL_FOUND);
    /* of another journal, or no witness at all */
    before[0] = (char)(before[0] == '0' ? '1' : '0');
    static const char *const odd[] = { "", " ", "x", "0123 1 0123", OTHER_HEX " 1 " OTHER_HEX };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        assert_int_equal(look(&s, odd[i]), JOURNAL_UNKNOWN);
    assert_int_equal(look(&s, before), JOURNAL_UNKNOWN);
    before[0] = (char)(before[0] == '0' ? '1' : '0');
    snprintf(text, sizeof text, "%.32s 99999999999999999999999 %s", before, OTHER_HEX);
    assert_int_equal(look(&s, text), JOURNAL_UNKNOWN);
    snprintf(text, sizeof text, "%.32s 1", before);
    assert_int_equal(look(&s, text), JOURNAL_UNKNOWN);
    scene_end(&s);
}

static void test_a_witness_of_what_was_removed_knows_nothing(void **state)
{
    struct scene s;
    char early[JOURNAL_WITNESS_BYTES], late[JOURNAL_WITNESS_BYTES];
    (void)state;
    scene_begin(&s);
    s.options.keep_runs = 5;
    scene_open(&s);
    mgi_journal_witness(s.journal, id_of(9999), early);
    for (unsigned i = 0; i < 600; i++) { /* so many that old ones go */
        struct journal_run *run = begin_run(&s, i, NULL);
        mgi_journal_run_ends(run, JOURNAL_OK);
    }
    whole_run(&s, 600, NULL, 1);
    for (unsigned i = 601; i < 1300; i++)
        mgi_journal_run_ends(begin_run(&s, i, NULL), JOURNAL_OK);
    mgi_journal_witness(s.journal, id_of(9999), late);
    scene_reopen(&s);
    assert_true(read_file(&s, NULL).runs < 700);
    assert_int_equal(look(&s, early), JOURNAL_UNKNOWN); /* it may have been one of those */
    assert_int_equal(look(&s, late), JOURNAL_NONE);
    scene_end(&s);
}

/* ---- what came of a step
 * ------------------------------------------------------------------------- */

static void test_what_came_of_a_step_is_told_of_all_its_items(void **state)
{
    struct journal_step_record rows[] = {
        { .step = 0, .item = 0, .tier = 1, .outcome = JOURNAL_FAILED },
        { .step = 0, .item = 1, .tier = 1, .outcome = JOURNAL_OK },
        { .step = 0, .item = 0, .tier = 1, .attempt = 1, .outcome = JOURNAL_OK },
        { .step = 1, .item = 0, .tier = 1, .outcome = JOURNAL_OK },
        { .step = 1, .item = 1, .tier = 1, .outcome = JOURNAL_FAILED },
        { .step = 2, .item = -1, .tier = 1, .outcome = JOURNAL_INTERRUPTED, .indeterminate = true },
        { .step = 3, .item = -1, .tier = 1, .outcome = JOURNAL_NOT_SENT },
        { .step = 4, .item = -1, .tier = 0, .outcome = JOURNAL_OPEN },
        { .step = 5, .item = -1, .tier = 1, .outcome = JOURNAL_OK, .compensation = true },
    };
    struct journal_record r = { .steps = rows, .step_count = sizeof rows / sizeof *rows };
    static const enum journal_came_to wanted[] = { JOURNAL_RAN,          JOURNAL_RAN_AND_FAILED,
                                                   JOURNAL_MAY_HAVE_RUN, JOURNAL_DID_NOT_RUN,
                                                   JOURNAL_MAY_HAVE_RUN, JOURNAL_DID_NOT_RUN,
                                                   JOURNAL_DID_NOT_RUN };
    struct arena arena;
    (void)state;
    mgi_arena_init(&arena, 0);
    assert_true(mgi_journal_sum_up(&arena, rows, &r));
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_int_equal(mgi_journal_record_came_to(&r, i), wanted[i]);
    assert_true(mgi_journal_record_acted(&r));
    mgi_arena_fini(&arena);
    r.steps = rows + 6; /* not sent, and read */
    r.step_count = 2;
    assert_false(mgi_journal_record_acted(&r));
}

static void test_the_last_attempt_counts_and_what_undid_it(void **state)
{
    struct journal_step_record rows[] = {
        { .step = 1, .item = 0, .tier = 1, .outcome = JOURNAL_FAILED },
        { .step = 0, .item = -1, .tier = 1, .outcome = JOURNAL_OK },
        { .step = 1, .item = 0, .tier = 1, .outcome = JOURNAL_OK },
        { .step = 1, .item = 0, .tier = 1, .outcome = JOURNAL_NOT_SENT },
        { .step = 1, .item = 1, .tier = 1, .outcome = JOURNAL_OK },
        { .step = 1, .item = 1, .outcome = JOURNAL_FAILED, .compensation = true },
        { .step = 1, .item = 0, .outcome = JOURNAL_FAILED, .compensation = true },
        { .step = 1, .item = 0, .outcome = JOURNAL_OK, .compensation = true },
        { .step = 1, .item = 0, .outcome = JOURNAL_NOT_SENT, .compensation = true },
        { .step = 0, .item = -1, .outcome = JOURNAL_OK, .compensation = true },
    };
    struct journal_record r = { .step_count = sizeof rows / sizeof *rows };
    struct arena arena;
    (void)state;
    mgi_arena_init(&arena, 0);
    assert_true(mgi_journal_sum_up(&arena, rows, &r));
    for (size_t i = 0; i < r.step_count; i++)
        assert_int_equal(r.steps[i].is_last, i == 1 || i == 2 || i == 4);
    assert_ptr_equal(r.steps[1].undo, &rows[9]);
    assert_ptr_equal(r.steps[2].undo, &rows[7]);
    assert_ptr_equal(r.steps[4].undo, &rows[5]);
    assert_true(mgi_journal_record_is_undone(&r, 0));
    assert_false(mgi_journal_record_is_undone(&r, 1)); /* its second item is not */
    assert_false(mgi_journal_record_is_undone(&r, 2));
    rows[5].outcome = JOURNAL_OK;
    assert_true(mgi_journal_sum_up(&arena, rows, &r));
    assert_true(mgi_journal_record_is_undone(&r, 1));
    mgi_arena_fini(&arena);
}

/* In processor time of this thread, the least of three: what else runs does not count. */
static double cost_of_items(size_t count)
{
    struct arena arena;
    struct journal_step_record *rows = calloc(count, sizeof *rows);
    const struct str plan[] = { STR_LIT("a"), STR_LIT("b"), STR_LIT("c") };
    double least = 0;
    assert_non_null(rows);
    mgi_arena_init(&arena, 0);
    for (size_t i = 0; i < count; i++)
        rows[i] = (struct journal_step_record){
            .seq = (uint32_t)i, .step = 1, .item = (int32_t)i, .tier = 1, .outcome = JOURNAL_OK
        };
    for (int turn = 0; turn < 3; turn++) {
        struct journal_record r = { .plan = plan, .plan_named = 3, .step_count = count };
        struct timespec begun, ended;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begun);
        assert_true(mgi_journal_sum_up(&arena, rows, &r));
        for (size_t i = 0; i < r.plan_named; i++)
            assert_int_equal(mgi_journal_record_came_to(&r, i),
                             i == 1 ? JOURNAL_RAN : JOURNAL_DID_NOT_RUN);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ended);
        double took =
            (double)(ended.tv_sec - begun.tv_sec) + (double)(ended.tv_nsec - begun.tv_nsec) / 1e9;
        least = turn == 0 || took < least ? took : least;
    }
    mgi_arena_fini(&arena);
    free(rows);
    return least;
}

static void test_eight_times_the_items_do_not_cost_sixty_four_times(void **state)
{
    double few = cost_of_items(3000), many = cost_of_items(24000);
    (void)state;
    if (many > 24 * few)
        fail_msg("3000 items: %.3f ms, 24000 items: %.3f ms", few * 1e3, many * 1e3);
}

/* ---- menus
 * --------------------------------------------------------------------------------------- */

static void pick(struct journal_run *run, uint32_t turn, const char *kind, const char *aid,
                 const char *raw, bool in_order)
{
    const struct journal_pick p = { .step = 1,
                                    .turn = turn,
                                    .name = STR_LIT("next"),
                                    .by = strcmp(kind, "END") ? STR_LIT("policy") : STR_LIT(""),
                                    .kind = str_of(kind),
                                    .sid = *aid ? STR_LIT("SID0001") : STR_LIT(""),
                                    .action = str_of(aid),
                                    .raw = str_of(raw),
                                    .in_order = in_order };
    mgi_journal_picks(run, &p);
}

static void test_picks_stand_where_they_were_made(void **state)
{
    struct scene s;
    struct answer a = { 0 };
    (void)state;
    scene_begin(&s);
    scene_open(&s);
    struct journal_run *run = begin_run(&s, 1, NULL);
    pick(run, 1, "PICK", "AID.A.v1", "<PICK><SID0001><END>", false);
    struct journal_step *step = begin_step(run, 1, 1, &a);
    until_told(&s, &a);
    const struct journal_step_end end = { .outcome = JOURNAL_OK };
    mgi_journal_step_ends(step, &end);
    pick(run, 2, "NOOP", "", "<NOOP><END>", false);
    pick(run, 2, "END", "", "noop", true);
    mgi_journal_run_ends(run, JOURNAL_OK);
    mgi_journal_picks(NULL, NULL); /* of no run: nothing */
    scene_close(&s);
    struct found f = read_file(&s, NULL);
    assert_non_null(strstr(f.text,
                           "\"picks\":[{\"step\":\"next\",\"index\":1,\"turn\":1,\"kind\":\"PICK\","
                           "\"by\":\"policy\",\"sid\":\"SID0001\",\"action\":\"AID.A.v1\","
                           "\"raw\":\"<PICK><SID0001><END>\",\"at\":"));
    assert_non_null(strstr(f.text, "\"kind\":\"END\",\"raw\":\"noop\",\"in_order\":true,"));
    scene_end(&s);
}

static void test_a_menu_that_was_cut_off_is_unfinished(void **state)
{
    static const struct {
        enum journal_outcome run, call;
        const char *end; /* NULL: none */
        bool in_order, unsure;
        enum journal_came_to came_to;
    } cases[] = {
        { JOURNAL_INTERRUPTED, JOURNAL_OK, NULL, false, false, JOURNAL_UNFINISHED },
        { JOURNAL_INTERRUPTED, JOURNAL_FAILED, NULL, false, false, JOURNAL_UNFINISHED },
        { JOURNAL_INTERRUPTED, JOURNAL_INTERRUPTED, NULL, false, true, JOURNAL_MAY_HAVE_RUN },
        { JOURNAL_INTERRUPTED, JOURNAL_OK, "END", true, false, JOURNAL_RAN },
        { JOURNAL_INTERRUPTED, JOURNAL_FAILED, "END", true, false, JOURNAL_RAN },
        { JOURNAL_FAILED, JOURNAL_OK, "END", false, false, JOURNAL_RAN_AND_FAILED },
        { JOURNAL_FAILED, JOURNAL_FAILED, NULL, false, false, JOURNAL_RAN_AND_FAILED },
        { JOURNAL_INTERRUPTED, JOURNAL_NOT_SENT, NULL, false, false, JOURNAL_UNFINISHED },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct journal_step_record row = {
            .step = 1, .tier = 1, .outcome = cases[i].call, .indeterminate = cases[i].unsure
        };
        const struct journal_pick_record picks[] = {
            { .step = 1, .turn = 1, .kind = STR_LIT("PICK") },
            { .step = 1, .turn = 2, .kind = STR_LIT("END"), .in_order = cases[i].in_order },
        };
        struct arena arena;
        struct journal_record r = { .outcome = cases[i].run,
                                    .step_count = 1,
                                    .picks = picks,
                                    .pick_count = cases[i].end ? 2 : 1 };
        mgi_arena_init(&arena, 0);
        assert_true(mgi_journal_sum_up(&arena, &row, &r));
        assert_true(mgi_journal_record_is_menu(&r, 1));
        assert_false(mgi_journal_record_is_menu(&r, 0));
        if (mgi_journal_record_came_to(&r, 1) != cases[i].came_to)
            fail_msg("case %zu: %d", i, (int)mgi_journal_record_came_to(&r, 1));
        mgi_arena_fini(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_step_with_effects_is_in_the_file_when_that_is_told),
        cmocka_unit_test(test_a_step_without_effects_goes_on_at_once),
        cmocka_unit_test(test_many_that_wait_cost_one_flush),
        cmocka_unit_test(test_a_step_that_is_given_up_before_it_was_told_is_not_told),
        cmocka_unit_test(test_the_end_of_a_run_is_told_when_it_is_on_the_disk),
        cmocka_unit_test(test_the_deterministic_run_id_is_printed_alone),
        cmocka_unit_test(test_texts_are_cut_and_plans_too),
        cmocka_unit_test(test_patches_are_digests_unless_asked_for),
        cmocka_unit_test(test_a_journal_belongs_to_one_process),
        cmocka_unit_test(test_the_newest_run_comes_first),
        cmocka_unit_test(test_a_file_that_is_not_there_cannot_be_read),
        cmocka_unit_test(test_keys_of_earlier_processes_are_found),
        cmocka_unit_test(test_a_key_is_another_callers_own),
        cmocka_unit_test(test_a_witness_says_that_nothing_was_sent),
        cmocka_unit_test(test_a_witness_of_what_was_removed_knows_nothing),
        cmocka_unit_test(test_what_came_of_a_step_is_told_of_all_its_items),
        cmocka_unit_test(test_the_last_attempt_counts_and_what_undid_it),
        cmocka_unit_test(test_eight_times_the_items_do_not_cost_sixty_four_times),
        cmocka_unit_test(test_picks_stand_where_they_were_made),
        cmocka_unit_test(test_a_menu_that_was_cut_off_is_unfinished),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
