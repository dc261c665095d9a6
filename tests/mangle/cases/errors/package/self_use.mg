# M-ANA-82, M-PKG-6 PKG_SELF_USE
Package b! Use b! r(1).
