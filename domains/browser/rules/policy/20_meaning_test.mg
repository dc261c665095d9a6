# What deeds mean, and what is asked about them: mangle test domains/browser
#: load ../schema/10_page.mg ../schema/30_elements.mg 20_meaning.mg 30_words.mg
#: now 2026-02-19T12:00:00Z
Decl choosing(Tool, Step).
Decl menu_turn(Turn).
Decl menu_input(Name, Value).
Decl menu_called(Call, Action, Status).
Decl menu_output(Call, Value).
Decl menu_ask(Tool, Step, Action, Question).
Decl invoke_arg(Name, Value).
Decl step_output(Step, Value).
deed_action("click", "AID.BROWSER.CLICK.v1").
deed_action("fill", "AID.BROWSER.FILL.v1").
deed_action("press", "AID.BROWSER.PRESS.v1").

#: test a button that pays pays
choosing("click_element", "act").
menu_turn(1).
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "button",
                          "name" : "Buy now",
                          "words" : ["buy", "now", "buy now"],
                          "word_count" : 2,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "leaves" : ""]).
#: expect
gravest("pay").

#: test in another language too
choosing("click_element", "act").
menu_turn(1).
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "button",
                          "name" : "Zahlungspflichtig bestellen",
                          "words" : ["zahlungspflichtig", "bestellen",
                                     "zahlungspflichtig bestellen"],
                          "word_count" : 2,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "leaves" : ""]).
#: expect
gravest("pay").

#: test the title of something to read does not
choosing("click_element", "act").
menu_turn(1).
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "link",
                          "name" : "How to pay without a till and why shops like it",
                          "words" : ["how", "to", "pay", "without", "a", "till", "and", "why",
                                     "shops", "like", "it", "how to", "to pay", "pay without",
                                     "without a", "a till", "till and", "and why", "why shops",
                                     "shops like", "like it", "how to pay", "to pay without",
                                     "pay without a", "without a till", "a till and",
                                     "till and why", "and why shops", "why shops like",
                                     "shops like it"],
                          "word_count" : 11,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "leaves" : ""]).
#: expect none danger/1 asked_question/1

#: test a short link does
choosing("click_element", "act").
menu_turn(1).
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "link",
                          "name" : "Delete",
                          "words" : ["delete"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "leaves" : ""]).
#: expect
gravest("delete").

#: test a word within a word is none
choosing("click_element", "act").
menu_turn(1).
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "button",
                          "name" : "Payload viewer",
                          "words" : ["payload", "viewer", "payload viewer"],
                          "word_count" : 2,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "leaves" : ""]).
#: expect none danger/1 asked_question/1

#: test nor is a page about paying
choosing("click_element", "act").
menu_turn(1).
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "button",
                          "name" : "Read more",
                          "words" : ["read", "more", "read more"],
                          "word_count" : 2,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "leaves" : ""]).
#: expect none danger/1 asked_question/1

#: test a button that deletes deletes
choosing("click_element", "act").
menu_turn(1).
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "button",
                          "name" : "Remove item",
                          "words" : ["remove", "item", "remove item"],
                          "word_count" : 2,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "leaves" : ""]).
#: expect
gravest("delete").

#: test a heading that says so does not
choosing("click_element", "act").
menu_turn(1).
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "heading",
                          "name" : "Delete",
                          "words" : ["delete"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "leaves" : ""]).
#: expect none danger/1 asked_question/1

#: test a button that submits a password signs in
choosing("click_element", "act").
menu_turn(1).
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "button",
                          "name" : "Continue",
                          "words" : ["continue"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /true,
                          "type" : "",
                          "autocomplete" : [],
                          "form" : ["method" : "post",
                                    "types" : ["password"],
                                    "autocomplete" : [],
                                    "submit" : "Continue",
                                    "submit_words" : ["continue"],
                                    "origin" : "http://shop.test",
                                    "path" : "/x"]],
             "leaves" : ""]).
#: expect
gravest("sign_in").

#: test another button of that form does not
choosing("click_element", "act").
menu_turn(1).
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "button",
                          "name" : "Show password",
                          "words" : ["show", "password", "show password"],
                          "word_count" : 2,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : [],
                          "form" : ["method" : "post",
                                    "types" : ["password"],
                                    "autocomplete" : [],
                                    "submit" : "Continue",
                                    "submit_words" : ["continue"],
                                    "origin" : "http://shop.test",
                                    "path" : "/x"]],
             "leaves" : ""]).
#: expect none danger/1 asked_question/1

#: test a form with a card number pays, whatever its button says
choosing("click_element", "act").
menu_turn(1).
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "button",
                          "name" : "Continue",
                          "words" : ["continue"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /true,
                          "type" : "",
                          "autocomplete" : [],
                          "form" : ["method" : "post",
                                    "types" : [],
                                    "autocomplete" : ["cc-number"],
                                    "submit" : "Continue",
                                    "submit_words" : ["continue"],
                                    "origin" : "http://shop.test",
                                    "path" : "/x"]],
             "leaves" : ""]).
#: expect
gravest("pay").

#: test a form that is posted sends
choosing("click_element", "act").
menu_turn(1).
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "button",
                          "name" : "Continue",
                          "words" : ["continue"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /true,
                          "type" : "",
                          "autocomplete" : [],
                          "form" : ["method" : "post",
                                    "types" : [],
                                    "autocomplete" : [],
                                    "submit" : "Continue",
                                    "submit_words" : ["continue"],
                                    "origin" : "http://shop.test",
                                    "path" : "/x"]],
             "leaves" : ""]).
#: expect
gravest("send").

#: test a search does not
choosing("click_element", "act").
menu_turn(1).
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "button",
                          "name" : "Search",
                          "words" : ["search"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /true,
                          "type" : "",
                          "autocomplete" : [],
                          "form" : ["method" : "get",
                                    "types" : ["search"],
                                    "autocomplete" : [],
                                    "submit" : "Search",
                                    "submit_words" : ["search"],
                                    "origin" : "http://shop.test",
                                    "path" : "/x"]],
             "leaves" : ""]).
#: expect none danger/1 asked_question/1

#: test a link that leads elsewhere leaves
choosing("click_element", "act").
menu_turn(1).
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "link",
                          "name" : "Partner",
                          "words" : ["partner"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "leaves" : "http://other.test"]).
#: expect
gravest("leave").

#: test paying elsewhere is paying
choosing("click_element", "act").
menu_turn(1).
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "button",
                          "name" : "Pay",
                          "words" : ["pay"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "leaves" : "http://other.test"]).
#: expect
gravest("pay").

#: test a link that downloads downloads
choosing("click_element", "act").
menu_turn(1).
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "link",
                          "name" : "Report",
                          "words" : ["report"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : [],
                          "link" : ["download" : /true]],
             "leaves" : ""]).
#: expect
gravest("download").

#: test typing into a field for a password gives it away
choosing("act_on_page", "act").
menu_turn(1).
invoke_arg("do", "fill").
invoke_arg("value", "x").
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "textbox",
                          "name" : "Code",
                          "words" : ["code"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "password",
                          "autocomplete" : []],
             "leaves" : ""]).
#: expect
gravest("sign_in").

#: test typing into another field does not
choosing("act_on_page", "act").
menu_turn(1).
invoke_arg("do", "fill").
invoke_arg("value", "x").
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "textbox",
                          "name" : "Pay",
                          "words" : ["pay"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "text",
                          "autocomplete" : [],
                          "form" : ["method" : "post",
                                    "types" : [],
                                    "autocomplete" : [],
                                    "submit" : "Pay now",
                                    "submit_words" : ["pay", "now", "pay now"],
                                    "origin" : "http://shop.test",
                                    "path" : "/x"]],
             "leaves" : ""]).
#: expect none danger/1 asked_question/1

#: test a card number is payment data
choosing("act_on_page", "act").
menu_turn(1).
invoke_arg("do", "fill").
invoke_arg("value", "4111").
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "textbox",
                          "name" : "Number",
                          "words" : ["number"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "text",
                          "autocomplete" : ["cc-number"]],
             "leaves" : ""]).
#: expect
gravest("pay").

#: test Enter in a field submits its form
choosing("act_on_page", "act").
menu_turn(1).
invoke_arg("do", "press").
invoke_arg("value", "Enter").
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "textbox",
                          "name" : "User",
                          "words" : ["user"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "text",
                          "autocomplete" : [],
                          "form" : ["method" : "post",
                                    "types" : ["password"],
                                    "autocomplete" : [],
                                    "submit" : "Continue",
                                    "submit_words" : ["continue"],
                                    "origin" : "http://shop.test",
                                    "path" : "/x"]],
             "leaves" : ""]).
#: expect
gravest("sign_in").

#: test another key does not
choosing("act_on_page", "act").
menu_turn(1).
invoke_arg("do", "press").
invoke_arg("value", "Tab").
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "textbox",
                          "name" : "User",
                          "words" : ["user"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "text",
                          "autocomplete" : [],
                          "form" : ["method" : "post",
                                    "types" : ["password"],
                                    "autocomplete" : [],
                                    "submit" : "Continue",
                                    "submit_words" : ["continue"],
                                    "origin" : "http://shop.test",
                                    "path" : "/x"]],
             "leaves" : ""]).
#: expect none danger/1 asked_question/1

#: test Enter on a button presses it
choosing("act_on_page", "act").
menu_turn(1).
invoke_arg("do", "press").
invoke_arg("value", "Enter").
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "button",
                          "name" : "Pay",
                          "words" : ["pay"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "leaves" : ""]).
#: expect
gravest("pay").

#: test a blank with another key presses, too
choosing("act_on_page", "act").
menu_turn(1).
invoke_arg("do", "press").
invoke_arg("value", "Shift+ ").
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "button",
                          "name" : "Pay",
                          "words" : ["pay"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "leaves" : ""]).
#: expect
gravest("pay").

#: test checking presses
choosing("act_on_page", "act").
menu_turn(1).
invoke_arg("do", "check").
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "switch",
                          "name" : "Delete",
                          "words" : ["delete"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "leaves" : ""]).
#: expect
gravest("delete").

#: test and so does unchecking
choosing("act_on_page", "act").
menu_turn(1).
invoke_arg("do", "uncheck").
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "switch",
                          "name" : "Delete",
                          "words" : ["delete"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "leaves" : ""]).
#: expect
gravest("delete").

#: test hovering over what deletes is nothing
choosing("act_on_page", "act").
menu_turn(1).
invoke_arg("do", "hover").
step_output("look",
            ["ref" : "e1",
             "mark" : "m",
             "meaning" : ["role" : "button",
                          "name" : "Delete",
                          "words" : ["delete"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "leaves" : ""]).
#: expect none danger/1 asked_question/1

#: test a form with a password is never filled in unasked
choosing("form_fill", "fill").
menu_turn(1).
invoke_arg("submit", /false).
step_output("look",
            ["mark" : "m",
             "meaning" : ["role" : "form",
                          "name" : "f",
                          "words" : [],
                          "submits" : /true,
                          "page" : "http://shop.test",
                          "form" : ["method" : "post",
                                    "types" : ["password"],
                                    "autocomplete" : [],
                                    "submit" : "Continue",
                                    "submit_words" : ["continue"],
                                    "origin" : "http://shop.test",
                                    "path" : "/x"]],
             "leaves" : ""]).
#: expect
gravest("sign_in").

#: test a form that is only filled in sends nothing
choosing("form_fill", "fill").
menu_turn(1).
invoke_arg("submit", /false).
step_output("look",
            ["mark" : "m",
             "meaning" : ["role" : "form",
                          "name" : "f",
                          "words" : [],
                          "submits" : /true,
                          "page" : "http://shop.test",
                          "form" : ["method" : "post",
                                    "types" : [],
                                    "autocomplete" : [],
                                    "submit" : "Send",
                                    "submit_words" : ["send"],
                                    "origin" : "http://shop.test",
                                    "path" : "/x"]],
             "leaves" : ""]).
#: expect none danger/1 asked_question/1

#: test one that is submitted sends
choosing("form_fill", "fill").
menu_turn(1).
invoke_arg("submit", /true).
step_output("look",
            ["mark" : "m",
             "meaning" : ["role" : "form",
                          "name" : "f",
                          "words" : [],
                          "submits" : /true,
                          "page" : "http://shop.test",
                          "form" : ["method" : "post",
                                    "types" : [],
                                    "autocomplete" : [],
                                    "submit" : "Keep",
                                    "submit_words" : ["keep"],
                                    "origin" : "http://shop.test",
                                    "path" : "/x"]],
             "leaves" : ""]).
#: expect
gravest("send").

#: test its button tells if it does not say how it is sent
choosing("form_fill", "fill").
menu_turn(1).
invoke_arg("submit", /true).
step_output("look",
            ["mark" : "m",
             "meaning" : ["role" : "form",
                          "name" : "f",
                          "words" : [],
                          "submits" : /true,
                          "page" : "http://shop.test",
                          "form" : ["method" : "",
                                    "types" : [],
                                    "autocomplete" : [],
                                    "submit" : "Publish article",
                                    "submit_words" : ["publish", "article", "publish article"],
                                    "origin" : "http://shop.test",
                                    "path" : "/x"]],
             "leaves" : ""]).
#: expect
gravest("send").

#: test and one that filters does nothing
choosing("form_fill", "fill").
menu_turn(1).
invoke_arg("submit", /true).
step_output("look",
            ["mark" : "m",
             "meaning" : ["role" : "form",
                          "name" : "f",
                          "words" : [],
                          "submits" : /true,
                          "page" : "http://shop.test",
                          "form" : ["method" : "",
                                    "types" : [],
                                    "autocomplete" : [],
                                    "submit" : "Apply filter",
                                    "submit_words" : ["apply", "filter", "apply filter"],
                                    "origin" : "http://shop.test",
                                    "path" : "/x"]],
             "leaves" : ""]).
#: expect none danger/1 asked_question/1

#: test going to an address that is allowed is nothing
choosing("navigate_to", "act").
menu_turn(1).
step_output("look", ["leaves" : ""]).
#: expect none danger/1 asked_question/1

#: test going elsewhere leaves
choosing("navigate_to", "act").
menu_turn(1).
step_output("look", ["leaves" : "http://other.test"]).
#: expect
gravest("leave").

#: test a step of a plan is judged like a deed of its own
choosing("run_plan", "run").
menu_turn(2).
menu_input("steps", [["do" : "click"]]).
menu_called(1, "AID.BROWSER.STEP_LOOK.v1", "OK").
menu_output(1,
            ["deed" : "click",
             "meaning" : ["role" : "button",
                          "name" : "Pay",
                          "words" : ["pay"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "leaves" : ""]).
#: expect
gravest("pay").

#: test and so is going somewhere
choosing("run_plan", "run").
menu_turn(2).
menu_input("steps", [["do" : "click"]]).
menu_called(1, "AID.BROWSER.STEP_LOOK.v1", "OK").
menu_output(1, ["deed" : "navigate", "leaves" : "http://other.test"]).
#: expect
gravest("leave").

#: test a harmless one runs
choosing("run_plan", "run").
menu_turn(2).
menu_input("steps", [["do" : "click"]]).
menu_called(1, "AID.BROWSER.STEP_LOOK.v1", "OK").
menu_output(1,
            ["deed" : "click",
             "meaning" : ["role" : "button",
                          "name" : "Next",
                          "words" : ["next"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "leaves" : ""]).
#: expect none danger/1

#: test steps that undo are asked about before the first
choosing("run_plan", "run").
menu_turn(2).
menu_input("steps", [["do" : "click", "undo" : ["do" : "click"]]]).
menu_called(1, "AID.BROWSER.STEP_LOOK.v1", "OK").
menu_output(1,
            ["deed" : "click",
             "meaning" : ["role" : "button",
                          "name" : "Next",
                          "words" : ["next"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "leaves" : ""]).
#: expect
gravest("undo").

#: test the question says what it is about
choosing("click_element", "act").
menu_turn(1).
step_output("look",
            ["mark" : "m",
             "meaning" : ["role" : "button",
                          "name" : "Pay",
                          "words" : ["pay"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "leaves" : "http://bank.test"]).
#: expect
menu_ask("click_element", "act", "AID.BROWSER.CLICK.v1",
         "This pays, or gives payment data. It is the button \"Pay\" of http://shop.test. It leads to http://bank.test. Go on?").

#: test accepting dialogs unread is asked about within a plan, too
choosing("run_plan", "run").
menu_turn(2).
menu_input("steps", [["do" : "accept_dialogs"]]).
menu_called(1, "AID.BROWSER.STEP_LOOK.v1", "OK").
menu_output(1, ["deed" : "accept_dialogs"]).
#: expect
gravest("dialogs").

#: test what is dragged to a bin is deleted
choosing("act_on_page", "act").
menu_turn(1).
invoke_arg("do", "drag").
step_output("look",
            ["mark" : "m.n",
             "meaning" : ["role" : "listitem",
                          "name" : "Invoice",
                          "words" : ["invoice"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false,
                          "type" : "",
                          "autocomplete" : []],
             "drop" : ["role" : "img",
                       "name" : "Trash",
                       "words" : ["trash"],
                       "called" : [],
                       "word_count" : 1,
                       "page" : "http://shop.test",
                       "submits" : /false,
                       "type" : "",
                       "autocomplete" : []],
             "leaves" : ""]).
#: expect
asked_question("This deletes something. It is the listitem \"Invoice\" of http://shop.test. It is dragged to the img \"Trash\". Go on?").

#: test also if only its class says so
choosing("act_on_page", "act").
menu_turn(1).
invoke_arg("do", "drag").
step_output("look",
            ["mark" : "m.n",
             "meaning" : ["role" : "listitem",
                          "name" : "Invoice",
                          "words" : ["invoice"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false],
             "drop" : ["role" : "generic",
                       "name" : "",
                       "words" : [],
                       "called" : ["trash", "zone"],
                       "word_count" : 0,
                       "page" : "http://shop.test",
                       "submits" : /false],
             "leaves" : ""]).
#: expect
gravest("delete").

#: test what is dragged to a form that is posted is sent
choosing("run_plan", "run").
menu_turn(2).
menu_input("steps", [["do" : "drag"]]).
menu_called(1, "AID.BROWSER.STEP_LOOK.v1", "OK").
menu_output(1,
            ["deed" : "drag",
             "mark" : "m.n",
             "meaning" : ["role" : "listitem",
                          "name" : "Invoice",
                          "words" : ["invoice"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false],
             "drop" : ["role" : "form",
                       "name" : "Upload",
                       "words" : ["upload"],
                       "called" : [],
                       "word_count" : 1,
                       "page" : "http://shop.test",
                       "submits" : /true,
                       "form" : ["method" : "post",
                                 "submit_words" : [],
                                 "types" : [],
                                 "autocomplete" : []]],
             "leaves" : ""]).
#: expect
gravest("send").

#: test another place of a list is only a place
choosing("act_on_page", "act").
menu_turn(1).
invoke_arg("do", "drag").
step_output("look",
            ["mark" : "m.n",
             "meaning" : ["role" : "listitem",
                          "name" : "Invoice",
                          "words" : ["invoice"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false],
             "drop" : ["role" : "listitem",
                       "name" : "Offer",
                       "words" : ["offer"],
                       "called" : ["row", "list"],
                       "word_count" : 1,
                       "page" : "http://shop.test",
                       "submits" : /false,
                       "form" : ["method" : "post",
                                 "submit_words" : ["pay"],
                                 "types" : [],
                                 "autocomplete" : []]],
             "leaves" : ""]).
#: expect none danger/1

#: test nor does it matter what a press would be near to
choosing("act_on_page", "act").
menu_turn(1).
invoke_arg("do", "click").
step_output("look",
            ["mark" : "m.n",
             "meaning" : ["role" : "button",
                          "name" : "Open",
                          "words" : ["open"],
                          "word_count" : 1,
                          "page" : "http://shop.test",
                          "submits" : /false],
             "drop" : ["role" : "generic",
                       "name" : "Trash",
                       "words" : ["trash"],
                       "called" : ["trash"],
                       "word_count" : 1,
                       "page" : "http://shop.test",
                       "submits" : /false],
             "leaves" : ""]).
#: expect none danger/1
