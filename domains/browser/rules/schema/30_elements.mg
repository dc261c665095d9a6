# The elements of the page that one can act upon, as find_elements, inspect_dom and observe_page with the
# focus on elements bring them. They narrow what tools are offered with; what is acted upon is looked at
# again when it is acted upon.

Decl element(Ref, Role, Name)
  descr [doc("An element that is seen and enabled."), direction("both")]
  bound [/string, /string, /string].

Decl page_form(Form, Method, Submit)
  descr [doc("A form: its id, get or post, and what its button says."), direction("both")]
  bound [/string, /string, /string].

Decl form_field(Form, Name, Type)
  descr [doc("A field of it. Type is text, password, email, file, checkbox ..."), direction("both")]
  bound [/string, /string, /string].
