/* Reports of progress, from the worker to the control channel (T-ABI-20, T-MCP-31): see host.h. The
 * first one goes on at once, later ones every PROGRESS_GAP_MS; of those in between the latest one
 * counts, and it is not lost when the call ends. */
#include "toolhost/host.h"

#include <math.h>
#include <string.h>

#include "base/json.h"

void mgi_reports_begin(struct host *h, const struct call *call)
{
    h->reports = (struct reports){ .wanted = call->progress, .aid = call->tool->aid };
}

bool mgi_reports_take(struct host *h, struct frame *f)
{
    struct reports *r = &h->reports;
    uint64_t number = mgi_frame_get_u64(f), bits = mgi_frame_get_u64(f);
    struct str detail = mgi_frame_get_str(f);
    double percent;
    memcpy(&percent, &bits, sizeof percent);
    if (!mgi_frame_is_done(f) || !r->wanted || number != h->calls ||
        detail.len > MAX_DETAIL_BYTES || !(percent <= 100))
        return false;
    r->pending = true;
    r->percent = percent;
    r->detail_len = detail.len;
    memcpy(r->detail, detail.ptr, detail.len);
    mgi_reports_flush(h, false);
    return true;
}

/* {"event":"progress","request_id":…,"aid":…,"percent":40,"detail":"…"}; without percent if that is
 * unknown. The writer makes valid UTF-8 of any detail. */
static void write_event(struct host *h)
{
    struct reports *r = &h->reports;
    struct control *c = &h->control;
    struct json_writer w;
    size_t begun = c->out.len;
    mgi_json_writer_init(&w, &c->out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "event", "progress");
    if (h->calling_id.len)
        mgi_jw_member_str(&w, "request_id", h->calling_id);
    mgi_jw_member_str(&w, "aid", r->aid);
    if (r->percent >= 0) {
        mgi_jw_key(&w, "percent");
        if (r->percent == floor(r->percent))
            mgi_jw_int(&w, (int64_t)r->percent);
        else
            mgi_jw_float(&w, r->percent);
    }
    mgi_jw_member_str(&w, "detail", (struct str){ r->detail, r->detail_len });
    mgi_jw_end_object(&w);
    mgi_buf_putc(&c->out, '\n');
    if (c->out.oom) { /* an event may be dropped; what stands before it may not */
        c->out.oom = false;
        c->out.len = begun;
    }
}

void mgi_reports_flush(struct host *h, bool over)
{
    struct reports *r = &h->reports;
    struct control *c = &h->control;
    int64_t now = mgi_now_ms();
    if (!r->pending || (!over && now < r->next_ms))
        return;
    r->pending = false;
    r->next_ms = now + PROGRESS_GAP_MS;
    if (c->fd < 0 || c->out.oom || c->out.len - c->sent > MAX_EVENT_BACKLOG)
        return; /* T-REQ-8: it does not fit */
    write_event(h);
    mgi_host_send_control(h);
}

int64_t mgi_reports_until(const struct host *h, int64_t until_ms)
{
    const struct reports *r = &h->reports;
    return r->pending && r->next_ms < until_ms ? r->next_ms : until_ms;
}
