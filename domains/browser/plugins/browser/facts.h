/* Evidence: what was gathered of a page, as facts for rules (rules/schema/20_evidence.mg is the
 * contract). The files facts_*.c measure and judge nothing; each adds to a list, with a rank that
 * says how much the fact is worth. The list is cut at the end, the least worth first, and says how
 * much it lost: an observation costs a bounded number of facts whatever the page does. */
#ifndef BROWSER_FACTS_H
#define BROWSER_FACTS_H

#include "browser.h"
#include "source.h"

#define EVIDENCE_MOST 1500
/* Not even looked at beyond these: a fact costs memory before it is ranked. */
#define EVIDENCE_COLLECTED_MOST 40000
#define FACT_ARGS_MOST          6
/* Requests and errors that are looked at; each is compared with many others. */
#define REQUESTS_LOOKED_AT 1000
#define ERRORS_LOOKED_AT   120

/* What a fact is worth: of equal rank, the earlier goes first into the answer. */
enum rank {
    RANK_CORE,  /* without it nothing can be said: errors, failed requests */
    RANK_HIGH,  /* what connects them */
    RANK_USUAL, /* of data requests that went well */
    RANK_LOW,   /* detail */
    RANK_LEAST, /* assets that came, values that nobody may need */
    RANK_COUNT
};

struct fact_arg {
    struct str text; /* ptr NULL: the number */
    int64_t number;
};

struct fact {
    const char *pred;
    enum rank rank;
    bool temporal;
    int64_t from_ns, to_ns; /* to_ns 0: open */
    size_t arg_count;
    struct fact_arg args[FACT_ARGS_MOST];
};

/* The shape of a body: every path in it, and what stands there. */
struct shape_path {
    struct str path;
    unsigned types;       /* bits of enum json_type; SHAPE_MISSING */
    bool empty;           /* somewhere empty */
    uint32_t seen;        /* how often; for an object: how many */
    uint32_t objects;     /* of these, objects */
    struct str values[3]; /* the first short plain values; ptr NULL: none */
    struct str said;      /* the beginning of the first text that is no short one; likewise */
    struct str written;   /* the first text that is a number as people write it: 1,204 */
    size_t parent;        /* index, or SIZE_MAX */
    bool in_array;        /* it is a member of the objects of an array */
};

#define SHAPE_MISSING (1u << 16)
#define SHAPE_PATHS   96

enum body_kind {
    BODY_NONE,
    BODY_JSON,
    BODY_HTML,
    BODY_TEXT,
    BODY_SCRIPT,
    BODY_EMPTY,
    BODY_INVALID,
    BODY_BINARY
};

struct shape {
    enum body_kind kind;
    struct shape_path *paths;
    size_t count;
    bool cut; /* there was more than was looked at */
};

struct script_seen;
struct word_set;

/* Code of the page: a script or a document, as it came last. */
struct code_text {
    struct str url, text; /* cut at CODE_BYTES */
    bool script;          /* else a document, with scripts in it */
    bool own;             /* it comes from where the page does */
};

#define CODE_TEXTS_MOST 80
#define CODE_BYTES      (512u * 1024)

/* What the fact files share of one capture. */
struct fact_list {
    struct job *job;
    const struct capture *capture;
    LIST(struct fact) items;
    LIST(struct script_seen) scripts; /* "s1" is the first of them */
    int64_t lost;
    int64_t visit_ns;    /* when the visit began that is evidence's subject; 0: there was but one */
    size_t past_errors;  /* before that */
    bool past;           /* what is looked at is of an earlier visit: nothing is told of it */
    bool *looked_at;     /* of each request: is it among those that facts are made of? */
    struct str *routes;  /* of each request that is looked at */
    uint64_t *endpoints; /* equal for one method, origin and route */
    struct shape *shapes; /* of each request's answer */
    struct code_text *code;
    size_t code_count;
    bool code_lost;               /* there is more code than is looked through */
    const struct word_set *words; /* of all code; made when first asked for */
    size_t joined_looked, shown_looked;
    size_t scanned; /* bytes of code that were gone through for a name: see mgi_may_scan */
};

#define NO_TIME INT64_MIN

/* Add a fact. `format` has a letter for each argument: s struct str, t one that may
 * be long, z const char *, n int64_t.
 * from_ns NO_TIME: it has no time; to_ns 0: it has no end. Texts are cut. */
void mgi_fact(struct fact_list *list, enum rank rank, const char *pred, int64_t from_ns,
              int64_t to_ns, const char *format, ...);

/* Was that before the page in front was gone to? */
bool mgi_is_past(const struct fact_list *list, int64_t at_ns);

/* Scripts of others that listen to all a user does tell their own servers of it: was it sent by
 * those, and goes it elsewhere than to the page's server? */
bool mgi_is_of_others(const struct capture *c, const struct request *r);

/* The request if facts are made of it, else NULL. NULL is fine. */
const struct request *mgi_told_request(const struct fact_list *list, const struct request *r);

/* Is it one of the errors that are looked into? */
bool mgi_error_looked_at(const struct fact_list *list, const struct message *m);

/* "r3" and the like, in the arena. */
struct str mgi_fact_id(struct fact_list *list, const char *prefix, size_t number);
struct str mgi_message_id(struct fact_list *list, const struct message *m);
/* Code in few long lines, as bundlers make it: lines tell nothing of it, columns do. */
bool mgi_frame_is_bundled(const struct frame *frame);
/* What its function is called; in a bundle "n@57012", so that equal names are one place. */
struct str mgi_frame_function(struct fact_list *list, const struct frame *frame);
/* Gathers `code`. False: there is no memory. */
bool mgi_facts_texts(struct fact_list *list);
/* Does any code have this word, not as a part of another; or, any_case, one that differs from it by
 * capital letters? True, too, where that is not known: there is more code than is looked through.
 */
bool mgi_code_says(struct fact_list *list, struct str word, bool any_case);
/* The texts of those that are scripts; their number. */
size_t mgi_code_scripts(const struct fact_list *list, struct str out[CODE_TEXTS_MOST]);
/* Where that text of `code` is from; empty: it is none of them. */
struct str mgi_code_url(const struct fact_list *list, struct str text);
/* Does any code make a member of that name? */
bool mgi_code_makes(const struct fact_list *list, struct str name);
/* All that stands on the page; empty: it is not known. */
struct str mgi_page_text(const struct fact_list *list);
/* Does the text stand on the page, in a part of it that is shown, or in what it says of itself? */
bool mgi_is_shown(struct fact_list *list, struct str text);
/* Was that asked so often that it is not looked for any more, and false says nothing? */
bool mgi_is_shown_enough(const struct fact_list *list);
/* Takes the first line off the text; without the blanks at its ends. */
struct str mgi_next_line(struct str *rest);
/* The same letters, but for case, _ and -: created_at and createdAt. */
bool mgi_is_respelled(struct str a, struct str b);
/* The last name of a path, "name" of $.items[].name and of $.name[]; a part of it. */
struct str mgi_path_name(struct str path);
/* Which script has these words (the first 40 bytes count, more than 4), and in which line; empty:
 * none. */
struct str mgi_script_with(struct fact_list *list, struct str text, int64_t *line);
/* In small letters (of ASCII); empty: there is no memory. */
struct str mgi_fact_small(struct fact_list *list, struct str text);
/* Tells the innermost four of `count` frames as the stack of `id`. */
void mgi_fact_stack(struct fact_list *list, enum rank rank, struct str id,
                    const struct frame *frames, size_t count);
/* The request with DevTools' id; NULL: none. */
const struct request *mgi_request_by_id(const struct capture *c, struct str id);
const struct request *mgi_request_at(const struct capture *c, size_t number);

/* How much facts of a request are worth. */
enum rank mgi_request_rank(const struct request *r);
struct str mgi_request_kind(const struct request *r);
struct str mgi_route_of(struct job *job, struct str path);
bool mgi_same_endpoint(const struct fact_list *list, size_t a, size_t b);

/* "31,50", "1 200", "EUR 12": a person reads a number there, code does not. */
bool mgi_is_written_number(struct str s);
/* The shape of a JSON text. `cut`: the text may end early. */
bool mgi_shape_read(struct job *job, struct str text, bool cut, struct shape *out);
const struct shape_path *mgi_shape_find(const struct shape *shape, struct str path);
const char *mgi_shape_type(unsigned types); /* the first of them */
struct str mgi_answer_text(const struct request *r, bool *known, bool *binary);
struct str mgi_sent_text(const struct request *r); /* what it was sent with; empty: nothing */

void mgi_facts_network(struct fact_list *list);
void mgi_facts_credentials(struct fact_list *list);
void mgi_facts_bodies(struct fact_list *list);
/* What the answer `r` says in its own words, if it is an error, and which members it names; `sent`
 * is the shape of what it was asked with. */
void mgi_facts_refusal(struct fact_list *list, struct str id, const struct request *r,
                       const struct shape *shape, const struct shape *sent);
/* After the bodies. */
void mgi_facts_takes(struct fact_list *list);
/* What the page says now where the request at `call` failed, in the words of the code there. */
void mgi_facts_instead(struct fact_list *list, struct str id, const struct request *r,
                       const struct place *call);
/* Whether this text may be gone through for one more name. Of a recording's code so much is, and
 * not more, that each script may be asked about often; what is not looked at is not told. */
bool mgi_may_scan(struct fact_list *list, struct str text);
/* Whether nothing is done with the answer; of the innermost call that asked. */
void mgi_facts_discarded(struct fact_list *list, struct str id, const struct place *call);
/* What the page says for the name of a reason that a refusal gives. */
void mgi_facts_reasons(struct fact_list *list, struct str id, const struct str *scripts,
                       size_t count, const struct shape *shape);
void mgi_facts_words(struct fact_list *list);
void mgi_facts_together(struct fact_list *list);
void mgi_facts_same(struct fact_list *list);
void mgi_facts_rounded(struct fact_list *list);
void mgi_facts_habits(struct fact_list *list);
void mgi_facts_console(struct fact_list *list);
void mgi_facts_shown(struct fact_list *list);
void mgi_facts_dates(struct fact_list *list);
void mgi_facts_code(struct fact_list *list);
void mgi_facts_scripts(struct fact_list *list);
/* Which scripts define the global `name`. After mgi_facts_scripts(). */
void mgi_facts_defines(struct fact_list *list, struct str name);
/* The code that failed had awaited this request. */
void mgi_tell_await(struct fact_list *list, const struct message *m, const struct request *r);
void mgi_facts_await(struct fact_list *list, const struct message *m);
void mgi_facts_page(struct fact_list *list);
void mgi_facts_misses(struct fact_list *list);
void mgi_facts_work(struct fact_list *list);
void mgi_facts_deeds(struct fact_list *list);
void mgi_facts_kept(struct fact_list *list);
void mgi_facts_picked(struct fact_list *list);
void mgi_facts_ids(struct fact_list *list);
void mgi_facts_checks(struct fact_list *list);
void mgi_facts_submits(struct fact_list *list);
void mgi_facts_regexps(struct fact_list *list);
void mgi_facts_sent(struct fact_list *list);
/* After the bodies. */
void mgi_facts_tokens(struct fact_list *list);
void mgi_facts_short_keys(struct fact_list *list);
void mgi_facts_lists(struct fact_list *list);
void mgi_facts_questions(struct fact_list *list);
void mgi_facts_frame_names(struct fact_list *list);
void mgi_facts_frames(struct fact_list *list);
void mgi_facts_replies(struct fact_list *list);
void mgi_facts_anew(struct fact_list *list);
void mgi_facts_missed(struct fact_list *list);
void mgi_facts_spelt(struct fact_list *list);
void mgi_facts_fallbacks(struct fact_list *list);
void mgi_facts_overtaken(struct fact_list *list);
void mgi_facts_unencoded(struct fact_list *list);
void mgi_facts_compared(struct fact_list *list);
void mgi_facts_sorted(struct fact_list *list);
void mgi_facts_slips(struct fact_list *list);
/* After the bodies. */
void mgi_facts_joined(struct fact_list *list);
void mgi_facts_grown(struct fact_list *list);
void mgi_facts_parts(struct fact_list *list);
void mgi_facts_letters(struct fact_list *list);
void mgi_facts_months(struct fact_list *list);
void mgi_facts_early(struct fact_list *list);
void mgi_facts_lookups(struct fact_list *list);
void mgi_facts_denied(struct fact_list *list);
/* Was it told as an error that nobody caught, too? */
bool mgi_was_thrown(const struct fact_list *list, const struct message *caught);

/* All evidence of the job's capture, as the content of an artifact: {"facts": [...]}. */
bool mgi_evidence_write(struct job *job, struct buf *out, int64_t most, int64_t *written,
                        int64_t *lost);

#endif
