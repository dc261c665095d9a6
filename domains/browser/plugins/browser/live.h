/* A live page: a browser that this worker started or attached itself to, one page of it in front,
 * and the trace of what it says.
 *
 * The browser is spoken to in DevTools messages (talk.h); a thread of the plugin reads them,
 * puts events into the trace and wakes who waits for a reply. It is started at the first need, is
 * kept across calls (toolhost's extension processes.v1) and ends with the worker. It has a profile
 * of its own in a private folder, which is removed with it.
 *
 * Where the operator names a browser that runs (setting `attach`), that one is connected to: the
 * page is one of our own, in a browser context of our own, which is disposed of at the end and
 * whenever the connection breaks. Other tabs are neither touched nor told of, and the browser goes
 * on.
 *
 * Whether a job is live is the operator's word: the plugin's setting `page` (config.v1). Empty: the
 * argument `capture` names a recording. Everything here is called on the worker's thread and ends
 * at the call's deadline or when it is cancelled. */
#ifndef BROWSER_LIVE_H
#define BROWSER_LIVE_H

#include "browser.h"

/* What the operator said: settings of the plugin's entry in domain.yaml. */
struct live_settings {
    struct str page;    /* opened at first; empty: there is no live page, jobs read recordings */
    struct str allow;   /* hosts or origins, separated by spaces: may be opened and may be internal.
                         * The host of `page` is allowed as if it stood here. Empty, and `page` is on
                         * this machine: the page may ask other ports of it, too */
    struct str program; /* the browser; empty: chromium-headless-shell, chromium ... from PATH */
    struct str attach;  /* where the DevTools of one that runs are; empty: one is started */
    struct str folder;  /* profiles, downloads and screenshots go into folders in here */
    bool headed;        /* a window for a person to watch */
};

/* At init, from the host's config.v1; and at fini, which ends everything. False: the settings are
 * no JSON, or memory is short. */
bool mgi_live_configure(const th_host *host);
void mgi_live_fini(void);

const struct live_settings *mgi_live_settings(void);
bool mgi_is_live(const struct job *job);

/* The browser runs and a page is in front; the first call opens settings->page and waits until it
 * has settled. False: the job has failed, and its error says what to do (install chromium, allow
 * the host). */
bool mgi_live_open(struct job *job);

/* The same, but whether that page still answers shows with the first command to it. */
bool mgi_live_open_doubted(struct job *job);

/* The same, with the page of `url` in front, opened now and not from the cache; what was seen
 * before is forgotten. An address that cannot be opened is no failure of the job: the trace tells
 * of it. */
bool mgi_live_open_anew(struct job *job, struct str url);

/* What was kept of earlier answers is gone, and the page comes as to somebody who opens it for the
 * first time: its servers are asked, as they are by any browser. What it keeps by itself (storage,
 * cookies, service workers) stays. */
void mgi_live_forget_cache(struct job *job);

/* The page in front; or anew that which the argument `open` names, where nobody has to be asked
 * about it: among the hosts that the operator allows. */
bool mgi_live_open_asked(struct job *job);

/* One DevTools command to the page in front. `params` is a JSON object or empty. *result lives in
 * the job's arena. False: the job has failed with the browser's words. */
bool mgi_live_call(struct job *job, const char *method, struct str params, struct json *result);

/* Run `function`, JavaScript source of a function, in the page but in a world of its own, with
 * `args` (a JSON array). *result is what it returned, by value. A promise is awaited. */
bool mgi_live_run(struct job *job, const char *function, struct str args, struct json *result);

/* What to wait for. All conditions are events or are evaluated in the page when it changes; nothing
 * sleeps. */
enum wait_kind {
    WAIT_SETTLED,  /* loaded, no request for data under way and no DOM change for `quiet_ms` */
    WAIT_SELECTOR, /* an element that matches `text` is visible */
    WAIT_GONE,     /* none is */
    WAIT_TEXT,     /* the page shows `text` */
    WAIT_URL,      /* the address contains `text` */
    WAIT_RESPONSE, /* a request whose address contains `text` was answered after the call began */
    WAIT_CONSOLE,  /* a message that contains `text` came after the call began */
    WAIT_FUNCTION  /* the JavaScript function `text` returns true */
};
/* *met false: the time was over first, which is no failure of the job. */
bool mgi_live_wait(struct job *job, enum wait_kind kind, struct str text, int64_t quiet_ms,
                   int64_t most_ms, bool *met);

/* Open an address in front; refuses other schemes than http and https, internal addresses that are
 * not allowed, and waits until it settled. *reason: why there is no page (the browser's words),
 * NULL if there is one. */
bool mgi_live_navigate(struct job *job, struct str url, const char **reason);

/* Gather what has to be asked for (bodies, state, counters, storage, sources at errors) into the
 * trace, then fill job->capture from it. */
bool mgi_live_observe(struct job *job);

/* Count what grows in a page that leaks, into the trace; mgi_live_navigate() and
 * mgi_live_observe() do so, too. False: the page does not answer. */
bool mgi_live_sample(struct job *job);

/* A file of a capture, made of the live page: "dom.json", "storage.json", "performance.json" in the
 * format of captures/README.md. */
bool mgi_live_file(struct job *job, const char *name, struct str *text);

/* Top-level navigations that nobody asked for stay among the hosts that are allowed, were opened by
 * mgi_live_navigate(), or are those of the page in front. This lets the page go to the host of
 * `url`, too, because the operator or a consent said so. */
void mgi_live_permit(struct str url);

/* Where the page wanted to go and was not let since this was asked last; false: nowhere. */
bool mgi_live_refused(struct job *job, struct str *url);

/* Dialogs are answered at once, because a page stands still behind one: dismissed, unless this says
 * to accept them; then `text` is what a prompt gets. How often they came is in the trace. */
bool mgi_live_dialogs(bool accept, struct str text);

/* What the page has downloaded, into a folder of its own. */
struct live_download {
    struct str name, url; /* as the page calls it */
    const char *path;     /* where it is; the name there is not the page's choice */
    int64_t bytes;
    const char *state; /* inProgress, completed, canceled; refused: it would be too many or large */
};
/* At most LIVE_DOWNLOADS of them, in the job's arena; *more (may be NULL) were refused besides. */
#define LIVE_DOWNLOADS      20
#define LIVE_DOWNLOAD_BYTES (64 * 1024 * 1024) /* all together */
size_t mgi_live_downloads(struct job *job, const struct live_download **list, size_t *more);

/* Windows that the page has opened. They are closed at once; their addresses are in the trace. */
size_t mgi_live_popups(void);

/* Is this (a DevTools TargetInfo) of our own browser or context, and no tab of somebody else's? */
bool mgi_live_is_ours(const struct json *target);

/* What went wrong on the page at any time, though it was opened anew since. Kept is what the
 * capture of a job has of the document in front. */
void mgi_seen_keep(struct job *job);
bool mgi_seen_ever(const char *part); /* of an error's text, or of an address that failed */
/* Of the page in front those that were not there when it was looked at last, each with its text and
 * since when. */
void mgi_seen_put_gone(struct job *job, const char *name);
void mgi_seen_forget(void);

/* The trace of the page in front; for recordings. */
struct trace *mgi_live_trace(void);

/* End the browser, or leave it as it was found, and remove what we left. At fini, and at an action
 * that asks for it. */
void mgi_live_close(void);

#endif
