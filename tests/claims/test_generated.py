from __future__ import annotations

import string

from hypothesis import given
from hypothesis import strategies as st

from klogreplay.claims.generated import NameParts, is_generated_from, read_claim_name

LONG_POD = "trainer-with-a-name-that-is-as-long-as-names-of-pods-can-be-0123"


def test_generated_name() -> None:
    assert read_claim_name("web-0", "web-0-gpu-x7f2p") == NameParts("generated", "gpu")


def test_generated_name_of_1_28_has_no_second_hyphen() -> None:
    assert read_claim_name("my-pod", "my-pod-resource-1ax6zgt") == NameParts("generated", "resource-1a")


def test_deterministic_name() -> None:
    assert read_claim_name("web-0", "web-0-gpu") == NameParts("deterministic", "gpu")
    assert read_claim_name("web-0", "web-0-frontend") == NameParts("deterministic", "frontend")


def test_only_deterministic_names_up_to_1_27() -> None:
    assert read_claim_name("web-0", "web-0-gpu-x7f2p", recorded_names=False) == NameParts("deterministic", "gpu-x7f2p")


def test_other_names() -> None:
    assert read_claim_name("web-0", "shared-gpu") is None
    assert read_claim_name("web-0", "web-0") is None
    assert read_claim_name("web-0", "web-0-") is None
    assert read_claim_name("web-0", "web-00-gpu") is None
    assert read_claim_name("web-0", "shared-gpu", recorded_names=False) is None


def test_shortened_name() -> None:
    # 64 and 3 characters: 69 with the hyphens, so 64*57//69 and 3*57//69 of them are kept.
    name = f"{LONG_POD[:52]}-gp" + "x7f2p"
    assert read_claim_name(LONG_POD, name) == NameParts("generated", "gp", shortened=True)
    assert is_generated_from(LONG_POD, "gpu", name)
    assert not is_generated_from(LONG_POD, "nic", name)


NAMES = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=63)


@given(NAMES, NAMES)
def test_what_the_controller_makes_is_recognised(pod_name: str, entry: str) -> None:
    full = f"{pod_name}-{entry}-"
    if len(full) > 57:
        full = f"{pod_name[: len(pod_name) * 57 // len(full)]}-{entry[: len(entry) * 57 // len(full)]}"
    name = f"{full}bcd24"
    assert is_generated_from(pod_name, entry, name)
    read = read_claim_name(pod_name, name)
    # With one character left of the pod's name, the entry may be shortened to nothing.
    assert read is None or read.scheme == "generated"
    if len(pod_name) + len(entry) + 2 <= 57:
        assert read == NameParts("generated", entry)
