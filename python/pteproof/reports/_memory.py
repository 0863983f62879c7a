"""What a program takes of a device, as `memory` says it."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass
class FileSizes:
    """What a file's bytes are for."""

    file: int
    program: int
    constants: int
    initial_values: int
    delegates: int
    named_data: int
    padding: int


@dataclasses.dataclass
class DeviceBank:
    """A bank as a loader allocates it."""

    bank: int
    device: str | None  # None: the host's memory
    shared: bool  # of the largest method; else the sum of the methods that are loaded
    bytes: int


@dataclasses.dataclass
class LoaderMemory:
    """What one loader allocates, in bytes of the host except for banks on devices."""

    loader: str
    policy: str | None  # None: of a loader_file
    files: str  # "read" or "mapped"
    refused: str | None  # why it does not take the program
    banks: list[DeviceBank]
    planned: int  # banks
    program: int  # copies of files: tables,
    constants: int  # the segment of constants,
    data: int  # data files,
    delegates: int  # and blobs
    methods: int  # what the method allocator is asked for
    at_load: int  # the sum of the six
    workspace: int  # that blobs of delegates state, the most over the methods
    temporary: int  # that kernels ask for, the most over the methods
    outputs: int  # that the loader keeps
    caller: int  # inputs, outputs and buffers of one call, the most over the methods
    at_peak: int  # at_load, workspace, temporary, outputs and caller
    mapped: int  # bytes of files that are mapped in place of copies


@dataclasses.dataclass
class AllocatorUse:
    """The requests to a method's allocator when ExecuTorch 1.5.1 loads it."""

    requests: int
    requested: int  # bytes
    lookups: int  # of these: for the lookup of kernels
    x86_64: int  # where an allocator ends that goes up from a base at a multiple of 64
    arm32_computed: int  # the same on 32-bit Arm: computed, never measured


@dataclasses.dataclass
class MethodMemory:
    """What a method needs under every loader, in bytes."""

    method: str
    inputs: int
    outputs: int
    buffers: int
    initial_values: int
    external: int
    delegates: int
    workspace: int
    temporary: int
    allocator: AllocatorUse


@dataclasses.dataclass
class BoundInput:
    """An input whose sizes vary."""

    input: str  # its name in the model, or its value
    at_most: list[int]
    at: list[int] | None  # as they were asked for


@dataclasses.dataclass
class BankAtSizes:
    """The most bytes of a bank that are in use at once."""

    bank: int
    at_most: int  # at the bounds
    at: int


@dataclasses.dataclass
class MethodBounds:
    """A method with inputs whose sizes vary."""

    method: str
    inputs: list[BoundInput]
    banks: list[BankAtSizes]  # if sizes were asked for
    unknown: str | None  # why the bytes there are not known


@dataclasses.dataclass
class PeakLine:
    """A line of the model, or a storage, with the bytes in use at the peak that it made."""

    depth: int
    bytes: int
    text: str


@dataclasses.dataclass
class PeakTree:
    """Bytes by lines of the model: callers first, what they call one deeper."""

    bytes: int
    lines: list[PeakLine]
    left_out: int


@dataclasses.dataclass
class MethodConstants:
    """The constants of a method, by their first reader."""

    method: str
    bytes: int
    lines: list[PeakLine]
    left_out: int


@dataclasses.dataclass
class BankPeak:
    """What is in use at the peak of a bank."""

    method: str
    bank: int
    instruction: int  # -1: when a call begins
    bytes: int
    lines: list[PeakLine]
    left_out: int
    waste: PeakTree  # of the bank, not in use then, by what lies there longest


@dataclasses.dataclass
class Memory:
    """What a device allocates to load a program and to call it."""

    file: str
    loaders: list[LoaderMemory]
    methods: list[MethodMemory]
    bounds: list[MethodBounds]
    peaks: list[BankPeak]  # if `top` was given
    constants: list[MethodConstants]  # likewise
    sections: FileSizes
    not_counted: list[str]
    text: str = dataclasses.field(default="", repr=False, compare=False)
