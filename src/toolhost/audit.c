/* The audit log: see audit.h. */
#include "toolhost/audit.h"

#include <errno.h>
#include <string.h>

#include "base/encode.h"
#include "base/time.h"
#include "sys/clock.h"
#include "sys/random.h"

#define SPEC_VERSION     "1.4.2" /* toolhost.md 0.1 */
#define PROFILE_ID       "A"
#define FIXED_RUN_ID     "00000000000000000000000000000001" /* T-RUN-2 */
#define COMPLAINT_GAP_NS (60 * NS_PER_SEC)

bool mgi_audit_init(struct audit *a, const struct settings *settings, const struct logger *log)
{
    uint8_t id[16];
    *a = (struct audit){ .log = log };
    mgi_audit_file_init(&a->file, settings->audit_path, settings->audit_flush);
    if (!settings->audit_path)
        return true;
    a->on = true;
    a->required = settings->audit_required;
    memcpy(a->run_id, FIXED_RUN_ID, sizeof a->run_id);
    if (settings->fixed_run_id)
        return true;
    if (!mgi_random(id, sizeof id))
        return false;
    mgi_hex(id, sizeof id, a->run_id);
    return true;
}

void mgi_audit_fini(struct audit *a)
{
    mgi_audit_file_fini(&a->file);
    mgi_buf_fini(&a->text);
}

/* Members in the order of their names: event, payload, profile_id, request_id, run_id,
 * spec_version, step, ts. The chain, which audit_file.c puts in front, comes before them all. */
struct json_writer *mgi_audit_begin(struct audit *a, const char *event)
{
    if (!a->on)
        return NULL;
    mgi_buf_clear(&a->text);
    mgi_json_writer_init(&a->w, &a->text, 0);
    mgi_jw_begin_object(&a->w);
    mgi_jw_member_cstr(&a->w, "event", event);
    mgi_jw_key(&a->w, "payload");
    mgi_jw_begin_object(&a->w);
    return &a->w;
}

static void complain(struct audit *a, const char *why)
{
    int64_t now = mgi_clock_mono_ns();
    a->broken = true;
    if (a->complained_ns && now - a->complained_ns < COMPLAINT_GAP_NS)
        return;
    a->complained_ns = now;
    mgi_log(a->log, LOG_ERROR, "the audit log cannot be written: %s", why);
}

void mgi_audit_end(struct audit *a)
{
    struct json_writer *w = &a->w;
    struct buf ts = { 0 };
    int64_t now_ns = mgi_clock_real_ns();
    mgi_jw_end_object(w);
    mgi_jw_member_cstr(w, "profile_id", PROFILE_ID);
    if (a->about.request_id.len)
        mgi_jw_member_str(w, "request_id", a->about.request_id);
    mgi_jw_member_str(w, "run_id", a->about.run_id.len ? a->about.run_id : str_of(a->run_id));
    mgi_jw_member_cstr(w, "spec_version", SPEC_VERSION);
    mgi_jw_member_int(w, "step", a->about.step);
    mgi_time_print(&ts, now_ns / NS_PER_SEC * NS_PER_SEC);
    mgi_jw_member_str(w, "ts", mgi_buf_view(&ts));
    mgi_jw_end_object(w);
    bool whole = !a->text.oom && !ts.oom;
    mgi_buf_fini(&ts);
    if (!whole)
        complain(a, "out of memory");
    else if (!mgi_audit_file_append(&a->file, mgi_buf_view(&a->text), now_ns / NS_PER_MS))
        complain(a, strerror(errno));
    else
        a->broken = false;
}

bool mgi_audit_forbids(const struct audit *a, int tier)
{
    return a->on && a->required && a->broken && tier > 0;
}
