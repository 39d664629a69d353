"""How a server process is run and looked at: what its operator has set."""
from __future__ import annotations

from dataclasses import dataclass, field

PACE_S = 10.0


@dataclass(slots=True)
class Running:
    """
    What an operator has set for a process, and whether it is about to stop.

    `process` names it in its figures. Figures are served at `metrics_port`, where there is one, and at the public port to who has the
    `metrics_token`; the operator's page to who has the `operator_password`. Each is off where it is empty. For `drain_s` seconds a
    process that was told to stop says that it is not ready, and still serves.
    """

    process: str = ""
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = None
    metrics_token: str = field(default="", repr=False)
    operator_password: str = field(default="", repr=False)
    drain_s: float = 0.0
    is_stopping: bool = False
    moves_per_s: float = 0.0
    looked_at: tuple[float, int] | None = None

    def look(self, now: float, moves: int) -> None:
        """Take in how many moves there have been by *now*, in seconds; the pace is that of the last `PACE_S` seconds or more."""
        if self.looked_at is None:
            self.looked_at = now, moves
        elif now - self.looked_at[0] >= PACE_S:
            self.moves_per_s = (moves - self.looked_at[1]) / (now - self.looked_at[0])
            self.looked_at = now, moves
