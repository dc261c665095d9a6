/* What a target is asked to tell: the page in front, its frames, its workers. Nobody waits for the
 * replies; a target that does not know a command says so to nobody. */
#include "live_int.h"

static void order_of(struct live *l, struct str session, const char *method, const char *params)
{
    mgi_talk_tell(l->talk, session, method, str_of(params));
}

/* Of these parts; NULL ends them. */
static void tell_script(struct live *l, struct str session, const char *const *parts)
{
    struct buf text, source;
    struct json_writer w;
    mgi_buf_init(&source);
    for (; *parts; parts++)
        mgi_buf_puts(&source, *parts);
    mgi_buf_init(&text);
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "source", mgi_buf_view(&source));
    mgi_jw_member_bool(&w, "runImmediately", true);
    mgi_jw_end_object(&w);
    if (!text.oom && !source.oom)
        mgi_talk_tell(l->talk, session, "Page.addScriptToEvaluateOnNewDocument",
                      mgi_buf_view(&text));
    mgi_buf_fini(&text);
    mgi_buf_fini(&source);
}

/* Of our own browsers a switch takes care. */
void mgi_live_guard(struct live *l, struct str session)
{
    static const char *const parts[] = { mgi_live_no_detour, NULL };
    if (l->socket.wire.kind)
        tell_script(l, session, parts);
}

void mgi_live_listen(struct live *l, struct str session, bool page)
{
    static const char *const helper[] = {
        mgi_live_helper_means, mgi_live_helper,      mgi_live_helper_deeds,  mgi_live_helper_heads,
        mgi_live_helper_dates, mgi_live_helper_kept, mgi_live_helper_fields, mgi_live_helper_more,
        mgi_live_helper_seen,  mgi_live_helper_work, mgi_live_helper_last,   NULL
    };
    static const struct {
        const char *method, *params;
        bool page_only;
    } all[] = {
        { "Runtime.addBinding", "{\"name\":\"__machina\"}", true },
        { "Page.enable", "", true },
        { "Page.setLifecycleEventsEnabled", "{\"enabled\":true}", true },
        { "Network.enable",
          "{\"maxTotalBufferSize\":33554432,\"maxResourceBufferSize\":8388608,"
          "\"enableDurableMessages\":true}",
          false },
        { "Runtime.enable", "", false },
        { "Runtime.setAsyncCallStackDepth", "{\"maxDepth\":16}", false },
        { "Debugger.enable", "{\"maxScriptsCacheSize\":16777216}", false },
        { "Debugger.setAsyncCallStackDepth", "{\"maxDepth\":16}", false },
        { "Debugger.setPauseOnExceptions", "{\"state\":\"all\"}", false },
        { "Log.enable", "", false },
        { "Audits.enable", "", false },
        { "Inspector.enable", "", false },
        { "Performance.enable", "", true },
        { "Fetch.enable", "{\"patterns\":[{\"urlPattern\":\"*\",\"resourceType\":\"Document\"}]}",
          true },
        { "Page.setInterceptFileChooserDialog", "{\"enabled\":true}", true },
        { "Target.setAutoAttach",
          "{\"autoAttach\":true,\"waitForDebuggerOnStart\":true,\"flatten\":true}", false },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].page_only && !page)
            continue;
        order_of(l, session, all[i].method, all[i].params);
        if (i == 0) {
            mgi_live_guard(l, session);
            tell_script(l, session, helper);
        }
    }
    order_of(l, session, "Runtime.runIfWaitingForDebugger", "");
}
