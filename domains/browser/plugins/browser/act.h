/* Acting on a live page: what the action files share.
 *
 * An element is found, measured and aimed at by scripts in a world of its own in the page
 * (scripts/), and then acted upon by real input events. What an element means (its role, name,
 * form, where it leads) is measured by LOOK, judged by rules, and comes back as a mark: an action
 * that is given one refuses to act if the element means something else by then. */
#ifndef BROWSER_ACT_H
#define BROWSER_ACT_H

#include "live.h"

/* scripts/NAME.js, embedded; each is an expression: a function that adds to `machina`. */
struct browser_script {
    const char *path;
    const char *text;
    size_t len;
};
extern const struct browser_script mgi_browser_scripts[];
extern const size_t mgi_browser_scripts_count;

/* JSON that is put together and then kept in the job's arena. */
struct act_json {
    struct buf text;
    struct json_writer w;
};
void mgi_act_json_begin(struct act_json *j);
struct str mgi_act_json_end(struct act_json *j, struct job *job); /* frees the buffer */

/* A function of the scripts, `machina.NAME(...args)`; `args` is a JSON array. *out lives in the
 * arena. False: the job has failed, with the words of the script. */
bool mgi_act_script(struct job *job, const char *name, struct str args, struct json *out);

/* The element that the arguments `ref` or `target` name, as JSON: {"ref":"e3"}. False: neither. */
bool mgi_act_target(struct job *job, struct str *target);
/* The arguments as an array: [target, mark, ...more]; `more` is JSON, may be empty. */
bool mgi_act_args(struct job *job, const char *more, struct str *args);

/* How the page was before something is done to it; what is different then. */
struct act_before {
    struct json state; /* machina.whereabouts */
    int64_t at_ns;
    size_t popups;
    bool failed; /* it did not come about, which is no failure of the action */
};
bool mgi_act_begin(struct job *job, struct act_before *before);
/* A page was come to, and has or has not settled: one that has not is waited for less. */
void mgi_act_came(bool settled);
/* Waits until the page has settled, at most a few seconds, and writes `performed` and `changed`. */
bool mgi_act_done(struct job *job, const struct act_before *before, const char *what);

/* Input. Coordinates are those of the page's view. */
enum mouse_press { PRESS_NONE, PRESS_ONCE, PRESS_TWICE };
bool mgi_act_mouse(struct job *job, const char *type, double x, double y, const char *button,
                   int clicks);
/* Aim, guard, press, and make sure that it came where it was meant. `target` and `mark` as JSON. */
bool mgi_act_click(struct job *job); /* the action CLICK, on a live page */
bool mgi_act_press(struct job *job, struct str target, struct str mark, enum mouse_press press,
                   const char *button);
/* "Enter", "Control+A", "x"; */
bool mgi_act_key(struct job *job, struct str key);
/* The same, on an element: it has to take the focus, and to be what the key comes to. */
bool mgi_act_key_at(struct job *job, struct str target, struct str mark, struct str key);
bool mgi_act_text(struct job *job, struct str text, bool by_keys);
/* The text as a field takes it, of which the script focusOn said `how`. */
struct str mgi_act_as_typed(struct job *job, const struct json *how, struct str text);
/* Replace what stands in a field. */
bool mgi_act_fill(struct job *job, struct str target, struct str mark, struct str value);

/* A setting of the plugin's entry in domain.yaml that is a text; "" if there is none. */
struct str mgi_act_setting(struct job *job, const char *name);
bool mgi_act_setting_is_true(struct job *job, const char *name);

/* What was done, so that it can be done again (RECORD_STEPS). */
void mgi_act_note(struct job *job, const char *deed, struct str target, struct str value,
                  bool secret);

/* A new file in the folder of recordings, or where there is none in the browser's own, which goes
 * with it: *path is its whole path. */
bool mgi_act_file(struct job *job, const char *stem, const char *suffix, struct str bytes,
                  const char **path);
/* A member `note` where files go with the browser. */
void mgi_act_say_kept(struct job *job);

const char *mgi_act_base64(struct job *job, struct str bytes); /* NULL: out of memory */

/* act_mock.c: the argument `mocks`, a list of {pattern, status, type, body}, takes the place of
 * those there were. mgi_act_mocked(), on any thread: the parameters of the answer, if there is one
 * for this address. */
bool mgi_act_mock(struct job *job);
/* The list alone, without telling the browser: all of it is kept, or nothing. NULL: none. */
bool mgi_act_set_mocks(struct job *job, const struct json *mocks);
bool mgi_act_mocked(struct str url, struct str request, struct buf *answer);
void mgi_act_unmock(void);

/* act_facts.c: the state delta, of elements and forms, or of a page that was come to. */
/* Where the page is goes along if `url` is not empty. */
void mgi_act_tell_elements(struct job *job, struct str url, const struct json *elements,
                           const struct json *forms);
void mgi_act_tell_url(struct job *job, struct str url);

/* An address without the credentials that it may carry, as it is told. */
struct str mgi_act_shown_url(struct job *job, struct str url);

/* Do checks hold? Their results, and whether all do. */
bool mgi_act_holds(struct job *job, const struct json *checks, struct json *results, bool *all);

/* On a live page, what the actions of action_plan.c plan on a recording. */
bool mgi_act_navigate(struct job *job);
bool mgi_act_form(struct job *job);
bool mgi_act_screenshot(struct job *job);

/* The action that looks at what a deed would be done to: an element, or an address. */
const struct browser_action *mgi_act_looks(bool address);

/* The steps noted so far, as a JSON array. */
struct str mgi_act_noted(void);
void mgi_act_forget(void);

/* "live only": fails the job and says so when it is none. */
bool mgi_act_live(struct job *job);

const struct json *mgi_act_argument(const struct job *job, const char *name);
struct str mgi_act_raw(const struct job *job, const char *name); /* its JSON, "null" if absent */

#define INPUT_TARGET                                                                               \
    "\"ref\":{\"type\":\"string\"},\"target\":{\"type\":\"object\",\"additionalProperties\":"      \
    "false,\"properties\":{\"ref\":{\"type\":\"string\"},\"role\":{\"type\":\"string\"},"          \
    "\"name\":{\"type\":\"string\"},\"text\":{\"type\":\"string\"},\"label\":{\"type\":"           \
    "\"string\"},\"selector\":{\"type\":\"string\"},\"nth\":{\"type\":\"integer\",\"minimum\":1}}" \
    "},\"mark\":{\"type\":\"string\"},\"leaves\":{\"type\":\"string\"}"

/* What all deeds on one element take, so that a menu can choose among them. */
#define INPUT_ACT                                                                                  \
    INPUT_TARGET ",\"text\":{\"type\":\"string\"},\"key\":{\"type\":\"string\"},\"options\":{"     \
                 "\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"checked\":{\"type\":"      \
                 "\"boolean\"},\"button\":{\"type\":\"string\"},\"to\":{\"type\":\"object\"},"     \
                 "\"files\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"x\":{\"type\":" \
                 "\"integer\"},\"y\":{\"type\":\"integer\"}"

#endif
