/* `env` of an entry of domain.yaml: what a program that is started is told. */
#include "domain/provider.h"
#include "sys/secrets.h"

#define MAX_VARIABLES  256
#define VARIABLE_BYTES 128

static bool is_variable(struct str name)
{
    bool good =
        name.len > 0 && name.len <= VARIABLE_BYTES && !(name.ptr[0] >= '0' && name.ptr[0] <= '9');
    for (size_t i = 0; good && i < name.len; i++) {
        char c = name.ptr[i];
        good =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    }
    return good;
}

/* "${NAME}" in `text`: the value of the server's own variable. ptr NULL: it is not set. */
static struct str resolved(const struct yaml_context *c, struct str text)
{
    if (text.len < 4 || text.ptr[0] != '$' || text.ptr[1] != '{' || text.ptr[text.len - 1] != '}')
        return text;
    const char *name = mgi_arena_printf(c->arena, "%.*s", (int)(text.len - 3), text.ptr + 2);
    const char *value = name ? mgi_secret(name) : NULL;
    return value ? mgi_arena_str(c->arena, str_of(value)) : (struct str){ NULL, 0 };
}

static void read_variable(const struct yaml_context *c, const struct yaml_entry *e, env_taker *take,
                          void *context)
{
    bool text = e->value->kind == YAML_SCALAR && is_variable(e->key);
    struct str value = text ? resolved(c, e->value->text) : (struct str){ "", 0 };
    if (!text)
        mgi_yaml_error(c, e->value, "BAD_VALUE", NULL, "\"env\" maps names of variables to texts");
    else if (!value.ptr)
        mgi_yaml_error(c, e->value, "NO_VARIABLE",
                       "Set it in the environment that the server is started with.",
                       "%.*s is not set", STR_ARG(e->value->text));
    else
        take(context, e->key, value);
}

void mgi_read_environment(const struct yaml_context *c, const struct yaml_node *env,
                          env_taker *take, void *context)
{
    if (env && (env->kind != YAML_MAP || env->count > MAX_VARIABLES)) {
        mgi_yaml_error(c, env, "BAD_VALUE", NULL, "\"env\" must be a map of at most %d texts",
                       MAX_VARIABLES);
        return;
    }
    for (size_t i = 0; env && i < env->count; i++)
        read_variable(c, &env->entries[i], take, context);
}
