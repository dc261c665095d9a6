/* Lines of a decision log: any bytes are read or refused; what is read can be written again as one
 * line of the same meaning, and, by a domain that masks, as one line. */
#include <stdlib.h>
#include <string.h>

#include "decision/record.h"

static const struct snapshot nothing; /* masks nothing */

static struct mask_rule rules[] = {
    { .place = MASK_FACTS, .subject = { "client_identity", 15 }, .action = MASK_HASH },
    { .place = MASK_FACTS, .subject = { "p", 1 }, .argument = 1, .action = MASK_DROP },
    { .place = MASK_PARAMS, .path = { "/a/*/b", 6 }, .action = MASK_REPLACE },
    { .place = MASK_PARAMS, .path = { "/a/0", 4 }, .action = MASK_DROP },
    { .place = MASK_PARAMS, .path = { "/c", 2 }, .action = MASK_HASH },
    { .place = MASK_ARGUMENTS, .subject = { "t", 1 }, .path = { "/a/b", 4 } },
};
static const struct snapshot masking = { .masking = { rules, sizeof rules / sizeof *rules } };

static void write_again(const struct snapshot *s, const struct decision *d, struct arena *arena,
                        struct buf *out)
{
    const struct decision_head head = { .kind = d->kind,
                                        .id = "again",
                                        .at_ns = d->at_ns,
                                        .transport = "fuzz",
                                        .who = &d->who,
                                        .subject = d->intent };
    const struct decision_tail tail = { .masked_inputs = d->masked_inputs };
    const struct wire_error e = { .code = WIRE_INTERNAL_ERROR, .message = "m" };
    struct json_writer w;
    struct mask m;
    mgi_json_writer_init(&w, out, 0);
    mgi_mask_init(&m, s, arena, STR_LIT("key"));
    mgi_decision_begin(&w, &m, &head);
    if (d->asked && d->kind == DECISION_INTENT)
        mgi_decision_intent(&w, &m, d->asked, false);
    else if (d->asked)
        mgi_decision_invocation(&w, &m, d->asked, NULL);
    mgi_decision_error(&w, &m, NULL, &e);
    mgi_decision_end(&w, &m, &tail);
    mgi_mask_fini(&m);
}

static bool is_one_line(const struct buf *line)
{
    return !line->oom && memchr(line->ptr, '\n', line->len) == line->ptr + line->len - 1;
}

static void write_masked(const struct decision *d, struct arena *arena)
{
    struct buf line = { 0 };
    struct json root;
    struct json_options options = { .max_depth = JSON_MAX_DEPTH };
    write_again(&masking, d, arena, &line);
    if (!is_one_line(&line) ||
        mgi_json_parse(arena, mgi_buf_view(&line), &options, &root, NULL) != JSON_OK)
        abort();
    mgi_buf_fini(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct decision d, again;
    struct buf line = { 0 };
    const char *why = NULL;
    mgi_arena_init(&arena, 0);
    bool ok = mgi_decision_read(&arena, (struct str){ (const char *)data, size }, &d, &why);
    if (!ok && !why)
        abort();
    if (ok && d.kind != DECISION_LOST) {
        write_masked(&d, &arena);
        write_again(&nothing, &d, &arena, &line);
        if (!is_one_line(&line))
            abort();
        line.len--;
        if (!mgi_decision_read(&arena, mgi_buf_view(&line), &again, &why) ||
            again.at_ns != d.at_ns || again.fact_count != d.fact_count ||
            again.who.kind != d.who.kind || !str_eq(again.who.identity, d.who.identity) ||
            again.who.permission_count != d.who.permission_count)
            abort();
    }
    mgi_buf_fini(&line);
    mgi_arena_fini(&arena);
    return 0;
}
