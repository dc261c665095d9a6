# What is not done, and what is not done unasked. What a deed on the page means is judged when it is about
# to be done (20_meaning.mg); here is what does not depend on the page.

# Of itself, none of these is a reason to ask: its meaning is, and rules ask about that.
trusted_action("AID.BROWSER.CLICK.v1").
trusted_action("AID.BROWSER.DOUBLE_CLICK.v1").
trusted_action("AID.BROWSER.HOVER.v1").
trusted_action("AID.BROWSER.TYPE.v1").
trusted_action("AID.BROWSER.FILL.v1").
trusted_action("AID.BROWSER.CLEAR.v1").
trusted_action("AID.BROWSER.SELECT.v1").
trusted_action("AID.BROWSER.CHECK.v1").
trusted_action("AID.BROWSER.PRESS.v1").
trusted_action("AID.BROWSER.FOCUS.v1").
trusted_action("AID.BROWSER.SCROLL.v1").
trusted_action("AID.BROWSER.DRAG.v1").
trusted_action("AID.BROWSER.FORM_FILL.v1").
trusted_action("AID.BROWSER.NAVIGATE.v1").
trusted_action("AID.BROWSER.RELOAD.v1").
trusted_action("AID.BROWSER.HISTORY.v1").
trusted_action("AID.BROWSER.EMULATE.v1").
trusted_action("AID.BROWSER.INTERCEPT.v1").
trusted_action("AID.BROWSER.TABLE.v1").
trusted_action("AID.BROWSER.LIST.v1").
trusted_action("AID.BROWSER.STEP.v1").
trusted_action("AID.BROWSER.STEP_UNDO.v1").

# Always asked for: files and credentials go to the page, code runs in it, what it keeps is changed, and
# what it asks of a user is answered.
requires_confirmation("upload_file").
requires_confirmation("sign_in").
requires_confirmation("evaluate_script").
requires_confirmation("set_storage").
requires_confirmation("clear_site").
requires_confirmation("handle_dialogs").

# Known before it is done, from what was seen of the page: then it is said of the tool as it is offered, too.
password_form(Form) :- form_field(Form, _, "password").
harmless_form :- page_form(Form, _, _), !password_form(Form).
asks_password :- password_form(_), !harmless_form.
requires_confirmation("form_fill") :- asks_password.
# What was agreed to in advance is not asked again: what is bound is shown to who agrees.
param_bound("form_fill", "agreed", "sign_in") :- asks_password.

prohibited("evaluate_script", "the operator lets no code run in pages") :- !may_evaluate.
may_evaluate :- setting("evaluate", /true).

# What a page stores may tell who its user is.
prohibited("storage_report", "storage is not for strangers") :- client_kind("anonymous").
