/* What all kinds of stream have in common: the rules of stream.h about events. */
#include "net/stream_int.h"

#include <assert.h>

void mgi_stream_own(struct stream *s, const struct stream_events *events, void *owner)
{
    s->events = events;
    s->owner = owner;
}

void mgi_stream_pause(struct stream *s)
{
    if (s->paused || s->closed)
        return;
    s->paused = true;
    if (!s->ended)
        s->ops->pause(s);
}

void mgi_stream_resume(struct stream *s)
{
    if (!s->paused || s->closed)
        return;
    s->paused = false;
    if (!s->ended)
        s->ops->resume(s);
}

bool mgi_stream_write(struct stream *s, const struct str *parts, size_t count)
{
    return !s->closed && s->ops->write(s, parts, count);
}

size_t mgi_stream_queued(const struct stream *s)
{
    return s->closed ? 0 : s->ops->queued(s);
}

void mgi_stream_shutdown(struct stream *s)
{
    if (!s->closed)
        s->ops->shutdown(s);
}

void mgi_stream_close(struct stream *s)
{
    if (s->closed)
        return;
    s->closed = true;
    s->ops->close(s);
}

bool mgi_stream_peer_gone(const struct stream *s)
{
    return s->closed || s->ended || s->ops->peer_gone(s);
}

bool mgi_stream_has_bytes(const struct stream *s)
{
    return !s->closed && !s->ended && s->ops->has_bytes(s);
}

void mgi_stream_place(const struct stream *s, char out[STREAM_PLACE_BYTES])
{
    out[0] = '\0';
    if (s->ops->place && !s->closed)
        s->ops->place(s, out);
}

const struct stream_tls *mgi_stream_tls(const struct stream *s)
{
    return s->ops->tls ? s->ops->tls(s) : NULL;
}

struct net *mgi_stream_net(const struct stream *s)
{
    return s->net;
}

struct net_group *mgi_stream_group(const struct stream *s)
{
    return s->group;
}

/* ---- for the kinds ----------------------------------------------------------------------- */

void mgi_stream_deliver(struct stream *s, struct str bytes)
{
    assert(!s->paused && !s->ended && bytes.len > 0);
    if (!s->closed)
        s->events->bytes(s->owner, bytes);
}

void mgi_stream_deliver_drained(struct stream *s)
{
    if (!s->closed && s->events->drained)
        s->events->drained(s->owner);
}

/* True: they came until now. */
static bool no_more_bytes(struct stream *s)
{
    if (s->ended)
        return false;
    if (!s->paused)
        s->ops->pause(s);
    s->ended = true;
    return true;
}

void mgi_stream_deliver_end(struct stream *s)
{
    if (!s->closed && no_more_bytes(s))
        s->events->ended(s->owner);
}

void mgi_stream_deliver_failure(struct stream *s, enum stream_fault why)
{
    if (s->closed || s->failed)
        return;
    (void)no_more_bytes(s);
    s->failed = true;
    s->events->failed(s->owner, why);
}

void mgi_stream_deliver_closed(struct stream *s)
{
    assert(s->closed); /* whoever has freed itself hears nothing more: the kind frees `s` now */
    s->events->closed(s->owner);
}
