"""Small crawls of pages made for searching, in several languages, and larger ones of the sample web."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from honeyguide import Crawl
from honeyguide.sample_web.web import SampleWeb

HOSTILE_TITLE = "<script>alert('queens')</script> \x1b[31m\u202e & \"royalty\""
PAGES = {
    "http://www.bees.example/": ("en", "All about bees", "The keeping of bees and their honey. " * 8),
    "http://www.bees.example/queens": (
        "en",
        "Rearing queens",
        "Queen rearing begins with larvae of the best colonies. Beekeepers feed them royal jelly in queen cells. "
        * 3,
    ),
    "http://www.bees.example/royal": (
        "en",
        HOSTILE_TITLE,
        "A royal family has a jelly for breakfast, the queen too. " * 4,
    ),
    "http://imker.example/koenigin": (
        "de",
        "Die Königin im Bienenstock",
        "Die Königin legt die Eier, und die Bienen pflegen die Brut. Gute Königinnen leben mehrere Jahre. "
        * 3,
    ),
    "http://imker.example/haus": (
        "de",
        "Bienenhäuser",
        "Ein Bienenhaus schützt die Völker vor dem Wetter im Winter. " * 5,
    ),
    "http://hachi.example/": (
        "ja",
        "蜂蜜の作り方",
        "ミツバチは花の蜜を集めて蜂蜜を作ります。養蜂家はそれを採ります。" * 4,
    ),
    "http://nahl.example/": (
        "ar",
        "تربية النحل",
        "تربية النحل وإنتاج العسل في الخلايا الحديثة والملكات الجيدة. " * 5,
    ),
    "http://beol.example/": (
        "ko",
        "꿀벌 이야기",
        "꿀벌은 꽃에서 꿀을 모읍니다. 양봉가는 벌집을 돌봅니다. " * 6,
    ),
    "http://cars.example/": (
        "en",
        "Engines and wheels",
        "Old engines and their wheels, by a beekeeper. " * 8,
    ),
    "http://cars.example/secret": ("en", "Not for you", "A secret page on bees that nobody may keep. " * 8),
}
HIDDEN = "http://cars.example/secret"


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Indexes of recordings stay out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HONEYGUIDE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


MakeCrawl = Callable[..., Crawl]


def write_corpus(folder: Path, pages: Mapping[str, tuple[str, str, str]]) -> Path:
    """A recorded web whose first page links to all others."""
    folder.mkdir()
    first = next(iter(pages))
    with (folder / "pages.jsonl").open("w", encoding="utf-8") as file:
        for url, (language, title, text) in pages.items():
            robots = '<meta name="robots" content="noindex">' if url == HIDDEN else ""
            links = "".join(f'<a href="{other}">read on: {place}</a>' for place, other in enumerate(pages))
            head = f'<html lang="{language}"><head>{robots}<title>{title.replace("<", "&lt;")}</title></head>'
            html = f"{head}<body><p>{text}</p><nav>{links if url == first else ''}</nav></body></html>"
            file.write(json.dumps({"url": url, "html": html}) + "\n")
    return folder


def crawl_of(folder: Path, pages: Mapping[str, tuple[str, str, str]] = PAGES, **settings: object) -> Crawl:
    """A finished crawl of some pages."""
    corpus = write_corpus(folder / "corpus", pages)
    crawl = Crawl.start(
        folder / "crawl", "bees queens honey", [next(iter(pages))], web=corpus, settings=settings
    )
    crawl.run()
    return crawl


@pytest.fixture(scope="session")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """A crawl of all of `PAGES`, indexed; not to be changed."""
    made = crawl_of(tmp_path_factory.mktemp("found"))
    made.index()
    return made


def sample_crawl(folder: Path, pages: int) -> Crawl:
    """A crawl of the sample web that can be gone on with."""
    web = SampleWeb(pages=600)
    crawl = Crawl.start(
        folder, web.description("bees"), web.seeds("bees"), settings={"web.sample_pages": 600}
    )
    crawl.run(pages=pages)
    return crawl
