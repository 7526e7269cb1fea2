"""Every setting of a crawl, declared once: name, type, default, unit and meaning. One class a section."""

from __future__ import annotations

import math
import re
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from honeyguide.urls import DROPPED_PARAMETERS, MAX_LENGTH

LARGEST_INTEGER = 2**63 - 1  # what TOML promises and SQLite can hold
_SWITCHED = {"off": False, "false": False, "on": True, "true": True, "relevant": "relevant"}
_SURROGATE = re.compile("[\ud800-\udfff]")  # stands for a bad byte of the command line; no file can hold it


def plain_value(value: object) -> object:
    """Accept what a plug-in's own setting may be: text, number, true or false, or a list of these."""
    items = value if isinstance(value, list) else [value]
    if not all(_is_plain(item) for item in items):
        raise PydanticCustomError("plain", "Input should be text, a number, true, false or a list of these")
    return value


def _is_plain(value: object) -> bool:
    if isinstance(value, str):
        return _SURROGATE.search(value) is None
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and abs(value) <= LARGEST_INTEGER


def _unicode(text: str) -> str:
    if _SURROGATE.search(text):
        raise PydanticCustomError("unicode", "Input should be Unicode text")
    return text


def _host(text: str) -> str:
    if not text or any(character in "/@*?#" or character.isspace() for character in text):
        raise PydanticCustomError("host", "Input should be a host name such as example.org")
    return text.lower()


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise PydanticCustomError(
            "pattern", "Input should be a regular expression ({reason})", {"reason": str(error)}
        ) from None
    return text


def _surt(text: str) -> str:
    if not text.startswith(("http://(", "https://(")):
        raise PydanticCustomError("surt", "Input should be a SURT prefix such as http://(org,example,)/path")
    return text


def _switch(value: object) -> object:
    """Accept a switch with a third way, each by its name."""
    if isinstance(value, bool):
        return value
    if not isinstance(value, str) or value not in _SWITCHED:
        raise PydanticCustomError("switch", 'Input should be true, "relevant" or "off"')
    return _SWITCHED[value]


Text = Annotated[str, AfterValidator(_unicode)]
Count = Annotated[int, Field(ge=0, le=LARGEST_INTEGER)]
AtLeastOne = Annotated[int, Field(ge=1, le=LARGEST_INTEGER)]
UrlLength = Annotated[int, Field(ge=1, le=MAX_LENGTH)]
Seconds = Annotated[float, Field(ge=0)]
SomeSeconds = Annotated[float, Field(gt=0)]
Share = Annotated[float, Field(ge=0, le=1)]
# A tuple, as a frozen section must not change; "strict" would refuse the list that TOML yields.
Texts = Annotated[tuple[Text, ...], Field(strict=False)]
Hosts = Annotated[tuple[Annotated[Text, AfterValidator(_host)], ...], Field(strict=False)]
Patterns = Annotated[tuple[Annotated[Text, AfterValidator(_pattern)], ...], Field(strict=False)]
Surts = Annotated[tuple[Annotated[Text, AfterValidator(_surt)], ...], Field(strict=False)]
TrapName = Literal["repeated_path", "deep_path", "calendar", "facets", "session_id", "long_query"]


def _setting(default: object, meaning: str, unit: str = "") -> Any:
    return Field(default, description=meaning, json_schema_extra={"unit": unit})


class Section(BaseModel):
    """A section of a crawl order. Its docstring and its settings' meanings are shown to users."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class PluginSection(Section):
    """A section whose further keys are the constructor keywords of a plug-in."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Annotated[Any, AfterValidator(plain_value)]] = Field(init=False)

    @property
    def keywords(self) -> dict[str, object]:
        """The keys that belong to the plug-in, for `plugin_keywords` to check."""
        return dict(self.__pydantic_extra__)


class TopicSettings(PluginSection):
    """What the pages should be about. Further keys are the topic model's own settings."""

    model: Text = _setting("keywords", "how pages are judged: the name of a topic model")
    text: Text = _setting("", "the topic in words")
    file: Text = _setting("", "a topic file, as made by `honeyguide topic`; model and text are then in it")
    relevant_above: Share | None = _setting(
        None, "relevance from which a page counts as relevant; unset: the topic model's own", "0 to 1"
    )


class SeedSettings(Section):
    """Where the crawl starts."""

    urls: Texts = _setting((), "urls to start from")
    file: Text = _setting("", "a text file of further urls, one a line; lines starting with # are comments")


class StrategySettings(PluginSection):
    """Which links are visited first. Further keys are the strategy's own settings."""

    name: Text = _setting("honeyguide", "the name of a strategy")


class ScopeSettings(Section):
    """Which links may enter the crawl."""

    dropped_parameters: Texts = _setting(
        DROPPED_PARAMETERS,
        "parameters removed from every url; name* any that starts so, name=<token> only with a long value",
    )
    allow_hosts: Hosts = _setting((), "only these hosts and their sub-domains; no allow_ setting: every host")
    deny_hosts: Hosts = _setting((), "never these hosts and their sub-domains")
    allow_sites: Hosts = _setting((), "only, or also, hosts of these sites; a site is a domain one registers")
    deny_sites: Hosts = _setting((), "never a host of these sites")
    allow_patterns: Patterns = _setting(
        (), "only, or also, urls in which one of these regular expressions is found"
    )
    deny_patterns: Patterns = _setting((), "never urls in which one of these regular expressions is found")
    allow_surts: Surts = _setting(
        (), "only, or also, urls whose SURT starts so, as in http://(org,example,www,)/shop/; for https too"
    )
    deny_surts: Surts = _setting((), "never urls whose SURT starts so")
    skip_extensions: Texts = _setting(
        (
            # Pictures, sound, video.
            *("ai", "avif", "bmp", "cgm", "cdr", "djv", "djvu", "dwg", "dxf", "emf", "eps", "gif", "heic"),
            *("ico", "ief", "jfif", "jp2", "jpe", "jpeg", "jpg", "pbm", "pct", "pgm", "pic", "pict", "png"),
            *("pnm", "pnt", "pntg", "ppm", "psd", "qti", "qtif", "ras", "rgb", "svg", "svgz", "tga", "tif"),
            *("tiff", "wbmp", "webp", "wmf", "xbm", "xcf", "xpm", "xwd", "aac", "aif", "aifc", "aiff", "au"),
            *("flac", "kar", "m3u", "m3u8", "m4a", "mid", "midi", "mp2", "mp3", "mpga", "oga", "ogg", "opus"),
            *("ra", "ram", "snd", "wav", "weba", "wma", "3gp", "asf", "avi", "dv", "f4v", "flv", "m2ts"),
            *("m4v", "mkv", "mov", "movie", "mp4", "mpe", "mpeg", "mpg", "mxu", "ogv", "qt", "rm", "rmvb"),
            *("swf", "vob", "webm", "wmv"),
            # Archives, packages, programs, disks.
            *("7z", "apk", "appimage", "arj", "bcpio", "bin", "bz2", "cab", "cpio", "crx", "deb", "dmg"),
            *("dms", "exe", "gtar", "gz", "hqx", "img", "iso", "jar", "jnlp", "lha", "lz", "lz4", "lzh"),
            *("lzma", "msi", "pkg", "rar", "rpm", "shar", "srpm", "tar", "tbz2", "tgz", "txz", "ustar"),
            *("vcd", "whl", "xpi", "xz", "z", "zip", "zst", "dll"),
            # Books and office.
            *("azw3", "chm", "doc", "docm", "docx", "dotx", "dvi", "epub", "fb2", "latex", "mobi", "odg"),
            *("odp", "ods", "odt", "pdf", "potx", "pps", "ppsx", "ppt", "pptx", "ps", "rtf", "tex", "texi"),
            *("texinfo", "vsd", "vsdx", "wpd", "wps", "xls", "xlsm", "xlsx", "xlt", "xltx"),
            # Fonts, styles, data, models, calendars.
            *("css", "eot", "otf", "ttf", "woff", "woff2", "cdf", "dat", "db", "dbf", "hdf", "mat", "mdb"),
            *("nc", "npy", "npz", "parquet", "pkl", "sav", "shp", "sqlite", "iges", "igs", "msh", "obj"),
            *("stl", "silo", "skp", "vrml", "wrl", "ics", "ifb", "torrent"),
        ),
        "urls of files with these endings are dropped",
    )
    max_depth: Count | None = _setting(
        None, "links between a seed and a page at most; unset: no limit", "links"
    )
    max_url_chars: UrlLength = _setting(2000, "longer urls are dropped", "characters")
    traps: Annotated[tuple[TrapName, ...], Field(strict=False)] = _setting(
        get_args(TrapName), "urls that look like one of these traps are dropped; see docs/traps.md"
    )
    max_path_segments: AtLeastOne = _setting(20, "deep_path: most segments of a path", "segments")
    max_query_parameters: AtLeastOne = _setting(10, "facets: most parameters of a query", "parameters")
    max_query_chars: AtLeastOne = _setting(500, "long_query: longest query", "characters")
    max_calendar_years: Count = _setting(10, "calendar: years ahead at most", "years")
    starve_host_after: Count = _setting(
        50,
        "fruitless requests in a row before a host is left, as many more for each relevant page it gave; 0: never",
        "requests",
    )
    max_links_per_page: AtLeastOne = _setting(10_000, "further links of a page are dropped", "links")
    follow_nofollow: bool = _setting(False, "follow links that their page marks as nofollow")


class LimitSettings(Section):
    """When the crawl stops, and how large anything may grow."""

    max_pages: Count = _setting(1000, "stop after this many pages; 0: no limit", "pages")
    max_seconds: Seconds = _setting(0.0, "stop after this time; 0: no limit", "seconds")
    max_requests: Count = _setting(
        0,
        "stop after this many requests, also those in vain or for pages fetched before; 0: no limit",
        "requests",
    )
    max_failures: Count = _setting(
        0, "stop after this many pages that could not be had; 0: no limit", "pages"
    )
    max_queue: Count = _setting(0, "urls waiting at most, the worst are dropped; 0: no limit", "urls")
    max_urls_per_host: Count = _setting(0, "urls taken from one host at most; 0: no limit", "urls")
    max_urls_per_site: Count = _setting(
        0, "urls taken from all hosts of one site at most; 0: no limit", "urls"
    )
    max_page_bytes: AtLeastOne = _setting(10_000_000, "larger pages are given up", "bytes")
    max_parse_seconds: SomeSeconds = _setting(
        20.0, "pages that take longer to be parsed and judged are given up; needs fetch.workers", "seconds"
    )


class CrawlSettings(Section):
    """How the crawl works."""

    batch: AtLeastOne = _setting(32, "pages fetched, judged and stored together, the best first", "pages")
    level: Literal["pages", "sites"] = _setting(
        "pages",
        "what is ordered first: pages, or sites, each judged by a few pages and left when it brings little",
    )
    site_relevance: Literal["mean", "share", "odds"] = _setting(
        "mean",
        "how relevant a site is: the mean of its pages, the share that is relevant, or the odds by all together",
    )
    site_budget: AtLeastOne = _setting(
        8, "with level sites: pages of a site before it is weighed anew against the others", "pages"
    )
    shards: Annotated[int, Field(ge=0, le=1024)] = _setting(
        0,
        "parts that workers on several machines share the crawl in, for good; needs output.store; 0: one process",
        "shards",
    )
    learn: Literal["auto", "self", "off"] = _setting(
        "auto",
        "whether the crawl revises its topic from the pages it is surest of: `auto` where it has but up to six words;"
        " people's labels end that",
    )
    keep_fresh: Annotated[bool | Literal["relevant"], BeforeValidator(_switch)] = _setting(
        False,
        'go on for ever, and ask again for pages that may have changed, or for "relevant" ones; see freshness.md',
    )


class PolitenessSettings(Section):
    """How hosts are spared. A recorded web needs no sparing: these are ignored on one."""

    contact: str = _setting("", "a web page or mail address that tells who crawls; a live crawl needs one")
    delay_seconds: Seconds = _setting(1.0, "rest between two requests to a host, at least", "seconds")
    max_delay_seconds: Seconds = _setting(30.0, "longest rest that a robots.txt may ask for", "seconds")
    longer_delays: Literal["shorten", "obey", "skip"] = _setting(
        "skip", "hosts that ask for a longer rest: shorten it, obey, or skip the host"
    )
    slowdown: Annotated[float, Field(ge=0)] = _setting(
        2.0, "rest at least this many times as long as the last answer took", "times"
    )
    max_backoff_seconds: Seconds = _setting(3600.0, "longest rest after 429 or 503", "seconds")
    one_request_per: Literal["host", "site", "address"] = _setting(
        "host", "what is asked for one page at a time: a host, all hosts of a site, or of an address"
    )


class FetchSettings(Section):
    """How pages are had from the live Web."""

    in_flight: AtLeastOne = _setting(
        64, "requests under way at the same time; with few hosts, fewer keep the focus sharper", "requests"
    )
    connect_seconds: SomeSeconds = _setting(10.0, "longest wait for a connection", "seconds")
    read_seconds: SomeSeconds = _setting(15.0, "longest wait for the next bytes", "seconds")
    total_seconds: SomeSeconds = _setting(60.0, "longest time for one page", "seconds")
    content_types: Texts | None = _setting(
        None,
        "other content types are given up; unset: text/html, application/xhtml+xml, text/plain, and those of "
        "installed parsers",
    )
    sitemaps: bool = _setting(True, "read the sitemaps that robots.txt files list")
    cookies: bool = _setting(False, "keep cookies, for each site apart")
    allow_networks: Texts = _setting(
        (), "networks such as 127.0.0.0/8 that may be asked although they are not public"
    )
    workers: Count = _setting(
        1, "processes that parse and judge beside the one that fetches; 0: none", "processes"
    )


class WebSettings(Section):
    """The Web that is crawled: the live one unless set otherwise."""

    recording: Text = _setting(
        "", "a recorded web: a corpus folder, a WARC file or the folder of a former crawl"
    )
    sample_pages: Count = _setting(0, "use the built-in sample web, with this many pages", "pages")
    sample_seed: Count = _setting(1, "another number makes another sample web")
    sample_change_days: Annotated[float, Field(ge=0)] = _setting(
        0.0, "pages of the sample web change, one in about so many days; 0: never", "days"
    )
    fetcher: Text = _setting("", "class of the fetcher that a program gave with Crawl.start(web=...)")

    @property
    def is_live(self) -> bool:
        """Whether time goes by in it as it does here."""
        return not (self.recording or self.sample_pages)


class OutputSettings(Section):
    """What the crawl leaves behind."""

    folder: Text = _setting("", "the crawl's folder; empty: crawls/ and a name made from the topic")
    store: Text = _setting(
        "",
        "a PostgreSQL database to keep the crawl in, as in postgresql://me@db/crawls; empty: a file in the folder",
    )
    archive: bool = _setting(True, "keep the pages themselves, as WARC")
    archive_at: Text = _setting(
        "",
        "where files of the archive are sent when they are finished, as in s3://bucket/bees or file:///shared/bees;"
        " empty: they stay in the folder",
    )
    compression: Literal["gzip", "zstd"] = _setting(
        "gzip", "how the archive is packed; zstd is smaller, gzip is read by all"
    )
    harvest_every: AtLeastOne = _setting(50, "pages between two lines of harvest.log", "pages")
    metrics_port: Annotated[int, Field(ge=0, le=65535)] = _setting(
        0, "serve metrics for Prometheus on this port of 127.0.0.1 while crawling; 0: do not", "port"
    )
