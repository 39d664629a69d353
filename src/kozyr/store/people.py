"""The statements of people, inside a transaction."""
from __future__ import annotations

from collections.abc import Collection

from kozyr.app.people import BLOCKS_MAX, PASSKEYS_MAX, Change, Denied, Key, Person, Report
from kozyr.store import journal
from kozyr.store.sql import Sql

PERSON = (
    "SELECT g.guest, g.public, g.name, g.created, g.avatar, g.language, g.generation, l.skeleton, l.password "
    "FROM guests g LEFT JOIN logins l ON l.guest = g.guest WHERE "
)
KEY = "SELECT key, guest, name, public_key, count, created, used FROM passkeys WHERE "


def person(db: Sql, guest: str) -> Person | None:
    """Read a guest; see `People.person`."""
    return _person(db, "g.guest = ?", guest)


def person_called(db: Sql, public: str) -> Person | None:
    """Read a guest by the public id; see `People.person_called`."""
    return _person(db, "g.public = ?", public)


def account_like(db: Sql, skeleton: str) -> Person | None:
    """Read an account by its name; see `People.account_like`."""
    return _person(db, "l.skeleton = ?", skeleton)


def _person(db: Sql, where: str, value: str) -> Person | None:
    found = db.execute(PERSON + where, (value,)).fetchone()
    return None if found is None else Person(*found)


def generations(db: Sql, guests: Collection[str]) -> dict[str, int]:
    """Read guests' generations; see `People.generations`."""
    if not guests:
        return {}
    holes = ", ".join("?" * len(guests))
    found = db.execute(f"SELECT guest, generation FROM guests WHERE guest IN ({holes})", tuple(guests))
    return {str(guest): int(generation) for guest, generation in found}


def change(db: Sql, guest: str, change: Change, skeleton: str | None, now: int) -> Person | Denied:
    """Change a guest; see `People.change`."""
    before = person(db, guest)
    if skeleton is not None and _is_taken(db, guest, skeleton):
        return Denied("taken")
    if before is None:
        journal.remember(db, guest, change.name or "", now)
    db.execute(
        "UPDATE guests SET name = coalesce(?, name), avatar = coalesce(?, avatar), language = coalesce(?, language) WHERE guest = ?",
        (change.name, change.avatar, change.language, guest),
    )
    if skeleton is not None:
        db.execute("UPDATE logins SET skeleton = ? WHERE guest = ?", (skeleton, guest))
    return _known(db, guest)


def open_account(db: Sql, guest: str, skeleton: str, password: str | None, key: Key | None, now: int) -> Person | Denied:
    """Make an account of a guest; see `People.open_account`."""
    before = person(db, guest)
    if before is None:
        return Denied("none")
    if before.has_account:
        return Denied("already")
    if _is_taken(db, guest, skeleton):
        return Denied("taken")
    if key is not None and find_key(db, key.id) is not None:
        return Denied("already")
    db.execute("INSERT INTO logins (guest, skeleton, password, created) VALUES (?, ?, ?, ?)", (guest, skeleton, password, now))
    if key is not None:
        _write_key(db, key)
    return end_sessions(db, guest)


def set_password(db: Sql, guest: str, password: str, ends_sessions: bool) -> Person | Denied:
    """Keep another password; see `People.set_password`."""
    written = db.execute("UPDATE logins SET password = ? WHERE guest = ?", (password, guest))
    if written.rowcount != 1:
        return Denied("none")
    return end_sessions(db, guest) if ends_sessions else _known(db, guest)


def end_sessions(db: Sql, guest: str) -> Person | Denied:
    """Raise a guest's generation; see `People.end_sessions`."""
    db.execute("UPDATE guests SET generation = generation + 1 WHERE guest = ?", (guest,))
    return person(db, guest) or Denied("none")


def visitor(db: Sql, guest: str, session: str) -> Person | Denied | None:
    """Read the guest of a session; see `People.visitor`."""
    return Denied("ended") if ended(db, [session]) else person(db, guest)


def end_session(db: Sql, session: str, until: int, now: int) -> None:
    """End a session, and forget those whose cookies are too old anyway; see `People.end_session`."""
    db.execute("DELETE FROM ended WHERE until < ?", (now,))
    db.execute("INSERT INTO ended (session, until) VALUES (?, ?) ON CONFLICT DO NOTHING", (session, until))


def ended(db: Sql, sessions: Collection[str]) -> set[str]:
    """Read which sessions have ended; see `People.ended`."""
    if not sessions:
        return set()
    holes = ", ".join("?" * len(sessions))
    return {str(row[0]) for row in db.execute(f"SELECT session FROM ended WHERE session IN ({holes})", tuple(sessions))}


def add_key(db: Sql, key: Key) -> Person | Denied:
    """Add a passkey; see `People.add_key`."""
    owner = person(db, key.guest)
    if owner is None or not owner.has_account:
        return Denied("none")
    if find_key(db, key.id) is not None:
        return Denied("already")
    if len(keys(db, key.guest)) >= PASSKEYS_MAX:
        return Denied("full")
    _write_key(db, key)
    return owner


def keys(db: Sql, guest: str) -> list[Key]:
    """List passkeys; see `People.keys`."""
    return [Key(*row) for row in db.execute(KEY + "guest = ? ORDER BY created, key", (guest,))]


def find_key(db: Sql, key: str) -> Key | None:
    """Read a passkey; see `People.key`."""
    found = db.execute(KEY + "key = ?", (key,)).fetchone()
    return None if found is None else Key(*found)


def use_key(db: Sql, key: str, count: int, begun: int, now: int) -> bool:
    """Remember that a passkey was used; see `People.use_key`."""
    written = db.execute(
        "UPDATE passkeys SET count = ?, used = ? WHERE key = ? AND count <= ? AND (used IS NULL OR used < ?)",
        (count, now, key, count, begun),
    )
    return written.rowcount == 1


def drop_key(db: Sql, guest: str, key: str) -> Person | Denied:
    """Take a passkey away; see `People.drop_key`."""
    owner, known = person(db, guest), keys(db, guest)
    if owner is None or key not in {each.id for each in known}:
        return Denied("none")
    if owner.password is None and len(known) == 1:
        return Denied("last")
    db.execute("DELETE FROM passkeys WHERE key = ? AND guest = ?", (key, guest))
    return owner


def block(db: Sql, guest: str, other: str, now: int) -> Denied | None:
    """Block somebody; see `People.block`."""
    if db.execute("SELECT count(*) FROM blocks WHERE guest = ? AND other <> ?", (guest, other)).fetchone()[0] >= BLOCKS_MAX:
        return Denied("full")
    db.execute("INSERT INTO blocks (guest, other, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (guest, other, now))
    return None


def unblock(db: Sql, guest: str, other: str) -> None:
    """Block somebody no longer; see `People.unblock`."""
    db.execute("DELETE FROM blocks WHERE guest = ? AND other = ?", (guest, other))


def blocked(db: Sql, guest: str) -> list[Person]:
    """List whom a guest has blocked; see `People.blocked`."""
    found = db.execute("SELECT other FROM blocks WHERE guest = ? ORDER BY at DESC, other", (guest,)).fetchall()
    return [who for who in (person(db, row[0]) for row in found) if who is not None]


def blockers(db: Sql, guest: str, among: Collection[str] | None) -> set[str]:
    """List who has blocked a guest; see `People.blockers`."""
    found = {str(row[0]) for row in db.execute("SELECT guest FROM blocks WHERE other = ?", (guest,))}
    return found if among is None else found.intersection(among)


def report(db: Sql, told: Report) -> int:
    """Keep a report; see `People.report`."""
    found = db.execute(
        "INSERT INTO reports (number, at, table_id, game, reporter, reported, reason, words) "
        "VALUES ((SELECT coalesce(max(number), 0) + 1 FROM reports), ?, ?, ?, ?, ?, ?, ?) RETURNING number",
        (told.at, told.table, told.game, told.reporter, told.reported, told.reason, told.words),
    ).fetchall()
    return int(found[0][0])


def reports(db: Sql, most: int) -> list[Report]:
    """List the reports; see `People.reports`."""
    found = db.execute(
        "SELECT number, at, table_id, game, reporter, reported, reason, words FROM reports ORDER BY number DESC LIMIT ?", (most,)
    )
    return [Report(*row) for row in found]


def _known(db: Sql, guest: str) -> Person:
    found = person(db, guest)
    assert found is not None, "a guest who was just written is not there"
    return found


def _is_taken(db: Sql, guest: str, skeleton: str) -> bool:
    owner = account_like(db, skeleton)
    return owner is not None and owner.guest != guest


def _write_key(db: Sql, key: Key) -> None:
    db.execute(
        "INSERT INTO passkeys (key, guest, name, public_key, count, created, used) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (key.id, key.guest, key.name, key.public_key, key.count, key.created, key.used),
    )
