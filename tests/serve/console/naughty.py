"""A site whose pages carry strings that have broken other programs, wherever a page can carry a string.

Whatever of them runs sets `window.hit`, or asks for something of outside.example; both are looked for.
"""

import re
from collections import Counter
from html import escape
from urllib.parse import quote

import honeyguide as hg
from honeyguide.model import Response

SITE = "http://naughty.example"
LONG_HOST = f"{'very-' * 12}.{'long-' * 12}.example".replace("-.", ".")
HOSTS = ("xn--e1awd7f.example", "xn--80ak6aa92e.example", LONG_HOST, "_under_score.example", "1e3.example")
"""Names as a url may have them: letters of other scripts, as long as it goes, signs, something like a number."""

STRINGS = (
    "<script>window.hit=1</script>",
    "</title></script><script>top.hit=1</script>",
    "<img src=x onerror=window.hit=1>",
    '"><svg onload=window.hit=1>',
    "' autofocus onfocus='window.hit=1",
    "<svg><script>window.hit=1</script><animate onbegin=window.hit=1 attributeName=x dur=1s>",
    "<iframe srcdoc='&lt;script&gt;parent.hit=1&lt;/script&gt;'></iframe>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=window.hit=1>",
    '<a href="javascript:window.hit=1">bees</a>',
    "javascript:window.hit=1//",
    "data:text/html,<script>window.hit=1</script>",
    "<style>*{background:url(http://outside.example/css)}</style>",
    "</style><link rel=stylesheet href=http://outside.example/x.css>",
    "<base href=http://outside.example/>",
    "<meta http-equiv=refresh content='0;url=http://outside.example/'>",
    "color:red;}*{display:none}",
    "{{constructor.constructor('window.hit=1')()}} ${window.hit=1} #{7*7} <%= 7*7 %> {% raw %}",
    "__proto__ constructor toString hasOwnProperty",
    '=HYPERLINK("http://outside.example","bees")',
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "'; drop table pages; --",
    "a\x00b\x01c\x08d\x1b[31m\x7f\u0080",
    "\u202egpj.seeb\u202c \u2066\u2067\u061c mixed \u200f",
    "zero\u200bwidth\u200c\u200d\ufeff\u2060join",
    "\u2028line\u2029paragraph\u0085next",
    "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e\u0349\u035a\u032f\u031e\u0320A\u0348\u0356\u0347L\u0316\u0326\u0321G\u0321O",
    "\U0001f41d\U0001f36f\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 \U0001f1e6\U0001f1f8\U0001f1fa",
    "\ud83d lonely \udc1d halves",
    "الكل في المجمو عة (5) النحل",
    "蜜蜂和蜂蜜　田中さんにあげて下さい",
    "Ω≈ç√∫µ≤≥÷ ﷽ \uff54\uff48\uff45 ⁰⁴⁵₀₁₂ ᚠᛇᚻ",
    "W" * 3_000,
    "very long " * 3_000,
    "&lt;script&gt; &amp;lt; &#0; &#x202e; &NotAnEntity;",
    "]]> <!-- --!> <![CDATA[ <? ?>",
    "../../../../etc/passwd%00 %2e%2e%2f %s%n%x",
    "undefined null NaN true -1 1e999 0x1F 1/0",
    "`touch /tmp/hit` $(touch /tmp/hit) ; | &",
    'http://a/%%30%30 https://user:pass@outside.example:99999/#"><x>',
    " ",
)

PAGE = """<!doctype html><html lang="{attribute}"><head><title>{text} bees {number}</title>{raw}
<link rel=icon href="javascript:window.hit=1"></head><body onload="window.hit=1"><h1>{text}</h1>
<p>Bees make honey in the hive, {words}. {text} The queen of bees says: {text}</p>{raw}
<svg xmlns="http://www.w3.org/2000/svg" onload="window.hit=1"><script>window.hit=1</script><text>{text}</text></svg>
<img src="http://outside.example/x.png" alt="{attribute}" onerror="window.hit=1">
<a href="/waiting/{number}?{address}" title="{attribute}">{text} honey bees</a></body></html>"""
SVG = """<svg xmlns="http://www.w3.org/2000/svg" onload="top.hit=1"><title>bees {text}</title>
<script>top.hit=1</script><foreignObject><p xmlns="http://www.w3.org/1999/xhtml">honey bees of the hive</p>
</foreignObject></svg>"""


def _text(text: str) -> str:
    return escape(text)


class NaughtySite(hg.Fetcher):
    """The first page links to a page for each string, and to all hosts.

    Asked again, pages say their string in other words; every fifth is gone then.
    """

    def __init__(self) -> None:
        self._asked: Counter[str] = Counter()

    async def fetch(self, url: str, validators: object = None) -> Response:
        page = re.search(r"/bees/(\d+)", url)
        self._asked[url] += 1
        is_gone = page and self._asked[url] > 1 and int(page[1]) % 5 == 2
        if "/waiting/" in url or is_gone:
            return Response(url, 404, b"gone", {"content-type": "text/html"})
        if url.endswith(".svg"):
            return _answer(url, SVG.format(text=_text(STRINGS[0])), "image/svg+xml")
        return _answer(url, self._page(int(page[1]), self._asked[url]) if page else self._first())

    def _first(self) -> str:
        links = [
            f'<p>bees and honey <a href="{SITE}/bees/{number}?t={quote(text[:200], safe="", errors="surrogatepass")}">'
            f"bees {_text(text[:500])}</a></p>"
            for number, text in enumerate(STRINGS)
        ]
        hosts = [
            f'<p>bees, honey <a href="http://{host}/bees/{at}">bees {host}</a></p>'
            for at, host in enumerate(HOSTS)
        ]
        return (
            f"<title>bees</title>honey bees hive {''.join(links + hosts)}<a href='{SITE}/bees.svg'>bees</a>"
        )

    def _page(self, number: int, times: int) -> str:
        text = STRINGS[number]
        news = (
            ""
            if times == 1
            else f"<p>News of bees and honey: {_text(text)} was said {'again and ' * times} again.</p>"
        )
        return (
            news
            + PAGE.format(
                number=number,
                text=_text(text),
                raw=text,
                attribute=escape(text, quote=True),
                words=" ".join(
                    f"word{number}{chr(97 + at)}" for at in range(20)
                ),  # or they were copies of each other
                address=quote(text[:200], safe="", errors="surrogatepass"),
            )
        )

    async def close(self) -> None:
        """Nothing is open."""


def _answer(url: str, text: str, kind: str = "text/html; charset=utf-8") -> Response:
    return Response(url, 200, text.encode("utf-8", "surrogatepass"), {"content-type": kind})
