"""The main job with the client that openapi-python-client generates, next to this file as `deed`."""

import json
import re
import sys

from deed import Client
from deed.api.claims import create_claim, get_claim
from deed.api.domains import create_domain
from deed.api.proof_links import create_proof_link, get_proof
from deed.api.verifications import get_verification, run_verification
from deed.api.zones import stream_zone
from deed.models import (
    DelegationFrame,
    DomainAppended,
    LatestProof,
    CreateClaimBody,
    CreateDomainBody,
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


zone = stream_zone.sync(domain, client=stranger)
frames = [frame(json.loads(data)) for data in re.findall(r"^data: (.*)$", zone, re.M)]
added = create_domain.sync(client=holder, body=CreateDomainBody(domain=domain))
claim = create_claim.sync(client=holder, body=CreateClaimBody(domain_id=added.id))
again = create_claim.sync(client=holder, body=CreateClaimBody(domain_id=added.id))
record = claim.records[0]

publish(f"{record.name}.{domain}", record.value)
diagnosis = run_verification.sync(claim.verification_id, client=holder).diagnosis
assert isinstance(diagnosis, DomainAppended), diagnosis
panel = get_claim.sync(claim.id, client=holder).panel
publish(f"{panel.host}.{panel.zone}", record.value)
run_verification.sync(claim.verification_id, client=holder)
verification = get_verification.sync(claim.verification_id, client=holder)
link = create_proof_link.sync(claim.id, client=holder)
proof = get_proof.sync(link.slug, client=stranger)
missing = get_proof.sync("nothing", client=stranger)
assert isinstance(proof.recency, LatestProof), proof.recency
print(
    json.dumps(
        {
            "zone": frames,
            "held": again.error.code,
            "observed": diagnosis.observed.name,
            "awaits": diagnosis.awaits.value,
            "panel": panel.to_dict(),
            "status": verification.status.value,
            "proof": {"domain": proof.domain, "nameservers": proof.nameservers.to_dict()},
            "recency": proof.recency.type_,
            "missing": missing.error.code,
        }
    ),
    flush=True,
)
