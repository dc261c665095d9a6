/* Shared by the files that make settings of the plugin "http" out of YAML. The settings are those
 * of plugins/http/table.h.
 *
 * A file holds requests, or {server, …, requests: […]}: what both may say is looked for in the
 * request first (headers are those of both). */
#ifndef MGI_ACTIONS_HTTP_INT_H
#define MGI_ACTIONS_HTTP_INT_H

#include "actions/kinds.h"
#include "domain/command_form.h"

/* Schemas that do not follow from `input` and what a request uses: those of OpenAPI documents. JSON
 * texts of objects, checked. */
struct http_schemas {
    struct str input, defaults;
    struct str output; /* "": none */
};

struct http_one {
    const struct yaml_node *group;      /* NULL: it stands alone */
    const struct yaml_node *request;    /* a map */
    const struct http_schemas *schemas; /* or NULL */
};

extern const char *const mgi_http_shared_keys[]; /* of both; ends with NULL */

/* What the request says under `key`, else what its group does. */
static inline const struct yaml_node *mgi_http_said(const struct http_one *one, const char *key)
{
    const struct yaml_node *own = mgi_yaml_get(one->request, key);
    return own ? own : mgi_yaml_get(one->group, key);
}

/* Everything about one request, as an element of "requests"; *place is where it stands. What is
 * wrong is told. False: memory. */
bool mgi_http_write(struct provider_reader *r, const struct http_one *one, struct json_writer *w,
                    struct action_place *place);

/* Where it goes: "origin", "path", "private", "allow", "ca". */
bool mgi_http_write_address(struct provider_reader *r, const struct http_one *one,
                            struct json_writer *w);

/* That, and "query", "headers", "auth". */
bool mgi_http_write_target(struct provider_reader *r, const struct http_one *one,
                           struct json_writer *w);

/* A text that may be an OpenAPI document: parsed as JSON, or as YAML. */
struct openapi_text {
    const char *file; /* lives as long as the snapshot */
    struct str json;  /* with `root`; or "" */
    struct json root;
    const struct yaml_node *yaml; /* or NULL */
};
bool mgi_openapi_is_one(const struct openapi_text *text);
/* Its operations, each as one request that take() gets and does not keep; what is wrong is told.
 * `entry`: what domain.yaml says beside its path, or NULL. False: memory. */
bool mgi_openapi_read(struct provider_reader *r, const struct openapi_text *text,
                      const struct yaml_node *entry,
                      bool (*take)(void *context, const struct http_one *one), void *context);

/* What its address, query and headers use. False: memory. */
bool mgi_http_target_uses(struct provider_reader *r, const struct http_one *one,
                          struct command_uses *uses);

/* A map of a query or form: names to values, each a text, {join: list, with: "|"} or {deep:
 * object}; as an array, and what they use. False: memory. */
void mgi_http_write_pairs(struct provider_reader *r, const struct yaml_node *map,
                          struct json_writer *w);
bool mgi_http_pairs_use(struct provider_reader *r, const struct yaml_node *map,
                        enum argument_use as, struct command_uses *uses);

/* "body", and what it uses (false: memory). `bodiless`: the method, if that has no body; or NULL.
 */
void mgi_http_write_body(struct provider_reader *r, const struct yaml_node *n, const char *bodiless,
                         struct json_writer *w);
bool mgi_http_body_uses(struct provider_reader *r, const struct yaml_node *n,
                        struct command_uses *uses);

/* "auth": a credential or a list of them; nothing where there is none. */
void mgi_http_write_auth(struct provider_reader *r, const struct yaml_node *n,
                         struct json_writer *w);
bool mgi_http_auth_is_none(const struct yaml_node *n); /* NULL, too */

/* A text in which "${NAME}" stands for a variable of the server's own environment, as parts with
 * secrets; with `must`, it has to hold one. What is wrong is told. */
void mgi_http_write_secret(struct provider_reader *r, const struct yaml_node *n, const char *before,
                           bool must, struct json_writer *w);
bool mgi_http_has_secret(struct str text);

/* Headers by name: is it one; does it follow from the request, so that nobody sets it; what of both
 * is wrong is told. */
bool mgi_http_header_named(struct str name);
bool mgi_http_header_taken(struct str name);
void mgi_http_check_header(struct provider_reader *r, const struct yaml_node *at, struct str name);

#endif
