"""Both engines count the same lines of play."""

from __future__ import annotations

import pytest

from tests.golden.perft import Deal, counted, counted_by_reference, read


@pytest.mark.parametrize("deal", read(), ids=lambda deal: f"{deal.options}-{deal.seed}")
def test_the_engine_counts_the_lines(deal: Deal) -> None:
    """
    As many lines of play as in perft.txt.
    """
    assert deal == counted(deal)


@pytest.mark.parametrize("deal", read(), ids=lambda deal: f"{deal.options}-{deal.seed}")
def test_the_reference_counts_the_same_lines(deal: Deal) -> None:
    """
    The literal engine counts as many.
    """
    assert deal == counted_by_reference(deal)


def test_the_deals_go_through_decks_seats_and_options() -> None:
    """
    A dozen deals: every deck, two to six seats, honest and cheating, from the deal and from the middle of a game.
    """
    deals = read()
    assert len(deals) >= 12
    told = " ".join(deal.options for deal in deals)
    assert all(f"deck={deck}" in told for deck in (24, 36, 52))
    assert all(f"seats={seats}" in told for seats in range(2, 7))
    assert {0} < {deal.skip for deal in deals}
    assert "cheat=true" in told
