"""Runs functions in other processes, because some guest code crashes the engine's process.

`run_apart` makes one call in a process of its own and raises `ProcessDown` if that crashes.
`Workers` make many calls in a few processes. When one of these crashes, the calls that were under
way are all lost, and it is not known which of them is to blame. So each of them is made again, in
a process of its own, and `ProcessDown` is raised for the one that crashes that too. For example::

    with Workers() as workers:
        for index, result in workers.each(measure, [(program,) for program in programs]):
            ...
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from emu.base import progress_note
from emu.base.errors import GuestError, InternalError, MacproofError, UsageError
from emu.base.processes import black_box
from emu.base.processes.endings import STUCK, blame, ending_of
from emu.base.processes.worker_start import (
    process_start,
    require_shared_locks,
    working_folder_left_out,
)
from emu.base.system.allocator import prepare_for_work
from emu.base.system.parent import end_with_parent
from emu.base.system.start_method import quick_start_method, start_method
from emu.base.temporary import guarded_folder

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

T = TypeVar("T")

_expendable = threading.Event()


@contextlib.contextmanager
def worker_pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Worker processes for `submit`; on Ctrl-C they end at once."""
    from concurrent.futures import ProcessPoolExecutor  # takes 18 ms, and one call needs no pool

    others = set(multiprocessing.active_children())
    guarded_folder()  # it guards the temporary files of `multiprocessing`, too
    require_shared_locks()
    context = multiprocessing.get_context(start_method())
    with working_folder_left_out():  # its locks need a process that tracks resources
        pool = ProcessPoolExecutor(workers, context, initializer=begin_worker)
    try:
        yield pool
    except KeyboardInterrupt:
        # Guest code that never returns would keep them for half a minute.
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def begin_worker() -> None:
    """Prepare a worker process, which ends with its parent."""
    end_with_parent()
    prepare_for_work()


def submit(pool: ProcessPoolExecutor, function: Callable[..., T], *arguments: Any) -> Future[T]:
    """Like ``pool.submit``; a worker that this starts leaves Ctrl-C to its parent.

    The future raises InternalError in place of what is neither a MacproofError nor an OSError.
    """
    with process_start():
        return pool.submit(_run_guarded, function, arguments)


def _run_guarded(function: Callable[..., T], arguments: tuple[Any, ...]) -> T:
    try:
        return function(*arguments)
    except (MacproofError, OSError):
        raise
    except BaseException as error:  # our own mistake; its traceback would be lost on the way
        raise InternalError.of(error) from None


def default_jobs() -> int:
    """As many worker processes as processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class WorkerCall(Generic[T]):
    """A call that a worker process makes.

    Attributes:
        future: it is done when the worker is.
    """

    def __init__(self, future: Future[T], alone: Callable[[], T]) -> None:
        self.future = future
        self._alone = functools.cache(alone)

    def result(self) -> T:
        """Wait for the call and return its result.

        Raises:
            ProcessDown: the call crashes its process.
            Exception: what the call raises.
        """
        from concurrent.futures.process import BrokenProcessPool

        try:
            return self.future.result()
        except BrokenProcessPool:  # this call crashed its process, or another call did
            return self._alone()


class Workers:
    """A few processes that are kept for many calls; new ones are started when one crashes.

    They are started when there is work for them, and end with the ``with`` block.

    Args:
        jobs: worker processes; 0 is one for each processor.
    """

    def __init__(self, jobs: int = 0) -> None:
        self.processes = jobs or default_jobs()
        self._stack = contextlib.ExitStack()
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *exception: Any) -> bool | None:
        return self._stack.__exit__(*exception)

    def apart(self, function: Callable[..., T], *arguments: Any) -> T:
        """Make a call that may have crashed a worker again, in a process of its own."""
        return run_apart(function, *arguments)

    def submit(
        self,
        function: Callable[..., T],
        *arguments: Any,
        alone: Callable[..., T] | None = None,
    ) -> WorkerCall[T]:
        """Begin a call.

        Args:
            function: what is called in a worker process.
            arguments: what it is called with.
            alone: called in this process, with the same arguments, when a worker has crashed
                while it made the call. By default it makes the call again with `apart`.
        """
        again = alone or functools.partial(self.apart, function)
        return WorkerCall(self._begin(function, arguments), functools.partial(again, *arguments))

    def once(
        self,
        function: Callable[..., T],
        *arguments: Any,
        alone: Callable[..., T] | None = None,
        on_report: Callable[[Any], None] | None = None,
    ) -> T:
        """Make a call that is the only one, and wait for it.

        If no worker process runs yet, the call is made in a quicker one that ends with it.

        Args:
            function: what is called in another process.
            arguments: what it is called with.
            alone: see `submit`.
            on_report: called in this process with each report, if no worker process runs yet; the
                function then has, last, a function to which it may give them.

        Raises:
            ProcessDown: the call crashes its process.
            Exception: what the call raises.
        """
        if self._pool is not None:
            return self.submit(function, *arguments, alone=alone).result()
        try:
            return _run_process(quick_start_method(), function, arguments, on_report, None)
        except ProcessDown:
            again = alone or functools.partial(self.apart, function)
            return again(*arguments)

    def each(
        self,
        function: Callable[..., T],
        calls: Iterable[tuple[Any, ...] | None],
        *,
        alone: Callable[..., T] | None = None,
    ) -> Iterator[tuple[int, T]]:
        """Make many calls; give the result of each as soon as it has one.

        Args:
            function: what is called in a worker process.
            calls: the arguments of each call. They are asked for when a worker is free, so the
                arguments of a late call can depend on earlier results: None in place of arguments
                says that the next call has to wait for the result of one that is under way. Calls
                that take long should come first.
            alone: see `submit`.

        Yields:
            The index of a call, and its result.

        Raises:
            ProcessDown: a call crashes its process.
            Exception: what a call raises; the results of the others are lost.
        """
        from concurrent.futures import FIRST_COMPLETED, wait
        from concurrent.futures.process import BrokenProcessPool

        waiting, number = iter(calls), itertools.count()
        under_way: dict[Future[T], tuple[int, WorkerCall[T]]] = {}
        while True:
            for arguments in itertools.islice(waiting, self.processes + 1 - len(under_way)):
                if arguments is None:
                    assert under_way, "a call waits for others, and none is under way"
                    break
                call = self.submit(function, *arguments, alone=alone)
                under_way[call.future] = (next(number), call)
            if not under_way:
                return
            ended = wait(under_way, return_when=FIRST_COMPLETED).done
            if any(isinstance(future.exception(), BrokenProcessPool) for future in ended):
                ended = set(under_way)  # the others are lost, too
            for future in [future for future in under_way if future in ended]:
                index, call = under_way.pop(future)
                yield index, call.result()

    def _begin(self, function: Callable[..., T], arguments: tuple[Any, ...]) -> Future[T]:
        from concurrent.futures.process import BrokenProcessPool

        if self._pool is not None:
            with contextlib.suppress(BrokenProcessPool):
                return submit(self._pool, function, *arguments)
        self._pool = self._stack.enter_context(worker_pool(self.processes))
        return submit(self._pool, function, *arguments)


class ProcessDown(GuestError):
    """A process that executed guest code crashed, or had to be killed.

    Attributes:
        ending: how it ended: the name of a signal, or its exit code.
    """

    ending = ""


def run_apart(function: Callable[..., T], *arguments: Any, box: Path | None = None) -> T:
    """Run something that executes guest code in a process of its own.

    Args:
        function: what is called.
        arguments: what it is called with; it must be possible to pickle them.
        box: the file in which engines record what they execute, see `emu.base.processes.black_box`.

    Raises:
        MacproofError: what the function raised.
        UsageError: Python code of somebody else's ended the process, as ``os._exit`` does.
        ProcessDown: the process crashed.
    """
    return _run_process(start_method(), function, arguments, None, box)


def run_apart_reporting(
    function: Callable[..., T], *arguments: Any, on_report: Callable[[Any], None]
) -> T:
    """Run something in a process of its own that reports its progress.

    Args:
        function: called with ``arguments`` and, last, a function to which it may give reports.
        arguments: what it is called with; it must be possible to pickle them.
        on_report: called in this process with each report.

    Raises:
        MacproofError: what the function raised.
        ProcessDown: the process crashed.
    """
    return _run_process(quick_start_method(), function, arguments, on_report, None)


def _run_process(
    start: str,
    function: Callable[..., T],
    arguments: tuple[Any, ...],
    on_report: Callable[[Any], None] | None,
    box: Path | None,
) -> T:
    if start != "fork":
        guarded_folder()  # it guards the temporary files of `multiprocessing`, too
    begun = ""  # what somebody else's code is to fail at, if it ends the process
    context: Any = multiprocessing.get_context(start)
    here, there = context.Pipe(duplex=False)
    process = context.Process(
        target=_run_in_process,
        args=(there, function, arguments, on_report is not None, box),
        daemon=True,
    )
    try:
        with process_start():
            process.start()
        there.close()
        while True:
            kind, value = here.recv()
            if kind == "result":
                result: T = value
                return result
            if kind == "error":
                raise value
            if kind == "begun":
                begun = value
            elif on_report is not None:
                on_report(value)
    except EOFError as error:
        process.join(10)
        ending = ending_of(process.exitcode)
        if begun:
            raise UsageError(f"{begun}: it ended the process that it ran in ({ending})") from error
        down = ProcessDown(f"{blame(ending)} ({ending})")
        down.ending = ending
        raise down from error
    finally:
        if process.is_alive():
            process.join(0 if _is_interrupted() else 5)
            process.kill()
        here.close()


def _is_interrupted() -> bool:
    return isinstance(sys.exc_info()[1], KeyboardInterrupt)


def let_this_process_end() -> None:
    """Say that this process is a worker, although `multiprocessing` has not started it."""
    _expendable.set()


def end_stuck_worker() -> None:
    """End this process if it is a worker, because its engine does not stop when told to."""
    if _expendable.is_set() or multiprocessing.parent_process() is not None:
        os._exit(STUCK)


def _run_in_process(
    there: Connection,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    reports: bool,
    box: Path | None,
) -> None:
    begin_worker()
    if box is not None:
        black_box.switch_on(box)
    progress_note.listen(lambda what: there.send(("begun", what)))
    more = (lambda report: there.send(("report", report)),) if reports else ()
    # The parent answers Ctrl-C, by ending this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        result = function(*arguments, *more)
        there.send(("result", result))
    except (MacproofError, OSError) as error:
        there.send(("error", error))
    except BaseException as error:  # our own mistake
        there.send(("error", InternalError.of(error)))
