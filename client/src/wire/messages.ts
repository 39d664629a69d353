// Generated from kozyr.wire: do not edit. `python -m kozyr.wire.schema --typescript` writes it anew.

/** The version of the protocol that `hello` names. */
export const VERSION = 1;

/** The first message: the protocol's version and the last `seq` that this client has seen of the table. */
export interface Hello {
  t: "hello";
  v: number;
  since?: number | null;
}

/** A move. `id` is the client's own and unique at the table, so that a retry is never doubled; `bout` is the bout it is meant for. */
export interface Play {
  t: "play";
  id: string;
  move: string;
  bout: number;
}

/** The commitment to this seat's seed of the game's shuffle. */
export interface SeedCommit {
  t: "seed_commit";
  id: string;
  game: number;
  commitment: string;
}

/** The seed behind an earlier commitment; accepted once every seat has committed or is absent. */
export interface SeedReveal {
  t: "seed_reveal";
  id: string;
  game: number;
  seed: string;
}

/** Asks for another game with the same seats and options, once the game is over. */
export interface Again {
  t: "again";
  id: string;
  game: number;
}

/** Takes one's seat back from the autopilot (R16.3). */
export interface TakeBack {
  t: "take_back";
  id: string;
  game: number;
}

/** Leaves one's seat, before or between games; in a game `resign` is a move. */
export interface Leave {
  t: "leave";
  id: string;
}

/** Says that one is ready for the first game, or takes being ready for the next one back. */
export interface Ready {
  t: "ready";
  id: string;
  on?: boolean; // true when left out
}

/** The host seats a bot of a level at an empty seat. */
export interface SeatBot {
  t: "seat_bot";
  id: string;
  seat: number;
  level: string;
}

/** The host sends a bot away. */
export interface UnseatBot {
  t: "unseat_bot";
  id: string;
  seat: number;
}

/** Says a phrase to the table. It is answered by `said`, to everybody, or refused; it is not in the log, and nothing acknowledges it. */
export interface Say {
  t: "say";
  id: string;
  phrase: "angry" | "bye" | "clap" | "cry" | "good_game" | "good_luck" | "ha" | "hello" | "hurry" | "laugh" | "nice_card" | "once_more" | "oops" | "shock" | "sleep" | "smile" | "sorry" | "thanks" | "think" | "well_played" | "wink" | "your_turn";
}

/** Asks for a `pong`. */
export interface Ping {
  t: "ping";
  n?: number; // 0 when left out
}

/** `late` where the clock played for a seat whose time had run out (R16.2), here and in what follows. */
export interface Attacked {
  e: "attack";
  seat: number;
  cards: string[];
  late?: boolean; // false when left out
}

export interface Beaten {
  e: "beat";
  seat: number;
  attack: string;
  card: string;
}

export interface Transferred {
  e: "transfer";
  seat: number;
  cards: string[];
  to: number;
}

export interface Showed {
  e: "show";
  seat: number;
  card: string;
  to: number;
}

export interface Took {
  e: "take";
  seat: number;
  late?: boolean; // false when left out
}

export interface Passed {
  e: "pass";
  seat: number;
  late?: boolean; // false when left out
}

export interface Accepted {
  e: "accept";
  seat: number;
}

/** A challenge and its verdict: `right` if the card was unlawful; `code` names the rule that it broke. */
export interface Challenged {
  e: "challenge";
  seat: number;
  card: string;
  author: number;
  right: boolean;
  code: string | null;
}

/** A rollback gave a card back to the seat that had played it. */
export interface Returned {
  e: "return";
  seat: number;
  card: string;
}

export interface Resigned {
  e: "resign";
  seat: number;
}

/** `outcome` is `beaten`, `taken` or `fault`; `taker` has the cards now; `order` is the order of drawing. */
export interface BoutOver {
  e: "bout_over";
  outcome: string;
  cards: string[];
  order: number[];
  taker?: number;
}

/** A seat drew `count` cards; `cards` are those that the viewer may see: its own, and the turned card. */
export interface Drew {
  e: "draw";
  seat: number;
  count: number;
  cards?: string[]; // [] when left out
}

export interface WentOut {
  e: "out";
  seat: number;
  place: number;
}

/** A new game of this table: the server's commitment to its shuffle. */
export interface Opened {
  e: "open";
  game: number;
  commitment: string;
}

export interface SeedCommitted {
  e: "seed_commit";
  seat: number;
  commitment: string;
}

export interface SeedRevealed {
  e: "seed_reveal";
  seat: number;
  seed: string;
}

export interface SeedAbsent {
  e: "seed_absent";
  seat: number;
}

/** The cards are dealt; `redeals` hands were thrown away before (R2.6). */
export interface Dealt {
  e: "deal";
  dealer: number;
  attacker: number;
  redeals?: number; // 0 when left out
}

/** How a game ended: `kind` is `durak` or `draw`; `places` the seats that have gone out, in order; `payout` coins by seat. */
export interface Result {
  kind: string;
  reason: string;
  durak?: number;
  places?: number[]; // [] when left out
  payout?: number[]; // [] when left out
}

export interface GameOver {
  e: "over";
  result: Result;
}

/** A person has left the seat to the easy bot (`on`) or has taken it back (R16.3). */
export interface Autopilot {
  e: "autopilot";
  seat: number;
  on: boolean;
}

/** The running clock was lengthened: `why` is `network` after a lost connection, `server` after the server was down (R16.1). */
export interface TimeGiven {
  e: "time";
  ms: number;
  why: string;
}

export interface AskedAgain {
  e: "again";
  seat: number;
}

/**
 * Who sits at a seat: `kind` is `person`, `bot` or `empty`.
 *
 * A bot has a `level`; on `autopilot` the easy bot plays a person's seat on. Who is not `here` has been away for `away_ms`.
 * A person's `id` names the profile; `avatar` is the number of a picture, 0 the initials of the name.
 */
export interface Player {
  name: string;
  kind: string;
  level?: string;
  here?: boolean; // true when left out
  autopilot?: boolean; // false when left out
  away_ms?: number;
  id?: string;
  avatar?: number; // 0 when left out
}

export interface SeatTaken {
  e: "sit";
  seat: number;
  player: Player;
}

export interface SeatLeft {
  e: "rise";
  seat: number;
}

/** A person has chosen another picture. */
export interface Redressed {
  e: "picture";
  seat: number;
  avatar: number;
}

/** A person is ready, or no longer; `unpaid` where the next game could not open because this seat cannot pay. */
export interface ReadySet {
  e: "ready";
  seat: number;
  on: boolean;
  unpaid?: boolean; // false when left out
}

/** The table is closed: nobody sits there, or the operator has closed it. */
export interface TableClosed {
  e: "close";
}

/** The score of a series: by seat how often first out and how often the durak; `standing` lists the seats, the best first (R12). */
export interface SeriesView {
  wins: number[];
  losses: number[];
  standing: number[];
  games?: number; // 0 when left out
  of?: number; // 0 when left out
  over?: boolean; // false when left out
}

/** What does not change while a game runs. */
export interface TableView {
  id: string;
  options: Record<string, boolean | number | string>;
  players: Player[];
  game: number;
  dealer?: number;
  commitment?: string;
  seeds?: string[]; // [] when left out
  commitments?: (string | null)[]; // [] when left out
  stage?: string; // "seeds" when left out
  again?: number[]; // [] when left out
  ready?: number[]; // [] when left out
  host?: number;
  private?: boolean; // false when left out
  password?: boolean; // false when left out
  series?: SeriesView;
  delay_ms?: number; // 0 when left out
  by_operator?: boolean; // false when left out
  cut_short?: boolean; // false when left out
}

/** What everybody may know of a seat. */
export interface SeatView {
  cards?: number; // 0 when left out
  out?: boolean; // false when left out
  place?: number;
  passed?: boolean; // false when left out
  accepted?: boolean; // false when left out
  barred?: boolean; // false when left out
  no_challenge?: boolean; // false when left out
  shown?: boolean; // false when left out
}

/** An attack card, the seat that played it, and the card that beat it, if any. */
export interface Pair {
  attack: string;
  by: number;
  beat?: string;
}

/** What one viewer may know of the game. `hand` and `legal` are the viewer's own and empty for a spectator. */
export interface View {
  phase: string;
  bout_no: number;
  trump: string;
  stock: number;
  seats: SeatView[];
  bout?: Pair[]; // [] when left out
  attacker?: number;
  defender?: number;
  opener?: number;
  joined?: number[]; // [] when left out
  waiting?: number[]; // [] when left out
  capacity?: number; // 0 when left out
  limit?: number; // 0 when left out
  h0?: number; // 0 when left out
  trump_card?: string;
  trump_card_at?: number;
  discard?: number; // 0 when left out
  transfer_lost?: boolean; // false when left out
  floor_open?: boolean; // false when left out
  taking?: boolean; // false when left out
  hand?: string[]; // [] when left out
  legal?: string[]; // [] when left out
  result?: Result;
}

/** What is shown when a game is over: all hands as dealt, the pack, and the shuffle's record (see docs/fair.md). */
export interface Reveal {
  hands: string[][];
  pack: string[];
  shuffle: Record<string, unknown>;
}

/**
 * Answers `hello`: the whole state at `seq`.
 *
 * `seat` is the viewer's, or None for a spectator. `missed` are the events of the present game after `since`. `left_ms` is the time
 * until the clock acts, where one runs, and `of_ms` all that it had; it is the clock of the seats that are waited for.
 */
export interface Welcome {
  t: "welcome";
  v: number;
  seq: number;
  table: TableView;
  seat?: number;
  view?: View;
  missed?: Event[]; // [] when left out
  reveal?: Reveal;
  left_ms?: number;
  of_ms?: number;
}

/** What happened after the viewer's last `seq` up to `seq`, and the view then. `table` is there when it changed. */
export interface Update {
  t: "update";
  seq: number;
  events: Event[];
  view?: View;
  table?: TableView;
  reveal?: Reveal;
  left_ms?: number;
  of_ms?: number;
}

/** The command is in the log at `seq`, for ever. */
export interface Ack {
  t: "ack";
  id: string;
  seq: number;
}

/** The command changed nothing; `code` is stable and the key of its translation, `about` the card or word that it is about. */
export interface Refused {
  t: "refused";
  id: string;
  code: string;
  about?: string; // "" when left out
}

/** A message that could not be read or a connection that may not go on; `code` is stable. */
export interface Fault {
  t: "fault";
  code: string;
  about?: string; // "" when left out
}

/** Whether the player of a seat is connected now; who is not has been away from this moment on. */
export interface Presence {
  t: "presence";
  seat: number;
  here: boolean;
}

/** The player of a seat says a phrase; the client has the words, or the picture. */
export interface Said {
  t: "said";
  seat: number;
  phrase: "angry" | "bye" | "clap" | "cry" | "good_game" | "good_luck" | "ha" | "hello" | "hurry" | "laugh" | "nice_card" | "once_more" | "oops" | "shock" | "sleep" | "smile" | "sorry" | "thanks" | "think" | "well_played" | "wink" | "your_turn";
}

/** Answers `ping`; `ms` is the server's clock. */
export interface Pong {
  t: "pong";
  n: number;
  ms: number;
}

/**
 * Asks for tables, by what they have in common; what is left out does not matter.
 *
 * `stake` 0 are free tables, another number those of at most that stake; `free` those with an empty seat.
 */
export interface Filter {
  t: "filter";
  deck?: number;
  seats?: number;
  transfer?: boolean;
  scope?: string;
  cheating?: boolean;
  stake?: number;
  free?: boolean;
}

/** A table that everybody may find: `options` are those that differ from their defaults, `deck` and `seats` always. */
export interface OpenTable {
  id: string;
  options: Record<string, boolean | number | string>;
  players: Player[];
  stage: string;
  free?: number; // 0 when left out
  password?: boolean; // false when left out
}

/** The tables that pass the filter now, the newest first. */
export interface Listed {
  t: "tables";
  tables: OpenTable[];
}

/** A table that passes the filter is new, or has changed. */
export interface Changed {
  t: "table";
  table: OpenTable;
}

/** A table that was listed is not to be shown any more. */
export interface Gone {
  t: "gone";
  id: string;
}

/**
 * A table to open: a preset and what differs from it.
 *
 * The asker gets seat 0. `bots` are the levels of the other seats, from seat 1 on, and nothing for a seat that waits for a person;
 * without it all of them are easy bots, at a staked table persons. Without `name` a guest keeps the last one. A table that is not
 * `private` is found in the lobby. Whoever wants to sit down has to know the `password`, if there is one.
 */
export interface NewTable {
  preset?: string; // "peak" when left out
  options?: Record<string, boolean | number | string>; // {} when left out
  bots?: (string | null)[] | null;
  name?: string | null;
  private?: boolean; // true when left out
  password?: string | null;
}

/** A table was opened: `socket` is the path of its websocket, `link` that of its page, to invite others with. */
export interface TableOpened {
  id: string;
  seat: number;
  socket: string;
  link: string;
}

/** Takes a seat of a table, the first empty one if none is named. */
export interface JoinTable {
  seat?: number | null;
  name?: string | null;
  password?: string | null;
}

/** The asker sits at `seat`, also if it was so before. */
export interface Joined {
  id: string;
  seat: number;
  socket: string;
}

/** What anybody may know of a table without watching it. `seat` is the asker's own; `games` have been opened so far. */
export interface TableCard {
  id: string;
  options: Record<string, boolean | number | string>;
  players: Player[];
  games: number;
  stage: string;
  seq: number;
  socket: string;
  seat?: number;
  private?: boolean; // false when left out
  password?: boolean; // false when left out
  host?: number;
}

/** The answer of `GET /api/tables`. */
export interface Tables {
  tables: OpenTable[];
}

/** One posting of one's own, numbered from 1: `kind` is `grant`, `refill`, `stake`, `payout` or `refund`; one had `balance` then. */
export interface CoinLine {
  number: number;
  at: number;
  kind: string;
  coins: number;
  balance: number;
  game?: string;
}

/** One's own coins, and every posting, the newest first; the next page is what comes before the last line's number. */
export interface Coins {
  coins?: number;
  lines?: CoinLine[]; // [] when left out
}

/** A set of option values; `change` are the options that may still differ from it. */
export interface Preset {
  name: string;
  values: Record<string, boolean | number | string>;
  change: string[];
}

/**
 * An option of a table.
 *
 * `values` are all that it may have, the default first; without them it is a whole number from `least` to `most`.
 * `group` is `main`, `advanced` or `library` (not on the screen).
 */
export interface Option {
  name: string;
  group: string;
  default: boolean | number | string;
  values?: (boolean | number | string)[]; // [] when left out
  least?: number;
  most?: number;
}

/** A deck that cannot give six cards to so many seats (R1.2). */
export interface Undealable {
  deck: number;
  seats: number;
}

/** Everything that the screen for a new table offers. */
export interface Choices {
  presets: Preset[];
  options: Option[];
  undealable: Undealable[];
  levels: string[];
}

/** The server answers; `form` is the form of the rules engine: `compiled` or `interpreted`. */
export interface Health {
  ok: boolean;
  version: string;
  form: string;
  tables: number;
}

/** Why a request changed nothing; `code` is stable and the key of its translation, `about` the word that it is about. */
export interface Problem {
  code: string;
  about?: string; // "" when left out
}

/** A passkey of an account: when it was added and last used, in milliseconds. */
export interface Passkey {
  id: string;
  name: string;
  created: number;
  used?: number;
}

/**
 * Who asks: a stranger has no `id`, a guest has one, and an `account` can be come back to from anywhere.
 *
 * `login` is the name to log in with. `coins` are there after the first staked table.
 */
export interface Me {
  id?: string;
  name?: string; // "" when left out
  avatar?: number; // 0 when left out
  language?: string;
  coins?: number;
  account?: boolean; // false when left out
  login?: string;
  password?: boolean; // false when left out
  passkeys?: Passkey[]; // [] when left out
}

/** Changes what is there; a stranger becomes a guest by it. */
export interface ChangeMe {
  name?: string | null;
  avatar?: number | null;
  language?: "az" | "en" | "it" | "lt" | "ru" | "tr" | null;
}

/** Makes an account of the guest, to be logged in to with the guest's name and this password. */
export interface NewAccount {
  password: string;
}

/** Changes the password, or gives one to an account without; every other browser is logged out. */
export interface NewPassword {
  new: string;
  old?: string | null;
}

/** Logs in to an account. */
export interface Login {
  name: string;
  password: string;
}

/** Logs this browser out, or every browser. */
export interface Logout {
  everywhere?: boolean; // false when left out
}

/** What the browser is asked with: the JSON form of the options of `navigator.credentials.create` or `.get`. */
export interface PasskeyOptions {
  options: Record<string, unknown>;
}

/** A passkey that the browser has made, in its JSON form; `name` is its owner's word for it. */
export interface NewPasskey {
  credential: Record<string, unknown>;
  name?: string; // "" when left out
}

/** A browser's answer to the options of a login, in its JSON form. */
export interface PasskeyLogin {
  credential: Record<string, unknown>;
}

/** How many finished games; how often first out, the durak, and neither since the game was drawn. */
export interface Score {
  games: number;
  first?: number; // 0 when left out
  durak?: number; // 0 when left out
  drawn?: number; // 0 when left out
}

/** The score at tables of one kind; `staked` ones are those for coins. */
export interface KindScore {
  deck: number;
  seats: number;
  games: number;
  transfer?: boolean; // false when left out
  cheat?: boolean; // false when left out
  staked?: boolean; // false when left out
  first?: number; // 0 when left out
  durak?: number; // 0 when left out
  drawn?: number; // 0 when left out
}

/** What everybody may know of a player; the kinds most played come first. `blocked`: the asker has blocked the player. */
export interface Profile {
  id: string;
  name: string;
  since: number;
  score: Score;
  avatar?: number; // 0 when left out
  account?: boolean; // false when left out
  kinds?: KindScore[]; // [] when left out
  blocked?: boolean; // false when left out
}

/**
 * A finished game of one's own, numbered from 1: game `game` of `table`, which ended `at` that millisecond.
 *
 * `options` are those that differ from their defaults, `deck` and `seats` always. `place` counts from 1, the durak has none.
 * `coins` is what came of the stake: below 0 where it was lost.
 */
export interface PlayedGame {
  number: number;
  table: string;
  game: number;
  at: number;
  options: Record<string, boolean | number | string>;
  players: Player[];
  seat: number;
  place?: number;
  durak?: boolean; // false when left out
  drawn?: boolean; // false when left out
  coins?: number;
}

/** One's own finished games, the newest first; the next page is what comes before the last one's number. */
export interface Games {
  games?: PlayedGame[]; // [] when left out
}

/**
 * A series of one's own, numbered from 1, with the score after its last game so far, which ended `at` that millisecond.
 *
 * By seat: `wins` of the first out and `losses` of the durak; `standing` lists the seats, the best first (R12). `of` 0 is open-ended.
 */
export interface PlayedSeries {
  number: number;
  table: string;
  first: number;
  at: number;
  options: Record<string, boolean | number | string>;
  players: Player[];
  seat: number;
  games: number;
  wins: number[];
  losses: number[];
  standing: number[];
  of?: number; // 0 when left out
  over?: boolean; // false when left out
}

/** One's own series, the last played first; the next page is what comes before the last one's number. */
export interface SeriesList {
  series?: PlayedSeries[]; // [] when left out
}

/** Somebody whom one has blocked. */
export interface BlockedPlayer {
  id: string;
  name: string;
  avatar?: number; // 0 when left out
}

/** Everybody whom one has blocked, the last one first. */
export interface Blocks {
  players?: BlockedPlayer[]; // [] when left out
}

/** Tells the operator about the player of a seat at a table. */
export interface NewReport {
  table: string;
  seat: number;
  reason: "cheating" | "name" | "other" | "phrases" | "stalling";
  words?: string; // "" when left out
}

/** The report is kept, under this number. */
export interface Reported {
  number: number;
}

export type ClientMessage =
  | Hello
  | Play
  | SeedCommit
  | SeedReveal
  | Again
  | TakeBack
  | Leave
  | Ready
  | SeatBot
  | UnseatBot
  | Say
  | Ping;

export type Event =
  | Attacked
  | Beaten
  | Transferred
  | Showed
  | Took
  | Passed
  | Accepted
  | Challenged
  | Returned
  | Resigned
  | BoutOver
  | Drew
  | WentOut
  | Opened
  | SeedCommitted
  | SeedRevealed
  | SeedAbsent
  | Dealt
  | GameOver
  | Autopilot
  | TimeGiven
  | AskedAgain
  | SeatTaken
  | SeatLeft
  | Redressed
  | ReadySet
  | TableClosed;

export type ServerMessage =
  | Welcome
  | Update
  | Ack
  | Refused
  | Fault
  | Presence
  | Said
  | Pong;

export type LobbyMessage =
  | Filter
  | Ping;

export type LobbyAnswer =
  | Listed
  | Changed
  | Gone
  | Fault
  | Pong;
