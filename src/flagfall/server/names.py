"""Names of people, and other short texts that people type and others read.

A name is normalised (NFKC, single spaces). It is refused if it has invisible characters, characters that
change the direction of the line, or stacks of marks; if one word mixes alphabets that look alike; or if it
looks like one of the server's own names. Ordinary names in any one script pass.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from random import SystemRandom
from typing import Literal

from flagfall.languages import listed, say
from flagfall.server.errors import RequestError

MAX_NAME, MAX_SETUP_NAME, MAX_NOTE, MAX_TAG = 30, 40, 12, 24
"""characters"""
MAX_TAGS = 6
"""tags of one saved setup"""
MAX_MARKS, MAX_MARKS_ON_LATIN = 3, 2
"""combining marks in a row, not counting composed letters: pointed Hebrew has three, Thai two"""
INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159")
"""letters, marks and symbols without ink that Unicode does not class as format characters"""
VARIATION_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
EMOJI_STYLE = {0xFE0E: None, 0xFE0F: None}
"""variation selectors that keyboards add to emoji; the name is the same without them"""
REFUSED_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Me", "Zl", "Zp"})
LOOKALIKE_SCRIPTS = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"})
RESERVED_WORDS = ("computer", "referee", "admin", "administrator", "moderator", "flagfall")
"""refused as a word of a name"""
RESERVED_NAMES = ("watcher", "truth", "south", "north", "server", "system", "root", "official", "staff")
"""refused as a whole name"""
RESERVED_START = "computer"
"""refused at the start of a name: computer players are called “Computer (Marshal)”"""

_LOOKS_LIKE = {
    "a": "аɑαᎪ@4ꓮᴀ",
    "b": "ЬвβᏴꓐʙ",
    "c": "сϲᏟⲥꓚᴄ",
    "d": "ԁɗᎠꓓᴅ",
    "e": "еёєεҽᎬ3ꓰᴇ",
    "f": "ғϝꓝꜰ",
    "g": "ɡԍᏀꓖɢ",
    "h": "һнηհᎻꓧʜ",
    "k": "кκᏦⲕꓗᴋ",
    "l": "iıіїιɩ1|!ӏlյjјᏞꓡʟɪᴊ",
    "m": "мμᎷⲙꓟᴍ",
    "n": "пηոռꓠɴ",
    "o": "оοσө0օоⲟꓳᴏ",
    "p": "рρᏢⲣꓑᴘ",
    "q": "ԛգ",
    "r": "гᎡꓣʀ",
    "s": "ѕꮪ5$ꓢꜱ",
    "t": "тτᎢ7ⲧꓔᴛ",
    "u": "υսцꓴᴜ",
    "v": "νѵᏙꓦᴠ",
    "w": "ԝωաѡᎳꓪᴡ",
    "x": "хχⲭꓫ",
    "y": "уүγуꓬʏ",
    "z": "ᏃꓜΖᴢ",
}
_SKELETON = str.maketrans(
    {
        form: letter
        for letter, looks in _LOOKS_LIKE.items()
        for look in looks
        for form in {look, look.casefold(), look.lower()}
        if len(form) == 1
    }
)


FIRST_WORDS = (
    "Brave", "Bright", "Calm", "Cheerful", "Clever", "Curious", "Daring", "Gentle", "Happy", "Honest",
    "Jolly", "Kind", "Lively", "Lucky", "Merry", "Mighty", "Nimble", "Patient", "Plucky", "Proud",
    "Quick", "Quiet", "Silent", "Sly", "Steady", "Sunny", "Swift", "Tiny", "Wise", "Witty",
)  # fmt: skip
SECOND_WORDS = (
    "Badger", "Bear", "Beaver", "Crane", "Deer", "Dolphin", "Eagle", "Falcon", "Ferret", "Fox",
    "Hare", "Hawk", "Hedgehog", "Heron", "Kestrel", "Lion", "Lynx", "Magpie", "Mole", "Newt",
    "Otter", "Owl", "Panda", "Puffin", "Rabbit", "Raven", "Robin", "Seal", "Squirrel", "Stoat",
    "Swan", "Tiger", "Toad", "Vole", "Wolf", "Wren",
)  # fmt: skip
"""the names of guests who have not chosen one: Brave Badger"""


def _default_names() -> Iterator[str]:
    names = [f"{first} {second}" for first in FIRST_WORDS for second in SECOND_WORDS]
    while True:
        yield from SystemRandom().sample(names, len(names))


_DEFAULT_NAMES = _default_names()


def next_default_name() -> str:
    """Return a name for a guest who has not chosen one; no name comes twice before all have come once."""
    return next(_DEFAULT_NAMES)


def normalise_name(text: str) -> str:
    """Return the name as it is stored, or refuse it and say what to change."""
    name = normalise_text(text, "name", MAX_NAME)
    if not any(unicodedata.category(letter)[0] in "LNS" for letter in name):
        raise RequestError("malformed", say("server.name.no-letter"))
    for word in name.split():
        scripts = {_script(letter) for letter in word if letter.isalpha()} & LOOKALIKE_SCRIPTS
        if len(scripts) > 1:
            mixed = listed(say(f"server.script.{script}") for script in sorted(scripts))
            raise RequestError("malformed", say("server.name.mixed", scripts=mixed))
    if is_reserved(name):
        raise RequestError("malformed", say("server.name.reserved"))
    return name


def normalise_text(text: str, what: Literal["name", "setup", "note", "tag"], max_length: int) -> str:
    """Return a short text normalised, or refuse it if it has unusual characters.

    >>> normalise_text("  Anne -\\u00a0Marie ", "name", 30)
    'Anne - Marie'
    """
    text = unicodedata.normalize("NFKC", text.translate(EMOJI_STYLE))
    spaced = "".join(" " if unicodedata.category(letter) == "Zs" else letter for letter in text)
    text = " ".join(part for part in spaced.split(" ") if part)
    marks = limit = 0
    for letter in text:
        if is_unprintable(letter):
            code = f"U+{ord(letter):04X}"
            raise RequestError("malformed", say("server.name.invisible", what=what, code=code))
        if unicodedata.category(letter)[0] == "M":
            marks += 1
        else:
            marks, limit = 0, MAX_MARKS_ON_LATIN if _script(letter) in LOOKALIKE_SCRIPTS else MAX_MARKS
        if marks > limit:
            raise RequestError("malformed", say("server.name.marks", what=what))
    if len(text) > max_length:
        raise RequestError("malformed", say("server.name.too-long", what=what, number=max_length))
    return text


def normalise_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return tags normalised, each once; a comma separates tags. Refuse too many or too long ones.

    >>> normalise_tags(["  against   Ben", "quick, Quick"])
    ('against Ben', 'quick')
    """
    parts = [normalise_text(part, "tag", MAX_TAG) for tag in tags for part in tag.split(",")]
    found = tuple({part.casefold(): part for part in reversed(parts) if part}.values())[::-1]
    if len(found) > MAX_TAGS:
        raise RequestError("malformed", say("server.name.tags", number=MAX_TAGS))
    return found


def is_unprintable(letter: str) -> bool:
    """Return whether a character is invisible, encloses others or changes the direction of the line."""
    return (
        unicodedata.category(letter) in REFUSED_CATEGORIES
        or letter in INVISIBLE
        or any(ord(letter) in selectors for selectors in VARIATION_SELECTORS)
    )


def is_reserved(name: str) -> bool:
    """Return whether a name looks like one that the server itself uses.

    >>> is_reserved("C0mputer (Marshal)"), is_reserved("Аdmin"), is_reserved("Anna North")
    (True, True, False)
    """
    whole = skeleton(name)
    words = {skeleton(word) for word in name.split()}
    return (
        whole.startswith(skeleton(RESERVED_START))
        or whole in map(skeleton, (*RESERVED_NAMES, *RESERVED_WORDS))
        or any(skeleton(word) in words for word in RESERVED_WORDS)
    )


def skeleton(text: str) -> str:
    """Return what a text looks like: lookalikes unified, without case, accents, spaces and punctuation."""
    letters = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold())
    looks = letters.translate(_SKELETON).replace("rn", "m").replace("vv", "w")
    return "".join(letter for letter in looks if letter.isalnum())


def _script(letter: str) -> str:
    """Return the script of a letter: the first word of its Unicode name."""
    return unicodedata.name(letter, "?").partition(" ")[0]
