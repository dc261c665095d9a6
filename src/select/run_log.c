/* The run log: see run_log.h. */
#include "select/run_log.h"

#include "base/encode.h"
#include "base/time.h"
#include "sys/digest.h"

void mgi_run_log_init(struct run_log *log, struct str run_id, struct str request_id,
                      const char *prev)
{
    *log = (struct run_log){ .run_id = run_id, .request_id = request_id };
    if (prev)
        memcpy(log->prev, prev, sizeof log->prev - 1);
    else
        memset(log->prev, '0', sizeof log->prev - 1);
}

/* The record without its chain members, which come first: sorted by name at every level. */
static void write_record(const struct run_log *log, struct buf *out,
                         const struct select_event *event, int64_t now_ns)
{
    struct json_writer w;
    char ts[TIME_TEXT_BYTES];
    int64_t second = now_ns - now_ns % NS_PER_SEC;
    size_t len = mgi_time_format(ts, second);
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "event", event->name);
    mgi_jw_key(&w, "payload");
    mgi_jw_raw(&w, event->payload);
    mgi_jw_member_cstr(&w, "profile_id", "A");
    if (log->request_id.len > 0)
        mgi_jw_member_str(&w, "request_id", log->request_id);
    mgi_jw_member_str(&w, "run_id", log->run_id);
    mgi_jw_member_cstr(&w, "spec_version", "1.4.2");
    mgi_jw_member_int(&w, "step", event->step);
    mgi_jw_member_str(&w, "ts", (struct str){ ts, len });
    mgi_jw_end_object(&w);
}

bool mgi_run_log_line(struct run_log *log, struct buf *out, const struct select_event *event,
                      int64_t now_ns)
{
    struct buf record = { 0 };
    uint8_t sum[SHA256_BYTES];
    char hash[65];
    write_record(log, &record, event, now_ns);
    struct sha256 *h = record.oom ? NULL : mgi_sha256_new();
    bool made = false;
    if (h) {
        mgi_sha256_add(h, log->prev, 64);
        mgi_sha256_add(h, record.ptr, record.len);
        made = mgi_sha256_end(h, sum);
    }
    if (made) {
        mgi_hex(sum, sizeof sum, hash);
        mgi_buf_printf(out, "{\"chain_hash\":\"%s\",\"chain_prev\":\"%s\",", hash, log->prev);
        mgi_buf_append(out, record.ptr + 1, record.len - 1);
        mgi_buf_putc(out, '\n');
        made = !out->oom;
    }
    mgi_buf_fini(&record);
    if (made)
        memcpy(log->prev, hash, sizeof hash);
    return made;
}
