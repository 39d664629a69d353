"""Which commands are in a log."""
from __future__ import annotations

from kozyr.app.known import Known


def test_every_name_is_known_that_was_added() -> None:
    """However many there are, each is found at any time, and no other (I2)."""
    known = Known()
    for number in range(3000):
        name = f"guest{number % 4}.{number}"
        assert name not in known
        known.add(name)
        assert name in known
    assert all(f"guest{number % 4}.{number}" in known for number in range(3000))
    assert not any(f"guest{number % 4}.{number}" in known for number in range(3000, 6000))
