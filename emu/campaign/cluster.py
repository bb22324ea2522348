"""Runs the shards of a campaign on the workers of a Dask cluster.

A worker of Dask runs tasks in threads of one process. Threads may not share an engine, and guest
code may crash its process. So a worker has another process for each shard that it runs at a time.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import pickle
import queue
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from typing import Any

from emu import __version__
from emu.base.errors import MacproofError, ToolMissingError
from emu.base.processes.workers import ProcessDown
from emu.campaign.parcel import Parcel, RefusedError, run_unpacked, unpack
from emu.campaign.processes import ShardProcess
from emu.campaign.shard import Shard

_UNDER_WAY = 500  # shards that the cluster has at a time
_MOST_LOSSES = 3  # of one shard; to Dask, each is the loss of four workers
_PATIENCE_AT_START = 30.0  # seconds, for the scheduler and for the first worker
_PATIENCE = 30.0  # seconds, until it is asked whether there still are workers
_AGAIN = "What was done is kept; run the campaign again when the cause is removed"

_idle: queue.SimpleQueue[ShardProcess] = queue.SimpleQueue()
"""The processes of this worker that run no shard now."""


class ClusterError(MacproofError):
    """The cluster is not there, or no longer."""


def shards_on_cluster(address: str, parcel: Parcel, numbers: Iterable[int]) -> Generator[Shard]:
    """Run shards on a cluster; give each as soon as it is done.

    The shards of a worker that ends, for whatever reason, are run by the others.

    Args:
        address: the address of the scheduler, such as "tcp://10.0.0.1:8786".
        parcel: the campaign.
        numbers: the numbers of the shards.

    Raises:
        ToolMissingError: Dask is not installed.
        ClusterError: there is no scheduler, or it has no workers; or workers end again and again.
        RefusedError: a worker has another macproof, engine or reference.
        CaseError: as of `run_shard`.
    """
    remaining = list(numbers)
    if not remaining:
        return
    with _connected(address) as client:
        try:
            yield from _Run(client, address, pickle.dumps(parcel)).each(iter(remaining))
        finally:
            _end_processes(client)


def _connected(address: str) -> Any:
    """A client of the scheduler, which has workers."""
    try:
        from distributed import Client
    except ImportError as error:
        raise ToolMissingError(
            "--dask needs Dask, which is not installed: pip install 'macproof[cluster]'"
        ) from error
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what it logs is told by errors
    try:
        client = Client(address, timeout=_PATIENCE_AT_START, set_as_default=False)
    except (OSError, ValueError, ImportError) as error:
        raise ClusterError(f"no scheduler of Dask answers at {address}: {error}") from error
    try:
        client.wait_for_workers(1, timeout=_PATIENCE_AT_START)
    except OSError as error:
        client.close()
        raise ClusterError(
            f"the scheduler at {address} has no workers. Start some: dask worker {address}"
        ) from error
    return client


class _Run:
    """The shards that a cluster has at present.

    Args:
        client: the client of Dask.
        address: the address of its scheduler.
        parcel: the campaign, pickled.
    """

    def __init__(self, client: Any, address: str, parcel: bytes) -> None:
        self._client = client
        self._address = address
        # The workers give it to each other; if all that have it end, Dask makes it again.
        self._parcel = client.submit(_as_it_is, parcel, pure=False)
        self._under_way: dict[Any, int] = {}
        self._ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._losses: Counter[int] = Counter()

    def each(self, numbers: Iterator[int]) -> Iterator[Shard]:
        """Run shards, and give each as soon as it is done."""
        for number in islice(numbers, _UNDER_WAY):
            self._begin(number)
        while self._under_way:
            try:
                future = self._ended.get(timeout=_PATIENCE)
            except queue.Empty:
                self._require_workers()
                continue
            number = self._under_way.pop(future)
            shard = self._result(future, number)
            if shard is None:
                self._begin(number)
                continue
            for following in islice(numbers, 1):
                self._begin(following)
            yield shard

    def _begin(self, number: int) -> None:
        future = self._client.submit(_run_on_worker, __version__, self._parcel, number, pure=False)
        self._under_way[future] = number
        future.add_done_callback(self._ended.put)

    def _result(self, future: Any, number: int) -> Shard | None:
        """The shard; None if its workers ended before it was done."""
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        try:
            return self._fetched(future)
        except CancelledError as error:
            raise self._scheduler_lost() from error
        except (KilledWorker, ProcessDown) as error:
            self._losses[number] += 1
            if self._losses[number] < _MOST_LOSSES:
                return None
            what = f"shard {number} was lost {_MOST_LOSSES} times: {error}"
            raise ClusterError(f"{what}. {_AGAIN}") from error
        except MacproofError:
            raise
        except Exception as error:
            raise ClusterError(
                f"a worker cannot run shards: {type(error).__name__}: {error}. It needs macproof "
                f"{__version__} with the extra cluster"
            ) from error

    def _fetched(self, future: Any) -> Shard:
        """The result of a task that has been done. It is made again if its worker has ended."""
        while True:
            try:
                shard: Shard = future.result(timeout=_PATIENCE)
                return shard
            except TimeoutError:
                if future.status == "error":  # the task itself has raised it
                    raise
                self._require_workers()
            except OSError as error:
                if future.status == "error":
                    raise
                raise self._scheduler_lost() from error

    def _require_workers(self) -> None:
        try:
            if self._client.nthreads():
                return
        except OSError as error:
            raise self._scheduler_lost() from error
        raise ClusterError(f"all workers of {self._address} have ended. {_AGAIN}")

    def _scheduler_lost(self) -> ClusterError:
        return ClusterError(f"the scheduler at {self._address} was lost. {_AGAIN}")


def _end_processes(client: Any) -> None:
    """End the processes of the workers, which use memory."""
    with contextlib.suppress(Exception):  # workers that are gone have none
        client.run(_end_idle, on_error="ignore")


# -- on the workers ----------------------------------------------------------------------------


def _as_it_is(parcel: bytes) -> bytes:
    return parcel


def _run_on_worker(version: str, parcel: bytes, number: int) -> Shard:
    """Run a shard in a process that is idle, or in a new one."""
    from distributed import get_worker

    try:
        if version != __version__:
            raise RefusedError(f"it has macproof {__version__}, and the campaign {version}")
        campaign = unpack(parcel)
        try:
            process = _idle.get_nowait()
        except queue.Empty:
            process = ShardProcess()
        try:
            work = functools.partial(run_unpacked, campaign)
            return campaign.as_sent(process.run(work, number, campaign.subjects))
        finally:
            _idle.put(process)
    except RefusedError as error:
        raise RefusedError(
            f"the worker {get_worker().address} is refused: {error}. Install the same there, or "
            "end that worker"
        ) from error


def _end_idle() -> None:
    while not _idle.empty():
        _idle.get().close()
