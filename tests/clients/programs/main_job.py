"""The main job with the client that openapi-python-client generates, next to this file as `deed`."""

import json
import re
import sys

from deed import Client
from deed.api.claims import get_claims_id, post_claims
from deed.api.domains import post_domains
from deed.api.proof_links import get_proofs_slug, post_claims_id_proof_links
from deed.api.verifications import get_verifications_id, post_verifications_id_runs
from deed.api.zones import get_zones_name
from deed.models import (
    DelegationFrame,
    DomainAppended,
    LatestProof,
    PostClaimsBody,
    PostDomainsBody,
    PublishingFrame,
)

base_url, cookie, domain = sys.argv[1:]
name, value = cookie.split("=", 1)
holder = Client(base_url=base_url, cookies={name: value})
stranger = Client(base_url=base_url)


def publish(name, value):
    """Asks the parent process to publish the token at `name`."""
    print(json.dumps({"publish": {"name": name, "value": value}}), flush=True)
    sys.stdin.readline()


def frame(data):
    """The data of an event; `step` tells the variants apart."""
    kinds = {"delegation": DelegationFrame, "publishing": PublishingFrame}
    read = kinds[data["step"]].from_dict(data)
    if isinstance(read, DelegationFrame):
        return read.provider.value
    return f"{read.publishing_minutes} minutes"


zone = get_zones_name.sync(domain, client=stranger)
frames = [frame(json.loads(data)) for data in re.findall(r"^data: (.*)$", zone, re.M)]
added = post_domains.sync(client=holder, body=PostDomainsBody(domain=domain))
claim = post_claims.sync(client=holder, body=PostClaimsBody(domain_id=added.id))
again = post_claims.sync(client=holder, body=PostClaimsBody(domain_id=added.id))
record = claim.records[0]

publish(f"{record.name}.{domain}", record.value)
diagnosis = post_verifications_id_runs.sync(claim.verification_id, client=holder).diagnosis
assert isinstance(diagnosis, DomainAppended), diagnosis
panel = get_claims_id.sync(claim.id, client=holder).panel
publish(f"{panel.host}.{panel.zone}", record.value)
post_verifications_id_runs.sync(claim.verification_id, client=holder)
verification = get_verifications_id.sync(claim.verification_id, client=holder)
link = post_claims_id_proof_links.sync(claim.id, client=holder)
proof = get_proofs_slug.sync(link.slug, client=stranger)
missing = get_proofs_slug.sync("nothing", client=stranger)
assert isinstance(proof.recency, LatestProof), proof.recency
print(
    json.dumps(
        {
            "zone": frames,
            "held": again.error.code.value,
            "observed": diagnosis.observed.name,
            "awaits": diagnosis.awaits.value,
            "panel": panel.to_dict(),
            "status": verification.status.value,
            "proof": {"domain": proof.domain, "nameservers": proof.nameservers.to_dict()},
            "recency": proof.recency.type_,
            "missing": missing.error.code.value,
        }
    ),
    flush=True,
)
