"""Replays: what is shown of a search after each event is true, is what the lists of the sources
hold, and is the same in words, pictures and pages."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree

import pytest

import prunus
from prunus.core.errors import SearchError
from prunus.games import ExplicitTree, RandomGame
from prunus.games.figures import FIGURES
from prunus.run.registry import ALGORITHMS
from prunus.view.events import Cut, Enter, nodes_after
from prunus.view.replay import known, looks, open_list, path_rule, path_to
from tests.naive import minimax_value

SVG = "{http://www.w3.org/2000/svg}"
FIGURE = FIGURES["000-figure-2"]().tree
EXACT = sorted(name for name in ALGORITHMS if ALGORITHMS[name].watch and not ALGORITHMS[name].apart)


def truth_of(game, node):
    """The value of a node for MAX."""
    value = minimax_value(game, node.state)
    return value if node.maximizing else -value


@pytest.mark.parametrize("algorithm", EXACT)
def test_what_is_said_of_open_nodes_is_true(algorithm):
    said = 0
    for seed in range(4):
        game = RandomGame(seed, depth=5)
        found = prunus.trace(game, algorithm=algorithm)
        truth = [truth_of(game, node) for node in found.nodes]
        for event, nodes in known(found):
            node = nodes[event.node]
            limit = "" if node.is_finished else node.bound
            said += bool(limit)
            assert limit != "≥" or truth[event.node] >= node.best
            assert limit != "≤" or truth[event.node] <= node.best
    assert said or algorithm == "sss-stockman"


def test_the_steps_of_figure_3():
    """The labels of root, B, C and D after steps A to F of the seminar."""
    found = prunus.trace(FIGURE)
    shown = []
    for event, look in zip(found.events, looks(found), strict=True):
        name = {0: "A", 1: "B", 5: "C", 7: "D"}.get(event.node)
        if name and look.value != "?" and f"{name}{look.value}" not in shown:
            shown.append(f"{name}{look.value}")
    assert shown == ["B≤3", "B3", "A≥3", "C≤2", "D≤14", "D≤5", "D≤2", "D2", "A3"]


def lists_of_the_source(game, prunes):
    """The list L whenever its first node has no label, in the words of source 001: nodes by their
    coordinates, with labels for MAX."""

    def name(path):
        return ".".join(map(str, path)) or "root"

    shown, labels, states = [], {}, {(): (game.initial(), True)}
    waiting = [()]
    while waiting:
        x = waiting[0]
        if x in labels:
            waiting.pop(0)
            if x == ():
                return shown
            parent = x[:-1]
            best = max if states[parent][1] else min
            labels[parent] = best(labels[parent], labels[x])
            above = [parent[:n] for n in range(len(parent))]
            limits = [labels[each] for each in above if states[each][1] != states[parent][1]]
            is_max = states[parent][1]
            if prunes and any(
                labels[parent] >= limit if is_max else labels[parent] <= limit for limit in limits
            ):
                waiting = [each for each in waiting if each[: len(parent)] != parent]
                waiting.insert(0, parent)
            continue
        shown.append(
            ", ".join(
                name(each) + (f" = {labels[each]}".replace("inf", "∞") if each in labels else "")
                for each in waiting
            )
        )
        state, is_max = states[x]
        if game.is_terminal(state):
            labels[x] = game.utility(state) if is_max else -game.utility(state)
            continue
        labels[x] = float("-inf") if is_max else float("inf")
        below = []
        for action in game.actions(state):
            child = (*x, action + 1)
            states[child] = (game.result(state, action), not is_max)
            below.append(child)
        waiting = below + waiting
    raise AssertionError


@pytest.mark.parametrize("name", ["open-list-minimax", "open-list-alphabeta"])
def test_the_list_is_that_of_the_source(name):
    for tree in (FIGURE, ExplicitTree.from_nested([[3, [4, [1, 2]], 0], [[2, 5], 9], 1])):
        found = prunus.trace(tree, algorithm=name)
        lists = [
            open_list(found, path_to(nodes, nodes[event.node]))
            for event, nodes in known(found)
            if isinstance(event, Enter)
        ]
        wanted = lists_of_the_source(tree, name.endswith("alphabeta"))
        assert lists == [f"L = {{{each}}}" for each in wanted]


@pytest.mark.parametrize(
    ("figure", "rule"), [("001-d12", "n' = b, s = c.d: v(n') = 30 >= v(s) = -50")]
)
def test_the_path_rule_in_its_own_terms(figure, rule):
    assert rule in "\n".join(prunus.trace(FIGURES[figure]().tree).replay())


def test_the_path_rule_explains_every_cut_by_an_ancestor():
    told = 0
    for seed in range(20):
        found = prunus.trace(RandomGame(seed, depth=6))
        for event, nodes in known(found):
            if isinstance(event, Cut) and event.cut_by is not None:
                assert path_rule(found, nodes, event)
                told += 1
    assert told > 20


def visible_texts(picture, seconds=None):
    """The texts that a picture shows at a moment; without one, in a program that plays nothing."""
    shown = set()

    def walk(element, is_visible):
        for play in element.findall(f"{SVG}set") if seconds is not None else ():
            begin, end = (float(play.get(end).rstrip("s")) for end in ("begin", "end"))
            if begin <= seconds < end:
                is_visible = play.get("to") == "visible"
                break
        else:
            is_visible = is_visible and element.get("visibility") != "hidden"
        if element.tag == f"{SVG}text" and is_visible and element.get("class") != "title":
            shown.add((element.get("class"), element.get("x"), element.get("y"), element.text))
        for child in element:
            walk(child, is_visible)

    walk(ElementTree.fromstring(picture), True)
    return shown


@pytest.mark.parametrize("algorithm", ["alphabeta", "mtdf", "sss-stockman", "labelling"])
def test_a_picture_plays_what_pictures_of_the_moments_show(algorithm):
    found = prunus.trace(FIGURE, algorithm=algorithm)
    playing = found.svg(replay=True)
    for step in range(1, len(found.events)):
        assert visible_texts(playing, step - 0.5) == visible_texts(found.at(step).svg()), step
    assert visible_texts(playing, len(found.events)) == visible_texts(playing)
    values = sorted(text for kind, *_, text in visible_texts(playing) if kind == "value")
    final = visible_texts(found.svg())
    assert values == sorted(text for kind, *_, text in final if kind == "value")


def test_a_replay_names_the_passes_of_a_search():
    told = "\n".join(prunus.trace(FIGURE, algorithm="mtdf").replay())
    assert "  pass 1 (" in told and "  pass 2 (" in told


def test_the_beginning_of_a_trace():
    found = prunus.trace(FIGURE)
    begun = found.at(20)
    assert list(begun.nodes) == nodes_after(found.events[:20])
    assert "after event 20 of 39" in str(begun) and "2  MIN (3, 2) ≤2 so far" in str(begun)
    assert begun.at(39) is found
    assert len(json.loads(begun.to_json())["events"]) == 20
    for step in (0, 40):
        with pytest.raises(SearchError, match="events 1 to 39"):
            found.at(step)


def test_the_page_shows_the_same():
    found = prunus.trace(FIGURE, algorithm="minimax")
    page = found.at(7).html()
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    assert len(data["trace"]["events"]) == len(found.events)
    assert 'document.getElementById("trace"), data, 7);' in page
