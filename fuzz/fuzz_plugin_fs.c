/* What the fs plugin reads of others: unified diffs, patterns and paths, and what all plugins with
 * descriptors read: members, elements and texts of their input. Input: a byte that says which; for
 * a diff the old file, a zero byte and the diff. A diff that applies gives a file of no more than
 * both, and one that does not says why; a walk over JSON finds what the parser finds. */
#include <stdlib.h>

#include "plugins/fs/fs.h"

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void apply(struct str old, struct str text)
{
    struct arena arena;
    struct diff diff;
    struct buf out, why;
    mgi_arena_init(&arena, 0);
    mgi_buf_init(&out);
    mgi_buf_init(&why);
    bool parsed = mgi_diff_parse(&arena, text, &diff, &why);
    MUST(parsed || why.len > 0);
    for (size_t i = 0; parsed && i < diff.count; i++) {
        mgi_buf_clear(&out);
        mgi_buf_clear(&why);
        bool applied = mgi_diff_apply(&diff.files[i], old, &out, &why);
        MUST(applied ? out.len <= old.len + text.len : why.len > 0);
    }
    mgi_buf_fini(&out);
    mgi_buf_fini(&why);
    mgi_arena_fini(&arena);
}

static void match(struct str pattern, struct str path)
{
    char canonical[PATH_MOST + 1];
    if (!mgi_path_canonical(path, canonical)) {
        char again[PATH_MOST + 1];
        MUST(canonical[0] && canonical[0] != '/' && !strstr(canonical, "//"));
        MUST(!mgi_path_canonical(str_of(canonical), again) && strcmp(canonical, again) == 0);
    }
    if (!mgi_glob_fault(pattern))
        (void)mgi_glob(pattern, path);
}

static void walk(struct str text)
{
    struct arena arena;
    struct json parsed;
    struct str bytes;
    th_str name, value, container = { text.ptr, text.len };
    size_t at = 0, count = 0;
    mgi_arena_init(&arena, 0);
    bool valid = mgi_json_parse(&arena, text, NULL, &parsed, NULL) == JSON_OK && text.len &&
                 (text.ptr[0] == '[' || text.ptr[0] == '{');
    while (mgi_arg_each(container, &at, &name, &value)) {
        struct str string = mgi_arg_string(&arena, value);
        count++;
        MUST(at <= container.len && value.ptr >= text.ptr);
        if (!valid || count > parsed.count)
            continue;
        const struct json *want =
            parsed.type == JSON_ARRAY ? &parsed.items[count - 1] : &parsed.members[count - 1].value;
        MUST(want->text.ptr == value.ptr && want->text.len == value.len);
        if (want->type == JSON_STRING)
            MUST(string.ptr && str_eq(string, want->string));
    }
    MUST(!valid || count == parsed.count);
    (void)mgi_base64_read(&arena, text, &bytes);
    mgi_arena_fini(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 1 || size > 20000)
        return 0;
    struct str all = { (const char *)bytes + 1, size - 1 };
    const char *zero = all.len ? memchr(all.ptr, '\0', all.len) : NULL;
    struct str first = { all.ptr, zero ? (size_t)(zero - all.ptr) : 0 };
    struct str rest = { zero ? zero + 1 : all.ptr, zero ? all.len - first.len - 1 : all.len };
    if (bytes[0] % 3 == 0)
        apply(first, rest);
    else if (bytes[0] % 3 == 1)
        match(first, rest);
    else
        walk(all);
    return 0;
}
