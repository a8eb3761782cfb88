"""Sensors: small collectors of evidence that rules need beyond the parkings, one kind of evidence each.

They see the events as they stream by and keep what belongs to live pods, and what they found. `registry` lists them,
`bank` feeds them, a rule reads `case.sensed.of(TheSensor)`.
"""
