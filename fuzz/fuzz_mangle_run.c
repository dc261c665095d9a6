/* Any text as a program that is evaluated within small limits: no crash, no hang; what is derived
 * can be printed and explained; and whether everything is worked out in the base or everything
 * again for a request makes no difference. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "mutate_mangle.h"
#include "support/mangle_run.h"

#define FACTS_LOOKED_AT   20
#define PREDS_ASKED_ABOUT 8
#define MAX_ARITY         16

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t len, size_t cap, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t len, size_t cap, unsigned seed)
{
    return mutate_mangle(bytes, len, cap, seed);
}

static int64_t clock_ns(void *context)
{
    (void)context;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void explain_some(struct mangle_run *run)
{
    for (mangle_pred p = 0; p < mangle_program_pred_count(run->program); p++) {
        const struct mangle_fact *facts;
        size_t count, len;
        if (mangle_overlay_facts(run->overlay, p, &facts, &count) != MANGLE_OK)
            return;
        for (size_t i = 0; i < count && i < FACTS_LOOKED_AT; i++) {
            const struct mangle_proof *proof;
            int64_t until;
            if (mangle_overlay_explain(run->overlay, &facts[i], 8, &proof, NULL) == MANGLE_OK)
                mangle_free(mangle_proof_print(run->overlay, proof, &len));
            (void)mangle_overlay_valid_until(run->overlay, &facts[i], NULL, &until);
        }
    }
}

/* Of each predicate, any fact: which others would take its rules further? */
static void ask_why_not(struct mangle_run *run)
{
    for (mangle_pred p = 0; p < mangle_program_pred_count(run->program) && p < PREDS_ASKED_ABOUT;
         p++) {
        const mangle_value open[MAX_ARITY] = { MANGLE_NONE };
        const struct mangle_why_not *why;
        if (mangle_program_pred(run->program, p).arity <= MAX_ARITY)
            (void)mangle_overlay_why_not_match(run->overlay, p, open, &why);
    }
}

/* What it derives, or NULL if there is no answer to compare: an error, or a limit. */
static char *derived(const char *text, bool per_request)
{
    struct run_options options = {
        .changeable = per_request ? run_changes_all : NULL,
        .limits = { .max_facts = 300,
                    .max_intervals = 50,
                    .max_bytes = 64 << 20,
                    .timeout_ns = INT64_C(500000000),
                    .clock = clock_ns },
    };
    struct mangle_run run = mangle_run(text, &options);
    char *out = NULL;
    if (run.status == MANGLE_OK) {
        out = mangle_run_text(&run);
        if (per_request) {
            explain_some(&run);
            ask_why_not(&run);
        }
    }
    mangle_run_end(&run);
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    char *text = mgi_alloc(len + 1);
    if (!text)
        return 0;
    memcpy(text, bytes, len);
    text[len] = 0;
    char *in_base = derived(text, false);
    char *in_request = derived(text, true);
    if (in_base && in_request && strcmp(in_base, in_request) != 0) {
        fprintf(stderr, "in the base:\n%sfor a request:\n%s", in_base, in_request);
        abort();
    }
    mangle_free(in_base);
    mangle_free(in_request);
    mgi_free(text);
    return 0;
}
