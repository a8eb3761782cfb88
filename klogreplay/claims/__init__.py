"""Resource claims: the names of a pod's claims, whose they are, and what the pod waits for.

From objects: `documents` and `reading` take files in, `objects` says what is read, `semantics` what differs by
release, `naming` and `owner` are upstream's two functions, `transition` and `ambiguity` what the change of names in
1.28 brought, `waits` and `rows` make the table. From a log: `reasons` reads the plugin's texts, `generated` its names,
`log_relation` ties claims to pods, `log_rows` makes the table, `attribution` finds the objects of claim events.
`evidence` joins both.
"""
