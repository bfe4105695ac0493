"""Which SHACL-SPARQL SELECTs may run once for all focus nodes.

A *self-binding* text binds `$this` by its own positive patterns, in every group that reads it, and projects it. Then
pre-binding `$this` (SHACL 5.3.1) only picks rows: running it once and keeping the rows whose `$this` is a target means
the same as running it per focus node. Anything else goes to the reference engine as it is: rewriting other people's
texts loses findings in silence (measured on the W3C suite).

The check follows the algebra of SPARQL 1.1, section 18: a filter or BIND sees what its own group has bound, OPTIONAL
depends on what stands before it, a subselect hides what it does not project. It is sound, not complete.
"""

from __future__ import annotations

import re

import pyoxigraph as ox

from aikg import terms
from aikg.errors import RuleError
from aikg.validate.shacl import Term, Unsupported, sh
from aikg.validate.shapes import ShapesGraph
from aikg.validate.sparql_tokens import Token, tokens

_THIS = "this"
_PREBOUND = frozenset(("PATH", "currentShape", "shapesGraph"))
_AGGREGATES = frozenset(("COUNT", "SUM", "MIN", "MAX", "AVG", "SAMPLE", "GROUP_CONCAT"))
# SHACL 5.2.1 forbids MINUS, VALUES and SERVICE in constraints; GRAPH and FROM ask for other data than the data graph;
# LATERAL is no SPARQL 1.1.
_FORBIDDEN = frozenset(("MINUS", "VALUES", "SERVICE", "GRAPH", "FROM", "LATERAL"))
_NETWORK = frozenset(("SERVICE", "FROM", "LOAD"))
_MAX_DEPTH = 64
_IMPORTS = ox.NamedNode(terms.OWL + "imports")


class _RefusedError(Exception):
    """Not self-binding, for the reason given."""


def is_self_binding(select: str) -> bool:
    """Whether a SELECT binds and projects `$this` by itself, so that one run serves all focus nodes.

    >>> is_self_binding("SELECT $this ?value WHERE { $this ex:a ?value FILTER(?value > 3) }")
    True
    >>> is_self_binding("SELECT $this WHERE { { ?x ex:a ?y FILTER(?x = $this) } }")
    False
    """
    return why_not_self_binding(select) is None


def why_not_self_binding(select: str) -> str | None:
    """The reason why a SELECT is not self-binding, None where it is.

    Arguments:
        select: a SELECT that parses, with or without PREFIX lines.
    """
    found = tokens(select)
    try:
        for token in found:
            if token.kind == "word" and token.text in _FORBIDDEN:
                raise _RefusedError(f"it uses {token.text}")
            if token.kind == "variable" and token.text in _PREBOUND:
                raise _RefusedError(f"it uses ${token.text}")
        reader = _Reader(found)
        reader.skip_prologue()
        reader.select(outer=True, depth=0)
        if reader.at < len(found):
            raise _RefusedError("it goes on after its end")
    except _RefusedError as reason:
        return str(reason)
    return None


class _Reader:
    """Goes through the tokens of one query once."""

    def __init__(self, found: list[Token]) -> None:
        self.tokens = found
        self.at = 0

    # ---- tokens

    def peek(self) -> Token:
        if self.at >= len(self.tokens):
            raise _RefusedError("it ends too early")
        return self.tokens[self.at]

    def next(self) -> Token:
        token = self.peek()
        self.at += 1
        return token

    def is_sign(self, sign: str) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at] == Token("sign", sign)

    def is_word(self, *words: str) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at].kind == "word" and self.tokens[self.at].text in words

    def skip_prologue(self) -> None:
        while self.is_word("PREFIX", "BASE"):
            while self.next().kind != "iri":
                pass

    # ---- SELECT

    def select(self, *, outer: bool, depth: int) -> None:
        """Read a SELECT up to the end of its modifiers.

        Raises:
            _RefusedError: it does not bind and project $this.
        """
        if not self.is_word("SELECT"):
            raise _RefusedError("it is no SELECT")
        self.next()
        if self.is_word("DISTINCT", "REDUCED"):
            self.next()
        projects = aggregates = False
        while not self.is_sign("{") and not self.is_word("WHERE"):
            token = self.peek()
            if token == Token("sign", "("):
                self.next()
                _, aggregate = self.expression(depth)
                aggregates = aggregates or aggregate
            elif token == Token("sign", "*") and outer:
                projects = True
                self.next()
            else:
                projects = projects or token == Token("variable", _THIS)
                self.next()
        if not projects:
            raise _RefusedError("$this is not among the variables of each SELECT")
        if self.is_word("WHERE"):
            self.next()
        binds, _ = self.group(visible=False, depth=depth + 1)
        if not binds:
            raise _RefusedError("no pattern of its own binds $this")
        self.modifiers(aggregates, depth)

    def modifiers(self, aggregates: bool, depth: int) -> None:
        grouped_by_this = grouped = False
        by_group = False
        while self.at < len(self.tokens) and not self.is_sign("}"):
            token = self.next()
            if token.kind == "word" and token.text in ("LIMIT", "OFFSET"):
                raise _RefusedError(f"{token.text} counts the rows of all focus nodes together")
            if token.kind == "word" and token.text in ("GROUP", "HAVING", "ORDER"):
                by_group = token.text == "GROUP"
                grouped = grouped or by_group
            elif token == Token("variable", _THIS) and by_group:
                grouped_by_this = True
            elif token == Token("sign", "("):
                _, aggregate = self.expression(depth)
                aggregates = aggregates or (aggregate and not by_group)
            elif token.kind == "word" and token.text in _AGGREGATES:
                aggregates = True
            elif token.kind == "word" and token.text == "EXISTS":
                raise _RefusedError("EXISTS stands after its groups")
        if (aggregates or grouped) and not grouped_by_this:
            raise _RefusedError("it aggregates without GROUP BY $this")

    # ---- groups

    def group(self, *, visible: bool, depth: int) -> tuple[bool, bool]:
        """Read a group from its `{` to its `}`.

        Arguments:
            visible: whether filters at its own level see a $this that is bound outside: in OPTIONAL and EXISTS.

        Returns:
            whether each of its solutions binds $this, and whether it mentions it.
        """
        if depth > _MAX_DEPTH:
            raise _RefusedError("it is nested too deeply")
        if self.next() != Token("sign", "{"):
            raise _RefusedError("a group was expected")
        if self.is_word("SELECT"):
            self.select(outer=False, depth=depth)
            self.next()
            return True, True
        binds = mentions = filtered = False
        while not self.is_sign("}"):
            if self.is_sign("{"):
                inner_binds, inner_mentions = self.union(depth)
                binds, mentions = binds or inner_binds, mentions or inner_mentions
            elif self.is_word("OPTIONAL"):
                self.next()
                _, inner_mentions = self.group(visible=binds, depth=depth + 1)
                if inner_mentions and not binds:
                    raise _RefusedError("an OPTIONAL reads $this before it is bound")
                mentions = mentions or inner_mentions
            elif self.is_word("FILTER"):
                self.next()
                inner_mentions = self.constraint(depth)
                filtered, mentions = filtered or inner_mentions, mentions or inner_mentions
            elif self.is_word("BIND"):
                self.next()
                self.next()
                inner_mentions, _ = self.expression(depth)
                if inner_mentions and not binds:
                    raise _RefusedError("a BIND reads $this before it is bound in its group")
                mentions = mentions or inner_mentions
            elif self.is_sign("."):
                self.next()
            else:
                before = self.at
                inner_binds, inner_mentions = self.triples()
                if self.at == before:
                    raise _RefusedError(f"{self.peek().text} stands in the wrong place")
                binds, mentions = binds or inner_binds, mentions or inner_mentions
        self.next()
        if filtered and not (binds or visible):
            raise _RefusedError("a FILTER reads $this in a group that does not bind it")
        return binds, mentions

    def union(self, depth: int) -> tuple[bool, bool]:
        binds, mentions = self.group(visible=False, depth=depth + 1)
        while self.is_word("UNION"):
            self.next()
            other_binds, other_mentions = self.group(visible=False, depth=depth + 1)
            binds, mentions = binds and other_binds, mentions or other_mentions
        return binds, mentions

    def triples(self) -> tuple[bool, bool]:
        """Read triples up to the `.` or keyword after them."""
        is_subject = self.peek() == Token("variable", _THIS)
        binds = mentions = part_mentions = nullable = False
        level = 0
        while True:
            ends = level == 0 and (
                any(map(self.is_sign, ".;{}")) or self.is_word("OPTIONAL", "FILTER", "BIND", "UNION", "SELECT")
            )
            if ends:
                # A path of length zero matches every node of the graph, and a focus node in no triple not at all.
                binds = binds or ((part_mentions or is_subject) and not nullable)
                mentions = mentions or part_mentions
                part_mentions = nullable = False
                if not self.is_sign(";"):
                    return binds, mentions
            token = self.next()
            if token.kind == "sign":
                level += {"(": 1, "[": 1, ")": -1, "]": -1}.get(token.text, 0)
                nullable = nullable or token.text in "*?"
            part_mentions = part_mentions or token == Token("variable", _THIS)

    # ---- expressions

    def constraint(self, depth: int) -> bool:
        """Read what stands after FILTER; whether it mentions $this."""
        while self.is_word("NOT"):
            self.next()
        if self.is_word("EXISTS"):
            self.next()
            return self.group(visible=True, depth=depth + 1)[1]
        while not self.is_sign("("):
            self.next()
        self.next()
        return self.expression(depth)[0]

    def expression(self, depth: int) -> tuple[bool, bool]:
        """Read up to the bracket that closes the one just read; whether $this is mentioned, and an aggregate used."""
        mentions = aggregates = False
        level = 1
        while level:
            token = self.next()
            if token.kind == "sign":
                level += {"(": 1, ")": -1}.get(token.text, 0)
            elif token.kind == "variable":
                mentions = mentions or token.text == _THIS
            elif token.kind == "word" and token.text == "AS" and self.peek() == Token("variable", _THIS):
                raise _RefusedError("it gives $this a value with AS")
            elif token.kind == "word" and token.text == "EXISTS":
                mentions = self.group(visible=True, depth=depth + 1)[1] or mentions
            elif token.kind == "word" and token.text in _AGGREGATES:
                aggregates = True
        return mentions, aggregates


# ---- constraints of a shapes graph


def prefixes_of(graph: ShapesGraph, constraint: Term) -> dict[str, str]:
    """The prefixes of a SPARQL constraint: those that it declares (SHACL 5.2.1), over the ones that every rule has.

    Declarations count along `owl:imports`, as far as the imported ontology stands in the same graph.
    """
    found = dict(terms.PREFIXES)
    todo = graph.objects(constraint, sh("prefixes"))
    seen: list[Term] = []
    while todo:
        seen += todo
        todo = [other for node in todo for other in graph.objects(node, _IMPORTS) if other not in seen]
    for ontology in reversed(seen):
        for declaration in graph.objects(ontology, sh("declare")):
            prefix, namespace = graph.value(declaration, sh("prefix")), graph.value(declaration, sh("namespace"))
            if isinstance(prefix, ox.Literal) and isinstance(namespace, ox.Literal):
                found[prefix.value] = namespace.value
    return found


def query_text(graph: ShapesGraph, constraint: Term, select: str) -> str:
    """A query of a constraint with the prefixes it may use."""
    # On one line with the first of the query, so that a parser's line numbers are the author's.
    declared = sorted(prefixes_of(graph, constraint).items())
    return "".join(f"PREFIX {name}: {ox.NamedNode(iri)} " for name, iri in declared) + select


def syntax_error(query: str) -> str | None:
    """What the SPARQL parser says against a query, in short, None where it parses."""
    try:
        ox.Store().query(query)
    except SyntaxError as error:
        return _shortened(str(error))
    except (RuntimeError, ValueError, OSError):
        return None
    return None


def _shortened(error: str) -> str:
    """The place and, where the parser gives one, the reason; not the alphabet that it would have accepted."""
    match = re.match(r"error at (\d+):\d+: (?:expected one of |expected )?(.*)", error)
    if match is None:
        return error.splitlines()[0]
    line, expected = match.groups()
    reason = expected.split(", ")[0]
    return f"line {line}: {reason}" if re.match(r"[A-Z][a-z]+ ", reason) else f"line {line}: unexpected text"


def prepared_select(graph: ShapesGraph, constraint: Term) -> str:
    """The author's SELECT with its prefixes.

    Raises:
        Unsupported: it is not self-binding, or there is no SELECT.
        RuleError: it does not parse, or reaches for the network.
    """
    text = graph.value(constraint, sh("select"))
    if not isinstance(text, ox.Literal):
        raise Unsupported("a SPARQL constraint without sh:select")
    refuse_unsafe(constraint, text.value)
    query = query_text(graph, constraint, text.value)
    reason = why_not_self_binding(text.value)
    if reason is not None:
        raise Unsupported(f"a sh:select that is not self-binding: {reason}")
    error = syntax_error(query)
    if error is not None:
        raise RuleError(f"{constraint}: the query does not parse: {error}")
    return query


def refuse_unsafe(constraint: Term, text: str) -> None:
    """Refuse a query that would reach for the network (rdflib fetches what FROM and SERVICE name) or crash a parser.

    Raises:
        RuleError
    """
    if re.search(r"\\[uU][0-9A-Fa-f]{4}", text):
        # SPARQL 19.2 replaces these before it reads keywords: `\u0053ERVICE` is SERVICE.
        raise RuleError(f"{constraint}: a Unicode escape in a query is not allowed: write the character itself")
    level = 0
    for token in tokens(text):
        if token.kind == "word" and token.text in _NETWORK:
            raise RuleError(f"{constraint}: {token.text} is not allowed in a rule: checking never touches the network")
        if token.kind == "sign":
            level += {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(token.text, 0)
            if level > _MAX_DEPTH:
                # Oxigraph's parser overflows the stack of the process at some ten thousand.
                raise RuleError(f"{constraint}: a query nested deeper than {_MAX_DEPTH} brackets")
