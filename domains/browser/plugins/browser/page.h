/* What a trace tells beside requests and messages: the rest of `struct capture`, and what the files
 * page*.c share while they fill it.
 *
 * Filling has two parts. Events are read one after the other (page_network.c, page_console.c,
 * page_more.c); what needs the whole, such as numbers in order of time and the HAR entry by which
 * the tools read a request, is made at the end (page_entry.c). Times are nanoseconds since 1970; 0
 * as an end means that there was none.
 *
 * Texts live in the arena, or in the trace's text, which lives there, too. */
#ifndef BROWSER_PAGE_H
#define BROWSER_PAGE_H

#include "base/json.h"
#include "base/str.h"

struct frame;
struct job;
struct capture;
struct message;
struct request;
struct problems;
struct trace;

/* A redirect on the way of a request. */
struct hop {
    int64_t status;
    struct str from, to;
};

/* A cookie that an answer set, or that the browser did not take or send. */
struct cookie_event {
    struct str name, reason; /* no reason: it was taken */
    bool sent;               /* it was about sending it, not about keeping it */
    bool hidden;             /* HttpOnly: code cannot read it */
    bool over;               /* it is over as soon as it is set: Max-Age=0 */
    struct str path;         /* where it was set: for these addresses; empty: as it is by itself */
};

struct navigation {
    int64_t begin_ns, end_ns;
    struct str url, why, failed, loader;
};

struct script {
    int64_t begin_ns, run_ns; /* asked for; ran */
    struct str url, how, id, text;
    int64_t first_line;  /* of `text` in its file, from 1 */
    int64_t cut_line;    /* this line of it begins ... */
    int64_t cut_columns; /* ... so many characters late */
    size_t request;      /* the number of the request that brought it; 0 none */
    const struct frame *frames;
    size_t frame_count;
};

struct user_input {
    int64_t at_ns;
    struct str type, target, text;
    bool trusted;
    struct str form_method, form_action; /* of a submission */
    bool submitted, prevented;
    struct str message; /* of a field that validation refused */
    bool invalid, shown;
    struct str within;          /* a click on something in a button or link: which */
    struct str row;             /* what the entry of a list says in which the click was */
    struct str heard;           /* a click: own, above, native, lost or none; empty: not known */
    const struct frame *frames; /* where the listener that hears it was added */
    size_t frame_count;
};

struct dialog {
    int64_t begin_ns, end_ns;
    struct str kind, text;
};

struct issue {
    int64_t at_ns;
    struct str code, detail, request_id, directive, blocked;
    struct str url; /* the place in the code, if it has one */
    int64_t line;
    bool report_only;
};

struct socket_frame {
    int64_t at_ns;
    struct str request_id, text;
    struct str event; /* of a stream: what it is called */
    enum { FRAME_SENT, FRAME_RECEIVED, FRAME_CLOSED, FRAME_FAILED } what;
    int64_t code;
};

/* A number at an instant: growth, long tasks, shifts, changes of the document. */
struct sample {
    int64_t at_ns;
    struct str what, where;
    int64_t count;
    bool collected;  /* what could be freed was freed before it was counted */
    int64_t turns;   /* of changes: in so many turns a second */
    int64_t content; /* of changes: of elements and texts, built or not; -1: not known */
    size_t frames;   /* of changes: so many messages of sockets and streams had been told before */
    int64_t gone, came; /* of changes: taken away or hidden, and put there; came -1: not known */
    bool same;          /* of changes: what stands there is what stood there before */
};

/* Visible or hidden, or what had the focus, from when to when. */
struct span {
    int64_t begin_ns, end_ns;
    struct str what;
    bool focus;
};

/* Code called abort(). */
struct abort_call {
    int64_t at_ns;
    struct str url; /* of the script; empty: not known */
    int64_t line;
};

/* What the page looked up or announced, and nobody answers to: an element that is not there, an
 * event that nobody listens to; or a listener or timer that was added once more; or a container
 * that takes in more and more. */
struct page_miss {
    int64_t at_ns;
    enum {
        MISS_ELEMENT,
        MISS_EVENT,
        MISS_AGAIN,
        MISS_STREAM,
        MISS_DRAWN,
        MISS_PILE,
        MISS_DEFINED
    } what;
    struct str name;   /* the selector, the type of the event, the address of the stream */
    struct str target; /* where; of a stream, the type that is listened to */
    struct str others; /* the types that somebody listens to, with blanks between */
    int64_t count;
    const struct frame *frames;
    size_t frame_count;
};

/* A time for which code waits, something that it keeps or takes from what was kept, a notice that
 * was soon gone. */
struct page_deed {
    int64_t at_ns;
    struct str what;   /* timeout, interval, limit (of a request), write, read, brief, send ... */
    struct str name;   /* the key; what the notice said; the database */
    struct str target; /* local or session; the element; what was refused of a database */
    struct str text;   /* the form of what is kept: "json object id name"; what was said */
    int64_t count;     /* milliseconds, bytes, the version */
    const struct frame *frames;
    size_t frame_count;
};

/* A script that ran for long, as the browser measured it. */
struct long_script {
    int64_t at_ns, end_ns;
    struct str url, function; /* where it was entered; `char_at` characters into the script */
    struct str by, type;      /* BUTTON#go.onclick; event-listener, user-callback ... */
    int64_t char_at;          /* -1: not known */
    int64_t layout_ms;        /* of it, that it forced; -1: not known */
    int64_t paused_ms;        /* in which it waited, in a request that holds up everything */
    int64_t laid_ms; /* after the scripts of its frame; of the one that ran longest, else 0 */
};

/* A stack of code: what ran when a page that kept its thread was looked at; what made objects that
 * stay. */
struct code_seen {
    int64_t at_ns, bytes;
    const struct frame *frames;
    size_t frame_count;
};

/* What a document had spent by then, on a clock of its own: between two looks at a long task. */
struct time_spent {
    int64_t at_ns, clock_ms, layout_ms, layouts;
};

/* What state of the document is measured at the end: an element that code draws into and that has
 * no room (why: how its size is said), elements whose style attribute is not applied, an element
 * that shows nothing (why: a word of its data attributes), one with a text that nobody sees (why:
 * how; parent: its text; side: the rule that says so), a field that
 * is not valid (why: its message; count: 1 if it can be seen). */
struct flat_element {
    struct str target, parent, why, side;
    int64_t count;
};

struct named_count {
    struct str what;
    int64_t used, most;
};

struct shown_text {
    struct str kind, text;
};

#define LIST(type)                                                                                 \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count, cap;                                                                         \
    }

struct page_more {
    struct str state; /* of the page; empty: not known, a HAR does not tell */
    int64_t first_ns, last_ns;
    LIST(struct navigation) navigations;
    LIST(struct script) scripts;
    LIST(struct script) sources; /* lines of scripts that were asked for */
    LIST(struct user_input) inputs;
    LIST(struct dialog) dialogs;
    LIST(struct issue) issues;
    LIST(struct socket_frame) frames;
    LIST(struct sample) samples, tasks, shifts, mutations, changes;
    bool watches_changes; /* somebody counted what changed in the document */
    LIST(struct long_script) long_scripts;
    LIST(struct code_seen) looks, held;
    LIST(struct time_spent) spent;
    LIST(struct span) spans;
    LIST(struct abort_call) aborts;
    LIST(struct message) caught; /* exceptions that code caught */
    LIST(struct page_miss) misses;
    LIST(struct page_deed) deeds;
    LIST(struct str) names;     /* of the document's elements: #id, .class */
    LIST(struct str) undefined; /* elements of the page's own that nobody defined, and empty */
    LIST(struct flat_element) flat, blank, veiled, refused;
    struct str unstyled; /* the first of them */
    int64_t unstyled_count, unstyled_flat;
    LIST(struct named_count) storage, lost;
    LIST(struct shown_text) shown;
};

/* A navigation that somebody asked for begins a visit; what a page does by itself goes on with it.
 * The request for its document is sent a moment before it is told. */
#define VISIT_SLACK_NS (50 * NS_PER_MS)
bool mgi_begins_visit(const struct navigation *n);

/* Room for one more at the end, zeroed; NULL: out of memory, which the arena remembers. */
#define mgi_list_add(arena, list)                                                                  \
    (mgi_arena_grow(arena, &(list)->items, &(list)->cap, (list)->count + 1, sizeof *(list)->items) \
         ? (memset(&(list)->items[(list)->count], 0, sizeof *(list)->items),                       \
            &(list)->items[(list)->count++])                                                       \
         : NULL)

/* One line of a trace. */
struct event {
    double t_ms;
    struct str target, method;
    const struct json *params;
};

/* A request while its events are read. */
struct pending {
    struct request *request; /* NULL until it was announced */
    struct str id;
    const struct json *sent, *answer;               /* requestWillBeSent.request, response */
    const struct json *sent_extra, *received_extra; /* headers as they were on the wire */
    const struct json *timing;
    const struct json *initiator;
    const struct json *handshake;
    struct str body;
    bool body_known, body_base64, body_cut;
    int64_t body_bytes; /* of all of it; 0: as many as `body` */
};

struct page {
    struct job *job;
    struct capture *capture;
    struct problems *problems;
    const struct event *events;
    size_t event_count;
    double offset_ms; /* wall clock minus the browser's monotonic clock */
    bool offset_known;
    struct str main_frame;
    struct str why; /* of the navigation that is about to begin, as far as it was said */
    LIST(struct pending *) pendings; /* in order of announcement */
    LIST(struct message) messages, repeats;
    void *ids; /* struct strmap: request id -> index of pendings */
};

/* Fill job->capture from the text of events.jsonl, whose bytes may be changed. False: out of
 * memory, or a problem was noted. */
bool mgi_page_read(struct job *job, struct problems *problems, struct str text);

/* The same from a trace in memory, as it is now. The job fails if it cannot. */
bool mgi_page_of_trace(struct job *job, struct trace *trace);

/* Milliseconds since 1970 (as a double) to nanoseconds; 0 for what is no time. */
int64_t mgi_page_ns(double ms);
double mgi_json_number(const struct json *v, double otherwise);
double mgi_member_number(const struct json *object, const char *name, double otherwise);
/* A number that is whole, or is made so; `otherwise` if it is none or beyond 10^15. */
int64_t mgi_member_whole(const struct json *object, const char *name, int64_t otherwise);
bool mgi_member_true(const struct json *object, const char *name);
/* When an event was: its own monotonic timestamp if it has one, else when it was received. */
int64_t mgi_event_ns(const struct page *p, const struct event *e);

/* Frames of a DevTools stack and of its asynchronous parents, innermost first. */
bool mgi_stack_read(struct job *job, const struct json *stack, const struct frame **frames,
                    size_t *count);

struct pending *mgi_page_pending(struct page *p, struct str id, bool make);
bool mgi_page_announced(struct page *p, const struct event *e); /* requests, before all else */
bool mgi_page_network(struct page *p, const struct event *e);
bool mgi_page_console(struct page *p, const struct event *e);
bool mgi_page_repeated(struct page *p, const struct event *e);
bool mgi_page_other(struct page *p, const struct event *e);
bool mgi_page_told(struct page *p, int64_t at_ns, const struct json *told); /* by the helper */
/* Frames of a stack as text, a line each, with an address of their own; at most
 * STACK_FRAMES_MOST. */
bool mgi_stack_of_text(struct job *job, struct str text, struct frame *frames, size_t *count);
bool mgi_page_caught(struct page *p, int64_t at_ns, const struct json *told);
bool mgi_page_work(struct page *p, int64_t at_ns, const struct json *told, struct str kind);
bool mgi_page_entries(struct page *p);
bool mgi_page_messages(struct page *p);

#endif
