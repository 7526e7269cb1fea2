"""The whole story as a person lives it: from words to a topic, a crawl, corrections, a better crawl, and what it found.

The web is the sample web, served on loopback; whoever labels knows what each page is truly about. Bees are meant, and
the word is "queen", which the pages on chess have as often. Three examples tell the two apart, but the topic is narrow
then: it takes few pages for what they are. Ten labels, of pages that are meant and some that are not, widen it: more of
what was fetched is taken for what it is, and of what is fetched from then on more of what was meant is found.

The web is large enough not to run out of such pages while somebody looks on.
"""

from itertools import islice

import pytest

from honeyguide.parse import parse_page
from honeyguide.sample_web.server import serve
from honeyguide.sample_web.web import SampleWeb
from honeyguide.serve.workspace import Workspace
from honeyguide.topics.topic_file import read_topic
from tests.serve.conftest import wait_until
from tests.serve.console.conftest import LONG, LOST, expect, open_view, settle, tab_of

WEB = SampleWeb(pages=50_000, seed=3)
TOPIC, OTHER, NAME = "bees", "chess", "story"
TEXTS = "The queen of the colony.\n---\nThe queen takes the rook.\n---\nThe railway opened."
LABELS = 10
FEWEST = 3  # of either kind, before anybody would expect a topic to learn from them
SOON, LATER = (
    250,
    350,
)  # pages after the labels: until all is judged and ranked again, and then to see what came of it
PATIENCE = 90.0  # seconds; the same for pages


@pytest.fixture(scope="module")
def web():
    with serve(WEB, lifetime_seconds=1_800.0) as served:
        yield served


class Person:
    """Somebody at the console, who goes on with the story whatever becomes of the server."""

    def __init__(self, tab, server, web):
        self.tab, self.server, self.web = tab, server, web
        numbers = {web.address_of(name): number for number, name in enumerate(WEB.hosts.names)}
        self.host_of = lambda url: numbers[url.split("/")[2].split(":")[0]]

    def truth(self, url):
        """Whether a page is truly on the topic: the web knows."""
        host = WEB.hosts.names[self.host_of(url)]
        return TOPIC in WEB.labels(f"http://{host}/{url.split('/', 3)[3]}")

    def crawl(self):
        return self.server.crawl(NAME)

    def rightly_judged(self, pages):
        """How many of the first pages count as relevant and are on the topic, or do not and are not."""
        return sum(page.is_relevant == self.truth(page.url) for page in islice(self.crawl().visits(), pages))

    def pages(self):
        return self.server.pages(NAME)

    def wait_for_pages(self, more):
        wanted = self.pages() + more
        wait_until(lambda: self.pages() >= wanted, PATIENCE)

    def make_a_topic_from_words(self):
        tab = self.tab
        open_view(tab, self.server, "new-topic")
        tab.get_by_label("What are good pages about?").fill("queen")
        tab.get_by_label("Texts").fill(TEXTS)
        tab.get_by_text("2 of 3 pages would count as relevant.").wait_for()
        tab.get_by_label("Name of the topic").fill(TOPIC)
        tab.get_by_role("button", name="Save the topic").click()
        tab.get_by_text(f"The topic {TOPIC} is saved.").wait_for(timeout=LONG)

    def improve_it_by_three_examples(self):
        tab = self.tab
        tab.get_by_role("link", name="Examples", exact=False).first.click()
        for number in list(WEB.target_numbers(TOPIC))[5:8]:
            tab.get_by_label("Urls, or the text of a page").fill(WEB.html(number).decode())
            tab.get_by_role("button", name="Add as meant", exact=True).click()
        tab.get_by_text("A class of its own").click()
        tab.get_by_role("button", name="Make it from 3 examples").click()
        tab.get_by_role("heading", name="Classes").wait_for(timeout=LONG)

    def share_taken(self, topic, pages=40):
        """How many pages of a topic of the web the topic of the workspace takes for good ones."""
        model = read_topic(Workspace(self.server.folder).topic_file(TOPIC))
        numbers = islice(WEB.target_numbers(topic), 10, 10 + pages)
        read = [parse_page(WEB.html(number), WEB.url(number), "text/html") for number in numbers]
        return (model.judge([f"{page.title}\n{page.text}" for page in read]) >= model.relevant_above).mean()

    def start_a_crawl(self):
        tab = self.tab
        open_view(tab, self.server, f"new-crawl?topic={TOPIC}")
        tab.get_by_label("Name of the crawl").fill(NAME)
        tab.get_by_label("Urls to start from").fill("\n".join(map(self.web.served, WEB.seeds(TOPIC))))
        tab.get_by_label("Pages at most").fill("50000")  # it ends when it is stopped
        tab.get_by_label("Rest between two requests").fill("0.5")
        tab.get_by_label("Requests at the same time").fill("1")
        tab.get_by_text("All other settings").click()
        tab.get_by_label("fetch.allow_networks").fill("127.0.0.0/8")
        tab.get_by_text("All is there.").wait_for()
        tab.get_by_role("button", name="Start the crawl").click()
        tab.get_by_role("heading", name="Relevance of every page").wait_for()

    def see_dots_appear(self):
        self.tab.get_by_text("Point at a dot").wait_for(timeout=LONG)
        wait_until(lambda: self.dots() > 20)

    def dots(self):
        """How many places of the plot have the colour of a dot."""
        return self.tab.evaluate(
            """() => {
              const plot = document.querySelector('.u-wrap canvas');
              const copy = new OffscreenCanvas(plot.width, plot.height).getContext('2d', { willReadFrequently: true });
              copy.drawImage(plot, 0, 0);
              const { data } = copy.getImageData(0, 0, plot.width, plot.height);
              let drawn = 0;
              for (let at = 0; at < data.length; at += 4) drawn += data[at + 3] > 60 && data[at + 1] > data[at] + 20;
              return drawn;
            }"""
        )

    def exclude_a_trap_host(self):
        """One that makes up urls without end, as soon as urls of one wait."""
        tab = self.tab
        wait_until(self.find_trap, PATIENCE)
        trap = self.find_trap()
        tab.get_by_role("button", name=f"Exclude {trap}", exact=True).click()
        tab.get_by_text(f"Excluded {trap.split(':')[0]}: ").first.wait_for()
        tab.get_by_role("button", name="Take back 127").wait_for()
        return trap

    def find_trap(self):
        open_view(self.tab, self.server, f"crawls/{NAME}/queue")
        waiting = self.tab.get_by_role("region", name="Waiting urls by host")
        hosts = waiting.locator("tbody td:first-child").all_inner_texts()
        return next((host for host in hosts if self.is_trap(host)), None)

    def is_trap(self, host):
        first = WEB.hosts.first(self.host_of(f"http://{host}/"))
        return any(
            way in url for url in WEB.trap_entrances(first) for way in ("/calendar/", "/more/", "sid=")
        )

    def label_ten_pages(self):
        """Half of them the best, half chosen by the dice, each for what it is; more, until some are of each kind.

        And until the dice have found one that was missed, which tells how many are.
        """
        self.label("Best unmarked", LABELS // 2)
        self.label("Check what I missed", LABELS // 2)
        while self.fewer_of_a_kind() < FEWEST or not self.found_what_was_missed():
            self.label("Check what I missed", 1)

    def found_what_was_missed(self):
        """Whether one of the pages that the dice chose is good: a third are; without one nothing seems to be missed."""
        return any(label.relevant for label in self.crawl().labels().values() if label.asked == "random")

    def fewer_of_a_kind(self):
        said = [label.relevant for label in self.crawl().labels().values()]
        return min(said.count(True), said.count(False))

    def found(self, since, until):
        """F1 of what is taken for relevant among some pages, in the order they came, by truth."""
        pages = [
            (page.is_relevant, self.truth(page.url)) for page in islice(self.crawl().visits(), since, until)
        ]
        rightly = sum(is_taken and is_true for is_taken, is_true in pages)
        return 2 * rightly / max(1, sum(is_taken + is_true for is_taken, is_true in pages))

    def label(self, queue, many):
        open_view(self.tab, self.server, f"crawls/{NAME}/label")
        chosen = self.tab.locator("nav.tabs").get_by_role("link", name=queue)
        chosen.click()
        expect(chosen).to_have_attribute("aria-current", "true")
        settle(self.tab)
        urls = self.tab.locator(".label-card .address").all_inner_texts()[:many]
        wanted = len(self.crawl().labels()) + many
        for url in urls:
            self.tab.keyboard.press("u" if self.truth(url) else "n")
        wait_until(lambda: len(self.crawl().labels()) == wanted)

    def learn(self):
        open_view(self.tab, self.server, f"crawls/{NAME}/label")
        self.tab.get_by_role("button", name=f"Learn from {len(self.crawl().labels())} labels").click()
        self.tab.get_by_text("Revision 1").first.wait_for(timeout=LONG)

    def harvest(self):
        """The share of relevant pages among all, as the monitor shows it."""
        open_view(self.tab, self.server, f"crawls/{NAME}/monitor")
        return self.harvest_now()

    def harvest_now(self):
        shown = self.tab.locator(".figure", has=self.tab.get_by_role("button", name="What is all pages?"))
        return float(shown.locator("dd").inner_text().split()[0]) / 100

    def search(self):
        open_view(self.tab, self.server, f"crawls/{NAME}/results?show=search&q=honey")
        hits = self.tab.get_by_role("region", name="Pages that were found").locator("tbody tr")
        hits.first.wait_for(timeout=3 * LONG)  # the index gives way to the crawl, and to whatever else runs
        expect(hits.first.locator("mark").first).to_contain_text("honey", ignore_case=True)

    def export(self):
        open_view(self.tab, self.server, f"crawls/{NAME}/results")
        with self.tab.expect_download() as saved:
            self.tab.get_by_role("link", name="all pages as csv").click()
        rows = saved.value.path().read_text(encoding="utf-8").splitlines()
        assert len(rows) > 10
        assert "url" in rows[0]

    def stop(self):
        open_view(self.tab, self.server, f"crawls/{NAME}/monitor")
        self.tab.get_by_role("button", name=f"Stop {NAME}").click()
        self.tab.locator(".state", has_text="stopped").wait_for(timeout=LONG)
        wait_until(lambda: self.crawl().process is None)


def live_the_story(person, disturb=lambda: None):
    """From words to a file of pages.

    That the harvest rises is seen on the monitor, and is no fancy of the topic's: of the pages that came before the
    labels no fewer are taken for what they truly are, and of those that come after the topic finds many more of what
    was meant, and little else. Not at once, as what was fetched before has to be judged and its links to be ranked
    again, while the crawl goes on. How many of them are truly what was meant tells nothing of the labels: that rises
    and falls as much where nobody labels any.
    """
    person.make_a_topic_from_words()
    assert person.share_taken(OTHER) > 0.5, "the word alone cannot tell"
    person.improve_it_by_three_examples()
    assert person.share_taken(OTHER) < 0.2
    person.start_a_crawl()
    person.see_dots_appear()
    disturb()
    trap = person.exclude_a_trap_host()
    person.wait_for_pages(60)
    asked = len(person.web.log)
    person.label_ten_pages()
    disturb()
    harvest = person.harvest()
    pages = person.pages()
    right, found = person.rightly_judged(pages), person.found(0, pages)
    person.learn()
    learned = person.pages()
    open_view(person.tab, person.server, f"crawls/{NAME}/monitor")
    wait_until(lambda: person.harvest_now() > 1.5 * harvest, PATIENCE)
    wait_until(lambda: person.pages() >= learned + SOON + LATER, 5 * PATIENCE)
    assert person.harvest() > 1.5 * harvest, "it stays so"
    person.search()
    person.export()
    person.stop()
    assert person.rightly_judged(pages) >= right
    since = learned + SOON
    assert person.found(since, since + LATER) > 1.5 * found
    later = [one for one in list(person.web.log)[asked:] if one.host == trap.split(":")[0]]
    assert later == [], "what was excluded is not asked any more"


def test_the_whole_story(browser, server, web):
    with tab_of(browser, server) as tab:
        live_the_story(Person(tab, server, web))
        assert tab.said == []


@pytest.mark.slow
def test_the_same_with_the_server_killed_in_the_middle(browser, server, web):
    with tab_of(browser, server) as tab:

        def disturb():
            server.kill()
            tab.get_by_text(LOST).first.wait_for()
            server.start()
            tab.get_by_text(LOST).first.wait_for(state="hidden", timeout=LONG)

        live_the_story(Person(tab, server, web), disturb)
