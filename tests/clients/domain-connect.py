"""Both sides of Domain Connect by packages of PyPI: `client` and `provider`. Arguments are one JSON object."""

import http.client
import json
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

import dns.resolver

given = json.loads(sys.argv[2])

# All DNS is asked of one resolver of the playground.
resolver = dns.resolver.Resolver(configure=False)
resolver.nameservers = [given["resolver"]]
resolver.port = given["port"]
dns.resolver.default_resolver = resolver


def client():
    import domainconnect.domainconnect as package

    # The panel is on loopback and has no certificate.
    package.DomainConnect._resolver = resolver
    http.client.HTTPSConnection = lambda host, context=None: http.client.HTTPConnection(host)
    connect = package.DomainConnect()
    config = connect.get_domain_config(given["domain"])
    url = connect.get_domain_connect_template_sync_url(
        given["domain"],
        given["providerId"],
        given["serviceId"],
        redirect_uri=given["returnTo"],
        params={"token": given["token"]},
        state="its-state",
        sign=True,
        private_key=given["key"],
        keyid=given["keyLabel"],
    )
    print(json.dumps({"sync": config.urlSyncUX, "root": config.domain_root, "url": url}))


def provider():
    from domainconnectzone import DomainConnect, DomainConnectTemplates

    template = given["template"]
    DomainConnectTemplates(given["folder"]).validate_template(template)
    path = f"/v2/domainTemplates/providers/{template['providerId']}/services/{template['serviceId']}"

    class Front(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def answer(self, status, body=None, location=None):
            self.send_response(status)
            if location:
                self.send_header("Location", location)
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def do_GET(self):
            url = urlsplit(self.path)
            own = f"http://{self.headers['Host']}"
            if url.path == f"/v2/{given['zone']}/settings":
                return self.answer(200, {"providerId": "p", "providerName": "P", "urlAPI": own, "urlSyncUX": own})
            if url.path == path:
                return self.answer(200, {"version": 1})
            if url.path != f"{path}/apply":
                return self.answer(404)
            fields = {name: values[0] for name, values in parse_qs(url.query).items()}
            signed = "&".join(part for part in url.query.split("&") if not part.startswith(("sig=", "key=")))
            try:
                added, removed, _ = DomainConnect(template=template).apply_template(
                    given["records"],
                    fields["domain"],
                    fields.get("host", ""),
                    {"token": fields["token"]},
                    qs=signed,
                    sig=fields.get("sig"),
                    key=fields.get("key"),
                )
            except Exception as error:
                return self.answer(403, {"error": f"{type(error).__name__}: {error}"})
            update(fields["domain"], added, removed)
            self.answer(302, location=f"{fields['redirect_uri']}?state={fields['state']}")

    def update(zone, added, removed):
        assert removed == []
        lines = [f"server {given['knot']} {given['knotPort']}", f"zone {zone}."]
        lines += [f"update add {one['name']}.{zone}. {one['ttl']} {one['type']} \"{one['data']}\"" for one in added]
        subprocess.run(["nsupdate"], input="\n".join([*lines, "send", ""]), text=True, check=True)

    front = HTTPServer(("127.0.0.1", 0), Front)
    # The package prints too.
    print(f"port {front.server_port}", flush=True)
    front.serve_forever()


{"client": client, "provider": provider}[sys.argv[1]]()
