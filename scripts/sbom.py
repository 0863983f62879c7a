"""Prints the bill of materials of a release as SPDX 2.3 in JSON.

Its arguments: the folder of the release's files, the version, and the time of the commit in seconds. Libraries that a
file links to are read from the file; headers that are compiled in are those of the packages that the system has.
"""

import hashlib
import importlib.metadata
import json
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

OWN_LICENSE = "BSD-3-Clause"

# By the name of the system's package, or of PyPI's.
LICENSES = {
    "libc++-19-dev-wasm32": "Apache-2.0 WITH LLVM-exception",
    "libc++abi-19-dev-wasm32": "Apache-2.0 WITH LLVM-exception",
    "libc6": "LGPL-2.1-or-later",
    "libclang-rt-19-dev-wasm32": "Apache-2.0 WITH LLVM-exception",
    "libcli11-dev": "BSD-3-Clause",
    "libflatbuffers-dev": "Apache-2.0",
    "libfmt-dev": "MIT",
    "libfmt9": "MIT",
    "libgcc-s1": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libstdc++6": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libtomlplusplus-dev": "MIT",
    "libz3-4": "MIT",
    "libz3-dev": "MIT",
    "nlohmann-json3-dev": "MIT",
    "wasi-libc": "Apache-2.0 WITH LLVM-exception AND MIT",
    "z3-solver": "MIT",
}
LIBRARY_HEADERS = ("libflatbuffers-dev", "libfmt-dev", "nlohmann-json3-dev")
PAGE_LIBRARIES = (
    "libc++-19-dev-wasm32", "libc++abi-19-dev-wasm32", "libclang-rt-19-dev-wasm32", "wasi-libc")
COMMAND_HEADERS = (*LIBRARY_HEADERS, "libcli11-dev", "libtomlplusplus-dev")


def output_of(*words: str | Path) -> str:
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def system_version(package: str) -> str:
    return output_of("dpkg-query", "-W", "-f", "${Version}", package)


def owner(library: str) -> str:
    """The system's package that holds a library; /lib may be a link to /usr/lib."""
    found = subprocess.run(["dpkg-query", "-S", library, f"/usr{library}"], capture_output=True, text=True).stdout
    if not found:
        sys.exit(f"sbom: no package holds {library}")
    return found.split(":")[0]


def linked_packages(program: Path) -> list[str]:
    libraries = re.findall(r"=> (/\S+)", output_of("ldd", program))
    return sorted({owner(library) for library in libraries})


def spdx_id(name: str) -> str:
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


class Bill:
    """Packages and relations, each once."""

    def __init__(self) -> None:
        self.packages: dict[str, dict] = {}
        self.relations: list[dict] = []

    def add(self, name: str, version: str, **more: object) -> str:
        if name not in LICENSES and "licenseDeclared" not in more:
            sys.exit(f"sbom: the licence of {name} is not known; add it to LICENSES")
        license_id = LICENSES.get(name, OWN_LICENSE)
        self.packages.setdefault(name, {
            "SPDXID": spdx_id(name), "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": license_id, "licenseDeclared": license_id,
            "copyrightText": "NOASSERTION", **more})
        return name

    def relate(self, one: str, relation: str, other: str) -> None:
        self.relations.append({
            "spdxElementId": spdx_id(one), "relationshipType": relation, "relatedSpdxElement": spdx_id(other)})

    def add_file(self, file: Path, version: str) -> str:
        """A file of the release; a package of its own in SPDX's sense."""
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        name = self.add(file.name, version, packageFileName=file.name, licenseDeclared=OWN_LICENSE,
                        checksums=[{"algorithm": "SHA256", "checksumValue": digest}])
        self.relations.append({
            "spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": spdx_id(name)})
        return name

    def add_headers(self, name: str, headers: tuple[str, ...]) -> None:  # libraries, too, linked statically
        for header in headers:
            self.relate(name, "CONTAINS", self.add(header, system_version(header)))

    def add_command_package(self, file: Path, version: str) -> None:
        name = self.add_file(file, version)
        with tempfile.TemporaryDirectory() as folder:
            output_of("dpkg-deb", "--extract", file, folder)
            linked = linked_packages(Path(folder) / "usr/bin/pteproof")
        for package in linked:
            self.relate(name, "DYNAMIC_LINK", self.add(package, system_version(package)))
        self.add_headers(name, COMMAND_HEADERS)

    def add_library_package(self, file: Path, version: str) -> None:
        name = self.add_file(file, version)
        for depended in re.findall(r"(?:^|, )([a-z0-9.+-]+)", output_of("dpkg-deb", "--field", file, "Depends")):
            if depended not in LIBRARY_HEADERS:  # which are compiled in too
                self.relate(name, "DEPENDS_ON", self.add(depended, system_version(depended)))
        self.add_headers(name, LIBRARY_HEADERS)

    def add_wheel(self, file: Path, version: str) -> None:
        name = self.add_file(file, version)
        with zipfile.ZipFile(file) as wheel:
            grafted = [Path(entry).name for entry in wheel.namelist() if ".libs/" in entry and ".so" in entry]
        for library in grafted:
            package = owner("*/" + re.sub(r"-[0-9a-f]{8}(?=\.so)", "", library))  # auditwheel adds a part of its sum
            self.relate(name, "CONTAINS", self.add(package, system_version(package)))
        self.add_headers(name, COMMAND_HEADERS)
        self.relate(name, "DEPENDS_ON", self.add("z3-solver", importlib.metadata.version("z3-solver")))

    def document(self, version: str, created: int) -> dict:
        packages = sorted(self.packages.values(), key=lambda package: package["name"])
        body = {"packages": packages, "relationships": self.relations}
        digest = hashlib.sha256(json.dumps(body).encode()).hexdigest()[:16]
        return {
            "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"pteproof-{version}", "documentNamespace": f"https://spdx.org/spdxdocs/pteproof-{version}-{digest}",
            "creationInfo": {
                "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(created)),
                "creators": ["Organization: The pteproof authors", f"Tool: pteproof-sbom-{version}"]},
            **body}


def main(folder: str, version: str, created: str) -> None:
    """Prints the bill of all files in a folder."""
    bill = Bill()
    for file in sorted(Path(folder).iterdir()):
        if file.name.startswith("libpteproof-dev_"):
            bill.add_library_package(file, version)
        elif file.suffix == ".deb":
            bill.add_command_package(file, version)
        elif file.suffix == ".whl":
            bill.add_wheel(file, version)
        elif file.suffix == ".html":
            bill.add_headers(bill.add_file(file, version), LIBRARY_HEADERS + PAGE_LIBRARIES)
        else:
            bill.add_file(file, version)
    json.dump(bill.document(version, int(created)), sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main(*sys.argv[1:])
