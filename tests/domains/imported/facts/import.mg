# Four invented servers, as an importer writes them.

server("garden", "Plants, beds and what grows in them").
server_words("garden", "garden").

imported("list_beds", "garden", "list_beds").
tool_text("list_beds", "list beds list bed", "Lists all beds of the garden with their size.", "").
verb("list_beds", "list").
object("list_beds", "bed").
effect("list_beds", "none").
harm_guess("list_beds", "none").

imported("get_bed", "garden", "get_bed").
tool_text("get_bed", "get bed get bed", "Gets one bed: soil, size and what grows there.", "bed").
verb("get_bed", "get").
object("get_bed", "bed").
effect("get_bed", "none").
harm_guess("get_bed", "none").
argument("get_bed", "bed", "string", "yes", "bed").

imported("create_bed", "garden", "create_bed").
tool_text("create_bed", "create bed create bed", "Creates a new bed.", "name metres soil").
verb("create_bed", "create").
object("create_bed", "bed").
effect("create_bed", "add").
harm_guess("create_bed", "write").
argument("create_bed", "name", "string", "yes", "").
argument("create_bed", "metres", "number", "yes", "").
argument("create_bed", "soil", "string", "no", "").

imported("delete_bed", "garden", "delete_bed").
tool_text("delete_bed", "delete bed delete bed", "Deletes a bed and everything that grows in it.",
          "bed").
verb("delete_bed", "delete").
object("delete_bed", "bed").
effect("delete_bed", "delete").
harm_guess("delete_bed", "destructive").
argument("delete_bed", "bed", "string", "yes", "bed").

imported("plant", "garden", "plant").
tool_text("plant", "plant create plant", "Plants seedlings into a bed.", "bed plants").
verb("plant", "create").
object("plant", "plant").
effect("plant", "add").
harm_guess("plant", "write").
argument("plant", "bed", "string", "yes", "bed").
argument("plant", "plants", "array", "yes", "plant").

imported("water_bed", "garden", "water_bed").
tool_text("water_bed", "water bed update bed", "Waters a bed for some minutes.", "bed minutes").
verb("water_bed", "update").
object("water_bed", "bed").
effect("water_bed", "change").
harm_guess("water_bed", "write").
argument("water_bed", "bed", "string", "yes", "bed").
argument("water_bed", "minutes", "integer", "yes", "").

imported("search_plants", "garden", "search_plants").
tool_text("search_plants", "search plants search plant",
          "Searches plants by name, colour or season.", "query season limit").
verb("search_plants", "search").
object("search_plants", "plant").
effect("search_plants", "none").
harm_guess("search_plants", "none").
argument("search_plants", "query", "string", "yes", "").
argument("search_plants", "season", "string", "no", "").
argument("search_plants", "limit", "integer", "no", "").

imported("read_sensor", "garden", "read_sensor").
tool_text("read_sensor", "read sensor read sensor",
          "Reads moisture and temperature of a bed from its sensor.", "bed metric").
verb("read_sensor", "read").
object("read_sensor", "sensor").
effect("read_sensor", "none").
harm_guess("read_sensor", "none").
argument("read_sensor", "bed", "string", "yes", "bed").
argument("read_sensor", "metric", "string", "yes", "").

imported("start_pump", "garden", "start_pump").
tool_text("start_pump", "start pump create pump", "Starts the pump of the well.", "litres").
verb("start_pump", "create").
object("start_pump", "pump").
effect("start_pump", "execute").
harm_guess("start_pump", "write").
argument("start_pump", "litres", "integer", "no", "").

imported("stop_pump", "garden", "stop_pump").
tool_text("stop_pump", "stop pump stop pump", "Stops the pump of the well.", "").
verb("stop_pump", "stop").
object("stop_pump", "pump").
effect("stop_pump", "execute").
harm_guess("stop_pump", "write").

server("library", "Books of a lending library, readers and loans").
server_words("library", "library").

imported("search_books", "library", "search_books").
tool_text("search_books", "search books search book",
          "Searches the catalogue for books by title, author or subject.", "query language").
verb("search_books", "search").
object("search_books", "book").
effect("search_books", "none").
harm_guess("search_books", "none").
argument("search_books", "query", "string", "yes", "").
argument("search_books", "language", "string", "no", "").

imported("get_book", "library", "get_book").
tool_text("get_book", "get book get book", "Gets the record of one book.", "isbn").
verb("get_book", "get").
object("get_book", "book").
effect("get_book", "none").
harm_guess("get_book", "none").
argument("get_book", "isbn", "string", "yes", "book").

imported("lend_book", "library", "lend_book").
tool_text("lend_book", "lend book send book", "Lends a book to a reader.", "isbn reader until").
verb("lend_book", "send").
object("lend_book", "book").
effect("lend_book", "change").
harm_guess("lend_book", "write").
argument("lend_book", "isbn", "string", "yes", "book").
argument("lend_book", "reader", "string", "yes", "reader").
argument("lend_book", "until", "string", "no", "").

imported("return_book", "library", "return_book").
tool_text("return_book", "return book book", "Takes a book back from a reader.", "isbn").
object("return_book", "book").
effect("return_book", "change").
harm_guess("return_book", "write").
argument("return_book", "isbn", "string", "yes", "book").

imported("list_loans", "library", "list_loans").
tool_text("list_loans", "list loans list loan", "Lists what a reader has lent, and until when.",
          "reader").
verb("list_loans", "list").
object("list_loans", "loan").
effect("list_loans", "none").
harm_guess("list_loans", "none").
argument("list_loans", "reader", "string", "yes", "reader").

imported("add_reader", "library", "add_reader").
tool_text("add_reader", "add reader create reader", "Registers a new reader.", "name mail").
verb("add_reader", "create").
object("add_reader", "reader").
effect("add_reader", "add").
harm_guess("add_reader", "write").
argument("add_reader", "name", "string", "yes", "").
argument("add_reader", "mail", "string", "yes", "").

imported("remove_reader", "library", "remove_reader").
tool_text("remove_reader", "remove reader delete reader", "Removes a reader for good.", "reader").
verb("remove_reader", "delete").
object("remove_reader", "reader").
effect("remove_reader", "delete").
harm_guess("remove_reader", "destructive").
argument("remove_reader", "reader", "string", "yes", "reader").

imported("add_review", "library", "add_review").
tool_text("add_review", "add review create review", "Adds a review of a book.", "isbn stars text").
verb("add_review", "create").
object("add_review", "review").
effect("add_review", "add").
harm_guess("add_review", "write").
argument("add_review", "isbn", "string", "yes", "book").
argument("add_review", "stars", "integer", "yes", "").
argument("add_review", "text", "string", "no", "").

server("kitchen", "Recipes, what is in the pantry, and timers").
server_words("kitchen", "kitchen").

imported("search_recipes", "kitchen", "search_recipes").
tool_text("search_recipes", "search recipes search recipe",
          "Searches recipes by ingredient or name.", "query diet").
verb("search_recipes", "search").
object("search_recipes", "recipe").
effect("search_recipes", "none").
harm_guess("search_recipes", "none").
argument("search_recipes", "query", "string", "yes", "").
argument("search_recipes", "diet", "string", "no", "").

imported("read_recipe", "kitchen", "read_recipe").
tool_text("read_recipe", "read recipe read recipe", "Reads one recipe with its steps.", "recipe").
verb("read_recipe", "read").
object("read_recipe", "recipe").
effect("read_recipe", "none").
harm_guess("read_recipe", "none").
argument("read_recipe", "recipe", "string", "yes", "recipe").

imported("write_recipe", "kitchen", "write_recipe").
tool_text("write_recipe", "write recipe create recipe", "Writes a recipe.", "recipe steps").
verb("write_recipe", "create").
object("write_recipe", "recipe").
effect("write_recipe", "change").
harm_guess("write_recipe", "write").
argument("write_recipe", "recipe", "string", "yes", "recipe").
argument("write_recipe", "steps", "array", "yes", "").

imported("list_pantry", "kitchen", "list_pantry").
tool_text("list_pantry", "list pantry list pantry", "Lists what is in the pantry.", "").
verb("list_pantry", "list").
object("list_pantry", "pantry").
effect("list_pantry", "none").
harm_guess("list_pantry", "none").

imported("add_to_pantry", "kitchen", "add_to_pantry").
tool_text("add_to_pantry", "add to pantry create pantry", "Adds food to the pantry.", "food grams").
verb("add_to_pantry", "create").
object("add_to_pantry", "pantry").
effect("add_to_pantry", "add").
harm_guess("add_to_pantry", "write").
argument("add_to_pantry", "food", "string", "yes", "food").
argument("add_to_pantry", "grams", "integer", "yes", "").

imported("start_timer", "kitchen", "start_timer").
tool_text("start_timer", "start timer create timer", "Starts a kitchen timer.", "minutes").
verb("start_timer", "create").
object("start_timer", "timer").
effect("start_timer", "execute").
harm_guess("start_timer", "none").
argument("start_timer", "minutes", "integer", "yes", "").

imported("stop_timer", "kitchen", "stop_timer").
tool_text("stop_timer", "stop timer stop timer", "Stops a running timer.", "timer").
verb("stop_timer", "stop").
object("stop_timer", "timer").
effect("stop_timer", "execute").
harm_guess("stop_timer", "none").
argument("stop_timer", "timer", "string", "yes", "timer").

imported("clear_pantry", "kitchen", "clear_pantry").
tool_text("clear_pantry", "clear pantry delete pantry",
          "Throws away everything that is in the pantry.", "").
verb("clear_pantry", "delete").
object("clear_pantry", "pantry").
effect("clear_pantry", "delete").
harm_guess("clear_pantry", "destructive").

server("post", "Letters and parcels: write, send and track them").
server_words("post", "post").

imported("write_letter", "post", "write_letter").
tool_text("write_letter", "write letter create letter", "Writes a letter as a draft.", "to text").
verb("write_letter", "create").
object("write_letter", "letter").
effect("write_letter", "add").
harm_guess("write_letter", "write").
argument("write_letter", "to", "string", "yes", "address").
argument("write_letter", "text", "string", "yes", "").

imported("send_letter", "post", "send_letter").
tool_text("send_letter", "send letter send letter", "Sends a letter that was written.",
          "letter express").
verb("send_letter", "send").
object("send_letter", "letter").
effect("send_letter", "network").
harm_guess("send_letter", "write").
argument("send_letter", "letter", "string", "yes", "letter").
argument("send_letter", "express", "boolean", "no", "").

imported("track_parcel", "post", "track_parcel").
tool_text("track_parcel", "track parcel get parcel", "Tells where a parcel is.", "number").
verb("track_parcel", "get").
object("track_parcel", "parcel").
effect("track_parcel", "network").
harm_guess("track_parcel", "none").
argument("track_parcel", "number", "string", "yes", "parcel").

imported("list_letters", "post", "list_letters").
tool_text("list_letters", "list letters list letter", "Lists letters that were written or came.",
          "box").
verb("list_letters", "list").
object("list_letters", "letter").
effect("list_letters", "none").
harm_guess("list_letters", "none").
argument("list_letters", "box", "string", "no", "").

imported("delete_letter", "post", "delete_letter").
tool_text("delete_letter", "delete letter delete letter", "Deletes a letter for good.", "letter").
verb("delete_letter", "delete").
object("delete_letter", "letter").
effect("delete_letter", "delete").
harm_guess("delete_letter", "destructive").
argument("delete_letter", "letter", "string", "yes", "letter").

imported("copy_address", "post", "copy_address").
tool_text("copy_address", "copy address copy address", "Copies an address into the address book.",
          "address").
verb("copy_address", "copy").
object("copy_address", "address").
effect("copy_address", "add").
harm_guess("copy_address", "write").
argument("copy_address", "address", "string", "yes", "address").
