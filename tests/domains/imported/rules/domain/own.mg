# What an author proves: a parcel that is on its way can be tracked.
prove("track_parcel") :- state("parcel", _, "on its way").
