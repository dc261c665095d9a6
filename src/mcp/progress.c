/* What is said while a call runs: progress, signs of life, log messages; all bounded in rate. */
#include <math.h>

#include "mcp/server_int.h"

static int64_t peer_now(const struct mcp_peer *p)
{
    return p->o.now_ms(p->o.context);
}

/* ---- progress ------------------------------------------------------------------------------- */

static void write_number(struct json_writer *w, const char *name, double n)
{
    mgi_jw_key(w, name);
    if (n == floor(n) && fabs(n) < 9007199254740992.0)
        mgi_jw_int(w, (int64_t)n);
    else
        mgi_jw_float(w, n);
}

static void write_progress(struct buf *out, const struct mcp_call *c, double progress, double total,
                           struct str message)
{
    struct json_writer w;
    mgi_rpc_begin(&w, out, NULL, "notifications/progress");
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "progressToken");
    mgi_rpc_id_write(&w, &c->token);
    write_number(&w, "progress", progress);
    if (isfinite(total) && total > 0)
        write_number(&w, "total", total);
    if (message.len > 0 && mgi_mcp_features(c->revision)->progress_message)
        mgi_jw_member_str(&w, "message", message);
    mgi_jw_end_object(&w);
    mgi_rpc_end(&w);
}

bool mgi_mcp_wants_progress(const struct mcp_call *c)
{
    return c->token.kind != RPC_NO_ID && c->peer && !c->cancelled && !c->gone && !c->route.quiet;
}

void mgi_mcp_progress(struct mcp_call *c, double progress, double total, struct str message)
{
    bool grows = c->has_progress ? progress > c->progress : true;
    if (!mgi_mcp_wants_progress(c) || !grows || !isfinite(progress))
        return;
    mgi_buf_clear(&c->pending);
    c->pending.limit = MCP_WRITE_BYTES;
    write_progress(&c->pending, c, progress, total, message);
    if (c->pending.oom)
        mgi_buf_fini(&c->pending);
    c->has_progress = true;
    c->progress = progress;
    mgi_mcp_tick_progress(c, peer_now(c->peer));
}

void mgi_mcp_tick_progress(struct mcp_call *c, int64_t now_ms)
{
    if (c->pending.len == 0 || now_ms < c->progress_due_ms)
        return;
    c->progress_due_ms = now_ms + MCP_PROGRESS_MS;
    mgi_mcp_send_related(c, mgi_buf_view(&c->pending));
    mgi_buf_clear(&c->pending);
}

/* A little further than before, so that clients that count progress wait on (X-ELIC-10). */
void mgi_mcp_beat(struct mcp_call *c)
{
    mgi_mcp_progress(c, c->progress + 0.001, 0, STR_LIT("waiting for an answer"));
}

/* ---- log ------------------------------------------------------------------------------------ */

static void write_log(struct buf *out, enum mcp_level level, struct str logger, struct str data)
{
    struct json_writer w;
    mgi_rpc_begin(&w, out, NULL, "notifications/message");
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "level", mgi_mcp_level_name(level));
    if (logger.len > 0)
        mgi_jw_member_str(&w, "logger", logger);
    mgi_jw_key(&w, "data");
    mgi_mcp_put_json(&w, data);
    mgi_jw_end_object(&w);
    mgi_rpc_end(&w);
}

/* c NULL: to no call. */
static void send_log(struct mcp_peer *p, struct mcp_call *c, enum mcp_level level,
                     struct str logger, struct str data)
{
    struct buf out = { .limit = MCP_WRITE_BYTES };
    write_log(&out, level, logger, data);
    if (!out.oom && c)
        mgi_mcp_send_related(c, mgi_buf_view(&out));
    else if (!out.oom)
        mgi_mcp_send_alone(p, mgi_buf_view(&out));
    mgi_buf_fini(&out);
}

/* May another one be sent in this second? How many were left out is told with the first of the
 * next, on the same way and at its level, which somebody wants to hear. */
static bool take_log_place(struct mcp_peer *p, struct mcp_call *c, enum mcp_level level)
{
    int64_t second = peer_now(p) / 1000;
    if (second != p->log_second) {
        unsigned left_out = p->unlogged;
        p->log_second = second;
        p->logged = p->unlogged = 0;
        if (left_out > 0) {
            struct buf data = { 0 };
            mgi_buf_printf(&data, "\"%u messages were left out\"", left_out);
            if (!data.oom)
                send_log(p, c, level, (struct str){ 0 }, mgi_buf_view(&data));
            mgi_buf_fini(&data);
        }
    }
    if (p->logged >= MCP_LOG_A_SECOND) {
        p->unlogged++;
        return false;
    }
    p->logged++;
    return true;
}

bool mgi_mcp_logs_at(const struct mcp_call *c, enum mcp_level level)
{
    if (!c->peer || c->cancelled || c->gone || c->route.quiet || !c->peer->server->d.logs)
        return false;
    enum mcp_level least = mgi_mcp_features(c->revision)->modern ? c->level : c->peer->level;
    return least != MCP_NO_LEVEL && level >= least;
}

void mgi_mcp_log(struct mcp_call *c, enum mcp_level level, struct str logger, struct str data)
{
    if (mgi_mcp_logs_at(c, level) && take_log_place(c->peer, c, level))
        send_log(c->peer, c, level, logger, data);
}

void mgi_mcp_peer_log(struct mcp_peer *p, enum mcp_level level, struct str logger, struct str data)
{
    if (p->state != PEER_NEW && p->server->d.logs && level >= p->level &&
        take_log_place(p, NULL, level))
        send_log(p, NULL, level, logger, data);
}
