"""The console's scripts that only count and write, each function by itself, in the browser that runs them."""

import re
import struct
from pathlib import Path

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.serve.cells import Grid
from honeyguide.serve.columns import curve
from tests.serve.console.conftest import WEB
from tests.serve.console.test_files import OWN

CASES = Path(__file__).with_name("modules.js")


@pytest.fixture(scope="module")
def opened(browser, served):
    """A tab whose clock is that of Greenwich, to which the cases are a script of the console."""
    context = browser.new_context(timezone_id="UTC")
    tab = context.new_page()
    tab.route("**/console/cases.js", lambda route: route.fulfill(path=CASES, content_type="text/javascript"))
    tab.goto(f"{served.url}/console/#/nowhere")
    yield tab
    context.close()


def asked(tab, question, given=None, module="cases"):
    return tab.evaluate(f"given => import('/console/{module}.js').then((own) => {question})", given)


def test_every_function_gives_what_it_should(opened):
    assert asked(opened, "own.failures()") == []
    assert asked(opened, "Object.keys(own.CASES).length") > 15


def test_dots_are_read_as_the_server_writes_them(opened, tmp_path):
    crawl = hg.Crawl.start(tmp_path / "c", WEB.description("bees"), WEB.seeds("bees"), web=WEB)
    crawl.run(pages=50)
    grid = Grid()
    with crawl.reader() as reader:
        grid.grow(reader)
        first, drawn = grid.cells(reader, 0), curve(reader, 100)
    crawl.run(pages=60)
    with crawl.reader() as reader:
        grid.grow(reader)
        since, whole = grid.cells(reader, 50), grid.cells(reader, 0)
    step, at_once = (
        asked(opened, "own.known(given)", [*map(list, parts)]) for parts in ((first, since), (whole,))
    )
    assert step == at_once
    assert step[0] == 60
    assert sum(pages for _, pages, _ in step[1]) == sum(page.visit.copy_of is None for page in crawl.visits())
    count = struct.unpack_from("<4sI", drawn)[1]
    assert count > 0
    assert np.allclose(
        asked(opened, "own.rates(given)", [*drawn]), np.frombuffer(drawn, "<f4", count, 16 + 12 * count)
    )


def test_what_is_no_column_is_refused(opened):
    with pytest.raises(Exception, match="where HGG1 was expected"):
        asked(opened, "own.known([Array(64).fill(0)])")


def test_every_term_that_is_used_has_its_sentence(opened):
    text = "".join(path.read_text(encoding="utf-8") for path in OWN)
    used = set(re.findall(r"\bword(?:=|: )[\"']([^\"'$]+)[\"']", text))
    assert len(used) > 10
    assert used <= set(asked(opened, "Object.keys(own.WORDS)", module="words"))
