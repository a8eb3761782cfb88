"""Typed events: what a klog record of kube-scheduler says about its queue, whatever release printed it.

`extract` makes them, `types` is what they are, `registry` lists every message with its reader, `known` and `evidence`
tell the lines that make none, `fiterror` reads the error texts, `jsonlines` writes events out.
"""
