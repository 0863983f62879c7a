"""Lines of the model from an ETRecord."""

import json

import pytest
from executorch.exir import to_edge, to_edge_transform_and_lower
from mistakes import kind_of
from models import kinds

import pteproof
from pteproof.executorch import record_sources
from pteproof.executorch.__main__ import main
from pteproof.executorch._source import sources


def recorded(kind, lower=to_edge):
    exported = kind.exported()
    return exported, lower(exported, generate_etrecord=True).to_executorch(kind.config)


def test_the_command_finds_the_line_of_a_mistake(tmp_path):
    _, program = recorded(kind_of("store dropped"))
    path = tmp_path / "model.pte"
    path.write_bytes(program.buffer)
    program.get_etrecord().save(str(tmp_path / "etrecord.bin"))
    assert main(["source", str(path), str(tmp_path / "etrecord.bin")]) == 0
    written = json.loads((tmp_path / "model.source.json").read_text())
    assert written["methods"]["forward"]["values"]["1"]["name"] == "second"
    report = pteproof.check(path)
    assert report.unused_source is None
    lines = written["methods"]["forward"]["instructions"]
    assert lines["1"]["text"] == "before = self.second * 2"
    assert lines["3"]["text"] == "return before + x + self.first"


@pytest.mark.parametrize("name", ["cache", "lstm", "put and get"])
def test_lines_are_those_that_the_exporter_s_graph_has(name):
    exported, program = recorded(kinds()[name])
    found = record_sources(program.get_etrecord(), program.buffer)["methods"]
    assert found.keys() == exported.keys()
    known = sources(program, exported)["methods"]
    for method, lines in found.items():
        assert lines["instructions"].items() <= known[method]["instructions"].items()
        assert len(lines["instructions"]) * 2 >= len(known[method]["instructions"])
        names = {k: v["name"] for k, v in lines["values"].items()}
        assert names.items() <= {k: v["name"] for k, v in known[method]["values"].items()}.items()


def test_what_delegates_have_taken_leaves_no_names():
    _, program = recorded(kinds()["delegated in part"], to_edge_transform_and_lower)
    record = program.get_etrecord()
    assert record_sources(record, program.buffer)["methods"]["forward"]["values"] != {}
    _, other = recorded(kinds()["linear"])
    found = record_sources(other.get_etrecord(), program.buffer)["methods"]["forward"]
    assert found == {"instructions": {}, "values": {}}


def test_a_record_of_other_methods_is_refused(tmp_path, capsys):
    _, one = recorded(kinds()["linear"])
    _, two = recorded(kinds()["two methods"])
    with pytest.raises(ValueError, match=r"has the methods \['decode', 'encode'\], the program"):
        record_sources(two.get_etrecord(), one.buffer)
    path = tmp_path / "model.pte"
    path.write_bytes(one.buffer)
    two.get_etrecord().save(str(tmp_path / "etrecord.bin"))
    with pytest.raises(SystemExit):
        main(["source", str(path), str(tmp_path / "etrecord.bin")])
    assert "the record has the methods" in capsys.readouterr().err
