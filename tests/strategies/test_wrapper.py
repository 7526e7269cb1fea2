import inspect

import pytest

from honeyguide.lab.timed_strategy import TimedStrategy
from honeyguide.strategies.base import Strategy
from honeyguide.strategies.distilled import Distilled
from honeyguide.strategies.wrapper import Wrapper

PUBLIC = {name for name in (*vars(Strategy), *Strategy.__annotations__) if not name.startswith("_")}
METHODS = sorted(name for name in PUBLIC if inspect.isfunction(getattr(Strategy, name, None)))
DECLARED = sorted(PUBLIC - set(METHODS) - {"name"})


def noting() -> Strategy:
    """Declares nothing that another does, notes how it is called, and answers with what it was given."""

    def method(name):
        def note(self, *given):
            self.calls.append((name, given))
            return None if inspect.signature(getattr(Strategy, name)).return_annotation == "None" else given

        return note

    own = {"name": "noting", "calls": [], **{name: object() for name in DECLARED}}
    return type("Noting", (Strategy,), own | {name: method(name) for name in METHODS})()


@pytest.mark.parametrize("wrapper", [Wrapper, TimedStrategy])
@pytest.mark.parametrize("name", DECLARED)
def test_all_that_a_strategy_declares_is_the_inner_one_s(name, wrapper):
    inner = noting()
    assert getattr(wrapper(inner), name) is getattr(inner, name)


@pytest.mark.parametrize("wrapper", [Wrapper, TimedStrategy])
@pytest.mark.parametrize("name", METHODS)
def test_all_that_a_strategy_can_do_the_inner_one_does(name, wrapper):
    inner = noting()
    given = tuple(
        [parameter] for parameter in list(inspect.signature(getattr(Strategy, name)).parameters)[1:]
    )
    answer = getattr(wrapper(inner), name)(*given)
    assert inner.calls == [(name, given)]
    assert answer == getattr(inner, name)(*given)


def test_distilled_declares_what_its_inner_strategy_does():
    wrapped = Distilled(inner="honeyguide")
    assert isinstance(wrapped, Wrapper)
    for name in set(DECLARED) - {"refresh_every", "values", "in_shards", "whole_every"}:
        assert getattr(wrapped, name) == getattr(wrapped.inner, name)
    assert wrapped.values.items() >= wrapped.inner.values.items()
