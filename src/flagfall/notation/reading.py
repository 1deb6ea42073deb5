"""Read the text of a turn as Actions; a `NotationError` says where it is wrong.

With a `View` ``d4 d5`` becomes a move or an attack, and an attack on an empty square is refused. Without one,
the text alone decides. Legality is not checked.

>>> from flagfall.edition import load_game
>>> game = load_game("onyx/classic")
>>> [action.verb for action in read_turn(game, "d9-d10 rescue general b2")]
[7, 4, 5]
"""

from __future__ import annotations

from collections.abc import Iterator

from flagfall.board import DIRECTION_NAMES, DIRECTIONS, MAX_COLUMNS, MAX_ROWS, Board, cell_name, parse_cell
from flagfall.edition.schema import Game
from flagfall.edition.verbs import VERB_BY_TOKEN
from flagfall.engine.action import ATTACK, CHOOSE_CELL, CHOOSE_KIND, MOVE, RESCUE, SPOT, TWO_STEP, Action
from flagfall.errors import quoted
from flagfall.languages import listed, say
from flagfall.notation.actions import CHOOSING
from flagfall.notation.errors import NotationError, error_at
from flagfall.notation.names import count_name_words, kinds_called, kinds_listed
from flagfall.notation.tokens import KIND_MARK, POWER_WORD, STEP, STRIKE, Stop, Word, split_words
from flagfall.view.view import View

MAX_TURN_CHARS = 1000
"""maximum length of a turn's text; the longest turn, forty captures in a chain, has 240"""
_LARGEST_BOARD = Board(MAX_COLUMNS, MAX_ROWS, 0)


def read_turn(game: Game, text: str, view: View | None = None) -> tuple[Action, ...]:
    """Return the actions of a turn, or of the rest of an open one; `NotationError` if it cannot be read."""
    return _Reader(text, game, view).turn()


def check_turn(text: str) -> None:
    """Refuse a text that is not a turn on any board; names of pieces are not checked."""
    _Reader(text, None, None).turn()


def an_action() -> str:
    """Return what is expected where an action begins."""
    return say("typing.expected.action")


def _reason(why: str, word: Word) -> str:
    return say(f"typing.reason.{why}", text=quoted(word.text))


class _Reader:
    """Reads the words once, from left to right."""

    def __init__(self, text: str, game: Game | None, view: View | None) -> None:
        if len(text) > MAX_TURN_CHARS:
            reason = say("typing.reason.too-long", number=str(len(text)))
            expected = say("typing.expected.short-turn", number=str(MAX_TURN_CHARS))
            raise error_at(text, MAX_TURN_CHARS, reason, expected)
        self.text, self.game, self.view = text, game, view
        self.legal: frozenset[Action] = frozenset(view.legal) if view else frozenset()
        self.board = game.board if game else _LARGEST_BOARD
        self.words = split_words(text)
        self.at = 0
        self.actions: list[Action] = []

    def turn(self) -> tuple[Action, ...]:
        if not self.words:
            raise self._cut_off(say("typing.reason.nothing"), an_action())
        while self.at < len(self.words):
            self._action()
        return tuple(self.actions)

    def _action(self) -> None:
        word = self._next()
        if word.form == "path":
            self._path(word)
        elif word.form == "cell choice":
            self._add(CHOOSE_CELL, target=self._cell(word.stops[0]))
        elif word.form == "keyword":
            self._keyword(word)
        else:
            self.at -= 1
            self._kind(None)

    def _keyword(self, word: Word) -> None:
        if word.keyword == POWER_WORD:
            raise self._wrong(word, say("typing.reason.power"), say("typing.expected.shot"))
        verb = VERB_BY_TOKEN[word.keyword]
        if verb.form == "done":
            self._add(verb.code)
        elif verb.form == "advance":
            self._add(verb.code, choice=self._direction(word))
        else:
            example = say("typing.expected.example", example=f"d4 {word.keyword}")
            raise self._wrong(word, _reason("needs-square", word), example)

    def _path(self, word: Word) -> None:
        """Read a word of squares and what follows it."""
        stops = word.stops
        if word.is_square and not self._is_choosing() and self._peek_square():
            stops += self._next().stops
        if len(stops) == 1:
            self._from_one_square(stops[0])
        elif len(stops) == 2:
            self._from_two_squares(stops[0], stops[1])
        elif len(stops) == 3:
            self._two_step(stops[0], stops[1], stops[2])
        else:
            raise self._wrong(stops[3], say("typing.reason.long-path"), say("typing.expected.two-steps"))

    def _from_one_square(self, stop: Stop) -> None:
        cell, verb = self._cell(stop), VERB_BY_TOKEN.get(self._peek_keyword())
        if verb is not None and verb.form == "spot":
            self._spot(cell, cell)
        elif verb is not None and verb.form == "aim":
            word = self._next()
            target = self._cell(self._square_after(word))
            self._add(verb.code, cell, target, self._power())
        elif verb is not None and verb.form == "after step":
            self._next()
            self._after_step(verb.code, cell, cell)
        else:
            self._add(CHOOSE_CELL, target=cell)

    def _from_two_squares(self, start: Stop, end: Stop) -> None:
        origin, target, verb = self._cell(start), self._cell(end), VERB_BY_TOKEN.get(self._peek_keyword())
        if end.mark not in ("", STEP, STRIKE):
            self._add(VERB_BY_TOKEN[end.mark].code, origin, target)
            return
        attacks = self._attacks(origin, end)
        follows_step = verb is not None and verb.form in ("spot", "after step")
        if verb is not None and follows_step and end.mark == STRIKE and not verb.may_attack:
            step = f"{start.square}-{end.square} {verb.token}"
            raise self._wrong(end, say("typing.reason.no-attack", verb=verb.token), step)
        if verb is not None and verb.form == "spot":
            self._spot(origin, target)
        elif verb is not None and verb.form == "after step":
            self._next()
            self._after_step(verb.code, origin, target)
        else:
            self._add(ATTACK if attacks else MOVE, origin, target)

    def _after_step(self, verb: int, origin: int, target: int) -> None:
        self._add(verb, origin, target)
        if verb == RESCUE and self._peek_kind():
            self._kind(own=True)

    def _two_step(self, start: Stop, middle: Stop, end: Stop) -> None:
        cells = [self._cell(stop) for stop in (start, middle, end)]
        for stop, step in ((middle, cells[1] - cells[0]), (end, cells[2] - cells[1])):
            if step not in DIRECTIONS or stop.mark not in ("", STEP, STRIKE):
                reason = say("typing.reason.not-one-step", square=stop.square)
                raise self._wrong(stop, reason, say("typing.expected.single-steps"))
        if middle.mark == STRIKE:
            alone = say("typing.expected.alone", action=f"{start.square}x{middle.square}")
            raise self._wrong(middle, say("typing.reason.attack-ends"), alone)
        self._attacks(cells[0], end)
        self._add(TWO_STEP, cells[0], cells[2], DIRECTIONS.index(cells[1] - cells[0]))

    def _spot(self, origin: int, stand: int) -> None:
        stop = self._square_after(self._next())
        direction = self._cell(stop) - stand
        if direction not in DIRECTIONS:
            near = [cell_name(stand + step) for step in DIRECTIONS if stand + step in self.board]
            reason = say("typing.reason.not-next-to", square=stop.square, stand=cell_name(stand))
            raise self._wrong(stop, reason, listed(near, "or"))
        self._add(SPOT, origin, stand, DIRECTIONS.index(direction))
        if self._peek_kind():
            self._kind(own=False)

    def _attacks(self, origin: int, end: Stop) -> bool:
        """Return whether a step onto a square is an attack; refuse an attack that the View rules out."""
        if self.view is None:
            return end.mark == STRIKE
        piece = self.view.at(end.square)
        is_enemy = piece is not None and piece.side != self.view.to_move
        is_offered = Action(ATTACK, origin, parse_cell(end.square)) in self.legal
        if end.mark == STRIKE and not (is_enemy or is_offered or self.actions):
            if piece:
                reason = say("typing.reason.own-piece", square=end.square)
                raise self._wrong(end, reason, say("typing.expected.enemy-square"))
            move = say("typing.expected.move", action=f"{cell_name(origin)}-{end.square}")
            raise self._wrong(end, say("typing.reason.empty", square=end.square), move)
        return is_enemy or is_offered or end.mark == STRIKE

    def _kind(self, own: bool | None) -> None:
        """Read the longest sequence of words that names a kind."""
        first = self.words[self.at]
        if first.form == "kind choice":
            self.at += 1
            self._add(CHOOSE_KIND, choice=self._exact_kind(first))
            return
        if self.game is None:
            last = self.at + sum(1 for _ in self._names())
            self._check_names(self.words[self.at : last])
            self.at = last
            self._add(CHOOSE_KIND)
            return
        count = count_name_words(self.game, self._names())
        if count == 0:
            raise self._unknown_kind(first)
        name = " ".join(word.text for word in self.words[self.at : self.at + count])
        found = self._narrowed(kinds_called(self.game, name), own)
        if len(found) > 1:
            kinds = kinds_listed(self.game, found)
            reason = say("typing.reason.ambiguous", text=quoted(name), kinds=kinds)
            raise self._wrong(first, reason, say("typing.expected.longer-name"))
        self.at += count
        self._add(CHOOSE_KIND, choice=found[0])

    def _names(self) -> Iterator[str]:
        """Yield the next words, up to the first that cannot be part of a name."""
        for at in range(self.at, len(self.words)):
            if self.words[at].form != "name":
                return
            yield self.words[at].text

    def _narrowed(self, kinds: list[int], own: bool | None) -> list[int]:
        """Return the kinds that are possible: the enemy's for a guess, the mover's own for a rescue."""
        if self.game is None or self.view is None or own is None or len(kinds) < 2:
            return kinds
        mover = self.view.to_move
        roster = self.game.rosters[mover if own else mover.other]
        return [kind for kind in kinds if roster[kind]] or kinds

    def _exact_kind(self, word: Word) -> int:
        name = word.text.removeprefix(KIND_MARK)
        if self.game is None:
            self._check_names([Word(name, word.offset, "name")])
            return 0
        found = [number for number, kind in enumerate(self.game.kinds) if kind.id == name]
        if not found:
            raise self._unknown_kind(word)
        return found[0]

    def _check_names(self, words: list[Word]) -> None:
        for word in words:
            if not word.text or not all(letter.isalnum() or letter in "-_'’.,()&!" for letter in word.text):
                raise self._wrong(word, _reason("neither", word), an_action())
            if not any(letter.isalnum() for letter in word.text) or word.text[-1] in "-_":
                raise self._wrong(word, _reason("breaks-off", word), an_action())

    def _unknown_kind(self, word: Word) -> NotationError:
        assert self.game is not None
        every = kinds_listed(self.game, list(range(len(self.game.kinds))))
        return self._wrong(
            word, _reason("not-in-game", word), say("typing.expected.action-or-kind", kinds=every)
        )

    def _direction(self, after: Word) -> int:
        expected = say("typing.expected.direction", directions=", ".join(DIRECTION_NAMES))
        if self.at == len(self.words):
            raise self._cut_off(_reason("no-direction", after), expected)
        word = self._next()
        if word.text.lower() not in DIRECTION_NAMES:
            raise self._wrong(word, _reason("not-direction", word), expected)
        return DIRECTION_NAMES.index(word.text.lower())

    def _power(self) -> int:
        """Return which of several powers is meant, from ``power 2``; the first by default."""
        if self._peek_keyword() != POWER_WORD:
            return 0
        word = self._next()
        number = self.words[self.at].text if self.at < len(self.words) else ""
        if not (number.isascii() and number.isdecimal() and len(number) < 4 and 1 <= int(number) <= 256):
            raise self._wrong(word, say("typing.reason.no-power-number"), say("typing.expected.power-number"))
        self._next()
        return int(number) - 1

    def _square_after(self, word: Word) -> Stop:
        if self.at == len(self.words):
            raise self._cut_off(_reason("no-square", word), say("typing.expected.square"))
        found = self._next()
        if not found.is_square:
            raise self._wrong(found, _reason("not-square", found), say("typing.expected.one-square"))
        return found.stops[0]

    def _cell(self, stop: Stop) -> int:
        try:
            cell = parse_cell(stop.square)
        except ValueError:
            cell = 0
        if cell not in self.board:
            corner = cell_name(max(self.board.cells()))
            reason = say("typing.reason.not-on-board", text=quoted(stop.square))
            raise self._wrong(stop, reason, say("typing.expected.from-to", corner=corner))
        return cell

    def _is_choosing(self) -> bool:
        if self.actions:
            return self.actions[-1].verb in CHOOSING
        return self.view is not None and any(action.verb == CHOOSE_CELL for action in self.view.legal)

    def _peek_kind(self) -> bool:
        return self.at < len(self.words) and self.words[self.at].form in ("name", "kind choice")

    def _peek_square(self) -> bool:
        return self.at < len(self.words) and self.words[self.at].is_square

    def _peek_keyword(self) -> str:
        return self.words[self.at].keyword if self.at < len(self.words) else ""

    def _next(self) -> Word:
        self.at += 1
        return self.words[self.at - 1]

    def _add(self, verb: int, origin: int = 0, target: int = 0, choice: int = 0) -> None:
        self.actions.append(Action(verb, origin, target, choice))

    def _cut_off(self, reason: str, expected: str) -> NotationError:
        return error_at(self.text, len(self.text), reason, expected)

    def _wrong(self, where: Word | Stop, reason: str, expected: str) -> NotationError:
        return error_at(self.text, where.offset, reason, expected)
