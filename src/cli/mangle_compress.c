/* gzip by zlib, zstd by libzstd, over memory. */
#include "cli/mangle_compress.h"

#include <limits.h>
#include <stdio.h>
#include <zlib.h>
#include <zstd.h>

#include "base/alloc.h"

#define GZIP_WINDOW (15 + 16) /* of zlib's window bits: the largest, and a gzip header */
#define GZIP_LEVEL  6
#define ZSTD_LEVEL  3
#define STEP        ((size_t)1 << 16)

static const char too_large[] = "too large"; /* worded with the limit */
static const char no_memory[] = "out of memory";

enum compression mgi_compression_named(struct str path, struct str *stem)
{
    static const struct {
        const char *end;
        enum compression c;
    } known[] = {
        { ".gz", COMPRESSION_GZIP },
        { ".zst", COMPRESSION_ZSTD },
        { ".zstd", COMPRESSION_ZSTD },
    };
    struct str none;
    stem = stem ? stem : &none;
    *stem = path;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (mgi_str_ends(path, str_of(known[i].end))) {
            stem->len -= strlen(known[i].end);
            return known[i].c;
        }
    }
    return COMPRESSION_NONE;
}

const char *mgi_compression_name(enum compression c)
{
    static const char *const names[] = { "none", "gzip", "zstd" };
    return names[c];
}

/* Room for the next step; false when there is none, *why says what of. */
static bool make_room(struct buf *out, size_t max_bytes, const char **why)
{
    if (out->len >= max_bytes) {
        *why = too_large;
        return false;
    }
    if (mgi_buf_reserve(out, STEP))
        return true;
    *why = no_memory;
    return false;
}

static void *zlib_alloc(void *context, unsigned items, unsigned size)
{
    (void)context;
    return mgi_calloc(items, size);
}

static void zlib_free(void *context, void *p)
{
    (void)context;
    mgi_free(p);
}

/* What zlib has not been given yet goes in pieces: its counts are 32 bits. */
static void feed(z_stream *z, struct str *rest)
{
    if (z->avail_in > 0 || rest->len == 0)
        return;
    z->avail_in = rest->len > UINT_MAX ? UINT_MAX : (unsigned)rest->len;
    z->next_in = (unsigned char *)rest->ptr;
    rest->ptr += z->avail_in;
    rest->len -= z->avail_in;
}

static const char *gunzip(z_stream *z, struct str rest, size_t max_bytes, struct buf *out)
{
    const char *why = NULL;
    for (;;) {
        feed(z, &rest);
        if (!make_room(out, max_bytes + 1, &why))
            return why;
        z->next_out = (unsigned char *)out->ptr + out->len;
        z->avail_out = (unsigned)STEP;
        int st = inflate(z, Z_NO_FLUSH);
        out->len += STEP - z->avail_out;
        out->ptr[out->len] = '\0';
        if (out->len > max_bytes)
            return too_large;
        if (st == Z_STREAM_END) { /* of a member: is there another? */
            if (z->avail_in == 0 && rest.len == 0)
                return NULL;
            st = inflateReset(z);
        }
        if (st == Z_MEM_ERROR)
            return no_memory;
        if (st == Z_BUF_ERROR && z->avail_in == 0 && rest.len == 0)
            return "its gzip data ends too early";
        if (st != Z_OK && st != Z_BUF_ERROR)
            return "it is not gzip, or damaged";
    }
}

static const char *unzstd(ZSTD_DStream *d, struct str packed, size_t max_bytes, struct buf *out)
{
    const char *why = NULL;
    ZSTD_inBuffer in = { packed.ptr, packed.len, 0 };
    for (;;) {
        if (!make_room(out, max_bytes + 1, &why))
            return why;
        ZSTD_outBuffer to = { out->ptr + out->len, STEP, 0 };
        size_t left = ZSTD_decompressStream(d, &to, &in);
        if (ZSTD_isError(left))
            return "it is not zstd, or damaged";
        out->len += to.pos;
        out->ptr[out->len] = '\0';
        if (out->len > max_bytes)
            return too_large;
        if (left == 0 && in.pos == in.size)
            return NULL;
        if (in.pos == in.size && to.pos < to.size)
            return "its zstd data ends too early";
    }
}

bool mgi_decompress(enum compression c, struct str packed, size_t max_bytes, struct buf *out,
                    char why[80])
{
    const char *fault = NULL;
    if (c == COMPRESSION_NONE) {
        if (packed.len > max_bytes)
            fault = too_large;
        else
            mgi_buf_str(out, packed);
        fault = out->oom ? no_memory : fault;
    } else if (packed.len == 0) {
        fault = "it is empty";
    } else if (c == COMPRESSION_GZIP) {
        z_stream z = { .zalloc = zlib_alloc, .zfree = zlib_free };
        fault =
            inflateInit2(&z, GZIP_WINDOW) == Z_OK ? gunzip(&z, packed, max_bytes, out) : no_memory;
        (void)inflateEnd(&z);
    } else {
        ZSTD_DStream *d = ZSTD_createDStream();
        fault = d ? unzstd(d, packed, max_bytes, out) : no_memory;
        (void)ZSTD_freeDStream(d);
    }
    if (fault == too_large)
        snprintf(why, 80, "it holds more than %zu %s%s", max_bytes >> (max_bytes >> 20 ? 20 : 0),
                 max_bytes >> 20 ? "MiB" : "bytes",
                 c == COMPRESSION_NONE ? "" : " when decompressed");
    else if (fault)
        snprintf(why, 80, "%s", fault);
    return !fault;
}

static bool gzip_text(struct str rest, struct buf *out)
{
    z_stream z = { .zalloc = zlib_alloc, .zfree = zlib_free };
    /* no name and no time of the file in the header, so that nothing but the text decides */
    if (deflateInit2(&z, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    int st = Z_OK;
    while (st == Z_OK && mgi_buf_reserve(out, STEP)) {
        feed(&z, &rest);
        z.next_out = (unsigned char *)out->ptr + out->len;
        z.avail_out = (unsigned)STEP;
        st = deflate(&z, rest.len ? Z_NO_FLUSH : Z_FINISH);
        out->len += STEP - z.avail_out;
        out->ptr[out->len] = '\0';
    }
    (void)deflateEnd(&z);
    return st == Z_STREAM_END;
}

static bool zstd_text(struct str text, struct buf *out)
{
    size_t bound = ZSTD_compressBound(text.len);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    bool good =
        context && !ZSTD_isError(bound) && mgi_buf_reserve(out, bound) &&
        !ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, ZSTD_LEVEL)) &&
        !ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1));
    size_t n = good ? ZSTD_compress2(context, out->ptr + out->len, bound, text.ptr, text.len) : 0;
    good = good && !ZSTD_isError(n);
    if (good) {
        out->len += n;
        out->ptr[out->len] = '\0';
    }
    (void)ZSTD_freeCCtx(context);
    return good;
}

bool mgi_compress(enum compression c, struct str text, struct buf *out)
{
    switch (c) {
    case COMPRESSION_GZIP:
        return gzip_text(text, out);
    case COMPRESSION_ZSTD:
        return zstd_text(text, out);
    default:
        mgi_buf_str(out, text);
        return !out->oom;
    }
}
