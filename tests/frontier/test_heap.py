"""The heap against sorting."""

from array import array

from hypothesis import given
from hypothesis import strategies as st

from honeyguide.frontier.heap import Order

KEYS = st.lists(st.integers(0, 5).map(float), min_size=1, max_size=40)


def order_over(keys: list[float]) -> Order:
    return Order(array("d", keys), range(len(keys)), array("i", [0] * len(keys)))


def drain(order: Order, heap: "array[int]") -> list[int]:
    return [order.pop(heap) for _ in range(len(heap))]


def best_first(keys: list[float], items: list[int]) -> list[int]:
    return sorted(items, key=lambda item: (-keys[item], item))


@given(KEYS)
def test_pops_greatest_first_and_ties_in_order(keys):
    order, heap = order_over(keys), array("i")
    for item in range(len(keys)):
        order.add(heap, item)
    assert drain(order, heap) == best_first(keys, list(range(len(keys))))


@given(KEYS, st.data())
def test_changed_and_removed_items_end_up_right(keys, data):
    order, heap = order_over(keys), array("i")
    items = list(range(len(keys)))
    for item in items:
        order.add(heap, item)
    for item in data.draw(st.lists(st.sampled_from(items), max_size=20)):
        before = keys[item]
        keys[item] = order.key[item] = data.draw(st.integers(0, 5).map(float))
        if data.draw(st.booleans()):
            order.update(heap, item)
        else:
            order.move(heap, item, before)
    gone = data.draw(st.sets(st.sampled_from(items)))
    for item in gone:
        order.remove(heap, item)
    assert drain(order, heap) == best_first(keys, [item for item in items if item not in gone])
