Decl one(X)bound[/string].
Decl two(X)descr[doc("It is a thing."),arg(X,"what")]bound[/string].
Decl three(X,Y)temporal descr[doc("It is a thing of which much can be said, and much is said here."),open_to("policy","domain"),arg(X,"x")]bound[/string,.List<.Union</number,/string>>]bound[/any,.Struct</a:/number,opt /b:/string>]inclusion[one(X)].
Decl alone.
Decl wide(X) descr [doc("A single part goes to a line of its own as soon as the line would be too long.")].
