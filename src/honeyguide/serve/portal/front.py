"""The front page: all collections, and one search over them and over other portals."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from fastapi import Depends, Request
from fastapi.responses import Response

from honeyguide.errors import SettingsError
from honeyguide.serve.portal.collection import all_collections
from honeyguide.serve.portal.federation.answers import MOST_HITS, Answer
from honeyguide.serve.portal.federation.asking import Asker, Collection
from honeyguide.serve.portal.federation.merging import Merged, merge
from honeyguide.serve.portal.federation.portals import Portal, read_portals
from honeyguide.serve.portal.listed import opensearch
from honeyguide.serve.portal.question import Question
from honeyguide.serve.portal.rendering import origin_of, page, root_of
from honeyguide.serve.portal.routing import METHODS, portal_router, public_message, reading
from honeyguide.serve.portal.shown import parameters, plain
from honeyguide.serve.portal.views import MOST_CHOICES, Choice, Result, collection_path, result_of
from honeyguide.serve.serving import Serving, serving
from honeyguide.wording import count

router = portal_router()


@dataclass(frozen=True, slots=True)
class SourceView:
    """Somebody who was asked."""

    name: str
    link: str
    found: str
    problem: str


@dataclass(frozen=True, slots=True)
class MergedView:
    """The answers of all as one."""

    summary: str
    results: Sequence[Result]
    sources: Sequence[SourceView]
    suggestion: Choice | None
    ignored: Sequence[str]


@router.api_route("/", methods=METHODS, dependencies=[Depends(reading)])
async def front(request: Request) -> Response:
    """All collections; with a question, what they and other portals answer."""
    here, root = serving(request), root_of(request)
    question = Question.of(request.query_params).q
    portals, problem = await asyncio.to_thread(_portals, here)
    if not question:
        collections, more = await asyncio.to_thread(all_collections, here.workspace, root)
        given: dict[str, Any] = {
            "collections": collections,
            "more": more,
            "portals": portals,
            "problem": problem,
        }
        return page(request, "front.html", question="", merged=None, **given)
    names = await asyncio.to_thread(here.workspace.crawl_names)
    ours = [
        Collection(
            name, collection_path(root, name), partial(here.indexing.search, name, question, most=MOST_HITS)
        )
        for name in names
    ]
    answers = await _asker(request).ask(question, ours, portals)
    answers = [replace(answer, problem=_public(answer, here)) for answer in answers]
    return page(
        request,
        "front.html",
        is_listed=False,
        question=question,
        merged=_merged(question, answers, f"{root}/"),
        problem=problem,
    )


@router.api_route("/opensearch.xml", methods=METHODS, dependencies=[Depends(reading)])
def all_opensearch(request: Request) -> Response:
    """By which browsers add the search over everything."""
    origin = origin_of(request)
    told = opensearch(
        "All collections",
        "Pages found by focused crawlers",
        search=f"{origin}/",
        page=f"{origin}/opensearch.xml",
        icon=f"{origin}/portal.svg",
    )
    return Response(told, media_type="application/opensearchdescription+xml")


def _asker(request: Request) -> Asker:
    """One for the server, which remembers who does not answer."""
    state = request.app.state
    if not hasattr(state, "asker"):
        state.asker = Asker()
    asker: Asker = state.asker
    return asker


def _portals(here: Serving) -> tuple[list[Portal], str]:
    """A mistake in the file is told on the page: the collections of our own can be searched all the same."""
    try:
        return read_portals(here.workspace.folder), ""
    except SettingsError as error:
        return [], public_message(error, here)


def _public(answer: Answer, here: Serving) -> str:
    return public_message(SettingsError(answer.problem), here)


def _merged(question: str, answers: Sequence[Answer], here: str) -> MergedView:
    merged = merge(answers)
    best = f"The best {count(len(merged), 'page')} of all collections for “{question}”"
    return MergedView(
        best if merged else f"Nothing found for “{question}”",
        [_result(one) for one in merged],
        [SourceView(one.name, one.page, count(one.total, "page"), one.problem) for one in answers],
        _suggestion(answers, here),
        _ignored(answers),
    )


def _suggestion(answers: Sequence[Answer], here: str) -> Choice | None:
    """What may be meant, if nobody has found what was asked for."""
    if any(one.total and not one.suggestion for one in answers):
        return None
    better = next((plain(one.suggestion) for one in answers if one.suggestion), "")
    return Choice(better, f"{here}{parameters(q=better)}") if better else None


def _ignored(answers: Sequence[Answer]) -> list[str]:
    """What counts in no collection of ours as it was asked; each of them may leave out more."""
    ours = [one.ignored for one in answers if one.is_ours and not one.problem]
    everywhere = [said for said in ours[0] if all(said in other for other in ours)] if ours else []
    return [plain(said) for said in everywhere[:MOST_CHOICES]]


def _result(merged: Merged) -> Result:
    ours = next((answer for answer in merged.answers if answer.is_ours), None)
    result = result_of(merged.hit, ours.path if ours else "")
    return replace(
        result, sources=[Choice(answer.name, answer.page) for answer in merged.answers], reasons=()
    )
