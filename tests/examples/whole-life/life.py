"""A customer's domain from first to last, in test mode. Needs DEED_URL and DEED_KEY, a test key."""
import json
import os
import urllib.request


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {os.environ['DEED_KEY']}", "Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["DEED_URL"] + path, data, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read() or "null")


BY_NAME, MINE = "/api/domains/by-name/lapsed.test", "?reference=customer-1"
call("POST", "/api/test/reset")
asked = call("PUT", BY_NAME, {"reference": "customer-1", "watch": True, "handoff": {}})
print("Add", asked["record"]["name"], "or open", asked["handoff"]["url"])
for seconds in [60] + 12 * [86_400]:
    call("POST", "/api/test/clock", {"seconds": seconds})
    now = call("GET", BY_NAME + MINE)
    print("holds" if now["holds"] else "does not hold", now["watch"]["state"])
print("Erased:", call("DELETE", "/api/domains" + MINE)["deleted"])
