"""
The worked examples of the rules, and more of our own in `more`, on every engine.

`pytest tests/examples --examples DIR` runs another folder of the same format.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.examples.checking import Example, Malformed, check, read_examples
from tests.examples.engines import ENGINES, engine

OWN = Path(__file__).parent


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """
    Make one test of each example and engine, called by the example's id.
    """
    if "example" not in metafunc.fixturenames:
        return
    given = metafunc.config.getoption("--examples")
    try:
        examples = read_examples(Path(given)) if given else read_examples(OWN) + read_examples(OWN / "more")
    except Malformed as error:
        raise pytest.UsageError(str(error)) from error
    cases = [pytest.param(example, name, id=f"{example['id']}-{name}") for name in ENGINES for example in examples]
    metafunc.parametrize(("example", "name"), cases)


def test_engine_agrees_with_the_worked_example(example: Example, name: str) -> None:
    """
    Every worked example of the rules holds, step by step.
    """
    check(example, engine(name))


def test_all_84_examples_are_here() -> None:
    """
    None of the worked examples is lost; their ids are X01 to X84.
    """
    ids = sorted(example["id"] for example in read_examples(OWN))
    assert [f"X{number:02}" for number in range(1, 85)] == ids


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"colour": "red"}, "unknown in the example: colour"),
        ({"position": {"trump": "s", "attacker": 0, "hands": ["6c", "7c"], "flag": 1}}, "unknown in position: flag"),
        ({"steps": [{"dont": []}]}, "unknown in step 1 of E: dont"),
        ({"steps": [{"expect": {"mood": 1}}]}, "unknown in what step 1 of E expects: mood"),
        ({"deal": {}}, "an example has one of"),
    ],
)
def test_an_unknown_key_is_an_error(change: Example, complaint: str) -> None:
    """
    A key that the format does not have is never passed over in silence.
    """
    example: Example = {"id": "E", "position": {"trump": "s", "attacker": 0, "hands": ["6c", "7c"]}, "steps": []}
    with pytest.raises(Malformed, match=complaint):
        check(example | change, engine("reference"))


@pytest.mark.parametrize(
    "step",
    [
        {"do": ["0 attack 9c"]},
        {"legal": {0: ["attack 6c", "pass"]}},
        {"illegal": ["0 attack 6c"]},
        {"expect": {"capacity": 2}},
        {"expect": {"hands": {1: 2}}},
        {"expect": {"hands": [1]}},
        {"expect": {"cards": {0: "7c"}}},
        {"expect": {"waiting": [0]}},
        {"expect": {"default": {0: None}}},
        {"do": ["0 attack 6c", "1 beat 6c 7c"], "expect": {"drew": {0: "8c"}}},
    ],
)
def test_a_wrong_example_fails(step: Example) -> None:
    """
    An example that is not so is found out, whatever it states.
    """
    example: Example = {"id": "E", "position": {"trump": "s", "attacker": 0, "hands": ["6c", "7c"]}, "steps": [step]}
    with pytest.raises(AssertionError):
        check(example, engine("reference"))
