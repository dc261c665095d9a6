/* Any text as a file of facts, as `mangle run --facts` reads it: the first byte says whether it is
 * Mangle, JSON lines or CSV. No crash, no hang, and what was accepted is there after loading. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cli/mangle_facts.h"
#include "mutate_mangle.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t len, size_t cap, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t len, size_t cap);

static const char rules[] = "Decl p(X, Y, Z) bound [/string, /number, /any].\n"
                            "Decl e(X) temporal bound [/name].\n"
                            "r(X) :- p(X, _, _). r(X) :- e(X)@[_, _].\n";

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t len, size_t cap, unsigned seed)
{
    if (len < 2 || cap < 2 || bytes[0] != 'm' || seed % 16 == 0)
        return LLVMFuzzerMutate(bytes, len, cap);
    return 1 + mutate_mangle(bytes + 1, len - 1, cap - 1, seed);
}

static void load(struct fact_file *file)
{
    struct mangle_source source = { "rules", rules, sizeof rules - 1 };
    struct host_pred_list preds;
    mgi_host_preds_init(&preds);
    mangle_program *program = NULL;
    mangle_base *base = NULL;
    if (mgi_fact_file_preds(file, &preds)) {
        struct mangle_compile_options options = { .host_preds = preds.items,
                                                  .host_pred_count = preds.count,
                                                  .host_yields = true };
        if (mangle_compile(&source, 1, &options, &program, NULL) == MANGLE_OK &&
            mangle_base_new(program, &base) == MANGLE_OK &&
            mgi_fact_file_add(file, base, &(int64_t){ INT64_C(1718020800000000000) }) == 0)
            (void)mangle_base_close(base, NULL, NULL, NULL);
    }
    mangle_base_unref(base);
    mangle_program_unref(program);
    mgi_host_preds_fini(&preds);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    if (len == 0)
        return 0;
    struct fact_file file = { .path = "facts", .pred = STR_LIT("p") };
    file.form = bytes[0] == 'm' ? FACTS_MANGLE : bytes[0] == 'j' ? FACTS_JSON_LINES : FACTS_CSV;
    mgi_buf_append(&file.text, bytes + 1, len - 1);
    mgi_buf_puts(&file.text, "");
    load(&file);
    mgi_buf_fini(&file.text);
    return 0;
}
