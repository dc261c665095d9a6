# Verbs, and what people say for them. An importer brings the verbs of tools to the first arguments (verb(T, V));
# what a client says is matched with the words. Add your own in facts/own.mg: lines of the same verb count together.
verb_words("get",
           "get fetch show display view see tell what which check inspect look retrieve describe explain details info").
verb_words("read", "read open cat contents content text tail lines print load").
verb_words("list", "list enumerate all every available which").
verb_words("search", "search find look locate grep where query filter lookup").
verb_words("create", "create new make add generate open start init set write draw build put").
verb_words("add",
           "add append insert attach include put comment remember note store record keep save").
verb_words("update",
           "update change edit modify set patch replace rename adjust fix close reopen toggle swap correct mark").
verb_words("delete", "delete remove erase drop forget clear discard wipe rid purge trash").
verb_words("move", "move rename mv relocate").
verb_words("copy", "copy duplicate clone fork cp").
verb_words("write", "write save store put overwrite dump").
verb_words("open", "open navigate visit go goto load launch browse").
verb_words("close", "close shut quit exit end").
verb_words("send", "send submit post publish reply mail message").
verb_words("run", "run execute exec evaluate invoke call command script").
verb_words("start", "start begin launch record spawn").
verb_words("stop", "stop end cancel halt abort kill terminate finish interrupt").
verb_words("merge", "merge combine join integrate land").
verb_words("push", "push publish upload deploy").
verb_words("pull", "pull download sync update fetch").
verb_words("commit", "commit record save checkin").
verb_words("reset", "reset undo revert back rollback unstage restore").
verb_words("checkout", "checkout switch restore revert undo discard").
verb_words("convert", "convert transform translate encode decode parse format turn").
verb_words("compare", "compare diff difference changed changes versus").
verb_words("click", "click press hit tap push select choose").
verb_words("type", "type fill enter write input put").
verb_words("wait", "wait until pause sleep").
verb_words("plot", "plot chart graph draw visualize diagram show").
verb_words("check", "check validate verify test lint inside contains").
verb_words("tag", "tag release version label").
verb_words("blame", "blame who changed wrote author").
verb_words("measure", "measure profile trace performance slow").
verb_words("capture", "capture screenshot picture photo snapshot shot record").
