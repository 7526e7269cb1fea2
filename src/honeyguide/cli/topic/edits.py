"""Changes to a taxonomy as the command line writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from honeyguide.cli import terminal
from honeyguide.cli.topic.given import Web, read_given, warn_of_languages
from honeyguide.errors import SettingsError

if TYPE_CHECKING:
    from honeyguide.topics.taxonomy import Taxonomy


@dataclass(frozen=True, slots=True)
class Edits:
    """Changes of each kind, applied in this order; a good mark can so move from a topic to one below it."""

    add: Sequence[str] = ()
    rename: Sequence[str] = ()
    move: Sequence[str] = ()
    move_example: Sequence[str] = ()
    refine: Sequence[str] = ()
    not_good: Sequence[str] = ()
    good: Sequence[str] = ()
    remove: Sequence[str] = ()
    remove_example: Sequence[str] = ()
    add_example: Sequence[str] = ()

    def count(self) -> int:
        """How many there are."""
        return sum(len(getattr(self, field.name)) for field in fields(self))

    def apply(self, taxonomy: Taxonomy, web: Web) -> None:
        """Make all of them, or raise."""
        for path in self.add:
            taxonomy.add_topic(path)
        for text in self.rename:
            taxonomy.rename_topic(*_pair("--rename", text, "PATH=NAME"))
        for text in self.move:
            taxonomy.move_topic(*_pair("--move", text, "PATH=PARENT"))
        for text in self.move_example:
            number, path = _pair("--move-example", text, "N=PATH")
            taxonomy.move_examples(_numbers("--move-example", number), path)
        for text in self.refine:
            self._refine(taxonomy, text)
        for path in self.not_good:
            taxonomy.unmark(path)
        for path in self.good:
            self._mark_good(taxonomy, path)
        self._remove(taxonomy)
        for text in self.add_example:
            path, place = _pair("--add-example", text, "PATH=FILE")
            taxonomy.tree.find(path)  # before anything is fetched
            examples = read_given([place], web)
            warn_of_languages(examples, taxonomy.documents.language)
            taxonomy.add_examples(path, examples)

    def _mark_good(self, taxonomy: Taxonomy, path: str) -> None:
        tree = taxonomy.tree
        taxonomy.mark_good(path)
        for above in tree.good.intersection(tree.ancestors(tree.find(path))):
            terminal.note(f"{path} is wanted already, as a part of {tree.path(above)}")

    def _remove(self, taxonomy: Taxonomy) -> None:
        """Examples first, and all at once: whatever is taken out gives others new numbers."""
        numbers = [number for text in self.remove_example for number in _numbers("--remove-example", text)]
        if numbers:
            taxonomy.remove_examples(numbers)
        for path in self.remove:
            taxonomy.remove_topic(path)

    def _refine(self, taxonomy: Taxonomy, text: str) -> None:
        path, _, numbers = text.rpartition("=")
        above, _, name = path.rpartition("/")
        if not name:
            raise SettingsError(f"--refine: {text!r} should be PATH/NEW=N,N,...")
        taxonomy.refine(above, {name: _numbers("--refine", numbers)})


def _pair(option: str, text: str, form: str) -> tuple[str, str]:
    left, sign, right = text.partition("=")
    if not sign or not left:
        raise SettingsError(f"{option}: {text!r} should be {form}")
    return left, right


def _numbers(option: str, text: str) -> list[int]:
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        raise SettingsError(
            f"{option}: {text!r} should be numbers of examples; `honeyguide topic tree FILE --examples PATH` lists them"
        ) from None
