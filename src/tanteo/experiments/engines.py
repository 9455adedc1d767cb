"""Where items run: processes of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from tanteo.errors import UserError
from tanteo.experiments.plan import Item, as_json
from tanteo.experiments.work import ItemError, run_item

Answer = tuple[Item, dict[str, Any] | None, str]  # the result, or the reason why there is none
AHEAD = 4  # items given to each worker before the first comes back: a queue that is too long is lost with it


def run_locally(items: list[Item], jobs: int) -> Iterator[Answer]:
    """So many at a time, each in a process of its own; answers as they come."""
    with ThreadPoolExecutor(jobs) as pool:
        waiting: dict[Future[tuple[dict[str, Any] | None, str]], Item] = {
            pool.submit(_apart, item): item for item in items
        }
        try:
            while waiting:
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield waiting.pop(future), *future.result()
        except (KeyboardInterrupt, GeneratorExit):
            for future in waiting:
                future.cancel()
            raise


def _apart(item: Item) -> tuple[dict[str, Any] | None, str]:
    words = [sys.executable, "-m", "tanteo.experiments.work"]
    done = subprocess.run(words, input=json.dumps(as_json(item)), capture_output=True, text=True, check=False)
    try:
        answer = json.loads(done.stdout)
    except json.JSONDecodeError:
        return None, f"the worker ended with {done.returncode}: {done.stderr.strip()[-200:]}"
    return answer.get("result"), answer.get("reason", "")


def run_on_cluster(items: list[Item], address: str, jobs: int, certificates: Path | None) -> Iterator[Answer]:
    """On the workers of a cluster that is there (`tls://host:8786`), or of one that is made here."""
    try:
        from distributed import Client, LocalCluster, as_completed
    except ImportError as error:
        raise UserError(
            "--engine dask needs Dask: pip install 'tanteo[experiments]'", "missing-extra"
        ) from error
    cluster = None
    if not address:
        cluster = LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None)
    client = Client(
        address or cluster, security=_security(address, certificates), timeout="20s", set_as_default=False
    )
    try:
        left = iter(items)
        asked: dict[str, Item] = {}
        answers = as_completed([], loop=client.loop)

        def ask(item: Item | None) -> None:
            if item is not None:
                future = client.submit(_attempt, as_json(item), pure=False, key=f"item-{item.key}")
                asked[future.key] = item
                answers.add(future)

        for _ in range(AHEAD * max(1, len(client.nthreads()))):
            ask(next(left, None))
        for future in answers:
            item = asked.pop(future.key)
            if future.status == "finished":
                yield item, *future.result()
            else:
                yield item, None, _why(future.exception())
            future.release()
            ask(next(left, None))
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


def _attempt(data: dict[str, Any]) -> tuple[dict[str, Any] | None, str]:
    """On a worker: a reason travels better than an exception."""
    try:
        return run_item(data), ""
    except ItemError as error:
        return None, str(error)


def _why(error: BaseException | None) -> str:
    """`KilledWorker` after as many lost workers as the cluster allows (three)."""
    return f"lost with its worker: {error}" if error is not None else "cancelled"


def _security(address: str, certificates: Path | None) -> Any:
    if not address.startswith("tls://"):
        return None
    if certificates is None:
        raise UserError(
            f"{address} needs --certificates DIR with ca.pem, cert.pem and key.pem", "no-certificates"
        )
    from distributed.security import Security

    for name in ("ca.pem", "cert.pem", "key.pem"):
        if not (certificates / name).is_file():
            raise UserError(f"no {name} in {certificates}", "no-certificates")
    return Security(
        tls_ca_file=str(certificates / "ca.pem"),
        tls_client_cert=str(certificates / "cert.pem"),
        tls_client_key=str(certificates / "key.pem"),
        require_encryption=True,
    )
