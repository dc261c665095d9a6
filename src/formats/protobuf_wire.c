/* The wire format of protocol buffers: tags, varints, lengths, and groups to pass over. */
#include "formats/protobuf_int.h"

#define PROTO_MAX_FIELD ((UINT32_C(1) << 29) - 1)

static void wire_skip(struct proto_reader *r, size_t n)
{
    r->rest.ptr += n;
    r->rest.len -= n;
    r->offset += n;
}

const char *mgi_proto_varint(struct proto_reader *r, uint64_t *out)
{
    uint64_t n = 0;
    for (size_t i = 0; i < 10; i++) {
        if (i >= r->rest.len)
            return "the data ends within a number";
        uint8_t byte = (uint8_t)r->rest.ptr[i];
        if (i == 9 && byte > 1)
            return "a number has more than 64 bits";
        n |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (!(byte & 0x80)) {
            wire_skip(r, i + 1);
            *out = n;
            return NULL;
        }
    }
    return "a number has more than ten bytes";
}

const char *mgi_proto_fixed(struct proto_reader *r, int bytes, uint64_t *out)
{
    if (r->rest.len < (size_t)bytes)
        return "the data ends within a number";
    *out = 0;
    for (int i = 0; i < bytes; i++)
        *out |= (uint64_t)(uint8_t)r->rest.ptr[i] << (8 * i);
    wire_skip(r, (size_t)bytes);
    return NULL;
}

static const char *wire_bytes(struct proto_reader *r, struct str *out)
{
    uint64_t len;
    struct proto_reader at = *r;
    const char *wrong = mgi_proto_varint(&at, &len);
    if (wrong)
        return wrong;
    if (len > at.rest.len)
        return "a length goes beyond the end of the data";
    *out = (struct str){ at.rest.ptr, (size_t)len };
    wire_skip(&at, (size_t)len);
    *r = at;
    return NULL;
}

static const char *wire_tag(struct proto_reader *r, struct proto_record *out)
{
    uint64_t tag;
    struct proto_reader at = *r;
    const char *wrong = mgi_proto_varint(&at, &tag);
    if (wrong)
        return wrong;
    if (tag >> 3 == 0 || tag >> 3 > PROTO_MAX_FIELD)
        return "there is no field of that number";
    if ((tag & 7) > PROTO_I32)
        return "there is no such wire type";
    *out = (struct proto_record){ .field = (uint32_t)(tag >> 3),
                                  .wire = (enum proto_wire)(tag & 7),
                                  .offset = r->offset };
    *r = at;
    return NULL;
}

static const char *wire_content(struct proto_reader *r, struct proto_record *out)
{
    const char *wrong = NULL;
    switch (out->wire) {
    case PROTO_VARINT:
        return mgi_proto_varint(r, &out->number);
    case PROTO_I64:
        return mgi_proto_fixed(r, 8, &out->number);
    case PROTO_I32:
        return mgi_proto_fixed(r, 4, &out->number);
    case PROTO_LEN:
        wrong = wire_bytes(r, &out->bytes);
        out->content = r->offset - out->bytes.len;
        return wrong;
    default:
        return NULL;
    }
}

/* Behind the group that `field` began. */
static const char *wire_group(struct proto_reader *r, uint32_t field)
{
    uint32_t open[PROTO_MAX_DEPTH] = { field };
    size_t depth = 1;
    while (depth > 0) {
        struct proto_record record;
        if (r->rest.len == 0)
            return "the data ends within a group";
        struct proto_reader at = *r;
        const char *wrong = wire_tag(r, &record);
        if (!wrong)
            wrong = wire_content(r, &record);
        if (wrong)
            return wrong;
        if (record.wire == PROTO_GROUP_BEGIN) {
            if (depth == PROTO_MAX_DEPTH) {
                *r = at;
                return "groups are nested too deep";
            }
            open[depth++] = record.field;
        } else if (record.wire == PROTO_GROUP_END && open[--depth] != record.field) {
            *r = at;
            return "a group ends that was not begun";
        }
    }
    return NULL;
}

const char *mgi_proto_next(struct proto_reader *r, struct proto_record *out)
{
    struct proto_reader at = *r;
    const char *wrong = wire_tag(r, out);
    if (!wrong && out->wire == PROTO_GROUP_END) {
        *r = at;
        return "a group ends that was not begun";
    }
    if (!wrong)
        wrong = out->wire == PROTO_GROUP_BEGIN ? wire_group(r, out->field) : wire_content(r, out);
    return wrong;
}
