"""Sentences in eight languages on three subjects, written for these tests, and pages made of them."""

from itertools import combinations

SUBJECTS = ("bees", "trains", "bread")

PHRASES = {
    "de": ("Bienen und Honig", "Züge und Bahnhöfe", "Brot und Mehl"),
    "fr": ("les abeilles et le miel", "les trains et les gares", "le pain et la farine"),
    "es": ("las abejas y la miel", "los trenes y las estaciones", "el pan y la harina"),
    "pt": ("criação de abelhas, mel", "o trem e a estação", "o pão e a farinha"),
    "ru": ("пчёлы и мёд", "поезда и станции", "хлеб и мука"),
    "zh": ("蜜蜂", "火车站", "面包"),
    "ja": ("ミツバチ", "電車と駅", "パン"),
    "ar": ("النحل والعسل", "القطار والمحطة", "الخبز والدقيق"),
}

SENTENCES = {
    "de": (
        "Die Biene sammelt Nektar. | Der Imker erntet den Honig im Sommer. | Viele Bienen leben in einem Stock."
        " | Honig ist süß und gesund. | Ohne Bienen gibt es kein Obst.",
        "Der Zug fährt nach Norden. | Am Bahnhof warten viele Leute. | Züge sind schneller als Wagen."
        " | Der Bahnhof liegt in der Stadt. | Dieser Zug kommt heute zu spät.",
        "Das Brot ist frisch. | Aus Mehl und Wasser wird ein Teig. | Der Bäcker verkauft Brote."
        " | Mehl kommt von der Mühle. | Zum Frühstück gibt es Brot.",
    ),
    "fr": (
        "L'abeille cherche le nectar. | Le miel est doux. | Les abeilles vivent dans une ruche."
        " | On récolte le miel en été. | Sans abeilles il n'y a pas de fruits.",
        "Le train part vers le nord. | La gare est au centre de la ville. | Les trains sont rapides."
        " | Il attend dans la gare. | Ce train est en retard.",
        "Le pain est frais. | La farine vient du moulin. | Le boulanger fait des pains."
        " | Avec de la farine on fait la pâte. | Il mange du pain le matin.",
    ),
    "es": (
        "La abeja busca el néctar. | La miel es dulce. | Las abejas viven en la colmena."
        " | En verano se recoge la miel. | Sin abejas no hay fruta.",
        "El tren sale hacia el norte. | La estación está en el centro. | Los trenes son rápidos."
        " | Espera en la estación. | Este tren llega tarde.",
        "El pan está fresco. | La harina viene del molino. | El panadero vende panes."
        " | Con harina se hace la masa. | Come pan por la mañana.",
    ),
    "pt": (
        "A abelha procura o néctar. | O mel é doce. | As abelhas vivem na colmeia."
        " | No verão colhe-se o mel. | Sem abelhas não há fruta.",
        "O trem parte para o norte. | A estação fica no centro. | Os trens são rápidos."
        " | Ele espera na estação. | Este trem está atrasado.",
        "O pão está fresco. | A farinha vem do moinho. | O padeiro vende pães e pão."
        " | Com farinha faz-se a massa. | Ele come pão de manhã.",
    ),
    "ru": (
        "Пчела собирает нектар, и пчёлы летят. | Мёд очень сладкий. | Пчёлы живут в улье."
        " | Летом собирают мёд. | Без пчёлы нет плодов.",
        "Поезд идёт на север. | Станция стоит в городе. | Поезда едут быстро."
        " | Люди ждут на станции. | Этот поезд опоздал.",
        "Хлеб свежий. | Мука идёт из мельницы. | Пекарь продаёт хлеб."
        " | Тесто делают из муки. | Утром едят хлеб.",
    ),
    "zh": (
        "蜜蜂采集花蜜。 | 夏天收获蜂蜜,蜜蜂很忙。 | 蜜蜂住在蜂箱里。 | 没有蜜蜂就没有水果。 | 小蜜蜂飞得很远。",
        "火车开往北方。 | 火车站在市中心。 | 火车很快。 | 人们在火车站等待。 | 这列火车晚点了。",
        "面包很新鲜。 | 面粉做面包。 | 师傅卖面包。 | 早上吃面包。 | 他喜欢黑面包。",
    ),
    "ja": (
        "ミツバチは花の蜜を集める。 | ミツバチは巣箱に住む。 | 夏にミツバチの蜜をとる。"
        " | ミツバチがいないと果物がない。 | 小さなミツバチが飛ぶ。",
        "電車は北へ行く。 | 駅は町の中心にある電車の駅です。 | 電車は速い。 | 電車を待つ人がいる。"
        " | この電車は遅れた。",
        "パンは新しい。 | 粉でパンを作る。 | 店でパンを売る。 | 朝にパンを食べる。 | 黒いパンが好きだ。",
    ),
    "ar": (
        "النحل يجمع الرحيق. | العسل حلو جدا. | يعيش النحل في الخلية. | في الصيف نجمع العسل. | لا ثمر بدون النحل.",
        "القطار يذهب شمالا. | المحطة في وسط المدينة. | القطار سريع. | ينتظر الناس في المحطة. | تأخر هذا القطار.",
        "الخبز طازج. | الدقيق من الطاحونة. | يبيع الخباز الخبز. | نصنع العجين من الدقيق. | نأكل الخبز صباحا.",
    ),
}


def pages(language: str) -> list[tuple[str, str]]:
    """Every three sentences of a subject are a page: thirty pages, each with its subject."""
    by_subject = zip(SUBJECTS, SENTENCES[language], strict=True)
    return [
        (subject, " ".join(chosen))
        for subject, text in by_subject
        for chosen in combinations(text.split(" | "), 3)
    ]
