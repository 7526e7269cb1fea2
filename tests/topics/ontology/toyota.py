"""The topic map of the thesis' figure 6.1, in each syntax."""

SUBCLASSES = (("toyota", "japanese-car"), ("avensis", "toyota"), ("corolla", "toyota"), ("verso", "corolla"))
NAMES = {
    "japanese-car": "Japanese car",
    "toyoda": "Kiichiro Toyoda",
    "tmm": "Toyota Motor Manufacturing, Inc.",
    "toyota": "Toyota",
    "avensis": "Avensis",
    "corolla": "Corolla",
    "verso": "Corolla Verso",
}
OTHERS = (
    ("produces", "producer", "tmm", "product", "toyota"),
    ("founded", "founder", "toyoda", "company", "tmm"),
)
WEIGHTS = {  # table 6.1: with the focus {toyota}, and with {tmm, corolla}
    "japanese-car": (0.8, 0.1),
    "toyoda": (0.1, 0.5),
    "tmm": (0.5, 1.0),
    "toyota": (1.0, 0.8),
    "avensis": (0.8, 0.1),
    "corolla": (0.8, 1.0),
    "verso": (0.1, 0.8),
}
TMDM = "http://psi.topicmaps.org/iso13250/model/"
CORE = "http://www.topicmaps.org/xtm/1.0/core.xtm#"


def xtm2() -> str:
    topics = [f'<topic id="{id_}"><name><value>{name}</value></name></topic>' for id_, name in NAMES.items()]
    topics += [
        f'<topic id="{id_}"><subjectIdentifier href="{TMDM}{id_}"/></topic>'
        for id_ in ("supertype-subtype", "supertype", "subtype")
    ]
    related = [("supertype-subtype", "subtype", lower, "supertype", upper) for lower, upper in SUBCLASSES]
    associations = [
        f'<association><type><topicRef href="#{type_}"/></type>'
        + "".join(
            f'<role><type><topicRef href="#{role}"/></type><topicRef href="#{player}"/></role>'
            for role, player in ((role1, player1), (role2, player2))
        )
        + "</association>"
        for type_, role1, player1, role2, player2 in (*related, *OTHERS)
    ]
    body = "".join(topics + associations)
    return f'<topicMap xmlns="http://www.topicmaps.org/xtm/" version="2.0">{body}</topicMap>'


def xtm1() -> str:
    topics = [
        f'<topic id="{id_}"><baseName><baseNameString>{name}</baseNameString></baseName></topic>'
        for id_, name in NAMES.items()
    ]
    related = [
        (f"{CORE}superclass-subclass", f"{CORE}subclass", lower, f"{CORE}superclass", upper)
        for lower, upper in SUBCLASSES
    ]
    own = [(f"#{type_}", f"#{one}", player, f"#{two}", other) for type_, one, player, two, other in OTHERS]
    associations = [
        f"<association><instanceOf>{_ref1(type_)}</instanceOf>"
        f'<member><roleSpec>{_ref1(one)}</roleSpec><topicRef xlink:href="#{player}"/></member>'
        f'<member><roleSpec>{_ref1(two)}</roleSpec><topicRef xlink:href="#{other}"/></member></association>'
        for type_, one, player, two, other in (*related, *own)
    ]
    namespaces = 'xmlns="http://www.topicmaps.org/xtm/1.0/" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f"<topicMap {namespaces}>{''.join(topics + associations)}</topicMap>"


def _ref1(address: str) -> str:
    tag = "topicRef" if address.startswith("#") else "subjectIndicatorRef"
    return f'<{tag} xlink:href="{address}"/>'


def skos() -> str:
    lines = [
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .",
        "@prefix : <http://example.org/cars#> .",
    ]
    lines += [f':{id_} a skos:Concept ; skos:prefLabel "{name}"@en .' for id_, name in NAMES.items()]
    lines += [f":{lower} skos:broader :{upper} ." for lower, upper in SUBCLASSES[:2]]
    lines += [f":{upper} skos:narrower :{lower} ." for lower, upper in SUBCLASSES[2:]]
    lines += [f":{player} :{type_} :{other} ." for type_, _, player, _, other in OTHERS]
    return "\n".join(lines)


def owl() -> str:
    lines = [
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .",
        "@prefix : <http://example.org/cars#> .",
    ]
    lines += [f':{id_} a owl:Class ; rdfs:label "{name}" .' for id_, name in NAMES.items()]
    lines += [f":{lower} rdfs:subClassOf :{upper} ." for lower, upper in SUBCLASSES]
    (made, *_), (founded, *_) = OTHERS
    lines += [
        f":tmm rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :{made} ; owl:someValuesFrom :toyota ] .",
        f":{founded} a owl:ObjectProperty ; rdfs:domain :toyoda ; rdfs:range :tmm .",
    ]
    return "\n".join(lines)


SYNTAXES = {"xtm1": xtm1, "xtm2": xtm2, "skos": skos, "owl": owl}
