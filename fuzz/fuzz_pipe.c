/* Bytes from a browser's pipe: the first says in what pieces they come, and whatever the pieces,
 * the messages are the same. */
#include <assert.h>

#include "../domains/browser/plugins/browser/pipe.h"
#include "../domains/browser/plugins/browser/talk.h"

#define MOST 300 /* so that dropping happens */

struct heard {
    uint64_t hash;
    size_t count, lost;
};

static void hear(void *context, struct str text)
{
    struct heard *h = context;
    assert(text.len > 0 && text.len <= MOST && !memchr(text.ptr, '\0', text.len));
    h->hash = mgi_hash_bytes(text.ptr, text.len, h->hash);
    h->count += 1 + (mgi_talk_reply_id(text) < 0);
}

static void lose(void *context, struct str beginning)
{
    struct heard *h = context;
    mgi_talk_reply_id(beginning);
    h->lost++;
}

static struct heard take(struct str bytes, size_t piece)
{
    struct heard h = { 0 };
    struct pipe_frames frames = { .most = MOST };
    const struct wire_ear ear = { hear, lose, &h };
    for (size_t at = 0; at < bytes.len; at += piece) {
        size_t len = bytes.len - at < piece ? bytes.len - at : piece;
        mgi_pipe_frames_take(&frames, (struct str){ bytes.ptr + at, len }, &ear);
    }
    assert(frames.dropped == h.lost);
    mgi_pipe_frames_fini(&frames);
    return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const struct str bytes = { (const char *)data + 1, size - 1 };
    struct heard whole = take(bytes, bytes.len + 1), pieces = take(bytes, 1 + data[0] % 64);
    assert(whole.hash == pieces.hash && whole.count == pieces.count && whole.lost == pieces.lost);
    return 0;
}
