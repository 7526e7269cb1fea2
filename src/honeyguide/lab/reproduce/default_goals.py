"""What the default strategy has to reach, and whether it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from honeyguide.lab.report.numbers import HEADLINE, Group
from honeyguide.lab.report.tables import interval_text, lead_text, p_text, plus_minus
from honeyguide.lab.reproduce.base import Finding, Verdict
from honeyguide.lab.reproduce.default_experiments import BASELINE, FLIPPED, OURS, PUBLISHED
from honeyguide.lab.results import BOUNDS
from honeyguide.lab.statistics import SIGNIFICANT, Lead, Mean, compare_all, leads_of
from honeyguide.model import Floats

Numbers = TypeVar("Numbers")

FINAL = "recall_at_budget"
SURELY = 0.01
TIMES_BEST, TIMES_BEST_AIM = 1.10, 1.20
ORACLE_AIM = 0.85
LOSS_ALLOWED = 0.03
NOISE_ALLOWED = 0.10


def main_goals(whole: Group, groups: Sequence[Group]) -> list[Finding]:
    """Look at every goal of the main comparison."""
    return [
        *(_best_of_corpus(group) for group in groups),
        _surely_better(whole),
        *_times_best(whole),
        _oracle_share(whole),
        *(_final_recall(group) for group in (*groups, whole)),
        single_tasks(whole, BASELINE, whole.values(HEADLINE)[BASELINE], LOSS_ALLOWED),
    ]


def guide_goal(guide: str, group: Group, where: str = "all corpora") -> Finding:
    """Whether it leads with another guide as well."""
    means = group.means(HEADLINE)
    best = best_other(means)
    reached = f"{two_of(means, best)}; {written_lead(group, best)}"
    is_met = means[OURS].mean >= means[best].mean
    return goal(f"{guide}: at least the best other, {where}", "nAUC of the best other", reached, is_met)


def noise_goal(costs: Mapping[str, float]) -> Finding:
    """Whether wrong judgments cost little."""
    reached = ", ".join(f"{label} {100 * cost:.1f} %" for label, cost in costs.items())
    claim = f"With {100 * FLIPPED:.0f} % of all judgments of pages flipped it loses little"
    return goal(claim, f"at most {100 * NOISE_ALLOWED:.0f} % of nAUC", reached, costs[OURS] <= NOISE_ALLOWED)


def best_other(means: Mapping[str, Mean], among: Sequence[str] = ()) -> str:
    """The best strategy that is not ours."""
    others = [label for label in among or means if label in means and label != OURS and label not in BOUNDS]
    return max(others, key=lambda label: means[label].mean)


def strategies_only(values: Mapping[str, Numbers]) -> dict[str, Numbers]:
    """Numbers without those of the bounds."""
    return {label: own for label, own in values.items() if label not in BOUNDS}


def two_sided(group: Group, other: str, measure: str) -> tuple[float, float, float]:
    """The mean difference to another strategy, and the p-values of both tests that it is none."""
    values = group.values(measure)
    there, back = compare_all({OURS: values[OURS], other: values[other]})
    by_t, by_rank = min(there.t_test, back.t_test), min(there.wilcoxon, back.wilcoxon)
    return there.difference, min(1.0, 2 * by_t), min(1.0, 2 * by_rank)


def _best_of_corpus(group: Group) -> Finding:
    means = group.means(HEADLINE)
    best = best_other(means)
    return goal(
        f"At least the best other on {group.name}",
        "nAUC of the best other, variants and tuned ones included",
        f"{two_of(means, best)}; {written_lead(group, best)}",
        means[OURS].mean >= means[best].mean,
    )


def _surely_better(whole: Group) -> Finding:
    values = strategies_only(whole.values(HEADLINE))
    leads = leads_of(OURS, values, whole.webs)
    hardest = max(leads, key=lambda other: (leads[other][1], leads[other][0].p))
    lead, p = leads[hardest]
    by_corpus, p_by_corpus = leads_of(OURS, values, whole.corpora)[hardest]
    reached = (
        f"least sure against {hardest}: ahead by {lead_text(lead)}, p {p_text(p)}, Holm over {len(leads)} comparisons, "
        f"{lead.tasks} tasks; with 80 % power {lead.smallest_found(len(leads), SURELY):.3f} or more would have been "
        "found; "
        f"with each corpus as one web: {lead_text(by_corpus)}, p {p_text(p_by_corpus)}"
    )
    return goal("Better than every other over webs", f"p < {SURELY:g}", reached, p < SURELY)


def _times_best(whole: Group) -> list[Finding]:
    means = whole.means(HEADLINE)
    published, any_other = best_other(means, PUBLISHED), best_other(means)
    ratio = times(means[OURS].mean, means[published].mean)
    reached = (
        f"{ratio:.3f} times {published} ({two_of(means, published)}); "
        f"{times(means[OURS].mean, means[any_other].mean):.3f} times the best of all others, {any_other}; "
        f"{written_lead(whole, published)} of {published}"
    )
    claim = "Far better than the best single published strategy, each corpus counting the same"
    return [
        goal(claim, f"{TIMES_BEST:.2f} times its nAUC", reached, ratio >= TIMES_BEST),
        goal(
            "The same, aimed at", f"{TIMES_BEST_AIM:.2f} times", f"{ratio:.3f} times", ratio >= TIMES_BEST_AIM
        ),
    ]


def _oracle_share(whole: Group) -> Finding:
    share = whole.oracle_shares(HEADLINE)[OURS]
    reached = f"{plus_minus(share, percent=True)} %"
    required = f"{100 * ORACLE_AIM:.0f} % of its nAUC"
    return goal("Near the oracle, aimed at", required, reached, share.mean >= ORACLE_AIM)


def _final_recall(group: Group) -> Finding:
    """Against each of the others, task by task and without a correction: both would make it easier to pass."""
    means = group.means(FINAL)
    best = best_other(means)
    tests = {other: two_sided(group, other, FINAL) for other in strategies_only(means) if other != OURS}
    worse = {other: min(by_t, by_rank) for other, (lead, by_t, by_rank) in tests.items() if lead < 0}
    surest = min(worse, key=lambda other: worse[other], default=best)
    _, by_t, by_rank = tests[surest]
    reached = f"{two_of(means, best)}; behind {len(worse)} of {len(tests)}"
    return goal(
        f"Final recall is not significantly worse than any other's on {group.name}",
        f"p >= {SIGNIFICANT:g} by both tests, two-sided, or better",
        f"{reached}, least p against {surest}: {p_text(by_t)} (t-test), {p_text(by_rank)} (Wilcoxon); "
        f"{lead_text(group.lead(OURS, surest, FINAL))}",
        all(p >= SIGNIFICANT for p in worse.values()),
    )


def single_tasks(whole: Group, other: str, than: Floats, allowed: float) -> Finding:
    """Whether it is far behind something on any task; `than` is the nAUC of that."""
    ours = whole.values(HEADLINE)[OURS]
    gains = np.array([times(*pair) - 1.0 for pair in zip(ours.tolist(), than.tolist(), strict=True)])
    worst = int(gains.argmin())
    behind = int((gains < 0).sum())
    reached = (
        f"worst: {whole.tasks[worst]}, {ours[worst]:.3f} against {than[worst]:.3f} ({100 * gains[worst]:+.1f} %); "
        f"behind on {behind} of {len(gains)} tasks"
    )
    required = f"at most {100 * allowed:.0f} % less nAUC on any"
    return goal(f"Never much worse than {other} on a single task", required, reached, gains.min() >= -allowed)


def noise_costs(clean: Group, noisy: Group) -> dict[str, float]:
    """The share of nAUC that each strategy loses, every corpus counting the same."""
    before, after = clean.means(HEADLINE), noisy.means(HEADLINE)
    return {label: 1.0 - times(after[label].mean, before[label].mean) for label in after if label in before}


def times(number: float, other: float) -> float:
    """How many times another it is; crawls that are cut short may find nothing, and nothing is once nothing.

    >>> times(0.6, 0.5), times(0.0, 0.0), times(0.1, 0.0)
    (1.2, 1.0, inf)
    """
    if other:
        return number / other
    return np.inf if number else 1.0


def lead_over(group: Group, other: str) -> Lead:
    """What ours is ahead of another."""
    return group.lead(OURS, other, HEADLINE)


def written_lead(group: Group, other: str) -> str:
    """What ours is ahead of another, with the interval."""
    return f"ahead by {lead_text(lead_over(group, other))}"


def ahead_of(group: Group, other: str) -> str:
    """The same for a table."""
    lead = lead_over(group, other)
    return f"{lead.mean:+.3f} ({interval_text(lead.interval)})"


def two_of(means: Mapping[str, Mean], other: str) -> str:
    """Both means, written."""
    return f"{OURS} {plus_minus(means[OURS])}, {other} {plus_minus(means[other])}"


def goal(claim: str, required: str, reached: str, is_met: bool) -> Finding:
    """What is required and reached."""
    return Finding(claim, required, reached, Verdict.MET if is_met else Verdict.NOT_MET)
