"""Every code with which the server says no, and what it means in one English sentence; clients translate by the code."""
from __future__ import annotations

MOVES: dict[str, str] = {
    "already_accepted": "The seat has accepted already.",
    "already_beaten": "That attack card is beaten already.",
    "already_passed": "The seat has passed in this phase.",
    "already_shown": "The seat has shown a trump in this bout already.",
    "already_taking": "The defender is taking and can neither beat nor transfer.",
    "attacker_first": "The attacker goes first at this table.",
    "bout_closing": "The bout is closing; only challenges and acceptance are left.",
    "card_not_in_bout": "That card is not in the bout.",
    "defender_cannot_attack": "The defender does not attack.",
    "does_not_beat": "The card does not beat that attack card.",
    "game_over": "The game is over.",
    "no_capacity": "No more attack cards are allowed in this bout.",
    "no_challenges_here": "There are no challenges at an honest table.",
    "no_more_challenges": "The seat has lost the right to challenge in this game.",
    "no_shows_here": "Trumps are not shown at this table.",
    "no_transfer_in_first_bout": "The first bout cannot be transferred at this table.",
    "no_transfers_here": "Attacks are not transferred at this table.",
    "not_a_thrower": "The seat may not throw in now.",
    "not_a_trump": "Only a trump can be shown.",
    "not_challengeable": "That card cannot be challenged by this seat.",
    "not_in_hand": "The seat does not hold that card.",
    "not_the_defender": "The seat is not the defender.",
    "not_your_turn": "It is another seat's turn.",
    "nothing_to_accept": "No bout is closing.",
    "nothing_to_beat": "Every attack card is beaten.",
    "nothing_to_pass": "There is nothing to pass on now.",
    "one_card_only": "Only one card at a time may be played here.",
    "rank_not_in_bout": "No card of that rank is in the bout.",
    "rank_not_transferable": "The attack can only be transferred with a card of its rank.",
    "seat_not_in": "The seat is out of the game.",
    "target_too_small": "The next seat holds too few cards for the attack.",
    "transfer_lost": "The attack can no longer be transferred in this bout.",
}
"""The rule that a move breaks: codes of the rules engine."""

COMMANDS: dict[str, str] = {
    "already": "That has been done already.",
    "autopilot": "The easy bot plays this seat; take it back first.",
    "bad_bot": "There is no bot of that level.",
    "bad_move": "That is no move.",
    "bad_seed": "The seed does not fit its commitment.",
    "company_limit": "These players have played for coins together often enough today; free tables are open to them.",
    "game_runs": "Not while a game runs.",
    "no_bot": "No bot sits there.",
    "not_committed": "The seat has not committed to a seed.",
    "not_dealt": "The cards are not dealt yet.",
    "not_host": "Only the table's host may do that.",
    "not_on_autopilot": "The seat is not on autopilot.",
    "not_over": "The game is not over yet.",
    "not_seated": "Only players of this table may do that.",
    "seat_taken": "That seat is taken.",
    "stale": "It was meant for an earlier bout or game.",
    "table_stopped": "The table has stopped because of an error of the server.",
    "too_early": "Not every seat has committed yet.",
    "too_late": "The time for that has passed.",
    "unpaid": "Not every player can pay the stake.",
}
"""Why a table refuses a command."""

FAULTS: dict[str, str] = {
    "bad_message": "The message cannot be read.",
    "hello_first": "The first message must be hello.",
    "no_table": "There is no such table.",
    "not_so_fast": "Too much at once; try again in a moment.",
    "not_text": "Messages are text, not binary.",
    "taken_over": "The seat is played from another window now.",
    "too_big": "The message or the request is too big.",
    "version": "Client and server speak different versions of the protocol.",
}
"""What is wrong with a message or a connection."""

PROBLEMS: dict[str, str] = {
    "bad_body": "The request's body cannot be read.",
    "bad_bots": "For each seat but the first a bot of a level that there is, or nobody.",
    "bad_name": "A name has 1 to 24 visible characters.",
    "bad_origin": "The request comes from another site.",
    "bad_type": "The request's body must be JSON.",
    "bad_value": "The option does not have that value.",
    "bots_at_stake": "No bots sit at staked tables.",
    "internal": "The server made an error.",
    "no_client": "The page has not been built; the server alone runs.",
    "no_game": "There is no such game at this table.",
    "no_method": "That cannot be done here.",
    "no_page": "There is nothing here.",
    "not_changeable": "The preset does not let that option be changed.",
    "not_together": "These options do not go together.",
    "table_closed": "The table is closed.",
    "table_full": "Every seat of the table is taken.",
    "undealable": "The deck has too few cards for so many seats.",
    "unknown_option": "There is no such option.",
    "unknown_preset": "There is no such preset.",
    "wrong_password": "That is not the table's password.",
}
"""Why an HTTP request changed nothing; `no_table`, `not_over`, `not_so_fast`, `seat_taken` and `too_big` occur here too."""

CODES: dict[str, str] = MOVES | COMMANDS | FAULTS | PROBLEMS
