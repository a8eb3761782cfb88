"""The wrappers that are recognised, in the order in which equally good ones are preferred."""

from __future__ import annotations

from klogreplay.intake.wrappers import (
    aks,
    ansi,
    box,
    cloud_logging,
    cloudwatch,
    collector,
    cri,
    docker_json,
    elastic,
    go_test,
    go_test_json,
    grep,
    indent,
    journald_json,
    journald_short,
    kubectl_prefix,
    kubetail,
    loki,
    markdown,
    numbered,
    prow,
    quote,
    sections,
    stern,
    syslog,
    timestamps,
)
from klogreplay.intake.wrappers.base import OWN, PrefixWrapper, Sample, Unwrapped, Wrapper

WRAPPERS: tuple[Wrapper, ...] = (
    ansi.WRAPPER,
    cri.WRAPPER,
    docker_json.WRAPPER,
    journald_json.WRAPPER,
    cloud_logging.WRAPPER,
    *cloudwatch.WRAPPERS,
    *aks.WRAPPERS,
    *loki.WRAPPERS,
    elastic.WRAPPER,
    go_test_json.WRAPPER,
    *stern.WRAPPERS,
    collector.WRAPPER,
    kubectl_prefix.WRAPPER,
    kubetail.WRAPPER,
    syslog.WRAPPER,
    journald_short.WRAPPER,
    timestamps.WRAPPER,
    prow.WRAPPER,
    go_test.WRAPPER,
    grep.WRAPPER,
    numbered.WRAPPER,
    quote.WRAPPER,
    markdown.WRAPPER,
    sections.WRAPPER,
    box.WRAPPER,
    indent.WRAPPER,
)

__all__ = ["OWN", "WRAPPERS", "PrefixWrapper", "Sample", "Unwrapped", "Wrapper"]
