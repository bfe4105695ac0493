"""`aikg query`: answers in every format, and nothing outside the designs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest

from aikg.errors import InputError
from aikg.query import refuse_outside
from tests.cli.conftest import DESIGN, Outcome

Run = Callable[..., Outcome]
RACKS = "SELECT ?node ?rack { ?node aikg:rack ?rack } ORDER BY ?node"


def test_a_table_shows_names(aikg: Run, design: Path) -> None:
    lines = aikg("query", str(design), RACKS).out.splitlines()
    assert lines[0].split() == ["node", "rack"]
    assert [line.split() for line in lines[1:5]] == [[f"n{n}", "r1"] for n in range(1, 5)]
    assert lines[5] == "(4 rows)"


def test_derived_facts_and_numbers_are_there(aikg: Run, design: Path) -> None:
    text = aikg("query", str(design), "SELECT ?kw { ?rack aikg:rackKw ?kw }", "--format", "csv").out
    assert text == "kw\r\n40.8\r\n"


def test_csv_and_json_hold_iris(aikg: Run, design: Path) -> None:
    rows = list(csv.reader(io.StringIO(aikg("query", str(design), RACKS, "--format", "csv").out)))
    assert rows[1] == ["https://w3id.org/aikg/design/small/n1", "https://w3id.org/aikg/design/small/r1"]
    found = json.loads(aikg("query", str(design), RACKS, "--format", "json").out)
    assert found["head"]["vars"] == ["node", "rack"]
    assert found["results"]["bindings"][0]["node"] == {"type": "uri", "value": rows[1][0]}
    number = json.loads(aikg("query", str(design), "SELECT (1.5 AS ?x) ?y {}", "--format", "json").out)
    assert number["results"]["bindings"] == [
        {"x": {"type": "literal", "value": "1.5", "datatype": "http://www.w3.org/2001/XMLSchema#decimal"}}
    ]


def test_ask_says_yes_or_no(aikg: Run, design: Path) -> None:
    assert aikg("query", str(design), "ASK { ?n aikg:model cat:dgx-h100 }").out == "yes\n"
    assert json.loads(aikg("query", str(design), "ASK { ?n aikg:model cat:x }", "--format", "json").out) == {
        "head": {},
        "boolean": False,
    }


def test_construct_writes_turtle(aikg: Run, design: Path) -> None:
    text = aikg("query", str(design), "CONSTRUCT { ?n aikg:rack ?r } WHERE { ?n aikg:rack ?r }").out
    assert len(list(ox.parse(text, format=ox.RdfFormat.TURTLE))) == 4
    assert aikg("query", str(design), "CONSTRUCT WHERE { ?n aikg:rack ?r }", "--format", "csv").code == 2


def test_a_query_may_stand_in_a_file_and_the_answer_go_to_one(aikg: Run, design: Path, tmp_path: Path) -> None:
    (tmp_path / "q.rq").write_text(RACKS)
    assert aikg("query", str(design), "q.rq", "--format", "csv", "-o", "out.csv") == Outcome(0, "", "")
    assert (tmp_path / "out.csv").read_text().startswith("node,rack")
    assert aikg("query", str(design), "none.rq").err == (
        "aikg: none.rq: is no query and no file with one: No such file or directory\n"
    )


def test_more_rows_than_the_limit_are_said(aikg: Run, design: Path) -> None:
    outcome = aikg("query", str(design), RACKS, "--limit", "2")
    assert "(2 rows)" in outcome.out
    assert outcome.err == "aikg: only the first 2 are shown (--limit)\n"
    assert aikg("query", str(design), RACKS, "--limit", "4").err == ""


def test_several_designs_have_a_column_of_their_own(aikg: Run, design: Path, tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text(DESIGN.replace("small", "other").replace("[1-4]", "9"))
    text = aikg("query", str(design), "other.yaml", RACKS, "--format", "csv").out
    assert text.splitlines()[0] == "design,node,rack"
    assert text.splitlines()[-1].startswith("other,")
    assert aikg("query", str(design), "other.yaml", "ASK { ?n aikg:rack ?r }").out == "small: yes\nother: yes\n"


def test_a_query_that_does_not_parse_is_one_line(aikg: Run, design: Path) -> None:
    outcome = aikg("query", str(design), "SELECT ?x { ?x ")
    assert outcome.code == 2
    assert outcome.err.startswith("aikg: the query does not parse")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { SERVICE <http://localhost:1/> { ?s ?p ?o } }",
        "SELECT * { sErViCe SILENT <http://localhost:1/> { ?s ?p ?o } }",
        "SELECT * { # comment\rSERVICE <http://localhost:1/> { ?s ?p ?o } }",
        "SELECT * { \\u0053ERVICE <http://localhost:1/> { ?s ?p ?o } }",
        "SELECT * { ?x <?y SERVICE <http://localhost:1/> { ?s ?p ?o } }",
        "SELECT * FROM <http://localhost:1/> { ?s ?p ?o }",
        "SELECT * FROM NAMED <http://localhost:1/> { ?s ?p ?o }",
        "LOAD <http://localhost:1/>",
        "INSERT DATA { <a:a> <a:b> <a:c> }",
        "DELETE WHERE { ?s ?p ?o }",
        "CLEAR ALL",
        "PREFIX a: <a:> DROP ALL",
    ],
)
def test_nothing_outside_the_designs_is_asked_or_changed(query: str) -> None:
    with pytest.raises(InputError, match=r"the query holds [A-Z]+, which"):
        refuse_outside(query)


@pytest.mark.parametrize(
    "query",
    [
        'SELECT * { ?s rdfs:label "SERVICE FROM LOAD" }',
        "SELECT ?service ?from { ?service aikg:from ?from } # SERVICE",
        "SELECT * { ?s <http://x/#SERVICE> ?o . ?o aikg:service ?x }",
        "SELECT * { GRAPH ?g { ?s ?p '''a ' SERVICE ''' } }",
    ],
)
def test_words_in_names_texts_and_comments_are_no_keywords(query: str) -> None:
    refuse_outside(query)
