"""Languages: every sentence for people comes from message files, in the reader's language.

`say` returns a message of our own by its key; `translated` returns a text of a box. Both use the language
that `use_language` has chosen, or else English. See ``docs/languages.md``.

>>> from flagfall.languages import say, use_language
>>> say("duration.minute", number=2)
'2 minutes'
>>> with use_language("fr"):
...     say("duration.minute", number=0)
'0 minute'
"""

from flagfall.languages.boxes import Phrase, cached_by_language, load_language, translated, translated_fields
from flagfall.languages.current import (
    ENGLISH,
    LANGUAGES,
    choose_language,
    current_language,
    use_language,
)
from flagfall.languages.lists import PhraseList, listed
from flagfall.languages.messages import Quotation, say

__all__ = [
    "ENGLISH",
    "LANGUAGES",
    "Phrase",
    "PhraseList",
    "Quotation",
    "cached_by_language",
    "choose_language",
    "current_language",
    "listed",
    "load_language",
    "say",
    "translated",
    "translated_fields",
    "use_language",
]
