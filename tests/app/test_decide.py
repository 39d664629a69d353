"""What a table accepts and refuses, and what then happened."""
from __future__ import annotations

import pytest

from kozyr.app.commands import AskAgain, CommitSeed, Lapse, Play, RevealSeed, TakeBack
from kozyr.app.decide import Draft, decide
from kozyr.app.events import Dealt, GameEnded, GameOpened, Moved, SeedAbsent
from kozyr.app.table import SEED_MS, SeedState, Stage, Table, shuffle_of
from kozyr.core.cards import parse_cards
from kozyr.core.codes import CHALLENGE
from kozyr.core.views import view
from kozyr.fair import verify
from tests.app.play import NOW, bot, commit, dealt, done, lapse, new_table, played_out, refused, reveal, seeds, some_move


def states(table: Table) -> list[str]:
    assert table.game is not None
    return [str(seed.state) for seed in table.game.seeds]


def kinds(draft: object) -> list[type]:
    assert isinstance(draft, Draft)
    return [type(step.event) for step in draft.steps]


def test_the_server_commits_before_any_seat() -> None:
    """A new game begins with the server's commitment; nothing is dealt yet (R2.6)."""
    table = new_table(2, 1)
    assert table.game is not None
    assert (64, Stage.SEEDS, None) == (len(table.game.commitment), table.game.stage, table.position)
    assert ["waiting", "waiting", "server"] == states(table)


def test_bots_alone_are_dealt_at_once() -> None:
    """Where no person sits nobody has to be waited for."""
    table = new_table(0, 4)
    assert table.game is not None
    assert Stage.PLAYING == table.game.stage
    assert table.position is not None


def test_seeds_are_revealed_only_when_all_have_committed() -> None:
    """Nobody can choose a seed after having seen another's."""
    table = done(new_table(2), commit(new_table(2), 0))
    assert ("too_early", "") == refused(table, reveal(table, 0))
    table = done(table, commit(table, 1))
    table = done(table, reveal(table, 0))
    assert ["revealed", "committed"] == states(table)
    draft = decide(table, reveal(table, 1), NOW)
    assert kinds(draft)[-1] is Dealt


def test_a_seed_must_fit_its_commitment() -> None:
    """Another seed than the committed one is refused, and the right one may still come."""
    table = new_table(1, 1)
    table = done(table, commit(table, 0))
    assert ("bad_seed", "") == refused(table, RevealSeed(0, 1, bytes(32).hex()))
    assert Stage.PLAYING == getattr(done(table, reveal(table, 0)).game, "stage", None)


@pytest.mark.parametrize(("committed", "expected"), [(False, "no_commitment"), (True, "not_revealed")])
def test_a_silent_seat_is_absent(committed: bool, expected: str) -> None:
    """A seat that does not commit, or does not reveal, in time adds nothing to the shuffle, and the record says so."""
    table = new_table(1, 1)
    if committed:
        table = done(table, commit(table, 0))
    assert decide(table, Lapse(), NOW + SEED_MS - 1) is None
    draft = decide(table, Lapse(), NOW + SEED_MS)
    assert [SeedAbsent, Dealt] == kinds(draft)
    assert isinstance(draft, Draft) and draft.table.game is not None
    absence = shuffle_of(draft.table, draft.table.game).seats[0].absence
    assert expected == absence


def test_the_time_to_reveal_begins_when_all_have_committed() -> None:
    """Whoever commits last leaves the others their whole time to reveal."""
    table = new_table(2)
    table = done(table, commit(table, 0), NOW)
    table = done(table, commit(table, 1), NOW + 2000)
    assert NOW + 2000 + SEED_MS == table.due
    table = done(table, reveal(table, 1), NOW + 2500)
    assert NOW + 2000 + SEED_MS == table.due
    table = lapse(table, 2000 + SEED_MS)
    assert ["absent", "revealed"] == states(table)
    assert NOW + 2000 + SEED_MS + 30_000 == table.due


def test_late_seeds_are_refused() -> None:
    """A seat that was recorded as absent cannot change the shuffle any more."""
    table = done(new_table(2), commit(new_table(2), 0))
    table = lapse(table, SEED_MS)
    assert ["committed", "absent"] == states(table)
    assert ("too_late", "") == refused(table, commit(table, 1))
    table = done(table, reveal(table, 0))
    assert ("too_late", "") == refused(table, reveal(table, 1))


def test_doubled_and_foreign_seeds_are_refused() -> None:
    """A seat commits once, for the present game, and nobody commits for a bot."""
    table = new_table(1, 1)
    assert ("not_committed", "") == refused(table, reveal(table, 0))
    table = done(table, commit(table, 0))
    assert ("already", "") == refused(table, commit(table, 0))
    assert ("already", "") == refused(table, commit(table, 1))
    assert ("stale", "1") == refused(table, CommitSeed(0, 2, "0" * 64))
    assert ("not_seated", "") == refused(table, CommitSeed(None, 1, "0" * 64))


def test_the_deck_of_a_game_verifies_from_its_seeds() -> None:
    """Dealer, pack and first attacker follow from the revealed seeds (I11)."""
    table = dealt(2, 1)
    game = table.game
    assert game is not None
    found = verify(shuffle_of(table, game))
    assert () == found.findings
    assert game.dealer == found.stream.below(3)
    assert game.pack == found.stream.shuffle(36)


def test_a_move_is_judged_by_the_rules() -> None:
    """A move that breaks a rule is refused with the rule's code, and what it is about."""
    table = dealt(2)
    position = table.position
    assert position is not None
    other = 1 - position.attacker
    card = some_move(table).text.split()[1]
    assert ("not_your_turn", card) == refused(table, Play(other, f"attack {card}", 1))
    assert ("nothing_to_pass", "pass") == refused(table, Play(position.attacker, "pass", 1))
    assert ("not_the_defender", "take") == refused(table, Play(position.attacker, "take", 1))


NO_MOVES = ["", "attack", "attack 1h", "attack 7h 8h", "dance", "attack  7h", "0 attack 7h", "ATTACK 7h", "take 7h", "a" * 60]


@pytest.mark.parametrize("text", NO_MOVES)
def test_text_that_is_no_move_is_refused(text: str) -> None:
    """Only the words of the notation are moves."""
    table = dealt(2)
    assert ("bad_move", text) == refused(table, Play(0, text, 1))


def test_a_move_for_an_earlier_bout_is_stale() -> None:
    """A move that was meant for a bout that is over does not count in the next."""
    table = dealt(2)
    while table.position is not None and table.position.bout_no == 1:
        table = done(table, some_move(table))
    now = some_move(table)
    assert ("stale", "2") == refused(table, Play(now.seat, now.text, 1))
    assert done(table, now).seq == table.seq + 1


def test_two_throw_ins_at_once_both_count() -> None:
    """Two players who throw in at the same moment, each seeing the table before the other's card, are both served (I5, R5.3)."""
    for salt in range(60):
        table = dealt(3, salt=salt)
        table = done(table, some_move(table))
        position = table.position
        assert position is not None
        throws = [
            Play(seat, move.text, 1)
            for seat in range(3)
            for move in view(position, seat).legal
            if move.kind == "attack"
        ]
        if len({play.seat for play in throws}) == 2:
            first = throws[0]
            second = next(play for play in throws if play.seat != first.seat)
            after = done(done(table, first), second)
            assert after.position is not None and after.position.n_attacks == 3
            return
    raise AssertionError("no deal in which two can throw in")


def test_nobody_moves_before_the_deal_or_without_a_seat() -> None:
    """Spectators only watch, and before the deal there is nothing to play."""
    assert ("not_dealt", "") == refused(new_table(2), Play(0, "take", 1))
    assert ("not_seated", "") == refused(dealt(2), Play(None, "take", 1))


def test_a_bots_move_for_another_moment_falls_away() -> None:
    """A bot that chose too slowly chooses again."""
    table = dealt(0, 2)
    move = some_move(table)
    assert ("stale", "") == refused(table, Play(move.seat, move.text, 1, by="bot", at_seq=table.seq - 1))


def test_the_end_of_a_game_is_in_the_log() -> None:
    """The last move and the result are one step."""
    table = dealt(2)
    while True:
        draft = decide(table, some_move(table), NOW)
        assert isinstance(draft, Draft)
        table = draft.table
        if table.game is not None and table.game.stage is Stage.OVER:
            break
    assert [Moved, GameEnded] == kinds(draft)
    assert ("game_over", "") == refused(table, Play(0, "take", 1))


def test_another_game_opens_when_every_person_has_asked() -> None:
    """Play again needs all persons, and no bot; the durak of the game before deals (R2.5)."""
    table = played_out(dealt(2, 1))
    assert table.game is not None and table.game.ended is not None
    durak = table.game.ended.durak
    assert ("stale", "1") == refused(table, AskAgain(0, 2, seeds(3)))
    table = done(table, AskAgain(0, 1, seeds(3)))
    assert ("already", "") == refused(table, AskAgain(0, 1, seeds(3)))
    draft = decide(table, AskAgain(1, 1, seeds(3, 9)), NOW)
    assert kinds(draft)[-1] is GameOpened
    assert isinstance(draft, Draft)
    table = draft.table
    assert table.game is not None and (2, Stage.SEEDS) == (table.game.number, table.game.stage)
    for seat in (0, 1):
        table = done(table, commit(table, seat))
    for seat in (0, 1):
        table = done(table, reveal(table, seat))
    assert table.game is not None
    assert durak is None or table.game.dealer == durak


def test_no_other_game_while_one_runs() -> None:
    """Play again is for afterwards."""
    assert ("not_over", "") == refused(dealt(2), AskAgain(0, 1, seeds(2)))


def test_resigning_ends_a_game_of_two() -> None:
    """Who leaves a table of two, or a staked one, is the durak at once (R16.3)."""
    table = done(dealt(2), Play(1, "resign", 99))
    assert table.game is not None and table.game.ended is not None
    assert (1, "forfeit", []) == (table.game.ended.durak, table.game.ended.reason, table.game.ended.places)


def test_resigning_at_a_free_table_leaves_the_seat_to_the_easy_bot() -> None:
    """At a free table of three the bot plays on, and the player may take the seat back (R16.3)."""
    table = dealt(2, 1)
    assert ("not_on_autopilot", "") == refused(table, TakeBack(0, 1))
    table = done(table, Play(0, "resign", 1))
    assert ("easy", None) == (table.bot_at(0), table.bot_at(1))
    assert ("autopilot", "") == refused(table, Play(0, "take", 1))
    assert ("not_on_autopilot", "") == refused(table, TakeBack(1, 1))
    table = done(table, TakeBack(0, 1))
    assert table.bot_at(0) is None


def cheating(salt: int = 0) -> Table:
    """Play at a cheating table until a bout is about to close."""
    table = dealt(2, 1, salt=salt, cheat=True)
    while table.position is not None and table.position.phase != CHALLENGE:
        table = done(table, some_move(table))
    return table


def test_the_window_for_challenges_closes_by_the_clock() -> None:
    """Every bout of a cheating table waits for challenges, and whoever says nothing accepts (R14.5, R16.2)."""
    table = cheating()
    assert NOW + 3000 == table.due
    assert decide(table, Lapse(), NOW + 2999) is None
    table = lapse(table, 3000)
    assert table.position is not None and (2, NOW + 33_000) == (table.position.bout_no, table.due)


def test_the_window_closes_early_when_all_accept() -> None:
    """It ends early when every seat in has accepted, and the deadline does not move with each (R14.5)."""
    table = cheating()
    table = done(table, Play(0, "accept", 1), NOW + 1000)
    assert NOW + 3000 == table.due
    for seat in (1, 2):
        table = done(table, Play(seat, "accept", 1), NOW + 1500)
    assert table.position is not None and (2, NOW + 31_500) == (table.position.bout_no, table.due)


def test_a_pack_is_a_shuffle_of_the_deck() -> None:
    """All cards are dealt, each once."""
    table = dealt(0, 6, deck=52)
    assert table.game is not None
    assert (52, 52) == (len(table.game.pack), len(set(table.game.pack)))


def test_suits_are_redealt_from_the_same_stream() -> None:
    """With `auto_5` a hand with five of a suit is thrown away, from the one committed stream (R2.6)."""
    for salt in range(60):
        table = dealt(0, 6, salt=salt, deck=52, redeal="auto_5")
        game = table.game
        assert game is not None
        if game.redeals:
            stream = shuffle_of(table, game).stream()
            assert game.dealer == stream.below(6)
            packs = [stream.shuffle(52) for _ in range(game.redeals + 1)]
            assert game.pack == packs[-1]
            return
    raise AssertionError("no deal with a redeal")


def test_bots_are_labelled_by_their_level() -> None:
    """A bot is never taken for a person."""
    table = new_table(1, 2)
    assert [None, "easy", "easy"] == [table.bot_at(seat) for seat in range(3)]
    assert (0, None, None) == (table.seat_of("guest0"), table.seat_of("stranger"), table.seat_of(None))
    assert bot(1).guest is None


def test_seed_states_are_the_protocols_words() -> None:
    """What clients read is what the table says."""
    assert ["waiting", "committed", "revealed", "server", "absent"] == [str(state) for state in SeedState]
    assert parse_cards("7h") == [37]


def test_a_bot_that_is_late_looks_again_whatever_has_happened() -> None:
    """A move that was chosen before the game ended, or before a new one was dealt, falls away as any other that comes too late (I5)."""
    table = dealt(1, 1)
    late = Play(1, "take", 1, by="bot", at_seq=table.seq)
    assert ("stale", "") == refused(played_out(table), late)
    assert ("stale", "") == refused(new_table(1, 1), late)
