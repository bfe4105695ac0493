"""Classification with HermiT for the tests. It never reports success without having inferred something."""

from __future__ import annotations

import io
import shutil
from dataclasses import dataclass

import owlready2
import pyoxigraph as ox

from tests.knowledge.sources import AIKG, ONTOLOGY, PREFIXES, RDF_TYPE, catalogue, ontology

RUN = "urn:aikg:run#"
# Two individuals whose types can only be known by reasoning: a reasoner that did nothing does not find them.
CANARY = f"""
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix c: <{RUN}> .
c:Bird a owl:Class . c:sings a owl:ObjectProperty .
c:Singer a owl:Class ; owl:equivalentClass [ a owl:Restriction ; owl:onProperty c:sings ; owl:someValuesFrom c:Bird ] .
c:x a owl:NamedIndividual , c:Bird . c:y a owl:NamedIndividual ; c:sings c:x .
"""


class InconsistentError(Exception):
    """The ontology and the individuals contradict each other."""


@dataclass(frozen=True)
class Classification:
    """What HermiT inferred.

    Attributes:
        members: local name of a class -> local names of the individuals in it.
        unsatisfiable: IRIs of classes that can have no member.
    """

    members: dict[str, frozenset[str]]
    unsatisfiable: frozenset[str]


def view() -> ox.Store:
    """The ontology and the catalogue with its effective vendor figures stated directly, as the reasoner reads them."""
    everything, result = ox.Store(), ox.Store()
    for quad in [*ontology(), *catalogue()]:
        everything.add(quad)
    # owlready2 follows owl:imports to the network, and takes a property that is also an individual for a mistake.
    parameter = ox.NamedNode(AIKG + "Parameter")
    for quad in ontology():
        if not quad.predicate.value.endswith("#imports") and not (
            quad.predicate == RDF_TYPE and quad.object == parameter
        ):
            result.add(quad)
    direct = everything.query((ONTOLOGY / "owl-view.rq").read_text(), prefixes=PREFIXES)
    assert isinstance(direct, ox.QueryTriples)
    for triple in direct:
        result.add(ox.Quad(triple.subject, triple.predicate, triple.object))
    return result


def classify(more: str) -> Classification:
    """The types of the catalogue items and of the individuals of `more` (Turtle, each typed owl:NamedIndividual).

    Raises:
        FileNotFoundError: there is no Java.
        InconsistentError: there is a contradiction.
    """
    if shutil.which("java") is None:
        raise FileNotFoundError("java: HermiT cannot run, so nothing was classified")
    store = view()
    for text in (CANARY, more):
        store.load(text.encode(), format=ox.RdfFormat.TURTLE)
    triples = store.dump(format=ox.RdfFormat.N_TRIPLES, from_graph=ox.DefaultGraph())
    assert triples is not None
    world = owlready2.World()
    world.get_ontology(AIKG).load(fileobj=io.BytesIO(triples))
    try:
        owlready2.sync_reasoner_hermit(world, infer_property_values=False, debug=0)
    except owlready2.OwlReadyInconsistentOntologyError as error:
        raise InconsistentError(str(error)) from None
    singer, y = world[RUN + "Singer"], world[RUN + "y"]
    assert singer in y.INDIRECT_is_a, "the canary was not classified: the reasoner did nothing"
    members: dict[str, set[str]] = {}
    for individual in world.individuals():
        for cls in individual.INDIRECT_is_a:
            if isinstance(cls, owlready2.ThingClass):
                members.setdefault(cls.name, set()).add(individual.name)
    unsatisfiable = frozenset(c.iri for c in world.inconsistent_classes() if c is not owlready2.Nothing)
    return Classification({name: frozenset(of) for name, of in members.items()}, unsatisfiable)
