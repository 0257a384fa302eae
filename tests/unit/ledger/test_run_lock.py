"""One process at a time runs a study; forked children leave the parent's study alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from heldout.errors import LedgerError
from heldout.ledger.fact import Entry
from heldout.ledger.ledger import Ledger
from heldout.ledger.run_lock import is_locked, remove_stale

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and forks of POSIX")

HOLD = """
import sys, time
from heldout.ledger.ledger import Ledger
ledger = Ledger.open(sys.argv[1])
with ledger.writing():
    print("held", flush=True)
    sys.stdin.readline()
print("free", flush=True)
sys.stdin.readline()
"""


class Other:
    """Another process that runs a script on the study."""

    def __init__(self, path: Path, code: str = HOLD) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", code, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def says(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def go_on(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def __enter__(self) -> Other:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    Ledger.create(tmp_path / "a.heldout").close()
    return tmp_path / "a.heldout"


def names_beside(path: Path) -> list[str]:
    return sorted(entry.name for entry in path.parent.iterdir())


def test_the_lock_leaves_nothing_behind(path: Path) -> None:
    """Inside there is a lock file with this process's number; afterwards there is one file."""
    with Ledger.open(path) as ledger:
        with ledger.writing():
            assert is_locked(path)
            assert f"process {os.getpid()} " in Path(f"{path}.lock").read_text("utf-8")
        assert not is_locked(path)
    assert names_beside(path) == ["a.heldout"]


@pytest.mark.slow
def test_a_second_process_is_told_who_runs_the_study(path: Path) -> None:
    """While another process holds the lock, waiting ends with an error that names it; then it can be had."""
    with Other(path) as other, Ledger.open(path) as ledger:
        assert other.says() == "held"
        named = rf"run by process {other.process.pid} on "
        with pytest.raises(LedgerError, match=named), ledger.writing(timeout=0.1):
            pass
        other.go_on()
        with ledger.writing(timeout=20):
            assert is_locked(path)


@pytest.mark.slow
def test_a_second_process_waits(path: Path) -> None:
    """A process that waits gets the lock when the first lets go."""
    with Other(path) as first:
        assert first.says() == "held"
        with Other(path) as second:
            first.go_on()
            assert first.says() == "free"
            assert second.says() == "held"


def test_a_killed_process_leaves_no_lock(path: Path) -> None:
    """After kill -9 the next process has the lock at once, and the file that was left goes with it."""
    with Other(path) as other:
        assert other.says() == "held"
        os.kill(other.process.pid, signal.SIGKILL)
        other.process.wait()
    assert Path(f"{path}.lock").exists()
    with Ledger.open(path) as ledger, ledger.writing(timeout=0):
        assert is_locked(path)
    assert names_beside(path) == ["a.heldout"]


def test_a_lock_file_that_was_left_goes_with_the_next_close(path: Path) -> None:
    """What a killed process left is removed when a writer closes, and stays if somebody holds it."""
    Path(f"{path}.lock").write_text("process 1 on nowhere\n", "utf-8")
    Ledger.open(path, query_only=True).close()
    assert names_beside(path) == ["a.heldout", "a.heldout.lock"]
    Ledger.open(path).close()
    assert names_beside(path) == ["a.heldout"]
    with Ledger.open(path) as ledger, ledger.writing():
        remove_stale(path)
        assert Path(f"{path}.lock").exists()
    with Other(path) as other:
        assert other.says() == "held"
        Ledger.open(path).close()
        assert Path(f"{path}.lock").exists()


def test_the_same_thread_may_take_it_again(path: Path) -> None:
    """Inside its own block a thread takes the lock again, and only the outermost block frees it."""
    with Ledger.open(path) as ledger:
        with ledger.writing(), ledger.writing(timeout=0):
            assert is_locked(path)
        assert not is_locked(path)
        with ledger.writing():
            with ledger.writing(timeout=0):
                pass
            assert is_locked(path)


def test_another_thread_waits_or_is_refused(path: Path) -> None:
    """A second thread, even with its own ledger, is refused after its time, and served when it is free."""
    said: list[str] = []

    def work(timeout: float) -> None:
        try:
            with Ledger.open(path) as mine, mine.writing(timeout):
                said.append("held")
        except LedgerError as error:
            said.append(error.what)

    with Ledger.open(path) as ledger:
        with ledger.writing():
            refused = threading.Thread(target=work, args=(0.05,))
            refused.start()
            refused.join()
            waiting = threading.Thread(target=work, args=(20,))
            waiting.start()
            time.sleep(0.05)
        waiting.join()
    assert said == ["this study is being run by another thread of this process", "held"]


def test_an_error_inside_frees_the_lock(path: Path) -> None:
    """Leaving the block by an exception frees the lock and hands the exception on."""
    with Ledger.open(path) as ledger:
        with pytest.raises(KeyError), ledger.writing():
            raise KeyError
        with ledger.writing(timeout=0):
            assert is_locked(path)


def test_a_lock_that_cannot_be_made_is_said(path: Path) -> None:
    """Where the lock file cannot be opened the error is the ledger's."""
    Path(f"{path}.lock").mkdir()
    with Ledger.open(path) as ledger, pytest.raises(LedgerError, match="cannot be locked"), ledger.writing():
        pass


FORK = """
import os, sys
from heldout.errors import LedgerError
from heldout.ledger.fact import Entry
from heldout.ledger.ledger import Ledger

path = sys.argv[1]

def tried(name, call):
    try:
        call()
        print(name, "worked", flush=True)
    except LedgerError as error:
        print(name, "forked process" in error.what, flush=True)

ledger = Ledger.open(path)
ledger.append([Entry("note", "before", {})])
try:
    with ledger.writing():
        if os.fork() == 0:
            tried("facts", ledger.facts)
            tried("append", lambda: ledger.append([Entry("note", "child", {})]))
            tried("writing", lambda: ledger.writing().__enter__())
            tried("open", lambda: Ledger.open(path))
            tried("close", ledger.close)
            del ledger
            raise SystemExit(0)  # by the door of Python's end, through the with-statement
        os.wait()
        print("lock stands", os.path.exists(path + ".lock"), flush=True)
        ledger.append([Entry("note", "after", {})])
finally:
    sys.stdout.flush()
print(ledger.n_facts, ledger.verify().is_unbroken)
ledger.close()
"""


@pytest.mark.slow
def test_a_forked_child_is_kept_out(path: Path) -> None:
    """A child can't use, reopen or lock the parent's study, and its end changes nothing for the parent."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FORK, str(path)], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    refused = ["facts True", "append True", "writing True", "open True"]
    assert done.stdout.splitlines() == [*refused, "close worked", "lock stands True", "2 True"]
    assert names_beside(path) == ["a.heldout"]


ORPHAN = """
import os, sys, time
from heldout.ledger.ledger import Ledger
from heldout.ledger.fact import Entry
ledger = Ledger.open(sys.argv[1])
ledger.append([Entry("note", "parent", {})])
with ledger.writing():
    if os.fork() == 0:
        print(os.getpid(), flush=True)
        sys.stdin.readline()
        print("ended", flush=True)
        raise SystemExit(0)
    time.sleep(60)
"""


@pytest.mark.slow
def test_an_orphan_keeps_no_lock_and_spoils_nothing(path: Path) -> None:
    """A worker that outlives its killed parent holds no lock, and its end does not touch what came after."""
    with Other(path, ORPHAN) as other:
        worker = int(other.says())
        os.kill(other.process.pid, signal.SIGKILL)
        other.process.wait()
        with Ledger.open(path) as ledger, ledger.writing(timeout=0):
            ledger.append([Entry("note", str(number), {"text": "x" * 5000}) for number in range(50)])
        before = path.read_bytes()
        assert names_beside(path) == ["a.heldout"]
        os.kill(worker, 0)
        other.go_on()
        assert other.says() == "ended"
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and Path(f"/proc/{worker}").exists():
            time.sleep(0.01)
        assert path.read_bytes() == before
    with Ledger.open(path) as ledger:
        assert ledger.n_facts == 51
        assert ledger.verify().is_unbroken
