/* Any bytes as a base that was saved, under a checksum that fits: no crash, no hang, and what is
 * opened can be asked. And as the note beside it. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/mangle_note.h"
#include "mangle/run/base_saved.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static const char rules[] =
    "Decl t(X) temporal. Decl more(X). e(1, /a). e(/a, \"s\"). e([1, 2.5], {/k: b\"x\"}).\n"
    "t([/m: 7])@[2024-01-01, _]. p(X, Y) :- e(X, Y). p(X, Z) :- p(X, Y), e(Y, Z).\n"
    "q(X) :- more(X), p(X, _). n(N) :- e(_, _) |> do fn:group_by(), let N = fn:count().\n";

struct whole {
    mangle_program *program;
    char *bytes;
    size_t len;
};

static struct whole make(void)
{
    struct mangle_source source = { "rules", rules, sizeof rules - 1 };
    struct whole w = { 0 };
    mangle_base *base;
    if (mangle_compile(&source, 1, NULL, &w.program, NULL) != MANGLE_OK ||
        mangle_base_new(w.program, &base) != MANGLE_OK ||
        mangle_base_close(base, NULL, NULL, NULL) != MANGLE_OK ||
        mangle_base_save(base, "", 0, &w.bytes, &w.len, NULL) != MANGLE_OK)
        abort();
    mangle_base_unref(base);
    return w;
}

static void ask(mangle_base *base)
{
    mangle_overlay *overlay;
    struct mangle_limits limits = { .max_facts = 10000 };
    const struct mangle_fact *facts;
    size_t count;
    if (mangle_overlay_new(base, &overlay) != MANGLE_OK)
        return;
    if (mangle_overlay_eval(overlay, 0, &limits, NULL, NULL) == MANGLE_OK)
        for (size_t i = 0; i < mangle_program_pred_count(mangle_base_program(base)); i++)
            if (mangle_overlay_facts(overlay, (mangle_pred)i, &facts, &count) == MANGLE_OK)
                for (size_t f = 0; f < count; f++)
                    mangle_free(mangle_fact_print(mangle_base_program(base),
                                                  mangle_overlay_values(overlay), &facts[f],
                                                  MANGLE_CANONICAL, NULL));
    mangle_overlay_free(overlay);
}

/* Changes of a good file, three bytes each: where, and what is there now. */
static void forge(const struct whole *w, const uint8_t *bytes, size_t len)
{
    char *file = malloc(w->len);
    mangle_base *base;
    if (!file)
        return;
    memcpy(file, w->bytes, w->len);
    for (size_t i = 0; i + 3 <= len; i += 3)
        file[(bytes[i] | (size_t)bytes[i + 1] << 8) % w->len] = (char)bytes[i + 2];
    uint64_t sum = mgi_sealed_checksum((struct str){ file, w->len });
    memcpy(file + SEALED_CHECKSUM_AT, &sum, sizeof sum);
    struct mangle_limits limits = { .max_bytes = 1 << 24 };
    if (mangle_base_open(w->program, file, w->len, &limits, &base, NULL, NULL) == MANGLE_OK) {
        ask(base);
        mangle_base_unref(base);
    }
    free(file);
}

static void read_note(const uint8_t *bytes, size_t len)
{
    struct arena arena;
    struct compile_note note;
    mgi_arena_init(&arena, 0);
    if (mgi_note_read((struct str){ (const char *)bytes, len }, &arena, &note)) {
        struct buf again = { 0 };
        mgi_note_write(&again, &note);
        mgi_buf_fini(&again);
    }
    mgi_arena_fini(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static struct whole whole;
    if (!whole.program)
        whole = make();
    forge(&whole, bytes, len);
    read_note(bytes, len);
    return 0;
}
