/* Pictures and documents that the browser makes, as files: what is large stays with the host, a
 * client is told where. */
#include "act.h"
#include "live_int.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base64.h"

#define NAMES_TRIED 1000

static bool write_all(int fd, struct str bytes)
{
    while (bytes.len > 0) {
        ssize_t n = write(fd, bytes.ptr, bytes.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes.ptr += n;
        bytes.len -= (size_t)n;
    }
    return true;
}

static const char *folder_of_files(struct job *job)
{
    struct str folder = mgi_live_settings()->folder;
    if (folder.len == 0)
        return mgi_live.folder.path;
    char *path = mgi_arena_printf(job->arena, "%.*s", STR_ARG(folder));
    if (path)
        (void)mkdir(path, 0700); /* it may be there; if it cannot be made, opening says why */
    return path;
}

bool mgi_act_file(struct job *job, const char *stem, const char *suffix, struct str bytes,
                  const char **path)
{
    const char *folder = folder_of_files(job);
    int fd = -1;
    for (int i = 1; folder && i <= NAMES_TRIED; i++) {
        *path = mgi_arena_printf(job->arena, "%s/%s-%d%s", folder, stem, i, suffix);
        if (!*path)
            return mgi_job_no_memory(job);
        fd = open(*path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    if (fd < 0)
        return mgi_job_fail(job, "no file could be made in the folder of recordings: %s",
                            strerror(errno));
    bool good = write_all(fd, bytes);
    good = close(fd) == 0 && good;
    if (!good)
        (void)unlink(*path);
    return good || mgi_job_fail(job, "the file could not be written: %s", strerror(errno));
}

void mgi_act_say_kept(struct job *job)
{
    if (mgi_live_settings()->folder.len == 0)
        mgi_jw_member_cstr(&job->out, "note",
                           "what is written goes with the browser, which ends with this server (a "
                           "command that stands alone is one): to keep it, set `recordings` to a "
                           "folder");
}

/* ---- base64 ---------------------------------------------------------------------------------- */

static bool decode(struct job *job, struct str text, struct str *bytes)
{
    char *out = mgi_arena_alloc(job->arena, text.len / 4 * 3 + 3);
    size_t len, at;
    if (!out)
        return mgi_job_no_memory(job);
    const char *why = mgi_base64_decode(text, out, &len, &at);
    if (why)
        return mgi_job_fail(job, "the browser's file is not base64: %s at %zu", why, at);
    *bytes = (struct str){ out, len };
    return true;
}

/* ---- actions --------------------------------------------------------------------------------- */

static bool take_file(struct job *job, const char *method, struct str params, const char *stem,
                      const char *suffix, struct str *base64, struct str *bytes)
{
    struct json answer;
    const char *path;
    if (!mgi_live_call(job, method, params, &answer))
        return false;
    *base64 = mgi_member_string(&answer, "data");
    if (!decode(job, *base64, bytes) || !mgi_act_file(job, stem, suffix, *bytes, &path))
        return false;
    mgi_jw_member_cstr(&job->out, "path", path);
    mgi_jw_member_int(&job->out, "bytes", (int64_t)bytes->len);
    mgi_act_say_kept(job);
    return true;
}

static uint32_t png_number(struct str png, size_t at)
{
    const unsigned char *b = (const unsigned char *)png.ptr + at;
    return png.len < at + 4
               ? 0
               : (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* A picture of the page's view, of all of it, or of one element. */
static struct str picture_params(struct job *job, bool *good)
{
    struct json box;
    struct str target;
    bool whole = false;
    *good = mgi_job_boolean(job, "whole", &whole);
    if (*good && (mgi_act_argument(job, "ref") || mgi_act_argument(job, "target"))) {
        char *args = mgi_act_target(job, &target)
                         ? mgi_arena_printf(job->arena, "[%.*s]", STR_ARG(target))
                         : NULL;
        *good = args && mgi_act_script(job, "sizeOf", str_of(args), &box);
        if (!*good)
            return STR_LIT("");
        const char *n = mgi_arena_printf(
            job->arena,
            "{\"format\":\"png\",\"captureBeyondViewport\":true,\"clip\":{%.*s,\"scale\":1}}",
            (int)(box.text.len > 2 ? box.text.len - 2 : 0), box.text.ptr + 1);
        return str_of(n ? n : "{}");
    }
    return whole ? STR_LIT("{\"format\":\"png\",\"captureBeyondViewport\":true}")
                 : STR_LIT("{\"format\":\"png\"}");
}

#define DATA_MOST (512u * 1024)

bool mgi_act_screenshot(struct job *job)
{
    struct str base64, png;
    bool with_data = false, good;
    if (!mgi_act_live(job) || !mgi_job_boolean(job, "include_data", &with_data))
        return false;
    struct str params = picture_params(job, &good);
    if (!good ||
        !take_file(job, "Page.captureScreenshot", params, "screenshot", ".png", &base64, &png))
        return false;
    mgi_jw_member_cstr(&job->out, "media_type", "image/png");
    mgi_jw_member_int(&job->out, "width", png_number(png, 16));
    mgi_jw_member_int(&job->out, "height", png_number(png, 20));
    if (with_data && png.len > DATA_MOST)
        mgi_jw_member_cstr(&job->out, "data_left_out", "it is too large to be handed over");
    else if (with_data)
        mgi_jw_member_str(&job->out, "data", base64);
    mgi_jw_member_cstr(&job->out, "summary",
                       mgi_arena_printf(job->arena, "a picture of %u by %u", png_number(png, 16),
                                        png_number(png, 20)));
    return true;
}

static bool save_pdf(struct job *job)
{
    struct str base64, pdf;
    bool landscape = false;
    if (!mgi_job_boolean(job, "landscape", &landscape) || !mgi_act_live(job))
        return false;
    return take_file(job, "Page.printToPDF",
                     landscape ? STR_LIT("{\"landscape\":true,\"printBackground\":true}")
                               : STR_LIT("{\"printBackground\":true}"),
                     "page", ".pdf", &base64, &pdf);
}

/* ---- what the page keeps --------------------------------------------------------------------- */

static bool want(struct job *job, const char *name, struct str *text)
{
    return mgi_job_string(job, name, text) &&
           (text->len > 0 || mgi_job_fail(job, "%s is missing", name));
}

static bool set_cookie(struct job *job)
{
    struct act_before before;
    struct act_json j;
    struct json answer;
    struct str name = { 0 }, value = { "", 0 };
    if (!want(job, "key", &name) || !mgi_job_string(job, "value", &value) ||
        !mgi_act_begin(job, &before))
        return false;
    mgi_act_json_begin(&j);
    mgi_jw_begin_object(&j.w);
    mgi_jw_member_str(&j.w, "name", name);
    mgi_jw_member_str(&j.w, "value", value);
    mgi_jw_member_str(&j.w, "url", mgi_member_string(&before.state, "url"));
    mgi_jw_end_object(&j.w);
    if (!mgi_live_call(job, "Network.setCookie", mgi_act_json_end(&j, job), &answer))
        return false;
    return mgi_act_done(job, &before, "set a cookie of this page");
}

static bool set_storage(struct job *job)
{
    struct act_before before;
    struct act_json j;
    struct json done;
    struct str key = { 0 }, area = STR_LIT("local");
    if (!want(job, "key", &key) || !mgi_job_string(job, "area", &area) ||
        !mgi_act_begin(job, &before))
        return false;
    const struct json *value = mgi_act_argument(job, "value");
    if (value && value->type != JSON_STRING)
        return mgi_job_fail(job, "value is a text; without it the key is removed");
    mgi_act_json_begin(&j);
    mgi_jw_begin_array(&j.w);
    mgi_jw_string(&j.w, area);
    mgi_jw_string(&j.w, key);
    if (value)
        mgi_jw_string(&j.w, value->string);
    else
        mgi_jw_null(&j.w);
    mgi_jw_end_array(&j.w);
    return mgi_act_script(job, "store", mgi_act_json_end(&j, job), &done) &&
           mgi_act_done(job, &before,
                        value ? "set a key of the storage" : "removed a key of the storage");
}

static bool clear_site(struct job *job)
{
    struct act_before before;
    struct json ignored;
    struct str what = STR_LIT("all");
    if (!mgi_job_string(job, "what", &what) || !mgi_act_begin(job, &before))
        return false;
    const char *types = str_is(what, "all")       ? "all"
                        : str_is(what, "cookies") ? "cookies"
                        : str_is(what, "storage")
                            ? "local_storage,indexeddb,cache_storage,service_workers"
                            : NULL;
    if (!types)
        return mgi_job_fail(job, "what is all, cookies or storage");
    char *params =
        mgi_arena_printf(job->arena, "{\"origin\":\"%.*s\",\"storageTypes\":\"%s\"}",
                         STR_ARG(mgi_url_origin(mgi_member_string(&before.state, "url"))), types);
    if (!params || !mgi_live_call(job, "Storage.clearDataForOrigin", str_of(params), &ignored))
        return false;
    if (types[0] != 'c' && !mgi_act_script(job, "wipe", STR_LIT("[\"session\"]"), &ignored))
        return false;
    return mgi_act_done(job, &before, "cleared what the site keeps");
}

/* ---- dialogs, requests ----------------------------------------------------------------------- */

/* Dialogs are answered at once, or the page would hang: what is said here is for those to come. */
static bool answer_dialogs(struct job *job)
{
    bool accept = false;
    struct str text = { "", 0 };
    if (!mgi_job_boolean(job, "accept", &accept) || !mgi_job_string(job, "text", &text) ||
        !mgi_act_live(job))
        return false;
    if (!mgi_live_dialogs(accept, text))
        return mgi_job_fail(job, "the answer to prompts is too long");
    mgi_act_note(job, accept ? "accept_dialogs" : "dismiss_dialogs", STR_LIT("null"), text, false);
    mgi_jw_member_bool(&job->out, "performed", true);
    mgi_jw_member_cstr(&job->out, "did",
                       accept ? "dialogs to come are accepted" : "dialogs to come are dismissed");
    return true;
}

#define PATTERNS_MOST 50

static bool block(struct job *job, const struct json *patterns)
{
    struct json ignored;
    if (patterns && (patterns->type != JSON_ARRAY || patterns->count > PATTERNS_MOST))
        return mgi_job_fail(job, "patterns is a list of at most %d addresses, * for anything",
                            PATTERNS_MOST);
    for (uint32_t i = 0; patterns && i < patterns->count; i++)
        if (patterns->items[i].type != JSON_STRING)
            return mgi_job_fail(job, "patterns is a list of texts");
    char *params = mgi_arena_printf(job->arena, "{\"urls\":%.*s}",
                                    STR_ARG(patterns ? patterns->text : STR_LIT("[]")));
    return params && mgi_live_call(job, "Network.setBlockedURLs", str_of(params), &ignored);
}

/* Both lists take the place of those before: without any, everything is let through. */
static bool intercept(struct job *job)
{
    const struct json *patterns = mgi_act_argument(job, "patterns");
    const struct json *mocks = mgi_act_argument(job, "mocks");
    if (!mgi_act_live(job) || !block(job, patterns) || !mgi_act_mock(job))
        return false;
    if (patterns)
        mgi_act_note(job, "block", STR_LIT("null"), patterns->text, false);
    mgi_jw_member_bool(&job->out, "performed", true);
    mgi_jw_member_cstr(&job->out, "did",
                       mgi_arena_printf(job->arena, "blocking %u patterns, answering for %u",
                                        patterns ? patterns->count : 0, mocks ? mocks->count : 0));
    return true;
}

/* The same for both, as they stand in one menu. */
#define INPUT_KEPT                                                                                 \
    "\"area\":{\"type\":\"string\"},\"key\":{\"type\":\"string\"},\"value\":{\"type\":"            \
    "\"string\"}"

static const struct browser_action act_state_actions[] = {
    { "AID.BROWSER.SCREENSHOT.v1", "take_screenshot",
      "A picture of the page or of an element, as a file.", "browser.screenshot", "none",
      INPUT_TARGET ",\"whole\":{\"type\":\"boolean\"},\"include_data\":{\"type\":\"boolean\"}",
      mgi_act_screenshot },
    { "AID.BROWSER.PDF.v1", "save_pdf", "The page as a PDF file.", "browser.screenshot", "none",
      "\"landscape\":{\"type\":\"boolean\"}", save_pdf },
    { "AID.BROWSER.COOKIE_SET.v1", "set_cookie", "Sets a cookie of the page.", "browser.act",
      "browser", INPUT_KEPT, set_cookie },
    { "AID.BROWSER.STORAGE_SET.v1", "set_storage", "Sets or removes a key of the page's storage.",
      "browser.act", "browser", INPUT_KEPT, set_storage },
    { "AID.BROWSER.SITE_CLEAR.v1", "clear_site", "Clears what the page's site keeps.",
      "browser.act", "browser", "\"what\":{\"type\":\"string\"}", clear_site },
    { "AID.BROWSER.DIALOGS.v1", "answer_dialogs", "How dialogs to come are answered.",
      "browser.act", "browser", "\"accept\":{\"type\":\"boolean\"},\"text\":{\"type\":\"string\"}",
      answer_dialogs },
    { "AID.BROWSER.INTERCEPT.v1", "intercept_requests",
      "Blocks requests by patterns of their addresses, or answers them itself.", "browser.act",
      "browser",
      "\"patterns\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"mocks\":{"
      "\"type\":\"array\",\"items\":{\"type\":\"object\"}}",
      intercept },
};
const struct browser_actions mgi_act_state_actions = {
    act_state_actions, sizeof act_state_actions / sizeof act_state_actions[0]
};
