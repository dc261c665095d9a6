# M-ANA-82 PKG_SELF_USE
Package b! Use b! r(1).
