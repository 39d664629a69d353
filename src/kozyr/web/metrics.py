"""The figures of a process in the form that Prometheus reads. The package for it is imported when somebody asks."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import kozyr
from kozyr.app.counts import COUNTS, Spread
from kozyr.app.table import Stage
from kozyr.core import FORM

if TYPE_CHECKING:
    from prometheus_client import Metric

    from kozyr.web.site import Site

CONTENT_TYPE = "text/plain; version=1.0.0; charset=utf-8"


def load() -> None:
    """Import the package, which takes a while the first time."""
    import prometheus_client  # noqa: F401


def written(site: Site) -> bytes:
    """Write all figures as they are now."""
    from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest

    registry = CollectorRegistry(auto_describe=False)
    registry.register(Figures(site))
    ProcessCollector(registry=registry)
    return generate_latest(registry)


class Figures:
    """What Prometheus collects of a site, each figure with the process's name."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._process = site.running.process

    def collect(self) -> Iterator[Metric]:
        """List the figures."""
        yield self._gauge("build_info", "Which Kozyr this is.", {(kozyr.__version__, FORM): 1}, "version", "engine")
        yield from self._now()
        yield from self._so_far()
        for name, spread, text in (
            ("acknowledgement_seconds", COUNTS.acknowledged, "From a command's turn at its table to its acknowledgement."),
            ("clock_late_seconds", COUNTS.late, "By how much clocks acted after they were due."),
            ("batch_appends", COUNTS.batches, "How many appends shared a commit."),
        ):
            yield self._histogram(name, text, spread)

    def _now(self) -> Iterator[Metric]:
        site = self._site
        tables = site.tables.all()
        stages = Counter(table.stage.value for table in tables)
        yield self._gauge("tables", "Tables in memory.", {(stage.value,): stages[stage.value] for stage in Stage}, "stage")
        everywhere = {"table": len(site.audiences.connections()), "lobby": len(site.lobby.connections())}
        yield self._gauge("connections", "Open websockets.", {(kind,): count for kind, count in everywhere.items()}, "kind")
        here = len({connection.guest for connection in site.audiences.connections() if connection.seat is not None})
        yield self._gauge("players", "Guests at seats who are connected to this process.", {(): here})
        yield self._gauge("broker_connected", "1 while hints go by a broker; 0 without one.", {(): COUNTS.broker_connected})
        yield self._gauge("bot_queue", "Bots' thoughts that are asked for and not there yet.", {(): COUNTS.thinking})

    def _so_far(self) -> Iterator[Metric]:
        for name, count, text in (
            ("moves", COUNTS.moves, "Moves written to the log, of persons, bots and clocks."),
            ("tables_opened", COUNTS.opened, "Tables opened."),
            ("tables_stopped", COUNTS.stopped, "Tables stopped by a broken invariant."),
            ("conflicts", COUNTS.conflicts, "Appends that another process was faster than; each was judged again."),
            ("doubled", COUNTS.doubled, "Commands that were in the log already."),
            ("sweeps", COUNTS.sweeps, "Sweeps for clocks that nobody had in memory."),
            ("overdue", COUNTS.overdue, "Clocks that a sweep found."),
            ("failures", COUNTS.failures, "Failures of work on the side."),
            ("bot_thoughts", COUNTS.thoughts, "Moves that bots thought about in processes of their own."),
            ("bot_thoughts_late", COUNTS.unthought, "Those that were not thought to their end, and were left to a quick level."),
            ("bot_thoughts_crowded", COUNTS.crowded, "Those of them that found the queue full."),
            ("broker_connections", COUNTS.broker_connections, "Connections made to the broker of hints; more than one: it was lost."),
            ("bot_processes_replaced", COUNTS.replaced, "Processes of bots that died or stood still, and were replaced."),
        ):
            yield self._counter(name, text, {(): count})
        yield self._counter("refusals", "Commands refused at tables.", {(code,): count for code, count in COUNTS.refusals.items()}, "code")
        yield self._counter("http_requests", "Requests answered.", {(str(code),): count for code, count in COUNTS.http.items()}, "status")

    def _gauge(self, name: str, text: str, values: dict[tuple[str, ...], float], *labels: str) -> Metric:
        from prometheus_client.core import GaugeMetricFamily

        family = GaugeMetricFamily(f"kozyr_{name}", text, labels=("process", *labels))
        return self._filled(family, values)

    def _counter(self, name: str, text: str, values: dict[tuple[str, ...], float], *labels: str) -> Metric:
        from prometheus_client.core import CounterMetricFamily

        family = CounterMetricFamily(f"kozyr_{name}", text, labels=("process", *labels))
        return self._filled(family, values)

    def _filled(self, family: Metric, values: dict[tuple[str, ...], float]) -> Metric:
        for which, value in sorted(values.items()):
            family.add_metric((self._process, *which), value)  # type: ignore[attr-defined]
        return family

    def _histogram(self, name: str, text: str, spread: Spread) -> Metric:
        from prometheus_client.core import HistogramMetricFamily

        family = HistogramMetricFamily(f"kozyr_{name}", text, labels=("process",))
        family.add_metric((self._process,), list(buckets(spread)), spread.total)
        return family


def buckets(spread: Spread) -> Iterable[tuple[str, float]]:
    """List how many values were at most each bound."""
    so_far = 0
    for bound, count in zip((*spread.bounds, None), spread.counts, strict=True):
        so_far += count
        yield "+Inf" if bound is None else str(float(bound)), so_far
