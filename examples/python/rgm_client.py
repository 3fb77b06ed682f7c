"""A client of rgm serve, with the standard library only.

    python3 rgm_client.py http://127.0.0.1:8080 nug12 0.5    # seconds (2); or a file: problem.dat, pairs.npy

prints better matchings as they are found, and then the result. RGM_TOKEN holds the token, if the
service wants one. As a module: Client(url).solve(instance), .submit, .events, .job, .cancel.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request


class Problem(Exception):
    """What the service answers instead of a result: status, detail, pointer (RFC 9457)."""

    def __init__(self, status, fields, retry_after=None):
        super().__init__(f"{status}: {fields.get('pointer', '')} {fields.get('detail', '')}")
        self.status, self.fields, self.retry_after = status, fields, retry_after


class Client:
    def __init__(self, url, token=None, patience=60.0):
        self.url, self.token, self.patience = url.rstrip("/"), token, patience

    def solve(self, instance, **options):
        """Wait for the result of an instance: a dict, or the path of a file."""
        return self._send("/v1/solve", instance, options)

    def submit(self, instance, key=None, **options):
        """Return a job; with a key, the same one each time."""
        return self._send("/v1/jobs", instance, options, {"Idempotency-Key": key} if key else {})

    def job(self, job_id):
        return self._json("GET", f"/v1/jobs/{job_id}")

    def cancel(self, job_id):
        """End a job and return it with the best so far."""
        return self._json("DELETE", f"/v1/jobs/{job_id}")

    def events(self, job_id):
        """Yield (name, data) until the job is done; a broken connection is taken up again."""
        last, failures = None, 0
        while failures < 5:
            try:
                headers = {"Last-Event-ID": last} if last else {}
                with self._open("GET", f"/v1/jobs/{job_id}/events", None, headers) as answer:
                    event = {}
                    for line in answer:
                        name, _, value = line.decode().rstrip("\n").partition(": ")
                        if name:
                            event[name] = value
                            continue
                        if "event" in event:
                            last, failures = event["id"], 0
                            yield event["event"], json.loads(event["data"])
                            if event["event"] == "done":
                                return
                        event = {}
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                pass
            failures += 1
            time.sleep(0.5 * failures)
        raise ConnectionError(f"no events of the job {job_id}")

    def _send(self, path, instance, options, headers=None):
        """Send an instance; where the queue is full, come back when the service says."""
        headers = dict(headers or {})
        if isinstance(instance, dict):
            body = json.dumps({"instance": instance, "options": options}).encode()
            headers["Content-Type"] = "application/json"
        else:
            name, extension = os.path.splitext(os.path.basename(instance))
            query = {"format": extension.lstrip("."), "name": name}
            for option, value in options.items():
                query[option] = value if isinstance(value, str) else json.dumps(value)
            path += "?" + urllib.parse.urlencode(query)
            headers["Content-Type"] = "application/octet-stream"
            with open(instance, "rb") as file:
                body = file.read()
        end = time.monotonic() + self.patience
        while True:
            try:
                return self._json("POST", path, body, headers)
            except Problem as p:
                if p.status != 429 or time.monotonic() > end:
                    raise
                time.sleep(float(p.retry_after or 1))

    def _json(self, method, path, body=None, headers=None):
        with self._open(method, path, body, headers or {}) as answer:
            return json.load(answer)

    def _open(self, method, path, body, headers):
        if self.token:
            headers = {**headers, "Authorization": "Bearer " + self.token}
        request = urllib.request.Request(self.url + path, body, headers, method=method)
        try:
            return urllib.request.urlopen(request, timeout=self.patience + 30)
        except urllib.error.HTTPError as answer:
            text = answer.read()
            fields = json.loads(text) if "json" in answer.headers.get("Content-Type", "") else {"detail": text.decode()}
            raise Problem(answer.code, fields, answer.headers.get("Retry-After")) from None


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    client = Client(sys.argv[1], os.environ.get("RGM_TOKEN"))
    named = sys.argv[2]
    instance = named if os.path.exists(named) else {"kind": "qaplib", "name": named}
    try:
        job = client.submit(instance, time_limit=float(sys.argv[3]) if len(sys.argv) == 4 else 2)
        for name, data in client.events(job["id"]):
            if name == "incumbent":
                print(f"{data['elapsed']:8.3f} s  {data['objective']:g}  by {data['found_by']}", file=sys.stderr)
            elif name == "done":
                print(json.dumps(data))
    except Problem as p:
        sys.exit(f"rgm_client: {p}")


if __name__ == "__main__":
    main()
