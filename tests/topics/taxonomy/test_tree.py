import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.errors import TopicError
from honeyguide.topics.taxonomy.tree import MAX_DEPTH, ROOT, TopicTree, clean_name


def small_tree() -> TopicTree:
    tree = TopicTree()
    tree.place(["Arts", "Music", "Jazz"])
    tree.place(["Arts", "Film"])
    tree.place(["Science"])
    return tree


def test_paths_lead_to_topics_and_back():
    tree = small_tree()
    assert tree.path(tree.find("Arts/Music/Jazz")) == "Arts/Music/Jazz"
    assert tree.find("") == ROOT
    assert tree.path(ROOT) == ""
    assert [tree.names[child] for child in tree.children(tree.find("Arts"))] == ["Music", "Film"]
    assert tree.depths().tolist() == [0, 1, 2, 3, 2, 1]


def test_an_unknown_path_names_its_nearest_neighbor():
    with pytest.raises(TopicError, match=r"no topic 'Arts/Musik'.*Music"):
        small_tree().find("Arts/Musik")


def test_neither_case_nor_underscores_matter_where_no_name_is_the_same():
    tree = small_tree()
    tree.place(["Arts", "Folk music"])
    folk = tree.find("Arts/Folk music")
    assert tree.find("arts/folk_Music") == folk
    jazz = tree.place(["Arts", "music"])
    assert tree.find("Arts/music") == jazz
    with pytest.raises(TopicError, match="'Arts/MUSIC' may be Arts/Music or Arts/music"):
        tree.find("Arts/MUSIC")


def test_a_removed_topic_takes_all_below_it_along():
    tree = small_tree()
    tree.mark_good(tree.find("Arts/Music/Jazz"))
    tree.mark_good(tree.find("Science"))
    assert tree.remove(tree.find("Arts/Music")).tolist() == [0, 1, -1, -1, 2, 3]
    assert [tree.path(node) for node in range(len(tree))] == ["", "Arts", "Arts/Film", "Science"]
    assert tree.good == {tree.find("Science")}
    assert tree.place(["Arts", "Music"]) == 4
    with pytest.raises(TopicError, match="root stands for everything"):
        tree.remove(ROOT)


def test_no_good_topic_lies_above_another():
    tree = small_tree()
    tree.mark_good(tree.find("Arts/Music"))
    with pytest.raises(TopicError, match="'Arts' lies above 'Arts/Music'"):
        tree.mark_good(tree.find("Arts"))
    with pytest.raises(TopicError, match="'Arts/Music' lies above 'Arts/Music/Jazz'"):
        tree.mark_good(tree.find("Arts/Music/Jazz"))
    tree.mark_good(tree.find("Science"))
    tree.unmark(tree.find("Arts/Music"))
    tree.mark_good(tree.find("Arts"))
    assert {tree.path(node) for node in tree.good} == {"Arts", "Science"}


def test_a_move_cannot_put_one_good_topic_below_another():
    tree = small_tree()
    tree.mark_good(tree.find("Arts/Music/Jazz"))
    tree.mark_good(tree.find("Science"))
    with pytest.raises(TopicError, match="cannot both be good"):
        tree.move(tree.find("Arts/Music"), tree.find("Science"))
    assert tree.find("Arts/Music/Jazz")


def test_a_topic_cannot_be_moved_below_itself():
    tree = small_tree()
    for target in ("Arts", "Arts/Music", "Arts/Music/Jazz"):
        with pytest.raises(TopicError, match="below itself"):
            tree.move(tree.find("Arts"), tree.find(target))


def test_moving_and_renaming_change_the_paths_of_all_below():
    tree = small_tree()
    jazz = tree.find("Arts/Music/Jazz")
    tree.move(tree.find("Arts/Music"), tree.find("Science"))
    tree.rename(tree.find("Science"), "Acoustics")
    assert tree.path(jazz) == "Acoustics/Music/Jazz"
    assert tree.subtree(tree.find("Acoustics")) == {
        tree.find("Acoustics"),
        jazz,
        tree.find("Acoustics/Music"),
    }
    with pytest.raises(TopicError, match="no topic"):
        tree.find("Arts/Music")


@pytest.mark.parametrize("name", ["", "a/b", "two\nlines", " edge ", "x" * 201, "\ud800"])
def test_names_that_make_no_path_are_refused(name):
    with pytest.raises(TopicError, match="no name"):
        TopicTree().add(name)


def test_the_root_can_neither_be_good_nor_moved_nor_renamed():
    tree = small_tree()
    for change in (tree.mark_good, lambda node: tree.move(node, 1), lambda node: tree.rename(node, "x")):
        with pytest.raises(TopicError, match="root stands for everything"):
            change(ROOT)


def test_two_topics_of_one_name_in_one_place_are_refused():
    with pytest.raises(TopicError, match="already"):
        small_tree().add("Arts")
    with pytest.raises(TopicError, match="Arts: the topic is there twice"):
        TopicTree(["Top", "Arts", "Arts"], [-1, 0, 0])


@pytest.mark.parametrize(
    ("parents", "reason"),
    [
        ([-1, 2, 1], "cycle"),
        ([-1, 1], "cycle"),
        ([-1, 7], "does not exist"),
        ([-1, -1], "does not exist"),
        ([0, 0], "needs a root"),
        ([-1], "needs a root"),
    ],
)
def test_what_is_no_tree_is_refused(parents, reason):
    with pytest.raises(TopicError, match=reason):
        TopicTree(["Top", *"abcdef"[: max(1, len(parents) - 1)]], parents)


def test_depth_is_bounded():
    tree = TopicTree()
    bottom = tree.place(["x"] * MAX_DEPTH)
    with pytest.raises(TopicError, match="levels deep"):
        tree.add("x", bottom)
    with pytest.raises(TopicError, match="levels deep"):
        tree.move(tree.place(["y", "z"]), bottom)
    with pytest.raises(TopicError, match="more than"):
        TopicTree(["Top", *["x"] * (MAX_DEPTH + 1)], range(-1, MAX_DEPTH + 1))


@given(st.text())
def test_a_cleaned_name_stays_as_it_is(text):
    assert clean_name(clean_name(text)) == clean_name(text)
