"""A standalone Spark cluster: a master and two workers as processes on the loopback address."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyspark


class Cluster:
    """Processes that end with this object; `folder` has their logs."""

    def __init__(self, folder, workers=2):
        self.folder = Path(folder)
        self.environment = os.environ | {
            "SPARK_HOME": str(Path(pyspark.__file__).parent),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_PYTHON": sys.executable,
            "ODOMETER_CACHE": str(self.folder / "cache"),
        }
        os.environ.update(self.environment)
        self.processes = []
        deploy = "org.apache.spark.deploy"
        log = self._start("master", f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        self.url = self._wait(log, r"spark://127\.0\.0\.1:\d+")
        for number in range(workers):
            log = self._start(
                f"worker{number}", f"{deploy}.worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "1g",
                "--webui-port", "0", "--work-dir", str(self.folder / f"work{number}"), self.url,
            )
            self._wait(log, "Successfully registered with master")

    def _start(self, name, *words):
        log = self.folder / f"{name}.log"
        command = [str(Path(self.environment["SPARK_HOME"]) / "bin" / "spark-class"), *words]
        with open(log, "w") as file:
            self.processes.append(
                subprocess.Popen(command, stdout=file, stderr=file, env=self.environment, start_new_session=True)
            )
        return log

    @staticmethod
    def _wait(log, pattern):
        for _ in range(600):
            found = re.search(pattern, log.read_text())
            if found:
                return found[0]
            time.sleep(0.1)
        raise TimeoutError(f"{pattern} is not in {log}:\n{log.read_text()[-3000:]}")

    def session(self, name):
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master(self.url).appName(name)
        settings = {
            "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.ui.enabled": "false",
            "spark.executor.memory": "700m", "spark.sql.execution.arrow.maxRecordsPerBatch": "10000",
            "spark.sql.execution.arrow.pyspark.enabled": "true", "spark.sql.session.timeZone": "UTC",
        }
        for key, value in settings.items():
            builder = builder.config(key, value)
        return builder.getOrCreate()

    @staticmethod
    def executors():
        """Executor processes."""
        found = subprocess.run(["pgrep", "-f", "CoarseGrainedExecutorBackend.*worker-url"], capture_output=True, text=True)
        return [int(word) for word in found.stdout.split()]

    def stop(self):
        for process in reversed(self.processes):
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


def is_possible():
    """Whether Java is installed."""
    return shutil.which("java") is not None
