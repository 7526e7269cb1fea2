"""The addresses of the portal. Each reads its collection, makes a view of it and hands that to a template."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from fastapi import Depends, Request
from fastapi.responses import FileResponse, PlainTextResponse, RedirectResponse, Response

from honeyguide.crawls import Crawl
from honeyguide.errors import HoneyguideError
from honeyguide.search.results import MOST_COUNTED
from honeyguide.serve.portal.browsing import TreeView, tree_view
from honeyguide.serve.portal.collection import CollectionView, collection_view
from honeyguide.serve.portal.copies import copies_origin, copy_link
from honeyguide.serve.portal.feeds import MEDIA_TYPES, Feed, write_feed
from honeyguide.serve.portal.front import router as front
from honeyguide.serve.portal.listed import MOST_LISTED, opensearch, robots, sitemap, sitemap_index
from honeyguide.serve.portal.newest import newest_entries
from honeyguide.serve.portal.page_view import page_view
from honeyguide.serve.portal.question import Question
from honeyguide.serve.portal.rendering import FOLDER, origin_of, page, root_of
from honeyguide.serve.portal.routing import METHODS, portal_router, public_message, reading
from honeyguide.serve.portal.shown import iso, parameters, plain, web_link
from honeyguide.serve.portal.views import collection_path, result_of, search_view
from honeyguide.serve.problems import status_of
from honeyguide.serve.serving import Serving, serving
from honeyguide.serve.workspace import NotFound

XML = "application/xml"
FILES = {"portal.css": "text/css", "portal.svg": "image/svg+xml"}

router = portal_router()
router.include_router(front)
_reading = [Depends(reading)]


@router.api_route("/portal.{ending}", methods=METHODS)
def file(ending: str) -> Response:
    """Style and sign of the portal, which anybody may have."""
    name = f"portal.{ending}"
    if name not in FILES:
        raise NotFound(f"there is nothing at /{plain(name, 40)}")
    return FileResponse(
        FOLDER / name, media_type=FILES[name], headers={"Cache-Control": "public, max-age=3600"}
    )


@router.api_route("/robots.txt", methods=METHODS)
def robots_file(request: Request) -> Response:
    """What crawlers may read."""
    is_open = serving(request).options.is_open
    return PlainTextResponse(robots(root_of(request), origin_of(request), is_open))


@router.api_route("/sitemap.xml", methods=METHODS, dependencies=_reading)
def all_sitemaps(request: Request) -> Response:
    """The sitemaps of all collections."""
    names, origin = serving(request).workspace.crawl_names(), origin_of(request)
    return Response(
        sitemap_index(f"{collection_path(origin, name)}/sitemap.xml" for name in names), media_type=XML
    )


@router.api_route("/about", methods=METHODS)
def about(request: Request) -> Response:
    """What all this is, and how to search."""
    return page(request, "about.html")


@router.api_route("/c/{name}", methods=METHODS, dependencies=_reading)
@router.api_route("/c/{name}/", methods=METHODS, dependencies=_reading)
def collection(name: str, request: Request) -> Response:
    """A collection begins with its search page."""
    _, view = _opened(name, request)
    asked = request.url.query
    return RedirectResponse(f"{view.path}/search{f'?{asked}' if asked else ''}", 302)


@router.api_route("/c/{name}/search", methods=METHODS, dependencies=_reading)
def search(name: str, request: Request) -> Response:
    """A page of results."""
    _, view = _opened(name, request)
    question = Question.of(request.query_params)
    kept = {field: getattr(question, field) for field in ("site", "language", "topic_class", "year")}
    given: dict[str, Any] = {
        "collection": view,
        "question": question,
        "kept": kept,
        "is_listed": question.is_empty,
    }
    try:
        results = serving(request).indexing.search(name, **question.wanted)
    except HoneyguideError as error:
        told = public_message(error, serving(request))
        return page(request, "search.html", status_of(error), problem=told, view=None, **given)
    found = search_view(results, question, view.path)
    return page(request, "search.html", problem="", view=found, **given)


@router.api_route("/c/{name}/page", methods=METHODS, dependencies=_reading)
def about_page(name: str, request: Request) -> Response:
    """What the crawler knows of a page."""
    crawl, view = _opened(name, request)
    url = request.query_params.get("url", "")
    found = crawl.page(url) if web_link(url) else None
    if found is None:
        raise NotFound(f"there is no page {plain(url)!r} in the collection {name}")
    link = copy_link(copies_origin(request), serving(request).security.links, name, found.number)
    copy = link if found.is_kept else ""
    shown = page_view(found, view.path)
    return page(
        request, "page.html", is_listed=not found.visit.noindex, collection=view, page=shown, copy=copy
    )


@router.api_route("/c/{name}/browse", methods=METHODS, dependencies=_reading)
def browse(name: str, request: Request) -> Response:
    """A place in the tree of topics, with the pages there; without a tree, the best pages."""
    crawl, view = _opened(name, request)
    at = plain(request.query_params.get("at", ""), 4096)
    tree = tree_view(crawl.topic, at, _class_counts(name, serving(request)), view.path)
    if tree is None and at:
        raise NotFound(f"there is no topic {plain(at)!r} in the collection {name}")
    tree = tree or TreeView("Topics", wanted={"query": ""}, search=f"{view.path}/search")
    given: dict[str, Any] = {"results": [], "results_heading": "", "more_link": tree.search, "problem": ""}
    given |= _pages_on(tree, name, view.path, serving(request))
    return page(request, "browse.html", collection=view, tree=tree, **given)


def _pages_on(tree: TreeView, name: str, path: str, here: Serving) -> dict[str, Any]:
    """The pages at a place of the tree, or why there are none."""
    if tree.wanted is None:
        return {}
    try:
        hits = here.indexing.search(name, **tree.wanted).hits
    except HoneyguideError as error:
        return {"problem": public_message(error, here)}
    if not hits:
        return {"problem": "No page was found on this topic."}
    heading = f"Pages on {tree.here}" if tree.here else "The most relevant pages"
    return {"results": [result_of(hit, path) for hit in hits], "results_heading": heading}


@router.api_route("/c/{name}/newest", methods=METHODS, dependencies=_reading)
def newest(name: str, request: Request) -> Response:
    """The newest good pages, for people."""
    crawl, view = _opened(name, request)
    return page(request, "newest.html", collection=view, entries=newest_entries(crawl, view.path))


@router.api_route("/c/{name}/feed.{form}", methods=METHODS, dependencies=_reading)
def feed(name: str, form: str, request: Request) -> Response:
    """The newest good pages, for feed readers; nothing is sent to those who have it already."""
    if form not in MEDIA_TYPES:
        raise NotFound(
            f"there is no feed of the form {plain(form, 20)!r}; there are {', '.join(MEDIA_TYPES)}"
        )
    crawl, view = _opened(name, request)
    headers = {"ETag": _mark(crawl, f"{form} {origin_of(request)}"), "Cache-Control": "max-age=300"}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    origin = origin_of(request).removesuffix(root_of(request))
    told = Feed(
        title=f"{name}: newest good pages",
        description=view.topic,
        page=f"{origin}{view.path}/newest",
        feed=f"{origin}{view.path}/feed.{form}",
        origin=origin,
        entries=newest_entries(crawl, view.path),
    )
    media_type = f"{MEDIA_TYPES[form]}; charset=utf-8"
    return Response(write_feed(told, form), headers=headers, media_type=media_type)


@router.api_route("/c/{name}/opensearch.xml", methods=METHODS, dependencies=_reading)
def collection_opensearch(name: str, request: Request) -> Response:
    """By which browsers add the search of a collection."""
    _, view = _opened(name, request)
    origin = origin_of(request)
    here = collection_path(origin, name)
    told = opensearch(
        name,
        view.topic,
        search=f"{here}/search",
        page=f"{here}/opensearch.xml",
        icon=f"{origin}/portal.svg",
        json=f"{origin}/api/v1/crawls/{name}/search",
    )
    return Response(told, media_type="application/opensearchdescription+xml")


@router.api_route("/c/{name}/sitemap.xml", methods=METHODS, dependencies=_reading)
def collection_sitemap(name: str, request: Request) -> Response:
    """The pages of the portal on a collection: its own, and one for each of the best pages."""
    crawl, _ = _opened(name, request)
    return Response(sitemap(_listed(crawl, collection_path(origin_of(request), name))), media_type=XML)


def _listed(crawl: Crawl, here: str) -> Iterator[tuple[str, str]]:
    yield from ((f"{here}/{own}", "") for own in ("search", "browse", "newest"))
    threshold = crawl.threshold
    with crawl.reader() as reader:
        for visit in islice(reader.best(), MOST_LISTED):
            if visit.relevance < threshold:
                break
            if not visit.noindex and web_link(visit.url):
                yield f"{here}/page{parameters(url=visit.url)}", iso(visit.time)


def _opened(name: str, request: Request) -> tuple[Crawl, CollectionView]:
    crawl = serving(request).workspace.crawl(name)
    return crawl, collection_view(name, crawl, root_of(request))


def _class_counts(name: str, here: Serving) -> dict[str, int]:
    """How many pages are in which class of the topic, as far as the index tells."""
    with suppress(HoneyguideError):
        found = here.indexing.search(name, "", most=1, counted=MOST_COUNTED)
        return dict(found.facets.get("topic_class", ()))
    return {}


def _mark(crawl: Crawl, form: str) -> str:
    with crawl.reader() as reader:
        known = f"{reader.last_number()} {reader.revisions()} {form}"
    return f'W/"{hashlib.sha256(known.encode()).hexdigest()[:32]}"'
