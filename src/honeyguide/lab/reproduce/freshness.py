"""How fresh a crawl keeps what it has; no paper's experiment, but done and published in the same way.

Change traces are played once more, with as many requests for every schedule; and discovery is set against refresh.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from honeyguide.lab.freshness.bound import bound_of
from honeyguide.lab.freshness.discovery import FURTHER, SCENES, SPLITS, Scene, fresh_relevance
from honeyguide.lab.freshness.made_up import PROCESSES, made_up
from honeyguide.lab.freshness.schedules import SCHEDULES
from honeyguide.lab.freshness.simulation import relevance_of, stale_share
from honeyguide.lab.freshness.traces import Trace, shipped
from honeyguide.lab.report.document import Block, Code, Document, Heading, Paragraph, Table, write_document
from honeyguide.lab.reproduce.base import FINDINGS_NAME, Counted, Finding, Verdict, Workshop, findings_table
from honeyguide.model import Floats
from honeyguide.store.disk import write_atomically

NAME = "freshness"
TITLE = "freshness: how much of what a crawl has is stale"
COMMAND = f"honeyguide lab reproduce {NAME}"
COLUMNS = ("goal", "reference", "ours", "verdict")
OURS, RIVAL = "honeyguide", "round-robin"
DRAWS = (1, 2, 3)
INTERVALS = (30.0, 90.0)
YOUNG_DAYS, STRETCHED_DAYS = 365.0, 1095.0
BY_RELEVANCE, ALL_ALIKE = "by relevance", "all pages alike"
MOST_OF_RIVAL, NEVER_ABOVE, LEAST_GAIN = 0.85, 1.03, 1.10
TEXT = (
    "Every schedule has as many requests as it takes to ask for each page every 30 or every 90 days. Shown is the "
    "share of page-days on which what was had of a page was no longer what stood there. Traces know times alone, "
    "so relevance is made up (a beta distribution, mostly little or much, independent of how often a page "
    "changes). Of the traces some are recorded and some made up, as the table says; nothing here was observed on "
    "pages of the Web, but releases of packages and commits to documentation have the same bursts. A history of "
    "less than a year is stretched to three: it tells the pattern of changes, if not their pace. Nutch and "
    "StormCrawler ask first for what is due first; LambdaCrawl and ours learn rates in the same way. True rates "
    "are known to nobody beforehand. Three constants of our rule were chosen among seven settings on these same "
    "traces, so its figures are somewhat too good."
)
DISCOVERY_TEXT = (
    "Discovery against refresh, stylised: candidates promise less and less, some new ones come every day, pages "
    "that were found change; counted is relevance that is had and fresh, summed over two years, mean of three draws. "
    "A fixed split gives what one side cannot use to the other. It is either lent our own order of what to ask for "
    "again, so that the split alone differs, or asks for what is oldest, as crawlers with a fixed share do. The best "
    "split of a scene is known only afterwards; one for all scenes has to be chosen before. The horizon of our rule "
    "was chosen among seven settings on the first five scenes; the further ones were drawn at random, and played when "
    "it was settled."
)
BOUND_TEXT = (
    "What is possible: nobody surpasses the bound who has to ask for a page once more before its rate is known, even "
    "if all else is known beforehand, what will come and when the count ends among it (Lagrangian relaxation: "
    "requests have a price each day, and each page does what is best for itself). The bound is computed for classes "
    "of pages, and holds for the mean over what chance may bring, so take its last digit lightly. Told when to find "
    "are crawls that find as many pages until each day as whoever reaches the bound, and ask again in our order. "
    "Where they gain nothing by it, it is not the division of requests that is missing to the bound."
)


@dataclass(frozen=True)
class Played:
    """What came of one trace: the stale share of each schedule."""

    trace: str
    interval: float
    weights: str
    stale: Mapping[str, float]

    @property
    def ratio(self) -> float:
        """Ours to round-robin's."""
        return self.stale[OURS] / self.stale[RIVAL]


@dataclass(frozen=True)
class Divided:
    """What came of one scene: fresh relevance by each fixed split, and by what requests are worth."""

    scene: str
    splits: Sequence[float]  # that ask again for what we would
    by_age: Sequence[float]  # that ask again for what is oldest
    ours: float
    told: float  # of a crawl that was told how many pages to find until each day
    bound: float  # that nobody can surpass


def traces() -> list[Trace]:
    """Recorded ones first; young ones stretched."""
    recorded = [one if one.days >= YOUNG_DAYS else one.stretched(STRETCHED_DAYS) for one in shipped()]
    return [*recorded, *(made_up(name) for name in PROCESSES)]


def count(workshop: Workshop) -> Counted:
    """It takes some minutes, and is done anew each time."""
    total = len(traces()) + len(SCENES) + len(FURTHER)
    return Counted(0, total)


def run(workshop: Workshop) -> tuple[Path, Sequence[Finding]]:
    """Play all, and write the report and the findings; gives the page."""
    most = workshop.most_tasks or None
    played_traces, scenes, further = traces()[:most], SCENES[:most], FURTHER[:most]
    total = len(played_traces) + len(scenes) + len(further)
    played: list[Played] = []
    divided: list[Divided] = []
    for done, trace in enumerate(played_traces):
        workshop.on_progress(done, total)
        played += play(trace)
    for done, scene in enumerate((*scenes, *further), start=len(played_traces)):
        workshop.on_progress(done, total)
        divided.append(divide(scene))
    groups = {"scenes": divided[: len(scenes)], "further scenes": divided[len(scenes) :]}
    found = findings(played, groups)
    stored = {
        "name": NAME,
        "paper": "our own goals",
        "command": COMMAND,
        "findings": [asdict(one) for one in found],
    }
    page = write_document(Document(TITLE, _blocks(found, played_traces, played, groups)), workshop.folder)
    write_atomically(workshop.folder / FINDINGS_NAME, json.dumps(stored, indent=1))
    return page, found


def play(trace: Trace) -> list[Played]:
    """One trace, at every interval and with both kinds of weights."""
    weights = {BY_RELEVANCE: relevance_of(len(trace), 1), ALL_ALIKE: np.ones(len(trace))}
    return [
        Played(
            trace.name,
            interval,
            kind,
            {name: stale_share(make(trace, own, interval)) for name, make in SCHEDULES.items()},
        )
        for interval in INTERVALS
        for kind, own in weights.items()
    ]


def divide(scene: Scene) -> Divided:
    """One scene, by every split."""

    def mean(split: float | Floats | None, *, oldest_first: bool = False) -> float:
        return float(
            np.mean([fresh_relevance(scene, draw, split, oldest_first=oldest_first) for draw in DRAWS])
        )

    by_worth, by_age = ([mean(split, oldest_first=oldest) for split in SPLITS] for oldest in (False, True))
    bound = bound_of(scene, DRAWS)
    return Divided(scene.name, by_worth, by_age, mean(None), mean(bound.found_by), bound.fresh_relevance)


def findings(played: Sequence[Played], groups: Mapping[str, Sequence[Divided]]) -> list[Finding]:
    """Our goals, and whether they are met; scenes are told of in groups."""
    found = _stale_findings(played)
    for name, divided in groups.items():
        found += _divided_findings(divided, name)
    return found


def _stale_findings(played: Sequence[Played]) -> list[Finding]:
    found = []
    for interval in INTERVALS:
        own = [one.ratio for one in played if one.interval == interval and one.weights == BY_RELEVANCE]
        found.append(
            _goal(
                f"Stale share by relevance, at a request for each page every {interval:.0f} days",
                f"{MOST_OF_RIVAL:.2f} of {RIVAL}",
                f"{np.mean(own):.2f} over {len(own)} traces; {min(own):.2f} to {max(own):.2f}",
                float(np.mean(own)) <= MOST_OF_RIVAL,
            )
        )
    worst = max(played, key=lambda one: one.ratio)
    where = f"on {worst.trace}, every {worst.interval:.0f} days, {worst.weights}"
    found.append(
        _goal(
            "Never worse than round-robin on any trace, whatever the weights",
            f"{NEVER_ABOVE:.2f} of {RIVAL} at most",
            f"{worst.ratio:.2f} at worst, {where}",
            worst.ratio <= NEVER_ABOVE,
        )
    )
    return found


def _divided_findings(divided: Sequence[Divided], name: str) -> list[Finding]:
    found = []
    for claim, splits in (
        (
            "Requests divided by worth, against fixed splits that ask again in our order",
            [one.splits for one in divided],
        ),
        ("The same against fixed splits that ask again for what is oldest", [one.by_age for one in divided]),
    ):
        lead = np.array([one.ours for one in divided])[:, None] / np.array(splits)
        possible = np.array([one.bound for one in divided])[:, None] / np.array(splits)
        for_all = int((1 / lead).mean(axis=0).argmax())
        chosen = f"{100 * SPLITS[for_all]:.0f} % refreshed"
        for which, own, bound in (
            (f"one for all {name}, {chosen}", lead[:, for_all], possible[:, for_all]),
            ("the best of each", lead.min(axis=1), possible.min(axis=1)),
        ):
            reference = f"{LEAST_GAIN:.2f} times; possible are {_mean_and_ends(bound)} at most"
            ours = f"{_mean_and_ends(own)} over {len(own)} {name}"
            found.append(_goal(f"{claim}: {which}", reference, ours, float(own.mean()) >= LEAST_GAIN))
    return found


def _mean_and_ends(ratios: Floats) -> str:
    return f"{ratios.mean():.3f} times ({ratios.min():.2f} to {ratios.max():.2f})"


def _goal(claim: str, reference: str, ours: str, is_met: bool) -> Finding:
    return Finding(claim, reference, ours, Verdict.MET if is_met else Verdict.NOT_MET)


def _blocks(
    found: Sequence[Finding],
    used: Sequence[Trace],
    played: Sequence[Played],
    groups: Mapping[str, Sequence[Divided]],
) -> list[Block]:
    about = [[one.name, one.about, f"{len(one):,}", f"{one.days:,.0f}", f"{one.yearly:.1f}"] for one in used]
    return [
        Paragraph(TEXT),
        Code(COMMAND),
        findings_table(found, COLUMNS),
        Table(
            "The traces.",
            ["trace", "where it is from", "pages", "days", "changes a year"],
            about,
            is_text=True,
        ),
        Heading("Stale pages"),
        *(_stale_table(kind, played) for kind in (BY_RELEVANCE, ALL_ALIKE)),
        Heading("Discovery against refresh"),
        Paragraph(DISCOVERY_TEXT),
        *(_divided_table(divided, name) for name, divided in groups.items()),
        Paragraph(BOUND_TEXT),
        *(_bound_table(divided, name) for name, divided in groups.items()),
    ]


def _stale_table(kind: str, played: Sequence[Played]) -> Table:
    rows = [
        [f"{one.trace}, {one.interval:.0f}", *(f"{100 * one.stale[name]:.1f}" for name in SCHEDULES)]
        for one in played
        if one.weights == kind
    ]
    for interval in INTERVALS:
        own = [one.stale for one in played if one.weights == kind and one.interval == interval]
        means = (f"{100 * float(np.mean([stale[name] for stale in own])):.1f}" for name in SCHEDULES)
        rows.append([f"mean, {interval:.0f}", *means])
    return Table(f"Stale share in percent, {kind}.", ["trace, days between requests", *SCHEDULES], rows)


def _divided_table(divided: Sequence[Divided], name: str) -> Table:
    rows = []
    for one in divided:
        row = [one.scene, f"{one.ours:,.0f}"]
        for splits in (one.splits, one.by_age):
            best = int(np.argmax(splits))
            row += [f"{100 * SPLITS[best]:.0f} %", f"{splits[best]:,.0f}", f"{one.ours / splits[best]:.3f}"]
        rows.append(row)
    of_split = ["best split: refreshed", "by it", "times"]
    head = ["scene", "by worth", *of_split, *(f"{name}, oldest first" for name in of_split)]
    return Table(f"Fresh relevance in page-days, {name}.", head, rows)


def _bound_table(divided: Sequence[Divided], name: str) -> Table:
    """What each reaches of the best split's in our order, which is known only afterwards."""
    ratios = np.array([[one.ours, one.told, one.bound] for one in divided])
    ratios /= np.array([[max(one.splits)] for one in divided])
    rows = [
        [name_of, *(f"{ratio:.3f}" for ratio in own)]
        for name_of, own in (
            *zip([one.scene for one in divided], ratios, strict=True),
            ("mean", ratios.mean(axis=0)),
        )
    ]
    head = ["scene", "by worth", "told when to find", "bound"]
    return Table(f"Fresh relevance as times that of the best split in our order, {name}.", head, rows)
