# What an author knows of these tools and no importer can: harm, and what they cannot do without.
harm("clear_pantry", "destructive").
harm("add_reader", "none").
server_needs("garden", "bed").
server_needs("garden", "plant").
tool_needs("stop_timer", "timer").
tool_refuses("start_pump", "well", "dry").
