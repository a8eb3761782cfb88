"""The forms in which people have logs: from the lines of a plain log to what each program would have written.

The programs' own formats are described in the modules below `klogreplay.intake.wrappers`.
"""

from __future__ import annotations

from tests.intake.forms import (
    damage,
    dialects,
    encodings,
    go_test,
    journals,
    kubectl,
    mixtures,
    people,
    runtimes,
    stores,
)
from tests.intake.forms.base import HEADER, Form

FORMS: tuple[Form, ...] = (
    *encodings.FORMS,
    *dialects.FORMS,
    *runtimes.FORMS,
    *journals.FORMS,
    *kubectl.FORMS,
    *stores.FORMS,
    *go_test.FORMS,
    *people.FORMS,
    *mixtures.FORMS,
    *damage.FORMS,
)

__all__ = ["FORMS", "HEADER", "Form"]
