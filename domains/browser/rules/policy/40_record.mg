# A recording adds a folder to those of the operator and changes none: of itself no reason to ask.
trusted_action("AID.BROWSER.RECORD.v1").
