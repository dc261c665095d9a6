/* What a DevTools endpoint says, and where an operator says that it is: whatever the bytes, an
 * answer is judged the same each time, is never longer than what came, and its path can stand in a
 * request. */
#include <assert.h>

#include "../domains/browser/plugins/browser/attach.h"

static void check_target(const char *path)
{
    size_t len = strlen(path);
    assert(len <= ATTACH_PATH_MOST && (len == 0 || path[0] == '/'));
    for (size_t i = 0; i < len; i++)
        assert(path[i] > ' ' && path[i] <= '~');
}

static void read_path(struct str body)
{
    struct arena arena;
    char path[ATTACH_PATH_MOST + 1];
    mgi_arena_init(&arena, 1u << 22);
    if (!mgi_attach_path(&arena, body, path))
        check_target(path);
    mgi_arena_fini(&arena);
}

/* Cut off at `len` it may be unfinished, but not whole with another body. */
static void read_answer(struct str bytes, size_t len)
{
    struct str whole = { 0 }, part = { 0 };
    struct buf why = { 0 };
    enum attach_answer all = mgi_attach_answer(bytes, false, &whole, &why);
    assert((all == ATTACH_BAD) == (why.len > 0));
    enum attach_answer cut = mgi_attach_answer((struct str){ bytes.ptr, len }, false, &part, &why);
    if (all == ATTACH_WHOLE) {
        assert(whole.ptr >= bytes.ptr && whole.ptr + whole.len <= bytes.ptr + bytes.len);
        assert(cut != ATTACH_BAD || len > 0);
        assert(cut != ATTACH_WHOLE || (part.ptr == whole.ptr && part.len == whole.len));
        read_path(whole);
    }
    mgi_buf_fini(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct attach_place place;
    if (size == 0)
        return 0;
    const struct str bytes = { (const char *)data + 1, size - 1 };
    read_answer(bytes, bytes.len * data[0] / 256);
    read_path(bytes);
    if (!mgi_attach_parse(bytes, &place)) {
        assert(place.count == 1 || place.count == 2);
        check_target(place.path);
    }
    return 0;
}
