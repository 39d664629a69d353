"""Which rows a statement can touch, read out of its syntax tree: those of one table at a time, or more."""

from __future__ import annotations

from collections.abc import Iterator

import sqlglot
from sqlglot import exp

# The column by which each of them would be spread over several databases.
LOG = {
    "tables": "table_id",
    "events": "table_id",
    "presences": "table_id",
    "games": "table_id",
    "series": "table_id",
}
# Those stay in one place, where the accounts are.
BOOKS = frozenset({"accounts", "entries", "postings", "counts", "parts", "scores", "series_parts"})
KEY = "table_id"

Statement = exp.Expression


class Unbound(Exception):
    """A statement that could touch rows of several tables at once; the text says where."""


def parsed(statement: str, dialect: str = "postgres") -> Statement:
    """Parse one statement."""
    return sqlglot.parse_one(statement, read=dialect)


def relations(statement: Statement) -> set[str]:
    """Name the relations of the database that a statement reads or writes."""
    # What follows FOR UPDATE OF are aliases.
    named = {table.name for table in statement.find_all(exp.Table) if table.name and not isinstance(table.parent, exp.Lock)}
    return named - {cte.alias for cte in statement.find_all(exp.CTE)} - {"unnest"}


def check(statement: Statement) -> None:
    """
    Look whether each row that a statement reads or writes is found by its table's id alone, and joined with rows of that table only.

    Raises: Unbound.
    """
    if unknown := relations(statement) - LOG.keys():
        raise Unbound(f"it touches {', '.join(sorted(unknown))}")
    for part in parts(statement):
        check_part(part)
    for inside in statement.find_all(exp.In):
        if (query := inside.args.get("query")) is not None and not (is_key(inside.this) and all(map(is_key, query.this.selects))):
            raise Unbound(f"a row is looked for among others by something else than its table: {inside.sql()}")


def parts(statement: Statement) -> Iterator[Statement]:
    """Walk everything that selects or writes in a statement, itself too."""
    yield from statement.find_all(exp.Select, exp.Insert, exp.Update, exp.Delete)


def check_part(part: Statement) -> None:
    """Check one select or write by itself, not what is nested in it."""
    sources = sources_of(part)
    kept = {alias: LOG[name] for alias, name in sources.items() if name in LOG}
    bound = Bound(sources)
    for equal in equalities(part):
        bound.learn(equal)
    if isinstance(part, exp.Insert):
        check_insert(part)
    for alias in kept:
        if not bound.is_found(alias):
            raise Unbound(f"rows of {sources[alias]} are not found by {KEY}: {part.sql()}")
    if len(sources) > 1 and kept and not bound.are_of_one_table():
        raise Unbound(f"rows of different tables meet: {part.sql()}")


def sources_of(part: Statement) -> dict[str, str]:
    """List what a select, update or delete takes rows from, or changes, by alias; a subquery has no name."""
    found: dict[str, str] = {}
    places: list[Statement | None] = []
    if isinstance(part, exp.Update | exp.Delete):
        places.append(part.this)
    if not isinstance(part, exp.Insert):
        source = part.args.get("from_") or part.args.get("from")
        places += [source.this] if source is not None else []
        places += [join.this for join in part.args.get("joins") or ()]
        places += list(part.args.get("laterals") or ())
    for place in filter(None, places):
        inner = place.this if isinstance(place, exp.Lateral) else place
        # A question about all that was announced, with one row for an answer, says nothing of any table.
        if isinstance(inner, exp.Subquery) and not relations(inner) & LOG.keys() and is_one_row(inner.this):
            continue
        found[place.alias_or_name] = place.name if isinstance(place, exp.Table) else ""
    return found


def is_one_row(select: Statement) -> bool:
    """Whether a select gives one row, whatever it finds."""
    return not select.args.get("group") and all(each.find(exp.AggFunc) for each in select.selects)


def equalities(part: Statement) -> Iterator[Statement]:
    """Walk the comparisons that hold for every row of a part: those of its joins and its condition that no `or` weakens."""
    conditions = [join.args.get("on") for join in part.args.get("joins") or ()]
    if where := part.args.get("where"):
        conditions.append(where.this)
    for condition in filter(None, conditions):
        yield from condition.flatten() if isinstance(condition, exp.And) else (condition,)


def check_insert(part: exp.Insert) -> None:
    """Check that what is written for a table comes from values, or from rows, of that table."""
    names = [column.name for column in part.this.expressions]
    if KEY not in names:
        raise Unbound(f"rows are written without {KEY}: {part.sql()}")
    source = part.expression
    if not isinstance(source, exp.Select):
        return
    given = source.selects[names.index(KEY)].unalias()
    # Everything that is not a value comes from the one row that gives the id.
    if not is_key(given) or any(column.table != given.table for each in source.selects for column in each.find_all(exp.Column)):
        raise Unbound(f"what is written is of another table than its id: {part.sql()}")


class Bound:
    """Which sources of a part are known to be of the same table: by values that are given, or by being compared."""

    def __init__(self, sources: dict[str, str]) -> None:
        self._sources = sources
        self._group = {alias: {alias} for alias in sources}
        self._given: set[str] = set()

    def learn(self, equal: Statement) -> None:
        """Take in a comparison that always holds."""
        if not isinstance(equal, exp.EQ):
            return
        sides = [self._alias(equal.this), self._alias(equal.expression)]
        for own, other, text in ((*sides, equal.expression), (*reversed(sides), equal.this)):
            if own is not None and other is None and (is_value(text) or is_key(text)):
                # A column of a source outside, as a lateral query compares it, is a value in here.
                self._given.add(own)
        if None not in sides:
            first, second = (self._group[side] for side in sides if side is not None)
            joined = first | second
            for alias in joined:
                self._group[alias] = joined

    def is_found(self, alias: str) -> bool:
        """Whether a source's rows are those of a given table, or of the table of another source."""
        return any(each in self._given or self._sources[each] not in LOG for each in self._group[alias])

    def are_of_one_table(self) -> bool:
        """Whether all sources are of the same table, row by row; a lateral query is, being asked for each row."""
        named = [alias for alias, name in self._sources.items() if name]
        return all(self._group[alias] >= set(named) or alias in self._given for alias in named)

    def _alias(self, side: Statement) -> str | None:
        if not is_key(side):
            return None
        alias = side.table or (next(iter(self._sources)) if len(self._sources) == 1 else "")
        return alias if alias in self._sources else None


def is_key(column: Statement) -> bool:
    """Whether something is a table's id."""
    return isinstance(column, exp.Column) and column.name == KEY


def is_value(text: Statement) -> bool:
    """Whether something is given from outside: a parameter, a literal, or any one of a list, each row by its own."""
    if isinstance(text, exp.Any):
        return text.find(exp.Column) is None
    return isinstance(text.unnest(), exp.Parameter | exp.Placeholder | exp.Literal)
