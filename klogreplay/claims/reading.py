"""Files of objects → `Objects`: the input edge of this package.

What `kubectl get pods,resourceclaims,resourceclaimtemplates,podschedulingcontexts -A -o json|yaml` writes, single
objects, JSON arrays and YAML streams of objects, and directories of such files.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from klogreplay.claims.documents import DocumentError, parse_documents
from klogreplay.claims.objects import KubeObject, Pod, PodSchedulingContext, ResourceClaim, ResourceClaimTemplate

MAX_BYTES = 1 << 29
MAX_FILES = 10_000
SUFFIXES = (".json", ".yaml", ".yml")

_CLAIM_GROUP = "resource.k8s.io"
_MODELS: dict[str, tuple[str, type[KubeObject]]] = {
    "Pod": ("", Pod),
    "ResourceClaim": (_CLAIM_GROUP, ResourceClaim),
    "ResourceClaimTemplate": (_CLAIM_GROUP, ResourceClaimTemplate),
    "PodSchedulingContext": (_CLAIM_GROUP, PodSchedulingContext),
    # The name that PodSchedulingContext had in v1alpha1.
    "PodScheduling": (_CLAIM_GROUP, PodSchedulingContext),
}


class ObjectsError(Exception):
    """Objects could not be read: one line for people that begins with the file's name as it was given."""


class Objects:
    """The objects of a run by (namespace, name); of an object read twice, the later one counts.

    `complete_claims` says that a list of claims was among the inputs, so that a claim not found does not exist.
    """

    def __init__(self) -> None:
        self.pods: dict[tuple[str, str], Pod] = {}
        self.claims: dict[tuple[str, str], ResourceClaim] = {}
        self.templates: dict[tuple[str, str], ResourceClaimTemplate] = {}
        self.contexts: dict[tuple[str, str], PodSchedulingContext] = {}
        self.complete_claims = False

    def add(self, item: KubeObject) -> None:
        """Take one object."""
        key = (item.metadata.namespace, item.metadata.name)
        match item:
            case Pod():
                self.pods[key] = item
            case ResourceClaim():
                self.claims[key] = item
            case ResourceClaimTemplate():
                self.templates[key] = item
            case PodSchedulingContext():
                self.contexts[key] = item


def read_objects(paths: Iterable[str]) -> Objects:
    """Read files and directories ("-" is standard input).

    In a directory, whatever depth, the files called *.json, *.yaml and *.yml are read, and those of them that hold no
    Kubernetes object are passed over. Objects of other kinds are passed over everywhere. Raises ObjectsError.
    """
    objects = Objects()
    for path in paths:
        if path != "-" and Path(path).is_dir():
            for file in _files_below(path):
                _read_file(str(file), objects, lenient=True)
        else:
            _read_file(path, objects, lenient=False)
    return objects


def _files_below(path: str) -> Iterator[Path]:
    def refuse(error: OSError) -> None:
        raise ObjectsError(f"{error.filename}: {error.strerror}")

    found = 0
    for folder, folders, names in os.walk(path, onerror=refuse):
        folders.sort()
        for name in sorted(names):
            file = Path(folder) / name
            if name.endswith(SUFFIXES) and file.is_file():
                found += 1
                if found > MAX_FILES:
                    raise ObjectsError(f"{path}: more than {MAX_FILES} files")
                yield file


def _read_file(path: str, objects: Objects, *, lenient: bool) -> None:
    try:
        if path == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise ObjectsError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > MAX_BYTES:
        raise ObjectsError(f"{path}: larger than {MAX_BYTES >> 20} MiB")
    try:
        documents = parse_documents(data)
    except DocumentError as error:
        if lenient and not data.strip():
            return
        raise ObjectsError(f"{path}: {error}") from None
    for index, document in enumerate(documents):
        where = f"document {index + 1}" if len(documents) > 1 else ""
        try:
            _take(document, where, objects, lenient=lenient)
        except DocumentError as error:
            raise ObjectsError(f"{path}: {error}") from None


def _take(document: Any, where: str, objects: Objects, *, lenient: bool, default_kind: str = "") -> None:
    if isinstance(document, list):
        for index, item in enumerate(document):
            _take(item, f"{where}[{index}]", objects, lenient=lenient, default_kind=default_kind)
        return
    kind = document.get("kind", default_kind) if isinstance(document, dict) else None
    if not isinstance(kind, str) or not kind:
        if lenient:
            return
        raise DocumentError(f"{where or 'the document'} is no Kubernetes object (it has no kind)")
    items = document.get("items")
    if kind.endswith("List") and "items" in document and not isinstance(items, list | None):
        raise DocumentError(f"{where}{'.' if where else ''}items: should be a list, not {_kind_of(items)}")
    if kind.endswith("List"):
        item_kind = kind.removesuffix("List")
        if item_kind == "ResourceClaim":
            objects.complete_claims = True
        for index, item in enumerate(items or ()):
            _take(item, f"{where}{'.' if where else ''}items[{index}]", objects, lenient=False, default_kind=item_kind)
        return
    _take_object(document, kind, where, objects)


def _kind_of(value: Any) -> str:
    return "an object" if isinstance(value, dict) else type(value).__name__


def _take_object(document: dict[str, Any], kind: str, where: str, objects: Objects) -> None:
    group, model = _MODELS.get(kind, ("", None))
    api_version = document.get("apiVersion", "")
    if model is None or not isinstance(api_version, str):
        return
    if api_version and api_version.rpartition("/")[0] != group:
        return
    try:
        item = model.model_validate(document)
    except ValidationError as error:
        raise DocumentError(_first_fault(error, where)) from None
    if isinstance(item, ResourceClaim):
        objects.complete_claims = True
    objects.add(item)


def _first_fault(error: ValidationError, where: str) -> str:
    fault = error.errors(include_url=False, include_context=False)[0]
    path = where
    for step in fault["loc"]:
        path += f"[{step}]" if isinstance(step, int) else f"{'.' if path else ''}{step}"
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    return f"{path}: {fault['msg']}{more}"
